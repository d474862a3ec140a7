"""Results and tables of Orange, by stand-ins; orange/tests has the same with Orange itself."""

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

import plumbline as pb
from invented_tables import invented, table_of
from laws import some
from plumbline.predictions.orange import distinct
from readings import assert_same, outcome
from refusals import refused, warned


class Variable(SimpleNamespace):
    """A variable of a table."""

    def __init__(self, name, values=None, *, text=False, time=False):
        kinds = {"is_discrete": values is not None, "is_string": text, "is_time": time}
        numeric = values is None and not text
        super().__init__(name=name, values=values, is_continuous=numeric, **kinds)


class StandIn:
    """A table: columns of numbers by name, of which some are categories or texts."""

    def __init__(self, columns, y, *, classes=("no", "yes"), weights=None, metas=()):
        own = [(n, v) for n, v in columns.items()]
        variables = [n if isinstance(n, Variable) else Variable(n) for n, _ in own]
        self.columns = dict(zip((v.name for v in variables), (v for _, v in own), strict=True))
        target = Variable("y", classes)
        self.domain = SimpleNamespace(
            attributes=variables, metas=list(metas), class_var=target, class_vars=[target]
        )
        self.metas = self.X = np.empty((len(y), 0))
        self.Y, self.W, self.name = np.asarray(y, float), weights, "stand-in"
        self.ids = np.arange(len(y)) + 100

    def has_weights(self):
        """Tell whether there are weights."""
        return self.W is not None

    def get_column(self, variable):
        """Return a column by variable or name."""
        name = getattr(variable, "name", variable)
        values = self.columns.get(name, self.Y)
        return np.asarray(values) if not isinstance(values, list) else np.array(values, object)

    def __getitem__(self, rows):
        columns = {v: np.asarray(self.columns[v.name])[rows] for v in self.domain.attributes}
        weights = None if self.W is None else self.W[rows]
        table = StandIn({}, self.Y[rows], classes=self.domain.class_var.values, weights=weights)
        table.domain.attributes = list(columns)
        table.columns = {v.name: values for v, values in columns.items()}
        return table


StandIn.__hash__ = object.__hash__
Variable.__hash__ = object.__hash__


def results(**more):
    """Return results of two models on four rows, two folds."""
    positive = np.array([[0.2, 0.7, 0.6, 0.1], [0.4, 0.8, 0.3, 0.2]])
    probabilities = np.stack([1 - positive, positive], axis=2)
    parts = {
        "domain": StandIn({}, [0]).domain,
        "data": None,
        "row_indices": np.array([2, 0, 3, 1]),
        "folds": [slice(0, 2), [2, 3]],
        "actual": np.array([0.0, 1, 1, 0]),
        "predicted": (positive >= 0.5).astype(float),
        "probabilities": probabilities,
        "learners": [SimpleNamespace(name="bayes"), SimpleNamespace(name="tree")],
        "models": None,
        "failed": [False, False],
        "score_by_folds": True,
    }
    return SimpleNamespace(**(parts | more))


def test_models_folds_and_rows_are_kept():
    """Models stand below each other, each row with its fold and its number in the data."""
    data = pb.Predictions.from_orange(results())
    assert data.models == ("bayes", "tree")
    assert data.classes == ("no", "yes")
    assert data.row.tolist() == [2, 0, 3, 1] * 2
    assert data.fold.codes.tolist() == [0, 0, 1, 1] * 2
    assert data.prob[:, 1].tolist() == pytest.approx([0.2, 0.7, 0.6, 0.1, 0.4, 0.8, 0.3, 0.2])
    assert data.predicted.tolist() == [0, 1, 1, 0, 0, 1, 0, 0]


@pytest.mark.parametrize(
    "folds", [None, [], [...], [slice(0, 4)], [0, 1, 2, 3], [[i] for i in range(4)]]
)
def test_one_fold_and_single_rows_are_no_folds(folds):
    """Predictions of one test set, and those of leave-one-out, have no column of folds."""
    assert pb.Predictions.from_orange(results(folds=folds)).fold is None


def test_an_example_drawn_twice_is_told_by_its_repeat():
    """A row that occurs twice in a fold is numbered, so that it stays one example."""
    rows = np.array([5, 5, 5, 1])
    data = pb.Predictions.from_orange(results(row_indices=rows, folds=None))
    assert data.select(model="tree").repeat.codes.tolist() == [0, 1, 2, 0]
    split = pb.Predictions.from_orange(results(row_indices=np.array([5, 1, 5, 1])))
    assert split.repeat is None


@pytest.mark.parametrize(
    ("names", "learners", "expected"),
    [
        (["a", "b"], None, ("a", "b")),
        (["a", "a"], None, ("a (1)", "a (2)")),
        (["a"], None, ("#1", "#2")),
        (None, [SimpleNamespace(name="x"), SimpleNamespace()], ("x", "#2")),
        (None, None, ("#1", "#2")),
    ],
)
def test_names_of_models(names, learners, expected):
    """Names set from outside come first, then those of the learners; all differ."""
    more = {} if names is None else {"learner_names": names}
    data = pb.Predictions.from_orange(results(learners=learners, **more))
    assert data.models == expected


def test_names_of_fitted_models_serve_where_there_are_no_learners():
    """The widget Predictions gives models without learners."""
    models = np.array([[SimpleNamespace(name="p"), SimpleNamespace(name="q")]])
    assert pb.Predictions.from_orange(results(learners=None, models=models)).models == ("p", "q")
    assert distinct(["t", "t (1)", "t"]) == ["t (2)", "t (1)", "t (3)"]


def test_rows_left_out_are_told():
    """Rows without a class, and rows of a model without probabilities, are counted."""
    given = results()
    given.actual[0] = np.nan
    with warned("no-observed-class", "1 row"):
        data = pb.Predictions.from_orange(given)
    assert data.n == 6
    given = results()
    given.probabilities[1, 2:] = np.nan
    with warned("no-prediction", "2 rows", "'tree'"):
        data = pb.Predictions.from_orange(given)
    assert data.select(model="tree").row.tolist() == [2, 0]
    given.actual[:] = np.nan
    with warned("no-observed-class"), refused(pb.InputError, "empty"):
        pb.Predictions.from_orange(given)


def test_failed_models_are_left_out():
    """What a failed model predicted was never filled in."""
    with warned("failed-models", "'tree'"):
        data = pb.Predictions.from_orange(results(failed=[False, ValueError("x")]))
    assert data.models == ("bayes",)
    with warned("failed-models"), refused(pb.InputError, "no-models"):
        pb.Predictions.from_orange(results(failed=[ValueError(), ValueError()]))


def test_predicted_classes_that_are_missing_are_the_most_likely():
    """A prediction that is missing, in part or at all, follows from the probabilities."""
    given = results()
    given.predicted[:] = 0
    given.predicted[0, 1] = np.nan
    data = pb.Predictions.from_orange(given)
    assert data.predicted.tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    data = pb.Predictions.from_orange(results(predicted=None))
    assert data.label is None


def test_predicted_classes_alone_are_labels():
    """Without probabilities there are only predicted classes."""
    data = pb.Predictions.from_orange(results(probabilities=None))
    assert data.prob is None
    assert data.predicted.tolist() == [0, 1, 1, 0, 0, 1, 0, 0]


def test_stored_data_give_attributes_and_weights():
    """Attributes and weights are those of the rows that were predicted."""
    group = Variable("group", ("a", "b"))
    columns = {"age": np.array([10.0, 20, 30, 40]), group: np.array([0, 1, np.nan, 0])}
    table = StandIn(columns, [0, 0, 1, 1], weights=np.array([1.0, 2, 3, 4]))
    data = pb.Predictions.from_orange(results(data=table)).select(model="bayes")
    assert data.attributes["age"].tolist() == [30, 10, 40, 20]
    assert data.attributes["group"].tolist() == [None, "a", "a", "b"]
    assert data.weight.tolist() == [3, 1, 4, 2]


def test_reserved_names_of_attributes_are_changed():
    """An attribute called like a column of ours keeps its values under another name."""
    table = StandIn({"model": np.arange(4.0), "p:yes": np.arange(4.0)}, [0, 0, 1, 1])
    with warned("attributes-renamed", "'model (data)'", "'p yes (data)'"):
        data = pb.Predictions.from_orange(results(data=table))
    assert data.attributes["model (data)"][:4].tolist() == [2, 0, 3, 1]


def test_targets_that_are_refused():
    """A numeric target, none, several, and other objects are refused with their codes."""
    numeric = SimpleNamespace(class_var=Variable("price"), class_vars=[0])
    none = SimpleNamespace(class_var=None, class_vars=[])
    two = [Variable("a", "01"), Variable("b", "01")]
    several = SimpleNamespace(class_var=None, class_vars=two)
    for domain, code in (
        (numeric, "numeric-target"),
        (none, "no-class-variable"),
        (None, "no-class-variable"),
        (several, "several-class-variables"),
    ):
        with refused(pb.InputError, code):
            pb.Predictions.from_orange(results(domain=domain))
    with refused(pb.InputError, "not-of-orange", "dict"):
        pb.Predictions.from_orange({})


def test_tables_of_the_predictions_widget():
    """MODEL and MODEL (CLASS) are models; a number at the end belongs to the model's name."""
    label = Variable("M", ("yes", "no"))
    columns = {
        "age": np.array([1.0, 2]),
        label: np.array([1.0, 0]),
        "M (no)": np.array([0.8, 0.1]),
        "M (yes)": np.array([0.2, 0.9]),
        "M (error)": np.array([0.2, 0.1]),
        "M (yes) (1)": np.array([0.3, 0.7]),
    }
    data = pb.Predictions.from_orange(StandIn(columns, [0, 1]))
    assert data.models == ("M", "M (1)")
    assert data.prob[:, 1].tolist() == [0.2, 0.9, 0.3, 0.7]
    assert data.predicted.tolist() == [0, 1, 0, 1]
    assert list(data.attributes) == ["age"]
    assert data.row.tolist() == [0, 1, 0, 1]


def test_tables_of_plain_columns():
    """Own names are read as in a file; a class of the target without a column is refused."""
    columns = {"p:yes": np.array([0.2, 0.9]), "fold": np.array([1.0, 2.0])}
    data = pb.Predictions.from_orange(StandIn(columns, [0, 1]))
    assert data.prob[:, 1].tolist() == [0.2, 0.9]
    assert data.folds == ("1", "2")
    three = StandIn({"p:a": np.array([0.2, 0.9])}, [0, 1], classes=("a", "b", "c"))
    for table, code in (
        (three, "class-without-column"),
        (StandIn({"p:maybe": np.array([0.2, 0.9])}, [0, 1]), "class-without-column"),
        (StandIn({"age": np.array([1.0, 2.0])}, [0, 1]), "no-probabilities"),
    ):
        with refused(pb.InputError, code):
            pb.Predictions.from_orange(table)


def as_orange(table, target=None):
    """Return an Arrow table as a table of Orange: categories and numbers."""
    columns = {}
    for name in table.column_names:
        kind = table.schema.field(name).type
        values = table.column(name).to_pylist()
        if pa.types.is_string(kind) or pa.types.is_boolean(kind):
            texts = [None if value is None else str(value) for value in values]
            known = sorted({text for text in texts if text is not None})
            codes = [np.nan if text is None else known.index(text) for text in texts]
            columns[Variable(name, tuple(known))] = np.array(codes, float)
        else:
            columns[Variable(name)] = np.array(
                [np.nan if value is None else value for value in values], float
            )
    stand_in = StandIn(columns, np.zeros(table.num_rows))
    variables = stand_in.domain.attributes
    own = next((one for one in variables if one.name == target), None)
    stand_in.domain.attributes = [one for one in variables if one is not own]
    stand_in.domain.class_var, stand_in.domain.class_vars = own, [] if own is None else [own]
    return stand_in


PLAIN = ("bool", "string", "int64", "double")
TABLES = [
    one for one in invented() if {str(kind) for kind in table_of(one).schema.types} <= {*PLAIN}
]


@pytest.mark.laws
@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
@pytest.mark.parametrize("one", some(TABLES, 30), ids=lambda one: one["name"])
def test_a_table_of_orange_is_read_as_a_frame(one):
    """The same parts, classes and numbers, with and without a target; or both are refused."""
    table = table_of(one)
    if len({*table.column_names}) < table.num_columns:
        return
    target = None
    for _ in range(2):
        frame = outcome(lambda t=target: pb.Predictions.from_frame(table, actual=t, missing="drop"))
        orange = outcome(lambda t=target: pb.Predictions.from_orange(as_orange(table, t)))
        if isinstance(frame, pb.PlumblineError):
            assert isinstance(orange, pb.PlumblineError), orange
            return
        if not isinstance(orange, pb.PlumblineError) and orange.reading is None:
            return  # of a widget: MODEL (CLASS)
        assert_same(frame, orange)
        target = frame.reading.actual


def test_rows_of_a_table_have_the_numbers_of_orange():
    """Those without a value are left out; several models have the same rows."""
    y = np.array([0.0, 1, np.nan, 1, 0, 1])
    columns = {
        f"{m}_prob": np.linspace(0.1, 0.9, 6) ** j for j, m in enumerate(("tree", "bayes"), 1)
    }
    with warned("rows-left-out", "1 row"), warned("read-as", "tree_prob"):
        data = pb.Predictions.from_orange(StandIn(columns, y))
    assert data.models == ("tree_prob", "bayes_prob")
    assert data.row.tolist() == [0, 1, 3, 4, 5] * 2


def test_times_become_dates():
    """Seconds since 1970 become dates, a missing one stays missing."""
    day = Variable("day", time=True)
    columns = {"p:yes": np.array([0.2, 0.9]), day: np.array([86400.5, np.nan])}
    data = pb.Predictions.from_orange(StandIn(columns, [0, 1]))
    assert data.attributes["day"].astype(str).tolist() == ["1970-01-02T00:00:00.500000", "NaT"]


def test_texts_that_are_missing():
    """An empty text is a missing one."""
    name = Variable("name", text=True)
    columns = {"p:yes": np.array([0.2, 0.9, 0.4]), name: ["x", "", np.nan]}
    data = pb.Predictions.from_orange(StandIn(columns, [0, 1, 1]))
    assert data.attributes["name"].tolist() == ["x", None, None]
