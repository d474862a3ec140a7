"""Curves by formula: lines of models, folds or classes, with bands, guides and what was chosen."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.lines import Curve, dropped_of
from plumbline.curves.presets import Preset, preset_of
from plumbline.formatting import counted
from plumbline.plots import curve_guides, style
from plumbline.plots.curve_axes import Scale, mark_axis, name_categories, scale_of
from plumbline.plots.curve_lines import (
    Group,
    category_counts,
    draw_categories,
    draw_line,
    drawn_shape,
    grouped,
    spread_of,
)
from plumbline.plots.curve_second import draw_second
from plumbline.plots.layout import lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.curves.best_threshold import BestThreshold
    from plumbline.curves.cases_between import Cases

Floats = NDArray[np.float64]

ACROSS, UP = 52, 40  # letters of a title along either axis
SIDE, WIDE, LOW = 3.3, 5.0, 3.0  # inches of the axes: a square's side, width and height of others


def draw_curve(
    curve: Curve,
    ax: "Axes",
    *,
    best: "BestThreshold | None" = None,
    cases: "Cases | None" = None,
    hull: bool = False,
    points: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    second: Curve | None = None,
    title: bool = True,
) -> None:
    """Draw a curve: a line a model or class, thin lines of one colour for folds, bands, guides.

    Points are joined as the preset of the two formulas says. What has no place on an axis (the
    threshold before the first row, a rate of 0 on normal deviates) stands at its edge with a tick
    of its own. Categories are dots with intervals. `best`, a `BestThreshold`, marks its point and
    shades its plateau; `cases` shades the thresholds between which they lie; `hull` draws the
    convex hull of every line within the unit square; `points` are marked by open circles under
    their names; `second`, a curve over the same x, is drawn dashed on an axis of its own to the
    right, unless x is a category. Labels for a legend are set, the legend is not.

    >>> from matplotlib.figure import Figure
    >>> from plumbline.curves.lines import Line
    >>> from plumbline.curves.presets import CurveSettings
    >>> places = np.array([0.0, 0.5, 1.0])
    >>> line = Line(np.array([np.inf, 0.7, 0.2]), places, places)
    >>> ax = Figure().subplots()
    >>> draw_curve(Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", [line]), ax)
    >>> ax.get_xlabel(), ax.get_title()
    ('FPR', 'ROC curve')
    """
    preset = preset_of(curve.settings)
    groups = grouped(curve)
    scales = _scales(curve, preset)
    if not any(len(line) for line in curve.lines):
        _say_empty(curve, ax)
    elif curve.x_names:
        _draw_categories(curve, groups, ax, scales[1])
    else:
        _draw_lines(curve, groups, ax, scales)
        if preset is not None and second is None and _is_square(preset):
            ax.set_aspect("equal")
        curve_guides.draw_guides(curve, ax, scales)
    if second is not None and not curve.x_names:
        draw_second(second, ax, scales[0])
    if hull and not curve.x_names:
        curve_guides.draw_hulls(groups, ax, scales)
    curve_guides.draw_points(points or {}, ax, scales)
    if best is not None:
        curve_guides.draw_best(best, curve, ax, scales)
    if cases is not None:
        curve_guides.draw_cases(cases, curve, ax, scales)
    ax.set_xlabel(style.short_name(curve.x_title, ACROSS, tail=18), **style.PLAIN)
    ax.set_ylabel(style.short_name(curve.y_title, UP, tail=14), **style.PLAIN)
    style.quiet_axes(ax)
    if title:
        ax.set_title(_heading(curve, preset), **style.PLAIN)


def curve_figure(
    curve: Curve,
    *,
    best: "BestThreshold | None" = None,
    cases: "Cases | None" = None,
    hull: bool = False,
    points: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    second: Curve | None = None,
    title: bool = True,
    notes: bool = True,
) -> "Figure":
    """Return `draw_curve` as a picture of its own, with a legend and the curve's notes below.

    >>> from plumbline.curves.lines import Line
    >>> from plumbline.curves.presets import CurveSettings
    >>> places = np.array([0.0, 0.5, 1.0])
    >>> line = Line(np.array([np.inf, 0.7, 0.2]), places, places)
    >>> figure = curve_figure(Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", [line]))
    >>> figure.axes[0].get_aspect()
    1.0
    """
    with style.house_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_curve(
            curve, ax, best=best, cases=cases, hull=hull, points=points, second=second, title=title
        )
        ax.grid(color=style.GRID)
        square = ax.get_aspect() == 1.0
        wide, tall = (SIDE, SIDE) if square else (WIDE, LOW)
        if curve.x_names:
            wide = min(12.0, max(WIDE, 0.2 * len(curve.x_names)))
        said = _notes(curve)
        if second is not None and curve.x_names:
            said.append(f"{second.y_title} over categories is in the tables alone.")
        lay_out(figure, wide, tall, notes=said if notes else [])
    return figure


# ------------------------------------------------------------------ the lines


def _scales(curve: Curve, preset: Preset | None) -> tuple[Scale, Scale]:
    """Return the scales of both axes, which hold every point and every band."""
    deviate = preset is not None and preset.scale == "normal-deviate"
    square = preset is not None and preset.square
    spreads = [part for line in curve.lines for part in spread_of(line)]
    ys = [*(line.y for line in curve.lines), *(part[np.isfinite(part)] for part in spreads)]
    ys = curve_guides.above_floor(ys, curve)
    xs = [line.x for line in curve.lines]
    if deviate:  # both kinds of error on one scale
        both = scale_of([*xs, *ys], deviate=True)
        return both, both
    zero = bool(curve.x_names)
    return scale_of(xs, square=square), scale_of(ys, square=square, zero=zero)


def _draw_lines(
    curve: Curve, groups: Sequence[Group], ax: "Axes", scales: tuple[Scale, Scale]
) -> None:
    shape = drawn_shape(curve)
    for group in groups:
        label = _label(group, groups)
        for line in group.lines:
            if len(line):
                draw_line(line, ax, scales, look=group.look, label=label, shape=shape)
                label = "_"
        if label != "_":  # no line of it has a point, and the legend says why
            ax.plot([], [], color=group.look.color, lw=1, label=label)
    mark_axis(ax, "x", scales[0], dates=curve.dates[0])
    mark_axis(ax, "y", scales[1], dates=curve.dates[1])


def _is_square(preset: Preset) -> bool:
    return preset.square or preset.scale == "normal-deviate"


def _label(group: Group, groups: Sequence[Group]) -> str:
    """Return what the legend says of a group; all grey ones have one entry together."""
    if group.place < len(style.LINES):
        return group.label or "_"
    first_grey = group.place == len(style.LINES)
    return f"{counted(len(groups) - len(style.LINES), 'other')}" if first_grey else "_"


def _draw_categories(curve: Curve, groups: Sequence[Group], ax: "Axes", scale: Scale) -> None:
    lines = [
        (line, group.look, _label(group, groups) if line is group.lines[0] else "_")
        for group in groups
        for line in group.lines
    ]
    draw_categories(lines, ax, scale)
    mark_axis(ax, "y", scale)
    name_categories(ax, curve.x_names, list(category_counts(curve.lines, curve.x_names)))


def _say_empty(curve: Curve, ax: "Axes") -> None:
    """Say in an empty picture why it is empty."""
    reasons = dict.fromkeys(line.reason or "undefined" for line in curve.lines)
    texts = textwrap.wrap("no point: " + "; ".join(reasons or ["no line"]), 44)[:8]
    ax.text(
        0.5,
        0.5,
        "\n".join(texts),
        transform=ax.transAxes,
        ha="center",
        va="center",
        color=style.MUTED,
        **style.PLAIN,
    )
    ax.set(xticks=[], yticks=[])


# ------------------------------------------------------------------ words around them


def _heading(curve: Curve, preset: Preset | None) -> str:
    """Return the preset's title, or the formulas, and of one line whose it is."""
    if preset is not None:
        what = preset.title
    else:
        what = f"{style.short_name(curve.y_title, 30)} by {style.short_name(curve.x_title, 24)}"
    models = {line.model for line in curve.lines}
    (model,) = models if len(models) == 1 else (None,)
    return f"{what}, {style.short_name(model, 24)}" if model else what


def _notes(curve: Curve) -> list[str]:
    """Return the small text below a picture: what bands mean, notes, points left out."""
    texts = [f"Band: {curve.spread}."] if curve.spread else []
    texts += [f"{note.rstrip('.')}." for note in curve.notes]
    left_out = dropped_of(curve).items()
    return texts + [f"{counted(count, 'point')} left out: {reason}." for reason, count in left_out]
