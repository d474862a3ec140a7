"""What a stranger's columns are guessed to mean: classes by number, loose names, the outcome."""

import numpy as np
import pytest

from plumbline.workbench.questions.guessing import labels_by_name
from plumbline.workbench.questions.opening import columns_of, opened


def looked_at(folder, text):
    """Return what is said of a file, and its path."""
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return columns_of(path), path


def test_a_frame_of_predict_proba_is_known_by_its_numbers(tmp_path):
    """Columns 0 to 9 beside a label 0 to 9 are P(0) to P(9), also one of only 0 and 1."""
    rng = np.random.default_rng(1)
    prob = rng.dirichlet(np.ones(10), 60)
    prob[:, 7] = 0
    prob[3] = np.eye(10)[7]
    prob /= prob.sum(axis=1, keepdims=True)
    digits = [str(j) for j in range(10)]
    lines = [",".join(["label", *digits])]
    lines += [f"{i % 10}," + ",".join(map(repr, row.tolist())) for i, row in enumerate(prob)]
    found, path = looked_at(tmp_path, "\n".join(lines) + "\n")
    assert found["guess"]["prob"] == {name: name for name in digits}
    assert found["complete"], found["problem"]
    assert np.allclose(opened(path, found["guess"]).prob, prob)


def test_a_number_alone_is_no_class(tmp_path):
    """Where not every class has its column, a column called 1 stays an attribute."""
    found, _ = looked_at(tmp_path, "label,1,prob\n0,.5,.25\n1,.5,.75\n2,.25,.5\n")
    assert found["guess"]["prob"] == {}
    two, _ = looked_at(tmp_path, "label,1,prob\n0,.5,.25\n1,.5,.75\n1,.25,.5\n")
    assert two["guess"]["prob"] == {"prob": "1"}


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("Fold Nr", "fold"),
        ("fold_nr", "fold"),
        ("FoldNumber", "fold"),
        ("CV-Fold", "fold"),
        ("row id", "row"),
        ("rowid", "row"),
        ("Row ID", "row"),
        ("Row_Number", "row"),
        ("Model name", "model"),
        ("model", None),
        ("ModelName", "model"),
        ("Modell-Name", "model"),
        ("Sample Weight", "weight"),
        ("sampleweight", "weight"),
        ("method of payment", None),
        ("Fold zähler", None),
    ],
)
def test_names_are_known_however_they_are_spelt(tmp_path, name, part):
    """Case, spaces, signs and endings such as Nr make no difference."""
    rows = "".join(f"{i % 2},.{i + 1},{i if part == 'row' else i % 2}\n" for i in range(6))
    found, path = looked_at(tmp_path, f"y_true,y_prob,{name}\n{rows}")
    assert found["guess"]["rename"] == ({name: part} if part else {})
    assert found["complete"], found["problem"]
    if part in ("model", "fold"):
        assert labels_by_name([name]) == {name: part}
        assert len(getattr(opened(path, found["guess"]), f"{part}s")) == 2


def test_rows_of_several_models_are_known(tmp_path):
    """The id of a row that every model has once is that of the row, not an attribute."""
    text = "actual,prob,model,row id,site id\n"
    text += "".join(f"{i % 2},.{i + 1},{m},{i},{i % 2}\n" for m in "ab" for i in range(9))
    assert looked_at(tmp_path, text)[0]["guess"]["rename"] == {"row id": "row"}


def test_classes_with_umlauts_have_their_columns(tmp_path):
    """A class is found in a column's name in either spelling, and in any script."""
    text = "actual,p_maennlich,P(weiblich)\nmännlich,.6,.4\nweiblich,.3,.7\nweiblich,.2,.8\n"
    assert looked_at(tmp_path, text)[0]["guess"]["prob"] == {
        "p_maennlich": "männlich",
        "P(weiblich)": "weiblich",
    }
    other = "actual,prob_是,prob_否\n是,.6,.4\n否,.3,.7\n"
    assert looked_at(tmp_path, other)[0]["guess"]["prob"] == {"prob_是": "是", "prob_否": "否"}


OUTCOMES = {
    "rarer first": (["gone"] * 2 + ["stays"] * 6, "gone", "it is rarer"),
    "rarer last": (["alpha"] * 6 + ["beta"] * 2, "beta", "it is rarer: 2 rows"),
    "by name": (["benign"] * 2 + ["malignant"] * 6, "malignant", "by its name"),
    "ja": (["ja"] * 6 + ["nein"] * 2, "ja", "by its name"),
    "bad": (["bad"] * 5 + ["good"] * 3, "bad", "by its name"),
    "number": ([0] * 2 + [1] * 6, "1", "by its name"),
    "even": (["alpha"] * 4 + ["beta"] * 4, "beta", "Choose one"),
}


@pytest.mark.parametrize(("actual", "positive", "why"), OUTCOMES.values(), ids=OUTCOMES)
def test_the_outcome_is_chosen_for_a_reason_that_is_given(tmp_path, actual, positive, why):
    """A class of a telling name is meant, else the rarer one, and the answer says why."""
    text = "actual,prob\n" + "".join(f"{c},0.{i + 1}\n" for i, c in enumerate(actual))
    found, path = looked_at(tmp_path, text)
    assert found["guess"]["positive"] == positive
    assert why in found["positive_why"]
    data = opened(path, found["guess"])
    assert data.classes[data.positive] == positive


def test_the_column_tells_the_outcome(tmp_path):
    """Where one class alone has its probability, that one is meant, though it is the common one."""
    found, _ = looked_at(tmp_path, "actual,p_stays\nstays,.6\nstays,.7\ngone,.2\n")
    assert found["guess"]["positive"] == "stays"
    assert found["positive_why"].startswith("p_stays ")


ALONE = {
    "other in a column": ("actual,p_malignant\nbenign,.1\nbenign,.3\n", "malignant", 2),
    "both columns": ("actual,P(Bad),P(fine)\nfine,.1,.9\nfine,.3,.7\n", "Bad", 2),
    "0 of 0 and 1": ("label,prob\n0,.1\n0,.3\n", "1", 2),
    "1 of 0 and 1": ("label,prob\n1,.1\n1,.3\n", "1", 2),
    "itself": ("actual,p_malignant\nmalignant,.1\nmalignant,.3\n", "malignant", 2),
}


@pytest.mark.parametrize(("text", "positive", "k"), ALONE.values(), ids=ALONE)
def test_a_single_class_is_guessed_with_a_remark(tmp_path, text, positive, k):
    """A table in which one class occurs opens, the other known from its column, and says so."""
    found, path = looked_at(tmp_path, text)
    assert found["complete"], found["problem"]
    assert found["positive_why"].startswith("Every ")
    data = opened(path, found["guess"])
    assert (data.k, data.classes[data.positive]) == (k, positive)
    column = next(c for c, name in found["guess"]["prob"].items() if name == positive)
    assert found["columns"][[c["name"] for c in found["columns"]].index(column)]["examples"][0] == (
        "0.1"
    )
    assert data.prob[0, data.positive] == pytest.approx(0.1)
