"""Curves by formula: one, a second over the same x, several side by side, and a difference."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.curves import Curve, Preset, Scale, preset_of, scale_of
from plumbline.curves.drawing import drawn_shape, scales_of
from plumbline.errors import ParameterError
from plumbline.formatting import counted, percentage
from plumbline.plots import curve_guides, style
from plumbline.plots.curve_axes import mark_axis, name_categories, plain_numbers
from plumbline.plots.curve_lines import (
    LineGroup,
    LineStyle,
    category_counts,
    draw_categories,
    draw_line,
    grouped,
    thinned,
)
from plumbline.plots.display import Display, axes_or_new, display_of, displayed, next_color
from plumbline.plots.style import lay_out, legend_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.curves import BestThreshold, Cases, CurveDifference


Floats = NDArray[np.float64]

ACROSS, UP = 52, 40  # letters of a title along either axis
SIDE, WIDE, LOW = 3.3, 5.0, 3.0  # inches of the axes: a square's side, width and height of others

DASH = (0, (10, 2.5))  # of a second curve; that of no model
PANELS_ACROSS = 3  # pictures beside each other
PANEL_HEIGHT, PANEL_WIDTH = 2.5, 3.0  # inches of a place: a square's side, the width of others
LEGEND_LINE = 0.22  # inches of a line of the legend
REASON_LETTERS, PANEL_NAME = 30, 34  # letters of a line of a reason; of a name
DIFFERENCE_TALL, DIFFERENCE_UP = 2.6, 24  # inches of its axes; letters of the title beside them


def draw_curve(
    curve: Curve,
    ax: "Axes | None" = None,
    *,
    name: str | None = None,
    color: str | None = None,
    best: "BestThreshold | None" = None,
    cases: "Cases | None" = None,
    hull: bool = False,
    points: Mapping[str, Sequence[tuple[float, float]]] | None = None,
    second: Curve | None = None,
    title: bool = True,
) -> Display:
    """Draw a curve: a line a model or class, thin lines of one colour for folds, bands, guides.

    Points are joined as the preset of the two formulas says. What has no place on an axis (the
    threshold before the first row, a rate of 0 on normal deviates) stands at its edge with a tick
    of its own. Categories are dots with intervals. Labels for a legend are set, the legend is not,
    unless there is a `name`: curves of other tables can be drawn on the same axes then.

    Parameters
    ----------
    curve : Curve
        What `curve` returned.
    ax : matplotlib.axes.Axes, optional
        The axes to draw on; by default those of a figure of their own.
    name : str, optional
        Name of the model for the legend.
    color : color of matplotlib, optional
        Colour of the lines; by default the next one that the axes do not have.
    best : BestThreshold, optional
        Mark its point and shade its plateau.
    cases : Cases, optional
        Shade the thresholds between which they lie.
    hull : bool, default False
        Draw the convex hull of every line within the unit square.
    points : mapping of str to sequence of (float, float), optional
        Points (x, y) to mark by open circles, under their names.
    second : Curve, optional
        A curve over the same x, drawn dashed on an axis of its own to the right, unless x is a
        category.
    title : bool, default True
        Write the title above.

    Returns
    -------
    Display
        The axes as `ax_`, on which another curve can be drawn.

    Raises
    ------
    ParameterError
        For a `color` of a curve of several models or classes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.curves.lines import Line
    >>> from plumbline.curves.presets import CurveSettings
    >>> places = np.array([0.0, 0.5, 1.0])
    >>> line = Line(np.array([np.inf, 0.7, 0.2]), places, places)
    >>> ax = Figure().subplots()
    >>> display = draw_curve(Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", [line]), ax)
    >>> ax.get_xlabel(), ax.get_title()
    ('FPR', 'ROC curve')
    """
    ax = axes_or_new(ax)
    preset = preset_of(curve.settings)
    several = name is not None or color is not None
    first = not (several and ax.lines)
    groups = _renamed(grouped(curve), ax, name, color) if several else grouped(curve)
    scales = scales_of(curve)
    if not any(len(line) for line in curve.lines):
        _draw_no_points(curve, ax)
    elif curve.x_names:
        _draw_categories(curve, groups, ax, scales[1])
    else:
        _draw_lines(curve, groups, ax, scales)
        square = preset is not None and (preset.square or preset.scale == "normal-deviate")
        if square and second is None:
            ax.set_aspect("equal")
        if first:
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
    if title and first:
        ax.set_title(_heading(curve, preset), **style.PLAIN)
    if several:
        for text in ax.legend(frameon=False).get_texts():  # names are no mathematics
            text.set(**style.PLAIN)
    return display_of(ax, name=name)


def _renamed(
    groups: Sequence[LineGroup], ax: "Axes", name: str | None, color: str | None
) -> list[LineGroup]:
    """Return lines as those of one model among others on the axes: their names and colours."""
    if len(groups) > 1:
        if color is not None:
            raise ParameterError(
                f"`color` is for the curve of one model or class, this one has {len(groups)}",
                code="color-of-several",
            )
        return [replace(one, name=f"{name}, {one.name}") for one in groups]
    (group,) = groups
    look = replace(group.line_style, color=color or next_color(ax))
    return [replace(group, name=group.name if name is None else name, line_style=look)]


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

    Parameters
    ----------
    curve : Curve
        What `curve` returned.
    best : BestThreshold, optional
        Mark its point and shade its plateau.
    cases : Cases, optional
        Shade the thresholds between which they lie.
    hull : bool, default False
        Draw the convex hull of every line within the unit square.
    points : mapping of str to sequence of (float, float), optional
        Points (x, y) to mark by open circles, under their names.
    second : Curve, optional
        A curve over the same x, drawn dashed on an axis of its own to the right, unless x is a
        category.
    title : bool, default True
        Write the title above.
    notes : bool, default True
        Write the notes of the curve below.

    Returns
    -------
    matplotlib.figure.Figure
        The curve, with a legend.

    Examples
    --------
    >>> from plumbline.curves.lines import Line
    >>> from plumbline.curves.presets import CurveSettings
    >>> places = np.array([0.0, 0.5, 1.0])
    >>> line = Line(np.array([np.inf, 0.7, 0.2]), places, places)
    >>> figure = curve_figure(Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", [line]))
    >>> figure.axes[0].get_aspect()
    1.0
    """
    with style.figure_style():
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
        texts = _notes(curve)
        if second is not None and curve.x_names:
            texts.append(f"{second.y_title} over categories is in the tables only.")
        lay_out(figure, wide, tall, notes=texts if notes else [])
    return figure


# ------------------------------------------------------------------ the lines


def _draw_lines(
    curve: Curve, groups: Sequence[LineGroup], ax: "Axes", scales: tuple[Scale, Scale]
) -> None:
    shape = drawn_shape(curve)
    for group in groups:
        label = _label(group, groups)
        for line in group.lines:
            if len(line):
                draw_line(line, ax, scales, line_style=group.line_style, label=label, shape=shape)
                label = "_"
        if label != "_":  # no line of it has a point, and the legend says why
            ax.plot([], [], color=group.line_style.color, lw=1, label=label)
    mark_axis(ax, "x", scales[0], dates=curve.dates[0])
    mark_axis(ax, "y", scales[1], dates=curve.dates[1])


def _label(group: LineGroup, groups: Sequence[LineGroup]) -> str:
    """Return what the legend says of a group; all grey ones have one entry together."""
    if group.place < len(style.LINES):
        return group.label or "_"
    first_grey = group.place == len(style.LINES)
    return f"{counted(len(groups) - len(style.LINES), 'other')}" if first_grey else "_"


def _draw_categories(curve: Curve, groups: Sequence[LineGroup], ax: "Axes", scale: Scale) -> None:
    lines = [
        (line, group.line_style, _label(group, groups) if line is group.lines[0] else "_")
        for group in groups
        for line in group.lines
    ]
    draw_categories(lines, ax, scale)
    mark_axis(ax, "y", scale)
    name_categories(ax, curve.x_names, list(category_counts(curve.lines, curve.x_names)))


def _draw_no_points(curve: Curve, ax: "Axes") -> None:
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
    return [note for note in curve.present().notes if note.code != "no-points"]


def draw_second(second: Curve, ax: "Axes", x: Scale) -> None:
    """Draw the lines of a second curve in long dashes, in the colours after the first one's.

    Their names for the legend are set on the first axes.
    """
    right = ax.twinx()
    scales = x, scale_of([line.y for line in second.lines])
    groups = grouped(second)
    shape = drawn_shape(second)
    for group in groups:
        line_style = _second_style(group.line_style, after=len(groups))
        for line in group.lines:
            if len(line):
                draw_line(line, right, scales, line_style=line_style, label="_", shape=shape)
        name = f"{group.name}: {second.y_title}" if group.name else second.y_title
        ax.plot(
            [],
            [],
            color=line_style.color,
            ls=line_style.dash,
            lw=line_style.width,
            label=legend_name(name),
        )
    mark_axis(right, "y", scales[1], dates=second.dates[1])
    right.set_xlim(x.limits)
    right.set_ylabel(style.short_name(second.y_title, UP, tail=14), **style.PLAIN)
    style.quiet_axes(right)
    right.spines["right"].set_visible(True)


def _second_style(line_style: LineStyle, *, after: int) -> LineStyle:
    known = style.LINES.index(line_style.color) if line_style.color in style.LINES else 0
    color = style.LINES[(known + after) % len(style.LINES)]
    return replace(line_style, color=color, dash=DASH, marker=None)


def multiples_figure(curves: Mapping[str, Curve | str]) -> "Figure":
    """Return small pictures of curves under their names, all with the same ends of both axes.

    Parameters
    ----------
    curves : mapping of str to Curve or str
        A curve by the name of its group, or the reason why it has none, which stands in its place.

    Returns
    -------
    matplotlib.figure.Figure
        A small picture a group.

    Examples
    --------
    >>> import numpy as np
    >>> from plumbline.curves.lines import Line
    >>> from plumbline.curves.presets import CurveSettings
    >>> places = np.array([0.0, 0.5, 1.0])
    >>> line = Line(np.array([np.inf, 0.7, 0.2]), places, places)
    >>> curve = Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", [line])
    >>> figure = multiples_figure({"young": curve, "old": "no rows"})
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['young', 'old']
    """
    columns = min(PANELS_ACROSS, max(1, len(curves)))
    rows = -(-len(curves) // columns)
    drawn: list[Axes] = []
    unnamed: set[str] = set()
    with style.figure_style():
        figure = style.new_figure(columns * PANEL_WIDTH, rows * PANEL_HEIGHT)
        for place, (name, curve) in enumerate(curves.items()):
            ax = figure.add_subplot(rows, columns, place + 1)
            title = style.short_name(name, PANEL_NAME)
            if isinstance(curve, Curve):
                areas = [group.area for group in grouped(curve) if group.area and not group.name]
                unnamed.update(areas)
                title = ", ".join([title, *areas])
                draw_curve(curve, ax, title=False)
                ax.grid(color=style.GRID)
                drawn.append(ax)
            else:
                _draw_reason(curve, ax)
            ax.set_title(title, **style.PLAIN)
        _same_ends(drawn)
        lines = _add_legend(figure, drawn, unnamed)
        height = rows * PANEL_HEIGHT + LEGEND_LINE * lines
        figure.set_size_inches(columns * PANEL_WIDTH, height)
        figure.tight_layout(rect=(0, LEGEND_LINE * lines / height, 1, 1))
    return figure


def _draw_reason(reason: str, ax: "Axes") -> None:
    text = "\n".join(textwrap.wrap(reason, REASON_LETTERS)[:6])
    ax.text(0.5, 0.5, text, ha="center", va="center", color=style.MUTED, **style.PLAIN)
    ax.set(xticks=[], yticks=[])
    style.quiet_axes(ax)


def _same_ends(drawn: "list[Axes]") -> None:
    """Give all axes the ends that hold every curve."""
    for side in ("xlim", "ylim"):
        ends = [getattr(ax, f"get_{side}")() for ax in drawn]
        for ax in drawn:
            getattr(ax, f"set_{side}")(min(low for low, _ in ends), max(high for _, high in ends))


def _add_legend(figure: "Figure", drawn: "list[Axes]", unnamed: set[str]) -> int:
    """Name what lines there are, once for all pictures; return the lines that this takes.

    An area is that of one picture, so no name here has it; `unnamed` are areas of lines without.
    """
    named: dict[str, Any] = {}
    for ax in drawn:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            if label not in unnamed:
                named.setdefault(label.split(", ")[0], handle)
    if len(named) < 2:  # one line explains itself
        return 0
    columns = min(len(named), 4)
    legend = figure.legend(list(named.values()), list(named), loc="lower left", ncols=columns)
    for text in legend.get_texts():
        text.set(**style.PLAIN)
    return -(-len(named) // columns)


@displayed
def draw_difference(result: "CurveDifference", ax: "Axes", *, title: bool = True) -> None:
    """Draw a difference of two curves, its simultaneous band, and thick where that leaves 0 out.

    Labels for a legend are set, the legend is not.

    Parameters
    ----------
    result : CurveDifference
        What `curve_difference` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    title : bool, default True
        Write the title above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.curves.curve_difference import curve_difference
    >>> who = {"model": ["a"] * 4 + ["b"] * 4, "row": [0, 1, 2, 3] * 2}
    >>> score = [0.2, 0.4, 0.6, 0.9, 0.3, 0.6, 0.5, 0.8]
    >>> data = Predictions.from_arrays([0, 1, 0, 1] * 2, score, **who)
    >>> ax = Figure().subplots()
    >>> display = draw_difference(curve_difference(data, "accuracy", resamples=20), ax)
    >>> ax.get_title()
    'b − a'
    """
    shown = np.isfinite(result.x) & np.isfinite(result.difference)
    x, y, low, high = (
        part[shown] for part in (result.x, result.difference, result.low, result.high)
    )
    keep = thinned(x, y)
    x, y, low, high = x[keep], y[keep], low[keep], high[keep]
    band = f"simultaneous {percentage(result.settings.level)} band"
    ax.axhline(0, color=style.MUTED, lw=0.9, ls=(0, (4, 3)), zorder=2)
    ax.fill_between(x, low, high, color=style.BAND, lw=0, zorder=1, label=band)
    dot = "o" if len(x) == 1 else None
    ax.plot(x, y, color=style.POINT, lw=1.2, marker=dot, zorder=3, label="difference")
    apart = np.where((low > 0) | (high < 0), y, np.nan)
    if np.isfinite(apart).any():
        props: dict[str, Any] = {
            "lw": 3.0,
            "solid_capstyle": "butt",
            "marker": ".",
            "ms": 3.0,
            "zorder": 4,
        }
        ax.plot(x, apart, color=style.GAP, label="band excludes 0", **props)
    for side in ("x", "y"):
        plain_numbers(ax, side)
    ax.margins(x=0.02)
    ax.set_xlabel(style.short_name(result.x_title, ACROSS, tail=18), **style.PLAIN)
    what = style.short_name(result.y_title, DIFFERENCE_UP)
    ax.set_ylabel(f"difference of {what}", **style.PLAIN)
    style.quiet_axes(ax)
    if title:
        first, second = (style.short_name(model, 24) for model in result.models)
        ax.set_title(f"{second} − {first}", **style.PLAIN)


def difference_figure(
    result: "CurveDifference", *, title: bool = True, notes: bool = True
) -> "Figure":
    """Return `draw_difference` as a picture of its own, with the verdict and the notes below.

    Parameters
    ----------
    result : CurveDifference
        What `curve_difference` returned.
    title : bool, default True
        Write the title above.
    notes : bool, default True
        Write the verdict and the notes below.

    Returns
    -------
    matplotlib.figure.Figure
        The difference, with a legend.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.curves.curve_difference import curve_difference
    >>> who = {"model": ["a"] * 4 + ["b"] * 4, "row": [0, 1, 2, 3] * 2}
    >>> score = [0.2, 0.4, 0.6, 0.9, 0.3, 0.6, 0.5, 0.8]
    >>> data = Predictions.from_arrays([0, 1, 0, 1] * 2, score, **who)
    >>> figure = difference_figure(curve_difference(data, "accuracy", resamples=20))
    >>> figure.axes[0].get_ylabel()
    'difference of accuracy'
    """
    shown = result.present()
    with style.figure_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_difference(result, ax, title=title)
        ax.grid(color=style.GRID)
        lay_out(figure, WIDE, DIFFERENCE_TALL, notes=[shown.summary, *shown.notes] if notes else [])
    return figure
