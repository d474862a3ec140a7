"""A statistic's distribution if the probabilities are calibrated."""

from plumbline.nulls.draws import FEWER_ALONE, LEAST_DRAWS, Resampling
from plumbline.nulls.exact_null import ExactNull, exact
from plumbline.nulls.independent_sum import TIE, why_not_exact
from plumbline.nulls.resampling import (
    DRAWS_PER_BLOCK,
    binomial_at,
    by_bins,
    counted_apart,
    draw_labels,
    observed,
    resampled,
    resampled_shares,
    values_and_shares,
)
from plumbline.nulls.saddlepoint_null import SaddlepointNull, saddlepoint
from plumbline.nulls.textbook import TEXTBOOK, textbook_tails

__all__ = [
    "DRAWS_PER_BLOCK",
    "FEWER_ALONE",
    "LEAST_DRAWS",
    "TEXTBOOK",
    "TIE",
    "ExactNull",
    "Resampling",
    "SaddlepointNull",
    "binomial_at",
    "by_bins",
    "counted_apart",
    "draw_labels",
    "exact",
    "observed",
    "resampled",
    "resampled_shares",
    "saddlepoint",
    "textbook_tails",
    "values_and_shares",
    "why_not_exact",
]
