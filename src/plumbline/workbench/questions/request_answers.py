"""Answers made of one request: its results, what they say of themselves, what is drawn of them.

A kind of question is here if its answer is the result of a request, of every chosen model or of
the one that is shown. A request whose row names its page of the workbench is one, and is shown by
its sentences and tables; its result is a row of `DRAWN` where the browser has a chart for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from plumbline._result import Note, Presentation, Result, own_and_shared
from plumbline.calibration_errors import TESTS
from plumbline.errors import ParameterError
from plumbline.formatting import number, quoted
from plumbline.power import effect_of
from plumbline.predictions import Predictions
from plumbline.requests import REQUESTS, REQUIRED
from plumbline.requests.table import Answers
from plumbline.workbench.questions import calibration_parts as parts
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns
from plumbline.workbench.wording import BROWSER

# Requests that are answered of every chosen model, and of the whole table; others of one model.
OF_EVERY_MODEL = ("test",)
OF_THE_TABLE = ("doctor",)
ALIKE = {
    "plan": "the plan treats rows as independent, so the power of these rows is too high. "
    "Choose the rows of one repeat."
}


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Answer a question by its request."""
    kind = inquiry.kind
    if kind in OF_THE_TABLE:
        ((_, result),) = REQUESTS[kind].answer(inquiry.filtered(), {})
        return {**result.to_dict(), "presentation": presentation_of(result.present())}
    if kind in OF_EVERY_MODEL:
        shown, _ = parts.model_param(inquiry)
        rows = parts.some_rows(inquiry).by_model()
        results = results_of(inquiry, kind)
        presented = [_with_repeats(one.present(), rows[name]) for name, one in results]
        notes = [[_worded(note, one) for note in one.notes] for one in presented]
        own, shared = own_and_shared([name for name, _ in results], notes)
        return {
            "shown": shown,
            "models": [
                answer_of(one, rows[name], name) | {"own_notes": mine}
                for (name, one), mine in zip(results, own, strict=True)
            ],
            "shared_notes": shared,
        }
    request = request_of(inquiry)
    model, data = rows_of(inquiry, request)
    return answer_of(result_of(inquiry, request), data, model, ALIKE.get(request, parts.ONE_DRAW))


def rows_of(inquiry: Inquiry, request: str) -> tuple[str | None, Predictions]:
    """Return the model that is shown and its rows; of all models where the request takes all."""
    if REQUESTS[request].per_model:
        return parts.model_param(inquiry)
    return None, parts.some_rows(inquiry)


def request_of(inquiry: Inquiry) -> str:
    """Return the request that answers a question: groups of nothing are all slices."""
    slices = inquiry.kind == "groups" and inquiry.fields.get("by") is None
    return "slices" if slices else inquiry.kind


def values_of(inquiry: Inquiry, request: str) -> dict[str, Any]:
    """Return the values that a question gives; what groups are cut at it calls `groups`."""
    fields, row = inquiry.fields, REQUESTS[request]
    named = {"cuts": fields.get("groups")} if request == "groups" else {}
    values = row.served_values({**named, **fields})
    parameters = row.signature.parameters
    for param in row.params("served"):
        needed = param.kind.lines or parameters[param.name].default is REQUIRED
        if needed and param.name not in values:
            raise ParameterError(
                f"`{param.name}` is missing", code="argument-missing", argument=param.name
            )
    return values


def results_of(inquiry: Inquiry, request: str) -> Answers:
    """Return what a request answers of every chosen model, remembered from the last time."""
    values, row = values_of(inquiry, request), REQUESTS[request]
    key = (request, inquiry.selection, repr(sorted(values.items())))
    return inquiry.memory.once(
        key, lambda: row.answer(parts.some_rows(inquiry), values, inquiry.progress)
    )


def result_of(inquiry: Inquiry, request: str) -> Any:
    """Return what a request answers of the model that is shown, for page and file alike."""
    model, data = rows_of(inquiry, request)
    values, row = values_of(inquiry, request), REQUESTS[request]
    if request == "plan":
        need_sensible(values.get("effect"), data)
    key = (request, inquiry.selection, model, repr(sorted(values.items())))
    return inquiry.memory.once(key, lambda: row.answer(data, values, inquiry.progress))[0][1]


def need_sensible(text: str | None, data: Predictions) -> None:
    """Raise ParameterError for an effect beyond those that a plan itself looks for."""
    effect = None if text is None else effect_of(text)
    if effect is None or effect.kind == "ece":  # which size is too large the predictions tell
        return
    most = effect.most_x(data)
    if effect.x > most:
        raise ParameterError(
            f"`effect` {effect.kind} can be at most {number(effect.at(most).size)}, "
            f"got {quoted(text)}",
            code="out-of-range",
        )


def answer_of(
    result: Result, data: Predictions, model: str | None, alike: str = parts.ONE_DRAW
) -> dict[str, Any]:
    """Return a result as a browser reads it: its fields, what it says, and what is drawn of it.

    `alike` says what it means that examples come again.
    """
    draw = DRAWN.get(type(result).__name__)
    shown = _with_repeats(result.present(), data, alike)
    presentation = presentation_of(shown)
    if draw is None:  # its tables are all that there is to see
        return {**result.to_dict(), "model": model, "presentation": presentation | tables_of(shown)}
    return {**result.to_dict(), **draw(result), "model": model, "presentation": presentation}


def _with_repeats(
    shown: Presentation, data: Predictions, alike: str = parts.ONE_DRAW
) -> Presentation:
    """Return what a result says, and that examples come again in its rows."""
    more = (Note(note, "repeated-examples") for note in parts.notes_on(data, alike))
    return replace(shown, notes=(*shown.notes, *more))


def _worded(note: Note, shown: Presentation) -> Note:
    """Return a note in the words of the browser."""
    text = BROWSER.worded(note, names=not shown.formulas)
    return Note(text, note.code, fact=note.fact, own=note.own)


def presentation_of(shown: Presentation) -> dict[str, Any]:
    """Return what people read of a result, in the words of the browser; its tables are columns."""
    following, names = shown.next_step, not shown.formulas
    return {
        "subject": shown.subject,
        "tone": shown.tone,
        "summary": BROWSER.worded(shown.summary, names=names),
        "details": [
            {"key": one.key, "label": one.label, "text": one.text} for one in shown.details
        ],
        "notes": [{"text": _worded(note, shown), "code": note.code} for note in shown.notes],
        "next_step": None
        if following is None
        else {"request": following.request, "text": following.text},
        "legend": [BROWSER.worded(text, names=names) for text in shown.legend],
    }


def tables_of(shown: Presentation) -> dict[str, Any]:
    """Return the tables of a result as a browser reads them."""
    return {
        "tables": [
            {
                "title": table.title,
                "more": table.more,
                "left": list(table.left),
                "columns": {name: list(cells) for name, cells in table.columns.items()},
            }
            for table in shown.tables
        ]
    }


# ------------------------------------------------------------------ what is drawn


def _test(result: Any) -> dict[str, Any]:
    test = TESTS[result.statistic]
    about = {"title": test.title, "formula": test.formula, "source": test.reference}
    return {**about, "histogram": parts.null_bars(result)}


def _diagnosis(result: Any) -> dict[str, Any]:
    return {
        "curve": parts.curve_columns(result.curve),
        "fitted": number_columns(result.fitted, ("score", "share")),
    }


SENSITIVITY_COLUMNS = ("bins", "value", "null_mean", "null_low", "null_high", "p_value")


def _sensitivity(result: Any) -> dict[str, Any]:
    return {
        "schemes": [
            {"name": name, **number_columns(rows, SENSITIVITY_COLUMNS)}
            for name, rows in result.by_scheme().items()
        ]
    }


def _bias_columns(result: Any) -> dict[str, Any]:
    return {"columns": number_columns(result.groups, ("bias", "bias_low", "bias_high"))}


def _plan(result: Any) -> dict[str, Any]:
    fitted = [dict(zip(("n", "power"), point, strict=True)) for point in result.fitted]
    return {
        "points": number_columns(result.curve, ("n", "power", "std_error", "datasets"))
        | number_columns(result.ranges(), ("low", "high")),
        "fitted": number_columns(fitted, ("n", "power")),
    }


def _monitoring(result: Any) -> dict[str, Any]:
    rows = [
        {**dict(zip(("bias", "low", "high"), one.bias, strict=True)), "power": power}
        for one, power in zip(result.windows, result.powers, strict=True)
    ]
    return {
        "columns": number_columns(rows, ("bias", "low", "high", "power")),
        "evidence": list(result.present().tables[0].columns["e"]),
    }


MOST_COLORS = 8  # classes that have a colour of their own


def _class_counts(result: Any) -> dict[str, Any]:
    """Return the classes to stack, with the weight of each in every group and its share there."""
    few = result.of_largest(MOST_COLORS)
    stacks = [
        {"name": name, "rows": weight, "share": share}
        for name, weight, share in zip(few.classes, few.weight.T, few.share.T, strict=True)
    ]
    return {"stacks": stacks, "weighted": bool((few.weight != few.count).any())}


DRAWN: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "CalibrationTest": _test,
    "ClassCounts": _class_counts,
    "Diagnosis": _diagnosis,
    "BinSensitivity": _sensitivity,
    "GroupCalibration": _bias_columns,
    "Monitoring": _monitoring,
    "Plan": _plan,
}
