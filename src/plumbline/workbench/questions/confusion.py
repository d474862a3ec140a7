"""The question `confusion`: which class is taken for which, and every rate of it."""

from collections.abc import Mapping
from typing import Any, Literal

from plumbline.confusion import ConfusionMatrix, Rates, confusion_matrix, threshold_range
from plumbline.confusion.rated_matrix import RatedMatrix
from plumbline.predictions import Predictions
from plumbline.workbench.questions.inquiry import Inquiry

MOST_CONFUSED = 20


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return an entry a model, with the keys of `plumbline confusion --json`."""
    values, parts = inquiry.values("confusion"), chosen_parts(inquiry)
    first = next(iter(parts_of(inquiry).values()))
    limits = threshold_range(first, target=values.get("target"))
    values.setdefault("threshold", limits.usual)
    return {
        "range": None if limits.low is None else {"low": limits.low, "high": limits.high},
        "usual": limits.usual,
        "weighted": first.weight is not None,
        "results": [_entry(part, values) for part in parts.values()],
    }


def parts_of(inquiry: Inquiry) -> dict[str | None, Predictions]:
    """Return the rows of every model, remembered: a threshold that is dragged asks often."""
    key = ("models", inquiry.selection)
    return inquiry.memory.once(key, lambda: inquiry.filtered().by_model())


def chosen_parts(inquiry: Inquiry) -> dict[str | None, Predictions]:
    """Return the rows of the models that the question names, of all where it names none of them."""
    parts, wanted = parts_of(inquiry), inquiry.params.names("models")
    chosen = {name: part for name, part in parts.items() if wanted is None or name in wanted}
    return chosen or parts


def threshold_of(inquiry: Inquiry) -> float | None:
    """Return the threshold that is asked for; where ratings need one, the usual one."""
    values, first = inquiry.values("confusion"), next(iter(parts_of(inquiry).values()))
    usual = threshold_range(first, target=values.get("target")).usual
    return values.get("threshold", usual)


def matrix_of(part: Predictions, values: Mapping[str, Any]) -> ConfusionMatrix:
    """Return the matrix of one model that a question asks for."""
    return confusion_matrix(part, threshold=values.get("threshold"), target=values.get("target"))


def shares_of(values: Mapping[str, Any]) -> Any:
    """Return what counts are divided by, None for nothing."""
    by = values.get("normalize", "none")
    return None if by == "none" else by


def rates_of(matrix: ConfusionMatrix, values: Mapping[str, Any]) -> Rates:
    """Return the usual rates of the classes and of the whole table, as `plumbline confusion`."""
    more = {name: values[name] for name in ("level", "resamples") if name in values}
    interval: Any = values.get("interval", "auto")
    if interval in ("auto", "none"):
        interval = usual_interval(matrix) if interval == "auto" else None
    return matrix.usual_rates(interval=interval, **more)


def usual_interval(matrix: ConfusionMatrix) -> Literal["auto"] | None:
    """Return the library's own choice, none where nothing tells which rows are of one example."""
    return "auto" if matrix.can_have_intervals else None


def _entry(part: Predictions, values: Mapping[str, Any]) -> dict[str, Any]:
    matrix = matrix_of(part, values)
    whole = matrix.with_sums()
    return {
        "model": matrix.model,
        **RatedMatrix(matrix, rates_of(matrix, values), shares_of(values)).entry(),
        "sums": {
            "actual": whole[:-1, -1],
            "predicted": whole[-1, :-1],
            "all": float(whole[-1, -1]),
        },
        "confused": [pair.to_dict() for pair in matrix.most_confused(MOST_CONFUSED).pairs],
    }
