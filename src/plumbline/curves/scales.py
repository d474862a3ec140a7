"""Where values stand on the axes of a curve, also those that no axis has a place for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline import formatting

Floats = NDArray[np.float64]

EDGE = 0.07  # share of the axis between what is finite and the place of what is not
MARGIN = 0.025  # share of the axis left free on either side, so that markers are whole
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

    @property
    def edges(self) -> list[tuple[float, str]]:
        """Places and names of what stands at the edge, having no finite place."""
        ends = (
            (self.below, "0 %" if self.deviate else "−∞"),
            (self.above, "100 %" if self.deviate else "∞"),
        )
        return [(place, name) for place, name in ends if place is not None]

    def rate_ticks(self) -> tuple[list[float], list[str]]:
        """Return round rates, the middle ones first, as many as fit beside each other."""
        room = APART * (self.limits[1] - self.limits[0])
        taken = [place for place, _ in self.edges]
        ticks: list[float] = []
        names: list[str] = []
        for rate in sorted(RATES, key=lambda rate: abs(rate - 0.5)):
            place = float(_plain_places(np.array(rate), deviate=True))
            apart = all(abs(place - tick) >= room for tick in taken + ticks)
            if apart and self.low <= place <= self.high:
                ticks.append(place)
                names.append(formatting.percentage(rate))
        return ticks, names


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
