"""The axes of a curve: where a value stands, also one that no axis has a place for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline import formatting
from plumbline.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

EDGE = 0.07  # share of the axis between what is finite and the place of what is not
MARGIN = 0.025
APART = 0.11  # share of the axis that two rates' names are apart at least
RATES = (
    0.001,
    0.002,
    0.005,
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.4,
    0.6,
    0.8,
    0.9,
    0.95,
    0.98,
    0.99,
    0.995,
    0.998,
    0.999,
)
MOST_NAMES, LEVEL_NAMES = 60, 8  # categories that are named; that are named without turning
NAME = 22  # letters of a category's name


@dataclass(frozen=True, slots=True)
class Scale:
    """How values become places on one axis.

    Attributes
    ----------
    deviate : whether rates stand at their normal deviates, where a straight line is a normal model
    low, high : places of the least and the greatest value that the axis has a place for
    below, above : places at the edge for -inf (a rate of 0) and inf (a rate of 1); None where there
        is no such value
    """

    deviate: bool
    low: float
    high: float
    below: float | None
    above: float | None

    def place(self, values: Any) -> Floats:
        """Return the places of values; what has no finite one stands at the edge."""
        places = _plain_places(np.asarray(values, np.float64), self.deviate)
        least = self.low if self.below is None else self.below
        most = self.high if self.above is None else self.above
        return np.where(np.isneginf(places), least, np.where(np.isposinf(places), most, places))

    @property
    def limits(self) -> tuple[float, float]:
        """Ends of the axis."""
        least = self.low if self.below is None else self.below
        most = self.high if self.above is None else self.above
        margin = MARGIN * (most - least)
        return least - margin, most + margin


def scale_of(
    values: Sequence[Floats], *, deviate: bool = False, square: bool = False, zero: bool = False
) -> Scale:
    """Return the scale that shows all values: 0 to 1 whole where they are shares of some spread.

    `square` asks for 0 to 1 whatever the values, `zero` for an axis that begins at 0 if it can.
    """
    places = [_plain_places(part, deviate) for part in values] or [np.empty(0)]
    every = np.concatenate(places)
    finite = every[np.isfinite(every)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    if square or (not deviate and 0 <= low <= high - 0.5 and high <= 1):
        low, high = 0.0, 1.0
    elif zero and low >= 0:
        low, high = 0.0, high or 1.0
    elif low == high:
        low, high = low - max(0.5, abs(low) / 2), high + max(0.5, abs(high) / 2)
    edge = EDGE * (high - low)
    below = low - edge if np.isneginf(every).any() else None
    above = high + edge if np.isposinf(every).any() else None
    return Scale(deviate, low, high, below, above)


def _plain_places(values: Floats, deviate: bool) -> Floats:
    if not deviate:
        return values
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(values, 0.0, 1.0)), np.float64)


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
    for place, finite, rate in ((scale.below, "−∞", "0 %"), (scale.above, "∞", "100 %")):
        if place is not None:
            ticks.append(place)
            names.append(rate if scale.deviate else finite)
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
        return _rate_ticks(scale)
    from matplotlib.ticker import MaxNLocator

    round_ones = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(scale.low, scale.high)
    ticks = [float(t) for t in round_ones if scale.low - slack <= t <= scale.high + slack]
    return ticks, [number_text(tick) for tick in ticks]


def _rate_ticks(scale: Scale) -> tuple[list[float], list[str]]:
    """Return round rates, the middle ones first, as far as there is room beside each other."""
    room = APART * (scale.limits[1] - scale.limits[0])
    taken = [edge for edge in (scale.below, scale.above) if edge is not None]
    ticks: list[float] = []
    names: list[str] = []
    for rate in sorted(RATES, key=lambda rate: abs(rate - 0.5)):
        place = float(_plain_places(np.array(rate), deviate=True))
        if scale.low <= place <= scale.high and all(abs(place - t) >= room for t in taken + ticks):
            ticks.append(place)
            names.append(formatting.percentage(rate))
    return ticks, names


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
