"""Counts that somebody typed in: checked, and turned so that rows are actual classes."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, one_of, shorten, shown
from plumbline.confusion.values import CELLS
from plumbline.errors import InputError, ParameterError
from plumbline.predictions.labels import class_names, label_text

Floats = NDArray[np.float64]
MOST = 2**53  # larger counts of rows are not told apart


class Typed(NamedTuple):
    """Checked counts, rows actual, with the names of classes and of the positive one."""

    counts: Floats
    classes: tuple[str, ...]
    positive: str


def checked_counts(
    counts: Any, *, classes: Sequence[Any] | None, rows: str | None, positive: Any
) -> Typed:
    """Return counts with rows actual; arguments as in `ConfusionMatrix.from_counts`."""
    named = isinstance(counts, Mapping)
    matrix = _square(_of_cells(counts, rows)) if named else _turned(_square(counts), rows)
    k = len(matrix)
    names = tuple(map(str, range(k))) if classes is None else class_names("classes", classes)
    if len(names) != k:
        raise InputError(f"`classes` must name the {k} classes of the matrix, got {shown(names)}")
    chosen = k - 1 if positive is None else class_number(names, positive)
    if named and chosen == 0:
        matrix = matrix[::-1, ::-1]
    return Typed(np.ascontiguousarray(matrix), names, names[chosen])


def class_number(classes: tuple[str, ...], name: Any) -> int:
    """Return the number of a class by its name."""
    text = label_text(name)
    if text not in classes:
        raise ParameterError(
            f"there is no class {text!r}; the classes are {shown(classes)}"
            f"{near_names(text, classes)}"
        )
    return classes.index(text)


def _of_cells(counts: Mapping[str, Any], rows: str | None) -> list[list[Any]]:
    """Return [[TN, FP], [FN, TP]], the table whose second class is positive."""
    if rows is not None:
        raise ParameterError(
            f"`rows` says what the rows of a matrix are, and {', '.join(CELLS)} are none, got "
            f"rows={shorten(rows)}; leave it out"
        )
    if set(counts) != set(CELLS):
        raise InputError(
            f"counts of two classes are {', '.join(CELLS)}, each once, got {shown(counts)}"
        )
    return [[counts["TN"], counts["FP"]], [counts["FN"], counts["TP"]]]


def _turned(matrix: Floats, rows: str | None) -> Floats:
    """Return a matrix with rows actual."""
    if rows is None:
        raise ParameterError(
            'say what the rows of the matrix are: rows="actual" (as in scikit-learn) or '
            'rows="predicted"'
        )
    return matrix if one_of("rows", rows, ("actual", "predicted")) == "actual" else matrix.T


def _square(counts: Any) -> Floats:
    try:
        matrix = np.array(counts, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"a confusion matrix is a square table of numbers, got {shorten(counts)}"
        ) from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise InputError(
            "a confusion matrix has as many rows as columns, at least 2, got shape "
            f"{' x '.join(map(str, matrix.shape))}"
        )
    wrong = np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))
    if len(wrong):
        i, j = wrong[0]
        raise InputError(
            f"counts must be finite and not negative, got {matrix[i, j]:g} in row {i}, column {j} "
            "(counting from 0)"
        )
    if matrix.max() > MOST or matrix.sum() > MOST:  # the sum alone might overflow
        raise InputError(
            f"counts must add up to at most 2^53 = {MOST:,}, beyond which single rows are lost, "
            f"got {matrix.max():g} in one cell; divide weights by their largest"
        )
    return matrix
