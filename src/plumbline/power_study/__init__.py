"""Power of calibration tests: how often they find a classifier whose faults are known."""

from plumbline.power_study.answers import PowerTable
from plumbline.power_study.many import PValues, p_values
from plumbline.power_study.one_point import OnePointExcess, one_point_excess
from plumbline.power_study.planner import plan
from plumbline.power_study.plans import Plan
from plumbline.power_study.study import power

__all__ = [
    "OnePointExcess",
    "PValues",
    "Plan",
    "PowerTable",
    "one_point_excess",
    "p_values",
    "plan",
    "power",
]
