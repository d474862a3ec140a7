"""McNemar's exact test: which of two classifiers is right more often."""

from math import sqrt

import numpy as np

from plumbline._checks import open_fraction
from plumbline.comparison.answers import Pair, TestAnswer
from plumbline.comparison.rows import need_plain_rows
from plumbline.confusion.intervals import wilson_interval

INSTEAD = "use the paired permutation test of the accuracy"
NO_DISAGREEMENT = "both models are right on the same examples, so no ratio of disagreements exists"


def mcnemar(pair: Pair, *, level: float = 0.95) -> TestAnswer:
    """Compare how often two models are right on the same examples (McNemar 1947), exactly.

    With b examples that only the first model gets right and c that only the second does, under
    the null B ~ Binomial(b + c, 1/2), whatever the other rows are; p = 2 min(P(B <= b), P(B >= b)),
    at most 1. `difference` is (b - c) / n, the difference of the accuracies; its interval is
    Newcombe's (1998) method 10 for paired shares: Wilson intervals of both accuracies, joined with
    their correlation. `effect_size` is the odds ratio b / c. `more` has the counts both_right,
    only_first, only_second, both_wrong; the less strict mid_p of Lancaster (1961), that counts the
    observed table half; and odds_ratio_range, exact (Clopper and Pearson 1934).

    Test and interval are computed differently and can disagree at the border of significance.
    Raises InputError for weights and for examples with several rows, ParameterError for a level
    that is no fraction.

    >>> from plumbline import Predictions
    >>> y = [0, 1] * 20
    >>> first = Predictions.from_arrays(y, predicted=y)
    >>> second = Predictions.from_arrays(y, predicted=[0, 0] * 3 + y[6:])
    >>> found = mcnemar(Pair(first, second, np.arange(40)))
    >>> found.more["only_first"], found.more["only_second"], found.p_value
    (3, 0, 0.25)
    """
    from scipy import special

    open_fraction("level", level)
    need_plain_rows(pair, "McNemar's test", INSTEAD)
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
        interval_range=newcombe(both, b, c, neither, level=level),
        statistic=float(b),
        p_value=min(1.0, 2 * tail),
        effect="odds ratio of the disagreements",
        effect_size=_ratio(b, c),
        method="exact binomial test of the disagreements; interval by Newcombe's method 10",
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


def newcombe(
    both: int, only_first: int, only_second: int, neither: int, *, level: float
) -> tuple[float, float]:
    """Return the interval of the difference of two paired shares, Newcombe's (1998) method 10.

    p1 - p2 -+ sqrt(d1^2 - 2 phi d1 d2 + d2^2), with d1, d2 the distances of the shares to the ends
    of their Wilson intervals and phi their correlation, corrected for continuity where positive.

    >>> low, high = newcombe(14, 5, 0, 22, level=0.95)  # Altman et al. (2000), table 6.2
    >>> round(low, 3), round(high, 3)
    (0.011, 0.226)
    """
    n = both + only_first + only_second + neither
    margins = (both + only_first, both + only_second)
    p, q = (k / n for k in margins)
    (l1, u1), (l2, u2) = (wilson_interval(share, n, level=level) for share in (p, q))
    phi = _correlation(both, only_first, only_second, neither)
    low = p - q - _joined(p - l1, u2 - q, phi)
    high = p - q + _joined(u1 - p, q - l2, phi)
    return max(low, -1.0), min(high, 1.0)


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
    if b + c == 0:
        return np.nan
    return b / c if c else np.inf


def _correlation(both: int, only_first: int, only_second: int, neither: int) -> float:
    """Return phi of a 2 x 2 table, its numerator lessened by n / 2 where it is positive."""
    n = both + only_first + only_second + neither
    hits = (both + only_first, both + only_second)
    spread = sqrt(hits[0] * (n - hits[0])) * sqrt(hits[1] * (n - hits[1]))
    if spread == 0:
        return 0.0
    product = both * neither - only_first * only_second
    return (max(product - n / 2, 0.0) if product > 0 else product) / spread


def _joined(first: float, second: float, phi: float) -> float:
    return sqrt(max(0.0, first**2 - 2 * phi * first * second + second**2))
