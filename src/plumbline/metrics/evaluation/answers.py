"""What `measure` answers with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline._checks import near_names, shown
from plumbline.errors import ParameterError
from plumbline.results import Result, html_table, text_table
from plumbline.results.formatting import number

LEFT = ("model", "group", "metric", "view")
LEFT_OUT = ("interval_low", "interval_high", "interval_range", "resamples")


@dataclass(frozen=True, repr=False, eq=False)
class Measure(Result):
    """One metric of one model, on all rows or on a group of them.

    Attributes
    ----------
    model, group : whose rows; None where the table was not split
    metric, view, scheme : what was measured, in which bins; None where there are none
    n, effective_n : rows, and (sum w)^2 / sum w^2
    value : the metric
    null_mean, null_range : its mean and central 95 % range if the probabilities are true
    excess : value - null_mean
    p_value : two-sided: at most 0.05 exactly where the value is outside the 95 % range
    interval_range : where the true value lies, None unless it was asked for
    interval_method : how that was found
    resamples : number of draws of the labels
    reason : why a number is missing or not finite, and which classes an average leaves out
    """

    model: str | None
    group: str | None
    metric: str
    view: str
    scheme: str | None
    n: int
    effective_n: float
    value: float
    null_mean: float
    null_range: tuple[float, float]
    excess: float
    p_value: float
    interval_range: tuple[float, float] | None
    resamples: int
    reason: str | None = None
    interval_method: str | None = None

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, repr=False, eq=False)
class Measures(Result):
    """Metrics of models and groups, one row each.

    Attributes
    ----------
    by : the attribute whose values are the groups, or None
    level : of the intervals
    measures : the rows
    """

    by: str | None
    level: float
    measures: Sequence[Measure]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a model, group and metric; a range is two columns, `low` and `high`."""
        rows = []
        for one in self.measures:
            (row,) = one.rows()
            flat = {"low": row.get("interval_low"), "high": row.get("interval_high")}
            reason = row.get("reason")
            kept = {k: v for k, v in row.items() if k not in (*LEFT_OUT, "reason")}
            rows.append({**kept, **flat, "reason": reason})
        return rows

    def __getitem__(self, metric: str) -> Measure:
        """Return the row of a metric, where one model and no groups were measured."""
        found = [one for one in self.measures if one.metric == metric]
        if len(found) == 1:
            return found[0]
        if not found:
            known = tuple(dict.fromkeys(one.metric for one in self.measures))
            raise ParameterError(
                f"{metric!r} was not measured, only {shown(known)}{near_names(metric, known)}"
            )
        raise ParameterError(
            f"{metric!r} was measured {len(found)} times, of several models or groups; take the "
            "rows from .measures or .to_frame()"
        )

    def columns(self) -> dict[str, list[str]]:
        """Return what a table for people shows, as text."""
        rows = self.measures
        columns: dict[str, list[str]] = {}
        if any(one.model is not None for one in rows):
            columns["model"] = [str(one.model) for one in rows]
        if self.by is not None:
            columns["group"] = [str(one.group) for one in rows]
        columns["metric"] = [one.metric for one in rows]
        columns["view"] = [one.view for one in rows]
        columns["rows"] = [f"{one.n:,}" for one in rows]
        columns["value"] = [number(one.value) for one in rows]
        if any(one.resamples for one in rows):
            columns["if true"] = [number(one.null_mean) for one in rows]
            columns["95 % range"] = [_span(one.null_range) for one in rows]
            columns["excess"] = [number(one.excess) for one in rows]
            columns["p"] = [number(one.p_value) for one in rows]
        if any(one.interval_range is not None for one in rows):
            title = f"{100 * self.level:g} % interval"
            columns[title] = [_span(one.interval_range) for one in rows]
        return columns

    def __repr__(self) -> str:
        return "\n\n".join([text_table(self.columns(), left=LEFT), *self.notes()])

    def _repr_html_(self) -> str:
        return html_table(self.columns(), left=LEFT, caption="Measures")

    def notes(self) -> list[str]:
        """Return what to know about missing numbers, a sentence for all that have one reason."""
        whose: dict[tuple[str, str], dict[str, None]] = {}
        for one in self.measures:
            if one.reason:
                who = ", ".join(name for name in (one.model, one.group) if name is not None)
                whose.setdefault((who, one.reason), {})[one.metric] = None
        return [
            f"{who}{': ' if who else ''}{', '.join(metrics)}: {reason}."
            for (who, reason), metrics in whose.items()
        ]


def _span(ends: tuple[float, float] | None) -> str:
    if ends is None or ends[0] != ends[0]:  # NaN
        return "-"
    return f"{number(ends[0])} to {number(ends[1])}"
