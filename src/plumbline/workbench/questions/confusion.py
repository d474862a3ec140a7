"""The question `confusion`: which class is taken for which, and every rate of it."""

from collections.abc import Mapping
from typing import Any

from plumbline.confusion import ConfusionMatrix, confusion_matrix, threshold_range
from plumbline.confusion.rated_matrix import rated_matrix
from plumbline.predictions import Predictions
from plumbline.workbench.questions.inquiry import Inquiry

MOST_CONFUSED = 20  # pairs beside the matrix; a convention


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return an entry a model, with the keys of `plumbline confusion --json`."""
    values, parts = inquiry.values("confusion"), chosen_parts(inquiry)
    first = next(iter(parts_of(inquiry).values()))
    limits = threshold_range(first, target=values.get("target"))
    values.setdefault("threshold", limits.usual)
    return {
        "range": None if limits.low is None else {"low": limits.low, "high": limits.high},
        "usual": limits.usual,
        "weighted": first.weight is not None and not first.counted,
        "results": [_entry(matrix_of(part, values), values) for part in parts.values()],
    }


def parts_of(inquiry: Inquiry) -> dict[str | None, Predictions]:
    """Return the rows of every model, remembered: a threshold that is dragged asks often."""
    key = ("models", inquiry.selection)
    return inquiry.memory.once(key, lambda: inquiry.filtered().by_model())


def chosen_parts(inquiry: Inquiry) -> dict[str | None, Predictions]:
    """Return the rows of the models that the question names, of all where it names none of them."""
    parts, wanted = parts_of(inquiry), inquiry.values("confusion").get("models")
    chosen = {name: part for name, part in parts.items() if wanted is None or name in wanted}
    return chosen or parts


def matrix_of(part: Predictions, values: Mapping[str, Any]) -> ConfusionMatrix:
    """Return the matrix of one model that a question asks for."""
    return confusion_matrix(part, threshold=values.get("threshold"), target=values.get("target"))


def _entry(matrix: ConfusionMatrix, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a matrix with its rates; "auto" is no interval where nothing tells whose rows are."""
    interval = values.get("interval", "auto")
    if interval == "auto" and not matrix.can_have_intervals:
        interval = None
    more = {name: values[name] for name in ("shares", "level", "resamples") if name in values}
    whole = matrix.with_sums()
    return {
        "model": matrix.model,
        **rated_matrix(matrix, interval=interval, **more).entry(),
        "sums": {
            "actual": whole[:-1, -1],
            "predicted": whole[-1, :-1],
            "all": float(whole[-1, -1]),
        },
        "confused": [pair.to_dict() for pair in matrix.most_confused(MOST_CONFUSED).pairs],
    }
