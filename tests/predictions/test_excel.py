"""Excel: a sheet is a table, its cells typed, its first row the names."""

import io
import shlex
import sys
from datetime import date

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main
from plumbline.errors import InputError, MissingExtraError
from plumbline.roles import UnclearColumns
from refusals import refused, warned
from workbooks import workbook

HEADER = ["loan_id", "default", "score", "job", "opened", "member"]
ROWS = [
    [f"00{n}", n % 2, (n + 1) / 12, "fixed", date(2026, 11, n + 1), n % 3 == 0] for n in range(10)
]


def stream(sheets):
    """Return a workbook as a stream of bytes."""
    return io.BytesIO(workbook(sheets))


def test_a_sheet_is_the_table_of_its_cells():
    """Texts, whole numbers, numbers, dates and truth values, also where cells or rows are empty."""
    rows = [[*row] for row in ROWS]
    rows[4][3] = None
    data = pb.read(stream({"Sheet1": [[], HEADER, *rows[:5], [None] * 6, *rows[5:]]}))
    assert data.reading.form == "Excel, sheet 'Sheet1'"
    assert data.row.tolist() == [row[0] for row in ROWS]
    assert data.actual.tolist() == [0, 1] * 5
    np.testing.assert_array_equal(data.prob[:, 1], [row[2] for row in ROWS])
    assert data.attributes["job"].tolist()[3:6] == ["fixed", None, "fixed"]
    assert data.attributes["opened"].astype("datetime64[D]").tolist() == [row[4] for row in ROWS]
    assert data.attributes["member"].tolist() == [row[5] for row in ROWS]


def test_of_several_sheets_one_must_be_named(tmp_path, monkeypatch):
    """Those without cells do not count; each is offered as a command that runs."""
    monkeypatch.chdir(tmp_path)
    sheets = {"May 26": [HEADER, *ROWS], "June": [HEADER, *ROWS[:6]], "notes": []}
    (tmp_path / "two.xlsx").write_bytes(workbook(sheets))
    with refused(UnclearColumns, "sheet-unclear", "May 26") as found:
        pb.read("two.xlsx")
    assert found.value.choices == ({"sheet": "May 26"}, {"sheet": "June"})
    refusal = CliRunner().invoke(main, ["scores", "two.xlsx", "--metrics", "accuracy"])
    assert (refusal.exit_code, refusal.stdout) == (2, "")
    lines = [line for line in refusal.stderr.splitlines() if line.startswith("  ")]
    assert len(lines) == 2
    for line in lines:
        assert CliRunner().invoke(main, shlex.split(line)[1:]).exit_code == 0
    assert pb.read("two.xlsx", sheet="June").n == 6
    assert pb.read(stream({"notes": [], "June": [HEADER, *ROWS[:6]]})).n == 6
    with refused(InputError, "no-such-sheet", "June"):
        pb.read("two.xlsx", sheet="Jun")


def test_labels_may_stand_in_a_workbook(tmp_path):
    """The sheet is that of FILE where FILE is a workbook, else that of the labels."""
    labels = {
        "old": [["loan_id", "default"]],
        "new": [["loan_id", "default"], *[r[:2] for r in ROWS]],
    }
    (tmp_path / "labels.xlsx").write_bytes(workbook(labels))
    lines = ["loan_id,score", *(f"{row[0]},{row[2]}" for row in ROWS)]
    (tmp_path / "p.csv").write_text("\n".join(lines))
    read = {"labels": tmp_path / "labels.xlsx", "row": "loan_id"}
    assert pb.read(tmp_path / "p.csv", sheet="new", **read).actual.tolist() == [0, 1] * 5


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([["Report of May"], HEADER, *ROWS], "no-header"),
        ([["default", "score", "score"], *[row[1:4] for row in ROWS]], "repeated-columns"),
        ([HEADER], "no-rows"),
        ([], "empty-file"),
    ],
)
def test_a_sheet_that_is_no_table_is_refused(rows, code):
    """A title above the names, names that come twice, no rows, no cells."""
    with refused(InputError, code):
        pb.read(stream({"Sheet1": rows}))


def test_a_sheet_without_a_header_takes_names():
    """As a text file does."""
    data = pb.read(stream({"Sheet1": [row[1:3] for row in ROWS]}), names=["y_true", "y_prob"])
    assert data.n == 10


def test_a_column_of_mixed_cells_is_left_out_with_a_warning():
    """The others are read."""
    rows = [[*row] for row in ROWS]
    rows[2][3] = 7
    with warned("columns-left-out", "job"):
        data = pb.read(stream({"Sheet1": [HEADER, *rows]}))
    assert "job" not in data.attributes


def test_other_files_have_no_sheets(tmp_path):
    """Named for one of them, a sheet is refused."""
    (tmp_path / "p.csv").write_text("y_true,y_prob\n0,0.2\n1,0.7\n")
    with refused(InputError, "no-such-sheet"):
        pb.read(tmp_path / "p.csv", sheet="June")


def test_damaged_workbooks_are_refused(tmp_path):
    """In one sentence; and so is a file of another kind."""
    whole = workbook({"Sheet1": [HEADER, *ROWS]})
    for content in (whole[: len(whole) // 2], b"PK\x03\x04rubbish", b"y_true,y_prob\n0,0.2\n"):
        (tmp_path / "half.xlsx").write_bytes(content)
        with refused(InputError, "unreadable-file"):
            pb.read(tmp_path / "half.xlsx")


def test_without_the_library_the_command_that_installs_it_is_named(monkeypatch):
    """The extra is `excel`."""
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(MissingExtraError, match=r"plumbline-eval\[excel\]"):
        pb.read(stream({"Sheet1": [HEADER, *ROWS]}))
