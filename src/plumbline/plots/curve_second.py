"""A second curve over the same x, on an axis of its own to the right."""

from dataclasses import replace
from typing import TYPE_CHECKING

from plumbline.curves.lines import Curve
from plumbline.plots import style
from plumbline.plots.curve_axes import Scale, mark_axis, scale_of
from plumbline.plots.curve_lines import Look, draw_line, grouped
from plumbline.plots.layout import legend_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASH = (0, (4, 2))
UP = 40  # letters of its title


def draw_second(second: Curve, ax: "Axes", x: Scale) -> None:
    """Draw the lines of a second curve dashed, in the colours of the first one's lines.

    A single line has a colour of its own. The legend is told of them on the first axes.
    """
    right = ax.twinx()
    scales = x, scale_of([line.y for line in second.lines])
    groups = grouped(second)
    stepped = second.shape == "step" and second.settings.average in ("merge", "none")
    for group in groups:
        look = _look(group.look, alone=len(groups) == 1)
        for line in group.lines:
            if len(line):
                draw_line(line, right, scales, look=look, label="_", stepped=stepped)
        name = f"{group.name}: {second.y_title}" if group.name else second.y_title
        ax.plot([], [], color=look.color, ls=look.dash, lw=look.width, label=legend_name(name))
    mark_axis(right, "y", scales[1])
    right.set_xlim(x.limits)
    right.set_ylabel(style.short_name(second.y_title, UP, tail=14), **style.PLAIN)
    style.quiet_axes(right)
    right.spines["right"].set_visible(True)


def _look(look: Look, *, alone: bool) -> Look:
    color = style.LINES[1] if alone else look.color
    return replace(look, color=color, dash=DASH, marker=None)
