"""No option of `curve` is dropped in silence: alone or beside another it has an effect."""

import itertools
import json
from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from laws import some
from plumbline.cli import main
from plumbline.requests import CURVE, OPTIMUM

# Words of every option of `curve` that says what is drawn or read off; several where values differ.
OPTIONS = {
    "where": ("--where", "age > 30"),
    "target": ("--target", "no"),
    "per-class": ("--multiclass", "per-class"),
    "macro": ("--multiclass", "macro"),
    "x_title": ("--x-title", "one"),
    "y_title": ("--y-title", "two"),
    "sort_by": ("--sort-by", "age"),
    "merge average": ("--merge", "average"),
    "merge none": ("--merge", "none"),
    "vertical": ("--average", "vertical"),
    "threshold": ("--average", "threshold"),
    "smooth": ("--average", "smooth"),
    "points": ("--points", "7"),
    "thresholds": ("--thresholds", "7"),
    "span": ("--span", "0.9"),
    "bootstrap": ("--band", "bootstrap"),
    "band folds": ("--band", "folds"),
    "level": ("--level", "0.8"),
    "resamples": ("--resamples", "40"),
    "params": ("--param", "z=3"),
    "ascending": ("--ascending",),
    "unsorted": ("--unsorted",),
    "goal": ("--optimum", "max"),
    "subject_to": ("--subject-to", "recall > 0.3"),
    "between": ("--between", "0.4:0.6"),
    "cases": ("--cases", "cases.csv"),
    "difference": ("--difference",),
    "hull": ("--hull",),
    "models": ("--models", "a"),
}
# Curves to which they are added.
CURVES = {
    "roc": ("--preset", "roc"),
    "accuracy": ("--preset", "accuracy"),
    "sum": ("--x", "threshold", "--y", 'cumm(param("z", 1) if eP else -1)'),
    "smooth": ("--preset", "calibration"),
    "categories": ("--preset", "error-by-attribute", "--x", "site"),
    "rows alone": (),
}
# What asks for the same as another option, or as the curve does by itself.
SAME = {
    "band folds": {"vertical", "threshold"},  # whose mean has that spread
    "vertical": {"band folds"},  # which averages so
    "merge none": {"smooth"},  # which merges no rows unless told to
}
OF_CURVE = {  # settings of the curve, of which the option asks for no other
    "smooth": {"smooth", "merge none"},
    "categories": {"smooth", "merge none", "merge average"},
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Return a function from words to the answer, JSON and text; None where they are refused."""
    folder = tmp_path_factory.mktemp("options")
    rng = np.random.default_rng(3)
    n = 120
    prob = rng.uniform(size=2 * n).round(2)
    share = np.repeat([0.9, 0.6], n) * prob + np.repeat([0.05, 0.2], n)
    pb.Predictions.from_arrays(
        np.where(rng.uniform(size=2 * n) < share, "yes", "no"),
        prob,
        classes=["no", "yes"],
        model=np.repeat(["a", "b"], n),
        fold=np.tile(np.arange(n) % 3, 2),
        row=np.tile(np.arange(n), 2),
        attributes={
            "age": np.tile(rng.integers(20, 60, n), 2),
            "site": np.tile(rng.choice(["A", "B", "C"], n), 2),
        },
    ).write(folder / "table.csv")
    run = CliRunner()

    @cache
    def answer(words):
        placed = [str(folder / word) if word.endswith(".csv") else word for word in words]
        line = ["curve", str(folder / "table.csv"), *placed]
        result = run.invoke(main, [*line, "--json"], catch_exceptions=False)
        if result.exit_code:
            assert result.exit_code == 2, (words, result.output)
            assert result.stderr.startswith("plumbline: error: "), words
            return None
        whole = json.loads(result.stdout)
        return whole["results"], whole.get("cases"), whole["files"]

    @cache
    def text(words):
        placed = [str(folder / word) if word.endswith(".csv") else word for word in words]
        line = ["curve", str(folder / "table.csv"), *placed, "--verbose"]
        return run.invoke(main, line, catch_exceptions=False).stdout

    return answer, text


def test_every_option_is_tried():
    """The table of options above has every parameter of the requests, but the formulas and seed."""
    offered = {*CURVE.offered("command"), *OPTIMUM.offered("command")} - {"preset", "x", "y", "rng"}
    tried = {word for words in OPTIONS.values() for word in words[:1]}
    names = {"goal": "optimum"}
    assert {f"--{names.get(name, name).replace('_', '-')}" for name in offered} <= tried


@pytest.mark.laws
@pytest.mark.parametrize("curve", CURVES)
def test_each_option_beside_each_other_has_an_effect_or_is_refused(ask, curve):
    """Left out of the two, the answer is another one: its numbers, or what is printed."""
    answer, text = ask
    silent = []
    pairs = some(itertools.combinations((None, *OPTIONS), 2), 9)
    for one, other in pairs:
        words = (*CURVES[curve], *OPTIONS.get(one, ()), *OPTIONS[other])
        whole = answer(words)
        if whole is None:
            continue
        for dropped, kept in ((one, other), (other, one)):
            if dropped is None or dropped in OF_CURVE.get(curve, ()):
                continue
            option = OPTIONS[dropped][0]
            if kept in SAME.get(dropped, ()) or option == OPTIONS.get(kept, ("",))[0]:
                continue
            rest = (*CURVES[curve], *OPTIONS.get(kept, ()))
            if answer(rest) == whole and text(rest) == text(words):
                silent.append((dropped, kept))
    assert silent == []


@pytest.mark.parametrize("added", [("--ascending",), ("--merge", "none"), ("--average", "smooth")])
def test_an_optimum_is_of_the_curve_that_is_drawn(ask, added):
    """Sums over rows from the lowest value up are refused, with the sort key that gives them."""
    answer, _ = ask
    sums = ("--x", "threshold", "--y", "cumm(-1 if eP else 1)", "--models", "a")
    assert answer((*sums, *added, "--optimum", "max")) is None
    assert answer(("--preset", "accuracy", "--ascending", "--optimum", "max")) is not None
    (drawn,), *_ = answer((*sums, "--ascending"))
    (turned,), *_ = answer((*sums, "--sort-by", "-probability", "--optimum", "max"))
    assert turned["optimum"]["value"] == max(point["y"] for point in drawn["points"])


def test_the_refusal_names_the_options_that_work():
    """What stands in place of --ascending is the sort key that was tried above."""
    line = ["curve", "-", "--x", "threshold", "--y", "cumm(1)", "--ascending", "--optimum", "max"]
    table = "actual,p:no,p:yes\n" + "yes,0.2,0.8\nno,0.7,0.3\nno,0.6,0.4\nyes,0.9,0.1\n" * 9
    error = CliRunner().invoke(main, line, input=table).stderr
    assert "--sort-by -probability" in error
    assert "--ascending" in error
