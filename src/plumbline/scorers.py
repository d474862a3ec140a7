"""Twins in the style of scikit-learn, and scorers for model selection.

>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.model_selection import cross_validate
>>> from sklearn.naive_bayes import GaussianNB
>>> X, y = load_breast_cancer(return_X_y=True)
>>> scoring = {"ece": neg_expected_calibration_error, "brier": "neg_brier_score"}
>>> result = cross_validate(GaussianNB(), X, y, scoring=scoring)
>>> result["test_ece"].round(2).tolist()
[-0.08, -0.08, -0.05, -0.05, -0.05]
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from plumbline._checks import one_of
from plumbline.binning import Binning, EqualSize, EqualWidth
from plumbline.calibration import OwnDistance, Wide, setting, statistic, value_of
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions

STRATEGIES: dict[str, type[EqualWidth] | type[EqualSize]] = {
    "uniform": EqualWidth,
    "quantile": EqualSize,
}


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
    """Return the expected calibration error (Naeini et al. 2015; Guo et al. 2017).

    sum_b (W_b / W) d(outcome share, mean probability): of the positive class for two classes
    (`y_prob` (n,) or (n, 2)), of the most likely class for more (`y_prob` (n, k)). `strategy` is
    "uniform" (equal width) or "quantile" (equal size; ties are never split). `labels` names the
    columns where the labels present do not. The same number as
    `plumbline.calibration_error(...).value`.

    >>> round(
    ...     expected_calibration_error([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96], n_bins=5), 3
    ... )
    0.054
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    return value_of(statistic(data, setting(data, None, _binning(n_bins, strategy), distance)))


def static_calibration_error(
    y_true: Any,
    y_prob: Any,
    *,
    n_bins: int = 15,
    strategy: str = "uniform",
    distance: str | OwnDistance = "absolute",
    sample_weight: Any = None,
    labels: Sequence[Any] | None = None,
) -> float:
    """Return the static (classwise) calibration error (Nixon et al. 2019).

    The mean over the k classes of each class's one-vs-rest calibration error, each class in bins of
    its own. Arguments as in `expected_calibration_error`.

    >>> static_calibration_error([0, 1, 2], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    0.0
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, None)
    chosen = setting(data, "classwise", _binning(n_bins, strategy), distance)
    return value_of(statistic(data, chosen))


class ReliabilityPoints(NamedTuple):
    """What `reliability_curve` returns; unpacks like scikit-learn's `calibration_curve`, and more.

    prob_true and prob_pred are (b,) for the b bins that are not empty, `weight` (b,) is what the
    bins weigh (their count without weights), `error` the expected calibration error.
    """

    prob_true: Wide
    prob_pred: Wide
    weight: Wide
    error: float


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

    >>> curve = reliability_curve([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8], n_bins=2)
    >>> curve.prob_true.tolist(), curve.prob_pred.round(2).tolist(), round(curve.error, 2)
    ([0.5, 1.0], [0.2, 0.7], 0.3)
    """
    data = _predictions(y_true, y_prob, sample_weight, labels, pos_label)
    chosen = setting(data, None, _binning(n_bins, strategy))
    what = statistic(data, chosen)
    if what.cells is None:
        raise ParameterError("a reliability curve needs bins, got one point per bin")
    (bins,) = what.cells.bins
    kept = bins.filled
    return ReliabilityPoints(
        bins.outcome_share[kept], bins.mean_probability[kept], bins.weight[kept], value_of(what)
    )


@dataclass(frozen=True)
class ProbabilityScorer:
    """A scorer for `cross_validate`, `GridSearchCV` and their kin: larger is better.

    Classes come from the estimator's `classes_`, so a class that a test fold lacks is not lost.
    `view`, `bins` and `distance` as in `plumbline.calibration_error`; None is the default view.
    """

    view: str | None
    bins: Binning = field(default_factory=EqualWidth)
    distance: str | OwnDistance = "absolute"

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return minus the calibration error of a fitted classifier on the rows of X."""
        data = Predictions.from_estimator(estimator, X, y, weight=sample_weight)
        return -value_of(statistic(data, setting(data, self.view, self.bins, self.distance)))


neg_expected_calibration_error = ProbabilityScorer(view=None)
neg_static_calibration_error = ProbabilityScorer(view="classwise")


def _binning(n_bins: int, strategy: str) -> Binning:
    return STRATEGIES[one_of("strategy", strategy, STRATEGIES)](n_bins)


def _predictions(
    y_true: Any, y_prob: Any, weight: Any, labels: Sequence[Any] | None, pos_label: Any
) -> Predictions:
    return Predictions.from_arrays(
        y_true, y_prob, classes=labels, positive=pos_label, weight=weight
    )
