"""A stranger's file becomes a table: its columns are looked at, read, and opened as told."""

import gzip

import numpy as np
import pytest
from loans import loans

import plumbline as pb
from plumbline.errors import InputError, ParameterError
from plumbline.synthetic.example_tables import EXAMPLES, example
from plumbline.workbench.questions.opening import arguments_of, columns_of, how_read, opened
from plumbline.workbench.wording import message_of
from refusals import refused

TEXTS = {
    "own names": ("actual,p:no,p:yes,model\nno,.7,.3,m\nyes,.2,.8,m\nno,.6,.4,m\n", "yes"),
    "one own column": ("actual,p:yes\nno,.3\nyes,.8\nno,.4\n", "yes"),
    "y_true, y_prob": ("y_true,y_prob\n0,.3\n1,.8\n0,.4\n", "1"),
    "label, prob_1": ("label,prob_1,age\n0,.3,20\n1,.8,30\n0,.4,40\n", "1"),
    "both by number": ("Label,Prob_0,Prob_1\n0,.7,.3\n1,.2,.8\n0,.6,.4\n", "1"),
    "target, score": ("target,score\n0,.3\n1,.8\n0,.4\n", "1"),
    "class in the name": ("outcome,P(rain),city\nrain,.7,a\ndry,.2,b\ndry,.4,a\n", "rain"),
    "unheard names": ("what,u\n0,.3\n1,.8\n0,.4\n", "1"),
    "text classes": ("truth,proba\nneg,.3\npos,.8\nneg,.4\n", "pos"),
    "pred as probability": ("y,pred\n0,.3\n1,.8\n0,.4\n", "1"),
    "logical": ("truth,p\nTrue,.3\nFalse,.8\nFalse,.4\n", "True"),
    "leading zeros": ("label,prob_007,prob_008\n007,.3,.7\n008,.8,.2\n007,.4,.6\n", "008"),
}


def written(folder, text, name="table.csv"):
    """Write a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("text", "positive"), TEXTS.values(), ids=TEXTS)
def test_what_common_tools_write_opens(tmp_path, text, positive):
    """The reading opens the table, and its positive class is the one that is usually meant."""
    path = written(tmp_path, text)
    found = columns_of(path)
    assert found["complete"], found["problem"]
    data = opened(path, found["guess"])
    assert data.n == found["rows"] == 3
    assert data.classes[data.positive] == positive == found["guess"]["positive"]
    assert data.prob[0, data.positive] == pytest.approx(
        float(
            text.splitlines()[1].split(",")[
                columns(found).index(
                    next(c for c, k in found["guess"]["prob"].items() if k in (None, positive))
                )
            ]
        )
    )


def columns(found):
    """Return the names of the columns."""
    return [column["name"] for column in found["columns"]]


def test_a_guess_equals_reading_with_the_same_words(tmp_path):
    """What is opened is what `plumbline.read` makes of the file."""
    path = tmp_path / "loans.csv"
    loans(60, models=("careful", "hasty")).write(path)
    found = columns_of(path)
    data, known = opened(path, found["guess"]), pb.read(path)
    assert data.classes == known.classes
    assert data.models == known.models
    assert data.folds == known.folds
    assert np.array_equal(data.prob, known.prob)
    assert list(data.attributes) == list(known.attributes)


def test_other_parts_are_found_by_common_names(tmp_path):
    """Weights, folds, models and rows are renamed; what only sounds like them is left alone."""
    text = "y_true,y_prob,sample_weight,cv_fold,classifier,id,method of payment\n"
    text += "".join(f"{i % 2},.{i + 1},{i + 1},{i % 2},m,{i},cash\n" for i in range(6))
    found = columns_of(written(tmp_path, text))
    assert found["guess"]["rename"] == {
        "sample_weight": "weight",
        "cv_fold": "fold",
        "classifier": "model",
        "id": "row",
    }
    assert found["complete"], found["problem"]


def test_a_predicted_class_is_no_probability(tmp_path):
    """A column of classes is the answer of the classifier, whatever it is called."""
    found = columns_of(written(tmp_path, "y,pred,p\n0,1,.7\n1,1,.8\n0,0,.4\n"))
    assert found["guess"]["prob"] == {"p": None}  # of the positive class
    assert found["guess"]["rename"] == {"pred": "predicted"}


def test_columns_come_with_type_values_and_counts(tmp_path):
    """Every column has its type, its first values, and how often each of few values occurs."""
    found = columns_of(written(tmp_path, "actual,p:1,city\n0,.5,\n1,.25,<b>\n1,.125,x\n"))
    actual, chance, city = found["columns"]
    assert actual["values"] == [{"name": "0", "rows": 1}, {"name": "1", "rows": 2}]
    assert (chance["type"], chance["examples"]) == ("number", [".5", ".25", ".125"])
    assert (city["type"], city["examples"]) == ("text", ["", "<b>", "x"])


def test_long_texts_and_many_columns_have_an_end(tmp_path):
    """Examples are cut, long texts are no classes, and too many columns are refused."""
    found = columns_of(written(tmp_path, f"actual,p:1,note\n0,.5,{'x' * 5000}\n1,.25,y\n"))
    note = found["columns"][2]
    assert [len(text) <= 70 for text in note["examples"]] == [True, True]
    assert note["values"] is None
    wide = ",".join(f"c{i}" for i in range(2001)) + "\n" + ",".join("1" * 2001) + "\n"
    with refused(InputError, "too-many-columns", "2,001", "2,000"):
        columns_of(written(tmp_path, wide))


PROBLEMS = {
    "no truth": ("a,b\nx,.25\ny,.5\nz,.75\n", "true classes"),
    "no chance": ("label,age\n0,30\n1,40\n1,50\n", "no column can hold their probabilities"),
    "beyond one": ("actual,p:0,p:1\n0,.5,.5\n1,.2,1.8\n", "Column 'p:1'"),
    "missing": ("actual,p:1\n0,.5\n1,\n", "empty or NaN"),
}


@pytest.mark.parametrize(("text", "said"), PROBLEMS.values(), ids=PROBLEMS)
def test_a_guess_that_does_not_do_says_why(tmp_path, text, said):
    """The problem is told in words, the reader's own where the reader refuses."""
    found = columns_of(written(tmp_path, text))
    assert not found["complete"]
    assert said in found["problem"]


def test_corrected_roles_open_the_table(tmp_path):
    """Roles other than the guess count: the outcome, the positive class, dividing by the sum."""
    path = written(tmp_path, "a,b,q,r\n1,5,.2,.6\n0,6,.3,.3\n1,7,.1,.1\n")
    roles = {
        "actual": "a",
        "prob": {"q": "1", "r": "0"},
        "rename": {"b": "weight"},
        "positive": "0",
        "normalize": True,
    }
    data = opened(path, roles)
    assert data.classes == ("1", "0")
    assert data.classes[data.positive] == "0"
    assert data.prob[0].tolist() == pytest.approx([0.25, 0.75])
    assert data.weight.tolist() == [5, 6, 7]


@pytest.mark.parametrize("ending", ["tsv", "parquet", "arrow", "feather"])
def test_every_format_is_looked_at(tmp_path, ending):
    """The endings that the library reads are the endings that can be opened."""
    path = tmp_path / f"table.{ending}"
    loans(40).write(path)
    found = columns_of(path)
    assert found["complete"], found["problem"]
    assert opened(path, found["guess"]).n == 40


def test_what_is_no_table_is_refused(tmp_path):
    """Files that cannot be read, and roles that are none, raise the library's own errors."""
    with refused(InputError, "unknown-format"):
        columns_of(written(tmp_path, "x", "table.pkl"))
    with refused(InputError, "unreadable-file"):
        columns_of(written(tmp_path, "x", "table.parquet"))
    path = written(tmp_path, TEXTS["own names"][0])
    with pytest.raises(ParameterError, check=lambda e: e.argument == "prob"):
        opened(path, {"prob": {"p:no": 1}})
    with pytest.raises(ParameterError, check=lambda e: e.argument == "actual"):
        opened(path, {"actual": 3})
    with refused(InputError, "no-such-column", "'gone'"):
        opened(path, {"actual": "gone"})


def test_a_hundred_classes_are_all_found(tmp_path):
    """With many classes every one has its column, and none is taken for another."""
    rng = np.random.default_rng(0)
    prob = rng.dirichlet(np.full(100, 0.3), 150)
    names = [f"class {j}" for j in range(100)]
    actual = [names[rng.choice(100, p=row)] for row in prob]
    path = tmp_path / "many.csv"
    pb.Predictions.from_arrays(actual, prob, classes=names).write(path)
    found = columns_of(path)
    assert found["guess"]["prob"] == {f"p:{name}": name for name in names}
    assert found["complete"], found["problem"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_the_same_every_time(name):
    """An example has a title and a text, and its rows do not change."""
    first, second = example(name), example(name)
    assert EXAMPLES[name].title
    assert EXAMPLES[name].text
    assert np.array_equal(first.prob, second.prob)
    assert np.array_equal(first.actual, second.actual)


def test_the_examples_show_what_they_say():
    """Delays are told true in the morning, not in the evening; the second of ten digits boasts."""
    flights = example("overconfident")
    by_flight = {}
    for part in ("morning", "evening"):
        rows = flights.select(where=flights.attributes["flight"] == part)
        by_flight[part] = pb.calibration_test(rows).p_value
    assert by_flight["evening"] <= 0.02
    assert by_flight["morning"] > 0.05
    digits = example("digits").by_model()
    sure = {name: data.prob.max(axis=1).mean() for name, data in digits.items()}
    assert sure["overconfident"] > sure["calibrated"] + 0.05


def test_an_example_that_there_is_not_is_named():
    """A name that there is not is refused with those that there are."""
    with refused(ParameterError, "unknown-name", "'loans'", argument="name"):
        example("loan")


class TestForms:
    """The start page opens what the library reads."""

    @pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz", "a.jsonl"])
    def test_every_form_of_a_file_opens(self, tmp_path, name):
        """Semicolons with decimal commas, tabs, compressed text and JSON lines alike."""
        rows = "actual;p:n;p:y\nn;0,75;0,25\ny;0,5;0,5\n"
        contents = {
            "a.csv": rows.encode("utf-16"),
            "a.tsv": rows.replace(";", "\t").encode(),
            "a.csv.gz": gzip.compress(rows.encode()),
            "a.jsonl": b'{"actual": "n", "p:y": 0.25}\n{"actual": "y", "p:y": 0.5}\n',
        }
        (tmp_path / name).write_bytes(contents[name])
        columns = columns_of(tmp_path / name)
        assert (columns["rows"], columns["complete"]) == (2, True)
        assert opened(tmp_path / name, columns["guess"]).prob[:, 1].tolist() == [0.25, 0.5]

    def test_an_unclear_file_is_refused_without_options(self, tmp_path):
        """The page has no option, so the remedy is another file."""
        (tmp_path / "a.csv").write_text("truth;p,y\nn;0,1\ny;0,8\n")
        with pytest.raises(InputError) as caught:
            columns_of(tmp_path / "a.csv")
        assert caught.value.code == "ambiguous-separator"
        assert "`" not in message_of(caught.value)


def test_separator_and_decimal_mark_are_recognised_or_said(tmp_path):
    """What was recognised is told; what is said goes to the reader, from guess to table to code."""
    path = tmp_path / "european.csv"
    path.write_text("actual;p:yes;place\nyes;0,75;a|b\nno;0,25;c|d\n")
    found = columns_of(path)
    assert found["written"] == {"separator": ";", "decimal": ","}
    assert (found["guess"]["separator"], found["guess"]["decimal"]) == (None, None)
    said = columns_of(path, {"separator": ";", "decimal": ","})
    assert said["complete"]
    data = opened(path, said["guess"])
    assert data.prob[:, 1].tolist() == [0.75, 0.25]
    read = how_read(arguments_of(path, said["guess"]))
    assert (read["separator"], read["decimal"]) == (";", ",")
    with pytest.raises(InputError) as refused_file:
        columns_of(path, {"separator": "|"})
    assert refused_file.value.code == "no-such-separator"
    with pytest.raises(ParameterError) as caught:
        columns_of(path, {"separator": "a"})
    assert caught.value.code == "unknown-separator"
