"""What each command says about its results, in words for people and in entries for `--json`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plumbline.cli.output import entry, paragraph, table
from plumbline.errors import InputError
from plumbline.formatting import (
    SCORE_NAMES,
    capital,
    counted,
    number,
    p_number,
    printable,
    score,
)

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.metrics import ModelScores
    from plumbline.reporting import Chapter

# ---------------------------------------------------------------- scores


def why_scores_are_missing(data: "Predictions") -> str | None:
    """Return the library's remedy where a table lacks what some scores need."""
    try:
        data.need_prob("every score" if data.label is None else "every score but the accuracy")
    except InputError as error:
        return str(error)
    return None


def scores_entry(evaluation: "ModelScores", reason: str | None) -> dict[str, Any]:
    """Return the entry of one model; a score the table does not allow is null, with the reason."""
    values = evaluation.scores_dict()
    absent = {name: None for name in SCORE_NAMES if name not in values}
    if reason is not None:
        values |= absent | {"reason": reason}
    return entry(evaluation.model, values)


def scores_text(evaluations: Sequence["ModelScores"], data: "Predictions") -> str:
    """Return the scores of all models, on all rows and over folds, and what to know about them."""
    blocks = []
    if any(one.scores for one in evaluations):
        blocks.append(table(_named(evaluations, data) | _score_columns(evaluations, "value")))
    if blocks and any(one.folds > 1 for one in evaluations):
        folded = _fold_columns([one for one in evaluations if one.folds > 1])
        blocks.append(f"Mean over the folds (standard deviation):\n{table(folded)}")
    notes = [
        f"{_who(one.model)}The {SCORE_NAMES[row.name]} is {row.reason}."
        for one in evaluations
        for row in one.scores
        if row.reason
    ]
    notes = [*_brier_line(evaluations), *notes]
    reason = why_scores_are_missing(data)
    notes += [_sentence(reason)] if reason else []
    return "\n\n".join([*blocks, *(paragraph(note, "") for note in notes)])


def _named(evaluations: Sequence["ModelScores"], data: "Predictions") -> dict[str, list[str]]:
    names = {"model": [one.model or "-" for one in evaluations]} if data.models else {}
    columns = names | {"rows": [f"{one.n:,}" for one in evaluations]}
    if data.weight is not None:
        columns["effective rows"] = [f"{one.effective_n:,.1f}" for one in evaluations]
    return columns


def _score_columns(evaluations: Sequence["ModelScores"], field: str) -> dict[str, list[str]]:
    tables = [{row.name: score(getattr(row, field)) for row in one.scores} for one in evaluations]
    known = (name for name in SCORE_NAMES if name in tables[0])
    return {SCORE_NAMES[name]: [cells[name] for cells in tables] for name in known}


def _fold_columns(evaluations: Sequence["ModelScores"]) -> dict[str, list[str]]:
    means, spreads = (
        _score_columns(evaluations, "fold_mean"),
        _score_columns(evaluations, "fold_deviation"),
    )
    columns = {"model": [one.model or "-" for one in evaluations]} if evaluations[0].model else {}
    columns["folds"] = [str(one.folds) for one in evaluations]
    return columns | {
        title: [
            f"{mean} ({spread})" for mean, spread in zip(means[title], spreads[title], strict=True)
        ]
        for title in means
    }


def _brier_line(evaluations: Sequence["ModelScores"]) -> list[str]:
    """Return which Brier score is shown; the models of a table have the same classes."""
    convention = evaluations[0].brier_convention
    return [f"Brier score: {convention}."] if convention is not None else []


def _sentence(reason: str) -> str:
    return f"{capital(reason)}."


def _who(model: str | None) -> str:
    return f"{printable(model)}: " if model is not None else ""


# ---------------------------------------------------------------- report and demo


def report_entry(
    evaluation: "ModelScores", chapter: "Chapter", reason: str | None
) -> dict[str, Any]:
    """Return the entry of one model: its scores flat, then all else that the page says of it."""
    closer = chapter.closer
    parts = ("sensitivity", "corp", "metrics", "diagnosis", "groups")
    return scores_entry(evaluation, reason) | {
        "calibration": evaluation.calibration,
        "test": evaluation.test,
        "diagrams": chapter.diagrams,
        "left_out": chapter.left_out,
        "remarks": chapter.remarks,
        "curves": chapter.curves,
        "decisions": chapter.decisions,
        "conclusion": chapter.conclusion,
        "mended": chapter.recalibration,
        **{part: None if closer is None else getattr(closer, part) for part in parts},
    }


def evaluation_text(evaluations: Sequence["ModelScores"], reason: str | None = None) -> str:
    """Return the scores, the calibration and the verdict of every model, in short."""
    columns = {"model": [one.model or "-" for one in evaluations]} if evaluations[0].model else {}
    columns["rows"] = [f"{one.n:,}" for one in evaluations]
    for name in ("accuracy", "log_loss", "brier_score"):
        cells = [_score_cell(one, name) for one in evaluations]
        columns |= {SCORE_NAMES[name]: cells} if any(cell != "-" for cell in cells) else {}
    tests = [one.test for one in evaluations if one.test is not None]
    if len(tests) == len(evaluations):
        columns |= {
            "ECE": [number(one.calibration[0].value) for one in evaluations],
            "if true": [number(one.calibration[0].null_mean) for one in evaluations],
            "p (omnibus)": [p_number(one.p_value) for one in tests],
        }
    verdicts = [
        f"{_who(one.model)}{one.test.verdict}" for one in evaluations if one.test is not None
    ]
    verdicts = [*_brier_line(evaluations), *verdicts, *([_sentence(reason)] if reason else [])]
    return "\n\n".join([table(columns), *(paragraph(text, "") for text in verdicts)])


def _score_cell(evaluation: "ModelScores", name: str) -> str:
    """Return a score; an infinite one with the number of rows that made it so."""
    impossible = evaluation.impossible_rows or 0
    for row in evaluation.scores:
        if row.name == name:
            finite = row.value != float("inf")
            return score(row.value) + ("" if finite else f" ({counted(impossible, 'row')})")
    return "-"
