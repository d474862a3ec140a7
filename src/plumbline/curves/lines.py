"""What a curve is: lines of points with their thresholds, as tables and as text."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Note, Presentation, Result, Table, jsonable
from plumbline.curves.presets import AREA, CurveSettings, Shape, name_of_area, preset_of
from plumbline.dependence import RowGroups, group_details, group_notes, plain_groups
from plumbline.formatting import (
    amount,
    amounts,
    capital,
    counted,
    largest,
    number,
    percentage,
    quoted,
    sentence,
)
from plumbline.predictions import Predictions

if TYPE_CHECKING:
    from plumbline.curves.drawing import CurveDrawing

Floats = NDArray[np.float64]
Interval = tuple[tuple[float, float] | None, str | None]  # of an area, and how it was computed
NO_INTERVAL: Interval = (None, None)

START = "undefined before the first row"
FINISH = "undefined where every row is accepted"
EDGE = "undefined at a threshold of 0 or 1"
ENDS = (START, FINISH, EDGE)  # of a sound curve
POINTS, CATEGORIES, LINES = 11, 20, 24  # shown of a line, of an axis and of a curve
ONE_LINE = "Points are shown for one line only: select one model, fold and class."
MORE = ("x_sd", "y_sd", "y_low", "y_high", "count")
ORDERS = {"descending": "from high to low", "ascending": "from low to high"}
MERGED = {
    "last": "tied rows make one point",
    "average": "tied rows make one point, their mean",
    "none": "one point per row",
}
CLASSES = {
    "per-class": "every class against the rest",
    "micro": "all classes against the rest, merged: every row counts once per class",
    "macro": "the mean of the one-vs-rest curves of all classes",
}


class AreaBelow:
    """The area below a line and its interval, computed when they are asked for, and kept then.

    A copy, as another process gets it, has the numbers.

    `interval` is asked with the area, so that it need not hold this object: of many rows its memory
    would wait for the next search for unreachable objects.

    >>> below = AreaBelow(lambda: 0.75, lambda area: ((area - 0.25, 0.9), "score"))
    >>> below.area, below.interval
    (0.75, ((0.5, 0.9), 'score'))
    """

    def __init__(
        self,
        area: Callable[[], float | None],
        interval: Callable[[float | None], Interval] = lambda area: NO_INTERVAL,
    ) -> None:
        self._area, self._interval = area, interval

    @classmethod
    def known(cls, area: float | None, interval: Interval = NO_INTERVAL) -> "AreaBelow":
        """Return an area that is known."""
        return cls(lambda: area, lambda _: interval)

    @cached_property
    def area(self) -> float | None:
        """The area; None where it has no meaning."""
        return self._area()

    @cached_property
    def interval(self) -> Interval:
        """Its interval and how that was computed; None and None where there is none."""
        return self._interval(self.area)

    def __reduce__(self) -> tuple[Any, ...]:
        return AreaBelow.known, (self.area, self.interval)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Points in drawing order, as arrays of one length.

    Attributes
    ----------
    threshold : (m,) value of the sort key at the point; inf before the first row, NaN after
        averaging
    x, y : (m,) coordinates; codes of `Curve.x_names` where x is a category
    more : further columns of length m: "x_sd", "y_sd" (spread over folds, n - 1), "y_low",
        "y_high" (interval), "count" (rows or folds behind a point), "near" (rows nearest to a point
        of a smoothed line), "accepted" (weight of the rows at or above the threshold), "weight" (of
        the rows that are points), "effective_n" (of a category's weighted rows)
    model, fold, target : what the line is of; None where there is none or several were joined
    n : rows; positives, negatives : their weights
    dropped : reason -> number of points left out for it
    reason : why there is no point at all
    below : the area below the line, and its interval; None where there is none
    path : x and y of the line to draw where that is not straight from point to point
    """

    threshold: Floats
    x: Floats
    y: Floats
    more: Mapping[str, Floats] = field(default_factory=dict)
    model: str | None = None
    fold: str | None = None
    target: str | None = None
    n: int = 0
    positives: float = 0.0
    negatives: float = 0.0
    dropped: Mapping[str, int] = field(default_factory=dict)
    reason: str | None = None
    below: AreaBelow | None = None
    path: tuple[Floats, Floats] | None = None

    def __len__(self) -> int:
        return len(self.x)

    @property
    def area(self) -> float | None:
        """Area below the line, as `area_under` says.

        None where it is no mean of shares (along thresholds, attributes and categories, under a
        profit), where x goes back and forth, and of points that are not joined.
        """
        return None if self.below is None else self.below.area

    @property
    def area_range(self) -> tuple[float, float] | None:
        """Interval of the area with the coverage `level` of the settings.

        Of ROC and precision-recall lines, and of other lines with a bootstrap band; None where
        there is none, as of averages.
        """
        return None if self.below is None else self.below.interval[0]

    @property
    def area_method(self) -> str | None:
        """How the interval of the area was computed; None where there is none."""
        return None if self.below is None else self.below.interval[1]

    @property
    def ends_early(self) -> bool:
        """Whether the line is undefined below its lowest threshold; else its last point lasts.

        That is where states were left out, and not only the first one, before any row is met.
        """
        return sum(self.dropped.values()) > (0 if (self.threshold == np.inf).any() else 1)

    @property
    def spread(self) -> tuple[Floats, Floats]:
        """Ends of the interval of every point, or one deviation to either side; NaN without."""
        if "y_low" in self.more:
            return self.more["y_low"], self.more["y_high"]
        deviation = self.more.get("y_sd", np.full(len(self), np.nan))
        return self.y - deviation, self.y + deviation

    def place_at(self, threshold: float) -> int | None:
        """Return the number of the point that holds at a threshold; None where none has one."""
        from plumbline.curves.drawing import state_at

        return state_at(self, threshold)

    def y_at(self, x: float) -> float:
        """Return y at a value of x, between two points on the straight line; NaN without points."""
        return float(np.interp(x, self.x, self.y)) if len(self) else math.nan


@dataclass(frozen=True, repr=False, eq=False)
class Curve(Result):
    """A curve by formula: one line per model, and per fold or class where those are kept apart.

    Attributes
    ----------
    settings : the settings, enough to draw the curve again
    x_title, y_title : titles of the axes
    x_names : the categories of x in the order of their codes; empty where x is a number
    threshold_names : likewise of the sort key
    lines : the lines
    notes : what to know before believing the picture
    spread : what deviations or bands mean, as text; None where there are none
    shape : how points are joined, as in `Preset`; "points": not at all
    dates : of x and of y, whether the numbers are days since the beginning of 1970
    rating : what rows are sorted by unless `sort_by` says otherwise
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    settings: CurveSettings
    x_title: str
    y_title: str
    lines: Sequence[Line]
    x_names: tuple[str, ...] = ()
    threshold_names: tuple[str, ...] = ()
    notes: Sequence[Note] = ()
    spread: str | None = None
    shape: Shape = "line"
    dates: tuple[bool, bool] = (False, False)
    rating: str = "probability"
    row_groups: RowGroups | None = None

    @property
    def areas(self) -> tuple[float | None, ...]:
        """Area below each line: of a ROC curve the AUC, of precision-recall the average precision.

        None where it is no mean of shares: along thresholds, attributes and categories, under
        values outside 0 to 1, where x goes back and forth, and where no points are joined.
        """
        return tuple(line.area for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Return settings, notes and all points as plain Python."""
        return {
            "settings": self.settings.to_dict(),
            "x_title": self.x_title,
            "y_title": self.y_title,
            "lines": [line_to_dict(self, line) for line in self.lines],
            "notes": list(self.notes),
            "spread": self.spread,
            **self._in_groups(),
        }

    def _in_groups(self) -> dict[str, Any]:
        return plain_groups(self.row_groups)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a point: model, fold, threshold, x, y, and deviations or bands."""
        columns = point_columns(self)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return one row a point as a data frame of `backend`: "pyarrow", "pandas" or "polars"."""
        import narwhals as nw
        import pyarrow as pa

        from plumbline._checks import frame_library

        library: Any = frame_library(backend)
        columns = point_columns(self)
        columns_of_text = {"model", "fold", "target"}
        arrays = {
            name: pa.array(values, pa.string())
            if name in columns_of_text or isinstance(values, list)
            else pa.array(values)
            for name, values in columns.items()
        }
        return nw.from_arrow(pa.table(arrays), backend=library).to_native()

    @property
    def named_area(self) -> str | None:
        """What the area under a line is called, where it has a name of its own."""
        return name_of_area(self.settings)

    @property
    def area_name(self) -> str | None:
        """What the area under a line is called; None where no line has one."""
        return self.named_area or (None if set(self.areas) <= {None} else AREA)

    @property
    def description(self) -> str:
        """How the curve is made, in one line.

        >>> Curve(CurveSettings("FPR", "TPR", target="yes"), "FPR", "TPR", []).description
        "rows sorted by probability from high to low; tied rows make one point; positive class \
'yes'"
        """
        return "; ".join(_captions(self))

    @property
    def dropped(self) -> Counter[str]:
        """How many points all lines leave out, by the reason.

        The ends of a sound curve are none of them: where no row or every row is accepted, and
        thresholds of 0 and 1 by which a formula divides.
        """
        reasons: Counter[str] = Counter()
        for line in self.lines:
            reasons.update({why: n for why, n in line.dropped.items() if why not in ENDS})
        return reasons

    def drawing(self, width: int = 800) -> "CurveDrawing":
        """Return what a chart draws, whichever library draws it: few points, scales, guides.

        Of every line those points stay that a chart of `width` pixels can show, with all extremes.
        """
        from plumbline.curves.drawing import drawing_of

        return drawing_of(self, width)

    def point_text(self, line: "Line", place: int) -> str:
        """Return what to say of one point of a line, on several lines."""
        from plumbline.curves.drawing import point_text

        return point_text(self, line, place)

    def present(self) -> Presentation:
        """Return the formulas, a row for every line, and of a single line some of its points."""
        settings = self.settings
        named = f" (preset {settings.preset})" if settings.preset else ""
        drawn = [line for line in self.lines if len(line)]
        tables = [_table_of_lines(self)]
        tables += [_table_of_points(self, drawn[0])] if drawn and len(self.lines) == 1 else []
        title = f"{curve_title(settings)}{named}"
        return Presentation(
            formulas=True,
            subject="\n".join([title, *formula_lines(settings), self.description]),
            details=group_details(self.row_groups),
            notes=tuple(dict.fromkeys(_notes(self))),
            tables=tuple(tables),
            legend=(ONE_LINE,) if drawn and len(self.lines) > 1 else (),
        )

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return one entry per line, and what holds for all lines."""
        about = {
            "title": curve_title(self.settings),
            "settings": self.settings.to_dict(),
            "notes": list(self.notes),
            "spread": self.spread,
            **self._in_groups(),
        }
        return [_entry(self, line) for line in self.lines], about


def _entry(curve: "Curve", line: "Line") -> dict[str, Any]:
    """Return whose a line is, its formulas and its points."""
    values = line_to_dict(curve, line)
    points = values.pop("points")
    if values["model"] is None:
        del values["model"]
    formulas = {"x": curve.settings.x, "y": curve.settings.y, "area_name": curve.area_name}
    return {**values, **formulas, "points": points}


def _table_of_lines(curve: "Curve") -> Table:
    """Return a row a line: rows, points, area."""
    lines = curve.lines[:LINES]
    columns: dict[str, list[str]] = {}
    for title, values in (
        ("model", [line.model for line in lines]),
        ("fold", [line.fold for line in lines]),
        ("class", [line.target for line in lines] if several_targets(curve.lines) else []),
    ):
        if any(value is not None for value in values):
            columns[title] = [value or "-" for value in values]
    columns |= {
        "rows": [f"{line.n:,}" for line in lines],
        "points": [f"{len(line):,}" for line in lines],
    }
    name = curve.area_name
    if name is not None:
        areas = [line.area for line in lines]
        columns[name] = amounts(areas) if name == AREA else [number(area) for area in areas]
        if any(line.area_range is not None for line in lines):
            interval = f"{percentage(curve.settings.level)} CI"
            columns[interval] = [_range(line) for line in lines]
    left = len(curve.lines) - LINES
    more = f"... and {counted(left, 'line')} more" if left > 0 else ""
    return Table(columns, left=("model", "fold", "class"), more=more)


def _range(line: "Line") -> str:
    return "-" if line.area_range is None else " to ".join(amounts(line.area_range))


def _spread_by_rows(line: "Line") -> Any:
    """Return the numbers of a few points, with equal shares of the rows between them.

    So the same rows make the same points, whether tied rows or counted levels share a point.
    """
    accepted = line.more.get("accepted")
    if accepted is None or len(line) <= POINTS or not np.all(np.diff(accepted) >= 0):
        return evenly_spread(len(line), POINTS)
    unit = (accepted[-1] - accepted[0]) / max(line.n, 1) or 1.0  # the mean weight of a row
    shares = (np.linspace(accepted[0], accepted[-1], POINTS) / unit).round() * unit
    places = np.searchsorted(accepted, shares[1:-1]).clip(0, len(line) - 1)
    return np.unique([0, *places, len(line) - 1])


def _table_of_points(curve: "Curve", line: "Line") -> Table:
    """Return a few points along a line, or every category."""
    places = evenly_spread(len(line), CATEGORIES) if curve.x_names else _spread_by_rows(line)
    rows = point_rows(curve, select_points(line, places))
    columns = {key: column_cells([row[key] for row in rows]) for key in rows[0]}
    of_thresholds = curve.settings.x.strip() == "threshold"
    start = line.threshold[:1].tolist()
    before = -math.inf if start == [-math.inf] else math.inf  # where no row has been met yet
    for key in ("threshold", "x"):
        if key == "threshold" or of_thresholds:
            column = [before if row[key] is None else row[key] for row in rows]
            columns[key] = column_cells(column)
    if np.isnan(line.threshold).all():  # averaging took them away
        del columns["threshold"]
    elif of_thresholds:
        del columns["x"]
    return Table(columns)


def column_cells(column: Sequence[Any]) -> list[str]:
    """Return the cells of a column of numbers and names, as tables show them.

    >>> column_cells([3e-15, None, "no row"])
    ['3e-15', '-', 'no row']
    """
    scale = largest(column)
    return [value if isinstance(value, str) else amount(value, scale=scale) for value in column]


def _notes(curve: "Curve") -> Iterator[Note]:
    """Yield what the reader should know before believing a curve, in sentences."""
    if curve.spread:
        yield Note(f"Band: {curve.spread}.", "band")
    yield from (Note(sentence(note), note.code) for note in curve.notes)
    without: dict[str, list[str]] = {}  # lines of the same reason
    for line in curve.lines:
        if line.reason:
            without.setdefault(line.reason, []).append(line_name(curve, line))
    for reason, lines in without.items():
        who = "; ".join(filter(None, lines))
        yield Note(f"{who}: {reason}" if who else sentence(reason), "no-points")
    for reason, count in curve.dropped.items():
        yield Note(f"{capital(counted(count, 'point'))} left out: {reason}.", "points-left-out")
    if curve.spread or any(line.area_range is not None for line in curve.lines):
        yield from group_notes(curve.row_groups)


def select_points(line: "Line", places: Any) -> "Line":
    """Return a line of some of its points, in the order of `places`."""
    more = {name: values[places] for name, values in line.more.items()}
    return replace(
        line, threshold=line.threshold[places], x=line.x[places], y=line.y[places], more=more
    )


def point_columns(curve: "Curve") -> dict[str, Any]:
    """Return the points of all lines as columns: model, fold, threshold, x, y and the rest.

    `target` is a column where the lines differ in it. A threshold is infinite where nothing is
    accepted yet; a category stands as its name.
    """
    lines = curve.lines
    columns: dict[str, Any] = {
        name: [getattr(line, name) for line in lines for _ in range(len(line))]
        for name in ("model", "fold", *(["target"] if several_targets(lines) else []))
    }
    columns["threshold"] = named(_joined([line.threshold for line in lines]), curve.threshold_names)
    columns["x"] = named(_joined([line.x for line in lines]), curve.x_names)
    columns["y"] = _joined([line.y for line in lines])
    for name in MORE:
        if any(name in line.more for line in lines):
            parts = [line.more.get(name, np.full(len(line), np.nan)) for line in lines]
            columns[name] = _joined(parts)
    return columns


def several_targets(lines: "Sequence[Line]") -> bool:
    """Tell whether the lines are not all of the same class."""
    return len({line.target for line in lines}) > 1


def line_name(curve: "Curve", line: "Line", *, fold: bool = True) -> str:
    """Return whose a line is: its model, fold and class, where there are such; "" of one alone.

    The class is named where the lines differ in it.
    """
    names = [
        line.model,
        f"fold {line.fold}" if fold and line.fold is not None else None,
        line.target if several_targets(curve.lines) else None,
    ]
    return ", ".join(name for name in names if name is not None)


def whose(line: Any) -> str:
    """Return whose a line is: its model, fold and class, as far as it has them."""
    fold = None if line.fold is None else f"fold {line.fold}"
    names = (line.model, fold, line.target)
    return ", ".join(name for name in names if name is not None)


def size_of(values: Floats) -> float:
    """Return the size of the largest finite value, beside which others are rounding noise."""
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


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


def point_rows(curve: "Curve", line: "Line") -> list[dict[str, Any]]:
    """Return the points of one line as plain Python; what is infinite or undefined is None."""
    columns: dict[str, Any] = {
        "threshold": named(line.threshold, curve.threshold_names),
        "x": named(line.x, curve.x_names),
        "y": line.y,
    }
    columns |= {name: line.more[name] for name in MORE if name in line.more}
    lists = {name: v if isinstance(v, list) else _finite(v) for name, v in columns.items()}
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


def rating_name(data: Predictions) -> str:
    """Return what the rows of a table are sorted by unless `sort_by` is given."""
    if data.prob is not None:
        return "probability"
    return "score" if data.score is not None else "answer"


def formula_lines(settings: CurveSettings) -> list[str]:
    """Return both formulas, a line each, with the titles that were given to them.

    >>> formula_lines(CurveSettings("FPR", "TPR", y_title="caught"))
    ['  x: FPR', "  y: TPR, titled 'caught'"]
    """
    preset = preset_of(settings)
    lines = []
    for axis in ("x", "y"):
        formula, title = getattr(settings, axis), getattr(settings, f"{axis}_title")
        usual = (None, formula, None if preset is None else getattr(preset, f"{axis}_title"))
        own = "" if title in usual else f", titled {quoted(title)}"
        lines.append(f"  {axis}: {formula}{own}")
    return lines


def curve_title(settings: CurveSettings) -> str:
    """Return the name of a curve: its preset's, or what is drawn against what.

    >>> curve_title(CurveSettings("FPR", "TPR")), curve_title(CurveSettings("age", "eCA"))
    ('ROC curve', 'eCA by age')
    """
    preset = preset_of(settings)
    if preset is not None:
        return preset.title
    return f"{settings.y_title or settings.y} by {settings.x_title or settings.x}"


def rows_drawn(curve: Curve) -> int:
    """Return how many rows of one model are drawn, its folds together; the most of any model."""
    shared: Counter[tuple[str | None, str | None]] = Counter()
    for line in curve.lines:
        shared[line.model, line.target] += line.n
    return max(shared.values(), default=0)


def _captions(curve: Curve) -> Iterator[str]:
    settings = curve.settings
    if settings.where is not None:
        yield f"only rows where {settings.where.strip()}"
    if settings.average == "smooth" and curve.x_names:
        yield "the mean of every category"
    elif settings.average == "smooth":
        window = f"{percentage(settings.span)} of the rows"
        yield f"smoothed at {settings.points} points, each over {window}"
    else:
        yield from _order(settings, curve.rating)
    yield from _folds(settings)
    if settings.multiclass is not None:
        yield CLASSES[settings.multiclass]
    elif settings.target is not None:
        yield f"positive class {quoted(settings.target)}"
    if settings.params:
        yield ", ".join(f"{name} = {value:g}" for name, value in settings.params.items())


def _order(settings: CurveSettings, rating: str) -> Iterator[str]:
    if settings.direction == "unsorted":
        yield "rows in table order"
        return
    key = rating if settings.sort_by is None else settings.sort_by.strip()
    yield f"rows sorted by {key} {ORDERS[settings.direction]}"
    yield MERGED[settings.merge]


def _folds(settings: CurveSettings) -> Iterator[str]:
    if settings.average == "none":
        yield "one line per fold"
    elif settings.average == "vertical":
        yield f"the mean of the folds at {settings.points} values of x"
    elif settings.average == "threshold":
        yield f"the mean of the folds at {settings.thresholds} thresholds"
