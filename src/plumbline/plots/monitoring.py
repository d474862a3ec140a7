"""Calibration over time: the evidence after every window, and prediction beside outcome."""

from math import inf, log, log10
from typing import TYPE_CHECKING

from plumbline import formatting
from plumbline.monitoring import Monitoring
from plumbline.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NAMES = 12  # windows whose names stand below the axis


def draw_evidence_over_time(result: Monitoring, ax: "Axes") -> None:
    """Draw the e-value after every window on a logarithmic axis, with the alarm's threshold.

    An infinite e-value stands at the upper end.

    Parameters
    ----------
    result : Monitoring
        What `monitor` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, monitor
    >>> week = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> ax = Figure().subplots()
    >>> draw_evidence_over_time(monitor([week, week], resamples=39), ax)
    >>> ax.get_ylabel()
    'log10 e'
    """
    logs = [one.log_e / log(10) for one in result.windows]
    alarm_at = log10(result.threshold)
    finite = [one for one in logs if one != inf]
    top = max([*finite, alarm_at]) * 1.1
    places = range(1, len(logs) + 1)
    ax.axhline(alarm_at, color=style.GAP, lw=1.0, ls=(0, (4, 3)), zorder=1)
    ax.annotate(
        f"alarm at e = {formatting.number(result.threshold)}",
        (1, alarm_at),
        xytext=(2, 3),
        textcoords="offset points",
        color=style.GAP,
        fontsize="small",
    )
    ax.plot(places, [min(one, top) for one in logs], "o-", ms=4, color=style.POINT, zorder=3)
    if result.alarm is not None:
        at = min(logs[result.alarm - 1], top)
        ax.plot([result.alarm], [at], "o", ms=7, color=style.GAP, zorder=4)
    ax.set_ylabel("log10 e", **style.PLAIN)
    style.quiet_axes(ax)


def draw_windows(result: Monitoring, ax: "Axes") -> None:
    """Draw mean prediction and observed share of every window, with its 95 % interval.

    Parameters
    ----------
    result : Monitoring
        What `monitor` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, monitor
    >>> week = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> ax = Figure().subplots()
    >>> draw_windows(monitor([week, week], resamples=39), ax)
    >>> ax.get_xlabel()
    'window'
    """
    places = range(1, len(result.windows) + 1)
    shares = [one.observed for one in result.windows]
    ends = [one.observed_range for one in result.windows]
    ax.errorbar(
        places,
        shares,
        yerr=[
            [max(0.0, share - low) for share, (low, _) in zip(shares, ends, strict=True)],
            [max(0.0, high - share) for share, (_, high) in zip(shares, ends, strict=True)],
        ],
        fmt="o",
        ms=4,
        color=style.POINT,
        elinewidth=1.0,
        capsize=2.0,
        label="observed (95 % CI)",
        zorder=3,
    )
    means = [one.mean_prediction for one in result.windows]
    ax.plot(places, means, color=style.INK, lw=1.3, marker="_", label="mean prediction", zorder=2)
    names = [one.name for one in result.windows]
    if len(names) <= MOST_NAMES:
        ax.set_xticks(list(places), [style.short_name(name, 12, 4) for name in names])
    ax.set_xlabel("window", **style.PLAIN)
    ax.set_ylabel(f"share of {style.short_name(result.positive)}", **style.PLAIN)
    ax.legend(frameon=False, fontsize="small", loc="best")
    style.quiet_axes(ax)


def monitoring_figure(result: Monitoring) -> "Figure":
    """Return both as one picture: the evidence above, prediction and outcome below.

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
        above = figure.add_axes((0.12, 0.55, 0.85, 0.38))
        below = figure.add_axes((0.12, 0.11, 0.85, 0.36), sharex=above)
        draw_evidence_over_time(result, above)
        draw_windows(result, below)
        above.tick_params(labelbottom=False)
        above.set_title("Evidence against calibration", **style.PLAIN)
        for ax in (above, below):
            ax.grid(color=style.GRID)
    return figure
