"""Whatever a browser sends is answered or refused in words: thousands of questions drawn at random.

`make test` asks 600 of them; `make test-laws` asks 10,000, or as many as QUESTIONS says. A
question depends on its number alone, so that a failure can be asked again by its number.
"""

import copy
import json
import os
import resource
import time
import warnings
from collections import Counter

import numpy as np
import pytest

import plumbline as pb
from laws import ALL
from plumbline.errors import PlumblineError
from plumbline.requests import REQUESTS
from plumbline.workbench import TableQuestions, encode
from plumbline.workbench.questions.table_questions import KINDS
from request_cases import QUESTIONS as CASES

QUESTIONS = int(os.environ.get("QUESTIONS", 10_000 if ALL else 400))
SEED = 19
SECONDS = 60.0  # of processor time for one question: a bound, not a measure
MEMORY = 1.5e9  # bytes that all of them may add

ROWS = 40


def deep(depth, kind):
    """Return lists, or objects, within each other."""
    value = 1
    for _ in range(depth):
        value = [value] if kind is list else {"a": value}
    return value


NUMBERS = [0, -1, 1, 2, 3, 0.5, 1.5, -0.0, 1e-320, 1e308, -1e308, 2**31, 2**63, 10**30, -(10**30)]
NUMBERS += [float("nan"), float("inf"), float("-inf"), True, False]
TEXTS = [
    *(
        "",
        " ",
        "nan",
        "inf",
        "-inf",
        "none",
        "auto",
        "0",
        "\0",
        "\n",
        "\u202e",
        "é",
        "图",
        "\ud800",
    ),
    *("x" * 20_000, "(" * 3000, "not " * 3000, "1+" * 3000 + "1", "a" * 500 + "(1)", "`" * 99),
    *(
        "../../etc/passwd",
        "'; DROP TABLE t; --",
        "<script>alert(1)</script>",
        "%s%n{0}{x.__class__}",
    ),
    *(
        "__import__('os').system('true')",
        "().__class__",
        "10**10**10",
        "9**9**9**9",
        "1/0",
        "comb(1e9, 5)",
    ),
    *(
        "TPR",
        "recall - FPR",
        "probability > 0.5",
        "amount",
        "amount > 2 and site == 'b'",
        "cumm(amount)",
    ),
    *(
        "param('a', 1) * TPR",
        "rank(probability)",
        "quantile(amount, 0.5)",
        "mean(cumm(1))",
        "`no column`",
    ),
    *(
        "day > '2024-01-03'",
        "where(TP > 3, 1, None)",
        "x" * 9_000,
        "TP / 0",
        "site",
        "flag",
        "odd, name",
    ),
    *(
        "equal-width:15",
        "equal-width:999999999",
        "equal-size:-3",
        "equal-width:3,min=1e9",
        "edges:0,0.5,1",
    ),
    *("edges:1,0", "edges:nan", "one-per-point", "isotonic", "monotone-sweep", "beta-width:3,0,0"),
    *(
        "tail-size:5",
        "log-odds-width:3",
        "freedman-diaconis",
        "sturges",
        "scott",
        "beta-size:5,2,2",
    ),
    *(
        "top-label",
        "classwise",
        "joint",
        "one-vs-rest",
        "one-vs-rest:b",
        "top-k:2",
        "top-k:999",
        "top-k:x",
    ),
    *("all-classes", "absolute", "square", "log", "hellinger", "overestimation", "chi-square"),
    *("omnibus", "ece", "log-loss", "skce", "cox", "hosmer-lemeshow", "kuiper", "spiegelhalter"),
    *("overconfident:1.2", "overconfident:1e9", "shift:nan", "random-labels:2", "ece:0.9", "ece:"),
    *("temperature", "isotonic-regression", "platt", "beta", "holm", "benjamini-hochberg", "micro"),
    *("folds", "bootstrap", "vertical", "threshold", "smooth", "macro", "per-class", "unsorted"),
    *(
        "roc",
        "precision-recall",
        "lift",
        "cost",
        "calibration",
        "max",
        "min",
        "exact",
        "asymptotic",
    ),
    *("brier-score", "accuracy", "roc-auc", "m1", "m2", "b", "a", "c", "wilson", "dirichlet"),
]
OTHERS = [
    None,
    [],
    {},
    [None],
    [[]],
    {"": None},
    ["m1"],
    ["m1", "m2"],
    ["m1", "m1"],
    ["no"],
    [1, 2],
]
OTHERS += [deep(200, list), deep(200, dict), ["x"] * 10_001, {"a": 1.0}, {"a": float("nan")}]
HOSTILE = [*NUMBERS, *TEXTS, *OTHERS]

DATA = [
    {},
    {"models": ["m1"]},
    {"where": "amount > 2"},
    {"where": "amount > 99"},
    {"folds": ["1", "2"], "weighted": False},
    {"target": "a"},
]
CURVES = [
    {"preset": "roc"},
    {"preset": "precision-recall", "average": "vertical", "points": 20},
    {"x": "FPR", "y": "TPR - FPR", "sort_by": "amount", "direction": "ascending"},
    {"preset": "roc", "band": "bootstrap", "resamples": 20},
    {"preset": "roc", "band": "folds"},
    {"preset": "roc", "multiclass": "macro"},
    {"preset": "lift", "merge": "average"},
    {"preset": "error-by-attribute", "x": "amount"},
    {"preset": "class-counts", "x": "day"},
    {"preset": "cost"},
    {"x": "threshold", "y": "param('k', 2) * TP", "params": {"k": 3}},
    {"x": "amount", "y": "mean(label)", "average": "smooth", "span": 0.5, "points": 20},
]
TEST = {"view": "top-label", "bins": "equal-width:5", "distance": "absolute", "resamples": 39}

# Of every kind one question as the front end asks it; `by` chance its fields are spoilt. Where
# nothing stands here it is asked as on the other surfaces.
SOUND = CASES | {
    "about": {},
    "rows": {},
    "requests": {},
    "vocabulary": {},
    "formats": {},
    "fingerprint": {},
    "lint": {"part": "y", "text": "TPR", "curve": {"preset": "roc"}},
    "curve": {"width": 100, "hull": True},
    "reading": {"threshold": 0.5},
    "optimum": {"goal": "max", "y": "TPR - FPR", "subject_to": "TPR > 0.1", "model": "m1"},
    "iso-cost": {"fp": 1, "fn": 2},
    "cases": {"low": 0.2, "high": 0.8, "model": "m1", "most": 10},
    "difference": {"models": ["m1", "m2"], "width": 100},
    "subgroups": {"by": "site", "most": 3, "width": 100},
    "reliability": {**TEST, "model": "m1"},
    "test": {**TEST, "statistic": "ece", "null": "auto", "model": "m1"},
    "diagnosis": {"view": "top-label", "resamples": 39, "model": "m1"},
    "groups": {"by": "site", "groups": "", "resamples": 39, "statistic": "ece", "depth": 1},
    "monitor": {"by": "site", "reference": 1, "level": 0.1, "resamples": 39, "model": "m1"},
    "sensitivity": {"view": "top-label", "distance": "absolute", "resamples": 39},
    "heterogeneity": {"by": "site", "view": "top-label", "resamples": 39, "model": "m1"},
    "plan": {
        "effect": "overconfident:3",
        "power": 0.5,
        "level": 0.2,
        "n": 30,
        "statistic": "ece",
        "datasets": 50,
    },
    "class-counts": {"by": "site", "model": "m1"},
    "init": {},
    "check": {
        "rules": '[[rule]]\nmetric = "accuracy"\nat_least = 0.5\nclass = "a"\nlevel = 0.8\n',
        "level": 0.9,
        "familywise": True,
    },
    "recalibration": {"method": "temperature", "lines": "auto", "resamples": 39, "sure": False},
    "scores": {"bins": "equal-width:5", "view": "top-label", "resamples": 39, "level": 0.9},
    "compare": {
        "metric": "brier-score",
        "models": ["m1", "m2"],
        "resamples": 50,
        "level": 0.9,
        "adjust": "holm",
    },
    "comparable": {"over": "site"},
    "confusion": {"threshold": 0.5, "target": "b", "shares": "actual", "resamples": 50},
    "cell": {"model": "m1", "actual": "a", "predicted": "b", "threshold": 0.5, "most": 5},
}
# Fields that not every question of its kind can have.
NOW_AND_THEN = {
    "compare": {
        "test": "bootstrap",
        "over": "site",
        "groups": "site",
        "after": "temperature",
        "rope": 0.1,
        "test_share": 0.2,
        "target": "b",
    },
    "confusion": {"models": ["m2"], "interval": "bootstrap", "level": 0.9},
    "reliability": {"others": True},
    "curve": {"thumb": True},
}
OF_CURVES = ("curve", "reading", "optimum", "iso-cost", "cases", "difference", "subgroups", "lint")
SELDOM = {"plan": 0.15, "recalibration": 0.5, "export": 0.5, "compare": 0.7}  # seconds, not moments


def tables():
    """Return small tables: two classes, three, scores, labels, one class, two rows."""
    rng = np.random.default_rng(SEED)
    n = 2 * ROWS
    attributes = {
        "amount": np.tile(rng.integers(0, 6, ROWS).astype(float), 2),
        "site": np.tile(rng.choice(["a", "b", "c'd`e"], ROWS), 2),
        "flag": np.tile(rng.uniform(size=ROWS) < 0.5, 2),
        "day": np.tile(np.datetime64("2024-01-01") + rng.integers(0, 9, ROWS), 2),
        "odd, name": np.tile(np.where(rng.uniform(size=ROWS) < 0.3, np.nan, 1.0), 2),
    }
    parts = {
        "model": np.repeat(["m1", "m2"], ROWS),
        "fold": np.tile(np.arange(ROWS) % 4 + 1, 2),
        "row": np.tile(np.arange(ROWS), 2),
        "attributes": attributes,
    }
    of = pb.Predictions.from_arrays
    prob = np.round(rng.uniform(size=n), 2)
    actual = np.tile(np.where(rng.uniform(size=ROWS) < prob[:ROWS], "b", "a"), 2)
    three = rng.dirichlet([1, 1, 1], n)
    third = np.tile(np.array(["a", "b", "c"])[rng.integers(0, 3, ROWS)], 2)
    weight = rng.uniform(0, 3, n)
    return {
        "two classes": of(actual, prob, classes=["a", "b"], weight=weight, **parts),
        "three classes": of(third, three, classes=["a", "b", "c"], **parts),
        "scores": of(actual, score=prob * 9 - 4, classes=["a", "b"], **parts),
        "labels": of(third, predicted=third[::-1], classes=["a", "b", "c"], **parts),
        "one class": of(["b"] * 6, [0.0, 1.0, 0.5, 0.5, 1.0, 0.0], classes=["a", "b"]),
        "two rows": of(["a", "b"], [0.3, 0.3], classes=["a", "b"]),
    }


def drawn_question(number):
    """Return the question of a number, and the sort of table that it is about."""
    rng = np.random.default_rng([SEED, number])
    kind = str(rng.choice(list(KINDS)))
    while rng.uniform() > SELDOM.get(kind, 1.0):
        kind = str(rng.choice(list(KINDS)))
    names = ("two classes", "three classes", "scores", "labels", "one class", "two rows")
    sort = str(rng.choice(names, p=[0.4, 0.25, 0.1, 0.1, 0.1, 0.05]))
    return spoilt(rng, question_of(rng, kind)), sort


def question_of(rng, kind):
    """Return a sound question, in which some of the fields are there."""
    if kind == "export":
        what = question_of(rng, pick(rng, [*SOUND]))
        if rng.uniform() < 0.1:
            cards = [{"question": what, "title": "one", "note": ""}, {"note": "two"}]
            what = {"kind": "board", "pins": cards, "seconds": 1}
        forms = ["csv", "json", "py", "csv", "json", "py", "html", "svg"]
        return {"kind": "export", "what": what, "format": pick(rng, forms), "title": "a title"}
    fields = {name: value for name, value in SOUND[kind].items() if rng.uniform() < 0.9}
    more = NOW_AND_THEN.get(kind, {}).items()
    fields |= {name: value for name, value in more if rng.uniform() < 0.15}
    question = {"kind": kind, "data": pick(rng, DATA), **fields}
    if kind in OF_CURVES and rng.uniform() < 0.9:
        question["curve"] = pick(rng, CURVES)
    if "resamples" in SOUND[kind]:
        question.setdefault("resamples", SOUND[kind]["resamples"])
    if kind == "plan":
        question |= SOUND["plan"]  # the usual plan takes a minute
    return copy.deepcopy(question)


def spoilt(rng, question):
    """Return a question with some of its fields, at any depth, replaced, added or left out."""
    for _ in range(rng.choice(4, p=[0.3, 0.4, 0.2, 0.1])):
        place = question
        inner = [value for value in place.values() if isinstance(value, dict) and value]
        while inner and rng.uniform() < 0.5:
            place = pick(rng, inner)
            inner = [value for value in place.values() if isinstance(value, dict) and value]
        known = [*place] or ["x"]
        name = pick(rng, [*known, *known, *every_field(), "no_such_field", ""])
        how = rng.uniform()
        if how < 0.15:
            place.pop(name, None)
        elif name != "kind" or rng.uniform() < 0.1:
            place[name] = copy.deepcopy(pick(rng, HOSTILE))
    return question


def every_field():
    """Return the names of all fields that any question has."""
    fields = {name for row in REQUESTS.values() for name in row.offered("served")}
    return sorted(fields.union(*SOUND.values(), *NOW_AND_THEN.values(), *CURVES, *DATA))


def pick(rng, values):
    """Return one of some values."""
    return values[rng.integers(len(values))]


def asked(table, question):
    """Return what became of a question: "answer", or the name of the refusal's class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            encode(TableQuestions(table, name="table.csv").answer(question))
        except PlumblineError as error:
            return type(error).__name__ if str(error).strip() else "no words"
    return "answer"


@pytest.mark.laws
def test_every_question_is_answered_or_refused_in_words():
    """No question, however spoilt, ends in another error, or takes for ever."""
    known, became, faults = tables(), Counter(), []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    first = int(os.environ.get("FIRST_QUESTION", "0"))
    for number in range(first, first + QUESTIONS):
        question, sort = drawn_question(number)
        began = time.process_time()
        try:
            result = asked(known[sort], question)
        except Exception as error:  # noqa: BLE001
            why = f"{type(error).__name__}: {error}"[:200]
            faults.append((number, sort, why, short(question)))
            continue
        took = time.process_time() - began
        if took > SECONDS:
            faults.append((number, sort, f"{took:.0f} seconds", short(question)))
        became[result] += 1
        became[question["kind"] if result == "answer" else "refused"] += 1
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert not faults, "\n".join(map(str, faults[:40]))
    assert grown < MEMORY
    assert not became["no words"]
    assert became["answer"] > QUESTIONS / 5
    assert became["refused"] > QUESTIONS / 5


def short(question):
    """Return a question as text, with an end."""
    try:
        return json.dumps(question)[:400]
    except RecursionError:
        return repr(list(question))


def test_all_kinds_are_drawn():
    """A new kind has to have a sound question here, and one in every few thousand is of it."""
    assert set(SOUND) | {"export"} == set(KINDS)
    rng = np.random.default_rng(SEED)
    drawn = [drawn_question(number)[0].get("kind") for number in rng.integers(0, 10_000, 1500)]
    assert {kind for kind in drawn if isinstance(kind, str)} >= set(KINDS)


@pytest.mark.parametrize("question", [None, [], "kind", 3, {"kind": None}, {"kind": ["curve"]}, {}])
def test_what_is_no_question_is_refused(question):
    """Not even an object, or one without a kind."""
    with pytest.raises(PlumblineError):
        TableQuestions(tables()["two rows"]).answer(question)
