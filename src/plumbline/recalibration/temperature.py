"""Temperature scaling: one number that makes all probabilities bolder or more careful."""

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.predictions import Predictions, only_predictions
from plumbline.results import Result

Floats = NDArray[np.float64]

COLDEST, HOTTEST = 0.01, 100.0  # between these the temperature is looked for
NEVER = 2.0**-52  # what a probability of exactly 0 counts as, if no other of its row is smaller
ENOUGH = 1e-12
STEPS = 100

SEPARATED = (
    f"every colder temperature has a smaller log loss (as where the most likely class is always "
    f"the true one), so it stands at the least that is looked for, {COLDEST:g}"
)
WORSE_THAN_NOTHING = (
    f"every hotter temperature has a smaller log loss (the probabilities tell no more of the "
    f"classes than equal ones would), so it stands at the most that is looked for, {HOTTEST:g}"
)
FLAT = "every row gives all its classes the same probability, which no temperature changes"


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Temperature(Result):
    """A fitted temperature T: p_c becomes p_c^(1/T) / sum_j p_j^(1/T).

    Above 1 it mends overconfidence, below 1 underconfidence; the order of the classes of a row,
    and so its answer, stays.

    Attributes
    ----------
    value : T, from 0.01 to 100
    n : rows it was fitted on
    reason : why the value is no optimum, if it is none
    """

    value: float
    n: int
    reason: str | None = None

    def __call__(self, data: Predictions) -> Predictions:
        """Return the same table with probabilities of this temperature, and their logarithms.

        A probability of exactly 0 counts as 2^-52, or as the smallest other one of its row if that
        is smaller. Raises InputError for a table without probabilities.

        >>> careful = Temperature(2.0, 100)(Predictions.from_arrays([0, 1], [0.2, 0.9]))
        >>> careful.prob[:, 1].round(3).tolist()
        [0.333, 0.75]
        """
        logs = _scaled(_logarithms(data), self.value)
        by_column = np.asfortranarray(logs) if data.k == 2 else logs
        return dataclasses.replace(data, prob=np.exp(by_column), log_prob=by_column)


def fit_temperature(data: Predictions) -> Temperature:
    """Return the temperature at which the log loss of these rows is least (Guo et al. 2017).

    The log loss is convex in 1/T, so Newton steps kept in a bracket find the one optimum between
    T = 0.01 and 100; where it is not between them, the end stands with a reason. Weights count
    rows; a probability of exactly 0 counts as in `Temperature`. Fit it on rows that the model was
    not trained on, and measure on others still.

    Raises InputError for a table without probabilities, of several models, or without any weight.

    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(size=5000)
    >>> happened = rng.uniform(size=5000) < p
    >>> bold = Predictions.from_arrays(happened, p**2 / (p**2 + (1 - p) ** 2))
    >>> round(fit_temperature(bold).value, 1)
    2.0
    """
    only_predictions(data).need_one_model("a temperature")
    gap, own, weight = _rows(data)
    if not gap.any():
        return Temperature(1.0, data.n, FLAT)
    low, high = 1 / HOTTEST, 1 / COLDEST
    if _slope(gap, own, weight, low)[0] >= 0:
        return Temperature(HOTTEST, data.n, WORSE_THAN_NOTHING)
    if _slope(gap, own, weight, high)[0] <= 0:
        return Temperature(COLDEST, data.n, SEPARATED)
    return Temperature(1 / _root(gap, own, weight, low, high), data.n)


def _rows(data: Predictions) -> tuple[Floats, Floats, Floats]:
    """Return (n, k) logarithms below the row's largest, (n,) those of the true class, weights.

    Rows without weight are left out: they are absent.
    """
    logs = _logarithms(data)
    gap = logs - logs.max(axis=1, keepdims=True)
    own = np.take_along_axis(gap, data.actual[:, None], axis=1)[:, 0]
    mass = data.mass
    if not mass.any():
        raise InputError("a temperature needs rows to be fitted on, and all weights are 0")
    kept = mass > 0
    weight = mass / mass.sum()
    return (gap, own, weight) if kept.all() else (gap[kept], own[kept], weight[kept])


def _logarithms(data: Predictions) -> Floats:
    """Return (n, k) finite natural logarithms of the probabilities."""
    prob = only_predictions(data).need_prob("a temperature")
    if data.log_prob is not None:
        logs = data.log_prob.astype(np.float64)
    else:
        with np.errstate(divide="ignore"):
            logs = np.log(prob.astype(np.float64))
    never = np.isneginf(logs)
    if never.any():
        least = np.where(never, np.inf, logs).min(axis=1, keepdims=True)
        logs = np.where(never, np.minimum(least, math.log(NEVER)), logs)
    return logs


def _scaled(logs: Floats, temperature: float) -> Floats:
    """Return log probabilities at a temperature: a softmax that never overflows."""
    scaled: Floats = (logs - logs.max(axis=1, keepdims=True)) / temperature
    scaled -= np.log(np.exp(scaled).sum(axis=1, keepdims=True))
    return scaled


def _slope(gap: Floats, own: Floats, weight: Floats, inverse: float) -> tuple[float, float]:
    """Return the first two derivatives of the log loss in 1/T.

    They are the mean over rows of E[z] - z_y and of Var[z], z the log probabilities and the class
    drawn from the probabilities at this temperature.
    """
    share = np.exp(inverse * gap)
    share /= share.sum(axis=1, keepdims=True)
    first = np.einsum("ij,ij->i", share, gap)
    spread = np.einsum("ij,ij->i", share, np.square(gap - first[:, None]))
    return float(weight @ (first - own)), float(weight @ spread)


def _root(gap: Floats, own: Floats, weight: Floats, low: float, high: float) -> float:
    """Return the 1/T between low and high at which the log loss has no slope.

    A Newton step that leaves the bracket is replaced by the bracket's geometric middle.
    """
    inverse = 1.0
    for _ in range(STEPS):
        slope, curvature = _slope(gap, own, weight, inverse)
        if slope < 0:
            low = inverse
        else:
            high = inverse
        proposed = inverse - slope / curvature if curvature > 0 else low
        following = proposed if low < proposed < high else math.sqrt(low * high)
        if abs(following - inverse) <= ENOUGH * inverse:
            return following
        inverse = following
    return inverse
