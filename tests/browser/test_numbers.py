"""The numbers on the screen are those of the command line, question by question."""

import json
import shlex
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from plumbline.cli import main

EXACT = 1e-12  # of a number's size: the same arithmetic, in another order at most
PROFIT = "cumm(5 if eP else -4)"
CARS = "age > 40 and purpose == 'car'"
ROOMS = {"curve": "curves", "scores": "models", "compare": "models", "confusion": "matrix"}
PLANNED = {"open": ["plan"], "planStatistic": "log-loss", "datasets": 50, "power": 0.9}


class Question(NamedTuple):
    """What is asked at both places, and where the answers stand."""

    command: str  # without the file
    numbers: dict[str, Any]  # by their names on the page, how to find them in `--json`
    state: dict[str, Any]  # of the page, by the names of its parts
    table: str
    press: str | None  # the button that starts it


def ask(command, numbers, *, of=None, table="loans", press=None, **state):
    """Return a question, of some models if they are named; the rest is the state of the page."""
    state = {"room": ROOMS.get(command.split()[0], "calibration"), **state}
    if of is not None:
        command += f" --models {of}"
        state["data"] = {**state.get("data", {}), "models": of.split(",")}
    return Question(command, numbers, state, table, press)


def inside(*path):
    """Return how to find a number in the object of `--json`."""

    def look(found):
        for key in path:
            found = found[key]
        return found

    return look


def every(*path):
    """Return how to find a number of every result."""
    return lambda found: [inside(*path)(result) for result in found["results"]]


def listed(among, key, name):
    """Return how to find a number in the lists of every result."""
    return lambda found: [
        line["value"] for result in found["results"] for line in result[among] if line[key] == name
    ]


def sides(side):
    """Return how to find the rows of every class on a side of the two thresholds."""
    return lambda found: list(found["cases"][side].values())


def cells(found):
    """Return the cells of every confusion matrix, line by line."""
    return [cell for result in found["results"] for line in result["matrix"] for cell in line]


def most_confused(found):
    """Return the largest cell off the diagonal of a confusion matrix."""
    matrix = found["results"][0]["matrix"]
    return max(cell for i, row in enumerate(matrix) for j, cell in enumerate(row) if i != j)


def named(*names):
    """Return how to find numbers of every result that are called alike, but for dashes."""
    return {name: every(name.replace("-", "_")) for name in names}


def counted(target):
    """Return how to find the counts of a class."""
    return {name: every("tables", target, name) for name in ("TP", "FP", "TN", "FN")}


def rates(*names):
    """Return how to find rates in the answer of `confusion`."""
    return {name: listed("rates", "name", name) for name in names}


def metrics(*names):
    """Return how to find metrics in the answer of `scores --metrics`."""
    return {name: listed("metrics", "metric", name) for name in names}


AUC = {"AUC": every("area")}
FACTS = ("threshold", "value", "gain", "honest_value", "optimism")
BEST = {name: every("optimum", name) for name in FACTS}
NULL = {"null-low": every("null_range", 0), "null-high": every("null_range", 1)}
ERROR = {"error": every("value")} | NULL | named("null-mean", "p-value", "excess")
TEST = {"test-p": every("p_value")}
BY_NAME = metrics("roc-auc", "ece")
COMPARED = named("difference", "p_value")
MATRIX = {"cell": cells}
BY_CLASS = {f"rows {side}": sides(side) for side in ("inside", "outside")}
QUESTIONS = {
    # Curves, and what is read off them
    "roc": ask("curve --preset roc", AUC, of="careful"),
    "filtered roc": ask(
        f'curve --preset roc --where "{CARS}"', AUC, of="careful", data={"where": CARS}
    ),
    "the other class": ask(
        "curve --preset roc --target no", AUC, of="careful", data={"target": "no"}
    ),
    "precision-recall of three folds": ask(
        "curve --preset precision-recall --folds 1,2,3",
        {"average precision": every("area")},
        of="careful",
        data={"folds": ["1", "2", "3"]},
        curve={"preset": "precision-recall"},
    ),
    "the average of ten folds": ask(
        "curve --preset roc --average vertical", AUC, of="careful", curve={"average": "vertical"}
    ),
    "a curve of every fold": ask(
        "curve --preset roc --average none", AUC, of="careful", curve={"average": "none"}
    ),
    "a curve of every model": ask("curve --preset roc", AUC),
    "a curve of ratings": ask("curve --preset roc", AUC, table="scores_only"),
    "the average of a hundred classes": ask(
        "curve --preset roc --multiclass macro",
        AUC,
        table="hundred_classes",
        curve={"multiclass": "macro"},
    ),
    "the first group": ask(
        "curve --preset roc --where \"purpose == 'car'\"",
        {"area": inside("results", 0, "area")},
        of="careful",
        reading={"subgroups": "purpose"},
    ),
    "counts and rates at a threshold": ask(
        "confusion --threshold 0.3",
        counted("yes") | rates("TPR", "PPV", "TNR", "F1", "CA"),
        of="careful",
        room="curves",
        threshold=0.3,
    ),
    "counts of three models": ask(
        "confusion --threshold 0.7", counted("yes"), room="curves", threshold=0.7
    ),
    "counts of the other class": ask(
        "confusion --threshold 0.3 --target no",
        counted("no"),
        of="careful",
        room="curves",
        data={"target": "no"},
        threshold=0.3,
        reading={"threshold_of": "rating of no"},
    ),
    "counts by weight": ask(
        "confusion --threshold 0.4", counted("1"), table="weighted", room="curves", threshold=0.4
    ),
    "the best threshold": ask(
        f'curve --x threshold --y "{PROFIT}" --optimum max',
        BEST,
        of="careful",
        curve={"preset": None, "x": "threshold", "y": PROFIT},
        reading={"optimum": "max"},
    ),
    "the best of another measure under a constraint": ask(
        "curve --preset roc --y MCC --optimum max --subject-to 'recall >= 0.85'",
        BEST,
        of="careful",
        reading={"optimum": "max", "measure": "MCC", "subject_to": "recall >= 0.85"},
    ),
    "the cheapest of some rows": ask(
        f'curve --preset cost --param fn_cost=2 --where "{CARS}" --optimum min',
        BEST,
        of="careful,hasty",
        data={"where": CARS},
        curve={"preset": "cost", "params": {"fn_cost": 2}},
        reading={"optimum": "min"},
    ),
    "cases between two thresholds": ask(
        "curve --models hasty --preset accuracy --between 0.4:0.6",
        {"cases": inside("cases", "n")} | BY_CLASS,
        data={"models": ["careful", "hasty"]},
        curve={"preset": "accuracy"},
        reading={"between": [0.4, 0.6], "cases_of": "hasty"},
    ),
    # Calibration
    "calibration error": ask("calibration", ERROR, of="careful"),
    "calibration error in other bins": ask(
        "calibration --bins equal-size:7 --distance square",
        ERROR,
        of="careful",
        calibration={"scheme": "equal-size", "bins": 7, "distance": "square"},
    ),
    "calibration error of the second model in two folds": ask(
        "calibration --models boastful --view top-label --folds 2,4 --resamples 199",
        ERROR,
        data={"folds": ["2", "4"]},
        calibration={"model": "boastful", "view": "top-label", "resamples": 199},
    ),
    "calibration error by weight": ask(
        "calibration --bins isotonic", ERROR, table="weighted", calibration={"scheme": "isotonic"}
    ),
    "calibration error of a hundred classes": ask(
        "calibration --view classwise --resamples 199",
        ERROR,
        table="hundred_classes",
        calibration={"view": "classwise", "resamples": 199},
    ),
    "calibration test": ask("test", TEST, of="careful"),
    "a calibration test by name": ask(
        "test --statistic ece --bins equal-width:9,min=20",
        TEST,
        of="careful",
        calibration={"statistic": "ece", "bins": 9, "least": 20},
    ),
    "how many rows it takes": ask(
        "plan --statistic log-loss --datasets 50 --power 0.9",
        named("power-at-n", "n-needed", "detectable"),
        of="careful",
        press="Plan",
        calibration=PLANNED,
    ),
    # Models
    "scores": ask("scores", named("log-loss", "brier-score", "accuracy")),
    "scores by name": ask(
        "scores --metrics roc-auc,ece --folds 1,2", BY_NAME, data={"folds": ["1", "2"]}
    ),
    "scores by weight": ask("scores --metrics roc-auc,ece", BY_NAME, table="weighted"),
    "calibration error among the scores": ask(
        "scores --metrics ece --bins equal-size:10 --view top-label",
        metrics("ece"),
        models={"bins": "equal-size:10", "view": "top-label"},
    ),
    "comparison": ask("compare", COMPARED, of="careful,hasty"),
    "comparison of every pair": ask(
        "compare --metrics log-loss", COMPARED, models={"metric": "log-loss"}
    ),
    "comparison by a test that is named": ask(
        "compare --models hasty,boastful --metrics accuracy --test mcnemar",
        COMPARED,
        models={"pair": ["hasty", "boastful"], "metric": "accuracy", "test": "mcnemar"},
    ),
    "comparison after recalibration": ask(
        "compare --after temperature", COMPARED, of="careful,hasty", models={"after": "temperature"}
    ),
    # Confusion matrices
    "confusion matrices": ask(
        "confusion --threshold 0.6", MATRIX | rates("PPV", "F1", "kappa", "MCC"), threshold=0.6
    ),
    "a confusion matrix by weight": ask(
        "confusion --threshold 0.4",
        MATRIX | rates("PPV", "kappa") | {"effective-n": every("effective_n")},
        table="weighted",
        threshold=0.4,
    ),
    "a confusion matrix of a hundred classes": ask(
        "confusion", {"cell": most_confused} | rates("CA", "kappa", "MCC"), table="hundred_classes"
    ),
    "one class against the rest": ask(
        "confusion --target 'class 9' --threshold 0.1",
        MATRIX | rates("PPV", "TPR"),
        table="hundred_classes",
        data={"target": "class 9"},
        threshold=0.1,
        reading={"threshold_of": "rating of class 9"},
        matrix={"against": True},
    ),
}


def answered(path, command):
    """Return the object that the command line prints."""
    name, *options = shlex.split(command)
    run = CliRunner().invoke(main, [name, str(path), *options, "--json"], catch_exceptions=False)
    assert run.exit_code == 0, run.output
    return json.loads(run.stdout)


def uploaded(page, address, path):
    """Send a file, take the roles that are guessed, open it, and return its id."""
    tables = f"{address}api/tables"
    sent = page.request.post(tables, params={"name": path.name}, data=path.read_bytes())
    table = sent.json()["table"]
    guess = page.request.get(f"{tables}/{table}/columns").json()["guess"]
    assert page.request.post(f"{tables}/{table}/open", data=json.dumps(guess)).ok
    return table


def shown(page, name):
    """Return the numbers that the page shows under a name, from the top."""
    numbers = page.locator(f'data[data-name="{name}"]')
    numbers.first.wait_for(state="attached")
    values = numbers.evaluate_all("all => all.map(one => one.value)")
    return [float(value or "nan") for value in values]


def test_there_are_enough_questions():
    """Twenty questions at the least, each of a number at the least."""
    assert len(QUESTIONS) >= 20
    assert all(question.numbers for question in QUESTIONS.values())


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_screen_shows_what_the_command_line_says(page, loans_address, tables, name):
    """The same rows, the same settings, the same number to the last digits."""
    command, numbers, state, table, press = QUESTIONS[name]
    path = tables / f"{table}.csv"
    found = answered(path, command)
    fields = {"room": "curves"} | {
        k: v if isinstance(v, str) else json.dumps(v) for k, v in state.items()
    }
    if table != "loans":
        fields["table"] = uploaded(page, loans_address, path)
    page.goto(f"{loans_address}#{urlencode(fields)}")
    if press is not None:
        page.get_by_role("button", name=press, exact=True).click()
    for number, look in numbers.items():
        seen, expected = shown(page, number), look(found)
        if not isinstance(expected, list):  # the first that is shown
            seen, expected = seen[:1], [expected]
        assert seen == pytest.approx(expected, rel=EXACT, abs=0), number
