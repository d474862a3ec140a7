"""The door: what comes in, under which class names, and that nothing changes it afterwards."""

import copy
import dataclasses
import pickle
import re
import subprocess
import sys

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier
from sklearn.neighbors import NearestCentroid

import plumbline as pb
from laws import examples
from plumbline import InputError, ParameterError
from plumbline.predictions import Labels, label_text, text_files
from refusals import refused, warned
from strategies import probability_tables

arrays = pb.Predictions.from_arrays
EPS = np.finfo(float).eps
TABLE = {"actual": ["no", "yes", "yes"], "p:no": [0.75, 0.5, 0.25], "p:yes": [0.25, 0.5, 0.75]}
ENDINGS = ["csv", "tsv", "parquet", "arrow", "feather"]


def from_table(**columns):
    """Read a two-class table with further columns, or with some left out (None)."""
    whole = {name: values for name, values in (TABLE | columns).items() if values is not None}
    return pb.Predictions.from_frame(pa.table(whole))


def same(left, right):
    """Check that two tables are equal to the last bit, types included."""
    for field in dataclasses.fields(pb.Predictions):
        one, two = getattr(left, field.name), getattr(right, field.name)
        if field.name == "reading":  # which an array does not have
            continue
        if isinstance(one, Labels) and isinstance(two, Labels):
            assert one.names == two.names, field.name
            one, two = one.codes, two.codes
        if isinstance(one, np.ndarray):
            assert one.dtype == two.dtype, field.name
            assert one.tolist() == two.tolist(), field.name
        elif field.name == "attributes":
            assert list(one) == list(two)
            for name in one:
                np.testing.assert_array_equal(one[name], two[name], err_msg=name)
        else:
            assert one == two, field.name


class TestClasses:
    """The names of the classes, and which of them is positive."""

    @pytest.mark.parametrize(
        ("y_true", "classes", "actual"),
        [
            ([0, 1, 1], ("0", "1"), [0, 1, 1]),
            ([0.0, 1.0, 1.0], ("0", "1"), [0, 1, 1]),
            (np.array([0, 1, 1], np.uint8), ("0", "1"), [0, 1, 1]),
            ([False, True, True], ("False", "True"), [0, 1, 1]),
            (["True", "False", "True"], ("False", "True"), [1, 0, 1]),
            ([2, 1, 2], ("1", "2"), [1, 0, 1]),
            ([-1, 1, 1], ("-1", "1"), [0, 1, 1]),
            ([1, -1, 1], ("-1", "1"), [1, 0, 1]),
            ([10, 9, 10], ("9", "10"), [1, 0, 1]),
            ([0.5, 2.5, 0.5], ("0.5", "2.5"), [0, 1, 0]),
            (["yes", "no", "yes"], ("no", "yes"), [1, 0, 1]),
            (["10", "9", "10"], ("9", "10"), [1, 0, 1]),
            ([b"yes", b"no", b"yes"], ("no", "yes"), [1, 0, 1]),
            (np.array(["b", "a", "b"], dtype=object), ("a", "b"), [1, 0, 1]),
            ([1, 1, 1], ("0", "1"), [1, 1, 1]),
            ([0, 0, 0], ("0", "1"), [0, 0, 0]),
            ([True, True, True], ("False", "True"), [1, 1, 1]),
            (np.array(["2020-01-02", "2020-01-01"] * 2, "M8[D]"), None, [1, 0, 1, 0]),
            (pd.Series(["b", "a", "b"], dtype="category"), ("a", "b"), [1, 0, 1]),
            (pd.Series([1, 0, 1], dtype="Int64"), ("0", "1"), [1, 0, 1]),
            (pl.Series(["b", "a", "b"]), ("a", "b"), [1, 0, 1]),
            (pa.array(["b", "a", "b"]), ("a", "b"), [1, 0, 1]),
            (pa.chunked_array([["b"], ["a", "b"]]), ("a", "b"), [1, 0, 1]),
            ([[0], [1], [1]], ("0", "1"), [0, 1, 1]),
            (["--5", "-", "--5"], ("-", "--5"), [1, 0, 1]),
            (["9" * 5000, "1", "1"], ("1", "9" * 5000), [1, 0, 0]),
        ],
    )
    def test_two_classes_are_named_by_their_labels(self, y_true, classes, actual):
        """0 and 1 name themselves, two other labels are sorted: numbers by value, else as text."""
        n = len(actual)
        names = classes or ("2020-01-01", "2020-01-02")
        for prob, positive in ((np.full(n, 0.5), names[1]), (np.full((n, 2), 0.5), None)):
            data = arrays(y_true, prob, positive=positive)
            assert data.classes == names
            assert data.actual.tolist() == actual
            assert data.positive == 1

    @pytest.mark.parametrize(
        ("y_true", "classes", "actual"),
        [
            ([0, 1, 2], ("0", "1", "2"), [0, 1, 2]),
            ([0, 2, 2], ("0", "1", "2"), [0, 2, 2]),
            ([1, 1, 1], ("0", "1", "2"), [1, 1, 1]),
            ([1.0, 2.0, 0.0], ("0", "1", "2"), [1, 2, 0]),
            ([3, 1, 2], ("1", "2", "3"), [2, 0, 1]),
            (["b", "c", "a"], ("a", "b", "c"), [1, 2, 0]),
            (["10", "2", "1"], ("1", "2", "10"), [2, 1, 0]),
        ],
    )
    def test_several_classes_are_whole_numbers_or_sorted(self, y_true, classes, actual):
        """Labels among 0..k-1 leave room for absent classes; else all k must be there."""
        data = arrays(y_true, np.full((3, 3), 1 / 3))
        assert (data.classes, data.actual.tolist()) == (classes, actual)
        assert data.positive == 2

    def test_the_number_of_classes_is_never_guessed_from_the_labels(self):
        """Ten columns are ten classes, though only two occur."""
        data = arrays([3, 7, 3], np.full((3, 10), 0.1))
        assert data.k == 10
        assert data.actual.tolist() == [3, 7, 3]

    def test_named_classes_keep_their_order(self):
        """`classes` names the columns as they stand, absent classes too."""
        data = arrays(["b", "a"], np.full((2, 3), 1 / 3), classes=["c", "a", "b"])
        assert data.classes == ("c", "a", "b")
        assert data.actual.tolist() == [2, 1]

    def test_a_class_is_its_text(self):
        """3, 3.0 and "3" are one class."""
        data = arrays(np.array([3, "3", 3.0, "x"], dtype=object), [0.1] * 4, positive="x")
        assert data.classes == ("3", "x")
        assert data.actual.tolist() == [0, 0, 0, 1]
        assert [label_text(v) for v in (3, 3.0, "3", np.float32(3), b"3", -0.0, 2.5, True)] == [
            *("3", "3", "3", "3", "3", "0", "2.5", "True")
        ]

    @pytest.mark.parametrize("name", ["table.csv", "table.parquet"])
    @pytest.mark.parametrize("positive", ["fraud", "legit"])
    def test_a_file_keeps_the_positive_class(self, positive, name, tmp_path):
        """It is the last column, which is the positive class where a file is read."""
        data = arrays(["fraud", "legit"], [0.75, 0.25], positive=positive)
        data.write(tmp_path / name)
        again = pb.read(tmp_path / name)
        assert again.classes[again.positive] == positive
        column = again.prob[:, again.positive]
        assert column.tolist() == [0.75, 0.25]

    def test_one_probability_is_that_of_the_positive_class(self):
        """`positive=` moves a single column of probabilities to that class."""
        last = arrays(["a", "b"], [0.25, 0.75], positive="b")
        first = arrays(["a", "b"], [0.25, 0.75], positive="a")
        assert last.prob.tolist() == [[0.75, 0.25], [0.25, 0.75]]
        assert first.prob.tolist() == [[0.25, 0.75], [0.75, 0.25]]
        assert (last.positive, first.positive) == (1, 0)
        assert first.classes == last.classes

    @pytest.mark.parametrize(
        ("negative", "positive"),
        [
            *((0, 1), (-1, 1), (False, True), ("0", "1"), ("-1", "1"), ("FALSE", "True")),
            *(("F", "T"), ("No", "yes"), ("N", "Y"), ("negative", "Positive"), ("neg", "pos")),
            *(("-", "+"), ("absent", "present"), ("Absent", "PRESENT"), ("control", "case")),
        ],
    )
    def test_usual_pairs_have_their_usual_positive(self, negative, positive, tmp_path):
        """A single column is about it: as an array, as log-odds, as a rating and in a file."""
        y, p = [positive, negative, positive], np.array([0.75, 0.5, 0.25])
        made = [
            arrays(y, p),
            arrays(y, score=p),
            arrays(y, predicted=y),
            pb.Predictions.from_logits(y, np.log(p / (1 - p))),
            pb.Predictions.from_frame(pa.table({"y_true": y, "y_prob": p})),
        ]
        for data in made:
            assert data.classes == (str(negative), str(positive))
            assert (data.positive, data.actual.tolist()) == (1, [1, 0, 1])
            if data.prob is not None:
                np.testing.assert_allclose(data.prob[:, 1], p, rtol=1e-15)
        made[0].write(tmp_path / "table.csv")
        same(made[0], pb.read(tmp_path / "table.csv"))
        both = {"actual": y, f"p:{positive}": p, f"p:{negative}": 1 - p}
        turned = pb.Predictions.from_frame(pa.table({k: list(v) for k, v in both.items()}))
        assert turned.classes[turned.positive] == str(positive)
        other = arrays(y, p, positive=negative)
        assert (other.classes, other.positive) == (made[0].classes, 0)
        assert other.prob[:, 0].tolist() == p.tolist()

    @pytest.mark.parametrize(
        "pair",
        [
            ("fraud", "legit"),
            ("bad", "good"),
            (1, 2),
            (3, 7),
            (0, 2),
            (-1, 0),
            (0.5, 1),
            ("a", "1"),
        ],
    )
    def test_other_pairs_with_one_column_are_refused(self, pair, tmp_path):
        """Arrays, log-odds, ratings, frames and files ask for the positive class; it is obeyed."""
        y, p = [pair[1], pair[0], pair[1]], [0.75, 0.5, 0.25]
        table = pa.table({"y_true": list(map(str, y)), "y_prob": p})
        path = tmp_path / "table.parquet"
        pa.parquet.write_table(table, path)
        ways = [
            lambda **how: arrays(y, p, **how),
            lambda **how: arrays(y, score=p, **how),
            lambda **how: pb.Predictions.from_logits(y, p, **how),
            lambda **how: pb.Predictions.from_frame(table, **how),
            lambda **how: pb.read(path, **how),
        ]
        for way in ways:
            with pytest.raises(InputError) as refused:
                way()
            for name in map(str, pair):
                assert f"positive={name!r}" in str(refused.value)
                data = way(positive=name)
                column = p if data.prob is None else data.prob[:, data.classes.index(name)]
                assert data.classes[data.positive] == name
                assert np.all(np.diff(column) < 0)

    @pytest.mark.parametrize("pair", [("fraud", "legit"), (1, 2)])
    def test_what_names_its_class_needs_no_positive(self, pair, tmp_path):
        """Named classes, two columns, a column named like a class, labels alone are as before."""
        y, p = [pair[1], pair[0], pair[1]], [0.75, 0.5, 0.25]
        first, last = map(str, pair)
        named = pa.table({"actual": list(map(str, y)), f"p:{first}": p})
        own = pa.table({"actual": list(map(str, y)), "y_prob": p})
        assert arrays(y, p, classes=pair).prob[:, 1].tolist() == p
        assert arrays(y, np.column_stack([p, p]), normalize=True).positive == 1
        assert arrays(y, predicted=y).classes == (first, last)
        for data in (
            pb.Predictions.from_frame(named),
            pb.Predictions.from_frame(own, prob={"y_prob": first}),
        ):
            assert data.classes[data.positive] == first
            assert data.prob[:, data.positive].tolist() == p

    def test_naming_the_positive_class_moves_no_column_of_a_matrix(self):
        """With a column a class, `positive=` only points at one."""
        data = arrays([0, 1], [[0.75, 0.25], [0.5, 0.5]], positive=0)
        assert data.prob.tolist() == [[0.75, 0.25], [0.5, 0.5]]
        assert data.positive == 0


class TestPredicted:
    """The answer that goes with the probabilities."""

    def test_half_is_positive(self):
        """With two classes the answer is the positive class from p = 0.5 on."""
        score = [np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1)]
        assert arrays([0, 1, 1], score).predicted.tolist() == [0, 1, 1]
        assert arrays([0, 1, 1], score, positive=0).predicted.tolist() == [1, 0, 0]

    def test_the_first_of_equally_likely_classes_is_the_answer(self):
        """With more classes ties go to the first column."""
        data = arrays([0, 1, 2], [[0.25, 0.25, 0.5], [0.5, 0.5, 0], [0, 0.5, 0.5]])
        assert data.predicted.tolist() == [2, 0, 1]

    def test_a_predicted_column_wins(self):
        """The discrete answer is kept where it disagrees with the probabilities."""
        data = arrays(["a", "b"], [0.1, 0.9], predicted=["b", "a"], positive="b")
        assert data.predicted.tolist() == [1, 0]
        assert data.most_likely.tolist() == [0, 1]

    def test_labels_alone_are_enough_for_an_answer(self):
        """Without probabilities the classes are those of both columns; only labels serve."""
        data = arrays(["a", "b"], predicted=["c", "b"])
        assert data.classes == ("a", "b", "c")
        assert data.predicted.tolist() == [2, 1]
        with refused(InputError, "labels-only", "p:<class>"):
            data.top_label()

    def test_ratings_alone_have_no_answer(self):
        """A rating has no scale, so nothing follows from it; the refusal says what to do."""
        for score in ([-3.5, 2.0], [[1, 2], [3, -4.0]]):
            data = arrays(["a", "b"], score=score, positive="b")
            assert data.classes == ("a", "b")
            with pytest.raises(InputError, check=lambda e: e.code == "ratings-only"):
                _ = data.predicted


class TestProbabilities:
    """Numbers, sums and types."""

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_the_type_is_kept(self, dtype):
        """float32 stays float32, with the complement rounded once."""
        data = arrays([0, 1], np.array([0.1, 0.9], dtype))
        assert data.prob.dtype == dtype
        assert data.prob[:, 0].tolist() == [dtype(1 - float(p)) for p in dtype([0.1, 0.9])]

    @pytest.mark.parametrize("dtype", [np.int8, np.int64, np.longdouble, ">f8"])
    def test_other_numbers_become_float64(self, dtype):
        """Whole numbers and rare types are stored as float64."""
        prob = arrays([0, 1], np.array([[1, 0], [0, 1]], dtype)).prob
        assert prob.dtype == np.float64
        assert prob.dtype.isnative

    @pytest.mark.parametrize("written", ["%.6g", "%.6f", "%.3g", "%.4f", "%.5e", "%.2f"])
    @pytest.mark.parametrize("k", [3, 10])
    def test_rows_off_by_their_own_rounding_are_read_with_a_warning(self, tmp_path, written, k):
        """Whatever format wrote them; they are divided by their sums, as with `normalize`."""
        rng = np.random.default_rng(k)
        prob = rng.dirichlet(np.full(k, 0.3), 500)
        actual = np.arange(500) % k
        names = [f"p:c{j}" for j in range(k)]
        lines = [
            ",".join([f"c{y}", *(written % p for p in row)])
            for y, row in zip(actual, prob, strict=True)
        ]
        path = tmp_path / "rounded.csv"
        path.write_text("\n".join([",".join(["actual", *names]), *lines]) + "\n")
        if written == "%.2f" and k == 10:  # ten numbers of two decimals can be off by 5 %
            with pytest.raises(InputError, check=lambda e: e.code == "not-summing-to-1"):
                pb.read(path)
            return
        with pytest.warns(pb.PlumblineWarning, match="^rounded-rows: "):
            data = pb.read(path)
        assert np.abs(data.prob.sum(axis=1) - 1).max() < 1.5e-8
        assert data.prob == pytest.approx(pb.read(path, normalize=True).prob, abs=1.5e-8)

    @pytest.mark.parametrize("off", [3e-6, 1e-4, 0.1])
    def test_rows_off_by_more_than_their_rounding_are_refused(self, off):
        """Three numbers of six digits can be off by 1.5e-6, no more; and full digits by nothing."""
        rows = np.full((4, 3), [0.123456, 0.345678, 0.530866])
        rows[1, 2] += off
        with refused(InputError, "not-summing-to-1", "row 1", argument="normalize"):
            arrays([0, 1, 2, 0], rows, classes=range(3))
        rows[1, 2] = 0.530866 + 1.4e-6
        rows[0, :2] += np.array([1, -1]) / 3e5
        with refused(InputError, "not-summing-to-1", "row 1", argument="normalize"):
            arrays([0, 1, 2, 0], rows, classes=range(3))

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_rows_sum_to_1_within_the_tolerance(self, dtype):
        """Just inside is read and summed to 1, just outside refused with `normalize` as remedy."""
        tolerance = max(1e-6, np.sqrt(np.finfo(dtype).eps))
        rows = np.array([[0.5, 0.5], [0.25, 0.75]], dtype)
        inside, outside = rows.copy(), rows.copy()
        inside[1, 1] += dtype(0.9 * tolerance)
        outside[1, 1] += dtype(1.1 * tolerance)
        expected = inside.copy()
        if dtype == np.float64:
            expected[1] /= expected[1].sum()
        assert arrays([0, 1], inside).prob.tolist() == expected.tolist()
        with refused(
            InputError, "not-summing-to-1", "row 1", "1.0", "normalize=True", argument="normalize"
        ):
            arrays([0, 1], outside)
        fixed = arrays([0, 1], outside, normalize=True).prob
        assert fixed.dtype == dtype
        assert np.all(np.abs(fixed.sum(axis=1) - 1) <= 2 * np.finfo(dtype).eps)

    def test_normalizing_counts_makes_shares(self):
        """Whole counts, as of an ensemble's votes, become probabilities."""
        data = arrays([0, 1, 2], [[3, 1, 0], [1, 1, 2], [0, 0, 7]], normalize=True)
        assert data.prob.tolist() == [[0.75, 0.25, 0], [0.25, 0.25, 0.5], [0, 0, 1]]

    @pytest.mark.parametrize("container", [list, np.array, pd.Series, pl.Series, pa.array, tuple])
    def test_any_container_of_numbers_is_read(self, container):
        """Lists, series and Arrow arrays all give the same."""
        data = arrays(container([0, 1, 1]), container([0.25, 0.5, 0.75]))
        assert data.prob[:, 1].tolist() == [0.25, 0.5, 0.75]

    def test_frames_and_objects_of_numbers_are_read(self):
        """A frame of columns, and an array of Python numbers, are matrices."""
        matrix = [[0.25, 0.75], [0.5, 0.5]]
        for made in (
            pd.DataFrame(matrix),
            pl.DataFrame(np.array(matrix)),
            np.array(matrix, dtype=object),
            np.asfortranarray(matrix),
        ):
            assert arrays([0, 1], made).prob.tolist() == matrix

    def test_columns_of_two_classes_are_compact(self):
        """With two classes each column is contiguous, also of parts and binary views."""
        for prob in ([0.1, 0.9, 0.4], [[0.9, 0.1], [0.1, 0.9], [0.6, 0.4]]):
            data = arrays([0, 1, 1], prob)
            for table in (data, data.select(where=[2, 0]), data.top_label(), data.one_vs_rest(0)):
                assert table.prob[:, 1].flags.c_contiguous


class TestLogits:
    """Softmax and logistic function, stably."""

    def test_two_dimensions_are_a_softmax(self, rng):
        """Log probabilities are z - log(sum(exp(z)))."""
        z = rng.normal(0, 3, (50, 4))
        data = pb.Predictions.from_logits(np.arange(50) % 4, z)
        expected = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
        # Four terms of one sign: a few roundings each.
        np.testing.assert_allclose(data.prob, expected, rtol=20 * EPS)
        np.testing.assert_allclose(np.exp(data.log_prob), data.prob, rtol=EPS)

    def test_one_dimension_is_the_log_odds_of_the_positive_class(self):
        """The chance is 1 / (1 + exp(-z)), for the class that is named; other pairs are refused."""
        z = np.array([-2.0, 0.0, 3.0])
        p = 1 / (1 + np.exp(-z))
        last = pb.Predictions.from_logits(["a", "b", "b"], z, positive="b")
        first = pb.Predictions.from_logits(["a", "b", "b"], z, positive="a")
        np.testing.assert_allclose(last.prob[:, 1], p, rtol=4 * EPS)
        np.testing.assert_allclose(first.prob[:, 0], p, rtol=4 * EPS)
        assert first.positive == 0
        np.testing.assert_array_equal(first.log_prob[:, 0], last.log_prob[:, 1])
        assert pb.log_loss(last) != pb.log_loss(first)
        usual = pb.Predictions.from_logits(["no", "yes", "yes"], z)
        np.testing.assert_array_equal(usual.log_prob, last.log_prob)
        with pytest.raises(InputError, check=lambda e: e.code == "positive-unknown"):
            pb.Predictions.from_logits(["a", "b", "b"], z)

    def test_adding_a_constant_changes_nothing(self, rng):
        """Softmax depends on differences only; halves are exact, so the bits are the same."""
        z = rng.integers(-20, 20, (30, 3)) / 2
        y = np.arange(30) % 3
        one = pb.Predictions.from_logits(y, z)
        two = pb.Predictions.from_logits(y, z + 1024)
        np.testing.assert_array_equal(one.log_prob, two.log_prob)

    def test_extreme_logits_keep_a_finite_log_probability(self):
        """Where p rounds to 0 its logarithm is still there, and the log loss with it."""
        data = pb.Predictions.from_logits([0, 1], [[0.0, 5000.0], [0.0, 5000.0]])
        assert data.prob.tolist() == [[0, 1], [0, 1]]
        assert data.log_prob.tolist() == [[-5000, 0], [-5000, 0]]
        assert pb.log_loss(data) == 2500

    def test_a_certain_answer_keeps_its_doubt(self):
        """The logarithm is -log1p(exp(-40)) where the chance itself rounds to 1."""
        data = pb.Predictions.from_logits([1, 1], [40.0, 40.0])
        assert data.prob[0, 1] == 1
        assert data.log_prob[0, 1] == pytest.approx(-np.exp(-40.0), rel=4 * EPS)
        assert data.prob[0, 0] == pytest.approx(np.exp(-40.0), rel=100 * EPS)

    @pytest.mark.parametrize("huge", [1e300, np.finfo(float).max])
    def test_the_largest_floats_are_no_trouble(self, huge):
        """Differences beyond the largest float are minus infinity, without a warning."""
        data = pb.Predictions.from_logits([0, 1], [[huge, -huge], [-huge, huge]])
        assert data.prob.tolist() == [[1, 0], [0, 1]]
        assert pb.log_loss(data) == 0

    @pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64])
    def test_logits_of_any_type_give_float64(self, dtype):
        """The softmax is computed in float64."""
        data = pb.Predictions.from_logits([0, 1], np.array([[1, 2], [3, 1]], dtype))
        assert data.prob.dtype == np.float64
        assert data.log_prob[0, 1] == pytest.approx(-np.log1p(np.exp(-1.0)), rel=4 * EPS)

    def test_probabilities_among_logits_are_noticed(self):
        """Rows that are non-negative and sum to 1 raise a warning, not an error."""
        with warned("logits-like-probabilities") as caught:
            pb.Predictions.from_logits([0, 1], [[0.3, 0.7], [0.6, 0.4]])
        assert caught[0].filename == __file__

    def test_binary_views_keep_the_logarithms(self):
        """One-vs-rest of logits has finite logarithms on both sides."""
        data = pb.Predictions.from_logits([0, 1, 2], [[0.0, 2000.0, 1000.0]] * 3)
        binary = data.one_vs_rest(1)
        assert binary.log_prob[0].tolist() == [-1000, 0]
        assert data.top_label().log_prob[0].tolist() == [-1000, 0]
        assert data.one_vs_rest(0).log_prob[0].tolist() == [0, -2000]


class TestFrames:
    """Any data frame."""

    MAKERS = pytest.mark.parametrize(
        "make",
        [
            pa.table,
            pd.DataFrame,
            pl.DataFrame,
            lambda columns: pl.LazyFrame(columns),
            lambda columns: (
                pa.table(columns).combine_chunks().to_pandas(types_mapper=pd.ArrowDtype)
            ),
        ],
        ids=["pyarrow", "pandas", "polars", "lazy", "pandas-arrow"],
    )

    @MAKERS
    def test_every_frame_gives_the_same(self, make):
        """pandas, Polars (lazy too) and Arrow are read alike, columns in any order."""
        columns = {"age": [31, 54, 47], "weight": [1.0, 2.0, 0.5], "fold": [1, 0, 1]}
        columns |= {"note": ["a", None, "c"], "model": ["m", "m", "k"], "row": ["x", "y", "x"]}
        columns |= {"predicted": ["no", "no", "yes"], "score": [-1.5, 0.0, 3.0]} | TABLE
        data = pb.Predictions.from_frame(make(columns))
        assert data.classes == ("no", "yes")
        assert data.actual.tolist() == [0, 1, 1]
        assert data.prob.tolist() == [[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]]
        assert data.predicted.tolist() == [0, 0, 1]
        assert data.weight.tolist() == [1, 2, 0.5]
        assert data.score.tolist() == [-1.5, 0, 3]
        assert (data.models, data.folds) == (("m", "k"), ("0", "1"))
        assert data.row.tolist() == ["x", "y", "x"]
        assert {name: values.tolist() for name, values in data.attributes.items()} == {
            "age": [31, 54, 47],
            "note": ["a", None, "c"],
        }

    @MAKERS
    def test_two_equal_columns_are_two_columns(self, make):
        """Columns with the same values are not taken for a repeated name."""
        data = pb.Predictions.from_frame(
            make({"actual": [0, 1], "p:0": [0.5, 0.5], "p:1": [0.5, 0.5], "x": [0.5, 0.5]})
        )
        assert data.prob.tolist() == [[0.5, 0.5], [0.5, 0.5]]

    def test_the_order_of_the_columns_is_the_order_of_the_classes(self):
        """p:b before p:a makes b the first class and a the positive one."""
        data = from_table(
            **{
                "p:no": None,
                "p:yes": None,
                "p:b": [0.1, 0.2, 0.3],
                "p:a": [0.9, 0.8, 0.7],
                "actual": ["a", "b", "b"],
            }
        )
        assert data.classes == ("b", "a")
        assert data.positive == 1

    def test_categories_that_do_not_occur_are_no_classes(self):
        """A categorical column is read by what is in it."""
        cells = pd.Categorical(["b", "a", "b"], categories=["z", "b", "a", "y"])
        frame = pd.DataFrame(
            {"actual": cells, "model": cells, "p:b": [0.1, 0.2, 0.3], "kind": cells}
        )
        for made in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
            data = pb.Predictions.from_frame(made)
            assert data.classes == ("a", "b")
            assert set(data.models) == {"a", "b"}
            assert data.attributes["kind"].tolist() == ["b", "a", "b"]
        numbers = pd.DataFrame({"actual": pd.Categorical([1, 0]), "p:1": [0.1, 0.2]})
        assert pb.Predictions.from_frame(numbers).classes == ("0", "1")

    def test_a_filtered_pandas_frame_brings_no_index_along(self):
        """Row labels of pandas are no column."""
        frame = pd.DataFrame(TABLE | {"age": [1, 2, 3]})
        assert list(pb.Predictions.from_frame(frame[frame.age > 1]).attributes) == ["age"]
        named = frame.set_index(pd.Index([7, 8, 9], name="id"))
        assert list(pb.Predictions.from_frame(named).attributes) == ["age"]

    @pytest.mark.parametrize("ending", ["parquet", "feather"])
    def test_a_file_of_a_filtered_pandas_frame_brings_no_index_along(self, tmp_path, ending):
        """Row labels that pandas hid in a file are no column; an index with a name is one."""
        frame = pd.DataFrame(TABLE | {"age": [1, 2, 3]})[[True, False, True]]
        table = pa.Table.from_pandas(frame, preserve_index=True)
        assert "__index_level_0__" in table.column_names
        assert list(pb.Predictions.from_frame(table).attributes) == ["age"]
        frame.index.name = "row"
        named = pa.Table.from_pandas(frame, preserve_index=True)
        for made, row in ((table, None), (named, [0, 2])):
            if ending == "parquet":
                pa.parquet.write_table(made, tmp_path / "t.parquet")
            else:
                pa.feather.write_feather(made, str(tmp_path / "t.feather"))
            data = pb.read(tmp_path / f"t.{ending}")
            assert list(data.attributes) == ["age"]
            assert (None if data.row is None else data.row.tolist()) == row
        again = pb.Predictions.from_frame(table, rename={"__index_level_0__": "row"})
        assert again.row.tolist() == [0, 2]

    @pytest.mark.parametrize("actual", [["0", "1", "1"], [0, 1, 1], [0.0, 1.0, 1.0], [1, 1, 1]])
    def test_y_true_and_y_prob_are_a_binary_table(self, actual):
        """y_prob is the probability of 1, or of the positive class that is named."""
        table = pa.table({"y_true": actual, "y_prob": [0.25, 0.5, 0.75]})
        data = pb.Predictions.from_frame(table)
        assert data.classes == ("0", "1")
        assert data.prob[:, 1].tolist() == [0.25, 0.5, 0.75]
        first = pb.Predictions.from_frame(table, positive="0")
        assert first.prob[:, 0].tolist() == [0.25, 0.5, 0.75]

    def test_one_column_of_a_named_class_is_that_class_whatever_is_positive(self):
        """p:yes is the probability of yes; `positive=` points, and does not turn it round."""
        table = pa.table({"actual": ["no", "yes"], "p:yes": [0.25, 0.75]})
        for positive, place in ((None, 1), ("yes", 1), ("no", 0)):
            data = pb.Predictions.from_frame(table, positive=positive)
            assert data.classes == ("no", "yes")
            assert data.prob.tolist() == [[0.75, 0.25], [0.25, 0.75]]
            assert data.positive == place

    @pytest.mark.parametrize(
        ("actual", "column", "classes"),
        [
            (["no", "yes"], "p:no", ("yes", "no")),
            (["yes", "yes"], "p:yes", ("not yes", "yes")),
            (["no", "no"], "p:yes", ("no", "yes")),
            ([1, 1], "p:1", ("0", "1")),
            ([0, 0], "p:1", ("0", "1")),
            ([True, True], "p:True", ("False", "True")),
        ],
    )
    def test_the_other_class_is_found(self, actual, column, classes):
        """The single column's class comes last; the other is the other label there is."""
        data = pb.Predictions.from_frame(pa.table({"actual": actual, column: [0.25, 0.75]}))
        assert data.classes == classes
        assert data.prob[:, 1].tolist() == [0.25, 0.75]

    def test_other_names_are_given(self):
        """actual=, prob={column: class} and rename={column: name} read anyone's table."""
        table = pa.table({"truth": ["n", "y"], "A": [0.75, 0.5], "B": [0.25, 0.5], "part": [0, 1]})
        how = {"actual": "truth", "prob": {"B": "y", "A": "n"}, "rename": {"part": "fold"}}
        data = pb.Predictions.from_frame(table, **how)
        assert data.classes == ("y", "n")
        assert data.prob.tolist() == [[0.25, 0.75], [0.5, 0.5]]
        assert data.folds == ("0", "1")
        assert not data.attributes
        single = pb.Predictions.from_frame(table, actual="truth", prob={"B": "y"})
        assert single.classes == ("n", "y")
        assert single.prob[:, 1].tolist() == [0.25, 0.5]
        assert list(single.attributes) == ["A", "part"]

    def test_a_refusal_names_the_users_own_columns(self):
        """Errors speak of the column as it is in the file."""
        table = {"truth": ["n", "q"], "A": [0.75, 1.5], "B": [0.25, 0.5]}
        how = {"actual": "truth", "prob": {"B": "y", "A": "n"}}
        with refused(InputError, "unknown-label", "'truth'", "'q'", "row 1"):
            pb.Predictions.from_frame(pa.table(table), **how)
        table["truth"] = ["n", "y"]
        with refused(InputError, "no-probability", "'A'", "1.5 in", "row 1"):
            pb.Predictions.from_frame(pa.table(table), **how)

    def test_ratings_are_matched_to_the_classes_by_name(self):
        """score:<class> columns are brought into the order of the p: columns."""
        data = from_table(**{"score:yes": [1.0, 2.0, 3.0], "score:no": [-1.0, -2.0, -3.0]})
        assert data.classes == ("no", "yes")
        assert data.score.tolist() == [[-1, 1], [-2, 2], [-3, 3]]
        ratings = from_table(**{"p:no": None, "p:yes": None, "score:yes": [1.0, 2.0, 3.0]})
        assert ratings.classes == ("no", "yes")
        assert ratings.score.tolist() == [[-1, 1], [-2, 2], [-3, 3]]

    def test_a_thousand_classes_are_read_at_once(self):
        """The time grows with the number of columns, not with its square."""
        k = 20_000
        columns = {f"p:{c}": np.full(2, 1 / k) for c in range(k)}
        data = pb.Predictions.from_frame(pa.table({"actual": [0, k - 1]} | columns))
        assert data.k == k


class TestEstimators:
    """A fitted scikit-learn classifier."""

    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    y = tuple("aabbcc")

    def test_probabilities_are_asked_for_by_class(self):
        """Classes come from the estimator, those absent from y too."""
        model = LogisticRegression().fit(self.X, self.y)
        data = pb.Predictions.from_estimator(model, self.X[:3], ["a", "c", "a"], fold=[0, 0, 1])
        assert data.classes == ("a", "b", "c")
        assert data.prob.tolist() == model.predict_proba(self.X[:3]).tolist()
        assert data.actual.tolist() == [0, 2, 0]
        assert data.folds == ("0", "1")

    def test_a_decision_function_is_a_rating(self):
        """Without predict_proba there are ratings and the discrete answer, no probabilities."""
        model = RidgeClassifier().fit(self.X, self.y)
        data = pb.Predictions.from_estimator(model, self.X, self.y)
        assert data.prob is None
        assert data.score.tolist() == model.decision_function(self.X).tolist()
        names = np.array(data.classes)
        assert names[data.predicted].tolist() == model.predict(self.X).tolist()

    @pytest.mark.parametrize("positive", [None, 0, 1])
    def test_a_binary_decision_function_rates_the_second_class(self, positive):
        """One rating s a row is stored as (-s, s), so that naming a positive class turns nothing.

        scikit-learn's one rating is that of classes_[1].
        """
        y = [0, 0, 0, 1, 1, 1]
        model = Perceptron().fit(self.X, y)
        data = pb.Predictions.from_estimator(model, self.X, y, positive=positive)
        rating = model.decision_function(self.X)
        assert data.score.tolist() == np.column_stack([-rating, rating]).tolist()
        assert data.classes == ("0", "1")
        assert data.positive == (1 if positive is None else positive)
        assert np.array_equal(data.score.argmax(axis=1), data.predicted)

    @pytest.mark.parametrize(
        ("model", "others"),
        [
            (RidgeClassifier(), {"predicted": y}),
            (RidgeClassifier(), {"score": np.eye(6)}),
        ],
    )
    def test_what_the_estimator_tells_cannot_be_passed(self, model, others):
        """The refusal names the argument and the remedy."""
        model.fit(self.X, self.y)
        name = next(iter(others))
        with refused(ParameterError, "argument-of-estimator", name):
            pb.Predictions.from_estimator(model, self.X, self.y, **others)

    def test_an_answer_alone_is_taken(self):
        """A classifier with neither gives its labels."""

        class Constant:
            classes_ = np.array(["a", "b", "c"])

            def predict(self, X):
                return ["b"] * len(X)

        data = pb.Predictions.from_estimator(Constant(), self.X, self.y)
        assert (data.prob, data.score) == (None, None)
        assert data.predicted.tolist() == [1] * 6

    @pytest.mark.parametrize("model", [LogisticRegression(), NearestCentroid(), object()])
    def test_what_is_not_fitted_is_refused(self, model):
        """The refusal names the class and says to fit."""
        with refused(InputError, "not-fitted", type(model).__name__, "call fit"):
            pb.Predictions.from_estimator(model, self.X, self.y)

    def test_a_label_the_estimator_never_saw_is_refused(self):
        """A class of y without a probability is an error that names it."""
        model = LogisticRegression().fit(self.X, self.y)
        with refused(InputError, "unknown-label", "'z'", "'a'", "'b'", "'c'"):
            pb.Predictions.from_estimator(model, self.X[:2], ["a", "z"])


class TestLenses:
    """Several classes seen as two."""

    data = arrays(
        ["a", "b", "c"],
        [[0.5, 0.25, 0.25], [0.5, 0.5, 0], [0.125, 0.25, 0.625]],
        classes=["a", "b", "c"],
        predicted=["b", "b", "a"],
        model=["m", "m", "k"],
        fold=[0, 1, 0],
        repeat=[0, 0, 1],
        weight=[1, 2, 3],
        row=[7, 8, 9],
        attributes={"age": [30, 40, 50]},
    )

    def test_one_vs_rest(self):
        """A class against the sum of the others."""
        binary = self.data.one_vs_rest("b")
        assert binary.classes == ("rest", "b")
        assert binary.actual.tolist() == [0, 1, 0]
        assert binary.prob.tolist() == [[0.75, 0.25], [0.5, 0.5], [0.75, 0.25]]
        assert binary.predicted.tolist() == [1, 1, 0]
        assert binary.positive == 1

    def test_top_label(self):
        """The largest probability, and whether that class is the true one; first on ties."""
        binary = self.data.top_label()
        assert binary.classes == ("wrong", "right")
        assert binary.actual.tolist() == [1, 0, 1]
        assert binary.prob[:, 1].tolist() == [0.5, 0.5, 0.625]
        assert binary.label is None

    @pytest.mark.parametrize("binary", ["top_label", "one_vs_rest"])
    def test_all_else_is_kept(self, binary):
        """Model, fold, repeat, weight, row and attributes stay as they are."""
        seen = self.data.top_label() if binary == "top_label" else self.data.one_vs_rest("c")
        for name in ("model", "fold", "repeat", "weight", "row"):
            assert getattr(seen, name) is getattr(self.data, name)
        assert dict(seen.attributes) == dict(self.data.attributes)

    def test_the_complement_is_the_sum_of_the_others_and_not_1_minus_p(self):
        """A tiny chance beside a near-certain one is kept to the last bit."""
        tiny = 1e-20
        data = arrays([0, 1, 2], [[1 - 1e-12, 1e-12, 0], [1, tiny, 0], [1, tiny, 2 * tiny]])
        assert data.one_vs_rest(0).prob[:, 0].tolist() == [1e-12, tiny, tiny + 2 * tiny]
        assert data.top_label().prob[:, 0].tolist() == [1e-12, tiny, tiny + 2 * tiny]

    def test_the_complement_of_float32_is_summed_in_float64(self):
        """Many small float32 columns are added in float64 and rounded once."""
        k = 1001
        row = np.full(k, 1e-4, np.float32)
        row[0] = 1 - row[1:].sum(dtype=float)
        binary = arrays([0, 1], np.stack([row, row])).one_vs_rest(0)
        assert binary.prob.dtype == np.float32
        assert binary.prob[0, 0] == np.float32(row[1:].astype(float).sum())

    @pytest.mark.parametrize("place", [0, 1])
    def test_two_classes_look_at_either(self, place):
        """With two classes one-vs-rest is the column and the other column, bit by bit."""
        data = arrays([0, 1], [0.1, 0.7])
        binary = data.one_vs_rest(place)
        assert binary.prob.tolist() == data.prob[:, [1 - place, place]].tolist()
        assert binary.actual.tolist() == (data.actual == place).tolist()

    def test_top_label_of_two_classes_follows_the_answer(self):
        """At p = 0.5 the positive class is the answer, first or last."""
        assert arrays([0, 1], [0.5, 0.5]).top_label().actual.tolist() == [0, 1]
        assert arrays([0, 1], [0.5, 0.5], positive=0).top_label().actual.tolist() == [1, 0]

    def test_a_class_called_rest_has_another_other(self):
        """The two names of a binary view always differ."""
        data = arrays(["rest", "a"], [0.5, 0.5], positive="rest")
        assert data.one_vs_rest("rest").classes == ("other", "rest")

    def test_an_unknown_class_is_refused_with_a_near_name(self):
        """The refusal lists the classes."""
        data = arrays(["cat", "dog"], [0.5, 0.5], positive="dog")
        with refused(ParameterError, "unknown-class", "'dgo'", "'cat'", "'dog'"):
            data.one_vs_rest("dgo")

    @given(table=probability_tables())
    @settings(max_examples=examples(50))
    def test_binary_views_are_two_shares_of_the_row(self, table):
        """Both columns of a binary view add up to the row, the events of all classes to n."""
        y, prob = table
        data = arrays(y, prob, classes=range(prob.shape[1]))
        binary_views = [data.one_vs_rest(c) for c in data.classes]
        for binary in (*binary_views, data.top_label()):
            assert binary.prob.sum(axis=1).tolist() == prob.sum(axis=1).tolist()
        assert sum(int(binary.actual.sum()) for binary in binary_views) == len(y)
        assert data.top_label().prob[:, 1].tolist() == prob.max(axis=1).tolist()


class TestParts:
    """Selecting rows."""

    data = arrays(
        np.arange(24) % 3,
        np.tile(np.eye(3), (8, 1)),
        model=["b", "a"] * 12,
        fold=np.arange(24) // 2 % 12,
        repeat=np.arange(24) // 12,
        row=np.arange(24) // 2,
        weight=np.arange(24) + 1,
        attributes={"x": np.arange(24)},
    )

    def test_by_model_and_by_fold(self):
        """Names of any type are accepted; several at once, and models and folds together."""
        assert self.data.select(model="a").attributes["x"].tolist() == list(range(1, 24, 2))
        assert self.data.select(fold=11).attributes["x"].tolist() == [22, 23]
        assert self.data.select(fold="11").n == self.data.select(fold=11.0).n == 2
        assert self.data.select(fold=[0, 11], model="b").attributes["x"].tolist() == [0, 22]
        assert self.data.select(fold=range(3)).folds == ("0", "1", "2")
        assert self.data.select(repeat=1).n == 12
        assert self.data.select().n == 24

    def test_by_mask_and_by_row_numbers(self):
        """A mask keeps the order; row numbers give theirs, and may repeat."""
        x = self.data.attributes["x"]
        assert self.data.select(where=x > 20).attributes["x"].tolist() == [21, 22, 23]
        assert self.data.select(where=pd.Series(x > 20)).n == 3
        assert self.data.select(where=[5, 2, 2]).attributes["x"].tolist() == [5, 2, 2]
        assert self.data.select(where=[5, 2, 3], model="b").attributes["x"].tolist() == [2]

    def test_every_column_is_selected_alike(self):
        """Labels, probabilities, weights, rows and attributes stay beside each other."""
        part = self.data.select(where=[7, 4])
        assert part.actual.tolist() == [7 % 3, 4 % 3]
        assert part.prob.tolist() == np.eye(3)[[7 % 3, 4 % 3]].tolist()
        assert part.weight.tolist() == [8, 5]
        assert part.row.tolist() == [3, 2]
        assert part.fold.values().tolist() == ["3", "2"]
        assert part.models == ("b", "a")

    def test_a_part_without_weight_is_kept(self):
        """A fold or model whose weights are all 0 is a part like others, worth 0 rows."""
        data = arrays(
            [0, 1, 0, 1],
            [0.2, 0.7, 0.4, 0.9],
            weight=[1, 3, 0, 0],
            model=["x", "x", "y", "y"],
            fold=[0, 0, 1, 1],
        )
        parts = [data.select(model="y"), data.by_model()["y"], data.by_fold()[("1",)]]
        for part in parts:
            assert (part.n, part.effective_n) == (2, 0.0)
        assert data.select(model="x").effective_n == data.effective_n == 1.6

    def test_names_that_are_gone_are_gone(self):
        """A part knows only its own models and folds."""
        part = self.data.select(model="a", fold=[3, 5])
        assert (part.models, part.folds) == (("a",), ("3", "5"))

    def test_by_model_splits_all_rows(self):
        """In the order of the models; a table without models is one part."""
        parts = self.data.by_model()
        assert list(parts) == ["b", "a"]
        assert [part.n for part in parts.values()] == [12, 12]
        plain = arrays([0, 1], [0.1, 0.2])
        assert plain.by_model() == {None: plain}

    def test_by_fold_splits_within_repeats_in_the_order_of_numbers(self):
        """Fold 10 comes after fold 2; with repeats the key is (repeat, fold)."""
        parts = self.data.by_fold()
        keys = [(str(fold // 6), str(fold)) for fold in range(12)]
        assert list(parts) == keys
        assert all(part.n == 2 for part in parts.values())
        plain = arrays([0, 1] * 11, [0.5] * 22, fold=np.arange(22) // 2)
        assert list(plain.by_fold()) == [(str(fold),) for fold in range(11)]
        assert arrays([0, 1], [0.1, 0.2]).by_fold() == {}

    @pytest.mark.parametrize("seed", range(3))
    def test_splitting_is_selecting(self, seed):
        """by_model and by_fold give what select gives, row by row."""
        rng = np.random.default_rng(seed)
        data = arrays(
            rng.integers(0, 2, 60),
            rng.random(60),
            model=rng.choice(["x", "y", "z"], 60),
            fold=rng.integers(0, 4, 60),
            repeat=rng.integers(0, 2, 60),
        )
        for name, part in data.by_model().items():
            same(part, data.select(model=name))
        for (repeat, fold), part in data.by_fold().items():
            same(part, data.select(repeat=repeat, fold=fold))
        assert sum(part.n for part in data.by_fold().values()) == 60

    def test_an_unknown_name_is_refused_with_a_near_one(self):
        """The refusal lists what there is."""
        data = arrays([0, 1], [0.1, 0.9], model=["forest", "tree"], fold=[0, 1])
        with refused(InputError, "unknown-label", "'forst'", "'forest'"):
            data.select(model="forst")
        with refused(InputError, "unknown-label", "'2'", "'0'", "'1'"):
            data.select(fold=[0, 2])
        with refused(InputError, "no-such-column", "'repeat'"):
            data.select(repeat=0)

    @pytest.mark.parametrize("where", [[], np.zeros(24, bool)])
    def test_no_row_left_is_refused(self, where):
        """An empty selection is a mistake in the filter."""
        with refused(InputError, "no-rows-left"):
            self.data.select(where=where)
        with refused(InputError, "no-rows-left"):
            self.data.select(repeat=0, fold=11)

    @pytest.mark.parametrize(
        ("where", "words"),
        [
            ([True, False], ("wrong-length", "`where`", "got 2", "24 rows")),
            ([0, 24], ("out-of-range", "`where`", "0..23", "24")),
            ([-1], ("out-of-range", "`where`", "0..23")),
            (3, ("wrong-kind", "`where`", "got 3")),
            ([[1, 2]], ("wrong-kind", "`where`", "a mask")),
            ([0.5], ("wrong-kind", "`where`", "a mask")),
            ("age > 3", ("wrong-kind", "`where`", "a mask")),
        ],
    )
    def test_a_bad_filter_is_refused(self, where, words):
        """The refusal says what a filter is."""
        with refused(ParameterError, *words):
            self.data.select(where=where)


class TestIdentity:
    """(row, model, repeat, fold) is unique."""

    def test_the_same_row_may_come_once_a_model_repeat_and_fold(self):
        """Each of the three columns tells copies of a row apart."""
        for name in ("model", "repeat", "fold"):
            arrays([0, 0], [0.1, 0.2], row=[5, 5], **{name: ["x", "y"]})
        arrays([0, 1] * 2, [0.5] * 4, row=[1, 1, 2, 2], model=["x", "y"] * 2)

    def test_a_repeated_row_is_refused_with_its_place(self):
        """The refusal names the row and where it stands."""
        with refused(InputError, "not-unique", "'b'", "appears 2", "1, 3"):
            arrays([0, 1] * 2, [0.5] * 4, row=["a", "b", "c", "b"], model=["x"] * 4)
        with refused(InputError, "not-unique", "'7'", "appears 3"):
            arrays([0, 1] * 2, [0.5] * 4, row=[7, 8, 7, 7])

    def test_a_table_without_rows_names_may_repeat_anything(self):
        """Without a `row` column there is nothing to be unique."""
        assert arrays([0, 1, 0, 1], [0.5] * 4, model=["x"] * 4, fold=[0] * 4).n == 4


class TestFrozen:
    """Nothing changes a table once it is checked."""

    def make(self):
        """Return the arrays a user holds, and the table made of them."""
        own = {
            "y_true": np.array([0, 1, 2]),
            "y_prob": np.eye(3),
            "predicted": np.array([0, 1, 2]),
            "score": np.eye(3),
            "weight": np.ones(3),
            "model": np.array([0, 1, 1]),
            "fold": np.array([0, 1, 0]),
            "repeat": np.array([0, 0, 1]),
            "row": np.array([5, 6, 7]),
        }
        age = np.array([1.0, 2.0, 3.0])
        return own | {"age": age}, arrays(**own, attributes={"age": age})

    def test_changing_the_source_changes_nothing(self):
        """The table holds copies, and the user's own arrays stay writable."""
        own, data = self.make()
        before = copy.deepcopy(data)
        for array in own.values():
            array.fill(1)
        same(before, data)

    def test_a_frame_changed_afterwards_changes_nothing(self):
        """Values read from pandas and Arrow are copies too."""
        numbers = np.array([1.0, 2.0, 3.0])
        for frame in (pa.table(TABLE | {"age": numbers}), pd.DataFrame(TABLE | {"age": numbers})):
            data = pb.Predictions.from_frame(frame)
            numbers += 10
            assert data.attributes["age"].tolist() != numbers.tolist()
            numbers -= 10

    def test_no_array_can_be_written(self):
        """Every array is read-only, those of parts and lenses too."""
        _, data = self.make()
        for table in (data, data.select(where=[0, 2]), data.top_label(), data.one_vs_rest(1)):
            held = [getattr(table, field.name) for field in dataclasses.fields(table)]
            held += [labels.codes for labels in held if isinstance(labels, Labels)]
            held += [*table.attributes.values()]
            found = [array for array in held if isinstance(array, np.ndarray)]
            assert len(found) >= 8
            for array in found:
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = 0

    def test_no_field_can_be_set(self):
        """Neither fields nor attributes can be replaced, added or removed."""
        _, data = self.make()
        with pytest.raises(dataclasses.FrozenInstanceError):
            data.weight = None
        with pytest.raises((TypeError, AttributeError)):
            data.extra = 1
        with pytest.raises(TypeError):
            data.attributes["age"] = np.zeros(3)

    def test_the_constructor_takes_its_arrays_over(self):
        """It is private to the doors: it freezes the very arrays it is given, and says so."""
        actual = np.array([0, 1], np.int32)
        data = pb.Predictions(("a", "b"), actual)
        assert data.actual is actual
        assert not actual.flags.writeable
        assert "private" in pb.Predictions.__doc__

    def test_a_table_travels_to_another_process(self):
        """Pickled and copied tables are the same, still frozen."""
        _, data = self.make()
        for other in (pickle.loads(pickle.dumps(data)), copy.deepcopy(data)):  # noqa: S301
            same(data, other)
            assert not other.prob.flags.writeable


class TestFiles:
    """Writing and reading."""

    def full(self, dtype=np.float64):
        """Return a table with every kind of column."""
        rng = np.random.default_rng(1)
        prob = rng.dirichlet(np.ones(3), 40).astype(dtype)
        prob[0] = [1, 0, 0]
        return arrays(
            rng.choice(["b", "a", 'ü, "x"\n'], 40),
            prob,
            classes=["b", 'ü, "x"\n', "a"],
            predicted=rng.choice(["b", "a"], 40),
            score=rng.normal(size=(40, 3)) * 1e-200,
            weight=rng.random(40),
            model=np.repeat(["m 1", "m 2"], 20),
            fold=np.arange(40) % 11,
            repeat=np.arange(40) // 20,
            row=np.tile(np.arange(20), 2),
            attributes={
                "age": rng.random(40),
                "count": rng.integers(-5, 5, 40),
                "note": np.array(
                    [["a,b", '"q"', "line\nbreak", "ü"][i % 4] for i in range(40)], dtype=object
                ),
            },
        )

    @pytest.mark.parametrize("ending", ENDINGS)
    def test_what_was_written_is_read_to_the_last_bit(self, tmp_path, ending):
        """Numbers, names with commas and line breaks, and the order of the classes come back."""
        data = self.full()
        data.write(tmp_path / f"table.{ending}")
        same(data, pb.read(tmp_path / f"table.{ending}"))
        same(data, pb.read(str(tmp_path / f"table.{ending}")))

    @pytest.mark.parametrize("ending", ENDINGS)
    def test_float32_comes_back_as_float32(self, tmp_path, ending):
        """Single precision survives a text file, which has no types: its sums tell."""
        data = self.full(np.float32)
        data.write(tmp_path / f"table.{ending}")
        same(dataclasses.replace(data), pb.read(tmp_path / f"table.{ending}"))

    @pytest.mark.parametrize("ending", ENDINGS)
    def test_labels_that_look_like_other_things_stay_labels(self, tmp_path, ending):
        """Class "007" is no number, "true" no truth value, "NA" not missing, "1e5" no float."""
        names = ["007", "true", "NA", "1e5", "2020-01-01", "nan"]
        data = arrays(names, np.eye(6), classes=names, model=names, fold=names, predicted=names)
        data.write(tmp_path / f"table.{ending}")
        same(data, pb.read(tmp_path / f"table.{ending}"))
        renamed = {"actual": "truth", "model": "who", "p:007": "bond"}
        table = data.to_frame()
        table = table.rename_columns([renamed.get(c, c) for c in table.column_names])
        if ending == "csv":
            pa.csv.write_csv(table, tmp_path / "other.csv")
            how = {"p:" + name: name for name in names[1:]}
            again = pb.read(
                tmp_path / "other.csv",
                actual="truth",
                rename={"who": "model"},
                prob={"bond": "007"} | how,
            )
            same(data, again)

    @pytest.mark.parametrize("ending", ENDINGS)
    @pytest.mark.parametrize(
        "names", [["01", "1"], ["1", "9" * 30], ["-1", "1"], ["1.0", "1"], ["1.0", "2.0"]]
    )
    def test_names_of_models_are_not_merged(self, tmp_path, ending, names):
        """Models "01" and "1" stay two, and a long number stays whole."""
        data = arrays([0, 1], [0.25, 0.75], model=names)
        data.write(tmp_path / f"table.{ending}")
        assert pb.read(tmp_path / f"table.{ending}").models == data.models

    @pytest.mark.parametrize("ending", ENDINGS)
    def test_classes_named_like_decimals_keep_their_names(self, tmp_path, ending):
        """The columns p:1.0 and p:2.0 tell that ".0" belongs to the names."""
        data = arrays(["1.0", "2.0"], [0.25, 0.75], positive="2.0")
        data.write(tmp_path / f"table.{ending}")
        same(data, pb.read(tmp_path / f"table.{ending}"))

    def test_labels_under_other_names_keep_their_text(self, tmp_path):
        """In a text file a renamed column is read as the label it becomes."""
        path = tmp_path / "table.csv"
        path.write_text("truth,01,02,who,ans,part\n01,1,0,01,01,1.0\n02,.5,.5,02,01,2.0\n")
        names = {"01": "p:01", "02": "p:02", "who": "model", "ans": "predicted", "part": "fold"}
        by_actual = pb.read(path, actual="truth", rename=names)
        by_name = pb.read(path, rename=names | {"truth": "actual"})
        by_both = pb.read(path, rename=names | {"truth": "t"}, actual="t")
        for data in (by_actual, by_name, by_both):
            assert data.classes == ("01", "02")
            assert data.models == ("01", "02")
            assert data.folds == ("1.0", "2.0")
            assert data.predicted.tolist() == [0, 0]
            assert data.actual.tolist() == [0, 1]

    def test_a_column_renamed_away_from_a_label_is_read_as_what_it_is(self, tmp_path):
        """A column `model` that becomes an attribute holds numbers again."""
        (tmp_path / "table.csv").write_text("actual,p:1,model\n0,.2,007\n1,.7,008\n")
        data = pb.read(tmp_path / "table.csv", rename={"model": "size"})
        assert data.attributes["size"].tolist() == [7, 8]

    def test_classes_renamed_to_decimals_keep_their_names(self, tmp_path):
        """The columns that become p:1.0 and p:2.0 tell that ".0" belongs to the names."""
        (tmp_path / "table.csv").write_text("actual,one,two\n1.0,.2,.8\n2.0,.7,.3\n")
        data = pb.read(tmp_path / "table.csv", rename={"one": "p:1.0", "two": "p:2.0"})
        assert data.classes == ("1.0", "2.0")

    @pytest.mark.parametrize("ending", ["parquet", "arrow", "feather"])
    def test_what_is_missing_in_an_attribute_stays_missing(self, tmp_path, ending):
        """None among texts comes back as None, NaN among numbers as NaN."""
        attributes = {
            "note": np.array(["a", None, "c"], dtype=object),
            "age": np.array([1.5, np.nan, 3.0]),
            "day": np.array(["2020-01-01", "NaT", "2020-01-03"], "M8[us]"),
            "none": np.array([None] * 3, dtype=object),
        }
        data = arrays([0, 1, 1], [0.1, 0.2, 0.3], attributes=attributes)
        data.write(tmp_path / f"table.{ending}")
        again = pb.read(tmp_path / f"table.{ending}").attributes
        assert again["note"].tolist() == ["a", None, "c"]
        np.testing.assert_array_equal(again["age"], [1.5, np.nan, 3.0])
        np.testing.assert_array_equal(again["day"], attributes["day"])
        assert list(again) == list(attributes)

    def test_text_files_have_no_missing_text(self, tmp_path):
        """In a text file a missing number is empty, and so is a missing text."""
        attributes = {"note": np.array(["a", None], object), "age": np.array([1.5, np.nan])}
        arrays([0, 1], [0.1, 0.2], attributes=attributes).write(tmp_path / "table.csv")
        again = pb.read(tmp_path / "table.csv").attributes
        assert again["note"].tolist() == ["a", ""]
        np.testing.assert_array_equal(again["age"], [1.5, np.nan])

    def test_whole_labels_written_as_floats_are_whole(self, tmp_path):
        """A column 0.0, 1.0, as pandas writes numbers beside missing ones, is 0 and 1."""
        (tmp_path / "table.csv").write_text("y_true,y_prob\n0.0,0.25\n1.0,0.75\n1.0,0.5\n")
        data = pb.read(tmp_path / "table.csv")
        assert data.classes == ("0", "1")
        (tmp_path / "table.csv").write_text("y_true,y_prob\n0.0,0.25\n1.5,0.75\n")
        assert pb.read(tmp_path / "table.csv", positive="1.5").classes == ("0.0", "1.5")

    @pytest.mark.parametrize("before", ["", "\ufeff"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_text_of_other_systems_is_read(self, tmp_path, before, newline):
        """A byte order mark, as Excel writes it, and Windows line ends do no harm."""
        text = f"{before}actual,p:n,p:y\nn,1,0\ny,.5,5e-1\n".replace("\n", newline)
        (tmp_path / "table.CSV").write_bytes(text.encode())
        data = pb.read(tmp_path / "table.CSV")
        assert data.prob.tolist() == [[1, 0], [0.5, 0.5]]

    def test_a_line_break_in_a_text_does_no_harm_wherever_it_falls(self, tmp_path, monkeypatch):
        """Texts with line breaks are read whole, also where a block of the file ends in one."""
        notes = np.array(["x" * (i % 7) + "\n,\n" * (i % 5) for i in range(300)], dtype=object)
        data = arrays([0, 1] * 150, [0.5] * 300, attributes={"note": notes})
        data.write(tmp_path / "table.csv")
        monkeypatch.setattr(text_files, "LONGEST_LINE", 128)
        same(data, pb.read(tmp_path / "table.csv"))

    def test_rounded_text_is_still_refused(self, tmp_path):
        """Four decimals that miss 1 by more than rounding are not taken for single precision."""
        (tmp_path / "table.csv").write_text("actual,p:0,p:1,p:2\n" + "0,.3333,.3333,.3323\n" * 3)
        with refused(InputError, "not-summing-to-1", "sum to 0.9989", argument="normalize"):
            pb.read(tmp_path / "table.csv")
        assert pb.read(tmp_path / "table.csv", normalize=True).n == 3

    def test_an_arrow_stream_is_read(self, tmp_path):
        """A stream under the ending .arrow, as some tools write it, is read as well."""
        with pa.ipc.new_stream(tmp_path / "s.arrow", pa.table(TABLE).schema) as stream:
            stream.write_table(pa.table(TABLE))
        assert pb.read(tmp_path / "s.arrow").n == 3

    @pytest.mark.parametrize("backend", ["pyarrow", "pandas", "polars"])
    def test_a_frame_of_any_kind_comes_back(self, backend):
        """to_frame and from_frame are inverse."""
        data = self.full()
        frame = data.to_frame(backend)
        assert type(frame).__module__.startswith(backend)
        same(data, pb.Predictions.from_frame(frame))

    def test_columns_stand_in_a_fixed_order(self):
        """Names of the rows first, then truth, probabilities and the rest; folds are numbers."""
        table = self.full().to_frame()
        assert table.column_names[:6] == ["model", "fold", "repeat", "row", "actual", "p:b"]
        assert table.column_names[-3:] == ["age", "count", "note"]
        assert table["fold"].type == pa.int64()

    def test_an_unknown_kind_of_frame_is_refused(self):
        """The refusal lists the kinds."""
        with refused(
            ParameterError,
            "unknown-name",
            "'pyarrow'",
            "'pandas'",
            "'polars'",
            "'panda'",
            argument="backend",
        ):
            self.full().to_frame("panda")

    @given(table=probability_tables())
    @settings(max_examples=examples(25))
    def test_any_table_survives_every_format(self, table, tmp_path_factory):
        """Read back from every format, a table is the same to the last bit."""
        y, prob = table
        data = arrays(y, prob, classes=range(prob.shape[1]))
        folder = tmp_path_factory.mktemp("any")
        for ending in ENDINGS:
            data.write(folder / f"t.{ending}")
            same(data, pb.read(folder / f"t.{ending}"))


class TestLabels:
    """Columns of few distinct values."""

    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float32, float])
    @pytest.mark.parametrize("spread", [1, 10**6])
    def test_numbers_are_coded_by_rank_whatever_their_range(self, dtype, spread, rng):
        """The quick way for a small range gives what sorting gives."""
        top = 100 if np.dtype(dtype).itemsize == 1 else 100 * spread
        low = 0 if np.dtype(dtype).kind == "u" else -top
        values = rng.integers(low, top, 200).astype(dtype)
        labels = Labels.of("x", values)
        distinct, codes = np.unique(values, return_inverse=True)
        assert labels.names == tuple(str(int(v)) for v in distinct)
        assert labels.codes.tolist() == codes.tolist()

    @pytest.mark.parametrize(
        ("values", "names"),
        [
            ([np.iinfo(np.int64).min, np.iinfo(np.int64).max], (str(-(2**63)), str(2**63 - 1))),
            (np.array([2**64 - 1, 2**64 - 2], np.uint64), (str(2**64 - 2), str(2**64 - 1))),
            (np.array([-128, 127], np.int8), ("-128", "127")),
            ([0.5, -np.inf, 1e300], ("-inf", "0.5", str(int(1e300)))),
            ([0.0, -0.0], ("0",)),
            ([True, False], ("False", "True")),
            (["10", "9", "-3"], ("-3", "9", "10")),
            (["b", "a", "b"], ("b", "a")),
            (["7", "07"], ("07", "7")),
            (np.array([1, "1", None, 2], dtype=object)[[0, 1, 3]], ("1", "2")),
        ],
    )
    def test_extreme_and_mixed_values(self, values, names):
        """Numbers sort by value, texts keep their first appearance, equal texts are one."""
        labels = Labels.of("x", values)
        assert labels.names == names
        assert [str(v) for v in labels.values()] == [
            label_text(v) for v in np.asarray(values).tolist()
        ]

    def test_row_order_does_not_change_the_order_of_numbers(self):
        """The texts "7" and "07" have the same value and still one order."""
        assert Labels.of("x", ["07", "7"]).names == Labels.of("x", ["7", "07"]).names


class TestRepr:
    """What a table says of itself."""

    def test_it_tells_what_is_in_it(self):
        """Rows, classes, kind, models, folds, weights and attributes, in one line."""
        data = TestParts.data
        facts = ("24 rows", "3 classes", "('0', '1', '2')", "probabilities", "models 'b', 'a'")
        facts += ("12 folds", "weights", "1 attribute")
        assert [fact for fact in facts if fact not in repr(data)] == []
        few = repr(arrays([0, 1], predicted=[0, 1]))
        assert all(fact in few for fact in ("2 rows", "('0', '1')", "positive '1'", "labels"))
        assert "ratings" in repr(arrays([0, 1], score=[0.0, 1]))

    def test_it_stays_short(self):
        """A thousand classes do not flood the screen."""
        assert len(repr(arrays([0, 1], np.full((2, 1000), 1e-3)))) < 150


def test_weights():
    """Weights are float64; their effective number is (sum w)^2 / sum w^2."""
    data = arrays([0, 1, 1], [0.1, 0.2, 0.3], weight=[1, 0, 3])
    assert data.weight.dtype == np.float64
    assert data.effective_n == 16 / 10
    assert arrays([0, 1], [0.1, 0.2]).effective_n == 2
    for weight in (0.5, 1e-300, 1e300, 5e-324):
        assert arrays([0, 1], [0.1, 0.2], weight=[weight, weight]).effective_n == 2


def test_mass_is_the_weight_of_every_row():
    """Without weights every row weighs 1."""
    plain = arrays([0, 1, 1], [0.1, 0.2, 0.3])
    assert plain.mass.tolist() == [1, 1, 1]
    assert plain.mass.dtype == np.float64
    weighted = arrays([0, 1], [0.1, 0.2], weight=[2, 3])
    assert weighted.mass is weighted.weight


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_a_frame_of_a_library_that_is_missing_says_how_to_install_it(backend):
    """Tables and results name the command where the library of frames is not installed."""
    code = f"""
import sys, plumbline as pb
from plumbline._result import Result
class Absent:
    def find_spec(self, name, *_):
        if name == {backend!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
for thing in (pb.Predictions.from_arrays([0, 1], [0.1, 0.9]), Result()):
    try:
        thing.to_frame({backend!r})
    except pb.MissingExtraError as error:
        print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.count(f" -m pip install {backend}\n") == 2


def test_files_need_no_other_library():
    """Files are written and read where neither pandas nor Polars nor SciPy can be imported."""
    code = """
import sys, tempfile, pathlib, plumbline as pb
class Absent:
    def find_spec(self, name, *_):
        if name in ("pandas", "polars", "scipy", "sklearn", "matplotlib"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
folder = pathlib.Path(tempfile.mkdtemp())
for ending in ("csv", "parquet", "arrow"):
    pb.Predictions.from_arrays([0, 1], [0.1, 0.9], model=["a", "b"]).write(folder / f"t.{ending}")
    print(pb.read(folder / f"t.{ending}").n)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["2", "2", "2"]


def test_every_argument_of_from_arrays_is_explained():
    """The class's own page names all fields, and from_arrays all that needs a rule."""
    page = pb.Predictions.__doc__
    for field in dataclasses.fields(pb.Predictions):
        assert re.search(rf"\b{field.name}\b", page), field.name


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_outside_by_rounding_becomes_0_or_1(dtype):
    """Up to sqrt(eps) of the type, as a softmax in single precision gives; more is refused."""
    slack = np.sqrt(np.finfo(dtype).eps)
    over, under = np.array([1 + slack / 2, -slack / 2], dtype)
    one = arrays([1, 0], np.array([over, under]))
    assert (one.prob[:, 1].tolist(), one.prob.dtype) == ([1, 0], dtype)
    given = np.array([[under, over, 0], [0.25, 0.25, 0.5]], dtype)
    many = arrays([1, 2], given, classes=range(3))
    assert many.prob.tolist() == [[0, 1, 0], [0.25, 0.25, 0.5]]
    assert given[0, 1] == over  # what was passed is left alone
    scaled = arrays([1, 2], given, classes=range(3), normalize=True)
    assert scaled.prob.min() == 0
    for wrong in (1 + 2 * slack, -2 * slack):
        with refused(InputError, "no-probability", "row 0"):
            arrays([1, 0], np.array([wrong, 0.5], dtype))


@pytest.mark.parametrize("mark", ["p:", "score:"])
def test_blanks_around_the_class_of_a_column_are_no_part_of_it(tmp_path, mark):
    """Unless a label has them: then they are part of its name."""
    path = tmp_path / "table.csv"
    path.write_text(f"actual,{mark}a , {mark}b,{mark} c\na,.5,.3,.2\nb,.5,.3,.2\n")
    data = pb.read(path)
    assert (data.classes, list(data.attributes)) == (("a", "b", "c"), [])
    same(
        data, pb.read(path, prob={"p:a ": "a ", " p:b": "b", "p: c": "c"})
    ) if mark == "p:" else None
    own = pa.table({"actual": ["a ", "b"], f"{mark}a ": [0.5, 0.4], f"{mark}b": [0.5, 0.6]})
    assert pb.Predictions.from_frame(own).classes == ("a ", "b")
    with refused(InputError, "column-without-class"):
        pb.Predictions.from_frame(pa.table({"actual": ["a", "b"], "p: ": [0.5, 0.4]}))
    both = {f"{mark}a": [0.5, 0.4], f"{mark}a ": [0.1, 0.2], f"{mark}b": [0.5, 0.6]}
    with refused(InputError, "not-unique", "'a'"):
        pb.Predictions.from_frame(pa.table({"actual": ["a", "b"], **both}))


@pytest.mark.parametrize("wrong", [np.array([0, 1]), [0, 1], None, 3])
def test_reading_what_is_no_file_names_the_other_ways(wrong):
    """Arrays and frames are told where they go."""
    for read in (pb.read, pb.Predictions.read):
        with refused(ParameterError, "wrong-kind", "from_arrays", "from_frame", argument="path"):
            read(wrong)
    with refused(ParameterError, "wrong-kind", "from_frame", argument="path"):
        pb.Predictions.read(pd.DataFrame({"actual": [1]}))


def test_a_frame_is_read_as_it_is():
    """`read` takes data frames besides files."""
    frame = pd.DataFrame({"actual": [0, 1], "p:1": [0.2, 0.7]})
    assert pb.read(frame).fingerprint() == pb.Predictions.from_frame(frame).fingerprint()


class TestNamedColumns:
    """A frame of probabilities whose columns are called like the labels names the classes."""

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    @pytest.mark.parametrize("order", [["n", "y"], ["y", "n"]])
    def test_the_order_of_named_columns_does_not_matter(self, library, order):
        """The same frame with its columns swapped gives every class its own probabilities."""
        frame = pytest.importorskip(library).DataFrame({"n": [0.9, 0.2], "y": [0.1, 0.8]})[order]
        data = pb.Predictions.from_arrays(["n", "y"], frame)
        assert data.prob[:, data.class_number("y")].tolist() == [0.1, 0.8]
        assert data.classes == tuple(order)

    def test_columns_of_which_only_some_are_labels_are_refused(self):
        """Half a match is a mistake in the names, not another order."""
        frame = pd.DataFrame({"n": [0.9, 0.2], "yes": [0.1, 0.8]})
        with refused(pb.InputError, "columns-disagree"):
            pb.Predictions.from_arrays(["n", "y"], frame)

    def test_other_names_leave_the_order_of_the_labels(self):
        """Columns called anything else are taken in the order of the sorted labels."""
        frame = pd.DataFrame({"p0": [0.9, 0.2], "p1": [0.1, 0.8]})
        assert pb.Predictions.from_arrays(["n", "y"], frame).classes == ("n", "y")


def test_writing_logits_warns_where_probabilities_round_to_zero(tmp_path):
    """A file holds probabilities, so what the logits knew beyond them is lost, and that is said."""
    data = pb.Predictions.from_logits([0, 1], [3000.0, -3000.0])
    with warned("lost-logarithms", "2 probabilities", "to 0"):
        data.write(tmp_path / "logits.parquet")


def test_a_class_may_be_named_as_the_file_writes_it(tmp_path):
    """Labels 0.0 and 1.0 are the classes 0 and 1, and prob={column: "1.0"} finds its class."""
    path = tmp_path / "rain.csv"
    path.write_text("obs,chance\n0.0,0.2\n1.0,0.7\n")
    for name in ("1", "1.0", 1.0):
        data = pb.read(path, actual="obs", prob={"chance": name})
        assert data.classes == ("0", "1")
        assert data.prob[:, 1].tolist() == [0.2, 0.7]


def test_the_constructor_takes_no_raw_arrays():
    """Arrays in the places of y_true and y_prob are refused, and stay the caller's."""
    y, p = np.array([0, 1, 1]), np.array([0.2, 0.7, 0.6])
    for args in ((y, p), ([0, 1], [0.2, 0.7]), (["no", "yes"], p)):
        with refused(ParameterError, "private-constructor"):
            pb.Predictions(*args)
    assert y.flags.writeable
    assert p.flags.writeable


def test_a_table_has_a_length_a_head_and_html():
    """As a frame has them; the HTML shows the first rows and says how many more there are."""
    data = pb.Predictions.from_arrays([0, 1, 1] * 4, [0.2, 0.7, 0.6] * 4)
    assert len(data) == 12
    assert data.head(2).to_pydict() == {
        "actual": ["0", "1"],
        "p:0": [0.8, pytest.approx(0.3)],
        "p:1": [0.2, 0.7],
    }
    assert data.head(99).num_rows == 12
    html = data._repr_html_()
    assert html.count("<tr>") == 6
    assert "7 more rows" in html


HALVES = st.integers(2, 8).flatmap(
    lambda k: hnp.arrays(np.float16, (6, k), elements=st.floats(-8, 8, width=16))
)


@given(HALVES)
def test_a_softmax_in_half_precision_is_read(logits):
    """float16 probabilities are accepted as the docstring says, held as float32, and sum to 1."""
    ratio = np.exp(logits - logits.max(axis=1, keepdims=True))
    prob = ratio / ratio.sum(axis=1, keepdims=True, dtype=np.float16)
    classes = range(prob.shape[1])
    data = arrays([0, 1] * 3, prob, classes=classes)
    assert data.prob.dtype == np.float32
    assert np.allclose(data.prob.sum(axis=1, dtype=np.float64), 1, atol=4e-4)
    assert np.allclose(data.prob, prob, atol=0.032)
    columns = {f"p:{name}": pa.array(prob[:, place]) for place, name in enumerate(classes)}
    framed = pb.Predictions.from_frame(pa.table({"actual": ["0", "1"] * 3, **columns}))
    assert framed.prob.tolist() == data.prob.tolist()


def test_half_precision_excuses_no_other_sums():
    """A row off by more, or a row of float32 off by as much, is refused as before."""
    good, off = [0.5, 0.25, 0.25], [0.5, 0.25, 0.2969]
    for prob in (np.array([good, off], np.float16), np.array([good, [0.3, 0.3, 0.39]], np.float32)):
        with refused(InputError, "not-summing-to-1"):
            arrays([0, 2], prob)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_frame_gives_attributes(library):
    """A frame is its columns by name, with the values that `from_frame` would keep."""
    columns = {"age": [31, 54, 20], "sex": ["f", "m", "f"], "weight_kg": [60.5, None, 80.0]}
    frame = nw.from_dict(columns, backend=library).to_native()
    data = arrays([0, 1, 1], [0.1, 0.8, 0.7], attributes=frame)
    whole = nw.from_dict({"actual": [0, 1, 1], "p:1": [0.1, 0.8, 0.7], **columns}, backend=library)
    read = pb.Predictions.from_frame(whole.to_native())
    assert list(data.attributes) == list(columns)
    for name in columns:
        assert data.attributes[name].dtype == read.attributes[name].dtype
        assert data.attributes[name].tolist()[0] == columns[name][0]


def test_what_gives_no_attributes_is_refused_in_words():
    """Neither columns by name nor a frame: the error says what it must be and what arrived."""
    for wrong in (np.zeros(3), [1, 2, 3], 5, "age"):
        with refused(ParameterError, "wrong-kind", argument="attributes"):
            arrays([0, 1, 1], [0.1, 0.8, 0.7], attributes=wrong)
    frame = nw.from_dict({"age": [1, 2]}, backend="pyarrow").to_native()
    with refused(InputError, "lengths-differ", "age"):
        arrays([0, 1, 1], [0.1, 0.8, 0.7], attributes=frame)


def test_percent_are_the_probabilities_that_they_stand_for():
    """23.12 % is the number 0.2312, so that rows rounded to four digits are known as such."""
    percent = np.array([[23.12, 33.33, 43.54], [10.01, 20.02, 69.96], [33.33, 33.33, 33.33]])
    table = {f"prob_{name}": percent[:, j] for j, name in enumerate("abc")}
    shares = np.round(percent / 100, 4)
    with warned("rounded-rows", "4 digits"):
        data = pb.Predictions.from_frame(pa.table({"truth": [*"abc"], **table}), scale=100)
    with warned("rounded-rows"):
        expected = pb.Predictions.from_arrays([*"abc"], shares, classes=[*"abc"])
    assert data.prob.tolist() == expected.prob.tolist()
