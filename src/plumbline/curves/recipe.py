"""The formulas of a curve, read for the columns of one table and checked against each other."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shown
from plumbline.curves import rows as rw
from plumbline.curves.presets import Shape, preset_of
from plumbline.curves.rows import Rows
from plumbline.curves.settings import CurveSettings
from plumbline.errors import FormulaError, ParameterError
from plumbline.formula import Formula, params_in, read_formula
from plumbline.formula.variables import Variable

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Recipe:
    """The formulas of a curve, read for the columns of one table.

    Attributes
    ----------
    settings : what was asked
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


def recipe_of(rows: Rows, settings: CurveSettings, more: tuple[str, ...] = ()) -> Recipe:
    """Read the formulas of a curve.

    Refuse counts at a threshold where no rating sorts the rows, and parameters that no formula has.
    """
    variables = rw.variables_of(rows)
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
                "`probability` (sort_by='probability'), or use row variables such as eTP",
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
