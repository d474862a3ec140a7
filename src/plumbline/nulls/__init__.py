"""What a statistic's distribution is if the probabilities are true."""

from plumbline.nulls.drawing import observed, resampled, resampled_shares, values_and_shares

__all__ = ["observed", "resampled", "resampled_shares", "values_and_shares"]
