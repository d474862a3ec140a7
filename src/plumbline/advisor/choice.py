"""Which map is taken: the paired test of its gain, the choice, and what the choice gains.

The least of many cross-fitted losses looks better than it is (Varma and Simon 2006). So the choice
is repeated without each part in turn, the test whether to recalibrate at all included, and the part
is recalibrated by what was chosen without it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from plumbline.advisor.score_tests import ScoreEvidence
from plumbline.advisor.trials import (
    FEW_NUMBERS,
    MANY_NUMBERS,
    Losses,
    Trial,
    TrialSetup,
)
from plumbline.comparison.results import below
from plumbline.errors import PlumblineError
from plumbline.nulls import TIE
from plumbline.predictions import Predictions
from plumbline.workers import map_pieces

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

    `reason` says why a number is infinite or missing.
    """

    difference: float
    interval_range: tuple[float, float]
    p_value: float
    reason: str | None = None


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
    error = WIDER * float(np.sqrt(apart * effective / (effective - 1)))
    return _of_t(mean, error, float(effective) - 1, level)


def _of_t(mean: float, error: float, free: float, level: float) -> Change:
    from scipy.special import stdtr, stdtrit

    if error <= TIE * (1 + abs(mean)):  # every row changed alike: there is no spread to test by
        same = abs(mean) <= TIE
        return Change(0.0 if same else mean, (mean, mean), 1.0 if same else np.nan)
    half = float(stdtrit(free, (1 + level) / 2)) * error
    p_value = 2 * float(stdtr(free, -abs(mean) / error))
    return Change(mean, (mean - half, mean + half), p_value)


def _infinite(lost: int, left: int) -> Change:
    if lost and left:
        return Change(np.nan, (np.nan, np.nan), np.nan, INFINITE.format("before and after", left))
    end = -np.inf if lost else np.inf
    where = "before" if lost else "after"
    return Change(end, (end, end), 0.0, INFINITE.format(where, lost or left))


# ------------------------------------------------------------------ the choice

# They can leave probabilities as they are, and err by few numbers: that the numbers they fit are
# wrong is enough to take them. Platt scaling of the probability changes even calibrated ones.
CAREFUL = tuple(name for name in FEW_NUMBERS if name != "platt-on-probability")


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One method with its changes.

    Attributes
    ----------
    p_value, adjusted : of what it can correct, alone and among all that was tested
    helps : whether the map is shown to help
    mean : log loss after
    """

    trial: Trial
    losses: Losses
    log_loss: Change
    brier: Change
    p_value: float
    adjusted: float
    helps: bool
    mean: float


def shown_to_help(
    method: str, change: Change, adjusted: float, refuted: float, *, level: float
) -> bool:
    """Return whether a map is shown to lower the log loss.

    The probabilities must be refuted by all tests together (`refuted`, their p-value). Then a map
    helps whose interval lies below 0. Of one of the `CAREFUL`, which fit few numbers and do little
    harm, a lower log loss is enough where the test of these numbers rejects too (`adjusted`): a
    free curve errs by more than a slight miscalibration costs. studies/advisor.py measures it.
    """
    if not (below(refuted, level) and change.difference < 0):
        return False
    return change.interval_range[1] < 0 or (method in CAREFUL and below(adjusted, level))


@dataclass(frozen=True, slots=True, eq=False)
class MethodChoice:
    """The map of least log loss among those that help, others as good, and the one to take."""

    best: Judged
    near: tuple[Judged, ...]
    taken: Judged


def choice_of(
    judged: Sequence[Judged], rows: RowMasses, *, level: float, ratings: bool
) -> MethodChoice | None:
    """Return which map to take, None where it is best to take none.

    It is the one of fewest fitted numbers among the best and those not distinguishable from it:
    that help too, whose difference from the best has an interval that holds 0, and whose log loss
    is higher by no more than `_margin`. Ratings must be mapped, so of theirs the best is taken
    where none helps.
    """
    able = [one for one in judged if one.helps]
    if not able:
        best = min(judged, key=_order) if ratings else None
        return None if best is None else MethodChoice(best, (), best)
    best = min(able, key=_order)
    margin = _margin(best, rows, level)
    near = tuple(
        one
        for one in able
        if one is not best
        and one.mean - best.mean <= margin
        and not _distinguishable(best, one, rows, level)
    )
    return MethodChoice(
        best, near, min((best, *near), key=lambda one: (one.trial.parameters, one.mean))
    )


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


def _distinguishable(best: Judged, other: Judged, rows: RowMasses, level: float) -> bool:
    change = paired_change(best.losses.log_loss, other.losses.log_loss, rows, level=level)
    return below(change.p_value, level)


FitKey = tuple[str, int, int]


# ------------------------------------------------------------------ nested cross-fitting

REACH = 2  # parts on either side of one, in a ring: so many choose for it


@dataclass(frozen=True, slots=True, eq=False)
class Gain:
    """What is gained out of part, and the method that was chosen without each part (None: none).

    `apart` tells whether every choice was without the part. It cannot be where there are two parts,
    or where the others lack a class: then the method chosen by all rows is taken.
    """

    change: Change
    methods: tuple[str | None, ...]
    apart: bool = True


def nested_gain(
    setup: TrialSetup,
    choice: MethodChoice,
    before: Losses,
    rows: RowMasses,
    evidence: ScoreEvidence,
    *,
    level: float,
    workers: int | None,
) -> Gain:
    """Return the change of the log loss by the whole procedure, each part by a choice without it.

    Where the tests without a part do not refute the probabilities, the part stays as it is. Else
    the methods of `_contenders` are judged on the parts next to it (all others of five), by maps
    that have seen neither: a map for every pair of parts.
    """
    if choice.taken.log_loss.reason is not None:  # infinite before: no choice makes a difference
        return Gain(choice.taken.log_loss, ())
    contenders = _contenders(choice)
    part, ratings = setup.cut.part, setup.data.prob is None
    parts = setup.cut.parts
    open_parts = [one for one in range(parts) if ratings or below(evidence.p_value(one), level)]
    fitted = _fitted(setup, [one.trial.method for one in contenders], open_parts, workers)
    after = before.log_loss.copy()
    methods: list[str | None] = [None] * parts
    apart = True
    for one in open_parts:
        inner = _judged_without(setup, contenders, one, fitted, before, rows, evidence, level)
        taken: Judged | None = choice.taken
        apart &= bool(inner)
        if inner:
            where = np.isin(part, _near(one, parts))
            inner_choice = choice_of(inner, rows.only(where), level=level, ratings=ratings)
            taken = None if inner_choice is None else inner_choice.taken
        for contender in contenders:
            if taken is not None and contender.trial.method == taken.trial.method:
                after[part == one] = contender.losses.log_loss[part == one]
                methods[one] = contender.trial.method
    change = paired_change(before.log_loss, after, rows, level=level)
    return Gain(change, tuple(methods), apart)


def _contenders(choice: MethodChoice) -> list[Judged]:
    """Return the methods that compete again: the taken one, the best, and near ones of few numbers.

    Free curves that are no better lose to those anyway, and take most of the time; so do maps of
    k x k numbers, which compete only where one of them was taken.
    """
    taken = choice.taken
    few = [one for one in choice.near if one.trial.method in FEW_NUMBERS and one is not taken]
    slow = taken.trial.method in MANY_NUMBERS or choice.best.trial.method not in MANY_NUMBERS
    return [taken, *([choice.best] if slow and choice.best is not taken else []), *few]


def _near(part: int, parts: int) -> list[int]:
    """Return the parts that choose for one.

    >>> _near(0, 5), _near(0, 10), _near(1, 2)
    ([1, 2, 3, 4], [1, 2, 8, 9], [0])
    """
    steps = range(1, REACH + 1)
    return sorted({(part + sign * step) % parts for step in steps for sign in (1, -1)} - {part})


def _fitted(
    setup: TrialSetup, methods: Sequence[str], open_parts: Sequence[int], workers: int | None
) -> dict[FitKey, Losses | None]:
    """Return the losses of both parts of every pair that is needed, None where no map can be."""
    parts = setup.cut.parts
    pairs = sorted({(min(a, b), max(a, b)) for a in open_parts for b in _near(a, parts)})
    jobs = [(method, *pair) for method in methods for pair in pairs]
    slow = [job for job in jobs if job[0] in MANY_NUMBERS]  # their matrix products take all cores
    quick = [job for job in jobs if job[0] not in MANY_NUMBERS]
    one = partial(_without, setup)
    losses = map_pieces(one, quick, workers=workers) + map_pieces(one, slow, workers=1)
    return dict(zip([*quick, *slow], losses, strict=True))


def _without(setup: TrialSetup, key: FitKey) -> Losses | None:
    try:
        return setup.losses_without(*key)
    except PlumblineError:  # the other parts lack a class, or rows of weight
        return None


def _judged_without(
    setup: TrialSetup,
    contenders: Sequence[Judged],
    part: int,
    fitted: Mapping[FitKey, Losses | None],
    before: Losses,
    rows: RowMasses,
    evidence: ScoreEvidence,
    level: float,
) -> list[Judged]:
    """Return the methods as the parts next to one judge them."""
    number = setup.cut.part
    where = np.isin(number, _near(part, setup.cut.parts))
    some = rows.only(where)
    judged = []
    for one in contenders:
        method = one.trial.method
        loss = np.full(len(number), np.nan)
        for other in _near(part, setup.cut.parts):
            low, high = min(part, other), max(part, other)
            losses = fitted[method, low, high]
            if losses is None:
                break
            inside = np.isin(number, (low, high))
            loss[number == other] = losses.log_loss[number[inside] == other]
        if np.isnan(loss[where]).any():
            continue
        change = paired_change(before.log_loss[where], loss[where], some, level=level)
        adjusted = evidence.of(method, part)[1]
        helps = shown_to_help(method, change, adjusted, evidence.p_value(part), level=level)
        judged.append(
            replace(
                one,
                losses=Losses(loss[where], loss[where]),
                log_loss=change,
                adjusted=adjusted,
                helps=helps,
                mean=some.mean(loss[where]),
            )
        )
    return judged
