"""Classes by score bins: where each class's probabilities are too high or too low."""

import math
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import need_extra, one_of, whole_number
from plumbline.formatting import counted
from plumbline.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import QuadMesh
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

    from plumbline.calibration_tests import ClassHeatMap

WIDE = 4.2  # inches of the axes
ROW, SMALL_ROW = 0.24, 0.115  # inches of a class, where there are few and where there are many
MANY, TALLEST = 30, 12.0
FEW_ROWS = 10
NARROW = 0.4  # share of a cell's width that is coloured where it holds few rows
SHOWN = {"gap": "observed share − mean probability", "z": "gap / its standard deviation if true"}


def draw_heat_map(
    result: "ClassHeatMap", ax: "Axes", *, show: str = "gap", most: int = 100
) -> "QuadMesh":
    """Draw one row a class and one column a score bin; return the mesh, for a colour bar.

    Blue: observed less often than predicted; orange: more often. Cells of fewer than 10 rows are
    narrow, empty ones grey. The names of rejected classes are bold. `show`: "gap", or "z", the gap
    in units of its chance. Of more than `most` classes the first are drawn.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import class_heat_map
    >>> p = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.3, 0.6]] * 20
    >>> data = Predictions.from_arrays([0, 1, 2] * 20, p)
    >>> ax = Figure().subplots()
    >>> mesh = draw_heat_map(class_heat_map(data, resamples=99), ax)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['1', '2', '0']
    """
    one_of("show", show, SHOWN)
    rows = min(whole_number("most", most, least=1), len(result.classes))
    value = (result.gap if show == "gap" else result.z)[:rows]
    few = result.count[:rows] < FEW_ROWS
    limit = _limit(value, few)
    look: dict[str, Any] = {"cmap": style.diverging(), "vmin": -limit, "vmax": limit}
    bins = value.shape[1]
    up = np.arange(rows + 1) - 0.5
    beneath: dict[str, Any] = {"cmap": _one_colour(style.GRID), "vmin": 0, "vmax": 1}
    ax.pcolormesh(np.arange(bins + 1.0), up, np.where(few, 0.0, np.nan), **beneath)
    mesh = ax.pcolormesh(np.arange(bins + 1.0), up, np.where(few, np.nan, value), **look)
    inner = np.arange(bins)[:, None] + [(1 - NARROW) / 2, (1 + NARROW) / 2]
    narrow = np.full((rows, 2 * bins - 1), np.nan)
    narrow[:, ::2] = np.where(few, value, np.nan)
    beneath["cmap"] = _one_colour(style.PAPER)
    ax.pcolormesh(inner.ravel(), up, np.where(np.isnan(narrow), np.nan, 0.0), **beneath)
    ax.pcolormesh(inner.ravel(), up, narrow, **look)
    ax.set(xlim=(0, bins), ylim=(rows - 0.5, -0.5))
    _names(result, ax, rows)
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

    >>> from plumbline import Predictions
    >>> from plumbline.calibration_tests import class_heat_map
    >>> p = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.1, 0.3, 0.6]] * 20
    >>> data = Predictions.from_arrays([0, 1, 2] * 20, p)
    >>> figure = heat_map_figure(class_heat_map(data, resamples=99))
    >>> figure.axes[1].get_xlabel()
    'observed share − mean probability'
    """
    rows = min(most, len(result.classes))
    tall = min(TALLEST, rows * (SMALL_ROW if rows > MANY else ROW))
    names = [style.short_name(row["class"]) for row in result.classes[:rows]]
    left = 0.25 + (0.055 if rows > MANY else 0.075) * max(map(len, names))
    width = left + WIDE + 0.3
    lines = [
        line
        for note in _notes(result, rows, verdict=verdict)
        for line in textwrap.wrap(note, int(15 * width))
    ]
    foot = 0.16 * len(lines) + 0.1
    height = foot + 0.65 + 0.5 + tall + 0.35
    with style.house_style():
        figure = style.new_figure(width, height)
        box = (left / width, (foot + 1.15) / height, WIDE / width, tall / height)
        ax = figure.add_axes(box)
        mesh = draw_heat_map(result, ax, show=show, most=most)
        ax.set_title("classes by score bins")
        bar = figure.add_axes((left / width, (foot + 0.5) / height, WIDE / width, 0.1 / height))
        scale = figure.colorbar(mesh, cax=bar, orientation="horizontal", extend="both")
        if scale.solids is not None:  # a page gives colours to shapes, not to pixels
            scale.solids.set(rasterized=False)
        bar.set_xlabel(SHOWN[show])
        for number, text in enumerate(reversed(lines)):
            figure.text(
                0.08 / width,
                (0.08 + 0.16 * number) / height,
                text,
                color=style.MUTED,
                fontsize=7.2,
                **style.PLAIN,
            )
    return figure


def _one_colour(colour: str) -> "Colormap":
    """Return a scale of one colour."""
    found: Colormap = need_extra("matplotlib.colors", "plot", "a picture").ListedColormap([colour])
    return found


def _limit(value: Any, few: Any) -> float:
    """Return the number of the fullest colour: the largest of the cells with rows enough."""
    sound = np.abs(value[~few & np.isfinite(value)])
    if not len(sound):
        sound = np.abs(value[np.isfinite(value)])
    return float(sound.max(initial=0.0)) or 1.0


def _names(result: "ClassHeatMap", ax: "Axes", rows: int) -> None:
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


def _notes(result: "ClassHeatMap", rows: int, *, verdict: bool) -> list[str]:
    left = len(result.classes) - rows
    more = [f"The first {rows:,} rows; {counted(left, 'class')} left out."] if left else []
    how = f"Narrow: fewer than {FEW_ROWS} rows. Grey: none. Bold: rejected."
    return [*more, how, *([result.verdict] if verdict else [])]
