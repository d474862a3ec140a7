"""The rates of decisions by name, one for each rate of a confusion matrix."""

import re
from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any, Literal

import numpy as np

from plumbline.calibration import define_error
from plumbline.calibration_errors import NamedStatistic, StatisticParams
from plumbline.calibration_errors.named_tests import ALL_CLASSES
from plumbline.confusion import OVERALL, RATES, Rate, confusion_matrix
from plumbline.confusion.multiclass import Group, Kind, Overall
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.metrics.decision_statistic import decision_statistic
from plumbline.metrics.metric import Build, GiveEnds, Metric, MetricInterval
from plumbline.predictions import Predictions, only_predictions

GROUPS: Mapping[str, Kind] = {
    ALL_CLASSES: "all",
    "classwise": "macro",
    "micro": "micro",
    "weighted": "weighted",
}
RATE_VIEWS = ("one-vs-rest", "classwise", "micro", "weighted")
USUAL_CLASS = "one-vs-rest for two classes, else classwise"
MEASURED_ELSEWHERE = ("CA",)  # the metric "accuracy" is a mean over rows

# What a rate is best known by, where that is not the name that formulas have for it.
COMMON = {"TPR": "recall", "TNR": "specificity", "PPV": "precision"}
MORE_ALIASES = {
    "f05": ("f0.5",),
    "f1": ("f-measure",),
    "mcc": ("matthews-correlation-coefficient", "matthews-corrcoef"),
    "kappa": ("cohens-kappa",),
    "error-rate": ("misclassification-rate", "zero-one-loss"),
    "jaccard": ("jaccard-score", "jaccard-index"),
}
# What the rates that are also of all classes at once are there.
OF_ALL_CLASSES = {
    "error_rate": "share of rows predicted wrong",
    "balanced_accuracy": "mean of TPR over classes",
    "MCC": "correlation of truth and decision over all classes (Gorodkin 2004)",
    "kappa": "1 - observed / expected disagreement",
}
RANGES = {
    **dict.fromkeys(("informedness", "markedness", "MCC", "kappa"), (-1.0, 1.0)),
    **dict.fromkeys(("lift", "PLR", "NLR", "DOR", "frequency_bias"), (0.0, inf)),
    "equitable_threat_score": (-1.0 / 3.0, 1.0),
    "WRAcc": (-0.25, 0.25),
}
BETTER = {"high": "higher", "low": "lower", None: "none"}
NAMES_OF_PEOPLE = ("Cohen", "Fowlkes", "Jaccard", "Matthews")


def usual_class(data: Predictions) -> str:
    """Return the view of a number of one class: the positive one of two, else all in turn."""
    return "one-vs-rest" if data.k == 2 else "classwise"


def _rate(key: str, title: str, usual: Callable[[Predictions], str]) -> Build:
    """Return what makes a rate of one class, of an average over them, or of all at once."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        only_predictions(data).need_one_model(f"the {title}")
        view, group = _group(data, params.view or usual(data))
        return NamedStatistic(
            title, view, None, None, "class", decision_statistic(data, key, group)
        )

    return build


def between(
    key: str,
    usual: Callable[[Predictions], str],
    interval: Literal["auto", "exact"] = "auto",
) -> GiveEnds:
    """Return what gives the interval of a rate: that of `rates(interval=interval)`."""

    def ends(data: Predictions, params: StatisticParams, level: float) -> MetricInterval:
        _, group = _group(data, params.view or usual(data))
        kinds: dict[str, Any] = {"average": (), "classes": ()}
        if group.kind == "class":
            kinds["classes"] = [data.classes[group.index]]
        elif group.kind != "all":
            kinds["average"] = (group.kind,)
        try:
            result = confusion_matrix(data).rates(key, interval=interval, level=level, **kinds)
        except InputError as error:  # repeats whose examples nothing tells
            return MetricInterval(np.nan, np.nan, reason=str(error))
        entry = result.entry(key, kind=group.kind)
        why = entry.reason if np.isfinite(entry.value) else None  # an undefined value has its own
        return MetricInterval(entry.low, entry.high, entry.method, why, entry.n)

    return ends


def _group(data: Predictions, view: str) -> tuple[str, Group]:
    """Return a view's name, and what the confusion matrix calls it."""
    kind, colon, _ = view.partition(":")
    if kind == "one-vs-rest":
        definition = define_error(data, view)
        return definition.name, Group(
            str(definition.target), "class", data.class_number(definition.target)
        )
    if colon:
        raise ParameterError(
            f"`view` {quoted(kind)} takes no class, got {quoted(view)}", code="class-beside-micro"
        )
    return view, Group(view, GROUPS[view])


def all_classes(_data: Predictions) -> str:
    """Return the view of all classes at once."""
    return ALL_CLASSES


right_answers = _rate("CA", "accuracy", all_classes)


def _rows() -> Iterator[Metric]:
    for key, rate in RATES.items():
        if key not in MEASURED_ELSEWHERE:
            yield _row(key, rate, OVERALL.get(key))
    for key, whole in OVERALL.items():
        if key not in RATES:
            yield _whole_row(key, whole)


def _row(key: str, rate: Rate, whole: Overall | None) -> Metric:
    name, title = kebab(COMMON.get(key, key)), _in_sentence(rate.title)
    others = dict.fromkeys((*map(kebab, (key, *rate.aliases)), *MORE_ALIASES.get(name, ())))
    least, most = RANGES.get(key, (0.0, 1.0))
    source = re.search(r"\(([^()]+ \d{4})\)$", rate.meaning)
    return Metric(
        name=name,
        title=title,
        kind="rate",
        decides=True,
        better=BETTER[rate.best],
        least=least,
        most=most,
        formula=rate.formula if whole is None else f"{rate.formula}; {OF_ALL_CLASSES[key]}",
        reference="" if source is None else source[1],
        build=_rate(key, title, usual_class if whole is None else all_classes),
        views=RATE_VIEWS if whole is None else (ALL_CLASSES, *RATE_VIEWS),
        usual_view=USUAL_CLASS if whole is None else ALL_CLASSES,
        aliases=tuple(
            dict.fromkeys(n for n in (*others, *MORE_ALIASES.get(name, ())) if n != name)
        ),
        needs="labels",
        gap="it has a zero denominator",
        interval="rows",
        between=between(key, usual_class if whole is None else all_classes),
        one_sided=between(key, usual_class if whole is None else all_classes, "exact"),
    )


def _whole_row(key: str, whole: Overall) -> Metric:
    least, most = RANGES.get(whole.rate, (0.0, 1.0))
    title = _in_sentence(whole.title)
    return Metric(
        name=kebab(key),
        title=title,
        kind="rate",
        decides=True,
        better=BETTER[RATES[whole.rate].best],
        least=least,
        most=most,
        formula="1 - observed / expected disagreement, one of |i - j| classes weighing "
        + ("|i - j|" if "linear" in key else "|i - j|^2"),
        reference="Cohen 1968",
        build=_rate(key, title, all_classes),
        views=(ALL_CLASSES,),
        usual_view=ALL_CLASSES,
        takes=(),
        needs="labels",
        gap=whole.why,
        interval="rows",
        between=between(key, all_classes),
    )


def kebab(name: str) -> str:
    """Return a name as metrics are called: small letters and hyphens."""
    return name.casefold().replace("_", "-")


def _in_sentence(title: str) -> str:
    """Return a title as it stands in a sentence."""
    kept = title.startswith(NAMES_OF_PEOPLE) or not title[1].islower()
    return title if kept else title[0].lower() + title[1:]


DECISIONS = tuple(_rows())
