"""The .632+ estimate: between the loss on the training data and the out-of-bag loss."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import Predictions

Floats = NDArray[np.float64]

SHARE = 0.632  # 1 - 1/e: the share of different rows in a bootstrap sample


@dataclass(frozen=True, slots=True)
class Point632:
    """The .632+ estimate and what it is made of.

    Attributes
    ----------
    value : (1 - weight) resubstitution + weight min(out_of_bag, no_information)
    weight : .632 / (1 - .368 overfitting), from .632 (no overfitting) to 1
    overfitting : relative overfitting rate R, from 0 to 1
    """

    value: float
    weight: float
    overfitting: float


def point_632(
    resubstitution: float, out_of_bag: float, *, no_information: float, better: str = "lower"
) -> Point632:
    """Return the .632+ estimate of a mean loss (Efron and Tibshirani, 1997).

    With e the loss on the training data, o the leave-one-out bootstrap loss and g the loss if
    features and classes were independent:

        o' = min(o, g),  R = (o' - e) / (g - e) if o > e and g > e, else 0,
        w = .632 / (1 - .368 R),  value = (1 - w) e + w o'.

    Where higher is better, such as accuracy, all three are turned round first, so the .632+ of
    1 - loss is 1 - the .632+ of the loss. NaN goes in, NaN comes out.

    Raises ParameterError if `better` is neither "lower" nor "higher".

    A classifier that memorises its training data, on random classes; .632 would estimate an error
    of .316, .632+ gives .5:

    >>> point_632(0.0, 0.5, no_information=0.5)
    Point632(value=0.5, weight=1.0, overfitting=1.0)
    """
    if better not in ("lower", "higher"):
        raise ParameterError(
            argument="better",
            rule="'lower' or 'higher'",
            arrived=quoted(better),
            code="unknown-name",
        )
    sign = 1.0 if better == "lower" else -1.0
    own, out, none = (sign * value for value in (resubstitution, out_of_bag, no_information))
    if np.isnan([own, out, none]).any():
        return Point632(float("nan"), float("nan"), float("nan"))
    held = min(out, none)
    overfitting = _relative_overfitting(own, held, none)
    weight = SHARE / (1.0 - (1.0 - SHARE) * overfitting)
    value = own if held == own else (1.0 - weight) * own + weight * held
    return Point632(sign * value, weight, overfitting)


def _relative_overfitting(own: float, held: float, none: float) -> float:
    """Return R; where the loss of no information is infinite, no finite loss is any part of it."""
    if not own < held:
        return 0.0
    return 1.0 if held == none else (held - own) / (none - own)


def out_of_bag_weights(rows: NDArray[np.intp]) -> Floats:
    """Return weights under which the mean over all test parts is the leave-one-out bootstrap.

    That is the mean over rows of each row's mean in the samples that left it out, so a row that c
    samples left out weighs 1 / c each time; one that every sample drew is left out of the mean.
    `rows` are the row numbers of all test parts, one after the other.

    >>> out_of_bag_weights(np.array([0, 1, 1]))
    array([1. , 0.5, 0.5])
    """
    weights: Floats = 1.0 / np.bincount(rows)[rows]
    return weights


def no_information_loss(name: str, data: Predictions) -> float:
    """Return the mean loss over all pairs of a row's class and a row's prediction, n x n of them.

    With share s_c of class c among the rows and predictions p_j:

        error-rate   1 - sum_c s_c (share of rows predicted c)
        brier-score  mean_j sum_c p_jc^2 - 2 sum_c s_c mean_j p_jc + 1, of two classes
                     s mean_j (1 - p_j)^2 + (1 - s) mean_j p_j^2 of the positive one
        brier-score-multiclass  the former of any number of classes
        log-loss     -sum_c s_c mean_j log p_jc (infinite where a class that occurs had 0)

    `data` are the predictions, for all rows, of one model fitted on all of them.

    Raises ParameterError for another name.

    >>> data = Predictions.from_arrays([0, 1], [[1.0, 0.0], [0.0, 1.0]])
    >>> no_information_loss("error-rate", data), no_information_loss("brier-score", data)
    (0.5, 0.5)
    """
    share = np.bincount(data.actual, minlength=data.k) / data.n
    if name == "error-rate":
        return float(1.0 - share @ np.bincount(data.predicted, minlength=data.k) / data.n)
    if name not in ("brier-score", "brier-score-multiclass", "log-loss"):
        raise ParameterError(
            argument="name",
            rule="error-rate, brier-score, brier-score-multiclass or log-loss, the mean losses",
            arrived=quoted(name),
            code="metric-without-632",
        )
    prob = data.need_prob(name).astype(np.float64, copy=False)
    if name == "brier-score" and data.k == 2:
        event, p = float(share[data.positive]), prob[:, data.positive]
        return event * float(((1 - p) ** 2).mean()) + (1 - event) * float((p**2).mean())
    if name != "log-loss":
        squares = float((prob**2).sum(axis=1).mean())
        return squares - 2.0 * float(share @ prob.mean(axis=0)) + 1.0
    with np.errstate(divide="ignore"):
        mean_log = np.log(prob[:, share > 0]).mean(axis=0)
    return float(-(share[share > 0] @ mean_log))
