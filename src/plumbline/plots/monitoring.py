"""Calibration over time: the evidence after every window, and observed minus predicted."""

from math import ceil, log, log10
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plumbline import formatting
from plumbline.monitoring import Monitoring
from plumbline.plots import style
from plumbline.plots.display import displayed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROOM = 72  # letters that fit below the axis
SMALL = {"textcoords": "offset points", "fontsize": "small", **style.PLAIN}


@displayed
def draw_evidence_over_time(result: Monitoring, ax: "Axes") -> None:
    """Draw the e-value after every window on a logarithmic axis, with the alarm's threshold.

    Triangles at the upper end are e-values above the axis.

    Parameters
    ----------
    result : Monitoring
        What `monitor` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, monitor
    >>> week = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> ax = Figure().subplots()
    >>> display = draw_evidence_over_time(monitor([week, week], resamples=39), ax)
    >>> ax.get_ylabel()
    'evidence (e)'
    """
    from matplotlib.ticker import MaxNLocator

    places = _windows_axis(result, ax)[result.reference :]
    alarm_at = log10(result.threshold)
    shown = np.array(result.powers[result.reference :])
    powers = np.array([one.log_e / log(10) for one in result.windows[result.reference :]])
    low = min(-1.0, shown.min())
    high = max(alarm_at + 1.0, shown.max())
    ax.set_ylim(low - 0.05 * (high - low), high + 0.12 * (high - low))
    ax.axhline(alarm_at, color=style.GAP, lw=1.0, ls=(0, (4, 3)), zorder=1)
    text = f"alarm at e = {formatting.number(result.threshold)}"
    ax.annotate(text, (0.5, alarm_at), (3, 3), color=style.GAP, **SMALL)
    ax.plot(places, shown, "-", color=style.POINT, lw=1.2, zorder=2)
    above = powers > shown + 1e-9
    ax.plot(places[~above], shown[~above], "o", ms=4, color=style.POINT, zorder=3)
    ax.plot(places[above], shown[above], "^", ms=5, color=style.POINT, zorder=3)
    if result.alarm is not None:
        at = shown[result.alarm - 1 - result.reference]
        ax.plot([result.alarm], [at], "o", ms=7, color=style.GAP, zorder=4)
        _name_beside(result, ax, "alarm:", result.alarm, (result.alarm, at))
    ax.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.yaxis.set_major_formatter(lambda power, _: _power_of_ten(power))
    ax.set_ylabel("evidence (e)", **style.PLAIN)


@displayed
def draw_windows(result: Monitoring, ax: "Axes") -> None:
    """Draw observed share minus mean prediction of every window, with its 95 % interval.

    Windows since the change are squares of another colour.

    Parameters
    ----------
    result : Monitoring
        What `monitor` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, monitor
    >>> week = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> ax = Figure().subplots()
    >>> display = draw_windows(monitor([week, week], resamples=39), ax)
    >>> ax.get_ylabel()
    'observed − predicted'
    """
    places = _windows_axis(result, ax)
    bias, low, high = np.array([one.bias for one in result.windows]).T
    span = max(high.max(), 0.0) - min(low.min(), 0.0)
    top = max(high.max(), 0.0) + 0.12 * span
    ax.set_ylim(min(low.min(), 0.0) - 0.08 * span, top + 0.1 * span)
    since = len(places) + 1 if result.since is None else result.since
    for which, marker, colour in (
        (places < since, "o", style.POINT),
        (places >= since, "s", style.GAP),
    ):
        if which.any():
            ends = [(bias - low)[which], (high - bias)[which]]
            ax.errorbar(
                places[which],
                bias[which],
                yerr=np.maximum(ends, 0.0),
                fmt=marker,
                ms=4,
                color=colour,
                elinewidth=1.0,
                capsize=2.0,
                zorder=3,
            )
    ax.axhline(0.0, color=style.MUTED, lw=1.0, zorder=1)
    if result.reference:
        n = np.array([one.n for one in result.windows[: result.reference]])
        level = n @ bias[: result.reference] / n.sum()
        ax.axhline(level, color=style.INK, lw=1.0, ls=(0, (4, 3)), zorder=2)
        ax.annotate("reference and its mean", (0.5, top), (4, 0), va="center", **SMALL)
    if result.since is not None:
        ax.axvline(result.since - 0.5, color=style.GAP, lw=1.0, ls=":", zorder=1)
        _name_beside(
            result, ax, "most likely since", result.since, (result.since - 0.5, top - 0.05 * span)
        )
    ax.set_xlabel("window", **style.PLAIN)
    ax.set_ylabel("observed − predicted", **style.PLAIN)


def _windows_axis(result: Monitoring, ax: "Axes") -> NDArray[np.int_]:
    """Name the windows below the axis, shade those of the reference; return their places."""
    names = [style.short_name(one.name, 12, 4) for one in result.windows]
    places = np.arange(1, len(names) + 1)
    every = ceil(len(names) * (max(map(len, names)) + 2) / ROOM)
    ax.set_xticks(places[::every], names[::every], **style.PLAIN)
    ax.set_xlim(0.5, len(names) + 0.5)
    if result.reference:
        ax.axvspan(0.5, result.reference + 0.5, color=style.BAND, alpha=0.5, lw=0, zorder=0)
    style.quiet_axes(ax)
    return places


def _power_of_ten(power: float) -> str:
    """Return 10 to a whole power as people write it.

    >>> _power_of_ten(-2), _power_of_ten(4), _power_of_ten(9)
    ('0.01', '10,000', '10^9')
    """
    if -4 < power < 7:
        return f"{10**power:,.0f}" if power >= 0 else formatting.number(10**power)
    return f"10^{power:.0f}"


def _name_beside(
    result: Monitoring, ax: "Axes", text: str, window: int, at: tuple[float, float]
) -> None:
    """Write a text and the name of a window beside a place, on the side where there is room."""
    name = style.short_name(result.windows[window - 1].name)
    right = at[0] < 0.6 * len(result.windows)
    ax.annotate(
        f"{text} {name}",
        at,
        (7 if right else -7, 7),
        ha="left" if right else "right",
        color=style.GAP,
        **SMALL,
    )


def monitoring_figure(result: Monitoring) -> "Figure":
    """Return both as one picture: the evidence above, observed minus predicted below.

    Parameters
    ----------
    result : Monitoring
        What `monitor` returned.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from plumbline import Predictions, monitor
    >>> week = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> len(monitoring_figure(monitor([week, week], resamples=39)).axes)
    2
    """
    with style.figure_style():
        figure = style.new_figure(6.4, 4.8)
        above = figure.add_axes((0.14, 0.55, 0.83, 0.38))
        below = figure.add_axes((0.14, 0.11, 0.83, 0.36), sharex=above)
        draw_evidence_over_time(result, above)
        draw_windows(result, below)
        above.tick_params(labelbottom=False)
        of = "of a change of calibration" if result.reference else "against calibration"
        above.set_title(f"Evidence {of}", **style.PLAIN)
        event = style.short_name(result.positive)
        below.set_title(f"Share of class {event}, with 95 % CI", **style.PLAIN)
        for ax in (above, below):
            ax.grid(axis="y", color=style.GRID)
    return figure
