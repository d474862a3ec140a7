"""The only entry for raw data: arrays, frames, files and estimators become `Predictions`."""

from plumbline.predictions.examples import ExampleCounts, count_examples, examples_in
from plumbline.predictions.table import Predictions, only_predictions

__all__ = [
    "ExampleCounts",
    "Predictions",
    "count_examples",
    "examples_in",
    "only_predictions",
]
