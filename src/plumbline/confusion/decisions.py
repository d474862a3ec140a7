"""The predicted class of every row, the range of thresholds, and the rows of a cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import nearest, real_number, shorten
from plumbline._result import Detail, Presentation, Result
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import amount, counted, quoted
from plumbline.predictions import Predictions, label_text, need_single_rows, only_predictions

Floats = NDArray[np.float64]
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
            f"`threshold` separates one class from the rest, and this table has {data.k} classes; "
            f"name the class too, such as `target={data.classes[column]!r}`",
            code="class-missing",
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
            argument="threshold",
            rule="a number (infinite if need be)",
            arrived=shorten(threshold),
            code="no-number",
        )
    return number


def _against_rest(data: Predictions, column: int, accepted: Truths, how: str) -> Decisions:
    name = data.classes[column]
    return Decisions((f"not {name}", name), data.actual == column, accepted, 1, how)


LARGEST = "the largest probability, the first on ties"


def _as_many_as_there_are(data: Predictions) -> Sequence[dict[str, Any]]:
    """Return the threshold that accepts as many rows of two classes as are positive."""
    if data.k != 2 or data.score is None:
        return []
    rating = np.sort(data.score if data.score.ndim == 1 else data.score[:, data.positive])
    many = int(np.count_nonzero(data.actual == data.positive))
    return [{"threshold": float(f"{rating[max(len(rating) - many, 0)]:.3g}")}] if many else []


def _answers(data: Predictions) -> tuple[NDArray[Any], str]:
    """Return the class numbers that a table answers by itself."""
    if data.label is not None:
        return data.label, LARGEST if data.losses is not None else "the predicted column"
    if data.prob is None:
        raise InputError(
            "ratings (score) alone have no scale, so they need a threshold; pass one, or a "
            "column `predicted`",
            code="ratings-decide-nothing",
            choices=_as_many_as_there_are(data),
        )
    if data.k == 2:
        return data.most_likely, f"p({data.classes[data.positive]}) >= 0.5"
    return data.most_likely, LARGEST


def _accepted(data: Predictions, column: int, threshold: float) -> tuple[Truths, str]:
    """Return whose probability (or score) of a class is at least the threshold."""
    name = data.classes[column]
    if data.prob is not None:
        rating, what = data.prob[:, column], f"p({name})"
    elif data.score is not None:
        rating, what = score_of(data, column), f"score({name})"
    else:
        raise InputError(
            "a threshold needs probabilities or ratings, this table holds only predicted labels; "
            "leave the threshold out",
            code="labels-only",
        )
    with np.errstate(over="ignore"):  # beyond single precision is infinite
        least = np.asarray(threshold, np.float64).astype(rating.dtype)
    return np.asarray(rating >= least), f"{what} >= {threshold:.15g}"


def score_of(data: Predictions, column: int) -> NDArray[Any]:
    """Return the (n,) ratings of a class; of two classes that share one column, signed."""
    score = np.asarray(data.score)
    if score.ndim == 2:
        return np.asarray(score[:, column])
    return score if column == data.positive else -score


# ------------------------------------------------------------------ where a threshold matters


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdRange(Result):
    """The range in which a threshold changes decisions.

    Attributes
    ----------
    low, high : 0 and 1 of probabilities, else the lowest and the highest rating; None where
        thresholds have no effect, as for predicted labels alone
    usual : the threshold used by default; None where none is needed
    """

    low: float | None
    high: float | None
    usual: float | None

    def present(self) -> Presentation:
        """Return the ends of the range, and the threshold where none is given."""
        if self.low is None or self.high is None:
            return Presentation(summary="No threshold changes these decisions.")
        usual = "as predicted" if self.usual is None else amount(self.usual)
        return Presentation(
            summary=f"Thresholds from {amount(self.low)} to {amount(self.high)} change decisions.",
            details=(Detail("usual", "Threshold where none is given", usual),),
        )


def threshold_range(data: Predictions, *, target: Any = None) -> ThresholdRange:
    """Return the range in which a threshold of one class changes decisions.

    Parameters
    ----------
    data : Predictions
        Rows of one model.
    target : class, optional
        Class that a threshold separates from the rest; by default the positive one.

    Returns
    -------
    ThresholdRange
        The ends; for ratings alone also the middle rating (for more than two classes only with
        `target`).

    Raises
    ------
    InputError
        For an unknown class.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 0, 1], score=[-2.0, 3.0, 0.5, 1.0], positive=1)
    >>> threshold_range(data).to_dict()
    {'low': -2.0, 'high': 3.0, 'usual': 1.0}
    """
    column = data.positive if target is None else data.class_number(target)
    if data.prob is not None:
        return ThresholdRange(0.0, 1.0, None)
    if data.score is None:
        return ThresholdRange(None, None, None)
    score = np.asarray(score_of(data, column), np.float64)
    values = np.unique(score[np.isfinite(score)])[::-1]
    if not len(values):
        return ThresholdRange(None, None, None)
    needed = data.label is None and (data.k == 2 or target is not None)
    usual = float(values[(len(values) - 1) // 2]) if needed else None
    return ThresholdRange(float(values[-1]), float(values[0]), usual)


# ------------------------------------------------------------------ the rows of a cell


ANY = "any"  # class of the rows of all cells outside the diagonal


@dataclass(frozen=True, repr=False, eq=False)
class CellRows(Result):
    """The rows of one cell of a confusion matrix.

    Attributes
    ----------
    actual, predicted : names of the classes
    decision : how rows were decided, as text
    n : number of rows; weight : their weight
    ranked : whether the most wrong rows stand first; else they are in the order of the table
    places : (n,) where they stand in the table
    columns : what is told of them, (n,) each: their place ("number"), row, repeat and fold, the two
        classes, the probabilities or ratings that matter, weight and attributes
    """

    actual: str
    predicted: str
    decision: str
    n: int
    weight: float
    ranked: bool
    places: NDArray[np.intp] = field(metadata={"hidden": True})
    columns: Mapping[str, NDArray[Any]] = field(metadata={"hidden": True})

    def present(self) -> Presentation:
        """Return how many rows the cell has, and how they were decided."""
        where = f"actual {self.actual}, predicted {self.predicted}"
        if self.actual is ANY:
            where = "the predicted class is not the actual one"
        order = "The most wrong rows are first." if self.ranked else "In the order of the table."
        return Presentation(
            subject=f"decision: {self.decision}",
            summary=f"{counted(self.n, 'row')}: {where}.",
            legend=(order,) if self.n > 1 else (),
        )

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a row of the cell."""
        columns = [values.tolist() for values in self.columns.values()]
        return [dict(zip(self.columns, row, strict=True)) for row in zip(*columns, strict=True)]


def cell_rows(
    data: Predictions,
    actual: Any = None,
    predicted: Any = None,
    *,
    threshold: float | None = None,
    target: Any = None,
) -> CellRows:
    """Return the rows of one cell of the confusion matrix, or all wrong ones, the most wrong first.

    Rows are ordered by the probability of their actual class, or by their rating if there are only
    ratings. An attribute with the name of another column is in back-ticks.

    Parameters
    ----------
    data : Predictions
        Rows of one model.
    actual, predicted : class, optional
        Classes of the matrix; where one class is compared with the rest, "not <target>" is one.
        Without both: all rows whose predicted class is not the actual one.
    threshold, target : optional
        As in `confusion_matrix`.

    Returns
    -------
    CellRows
        The rows with their classes, probabilities and attributes.

    Raises
    ------
    ParameterError
        For a class that the matrix does not have, or one of the two classes alone.
    InputError
        As `confusion_matrix`.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 0, 1, 0], [0.6, 0.2, 0.9, 0.8])
    >>> cell_rows(data).n
    2
    >>> cell = cell_rows(data, 0, 1)
    >>> cell.n, cell.columns["number"].tolist(), cell.columns["p:1"].tolist()
    (2, [3, 0], [0.8, 0.6])
    """
    only_predictions(data).need_one_model("the rows of a cell")
    need_single_rows(data, "the list of rows of a cell")
    decisions = decide(data, threshold=threshold, target=target)
    if actual is None and predicted is None:
        return _wrong_rows(data, decisions)
    row, column = _class("actual", actual, decisions), _class("predicted", predicted, decisions)
    places = np.flatnonzero((decisions.actual == row) & (decisions.predicted == column))
    belief = _belief(data, decisions, places, row)
    if belief is not None:
        places = places[np.argsort(belief, kind="stable")]
    return CellRows(
        actual=decisions.classes[row],
        predicted=decisions.classes[column],
        decision=decisions.how,
        n=len(places),
        weight=float(data.mass[places].sum()),
        ranked=data.prob is not None or data.score is not None,
        places=places,
        columns=_columns(data, decisions, places),
    )


def _wrong_rows(data: Predictions, decisions: Decisions) -> CellRows:
    """Return all rows outside the diagonal, those of the least likely actual class first."""
    places = np.flatnonzero(decisions.actual != decisions.predicted)
    if data.prob is not None:
        likely = data.prob[places, data.actual[places]]
        places = places[np.argsort(likely, kind="stable")]
    return CellRows(
        actual=ANY,
        predicted=ANY,
        decision=decisions.how,
        n=len(places),
        weight=float(data.mass[places].sum()),
        ranked=data.prob is not None,
        places=places,
        columns=_columns(data, decisions, places),
    )


def _class(argument: str, name: Any, decisions: Decisions) -> int:
    text = label_text(name)
    if text not in decisions.classes:
        raise ParameterError(
            code="unknown-name",
            argument=argument,
            rule="a class of the matrix",
            arrived=quoted(text),
            near=nearest(text, decisions.classes),
        )
    return decisions.classes.index(text)


def _belief(data: Predictions, decisions: Decisions, places: Any, actual: int) -> Floats | None:
    """Return how likely the model called the actual class; None where there are labels alone."""
    if data.prob is not None and len(decisions.classes) == data.k:
        return np.asarray(data.prob[places, actual], np.float64)
    rating = _rating(data, data.class_number(decisions.classes[decisions.positive]))
    if rating is None:
        return None
    return np.asarray((1.0 if actual == decisions.positive else -1.0) * rating[places], np.float64)


def _rating(data: Predictions, column: int) -> NDArray[Any] | None:
    if data.prob is not None:
        return data.prob[:, column]
    return None if data.score is None else score_of(data, column)


def _columns(data: Predictions, decisions: Decisions, places: Any) -> dict[str, NDArray[Any]]:
    """Return what is told of some rows: where they stand, the classes, ratings and attributes."""
    columns: dict[str, NDArray[Any]] = {"number": places}
    if data.row is not None:
        columns["row"] = np.asarray(data.row)[places]
    for name in ("repeat", "fold"):
        labels = getattr(data, name)
        if labels is not None:
            columns[name] = np.asarray(labels.names, object)[labels.codes[places]]
    answered = decisions.predicted[places].astype(np.intp)
    columns["actual"] = np.asarray(data.classes, object)[data.actual[places]]
    columns["predicted"] = np.asarray(decisions.classes, object)[answered]
    if data.k == 2 or len(decisions.classes) < data.k:
        positive = data.class_number(decisions.classes[decisions.positive])
        rating = _rating(data, positive)
        if rating is not None:
            letter = "p" if data.prob is not None else "score"
            columns[f"{letter}:{data.classes[positive]}"] = rating[places]
    elif data.prob is not None:
        columns["p of actual"] = data.prob[places, data.actual[places]]
        columns["p of predicted"] = data.prob[places, answered]
    if data.weight is not None:
        columns["weight"] = data.weight[places]
    return columns | {
        f"`{name}`" if name in columns else name: values[places]
        for name, values in data.attributes.items()
    }
