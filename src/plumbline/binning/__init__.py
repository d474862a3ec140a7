"""Bins are (lo, hi]; the first also holds its lower edge. Only this package decides that."""

from plumbline.binning.bins import (
    BinAssignment,
    Bins,
    BinsLike,
    binning_of,
    distinct_groups,
    distinct_rows,
)
from plumbline.binning.groups import Cut, Grouping, attributes_of, group_rows, grouping
from plumbline.binning.histogram import HistogramRule
from plumbline.binning.schemes import (
    MOST_BINS,
    AtLeast,
    Binning,
    BinNumbers,
    Convention,
    Edges,
    EqualSize,
    EqualWidth,
    Floats,
    Isotonic,
    MonotoneSweep,
    OnePerPoint,
    OnePerValue,
    OutcomeBinning,
    Sums,
    place,
)
from plumbline.binning.unasked import unasked_attributes, why_not_unasked
from plumbline.binning.uneven import BetaSize, BetaWidth, LogOddsWidth

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
    "BinNumbers",
    "BinAssignment",
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
    "unasked_attributes",
    "why_not_unasked",
]
