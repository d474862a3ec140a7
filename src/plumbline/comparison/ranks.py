"""Tests by ranks over data sets: signed ranks of two models, average ranks of several."""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from math import factorial, inf, nan, prod, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._checks import one_of, shorten, shown
from plumbline.comparison.fold_tests import Floats, checked_differences, checked_level, spread_of
from plumbline.comparison.results import RankAnswer, TestAnswer, below
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, percentage
from plumbline.nulls import TIE

Ints = NDArray[np.int64]

MOST_EXACT = 200  # differences; with more the normal law is right to three digits


def wilcoxon(d: ArrayLike, *, level: float = 0.95, unit: str = "data set") -> TestAnswer:
    """Test whether the larger differences lie on one side of zero: Wilcoxon signed ranks.

    The statistic is the smaller sum of ranks of abs(d), of either sign. A zero keeps
    its rank and gives half to each side (so Demsar; "zsplit" of scipy). With at most 200
    differences the p-value is exact, ties and zeros included: every sign a fair coin, given the
    ranks; with more it is that of the normal law. The difference is Hodges and Lehmann's, the
    median of the means of all pairs of differences, and the interval runs between two such means:
    it holds the differences that the same test, of d less each of them, does not reject. The effect
    is the matched rank-biserial correlation, (positive - negative) / all ranks.

    Parameters
    ----------
    d : (N,) array
        First model's value minus the second's, one per data set (or fold).
    level : float, default 0.95
        Of the interval, in (0, 1).
    unit : str, default "data set"
        What `d` has one number of, for the words.

    Returns
    -------
    TestAnswer
        Statistic, p-value, median difference, its interval and the effect.

    Raises
    ------
    InputError
        A difference is NaN or infinite, or there is none.
    ParameterError
        `level` is outside (0, 1).

    References
    ----------
    Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1. Pratt
    (1959). Remarks on zeros and ties. JASA 54. Hodges and Lehmann (1963). Annals of Mathematical
    Statistics 34. Demsar (2006). JMLR 7.

    Examples
    --------
    >>> answer = wilcoxon([0.05, 0.02, -0.01, 0.03, 0.04, 0.06])
    >>> answer.statistic, answer.p_value
    (1.0, 0.0625)
    """
    d = checked_differences(d, least=1, unit=unit)
    alpha = 1 - checked_level(level)
    up, down, zeros, p_value, method = _signed_ranks(d)
    walsh = _walsh(d)
    low, high = _walsh_interval(d, walsh, alpha)
    reason = spread_of(d, unit).constant
    if reason is not None:
        low = high = nan
    elif not np.isfinite(low):
        reason = f"too few {unit}s ({d.size}) for an interval of {percentage(level)}"
    return TestAnswer(
        test="wilcoxon",
        units=d.size,
        difference=float(np.median(walsh)),
        interval_range=(low, high),
        statistic=min(up, down),
        p_value=p_value,
        effect="matched rank-biserial correlation",
        effect_size=(up - down) / (up + down),
        method=f"{method}; zeros split between both signs; Hodges and Lehmann's difference",
        more={
            "positive_ranks": up,
            "negative_ranks": down,
            "zeros": zeros,
            "mean_difference": float(d.mean()),
        },
        reason=reason,
    )


def _signed_ranks(d: Floats) -> tuple[float, float, int, float, str]:
    """Return the sums of positive and negative ranks, number of zeros, p-value and how it came."""
    size = np.where(np.abs(d) <= TIE, 0.0, np.abs(d))
    twice = twice_ranks(size)
    zeros = size == 0
    split = float(twice[zeros].sum() / 4)
    up, down = (float(twice[(side > 0) & ~zeros].sum() / 2) for side in (d, -d))
    p_value, method = _signed_rank_p(twice[~zeros], min(up, down))
    return up + split, down + split, int(zeros.sum()), p_value, method


def _signed_rank_p(twice: Ints, less: float) -> tuple[float, str]:
    """Return the two-sided p-value of the smaller sum of ranks, zeros left out, and how it came."""
    if twice.size <= MOST_EXACT:
        tail = float(signed_rank_null(twice)[: round(2 * less) + 1].sum())
        return min(1.0, 2 * tail), "exact distribution of the signs, given the ranks"
    from scipy.special import ndtr

    z = (less - twice.sum() / 4) / sqrt(float((twice / 2.0) @ (twice / 2.0)) / 4)
    return min(1.0, 2 * float(ndtr(z))), "normal approximation of the signs, given the ranks"


def _walsh(d: Floats) -> Floats:
    """Return the means of all pairs of differences, each with itself too."""
    first, second = np.triu_indices(d.size)
    return (d[first] + d[second]) / 2


def _walsh_interval(d: Floats, walsh: Floats, alpha: float) -> tuple[float, float]:
    """Return the ends of the differences that are not rejected; NaN where none is, far out.

    Between two neighbouring means of pairs the ranks stay as they are, and the p-value falls from
    the middle outwards, so that each end is found by halving. An end that is itself rejected lies
    half a step of rounding inside.
    """
    means = np.sort(walsh)
    means = means[np.append(True, np.diff(means) > 2 * TIE)]

    def kept(place: int) -> bool:
        """Tell it of a mean (odd places) or of what lies beside it (even ones)."""
        at = place // 2
        if place % 2:
            theta = float(means[at])
        elif at in (0, len(means)):
            theta = float(means[0] - 1 if at == 0 else means[-1] + 1)
        else:
            theta = float((means[at - 1] + means[at]) / 2)
        return not below(_signed_ranks(d - theta)[3], 1 - alpha)

    centre = float(np.median(walsh))
    below_it = int(np.searchsorted(means, centre - TIE))
    on_it = below_it < len(means) and means[below_it] <= centre + TIE
    middle = 2 * below_it + on_it
    ends = []
    for far in (0, 2 * len(means)):
        if kept(far):
            return nan, nan
        inside, outside = middle, far
        while abs(inside - outside) > 1:
            half = (inside + outside) // 2
            inside, outside = (half, outside) if kept(half) else (inside, half)
        at, side = (inside if inside % 2 else outside) // 2, 1 if far == 0 else -1
        end = float(means[at])
        ends.append(end if inside % 2 else end + side * 2 * TIE)
    return ends[0], ends[1]


def friedman(
    values: ArrayLike, names: Sequence[str], *, better: str, level: float = 0.95
) -> RankAnswer:
    """Friedman's test (do the average ranks of several models differ) and Nemenyi's (which do).

    With R_j the average rank over N data sets of K models, chi^2 = 12 N / (K (K + 1)) (sum of
    R_j^2 - K (K + 1)^2 / 4), divided by 1 - sum of (t^3 - t) / (N (K^3 - K)) for runs of t equal
    values; F = (N - 1) chi^2 / (N (K - 1) - chi^2) with K - 1 and (K - 1)(N - 1) degrees of
    freedom. The p-value is exact, every order of each data set alike, where that takes few cases,
    else F's. Average ranks of two models differ if they are at least q sqrt(K (K + 1) / (6 N))
    apart, q the studentized range's quantile over the square root of 2.

    Parameters
    ----------
    values : (N, K) array
        A metric of each model, one row per data set, one column per model; N and K at least 2.
    names : sequence of str
        K different names of models.
    better : {"higher", "lower"}
        Which values get rank 1.
    level : float, default 0.95
        1 - the significance level of the critical difference and the groups, in (0, 1).

    Returns
    -------
    RankAnswer
        Average ranks, statistic, p-value, critical difference and groups.

    Raises
    ------
    InputError
        A value is NaN, or there are fewer than two data sets or models.
    ParameterError
        Names are repeated or not K, or `better` or `level` is invalid.

    References
    ----------
    Friedman (1937). JASA 32. Iman and Davenport (1980). Communications in Statistics 9.
    Nemenyi (1963). Demsar (2006). Statistical comparisons of classifiers over multiple data sets.
    JMLR 7.

    Examples
    --------
    >>> auc = [[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.8, 0.6], [0.6, 0.5, 0.4]]
    >>> answer = friedman(auc, ["a", "b", "c"], better="higher")
    >>> answer.average_ranks, answer.chi_square, round(answer.p_value, 4), answer.groups
    ((1.25, 1.75, 3.0), 6.5, 0.0417, (('a', 'b'), ('b', 'c')))
    """
    one_of("better", better, ("higher", "lower"))
    checked_level(level)
    table, models = _checked_table(values, names)
    n, k = table.shape
    twice = np.array([twice_ranks(-row if better == "higher" else row) for row in table])
    ranks = twice.mean(axis=0) / 2
    plain = float(12 * n / (k * (k + 1)) * ((ranks - (k + 1) / 2) ** 2).sum())
    varying = float(((twice - (k + 1)) ** 2).sum()) * 3 / (n * (k**3 - k))
    exact = friedman_p_value(twice)
    chi_square, chi_p, f_value, f_p = _friedman_f(plain / varying if varying else 0.0, n, k)
    critical, pairs = _nemenyi(ranks, models, n, level=level)
    return RankAnswer(
        test="friedman",
        models=models,
        n=n,
        average_ranks=tuple(ranks.tolist()),
        chi_square=chi_square,
        chi_square_p_value=chi_p,
        f_statistic=f_value,
        f_p_value=f_p,
        p_value=f_p if exact is None else exact,
        critical_difference=critical,
        groups=_not_told_apart(ranks, models, critical),
        pairs=pairs,
        without_tie_correction=dict(
            zip(
                ("chi_square", "chi_square_p_value", "f_statistic", "f_p_value"),
                _friedman_f(plain, n, k),
                strict=True,
            )
        ),
        level=level,
        method="exact distribution of the ranks, every order of the models equally likely"
        if exact is not None
        else f"F with {k - 1} and {(k - 1) * (n - 1)} degrees of freedom (Iman and Davenport)",
        reason=_undefined(varying, f_value, n),
    )


def _checked_table(values: ArrayLike, names: Sequence[str]) -> tuple[Floats, tuple[str, ...]]:
    """Return values as float64 and the names, or say what is wrong with them."""
    table, models = np.asarray(values, dtype=np.float64), tuple(names)
    if table.ndim != 2 or min(table.shape) < 2:
        raise InputError(
            "`values` must have one row per data set and one column per model, at least two of "
            f"each, got shape {table.shape}",
            code="wrong-shape",
        )
    if len(models) != table.shape[1] or len(set(models)) < len(models):
        raise ParameterError(
            argument="names",
            rule=f"{table.shape[1]} different names, one per column",
            arrived=shown(models),
            code="named-twice",
        )
    wrong = np.argwhere(np.isnan(table))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"model {shorten(models[column])}is NaN in data set {row}, so it has no rank there "
            f"({counted(len(wrong), 'value')} in all): leave one of them out",
            code="value-missing",
        )
    return table, models


def _friedman_f(chi_square: float, n: int, k: int) -> tuple[float, float, float, float]:
    """Return chi-square, its p-value, Iman and Davenport's F, and its p-value."""
    from scipy.special import chdtrc, fdtrc

    left = n * (k - 1) - chi_square
    value = (n - 1) * chi_square / left if left > TIE * n * k else inf
    f_p = float(fdtrc(k - 1, (k - 1) * (n - 1), value)) if value < inf else nan
    return chi_square, float(chdtrc(k - 1, chi_square)), value, f_p


def _undefined(varying: float, f_value: float, n: int) -> str | None:
    if not varying:
        return f"all models are equal in each of {counted(n, 'data set')}"
    if f_value == inf:
        return f"the models' order is the same in each of {counted(n, 'data set')}: F is infinite"
    return None


def _nemenyi(
    ranks: Floats, models: tuple[str, ...], n: int, *, level: float
) -> tuple[float, tuple[Mapping[str, Any], ...]]:
    """Return the critical difference, and difference of ranks and p-value of every pair."""
    from scipy.stats import studentized_range

    k = len(models)
    unit = sqrt(k * (k + 1) / (12 * n))
    first, second = np.triu_indices(k, 1)
    apart = ranks[first] - ranks[second]
    p_values = np.clip(studentized_range.sf(np.abs(apart) / unit, k, inf), 0.0, 1.0)
    rows = zip(combinations(models, 2), apart.tolist(), p_values.tolist(), strict=True)
    pairs = tuple({"models": two, "rank_difference": by, "p_value": p} for two, by, p in rows)
    return unit * float(studentized_range.ppf(level, k, inf)), pairs


def _not_told_apart(
    ranks: Floats, models: tuple[str, ...], critical: float
) -> tuple[tuple[str, ...], ...]:
    """Return the longest runs of models whose best and worst are not told apart."""
    order = np.argsort(ranks, kind="stable")
    placed = ranks[order]
    ends = np.searchsorted(placed, placed + critical, side="left")
    result, reached = [], 0
    for start, end in enumerate(ends.tolist()):
        if end > max(reached, start + 1):
            result.append(tuple(models[place] for place in order[start:end]))
            reached = end
    return tuple(result)


MOST_CASES = 500_000  # about a tenth of a second


def twice_ranks(values: Floats) -> Ints:
    """Return twice the rank of every value, (n,), 1 for the least; equal values share the mean.

    Values that differ by rounding are equal: as floats, 0.3 - 0.2 is not quite 0.1.

    >>> twice_ranks(np.array([0.3, 0.1 + 0.2, 0.1, np.inf]))
    array([5, 5, 2, 8])
    """
    order = np.argsort(values, kind="stable")
    placed = values[order]
    finite = np.abs(placed[np.isfinite(placed)])
    room = TIE * (1 + finite.max(initial=0.0))
    with np.errstate(invalid="ignore"):  # two infinities are equal: their difference is NaN
        new = np.diff(placed) > room
    run = np.r_[0, np.cumsum(new)]
    length = np.bincount(run)
    end = np.cumsum(length)
    result = np.empty(values.size, dtype=np.int64)
    result[order] = (2 * end - length + 1)[run]
    return result


def signed_rank_null(twice: Ints) -> Floats:
    """Return P(sum of the positive = s), s = 0 .. sum, if every sign is a fair coin.

    `twice` holds twice the ranks of the differences that are not zero, so s counts halves.

    >>> signed_rank_null(np.array([2, 4]))
    array([0.25, 0.  , 0.25, 0.  , 0.25, 0.  , 0.25])
    """
    null = np.zeros(int(twice.sum()) + 1)
    null[0] = 1.0
    reached = 0
    for rank in twice.tolist():
        null[: reached + 1] /= 2
        null[rank : reached + rank + 1] += null[: reached + 1].copy()
        reached += rank
    return null


def friedman_p_value(twice: Ints) -> float | None:
    """Return the exact p-value of Friedman's test, None where there are too many cases.

    `twice` has twice the ranks, (N, K). Under the null every row is in any order alike, so the sums
    of ranks are added up row by row; their order does not matter, which keeps the cases few. Rows
    all in one order are the most extreme case, whose probability needs no adding up.

    >>> friedman_p_value(np.array([[2, 4, 6]] * 3))
    0.027777777777777776
    """
    if (twice == twice[0]).all():
        ties = np.unique(twice[0], return_counts=True)[1].tolist()
        orders_of_one = factorial(twice.shape[1]) // prod(map(factorial, ties))
        return float(orders_of_one) ** (1 - len(twice))
    base = int(twice.sum()) + 1
    if twice.shape[1] > 8 or base ** twice.shape[1] >= 2**62:
        return None
    sums, weight = np.sort(twice[:1], axis=1), np.ones(1, dtype=np.float64)
    cases = 0
    power = base ** np.arange(twice.shape[1])
    for row in twice[1:]:
        orders = np.unique(np.array(list(permutations(row.tolist()))), axis=0)
        cases += len(sums) * len(orders)
        if cases > MOST_CASES:
            return None
        every = np.sort((sums[:, None] + orders).reshape(-1, row.size), axis=1)
        _, first, which = np.unique(every @ power, return_index=True, return_inverse=True)
        share = np.repeat(weight / len(orders), len(orders))
        sums = every[first]
        weight = np.bincount(which.ravel(), share).astype(np.float64)
    observed = (twice.sum(axis=0) ** 2).sum()
    return float(min(1.0, weight[(sums**2).sum(axis=1) >= observed].sum()))
