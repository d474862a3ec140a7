"""A recipe: the formulas of a curve, read for one table and checked; and the points of its rows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import nearest, shown
from plumbline._result import Note
from plumbline.confusion import RATES
from plumbline.curves.lines import EDGE, ENDS, FINISH, START, Line, select_points
from plumbline.curves.presets import PRESETS, CurveSettings, Shape, preset_of
from plumbline.curves.sweep import Direction, Key, Merge, Sweep, group_means
from plumbline.curves.target_rows import TargetRows, Vocabulary, rating, rows_of
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.formatting import counted, quoted
from plumbline.formula import Formula, Variable, adds_up, params_in, read_formula
from plumbline.predictions import Predictions, need_single_rows, need_single_values

POSITIVES_ONLY = {"eTP", "eFN"}
NEGATIVES_ONLY = {"eFP", "eTN"}
ACCURACIES = {"CA", *RATES["CA"].aliases}
AVERAGING = ("smooth", "vertical")


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """The formulas of a curve, read for the columns of one table.

    Attributes
    ----------
    settings : the settings of the curve
    variables : what the formulas may name
    x, y : the coordinates
    key : formula of the sort value, None where rows are ranked by the table's own rating
    where : formula of the rows to keep, None where all are
    more : further formulas of states, such as a constraint
    """

    settings: CurveSettings
    variables: Mapping[str, Variable]
    x: Formula
    y: Formula
    key: Formula | None
    where: Formula | None = None
    more: tuple[Formula, ...] = ()

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """All formulas of states."""
        return (self.x, self.y, *self.more)

    def is_date(self, formula: Formula) -> bool:
        """Tell whether a formula is an attribute that holds dates, or times."""
        variable = self.variables.get(formula.is_name or "")
        return variable is not None and variable.date


def recipe_of(rows: TargetRows, settings: CurveSettings, more: tuple[str, ...] = ()) -> Recipe:
    """Read the formulas of a curve.

    Refuse counts at a threshold where no rating sorts the rows, and parameters that no formula has.
    """
    variables = Vocabulary(rows)
    formulas = [read_formula(text, variables) for text in (settings.x, settings.y, *more)]
    for formula in formulas:
        if formula.kind == "category" and formula.level != "row":
            raise FormulaError(
                "a coordinate cannot be the positive class, which is constant",
                code="category-as-number",
                formula=formula.text,
                start=0,
                end=len(formula.text),
            )
    if formulas[1].kind == "category":
        raise FormulaError(
            "`y` must be a number, and this is a category",
            code="category-as-number",
            formula=formulas[1].text,
            start=0,
            end=len(formulas[1].text),
            argument="y",
            remedy=f"compare it, as in {formulas[1].text} == '{formulas[1].categories[0]}'",
        )
    key = None
    if settings.sort_by is not None:
        key = read_formula(settings.sort_by, variables, highest="row")
    where = filter_of(settings, variables)
    recipe = Recipe(settings, variables, formulas[0], formulas[1], key, where, tuple(formulas[2:]))
    read = (*recipe.formulas, key, where)
    known = sorted({name for formula in read if formula is not None for name in formula.params})
    for name in settings.params:
        if name not in known:
            has = f"they have {shown(known)}" if known else "they have none"
            raise ParameterError(
                f"`params` has {quoted(name)}, and the formulas have no such parameter",
                code="unknown-parameter",
                arrived=quoted(name),
                near=nearest(name, known),
                remedy=has,
            )
    if not rates_rows(recipe):
        _refuse_thresholds(recipe)
    _refuse_averages(rows.data, recipe)
    return recipe


def averages_of(data: Predictions, recipe: Recipe) -> list[str]:
    """Return the attributes that the formulas add up, of which a counted table has means."""
    if not data.averaged:
        return []
    names = {name for formula in recipe.formulas for name in formula.names}
    variables = cast(Vocabulary, recipe.variables)
    return [name for name in data.averaged if names & variables.spellings([name])]


def _refuse_averages(data: Predictions, recipe: Recipe) -> None:
    """Refuse attributes that a counted table has means of, unless formulas only add them up."""
    variables = cast(Vocabulary, recipe.variables)
    for attribute in data.averaged:
        names = variables.spellings([attribute])
        for formula in (recipe.key, recipe.where):
            if formula is not None and names & formula.names:
                need_single_values(data, attribute, f"`{formula.text.strip()}`")
        for formula in recipe.formulas:
            if not adds_up(formula, names):
                need_single_values(data, attribute, f"`{formula.text.strip()}`")
    if recipe.settings.band == "bootstrap":
        for attribute in averages_of(data, recipe):
            need_single_values(data, attribute, "a bootstrap band")


def filter_of(settings: CurveSettings, variables: Mapping[str, Variable]) -> Formula | None:
    """Read the formula of the rows to keep, if there is one."""
    if settings.where is None:
        return None
    formula = read_formula(settings.where, variables, highest="row")
    if formula.kind == "category":
        raise FormulaError(
            "`where` must be true or false for every row, and this is a category",
            code="category-as-number",
            formula=formula.text,
            start=0,
            end=len(formula.text),
            argument="where",
            remedy=f"compare it, as in {formula.text} == '{formula.categories[0]}'",
        )
    return formula


def shape_of(recipe: Recipe) -> Shape:
    """Return how the points of a curve are joined: as a preset's of these formulas, else by level.

    Against the threshold, what has a value in every state keeps it until the next threshold,
    unless it names the threshold itself, which does not stand still in between.
    """
    preset = preset_of(recipe.settings)
    if preset is not None:
        return preset.shape
    y = recipe.y
    stands = y.level == "state" and "threshold" not in y.names
    return "step" if recipe.x.is_name == "threshold" and stands else "line"


def params_for(params: Mapping[str, float], *formulas: str | None) -> dict[str, float]:
    """Return those of the parameters that some of the formulas name.

    >>> params_for({"gain": 2.0, "loss": 1.0}, "param('gain', 1) * TP", None)
    {'gain': 2.0}
    """
    named = {name for text in formulas if text is not None for name in params_in(text)}
    return {name: value for name, value in params.items() if name in named}


def rates_rows(recipe: Recipe) -> bool:
    """Tell whether the sort key rates rows, so that those above a value are the accepted ones."""
    if recipe.settings.direction == "unsorted":
        return False
    return recipe.key is None or recipe.key.is_name in (None, "probability", "score")


def _refuse_thresholds(recipe: Recipe) -> None:
    for formula in recipe.formulas:
        for name in formula.threshold_names:
            by = "not sorted" if recipe.key is None else f"sorted by `{recipe.settings.sort_by}`"
            start, end = formula.place_of(name)
            raise FormulaError(
                f"`{name}` depends on the threshold, and the rows are {by}",
                code="rows-not-ranked",
                formula=formula.text,
                start=start,
                end=end,
                remedy="sort them by `probability` (`sort_by='probability'`), or use row "
                "variables such as eTP",
            )


def names_of(recipe: Recipe) -> tuple[str, ...]:
    """Return the categories that x is one of; of an averaged truth they are False and True."""
    if recipe.x.kind == "truth" and recipe.settings.average == "smooth":
        return ("False", "True")
    return recipe.x.categories


def needs_threshold(recipe: Recipe) -> bool:
    """Tell whether a coordinate counts rows on either side of a threshold."""
    return any(formula.threshold_names for formula in recipe.formulas)


def curve_notes(recipe: Recipe, sweeps: Sequence[Sweep]) -> list[Note]:
    """Return what is odd about the curve that a recipe draws over some sweeps, a sentence each."""
    key = sweeps[0].key
    missing = sum(
        int(np.isnan(s.key.values).sum()) for s in sweeps if s.key.values.dtype.kind == "f"
    )
    without = []
    if missing and recipe.settings.average != "smooth":
        text = f"`{key.name}` is missing in {counted(missing, 'row')}; they are sorted last"
        without.append(Note(text, code="missing-sort-values"))
    return [
        *_policy(recipe),
        *without,
        *_ties(recipe, sweeps),
        *_half(recipe, sweeps),
        *_of_formulas(recipe, sweeps[0].rows.data.k),
    ]


def notes_on_text(recipe: Recipe, *, classes: int) -> list[Note]:
    """Return what can be said of the formulas of a recipe before any row is read."""
    return [*_policy(recipe), *_of_formulas(recipe, classes)]


def _policy(recipe: Recipe) -> Iterator[Note]:
    key = recipe.key
    if key is not None and key.is_name is None and needs_threshold(recipe):
        yield Note(
            f"rows are sorted by `{key.text.strip()}`: counts such as TP are for this rule, and "
            "the threshold is its value, not the probability",
            code="sorted-by-a-rule",
        )


def _ties(recipe: Recipe, sweeps: Sequence[Sweep]) -> Iterator[Note]:
    """Warn where the order of rows of equal sort value, which means nothing, shows in the curve."""
    if recipe.settings.direction == "unsorted" or recipe.settings.average == "smooth":
        return
    merge = recipe.settings.merge
    counting = [f for f in (recipe.x, recipe.y) if f.level == "state" and f.is_name != "threshold"]
    of_rows = [f for f in (recipe.x, recipe.y) if f.level == "row"]
    if merge == "last":
        suspects = [f for f in of_rows if any(_varies_in_ties(f, sweep) for sweep in sweeps)]
        advice = "`merge='average'` takes the mean instead"
    else:
        tied = counting and any(len(s.group_ends) < s.n for s in sweeps)
        suspects = counting if tied else []
        advice = "`merge='last'` takes them at once"
    if suspects:
        by = f"`{sweeps[0].key.name}`"
        yield Note(
            f"`{suspects[0].text.strip()}` depends on the arbitrary order of tied rows "
            f"(same {by}); {advice}",
            code="order-of-ties",
        )


def _varies_in_ties(formula: Formula, sweep: Sweep) -> bool:
    """Tell whether a formula of rows takes several values among rows of equal sort value."""
    if sweep.counts_only or len(sweep.group_ends) == sweep.n:
        return False
    values = np.asarray(formula.compute(sweep), float)[sweep.order]
    inside = np.ones(sweep.n, bool)
    inside[np.concatenate([[0], sweep.group_ends[:-1] + 1])] = False
    later = np.flatnonzero(inside)
    differs = values[later] != values[later - 1]
    return bool((differs & ~(np.isnan(values[later]) & np.isnan(values[later - 1]))).any())


def _half(recipe: Recipe, sweeps: Sequence[Sweep]) -> Iterator[Note]:
    """Point at comparisons that put a probability at the threshold itself on the negative side."""
    for formula in (recipe.x, recipe.y):
        for op, value in formula.comparisons_of("probability"):
            if op not in ("<=", ">"):
                continue
            exact = sum(int((s.rows.column("probability") == value).sum()) for s in sweeps)
            yield Note(
                f"`probability {op} {value:g}` counts a probability of exactly {value:g} "
                f"as negative; a threshold of {value:g} counts it as positive; "
                f"{counted(exact, 'row')} affected",
                code="exactly-at-the-threshold",
            )


def _of_formulas(recipe: Recipe, classes: int) -> Iterator[Note]:
    """Yield what is odd about the formulas, whatever the rows."""
    y, settings = recipe.y, recipe.settings
    averages = settings.average in AVERAGING or settings.merge == "average"
    kept = recipe.where.names if recipe.where is not None else frozenset()
    if averages and y.level == "row" and y.kind != "category":
        for names, keep, which in (
            (POSITIVES_ONLY, "eP", "positive"),
            (NEGATIVES_ONLY, "eN", "negative"),
        ):
            used = names & y.names
            if used and keep not in kept | y.names:
                yield Note(
                    f"the mean of `{min(used)}` is a share of all rows, not of the {which} ones; "
                    f"for those filter with `where='{keep}'`",
                    code="share-of-all-rows",
                )
    if y.level == "row" and y.kind == "truth" and settings.average == "merge":
        yield Note(
            f"`{y.text.strip()}` is 0 or 1 in every row; use `average='smooth'` for its "
            "mean along x",
            code="row-by-row",
        )
    accuracies = (recipe.x.names_written | y.names_written) & ACCURACIES
    if classes > 2 and accuracies and settings.multiclass is None:
        yield Note(
            "with more than two classes CA is (TP + TN) / NN of one class against the "
            "rest; overall accuracy is mean(eCA)",
            code="accuracy-of-one-class",
        )
    preset = PRESETS.get(settings.preset or "")
    for formula in recipe.formulas:  # attributes that have the name of a variable it uses
        if preset is not None and formula.text in (preset.x, preset.y):
            continue
        for name in sorted(formula.names_written):
            own = name in formula.constants or not recipe.variables[name].attribute
            if own and f"`{name}`" in recipe.variables:
                yield Note(
                    f"the name {name} is a variable of Plumbline; write `{name}` in "
                    "back-ticks for the attribute",
                    code="name-of-an-attribute",
                )


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
            raise InputError("no rows remain, because all have weight 0", code="weights-all-zero")
    if recipe.where is None:
        return rows
    scope = _plain(rows, recipe.settings)
    value = np.broadcast_to(np.asarray(recipe.where.compute(scope), float), (rows.n,))
    unknown = rows.take(np.flatnonzero(np.isnan(value))).total
    if unknown:
        text = f"the filter is undefined for {counted(unknown, 'row')}, left out"
        notes[Note(text, code="undefined-filter")] += 1
    kept = np.flatnonzero((value != 0) & ~np.isnan(value))
    if len(kept) == 0:
        raise InputError(
            f"no rows match `where={recipe.settings.where!r}`",
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
    numbers = numbers_where(data, where)
    return data if numbers is None else data.select(where=numbers)


def numbers_where(data: Predictions, where: str | None) -> NDArray[Any] | None:
    """Return the numbers of the rows of some weight that a formula keeps, None for all rows."""
    if where is None:
        return None
    rows = rows_of(data, data.positive)
    recipe = recipe_of(rows, CurveSettings("threshold", "threshold", where=where))
    return kept_rows(rows, recipe, Counter()).index


RATINGS = ("probability", "score")


def refuse_single_rows_of(rows: TargetRows, recipe: Recipe) -> None:
    """Refuse a curve of a counted table that shows rows one by one, or their order."""
    settings, coordinates = recipe.settings, (recipe.x, recipe.y)
    if settings.average == "smooth":  # means along x of values that identical rows share
        alone = any(f.level != "row" for f in coordinates) or bool(names_of(recipe))
    else:
        known = all(f.level != "row" or f.is_name in RATINGS for f in coordinates)
        alone = settings.merge != "last" or settings.direction == "unsorted" or not known
    if alone or settings.multiclass == "micro":
        need_single_rows(rows.data, "this curve")


def sweep_of(rows: TargetRows, recipe: Recipe) -> Sweep:
    """Return the sweep of a recipe over rows: how they are met, and how that is drawn."""
    settings = recipe.settings
    refuse_single_rows_of(rows, recipe)
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
        n=rows.total,
        positives=float(sweep.tp[-1]),
        negatives=float(sweep.fp[-1]),
    )
    merge = recipe.settings.merge
    if merge == "average" and names_of(recipe):  # categories have no mean: every row keeps its own
        merge, line = "none", replace(line, y=_tied_means(sweep, recipe, y))
    if merge == "average" and sweep.direction != "unsorted":
        threshold, x, y, weight = group_means(sweep, x, y)
        line = replace(line, threshold=threshold, x=x, y=y, more={"weight": weight})
    elif merge == "last" and sweep.direction == "descending":
        line = replace(line, more={"accepted": sweep.tp + sweep.fp})
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
    for reason, here in _at_ends(sweep, recipe, line, places):
        reasons[reason] += len(here)
        places = np.setdiff1d(places, here, assume_unique=True)
    states = sweep.group_starts if len(line) != len(sweep.thresholds) else np.arange(len(line))
    left = states[places]
    for formula in (recipe.x, recipe.y):
        for why, explained in formula.causes(sweep, left):
            reasons[why] += len(explained)
            left = np.setdiff1d(left, explained, assume_unique=True)
    if len(left):
        reasons[INFINITE] += len(left)
    reasons = +reasons
    shown = dict(reasons.most_common(REASONS))
    rest = reasons.total() - sum(shown.values())
    return shown | ({REST: rest} if rest else {})


def _at_ends(
    sweep: Sweep, recipe: Recipe, line: Line, places: NDArray[np.intp]
) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield the undefined points that say nothing of the rows, as the ends of a sound curve.

    That is the state before the first row where a value is of rows. Of a preset it is also the
    state that accepts no row, the one that accepts all where only counts are undefined (NP is 0),
    and thresholds of 0 and 1 where the formula itself divides by them; of other formulas these have
    their reasons, since whoever wrote them may not know.
    """
    named = preset_of(recipe.settings) is not None
    if places[0] == 0 and (named or _misses_start(recipe, line)):
        yield START, places[:1]
        places = places[1:]
    if not named or not len(places):
        return
    undefined = [
        (formula, ~np.isfinite(values))
        for formula, values in ((recipe.x, line.x), (recipe.y, line.y))
    ]
    rows = any(
        wrong[places[-1]] and any(recipe.variables[name].level == "row" for name in formula.names)
        for formula, wrong in undefined
    )
    if places[-1] == len(line) - 1 and not rows:
        yield FINISH, places[-1:]
        places = places[:-1]
    edge = np.zeros(len(places), bool)
    for formula, wrong in undefined:
        if sweep.key.name == "probability" and "threshold" in formula.names:
            edge |= wrong[places] & np.isin(line.threshold[places], (0.0, 1.0))
    yield EDGE, places[edge]


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
            return f"no row is {word} class {quoted(line.target)}, so no point is defined"
    reasons = [reason for reason in dropped if reason not in ENDS] or list(dropped)
    return f"no point is defined: {'; '.join(reasons)}"
