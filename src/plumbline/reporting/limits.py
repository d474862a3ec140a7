"""What the rows of a report cannot tell, and how many p-values it looks at."""

from collections.abc import Iterator, Sequence
from typing import Any

from plumbline.reporting.model_details import ModelDetails
from plumbline.reporting.page_formats import listed


def limits(
    n: Sequence[int],
    details: Sequence[ModelDetails],
    *,
    p_values: int,
    attributes: Sequence[str],
    dishonest: Sequence[str],
) -> tuple[str, ...]:
    """Return what these rows cannot tell; `n` are the rows of every model.

    `dishonest` are the names of the models that were measured on the rows they were fitted on.
    """
    texts = _limits(n, details, p_values, attributes)
    return (*texts, _which_rows(dishonest))


def _which_rows(dishonest: Sequence[str]) -> str:
    if dishonest:
        return (
            f"Which rows: {listed(dishonest)}, that is on rows it was fitted on, which flatter it: "
            "nothing here says how it does on others."
        )
    return (
        "Which rows: all of it is about rows the classifier is taken not to have seen; on those "
        "it was fitted on, probabilities look truer than they are."
    )


def _limits(
    n: Sequence[int], details: Sequence[ModelDetails], p_values: int, attributes: Sequence[str]
) -> Iterator[str]:
    sizes = sorted(set(n))
    rows = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    yield (
        f"Number of rows: a fault that moves these numbers less than chance does on {rows} rows "
        "would not show. Rows count as independent; copies and several rows of one person promise "
        "more than there is."
    )
    yield (
        "Ranges and intervals: a 95 % range or band is where one number falls if the probabilities "
        "are true, an interval of a bias or of a shape is about what endless labels of these rows "
        "would give. Neither says what another sample or a newly fitted model would give."
    )
    yield (
        f"Multiplicity: this page looks at about {p_values:,} p-values. Those called adjusted or "
        "corrected know of their own table alone, the others of nothing but themselves: of twenty "
        "on true probabilities, expect one below 0.05."
    )
    groups = [part.groups for part in details if part.groups is not None]
    if not attributes:
        yield (
            "Groups: none were looked at, for the table holds no attributes. Probabilities that "
            "are true on the whole can be wrong for every group."
        )
    else:
        searched = dict.fromkeys(a for g in groups if g.slices is not None for a in g.slices.by)
        known = {a for g in groups for a in g.attributes} | set(searched)
        never = [name for name in attributes if name not in known]
        looked = [name for name in attributes if name in known]
        text = f"Groups: looked at by {listed(looked, 8)}" if looked else "Groups: none looked at"
        text += f"; not by {listed(never, 8)}" if never else ""
        yield f"{text}. What is no column of the table was not looked at."


def counted_p_values(value: Any) -> int:
    """Return how many p-values a result holds, as plain Python.

    >>> counted_p_values({"p_value": 0.1, "parts": [{"p_value": 0.2}, {"p_value": None}]})
    2
    """
    if isinstance(value, dict):
        own = int(value.get("p_value") is not None or value.get("adjusted_p_value") is not None)
        return own + sum(map(counted_p_values, value.values()))
    return sum(map(counted_p_values, value)) if isinstance(value, list) else 0
