"""The question `scores`: how good every model is, a number a metric."""

from typing import Any

from plumbline.comparison.quantity import best_side
from plumbline.curves import roc_auc_interval
from plumbline.errors import InputError
from plumbline.metrics import (
    METRICS,
    Measure,
    ModelScores,
    measure,
    metric_named,
    model_scores,
)
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of
from plumbline.scores import brier_convention
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import MOST_RESAMPLES, Params
from plumbline.workbench.wording import BROWSER

SHOWN = ("log-loss", "brier-score", "accuracy", "ece", "roc-auc")
OF_BINS = ("view", "bins")  # what the calibration error takes besides
OWN = ("model", "group", "n", "effective_n")  # what the line of a model says already


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return a line a model, with the keys of `plumbline scores --metrics ... --json`.

    Without `resamples` the numbers come at once; with them what true probabilities would score.
    """
    data, params = inquiry.filtered(), inquiry.params
    by_model = data.by_model()
    resamples = params.whole("resamples", 0, least=0, most=MOST_RESAMPLES)
    level = params.number("level", 0.95)
    lacking = _lacking(data)
    step = 1 / len(by_model)
    # Model by model, so that what is said of the rows is said of those of one model.
    measured = [
        _measured(
            part,
            inquiry.params,
            resamples,
            share_of(inquiry.progress, place * step, (place + 1) * step),
        )
        for place, part in enumerate(by_model.values())
    ]
    return {
        "metrics": [_described(name, data) for name in SHOWN],
        "resamples": resamples,
        "level": level,
        "results": [
            _line(model_scores(part, name), own, part, lacking, level)
            for (name, part), own in zip(by_model.items(), measured, strict=True)
        ],
    }


def _described(name: str, data: Predictions) -> dict[str, Any]:
    row = METRICS[name]
    formula = brier_convention(data) if name == "brier-score" else row.formula
    return {
        "name": name,
        "title": row.title,
        "better": row.better,
        "best": best_side(name),
        "formula": formula,
    }


def _lacking(data: Predictions) -> dict[str, str]:
    """Return why the table does not allow some metrics, by their names."""
    reasons = {}
    for name in SHOWN:
        try:
            metric_named(name).need(data)
        except InputError as error:
            reasons[name] = error.worded(BROWSER)
    return reasons


def _measured(
    data: Predictions, params: Params, resamples: int, progress: Progress | None
) -> list[Measure]:
    """Measure what the table allows; bins and view go to the calibration error alone."""
    allowed = [name for name in SHOWN if metric_named(name).serves(data)]
    bins = {name: text for name in OF_BINS if (text := params.text(name)) is not None}
    parts: list[tuple[list[str], dict[str, Any]]]
    parts = [([name for name in allowed if name != "ece"], {})]
    parts.append(([name for name in allowed if name == "ece"], bins))
    measures: list[Measure] = []
    for place, (names, more) in enumerate(parts):
        if names:
            bar = share_of(progress, place / 2, (place + 1) / 2)
            draw_params: dict[str, Any] = {"resamples": resamples, "progress": bar}
            measures += measure(data, names, **more, **draw_params).measures
    return sorted(measures, key=lambda one: SHOWN.index(one.metric))


def _line(
    one: ModelScores,
    own: list[Measure],
    part: Predictions,
    lacking: dict[str, str],
    level: float | None,
) -> dict[str, Any]:
    metrics = [
        {name: value for name, value in row.to_dict().items() if name not in OWN} for row in own
    ]
    metrics += [{"metric": name, "value": None, "reason": why} for name, why in lacking.items()]
    entry = {**one.scores_dict(), "metrics": metrics}
    if part.k == 2 and "roc-auc" not in lacking:
        entry["roc_auc"] = _area(part, 0.95 if level is None else level)
    return entry


def _area(part: Predictions, level: float) -> dict[str, Any]:
    """Return the interval of the area, or why it has none."""
    try:
        return roc_auc_interval(part, level=level).to_dict()
    except InputError as error:
        return {"interval_range": None, "level": level, "reason": error.worded(BROWSER)}
