import json
import re
from importlib import import_module

import numpy as np
import pytest
from click.testing import CliRunner, Result

import plumbline as pb
from plumbline.cli import main

planning = import_module("plumbline.power.plan")
SMALL = ("--datasets", "50", "--resamples", "39", "--statistic", "brier-score", "--workers", "1")


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    """Work in a folder of one's own that holds a table of two models, and on small data sets."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(planning, "WORK", 2**16)
    monkeypatch.setattr(planning, "FEWEST_SETS", 20)
    p_true = np.random.default_rng(1).uniform(size=80)
    bold = p_true**2 / (p_true**2 + (1 - p_true) ** 2)
    pb.Predictions.from_arrays(
        np.tile(np.where(p_true > 0.5, "rain", "dry"), 2),
        np.concatenate([p_true, bold]),
        classes=["dry", "rain"],
        model=np.repeat(["careful", "bold"], 80),
    ).write("predictions.csv")


def invoke(*words: str) -> Result:
    """Run a command line in this process; an unexpected exception comes through."""
    return CliRunner().invoke(main, ["plan", *words], catch_exceptions=False)


class TestOutput:
    """What the command prints and writes."""

    def test_json_has_the_promised_keys_of_every_model(self):
        """And they are the numbers of `plumbline.plan`."""
        result = invoke("predictions.csv", "--effect", "overconfident:2", *SMALL, "--json")
        whole = json.loads(result.stdout)
        assert whole["command"] == "plan"
        assert [one["model"] for one in whole["results"]] == ["careful", "bold"]
        data = pb.read("predictions.csv").select(model="bold")
        expected = pb.plan(
            data, "overconfident:2", datasets=50, resamples=39, statistic="brier-score"
        )
        assert whole["results"][1] == {"model": "bold", **expected.to_dict()}
        for one in whole["results"]:
            assert {"n_needed", "power_at_n", "detectable", "test", "curve"} <= set(one)
            assert one["n"] == 80
            assert one["test"] == "brier-score"
            assert one["n_needed"] > 2
            assert one["detectable"] > 1

    def test_the_text_is_a_sentence_and_a_table(self):
        """n, the effect, the power, the rows needed, the smallest effect, and the curve."""
        words = ("predictions.csv", "--models", "careful", "--effect", "overconfident:2", *SMALL)
        text = " ".join(invoke(*words, "--verbose").stdout.split())
        numbers = re.findall(r"[\d.]*\d", text.partition("Power ")[2])
        names = ("power", "error", "temperature", "n", "level", "wanted", "needed")
        of = dict(zip(names, numbers, strict=False))
        assert (of["n"], of["temperature"]) == ("80", "2")
        (one,) = json.loads(invoke(*words, "--json").stdout)["results"]
        assert of["power"] == f"{one['power_at_n']:.2f}"
        assert float(of["needed"]) == one["n_needed"]
        assert re.search(rf"{of['needed']} 0\.8\d\d 0\.\d\d\d -", text)

    @pytest.mark.parametrize(("name", "starts"), [("p.svg", b"<?xml"), ("p.pdf", b"%PDF")])
    def test_the_picture(self, tmp_path, name, starts):
        """Of one model, in the format of its name."""
        words = ("--classes", "2", "--dirichlet", "0.7", "--effect", "overconfident:2", *SMALL)
        result = invoke(*words, "--out", name)
        assert result.exit_code == 0, result.stderr
        assert f"Picture: {name}" in result.stdout
        assert (tmp_path / name).read_bytes().startswith(starts)


class TestRefusals:
    """Bad input is one line on standard error and exit status 2."""

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (["--effect", "overconfidant:1.2"], "Did you mean 'overconfident'"),
            (["--effect", "shift:5"], "--effect shift needs a difference"),
            (["--effect", "shift:0.1:snow"], "there is no class 'snow'"),
            (["--effect", "ece:0.49"], "is at most"),
            (["--power", "80"], "--power must be a fraction"),
            (["--power", "0.01"], "--power must be above the level"),
            (["--level", "5"], "--level must be a fraction"),
            (["--statistic", "logloss"], "Did you mean 'log-loss'"),
            (["--classes", "3"], "--classes and --dirichlet replace a table"),
            (["--n", "1"], "--n must be a whole number of at least 2"),
            (["--datasets", "5"], "--datasets must be a whole number of at least 30"),
            (["--resamples", "5"], "--resamples must be a whole number of at least 39"),
            (["--out", "plan.csv"], "must end in"),
        ],
    )
    def test_one_line_and_status_2(self, words, says):
        """The line names the option, its rule and what arrived."""
        self.check(invoke("predictions.csv", "--models", "bold", *words), says)

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            ([], "needs --classes (their number) and --dirichlet"),
            (["--classes", "3", "--dirichlet", "a"], "--dirichlet must be numbers"),
            (["--classes", "3", "--dirichlet", "1,2"], "one for each of the 3 classes"),
            (["--classes", "2", "--models", "bold"], "--models describes how to read FILE"),
            (["no.csv"], "no.csv"),
        ],
    )
    def test_without_a_file(self, words, says):
        """What stands for the predictions must be told."""
        self.check(invoke(*words), says)

    def test_a_picture_of_two_models(self):
        """One picture shows one plan, which is said before any is made."""
        result = invoke("predictions.csv", "--out", "p.svg")
        assert (result.exit_code, result.stdout) == (2, "")
        lines = result.stderr.splitlines()
        assert [line.split()[-1] for line in lines[1:]] == ["careful", "bold"]

    @staticmethod
    def check(result, says):
        """One line that says it."""
        assert result.exit_code == 2
        assert result.stdout == ""
        assert says in result.stderr
        assert len(result.stderr.splitlines()) == 1
