"""Commands about more than two classes: counted rows answer as single rows do."""

import json
import re
import shlex

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet

from html_pages import undrawn
from laws import law
from plumbline.cli import main


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Return a table of four classes, too sure of themselves."""
    rng = np.random.default_rng(0)
    z = rng.normal(0, 2, (600, 4))
    prob = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    true = prob**0.6 / (prob**0.6).sum(axis=1, keepdims=True)
    label = (true.cumsum(axis=1) < rng.random((600, 1))).sum(axis=1)
    names = np.array(["dry", "rain", "snow", "fog"])
    columns = {f"p:{name}": prob[:, j] for j, name in enumerate(names)}
    file = tmp_path_factory.mktemp("views") / "t.parquet"
    parquet.write_table(pa.table({"actual": names[label], **columns}), file)
    return file


def answered(*words):
    """Return the one JSON object that a command prints."""
    result = CliRunner().invoke(main, [*map(str, words), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def numbers(value, place=""):
    """Yield every number, text and null of an answer with its place, save what is drawn."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in DRAWN:
                yield from numbers(one, f"{place}.{key}")
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from numbers(one, f"{place}.{number}")
    else:
        yield place, value


# Of the omnibus test, whose labels are drawn row by row, and of thresholds of rows.
DRAWN = ("value", "null_mean", "null_range", "excess", "parts", "points", "p_values")


@pytest.mark.parametrize(
    "words",
    [
        ("calibration",),
        ("calibration", "--view", "top-label", "--bins", "10"),
        ("calibration", "--view", "one-vs-rest:rain"),
        ("test", "--view", "top-label"),
        ("test", "--view", "one-vs-rest:snow"),
        ("test", "--view", "top-label", "--statistic", "ece"),
        ("curve", "--preset", "roc", "--target", "rain"),
        ("scores",),
        ("confusion",),
        ("confusion", "--target", "fog", "--interval"),
    ],
    ids=" ".join,
)
def test_counts_answer_as_memory_does(path, words):
    """The same keys, texts and verdicts; numbers within the bounds of counting."""
    name, *options = words
    drawn = () if name in ("scores", "confusion", "curve") else ("--resamples", "99")
    one, other = (
        answered(name, path, *options, *drawn, "--engine", engine)
        for engine in ("counts", "memory")
    )
    assert bool(one.pop("counting_errors", None)) == (name not in ("scores", "confusion"))
    if name == "calibration":  # three classes are counted as one event, whose test is another
        one, other = (without_verdict(whole) for whole in (one, other))
    known = dict(numbers(other))
    for place, value in numbers(one):
        if isinstance(value, float):
            assert value == pytest.approx(known[place], rel=2e-3, abs=1e-6), place
        else:
            assert value == known[place], place
    assert len(known) == sum(1 for _ in numbers(one))
    if name == "calibration":
        values = [answer["results"][0]["value"] for answer in (one, other)]
        assert values[0] == pytest.approx(values[1], abs=1e-9)


def without_verdict(whole):
    """Return an answer without the calibration test that stands beside its numbers."""
    rest = [
        {key: value for key, value in row.items() if key not in ("verdict", "omnibus_p_value")}
        for row in whole["results"]
    ]
    assert all(len(row) < len(entry) for row, entry in zip(rest, whole["results"], strict=True))
    return {**whole, "results": rest}


def test_without_a_view(path):
    """A test of counted rows is about the top label and says so; single rows are refused."""
    result = CliRunner().invoke(main, ["test", str(path), "--engine", "counts"])
    assert result.exit_code == 0
    assert "counted as two" in result.stderr
    assert "4 classes, top-label" in result.stdout
    for words in (
        ["scores", "--metrics", "log-loss"],
        ["confusion", "--target", "fog", "--threshold", ".5"],
    ):
        result = CliRunner().invoke(main, [*words, str(path), "--engine", "counts"])
        assert result.exit_code == 2
        assert "--engine memory" in result.stderr


def test_a_state_keeps_its_view(path, tmp_path):
    """Further rows are counted under it, and other views refused."""
    update = ("state", "update", tmp_path / "a.state", path)
    for rows, more in ((600, ("--view", "one-vs-rest:rain")), (1200, ("--again",))):
        assert answered(*update, *more)["results"][0]["rows"] == rows
    held = answered("calibration", path, "--view", "one-vs-rest:rain", "--resamples", "9")
    for view in ((), ("--view", "one-vs-rest:rain")):
        one = answered("calibration", tmp_path / "a.state", *view, "--resamples", "9")
        assert one["results"][0]["value"] == pytest.approx(held["results"][0]["value"], abs=1e-9)
        assert one["results"][0]["view"] == "one-vs-rest:rain"
    words = ["calibration", str(tmp_path / "a.state"), "--view", "top-label"]
    refused = CliRunner().invoke(main, words)
    assert refused.exit_code == 2
    assert "one-vs-rest:rain" in refused.stderr


def proposed(*words):
    """Return the command that an answer proposes next, as words."""
    result = CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    commands = [line.split("plumbline ", 1)[1] for line in result.stdout.splitlines() if NEXT(line)]
    return shlex.split(commands[-1])


NEXT = re.compile(r"\s+(Next\s+)?plumbline ").match
DRAWS = ("--resamples", "99", "--engine", "counts")


@law(
    "words",
    [
        ("test", *DRAWS),
        ("test", *DRAWS, "--view", "one-vs-rest:rain"),
        ("calibration", *DRAWS, "--view", "one-vs-rest:rain"),
        ("scores", "--engine", "counts"),
    ],
    number=2,
)
def test_what_is_proposed_next_can_be_done(path, words):
    """Commands that count no view read single rows; the others keep the view."""
    name, *options = proposed(words[0], path, *words[1:])
    view = name == "test" and "--view" in words
    assert ("one-vs-rest:rain" in options) == view
    draws = () if name == "recalibrate" else ("--resamples", "99")
    result = CliRunner().invoke(main, [name, *options, *draws])
    assert result.exit_code == 0, result.stderr


def test_views_that_cannot_be_counted_are_not_offered(path):
    """Neither of a misspelled view, nor where a command counts none."""
    words = ["test", str(path), "--view", "toplabel"]
    counts = CliRunner().invoke(main, [*words, "--engine", "counts"])
    assert "classwise" in CliRunner().invoke(main, words).stderr
    assert (counts.exit_code, "classwise" in counts.stderr) == (2, False)
    for words in (["recalibrate", str(path)], ["plan", str(path), "--effect", "ece:0.03"]):
        refused = CliRunner().invoke(main, [*words, "--engine", "counts"])
        assert (refused.exit_code, "view" in refused.stderr) == (2, False)
    refused = CliRunner().invoke(main, ["sql", str(path), "--dialect", "duckdb"])
    assert refused.exit_code == 2
    assert not {"view", "engine"} & set(refused.stderr.split())


def test_attributes_of_a_counted_report(path, tmp_path, monkeypatch):
    """Are named where rows are counted; without them the page says so where groups would stand."""
    monkeypatch.chdir(tmp_path)
    rows = parquet.read_table(path)
    rain = rows.column("p:rain")
    rng = np.random.default_rng(1)
    label = (rng.random(len(rain)) < rain.to_numpy()).astype(int)
    site = np.array(["hill", "coast"])[rng.integers(0, 2, len(rain))]
    parquet.write_table(pa.table({"actual": label, "p:1": rain, "site": site}), "two.parquet")
    words = ["report", "two.parquet", "--engine", "counts", "--recalibrate", "none"]
    words += ["--resamples", "9", "--out", "r.html"]
    for more, known in ((["--attributes", "site"], True), ([], False)):
        with undrawn():
            result = CliRunner().invoke(main, [*words, *more], catch_exceptions=False)
        assert result.exit_code == 0, result.stderr
        page = (tmp_path / "r.html").read_text("utf-8")
        assert 'id="groups"' in page
        assert ("coast" in page) == known
        assert ("--attributes" in result.stderr) != known


def test_counted_curves_list_the_points_of_single_rows(path):
    """With equal shares of the rows between them."""
    words = ["curve", str(path), "--preset", "roc", "--target", "rain"]
    tables = []
    for engine in ("counts", "memory"):
        text = CliRunner().invoke(main, [*words, "--engine", engine]).stdout
        tables.append(text[text.index("threshold") :].splitlines())
    same = sum(one == other for one, other in zip(*tables, strict=True))
    assert same >= len(tables[0]) - 2  # a level may hold two rows
