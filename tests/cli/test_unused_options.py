"""An option that an answer does not use is refused, or said to have had no effect."""

import itertools
import re
import shlex
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click import Option
from click.testing import CliRunner

import plumbline as pb
from commands import COMMANDS
from html_pages import undrawn
from laws import some
from plumbline.cli import main
from plumbline.cli.prediction_file import TABLE_OPTIONS
from plumbline.comparison import TESTS
from plumbline.frames import read_or_count
from plumbline.requests import REQUESTS
from request_cases import command_lines

# A command that is asked, and options with a value: alone, and each beside each other one.
ASKED = {
    "calibration t.csv": (
        *("--view top-label", "--bins equal-size:7", "--distance log", "--norm max"),
        *("--representative midpoint", "--threshold 0.3", "--interval", "--level 0.8"),
        *("--resamples 57", "--like thesis", "--outcome actual", "--axis log-odds", "--out a.svg"),
        *("--by day", "--between"),
    ),
    "test t.csv": (
        *("--statistic ece", "--statistic log-loss", "--statistic spiegelhalter"),
        *("--statistic hosmer-lemeshow", "--view top-label", "--bins equal-size:7"),
        *("--distance square", "--tolerance 0.1", "--adjust none", "--resamples 57", "--by site"),
        *("--null asymptotic", "--alternative less", "--like thesis", "--outcome actual"),
    ),
    "scores t.csv": (
        *("--metrics log-loss", "--metrics ece", "--metrics roc-auc", "--metrics f1"),
        *("--interval", "--level 0.8", "--view top-label", "--bins equal-size:7", "--by site"),
        *("--distance square", "--norm max", "--threshold 0.3", "--resamples 57"),
        *("--representative midpoint", "--outcome actual", "--like thesis", "--score brier"),
    ),
    "check t.csv --rules gate.toml": (
        *("--level 0.8", "--familywise", "--on-not-enough warn", "--baseline b.csv", "--init"),
        *("--resamples 57", "--annotate github", "--out a.csv"),
    ),
    "compare two.csv": (
        *("--metrics accuracy", "--metrics roc-auc", "--metrics log-loss", "--metrics f1"),
        *("--test bootstrap", "--test delong", "--after temperature", "--over day"),
        *("--groups site", "--rope 0.01", "--payoff TP=5", "--threshold 0.3", "--target 0"),
        *("--test-share 0.3", "--adjust none", "--level 0.8", "--resamples 57", "--out a.csv"),
    ),
    "compare folds.csv": (
        *("--metrics accuracy", "--metrics roc-auc", "--test paired-t", "--test bayesian-t"),
        *("--after temperature", "--rope 0.01", "--target 0", "--test-share 0.3"),
        *("--level 0.8", "--resamples 57"),
    ),
    "confusion one.csv": (
        *("--threshold 0.95", "--target 0", "--rates precision", "--rates mcc", "--beta 2"),
        *("--average macro", "--level 0.8", "--resamples 57"),
        *("--shares actual", "--interval", "--interval wilson", "--out a.csv", "--cases c.csv"),
    ),
    "confusion --counts TP=0,FP=3,FN=0,TN=5": (
        *("--classes a,b", "--rates precision", "--average macro", "--beta 2", "--undefined skip"),
        *("--level 0.8", "--resamples 57", "--shares actual", "--interval", "--matrix '1 2 / 3 4'"),
        *("--rows actual", "--out a.csv"),
    ),
    "curve t.csv --preset accuracy": (
        *("--where 'z > 0'", "--target 0", "--multiclass macro", "--x-title X", "--y-title Y"),
        *("--x TPR", "--y FPR", "--sort-by z", "--merge average", "--average none", "--points 5"),
        *("--thresholds 5", "--span 0.3", "--band bootstrap", "--level 0.8", "--resamples 57"),
        *("--param c=2", "--ascending", "--unsorted", "--optimum max"),
        *("--subject-to 'recall >= 0.5'", "--between 0.3:0.6", "--cases c.csv", "--hull"),
        *("--difference", "--out a.csv", "--out a.svg"),
    ),
    "curve t.csv --card card.json": (
        *("--target 0", "--sort-by z", "--band bootstrap", "--optimum max", "--points 5"),
    ),
    "curve folds.csv --preset roc --models m": (
        *("--average vertical", "--average threshold", "--average smooth", "--average none"),
        *("--points 5", "--thresholds 5", "--span 0.3", "--band bootstrap", "--band folds"),
        *("--level 0.8", "--resamples 57", "--optimum max", "--hull", "--out a.svg"),
    ),
    "plan t.csv --datasets 30 --resamples 19 --statistic ece --effect overconfident:3 --n 40": (
        *("--power 0.7", "--level 0.1", "--classes 3", "--dirichlet 1", "--out a.svg"),
    ),
    "plan --classes 2 --statistic log-loss --effect overconfident:3 --resamples 19": (
        *("--power 0.7", "--level 0.1", "--dirichlet 1", "--n 50", "--datasets 31"),
    ),
    "power --experiments 1 --datasets 3 --points 30": (
        *("--views cf", "--bins equal-size:5", "--distances log", "--resamples 19", "--level 0.1"),
        *("--like thesis", "--statistic ece", "--statistic log-loss", "--covertype t.csv"),
        *("--out a.csv", "--group-size 3", "--dependence 0.3"),
    ),
    "recalibrate t.csv": (
        *("--method platt", "--method isotonic", "--method none", "--option max_iterations=3"),
        *("--on score", "--resubstitution", "--level 0.8", "--resamples 39", "--apply u.csv"),
        *("--out a.csv", "--save-map m.json", "--save-map m.sql", "--dialect duckdb"),
        *("--picture a.svg", "--map map.json"),
    ),
    "report t.csv --resamples 9 --recalibrate none --out a.md": (
        *("--summary", "--full", "--title T", "--attributes site", "--view top-label"),
        *("--bins equal-size:5", "--distance square", "--rules gate.toml"),
        *("--sites site",),
    ),
    "state compare t.csv u.csv": (
        *("--by day", "--reference 1", "--reference w.csv", "--level 0.2", "--from-start"),
        *("--out a.svg",),
    ),
    "estimate f.csv --target y --model sklearn.naive_bayes:GaussianNB": (
        *("--param var_smoothing=0.1", "--grid grid.toml", "--groups site", "--time day"),
        *("--drop b", "--keep b", "--preprocess scale", "--scheme stratified:3"),
        *("--scheme holdout:0.3", "--scheme time-series:3", "--scheme nested:2x2"),
        *("--metrics accuracy", "--positive no", "--resubstitution", "--out a.csv"),
    ),
    "sql --table s --actual y --prob p=yes --positive yes": (
        *("--dialect duckdb", "--by site", "--levels 100", "--single", "--rename x=model"),
        *("--out a.sql",),
    ),
}
ASKED |= command_lines("t.csv", {question.split()[0] for question in ASKED})
# Options that are used and change nothing in these answers: the usual value of another option, a
# threshold below all scores of the top label, a scaling that this model does not feel.
USUAL = {
    ("calibration t.csv", "--like thesis", "--view top-label"),
    ("scores t.csv", "--threshold 0.3", "--view top-label"),
    ("compare two.csv", "--test bootstrap", "--metrics f1"),
    # Few groups: all flips are gone through, as the method of the answer says.
    ("compare two.csv", "--resamples 57", "--groups site"),
    ("curve folds.csv --preset roc --models m", "--average vertical", "--band folds"),
    # A shared level asks for more draws than either number, so the same rule stays undecided.
    ("check t.csv --rules gate.toml", "--resamples 57", "--familywise"),
    (
        "estimate f.csv --target y --model sklearn.naive_bayes:GaussianNB",
        "--preprocess scale",
        "--metrics accuracy",
    ),
}
# Functions that draw, here fewer than 999 times: which options change an answer does not depend on
# it. A comparison draws as its metric needs.
DRAWING = (
    "plumbline.metrics.measure:measure",
    "plumbline.calibration_tests.calibration_test:calibration_test",
    "plumbline.group_calibration.calibration_by:calibration_by",
    "plumbline.group_calibration.calibration_by:calibration_test_by",
    "plumbline.group_calibration.calibration_heterogeneity:calibration_heterogeneity",
    "plumbline.calibration_errors.calibration_error:calibration_error",
    "plumbline.gate.check:check",
)
OF_THREE = [name for name in ASKED if name.split()[0] in ("calibration", "test", "scores", "curve")]
# What no answer may depend on, what prints more of it, and what this file asks in another way:
# reading a table, the page of a report (its usual name), the length of a report's tests.
APART = {"seed", "workers", "verbose", "json", "list"}
ELSEWHERE = {
    "report": {"out", "resamples", "recalibrate"},
    "plan": {"effect", "classes", "statistic", "n", "datasets", "resamples"},
    "power": {"experiments", "datasets", "points"},
    "sql": {"table", "actual", "prob", "positive"},
    "estimate": {"target", "model", "separator", "decimal"},
    "confusion": {"counts"},
    "recalibrate": {"report"},
    "curve": {"preset", "card", "descending"},
    "check": {"rules"},
}
# They start a server, write the example, or take no two options that could be about one answer.
WITHOUT = {"serve", "demo", "read", "state update", "state merge", "state from-sql", "state show"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write tables of one model, of two, of folds and of features."""
    rng, n, folder = np.random.default_rng(1), 120, tmp_path_factory.mktemp("tables")
    p = rng.uniform(size=n)
    y = (rng.random(n) < p).astype(int)
    q = np.clip(p + 0.2 * rng.normal(size=n), 0.01, 0.99)
    more = {"site": np.where(np.arange(n) % 2, "a", "b"), "day": np.arange(n) // 40}
    more["z"] = rng.normal(size=n).round(3)
    model, both = np.repeat(["m", "o"], n), np.concatenate([p, q])
    twice = {name: np.tile(values, 2) for name, values in more.items()}
    of_two = {"model": model, "row": np.tile(np.arange(n), 2)}
    tables = {
        "t": pb.Predictions.from_arrays(y, p, attributes=more),
        "b": pb.Predictions.from_arrays(y, q),
        "u": pb.Predictions.from_arrays(y[::-1], q[::-1], attributes=more),
        "w": pb.Predictions.from_arrays(y[:60], q[:60]),
        "one": pb.Predictions.from_arrays(y, 0.9 * p),
        "two": pb.Predictions.from_arrays(np.tile(y, 2), both, **of_two, attributes=twice),
        "folds": pb.Predictions.from_arrays(
            np.tile(y, 2), both, **of_two, fold=np.tile(np.arange(n) % 5, 2)
        ),
    }
    for name, table in tables.items():
        table.write(folder / f"{name}.csv")
    rows = [f"{'yes' if y[i] else 'no'},{p[i]:.3f},{q[i]:.3f},{i % 6},{i}\n" for i in range(n)]
    (folder / "f.csv").write_text(f"y,a,b,site,day\n{''.join(rows)}")
    (folder / "grid.toml").write_text("[params]\nvar_smoothing = [1e-9, 0.01]\n")
    rules = (
        'metric = "log-loss"\nnot_worse_by = 0.001\nbaseline = "t.csv"',
        'metric = "smooth-ece"\nat_most = 0.5',
        'metric = "recall"\nat_least = 0.5\nwhere = "z > 99"',
    )
    (folder / "gate.toml").write_text("".join(f"[[rule]]\n{rule}\n" for rule in rules))
    pb.recalibrate(tables["t"], method="platt").save(folder / "map.json")
    card = f"curve {folder / 't.csv'} --preset accuracy --out {folder / 'card.json'}"
    assert CliRunner().invoke(main, shlex.split(card)).exit_code == 0
    return folder


@pytest.fixture(scope="module")
def tables():
    """Return what reads a table, each once for the same options."""
    known = {}

    def read(path, *, progress, **how):
        key = str(path), str(sorted(how.items(), key=str))
        if key not in known:
            known[key] = read_or_count(path, progress=progress, **how)
        return known[key]

    return read


@pytest.fixture
def answer(folder, tables, monkeypatch):
    """Return what a command says and writes, each asked once."""
    monkeypatch.chdir(folder)
    for path in DRAWING:
        module, _, function = path.partition(":")
        usual = getattr(import_module(module), function).__kwdefaults__
        monkeypatch.setitem(usual, "resamples", 39)
    monkeypatch.setattr("plumbline.frames.read_or_count", tables)
    known = {}

    def ask(question, *options):
        key = (question, *sorted(options))
        if key not in known:
            there = {*folder.iterdir()}
            words = shlex.split(" ".join(key))
            brief = [] if words[0] == "sql" else ["--json"]
            with undrawn() if words[0] == "report" else nullcontext():
                ran = CliRunner().invoke(main, [*words, *brief])
            assert ran.exit_code in (0, 1, 2, 3)  # 1 and 3: verdicts of a gate
            written = sorted({*folder.iterdir()} - there)
            files = [(path.name, _content(path)) for path in written if path.is_file()]
            for path in written:
                path.unlink() if path.is_file() else None
            known[key] = ran.exit_code, ran.stdout, files, "no effect" in ran.stderr
        return known[key]

    return ask


def _content(path: Path) -> bytes:
    """Return a file without the command that it names, and the hour of a picture."""
    lines = path.read_bytes().split(b"\n")
    kept = [line for line in lines if b"plumbline " not in line and b"<dc:date>" not in line]
    return re.sub(rb"(id=|#)\"?\w+", b"", b"\n".join(kept))


@pytest.mark.laws
@pytest.mark.parametrize("question", ASKED)
def test_every_option_changes_the_answer_or_is_refused(question, answer):
    """Alone and beside each other one, of which `make test` tries some."""
    silent, refusals, options = set(), 0, ASKED[question]
    alone = [(one, "") for one in options]
    pairs = some(itertools.permutations(options, 2), len(options) // 3)
    for one, other in (*alone, *pairs):
        if one.split()[0] == other.partition(" ")[0]:
            continue
        with_other = (other,) if other else ()
        without, together = answer(question, *with_other), answer(question, *with_other, one)
        refusals += together[0] == 2
        if 2 not in (without[0], together[0]) and not together[3] and together[:3] == without[:3]:
            silent.add((question, one, other))
    assert silent - USUAL == set()
    assert refusals or len(ASKED[question]) <= 6


@pytest.mark.laws
@pytest.mark.parametrize("question", OF_THREE)
def test_every_third_option_changes_the_answer_or_is_refused(question, answer):
    """Random triples, each option left out in turn; what two of them already do is known above."""
    rng, silent, options = Random(question), set(), ASKED[question]
    known = {(one, other) for asked, one, other in USUAL if asked == question}
    for _ in some(range(400), 6):
        three = rng.sample(options, 3)
        whole = answer(question, *three)
        if len({option.split()[0] for option in three}) < 3 or whole[0] or whole[3]:
            continue
        for one in three:
            rest = [option for option in three if option != one]
            without = answer(question, *rest)
            usual = any((one, other) in known for other in rest)
            if without[0] == 0 and without[1:3] == whole[1:3] and not usual:
                silent.add((one, *sorted(rest)))
    assert silent == set()


def test_every_option_of_every_command_is_asked():
    """So that a new one cannot be forgotten."""
    asked = {name: {*names} for name, names in ELSEWHERE.items()}
    for question, options in ASKED.items():
        first, second, *_ = question.split()
        own = asked.setdefault(f"state {second}" if first == "state" else first, set())
        own |= {option.split()[0].removeprefix("--") for option in options}
    for name, command in COMMANDS.items():
        names = {max(one.opts, key=len)[2:] for one in command.params if isinstance(one, Option)}
        others = names - APART - {*TABLE_OPTIONS}
        assert name in WITHOUT or others <= asked[name], name


@pytest.mark.parametrize(
    ("question", "option"),
    [
        ("compare two.csv --metrics accuracy --resamples 57", "--resamples"),
        ("compare two.csv --metrics roc-auc --resamples 57", "--resamples"),
        ("compare two.csv --over day --resamples 57", "--resamples"),
        ("compare folds.csv --resamples 57", "--resamples"),
        ("compare two.csv --test-share 0.3", "--test-share"),
        ("test t.csv --statistic hosmer-lemeshow --resamples 57", "--resamples"),
        ("test t.csv --by site --statistic hosmer-lemeshow --resamples 57", "--resamples"),
        ("report t.csv --resamples 9 --recalibrate none --attributes site", "--attributes"),
    ],
)
def test_what_the_rows_make_useless_is_warned_of(question, option, folder, monkeypatch):
    """The answer stands, and one line names the option."""
    monkeypatch.chdir(folder)
    with undrawn():
        ran = CliRunner().invoke(main, question.split())
    assert ran.exit_code == 0
    assert [line.split()[2] for line in ran.stderr.splitlines() if "no effect" in line] == [option]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("option", "tests"),
    [
        ("--resamples 99", {"permutation", "bootstrap"}),
        ("--test-share 0.3", {"corrected-t", "bayesian-t"}),
    ],
)
def test_options_of_a_comparison_go_with_the_tests_that_use_them(test, option, tests, folder):
    """All others are refused, before the file is read."""
    words = ["compare", str(folder / "t.csv"), "--test", test, *option.split()]
    ran = CliRunner().invoke(main, words)
    assert ran.exit_code == 2
    assert (option.split()[0] in ran.stderr) == (test not in tests)


def test_parameters_without_effect_are_those_of_their_requests():
    """Each row names options that its command has."""
    for row in REQUESTS.values():
        for name, (other, _) in row.unused.items():
            assert {name, other} <= {*row.offered("command")}
