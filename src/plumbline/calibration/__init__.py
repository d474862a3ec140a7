"""How far probabilities are from what happened: views, distances, and the error as a statistic."""

from plumbline.calibration.distances import DISTANCES, Distance, OwnDistance
from plumbline.calibration.drawable import Drawable, Floats, Ints, Tally, Wide
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
    "Floats",
    "Ints",
    "OwnDistance",
    "Setting",
    "Statistic",
    "Tally",
    "Wide",
    "binary_lens",
    "setting",
    "statistic",
    "value_of",
    "warn_of_preset",
]
