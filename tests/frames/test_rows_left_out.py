"""Rows without a value are left out of a counted table as of one in memory."""

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import plumbline as pb
from plumbline.errors import InputError
from plumbline.frames import count_parts, counted_columns, merge_states, merged, read
from plumbline.frames.batches import Part
from plumbline.roles import columns_of
from refusals import refused

LEFT_OUT = partial(read, missing="drop")


def table(n=80, classes=2, seed=0, share=0.1):
    """Return rows of two models, of which some lack a label, a probability, a model or an ID."""
    rng = np.random.default_rng(seed)
    prob = rng.dirichlet(np.ones(classes), n)
    names = ["no", "yes", "maybe"][:classes]
    columns = {f"p:{name}": prob[:, j] for j, name in enumerate(names)}
    labels = np.array(names, dtype=object)[rng.integers(classes, size=n)]
    model = np.where(np.arange(n) < n // 2, "a", "b").astype(object)
    row = pd.array(np.arange(n) % (n // 2), "Int64")
    frame = pd.DataFrame({"model": model, "row": row, "actual": labels, **columns})
    for name in frame:
        frame.loc[rng.random(n) < share, name] = None
    return frame


def written(frame, path):
    """Write a table as Parquet in several row groups, or as text."""
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    else:
        parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), path, 30)
    return path


def assert_same(one, other):
    """Rows, scores and the number of rows left out."""
    assert one.total == other.total
    assert one.reading.left_out == other.reading.left_out > 0
    for model in other.models:
        a, b = one.select(model=[model]), other.select(model=[model])
        assert a.total == b.total
        assert pb.brier_score(a) == pytest.approx(pb.brier_score(b), abs=2e-6)


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_counted_table_leaves_out_the_same_rows(tmp_path, seed, ending, classes):
    """Of two classes and of more, in binary files and in texts."""
    path = written(table(seed=seed, classes=classes), tmp_path / f"t{ending}")
    view = {} if classes == 2 else {"view": "one-vs-rest:yes"}
    assert_same(LEFT_OUT(path, engine="counts", **view), LEFT_OUT(path, engine="memory", **view))


def test_streams_leave_out_the_same_rows():
    """Of a Polars frame that is not in memory."""
    frame = table()
    one = LEFT_OUT(pl.from_pandas(frame).lazy())
    assert_same(one, LEFT_OUT(frame))


def test_workers_leave_out_the_same_rows():
    """What they answer says how many there were."""
    whole = pa.Table.from_pandas(table(), preserve_index=False)
    columns = counted_columns(columns_of(whole), missing="drop")
    parts = [Part("t", k, lambda _, k=k: iter(whole.slice(k, 20).to_batches())) for k in (0, 20)]
    counts = merged([merge_states(*(count_parts(columns, [part]) for part in parts))])
    frame = LEFT_OUT(whole.slice(0, 40))
    assert (counts.rows, counts.left_out) == (frame.n, frame.reading.left_out)


def test_other_faults_are_named_by_their_row_in_the_file(tmp_path):
    """A row that is left out is not looked at, and still counts as a row."""
    frame = table(share=0)
    frame.loc[[3, 5], "actual"] = None
    frame.loc[3, "p:yes"] = 7.0
    frame.loc[9, ["p:no", "p:yes"]] = [-6.0, 7.0]
    path = written(frame, tmp_path / "t.parquet")
    with refused(InputError, "bad-rows", "row 9"):
        LEFT_OUT(path, engine="counts")
    with refused(InputError, "no-probability", "row 9"):
        LEFT_OUT(path, engine="memory")


def test_rows_without_a_value_are_refused_with_the_way_to_leave_them_out(tmp_path):
    """Where nothing else is wrong with them."""
    frame = table(share=0)
    frame.loc[3, "p:yes"] = None
    path = written(frame, tmp_path / "t.parquet")
    with refused(InputError, "bad-rows", "missing='drop'"):
        read(path, engine="counts")


def test_a_table_without_a_whole_row_is_refused(tmp_path):
    """As there is nothing to evaluate."""
    frame = table().assign(model=None)
    path = written(frame, tmp_path / "t.parquet")
    with pytest.raises(InputError):
        LEFT_OUT(path, engine="counts")
