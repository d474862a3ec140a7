"""How much larger the calibration error of one point is than if it were calibrated."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, whole_number
from plumbline._result import Detail, Presentation, Result
from plumbline.calibration import DISTANCES
from plumbline.formatting import number


@dataclass(frozen=True, repr=False, eq=False)
class OnePointExcess(Result):
    """Mean error of one point minus its mean error if calibrated, by formula.

    Attributes
    ----------
    distance : what is measured
    cells : the predicted and the real probability each take this many values
    probability : (cells,) those values, the middles of equal parts of [0, 1]
    excess : (cells, cells) the difference; rows by the real, columns by the predicted probability
    """

    distance: str
    cells: int
    probability: NDArray[np.float64] = field(repr=False, metadata={"hidden": True})
    excess: NDArray[np.float64] = field(repr=False, metadata={"hidden": True})

    def present(self) -> Presentation:
        """Return where the excess is least and where it is largest."""
        return Presentation(
            subject=f"{self.distance} distance, {self.cells:,} x {self.cells:,} probabilities",
            details=(
                Detail("least", "least excess", number(float(self.excess.min()))),
                Detail("largest", "largest excess", number(float(self.excess.max()))),
            ),
        )


def one_point_excess(distance: str = "absolute", *, cells: int = 100) -> OnePointExcess:
    """Compute the mean error of one point of two classes minus its mean if calibrated, by formula.

    With predicted p and real probability q of the first class, averaged over both classes: e(1) =
    (d(1, p) + d(0, 1 - p)) / 2 is the error where the first class is observed and e(0) where the
    second is; the excess is q e(1) + (1 - q) e(0) - (p e(1) + (1 - p) e(0)) = (q - p) (e(1) -
    e(0)). It is negative where the prediction is underconfident. The top-label error of one point
    is the same. Absolute and square distance give (q - p) (1 - 2p) both.

    Parameters
    ----------
    distance : str, default "absolute"
        As in `calibration_error`.
    cells : int, default 100
        How many values the predicted and the real probability take.

    Returns
    -------
    OnePointExcess

    Raises
    ------
    ParameterError
        For an unknown distance.

    References
    ----------
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> result = one_point_excess(cells=10)
    >>> float(result.probability[8]), round(float(result.excess[9, 8]), 4)
    (0.85, -0.07)
    """
    gap = DISTANCES[one_of("distance", distance, DISTANCES)]
    middle = (np.arange(whole_number("cells", cells, least=2)) + 0.5) / cells
    p, other = middle, 1.0 - middle
    happens = (gap(1.0, p, other) + gap(0.0, other, p)) / 2
    fails = (gap(0.0, p, other) + gap(1.0, other, p)) / 2
    excess = (middle[:, None] - p) * (happens - fails)
    return OnePointExcess(distance, cells, middle, np.asarray(excess))
