"""Errors side by side: what each model scored, and what it would have scored if true."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.calibration_tests import CalibrationError
from plumbline.errors import ParameterError
from plumbline.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_errors(errors: Mapping[str, CalibrationError], ax: "Axes") -> None:
    """Draw one line a name: the error as a point beside its 95 % range under true probabilities.

    The tick in the range is the mean under true probabilities. A point is filled where it leaves
    the range. An infinite error is an arrow at the right edge.

    >>> from matplotlib.figure import Figure
    >>> from plumbline import Predictions, calibration_error
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> ax = Figure().subplots()
    >>> draw_errors({"a model": calibration_error(data, resamples=99)}, ax)
    >>> ax.get_yticklabels()[0].get_text()
    'a model'
    """
    if not errors:
        raise ParameterError("`errors` must hold at least one calibration error, got none")
    found = list(errors.values())
    finite = [v for e in found for v in (e.value, *e.null_range) if math.isfinite(v)]
    right = 1.14 * max(finite, default=0.0) or 1.0
    ax.set(xlim=(-0.012 * right, right), ylim=(len(found) - 0.4, -0.6))
    for place, error in enumerate(found):
        _draw_line(error, place, right, ax)
    ax.set_yticks(range(len(found)), [style.short_name(name) for name in errors], **style.PLAIN)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(f"calibration error ({found[0].distance})", **style.PLAIN)
    ax.locator_params(axis="x", nbins=6, steps=[1, 2, 5, 10])
    style.quiet_axes(ax)
    ax.spines["left"].set_visible(False)


def errors_figure(errors: Mapping[str, CalibrationError]) -> "Figure":
    """Return `draw_errors` as a picture of its own, as tall as it has lines."""
    width, height = 5.6, 0.62 + 0.3 * len(errors)
    left = 0.2 + 0.075 * max((len(style.short_name(name)) for name in errors), default=0)
    with style.house_style():
        figure = style.new_figure(width, height)
        size = (width - left - 0.15) / width, (height - 0.54) / height
        ax = figure.add_axes((left / width, 0.46 / height, *size))
        draw_errors(errors, ax)
        ax.grid(axis="x", color=style.GRID)
    return figure


def _draw_line(error: CalibrationError, place: int, right: float, ax: "Axes") -> None:
    low, high = error.null_range
    if math.isfinite(low) and math.isfinite(high):
        ax.barh(
            place,
            high - low,
            0.5,
            left=low,
            color=style.BAND,
            edgecolor=style.BAND,
            lw=1.5,
            zorder=2,
        )
        tick: dict[str, Any] = {"mec": style.DRAWS, "ms": 11, "mew": 1.4}
        ax.plot([error.null_mean], [place], "|", **tick, zorder=3)
    infinite = not math.isfinite(error.value)
    outside = infinite or not low <= error.value <= high
    x = right if infinite else error.value
    fill = style.POINT if outside else style.PAPER
    look: dict[str, Any] = {
        "mfc": fill,
        "mec": style.POINT,
        "ms": 6.5,
        "mew": 1.3,
        "clip_on": False,
    }
    ax.plot([x], [place], ">" if infinite else "o", **look, zorder=4)
    beside = x if infinite or not high > x else high
    ax.annotate(
        formatting.printed(error.value),
        (beside, place),
        (-9, 0) if infinite else (7, 0),
        va="center",
        ha="right" if infinite else "left",
        textcoords="offset points",
        color=style.INK,
        fontsize="small",
        zorder=5,
        **style.PLAIN,
    )
