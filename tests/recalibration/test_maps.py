"""Maps: laws that every method keeps, the arithmetic of the forms, and rows known again."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline as pb
from laws import examples
from plumbline.comparison import compare
from plumbline.formatting import FITTED_ON_THESE
from plumbline.recalibration import (
    METHODS,
    PROBABILITY,
    SCORE,
    OneVsRest,
    PiecewiseLinear,
    Remembered,
    Spline,
    Steps,
    cross_fitted,
    dealt_parts,
    fit_map,
    knots,
    remembered,
)
from plumbline.recalibration.inputs import Event, Reading
from plumbline.recalibration.remembered import meetings_probability
from refusals import refused, warned

ALL = sorted(METHODS)
ON_RATINGS = [name for name in ALL if SCORE in METHODS[name].on]
ONE_BY_ONE = [name for name in ALL if METHODS[name].several != "native"]
SYMMETRIC = [
    "platt",
    "platt-on-probability",
    "beta",
    "isotonic",
    "temperature",
    "vector",
    "matrix",
    "dirichlet",
    "dirichlet-odir",
    "prior-shift",
]
GRID = np.linspace(0, 1, 65)
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=examples(3), deadline=None)


def fixed(name):
    """Return options that leave no choice to held-out rows, which other rows would make anew."""
    return {"regularisation": 0.1} if "regularisation" in METHODS[name].options else {}


def columns(seed, k=2, n=50):
    """Return (labels, probabilities in whole shares of 64), bolder than true, with 0, 1 and ties.

    Every class has two rows at least.
    """
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.full(k, 0.6), n)
    cuts = np.rint(np.cumsum(share, axis=1)[:, :-1] * 64)
    prob = np.diff(np.column_stack([np.zeros(n), cuts, np.full(n, 64.0)]), axis=1) / 64
    true = 0.5 * prob + 0.5 / k
    actual = (rng.random(n)[:, None] > true.cumsum(axis=1)[:, :-1]).sum(axis=1)
    actual[: 2 * k] = np.tile(np.arange(k), 2)
    return actual, prob


def table(seed, k=2, n=50, **others):
    """Return the checked table of `columns`."""
    actual, prob = columns(seed, k, n)
    return pb.Predictions.from_arrays(actual, prob, classes=list(range(k)), **others)


def ratings(seed, k=2, n=50, scale=1.0):
    """Return a table of ratings; of two classes (n,) of the positive one."""
    rng = np.random.default_rng(seed)
    actual = np.concatenate([np.tile(np.arange(k), 2), rng.integers(0, k, n - 2 * k)])
    score = rng.normal(size=(n, k)).round(1) + 1.5 * np.eye(k)[actual]
    score = score[:, 1] - score[:, 0] if k == 2 else score
    return pb.Predictions.from_arrays(actual, score=scale * score, classes=list(range(k)))


def assert_sound(prob, rows, k):
    """Assert that these are finite probabilities whose rows sum to 1."""
    assert prob.shape == (rows, k)
    assert prob.dtype == np.float64
    assert np.all((prob >= 0) & (prob <= 1))
    np.testing.assert_allclose(prob.sum(axis=1), 1.0, atol=1e-12)


class TestLaws:
    """What every method promises, whatever the rows."""

    @pytest.mark.parametrize("name", ALL)
    @FEW
    @given(seed=SEEDS, k=st.integers(2, 4))
    def test_rows_are_probabilities_and_the_order_of_rows_is_nothing(self, name, seed, k):
        """The answer is finite and sums to 1; shuffled rows give the same map."""
        data = table(seed, k)
        fitted = fit_map(data, name, options=fixed(name))
        new = table(seed + 1, k, 30)
        found = fitted.applied(new)
        assert_sound(found.prob, 30, k)
        assert fitted.parameters >= 0
        assert np.isfinite(pb.log_loss(fitted.applied(data)))
        order = np.random.default_rng(seed).permutation(data.n)
        again = fit_map(data.select(where=order), name, options=fixed(name)).applied(new)
        np.testing.assert_allclose(again.prob, found.prob, atol=2e-6)

    @pytest.mark.parametrize("name", ALL)
    @FEW
    @given(seed=SEEDS)
    def test_the_order_of_scores_stays_as_promised(self, name, seed):
        """Kept: scores that differ still do, in order; ties: none fall; free: nothing promised."""
        promised = METHODS[name].order
        fitted = fit_map(table(seed, n=80), name, options=fixed(name))
        got = fitted.transform(GRID)[:, 1]
        step = np.diff(got)
        step = -step if got[-1] < got[0] and promised == "kept" else step
        if promised == "ties":
            assert np.all(step >= 0)
        if promised == "kept":
            inner = step[1:-1]  # the ends may round to 0 and 1
            assert np.all(step >= 0)
            assert np.all(inner > 0) or np.ptp(got) < 1e-9
        assert promised in ("kept", "ties", "free")

    @pytest.mark.parametrize("name", ALL)
    @FEW
    @given(seed=SEEDS, k=st.integers(2, 3))
    def test_a_weight_is_a_repetition(self, name, seed, k):
        """A row of weight 3 counts as three rows, one of weight 0 as none."""
        rng = np.random.default_rng(seed)
        weight = rng.integers(1, 4, 50)
        weight[-5:] = 0
        actual, prob = columns(seed, k)
        classes = list(range(k))
        weighted = pb.Predictions.from_arrays(actual, prob, classes=classes, weight=weight)
        rows = np.repeat(np.arange(50), weight)
        repeated = pb.Predictions.from_arrays(actual[rows], prob[rows], classes=classes)
        new = table(seed + 1, k, 30)
        a, b = (fit_map(d, name, options=fixed(name)) for d in (weighted, repeated))
        np.testing.assert_allclose(a.applied(new).prob, b.applied(new).prob, atol=2e-6)
        assert a.n == 45

    @pytest.mark.parametrize("name", ALL)
    @FEW
    @given(seed=SEEDS, k=st.integers(2, 3))
    def test_single_precision_and_other_orders_of_classes_change_nothing(self, name, seed, k):
        """float32 = float64; a table whose classes stand in another order gets the same answer."""
        data, new = table(seed, k), table(seed + 1, k, 30)
        fitted = fit_map(data, name, options=fixed(name))
        expected = fitted.applied(new).prob
        single = [
            pb.Predictions.from_arrays(d.actual, d.prob.astype(np.float32), classes=d.classes)
            for d in (data, new)
        ]
        narrow = fit_map(single[0], name, options=fixed(name)).applied(single[1]).prob
        np.testing.assert_array_equal(narrow, expected)
        names = [str(c) for c in reversed(range(k))]
        turned = pb.Predictions.from_arrays(
            new.actual, new.prob[:, ::-1], classes=names, positive="1" if k == 2 else None
        )
        np.testing.assert_array_equal(fitted.applied(turned).prob[:, ::-1], expected)

    @pytest.mark.parametrize("name", ALL)
    @FEW
    @given(seed=SEEDS)
    def test_the_positive_class_has_the_column_of_its_name(self, name, seed):
        """Whichever class is called positive, the map mends the same event; many are symmetric."""
        actual, prob = columns(seed)
        new = table(seed + 1, n=30)
        one, other = (
            fit_map(pb.Predictions.from_arrays(actual, prob, positive=c), name, options=fixed(name))
            for c in ("1", "0")
        )
        assert (one.positive, other.positive) == ("1", "0")
        a, b = one.applied(new).prob, other.applied(new).prob
        assert_sound(b, 30, 2)
        assert name not in SYMMETRIC or np.abs(a - b).max() < 1e-5
        np.testing.assert_array_equal(other.transform(new.prob[:, 0]), other.transform(new.prob))

    @pytest.mark.parametrize("name", ON_RATINGS)
    @FEW
    @given(seed=SEEDS, k=st.integers(2, 3))
    def test_ratings_become_probabilities(self, name, seed, k):
        """A decision function becomes probabilities; one column of two classes, or both."""
        data = ratings(seed, k)
        fitted = fit_map(data, name, options=fixed(name))
        found = fitted.applied(data)
        assert fitted.on == SCORE
        assert_sound(found.prob, data.n, k)
        assert pb.log_loss(found) < np.log(k)
        if k == 2:
            both = np.column_stack([-data.score, data.score])
            np.testing.assert_array_equal(fitted.transform(both), found.prob)
        np.testing.assert_array_equal(fitted.transform(data.score), found.prob)

    @pytest.mark.parametrize("name", ALL)
    @pytest.mark.parametrize("k", [2, 3])
    def test_logits_beyond_all_floats_stay_finite(self, name, k):
        """Where probabilities round to 0 and 1 nothing overflows, and no log loss is infinite."""
        rng = np.random.default_rng(k)
        logits = rng.normal(size=(40, k)) * np.where(np.arange(40) % 4, 3.0, 900.0)[:, None]
        actual = np.where(rng.random(40) < 0.7, logits.argmax(axis=1), rng.integers(0, k, 40))
        actual[:k] = range(k)
        data = pb.Predictions.from_logits(actual, logits)
        found = fit_map(data, name, options=fixed(name)).applied(data)
        assert_sound(found.prob, 40, k)
        assert np.isfinite(pb.log_loss(found))
        if found.log_prob is not None:
            assert not np.isnan(found.log_prob).any()

    @pytest.mark.parametrize("name", ALL)
    def test_one_class_is_refused_and_a_missing_one_of_three_stays_possible(self, name):
        """Rows of one class teach nothing; a class without rows keeps a probability."""
        data = table(3, 3)
        with refused(pb.InputError, "one-class-to-fit"):
            fit_map(data.select(where=data.actual == 1), name)
        fitted = fit_map(data.select(where=data.actual != 2), name, options=fixed(name))
        found = fitted.applied(table(4, 3, 30)).prob
        assert_sound(found, 30, 3)
        assert found[:, 2].max() > 0
        if name in ONE_BY_ONE:
            assert any("no row " in note for note in fitted.notes)

    @pytest.mark.parametrize("name", ALL)
    @pytest.mark.parametrize("k", [2, 3])
    def test_a_perfectly_separated_holdout_gives_a_finite_answer(self, name, k):
        """Even where every row is right with certainty, another row's log loss is finite."""
        actual = np.arange(40) % k
        prob = np.full((40, k), 0.1 / (k - 1))
        prob[np.arange(40), actual] = 0.9
        data = pb.Predictions.from_arrays(actual, prob)
        wrong = pb.Predictions.from_arrays((actual + 1) % k, prob, classes=list(range(k)))
        fitted = fit_map(data, name, options=fixed(name))
        assert pb.log_loss(fitted.applied(data)) < 0.7
        assert np.isfinite(pb.log_loss(fitted.applied(wrong)))

    @pytest.mark.parametrize("name", ON_RATINGS)
    def test_a_missing_class_of_ratings_gets_a_small_probability(self, name):
        """A rating is no probability, so a class without rows gets none from it."""
        data = ratings(5, 3)
        fitted = fit_map(data.select(where=data.actual != 2), name, options=fixed(name))
        assert_sound(fitted.applied(data).prob, data.n, 3)


class TestDoor:
    """What is asked of a table, an array, a method's name and its options."""

    def test_tables_that_cannot_be_fitted_or_recalibrated_are_refused(self):
        """Unknown names, other classes, several models, no weight: each says what to do."""
        data = table(0)
        for call, text in (
            (lambda: fit_map(data, "isotonix"), ("unknown-name", "`method`", "'isotonic'")),
            (
                lambda: fit_map(data, "isotonic", options={"bound": True}),
                ("unknown-option", "'bound'", "bounded"),
            ),
            (lambda: fit_map(ratings(0), "beta"), ("method-not-for-ratings", "not ratings")),
            (
                lambda: fit_map(table(0, weight=np.zeros(50)), "platt"),
                ("weights-all-zero", "are 0", "weights are"),
            ),
            (lambda: fit_map(data, "platt", on="score"), ("ratings-missing",)),
            (lambda: fit_map(data, "platt")(table(0, 3)), ("classes-differ", "has 0")),
            (
                lambda: fit_map(data, "platt")(table(1, model=["a", "b"] * 25)),
                ("several-models", "one model"),
            ),
        ):
            with refused((pb.InputError, pb.ParameterError), *text):
                call()

    @pytest.mark.parametrize(
        ("values", "text"),
        [
            ([0.2, np.nan], ("value-missing",)),
            ([0.2, 1.2], ("no-probability", "[0, 1]")),
            ([[0.2, 0.9]], ("not-summing-to-1", "sum to 1")),
            ([[0.2, 0.3, 0.5]], ("wrong-shape", "(n, 2)")),
            (["a"], ("not-numeric", "`values`")),
        ],
    )
    def test_arrays_are_checked_as_tables_are(self, values, text):
        """`transform` refuses what a prediction table would refuse."""
        with refused(pb.InputError, *text):
            fit_map(table(0), "platt").transform(values)

    def test_infinite_ratings_are_refused(self):
        """A rating must be finite."""
        with refused(pb.InputError, "not-finite", "row 1"):
            fit_map(ratings(0), "platt").transform([0.0, np.inf])

    def test_a_map_tells_what_it_is(self):
        """The text of a map names its method, its rows and what it computes."""
        text = repr(fit_map(table(0), "isotonic"))
        assert "isotonic" in text
        assert "straight lines" in text
        whole = repr(fit_map(table(0, 3), "temperature"))
        assert "softmax" in whole
        assert "3 classes" in repr(fit_map(table(0, 3), "platt"))
        factors = repr(fit_map(table(0), "prior-shift"))
        assert re.search(r"factors \(0 [\d.]{4,5}, 1 [\d.]{4,5}\)", factors)
        assert "prior -" not in factors
        chosen = repr(fit_map(table(0), "dirichlet", options={"regularisation": 0.123}))
        assert chosen.count("regularisation 0.123") == 1
        assert "knots automatic" in repr(fit_map(table(0), "spline"))


class TestCrossFitting:
    """Every row mended by a map that has not seen it."""

    def test_every_part_is_recalibrated_by_a_map_of_the_other_parts_of_its_group(self):
        """Two repeats of two parts: four maps, each fitted on the other part of its repeat."""
        data = table(20, n=80)
        group = np.repeat([0, 1], 40)
        part = np.tile([0, 0, 1, 1], 20)
        found = cross_fitted(data, lambda d: fit_map(d, "platt"), parts=part, groups=group)
        assert len(found.maps) == 4
        for g, p in ((0, 0), (0, 1), (1, 0), (1, 1)):
            fitted = fit_map(data.select(where=(group == g) & (part != p)), "platt")
            here = (group == g) & (part == p)
            alone = fitted.applied(data.select(where=here))
            np.testing.assert_array_equal(found.table.prob[here], alone.prob)
            np.testing.assert_array_equal(found.table.log_prob[here], alone.log_prob)

    def test_one_part_has_no_other_rows_to_learn_from(self):
        """A group of a single part is refused."""
        with refused(pb.InputError, "no-other-rows", "50 rows"):
            cross_fitted(table(21), lambda d: fit_map(d, "platt"), parts=np.zeros(50, int))

    def test_examples_of_a_kind_are_dealt_out_evenly(self):
        """No part has more than one example of a kind more than another has."""
        kinds = np.repeat([0, 1, 2], [7, 31, 12])
        dealt = dealt_parts(kinds, 5, np.random.default_rng(0))
        counts = np.array([np.bincount(dealt[kinds == kind], minlength=5) for kind in range(3)])
        assert np.all(np.ptp(counts, axis=1) <= 1)
        assert np.ptp(counts.sum(axis=0)) <= 1


def line_by_numpy(score, at, values):
    """Return the interpolated values, one score at a time."""
    return np.array([np.interp(s, at, values) for s in score])


class TestForms:
    """The arithmetic of steps and lines, slow and fast."""

    @settings(max_examples=examples(20), deadline=None)
    @given(seed=SEEDS, m=st.integers(1, 40), spread=st.sampled_from([1.0, 1e-9, 1e300]))
    def test_many_scores_get_what_few_get(self, seed, m, spread):
        """The kernels give to the last bit what numpy gives, at knots, between and outside."""
        rng = np.random.default_rng(seed)
        at = np.unique(spread * rng.choice([rng.normal(size=m), rng.integers(-9, 9, m)]))
        values = rng.random(len(at) + 1)
        score = np.concatenate(
            [
                at,
                np.nextafter(at, np.inf),
                np.nextafter(at, -np.inf),
                spread * rng.normal(size=300),
                [-1.7e308, 1.7e308],
            ]
        )
        slow = knots.step_values(score, at, values), knots.line_values(score, at, values[1:])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(knots, "MANY", 1)
            fast = knots.step_values(score, at, values), knots.line_values(score, at, values[1:])
        for a, b in zip(slow, fast, strict=True):
            np.testing.assert_array_equal(a, b)
        expected = [values[sum(edge < s for edge in at)] for s in score]
        np.testing.assert_array_equal(slow[0][:, 1], expected)
        if spread == 1.0:
            straight = line_by_numpy(score, at, values[1:])
            np.testing.assert_allclose(slow[1][:, 1], straight, rtol=1e-12, atol=1e-15)

    def test_a_rising_line_never_falls_by_rounding(self):
        """Between neighbouring knots of any distance the line stays between their values."""
        at = np.array([0.0, 5e-324, 1e-310, 0.1, np.nextafter(0.1, 1), 1.0])
        values = np.array([0.0, 0.1, 0.3, 0.3, 0.7, 1.0])
        score = np.sort(np.concatenate([at, [3e-311, 5e-311, 0.05, 0.99999999, 2.0]]))
        found = PiecewiseLinear(at, values)(Event(PROBABILITY, score)).prob[:, 1]
        assert np.all(np.diff(found) >= 0)
        np.testing.assert_array_equal(found[np.isin(score, at)], values)

    def test_an_edge_belongs_to_the_bin_below(self):
        """(lo, hi]: a score at an edge has the value of the lower bin."""
        steps = Steps(np.array([0.25, 0.5]), np.array([0.1, 0.2, 0.3]))
        found = steps(Event(PROBABILITY, np.array([0.0, 0.25, 0.26, 0.5, 0.51]))).prob[:, 1]
        assert found.tolist() == [0.1, 0.1, 0.2, 0.2, 0.3]

    def test_a_spline_is_cubic_inside_and_straight_outside(self):
        """It is 1 + 2 t + 3 t^2 + 4 t^3 on [0, 1], and beyond with the end's value and slope."""
        spline = Spline(np.array([0.0, 1.0]), np.array([[1.0, 2.0, 3.0, 4.0]]))
        found = spline(Event(SCORE, np.array([-2.0, 0.0, 0.5, 1.0, 1.5])))
        z = np.array([1 - 4, 1, 1 + 1 + 0.75 + 0.5, 10, 10 + 0.5 * (2 + 6 + 12)])
        np.testing.assert_allclose(found.log_prob[:, 1], -np.log1p(np.exp(-z)), rtol=1e-12)

    def test_classes_that_all_get_0_become_equal(self):
        """One-vs-rest has nothing to divide by where every class gets 0."""
        never = Steps(np.empty(0), np.zeros(1))
        reading = Reading(PROBABILITY, np.full((2, 3), 1 / 3), None, 2, ("a", "b", "c"))
        assert OneVsRest((never,) * 3)(reading).prob.tolist() == [[1 / 3] * 3] * 2

    def test_the_logarithms_of_the_rest_are_sums(self):
        """Of three classes' logits, ln(rest) is the logarithm of the others' sum, also at -inf."""
        logs = np.log(
            [[0.2, 0.3, 0.5], [0.0, 0.0, 1.0]],
            where=np.array([[True] * 3, [False, False, True]]),
            out=np.full((2, 3), -np.inf),
        )
        reading = Reading(PROBABILITY, np.exp(logs), logs, 2, ("a", "b", "c"))
        found = reading.event(2)
        np.testing.assert_allclose(np.exp(found.logs[:, 0]), [0.5, 0.0])
        np.testing.assert_allclose(found.log_rest(), [np.log(0.5), -52 * np.log(2)])


def reading_of(score):
    """Return what a map reads of a column of probabilities."""
    return Reading(
        PROBABILITY, np.asfortranarray(np.column_stack([1 - score, score])), None, 1, ("0", "1")
    )


DRAWS = {
    "continuous": lambda rng, n: rng.random(n),
    "two decimals": lambda rng, n: rng.random(n).round(2),
    "three decimals": lambda rng, n: rng.random(n).round(3),
    "a tree": lambda rng, n: rng.integers(0, 8, n) / 8,
    "a forest": lambda rng, n: rng.binomial(100, rng.beta(0.3, 2.0, n)) / 100,
    "half saturated": lambda rng, n: np.where(rng.random(n) < 0.5, 1.0, rng.random(n)),
    "heavy tails": lambda rng, n: 1.0 / np.minimum(rng.zipf(1.5, n), 10**9),
    "saturating": lambda rng, n: (1 / (1 + np.exp(-rng.normal(0, 20, n)))).astype(np.float32),
    "constant": lambda rng, n: np.full(n, 0.3),
}


class TestRemembered:
    """Rows that a map was fitted on are refused, new rows are not."""

    @pytest.mark.parametrize("kind", DRAWS)
    def test_new_rows_are_not_refused_however_many_scores_are_equal(self, kind):
        """In 30 pairs of tables no chance comes near 1e-6, below which rows are refused."""
        rng = np.random.default_rng(7)
        for n, m in ((20, 20), (200, 200), (200, 5_000)):
            for _ in range(10):
                old = Remembered.of(reading_of(DRAWS[kind](rng, n)))
                assert old._meetings(reading_of(DRAWS[kind](rng, m)))[2] > 1e-3

    @pytest.mark.parametrize("kind", [kind for kind in DRAWS if kind != "constant"])
    def test_the_fitting_rows_are_refused_in_any_order(self, kind):
        """The same table again is known by its sums, shuffled too, whatever its scores."""
        rng = np.random.default_rng(8)
        score = DRAWS[kind](rng, 400)
        old = Remembered.of(reading_of(score))
        for again in (score, rng.permutation(score)):
            with pytest.raises(pb.InputError, check=lambda e: e.code == "rows-of-the-fit"):
                old.refuse(reading_of(again), "the map")

    @pytest.mark.parametrize("kind", ["continuous", "half saturated"])
    def test_a_part_of_the_fitting_rows_among_new_ones_is_refused(self, kind):
        """A third of the rows given again, in other company, is more than chance explains."""
        rng = np.random.default_rng(9)
        score = DRAWS[kind](rng, 300)
        mixed = np.concatenate([score[:100], DRAWS[kind](rng, 50)])
        with refused(pb.InputError, "rows-of-the-fit", "of 150 rows", argument="resubstitution"):
            Remembered.of(reading_of(score)).refuse(reading_of(mixed), "the map")

    @pytest.mark.parametrize("kind", ["continuous", "half saturated"])
    @pytest.mark.parametrize("again", [1, 2])
    def test_all_fitting_rows_in_a_much_larger_table_are_refused(self, kind, again):
        """Every old single row is met equally often among 100,000 others, which chance is not."""
        rng = np.random.default_rng(9)
        score = rng.random(300)
        large = np.concatenate([np.repeat(score, again), DRAWS[kind](rng, 100_000)])
        with refused(pb.InputError, "rows-of-the-fit", f"{100_000 + 300 * again:,} rows"):
            Remembered.of(reading_of(score)).refuse(reading_of(large), "the map")

    @pytest.mark.parametrize("lattice", [300, 10_000, 10**6])
    def test_new_rows_that_meet_all_old_ones_at_random_are_not_refused(self, lattice):
        """However fine the scores are rounded, and if every new row stands there three times."""
        rng = np.random.default_rng(10)
        for copies, m in ((1, 30_000), (3, 10_000)):
            for _ in range(5):
                old = Remembered.of(reading_of(rng.integers(0, lattice, 300) / lattice))
                new = np.repeat(rng.integers(0, lattice, m) / lattice, copies)
                assert old._meetings(reading_of(new))[2] > 1e-4

    @pytest.mark.parametrize("s", [1, 9, 14])
    def test_the_probability_of_equal_counts_is_a_bound(self, s):
        """No rate makes s of 20 values more often be met exactly twice than is said."""
        rng = np.random.default_rng(11)
        said = remembered.equal_counts_probability(np.r_[np.full(s, 2), np.zeros(20 - s, int)], 100)
        for rate in (0.5, 2.0, 5.0):
            drawn = rng.multinomial(100, [rate / 100] * min(20, int(100 / rate)), 20_000)
            assert np.mean((drawn == 2).sum(axis=1) >= s) <= said

    @pytest.mark.parametrize("copies", [2, 5])
    def test_rows_that_all_stand_equally_often_are_remembered_as_distinct_ones(self, copies):
        """Of a table written twice, one copy, a half or a row more is refused; new rows are not."""
        rng = np.random.default_rng(12)
        score = rng.random(300)
        old = Remembered.of(reading_of(rng.permutation(np.repeat(score, copies))))
        distinct = Remembered.of(reading_of(score))
        assert (old.rows, old.twice, old.n) == (300, 0, 300 * copies)
        np.testing.assert_array_equal(old.hashes, distinct.hashes)
        whole = np.repeat(score, copies)
        for again in (score, score[:150], np.append(score, 0.5), np.append(whole, 0.5), whole[1:]):
            with refused(pb.InputError, "rows-of-the-fit", argument="resubstitution"):
                old.refuse(reading_of(again), "the map")
        assert old._meetings(reading_of(rng.random(600)))[2] == 1.0
        few = Remembered.of(reading_of(np.repeat(np.arange(8) / 8, copies)))
        assert few._meetings(reading_of(rng.integers(0, 8, 5_000) / 8))[2] > 0.01

    def test_a_few_equal_rows_are_remarked_upon(self):
        """Ten of a thousand continuous scores again may be chance; a warning says how many."""
        rng = np.random.default_rng(10)
        score = rng.random(1000)
        new = np.concatenate([score[:10], rng.random(990)])
        with warned("rows-of-the-fit", "10 of 1,000 rows"):
            Remembered.of(reading_of(score)).refuse(reading_of(new), "the map")

    def test_a_sorted_table_of_few_values_is_no_proof(self):
        """Two sorted tables of two scores may agree by chance; unsorted ones cannot."""
        score = np.repeat([0.2, 0.8], 15)
        old = Remembered.of(reading_of(score))
        assert old._meetings(reading_of(score))[2] > 0.1
        mixed = np.random.default_rng(0).permutation(score)
        old = Remembered.of(reading_of(mixed))
        assert old._meetings(reading_of(mixed))[2] < 1e-6

    def test_of_very_many_rows_a_sample_is_remembered(self):
        """The smallest hashes stand for all: a part of the rows is still refused, new ones not."""
        rng = np.random.default_rng(11)
        score = rng.random(60_000)
        old = Remembered.of(reading_of(score))
        assert len(old.hashes) == remembered.MOST
        assert not old.whole
        with refused(pb.InputError, "rows-of-the-fit", argument="resubstitution"):
            old.refuse(reading_of(score[:20_000]), "the map")
        assert old._meetings(reading_of(rng.random(50_000)))[2] > 1e-4

    @settings(max_examples=examples(10), deadline=None)
    @given(seed=SEEDS, k=st.integers(1, 5))
    def test_many_rows_are_hashed_and_met_as_few_are(self, seed, k):
        """The kernels give the hashes and the meetings that numpy gives."""
        rng = np.random.default_rng(seed)
        bits = rng.integers(0, 2**32, (50, k), dtype=np.uint64).astype(np.uint32)
        slow, fast = remembered.hashes_of(bits), np.empty(50, np.uint64)
        remembered.hash_rows(bits, fast)
        np.testing.assert_array_equal(slow, fast)
        values = rng.random(90)
        old = Remembered.of(reading_of(values[:40]))
        few = old._meetings(reading_of(values[20:]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(remembered, "MANY", 1)
            assert old._meetings(reading_of(values[20:])) == few
        assert few[:2] == (20, 70)

    def test_the_probability_of_meetings_is_that_of_a_gamma_mixture(self):
        """P(M >= m), M binomial with a gamma distributed p: as often as drawn, to a thousandth."""
        rng = np.random.default_rng(12)
        twice, thrice, rows, n = 6, 2, 200, 150
        scale = 2 + 3 * thrice / twice
        p = np.minimum(rng.gamma(1 + 2 * twice / scale, scale / rows, 200_000), 1.0)
        drawn = rng.binomial(n, p)
        for m in (1, 8, 16, 24):
            share = np.mean(drawn >= m)
            error = np.sqrt(share * (1 - share) / len(drawn))
            found = meetings_probability(m, n, rows, twice, thrice)
            assert abs(found - share) < 4 * error + 1e-3

    def test_a_map_refuses_its_rows_in_other_orders_dtypes_and_weights(self):
        """The fitting table is known with its classes turned, in float32, and with weights of 0."""
        weight = np.r_[np.ones(45), np.zeros(5)]
        data = table(13, weight=weight)
        fitted = fit_map(data, "platt")
        turned = pb.Predictions.from_arrays(
            data.actual, data.prob[:, ::-1].astype(np.float32), classes=["1", "0"], weight=weight
        )
        for again in (data, turned):
            with refused(pb.InputError, "rows-of-the-fit", "platt", argument="resubstitution"):
                fitted(again)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert fitted(table(14)).n == 50

    def test_resubstitution_marks_the_model_wherever_it_is_shown(self):
        """The name says on which rows the map was fitted, and a comparison is called dishonest."""
        data = table(15, n=60)
        mended = fit_map(data, "platt")(data, resubstitution=True)
        assert mended.models == (f"platt{FITTED_ON_THESE}",)
        named = table(15, n=60, model=["mine"] * 60)
        mended = fit_map(named, "platt")(named, resubstitution=True)
        assert mended.models == (f"mine{FITTED_ON_THESE}",)
        with warned("not-honest"):
            answer = compare({"before": named, "after": mended}, resamples=99)
        pair = answer.pairs[0]
        assert pair.models == ("before", f"after{FITTED_ON_THESE}")
        assert FITTED_ON_THESE in pair.verdict


@pytest.mark.parametrize("method", ALL)
def test_small_weights_are_said_where_they_move_the_map(method):
    """A weight counts as repetitions: those that sum to 1 are as good as no rows."""
    rng = np.random.default_rng(8)
    p = rng.beta(2, 3, 400)
    y, weight = (rng.random(400) < p**1.5).astype(int), rng.uniform(0.5, 1.5, 400)
    weight /= weight.mean()
    ask = pb.Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.3, 0.5, 0.9])
    usual, small = (
        fit_map(pb.Predictions.from_arrays(y, p, weight=weight / by), method) for by in (1, 400)
    )
    moved = np.abs(usual(ask).prob - small(ask).prob).max()
    said = any("repetitions" in note for note in small.notes)
    assert not any("repetitions" in note for note in usual.notes)
    assert said or moved < 1e-5, moved
    assert "repetitions" in " ".join(small.present().notes) or not said


def test_the_rest_of_a_class_is_a_probability():
    """At most 1, also in a row that sums to 1 but for rounding."""
    values = np.array([[0.0, 0.5, 0.5 + 1e-9], [0.2, 0.3, 0.5]])
    rest = Reading("probability", values, None, 0, ("a", "b", "c")).event(0).rest
    assert rest.tolist() == [1.0, pytest.approx(0.8)]
