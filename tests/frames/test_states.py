"""States of the same table add up; others are refused."""

import shutil

import numpy as np
import pytest

import plumbline as pb
from laws import law
from plumbline.frames import count, join_states, read_state, write_state
from refusals import refused


@pytest.fixture
def folder(tmp_path):
    """Return a folder with two tables and their states."""
    rng = np.random.default_rng(4)
    for name in ("one", "two"):
        p = rng.random(300)
        rows = pb.Predictions.from_arrays((rng.random(300) < p).astype(int), p)
        rows.write(tmp_path / f"{name}.csv")
        write_state(count(tmp_path / f"{name}.csv"), tmp_path / f"{name}.state")
    return tmp_path


def test_states_are_read_like_the_tables_they_hold(folder):
    """One, and several added up."""
    whole = pb.read([folder / "one.csv", folder / "two.csv"], engine="counts")
    states = pb.read([folder / "one.state", folder / "two.state"])
    assert states.counted
    assert (states.total, states.classes, states.positive) == (600, whole.classes, whole.positive)
    assert np.array_equal(states.prob, whole.prob)
    assert np.array_equal(states.weight, whole.weight)


@pytest.mark.parametrize(
    ("files", "how", "code"),
    [
        (["one.state", "two.csv"], {}, "mixed-files"),
        (["one.state"], {"positive": "1"}, "argument-beside-another"),
        (["one.state"], {"engine": "memory"}, "argument-beside-another"),
        (["three.state"], {}, "no-such-file"),
    ],
)
def test_what_does_not_go_together_is_refused(folder, files, how, code):
    """A table beside a state, what says how to read, a missing file."""
    with refused(pb.PlumblineError, code):
        pb.read([folder / name for name in files], **how)


@pytest.mark.parametrize(
    ("head", "labels", "code"),
    [
        ("actual,p:0", "01", "columns-differ"),
        ("y_true,p:0,p:1", "01", "columns-differ"),
        ("model,actual,p:0,p:1", "01", "columns-differ"),
        ("actual,p:0,p:2", "02", "classes-differ"),
        ("actual,p:1,p:0", "01", "columns-differ"),
        ("actual,p:0,p:1", "02", "classes-differ"),
    ],
)
def test_other_columns_and_classes_are_refused(folder, head, labels, code):
    """And nothing is added then."""
    rows = []
    for label in labels:
        cells = {"model": "a", "actual": label, "y_true": label}
        rows.append(",".join(cells.get(name, "0.5") for name in head.split(",")))
    (folder / "other.csv").write_text("\n".join([head, *rows, ""]), "utf-8")
    whole = read_state(folder / "one.state")
    with refused(pb.InputError, code):
        join_states(whole, count(folder / "other.csv"), "other.csv")
    assert whole.rows == 300


TWO, ONE, UNNAMED = ("p:no", "p:yes"), ("p:yes",), ("y_prob",)


def counts_of(path, rows, columns, **how):
    """Write rows (label, p of "yes") with these columns, and count them."""
    head = ",".join(["actual", *columns])
    lines = [",".join([label, *[str(1 - p)][: len(columns) - 1], str(p)]) for label, p in rows]
    path.write_text("\n".join([head, *lines, ""]), "utf-8")
    return count(path, **how)


@law("columns", [(TWO, ONE), (ONE, TWO), (TWO, UNNAMED), (UNNAMED, ONE)], number=2)
@pytest.mark.parametrize("turned", [1, -1])
def test_one_column_and_two_hold_the_same(tmp_path, columns, turned):
    """As the probability of one class is counted, whichever label comes first."""
    rows = [("yes", 0.75), ("no", 0.25), ("yes", 0.5), ("no", 0.5), ("yes", 0.125)]
    parts = rows, rows[1:3][::turned]
    whole, more = (
        counts_of(tmp_path / f"{j}.csv", part, names)
        for j, (part, names) in enumerate(zip(parts, columns, strict=True))
    )
    join_states(whole, more, "more")
    data = whole.predictions()
    expected = counts_of(tmp_path / "all.csv", [*parts[0], *parts[1]], TWO).predictions()
    assert (data.classes, data.positive) == (expected.classes, expected.positive)
    for name in ("actual", "prob", "weight"):
        assert np.array_equal(getattr(data, name), getattr(expected, name))


def test_columns_of_other_names_are_others(tmp_path):
    """Two models, though both give the probability of one class."""
    one, other = (
        counts_of(tmp_path / f"{name}.csv", [("yes", 0.5), ("no", 0.3)], [name], prob={name: "yes"})
        for name in "ab"
    )
    with refused(pb.InputError, "columns-differ"):
        join_states(one, other, "b.csv")


def test_labels_of_numbers_and_of_text_are_the_same(tmp_path):
    """1.0 is 1, also where it comes first, and in predicted labels."""
    for name, labels in (("one", "01"), ("two", ("1.0", "0.0"))):
        rows = "".join(f"{label},0.25,{label}\n" for label in labels)
        (tmp_path / f"{name}.csv").write_text(f"actual,p:1,predicted\n{rows}", "utf-8")
    whole, more = (count(tmp_path / f"{name}.csv") for name in ("one", "two"))
    join_states(whole, more, "two.csv")
    data = whole.predictions()
    assert data.classes == ("0", "1")
    assert pb.confusion_matrix(data).counts.tolist() == [[2, 0], [0, 2]]


def test_a_copy_is_the_same_state(folder):
    """Files can be moved."""
    shutil.copy(folder / "one.state", folder / "copy.state")
    assert pb.read(folder / "copy.state").total == 300
