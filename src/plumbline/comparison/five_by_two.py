"""Tests on five repeats of 2-fold cross-validation, whose training parts share no rows."""

from math import nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from plumbline.comparison.answers import TestAnswer
from plumbline.comparison.folds import (
    Floats,
    checked_five_by_two,
    checked_level,
    spread_of,
)
from plumbline.nulls import TIE

DF = 5
EFFECT = "Cohen's d of paired differences"


def five_by_two_t(d: ArrayLike, *, level: float = 0.95) -> TestAnswer:
    """5x2cv paired t-test: the first difference over the root of the mean variance of the repeats.

    t = d[0, 0] / sqrt(mean of s_i^2), s_i^2 = (d[i, 0] - d[i, 1])^2 / 2, against Student's t with
    5 degrees of freedom. Only one of ten differences stands above, so another order of the folds
    gives another answer: `five_by_two_f` uses all ten.

    Parameters
    ----------
    d : (5, 2) first model's value - second model's, rows are repeats
    level : accepted for a common call; this test has no interval about the mean difference

    Raises
    ------
    InputError
        Another shape than (5, 2), or a difference is NaN or infinite
    ParameterError
        `level` is outside (0, 1)

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
    from scipy.special import stdtr

    checked_level(level)
    d = checked_five_by_two(d)
    spread, variance = spread_of(d.ravel()), float(_variances(d).sum())
    reason = spread.constant or _no_variance(d, variance)
    first = float(d[0, 0])
    if reason is None:
        statistic = first / sqrt(variance / DF)
        p_value = 2 * float(stdtr(DF, -abs(statistic)))
        reason = "the test rests on the first fold's difference, so it has no interval; 5x2-f has"
    else:
        statistic, p_value = (0.0, 1.0) if spread.mean == 0 == spread.deviation else (nan, nan)
    return TestAnswer(
        test="5x2-t",
        units=d.size,
        difference=spread.mean,
        interval_range=(nan, nan),
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
    degrees of freedom. The interval holds every mean difference that the test would not reject; it
    is undefined where the repeats differ among themselves so much that it rejects every one.

    Parameters
    ----------
    d : (5, 2) first model's value - second model's, rows are repeats
    level : of the interval, in (0, 1)

    Raises
    ------
    InputError
        Another shape than (5, 2), or a difference is NaN or infinite
    ParameterError
        `level` is outside (0, 1)

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
        reason = None if left >= 0 else "the repeats differ so much that no mean would be accepted"
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
    return "the two folds of every repeat have the same difference, so there is no variance to use"
