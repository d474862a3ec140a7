"""Rows of more than two classes as one event each: the likeliest class is right, or a class occurs.

Events, classes and the rule for ties are those of `Predictions.top_label` and
`Predictions.one_vs_rest`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.frames.arrow_values import label_codes, number_array
from plumbline.frames.bad_rows import NO_CLASS, NO_LABEL, NO_LIST, NO_NUMBER, OUTSIDE, SUM, reason
from plumbline.frames.columns import CountedColumns, checked_view, not_counted
from plumbline.frames.levels import Wide
from plumbline.jit import compiled, read_only
from plumbline.predictions.columns import list_matrix
from plumbline.predictions.probabilities import rounding_of, sums_off

if TYPE_CHECKING:
    import pyarrow as pa

NUMBERS_AT_ONCE = 1 << 19  # 4 MiB of float64; a convention
Find = Callable[..., None]


@dataclass(frozen=True)
class EventRows:
    """Rows of a batch as one event.

    Attributes
    ----------
    prob : (n,) probability of the event, in the precision of the columns
    rest : (n,) probability of its opposite; empty where it is 1 - p
    hit : (n,) 1 where the event is observed, 0 where not, -1 of a row that cannot be counted
    """

    prob: NDArray[Any]
    rest: Wide
    hit: NDArray[np.int8]


@dataclass(frozen=True)
class ClassRows:
    """Rows of a batch with the probabilities of all classes.

    Attributes
    ----------
    prob : (n, k) probabilities, stored by row
    total : (n,) their sums
    top : (n,) number of the most likely class
    label : (n,) number of the observed class, -1 of a row that cannot be counted
    rounded : rows that were divided by their sum, for rounding explains that it is not 1
    """

    prob: NDArray[Any]
    total: Wide
    top: NDArray[np.int32]
    label: NDArray[np.int32]
    rounded: int = 0

    def events(self, target: int | None) -> EventRows:
        """Return them as one event: the most likely class is right, or a class is observed."""
        number = self.top if target is None else np.full(len(self.top), target, np.int32)
        prob, rest = np.empty(len(number), self.prob.dtype), np.empty(len(number))
        pick(*read_only(self.prob), number, self.total, prob, rest)
        hit = np.where(self.label < 0, -1, self.label == number).astype(np.int8)
        return EventRows(prob, rest, hit)


def slices_of(batch: "pa.RecordBatch", columns: CountedColumns) -> Iterator["pa.RecordBatch"]:
    """Yield the rows of a batch in parts whose probabilities fit into a processor's cache."""
    step = max(1, NUMBERS_AT_ONCE // max(1, len(columns.targets)))
    for start in range(0, batch.num_rows, step):
        yield batch.slice(start, step)


def with_classes(columns: CountedColumns, batch: "pa.RecordBatch") -> CountedColumns:
    """Return the columns with the classes of lists that name none: 0 to k - 1 of a row's k."""
    if columns.targets or not columns.many or not batch.num_rows:
        return columns
    matrix, _ = list_matrix(batch.column(columns.prob[0]))
    if matrix.shape[1] < 3:
        raise not_counted(
            f"column {quoted(columns.prob[0])} holds lists of {matrix.shape[1]} numbers"
        )
    classes = tuple(map(str, range(matrix.shape[1])))
    return replace(columns, targets=classes, view=checked_view(columns.view, classes))


def need_same_classes(one: CountedColumns, other: CountedColumns) -> None:
    """Refuse parts of one table whose lists are of different lengths."""
    if one.targets and other.targets and one.targets != other.targets:
        raise InputError(
            f"all rows of one table must have as many probabilities, and column "
            f"{quoted(one.prob[0])} holds lists of {len(one.targets)} and of {len(other.targets)}",
            code="columns-differ",
        )


def class_rows(columns: CountedColumns, batch: "pa.RecordBatch", find: Find) -> ClassRows:
    """Return the rows of a batch.

    Rows that cannot be counted are told to `find` as why, a mask of the rows, and values.
    """
    label = _class_numbers(columns, batch.column(columns.actual), find)
    matrix, bad = _matrix(columns, batch, find)
    n = len(matrix)
    top, total = np.empty(n, np.int32), np.empty(n)
    scan(*read_only(matrix), top, total)
    sums = sums_off(matrix, total, ~bad)
    if sums.refused.any():
        find(reason(SUM), sums.refused, total)
    if sums.divided.any():
        divided = sums.divided[:, None]
        matrix = np.where(divided, matrix / total[:, None], matrix).astype(matrix.dtype)
        total[sums.divided] = 1.0
    label[bad | sums.refused] = -1
    return ClassRows(matrix, total, top, label, int(np.count_nonzero(sums.rounded)))


def _class_numbers(columns: CountedColumns, column: "pa.Array", find: Find) -> NDArray[np.int32]:
    """Return (n,) number of the observed class, -1 where it is missing or none of the classes."""
    codes, names = label_codes(column, columns.no_label)
    home = columns.numbers
    numbers = np.array([-1 if name is None else home.get(name, -2) for name in names], np.int32)
    label: NDArray[np.int32] = numbers[codes]
    if (label == -1).any():
        find(reason(NO_LABEL, columns.actual), label == -1)
    if (label == -2).any():
        texts = np.array([str(name) for name in names])
        find(reason(NO_CLASS, columns.actual), label == -2, texts[codes])
    return label


def _matrix(
    columns: CountedColumns, batch: "pa.RecordBatch", find: Find
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return (n, k) probabilities in [0, 1] by row, and the rows whose values are none."""
    own = [batch.column(name) for name in columns.prob]
    bad = np.zeros(batch.num_rows, bool)
    names = list(columns.prob)
    if columns.lists:
        matrix, bad = list_matrix(own[0], len(columns.targets))
        if bad.any():
            size = len(columns.targets)
            find(reason(NO_LIST, names[0]), bad, np.full(len(bad), size))
        names *= len(columns.targets)
    else:
        matrix = np.stack([number_array(column) for column in own], axis=1)
    if not matrix.size or (matrix.min() >= 0 and matrix.max() <= 1):  # a NaN fails both
        return matrix, bad
    slack = rounding_of(matrix)
    for j, name in enumerate(names):
        values = matrix[:, j]
        missing = np.isnan(values) & ~bad
        outside = (values < -slack) | (values > 1 + slack)
        find(reason(NO_NUMBER, name), missing)
        find(reason(OUTSIDE, name), outside, values)
        bad |= missing | outside
    return np.ascontiguousarray(np.clip(np.nan_to_num(matrix), 0, 1)), bad


@compiled
def scan(matrix: NDArray[Any], top: NDArray[np.int32], total: Wide) -> None:
    """Find the first largest of every row of (n, k) probabilities, and their sum."""
    for i in range(len(matrix)):
        best, place, added = matrix[i, 0], 0, 0.0
        for j in range(matrix.shape[1]):
            value = matrix[i, j]
            added += value
            if value > best:
                best, place = value, j
        top[i] = place
        total[i] = added


@compiled
def pick(
    matrix: NDArray[Any],
    number: NDArray[np.int32],
    total: Wide,
    prob: NDArray[Any],
    rest: Wide,
) -> None:
    """Put the probability of a class of every row beside the sum of the others.

    Above 1/2 the others are added up, as a difference would lose their digits.
    """
    for i in range(len(matrix)):
        own = matrix[i, number[i]]
        others = total[i] - own
        if own > 0.5:
            others = 0.0
            for j in range(matrix.shape[1]):
                if j != number[i]:
                    others += matrix[i, j]
        prob[i] = own
        rest[i] = min(max(others, 0.0), 1.0)
