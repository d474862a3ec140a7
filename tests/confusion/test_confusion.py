"""Counts at thresholds, orders and the table of rates: literal twins and scikit-learn."""

import keyword
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from laws import examples, law
from plumbline.confusion import (
    COUNTS,
    RATES,
    ascending_order,
    concordance,
    counts,
    descending_order,
    sorting,
    threshold_counts,
    variables,
)
from plumbline.formula import read_formula

TINY = np.finfo(np.float64).tiny
HARD = [0.0, -0.0, 5e-324, -5e-324, TINY, 0.5, np.nextafter(0.5, 1), 1.0, -3.5, 1e300, -1e300]
HARD += [np.inf, -np.inf]


@contextmanager
def kernels_for_few(rows_per_bucket: int = 4) -> Iterator[None]:
    """Sort any number of rows as if they were many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "MANY", 1)
        patch.setattr(sorting, "ROWS_PER_BUCKET", rows_per_bucket)
        yield


@st.composite
def ranked_rows(draw: st.DrawFn, least: int = 1, most: int = 60) -> tuple[Any, Any, Any]:
    """Draw who is positive, ratings with ties and extremes, and whole weights."""
    n = draw(st.integers(least, most))
    ratings = st.one_of(
        st.sampled_from(HARD), st.integers(-4, 4).map(float), st.floats(allow_nan=False)
    )
    rating = np.array(draw(st.lists(ratings, min_size=n, max_size=n)))
    event = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    weight = np.array(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), float)
    return event, rating, weight


def literal_counts(event: Any, rating: Any, weight: Any) -> tuple[list[float], ...]:
    """Return thresholds, true and false positives, counted row by row at every threshold."""
    thresholds = sorted({float(r) + 0.0 for r in rating}, reverse=True)
    rows = list(zip(event, rating, weight, strict=True))
    tp = [float(sum(w for e, r, w in rows if r >= t and e)) for t in thresholds]
    fp = [float(sum(w for e, r, w in rows if r >= t and not e)) for t in thresholds]
    return thresholds, tp, fp


def assert_equal_counts(found: Any, expected: tuple[Any, ...]) -> None:
    """Check thresholds and counts to the last bit; a threshold 0 is not -0."""
    for own, other in zip((found.threshold, found.tp, found.fp), expected, strict=True):
        np.testing.assert_array_equal(own, other)
    assert not np.signbit(found.threshold[found.threshold == 0]).any()
    last = [float(column[-1]) if len(column) else 0.0 for column in expected[1:]]
    assert [found.positives, found.negatives] == last


# ------------------------------------------------------------------ counts


@law("falls", [False, True], number=4)
@pytest.mark.parametrize("last", [[], [math.nan]])
@pytest.mark.parametrize("ties", [False, True])
def test_ratings_in_order_keep_the_rows_of_ties(falls, last, ties, rng):
    """Ratings that rise or fall all the way take a short cut; ties and NaN are as elsewhere."""
    rating = np.concatenate([HARD, rng.choice(HARD, 40)]) if ties else rng.random(80)
    rating = np.append(np.sort(rating)[:: -1 if falls else 1], last)
    with kernels_for_few():
        order = np.argsort(-rating, kind="stable")
        np.testing.assert_array_equal(descending_order(rating), order)
        np.testing.assert_array_equal(ascending_order(rating), np.argsort(rating, kind="stable"))


@settings(max_examples=examples(30))
@given(ranked_rows(), st.integers(1, 3))
def test_counts_equal_the_literal_count_by_either_way(rows, workers):
    """With numpy, by kernels in any number of threads, and with weights: what counting gives."""
    event, rating, weight = rows
    plain = literal_counts(event, rating, np.ones(len(rating)))
    assert_equal_counts(threshold_counts(event, rating), plain)
    weighted = literal_counts(event, rating, weight)
    assert_equal_counts(threshold_counts(event, rating, weight=weight), weighted)
    with kernels_for_few():
        assert_equal_counts(threshold_counts(event, rating, workers=workers), plain)
        assert_equal_counts(
            threshold_counts(event, rating, weight=weight, workers=workers), weighted
        )


def test_counts_equal_the_literal_count_on_thousands_of_tables(rng):
    """As above, on more tables than hypothesis could draw."""
    for case in range(2000):
        n = int(rng.integers(1, 40))
        rating = rng.choice(HARD, n) if case % 3 else rng.integers(-5, 5, n) / 4
        event = rng.random(n) < rng.random()
        weight = rng.integers(0, 4, n).astype(float)
        at_least = rating >= np.unique(rating + 0.0)[::-1, None]
        expected = (
            np.unique(rating + 0.0)[::-1],
            at_least @ (event * 1.0),
            at_least @ (~event * 1.0),
        )
        assert_equal_counts(threshold_counts(event, rating), expected)
        expected = expected[0], at_least @ (event * weight), at_least @ (~event * weight)
        assert_equal_counts(threshold_counts(event, rating, weight=weight), expected)


@settings(max_examples=examples(30))
@given(ranked_rows())
def test_a_weight_is_a_repetition(rows):
    """Rows with whole weights count as the table in which every row stands so often."""
    event, rating, weight = rows
    weight = weight + 1
    again = np.repeat(np.arange(len(rating)), weight.astype(int))
    other = threshold_counts(event[again], rating[again])
    expected = (other.threshold, other.tp, other.fp)
    assert_equal_counts(threshold_counts(event, rating, weight=weight), expected)


@settings(max_examples=examples(30))
@given(ranked_rows(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, random):
    """Shuffled rows give the same counts."""
    event, rating, weight = rows
    mixed = random.sample(range(len(rating)), len(rating))
    other = threshold_counts(event[mixed], rating[mixed], weight=weight[mixed])
    expected = (other.threshold, other.tp, other.fp)
    assert_equal_counts(threshold_counts(event, rating, weight=weight), expected)


def test_counts_equal_scikit_learns_curves(rng):
    """On random data with ties and weights ROC, precision-recall and DET curves are the same."""
    for case in range(200):
        n = int(rng.integers(2, 80))
        event = rng.random(n) < 0.4
        event[:2] = True, False
        rating = rng.integers(0, 1 + int(rng.integers(1, 60)), n) / 7
        weight = rng.integers(1, 5, n).astype(float) if case % 2 else None
        result = threshold_counts(event, rating, weight=weight)
        fpr, tpr, at = metrics.roc_curve(
            event, rating, sample_weight=weight, drop_intermediate=False
        )
        np.testing.assert_array_equal(result.fp / result.negatives, fpr[1:])
        np.testing.assert_array_equal(result.tp / result.positives, tpr[1:])
        np.testing.assert_array_equal(result.threshold, at[1:])
        precision, recall, at = metrics.precision_recall_curve(event, rating, sample_weight=weight)
        np.testing.assert_array_equal(result.tp / (result.tp + result.fp), precision[-2::-1])
        np.testing.assert_array_equal(result.tp / result.positives, recall[-2::-1])
        np.testing.assert_array_equal(result.threshold, at[::-1])
        check_det_curve(
            result, metrics.det_curve(event, rating, sample_weight=weight, drop_intermediate=False)
        )


def check_det_curve(found: Any, expected: tuple[Any, Any, Any]) -> None:
    """Compare with a DET curve, which starts and ends where an error is 0 (never above inf)."""
    tp, fp = np.append(0.0, found.tp), np.append(0.0, found.fp)
    at = np.append(np.inf, found.threshold)
    kept = slice(np.flatnonzero(fp == 0)[-1], np.flatnonzero(tp == found.positives)[0] + 1)
    fpr, fnr, thresholds = expected
    np.testing.assert_array_equal((fp / found.negatives)[kept], fpr[::-1])
    np.testing.assert_array_equal(((found.positives - tp) / found.positives)[kept], fnr[::-1])
    np.testing.assert_array_equal(at[kept], thresholds[::-1])


MANY_ROWS = {
    "uniform": lambda rng, n: rng.random(n),
    "few values": lambda rng, n: rng.integers(0, 3, n) / 2,
    "hundred values": lambda rng, n: rng.integers(0, 100, n) / 100,
    "all equal": lambda rng, n: np.full(n, 0.25),
    "rising": lambda rng, n: np.arange(n) / n,
    "falling": lambda rng, n: -np.arange(n) / n,
    "normal": lambda rng, n: rng.normal(size=n) * 3,
    "over all magnitudes": lambda rng, n: (
        np.exp(rng.uniform(-700, 700, n)) * rng.choice([-1, 1], n)
    ),
    "piled up at both ends": lambda rng, n: rng.beta(0.05, 0.05, n),
    "denormal": lambda rng, n: rng.integers(-9, 9, n) * 5e-324,
    "two lone giants": lambda rng, n: np.where(np.arange(n) < 2, 1e308, rng.random(n) * 1e-300),
    "one crowded cell": lambda rng, n: (
        np.where(rng.random(n) < 0.01, rng.random(n), 0.5) + rng.integers(0, 2**20, n) * 2.0**-53
    ),
    "period of the sample": lambda rng, n: np.where(np.arange(n) % 2, 0.5, rng.random(n)),
    "with infinities": lambda rng, n: rng.choice([-np.inf, np.inf, 0.0, -0.0, 1.0], n),
    "float32": lambda rng, n: rng.random(n).astype(np.float32),
}


@pytest.mark.parametrize("name", MANY_ROWS)
def test_many_rows_of_any_shape_are_counted_as_numpy_would(rng, name):
    """Kernels and numpy agree on what is hard to sort, in one thread, two and three."""
    n = counts.MANY + 12_345
    rating = MANY_ROWS[name](rng, n)
    event = rng.random(n) < 0.3
    ones = threshold_counts(event, rating, weight=np.ones(n))  # never by the kernels of counts
    ranked = np.sort(rating.astype(np.float64))[::-1] + 0.0
    np.testing.assert_array_equal(ones.threshold, np.unique(ranked)[::-1])
    own = np.sort(rating[event].astype(np.float64))
    np.testing.assert_array_equal(ones.tp, len(own) - np.searchsorted(own, ones.threshold))
    for workers in (1, 2, 3):
        result = threshold_counts(event, rating, workers=workers)
        assert_equal_counts(result, (ones.threshold, ones.tp, ones.fp))


def test_read_only_and_strided_arrays_are_taken(rng):
    """A frozen column of a table of several classes is counted like any other array."""
    n = counts.MANY
    prob = rng.dirichlet(np.ones(3), n)
    event = rng.random((n, 2)) < 0.5
    prob.flags.writeable = event.flags.writeable = False
    expected = threshold_counts(event[:, 0].copy(), prob[:, 1].copy())
    result = threshold_counts(event[:, 0], prob[:, 1])
    assert_equal_counts(result, (expected.threshold, expected.tp, expected.fp))


def test_neighbouring_float32_ratings_stay_apart():
    """Two float32 ratings that differ in the last bit are two thresholds."""
    rating = np.array([0.1, np.nextafter(np.float32(0.1), np.float32(1))], np.float32)
    result = threshold_counts(np.array([True, False]), rating)
    assert result.threshold.astype(np.float32).tolist() == rating[::-1].tolist()


def test_one_class_and_no_row_have_counts_too():
    """Counts need neither class nor any row."""
    result = threshold_counts(np.array([True, True]), np.array([0.5, 0.2]))
    assert_equal_counts(result, ([0.5, 0.2], [1.0, 2.0], [0.0, 0.0]))
    assert_equal_counts(threshold_counts(np.array([], bool), np.array([])), ([], [], []))


def test_a_constant_classifier_is_right_in_half_of_balanced_rows_in_any_order():
    """Of 3 + 3 rows rated alike one threshold accepts all, so accuracy is .5 and no order helps."""
    for event in ([1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 0]):
        result = threshold_counts(np.array(event, bool), np.full(6, 0.7))
        assert result.threshold.tolist() == [0.7]
        assert rate("CA", result.tp[0], result.fp[0], 3 - result.fp[0], 3 - result.tp[0]) == 0.5


def test_the_gains_of_a_perfect_ranking_start_at_the_origin():
    """With half of the rows positive the area of recall over the share accepted is .75."""
    result = threshold_counts(np.arange(40) < 20, -np.arange(40.0))
    share = np.append(0, result.tp + result.fp) / 40
    assert np.trapezoid(np.append(0, result.tp) / 20, share) == 0.75


# ------------------------------------------------------------------ orders and pairs


@settings(max_examples=examples(50))
@given(
    st.lists(st.one_of(st.sampled_from([*HARD, np.nan]), st.floats()), max_size=60),
    st.integers(1, 3),
)
def test_orders_are_stable_and_put_missing_values_last(ratings, workers):
    """Both orders equal Python's own stable sort, NaN last in row order."""
    rating = np.array(ratings, float)
    down = sorted(range(len(rating)), key=lambda i: (np.isnan(rating[i]), -rating[i]))
    up = sorted(range(len(rating)), key=lambda i: (np.isnan(rating[i]), rating[i]))
    missing = [i for i in range(len(rating)) if np.isnan(rating[i])]
    there = len(rating) - len(missing)
    down = sorted(down[:there], key=lambda i: -rating[i]) + missing
    up = sorted(up[:there], key=lambda i: rating[i]) + missing
    assert descending_order(rating).tolist() == down
    assert ascending_order(rating).tolist() == up
    with kernels_for_few():
        assert descending_order(rating, workers=workers).tolist() == down
        assert ascending_order(rating, workers=workers).tolist() == up


@pytest.mark.parametrize("name", MANY_ROWS)
def test_orders_of_many_rows_equal_numpys(rng, name):
    """Kernels order many rows as numpy's stable sort does."""
    rating = MANY_ROWS[name](rng, counts.MANY + 777)
    rating[5::1000] = np.nan
    for workers in (1, 3):
        down, up = (f(rating, workers=workers) for f in (descending_order, ascending_order))
        np.testing.assert_array_equal(down, np.argsort(-rating, kind="stable"))
        np.testing.assert_array_equal(up, np.argsort(rating, kind="stable"))


@settings(max_examples=examples(30))
@given(ranked_rows(most=30), st.integers(1, 3))
def test_concordance_is_the_share_of_pairs_in_the_right_order(rows, workers):
    """It equals the count over all pairs, by either way, and is NaN where there are none."""
    event, rating, weight = rows
    pairs = (rating[event][:, None] > rating[~event]) + 0.5 * (
        rating[event][:, None] == rating[~event]
    )
    w = weight[event][:, None] * weight[~event]
    plain = pairs.mean() if pairs.size else np.nan
    weighted = (w * pairs).sum() / w.sum() if w.sum() else np.nan
    assert concordance(event, rating) == pytest.approx(plain, rel=1e-14, nan_ok=True)
    result = concordance(event, rating, weight=weight)
    assert result == pytest.approx(weighted, rel=1e-14, nan_ok=True)
    with kernels_for_few():
        result = concordance(event, rating, workers=workers)
    assert result == pytest.approx(plain, rel=1e-14, nan_ok=True)


# ------------------------------------------------------------------ rates


class Counted:
    """The scope of formulas of counts: one state for every number of a count."""

    def __init__(self, tp: Any, fp: Any, tn: Any, fn: Any) -> None:
        tp, fp, tn, fn = (np.asarray(count, float) for count in (tp, fp, tn, fn))
        self.memo: dict[Any, Any] = {}
        self.params: Mapping[str, float] = {}
        self.counts = {"TP": tp, "FP": fp, "TN": tn, "FN": fn, "PP": tp + fp, "NP": tn + fn}
        self.totals = {"P": tp + fn, "N": fp + tn, "NN": tp + fp + tn + fn}
        self.n = 0

    def value(self, name: str) -> Any:
        """Return the counts, and where all states are of one table its totals."""
        return self.counts[name] if name in self.counts else float(self.totals[name][0])


def rate(name: str, tp: float, fp: float, tn: float, fn: float) -> float:
    """Return one rate of one table, by its formula."""
    value = read_formula(name, variables()).compute(Counted([tp], [fp], [tn], [fn]))
    return float(np.ravel(value)[0])


def test_every_name_of_the_contract_is_there():
    """Names that formulas were promised, and what they are short for."""
    known = variables()
    same = [
        ("acc", "CA"),
        ("recall", "sensitivity", "TPR"),
        ("specificity", "TNR"),
        ("precision", "PPV"),
    ]
    for names in same:
        assert len({known[name].formula for name in names}) == 1
    assert {
        "FPR",
        "NPV",
        "FDR",
        "FNR",
        "FOR",
        "F1",
        "MCC",
        "informedness",
        "markedness",
        "balanced_accuracy",
        "prevalence",
        "lift",
        "kappa",
    } <= known.keys()
    assert {"TP", "FP", "TN", "FN", "PP", "NP", "P", "N", "NN"} == COUNTS.keys()


def test_no_name_stands_for_two_things():
    """Counts, rates and aliases are all different, and none is a word of the language."""
    names = [*COUNTS, *RATES, *(alias for row in RATES.values() for alias in row.aliases)]
    assert len(names) == len(set(names)) == len(variables())
    assert all(name.isidentifier() and not keyword.iskeyword(name) for name in names)
    assert all(read_formula(name, variables()).is_name == name for name in names)


def test_only_what_depends_on_the_threshold_says_so():
    """A rate's level is that of its formula."""
    for name, variable in variables().items():
        if variable.formula:
            plain = {known: v for known, v in variables().items() if known != name}
            read = read_formula(variable.formula, plain)
            assert (read.level, bool(read.threshold_names)) == (variable.level, variable.threshold)


SCIKIT_LEARNS = {
    "CA": metrics.accuracy_score,
    "recall": metrics.recall_score,
    "precision": metrics.precision_score,
    "F1": metrics.f1_score,
    "F2": lambda y, z: metrics.fbeta_score(y, z, beta=2),
    "F05": lambda y, z: metrics.fbeta_score(y, z, beta=0.5),
    "jaccard": metrics.jaccard_score,
    "MCC": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "informedness": lambda y, z: metrics.balanced_accuracy_score(y, z, adjusted=True),
    "PLR": lambda y, z: metrics.class_likelihood_ratios(y, z)[0],
    "NLR": lambda y, z: metrics.class_likelihood_ratios(y, z)[1],
    "specificity": lambda y, z: metrics.recall_score(y, z, pos_label=0),
    "NPV": lambda y, z: metrics.precision_score(y, z, pos_label=0),
    "error_rate": metrics.zero_one_loss,
    "WRAcc": lambda y, z: np.cov(y, z, bias=True)[0, 1],
    "lift": lambda y, z: metrics.precision_score(y, z) / np.mean(y),
    "fowlkes_mallows": lambda y, z: np.sqrt(
        metrics.precision_score(y, z) * metrics.recall_score(y, z)
    ),
    "markedness": lambda y, z: metrics.balanced_accuracy_score(z, y, adjusted=True),
    "DOR": lambda y, z: np.divide(*metrics.class_likelihood_ratios(y, z)),
}


@pytest.mark.parametrize("name", SCIKIT_LEARNS)
def test_rates_equal_scikit_learns(rng, name):
    """A rate agrees with scikit-learn's function of labels, or with what defines it."""
    for _ in range(5):
        tp, fp, tn, fn = (int(c) for c in rng.integers(1, 30, 4))
        y = np.repeat([1, 0, 0, 1], [tp, fp, tn, fn])
        z = np.repeat([1, 1, 0, 0], [tp, fp, tn, fn])
        expected = SCIKIT_LEARNS[name](y, z)
        assert rate(name, tp, fp, tn, fn) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_a_published_table_has_its_published_rates():
    """Of 150 rows TP 6, FP 12, FN 2, TN 130: the shares a textbook slide computes from them."""
    expected = {"CA": 0.907, "precision": 0.333, "recall": 0.75, "specificity": 0.915, "F1": 0.462}
    assert {name: round(rate(name, 6, 12, 130, 2), 3) for name in expected} == expected


def test_rates_of_a_table_computed_by_hand():
    """TP 4, FP 1, TN 3, FN 2: what is left of the table, with fractions worked out by hand."""
    by_hand = {
        "FNR": 1 / 3,
        "FPR": 1 / 4,
        "FDR": 1 / 5,
        "FOR": 2 / 5,
        "queue_rate": 1 / 2,
        "prevalence": 3 / 5,
        "G_mean": np.sqrt(1 / 2),
        "equitable_threat_score": (4 - 3) / (7 - 3),
        "frequency_bias": 5 / 6,
        "prevalence_threshold": np.sqrt(1 / 4) / (np.sqrt(2 / 3) + np.sqrt(1 / 4)),
    }
    result = {name: rate(name, 4, 1, 3, 2) for name in by_hand}
    assert result == pytest.approx(by_hand, rel=1e-12)
    assert by_hand.keys() | SCIKIT_LEARNS.keys() >= {
        *(set(RATES) - {"CA", "TPR", "TNR", "PPV"}),
        "recall",
    }


def test_nothing_divided_by_nothing_is_undefined():
    """990 of 1,000 negatives, all predicted negative: the precision is not 0 but undefined."""
    undefined = {name for name in RATES if np.isnan(rate(name, 0, 0, 990, 10))}
    assert undefined == {
        "PPV",
        "FDR",
        "fowlkes_mallows",
        "markedness",
        "MCC",
        "lift",
        "PLR",
        "DOR",
        "prevalence_threshold",
    }
    assert rate("CA", 0, 0, 990, 10) == 0.99
    assert rate("F1", 0, 0, 990, 10) == 0


def test_large_counts_do_not_overflow():
    """The correlation of 1e110 rows of each kind is that of one row of each kind."""
    assert rate("MCC", 3e110, 1e110, 3e110, 1e110) == pytest.approx(0.5, rel=1e-12)


def test_every_rate_says_what_it_is():
    """Titles and meanings are there, and short enough for a line."""
    for row in (*COUNTS.values(), *RATES.values()):
        assert row.title
        assert 10 < len(row.meaning) <= 90
        assert not row.meaning.endswith(".")
