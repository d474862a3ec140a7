"""What a recalibration would have to change: estimates, not distances; each has its best value."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Wide
from plumbline.calibration.looks import Look
from plumbline.calibration.profiles import (
    Error,
    Profile,
    ProfileStatistic,
    Rule,
    profile_statistic,
)
from plumbline.calibration.settings import Setting
from plumbline.calibration.slope import estimates_of, freedom_of
from plumbline.predictions import Predictions


def calibration_in_the_large(profile: Profile) -> Error:
    """Return mean y - mean p: how much oftener the event happened than was said (best: 0).

    >>> from plumbline import Predictions
    >>> from plumbline.calibration import profile_statistic, setting
    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    >>> float(observed(profile_statistic(data, setting(data), calibration_in_the_large)))
    0.25
    """
    expected, total = profile.weight @ profile.score, profile.weight.sum()
    return lambda hits: np.asarray((hits.sum(axis=0) - expected) / total)


def observed_to_expected(profile: Profile) -> Error:
    """Return sum y / sum p, the O/E ratio (best: 1).

    Infinite where nothing was expected and something happened, NaN where neither.
    """
    expected = profile.weight @ profile.score

    def error(hits: Wide) -> Wide:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(hits.sum(axis=0) / expected)

    return error


def calibration_intercept(profile: Profile) -> Error:
    """Return a of logit P(y = 1) = a + logit p, by maximum likelihood (best: 0).

    The slope is held at 1 (Cox 1958; Steyerberg 2009 calls it calibration in the large). Rows of
    probability 0 or 1 count for nothing. Infinite where every event happened or none; NaN where no
    row is left.
    """
    logits = _Logits.of(profile)
    return lambda hits: logits.intercept(hits)


def calibration_slope(profile: Profile) -> Error:
    """Return b of logit P(y = 1) = a + b logit p, by maximum likelihood (best: 1).

    Below 1 the probabilities are too extreme, above 1 not extreme enough (Cox 1958). Rows of
    probability 0 or 1 count for nothing. All of one logit cannot tell a slope, which then stays 1.
    Infinite where the logits separate the outcomes; NaN where every event happened or none, and
    where no row is left.
    """
    logits = _Logits.of(profile)
    return lambda hits: logits.joint(hits)[1]


def cox_intercept(profile: Profile) -> Error:
    """Return a of logit P(y = 1) = a + b logit p, both by maximum likelihood (best: 0).

    The intercept of the joint fit (Cox 1958): the log odds of the event where p is 1/2. Rows of
    probability 0 or 1 count for nothing; where all logits are one the slope stays 1. Infinite where
    every event happened or none; NaN where the logits separate the outcomes, and where no row is
    left.
    """
    logits = _Logits.of(profile)
    return lambda hits: logits.joint(hits)[0]


def estimate_statistic(data: Predictions, chosen: Setting, rule: Rule) -> ProfileStatistic:
    """Return a logistic estimate of a view, by the logits of its rows, as a function of the labels.

    `profile_statistic` would take rows whose scores are rounded to 1 for one score; their logits
    differ still, and a slope depends on them. Raises InputError without probabilities or weight.

    >>> from plumbline.calibration import setting
    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1, 0, 1, 1, 0], [0.2, 0.2, 0.2, 0.8, 0.8, 0.8])
    >>> what = estimate_statistic(data, setting(data), calibration_slope)
    >>> round(float(observed(what)), 6)
    0.5
    """
    return profile_statistic(data, chosen, rule, placing=_logit_profile)


def _logit_profile(look: Look, weight: Wide | None) -> tuple[Profile, NDArray[np.int64]]:
    """Return the distinct logits of rows that have weight, and every row's place, -1 for none.

    Its score and rest are those of a row with the logit, whose sums are of all of them.
    """
    with np.errstate(divide="ignore"):
        logit = np.log(look.score.astype(np.float64)) - np.log(look.rest.astype(np.float64))
    mass = np.ones(len(logit)) if weight is None else weight
    kept = mass > 0
    _, first, place = np.unique(logit[kept], return_index=True, return_inverse=True)
    group = np.full(len(kept), -1, np.int64)
    group[kept] = place
    score, rest = (part[kept][first].astype(np.float64) for part in (look.score, look.rest))
    whole = np.bincount(place, mass[kept], len(first)).astype(np.float64)
    return Profile(score, rest, whole), group


@dataclass(frozen=True, slots=True, eq=False)
class _Logits:
    """The scores of a profile that have a logit.

    Attributes
    ----------
    known : (g,) which scores; logit, weight : theirs
    freedom : 2, 1 where all logits are one, 0 where there is none
    """

    known: NDArray[np.bool_]
    logit: Wide
    weight: Wide
    freedom: int

    @classmethod
    def of(cls, profile: Profile) -> "_Logits":
        known = (profile.score > 0) & (profile.rest > 0)
        logit = np.log(profile.score[known]) - np.log(profile.rest[known])
        return cls(known, logit, profile.weight[known], freedom_of(logit))

    def intercept(self, hits: Wide) -> Wide:
        """Return (draws,) intercepts for a slope of 1."""
        return np.asarray(self._fitted(hits, min(self.freedom, 1))[0])

    def joint(self, hits: Wide) -> Wide:
        """Return (2, draws) intercepts and slopes of the joint fit."""
        return self._fitted(hits, self.freedom)

    def _fitted(self, hits: Wide, freedom: int) -> Wide:
        return estimates_of(hits[self.known], self.logit, self.weight, freedom)
