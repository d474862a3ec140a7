"""Power of calibration tests: how often they find a classifier whose faults are known."""

from plumbline.power.effects import effect_of, log_ratio, shifted, tempered
from plumbline.power.grid import Grid, Placement, Placements, placements_of
from plumbline.power.one_point_excess import OnePointExcess, one_point_excess
from plumbline.power.plan import Plan, plan
from plumbline.power.power_study import (
    Counts,
    GridTest,
    PowerTable,
    PValues,
    Sizes,
    p_values,
    power_study,
)
from plumbline.power.simulation import World, rejections, usual_draws

__all__ = [
    "Counts",
    "Grid",
    "GridTest",
    "OnePointExcess",
    "PValues",
    "Placement",
    "Placements",
    "Plan",
    "PowerTable",
    "Sizes",
    "World",
    "effect_of",
    "log_ratio",
    "one_point_excess",
    "p_values",
    "placements_of",
    "plan",
    "power_study",
    "rejections",
    "shifted",
    "tempered",
    "usual_draws",
]
