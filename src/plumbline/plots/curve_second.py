"""A second curve over the same x, on an axis of its own to the right."""

from dataclasses import replace
from typing import TYPE_CHECKING

from plumbline.curves.lines import Curve
from plumbline.plots import style
from plumbline.plots.curve_axes import Scale, mark_axis, scale_of
from plumbline.plots.curve_lines import Look, draw_line, drawn_shape, grouped
from plumbline.plots.layout import legend_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASH = (0, (10, 2.5))  # that of no model
UP = 40  # letters of its title


def draw_second(second: Curve, ax: "Axes", x: Scale) -> None:
    """Draw the lines of a second curve in long dashes, in the colours after the first one's.

    The legend is told of them on the first axes.
    """
    right = ax.twinx()
    scales = x, scale_of([line.y for line in second.lines])
    groups = grouped(second)
    shape = drawn_shape(second)
    for group in groups:
        look = _look(group.look, after=len(groups))
        for line in group.lines:
            if len(line):
                draw_line(line, right, scales, look=look, label="_", shape=shape)
        name = f"{group.name}: {second.y_title}" if group.name else second.y_title
        ax.plot([], [], color=look.color, ls=look.dash, lw=look.width, label=legend_name(name))
    mark_axis(right, "y", scales[1], dates=second.dates[1])
    right.set_xlim(x.limits)
    right.set_ylabel(style.short_name(second.y_title, UP, tail=14), **style.PLAIN)
    style.quiet_axes(right)
    right.spines["right"].set_visible(True)


def _look(look: Look, *, after: int) -> Look:
    known = style.LINES.index(look.color) if look.color in style.LINES else 0
    color = style.LINES[(known + after) % len(style.LINES)]
    return replace(look, color=color, dash=DASH, marker=None)
