"""Curves by formula: points from rows met in order, averaged, banded, and their best threshold."""

from plumbline.curves.area import (
    ClassAreas,
    areas_of_classes,
    average_precision,
    average_precision_of,
    convex_hull,
    pr_interpolated,
    precision_recall_area,
    roc_auc,
)
from plumbline.curves.area_intervals import Area, RocAucInterval, placements, roc_auc_interval
from plumbline.curves.best_threshold import BestThreshold, best_threshold, best_thresholds
from plumbline.curves.cases_between import Cases, cases_between, cases_of_settings
from plumbline.curves.class_counts import ClassCounts, class_counts
from plumbline.curves.curve import complete_settings, curve, draw_curve, settings_without_effect
from plumbline.curves.curve_difference import (
    CurveDifference,
    curve_difference,
    difference_of_settings,
)
from plumbline.curves.decimation import kept_places
from plumbline.curves.drawing import state_at
from plumbline.curves.goals import CheapestPoint, Goal, cheapest_points, usual_goal
from plumbline.curves.lines import Curve, Line, line_name, rows_drawn
from plumbline.curves.presets import (
    PRESETS,
    CurveSettings,
    Preset,
    given_settings,
    preset_of,
    preset_settings,
)
from plumbline.curves.readings import (
    CurveReading,
    LineCounts,
    LineReading,
    counts_of_lines,
    read_curve,
)
from plumbline.curves.recipe import Recipe, params_for, points_between, recipe_of, rows_where
from plumbline.curves.scales import Scale, scale_of
from plumbline.curves.shown_curve import ShownCurve
from plumbline.curves.smoothing import smooth
from plumbline.curves.spec import curve_from_spec, curve_spec, settings_of_spec
from plumbline.curves.subgroups import Subgroup, SubgroupCurves, both_conditions, curves_by_group
from plumbline.curves.target_rows import VARIABLES, TargetRows, Vocabulary, rating
from plumbline.curves.unused import refuse_unused, unused_settings

__all__ = [
    "PRESETS",
    "VARIABLES",
    "Area",
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
    "Recipe",
    "RocAucInterval",
    "Scale",
    "ShownCurve",
    "Subgroup",
    "SubgroupCurves",
    "TargetRows",
    "Vocabulary",
    "areas_of_classes",
    "average_precision",
    "average_precision_of",
    "best_threshold",
    "best_thresholds",
    "both_conditions",
    "cases_between",
    "cases_of_settings",
    "cheapest_points",
    "class_counts",
    "complete_settings",
    "convex_hull",
    "counts_of_lines",
    "curve",
    "curve_difference",
    "curve_from_spec",
    "curve_spec",
    "curves_by_group",
    "difference_of_settings",
    "draw_curve",
    "given_settings",
    "kept_places",
    "line_name",
    "params_for",
    "placements",
    "points_between",
    "pr_interpolated",
    "precision_recall_area",
    "preset_of",
    "preset_settings",
    "rating",
    "read_curve",
    "recipe_of",
    "refuse_unused",
    "roc_auc",
    "roc_auc_interval",
    "rows_drawn",
    "rows_where",
    "scale_of",
    "settings_of_spec",
    "settings_without_effect",
    "smooth",
    "state_at",
    "unused_settings",
    "usual_goal",
]
