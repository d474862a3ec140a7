"""The question `recalibration`: which recalibration helps, and what it would change."""

from typing import Any

from plumbline._result import Result
from plumbline.advisor import TableFacts, seconds_to_try
from plumbline.advisor.trials import why_not
from plumbline.predictions import Predictions
from plumbline.progress import share_of
from plumbline.recalibration import AUTO, METHODS, RecalibrationMap, fit_map
from plumbline.recalibration.map_lines import map_lines
from plumbline.reporting import RecalibrationChapter
from plumbline.reporting.recalibration_chapter import QUICK, recalibration_chapter
from plumbline.requests import KINDS, REQUESTS, fields_of, flag
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.recalibration_code import lines_of
from plumbline.workbench.questions.request_answers import presentation_of

MOST_LINES = 8  # classes whose lines are drawn
USUAL_DRAWS = 999  # as in the library
RECALIBRATION = 0.9  # the share of the work that is trying and judging
ALL_ALIKE = (
    "the scores count every example once, but the two diagrams treat rows as "
    "independent. Their ranges are too narrow."
)


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """List the methods; where `method` names one, or "auto" all, say what it does to these rows.

    `lines` names a method too: it is told how to do it on the command line and in Python.

    Every row is recalibrated by a map that was fitted on other rows. Where trying all methods takes
    more than seconds it is done only if the question is `sure`.
    """
    model, data = parts.model_param(inquiry)
    listed: dict[str, Any] = {"model": model, "n": data.total, "methods": methods_for(data)}
    if inquiry.fields.get("lines") is not None:
        named = method_param(inquiry, "lines")
        listed["lines"] = lines_of(inquiry, model, named)
    if inquiry.fields.get("method") is None:
        return listed
    method = method_param(inquiry)
    seconds = seconds_to_try(data)
    large = method == AUTO and seconds > QUICK
    tried = not large or fields_of(inquiry.fields, {"sure": flag}).get("sure", False)
    entry = _tried(inquiry, data) if tried else {}
    return {
        **listed,
        "method": method,
        "seconds": seconds,
        "tried": tried,
        "notes": recalibration_notes(inquiry),
        **entry,
    }


def method_param(inquiry: Inquiry, field: str = "method") -> str:
    """Return the name of the method, "auto" where all that suit are to be tried."""
    given = {"method": inquiry.fields.get(field) or None}
    return str(REQUESTS["recalibration"].served_values(given).get("method", AUTO))


def draws_param(inquiry: Inquiry) -> int:
    """Return how often the tests of the rows before and after draw the labels."""
    given = fields_of(inquiry.fields, {"resamples": KINDS["resamples"].read_served})
    return int(given.get("resamples", USUAL_DRAWS))


def recalibration_notes(inquiry: Inquiry) -> list[str]:
    """Return what to know about the rows before believing the diagrams."""
    _, data = parts.model_param(inquiry)
    return parts.notes_on(data, ALL_ALIKE)


def recalibrated_by(inquiry: Inquiry) -> RecalibrationChapter:
    """Return advice and effect that a question asks for, remembered from the last time."""
    model, data = parts.model_param(inquiry)
    method, draws = method_param(inquiry), draws_param(inquiry)
    key = ("recalibration", inquiry.selection, model, method, draws)
    bar = share_of(inquiry.progress, 0.0, RECALIBRATION)
    return inquiry.memory.once(key, lambda: _recalibrated(data, method, draws, bar))


def methods_for(data: Predictions) -> list[dict[str, Any]]:
    """Return every method in words, and why it does not suit these rows where it does not."""
    read = "score" if data.prob is None else "probability"
    facts = TableFacts.of(data, read) if data.mass.any() else None
    return [
        {
            "name": row.name,
            "title": row.title,
            "text": row.text,
            "order": row.order,
            "source": row.source,
            "why_not": None if facts is None else why_not(row, facts),
        }
        for row in METHODS.values()
    ]


def _tried(inquiry: Inquiry, data: Predictions) -> dict[str, Any]:
    chapter = recalibrated_by(inquiry)
    effect, advice = chapter.effect, chapter.advice
    draws = draws_param(inquiry)
    before, after = (None, None) if effect is None else effect.curves(resamples=draws)
    return {
        "advice": _entry(advice),
        "effect": _entry(effect),
        "reason": chapter.reason,
        "legend": presentation_of(chapter.present())["legend"],
        "before": None if before is None else parts.curve_columns(before),
        "after": None if after is None else parts.curve_columns(after),
        "map": None if effect is None else _map_entry(fit_map(data, effect.method), data),
    }


def _entry(result: Result | None) -> dict[str, Any] | None:
    """Return the fields of a result, and what it says."""
    return (
        None
        if result is None
        else {**result.to_dict(), "presentation": presentation_of(result.present())}
    )


def _recalibrated(
    data: Predictions, method: str, draws: int, progress: Any
) -> RecalibrationChapter:
    chapter = recalibration_chapter(
        data,
        method,
        quick=True,
        rng=0,
        progress=progress,
        workers=None,
        level=0.95,
        resamples=draws,
    )
    if chapter is None:
        return RecalibrationChapter(
            None, None, "there are no probabilities or ratings to recalibrate"
        )
    return chapter


def _map_entry(fitted: RecalibrationMap, data: Predictions) -> dict[str, Any]:
    """Return a map and its lines."""
    lines = map_lines(fitted, ratings=data.score, most=MOST_LINES)
    return {
        **fitted.to_dict(),
        "x_title": "rating" if fitted.on == "score" else "probability before",
        "y_title": "recalibrated probability",
        "note": lines.note,
        "lines": [{"name": name, "x": lines.x, "y": y} for name, y in lines.y.items()],
    }
