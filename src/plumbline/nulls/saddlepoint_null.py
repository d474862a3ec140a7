"""The asymptotic null: a saddlepoint approximation of tail probabilities."""

from dataclasses import dataclass
from math import erfc, exp, pi, sqrt

import numpy as np

from plumbline._checks import shorten
from plumbline.calibration import Statistic
from plumbline.errors import ParameterError
from plumbline.nulls.independent_sum import (
    STEEPEST,
    TIE,
    IndependentSum,
    capped,
    conditioned,
    parts_of,
)

NEAR = 1e-3  # of the mean, in standard deviations: there the formula is 1/0 - 1/0, so its limit
PRECISE = 1e-9  # standard deviations by which the tilted mean may miss its target
HALVINGS = 60  # more than the 53 bits of a float64 need
FEW = 1e4  # sums, of about equal probability, under which T is too discrete
JUMP = 3.0  # standard deviations of T from which a variable's deviation is a jump
JUMPY = 0.05  # largest share of the variance of T that may come from jumps


@dataclass(frozen=True, slots=True, eq=False)
class SaddlepointNull:
    """The approximate distribution of a statistic if the probabilities are calibrated.

    Attributes
    ----------
    mean : E T
    total : T as a sum of independent variables
    """

    mean: float
    total: IndependentSum

    def tails(self, value: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return P(T >= value) and P(T <= value), each twice, as the exact null has two bounds.

        T is taken as continuous: the two add up to 1 within the range of T.
        """
        infinite = 0.0 - float(np.expm1(self.total.log_finite))
        if np.isposinf(value):
            return (infinite, infinite), (1.0, 1.0)
        upper = infinite + (1.0 - infinite) * _upper(self.total, value)
        lower = (1.0 - infinite) * _upper(self.total.mirrored(), -value)
        return (upper, upper), (lower, lower)

    def central_range(self, level: float = 0.95) -> tuple[float, float]:
        """Return (low, high) that T falls below and above with probability (1 - level) / 2 each."""
        if not 0 < level < 1:
            raise ParameterError(
                argument="level", rule="between 0 and 1", arrived=shorten(level), code="no-fraction"
            )
        outside = (1.0 - level) / 2.0
        finite = float(np.exp(self.total.log_finite))
        low = -_quantile(self.total.mirrored(), outside / finite) if finite > outside else np.inf
        above = (outside - (1.0 - finite)) / finite
        return low, _quantile(self.total, above) if above > 0 else np.inf


def saddlepoint(statistic: Statistic) -> SaddlepointNull:
    """Return the saddlepoint approximation of a null that is a sum of independent parts.

    P(T >= v) is about 1 - Phi(w) + phi(w) (1 / u - 1 / w) with K'(theta) = v, w^2 = 2 (theta v -
    K(theta)) of theta's sign, u = theta sqrt(K''(theta)), K being log E exp(theta T) (Lugannani and
    Rice 1980, "Saddle point approximation for the distribution of the sum of independent random
    variables"). Values so large that one of them decides are set apart first, exactly. The relative
    error falls like 1 / n also far out in the tails, but the formula ignores ties and needs many
    variables of similar influence. It is inaccurate, and refused, where T has few values (few bins
    or equal predictions: exp(sum of entropies) of the variables under 10,000, entropies of order
    2), or where single rows dominate it (over 5 % of the variance is from deviations of more than 3
    standard deviations of T, Lindeberg's condition); lattices of more values, such as predictions
    that are multiples of 0.1, cost it a few percent. `exact` has none of these limits.

    Parameters
    ----------
    statistic : Statistic
        As returned by `plumbline.calibration.statistic`.

    Returns
    -------
    SaddlepointNull
        The null; `tails(value)` gives P(T >= value) and P(T <= value).

    Raises
    ------
    ParameterError
        Where `why_not_exact` gives a reason, or the approximation is inaccurate.

    References
    ----------
    Lugannani and Rice 1980, Saddle point approximation for the distribution of the sum of
    independent random variables.

    Examples
    --------
    >>> import plumbline as pb
    >>> from plumbline.calibration import define_error, statistic
    >>> p = np.arange(1, 200) / 200
    >>> data = pb.Predictions.from_arrays((p > 0.5).astype(int), p)
    >>> null = saddlepoint(statistic(data, define_error(data, bins="one-per-point")))
    >>> round(null.tails(0.36)[0][0], 4)
    0.0314
    """
    total = parts_of(statistic)
    reason = _why_not(total)
    if reason is not None:
        raise ParameterError(
            f"the asymptotic null is inaccurate here: {reason}",
            remedy="use `null='exact'` or 'resample'",
            code="no-asymptotic-null",
        )
    mean = total.cumulants(0.0)[1] if total.log_finite > -1e-15 else np.inf
    return SaddlepointNull(mean, total)


def _why_not(total: IndependentSum) -> str | None:
    """Return why the approximation would be poor, or None where it is good."""
    if total.size == 0:
        return None
    owner, prob = total.owner, np.exp(total.log_prob)
    if -np.log(np.bincount(owner, prob**2)).sum() < np.log(FEW):
        return "the statistic has few different values"
    away = total.value - np.bincount(owner, prob * total.value)[owner]
    share = prob * away**2
    jumps = np.abs(away) > JUMP * np.sqrt(share.sum())
    if share[jumps].sum() > JUMPY * share.sum():
        return "single rows or bins with rare but very large values dominate the statistic"
    return None


def _upper(total: IndependentSum, value: float) -> float:
    """Return about P(T >= value), T being finite."""
    rounding = TIE * (1.0 + abs(value))
    if total.size == 0 or value <= total.least + rounding:
        return float(value <= total.most + rounding)
    if value > total.most + rounding:
        return 0.0
    split = conditioned(total, value)
    return split.sure + split.open * _open_upper(split.total, value)


def _open_upper(total: IndependentSum, value: float) -> float:
    if total.size == 0:
        return float(value <= total.constant)
    if value < total.cumulants(0.0)[1]:
        return 1.0 - _upper_at(total.mirrored(), -value)
    return _upper_at(total, value)


def _upper_at(total: IndependentSum, value: float) -> float:
    return _lugannani_rice(total, total.tilt_to(value, within=PRECISE), value)


def _lugannani_rice(total: IndependentSum, theta: float, value: float) -> float:
    level, _, variance, third = total.cumulants(theta)
    half = theta * value - level
    w = sqrt(2.0 * max(half, 0.0))
    u = theta * sqrt(variance)
    if w < NEAR:
        gap = -third / (6.0 * variance * sqrt(variance))
    elif u < NEAR:  # at the end of the range: all that is left is one value
        return exp(-half)
    else:
        gap = 1.0 / u - 1.0 / w
    return min(1.0, max(0.0, erfc(w / sqrt(2.0)) / 2.0 + exp(-half) / sqrt(2.0 * pi) * gap))


def _quantile(total: IndependentSum, level: float) -> float:
    """Return about the q with P(T >= q) = level: halving over theta, which needs no root for q."""
    if total.size == 0:
        return total.constant
    if level > 0.5:
        return -_quantile(total.mirrored(), 1.0 - level)
    _, mean, variance, _ = total.cumulants(0.0)
    farthest = mean + sqrt(variance / level)  # no quantile is beyond it: Cantelli's inequality
    split = capped(total, farthest)
    if split.total.size == 0 or split.sure >= level:
        return farthest
    return _regular_quantile(split.total, (level - split.sure) / split.open)


def _regular_quantile(total: IndependentSum, level: float) -> float:
    low, high = 0.0, 1.0 / sqrt(total.cumulants(0.0)[2])
    steepest = STEEPEST / (total.most - total.least)
    while high < steepest and _tail_of_tilt(total, high) > level:
        low, high = high, 2.0 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _tail_of_tilt(total, middle) > level else (low, middle)
        if high - low <= 1e-9 * high:
            break
    return total.cumulants((low + high) / 2)[1]


def _tail_of_tilt(total: IndependentSum, theta: float) -> float:
    return _lugannani_rice(total, theta, total.cumulants(theta)[1])
