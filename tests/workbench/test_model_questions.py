"""What the workbench says of models and confusion matrices is what the library says."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from loans import loans

import plumbline as pb
from plumbline._result import jsonable
from plumbline.cli import main
from plumbline.comparison import TESTS
from plumbline.errors import InputError, ParameterError
from plumbline.scores import brier_convention
from plumbline.workbench import TableQuestions, decode, encode
from plumbline.workbench.questions.cell import rows_of_cell
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wording import worded_answer
from refusals import refused, warned

MODELS = ("careful", "boastful", "hasty")


@pytest.fixture(scope="module")
def data():
    """Loans that three lenders judge, over ten folds."""
    return loans(300, models=MODELS)


@pytest.fixture(scope="module")
def questions(data):
    """The loans in the workbench."""
    return TableQuestions(data, name="loans.csv")


@pytest.fixture(scope="module")
def many():
    """Forty rows of twelve classes, some of which nobody is."""
    rng = np.random.default_rng(3)
    prob = rng.dirichlet(np.full(12, 0.3), 40)
    drawn = [f"class {rng.choice(12, p=row)}" for row in prob]
    return pb.Predictions.from_arrays(drawn, prob, classes=[f"class {j}" for j in range(12)])


def asked(questions, **question):
    """Ask, and read the answer as a browser does."""
    return decode(encode(questions.answer(question)))


def spoken(*arguments):
    """Return what the command line answers with `--json`."""
    ran = CliRunner().invoke(main, [*map(str, arguments), "--json"])
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


# ------------------------------------------------------------------ scores


def test_scores_are_those_of_the_library(data, questions):
    """A line a model holds what `measure` gives; the bins go to the error alone."""
    answer = asked(questions, kind="scores", bins="equal-size:5", resamples=39)
    names = [metric["name"] for metric in answer["metrics"]]
    formulas = {metric["name"]: metric["formula"] for metric in answer["metrics"]}
    assert formulas["brier-score"] == brier_convention(data)
    for line in answer["results"]:
        part = data.select(model=line["model"])
        found = {one["metric"]: one for one in line["metrics"]}
        assert list(found) == names
        for name in names:
            bins = {"bins": "equal-size:5"} if name == "ece" else {}
            own = pb.measure(part, name, resamples=39, **bins)[name]
            assert found[name]["value"] == own.value
            assert found[name]["null_range"] == list(own.null_range)
        assert line["roc_auc"] == pb.roc_auc_interval(part).to_dict()


def test_scores_are_those_of_the_command_line(data, questions, tmp_path):
    """The entries have the keys and the numbers of `plumbline scores --json`."""
    data.write(tmp_path / "loans.csv")
    names = ",".join(metric["name"] for metric in asked(questions, kind="scores")["metrics"])
    said = spoken("scores", tmp_path / "loans.csv", "--metrics", names, "--resamples", 9)
    answer = asked(TableQuestions(pb.read(tmp_path / "loans.csv")), kind="scores", resamples=9)
    for line, told in zip(answer["results"], said["results"], strict=True):
        line.pop("roc_auc")
        del told["verdict"], told["omnibus_p_value"]  # the card asks the test for them
        assert {**line, "metrics": sorted(line["metrics"], key=str)} == {
            **told,
            "metrics": sorted(told["metrics"], key=str),
        }


def test_scores_that_a_table_lacks_say_why():
    """Labels alone have an accuracy, and every other score its reason."""
    labels = pb.Predictions.from_arrays(["a", "b", "b"], predicted=["a", "b", "a"])
    (line,) = asked(TableQuestions(labels), kind="scores")["results"]
    found = {one["metric"]: one for one in line["metrics"]}
    assert found["accuracy"]["value"] == pytest.approx(2 / 3)
    assert found["log-loss"]["value"] is None
    assert "needs probabilities" in found["log-loss"]["reason"]
    assert "roc_auc" not in line


def test_repeated_examples_are_counted_model_by_model():
    """Two models of the same 20 examples, twice: 40 rows of 20 examples, not 80 of 40."""
    actual = np.tile([0, 1], 40)
    data = pb.Predictions.from_arrays(
        actual,
        np.where(actual == 1, 0.6, 0.4),
        model=["a"] * 40 + ["b"] * 40,
        repeat=np.tile(np.repeat([0, 1], 20), 2),
        row=np.tile(np.arange(20), 4),
    )
    with warned("repeated-examples", "40 rows", "20 examples") as told:
        asked(TableQuestions(data), kind="scores", resamples=9)
    assert all("40 rows" in str(one.message) for one in told)


def test_no_question_may_ask_for_more_draws_than_another(questions):
    """Scores, comparisons and matrices have one limit."""
    for kind in ("scores", "compare", "confusion"):
        with refused(ParameterError, "no-whole-number", "9,999", argument="resamples"):
            asked(questions, kind=kind, resamples=10_000)


def test_an_area_without_an_interval_says_why(data):
    """Repeats without `row` have an area, and no interval; weighted rows have one."""
    (line,) = asked(
        TableQuestions(
            pb.Predictions.from_arrays(
                data.actual[:90], data.prob[:90], weight=np.linspace(1, 2, 90)
            )
        ),
        kind="scores",
    )["results"]
    assert None not in line["roc_auc"]["interval_range"]
    repeated = pb.Predictions.from_arrays(
        data.actual[:90], data.prob[:90], repeat=np.repeat([0, 1], 45)
    )
    (line,) = asked(TableQuestions(repeated), kind="scores")["results"]
    assert line["roc_auc"]["interval_range"] is None
    assert "'row'" in line["roc_auc"]["reason"]


# ------------------------------------------------------------------ comparisons


@pytest.mark.parametrize(
    "question",
    [
        {"metric": "brier-score"},
        {"metric": "roc-auc", "models": ["hasty", "careful"], "adjust": None},
        {"metric": "accuracy", "over": "purpose", "adjust": "benjamini-hochberg", "level": 0.9},
        {"metric": "log-loss", "rope": 0.05, "test": "bayesian-t"},
    ],
)
def test_a_comparison_is_that_of_the_library(data, questions, question):
    """Differences, intervals, p-values, ranks, words and remarks are those of `compare`."""
    fields = dict(question)
    if "adjust" in fields and fields["adjust"] is None:
        fields["adjust"] = "none"
    answer = asked(questions, kind="compare", **fields)
    parameters = {"metrics" if name == "metric" else name: one for name, one in question.items()}
    found = pb.compare(dict(data.by_model()), **parameters)
    tests = answer.pop("tests")
    said = {name: ranks.pop("presentation") for name, ranks in answer["ranks"].items()}
    assert {name: one["summary"] for name, one in said.items()} == {
        name: one.present().summary for name, one in found.ranks.items()
    }
    assert answer == jsonable(worded_answer(found.to_dict(), "compare"))
    assert [test["title"] for test in tests] == [TESTS[pair.test] for pair in found.pairs[:1]]
    assert all(test["why"] for test in tests)


def test_a_comparison_needs_two_models(many, questions):
    """One model is refused with the remedy, as in the library."""
    with refused(InputError, "one-model-to-compare"):
        asked(TableQuestions(many), kind="compare")
    with refused(InputError, "one-model-to-compare"):
        asked(questions, kind="compare", data={"models": ["careful"]})


def test_a_comparison_looks_at_the_rows_of_the_data_panel(data, questions):
    """Filter and folds count: the answer is that of the rows that are left."""
    panel = {"where": "age > 40", "models": ["careful", "hasty"]}
    answer = asked(questions, kind="compare", data=panel, metric="brier-score")
    kept = data.select(where=np.asarray(data.attributes["age"]) > 40)
    found = pb.compare(dict(kept.select(model=["careful", "hasty"]).by_model()))
    assert answer["pairs"][0]["difference"] == found.pairs[0].difference


def test_a_comparison_tells_its_progress_and_can_be_stopped(questions):
    """The callback is called, and what it raises ends the work."""

    class StoppedError(Exception):
        pass

    def stop(*_):
        raise StoppedError

    with pytest.raises(StoppedError):
        questions.answer(
            {"kind": "compare", "test": "bootstrap", "metric": "accuracy"}, progress=stop
        )


def test_what_can_be_compared_depends_on_the_table(questions, many):
    """Metrics, tests that fit the design, and attributes that tell data sets apart."""
    answer = asked(questions, kind="comparable")
    assert answer["usual"] == "brier-score"
    assert {"brier-score", "roc-auc"} <= {one["name"] for one in answer["metrics"]}
    assert answer["design"]["name"] == "cross-validation"
    fits = {test["name"]: test["answer"] for test in answer["tests"]}
    assert fits["corrected-t"] == "fits"
    assert fits["wilcoxon"] == "too optimistic"
    assert "purpose" in answer["attributes"]
    over = asked(questions, kind="comparable", over="purpose")
    assert {test["name"]: test["answer"] for test in over["tests"]}["wilcoxon"] == "fits"
    assert asked(TableQuestions(many), kind="comparable")["design"]["name"] == "holdout"


# ------------------------------------------------------------------ confusion


def test_matrices_are_those_of_the_library(data, questions):
    """Counts, shares and rates with intervals of every model, at a threshold."""
    question = {"threshold": 0.3, "shares": "actual", "interval": "bootstrap", "resamples": 49}
    answer = asked(questions, kind="confusion", **question)
    assert [entry["model"] for entry in answer["results"]] == list(MODELS)
    for entry in answer["results"]:
        matrix = pb.confusion_matrix(data.select(model=entry["model"]), threshold=0.3)
        assert np.array_equal(np.array(entry["matrix"]), matrix.counts)
        assert np.array_equal(np.array(entry["shares"]), matrix.normalized("actual"))
        own = matrix.rates(["precision", "F1"], interval="bootstrap", resamples=49)
        for name in ("PPV", "F1"):
            told = next(rate for rate in entry["rates"] if rate["name"] == name)
            assert told["value"] == own.value(name)
            assert (told["low"], told["high"]) == (own.entry(name).low, own.entry(name).high)


def test_a_class_without_rows_is_remarked():
    """Averages leave it out, and the remark says so with its code."""
    prob = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.5, 0.4, 0.1]])
    absent = pb.Predictions.from_arrays(["a", "b", "b"], prob, classes=["a", "b", "c"])
    (entry,) = asked(TableQuestions(absent), kind="confusion")["results"]
    assert entry["remark_codes"] == ["absent-class"]
    assert "'c'" in entry["remarks"][0]


def test_many_classes_are_seen_all_at_once_or_one_against_the_rest(many):
    """The largest probability decides, unless a class is named; confusions come largest first."""
    questions = TableQuestions(many)
    (entry,) = asked(questions, kind="confusion")["results"]
    assert np.array_equal(np.array(entry["matrix"]), pb.confusion_matrix(many).counts)
    counts = [one["count"] for one in entry["confused"]]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) <= many.n - np.trace(pb.confusion_matrix(many).counts)
    (entry,) = asked(questions, kind="confusion", target="class 3", threshold=0.2)["results"]
    matrix = pb.confusion_matrix(many, target="class 3", threshold=0.2)
    assert np.array_equal(np.array(entry["matrix"]), matrix.counts)
    with refused(ParameterError, "class-missing", argument="threshold"):
        asked(questions, kind="confusion", threshold=0.2)


def test_the_usual_interval_is_one_that_fits_the_rows():
    """The library's own choice, none where nothing tells which examples come again."""
    alone = pb.Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.4, 0.3])
    again = pb.Predictions.from_arrays(
        [0, 1, 0, 1], [0.1, 0.8, 0.4, 0.6], repeat=[0, 0, 1, 1], fold=[0, 0, 0, 0], row=[0, 1, 0, 1]
    )
    unknown = pb.Predictions.from_arrays(
        [0, 1, 0, 1], [0.1, 0.8, 0.4, 0.6], repeat=[0, 0, 1, 1], fold=[0, 0, 0, 0]
    )
    found = [
        asked(TableQuestions(one), kind="confusion")["results"][0]["interval"]
        for one in (alone, again, unknown)
    ]
    assert found == ["auto", "auto", None]


def test_ratings_tell_between_which_values_a_threshold_lies():
    """A slider needs ends: those of the ratings."""
    rated = pb.Predictions.from_arrays([0, 1, 1, 0], score=[-2.0, 3.0, 1.0, 0.0])
    answer = asked(TableQuestions(rated), kind="confusion", threshold=0.5)
    assert answer["range"] == {"low": -2.0, "high": 3.0}
    assert [list(row) for row in answer["results"][0]["matrix"]] == [[2, 0], [0, 2]]


@pytest.mark.parametrize("target", [None, "0"])
def test_ratings_are_parted_in_their_middle_as_in_a_reading(target):
    """Ratings decide nothing by themselves: matrix and cells take the threshold of a reading."""
    score = np.random.default_rng(2).normal(size=41)
    rated = pb.Predictions.from_arrays(["0", "1"] * 20 + ["1"], score=score)
    questions, panel = TableQuestions(rated), {"target": target}
    curve = {"x": "FPR", "y": "TPR"}
    at = asked(questions, kind="reading", data=panel, curve=curve)["threshold"]
    answer = asked(questions, kind="confusion", data=panel)
    entry = answer["results"][0]
    assert answer["usual"] == entry["threshold"] == at
    (same,) = asked(questions, kind="confusion", data=panel, threshold=at)["results"]
    assert [list(row) for row in entry["matrix"]] == [list(row) for row in same["matrix"]]
    cell = asked(questions, kind="cell", data=panel, actual="0", predicted="1")
    assert cell["count"] == entry["matrix"][0][1]


def test_tables_that_answer_by_themselves_need_no_usual_threshold(questions):
    """Probabilities decide at one half, and a column of predictions by itself."""
    assert asked(questions, kind="confusion")["usual"] is None
    told = pb.Predictions.from_arrays(
        ["a", "b", "b"], score=[0.1, 0.2, 0.3], predicted=["a", "b", "a"], positive="b"
    )
    answer = asked(TableQuestions(told), kind="confusion")
    assert answer["usual"] is None
    assert "predicted" in answer["results"][0]["decision"]


def test_a_matrix_says_whether_its_cells_are_weights(data, questions):
    """Weights are told apart from rows, and the data panel can leave them out."""
    assert asked(questions, kind="confusion")["weighted"] is False
    heavy = TableQuestions(
        pb.Predictions.from_arrays(data.actual[:90], data.prob[:90], weight=np.linspace(1, 2, 90))
    )
    assert asked(heavy, kind="confusion")["weighted"] is True
    assert asked(heavy, kind="confusion", data={"weighted": False})["weighted"] is False


# ------------------------------------------------------------------ cells


def columns(answer):
    """Return the columns of a cell's rows by name."""
    return {column["name"]: list(column["values"]) for column in answer["columns"]}


@pytest.mark.parametrize(("actual", "predicted"), [("no", "yes"), ("yes", "no"), ("yes", "yes")])
def test_a_cell_lists_its_rows_the_most_wrong_first(data, questions, actual, predicted):
    """As many rows as the matrix counts, found by hand, sorted by the belief in the true class."""
    panel = {"where": "age > 40"}
    question = {"model": "hasty", "actual": actual, "predicted": predicted, "threshold": 0.45}
    answer = asked(questions, kind="cell", data=panel, **question)
    names = np.array(data.classes)
    p = data.prob[:, 1]
    inside = (np.array(data.model.names)[data.model.codes] == "hasty") & (
        np.asarray(data.attributes["age"]) > 40
    )
    inside &= (names[data.actual] == actual) & ((p >= 0.45) == (predicted == "yes"))
    places = np.flatnonzero(inside)
    belief = p[places] if actual == "yes" else 1 - p[places]
    found = columns(answer)
    own = places - np.flatnonzero(np.array(data.model.names)[data.model.codes] == "hasty")[0]
    assert answer["count"] == len(places) == len(found["number"])
    assert found["number"] == own[np.argsort(belief, kind="stable")].tolist()
    assert set(found["actual"]) == {actual}
    assert set(found["predicted"]) == {predicted}
    ages = data.select(model="hasty").attributes["age"]
    assert found["age"] == [ages[int(number)] for number in found["number"]]


@pytest.mark.parametrize("model", ["careful", "hasty"])
def test_a_row_has_one_number_in_a_cell_and_among_the_cases(questions, model):
    """The row that a cell lists as `number` is the case of that number, with every column alike."""
    panel = {"where": "age > 40"}
    threshold = {"low": 0.45, "model": model, "most": 5000}
    cases = asked(questions, kind="cases", data=panel, **threshold)["cases"]
    known = {row["number"]: (row["row"], row["actual"], row["age"]) for row in cases}
    cell = {"model": model, "actual": "no", "predicted": "yes", "threshold": 0.45}
    found = columns(asked(questions, kind="cell", data=panel, **cell))
    assert found["number"]
    for number, *told in zip(
        *(found[name] for name in ("number", "row", "actual", "age")), strict=True
    ):
        assert known[int(number)] == tuple(told)


def test_a_cell_lists_as_many_rows_as_asked_and_a_file_gets_all(data, questions):
    """`most` shortens the list, the count stays; the rows of a file leave nothing out."""
    question = {"kind": "cell", "model": "careful", "actual": "no", "predicted": "yes"}
    answer = asked(questions, **question, most=4)
    assert answer["shown"] == 4 < answer["count"]
    matrix = pb.confusion_matrix(data.select(model="careful"))
    assert answer["count"] == matrix.counts[0, 1] == answer["weight"]
    whole = rows_of_cell(Inquiry(data, question)).columns
    assert len(whole["number"]) == answer["count"]
    assert whole["number"][:4].tolist() == columns(answer)["number"]


def test_a_cell_of_many_classes_and_of_one_against_the_rest(many):
    """Both probabilities of a row stand beside it; against the rest that of the class."""
    questions = TableQuestions(many)
    matrix = pb.confusion_matrix(many)
    i, j = (int(place) for place in np.argwhere(matrix.counts > 0)[0])
    answer = asked(questions, kind="cell", actual=many.classes[i], predicted=many.classes[j])
    found = columns(answer)
    assert answer["count"] == matrix.counts[i, j]
    numbers = [int(number) for number in found["number"]]
    assert found["p of predicted"] == [many.prob[number, j] for number in numbers]
    rest = {"target": "class 3", "threshold": 0.2}
    answer = asked(questions, kind="cell", actual="not class 3", predicted="class 3", **rest)
    beliefs = columns(answer)["p:class 3"]
    assert beliefs == sorted(beliefs, reverse=True)
    assert set(columns(answer)["actual"]) <= set(many.classes) - {"class 3"}


def test_a_cell_that_is_not_there_is_refused(questions):
    """An unknown class or model is named, with what is known."""
    question = {"kind": "cell", "model": "careful", "actual": "no", "predicted": "yes"}
    with refused(ParameterError, "unknown-name", argument="actual"):
        asked(questions, **{**question, "actual": "maybe"})
    with refused(ParameterError, "unknown-name", argument="model"):
        asked(questions, **{**question, "model": "nobody"})
    with refused(ParameterError, "unknown-name", argument="model"):
        asked(questions, **{**question, "model": None})


def test_a_cell_of_labels_alone_keeps_the_order_of_the_table():
    """Without ratings nothing is more wrong than anything else."""
    labels = pb.Predictions.from_arrays(["a", "b", "a", "a"], predicted=["b", "b", "a", "b"])
    answer = asked(TableQuestions(labels), kind="cell", actual="a", predicted="b")
    assert columns(answer)["number"] == [0, 3]
    assert answer["presentation"]["legend"] == ["In the order of the table."]
