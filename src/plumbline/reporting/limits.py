"""What the rows of a report cannot tell, and how many p-values it looks at."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from plumbline.errors import PlumblineError
from plumbline.predictions import Predictions
from plumbline.reporting.page_formats import listed

if TYPE_CHECKING:
    from plumbline.reporting.model_details import ModelDetails


COUNTED_ROWS = (
    "Rows were counted at levels of the probability: numbers are exact, or off by at most the ± "
    "beside them."
)


INDEPENDENT = "Rows count as independent; duplicates and several rows of one person hold less."
IN_GROUPS = (
    "Rows of a group depend on each other as much as their residuals show; groups count as "
    "independent."
)
NOT_GROUPED = (
    "Groups: none, since no attributes were counted. Keep some with --attributes, or read all with "
    "--engine memory. A model can be calibrated overall and miscalibrated for every group."
)


def why_left_out(error: PlumblineError, data: Predictions) -> str:
    """Return why a section is left out; of a table that was counted, what brings it back."""
    if error.code != "counted-rows" or data.levels is None:
        return str(error)
    return "this needs single rows, and these were counted; --engine memory reads them"


def limits(
    n: Sequence[int],
    details: "Sequence[ModelDetails]",
    *,
    p_values: int,
    attributes: Sequence[str],
    dishonest: Sequence[str],
    counting: str = "",
    grouped: bool = False,
) -> tuple[str, ...]:
    """Return what these rows cannot tell; `n` are the rows of every model.

    `dishonest` are the names of the models that were measured on the rows they were fitted on;
    `counting` says how far numbers lie off because rows were counted; `grouped` tells whether rows
    are in groups.
    """
    texts = _limits(n, details, p_values, attributes, counted=bool(counting), grouped=grouped)
    return (*texts, _which_rows(dishonest), *filter(None, [counting]))


def _which_rows(dishonest: Sequence[str]) -> str:
    if dishonest:
        return (
            f"Which rows: {listed(dishonest)}, measured on the rows it was fitted on, which is "
            "optimistic: nothing here holds for new rows."
        )
    return (
        "Which rows: the rows are taken to be new to the model; on rows it was fitted on, it looks "
        "better calibrated than it is."
    )


def _limits(
    n: Sequence[int],
    details: "Sequence[ModelDetails]",
    p_values: int,
    attributes: Sequence[str],
    *,
    counted: bool,
    grouped: bool,
) -> Iterator[str]:
    sizes = sorted(set(n))
    rows = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    yield (
        f"Number of rows: a miscalibration smaller than the sampling noise of {rows} rows does not "
        f"show. {IN_GROUPS if grouped else INDEPENDENT}"
    )
    yield (
        "Ranges and intervals: a 95 % range or band is where a number lies if the model is "
        "calibrated. Intervals of a bias or a shape are for the population value given these "
        "predictions, not for another sample of rows or a refitted model."
    )
    yield (
        f"Multiplicity: this page holds about {p_values:,} p-values. They are adjusted within one "
        "table at most; expect one in twenty below 0.05 if everything is calibrated."
    )
    groups = [part.groups for part in details if part.groups is not None]
    if not attributes and counted:
        yield NOT_GROUPED
    elif not attributes:
        yield (
            "Groups: none, since the table holds no attributes. A model can be calibrated overall "
            "and miscalibrated for every group."
        )
    else:
        searched = dict.fromkeys(a for g in groups if g.slices is not None for a in g.slices.by)
        known = {a for g in groups for a in g.attributes} | set(searched)
        never = [name for name in attributes if name not in known]
        looked = [name for name in attributes if name in known]
        text = f"Groups: tested by {listed(looked, 8)}" if looked else "Groups: none tested"
        text += f"; not by {listed(never, 8)}" if never else ""
        yield f"{text}."


def counted_p_values(value: Any) -> int:
    """Return how many p-values a result holds, as plain Python.

    >>> counted_p_values({"p_value": 0.1, "parts": [{"p_value": 0.2}, {"p_value": None}]})
    2
    """
    if isinstance(value, dict):
        own = int(value.get("p_value") is not None or value.get("adjusted_p_value") is not None)
        return own + sum(map(counted_p_values, value.values()))
    return sum(map(counted_p_values, value)) if isinstance(value, list) else 0
