"""The bias of probabilities in groups of rows: outcome share less mean probability."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide, binary_lens, setting
from plumbline.predictions import Predictions

PSEUDO_ROWS = 1.0  # weight of the prior opinion that the probabilities explain nothing


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """One event a row, as a binary view sees it; rows without weight are left out.

    Attributes
    ----------
    view : its name; row : (n,) numbers of the rows in the table
    prob : (n, 2) probabilities of the opposite and of the event; happened : (n,) whether it did
    weight : (n,) weights
    """

    view: str
    row: NDArray[np.intp]
    prob: Wide
    happened: NDArray[np.bool_]
    weight: Wide

    @classmethod
    def of(cls, data: Predictions, view: str | None, purpose: str) -> "Events":
        """Look at a table through a binary view."""
        chosen = setting(data, view)
        lens = binary_lens(data, chosen, purpose)
        row = np.flatnonzero(lens.mass > 0)
        prob = lens.need_prob(purpose)[row].astype(np.float64)
        return cls(chosen.name, row, prob, lens.actual[row] == 1, lens.mass[row])


def biases(
    events: Events, home: NDArray[Any], size: int, *, level: float = 0.95
) -> list[dict[str, Any]]:
    """Return count, means, bias and its interval for `size` groups; row i is in group home[i].

    The bias is sum w (y - p) / sum w. Its interval is Wilson's (1927) for the outcome share, less
    the mean probability, with the effective n of the weights divided by the share of the outcome's
    variance that the probabilities leave unexplained, sum w^2 (y - p - bias)^2 / sum w^2 (y - mean
    y)^2. To both sums a row's worth is added, so that few rows explain nothing.
    """
    from scipy.special import ndtri

    w, y, p = events.weight, events.happened.astype(np.float64), events.prob[:, 1]

    def total(values: Wide) -> Wide:
        return np.asarray(np.bincount(home, values, size), np.float64)

    count, weight, squares = np.bincount(home, minlength=size), total(w), total(w * w)
    share, mean = total(w * y) / weight, total(w * p) / weight
    bias = total(w * (y - p)) / weight
    own = PSEUDO_ROWS * squares / count
    left = total(np.square(w * (y - p - bias[home]))) + own
    raw = total(np.square(w * (y - share[home]))) + own
    n = weight**2 / squares
    low, high = wilson(share, n / np.minimum(left / raw, 1.0), float(ndtri((1.0 + level) / 2.0)))
    columns = {
        "n": count,
        "effective_n": n,
        "mean_probability": mean,
        "outcome_share": share,
        "bias": bias,
        "bias_low": low - mean,
        "bias_high": high - mean,
    }
    return [{name: column[j].item() for name, column in columns.items()} for j in range(size)]


def wilson(share: Wide, n: Wide, z: float) -> tuple[Wide, Wide]:
    """Return the ends of Wilson's interval (1927) of shares among n, z standard deviations wide.

    >>> [round(float(end), 4) for end in wilson(np.array(0.0), np.array(10.0), 1.959964)]
    [0.0, 0.2775]
    """
    middle = share + z * z / (2.0 * n)
    half = z * np.sqrt(share * (1.0 - share) / n + np.square(z / (2.0 * n)))
    scale = 1.0 + z * z / n
    return np.maximum((middle - half) / scale, 0.0), np.minimum((middle + half) / scale, 1.0)
