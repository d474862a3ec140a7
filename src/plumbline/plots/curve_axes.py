"""The axes of a curve: where a value stands, also one that no axis has a place for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline import formatting
from plumbline.curves import Scale
from plumbline.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

MOST_NAMES, LEVEL_NAMES = 60, 8  # categories that are named; that are named without turning
NAME = 22  # letters of a category's name


def mark_axis(ax: "Axes", side: str, scale: Scale, *, dates: bool = False) -> None:
    """Set limits and ticks of one axis, with a tick of its own for what stands at the edge.

    Where the numbers are `dates`, days since the beginning of 1970, the ticks are round dates.
    """
    axis = getattr(ax, f"{side}axis")
    getattr(ax, f"set_{side}lim")(scale.limits)
    if dates:
        from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

        locator = AutoDateLocator(minticks=3, maxticks=7)  # type: ignore[no-untyped-call]
        ends = ["", "%Y", "%b %Y", *["%d %b %Y"] * 3]  # what the ticks leave out, at the axis' end
        form = ConciseDateFormatter(locator, offset_formats=ends)  # type: ignore[no-untyped-call]
        axis.set_major_locator(locator)
        axis.set_major_formatter(form)
        return
    if not scale.deviate and scale.below is None and scale.above is None:
        plain_numbers(ax, side)
        return
    ticks, names = _ticks(scale)
    for place, name in scale.edges:
        ticks.append(place)
        names.append(name)
        line = ax.axvline if side == "x" else ax.axhline
        line(place, color=style.MUTED, lw=0.8, ls=":", zorder=1)
    axis.set_ticks(ticks, names)


def plain_numbers(ax: "Axes", side: str) -> None:
    """Write the numbers of an axis in full: no powers of ten apart from them, no offset."""
    getattr(ax, f"{side}axis").set_major_formatter(lambda value, _place: number_text(value))


def number_text(value: float) -> str:
    """Return a tick's number in full, with commas between thousands.

    >>> number_text(-1234567.0), number_text(0.1 + 0.2)
    ('−1,234,567', '0.3')
    """
    return formatting.typeset(f"{round(value, 12) + 0.0:,.10g}")


def _ticks(scale: Scale) -> tuple[list[float], list[str]]:
    """Return places and names of round values inside the scale."""
    slack = 1e-9 * (scale.high - scale.low)
    if scale.deviate:
        return scale.rate_ticks()
    from matplotlib.ticker import MaxNLocator

    round_ones = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(scale.low, scale.high)
    ticks = [float(t) for t in round_ones if scale.low - slack <= t <= scale.high + slack]
    return ticks, [number_text(tick) for tick in ticks]


def name_categories(ax: "Axes", names: Sequence[str], counts: Sequence[float | None]) -> None:
    """Put categories on the x axis, with the number of their rows where that is known."""
    every = -(-len(names) // MOST_NAMES)
    turned = is_turned(names)
    texts = []
    for name, count in zip(names, counts, strict=True):
        short = style.short_name(name, NAME, tail=7)
        rows = "" if count is None or every > 1 else f"n = {count:,.6g}"
        gap = ", " if turned else "\n"
        texts.append(f"{short}{gap}{rows}" if rows else short)
    places = list(range(0, len(names), every))
    props: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    size = 8 if len(places) <= 20 else 5.5
    shown = [texts[place] for place in places]
    ax.set_xticks(places, shown, fontsize=size, **(props if turned else {}), **style.PLAIN)
    ax.set_xlim(-0.6, len(names) - 0.4)


def is_turned(names: Sequence[str]) -> bool:
    """Tell whether the names of categories are too long or too many to stand level."""
    longest = max((len(name) for name in names), default=0)
    return len(names) > LEVEL_NAMES or min(longest, NAME) * len(names) > 56
