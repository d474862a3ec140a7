"""Files of what is asked about several models, and about their decisions."""

from typing import Any

from plumbline.confusion import ConfusionMatrix
from plumbline.formatting import counted
from plumbline.workbench.questions.cell import rows_of_cell
from plumbline.workbench.questions.compare import compare_values, comparison_of
from plumbline.workbench.questions.confusion import chosen_parts, matrix_of
from plumbline.workbench.questions.exporting.artifact import Artifact, choosing, line, sentences_of
from plumbline.workbench.questions.exporting.script import Code
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.scores import calls_of, measures_of, scores_values

PRINTED = ("brier-score", "accuracy", "roc-auc")  # by the code: the first that the table allows


def scores(inquiry: Inquiry) -> Artifact:
    """Return a number a metric for every model."""
    data, values = inquiry.filtered(), scores_values(inquiry)
    values.pop("level", None)
    calls = calls_of(data, values)
    names = {"ece": "error"}
    rows = [one.for_tables() for one in measures_of(data, values, inquiry.progress)]
    allowed = [name for measured, _ in calls for name in measured]
    printed = next((name for name in PRINTED if name in allowed), None)
    number = f"next(m.value for m in result.measures if m.metric == {printed!r})"
    lines = [
        line("scores", given, name=names.get(measured[0], "result"), first=(tuple(measured),))
        for measured, given in calls
    ]
    return Artifact(
        json=lambda: {"results": rows}, rows=lambda: rows, code=Code(tuple(lines), number)
    )


def compare(inquiry: Inquiry) -> Artifact:
    """Return every pair of models."""
    comparison = comparison_of(inquiry)

    def figure() -> Any:
        from plumbline.plots import comparison_figure

        return comparison_figure(comparison.pairs, level=comparison.level)

    return Artifact(
        json=comparison.to_dict,
        rows=comparison.rows,
        sentences=[pair.verdict for pair in comparison.pairs],
        code=Code((line("compare", compare_values(inquiry)),), "result.pairs[0].difference"),
        figure=figure,
    )


def confusion(inquiry: Inquiry) -> Artifact:
    """Return the matrix of every model; the code is of the first."""
    values = inquiry.values("confusion")
    matrices = {name: matrix_of(part, values) for name, part in chosen_parts(inquiry).items()}
    model, matrix = next(iter(matrices.items()))
    decided = {name: value for name, value in values.items() if name in ("threshold", "target")}

    def figure() -> Any:
        from plumbline.plots import confusions_figure

        return confusions_figure(list(matrices.values()), normalize=values.get("shares"))

    return Artifact(
        json=lambda: {"results": [one.to_dict() for one in matrices.values()]},
        rows=lambda: [row for one in matrices.values() for row in _cells(one)],
        sentences=[f"{counted(matrix.n or 0, 'row')}, decided by {matrix.decision}."],
        code=Code(
            (*choosing(model), line("confusion_matrix", decided)),
            "result.overall().entries[0].value",
        ),
        figure=figure,
    )


def _cells(matrix: ConfusionMatrix) -> list[dict[str, Any]]:
    return [
        {
            "model": matrix.model,
            "actual": actual,
            "predicted": predicted,
            "count": float(matrix.counts[i, j]),
        }
        for i, actual in enumerate(matrix.classes)
        for j, predicted in enumerate(matrix.classes)
    ]


def cell(inquiry: Inquiry) -> Artifact:
    """Return the rows behind one cell of a matrix."""
    cell = rows_of_cell(inquiry)
    rows = cell.rows()
    return Artifact(json=lambda: {"rows": rows}, rows=lambda: rows, sentences=sentences_of(cell))
