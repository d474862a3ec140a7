"""The exact null: bounds of tail probabilities that hold with certainty."""

from dataclasses import dataclass, replace

import numpy as np

from plumbline._checks import shorten
from plumbline.calibration import Statistic, Wide
from plumbline.errors import ParameterError
from plumbline.nulls.fourier import tail_by_fourier, upper_tail_curve
from plumbline.nulls.independent_sum import TIE, IndependentSum, capped, conditioned, parts_of
from plumbline.nulls.poisson_binomial import EPS, TINY
from plumbline.progress import Progress

AT_ONCE = 20  # times as many sums as are kept may be looked at in one step
SAME = 2e-15  # sums closer than this, relatively, are one: they differ by rounding


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Distinct partial sums with their probabilities.

    Attributes
    ----------
    value, prob : the sums in increasing order
    left_out : probability of the sums that were not worth listing
    """

    value: Wide
    prob: Wide
    left_out: float

    def without_unlikely(self, mass: float) -> "Listing":
        """Leave out the least likely sums, `mass` of them at most."""
        small = self.prob < mass / max(len(self.prob), 1)
        if not small.any():
            return self
        out = self.left_out + float(self.prob[small].sum())
        return Listing(self.value[~small], self.prob[~small], out)


def listed(
    total: IndependentSum, prob: Wide, *, left_out: float, most: int, work: int
) -> Listing | None:
    """Return the whole distribution, or None where it takes more than `most` distinct sums."""
    result = Listing(np.zeros(1), np.ones(1), 0.0)
    for j in range(total.size):
        own = slice(total.start[j], total.start[j + 1])
        step = len(result.value) * len(total.value[own])
        work -= step
        if work < 0 or step > AT_ONCE * most:
            return None
        value = (total.value[own][:, None] + result.value).ravel()
        mass = (prob[own][:, None] * result.prob).ravel()
        value, mass, _ = merged(value, mass, SAME * np.abs(value).max())
        result = Listing(value, mass, result.left_out).without_unlikely(left_out / total.size)
        if len(result.value) > most:
            return None
    return replace(result, value=result.value + total.constant)


def merged(value: Wide, prob: Wide, same: float) -> tuple[Wide, Wide, float]:
    """Return sums in increasing order, those as near as `same` as one, and the most one moved."""
    if len(value) == 0:
        return value, prob, 0.0
    order = np.argsort(value, kind="stable")  # quick on rows that are sorted already
    value, prob = value[order], prob[order]
    first = np.flatnonzero(np.diff(value, prepend=-np.inf) > same)
    last = np.append(first[1:], len(value)) - 1
    moved = float((value[last] - value[first]).max())
    return value[first], np.add.reduceat(prob, first), moved


class Ahead:
    """What the variables from the j-th on add to a partial sum, for every j up to their number.

    Attributes
    ----------
    low, high : (J + 1,) the least and the most they add, rounded outward
    log_mean : (J + 1,) logarithm of E exp(theta X) of their sum
    """

    def __init__(self, total: IndependentSum, log_mean: Wide) -> None:
        terms = np.arange(total.size, -1, -1) * EPS
        self.low = after(total.low) - terms * after(np.abs(total.low))
        self.high = after(total.high) + terms * after(np.abs(total.high))
        self.log_mean = after(log_mean)


def after(value: Wide) -> Wide:
    """Return (J + 1,) sums of the values from the j-th on, the last of them 0."""
    return np.append(np.cumsum(value[::-1])[::-1], 0.0)


def tail_listed(
    total: IndependentSum, target: float, theta: float, *, left_out: float, most: int, work: int
) -> tuple[float, float] | None:
    """Return bounds of E exp(-theta (T - target)) 1{T >= target} under the tilt theta.

    Branch and bound: a partial sum from which the target is reached in any case, or in none, is
    settled at once, so that only sums of the target's own size are ever merged, and rounding is
    relative to it. None where more than `most` sums are undecided at a time.
    """
    prob, log_mean = total.tilted(theta)
    ahead = Ahead(total, log_mean)
    goal = target - total.constant
    value, mass = np.zeros(1), np.ones(1)
    low, high, lost, drift = 0.0, 0.0, 0.0, EPS * (abs(target) + abs(total.constant))
    for j in range(total.size):
        own = np.arange(total.start[j], total.start[j + 1])
        rare = prob[own] < left_out / (2 * len(prob))
        lost += float(prob[own[rare]].sum())
        own = own[~rare]
        step = len(value) * len(own)
        work -= step
        if work < 0 or step > AT_ONCE * most:
            return None
        value = (total.value[own][:, None] + value).ravel()
        mass = (prob[own][:, None] * mass).ravel()
        doubt = drift + EPS * np.abs(value)  # the last addition's rounding
        reached = value + ahead.low[j + 1] >= goal + doubt
        gap = theta * (value[reached] - goal) + ahead.log_mean[j + 1]
        factor = np.exp(-gap)
        low += float(mass[reached] @ (factor * np.exp(-theta * doubt[reached])))
        high += float(mass[reached] @ (factor * np.exp(theta * doubt[reached])))
        open_ = ~reached & (value + ahead.high[j + 1] >= goal - doubt)
        if not open_.any():
            return low, high + lost
        scale = float(np.abs(value[open_]).max())
        value, mass, moved = merged(value[open_], mass[open_], SAME * max(scale, abs(goal)))
        drift += moved + EPS * scale
        kept = Listing(value, mass, lost).without_unlikely(left_out / (2 * total.size))
        value, mass, lost = kept.value, kept.prob, kept.left_out
        if len(value) > most:
            return None
    return low, high + float(mass.sum()) + lost


SHORT = {"most": 20_000, "work": 5_000_000}  # sums that are listed before anything else is tried
LONG = {"most": 1_000_000, "work": 40_000_000}  # and those listed where all else was not enough
ROUGH = 0.5  # largest relative gap of bounds to ask for, however little a part matters
HALVINGS = 1100  # from the largest number there is to 1
FAR = 3.0  # standard deviations below the mean from where the other tail is the smaller

Bounds = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class ExactNull:
    """The distribution of a statistic if the probabilities are calibrated.

    Attributes
    ----------
    mean : E T
    total : T as a sum of independent variables
    tolerance : largest wanted distance of two bounds, relative to the lower one
    """

    mean: float
    total: IndependentSum
    tolerance: float

    def tails(self, value: float) -> tuple[Bounds, Bounds]:
        """Return (low, high) bounds of P(T >= value), and of P(T <= value).

        Equal within 1e-12 (1 + |value|) counts as equal. The exact value lies between the bounds;
        they are wider than the tolerance if it could not be reached.
        """
        infinite = 0.0 - float(np.expm1(self.total.log_finite))
        if np.isposinf(value):
            return (infinite, infinite), (1.0, 1.0)
        slack = TIE * (1.0 + abs(value))
        upper = upper_tail(self.total, value - slack, self.tolerance)
        lower = upper_tail(self.total.mirrored(), -(value + slack), self.tolerance)
        finite = 1.0 - infinite
        return (
            (infinite + finite * upper[0], min(1.0, infinite + finite * upper[1])),
            (finite * lower[0], finite * lower[1]),
        )

    def central_range(self, level: float = 0.95) -> tuple[float, float]:
        """Return (low, high) that T falls below and above with probability (1 - level) / 2 each.

        `low` is the smallest value that T does not exceed with at least that probability, `high`
        the largest that it reaches with at least that. Where there are too many values to list,
        both are approximate: to about three digits, or two where a few values are very likely.
        """
        if not 0 < level < 1:
            raise ParameterError(
                argument="level", rule="between 0 and 1", arrived=shorten(level), code="no-fraction"
            )
        outside = (1.0 - level) / 2.0
        infinite = 0.0 - float(np.expm1(self.total.log_finite))
        finite = 1.0 - infinite
        below, above = outside / finite, (outside - infinite) / finite
        low = high = np.inf
        if below < 1:
            body = capped(self.total, _cap(self.total, (1.0 - below) / 2.0))
            low = _quantile(body.total, below / body.open)
        if above > 0:
            body = capped(self.total, _cap(self.total, above / 4.0))
            high = -_quantile(body.total.mirrored(), (above - body.sure) / body.open)
        return low, high


def exact(
    statistic: Statistic, *, tolerance: float = 1e-3, progress: Progress | None = None
) -> ExactNull:
    """Return the exact null of a statistic that is a sum of independent parts.

    T = sum over bins or points of what each adds, the labels drawn from the probabilities. A bin's
    part is a function of its number of hits, a Poisson-binomial variable; a point's part depends on
    its label alone. A tail probability is tilted exponentially, so that the observed value is in
    the middle of the tilted distribution and small p-values keep their digits, and then either
    listed sum by sum or computed from the characteristic function with Vaaler's polynomials, whose
    errors bound the result. No value is rounded.

    Parameters
    ----------
    statistic : Statistic
        As returned by `plumbline.calibration.statistic`.
    tolerance : float, default 1e-3
        Largest distance of the two bounds of a tail, relative to the lower one.
    progress : callable, optional
        Called with (steps done, steps in all).

    Returns
    -------
    ExactNull
        The null; `tails(value)` gives bounds of P(T >= value) and P(T <= value).

    Raises
    ------
    ParameterError
        Where `why_not_exact` gives a reason.

    Examples
    --------
    >>> import plumbline as pb
    >>> from plumbline.calibration import define_error, statistic
    >>> data = pb.Predictions.from_arrays([1, 0, 0], [0.9, 0.5, 0.2])
    >>> null = exact(statistic(data, define_error(data, bins="one-per-point")))
    >>> [[round(bound, 9) for bound in tail] for tail in null.tails(0.8 / 3)]
    [[1.0, 1.0], [0.72, 0.72]]
    """
    if not tolerance > 0:
        raise ParameterError(
            argument="tolerance", rule="above 0", arrived=shorten(tolerance), code="out-of-range"
        )
    total = parts_of(statistic, progress=progress)
    mean = total.cumulants(0.0)[1] if total.log_finite > -EPS else np.inf
    return ExactNull(mean, total, tolerance)


def upper_tail(total: IndependentSum, target: float, tolerance: float) -> Bounds:
    """Return bounds of P(T >= target)."""
    if target <= total.least:
        return 1.0, 1.0
    split = conditioned(total, target)
    low, high = 0.0, 0.0
    if split.open > 0:
        beside = split.sure / split.open
        low, high = _open_tail(split.total, target, tolerance=tolerance, beside=beside)
    error = 2.0 * total.error + 8 * EPS * (total.size + 100)
    low = (split.sure + split.open * low) * (1.0 - error)
    high = (split.sure + split.open * high) * (1.0 + error) + total.unlisted
    return float(max(0.0, low)), float(min(1.0, high))


def _open_tail(total: IndependentSum, target: float, *, tolerance: float, beside: float) -> Bounds:
    """Return bounds of P(T >= target), where what counts is that added to `beside`."""
    if total.size == 0:
        return (1.0, 1.0) if target <= total.constant else (0.0, 0.0)
    _, mean, variance, _ = total.cumulants(0.0)
    if target < mean - FAR * np.sqrt(variance):  # 1 - P >= 1/2 + P, for P < 1/4 by Cantelli
        low, high = _far_tail(total.mirrored(), -target, tolerance=tolerance, beside=beside + 0.5)
        return max(0.0, 1.0 - high - EPS), min(1.0, 1.0 - low + EPS)
    return _far_tail(total, target, tolerance=tolerance, beside=beside)


def _far_tail(total: IndependentSum, target: float, *, tolerance: float, beside: float) -> Bounds:
    theta = total.tilt_to(target)
    factor = np.exp(total.cumulants(theta)[0] - theta * target)  # no less than P: Chernoff's bound
    enough = min(ROUGH, tolerance * (1.0 + beside / max(factor, TINY)))
    low, high = _tilted_tail(total, target, theta, enough)
    reach = theta * (total.magnitude + abs(target))
    error = total.error + EPS * (80 * total.size + 8000 + (8 + total.size) * reach)
    low = max(0.0, low) * factor * (1.0 - error)
    return float(min(1.0, low)), float(min(1.0, high * factor * (1.0 + error)))


def _tilted_tail(total: IndependentSum, target: float, theta: float, tolerance: float) -> Bounds:
    """Return bounds of E exp(-theta (T - target)) 1{T >= target} under the tilt theta.

    The cheapest way first; the bounds of all ways hold, so the tightest are what is known.
    """
    variance = total.cumulants(theta)[2]
    expected = 1.0 / (1.0 + 2.5 * theta * np.sqrt(variance))  # if T were nearly normal
    result = (0.0, 1.0)
    for limits in (SHORT, None, LONG):
        new: Bounds | None
        if limits is None:
            new = tail_by_fourier(total, target, theta, tolerance=tolerance, expected=expected)
        else:
            left_out = 0.1 * tolerance * expected
            new = tail_listed(total, target, theta, left_out=left_out, **limits)
            if new is not None and not _tight(new, tolerance):  # the tail is less than expected
                left_out *= max(1e-6, 0.5 * new[0] / expected)
                new = tail_listed(total, target, theta, left_out=left_out, **limits) or new
        if new is not None:
            result = max(result[0], new[0]), min(result[1], new[1])
        if _tight(result, tolerance):
            break
    return result


def _tight(bounds: Bounds, tolerance: float) -> bool:
    return bounds[1] - bounds[0] <= tolerance * bounds[0]


def _cap(total: IndependentSum, level: float) -> float:
    """Return a value, not many times too far above the least, that T reaches with P <= level."""
    span = total.most - total.least
    for _ in range(HALVINGS):
        split = conditioned(total, total.least + span / 2)
        highest = split.sure
        if split.open > 0:
            highest += split.open * _chernoff(split.total, total.least + span / 2)
        if highest > level or span == 0:
            break
        span /= 2
    return total.least + span


def _chernoff(total: IndependentSum, target: float) -> float:
    """Return an upper bound of P(T >= target)."""
    if total.size == 0:
        return float(target <= total.constant)
    theta = total.tilt_to(target)
    return float(np.exp(total.cumulants(theta)[0] - theta * target))


def _quantile(total: IndependentSum, level: float) -> float:
    """Return the smallest q with P(T <= q) >= level, for T finite."""
    if total.size == 0:
        return total.constant
    prob, _ = total.tilted(0.0)
    listing = listed(total, prob, left_out=1e-4 * level, **SHORT)
    if listing is not None:
        reached = np.cumsum(listing.prob) >= level * (1.0 - 1e-12) - listing.left_out
        return float(listing.value[np.argmax(reached)])
    above = upper_tail_curve(total, prob, log_mass=float(np.log(1e-4 * level)))
    low, high = total.least, total.cumulants(0.0)[1]
    while above(high) > 1.0 - level:
        high += 0.5 * (high - low)
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) > 1.0 - level else (low, middle)
    return (low + high) / 2
