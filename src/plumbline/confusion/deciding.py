"""From predictions to decisions: which class a classifier answers, and in words how."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import real_number, shorten
from plumbline.confusion.intervals import Cells
from plumbline.errors import InputError, ParameterError
from plumbline.predictions import Predictions

Ints = NDArray[np.int64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """The true and the answered class of every row.

    Attributes
    ----------
    classes : names of the classes
    actual, predicted : (n,) class numbers
    positive : number of the positive class
    how : half a sentence that says what was decided by
    """

    classes: tuple[str, ...]
    actual: NDArray[Any]
    predicted: NDArray[Any]
    positive: int
    how: str

    def codes(self) -> Ints:
        """Return the (n,) cell of every row, k * actual + predicted."""
        codes: Ints = self.actual.astype(np.int64) * len(self.classes) + self.predicted
        return codes


def decide(data: Predictions, *, threshold: Any, target: Any) -> Decisions:
    """Return who is answered what; arguments as in `confusion_matrix`."""
    column = data.positive if target is None else data.class_number(target)
    if threshold is None:
        predicted, how = _answers(data)
    elif target is None and data.k > 2:
        raise ParameterError(
            f"`threshold` parts one class from the rest, and this table has {data.k} classes; name "
            f"the class too, such as target={data.classes[column]!r}"
        )
    else:
        accepted, how = _accepted(data, column, checked_threshold(threshold))
        if data.k == 2:
            predicted = np.where(accepted, column, 1 - column)
        else:
            return _against_rest(data, column, accepted, how)
    if data.k == 2 or target is None:
        return Decisions(data.classes, data.actual, predicted, column, how)
    return _against_rest(data, column, predicted == column, f"{how}; all other classes are one")


def checked_threshold(threshold: Any) -> float:
    """Return the threshold as a float; NaN accepts and refuses nobody, so it is refused."""
    number = real_number(threshold)
    if np.isnan(number):
        raise ParameterError(
            f"`threshold` must be a number (infinite if need be), got {shorten(threshold)}"
        )
    return number


def _against_rest(data: Predictions, column: int, accepted: Truths, how: str) -> Decisions:
    name = data.classes[column]
    return Decisions((f"not {name}", name), data.actual == column, accepted, 1, how)


def _answers(data: Predictions) -> tuple[NDArray[Any], str]:
    """Return the class numbers that a table answers by itself."""
    if data.label is not None:
        return data.label, "the predicted column"
    if data.prob is None:
        raise InputError(
            "ratings (score) alone have no scale, so they decide nothing by themselves; give a "
            "threshold, or a column `predicted`"
        )
    if data.k == 2:
        return data.most_likely, f"p({data.classes[data.positive]}) >= 0.5"
    return data.most_likely, "the largest probability, the first on ties"


def _accepted(data: Predictions, column: int, threshold: float) -> tuple[Truths, str]:
    """Return whose probability (or score) of a class is at least the threshold."""
    name = data.classes[column]
    if data.prob is not None:
        rating, what = data.prob[:, column], f"p({name})"
    elif data.score is not None:
        rating, what = _score(data, column), f"score({name})"
    else:
        raise InputError(
            "a threshold needs probabilities or ratings, this table holds only predicted labels; "
            "leave the threshold out"
        )
    with np.errstate(over="ignore"):  # beyond single precision is infinite
        least = np.asarray(threshold, np.float64).astype(rating.dtype)
    return np.asarray(rating >= least), f"{what} >= {threshold:.15g}"


def _score(data: Predictions, column: int) -> NDArray[Any]:
    score = np.asarray(data.score)
    if score.ndim == 2:
        return np.asarray(score[:, column])
    return score if column == data.positive else -score


def cells_of(data: Predictions, codes: Ints) -> Cells | None:
    """Return what resampling must know of rows, None where all are alike and alone."""
    several = data.repeat is not None and len(data.repeat.names) > 1
    if data.row is None:
        example = None
    else:
        example = _examples(data) if several or data.fold is not None else None
    if data.weight is None and example is None and not several:
        return None
    return Cells(codes, data.weight, example, unknown=several and data.row is None)


def _examples(data: Predictions) -> Ints | None:
    """Return the (n,) number of every row's example, None where no example comes again."""
    row = np.asarray(data.row)
    names, number = np.unique(row.astype(str) if row.dtype == object else row, return_inverse=True)
    return None if len(names) == data.n else np.asarray(number, np.int64)
