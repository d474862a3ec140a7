"""t-tests on differences over folds: the plain one, and one that allows for shared rows."""

from math import nan, sqrt

from numpy.typing import ArrayLike

from plumbline.comparison.answers import TestAnswer
from plumbline.comparison.folds import (
    Spread,
    checked_differences,
    checked_level,
    checked_test_share,
    spread_of,
)
from plumbline.formatting import number


def paired_t(d: ArrayLike, *, level: float = 0.95, unit: str = "fold") -> TestAnswer:
    """Paired t-test: mean / (deviation / sqrt(J)) against Student's t.

    It has J - 1 degrees of freedom and takes the differences for independent draws. Those of
    cross-validation are not: folds share training rows, so the test then finds differences where
    there are none (Dietterich 1998); `corrected_t` allows for that.

    Parameters
    ----------
    d : (J,) first model's value - second model's, one a fold, J at least 2
    level : of the interval, in (0, 1)
    unit : what `d` has one number of, for the words

    Raises
    ------
    InputError
        A difference is NaN or infinite, or there are fewer than two
    ParameterError
        `level` is outside (0, 1)

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
    method = f"Student's t with {d.size - 1} degrees of freedom, {unit}s taken for independent"
    spread = spread_of(d, unit)
    return _t_answer("paired-t", spread, 1 / d.size, n=d.size, level=level, method=method)


def corrected_t(d: ArrayLike, *, test_share: float, level: float = 0.95) -> TestAnswer:
    """Corrected resampled t-test: the variance of the mean grows by what the folds share.

    t = mean / (deviation sqrt(1 / J + share / (1 - share))) with J - 1 degrees of freedom, where
    share / (1 - share) is rows tested over rows trained on: 1 / (k - 1) for k folds. Repeated
    cross-validation puts all its folds in `d` (Bouckaert and Frank 2004).

    Parameters
    ----------
    d : (J,) first model's value - second model's, one a fold of every repeat, J at least 2
    test_share : share of the rows in each test part, in (0, 1); 1 / k for k folds
    level : of the interval, in (0, 1)

    Raises
    ------
    InputError
        A difference is NaN or infinite, or there are fewer than two
    ParameterError
        `level` or `test_share` is outside (0, 1)

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
