"""The law of `tests/duality.py` for every metric and test of `compare`."""

import warnings

import numpy as np
import pytest
from comparison_rows import stretched_pair

import plumbline as pb
from duality import dual
from laws import law, some
from plumbline.comparison import (
    Design,
    accuracy_ends,
    advice_on,
    comparable_metrics,
    five_by_two_f,
    five_by_two_t,
    inverted_shift,
    mcnemar,
    paired_permutation,
    paired_t,
    quantity_of,
    wilcoxon,
)
from plumbline.comparison.advice import ON_FOLDS, ROWS
from plumbline.comparison.inversion import inverted_distance
from plumbline.comparison.run_test import check_fit
from plumbline.errors import ParameterError

LEVELS = (0.8, 0.95, 0.99)


def hard_tables(seed, *, n=None, weighted=False, folds=None):
    """Return two models of few positives, with ties and saturated scores, and group names."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(40, 160))
    positives = int(rng.integers(5, min(21, n // 2)))
    y = np.zeros(n, int)
    y[rng.permutation(n)[:positives]] = 1
    gap = rng.choice([0.0, 0.6, 1.5])
    tables = []
    for quality in (1.0 + gap, 1.0):
        p = 1 / (1 + np.exp(-(quality * y - 2.0 + rng.normal(size=n))))
        p = np.round(p, int(rng.integers(1, 4)))
        p[rng.random(n) < 0.05] = rng.choice([0.02, 0.5])
        p[y == 0] *= rng.random((y == 0).sum()) > 0.1  # scores of exactly 0
        p[(y == 1) & (p == 0)] = 0.05
        p[(y == 0) & (p == 1)] = 0.95
        tables.append(p)
    weight = rng.integers(0, 4, n).astype(float) if weighted else None
    if weighted:
        weight[y == 1] = 1.0
    group = np.array([f"g{i}" for i in rng.integers(0, max(8, n // 3), n)])
    fold = None if folds is None else np.arange(n) % folds
    return [
        pb.Predictions.from_arrays(
            y, p, classes=[0, 1], weight=weight, fold=fold, attributes={"group": group}
        )
        for p in tables
    ]


def lines(tables, metric, levels, **asked):
    """Yield the comparisons by a metric at these levels."""
    for level in levels:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = pb.compare(*tables, metrics=metric, level=level, workers=1, **asked)
        yield from ((level, one) for one in answer.pairs)


def hold(tables, metric, *, levels=LEVELS, **asked):
    """Assert the law for a metric at these levels; return how many lines showed both."""
    shown = 0
    for level, one in lines(tables, metric, levels, **asked):
        where = (metric, one.test, level, asked)
        dual(*one.interval_range, one.p_value, level=level, reason=one.reason, where=where)
        shown += not np.isnan([*one.interval_range, one.p_value]).any()
    return shown


def takes(test, metric, tables):
    """Tell whether a test of rows compares by a metric."""
    try:
        check_fit(test, quantity_of(metric, tables[0]), Design("holdout", "rows"))
    except ParameterError:
        return False
    return True


METRICS = sorted(comparable_metrics(hard_tables(0)[0]))
SLOW = 50  # rows of metrics that are measured anew in each resample


@law("metric", METRICS, number=10)
def test_interval_and_p_value_of_every_metric_agree(metric):
    """By the usual test: plain rows, weights, groups, each at one of the levels."""
    turn = METRICS.index(metric)
    for seed, (weighted, groups) in enumerate(((False, None), (True, None), (False, "group"))):
        tables = hard_tables(seed, n=SLOW, weighted=weighted)
        level = LEVELS[(seed + turn) % len(LEVELS)]
        hold(tables, metric, levels=[level], resamples=99, groups=groups)


@pytest.mark.parametrize("test", ROWS)
def test_interval_and_p_value_of_every_test_of_rows_agree(test):
    """Of each metric that it takes, on many random tables."""
    assert advice_on(test, "holdout").answer != "refused"
    shown = 0
    for metric in ("accuracy", "error-rate", "brier-score", "log-loss", "roc-auc", "f1", "ece"):
        for seed in range(6):
            tables, level = hard_tables(seed), LEVELS[seed % len(LEVELS)]
            if takes(test, metric, tables):
                shown += hold(tables, metric, levels=[level], test=test, resamples=99)
    assert shown >= 5


@pytest.mark.parametrize("test", [*ON_FOLDS, "wilcoxon"])
def test_interval_and_p_value_of_every_test_of_folds_agree(test):
    """On five folds, where the design allows the test; a posterior has no p-value."""
    if advice_on(test, "cross-validation").answer == "refused":
        for seed in range(200):
            d = np.random.default_rng(seed).normal(0.5, 1, (5, 2))
            for level in LEVELS:
                answer = (five_by_two_t if test == "5x2-t" else five_by_two_f)(d, level=level)
                dual(
                    *answer.interval_range,
                    answer.p_value,
                    level=level,
                    reason=answer.reason,
                    where=(test, seed),
                )
        return
    for metric in ("brier-score", "accuracy", "f1"):
        for seed in range(6):
            hold(hard_tables(seed, folds=5), metric, test=test, rope=0.01)


@pytest.mark.laws
def test_interval_and_p_value_of_data_sets_agree():
    """Signed ranks with ties and zeros, and Student's t, of 2 to 40 data sets."""
    for seed in some(range(300), 100):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 41))
        d = rng.normal(0.4, 1, n)
        if seed % 2:
            d = np.round(d * 4) / 8
        for level in LEVELS:
            for test in (wilcoxon, paired_t):
                answer = test(d, level=level)
                dual(
                    *answer.interval_range,
                    answer.p_value,
                    level=level,
                    reason=answer.reason,
                    where=(test.__name__, seed, d),
                )


def test_mcnemars_interval_is_dual_for_all_small_tables():
    """Every pair of counts of disagreement up to 25, of few rows and of many."""
    from plumbline.comparison import Pair

    for b in range(26):
        for c in range(26):
            n = b + c + 7
            right = np.repeat([[1, 0], [0, 1], [1, 1]], [b, c, 7], 0)
            tables = (
                pb.Predictions.from_arrays(np.arange(n) % 2, predicted=(np.arange(n) + r + 1) % 2)
                for r in right.T
            )
            pair = Pair(*tables, np.arange(n))
            p_value = mcnemar(pair).p_value
            for level in LEVELS:
                for rows in (n, 40 * n):
                    ends = accuracy_ends(b, c, rows, level=level)
                    dual(*ends, p_value, level=level, where=(b, c, rows))
                    assert ends[0] - 1e-12 <= (b - c) / rows <= ends[1] + 1e-12


def test_inverted_flips_are_the_differences_that_the_test_does_not_reject():
    """Against the test itself, done anew on d less theta with all signs there are."""
    signs = np.array(np.meshgrid(*[[1, -1]] * 9)).reshape(9, -1)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        d, mass = np.round(rng.normal(0.5, 1, 9), 1), rng.integers(1, 4, 9) / 18
        mass /= mass.sum()
        for level in LEVELS:
            result = inverted_shift(float(mass @ d), (mass * d) @ signs, mass @ signs, level=level)
            for theta in np.linspace(-2, 3, 41) + 0.00317:
                moved = mass * (d - theta)
                p_value = (np.abs(moved @ signs) >= abs(moved.sum()) - 1e-12).mean()
                assert (result.low <= theta <= result.high) == (p_value > 1 - level + 1e-12)


def test_distances_of_exchanges_give_a_dual_interval():
    """With ties at the difference itself, and a share of draws at any level."""
    for seed in range(300):
        rng = np.random.default_rng(seed)
        others = rng.integers(-6, 7, int(rng.integers(4, 200))) / 10
        value = float(rng.choice([0.0, 0.1, -0.3, 0.5, 0.6]))
        for level in LEVELS:
            result = inverted_distance(value, others, level=level)
            dual(result.low, result.high, result.p_value, level=level, reason=result.reason)
            below, above = rng.choice([0.0, 0.01, 0.2, 0.7, 2.0], 2)
            wide = inverted_distance(value, others, level=level, below=below, above=above)
            dual(wide.low, wide.high, wide.p_value, level=level, reason=wide.reason)
            assert wide.p_value == result.p_value
            assert wide.reason or wide.low <= value <= wide.high


def test_the_interval_of_errors_holds_the_difference_of_unequal_models():
    """Of 16 pairs of a calibrated and an overconfident model at least 13; all but one in 50 do."""
    truth = -0.082  # python studies/comparison_rows.py errors
    held = 0
    for seed in range(16):
        pair = stretched_pair(300, 1.8, 2, seed)
        error = quantity_of("ece", pair.first)
        low, high = paired_permutation(pair, error, resamples=99, rng=seed).interval_range
        held += low <= truth <= high
    assert held >= 13
