"""The style of every figure: colours by role, size and legend, and text from data as labels."""

import math
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plumbline._checks import need_extra
from plumbline.formatting import counted
from plumbline.plots.fonts import MissingLettersWarning, find_fonts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend


# Okabe and Ito's blue and vermillion, which every kind of colour vision tells apart, and greys of
# clearly different lightness. Each colour is used for one role and is unlike all the others, so
# that `figure_svg` can hand the roles over to the style sheet of a page.
INK = "#1f2429"
MUTED = "#66707b"
GRID = "#dfe3e8"
PAPER = "#ffffff"
BAND = "#c9d6e3"
DRAWS = "#8d99a6"
POINT = "#0072b2"
GAP = "#d55e00"
ROLES = {
    "ink": INK,
    "muted": MUTED,
    "grid": GRID,
    "paper": PAPER,
    "band": BAND,
    "draws": DRAWS,
    "point": POINT,
    "gap": GAP,
}
# Lines of several models or classes. Under every kind of colour vision any two of them differ by
# 25 or more in CIE Lab, and each is at least 3 : 1 against paper; dashes and markers tell them
# apart in grey.
LINES = (POINT, GAP, "#3b2901", "#8b3ff0", "#8a976b", "#7d0f5e", "#b37ea0", "#1b1192")
ROLES |= {f"line{number}": colour for number, colour in enumerate(LINES[2:], start=3)}

# Text that comes from data is never read as mathematics ("$x$") or as LaTeX ("a_b", "50 %").
PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}

_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 9.5,
    "font.size": 9,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "plumbline",
    "text.color": INK,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 8.5,
    "xtick.major.width": 0.7,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 8.5,
    "ytick.major.width": 0.7,
}

TOP, RIGHT = 0.36, 0.15  # inches above and beside the axes
RIM, LEGEND_GAP = 0.08, 0.1  # inches at the rim of the figure, and above its legend
NOTE, LETTERS = 0.16, 15.5  # inches that a line of notes takes; letters an inch of it has
MOST_LINES, MOST_COLUMNS = 6, 6  # of notes, and columns of a legend; conventions


@contextmanager
def figure_style() -> Iterator[None]:
    """Make and save pictures in one style; the caller's settings are as before afterwards."""
    style = need_extra("matplotlib.style", "plot", "a picture")
    with style.context(["default", _STYLE]):
        yield


@contextmanager
def silent_about_missing_glyphs() -> Iterator[None]:
    """Do not give matplotlib's warnings of letters that a font lacks: ours names the texts."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph \d+")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield


@contextmanager
def fonts_of_the_viewer() -> Iterator[None]:
    """Give no warning of letters without a font: text stays text, and the viewer draws it."""
    with silent_about_missing_glyphs():
        warnings.simplefilter("ignore", MissingLettersWarning)
        yield


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure of this size in inches, without pyplot and its list of figures."""
    need_extra("matplotlib.figure", "plot", "a picture")
    from plumbline.plots.lettered_figure import LetteredFigure

    return LetteredFigure((width, height))


def diverging() -> "Colormap":
    """Return the colours of a number with a sign: below zero, zero, above zero.

    They fade by opacity, so that a page in the dark can give both roles its own colours.
    """
    colors = need_extra("matplotlib.colors", "plot", "a picture")
    ends = [(0.0, (POINT, 1.0)), (0.5, (POINT, 0.0)), (0.5, (GAP, 0.0)), (1.0, (GAP, 1.0))]
    scale: Colormap = colors.LinearSegmentedColormap.from_list("sign", ends)
    return scale


def short_name(name: object, width: int = 28, tail: int = 10) -> str:
    """Return a name on one line that fits beside a picture: what is too long loses its middle.

    >>> short_name("a very long name of a class indeed", 16, tail=6)
    'a very lo…indeed'
    """
    text = " ".join("".join(c if c.isprintable() else " " for c in str(name)).split())
    if len(text) <= width:
        return text
    return f"{text[: width - tail - 1].rstrip()}…{text[-tail:]}"


def quiet_axes(ax: "Axes") -> None:
    """Keep only the two axes that carry numbers, whatever the caller's style."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def count_whole(ax: "Axes") -> None:
    """Put ticks on whole numbers alone: there is no half of a row."""
    from matplotlib.ticker import MaxNLocator

    ax.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10], integer=True))


def draw_estimate(
    value: float, ends: Sequence[float], place: int, ax: "Axes", *, colour: str, filled: bool
) -> None:
    """Draw a number and its interval on a line of a figure, as far as they are numbers.

    An infinite one is an arrow at the side where it lies.
    """
    props: dict[str, Any] = {"mec": colour, "ms": 5.5, "mew": 1.3, "zorder": 3}
    props["mfc"] = colour if filled else PAPER
    if all(map(math.isfinite, ends)):
        ax.plot(ends, [place, place], color=colour, lw=1.6, zorder=2)
    if math.isfinite(value):
        ax.plot([value], [place], "o", **props)
    elif math.isinf(value):
        marker, end = (">", 0.98) if value > 0 else ("<", 0.02)
        across = ax.get_yaxis_transform()
        ax.plot([end], [place], marker, transform=across, clip_on=False, **props)


@silent_about_missing_glyphs()  # measuring a text is not yet drawing it
def write_cell(ax: "Axes", place: float, text: str, right: float, colour: str) -> None:
    """Write a cell of a table beside the axes, `right` inches from their edge."""
    ax.annotate(
        text,
        (1.0, place),
        (72 * right, 0),
        xycoords=("axes fraction", "data"),
        ha="right",
        textcoords="offset points",
        va="center",
        color=colour,
        fontsize=8.5,
        annotation_clip=False,
        **PLAIN,
    )


def write_below(figure: "Figure", lines: Sequence[str]) -> None:
    """Write lines at the foot of a figure that has left them 0.16 inches each."""
    width, height = figure.get_size_inches()
    for number, text in enumerate(reversed(lines)):
        corner = 0.08 / width, (0.08 + 0.16 * number) / height
        figure.text(*corner, text, color=MUTED, fontsize=7.2, **PLAIN)


@silent_about_missing_glyphs()
def lay_out(figure: "Figure", wide: float, tall: float, *, notes: Sequence[str] = ()) -> None:
    """Give a picture of one place its size, with legend and notes below, never over data.

    `wide` and `tall` are the inches of the axes; what their numbers, names and titles need, and the
    legend of what they hold, is measured. Long notes are cut after six lines. Further axes lie over
    the first.
    """
    find_fonts(figure)
    ax, *over = figure.axes
    dpi = figure.get_dpi()
    figure.set_size_inches(wide, tall)
    for one in figure.axes:
        one.set_position((0, 0, 1, 1))
    upright, level = ax.yaxis.get_tightbbox(), ax.xaxis.get_tightbbox()
    left = RIM - min(upright.x0, level.x0, 0.0) / dpi if upright and level else RIM
    bottom = RIM - min(level.y0, 0.0) / dpi if level else RIM
    ends = [box.x1 for box in (level, *(one.yaxis.get_tightbbox() for one in over)) if box]
    right = max([RIGHT, *(end / dpi - wide + RIM for end in ends)])
    width = left + wide + right
    lines = _cut(
        [line for note in notes for line in textwrap.wrap(note, int(LETTERS * width))], len(notes)
    )
    low = RIM + NOTE * len(lines)
    legend = _add_legend(figure, (width - left) * dpi)
    legend_tall = 0.0 if legend is None else legend.get_window_extent().height / dpi + LEGEND_GAP
    foot = low + legend_tall if lines or legend else 0.0
    height = TOP + tall + bottom + foot
    figure.set_size_inches(width, height)
    for one in figure.axes:
        one.set_position((left / width, (bottom + foot) / height, wide / width, tall / height))
    if legend is not None:
        legend.set_bbox_to_anchor((left / width, low / height), figure.transFigure)
    for number, text in enumerate(reversed(lines)):
        figure.text(
            RIM / width,
            (RIM + NOTE * number) / height,
            text,
            color=MUTED,
            fontsize=7.2,
            **PLAIN,
        )


def _cut(lines: list[str], notes: int) -> list[str]:
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[: MOST_LINES - 1], f"… and more ({counted(notes, 'note')} in all)"]


def _add_legend(figure: "Figure", room: float) -> "Legend | None":
    """Return a legend of as many columns as fit into so many pixels; None where there is none."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    if not labels:
        return None
    props: dict[str, Any] = {"handlelength": 2.2, "columnspacing": 1.2, "labelspacing": 0.3}
    columns = min(len(labels), MOST_COLUMNS)
    while True:
        legend = figure.legend(
            handles, labels, loc="lower left", ncols=columns, borderaxespad=0, borderpad=0, **props
        )
        for text in legend.get_texts():  # names are no mathematics
            text.set(**PLAIN)
        if columns == 1 or legend.get_window_extent().width <= room:
            return legend
        legend.remove()
        columns -= 1


def legend_name(name: str) -> str:
    """Return a short name for a legend; one that begins with "_" would be left out of it.

    >>> legend_name("_tree")
    ' _tree'
    """
    short = short_name(name)
    return f" {short}" if short.startswith("_") else short
