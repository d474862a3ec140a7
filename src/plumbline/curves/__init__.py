"""Curves by formula: points from rows met in order, averaged, banded, and their best threshold."""

from plumbline.curves.area import average_precision, convex_hull, precision_recall_area, roc_auc
from plumbline.curves.area_intervals import RocAucInterval, roc_auc_interval
from plumbline.curves.best_threshold import BestThreshold, best_threshold
from plumbline.curves.cases_between import Cases, cases_between
from plumbline.curves.class_counts import ClassCounts, class_counts
from plumbline.curves.curve import curve
from plumbline.curves.curve_difference import CurveDifference, curve_difference
from plumbline.curves.lines import Curve, Line
from plumbline.curves.presets import PRESETS, CurveSettings, Preset

__all__ = [
    "PRESETS",
    "BestThreshold",
    "Cases",
    "ClassCounts",
    "Curve",
    "CurveDifference",
    "CurveSettings",
    "Line",
    "Preset",
    "RocAucInterval",
    "average_precision",
    "best_threshold",
    "cases_between",
    "class_counts",
    "convex_hull",
    "curve",
    "curve_difference",
    "precision_recall_area",
    "roc_auc",
    "roc_auc_interval",
]
