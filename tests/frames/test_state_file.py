"""The state: read back as written, refused when changed or newer."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from changed_states import changed_state
from plumbline.errors import InputError
from plumbline.frames import LevelCounts, Levels, counted_columns, read_state, write_state
from plumbline.roles import columns_of
from refusals import refused


def counts(seed=0, n=500):
    """Count rows of two models."""
    rng = np.random.default_rng(seed)
    prob = rng.random(n)
    rows = pa.table(
        {"actual": (rng.random(n) < prob).astype(int), "p:1": prob, "model": ["a", "b"] * (n // 2)}
    )
    result = LevelCounts(counted_columns(columns_of(rows)), Levels(27_720, 50))
    result.add(rows.to_batches()[0], "rows", 0)
    return result


def test_counts_come_back_and_go_on(tmp_path):
    """What is read equals what was written, and further rows can be added to it."""
    path = tmp_path / "day.state"
    write_state(counts(), path)
    again = read_state(path)
    assert again.columns == counts().columns
    assert (again.names, again.rows, again.levels) == (counts().names, 500, counts().levels)
    for key, held in counts().groups.items():
        assert np.array_equal(held, again.groups[key])
    again.merge(counts(seed=1))
    assert again.predictions().weight.sum() == 1000


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda facts, columns: columns["hits"].__setitem__(0, 7.0), "damaged-state"),
        (lambda facts, columns: facts.update(rows=7), "damaged-state"),
        (lambda facts, columns: facts.update(names=["0", "2"]), "damaged-state"),
        (lambda facts, columns: facts.update(version=99), "newer-version"),
        (lambda facts, columns: facts.update(schema="other"), "no-state"),
    ],
)
def test_a_changed_or_newer_file_is_refused(tmp_path, change, code):
    """A number, a name or the version: each is noticed."""
    path = tmp_path / "day.state"
    write_state(counts(), path)
    changed_state(path, change)
    with refused(InputError, code):
        read_state(path)


def test_what_is_no_state_is_refused(tmp_path):
    """A table, a text, nothing."""
    parquet.write_table(pa.table({"a": [1]}), tmp_path / "t.state")
    (tmp_path / "x.state").write_text("no")
    for name, code in (("t", "no-state"), ("x", "damaged-state"), ("y", "no-such-file")):
        with refused(InputError, code):
            read_state(tmp_path / f"{name}.state")
