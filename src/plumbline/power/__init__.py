"""Power of calibration tests: how often they find a classifier whose faults are known."""

from plumbline.power.answers import PowerTable
from plumbline.power.many import PValues, p_values
from plumbline.power.one_point import OnePointExcess, one_point_excess
from plumbline.power.planner import plan
from plumbline.power.plans import Plan
from plumbline.power.study import power_study

__all__ = [
    "OnePointExcess",
    "PValues",
    "Plan",
    "PowerTable",
    "one_point_excess",
    "p_values",
    "plan",
    "power_study",
]
