"""The question `cell`: the rows behind one cell of a confusion matrix, the most wrong first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from plumbline._checks import one_of
from plumbline.confusion import CellRows, cell_rows, threshold_range
from plumbline.predictions import Predictions, numbers_in_model
from plumbline.workbench.questions.confusion import parts_of
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.request_answers import presentation_of
from plumbline.workbench.questions.selection import filtered

SHOWN = 200  # rows of a list; the export has all
PLACE = "\0number"  # no column of a file is called so


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Return how many rows a cell has, and the first of them as columns."""
    cell, most = rows_of_cell(inquiry), inquiry.values("cell").get("most", SHOWN)
    return {
        "model": inquiry.model,
        "actual": cell.actual,
        "predicted": cell.predicted,
        "decision": cell.decision,
        "count": cell.n,
        "weight": cell.weight,
        "shown": min(cell.n, most),
        "presentation": presentation_of(cell.present()),
        "columns": [{"name": name, **_wired(v[:most])} for name, v in cell.columns.items()],
    }


def rows_of_cell(inquiry: Inquiry) -> CellRows:
    """Return every row of the cell; its number is that among all rows of its model."""
    values = inquiry.values("cell", "actual", "predicted")
    values.pop("most", None)
    first = next(iter(parts_of(inquiry).values()))
    usual = threshold_range(first, target=values.get("target")).usual  # ratings need one
    cell = cell_rows(_part(inquiry), **{"threshold": usual, **values})
    columns = {name: values for name, values in cell.columns.items() if name != PLACE}
    return replace(cell, columns={**columns, "number": cell.columns[PLACE]})


def _part(inquiry: Inquiry) -> Predictions:
    """Return the rows of the model that is asked for, which know their number, as cases do."""
    key = ("numbered", inquiry.selection)
    parts = inquiry.memory.once(
        key, lambda: filtered(_numbered(inquiry.chosen()), inquiry.selection).by_model()
    )
    model = inquiry.model
    if model is None and len(parts) == 1:
        return next(iter(parts.values()))
    one_of("model", model, [name for name in parts if name is not None])
    return parts[model]


def _numbered(data: Predictions) -> Predictions:
    """Return the rows with their numbers, which stay where a filter drops rows."""
    return replace(data, attributes={**data.attributes, PLACE: numbers_in_model(data)})


def _wired(values: Any) -> Mapping[str, Any]:
    """Return numbers as an array, and everything else as texts."""
    if values.dtype.kind in "iuf":
        return {"kind": "number", "values": values.astype(float)}
    return {"kind": "text", "values": [None if value is None else str(value) for value in values]}
