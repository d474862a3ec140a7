"""Labels in a second table, joined to predictions by an ID."""

import shlex

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import plumbline as pb
from plumbline.cli import main
from plumbline.errors import InputError, ParameterError
from plumbline.roles import UnclearColumns
from refusals import refused, warned

N = 30
RNG = np.random.default_rng(5)
P = RNG.uniform(0.05, 0.95, N).round(4)
Y = (RNG.uniform(size=N) < P).astype(int)
PREDICTED = pd.DataFrame({"loan_id": 100 + np.arange(N), "score": P})
LABELS = pd.DataFrame({"loan_id": 100 + np.arange(N), "default": Y, "amount": np.arange(N)})


def test_two_tables_are_the_one_that_they_were(tmp_path):
    """Whatever the order of their rows: frames, CSV, Parquet, one of each, and by other names."""
    whole = pb.Predictions.from_frame(PREDICTED.merge(LABELS))
    mixed = LABELS.sample(frac=1, random_state=0)
    PREDICTED.to_csv(tmp_path / "p.csv", index=False)
    mixed.to_csv(tmp_path / "l.csv", index=False)
    mixed.rename(columns={"loan_id": "id"}).to_parquet(tmp_path / "l.parquet")
    for source, labels, how in (
        (PREDICTED, mixed, {}),
        (tmp_path / "p.csv", tmp_path / "l.csv", {}),
        (tmp_path / "p.csv", mixed, {"row": "loan_id"}),
        (PREDICTED, tmp_path / "l.parquet", {"row": {"loan_id": "id"}, "actual": "default"}),
        (tmp_path / "p.csv", tmp_path / "l.parquet", {}),
    ):
        data = pb.read(source, labels=labels, **how)
        np.testing.assert_array_equal(data.actual, whole.actual)
        np.testing.assert_array_equal(data.prob, whole.prob)
        np.testing.assert_array_equal(data.row.astype(str), whole.row.astype(str))
        assert data.attributes["amount"].tolist() == [*range(N)]
        assert data.reading.joined.startswith("loan_id")
        assert "joined by loan_id" in str(data.reading)


@given(st.lists(st.integers(0, 9), max_size=20), st.randoms(use_true_random=False))
def test_every_row_has_the_label_of_its_id(ids, random):
    """Rows whose ID has no label are left out on request; labels without a row play no part."""
    ids = [*ids, 0, 2]
    labelled = [*range(0, 12, 2)]
    random.shuffle(labelled)
    labels = pd.DataFrame({"key": labelled, "y": [f"c{one % 3}" for one in labelled]})
    table = pd.DataFrame({"key": ids, "p:c0": 0.5, "p:c1": 0.25, "p:c2": 0.25})
    kept = [one for one in ids if one in labelled]
    with warned("labels-unmatched", f"{len(ids) - len(kept)} of {len(ids)} rows"):
        data = pb.Predictions.from_frame(
            table, labels=labels, row="key", missing="drop", rename={"key": "about"}
        )
    assert [data.classes[code] for code in data.actual] == [f"c{one % 3}" for one in kept]
    assert data.reading.left_out == len(ids) - len(kept)


def test_models_below_and_beside_each_other_have_the_labels():
    """One label serves the rows of all models."""
    long = pd.concat([PREDICTED.assign(model_name=name) for name in ("logreg", "boosting")])
    wide = pd.DataFrame({"loan_id": PREDICTED["loan_id"], "logreg": P, "boosting": P**2})
    for table in (long, wide):
        data = pb.Predictions.from_frame(table, labels=LABELS)
        assert data.n == 2 * N
        assert {*data.models} == {"logreg", "boosting"}
        for model in data.models:
            np.testing.assert_array_equal(data.select(model=model).actual, Y)


def test_what_is_unclear_is_refused_with_what_settles_it():
    """IDs and labels of which there are several, each with the arguments that choose."""
    twice = pd.concat([LABELS, LABELS.iloc[:2].assign(default=lambda frame: 1 - frame["default"])])
    with refused(UnclearColumns, "labels-differ", "2 values") as found:
        pb.Predictions.from_frame(PREDICTED, labels=twice)
    assert found.value.choices == ({"keep": "first"}, {"keep": "last"})
    first, last = (
        pb.Predictions.from_frame(PREDICTED, labels=twice, keep=keep) for keep in ("first", "last")
    )
    assert np.flatnonzero(first.actual != last.actual).tolist() == [0, 1]
    np.testing.assert_array_equal(first.actual, Y)
    two = {"case": [*range(N)], "visit_id": [*range(N)], "patient_id": [*range(N)]}
    ids = pd.DataFrame(two).drop(columns="case")
    with refused(UnclearColumns, "row-unclear", "visit_id") as found:
        pb.Predictions.from_frame(ids.assign(score=P), labels=ids.assign(died=Y))
    assert found.value.choices == ({"row": "visit_id"}, {"row": "patient_id"})
    with refused(UnclearColumns, "columns-unknown") as found:
        pb.Predictions.from_frame(PREDICTED, labels=LABELS.assign(churned=Y))
    assert {"actual": "churned"} in found.value.choices


def test_other_mistakes_are_named():
    """An ID that matches nothing, a column that is not there, and options that need labels."""
    for how, code in (
        ({"labels": LABELS.assign(loan_id=LABELS["loan_id"] + 5000)}, "labels-unmatched"),
        ({"labels": LABELS, "row": "loan"}, "no-such-column"),
        ({"labels": LABELS, "actual": "defaults"}, "no-such-column"),
        ({"labels": LABELS.iloc[:0]}, "no-rows"),
    ):
        with refused(InputError, code):
            pb.Predictions.from_frame(PREDICTED, **how)
    for how in ({"row": "loan_id"}, {"keep": "first"}):
        with refused(ParameterError, "argument-needs-another"):
            pb.read(PREDICTED, **how)
    with refused(ParameterError, "engine-of-rows"):
        pb.read(PREDICTED, labels=LABELS, engine="counts")
    with refused(ParameterError, "unknown-name"):
        pb.read(PREDICTED, labels=LABELS, keep="any")


def test_repeated_labels_that_agree_are_said_and_a_second_truth_is_not_read():
    """The labels' file holds the true classes."""
    with pytest.warns(pb.PlumblineWarning) as caught:
        data = pb.Predictions.from_frame(
            PREDICTED.assign(default=1 - Y), labels=pd.concat([LABELS, LABELS.iloc[:4]])
        )
    np.testing.assert_array_equal(data.actual, Y)
    assert {one.message.code for one in caught} == {"labels-repeat", "columns-not-read"}


def test_every_printed_command_of_two_files_can_be_pasted(tmp_path, monkeypatch):
    """Of labels that are late or repeated, and of an answer."""
    monkeypatch.chdir(tmp_path)
    PREDICTED.to_csv("p.csv", index=False)
    LABELS.iloc[4:].to_csv("late labels.csv", index=False)
    flipped = LABELS.iloc[:2].assign(default=lambda frame: 1 - frame["default"])
    pd.concat([LABELS, flipped]).to_csv("twice.csv", index=False)
    for labels, lines in (("late labels.csv", 1), ("twice.csv", 2)):
        result = CliRunner().invoke(main, ["scores", "p.csv", "--labels", labels])
        assert (result.exit_code, result.stdout) == (2, "")
        printed = [line for line in result.stderr.splitlines() if line.startswith("  ")]
        assert len(printed) == lines
        for line in printed:
            again = CliRunner().invoke(main, shlex.split(line)[1:])
            assert again.exit_code == 0, again.stderr
    refusal = CliRunner().invoke(main, ["test", "p.csv", "--row", "loan_id"])
    assert (refusal.exit_code, "--labels" in refusal.stderr) == (2, True)
