"""What the questions about calibration share: their settings, their models, curves and nulls."""

from typing import Any

from plumbline._checks import one_of
from plumbline.calibration_errors import (
    CalibrationError,
    CalibrationTest,
    ReliabilityCurve,
    null_histogram,
)
from plumbline.errors import InputError
from plumbline.formatting import counted
from plumbline.predictions import Predictions, examples_in
from plumbline.requests import fields_of
from plumbline.requests.kinds import text
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wire import number_columns

CURVE_COLUMNS = (
    "lo",
    "hi",
    "count",
    "weight",
    "mean_probability",
    "outcome_share",
    "band_low",
    "band_high",
    "lowest",
    "highest",
)
AXES = ("probability", "log-odds")
ONE_DRAW = (
    "rows are treated as independent, so p-values are too small and ranges too "
    "narrow. Choose the rows of one repeat."
)


def model_param(inquiry: Inquiry) -> tuple[str | None, Predictions]:
    """Return the model that a question is about, the first where none is named, and its rows."""
    parts = some_rows(inquiry).by_model()
    wanted = inquiry.model
    if wanted is None:
        return next(iter(parts.items()))
    name = one_of("model", wanted, [name for name in parts if name is not None])
    return name, parts[name]


def some_rows(inquiry: Inquiry) -> Predictions:
    """Return the rows of the question, or say that there are none."""
    data = inquiry.filtered()
    if not data.stored:
        raise InputError(
            "the filter leaves no row", code="no-rows-left", argument="where", remedy="widen it"
        )
    return data


def notes_on(data: Predictions, meaning: str = ONE_DRAW) -> list[str]:
    """Return what the reader should know about the rows before believing a number of them.

    `meaning` says what it means for the question that examples come again.
    """
    examples = examples_in(data)
    if examples == data.n or data.groups is not None:
        return []
    return [f"{counted(data.n, 'row')} are of {counted(examples, 'example')}: {meaning}"]


def curve_columns(curve: ReliabilityCurve) -> dict[str, Any]:
    """Return a reliability diagram as columns, with what both kinds of axes show of it."""
    return {
        "axes": {axis: _axes(curve, axis) for axis in AXES},
        "view": curve.view,
        "scheme": curve.scheme,
        "x_title": curve.x_label,
        "y_title": curve.y_label,
        "level": curve.level,
        "value": curve.value,
        "n": curve.n,
        **number_columns(curve.bins, CURVE_COLUMNS),
    }


def _axes(curve: ReliabilityCurve, axis: str) -> dict[str, Any]:
    from plumbline.plots import diagram_axes

    axes = diagram_axes([curve], axis=axis)
    return {
        side: {"domain": list(getattr(axes, side)), "ends": list(ends)}
        for side, ends in zip("xy", axes.ends, strict=True)
    }


def axis_param(inquiry: Inquiry) -> str:
    """Return what the axes of a diagram are of; it is how an answer is drawn, not what it is."""
    return one_of("axis", fields_of(inquiry.fields, {"axis": text}).get("axis", AXES[0]), AXES)


def null_bars(result: CalibrationError | CalibrationTest) -> dict[str, Any] | None:
    """Return the draws under the null as bars, with their range and the observed value beside."""
    bars = null_histogram(result)
    if bars is None:
        return None
    return {
        "scale": "powers of ten" if bars.powers else "linear",
        "counts": bars.counts,
        "edges": bars.edges,
        "value": bars.value,
        "low": bars.low,
        "high": bars.high,
        "texts": [*bars.present().legend, *bars.present().notes],
    }
