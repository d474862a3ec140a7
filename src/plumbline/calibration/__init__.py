"""How far probabilities are from what happened: views, distances, and the error as a statistic."""

from plumbline.calibration.distances import DISTANCES
from plumbline.calibration.settings import VIEWS, Setting, binary_lens, setting
from plumbline.calibration.statistics import (
    Cells,
    Floats,
    Ints,
    Statistic,
    Wide,
    statistic,
    value_of,
)

__all__ = [
    "DISTANCES",
    "VIEWS",
    "Cells",
    "Floats",
    "Ints",
    "Setting",
    "Statistic",
    "Wide",
    "binary_lens",
    "setting",
    "statistic",
    "value_of",
]
