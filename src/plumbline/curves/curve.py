"""`curve`: from a table and two formulas to lines, one a model, fold or class, or their average."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from plumbline._result import Note
from plumbline.curves import averaging
from plumbline.curves.area import pr_interpolated, with_area
from plumbline.curves.bands import RESAMPLING, with_band
from plumbline.curves.lines import AreaBelow, Curve, Line, rating_name
from plumbline.curves.presets import (
    FOLDS_APART,
    PRESETS,
    CurveSettings,
    given_settings,
    preset_of,
    settings_from,
)
from plumbline.curves.recipe import (
    Recipe,
    curve_notes,
    kept_rows,
    line_of,
    names_of,
    params_for,
    recipe_of,
    shape_of,
    sweep_of,
)
from plumbline.curves.smoothing import category_means, interval_words, out_of_shares, smooth
from plumbline.curves.sweep import Sweep
from plumbline.curves.target_rows import TargetRows, Vocabulary, fold_codes, rows_of
from plumbline.curves.unused import not_usual, refuse_unused, unused_settings
from plumbline.dependence import row_groups_in
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import printable, quoted
from plumbline.formula import read_formula
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, with_shares
from plumbline.random_streams import Seed, entropy_of

OF_ALL = {
    "per-class": "(each class against the rest)",
    "micro": "(all classes merged)",
    "macro": "(mean of all classes)",
}
OF_ROWS = ("eCA", "1 - eCA", "mean(eCA)")  # of all classes, whichever is the positive one
ROUNDING = 1e-9  # shares that are sums of weights are off by rounding
JUMPS = Note(
    "y is 0 or 1 in every row, so points are not joined; use `average='smooth'` for the mean "
    "along x",
    "points-not-joined",
)


def curve(
    data: Predictions,
    preset: str | None = None,
    *,
    x: str | None = None,
    y: str | None = None,
    sort_by: str | None = None,
    direction: str | None = None,
    merge: str | None = None,
    average: str | None = None,
    points: int = 101,
    thresholds: int = 20,
    span: float = 0.5,
    band: str = "none",
    level: float = 0.95,
    resamples: int = 500,
    where: str | None = None,
    target: Any = None,
    multiclass: str | None = None,
    params: Mapping[str, float] | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
    rng: Seed = 0,
    progress: Progress | None = None,
) -> Curve:
    """Draw y against x over the rows of a table, by two formulas or a preset.

    Rows are sorted by P(target class), or by `sort_by`, and accepted one after the other. Both
    formulas are computed after every row, or after the last row of equal sort value; TP, FP,
    recall, `cumm(amount)`, ... have their values at that threshold. docs/formulas.md describes the
    formulas.

    Parameters
    ----------
    data : Predictions
        The table; each of its models has a line.
    preset : str, optional
        Name of a curve in `PRESETS`, such as "roc". Every setting of it can be overridden.
    x, y : str, optional
        Formulas of the coordinates; needed without a preset.
    sort_by : str, optional
        "probability", "score", an attribute, or a formula of rows. By default the probability of
        the target class, else its score, else whether it is the predicted class.
    direction : {"descending", "ascending", "unsorted"}, optional
        Order of the rows. By default "descending".
    merge : {"last", "average", "none"}, optional
        What rows of equal sort value become: one point after the last of them, one mean point, or
        one point per row. By default "none" where `average` is "smooth", else "last". Where x is a
        category, "average" makes one point per category, the mean of y.
    average : {"merge", "none", "vertical", "threshold", "smooth"}, optional
        What folds become: one curve of all rows ("merge"), one line per fold ("none"), or their
        mean at fixed x ("vertical") or thresholds ("threshold"). "smooth" smooths all rows by local
        regression. By default "smooth" where x is a category, "vertical" where `band` is "folds",
        else "merge".
    points : int, default 101
        Number of x values of vertical averaging and of smoothing, from 2 to 100,000.
    thresholds : int, default 20
        Number of thresholds of threshold averaging, from 2 to 100,000.
    span : float, default 0.5
        Share of the rows in a smoothing window, in (0, 1].
    band : {"none", "folds", "bootstrap"}, default "none"
        Band around each line: the spread over folds, or pointwise intervals from resampled rows.
    level : float, default 0.95
        Coverage of the band and of intervals of areas, in (0, 1).
    resamples : int, default 500
        Number of resamples of the bootstrap, from 20 to 1,000,000.
    where : str, optional
        Formula of the rows to keep. Default: all rows.
    target : class name, optional
        Class that counts as positive. Default: the positive class of the table.
    multiclass : {"per-class", "micro", "macro"}, optional
        Every class against the rest; all classes in one curve; or the mean of their curves. Not
        together with `target`.
    params : mapping of str to float, optional
        Values for `param("name", default)` in the formulas.
    x_title, y_title : str, optional
        Titles of the axes. By default those of the preset, else the formulas.
    rng : int, Generator or None, default 0
        Random seed of bootstrap bands.
    progress : callable, optional
        Called as `progress(done, total)`.

    Returns
    -------
    Curve
        Its lines with their points, thresholds, areas and bands.

    Raises
    ------
    FormulaError
        For a formula that cannot be understood or computed here, with the place.
    ParameterError
        For an invalid setting, settings that cannot be combined, and one that changes nothing here,
        such as `span` without `average='smooth'`.
    InputError
        Where no row is left, or a needed column is missing.

    References
    ----------
    M. Biček, Widget for measuring classifier performance based on curves (2009).

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> roc = curve(data, x="FPR", y="TPR").to_frame()
    >>> roc["threshold"].to_pylist()
    [inf, 0.9, 0.6, 0.4, 0.2]
    >>> roc["y"].to_pylist()
    [0.0, 0.5, 0.5, 1.0, 1.0]
    >>> curve(data, x="threshold", y="cumm(10 if eP else -4)").lines[0].y.tolist()
    [0.0, 10.0, 6.0, 16.0, 12.0]
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
        "thresholds": thresholds,
        "span": span,
        "band": band,
        "level": level,
        "resamples": resamples,
        "where": where,
        "target": target,
        "multiclass": multiclass,
        "params": params,
        "x_title": x_title,
        "y_title": y_title,
    }
    entropy = entropy_of(rng)
    settings = complete_settings(data, given_settings(preset, given, rng))
    refuse_unused(data, settings, not_usual(given))
    return draw_curve(data, settings, entropy, progress)


def complete_settings(data: Predictions, given: Mapping[str, Any]) -> CurveSettings:
    """Return settings in which nothing is left to a default that depends on the data."""
    changes: dict[str, Any] = {}
    if given.get("band") == "folds" and "average" not in given:
        given = {**given, "average": "vertical"}
    preset, x = PRESETS.get(given.get("preset", "")), given.get("x")
    if preset is not None and preset.x is None and x in data.attributes:
        given = {**given, "x": f"`{x}`"}  # the attribute, whatever else has its name
    settings = settings_from(given)
    own_x = preset is None or settings.x != preset.x
    means = settings.merge == "average" and settings.average == "merge"
    if own_x and (means or "average" not in given):
        formula = read_formula(settings.x, Vocabulary(rows_of(data, data.positive)))
        if formula.kind == "category" or (formula.kind != "number" and "average" not in given):
            changes["average"] = "smooth"
    if "merge" not in given and changes.get("average", settings.average) == "smooth":
        changes["merge"] = "none"
    if settings.multiclass is None:
        target = settings.target
        number = data.positive if target is None else data.class_number(target)
        changes["target"] = data.classes[number]
    return replace(settings, **changes)


def draw_curve(
    data: Predictions, settings: CurveSettings, entropy: int, progress: Progress | None = None
) -> Curve:
    """Return the curve of complete settings."""
    notes: Counter[Note] = Counter()
    lines: list[Line] = []
    views = list(views_of(data, settings))
    recipe = recipe_of(views[0][1], settings)
    if recipe.x.kind == "category" and settings.average in ("vertical", "threshold"):
        raise ParameterError(
            f"x is a category, and `average` {quoted(settings.average)} averages along a "
            "number; use `average='smooth'` (mean per category) or 'none'",
            code="category-as-number",
            argument="average",
        )
    for (name, rows), bar in with_shares(views, progress):
        lines += [replace(line, target=name) for line in _lines(rows, recipe, notes, entropy, bar)]
    if settings.multiclass == "macro":
        lines = list(_macro(lines, recipe, notes))
    shape = shape_of(recipe)
    if shape == "line" and _only_0_and_1(recipe, lines):
        shape = "points"
        notes.update([JUMPS])
    if shape == "points" or not _area_has_meaning(recipe, lines):
        lines = [replace(line, below=None) for line in lines]
    straight = settings.average not in ("merge", "none") or settings.multiclass == "macro"
    if shape == "pr" and not straight:
        lines = [_with_path(line) for line in lines]
    return Curve(
        settings,
        _of_classes("x", settings, data),
        _of_classes("y", settings, data),
        lines=tuple(lines),
        x_names=names_of(recipe),
        threshold_names=() if recipe.key is None else recipe.key.categories,
        notes=tuple(notes),
        spread=_spread(recipe),
        shape=shape,
        dates=(recipe.is_date(recipe.x), recipe.is_date(recipe.y)),
        rating=rating_name(data),
        row_groups=row_groups_in(data),
    )


def _only_0_and_1(recipe: Recipe, lines: Sequence[Line]) -> bool:
    """Tell whether y is 0 or 1 row by row, so that a line through its points would only zigzag."""
    if recipe.settings.average not in ("merge", "none") or recipe.y.level != "row":
        return False
    values = np.concatenate([line.y for line in lines])
    return len(values) > 0 and bool(np.isin(values, (0.0, 1.0)).all())


def _area_has_meaning(recipe: Recipe, lines: Sequence[Line]) -> bool:
    """Tell whether the area under the lines is a mean of y over shares of rows.

    Along thresholds it depends on how the scores are spread, along other numbers on their unit; of
    profits and other sums it is no mean that anybody asks for.
    """
    if recipe.x.level != "state" or "threshold" in recipe.x.names:
        return False
    values = [part for line in lines for part in (line.x, line.y) if len(line)]
    return all(part.min() >= -ROUNDING and part.max() <= 1 + ROUNDING for part in values)


def _of_classes(axis: str, settings: CurveSettings, data: Predictions) -> str:
    """Return the title of an axis; of more than two classes it names the one, or how all count.

    A title that was given by hand stays as it is, and so does an axis that shows an attribute.
    """
    formula, given = getattr(settings, axis), getattr(settings, f"{axis}_title")
    title = given or _title_of(formula)
    preset = preset_of(settings)
    usual = None if preset is None else getattr(preset, f"{axis}_title")
    attribute = formula.strip().strip("`") in data.attributes
    if data.k == 2 or attribute or given not in (None, usual):
        return title
    if settings.multiclass is not None:
        return f"{title} {OF_ALL[settings.multiclass]}"
    if formula.strip() in OF_ROWS:
        return title
    return f"{title} (class {printable(settings.target)})"


def _title_of(formula: str) -> str:
    """Return the name that a formula is, without its ticks; any other formula as it is."""
    named = re.fullmatch(r"\s*`((?:[^`]|``)+)`\s*", formula)
    return named[1].replace("``", "`") if named else formula


def views_of(data: Predictions, settings: CurveSettings) -> Iterator[tuple[str | None, TargetRows]]:
    """Yield the rows for every target class, with the name of the class (None: of all)."""
    if settings.multiclass is None:
        target = data.classes.index(str(settings.target))  # complete settings name one
        yield settings.target, rows_of(data, target)
    elif settings.multiclass == "micro":
        yield None, rows_of(stacked(data), 1)
    else:
        rows = rows_of(data, 0)
        for target, name in enumerate(data.classes):
            yield name, rows.of_target(target)


def rows_filtered_out(data: Predictions, settings: CurveSettings) -> int:
    """Return how many rows of a table `where` keeps for no class that is drawn.

    >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.8, 0.4])
    >>> settings = CurveSettings("FPR", "TPR", where="probability > 0.3", target="1")
    >>> rows_filtered_out(data, settings)
    1
    """
    if settings.where is None:
        return 0
    used, alone = np.zeros(data.stored, bool), CurveSettings("threshold", "threshold")
    alone = replace(alone, where=settings.where, params=params_for(settings.params, settings.where))
    for _, rows in views_of(data, settings):
        kept = kept_rows(rows, recipe_of(rows, alone), Counter())
        places = np.arange(rows.n) if kept.index is None else kept.index
        used[places // (rows.data.stored // data.stored)] = (
            True  # of all classes, a row stands k times
        )
    out = ~used if data.counted or data.weight is None else ~used & (data.weight > 0)
    return int(data.mass[out].sum()) if data.counted else int(out.sum())


def _lines(
    rows: TargetRows, recipe: Recipe, notes: Counter[Note], entropy: int, progress: Progress | None
) -> Iterator[Line]:
    """Yield the lines of every model for one target."""
    settings = recipe.settings
    models = list(models_in(rows))
    for (model, of_model), share in with_shares(models, progress):
        kept = kept_rows(of_model, recipe, notes)
        if settings.average in FOLDS_APART:
            folds = [(fold, sweep_of(part, recipe)) for fold, part in folds_in(kept, settings)]
            lines = [
                replace(_of_fold(sweep, recipe), model=model, fold=fold) for fold, sweep in folds
            ]
            notes.update(curve_notes(recipe, [sweep for _, sweep in folds]))
            yield from _averaged(lines, recipe, notes)
            continue
        sweep = sweep_of(kept, recipe)
        notes.update(curve_notes(recipe, [sweep]))
        line = replace(line_of(sweep, recipe), model=model)
        names = names_of(recipe)
        if settings.average == "smooth" and len(line):
            line = _smoothed(line, recipe, notes, counted=rows.data.counted)
        if settings.band == "bootstrap" and len(line) and not names:
            line = with_band(line, sweep, recipe, entropy=entropy, notes=notes, progress=share)
        yield line if names else with_area(line, settings, sweep)


def _of_fold(sweep: Sweep, recipe: Recipe) -> Line:
    """Return the line of one fold; where x is a category, tied rows have a mean of each."""
    line, names = line_of(sweep, recipe), names_of(recipe)
    if names and recipe.settings.merge == "average":
        return category_means(line, names, level=recipe.settings.level)
    return with_area(line, recipe.settings, sweep)


def models_in(rows: TargetRows) -> Iterator[tuple[str | None, TargetRows]]:
    """Yield the rows of every model with its name."""
    model = rows.data.model
    if model is None:
        yield None, rows
        return
    for code in np.unique(model.codes):
        yield model.names[code], rows.take(np.flatnonzero(model.codes == code))


def folds_in(rows: TargetRows, settings: CurveSettings) -> Iterator[tuple[str, TargetRows]]:
    """Yield the rows of every fold with its name, behind that of its repeat."""
    codes = fold_codes(rows.data)
    if codes is None:
        raise InputError(
            f"`average={settings.average!r}` needs a `fold` column, and the table has "
            "none; use `average='merge'`",
            code="folds-missing",
        )
    kept = rows.kept(codes)
    columns = [c for c in (rows.data.repeat, rows.data.fold) if c is not None]
    for code in np.unique(kept):
        part = rows.take(np.flatnonzero(kept == code))
        yield "/".join(column.names[part.kept(column.codes)[0]] for column in columns), part


def _averaged(lines: Sequence[Line], recipe: Recipe, notes: Counter[Note]) -> Iterator[Line]:
    """Yield the lines of folds, or their average."""
    settings = recipe.settings
    if settings.average == "none":
        yield from lines
        return
    if settings.average == "vertical":
        mean = _vertical(lines, recipe)
    else:
        mean = with_area(averaging.by_threshold(lines, thresholds=settings.thresholds), settings)
    missing = averaging.left_out(lines, mean)
    notes.update([missing] if missing else [])
    yield mean


def _vertical(lines: Sequence[Line], recipe: Recipe) -> Line:
    """Return the vertical average of lines; its area is the mean of theirs."""
    mean = averaging.vertical(lines, points=recipe.settings.points, shape=shape_of(recipe))

    def area() -> float | None:
        areas = [line.area for line in lines if line.area is not None]
        return float(np.mean(areas)) if areas and len(mean) else None

    return replace(mean, below=AreaBelow(area))


def _smoothed(line: Line, recipe: Recipe, notes: Counter[Note], *, counted: bool) -> Line:
    """Return a line of rows smoothed along x, or the mean of each category of x."""
    settings = recipe.settings
    if names := names_of(recipe):
        return category_means(line, names, level=settings.level)
    smoothed = smooth(line, points=settings.points, span=settings.span, counted=counted)
    notes.update(out_of_shares(line, smoothed))
    return smoothed


def _macro(lines: Sequence[Line], recipe: Recipe, notes: Counter[Note]) -> Iterator[Line]:
    """Yield the vertical average of the classes' lines, for every model and fold."""
    groups: dict[tuple[str | None, str | None], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.model, line.fold), []).append(line)
    for (model, fold), group in groups.items():
        mean = _vertical(group, recipe)
        missing = averaging.left_out(group, mean)
        notes.update([missing] if missing else [])
        yield replace(mean, model=model, fold=fold, target=None, more={})


def _with_path(line: Line) -> Line:
    """Add the line to draw, which is not straight between the points of a precision-recall line."""
    if not len(line):
        return line
    between = pr_interpolated(line)
    return replace(line, path=(between.x, between.y))


def _spread(recipe: Recipe) -> str | None:
    """Say what deviations or bands mean."""
    settings = recipe.settings
    if settings.average in ("vertical", "threshold"):
        return averaging.SPREAD_FOLDS
    if names_of(recipe) and (settings.average == "smooth" or settings.merge == "average"):
        return interval_words(settings.level)
    if settings.band == "bootstrap":
        return RESAMPLING.format(level=100 * settings.level, resamples=settings.resamples)
    return None


def stacked(data: Predictions) -> Predictions:
    """Return the table of n * k rows that asks of every class: is the row of it?

    Row i of class c has P(c) of row i, and is positive where c is its true class; its attributes,
    weight, model and fold are those of row i. A micro-averaged curve is a curve of this table.

    >>> data = Predictions.from_arrays([0, 2], [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    >>> wide = stacked(data)
    >>> wide.actual.tolist(), wide.prob[:, 1].tolist()
    ([1, 0, 0, 0, 0, 1], [0.7, 0.2, 0.1, 0.1, 0.3, 0.6])
    >>> wide.label.tolist(), wide.row.tolist()  # the answer is the likeliest class
    ([1, 0, 0, 0, 0, 1], [0, 0, 0, 1, 1, 1])
    """
    again = np.repeat(np.arange(data.stored), data.k)
    column = np.tile(np.arange(data.k), data.stored)
    long = data.select(where=again)
    prob = long.prob
    score = long.score
    answers = long.predicted if prob is not None or long.label is not None else None
    return replace(
        long,
        classes=("rest", "class") if "class" not in data.classes else ("others", "this class"),
        actual=(long.actual == column).astype(np.int32),
        prob=None if prob is None else _pair(prob[np.arange(len(again)), column]),
        log_prob=None,
        label=None if answers is None else (answers == column).astype(np.int32),
        score=None if score is None or score.ndim == 1 else score[np.arange(len(again)), column],
        row=again if data.row is None else long.row,  # an example's k rows are drawn together
        positive=1,
    )


def _pair(prob: np.ndarray) -> np.ndarray:
    both = np.empty((len(prob), 2), prob.dtype, order="F")
    both[:, 1] = prob
    both[:, 0] = 1 - prob
    return both


def settings_without_effect(
    data: Predictions,
    settings: Mapping[str, Any],
    *,
    difference: bool = False,
    optimum: bool = False,
) -> tuple[str, ...]:
    """Return the settings of a curve that change nothing of it, which `curve` refuses.

    Parameters
    ----------
    data : Predictions
        The rows of the curve.
    settings : mapping of str to object
        Arguments of `curve`, such as `preset`, `band` or `level`.
    difference : bool, default False
        Whether the difference of two models is drawn.
    optimum : bool, default False
        Whether the best threshold is shown too.

    Returns
    -------
    tuple of str
        Names of the settings without effect.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.2, 0.7, 0.6, 0.4])
    >>> "span" in settings_without_effect(data, {"preset": "roc"})  # nothing is smoothed
    True
    """
    own = {name: value for name, value in settings.items() if name != "preset"}
    whole = complete_settings(data, given_settings(settings.get("preset"), own, 0))
    return tuple(unused_settings(data, whole, difference=difference, optimum=optimum))
