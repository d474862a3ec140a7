"""The look of every picture: colours by role, sizes, and how text from data becomes a label."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from plumbline._checks import need_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

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


@contextmanager
def house_style() -> Iterator[None]:
    """Make and save pictures in one look; the caller's settings are as before afterwards."""
    style = need_extra("matplotlib.style", "plot", "a picture")
    with style.context(["default", _STYLE]):
        yield


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure of this size in inches, without pyplot and its list of figures."""
    figure: Figure = need_extra("matplotlib.figure", "plot", "a picture").Figure((width, height))
    return figure


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
