"""The large-sample null distributions of textbooks, for the known calibration tests."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import one_of
from plumbline.calibration import Drawable
from plumbline.calibration.hosmer_lemeshow import LEAST_VARIANCE, hit_variance
from plumbline.errors import InputError

Tails: TypeAlias = tuple[float, float]

TERMS = 40  # either series has converged to rounding long before
NARROW = 1.5  # below it the series of exponentials converges fast, above it that of normal tails
CONSTANT: Tails = (1.0, 1.0)


def textbook_tails(name: str, what: Drawable, value: float) -> Tails:
    """Return P(T >= value) and P(T <= value) of a named test under its large-sample distribution.

    - "spiegelhalter": standard normal
    - "hosmer-lemeshow": chi-square, one degree of freedom for each bin whose outcomes can vary
    - "cox": chi-square, 2 degrees of freedom, 1 if all logits are equal
    - "kolmogorov-smirnov", "kuiper": the largest absolute value and the range of a Brownian motion
      on [0, 1], times sqrt(sum w^2 p q) / sum w (Arrieta-Ibarra et al. 2022; Feller 1951)

    A statistic that cannot vary has (1, 1). The weights are part of the variances, save for "cox":
    its likelihood ratio has no such distribution with weights, so they raise InputError. Raises
    ParameterError for a name without such a distribution.

    >>> from plumbline import Predictions
    >>> from plumbline.calibration.slope import cox_statistic
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.2, 0.3, 0.6, 0.8]).one_vs_rest("1")
    >>> round(textbook_tails("cox", cox_statistic(data), 5.99)[0], 3)
    0.05
    """
    return TEXTBOOK[one_of("statistic", name, TEXTBOOK)](what, value)


def _normal(what: Any, value: float) -> Tails:
    from scipy.special import ndtr

    return CONSTANT if not what.value.any() else (float(ndtr(-value)), float(ndtr(value)))


def _grouped(what: Any, value: float) -> Tails:
    variance = hit_variance(what, what.cells)[1:]
    return _chi_square(int(np.count_nonzero(variance > LEAST_VARIANCE)), value)


def _cox(what: Any, value: float) -> Tails:
    if what.counted:
        return _chi_square(what.freedom, value)
    if what.weight is not None and np.ptp(what.weight[what.weight > 0]) > 0:
        raise InputError(
            "with weights the likelihood ratio of the calibration slope does not follow a "
            "chi-square distribution; use `null='resample'`",
            code="weights-not-possible",
        )
    scale = 1.0 if what.weight is None else what.weight.max()
    return _chi_square(what.freedom, value / scale)


def _chi_square(freedom: int, value: float) -> Tails:
    from scipy.special import chdtr, chdtrc

    if not freedom:
        return (0.0, 1.0) if value > 0 else CONSTANT
    return float(chdtrc(freedom, value)), float(chdtr(freedom, value))


def _kolmogorov_smirnov(what: Any, value: float) -> Tails:
    return brownian_supremum(value / what.spread) if what.spread > 0 else CONSTANT


def _kuiper(what: Any, value: float) -> Tails:
    return brownian_range(value / what.spread) if what.spread > 0 else CONSTANT


def brownian_supremum(x: float) -> Tails:
    """Return P(S >= x) and P(S <= x) of S = max |B(t)|, t in [0, 1], B a Brownian motion.

    P(S >= x) = 4 sum_j (-1)^j Q((2j + 1) x) with Q the normal tail, or P(S <= x) =
    4/pi sum_j (-1)^j / (2j + 1) exp(-((2j + 1) pi / x)^2 / 8) (Feller 1951).

    >>> [round(tail, 4) for tail in brownian_supremum(2.2414)]
    [0.05, 0.95]
    """
    from scipy.special import ndtr

    if x <= 0:
        return 1.0, 0.0
    odd = 2 * np.arange(TERMS) + 1
    sign = np.where(np.arange(TERMS) % 2, -1.0, 1.0)
    if x < NARROW:
        lower = 4 / np.pi * float(np.sum(sign / odd * np.exp(-np.square(odd * np.pi / x) / 8)))
        return 1.0 - lower, lower
    upper = 4 * float(np.sum(sign * ndtr(-odd * x)))
    return upper, 1.0 - upper


def brownian_range(x: float) -> Tails:
    """Return P(R >= x) and P(R <= x) of R = max B(t) - min B(t), t in [0, 1], B a Brownian motion.

    P(R >= x) = 8 sum_k (-1)^(k - 1) k Q(k x), k = 1, 2, ..., with Q the normal tail, or P(R <= x) =
    8 sum over odd o of (1/x^2 + 1/(o pi)^2) exp(-(o pi / x)^2 / 2) (Feller 1951).

    >>> [round(tail, 4) for tail in brownian_range(2.4977)]
    [0.05, 0.95]
    """
    from scipy.special import ndtr

    if x <= 0:
        return 1.0, 0.0
    if x < NARROW:
        odd = 2 * np.arange(TERMS) + 1
        part = (1 / x**2 + 1 / np.square(odd * np.pi)) * np.exp(-np.square(odd * np.pi / x) / 2)
        lower = 8 * float(np.sum(part))
        return 1.0 - lower, lower
    k = np.arange(1, TERMS + 1)
    upper = 8 * float(np.sum(np.where(k % 2, 1.0, -1.0) * k * ndtr(-k * x)))
    return upper, 1.0 - upper


TEXTBOOK: dict[str, Callable[[Any, float], Tails]] = {
    "spiegelhalter": _normal,
    "hosmer-lemeshow": _grouped,
    "cox": _cox,
    "kolmogorov-smirnov": _kolmogorov_smirnov,
    "kuiper": _kuiper,
}
