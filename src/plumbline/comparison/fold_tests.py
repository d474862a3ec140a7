"""Tests on differences over folds: t-tests, those of 5x2 cross-validation, the Bayesian one.

`d` is first model's value - second model's, one number a fold or a data set.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import lgamma, log, nan, pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._checks import open_fraction, shorten
from plumbline.comparison.results import TestAnswer
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, number
from plumbline.nulls import TIE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation (n - 1) of differences, and why no test can rest on them.

    Attributes
    ----------
    mean, deviation : of the differences; the deviation is exactly 0 where they differ by rounding
    constant : what all differences being equal means, as a reason; None where they differ
    """

    mean: float
    deviation: float
    constant: str | None

    @property
    def effect(self) -> float:
        """Cohen's d of paired differences: mean / deviation; 0 / 0 is 0, x / 0 undefined."""
        if self.deviation > 0:
            return self.mean / self.deviation
        return 0.0 if self.mean == 0 else float("nan")


def checked_differences(d: ArrayLike, *, least: int, unit: str = "fold") -> Floats:
    """Return differences as (J,) float64; raise InputError for NaN or infinity, or too few.

    >>> checked_differences([0.1, 0.2], least=2)
    array([0.1, 0.2])
    """
    result = np.asarray(d, dtype=np.float64)
    if result.ndim != 1 or result.size < least:
        raise InputError(
            f"`d` must hold one difference a {unit}, at least {least} of them, got an array of "
            f"shape {result.shape}",
            code="wrong-shape",
        )
    _need_finite(result, unit)
    return result


def checked_five_by_two(d: ArrayLike) -> Floats:
    """Return differences of five repeats of two folds as (5, 2) float64, or raise InputError."""
    result = np.asarray(d, dtype=np.float64)
    if result.shape != (5, 2):
        raise InputError(
            "`d` must hold the differences of five repeats of 2-fold cross-validation, shape "
            f"(5, 2), got {result.shape}; corrected_t takes any number of folds",
            code="wrong-shape",
        )
    _need_finite(result.ravel(), "fold")
    return result


def _need_finite(d: Floats, unit: str) -> None:
    wrong = np.flatnonzero(~np.isfinite(d))
    if wrong.size:
        raise InputError(
            f"every difference must be finite, but {unit} {wrong[0]} has {d[wrong[0]]} "
            f"({counted(wrong.size, unit)} in all); leave it out or use another metric, "
            "for instance brier-score",
            code="difference-not-finite",
        )


def spread_of(d: Floats, unit: str = "fold") -> Spread:
    """Return mean and deviation of differences; those that differ by rounding are equal.

    >>> spread_of(np.array([0.1, 0.1, 0.1])).constant
    'the difference is 0.1 in each of 3 folds, so there is no variance to estimate'
    """
    mean = float(d.mean())
    if float(np.ptp(d)) > TIE * (1 + abs(mean)):
        return Spread(mean, float(d.std(ddof=1)), None)
    if abs(mean) <= TIE:
        return Spread(
            0.0, 0.0, f"the models have the same value in each of {counted(d.size, unit)}"
        )
    each = f"the difference is {number(mean)} in each of {counted(d.size, unit)}"
    return Spread(mean, 0.0, f"{each}, so there is no variance to estimate")


def checked_level(level: float) -> float:
    """Return the level of an interval, strictly between 0 and 1."""
    return open_fraction("level", level)


def checked_test_share(test_share: float) -> float:
    """Return the share of the rows that each test part holds, strictly between 0 and 1."""
    return open_fraction("test_share", test_share)


def checked_rope(rope: float) -> float:
    """Return the half width of the region of practical equivalence, finite and at least 0."""
    try:
        width = float(rope)
    except (TypeError, ValueError):
        width = float("nan")
    if not 0 <= width < float("inf"):
        raise ParameterError(
            argument="rope",
            rule="the largest difference without practical importance, a number of at "
            "least 0 in the metric's unit",
            arrived=shorten(rope),
            code="out-of-range",
        )
    return width


def paired_t(d: ArrayLike, *, level: float = 0.95, unit: str = "fold") -> TestAnswer:
    """Paired t-test: mean / (deviation / sqrt(J)) against Student's t.

    It has J - 1 degrees of freedom and assumes independent differences. Those of cross-validation
    are dependent: folds share training rows, so the test rejects too often (Dietterich 1998);
    corrected_t corrects for that.

    Parameters
    ----------
    d : (J,) array
        First model's value minus the second's, one per fold; J at least 2.
    level : float, default 0.95
        Of the interval, in (0, 1).
    unit : str, default "fold"
        The unit of `d`, for messages.

    Returns
    -------
    TestAnswer
        Statistic, p-value, mean difference and its interval.

    Raises
    ------
    InputError
        A difference is NaN or infinite, or there are fewer than two.
    ParameterError
        `level` is outside (0, 1).

    References
    ----------
    Student (1908). The probable error of a mean. Biometrika 6.

    Examples
    --------
    >>> answer = paired_t([0.02, 0.05, -0.01, 0.03])
    >>> round(answer.statistic, 4), round(answer.p_value, 4)
    (1.8, 0.1697)
    """
    d = checked_differences(d, least=2, unit=unit)
    method = f"Student's t with {d.size - 1} degrees of freedom; assumes independent {unit}s"
    spread = spread_of(d, unit)
    return _t_answer("paired-t", spread, 1 / d.size, n=d.size, level=level, method=method)


def corrected_t(d: ArrayLike, *, test_share: float, level: float = 0.95) -> TestAnswer:
    """Corrected resampled t-test: the variance of the mean grows by what the folds share.

    t = mean / (deviation sqrt(1 / J + share / (1 - share))) with J - 1 degrees of freedom, where
    share / (1 - share) is rows tested over rows trained on: 1 / (k - 1) for k folds. Repeated
    cross-validation puts all its folds in `d` (Bouckaert and Frank 2004).

    Parameters
    ----------
    d : (J,) array
        First model's value minus the second's, one per fold of every repeat; J at least 2.
    test_share : float
        Share of the rows in each test part, in (0, 1); 1 / k for k folds.
    level : float, default 0.95
        Of the interval, in (0, 1).

    Returns
    -------
    TestAnswer
        Statistic, p-value, mean difference and its interval.

    Raises
    ------
    InputError
        A difference is NaN or infinite, or there are fewer than two.
    ParameterError
        `level` or `test_share` is outside (0, 1).

    References
    ----------
    Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52.
    Bouckaert and Frank (2004). Evaluating the replicability of significance tests. PAKDD.

    Examples
    --------
    >>> answer = corrected_t([0.02, 0.05, -0.01, 0.03], test_share=0.25)
    >>> round(answer.statistic, 4), round(answer.p_value, 4)
    (1.1784, 0.3236)
    """
    d = checked_differences(d, least=2)
    share = checked_test_share(test_share)
    ratio = share / (1 - share)
    method = (
        f"Student's t with {d.size - 1} degrees of freedom, variance (1/{d.size} + {number(ratio)})"
        " of one fold's (Nadeau and Bengio)"
    )
    return _t_answer(
        "corrected-t",
        spread_of(d),
        1 / d.size + ratio,
        n=d.size,
        level=level,
        method=method,
        test_share=share,
    )


def _t_answer(
    test: str, spread: Spread, factor: float, *, n: int, level: float, method: str, **more: float
) -> TestAnswer:
    """Return the answer of a mean whose variance is `factor` times that of one difference."""
    from scipy.special import stdtr, stdtrit

    half = float(stdtrit(n - 1, (1 + checked_level(level)) / 2))
    error = spread.deviation * sqrt(factor)
    known = spread.constant is None
    statistic = spread.mean / error if known else spread.effect
    width = half * error if known else nan
    same = 1.0 if spread.mean == 0 else nan
    return TestAnswer(
        test=test,
        units=n,
        difference=spread.mean,
        interval_range=(spread.mean - width, spread.mean + width),
        statistic=statistic,
        p_value=2 * float(stdtr(n - 1, -abs(statistic))) if known else same,
        effect="Cohen's d of paired differences",
        effect_size=spread.effect,
        method=method,
        more={"standard_error": error if known else nan, "df": n - 1, **more},
        reason=spread.constant,
    )


DF = 5  # degrees of freedom of Dietterich's 5x2 t-test (1998)
EFFECT = "Cohen's d of paired differences"


def five_by_two_t(d: ArrayLike, *, level: float = 0.95) -> TestAnswer:
    """5x2cv paired t-test: the first difference over the root of the mean variance of the repeats.

    t = d[0, 0] / sqrt(mean of s_i^2), s_i^2 = (d[i, 0] - d[i, 1])^2 / 2, against Student's t with 5
    degrees of freedom. The numerator is only one of ten differences, so the result depends on the
    order of the folds: `five_by_two_f` uses all ten.

    Parameters
    ----------
    d : (5, 2) array
        First model's value minus the second's; rows are repeats.
    level : float, default 0.95
        Of the interval, in (0, 1): first difference -+ t times the root, which inverts the test.

    Returns
    -------
    TestAnswer
        Statistic, p-value, mean difference and interval, about the first difference.

    Raises
    ------
    InputError
        Another shape than (5, 2), or a difference is NaN or infinite.
    ParameterError
        `level` is outside (0, 1).

    References
    ----------
    Dietterich (1998). Approximate statistical tests for comparing supervised classification
    learning algorithms. Neural Computation 10.

    Examples
    --------
    >>> d = [[0.02, 0.04], [0.03, 0.01], [0.02, 0.04], [0.03, 0.05], [0.01, 0.03]]
    >>> answer = five_by_two_t(d)
    >>> round(answer.statistic, 4), round(answer.p_value, 4)
    (1.4142, 0.2164)
    """
    from scipy.special import stdtr, stdtrit

    tail = float(stdtrit(DF, (1 + checked_level(level)) / 2))
    d = checked_five_by_two(d)
    spread, variance = spread_of(d.ravel()), float(_variances(d).sum())
    reason = spread.constant or _no_variance(d, variance)
    first, half = float(d[0, 0]), nan
    if reason is None:
        statistic = first / sqrt(variance / DF)
        p_value = 2 * float(stdtr(DF, -abs(statistic)))
        half = tail * sqrt(variance / DF)
    else:
        statistic, p_value = (0.0, 1.0) if spread.mean == 0 == spread.deviation else (nan, nan)
    return TestAnswer(
        test="5x2-t",
        units=d.size,
        difference=spread.mean,
        interval_range=(first - half, first + half),
        statistic=statistic,
        p_value=p_value,
        effect=EFFECT,
        effect_size=spread.effect,
        method="the first fold's difference over the repeats' spread, Student's t with 5 degrees "
        "of freedom (Dietterich)",
        more={"df": DF, "first_difference": first},
        reason=reason,
    )


def five_by_two_f(d: ArrayLike, *, level: float = 0.95) -> TestAnswer:
    """Combined 5x2cv F-test: all squared differences over twice the variances of the repeats.

    F = sum of d^2 / (2 sum of s_i^2), s_i^2 = (d[i, 0] - d[i, 1])^2 / 2, against F with 10 and 5
    degrees of freedom. The interval holds every mean difference that the test does not reject; it
    is undefined where the repeats differ so much that it rejects every one.

    Parameters
    ----------
    d : (5, 2) array
        First model's value minus the second's; rows are repeats.
    level : float, default 0.95
        Of the interval, in (0, 1).

    Returns
    -------
    TestAnswer
        Statistic, p-value, mean difference and its interval.

    Raises
    ------
    InputError
        Another shape than (5, 2), or a difference is NaN or infinite.
    ParameterError
        `level` is outside (0, 1).

    References
    ----------
    Alpaydin (1999). Combined 5x2 cv F test for comparing supervised classification learning
    algorithms. Neural Computation 11.

    Examples
    --------
    >>> d = [[0.02, 0.04], [0.03, 0.01], [0.02, 0.04], [0.03, 0.05], [0.01, 0.03]]
    >>> answer = five_by_two_f(d)
    >>> round(answer.statistic, 4), round(answer.p_value, 4)
    (4.7, 0.0507)
    """
    from scipy.special import fdtrc, fdtri

    d = checked_five_by_two(d)
    spread, variance = spread_of(d.ravel()), float(_variances(d).sum())
    reason = spread.constant or _no_variance(d, variance)
    half = nan
    if reason is None:
        statistic = float((d**2).sum()) / (2 * variance)
        p_value = float(fdtrc(d.size, DF, statistic))
        room = 2 * variance * float(fdtri(d.size, DF, checked_level(level)))
        left = (room - float(((d - spread.mean) ** 2).sum())) / d.size
        half = sqrt(left) if left >= 0 else nan
        reason = (
            None
            if left >= 0
            else ("the repeats differ so much that the test rejects every mean difference")
        )
    else:
        statistic, p_value = (0.0, 1.0) if spread.mean == 0 == spread.deviation else (nan, nan)
    return TestAnswer(
        test="5x2-f",
        units=d.size,
        difference=spread.mean,
        interval_range=(spread.mean - half, spread.mean + half),
        statistic=statistic,
        p_value=p_value,
        effect=EFFECT,
        effect_size=spread.effect,
        method="all ten squared differences over the repeats' spread, F with 10 and 5 degrees of "
        "freedom (Alpaydin)",
        more={"df": (d.size, DF)},
        reason=reason,
    )


def _variances(d: Floats) -> Floats:
    """Return the variance of the two differences of every repeat."""
    return np.asarray((d[:, 0] - d[:, 1]) ** 2 / 2)


def _no_variance(d: Floats, variance: float) -> str | None:
    """Return why nothing can be said where both folds of every repeat agree, but for rounding."""
    if sqrt(variance) > TIE * (1 + float(np.abs(d).max())):
        return None
    return "both folds of every repeat have the same difference, so the variance is 0"


def bayesian_t(d: ArrayLike, *, test_share: float, rope: float, level: float = 0.95) -> TestAnswer:
    """Bayesian correlated t-test: the posterior of the mean difference, cut by a region.

    With the matching prior the posterior is Student's t with J - 1 degrees of freedom, about the
    mean, with scale deviation sqrt(1 / J + share / (1 - share)), which corrected_t divides by.
    `more` has its parts below -rope, within +-rope (practically equal) and above rope, which sum
    to 1. Nothing is sampled.

    Parameters
    ----------
    d : (J,) array
        First model's value minus the second's, one per fold of every repeat; J at least 2.
    test_share : float
        Share of the rows in each test part, in (0, 1); 1 / k for k folds.
    rope : float
        Largest difference without practical importance, at least 0, in the unit of the measure.
    level : float, default 0.95
        Of the interval that holds the middle of the posterior, in (0, 1).

    Returns
    -------
    TestAnswer
        Mean difference and interval; in `more` the posterior and its three parts.

    Raises
    ------
    InputError
        A difference is NaN or infinite, or there are fewer than two.
    ParameterError
        `level` or `test_share` is outside (0, 1), or `rope` is negative.

    References
    ----------
    Corani and Benavoli (2015). A Bayesian approach for comparing cross-validated algorithms
    on multiple data sets. Machine Learning 100. Benavoli, Corani, Demsar and Zaffalon (2017). Time
    for a change. JMLR 18.

    Examples
    --------
    >>> answer = bayesian_t([0.02, 0.05, -0.01, 0.03], test_share=0.25, rope=0.01)
    >>> {name: round(answer.more[name], 3) for name in ("below", "within", "above")}
    {'below': 0.094, 'within': 0.186, 'above': 0.72}
    """
    from scipy.special import stdtr, stdtrit

    d = checked_differences(d, least=2)
    share, width = checked_test_share(test_share), checked_rope(rope)
    spread = spread_of(d)
    scale = spread.deviation * sqrt(1 / d.size + share / (1 - share))
    tail = float(stdtrit(d.size - 1, (1 + checked_level(level)) / 2))
    below = above = half = nan
    if spread.constant is None:
        below = float(stdtr(d.size - 1, (-width - spread.mean) / scale))
        above = float(stdtr(d.size - 1, (spread.mean - width) / scale))
        half = tail * scale
    posterior = {"location": spread.mean, "scale": scale, "df": d.size - 1, "rope": width}
    parts = {"below": below, "within": 1 - below - above, "above": above}
    return TestAnswer(
        test="bayesian-t",
        units=d.size,
        difference=spread.mean,
        interval_range=(spread.mean - half, spread.mean + half),
        statistic=nan,
        p_value=nan,
        effect="Cohen's d of paired differences",
        effect_size=spread.effect,
        method=f"exact posterior, Student's t with {d.size - 1} degrees of freedom; practically "
        f"equal within ±{number(width)}",
        more={**posterior, **parts, "test_share": share},
        reason=spread.constant
        or "a posterior gives probabilities of the difference, not a p-value",
    )


def posterior_curve(posterior: Mapping[str, float], *, points: int = 401) -> tuple[Floats, Floats]:
    """Return sorted differences and the posterior density at each, for a picture.

    `posterior` is `more` of `bayesian_t`'s answer. The differences are `points` within 4.5 scales
    to both sides, and the ends of the region of practical equivalence with a little beyond. Raises
    InputError where all folds have one difference, so that there is no density.

    >>> answer = bayesian_t([0.02, 0.05, -0.01, 0.03], test_share=0.25, rope=0.01)
    >>> x, density = posterior_curve(answer.more, points=3)
    >>> x.round(3)
    array([-0.063, -0.012, -0.01 ,  0.01 ,  0.012,  0.022,  0.108])
    >>> density.round(1)
    array([ 0.3,  4.4,  5. , 14.7, 15.9, 19.2,  0.3])
    """
    location, scale, df, rope = (posterior[name] for name in ("location", "scale", "df", "rope"))
    if not scale > 0:
        raise InputError(
            f"the difference is {number(location)} in every fold, so its posterior has no density",
            code="difference-constant",
        )
    reach = 4.5 * scale
    ends = [-1.2 * rope, -rope, rope, 1.2 * rope]
    x = np.union1d(np.linspace(location - reach, location + reach, points), ends)
    top = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2 - log(scale)
    return x, np.exp(top - (df + 1) / 2 * np.log1p(((x - location) / scale) ** 2 / df))
