"""Null distributions of a calibration error, of a test and of a count, with the observed value."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline import formatting
from plumbline.calibration_errors import CalibrationError, CalibrationTest
from plumbline.calibration_tests import CountTest
from plumbline.errors import ParameterError
from plumbline.plots import style
from plumbline.plots.display import displayed
from plumbline.verdicts import p_value_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Values: TypeAlias = NDArray[np.float64]


@displayed
def draw_null(
    result: CalibrationError | CalibrationTest, ax: "Axes", *, title: bool = True
) -> None:
    """Draw the values under the null as a histogram, their 95 % range, and the observed value.

    An infinite observed value is written at the right edge.

    Parameters
    ----------
    result : CalibrationError or CalibrationTest
        A result with draws.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    title : bool, default True
        Write the p-value above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For a result without draws (`resamples=0`).

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, calibration_test
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> ax = Figure().subplots()
    >>> display = draw_null(calibration_test(data, resamples=99), ax)
    >>> ax.get_ylabel()
    'draws of 99'
    """
    if not isinstance(result, (CalibrationError, CalibrationTest)):
        raise ParameterError(
            "the null distribution needs one calibration error or test, got "
            f"{type(result).__name__}; of several tests, draw tests[name] of one",
            code="wrong-kind",
        )
    if not len(result.null_values):
        raise ParameterError(
            "there is no null distribution, because no labels were resampled; "
            "measure with `resamples` of at least 1, test with null='resample'",
            code="nothing-given",
            argument="resamples",
        )
    axis, scale = _axis(result)
    draws = scale(result.null_values[np.isfinite(result.null_values)])
    value = float(scale(result.value))
    left, right = _span(draws, value)
    counts = _draw_histogram(draws, right - left, ax)
    ax.locator_params(axis="x", nbins=6, steps=[1, 2, 5, 10])
    ax.set(xlim=(left, right), ylim=(0, 1.08 * max(counts.max(), 1)))
    style.count_whole(ax)
    low, high = scale(np.asarray(result.null_range))
    _draw_range((float(low), float(high)), ax)
    _draw_observed(value, ax)
    ax.set_xlabel(f"{style.short_name(formatting.view_words(result.view))}: {axis}", **style.PLAIN)
    ax.set_ylabel(f"draws of {len(result.null_values):,}", **style.PLAIN)
    style.quiet_axes(ax)
    if title:
        ax.set_title(_p_value_text(result), **style.PLAIN)


def null_figure(
    result: CalibrationError | CalibrationTest, *, title: bool = True, tall: bool = False
) -> "Figure":
    """Return the null histogram as a picture of its own, with its legend above.

    Parameters
    ----------
    result : CalibrationError or CalibrationTest
        A result with draws.
    title : bool, default True
        Write the p-value above.
    tall : bool, default False
        Make it as high as a reliability diagram that stands beside it.

    Returns
    -------
    matplotlib.figure.Figure
        The histogram, with a legend.

    Raises
    ------
    ParameterError
        For a result without draws (`resamples=0`).

    Examples
    --------
    >>> from plumbline import Predictions, calibration_test
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> null_figure(calibration_test(data, resamples=99)).axes[0].get_title(loc="left")
    'p = 1'
    """
    axes_height = 3.2 if tall else 1.5
    width, height = 5.0, axes_height + (1.25 if title else 1.05)
    with style.figure_style():
        figure = style.new_figure(width, height)
        ax = figure.add_axes((0.115, 0.46 / height, 0.855, axes_height / height))
        draw_null(result, ax, title=False)
        props: dict[str, Any] = {"borderaxespad": 0.2, "handlelength": 1.4, "columnspacing": 1.4}
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, **props)
        if title:
            ax.set_title(_p_value_text(result), pad=38, **style.PLAIN)
    return figure


def _axis(result: CalibrationError | CalibrationTest) -> tuple[str, Callable[[Any], Any]]:
    """Return what is drawn, and its scale: the omnibus' number spreads over powers of ten."""
    if isinstance(result, CalibrationTest) and result.statistic == "omnibus":
        return "omnibus, powers of ten", np.log10
    if isinstance(result, CalibrationTest) and result.statistic != "ece":
        return result.statistic, np.asarray
    return f"calibration error ({result.distance})", np.asarray


def _p_value_text(result: CalibrationError | CalibrationTest) -> str:
    tail = result.tail if isinstance(result, CalibrationTest) else "two-sided"
    return p_value_text(result.p_value, result.resamples, tail)


def _span(draws: Values, value: float) -> tuple[float, float]:
    """Return the ends of the axis: all draws and the observed value, with some room around."""
    shown = np.append(draws, value) if np.isfinite(value) else draws
    low, high = (float(shown.min()), float(shown.max())) if len(shown) else (0.0, 1.0)
    room = 0.06 * (high - low) if _differ(low, high) else 0.1 * abs(high) or 0.05
    return low - room / 3, high + room


def _differ(low: float, high: float) -> bool:
    return high - low > 1e-9 * (1 + abs(high))


def _draw_histogram(draws: Values, span: float, ax: "Axes") -> Values:
    """Draw bars that stay wide enough to be seen; a constant null is one bar."""
    label = "expected if calibrated"
    if not len(draws):
        return np.zeros(1)
    low, high = float(draws.min()), float(draws.max())
    if _differ(low, high):
        bars = int(np.clip(80 * (high - low) / span, 5, 30))
        counts, edges = np.histogram(draws, bars)
    else:
        counts, edges = np.array([len(draws)]), low + span * np.array([-0.006, 0.006])
        label = f"if calibrated: {formatting.printed(low)} in every draw"
    widths = np.diff(edges)
    ax.bar(
        edges[:-1],
        counts,
        widths,
        align="edge",
        color=style.DRAWS,
        edgecolor=style.PAPER,
        lw=0.4,
        label=label,
    )
    return counts.astype(np.float64)


def _draw_range(bounds: tuple[float, float], ax: "Axes") -> None:
    low, high = bounds
    if not np.isfinite([low, high]).all():
        return
    label = f"95 % range: {formatting.printed(low)} to {formatting.printed(high)}"
    # The edge keeps a range of width 0 visible.
    ax.axvspan(low, high, facecolor=style.BAND, edgecolor=style.BAND, lw=0.8, zorder=0, label=label)


def _draw_observed(value: float, ax: "Axes") -> None:
    label = f"observed: {formatting.printed(value)}"
    if np.isfinite(value):
        ax.axvline(value, color=style.GAP, lw=2, zorder=3, label=label)
        return
    edge = ax.get_xlim()[1]
    middle = sum(ax.get_ylim()) / 2
    ax.plot([edge], [middle], ">", color=style.GAP, ms=9, clip_on=False, zorder=3, label=label)
    ax.annotate(
        label,
        (edge, middle),
        (-10, 0),
        textcoords="offset points",
        ha="right",
        va="center",
        color=style.INK,
        **style.PLAIN,
    )


@displayed
def draw_count_null(result: CountTest, ax: "Axes", *, title: bool = True) -> None:
    """Draw the probability of every count under the null, and the observed count.

    The counts from the observed one on, whose probabilities add up to the p-value, stand on a
    shaded ground.

    Parameters
    ----------
    result : CountTest
        What `count_test` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    title : bool, default True
        Write the p-value above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline.calibration_tests import count_test
    >>> ax = Figure().subplots()
    >>> display = draw_count_null(count_test(8, 10, probability=1 / 6), ax)
    >>> ax.get_title()
    'P(at least 8 of 10) = 1.94 × 10⁻⁵'
    """
    counts = np.arange(result.trials + 1)
    ax.bar(
        counts,
        result.null,
        0.86,
        color=style.DRAWS,
        label="if the probability is correct",
        zorder=2,
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
    ax.set_xlabel(f"number of events in {result.trials:,} trials")
    ax.set_ylabel("probability")
    style.quiet_axes(ax)
    if title:
        ax.set_title(_tail_text(result), **style.PLAIN)


def count_null_figure(result: CountTest) -> "Figure":
    """Return `draw_count_null` as a picture of its own, with its legend above.

    Parameters
    ----------
    result : CountTest
        What `count_test` returned.

    Returns
    -------
    matplotlib.figure.Figure
        The probabilities of the counts, with a legend.

    Examples
    --------
    >>> from plumbline.calibration_tests import count_test
    >>> len(count_null_figure(count_test(8, 10, probability=1 / 6)).axes)
    1
    """
    width, height = 5.0, 2.6
    with style.figure_style():
        figure = style.new_figure(width, height)
        ax = figure.add_axes((0.115, 0.46 / height, 0.855, 1.6 / height))
        draw_count_null(result, ax, title=False)
        ax.legend(
            loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.2, handlelength=1.4
        )
        ax.set_title(_tail_text(result), pad=22, **style.PLAIN)
    return figure


def _observed(result: CountTest) -> str:
    return f"observed: {result.happened}"


def _tail_text(result: CountTest) -> str:
    tail = f"P(at least {result.happened:,} of {result.trials:,})"
    return f"{tail}{formatting.typeset(formatting.p_equals(result.p_value)).removeprefix('p')}"
