"""The distribution of a count if its probability is true, and the count that was observed."""

from typing import TYPE_CHECKING

import numpy as np

from plumbline import formatting
from plumbline.calibration_tests.calibration_test import CountTest
from plumbline.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_count_null(result: CountTest, ax: "Axes", *, title: bool = True) -> None:
    """Draw the probability of every count if the probability is true, and the observed count.

    The counts from the observed one on, whose probabilities add up to the p-value, stand on a
    shaded ground. `title` puts the p-value above.

    >>> from matplotlib.figure import Figure
    >>> from plumbline.calibration_tests import count_test
    >>> ax = Figure().subplots()
    >>> draw_count_null(count_test(8, 10, probability=1 / 6), ax)
    >>> ax.get_title()
    'P(at least 8 of 10) = 1.94 × 10⁻⁵'
    """
    counts = np.arange(result.trials + 1)
    ax.bar(
        counts, result.null, 0.86, color=style.DRAWS, label="if the probability is true", zorder=2
    )
    ax.axvspan(
        result.happened - 0.5,
        result.trials + 0.5,
        facecolor=style.BAND,
        lw=0,
        zorder=0,
        label=f"{result.happened} or more",
    )
    ax.axvline(result.happened, color=style.GAP, lw=2, zorder=3, label=_observed(result))
    ax.set(xlim=(-0.5, result.trials + 0.5), ylim=(0, 1.08 * result.null.max()))
    if len(counts) <= 31:
        ax.set_xticks(counts)
    ax.set_xlabel(f"how often it happens in {result.trials:,} trials")
    ax.set_ylabel("probability")
    style.quiet_axes(ax)
    if title:
        ax.set_title(_p_value(result), **style.PLAIN)


def count_null_figure(result: CountTest) -> "Figure":
    """Return `draw_count_null` as a picture of its own, with its legend above.

    >>> from plumbline.calibration_tests import count_test
    >>> len(count_null_figure(count_test(8, 10, probability=1 / 6)).axes)
    1
    """
    width, height = 5.0, 2.6
    with style.house_style():
        figure = style.new_figure(width, height)
        ax = figure.add_axes((0.115, 0.46 / height, 0.855, 1.6 / height))
        draw_count_null(result, ax, title=False)
        ax.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2, handlelength=1.4
        )
        ax.set_title(_p_value(result), pad=22, **style.PLAIN)
    return figure


def _observed(result: CountTest) -> str:
    return f"observed: {result.happened}"


def _p_value(result: CountTest) -> str:
    tail = f"P(at least {result.happened:,} of {result.trials:,})"
    return f"{tail}{formatting.typeset(formatting.p_equals(result.p_value)).removeprefix('p')}"
