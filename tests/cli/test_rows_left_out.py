"""Rows that options leave out: used and left out are all rows of the file, in text and JSON."""

import json
import re
import shlex

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from commands import COMMANDS
from laws import law
from plumbline.cli import main

N = 120  # rows of each of two models
SELECTIONS = {  # those of one option are asked of one command, all of them of each
    "gaps.csv --missing drop --models b --folds 0,1 --repeats 1": {
        "missing": 3,
        "models": N,
        "folds": 39,
        "repeats": 38,
    },
    "t.csv --models a": {"models": N},
    "t.csv --folds 0": {"folds": 4 * N // 3},
    "t.csv --repeats 1": {"repeats": N},
    "wide.csv --missing drop --models boosting": {"missing": 4, "models": N - 2},
    "t.csv": {},
}
OF_PAIRS = {
    "t.csv --folds 0,1": {"folds": 2 * N // 3},
    "wide.csv --missing drop": {"missing": 4},
    "three.csv --models a,b": {"models": N},
}
# The options that give each command a short answer.
FEW = {
    "calibration": "--resamples 19",
    "check": "--init",
    "test": "--statistic ece --resamples 19",
    "compare": "--metrics log-loss",
    "curve": "--preset roc",
    "plan": "--statistic spiegelhalter --effect overconfident:3 --n 40 --datasets 30",
    "recalibrate": "--method platt",
    "report": "--out page.md --recalibrate none --resamples 9",
    "state compare": "--by day",
}
APART = {"serve", "estimate"}  # a server, and models that are fitted here
TAKING = [name for name, one in COMMANDS.items() if {p.name for p in one.params} >= {"models"}]
ASKED = [
    (name, options)
    for name in TAKING
    if name not in APART
    for options in (OF_PAIRS if name == "compare" else SELECTIONS)
    if name in ("compare", "confusion") or options.startswith("gaps")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write tables of two and three models, with folds and repeats, and with empty cells."""
    rng, folder = np.random.default_rng(1), tmp_path_factory.mktemp("rows")
    p, q = rng.uniform(0.05, 0.95, (2, N)).round(4)
    y, place = (rng.random(N) < p).astype(int), np.arange(N)
    for name, models in (("t", "ab"), ("three", "abc")):
        many = len(models)
        pb.Predictions.from_arrays(
            np.tile(y, many),
            np.concatenate([p, q, p][:many]),
            model=np.repeat([*models], N),
            row=np.tile(place, many),
            fold=np.tile(place % 3, many),
            repeat=np.tile(place // 3 % 2, many),
            attributes={"day": np.tile(place // 40, many), "z": np.tile(place, many)},
        ).write(folder / f"{name}.csv")
    header, *lines = (folder / "t.csv").read_text().splitlines()
    cell = [name.strip('"') for name in header.split(",")].index("p:1")
    for place in (N, N + 1, N + 2):  # of b
        cells = lines[place].split(",")
        lines[place] = ",".join([*cells[:cell], "", *cells[cell + 1 :]])
    (folder / "gaps.csv").write_text("\n".join([header, *lines]))
    rows = [f"{y[i]},{p[i]},{'' if i < 2 else q[i]},{i // 40}\n" for i in range(N)]
    (folder / "wide.csv").write_text(f"label,logreg,boosting,day\n{''.join(rows)}")
    return folder


def asked(words):
    """Return what a command prints."""
    ran = CliRunner().invoke(main, shlex.split(words))
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout


def rows_of(text):
    """Return the numbers of the lines that say which rows are used."""
    found = []
    for used, rows, out in re.findall(r"Rows: ([\d,]+) of ([\d,]+); left out: (.*)$", text, re.M):
        left = {name: int(n) for n, name in re.findall(r"(\d+) by --(\w+)", out)}
        found.append({"rows": int(rows), "used": int(used), "left_out": left})
    return found


def need_law(words, out):
    """Check that both surfaces name the rows left out, and that all of them add up."""
    text, whole = rows_of(asked(words)), json.loads(asked(f"{words} --json")).get("rows")
    if not out:
        assert (text, whole) == ([], None)
        return
    assert text == [{name: whole[name] for name in ("rows", "used", "left_out")}]
    assert whole["left_out"] == out
    assert whole["used"] + sum(out.values()) == whole["rows"]


@law(("command", "options"), ASKED, number=8)
def test_rows_used_and_rows_left_out_are_those_of_the_file(command, options, folder, monkeypatch):
    """Of every command that takes these options."""
    monkeypatch.chdir(folder)
    many = OF_PAIRS if command == "compare" else SELECTIONS
    need_law(f"{command} {options} {FEW.get(command, '')}", many[options])


@pytest.mark.parametrize(
    ("options", "out"),
    [
        ("--preset roc --where 'z >= 100'", {"where": 2 * 100}),
        ("--preset roc --where 'z >= 100' --models a", {"models": N, "where": 100}),
        ("--preset roc --multiclass micro --where 'z >= 100' --folds 0", {"where": 2 * 34}),
        ("--where 'z >= param(\"c\", 0)' --param c=10 --between 0.1:0.9 --models b", {"where": 10}),
        ("--preset accuracy --difference --where 'z >= 100'", {"where": 200}),
    ],
)
def test_a_filter_says_how_many_rows_it_leaves_out(options, out, folder, monkeypatch):
    """Of a curve, of rows between thresholds and of a difference."""
    monkeypatch.chdir(folder)
    before = {"models": N} if "--models" in options else {}
    before |= {"folds": 160} if "--folds" in options else {}
    need_law(f"curve t.csv {options}", before | out)


def test_a_card_keeps_its_filter(folder, monkeypatch):
    """A card that filters says the same as the options it was made with."""
    monkeypatch.chdir(folder)
    asked("curve t.csv --preset roc --where 'z >= 100' --out card.json")
    need_law("curve t.csv --card card.json", {"where": 200})


def test_each_of_several_files_has_its_own_rows(folder, monkeypatch):
    """New rows of a recalibration, labelled or not, and files of a comparison."""
    monkeypatch.chdir(folder)
    fit = "recalibrate t.csv --models a --folds 0 --method platt --resubstitution --apply three.csv"
    rows = json.loads(asked(f"{fit} --json"))["rows"]
    assert [(one["used"], one["rows"]) for one in rows] == [(N // 3, 2 * N), (N, 3 * N)]
    assert [(one["used"], one["rows"]) for one in rows_of(asked(fit))] == [(40, 240), (120, 360)]
    both = asked("compare t.csv three.csv --models 't.csv: b,c' --metrics log-loss")
    assert [(one["used"], one["rows"]) for one in rows_of(both)] == [(120, 240), (120, 360)]


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize(
    ("option", "change"),
    [
        ("", lambda lines: lines),
        ("--missing drop", lambda lines: [*lines, lines[-1].replace("0.6,0.4", ",")]),
        ("--scale 100", lambda lines: [re.sub(r"0\.(\d)", r"\g<1>0", line) for line in lines]),
        ("--names p:0,p:1,actual,id", lambda lines: lines[1:]),
        ("--normalize", lambda lines: [line.replace("0.6,0.4", "1.2,0.8") for line in lines]),
    ],
)
def test_new_rows_are_read_by_the_options_of_the_command(option, change, labelled, tmp_path):
    """A file in percent, without a header or with empty cells becomes what the plain one does."""
    rng = np.random.default_rng(2)
    p = rng.uniform(0.1, 0.9, 60).round(3)
    fit = tmp_path / "fit.csv"
    pb.Predictions.from_arrays((rng.random(60) < p).astype(int), p).write(fit)
    saved = tmp_path / "map.json"
    asked(f"recalibrate {fit} --method platt --save-map {saved}")
    lines = [f"{q},{round(1 - q, 1)},{int(q < 0.5)},{q}x" for q in (0.2, 0.9, 0.6)]
    table = change(["p:0,p:1,actual,id", *lines])
    if not labelled:
        table = [re.sub(r",(actual|[01])(,[^,]*)$", r"\2", line) for line in table]
        option = option.replace(",actual", "")
    (tmp_path / "new.csv").write_text("\n".join(table))
    out = tmp_path / "out.csv"
    asked(f"recalibrate --map {saved} --apply {tmp_path / 'new.csv'} {option} --out {out}")
    (tmp_path / "plain.csv").write_text(
        "\n".join(["p:0,p:1,id", *[re.sub(r",[01](,[^,]*)$", r"\1", line) for line in lines]])
    )
    plain = tmp_path / "plain_out.csv"
    asked(f"recalibrate --map {saved} --apply {tmp_path / 'plain.csv'} --out {plain}")
    got, wanted = (
        [re.findall(r"0\.\d{6}", line) for line in path.read_text().splitlines()[1:]]
        for path in (out, plain)
    )
    assert got == wanted
