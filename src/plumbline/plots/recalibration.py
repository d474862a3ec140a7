"""Recalibration: what a map makes of every answer, which method helps, and before and after."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline import formatting
from plumbline.errors import ParameterError
from plumbline.plots import style
from plumbline.plots.diagram_axes import axes_of_each
from plumbline.plots.display import displayed
from plumbline.plots.reliability import (
    diagram_grid,
    draw_counts,
    draw_reliability,
    legend_below,
)
from plumbline.plots.style import lay_out, legend_name
from plumbline.recalibration import SCORE, OneVsRest
from plumbline.recalibration.map_lines import lines_note, map_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from plumbline.advisor import MethodAdvice, RecalibrationAdvice, RecalibrationEffect
    from plumbline.calibration_errors import ReliabilityCurve
    from plumbline.recalibration import RecalibrationMap


Floats = NDArray[np.float64]

SIDE = 3.3  # inches of the axes of a map
PLENTY = len(style.LINES)  # of more classes the lines are one colour
HISTOGRAM = 0.16  # share of the axes that the rows take
FOREST, ROW, HEAD, FOOT = 2.9, 0.25, 0.42, 0.5  # inches of the methods: axes, line, above, below
CELLS = (0.8, 1.75)  # right ends of the columns beside them
LETTER, RIM, NOTE = 0.066, 0.1, 0.16
DASHED: dict[str, Any] = {"color": style.MUTED, "lw": 0.9, "ls": (0, (4, 3)), "zorder": 2}


@displayed
def draw_map(
    fitted: "RecalibrationMap",
    ax: "Axes",
    *,
    histogram: tuple[Sequence[float], Sequence[float]] | None = None,
    title: bool = True,
) -> None:
    """Draw a map: the recalibrated probability of a class against what the map reads of it.

    One line a class, of two classes the positive one's; the dashed diagonal leaves probabilities as
    they are. Of a map that treats classes one by one the lines are before the division by their
    sum; of one that takes all at once the other classes share evenly what is left. Labels for a
    legend are set where the classes are few, the legend is not.

    Parameters
    ----------
    fitted : RecalibrationMap
        A fitted map.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    histogram : pair of sequences of float, optional
        Counts (b,) and edges (b + 1,), as from `numpy.histogram`, of the rows' probabilities or
        ratings.
    title : bool, default True
        Write the title above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.recalibration import fit_map
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.8])
    >>> ax = Figure().subplots()
    >>> display = draw_map(fit_map(data, "isotonic"), ax)
    >>> ax.get_xlabel(), ax.get_title()
    ('predicted probability of 1', 'isotonic, fitted on 4 rows')
    """
    lines = map_lines(fitted, ratings=None if histogram is None else histogram[1])
    x, shown = lines.x, list(lines.y)
    many = len(shown) > PLENTY
    for number, name in enumerate(shown):
        props: dict[str, Any] = {"color": style.POINT, "lw": 0.7, "alpha": 0.35}
        if many and not number:
            props["label"] = f"one of {len(shown)} classes"
        if not many:
            props = {
                "color": style.LINES[number],
                "lw": 1.5,
                "label": legend_name(name),
            }
        ax.plot(x, lines.y[name], zorder=3, **props)
    if fitted.on != SCORE:
        ax.plot([0, 1], [0, 1], **DASHED, label="unchanged")
    if histogram is not None:
        _draw_rows(ax, *histogram)
    span = float(x[-1] - x[0])
    ax.set(xlim=(x[0] - 0.02 * span, x[-1] + 0.02 * span), ylim=(-0.02, 1.02))
    one = f" of {style.short_name(shown[0])}" if len(shown) == 1 else ""
    ax.set_xlabel(f"{_read(fitted)}{one}", **style.PLAIN)
    ax.set_ylabel(f"recalibrated probability{one}", **style.PLAIN)
    style.quiet_axes(ax)
    if title:
        ax.set_title(
            f"{fitted.method}, fitted on {formatting.counted(fitted.n, 'row')}", **style.PLAIN
        )


def map_figure(
    fitted: "RecalibrationMap",
    *,
    histogram: tuple[Sequence[float], Sequence[float]] | None = None,
    title: bool = True,
) -> "Figure":
    """Return `draw_map` as a picture of its own, with what is to be said of it below.

    Parameters
    ----------
    fitted : RecalibrationMap
        A fitted map.
    histogram : pair of sequences of float, optional
        As in `draw_map`.
    title : bool, default True
        Write the title above.

    Returns
    -------
    matplotlib.figure.Figure
        The map, with the histogram and the notes below.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.recalibration import fit_map
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.8])
    >>> map_figure(fit_map(data, "platt")).axes[0].get_ylabel()
    'recalibrated probability of 1'
    """
    with style.figure_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_map(fitted, ax, histogram=histogram, title=title)
        ax.grid(color=style.GRID)
        lay_out(figure, SIDE, SIDE, notes=_map_notes(fitted))
    return figure


def _read(fitted: "RecalibrationMap") -> str:
    return "rating" if fitted.on == SCORE else "predicted probability"


def _draw_rows(ax: "Axes", counts: Sequence[float], edges: Sequence[float]) -> None:
    """Draw the histogram of the rows along the lower edge."""
    tall = np.asarray(counts, np.float64)
    if len(edges) != len(tall) + 1:
        raise ParameterError(
            f"`histogram` must be (counts, edges) with one edge more than counts, got {len(tall)} "
            f"counts and {len(edges)} edges",
            code="wrong-length",
        )
    heights = tall * HISTOGRAM / (tall.max() or 1.0)
    ax.bar(
        edges[:-1],
        heights,
        np.diff(edges),
        align="edge",
        color=style.BAND,
        lw=0,
        zorder=1,
        label="rows",
    )


def _map_notes(fitted: "RecalibrationMap") -> list[str]:
    notes = [f"{note[:1].upper()}{note[1:]}." for note in fitted.notes]
    if isinstance(fitted.form, OneVsRest) and len(notes) > PLENTY:
        notes = [f"{formatting.counted(len(notes), 'note')} on single classes."]
    how = lines_note(fitted)
    return notes if how is None else [how, *notes]


@displayed
def draw_methods(advice: "RecalibrationAdvice", ax: "Axes", *, title: bool = True) -> None:
    """Draw one line a method: its change of the log loss with the interval, best first.

    Left of the line "as it is" the log loss is less; filled is a method whose interval lies there.
    Where the log loss as it is is infinite, so is every change, and the methods stand at their log
    loss; otherwise an infinite change is an arrow at the edge. The chosen method's name is bold.
    Methods that were not tried are left out.

    Parameters
    ----------
    advice : RecalibrationAdvice
        What `recalibration_advice` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    title : bool, default True
        Write the title above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        Where no method was tried.

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> from matplotlib.figure import Figure
    >>> tried = Some(
    ...     method="platt",
    ...     title="Platt scaling",
    ...     log_loss_difference=-0.1,
    ...     helps=True,
    ...     log_loss_range=(-0.2, -0.05),
    ...     p_value=0.01,
    ...     log_loss=0.5,
    ... )
    >>> ax = Figure().subplots()
    >>> params = {"chosen": "platt", "level": 0.95, "on": "probability", "n": 90, "parts": 5}
    >>> display = draw_methods(Some(methods=[tried], model=None, log_loss_before=0.6, **params), ax)
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['Platt scaling']
    """
    tried = _tried(advice)
    infinite = _is_infinite(advice)
    if not infinite:
        ax.axvline(0, **DASHED)
    for place, method in enumerate(tried):
        value = method.log_loss if infinite else method.log_loss_difference
        better = method.helps or method.log_loss_difference <= 0
        colour, ends = style.POINT if better else style.GAP, method.log_loss_range
        style.draw_estimate(value, ends, place, ax, colour=colour, filled=method.helps)
    ax.set_yticks(range(len(tried)), [style.short_name(row.title, 40) for row in tried])
    for text, row in zip(ax.get_yticklabels(), tried, strict=True):
        text.set(fontweight="bold" if row.method == advice.chosen else "normal", **style.PLAIN)
    ax.set_ylim(len(tried) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    against = "the class shares" if advice.on == SCORE else "the original probabilities"
    change = f"log loss − that of {against}"
    ax.set_xlabel(f"log loss; {formatting.INFINITY} without recalibration" if infinite else change)
    ax.locator_params(axis="x", nbins=5, steps=[1, 2, 5, 10])
    style.quiet_axes(ax)
    ax.spines["left"].set_visible(False)
    if title:
        name = "" if advice.model is None else f"{style.short_name(advice.model)}: "
        ax.set_title(f"{name}lower is better", **style.PLAIN)


def methods_figure(advice: "RecalibrationAdvice", *, title: bool = True) -> "Figure":
    """Return `draw_methods` as a picture of its own, with the numbers beside and notes below.

    Parameters
    ----------
    advice : RecalibrationAdvice
        What `recalibration_advice` returned.
    title : bool, default True
        Write the title above.

    Returns
    -------
    matplotlib.figure.Figure
        The methods, with their numbers beside them.

    Raises
    ------
    ParameterError
        Where no method was tried.

    Examples
    --------
    >>> import numpy as np
    >>> from plumbline import Predictions, recalibration_advice
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.uniform(size=200)
    >>> data = Predictions.from_arrays(rng.uniform(size=200) < 0.5 + (prob - 0.5) / 3, prob)
    >>> figure = methods_figure(recalibration_advice(data, methods=["temperature", "platt"]))
    >>> sorted(text.get_text() for text in figure.axes[0].get_yticklabels())
    ['Platt scaling', 'temperature scaling']
    """
    tried = _tried(advice)
    left = 2 * RIM + LETTER * max(len(style.short_name(row.title, 40)) for row in tried)
    width = left + FOREST + CELLS[-1] + RIM
    lines = _method_notes(advice)
    foot = FOOT + NOTE * len(lines)
    height = HEAD + ROW * len(tried) + foot
    with style.figure_style():
        figure = style.new_figure(width, height)
        box = (left / width, foot / height, FOREST / width, ROW * len(tried) / height)
        ax = figure.add_axes(box)
        draw_methods(advice, ax, title=title)
        ax.grid(axis="x", color=style.GRID)
        infinite = _is_infinite(advice)
        heads = ("log loss" if infinite else "change", "p")
        for head, right in zip(heads, CELLS, strict=True):
            style.write_cell(ax, -0.75, head, right, style.MUTED)
        for place, row in enumerate(tried):
            value = row.log_loss if infinite else row.log_loss_difference
            cells = (
                formatting.printed(value),
                formatting.typeset(formatting.p_number(row.p_value)),
            )
            for text, right in zip(cells, CELLS, strict=True):
                style.write_cell(ax, place, text, right, style.INK)
        style.write_below(figure, lines)
    return figure


def _tried(advice: "RecalibrationAdvice") -> list["MethodAdvice"]:
    tried = [row for row in advice.methods if not math.isnan(row.log_loss_difference)]
    if not tried:
        raise ParameterError(
            "`advice` must hold at least one method that was tried, got none",
            code="nothing-given",
        )
    return tried


def _is_infinite(advice: "RecalibrationAdvice") -> bool:
    """Tell whether the rows have an infinite log loss as they are."""
    return math.isinf(advice.log_loss_before)


def _method_notes(advice: "RecalibrationAdvice") -> list[str]:
    left_out = len(advice.methods) - len(_tried(advice))
    intervals = f"; {100 * advice.level:g} % intervals of a paired t-test, widened"
    if _is_infinite(advice):
        intervals = ""
    notes = [
        f"Cross-fitted in {advice.parts} parts of "
        f"{formatting.counted(advice.n, 'row')}{intervals}.",
        "Filled: the interval excludes 0. Bold: the chosen method.",
    ]
    if left_out:
        notes.append(f"Not tried: {formatting.counted(left_out, 'method')}.")
    return notes


def before_after_figure(effect: "RecalibrationEffect") -> "Figure":
    """Return the reliability diagrams before and after, side by side, with the counts below.

    Each title holds the calibration error of the bins and the p-value of the calibration test. Of
    ratings, which are no probabilities, there is the diagram after alone.

    Parameters
    ----------
    effect : RecalibrationEffect
        What `recalibration_effect` returned.

    Returns
    -------
    matplotlib.figure.Figure
        Two reliability diagrams, or one of ratings.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.advisor import recalibration_effect
    >>> from plumbline.recalibration import fit_map
    >>> old = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.8])
    >>> new = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.5, 0.9])
    >>> figure = before_after_figure(recalibration_effect(fit_map(old, "platt"), new, resamples=99))
    >>> [ax.get_title(loc="left").partition(":")[0] for ax in figure.axes[::2]]
    ['before', 'after']
    """
    p_values = (("before", effect.test_before), ("after", effect.test_after))
    shown = [
        (name, p, curve)
        for (name, p), curve in zip(p_values, effect.curves(), strict=True)
        if curve is not None
    ]
    every = axes_of_each([curve for _, _, curve in shown])
    with style.figure_style():
        figure, places = diagram_grid(len(shown), columns=2, counts=0.45)
        for (main, counts), axes, (name, p, curve) in zip(places, every, shown, strict=True):
            draw_reliability(curve, main, title=False, axis=axes)
            draw_counts(curve, counts, axis=axes)
            main.tick_params(labelbottom=False)
            main.set_title(_heading(name, curve, p), **style.PLAIN)
        legend_below(figure, 2 + len(shown) // 2)
    return figure


def _heading(name: str, curve: "ReliabilityCurve", p: float) -> str:
    tested = "" if math.isnan(p) else f", test {formatting.typeset(formatting.p_equals(p))}"
    return f"{name}: ECE {formatting.printed(curve.value)}{tested}"
