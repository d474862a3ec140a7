"""What every row of the table of requests is asked in tests, and of which rows.

The one place where a new analysis says how tests ask for it: all surfaces, exported files, spoilt
questions of a browser, options of a command and its kept answer are made of its case.
"""

from dataclasses import replace
from importlib import import_module

import numpy as np

import plumbline as pb
from plumbline.requests import REQUESTS

FEW = {"resamples": 39}
# Request -> the values asked for, and what the browser calls the question.
CASES = {
    "calibration": ({"bins": "equal-size:4", **FEW}, "reliability"),
    "test": ({"statistic": "ece", "bins": "equal-size:4", **FEW}, "test"),
    "within": ({"tolerance": 0.1, "resamples": 99}, None),
    "by": ({"by": "site", **FEW}, None),
    "diagnosis": ({"resamples": 99}, "diagnosis"),
    "sensitivity": ({"distance": "square", **FEW}, "sensitivity"),
    "groups": ({"by": "site", **FEW}, "groups"),
    "heterogeneity": ({"by": "place", "between": True, **FEW}, "heterogeneity"),
    "slices": ({"depth": 1, **FEW}, "groups"),
    "doctor": ({}, "doctor"),
    "monitor": ({"by": "site", "reference": 1, **FEW}, "monitor"),
    "class-counts": ({"by": "site"}, "class-counts"),
    "plan": (
        {"n": 300, "effect": "overconfident:3", "statistic": "spiegelhalter", "datasets": 30},
        "plan",
    ),
    "scores": ({"metrics": ["ece", "log-loss"], **FEW}, None),
    "model-scores": ({}, None),
    "compare": ({"metrics": "log-loss", "adjust": "none", **FEW}, "compare"),
    "confusion": ({"threshold": 0.4, "interval": "wilson"}, "confusion"),
    "optimum": ({"y": "CA", "resamples": 30}, None),
}


def typed(values):
    """Return values as they are typed: an option with its value each.

    >>> typed({"metrics": ["ece", "log-loss"], "between": True})
    ['--metrics ece,log-loss', '--between']
    """
    options = []
    for name, value in values.items():
        text = ",".join(value) if isinstance(value, list) else str(value)
        options.append(f"--{name.replace('_', '-')}" + ("" if value is True else f" {text}"))
    return options


# Question of a browser -> the values that it is asked for, those of its first case.
QUESTIONS = {kind: values for values, kind in reversed(CASES.values()) if kind}


def command_lines(file, apart):
    """Return what is typed for the commands that are a row, but for some: line -> options."""
    return {
        f"{name} {file}": tuple(typed(values))
        for name, (values, _) in CASES.items()
        if REQUESTS[name].has_command and name not in apart
    }


def two_models(seed=3):
    """Return a table of two models, one of them noisy, with attributes of two and three values.

    Each place has rows of both classes, also among the rows of small probability alone.
    """
    rng = np.random.default_rng(seed)
    p = rng.uniform(size=200)
    noisy = np.clip(p + rng.normal(0, 0.2, 200), 0.01, 0.99)
    actual = np.where(rng.uniform(size=200) < p, "yes", "no")
    place = np.empty(200, "U1")
    for label in ("yes", "no"):
        rows = np.flatnonzero(actual == label)
        order = rows[np.argsort(np.maximum(p, noisy)[rows])]
        place[order] = np.resize(["x", "y", "z"], len(rows))
    site = rng.choice(["a", "b"], 200)
    return pb.Predictions.from_arrays(
        np.tile(actual, 2),
        np.concatenate([noisy, p]),
        model=["new"] * 200 + ["old"] * 200,
        row=np.tile(np.arange(200), 2),
        attributes={"site": np.tile(site, 2), "place": np.tile(place, 2)},
    )


def paired_tables():
    """Yield tables of two models: of 200 rows, of few positives, with ties and with weights."""
    for seed in range(2):
        whole = two_models(seed)
        yield whole
        rare = whole.prob[:, 1] < 0.35
        yield whole.select(where=np.flatnonzero(rare & np.tile(rare[:200] & rare[200:], 2)))
        yield replace(whole, prob=np.round(whole.prob * 5) / 5)
        rng = np.random.default_rng(seed)
        yield replace(whole, weight=np.tile(rng.integers(1, 4, 200).astype(float), 2))


def alone(name, data):
    """Return the rows that a request is asked about: one model, unless it compares models."""
    return data if name == "compare" else data.select(model="new")


def of_the_library(name, data, values):
    """Call the public function, as a user of the library does."""
    module, _, function = REQUESTS[name].function.partition(":")
    taken = REQUESTS[name].signature.parameters
    given = {key: value for key, value in values.items() if key in taken}
    if given.get("adjust") == "none":
        given["adjust"] = None
    return getattr(import_module(module), function)(data, **given)
