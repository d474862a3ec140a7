"""What a statistic's distribution is if the probabilities are true."""

from plumbline.nulls.drawing import observed, resampled, resampled_shares, values_and_shares
from plumbline.nulls.exact import ExactNull, exact
from plumbline.nulls.parts import why_not_exact

__all__ = [
    "ExactNull",
    "exact",
    "observed",
    "resampled",
    "resampled_shares",
    "values_and_shares",
    "why_not_exact",
]
