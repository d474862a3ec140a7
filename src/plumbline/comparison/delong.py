"""DeLong's test, with the normal or Student's distribution: which model has the larger AUC."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction
from plumbline.comparison.answers import Pair, TestAnswer
from plumbline.comparison.quantities import Floats, Truths, ratings_of, target_of
from plumbline.comparison.rows import need_plain_rows
from plumbline.curves.area_intervals import FEW, Area, placements, student_quantile
from plumbline.nulls import TIE

INSTEAD = "use the paired permutation test of the area under the ROC curve"
ROC = "a ROC curve"
NORMAL = "normal approximation with DeLong's variance of the placements"
STUDENT = (
    "Student's t with DeLong's variance of the placements and Welch-Satterthwaite's {:.3g} degrees "
    "of freedom"
)
ALIKE = "both models order these rows alike, which says nothing of how their areas may differ"
APART = (
    "the areas differ, but no row differs from another of its class: the variance is 0; "
    "test='permutation' has an answer"
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
    >>> found = delong(Pair(first, second, np.arange(5)))
    >>> round(found.difference, 4), round(found.statistic, 4), round(found.p_value, 4)
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
    >>> found = delong_t(Pair(first, second, np.arange(5)))
    >>> round(found.p_value, 4), round(found.more["freedom"], 3)
    (0.4226, 2.0)
    """
    return _tested(pair, target, level, student=True)


def _tested(pair: Pair, target: Any, level: float, *, student: bool) -> TestAnswer:
    open_fraction("level", level)
    need_plain_rows(pair, "DeLong's test", INSTEAD)
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
            "correlation": _correlation(event, first, second),
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


def half_width(found: Area, level: float) -> float:
    """Return t s of a difference of areas, NaN where its variance is 0 or undefined.

    >>> event = np.array([True, True, True, False, False])
    >>> place = np.array([0.2, 0.4, 0.6, 0.3, 0.5])
    >>> round(half_width(Area.of(event, place), 0.95), 3)
    0.498
    """
    if not found.std_error > TIE:
        return np.nan
    return float(student_quantile(level, _freedom(found))) * found.std_error


def why_no_width(found: Area) -> str:
    """Say why a difference of areas has no interval."""
    return FEW.format(*found.counts) if min(found.counts) < 2 else ALIKE


def _compared(pair: Pair, target: Any) -> tuple[Truths, NDArray[Any], NDArray[Any]]:
    name = target_of(pair.first, target, ROC)
    (event, first), (_, second) = (ratings_of(data, name) for data in (pair.first, pair.second))
    return event, first, second


def _freedom(found: Area) -> float:
    """Return the degrees of freedom of Welch and Satterthwaite, NaN where no variance is known."""
    a, b = found.positive, found.negative
    if not a.variance + b.variance > 0:
        return np.nan
    parts = a.variance**2 / (a.rows - 1) + b.variance**2 / (b.rows - 1)
    return float((a.variance + b.variance) ** 2 / parts)


def _judged(found: Area, freedom: float) -> tuple[float, float, str | None]:
    """Return z or t, the two-sided p-value, and why they are missing or trivial."""
    from scipy import special

    if np.isnan(found.std_error):
        return np.nan, np.nan, FEW.format(*found.counts)
    if found.std_error > TIE:
        t = found.value / found.std_error
        below = special.ndtr(-abs(t)) if np.isinf(freedom) else special.stdtr(freedom, -abs(t))
        return t, float(2 * below), None
    return (0.0, 1.0, ALIKE) if abs(found.value) <= TIE else (np.nan, np.nan, APART)


def _correlation(event: Truths, first: Floats, second: Floats) -> float:
    """Return the correlation of two areas, NaN where one does not vary."""
    errors = [Area.of(event, place).std_error for place in (first, second, first - second)]
    product = errors[0] * errors[1]
    if not product > TIE**2:
        return np.nan
    return float((errors[0] ** 2 + errors[1] ** 2 - errors[2] ** 2) / (2 * product))
