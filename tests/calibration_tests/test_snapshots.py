"""What results of tests, comparisons and recalibration say, word by word."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import plumbline as pb
import snapshots

TEXTS = Path(__file__).with_name("snapshots")
FEW = {"resamples": 99, "rng": 0}


def table(n=300, *, power=1.0, **fields):
    """Return two classes whose log-odds are `power` times too large."""
    rng = np.random.default_rng(20)
    p = rng.beta(1.2, 1.5, n)
    y = np.where(rng.uniform(size=n) < p, "rain", "dry")
    attributes = {"site": rng.choice(["coast", "hill"], n), "age": rng.integers(18, 80, n)}
    shown = 1 / (1 + (1 / p - 1) ** power)
    return pb.Predictions.from_arrays(y, shown, positive="rain", attributes=attributes, **fields)


def multiclass(n=240):
    """Return three classes whose third is predicted too often."""
    rng = np.random.default_rng(7)
    prob = rng.dirichlet([1, 1.5, 2], n)
    true = prob * [1, 1, 0.6]
    drawn = (true.cumsum(axis=1) < rng.uniform(size=(n, 1)) * true.sum(axis=1)[:, None]).sum(axis=1)
    return pb.Predictions.from_arrays(drawn, prob, classes=range(3))


def hospitals(spread=0.0):
    """Return six hospitals whose log-odds are shifted by as much, and one without events."""
    rng = np.random.default_rng(11)
    place, p = np.arange(700) % 7, rng.beta(2, 3, 700)
    shift = spread * np.array([-1, 1, 0.5, -0.5, 1.5, -1.5, 0.0])[place]
    died = (rng.uniform(size=700) < 1 / (1 + (1 / p - 1) * np.exp(-shift))) & (place < 6)
    names = np.array([f"H{number}" for number in range(7)])[place]
    return pb.Predictions.from_arrays(died, p, attributes={"hospital": names})


def pair(n=300):
    """Return a calibrated model and one that is too sure, of the same rows."""
    return {"careful": table(n), "bold": table(n, power=2.0)}


def ece(data, **arguments):
    """Test the usual binned error."""
    return pb.calibration_test(data, statistic="ece", null="resample", **FEW | arguments)


ALIKE = pb.Predictions.from_arrays(np.repeat([0, 1], [180, 20]), np.tile([0.8, 0.2], (200, 1)))
IMPOSSIBLE = pb.Predictions.from_arrays(
    np.r_[np.arange(60) % 2, 1, 1], np.r_[np.full(60, 0.5), 0.0, 0.0]
)
WEIGHT = np.random.default_rng(3).uniform(size=300)

RESULTS = {
    "calibration_test": {
        "omnibus, calibrated": lambda: pb.calibration_test(table(), **FEW),
        "omnibus, overconfident": lambda: pb.calibration_test(table(power=2.0), **FEW),
        "omnibus, one class": lambda: pb.calibration_test(multiclass(), **FEW),
        "omnibus, impossible rows": lambda: pb.calibration_test(IMPOSSIBLE, **FEW),
        "error, exact": lambda: pb.calibration_test(table(power=2.0), statistic="ece"),
        "error, not rejected": lambda: ece(table()),
        "error, rejected": lambda: ece(table(power=2.0)),
        "error, too small": lambda: ece(ALIKE, bins="one-per-point"),
        "error, one-sided": lambda: ece(table(power=2.0), alternative="less"),
        "error, weighted": lambda: ece(table(weight=WEIGHT)),
        "error, few resamples": lambda: ece(table(), resamples=19),
        "error, classwise": lambda: ece(multiclass(), view="classwise"),
        "few expected": lambda: pb.calibration_test(
            table(60), statistic="hosmer-lemeshow", null="asymptotic"
        ),
        "by group": lambda: pb.calibration_test_by(
            table(power=2.0), by="site", statistic="brier-score", **FEW
        ),
        "by class": lambda: pb.calibration_test_by(
            multiclass(), by="class", statistic="brier-score", **FEW
        ),
    },
    "calibration": {
        "error": lambda: pb.calibration_error(table(power=2.0), **FEW),
        "error without draws": lambda: pb.calibration_error(table(), resamples=0),
        "reliability": lambda: pb.reliability_curve(table(60), bins="equal-size:3", **FEW),
        "corp": lambda: pb.corp_curve(table(60), **FEW),
        "within": lambda: pb.calibration_within(table(3000), tolerance=0.1, **FEW),
        "beyond": lambda: pb.calibration_within(table(3000, power=4.0), tolerance=0.05, **FEW),
        "undecided": lambda: pb.calibration_within(table(60), tolerance=0.05, **FEW),
        "sensitivity": lambda: pb.bin_sensitivity(
            table(power=2.0), schemes=["equal-width", "equal-size"], numbers=[5, 10], **FEW
        ),
        "presets": lambda: pb.compare_presets(table()),
        "groups": lambda: pb.calibration_by(table(power=2.0), "site", **FEW),
        "sites that differ": lambda: pb.calibration_heterogeneity(
            hospitals(0.8), "hospital", **FEW
        ),
        "sites alike": lambda: pb.calibration_heterogeneity(hospitals(), "hospital", resamples=0),
        "bias": lambda: pb.conditional_bias(table(power=2.0), "age", cuts="equal-size:2", **FEW),
        "heat map": lambda: pb.class_heat_map(multiclass(), bins="equal-width:3", **FEW),
        "worst slice": lambda: pb.worst_slice(table(power=2.0), depth=1, **FEW),
    },
    "diagnosis": {
        "nothing to say": lambda: pb.diagnose(table(), **FEW),
        "overconfident": lambda: pb.diagnose(table(power=2.0), **FEW),
        "one class": lambda: pb.diagnose(multiclass(), **FEW),
        "impossible rows": lambda: pb.diagnose(IMPOSSIBLE, **FEW),
    },
    "comparison": {
        "better": lambda: pb.compare(pair(), metrics="log-loss", **FEW),
        "not shown": lambda: pb.compare(pair(40), metrics="accuracy", **FEW),
        "equal": lambda: pb.compare(pair(), metrics="accuracy", rope=0.2, **FEW),
        "recalibrated": lambda: pb.compare(
            pair(), metrics="log-loss", after="histogram-equal-width", **FEW
        ),
    },
    "recalibration": {
        "advice": lambda: pb.recalibration_advice(table(power=2.0), rng=0),
        "effect": lambda: pb.recalibration_effect(
            pb.recalibrate(table(power=2.0).select(where=np.arange(150)), "temperature"),
            table(power=2.0).select(where=np.arange(150, 300)),
            **FEW,
        ),
        "map": lambda: pb.recalibrate(table(power=2.0), "temperature"),
    },
    "predictions": {
        "table": lambda: table(weight=WEIGHT, fold=np.arange(300) % 3),
        "labels": lambda: pb.Predictions.from_arrays([0, 1], predicted=[0, 1]),
        "check": lambda: pb.check_input(table(60)),
        "measures": lambda: pb.measure(table(), ["log-loss", "ece", "accuracy"], **FEW),
    },
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_say_what_the_snapshot_holds(name):
    """The text of every result, at one seed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pb.PlumblineWarning)
        words = {
            title: [repr(make()).replace("\n", "\n\n", 1)] for title, make in RESULTS[name].items()
        }
    snapshots.same_words(TEXTS / f"{name}.txt", words)
