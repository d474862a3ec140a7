"""The lines of a curve: their groups, their style, and how few points show them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.curves import Curve, Line, Scale, kept_places, line_name
from plumbline.curves.presets import Shape
from plumbline.formatting import counted, number
from plumbline.plots import style
from plumbline.plots.style import legend_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Floats = NDArray[np.float64]
Steps: TypeAlias = Literal["pre", "post"] | None

MOST = 20_000  # points that are drawn as they are
COLUMNS, CLOUD = 1_000, 400  # of more, columns whose extremes are drawn; those of a cloud
FEW = 25  # points of a line that are marked one by one
DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.4)), (0, (6, 1.5, 1, 1.5)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How a line is drawn; the models of a picture differ in colour, and in dash and marker."""

    color: str
    dash: Any
    marker: str | None
    width: float
    zorder: float


@dataclass(frozen=True, slots=True, eq=False)
class LineGroup:
    """The lines of one model and class, of one style: folds, or a single one."""

    name: str
    lines: tuple[Line, ...]
    line_style: LineStyle
    place: int
    area: str = ""

    @property
    def label(self) -> str:
        """What the legend says: the name, folds, area, and which of them have no point."""
        empty = [line for line in self.lines if not len(line)]
        several = len(self.lines) > 1
        parts = [legend_name(self.name)] if self.name else []
        if several:
            parts.append(counted(len(self.lines), "fold"))
        if self.area:
            parts.append(self.area)
        if empty:
            of = f"{len(empty)} without points" if several else "no point"
            parts.append(f"{of}: {style.short_name(empty[0].reason or 'undefined', 60, tail=24)}")
        return ", ".join(parts)


def grouped(curve: Curve) -> list[LineGroup]:
    """Return the lines by model and class, in the order of their appearance, with their styles."""
    by_name: dict[tuple[str | None, str | None], list[Line]] = {}
    for line in curve.lines:
        by_name.setdefault((line.model, line.target), []).append(line)
    groups = []
    for place, lines in enumerate(by_name.values()):
        name = line_name(curve, lines[0], fold=False)
        line_style = line_style_of(place, alone=len(by_name) == 1, several=len(lines) > 1)
        area = _area_of(curve, lines[0]) if len(lines) == 1 else ""
        groups.append(LineGroup(name, tuple(lines), line_style, place, area))
    return groups


def _area_of(curve: Curve, line: Line) -> str:
    """Return the area under a line where that has a name and a value: "AUC 0.79"."""
    name = curve.named_area
    return "" if name is None or line.area is None else f"{name} {number(line.area)}"


def line_style_of(place: int, *, alone: bool, several: bool) -> LineStyle:
    """Return the style of the group in this place; all from the ninth on are thin and grey."""
    width, zorder = 0.7 if several else 1.5, 3 + 1 / (1 + place)
    if place >= len(style.LINES):
        return LineStyle(style.DRAWS, "-", None, min(width, 0.8), zorder)
    marker = None if alone or several else MARKERS[place]
    return LineStyle(style.LINES[place], DASHES[place % len(DASHES)], marker, width, zorder)


# ------------------------------------------------------------------ one line


def draw_line(
    line: Line,
    ax: "Axes",
    scales: tuple[Scale, Scale],
    *,
    line_style: LineStyle,
    label: str,
    shape: Shape,
) -> None:
    """Draw a line with its band; more points than a picture can show are thinned first."""
    x, y = scales[0].place(line.x), scales[1].place(line.y)
    keep = thinned(x, y)
    steps = _steps(x) if shape == "step" else None
    if shape == "points":
        points: dict[str, Any] = {
            "color": line_style.color,
            "ms": 3,
            "mew": 0,
            "alpha": 0.6,
            "zorder": line_style.zorder,
        }
        ax.plot(x[keep], y[keep], line_style.marker or "o", label=label, **points)
        return
    if "y_low" in line.more or "y_sd" in line.more:
        _draw_spread(line, ax, scales, keep=keep, line_style=line_style, steps=steps)
    few = len(line) <= FEW
    marks = {} if few and line.path is not None else _markers(line_style, len(line))
    if line.path is not None:
        if few:
            ax.plot(x, y, "o", color=line_style.color, ms=3.6, mfc=style.PAPER, zorder=4)
        x, y = (scale.place(part) for scale, part in zip(scales, line.path, strict=True))
        keep = thinned(x, y)
    ax.plot(
        x[keep],
        y[keep],
        color=line_style.color,
        lw=line_style.width,
        ls=line_style.dash,
        label=label,
        zorder=line_style.zorder,
        drawstyle=f"steps-{steps}" if steps else "default",
        **marks,
    )


def _markers(line_style: LineStyle, n: int) -> dict[str, Any]:
    """Return the marks of a line: on every point of a few, else on one now and then."""
    marker = line_style.marker or ("o" if n == 1 or (line_style.width > 1 and n <= FEW) else None)
    if marker is None:
        return {}
    places = MARKERS.index(marker)
    every = None if n <= FEW else (0.02 * (1 + places), 0.17)
    return {"marker": marker, "ms": 3.6, "markevery": every, "mfc": style.PAPER, "mew": 1.0}


def _steps(x: Floats) -> Steps:
    """Return on which side of its point a value holds: a state lasts down to the next threshold."""
    moves = np.diff(x)
    if (moves <= 0).all():
        return "post"
    return "pre" if (moves >= 0).all() else None


def _draw_spread(
    line: Line,
    ax: "Axes",
    scales: tuple[Scale, Scale],
    *,
    keep: Any,
    line_style: LineStyle,
    steps: Steps,
) -> None:
    """Draw the band or the deviations of a line, as crosses where both coordinates have one."""
    low, high = line.spread
    x = scales[0].place(line.x)[keep]
    y, lows, highs = (scales[1].place(part)[keep] for part in (line.y, low, high))
    if "x_sd" in line.more:
        deviation = line.more["x_sd"]
        left, right = (scales[0].place(line.x + sign * deviation)[keep] for sign in (-1, 1))
        ax.errorbar(
            x,
            y,
            yerr=[y - lows, highs - y],
            xerr=[x - left, right - x],
            fmt="none",
            ecolor=line_style.color,
            elinewidth=0.7,
            alpha=0.6,
            zorder=2,
        )
        return
    ax.fill_between(
        x,
        lows,
        highs,
        color=line_style.color,
        alpha=0.17,
        lw=0,
        step=steps,
        zorder=1,
        where=np.isfinite(lows) & np.isfinite(highs),
    )


def draw_categories(lines: Sequence[tuple[Line, LineStyle, str]], ax: "Axes", scale: Scale) -> None:
    """Draw a dot with its interval for every category, the lines side by side."""
    step = min(0.16, 0.7 / max(1, len(lines)))
    for place, (line, line_style, label) in enumerate(lines):
        aside = step * (place - (len(lines) - 1) / 2)
        low, high = line.spread
        y = scale.place(line.y)
        ax.errorbar(
            line.x + aside,
            y,
            yerr=[y - scale.place(low), scale.place(high) - y],
            fmt=line_style.marker or "o",
            ms=5,
            color=line_style.color,
            mfc=style.PAPER,
            mew=1.3,
            elinewidth=1.0,
            capsize=2.0,
            label=label,
            zorder=line_style.zorder,
        )


def category_counts(lines: Sequence[Line], names: Sequence[str]) -> Iterator[float | None]:
    """Yield the rows of every category; None where lines differ in it or do not say."""
    for code in range(len(names)):
        counts = {
            float(count)
            for line in lines
            if "count" in line.more
            for count in line.more["count"][line.x == code]
        }
        yield counts.pop() if len(counts) == 1 else None


# ------------------------------------------------------------------ fewer points


def thinned(x: Floats, y: Floats) -> NDArray[np.intp]:
    """Return the numbers of the points that show a line as all of them would.

    Up to 20,000 points stay all; of more, those that 1,000 columns of pixels can show, which loses
    no extreme; of a cloud, which has some in most cells of those, those of a smaller picture.
    """
    if len(x) <= MOST:
        return np.arange(len(x))
    kept = kept_places(x, y, width=COLUMNS)
    return kept if len(kept) <= MOST else kept_places(x, y, width=CLOUD)
