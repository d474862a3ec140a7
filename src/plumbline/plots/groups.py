"""Groups of rows: bias as a forest plot and along a feature, and classes by bins as a heat map."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline import formatting
from plumbline._checks import need_extra, one_of, whole_number
from plumbline.formatting import counted, quoted
from plumbline.plots import style
from plumbline.plots.display import displayed
from plumbline.plots.style import lay_out, legend_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

    from plumbline.group_calibration import ClassHeatMap, ConditionalBias, GroupCalibration


WIDE, TALL = 5.4, 2.5  # inches of the axes of a conditional bias
FOREST = 2.7  # inches of a forest's axes
COLUMNS = (0.7, 1.5, 2.3, 2.95)  # inches of the right ends of its columns
HEADS = ("n", "predicted", "observed", "adj. p")
LETTER = 0.07  # inches of a letter

_SHARES = ("mean_probability", "outcome_share")
HEAT_MAP_WIDE = 4.2  # inches of the axes
ROW, SMALL_ROW = 0.24, 0.115  # inches of a class, where there are few and where there are many
# Rows, above which they are drawn low, and inches of the picture; conventions.
MANY, TALLEST = 30, 12.0
FEW_ROWS = 10  # of a cell, below which it is coloured in part only; a convention
NARROW = 0.4  # share of a cell's width that is coloured where it holds few rows
HEAT_MAP_LABELS = {
    "gap": "observed frequency − mean prediction",
    "z": "gap / its standard deviation if calibrated",
}


@displayed
def draw_groups(result: "GroupCalibration", ax: "Axes") -> None:
    """Draw one line a group: its bias with the interval; filled where its test rejects.

    Parameters
    ----------
    result : GroupCalibration
        What `calibration_by` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.

    Returns
    -------
    Display
        The axes, which a second call can draw on.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline import calibration_by
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> ax = Figure().subplots()
    >>> display = draw_groups(calibration_by(data, "site", resamples=19), ax)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    rows = result.groups
    ax.axvline(0, color=style.MUTED, lw=0.9, ls=(0, (4, 3)), zorder=1)
    for place, row in enumerate(rows):
        colour = style.GAP if row["rejected"] else style.POINT
        ends, filled = (row["bias_low"], row["bias_high"]), row["rejected"]
        style.draw_estimate(row["bias"], ends, place, ax, colour=colour, filled=filled)
    names = [style.short_name(row["group"], 34) for row in rows]
    ax.set_yticks(range(len(rows)), names, **style.PLAIN)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"observed frequency − mean prediction, {formatting.percentage(result.level)} CI")
    ax.locator_params(axis="x", nbins=5, steps=[1, 2, 5, 10])
    style.quiet_axes(ax)
    ax.spines["left"].set_visible(False)


def group_figure(
    result: "GroupCalibration", *, title: bool = True, verdict: bool = True
) -> "Figure":
    """Return the forest plot with its numbers beside it and the verdict below.

    Parameters
    ----------
    result : GroupCalibration
        What `calibration_by` returned.
    title : bool, default True
        Write the title above.
    verdict : bool, default True
        Write the verdict below.

    Returns
    -------
    matplotlib.figure.Figure
        The forest plot with its numbers.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline import calibration_by
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> group_figure(calibration_by(data, "site", resamples=19)).axes[0].get_title(loc="left")
    'calibration by site'
    """
    rows = result.groups
    left = 0.2 + LETTER * max(len(style.short_name(row["group"], 34)) for row in rows)
    width = left + FOREST + COLUMNS[-1] + 0.15
    filled = (
        f"Filled: rejected by the test ({quoted(result.statistic)}), which also "
        "detects other faults than bias."
    )
    notes = (filled, *([result.tests.verdict] if verdict else []))
    lines = [
        line
        for note in notes
        for line in textwrap.wrap(note, int(15.5 * width), max_lines=5, placeholder=" …")
    ]
    foot = 0.55 + 0.16 * len(lines)
    tall = 0.27 * len(rows)
    height = foot + tall + 0.5
    with style.figure_style():
        figure = style.new_figure(width, height)
        ax = figure.add_axes((left / width, foot / height, FOREST / width, tall / height))
        draw_groups(result, ax)
        ax.grid(axis="x", color=style.GRID)
        name = f"calibration by {style.short_name(result.by, 50)}" if title else ""
        ax.set_title(name, pad=22, **style.PLAIN)
        for head, right in zip(HEADS, COLUMNS, strict=True):
            style.write_cell(ax, -0.75, head, right, style.MUTED)
        for place, row in enumerate(rows):
            cells = (f"{row['n']:,}", *(f"{row[c]:.3f}" for c in _SHARES), _p(row))
            for text, right in zip(cells, COLUMNS, strict=True):
                style.write_cell(ax, place, text, right, style.INK)
        style.write_below(figure, lines)
    return figure


def _p(row: Mapping[str, Any]) -> str:
    return formatting.typeset(formatting.p_number(row["adjusted_p_value"]))


@displayed
def draw_conditional_bias(result: "ConditionalBias", ax: "Axes", *, title: bool = True) -> None:
    """Draw the bias in every bin of a feature, with its interval, over the consistency band.

    A point is filled where it leaves the band. Labels for a legend are set, the legend is not.

    Parameters
    ----------
    result : ConditionalBias
        What `conditional_bias` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
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
    >>> from plumbline import conditional_bias
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> ax = Figure().subplots()
    >>> display = draw_conditional_bias(conditional_bias(data, "site", resamples=99), ax)
    >>> ax.get_title(), [label.get_text() for label in ax.get_xticklabels()]
    ('bias along site', ['a', 'b'])
    """
    names = list(dict.fromkeys(row["group"] for row in result.bins))
    models = [row["model"] for row in result.models]
    step = 0.7 / len(models)
    ax.axhline(0, color=style.MUTED, lw=0.9, ls=(0, (4, 3)), zorder=2)
    for number, model in enumerate(models):
        own = [row for row in result.bins if row["model"] == model]
        shift = (number - (len(models) - 1) / 2) * step
        places = [names.index(row["group"]) + shift for row in own]
        label = "bias" if model is None else legend_name(model)
        colour = style.LINES[number % len(style.LINES)]
        band = f"{formatting.percentage(result.level)} band if calibrated" if not number else None
        _draw_model(ax, own, places, colour=colour, label=label, band=band, wide=0.8 * step)
    ax.set_xticks(range(len(names)), [style.short_name(name, 18) for name in names], **style.PLAIN)
    if sum(len(name) + 2 for name in names) * LETTER > WIDE:
        ax.tick_params(axis="x", labelrotation=35)
        for text in ax.get_xticklabels():
            text.set(ha="right", rotation_mode="anchor")
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.use_sticky_edges = False  # a bar that ends at the frame looks cut off
    ax.autoscale_view(scalex=False)
    ax.set_xlabel(style.short_name(result.feature, 52), **style.PLAIN)
    ax.set_ylabel("observed − predicted")
    style.quiet_axes(ax)
    if title:
        ax.set_title(f"bias along {style.short_name(result.feature, 40)}", **style.PLAIN)


def _draw_model(
    ax: "Axes",
    rows: Sequence[Mapping[str, Any]],
    places: Sequence[float],
    *,
    colour: str,
    label: str,
    band: str | None,
    wide: float,
) -> None:
    """Draw the points, intervals and band of one model."""
    low = [row["band_low"] for row in rows]
    tall = [row["band_high"] - row["band_low"] for row in rows]
    if all(map(math.isfinite, tall)):
        ax.bar(places, tall, wide, bottom=low, color=style.BAND, zorder=1, label=band)
    ends = [row["bias_low"] for row in rows], [row["bias_high"] for row in rows]
    ax.vlines(places, *ends, color=colour, lw=1.4, zorder=3)
    props: dict[str, Any] = {"mec": colour, "ms": 5.5, "mew": 1.3, "zorder": 4}
    ax.plot([], [], "o", mfc=colour, label=label, **props)
    for x, row in zip(places, rows, strict=True):
        inside = row["band_low"] <= row["bias"] <= row["band_high"]
        ax.plot([x], [row["bias"]], "o", mfc=style.PAPER if inside else colour, **props)


def conditional_bias_figure(
    result: "ConditionalBias", *, title: bool = True, verdict: bool = True
) -> "Figure":
    """Return `draw_conditional_bias` as a picture of its own, with what it says below.

    Parameters
    ----------
    result : ConditionalBias
        What `conditional_bias` returned.
    title : bool, default True
        Write the title above.
    verdict : bool, default True
        Write the verdict of every model below.

    Returns
    -------
    matplotlib.figure.Figure
        The bias over the bins, with a legend.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline import conditional_bias
    >>> data = Predictions.from_arrays(
    ...     [0, 1] * 20, [0.5] * 40, attributes={"site": list("ab") * 20}
    ... )
    >>> figure = conditional_bias_figure(conditional_bias(data, "site", resamples=99))
    >>> figure.axes[0].get_ylabel()
    'observed − predicted'
    """
    notes = [
        row["verdict"] if row["model"] is None else f"{row['model']}: {row['verdict']}"
        for row in (result.models if verdict else ())
    ]
    level = formatting.percentage(result.level)
    notes.append(f"Lines: {level} interval of each bin's bias; filled: outside the band.")
    with style.figure_style():
        figure = style.new_figure(1, 1)
        ax = figure.add_axes((0, 0, 1, 1))
        draw_conditional_bias(result, ax, title=title)
        ax.grid(axis="y", color=style.GRID)
        lay_out(figure, WIDE, TALL, notes=notes)
    return figure


@displayed
def draw_heat_map(
    result: "ClassHeatMap", ax: "Axes", *, show: str = "gap", most: int = 100
) -> "QuadMesh":
    """Draw one row a class and one column a score bin; return the mesh, for a colour bar.

    Blue: observed less often than predicted; orange: more often. Cells of fewer than 10 rows are
    narrow, empty ones grey. The names of rejected classes are bold.

    Parameters
    ----------
    result : ClassHeatMap
        What `class_heat_map` returned.
    ax : matplotlib.axes.Axes
        The axes to draw on.
    show : {"gap", "z"}, default "gap"
        The gap, observed frequency less mean prediction, or the gap in units of its standard
        deviation under calibration.
    most : int, default 100
        Of more classes the first so many are drawn.

    Returns
    -------
    Display
        The axes; its `drawn_` are the cells, for a colour bar.

    Raises
    ------
    ParameterError
        For another `show`.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline import class_heat_map
    >>> p = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.3, 0.6]] * 20
    >>> data = Predictions.from_arrays([0, 1, 2] * 20, p)
    >>> ax = Figure().subplots()
    >>> mesh = draw_heat_map(class_heat_map(data, resamples=99), ax)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['1', '2', '0']
    """
    one_of("show", show, HEAT_MAP_LABELS)
    rows = min(whole_number("most", most, least=1), len(result.classes))
    value = (result.gap if show == "gap" else result.z)[:rows]
    few = result.count[:rows] < FEW_ROWS
    limit = _colour_limit(value, few)
    props: dict[str, Any] = {"cmap": style.diverging(), "vmin": -limit, "vmax": limit}
    bins = value.shape[1]
    up = np.arange(rows + 1) - 0.5
    beneath: dict[str, Any] = {"cmap": _one_colour(style.GRID), "vmin": 0, "vmax": 1}
    ax.pcolormesh(np.arange(bins + 1.0), up, np.where(few, 0.0, np.nan), **beneath)
    mesh = ax.pcolormesh(np.arange(bins + 1.0), up, np.where(few, np.nan, value), **props)
    inner = np.arange(bins)[:, None] + [(1 - NARROW) / 2, (1 + NARROW) / 2]
    narrow = np.full((rows, 2 * bins - 1), np.nan)
    narrow[:, ::2] = np.where(few, value, np.nan)
    beneath["cmap"] = _one_colour(style.PAPER)
    ax.pcolormesh(inner.ravel(), up, np.where(np.isnan(narrow), np.nan, 0.0), **beneath)
    ax.pcolormesh(inner.ravel(), up, narrow, **props)
    ax.set(xlim=(0, bins), ylim=(rows - 0.5, -0.5))
    _name_classes(result, ax, rows)
    edges = [f"{edge:.3g}" for edge in result.edges]
    every = math.ceil((bins + 1) / 11)
    ax.set_xticks(range(0, bins + 1, every), edges[::every])
    ax.set_xlabel("predicted probability of the class")
    style.quiet_axes(ax)
    return mesh


def heat_map_figure(
    result: "ClassHeatMap", *, show: str = "gap", most: int = 100, verdict: bool = True
) -> "Figure":
    """Return `draw_heat_map` as a picture of its own, with a colour bar and the verdict.

    Parameters
    ----------
    result : ClassHeatMap
        What `class_heat_map` returned.
    show : {"gap", "z"}, default "gap"
        The gap, observed frequency less mean prediction, or the gap in units of its standard
        deviation under calibration.
    most : int, default 100
        Of more classes the first so many are drawn.
    verdict : bool, default True
        Write the verdict below.

    Returns
    -------
    matplotlib.figure.Figure
        The cells, the colour bar and the verdict.

    Raises
    ------
    ParameterError
        For another `show`.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> from plumbline import class_heat_map
    >>> p = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.3, 0.6]] * 20
    >>> data = Predictions.from_arrays([0, 1, 2] * 20, p)
    >>> figure = heat_map_figure(class_heat_map(data, resamples=99))
    >>> figure.axes[1].get_xlabel()
    'observed frequency − mean prediction'
    """
    rows = min(most, len(result.classes))
    tall = min(TALLEST, rows * (SMALL_ROW if rows > MANY else ROW))
    names = [style.short_name(row["class"]) for row in result.classes[:rows]]
    left = 0.25 + (0.055 if rows > MANY else 0.075) * max(map(len, names))
    width = left + HEAT_MAP_WIDE + 0.3
    lines = [
        line
        for note in _heat_map_notes(result, rows, verdict=verdict)
        for line in textwrap.wrap(note, int(15 * width))
    ]
    foot = 0.16 * len(lines) + 0.1
    height = foot + 0.65 + 0.5 + tall + 0.35
    with style.figure_style():
        figure = style.new_figure(width, height)
        box = (left / width, (foot + 1.15) / height, HEAT_MAP_WIDE / width, tall / height)
        ax = figure.add_axes(box)
        mesh = draw_heat_map(result, ax, show=show, most=most).drawn_
        ax.set_title("classes by score bins")
        bar = figure.add_axes(
            (left / width, (foot + 0.5) / height, HEAT_MAP_WIDE / width, 0.1 / height)
        )
        scale = figure.colorbar(mesh, cax=bar, orientation="horizontal", extend="both")
        if scale.solids is not None:  # a page gives colours to shapes, not to pixels
            scale.solids.set(rasterized=False)
        bar.set_xlabel(HEAT_MAP_LABELS[show])
        style.write_below(figure, lines)
    return figure


def _one_colour(colour: str) -> "Colormap":
    """Return a scale of one colour."""
    scale: Colormap = need_extra("matplotlib.colors", "plot", "a picture").ListedColormap([colour])
    return scale


def _colour_limit(value: Any, few: Any) -> float:
    """Return the number of the fullest colour: the largest of the cells with rows enough."""
    sound = np.abs(value[~few & np.isfinite(value)])
    if not len(sound):
        sound = np.abs(value[np.isfinite(value)])
    return float(sound.max(initial=0.0)) or 1.0


def _name_classes(result: "ClassHeatMap", ax: "Axes", rows: int) -> None:
    """Write the names of the classes, of so many rows that not all fit only some."""
    every = math.ceil(rows * SMALL_ROW / TALLEST)
    shown = result.classes[:rows:every]
    small: dict[str, Any] = {"fontsize": 6.3} if rows > MANY else {}
    ax.set_yticks(
        range(0, rows, every),
        [style.short_name(row["class"]) for row in shown],
        **small,
        **style.PLAIN,
    )
    ax.tick_params(axis="y", length=0)
    for text, row in zip(ax.get_yticklabels(), shown, strict=True):
        text.set_fontweight("bold" if row["rejected"] else "normal")


def _heat_map_notes(result: "ClassHeatMap", rows: int, *, verdict: bool) -> list[str]:
    left = len(result.classes) - rows
    more = [f"The first {rows:,} rows; {counted(left, 'class')} left out."] if left else []
    how = f"Narrow: fewer than {FEW_ROWS} rows. Grey: none. Bold: rejected."
    return [*more, how, *([result.verdict] if verdict else [])]
