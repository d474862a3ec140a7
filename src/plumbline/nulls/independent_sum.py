"""A statistic as a sum of independent discrete variables: its parts, cumulants and tilts."""

from dataclasses import dataclass, replace
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Cells, Statistic, Wide
from plumbline.errors import ParameterError
from plumbline.jit import compiled
from plumbline.nulls.poisson_binomial import EPS, UNLISTED, poisson_binomial
from plumbline.progress import Progress

STEEPEST = 1e6  # largest tilt, times the range of T: beyond it rounding would be felt
ROUNDED = 4e-15  # values as near as this, relatively, differ by rounding alone
STEPS = 80  # of a search; each halves the interval at the worst


@dataclass(frozen=True, slots=True, eq=False)
class IndependentSum:
    """T = constant + X_1 + ... + X_J for independent discrete X_j, the widest first.

    Attributes
    ----------
    value, log_prob : (atoms,) of all variables, one variable after the other
    start : (J + 1,) where each variable's atoms start
    low, high : (J,) smallest and largest value of each variable
    constant : what is added in any case
    log_finite : logarithm of the probability that T is finite; the rest is conditional on that
    error : bound on the relative error of any product of probabilities
    unlisted : bound on the probability of all atoms that are not listed
    """

    value: Wide
    log_prob: Wide
    start: NDArray[np.int64]
    low: Wide
    high: Wide
    constant: float
    log_finite: float
    error: float
    unlisted: float

    @property
    def size(self) -> int:
        """Number of variables."""
        return len(self.start) - 1

    @property
    def least(self) -> float:
        """The smallest sum there is."""
        return self.constant + float(self.low.sum())

    @property
    def most(self) -> float:
        """The largest sum there is."""
        return self.constant + float(self.high.sum())

    @property
    def owner(self) -> NDArray[np.int64]:
        """(atoms,) which variable an atom belongs to."""
        return np.repeat(np.arange(self.size), np.diff(self.start))

    @property
    def magnitude(self) -> float:
        """Largest absolute value of any partial sum, to which rounding errors are relative."""
        widest = np.maximum(np.abs(self.low), np.abs(self.high)).sum()
        return float(widest) + abs(self.constant)

    def mirrored(self) -> "IndependentSum":
        """Return the distribution of -T, whose upper tail is this one's lower tail."""
        low, high = -self.high, -self.low
        return replace(self, value=-self.value, low=low, high=high, constant=-self.constant)

    def cumulants(self, theta: float) -> tuple[float, float, float, float]:
        """Return K, K', K'' and K''' at theta, where K(theta) = log E exp(theta T)."""
        out = np.zeros(4)
        add_cumulants(self.value, self.log_prob, self.start, theta, out)
        return (
            float(out[0]) + theta * self.constant,
            float(out[1]) + self.constant,
            float(out[2]),
            float(out[3]),
        )

    def tilted(self, theta: float) -> tuple[Wide, Wide]:
        """Return (atoms,) tilted probabilities, and (J,) logarithms of each E exp(theta X)."""
        prob, log_mean = np.empty(len(self.value)), np.empty(self.size)
        tilt_atoms(self.value, self.log_prob, self.start, theta, prob, log_mean)
        return prob, log_mean

    def tilt_to(self, target: float, *, within: float = 1e-3) -> float:
        """Return the theta >= 0 under which the mean is `target`, STEEPEST at the far end.

        `within` is how many standard deviations it may be off. Any theta gives true bounds, a good
        one gives tight ones; an approximation will do there.
        """
        _, mean, variance, _ = self.cumulants(0.0)
        if target <= mean or variance <= 0:
            return 0.0
        low, high = 0.0, (target - mean) / variance
        largest = STEEPEST / (self.most - self.least)
        while high < largest and self.cumulants(high)[1] < target:
            low, high = high, 2.0 * high
        theta = min(high, largest)
        for _ in range(STEPS):
            _, mean, variance, _ = self.cumulants(theta)
            if abs(mean - target) <= within * np.sqrt(variance) or high - low <= 1e-15 * high:
                break
            low, high = (theta, high) if mean < target else (low, theta)
            step = theta + (target - mean) / variance if variance > 0 else high
            theta = step if low < step < high else (low + high) / 2
        return theta

    def reach(self, theta: float, log_mass: float) -> tuple[float, float]:
        """Return (u, P) with P(T >= u) <= P under the tilt, where log P is about `log_mass`.

        Chernoff's bound: P(T >= u) <= exp(K(theta + s) - K(theta) - s u) for every s >= 0.
        """
        level, _, variance, _ = self.cumulants(theta)
        low, high = 0.0, np.inf
        s = float(np.sqrt(-2.0 * log_mass / variance))
        for _ in range(STEPS):
            total, mean, _, _ = self.cumulants(theta + s)
            result = total - level - s * mean
            if log_mass - 2.0 <= result <= log_mass:
                return mean, float(np.exp(result))
            if result > log_mass and (self.most - mean) <= 1e-9 * np.sqrt(variance):
                break
            low, high = (low, s) if result < log_mass else (s, high)
            s = 2.0 * s if np.isinf(high) else (low + high) / 2
        return self.most + 1e-9 * np.sqrt(variance), 0.0


def sum_of(
    value: Wide,
    log_prob: Wide,
    count: NDArray[np.int64],
    *,
    log_finite: float,
    error: float,
    unlisted: float,
    constant: float = 0.0,
) -> IndependentSum:
    """Put variables of `count` atoms each together; those of one value go to the constant."""
    start = np.cumsum(count) - count
    low = np.minimum.reduceat(value, start) if len(count) else np.empty(0)
    high = np.maximum.reduceat(value, start) if len(count) else np.empty(0)
    fixed = high - low <= ROUNDED * np.maximum(np.abs(low), np.abs(high))
    order = np.argsort(low - high, kind="stable")
    order = order[~fixed[order]]
    kept = count[order]
    ends = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64)
    atom = np.arange(ends[-1]) + np.repeat(start[order] - ends[:-1], kept)
    return IndependentSum(
        value[atom],
        log_prob[atom],
        ends,
        low[order],
        high[order],
        constant + fsum(low[fixed].tolist()),
        log_finite,
        error,
        unlisted,
    )


@compiled
def add_cumulants(
    value: Wide, log_prob: Wide, start: NDArray[np.int64], theta: float, out: Wide
) -> None:
    """Add the first cumulants of every variable, tilted by theta."""
    for j in range(len(start) - 1):
        first, stop = start[j], start[j + 1]
        top = -np.inf
        for a in range(first, stop):
            top = max(top, log_prob[a] + theta * value[a])
        total, mean = 0.0, 0.0
        for a in range(first, stop):
            w = np.exp(log_prob[a] + theta * value[a] - top)
            total += w
            mean += w * value[a]
        mean /= total
        second, third = 0.0, 0.0
        for a in range(first, stop):
            w = np.exp(log_prob[a] + theta * value[a] - top)
            gap = value[a] - mean
            second += w * gap * gap
            third += w * gap * gap * gap
        out[0] += top + np.log(total)
        out[1] += mean
        out[2] += second / total
        out[3] += third / total


@compiled
def tilt_atoms(
    value: Wide,
    log_prob: Wide,
    start: NDArray[np.int64],
    theta: float,
    prob: Wide,
    log_mean: Wide,
) -> None:
    """Fill the tilted probabilities of the atoms and log E exp(theta X) of the variables."""
    for j in range(len(start) - 1):
        first, stop = start[j], start[j + 1]
        top = -np.inf
        for a in range(first, stop):
            top = max(top, log_prob[a] + theta * value[a])
        total = 0.0
        for a in range(first, stop):
            prob[a] = np.exp(log_prob[a] + theta * value[a] - top)
            total += prob[a]
        for a in range(first, stop):
            prob[a] /= total
        log_mean[j] = top + np.log(total)


TIE = 1e-12  # values T closer to each other than this, times 1 + |T|, are equal


ROUNDS = 12  # each can make further values decisive, so later ones seldom find any


@dataclass(frozen=True, slots=True, eq=False)
class Conditioned:
    """P(T >= target) = sure + open P(T' >= target).

    Attributes
    ----------
    sure : probability that a value is drawn with which the target is reached in any case
    open : probability that no value is drawn that decides by itself
    total : T', T on the condition that no such value is drawn
    """

    sure: float
    open: float
    total: IndependentSum


def conditioned(total: IndependentSum, target: float) -> Conditioned:
    """Set apart all values with which T reaches the target for sure, or cannot reach it.

    A value x of X_j is sure where x + (sum of the others' least values) >= target, and vain where
    x + (sum of their largest) < target. What is left lies within target minus least of T, however
    large the values set apart are: no rounding and no bound is relative to those. Their
    probability is 1 - prod (1 - P_j), summed by logarithms, so it keeps its digits if it is small.
    """
    sure, log_open = 0.0, 0.0
    for _ in range(ROUNDS):
        vain = _decisive(-total.value, -total.high, -total.constant, total.owner, -target)
        total, log_kept = _without(total, vain)
        log_open += log_kept
        wins = _decisive(total.value, total.low, total.constant, total.owner, target)
        total, log_kept = _without(total, wins)
        sure -= float(np.exp(log_open) * np.expm1(log_kept))
        log_open += log_kept
        if log_open == -np.inf or not (vain.any() or wins.any()):
            break
    return Conditioned(sure, float(np.exp(log_open)), total)


def capped(total: IndependentSum, most: float) -> Conditioned:
    """Set apart only the values with which T surely exceeds `most`: P(T >= t) for all t <= most."""
    wins = _decisive(total.value, total.low, total.constant, total.owner, most)
    rest, log_open = _without(total, wins)
    return Conditioned(-float(np.expm1(log_open)), float(np.exp(log_open)), rest)


def _decisive(
    value: Wide, low: Wide, constant: float, owner: NDArray[np.int64], target: float
) -> NDArray[np.bool_]:
    """Tell which values exceed the target with the others' least, beyond any rounding."""
    rest = float(low.sum()) - low + constant
    terms = abs(target) + abs(constant) + float(np.abs(low).sum())
    margin = 4.0 * EPS * ((len(low) + 1) * terms + np.abs(value))
    out: NDArray[np.bool_] = value + rest[owner] > target + margin
    return out


def _without(total: IndependentSum, out: NDArray[np.bool_]) -> tuple[IndependentSum, float]:
    """Return T on the condition that no value of `out` is drawn, and that condition's log P."""
    if not out.any():
        return total, 0.0
    owner = total.owner
    prob = np.exp(total.log_prob)
    left = np.bincount(owner[out], prob[out], minlength=total.size)
    kept = np.bincount(owner[~out], prob[~out], minlength=total.size)
    with np.errstate(divide="ignore"):
        log_kept = np.where(left < 0.5, np.log1p(-np.minimum(left, 0.5)), np.log(kept))
    log_all = float(log_kept.sum())
    if log_all == -np.inf:
        return total, log_all
    rest = sum_of(
        total.value[~out],
        total.log_prob[~out] - log_kept[owner[~out]],
        np.bincount(owner[~out], minlength=total.size),
        log_finite=total.log_finite,
        error=total.error,
        unlisted=total.unlisted,
        constant=total.constant,
    )
    return rest, log_all


MOST_ATOMS = 4_000_000  # possible labels of all points, for memory's and patience's sake
MOST_BINS = 1_000  # each bin's distribution is kept; bounds memory and time
MOST_COUNTED = 2_000_000  # rows that a counted table stands for


def why_not_exact(statistic: Statistic) -> str | None:
    """Return why a statistic has no exact null, or None if it has one.

    The words complete "resampled, because ...".

    Parameters
    ----------
    statistic : Statistic
        As returned by `plumbline.calibration.statistic`.

    Returns
    -------
    str or None
        The reason; None if there is an exact null.

    Examples
    --------
    >>> import plumbline as pb
    >>> from plumbline.calibration import define_error, statistic
    >>> data = pb.Predictions.from_arrays([1, 0, 0], [0.9, 0.5, 0.2])
    >>> why_not_exact(statistic(data, define_error(data))) is None
    True
    """
    cells = statistic.cells
    if statistic.groups is not None:
        return "rows of a group depend on each other"
    if cells is None:
        each = np.count_nonzero(statistic.prob, axis=1)
        many = int(each.sum() if statistic.count is None else each @ statistic.count) > MOST_ATOMS
        return "there are too many points for an exact null" if many else None
    if cells.norm != 1:
        return "a norm other than 1 is not a sum over bins"
    if statistic.value is not None:
        return "some rows share a bin for each class, so the bins are not independent"
    if statistic.prob.shape[1] != 2:
        return "a row counts in a bin of every class, so the bins are not independent"
    pairs = _pairs(statistic, cells)
    if len(pairs) > MOST_BINS:
        return f"there are more than {MOST_BINS:,} bins"
    if any(_shared(pairs[:, c]) for c in (0, 1)):
        return "the bins of the two classes do not hold the same rows"
    if statistic.count is not None:
        many = statistic.count.sum() > MOST_COUNTED
        return "there are too many rows for an exact null" if many else None
    if statistic.weight is not None and _mixed_weights(statistic, cells):
        return "rows of one bin differ in weight"
    return None


def parts_of(statistic: Statistic, *, progress: Progress | None = None) -> IndependentSum:
    """Return the statistic, as a function of labels drawn from `prob`, as an independent sum."""
    reason = why_not_exact(statistic)
    if reason is not None:
        raise ParameterError(
            f"there is no exact null here: {reason}; use the resampled null",
            code="no-exact-null",
        )
    if statistic.cells is None:
        return _of_points(statistic)
    return _of_bins(statistic, statistic.cells, progress)


def _counts(statistic: Statistic, cells: Cells) -> NDArray[np.bool_]:
    """Tell which rows count in any bin."""
    inside: NDArray[np.bool_] = (cells.number != 0).any(axis=1)
    return inside if statistic.weight is None else inside & (statistic.weight > 0)


def _pairs(statistic: Statistic, cells: Cells) -> NDArray[Any]:
    """Return (bins, 2) cells of the two classes that rows share."""
    code = _codes(cells)
    size = len(cells.total)
    result = np.unique(code[_counts(statistic, cells)])
    return np.column_stack([result // size, result % size])


def _codes(cells: Cells) -> NDArray[np.int64]:
    number = cells.number.astype(np.int64)
    return number[:, 0] * len(cells.total) + number[:, 1]


def _shared(cell: NDArray[Any]) -> bool:
    """Tell whether a cell, other than nobody's, occurs in two pairs."""
    real = cell[cell > 0]
    return len(np.unique(real)) < len(real)


def _mixed_weights(statistic: Statistic, cells: Cells) -> bool:
    rows = _counts(statistic, cells)
    _, home = np.unique(_codes(cells)[rows], return_inverse=True)
    weight = np.asarray(statistic.weight)[rows]
    least = np.full(home.max() + 1, np.inf)
    np.minimum.at(least, home, weight)
    return bool((weight > least[home]).any())


def _normalised(statistic: Statistic) -> Wide:
    prob: Wide = statistic.prob.astype(np.float64)
    prob /= prob.sum(axis=1, keepdims=True)
    return prob


def _of_bins(statistic: Statistic, cells: Cells, progress: Progress | None) -> IndependentSum:
    """Return one variable per bin: a function of its number of hits, which is Poisson-binomial."""
    prob = _normalised(statistic)
    rows = np.flatnonzero(_counts(statistic, cells))
    count = statistic.count
    pairs, home = np.unique(_codes(cells)[rows], return_inverse=True)
    order = np.argsort(home.astype(np.int16), kind="stable")  # few bins: one pass over the rows
    groups = np.split(rows[order], np.cumsum(np.bincount(home))[:-1])
    values, logs, errors, unlisted = [], [], [], 0.0
    for j, (pair, group) in enumerate(zip(pairs, groups, strict=True)):
        hits = poisson_binomial(
            np.ascontiguousarray(prob[group, 1]),
            np.ascontiguousarray(prob[group, 0]),
            None if count is None else count[group],
        )
        many = len(group) if count is None else int(count[group].sum())
        h = hits.first + np.arange(len(hits.log_prob))
        first, last = divmod(int(pair), len(cells.total))
        values.append(_added(cells, first, (many - h) / many) + _added(cells, last, h / many))
        logs.append(hits.log_prob)
        errors.append(hits.error)
        unlisted += UNLISTED * (len(h) <= many)
        if progress is not None:
            progress(j + 1, len(pairs))
    return _finite_sum(values, logs, error=float(np.sum(errors)), unlisted=unlisted)


def _added(cells: Cells, cell: int, y: Wide) -> Wide:
    """Return what a cell adds for outcome shares y."""
    if cell == 0:
        return np.zeros(len(y))
    distance = cells.distance(y, cells.mean[cell], cells.rest[cell])
    return np.asarray(cells.share[cell] * distance, np.float64)


def _finite_sum(
    values: list[Wide], logs: list[Wide], *, error: float, unlisted: float
) -> IndependentSum:
    """Set infinite values aside: the sum is conditional on none of them."""
    log_finite = 0.0
    for j, (value, log_prob) in enumerate(zip(values, logs, strict=True)):
        finite = np.isfinite(value)
        if not finite.all():
            log_share = float(np.log(np.exp(log_prob[finite]).sum()))
            log_finite += log_share
            values[j], logs[j] = value[finite], log_prob[finite] - log_share
    count = np.array([len(value) for value in values], np.int64)
    atoms = np.concatenate([np.empty(0), *values]), np.concatenate([np.empty(0), *logs])
    return sum_of(*atoms, count, log_finite=log_finite, error=error, unlisted=unlisted)


def _of_points(statistic: Statistic) -> IndependentSum:
    """Return one variable per row, or one for all rows that are alike and have two values."""
    value, times = np.asarray(statistic.value), statistic.count
    prob = _normalised(statistic)
    if times is not None:
        there = times > 0
        value, prob, times = value[there], prob[there], times[there]
    possible = prob > 0
    live = possible & np.isfinite(value)
    share = np.where((possible & ~live).any(axis=1), np.where(live, prob, 0.0).sum(axis=1), 1.0)
    with np.errstate(divide="ignore"):
        log_share = np.log(share)
        log_finite = float(log_share.sum() if times is None else log_share @ times)
        log_prob = np.log(prob) - np.log(share)[:, None]
    two = live.sum(axis=1) == 2
    others = live & ~two[:, None]
    count = others.sum(axis=1)
    pair = value[two][live[two]].reshape(-1, 2)
    own = None if times is None else times[two]
    values, logs, counts, error, unlisted = _of_pairs(
        pair if own is None else pair / own[:, None], log_prob[two][live[two]].reshape(-1, 2), own
    )
    return sum_of(
        np.concatenate([value[others], *values]),
        np.concatenate([log_prob[others], *logs]),
        np.concatenate([count[count > 0], counts]).astype(np.int64),
        log_finite=log_finite,
        error=error + 4 * EPS * len(value),
        unlisted=unlisted,
    )


def _of_pairs(
    value: Wide, log_prob: Wide, count: Wide | None
) -> tuple[list[Wide], list[Wide], list[int], float, float]:
    """Return the atoms of rows of two values, (rows, 2); rows alike become one count of hits.

    `count` (rows,) is the number of identical rows of each.
    """
    order = np.argsort(value, axis=1, kind="stable")
    key = np.column_stack(
        [np.take_along_axis(value, order, 1), np.take_along_axis(log_prob, order, 1)]
    )
    kind, home, times = np.unique(key, axis=0, return_inverse=True, return_counts=True)
    if count is not None:
        times = np.bincount(home.ravel(), count, len(kind)).astype(np.int64)
    single = kind[times == 1]
    values, logs = [single[:, :2].ravel()], [single[:, 2:].ravel()]
    counts, error, unlisted = [2] * len(single), 0.0, 0.0
    for (low, high, log_miss, log_hit), m in zip(kind[times > 1], times[times > 1], strict=True):
        hits = poisson_binomial(np.full(m, np.exp(log_hit)), np.full(m, np.exp(log_miss)))
        h = hits.first + np.arange(len(hits.log_prob))
        values.append(low * (m - h) + high * h)
        logs.append(hits.log_prob)
        counts.append(len(h))
        error += hits.error
        unlisted += UNLISTED * (len(h) <= m)
    return values, logs, counts, error, unlisted
