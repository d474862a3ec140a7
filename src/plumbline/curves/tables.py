"""The points of a curve as columns and as plain Python."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.results import jsonable
from plumbline.results.formatting import counted

if TYPE_CHECKING:
    from plumbline.curves.lines import Curve, Line

MORE = ("x_sd", "y_sd", "y_low", "y_high", "count")


def point_columns(curve: "Curve") -> dict[str, Any]:
    """Return the points of all lines as columns: model, fold, threshold, x, y and the rest.

    `target` is a column where the lines differ in it. A threshold is infinite where nothing is
    accepted yet; a category stands as its name.
    """
    lines = curve.lines
    found: dict[str, Any] = {
        name: [getattr(line, name) for line in lines for _ in range(len(line))]
        for name in ("model", "fold", *(["target"] if several_targets(lines) else []))
    }
    found["threshold"] = named(_joined([line.threshold for line in lines]), curve.threshold_names)
    found["x"] = named(_joined([line.x for line in lines]), curve.x_names)
    found["y"] = _joined([line.y for line in lines])
    for name in MORE:
        if any(name in line.more for line in lines):
            parts = [line.more.get(name, np.full(len(line), np.nan)) for line in lines]
            found[name] = _joined(parts)
    return found


def several_targets(lines: "Sequence[Line]") -> bool:
    """Tell whether the lines are not all of the same class."""
    return len({line.target for line in lines}) > 1


def line_name(curve: "Curve", line: "Line", *, fold: bool = True) -> str:
    """Return whose a line is: its model, fold and class, where there are such; "" of one alone.

    The class is said where the lines differ in it.
    """
    names = [
        line.model,
        f"fold {line.fold}" if fold and line.fold is not None else None,
        line.target if several_targets(curve.lines) else None,
    ]
    return ", ".join(name for name in names if name is not None)


def evenly_spread(count: int, most: int) -> Any:
    """Return the numbers of at most so many of `count` points, evenly spread, both ends included.

    >>> evenly_spread(3, 10).tolist(), evenly_spread(1001, 3).tolist()
    ([0, 1, 2], [0, 500, 1000])
    """
    if count <= most:
        return np.arange(count)
    return np.linspace(0, count - 1, most).round().astype(np.intp)


def named(values: Any, names: Sequence[str]) -> Any:
    """Return values, or the names of the categories that they are codes of."""
    if not names:
        return values
    return [names[int(value)] if np.isfinite(value) else None for value in values]


def _joined(parts: Sequence[Any]) -> Any:
    return np.concatenate(parts) if parts else np.empty(0)


def frame(curve: "Curve", backend: str) -> Any:
    """Return the columns as a data frame of `backend`."""
    import narwhals as nw
    import pyarrow as pa

    from plumbline._checks import frame_library

    library: Any = frame_library(backend)
    found = point_columns(curve)
    texts = {"model", "fold", "target"}
    arrays = {
        name: pa.array(values, pa.string())
        if name in texts or isinstance(values, list)
        else pa.array(values)
        for name, values in found.items()
    }
    return nw.from_arrow(pa.table(arrays), backend=library).to_native()


def point_rows(curve: "Curve", line: "Line") -> list[dict[str, Any]]:
    """Return the points of one line as plain Python; what is infinite or undefined is None."""
    found: dict[str, Any] = {
        "threshold": named(line.threshold, curve.threshold_names),
        "x": named(line.x, curve.x_names),
        "y": line.y,
    }
    found |= {name: line.more[name] for name in MORE if name in line.more}
    lists = {name: v if isinstance(v, list) else _finite(v) for name, v in found.items()}
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _finite(values: Any) -> list[float | None]:
    """Return numbers as plain Python, None for what is infinite or undefined."""
    plain: list[float | None] = values.tolist()
    for place in np.flatnonzero(~np.isfinite(values)):
        plain[place] = None
    return plain


def line_to_dict(curve: "Curve", line: "Line") -> dict[str, Any]:
    """Return a line with its points as plain Python."""
    return {
        "model": line.model,
        "fold": line.fold,
        "target": line.target,
        "n": line.n,
        "positives": jsonable(line.positives),
        "negatives": jsonable(line.negatives),
        "dropped": dict(line.dropped),
        **({"reason": line.reason} if line.reason else {}),
        "area": line.area,
        "area_range": None if line.area_range is None else list(line.area_range),
        "area_method": line.area_method,
        "points": point_rows(curve, line),
    }


def summary_lines(curve: "Curve") -> Iterator[tuple[str, str]]:
    """Yield what stands in the text of a curve: its formulas, its lines and its notes."""
    settings: Mapping[str, Any] = curve.settings.to_dict()
    yield "x", settings["x"]
    yield "y", settings["y"]
    for name in ("preset", "sort_by", "direction", "merge", "average", "where", "multiclass"):
        if settings[name] is not None:
            yield name, str(settings[name])
    for line in curve.lines:
        area = line.area
        who = line_name(curve, line) or "points"
        told = "" if area is None else f", area {area:.4g}{_between(line)}"
        yield who, line.reason or f"{counted(len(line), 'point')} of {line.n:,} rows{told}"
    for note in curve.notes:
        yield "note", note


def _between(line: "Line") -> str:
    """Return the interval of an area in brackets, "" where there is none."""
    return "" if line.area_range is None else " ({:.4g} to {:.4g})".format(*line.area_range)
