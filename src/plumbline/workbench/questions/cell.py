"""The question `cell`: the rows behind one cell of a confusion matrix, the most wrong first."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, one_of
from plumbline.confusion.matrix import Decisions, decide
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions
from plumbline.workbench.questions.confusion import threshold_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.selection import filtered

MOST_SHOWN = 10_000
SHOWN = 200
PLACE = "\0number"  # no column of a file is called so

Columns = dict[str, NDArray[Any]]


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return how many rows a cell has, and the first of them as columns."""
    most = inquiry.params.whole("most", SHOWN, least=0, most=MOST_SHOWN)
    part, decisions, places = _cell_rows(inquiry)
    shown = places[:most]
    columns = row_columns(part, decisions, shown)
    return {
        "model": inquiry.params.text("model"),
        "actual": inquiry.params.text("actual"),
        "predicted": inquiry.params.text("predicted"),
        "decision": decisions.how,
        "count": len(places),
        "weight": float(part.mass[places].sum()),
        "shown": len(shown),
        "order": _order(part),
        "columns": [{"name": name, **_wired(values)} for name, values in columns.items()],
    }


def all_rows(inquiry: Inquiry) -> Columns:
    """Return every row of the cell as columns, for a file."""
    part, decisions, places = _cell_rows(inquiry)
    return row_columns(part, decisions, places)


def row_columns(part: Predictions, decisions: Decisions, places: NDArray[np.intp]) -> Columns:
    """Return what is told of some rows: where they stand, the classes, ratings and attributes."""
    columns: Columns = {"number": part.attributes[PLACE][places]}
    if part.row is not None:
        columns["row"] = np.asarray(part.row)[places]
    for name in ("repeat", "fold"):
        labels = getattr(part, name)
        if labels is not None:
            columns[name] = np.asarray(labels.names, object)[labels.codes[places]]
    classes = np.asarray(part.classes, object)
    columns["actual"] = classes[part.actual[places]]
    columns["predicted"] = np.asarray(decisions.classes, object)[
        decisions.predicted[places].astype(np.intp)
    ]
    columns |= _ratings(part, decisions, places)
    if part.weight is not None:
        columns["weight"] = part.weight[places]
    return columns | {
        name: values[places] for name, values in part.attributes.items() if name != PLACE
    }


def _cell_rows(inquiry: Inquiry) -> tuple[Predictions, Decisions, NDArray[np.intp]]:
    """Return the rows of the model, how they were decided, and the places of those in the cell."""
    params = inquiry.params
    part = _part(inquiry)
    decisions = decide(part, threshold=threshold_of(inquiry), target=params.text("target"))
    actual, predicted = (
        _class(decisions, name, params.needed_text(name)) for name in ("actual", "predicted")
    )
    inside = np.flatnonzero((decisions.actual == actual) & (decisions.predicted == predicted))
    wrongness = _wrongness(part, decisions, inside, actual)
    if wrongness is not None:
        inside = inside[np.argsort(-wrongness, kind="stable")]
    return part, decisions, inside


def _part(inquiry: Inquiry) -> Predictions:
    """Return the rows of the model that is asked for, which know their number, as cases do."""
    key = ("numbered", inquiry.selection)
    parts = inquiry.memory.once(
        key, lambda: filtered(_numbered(inquiry.chosen()), inquiry.selection).by_model()
    )
    model = inquiry.params.text("model")
    if model is None and len(parts) == 1:
        return next(iter(parts.values()))
    one_of("model", model, [name for name in parts if name is not None])
    return parts[model]


def _numbered(data: Predictions) -> Predictions:
    """Return the rows with their place among those of their model, from 0, before any filter."""
    numbers = np.arange(data.n)
    if data.model is not None:
        for code in range(len(data.model.names)):
            own = data.model.codes == code
            numbers[own] = np.arange(np.count_nonzero(own))
    return dataclasses.replace(data, attributes={**data.attributes, PLACE: numbers})


def _class(decisions: Decisions, argument: str, name: str) -> int:
    if name not in decisions.classes:
        raise ParameterError(
            f"`{argument}` must be a class of the matrix, got {name!r}"
            f"{near_names(name, decisions.classes)}"
        )
    return decisions.classes.index(name)


def _wrongness(
    part: Predictions, decisions: Decisions, inside: NDArray[np.intp], actual: int
) -> NDArray[np.float64] | None:
    """Return how little the true class was believed in; None where there are labels alone."""
    if part.prob is not None and len(decisions.classes) == part.k:
        return np.asarray(1.0 - part.prob[inside, actual], np.float64)
    target = part.class_number(decisions.classes[decisions.positive])
    rating = _rating(part, target)
    if rating is None:
        return None
    sign = -1.0 if actual == decisions.positive else 1.0
    return np.asarray(sign * rating[inside], np.float64)


def _rating(part: Predictions, target: int) -> NDArray[Any] | None:
    if part.prob is not None:
        return part.prob[:, target]
    if part.score is None:
        return None
    score = np.asarray(part.score)
    if score.ndim == 2:
        return score[:, target]
    return score if target == part.positive else -score


def _ratings(part: Predictions, decisions: Decisions, places: NDArray[np.intp]) -> Columns:
    """Return the probabilities that matter: of the positive class, else of the two of the row."""
    if part.k == 2 or len(decisions.classes) < part.k:
        target = part.class_number(decisions.classes[decisions.positive])
        rating = _rating(part, target)
        letter = "p" if part.prob is not None else "score"
        return {} if rating is None else {f"{letter}:{part.classes[target]}": rating[places]}
    if part.prob is None:
        return {}
    rows = part.prob[places]
    at = np.arange(len(places))
    answered = decisions.predicted[places].astype(np.intp)
    return {"p of actual": rows[at, part.actual[places]], "p of predicted": rows[at, answered]}


def _order(part: Predictions) -> str:
    rated = part.prob is not None or part.score is not None
    return "the most wrong first" if rated else "as in the table"


def _wired(values: NDArray[Any]) -> dict[str, Any]:
    """Return numbers as an array, and everything else as texts."""
    if values.dtype.kind in "iuf":
        return {"kind": "number", "values": np.asarray(values, np.float64)}
    return {"kind": "text", "values": [None if value is None else str(value) for value in values]}
