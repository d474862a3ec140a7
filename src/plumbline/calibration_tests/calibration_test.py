"""The calibration test: a statistic by name, its null, and the answer in words."""

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction, shorten, whole_number
from plumbline._result import Result
from plumbline.binning import BinsLike
from plumbline.calibration import OwnDistance, warn_of_preset
from plumbline.calibration.hosmer_lemeshow import expected_counts
from plumbline.calibration_tests.named_tests import (
    Ask,
    Subject,
    named_test,
    seen_through,
    warn_of_copies,
)
from plumbline.calibration_tests.omnibus import omnibus_test
from plumbline.calibration_tests.p_values import Drawing, Under, under_null, why_missing
from plumbline.calibration_tests.results import CalibrationTest
from plumbline.errors import ParameterError, PlumblineWarning, level_of_caller
from plumbline.formatting import counted, number
from plumbline.nulls import observed
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.scores import impossible_rows
from plumbline.verdicts import verdict_of

FEWEST_EXPECTED = 5  # rows of either outcome in a bin, the usual rule for chi-square


def calibration_test(
    data: Predictions,
    *,
    statistic: str = "omnibus",
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str | OwnDistance | None = None,
    outcome: str | None = None,
    alternative: str | None = None,
    null: str = "auto",
    resamples: int = 999,
    like: str | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationTest:
    """Test whether the probabilities could be true: could labels drawn from them look like this?

    The null holds the predictions fixed and draws every row's label from its own probabilities, so
    the test keeps its level at any n. `statistic`:

    - "omnibus" (the default): likelihood ratios of many kinds of miscalibration at once; it also
      says which of them is strongest, and which way it points. It takes a `view` only.
    - "ece": the expected calibration error, with the arguments of `calibration_error`
    - "log-loss", "brier-score", "chi-square", "spiegelhalter": sums over single rows, of all
      classes, or through `view` "top-label" or "one-vs-rest:CLASS"
    - "hosmer-lemeshow" (with `bins`), "cox", "kolmogorov-smirnov", "kuiper": through a binary view
    - "skce": the kernel calibration error

    `alternative`: "greater", "less", or "two-sided" (twice the smaller tail, at most 1); by default
    "greater" for the statistics that only grow with miscalibration, else "two-sided". `null`:
    "exact" (bounds of the p-value without drawing, in `p_bounds`), "resample" (p = (1 + #{T* >= T})
    / (resamples + 1)), "asymptotic" (large-sample or textbook approximation), or "auto": exact
    where that exists and is quick, else resampled. `like="thesis"` follows the conventions of
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Raises InputError for a table without probabilities, ParameterError for an unknown name or an
    argument that the statistic does not take.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> p = rng.uniform(size=400)
    >>> true = Predictions.from_arrays(rng.uniform(size=400) < p, p)
    >>> overconfident = Predictions.from_arrays(rng.uniform(size=400) < (p + 0.5) / 2, p)
    >>> calibration_test(true).p_value > 0.05, calibration_test(overconfident).p_value <= 0.05
    (True, True)
    >>> calibration_test(overconfident, statistic="ece").null
    'exact'
    """
    ask = Ask(view=view, bins=bins, distance=distance, outcome=outcome, like=like)
    row, side = named_test(statistic, ask, alternative, null)
    drawing = Drawing(whole_number("resamples", resamples, least=1), rng, workers, progress)
    warn_of_copies(only_predictions(data))
    if statistic == "omnibus":
        view_name, lens = seen_through(data, view, "the omnibus test")
        return omnibus_test(data if lens is None else lens, view_name, drawing)
    subject = row.subject(data, ask)
    value = float(observed(subject.statistic))
    if subject.setting is not None:
        warn_of_preset(data, subject.setting, value)
    under = under_null(statistic, subject, value, null, drawing)
    textbook = (statistic, null) == ("hosmer-lemeshow", "asymptotic")
    few = _few_expected(subject.statistic) if textbook else None
    if few is not None:
        warnings.warn(PlumblineWarning(f"few-expected: {few}"), stacklevel=level_of_caller())
    return _answer(data, statistic, subject, value, under, side, few)


def _few_expected(binned: Any) -> str | None:
    """Say in how many bins the chi-square distribution, which wants many rows, may not hold."""
    hits, misses = expected_counts(binned)
    least = np.minimum(hits, misses)
    few = int((least < FEWEST_EXPECTED).sum())
    if not few:
        return None
    return (
        f"{few} of {counted(len(least), 'bin')} {'expects' if few == 1 else 'expect'} fewer than "
        f"{FEWEST_EXPECTED} rows of one outcome (the fewest {number(float(least.min()))}), where "
        "the chi-square distribution does not hold and calibrated probabilities are rejected too "
        "often; use null='resample', or fewer bins"
    )


def _answer(
    data: Predictions,
    name: str,
    subject: Subject,
    value: float,
    under: Under,
    side: str,
    few: str | None,
) -> CalibrationTest:
    """Put the observed value and its null as an answer."""
    p_value = under.p_value(side)
    return CalibrationTest(
        statistic=name,
        view=subject.view,
        scheme=subject.scheme,
        distance=subject.distance,
        outcome=subject.outcome,
        alternative=side,
        n=data.n,
        effective_n=data.effective_n,
        value=value,
        p_value=p_value,
        p_bounds=under.p_bounds(side) if under.null == "exact" else None,
        null=under.null,
        method=f"{under.method}, {side}",
        resamples=len(under.values),
        parts=subject.parts,
        null_mean=under.mean,
        null_range=under.central,
        impossible_rows=impossible_rows(data),
        finding=None,
        verdict=verdict_of(
            name=subject.spoken,
            value=value,
            larger=_is_larger(under, side),
            null_mean=under.mean,
            null_range=under.central,
            p_value=p_value,
            alternative=side,
            resamples=len(under.values),
            n=data.n,
            effective_n=data.effective_n,
            impossible_rows=impossible_rows(data),
            constant=under.constant,
        ),
        reason=why_missing(value, subject.statistic, data.mass, under.central, under.null),
        remarks=() if few is None else (few,),
        remark_codes=() if few is None else ("few-expected",),
        null_values=under.values,
    )


def _is_larger(under: Under, side: str) -> bool:
    """Tell in which tail the value lies: the one asked about, else the smaller one."""
    return under.upper[1] <= under.lower[1] if side == "two-sided" else side == "greater"


@dataclass(frozen=True, repr=False, eq=False)
class CountTest(Result):
    """Has an event happened more often than its probability allows?

    Attributes
    ----------
    happened, trials, probability : how often it happened, in how many trials, of which probability
    p_value : probability of at least as many, if the probability is true
    null : (trials + 1,) probability of each number from 0 on, if the probability is true
    """

    happened: int
    trials: int
    probability: float
    p_value: float
    null: NDArray[np.float64] = field(repr=False, metadata={"hidden": True})


def count_test(happened: int, trials: int, *, probability: float) -> CountTest:
    """Test whether an event happened more often than its probability allows: a binomial tail.

    p = sum over j >= happened of C(n, j) q^j (1 - q)^(n - j), exact up to rounding: no draws.

    Raises ParameterError for more events than trials. Source: Clopper and Pearson (1934); the dice
    are example 2 of Increasing the Power of a Classifier's Calibration Test (Tartu, 2020).

    >>> dice = count_test(8, 10, probability=1 / 6)
    >>> round(dice.p_value, 8)
    1.945e-05
    """
    from scipy.stats import binom

    trials = whole_number("trials", trials, least=1)
    happened = whole_number("happened", happened, least=0)
    if happened > trials:
        raise ParameterError(
            f"`happened` must be at most `trials`, {trials:,}, got {shorten(happened)}"
        )
    chance = binom(trials, open_fraction("probability", probability))
    null = np.asarray(chance.pmf(np.arange(trials + 1)))
    return CountTest(happened, trials, float(probability), float(chance.sf(happened - 1)), null)
