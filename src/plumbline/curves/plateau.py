"""Thresholds as good as the best one, and the best one's cross-validated value."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline._result import Note
from plumbline.curves.bands import (
    counted_between,
    many_alike,
    replicates,
    undefined_draws,
    units_of,
)
from plumbline.curves.recipe import Recipe, averages_of, states_of
from plumbline.curves.sweep import Key, Stops, Sweep, stopped
from plumbline.curves.target_rows import TargetRows, fold_codes
from plumbline.formatting import counted
from plumbline.predictions import dealt_counts, many_rows, need_single_rows
from plumbline.progress import Progress
from plumbline.random_streams import stream

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.intp]

ROUNDING = 1e-12  # values closer than that, relative to 1 + their size or less, are equal
MOST_TESTED = 2000  # thresholds; of more, so many evenly spread ones are tested, and the best
RULE_OF_THREE = 3  # what was never seen among k rows may still have a probability of 3 / k
RARE = 10  # rows of the kind that counts most, below which they are few
NEAR = 10  # rows next to either end of the order, where rates of a handful of rows jump
MOST_ALONE = 2 * MOST_TESTED  # of more counted rows, those between thresholds are drawn at once
SPAN = 0.75  # share of the thresholds in a window of the smoothed curve
# Of the smoothed curve, whose peak noise has sharpened. Chosen by python studies/plateau.py held:
# the plateau holds the best threshold in .971 of the data sets; .5 held it in .986, .75 and .8 in
# .96, but in .90 on the flattest curve.
SHRUNK = 0.65
FEWEST = 5  # thresholds in a window, where there are so many
PLACES = 100  # at which the smoothed curve is computed; between them it is straight
RIDGE = 1e-9  # so that a parabola through two thresholds is one too
FEW = 0.01  # share of the rows
OFTEN = 0.5  # share of the drawings in which a difference must be defined to be judged
DEALING = 6  # first number of the key of the stream that deals rows into folds
MOST_CHOSEN = 20_000  # thresholds among which those of random folds of counted rows are chosen
MOST_FOLDS = 100  # a table of more, as of leave-one-out, is dealt into few


@dataclass(frozen=True, slots=True, eq=False)
class States:
    """What a formula is worth at every threshold of a sweep.

    Attributes
    ----------
    threshold : (s,) descending; inf where no row is accepted, NaN after rows without a sort value
    value : (s,) of the formula
    allowed : (s,) whether the constraint holds
    sign : 1 where high values are better, -1 where low ones are
    """

    threshold: Floats
    value: Floats
    allowed: Truths
    sign: float

    @property
    def usable(self) -> Truths:
        """(s,) whether a state can be chosen: it has a threshold and a value, and is allowed."""
        return self.allowed & np.isfinite(self.value) & ~np.isnan(self.threshold)

    @property
    def best(self) -> int | None:
        """Number of the best state, None where none can be chosen.

        Of several equally good ones it is the middle of the longest run of neighbours, and of
        several equally long runs the middle run: far from where the value falls.
        """
        usable = self.usable
        if not usable.any():
            return None
        merit = self.sign * self.value
        top = merit[usable].max()
        tops = runs(usable & (merit >= top - rounding_of(merit[usable])))
        length = tops[:, 1] - tops[:, 0]
        longest = tops[length == length.max()]
        first, last = longest[(len(longest) - 1) // 2]
        return int(first + last) // 2


def rounding_of(values: Floats) -> float:
    """Return by how much the best of (s,) finite values may be above an equal one by rounding.

    Sums of weights or of money may all be tiny, and then so is what rounding leaves of them.

    >>> float(rounding_of(np.array([0.5, 1.0]))), float(rounding_of(np.array([5e-17, 1e-16])))
    (2e-12, 2e-28)
    """
    return ROUNDING * (min(1.0, float(np.abs(values).max())) + abs(float(values.max())))


def states_in(sweep: Sweep, recipe: Recipe, sign: float) -> States:
    """Return the states of a sweep; the recipe's further formula, if any, is the constraint."""
    value = states_of(recipe.y, sweep)
    allowed = np.ones(len(value), bool)
    for constraint in recipe.more:
        allowed &= states_of(constraint, sweep) == 1
    return States(sweep.thresholds, value, allowed, sign)


def runs(mask: Truths) -> Ints:
    """Return first and last place of every run of true values: (r, 2).

    >>> runs(np.array([True, True, False, True])).tolist()
    [[0, 1], [3, 3]]
    """
    edge = np.diff(np.concatenate([[0], mask.astype(np.int8), [0]]))
    return np.column_stack([np.flatnonzero(edge == 1), np.flatnonzero(edge == -1) - 1])


def plateau(
    sweep: Sweep,
    recipe: Recipe,
    states: States,
    *,
    entropy: int,
    notes: Counter[Note],
    progress: Progress | None = None,
) -> Truths | None:
    r"""Return the (s,) states that cannot be told from the best one: a confidence set for it.

    For b the best state, t is left out where :math:`D(t) = y(b) - y(t)` is above c. c is the
    `level` quantile of what the best of all states exceeds the truly best one by in samples like
    this: of :math:`\max_t [e(t) + a s(t)] - e(m) - a s(m)`, where e(t) is the change of y(t) when
    rows are drawn anew with replacement, s a curve smoothed over y, and m the state where s is
    highest. Without the smoothed curve the bootstrap gets the distribution of the best threshold
    wrong (Abrevaya and Huang, 2005, On the bootstrap of the maximum score estimator); with it, it
    is consistent (Patra, Seijo and Sen, 2018, A consistent bootstrap procedure for the maximum
    score estimator). a is 0.65, since the peak of s is sharper than the true one by the noise that
    smoothing has left; studies/plateau.py shows how often the set holds the best threshold of the
    population.

    Where fewer than ten rows have made steps in the curve of at least half the largest one,
    thresholds that are worse by no more than three of the largest always stay. For where a rare row
    pays for many, the rows between a threshold and the best may hold none of that kind, and drawing
    them anew cannot show what one would be worth; but what was not seen among k rows may still have
    a probability of 3 / k (the rule of three: Hanley and Lippman-Hand, 1983, If nothing goes wrong,
    is everything all right?).

    States between two tested ones are left out only if both are, and a gap of less than a
    hundredth of the rows is none: so few rows dip by themselves. A state whose difference is
    undefined in more than half of the drawings stays. None where that is so of the best itself. How
    many drawings are undefined is in a note that is added to `notes`.
    """
    best = states.best
    if best is None or averages_of(sweep.rows.data, recipe):  # of which no single ones are drawn
        return None
    tested, few = _tested(sweep, states, best)
    units, settings = units_of(few.rows), recipe.settings
    place = int(np.searchsorted(tested, best))

    def values(counts: Floats) -> Floats:
        weighted = few.weighted(units.weights(counts, few.weight))
        return states.sign * states_of(recipe.y, weighted)[: len(tested)]

    own = states.sign * states_of(recipe.y, few)[: len(tested)]
    drawn = replicates(
        values,
        units=units,
        resamples=settings.resamples,
        entropy=entropy,
        progress=progress,
    )
    notes.update(undefined_draws(drawn, f"`{recipe.y.text.strip()}`", "tested thresholds"))
    if np.isfinite(drawn[:, place]).mean() < OFTEN:
        return None
    met = rows_met(sweep)
    least = _unseen(states, met)
    kept = _kept(own, drawn, met[tested], least=least, level=settings.level)
    flat = _spread(kept, tested, len(states.value)) & states.usable
    return _filled(flat, states.usable, met)


def rows_met(sweep: Sweep) -> Ints:
    """Return the (s,) number of rows that each state has met, those that are counted one by one."""
    if sweep.rows.data.counted or (sweep.counts_only and sweep.weight is None):
        return np.rint(sweep.tp + sweep.fp).astype(np.intp)
    return np.concatenate([[0], sweep.ends + 1])


def _unseen(states: States, met: Ints) -> float:
    """Return what rows of the kind that counts most may be worth where none were drawn.

    It is three times the most that one row has moved the value, and 0 where ten rows have moved it
    by half of that. Rows of equal sort value share their step. Steps next to either end are left
    out, where rates of a handful of rows jump.
    """
    rows = np.diff(met)
    step = np.abs(np.diff(states.value)) / np.sqrt(rows)
    inner = np.isfinite(step) & (met[:-1] >= NEAR) & (met[1:] <= met[-1] - NEAR)
    largest = float(step[inner].max(initial=0.0))
    alike = rows[inner & (step >= largest / 2)].sum()
    return RULE_OF_THREE * largest if alike < RARE else 0.0


def _tested(sweep: Sweep, states: States, best: int) -> tuple[Ints, Stops]:
    """Return the states to test, in order, and the scope in which formulas have values there.

    That scope needs the last state, so it may have one more.
    """
    usable = np.flatnonzero(states.usable)
    if len(usable) > MOST_TESTED:
        usable = usable[np.linspace(0, len(usable) - 1, MOST_TESTED).round().astype(np.intp)]
    tested = np.union1d(usable, [best]).astype(np.intp)
    last = len(states.value) - 1
    stops = tested if tested[-1] == last else np.append(tested, last)
    if many_alike(sweep) or (sweep.rows.data.counted and sweep.n > MOST_ALONE):
        if not sweep.counts_only:
            need_single_rows(sweep.rows.data, "the best threshold of this formula")
        sweep = counted_between(sweep, stops)
        stops = np.searchsorted(np.union1d([0], stops), stops)
        met = np.concatenate([[0], sweep.ends + 1])[stops]
        return tested, stopped(sweep, met, sweep.thresholds[stops])
    met = np.concatenate([[0], sweep.ends + 1])[stops]
    return tested, stopped(sweep, met, states.threshold[stops])


def _kept(own: Floats, drawn: Floats, met: Ints, *, least: float, level: float) -> Truths:
    """Tell which of (m,) values are not shown to be below the best by the (r, m) drawn ones.

    Those within `least` of the best stay; `met` holds the rows accepted at each.
    """
    with np.errstate(invalid="ignore"):
        error = np.where(np.isfinite(drawn), drawn - own, np.nan)
    sure = np.isfinite(own) & (np.count_nonzero(~np.isnan(error), axis=0) >= OFTEN * len(drawn))
    curve = SHRUNK * _smoothed(own[sure], met[sure])
    risen = error[:, sure] + curve
    highest = risen[:, curve.argmax()]
    beyond = (np.nanmax(risen, axis=1, initial=-np.inf) - highest)[~np.isnan(highest)]
    rank = min(math.ceil(level * (len(beyond) + 1) - 1e-9), len(beyond))
    top = float(own[sure].max())
    below = max(float(np.sort(beyond)[rank - 1]), least) + rounding_of(own[sure])
    kept: Truths = ~sure | (top - own <= below)
    return kept


def _smoothed(values: Floats, met: Ints) -> Floats:
    """Return (m,) values smoothed along the rows accepted: local parabolas, tricube weights.

    Straight lines would lower a peak, and move one that is near an end to that end.
    """
    share = met / max(int(met[-1]), 1)
    grid = np.linspace(share[0], share[-1], min(PLACES, len(share)))
    gap = share - grid[:, None]
    nearest = min(max(math.ceil(SPAN * len(share)), FEWEST), len(share)) - 1
    width = 1.001 * np.partition(np.abs(gap), nearest, axis=1)[:, nearest, None] + ROUNDING
    z = gap / width
    weight = np.clip(1.0 - np.abs(z) ** 3, 0.0, None) ** 3
    powers = [weight * z**power for power in range(5)]
    sums = np.array([power.sum(axis=1) for power in powers])
    left = np.moveaxis(sums[np.add.outer(range(3), range(3))], 2, 0) + RIDGE * np.eye(3)
    right = np.array([power @ values for power in powers[:3]]).T
    fit = np.linalg.solve(left, right[:, :, None])[:, 0, 0]
    smoothed: Floats = np.interp(share, grid, fit)
    return smoothed


def _spread(kept: Truths, tested: Ints, size: int) -> Truths:
    """Return (s,) whether a state is kept, or has a kept one as a neighbour among those tested."""
    every = np.arange(size)
    below = np.maximum(np.searchsorted(tested, every, side="right") - 1, 0)
    above = np.minimum(np.searchsorted(tested, every), len(tested) - 1)
    near: Truths = kept[below] | kept[above]
    return near


def _filled(kept: Truths, usable: Truths, met: Ints) -> Truths:
    """Return (s,) states with the gaps filled in which few rows lie; `met` counts rows by state."""
    filled = kept.copy()
    for first, last in runs(~kept):
        inside = first > 0 and last < len(kept) - 1
        if inside and met[last] - met[first - 1] < FEW * met[-1] and usable[first : last + 1].all():
            filled[first : last + 1] = True
    return filled


def intervals(states: States, mask: Truths) -> tuple[tuple[float, float], ...]:
    """Return the closed intervals of thresholds, lowest first, that a set of states holds."""
    ends = ((states.threshold[last], states.threshold[first]) for first, last in runs(mask))
    return tuple((float(low), float(high)) for low, high in ends)[::-1]


def share_of_range(states: States, mask: Truths) -> float:
    """Return the share of the way from the lowest to the highest sort value that states cover.

    A state stands for the thresholds from its own down to the next, which accept the same rows.
    """
    number = ~np.isnan(states.threshold)
    met = states.threshold[number]
    if len(met) < 2 or not np.isfinite(met[[1, -1]]).all():
        return math.nan
    top, bottom = met[1], met[-1]
    if top == bottom:
        return math.nan
    width = np.minimum(met, top) - np.append(met[1:], bottom)
    return float(width[mask[number]].sum() / (top - bottom))


@dataclass(frozen=True, slots=True, eq=False)
class CrossValidated:
    """The value of thresholds that were chosen without the rows they decide.

    Attributes
    ----------
    value : of the formula, from the decisions on all rows; NaN with a `reason`
    folds : how many times a threshold was chosen
    holds : whether the constraint holds of those decisions, None where there is none of them
    note : where the folds come from, if not from the table as they stand there
    """

    value: float
    folds: int = 0
    reason: str | None = None
    holds: bool | None = None
    note: str | None = None


def cross_validated_value(
    sweep: Sweep, recipe: Recipe, *, sign: float, folds: int, entropy: int
) -> CrossValidated:
    """Return the value of a formula where every row is decided by a threshold chosen without it.

    The threshold for the rows of a fold is the best one of the other folds (of the same repeat)
    without the examples that the fold holds. All decisions together make one set of accepted rows,
    of which the formula is computed once: TP counts the accepted positives, cumm(f) adds f over the
    accepted rows. `folds` are those of the table, where it has from 2 to 100 a repeat; else so many
    random ones, of equal shares of each class.
    """
    if recipe.y.takes_single_states:
        reason = "the formula uses the threshold or single rows, which differ between folds"
        return CrossValidated(np.nan, reason=reason)
    if (sweep.rows.data.counted or many_alike(sweep)) and not _has_folds(sweep.rows):
        averages = averages_of(sweep.rows.data, recipe)
        if averages:
            reason = (
                f"single values of {shown(averages)}, needed for random folds, were not kept "
                "when rows were counted; a table with folds has them"
            )
            return CrossValidated(np.nan, reason=reason)
        return _of_random_parts(sweep, recipe, sign=sign, folds=folds, entropy=entropy)
    group, note = _fold_of_rows(sweep.rows, folds, entropy)
    numbers = np.unique(group)
    if len(numbers) < 2:
        return CrossValidated(np.nan, reason="there are no other folds to choose a threshold on")
    accepted = np.zeros(sweep.n, bool)
    for held, others in _divisions(sweep.rows, group):
        states = _trained(sweep, recipe, others, sign)
        best = None if states is None else states.best
        if states is None or best is None:
            reason = "without one fold, no threshold can be chosen"
            return CrossValidated(np.nan, len(numbers), reason, note=note)
        if best > 0:  # else nothing is accepted, not even an infinite rating
            accepted[held] = sweep.key.values[held] >= states.threshold[best]
    return replace(_of_decisions(sweep, recipe, accepted), folds=len(numbers), note=note)


def _has_folds(rows: TargetRows) -> bool:
    """Tell whether a table has folds that a threshold can be chosen without."""
    return fold_codes(rows.data) is not None and 2 <= len(rows.data.folds) <= MOST_FOLDS


def _of_random_parts(
    sweep: Sweep, recipe: Recipe, *, sign: float, folds: int, entropy: int
) -> CrossValidated:
    """Return the value of thresholds where each row that is counted is in a random fold.

    Of many thresholds, some that are evenly spread can be chosen. Rows of equal rating are dealt
    together.
    """
    there, many = len(sweep.rows.data.folds), min(folds, sweep.rows.total)
    size = len(sweep.thresholds)
    if sweep.counts_only and (size > MOST_CHOSEN or many_rows(sweep.rows.total)):
        spread = np.linspace(0, size - 1, min(size, MOST_CHOSEN)).round()
        sweep = counted_between(sweep, spread.astype(np.intp))
    weight = np.ones(sweep.n) if sweep.weight is None else sweep.weight
    note = f"the table has {counted(there, 'fold')}; thresholds were chosen on {many} random folds"
    note_of_folds = note if there else None
    accepted = np.zeros(sweep.n)
    rng = stream(entropy, DEALING)
    for held in dealt_counts(weight, sweep.rows.event.astype(np.intp), many, rng):
        others = np.flatnonzero(weight > held)
        states = _trained(replace(sweep, weight=weight - held), recipe, others, sign)
        best = None if states is None else states.best
        if states is None or best is None:
            reason = "without one fold, no threshold can be chosen"
            return CrossValidated(np.nan, many, reason, note=note_of_folds)
        if best > 0:
            accepted += held * (sweep.key.values >= states.threshold[best])
    twice = np.tile(np.arange(sweep.n), 2)
    parts = np.concatenate([accepted, weight - accepted])
    kept = np.flatnonzero(parts > 0)
    split = replace(sweep, rows=sweep.rows.take(twice[kept]), weight=parts[kept], memo={})
    decided = _of_decisions(split, recipe, kept < sweep.n)
    return replace(decided, folds=many, note=note_of_folds)


def _of_decisions(sweep: Sweep, recipe: Recipe, accepted: Truths) -> CrossValidated:
    """Return the value of a recipe's formula where these rows are accepted, or why there is none.

    Accepted rows are met first, all at once, so it is the value in a state of a sweep.
    """
    key = Key(accepted.astype(np.float64), "decision", rates=True)
    decided = replace(sweep, key=key, memo={}, counts_only=False)
    state = int(accepted.any())
    value = float(states_of(recipe.y, decided)[state])
    decided_ones = [
        bool(states_of(constraint, decided)[state] == 1)
        for constraint in recipe.more
        if not constraint.takes_single_states
    ]
    holds = decided_ones[0] if decided_ones else None
    if np.isfinite(value):
        return CrossValidated(value, holds=holds)
    why = recipe.y.why_undefined(decided, state) if np.isnan(value) else "it is infinite"
    return CrossValidated(
        np.nan, reason=f"it is undefined for the accepted rows: {why}", holds=holds
    )


def _trained(sweep: Sweep, recipe: Recipe, places: Ints, sign: float) -> States | None:
    """Return the states of some of the rows, None of no row."""
    if len(places) == 0:
        return None
    key = replace(sweep.key, values=sweep.key.values[places])
    weight = None if sweep.weight is None else sweep.weight[places]
    part = replace(sweep, rows=sweep.rows.take(places), key=key, weight=weight, memo={})
    return states_in(part, recipe, sign)


def _divisions(rows: TargetRows, group: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield, for every group, the rows held out and those to choose a threshold on."""
    units = units_of(rows).of_row
    repeat = None if rows.data.repeat is None else rows.kept(rows.data.repeat.codes)
    apart = repeat is not None and fold_codes(rows.data) is not None
    for number in np.unique(group):
        held = group == number
        others = ~held
        if units is not None:
            others &= ~np.isin(units, units[held])
        if apart and repeat is not None:
            own = np.unique(repeat[held])
            if len(own) == 1:
                others &= repeat == own[0]
        yield np.flatnonzero(held), np.flatnonzero(others)


def _fold_of_rows(rows: TargetRows, folds: int, entropy: int) -> tuple[Ints, str | None]:
    """Return the number of every row's fold, and where those come from."""
    codes = fold_codes(rows.data)
    there = 0 if codes is None else len(rows.data.folds)
    if codes is not None and 2 <= there <= MOST_FOLDS:
        return rows.kept(codes).astype(np.intp), None
    units = units_of(rows)
    unit = np.arange(rows.n) if units.of_row is None else units.of_row
    first = np.unique(unit, return_index=True)[1]
    many = min(folds, units.count)
    note = f"the table has {counted(there, 'fold')}; thresholds were chosen on {many} random folds"
    return _dealt(rows.column("actualClass")[first], many, entropy)[unit], note if there else None


def _dealt(actual: Ints, folds: int, entropy: int) -> Ints:
    """Deal examples into folds in turn, class after class, so that all have equal shares of each.

    >>> np.bincount(_dealt(np.array([0, 0, 0, 0, 1, 1]), 2, 0)[:4]).tolist()
    [2, 2]
    """
    shuffled = stream(entropy, DEALING).permutation(len(actual))
    order = shuffled[np.argsort(actual[shuffled], kind="stable")]
    fold = np.empty(len(actual), np.intp)
    fold[order] = np.arange(len(actual)) % folds
    return fold
