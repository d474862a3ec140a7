"""The question `vocabulary`: every name that a formula may use on this table, and the presets."""

from typing import Any

from plumbline.curves import TargetRows
from plumbline.curves.target_rows import rows_of
from plumbline.requests.vocabulary import vocabulary_of
from plumbline.workbench.questions.inquiry import Inquiry


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Say what formulas may name on this table."""
    return vocabulary_of(table_rows(inquiry))


def table_rows(inquiry: Inquiry) -> TargetRows:
    """Return the rows of the whole table, whose attributes are made fit for formulas once."""
    table = inquiry.table
    return inquiry.memory.once(("rows",), lambda: rows_of(table, table.positive))
