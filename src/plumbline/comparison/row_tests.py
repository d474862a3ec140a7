"""Tests on plain rows: DeLong's of two areas under ROC curves, McNemar's of two accuracies."""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction
from plumbline.comparison.paired_rows import Pair, need_plain_rows
from plumbline.comparison.quantity import Floats, Truths, ratings_of, target_of
from plumbline.comparison.results import TestAnswer
from plumbline.confusion import wilson_interval
from plumbline.curves import Area, placements
from plumbline.curves.area_intervals import FEW, student_quantile
from plumbline.nulls import TIE

USE_PERMUTATION_OF_AREAS = "use the paired permutation test of the area under the ROC curve"
ROC = "a ROC curve"
NORMAL = "normal approximation with DeLong's variance of the placements"
STUDENT = (
    "Student's t with DeLong's variance of the placements and Welch-Satterthwaite's {:.3g} degrees "
    "of freedom"
)
ALIKE = "both models rank these rows the same, so the variance of the difference is unknown"
APART = (
    "the areas differ, but their variance is 0: all rows of a class have the same placement; use "
    "`test='permutation'`"
)


def delong(pair: Pair, target: Any = None, *, level: float = 0.95) -> TestAnswer:
    """Compare the areas under the ROC curves of two models on the same examples (DeLong 1988).

    With V_i the share of negatives that the positive i is rated above, and V_j the share of
    positives that the negative j is rated below (ties half), the area A is the mean of V over the
    positives, m of them, and over the negatives, n of them. For two models

        z = (A1 - A2) / s,   s^2 = var_i(V1_i - V2_i) / m + var_j(V1_j - V2_j) / n,

    compared with the normal distribution. `difference` is A1 - A2, its interval -+ z s. `target` is
    the class looked at against the rest, for two classes by default the positive one. Placements
    are found by sorting, as Sun and Xu (2014) do. `more`: areas, std_error, correlation of the two
    areas, positives, negatives. These are the numbers that the R package pROC prints; with few
    positives the test rejects too often, and `delong_t` or the permutation test is taken by
    default.

    Raises InputError for weights, examples with several rows and labels alone, ParameterError for
    more than two classes without a `target`.

    >>> from plumbline import Predictions
    >>> y = [0, 0, 1, 1, 1]
    >>> first = Predictions.from_arrays(y, [0.1, 0.2, 0.6, 0.7, 0.8])
    >>> second = Predictions.from_arrays(y, [0.3, 0.6, 0.2, 0.7, 0.9])
    >>> result = delong(Pair(first, second, np.arange(5)))
    >>> round(result.difference, 4), round(result.statistic, 4), round(result.p_value, 4)
    (0.3333, 1.0, 0.3173)
    """
    return _tested(pair, target, level, student=False)


def delong_t(pair: Pair, target: Any = None, *, level: float = 0.95) -> TestAnswer:
    """Compare two areas as `delong` does, with Student's t in place of the normal distribution.

    The degrees of freedom are those of Welch (1947) and Satterthwaite (1946) for the two variances
    that s^2 adds up: with a = var_i / m and b = var_j / n, (a + b)^2 / (a^2 / (m - 1) + b^2 / (n -
    1)). With hundreds of positives and negatives it is `delong`.

    >>> from plumbline import Predictions
    >>> y = [0, 0, 1, 1, 1]
    >>> first = Predictions.from_arrays(y, [0.1, 0.2, 0.6, 0.7, 0.8])
    >>> second = Predictions.from_arrays(y, [0.3, 0.6, 0.2, 0.7, 0.9])
    >>> result = delong_t(Pair(first, second, np.arange(5)))
    >>> round(result.p_value, 4), round(result.more["freedom"], 3)
    (0.4226, 2.0)
    """
    return _tested(pair, target, level, student=True)


def _tested(pair: Pair, target: Any, level: float, *, student: bool) -> TestAnswer:
    open_fraction("level", level)
    need_plain_rows(pair, "DeLong's test", USE_PERMUTATION_OF_AREAS)
    event, *ratings = _compared(pair, target)
    first, second = (placements(event, rating) for rating in ratings)
    apart = Area.of(event, first - second)
    difference, error = apart.value, apart.std_error
    freedom = _freedom(apart) if student else np.inf
    statistic, p_value, reason = _judged(apart, freedom)
    ends = np.nan, np.nan
    if reason is None:
        half = float(student_quantile(level, freedom)) * error
        ends = max(-1.0, difference - half), min(1.0, difference + half)
    return TestAnswer(
        test="delong-t" if student else "delong",
        units=pair.n,
        difference=difference,
        interval_range=ends,
        statistic=statistic,
        p_value=p_value,
        effect="difference of the areas",
        effect_size=difference,
        method=STUDENT.format(freedom) if student else NORMAL,
        more={
            "areas": tuple(Area.of(event, place).value for place in (first, second)),
            "std_error": error,
            "correlation": _correlation_of_areas(event, first, second),
            "positives": int(event.sum()),
            "negatives": int((~event).sum()),
            **({"freedom": freedom} if student else {}),
        },
        reason=reason,
    )


def difference_of_areas(pair: Pair, target: Any = None) -> Area:
    """Return the difference of two areas with its variance; rows may have weights and examples."""
    event, *ratings = _compared(pair, target)
    weight = pair.first.weight
    places = [placements(event, rating, weight) for rating in ratings]
    return Area.of(event, places[0] - places[1], weight, pair.example if pair.repeated else None)


def area_difference_influence(pair: Pair, target: Any = None) -> Floats:
    """Return (n,) influence values of the rows on the difference of two areas, whose mean is 0.

    Of a positive it is the difference of its placements less that of the areas, by the share of
    the positives; of a negative likewise. A class without rows has none.

    >>> from plumbline import Predictions
    >>> y = [0, 0, 1, 1]
    >>> first = Predictions.from_arrays(y, [0.1, 0.6, 0.5, 0.8])
    >>> second = Predictions.from_arrays(y, [0.3, 0.2, 0.5, 0.6])
    >>> area_difference_influence(Pair(first, second, np.arange(4)))
    array([ 0.5, -0.5, -0.5,  0.5])
    """
    event, *ratings = _compared(pair, target)
    mass = pair.first.mass
    apart = np.subtract(*(placements(event, rating, pair.first.weight) for rating in ratings))
    found = np.zeros(pair.n)
    for own in (event, ~event):
        if mass[own].sum() > 0:
            centre = float(np.average(apart[own], weights=mass[own]))
            found[own] = (apart[own] - centre) * mass.sum() / mass[own].sum()
    return found


def area_difference_ends(
    pair: Pair, target: Any = None
) -> Callable[[float], tuple[float, float, str | None]]:
    """Return what gives the ends of the difference of two areas at a level, or why there are none.

    They are those of `delong_t`, also of rows with weights, in groups or of examples with several
    rows; the placements are computed once.
    """
    apart = difference_of_areas(pair, target)
    freedom = _freedom(apart)
    reason = _judged(apart, freedom)[2]

    def ends(level: float) -> tuple[float, float, str | None]:
        if reason == ALIKE and abs(apart.value) <= TIE:
            return 0.0, 0.0, None
        if reason is not None:
            return np.nan, np.nan, reason
        half = float(student_quantile(level, freedom)) * apart.std_error
        return max(-1.0, apart.value - half), min(1.0, apart.value + half), None

    return ends


def why_no_width(result: Area) -> str:
    """Say why a difference of areas has no interval."""
    return FEW.format(*result.counts) if min(result.counts) < 2 else ALIKE


def _compared(pair: Pair, target: Any) -> tuple[Truths, NDArray[Any], NDArray[Any]]:
    name = target_of(pair.first, target, ROC)
    (event, first), (_, second) = (ratings_of(data, name) for data in (pair.first, pair.second))
    return event, first, second


def _freedom(result: Area) -> float:
    """Return the degrees of freedom of Welch and Satterthwaite, NaN where no variance is known."""
    a, b = result.positive, result.negative
    if not a.variance + b.variance > 0:
        return np.nan
    parts = a.variance**2 / (a.rows - 1) + b.variance**2 / (b.rows - 1)
    return float((a.variance + b.variance) ** 2 / parts)


def _judged(result: Area, freedom: float) -> tuple[float, float, str | None]:
    """Return z or t, the two-sided p-value, and why they are missing or trivial."""
    from scipy import special

    if np.isnan(result.std_error):
        return np.nan, np.nan, FEW.format(*result.counts)
    if result.std_error > TIE:
        t = result.value / result.std_error
        below = special.ndtr(-abs(t)) if np.isinf(freedom) else special.stdtr(freedom, -abs(t))
        return t, float(2 * below), None
    return (0.0, 1.0, ALIKE) if abs(result.value) <= TIE else (np.nan, np.nan, APART)


def _correlation_of_areas(event: Truths, first: Floats, second: Floats) -> float:
    """Return the correlation of two areas, NaN where one does not vary."""
    errors = [Area.of(event, place).std_error for place in (first, second, first - second)]
    product = errors[0] * errors[1]
    if not product > TIE**2:
        return np.nan
    return float((errors[0] ** 2 + errors[1] ** 2 - errors[2] ** 2) / (2 * product))


USE_PERMUTATION_OF_ACCURACIES = "use the paired permutation test of the accuracy"
NO_DISAGREEMENT = "both models are right on the same examples, so there is no odds ratio"


def mcnemar(pair: Pair, *, level: float = 0.95) -> TestAnswer:
    """Compare how often two models are right on the same examples (McNemar 1947), exactly.

    With b examples that only the first model gets right and c that only the second does, under
    the null B ~ Binomial(b + c, 1/2), whatever the other rows are; p = 2 min(P(B <= b), P(B >= b)),
    at most 1. `difference` is (b - c) / n, the difference of the accuracies; its interval inverts
    the test (`accuracy_ends`). `effect_size` is the odds ratio b / c. `more` has the counts
    both_right, only_first, only_second, both_wrong; the less strict mid_p of Lancaster (1961), that
    counts the observed table half; and odds_ratio_range, exact (Clopper and Pearson 1934).

    Raises InputError for weights and for examples with several rows, ParameterError for a level
    that is no fraction.

    >>> from plumbline import Predictions
    >>> y = [0, 1] * 20
    >>> first = Predictions.from_arrays(y, predicted=y)
    >>> second = Predictions.from_arrays(y, predicted=[0, 0] * 3 + y[6:])
    >>> result = mcnemar(Pair(first, second, np.arange(40)))
    >>> result.more["only_first"], result.more["only_second"], result.p_value
    (3, 0, 0.25)
    """
    from scipy import special

    open_fraction("level", level)
    need_plain_rows(pair, "McNemar's test", USE_PERMUTATION_OF_ACCURACIES)
    right = [table.predicted == table.actual for table in (pair.first, pair.second)]
    cells = np.bincount(2 * right[0] + right[1], minlength=4).tolist()  # neither, second, first
    neither, c, b, both = cells
    least = min(b, c)
    tail = float(special.bdtr(least, b + c, 0.5))
    below = float(special.bdtr(least - 1, b + c, 0.5)) if least else 0.0
    return TestAnswer(
        test="mcnemar",
        units=pair.n,
        difference=(b - c) / pair.n,
        interval_range=accuracy_ends(b, c, pair.n, level=level),
        statistic=float(b),
        p_value=min(1.0, 2 * tail),
        effect="odds ratio of the disagreements",
        effect_size=_ratio(b, c),
        method="exact binomial test of the disagreements, and its inversion",
        more={
            "both_right": both,
            "only_first": b,
            "only_second": c,
            "both_wrong": neither,
            "mid_p": min(1.0, tail + below),
            "odds_ratio_range": odds_ratio_range(b, c, level=level),
        },
        reason=None if b + c else NO_DISAGREEMENT,
    )


def accuracy_ends(b: int, c: int, n: int, *, level: float) -> tuple[float, float]:
    """Return the interval of the difference of two accuracies that inverts McNemar's exact test.

    The difference is the product of x = (b - c) / (b + c), what the test looks at, with the exact
    interval (l, u) of Clopper and Pearson (1934), and of the share y = (b + c) / n of the
    disagreements, with Wilson's interval (m, w). Their distances are joined as those of a product
    are (MOVER; Zou and Donner 2008): where x > 0,

        low  = x y - sqrt((y (x - l))^2 + (x (y - m))^2 - ((x - l) (y - m))^2)
        high = x y + sqrt((y (u - x))^2 + (x (w - y))^2 + ((u - x) (w - y))^2)

    and the other way round below 0. low > 0 if and only if l > 0, which is p < 1 - level.

    >>> low, high = accuracy_ends(5, 0, 41, level=0.95)  # p = .0625
    >>> round(low, 3), round(high, 3)
    (-0.004, 0.255)
    """
    from scipy import special

    share = (b + c) / n
    m, w = wilson_interval(share, n, level=level)
    if b + c == 0:
        return -w, w
    if b < c:
        low, high = accuracy_ends(c, b, n, level=level)
        return -high, -low
    tail, x = (1 - level) / 2, (b - c) / (b + c)
    least = 2 * float(special.betaincinv(b, c + 1, tail)) - 1
    most = 2 * float(special.betainccinv(b + 1, c, tail)) - 1 if c else 1.0
    down, up = x - least, most - x
    inner = (share * down) ** 2 + (x * (share - m)) ** 2 - (down * (share - m)) ** 2
    outer = (share * up) ** 2 + (x * (w - share)) ** 2 + (up * (w - share)) ** 2
    return max(x * share - sqrt(inner), -1.0), min(x * share + sqrt(outer), 1.0)


def odds_ratio_range(b: int, c: int, *, level: float) -> tuple[float, float]:
    """Return the exact interval of the odds ratio of b successes to c (Clopper and Pearson 1934).

    >>> low, high = odds_ratio_range(5, 0, level=0.95)
    >>> round(low, 3), high
    (0.916, inf)
    """
    from scipy import special

    tail = (1 - level) / 2
    if b + c == 0:
        return np.nan, np.nan
    low = float(special.betaincinv(b, c + 1, tail)) if b else 0.0
    high = float(special.betainccinv(b + 1, c, tail)) if c else 1.0
    return low / (1 - low), high / (1 - high) if high < 1 else np.inf


def _ratio(b: int, c: int) -> float:
    """Return b to c.

    >>> _ratio(0, 0), _ratio(0, 1), _ratio(1, 0), _ratio(1, 2)
    (nan, 0.0, inf, 0.5)
    """
    if b + c == 0:
        return np.nan
    return b / c if c else np.inf
