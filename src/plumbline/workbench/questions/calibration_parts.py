"""What the questions about calibration share: their settings, their models, curves and nulls."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from plumbline._checks import one_of
from plumbline.binning import binning_of
from plumbline.calibration_tests import (
    CalibrationError,
    CalibrationTest,
    ReliabilityCurve,
    null_histogram,
)
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted
from plumbline.predictions import Predictions, examples_in
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import MOST_RESAMPLES, Params
from plumbline.workbench.wire import number_columns

LEAST_DRAWS, USUAL_DRAWS = 39, 999
MOST_BINS = 1000
CURVE_COLUMNS = (
    "lo",
    "hi",
    "count",
    "weight",
    "mean_probability",
    "outcome_share",
    "band_low",
    "band_high",
)
ONE_DRAW = (
    "every row is one draw here, so p-values come out too small and ranges too narrow. Choose the "
    "rows of one repeat."
)
ResultT = TypeVar("ResultT")


def draws_param(params: Params, usual: int = USUAL_DRAWS) -> int:
    """Return how many sets of labels are to be drawn."""
    return params.whole("resamples", usual, least=LEAST_DRAWS, most=MOST_RESAMPLES)


def bins_param(params: Params) -> str | None:
    """Return the bins by name, so few that a request cannot fill the memory."""
    text = params.text("bins")
    if text is None:
        return None
    scheme = binning_of(text)
    if getattr(getattr(scheme, "scheme", scheme), "bins", 0) > MOST_BINS:
        raise ParameterError(
            argument="bins", rule=f"at most {MOST_BINS:,} here", arrived=repr(text)
        )
    return text


def model_param(inquiry: Inquiry) -> tuple[str | None, Predictions]:
    """Return the model that a question is about, the first where none is named, and its rows."""
    parts = some_rows(inquiry).by_model()
    wanted = inquiry.params.text("model")
    if wanted is None:
        return next(iter(parts.items()))
    name = one_of("model", wanted, [name for name in parts if name is not None])
    return name, parts[name]


def of_one_model(
    inquiry: Inquiry, ask: Callable[..., ResultT], question: Mapping[str, Any], *first: str
) -> ResultT:
    """Ask something of the rows of one model, remembered: the room and a file show the same.

    `ask` is called as ask(rows, *first, progress=..., **question).
    """
    model, data = model_param(inquiry)
    key = (ask.__name__, inquiry.selection, model, first, repr(sorted(question.items())))
    return inquiry.memory.once(
        key, lambda: ask(data, *first, progress=inquiry.progress, **question)
    )


def some_rows(inquiry: Inquiry) -> Predictions:
    """Return the rows of the question, or say that there are none."""
    data = inquiry.filtered()
    if not data.n:
        raise InputError(
            "the filter leaves no row", code="no-rows-left", argument="where", remedy="widen it"
        )
    return data


def notes_on(data: Predictions, meaning: str = ONE_DRAW) -> list[str]:
    """Return what the reader should know about the rows before believing a number of them.

    `meaning` says what it means for the question that examples come again.
    """
    examples = examples_in(data)
    if examples == data.n:
        return []
    return [f"{counted(data.n, 'row')} are of {counted(examples, 'example')}: {meaning}"]


def curve_columns(curve: ReliabilityCurve) -> dict[str, Any]:
    """Return a reliability diagram as columns."""
    return {
        "view": curve.view,
        "scheme": curve.scheme,
        "x_title": curve.x_label,
        "y_title": curve.y_label,
        "level": curve.level,
        "value": curve.value,
        "n": curve.n,
        **number_columns(curve.bins, CURVE_COLUMNS),
    }


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
        "infinite": bars.infinite,
    }
