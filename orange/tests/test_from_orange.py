"""Orange's own results and tables, of every kind, become predictions with the same numbers."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from Orange.classification import MajorityLearner, NaiveBayesLearner, TreeLearner
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    TimeVariable,
)
from Orange.evaluation import (
    CrossValidation,
    LeaveOneOut,
    ShuffleSplit,
    TestOnTestData,
    TestOnTrainingData,
)
from Orange.evaluation.scoring import LogLoss
from Orange.widgets.evaluate.owpredictions import OWPredictions
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.tests import base

import plumbline as pb
from plumbline_orange.tables import predictions_table, selected_rows

LEARNERS = [NaiveBayesLearner(), TreeLearner(max_depth=3)]


def cross_validated(data, learners=LEARNERS, **more):
    return CrossValidation(k=5, random_state=0, store_data=True, **more)(data, learners)


@pytest.fixture(scope="module")
def heart():
    return Table("heart_disease")


@pytest.fixture(scope="module")
def iris():
    return Table("iris")


@pytest.fixture
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", pb.PlumblineWarning)
        yield


class warned:  # noqa: N801 - it reads as pytest.warns
    """Expect one PlumblineWarning with this code; `told` is its text."""

    def __init__(self, code):
        self.code = code

    def __enter__(self):
        self.catcher = warnings.catch_warnings(record=True)
        self.caught = self.catcher.__enter__()
        warnings.simplefilter("always")
        return self

    def __exit__(self, *error):
        self.catcher.__exit__(*error)
        ours = [w.message for w in self.caught if isinstance(w.message, pb.PlumblineWarning)]
        if error[0] is None:
            assert [one.code for one in ours] == [self.code]
            self.told, self.rows = str(ours[0]), ours[0].rows


def refused(code):
    return pytest.raises(pb.InputError, check=lambda error: error.code == code)


def agrees(data, results):
    """The rows of each model are those of Orange: classes, probabilities, predicted classes."""
    for place, name in enumerate(data.models):
        part = data.select(model=name)
        assert (part.actual == results.actual).all()
        assert np.allclose(part.prob, results.probabilities[place], atol=1e-12)
        assert (part.predicted == results.predicted[place]).all()
        assert (part.row == results.row_indices).all()


@pytest.mark.usefixtures("no_warnings")
def test_cross_validation(heart):
    results = cross_validated(heart)
    results.learner_names = ["Bayes", "Tree"]
    data = pb.Predictions.from_orange(results)
    assert data.models == ("Bayes", "Tree")
    assert data.classes == heart.domain.class_var.values
    agrees(data, results)
    assert len(data.folds) == 5
    for place, rows in enumerate(results.folds):
        fold = data.select(model="Tree", fold=place)
        assert (fold.row == results.row_indices[rows]).all()
    assert set(data.attributes) == {v.name for v in heart.domain.attributes}
    bayes = data.select(model="Bayes")
    age = heart.get_column("age")[results.row_indices]
    assert np.array_equal(bayes.attributes["age"], age)
    assert pb.log_loss(bayes) == pytest.approx(LogLoss()(results)[0], rel=1e-6)


@pytest.mark.usefixtures("no_warnings")
def test_leave_one_out_has_no_folds(iris):
    results = LeaveOneOut(store_data=True)(iris[::5], [NaiveBayesLearner()])
    data = pb.Predictions.from_orange(results)
    assert data.folds == ()
    assert data.n == 30
    agrees(data, results)


@pytest.mark.usefixtures("no_warnings")
def test_shuffle_split_repeats_rows(heart):
    split = ShuffleSplit(n_resamples=3, test_size=0.3, random_state=0, store_data=True)
    results = split(heart, LEARNERS)
    data = pb.Predictions.from_orange(results)
    assert len(data.folds) == 3
    assert len(np.unique(data.row)) < len(results.row_indices)
    agrees(data, results)
    assert len(selected_rows(results, data.row)) == len(np.unique(results.row_indices))


@pytest.mark.usefixtures("no_warnings")
@pytest.mark.parametrize("store_data", [True, False])
def test_test_data_and_training_data(heart, store_data):
    rows = np.random.default_rng(1).permutation(len(heart))
    train, test = heart[rows[:200]], heart[rows[200:]]
    results = TestOnTestData(store_data=store_data)(train, test, LEARNERS)
    data = pb.Predictions.from_orange(results)
    agrees(data, results)
    assert data.folds == ()
    assert bool(data.attributes) == store_data
    agrees(pb.Predictions.from_orange(r := TestOnTrainingData()(train, LEARNERS)), r)


@pytest.mark.usefixtures("no_warnings")
def test_more_classes_and_one_that_never_occurs(iris):
    results = cross_validated(iris[:100])  # no virginica
    data = pb.Predictions.from_orange(results)
    assert data.classes == iris.domain.class_var.values
    agrees(data, results)


def test_a_learner_that_failed_is_left_out(heart):
    class Failing(NaiveBayesLearner):
        name = "failing"

        def __call__(self, *_):
            raise ValueError

    results = cross_validated(heart, [Failing(), NaiveBayesLearner()])
    with warned("failed-models") as warning:
        data = pb.Predictions.from_orange(results)
    assert "failing" in warning.told
    assert data.models == ("naive bayes",)
    with warned("failed-models"), refused("no-models"):
        pb.Predictions.from_orange(cross_validated(heart, [Failing()]))


def test_rows_without_a_class_are_left_out_and_told(heart):
    holed = heart.copy()
    with holed.unlocked():
        holed.Y[[3, 50]] = np.nan
    learner = MajorityLearner()
    results = TestOnTestData(store_data=True)(heart, holed, [learner])
    with warned("no-observed-class") as warning:
        data = pb.Predictions.from_orange(results)
    assert "2 rows" in warning.told
    assert list(warning.rows) == [3, 50]
    assert data.n == len(heart) - 2
    assert 3 not in data.row


def test_predictions_widget_and_its_tables(heart):
    test = base.WidgetTest()
    test.setUpClass()
    test.setUp()
    try:
        widget = test.create_widget(OWPredictions)
        models = [learner(heart[:150]) for learner in LEARNERS]
        for model, name in zip(models, ["Bayes", "Tree"], strict=True):
            model.name = name
        test.send_signal(widget.Inputs.data, heart[150:], widget=widget)
        for place, model in enumerate(models):
            test.send_signal(widget.Inputs.predictors, model, place, widget=widget)
        results = test.get_output(widget.Outputs.evaluation_results, widget=widget)
        assert results.folds == [...]
        data = pb.Predictions.from_orange(results)
        agrees(data, results)
        table = test.get_output(widget.Outputs.selected_predictions, widget=widget)
        again = pb.Predictions.from_orange(table)
        assert again.models == ("Bayes", "Tree")
        assert np.allclose(again.prob, data.prob)
        assert (again.predicted == data.predicted).all()
        assert set(again.attributes) == set(data.attributes)
    finally:
        test.tearDown()
        test.tearDownClass()


def test_test_and_score_and_its_table(heart):
    test = base.WidgetTest()
    test.setUpClass()
    test.setUp()
    try:
        widget = test.create_widget(OWTestAndScore)
        test.send_signal(widget.Inputs.train_data, heart, widget=widget)
        for place, learner in enumerate(LEARNERS):
            test.send_signal(widget.Inputs.learner, learner, place, widget=widget)
        results = test.get_output(widget.Outputs.evaluations_results, widget=widget, wait=60_000)
        data = pb.Predictions.from_orange(results)
        agrees(data, results)
        table = test.get_output(widget.Outputs.predictions, widget=widget)
        again = pb.Predictions.from_orange(table)
        assert again.models == data.models
        assert np.allclose(again.prob, data.prob)
        assert len(again.folds) == len(data.folds)
        assert set(again.attributes) == set(data.attributes)
    finally:
        test.tearDown()
        test.tearDownClass()


def table_of(columns, actual, values=("no", "yes"), metas=(), rows=None):
    """A table of numbers (columns), a class, and metas."""
    domain = Domain(
        [ContinuousVariable(name) for name in columns], DiscreteVariable("y", values), list(metas)
    )
    x = np.column_stack([np.asarray(c, float) for c in columns.values()])
    return Table.from_numpy(domain, x, np.asarray(actual, float), rows)


@pytest.mark.usefixtures("no_warnings")
def test_one_column_of_two_classes_is_enough():
    data = pb.Predictions.from_orange(
        table_of({"p:yes": [0.2, 0.9, 0.5], "age": [1, 2, 3]}, [0, 1, 1])
    )
    assert data.prob[:, 1].tolist() == [0.2, 0.9, 0.5]
    assert list(data.attributes) == ["age"]
    assert data.models == ()
    widget = pb.Predictions.from_orange(table_of({"M (no)": [0.8, 0.1, 0.5]}, [0, 1, 1]))
    assert widget.prob[:, 1] == pytest.approx([0.2, 0.9, 0.5])
    assert widget.models == ("M",)


@pytest.mark.usefixtures("no_warnings")
def test_a_second_model_of_the_same_name_is_another():
    columns = {"M (no)": [0.8, 0.1], "M (yes)": [0.2, 0.9]}
    columns |= {"M (no) (1)": [0.7, 0.3], "M (yes) (1)": [0.3, 0.7]}
    data = pb.Predictions.from_orange(table_of(columns, [0, 1]))
    assert data.models == ("M", "M (1)")
    assert data.select(model="M (1)").prob[:, 1].tolist() == [0.3, 0.7]


@pytest.mark.usefixtures("no_warnings")
def test_the_plain_table_is_read_back(heart):
    data = pb.Predictions.from_orange(cross_validated(heart))
    table = predictions_table(data)
    again = pb.Predictions.from_orange(table)
    assert again.fingerprint() == data.fingerprint()
    rows = data.select(where=[5, 400]).row
    chosen = selected_rows(table, rows)
    assert set(chosen.get_column("row")) == set(rows)


def test_tables_that_are_refused(heart):
    regression = Table("housing")
    for table, code in (
        (heart, "no-probabilities"),
        (regression, "numeric-target"),
        (heart.transform(Domain(heart.domain.attributes)), "no-class-variable"),
        (table_of({"p:maybe": [0, 1]}, [0, 1]), "class-without-column"),
        (table_of({"p:a": [0, 1], "p:b": [1, 0]}, [0, 1], ("a", "b", "c")), "class-without-column"),
    ):
        with refused(code):
            pb.Predictions.from_orange(table)
    several = Domain([], [DiscreteVariable("a", ("0", "1")), DiscreteVariable("b", ("0", "1"))])
    with refused("several-class-variables"):
        pb.Predictions.from_orange(Table.from_numpy(several, np.empty((2, 0)), np.zeros((2, 2))))
    results = CrossValidation(k=2)(regression[:20], [])
    with refused("numeric-target"):
        pb.Predictions.from_orange(results)


def test_any_table_is_read_as_a_frame(heart):
    """Columns are recognised by names and values, as in a file; rows have Orange's numbers."""
    data = pb.Predictions.from_orange(cross_validated(heart, LEARNERS[:1]))
    values = {"age": data.attributes["age"], "risk": data.prob[:, 1]}
    table = table_of(values, data.actual)
    with warned("read-as"):
        read = pb.Predictions.from_orange(table)
    frame = pb.Predictions.from_frame(
        pd.DataFrame({**values, "y": np.array(["no", "yes"])[data.actual]})
    )
    assert (read.classes, read.positive) == (frame.classes, frame.positive)
    assert read.prob.tolist() == frame.prob.tolist()
    assert (read.reading.actual, read.reading.prob) == (frame.reading.actual, frame.reading.prob)
    assert selected_rows(table, read.row[:5]).X.tolist() == table.X[:5].tolist()
    flags = Table.from_numpy(
        Domain([ContinuousVariable("score"), ContinuousVariable("churned")]),
        np.column_stack([values["risk"], data.actual]),
    )
    with warned("read-as"):
        assert pb.Predictions.from_orange(flags).classes == ("0", "1")


def test_attributes_keep_their_kinds():
    metas = [StringVariable("name"), TimeVariable("day", have_date=1), DiscreteVariable("g", "ab")]
    values = np.array([["x", 86400.0, 0.0], ["", np.nan, np.nan], ["z", 0.0, 1.0]], object)
    table = table_of(
        {"p:yes": [0.2, 0.6, 0.5], "age": [1, np.nan, 3]}, [0, 1, 1], metas=metas, rows=values
    )
    data = pb.Predictions.from_orange(table)
    assert data.attributes["name"].tolist() == ["x", None, "z"]
    assert data.attributes["g"].tolist() == ["a", None, "b"]
    assert data.attributes["day"].astype("datetime64[D]").astype(str).tolist() == [
        "1970-01-02", "NaT", "1970-01-01",
    ]  # fmt: skip
    assert np.isnan(data.attributes["age"][1])


def test_names_that_mean_something_else_are_changed(heart):
    names = {"age": "model", "cholesterol": "row", "max HR": "model (data)"}
    renamed = [v.renamed(names.get(v.name, v.name)) for v in heart.domain.attributes]
    other = heart.transform(Domain(renamed, heart.domain.class_var))
    results = cross_validated(other, [NaiveBayesLearner()])
    with warned("attributes-renamed"):
        data = pb.Predictions.from_orange(results)
    assert {"model (data)*", "row (data)", "model (data)"} <= set(data.attributes)


@pytest.mark.usefixtures("no_warnings")
def test_sparse_data(iris):
    with iris.unlocked():
        sparse = iris.to_sparse()
    data = pb.Predictions.from_orange(cross_validated(sparse, [MajorityLearner()]))
    places = data.row
    assert np.array_equal(data.attributes["petal width"], iris.get_column("petal width")[places])


def test_wide_sparse_data_lose_their_features(monkeypatch):
    monkeypatch.setattr("plumbline.predictions.orange.MOST_CELLS", 100)
    domain = Domain([ContinuousVariable(n) for n in "abc"], DiscreteVariable("y", ("no", "yes")))
    table = Table.from_numpy(domain, sp.csr_matrix((60, 3)), np.arange(60) % 2)
    results = cross_validated(table, [MajorityLearner()])
    with warned("sparse-features"):
        data = pb.Predictions.from_orange(results)
    assert not data.attributes


@pytest.mark.usefixtures("no_warnings")
def test_weights_of_the_data_are_those_of_the_rows(heart):
    weighted = heart.copy()
    with weighted.unlocked():
        weighted.set_weights(1.0)
        weighted.W[:] = np.arange(len(heart)) % 3
    results = cross_validated(weighted, [MajorityLearner()])
    data = pb.Predictions.from_orange(results)
    assert (data.weight == results.row_indices % 3).all()
