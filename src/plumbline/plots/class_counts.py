"""Rows of every class in every category, or bin, of an attribute, as stacked bars."""

from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import one_of
from plumbline.curves import ClassCounts
from plumbline.curves.class_counts import day_name
from plumbline.plots import style
from plumbline.plots.curve_axes import name_categories, number_text, plain_numbers
from plumbline.plots.display import displayed
from plumbline.plots.style import lay_out, legend_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SHOWN = ("rows", "shares")
ROWS = "rows"
MISSING, OUTSIDE = "missing", "outside"
TICKS, TICKS_OF_DAYS = 10, 4  # edges that are named at most


@displayed
def draw_class_counts(
    result: ClassCounts, ax: "Axes", *, show: str = "rows", title: bool = True
) -> None:
    """Draw stacked bars of the classes, one bar a category or bin of the attribute.

    The bins of a number touch each other and stand where they are on its axis; categories stand
    apart. Rows without a value, and outside the bins, are bars of their own at the right.

    Parameters
    ----------
    result : ClassCounts
        What `class_counts` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    show : {"rows", "shares"}, default "rows"
        What a bar's height is: the weight of its rows, or the shares of its classes.
    title : bool, default True
        Write the title above.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Raises
    ------
    ParameterError
        For another `show`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.curves.class_counts import class_counts
    >>> attributes = {"pain": ["a", "b", "b"]}
    >>> data = Predictions.from_arrays([0, 1, 1], [0.1, 0.6, 0.8], attributes=attributes)
    >>> ax = Figure().subplots()
    >>> display = draw_class_counts(class_counts(data, "pain"), ax)
    >>> [float(bar.get_height()) for bar in ax.patches]
    [1.0, 0.0, 0.0, 2.0]
    """
    one_of("show", show, SHOWN)
    heights, names, left, width = _bars(result)
    totals = heights.sum(axis=1, keepdims=True)
    if show == "shares":
        heights = np.divide(heights, totals, out=np.zeros_like(heights), where=totals > 0)
    floor = np.zeros(len(heights))
    props: dict[str, Any] = {"align": "edge", "edgecolor": style.PAPER, "lw": 0.6}
    for number, name in enumerate(result.classes):
        color, hatch = _fill(number)
        ax.bar(
            left,
            heights[:, number],
            width,
            bottom=floor,
            color=color,
            hatch=hatch,
            label=legend_name(name),
            **props,
        )
        floor = floor + heights[:, number]
    ax.set_ylim(0, 1.0 if show == "shares" else 1.05 * max(floor.max(), 1e-9))
    plain_numbers(ax, "y")
    _name_bars(result, ax, names=names, totals=totals[:, 0], left=left, width=width)
    ax.set_xlabel(style.short_name(result.by, 42), **style.PLAIN)
    height = _height_name(result, show)
    ax.set_ylabel(height, **style.PLAIN)
    if height == ROWS:
        style.count_whole(ax)
    style.quiet_axes(ax)
    if title:
        ax.set_title(f"Classes by {style.short_name(result.by)}, {result.n:,} rows", **style.PLAIN)


def class_counts_figure(result: ClassCounts, *, show: str = "rows", title: bool = True) -> "Figure":
    """Return `draw_class_counts` as a picture of its own, with the classes' names below.

    Parameters
    ----------
    result : ClassCounts
        What `class_counts` returned.
    show : {"rows", "shares"}, default "rows"
        What a bar's height is: the weight of its rows, or the shares of its classes.
    title : bool, default True
        Write the title above.

    Returns
    -------
    matplotlib.figure.Figure
        The bars, with the names of the classes below.

    Raises
    ------
    ParameterError
        For another `show`.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline.curves.class_counts import class_counts
    >>> data = Predictions.from_arrays([0, 1], [0.1, 0.6], attributes={"pain": ["a", "b"]})
    >>> class_counts_figure(class_counts(data, "pain")).axes[0].get_ylabel()
    'rows'
    """
    with style.figure_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_class_counts(result, ax, show=show, title=title)
        ax.grid(axis="y", color=style.GRID)
        lay_out(figure, min(12.0, max(4.6, 0.2 * len(result.groups))), 2.5)
    return figure


def _bars(result: ClassCounts) -> tuple[Any, list[str], Any, Any]:
    """Return heights (bars, k), names, left ends and widths, what has no place at the right."""
    extra = [(MISSING, result.missing_weight), (OUTSIDE, result.outside_weight)]
    extra = [(name, weight) for name, weight in extra if weight.any()]
    heights = np.vstack([result.weight, *(weight for _, weight in extra)])
    names = [*result.groups, *(name for name, _ in extra)]
    if result.edges is None:
        places = np.arange(len(names)) - 0.4
        return heights, names, places, np.full(len(names), 0.8)
    edges = result.edges
    step = (edges[-1] - edges[0]) / min(len(edges) - 1, 12)
    right = edges[-1] + step * (0.6 + 1.3 * np.arange(len(extra)))
    widths = np.concatenate([np.diff(edges), np.full(len(extra), step)])
    return heights, names, np.concatenate([edges[:-1], right]), widths


def _fill(number: int) -> tuple[str, str | None]:
    """Return colour and hatching of a class; from the ninth on grey with hatching."""
    if number < len(style.LINES):
        return style.LINES[number], None
    return style.DRAWS, ("///", "\\\\\\", "...", "xxx", "---", "|||")[number % 6]


def _name_bars(
    result: ClassCounts, ax: "Axes", *, names: Any, totals: Any, left: Any, width: Any
) -> None:
    """Name the bars: categories with their rows, bins by the numbers of the axis."""
    if result.edges is None:
        name_categories(ax, names, [float(total) for total in totals])
        return
    low = result.edges[0]
    every = -(-len(result.edges) // (TICKS_OF_DAYS if result.dates else TICKS))
    ticks = result.edges[::every].tolist()
    texts = [day_name(tick) if result.dates else number_text(tick) for tick in ticks]
    first = len(result.groups)
    middles = left[first:] + width[first:] / 2
    ax.set_xticks([*ticks, *middles], [*texts, *(f"\n{name}" for name in names[first:])])
    margin = 0.02 * (left[-1] + width[-1] - low)
    ax.set_xlim(low - margin, left[-1] + width[-1] + margin)


def _height_name(result: ClassCounts, show: str) -> str:
    if show == "shares":
        return "share of rows"
    return ROWS if (result.weight == result.count).all() else "weight of rows"
