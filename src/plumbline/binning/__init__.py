"""Bins are (lo, hi]; the first also holds its lower edge. Only this room decides that."""

from plumbline.binning.groups import Cut, Grouping, attributes_of, group_rows, grouping
from plumbline.binning.histogram import HistogramRule
from plumbline.binning.least import AtLeast
from plumbline.binning.names import BinsLike, binning_of
from plumbline.binning.outcome import Isotonic, MonotoneSweep, OutcomeBinning
from plumbline.binning.placements import BetaSize, BetaWidth, LogOddsWidth
from plumbline.binning.schemes import (
    MOST_BINS,
    Binning,
    Convention,
    Edges,
    EqualSize,
    EqualWidth,
    Floats,
    Home,
    OnePerPoint,
    OnePerValue,
    Sums,
    place,
)
from plumbline.binning.sums import Bins, Homes, distinct_groups, distinct_rows

__all__ = [
    "MOST_BINS",
    "AtLeast",
    "BetaSize",
    "BetaWidth",
    "Binning",
    "Bins",
    "BinsLike",
    "Convention",
    "Cut",
    "Edges",
    "EqualSize",
    "EqualWidth",
    "Floats",
    "Grouping",
    "HistogramRule",
    "Home",
    "Homes",
    "Isotonic",
    "LogOddsWidth",
    "MonotoneSweep",
    "OnePerPoint",
    "OnePerValue",
    "OutcomeBinning",
    "Sums",
    "attributes_of",
    "binning_of",
    "distinct_groups",
    "distinct_rows",
    "group_rows",
    "grouping",
    "place",
]
