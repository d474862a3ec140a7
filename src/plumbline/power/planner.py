"""The planner: how many rows detect a miscalibration, what these rows detect, and by which test."""

from collections.abc import Sequence
from math import ceil
from typing import Any

import numpy as np

from plumbline._checks import one_of, open_fraction, shorten, whole_number
from plumbline.calibration_tests import TESTS
from plumbline.errors import ParameterError
from plumbline.power.effects import Effect, effect_of
from plumbline.power.planning import AUTO, FEWEST_SETS, Planning, Question, answer
from plumbline.power.plans import Plan
from plumbline.power.trials import World
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream

POOL = 50_000  # rows of a Dirichlet distribution that stand for it
POOL_STREAM = 2**31


def plan(
    data: Predictions | None = None,
    effect: str | Effect = "overconfident:1.2",
    *,
    power: float = 0.8,
    level: float = 0.05,
    statistic: str = "omnibus",
    n: int | None = None,
    classes: int | None = None,
    dirichlet: float | Sequence[float] | None = None,
    datasets: int | None = None,
    resamples: int | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Say how many rows a calibration test needs to detect a miscalibration.

    Data sets are drawn as the future would be: predictions with replacement from the rows of
    `data` (their labels play no part) or from a Dirichlet distribution, labels from the truth that
    the `effect` implies, and the test is run on each. With T a temperature, d a difference of
    probability and e a share:

    - "overconfident:T" (T > 1), "underconfident:T" (T < 1): the truth is softmax(log p / T)
    - "shift:d", "shift:d:CLASS": the truth is P(class) + d, the others in proportion
    - "random-labels:e": the truth is (1 - e) p + e / k
    - "ece:e": overconfidence of the temperature at which the true ECE is e

    The answer holds `n_needed` for the wanted `power`, `power_at_n` of the n rows at hand (default:
    those of the data), `detectable`, the smallest effect of the kind that n rows show with that
    power, and the `test`. With `statistic="auto"` the quick tests are first compared on data sets
    they share; the omnibus is recommended unless another is clearly more powerful. The power is
    fitted as Phi(a + b sqrt(n)) through all simulated n, with a square where they bend (probit
    regression, Bliss 1934); all powers and their standard errors come from this curve.

    Arguments: `classes` and `dirichlet` (one alpha, or one a class) where there is no data;
    `datasets` for each point of the curve, at most: by default 50 for the omnibus, 150 for other
    tests; `resamples` of every test: by default 999 for the omnibus, as `calibration_test` has it,
    for its power depends on them, and 10 / level - 1 for other tests.
    Raises ParameterError for an unknown effect or test, InputError for data without probabilities
    or an effect they cannot have.

    >>> quick = {"statistic": "brier-score", "datasets": 50, "resamples": 39}
    >>> found = plan(effect="random-labels:0.3", classes=2, dirichlet=0.2, **quick)
    >>> found.n_needed < 100
    True
    """
    wanted = effect_of(effect)
    entropy = entropy_of(rng)
    pool = _pool(data, classes, dirichlet, entropy)
    rows = pool.n if n is None and data is not None else n
    question = _question(power, level, statistic, n=rows, datasets=datasets)
    world = World(pool, question.level, _resamples(resamples, question.level), entropy, workers)
    return answer(Planning(world, wanted, question, progress))


def _question(power: Any, level: Any, statistic: str, *, n: Any, datasets: Any) -> Question:
    """Check the arguments that are numbers or names."""
    level = open_fraction("level", level)
    power = open_fraction("power", power)
    if power <= level:
        raise ParameterError(
            f"`power` must be above the level {level:g}, which is what a test rejects where there "
            f"is nothing to find, got {power:g}"
        )
    return Question(
        power,
        level,
        one_of("statistic", statistic, (AUTO, *TESTS)),
        None if n is None else whole_number("n", n, least=2),
        None if datasets is None else whole_number("datasets", datasets, least=FEWEST_SETS),
    )


def _resamples(resamples: Any, level: float) -> int | None:
    """Return the number of draws, if one is given: fewer than the least, two tails never reject."""
    if resamples is None:
        return None
    return whole_number("resamples", resamples, least=ceil(2 / level) - 1)


def _pool(data: Predictions | None, classes: Any, dirichlet: Any, entropy: int) -> Predictions:
    """Return the rows whose predictions are drawn: the data's own, or of a Dirichlet."""
    if data is not None:
        if classes is not None or dirichlet is not None:
            raise ParameterError(
                "`classes` and `dirichlet` describe predictions where there is no table of them; "
                "leave them out, or leave the table out"
            )
        only_predictions(data).need_one_model("a plan")
        prob = data.need_prob("a plan")
        return Predictions(
            data.classes, data.actual, prob, weight=data.weight, positive=data.positive
        )
    alpha = _alpha(classes, dirichlet)
    prob = stream(entropy, POOL_STREAM).dirichlet(alpha, POOL)
    names = list(range(len(alpha)))
    return Predictions.from_arrays(np.zeros(POOL, int), prob, classes=names)


def _alpha(classes: Any, dirichlet: Any) -> list[float]:
    """Return one positive number a class."""
    if classes is None and (dirichlet is None or np.ndim(dirichlet) == 0):
        raise ParameterError(
            "without a table of predictions a plan needs `classes`, the number of classes, and "
            "`dirichlet`, such as 0.5: small for confident predictions, 1 for uniform ones"
        )
    given = np.atleast_1d(np.asarray(0.5 if dirichlet is None else dirichlet, np.float64))
    k = len(given) if classes is None else whole_number("classes", classes, least=2)
    alpha = np.repeat(given, k) if len(given) == 1 else given
    if len(alpha) != k or k < 2 or not np.all((alpha > 0) & (alpha < np.inf)):
        raise ParameterError(
            f"`dirichlet` must be one positive number, or one for each of the {k} classes, got "
            f"{shorten(dirichlet)}"
        )
    return [float(a) for a in alpha]
