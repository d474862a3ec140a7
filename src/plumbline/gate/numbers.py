"""The numbers that rules are about: each value with its one-sided bounds, computed once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import SkillStatistic, Statistic
from plumbline.calibration_errors import EquivalenceTest, StatisticParams, calibration_within
from plumbline.comparison import Pair, Quantity, accuracy_ends, observed_of, quantity_of
from plumbline.comparison.compare import compare
from plumbline.comparison.paired_rows import Observed, rate_influence
from plumbline.comparison.row_tests import area_difference_ends, area_difference_influence
from plumbline.confusion import decide, exact_interval
from plumbline.curves.area_intervals import examples_of
from plumbline.errors import InputError
from plumbline.gate.means import METHOD, Moments, unseen
from plumbline.metrics import MEANS, Metric, MetricInterval, measure
from plumbline.nulls import observed
from plumbline.predictions import Predictions

Floats = NDArray[np.float64]

MOST_REDRAWN = 20_000  # rows whose differences are drawn anew; more have normal influence values


@dataclass(frozen=True, slots=True)
class Ends:
    """One-sided bounds of a number at one level, how they came about, and why there are none."""

    low: float
    high: float
    method: str | None = None
    reason: str | None = None


class Number(Protocol):
    """A value of some rows, and its bounds."""

    value: float
    reason: str | None

    def ends(self, level: float) -> Ends:
        """Return the one-sided bounds of a level."""

    def wider(self, level: float, scale: float) -> tuple[float, float]:
        """Return the bounds that `scale` times as many rows with this value would have."""


@dataclass(slots=True)
class Bounded:
    """A number whose two-sided intervals are known: the bounds are the ends at 2 level - 1.

    Attributes
    ----------
    value : the number; reason : why it is not finite
    between : coverage -> interval; known : those that were computed
    """

    value: float
    reason: str | None
    between: Callable[[float], MetricInterval]
    known: dict[float, MetricInterval] = field(default_factory=dict)

    def _at(self, level: float) -> MetricInterval:
        if level not in self.known:
            self.known[level] = self.between(2 * level - 1)
        return self.known[level]

    def ends(self, level: float) -> Ends:
        """Return the bounds; those of an infinite number are that number."""
        if np.isinf(self.value):
            return Ends(self.value, self.value, "certain: one row alone makes it infinite")
        found = self._at(level)
        return Ends(found.low, found.high, found.method, found.reason)

    def wider(self, level: float, scale: float) -> tuple[float, float]:
        """Return the bounds of more rows: exact ones of a share, else by the square root."""
        found = self._at(level)
        if found.n is not None and (found.method or "").startswith("Clopper"):
            return exact_interval(self.value, found.n * scale, level=2 * level - 1)
        root = np.sqrt(scale)
        low = self.value - (self.value - found.low) / root
        return float(low), float(self.value + (found.high - self.value) / root)


def number_of(
    part: Predictions,
    metric: Metric,
    params: StatisticParams,
    *,
    threshold: float | None = None,
    resamples: int,
    rng: int,
    workers: int | None = None,
) -> Number:
    """Return a metric of the rows of one model, with the bounds that promise most.

    Shares of rows and areas have those of the catalogue that are missed no more often on one side
    than their level says, other rates its interval for new rows. Means over rows (scores) have
    Student's with Hall's correction, all else the catalogue's interval for the population value
    given these predictions.
    """
    if threshold is not None:
        part, params = _decided(part, params, threshold)
    asked = replace(params, **{k: v for k, v in metric.usual.items() if getattr(params, k) is None})
    bare = params == StatisticParams()
    subject = metric.subject(part, params)
    known = bare and metric.name in MEANS
    value = MEANS[metric.name](part) if known else float(observed(subject.statistic))
    reason = metric.why(value, subject)
    if metric.one_sided is not None or metric.between is not None:
        return Bounded(value, reason, _of_rows(part, metric, asked))
    statistic = subject.statistic
    if metric.interval != "error" and isinstance(statistic, (Statistic, SkillStatistic)):
        if (isinstance(statistic, Statistic) and statistic.value is None) or not np.isfinite(value):
            return Bounded(value, reason, lambda _: MetricInterval(np.nan, np.nan))
        return Bounded(value, reason, _within(metric, value, _of_mean(part, statistic, value)))

    def measured(level: float) -> MetricInterval:
        given = {
            name: said
            for name in metric.takes
            if (said := getattr(params, name)) is not None and name != "counting"
        }
        found = measure(
            part,
            metric.name,
            interval=True,
            level=level,
            resamples=resamples,
            rng=rng,
            workers=workers,
            **given,
        ).measures[0]
        low, high = found.interval_range or (np.nan, np.nan)
        how = found.interval_method or "interval of the population value given these predictions"
        return MetricInterval(low, high, how, found.reason)

    return Bounded(value, reason, measured)


def _within(
    metric: Metric, value: float, ends: Callable[[float], MetricInterval]
) -> Callable[[float], MetricInterval]:
    """Return bounds without what no rows can give, as Student's of few rows have below 0.

    A value beyond the range, which own settings of a metric may give, is left as it is.
    """

    def of_range(level: float) -> MetricInterval:
        found = ends(level)
        if not metric.least <= value <= metric.most:
            return found
        low, high = np.clip((found.low, found.high), metric.least, metric.most).tolist()
        return replace(found, low=low, high=high)

    return of_range


def _decided(
    part: Predictions, params: StatisticParams, threshold: float
) -> tuple[Predictions, StatisticParams]:
    """Return the table with the decisions of a threshold; of several classes, one and the rest."""
    target = None if params.view is None else params.view.partition(":")[2] or None
    decided = decide(part, threshold=threshold, target=target)
    label = np.asarray(decided.predicted, np.int32)
    if decided.classes == part.classes:
        return replace(part, label=label), params
    two = replace(
        part,
        classes=decided.classes,
        actual=np.asarray(decided.actual, np.int32),
        label=label,
        positive=decided.positive,
        prob=None,
        log_prob=None,
        score=None,
    )
    name = decided.classes[decided.positive]
    return two, replace(params, view=f"one-vs-rest:{name}")


def _of_rows(
    part: Predictions, metric: Metric, params: StatisticParams
) -> Callable[[float], MetricInterval]:
    """Return the interval for new rows: exact of a share of rows, else the catalogue's."""

    def ends(level: float) -> MetricInterval:
        found = MetricInterval(np.nan, np.nan)
        if metric.one_sided is not None:
            try:
                found = metric.one_sided(part, params, level)
            except InputError as error:  # examples come again, which no exact interval knows
                found = MetricInterval(np.nan, np.nan, reason=str(error))
        if np.isnan(found.low) and metric.between is not None:
            found = metric.between(part, params, level)
        return found

    return ends


# ---------------------------------------------------------------- means over rows


def _of_mean(
    part: Predictions, statistic: Statistic | SkillStatistic, value: float
) -> Callable[[float], MetricInterval]:
    """Return the bounds of a mean score, or of a skill score, which is a ratio of two means."""
    score = statistic.score if isinstance(statistic, SkillStatistic) else statistic
    mass = part.mass
    kept = mass > 0
    share = np.where(kept, mass, 1.0) / mass.sum()
    each = np.asarray(score.value, np.float64)[kept] / share[kept, None]
    own = np.take_along_axis(each, score.actual[kept][:, None].astype(np.intp), axis=1)[:, 0]
    mean = float(np.average(own, weights=mass[kept]))
    turn, influence = 1.0, own - mean
    if isinstance(statistic, SkillStatistic):
        base = _losses_of_shares(statistic, score.actual[kept], mass[kept])
        level_of_base = float(np.average(base, weights=mass[kept]))
        ratio = mean / level_of_base
        influence, turn = -(own - ratio * base) / level_of_base, -1.0 / level_of_base
    example = examples_of(part)
    moments = Moments.of(
        value,
        influence,
        mass=mass[kept],
        counted=part.counted,
        example=None if example is None else example[kept],
    )
    # What the mean would be had every row its worst label, or its best.
    reach = [
        float(np.average(far(each, axis=1), weights=mass[kept])) - mean for far in (np.max, np.min)
    ]
    most, least = (reach[0], reach[1]) if turn > 0 else (reach[1], reach[0])

    def ends(level: float) -> MetricInterval:
        one_sided = (1 + level) / 2
        low, high = moments.ends(one_sided)
        missed = unseen(moments.units, one_sided)
        far = [value + turn * (missed * way if np.isfinite(way) else 0.0) for way in (least, most)]
        return MetricInterval(min(low, far[0]), max(high, far[1]), METHOD)

    return ends


def _losses_of_shares(statistic: SkillStatistic, actual: NDArray[Any], mass: Floats) -> Floats:
    """Return (n,) what the shares of the classes would score, whose mean a skill is relative to."""
    k = statistic.prob.shape[1]
    shares = np.bincount(actual, mass, k) / mass.sum()
    own = shares[actual]
    if statistic.name == "log-loss":
        return np.asarray(-np.log(own), np.float64)
    if k == 2:
        return np.asarray(np.square(1.0 - own), np.float64)
    return np.asarray(1.0 - 2 * own + np.square(shares).sum(), np.float64)


# ---------------------------------------------------------------- tolerance


def equivalence_of(
    part: Predictions,
    params: StatisticParams,
    *,
    tolerance: float,
    level: float,
    resamples: int,
    rng: int,
) -> EquivalenceTest:
    """Return whether the calibration error is shown to be within a tolerance."""
    return calibration_within(
        part,
        tolerance=tolerance,
        view=params.view,
        bins="equal-width:15" if params.bins is None else params.bins,
        level=1 - level,
        resamples=resamples,
        rng=rng,
    )


def takes_equivalence(part: Predictions, metric: Metric, params: StatisticParams) -> bool:
    """Tell whether a bound on a calibration error is a question of `calibration_within`.

    It is of the binned error of one event, with rows that count alike.
    """
    plain = all(
        getattr(params, name) is None
        for name in ("norm", "representative", "threshold", "outcome", "like")
    )
    view = "one-vs-rest" if part.k == 2 else "top-label"
    kind = (params.view or view).partition(":")[0]
    alike = part.counted or np.ptp(part.mass) == 0
    return (
        metric.name == "ece"
        and plain
        and params.distance in (None, "absolute")
        and kind in ("one-vs-rest", "top-label", "top-k")
        and not str(params.bins).startswith("one-per")
        and bool(alike)
    )


# ---------------------------------------------------------------- difference to a baseline


def difference_of(
    pair: Pair,
    metric: Metric,
    params: StatisticParams,
    *,
    threshold: float | None = None,
    resamples: int | None,
    rng: int,
    workers: int | None = None,
) -> Number:
    """Return the model's value minus the baseline's on the same rows, with its bounds."""
    if threshold is not None:
        first, own = _decided(pair.first, params, threshold)
        second, params = _decided(pair.second, params, threshold)[0], own
        pair = Pair(first, second, pair.example)
    target = None if params.view is None else params.view.partition(":")[2] or None
    quantity = quantity_of(metric.name, pair.first, target=target)
    pair, observed = observed_of(pair, quantity)
    value = observed.difference
    if observed.reason is not None:
        reason = observed.reason

        def undefined(_: float) -> MetricInterval:
            return MetricInterval(np.nan, np.nan, reason=reason)

        return Bounded(value, reason, undefined)
    if pair.first.fold is None and pair.first.repeat is None:
        bounded = (
            _difference_of_accuracies(pair, quantity, value)
            or _difference_of_areas(pair, quantity, value, target)
            or _difference_of_means(pair, quantity, observed)
        )
        if bounded is not None:
            return bounded

    def compared(level: float) -> MetricInterval:
        answer = compare(
            {"model": pair.first, "baseline": pair.second},
            metrics=metric.name,
            target=target,
            adjust=None,
            level=level,
            resamples=resamples,
            rng=rng,
            workers=workers,
        ).pairs[0]
        low, high = answer.interval_range
        return MetricInterval(low, high, answer.method, answer.reason)

    return Bounded(value, None, compared)


def _difference_of_accuracies(pair: Pair, quantity: Quantity, value: float) -> Number | None:
    """Return the difference of two shares, bounded by the rows of which one model is right."""
    if pair.first.weight is not None or pair.repeated:
        return None
    disagreements = _disagreements(pair, quantity)
    if disagreements is None:
        return None
    b, c, n = disagreements

    def of_share(level: float) -> MetricInterval:
        low, high = accuracy_ends(b, c, n, level=level)
        return MetricInterval(low, high, "McNemar's exact test, inverted")

    return Bounded(value, None, of_share)


def _difference_of_areas(
    pair: Pair, quantity: Quantity, value: float, target: str | None
) -> Number | None:
    """Return the difference of two areas, bounded by their placements."""
    if quantity.ratings is None:
        return None
    ends = area_difference_ends(pair, target)
    skewed = Moments.of(
        value,
        area_difference_influence(pair, target),
        mass=pair.first.weight,
        example=pair.example if pair.repeated else None,
    )

    def of_area(level: float) -> MetricInterval:
        low, high, reason = ends(level)
        if reason is None:  # the wider of both, as placements have long tails
            others = skewed.ends((1 + level) / 2)
            low, high = max(-1.0, min(low, others[0])), min(1.0, max(high, others[1]))
        return MetricInterval(low, high, f"DeLong's test, inverted: {METHOD}", reason)

    return Bounded(value, None, of_area)


def _difference_of_means(pair: Pair, quantity: Quantity, observed: Observed) -> Number | None:
    """Return a difference to which rows add up, or nearly so, bounded by what each adds."""
    value = observed.difference
    if observed.sums is not None:
        sums = observed.sums
        mass = np.ones(len(sums.part)) if sums.mass is None else sums.mass
        with np.errstate(invalid="ignore", divide="ignore"):
            influence = np.where(mass > 0, sums.part / mass, value) - value
        moments = Moments.of(value, influence, mass=mass)
    elif quantity.decisions is not None and pair.n > MOST_REDRAWN:
        first, second = (
            rate_influence(quantity.decisions(table), table.mass)
            for table in (pair.first, pair.second)
        )
        example = pair.example if pair.repeated else None
        moments = Moments.of(value, first - second, mass=pair.first.weight, example=example)
    else:
        return None

    def of_mean(level: float) -> MetricInterval:
        low, high = moments.ends((1 + level) / 2)
        return MetricInterval(low, high, f"paired rows: {METHOD}")

    return Bounded(value, None, of_mean)


# Rates that divide by the rows of an actual class, and which side of the class they count.
OF_ACTUAL = {"TPR": (True, True), "FNR": (True, False), "TNR": (False, False), "FPR": (False, True)}


def _disagreements(pair: Pair, quantity: Quantity) -> tuple[int, int, int] | None:
    """Return how many rows count for the first model only, for the second only, and all rows.

    Of shares of the same rows by both models: of all rows, or of those of an actual class. None
    where a rate is no such share.
    """
    tables = (pair.first, pair.second)
    own: Any
    if quantity.name in ("accuracy", "error-rate") and quantity.of_labels and not pair.own_truth:
        right = quantity.name == "accuracy"
        first, second = ((table.predicted == table.actual) == right for table in tables)
        own = np.ones(pair.n, bool)
    elif quantity.decisions is not None:
        sides = [quantity.decisions(table) for table in tables]
        side = sides[0]
        if side.rate not in OF_ACTUAL or side.group.kind != "class":
            return None
        of_class, positive = OF_ACTUAL[side.rate]
        own = (side.actual == side.group.index) == of_class
        first, second = ((one.decision == side.group.index) == positive for one in sides)
    else:
        return None
    b, c = (
        int(np.count_nonzero(own & one & ~other))
        for one, other in ((first, second), (second, first))
    )
    return b, c, int(np.count_nonzero(own))


# ---------------------------------------------------------------- rows that would decide

FARTHEST = 1e6  # times the rows at hand: a plan beyond it is out of reach
ROUNDS = 60  # halvings of the logarithm of that: to the last digit


def scale_that_decides(
    number: Number, *, least: float | None, most: float | None, levels: Mapping[str, float]
) -> float | None:
    """Return how many times the rows decide a rule, if the value stays; None where none would.

    The value is on one side of the bounds: there the bound that is wider than the distance to the
    rule must shrink below it.
    """

    def decided(scale: float) -> bool:
        low, high = number.wider(levels["pass"], scale)
        if (least is None or low >= least) and (most is None or high <= most):
            return True
        low, high = number.wider(levels["fail"], scale)
        return (least is not None and high < least) or (most is not None and low > most)

    low, high = 1.0, FARTHEST
    if not np.isfinite(number.value) or not decided(high):
        return None
    for _ in range(ROUNDS):
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if decided(middle) else (middle, high)
    return high
