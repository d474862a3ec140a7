"""Two models' curves at the same x, drawn again from the same examples."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.averages.folds import TIE, even
from plumbline.curves.lines import Line
from plumbline.curves.points import line_of, states_of
from plumbline.curves.recipe import Recipe, shape_of
from plumbline.curves.resampled.bands import (
    MOST_STATES,
    at_x,
    points_of,
    refuse_back_and_forth,
    smoother,
    spread_places,
)
from plumbline.curves.resampled.bootstrap import Units
from plumbline.curves.resampled.stops import stopped
from plumbline.curves.sweep import Sweep
from plumbline.errors import InputError, ParameterError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of two models: its rows in order, its line, and which example every row is of."""

    model: str
    sweep: Sweep
    line: Line
    units: Units

    def weights(self, counts: Floats) -> Floats:
        """Return the (n,) weights of its rows where examples were drawn so often."""
        return self.units.weights(counts, self.sweep.weight)


def side_of(model: str, sweep: Sweep, recipe: Recipe, units: Units) -> Side:
    """Return a side; one without a point has nothing to compare."""
    line = line_of(sweep, recipe)
    if not len(line):
        raise InputError(f"the curve of {model!r} has no point: {line.reason}")
    return Side(model, sweep, line, units)


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The values of x at which sides are compared, and how y comes about there.

    Attributes
    ----------
    x : (g,) growing
    at : for each side, (examples,) counts -> (g,) values of y
    """

    x: Floats
    at: tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]


def compared(first: Side, second: Side, recipe: Recipe) -> Compared:
    """Return where two sides can be compared: at thresholds, at smoothed x, or at equal x."""
    points = recipe.settings.points
    if recipe.settings.average == "smooth":
        grid = _common(first, second, points)
        return Compared(grid, (_smoothed(first, recipe, grid), _smoothed(second, recipe, grid)))
    if recipe.y.level == "row":
        raise ParameterError(
            f"`{recipe.y.text.strip()}` is the value of a single row at every point; smooth it "
            "(average='smooth') or sum it (`cumm(...)`)"
        )
    if _is_key(recipe, first.sweep):
        keys = np.concatenate(
            [side.sweep.sorted_key.astype(np.float64) for side in (first, second)]
        )
        keys = keys[np.isfinite(keys)]
        if not len(keys):
            raise InputError(
                "no row has a finite sort value, so there is no threshold to compare at"
            )
        grid = _snapped(even(float(keys.min()), float(keys.max()), points), np.unique(keys))
        return Compared(grid, (_at_levels(first, recipe, grid), _at_levels(second, recipe, grid)))
    for side in (first, second):
        refuse_back_and_forth(side.line, recipe)
    grid = _common(first, second, points)
    return Compared(grid, (_joined(first, recipe, grid), _joined(second, recipe, grid)))


def _is_key(recipe: Recipe, sweep: Sweep) -> bool:
    """Tell whether x is what the rows are sorted by, so that a value of x is a threshold."""
    if sweep.direction == "unsorted":
        return False
    return recipe.x.is_name == "threshold" or recipe.x.text.strip() == sweep.key.name


def _snapped(grid: Floats, keys: Floats) -> Floats:
    """Return grid values, a sort value itself where one differs from it by rounding only."""
    above = np.minimum(np.searchsorted(keys, grid), len(keys) - 1)
    below = np.maximum(above - 1, 0)
    nearest = np.where(keys[above] - grid <= grid - keys[below], keys[above], keys[below])
    slack = TIE * max(abs(grid[0]), abs(grid[-1]))
    return np.where(np.abs(nearest - grid) <= slack, nearest, grid)


def _common(first: Side, second: Side, points: int) -> Floats:
    """Return values of x spread evenly over what both lines have."""
    ends = [(side.line.x[np.isfinite(side.line.x)]) for side in (first, second)]
    low, high = max(x.min() for x in ends), min(x.max() for x in ends)
    if low > high:
        raise InputError(
            f"the curves of {first.model!r} and {second.model!r} have no x in common: one begins "
            f"at {low:g}, where the other has ended at {high:g}"
        )
    return even(float(low), float(high), points)


def _at_levels(side: Side, recipe: Recipe, grid: Floats) -> Callable[[Floats], Floats]:
    """Return y at thresholds: of all rows at or above each (met ascending: at or below)."""
    key = side.sweep.sorted_key.astype(np.float64)
    key = key[~np.isnan(key)]
    if side.sweep.direction == "ascending":
        asked = grid
        met = np.searchsorted(key, asked, side="right")
    else:
        asked = grid[::-1]
        met = np.searchsorted(-key, -asked, side="right")
    few = stopped(side.sweep, np.append(met, side.sweep.n), np.append(asked, asked[-1]))
    upwards = slice(None) if side.sweep.direction == "ascending" else slice(None, None, -1)
    return lambda counts: states_of(recipe.y, few.weighted(side.weights(counts)))[:-1][upwards]


def _smoothed(side: Side, recipe: Recipe, grid: Floats) -> Callable[[Floats], Floats]:
    smoothed = smoother(side.sweep, recipe, grid)
    return lambda counts: smoothed(side.weights(counts))


def _joined(side: Side, recipe: Recipe, grid: Floats) -> Callable[[Floats], Floats]:
    """Return y as a function of x, as in vertical averaging."""
    points = points_of(side.sweep, recipe, spread_places(side.line.x, side.line.y, MOST_STATES))
    shape = shape_of(recipe)
    return lambda counts: at_x(points(side.weights(counts)), grid, shape=shape)
