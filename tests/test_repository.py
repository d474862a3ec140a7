"""The front of the repository: workflows, forms, citation, promises, changelog, first commands.

Services read these files, not our code, so a slip in one shows only when it is too late.
"""

import contextlib
import importlib.util
import io
import os
import re
import shutil
import tomllib
from pathlib import Path

import pytest
import yaml

from commands import NAMES
from plumbline.cli import main
from plumbline.formula import parsing
from plumbline.predictions import files, text_files
from plumbline.recalibration.export import json_file
from plumbline.workbench.server import lifetime

ROOT = Path(__file__).resolve().parents[1]
_SPEC = importlib.util.spec_from_file_location("release", ROOT / "scripts" / "release.py")
assert _SPEC is not None
assert _SPEC.loader is not None
release = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(release)


class UniqueKeys(yaml.SafeLoader):
    """Reads YAML as services do, and refuses a key that stands twice."""

    def construct_mapping(self, node, deep=False):
        """Return a mapping whose keys are all different; `on` is no truth value."""
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"twice: {keys}"
        return super().construct_mapping(node, deep)


UniqueKeys.yaml_implicit_resolvers = {
    sign: [one for one in resolvers if one[0] != "tag:yaml.org,2002:bool"]
    for sign, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
} | {sign: [("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"))] for sign in "tf"}


def parsed(name):
    """Return what a YAML file of the repository holds."""
    return yaml.load((ROOT / name).read_text("utf-8"), UniqueKeys)  # a SafeLoader


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*"))
OTHERS = ("CITATION.cff", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml")
OTHERS = (*OTHERS, "action.yml", ".readthedocs.yaml")
YAML = [path.relative_to(ROOT).as_posix() for path in (*WORKFLOWS, *FORMS)] + list(OTHERS)
CI, RELEASE = parsed(".github/workflows/ci.yml"), parsed(".github/workflows/release.yml")
PAGES = [path.name for path in sorted(ROOT.glob("*.md"))]


def recipe(target):
    """Return the lines of a target of the Makefile, without the folder of the environment."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    lines = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[1]
    return [line.strip().replace("$(BIN)/", "") for line in lines.splitlines()]


def steps(workflow):
    """Return the steps of all jobs."""
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


# ------------------------------------------------------------------ workflows


@pytest.mark.parametrize("name", YAML)
def test_every_yaml_file_is_yaml(name):
    """It holds a mapping, no key twice, no tab, and ends where the service expects its name."""
    assert parsed(name)
    assert "\t" not in (ROOT / name).read_text("utf-8")
    assert Path(name).suffix == {"CITATION.cff": ".cff", "action.yml": ".yml"}.get(
        name, ".yaml" if name in OTHERS else ".yml"
    )


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_and_rights_are_least(path):
    """An action is named by its commit, with its version beside it; only one job may publish."""
    text, workflow = path.read_text("utf-8"), parsed(path)
    used = re.findall(r"uses: (\S+)(?: # (\S+))?$", text, re.MULTILINE)
    assert len(used) == text.count("uses:") > 0
    for action, version in used:
        if action.startswith("./"):
            assert (ROOT / action).is_file()
        else:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
            assert re.fullmatch(r"v\d+\.\d+\.\d+", version), action
    assert workflow["permissions"] == {"contents": "read"}
    rights = {
        name: job["permissions"] for name, job in workflow["jobs"].items() if "permissions" in job
    }
    assert rights == ({"publish": {"id-token": "write"}} if path.name == "release.yml" else {})
    for word in ("secrets.", "pull_request_target", "password", "github.event.pull_request"):
        assert word not in text
    for name, job in workflow["jobs"].items():
        assert "uses" in job or 1 <= job["timeout-minutes"] <= 120, name
    for step in steps(workflow):
        assert "${{" not in step.get("run", "").replace("${{ matrix.python }}", ""), step
        if "actions/checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] is False


def test_one_action_has_one_pin():
    """Both workflows use the same commit of an action."""
    used = {
        step["uses"] for workflow in (CI, RELEASE) for step in steps(workflow) if "uses" in step
    }
    assert len(used) == len({action.split("@")[0] for action in used}) >= 5


def test_the_ci_calls_what_a_change_must_pass():
    """`.ci/run` is run as it is on any machine; requests to merge and the release wait for it."""
    runs = [step["run"] for step in CI["jobs"]["everything"]["steps"] if "run" in step]
    call = "bash .ci/run"
    assert runs[-1] == call
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert {"push", "pull_request", "workflow_call"} <= set(CI["on"])
    assert RELEASE["jobs"]["test"]["uses"] == "./.github/workflows/ci.yml"


def test_only_what_passed_is_published_and_without_a_token():
    """The job that publishes needs the tests and the build, and takes what the build made."""
    publish = RELEASE["jobs"]["publish"]
    assert set(publish["needs"]) == {"test", "build"}
    assert publish["environment"] == "pypi"
    assert set(RELEASE["on"]) == {"push"}
    assert RELEASE["on"]["push"] == {"tags": ["v*"]}
    first, last = publish["steps"]
    assert "with" not in last
    assert last["uses"].startswith("pypa/gh-action-pypi-publish@")
    (kept,) = [s for s in RELEASE["jobs"]["build"]["steps"] if "upload-artifact" in str(s)]
    for key in ("name", "path"):
        assert first["with"][key] == kept["with"][key]
    runs = "\n".join(step.get("run", "") for step in RELEASE["jobs"]["build"]["steps"])
    order = ("release.py check", "release.py address", "-m build")
    places = [runs.index(call) for call in order]
    assert places == sorted(places)
    script = (ROOT / "scripts" / "release.py").read_text("utf-8")
    calls = re.findall(r"python scripts/release\.py (\w+)", runs)
    assert [f'case ["{call}"' in script for call in calls] == [True, True]


def test_the_versions_of_python_are_those_that_the_ci_runs():
    """Classifiers, `requires-python`, the lint's target and the documentation agree with the CI."""
    classified = [
        line.rpartition(" ")[2]
        for line in PROJECT["project"]["classifiers"]
        if re.search(r":: 3\.\d+$", line)
    ]
    tests = CI["jobs"]["tests"]
    image = re.fullmatch(r"python:(3\.\d+)-\w+", CI["jobs"]["everything"]["container"])
    run = [image[1], *tests["strategy"]["matrix"]["python"]]
    assert classified == run
    assert PROJECT["project"]["requires-python"] == f">={run[0]}"
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{run[0].replace('.', '')}"
    assert PROJECT["tool"]["mypy"]["python_version"] == run[0]
    same_system = image[0].replace(image[1], "${{ matrix.python }}")
    same_tests = "make test PYTHON=python${{ matrix.python }}"
    assert tests["container"] == same_system
    assert tests["steps"][-1]["run"] == same_tests
    (setup,) = [step for step in steps(RELEASE) if "setup-python" in step.get("uses", "")]
    assert setup["with"]["python-version"] in run
    assert parsed(".readthedocs.yaml")["build"]["tools"]["python"] in run


def test_the_documentation_is_built_as_here():
    """Read the Docs calls `make docs` and takes the folder that it writes."""
    build = parsed(".readthedocs.yaml")["build"]
    (built,) = [line for line in recipe("docs") if line.startswith("sphinx-build")]
    wanted = [
        "make docs",
        'mkdir -p "$READTHEDOCS_OUTPUT/html"',
        f'cp -r {built.split()[-1]}/. "$READTHEDOCS_OUTPUT/html/"',
    ]
    assert build["commands"] == wanted


def test_hooks_check_what_make_checks():
    """Every command of `make lint` and `make types` is a hook, and a hook is one of them."""
    hooks = [hook for repo in parsed(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    here = {hook["entry"].removeprefix(".venv/bin/") for hook in hooks}
    there = {re.sub(r"( --check)? \.$", "", line) for line in [*recipe("lint"), *recipe("types")]}
    assert here == there
    tree = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("*")]
    tree += [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.py")]
    for hook in hooks:
        assert hook["language"] == "system"
        assert hook["entry"].startswith(".venv/bin/")
        chosen = hook.get("files")
        assert chosen is None or any(re.search(chosen, name) for name in tree), hook["id"]
        assert chosen is None or hook["pass_filenames"] is False


# ------------------------------------------------------------------ forms


FIELDS = {
    "textarea": {"label", "description", "placeholder", "value", "render"},
    "input": {"label", "description", "placeholder", "value"},
}


@pytest.mark.parametrize(
    "path", [path for path in FORMS if path.name != "config.yml"], ids=lambda path: path.name
)
def test_forms_ask_in_fields_that_the_service_knows(path):
    """Names and fields are those of GitHub's forms; the version and the evidence are asked for."""
    form = parsed(path)
    assert set(form) == {"name", "description", "labels", "body"}
    asked = {}
    for field in form["body"]:
        assert set(field) <= {"type", "id", "attributes", "validations"}
        assert set(field["attributes"]) <= FIELDS[field["type"]]
        assert re.fullmatch("[a-z]+", field["id"])
        assert field["id"] not in asked
        asked[field["id"]] = bool(field.get("validations", {}).get("required"))
    assert len({field["attributes"]["label"] for field in form["body"]}) == len(asked)
    assert asked["version"]
    needed = {"bug.yml": "table", "statistics.yml": "loop", "table.yml": "rows"}[path.name]
    assert asked[needed]


def test_the_loop_of_the_statistical_form_runs():
    """It ends soon and prints a rate that a calibrated model should have."""
    form = parsed(".github/ISSUE_TEMPLATE/statistics.yml")
    (loop,) = [field for field in form["body"] if field["id"] == "loop"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(loop["attributes"]["value"], {})  # noqa: S102  # our own form
    share, level, error = map(float, re.findall(r"0\.\d+", printed.getvalue()))
    assert abs(share - level) <= 4 * error
    assert 0 < error < 0.05


# ------------------------------------------------------------------ version, citation, promises


def test_the_version_is_the_same_everywhere():
    """pyproject.toml, citation, newest entry of the changelog and the page of JSON agree."""
    version = PROJECT["project"]["version"]
    assert parsed("CITATION.cff")["version"] == version
    assert release.NEWEST.search(CHANGELOG)[1] == version
    (shown,) = re.findall(r'"plumbline": "([^"]+)"', (ROOT / "docs/json.md").read_text("utf-8"))
    assert shown == version


def test_the_citation_has_what_the_format_asks_for():
    """Its keys are those of the format 1.2.0, and its facts those of the package."""
    cited, project = parsed("CITATION.cff"), PROJECT["project"]
    needed = {"cff-version", "message", "title", "authors"}
    known = {"abstract", "type", "version", "license", "keywords", "date-released"}
    assert needed <= set(cited) <= needed | known
    assert str(cited["cff-version"]) == "1.2.0"
    assert cited["type"] == "software"
    assert cited["authors"] == project["authors"]
    assert cited["license"] == project["license"]
    assert cited["keywords"] == project["keywords"]
    assert cited["abstract"] == f"{project['description']}."


def test_security_promises_the_limits_of_the_code():
    """Every number and address that SECURITY.md promises is the one that is enforced."""
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    promised = re.search(r"## What we promise\n(.*?)\n## ", text, re.DOTALL)[1]
    limits = {
        f"{files.MOST_COLUMNS:,} columns",
        f"{text_files.LONGEST_LINE >> 20} MB",
        f"{json_file.MOST_BYTES:,} bytes",
        f"{parsing.LONGEST:,} characters",
        f"{parsing.MOST} parts",
        f"{parsing.DEEPEST} levels",
        lifetime.HOST,
    }
    assert [limit for limit in limits if limit not in promised] == []
    unit = r"columns|MB|bytes|characters|parts|levels"
    numbers = set(re.findall(rf"\d[\d,.]* (?:{unit})\b|\d+\.\d+\.\d+\.\d+", promised))
    assert numbers == limits


@pytest.mark.parametrize("name", PAGES)
def test_links_of_the_first_pages_lead_somewhere(name):
    """Every path that a page at the root names is there, with its heading."""
    text = (ROOT / name).read_text("utf-8")
    targets = re.findall(r"(?:\]\(|(?:href|src)=\")([^)\"\s]+)", text)
    for target in targets:
        path, _, heading = target.partition("#")
        if "://" in target:
            continue
        page = ROOT / (path or name)
        assert page.exists(), target
        headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M) if heading else []
        slugs = {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}
        assert not heading or heading in slugs, target


def test_the_first_screen_says_how_to_run_and_to_test():
    """Both commands of a fresh machine stand above the first picture, and are targets."""
    text = (ROOT / "README.md").read_text("utf-8")
    first = text[: text.index("![")]
    commands = re.findall(r"^ {4}make (\w+)", first, re.MULTILINE)
    assert commands == ["demo", "test"]
    assert first.count("\n") <= 12
    for command in commands:
        assert recipe(command)


# ------------------------------------------------------------------ changelog and release


def test_the_newest_entry_is_short_and_names_what_there_is():
    """A user reads it in five minutes; its commands and options exist."""
    newest = CHANGELOG[release.NEWEST.search(CHANGELOG).start() :]
    assert 100 < len(newest.split()) <= 1_500
    assert len(re.findall(r"^### ", newest, re.MULTILINE)) >= 8
    commands = set(re.findall(r"`plumbline ([a-z]+)", newest))
    assert commands <= set(main.commands)
    assert commands
    options = {
        option
        for name in NAMES
        for param in _command(name).params
        for option in param.opts
        if option.startswith("--")
    }
    named = set(re.findall(r"`(--[a-z-]+)", newest))
    assert named - options - {"--help"} == set()
    assert len(named) > 5


def _command(name):
    group = main
    for word in name.split():
        group = group.commands[word]
    return group


def test_every_fragment_has_a_type():
    """A file of changelog.d that has no type would stand in no changelog."""
    kinds = release.fragments(ROOT)
    assert list(kinds) == ["Added", "Changed", "Fixed"]
    known = {path.name for paths in kinds.values() for path in paths}
    there = {path.name for path in (ROOT / "changelog.d").iterdir()}
    assert there - known == {"README.md"}


@pytest.fixture
def released(tmp_path):
    """Return a folder with the files that a release needs, and its version; nothing is missing."""
    for name in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "README.md").write_text("How to write one.\n", "utf-8")
    version = PROJECT["project"]["version"]
    dated = re.sub(r"^(## \S+) \(.*\)$", r"\1 (2026-01-31)", CHANGELOG, count=1, flags=re.M)
    (tmp_path / "CHANGELOG.md").write_text(dated, "utf-8")
    return tmp_path, version


def test_a_tag_is_refused_for_each_thing_that_it_lacks(released):
    """A wrong tag, citation or heading, a missing date, and a change that is not in the log."""
    folder, version = released
    assert list(release.faults(folder, f"v{version}")) == []
    for tag in (version, "v9.9.9"):
        assert len(list(release.faults(folder, tag))) == 1
    spoiled = {
        "CITATION.cff": (f"version: {version}", "version: 9.9.9"),
        "CHANGELOG.md": ("(2026-01-31)", "(not released yet)"),
        "pyproject.toml": (f'version = "{version}"', 'version = "9.9.9"'),
    }
    for name, (right, wrong) in spoiled.items():
        text = (folder / name).read_text("utf-8")
        assert text.count(right) >= 1
        (folder / name).write_text(text.replace(right, wrong, 1), "utf-8")
        expected = 3 if name == "pyproject.toml" else 1  # the tag and both others disagree with it
        assert len(list(release.faults(folder, f"v{version}"))) == expected, name
        (folder / name).write_text(text, "utf-8")
    (folder / "changelog.d" / "+late.fixed.md").write_text("Late.\n", "utf-8")
    (fault,) = release.faults(folder, f"v{version}")
    assert "+late.fixed.md" in fault


def test_the_address_reaches_the_package_and_its_readme(released):
    """What a package index shows names the repository where it is released, and no path in it."""
    folder, version = released
    address, tag = "https://example.org/someone/plumbline", f"v{version}"
    for path, text in release.with_addresses(folder, address, tag).items():
        path.write_text(text, "utf-8")
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert project.pop("urls") == {
        "Source": address,
        "Documentation": f"{address}/blob/{tag}/docs/index.md",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    assert project == PROJECT["project"]
    readme = (folder / "README.md").read_text("utf-8")
    links = re.findall(r"(?:\]\(|(?:href|src)=\")([^)\"]+)", readme)
    assert len(links) > 20
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    for link in links:
        kind, given, path = link.removeprefix(f"{address}/").split("/", 2)
        assert (given, kind) == (tag, "raw" if path.endswith(".svg") else "blob")
        assert (ROOT / path.partition("#")[0]).exists(), link
    with pytest.raises(ValueError, match="already"):
        release.with_addresses(folder, address, tag)


@pytest.mark.parametrize(
    "words",
    [[], ["check"], ["address", "http://example.org/a", "v1"], ["address", "https://x", "v1"]],
)
def test_a_release_script_called_wrongly_writes_nothing(words, capsys):
    """It says how it is called, and ends with 2."""
    assert release.leave(words) == 2
    assert release.__doc__ in capsys.readouterr().err
