"""Rows whose labels come later count once, when they have one."""

import gzip
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import plumbline as pb
from changed_states import changed_state
from laws import ALL, examples
from plumbline.frames import count, go_on, join_states, read_state, read_states, write_state
from plumbline.frames.count import count_rows
from plumbline.frames.levels import levels_of
from refusals import refused, warned

LABELS = ("0", "1")


def written(path, rows, *, label=None):
    """Write rows (label or None, p); `label` writes the missing ones so."""
    gone = "" if label is None else label
    lines = [f"{gone if y is None else y},{p!r}" for y, p in rows]
    path.write_text("\n".join(["y_true,y_prob", *lines, ""]), "utf-8")
    return path


def arrive(path, whole=None, **how):
    """Count what is new of a file beside what was counted before."""
    more = count(path, whole=whole, **how)
    if whole is None:
        return more
    go_on(whole, more, str(path))
    return whole


def numbers(counts):
    """Return what is counted: a row for each level and label."""
    data = counts.predictions()
    cells = zip(data.actual, data.prob[:, 1], data.weight, strict=True)
    return sorted((data.classes[code], p, n) for code, p, n in cells)


@st.composite
def arrivals(draw):
    """Return the rows of a finished file, and for each arrival its length and which have labels."""
    n = draw(st.integers(2, 12))
    p = draw(st.lists(st.floats(0, 1, width=32), min_size=n, max_size=n, unique=True))
    y = draw(st.lists(st.sampled_from(LABELS), min_size=n, max_size=n))
    when = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    ends = sorted(draw(st.lists(st.integers(2, n), min_size=3, max_size=3)))
    when[0] = max(when[0], 1)  # a file that had all labels at once is known by its bytes alone
    return list(zip(y, p, strict=True)), when, [*ends, n]


@pytest.fixture(scope="module", autouse=True)
def few_levels():
    """Count at few levels, which is fast: these tests are about which rows are counted."""

    def counted(columns, parts, **how):
        return count_rows(columns, parts, **how | {"levels": levels_of(360)})

    with pytest.MonkeyPatch.context() as patch:
        for module in ("read", "late_rows"):
            patch.setattr(import_module(f"plumbline.frames.{module}"), "count_rows", counted)
        yield


@settings(max_examples=examples(200) if ALL else 8, deadline=None)
@given(arrivals())
def test_any_split_of_the_labels_gives_the_finished_file(tmp_path_factory, case):
    """However many labels and rows each arrival has; one that adds nothing is refused."""
    rows, when, ends = case
    folder = tmp_path_factory.getbasetemp()
    finished = numbers(count(written(folder / "whole.csv", rows)))
    whole, before = None, []
    for turn, end in enumerate(ends):
        came = [(y if w <= turn else None, p) for (y, p), w in zip(rows, when, strict=True)][:end]
        path = written(folder / f"{turn}.csv", came)
        if came == before:
            with refused(pb.InputError, "counted-already"):
                count(path, whole=whole)
            continue
        whole, before = arrive(path, whole), came
        labelled = sum(y is not None for y, _ in came)
        assert (whole.rows, whole.waiting) == (labelled, len(came) - labelled)
    state = folder / "law.state"
    write_state(whole, state)
    assert numbers(read_state(state)) == finished


ROWS = [("1", 0.7), (None, 0.25), ("0", 0.5), (None, 0.9)]
DONE = [("1", 0.7), ("0", 0.25), ("0", 0.5), ("1", 0.9)]


def test_a_file_without_news_is_not_counted_again(tmp_path):
    """The same bytes, the same rows in other bytes, and all labels twice."""
    path = written(tmp_path / "a.csv", ROWS)
    whole = arrive(path)
    with refused(pb.InputError, "counted-already"):
        count(path, whole=whole)
    assert arrive(written(tmp_path / "b.csv", ROWS, label=" "), whole).rows == 2
    assert arrive(written(path, DONE), whole).rows == 4
    table = pa.table({"y_true": [1, 0, 0, 1], "y_prob": [0.7, 0.25, 0.5, 0.9]})
    parquet.write_table(table, tmp_path / "same.parquet")
    with refused(pb.InputError, "rows-counted-already"):
        count(tmp_path / "same.parquet", whole=whole)
    assert (whole.rows, whole.waiting) == (4, 0)


def test_files_with_other_predictions_are_others(tmp_path):
    """However few, and with the same labels."""
    whole = arrive(written(tmp_path / "a.csv", ROWS))
    arrive(written(tmp_path / "b.csv", [*ROWS[:3], (None, 0.8)]), whole)
    assert (whole.rows, whole.waiting) == (4, 4)
    arrive(written(tmp_path / "b.csv", [*DONE[:3], ("1", 0.8)]), whole)
    assert (whole.rows, whole.waiting) == (6, 2)


def test_a_label_that_has_changed_is_refused_by_its_line(tmp_path):
    """While rows wait; of a finished file by the file."""
    whole = arrive(written(tmp_path / "a.csv", ROWS))
    other = [("1", 0.7), ("0", 0.25), ("1", 0.5), (None, 0.9)]
    with refused(pb.InputError, "label-changed", "line 4", "'0'", "'1'"):
        count(written(tmp_path / "b.csv", other), whole=whole)
    arrive(written(tmp_path / "a.csv", DONE), whole)
    with refused(pb.InputError, "rows-counted-already", "b.csv"):
        count(written(tmp_path / "b.csv", [*other[:3], ("1", 0.9), ("1", 0.1)]), whole=whole)
    assert whole.rows == 4


@pytest.mark.parametrize("change", ["sorted", "between", "some"])
def test_rows_in_another_order_are_noticed(tmp_path, change):
    """Sorted otherwise, with rows between them, or some of them alone."""
    p = np.random.default_rng(3).random(200).tolist()
    rows = [(None if j % 2 else "1", one) for j, one in enumerate(p)]
    whole = arrive(written(tmp_path / "a.csv", rows))
    done = [("1", one) for one in p]
    files = {"sorted": sorted(done), "between": [*done[:50], ("1", 0.3), *done[50:]]}
    came = files.get(change, done[1::2])
    path = written(tmp_path / "b.csv", came)
    with refused(pb.InputError, "rows-counted-already", "a.csv"):
        count(path, whole=whole)
    assert count(path, whole=whole, again=True).rows == len(came)


def test_predictions_that_are_all_alike_need_a_column_of_ids(tmp_path):
    """Or the file would not be recognised."""
    same = [("1", 0.5), (None, 0.5)]
    with refused(pb.InputError, "rows-alike"):
        count(written(tmp_path / "a.csv", same))
    path = tmp_path / "b.csv"
    path.write_text("row,y_true,y_prob\n1,1,0.5\n2,,0.5\n", "utf-8")
    assert count(path).waiting == 1


def test_rows_that_wait_are_checked_as_others(tmp_path):
    """A probability that is none is refused when it comes, by its line."""
    with refused(pb.InputError, "bad-rows", "line 3"):
        count(written(tmp_path / "a.csv", [("1", 0.5), (None, 1.5), ("0", 0.25)]))
    with refused(pb.InputError, "bad-rows", "line 4"):
        count(written(tmp_path / "a.csv", [("1", 0.5), (None, 0.4), ("0", 2.5)]))


def test_a_state_of_labels_that_come_later_is_kept_and_packed(tmp_path):
    """Codes of rows while some wait, one digest then; an older form is read."""
    rng = np.random.default_rng(1)
    p = rng.random(2_000).tolist()
    y = rng.choice(LABELS, 2_000).tolist()
    waits = written(tmp_path / "a.csv", [(None if j > 999 else y[j], p[j]) for j in range(2_000)])
    write_state(arrive(waits), tmp_path / "a.state")
    whole = read_state(tmp_path / "a.state")
    (late,) = whole.late.values()
    assert late.codes().tolist() == [*(int(one) + 1 for one in y[:1_000]), *[0] * 1_000]
    assert len(late.labels) < 500
    arrive(written(tmp_path / "a.csv", list(zip(y, p, strict=True))), whole)
    (late,) = whole.late.values()
    assert (late.waiting, len(late.labels)) == (0, 32)

    def older(facts, _):
        facts |= {"version": 3}
        del facts["late"]
        for name in ("ids", "no_label"):
            del facts["columns"][name]

    changed_state(tmp_path / "a.state", older, tmp_path / "old.state", sealed=True)
    assert read_state(tmp_path / "old.state").rows == 1_000


def test_states_that_share_a_late_file_are_not_added_up(tmp_path):
    """Though each has counted other rows of it; others add what waits."""
    one = arrive(written(tmp_path / "a.csv", ROWS))
    done = arrive(written(tmp_path / "b.csv", [DONE[0], DONE[1], ROWS[2], ROWS[3]]))
    with refused(pb.InputError, "rows-counted-already"):
        join_states(one, done, "b.csv")
    assert one.rows == 2
    for name, counts in (("one", one), ("done", done)):
        write_state(counts, tmp_path / f"{name}.state")
    both = read_states([tmp_path / "one.state", tmp_path / "done.state"], {}, again=True)
    assert (both.rows, both.waiting) == (5, 1)
    other = arrive(written(tmp_path / "c.csv", [(None, 0.1), ("1", 0.2)]))
    join_states(one, other, "c.csv")
    assert (one.rows, one.waiting) == (3, 3)


def test_a_state_that_waits_says_so_where_it_is_read(tmp_path):
    """A warning with the number; of no row with a label a refusal."""
    path = tmp_path / "a.state"
    write_state(arrive(written(tmp_path / "a.csv", ROWS)), path)
    with warned("rows-waiting", "2 rows"):
        assert pb.read(path).total == 2
    none = [(None, p) for _, p in ROWS]
    write_state(arrive(written(tmp_path / "b.csv", none)), tmp_path / "b.state")
    with refused(pb.InputError, "no-label-yet", "4 rows"):
        pb.read(tmp_path / "b.state")


def test_a_file_without_any_label_is_read_like_the_others(tmp_path):
    """Under names that tell nothing without values, by the columns of the state."""
    head = "id,churned_flag,our_model\n"
    first = tmp_path / "a.csv"
    first.write_text(head + "".join(f"{j},{j % 2},0.{j + 1}\n" for j in range(8)), "utf-8")
    told = {"actual": "churned_flag", "prob": "our_model"}
    whole = arrive(first, None, **told)
    other = tmp_path / "b.csv"
    other.write_text(head + "".join(f"1{j},,0.1{j + 1}\n" for j in range(8)), "utf-8")
    arrive(other, whole)
    assert (whole.rows, whole.waiting) == (8, 8)
    other.write_text(head + "".join(f"1{j},{j % 2},0.1{j + 1}\n" for j in range(8)), "utf-8")
    arrive(other, whole, **told)
    assert (whole.rows, whole.waiting) == (16, 0)


@pytest.mark.parametrize("form", ["parquet", "feather", "gz"])
def test_other_forms_and_several_classes_wait_too(tmp_path, form):
    """Row groups of Parquet, Arrow files and packed text; the top label of three classes."""
    p = np.random.default_rng(2).dirichlet([1, 1, 1], 60)
    y = np.array(["a", "b", "c"])[p.argmax(1)].tolist()
    labels = [None if j % 3 else one for j, one in enumerate(y)]
    whole = None
    for number, actual in enumerate((labels, y)):
        table = pa.table({"actual": actual} | {f"p:{c}": p[:, j] for j, c in enumerate("abc")})
        path = tmp_path / f"{number}.{'csv.gz' if form == 'gz' else form}"
        if form == "parquet":
            parquet.write_table(table, path, row_group_size=7)
        elif form == "feather":
            with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as out:
                out.write_table(table)
        else:
            lines = [",".join(table.column_names)]
            cells = zip(*(column.to_pylist() for column in table.columns), strict=True)
            lines += [",".join("" if v is None else str(v) for v in row) for row in cells]
            path.write_bytes(gzip.compress("\n".join(lines).encode()))
        whole = arrive(path, whole)
        assert (whole.rows, whole.waiting) == ((20, 40), (60, 0))[number]
    assert whole.predictions().classes == ("wrong", "right")
    assert float(whole.predictions().weight.sum()) == 60


def test_a_missing_label_is_the_same_counted_and_held(tmp_path):
    """NA is none among numbers, and a class among texts of own names."""
    path = tmp_path / "a.csv"
    path.write_text("default,score\n" + "0,0.1\nNA,0.2\n1,0.7\n nan ,0.9\n0,0.4\n", "utf-8")
    assert (count(path).rows, count(path).waiting) == (3, 2)
    assert pb.read(path, missing="drop").total == 3
    path.write_text("actual,p:NA,p:x\nNA,0.6,0.4\nx,0.3,0.7\n", "utf-8")
    assert (count(path).rows, count(path).waiting) == (2, 0)


def test_two_files_in_one_update_are_two_arrivals(tmp_path):
    """The same rows with more labels in the second."""
    files = [written(tmp_path / "a.csv", ROWS), written(tmp_path / "b.csv", DONE)]
    counts = count(files)
    assert (counts.rows, counts.waiting) == (4, 0)
    assert {Path(one).name for one in counts.contents.values()} == {"a.csv", "b.csv"}
