"""The question `lint`: whether one formula can be understood, before anything is computed."""

from typing import Any, cast

from plumbline._result import Note
from plumbline.curves.best_threshold import refuse_no_condition
from plumbline.curves.presets import CurveSettings
from plumbline.curves.recipe import Recipe, filter_of, notes_on_text, recipe_of
from plumbline.curves.target_rows import TargetRows, Vocabulary
from plumbline.errors import FormulaError, ParameterError
from plumbline.formula import Formula, read_formula
from plumbline.requests.kinds import Kind, fields_of
from plumbline.requests.kinds import text as any_text
from plumbline.workbench.questions.curve import order_param
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.vocabulary import table_rows
from plumbline.workbench.wording import message_of

PARTS = ("x", "y", "where", "sort_by", "subject_to")
MAY_BE_EMPTY = ("where", "sort_by", "subject_to")
FIELDS = {"part": Kind("PART", known=PARTS).read, "text": any_text}
ANYTHING = "NN"  # a formula that is right on every table: what stands where nothing was asked


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Read a formula as the curve would, and say what it is or what is wrong with it and where."""
    fields = fields_of(inquiry.fields, FIELDS)
    part, text = fields.get("part", "y"), fields.get("text", "")
    entry: dict[str, Any] = {
        "text": text,
        "error": None,
        "level": None,
        "kind": None,
        "params": [],
        "names": [],
        "notes": [],
    }
    if part in MAY_BE_EMPTY and not text.strip():
        return entry
    try:
        formula, notes = _read(inquiry, part, text)
    except FormulaError as error:
        return {
            **entry,
            "error": {
                "message": message_of(error),
                "start": error.start,
                "end": error.end,
                "near": error.near,
            },
        }
    except ParameterError as error:
        return {**entry, "error": {"message": message_of(error), "start": 0, "end": len(text)}}
    params = [{"name": name, "default": default} for name, default in formula.params.items()]
    return {
        **entry,
        "level": formula.level,
        "kind": formula.kind,
        "params": params,
        "names": sorted(formula.names_written),
        "notes": notes,
    }


def _read(inquiry: Inquiry, part: str, text: str) -> tuple[Formula, list[Note]]:
    """Read a formula under the rules of its part."""
    rows = table_rows(inquiry)
    if part == "where":
        settings = CurveSettings(ANYTHING, ANYTHING, where=text)
        return cast(Formula, filter_of(settings, Vocabulary(rows))), []
    if part == "sort_by":
        return read_formula(text, Vocabulary(rows), highest="row"), []
    recipe = _recipe(rows, part, text, order_param(inquiry.fields.get("curve")))
    if part == "subject_to":
        refuse_no_condition(recipe.more[0])
        return recipe.more[0], []
    notes = notes_on_text(recipe, classes=rows.data.k)
    return recipe.x if part == "x" else recipe.y, notes


def _recipe(rows: TargetRows, part: str, text: str, order: dict[str, Any]) -> Recipe:
    params: dict[str, Any] = {"x": ANYTHING, "y": ANYTHING, **order}
    if part == "subject_to":
        return recipe_of(rows, CurveSettings(**params), (text,))
    return recipe_of(rows, CurveSettings(**{**params, part: text}))
