"""Proper scores and accuracy: plain functions of predictions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction
from plumbline.formatting import quoted
from plumbline.predictions import Predictions, only_predictions


def log_loss(data: Predictions, *, clip: float | None = None) -> float:
    """Return the mean negative log probability of the observed class, in nats.

    -(1/W) sum_i w_i ln p_i,c(i). Data made by `Predictions.from_logits` use their stable log
    probabilities.

    Parameters
    ----------
    data : Predictions
        Rows of one model with probabilities; a row counts by its weight.
    clip : float, optional
        Replace every probability below `clip`, in (0, 1), by it; by default none is replaced.

    Returns
    -------
    float
        The log loss; 0 is perfect. Infinite where an observed class had probability 0, NaN if all
        weights are 0.

    Raises
    ------
    InputError
        Without probabilities, or with several models.
    ParameterError
        For a `clip` outside (0, 1).

    References
    ----------
    Good 1952, Rational decisions.

    Examples
    --------
    >>> round(log_loss(Predictions.from_arrays([0, 1], [0.2, 0.6])), 4)
    0.367
    """
    only_predictions(data).need_one_model("the log loss")
    own = own_log_probability(data)
    if clip is not None:
        data.need_prob("`clip`")
        own = np.maximum(own, np.log(open_fraction("clip", clip)))
    return 0.0 - _mean(data, own)  # never -0.0


def impossible_rows(data: Predictions) -> int:
    """Count the rows (of positive weight) whose observed class had predicted probability 0.

    >>> impossible_rows(Predictions.from_arrays([0, 1, 1], [1.0, 0.6, 1.0]))
    1
    """
    never = np.isneginf(own_log_probability(only_predictions(data)))
    if data.counted:
        return int(data.mass[never].sum())
    return int((never if data.weight is None else never & (data.weight > 0)).sum())


def brier_score(data: Predictions, *, target: Any = None) -> float:
    """Return the Brier score (Brier 1950): the mean squared error of the probabilities.

    For two classes it is the mean of (p - y)^2 of the positive class, from 0 to 1; for more, the
    mean over rows of the sum over classes of (p - y)^2, from 0 to 2. scikit-learn's
    `brier_score_loss` returns the same numbers. The sum over both of two classes is the metric
    "brier-score-multiclass" of `measure`, twice this score.

    Parameters
    ----------
    data : Predictions
        Rows of one model with probabilities; a row counts by its weight.
    target : class, optional
        Score this class alone: the mean of its (p - y)^2, from 0 to 1.

    Returns
    -------
    float
        The score; 0 is perfect, NaN if all weights are 0.

    Raises
    ------
    InputError
        Without probabilities, with several models, or for an unknown class.

    References
    ----------
    Brier 1950, Verification of forecasts expressed in terms of probability.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1], [0.2, 0.6])
    >>> round(brier_score(data), 3)
    0.1
    """
    only_predictions(data).need_one_model("the Brier score")
    if target is None:
        return _mean(data, brier_losses(data))
    return _mean(data, _squared_gaps(data, data.class_number(target)))


def brier_score_multiclass(data: Predictions) -> float:
    """Return the Brier score as a sum over classes, from 0 to 2 for any number of classes.

    >>> round(brier_score_multiclass(Predictions.from_arrays([0, 1], [0.2, 0.6])), 3)
    0.2
    """
    only_predictions(data).need_one_model("the Brier score")
    return _mean(data, _squared_distances(data))


def brier_convention(data: Predictions) -> str:
    """Return which Brier score `brier_score` returns for a table, as text to show beside it.

    >>> brier_convention(Predictions.from_arrays([0, 1], [0.2, 0.6]))
    "mean of (p - y)^2 of '1', from 0 to 1"
    """
    if data.k == 2:
        return f"mean of (p - y)^2 of {quoted(data.classes[data.positive])}, from 0 to 1"
    return "mean of (p - y)^2 summed over the classes, from 0 to 2"


def accuracy(data: Predictions) -> float:
    """Return the share of rows whose predicted class is the observed one.

    The predicted class is the `predicted` column where there is one; else, for two classes, the
    positive one where p >= 0.5; else the one of the largest probability, the first on ties.

    Parameters
    ----------
    data : Predictions
        Rows of one model with probabilities or predicted labels; a row counts by its weight.

    Returns
    -------
    float
        The accuracy, from 0 to 1; NaN if all weights are 0.

    Raises
    ------
    InputError
        With several models, or for ratings alone, which have no threshold.

    Examples
    --------
    >>> accuracy(Predictions.from_arrays([0, 1, 1, 0], [0.2, 0.6, 0.4, 0.1]))
    0.75
    """
    only_predictions(data).need_one_model("the accuracy")
    return _mean(data, data.predicted == data.actual)


def brier_losses(data: Predictions) -> NDArray[np.float64]:
    """Return (n,) values whose mean is the Brier score: see `brier_score`."""
    return _squared_gaps(data, data.positive) if data.k == 2 else _squared_distances(data)


def _squared_gaps(data: Predictions, column: int) -> NDArray[np.float64]:
    if data.losses is not None:
        return np.asarray(data.losses.by_class[data.losses.group, column])
    prob = data.need_prob("the Brier score")[:, column].astype(np.float64)
    return np.asarray(np.square(prob - (data.actual == column)), np.float64)


def _squared_distances(data: Predictions) -> NDArray[np.float64]:
    """Return (n,) sums over classes (p_ic - [c = c(i)])^2."""
    if data.losses is not None:
        return data.losses.brier_score
    gap = data.need_prob("the Brier score").astype(np.float64)
    gap[np.arange(data.stored), data.actual] -= 1.0
    return np.asarray(np.einsum("ij,ij->i", gap, gap), np.float64)


def own_log_probability(data: Predictions) -> NDArray[np.float64]:
    """Return (n,) natural logarithms of the true class's probability, -inf where that is 0."""
    if data.losses is not None:
        return -data.losses.log_loss
    if data.log_prob is not None:
        own = np.take_along_axis(data.log_prob, data.actual[:, None], axis=1)[:, 0]
        return own.astype(np.float64)
    prob = data.need_prob("the log loss")
    if data.k == 2:
        own = np.where(data.actual == 1, prob[:, 1], prob[:, 0])
    else:
        own = np.take_along_axis(prob, data.actual[:, None], axis=1)[:, 0]
    with np.errstate(divide="ignore"):
        return np.log(own.astype(np.float64, copy=False))


def _mean(data: Predictions, values: NDArray[Any]) -> float:
    """Return the weighted mean; a row of weight 0 is absent, even if its value is infinite.

    NaN where all weights are 0, as in a fold that holds only such rows.
    """
    if data.weight is None:
        return float(values.mean())
    kept = data.weight > 0
    if kept.all():
        return float(np.average(values, weights=data.weight))
    return float(np.average(values[kept], weights=data.weight[kept])) if kept.any() else np.nan
