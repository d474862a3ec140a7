"""States of the same table add up; others are refused."""

import shutil

import numpy as np
import pytest

import plumbline as pb
from plumbline.frames.read import count
from plumbline.frames.state_file import read_state, write_state
from plumbline.frames.states import join_states
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
        ("actual,p:0,p:2", "02", "columns-differ"),
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


def test_a_copy_is_the_same_state(folder):
    """Files can be moved."""
    shutil.copy(folder / "one.state", folder / "copy.state")
    assert pb.read(folder / "copy.state").total == 300
