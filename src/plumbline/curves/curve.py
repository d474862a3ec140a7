"""`curve`: from a table and two formulas to lines, one a model, fold or class, or their average."""

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plumbline.curves import averaging
from plumbline.curves.area import pr_interpolated, with_area
from plumbline.curves.bands import RESAMPLING, with_band
from plumbline.curves.lines import Curve, Line
from plumbline.curves.points import kept_rows, line_of, sweep_of
from plumbline.curves.presets import (
    FOLDS_APART,
    PRESETS,
    CurveSettings,
    Shape,
    preset_settings,
    settings_from,
    without_seed,
)
from plumbline.curves.recipe import Recipe, curve_notes, names_of, recipe_of, shape_of
from plumbline.curves.smoothing import category_means, interval_words, out_of_shares, smooth
from plumbline.curves.target_rows import TargetRows, fold_codes, rows_of
from plumbline.errors import InputError, ParameterError
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed, entropy_of, seed_of

JUMPS = (
    "y is 0 or 1 row by row, so its points are not joined; average='smooth' draws its mean along x"
)


@dataclass(frozen=True, slots=True, eq=False)
class LineRows:
    """The rows of one line to be: a model's, for one target, of one fold or of all."""

    rows: TargetRows
    model: str | None
    fold: str | None = None

    def label(self, line: Line) -> Line:
        """Say on a line what it is of."""
        return replace(line, model=self.model, fold=self.fold)


def curve(
    data: Predictions,
    preset: str | None = None,
    *,
    rng: Seed = 0,
    progress: Progress | None = None,
    **chosen: Any,
) -> Curve:
    """Draw y against x, two formulas of your own or a preset, over the rows of a table.

    Rows are sorted by P(target class), or by `sort_by`, and met one after the other; both formulas
    are computed after every row (merge="none") or after the last row of equal sort value ("last"),
    where TP, FP, recall, `cumm(amount)`, ... have the values of a threshold there. docs/formulas.md
    has the language; `PRESETS` the named curves, whose settings may all be overruled.

    Settings (see CurveSettings): `x`, `y`, `sort_by`, `direction`, `merge`, `average`, `points`,
    `thresholds`, `span`, `band`, `level`, `resamples`, `where`, `target`, `multiclass`, `params`,
    `x_title`, `y_title`. `average` is "smooth" where x is a category, else "merge"; `merge` is
    "none" where `average` is "smooth", else "last". `rng` is the chance of bootstrap bands.

    Raises FormulaError, with the place, for a formula that cannot be understood or computed here,
    ParameterError for a setting outside its rule, InputError where no row is left.

    Source: M. Biček, Widget for measuring classifier performance based on curves (2009).

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
    entropy = entropy_of(rng)
    return drawn(data, settled(data, asked_for(preset, chosen, rng)), entropy, progress)


def asked_for(preset: str | None, chosen: Mapping[str, Any], rng: Seed) -> dict[str, Any]:
    """Return the settings that were asked for, those of the preset and the seed among them."""
    given = without_seed(chosen)
    asked = preset_settings(preset, **given) if preset is not None else given
    return {**asked, "seed": seed_of(rng)}


def settled(data: Predictions, asked: Mapping[str, Any]) -> CurveSettings:
    """Return settings in which nothing is left to a default that depends on the data."""
    if asked.get("band") == "folds" and "average" not in asked:
        asked = {**asked, "average": "vertical"}
    settings = settings_from(_with_column(data, asked))
    changes: dict[str, Any] = {}
    if "average" not in asked:
        rows = rows_of(data, data.positive)
        if recipe_of(rows, settings).x.kind != "number":
            changes["average"] = "smooth"
    if "merge" not in asked and changes.get("average", settings.average) == "smooth":
        changes["merge"] = "none"
    if settings.multiclass is None:
        target = settings.target
        number = data.positive if target is None else data.class_number(target)
        changes["target"] = data.classes[number]
    return dataclasses.replace(settings, **changes)


def _with_column(data: Predictions, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return settings in which a preset of an attribute means that, whatever else has its name."""
    preset, x = PRESETS.get(asked.get("preset", "")), asked.get("x")
    if preset is None or preset.x is not None or x not in data.attributes:
        return asked
    return {**asked, "x": f"`{x}`"}


def drawn(
    data: Predictions, settings: CurveSettings, entropy: int, progress: Progress | None = None
) -> Curve:
    """Return the curve that settled settings ask for."""
    notes: Counter[str] = Counter()
    lines: list[Line] = []
    views = list(views_of(data, settings))
    recipes = [recipe_of(rows, settings) for _, rows in views]
    for j, ((name, rows), recipe) in enumerate(zip(views, recipes, strict=True)):
        _check_x(recipe)
        bar = share_of(progress, j / len(views), (j + 1) / len(views))
        lines += [replace(line, target=name) for line in _lines(rows, recipe, notes, entropy, bar)]
    if settings.multiclass == "macro":
        lines = list(_macro(lines, recipes[0], notes))
    first = recipes[0]
    shape = shape_of(first)
    if shape == "line" and _jumps(first, lines):
        shape = "points"
        notes.update([JUMPS])
        lines = [replace(line, area=None, area_range=None, area_method=None) for line in lines]
    return Curve(
        settings,
        settings.x_title or _title_of(settings.x),
        settings.y_title or _title_of(settings.y),
        lines=tuple(_with_path(line, settings, shape) for line in lines),
        x_names=names_of(first),
        threshold_names=() if first.key is None else first.key.categories,
        notes=tuple(notes),
        spread=_spread(settings, first),
        shape=shape,
        dates=(first.is_date(first.x), first.is_date(first.y)),
    )


def _jumps(recipe: Recipe, lines: Sequence[Line]) -> bool:
    """Tell whether y is 0 or 1 row by row, so that a line through its points would only zigzag."""
    if recipe.settings.average not in ("merge", "none") or recipe.y.level != "row":
        return False
    values = np.concatenate([line.y for line in lines])
    return len(values) > 0 and bool(np.isin(values, (0.0, 1.0)).all())


def _title_of(formula: str) -> str:
    """Return the name that a formula is, without its ticks; any other formula as it is."""
    named = re.fullmatch(r"\s*`((?:[^`]|``)+)`\s*", formula)
    return named[1].replace("``", "`") if named else formula


def views_of(data: Predictions, settings: CurveSettings) -> Iterator[tuple[str | None, TargetRows]]:
    """Yield the rows to look at for every target class, with what that is called."""
    if settings.multiclass is None:
        target = data.class_number(settings.target)
        yield data.classes[target], rows_of(data, target)
    elif settings.multiclass == "micro":
        yield None, rows_of(stacked(data), 1)
    else:
        rows = rows_of(data, 0)
        for target, name in enumerate(data.classes):
            yield name, rows.of_target(target)


def _lines(
    whole: TargetRows, recipe: Recipe, notes: Counter[str], entropy: int, progress: Progress | None
) -> Iterator[Line]:
    """Yield the lines of every model for one target."""
    settings = recipe.settings
    models = list(models_in(whole))
    for j, (model, of_model) in enumerate(models):
        bar = share_of(progress, j / len(models), (j + 1) / len(models))
        rows = kept_rows(of_model, settings, notes)
        if settings.average in FOLDS_APART:
            made = [(part, sweep_of(part.rows, recipe)) for part in folds_in(rows, model, settings)]
            lines = [
                part.label(with_area(line_of(sweep, recipe), settings, sweep))
                for part, sweep in made
            ]
            notes.update(curve_notes(recipe, [sweep for _, sweep in made]))
            yield from _averaged(lines, recipe, notes)
        else:
            sweep = sweep_of(rows, recipe)
            notes.update(curve_notes(recipe, [sweep]))
            line = LineRows(rows, model).label(line_of(sweep, recipe))
            yield _finished(line, sweep, recipe, notes, entropy, bar)


def models_in(rows: TargetRows) -> Iterator[tuple[str | None, TargetRows]]:
    """Yield the rows of every model with its name."""
    model = rows.data.model
    if model is None:
        yield None, rows
        return
    for code in np.unique(model.codes):
        yield model.names[code], rows.take(np.flatnonzero(model.codes == code))


def folds_in(rows: TargetRows, model: str | None, settings: CurveSettings) -> Iterator[LineRows]:
    """Yield the rows of every fold of a model."""
    codes = fold_codes(rows.data)
    if codes is None:
        raise InputError(
            f"average={settings.average!r} takes the folds apart, and the table has no "
            "`fold` column; use average='merge'"
        )
    kept = rows.kept(codes)
    for code in np.unique(kept):
        places = np.flatnonzero(kept == code)
        part = rows.take(places)
        yield LineRows(part, model, _fold_name(part))


def _fold_name(rows: TargetRows) -> str:
    """Return the name of the fold that all these rows are of, with its repeat."""
    columns = (rows.data.repeat, rows.data.fold)
    return "/".join(c.names[rows.kept(c.codes)[0]] for c in columns if c is not None)


def _averaged(lines: Sequence[Line], recipe: Recipe, notes: Counter[str]) -> Iterator[Line]:
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
    areas = [line.area for line in lines if line.area is not None]
    area = float(np.mean(areas)) if areas and len(mean) else None
    return replace(mean, area=area, area_range=None, area_method=None)


def _finished(
    line: Line,
    sweep: Any,
    recipe: Recipe,
    notes: Counter[str],
    entropy: int,
    progress: Progress | None,
) -> Line:
    """Smooth a line and add its band, where that was asked."""
    settings = recipe.settings
    if settings.average == "smooth" and len(line):
        if names := names_of(recipe):
            line = category_means(line, names, level=settings.level)
        else:
            rows, line = line, smooth(line, points=settings.points, span=settings.span)
            notes.update(out_of_shares(rows, line))
    if settings.band == "bootstrap" and len(line) and not names_of(recipe):
        line = with_band(line, sweep, recipe, entropy=entropy, progress=progress)
    return line if names_of(recipe) else with_area(line, settings, sweep)


def _check_x(recipe: Recipe) -> None:
    if recipe.x.kind == "category" and recipe.settings.average in ("vertical", "threshold"):
        raise ParameterError(
            f"x is a category, and `average` {recipe.settings.average!r} takes means along a "
            "number; use average='smooth' (the mean of each category) or 'none'"
        )


def _macro(lines: Sequence[Line], recipe: Recipe, notes: Counter[str]) -> Iterator[Line]:
    """Yield the vertical average of the classes' lines, for every model and fold."""
    groups: dict[tuple[str | None, str | None], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.model, line.fold), []).append(line)
    for (model, fold), group in groups.items():
        mean = _vertical(group, recipe)
        missing = averaging.left_out(group, mean)
        notes.update([missing] if missing else [])
        yield replace(mean, model=model, fold=fold, target=None, more={})


def _with_path(line: Line, settings: CurveSettings, shape: Shape) -> Line:
    """Add the line to draw where it is not straight between the points."""
    straight = shape != "pr" or settings.average not in ("merge", "none")
    if straight or settings.multiclass == "macro" or not len(line):
        return line
    between = pr_interpolated(line)
    return replace(line, path=(between.x, between.y))


def _spread(settings: CurveSettings, recipe: Recipe) -> str | None:
    """Say what deviations or bands mean."""
    if settings.average in ("vertical", "threshold"):
        return averaging.SPREAD_FOLDS
    if names_of(recipe) and settings.average == "smooth":
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
    """
    again = np.repeat(np.arange(data.n), data.k)
    column = np.tile(np.arange(data.k), data.n)
    long = data.select(where=again)
    prob = long.prob
    score = long.score
    answers = long.predicted if prob is not None or long.label is not None else None
    return dataclasses.replace(
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
