"""The question `confusion`: which class is taken for which, and every rate of it."""

from typing import Any, Literal

from plumbline.confusion import ConfusionMatrix, Rates, confusion_matrix, threshold_range
from plumbline.confusion.rated_matrix import RatedMatrix
from plumbline.predictions import Predictions
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import MOST_RESAMPLES, Params

NORMS = ("none", "actual", "predicted", "all")
INTERVALS = ("auto", "wilson", "dirichlet", "bootstrap", "none")
MOST_CONFUSED = 20


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return an entry a model, with the keys of `plumbline confusion --json`."""
    params, parts = inquiry.params, parts_of(inquiry)
    wanted = params.names("models")
    chosen = {name: part for name, part in parts.items() if wanted is None or name in wanted}
    first = next(iter(parts.values()))
    at, limits = threshold_of(inquiry), threshold_range(first, target=params.text("target"))
    return {
        "range": None if limits.low is None else {"low": limits.low, "high": limits.high},
        "usual": limits.usual,
        "weighted": first.weight is not None,
        "results": [_entry(part, params, at) for part in (chosen or parts).values()],
    }


def parts_of(inquiry: Inquiry) -> dict[str | None, Predictions]:
    """Return the rows of every model, remembered: a threshold that is dragged asks often."""
    key = ("models", inquiry.selection)
    return inquiry.memory.once(key, lambda: inquiry.filtered().by_model())


def threshold_of(inquiry: Inquiry) -> float | None:
    """Return the threshold that is asked for; where ratings need one, the usual one."""
    params = inquiry.params
    if params.has("threshold"):
        return params.number("threshold")
    first = next(iter(parts_of(inquiry).values()))
    return threshold_range(first, target=params.text("target")).usual


def matrix_of(part: Predictions, params: Params, threshold: float | None = None) -> ConfusionMatrix:
    """Return the matrix of one model that a question asks for."""
    at = params.number("threshold") if threshold is None else threshold
    return confusion_matrix(part, threshold=at, target=params.text("target"))


def rates_of(matrix: ConfusionMatrix, params: Params) -> Rates:
    """Return the usual rates of the classes and of the whole table, as `plumbline confusion`."""
    interval: Any = params.choice("interval", INTERVALS, "auto")
    if interval in ("auto", "none"):
        interval = usual_interval(matrix) if interval == "auto" else None
    return matrix.usual_rates(
        interval=interval,
        level=params.number("level", 0.95) or 0.0,
        resamples=params.whole("resamples", 999, least=1, most=MOST_RESAMPLES),
    )


def usual_interval(matrix: ConfusionMatrix) -> Literal["auto"] | None:
    """Return the library's own choice, none where nothing tells which rows are of one example."""
    return "auto" if matrix.can_have_intervals else None


def _entry(part: Predictions, params: Params, threshold: float | None) -> dict[str, Any]:
    matrix = matrix_of(part, params, threshold)
    by: Any = params.choice("normalize", NORMS, "none")
    whole = matrix.with_sums()
    return {
        "model": matrix.model,
        **RatedMatrix(matrix, rates_of(matrix, params), None if by == "none" else by).entry(),
        "sums": {
            "actual": whole[:-1, -1],
            "predicted": whole[-1, :-1],
            "all": float(whole[-1, -1]),
        },
        "confused": [pair.to_dict() for pair in matrix.most_confused(MOST_CONFUSED).pairs],
    }
