"""Whether one formula of a curve can be understood, before anything is computed."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from plumbline._result import Note
from plumbline.curves import CurveSettings, Recipe, TargetRows, Vocabulary, recipe_of
from plumbline.curves.best_threshold import refuse_no_condition
from plumbline.curves.recipe import filter_of, notes_on_text
from plumbline.curves.target_rows import rows_of
from plumbline.formula import Formula, read_formula
from plumbline.predictions import Predictions

PARTS = ("x", "y", "where", "sort_by", "subject_to")
MAY_BE_EMPTY = ("where", "sort_by", "subject_to")
ANYTHING = "NN"  # a formula that is right on every table: what stands where nothing was asked


def check_formula(
    data: Predictions, part: str, text: str, order: Mapping[str, Any] | None = None
) -> list[Note]:
    """Read a formula as `curve` would, and return what to know about it.

    Parameters
    ----------
    data : Predictions
        The table.
    part : {"x", "y", "where", "sort_by", "subject_to"}
        What the formula is for.
    text : str
        The formula.
    order : mapping, optional
        Settings of the order of the rows, as of `curve`: `sort_by`, `direction`, `merge`.

    Raises
    ------
    FormulaError
        For a formula that cannot be understood or computed here, with the place.

    >>> data = Predictions.from_arrays([0, 1], [0.2, 0.9])
    >>> check_formula(data, "y", "precison")
    Traceback (most recent call last):
    plumbline.errors.FormulaError: there is no variable `precison`. Did you mean 'precision'?
      precison
      ^^^^^^^^
    """
    return read_part(rows_of(data, data.positive), part, text, order or {})[1]


def formula_params(data: Predictions, texts: Iterable[str]) -> dict[str, float]:
    """Return the parameters of some formulas, `param("name", default)`, with their defaults.

    Raises
    ------
    FormulaError
        For a formula that cannot be understood.

    >>> data = Predictions.from_arrays([0, 1], [0.2, 0.9])
    >>> formula_params(data, ["FPR", "TP * param('gain', 30)"])
    {'gain': 30.0}
    """
    variables = Vocabulary(rows_of(data, data.positive))
    formulas = [read_formula(text, variables) for text in texts]
    return {name: value for formula in formulas for name, value in formula.params.items()}


def read_part(
    rows: TargetRows, part: str, text: str, order: Mapping[str, Any]
) -> tuple[Formula, list[Note]]:
    """Read a formula under the rules of its part, and say what to know about it."""
    if part == "where":
        settings = CurveSettings(ANYTHING, ANYTHING, where=text)
        return cast(Formula, filter_of(settings, Vocabulary(rows))), []
    if part == "sort_by":
        return read_formula(text, Vocabulary(rows), highest="row"), []
    recipe = _recipe(rows, part, text, order)
    if part == "subject_to":
        refuse_no_condition(recipe.more[0])
        return recipe.more[0], []
    notes = notes_on_text(recipe, classes=rows.data.k)
    return recipe.x if part == "x" else recipe.y, notes


def _recipe(rows: TargetRows, part: str, text: str, order: Mapping[str, Any]) -> Recipe:
    params: dict[str, Any] = {"x": ANYTHING, "y": ANYTHING, **order}
    if part == "subject_to":
        return recipe_of(rows, CurveSettings(**params), (text,))
    return recipe_of(rows, CurveSettings(**{**params, part: text}))
