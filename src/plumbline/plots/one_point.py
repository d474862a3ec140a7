"""The heat map of one point: where the calibration error is larger than if it were true."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline import formatting
from plumbline.plots import style
from plumbline.power.one_point_excess import OnePointExcess

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

# Middles of the four fields that the diagonal and p = 1/2 cut out.
FIELDS = {
    (0.7, 0.93): "underconfident",
    (0.3, 0.07): "underconfident",
    (0.77, 0.3): "overconfident",
    (0.23, 0.7): "overconfident",
}


def draw_one_point(result: OnePointExcess, ax: "Axes") -> "AxesImage":
    """Draw mean real less mean calibrated error of one point as colours, with its zero lines.

    Predicted probability to the right, true probability upwards; blue where the real error is
    smaller on average, red where it is larger, white where they are equal: where the prediction is
    true and where it is 1/2. A colour's depth is the square root of the number, for the blue ones
    are small. Returns the image, for a colour bar.

    >>> from matplotlib.figure import Figure
    >>> from plumbline.power import one_point_excess
    >>> ax = Figure().subplots()
    >>> image = draw_one_point(one_point_excess("square", cells=20), ax)
    >>> ax.get_title()
    'square'
    """
    from matplotlib.colors import FuncNorm

    most = float(np.abs(result.excess).max())
    image = ax.imshow(
        result.excess,
        origin="lower",
        extent=(0, 1, 0, 1),
        cmap=style.diverging(),
        norm=FuncNorm((_depth, _number), vmin=-most, vmax=most),
    )
    ax.plot([0, 1], [0, 1], color=style.INK, lw=0.8)
    ax.axvline(0.5, color=style.INK, lw=0.8)
    for (x, y), text in FIELDS.items():
        ax.text(x, y, text, ha="center", va="center", fontsize=7.5, color=style.INK)
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=np.arange(6) / 5, yticks=np.arange(6) / 5)
    ax.set_xlabel("predicted probability of class 1")
    ax.set_ylabel("true probability of class 1")
    ax.set_title(result.distance, **style.PLAIN)
    return image


def one_point_figure(results: Sequence[OnePointExcess]) -> "Figure":
    """Return the heat maps of several distances, two a line, each with its own colour bar.

    >>> from plumbline.power import one_point_excess
    >>> len(one_point_figure([one_point_excess(cells=20)]).axes)  # the map and its bar
    2
    """
    each, tall, side, left, top = 3.9, 3.3, 2.5, 0.6, 0.3  # inches
    columns = min(2, len(results))
    width, height = each * columns, tall * -(-len(results) // columns) + top
    with style.house_style():
        figure = style.new_figure(width, height)
        for place, result in enumerate(results):
            start = each * (place % columns) + left
            low = height - top - tall * (place // columns + 1) + 0.5
            box = (start / width, low / height, side / width, side / height)
            image = draw_one_point(result, figure.add_axes(box))
            beside = ((start + side + 0.1) / width, low / height, 0.1 / width, side / height)
            _draw_bar(image, result, figure.add_axes(beside))
        heading = "mean real less mean calibrated error of one point"
        figure.text(0.12 / width, 1 - 0.12 / height, heading, va="top", color=style.INK)
    return figure


def _draw_bar(image: "AxesImage", result: OnePointExcess, ax: "Axes") -> None:
    """Draw the colours that there are, with round numbers beside them."""
    low, high = float(result.excess.min()), float(result.excess.max())
    rounded = [float(f"{share * end:.0e}") for end in (low, high) for share in (0.1, 0.4, 0.9)]
    ticks = [0.0, *rounded[1:2], *rounded[3:]]
    bar = ax.figure.colorbar(image, cax=ax, ticks=ticks, format=lambda x, _: formatting.printed(x))
    bar.outline.set_visible(False)
    ax.set_ylim(low, high)


def _depth(number: Any) -> Any:
    """Return the signed square root."""
    return np.sign(number) * np.sqrt(np.abs(number))


def _number(depth: Any) -> Any:
    """Return the signed square."""
    return np.sign(depth) * np.square(depth)
