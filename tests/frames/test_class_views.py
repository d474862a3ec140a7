"""Counted tables of more than two classes: the two classes of a view, as tables in memory have."""

import itertools
import re
import warnings
from functools import partial

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import csv, parquet

import plumbline as pb
from laws import examples, law
from plumbline.calibration import define_error, statistic, value_of
from plumbline.errors import InputError, ParameterError, PlumblineError, PlumblineWarning
from plumbline.frames import LevelCounts, Levels, counted_columns, read
from plumbline.metrics import model_scores
from plumbline.roles import columns_of
from refusals import refused

counted = partial(read, engine="counts")
held = partial(read, engine="memory")
VIEWS = ("top-label", "one-vs-rest:1")


def rows(n=600, k=3, *, kind=np.float64, sharp=1.0, seed=0):
    """Return labels and probabilities, with ties, and saturated ones where `sharp` is large."""
    rng = np.random.default_rng(seed)
    z = sharp * rng.normal(0, 2, (n, k))
    prob = np.exp(z - z.max(axis=1, keepdims=True))
    prob /= prob.sum(axis=1, keepdims=True)
    prob[:5] = 1 / k
    return (prob.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1).clip(0, k - 1), prob.astype(kind)


def wide(label, prob, names=None):
    """Return a table with a column of every class."""
    names = list(map(str, range(prob.shape[1]))) if names is None else names
    columns = {f"p:{name}": prob[:, j] for j, name in enumerate(names)}
    return pa.table({"actual": np.array(names)[label], **columns})


def listed(label, prob, *, fixed=True):
    """Return a table with one column of lists."""
    kind = pa.from_numpy_dtype(prob.dtype)
    lists = pa.list_(kind, prob.shape[1]) if fixed else pa.list_(kind)
    return pa.table({"actual": label, "y_prob": pa.array(prob.tolist(), lists)})


def written(table, path):
    """Write a table in several row groups."""
    parquet.write_table(table, path, row_group_size=250)
    return path


def assert_same_numbers(one, other):
    """Classes, scores and the errors of binned probabilities."""
    assert (one.classes, one.positive) == (other.classes, other.positive)
    assert one.weight.sum() == other.n
    for score in (pb.brier_score, pb.accuracy, pb.log_loss):
        assert score(one) == pytest.approx(score(other), abs=2e-6)
    for bins in (15, 10):
        values = [
            float(value_of(statistic(data, define_error(data, bins=bins)))) for data in (one, other)
        ]
        assert values[0] == pytest.approx(values[1], abs=2e-7)


@pytest.mark.parametrize("view", VIEWS)
@law("kind", [np.float32, np.float64], number=1)
@pytest.mark.parametrize(("k", "sharp"), [(3, 1.0), (10, 12.0), (100, 1.0)])
def test_counts_are_those_of_the_view(tmp_path, view, kind, k, sharp):
    """For few and many classes, ties and saturated probabilities, in either precision."""
    label, prob = rows(k=k, sharp=sharp, kind=kind)
    expected = held(written(wide(label, prob), tmp_path / "t.parquet"), view=view)
    assert_same_numbers(counted(tmp_path / "t.parquet", view=view), expected)
    for fixed in (True, False):
        path = written(listed(label, prob, fixed=fixed), tmp_path / "l.parquet")
        assert_same_numbers(counted(path, view=view), expected)
        assert np.array_equal(held(path, view=view).prob, expected.prob)


def test_without_a_view_the_top_label_is_counted(tmp_path):
    """With a warning that names it."""
    path = written(wide(*rows()), tmp_path / "t.parquet")
    with pytest.warns(PlumblineWarning, match="right") as caught:
        data = counted(path)
    assert [one.message.code for one in caught] == ["counted-as-top-label"]
    assert (data.classes, data.levels.view, data.levels.classes) == (
        ("wrong", "right"),
        "top-label",
        ("0", "1", "2"),
    )
    assert pb.calibration_error(data, resamples=0).view == "top-label"
    assert data.top_label() is data
    for other in ("one-vs-rest:1", "classwise", "joint"):
        with refused(InputError, "view-not-counted", "top-label"):
            pb.calibration_error(data, view=other)


@law("named", [None, "top-label", "one-vs-rest:1", "all-classes"], number=1)
@pytest.mark.parametrize(
    "ask",
    [
        partial(pb.calibration_error, resamples=0),
        partial(pb.calibration_test, statistic="spiegelhalter"),
        pb.reliability_curve,
        partial(pb.measure, metrics=["accuracy", "log-loss"]),
    ],
    ids=["error", "test", "curve", "measure"],
)
@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
def test_every_way_to_read_it_that_a_refusal_names_is_taken(tmp_path, ask, named):
    """The file is read so; a view that was asked for and is named then gives its answer."""
    path = written(wide(*rows(60)), tmp_path / "t.parquet")
    data = counted(path) if named is None else counted(path, view=named)
    views = ["top-label", "one-vs-rest:2", "one-vs-rest:none", "classwise", "joint", "top-k:1"]
    for view in [*views, "all-classes", "micro", "nonsense", "one-vs-rest"]:
        try:
            ask(data, view=view)
        except PlumblineError as error:
            refusal = error
        else:
            continue
        told = re.findall(r"`(view|engine)='([^']*)'`", refusal.remedy or "")
        for how in [dict([one]) for one in told]:
            again = read(path, **({"engine": "counts"} | how))
            if how.get("view") == view:
                ask(again, view=view)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("form", [wide, listed], ids=["columns", "lists"])
def test_all_classes(tmp_path, kind, form):
    """Scores, confusion matrix and impossible rows, for each model too."""
    label, prob = rows(kind=kind, sharp=6.0)
    prob[3] = np.eye(3)[(label[3] + 1) % 3]
    table = form(label, prob).append_column("model", pa.array(["a", "b"] * 300))
    path = written(table, tmp_path / "t.parquet")
    one, other = counted(path, view="all-classes"), held(path)
    assert (one.classes, one.total, one.prob) == (other.classes, other.n, None)
    for name in "ab":
        pair = [data.select(model=name) for data in (one, other)]
        matrices = [pb.confusion_matrix(data) for data in pair]
        assert matrices[0].to_dict() == matrices[1].to_dict()
        scores = [model_scores(data) for data in pair]
        assert scores[0].impossible_rows == scores[1].impossible_rows == (name == "b")
        for score in (pb.log_loss, pb.brier_score, pb.accuracy):
            assert score(pair[0]) == pytest.approx(score(pair[1]))
        assert scores[0].brier_by_class == pytest.approx(scores[1].brier_by_class)
    for needs in (pb.calibration_error, pb.calibration_test, partial(pb.log_loss, clip=0.1)):
        with refused(InputError, "all-classes-counted", "top-label"):
            needs(one.select(model="a"))


@pytest.mark.parametrize(
    ("view", "code"),
    [
        ("classwise", "view-not-possible"),
        ("one-vs-rest", "view-not-possible"),
        ("one-vs-rest:snow", "unknown-class"),
    ],
)
def test_views_that_cannot_be_counted(tmp_path, view, code):
    """Are refused by name."""
    path = written(wide(*rows()), tmp_path / "t.parquet")
    with refused(ParameterError, code):
        counted(path, view=view)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "arrow"])
def test_files_of_every_form(tmp_path, ending):
    """Classes by name, models, and labels read from text."""
    label, prob = rows()
    table = wide(label, prob.round(6), ["dry", "rain", "snow"])
    table = table.append_column("model", pa.array(np.where(np.arange(len(label)) % 3, "a", "b")))
    path = tmp_path / f"t.{ending}"
    if ending == "arrow":
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    else:
        with pa.output_stream(str(path)) as out:
            csv.write_csv(table, out)
    rounded = pytest.warns(PlumblineWarning, match="rounded-rows|Rounding|rounding")
    with rounded:
        data = counted(path, view="one-vs-rest:rain")
    with rounded:
        expected = held(path, view="one-vs-rest:rain")
    assert sorted(data.models) == sorted(expected.models)
    for name in data.models:
        assert_same_numbers(data.select(model=name), expected.select(model=name))


@pytest.mark.parametrize("form", [wide, listed], ids=["columns", "lists"])
@pytest.mark.parametrize(
    "frame",
    [
        lambda path: duckdb.sql(f"select * from '{path}'"),
        lambda path: pl.scan_parquet(path),
        lambda path: pa.RecordBatchReader.from_batches(
            parquet.read_schema(path), parquet.ParquetFile(path).iter_batches(100)
        ),
    ],
    ids=["duckdb", "polars", "arrow"],
)
def test_frames_that_are_not_in_memory(tmp_path, frame, form):
    """Are counted batch by batch."""
    path = written(form(*rows()), tmp_path / "t.parquet")
    assert_same_numbers(counted(frame(path), view="top-label"), held(path, view="top-label"))


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda label, prob: prob.__setitem__((7, 1), np.nan), "column 'p:1' is empty or NaN in"),
        (lambda label, prob: prob.__setitem__((7, 1), 1.5), "got 1.5"),
        (lambda label, prob: prob.__setitem__((7, 1), prob[7, 1] + 0.1), "sum to 1.1"),
    ],
)
def test_the_first_bad_row_is_named(tmp_path, spoil, text):
    """Missing, outside [0, 1], not summing to 1."""
    label, prob = rows()
    spoil(label, prob)
    with refused(InputError, "bad-rows", text, "row 7 of"):
        counted(written(wide(label, prob), tmp_path / "t.parquet"), view="top-label")


def test_labels_that_are_no_class(tmp_path):
    """And lists of another length."""
    label, prob = rows()
    table = wide(label, prob).set_column(0, "actual", pa.array(label + (np.arange(600) == 300) * 7))
    with refused(InputError, "bad-rows", "none of the classes", "row 300"):
        counted(written(table, tmp_path / "t.parquet"), view="top-label")
    lists = [*prob.tolist(), [0.5, 0.5], None]
    table = pa.table({"actual": [*label, 0, 0], "y_prob": lists})
    path = written(table, tmp_path / "t.parquet")
    with refused(
        InputError, "bad-rows", "no list of 3 numbers", "2 rows, the first of them row 600"
    ):
        counted(path, view="top-label")
    short = pa.table({"actual": [*label, 0], "y_prob": lists[:-1]})
    with refused(InputError, "wrong-shape", "y_prob", "600"):
        held(written(short, tmp_path / "short.parquet"))


def test_named_classes_of_lists(tmp_path):
    """In their order, here and in memory."""
    label, prob = rows()
    names = np.array(["dry", "rain", "snow"])
    table = listed(label, prob).set_column(0, "actual", pa.array(names[label]))
    path = written(table.rename_columns(["actual", "probs"]), tmp_path / "t.parquet")
    how = {"prob": {"probs": names.tolist()}, "view": "one-vs-rest:snow"}
    assert_same_numbers(counted(path, **how), held(path, **how))
    assert held(path, prob={"probs": "dry,rain,snow"}).classes == ("dry", "rain", "snow")
    with refused(InputError, "classes-differ", "2 classes"):
        held(path, prob={"probs": ["dry", "rain"]})


@settings(deadline=None, max_examples=examples(20))
@given(
    st.integers(3, 6),
    st.lists(st.integers(0, 40), max_size=4),
    st.randoms(),
    st.booleans(),
    st.sampled_from(["top-label", "one-vs-rest:2", "all-classes"]),
)
def test_any_split_in_any_order_is_the_whole(k, cuts, random, lists, view):
    """Also where parts are empty."""
    label, prob = rows(40, k, seed=random.randint(0, 999))
    table = listed(label, prob) if lists else wide(label, prob)
    sizes = {"y_prob": None} if lists else None
    columns = counted_columns(columns_of(table), view=view, lists=sizes)
    edges = [0, *sorted(cuts), len(label)]
    parts = list(itertools.pairwise(edges))
    random.shuffle(parts)

    def count(pieces):
        total = LevelCounts(columns, Levels(27_720, 50))
        for start, stop in pieces:
            own = LevelCounts(columns, Levels(27_720, 50))
            for batch in table.slice(start, stop - start).to_batches():
                own.add(batch, "t", start)
            total.merge(own)
        return total.predictions()

    one, other = count([(0, len(label))]), count(parts)
    assert np.array_equal(one.weight, other.weight)
    if view == "all-classes":
        np.testing.assert_allclose(one.losses.log_loss, other.losses.log_loss, rtol=1e-12)
        np.testing.assert_allclose(one.losses.by_class, other.losses.by_class, rtol=1e-12)
        assert np.array_equal(one.label, other.label)
    else:
        np.testing.assert_allclose(one.prob, other.prob, rtol=1e-14)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32),
    k=st.sampled_from([2, 3, 7]),
    off=st.floats(-8.5, -5.5),
    kind=st.sampled_from([np.float64, np.float32]),
)
def test_sums_that_are_off_are_accepted_and_divided_alike(tmp_path, seed, k, off, kind):
    """In memory and where rows are counted: without a word up to 1e-6, refused beyond it."""
    label, prob = rows(40, k, seed=seed)
    prob[3] *= 1 + 10**off
    path = written(wide(label, prob.astype(kind)), tmp_path / "t.parquet")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if kind == np.float64 and prob[3].sum() > 1 + 1e-6:
            for reader in (held, counted):
                with pytest.raises(InputError, match="must sum to 1"):
                    reader(path, view="one-vs-rest:1")
            return
        one, other = (reader(path, view="one-vs-rest:1") for reader in (held, counted))
    expected = prob[:, 1].astype(kind).astype(float)
    if kind == np.float64 and abs(prob[3].sum() - 1) > 2.0**-26:
        expected[3] /= prob[3].sum()
    close = 1e-13 if kind == np.float64 else 1e-6
    assert one.prob[:, 1] == pytest.approx(expected, abs=close)
    for data in (one, other):
        weight = np.ones(data.n) if data.weight is None else data.weight
        assert np.average(data.prob[:, 1], weights=weight) == pytest.approx(
            expected.mean(), abs=close
        )


@pytest.mark.parametrize("told", [{"engine": None}, {"engine": 5}, {"view": 3}, {"view": ""}])
def test_what_is_no_name_is_refused_by_the_names_there_are(told, tmp_path):
    """An engine or a view of another kind is no traceback."""
    file = tmp_path / "table.csv"
    pb.Predictions.from_arrays([0, 1], [0.2, 0.6]).write(file)
    with pytest.raises(pb.ParameterError) as refused:
        pb.read(file, **told)
    assert refused.value.argument == next(iter(told))
