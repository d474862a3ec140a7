"""Which map is taken: the change of its log loss, and the choice among the maps that gain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plumbline.advisor.trials import Losses, Trial
from plumbline.comparison.results import below
from plumbline.nulls import TIE
from plumbline.predictions import Predictions

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class RowMasses:
    """Which rows count, and for how much.

    Attributes
    ----------
    mass : (n,) weights; a row of weight 0 is absent
    example : (n,) number of every row's example: what is drawn independently
    counted : whether the weights count identical rows, each an example
    """

    mass: Floats
    example: Ints
    counted: bool = False

    @classmethod
    def of(cls, data: Predictions, example: Ints) -> "RowMasses":
        """Return the masses of a table whose examples have these numbers."""
        return cls(data.mass, example, data.counted)

    def only(self, where: NDArray[np.bool_]) -> "RowMasses":
        """Return those of some rows."""
        return replace(self, mass=self.mass[where], example=self.example[where])

    def number_of(self, where: NDArray[np.bool_]) -> int:
        """Return how many of the rows that count are marked."""
        marked = where & (self.mass > 0)
        return int(self.mass[marked].sum()) if self.counted else int(marked.sum())

    def mean(self, losses: Floats) -> float:
        """Return the weighted mean of the rows that count."""
        kept = self.mass > 0
        return float(np.average(losses[kept], weights=self.mass[kept]))


@dataclass(frozen=True, slots=True)
class Change:
    """A mean difference, after - before, with its interval and two-sided p-value.

    `error` is the standard error while the maps are held fixed; `reason` says why a number is
    infinite or missing.
    """

    difference: float
    interval_range: tuple[float, float]
    p_value: float
    reason: str | None = None
    error: float = np.nan


WIDER = 2**0.5  # how much more a gain spreads than while the maps are held fixed
NOTHING = Change(np.nan, (np.nan, np.nan), np.nan)
INFINITE = (
    "the mean is infinite {}, because the observed class of {:,} of the rows had predicted "
    "probability 0"
)


def paired_change(before: Floats, after: Floats, rows: RowMasses, *, level: float) -> Change:
    """Return the mean of after - before over the rows, by the paired t-test of the examples.

    With D_e the weighted sum of the differences of an example's rows and W_e of their weights, the
    mean is M = sum D_e / sum W_e and its standard error the ratio estimator's

        s^2 = e / (e - 1) sum (D_e - M W_e)^2 / (sum W_e)^2,

    widened by WIDER and compared with Student's t of e - 1 degrees of freedom, e being Kish's
    effective number where examples weigh unequally (Cochran 1977). Where a class of probability 0
    came true the loss is infinite, and so is the difference, with p = 0: no number of rows would
    make it finite.

    Why wider: s holds the maps fixed, as one may where the losses differ by more than the maps do
    (Bayle et al. 2020). What a slight recalibration gains is as small as what the maps err by. Rows
    and maps then spread it alike: with s_j what part j says of a parameter, the gain is a sum of
    s_j s_l over pairs of parts, which counts every pair twice, and so has twice the variance that
    either factor has alone while the other is held fixed. Where the gain is large, the interval is
    wider than it need be.

    >>> rows = RowMasses(np.ones(4), np.arange(4))
    >>> change = paired_change(np.zeros(4), np.array([0.02, 0.05, -0.01, 0.03]), rows, level=0.95)
    >>> round(change.difference, 4), round(change.p_value, 4)
    (0.0225, 0.2928)
    """
    kept = rows.mass > 0
    lost, left = (rows.number_of(np.isinf(losses)) for losses in (before, after))
    if lost or left:
        return _infinite(lost, left)
    weight, difference = rows.mass[kept], after[kept] - before[kept]
    total = weight.sum()
    mean = float(weight @ difference / total)
    if rows.counted:
        effective, squares = total, weight @ np.square(difference - mean)
    else:
        number = np.unique(rows.example[kept], return_inverse=True)[1]
        mass = np.bincount(number, weight)
        effective = mass.sum() ** 2 / np.square(mass).sum()
        squares = np.square(np.bincount(number, weight * difference) - mean * mass).sum()
    if effective <= 1:
        return Change(mean, (np.nan, np.nan), np.nan, "a single example has no variance")
    apart = squares / total**2
    error = float(np.sqrt(apart * effective / (effective - 1)))
    return _of_t(mean, error, float(effective) - 1, level)


def _of_t(mean: float, error: float, free: float, level: float) -> Change:
    from scipy.special import stdtr, stdtrit

    if error <= TIE * (1 + abs(mean)):
        if abs(mean) <= TIE:
            return Change(0.0, (0.0, 0.0), 1.0, error=0.0)
        return Change(mean, (np.nan, np.nan), np.nan, "every row changed by the same amount")
    wide = WIDER * error
    half = float(stdtrit(free, (1 + level) / 2)) * wide
    p_value = 2 * float(stdtr(free, -abs(mean) / wide))
    return Change(mean, (mean - half, mean + half), p_value, error=error)


def _infinite(lost: int, left: int) -> Change:
    if lost and left:
        return Change(np.nan, (np.nan, np.nan), np.nan, INFINITE.format("before and after", left))
    end = -np.inf if lost else np.inf
    where = "before" if lost else "after"
    return Change(end, (end, end), 0.0, INFINITE.format(where, lost or left))


# ------------------------------------------------------------------ the choice


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One method with its changes; `mean` is the log loss after."""

    trial: Trial
    losses: Losses
    log_loss: Change
    brier: Change
    mean: float


@dataclass(frozen=True, slots=True, eq=False)
class MethodChoice:
    """The map of least log loss among those that gain, others as good, and the one to take.

    `passes` tells whether the rows recalibrated by the map that is taken pass the calibration test.
    """

    best: Judged
    near: tuple[Judged, ...]
    taken: Judged
    passes: bool


def choice_of(
    judged: Sequence[Judged],
    rows: RowMasses,
    *,
    level: float,
    ratings: bool,
    passes: Callable[[Judged], bool],
) -> MethodChoice | None:
    """Return which map to take, None where no map lowers the log loss.

    Candidates are the best and those not distinguishable from it: that lower the log loss too,
    whose difference from the best has an interval that holds 0, and whose log loss is higher by no
    more than `_margin`. The one of fewest fitted numbers is taken if the rows that it recalibrates
    pass the calibration test (`passes`): what a map of few numbers leaves shows there long before
    the two log losses can be told apart. Where they fail, only candidates within one standard error
    of the best remain (Breiman et al. 1984): the simplest of them whose rows pass, else the
    simplest. The first that passes ends the search. studies/advisor.py measures it. Ratings must be
    mapped, so of theirs the best is taken where none gains.
    """
    able = [one for one in judged if one.log_loss.difference < 0]
    if not able:
        best = min(judged, key=_order) if ratings else None
        return None if best is None else MethodChoice(best, (), best, passes(best))
    best = min(able, key=_order)
    margin = _margin(best, rows, level)
    near = tuple(
        one
        for one in able
        if one is not best
        and one.mean - best.mean <= margin
        and not _distinguishable(best, one, rows, level)
    )
    simplest = sorted((best, *near), key=lambda one: (one.trial.parameters, one.mean))
    if passes(simplest[0]):
        return MethodChoice(best, near, simplest[0], passes=True)
    good = [one for one in simplest if _as_good(best, one, rows, level)]
    passing = next((one for one in good if one is not simplest[0] and passes(one)), None)
    return MethodChoice(best, near, passing or good[0], passing is not None)


def _order(one: Judged) -> tuple[float, int]:
    return one.mean, one.trial.parameters


def _margin(best: Judged, rows: RowMasses, level: float) -> float:
    """Return the width of the interval of the best one's gain: what these rows tell at all.

    An interval that is wide because the other map fails badly in a few rows is no sign that it is
    as good. Where the gain is infinite, it is the width of the log loss's own interval.
    """
    low, high = best.log_loss.interval_range
    if not np.isfinite(high - low):
        loss = best.losses.log_loss
        low, high = paired_change(np.zeros(len(loss)), loss, rows, level=level).interval_range
    return high - low if np.isfinite(high - low) else 0.0


def _as_good(best: Judged, other: Judged, rows: RowMasses, level: float) -> bool:
    change = paired_change(best.losses.log_loss, other.losses.log_loss, rows, level=level)
    return other is best or change.difference <= change.error


def _distinguishable(best: Judged, other: Judged, rows: RowMasses, level: float) -> bool:
    change = paired_change(best.losses.log_loss, other.losses.log_loss, rows, level=level)
    return below(change.p_value, level)
