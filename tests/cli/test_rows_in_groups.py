"""Rows in groups on the command line: said once, read by every command, refused in words."""

import json
import shlex

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from pyarrow import parquet

import plumbline as pb
from grouped_rows import in_groups
from plumbline.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
GROUPS = ("--groups", "patient")
QUICK = ("--resamples", "99")
COMMANDS = {
    "test": ("test", *QUICK),
    "test ece": ("test", "--statistic", "ece", *QUICK),
    "calibration": ("calibration", *QUICK),
    "scores": ("scores", "--metrics", "log-loss,roc-auc,recall", "--interval", *QUICK),
    "curve": ("curve", "--preset", "roc", "--band", "bootstrap", *QUICK),
    "confusion": ("confusion", "--interval"),
    "recalibrate": ("recalibrate", *QUICK),
}


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory):
    """A file of 60 patients with 6 visits each, and the same rows as a written table."""
    folder = tmp_path_factory.mktemp("groups")
    data = in_groups(np.random.default_rng(3), 60, 6, latent=0.5)
    names = [f"P{code:03d}" for code in data.group_codes]
    columns = {"patient": names, "died": data.actual, "risk": data.prob[:, 1]}
    parquet.write_table(pa.table(columns), folder / "visits.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


def invoke(*words: str) -> Result:
    """Run the program."""
    return CliRunner().invoke(main, words, catch_exceptions=False)


def answer(*words: str):
    """Return the JSON of a command that works."""
    result = invoke(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def call(name: str, *more: str) -> list[str]:
    """Return the words of a command on the file."""
    command, *options = COMMANDS[name]
    return [command, "visits.parquet", *options, *more]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_allows_for_groups(name):
    """Its answer is another one than of independent rows, and by another spelling the same."""
    alone, grouped, renamed = (
        answer(*call(name, *more)) for more in ((), GROUPS, ("--rename", "patient=groups"))
    )
    assert grouped["results"] != alone["results"]
    assert grouped["results"] == renamed["results"]
    assert grouped["read"]["rename"] == {"patient": "groups"}


@pytest.mark.parametrize(
    "words", [*COMMANDS.values(), ("scores",), ("curve", "--preset", "roc"), ("confusion",)]
)
def test_groups_add_their_number_to_an_answer_and_take_nothing_from_it(words):
    """In its text and its JSON; every title of a table that independent rows have stays."""
    command, *options = words
    alone, grouped = (
        invoke(command, "visits.parquet", *options, *more).stdout for more in ((), GROUPS)
    )
    assert any("60" in line.split() for line in grouped.splitlines()[2:] if "roups" in line)
    titles = [line for line in alone.splitlines() if line.split()[:1] in (["rows"], ["rate"])]
    assert all(any(line.split() == one.split() for line in grouped.splitlines()) for one in titles)
    printed = json.loads(invoke(command, "visits.parquet", *options, *GROUPS, "--json").stdout)
    told = [printed, *printed["results"], *(one.get("advice", {}) for one in printed["results"])]
    assert 60 in [one.get("row_groups", (one.get("groups") or {}).get("count")) for one in told]


def test_the_command_line_gives_what_the_library_gives():
    """The file with the option, the frame with `rename`, and a table that is put in groups."""
    (entry,) = answer(*call("test", *GROUPS))["results"]
    frame = parquet.read_table("visits.parquet")
    told = pb.Predictions.from_frame(frame, rename={"patient": "groups"})
    later = pb.Predictions.from_frame(frame).in_groups("patient")
    for data in (told, later):
        assert pb.calibration_test(data, resamples=99).p_value == entry["p_value"]
    assert entry["groups"]["count"] == 60


def test_a_written_table_keeps_its_groups(tmp_path):
    """In a column of its own, beside the attribute they were."""
    frame = parquet.read_table("visits.parquet")
    data = pb.Predictions.from_frame(frame).in_groups("patient")
    for ending in ("csv", "parquet"):
        file = tmp_path / f"written.{ending}"
        data.write(file)
        again = pb.read(file)
        assert again.groups.names == data.groups.names
        assert np.array_equal(again.group_codes, data.group_codes)
        assert again.fingerprint() == data.fingerprint()
        assert "patient" in again.attributes
    assert data.fingerprint() != data.in_groups(None).fingerprint()


def test_a_plain_column_called_groups_is_an_attribute():
    """Only `groups:rows` is read by its name, as treatment and control are groups too."""
    table = pa.table({"actual": [0, 1, 1], "p:1": [0.2, 0.7, 0.6], "groups": ["a", "b", "a"]})
    data = pb.Predictions.from_frame(table)
    assert data.groups is None
    assert "groups" in data.attributes


def test_what_takes_rows_for_independent_is_refused_with_code_2():
    """Power studies and states: one sentence that says what allows for groups."""
    data = pb.Predictions.from_frame(
        parquet.read_table("visits.parquet"), rename={"patient": "groups"}
    )
    with pytest.raises(pb.InputError) as error:
        pb.power_study(data)
    assert error.value.code == "rows-in-groups"
    counted = invoke("state", "update", "s.state", "visits.parquet", "--rename", "patient=groups")
    assert counted.exit_code == 2
    assert "counted" in counted.stderr
    assert "engine" not in counted.stderr  # an option that this command has not
    independent = counted.stderr.partition("independent: plumbline ")[2]
    assert invoke(*shlex.split(independent)).exit_code == 0
    held = invoke(*call("test", "--groups", "patient"), "s.state")
    assert held.exit_code == 2
    counts = invoke(*call("test", *GROUPS, "--engine", "counts"))
    assert counts.exit_code == 2


def test_an_unknown_column_is_refused_with_the_near_one():
    """As every other column that is named."""
    result = invoke("test", "visits.parquet", "--groups", "patinet")
    assert result.exit_code == 2
    assert "'patient'" in result.stderr


def test_the_printed_next_step_keeps_the_groups():
    """Whoever runs it asks about the same rows."""
    result = invoke(*call("test", *GROUPS))
    line = next(one for one in result.stdout.splitlines() if "plumbline " in one)
    words = shlex.split(line.partition("plumbline ")[2])
    assert words[-2:] == ["--groups", "patient"]


@pytest.mark.parametrize("said", [["--groups", "patient"], ["--groups=patient"]])
def test_a_refusal_beside_groups_prints_a_command_that_works(said):
    """The groups are named once in it, whatever else the reading needs."""
    frame = parquet.read_table("visits.parquet").to_pandas()
    frame.loc[3, "patient"] = None
    frame.to_csv("missing.csv", index=False)
    frame.rename(columns={"risk": "one"}).assign(two=frame["risk"]).to_csv(
        "unclear.csv", index=False
    )
    for file in ("missing.csv", "unclear.csv"):
        refusal = invoke("test", file, *said, *QUICK)
        assert refusal.exit_code == 2
        printed = [row for row in refusal.stderr.splitlines() if row.startswith("  plumbline")]
        for command in printed:
            again = invoke(*shlex.split(command)[1:])
            assert again.exit_code == 0 or "--missing drop" in again.stderr, again.stderr
        assert printed
    twice = answer(*call("test", *GROUPS, "--rename", "patient=groups"))
    assert twice["results"] == answer(*call("test", *GROUPS))["results"]


@pytest.fixture(scope="module")
def gaps():
    """Return the frame of visits, of which four have no patient, two of them without a model."""
    frame = parquet.read_table("visits.parquet").to_pandas()
    frame.loc[[3, 9, 40, 41], "patient"] = None
    return frame


def test_a_row_without_a_group_is_refused_or_alone(gaps):
    """By one word on every way in; the refusal offers it, and the groups are the same."""
    gaps.to_csv("gaps.csv", index=False)
    how = {"rename": {"patient": "groups"}}
    for refused in (
        lambda: pb.read("gaps.csv", **how),
        lambda: pb.Predictions.from_frame(gaps, **how),
        lambda: pb.Predictions.from_frame(gaps).in_groups("patient"),
    ):
        with pytest.raises(pb.InputError):
            refused()
    told = [
        pb.read("gaps.csv", **how, missing="alone"),
        pb.Predictions.from_frame(gaps, **how, missing="alone"),
        pb.Predictions.from_frame(gaps).in_groups("patient", missing="alone"),
    ]
    for data in told:
        assert data.groups.names == told[0].groups.names
        assert np.array_equal(data.group_codes, told[0].group_codes)
        counts = np.bincount(data.group_codes)
        assert (data.n, len(counts), (counts == 1).sum()) == (360, 64, 4)
    refusal = invoke("scores", "gaps.csv", *GROUPS).stderr
    offered = [shlex.split(line) for line in refusal.splitlines() if line.startswith("  plumbline")]
    assert [words[-1] for words in offered] == ["drop", "alone"]
    found = [answer(*words[1:])["results"][0]["row_groups"] for words in offered]
    assert found == [60, 64]


def test_a_word_for_missing_values_is_known_and_has_groups(gaps):
    """Without groups nothing is alone; another missing value is refused as before."""
    for how, code in (
        ({"missing": "alone"}, "argument-needs-another"),
        ({"missing": "single", "rename": {"patient": "groups"}}, "unknown-name"),
    ):
        with pytest.raises(pb.ParameterError) as refused:
            pb.Predictions.from_frame(gaps, **how)
        assert refused.value.code == code
    gaps = gaps.assign(risk=gaps["risk"].where(gaps.index != 100))
    with pytest.raises(pb.InputError) as refused:
        pb.Predictions.from_frame(gaps, rename={"patient": "groups"}, missing="alone")
    assert refused.value.code == "value-missing"
    assert refused.value.rows.tolist() == [100]


@pytest.mark.parametrize("shape", ["models", "long", "own"])
def test_a_row_alone_is_one_group_in_every_shape_of_table(gaps, shape):
    """Of several models it is the same example; of one row a class it is one row."""
    few = gaps.iloc[:60].assign(case=range(60))
    how = {"missing": "alone", "rename": {"patient": "groups"}}
    if shape == "models":
        few = few.assign(other=few["risk"] * 0.9)
        data = pb.Predictions.from_frame(few, actual="died", prob=["risk", "other"], **how)
        codes = data.group_codes.reshape(2, -1)
        assert np.array_equal(codes[0], codes[1])
    elif shape == "long":
        parts = [few.assign(label=c, risk=abs(few["risk"] - (1 - c))) for c in (0, 1)]
        how["rename"] |= {"case": "row", "label": "class"}
        data = pb.Predictions.from_frame(
            pa.Table.from_pandas(pd.concat(parts)), actual="died", prob="risk", **how
        )
    else:
        names = {"died": "actual", "risk": "p:1", "patient": "groups:rows"}
        own = few.rename(columns=names).drop(columns="case")
        data = pb.Predictions.from_frame(own, missing="alone")
    assert len(data.groups.names) == 10 + 4
    assert (np.bincount(data.group_codes) == len(data.models or "x")).sum() == 4


@pytest.mark.parametrize(
    "words",
    [
        ("test", "visits.parquet", *GROUPS, "--engine", "counts"),
        ("curve", "visits.parquet", *GROUPS, "--preset", "roc", "--engine", "counts"),
        ("test", "visits.parquet", *GROUPS, "--statistic", "ece", "--null", "exact"),
        ("test", "visits.parquet", *GROUPS, "--statistic", "cox", "--null", "asymptotic"),
        ("test", "visits.state", *GROUPS),
        ("power", "--points", "60", "--datasets", "4", "--group-size", "5"),
    ],
)
def test_what_groups_do_not_allow_is_refused_with_a_command_that_runs(words):
    """Counts, exact and textbook nulls, a state and the grid of power."""
    if words[1] == "visits.state":
        made = invoke("state", "update", "visits.state", "visits.parquet")
        assert made.exit_code == 0, made.output
    refused = invoke(*words)
    assert refused.exit_code == 2
    lines = [line for line in refused.stderr.splitlines() if line.startswith("  plumbline ")]
    assert len(lines) == 1
    ended = invoke(*shlex.split(lines[0])[1:])
    assert ended.exit_code == 0, ended.output
