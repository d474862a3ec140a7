"""How far probabilities are from what happened: views, distances, and the error as a statistic."""

from plumbline.calibration.cells import Cells
from plumbline.calibration.distances import DISTANCES, Distance, OwnDistance
from plumbline.calibration.drawable import Drawable, Floats, Ints, Measurable, Tally, Wide
from plumbline.calibration.presets import PRESETS, Preset
from plumbline.calibration.profiles import (
    Error,
    Profile,
    ProfileStatistic,
    Rule,
    profile_statistic,
)
from plumbline.calibration.settings import BINARY_VIEWS, VIEWS, Setting, binary_lens, setting
from plumbline.calibration.statistics import (
    Statistic,
    binned_statistic,
    bins_of,
    statistic,
    value_of,
    warn_of_preset,
)

__all__ = [
    "BINARY_VIEWS",
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
    "Preset",
    "Profile",
    "ProfileStatistic",
    "Rule",
    "Setting",
    "Statistic",
    "Tally",
    "Wide",
    "binary_lens",
    "binned_statistic",
    "bins_of",
    "profile_statistic",
    "setting",
    "statistic",
    "value_of",
    "warn_of_preset",
]
