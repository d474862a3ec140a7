"""The question `requests`: what may be asked of the table, with which parameters and choices."""

from collections.abc import Sequence
from typing import Any

from plumbline.predictions import Predictions
from plumbline.requests import REQUESTS, REQUIRED, Param, Request
from plumbline.requests.choices import Choice, choices_of
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return every request that a browser may make, by its name.

    Of the data panel the positive class and the weights count, which the words name.
    """
    data = inquiry.chosen()
    rows = (row for row in REQUESTS.values() if row.served or row.room)
    return {"requests": {row.name: _row(row, data) for row in rows}}


def _row(row: Request, data: Predictions) -> dict[str, Any]:
    params = {param.name: _param(row, param, data) for param in row.params("served")}
    where = {"room": row.room, "section": row.section}
    return {"name": row.name, "title": row.title, **where, "params": params}


def _choices(row: Request, param: Param, data: Predictions) -> Sequence[Choice]:
    """Return the choices in words; else the names that may be given, where one of them is."""
    own = choices_of(row.name, param.name, data)
    names = () if param.kind.many else param.kind.names()
    return own or [Choice(name, name) for name in names]


def _param(row: Request, param: Param, data: Predictions) -> dict[str, Any]:
    described = row.signature.parameters.get(param.name)
    usual = None if described is None or described.default is REQUIRED else described.default
    least, most = param.kind.limits()
    return {
        "name": param.name,
        "label": param.kind.label,
        "help": param.help,
        "default": usual,
        "choices": [choice.to_dict() for choice in _choices(row, param, data)],
        "least": least,
        "most": most,
        "lines": param.kind.lines,
        "flag": not param.kind.metavar,
        "needs": param.kind.needs if param.kind.needs in row.offered("served") else None,
    }
