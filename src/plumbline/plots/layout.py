"""The size of a picture: axes as large as asked, and around them the room that words need."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plumbline.formatting import counted
from plumbline.plots import style
from plumbline.plots.export import silent_about_missing_glyphs

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

TOP, RIGHT, EDGE, GAP = 0.36, 0.15, 0.08, 0.1  # inches above, beside, at the rim, between parts
NOTE, LETTERS = 0.16, 15.5  # inches that a line of notes takes; letters an inch of it has
MOST_LINES, MOST_COLUMNS = 6, 6


@silent_about_missing_glyphs()  # measuring a text is not yet drawing it
def lay_out(figure: "Figure", wide: float, tall: float, *, notes: Sequence[str] = ()) -> None:
    """Give a picture of one place its size, with legend and notes below, never over data.

    `wide` and `tall` are the inches of the axes; what their numbers, names and titles need, and the
    legend of what they hold, is measured. Long notes are cut after six lines. Further axes lie over
    the first.
    """
    ax, *over = figure.axes
    dpi = figure.get_dpi()
    figure.set_size_inches(wide, tall)
    for one in figure.axes:
        one.set_position((0, 0, 1, 1))
    upright, level = ax.yaxis.get_tightbbox(), ax.xaxis.get_tightbbox()
    left = EDGE - min(upright.x0, level.x0, 0.0) / dpi if upright and level else EDGE
    bottom = EDGE - min(level.y0, 0.0) / dpi if level else EDGE
    ends = [box.x1 for box in (level, *(one.yaxis.get_tightbbox() for one in over)) if box]
    right = max([RIGHT, *(end / dpi - wide + EDGE for end in ends)])
    width = left + wide + right
    lines = _cut(
        [line for note in notes for line in textwrap.wrap(note, int(LETTERS * width))], len(notes)
    )
    low = EDGE + NOTE * len(lines)
    legend = _legend(figure, (width - left) * dpi)
    legend_tall = 0.0 if legend is None else legend.get_window_extent().height / dpi + GAP
    foot = low + legend_tall if lines or legend else 0.0
    height = TOP + tall + bottom + foot
    figure.set_size_inches(width, height)
    for one in figure.axes:
        one.set_position((left / width, (bottom + foot) / height, wide / width, tall / height))
    if legend is not None:
        legend.set_bbox_to_anchor((left / width, low / height), figure.transFigure)
    for number, text in enumerate(reversed(lines)):
        figure.text(
            EDGE / width,
            (EDGE + NOTE * number) / height,
            text,
            color=style.MUTED,
            fontsize=7.2,
            **style.PLAIN,
        )


def _cut(lines: list[str], notes: int) -> list[str]:
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[: MOST_LINES - 1], f"… and more ({counted(notes, 'note')} in all)"]


def _legend(figure: "Figure", room: float) -> "Legend | None":
    """Return a legend of as many columns as fit into so many pixels; None where there is none."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    if not labels:
        return None
    look: dict[str, Any] = {"handlelength": 2.2, "columnspacing": 1.2, "labelspacing": 0.3}
    columns = min(len(labels), MOST_COLUMNS)
    while True:
        legend = figure.legend(
            handles, labels, loc="lower left", ncols=columns, borderaxespad=0, borderpad=0, **look
        )
        for text in legend.get_texts():  # names are no mathematics
            text.set(**style.PLAIN)
        if columns == 1 or legend.get_window_extent().width <= room:
            return legend
        legend.remove()
        columns -= 1


def legend_name(name: str) -> str:
    """Return a short name for a legend; one that begins with "_" would be left out of it.

    >>> legend_name("_tree")
    ' _tree'
    """
    short = style.short_name(name)
    return f" {short}" if short.startswith("_") else short
