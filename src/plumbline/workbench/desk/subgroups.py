"""The question `subgroups`: the same curve for every group of an attribute, on common axes."""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shown
from plumbline.curves import Curve, CurveSettings, Line
from plumbline.curves.areas.of_lines import area_name
from plumbline.curves.cases.class_counting import day_name
from plumbline.curves.drawing import drawn
from plumbline.curves.rows import Attributes
from plumbline.curves.tables import line_name
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of
from plumbline.words import counted, number
from plumbline.workbench.desk.curve import curve_of
from plumbline.workbench.desk.decimation import kept_places
from plumbline.workbench.desk.inquiry import Inquiry

Floats = NDArray[np.float64]
WIDTH = 300
FEW_VALUES = 6  # numbers of no more distinct values make a group a value
QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class Group:
    """A group of rows: what it is called, the formula that keeps its rows, and how many it has."""

    name: str
    where: str
    n: int


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Draw the curve for every group of an attribute."""
    width = inquiry.asked.whole("width", WIDTH, least=50, most=4000)
    drawn, left = curves_by(inquiry)
    found = [_entry(group, curve, width) for group, curve in drawn.items()]
    lines = [line for group in found for line in group["lines"]]
    whole = curve_of(inquiry)
    return {
        "by": inquiry.asked.needed_text("by"),
        "x_title": whole.x_title,
        "y_title": whole.y_title,
        "x_names": list(whole.x_names),
        "area_name": area_name(whole),
        "x_domain": _domain([line["x"] for line in lines]),
        "y_domain": _domain([line["y"] for line in lines]),
        "groups": found,
        "notes": left,
    }


def curves_by(inquiry: Inquiry) -> tuple[dict[Group, Curve | str], list[str]]:
    """Return the curve of every group, or why there is none, and notes on rows left out."""
    by = inquiry.asked.needed_text("by")
    most = inquiry.asked.whole("most", 6, least=1, most=24)
    settings = settings_in_groups(inquiry)
    groups, left = groups_of(inquiry.filtered(), by, most=most)
    step = 1 / max(len(groups), 1)

    def make() -> dict[Group, Curve | str]:
        return {
            group: _curve_in(inquiry.chosen(), settings, group,
                             share_of(inquiry.progress, place * step, (place + 1) * step))
            for place, group in enumerate(groups)
        }  # fmt: skip

    key = ("subgroups", inquiry.selection, repr(settings), by, most)
    return inquiry.memory.once(key, make), left


def settings_in_groups(inquiry: Inquiry) -> CurveSettings:
    """Return how the curve of every group is drawn: as that of all, but without resampling."""
    settings = curve_of(inquiry).settings
    return dataclasses.replace(
        settings, band="none" if settings.band == "bootstrap" else settings.band
    )


def _curve_in(
    data: Predictions, settings: CurveSettings, group: Group, progress: Progress | None
) -> Curve | str:
    """Return the curve of one group, or why there is none."""
    own = dataclasses.replace(settings, where=where_in(settings, group))
    try:
        return drawn(data, own, settings.seed or 0, progress)
    except (InputError, FormulaError, ParameterError) as error:
        return str(error)


def where_in(settings: CurveSettings, group: Group) -> str:
    """Return the formula that keeps the rows of a group among those of a curve."""
    return group.where if settings.where is None else f"({settings.where}) and ({group.where})"


def _entry(group: Group, curve: Curve | str, width: int) -> dict[str, Any]:
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
        "name": line_name(curve, line), "model": line.model, "fold": line.fold,
        "target": line.target, "n": line.n, "positives": line.positives, "area": area,
        "dropped": dict(line.dropped),
        "threshold": line.threshold[kept], "x": line.x[kept], "y": line.y[kept],
        "reason": line.reason,
    }  # fmt: skip


def _domain(arrays: Sequence[Floats]) -> list[float] | None:
    """Return the lowest and the highest finite value of some arrays, None where there is none."""
    every = np.concatenate([np.empty(0), *arrays])
    finite = every[np.isfinite(every)]
    return [float(finite.min()), float(finite.max())] if finite.size else None


# ------------------------------------------------------------------ groups of an attribute


def groups_of(data: Predictions, by: str, *, most: int) -> tuple[list[Group], list[str]]:
    """Return the groups of an attribute, and notes on the rows that are in none of them.

    Names: the most frequent ones. Numbers: a group a value where there are few, else quarters
    between round ends.
    """
    if by not in data.attributes:
        have = shown(list(data.attributes)) if data.attributes else "none"
        raise ParameterError(
            f"`by` must be an attribute, got {by!r}{near_names(by, data.attributes)}; this table "
            f"has {have}"
        )
    fit, ticked = Attributes(data.attributes), "`" + by.replace("`", "``") + "`"
    values, names = fit.values(by), fit.names(by)
    if names:
        return _of_names(values, names, ticked, most)
    if values.dtype == bool:
        yes = int(values.sum())
        pairs = (("True", ticked, yes), ("False", f"not {ticked}", len(values) - yes))
        return [Group(f"{by} is {name}", where, n) for name, where, n in pairs], []
    days = fit.is_date(by)
    known = values[np.isfinite(values)]
    missing = len(values) - len(known)
    notes = [f"{counted(missing, 'row')} without {by} left out"] if missing else []
    return list(_of_numbers(known, by, ticked, days)), notes


def _of_names(
    codes: NDArray[Any], names: Sequence[str], ticked: str, most: int
) -> tuple[list[Group], list[str]]:
    count = np.bincount(codes[codes >= 0].astype(np.int64), minlength=len(names))
    order = [int(code) for code in np.argsort(-count, kind="stable") if count[code]]
    kept = sorted(order[:most])
    groups = [Group(names[code], f"{ticked} == {quoted(names[code])}", int(count[code]))
              for code in kept]  # fmt: skip
    rest, missing = order[most:], int((codes < 0).sum())
    notes = []
    if rest:
        notes.append(f"{counted(len(rest), 'rarer value')} left out, "
                     f"{counted(int(count[rest].sum()), 'row')}")  # fmt: skip
    if missing:
        notes.append(f"{counted(missing, 'row')} without a value left out")
    return groups, notes


def quoted(name: str) -> str:
    r"""Return a text as a formula writes it.

    >>> print(quoted("it's"))
    'it\'s'
    """
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _of_numbers(known: Floats, by: str, ticked: str, days: bool) -> Iterator[Group]:
    distinct, count = np.unique(known, return_counts=True)
    if len(distinct) <= FEW_VALUES:
        for value, n in zip(distinct.tolist(), count.tolist(), strict=True):
            yield Group(f"{by} {_told(value, days)}", f"{ticked} == {value!r}", n)
        return
    ends = [-math.inf, *round_quartiles(known), math.inf]
    for low, high in pairwise(ends):
        n = int(((known >= low) & (known < high)).sum())
        yield Group(_called(by, low, high, days), _between(ticked, low, high), n)


def round_quartiles(values: Floats) -> list[float]:
    """Return the quartiles, rounded to a step of 1, 2 or 5 times a power of 10.

    The step is the largest that is no more than a tenth of the way from the first quartile to the
    third; equal ones stand once, and none lies at or below the least value.

    >>> round_quartiles(np.arange(0.0, 81.3))
    [20.0, 40.0, 60.0]
    """
    quartiles = np.quantile(values, QUARTERS)
    room = (quartiles[2] - quartiles[0]) / 10
    if not room > 0:
        return [float(q) for q in np.unique(quartiles) if q > values.min()]
    power = 10.0 ** math.floor(math.log10(room))
    step = max(m for m in (1, 2, 5) if m * power <= room * (1 + 1e-9)) * power
    found = np.unique([float(f"{round(q / step) * step:.12g}") for q in quartiles])
    return [float(end) for end in found if values.min() < end <= values.max()]


def _between(ticked: str, low: float, high: float) -> str:
    parts = [f"{ticked} >= {low!r}"] if math.isfinite(low) else []
    parts += [f"{ticked} < {high!r}"] if math.isfinite(high) else []
    return " and ".join(parts) or f"{ticked} == {ticked}"


def _called(by: str, low: float, high: float, days: bool) -> str:
    if math.isinf(low):
        return f"{by} below {_told(high, days)}" if math.isfinite(high) else f"any {by}"
    if math.isinf(high):
        return f"{by} from {_told(low, days)} up"
    return f"{by} {_told(low, days)} to below {_told(high, days)}"


def _told(value: float, days: bool) -> str:
    if days:
        return day_name(value)
    return f"{value:,.12g}" if abs(value) < 1e12 else number(value)
