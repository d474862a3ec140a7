"""The difference of two models' curves, with the band that holds all of it at once."""

from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline.plots import style
from plumbline.plots.curve_axes import plain_numbers
from plumbline.plots.curve_lines import thinned
from plumbline.plots.layout import lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.curves.curve_difference import CurveDifference

WIDE, TALL = 5.0, 2.6  # inches of the axes
ACROSS, UP = 52, 24  # letters of a title along either axis


def draw_difference(result: "CurveDifference", ax: "Axes", *, title: bool = True) -> None:
    """Draw a difference of two curves, its simultaneous band, and thick where that leaves 0 out.

    Labels for a legend are set, the legend is not.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.curves.curve_difference import curve_difference
    >>> who = {"model": ["a"] * 4 + ["b"] * 4, "row": [0, 1, 2, 3] * 2}
    >>> score = [0.2, 0.4, 0.6, 0.9, 0.3, 0.6, 0.5, 0.8]
    >>> data = Predictions.from_arrays([0, 1, 0, 1] * 2, score, **who)
    >>> ax = Figure().subplots()
    >>> draw_difference(curve_difference(data, "accuracy", resamples=20), ax)
    >>> ax.get_title()
    'b − a'
    """
    shown = np.isfinite(result.x) & np.isfinite(result.difference)
    x, y, low, high = (
        part[shown] for part in (result.x, result.difference, result.low, result.high)
    )
    keep = thinned(x, y)
    x, y, low, high = x[keep], y[keep], low[keep], high[keep]
    band = f"{100 * result.settings.level:g} % band of all at once"
    ax.axhline(0, color=style.MUTED, lw=0.9, ls=(0, (4, 3)), zorder=2)
    ax.fill_between(x, low, high, color=style.BAND, lw=0, zorder=1, label=band)
    dot = "o" if len(x) == 1 else None
    ax.plot(x, y, color=style.POINT, lw=1.2, marker=dot, zorder=3, label="difference")
    apart = np.where((low > 0) | (high < 0), y, np.nan)
    if np.isfinite(apart).any():
        look: dict[str, Any] = {
            "lw": 3.0,
            "solid_capstyle": "butt",
            "marker": ".",
            "ms": 3.0,
            "zorder": 4,
        }
        ax.plot(x, apart, color=style.GAP, label="band leaves 0 out", **look)
    for side in ("x", "y"):
        plain_numbers(ax, side)
    ax.margins(x=0.02)
    ax.set_xlabel(style.short_name(result.x_title, ACROSS, tail=18), **style.PLAIN)
    what = style.short_name(result.y_title, UP)
    ax.set_ylabel(f"difference of {what}", **style.PLAIN)
    style.quiet_axes(ax)
    if title:
        first, second = (style.short_name(model, 24) for model in result.models)
        ax.set_title(f"{second} − {first}", **style.PLAIN)


def difference_figure(
    result: "CurveDifference", *, title: bool = True, notes: bool = True
) -> "Figure":
    """Return `draw_difference` as a picture of its own, with the verdict and the notes below.

    >>> from plumbline import Predictions
    >>> from plumbline.curves.curve_difference import curve_difference
    >>> who = {"model": ["a"] * 4 + ["b"] * 4, "row": [0, 1, 2, 3] * 2}
    >>> score = [0.2, 0.4, 0.6, 0.9, 0.3, 0.6, 0.5, 0.8]
    >>> data = Predictions.from_arrays([0, 1, 0, 1] * 2, score, **who)
    >>> figure = difference_figure(curve_difference(data, "accuracy", resamples=20))
    >>> figure.axes[0].get_ylabel()
    'difference of accuracy'
    """
    texts = [f"{note.rstrip('.')}." for note in (result.verdict, *result.notes)]
    with style.house_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_difference(result, ax, title=title)
        ax.grid(color=style.GRID)
        lay_out(figure, WIDE, TALL, notes=texts if notes else [])
    return figure
