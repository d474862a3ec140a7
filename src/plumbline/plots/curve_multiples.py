"""The same curve of several groups of rows, side by side on common axes."""

import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plumbline.curves.lines import Curve
from plumbline.plots import style
from plumbline.plots.curves import draw_curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ACROSS = 3  # pictures beside each other
SIDE, WIDE = 2.5, 3.0  # inches of a place: a square's side, the width of others
LEGEND = 0.22  # inches of a line of the legend
LETTERS, NAME = 30, 34  # letters of a line of a reason; of a name


def multiples_figure(curves: Mapping[str, Curve | str]) -> "Figure":
    """Return small pictures of curves under their names, all with the same ends of both axes.

    A group without a curve is given as the reason, which stands in its place.

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
    columns = min(ACROSS, max(1, len(curves)))
    rows = -(-len(curves) // columns)
    drawn: list[Axes] = []
    with style.house_style():
        figure = style.new_figure(columns * WIDE, rows * SIDE)
        for place, (name, curve) in enumerate(curves.items()):
            ax = figure.add_subplot(rows, columns, place + 1)
            if isinstance(curve, Curve):
                draw_curve(curve, ax, title=False)
                ax.grid(color=style.GRID)
                drawn.append(ax)
            else:
                _say(curve, ax)
            ax.set_title(style.short_name(name, NAME), **style.PLAIN)
        _same_ends(drawn)
        lines = _add_legend(figure, drawn)
        height = rows * SIDE + LEGEND * lines
        figure.set_size_inches(columns * WIDE, height)
        figure.tight_layout(rect=(0, LEGEND * lines / height, 1, 1))
    return figure


def _say(reason: str, ax: "Axes") -> None:
    text = "\n".join(textwrap.wrap(reason, LETTERS)[:6])
    ax.text(0.5, 0.5, text, ha="center", va="center", color=style.MUTED, **style.PLAIN)
    ax.set(xticks=[], yticks=[])
    style.quiet_axes(ax)


def _same_ends(drawn: "list[Axes]") -> None:
    """Give all axes the ends that hold every curve."""
    for side in ("xlim", "ylim"):
        ends = [getattr(ax, f"get_{side}")() for ax in drawn]
        for ax in drawn:
            getattr(ax, f"set_{side}")(min(low for low, _ in ends), max(high for _, high in ends))


def _add_legend(figure: "Figure", drawn: "list[Axes]") -> int:
    """Name what lines there are, once for all pictures; return the lines that this takes.

    An area is that of one picture, so no name here has it.
    """
    named: dict[str, Any] = {}
    for ax in drawn:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            named.setdefault(label.split(", ")[0], handle)
    if len(named) < 2:  # one line explains itself
        return 0
    columns = min(len(named), 4)
    legend = figure.legend(list(named.values()), list(named), loc="lower left", ncols=columns)
    for text in legend.get_texts():
        text.set(**style.PLAIN)
    return -(-len(named) // columns)
