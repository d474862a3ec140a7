"""From rows and formulas to the points of one line."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Note
from plumbline.curves.lines import START, Line, select_points
from plumbline.curves.presets import CurveSettings
from plumbline.curves.recipe import Recipe, names_of, needs_threshold, rates_rows, recipe_of
from plumbline.curves.sweep import Direction, Key, Merge, Sweep, group_means
from plumbline.curves.target_rows import TargetRows, rating, rows_of
from plumbline.errors import InputError
from plumbline.formatting import counted
from plumbline.formula import Formula
from plumbline.predictions import Predictions

Floats = NDArray[np.float64]

REASONS = 5  # named; the rest is only counted
INFINITE = "infinite"
REST = "undefined for other reasons"


def key_of(rows: TargetRows, recipe: Recipe) -> Key:
    """Return what the rows are sorted by."""
    formula = recipe.key
    if recipe.settings.direction == "unsorted":
        return Key(np.zeros(rows.n), "order of the table", rates=False)
    if formula is None:
        return Key(*rating(rows), rates=True)
    if formula.is_name == "probability" and rows.data.prob is not None:
        return Key(*rating(rows), rates=True)
    values = np.asarray(formula.compute(_plain(rows, recipe.settings)))
    if values.ndim == 0:
        values = np.full(rows.n, float(values))
    if formula.kind == "category":
        values = np.where(values < 0, np.nan, values.astype(np.float64))
    return Key(
        values if values.dtype.kind == "f" else values.astype(np.float64),
        formula.text.strip(),
        rates=formula.is_name in (None, "score"),
        names=formula.categories,
    )


def _plain(rows: TargetRows, settings: CurveSettings) -> Sweep:
    """Return a scope for formulas of rows, in which nothing needs to be sorted."""
    key = Key(np.zeros(rows.n), "order of the table", rates=False)
    return Sweep(rows, key, "unsorted", "none", weight=rows.weights, params=settings.params)


def kept_rows(rows: TargetRows, recipe: Recipe, notes: Counter[Note]) -> TargetRows:
    """Return the rows of some weight that `where` keeps; where that is undefined, they go."""
    if rows.weights is not None and (rows.weights == 0).any():
        rows = rows.take(np.flatnonzero(rows.weights > 0))
        if rows.n == 0:
            raise InputError("no row is left, for all have weight 0")
    if recipe.where is None:
        return rows
    scope = _plain(rows, recipe.settings)
    value = np.broadcast_to(np.asarray(recipe.where.compute(scope), float), (rows.n,))
    unknown = int(np.isnan(value).sum())
    if unknown:
        text = f"the filter is undefined for {counted(unknown, 'row')}, left out"
        notes[Note(text, code="undefined-filter")] += 1
    kept = np.flatnonzero((value != 0) & ~np.isnan(value))
    if len(kept) == 0:
        raise InputError(
            f"no row is left by `where={recipe.settings.where!r}`",
            code="no-rows-left",
            argument="where",
            remedy="check the filter",
        )
    return rows.take(kept)


def rows_where(data: Predictions, where: str | None) -> Predictions:
    """Return the rows of some weight that a formula keeps; all rows without a formula.

    >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.8, 0.4], attributes={"age": [20, 30, 40]})
    >>> rows_where(data, "age > 20 and probability < 0.5").n
    1
    """
    if where is None:
        return data
    rows = rows_of(data, data.positive)
    recipe = recipe_of(rows, CurveSettings("threshold", "threshold", where=where))
    kept = kept_rows(rows, recipe, Counter())
    return data if kept.index is None else data.select(where=kept.index)


def sweep_of(rows: TargetRows, recipe: Recipe) -> Sweep:
    """Return the sweep of a recipe over rows: how they are met, and how that is drawn."""
    settings = recipe.settings
    upwards = settings.direction == "ascending" and needs_threshold(recipe)
    direction = "descending" if upwards else settings.direction
    key = key_of(rows, recipe)
    return Sweep(
        rows,
        key,
        cast(Direction, direction),
        cast(Merge, settings.merge),
        accepted_below=upwards,
        weight=rows.weights,
        params=settings.params,
        counts_only=direction == "descending" and _counts_only(recipe, key),
    )


def _counts_only(recipe: Recipe, key: Key) -> bool:
    """Tell whether counts at the thresholds are all that the formulas need of the rows."""
    if recipe.settings.merge != "last" or not rates_rows(recipe):
        return False
    if recipe.key is not None and np.isnan(key.values).any():
        return False
    return not any(
        recipe.variables[name].level == "row" for f in recipe.formulas for name in f.names
    )


def states_of(formula: Formula, sweep: Sweep) -> Floats:
    """Return the (s,) values of a formula in the states of a sweep."""
    result = formula.compute(sweep)
    if formula.level == "set":
        return np.full(len(sweep.thresholds), float(result))
    if formula.level == "row":
        values = np.asarray(result)
        if formula.kind == "category":
            values = np.where(values < 0, np.nan, values.astype(np.float64))
        return sweep.at_states(values)
    return np.asarray(result, dtype=np.float64)


def line_of(sweep: Sweep, recipe: Recipe) -> Line:
    """Return the points of a sweep, without those that are undefined, and why those are."""
    x, y = states_of(recipe.x, sweep), states_of(recipe.y, sweep)
    rows = sweep.rows
    line = Line(
        sweep.thresholds,
        x,
        y,
        target=rows.target_name,
        n=rows.n,
        positives=float(sweep.tp[-1]),
        negatives=float(sweep.fp[-1]),
    )
    merge = recipe.settings.merge
    if merge == "average" and names_of(recipe):  # categories have no mean: every row keeps its own
        merge, line = "none", replace(line, y=_tied_means(sweep, recipe, y))
    if merge == "average" and sweep.direction != "unsorted":
        threshold, x, y, weight = group_means(sweep, x, y)
        line = replace(line, threshold=threshold, x=x, y=y, more={"weight": weight})
    elif sweep.weight is not None and merge == "none":
        line = replace(line, more={"weight": np.append(1.0, sweep.weight[sweep.order])})
    sound = drawable(recipe.x, line.x) & drawable(recipe.y, line.y)
    dropped = {} if sound.all() else _reasons(sweep, recipe, line, np.flatnonzero(~sound))
    line = line if sound.all() else select_points(line, sound)
    line = select_points(line, slice(None, None, -1)) if sweep.accepted_below else line
    return replace(line, dropped=dropped, reason=None if len(line) else _nothing(line, dropped))


def _tied_means(sweep: Sweep, recipe: Recipe, y: Floats) -> Floats:
    """Return y as its mean over the rows of equal sort value; what is of a row by itself stays."""
    if recipe.y.level == "row" or sweep.direction == "unsorted":
        return y
    means = group_means(sweep, np.zeros(len(y)), y)[2]
    return np.where(np.isnan(y), y, np.repeat(means, np.diff([*sweep.group_starts, len(y)])))


def points_between(line: Line, low: float, high: float) -> Line:
    """Return the piece of a line with thresholds from `low` to `high`, both included."""
    return select_points(line, (line.threshold >= low) & (line.threshold <= high))


def drawable(formula: Formula, values: Floats) -> NDArray[np.bool_]:
    """Tell which values can be drawn; a threshold may be infinite, at the edge of the axis."""
    return ~np.isnan(values) if formula.is_name == "threshold" else np.isfinite(values)


def _reasons(
    sweep: Sweep, recipe: Recipe, line: Line, places: NDArray[np.intp]
) -> Mapping[str, int]:
    """Count the undefined points by what makes them so."""
    reasons: Counter[str] = Counter()
    if places[0] == 0 and _misses_start(recipe, line):
        reasons[START] += 1
        places = places[1:]
    states = sweep.group_starts if len(line) != len(sweep.thresholds) else np.arange(len(line))
    left = states[places]
    for formula in (recipe.x, recipe.y):
        for why, explained in formula.causes(sweep, left):
            reasons[why] += len(explained)
            left = np.setdiff1d(left, explained, assume_unique=True)
    if len(left):
        reasons[INFINITE] += len(left)
    shown = dict(reasons.most_common(REASONS))
    rest = reasons.total() - sum(shown.values())
    return shown | ({REST: rest} if rest else {})


def _misses_start(recipe: Recipe, line: Line) -> bool:
    """Tell whether the state before the first row is undefined only for want of a row."""
    return any(
        np.isnan(values[0]) and any(recipe.variables[name].level == "row" for name in formula.names)
        for formula, values in ((recipe.x, line.x), (recipe.y, line.y))
    )


def _nothing(line: Line, dropped: Mapping[str, int]) -> str:
    """Say why a line has no point."""
    for weight, word in ((line.positives, "of"), (line.negatives, "other than")):
        if weight == 0:
            return f"no row is {word} class {line.target!r}, so no point is defined"
    reasons = [reason for reason in dropped if reason != START] or list(dropped)
    return f"no point is defined: {'; '.join(reasons)}"
