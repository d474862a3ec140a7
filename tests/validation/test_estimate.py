import functools
import json
import os
import subprocess
import sys
import threading
import warnings
from contextlib import ExitStack

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

import plumbline as pb
from laws import examples
from plumbline._linear_algebra import ONE_CORE
from plumbline.predictions import label_text
from plumbline.random_streams import stream
from plumbline.validation import Search, scheme_named
from plumbline.validation.dataset import dataset_of
from plumbline.validation.digest import digest
from plumbline.validation.estimators import plain_value, seeded, seeded_grid
from plumbline.validation.schemes import KINDS, scheme_of, with_inner
from refusals import refused, warned


def some_rows(n=60, k=2, rng=0):
    """Return features that tell a little of k classes, and labels."""
    chance = np.random.default_rng(rng)
    y = chance.permutation(np.arange(n) % k)
    return chance.normal(size=(n, 3)) + y[:, None] / 2, y


X2, Y2 = some_rows()
X3, Y3 = some_rows(90, 3)
GRID = {"max_depth": [1, 4], "min_samples_leaf": [1, 8]}
FOLDS = StratifiedKFold(4, shuffle=True, random_state=1)


def tree(**params):
    """Return a tree whose chance is its own."""
    return DecisionTreeClassifier(random_state=0, **params)


class Unnamed(ClassifierMixin, BaseEstimator):
    """A classifier whose fit leaves out the names of the classes."""

    def fit(self, X, y):
        """Learn nothing."""
        return self

    def predict(self, X):
        """Answer the same always."""
        return np.zeros(len(X), int)


def in_order(found, column="prob"):
    """Return a column of the predictions, sorted by row."""
    return getattr(found.predictions, column)[np.argsort(found.predictions.row, kind="stable")]


class TestAgainstScikitLearn:
    """What scikit-learn gives on the same splits with the same seeds."""

    @pytest.mark.parametrize("splitter", [FOLDS, KFold(3)], ids=str)
    def test_predictions_are_those_of_cross_val_predict(self, splitter):
        """Row by row, the very same probabilities."""
        found = pb.estimate(tree(max_depth=3), X3, Y3, scheme=splitter, metrics="accuracy")
        peer = cross_val_predict(tree(max_depth=3), X3, Y3, cv=splitter, method="predict_proba")
        assert np.array_equal(in_order(found), peer)

    def test_values_are_those_of_cross_validate(self):
        """Fold by fold; means and deviations follow."""
        names = {
            "accuracy": ("accuracy", 1),
            "log-loss": ("neg_log_loss", -1),
            "roc-auc": ("roc_auc", 1),
            "brier-score": ("neg_brier_score", -1),
        }
        found = pb.estimate(GaussianNB(), X2, Y2, scheme=FOLDS, metrics=list(names))
        scoring = {name: peer for name, (peer, _) in names.items()}
        peers = cross_validate(GaussianNB(), X2, Y2, cv=FOLDS, scoring=scoring)
        for entry in found.models[0].summary:
            theirs = peers[f"test_{entry.metric}"] * names[entry.metric][1]
            ours = [fold.values[entry.metric] for fold in found.models[0].folds]
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
            np.testing.assert_allclose(
                [entry.mean, entry.deviation, entry.least, entry.most],
                [theirs.mean(), theirs.std(ddof=1), theirs.min(), theirs.max()],
                rtol=1e-10,
            )
            assert entry.reason is None

    @pytest.mark.parametrize("given", ["search", "own", "pipeline"])
    def test_nested_is_a_grid_search_inside_every_outer_training_part(self, given):
        """Choices, refit and probabilities are those of GridSearchCV on the same inner splits."""
        search, estimator, prefix = Search(params=GRID, scoring="neg_log_loss"), tree(), ""
        if given != "search":
            estimator, search = GridSearchCV(tree(), GRID, scoring="neg_log_loss", cv=7), None
        if given == "pipeline":
            estimator = make_pipeline(StandardScaler(), estimator)
            prefix = "scaled"
        scheme = scheme_named("nested:2x2")
        found = pb.estimate(estimator, X2, Y2, scheme="nested:2x2", search=search, rng=5)
        splits = scheme.splits(dataset_of(X2, Y2), 5)
        for split, fold in zip(splits, found.models[0].folds, strict=True):
            assert len(split.inner) == 2
            peer = GridSearchCV(tree(), GRID, scoring="neg_log_loss", cv=list(split.inner))
            train, test = X2[split.train], X2[split.test]
            if prefix:
                scaler = StandardScaler().fit(train)
                train, test = scaler.transform(train), scaler.transform(test)
            peer.fit(train, Y2[split.train])
            assert fold.params == peer.best_params_
            own = np.isin(found.predictions.row, split.test)
            assert np.array_equal(found.predictions.prob[own], peer.predict_proba(test))
        agree = len({json.dumps(fold.params) for fold in found.models[0].folds}) == 1
        assert found.models[0].agree is agree
        assert sum(choice["folds"] for choice in found.models[0].choices) == 2

    def test_the_worked_example_of_nested_folds_step_by_step(self):
        """5 outer and 10 inner folds, in plain loops.

        The least mean inner error chooses, the choice is fitted on the outer training part and
        measured on the outer test part, and the measures are averaged.
        """
        depths = [1, 3]
        search = Search(params={"max_depth": depths}, scoring="error-rate")
        found = pb.estimate(
            tree(), X2, Y2, scheme="nested:5x10", search=search, metrics="error-rate"
        )
        errors, picks = [], []
        for split in scheme_named("nested:5x10").splits(dataset_of(X2, Y2), 0):
            x, y = X2[split.train], Y2[split.train]
            assert len(split.inner) == 10
            means = []
            for depth in depths:
                wrong = []
                for fit, held in split.inner:
                    model = tree(max_depth=depth).fit(x[fit], y[fit])
                    wrong.append(np.mean(model.predict(x[held]) != y[held]))
                means.append(np.mean(wrong))
            picks.append({"max_depth": depths[int(np.argmin(means))]})
            final = tree(**picks[-1]).fit(x, y)
            errors.append(np.mean(final.predict(X2[split.test]) != Y2[split.test]))
        assert [fold.params for fold in found.models[0].folds] == picks
        assert found.models[0].summary[0].mean == pytest.approx(np.mean(errors), rel=1e-12)

    def test_train_validation_test_chooses_on_one_part_and_is_refitted_on_two(self):
        """60, 20 and 20 %: fitted on train to choose on validation, on both to be tested."""
        found = pb.estimate(
            tree(), X3, Y3, scheme="train-validation-test:0.6,0.2,0.2", search=GRID, rng=2
        )
        (split,) = scheme_named("train-validation-test").splits(dataset_of(X3, Y3), 2)
        ((fit, held),) = split.inner
        assert [len(fit), len(held), len(split.test)] == [54, 18, 18]
        assert sorted([*split.train[fit], *split.train[held], *split.test]) == list(range(90))
        x, y = X3[split.train], Y3[split.train]
        losses = {}
        for depth in GRID["max_depth"]:
            for leaf in GRID["min_samples_leaf"]:
                model = tree(max_depth=depth, min_samples_leaf=leaf).fit(x[fit], y[fit])
                data = pb.Predictions.from_arrays(y[held], model.predict_proba(x[held]))
                losses[depth, leaf] = pb.brier_score(data)
        best = min(losses, key=losses.get)
        assert tuple(found.models[0].folds[0].params.values()) == best
        final = tree(max_depth=best[0], min_samples_leaf=best[1]).fit(x, y)
        assert np.array_equal(found.predictions.prob, final.predict_proba(X3[split.test]))
        assert found.remarks == ()
        with warned("validation-unused"):
            unused = pb.estimate(tree(), X3, Y3, scheme="train-validation-test", rng=2)
        assert unused.models[0].folds[0].n_train == 72
        assert [one.name for one in unused.remarks] == ["validation-unused"]


EVENTS = []


class Noting:
    """Notes the rows it sees: the first feature is the number of the row."""

    def note(self, what, X):
        """Keep what was done to which rows."""
        EVENTS.append((what, frozenset(np.asarray(X)[:, 0].astype(int).tolist())))


class NotingScaler(Noting, TransformerMixin, BaseEstimator):
    """A transformer that notes the rows."""

    def fit(self, X, y=None):
        """Note the rows."""
        self.note("fit", X)
        self.fitted_ = True
        return self

    def transform(self, X):
        """Note the rows."""
        self.note("transform", X)
        return X


class NotingClassifier(Noting, ClassifierMixin, BaseEstimator):
    """A classifier that notes the rows it is fitted on."""

    def __init__(self, smoothing=1e-9):
        self.smoothing = smoothing

    def fit(self, X, y):
        """Note the rows."""
        self.note("fit", X)
        self.inner_ = GaussianNB(var_smoothing=self.smoothing).fit(X[:, 1:], y)
        self.classes_ = self.inner_.classes_
        return self

    def predict_proba(self, X):
        """Note the rows."""
        self.note("predict", X)
        return self.inner_.predict_proba(X[:, 1:])

    def predict(self, X):
        """Return the likeliest classes."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


@pytest.fixture
def events():
    """The rows seen since the test began."""
    EVENTS.clear()
    return EVENTS


def noted(**asked):
    """Estimate what notes its rows, in one thread."""
    marked = np.column_stack([np.arange(len(X2)), X2])
    model = make_pipeline(NotingScaler(), NotingClassifier())
    return pb.estimate(model, marked, Y2, workers=1, **asked)


def check_events(events, splits, *, least):
    """Check that until a model is asked about its test part, all work is on its training part.

    `least` fits come before those of scaler and classifier on the whole training part.
    """
    seen = iter(events)
    for split in splits:
        train, test = set(split.train), frozenset(split.test)
        refitted = []
        for searched, (what, rows) in enumerate(seen):
            if rows == test:
                break
            assert rows <= train, "the search saw a row outside its training part"
            if rows == train and what == "fit":
                refitted.append(searched)
        assert len(refitted) == 2
        assert refitted[0] > least
        asked = [rows for _, rows in (next(seen) for _ in range(3))]
        assert asked == [test] * 3  # labels and probabilities: of the test part, and done
    assert next(seen, None) is None


@pytest.mark.data
def test_on_heart_disease_no_outer_test_row_is_seen_by_the_search(events, data_folder):
    """Nested 5 x 10 on 303 patients, texts and numbers: noted before and behind the encoding."""
    table = pd.read_parquet(data_folder / "heart_disease" / "heart_disease.parquet")
    y = table.pop("diameter narrowing").to_numpy()
    texts = table.select_dtypes(exclude="number").columns.tolist()
    numbers = table.select_dtypes("number").columns.tolist()
    table.insert(0, "id", np.arange(len(table)))
    coded = make_column_transformer(
        ("passthrough", ["id"]),
        (StandardScaler(), numbers),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), texts),
    )
    model = make_pipeline(NotingScaler(), coded, NotingClassifier())
    grid = {"notingclassifier__smoothing": [1e-3, 1e-1, 1]}
    with warned("identity-like-feature"):
        found = pb.estimate(model, table, y, scheme="nested:5x10", search=grid, workers=1)
    splits = scheme_named("nested:5x10").splits(dataset_of(table, y), 0)
    check_events(events, splits, least=3 * 2 * 10)
    assert found.models[0].summary[0].mean == pytest.approx(0.83, abs=0.04)
    assert sorted(found.predictions.row.tolist()) == list(range(303))


IDENTITY = pytest.mark.filterwarnings("ignore:identity-like:plumbline.PlumblineWarning")


@IDENTITY
class TestHonesty:
    """Nothing of a test part reaches what is measured on it."""

    @pytest.mark.parametrize(
        ("kind", "inner"), [("grid", 10), ("random", 2), ("halving", 2)], ids=str
    )
    def test_no_row_of_an_outer_test_part_is_seen_by_its_search(self, events, kind, inner):
        """In nested:5x10, preprocessing and search meet rows of the outer training part only."""
        params = {"notingclassifier__smoothing": [1e-9, 1e-2]}
        search = Search(params=params, kind=kind, candidates=2)
        scheme = f"nested:5x{inner}"
        found = noted(scheme=scheme, search=search, metrics="accuracy")
        splits = scheme_named(scheme).splits(dataset_of(X2, Y2), 0)
        check_events(events, splits, least=2 * 2 * inner)
        assert sorted(found.predictions.row.tolist()) == list(range(60))

    @pytest.mark.parametrize(
        "scheme",
        ["holdout", "k-fold:3", "repeated-stratified:2x3", "bootstrap:4", "repeated-holdout:3,0.2"],
    )
    def test_all_fits_are_on_training_parts(self, events, scheme):
        """Whatever the scheme: no fit holds a row of the test part that follows it."""
        found = noted(scheme=scheme, metrics="accuracy")
        splits = scheme_named(scheme).splits(dataset_of(X2, Y2), 0)
        fits = [rows for what, rows in events if what == "fit"]
        wanted = [frozenset(split.train) for split in splits for _ in range(2)]
        assert fits[: len(wanted)] == wanted
        if scheme.startswith("bootstrap"):  # the model on all rows, for .632+
            assert fits[len(wanted) :] == [frozenset(range(60))] * 2
        assert all(not set(split.train) & set(split.test) for split in splits)
        assert found.honest

    def test_inner_parts_of_a_bootstrap_share_no_row(self):
        """A row drawn several times stays on one side of every inner split."""
        found = pb.estimate(
            tree(),
            X2,
            Y2,
            scheme="bootstrap:2",
            search={"max_depth": [1]},
            metrics="accuracy",
            refit=True,
        )
        assert found.models[0].final.best_params_
        rows = dataset_of(X2, Y2)
        for split in scheme_named("bootstrap:3").splits(rows, 0):
            for fit, held in with_inner(split, rows, 5, 0).inner:
                assert len(fit) + len(held) == 60
                assert not set(split.train[fit]) & set(split.train[held])

    def test_what_was_fitted_before_is_refused(self):
        """Also inside a pipeline."""
        fitted = make_pipeline(StandardScaler().fit(X2), GaussianNB())
        with refused(pb.ParameterError, "already-fitted", argument="estimator"):
            pb.estimate(fitted, X2, Y2)

    def test_the_estimator_that_was_passed_stays_unfitted(self):
        """Copies are fitted, it is not."""
        model = GaussianNB()
        pb.estimate(model, X2, Y2, scheme="k-fold:2", refit=True)
        assert not hasattr(model, "classes_")

    def test_measuring_on_training_data_must_be_asked_for_and_is_labelled(self):
        """In the model's name, the title, the remarks and the dictionary."""
        with pytest.raises(pb.ParameterError, match="resubstitution=True"):
            pb.estimate(tree(), X2, Y2, scheme="resubstitution")
        with refused(pb.ParameterError, "resubstitution-beside-scheme", argument="resubstitution"):
            pb.estimate(tree(), X2, Y2, resubstitution=True)
        with pytest.warns(pb.PlumblineWarning, match="optimistic"):
            found = pb.estimate(tree(), X2, Y2, scheme="resubstitution", resubstitution=True)
        assert found.models[0].summary[0].mean == pytest.approx(1)
        assert found.to_dict()["honest"] is False
        name = "DecisionTreeClassifier (measured on its training data)"
        assert found.predictions.models == (name,)
        assert all("training data" in str(row["model"]) for row in found.rows())
        for text in (repr(found), found._repr_html_()):
            assert "NOT OUT OF SAMPLE" in text


class TestChance:
    """All chance comes from streams named by seed, model, repeat and fold."""

    @staticmethod
    def models():
        """Return models whose every part draws."""
        forest = RandomForestClassifier(3, max_depth=3)
        inner = ShuffleSplit(2, test_size=0.3)
        return {
            "forest": make_pipeline(PCA(2, svd_solver="randomized"), forest),
            "calibrated": CalibratedClassifierCV(DecisionTreeClassifier(), cv=inner),
        }

    def test_the_answer_depends_neither_on_workers_nor_on_restarts(self, tmp_path):
        """One thread, two, and a killed and continued run give the same table bit for bit."""
        asked = {"scheme": "repeated-stratified:2x2", "metrics": "accuracy", "rng": 3}
        first = pb.estimate(self.models(), X2, Y2, workers=1, **asked)
        second = pb.estimate(self.models(), X2, Y2, workers=2, **asked)

        def interrupt(done, total):
            assert total == 8
            if done == 5:
                raise KeyboardInterrupt

        folder = tmp_path / "parts"
        with pytest.raises(KeyboardInterrupt):
            pb.estimate(
                self.models(), X2, Y2, workers=1, folder=folder, progress=interrupt, **asked
            )
        told = []
        third = pb.estimate(
            self.models(), X2, Y2, folder=folder, progress=lambda *at: told.append(at), **asked
        )
        assert told[0] == (5, 8)
        for other in (second, third):
            assert np.array_equal(first.predictions.prob, other.predictions.prob)
            assert np.array_equal(first.predictions.row, other.predictions.row)
        with refused(pb.InputError, "question-changed"):
            pb.estimate(self.models(), X2 + 1, Y2, folder=folder, **asked)

    def test_another_seed_gives_other_splits_and_fits(self):
        """And another model beside it changes nothing."""
        asked = {"scheme": "stratified:3", "metrics": "accuracy"}
        forest = RandomForestClassifier(3)
        alone = pb.estimate({"a": forest}, X2, Y2, **asked)
        beside = pb.estimate({"a": forest, "b": GaussianNB()}, X2, Y2, **asked)
        other = pb.estimate({"a": forest}, X2, Y2, rng=1, **asked)
        same = beside.predictions.select(model="a")
        assert np.array_equal(alone.predictions.prob, same.prob)
        assert beside["a"].summary[0].mean == alone.models[0].summary[0].mean
        assert not np.array_equal(alone.predictions.row, other.predictions.row)
        first, second = beside.predictions.select(model="b"), beside.predictions.select(model="a")
        assert np.array_equal(first.row, second.row)  # the same splits for all

    @pytest.mark.parametrize("kind", ["grid", "random", "halving"])
    def test_searches_draw_from_the_streams_too(self, kind):
        """Whatever the number of workers; distributions and estimators as values included."""
        values = {"max_depth": [1, 3]}
        if kind == "random":
            values = {"max_depth": stats.randint(1, 5), "max_features": stats.uniform(0.3, 0.7)}
        model = DecisionTreeClassifier(splitter="random")
        found = [
            pb.estimate(
                model,
                X2,
                Y2,
                scheme="stratified:2",
                search=Search(params=values, kind=kind, candidates=2),
                metrics="brier-score",
                workers=workers,
            )
            for workers in (1, 2)
        ]
        assert np.array_equal(found[0].predictions.prob, found[1].predictions.prob)
        assert found[0].models[0].choices == found[1].models[0].choices

    def test_every_open_seed_is_filled_in_and_no_other(self):
        """In pipelines, ensembles, splitters, searches, and estimators among a grid's values."""
        voting = VotingClassifier([("a", tree()), ("b", DecisionTreeClassifier())])
        given = GridSearchCV(
            make_pipeline(PCA(2), voting), {"pca": [PCA(1), PCA(2)]}, cv=ShuffleSplit(2)
        )
        one, same, other = (seeded(given, stream(seed)) for seed in (1, 1, 2))
        found = one.get_params()
        names = {name for name in found if name.endswith("random_state")}
        assert len(names) == 3
        assert all(found[name] is not None for name in names)
        assert found["estimator__votingclassifier__a__random_state"] == 0
        assert found["cv"].random_state is not None
        assert [value.random_state is None for value in found["param_grid"]["pca"]] == [False] * 2
        for name in names - {"estimator__votingclassifier__a__random_state"}:
            assert found[name] == same.get_params()[name] != other.get_params()[name]
        assert given.cv.random_state is given.param_grid["pca"][0].random_state is None
        sizes = {"hidden_layer_sizes": [(5,), (5, 5)]}
        assert seeded_grid([sizes], stream(0)) == [sizes]

    def test_settings_of_scikit_learn_go_into_the_threads(self, tmp_path):
        """Its `transform_output` is that of the thread that set it; another is another question."""
        seen = []

        class Told(GaussianNB):
            def fit(self, X, y):
                seen.append(type(X).__name__)
                return super().fit(X, y)

        asked = {"scheme": "k-fold:3", "metrics": "accuracy", "folder": tmp_path / "parts"}
        model = make_pipeline(StandardScaler(), Told())
        with config_context(transform_output="pandas"):
            for workers in (1, 2):
                pb.estimate(model, X2, Y2, workers=workers, **(asked | {"folder": None}))
            assert seen == ["DataFrame"] * 6
            pb.estimate(make_pipeline(StandardScaler(), GaussianNB()), X2, Y2, **asked)
        with refused(pb.InputError, "question-changed", "settings"):
            pb.estimate(make_pipeline(StandardScaler(), GaussianNB()), X2, Y2, **asked)

    def test_an_estimate_leaves_the_process_as_it_was(self):
        """Warning filters and threads of linear algebra, whatever ran beside it and ended last."""

        def settings():
            known = threadpool_info()
            return [*warnings.filters], sorted((i["filepath"], i["num_threads"]) for i in known)

        def ask(inside, leave):
            class Waiting(GaussianNB):
                def fit(self, X, y):
                    inside.set()
                    assert leave.wait(20)
                    return super().fit(X, y)

            pb.estimate(Waiting(), X2, Y2, scheme="holdout", metrics="accuracy", workers=1)

        before = settings()
        events = [[threading.Event() for _ in range(2)] for _ in range(2)]
        threads = [threading.Thread(target=ask, args=pair) for pair in events]
        for thread, (inside, _) in zip(threads, events, strict=True):
            thread.start()
            assert inside.wait(20)
        for thread, (_, leave) in zip(threads, events, strict=True):  # the first one leaves first
            leave.set()
            thread.join()
        assert settings() == before
        search = GridSearchCV(GaussianNB(), {"var_smoothing": [1]}, cv=3)
        pb.estimate(search, X2, Y2, scheme="repeated-stratified:4x4", metrics="accuracy", workers=8)
        assert settings() == before

    def test_a_folder_needs_a_seed(self, tmp_path):
        """Else no later call could ask the same question."""
        with pytest.raises(pb.ParameterError, match="pass a seed"):
            pb.estimate(tree(), X2, Y2, rng=None, folder=tmp_path / "parts")


class TestTimeSeries:
    """Test parts one after the other in the order of time."""

    @pytest.mark.parametrize(("n", "folds"), [(60, 5), (61, 4), (7, 6), (90, 2)])
    def test_without_ties_they_are_those_of_scikit_learn(self, n, folds):
        """In the order of the rows, and of shuffled times."""
        X, y = np.zeros((n, 1)), np.arange(n) % 2
        expected = list(TimeSeriesSplit(folds).split(X))
        for order in (np.arange(n), np.random.default_rng(1).permutation(n)):
            time = np.empty(n)
            time[order] = np.arange(n) * 2.5
            splits = scheme_named(f"time-series:{folds}").splits(dataset_of(X, y, time=time), 0)
            for split, (train, test) in zip(splits, expected, strict=True):
                assert split.train.tolist() == sorted(order[train])
                assert split.test.tolist() == sorted(order[test])

    @hypothesis_settings(max_examples=examples(40))
    @given(seed=st.integers(0, 2**32), n=st.integers(20, 80), days=st.integers(8, 40))
    def test_tested_rows_are_later_than_all_that_is_known(self, seed, n, days):
        """Strictly, also where several rows have one time; no row is tested twice."""
        rng = np.random.default_rng(seed)
        time = rng.integers(days, size=n)
        rows = dataset_of(np.zeros((n, 1)), np.arange(n) % 2, time=time)
        try:
            splits = scheme_named("time-series:3").splits(rows, 0)
        except pb.InputError:
            assert len(np.unique(time)) < days
            return
        tested = np.concatenate([split.test for split in splits])
        assert len(np.unique(tested)) == len(tested)
        for split in splits:
            assert time[split.train].max() < time[split.test].min()
            assert (time[split.train].max() < time[split.test]).all()
            earlier = np.flatnonzero(time < time[split.test].min())
            assert split.train.tolist() == earlier.tolist()
        assert set(np.flatnonzero(time >= time[splits[0].test].min())) == set(tested.tolist())

    @pytest.mark.parametrize("kind", ["numbers", "dates", "texts", "pandas"])
    def test_times_of_any_kind(self, kind):
        """The same splits from numbers, dates, texts and a column of pandas."""
        days = np.random.default_rng(2).permutation(60)
        dates = np.datetime64("2023-12-01") + days
        times = {
            "numbers": days / 7,
            "dates": dates,
            "texts": dates.astype(str).tolist(),
            "pandas": pd.Series(dates),
        }
        found = pb.estimate(
            GaussianNB(),
            X2[:60],
            Y2[:60],
            scheme="time-series:3",
            time=times[kind],
            metrics="accuracy",
        )
        assert days[found.predictions.row.astype(int)].min() == 15
        assert (found.n, found.n_tested) == (60, 45)
        assert "first 15 rows" in found.present().subject

    def test_a_search_chooses_on_later_rows_too(self):
        """Inner parts of `search` and of a search's own folds never look ahead."""
        time = np.random.default_rng(3).permutation(60)
        rows = dataset_of(X2[:60], Y2[:60], time=time)
        (split, *_) = scheme_named("time-series:2").splits(rows, 0)
        for fit, held in with_inner(split, rows, 3, 0).inner:
            assert time[split.train[fit]].max() < time[split.train[held]].min()
        asked = {"scheme": "time-series:3", "time": time, "metrics": "accuracy"}
        grid = {"var_smoothing": [1e-9, 1.0]}
        outside = pb.estimate(GaussianNB(), X2[:60], Y2[:60], search=grid, **asked)
        own = GridSearchCV(GaussianNB(), grid, cv=5, scoring="neg_brier_score")
        inside = pb.estimate(own, X2[:60], Y2[:60], **asked)
        assert [f.params for f in outside.models[0].folds] == [
            f.params for f in inside.models[0].folds
        ]

    @pytest.mark.parametrize(
        ("time", "says"),
        [
            (["2024-01-01", None] * 30, ("value-missing", "`time`", "rows 1, 3")),
            (["soon", "later"] * 30, ("no-time", "`time`", "2024-01-31")),
            (["2024-02-30"] * 60, ("no-time", "`time`", "a date")),
            ([1.0, np.nan] * 30, ("value-missing", "`time`", "rows 1, 3")),
            (
                np.array([1, "2", 10] * 20, dtype=object),
                ("times-of-two-kinds", "`time`", "20 of", "60 rows"),
            ),
            ([0, 1] * 30, ("too-few-times", "2 different", "60 rows", "into 5")),
            ([1, 2, 3], ("wrong-shape", "`time`", "3 entries")),
        ],
    )
    def test_refusals(self, time, says):
        """What is missing, no date, or too coarse."""
        with refused(pb.InputError, *says):
            pb.estimate(GaussianNB(), X2[:60], Y2[:60], scheme="time-series:5", time=time)

    def test_known_customers_are_met_again_later(self):
        """An id that repeats is no fault of folds that only look back; of random ones it is."""
        who = {"customer_id": np.arange(60) % 20}
        asked = {"left_out": who, "metrics": "accuracy"}
        found = pb.estimate(GaussianNB(), X2[:60], Y2[:60], scheme="time-series:3", **asked)
        assert found.remarks == ()
        with pytest.warns(pb.PlumblineWarning, match="repeated-id"):
            pb.estimate(GaussianNB(), X2[:60], Y2[:60], scheme="stratified:3", **asked)

    def test_time_is_for_its_scheme(self):
        """Any other takes no notice of it, so it is refused."""
        with refused(
            pb.ParameterError,
            "time-beside-scheme",
            "'time-series:5'",
            "'k-fold:3'",
            argument="time",
        ):
            pb.estimate(GaussianNB(), X2, Y2, scheme="k-fold:3", time=np.arange(len(Y2)))


class TestSchemes:
    """The splits themselves."""

    @pytest.mark.parametrize("text", sorted(set(KINDS) - {"resubstitution"}))
    def test_no_split_shares_a_row_and_the_seed_tells_all(self, text):
        """Training and test part are apart; inner parts are apart and within the training part."""
        rows = dataset_of(X3, Y3, groups=np.arange(90) % 30 if "grouped" in text else None)
        scheme = scheme_named(text)
        splits, again = scheme.splits(rows, 4), scheme.splits(rows, 4)
        for split, same in zip(splits, again, strict=True):
            assert not set(split.train) & set(split.test)
            assert np.array_equal(split.train, same.train)
            assert len(set(split.test)) == len(split.test) > 0
            for fit, held in split.inner:
                assert sorted([*fit, *held]) == list(range(len(split.train)))
        assert len({(split.repeat, split.fold) for split in splits}) == len(splits)
        if text not in ("leave-one-out", "time-series"):
            other = scheme.splits(rows, 5)
            assert any(
                not np.array_equal(a.test, b.test) for a, b in zip(splits, other, strict=True)
            )

    @pytest.mark.parametrize(
        ("text", "parts", "repeats"),
        [
            ("k-fold:4", 4, 1),
            ("stratified:4", 4, 1),
            ("repeated-stratified:3x4", 12, 3),
            ("leave-one-out", 90, 1),
            ("nested:4x2", 4, 1),
        ],
    )
    def test_folds_test_every_row_once_a_repeat(self, text, parts, repeats):
        """And stratified ones keep the class shares."""
        splits = scheme_named(text).splits(dataset_of(X3, Y3), 0)
        assert len(splits) == parts
        for repeat in range(repeats):
            tested = [row for split in splits if split.repeat == repeat for row in split.test]
            assert sorted(tested) == list(range(90))
        if "stratified" in text or "nested" in text:
            counts = [np.bincount(Y3[split.test], minlength=3) for split in splits]
            assert np.ptp(counts) <= 1

    def test_holdouts_have_their_share_and_keep_class_shares(self):
        """30 % of each class, drawn anew in every repeat."""
        splits = scheme_named("repeated-holdout:3,0.3").splits(dataset_of(X3, Y3), 0)
        assert [np.bincount(Y3[split.test]).tolist() for split in splits] == [[9, 9, 9]] * 3
        assert [(split.repeat, split.fold) for split in splits] == [(0, 0), (1, 0), (2, 0)]
        (single,) = scheme_named("holdout:0.3").splits(dataset_of(X3, Y3), 0)
        assert np.array_equal(single.test, splits[0].test)

    def test_a_bootstrap_draws_n_rows_and_tests_those_left_out(self):
        """About 1/e of the rows; with groups, whole groups are drawn."""
        splits = scheme_named("bootstrap:50").splits(dataset_of(X3, Y3), 0)
        for split in splits:
            assert len(split.train) == 90
            assert sorted({*split.train, *split.test}) == list(range(90))
        assert np.mean([len(split.test) / 90 for split in splits]) == pytest.approx(
            (1 - 1 / 90) ** 90, abs=0.02
        )
        groups = np.arange(90) // 3
        for split in scheme_named("bootstrap:5").splits(dataset_of(X3, Y3, groups=groups), 0):
            assert not set(groups[split.train]) & set(groups[split.test])

    @pytest.mark.parametrize(
        "text",
        [
            "grouped:3",
            "stratified-grouped:3",
            "nested-grouped:3x2",
            "holdout",
            "train-validation-test",
        ],
    )
    def test_groups_are_never_split(self, text):
        """Neither by outer splits nor by inner ones."""
        groups = np.arange(90) % 18
        rows = dataset_of(X3, Y3, groups=groups)
        for split in scheme_named(text).splits(rows, 0):
            assert not set(groups[split.train]) & set(groups[split.test])
            for fit, held in split.inner:
                assert not set(groups[split.train[fit]]) & set(groups[split.train[held]])

    def test_a_search_of_its_own_must_keep_groups_whole(self):
        """An inner splitter that tears groups apart is refused; one that keeps them is taken."""
        groups = np.arange(60) % 12

        def ask(cv):
            search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, cv=cv)
            return pb.estimate(search, X2, Y2, scheme="grouped:3", groups=groups, workers=1)

        with refused(pb.ParameterError, "groups-torn-apart", "GroupKFold", argument="cv"):
            ask(KFold(3))
        assert ask(GroupKFold(3)).models[0].choices

    def test_leave_one_out_holds_no_row_twice(self):
        """A thousand splits of a thousand rows: the training parts are made when asked for."""
        rows = dataset_of(np.zeros((1000, 1)), np.arange(1000) % 2)
        for scheme in ("leave-one-out", LeaveOneOut()):
            splits = scheme_of(scheme).splits(rows, 0)
            assert {split.given for split in splits} == {1000}
            assert np.array_equal(splits[7].train, np.delete(np.arange(1000), 7))
            assert splits[7].n_train == 999

    def test_a_splitter_of_one_s_own_is_reported_without_its_address(self):
        """And one that calls itself resubstitution is looked at as any other."""

        class Halves:
            def split(self, X, y, groups):
                yield np.arange(30), np.arange(30, 60)

        class Posing(Halves):
            def __str__(self):
                return "resubstitution"

            def split(self, X, y, groups):
                yield np.arange(60), np.arange(60)

        found = pb.estimate(tree(), X2, Y2, scheme=Halves(), metrics="accuracy")
        assert found.scheme == "Halves"
        with refused(pb.InputError, "shared-rows", "60 rows"):
            pb.estimate(tree(), X2, Y2, scheme=Posing())

    def test_a_splitter_s_repeats_are_found(self):
        """A row tested again opens a repeat; an open seed is set."""
        splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=2)
        rows = dataset_of(X2, Y2)
        splits = scheme_of(splitter).splits(rows, 0)
        assert [(split.repeat, split.fold) for split in splits] == [
            (repeat, fold) for repeat in range(2) for fold in range(3)
        ]
        again = scheme_of(splitter).splits(rows, 0)
        assert np.array_equal(splits[4].test, again[4].test)
        groups = np.arange(60) % 6
        (first, *_) = scheme_of(GroupKFold(3)).splits(dataset_of(X2, Y2, groups=groups), 0)
        assert not set(groups[first.train]) & set(groups[first.test])

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("stratifed:5", ("unknown-scheme", "`scheme`", "'stratified'")),
            ("stratified:1", ("out-of-range", "from 2", "folds from")),
            ("holdout:30", ("out-of-range", "between 0", "and 1", "shares between")),
            ("nested:5", ("out-of-range", "outer folds")),
            ("leave-one-out:2", ("out-of-range", "no number")),
            ("train-validation-test:0.6,0.2,0.3", ("out-of-range", "to 1", "three shares")),
            ("k-fold:ten", ("out-of-range", "'k-fold:10'")),
        ],
    )
    def test_a_scheme_that_is_none_is_refused_with_an_example(self, text, says):
        """The text names the rule."""
        with refused(pb.ParameterError, *says):
            pb.estimate(tree(), X2, Y2, scheme=text)


class TestData:
    """Features and labels of any kind."""

    @pytest.mark.parametrize(
        "kind",
        [
            list,
            pl.DataFrame,
            sparse.csr_matrix,
            sparse.coo_array,
            pa.Table,
            lambda X: pd.DataFrame(X, index=list("ab") * 30),
            lambda X: X.astype(object),
        ],
        ids=["list", "polars", "csr", "coo", "arrow", "pandas", "objects"],
    )
    def test_features_of_any_kind_give_the_same_answer(self, kind):
        """Rows are taken in the kind they came in."""
        if kind is pa.Table:
            given = pa.table({f"x{j}": X2[:, j] for j in range(3)})
        else:
            given = kind(X2.tolist()) if kind is list else kind(X2)
        asked = {"scheme": "holdout", "metrics": "accuracy"}
        found = pb.estimate(tree(max_depth=3), given, Y2, **asked)
        plain = pb.estimate(tree(max_depth=3), X2, Y2, **asked)
        assert np.array_equal(found.predictions.prob, plain.predictions.prob)

    @pytest.mark.filterwarnings("ignore:identity-like:plumbline.PlumblineWarning")
    def test_columns_of_a_frame_keep_their_names(self):
        """A transformer of named columns works inside every training part."""
        frame = pd.DataFrame({"a": X2[:, 0], "b": X2[:, 1]})
        model = make_pipeline(make_column_transformer((StandardScaler(), ["b"])), GaussianNB())
        found = pb.estimate(model, frame, Y2, scheme="holdout", metrics="accuracy")
        alone = pb.estimate(GaussianNB(), X2[:, [1]], Y2, scheme="holdout", metrics="accuracy")
        np.testing.assert_allclose(found.predictions.prob, alone.predictions.prob)

    @pytest.mark.parametrize(
        ("labels", "classes"),
        [
            (np.array(["b", "a"])[Y2], ("a", "b")),
            (np.array([10, 2])[Y2], ("2", "10")),
            (Y2 == 1, ("False", "True")),
            (Y2.astype(float), ("0", "1")),
            (pd.Series(np.array(["yes", "no"])[Y2], dtype="category"), ("no", "yes")),
            (pl.Series(np.array(["yes", "no"])[Y2]), ("no", "yes")),
            ([["no", True][c] for c in Y2], ("True", "no")),
            (np.array(Y2.tolist(), dtype=object), ("0", "1")),
        ],
        ids=["texts", "numbers", "bools", "floats", "categories", "polars", "mixed", "objects"],
    )
    def test_labels_of_any_kind(self, labels, classes):
        """Classes are in order; `actual` and probabilities are those of the rows."""
        found = pb.estimate(tree(max_depth=2), X2, labels, scheme="holdout", metrics="accuracy")
        data = found.predictions
        assert data.classes == classes
        given = [label_text(label) for label in np.asarray(labels)[data.row]]
        assert given == [classes[code] for code in data.actual]
        assert data.prob.shape == (18, 2)

    def test_names_of_rows_and_attributes_go_with_the_rows(self):
        """And the positive class is the one that was named."""
        names = [f"patient {i}" for i in range(60)]
        found = pb.estimate(
            tree(),
            X2,
            Y2,
            scheme="stratified:3",
            rows=names,
            attributes={"age": np.arange(60)},
            positive=0,
        )
        data = found.predictions
        assert [f"patient {age}" for age in data.attributes["age"]] == data.row.tolist()
        assert np.array_equal(Y2[data.attributes["age"]], data.actual)
        assert data.positive == 0
        assert data.repeat is None
        assert data.folds == ("0", "1", "2")

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({"y": Y2[:-1]}, ("wrong-shape", "`y`", "59 entries", "`X`", "60 rows")),
            ({"y": np.zeros(60)}, ("one-class-to-fit", "`y`")),
            ({"y": X2[:, 0]}, ("no-class", "`y`", "the fraction")),
            ({"groups": [1, 2]}, ("wrong-shape", "`groups`", "has 2")),
            ({"rows": [1] * 60}, ("not-unique", "unique")),
            ({"groups": np.arange(60) % 7}, ("groups-torn-apart",)),
            (
                {"groups": np.array(["anna", "ben"])[np.arange(60) % 2]},
                ("groups-torn-apart", "'anna'", "'ben'"),
            ),
            ({"positive": 7}, ("unknown-class", "`positive`")),
            ({"attributes": {"fold": Y2}}, ("reserved-name",)),
            ({"search": {"pca": [PCA(1).fit(X2)]}}, ("already-fitted", "`estimator`")),
            ({"scheme": "grouped:3"}, ("groups-missing", "Pass `groups`")),
            ({"scheme": "stratified:31"}, ("class-smaller-than-folds", "31 folds", "30 folds")),
            (
                {"scheme": "stratified-grouped:5", "groups": np.arange(60) % 3},
                ("too-few-groups", "most 3"),
            ),
            ({"scheme": "k-fold:61"}, ("too-few-groups", "60 rows", "61 folds")),
            ({"scheme": "stratified:2", "y": np.arange(60)}, ("class-smaller-than-folds", "1 row")),
            (
                {"scheme": "nested:2x20", "search": GRID},
                ("class-smaller-than-folds", "20 inner", "15 inner"),
            ),
            ({"scheme": 5}, ("wrong-kind", "`scheme`", "a text")),
            ({"scheme": "nested:2x2"}, ("search-missing",)),
            ({"estimator": LinearRegression()}, ("no-classifier", "`estimator`", "is a regressor")),
            ({"estimator": KMeans()}, ("no-classifier", "`estimator`", "'KMeans'")),
            ({"estimator": Unnamed()}, ("classes-missing", "classes_")),
            ({"estimator": GaussianNB}, ("no-classifier", "`estimator`", "its class")),
            ({"estimator": {}}, ("nothing-named", "least one")),
            ({"y": [], "X": np.zeros((0, 2))}, ("no-rows", "`y`", "no rows")),
            ({"estimator": {1: tree(), "1": tree()}}, ("named-twice", "got 1", "'1'")),
            (
                {"X": pd.DataFrame(X2, columns=["a", "b", "a"])},
                ("not-unique", "`X`", "same name: 'a'"),
            ),
            (
                {"X": pa.table([X2[:, 0]] * 2, names=["a", "a"])},
                ("not-unique", "`X`", "same name: 'a'"),
            ),
            ({"search": {"depth": [1]}}, ("unknown-parameter", "'depth'", "'max_depth'")),
            (
                {"estimator": make_pipeline(tree()), "search": {"max_depth": [1]}},
                ("unknown-parameter", "'decisiontreeclassifier__max_depth'"),
            ),
            ({"search": {}}, ("wrong-kind", "`params`")),
            ({"search": {"max_depth": 3}}, ("wrong-kind", "`params`", "'max_depth'", "got 3")),
            ({"search": {"max_depth": "abc"}}, ("wrong-kind", "`params`", "'max_depth'", "'abc'")),
            ({"search": {"max_depth": stats.randint(1, 3)}}, ("wrong-kind", "`params`")),
            ({"search": {"max_depth": []}}, ("nothing-named", "`params`", "'max_depth'")),
            ({"search": {1: [1]}}, ("wrong-kind", "`params`", "got 1")),
            ({"estimator": GridSearchCV(tree(), {"depth": [1]})}, ("unknown-parameter", "'depth'")),
            ({"estimator": GridSearchCV(tree(), {"max_depth": 3})}, ("wrong-kind", "`params`")),
            (
                {"estimator": make_pipeline(GridSearchCV(tree(), {"max_depth": []}))},
                ("nothing-named", "least one"),
            ),
            (
                {"search": GRID, "X": X2[:8], "y": Y2[[0, 1] * 4], "scheme": "holdout"},
                ("class-smaller-than-folds", "inner parts"),
            ),
            (
                {"estimator": GridSearchCV(tree(), GRID), "search": GRID},
                ("search-twice", "`search`"),
            ),
            (
                {"estimator": GridSearchCV(tree(), GRID, cv=[([0], [1])])},
                ("wrong-kind", "`cv`", "fixed rows"),
            ),
            (
                {"estimator": GridSearchCV(tree(), GRID, refit=False)},
                ("search-without-refit", "`refit=False`"),
            ),
            ({"metrics": "acuracy"}, ("unknown-metric", "`metrics`", "'accuracy'")),
            (
                {"X": np.full((60, 1), np.nan), "estimator": GaussianNB()},
                ("fit-failed", "be fitted"),
            ),
        ],
        ids=lambda case: "" if isinstance(case, dict) else case[:24],
    )
    @pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
    def test_what_cannot_be_is_refused(self, change, says):
        """The text names the rule and what to do."""
        asked = {"estimator": tree(), "X": X2, "y": Y2, "scheme": "stratified:3", **change}
        with refused(pb.PlumblineError, *says):
            pb.estimate(asked.pop("estimator"), asked.pop("X"), asked.pop("y"), **asked)


def test_parameters_of_what_a_candidate_puts_in_are_not_judged():
    """A grid that replaces a step may name what only the new step has; values may be tuples."""
    model = make_pipeline(StandardScaler(), GaussianNB())
    grid = {"gaussiannb": [tree()], "gaussiannb__max_depth": range(1, 3)}
    found = pb.estimate(model, X2, Y2, scheme="holdout", search=grid, metrics="accuracy")
    assert "gaussiannb__max_depth" in found.models[0].folds[0].params
    assert Search(params={"hidden_layer_sizes": [(5,), (5, 5)]}).kind == "grid"


LACKING = pytest.mark.filterwarnings("ignore:class-missing:plumbline.PlumblineWarning")


class TestAnswers:
    """What comes out."""

    @LACKING
    @pytest.mark.parametrize("model", [tree(), LinearSVC(), DummyClassifier()], ids=str)
    def test_a_class_missing_in_a_training_part_has_a_column(self, model):
        """Its probability there is 0, its rating below all others."""
        splitter = PredefinedSplit(np.where(Y3 == 1, 0, np.where(np.arange(90) % 2, 1, -1)))
        found = pb.estimate(model, X3, Y3, scheme=splitter, metrics="accuracy")
        part = found.predictions.select(fold=0)
        assert part.classes == ("0", "1", "2")
        if part.prob is not None:
            assert (part.prob[:, 1] == 0).all()
            np.testing.assert_allclose(part.prob.sum(axis=1), 1)
        else:
            assert (part.score[:, 1, None] < part.score[:, [0, 2]]).all()
        assert found.models[0].summary[0].least == 0

    def test_a_classifier_without_probabilities_gives_ratings_and_labels(self):
        """Metrics that need probabilities are missing, with the reason."""
        found = pb.estimate(LinearSVC(), X2, Y2, scheme=FOLDS)
        peer = cross_val_predict(LinearSVC(random_state=0), X2, Y2, cv=FOLDS)
        assert np.array_equal(in_order(found, "label"), peer)
        assert found.predictions.score.shape == (60, 2)
        rows = {row["metric"]: row for row in found.rows()}
        assert rows["accuracy"]["mean"] > 0.4
        assert rows["roc-auc"]["reason"] is None
        assert rows["log-loss"]["mean"] is None
        assert "needs probabilities" in rows["log-loss"]["reason"]
        assert "log-loss: " in repr(found)

    def test_labels_of_the_classifier_s_own_stay(self):
        """A tie is decided as the classifier decides it, so that accuracy is its own."""
        even = DummyClassifier(strategy="uniform")
        found = pb.estimate(even, X2, Y2, scheme="holdout", metrics="accuracy")
        data = found.predictions
        assert (data.prob == 0.5).all()
        assert (data.label != data.most_likely).any()
        share = (data.label == data.actual).mean()
        assert found.models[0].summary[0].mean == pytest.approx(share)
        assert pb.estimate(GaussianNB(), X2, Y2, scheme="holdout").predictions.label is None

    def test_models_that_answer_differently_share_what_all_give(self):
        """The common table holds labels only; each model's own holds all."""
        models = {"svm": LinearSVC(), "tree": tree()}
        with warned("different-answers"):
            found = pb.estimate(models, X2, Y2, scheme="holdout")
        assert found.predictions.prob is None
        assert found.predictions.label is not None
        assert found["tree"].predictions.prob is not None
        assert found["tree"].summary[1].mean > 0
        with refused(pb.ParameterError, "not-estimated", "'tree'"):
            found["tre"]

    def test_leave_one_out(self):
        """Every row is predicted by the model of all others; areas have no value a row."""
        found = pb.estimate(GaussianNB(), X2[:20], Y2[:20], scheme="leave-one-out")
        for i in (0, 7):
            others = np.arange(20) != i
            peer = GaussianNB().fit(X2[:20][others], Y2[:20][others])
            assert np.array_equal(in_order(found)[i], peer.predict_proba(X2[[i]])[0])
        rows = {row["metric"]: row for row in found.rows()}
        assert rows["accuracy"]["mean"] == pytest.approx(rows["accuracy"]["pooled"])
        assert rows["roc-auc"]["mean"] is None
        assert 0 < rows["roc-auc"]["pooled"] < 1
        assert rows["roc-auc"]["reason"].startswith("undefined")

    def test_infinite_values_say_so(self):
        """The mean of folds of which one is infinite is, and the deviation is missing."""
        found = pb.estimate(tree(), X2, Y2, scheme="stratified:3", metrics="log-loss")
        (entry,) = found.models[0].summary
        assert entry.mean == entry.most == np.inf
        assert np.isnan(entry.deviation)
        assert entry.reason.startswith("infinite")

    def test_bootstrap_has_the_632_plus_estimate(self):
        """It lies between the loss on training rows and the one out of bag."""
        metrics = ["accuracy", "error-rate", "roc-auc"]
        found = pb.estimate(tree(), X2, Y2, scheme="bootstrap:10", metrics=metrics)
        point, wrong = found.models[0].bootstrap
        for name in ("resubstitution", "out_of_bag", "no_information", "value"):
            assert getattr(wrong, name) == pytest.approx(1 - getattr(point, name), abs=1e-12)
        data = found.predictions
        right = (
            data.label == data.actual
            if data.label is not None
            else (data.most_likely == data.actual)
        )
        rows = [right[data.row == i].mean() for i in np.unique(data.row)]
        assert point.out_of_bag == pytest.approx(np.mean(rows))
        assert point.resubstitution == 1
        assert point.no_information == pytest.approx(0.5)
        assert point.out_of_bag < point.value < 1
        assert 0.632 < point.weight <= 1
        assert found.rows()[0]["point_632"] == point.value
        assert ".632+" in repr(found)
        assert len(data.repeat.names) == 10

    def test_refit_gives_the_model_of_all_rows(self):
        """With the hyper-parameters that a search on all rows chooses."""
        found = pb.estimate(tree(), X2, Y2, scheme="holdout", search=GRID, refit=True)
        final = found.models[0].final
        again = clone(tree()).set_params(**final.best_params_).fit(X2, Y2)
        assert np.array_equal(final.predict_proba(X2), again.predict_proba(X2))
        assert pb.estimate(tree(), X2, Y2, scheme="holdout").models[0].final is None

    def test_a_search_of_one_s_own_keeps_its_folds_outside_nested_schemes(self):
        """A number of folds, or a splitter, applied to the training part."""
        for cv in (3, ShuffleSplit(3)):
            model = GridSearchCV(tree(), {"max_depth": [1, 2]}, cv=cv)
            found = pb.estimate(model, X2, Y2, scheme="holdout", metrics="accuracy", refit=True)
            assert found.models[0].final.n_splits_ == 3
            assert found.models[0].agree is True
            assert found.models[0].model == "DecisionTreeClassifier"
        with refused(pb.ParameterError, "rows-on-both-sides", argument="cv"):
            pb.estimate(model, X2, Y2, scheme="bootstrap:2")

    def test_choices_are_reported(self):
        """Which folds chose what, and whether they agree, in text and as plain data."""
        found = pb.estimate(tree(), X2, Y2, scheme="nested:3x2", search=GRID, metrics="accuracy")
        one = found.models[0]
        assert one.agree == (len(one.choices) == 1)
        assert [note.code for note in found.present().notes] == ["choices"]
        data = json.loads(json.dumps(found.to_dict()))
        assert data["models"][0]["choices"] == list(one.choices)
        held = (found.models, one.summary, one.folds, one.choices, one.bootstrap)
        assert {type(values) for values in held} == {tuple}
        fold = data["models"][0]["folds"][0]
        assert fold.keys() == {"repeat", "fold", "n_train", "n_test", "accuracy", "params"}
        assert len(found.fold_rows()) == 3
        assert found.to_frame("pandas")["metric"].tolist() == ["accuracy"]
        assert found._repr_html_().count("<tr>") == 2 + 1 + 3

    @pytest.mark.filterwarnings("ignore:class-:plumbline.PlumblineWarning")
    def test_a_search_that_cannot_choose_says_so(self):
        """Where every candidate is infinitely bad; one that is not wins."""
        asked = {"scheme": "holdout", "metrics": "accuracy"}
        deep = Search(params={"max_depth": [9, 8]}, scoring="log-loss")
        with refused(pb.InputError, "every-candidate-infinite"):
            pb.estimate(tree(), X2, Y2, search=deep, **asked)
        both = Search(params={"max_depth": [9, 1]}, scoring="log-loss")
        found = pb.estimate(tree(), X2, Y2, search=both, **asked)
        assert found.models[0].choices[0]["params"] == {"max_depth": 1}
        area = Search(params=GRID, scoring="roc-auc")
        with refused(pb.InputError, "metric-undefined", "roc-auc"):
            pb.estimate(tree(), X2, np.arange(60) < 4, search=area, **asked)

    def test_a_scoring_must_order_models(self):
        """Metrics of which no value is the best choose nothing."""
        with refused(pb.ParameterError, "metric-ranks-no-models", argument="scoring"):
            Search(params=GRID, scoring="uncertainty")


def above(least):
    """Return a function that holds a value."""
    return lambda x: x > least


def by_default(least):
    """Return a function with a default value."""
    return lambda x, least=least: x > least


def by_keyword(least):
    """Return a function with a default value by name only."""
    return lambda x, *, least=least: x > least


def in_module(code):
    """Return `f` of a module of the user's own."""
    known = {"__name__": "a_module_of_mine"}
    exec(code, known)  # noqa: S102  # as a file of the user's own
    return known["f"]


class TestQuestions:
    """How finished work is told from that of another question."""

    def test_a_digest_tells_apart_what_matters(self):
        """Parameters deep inside, values of arrays, what a function does; copies are the same."""
        values = [
            tree(),
            tree(max_depth=2),
            make_pipeline(PCA(1), tree()),
            make_pipeline(PCA(2), tree()),
            {"a": stats.uniform(0, 1)},
            {"a": stats.uniform(0, 2)},
            ShuffleSplit(2),
            ShuffleSplit(3),
            X2,
            X2.T,
            sparse.csr_matrix(X2),
            lambda x: x + 1,
            lambda x: x.mean(),
            "1",
            1,
        ]
        digests = [digest(value) for value in values]
        assert len(set(digests)) == len(values)
        assert digest(clone(values[2])) == digests[2]
        assert digest({"a": stats.uniform(0, 1)}) == digests[4]
        assert digest(X2.copy()) == digests[8]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (lambda x: x > 1, lambda x: x > 2),
            (lambda x: [v > 1 for v in x], lambda x: [v > 2 for v in x]),
            (above(1), above(2)),
            (by_default(1), by_default(2)),
            (by_keyword(1), by_keyword(2)),
            (functools.partial(above, 1), functools.partial(above, 2)),
            (np.vectorize(above(1)), np.vectorize(above(2))),
            (
                in_module("a = 1\ndef f(x):\n    return x + a"),
                in_module("a = 2\ndef f(x):\n    return x + a"),
            ),
            (
                in_module("def g(x):\n    return x\ndef f(x):\n    return g(x)"),
                in_module("def g(x):\n    return -x\ndef f(x):\n    return g(x)"),
            ),
            (
                in_module("class f:\n    @staticmethod\n    def g():\n        return 1"),
                in_module("class f:\n    @staticmethod\n    def g():\n        return 2"),
            ),
            (StandardScaler(), StandardScaler().set_output(transform="pandas")),
        ],
        ids=[
            "constant",
            "inner",
            "closure",
            "default",
            "keyword",
            "partial",
            "vectorized",
            "global",
            "helper",
            "class",
            "output",
        ],
    )
    def test_what_code_does_is_part_of_the_question(self, one, other):
        """Constants, closures, defaults, and all that a function of the user's own refers to."""
        assert digest(one) != digest(other)
        assert digest(FunctionTransformer(one)) != digest(FunctionTransformer(other))
        assert digest(one) == digest(one)

    def test_equal_code_made_twice_is_the_same(self):
        """Functions that hold themselves or each other, too."""
        code = "def g(x):\n    return f(x)\ndef f(x):\n    return g(x) if x else f(x)"
        assert digest(in_module(code)) == digest(in_module(code))
        assert digest(above(1)) == digest(above(1))

    def test_a_digest_is_the_same_in_every_process(self):
        """Whatever the addresses, and the order of sets."""
        code = (
            "import functools, numpy as np\n"
            "from plumbline.validation.digest import digest\n"
            "print(digest([functools.partial(np.clip, a_max=3), {'b', 'c', 'a'}, np.log1p, len]))"
        )
        env = {**os.environ, "PYTHONHASHSEED": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, check=True
        )
        things = [functools.partial(np.clip, a_max=3), {"b", "c", "a"}, np.log1p, len]
        assert done.stdout.decode().strip() == digest(things)

    def test_what_cannot_be_distinguished_keeps_nothing(self, tmp_path):
        """A function that holds what only this process knows is refused with a folder."""
        lock = threading.Lock()
        model = make_pipeline(FunctionTransformer(lambda X: X if lock else -X), GaussianNB())
        asked = {"scheme": "holdout", "metrics": "accuracy"}
        with refused(pb.InputError, "not-told-apart", "`folder`", "lock"):
            pb.estimate(model, X2, Y2, folder=tmp_path / "parts", **asked)
        assert pb.estimate(model, X2, Y2, **asked).n == 60

    def test_values_are_described_as_they_are_typed(self):
        """Numbers and texts stay, an estimator tells what is unusual and no seed."""
        values = {
            "a": np.int64(3),
            "b": (1, None),
            "c": PCA(2, random_state=4),
            "d": np.mean,
            "e": functools.partial(above, 2),
            "f": stats.uniform(0, 1),
            "g": {"b", "a"},
        }
        assert plain_value(values) == {
            "a": 3,
            "b": [1, None],
            "c": "PCA(n_components=2)",
            "d": "mean",
            "e": "partial(above, 2)",
            "f": "rv_continuous_frozen",
            "g": ["a", "b"],
        }
        assert plain_value(make_pipeline(PCA(1))).startswith("Pipeline(steps=")


def test_linear_algebra_is_given_back_by_the_last_user():
    """Nested and overlapping users share one core, and what was set before comes back."""

    def threads() -> list[int]:
        return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

    with threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        first, second = ExitStack(), ExitStack()
        first.enter_context(ONE_CORE)
        second.enter_context(ONE_CORE)
        first.close()
        assert set(threads()) == {1}
        second.close()
        assert threads() == before
