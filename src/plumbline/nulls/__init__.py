"""A statistic's distribution if the probabilities are calibrated."""

from plumbline.nulls.dependence import Partition, worth_of
from plumbline.nulls.exact_null import ExactNull, exact
from plumbline.nulls.independent_sum import TIE, why_not_exact
from plumbline.nulls.resampling import (
    by_bins,
    counted_apart,
    observed,
    resampled,
    resampled_shares,
    values_and_shares,
)
from plumbline.nulls.saddlepoint_null import SaddlepointNull, saddlepoint
from plumbline.nulls.strength import InGroups, Strength, strength_of
from plumbline.nulls.textbook import TEXTBOOK, textbook_tails

__all__ = [
    "TEXTBOOK",
    "TIE",
    "ExactNull",
    "InGroups",
    "Partition",
    "Strength",
    "SaddlepointNull",
    "by_bins",
    "counted_apart",
    "exact",
    "observed",
    "resampled",
    "resampled_shares",
    "saddlepoint",
    "strength_of",
    "textbook_tails",
    "values_and_shares",
    "worth_of",
    "why_not_exact",
]
