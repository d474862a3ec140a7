"""The command `compare`: files in, the comparison and its limits out."""

import doctest
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import plumbline as pb
from plumbline.cli import main
from plumbline.comparison import DESIGNS, TESTS
from printed_pages import check_answers

DOCS = Path(__file__).parents[2] / "docs"
N = 200


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Path:
    """Return a folder with the files that the examples in the help text name."""
    folder = tmp_path_factory.mktemp("compared")
    rng = np.random.default_rng(3)
    classes = ["dry", "rain", "snow"]
    prob = rng.dirichlet([1, 1, 1], size=N)
    actual = np.array(classes)[(prob.cumsum(axis=1) < rng.random((N, 1))).sum(axis=1).clip(max=2)]
    noisy = prob * rng.uniform(0.3, 3, prob.shape)
    noisy /= noisy.sum(axis=1, keepdims=True)
    columns = {"fold": np.arange(N) % 5, "row": np.arange(N)}
    parts = [
        pb.Predictions.from_arrays(actual, one, classes=classes, **columns) for one in (prob, noisy)
    ]
    pb.Predictions.from_arrays(
        np.tile(actual, 2),
        np.concatenate([prob, noisy]),
        classes=classes,
        model=["forest"] * N + ["bayes"] * N,
        attributes={"site": np.tile(np.arange(N) % 8, 2)},
        **{name: np.tile(values, 2) for name, values in columns.items()},
    ).write(folder / "predictions.parquet")
    for name, part in zip(("forest.csv", "bayes.csv"), parts, strict=True):
        part.write(folder / name)
    p_true = rng.uniform(size=N)
    repaid = np.where(rng.random(N) < p_true, "yes", "no")
    pb.Predictions.from_arrays(
        np.tile(repaid, 2),
        np.concatenate([p_true, p_true**2]),
        classes=["no", "yes"],
        model=["careful"] * N + ["bold"] * N,
    ).write(folder / "loans.csv")
    return folder


@pytest.fixture
def here(samples, tmp_path, monkeypatch) -> Path:
    """Work in a folder of one's own that holds the sample files."""
    for file in samples.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def invoke(*words: str):
    """Run a command line in this process; an unexpected exception comes through."""
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


def answer(*words: str) -> dict:
    """Return what a command line prints with --json, read strictly: no NaN, no Infinity."""
    result = invoke("compare", *words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


@pytest.mark.usefixtures("here")
def test_the_answer_is_the_librarys():
    """Every number and every word of --json is that of `plumbline.compare`."""
    whole = answer("predictions.parquet", "--metrics", "brier-score,accuracy", "--rope", "0.01")
    expected = pb.compare(
        pb.read("predictions.parquet"), metrics=["brier-score", "accuracy"], rope=0.01
    )
    assert whole["command"] == "compare"
    assert whole["results"] == expected.to_dict()["pairs"]
    assert whole["why"] == expected.why
    assert (whole["design"], whole["level"], whole["adjust"]) == ("cross-validation", 0.95, "holm")


@pytest.mark.usefixtures("here")
def test_two_files_are_compared_as_one_table():
    """Models have the files' names, rows are paired, and every number is the same."""
    whole = answer("forest.csv", "bayes.csv")["results"]
    again = answer("predictions.parquet")["results"]
    assert whole[0]["models"] == ["forest", "bayes"]
    assert whole[0]["p_value"] == pytest.approx(again[0]["p_value"], rel=1e-6)
    text = invoke("compare", "forest.csv", "bayes.csv").stdout
    assert [line.split()[:2] for line in text.splitlines()[:2]] == [
        ["forest.csv:", "200"],
        ["bayes.csv:", "200"],
    ]


@pytest.mark.usefixtures("here")
def test_one_file_twice_says_so():
    """A file that is given twice is no comparison."""
    result = invoke("compare", "forest.csv", "forest.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'forest.csv'" in result.stderr


@pytest.mark.usefixtures("here")
def test_data_sets_are_counted_with_over():
    """Wilcoxon over the values of the column; three models also get ranks, in JSON and in words."""
    data = pb.read("predictions.parquet")
    third = data.select(model="forest")
    flat = pb.Predictions.from_arrays(
        np.array(third.classes)[third.actual],
        np.full((N, 3), 1 / 3),
        classes=third.classes,
        row=third.row,
        fold=third.fold.values(),
        attributes=dict(third.attributes),
    )
    flat.write("flat.csv")
    whole = answer("predictions.parquet", "--over", "site")
    assert (whole["design"], whole["results"][0]["test"]) == ("data sets", "wilcoxon")
    three = ("predictions.parquet", "flat.csv", "--over", "site")
    ranks = answer(*three)["results"][-1]
    assert (ranks["test"], ranks["metric"], len(ranks["average_ranks"])) == (
        "friedman",
        "brier-score",
        3,
    )
    assert re.search(r"Friedman.* 8 data", invoke("compare", *three).stdout)


def test_pictures_are_written(here):
    """The differences with their intervals, as a picture."""
    result = invoke("compare", "loans.csv", "--metrics", "accuracy", "--out", "forest.svg")
    assert result.stdout.split()[-1] == "forest.svg"
    assert "careful" in (here / "forest.svg").read_text("utf-8")


@pytest.mark.usefixtures("here")
def test_a_warning_stands_in_the_answer_once():
    """What makes the answer doubtful is a note under it, not said again on standard error."""
    result = invoke("compare", "predictions.parquet", "--test", "paired-t")
    assert result.stderr == ""
    flat = " ".join(result.stdout.split())
    (note,) = answer("predictions.parquet", "--test", "paired-t")["remarks"]
    assert flat.casefold().count(note.casefold()) == 1


@pytest.mark.usefixtures("here")
def test_long_work_is_reported_before_it_begins(monkeypatch):
    """One line on standard error, with how many draws take about a minute."""
    monkeypatch.setattr("plumbline.comparison.paired_rows.LONG", 1000)
    command = ("compare", "loans.csv", "--metrics", "ace,brier-score", "--resamples", "9")
    (line,) = invoke(*command).stderr.splitlines()
    assert line.startswith("plumbline: warning: ")
    assert "199" in line


def test_the_list_has_every_test_and_design():
    """The same table as in the library and on the page."""
    text = invoke("compare", "--list").stdout
    assert all(name in text for name in (*TESTS, *DESIGNS))
    rows = json.loads(invoke("compare", "--list", "--json").stdout)["results"]
    assert len(rows) == len(TESTS) * len(DESIGNS)


def test_the_help_is_light():
    """No heavy library is imported to say what can be asked."""
    code = (
        "import sys\nfrom plumbline.cli import main\n"
        "try: main(['compare', '--help'])\nexcept SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"numba", "pyarrow", "sklearn", "matplotlib", "scipy"}.isdisjoint(done.stdout.split())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "compare needs FILE"),
        ("forest.csv", "a comparison needs two models"),
        ("predictions.parquet --models forest", "two models or more"),
        ("predictions.parquet --models forest,bays", "Did you mean 'bayes'"),
        ("predictions.parquet --test mcnemr", "Did you mean 'mcnemar'"),
        ("predictions.parquet --test mcnemar", "take --test permutation"),
        ("predictions.parquet --test 5x2-f", "Take --test corrected-t"),
        ("predictions.parquet --test friedman", "Take --test corrected-t"),
        ("predictions.parquet --test bayesian-t", "needs --rope"),
        ("predictions.parquet --over sit", "Did you mean 'site'"),
        ("predictions.parquet --groups sit", "Did you mean 'site'"),
        ("predictions.parquet --level 95", "--level"),
        ("predictions.parquet --test-share 3", "--test-share"),
        ("predictions.parquet --metrics bier-score", "Did you mean 'brier-score'"),
        ("loans.csv --payoff TP=much", "--payoff"),
        ("loans.csv --payoff XP=1", "--payoff"),
        ("loans.csv --threshold 0.3", "--threshold"),
        ("forest.csv loans.csv", "the same classes"),
        ("predictions.parquet --out nowhere/x.csv", "there is no folder"),
        ("predictions.parquet --out x.xlsx", "must end in"),
    ],
)
@pytest.mark.usefixtures("here")
def test_refusals_are_one_line_that_teaches(line, message):
    """Exit status 2 and one line on standard error, with options as they are typed."""
    result = invoke("compare", *shlex.split(line))
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"plumbline: error: .{12,}\n", result.stderr)
    assert message in result.stderr


class TestPages:
    """docs/comparison.md and the part of docs/cli.md."""

    def test_the_worked_example_can_be_repeated(self, tmp_path, monkeypatch):
        """The page's own code makes the file, and every command prints what stands below it."""
        monkeypatch.chdir(tmp_path)
        page = (DOCS / "comparison.md").read_text("utf-8")
        (code,) = re.findall(r"^```python\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
        exec(compile(code, "comparison.md", "exec"), {})  # noqa: S102  # the page's own example
        check_answers(DOCS / "comparison.md", least=5)

    def test_what_python_prints_on_the_page(self):
        """The lines after >>> print what stands below them."""
        results = doctest.testfile(str(DOCS / "comparison.md"), module_relative=False)
        assert results.attempted >= 5
        assert results.failed == 0

    def test_every_key_of_the_json_is_explained(self, here):
        """The table of keys in docs/json.md leaves out none that is printed."""
        page = (DOCS / "json.md").read_text("utf-8")
        whole = answer("predictions.parquet", "--rope", "0.01")
        missing = [key for key in (*whole, *whole["results"][0]) if f"`{key}`" not in page]
        assert not missing


@pytest.mark.usefixtures("here")
def test_the_next_step_tests_the_best_model_in_its_own_file():
    """Of one table its model is named; of two files the one that holds it is read."""
    lines = ["--metrics", "brier-score", "--resamples", "99"]
    whole = answer("loans.csv", *lines)
    (pair,) = whole["results"]
    assert pair["better"] == "careful"
    printed = invoke("compare", "loans.csv", *lines).stdout
    assert "--models careful" in printed
    both = invoke("compare", "forest.csv", "bayes.csv", *lines).stdout
    assert ("test forest.csv\n" in both) == ("Next" in both)
    assert "--models" not in both
