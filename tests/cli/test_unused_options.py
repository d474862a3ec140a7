"""An option that an answer does not use is refused, or said to have had no effect."""

import itertools

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli.program import main
from plumbline.comparison.advice import TESTS
from plumbline.requests import REQUESTS

# An option with a value, beside one or no other option of the list.
OPTIONS = {
    "calibration": (
        *("--view top-label", "--bins equal-size:7", "--distance log", "--norm max"),
        *("--representative midpoint", "--threshold 0.3", "--interval", "--level 0.8"),
        *("--resamples 57", "--like thesis"),
    ),
    "test": (
        *("--statistic ece", "--statistic log-loss", "--statistic spiegelhalter"),
        *("--statistic hosmer-lemeshow", "--view top-label", "--bins equal-size:7"),
        *("--distance square", "--tolerance 0.1", "--adjust none", "--resamples 57"),
        *("--null asymptotic", "--alternative less"),
    ),
    "scores": (
        *("--metrics log-loss", "--metrics ece", "--metrics roc-auc", "--metrics f1"),
        *("--interval", "--level 0.8", "--view top-label", "--bins equal-size:7"),
        *("--distance square", "--norm max", "--threshold 0.3", "--resamples 57"),
    ),
}
# Options that are used and change nothing on these rows: the usual value of another option, and a
# threshold below all scores of the top label.
USUAL = {
    ("calibration", "--view top-label", "--like thesis"),
    ("scores", "--view top-label", "--threshold 0.3"),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Write a table of one model."""
    rng = np.random.default_rng(1)
    p = rng.uniform(size=120)
    path = tmp_path_factory.mktemp("table") / "t.csv"
    pb.Predictions.from_arrays((rng.random(120) < p).astype(int), p).write(path)
    return path


@pytest.fixture(scope="module")
def answer(table):
    """Return what a command says, asked once: status, JSON and the codes of warnings."""
    known = {}

    def ask(command, *words):
        key = (command, *words)
        if key not in known:
            ran = CliRunner().invoke(
                main, [command, str(table), *" ".join(words).split(), "--json"]
            )
            known[key] = (ran.exit_code, ran.stdout, "no effect" in ran.stderr)
        return known[key]

    return ask


@pytest.mark.parametrize("command", OPTIONS)
def test_every_option_changes_the_answer_or_is_refused(command, answer):
    """Alone and beside each other one."""
    silent = []
    for one, other in itertools.permutations(("", *OPTIONS[command]), 2):
        if not one or one.split()[0] == other.partition(" ")[0]:
            continue
        without, together = answer(command, other), answer(command, other, one)
        if without[0] == 0 and together[0] == 0 and together[1] == without[1] and not together[2]:
            silent.append((command, other, one))
    assert {*silent} <= USUAL


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("option", "tests"),
    [
        ("--resamples 99", {"permutation", "bootstrap"}),
        ("--test-share 0.3", {"corrected-t", "bayesian-t"}),
    ],
)
def test_options_of_a_comparison_go_with_the_tests_that_use_them(test, option, tests, table):
    """All others are refused, before the file is read."""
    ran = CliRunner().invoke(main, ["compare", str(table), "--test", test, *option.split()])
    assert ran.exit_code == 2
    assert (option.split()[0] in ran.stderr) == (test not in tests)


def test_parameters_without_effect_are_those_of_their_requests():
    """Each row names options that its command has."""
    for row in REQUESTS.values():
        for name, (other, _) in row.unused.items():
            assert {name, other} <= {*row.command}
