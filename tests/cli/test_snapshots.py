"""What every command prints, word by word: the one place where tests look at its prose.

What it refuses is in the snapshot `refusals.txt`, made by test_cli.py of its bad command lines.
"""

import re
import shlex
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
import snapshots
from commands import NAMES
from html_pages import undrawn
from plumbline.cli import main
from request_cases import command_lines

SNAPSHOTS = Path(__file__).with_name("snapshots")
LINES = {
    "calibration": [
        "calibration two.csv",
        "calibration two.csv --models bold --bins equal-size:5 --interval --resamples 99",
        "calibration three.csv --view classwise",
    ],
    "check": [
        "check two.csv --models careful --init --out rules.toml",
        "check two.csv --models careful --level 0.9",
        "check two.csv --models careful --level 0.9 --verbose --annotate github",
    ],
    "compare": ["compare two.csv", "compare two.csv --metrics log-loss,accuracy"],
    "confusion": ["confusion two.csv --threshold 0.4", "confusion three.csv"],
    "curve": [
        "curve two.csv --preset roc",
        "curve two.csv --models bold --preset accuracy --optimum max",
        "curve two.csv --preset roc --difference",
    ],
    "estimate": [
        "estimate features.csv --target rain --model sklearn.naive_bayes:GaussianNB "
        "--scheme stratified:5",
    ],
    "plan": ["plan --n 300 --effect overconfident:2 --classes 2 --statistic spiegelhalter"],
    "power": ["power --experiments 1 --datasets 20 --statistic ece --resamples 99"],
    "read": ["read two.csv", "read three.csv --to own.csv"],
    "recalibrate": [
        "recalibrate two.csv --models bold --resamples 99",
        "recalibrate two.csv --models bold --method temperature",
    ],
    "report": ["report two.csv --out page.html --resamples 99"],
    "scores": ["scores two.csv", "scores three.csv --metrics ece,brier-score --resamples 99"],
    "state": [
        "state update one.state two.csv",
        "state update one.state two.csv --again",
        "state merge sum.state one.state",
        "state show sum.state",
        "state compare two.csv sum.state --models careful --verbose",
        "state compare two.csv sum.state",
    ],
    "test": [
        "test two.csv",
        "test two.csv --models bold",
        "test two.csv --models bold --by site --adjust holm",
        "test two.csv --tolerance 0.05",
        "test three.csv --statistic ece",
    ],
}
LINES |= {
    line.split()[0]: [f"{line} {' '.join(options)}"]
    for line, options in command_lines("two.csv", LINES).items()
}
ELSEWHERE = {
    "demo": "tests/cli/test_demo.py",
    "serve": "tests/cli/test_serve.py",
    "sql": "tests/cli/test_sql.py",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table of two classes and two models, and one of three classes."""
    folder = tmp_path_factory.mktemp("snapshots")
    rng = np.random.default_rng(20)
    p = rng.beta(1.2, 1.5, 300)
    bold = 1 / (1 + (1 / p - 1) ** 2)
    pb.Predictions.from_arrays(
        np.tile(np.where(rng.uniform(size=300) < p, "rain", "dry"), 2),
        np.concatenate([p, bold]),
        positive="rain",
        model=["careful"] * 300 + ["bold"] * 300,
        row=np.tile(np.arange(300), 2),
        attributes={
            "site": np.tile(rng.choice(["coast", "hill"], 300), 2),
            "age": np.tile(rng.integers(18, 80, 300), 2),
        },
    ).write(folder / "two.csv")
    probs = rng.dirichlet([1, 1.5, 2], 240)
    drawn = (probs.cumsum(axis=1) < rng.uniform(size=(240, 1))).sum(axis=1)
    pb.Predictions.from_arrays(
        np.array(["dry", "rain", "snow"])[np.minimum(drawn, 2)],
        probs,
        classes=["dry", "rain", "snow"],
        fold=np.arange(240) % 4,
    ).write(folder / "three.csv")
    wind, heat = rng.normal(size=(2, 120))
    rain = wind - heat + rng.normal(size=120) > 0
    rows = (f"{a:.3f},{b:.3f},{int(c)}" for a, b, c in zip(wind, heat, rain, strict=True))
    (folder / "features.csv").write_text("\n".join(["wind,heat,rain", *rows, ""]), "utf-8")
    return folder


def test_every_command_has_its_lines():
    """A new command takes a snapshot, or a test of its own."""
    assert {*LINES, *ELSEWHERE} == NAMES


@pytest.mark.parametrize("command", sorted(LINES))
def test_a_command_prints_what_its_snapshot_holds(command, folder, monkeypatch):
    """The words and numbers of every answer, on both tables, at one seed."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    shown = []
    for line in LINES[command]:
        with undrawn() if command == "report" else nullcontext():
            result = CliRunner().invoke(main, shlex.split(line))
        output = re.sub(r"[ \t]+$", "", result.stdout + result.stderr, flags=re.MULTILINE)
        shown.append(f"$ plumbline {line}\n{output.rstrip()}\n")
        assert result.exit_code == 0, output
    snapshots.same_as(SNAPSHOTS / f"{command}.txt", "\n".join(shown))
