"""What `recalibrate` says to people: the methods, the map, the rows before and after."""

from collections.abc import Iterator, Sequence
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.cli.messages import typed
from plumbline.cli.output import paragraph, span, table
from plumbline.cli.prediction_file import heading
from plumbline.formatting import (
    capital,
    counted,
    number,
    p_equals,
    p_number,
    printable,
    score,
)

if TYPE_CHECKING:
    from plumbline.advisor import RecalibrationAdvice, RecalibrationEffect
    from plumbline.cli.recalibrate_out import RecalibrateOutput
    from plumbline.recalibration import Method, RecalibrationMap

AS_IT_IS = "as it is"
CALLED = {".json": "Map", ".sql": "Map", ".py": "Map", ".onnx": "Map", ".html": "Report"}
PICTURES = (".svg", ".png", ".pdf")
FEW_NOTES = 2  # that each have a paragraph
ADVICE_NOTE = (
    "log loss, difference: on rows that the map was not fitted on, below 0 it is less than as it "
    "is; interval: of a paired t-test, widened for the spread of the maps. adjusted p: of the test "
    "of what the method can correct. AUC: mean over the parts. ties: rows that are not "
    "distinguishable any more"
)
UNCHANGED = "Nothing was changed: these are the numbers of the probabilities as they are."


def whole_text(
    output: "RecalibrateOutput", *, fit: Path | None, new: Path | None, written: Sequence[Path]
) -> str:
    """Return all that is printed."""
    blocks = []
    if output.fit is not None and fit is not None:
        blocks = [heading(fit, output.fit) if output.bare is None else output.bare.heading(fit)]
    if output.advice is not None:
        blocks += advice_blocks(output.advice)
    blocks.append(map_text(output.map))
    if output.new is not None and new is not None:
        blocks.append(output.new.heading(new))
    if output.effect is not None:
        blocks += effect_blocks(output.effect)
    elif output.new is not None and not output.new.labelled:
        blocks.append(
            "The rows are mended; whether that helped cannot be told without their true classes."
        )
    if written:
        blocks.append("\n".join(f"{_called(path, output)}: {printable(path)}" for path in written))
    return "\n\n".join(blocks)


def _called(path: Path, output: "RecalibrateOutput") -> str:
    ending = path.suffix.lower()
    return f"Picture of {output.pictured}" if ending in PICTURES else CALLED.get(ending, "Rows")


# ------------------------------------------------------------------ advice


def advice_blocks(advice: "RecalibrationAdvice") -> list[str]:
    """Return the methods side by side, and which to take."""
    tried = [one for one in advice.methods if one.reason is None]
    columns = {
        "method": [AS_IT_IS, *(one.method for one in tried)],
        "log loss": [score(advice.log_loss_before), *(score(one.log_loss) for one in tried)],
        "difference": ["-", *(number(one.log_loss_difference) for one in tried)],
        f"{100 * advice.level:g} % interval": ["-", *(_range(o.log_loss_range) for o in tried)],
        "adjusted p": ["-", *(p_number(one.adjusted_p_value) for one in tried)],
        "Brier score": [score(advice.brier_before), *(score(one.brier_score) for one in tried)],
        "AUC": [_area(tried[0].roc_auc_before), *(_area(one.roc_auc_after) for one in tried)],
        "ties": ["-", *(_percent(one.ties_created) for one in tried)],
        "helps": ["-", *("yes" if one.helps else "no" for one in tried)],
    }
    blocks = [
        table(columns),
        paragraph(f"{ADVICE_NOTE}; Brier score: {advice.brier_convention}", ""),
        paragraph(advice.verdict, ""),
    ]
    blocks += [paragraph(f"Note: {_sentence(remark)}", "") for remark in advice.remarks]
    left = "; ".join(_left_out(advice))
    return blocks + ([paragraph(f"Not tried: {left}.", "")] if left else [])


def _left_out(advice: "RecalibrationAdvice") -> Iterator[str]:
    """Yield why methods were not tried, those of one reason together."""
    for reason, methods in advice.left_out().items():
        yield f"{', '.join(one.method for one in methods)} ({typed(reason)})"


def _range(ends: tuple[float, float]) -> str:
    return span(*ends) if all(map(isfinite, ends)) else "-"


def _area(value: float) -> str:
    return "-" if value != value else f"{value:.3f}"


def _percent(share: float) -> str:
    return "-" if share != share else f"{100 * share:.1f} %"


def _sentence(text: str) -> str:
    return capital(text) if text.endswith(".") else f"{capital(text)}."


# ------------------------------------------------------------------ the map, and what it did


def map_text(fitted: "RecalibrationMap") -> str:
    """Return what was fitted, and what to know about it."""
    from plumbline.recalibration.map import facts_text

    if fitted.method == "none":
        return "Map: none; the probabilities stay as they are."
    rows = counted(fitted.n, "row")
    parts = [] if fitted.several is None else [fitted.several]
    parts += [counted(fitted.parameters, "parameter")]
    parts += facts_text(fitted.options, fitted.details)
    line = f"Map: {fitted.method}, fitted on the {fitted.on} of {rows} ({', '.join(parts)})."
    return "\n\n".join([paragraph(line, ""), *(paragraph(note, "") for note in _notes(fitted))])


def _notes(fitted: "RecalibrationMap") -> list[str]:
    """Return the notes; of many on single classes one paragraph, which ends after a few."""
    notes = fitted.notes
    if fitted.several != "one-vs-rest" or len(notes) <= FEW_NOTES:
        return [f"Note: {_sentence(note)}" for note in notes]
    more = len(notes) - FEW_NOTES
    return [
        f"Notes on single classes: {'; '.join(notes[:FEW_NOTES])}; and {counted(more, 'other')} "
        "(--json has them all)."
    ]


def effect_blocks(effect: "RecalibrationEffect") -> list[str]:
    """Return every number before and after, and what that says; where nothing changed, once."""
    if effect.method == "none":
        return _unchanged_blocks(effect)
    rows = effect.changes
    columns = {
        "metric": [one.title for one in rows],
        "before": [score(one.before) for one in rows],
        "after": [score(one.after) for one in rows],
        "difference": [number(one.difference) for one in rows],
        f"{100 * effect.level:g} % interval": [_range(one.interval_range) for one in rows],
        "p": [p_number(one.p_value) for one in rows],
        "if true": [_pair(one.null_before, one.null_after) for one in rows],
        "better": [one.better or "-" for one in rows],
    }
    lines = [
        f"Calibration test (omnibus): {p_equals(effect.test_before)} before, "
        f"{p_number(effect.test_after)} after.",
        f"Brier score: {effect.brier_convention}.",
    ]
    lines += [effect.verdict]
    for reason, changes in effect.untested().items():
        titles = capital(", ".join(one.title for one in changes))
        lines.append(f"{titles}: {reason}.")
    lines += [f"Note: {_sentence(remark)}" for remark in effect.remarks]
    return [table(columns), *(paragraph(text, "") for text in lines)]


def _unchanged_blocks(effect: "RecalibrationEffect") -> list[str]:
    rows = effect.changes
    columns = {
        "metric": [one.title for one in rows],
        "value": [score(one.before) for one in rows],
        "if true": ["-" if isnan(one.null_before) else number(one.null_before) for one in rows],
    }
    lines = [f"Calibration test (omnibus): {p_equals(effect.test_before)}.", UNCHANGED]
    lines += [f"Brier score: {effect.brier_convention}."]
    lines += [f"Note: {_sentence(remark)}" for remark in effect.remarks]
    return [table(columns), *(paragraph(text, "") for text in lines)]


def _pair(before: float, after: float) -> str:
    if before != before and after != after:
        return "-"
    return f"{number(before)} | {number(after)}"


# ------------------------------------------------------------------ the list


def list_rows() -> list[dict[str, Any]]:
    """Return every method as one row."""
    from plumbline.recalibration import METHODS

    return [
        {
            "method": row.name,
            "title": row.title,
            "text": row.text,
            "on": list(row.on),
            "several": row.several,
            "order": row.order,
            "options": dict(row.options),
            "source": row.source,
        }
        for row in METHODS.values()
    ]


def list_text() -> str:
    """Return the table of methods."""
    from plumbline.recalibration import METHODS

    rows: list[Method] = list(METHODS.values())
    columns = {
        "method": [row.name for row in rows],
        "reads": [", ".join(row.on) for row in rows],
        "classes": [row.several for row in rows],
        "order": [row.order for row in rows],
        "options": [
            ", ".join(f"{k}={_spelt(v)}" for k, v in row.options.items()) or "-" for row in rows
        ],
    }
    note = (
        "classes: of more than two, all at once (native) or each against the rest; order of the "
        "scores of two classes: kept, kept with ties, or free to change. Options are set with "
        "--method NAME --option NAME=VALUE."
    )
    return f"{table(columns)}\n\n{paragraph(note, '')}"


def _spelt(value: Any) -> str:
    import json

    if isinstance(value, float):
        return f"{value:.3g}"
    return value if isinstance(value, str) else json.dumps(value)
