"""The questions about a table: each is answered by the module of its kind."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol

from plumbline._checks import one_of
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.requests import REQUESTS, fields_of
from plumbline.requests.kinds import text
from plumbline.workbench.questions.inquiry import Inquiry, Memory
from plumbline.workbench.wording import worded_answer

# Kind of question -> the module of this folder whose `answer` knows it; imported when first asked.
KINDS: Mapping[str, str] = {
    "about": "about",
    "rows": "row_count",
    "doctor": "request_answers",
    "requests": "served_requests",
    "vocabulary": "vocabulary",
    "lint": "lint",
    "curve": "curve",
    "reading": "reading",
    "optimum": "optimum",
    "iso-cost": "iso_cost",
    "cases": "cases",
    "difference": "difference",
    "subgroups": "subgroups",
    "reliability": "reliability",
    "recalibration": "recalibration",
    "scores": "scores",
    "compare": "compare",
    "comparable": "comparable",
    "confusion": "confusion",
    "cell": "cell",
    "export": "export",
    "formats": "formats",
    "fingerprint": "fingerprint",
    **{row.name: "request_answers" for row in REQUESTS.values() if row.room},
}


class Answering(Protocol):
    """What a module of this folder offers."""

    def __call__(self, inquiry: Inquiry) -> dict[str, Any]:
        """Answer one question about a table."""


class TableQuestions:
    """A table, and the answers to questions about it.

    Attributes
    ----------
    table : the whole table; it never changes
    name : what the table is called, for headings and files
    read : the arguments of `plumbline.read` that made the table of its file
    memory : what earlier questions made
    """

    def __init__(
        self, table: Predictions, *, name: str = "table", read: Mapping[str, Any] | None = None
    ) -> None:
        self.table = table
        self.name = name
        self.read = dict(read or {})
        self.memory = Memory()

    def answer(self, question: Any, *, progress: Progress | None = None) -> dict[str, Any]:
        """Return the answer to a question, an object with a `kind` and the fields of its kind.

        Raises ParameterError for a question outside its rule, FormulaError for a formula that
        cannot be understood, InputError where the table cannot answer it.
        """
        kind = one_of("kind", fields_of(question, {"kind": text}).get("kind"), KINDS)
        answering: Answering = import_module(f"{__package__}.{KINDS[kind]}").answer
        inquiry = Inquiry(self.table, question, self.name, progress, self.memory, self.read)
        inquiry.need_rows()
        result: dict[str, Any] = worded_answer(answering(inquiry), kind)
        return result
