"""What a chosen threshold is worth on rows that had no part in choosing it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.optimum.states import States, states_in
from plumbline.curves.points import states_of
from plumbline.curves.recipe import Recipe
from plumbline.curves.resampled.bootstrap import units_of
from plumbline.curves.rows import Rows, fold_codes
from plumbline.curves.sweep import Key, Sweep
from plumbline.random_streams import stream
from plumbline.results.formatting import counted

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.intp]

DEALING = 6  # first number of the key of the stream that deals rows into folds
MOST_FOLDS = 100  # a table of more, as of leave-one-out, is dealt into few


@dataclass(frozen=True, slots=True, eq=False)
class Honest:
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


def honest_value(sweep: Sweep, recipe: Recipe, *, sign: float, folds: int, entropy: int) -> Honest:
    """Return the value of a formula where every row is decided by a threshold chosen without it.

    The threshold for the rows of a fold is the best one of the other folds (of the same repeat)
    without the examples that the fold holds. All decisions together make one set of accepted rows,
    of which the formula is computed once: TP counts the accepted positives, cumm(f) adds f over the
    accepted rows. `folds` are those of the table, where it has from 2 to 100 a repeat; else so many
    random ones, of equal shares of each class.
    """
    if recipe.y.takes_single_states:
        reason = "the formula takes the threshold or a row for a value, and every fold has its own"
        return Honest(np.nan, reason=reason)
    group, note = _groups(sweep.rows, folds, entropy)
    numbers = np.unique(group)
    if len(numbers) < 2:
        return Honest(np.nan, reason="there are no other folds to choose a threshold on")
    accepted = np.zeros(sweep.n, bool)
    for held, others in _divisions(sweep.rows, group):
        states = _trained(sweep, recipe, others, sign)
        best = None if states is None else states.best
        if states is None or best is None:
            reason = "on the rows outside a fold, no threshold can be chosen"
            return Honest(np.nan, len(numbers), reason, note=note)
        if best > 0:  # else nothing is accepted, not even an infinite rating
            accepted[held] = sweep.key.values[held] >= states.threshold[best]
    return replace(_of_decisions(sweep, recipe, accepted), folds=len(numbers), note=note)


def _of_decisions(sweep: Sweep, recipe: Recipe, accepted: Truths) -> Honest:
    """Return the value of a recipe's formula where these rows are accepted, or why there is none.

    Accepted rows are met first, all at once, so it is the value in a state of a sweep.
    """
    key = Key(accepted.astype(np.float64), "decision", rates=True)
    decided = replace(sweep, key=key, memo={}, counts_only=False)
    state = int(accepted.any())
    value = float(states_of(recipe.y, decided)[state])
    told = [
        bool(states_of(constraint, decided)[state] == 1)
        for constraint in recipe.more
        if not constraint.takes_single_states
    ]
    holds = told[0] if told else None
    if np.isfinite(value):
        return Honest(value, holds=holds)
    why = recipe.y.why_undefined(decided, state) if np.isnan(value) else "it is infinite"
    return Honest(np.nan, reason=f"it is undefined of the accepted rows: {why}", holds=holds)


def _trained(sweep: Sweep, recipe: Recipe, places: Ints, sign: float) -> States | None:
    """Return the states of some of the rows, None of no row."""
    if len(places) == 0:
        return None
    key = replace(sweep.key, values=sweep.key.values[places])
    weight = None if sweep.weight is None else sweep.weight[places]
    part = replace(sweep, rows=sweep.rows.take(places), key=key, weight=weight, memo={})
    return states_in(part, recipe, sign)


def _divisions(rows: Rows, group: Ints) -> Iterator[tuple[Ints, Ints]]:
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


def _groups(rows: Rows, folds: int, entropy: int) -> tuple[Ints, str | None]:
    """Return the number of every row's fold, and where those come from."""
    codes = fold_codes(rows.data)
    there = 0 if codes is None else len(rows.data.folds)
    if codes is not None and 2 <= there <= MOST_FOLDS:
        return rows.kept(codes).astype(np.intp), None
    units = units_of(rows)
    unit = np.arange(rows.n) if units.of_row is None else units.of_row
    first = np.unique(unit, return_index=True)[1]
    many = min(folds, units.count)
    note = f"the table has {counted(there, 'fold')}; thresholds were chosen on {many} random ones"
    return _dealt(rows.column("actualClass")[first], many, entropy)[unit], note if there else None


def _dealt(actual: Ints, folds: int, entropy: int) -> Ints:
    """Deal examples into folds in turn, class after class, so that all have equal shares of each.

    >>> np.bincount(_dealt(np.array([0, 0, 0, 0, 1, 1]), 2, 0)[:4]).tolist()
    [2, 2]
    """
    shuffled = stream(entropy, DEALING).permutation(len(actual))
    order = shuffled[np.argsort(actual[shuffled], kind="stable")]
    found = np.empty(len(actual), np.intp)
    found[order] = np.arange(len(actual)) % folds
    return found
