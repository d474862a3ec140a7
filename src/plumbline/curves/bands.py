"""Bootstrap: how rows are resampled, and the pointwise bands of a curve made from it."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Note
from plumbline.curves.averaging import TIE, as_function
from plumbline.curves.lines import AreaBelow, Line
from plumbline.curves.recipe import Recipe, drawable, line_of, shape_of, states_of
from plumbline.curves.smoothing import distinct, fitted
from plumbline.curves.sweep import Sweep, group_means, stopped
from plumbline.curves.target_rows import TargetRows, rows_of
from plumbline.dependence import need_enough_groups
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import (
    Predictions,
    group_count,
    many_rows,
    need_single_rows,
    sets_of_rows,
)
from plumbline.progress import Progress
from plumbline.random_streams import bootstrap_counts, stream
from plumbline.workers import ALL_CORES, map_pieces

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

BOOTSTRAP = 4  # first number of the key of these streams
PER_STREAM = 10  # replicates; fixed, so that results do not depend on the number of threads
WORTH_THREADS = 20_000  # units
Points = tuple[Floats, Floats]  # x and y
Drawn = Callable[[Floats], Points]  # weights of the rows -> points
RESAMPLING = (
    "{level:g} % bands from {resamples} resamples of these rows; the variation of model fitting "
    "is not included"
)
MOST_STATES = 2000  # of a curve of more, the band is computed at so many and straight in between
MOST_PLACES = 400  # values of x at which curves whose x moves with the draw are compared
ROUNDING = 1e-9  # of the largest x: what a mean of equal x may be off by
PROBE = 5  # first number of the key of the stream that asks what depends on weights


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is drawn with replacement: rows, or examples with all rows there are of them.

    Attributes
    ----------
    count : how many
    of_row : (n,) number of the unit of every row, None where every row is its own
    shares : (n,) shares of the `count` rows, where each row of the table stands for many
    """

    count: int
    of_row: Ints | None = None
    shares: Floats | None = None

    @property
    def size(self) -> int:
        """How many numbers a drawing has."""
        return self.count if self.shares is None else len(self.shares)

    def drawn(self, rng: np.random.Generator) -> Floats:
        """Return how often each unit comes up in a drawing; of counted rows, how many of each."""
        if self.shares is None:
            return bootstrap_counts(rng, self.count)
        return rng.multinomial(self.count, self.shares).astype(np.float64)

    def weights(self, counts: Floats, weight: Floats | None) -> Floats:
        """Return the (n,) weights of rows whose units were drawn so often."""
        if self.shares is not None:
            return counts
        drawn = counts if self.of_row is None else counts[self.of_row]
        return drawn if weight is None else drawn * weight


def units_of(rows: TargetRows) -> Units:
    """Return the groups of a table, else its examples where `row` repeats them, else the rows.

    An example predicted in several repeats is one draw from the population, not several. Raises
    InputError for fewer than five groups.
    """
    if rows.data.counted and rows.weights is not None:
        return Units(rows.total, shares=rows.weights / rows.total)
    need_enough_groups(group_count(rows.data))
    sets = sets_of_rows(rows.data)
    if sets is None:
        return Units(rows.n)
    known, codes = np.unique(rows.kept(sets), return_inverse=True)
    return Units(rows.n) if len(known) == rows.n else Units(len(known), codes.astype(np.intp))


def replicates(
    make: Callable[[Floats], Floats],
    *,
    units: Units | int,
    resamples: int,
    entropy: int,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Floats:
    """Return (resamples, m) values of `make`, of as many drawings of the units with replacement.

    `make` takes the (units,) counts of one drawing and returns (m,) values. Of many units it runs
    in threads, as most of its work leaves the interpreter; of few, in one, unless `workers` or
    joblib's `n_jobs` says otherwise. No drawing depends on their number.
    """
    units = Units(units) if isinstance(units, int) else units

    def block(number: int) -> list[Floats]:
        rng = stream(entropy, BOOTSTRAP, number)
        width = min(PER_STREAM, resamples - number * PER_STREAM)
        return [make(units.drawn(rng)) for _ in range(width)]

    def count(done: int, _: int) -> None:
        if progress is not None:
            progress(min(done * PER_STREAM, resamples), resamples)

    blocks = map_pieces(
        block,
        range(-(-resamples // PER_STREAM)),
        workers=workers,
        usual=1 if units.size < WORTH_THREADS else ALL_CORES,
        progress=count,
    )
    return np.array([one for some in blocks for one in some])


def percentiles(values: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the (m,) ends of the middle `level` of (r, m) replicates, between order statistics.

    Undefined replicates are left out of a place's percentiles; where more than half are, both ends
    are NaN.

    >>> percentiles(np.arange(101.0)[:, None], 0.95)
    (array([2.5]), array([97.5]))
    """
    ordered = np.sort(np.where(np.isfinite(values), values, np.nan), axis=0)  # NaN last
    defined = np.count_nonzero(~np.isnan(ordered), axis=0)
    ends = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        at = share * np.maximum(defined - 1, 0)
        below = np.floor(at).astype(np.intp)
        above = np.minimum(below + 1, np.maximum(defined - 1, 0))
        low, high = (np.take_along_axis(ordered, k[None], axis=0)[0] for k in (below, above))
        ends.append(np.where(2 * defined < len(values), np.nan, low + (high - low) * (at - below)))
    return ends[0], ends[1]


def undefined_draws(drawn: Floats, what: str, places: str) -> Iterator[Note]:
    """Yield a note of how many of (r, m) drawings have no value at some of m places.

    >>> [note] = undefined_draws(np.array([[1.0, np.nan], [1.0, 2.0]]), "y", "values of x")
    >>> print(note)
    y is undefined in up to 1 of 2 resamples, at 1 of 2 values of x; these are left out there
    """
    lost = np.count_nonzero(~np.isfinite(drawn), axis=0)
    if lost.any():
        text = (
            f"{what} is undefined in up to {int(lost.max()):,} of {len(drawn):,} resamples, at "
            f"{np.count_nonzero(lost):,} of {len(lost):,} {places}; these are left out there"
        )
        yield Note(text, code="undefined-draws")


def with_band(
    line: Line,
    sweep: Sweep,
    recipe: Recipe,
    *,
    entropy: int,
    notes: Counter[Note],
    progress: Progress | None = None,
) -> Line:
    """Add a bootstrap band to a line: `more` gets "y_low" and "y_high", one value a point.

    Of each of `settings.resamples` drawings of n rows with replacement, which give row i the weight
    w_i times how often it was drawn, the curve is drawn again over the same order of rows. The band
    at a point is the middle `settings.level` of the curves there, point by point, from the
    (1 - level) / 2 to the (1 + level) / 2 quantile. Examples that a table holds several times (same
    `row`) are drawn whole.

    - Where x does not depend on the weights (`threshold`, `probability`, an attribute), "there"
      is the same state: the same threshold.
    - Else (ROC, precision-recall, gains) it is the same x, each curve being a function of x as
      in `vertical`: straight lines (precision: straight counts), and at a vertical step its last
      point. The other points of the step have the band of that x too, widened as far as their own
      y: a ROC curve's point (0, 0) has a band from 0, whatever the top of its first step has.
    - A smoothed line is smoothed again at the same x.

    Drawings where the curve is undefined are left out there, and counted in a note that is added to
    `notes`; a point where it is in more than half of them gets NaN. Of a curve of more than 2,000
    states, the band is computed at 2,000 of them spread along its length (a curve whose x moves: at
    up to 400 values of x), with straight lines between; that moves it by a small part of its own
    width.

    Simulated bands of the level .95 held the truth at a point in .92 to .98 of 400 data sets of 300
    and of 1,000 binormal rows (standard error .011), but of 100 rows in .80 at recall .2 of a
    precision-recall curve and .91 at FPR .02 of a ROC curve (studies/curve_bands.py). The bootstrap
    cannot draw what no row shows: where few rows count, as at the ends of a curve, the band is too
    narrow, and it has no width where the curve is 0 or 1 in every drawing.

    Raises ParameterError where y is the value of a single row, which no drawing changes, and where
    x depends on the weights but goes back and forth, so that no value belongs to an x.

    Source: Efron (1979), Bootstrap methods; Macskassy and Provost (2004), Confidence bands for ROC
    curves, whose "vertical averaging" bands these are.
    """
    if not len(line):
        return line
    settings = recipe.settings
    if sweep.rows.data.counted or many_alike(sweep):
        few, places = merged_states(line, sweep, recipe)
        if few is not sweep:
            return _spread_band(line, places, few, recipe, entropy, notes, progress)
    refuse_single_rows(sweep, recipe)
    if settings.average == "smooth":
        plan = BandPlan(smoother(sweep, recipe, line.x), lambda end: end, line.x)
    else:
        plan = _pointwise(line, sweep, recipe, entropy)
    units = units_of(sweep.rows)

    def make(counts: Floats) -> Floats:
        return plan.make(units.weights(counts, sweep.weight))

    values = replicates(
        make, units=units, resamples=settings.resamples, entropy=entropy, progress=progress
    )
    notes.update(undefined_draws(values, f"`{recipe.y.text.strip()}`", "points of its band"))
    low, high = (plan.spread(end) for end in percentiles(values, settings.level))
    line = replace(line, below=_area_of(plan.x, values, settings.level))
    if plan.at_x:
        inner = within_steps(line.x)
        low[inner] = np.minimum(low[inner], line.y[inner])
        high[inner] = np.maximum(high[inner], line.y[inner])
    return replace(line, more={**line.more, "y_low": low, "y_high": high})


def _spread_band(
    line: Line,
    places: Ints,
    few: Sweep,
    recipe: Recipe,
    entropy: int,
    notes: Counter[Note],
    progress: Progress | None,
) -> Line:
    """Return a line with the band of some of its points, straight in between."""
    part = with_band(
        line_of(few, recipe), few, recipe, entropy=entropy, notes=notes, progress=progress
    )
    if len(part) != len(places):  # what a state is worth depends on its neighbours
        need_single_rows(few.rows.data, "the band of this curve")
    at = np.arange(len(line), dtype=np.float64)
    low, high = (np.interp(at, places, part.more[end]) for end in ("y_low", "y_high"))
    more = {**line.more, "y_low": low, "y_high": high}
    return replace(line, more=more, below=part.below)


def many_alike(sweep: Sweep) -> bool:
    """Tell whether rows in memory are many, of equal weight, each its own unit, and only counted.

    Those between two states are then drawn at once, as those of a counted table are: their number
    has the law that rows drawn one by one have, at a cost that does not grow with them.
    """
    if not sweep.counts_only or sweep.weight is not None or not many_rows(sweep.n):
        return False
    return units_of(sweep.rows).of_row is None


def merged_states(line: Line, sweep: Sweep, recipe: Recipe) -> tuple[Sweep, Ints]:
    """Return a sweep that stops at some states only, counted there, and their places on the line.

    The rows between two states are drawn together, as a multinomial number is. The sweep itself
    where it has no more rows than that.
    """
    if sweep.n <= 2 * MOST_STATES:
        return sweep, np.arange(len(line))
    if not sweep.counts_only:
        need_single_rows(sweep.rows.data, "the band of this curve")
    selected = spread_places(line.x, line.y, MOST_STATES)
    points = _drawn(sweep, recipe, states_of(recipe.x, sweep), states_of(recipe.y, sweep))
    return counted_between(sweep, np.unique(points[selected])), selected


def counted_between(sweep: Sweep, states: Ints) -> Sweep:
    """Return the sweep over the counts of positives and negatives between some of its states.

    >>> from plumbline.predictions import Predictions
    >>> from plumbline.curves.target_rows import rating, rows_of
    >>> from plumbline.curves.sweep import Key
    >>> table = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.9, 0.6, 0.7], count=[5, 2, 3, 4])
    >>> rows = rows_of(table, 1)
    >>> whole = Sweep(rows, Key(*rating(rows), rates=True), weight=rows.weights, counts_only=True)
    >>> few = counted_between(whole, np.array([0, 2]))
    >>> few.thresholds.tolist(), few.tp.tolist(), few.fp.tolist()
    ([inf, 0.7, 0.1], [0.0, 2.0, 5.0], [0.0, 4.0, 9.0])
    """
    stops = np.union1d([0, len(sweep.thresholds) - 1], states).astype(np.intp)
    target = sweep.rows.target
    gains = np.concatenate([np.diff(sums[stops]) for sums in (sweep.fp, sweep.tp)])
    level = np.tile(sweep.thresholds[stops[1:]], 2)
    held = np.flatnonzero(gains > 0)
    side = np.repeat([1 - target, target], len(stops) - 1).astype(np.int32)
    classes = sweep.rows.data.classes
    table = Predictions(classes, side[held], weight=gains[held], positive=target, counted=True)
    key = replace(sweep.key, values=level[held])
    rows = rows_of(table, target)
    return replace(sweep, rows=rows, key=key, weight=rows.weights, memo={})


@dataclass(frozen=True, slots=True, eq=False)
class BandPlan:
    """How a band is computed.

    Attributes
    ----------
    make : (n,) weights of the rows -> (p,) values of y at the places of the band
    spread : (p,) ends of the band at the places -> (m,) at the points of the line
    x : (p,) x of the places
    at_x : whether the places are values of x, of which a vertical step has one for all its points
    """

    make: Callable[[Floats], Floats]
    spread: Callable[[Floats], Floats]
    x: Floats
    at_x: bool = False


def _area_of(x: Floats, drawn: Floats, level: float) -> AreaBelow | None:
    """Return the interval of the area below a line, of the areas below (b, p) drawings of it.

    A drawing that is undefined somewhere has no area; where that are more than half, nor has the
    line an interval.
    """
    finite = np.isfinite(x)
    x, drawn = x[finite], drawn[:, finite]
    steps = np.diff(x)
    if len(x) < 2 or not ((steps >= 0).all() or (steps <= 0).all()):
        return None
    areas = (np.abs(steps) * (drawn[:, 1:] + drawn[:, :-1])).sum(axis=1) / 2
    areas = areas[np.isfinite(areas)]
    if 2 * len(areas) < len(drawn):
        return None
    low, high = np.quantile(areas, [(1 - level) / 2, (1 + level) / 2])
    return AreaBelow.known(None, ((float(low), float(high)), "bootstrap of rows"))


def _pointwise(line: Line, sweep: Sweep, recipe: Recipe, entropy: int) -> BandPlan:
    """Return the plan of a line that joins states, or groups of them."""
    selected = spread_places(line.x, line.y, MOST_STATES)
    points = points_of(sweep, recipe, selected)
    if not moves(points, sweep, entropy):
        at = np.arange(len(line), dtype=np.float64)
        return BandPlan(
            lambda w: points(w)[1], lambda end: np.interp(at, at[selected], end), line.x[selected]
        )
    refuse_back_and_forth(line, recipe)
    grid = np.unique(line.x[spread_places(line.x, line.y, MOST_PLACES)])
    shape = shape_of(recipe)
    return BandPlan(
        lambda w: at_x(points(w), grid, shape=shape),
        lambda end: np.interp(line.x, grid, end),
        grid,
        True,
    )


def within_steps(x: Floats) -> NDArray[np.bool_]:
    """Tell which points of a line are on a vertical step, but not its last point.

    >>> within_steps(np.array([0.0, 0.0, 0.5, 1.0, 1.0])).tolist()
    [True, False, False, True, False]
    >>> within_steps(np.array([1.0, 1.0, 0.5, 0.0, 0.0])).tolist()
    [False, True, False, False, True]
    """
    step = np.abs(np.diff(x)) <= TIE * np.abs(x).max(initial=0.0)
    return np.append(False, step) if x[-1] < x[0] else np.append(step, False)


# ------------------------------------------------------------------ smoothing drawings


def smoother(sweep: Sweep, recipe: Recipe, grid: Floats) -> Callable[[Floats], Floats]:
    """Return how to smooth a sweep's points anew at values of x, of other weights of its rows.

    Where the rows keep their x, they are summed in cells of equal x, or, of more than 2,000
    distinct x, of about as many rows each: a window spans hundreds of these.
    """
    settings, of_rows = recipe.settings, recipe.x.level == "row" and not recipe.x.depends_on_weights
    if settings.merge != "none" or not of_rows:
        return lambda weight: _smoothed(
            *_cloud(sweep.weighted(weight), recipe), grid, settings.span
        )
    x = states_of(recipe.x, sweep)
    keep = np.isfinite(x)
    cell, cell_x = _cells(x[keep])

    def make(weight: Floats) -> Floats:
        drawn = sweep.weighted(weight)
        y, w = states_of(recipe.y, drawn)[keep], np.append(1.0, weight[sweep.order])[keep]
        known = np.isfinite(y)
        w, y = np.where(known, w, 0.0), np.where(known, y, 0.0)
        mass, sums = (np.bincount(cell, part, len(cell_x)) for part in (w, w * y))
        some = mass > 0
        return _at_grid(cell_x[some], np.array([mass, mass, sums])[:, some], grid, settings.span)

    return make


def _cells(x: Floats) -> tuple[Ints, Floats]:
    """Return the cell of every x, and the mean x of every cell."""
    values, which, count = np.unique(x, return_inverse=True, return_counts=True)
    if len(values) <= MOST_STATES:
        return which, values
    home = np.unique((np.cumsum(count) - 1) * MOST_STATES // len(x), return_inverse=True)[1]
    return home[which], np.bincount(home, values * count) / np.bincount(home, count)


def _cloud(sweep: Sweep, recipe: Recipe) -> tuple[Floats, Floats, Floats]:
    """Return x, y and weight of the points to smooth."""
    x, y = states_of(recipe.x, sweep), states_of(recipe.y, sweep)
    weight = np.ones(len(x))
    if _averages(sweep, recipe):
        _, x, y, weight = group_means(sweep, x, y)
    elif recipe.settings.merge == "none" and sweep.weight is not None:
        weight[1:] = sweep.weight[sweep.order]
    else:  # rows of equal sort value none of which was drawn are no point
        weight[1:] = np.diff(sweep.tp + sweep.fp) > 0
    return x, y, weight


def _smoothed(x: Floats, y: Floats, weight: Floats, grid: Floats, span: float) -> Floats:
    keep = np.isfinite(x) & np.isfinite(y) & (weight > 0)
    if not keep.any():
        return np.full(len(grid), np.nan)
    return _at_grid(*distinct(x[keep], y[keep], weight[keep]), grid, span)


def _at_grid(x: Floats, sums: Floats, grid: Floats, span: float) -> Floats:
    """Return the local lines through the sums of distinct x, which may be one or none."""
    if len(x) < 2:
        mean = sums[2, 0] / sums[1, 0] if len(x) else np.nan
        return np.full(len(grid), mean)
    return fitted(x, sums, grid, span)[0]


# ------------------------------------------------------------------ the points of a drawing


def points_of(sweep: Sweep, recipe: Recipe, selected: Ints) -> Drawn:
    """Return how to compute the chosen points of a line anew, of other weights of its rows."""
    return (_drawn_groups if _averages(sweep, recipe) else _states)(sweep, recipe, selected)


def _averages(sweep: Sweep, recipe: Recipe) -> bool:
    """Tell whether points are means over the rows of equal sort value."""
    return recipe.settings.merge == "average" and sweep.direction != "unsorted"


def _states(sweep: Sweep, recipe: Recipe, selected: Ints) -> Drawn:
    x, y = states_of(recipe.x, sweep), states_of(recipe.y, sweep)
    met = np.append(0, sweep.ends + 1)
    places = _drawn(sweep, recipe, x, y)[selected]
    states, back = np.unique(np.append(places, len(met) - 1), return_inverse=True)
    few = stopped(sweep, met[states], sweep.thresholds[states])
    return lambda weight: _both(few.weighted(weight), recipe, back[:-1])


def _both(sweep: Sweep, recipe: Recipe, places: Ints) -> Points:
    return states_of(recipe.x, sweep)[places], states_of(recipe.y, sweep)[places]


def _drawn_groups(sweep: Sweep, recipe: Recipe, selected: Ints) -> Drawn:
    _, x, y, _ = group_means(sweep, states_of(recipe.x, sweep), states_of(recipe.y, sweep))
    places = _drawn(sweep, recipe, x, y)[selected]

    def points(weight: Floats) -> Points:
        drawn = sweep.weighted(weight)
        for name in ("group_ends", "thresholds"):
            drawn.__dict__[name] = getattr(sweep, name)
        _, x, y, _ = group_means(drawn, states_of(recipe.x, drawn), states_of(recipe.y, drawn))
        return x[places], y[places]

    return points


def _drawn(sweep: Sweep, recipe: Recipe, x: Floats, y: Floats) -> Ints:
    """Return which states are the points of the line, in the order of drawing."""
    places = np.flatnonzero(drawable(recipe.x, x) & drawable(recipe.y, y))
    return places[::-1] if sweep.accepted_below else places


def at_x(points: Points, grid: Floats, *, shape: str) -> Floats:
    """Return the (g,) y of points as a function of x, NaN outside their range."""
    function = as_function(Line(points[0], *points), shape=shape)
    values = np.full(len(grid), np.nan)
    if len(function):
        x, slack = function.x, TIE * max(abs(grid[0]), abs(grid[-1]))
        inside = (grid >= x[0] - slack) & (grid <= x[-1] + slack)
        if inside.any():
            values[inside] = function.at(np.clip(grid[inside], x[0], x[-1]))
    return values


# ------------------------------------------------------------------ what depends on what


def moves(points: Drawn, sweep: Sweep, entropy: int) -> bool:
    """Tell whether the points have other x where the rows have other weights, but for rounding."""
    weight = np.ones(sweep.n) if sweep.weight is None else sweep.weight
    other = weight * (0.5 + stream(entropy, PROBE).random(sweep.n))
    before, after = points(weight)[0], points(other)[0]
    slack = ROUNDING * np.abs(before[np.isfinite(before)]).max(initial=0.0)
    return not np.allclose(before, after, rtol=0.0, atol=slack, equal_nan=True)


def refuse_back_and_forth(line: Line, recipe: Recipe) -> None:
    """Refuse an x that is not monotone, up to rounding."""
    x = line.x[np.isfinite(line.x)]
    steps, slack = np.diff(x), TIE * np.abs(x).max(initial=0.0)
    if not ((steps >= -slack).all() or (steps <= slack).all()):
        raise ParameterError(
            "a band needs an x that only rises or only falls along the curve, but "
            f"{quoted(recipe.x.text.strip())} does both",
            code="x-not-monotone",
            remedy="exchange x and y, or use `x='threshold'`",
        )


def refuse_single_rows(sweep: Sweep, recipe: Recipe) -> None:
    """Refuse the band of values that belong to one row each, whichever rows are drawn."""
    settings = recipe.settings
    if recipe.y.level != "row" or recipe.y.depends_on_weights or settings.average == "smooth":
        return
    if _averages(sweep, recipe) and len(sweep.group_ends) < sweep.n:
        return
    raise ParameterError(
        f"a band shows the sampling variation of y, and {quoted(recipe.y.text.strip())} is the "
        "value of a single row at every point; smooth it (`average='smooth'`) or sum it "
        "(cumm(...))",
        code="value-of-each-row",
    )


def spread_places(x: Floats, y: Floats, most: int) -> Ints:
    """Return at most `most` places spread along a line: by points, by x and by y alike.

    The first and the last are among them, and all where there are no more.

    >>> spread_places(np.arange(7.0), np.array([0, 0, 0, 0, 0, 0, 9.0]), 3)
    array([0, 5, 6])
    """
    count = len(x)
    if count <= most:
        return np.arange(count)
    along = np.full(count - 1, 1.0 / (count - 1))
    for values in (x, y):
        with np.errstate(invalid="ignore"):
            steps = np.abs(np.diff(values))
        steps[~np.isfinite(steps)] = 0.0
        if steps.sum() > 0:
            along += steps / steps.sum()
    length = np.append(0.0, np.cumsum(along))
    return np.unique(np.searchsorted(length, np.linspace(0.0, length[-1], most)).clip(0, count - 1))
