"""Errors over bins of fixed edges: sums over the bins give them for rows counted anew."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import Bins, Homes
from plumbline.calibration import Setting
from plumbline.calibration.cells import cells_of
from plumbline.calibration.looks import Look, seen
from plumbline.comparison.quantities import Floats, Truths
from plumbline.errors import ParameterError
from plumbline.jit import compiled
from plumbline.predictions import Predictions

NOBODY = np.zeros((0, 0), np.int32)  # cells of single rows, which sums over bins need not know


@dataclass(frozen=True, slots=True, eq=False)
class BinnedRows:
    """The rows of one model in bins that no weight moves.

    Attributes
    ----------
    chosen : what is measured
    homes : of every event looked at, which bin every row is in
    looks : of every event, its probabilities and whether it happened
    """

    chosen: Setting
    homes: tuple[Homes, ...]
    looks: tuple[Look, ...]

    @classmethod
    def of(cls, table: Predictions, chosen: Setting) -> "BinnedRows":
        """Place the rows of a table."""
        if chosen.bins is None:
            raise ParameterError(f"an error over fixed bins has `bins`, got {chosen}")
        looks = tuple(seen(table, chosen).looks)
        return cls(chosen, tuple(Homes.of(look.score, None, chosen.bins) for look in looks), looks)

    def error(self, mass: Floats) -> float:
        """Return the error with (n,) weights of the rows, NaN where none has any."""
        if not mass.any():
            return np.nan
        parts = [_bins(home, look, mass) for home, look in zip(self.homes, self.looks, strict=True)]
        cells = cells_of(NOBODY, parts, self.chosen, np.repeat(mass.sum(), len(parts)))
        hits = np.concatenate([[0.0], *(part.outcome[part.filled] for part in parts)])
        return float(cells.error(hits[:, None])[0])


def _bins(homes: Homes, look: Look, mass: Floats) -> Bins:
    sums = np.zeros((4, homes.size))
    add_to_bins(homes.number, look.score, look.rest, look.event, mass, sums)
    weight, prob, rest, outcome = sums
    return Bins(homes.edges, weight, weight, prob, rest, outcome, np.zeros(homes.size))


@compiled
def add_to_bins(
    home: NDArray[np.intp], score: Floats, rest: Floats, event: Truths, mass: Floats, sums: Floats
) -> None:
    """Add up weights of the rows of every bin, their probabilities, and what happened."""
    for i in range(len(home)):
        w = mass[i]
        if w != 0.0:
            b = home[i]
            sums[0, b] += w
            sums[1, b] += w * score[i]
            sums[2, b] += w * rest[i]
            if event[i]:
                sums[3, b] += w
