"""A prediction table as the families of miscalibration see it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Ints, Wide
from plumbline.errors import InputError
from plumbline.predictions import Predictions

# The least logarithm of a probability: a probability of 0 is one that no float can hold, so that a
# family which allows what had been thought impossible is preferred, and by a finite amount.
LOWEST = -690.0
TINY = float(np.exp(LOWEST))


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows that have weight.

    Attributes
    ----------
    prob : (n, k) probabilities, each row divided by its sum
    log_prob : (n, k) their natural logarithms, at least `LOWEST`
    never : (n, k) which are exactly 0, so that no temperature lifts them; logits never say so
    actual : (n,) observed labels
    weight : (n,) weights, scaled to sum to the effective number of rows
    event : (n,) the class whose probability is shifted: the positive one of two, else the most
        likely one
    """

    prob: Wide
    log_prob: Wide
    never: NDArray[np.bool_]
    actual: Ints
    weight: Wide
    event: NDArray[np.intp]

    @classmethod
    def of(cls, data: Predictions, purpose: str = "a diagnosis") -> "Rows":
        """Return the rows of a table; raises InputError without probabilities or weight."""
        prob = data.need_prob(purpose).astype(np.float64)
        mass = data.mass
        if mass.sum() <= 0:
            raise InputError(f"all weights are 0, so {purpose} has no rows to look at")
        kept = mass > 0
        log_prob = _logarithms(data, prob)[kept]
        prob = prob[kept] / prob[kept].sum(axis=1, keepdims=True)
        event = np.full(data.n, data.positive) if data.k == 2 else data.most_likely
        weight = mass[kept] * (data.effective_n / mass.sum())
        actual = data.actual[kept].astype(np.int32)
        never = prob <= (0.0 if data.log_prob is None else -1.0)
        return cls(prob, log_prob, never, actual, weight, event[kept].astype(np.intp))

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.actual)

    @property
    def k(self) -> int:
        """Number of classes."""
        return int(self.prob.shape[1])


def _logarithms(data: Predictions, prob: Wide) -> Wide:
    """Return log probabilities, those of the logits where the table has them."""
    with np.errstate(divide="ignore"):
        found = np.log(prob) if data.log_prob is None else data.log_prob.astype(np.float64)
    found -= np.logaddexp.reduce(found, axis=1, keepdims=True)
    return np.asarray(np.maximum(found, LOWEST))
