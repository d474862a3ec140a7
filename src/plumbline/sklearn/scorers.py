"""Scorers of scikit-learn for model selection: calibration errors, and any metric by its name.

>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.model_selection import cross_validate
>>> from sklearn.naive_bayes import GaussianNB
>>> X, y = load_breast_cancer(return_X_y=True)
>>> scoring = {"ece": neg_expected_calibration_error, "brier": "neg_brier_score"}
>>> result = cross_validate(GaussianNB(), X, y, scoring=scoring)
>>> result["test_ece"].round(2).tolist()
[-0.08, -0.08, -0.05, -0.05, -0.05]
"""

from dataclasses import dataclass, field
from typing import Any

from plumbline._checks import need_extra, one_of
from plumbline._keywords import keywords_checked
from plumbline.binning import BinsLike, EqualWidth, binning_of
from plumbline.calibration import VIEWS, OwnDistance, define_error, statistic, value_of
from plumbline.calibration.distances import distance_of
from plumbline.calibration_errors import StatisticParams
from plumbline.errors import ParameterError, reworded
from plumbline.formatting import quoted
from plumbline.metrics import metric_named
from plumbline.predictions import Predictions
from plumbline.predictions.arrays import OF_ESTIMATORS, checked_columns, estimator_outputs
from plumbline.sklearn.arguments import in_words_of_sklearn
from plumbline.sklearn.metrics import metric_value

Requests = tuple[tuple[str, Any], ...]
WEIGHT = "sample_weight"


def _routing(scorer: Any, requests: Requests) -> Any:
    """Return a scorer's requests as scikit-learn's metadata routing reads them.

    Weights that nobody has requested or declined are None there: passing them is an error.
    """
    routing = need_extra("sklearn.utils.metadata_routing", "sklearn", "metadata routing")
    request = routing.MetadataRequest(owner=scorer)
    for name, alias in ((WEIGHT, None), *requests):
        request.score.add_request(param=name, alias=alias)
    return request


def _requested(given: dict[str, Any]) -> Requests:
    sklearn = need_extra("sklearn", "sklearn", "metadata routing")
    if not sklearn.get_config()["enable_metadata_routing"]:
        raise ParameterError(
            "a scorer takes requests only where scikit-learn routes metadata",
            code="routing-disabled",
            remedy="call sklearn.set_config(enable_metadata_routing=True) before",
        )
    for name in given:
        one_of("name of what is requested", name, (WEIGHT,))
    return tuple(given.items())


@keywords_checked
@dataclass(frozen=True)
class ProbabilityScorer:
    """A scorer for `cross_validate`, `GridSearchCV` and the like: larger is better.

    Classes are the estimator's `classes_`, so a class may be absent from a test fold. `view`,
    `bins` and `distance` as in `plumbline.calibration_error`; None is the default view. `pos_label`
    is the positive class of two; None is the last of `classes_`. Raises ParameterError for a value
    outside its rule when it is made.
    """

    view: str | None
    bins: BinsLike = field(default_factory=EqualWidth)
    distance: str | OwnDistance = "absolute"
    pos_label: Any = None
    requests: Requests = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        if self.view is not None:
            one_of("view", str(self.view).partition(":")[0], VIEWS)
        binning_of(self.bins)
        distance_of(self.distance)

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return minus the calibration error of a fitted classifier on the rows of X."""
        data = _answers(estimator, X, y, sample_weight, self.pos_label)
        return -value_of(statistic(data, define_error(data, self.view, self.bins, self.distance)))

    def set_score_request(self, **requests: Any) -> "ProbabilityScorer":
        """Say whether `sample_weight` is passed on to this scorer: True, False, None or an alias.

        As that of scikit-learn's own scorers it changes the scorer and returns it.
        """
        object.__setattr__(self, "requests", _requested(requests))
        return self

    def get_metadata_routing(self) -> Any:
        """Return what scikit-learn may pass on to this scorer."""
        return _routing(self, self.requests)


neg_expected_calibration_error = ProbabilityScorer(view=None)
neg_static_calibration_error = ProbabilityScorer(view="classwise")


@keywords_checked
@dataclass(frozen=True)
class MetricScorer:
    """A scorer of any metric of the catalogue (`plumbline.list_names()`): larger is better.

    Metrics of which less is better are negated. For estimates with a target, such as a slope of 1,
    the score is minus the distance to it. `view` and `bins` as in `plumbline.measure`; None is the
    default. `pos_label` is the positive class of two; None is the last of `classes_`. Raises
    ParameterError when it is made, for a metric that is not known or ranks no models, and where the
    metric does not take a view or bins that are given.

    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> round(MetricScorer("brier-skill-score")(LogisticRegression().fit(X, y), X, y), 2)
    0.15
    """

    metric: str
    view: str | None = None
    bins: BinsLike | None = None
    pos_label: Any = None
    requests: Requests = field(default=(), init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            metric = metric_named(self.metric)
        except ParameterError as error:
            raise reworded(error, {"metrics": "metric"}) from None
        if metric.better == "none":
            raise ParameterError(
                f"`metric` {quoted(self.metric)} has no better direction, so it cannot rank models",
                code="metric-ranks-no-models",
            )
        metric.check(self._params)
        if self.bins is not None:
            binning_of(self.bins)

    @property
    def _params(self) -> StatisticParams:
        return StatisticParams(view=self.view, bins=self.bins)

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the metric of a fitted classifier on the rows of X, larger being better."""
        data = _answers(estimator, X, y, sample_weight, self.pos_label)
        value = metric_value(data, self.metric, self._params)
        better = metric_named(self.metric).better
        target = {"zero": 0.0, "one": 1.0}.get(better)
        if target is not None:
            return -abs(value - target)
        return value if better == "higher" else -value

    def set_score_request(self, **requests: Any) -> "MetricScorer":
        """Say whether `sample_weight` is passed on to this scorer: True, False, None or an alias.

        As that of scikit-learn's own scorers it changes the scorer and returns it.
        """
        object.__setattr__(self, "requests", _requested(requests))
        return self

    def get_metadata_routing(self) -> Any:
        """Return what scikit-learn may pass on to this scorer."""
        return _routing(self, self.requests)


@in_words_of_sklearn
def _answers(estimator: Any, X: Any, y: Any, weight: Any, pos_label: Any) -> Predictions:
    return Predictions(
        **checked_columns(
            y,
            **estimator_outputs(estimator, X),
            weight=weight,
            positive=pos_label,
            normalize=None,
            argument_names=OF_ESTIMATORS,
        )
    )
