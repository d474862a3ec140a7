"""Files of what is asked about several models, and about their decisions."""

from typing import TYPE_CHECKING, Any, cast

from plumbline.confusion import ConfusionMatrix
from plumbline.formatting import counted
from plumbline.metrics import metric_named
from plumbline.workbench.questions.cell import rows_of_cell
from plumbline.workbench.questions.compare import NUMBERS, TEXTS, comparison_of
from plumbline.workbench.questions.confusion import matrix_of, parts_of
from plumbline.workbench.questions.exporting.artifact import Artifact, Call, choosing, sentences_of
from plumbline.workbench.questions.exporting.script import Code
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import MOST_RESAMPLES
from plumbline.workbench.questions.scores import OF_BINS, SHOWN

if TYPE_CHECKING:
    from plumbline.confusion.matrix import By

PRINTED = ("brier-score", "accuracy", "roc-auc")  # by the code: the first that the table allows


def scores(inquiry: Inquiry) -> Artifact:
    """Return a number a metric for every model."""
    data, params = inquiry.filtered(), inquiry.params
    allowed = [name for name in SHOWN if metric_named(name).serves(data)]
    bins = {name: params.text(name) for name in OF_BINS}
    resamples = params.whole("resamples", 0, least=0, most=MOST_RESAMPLES)
    calls = [
        Call("measure", {"resamples": resamples, **more}, name, first=(names,))
        for name, names, more in (
            ("result", tuple(name for name in allowed if name != "ece"), {}),
            ("error", tuple(name for name in allowed if name == "ece"), bins),
        )
        if names
    ]
    measures = [one for ask in calls for one in ask.result(inquiry, data).measures]
    rows = sorted((one.to_dict() for one in measures), key=lambda row: SHOWN.index(row["metric"]))
    printed = next((name for name in PRINTED if name in allowed), None)
    number = f"next(m.value for m in result.measures if m.metric == {printed!r})"
    return Artifact(
        json=lambda: {"results": rows},
        rows=lambda: rows,
        code=Code(tuple(ask.code() for ask in calls), number),
    )


def compare(inquiry: Inquiry) -> Artifact:
    """Return every pair of models."""
    params, comparison = inquiry.params, comparison_of(inquiry)
    named: dict[str, Any] = {
        parameter: params.text(field) or None for field, parameter in TEXTS.items()
    }
    named |= {name: params.number(name) for name in NUMBERS}
    named |= {"models": params.names("models"), "resamples": params.fields.get("resamples")}
    code = Call("compare", named).code()
    if params.text("adjust") == "none":
        code = f"{code[:-1]}, adjust=None)"
    elif params.text("adjust") not in (None, "holm"):
        code = Call("compare", {**named, "adjust": params.text("adjust")}).code()

    def figure() -> Any:
        from plumbline.plots import comparison_figure

        return comparison_figure(comparison.pairs, level=comparison.level)

    return Artifact(
        json=comparison.to_dict,
        rows=comparison.rows,
        sentences=[pair.verdict for pair in comparison.pairs],
        code=Code((code,), "result.pairs[0].difference"),
        figure=figure,
    )


def confusion(inquiry: Inquiry) -> Artifact:
    """Return the matrix of every model; the code is of the first."""
    params, parts = inquiry.params, parts_of(inquiry)
    wanted = params.names("models")
    chosen = {name: part for name, part in parts.items() if wanted is None or name in wanted}
    matrices = {name: matrix_of(part, params) for name, part in (chosen or parts).items()}
    model, matrix = next(iter(matrices.items()))
    by = params.choice("normalize", ("none", "actual", "predicted", "all"), "none")
    ask = Call(
        "confusion_matrix",
        {"threshold": params.number("threshold"), "target": params.text("target")},
    )

    def figure() -> Any:
        from plumbline.plots import confusions_figure

        shares = cast("By | None", None if by == "none" else by)
        return confusions_figure(list(matrices.values()), normalize=shares)

    return Artifact(
        json=lambda: {"results": [one.to_dict() for one in matrices.values()]},
        rows=lambda: [row for one in matrices.values() for row in _cells(one)],
        sentences=[f"{counted(matrix.n or 0, 'row')}, decided by {matrix.decision}."],
        code=Code((*choosing(model), ask.code()), "result.overall().entries[0].value"),
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
    found = rows_of_cell(inquiry)
    rows = found.rows()
    return Artifact(json=lambda: {"rows": rows}, rows=lambda: rows, sentences=sentences_of(found))
