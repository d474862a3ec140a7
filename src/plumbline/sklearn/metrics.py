"""Twins in the style of scikit-learn: the measures of `(y_true, y_prob)`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline._checks import one_of
from plumbline.binning import Binning, EqualSize, EqualWidth
from plumbline.calibration import (
    OwnDistance,
    Wide,
    binned_statistic,
    define_error,
    statistic,
    value_of,
)
from plumbline.calibration.one_pass import error_in_one_pass
from plumbline.calibration_errors import StatisticParams
from plumbline.errors import ParameterError
from plumbline.metrics import metric_named
from plumbline.nulls import observed
from plumbline.predictions import Predictions
from plumbline.predictions.arrays import ArgumentNames, checked_columns
from plumbline.sklearn.arguments import in_words_of_sklearn

AS_IN_SKLEARN = ArgumentNames(classes="labels", positive="pos_label")
STRATEGIES: dict[str, type[EqualWidth] | type[EqualSize]] = {
    "uniform": EqualWidth,
    "quantile": EqualSize,
}


@in_words_of_sklearn
def expected_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    distance: str | OwnDistance = "absolute",
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the expected calibration error (ECE).

    sum_b (W_b / W) d(observed share, mean probability) over bins: of the positive class for two
    classes, of the most likely class for more. The same number as
    `plumbline.calibration_error(...).value`.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    n_bins : int, default 15
        Number of bins.
    strategy : {"uniform", "quantile"}, default "uniform"
        Bins of equal width, or of equal size; ties are never split.
    distance : str or callable, default "absolute"
        Distance of observed share and mean probability: "absolute", "square", "log" or a
        function of
        two arrays.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The error; 0 if every bin's observed share is its mean probability.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Naeini et al. 2015, Obtaining well calibrated probabilities using Bayesian binning; Guo et al.
    2017, On calibration of modern neural networks.

    Examples
    --------
    >>> y_true, y_prob = [0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96]
    >>> round(expected_calibration_error(y_true, y_prob, n_bins=5), 3)
    0.054
    """
    bins = _binning(n_bins, strategy)
    plain = sample_weight is None and labels is None and pos_label is None
    if plain and distance == "absolute" and isinstance(bins, EqualWidth):
        quick = error_in_one_pass(y_true, y_prob, bins.bins)
        if quick is not None:
            return quick
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return value_of(statistic(data, define_error(data, None, bins, distance)))


@in_words_of_sklearn
def static_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    distance: str | OwnDistance = "absolute",
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the static (classwise) calibration error.

    The mean over the k classes of each class's one-vs-rest calibration error, each class in bins
    of its own.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    n_bins : int, default 15
        Number of bins.
    strategy : {"uniform", "quantile"}, default "uniform"
        Bins of equal width, or of equal size; ties are never split.
    distance : str or callable, default "absolute"
        Distance of observed share and mean probability: "absolute", "square", "log" or a
        function of
        two arrays.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The error, a mean over classes.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Nixon et al. 2019, Measuring calibration in deep learning.

    Examples
    --------
    >>> static_calibration_error([0, 1, 2], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    0.0
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    definition = define_error(data, "classwise", _binning(n_bins, strategy), distance)
    return value_of(statistic(data, definition))


@in_words_of_sklearn
def adaptive_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the adaptive calibration error.

    sum_b (W_b / W) abs(observed share - mean probability) over bins that hold equally many rows;
    ties are never split.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    n_bins : int, default 15
        Number of bins.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The error.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Nguyen and O'Connor 2015, Posterior calibration and exploratory analysis for natural language
    processing models; Nixon et al. 2019, Measuring calibration in deep learning.

    Examples
    --------
    >>> adaptive_calibration_error([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75], n_bins=2)
    0.25
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return metric_value(data, "ace", StatisticParams(bins=EqualSize(n_bins)))


@in_words_of_sklearn
def maximum_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the maximum calibration error.

    max_b abs(observed share - mean probability) over the bins that hold rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    n_bins : int, default 15
        Number of bins.
    strategy : {"uniform", "quantile"}, default "uniform"
        Bins of equal width, or of equal size; ties are never split.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The largest gap of a bin.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Naeini et al. 2015, Obtaining well calibrated probabilities using Bayesian binning.

    Examples
    --------
    >>> round(maximum_calibration_error([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2), 2)
    0.3
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return metric_value(data, "mce", StatisticParams(bins=_binning(n_bins, strategy)))


@in_words_of_sklearn
def root_mean_square_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the root mean square calibration error.

    sqrt(sum_b (W_b / W) (observed share - mean probability)^2) over bins.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    n_bins : int, default 15
        Number of bins.
    strategy : {"uniform", "quantile"}, default "uniform"
        Bins of equal width, or of equal size; ties are never split.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The error.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Nguyen and O'Connor 2015, Posterior calibration and exploratory analysis for natural language
    processing models.

    Examples
    --------
    >>> round(root_mean_square_calibration_error([0, 1, 1], [0.1, 0.3, 0.7], n_bins=2), 3)
    0.3
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return metric_value(data, "rmsce", StatisticParams(bins=_binning(n_bins, strategy)))


@in_words_of_sklearn
def debiased_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the squared calibration error without bias, which may be negative.

    1 / n sum_b 1 / n_b times the sum of r_i r_j over the pairs of different rows of bin b, with
    r = y - p: 0 on average where the probabilities are calibrated.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    n_bins : int, default 15
        Number of bins.
    strategy : {"uniform", "quantile"}, default "uniform"
        Bins of equal width, or of equal size; ties are never split.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The squared error.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Lee et al. 2023, T-Cal: an optimal test for the calibration of predictive models.

    Examples
    --------
    >>> round(debiased_calibration_error([0, 1], [0.5, 0.5], n_bins=1), 3)
    -0.125
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return metric_value(data, "debiased-l2", StatisticParams(bins=_binning(n_bins, strategy)))


@in_words_of_sklearn
def sweep_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the monotone sweep calibration error.

    The expected calibration error over the largest number of equal-size bins up to which the
    observed shares rise with the probabilities.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The error.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Roelofs et al. 2022, Mitigating bias in calibration error estimation.

    Examples
    --------
    >>> sweep_calibration_error([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    0.25
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return metric_value(data, "sweep-ece", StatisticParams())


@in_words_of_sklearn
def smooth_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> float:
    """Return the smooth calibration error (smECE).

    The integral of abs(E[(y - p) K_s(p, t)]) over t for a reflected Gaussian K_s of the width s at
    which both are equal: no bins.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    float
        The error.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Blasiok and Nakkiran 2023, Smooth ECE: principled reliability diagrams via kernel smoothing.

    Examples
    --------
    >>> smooth_calibration_error([0, 1, 1, 1], [0.2, 0.4, 0.7, 0.9]) < 0.4
    True
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return metric_value(data, "smooth-ece", StatisticParams())


@dataclass(frozen=True, eq=False)
class ReliabilityPoints:
    """What `reliability_curve` returns; it unpacks as scikit-learn's `calibration_curve` does.

    `prob_true, prob_pred = reliability_curve(y_true, y_prob)`. Both are (b,) for the b bins that
    are not empty; `weight` (b,) is what the bins weigh (their count without weights), `error` the
    expected calibration error.
    """

    prob_true: Wide
    prob_pred: Wide
    weight: Wide
    error: float

    def __iter__(self) -> Iterator[Wide]:
        return iter((self.prob_true, self.prob_pred))


@in_words_of_sklearn
def reliability_curve(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
    pos_label: Any = None,
) -> ReliabilityPoints:
    """Return the reliability curve and the calibration error from one binning.

    scikit-learn's `calibration_curve` gives the first two arrays; the counts and the error come
    from the same bins. For more than two classes the curve is that of the most likely class.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Observed labels.
    y_prob : array-like of shape (n,), (n, 2) or (n, k)
        Probabilities: of the positive class, or of every class in the order of `labels`.
    n_bins : int, default 15
        Number of bins.
    strategy : {"uniform", "quantile"}, default "uniform"
        Bins of equal width, or of equal size; ties are never split.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; by default each counts once.
    labels : sequence of k classes, optional
        Classes of the columns, where the labels present do not name them all.
    pos_label : class, optional
        Positive class of two; needed for an (n,) `y_prob` unless the labels are 0 and 1, -1 and 1,
        False and True, "no" and "yes" or the like.

    Returns
    -------
    ReliabilityPoints
        `prob_true`, `prob_pred`, into which it unpacks, and `weight`, (b,) for the b bins that hold
        rows, and `error`.

    Raises
    ------
    ParameterError
        For an argument outside its rule.
    InputError
        For labels or probabilities that do not fit each other.

    References
    ----------
    Niculescu-Mizil and Caruana 2005, Predicting good probabilities with supervised learning.

    Examples
    --------
    >>> curve = reliability_curve([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2)
    >>> prob_true, prob_pred = curve
    >>> prob_true.tolist(), prob_pred.round(2).tolist(), round(curve.error, 2)
    ([0.5, 1.0], [0.2, 0.7], 0.3)
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    definition = define_error(data, None, _binning(n_bins, strategy))
    what = binned_statistic(data, definition)
    if what.cells is None:
        raise ParameterError(
            "a reliability curve needs bins, got one point per bin", code="bins-missing"
        )
    (bins,) = what.cells.bins
    kept = bins.filled
    return ReliabilityPoints(
        bins.outcome_share[kept], bins.mean_probability[kept], bins.weight[kept], value_of(what)
    )


def metric_value(data: Predictions, metric: str, params: StatisticParams) -> float:
    """Return a metric of the catalogue of a table of one model."""
    return float(observed(metric_named(metric).subject(data, params).statistic))


def _binning(n_bins: int, strategy: str) -> Binning:
    return STRATEGIES[one_of("strategy", strategy, STRATEGIES)](n_bins)


def _predictions(
    y_true: Any, y_prob: Any, weight: Any, labels: Sequence[Any] | None, pos_label: Any
) -> Predictions:
    return Predictions(
        **checked_columns(
            y_true,
            y_prob,
            classes=labels,
            positive=pos_label,
            weight=weight,
            normalize=None,
            argument_names=AS_IN_SKLEARN,
        )
    )
