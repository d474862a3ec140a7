"""Curves by formula: points from rows met in order, averaged, banded, and their best threshold."""

from plumbline.curves.areas.hull import convex_hull
from plumbline.curves.areas.intervals import RocAucInterval, roc_auc_interval
from plumbline.curves.areas.of_data import average_precision, precision_recall_area, roc_auc
from plumbline.curves.cards.card import curve_card, curve_from_card
from plumbline.curves.cards.fingerprint import data_hash
from plumbline.curves.cases.between import Cases, cases_between
from plumbline.curves.cases.class_counting import ClassCounts, class_counts
from plumbline.curves.drawing import curve
from plumbline.curves.lines import Curve, Line
from plumbline.curves.optimum import BestThreshold, best_threshold
from plumbline.curves.presets import PRESETS, Preset
from plumbline.curves.resampled.difference import CurveDifference, curve_difference
from plumbline.curves.settings import CurveSettings

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
    "curve_card",
    "curve_difference",
    "curve_from_card",
    "data_hash",
    "precision_recall_area",
    "roc_auc",
    "roc_auc_interval",
]
