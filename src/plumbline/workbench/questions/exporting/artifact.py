"""What a question makes, in the form that every file is written from."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plumbline
from plumbline._result import Result
from plumbline.predictions import Predictions
from plumbline.python_calls import call, literal
from plumbline.requests import REQUESTS
from plumbline.workbench.questions.calibration_parts import model_param
from plumbline.workbench.questions.exporting.script import Code
from plumbline.workbench.questions.inquiry import Inquiry

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False)
class Artifact:
    """What a question makes.

    Attributes
    ----------
    json : what the JSON file holds
    rows : what the CSV file holds: a row a line
    sentences : what is to be said of it, in sentences
    code : how the library makes it, None where it takes more than a few calls
    figure : how it is drawn
    filtered : whether the filter is applied before the code, and not by it
    page : the page, where the kind has one of its own
    """

    json: Callable[[], Mapping[str, Any]]
    rows: Callable[[], Any]
    sentences: Sequence[str] = ()
    code: Code | None = None
    figure: "Callable[[], Figure] | None" = None
    filtered: bool = True
    page: Callable[[str], str] | None = None


def line(
    of: str, values: Mapping[str, Any], *, name: str = "result", first: tuple[Any, ...] = ()
) -> str:
    """Return the call that answers a request, or of another public function, as a line of Python.

    What is usual is left out; `first` are the arguments by place after the table.

    >>> line("calibration", {"bins": "equal-size:10", "distance": "absolute"}, name="error")
    "error = pb.calibration_error(data, bins='equal-size:10')"
    """
    function = REQUESTS[of].function.partition(":")[2] if of in REQUESTS else of
    usual = inspect.signature(getattr(plumbline, function)).parameters
    given = [
        f"{argument}={literal(value)}"
        for argument, value in values.items()
        if argument not in usual or value != usual[argument].default
    ]
    return f"{name} = {call(f'pb.{function}', 'data', *map(literal, first), *given)}"


def one_model(inquiry: Inquiry) -> tuple[str | None, Predictions, list[str]]:
    """Return the model of a question, its rows, and the lines that keep them."""
    model, data = model_param(inquiry)
    return model, data, choosing(model)


def choosing(model: str | None) -> list[str]:
    """Return the line that keeps the rows of one model."""
    return [] if model is None else [f"data = data.select(model={literal(model)})"]


def sentences(*texts: str | None) -> list[str]:
    """Return the texts that say something."""
    return [text for text in texts if text]


def sentences_of(result: Result) -> list[str]:
    """Return what a result says: its summary and its notes."""
    shown = result.present()
    return sentences(shown.summary, *shown.notes)
