"""What a drawing function returns: the axes and what was drawn, readable on dark axes too."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec

from plumbline.plots import style
from plumbline.plots.style import ROLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

P = ParamSpec("P")

# The colours of the roles on dark pages (reporting/templates/page.css), for axes that are dark.
DARK = {
    "ink": "#dde1e4",
    "muted": "#8e99a4",
    "grid": "#2a3036",
    "band": "#33475a",
    "draws": "#76838f",
    "point": "#56b4e9",
    "gap": "#f08a3c",
    "line3": "#f3e3b3",
    "line4": "#a878f5",
    "line5": "#8a976b",
    "line6": "#e0489f",
    "line7": "#e6b8d2",
    "line8": "#38c9a8",
}
MIDDLE = 0.5  # luminance between dark and light axes
SIDE = 4.0  # inches of the axes that are made where none are given


@dataclass(frozen=True, eq=False)
class Display:
    """A picture on axes of matplotlib; another one can be drawn on the same axes.

    Attributes
    ----------
    ax_ : the axes
    figure_ : their figure
    name : what the legend calls it, None without a legend
    drawn_ : what the function drew that others need, such as the mesh of a colour bar
    """

    ax_: "Axes"
    figure_: "Figure"
    name: str | None = None
    drawn_: Any = None

    def _repr_png_(self) -> Any:
        """Show the picture in a notebook, where pyplot does not know the figure and shows it."""
        shown = getattr(self.figure_, "_repr_png_", None)
        return None if shown is None else shown()


def axes_or_new(ax: "Axes | None") -> "Axes":
    """Return axes as given, else those of a figure of their own."""
    if ax is not None:
        return ax
    with style.figure_style():
        figure = style.new_figure(1.2 * SIDE, 1.1 * SIDE)
        figure.set_layout_engine("constrained")
        made: Axes = figure.add_subplot()
        made.grid(color=style.GRID)
    return made


def display_of(ax: "Axes", *, name: str | None = None, drawn: Any = None) -> Display:
    """Return the display of what has just been drawn; on dark axes it takes their colours."""
    _follow_background(ax)
    figure: Any = ax.get_figure(root=True)
    return Display(ax, figure, name, drawn)


def displayed(draw: Callable[P, Any]) -> Callable[P, Display]:
    """Return a drawing function that returns a display of its axes."""
    signature = inspect.signature(draw)

    @functools.wraps(draw)
    def shown(*args: P.args, **named: P.kwargs) -> Display:
        drawn = draw(*args, **named)
        return display_of(signature.bind(*args, **named).arguments["ax"], drawn=drawn)

    return shown


def next_color(ax: "Axes") -> str:
    """Return the first colour for models that no line of the axes has."""
    from matplotlib.colors import to_hex

    used = {to_hex(line.get_color()) for line in ax.lines}
    roles = {colour: role for role, colour in ROLES.items()}
    free = [one for one in style.LINES if not {one, DARK[roles[one]]} & used]
    return free[0] if free else style.DRAWS


# ------------------------------------------------------------------ dark axes


def _follow_background(ax: "Axes") -> None:
    """Give what is drawn in the colours of our roles their dark twins, where the axes are dark."""
    from matplotlib.colors import to_hex

    figure: Any = ax.get_figure(root=True)
    own: Any = ax.get_facecolor()
    ground = own if own[3] > MIDDLE else figure.get_facecolor()
    if ground[3] <= MIDDLE or _luminance(ground) > MIDDLE:
        return
    twins = {ROLES[role]: dark for role, dark in DARK.items()} | {style.PAPER: to_hex(ground)}
    for one in figure.axes:
        if one is ax or one.bbox.bounds == ax.bbox.bounds:  # a second axis lies over the first
            for artist in one.findobj():
                _recolour(artist, twins)


def _luminance(colour: Any) -> float:
    red, green, blue = colour[:3]
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def _recolour(artist: Any, twins: dict[str, str]) -> None:
    """Replace the colours of an artist; its opacity stays.

    White is paper where it fills something. White lines and texts are those of a dark style.
    """
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.spines import Spine
    from matplotlib.text import Text

    parts: tuple[str, ...]
    if isinstance(artist, Line2D):
        parts = ("color", "markerfacecolor", "markeredgecolor")
    elif isinstance(artist, Text):
        parts = ("color",)
    elif isinstance(artist, Patch | Collection):
        mapped = isinstance(artist, Collection) and artist.get_array() is not None
        parts = ("edgecolor",) if mapped else ("facecolor", "edgecolor")
    else:
        return
    lines = {one: dark for one, dark in twins.items() if one != style.PAPER}
    for part in parts:
        old = getattr(artist, f"get_{part}")()
        fills = isinstance(artist, Patch | Collection) or part == "markerfacecolor"
        new = _twin(old, twins if fills and not isinstance(artist, Spine) else lines)
        if new is not None:
            getattr(artist, f"set_{part}")(new)


def _twin(colour: Any, twins: dict[str, str]) -> Any:
    """Return the dark twin of a colour, of several a list; None where it has none."""
    from matplotlib.colors import to_hex, to_rgba, to_rgba_array

    if isinstance(colour, str) and colour in ("none", "auto"):
        return None
    if getattr(colour, "ndim", 1) == 2:
        rows = to_rgba_array(colour)
        new = [_twin(tuple(row), twins) or tuple(row) for row in rows]
        return new if any(tuple(a) != tuple(b) for a, b in zip(new, rows, strict=True)) else None
    rgba = to_rgba(colour)
    dark = twins.get(to_hex(rgba))
    return None if dark is None else to_rgba(dark, rgba[3])
