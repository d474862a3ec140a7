"""What a statistic's distribution is if the probabilities are true."""

from plumbline.nulls.counts import counted_apart
from plumbline.nulls.drawing import observed, resampled, resampled_shares, values_and_shares
from plumbline.nulls.exact_null import ExactNull, exact
from plumbline.nulls.parts import why_not_exact
from plumbline.nulls.saddlepoint_null import SaddlepointNull, saddlepoint
from plumbline.nulls.textbook import TEXTBOOK, textbook_tails
from plumbline.nulls.ties import TIE

__all__ = [
    "TEXTBOOK",
    "TIE",
    "ExactNull",
    "SaddlepointNull",
    "counted_apart",
    "exact",
    "observed",
    "resampled",
    "resampled_shares",
    "saddlepoint",
    "textbook_tails",
    "values_and_shares",
    "why_not_exact",
]
