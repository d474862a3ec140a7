"""What is compared: a metric of one model's table, higher or lower being better."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, real_number, shorten, shown
from plumbline.binning import EqualWidth, binning_of
from plumbline.calibration import ErrorDefinition, Statistic
from plumbline.calibration_errors import StatisticParams
from plumbline.confusion import decide
from plumbline.confusion.decisions import checked_threshold
from plumbline.confusion.rates import CELLS
from plumbline.curves import rating
from plumbline.curves.target_rows import rows_of
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.metrics import (
    MEANS,
    METRICS,
    DecisionStatistic,
    Metric,
    builds,
    metric_named,
    metric_value,
)
from plumbline.nulls import resampled
from plumbline.predictions import Predictions

Floats: TypeAlias = NDArray[np.float64]
Truths: TypeAlias = NDArray[np.bool_]
Ratings: TypeAlias = tuple[Truths, NDArray[Any]]
ErrorRange: TypeAlias = Callable[
    [Predictions, float, int, int, int | None], tuple[float, float, float]
]

PROFIT = "profit"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Quantity:
    """A number of the predictions of one model, by which models are compared.

    Attributes
    ----------
    name, title : how it is asked for, and its name in a sentence
    better : "higher", "lower", or what else the catalogue says ("zero", "one", "none")
    value : the number of a table of one model
    per_row : (n,) values of the rows whose weighted mean `value` is; None where it is no such mean
    ratings : (n,) which rows are positive and (n,) their ratings, where `value` is the area under
        the ROC curve; else None
    decisions : the confusion matrix as a statistic, where `value` is a rate of it; else None
    binned : what is measured, where `value` is an error over bins that no row moves; else None
    target : the one class that it looks at, None where it looks at several
    of_labels : whether it depends on the predicted labels alone
    by_class : whether another `target` would give another value
    error : whether it is a calibration error, for which models are compared with exchanged ones
    interval : of a calibration error: what gives the ends of its own interval and the mean of
        calibrated probabilities, of a table, a level, a number of draws, a seed and a number of
        workers; NaN where there are none
    """

    name: str
    title: str
    better: str
    value: Callable[[Predictions], float]
    per_row: Callable[[Predictions], Floats] | None = None
    ratings: Callable[[Predictions], Ratings] | None = None
    decisions: Callable[[Predictions], DecisionStatistic] | None = None
    binned: Callable[[Predictions], ErrorDefinition] | None = None
    target: str | None = None
    of_labels: bool = False
    by_class: bool = True
    error: bool = False
    interval: ErrorRange | None = None

    @property
    def summed(self) -> bool:
        """Whether an exchange of answers turns the signs of terms: of means and of areas."""
        return self.per_row is not None or self.ratings is not None

    @property
    def exchangeable(self) -> bool:
        """Whether models are compared by exchanges: means, areas, and calibration errors.

        Drawing rows anew makes a calibration error larger, of one model more than of another, so a
        bootstrap of their difference rejects equal models too often (studies/comparison_errors.py).
        """
        return self.summed or self.error

    def without_shared_truth(self) -> "Quantity":
        """Return the same for models with true classes of their own: means of rows, or anew."""
        return replace(self, ratings=None, decisions=None, binned=None)

    @property
    def quick(self) -> bool:
        """Whether sums, an order or bins give the value of rows drawn anew, without a table."""
        return any((self.per_row, self.ratings, self.decisions, self.binned))


def quantity_of(
    name: str,
    data: Predictions,
    *,
    payoffs: Mapping[str, float] | None = None,
    threshold: float | None = None,
    target: Any = None,
) -> Quantity:
    """Return a metric of the catalogue, or "profit", as a quantity to compare models by.

    `data` is any of the tables that will be compared (its classes count). With `target` that class
    is looked at against the rest. "profit" is the mean payoff of a row, `payoffs` being those of
    "TP", "FP", "TN" and "FN" (0 where not named); a row is predicted positive iff its probability
    or score is at least `threshold`, without one if the answer of its row is the target.

    Raises ParameterError for an unknown name, and for an argument that is missing or does not
    apply; InputError for an unknown class.

    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.2, 0.6, 0.4, 0.1])
    >>> quantity_of("brier", data).title, round(quantity_of("brier", data).value(data), 3)
    ('Brier score', 0.143)
    >>> quantity_of("profit", data, payoffs={"TP": 10, "FP": -5}, threshold=0.15).value(data)
    3.75
    """
    if str(name).strip().casefold() == PROFIT:
        return _profit(data, payoffs, threshold, target)
    row = metric_named(name)
    for argument, given in (("payoffs", payoffs), ("threshold", threshold)):
        if given is not None:
            raise ParameterError(
                f"`{argument}` applies to the metric 'profit', not to {quoted(row.name)}; got "
                f"{shorten(given)}",
                code="argument-of-profit",
            )
    looked_at = _one_class(row, data, target)
    view = None if target is None else f"one-vs-rest:{looked_at}"
    params = StatisticParams(view=view)
    row.check(params)
    return Quantity(
        name=row.name,
        title=row.title if view is None else f"{row.title} ({view})",
        better=row.better,
        value=lambda table: metric_value(row, table, None if view is None else params),
        per_row=_rows_of_sum(row, params),
        ratings=_ratings_of_class(row, data, target),
        decisions=_decisions(row, params) if row.decides else None,
        binned=_binned(row, params),
        target=looked_at,
        of_labels=row.needs == "labels",
        by_class=row.name != "brier-score" or data.k > 2,
        error=row.interval == "error",
        interval=_interval(row, params) if row.interval == "error" else None,
    )


def _one_class(row: Metric, data: Predictions, target: Any) -> str | None:
    """Return the class that a metric looks at against the rest, None where at several."""
    if target is not None:
        return _class_name(data, target)
    alone = data.k == 2 and row.usual_view.startswith("one-vs-rest")
    return data.classes[data.positive] if alone else None


def best_side(name: str) -> str:
    """Return which values of a metric are good, as text; empty where none are.

    >>> best_side("brier-score"), best_side("profit"), best_side("calibration-slope")
    ('lower is better', 'higher is better', '1 is best')
    """
    better = "higher" if name == PROFIT else METRICS[name].better if name in METRICS else "none"
    ends = {"zero": "0 is best", "one": "1 is best", "none": ""}
    return ends.get(better, f"{better} is better")


def title_of(name: str) -> str:
    """Return the full name of a metric; what the catalogue does not hold keeps its own.

    >>> title_of("roc-auc"), title_of("profit")
    ('area under the ROC curve', 'profit')
    """
    return METRICS[name].title if name in METRICS else name


def is_infinite_loss(metric: str, value: float) -> bool:
    """Tell whether a value is infinite, of a metric of which less is better.

    >>> is_infinite_loss("log-loss", np.inf), is_infinite_loss("roc-auc", np.inf)
    (True, False)
    """
    return value == np.inf and metric in METRICS and METRICS[metric].better == "lower"


def comparable_metrics(data: Predictions) -> list[str]:
    """Return the metrics of the catalogue that a table allows, and of which more or less is better.

    >>> "calibration-slope" in comparable_metrics(Predictions.from_arrays([0, 1], [0.2, 0.7]))
    False
    """
    return [
        name
        for name, row in METRICS.items()
        if row.serves(data) and row.better in ("higher", "lower")
    ]


def _rows_of_sum(row: Metric, params: StatisticParams) -> Callable[[Predictions], Floats] | None:
    """Return what gives the values whose mean a metric is, None where it is none."""
    if row.name in ("accuracy", "error-rate") and params.view is None:
        wrong = row.name == "error-rate"
        return lambda table: ((table.predicted == table.actual) ^ wrong).astype(np.float64)
    if row.name not in MEANS:
        return None

    def values(table: Predictions) -> Floats:
        what = row.subject(replace(table, weight=None), params).statistic
        if not isinstance(what, Statistic) or what.value is None:
            raise TypeError(f"the metric {row.name!r} is not a sum over rows")
        own = np.take_along_axis(what.value, what.actual[:, None].astype(np.intp), axis=1)[:, 0]
        return np.asarray(own * table.stored, np.float64)

    return values


def _decisions(row: Metric, params: StatisticParams) -> Callable[[Predictions], DecisionStatistic]:
    """Return what gives the confusion matrix of a rate of decisions."""

    def statistic(table: Predictions) -> DecisionStatistic:
        what = row.subject(table, params).statistic
        if not isinstance(what, DecisionStatistic):
            raise TypeError(f"the metric {row.name!r} is not a rate of a confusion matrix")
        return what

    return statistic


def _interval(row: Metric, params: StatisticParams) -> ErrorRange:
    """Return what gives the interval of an error of one table, and its mean under calibration."""

    def ends(
        table: Predictions, level: float, draws: int, seed: int, workers: int | None
    ) -> tuple[float, float, float]:
        from plumbline.intervals import interval_of

        what = row.subject(table, params).statistic
        null = resampled(what, draws, rng=seed, workers=workers)
        result = interval_of(
            what,
            weight=table.weight,
            kind=row.interval,
            level=level,
            resamples=draws,
            rng=seed,
            null_values=null,
            workers=workers,
        )
        return result.low, result.high, float(null.mean())

    return ends


def _binned(
    row: Metric, params: StatisticParams
) -> Callable[[Predictions], ErrorDefinition] | None:
    """Return what gives the setting of an error over bins of fixed, equal width."""
    scheme = row.fixed.get("bins", row.usual.get("bins"))
    if row.build is not builds.binned or not isinstance(binning_of(scheme), EqualWidth):
        return None

    def definition(table: Predictions) -> ErrorDefinition:
        result = row.subject(table, params).setting
        if result is None:
            raise TypeError(f"the metric {row.name!r} is not an error over bins")
        return result

    return definition


def _ratings_of_class(
    row: Metric, data: Predictions, target: Any
) -> Callable[[Predictions], Ratings] | None:
    """Return what gives positives and ratings, where a metric is the area of one ROC curve."""
    if row.name != "roc-auc" or (target is None and data.k > 2):
        return None
    name = target_of(data, target, "a ROC curve")
    return lambda table: ratings_of(table, name)


# ---------------------------------------------------------------- one class against the rest


def target_of(data: Predictions, target: Any, what: str) -> str:
    """Return the name of the class that is looked at against the rest."""
    if target is not None:
        return _class_name(data, target)
    if data.k == 2:
        return data.classes[data.positive]
    raise ParameterError(
        f"{what} compares one class with the rest; name it as `target`, one of "
        f"{shown(data.classes)}",
        code="class-missing",
    )


def ratings_of(data: Predictions, target: str) -> Ratings:
    """Return (n,) which rows are of a class, and (n,) how highly each is rated for it.

    The rating is the probability of the class, else its `score`; raises InputError where there are
    labels alone, which order no rows.
    """
    if data.prob is None and data.score is None:
        raise InputError(
            "a ROC curve needs probabilities or ratings, this table holds only predicted labels; "
            "add one column p:<class> per class, or a column 'score'",
            code="labels-only",
        )
    place = data.class_number(target)
    return data.actual == place, rating(rows_of(data, place))[0]


def _class_name(data: Predictions, target: Any) -> str:
    return data.classes[data.class_number(target)]


# ---------------------------------------------------------------- profit


def _profit(
    data: Predictions, payoffs: Mapping[str, float] | None, threshold: float | None, target: Any
) -> Quantity:
    name = target_of(data, target, "a profit")
    pays = _checked_payoffs(payoffs)
    least = None if threshold is None else checked_threshold(threshold)
    cells = np.array([pays["TN"], pays["FP"], pays["FN"], pays["TP"]])

    def per_row(table: Predictions) -> Floats:
        built = decide(table, threshold=least, target=name)
        event, positive = built.actual == built.positive, built.predicted == built.positive
        return np.asarray(cells.take(2 * event + positive), np.float64)

    return Quantity(
        name=PROFIT,
        title="profit per row" + ("" if least is None else f" (threshold {least:g})"),
        better="higher",
        value=lambda table: weighted_mean(per_row(table), table),
        per_row=per_row,
        target=name,
        of_labels=least is None,
    )


def weighted_mean(values: Floats, table: Predictions) -> float:
    """Return the weighted mean of a table's rows; one of weight 0 is absent."""
    kept = table.mass > 0
    return float(np.average(values[kept], weights=table.mass[kept])) if kept.any() else np.nan


def _checked_payoffs(payoffs: Mapping[str, float] | None) -> dict[str, float]:
    remedy = "`payoffs={'TP': 10, 'FP': -5}`"
    if not isinstance(payoffs, Mapping) or not payoffs:
        raise ParameterError(
            "`payoffs` must give the values of the cells of the confusion matrix, such as "
            f"{remedy}, got {shorten(payoffs)}",
            code="payoffs-missing",
        )
    for name, value in payoffs.items():
        if name not in CELLS:
            raise ParameterError(
                f"`payoffs` must name cells of the confusion matrix ({', '.join(CELLS)}), got "
                f"{shorten(name)}{near_names(name, CELLS)}",
                code="unknown-name",
            )
        if not np.isfinite(real_number(value)):
            raise ParameterError(
                f"`payoffs` must be numbers, got {shorten(value)} for {quoted(name)}",
                code="no-number",
            )
    return {name: float(payoffs.get(name, 0.0)) for name in CELLS}
