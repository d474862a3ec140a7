"""What stands beside the lines of a curve: reference lines, the best threshold, chosen cases."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.curves import Curve, Scale, convex_hull, guides, state_at
from plumbline.curves.drawing import BEST, HULL, PLATEAU, is_along_x, lies_in_unit_square
from plumbline.curves.guides import guide_lines
from plumbline.plots import style
from plumbline.plots.curve_lines import LineGroup

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from plumbline.curves import BestThreshold, Cases

Floats = NDArray[np.float64]

PROPS: dict[str, Any] = {"color": style.MUTED, "lw": 0.9, "ls": (0, (4, 3)), "zorder": 2}
OTHER: dict[str, Any] = {**PROPS, "ls": (0, (1, 2))}
MARK: dict[str, Any] = {"mfc": style.PAPER, "mec": style.INK, "ms": 7.5, "mew": 1.5, "zorder": 6}
POINT: dict[str, Any] = {"mfc": "none", "mec": style.INK, "ms": 6.0, "mew": 1.1, "zorder": 6}
HULL_PROPS: dict[str, Any] = {"lw": 0.8, "ls": (0, (2, 2)), "zorder": 2.5}
FEW = 3  # corners of a guide that is straight in pieces

CASES = "chosen cases"
NAMES = {*guides.NAMES, PLATEAU, BEST, CASES, HULL}


def draw_guides(curve: Curve, ax: "Axes", scales: tuple[Scale, Scale]) -> None:
    """Draw the reference lines of a curve, within the axes, which they shall not stretch."""
    x, y = scales
    for guide in guide_lines(curve):
        props = {**(OTHER if guide.second else PROPS), "label": guide.label or "_"}
        if not np.isfinite(guide.x).all():
            ax.axhline(guide.y[0], **props)
        elif len(guide.x) <= FEW:
            ax.plot(guide.x, guide.y, **props)
        else:
            ax.plot(*_inside(ax, x.place(guide.x), y.place(guide.y)), **props)


def _inside(ax: "Axes", x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the part of a line that is within the axes."""
    inside = np.ones(len(x), bool)
    for values, (low, high) in zip((x, y), (ax.get_xlim(), ax.get_ylim()), strict=True):
        inside &= (values >= low) & (values <= high)
    return x[inside], y[inside]


def draw_hulls(groups: Sequence[LineGroup], ax: "Axes", scales: tuple[Scale, Scale]) -> None:
    """Draw the convex hull of every line that has one, in its colour and within the axes."""
    drawn = False
    for group in groups:
        for line in group.lines:
            if not len(line) or not lies_in_unit_square(line):
                continue
            hull = convex_hull(line)
            x, y = (s.place(part) for s, part in zip(scales, (hull.x, hull.y), strict=True))
            ax.plot(x, y, color=group.line_style.color, label="_", **HULL_PROPS)
            drawn = True
    if drawn:
        ax.plot([], [], color=style.INK, label=HULL, **HULL_PROPS)


# ------------------------------------------------------------------ what was chosen


def draw_points(
    points: Mapping[str, Sequence[tuple[float, float]]],
    ax: "Axes",
    scales: tuple[Scale, Scale],
) -> None:
    """Mark points by open circles, which the legend calls by their names."""
    for name, places in points.items():
        if places:
            x, y = (
                s.place(part) for s, part in zip(scales, zip(*places, strict=True), strict=True)
            )
            ax.plot(x, y, "o", clip_on=False, label=name, **POINT)


def draw_best(best: "BestThreshold", curve: Curve, ax: "Axes", scales: tuple[Scale, Scale]) -> None:
    """Mark the point of the best threshold, and shade the thresholds that are as good."""
    if is_along_x(curve):
        for number, interval in enumerate(best.plateau):
            low, high = scales[0].place(np.array(interval, np.float64))
            ax.axvspan(
                low,
                high,
                color=style.BAND,
                lw=0,
                alpha=0.6,
                zorder=0.5,
                label=PLATEAU if number == 0 else "_",
            )
    point = _point_at(curve, best.threshold)
    if point is not None:
        x, y = (scale.place([value]) for scale, value in zip(scales, point, strict=True))
        ax.plot(x, y, "o", clip_on=False, label=BEST, **MARK)


def _point_at(curve: Curve, threshold: float) -> tuple[float, float] | None:
    """Return the point of the first line that has one at this threshold."""
    for line in curve.lines:
        place = state_at(line, threshold)
        if place is not None:
            return float(line.x[place]), float(line.y[place])
    return None


def draw_cases(cases: "Cases", curve: Curve, ax: "Axes", scales: tuple[Scale, Scale]) -> None:
    """Thicken the part of every line on which the cases change sides, or shade it along x."""
    if is_along_x(curve):
        low, high = scales[0].place(np.array([cases.low, cases.high], np.float64))
        ax.axvspan(low, high, color=style.DRAWS, lw=0, alpha=0.35, zorder=0.6, label=CASES)
        return
    label = CASES
    for line in curve.lines:
        inside = (line.threshold >= cases.low) & (line.threshold <= cases.high)
        if inside.any():
            x, y = (s.place(part[inside]) for s, part in zip(scales, (line.x, line.y), strict=True))
            ax.plot(
                x,
                y,
                color=style.DRAWS,
                alpha=0.5,
                lw=7,
                solid_capstyle="round",
                zorder=1,
                label=label,
            )
            label = "_"
