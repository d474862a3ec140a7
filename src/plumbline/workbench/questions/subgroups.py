"""The question `subgroups`: the same curve for every group of an attribute, on common axes."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shown
from plumbline.binning import Grouping, grouping
from plumbline.binning.groups import MISSING
from plumbline.curves import Curve, CurveSettings, Line
from plumbline.curves.area import named_area
from plumbline.curves.curve import draw_curve
from plumbline.curves.lines import line_name
from plumbline.curves.target_rows import MICROSECONDS_A_DAY, Attributes
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.formatting import counted
from plumbline.predictions import Predictions, count_examples
from plumbline.progress import Progress, share_of
from plumbline.workbench.questions.curve import curve_of
from plumbline.workbench.questions.decimation import kept_places
from plumbline.workbench.questions.inquiry import Inquiry

Floats = NDArray[np.float64]
WIDTH = 300


@dataclass(frozen=True, slots=True)
class Subgroup:
    """A group of rows: its name, the formula that keeps its rows, and how many examples it has."""

    name: str
    where: str
    n: int


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Draw the curve for every group of an attribute."""
    width = inquiry.params.whole("width", WIDTH, least=50, most=4000)
    drawn, left = curves_by(inquiry)
    entries = [_entry(group, curve, width) for group, curve in drawn.items()]
    lines = [line for group in entries for line in group["lines"]]
    whole = curve_of(inquiry)
    return {
        "by": inquiry.params.needed_text("by"),
        "unit": count_examples(inquiry.filtered()).unit,
        "x_title": whole.x_title,
        "y_title": whole.y_title,
        "x_names": list(whole.x_names),
        "area_name": named_area(whole),
        "x_domain": _domain([line["x"] for line in lines]),
        "y_domain": _domain([line["y"] for line in lines]),
        "groups": entries,
        "notes": left,
    }


def curves_by(inquiry: Inquiry) -> tuple[dict[Subgroup, Curve | str], list[str]]:
    """Return the curve of every group, or why there is none, and notes on rows left out."""
    by = inquiry.params.needed_text("by")
    most = inquiry.params.whole("most", 6, least=1, most=24)
    settings = settings_in_groups(inquiry)
    groups, left = groups_of(inquiry.filtered(), by, most=most)
    step = 1 / max(len(groups), 1)

    def make() -> dict[Subgroup, Curve | str]:
        return {
            group: _curve_in(
                inquiry.chosen(),
                settings,
                group,
                share_of(inquiry.progress, place * step, (place + 1) * step),
            )
            for place, group in enumerate(groups)
        }

    key = ("subgroups", inquiry.selection, repr(settings), by, most)
    return inquiry.memory.once(key, make), left


def settings_in_groups(inquiry: Inquiry) -> CurveSettings:
    """Return how the curve of every group is drawn: as that of all, but without resampling."""
    settings = curve_of(inquiry).settings
    return dataclasses.replace(
        settings, band="none" if settings.band == "bootstrap" else settings.band
    )


def _curve_in(
    data: Predictions, settings: CurveSettings, group: Subgroup, progress: Progress | None
) -> Curve | str:
    """Return the curve of one group, or why there is none."""
    own = dataclasses.replace(settings, where=where_in(settings, group))
    try:
        return draw_curve(data, own, settings.seed or 0, progress)
    except (InputError, FormulaError, ParameterError) as error:
        return str(error)


def where_in(settings: CurveSettings, group: Subgroup) -> str:
    """Return the formula that keeps the rows of a group among those of a curve."""
    return group.where if settings.where is None else f"({settings.where}) and ({group.where})"


def _entry(group: Subgroup, curve: Curve | str, width: int) -> dict[str, Any]:
    entry = {"name": group.name, "where": group.where, "n": group.n}
    if isinstance(curve, str):
        return {**entry, "lines": [], "reason": curve}
    lines = [
        _line(curve, line, area, width) for line, area in zip(curve.lines, curve.areas, strict=True)
    ]
    reasons = dict.fromkeys(line.reason for line in curve.lines if line.reason)
    empty = all(len(line) == 0 for line in curve.lines)
    return {**entry, "lines": lines, "reason": "; ".join(reasons) if empty else None}


def _line(curve: Curve, line: Line, area: float | None, width: int) -> dict[str, Any]:
    kept = kept_places(line.x, line.y, width=width)
    return {
        "name": line_name(curve, line),
        "model": line.model,
        "fold": line.fold,
        "target": line.target,
        "n": line.n,
        "positives": line.positives,
        "area": area,
        "dropped": dict(line.dropped),
        "threshold": line.threshold[kept],
        "x": line.x[kept],
        "y": line.y[kept],
        "reason": line.reason,
    }


def _domain(arrays: Sequence[Floats]) -> list[float] | None:
    """Return the lowest and the highest finite value of some arrays, None where there is none."""
    every = np.concatenate([np.empty(0), *arrays])
    finite = every[np.isfinite(every)]
    return [float(finite.min()), float(finite.max())] if finite.size else None


# ------------------------------------------------------------------ groups of an attribute


def groups_of(data: Predictions, by: str, *, most: int) -> tuple[list[Subgroup], list[str]]:
    """Return the groups of an attribute, those of `group_rows`, and notes on those left out.

    Of a category only the `most` frequent values are kept.
    """
    if by not in data.attributes:
        have = shown(list(data.attributes)) if data.attributes else "none"
        raise ParameterError(
            f"`by` must be an attribute, got {by!r}{near_names(by, data.attributes)}; this table "
            f"has {have}"
        )
    parts, fit = grouping(data, by), Attributes(data.attributes)
    slim = dataclasses.replace(
        data, prob=None, log_prob=None, label=None, score=None, attributes={}
    )
    rows = np.bincount(parts.code[parts.code >= 0], minlength=len(parts.names))
    order = np.argsort(-rows, kind="stable").tolist()
    kept = order if parts.number else sorted(order[:most])
    named = parts.number or fit.values(by).dtype == bool  # "35" alone would not say of what
    groups = [
        Subgroup(
            name=parts.label(place) if named else parts.names[place],
            where=condition(parts, place, fit),
            n=count_examples(slim.select(where=parts.code == place)).n,
        )
        for place in sorted(kept)
    ]
    rest = order[len(kept) :]
    if not rest:
        return groups, []
    left = count_examples(slim.select(where=np.isin(parts.code, rest)))
    return groups, [f"{counted(len(rest), 'rarer value')} left out, {counted(left.n, left.unit)}"]


def condition(parts: Grouping, place: int, fit: Attributes) -> str:
    """Return the formula that keeps the rows of one group of an attribute."""
    by, name = parts.attribute, parts.names[place]
    ticked = "`" + by.replace("`", "``") + "`"
    if place < len(parts.bounds):
        low, high = (None if end is None else _written(end) for end in parts.bounds[place])
        if low == high:
            return f"{ticked} == {ticked if low is None else low}"
        above = [] if low is None else [f"{ticked} > {low}"]
        return " and ".join([*above, *([] if high is None else [f"{ticked} <= {high}"])])
    if fit.values(by).dtype == bool:
        return ticked if name == "True" else f"not {ticked}"
    named = f"{ticked} == {quoted(' '.join(name.split()))}"
    if name != MISSING:
        return named
    return f"isnan({ticked}) or {named}" if MISSING in fit.names(by) else f"isnan({ticked})"


def _written(end: Any) -> str:
    """Return an end of a group as a formula writes it: a number, or a date.

    A quoted date is the whole day, so of values with a time of day the end is their number of days.
    """
    if not isinstance(end, np.datetime64):
        return repr(float(end))
    if np.datetime_data(end.dtype)[0] == "D":
        return quoted(str(end))
    return repr(float(end.astype("datetime64[us]").astype(np.float64) / MICROSECONDS_A_DAY))


def quoted(name: str) -> str:
    r"""Return a text as a formula writes it.

    >>> print(quoted("it's"))
    'it\'s'
    """
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
