"""What a page shows of a curve: the points of a picture, and those of the table below it."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.curves.drawing import thinned
from plumbline.curves.lines import AreaBelow, Curve, select_points

# Points of a longer curve are chosen as soon as it is made. A picture draws up to 20,000 as they
# are, and of more the extremes in 1,000 columns, as here.
LONG, WIDTH = 20_000, 1_000


@dataclass(frozen=True, slots=True, eq=False)
class ShownCurve:
    """What a page shows of a curve, so that a long one need not be held until the page is drawn.

    Attributes
    ----------
    curve : the points that a picture can show; all of a curve that is not long
    some : those that its table may hold: of a long curve the first of every `step` of a line
    lengths : points of each line
    """

    curve: Curve
    some: Curve
    step: int
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, curve: Curve, *, most: int) -> "ShownCurve":
        """Return what is shown of a curve, in a table of so many rows at most."""
        lengths = tuple(map(len, curve.lines))
        if sum(lengths) <= LONG:
            return cls(curve, curve, 1, lengths)
        step = step_of(sum(lengths), most)
        named = curve.named_area is not None
        some, few = [], []
        for line in curve.lines:
            below = AreaBelow.known(line.area) if named else None  # else it keeps all rows
            bare = dataclasses.replace(line, below=below)
            few.append(thinned(bare, curve, WIDTH))
            every = np.arange(0, len(line), step)
            some.append(dataclasses.replace(select_points(bare, every), path=None))
        drawn = dataclasses.replace(curve, lines=tuple(few))
        return cls(drawn, dataclasses.replace(curve, lines=tuple(some)), step, lengths)


def rows_of(shown: Sequence[ShownCurve], *, most: int) -> Sequence[Mapping[str, Any]]:
    """Return the points of a table of several curves: about one of so many of all, in their order.

    >>> from plumbline.curves.lines import Line
    >>> from plumbline.curves.presets import CurveSettings
    >>> places = np.arange(2_500.0)
    >>> whole = Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", (Line(places, places, places),))
    >>> shown = ShownCurve.of(whole, most=1_000)
    >>> [float(row["x"]) for row in rows_of([shown], most=1_000)][:3]
    [0.0, 3.0, 6.0]
    """
    step = step_of(sum(sum(one.lengths) for one in shown), most)
    lines, before = [], 0
    for one in shown:
        for line, length in zip(one.some.lines, one.lengths, strict=True):
            places = np.arange(-before % step, length, step) // one.step
            lines.append(select_points(line, places))
            before += length
    return dataclasses.replace(shown[0].some, lines=tuple(lines)).rows()


def step_of(rows: int, most: int) -> int:
    """Return which of so many rows a table keeps that may hold `most`: the first of every so many.

    >>> step_of(0, 1_000), step_of(1_000, 1_000), step_of(1_001, 1_000)
    (1, 1, 2)
    """
    return max(1, -(-rows // most))
