"""The estimates with a sign and the decompositions, by name."""

from collections.abc import Callable
from math import inf

from plumbline.calibration import (
    ProfileRule,
    calibration_in_the_large,
    calibration_intercept,
    calibration_slope,
    cox_intercept,
    discrimination,
    miscalibration,
    observed_to_expected,
    uncertainty,
)
from plumbline.calibration_errors import StatisticParams
from plumbline.metrics.bias_tests import difference, intercept, mean_tested, ratio
from plumbline.metrics.builds import estimated, ruled
from plumbline.metrics.metric import Build, Metric

DIMITRIADIS = "Dimitriadis, Gneiting and Jordan 2021"
COX = "Cox 1958"
SEPARATED = "the scores separate the outcomes"
ALL_ALIKE = "all outcomes are the same"
ALL_SURE = "all probabilities are 0 or 1"
DEFAULT_SCORE = "brier-score"


def of_score(title: str, part: Callable[..., ProfileRule]) -> Build:
    """Return what makes a part of a proper score."""

    def rule(params: StatisticParams) -> ProfileRule:
        return part(DEFAULT_SCORE if params.score is None else params.score)

    return ruled(title, rule)


ESTIMATES = (
    Metric(
        name="miscalibration",
        title="miscalibration",
        kind="error",
        better="lower",
        least=0.0,
        most=1.0,
        formula="S(p) - S(isotonic fit of y on p), S the mean (y - p)^2",
        reference=DIMITRIADIS,
        build=of_score("miscalibration", miscalibration),
        takes=("view", "score"),
        usual={"score": DEFAULT_SCORE},
        aliases=("mcb",),
        gap="an observed class had predicted probability 0",
    ),
    Metric(
        name="discrimination",
        title="discrimination",
        kind="score",
        better="higher",
        least=0.0,
        most=1.0,
        formula="S(base rate) - S(isotonic fit of y on p), S the mean (y - p)^2",
        reference=DIMITRIADIS,
        build=of_score("discrimination", discrimination),
        takes=("view", "score"),
        usual={"score": DEFAULT_SCORE},
        aliases=("dsc",),
        interval="estimate",
    ),
    Metric(
        name="uncertainty",
        title="uncertainty",
        kind="score",
        better="none",
        least=0.0,
        most=1.0,
        formula="S(base rate), S the mean (y - p)^2: a property of the outcomes alone",
        reference=DIMITRIADIS,
        build=of_score("uncertainty", uncertainty),
        takes=("view", "score"),
        usual={"score": DEFAULT_SCORE},
        aliases=("unc",),
        interval="estimate",
    ),
    Metric(
        name="calibration-in-the-large",
        title="calibration in the large",
        kind="estimate",
        better="zero",
        least=-1.0,
        most=1.0,
        formula="mean y - mean p",
        reference="Van Calster, Nieboer, Vergouwe, De Cock, Pencina and Steyerberg 2016",
        build=ruled("calibration in the large", lambda _: calibration_in_the_large),
        aliases=("mean-bias",),
        interval="estimate",
        test=mean_tested(difference, null=0.0),
    ),
    Metric(
        name="observed-to-expected",
        title="ratio of observed to expected outcomes",
        kind="estimate",
        better="one",
        least=0.0,
        most=inf,
        formula="sum y / sum p",
        reference="Van Calster, Nieboer, Vergouwe, De Cock, Pencina and Steyerberg 2016",
        build=ruled("ratio of observed to expected outcomes", lambda _: observed_to_expected),
        aliases=("o/e", "oe-ratio"),
        gap="all probabilities are 0",
        interval="estimate",
        test=mean_tested(ratio, null=1.0),
    ),
    Metric(
        name="calibration-intercept",
        title="calibration intercept",
        kind="estimate",
        better="zero",
        least=-inf,
        most=inf,
        formula="a of largest likelihood in P(y) = logistic(a + logit p)",
        reference=COX,
        build=estimated("calibration intercept", calibration_intercept, sloped=False),
        gap=ALL_ALIKE,
        undefined=ALL_SURE,
        interval="estimate",
        test=mean_tested(intercept, null=0.0, logits=True),
    ),
    Metric(
        name="calibration-slope",
        title="calibration slope",
        kind="estimate",
        better="one",
        least=-inf,
        most=inf,
        formula="b of largest likelihood in P(y) = logistic(a + b logit p)",
        reference=COX,
        build=estimated("calibration slope", calibration_slope),
        aliases=("cox-slope",),
        gap=f"no finite estimate fits: {SEPARATED}",
        undefined=f"{ALL_ALIKE}, or {ALL_SURE}",
        interval="estimate",
    ),
    Metric(
        name="cox-intercept",
        title="intercept beside the calibration slope",
        kind="estimate",
        better="zero",
        least=-inf,
        most=inf,
        formula="a of largest likelihood in P(y) = logistic(a + b logit p)",
        reference=COX,
        build=estimated("intercept beside the calibration slope", cox_intercept),
        gap=ALL_ALIKE,
        undefined=f"{SEPARATED}, or {ALL_SURE}",
        interval="estimate",
    ),
)
