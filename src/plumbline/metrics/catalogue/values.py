"""The value of any metric, without its null."""

from plumbline.calibration_tests.subject import Ask
from plumbline.metrics.catalogue.metric import Metric
from plumbline.nulls import observed
from plumbline.predictions import Predictions
from plumbline.scores import accuracy, brier_score, brier_score_multiclass, log_loss

# A plain mean over rows is right to the last digit: an accuracy of 1 is 1, and not more.
MEANS = {
    "accuracy": accuracy,
    "brier-score": brier_score,
    "brier-score-multiclass": brier_score_multiclass,
    "log-loss": log_loss,
}


def metric_value(row: Metric, data: Predictions, ask: Ask | None = None) -> float:
    """Return a metric of a table of one model, as it stands.

    Raises InputError where the table lacks what the metric needs, ParameterError for an argument
    that says nothing to it.

    >>> from plumbline.metrics.catalogue import metric_named
    >>> data = Predictions.from_arrays([0, 0, 1, 1], predicted=[0, 1, 1, 1])
    >>> round(metric_value(metric_named("precision"), data), 3)
    0.667
    """
    if ask is None and row.name in MEANS:
        return MEANS[row.name](data)
    return float(observed(row.subject(data, ask or Ask()).statistic))
