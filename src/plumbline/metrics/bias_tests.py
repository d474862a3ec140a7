"""The test of a mean alone, on the scales of the metrics that say how far it is off."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from plumbline.calibration import BINARY_VIEWS, Wide, define_error
from plumbline.calibration.slope import fit_of_sums
from plumbline.calibration_errors import Events, OutcomeShares, StatisticParams
from plumbline.metrics.metric import GiveTest, MetricInterval, MetricTest
from plumbline.predictions import Predictions

METHOD = "Wilson's score interval, with the variance of the residuals"
RANGE = 0.95  # of the values that are usual if the mean is right, beside every metric


@dataclass(frozen=True, slots=True, eq=False)
class MeanRows:
    """The rows whose share of an event is tested: (n, 2) `prob`, (n,) `weight`, and the share."""

    prob: Wide
    weight: Wide
    shares: OutcomeShares

    @property
    def mean(self) -> float:
        """The mean probability."""
        return float(self.shares.mean[0])


# (g,) shares of the event, the rows -> the metric's values.
Scale: TypeAlias = Callable[[Wide, MeanRows], Wide]


def mean_tested(scale: Scale, *, null: float, logits: bool = False) -> GiveTest:
    """Return the test of a metric that is `null` if and only if a share is the mean probability.

    The metric rises with the share of the event, so what the test of that share does not reject
    becomes an interval of the metric, and both have one p-value. With `logits` rows of probability
    0 and 1 are left out. A mean over several events has no such test.
    """

    def test(data: Predictions, params: StatisticParams, level: float) -> MetricTest | None:
        if define_error(data, params.view).view not in BINARY_VIEWS:
            return None
        events = Events.of(data, params.view, "the test of a mean")
        kept = (events.prob > 0).all(axis=1) if logits else np.ones(len(events.row), bool)
        if not kept.any():
            return None
        at = slice(None) if kept.all() else kept
        prob, weight, home = events.prob[at], events.weight[at], np.zeros(kept.sum(), np.intp)
        together = None if events.groups is None else events.groups[at]
        shares = OutcomeShares.of(
            *(prob[:, 1], events.observed[at], weight, home, 1),
            counted=events.counted,
            together=together,
        )
        between = np.concatenate([*shares.accepted(RANGE), *shares.interval(level)])
        null_low, null_high, low, high = scale(between, MeanRows(prob, weight, shares)).tolist()
        ends = MetricInterval(low, high, METHOD)
        return MetricTest(null, (null_low, null_high), float(shares.p_value[0]), ends)

    return test


def difference(share: Wide, rows: MeanRows) -> Wide:
    """Return how far shares are above the mean probability."""
    return share - rows.mean


def ratio(share: Wide, rows: MeanRows) -> Wide:
    """Return shares by the mean probability, NaN where that is 0."""
    return share / rows.mean if rows.mean > 0 else np.full(len(share), np.nan)


def intercept(share: Wide, rows: MeanRows) -> Wide:
    """Return by how much all log-odds rise for the mean probability to be a share."""
    logit = np.log(rows.prob[:, 1]) - np.log(rows.prob[:, 0])
    within = (share > 0) & (share < 1)
    sums = np.zeros((2, int(within.sum())))
    sums[0] = share[within] * rows.weight.sum()
    result = np.where(share > 0, np.inf, -np.inf)
    result[within] = fit_of_sums(sums, logit, rows.weight, 1)[0]
    return result
