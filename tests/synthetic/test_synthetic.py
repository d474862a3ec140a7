import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from laws import law
from plumbline import synthetic
from plumbline.synthetic.experiments import draw, push_largest
from refusals import refused


class TestMethods:
    """The two synthetic classifiers do what the thesis says."""

    @pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 9])
    def test_every_synthetic_experiment_gives_probabilities_and_labels(self, number):
        """Rows sum to 1, labels are classes, shapes are (sets, points, k)."""
        k = synthetic.EXPERIMENTS[number].k
        prob, labels = synthetic.data_sets(number, points=30, datasets=4, rng=1)
        assert prob.shape == (4, 30, k)
        assert labels.shape == (4, 30)
        assert np.all(prob >= 0)
        np.testing.assert_allclose(prob.sum(axis=2), 1.0, rtol=1e-12)
        assert set(np.unique(labels)) <= set(range(k))

    def test_the_table_of_experiments_is_the_published_one(self):
        """Classes, distributions and beta of experiments 1 to 9."""
        rows = synthetic.EXPERIMENTS
        assert [rows[e].k for e in range(1, 10)] == [2, 2, 2, 5, 5, 5, 7, 7, 10]
        assert rows[2].dirichlet == (0.2, 0.18)
        assert rows[5].dirichlet == (0.2, 0.18, 0.16, 0.14, 0.12)
        assert rows[9].dirichlet == (0.1,) * 10
        betas = [0.95, 0.95, 0.3, 0.95, 0.95, 0.3, -0.1]
        assert [rows[e].beta for e in (1, 2, 3, 4, 5, 6, 9)] == betas
        assert [e for e, row in rows.items() if not row.synthetic] == [7, 8]

    def test_predictions_have_the_mean_of_their_distribution(self):
        """E[p_j] = alpha_j / sum(alpha), within four standard errors."""
        alpha = np.array([0.2, 0.18, 0.16, 0.14, 0.12])
        prob, _ = synthetic.method_1(alpha, 0.95, points=200, datasets=200, rng=3)
        mean = alpha / alpha.sum()
        error = np.sqrt(mean * (1 - mean) / (alpha.sum() + 1) / 40_000)
        assert np.all(np.abs(prob.mean(axis=(0, 1)) - mean) < 4 * error)

    def test_method_1_is_right_about_the_first_points_and_uniform_about_the_rest(self):
        """The share of right answers is the mean confidence in the first part, 1/k in the rest."""
        prob, labels = synthetic.method_1((0.1,) * 4, 0.6, points=10, datasets=20_000, rng=5)
        right = labels == prob.argmax(axis=2)
        confident = prob.max(axis=2)
        assert right[:, :6].mean() == pytest.approx(confident[:, :6].mean(), abs=0.006)
        assert right[:, 6:].mean() == pytest.approx(0.25, abs=0.008)

    def test_method_2_draws_its_labels_from_what_it_hides(self):
        """Undoing the push gives probabilities that are true of the labels."""
        prob, labels = synthetic.method_2((0.5, 0.5, 0.5), 0.3, points=100, datasets=400, rng=5)
        confident = prob.max(axis=2) * 1.3 - 0.3
        right = labels == prob.argmax(axis=2)
        assert right.mean() == pytest.approx(confident.mean(), abs=0.01)
        assert right.mean() < prob.max(axis=2).mean() - 0.03

    def test_the_worked_push(self):
        """(0.8, 0.16, 0.04) with beta = 1 gives (0.9, 0.08, 0.02)."""
        np.testing.assert_allclose(
            push_largest(np.array([0.8, 0.16, 0.04]), 1.0), [0.9, 0.08, 0.02]
        )

    def test_a_push_down_to_the_bound_leaves_no_probability_below_zero(self):
        """At the bound beta takes the whole of a largest entry of 1/k, no more by rounding."""
        uniform = np.full((1, 10), 0.1)
        assert push_largest(uniform, -0.1).min() == 0.0

    @given(st.integers(0, 2**32), st.integers(2, 6))
    def test_an_impossible_class_is_never_drawn(self, seed, k):
        """A class of probability 0 has no label, whichever class that is."""
        source = np.random.default_rng(seed)
        prob = source.dirichlet(np.ones(k), 50) * (source.random((50, k)) < 0.5)
        prob[:, seed % k] += 1e-3
        prob /= prob.sum(axis=1, keepdims=True)
        labels = draw(prob, source)
        assert np.all(prob[np.arange(50), labels] > 0)

    def test_the_same_seed_draws_the_same_and_another_does_not(self):
        """Chance is the argument `rng`."""
        first, again, other = (synthetic.data_sets(1, datasets=3, rng=s) for s in (7, 7, 8))
        np.testing.assert_array_equal(first[0], again[0])
        np.testing.assert_array_equal(first[1], again[1])
        assert not np.array_equal(first[0], other[0])

    @pytest.mark.parametrize(
        ("call", "words"),
        [
            (lambda: synthetic.method_1((0.1, 0.1), 1.2), ("out-of-range", "`beta`", "method 1")),
            (
                lambda: synthetic.method_2((0.1, 0.1), -0.6),
                ("out-of-range", "`beta`", "at least -1/k = -0.5"),
            ),
            (lambda: synthetic.method_1((0.1, 0.0), 0.5), ("out-of-range", "`dirichlet`")),
            (
                lambda: synthetic.method_1((0.1, 0.1), 0.5, points=0),
                ("no-whole-number", "`points`"),
            ),
            (
                lambda: synthetic.data_sets(7),
                ("one-data-set-only", "`experiment`", "covertype_classifier"),
            ),
            (
                lambda: synthetic.data_sets(10),
                ("out-of-range", "`experiments`", "from 1", "to 9", "10"),
            ),
        ],
    )
    def test_bad_arguments_are_named(self, call, words):
        """The text says the argument and its rule."""
        with refused(pb.ParameterError, *words):
            call()


class TestCovertype:
    """The classifiers of experiments 7 and 8, on made-up tables of the same form."""

    @pytest.fixture
    def file(self, tmp_path, rng):
        """Write a small table with the classes in its last column, unnamed as in the original."""
        X = rng.integers(0, 1000, (2000, 6))
        y = 1 + (X[:, 0] > 300) + (X[:, 1] > 500) * (rng.random(2000) < 0.8)
        path = tmp_path / "cover.csv"
        rows = np.column_stack([X, y])
        header = "a,b,c,d,e,f,Class"
        np.savetxt(path, rows, fmt="%d", delimiter=",", header=header, comments="")
        return path

    @law("method", ["decision tree", "random forest"], number=1)
    def test_a_classifier_is_fitted_and_its_test_set_cut(self, file, method):
        """A fifth is the test set; whole blocks of consecutive points become data sets."""
        fitted = synthetic.covertype_classifier(method, file)
        assert fitted.prob.shape == (400, 3)
        assert 0.7 < fitted.accuracy < 1.0
        prob, labels = fitted.cut(150)
        assert prob.shape == (2, 150, 3)
        np.testing.assert_array_equal(labels.ravel(), fitted.labels[:300])
        again = synthetic.covertype_classifier(method, file)
        np.testing.assert_array_equal(fitted.prob, again.prob)

    def test_a_file_that_holds_words_is_refused(self, tmp_path):
        """The column that is no number is named."""
        path = tmp_path / "words.csv"
        path.write_text("a,b\n1,tree\n2,bush\n", "utf-8")
        with refused(pb.InputError, "not-numeric", "'b'"):
            synthetic.covertype_classifier("decision tree", path)

    def test_a_file_that_is_not_there_is_refused(self, tmp_path):
        """The file is named."""
        with refused(pb.InputError, "unreadable-file", "no-such"):
            synthetic.covertype_classifier("decision tree", tmp_path / "no-such.parquet")

    @pytest.mark.data
    def test_the_sample_reaches_its_known_accuracy(self, data_folder):
        """On the 16 % sample the tree reaches about .75, on 185 blocks of 100 points.

        All 54 features would reach .78; the trees choose 11 of them.
        """
        sample = data_folder / "covtype" / "covtype_sample.parquet"
        fitted = synthetic.covertype_classifier("decision tree", sample)
        assert fitted.accuracy == pytest.approx(0.75, abs=0.01)
        assert fitted.blocks(100) == 185
