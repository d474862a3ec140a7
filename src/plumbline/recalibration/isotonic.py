"""Isotonic regression: the best rising map."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.isotonic import isotonic_starts
from plumbline.recalibration.distinct import (
    Distinct,
    checked_bounded,
    distinct_scores,
    succession,
)
from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.forms import Line
from plumbline.recalibration.inputs import Event

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[np.intp]


class Blocks(NamedTuple):
    """The constant stretches of an isotonic fit, in rising order.

    Attributes
    ----------
    first, last : (m,) lowest and highest score of each
    centre : (m,) weighted mean score
    weight : (m,) weight of its rows
    value : (m,) its probability
    share : (m,) share of its rows where the event happened
    """

    first: Floats
    last: Floats
    centre: Floats
    weight: Floats
    value: Floats
    share: Floats

    def notes(self, weight: Floats) -> tuple[str, ...]:
        """Say which ends were drawn in, for no finite number of rows makes anything sure.

        `weight` are the rows' own.
        """
        said = []
        if self.share[0] == 0.0 != self.value[0]:
            said.append(
                f"none of the lowest rows ({_mass(self.weight[0], weight)}) has the event, and "
                f"they get {self.value[0]:.3g}, not 0"
            )
        if self.share[-1] == 1.0 != self.value[-1]:
            said.append(
                f"all of the highest rows ({_mass(self.weight[-1], weight)}) have the event, and "
                f"they get 1 - {1 - self.value[-1]:.3g}, not 1"
            )
        return tuple(said)


def _mass(mass: float, weight: Floats) -> str:
    """Return how many rows a block has, or what they weigh where rows have weights."""
    return f"{int(mass):,}" if np.all(weight == 1.0) else f"{mass:.6g} by weight"


def isotonic(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bounded: bool = True,
) -> EventFit:
    """Return the isotonic map: constant on pooled scores, straight lines between them.

    The rising shares that minimise sum_i w_i (y_i - c_i)^2 (Zadrozny and Elkan 2002), by pooling
    adjacent violators; equal scores are pooled first. `bounded` puts 1 / (W + 2) in place of a
    share of 0, and (W + 1) / (W + 2) in place of 1, where a block's rows weigh W, so that the map
    stays rising and calls nothing impossible. Raises ParameterError where it is not True or False.
    """
    blocks = pooled(distinct_scores(event.value, hit, weight), bounded=checked_bounded(bounded))
    knots, value = ends(blocks, np.ones(len(blocks.value), np.bool_))
    return EventFit(Line(knots, value), len(blocks.value), blocks.notes(weight))


def pooled(rows: Distinct, *, bounded: bool) -> Blocks:
    """Return the blocks of the isotonic fit.

    >>> rows = Distinct(np.array([0.1, 0.2, 0.5, 0.9]), np.ones(4), np.array([0.0, 1.0, 0.0, 1.0]))
    >>> pooled(rows, bounded=False).value.tolist()
    [0.0, 0.5, 1.0]
    >>> blocks = pooled(rows, bounded=True)
    >>> blocks.first.tolist(), blocks.last.tolist(), blocks.value.round(3).tolist()
    ([0.1, 0.2, 0.9], [0.1, 0.5, 0.9], [0.333, 0.5, 0.667])
    """
    first = np.flatnonzero(isotonic_starts(rows.weight, rows.hits[:, None])[0])
    last = np.append(first[1:], len(rows.score)) - 1
    weight = np.add.reduceat(rows.weight, first)
    share = np.clip(np.add.reduceat(rows.hits, first) / weight, 0.0, 1.0)
    low, high = rows.score[first], rows.score[last]
    reach = max(float(np.abs(rows.score[[0, -1]]).max()), 1.0)  # ratings may be huge
    centre = reach * (np.add.reduceat(rows.weight * (rows.score / reach), first) / weight)
    value = _inside(weight, share) if bounded else share
    return Blocks(low, high, np.clip(centre, low, high), weight, value, share)


def _inside(weight: Floats, share: Floats) -> Floats:
    """Draw the ends in from 0 and 1, never beyond their neighbours."""
    value = succession(weight, share)
    if len(value) > 1:
        value[0] = min(value[0], value[1])
        value[-1] = max(value[-1], value[-2])
    return value


def ends(blocks: Blocks, both: Truths) -> tuple[Floats, Floats]:
    """Return the knots of a line: both ends of the marked blocks, the centre of the others."""
    low = np.where(both, blocks.first, blocks.centre)
    high = np.where(both, blocks.last, blocks.centre)
    knots = np.column_stack([low, high]).ravel()
    kept = np.concatenate([[True], knots[1:] > knots[:-1]])
    return knots[kept], np.repeat(blocks.value, 2)[kept]
