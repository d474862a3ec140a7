"""What errors, curves and tests of errors say and hold, of tables of each kind."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import plumbline as pb
from snapshots import same_words

FEW = {"resamples": 99, "rng": 0}
N = 240
MOST_ROWS = 2  # of every kind of rows: the first ones


def _scores(power):
    rng = np.random.default_rng(12)
    prob = rng.beta(1.2, 1.5, N)
    actual = (rng.random(N) < prob).astype(int)
    return actual, (1 / (1 + (1 / prob - 1) ** power)).round(3)


def two(power=2.0, **columns):
    """Two classes whose log-odds are `power` times too large; some scores are equal."""
    return pb.Predictions.from_arrays(*_scores(power), positive=1, **columns)


def three():
    """Three classes, of which the third is predicted too often."""
    rng = np.random.default_rng(7)
    prob = rng.dirichlet([1, 1.5, 2], N)
    true = prob * [1, 1, 0.4]
    chosen = (true.cumsum(axis=1) < rng.random((N, 1)) * true.sum(axis=1)[:, None]).sum(axis=1)
    return pb.Predictions.from_arrays(np.array(list("abc"))[chosen], prob, classes=list("abc"))


def counted():
    """The rows of `two`, of which some stand for several."""
    return two(count=1 + np.arange(N) % 3)


WEIGHT = np.random.default_rng(3).choice([0.0, 0.5, 1.0, 2.0], N)
SURE = pb.Predictions.from_arrays([0, 1] * 20, [0.0, 1.0] * 20)
WRONG = pb.Predictions.from_arrays([0, 1, 1] * 20, [0.0, 1.0, 0.0] * 20)
TABLES = {
    "too sure": two,
    "calibrated": lambda: two(1.0),
    "weights": lambda: two(weight=WEIGHT),
    "counts": counted,
    "groups": lambda: two(groups=np.arange(N) % 30),
    "few groups": lambda: two(groups=np.arange(N) % 12),
    "three classes": three,
    "sure and right": lambda: SURE,
    "sure and wrong": lambda: WRONG,
}
ERRORS = {
    "interval": {"interval": True},
    "no draws": {"resamples": 0},
    "too few draws": {"resamples": 9},
    "threshold": {"threshold": 0.5},
    "midpoints": {"representative": "midpoint"},
    "largest": {"norm": "max"},
    "root mean square": {"norm": 2, "bins": "equal-size:4"},
    "as torchmetrics": {"like": "torchmetrics"},
    "every value": {"bins": "one-per-value"},
    "classwise": {"view": "classwise"},
    "top label": {"view": "top-label", "bins": 5},
    "log": {"distance": "log"},
}


def _held(rows):
    """The first rows, numbers with four digits."""
    for row in islice(rows, MOST_ROWS):
        yield "  ".join(f"{name} {_short(value)}" for name, value in row.items())


def _short(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _said(result, *tables):
    """What a result prints and means, and the first rows of what it holds."""
    presented = result.present()
    codes = [f"\ncode: {note.code}" for note in presented.notes]
    step = presented.next_step
    meaning = [*presented.legend, *([] if step is None else [f"next: {step.text}"])]
    meaning[:1] = [f"\n{first}" for first in meaning[:1]]
    held = [line for name in tables for line in _held(getattr(result, name) or ())]
    return [repr(result).replace("\n", "\n\n", 1), *codes, *meaning, *held]


def _or_refusal(make, *tables):
    try:
        return _said(make(), *tables)
    except pb.PlumblineError as error:
        return [f"refused: {error}"]


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
@pytest.mark.parametrize("table", TABLES)
def test_results_of_a_table_are_what_the_snapshot_holds(table):
    """Every function of the package, on a table of each kind."""
    data = TABLES[table]()
    bins = {} if table == "too sure" else {"numbers": [1, 4]}
    words = {
        "calibration_error": _or_refusal(
            lambda: pb.calibration_error(data, interval=True, **FEW), "bins"
        ),
        "reliability_curve": _or_refusal(lambda: pb.reliability_curve(data, **FEW), "bins"),
        "corp_curve": _or_refusal(lambda: pb.corp_curve(data, **FEW), "steps", "bands", "counts"),
        "calibration_within": _or_refusal(
            lambda: pb.calibration_within(data, tolerance=0.08, **FEW)
        ),
        "bin_sensitivity": _or_refusal(lambda: pb.bin_sensitivity(data, **FEW | bins), "settings"),
        "compare_presets": _or_refusal(lambda: pb.compare_presets(data)),
    }
    name = f"{table.replace(' ', '_')}.txt"
    same_words(Path(__file__).with_name("snapshots") / name, words)


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
@pytest.mark.parametrize("table", ["too sure", "three classes"])
def test_errors_by_other_conventions_are_what_the_snapshot_holds(table):
    """Every argument of an error, on two classes and on three."""
    data = TABLES[table]()
    words = {
        title: [
            part.partition("\nbin ")[0]
            for part in _or_refusal(lambda own=own: pb.calibration_error(data, **FEW | own))
        ]
        for title, own in ERRORS.items()
    }
    error = pb.calibration_error(data, **FEW)
    words["beside the verdict"] = _said(error.beside({None: pb.calibration_test(data, **FEW)}))
    name = f"conventions_{table.replace(' ', '_')}.txt"
    same_words(Path(__file__).with_name("snapshots") / name, words)
