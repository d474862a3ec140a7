"""The plateau: every threshold that cannot be told from the best one."""

import math

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.optimum.states import ROUNDING, States, runs
from plumbline.curves.points import states_of
from plumbline.curves.recipe import Recipe
from plumbline.curves.resampled.bootstrap import replicates, units_of
from plumbline.curves.resampled.stops import Stops, stopped
from plumbline.curves.sweep import Sweep
from plumbline.progress import Progress

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.intp]

MOST_TESTED = 2000  # thresholds; of more, so many evenly spread ones are tested, and the best
RULE_OF_THREE = 3  # what was never seen among k rows may still have a probability of 3 / k
NEAR = 10  # rows that a threshold decides otherwise than the best one; of fewer, it stays
FEW = 0.01  # share of the rows
OFTEN = 0.5  # share of the drawings in which a difference must be defined to be judged


def plateau(
    sweep: Sweep,
    recipe: Recipe,
    states: States,
    *,
    entropy: int,
    progress: Progress | None = None,
) -> Truths | None:
    r"""Return the (s,) states that cannot be told from the best one.

    For b the best state, rows are drawn anew with replacement, and with them all differences
    :math:`D(t) = y(b) - y(t)`. State t is left out where :math:`D(t) > c\,s(t)`: s(t) is the root
    mean square of :math:`D^*(t) - D(t)` over the drawings, and c the `level` quantile of
    :math:`\max_t |D^*(t) - D(t)| / s(t)`, one number for all thresholds. So the set holds the best
    threshold of the population with at least about that probability (studies/plateau.py), however
    flat or steep the curve; it does not rest on the distribution of the best threshold itself,
    which the bootstrap gets wrong (Abrevaya and Huang, 2005, On the bootstrap of the maximum score
    estimator). Two kinds of thresholds always stay, and have no part in c: those that decide fewer
    than 10 rows otherwise than the best, and those that are worse by no more than three times the
    largest step that a row has made in the curve. For where a rare row pays for many, the rows
    between a threshold and the best may hold none of that kind, and drawing them anew cannot show
    what one would be worth; but what was not seen among k rows may still have a probability of
    3 / k (the rule of three: Hanley and Lippman-Hand, 1983, If nothing goes wrong, is everything
    all right?).

    States between two tested ones are left out only if both are, and a gap of less than a
    hundredth of the rows is none: so few rows dip by themselves. A state whose difference is
    undefined in more than half of the drawings stays. None where that is so of the best itself.
    """
    best = states.best
    if best is None:
        return None
    tested, few = _tested(sweep, states, best)
    units, settings = units_of(sweep.rows), recipe.settings
    place = int(np.searchsorted(tested, best))

    def differences(counts: Floats) -> Floats:
        weighted = few.weighted(units.weights(counts, sweep.weight))
        return _against(states_of(recipe.y, weighted)[: len(tested)], place, states.sign)

    own = _against(states_of(recipe.y, few)[: len(tested)], place, states.sign)
    drawn = replicates(
        differences, units=units.count, resamples=settings.resamples, entropy=entropy,
        progress=progress,
    )  # fmt: skip
    if np.isfinite(drawn[:, place]).mean() < OFTEN:
        return None
    met = np.concatenate([[0], sweep.ends + 1])
    unseen = RULE_OF_THREE * _largest_step(states, met)
    near = (np.abs(met[tested] - met[best]) < NEAR) | (own <= unseen)
    kept = near | _kept(own, drawn, ~near, level=settings.level)
    found = _spread(kept, tested, len(states.value)) & states.usable
    return _filled(found, states.usable, met)


def _largest_step(states: States, met: Ints) -> float:
    """Return the most that one row has moved the value; rows of equal sort value share their step.

    Steps next to either end are left out, where rates of a handful of rows jump.
    """
    rows = np.diff(met)
    step = np.abs(np.diff(states.value)) / np.sqrt(rows)
    inner = np.isfinite(step) & (met[:-1] >= NEAR) & (met[1:] <= met[-1] - NEAR)
    return float(step[inner].max(initial=0.0))


def _tested(sweep: Sweep, states: States, best: int) -> tuple[Ints, Stops]:
    """Return the states to test, in order, and the scope in which formulas have values there.

    That scope needs the last state, so it may have one more.
    """
    usable = np.flatnonzero(states.usable)
    if len(usable) > MOST_TESTED:
        usable = usable[np.linspace(0, len(usable) - 1, MOST_TESTED).round().astype(np.intp)]
    tested = np.union1d(usable, [best]).astype(np.intp)
    last = len(states.value) - 1
    seen = tested if tested[-1] == last else np.append(tested, last)
    met = np.concatenate([[0], sweep.ends + 1])[seen]
    return tested, stopped(sweep, met, states.threshold[seen])


def _against(values: Floats, place: int, sign: float) -> Floats:
    """Return by how much the values are worse than that at a place."""
    with np.errstate(invalid="ignore"):
        worse: Floats = sign * (values[place] - values)
    return worse


def _kept(own: Floats, drawn: Floats, compared: Truths, *, level: float) -> Truths:
    """Tell which of (m,) differences from the best the (r, m) drawn ones do not show to be real.

    Those `compared` are judged together.
    """
    with np.errstate(invalid="ignore"):
        error = np.where(np.isfinite(drawn), drawn - own, np.nan)
    defined = np.count_nonzero(~np.isnan(error), axis=0)
    sure = defined >= OFTEN * len(drawn)
    square = np.nansum(error**2, axis=0) / np.maximum(defined, 1)
    scale = np.sqrt(square)
    rounding = ROUNDING * (1 + np.abs(own))
    moves = compared & sure & (scale > rounding)
    farthest = np.nanmax(np.abs(error[:, moves]) / scale[moves], axis=1, initial=0.0)
    c = np.sort(farthest)[math.ceil(level * (len(drawn) + 1) - 1e-9) - 1]
    kept: Truths = ~sure | (own <= c * scale + rounding)
    return kept


def _spread(kept: Truths, tested: Ints, size: int) -> Truths:
    """Return (s,) whether a state is kept, or has a kept one as a neighbour among those tested."""
    every = np.arange(size)
    below = np.maximum(np.searchsorted(tested, every, side="right") - 1, 0)
    above = np.minimum(np.searchsorted(tested, every), len(tested) - 1)
    found: Truths = kept[below] | kept[above]
    return found


def _filled(kept: Truths, usable: Truths, met: Ints) -> Truths:
    """Return (s,) states with the gaps filled in which few rows lie; `met` counts rows by state."""
    found = kept.copy()
    for first, last in runs(~kept):
        inside = first > 0 and last < len(kept) - 1
        if inside and met[last] - met[first - 1] < FEW * met[-1] and usable[first : last + 1].all():
            found[first : last + 1] = True
    return found


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
