import csv
import json
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner, Result

import plumbline as pb
from plumbline.cli import main

PYTHON = [sys.executable, "-m", "plumbline"]
SMALL = ("--datasets", "60", "--points", "30", "--resamples", "30")
COLUMNS = "experiment,view,placement,bins,distance,power,power_lower,std_error"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    """Work in a folder of one's own."""
    monkeypatch.chdir(tmp_path)


def invoke(*words: str) -> Result:
    """Run a command line in this process; an unexpected exception comes through."""
    return CliRunner().invoke(main, ["power", *words], catch_exceptions=False)


class TestOutput:
    """What the command prints and writes."""

    def test_the_file_has_the_rows_of_the_library(self, tmp_path):
        """The CSV file: its columns in this order, its numbers those of `plumbline.power`."""
        options = ("--experiments", "1,9", "--views", "cw", "--bins", "thesis", "--like", "thesis")
        result = invoke(
            *options, "--distances", "absolute,log", *SMALL, "--seed", "3", "--out", "p.csv"
        )
        assert result.exit_code == 0
        assert re.search(r"^\w+: p.csv \(136 ", result.stdout, re.MULTILINE)
        text = (tmp_path / "p.csv").read_text("utf-8")
        assert text.splitlines()[0] == COLUMNS
        expected = pb.power_study(
            [1, 9],
            views=["cw"],
            bins="thesis",
            like="thesis",
            distances=["absolute", "log"],
            datasets=60,
            points=30,
            resamples=30,
            rng=3,
        )
        rows = list(csv.DictReader(text.splitlines()))
        assert rows == [{k: str(v) for k, v in row.items()} for row in expected.rows()]
        assert not (tmp_path / "p.csv.parts").exists()

    def test_json_is_one_object_with_all_rows(self):
        """`results` are the rows, with n; around them what was asked."""
        result = invoke("--experiments", "4", "--bins", "equal-size:10", *SMALL, "--json")
        whole = json.loads(result.stdout)
        assert whole["command"] == "power"
        assert whole["resamples"] == 30
        assert len(whole["results"]) == 6
        assert set(whole["results"][0]) == {*COLUMNS.split(","), "n"}
        assert {row["n"] for row in whole["results"]} == {30}

    def test_a_whole_grid_on_the_screen_is_a_selection(self):
        """10 and 100 bins of both placements; the text says how to get all."""
        row = re.compile(r"^ +1 +(?:cw|cf) +equal-\w+ +(\d+) ", re.MULTILINE)
        text = invoke("--experiments", "1", *SMALL).stdout
        assert sorted(row.findall(text)) == ["10"] * 4 + ["100"] * 4
        assert "Shown are" in text
        text = invoke("--experiments", "1", "--bins", "equal-size:7,equal-width:9", *SMALL).stdout
        assert row.findall(text) == ["7", "9", "7", "9"]
        assert "Shown are" not in text

    def test_a_named_test(self):
        """`--statistic` asks a calibration test by its name."""
        result = invoke("--experiments", "1", "--statistic", "ece", *SMALL, "--json")
        (row,) = json.loads(result.stdout)["results"]
        assert row["statistic"] == "ece"
        assert 0 <= row["power"] <= 1

    def test_workers_change_nothing(self, tmp_path):
        """One thread and two write the same bytes."""
        for workers in "12":
            invoke("--experiments", "2", *SMALL, "--workers", workers, "--out", f"{workers}.csv")
        assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


class TestRefusals:
    """Bad input is one line on standard error and exit status 2."""

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (["--experiments", "1,x"], "--experiments must be numbers from 1 to 9, got 'x'"),
            (["--experiments", ","], "--experiments must be a list of numbers"),
            (["--views", "cw,top"], "--views must be one of 'cw', 'cf', got 'top'"),
            (["--distances", "logg"], "Did you mean 'log'"),
            (["--bins", "blog"], "--bins must be 'plumbline', 'thesis'"),
            (["--like", "blog"], "--like must be one of 'thesis'"),
            (["--level", "5"], "--level must be a fraction"),
            (["--datasets", "0"], "--datasets must be a whole number"),
            (["--statistic", "foo"], "--statistic must be one of 'omnibus'"),
            (["--statistic", "ece", "--bins", "thesis"], "--bins applies to the grid"),
            (["--out", "power.parquet"], "must end in .csv"),
            (["--out", "no/power.csv"], "there is no folder"),
            (["--experiments", "7", "--covertype", "no.csv"], "'no.csv' cannot be read"),
        ],
    )
    def test_one_line_and_status_2(self, words, says):
        """The line names the option, its rule and what arrived."""
        result = invoke(*words)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert says in result.stderr
        assert len(result.stderr.splitlines()) == 1

    def test_the_parts_of_another_question_are_not_mixed_in(self, tmp_path):
        """The line says what differs and what to do."""
        parts = tmp_path / "power.csv.parts"
        parts.mkdir()
        (parts / "question.json").write_text('{"seed": 4}', "utf-8")
        result = invoke("--experiments", "1", "--out", "power.csv", *SMALL)
        assert result.exit_code == 2
        assert "seed = 4" in result.stderr
        assert "'power.csv.parts'" in result.stderr


def test_ctrl_c_keeps_what_is_done_and_a_second_run_goes_on(tmp_path):
    """Exit status 130, parts on disk; then the same file as from a run that was not stopped."""
    words = ["power", "--experiments", "9", "--datasets", "3000", "--bins", "equal-size:10"]
    command = [*PYTHON, *words, "--out", "power.csv"]
    parts = tmp_path / "power.csv.parts"
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    for _ in range(3000):
        if list(parts.glob("block-*.npz")):
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    first, last = [line for line in errors.splitlines() if line]
    assert first.startswith("plumbline: ")
    assert last == "plumbline: interrupted"
    assert 0 < len(list(parts.glob("block-*.npz"))) < 60
    assert invoke(*words[1:], "--out", "power.csv").exit_code == 0
    assert not parts.exists()
    invoke(*words[1:], "--out", "whole.csv")
    assert (tmp_path / "power.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
