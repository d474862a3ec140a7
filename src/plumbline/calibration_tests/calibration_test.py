"""The calibration test: a statistic by name, its null, and the answer in words."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction, shorten, whole_number
from plumbline._result import Detail, Presentation, Result
from plumbline.binning import BinsLike
from plumbline.calibration import (
    VIEWS,
    ErrorDefinition,
    OwnDistance,
    ProfileStatistic,
    Statistic,
    define_error,
    warn_of_preset,
)
from plumbline.calibration import statistic as statistic_of
from plumbline.calibration.hosmer_lemeshow import expected_counts
from plumbline.calibration_errors import (
    CalibrationError,
    CalibrationTest,
    NamedTest,
    StatisticParams,
    named_test,
    next_step,
    null_summary,
)
from plumbline.calibration_errors.calibration_error import error_beside_draws
from plumbline.calibration_errors.named_tests import any_view
from plumbline.calibration_errors.p_values import warn_of_repeated_examples, why_missing
from plumbline.calibration_tests.omnibus import omnibus_test
from plumbline.calibration_tests.shape_forms import WeightedRows
from plumbline.dependence import Strength, row_groups_of
from plumbline.errors import ParameterError, warn
from plumbline.formatting import counted, number, p_number
from plumbline.nulls import Resampling, observed
from plumbline.predictions import Predictions, coarsened, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of
from plumbline.scores import impossible_rows
from plumbline.verdicts import odd_notes, verdict_of

BY_BINS = ("ece", "hosmer-lemeshow")  # nulls that draw the hits of bins, not every row
OF_SQUARES = ("cox", "hosmer-lemeshow", "skce")  # whose variance falls with n^2 if calibrated
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
    """Test whether the probabilities are calibrated, exactly at any number of rows.

    The null distribution holds the predictions fixed and draws every row's label from its own
    probabilities, so the test keeps its level at any n.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    statistic : str, default "omnibus"
        Name of the test:

        - "omnibus": likelihood ratios of many kinds of miscalibration at once; it also names the
            strongest kind and its direction. It takes only a `view`.
        - "ece": the expected calibration error, with the arguments of `calibration_error`
        - "log-loss", "brier-score", "chi-square", "spiegelhalter": sums over single rows, of all
          classes, or through `view` "top-label" or "one-vs-rest:CLASS"
        - "hosmer-lemeshow" (with `bins`), "cox", "kolmogorov-smirnov", "kuiper": of a binary view
        - "skce": the kernel calibration error
    view : str, optional
        "all-classes" where the statistic has it, else a view of `calibration_error`.
    bins : int, str or Binning, optional
        Of "ece" (default "equal-width:15") and "hosmer-lemeshow" (default "equal-size:10"); a
        number means that many bins of equal width.
    distance : str or callable, optional
        Of "ece", as in `calibration_error`.
    outcome : {"class", "correct"}, optional
        Of "ece", as in `calibration_error`.
    alternative : {"two-sided", "greater", "less"}, optional
        Two-sided is twice the smaller tail, at most 1. By default "greater" for "hosmer-lemeshow",
        "cox", "kolmogorov-smirnov", "kuiper" and "skce"; else "two-sided", as of "ece", which can
        be smaller than sampling noise makes it.
    null : {"auto", "exact", "resample", "asymptotic"}, default "auto"
        "exact" bounds the p-value without random draws (`p_bounds`); "resample" is p = (1 + #{T* >=
        T}) / (resamples + 1); "asymptotic" is a large-sample or textbook approximation; "auto" is
        exact where that exists and is fast, else "resample".
    resamples : int, default 999
        Draws of the labels from the predictions.
    like : str, optional
        Of "ece": "thesis" follows the conventions of "Increasing the Power of a Classifier's
        Calibration Test" (Tartu, 2020).
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    CalibrationTest
        Statistic, p-value, verdict and the parts of the test.

    Raises
    ------
    InputError
        For a table without probabilities.
    ParameterError
        For an unknown name, or an argument that the statistic does not take.

    References
    ----------
    Vaicenavicius et al. (2019), "Evaluating model calibration in classification"; for each
    statistic see `TESTS`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> p = rng.uniform(size=400)
    >>> calibrated = Predictions.from_arrays(rng.uniform(size=400) < p, p)
    >>> overconfident = Predictions.from_arrays(rng.uniform(size=400) < (p + 0.5) / 2, p)
    >>> calibration_test(calibrated).p_value > 0.05, calibration_test(overconfident).p_value <= 0.05
    (True, True)
    >>> calibration_test(overconfident, statistic="ece").null
    'exact'
    """
    params = StatisticParams(view=view, bins=bins, distance=distance, outcome=outcome, like=like)
    asked = AskedTest.of(statistic, params, alternative, null)
    draws = whole_number("resamples", resamples, least=1)
    return calibration_test_of(data, asked, Resampling(draws, entropy_of(rng), workers, progress))


@dataclass(frozen=True, slots=True)
class AskedTest:
    """Which test was asked for.

    Attributes
    ----------
    statistic, params, null : as given
    row, side : the row of the table of tests, and the tail
    """

    statistic: str
    params: StatisticParams
    null: str
    row: NamedTest
    side: str

    @classmethod
    def of(
        cls, statistic: str, params: StatisticParams, alternative: str | None, null: str
    ) -> "AskedTest":
        """Return it, checked."""
        return cls(statistic, params, null, *named_test(statistic, params, alternative, null))

    def pooled(self, data: Predictions) -> "PooledStrengths | None":
        """Return how strongly the rows of a table depend in this test; None without groups."""
        if data.groups is None:
            return None
        if self.statistic != "omnibus":
            own = Strength.of(self.row.statistic(data, self.params).statistic)
            return PooledStrengths(own, None)
        _, binary = any_view(data, self.params.view, "the omnibus test")
        rows = WeightedRows.of(data if binary is None else binary)
        return PooledStrengths(Strength.of(rows), Strength.of(_error(data, self)[1]))


@dataclass(frozen=True, slots=True)
class PooledStrengths:
    """How strongly rows depend, in a test and in the error that stands beside the omnibus."""

    test: Strength | None = None
    size: Strength | None = None


def calibration_test_of(
    data: Predictions,
    asked: AskedTest,
    resampling: Resampling,
    pooled: PooledStrengths | None = None,
) -> CalibrationTest:
    """Return the test of some rows; `pooled` is what the whole table tells of their dependence."""
    statistic, params, null, side = asked.statistic, asked.params, asked.null, asked.side
    strengths = pooled or PooledStrengths()
    resampling = replace(resampling, pooled=strengths.test)
    warn_of_repeated_examples(only_predictions(data))
    if statistic == "omnibus":
        view_name, binary = any_view(data, params.view, "the omnibus test")
        result = omnibus_test(data if binary is None else binary, view_name, resampling)
        return replace(
            result,
            size=_size(data, asked, replace(resampling, pooled=strengths.size)),
            step=next_step(
                data,
                p_value=result.p_value,
                resamples=result.resamples,
                shape=result.shape,
                impossible_rows=result.impossible_rows,
                constant="constant" in result.remark_codes,
            ),
        )
    if data.counted and statistic not in BY_BINS and null != "asymptotic":
        data = coarsened(data)
    tested = asked.row.statistic(data, params)
    value = float(observed(tested.statistic))
    if tested.setting is not None:
        warn_of_preset(data, tested.setting, value)
    summary = null_summary(statistic, tested, value, null, resampling)
    textbook = (statistic, null) == ("hosmer-lemeshow", "asymptotic")
    few = _few_expected(tested.statistic) if textbook else None
    if few is not None:
        warn(f"few-expected: {few}", code="few-expected")
    larger = side == "greater"
    if side == "two-sided":  # the value lies in the smaller tail
        larger = summary.upper[1] <= summary.lower[1]
    shared: dict[str, Any] = {
        "value": value,
        "p_value": summary.p_value(side),
        "null_mean": summary.mean,
        "alternative": side,
        "n": data.total,
        "effective_n": data.effective_n,
        "resamples": len(summary.values),
        "impossible_rows": impossible_rows(data),
    }
    notes = odd_notes(
        p_value=shared["p_value"],
        resamples=shared["resamples"],
        alternative=side,
        larger=larger,
        constant=summary.constant,
        impossible_rows=shared["impossible_rows"],
        n=data.total,
    )
    groups = row_groups_of(tested.statistic, strengths.test)
    if groups is not None and groups.dependence > 0 and len(summary.values):
        squared = statistic in OF_SQUARES or tested.distance not in (None, "absolute")
        groups = groups.about(
            tested.title.removeprefix("the "),
            len(tested.statistic.actual),
            summary.values,
            resampling.draw_alone(tested.statistic),
            squared=squared,
        )
    notes += () if groups is None else groups.notes()
    in_groups = None if groups is None else groups.count
    name = tested.title
    return CalibrationTest(
        statistic=statistic,
        view=tested.view,
        scheme=tested.scheme,
        distance=tested.distance,
        outcome=tested.outcome,
        p_bounds=summary.p_bounds(side) if summary.null == "exact" else None,
        null=summary.null,
        method=f"{summary.method}, {side}",
        parts=tested.parts,
        verdict=verdict_of(
            name=name, larger=larger, constant=summary.constant, groups=in_groups, **shared
        ),
        groups=groups,
        reason=why_missing(value, tested.statistic, data.mass, summary.range, summary.null),
        null_range=summary.range,
        remarks=(*map(str, notes), *(() if few is None else (few,))),
        remark_codes=(*(n.code for n in notes), *(() if few is None else ("few-expected",))),
        null_values=summary.values,
        **shared,
    )


def _error(
    data: Predictions, asked: AskedTest
) -> tuple[ErrorDefinition, Statistic | ProfileStatistic]:
    """Return the calibration error of a view, of the usual one where that view has none."""
    view = asked.params.view
    known = view is None or view.partition(":")[0] in VIEWS
    definition = define_error(data, view if known else None, None)
    return definition, statistic_of(data, definition)


def _size(data: Predictions, asked: AskedTest, resampling: Resampling) -> CalibrationError:
    """Return the calibration error that stands beside the omnibus."""
    definition, what = _error(data, asked)
    draws = replace(resampling, progress=None).draw(what)
    return error_beside_draws(data, definition, what, draws, resampling=resampling)


def _few_expected(binned: Any) -> str | None:
    """Say in how many bins the chi-square distribution, which wants many rows, may not hold."""
    hits, misses = expected_counts(binned)
    least = np.minimum(hits, misses)
    few = int((least < FEWEST_EXPECTED).sum())
    if not few:
        return None
    return (
        f"{few} of {counted(len(least), 'bin')} {'expects' if few == 1 else 'expect'} fewer than "
        f"{FEWEST_EXPECTED} rows of one outcome (fewest {number(float(least.min()))}). The "
        "chi-square approximation then rejects calibrated probabilities too often; use "
        "`null='resample'`, or fewer bins"
    )


@dataclass(frozen=True, repr=False, eq=False)
class CountTest(Result):
    """Is an event observed more often than its probability allows?

    Attributes
    ----------
    happened, trials, probability : how often it was observed, in how many trials, and its
        probability
    p_value : probability of at least as many events under that probability
    null : (trials + 1,) probability of each number from 0 on, under that probability
    """

    happened: int
    trials: int
    probability: float
    p_value: float
    null: NDArray[np.float64] = field(repr=False, metadata={"hidden": True})

    def present(self) -> Presentation:
        """Return how often it was observed, and the probability of at least as many."""
        return Presentation(
            subject=f"{self.happened:,} of {self.trials:,}",
            details=(
                Detail("probability", "probability", number(self.probability)),
                Detail("p_value", "p", p_number(self.p_value)),
            ),
        )


def count_test(happened: int, trials: int, *, probability: float) -> CountTest:
    """Test whether an event is observed more often than its probability allows: a binomial tail.

    p = sum over j >= x of C(n, j) q^j (1 - q)^(n - j) for x events, exact up to rounding: no draws.

    Parameters
    ----------
    happened : int
        How often the event was observed.
    trials : int
        In how many trials.
    probability : float
        Of the event in each trial, between 0 and 1.

    Returns
    -------
    CountTest
        The p-value of the upper tail, and the null distribution of the count.

    Raises
    ------
    ParameterError
        For more events than trials.

    References
    ----------
    Clopper and Pearson (1934), "The use of confidence or fiducial limits"; the dice are example 2
    of "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> dice = count_test(8, 10, probability=1 / 6)
    >>> round(dice.p_value, 8)
    1.945e-05
    """
    from scipy.stats import binom

    trials = whole_number("trials", trials, least=1)
    happened = whole_number("happened", happened, least=0)
    if happened > trials:
        raise ParameterError(
            code="out-of-range",
            argument="happened",
            rule=f"at most `trials`, {trials:,}",
            arrived=shorten(happened),
        )
    binomial = binom(trials, open_fraction("probability", probability))
    null = np.asarray(binomial.pmf(np.arange(trials + 1)))
    return CountTest(happened, trials, float(probability), float(binomial.sf(happened - 1)), null)
