"""The p-values of a test on many data sets: how often it rejects, and where the others fall."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.plots import style
from plumbline.power.power_study import PValues

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BARS = 20
ROUNDING = 1e-9
TAILS = ("upper", "lower")
VIEWS = {"cw": "classwise", "cf": "top-label"}


def draw_p_values(result: PValues, ax: "Axes", *, tail: str = "upper", title: bool = True) -> None:
    """Draw the p-values of many data sets as a histogram, coloured where the test rejects.

    The p-values are those of the upper tail, in twenty bars. `tail` says which tail's rejections
    are coloured: "upper" ones are p-values near 0, "lower" ones near 1. The dashed line is how high
    the bars of a calibrated classifier would be. `title` puts the power above. Raises
    ParameterError for an unknown tail.

    >>> from matplotlib.figure import Figure
    >>> from plumbline.power import p_values
    >>> ax = Figure().subplots()
    >>> draw_p_values(p_values(1, datasets=50), ax)
    >>> ax.get_ylabel()
    'data sets of 50'
    """
    which = TAILS.index(one_of("tail", tail, TAILS))
    bar = _bars(result.values, tail)
    rejected = result.rejected[:, which]
    found = np.bincount(bar[rejected], minlength=BARS)
    others = np.bincount(bar[~rejected], minlength=BARS)
    left = np.arange(BARS) / BARS
    look: dict[str, Any] = {"align": "edge", "edgecolor": style.PAPER, "lw": 0.5}
    ax.bar(left, found, 1 / BARS, color=style.GAP, label=_share(result, which), **look)
    ax.bar(left, others, 1 / BARS, bottom=found, color=style.DRAWS, label="does not reject", **look)
    flat = result.datasets / BARS
    ax.axhline(flat, color=style.INK, lw=0.9, ls=(0, (4, 3)), label="if the probabilities are true")
    ax.set(xlim=(0, 1), ylim=(0, 1.08 * max((found + others).max(), flat)))
    ax.set_xlabel("p-value of the upper tail")
    ax.set_ylabel(f"data sets of {result.datasets:,}")
    style.quiet_axes(ax)
    if title:
        ax.set_title(_heading(result), **style.PLAIN)


def p_values_figure(results: Mapping[str, PValues], *, tail: str = "upper") -> "Figure":
    """Return the histograms of several tests side by side; the names stand above.

    >>> from plumbline.power import p_values
    >>> [ax.get_title(loc="left") for ax in p_values_figure({"a": p_values(1, datasets=50)}).axes]
    ['a']
    """
    each, left, height = 4.6, 0.62, 3.1
    width = each * len(results)
    with style.house_style():
        figure = style.new_figure(width, height)
        for place, (name, result) in enumerate(results.items()):
            corner = ((each * place + left) / width, 0.46 / height)
            ax = figure.add_axes((*corner, (each - left - 0.15) / width, 1.65 / height))
            draw_p_values(result, ax, tail=tail, title=False)
            ax.set_title(name, pad=54, **style.PLAIN)
            ax.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, handlelength=1.4)
    return figure


def _bars(values: NDArray[np.float64], tail: str) -> NDArray[np.int64]:
    """Return the bar of every p-value; one between two belongs to that nearer to the tail."""
    place = values * BARS
    bar = np.ceil(place - ROUNDING) - 1 if tail == "upper" else np.floor(place + ROUNDING)
    return np.asarray(np.clip(bar, 0, BARS - 1).astype(np.int64))


def _share(result: PValues, tail: int) -> str:
    share = (result.power, result.power_lower)[tail]
    return f"{TAILS[tail]} tail rejects at {result.level:g}: {100 * share:.1f} %"


def _heading(result: PValues) -> str:
    """Return the experiment and the test in a few words."""
    test = f"{VIEWS[result.view]}, {result.distance}, {result.placement}:{result.bins}"
    return f"experiment {result.experiment}: {test}"
