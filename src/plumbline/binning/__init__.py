"""Bins are (lo, hi]; the first also holds its lower edge. Only this room decides that."""

from plumbline.binning.names import binning_of
from plumbline.binning.placements import BetaSize, BetaWidth, LogOddsWidth
from plumbline.binning.schemes import (
    MOST_BINS,
    Binning,
    Edges,
    EqualSize,
    EqualWidth,
    Floats,
    Home,
    OnePerPoint,
    Sums,
    place,
)
from plumbline.binning.sums import Bins, Homes, distinct_rows
from plumbline.binning.thesis import SplitBinning, as_in_thesis

__all__ = [
    "MOST_BINS",
    "BetaSize",
    "BetaWidth",
    "Binning",
    "Bins",
    "Edges",
    "EqualSize",
    "EqualWidth",
    "Floats",
    "Home",
    "Homes",
    "LogOddsWidth",
    "OnePerPoint",
    "SplitBinning",
    "Sums",
    "as_in_thesis",
    "binning_of",
    "distinct_rows",
    "place",
]
