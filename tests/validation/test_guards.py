"""The guards of error estimation, and the .632+ estimate."""

import importlib
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from sklearn import datasets
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier, StackingClassifier, VotingClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import plumbline as pb
from laws import examples
from plumbline.errors import ParameterError
from plumbline.validation.bootstrap_632 import no_information_loss, out_of_bag_weights, point_632
from plumbline.validation.dataset import Split, split_of
from plumbline.validation.guards import findings, need_unfitted
from plumbline.validation.guards.features import areas_by_category, areas_by_order, column_of
from plumbline.validation.guards.near_rows import coordinates, nearest
from plumbline.validation.guards.rows import forward
from refusals import refused

BUNDLED = [datasets.load_breast_cancer, datasets.load_digits, datasets.load_wine]


def folds_of(y, folds=5, inner=0):
    """Return stratified folds, with stratified inner ones if asked for."""
    cv = StratifiedKFold(folds, shuffle=True, random_state=0)
    splits = []
    for fold, (train, test) in enumerate(cv.split(y, y)):
        within = StratifiedKFold(inner).split(train, y[train]) if inner else ()
        splits.append(Split(0, fold, train, test, tuple(within)))
    return splits


def table(rng, n=200, d=4):
    """Return a table in which nothing is odd: random numbers, two random classes."""
    return rng.normal(size=(n, d)), np.arange(n) % 2


def names_of(found):
    """Return the names of findings."""
    return [one.name for one in found]


class TestSilence:
    """A guard that cries wolf is switched off: clean data must find nothing."""

    @pytest.mark.parametrize("load", BUNDLED)
    def test_known_clean_tables(self, load):
        """Breast cancer, digits and wine, with inner folds."""
        X, y = load(return_X_y=True)
        assert findings(X, y, folds_of(y, inner=3)) == ()

    @settings(max_examples=examples(20))
    @given(seed=st.integers(0, 2**32), n=st.integers(40, 120), k=st.integers(2, 4))
    def test_random_tables(self, seed, n, k):
        """Numbers, small whole numbers, wide whole numbers and texts, missing ones among them."""
        rng = np.random.default_rng(seed)
        X = np.empty((n, 5), dtype=object)
        X[:, 0] = rng.normal(size=n)
        X[:, 1] = rng.integers(30, size=n)
        X[:, 2] = rng.integers(10**9, size=n)
        X[:, 3] = rng.choice(["red", "green", "blue"], size=n)
        X[:, 4] = rng.normal(size=n)
        X[rng.random(n) < 0.2, 4] = None
        X[rng.random(n) < 0.2, 3] = None
        y = rng.permutation(np.arange(n) % k)
        assert findings(X, y, folds_of(y), groups=None) == ()

    def test_wide_tables_of_few_rows(self, rng):
        """A thousand random features of 40 rows: none looks near-perfect by chance."""
        X, y = table(rng, n=40, d=1000)
        assert findings(X, y, folds_of(y)) == ()


class TestRows:
    """The same rows, equal rows, rows of one group on both sides."""

    def test_shared_rows_are_an_error_with_their_numbers(self, rng):
        """Rows 3 and 7 in both parts of one fold."""
        X, y = table(rng, n=60)
        split = Split(0, 2, np.arange(0, 40), np.array([3, 7, *range(40, 60)]))
        (result,) = findings(X, y, [split])
        assert (result.name, result.severity, result.row_numbers) == (
            "shared-rows",
            "error",
            (3, 7),
        )
        assert "2 rows (3, 7)" in result.text
        assert "fold 2" in result.text
        assert "repeat 0" in result.text

    def test_rows_shared_by_inner_parts(self, rng):
        """A bootstrap sample holds row 5 twice, and an inner split puts one copy on each side."""
        X, y = table(rng, n=60)
        train = np.array([5, 5, *range(6, 40)])
        inner = (np.arange(0, 36, 2), np.arange(1, 36, 2))
        (result,) = findings(X, y, [Split(0, 0, train, np.arange(40, 60), (inner,))])
        assert (result.name, result.row_numbers) == ("shared-rows", (5,))
        assert "inner fold 0" in result.text

    def test_resubstitution_shares_its_rows_by_intent_and_says_so(self, rng):
        """No error, but a warning that no number holds for new rows."""
        X, y = table(rng, n=60)
        (result,) = findings(X, y, [Split(0, 0, np.arange(60), np.arange(60))], out_of_sample=False)
        assert (result.name, result.severity) == ("measured-on-training-data", "warning")
        assert len(result.row_numbers) == 60

    def test_equal_rows_on_both_sides(self, rng):
        """The iris data hold one flower twice; on the same side of a split that is no leak."""
        X, y = datasets.load_iris(return_X_y=True)
        result = findings(X[50:], y[50:], [Split(0, 0, np.arange(60), np.arange(60, 100))])
        assert [(one.name, one.row_numbers) for one in result] == [("duplicate-rows", (51, 92))]
        same_side = Split(0, 0, np.arange(10, 100), np.arange(10))
        assert findings(X[50:], y[50:], [same_side]) == ()

    @settings(max_examples=examples(12))
    @given(seed=st.integers(0, 2**32))
    def test_equal_rows_are_those_a_literal_search_finds(self, seed):
        """All pairs of rows compared one by one, missing values equal to each other."""
        rng = np.random.default_rng(seed)
        n = 40
        X = rng.integers(3, size=(n, 3)).astype(float)
        X[rng.random((n, 3)) < 0.2] = np.nan
        y = rng.permutation(np.arange(n) % 2)
        splits = folds_of(y, 2)
        wanted = set()
        for split in splits:
            for a in split.train:
                for b in split.test:
                    if np.array_equal(X[a], X[b], equal_nan=True):
                        wanted |= {int(a), int(b)}
        result = [one for one in findings(X, y, splits) if one.name == "duplicate-rows"]
        assert set().union(*(one.row_numbers for one in result)) == wanted

    def test_a_table_written_twice(self, rng):
        """Every row has a copy, all of one class: 60 sets are counted."""
        X, y = table(rng, n=60)
        result = findings(np.vstack([X, X]), np.tile(y, 2), folds_of(np.tile(y, 2)))
        assert names_of(result) == ["duplicate-rows"]
        assert set(result[0].row_numbers) <= set(range(120))
        assert "one class" in result[0].text

    def test_split_groups(self, rng):
        """Ward b is on both sides; wards a and c are whole."""
        X, y = table(rng, n=60)
        wards = np.array(["a"] * 20 + ["b"] * 30 + ["c"] * 10)
        split = Split(0, 0, np.arange(40), np.arange(40, 60))
        (result,) = findings(X, y, [split], groups=wards)
        assert (result.name, result.severity) == ("groups-torn-apart", "error")
        assert result.row_numbers == tuple(range(20, 50))
        assert "'b'" in result.text
        whole = Split(0, 0, np.arange(20), np.arange(20, 60))
        assert findings(X, y, [whole], groups=wards) == ()

    def test_groups_split_by_inner_parts_alone(self, rng):
        """The outer split keeps the groups whole, the search inside does not."""
        X, y = table(rng, n=60)
        groups = np.arange(60) // 10
        inner = (np.arange(0, 35), np.arange(35, 40))
        result = findings(
            X, y, [Split(0, 0, np.arange(40), np.arange(40, 60), (inner,))], groups=groups
        )
        assert [(one.name, one.row_numbers) for one in result] == [
            ("groups-torn-apart", tuple(range(30, 40)))
        ]


class TestFeatures:
    """Single features that know the class, or the row."""

    @pytest.mark.parametrize("k", [2, 3])
    def test_the_target_under_another_name(self, rng, k):
        """As texts and as numbers; one row otherwise and it is near-perfect, not the target."""
        X, _ = table(rng)
        y = np.arange(200) % k
        for renamed in (np.array(["no", "yes", "maybe"], dtype=object)[y], 10.0 - y):
            whole = np.column_stack([X.astype(object), renamed])
            (result,) = findings(whole, y, folds_of(y), columns=["a", "b", "c", "d", "leak"])
            assert (result.name, result.severity) == ("target-among-features", "error")
            assert "column 'leak'" in result.text
            whole[0, 4] = whole[1, 4]
            (result,) = findings(whole, y, folds_of(y))
            assert (result.name, result.severity) == ("near-perfect-feature", "warning")

    @pytest.mark.parametrize(("rare", "found"), [(6, ["target-among-features"]), (3, [])])
    def test_a_copy_of_a_rare_target(self, rng, rare, found):
        """Six rows of 200 that a column marks are no accident; three may be one of many columns."""
        X, _ = table(rng)
        y = np.r_[np.ones(rare, int), np.zeros(200 - rare, int)]
        names = names_of(findings(np.column_stack([X, y]), y, folds_of(y, folds=3)))
        assert names == found

    def test_a_number_that_orders_the_rows_by_class(self, rng):
        """Either direction, and one class of three against the others."""
        X, _ = table(rng)
        y = np.arange(200) % 3
        for sign in (1, -1):
            X[:, 1] = sign * ((y == 1) * 5 + rng.normal(size=200))
            (result,) = findings(X, y, folds_of(y))
            assert result.name == "near-perfect-feature"
            assert result.text.startswith("column 1 ")
            assert " '1' " in result.text

    def test_categories_that_tell_the_class(self, rng):
        """Forty wards of which each treats one class; as texts, and as numbers without order."""
        X, y = table(rng, n=400)
        ward = 2 * rng.integers(20, size=400) + y
        text = np.array([f"ward {w}" for w in ward], dtype=object)
        (result,) = findings(np.column_stack([X.astype(object), text]), y, folds_of(y))
        assert result.name == "near-perfect-feature"
        assert "a category" in result.text
        code = (2 * rng.integers(10, size=400) + y).astype(float)
        assert names_of(findings(code[:, None], y, folds_of(y))) == [
            "near-perfect-feature",
            "duplicate-rows",
        ]

    def test_missing_values_that_tell_the_class(self, rng):
        """A value measured for the sick only."""
        X, y = table(rng)
        X[y == 0, 2] = np.nan
        (result,) = findings(X, y, folds_of(y))
        assert "column 2 " in result.text

    def test_names_and_numbers_of_rows(self, rng):
        """Texts, numbers in order, numbers in any order; a measurement with decimals is none."""
        X, y = table(rng)
        shuffled = rng.permutation(200) + 7000.0
        texts = np.array([f"patient {i}" for i in shuffled], dtype=object)
        for values in (texts, shuffled, np.arange(200) * 1e6, np.arange(200)[::-1]):
            whole = np.column_stack([X.astype(object), values])
            (result,) = findings(whole, y, folds_of(y))
            assert (result.name, result.severity) == ("identity-like-feature", "warning")
            assert "column 4" in result.text

    def test_areas_of_numbers_are_those_of_scikit_learn(self, rng):
        """Ties and three classes; the larger of the area and its mirror image."""
        for values in (rng.normal(size=90), rng.integers(5, size=90)):
            y = rng.integers(3, size=90)
            result = areas_by_order(column_of(values, "x"), y, np.bincount(y, minlength=3))
            areas = np.array([roc_auc_score(y == c, values) for c in range(3)])
            assert result == pytest.approx(np.maximum(areas, 1 - areas), abs=1e-12)

    def test_areas_of_categories_are_those_of_a_loop(self, rng):
        """Each row rated by the share of the class among the other rows of its category."""
        y = rng.integers(3, size=90)
        values = rng.integers(25, size=90)
        result = areas_by_category(column_of(values, "x"), y, np.bincount(y, minlength=3))
        for c in range(3):
            rating = np.empty(90)
            for i in range(90):
                others = (values == values[i]) & (np.arange(90) != i)
                rating[i] = (y[others] == c).mean() if others.any() else (y == c).mean()
            assert result[c] == pytest.approx(roc_auc_score(y == c, rating), abs=1e-12)

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_a_frame_finds_the_same_by_the_names_of_its_columns(self, rng, library):
        """Texts, categories and missing values of either library."""
        frames = importlib.import_module(library)
        _, y = table(rng)
        ward = [None if i % 50 == 0 else f"ward {2 * (i // 50) + y[i]}" for i in range(200)]
        result = findings(
            frames.DataFrame({"x": rng.normal(size=200), "ward": ward}), y, folds_of(y)
        )
        assert names_of(result) == ["near-perfect-feature"]
        assert "column 'ward'" in result[0].text

    def test_texts_to_classify_are_no_names_of_rows(self):
        """A column of documents, each another, is what is learnt from; a copy of one is found."""
        texts = np.array([f"document {i}" for i in range(40)], dtype=object)
        y = np.arange(40) % 2
        assert findings(texts, y, folds_of(y)) == ()
        texts[0] = texts[39]
        assert findings(texts, y, [Split(0, 0, np.arange(30), np.arange(30, 40))])[0].name == (
            "duplicate-rows"
        )

    def test_too_few_names_are_refused(self, rng):
        """Every feature has a name, or none has."""
        X, y = table(rng)
        with refused(ParameterError, "wrong-length", "4 features", "got 1", argument="columns"):
            findings(X, y, folds_of(y), columns=["a"])

    def test_a_sparse_table_finds_the_same(self, rng):
        """Columns of a sparse table are looked at one by one."""
        from scipy.sparse import csr_matrix

        X, y = table(rng)
        X[:, 1] = y
        dense, sparse = (findings(one, y, folds_of(y)) for one in (X, csr_matrix(X)))
        assert [one.text for one in dense] == [one.text for one in sparse]
        assert names_of(dense) == ["target-among-features"]


def patients(kind, *, mixed=False, noise=0.02, seed=1):
    """Return features, ids and classes of 60 patients with 5 near-equal rows each, shuffled.

    The classes are random per patient; mixed ones differ in a fifth of the rows.
    """
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(60), 5)
    X = rng.normal(size=(60, 4))[who] + noise * rng.normal(size=(300, 4))
    y = rng.integers(2, size=60)[who]
    if mixed:
        y = np.where(rng.random(300) < 0.2, 1 - y, y)
    number = rng.permutation(60)[who]
    names = np.array([f"P{i:02d}" for i in range(60)], dtype=object)
    ids = {"whole": number + 1000, "text": names[number], "decimal": number * 1.5 + 0.25}[kind]
    order = rng.permutation(300)
    return X[order], ids[order], y[order]


class TestRepeated:
    """Several rows of one example: with their id, without it, and where it is dropped."""

    @pytest.mark.parametrize("kind", ["whole", "text", "decimal"])
    @pytest.mark.parametrize("mixed", [False, True])
    def test_an_id_that_repeats_suggests_groups(self, kind, mixed):
        """Whatever it is called, whatever its values, also where a patient has both classes."""
        X, ids, y = patients(kind, mixed=mixed)
        whole = np.column_stack([X.astype(object), ids])
        (result,) = findings(whole, y, folds_of(y), columns=[*"abcd", "x"])
        assert (result.name, result.severity) == ("repeated-id", "warning")
        assert "column 'x'" in result.text
        assert "--groups x" in result.text
        (dropped,) = findings(X, y, folds_of(y), left_out={"x": ids})
        assert dropped.name == "repeated-id"
        assert names_of(findings(X, y, folds_of(y))) == ["near-equal-rows"]

    @pytest.mark.parametrize(
        ("cv", "ordered"),
        [
            ("time-series:2", True),
            ("time-series:4", True),
            (TimeSeriesSplit(4), True),
            (TimeSeriesSplit(4, max_train_size=50), True),
            ("k-fold:2", False),
            ("stratified:5", False),
            ("holdout:0.3", False),
            (KFold(5), False),
        ],
    )
    def test_no_groups_are_recommended_where_splits_go_forward_in_time(self, cv, ordered):
        """Equal and nearly equal rows are to be dropped, and known patients are met again."""
        X, ids, y = patients("whole")
        for features, about, groups_help in (
            (X, {}, "near-equal-rows"),
            (patients("whole", noise=0.0)[0], {}, "duplicate-rows"),
            (X, {"patient": ids}, "repeated-id"),
        ):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", pb.PlumblineWarning)
                result = pb.estimate(
                    GaussianNB(), features, y, scheme=cv, left_out=about, metrics="accuracy"
                ).remarks
            advised = [one.name for one in result if "groups" in one.text.replace("no groups", "")]
            assert advised == ([] if ordered else [groups_help])
            wanted = groups_help != "repeated-id" or not ordered
            assert (groups_help in names_of(result)) is wanted

    def test_splits_known_by_what_is_not_tested_go_forward_too(self):
        """The last training part of a time series is all rows that are not tested."""
        splits = [
            split_of(0, fold, parts, 30)
            for fold, parts in enumerate(TimeSeriesSplit(4).split(np.zeros(30)))
        ]
        assert isinstance(splits[-1].given, int)
        assert forward(splits)
        assert not forward(splits[::-1])

    def test_splits_that_keep_the_id_whole_are_silent(self):
        """With the groups it asks for, nothing is left to say."""
        X, ids, y = patients("whole")
        cv = GroupKFold(5)
        splits = [Split(0, i, a, b) for i, (a, b) in enumerate(cv.split(X, y, ids))]
        whole = np.column_stack([X, ids])
        for features in (X, whole):
            assert findings(features, y, splits, groups=ids, left_out={"x": ids}) == ()

    def test_what_the_warning_is_worth(self):
        """The nearest neighbour is right in every row, and by whole patients in half of them."""
        X, ids, y = patients("whole")
        nearest, chosen = KNeighborsClassifier(1), {"metrics": "accuracy"}
        with pytest.warns(pb.PlumblineWarning, match="repeated-id"):
            naive = pb.estimate(nearest, X, y, left_out={"patient": ids}, **chosen)
        grouped = pb.estimate(nearest, X, y, groups=ids, scheme="grouped:5", **chosen)
        assert naive.models[0].summary[0].mean > 0.99
        assert grouped.models[0].summary[0].mean < 0.65

    def test_rows_that_are_less_alike(self):
        """With a fifth of the spread as noise the id still tells; without it nothing does."""
        X, ids, y = patients("whole", noise=0.2)
        assert names_of(findings(X, y, folds_of(y), left_out={"x": ids})) == ["repeated-id"]
        assert findings(X, y, folds_of(y)) == ()

    @pytest.mark.parametrize(("name", "wanted"), [("customer_id", ["repeated-id"]), ("age", [])])
    def test_an_id_by_its_name_alone(self, rng, name, wanted):
        """Rows that are not alike: customer_id says whose they are, age does not."""
        X, y = table(rng, n=300)
        values = rng.integers(60, size=300)
        assert names_of(findings(X, y, folds_of(y), left_out={name: values})) == wanted

    def test_a_measured_number_is_no_id(self, rng):
        """Features that go with it, and a rounded twin of one of them."""
        base = rng.normal(size=600)
        near = [base + 0.01 * rng.normal(size=600) for _ in range(3)]
        X = np.column_stack([np.round(10 * base), *near, 3 * base])
        y = rng.permutation(np.arange(600) % 2)
        assert findings(X, y, folds_of(y)) == ()

    @pytest.mark.parametrize(
        ("noise", "wanted"),
        [(0.0, "duplicate-rows"), (1e-9, "near-equal-rows"), (1e-5, "near-equal-rows")],
    )
    @pytest.mark.parametrize("n", [200, 2000])
    def test_copied_rows_under_numbers_of_their_own(self, noise, wanted, n):
        """Eighty copies and a unique rowid: equal, or equal up to rounding."""
        rng = np.random.default_rng(2)
        X, y = rng.normal(size=(n, 4)), rng.integers(2, size=n)
        copies = X[:80] * (1 + noise * rng.normal(size=(80, 4)))
        order = rng.permutation(n + 80)
        X, y = np.vstack([X, copies])[order], np.r_[y, y[:80]][order]
        result = findings(np.column_stack([np.arange(n + 80), X]), y, folds_of(y))
        assert names_of(result) == ["identity-like-feature", wanted]
        place = np.argsort(order)
        pairs = set(place[:80].tolist()) | set(place[n:].tolist())
        assert len(result[1].row_numbers) >= 100
        assert set(result[1].row_numbers) <= pairs

    def test_texts_beside_few_values_are_no_copies(self, rng):
        """Without the texts all rows are equal to many, as features of two values are."""
        texts = np.array([f"note {i}" for i in range(200)], dtype=object)
        X = np.column_stack([texts, rng.integers(2, size=200), rng.integers(2, size=200)])
        y = rng.permutation(np.arange(200) % 2)
        assert names_of(findings(X, y, folds_of(y))) == ["identity-like-feature"]

    @pytest.mark.parametrize("d", [1, 2, 3, 10])
    def test_numbers_in_few_or_many_dimensions(self, d):
        """Nothing is near-equal by chance, also among skewed numbers and beside categories."""
        for seed in range(8):
            rng = np.random.default_rng(seed)
            X = rng.normal(size=(300, d)) if seed % 2 else np.exp(2 * rng.normal(size=(300, d)))
            if seed % 4 > 1:
                X = np.column_stack([X, rng.integers(2, size=(300, 3))])
            y = rng.permutation(np.arange(300) % 2)
            assert findings(X, y, folds_of(y)) == ()

    def test_nearest_rows_are_those_of_scikit_learn(self, rng):
        """Distances and rows; more coordinates than are kept are projected to within a few %."""
        X = rng.normal(size=(400, 6))
        result = nearest(X, np.arange(400))
        distance, rows = NearestNeighbors(n_neighbors=34).fit(X).kneighbors(X)
        assert result.distance == pytest.approx(distance[:, 1:], abs=1e-9)
        assert (result.rows == rows[:, 1:]).all()
        wide = rng.normal(size=(60, 500))
        points = coordinates(column_of(values, "x") for values in wide.T)
        ratio = pdist(points) / pdist(wide)
        assert points.shape == (60, 64)
        assert ratio / ratio.mean() == pytest.approx(1, abs=0.6)

    def test_dimensions_of_a_plane_are_two(self, rng):
        """Points of a square, in three coordinates of which one follows from the others."""
        flat = rng.uniform(size=(2000, 2))
        X = np.column_stack([flat, flat.sum(axis=1)])
        assert nearest(X, np.arange(2000), numbers=3).dimensions() == pytest.approx(2, abs=0.2)


class TestDates:
    """Rows that have dates, and folds that take no notice of them."""

    DAYS = np.datetime64("2024-01-01") + np.arange(120) // 2

    @pytest.mark.parametrize(
        "values",
        [
            DAYS,
            DAYS.astype(object),
            DAYS.astype(str).astype(object),
            np.array([d.strftime("%d.%m.%Y") for d in DAYS.tolist()], dtype=object),
            np.array([d.strftime("%m/%d/%Y") for d in DAYS.tolist()], dtype=object),
            np.array([int(d.strftime("%Y%m%d")) for d in DAYS.tolist()]),
            DAYS.astype("datetime64[s]").astype(np.int64),
        ],
    )
    def test_dates_of_any_kind_are_found(self, rng, values):
        """Before random folds; in the order of time nothing is said."""
        X, y = rng.normal(size=(120, 3)), np.arange(120) % 2
        beside = {"visit_date": values}
        assert names_of(findings(X, y, folds_of(y), left_out=beside)) == ["dates-in-random-folds"]
        ordered = [Split(0, 0, np.arange(80), np.arange(80, 120))]
        assert findings(X, y, ordered, left_out=beside) == ()

    def test_a_feature_of_dates(self, rng):
        """Texts that are dates among the features."""
        y = np.arange(120) % 2
        X = np.column_stack([rng.normal(size=(120, 2)).astype(object), self.DAYS.astype(str)])
        assert "dates-in-random-folds" in names_of(findings(X, y, folds_of(y)))

    @pytest.mark.parametrize(
        ("name", "values"),
        [
            ("birth_date", DAYS.astype(str).astype(object)),
            ("duration", np.arange(120) * 12.5 % 77),
            ("amount", 20_240_101 + np.arange(120) * 3 % 119),
            ("update_count", np.arange(120) % 30),
            ("ward", np.array([f"ward {i % 30}" for i in range(120)], dtype=object)),
        ],
    )
    def test_what_is_no_order_of_rows(self, rng, name, values):
        """Dates of birth, and numbers that are no dates."""
        X, y = rng.normal(size=(120, 3)), np.arange(120) % 2
        result = names_of(findings(X, y, folds_of(y), left_out={name: values}))
        assert result == []


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "target"),
    [
        ("heart_disease/heart_disease.parquet", "diameter narrowing"),
        ("german_credit/german_credit.parquet", "class"),
        ("lending_club/lending_club.parquet", "Class"),
        ("covtype/covtype_sample.parquet", "Cover_Type"),
    ],
)
def test_real_tables_have_no_repeated_rows(data_folder, file, target):
    """Nor if any one of their columns is left out; of the largest only three are."""
    frames = importlib.import_module("pandas")
    whole = frames.read_parquet(data_folder / file).drop(columns="repaid", errors="ignore")
    y = np.asarray(whole[target]).astype(str)
    X = whole.drop(columns=target)
    splits = folds_of(y, 3)
    assert findings(X, y, splits) == ()
    for name in X.columns[: 3 if len(X) > 20_000 else None]:
        values = np.asarray(X[name])
        left = names_of(findings(X.drop(columns=name), y, splits, left_out={name: values}))
        assert left == []


class TestClasses:
    """Classes that are too small."""

    def test_a_class_missing_from_a_training_part(self, rng):
        """All three rows of class 2 in one test part."""
        X, y = table(rng, n=60)
        y[[50, 52, 55]] = 2
        result = findings(X, y, [Split(0, 0, np.arange(40), np.arange(40, 60))])
        assert [(one.name, one.severity, one.row_numbers) for one in result] == [
            ("class-missing", "warning", (50, 52, 55))
        ]
        assert "class '2' (3 rows: 50, 52, 55)" in result[0].text

    def test_a_class_smaller_than_the_number_of_folds(self, rng):
        """Four rows of class 2 and ten folds: a warning; no class with enough: an error."""
        X, y = table(rng, n=60)
        y[:4] = 2
        folds = [
            Split(
                0, i, np.delete(np.arange(60), range(6 * i, 6 * i + 6)), np.arange(6 * i, 6 * i + 6)
            )
            for i in range(10)
        ]
        result = findings(X, y, folds)
        assert ("class-smaller-than-folds", "warning", (0, 1, 2, 3)) in [
            (one.name, one.severity, one.row_numbers) for one in result
        ]
        result = findings(X, np.arange(60) // 6, folds)
        assert result[0].name == "class-smaller-than-folds"
        assert result[0].severity == "error"

    def test_a_class_smaller_than_the_number_of_inner_folds(self, rng):
        """Six rows of a class are enough for five folds, and in training too few for ten."""
        X, y = table(rng, n=200)
        y[:6] = 2
        splits = folds_of(y, 5)
        inner = [
            tuple(
                (np.delete(np.arange(160), part), part)
                for part in np.array_split(np.arange(160), 10)
            )
        ] * 5
        splits = [
            Split(s.repeat, s.fold, s.train, s.test, i) for s, i in zip(splits, inner, strict=True)
        ]
        result = [one for one in findings(X, y, splits) if one.name == "class-smaller-than-folds"]
        assert len(result) == 1
        assert "10 inner folds" in result[0].text
        assert set(result[0].row_numbers) <= set(range(6))

    def test_leave_one_out_and_bootstrap_have_no_folds_to_fill(self, rng):
        """Each row is a fold, and samples part nothing: no class is smaller than them."""
        X, y = table(rng, n=40)
        rows = np.arange(40)
        alone = [Split(0, i, np.delete(rows, i), rows[[i]]) for i in rows]
        assert findings(X, y, alone) == ()
        drawn = [rng.integers(40, size=40) for _ in range(100)]
        bags = [Split(0, i, d, np.setdiff1d(rows, d)) for i, d in enumerate(drawn)]
        assert findings(X, y, bags) == ()


X, Y = datasets.load_breast_cancer(return_X_y=True)
FITTED = {
    "a classifier": GaussianNB().fit(X, Y),
    "a scaler in a pipeline": make_pipeline(StandardScaler().fit(X), GaussianNB()),
    "a pipeline": make_pipeline(StandardScaler(), GaussianNB()).fit(X, Y),
    "a search": GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9]}, cv=2).fit(X, Y),
    "an estimator in a search": GridSearchCV(GaussianNB().fit(X, Y), {"var_smoothing": [1e-9]}),
    "one frozen": CalibratedClassifierCV(FrozenEstimator(GaussianNB().fit(X, Y))),
    "one in a vote": VotingClassifier([("nb", GaussianNB())]).set_params(nb=GaussianNB().fit(X, Y)),
    "a calibrator of a prefit one": CalibratedClassifierCV(GaussianNB(), cv="prefit"),
    "a stack of prefit ones": StackingClassifier([("nb", GaussianNB())], cv="prefit"),
    "a selection from a prefit one": make_pipeline(
        SelectFromModel(GaussianNB(), prefit=True), GaussianNB()
    ),
    "one among columns": make_pipeline(
        make_column_transformer((StandardScaler().fit(X), [0, 1])), GaussianNB()
    ),
}
UNFITTED = {
    "a classifier": GaussianNB(),
    "a pipeline": make_pipeline(FunctionTransformer(np.log1p), StandardScaler(), GaussianNB()),
    "a search": GridSearchCV(make_pipeline(StandardScaler(), GaussianNB()), {}),
    "a calibrated one": CalibratedClassifierCV(GaussianNB(), cv=3),
    "a vote": VotingClassifier([("nb", GaussianNB()), ("forest", RandomForestClassifier())]),
    "a stack": StackingClassifier([("nb", GaussianNB())], final_estimator=LogisticRegression()),
    "columns": make_pipeline(
        make_column_transformer((StandardScaler(), [0]), ("passthrough", [1]), remainder="drop"),
        KNeighborsClassifier(),
    ),
}


class TestUnfitted:
    """What was fitted before is refused, wherever it hides."""

    @pytest.mark.parametrize("name", FITTED)
    def test_fitted_ones_are_refused(self, name):
        """The text names the class that was fitted, and says to clone it."""
        with refused(ParameterError, "already-fitted", "clone", argument="estimator"):
            need_unfitted(FITTED[name])

    @pytest.mark.parametrize("name", UNFITTED)
    def test_unfitted_ones_pass(self, name):
        """Nothing is said, and nothing is fitted by looking."""
        need_unfitted(UNFITTED[name])
        need_unfitted(UNFITTED[name])

    def test_the_place_is_named(self):
        """A scaler two levels down."""
        search = GridSearchCV(FITTED["a scaler in a pipeline"], {})
        with refused(
            ParameterError,
            "already-fitted",
            "StandardScaler",
            "at 'estimator",
            argument="estimator",
        ):
            need_unfitted(search)


class TestPoint632:
    """Efron and Tibshirani (1997)."""

    def test_the_textbook_example(self):
        """A nearest neighbour, error 0 on its training data, and classes thrown by a coin.

        Hastie, Tibshirani and Friedman (2009), section 7.11: the .632 rule promises .632 x .5 =
        .316 where the truth is .5, and the .632+ rule says .5.
        """
        result = point_632(0.0, 0.5, no_information=0.5)
        assert (result.value, result.overfitting, result.weight) == (0.5, 1.0, 1.0)
        assert point_632(0.0, 0.5, no_information=1e12).value == pytest.approx(0.316, abs=1e-9)

    def test_it_is_the_formula_as_printed(self):
        """In the paper: the .632 rule + (o' - e) .368 .632 R' / (1 - .368 R')."""
        e, o, g = 0.05, 0.21, 0.48
        r = (o - e) / (g - e)
        printed = 0.368 * e + 0.632 * o + (o - e) * 0.368 * 0.632 * r / (1 - 0.368 * r)
        assert point_632(e, o, no_information=g).value == pytest.approx(printed, abs=1e-15)

    @given(e=st.floats(0, 1), o=st.floats(0, 1), g=st.floats(0, 1))
    def test_it_lies_between_its_parts(self, e, o, g):
        """Between the training data's own loss and the out-of-bag loss cut at no information."""
        result = point_632(e, o, no_information=g)
        low, high = sorted((e, min(o, g)))
        assert low - 1e-12 <= result.value <= high + 1e-12
        assert 0.632 <= result.weight <= 1.0
        turned = point_632(1 - e, 1 - o, no_information=1 - g, better="higher")
        assert turned.value == pytest.approx(1 - result.value, abs=1e-9)

    def test_infinite_losses_stay_infinite(self):
        """A log loss with impossible rows out of bag."""
        assert point_632(0.3, np.inf, no_information=np.inf).value == np.inf
        assert point_632(np.inf, np.inf, no_information=np.inf).value == np.inf
        assert point_632(0.3, 0.5, no_information=np.inf).weight == 0.632
        assert np.isnan(point_632(0.3, np.nan, no_information=0.5).value)

    def test_a_wrong_name_is_refused(self):
        """Neither direction, no loss."""
        with pytest.raises(ParameterError, match="better"):
            point_632(0.1, 0.2, no_information=0.5, better="down")
        with refused(
            ParameterError,
            "metric-without-632",
            "brier-score-multiclass",
            "roc-auc",
            argument="name",
        ):
            no_information_loss("roc-auc", pb.Predictions.from_arrays([0, 1], [0.2, 0.8]))

    def test_all_of_it_is_what_a_literal_loop_gives(self, rng):
        """Forty rows, thirty samples, a tree-like learner; the error rate and the Brier score."""
        X = rng.normal(size=(40, 2))
        y = (X[:, 0] + rng.normal(size=40) > 0).astype(np.intp)
        whole = KNeighborsClassifier(1).fit(X, y).predict_proba(X)
        parts, sums = [], [[] for _ in range(40)]  # rows left out, losses; the losses of each row
        for _ in range(30):
            drawn = rng.integers(40, size=40)
            out = np.setdiff1d(np.arange(40), drawn)
            prob = KNeighborsClassifier(3).fit(X[drawn], y[drawn]).predict_proba(X[out])
            loss = (prob.argmax(axis=1) != y[out]).astype(float)
            parts.append((out, loss))
            for row, one in zip(out, loss, strict=True):
                sums[row].append(one)
        literal = np.mean([np.mean(one) for one in sums if one])
        left_out, losses = map(np.concatenate, zip(*parts, strict=True))
        mean = np.average(losses, weights=out_of_bag_weights(left_out))
        assert mean == pytest.approx(literal, abs=1e-15)
        data = pb.Predictions.from_arrays(y, whole)
        pairs = [(i, j) for i in range(40) for j in range(40)]
        error = np.mean([y[i] != whole[j].argmax() for i, j in pairs])
        brier = np.mean([((whole[j] - np.eye(2)[y[i]]) ** 2).sum() for i, j in pairs]) / 2
        assert no_information_loss("error-rate", data) == pytest.approx(error, abs=1e-12)
        assert no_information_loss("brier-score", data) == pytest.approx(brier, abs=1e-12)
        summed = no_information_loss("brier-score-multiclass", data)
        assert summed == pytest.approx(2 * brier, abs=1e-12)

    def test_no_information_log_loss(self, rng):
        """All pairs again, three classes; infinite where a class that occurs had probability 0."""
        y = np.arange(30) % 3
        prob = rng.dirichlet([1, 1, 1], size=30)
        literal = np.mean([-np.log(prob[j, y[i]]) for i in range(30) for j in range(30)])
        data = pb.Predictions.from_arrays(y, prob)
        assert no_information_loss("log-loss", data) == pytest.approx(literal, abs=1e-12)
        data = pb.Predictions.from_arrays(y, np.eye(3)[y])
        assert no_information_loss("log-loss", data) == np.inf

    def test_rows_that_were_never_left_out(self):
        """Every sample drew rows 0 and 2: the mean is that of row 1, left out twice, and row 3."""
        weights = out_of_bag_weights(np.array([1, 3, 1]))
        assert np.average([0.2, 0.9, 0.4], weights=weights) == pytest.approx((0.3 + 0.9) / 2)
