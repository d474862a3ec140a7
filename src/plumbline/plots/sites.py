"""Sites beside each other: a forest plot of each measure, with the mean and a new site below."""

import math
import textwrap
from typing import TYPE_CHECKING

from plumbline import formatting
from plumbline._checks import one_of
from plumbline.plots import style
from plumbline.plots.display import displayed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.group_calibration import CalibrationHeterogeneity

PANEL, GAP = 1.75, 0.3  # inches of the axes of a measure, and between two
LETTER = 0.07  # inches of a letter
ROW, TALLEST = 0.24, 12.0  # inches of a site where there are few, and of all of them
CLOSE, FAR = 0.1, 0.6  # between edge and outermost estimate, as a share of the range of all


@displayed
def draw_sites(
    result: "CalibrationHeterogeneity", ax: "Axes", *, measure: str = "slope", names: bool = True
) -> None:
    """Draw one line a site, below them the mean and the prediction interval of a new site.

    A larger point is a site with more weight. Intervals that are far wider than the range of the
    estimates are cut off at the edge. The dashed line is the value of a calibrated model.

    Parameters
    ----------
    result : CalibrationHeterogeneity
        What `calibration_heterogeneity` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    measure : {"shift", "slope", "log_oe", "logit_auc"}, default "slope"
        The measure to draw. O/E stands on a log scale, the AUC as it is.
    names : bool, default True
        Write the names of the sites.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For another measure.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline import calibration_heterogeneity
    >>> p, y = np.tile([0.2, 0.4, 0.6, 0.8], 30), np.tile([0, 1, 0, 1, 0, 0, 1, 1], 15)
    >>> data = Predictions.from_arrays(y, p, attributes={"site": np.repeat(["a", "b", "c"], 40)})
    >>> ax = Figure().subplots()
    >>> display = draw_sites(calibration_heterogeneity(data, "site", resamples=19), ax)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b', 'c', 'mean', 'new site']
    """
    from scipy.special import ndtri

    one_of("measure", measure, [row["measure"] for row in result.measures])
    own = next(row for row in result.measures if row["measure"] == measure)
    show = result.scale(measure)
    z = float(ndtri((1.0 + result.level) / 2.0))
    known = [
        (place, row[measure], row[f"{measure}_se"])
        for place, row in enumerate(result.sites)
        if row[measure] is not None
    ]
    most = max((1.0 / (se**2 + (own["tau"] or 0.0) ** 2) for _, _, se in known), default=1.0)
    if measure != "logit_auc":
        ideal = show(1.0 if measure == "slope" else 0.0)
        ax.axvline(ideal, color=style.MUTED, lw=0.9, ls=(0, (4, 3)), zorder=1)
    for place, value, se in known:
        line = [show(value - z * se), show(value + z * se)]
        weight = 1.0 / (se**2 + (own["tau"] or 0.0) ** 2) / most
        ax.plot(line, [place, place], color=style.POINT, lw=1.4, zorder=2)
        size = 3.0 + 3.5 * weight**0.5
        ax.plot([show(value)], [place], "s", color=style.POINT, ms=size, zorder=3)
    count = len(result.sites)
    spread = [show(value) for _, value, _ in known]
    ends = [show(value + side * z * se) for _, value, se in known for side in (-1, 1)]
    if own["mean"] is not None:
        new = [show(end) for end in own["prediction_range"]]
        mean = [show(own[key]) for key in ("mean_low", "mean", "mean_high")]
        ax.plot([mean[0], mean[2]], [count, count], color=style.INK, lw=1.6, zorder=2)
        ax.plot([mean[1]], [count], "D", color=style.INK, ms=5.5, zorder=3)
        ax.plot(new, [count + 1] * 2, color=style.GAP, lw=3.2, solid_capstyle="butt", zorder=2)
        spread += [*new, mean[0], mean[2]]
    if measure == "log_oe":
        ax.set_xscale("log", base=2)
    if spread:
        _set_limits(ax, spread, ends, log=measure == "log_oe")
    texts = [style.short_name(row["site"], 24) for row in result.sites]
    ax.set_yticks(range(count + 2), [*texts, "mean", "new site"] if names else [], **style.PLAIN)
    ax.set_ylim(count + 1.6, -0.6)
    ax.tick_params(axis="y", length=0)
    style.quiet_axes(ax)
    ax.spines["left"].set_visible(False)


def _set_limits(ax: "Axes", values: list[float], ends: list[float], *, log: bool) -> None:
    """Show all values, and the ends of lines as far as they do not shrink the rest."""
    from matplotlib.ticker import MaxNLocator, NullLocator, ScalarFormatter

    turn, back = (math.log, math.exp) if log else (float, float)
    low, high = turn(min(values)), turn(max(values))
    wide = max(high - low, 0.02)
    known = [turn(end) for end in ends if not log or 0 < end < math.inf]
    left = min([low, *(end for end in known if end > low - FAR * wide)])
    right = max([high, *(end for end in known if end < high + FAR * wide)])
    left = left if min([low, *known]) == left else low - FAR * wide
    right = right if max([high, *known]) == right else high + FAR * wide
    ax.set_xlim(back(left - CLOSE * wide), back(right + CLOSE * wide))
    ax.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    if log:
        ax.xaxis.set_major_formatter(ScalarFormatter())
        ax.xaxis.set_minor_locator(NullLocator())


def sites_figure(
    result: "CalibrationHeterogeneity", *, title: bool = True, verdict: bool = True
) -> "Figure":
    """Return the forest plots of all measures that enough sites have, with what they say below.

    Parameters
    ----------
    result : CalibrationHeterogeneity
        What `calibration_heterogeneity` returned.
    title : bool, default True
        Write what is compared above.
    verdict : bool, default True
        Write the verdict below.

    Returns
    -------
    matplotlib.figure.Figure
        The forest plots side by side.

    Examples
    --------
    >>> import numpy as np
    >>> from plumbline import Predictions
    >>> from plumbline import calibration_heterogeneity
    >>> p, y = np.tile([0.2, 0.4, 0.6, 0.8], 30), np.tile([0, 1, 0, 1, 0, 0, 1, 1], 15)
    >>> data = Predictions.from_arrays(y, p, attributes={"site": np.repeat(["a", "b", "c"], 40)})
    >>> figure = sites_figure(calibration_heterogeneity(data, "site", resamples=19))
    >>> [ax.get_xlabel() for ax in figure.axes]
    ['calibration in the large', 'calibration slope', 'O/E ratio', 'AUC']
    """
    rows = [row for row in result.measures if row["mean"] is not None]
    count = len(result.sites)
    longest = max(len(style.short_name(row["site"], 24)) for row in result.sites)
    left = 0.2 + LETTER * max(longest, len("new site"))
    width = left + len(rows) * (PANEL + GAP)
    level = formatting.percentage(result.level)
    notes = [
        f"Lines: {level} confidence intervals; bar: {level} prediction interval of a new site.",
        *([result.verdict] if verdict else []),
    ]
    lines = [line for note in notes for line in textwrap.wrap(note, int(15.5 * width))]
    foot = 0.62 + 0.16 * len(lines)
    tall = min(ROW * (count + 2), TALLEST)
    height = foot + tall + (0.35 if title else 0.1)
    with style.figure_style():
        figure = style.new_figure(width, height)
        for number, row in enumerate(rows):
            x = left + number * (PANEL + GAP)
            box = (x / width, foot / height, PANEL / width, tall / height)
            ax = figure.add_axes(box)
            draw_sites(result, ax, measure=row["measure"], names=number == 0)
            ax.grid(axis="x", color=style.GRID)
            ax.set_xlabel(result.label(row["measure"]))
            if number == 0 and title:
                ax.set_title(f"by {style.short_name(result.by, 40)}", **style.PLAIN)
        style.write_below(figure, lines)
    return figure
