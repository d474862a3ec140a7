"""The only entry for raw data: arrays, frames, files and estimators become `Predictions`."""

from plumbline.predictions.ascending import count_distinct, distinct_scores, sums_as_sorted
from plumbline.predictions.counted import (
    COUNTED,
    as_drawn,
    coarsened,
    dealt_counts,
    distinct_numbers,
    in_order,
    many_rows,
    need_single_rows,
    need_single_values,
    ordered,
)
from plumbline.predictions.examples import (
    ExampleCounts,
    count_examples,
    examples_in,
    has_own_truth,
    note_on_repeats,
    numbers_in_model,
    paired,
    repeated_id,
    sets_of_rows,
)
from plumbline.predictions.labels import Labels, label_text
from plumbline.predictions.rows_in_groups import group_count
from plumbline.predictions.sources import TableSource, need_columns, no_rows, sources_of
from plumbline.predictions.table import Predictions, only_predictions

__all__ = [
    "COUNTED",
    "ExampleCounts",
    "Labels",
    "Predictions",
    "TableSource",
    "as_drawn",
    "coarsened",
    "count_distinct",
    "count_examples",
    "dealt_counts",
    "distinct_numbers",
    "distinct_scores",
    "examples_in",
    "group_count",
    "has_own_truth",
    "in_order",
    "label_text",
    "many_rows",
    "need_columns",
    "need_single_rows",
    "need_single_values",
    "no_rows",
    "note_on_repeats",
    "numbers_in_model",
    "only_predictions",
    "ordered",
    "paired",
    "repeated_id",
    "sets_of_rows",
    "sources_of",
    "sums_as_sorted",
]
