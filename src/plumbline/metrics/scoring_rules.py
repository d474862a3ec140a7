"""The proper scores and accuracy, by name."""

from math import inf

from plumbline.calibration import BINARY_VIEWS
from plumbline.calibration_errors import NamedStatistic, StatisticParams
from plumbline.calibration_errors.named_tests import ALL_CLASSES, BRIER_FORMULA
from plumbline.calibration_errors.p_values import IMPOSSIBLE
from plumbline.metrics import builds
from plumbline.metrics.metric import Metric
from plumbline.metrics.rates import all_classes, between, right_answers
from plumbline.predictions import Predictions

SCORE_VIEWS = (ALL_CLASSES, *BINARY_VIEWS)
ONE_CLASS = "all rows have one class, so the base rate cannot be improved"


def _accuracy(data: Predictions, params: StatisticParams) -> NamedStatistic:
    """Return the share of right answers; of labels alone, from their confusion matrix."""
    build = right_answers if data.prob is None else builds.points("accuracy", "accuracy")
    return build(data, params)


SCORES = (
    Metric(
        name="log-loss",
        title="log loss",
        kind="score",
        better="lower",
        least=0.0,
        most=inf,
        formula="mean of -ln p_y",
        reference="Good 1952",
        build=builds.points("log-loss", "log loss"),
        views=SCORE_VIEWS,
        usual_view=ALL_CLASSES,
        aliases=("cross-entropy", "negative-log-likelihood", "nll", "logarithmic-score"),
        gap=IMPOSSIBLE,
        interval="estimate",
    ),
    Metric(
        name="brier-score",
        title="Brier score",
        kind="score",
        better="lower",
        least=0.0,
        most=2.0,
        formula=BRIER_FORMULA,
        reference="Brier 1950",
        build=builds.points("brier-score", "Brier score"),
        views=SCORE_VIEWS,
        usual_view="one-vs-rest for two classes, else all-classes",
        aliases=("brier", "quadratic-score"),
        interval="estimate",
    ),
    Metric(
        name="brier-score-multiclass",
        title="Brier score summed over classes",
        kind="score",
        better="lower",
        least=0.0,
        most=2.0,
        formula="mean of sum_c (y_c - p_c)^2 for any number of classes",
        reference="Brier 1950",
        build=builds.points("brier-score-multiclass", "Brier score summed over classes"),
        views=(ALL_CLASSES,),
        usual_view=ALL_CLASSES,
        takes=(),
        aliases=("multiclass-brier-score",),
        interval="estimate",
    ),
    Metric(
        name="accuracy",
        title="accuracy",
        kind="score",
        better="higher",
        least=0.0,
        most=1.0,
        formula="share of rows whose predicted class is the true one",
        reference="",
        build=_accuracy,
        views=(ALL_CLASSES,),
        usual_view=ALL_CLASSES,
        takes=(),
        needs="labels",
        aliases=("ca", "acc", "classification-accuracy"),
        interval="estimate",
        one_sided=between("CA", all_classes, "exact"),
    ),
    Metric(
        name="brier-skill-score",
        title="Brier skill score",
        kind="score",
        better="higher",
        least=-inf,
        most=1.0,
        formula="1 - S / S(base rate), S the Brier score",
        reference="Murphy 1973",
        build=builds.skill("brier-score", "Brier skill score"),
        views=SCORE_VIEWS,
        usual_view=ALL_CLASSES,
        aliases=("bss", "scaled-brier-score", "d2-brier-score"),
        gap=ONE_CLASS,
        interval="estimate",
    ),
    Metric(
        name="log-loss-skill-score",
        title="log loss skill score",
        kind="score",
        better="higher",
        least=-inf,
        most=1.0,
        formula="1 - S / S(base rate), S the log loss",
        reference="McFadden 1974",
        build=builds.skill("log-loss", "log loss skill score"),
        views=SCORE_VIEWS,
        usual_view=ALL_CLASSES,
        aliases=("d2-log-loss-score", "mcfadden-r2"),
        gap=f"{IMPOSSIBLE}, or {ONE_CLASS}",
        interval="estimate",
    ),
)
