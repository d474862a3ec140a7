"""How far probabilities are from observed frequencies, as a function of the labels."""

from plumbline.calibration.conventions import CONVENTIONS, PRESETS, ErrorPreset
from plumbline.calibration.definition import (
    BINARY_VIEWS,
    VIEWS,
    ErrorDefinition,
    binary_table,
    define_error,
    rows_within,
)
from plumbline.calibration.distances import DISTANCES, Distance, OwnDistance
from plumbline.calibration.drawable import (
    Drawable,
    Floats,
    Ints,
    Measurable,
    ShareTally,
    Tally,
    Wide,
    counts_of,
)
from plumbline.calibration.profiles import ErrorOfHits, Profile, ProfileRule
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
)

__all__ = [
    "BINARY_VIEWS",
    "CONVENTIONS",
    "DISTANCES",
    "PRESETS",
    "VIEWS",
    "Cells",
    "Distance",
    "Drawable",
    "ErrorOfHits",
    "Floats",
    "Ints",
    "Measurable",
    "OwnDistance",
    "ErrorPreset",
    "Profile",
    "ProfileStatistic",
    "ProfileRule",
    "ErrorDefinition",
    "ShareTally",
    "Statistic",
    "Tally",
    "Wide",
    "binary_table",
    "rows_within",
    "binned_statistic",
    "bins_of",
    "counts_of",
    "profile_statistic",
    "define_error",
    "statistic",
    "value_of",
    "warn_of_preset",
]
