"""The question `lint`: whether one formula can be understood, before anything is computed."""

from typing import Any

from plumbline.errors import FormulaError, ParameterError
from plumbline.requests import Kind, fields_of
from plumbline.requests.formula_check import MAY_BE_EMPTY, PARTS, read_part
from plumbline.requests.kinds import text as any_text
from plumbline.workbench.questions.curve import order_param
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.vocabulary import table_rows
from plumbline.workbench.wording import message_of

FIELDS = {"part": Kind("PART", known=PARTS).read, "text": any_text}


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
        order = order_param(inquiry.fields.get("curve"))
        formula, notes = read_part(table_rows(inquiry), part, text, order)
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
