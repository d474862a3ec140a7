"""The question `scores`: how good every model is, a number a metric."""

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.comparison.quantity import best_side
from plumbline.curves import roc_auc_interval
from plumbline.errors import InputError
from plumbline.formatting import bins_words, view_words
from plumbline.metrics import (
    METRICS,
    Measure,
    ModelScores,
    measure,
    metric_named,
    model_scores,
)
from plumbline.predictions import Predictions
from plumbline.progress import Progress, with_shares
from plumbline.requests.table import of_each_model
from plumbline.scores import brier_convention
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wording import BROWSER

SHOWN = ("log-loss", "brier-score", "accuracy", "ece", "roc-auc")
LEVEL = 0.95  # of the interval of the area, where the question does not say
OF_BINS = ("view", "bins")  # what the calibration error takes besides
OWN = ("model", "group", "n", "effective_n")  # what the line of a model says already


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return a line a model, with the keys of `plumbline scores --metrics ... --json`.

    Without `resamples` the numbers come at once; with them what is expected if calibrated.
    """
    data, values = inquiry.filtered(), scores_values(inquiry)
    level = values.pop("level", LEVEL)
    lacking = _lacking(data)

    def measured(part: Predictions, bar: Progress | None) -> list[Measure]:
        return measures_of(part, values, bar)

    # Model by model, so that what is said of the rows is said of those of one model.
    results = of_each_model(data, measured, inquiry.progress)
    return {
        "metrics": [_described(name, data, values) for name in SHOWN],
        "resamples": values["resamples"],
        "level": level,
        "legend": list(_legend(results)),
        "results": [
            _line(model_scores(part, name), own, part, lacking, level)
            for (name, part), (_, own) in zip(data.by_model().items(), results, strict=True)
        ],
    }


def _legend(results: Sequence[tuple[str | None, list[Measure]]]) -> dict[str, None]:
    """Return what the ranges beside the numbers mean, each sentence once."""
    measures = [one for _, own in results for one in own]
    return {BROWSER.worded(text): None for one in measures for text in one.present().legend}


def scores_values(inquiry: Inquiry) -> dict[str, Any]:
    """Return the values that the question gives; without `resamples` nothing is drawn."""
    return {"resamples": 0, **inquiry.values("scores")}


def _described(name: str, data: Predictions, values: Mapping[str, Any]) -> dict[str, Any]:
    row = METRICS[name]
    formula = brier_convention(data) if name == "brier-score" else row.formula
    return {
        "name": name,
        "title": _title(name, data, values),
        "better": row.better,
        "best": best_side(name),
        "formula": formula,
    }


def _title(name: str, data: Predictions, values: Mapping[str, Any]) -> str:
    """Return what a number is called: of which classes, view and bins, where these are a choice."""
    title = METRICS[name].title
    if name == "roc-auc" and data.k > 2:
        return f"{title}, mean of the classes"
    if name != "ece":
        return title
    view = "" if values.get("view") is None else f" ({view_words(values['view'])})"
    bins = "" if values.get("bins") is None else f", {bins_words(str(values['bins']))}"
    return f"{title}{view}{bins}"


def _lacking(data: Predictions) -> dict[str, str]:
    """Return why the table does not allow some metrics, by their names."""
    reasons = {}
    for name in SHOWN:
        try:
            metric_named(name).need(data)
        except InputError as error:
            reasons[name] = error.worded(BROWSER)
    return reasons


def calls_of(
    data: Predictions, values: Mapping[str, Any]
) -> list[tuple[list[str], dict[str, Any]]]:
    """Return what to measure by what arguments: bins and view go to the calibration error alone."""
    allowed = [name for name in SHOWN if metric_named(name).serves(data)]
    plain = {name: value for name, value in values.items() if name not in OF_BINS}
    parts = [
        ([name for name in allowed if name != "ece"], plain),
        ([name for name in allowed if name == "ece"], dict(values)),
    ]
    return [(names, given) for names, given in parts if names]


def measures_of(
    data: Predictions, values: Mapping[str, Any], progress: Progress | None
) -> list[Measure]:
    """Measure what the table allows, in the order of `SHOWN`."""
    measures: list[Measure] = []
    for (names, given), bar in with_shares(calls_of(data, values), progress):
        measures += measure(data, names, progress=bar, **given).measures
    return sorted(measures, key=lambda one: SHOWN.index(one.metric))


def _line(
    one: ModelScores,
    own: list[Measure],
    part: Predictions,
    lacking: dict[str, str],
    level: float,
) -> dict[str, Any]:
    metrics = [
        {name: value for name, value in row.to_dict().items() if name not in OWN} for row in own
    ]
    metrics += [{"metric": name, "value": None, "reason": why} for name, why in lacking.items()]
    entry = {**one.scores_dict(), "metrics": metrics}
    if part.k == 2 and "roc-auc" not in lacking:
        entry["roc_auc"] = _area(part, level)
    return entry


def _area(part: Predictions, level: float) -> dict[str, Any]:
    """Return the interval of the area, or why it has none."""
    try:
        return roc_auc_interval(part, level=level).to_dict()
    except InputError as error:
        return {"interval_range": None, "level": level, "reason": error.worded(BROWSER)}
