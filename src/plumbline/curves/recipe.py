"""The formulas of a curve, read for one table and checked against each other; their warnings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline._checks import near_names, shown
from plumbline._result import Note
from plumbline.confusion import RATES
from plumbline.curves.presets import PRESETS, CurveSettings, Shape, preset_of
from plumbline.curves.sweep import Sweep
from plumbline.curves.target_rows import TargetRows, Vocabulary
from plumbline.errors import FormulaError, ParameterError
from plumbline.formatting import counted
from plumbline.formula import Formula, params_in, read_formula
from plumbline.formula.variables import Variable

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
                "a coordinate cannot be the one class that counts as positive",
                formula=formula.text,
                start=0,
                end=len(formula.text),
            )
    if formulas[1].kind == "category":
        raise FormulaError(
            "`y` must be a number, and this is a category; compare it, as in "
            f"{formulas[1].text} == '{formulas[1].categories[0]}'",
            formula=formulas[1].text,
            start=0,
            end=len(formulas[1].text),
            argument="y",
        )
    key = None
    if settings.sort_by is not None:
        key = read_formula(settings.sort_by, variables, highest="row")
    where = filter_of(settings, variables)
    recipe = Recipe(settings, variables, formulas[0], formulas[1], key, where, tuple(formulas[2:]))
    _refuse_unused_params(recipe)
    if not rates_rows(recipe):
        _refuse_thresholds(recipe)
    return recipe


def filter_of(settings: CurveSettings, variables: Mapping[str, Variable]) -> Formula | None:
    """Read the formula of the rows to keep, if there is one."""
    if settings.where is None:
        return None
    formula = read_formula(settings.where, variables, highest="row")
    if formula.kind == "category":
        raise FormulaError(
            f"`where` must say yes or no, and this is a category; compare it, as in "
            f"{formula.text} == '{formula.categories[0]}'",
            formula=formula.text,
            start=0,
            end=len(formula.text),
            argument="where",
        )
    return formula


def _refuse_unused_params(recipe: Recipe) -> None:
    read = (*recipe.formulas, recipe.key, recipe.where)
    known = sorted({name for formula in read if formula is not None for name in formula.params})
    for name in recipe.settings.params:
        if name not in known:
            has = f"they have {shown(known)}" if known else "they have none"
            raise ParameterError(
                f"`params` has {name!r}, and the formulas have no such parameter; {has}"
                f"{near_names(name, known)}"
            )


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
                f"`{name}` depends on the threshold, and the rows are {by}; sort them by "
                "`probability` (`sort_by='probability'`), or use row variables such as eTP",
                formula=formula.text,
                start=start,
                end=end,
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
    return [
        *_policy(recipe),
        *_missing_keys(recipe, sweeps),
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
            f"the rows are sorted by `{key.text.strip()}`, so counts such as TP are of the rows "
            "that this rule accepts, and the threshold is one of its value, not of the probability",
            code="sorted-by-a-rule",
        )


def _missing_keys(recipe: Recipe, sweeps: Sequence[Sweep]) -> Iterator[Note]:
    missing = sum(
        int(np.isnan(s.key.values).sum()) for s in sweeps if s.key.values.dtype.kind == "f"
    )
    if missing and recipe.settings.average != "smooth":
        name = sweeps[0].key.name
        yield Note(
            f"`{name}` is missing in {counted(missing, 'row')}; they come last in the order",
            code="missing-sort-values",
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
            f"`{suspects[0].text.strip()}` depends on the order of the rows that have the same "
            f"{by}, which means nothing; {advice}",
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
                f"`probability {op} {value:g}` counts a probability of exactly {value:g} as "
                f"negative, while a threshold of {value:g} counts it as positive (>=); "
                f"{counted(exact, 'row')} {'has' if exact == 1 else 'have'} it",
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
                    f"for that, keep only those with `where='{keep}'`",
                    code="share-of-all-rows",
                )
    if y.level == "row" and y.kind == "truth" and settings.average == "merge":
        yield Note(
            f"`{y.text.strip()}` is 0 or 1 for every row; `average='smooth'` draws its mean along "
            "x",
            code="row-by-row",
        )
    accuracies = (recipe.x.names_written | y.names_written) & ACCURACIES
    if classes > 2 and accuracies and settings.multiclass is None:
        yield Note(
            "with more than two classes CA is (TP + TN) / NN of the target class against the rest, "
            "which is not the share of right answers, mean(eCA)",
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
                    f"the name {name} is Plumbline's own; write `{name}` in back-ticks for the "
                    "attribute",
                    code="name-of-an-attribute",
                )
