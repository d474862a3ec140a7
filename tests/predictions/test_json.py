"""Tables in JSON: lines with lists and objects, arrays of objects, what pandas and MLflow write."""

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import plumbline as pb
from laws import examples
from plumbline import InputError, PlumblineWarning
from plumbline.predictions.files import read_files
from plumbline.predictions.unusable import unusable
from refusals import read_or_refused, refused, warned


def lines(*rows: Any) -> io.BytesIO:
    """Return rows as a stream of JSON lines."""
    return io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


def document(value: Any) -> io.BytesIO:
    """Return a value as a stream of JSON."""
    return io.BytesIO(json.dumps(value, indent=1).encode())


ROWS = [
    {"actual": "n", "p:y": 0.25, "note": "a"},
    {"actual": "y", "p:y": 0.5, "note": None},
    {"actual": "y", "p:y": 1, "note": "b"},
]


class TestLines:
    """Lists and objects inside the rows."""

    def test_lists_of_numbers_are_columns_as_from_parquet(self, tmp_path):
        """Whole numbers among them too."""
        rows = [{"actual": y, "y_prob": p} for y, p in [(0, [1, 0]), (1, [0.25, 0.75])]]
        table = read_files(lines(*rows)).table
        pa.parquet.write_table(table, tmp_path / "a.parquet")
        one, other = pb.read(lines(*rows)), pb.read(tmp_path / "a.parquet")
        assert one.prob.tolist() == other.prob.tolist() == [[1, 0], [0.25, 0.75]]

    def test_objects_become_columns_whose_names_tell_the_way(self):
        """As deep as they nest, missing where a row has none."""
        table = read_files(
            lines({"a": {"b": {"c": 1}, "d": "x"}}, {"e": 2}, {"a": {"d": "z"}})
        ).table
        assert table.to_pydict() == {
            "a.b.c": [1, None, None],
            "a.d": ["x", None, "z"],
            "e": [None, 2, None],
        }

    def test_a_named_part_of_an_object_is_read(self):
        """Its name with dots is a name as any other."""
        rows = [{"y": y, "out": {"prob": p}} for y, p in [(0, 0.25), (1, 0.5)]]
        data = pb.read(lines(*rows), actual="y", prob={"out.prob": "1"})
        assert data.prob[:, 1].tolist() == [0.25, 0.5]

    @pytest.mark.parametrize(
        ("name", "values", "facts"),
        [
            ("extra", (1, "a"), ("1 in line 1", "'a' in line 2")),
            ("extra", ([1], ["a"]), ("extra",)),
            ("extra", ([1, "a"], [1]), ("extra",)),
            ("extra", ({"b": 1}, 3), ("numbers", "objects")),
            ("extra", (2**70, 1), ("extra",)),
            ("extra", ("\ud800", "a"), ("Unicode",)),
            ("extra.b", (1, 2), ("objects",)),
        ],
    )
    def test_a_column_that_no_type_holds_blocks_nothing(self, name, values, facts):
        """It is left out with one warning that names it; asked for, it is refused."""
        rows = [{**row, name: value} for row, value in zip(ROWS, values, strict=False)]
        if name == "extra.b":
            rows[0]["extra"] = {"b": 3}
        with warned("columns-left-out", name, *facts):
            table = read_files(lines(*rows)).table
        assert name not in table.column_names
        assert list(unusable(table)) == [name]
        with pytest.warns(PlumblineWarning):
            assert pb.read(lines(*rows)).n == 2
        with refused(InputError, "mixed-types", name):
            read_files(lines(*rows), actual=name)

    def test_what_is_left_out_in_one_block_or_file_is_left_out_in_all(self, tmp_path):
        """Also where the first values were all of one type."""
        first = [{**ROWS[0], "x": 1}] * 25_000
        with warned("columns-left-out", "'x'", "line 25001"):
            table = read_files(lines(*first, {**ROWS[1], "x": "a"})).table
        assert table.column_names == ["actual", "p:y", "note"]
        for name, values in (("a", (1, "a")), ("b", (1, 2))):
            rows = [{**row, "x": value} for row, value in zip(ROWS, values, strict=False)]
            (tmp_path / f"{name}.jsonl").write_bytes(lines(*rows).read())
        with warned("columns-left-out", "'x'"):
            table = read_files(str(tmp_path / "*.jsonl")).table
        assert (table.num_rows, list(unusable(table))) == (4, ["x"])

    def test_objects_with_ids_for_names_are_left_out_as_one(self):
        """Each of their names would be a column of one value."""
        rows = [{**ROWS[0], "by_id": {f"id{number}": 1}} for number in range(1_500)]
        with warned("columns-left-out", "'by_id'", "1,000"):
            table = read_files(lines(*rows)).table
        assert table.column_names == ["actual", "p:y", "note"]

    def test_rows_without_any_column_stay_rows(self):
        """The message about them names what there is."""
        with pytest.warns(PlumblineWarning):
            assert read_files(lines({"x": 1}, {"x": "a"})).table.num_rows == 2


def frame(**index: Any) -> pd.DataFrame:
    """Return the rows as a frame."""
    return pd.DataFrame(ROWS, **index)


def written(**how: Any) -> Any:
    """Return what pandas writes of the rows."""
    return json.loads(frame().to_json(**how))


DOCUMENTS = {
    "array of objects": ROWS,
    "columns and data": written(orient="split"),
    "columns and data ": {k: written(orient="split")[k] for k in ("columns", "data")},
    "columns by row": written(),
    "rows by number": written(orient="index"),
    "object of arrays": frame().to_dict(orient="list") | {"note": ["a", None, "b"]},
    "array 'results'": {"results": ROWS},
    "array 'results' (not read: 'model', 'classes')": {
        "model": "m",
        "results": ROWS,
        "classes": ["n", "y"],
    },
    "array 'data' (not read: 'schema')": json.loads(
        frame().rename_axis("row").to_json(orient="table")
    ),
}


class TestDocuments:
    """One value of JSON."""

    @pytest.mark.parametrize("form", DOCUMENTS)
    @pytest.mark.parametrize("ending", [".json", ".json.gz", ".jsonl", ""])
    def test_every_form_gives_the_same_table(self, tmp_path, form, ending):
        """A stream, a file, a packed one, and one that begins with a bracket under any ending."""
        if ending == ".jsonl" and form != "array of objects":
            return
        content = document(DOCUMENTS[form]).read()
        path: Any = io.BytesIO(content)
        if ending:
            path = tmp_path / f"a{ending}"
            path.write_bytes(content)
            if ending == ".json.gz":
                with pa.CompressedOutputStream(str(path), "gzip") as stream:
                    stream.write(content)
        read = read_files(path)
        assert read.parts[0].form == form.strip()
        assert read.table.select(["actual", "p:y", "note"]).to_pylist() == ROWS

    def test_lines_under_the_ending_of_json_are_lines(self, tmp_path):
        """And their messages name the line."""
        path = tmp_path / "a.json"
        path.write_bytes(lines(*ROWS, {"actual": "y", "p:y": 1.5}).read())
        assert read_files(path).parts[0].form is None
        with refused(InputError, "no-probability", "line 4 of"):
            pb.read(path)

    def test_a_row_of_an_array_is_named_by_its_number(self, tmp_path):
        """An array has no lines that a reader would count."""
        path = tmp_path / "a.json"
        path.write_bytes(document([*ROWS, {"actual": "y", "p:y": 1.5}]).read())
        with refused(InputError, "no-probability", "row 3 of", "counted from 0"):
            pb.read(path)

    def test_labels_of_rows_are_a_column(self):
        """Where they are more than numbers from 0."""
        value = json.loads(frame(index=["u", "v", "w"]).to_json(orient="split"))
        assert read_files(document(value)).table.column("index").to_pylist() == ["u", "v", "w"]

    @pytest.mark.parametrize(
        ("value", "code", "facts"),
        [
            ([], "empty-file", ()),
            ([1, 2], "no-json-object", ("row 0", "1")),
            ([{"a": 1}, [2]], "no-json-object", ("row 1", "array")),
            ({}, "no-table", ()),
            ({"a": {"b": 1}, "c": 2}, "no-table", ("'a', 'c'",)),
            ({"a": [1, 2], "b": [1]}, "no-table", ("'a' 2", "'b' 1")),
            ({"a": {"b": 1}, "c": {"d": 1}}, "no-table", ("different names",)),
            ({"a": [{"x": 1}], "b": [{"x": 1}]}, "several-tables", ("'a', 'b'",)),
            (
                {"u": {"a": 1, "b": 2}, "v": {"a": 1, "b": 2}},
                "two-readings",
                ("'u', 'v'", "'a', 'b'"),
            ),
            ({"0": {"0": 1}}, "two-readings", ()),
            ({"columns": ["a", "a"], "data": [[1, 2]]}, "repeated-columns", ("'a'",)),
            ({"columns": ["a", "b"], "data": [[1, 2], [3]]}, "uneven-lines", ("row 1", "1 values")),
            ({"columns": 3, "data": 4}, "no-table", ("arrays",)),
        ],
    )
    def test_what_is_no_table_or_several_is_refused(self, value, code, facts):
        """With what was found there."""
        with refused(InputError, code, *facts):
            read_files(document(value))

    @pytest.mark.parametrize(
        "text", ["[1, ", "{", "[" * 100_000, "[" * 300 + "]" * 300, "[{}}", "{\n}\n}"]
    )
    def test_what_is_no_json_is_refused(self, tmp_path, text):
        """In one sentence."""
        path = tmp_path / "a.json"
        path.write_text(text)
        with refused(InputError, "no-json"):
            read_files(path)


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
NAMES = st.sampled_from(["actual", "p:y", "a", "a.b", "", "columns", "data", "index", "0", "1"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=VALUES, cut=st.integers(0, 30), ending=st.sampled_from([".json", ".jsonl"]))
def test_any_json_is_a_table_or_one_error(
    tmp_path: Path, value: Any, cut: int, ending: str
) -> None:
    """Whole and cut off; a table has rows, and names every column once."""
    text = json.dumps(value)
    path = tmp_path / f"a{ending}"
    for content in (text, text[: len(text) - cut], f"{text}\n{text}\n"):
        path.write_text(content)
        read = read_or_refused(lambda: read_files(path).table)
        if read is not None:
            assert read.num_rows > 0
            assert len({*read.column_names}) == read.num_columns
