"""What travels between the workers of an engine: counts, bad rows and refusals, as bytes."""

import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from plumbline.errors import InputError, MissingExtraError, ParameterError
from plumbline.frames.batches import Part
from plumbline.frames.columns import counted_columns
from plumbline.frames.engines import count_batches, count_parts, merge_states, merged, tasks_of
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.read import read
from plumbline.roles import unseen
from refusals import refused

COLUMNS = counted_columns(unseen(["actual", "p:1"]))


def batch(prob):
    """Return rows with these probabilities, every second of which is a hit."""
    prob = np.asarray(prob, float)
    return pa.record_batch({"actual": np.arange(len(prob)) % 2, "p:1": prob})


def test_states_merge_to_the_counts_of_all_rows():
    """In a tree, with the labels of a part the other way round."""
    prob = np.random.default_rng(0).random(900)
    whole = LevelCounts(COLUMNS)
    whole.add(batch(prob), "rows", 0)
    parts = [batch(prob).slice(first, size) for first, size in ((0, 301), (301, 400), (701, 199))]
    states = [count_batches(COLUMNS, "rows", [part]) for part in parts]
    one, other = merged([merge_states(*states[:2]), states[2]]).predictions(), whole.predictions()
    assert np.array_equal(one.weight, other.weight)
    assert np.allclose(one.prob, other.prob, rtol=0, atol=1e-15)


def test_bad_rows_travel_with_their_places():
    """How many there are of each kind, and the first."""
    states = [
        count_batches(COLUMNS, "partition 0", [batch([0.5, 0.4])]),
        count_batches(COLUMNS, "partition 1", [batch([0.5, 0.4, 7.0, np.nan, 2.0])]),
    ]
    with refused(InputError, "bad-rows", "got 7", "2 rows, the first of them row 2 of partition 1"):
        merged([merge_states(*states)]).predictions()


def test_a_refusal_travels_through_merges():
    """With its text, code and remedy."""
    good = count_batches(COLUMNS, "a", [batch([0.5, 0.4])])
    text = pa.record_batch({"actual": [0, 1], "p:1": ["a", "b"]})
    bad = count_batches(COLUMNS, "b", [text])
    with refused(InputError, "number-as-text", "p:1", "of b") as raised:
        merged([merge_states(good, bad, good)])
    assert raised.value.remedy == "store them as numbers"

    def damaged(_):
        raise InputError("t.parquet is damaged", code="damaged-file")
        yield

    with refused(InputError, "damaged-file"):
        merged([count_parts(COLUMNS, [Part("t", 0, damaged)])])


def test_tasks_do_not_depend_on_workers():
    """Parts go to tasks by their rows alone; of a part whose rows are unknown each is a task."""
    known = Part("t", 0, lambda _: iter(()), 1_500_000)
    unknown = Part("t", 0, lambda _: iter(()))
    assert [len(task) for task in tasks_of([known] * 5)] == [2, 2, 1]
    assert [len(task) for task in tasks_of([unknown, unknown, known])] == [1, 1, 1]


@pytest.mark.parametrize(
    ("engine", "package"),
    [("dask", "dask"), ("dask://127.0.0.1:1", "dask"), ("ray", "ray"), ("spark", "pyspark")],
)
def test_a_missing_engine_says_what_to_install(tmp_path, monkeypatch, engine, package):
    """By the extra of its name."""
    monkeypatch.setitem(sys.modules, package, None)
    parquet.write_table(pa.table({"actual": [0, 1], "p:1": [0.1, 0.8]}), tmp_path / "t.parquet")
    with refused(MissingExtraError, "missing-package", f"plumbline-eval[{engine[:4]}"):
        read(tmp_path / "t.parquet", engine=engine)


def test_a_frame_in_memory_needs_no_engine():
    """One that was named is refused."""
    with refused(ParameterError, "engine-of-frame", argument="engine"):
        read(pa.table({"actual": [0, 1], "p:1": [0.1, 0.8]}), engine="ray")
