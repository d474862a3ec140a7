"""Curves by formula: points from rows met in order, averaged, banded, and their best threshold."""

from plumbline.curves.area import (
    ClassAreas,
    areas_of_classes,
    average_precision,
    convex_hull,
    precision_recall_area,
    roc_auc,
)
from plumbline.curves.area_intervals import RocAucInterval, roc_auc_interval
from plumbline.curves.best_threshold import BestThreshold, best_threshold, best_thresholds
from plumbline.curves.cases_between import Cases, cases_between
from plumbline.curves.class_counts import ClassCounts, class_counts
from plumbline.curves.curve import curve, settings_without_effect
from plumbline.curves.curve_difference import CurveDifference, curve_difference
from plumbline.curves.goals import CheapestPoint, Goal, cheapest_points, usual_goal
from plumbline.curves.lines import Curve, Line
from plumbline.curves.presets import PRESETS, CurveSettings, Preset
from plumbline.curves.readings import (
    CurveReading,
    LineCounts,
    LineReading,
    counts_of_lines,
    read_curve,
)
from plumbline.curves.subgroups import Subgroup, SubgroupCurves, curves_by_group

__all__ = [
    "PRESETS",
    "BestThreshold",
    "Cases",
    "CheapestPoint",
    "ClassAreas",
    "ClassCounts",
    "Curve",
    "CurveDifference",
    "CurveReading",
    "CurveSettings",
    "Goal",
    "Line",
    "LineCounts",
    "LineReading",
    "Preset",
    "RocAucInterval",
    "Subgroup",
    "SubgroupCurves",
    "areas_of_classes",
    "average_precision",
    "best_threshold",
    "best_thresholds",
    "cases_between",
    "cheapest_points",
    "class_counts",
    "convex_hull",
    "counts_of_lines",
    "curve",
    "curve_difference",
    "curves_by_group",
    "precision_recall_area",
    "read_curve",
    "roc_auc",
    "roc_auc_interval",
    "settings_without_effect",
    "usual_goal",
]
