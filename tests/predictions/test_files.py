"""The same table in every form of file: separators, decimals, encodings, compression, lines."""

import bz2
import gzip
import io
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import plumbline as pb
from laws import examples
from plumbline import InputError, ParameterError
from plumbline.predictions import files
from plumbline.predictions.text_files import checked_separator
from refusals import refused, warned

CLASSES = ("yes", "no", "a,b", "c;d", 'quo"te', "007", "Köln", "two\nlines", "tab\there")
Rows = list[dict[str, Any]]


def number(value: float, decimal: str) -> str:
    """Return a number as it is written with a decimal mark."""
    return repr(value).replace(".", decimal)


def quoted(text: str, mark: str) -> str:
    """Return a text in quotes where it needs them."""
    if {mark, '"', "\n", "\r"} & {*text}:
        return '"' + text.replace('"', '""') + '"'
    return text


def as_csv(rows: Rows, separator: str, decimal: str) -> str:
    """Return rows as text, numbers with a decimal mark, quotes where they are needed."""
    lines = [separator.join(quoted(name, separator) for name in rows[0])]
    for row in rows:
        written = [
            number(value, decimal) if isinstance(value, float) else str(value)
            for value in row.values()
        ]
        lines.append(separator.join(quoted(text, separator) for text in written))
    return "\n".join(lines) + "\n"


def as_lines(rows: Rows) -> str:
    """Return rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    """Return rows of two classes with an attribute and a weight."""
    pair = draw(st.lists(st.sampled_from(CLASSES), min_size=2, max_size=2, unique=True))
    n = draw(st.integers(2, 12))
    share = st.floats(1e-9, 1, exclude_max=True)
    chances = draw(st.lists(share, min_size=n, max_size=n))
    weights = draw(st.lists(st.integers(1, 3) | st.floats(0.25, 9.5), min_size=n, max_size=n))
    truth = draw(st.lists(st.sampled_from(pair), min_size=n, max_size=n))
    note = st.text(st.sampled_from("ab;,|\t\n'\"ü€ "), max_size=6).map(lambda text: "x" + text)
    notes = draw(st.lists(note, min_size=n, max_size=n))
    return [
        {"actual": y, f"p:{pair[1]}": p, "weight": float(w), "note": text}
        for y, p, w, text in zip(truth, chances, weights, notes, strict=True)
    ]


FORMS: dict[str, tuple[str, Callable[[Rows], bytes]]] = {
    "semicolon": (".csv", lambda rows: as_csv(rows, ";", ".").encode()),
    "excel": (".csv", lambda rows: as_csv(rows, ";", ",").encode("utf-8-sig")),
    "tab": (".tsv", lambda rows: as_csv(rows, "\t", ".").encode()),
    "tab in csv": (".csv", lambda rows: as_csv(rows, "\t", ",").encode()),
    "bar": (".csv", lambda rows: as_csv(rows, "|", ",").encode()),
    "utf-16": (".csv", lambda rows: as_csv(rows, ",", ".").encode("utf-16")),
    "utf-16 tabs": (".tsv", lambda rows: as_csv(rows, "\t", ",").encode("utf-16")),
    "gzip": (".csv.gz", lambda rows: gzip.compress(as_csv(rows, ",", ".").encode("utf-8-sig"))),
    "zstd": (
        ".csv.zst",
        lambda rows: pa.Codec("zstd").compress(as_csv(rows, ";", ",").encode()).to_pybytes(),
    ),
    "bz2": (".tsv.bz2", lambda rows: bz2.compress(as_csv(rows, "\t", ".").encode())),
    "lines": (".jsonl", lambda rows: as_lines(rows).encode()),
    "lines, marked": (".ndjson", lambda rows: as_lines(rows).encode("utf-8-sig")),
    "lines, packed": (".jsonl.gz", lambda rows: gzip.compress(as_lines(rows).encode())),
}


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=tables(), data=st.data())
def test_every_form_of_a_table_reads_as_the_same_numbers(tmp_path, form, rows, data):
    """A file, a stream and two files with a part of the rows each hold what was written."""
    ending, write = FORMS[form]
    whole, *parts = (tmp_path / f"{name}{ending}" for name in ("whole", "part-1", "part-2"))
    cut = data.draw(st.integers(1, len(rows) - 1))
    for path, some in zip((whole, *parts), (rows, rows[:cut], rows[cut:]), strict=True):
        path.write_bytes(write(some))
    (probability,) = (name for name in rows[0] if name.startswith("p:"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given_path in (whole, io.BytesIO(whole.read_bytes()), str(tmp_path / "part-*"), parts):
            table = files.read_files(given_path).table
            assert table.column("actual").to_pylist() == [row["actual"] for row in rows]
            assert table.column("note").to_pylist() == [row["note"] for row in rows]
            for name in (probability, "weight"):
                assert table.column(name).to_pylist() == [row[name] for row in rows]


def written(folder: Path, **contents: str | bytes) -> list[Path]:
    """Write files by the first part of their names, and return them."""
    paths = []
    for name, content in contents.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths.append(path)
    return paths


SOUND = "actual,p:n,p:y\nn,0.9,0.1\ny,0.2,0.8\n"
GERMAN = SOUND.replace(",", ";").replace(".", ",")


class TestRecognition:
    """What is recognised, and what the user must decide."""

    def test_a_decimal_comma_may_part_no_thousands(self, tmp_path):
        """Where every comma could part thousands, the column stays text and a warning says so."""
        (path,) = written(tmp_path, a__csv="actual;predicted;amount\n0;0;1,234\n1;1;2,345\n")
        with warned("unclear-decimal", "'amount'", "'1,234'"):
            data = pb.read(path)
        assert data.attributes["amount"].tolist() == ["1,234", "2,345"]
        data = pb.read(path, decimal="comma")
        assert data.attributes["amount"].tolist() == [1.234, 2.345]

    def test_points_win_over_commas_in_an_attribute(self, tmp_path):
        """A list of numbers in an attribute does not make points text."""
        rows = "actual;p:y;parts\nn;0.25;1,2\ny;0.5;3,4\n"
        (path,) = written(tmp_path, a__csv=rows)
        data = pb.read(path)
        assert data.prob[:, 1].tolist() == [0.25, 0.5]
        assert data.attributes["parts"].tolist() == ["1,2", "3,4"]

    def test_an_exponent_is_no_decimal_point(self, tmp_path):
        """Numbers without either mark fit both."""
        rows = "actual;p:y;weight\nn;1e-05;2,5\ny;1;3,0\n"
        (path,) = written(tmp_path, a__csv=rows)
        assert pb.read(path).weight.tolist() == [2.5, 3.0]

    def test_commas_separate_before_they_are_decimal(self, tmp_path):
        """Quoted numbers with a decimal comma are refused until the option says what they are."""
        (path,) = written(tmp_path, a__csv='actual,p:y\nn,"0,1"\ny,"0,8"\n')
        with refused(InputError, "decimal-comma", "'0,1'", "line 2", "`decimal=','`"):
            pb.read(path)
        assert pb.read(path, decimal=",").prob[:, 1].tolist() == [0.1, 0.8]

    def test_the_value_that_is_no_number_is_named_among_decimal_commas(self, tmp_path):
        """Not the first value with a comma; the line counts line breaks in quotes."""
        (path,) = written(tmp_path, a__csv='actual;p:n;p:y\n\n"n\nn";0,9;0,1\ny;0,2;high\n')
        with refused(InputError, "not-numeric", "'p:y'", "'high'", "line 5 of"):
            pb.read(path)

    def test_a_known_column_decides_between_two_separators(self, tmp_path):
        """A class whose name holds a separator does not make its file unclear."""
        (path,) = written(tmp_path, a__csv="actual\tp:c;d\nx\t0.5\nc;d\t0.25\n")
        assert files.read_files(path).table.column_names == ["actual", "p:c;d"]

    def test_two_possible_separators_are_refused_until_one_is_named(self, tmp_path):
        """The error names both and the argument."""
        (path,) = written(tmp_path, a__csv="truth;p,y\nn;0,1\ny;0,8\n")
        with refused(InputError, "ambiguous-separator", "comma", "semicolon", "`separator`"):
            files.read_files(path)
        assert files.read_files(path, separator="semicolon").table.column_names == ["truth", "p,y"]

    @pytest.mark.parametrize("name", ["comma", ",", "semicolon", ";", "tab", "\\t", "\t", "bar"])
    def test_separators_have_names(self, name):
        """A shell cannot type a tab."""
        assert checked_separator(name) in ",;\t|"

    @pytest.mark.parametrize("value", ["", "ab", "x", "1", '"', "\n", 3, "ü"])
    def test_what_cannot_separate_is_refused(self, tmp_path, value):
        """One character that stands in no number and no name."""
        (path,) = written(tmp_path, a__csv=SOUND)
        with refused(ParameterError, "unknown-separator", argument="separator"):
            pb.read(path, separator=value)
        with refused(ParameterError, "unknown-decimal", argument="decimal"):
            pb.read(path, decimal=value)

    def test_a_header_that_is_nearly_right_names_the_column_that_is_meant(self, tmp_path):
        """The column of the true classes."""
        (truth,) = written(tmp_path, a__csv="actuall,p:y\n1.5,0.1\n2.5,0.2\n3,0.3\n")
        with refused(InputError, "columns-unknown", "Did you mean 'actuall'"):
            pb.read(truth)


class TestLines:
    """JSON lines."""

    @pytest.mark.parametrize(
        ("text", "code", "facts"),
        [
            ('{"actual": 1}\n{"actual": \n', "no-json-object", ("line 2",)),
            ('{"actual": 1}\n3\n', "no-json-object", ("line 2", "3")),
            ('{"actual": 1}\n[{"actual": 1, "p:1": 0.5}]\n', "no-json-object", ("line 2", "array")),
            ('{"actual": 1, "actual": 0}\n', "no-json-object", ("'actual'", "twice")),
            ('{"actual": 1, "x": {"a": 1, "a": 2}}\n', "no-json-object", ("'a'", "twice")),
            ('{"weight": 1}\n\n{"weight": "x"}\n', "mixed-types", ("1 in line 1", "'x' in line 3")),
            ('{"actual": true}\n{"actual": 1}\n', "mixed-types", ("line 2",)),
            ('{"actual": 1}\n{"actual": "\\ud800"}\n', "mixed-types", ("line 2",)),
            ('{"actual": "\\ud800"}\n', "mixed-types", ("Unicode",)),
            ('{"\\ud800": 1}\n', "not-utf-8", ()),
            ('{"a":' + "[" * 100_000 + "]" * 100_000 + "}\n", "no-json-object", ("deeply",)),
            ("\n\n", "empty-file", ()),
        ],
    )
    def test_a_bad_line_is_refused_with_its_number(self, tmp_path, text, code, facts):
        """One error, and no crash."""
        (path,) = written(tmp_path, a__jsonl=text)
        with refused(InputError, code, *facts):
            pb.read(path)

    def test_types_that_differ_far_apart_are_named(self, tmp_path):
        """Also where they are read in different blocks."""
        rows = ['{"actual": 1}'] * 25_000 + ['{"actual": "x"}']
        (path,) = written(tmp_path, a__jsonl="\n".join(rows))
        with refused(InputError, "mixed-types", "'x' in line 25001"):
            files.read_files(path)

    def test_dates_and_missing_values_are_as_in_csv(self, tmp_path):
        """A date is a date, null and an absent name are missing."""
        one, other = written(
            tmp_path,
            a__jsonl='{"d": "2024-05-01", "x": 1.5}\n{"d": "2024-05-02"}\n{"d": null, "x": 2}\n',
            b__csv="d,x\n2024-05-01,1.5\n2024-05-02,\n,2\n",
        )
        assert files.read_files(one).table.equals(files.read_files(other).table)

    def test_a_value_out_of_range_is_named_with_its_line(self, tmp_path):
        """Empty lines count as lines."""
        rows = '{"actual": 0, "p:1": 0.5}\n\n{"actual": 1, "p:1": 1.5}\n'
        (path,) = written(tmp_path, a__jsonl=rows)
        with refused(InputError, "no-probability", "1.5", "line 3 of"):
            pb.read(path)


class TestWithoutHeader:
    """Text files whose columns the user names."""

    @pytest.mark.parametrize(
        "text",
        ["n,0.25,a\ny,0.5,b\n", "n;0,25;a\ny;0,5;b\n", "\nn\t0.25\ta\n\ny\t0.5\tb"],
    )
    def test_every_line_is_a_row(self, tmp_path, text):
        """The separator under which a line has as many values is recognised."""
        (path,) = written(tmp_path, a__csv=text)
        table = files.read_files(path, names=["actual", "p:y", "note"]).table
        assert table.to_pydict() == {
            "actual": ["n", "y"],
            "p:y": [0.25, 0.5],
            "note": ["a", "b"],
        }

    def test_messages_count_lines_from_the_first(self, tmp_path):
        """It holds a row."""
        (path,) = written(tmp_path, a__csv="n,0.25\ny,0.5\ny,1.5\n")
        read = files.read_files(path, names=["actual", "p:y"])
        with refused(InputError, "no-probability", "line 3 of"):
            read.checked(pb.Predictions.from_frame)

    def test_names_and_values_are_as_many(self, tmp_path):
        """And stand in files that have none of their own."""
        csv, json_lines = written(tmp_path, a__csv="n,0.25\n", b__jsonl='{"actual": 1}\n')
        with refused(InputError, "names-differ", "1 columns", "2 values"):
            files.read_files(csv, names=["actual"])
        with refused(InputError, "names-differ", "jsonl"):
            files.read_files(json_lines, names=["actual"])
        with refused(ParameterError, "named-twice", "'a'"):
            files.read_files(csv, names=["a", "a"])
        with refused(ParameterError, "wrong-kind", argument="names"):
            files.read_files(csv, names="actual")

    def test_a_column_without_a_name_is_read(self, tmp_path):
        """The index of a frame is written as one."""
        (path,) = written(tmp_path, a__csv=",actual,p:y\n0,n,0.25\n1,y,0.5\n")
        assert files.read_files(path).table.column_names == ["", "actual", "p:y"]
        assert pb.read(path).n == 2


class TestSeveralFiles:
    """Files of one table."""

    def test_columns_may_stand_in_another_order(self, tmp_path):
        """And numbers may be written in another way."""
        paths = written(tmp_path, a__csv=SOUND, b__csv="p:y;actual;p:n\n0,25;n;0,75\n")
        data = pb.read(paths)
        assert data.prob[:, 1].tolist() == [0.1, 0.8, 0.25]

    def test_other_columns_are_refused_and_named(self, tmp_path):
        """What is missing and what is too much."""
        paths = written(tmp_path, a__csv=SOUND, b__csv="actual,p:n,w\nn,0.9,1\n")
        with refused(InputError, "columns-differ", "lacks 'p:y'", "'w' besides"):
            pb.read(paths)

    def test_a_column_that_is_text_in_one_file_is_text_in_all(self, tmp_path):
        """As it would be in one file; of types that are no text that is refused."""
        paths = written(tmp_path, a__csv="actual,id\na,007\n", b__csv="actual,id\nb,x\n")
        assert files.read_files(paths).table.column("id").to_pylist() == ["007", "x"]
        numbers = tmp_path / "c.parquet"
        pa.parquet.write_table(pa.table({"actual": ["a"], "id": [7]}), numbers)
        with refused(InputError, "types-differ", "'id'", "string", "int64"):
            files.read_files([paths[1], numbers])

    def test_formats_mix(self, tmp_path):
        """Texts held as codes, texts and JSON are one column."""
        csv, lines = written(
            tmp_path, a__csv=SOUND, b__jsonl='{"actual": "n", "p:n": 0.5, "p:y": 0.5}\n'
        )
        pb.read(csv).write(tmp_path / "c.parquet")
        data = pb.read([csv, lines, tmp_path / "c.parquet"])
        assert data.prob[:, 1].tolist() == [0.1, 0.8, 0.5, 0.1, 0.8]

    def test_the_line_is_that_of_the_file(self, tmp_path):
        """Rows are counted in each file for itself."""
        bad = SOUND.replace("0.8", "1.8")
        paths = written(tmp_path, a__csv=SOUND, b__csv=bad, c__csv=bad)
        with refused(InputError, "no-probability", "line 3 of", "b.csv"):
            pb.read(paths[:2])
        with refused(InputError, "no-probability", "2 rows, the first of them line 3 of", "b.csv"):
            pb.read(paths)

    def test_a_row_of_a_binary_file_is_named_by_its_number(self, tmp_path):
        """Parquet has no lines."""
        table = pa.table({"actual": ["n", "y"], "p:y": [0.5, 1.5]})
        pa.parquet.write_table(table, tmp_path / "a.parquet")
        with refused(InputError, "no-probability", "row 1 of", "a.parquet", "counted from 0"):
            pb.read(tmp_path / "a.parquet")

    def test_a_warning_names_the_line(self, tmp_path):
        """Of rows in which rounding moved the sum; what the caller filters stays filtered."""
        rounded = SOUND + "n,0.333,0.666\n"
        a, b = written(tmp_path, a__csv=SOUND, b__csv=rounded)
        with warned("rounded-rows", "line 4 of", "b.csv"):
            pb.read([a, b])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(pb.PlumblineWarning, match="line 4 of"):
                pb.read(b)

    def test_chosen_rows_keep_their_lines(self, tmp_path):
        """A row that is there twice is named once."""
        (path,) = written(tmp_path, a__csv=SOUND.replace("0.8", "1.8"))
        chosen = files.read_files(path).take(np.array([1, 0])).take(np.array([0, 0]))
        with refused(InputError, "no-probability", " line 3 of"):
            chosen.checked(pb.Predictions.from_frame)

    def test_a_pattern_is_its_files_in_order_unless_a_file_is_called_so(self, tmp_path):
        """A name with brackets is that file; a file that is named twice is refused."""
        a, b, odd = written(tmp_path, a__csv=SOUND, b__csv=SOUND, **{"x[1]__csv": GERMAN})
        assert pb.read(tmp_path / "[ab].csv").n == 4
        assert pb.read(odd).n == 2
        with refused(InputError, "no-such-file", "z*.csv"):
            pb.read(tmp_path / "z*.csv")
        with refused(InputError, "repeated-file", "a.csv"):
            pb.read([a, b, tmp_path / "a*.csv"])


class TestStreams:
    """An open binary file."""

    @pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.csv", "a.tsv"])
    def test_the_first_bytes_tell_the_format(self, tmp_path, name):
        """Whatever Plumbline writes can be piped."""
        (path,) = written(tmp_path, s__csv=GERMAN)
        pb.read(path).write(tmp_path / name)
        with (tmp_path / name).open("rb") as file:
            assert pb.read(file).prob[:, 1].tolist() == [0.1, 0.8]

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            (b"", "empty-file"),
            (gzip.compress(SOUND.encode(), mtime=0)[:20], "unreadable-file"),
            (b"\0\0\0\0", "not-utf-8"),
            ("actual,p:y\nß,0.5\n".encode("latin-1"), "not-utf-8"),
            (b"PAR1 and no more", "unreadable-file"),
        ],
    )
    def test_a_bad_stream_is_refused(self, content, code):
        """As a file would be."""
        with refused(InputError, code, "the stream"):
            pb.read(io.BytesIO(content))

    def test_text_is_no_stream_of_bytes(self):
        """The encoding is the reader's to find out."""
        with refused(ParameterError, "wrong-kind", "bytes", argument="path"):
            pb.read(io.StringIO(SOUND))


HOSTILE = {
    "cut.csv.gz": gzip.compress(SOUND.encode() * 1000)[:-30],
    "flipped.csv.gz": gzip.compress(SOUND.encode())[:-8] + b"\0" * 8,
    "plain.csv.gz": SOUND.encode(),
    "cut.csv.zst": pa.Codec("zstd").compress(SOUND.encode() * 1000).to_pybytes()[:-9],
    "plain.csv.zst": SOUND.encode(),
    "cut.jsonl.gz": gzip.compress(b'{"actual": 1, "p:1": 0.5}\n' * 1000)[:-9],
    "nothing.csv.gz": gzip.compress(b""),
    "zeros.csv": b"\0" * 1000,
    "latin.jsonl": '{"actual": "ß", "p:1": 0.5}\n'.encode("latin-1"),
    "half.csv": SOUND.encode("utf-16")[:-1],
    "cut.tsv": b'actual\tp:y\n"n\t0.5\ny\t0.25\n',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_once(tmp_path, name):
    """One message of one line that names the file."""
    path = tmp_path / name
    path.write_bytes(HOSTILE[name])
    with pytest.raises(InputError) as caught:
        pb.read(path)
    assert caught.value.code
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "code", "said"),
    [
        ("header.csv", b"actual,p:a,p:b", "no-rows", "'p:b'"),
        ("header.csv", b"actual,p:a,p:b\n", "no-rows", "'p:b'"),
        ("packed.csv", b"PK\x03\x04\x14\0\0\0\0\0", "not-utf-8", "ZIP"),
    ],
)
def test_what_is_no_table_of_text(tmp_path, name, content, code, said):
    """A header without rows is one with its line ended or not; an archive is called one."""
    (tmp_path / name).write_bytes(content)
    with refused(InputError, code, said):
        pb.Predictions.read(tmp_path / name)


def test_a_link_to_nothing_is_called_one(tmp_path):
    """It is not proposed in its own place."""
    (tmp_path / "a.csv").symlink_to(tmp_path / "gone.csv")
    with refused(InputError, "no-such-file", "a link") as raised:
        pb.Predictions.read(tmp_path / "a.csv")
    assert "ou mean" not in str(raised.value)
