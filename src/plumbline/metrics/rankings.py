"""The rankings by name: how well ratings put one class before the rest, whatever their scale."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from plumbline.calibration import (
    ErrorOfHits,
    Profile,
    ProfileRule,
    ProfileStatistic,
    ScoredEvent,
    ViewEvents,
    Wide,
    define_error,
    profile_statistic,
    view_events,
)
from plumbline.calibration.definition import need_weight
from plumbline.calibration.statistics import profiles_of_events
from plumbline.calibration_errors import NamedStatistic, StatisticParams
from plumbline.curves import area_intervals as areas
from plumbline.curves import average_precision_of
from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.metrics.decision_statistic import label_probabilities
from plumbline.metrics.metric import Build, Metric, MetricInterval
from plumbline.metrics.rates import USUAL_CLASS, usual_class
from plumbline.predictions import Predictions, only_predictions

ROUNDING = 1e-12  # of the whole weight: less that is left over is rounding


def concordant_share(profile: Profile) -> ErrorOfHits:
    """Return the area under the ROC curve as a function of the positives at every score.

    sum over pairs of a positive and a negative of [r_i > r_j] + [r_i = r_j] / 2, by their number
    (Hanley and McNeil 1982).
    """
    weight = profile.weight[:, None]

    def value(positive: Wide) -> Wide:
        negative = _rest(weight, positive)
        below = np.cumsum(negative, axis=0) - 0.5 * negative
        pairs = positive.sum(axis=0) * negative.sum(axis=0)
        return _ratio((positive * below).sum(axis=0), pairs)

    return value


def mean_precision(profile: Profile) -> ErrorOfHits:
    """Return the average precision as a function of the positives at every score.

    sum_j (recall_j - recall_j-1) precision_j from the highest score down, without interpolation
    (Boyd, Eng and Page 2013).
    """
    above = np.cumsum(profile.weight[::-1])[:, None]

    def value(positive: Wide) -> Wide:
        gain = positive[::-1]
        precision = np.cumsum(gain, axis=0) / above
        return _ratio((gain * precision).sum(axis=0), positive.sum(axis=0))

    return value


def _rest(weight: Wide, positive: Wide) -> Wide:
    """Return the weight of the negatives, exactly 0 where all rows of a score are positive."""
    rest = weight - positive
    rest[rest < ROUNDING * weight] = 0.0
    return rest


def _ratio(above: Wide, below: Wide) -> Wide:
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)


def _ranked_events(data: Predictions, params: StatisticParams, title: str) -> Iterator[ScoredEvent]:
    """Yield the events whose ranks a view asks for, with what ranks them."""
    definition = define_error(data, params.view or usual_class(data))
    if data.prob is not None:
        yield from view_events(data, definition).events
    elif definition.view == "one-vs-rest":
        yield _class_event(data, data.class_number(definition.target))
    elif definition.view == "classwise":
        yield from (_class_event(data, number) for number in range(data.k))
    else:
        raise InputError(
            f"`view` {quoted(definition.view)} of the {title} ranks rows by the probability of "
            "their most likely class, which ratings do not give; use 'one-vs-rest:CLASS' or "
            "'classwise'",
            code="view-of-ratings",
        )


def area_between(data: Predictions, params: StatisticParams, level: float) -> MetricInterval:
    """Return the interval of the area under the ROC curve, or of the mean of the classes'."""
    try:
        rows = areas.area_rows(data)
    except InputError as error:
        return MetricInterval(np.nan, np.nan, reason=str(error))
    events = [
        (event.event, event.score)
        for event in _ranked_events(data, params, "area under the ROC curve")
    ]
    result = [areas.area_of_rows(*event, **rows) for event in events]
    if len(result) == 1:
        ends, reason = result[0].ends(level=level)
        return MetricInterval(*ends, areas.METHOD_TEXTS["score"], reason)
    parts = np.array([areas.error_parts(*event, **rows) for event in events])
    ends, reason = areas.mean_area_ends(result, parts, level=level)
    return MetricInterval(*ends, areas.OF_MEANS, reason)


def area_one_sided(data: Predictions, params: StatisticParams, level: float) -> MetricInterval:
    """Return the interval of an area whose ends are those of two score intervals that lie further.

    The one has the variance of these placements, the other that of Newcombe's model. With few
    positives the first alone is often too short, on the one side that a bound is about, where
    placements happen to vary little (studies/gate.py wrong).
    """
    found = area_between(data, params, level)
    events = list(_ranked_events(data, params, "area under the ROC curve"))
    if np.isnan(found.low) or len(events) > 1:
        return found
    one = events[0].event, events[0].score
    (low, high), _ = areas.newcombe_ends(*one, level=level, **areas.area_rows(data))
    method = f"{found.method}; Newcombe's method 5 where that reaches further"
    return MetricInterval(min(found.low, low), max(found.high, high), method, found.reason)


def precision_between(data: Predictions, params: StatisticParams, level: float) -> MetricInterval:
    """Return the interval of the average precision of one class."""
    try:
        example = areas.examples_of(data)
    except InputError as error:
        return MetricInterval(np.nan, np.nan, reason=str(error))
    events = list(_ranked_events(data, params, "average precision"))
    if len(events) > 1:
        return MetricInterval(np.nan, np.nan, reason=areas.NO_MEAN_PRECISION)
    event, rating = events[0].event, events[0].score
    value = average_precision_of(event, rating, data.weight)
    codes = data.group_codes
    grouped = None if codes is None else areas.RatedGroups(rating, codes)
    ends, reason = areas.precision_ends(
        value,
        event,
        weight=data.weight,
        example=example if grouped is None else None,
        groups=grouped,
        level=level,
        counted=data.counted,
    )
    method = areas.BINOMIAL if grouped is None else areas.BINOMIAL_IN_GROUPS
    return MetricInterval(*ends, method, reason)


def _ranked(title: str, rule: ProfileRule) -> Build:
    """Return what makes a number of ranks: of probabilities, or of ratings where there are none."""

    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        only_predictions(data).need_one_model(f"the {title}")
        definition = define_error(data, params.view or usual_class(data))
        if data.prob is not None:
            what = profile_statistic(data, definition, rule)
        elif definition.view in ("one-vs-rest", "classwise"):
            what = _of_ratings(data, definition.target, rule)
        else:
            raise InputError(
                f"`view` {quoted(definition.view)} of the {title} ranks rows by the probability "
                "of their most likely class, which ratings do not give",
                remedy="use 'one-vs-rest:CLASS' or 'classwise'",
                code="view-of-ratings",
            )
        return NamedStatistic(title, definition.name, None, None, definition.outcome, what)

    return build


def _of_ratings(data: Predictions, target: str | None, rule: ProfileRule) -> ProfileStatistic:
    """Return a number of the ranks of ratings, of one class or of all in turn."""
    need_weight(data.mass)
    if target is None:
        each = (_class_event(data, number) for number in range(data.k))
        events = ViewEvents(
            label_probabilities(data), data.actual, each, 0, groups=data.group_codes
        )
    else:
        event = _class_event(data, data.class_number(target))
        prob, actual = label_probabilities(data)[:, :2], event.event.astype(np.int32)
        events = ViewEvents(prob, actual, iter([event]), groups=data.group_codes)
    return replace(profiles_of_events(events, data.weight, rule), counted=data.counted)


def _class_event(data: Predictions, number: int) -> ScoredEvent:
    from plumbline.curves import rating  # heavy, and only ratings alone need it
    from plumbline.curves.target_rows import rows_of

    score = rating(rows_of(data, number))[0]
    return ScoredEvent(score, -score, data.actual == number)


ABSENT = "a class has no rows or all of them, so there are no pairs to rank"
RANKINGS = (
    Metric(
        name="roc-auc",
        title="area under the ROC curve",
        kind="ranking",
        better="higher",
        least=0.0,
        most=1.0,
        formula="share of pairs of a positive and a negative that are ranked correctly, ties half",
        reference="Hanley and McNeil 1982",
        build=_ranked("area under the ROC curve", concordant_share),
        usual_view=USUAL_CLASS,
        aliases=("auc", "auroc", "roc-auc-score", "c-statistic", "concordance"),
        needs="ratings",
        gap=ABSENT,
        interval="rows",
        between=area_between,
        one_sided=area_one_sided,
    ),
    Metric(
        name="average-precision",
        title="average precision",
        kind="ranking",
        better="higher",
        least=0.0,
        most=1.0,
        formula="sum_j (recall_j - recall_j-1) precision_j over thresholds, the highest first",
        reference="Boyd, Eng and Page 2013",
        build=_ranked("average precision", mean_precision),
        usual_view=USUAL_CLASS,
        aliases=("ap", "average-precision-score"),
        needs="ratings",
        gap="a class has no rows, so its recall has a zero denominator",
        interval="rows",
        between=precision_between,
    ),
)
