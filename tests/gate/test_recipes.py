"""The recipes of docs/gate.md do what they say, as far as they can be run here."""

import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

import plumbline as pb
from laws import law

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gate.md").read_text("utf-8")
BREAKS = '[[rule]]\nmetric = "recall"\nat_least = 0.99\n'
KEEPS = '[[rule]]\nmetric = "recall"\nat_least = 0.5\n'
UNDECIDED = '[[rule]]\nmetric = "recall"\nat_least = 0.8\nwhere = "probability > 2"\n'


def recipe(heading, number=0):
    """Return the text of a block of a recipe."""
    part = PAGE.split(f"\n### {heading}\n")[1].split("\n### ")[0].split("\n## ")[0]
    return re.findall(r"^```\w+\n(.*?)^```", part, re.MULTILINE | re.DOTALL)[number]


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """Return a folder with the table, and an environment whose `plumbline` is this one."""
    folder = tmp_path_factory.mktemp("machine")
    rng = np.random.default_rng(2)
    p = rng.uniform(size=300)
    y = np.where(rng.random(300) < p, "yes", "no")
    pb.Predictions.from_arrays(y, p).write(folder / "predictions.csv")
    tools = folder / "bin"
    tools.mkdir()
    for name, line in (
        ("plumbline", f'exec {shlex.quote(sys.executable)} -m plumbline "$@"'),
        ("pip", "exit 0"),
        ("python", "exit 0"),  # -m pip install
    ):
        (tools / name).write_text(f"#!/bin/sh\n{line}\n")
        (tools / name).chmod(stat.S_IRWXU)
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return folder, {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src")}


@pytest.fixture
def run(machine):
    """Return what runs lines of a shell in that folder, with rules."""
    folder, environment = machine

    def shell(lines, rules, **more):
        (folder / "rules.toml").write_text(rules)
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", lines],
            cwd=folder,
            env={**environment, **more},
            capture_output=True,
            text=True,
            check=False,
        )

    return shell


def action_steps():
    """Return the inputs of the action and its step that checks."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    return action["inputs"], next(one for one in action["runs"]["steps"] if one.get("id"))


@law(
    ("rules", "given", "status", "state"),
    [
        (BREAKS, {}, 1, "fail"),
        (UNDECIDED, {"on-not-enough": "warn"}, 0, "not enough rows"),
        ('[[rule]]\nmetric = "recal"', {}, 2, "error"),
    ],
    number=2,
)
def test_the_action_keeps_the_status_through_its_pipe(run, machine, rules, given, status, state):
    """The step ends with the status of the check, and tells state, summary and annotations."""
    folder, _ = machine
    (workflow,) = yaml.safe_load(recipe("GitHub"))
    inputs, step = action_steps()
    assert {*workflow["with"]} <= {*inputs}
    values = {name: one.get("default", "") for name, one in inputs.items()}
    values |= workflow["with"] | given
    named = {
        name: values[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", text)[1]]
        for name, text in step["env"].items()
    }
    files = {name: folder / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    for file in files.values():
        file.write_text("")
    done = run(step["run"], rules, **named, **{name: str(file) for name, file in files.items()})
    assert done.returncode == status, done.stderr
    assert f"state={state}\n" in files["GITHUB_OUTPUT"].read_text()
    assert ("plumbline check" in files["GITHUB_STEP_SUMMARY"].read_text()) == (status != 2)
    assert ("::" in done.stdout) == (status != 2)


def test_the_recipe_without_the_action_ends_with_the_status(run, machine):
    """Its steps run one by one; the summary is written although the check failed."""
    _, check, summary = yaml.safe_load(recipe("GitHub", 1))
    done = run(check["run"], BREAKS)
    assert (done.returncode, "::error file=rules.toml,line=1" in done.stdout) == (1, True)
    file = machine[0] / "summary.md"
    assert summary["if"] == "always()"
    assert run(summary["run"], BREAKS, GITHUB_STEP_SUMMARY=str(file)).returncode == 0
    assert "recall" in file.read_text()


def test_the_job_of_gitlab_runs(run, machine):
    """Its script writes JUnit, and the status that may fail without harm is that of few rows."""
    job = yaml.safe_load(recipe("GitLab"))["model-rules"]
    assert run("\n".join(job["script"]), UNDECIDED).returncode in job["allow_failure"]["exit_codes"]
    assert (machine[0] / job["artifacts"]["reports"]["junit"]).exists()


def test_the_hook_of_pre_commit_is_the_one_of_the_repository(run):
    """Its entry, with the arguments of the recipe, is a command that decides."""
    (repository,) = yaml.safe_load(recipe("pre-commit"))["repos"]
    (wanted,) = repository["hooks"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    hook = next(one for one in hooks if one["id"] == wanted["id"])
    assert hook["pass_filenames"] is False
    words = [*shlex.split(hook["entry"]), *wanted["args"]]
    assert run(shlex.join(words), KEEPS).returncode == 0


def test_make_stops_where_a_rule_is_broken(run, machine):
    """The target fails with the command."""
    (machine[0] / "Makefile").write_text(recipe("Makefile"))
    assert run("make gate", BREAKS).returncode == 2  # of make, whose recipe ended with 1


def test_the_rules_of_the_page_are_read():
    """Every key of the example is one, and none contradicts another."""
    import tomllib

    text = re.search(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[1]
    from plumbline.gate.rules import read_rules

    rules = read_rules(tomllib.loads(text)).rules
    assert [one.metric.name for one in rules] == [
        *("recall", "roc-auc", "ece", "calibration-slope", "log-loss")
    ]
