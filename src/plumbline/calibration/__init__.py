"""How far probabilities are from observed frequencies, as a function of the labels."""

from plumbline.calibration.conventions import CONVENTIONS, PRESETS, ErrorPreset
from plumbline.calibration.cumulative import cumulative_statistic
from plumbline.calibration.debiased import debiased_statistic
from plumbline.calibration.definition import (
    BINARY_VIEWS,
    VIEWS,
    ErrorDefinition,
    ScoredEvent,
    ViewEvents,
    binary_table,
    define_error,
    rows_within,
    view_events,
)
from plumbline.calibration.distances import DISTANCES, Distance, OwnDistance
from plumbline.calibration.drawable import (
    Drawable,
    Floats,
    Ints,
    Measurable,
    SameLabels,
    SameSums,
    ShareTally,
    Tally,
    Wide,
    counts_of,
)
from plumbline.calibration.hosmer_lemeshow import hosmer_lemeshow
from plumbline.calibration.isotonic import isotonic_fit, isotonic_starts
from plumbline.calibration.kernel import kernel_statistic, mmce_statistic
from plumbline.calibration.lowess import SMOOTH_PRESETS, smooth_rule
from plumbline.calibration.profiles import ErrorOfHits, Profile, ProfileRule
from plumbline.calibration.score_decomposition import (
    discrimination,
    mean_score,
    miscalibration,
    uncertainty,
)
from plumbline.calibration.score_statistics import SkillStatistic, point_statistic, skill_statistic
from plumbline.calibration.slope import (
    calibration_in_the_large,
    calibration_intercept,
    calibration_slope,
    cox_intercept,
    cox_statistic,
    estimate_statistic,
    observed_to_expected,
)
from plumbline.calibration.smooth import e50, e90, emax, ici, kde_ece, smooth_ece
from plumbline.calibration.statistics import (
    Cells,
    ProfileStatistic,
    Statistic,
    binned_statistic,
    bins_of,
    profile_statistic,
    statistic,
    value_of,
    warn_of_preset,
    with_merged_rows,
)

__all__ = [
    "BINARY_VIEWS",
    "CONVENTIONS",
    "DISTANCES",
    "PRESETS",
    "SMOOTH_PRESETS",
    "VIEWS",
    "Cells",
    "Distance",
    "Drawable",
    "ErrorDefinition",
    "ErrorOfHits",
    "ErrorPreset",
    "Floats",
    "Ints",
    "Measurable",
    "OwnDistance",
    "Profile",
    "ProfileRule",
    "ProfileStatistic",
    "SameLabels",
    "SameSums",
    "ScoredEvent",
    "ShareTally",
    "SkillStatistic",
    "Statistic",
    "Tally",
    "ViewEvents",
    "Wide",
    "binary_table",
    "binned_statistic",
    "bins_of",
    "calibration_in_the_large",
    "calibration_intercept",
    "calibration_slope",
    "counts_of",
    "cox_intercept",
    "cox_statistic",
    "cumulative_statistic",
    "debiased_statistic",
    "define_error",
    "discrimination",
    "e50",
    "e90",
    "emax",
    "estimate_statistic",
    "hosmer_lemeshow",
    "ici",
    "isotonic_fit",
    "isotonic_starts",
    "kde_ece",
    "kernel_statistic",
    "mean_score",
    "miscalibration",
    "mmce_statistic",
    "observed_to_expected",
    "point_statistic",
    "profile_statistic",
    "rows_within",
    "skill_statistic",
    "smooth_ece",
    "smooth_rule",
    "statistic",
    "uncertainty",
    "value_of",
    "view_events",
    "warn_of_preset",
    "with_merged_rows",
]
