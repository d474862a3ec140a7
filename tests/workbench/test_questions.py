"""Questions are read by their fields, and answered about the rows that are chosen."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from loans import loans

import plumbline as pb
from counted_tables import same
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.requests import any_number, fields_of, flag, named_texts, whole
from plumbline.workbench import TableQuestions
from plumbline.workbench.questions.inquiry import Memory
from refusals import refused


@pytest.fixture(scope="module")
def questions():
    """Two lenders, 200 applications."""
    return TableQuestions(loans(200, models=("careful", "hasty")), name="loans.csv")


def test_about_says_what_the_table_holds(questions):
    """Examples of the table and of every class, models, folds, attributes by their kind."""
    about = questions.answer({"kind": "about"})
    data = questions.table
    assert (about["name"], about["n"], about["rows"], about["k"]) == ("loans.csv", 200, 400, 2)
    one = data.select(model="hasty")
    assert about["classes"] == [
        {"name": "no", "n": int((one.actual == 0).sum())},
        {"name": "yes", "n": int((one.actual == 1).sum())},
    ]
    kinds = {one["name"]: one["kind"] for one in about["attributes"]}
    assert kinds["amount_requested"] == "number"
    assert kinds["purpose"] == "category"
    assert about["positive"] == "yes"


ROC = {"curve": {"preset": "roc"}}
COUNTED = (
    *({"kind": kind} for kind in ("rows", "doctor", "scores", "confusion", "comparable")),
    *({"kind": "class-counts", "by": "probability"}, {"kind": "curve", **ROC}),
    *({"kind": "reading", **ROC, "threshold": 0.5}, {"kind": "iso-cost", **ROC, "fp": 1, "fn": 2}),
    {"kind": "rows", "data": {"where": "probability > 0.5", "weighted": False}},
)
SINGLE_ROWS = (
    {"kind": "cases", **ROC, "low": 0.2, "high": 0.4},
    {"kind": "compare"},
    {"kind": "cell", "actual": "1", "predicted": "0"},
    {"kind": "subgroups", **ROC, "by": "probability"},
)


@pytest.fixture(scope="module")
def counted_and_single():
    """Rows that were counted, and the same ones one by one."""
    rng = np.random.default_rng(5)
    p = np.repeat(rng.uniform(size=30), 5)
    rows = pa.table({"actual": (rng.uniform(size=150) < p).astype(np.int8), "p:1": p})
    return [TableQuestions(pb.read(one)) for one in (rows.to_reader(), rows)]


@pytest.mark.parametrize("question", COUNTED, ids=lambda one: one["kind"])
def test_counted_rows_answer_as_single_ones(counted_and_single, question):
    """Numbers of rows, histograms, matrices, curves and what is read off them."""
    one, other = (questions.answer(question) for questions in counted_and_single)
    same(plain(one), plain(other))


@pytest.mark.parametrize("question", SINGLE_ROWS, ids=lambda one: one["kind"])
def test_what_needs_single_rows_says_so(counted_and_single, question):
    """Lists of rows, groups and comparisons, on the screen and as a file."""
    with refused(InputError, "counted-rows"):
        counted_and_single[0].answer(question)
    with refused(InputError, "counted-rows"):
        counted_and_single[0].answer({"kind": "export", "format": "csv", "what": question})


def plain(answer):
    """Return an answer with lists in place of arrays."""
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items()}
    if isinstance(answer, (list, tuple)):
        return [plain(value) for value in answer]
    return answer.tolist() if isinstance(answer, np.ndarray) else answer


def test_counted_rows_have_no_weights_to_leave_out(counted_and_single):
    """The data panel says how far numbers can be off instead."""
    about = counted_and_single[0].answer({"kind": "about"})
    assert (about["n"], about["has_weight"], len(about["warnings"])) == (150, False, 1)


def test_about_has_an_end():
    """Long values are left out, attributes beyond a number are only counted."""
    rows = 3
    values = {f"a{i}": np.arange(rows) for i in range(2001)}
    values["a0"] = np.array(["x", "y" * 5000, "x"])
    table = pb.Predictions.from_arrays([0, 1, 1], [0.1, 0.7, 0.6], attributes=values)
    about = TableQuestions(table).answer({"kind": "about"})
    assert len(about["attributes"]) == 2000
    assert about["attributes"][0] == {
        "name": "a0",
        "kind": "category",
        "values": ["x"],
        "distinct": 2,
    }
    (warning,) = about["warnings"]
    assert "1 more" in warning
    many = pb.Predictions.from_arrays(
        [0, 1] * 5001, [0.5] * 10_002, model=[f"m{i}" for i in range(10_002)]
    )
    with refused(InputError, "too-many-names", "10,002", "10,000"):
        TableQuestions(many).answer({"kind": "about"})


def test_rows_counts_what_the_panel_leaves(questions):
    """The counts are those of the table, of the chosen parts, and of what the filter keeps."""
    section = {
        "models": ["hasty"],
        "folds": ["1", "2"],
        "where": "amount_requested > 50",
        "target": "no",
    }
    rows = questions.answer({"kind": "rows", "data": section})
    chosen = questions.table.select(model="hasty", fold=["1", "2"])
    kept = chosen.select(where=np.asarray(chosen.attributes["amount_requested"]) > 50)
    assert (rows["table"], rows["chosen"], rows["kept"]) == (200, chosen.n, kept.n)
    assert (rows["positive"], rows["positives"]) == ("no", int((kept.actual == 0).sum()))


def test_input_checks_are_the_librarys(questions):
    """What is odd about the rows is what `check_input` says of them."""
    section = {"models": ["careful"], "where": "age > 30"}
    found = questions.answer({"kind": "doctor", "data": section})
    chosen = questions.table.select(model="careful")
    kept = chosen.select(where=np.asarray(chosen.attributes["age"]) > 30)
    assert found.pop("presentation")["details"]
    assert found == pb.check_input(kept).to_dict()


def test_input_checks_remark_on_probabilities_of_the_other_class():
    """Whichever class the panel calls positive, and it names that class."""
    y = [0, 1] * 40
    questions = TableQuestions(pb.Predictions.from_arrays(y, [0.8 - 0.6 * one for one in y]))
    for target in ("1", "0"):
        found = questions.answer({"kind": "doctor", "data": {"target": target}})
        assert found["positive"] == target
        assert "auc-below-half" in {remark["code"] for remark in found["remarks"]}


def test_weights_can_be_left_out():
    """With weights off, every row counts once."""
    data = pb.Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.7, 0.6, 0.4], weight=[1, 2, 3, 4])
    questions = TableQuestions(data)
    for weighted, wanted in ((True, data.effective_n), (False, 4.0), (None, data.effective_n)):
        rows = questions.answer({"kind": "rows", "data": {"weighted": weighted}})
        assert rows["effective_n"] == pytest.approx(wanted)


def test_nothing_left_is_an_error_in_words(questions):
    """No model, no such model, no such class, no row and no formula: each says what is wrong."""
    for section, error, *told in (
        ({"models": []}, InputError, "no-rows-left"),
        ({"models": ["gone"]}, InputError, "unknown-label", "'gone'"),
        ({"target": "perhaps"}, ParameterError, "unknown-class", "'perhaps'"),
        ({"where": "age > 1000"}, InputError, "no-rows-left", "age > 1000"),
        ({"where": "age >"}, FormulaError, "formula-incomplete"),
    ):
        with refused(error, *told):
            questions.answer({"kind": "rows", "data": section})


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (None, "must be an object"),
        ([], "must be an object"),
        ({}, "`kind` must be one of"),
        ({"kind": 3}, "`kind` must be a text"),
        ({"kind": "../about"}, "kind"),
        ({"kind": "rows", "data": [1]}, "must be an object"),
        ({"kind": "rows", "data": {"models": "careful"}}, "`models` must be a list of texts"),
        ({"kind": "rows", "data": {"models": [1]}}, "`models` must be a list of texts"),
        ({"kind": "rows", "data": {"weighted": "yes"}}, "`weighted` must be true or false"),
        ({"kind": "rows", "data": {"where": "x" * 10_001}}, "at most 10,000 characters"),
        *(
            ({"kind": kind, "data": wrong}, "`data` of the question must be an object")
            for kind in ("rows", "about", "formats")
            for wrong in ([], 0, "", False)
        ),
        *(
            ({"kind": "curve", "curve": {"x": "FPR", "y": "TPR", **wrong}}, said)
            for wrong, said in (
                ({"x": ["FPR"]}, "`x` must be a text"),
                ({"y": {}}, "`y` must be a text"),
                ({"sort_by": ["age"]}, "`sort_by` must be a text"),
                ({"direction": []}, "`direction` must be a text"),
                ({"preset": 3}, "`preset` must be a text"),
                ({"params": "a"}, "`params` must be an object"),
                ({"params": []}, "`params` must be an object"),
                ({"params": {"a": [1]}}, "`a` must be a number"),
            )
        ),
        ({"kind": "confusion", "threshold": 10**400}, "`threshold` must be a number"),
    ],
)
def test_questions_that_are_none_are_refused(questions, question, said):
    """Every field has its kind; what arrived otherwise is named."""
    with pytest.raises(ParameterError, match=said):
        questions.answer(question)


def test_fields_are_read_by_their_kind():
    """Null counts as absent; infinity is written as a text; what is not named is left alone."""
    given = {"a": None, "t": "inf", "n": 3, "f": True, "m": {"a": "b"}, "more": object()}
    parts = {"a": any_number, "t": any_number, "n": whole(0, 5), "f": flag, "m": named_texts}
    read = fields_of(given, parts)
    assert read == {"t": float("inf"), "n": 3, "f": True, "m": {"a": "b"}}
    for name, wrong in {"f": any_number, "n": whole(4, 5), "t": named_texts, "m": flag}.items():
        with pytest.raises(ParameterError):
            fields_of(given, {name: wrong})


def test_memory_keeps_the_last_few():
    """What was used longest ago is made anew."""
    memory, made = Memory(2), []

    def get(key):
        return memory.once(key, lambda: made.append(key) or key)

    for key in "abacab":
        assert get(key) == key
    assert made == ["a", "b", "c", "b"]


def test_the_table_stays_as_it_was(questions):
    """Questions change nothing: asked twice in any order they have one answer."""
    before = dataclasses.replace(questions.table)
    first = questions.answer({"kind": "rows", "data": {"target": "no", "where": "age > 30"}})
    questions.answer({"kind": "rows"})
    assert (
        questions.answer({"kind": "rows", "data": {"target": "no", "where": "age > 30"}}) == first
    )
    assert questions.table.positive == before.positive
