"""The only entry for raw data: arrays, frames, files and estimators become `Predictions`."""

from plumbline.predictions.counted import (
    COUNTED,
    as_drawn,
    coarsened,
    dealt_counts,
    need_single_rows,
    need_single_values,
)
from plumbline.predictions.examples import (
    ExampleCounts,
    count_examples,
    examples_in,
    has_own_truth,
    numbers_in_model,
    repeated_id,
    sets_of_rows,
)
from plumbline.predictions.labels import Labels, label_text
from plumbline.predictions.rows_in_groups import group_count, group_details, group_notes
from plumbline.predictions.table import Predictions, only_predictions

__all__ = [
    "COUNTED",
    "ExampleCounts",
    "Labels",
    "Predictions",
    "as_drawn",
    "coarsened",
    "count_examples",
    "dealt_counts",
    "examples_in",
    "group_count",
    "group_details",
    "group_notes",
    "has_own_truth",
    "label_text",
    "need_single_rows",
    "need_single_values",
    "numbers_in_model",
    "only_predictions",
    "repeated_id",
    "sets_of_rows",
]
