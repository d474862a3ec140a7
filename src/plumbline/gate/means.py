"""One-sided bounds of means over rows, or over groups of rows, however skewed the values are."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

METHOD = "Student's t, and Hall's correction for skewness where that is wider"


@dataclass(frozen=True, slots=True)
class Moments:
    """What the bounds of a mean need: the mean itself, and how the units' shares in it vary.

    Attributes
    ----------
    value : the mean, or what behaves like one
    error : its standard error
    skewness : of the units' influence on it
    units : number of independent units, an effective number where they weigh differently
    """

    value: float
    error: float
    skewness: float
    units: float

    @classmethod
    def of(
        cls,
        value: float,
        influence: Floats,
        *,
        mass: Floats | None = None,
        counted: bool = False,
        example: Any = None,
    ) -> "Moments":
        """Return the moments of a number with (n,) influence values of the rows.

        `mass` weighs rows, or counts identical ones where the table is counted; rows of one
        `example` (or group) are one unit.

        >>> values = np.array([0.0, 1.0, 1.0, 0.0])
        >>> round(Moments.of(0.5, values - 0.5).error, 3)
        0.289
        """
        own: Any = np.ones(len(influence)) if mass is None else mass
        times = own if counted else np.ones(len(own))
        part = influence if counted else own * influence
        if example is not None:
            number = np.unique(example, return_inverse=True)[1]
            part, own = np.bincount(number, own * influence), np.bincount(number, own)
            times = np.ones(len(own))
        total = float(own.sum())
        units = total if counted and example is None else float(total**2 / np.square(own).sum())
        if units <= 1:
            return cls(value, np.nan, 0.0, units)
        squares = float((times * np.square(part)).sum())
        cubes = float((times * part**3).sum())
        error = float(np.sqrt(squares * units / (units - 1))) / total
        skewness = cubes / squares**1.5 * np.sqrt(units) if squares > 0 else 0.0
        return cls(value, error, float(skewness), units)

    def ends(self, level: float) -> tuple[float, float]:
        """Return the one-sided lower and upper bounds of a level; NaN for a single unit.

        The statistic t = (mean - truth) / error is skewed against the skewness of the values: of
        losses with a long right tail it is too small too often, so that Student's bound from above
        holds less often than the level says. Hall (1992) transforms t into
        t + g (t^2 / 3 + 1 / 6) / sqrt(n) + g^2 t^3 / 27 n, nearly normal with g the skewness; its
        inverse at the quantiles gives the bounds. The wider of both is taken.
        """
        from scipy.special import stdtrit

        if not np.isfinite(self.error):
            return np.nan, np.nan
        t = float(stdtrit(max(self.units - 1, 1.0), level))
        down = min(-t, self._hall(-t))  # most negative t: how far the mean may lie below the truth
        up = max(t, self._hall(t))
        return self.value - self.error * up, self.value - self.error * down

    def _hall(self, quantile: float) -> float:
        root, g = np.sqrt(self.units), self.skewness
        if abs(g) / root < SYMMETRIC:
            return quantile
        inner = 1.0 + g * (quantile / root - g / (6 * self.units))
        return cast(float, 3 * root / g * (np.cbrt(inner) - 1.0))


SYMMETRIC = 1e-9  # skewness by root n: below it the correction is rounding


def unseen(units: float, level: float) -> float:
    """Return the largest share of units that so many can miss: 1 - (1 - level)^(1 / units).

    >>> round(unseen(59, 0.95), 3)
    0.05
    """
    return float(1.0 - (1.0 - level) ** (1.0 / units)) if units > 0 else 1.0
