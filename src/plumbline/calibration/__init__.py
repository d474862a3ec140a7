"""How far probabilities are from what happened: views, distances, and the error as a statistic."""

from plumbline.calibration.distances import DISTANCES, Distance, OwnDistance
from plumbline.calibration.drawable import Drawable, Floats, Ints, Measurable, Tally, Wide
from plumbline.calibration.profiles import (
    Error,
    Profile,
    ProfileStatistic,
    Rule,
    profile_statistic,
)
from plumbline.calibration.settings import PRESETS, VIEWS, Setting, binary_lens, setting
from plumbline.calibration.statistics import (
    Cells,
    Statistic,
    statistic,
    value_of,
    warn_of_preset,
)

__all__ = [
    "DISTANCES",
    "PRESETS",
    "VIEWS",
    "Cells",
    "Distance",
    "Drawable",
    "Error",
    "Floats",
    "Ints",
    "Measurable",
    "OwnDistance",
    "Profile",
    "ProfileStatistic",
    "Rule",
    "Setting",
    "Statistic",
    "Tally",
    "Wide",
    "binary_lens",
    "profile_statistic",
    "setting",
    "statistic",
    "value_of",
    "warn_of_preset",
]
