"""How far probabilities are from what happened: views, distances, and the error as a statistic."""

from plumbline.calibration.distances import DISTANCES
from plumbline.calibration.drawable import Drawable, Floats, Ints, Tally, Wide
from plumbline.calibration.settings import VIEWS, Setting, binary_lens, setting
from plumbline.calibration.statistics import Cells, Statistic, statistic, value_of

__all__ = [
    "DISTANCES",
    "VIEWS",
    "Cells",
    "Drawable",
    "Floats",
    "Ints",
    "Setting",
    "Statistic",
    "Tally",
    "Wide",
    "binary_lens",
    "setting",
    "statistic",
    "value_of",
]
