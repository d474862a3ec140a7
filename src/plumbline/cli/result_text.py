"""What each command says about its results, in words for people and in entries for `--json`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plumbline.cli.output import entry, paragraph, span, table
from plumbline.errors import InputError
from plumbline.formatting import (
    SCORE_NAMES,
    capital,
    counted,
    intervals,
    number,
    p_number,
    printable,
    score,
)

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.metrics import ModelScores
    from plumbline.reporting import Chapter
    from plumbline.results import (
        CalibrationError,
        CalibrationTest,
        CalibrationTests,
        EquivalenceTest,
    )

FAMILIES_SHOWN = 5  # of the omnibus; the JSON has all
IF_TRUE = (
    "if true: the mean error of probabilities that are true, on these very rows, and its 95 % range"
)
INTERVAL = (
    "interval: where the value lies that endless labels of these very rows would give; chance adds "
    "to\nan error, so that the error itself may lie above its interval"
)
HOW_TO_SEE_BINS = (
    "The bins are shown for one model and one class at a time (--models, --view), all with --json."
)

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


# ---------------------------------------------------------------- calibration and test

Answers = Sequence[tuple[str | None, Any]]


def calibration_text(errors: Sequence[tuple[str | None, "CalibrationError"]]) -> str:
    """Return the error of every model beside its null, and the bins of a single model."""
    first = errors[0][1]
    blocks = [_setting(first), table(_answer_columns(errors)), *_notes(errors)]
    blocks += [IF_TRUE] if first.resamples else []
    blocks += [INTERVAL] if first.interval_range is not None else []
    if first.bins:
        alone = len(errors) == 1 and len({row.get("class") for row in first.bins}) == 1
        blocks.append(_bin_table(first.bins) if alone else paragraph(HOW_TO_SEE_BINS, ""))
    return "\n\n".join(blocks)


def _setting(answer: "CalibrationError") -> str:
    parts = [f"view {answer.view}", f"bins {answer.scheme}", f"{answer.distance} distance"]
    parts += [f"norm {answer.norm}"] if answer.norm != 1 else []
    parts += ["midpoints of bins"] if answer.representative == "midpoint" else []
    parts += [f"only above {answer.threshold:g}"] if answer.threshold is not None else []
    parts += [f"like {answer.convention}"] if ":" not in answer.convention else []
    return ", ".join(parts)


def _answer_columns(results: Answers) -> Mapping[str, list[str]]:
    answers = [answer for _, answer in results]
    columns = {"model": [str(name) for name, _ in results]} if results[0][0] is not None else {}
    columns |= {
        "rows": [f"{one.n:,}" for one in answers],
        "error": [number(one.value) for one in answers],
    }
    if any(one.n != one.effective_n for one in answers):
        columns["effective rows"] = [f"{one.effective_n:,.1f}" for one in answers]
    if answers[0].resamples:
        columns |= {
            "if true": [number(one.null_mean) for one in answers],
            "95 % range": [span(*one.null_range) for one in answers],
            "excess": [number(one.excess) for one in answers],
            "p": [p_number(one.p_value) for one in answers],
        }
    if answers[0].interval_range is not None:
        title = f"{100 * answers[0].level:g} % interval"
        columns |= {title: [_range(*one.interval_range) for one in answers]}
    return columns


def _notes(results: Answers) -> list[str]:
    notes = [f"{_who(name)}{_sentence(one.reason)}" for name, one in results if one.reason]
    notes += [
        f"{_who(name)}In {one.impossible_rows:,} of {one.n:,} rows the true class had been given "
        "probability 0, which true probabilities never do."
        for name, one in results
        if one.impossible_rows
    ]
    return [paragraph(note, "") for note in notes]


def _bin_table(bins: Sequence[Mapping[str, Any]]) -> str:
    return table(
        {
            "bin": list(intervals(bins)),
            "rows": [f"{row['count']:,}" for row in bins],
            "mean probability": [number(row["mean_probability"]) for row in bins],
            "share of outcome": [number(row["outcome_share"]) for row in bins],
        }
    )


def test_text(tests: Sequence[tuple[str | None, "CalibrationTest"]]) -> str:
    """Return the test of every model, its verdict, and how it was made."""
    first = tests[0][1]
    blocks = [table(_test_columns(tests))]
    if len(tests) == 1 and first.parts:
        blocks.append(_parts_table(first))
    for name, one in tests:
        blocks.append(paragraph(f"{_who(name)}{one.verdict}", ""))
        if one.finding is not None:
            blocks.append(paragraph(one.finding, ""))
    about = ", ".join(filter(None, [_test_setting(first), first.method]))
    return "\n\n".join([*blocks, paragraph(f"{about}.", "")])


def _test_setting(answer: "CalibrationTest") -> str:
    parts = [answer.statistic, f"view {answer.view}"]
    parts += [f"bins {answer.scheme}"] if answer.scheme else []
    parts += [f"{answer.distance} distance"] if answer.distance else []
    return ", ".join(parts)


def _test_columns(results: Answers) -> Mapping[str, list[str]]:
    """Return a line a model; the omnibus' own number means nothing to a reader and is left out."""
    answers = [answer for _, answer in results]
    columns = {"model": [str(name) for name, _ in results]} if results[0][0] is not None else {}
    columns |= {"rows": [f"{one.n:,}" for one in answers]}
    if any(one.n != one.effective_n for one in answers):
        columns["effective rows"] = [f"{one.effective_n:,.1f}" for one in answers]
    if answers[0].statistic != "omnibus":
        columns |= {answers[0].statistic: [number(one.value) for one in answers]}
        columns |= {
            "if true": [number(one.null_mean) for one in answers],
            "95 % range": [_range(*one.null_range) for one in answers],
        }
    columns |= {"p": [p_number(one.p_value) for one in answers]}
    if any(one.p_bounds is not None for one in answers):
        columns["between"] = [span(*one.p_bounds) if one.p_bounds else "-" for one in answers]
    return columns


def _range(low: float, high: float) -> str:
    return "-" if low != low else span(low, high)


def _parts_table(answer: "CalibrationTest") -> str:
    """Return what every part of a combined test says, or the estimates that belong to a test."""
    if "p_value" not in answer.parts[0]:
        names = [str(part["name"]) for part in answer.parts]
        values = [number(part["value"]) for part in answer.parts]
        return table({"estimate": names, "value": values})
    rows = answer.parts[:FAMILIES_SHOWN]
    return table(
        {
            "family of faults": [str(part["name"]) for part in rows],
            "largest member": [part["member"] or "-" for part in rows],
            "probability": [part["direction"] or "-" for part in rows],
            "p": [p_number(part["p_value"]) for part in rows],
        }
    )


def family_text(family: "CalibrationTests") -> str:
    """Return the test of every class, group or model of a family, and what they say together."""
    rows = family.members
    columns = {
        family.by: [str(row["name"]) for row in rows],
        "rows": [f"{row['n']:,}" for row in rows],
        "p": [p_number(row["p_value"]) for row in rows],
        "adjusted p": [p_number(row["adjusted_p_value"]) for row in rows],
        "rejected": ["yes" if row["rejected"] else "no" for row in rows],
    }
    texts = [paragraph(f"{row['name']}: {row['verdict']}", "") for row in rows if row["rejected"]]
    return "\n\n".join([table(columns), paragraph(family.verdict, ""), *texts])


def within_text(tests: Sequence[tuple[str | None, "EquivalenceTest"]]) -> str:
    """Return, for every model, whether its error is within the tolerance."""
    answers = [answer for _, answer in tests]
    columns = {"model": [str(name) for name, _ in tests]} if tests[0][0] is not None else {}
    columns |= {
        "rows": [f"{one.n:,}" for one in answers],
        "error": [number(one.value) for one in answers],
        "true error": [span(*one.interval) for one in answers],
        "tolerance": [number(one.tolerance) for one in answers],
        "answer": [one.answer for one in answers],
    }
    first = answers[0]
    verdicts = [paragraph(f"{_who(name)}{one.verdict}", "") for name, one in tests]
    setting = f"view {first.view}, bins {first.scheme}, absolute distance"
    return "\n\n".join([table(columns), *verdicts, setting])


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
        "mended": chapter.mended,
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
