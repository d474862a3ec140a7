"""The one door for raw data: arrays, frames, files and estimators become `Predictions`."""

from plumbline.predictions.table import Predictions, read

__all__ = ["Predictions", "read"]
