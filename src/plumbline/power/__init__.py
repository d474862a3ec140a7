"""Power of calibration tests: how often they find a classifier whose faults are known."""

from plumbline.power.effects import effect_of
from plumbline.power.one_point_excess import OnePointExcess, one_point_excess
from plumbline.power.plan import Plan, plan
from plumbline.power.power_study import PowerTable, PValues, p_values, power_study

__all__ = [
    "OnePointExcess",
    "PValues",
    "Plan",
    "PowerTable",
    "effect_of",
    "one_point_excess",
    "p_values",
    "plan",
    "power_study",
]
