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
    skewness, kurtosis : of the units' influence on it; 0 and 3 of a normal distribution
    units : number of independent units, an effective number where they weigh differently
    """

    value: float
    error: float
    skewness: float
    kurtosis: float
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
            return cls(value, np.nan, 0.0, NORMAL, units)
        squares = float((times * np.square(part)).sum())
        error = float(np.sqrt(squares * units / (units - 1))) / total
        if not squares > 0:
            return cls(value, error, 0.0, NORMAL, units)
        scaled = part / np.sqrt(squares)
        skewness = float((times * scaled**3).sum() * np.sqrt(units))
        return cls(value, error, skewness, float((times * scaled**4).sum() * units), units)

    def ends(self, level: float) -> tuple[float, float]:
        """Return the one-sided lower and upper bounds of a level; NaN for a single unit.

        The statistic t = (mean - truth) / error is skewed against the skewness of the values: of
        losses with a long right tail it is too small too often, so that Student's bound from above
        holds less often than the level says. Hall (1992) transforms t into
        t + g (t^2 / 3 + 1 / 6) / sqrt(n) + g^2 t^3 / 27 n, nearly normal with g the skewness; its
        inverse at the quantiles gives the bounds. The wider of both is taken. The degrees of
        freedom are those of a variance of values with this kurtosis k, 2 n / (k - 1), at most
        n - 1; and g is 1.25 times that of the rows, which are too few to show long tails whole.
        """
        from scipy.special import stdtrit

        if not np.isfinite(self.error):
            return np.nan, np.nan
        freedom = min(self.units - 1, 2 * self.units / max(self.kurtosis - 1, 1e-9))
        t = float(stdtrit(max(freedom, min(LEAST_FREEDOM, self.units - 1)), level))
        down = min(-t, self._hall(-t))  # most negative t: how far the mean may lie below the truth
        up = max(t, self._hall(t))
        return self.value - self.error * up, self.value - self.error * down

    def _hall(self, quantile: float) -> float:
        root, g = np.sqrt(self.units), UNSEEN_SKEWNESS * self.skewness
        if abs(g) / root < SYMMETRIC:
            return quantile
        inner = 1.0 + g * (quantile / root - g / (6 * self.units))
        return cast(float, 3 * root / g * (np.cbrt(inner) - 1.0))


NORMAL = 3.0  # kurtosis
LEAST_FREEDOM = 3.0  # of few rows whose kurtosis says less; with it t is finite, and its variance
# The rows' skewness is too small for long tails: with 1 in its place 5.3 to 5.5 % of the tables of
# 200 rows pass wrongly, with it 4.8 to 5.1 (python studies/gate.py wrong --only loss).
UNSEEN_SKEWNESS = 1.25
SYMMETRIC = 1e-9  # skewness by root n: below it the correction is rounding


def unseen(units: float, level: float) -> float:
    """Return the largest share of units that so many can miss: 1 - (1 - level)^(1 / units).

    >>> round(unseen(59, 0.95), 3)
    0.05
    """
    return float(1.0 - (1.0 - level) ** (1.0 / units)) if units > 0 else 1.0
