"""`curve_difference`: one model's curve minus another's, with a band for all x at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten, shown
from plumbline._result import Note, Presentation, Result, Table, jsonable
from plumbline.curves.averaging import TIE, even
from plumbline.curves.bands import (
    MOST_STATES,
    Units,
    at_x,
    percentiles,
    points_of,
    refuse_back_and_forth,
    replicates,
    smoother,
    spread_places,
    undefined_draws,
)
from plumbline.curves.curve import complete_settings
from plumbline.curves.lines import POINTS, Line, curve_title, evenly_spread, formula_lines, size_of
from plumbline.curves.presets import FOLDS_APART, CurveSettings, given_settings
from plumbline.curves.recipe import (
    Recipe,
    curve_notes,
    kept_rows,
    line_of,
    recipe_of,
    shape_of,
    states_of,
    sweep_of,
)
from plumbline.curves.sweep import Sweep, stopped
from plumbline.curves.target_rows import rows_of
from plumbline.curves.unused import not_usual, refuse_unused
from plumbline.dependence import (
    RowGroups,
    group_details,
    group_notes,
    need_enough_groups,
    row_groups_in,
)
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import amount, amounts, counted, percentage, quoted, sentence
from plumbline.predictions import Predictions, group_count, only_predictions, paired, sets_of_rows
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
COLUMNS = (  # of the rows of a difference
    *("x", "y_first", "y_second", "difference"),
    *("low", "high", "pointwise_low", "pointwise_high", "se"),
)
STILL = 1e-9  # a standard error this part of the largest |y| is rounding
PAIRED = (
    "{level:g} % bands from {resamples} bootstrap samples of the examples, shared by "
    "both models; the variation of model fitting is not included"
)


@dataclass(frozen=True, slots=True, eq=False)
class ModelSide:
    """One of two models: its rows in order, its line, and which example every row is of."""

    model: str
    sweep: Sweep
    line: Line
    units: Units

    def weights(self, counts: Floats) -> Floats:
        """Return the (n,) weights of its rows where examples were drawn so often."""
        return self.units.weights(counts, self.sweep.weight)


def side_of(model: str, sweep: Sweep, recipe: Recipe, units: Units) -> ModelSide:
    """Return a side; one without a point has nothing to compare."""
    line = line_of(sweep, recipe)
    if not len(line):
        raise InputError(
            f"the curve of {quoted(model)} has no point: {line.reason}", code="curve-without-points"
        )
    return ModelSide(model, sweep, line, units)


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


def compared(first: ModelSide, second: ModelSide, recipe: Recipe) -> Compared:
    """Return where two sides can be compared: at thresholds, at smoothed x, or at equal x."""
    points = recipe.settings.points
    if recipe.settings.average == "smooth":
        grid = _common(first, second, points)
        return Compared(grid, (_smoothed(first, recipe, grid), _smoothed(second, recipe, grid)))
    if recipe.y.level == "row":
        raise ParameterError(
            f"{quoted(recipe.y.text.strip())} has one value per row; smooth it "
            "(`average='smooth'`) or sum it (cumm(...))",
            code="value-of-each-row",
        )
    if _is_key(recipe, first.sweep):
        keys = np.concatenate(
            [side.sweep.sorted_key.astype(np.float64) for side in (first, second)]
        )
        keys = keys[np.isfinite(keys)]
        if not len(keys):
            raise InputError(
                "no row has a finite sort value, so there is no threshold to compare at",
                code="curve-without-points",
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


def _common(first: ModelSide, second: ModelSide, points: int) -> Floats:
    """Return values of x spread evenly over what both lines have."""
    ends = [(side.line.x[np.isfinite(side.line.x)]) for side in (first, second)]
    low, high = max(x.min() for x in ends), min(x.max() for x in ends)
    if low > high:
        raise InputError(
            f"the curves of {quoted(first.model)} and {quoted(second.model)} have no common x: "
            f"one begins at {low:g}, where the other has ended at {high:g}",
            code="no-common-x",
        )
    return even(float(low), float(high), points)


def _at_levels(side: ModelSide, recipe: Recipe, grid: Floats) -> Callable[[Floats], Floats]:
    """Return y at thresholds: of all rows at or above each (met ascending: at or below)."""
    key = side.sweep.sorted_key.astype(np.float64)
    key = key[~np.isnan(key)]
    if side.sweep.direction == "ascending":
        levels = grid
        met = np.searchsorted(key, levels, side="right")
    else:
        levels = grid[::-1]
        met = np.searchsorted(-key, -levels, side="right")
    few = stopped(side.sweep, np.append(met, side.sweep.n), np.append(levels, levels[-1]))
    upwards = slice(None) if side.sweep.direction == "ascending" else slice(None, None, -1)
    return lambda counts: states_of(recipe.y, few.weighted(side.weights(counts)))[:-1][upwards]


def _smoothed(side: ModelSide, recipe: Recipe, grid: Floats) -> Callable[[Floats], Floats]:
    smoothed = smoother(side.sweep, recipe, grid)
    return lambda counts: smoothed(side.weights(counts))


def _joined(side: ModelSide, recipe: Recipe, grid: Floats) -> Callable[[Floats], Floats]:
    """Return y as a function of x, as in vertical averaging."""
    points = points_of(side.sweep, recipe, spread_places(side.line.x, side.line.y, MOST_STATES))
    shape = shape_of(recipe)
    return lambda counts: at_x(points(side.weights(counts)), grid, shape=shape)


@dataclass(frozen=True, repr=False, eq=False)
class CurveDifference(Result):
    """y of the second model minus y of the first, at equal x.

    Attributes
    ----------
    models : first and second
    x : (g,) values of x, growing
    y_first, y_second : (g,) their curves
    difference : (g,) second minus first
    low, high : (g,) simultaneous band: it covers all population differences at once with P = level
    pointwise_low, pointwise_high : (g,) interval of each difference by itself
    se : (g,) standard error
    factor : half the width of the simultaneous band in standard errors
    higher : where the band excludes 0: "low" and "high", values of x, and "model", whose y is
        higher there; whether higher is better depends on y
    n : examples that were drawn; groups, where the rows are in groups
    settings : the settings of the curves
    x_title, y_title : titles of the axes
    notes : warnings, and how the bands were made
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    models: tuple[str, str]
    x: Floats
    y_first: Floats
    y_second: Floats
    difference: Floats
    low: Floats
    high: Floats
    pointwise_low: Floats
    pointwise_high: Floats
    se: Floats
    factor: float
    higher: Sequence[Mapping[str, Any]]
    n: int
    settings: CurveSettings
    x_title: str
    y_title: str
    notes: Sequence[Note] = ()
    row_groups: RowGroups | None = None

    @property
    def verdict(self) -> str:
        """What the band says, as a sentence."""
        band = f"{percentage(self.settings.level)} band"
        x, y = (
            f"`{formula}`" if title == formula else title
            for title, formula in ((self.x_title, self.settings.x), (self.y_title, self.settings.y))
        )
        if np.isnan(self.se).all():
            return f"Undefined: no difference in {y}."
        if not self.higher:
            return f"No difference in {y} shown: the {band} includes 0 everywhere."
        parts = []
        for model in self.models:
            places = [run for run in self.higher if run["model"] == model]
            if places:
                where = ", ".join(_from_to(run) for run in places)
                parts.append(f"{model} has higher {y} at {x} {where}")
        return f"{'; '.join(parts)}; elsewhere the {band} includes 0."

    def _plain(self, *, infinite: bool) -> dict[str, Any]:
        """Return everything as plain Python, the verdict first."""
        settings = {"settings": self.settings.to_dict()}
        return {"verdict": self.verdict, **super()._plain(infinite=infinite), **settings}

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a value of x."""
        columns = [jsonable(getattr(self, name), infinite=True) for name in COLUMNS]
        return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*columns, strict=True)]

    def present(self) -> Presentation:
        """Return the formulas, the verdict, and the difference with its band along x."""
        first, second = self.models
        examples = counted(self.n, "example" if self.row_groups is None else "group")
        title = f"{curve_title(self.settings)}: {second} minus {first}, {examples}"
        places = evenly_spread(len(self.x), POINTS)
        columns = {
            "x": self.x,
            "first": self.y_first,
            "second": self.y_second,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
        }
        scales = {name: size_of(v[places]) for name, v in columns.items()}
        of_y = max(scale for name, scale in scales.items() if name != "x")  # equal curves round
        cells = {
            name: [amount(value, scale=scales["x"] if name == "x" else of_y) for value in v[places]]
            for name, v in columns.items()
        }
        return Presentation(
            formulas=True,
            subject="\n".join([title, *formula_lines(self.settings)]),
            summary=self.verdict,
            tone="" if self.higher else "open",
            details=group_details(self.row_groups),
            notes=(
                *(Note(sentence(note), note.code) for note in self.notes if note.code != "paired"),
                *group_notes(self.row_groups),
            ),
            tables=(Table(cells),),
            legend=(
                "The band is simultaneous: it covers the curve at all x together.",
                *(sentence(note) for note in self.notes if note.code == "paired"),
            ),
        )


def curve_difference(
    data: Predictions,
    preset: str | None = None,
    *,
    models: Sequence[Any] | None = None,
    x: str | None = None,
    y: str | None = None,
    sort_by: str | None = None,
    direction: str | None = None,
    merge: str | None = None,
    average: str | None = None,
    points: int = 101,
    span: float = 0.5,
    level: float = 0.95,
    resamples: int = 500,
    where: str | None = None,
    target: Any = None,
    params: Mapping[str, float] | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
    rng: Seed = 0,
    progress: Progress | None = None,
) -> CurveDifference:
    """Compare two models' curves, by formulas or a preset, on the same examples.

    At `points` values of x, evenly spread over the common range of both curves, D(x) is y of the
    second model minus y of the first. Where x is `threshold` or what the rows are sorted by, y is
    that of the rows at or above x (ascending: at or below); where `average` is "smooth" both are
    smoothed; else (ROC, gains) each curve is a function of x as in vertical averaging.

    The examples are drawn with replacement `resamples` times, both models with the same ones; with
    D* a resample's difference and se the standard deviation of D* over resamples,

        band(x) = D(x) +- c se(x),   c = the `level` quantile of max over x of abs(D* - D) / se

    so the band holds for all x at once, and may be searched for places where it excludes 0. Where
    the interval of D(x) alone, from quantiles of D*, reaches further, the band does too. An example
    with several rows (repeats of one `row`) is drawn whole. Where se is 0 no difference is claimed.
    Equally good models differed significantly somewhere in .03 to .07 of 400 simulated
    data sets for accuracy at thresholds (standard error .011), and in .00 to .02 for ROC curves: at
    their ends most resamples agree and few differ much, which makes c large
    (studies/curve_bands.py).

    Parameters
    ----------
    data : Predictions
        The table of both models; folds are pooled. Rows are paired by `row` (and `repeat`, `fold`),
        else by their order.
    preset : str, optional
        Name of a curve in `PRESETS`, such as "roc".
    models : two names, optional
        First and second model. By default the two of the table.
    x, y : str, optional
        Formulas of the coordinates, as in `curve`; x must be a number.
    sort_by, direction, merge : str, optional
        How rows are sorted and merged, as in `curve`.
    average : {"merge", "smooth"}, optional
        Whether both curves are smoothed by local regression. By default "merge".
    points : int, default 101
        Number of values of x, from 2 to 100,000.
    span : float, default 0.5
        Share of the rows in a smoothing window, in (0, 1].
    level : float, default 0.95
        Coverage of both bands, in (0, 1).
    resamples : int, default 500
        Number of resamples, from 20 to 1,000,000.
    where : str, optional
        Formula of the rows to keep. Default: all rows.
    target : class name, optional
        Class that counts as positive. Default: the positive class of the table.
    params : mapping of str to float, optional
        Values for `param("name", default)` in the formulas.
    x_title, y_title : str, optional
        Titles of the axes. Default: those of the preset, else the formulas.
    rng : int, Generator or None, default 0
        Random seed of the resamples.
    progress : callable, optional
        Called as `progress(done, total)`.

    Returns
    -------
    CurveDifference
        The differences with their bands, and where the band excludes 0.

    Raises
    ------
    InputError
        Where there are not two models, or their rows cannot be paired.
    ParameterError, FormulaError
        As `curve` does.

    References
    ----------
    Simultaneous "sup-t" bands: Montiel Olea and Plagborg-Moller (2019). Paired bootstrap: Efron and
    Tibshirani (1993).

    Examples
    --------
    >>> y, good, poor = [0, 1] * 50, [0.2, 0.7] * 50, [0.6, 0.6, 0.3, 0.4] * 25
    >>> data = Predictions.from_arrays(y * 2, poor + good, model=["old"] * 100 + ["new"] * 100)
    >>> result = curve_difference(data, x="threshold", y="CA", points=6)
    >>> result.verdict
    'new has higher `CA` at `threshold` 0.3 to 0.7; elsewhere the 95 % band includes 0.'
    """
    only_predictions(data)
    given = {
        "x": x,
        "y": y,
        "sort_by": sort_by,
        "direction": direction,
        "merge": merge,
        "average": average,
        "points": points,
        "span": span,
        "level": level,
        "resamples": resamples,
        "where": where,
        "target": target,
        "params": params,
        "x_title": x_title,
        "y_title": y_title,
    }
    entropy = entropy_of(rng)
    settings = complete_settings(data, given_settings(preset, given, rng))
    refuse_unused(data, settings, not_usual(given), difference=True)
    return difference_of_settings(data, settings, models, entropy, progress)


def difference_of_settings(
    data: Predictions,
    settings: CurveSettings,
    models: Sequence[Any] | None,
    entropy: int,
    progress: Progress | None = None,
) -> CurveDifference:
    """Return the difference of complete settings; refuse those of several lines a model."""
    if settings.multiclass is not None:
        raise ParameterError(
            "a difference is of one class against the rest; leave `multiclass` out",
            code="argument-beside-another",
            argument="multiclass",
        )
    if settings.average in FOLDS_APART:
        raise ParameterError(
            f"a difference merges the folds, and `average` is {quoted(settings.average)}; "
            "use 'merge' or 'smooth'",
            code="argument-beside-another",
            argument="average",
        )
    first, second = _two(data, models)
    notes: Counter[Note] = Counter()
    recipe = recipe_of(rows_of(data, data.class_number(settings.target)), settings)
    if recipe.x.kind == "category":
        raise ParameterError(
            "x is a category, and differences need a number along x; compare one "
            f'category at a time, as in `where="{recipe.x.text.strip()} == '
            f"'{recipe.x.categories[0]}'\"`",
            code="category-as-number",
        )
    sides, count = _sides(data, (first, second), recipe, notes)
    notes.update(curve_notes(recipe, [side.sweep for side in sides]))
    paired = PAIRED.format(level=100 * settings.level, resamples=settings.resamples)
    notes[Note(paired, code="paired")] += 1
    grid = compared(*sides, recipe)

    def both(counts: Floats) -> Floats:
        return np.array([at(counts) for at in grid.at])

    drawn = replicates(
        lambda counts: _minus(both(counts)),
        units=count,
        entropy=entropy,
        resamples=settings.resamples,
        progress=progress,
    )
    found = _result(grid.x, both(np.ones(count)), drawn, (first, second), count, settings, notes)
    return replace(found, row_groups=row_groups_in(data))


def _two(data: Predictions, models: Sequence[Any] | None) -> tuple[str, str]:
    """Return the names of the two models to compare."""
    if models is None:
        models = data.models
        if len(models) != 2:
            remedy = (
                "name two, as in `models=['A', 'B']`"
                if models
                else "stack the rows of both, with a column 'model'"
            )
            held = f"{len(models)} ({shown(models)})" if models else "one, without a name"
            raise InputError(
                f"a difference is of two models, this table holds {held}",
                code="two-models",
                argument="models",
                remedy=remedy,
            )
    if isinstance(models, str) or len(models) != 2 or models[0] == models[1]:
        raise ParameterError(
            f"`models` must name two different models, got {shorten(models)}", code="named-twice"
        )
    return str(models[0]), str(models[1])


def _sides(
    data: Predictions, models: tuple[str, str], recipe: Recipe, notes: Counter[Note]
) -> tuple[tuple[ModelSide, ModelSide], int]:
    """Return both models' rows, sorted, with the examples they are of, and how many examples."""
    places = paired(data, *models)
    example = np.full(data.stored, -1, np.intp)
    codes = _examples(data, places[0])
    whole = rows_of(data, data.class_number(recipe.settings.target))
    kept = []
    for own in places:
        example[own] = codes
        kept.append(kept_rows(whole.take(own), recipe, notes))
    of_rows = [example[rows.index] for rows in kept]
    known, numbers = np.unique(np.concatenate(of_rows), return_inverse=True)
    if any(len(np.unique(codes)) < len(known) for codes in of_rows):
        text = "the filter or the weights keep different examples of the two models"
        notes[Note(text, code="different-examples")] += 1
    split = np.split(numbers, [len(of_rows[0])])
    first, second = (
        side_of(model, sweep_of(rows, recipe), recipe, Units(len(known), codes))
        for model, rows, codes in zip(models, kept, split, strict=True)
    )
    return (first, second), len(known)


def _examples(data: Predictions, places: Ints) -> Ints:
    """Return which group or example each of one model's rows is of."""
    need_enough_groups(group_count(data))
    sets = sets_of_rows(data)
    return np.arange(len(places)) if sets is None else sets[places]


def _minus(both: Floats) -> Floats:
    difference: Floats = both[1] - both[0]
    return difference


# ------------------------------------------------------------------ from drawings to an answer


def _result(
    x: Floats,
    y: Floats,
    drawn: Floats,
    models: tuple[str, str],
    count: int,
    settings: CurveSettings,
    notes: Counter[Note],
) -> CurveDifference:
    difference = _minus(y)
    pointwise = percentiles(drawn, settings.level)
    se, factor = simultaneous(difference, drawn, level=settings.level, still=STILL * size_of(y))
    undefined = int(np.isnan(se).sum())
    if undefined:
        text = f"the difference is undefined at {counted(undefined, 'value')} of x"
        notes[Note(text, code="undefined-values")] += 1
    notes.update(undefined_draws(drawn[:, ~np.isnan(se)], "the difference", "values of x"))
    low = np.fmin(difference - factor * se, np.where(se > 0, pointwise[0], np.nan))
    high = np.fmax(difference + factor * se, np.where(se > 0, pointwise[1], np.nan))
    return CurveDifference(
        models,
        x,
        y[0],
        y[1],
        difference,
        low,
        high,
        *pointwise,
        se,
        factor,
        higher=tuple(_runs(x, low, high, se, models)),
        n=count,
        settings=settings,
        x_title=settings.x_title or settings.x,
        y_title=settings.y_title or settings.y,
        notes=tuple(notes),
    )


def simultaneous(
    value: Floats, drawn: Floats, *, level: float, still: float
) -> tuple[Floats, float]:
    """Return the (g,) standard errors and the factor c of a band that holds everywhere at once.

    Places where the value or more than half of the (r, g) drawings are undefined have no standard
    error; those where it is at most `still`, and so 0, do not affect c.
    """
    with np.errstate(invalid="ignore"):
        drawn = np.where(np.isfinite(drawn) & np.isfinite(value), drawn, np.nan)
        defined = 2 * np.count_nonzero(~np.isnan(drawn), axis=0) >= max(len(drawn), 4)
        se = np.full(len(value), np.nan)
        se[defined] = np.nanstd(drawn[:, defined], axis=0, ddof=1)
        moving = np.flatnonzero(se > still)
        se[se <= still] = 0.0
        away = np.abs(drawn[:, moving] - value[moving]) / se[moving]
        largest = np.nan_to_num(away).max(axis=1, initial=0.0)
    return se, float(np.quantile(largest, level))


def _runs(
    x: Floats, low: Floats, high: Floats, se: Floats, models: tuple[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield the runs of x in which the band lies on one side of 0."""
    side = np.where(se > 0, (low > 0).astype(int) - (high < 0), 0)
    breaks = [0, *np.flatnonzero(np.diff(side)) + 1, len(x)]
    for start, stop in pairwise(breaks):
        if side[start]:
            model = models[1] if side[start] > 0 else models[0]
            yield {"low": float(x[start]), "high": float(x[stop - 1]), "model": model}


def _from_to(run: Mapping[str, Any]) -> str:
    low, high = amounts((run["low"], run["high"]))
    return low if low == high else f"{low} to {high}"
