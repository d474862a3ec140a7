"""The numbers on the screen are those of the command line, question by question."""

import json
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from plumbline.cli import main

EXACT = 1e-12  # of a number's size: the same arithmetic, in another order at most
PROFIT = "cumm(5 if eP else -4)"
CARS = "age > 40 and purpose == 'car'"
CAREFUL = ("--models", "careful")
ALONE = {"models": ["careful"]}


def first(*path):
    """Return where in the first result of `--json` a number stands."""
    return inside("results", 0, *path)


def inside(*path):
    """Return where in the object of `--json` a number stands."""

    def look(found):
        for key in path:
            found = found[key]
        return found

    return look


def rate(name):
    """Return where a rate of a confusion matrix stands."""
    return lambda found: next(r["value"] for r in found["results"][0]["rates"] if r["name"] == name)


# (the command, the state of the page, the names of numbers on it and where the answer holds them)
QUESTIONS = {
    "roc": (("curve", *CAREFUL, "--preset", "roc"), {"data": ALONE}, {"AUC": first("area")}),
    "filtered roc": (
        ("curve", *CAREFUL, "--preset", "roc", "--where", CARS),
        {"data": {**ALONE, "where": CARS}},
        {"AUC": first("area")},
    ),
    "the other class": (
        ("curve", *CAREFUL, "--preset", "roc", "--target", "no"),
        {"data": {**ALONE, "target": "no"}},
        {"AUC": first("area")},
    ),
    "precision-recall of three folds": (
        ("curve", *CAREFUL, "--preset", "precision-recall", "--folds", "1,2,3"),
        {"data": {**ALONE, "folds": ["1", "2", "3"]}, "curve": {"preset": "precision-recall"}},
        {"average precision": first("area")},
    ),
    "counts and rates at a threshold": (
        ("confusion", *CAREFUL, "--threshold", "0.3"),
        {"data": ALONE, "threshold": "0.3"},
        {
            **{name: first("tables", "yes", name) for name in ("TP", "FP", "TN", "FN")},
            **{name: rate(name) for name in ("TPR", "PPV", "TNR", "F1", "CA")},
        },
    ),
    "the best threshold": (
        ("curve", *CAREFUL, "--x", "threshold", "--y", PROFIT, "--optimum", "max"),
        {
            "data": ALONE,
            "curve": {"preset": None, "x": "threshold", "y": PROFIT},
            "reading": {"optimum": "max"},
        },
        {
            name: first("optimum", name)
            for name in ("threshold", "value", "gain", "honest_value", "optimism")
        },
    ),
    "cases between two thresholds": (
        ("curve", *CAREFUL, "--preset", "accuracy", "--between", "0.4:0.6"),
        {"data": ALONE, "curve": {"preset": "accuracy"}, "reading": {"between": [0.4, 0.6]}},
        {"cases": inside("cases", "n")},
    ),
    "calibration error": (
        ("calibration", *CAREFUL),
        {"data": ALONE, "room": "calibration"},
        {
            "error": first("value"),
            "null-mean": first("null_mean"),
            "null-low": first("null_range", 0),
            "null-high": first("null_range", 1),
            "p-value": first("p_value"),
            "excess": first("excess"),
        },
    ),
    "calibration error in other bins": (
        ("calibration", *CAREFUL, "--bins", "equal-size:7", "--distance", "square"),
        {
            "data": ALONE,
            "room": "calibration",
            "calibration": {"scheme": "equal-size", "bins": 7, "distance": "square"},
        },
        {"error": first("value"), "p-value": first("p_value")},
    ),
    "calibration test": (
        ("test", *CAREFUL),
        {"data": ALONE, "room": "calibration"},
        {"test-p": first("p_value")},
    ),
    "scores": (
        ("scores", *CAREFUL),
        {"data": ALONE, "room": "models"},
        {
            "log-loss": first("log_loss"),
            "brier-score": first("brier_score"),
            "accuracy": first("accuracy"),
        },
    ),
    "comparison": (
        ("compare", "--models", "careful,hasty"),
        {"data": {"models": ["careful", "hasty"]}, "room": "models"},
        {"difference": first("difference"), "p_value": first("p_value")},
    ),
    "confusion matrix": (
        ("confusion", *CAREFUL, "--threshold", "0.3"),
        {"data": ALONE, "room": "matrix", "threshold": "0.3"},
        {
            "cell": first("matrix", 0, 0),
            "PPV": rate("PPV"),
            "kappa": first("overall", "kappa"),
            "MCC": first("overall", "MCC"),
        },
    ),
}


def answered(path, command):
    """Return the object that the command line prints."""
    name, *options = command
    run = CliRunner().invoke(main, [name, str(path), *options, "--json"], catch_exceptions=False)
    assert run.exit_code == 0, run.output
    return json.loads(run.stdout)


def shown(page, name):
    """Return the first number that the page shows under a name."""
    number = page.locator(f'data[data-name="{name}"]').first
    number.wait_for(state="attached")
    return float(number.get_attribute("value"))


def test_there_are_enough_questions():
    """Twenty numbers at the least are compared."""
    assert sum(len(numbers) for _, _, numbers in QUESTIONS.values()) >= 20


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_screen_shows_what_the_command_line_says(page, loans_address, tables, question):
    """The same rows, the same settings, the same number to the last digits."""
    command, state, numbers = QUESTIONS[question]
    found = answered(tables / "loans.csv", command)
    fields = {k: v if isinstance(v, str) else json.dumps(v) for k, v in state.items()}
    page.goto(f"{loans_address}#{urlencode(fields)}")
    for name, look in numbers.items():
        assert shown(page, name) == pytest.approx(look(found), rel=EXACT), name
