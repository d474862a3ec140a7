"""The question `confusion`: which class is taken for which, and every rate of it."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion import ConfusionMatrix, Rates, confusion_matrix
from plumbline.predictions import Predictions
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import MOST_RESAMPLES, Params

RATES = ("precision", "recall", "specificity", "F1")
OF_ORDERED = "kappa_"  # rates of ordered classes, which nobody said these are
ACCURACY = {"CA": "accuracy"}  # as the entries of `scores` call it
NORMS = ("none", "actual", "predicted", "all")
INTERVALS = ("auto", "wilson", "dirichlet", "bootstrap", "none")
MOST_CONFUSED = 20


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return an entry a model, with the keys of `plumbline confusion --json`."""
    params, parts = inquiry.params, parts_of(inquiry)
    wanted = params.names("models")
    chosen = {name: part for name, part in parts.items() if wanted is None or name in wanted}
    first = next(iter(parts.values()))
    at = threshold_of(inquiry)
    return {
        "range": _range(first, params.text("target")),
        "usual": usual_threshold(first, params.text("target")),
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
    return usual_threshold(next(iter(parts_of(inquiry).values())), params.text("target"))


def usual_threshold(part: Predictions, target: str | None) -> float | None:
    """Return the middle of the ratings, as a reading takes it; None where no threshold is needed.

    Probabilities and a column of predictions answer by themselves, ratings do not.
    """
    alone = part.prob is None and part.score is not None and part.label is None
    if not alone or (part.k > 2 and target is None):
        return None
    values = np.unique(ratings_of(part, target))[::-1]
    return float(values[(len(values) - 1) // 2]) if len(values) else None


def ratings_of(part: Predictions, target: str | None) -> NDArray[np.float64]:
    """Return the finite ratings of a class, as a threshold parts them."""
    column = part.positive if target is None else part.class_number(target)
    score = np.asarray(part.score, np.float64)
    values = score[:, column] if score.ndim == 2 else score
    if score.ndim == 1 and column != part.positive:
        values = -score
    return np.asarray(values[np.isfinite(values)])


def matrix_of(part: Predictions, params: Params, threshold: float | None = None) -> ConfusionMatrix:
    """Return the matrix of one model that a question asks for."""
    at = params.number("threshold") if threshold is None else threshold
    return confusion_matrix(part, threshold=at, target=params.text("target"))


def rates_of(matrix: ConfusionMatrix, params: Params) -> Rates:
    """Return the usual rates of the classes and of the whole table, as `plumbline confusion`."""
    interval = params.choice("interval", INTERVALS, "auto")
    how: dict[str, Any] = {
        "interval": usual_interval(matrix) if interval == "auto" else interval,
        "level": params.number("level", 0.95),
        "resamples": params.whole("resamples", 999, least=1, most=MOST_RESAMPLES),
    }
    if how["interval"] == "none":
        how["interval"] = None
    rates = matrix.rates(RATES, **how)
    whole = matrix.overall(**how).entries
    kept = tuple(rate for rate in whole if not rate.name.startswith(OF_ORDERED))
    return replace(rates, entries=rates.entries + kept)


def usual_interval(matrix: ConfusionMatrix) -> Literal["auto"] | None:
    """Return the library's own choice, none where nothing tells which rows are of one example."""
    return None if matrix.cells is not None and matrix.cells.unknown else "auto"


def _entry(part: Predictions, params: Params, threshold: float | None) -> dict[str, Any]:
    matrix = matrix_of(part, params, threshold)
    rates, values = rates_of(matrix, params), matrix.to_dict()
    by = params.choice("normalize", NORMS, "none")
    names = ("n", "effective_n", "classes", "positive", "threshold", "target", "decision")
    whole: dict[str, Any] = {"model": matrix.model} | {name: values[name] for name in names}
    return whole | {
        "rows": "actual",
        "columns": "predicted",
        "matrix": list(matrix.counts),
        "shares": None if by == "none" else list(_shares(matrix, by)),
        "tables": matrix.class_tables(),
        "overall": {ACCURACY.get(r.name, r.name): r.value for r in matrix.overall().entries},
        "interval": rates.interval,
        "level": rates.level,
        "resamples": rates.resamples,
        "rates": rates.rows(),
        "remarks": list(rates.remarks),
        "remark_codes": list(rates.remark_codes),
        "confused": _confused(matrix),
    }


def _shares(matrix: ConfusionMatrix, by: str) -> NDArray[np.float64]:
    return matrix.normalized(by)  # type: ignore[arg-type]  # `choice` has checked it


def _confused(matrix: ConfusionMatrix) -> list[dict[str, Any]]:
    """Return the cells with most rows off the diagonal, the largest first."""
    wrong = np.where(np.eye(len(matrix.classes), dtype=bool), 0.0, matrix.counts)
    order = np.argsort(-wrong, axis=None, kind="stable")[:MOST_CONFUSED]
    share = matrix.normalized("actual")
    places = [divmod(int(place), len(wrong)) for place in order if wrong.flat[place] > 0]
    return [
        {
            "actual": matrix.classes[i],
            "predicted": matrix.classes[j],
            "count": float(wrong[i, j]),
            "share": float(share[i, j]),
        }
        for i, j in places
    ]


def _range(part: Predictions, target: str | None) -> dict[str, float] | None:
    """Return between which values a threshold makes a difference, None for labels alone."""
    if part.prob is not None:
        return {"low": 0.0, "high": 1.0}
    if part.score is None:
        return None
    finite = ratings_of(part, target)
    return {"low": float(finite.min()), "high": float(finite.max())} if finite.size else None
