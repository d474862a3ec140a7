import importlib
import importlib.util
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result
from pyarrow import csv, parquet

import plumbline as pb
import snapshots
from html_pages import undrawn
from laws import law
from plumbline.cli import main, program
from plumbline.requests import REQUESTS
from printed_pages import check_answers, shown_on

COMMANDS = ("demo", "report", "scores", "calibration", "test")
FILE_COMMANDS = COMMANDS[1:]
SNAPSHOTS = Path(__file__).with_name("snapshots")
PYTHON = [sys.executable, "-m", "plumbline"]
FOLDED = "predictions.parquet"


@pytest.fixture(autouse=True, scope="module")
def _undrawn() -> Iterator[None]:
    """Leave the pictures of reports undrawn: nothing here looks at them."""
    with undrawn():
        yield


@pytest.fixture(scope="session")
def samples(tmp_path_factory) -> Path:
    """Return a folder with the files that the examples in the help texts name."""
    folder = tmp_path_factory.mktemp("samples")
    rng = np.random.default_rng(11)
    n, classes = 300, ["dry", "rain", "snow"]
    prob = rng.dirichlet([1, 1, 1], size=n)
    actual = [
        classes[np.searchsorted(row.cumsum(), u)]
        for row, u in zip(prob, rng.random(n), strict=True)
    ]
    sharp = prob**2 / (prob**2).sum(axis=1, keepdims=True)
    pb.Predictions.from_arrays(
        actual * 2,
        np.concatenate([prob, sharp]),
        classes=classes,
        model=["forest"] * n + ["bayes"] * n,
        fold=np.tile(np.arange(n) % 5, 2),
        row=np.tile(np.arange(n), 2),
        attributes={"sky": np.where(np.arange(2 * n) % 3, "clear", "cloudy")},
    ).write(folder / FOLDED)
    rain = np.where(rng.random(n) < prob[:, 1], "rain", "dry").tolist()
    csv.write_csv(pa.table({"outcome": rain, "chance": prob[:, 1]}), folder / "weather.csv")
    return folder


@pytest.fixture
def here(samples, tmp_path, monkeypatch) -> Path:
    """Work in a folder of one's own that holds the sample files."""
    for file in samples.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def invoke(*words: str) -> Result:
    """Run a command line in this process; an unexpected exception comes through."""
    return CliRunner().invoke(main, list(words), catch_exceptions=False)


def answer(*words: str) -> dict:
    """Return what a command line prints with --json, read strictly: no NaN, no Infinity."""
    result = invoke(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


def run(*words: str, **extra) -> subprocess.CompletedProcess:
    """Run a command line as a program of its own."""
    return subprocess.run([*PYTHON, *words], capture_output=True, text=True, check=False, **extra)


@pytest.fixture(scope="module")
def reported(samples, tmp_path_factory) -> tuple[dict, str]:
    """Return what `report --json` prints of the sample file, and the page it writes."""
    page = tmp_path_factory.mktemp("reported") / "report.html"
    options = ("--resamples", "99", "--out", str(page))
    return answer("report", str(samples / FOLDED), *options), page.read_text("utf-8")


class TestHelp:
    """What a new user meets first."""

    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_command_shows_examples_as_they_are_typed(self, command):
        """`--help` ends with examples, one command a line, none rewrapped."""
        text = invoke(command, "--help").stdout
        examples = re.findall(rf"^    plumbline {command}\b.*$", text, re.MULTILINE)
        assert len(examples) >= 2

    def test_without_a_command_the_help_is_shown(self):
        """`plumbline` alone explains itself and succeeds."""
        result = invoke()
        assert result.exit_code == 0
        assert result.stdout == invoke("--help").stdout
        assert all(command in result.stdout for command in COMMANDS)

    def test_a_group_without_a_command_shows_its_help(self):
        """`plumbline state` alone explains itself, as `plumbline` does."""
        result = invoke("state")
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == invoke("state", "--help").stdout

    def test_version(self):
        """`--version` prints the name and the version of the package."""
        assert invoke("--version").stdout == f"plumbline {pb.__version__}\n"

    def test_help_names_every_choice_the_library_has(self):
        """No view and no distance of the library is missing from the help text."""
        from plumbline.calibration import DISTANCES, VIEWS

        text = invoke("calibration", "--help").stdout
        assert all(name in text for name in (*DISTANCES, *VIEWS))

    @law("words", [[], *([name] for name in main.commands)], number=4)
    def test_help_is_light(self, words):
        """Help imports no library of numbers, tables, pictures or servers; the list no command."""
        heavy = {"numpy", "pyarrow", "scipy", "sklearn", "numba", "pandas", "matplotlib", "jinja2"}
        modules = loaded([*words, "--help"], ["--version"])
        assert (heavy | {"starlette", "plumbline.predictions"}).isdisjoint(modules)
        where = {where.partition(":")[0] for where, _ in program.SPECIAL.values()}
        assert words or where.isdisjoint(modules)

    def test_the_help_lists_every_command_in_one_line(self):
        """The table of commands holds names that are imported, and their short help."""
        listed = re.findall(
            r"^  ([a-z]+)  +(.+)$", invoke("--help").stdout.partition("Commands:")[2], re.M
        )
        assert listed == sorted(program.TITLES.items())
        assert [main.commands[name].name for name in sorted(main.commands)] == [
            name for name, _ in listed
        ]


def loaded(*lines: list[str]) -> list[str]:
    """Return the modules that a program has loaded after these command lines."""
    code = (
        f"import sys\nfrom plumbline.cli import main\nfor words in {lines!r}:\n"
        "    try: main(words)\n    except SystemExit as end: assert not end.code\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


def test_measuring_a_table_loads_neither_pandas_nor_a_compiler(tmp_path):
    """Numbers come from Arrow to numpy by themselves, and scores need no kernel."""
    rng = np.random.default_rng(1)
    prob = rng.dirichlet(np.ones(3), 1500)
    names = np.array(["a", "b", "c"])
    columns = {"actual": names[rng.integers(0, 3, 1500)], "site": names[rng.integers(0, 3, 1500)]}
    columns |= {f"p:{name}": prob[:, j] for j, name in enumerate(names)}
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    file = str(tmp_path / "t.parquet")
    modules = loaded(["scores", file], ["scores", file, "--metrics", "ece", "--resamples", "0"])
    assert "numpy" in modules
    assert {"numba", "pandas", "sklearn", "matplotlib"}.isdisjoint(modules)
    modules = loaded(["calibration", file, "--resamples", "9"])  # its verdict needs kernels
    assert {"pandas", "sklearn", "matplotlib"}.isdisjoint(modules)


class TestCompletion:
    """The shell's tab key."""

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_the_script_is_printed_without_a_file(self, shell):
        """`--show-completion SHELL` prints that shell's script and needs nothing else."""
        result = invoke("--show-completion", shell)
        assert result.exit_code == 0
        assert f"_PLUMBLINE_COMPLETE={shell}_complete" in result.stdout

    @pytest.mark.parametrize(
        ("typed", "offered"),
        [
            (["plumbline", "cal"], "plain,calibration"),
            (["plumbline", "--vers"], "plain,--version"),
            (["plumbline", "test", "pred"], "file,pred"),
            (["plumbline", "test", "--alt"], "plain,--alternative"),
            (["plumbline", "test", "--view", "cl"], "plain,classwise"),
            (["plumbline", "test", "--bins", "equal-s"], "plain,equal-size:10"),
            (["plumbline", "test", "--bins", "nonsense", "--view", "jo"], "plain,joint"),
            (["plumbline", "test", "--bins", "edg"], "plain,edges:0,0.5,1"),
            (["plumbline", "report", "--out", "re"], "file,re"),
        ],
    )
    def test_commands_files_options_and_names_are_completed(self, typed, offered):
        """Bash is offered what fits the word being typed, also after a wrong one."""
        settings = {
            "_PLUMBLINE_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(typed),
            "COMP_CWORD": str(len(typed) - 1),
        }
        done = CliRunner().invoke(main, [], prog_name="plumbline", env=settings)
        assert offered in done.stdout.split("\n")
        assert done.stderr == ""

    def test_the_program_completes_too(self):
        """What the shell calls is the installed program."""
        settings = {"_PLUMBLINE_COMPLETE": "bash_complete", "COMP_WORDS": "plumbline cal"}
        done = run(env=os.environ | settings | {"COMP_CWORD": "1"})
        assert done.stdout == "plain,calibration\n"
        assert done.stderr == ""


class TestJson:
    """The promise of `--json`: the library's numbers under fixed names."""

    @pytest.mark.parametrize("command", FILE_COMMANDS)
    def test_one_object_with_version_command_and_results(self, here, reported, command):
        """Every command prints one object; every entry has its model and its n."""
        whole = reported[0] if command == "report" else answer(command, FOLDED)
        assert whole["plumbline"] == pb.__version__
        assert whole["command"] == command
        assert [(one["model"], one["n"]) for one in whole["results"]] == [
            ("forest", 300),
            ("bayes", 300),
        ]

    def test_scores_are_the_librarys(self, here):
        """`scores` prints what log_loss, brier_score and accuracy return for that model."""
        data = pb.read(FOLDED)
        for one in answer("scores", FOLDED)["results"]:
            part = data.select(model=one["model"])
            for name in ("log_loss", "brier_score", "accuracy"):
                assert one[name] == getattr(pb, name)(part)
            assert one["folds"] == 5

    def test_calibration_is_the_librarys(self, here):
        """`calibration` prints what calibration_error returns for the same question."""
        options = "--view one-vs-rest:snow --bins equal-size:7 --distance square"
        whole = answer("calibration", FOLDED, *options.split(), "--resamples", "199", "--seed", "5")
        for one in whole["results"]:
            expected = pb.calibration_error(
                pb.read(FOLDED).select(model=one["model"]),
                view="one-vs-rest:snow",
                bins="equal-size:7",
                distance="square",
                resamples=199,
                rng=5,
            )
            test = pb.calibration_test(
                pb.read(FOLDED).select(model=one["model"]), resamples=199, rng=5
            )
            verdict = {"verdict": test.verdict, "omnibus_p_value": test.p_value}
            own = {"model": one["model"]} | json.loads(json.dumps(expected.to_dict()))
            assert one == own | verdict
            keys = {"value", "null_mean", "null_range", "p_value", "bins", "convention"}
            assert keys <= set(one)

    def test_test_is_the_librarys(self, here):
        """`test` prints what calibration_test returns for the same question."""
        options = "--view joint --alternative greater --null resample --statistic ece"
        whole = answer("test", FOLDED, *options.split(), "--models", "bayes", "--folds", "0,3")
        expected = pb.calibration_test(
            pb.read(FOLDED).select(model="bayes", fold=["0", "3"]),
            statistic="ece",
            view="joint",
            alternative="greater",
            null="resample",
        )
        assert whole["results"] == [{"model": "bayes"} | json.loads(json.dumps(expected.to_dict()))]
        keys = {"statistic", "value", "p_value", "p_bounds", "null", "method", "parts"}
        assert keys <= set(whole["results"][0])

    def test_a_family_is_the_librarys(self, here):
        """`test --by class` prints the members of calibration_test_by, and a summary."""
        data = pb.read(FOLDED).select(model="bayes")
        whole = answer("test", FOLDED, "--models", "bayes", "--by", "class", "--resamples", "199")
        family = pb.calibration_test_by(data, by="class", resamples=199, rng=0)
        assert [row["group"] for row in whole["results"]] == list(data.classes)
        for row, member in zip(whole["results"], family.members, strict=True):
            assert row["p_value"] == member["p_value"]
            assert row["adjusted_p_value"] == member["adjusted_p_value"]
            assert row["rejected"] == member["rejected"]
        assert (whole["by"], whole["adjust"]) == ("class", "holm")
        assert whole["verdict"] == family.verdict
        options = ("--adjust", "benjamini-hochberg", "--resamples", "99", "-v")
        text = invoke("test", FOLDED, *options).stdout
        assert "adjusted p" in text
        assert "Benjamini" in text

    def test_a_tolerance_is_the_librarys(self, here):
        """`test --tolerance` prints what calibration_within returns for the same question."""
        options = ("--models", "forest", "--tolerance", "0.1", "--bins", "equal-size:5")
        (row,) = answer("test", FOLDED, *options, "--resamples", "999", "--seed", "4")["results"]
        expected = pb.calibration_within(
            pb.read(FOLDED).select(model="forest"),
            tolerance=0.1,
            bins="equal-size:5",
            resamples=999,
            rng=4,
        )
        assert row == {"model": "forest"} | json.loads(json.dumps(expected.to_dict()))
        assert expected.verdict in " ".join(
            invoke("test", FOLDED, *options, "--resamples", "999", "--seed", "4").stdout.split()
        )

    def test_exact_bounds_are_in_the_json(self, here):
        """Where the null is exact, the p-value has its bounds."""
        options = ("test", FOLDED, "--models", "forest", "--statistic", "brier-score")
        (row,) = answer(*options)["results"]
        low, high = row["p_bounds"]
        assert low <= row["p_value"] == high

    def test_report_holds_the_numbers_of_the_other_commands(self, here):
        """`report --json` repeats scores, calibration and test, and says where the file is."""
        whole = answer("report", FOLDED, "--seed", "3", "--resamples", "99")
        again = answer("test", FOLDED, "--seed", "3", "--resamples", "99")
        flat = answer("scores", FOLDED)
        for one, test, scores in zip(
            whole["results"], again["results"], flat["results"], strict=True
        ):
            assert {"model": one["model"]} | one["test"] == test
            assert one["log_loss"] == scores["log_loss"]
        assert whole["report"] == "report.html"
        assert whole["check"]["k"] == 3
        assert Path("report.html").stat().st_size > 0

    def test_report_holds_every_number_of_the_page(self, here, reported):
        """`report --json` has the errors, bins and bands of every diagram, and every remark."""
        whole, page = reported
        shown = set(re.findall(r'<data value="([^"]+)"', page))
        assert len(shown) > 100
        assert shown <= set(map(str, _numbers(whole))) | {str(2 / 100)}
        for one in whole["results"]:
            part = pb.read(FOLDED).select(model=one["model"])
            assert [diagram["view"] for diagram in one["diagrams"]] == [
                "top-label",
                "one-vs-rest:dry",
                "one-vs-rest:rain",
                "one-vs-rest:snow",
            ]
            for diagram in one["diagrams"]:
                question = {"view": diagram["view"], "resamples": 99}
                error = pb.calibration_error(part, **question).to_dict()
                curve = pb.reliability_curve(part, **question).to_dict()
                assert diagram["error"] == json.loads(json.dumps(error))
                assert diagram["curve"] == json.loads(json.dumps(curve))
            assert one["remarks"] == [remark.to_dict() for remark in pb.check_input(part).remarks]

    def test_metrics_are_the_librarys(self, here):
        """`scores --metrics` keeps the scores of every entry and adds what `measure` returns."""
        names, bins = "ece,smooth-ece,log_loss", "equal-size:7"
        options = ("scores", FOLDED, "--metrics", names, "--bins", bins, "--resamples", "99")
        plain = answer("scores", FOLDED)["results"]
        result = pb.measure(pb.read(FOLDED), names.split(","), bins=bins, resamples=99).measures
        for place, one in enumerate(answer(*options)["results"]):
            own = {name: value for name, value in one.items() if name != "metrics"}
            part = pb.read(FOLDED).select(model=one["model"])
            test = pb.calibration_test(part, resamples=99)
            verdict = {"verdict": test.verdict, "omnibus_p_value": test.p_value}
            assert own == plain[place] | verdict
            assert [row["metric"] for row in one["metrics"]] == ["ece", "smooth-ece", "log-loss"]
            for row, expected in zip(one["metrics"], result[3 * place :], strict=False):
                assert expected.model == one["model"]
                assert row.items() <= json.loads(json.dumps(expected.to_dict())).items()
                keys = {"view", "value", "null_mean", "null_range", "excess", "p_value"}
                assert keys | {"interval_range"} <= set(row)

    def test_groups_have_an_entry_each(self, here):
        """`scores --by` prints every model and group with the scores and metrics of its rows."""
        whole = answer("scores", FOLDED, "--by", "sky", "--metrics", "ece", "--resamples", "0")
        names = [(one["model"], one["group"]) for one in whole["results"]]
        assert names == [(m, g) for m in ("forest", "bayes") for g in ("clear", "cloudy")]
        data = pb.read(FOLDED)
        rows = (data.attributes["sky"] == "clear") & (data.model.codes == 0)
        first, part = whole["results"][0], data.select(where=rows)
        assert (first["n"], first["log_loss"]) == (part.n, pb.log_loss(part))
        assert first["metrics"][0]["value"] == pb.calibration_error(part, resamples=0).value

    def test_the_list_of_names_is_the_catalogue(self):
        """`scores --list --json` prints every metric and every test with its facts."""
        rows = answer("scores", "--list")["results"]
        assert [row["name"] for row in rows] == [row["name"] for row in pb.list_names().entries]
        assert all(row["formula"] and row["title"] for row in rows)

    def test_calibration_has_norms_thresholds_and_intervals(self, here):
        """Every new option of `calibration` is an argument of calibration_error."""
        line = "--norm 2 --representative midpoint --threshold 0.1 --interval --level 0.9"
        whole = answer("calibration", FOLDED, *line.split(), "--resamples", "99")
        for one in whole["results"]:
            expected = pb.calibration_error(
                pb.read(FOLDED).select(model=one["model"]),
                norm=2,
                representative="midpoint",
                threshold=0.1,
                interval=True,
                level=0.9,
                resamples=99,
            )
            assert json.loads(json.dumps(expected.to_dict())).items() <= one.items()
            assert one["excess"] == one["value"] - one["null_mean"]
            assert one["interval_range"][0] <= one["interval_range"][1]
            assert (one["norm"], one["level"]) == (2, 0.9)

    def test_undefined_is_null_with_a_reason(self, here):
        """An infinite log loss is null, and the reason counts the rows."""
        Path("hard.csv").write_text("actual,p:no,p:yes\nno,0,1\nyes,0.5,0.5\nyes,0.1,0.9\n")
        (one,) = answer("scores", "hard.csv")["results"]
        assert one["log_loss"] is None
        assert "1 of 3 rows" in one["reason"]
        (one,) = answer("calibration", "hard.csv", "--distance", "log")["results"]
        assert one["value"] is None
        assert "infinite" in one["reason"]

    def test_without_resamples_the_null_is_null_and_says_why(self, here):
        """`calibration --resamples 0` leaves the null out, with the reason."""
        (one,) = answer("calibration", "weather.csv", *WEATHER, "--resamples", "0")["results"]
        assert one["value"] > 0
        assert one["p_value"] is None
        assert "resamples=0" in one["reason"]
        text = invoke("calibration", "weather.csv", *WEATHER, "--resamples", "0").stdout
        reason = one["reason"].replace("`resamples=0`", "--resamples 0")
        assert f"\n{reason[0].upper()}{reason[1:]}.\n" in text

    def test_without_models_no_model_is_named(self, here):
        """A table without a `model` column gives one entry without that key."""
        (one,) = answer("test", "weather.csv", *WEATHER)["results"]
        assert "model" not in one

    def test_the_answer_does_not_depend_on_the_workers(self, here):
        """The same seed prints the same answer with one thread and with three."""
        one, three = (answer("test", FOLDED, "--workers", workers) for workers in "13")
        assert one == three
        assert one != answer("test", FOLDED, "--seed", "1")


def _numbers(value: object) -> Iterator[float]:
    """Yield every number in an answer, wherever it stands."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part)
    elif isinstance(value, int | float):
        yield value


WEATHER = ("--actual", "outcome", "--prob", "chance=rain")


class TestReading:
    """How FILE becomes a prediction table."""

    @pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow", "feather"])
    def test_every_format_gives_the_same_answer(self, here, ending):
        """The format of the file does not matter."""
        pb.read(FOLDED).write(f"copy.{ending}")
        assert answer("scores", f"copy.{ending}") == answer("scores", FOLDED)

    def test_columns_of_any_name_can_be_read(self, here):
        """--actual, --prob and --rename read a table as another tool wrote it."""
        table = parquet.read_table(FOLDED)
        names = {"actual": "obs", "p:dry": "D", "p:rain": "R", "p:snow": "S", "fold": "Resample"}
        names |= {"model": "wflow_id"}
        parquet.write_table(
            table.rename_columns([names.get(n, n) for n in table.column_names]), "r.parquet"
        )
        words = "--actual obs --prob D=dry --prob R=rain --prob S=snow --rename Resample=fold"
        result = answer("test", "r.parquet", *words.split(), "--rename", "wflow_id=model")
        assert result == answer("test", FOLDED)

    def test_a_class_name_may_hold_an_equals_sign(self, here):
        """--prob is split at its first equals sign, so a class may be called <=50K."""
        rows = "\n".join(["<=50K,0.2", ">50K,0.7", "<=50K,0.4"])
        Path("income.csv").write_text(f"actual,q\n{rows}\n")
        (one,) = answer("scores", "income.csv", "--prob", "q=<=50K")["results"]
        assert set(one["brier_score_by_class"]) == {">50K", "<=50K"}

    def test_the_positive_class_can_be_named(self, here):
        """--positive decides which class the default view looks at."""
        options = ("--positive", "dry", "--statistic", "ece")
        (one,) = answer("test", "weather.csv", *WEATHER, *options)["results"]
        assert one["view"] == "one-vs-rest:dry"

    def test_normalize_divides_rows_by_their_sum(self, here):
        """Rows that rounding does not explain are refused with the remedy, and read with it."""
        Path("rounded.csv").write_text("actual,p:a,p:b,p:c\na,.3,.3,.3\nb,.2,.6,.2\nc,.1,.1,.8\n")
        refused = invoke("scores", "rounded.csv")
        assert refused.exit_code == 2
        assert "--normalize" in refused.stderr
        assert invoke("scores", "rounded.csv", "--normalize").exit_code == 0

    def test_a_model_whose_name_holds_a_comma_can_be_selected(self, here):
        """--models takes the whole text as one name if there is such a model, and is repeated."""
        names = ["a, b", "a, b", "c", "c", "d", "d"]
        pb.Predictions.from_arrays(
            [0, 1, 1, 0, 1, 0], [0.2, 0.7, 0.6, 0.1, 0.5, 0.4], model=names
        ).write("comma.csv")
        assert len(answer("scores", "comma.csv", "--models", "a, b")["results"]) == 1
        both = answer("scores", "comma.csv", "--models", "a, b", "--models", "c,d")["results"]
        assert [one["model"] for one in both] == ["a, b", "c", "d"]


class TestWords:
    """What is printed for people."""

    def test_scores_are_aligned_and_infinite_is_explained(self, here):
        """An infinite log loss is shown as inf, with the count of rows and why."""
        Path("hard.csv").write_text("actual,p:no,p:yes\nno,0,1\nyes,0.5,0.5\nyes,0.1,0.9\n")
        text = invoke("scores", "hard.csv").stdout
        lines = dict(re.findall(r"^  (\w[\w ]+\w) {2,}(\S+)$", text, re.MULTILINE))
        assert (lines["Rows"], lines["Log loss"]) == ("3", "∞")
        assert "1 of 3" in text

    def test_scores_of_labels_alone_say_what_is_missing(self, here):
        """Labels give the accuracy, and the remedy for the rest."""
        Path("labels.csv").write_text("actual,predicted\na,a\nb,a\nb,b\n")
        result = invoke("scores", "labels.csv")
        assert result.exit_code == 0
        assert "0.6667" in result.stdout
        assert "p:<class>" in result.stdout
        (one,) = answer("scores", "labels.csv")["results"]
        assert one["reason"][1:] in " ".join(result.stdout.split())
        assert (one["log_loss"], one["brier_score"]) == (None, None)
        assert "p:<class>" in one["reason"]
        (same,) = answer("report", "labels.csv")["results"]
        remarks = pb.check_input(pb.read("labels.csv")).remarks
        assert same.pop("remarks") == [remark.to_dict() for remark in remarks]
        assert "no ratings" in same.pop("curves")["reason"]
        assert same.pop("decisions")["matrix"]["counts"] == [[1, 0], [1, 1]]
        empty = {"calibration": [], "test": None, "diagrams": [], "left_out": [], "conclusion": []}
        parts = {"sensitivity", "corp", "metrics", "diagnosis", "groups", "mended", "over_time"}
        assert {*same} >= {*one, *empty, *parts}
        assert same == dict.fromkeys(same) | one | empty
        assert "p:<class>" in invoke("report", "labels.csv").stdout

    def test_scores_of_ratings_alone_say_what_is_missing(self, here):
        """Ratings have no scale of their own, which is said with the remedy."""
        Path("ratings.csv").write_text("actual,score\n0,-3.5\n1,2\n1,0.1\n")
        assert "ratings" in invoke("scores", "ratings.csv").stdout
        (one,) = answer("scores", "ratings.csv")["results"]
        assert one["accuracy"] is None

    def test_a_test_prints_the_librarys_verdict(self, here):
        """Each model's verdict stands in the words of the library, wrapped."""
        text = " ".join(invoke("test", FOLDED).stdout.split())
        for name, part in pb.read(FOLDED).by_model().items():
            assert f"{name}: {pb.calibration_test(part).verdict}" in text

    def test_weights_are_announced_with_the_effective_rows(self, here):
        """A weighted table says how many rows it is worth."""
        pb.Predictions.from_arrays(
            [0, 1, 1, 0], [0.2, 0.7, 0.6, 0.1], weight=[1.0, 1.0, 1.0, 3.0]
        ).write("weighted.csv")
        for command in ("scores", "test", "calibration"):
            text = invoke(command, "weighted.csv").stdout
            assert re.search(r"Effective rows +3\.0$|effective n = 3\b", text, re.MULTILINE)

    def test_bins_are_shown_for_one_model_and_one_class(self, here):
        """The bins of a single view fill a table; those of several are not shown."""
        shown = [
            "mean prediction" in invoke("calibration", FOLDED, "--verbose", *words).stdout
            for words in (
                ["--models", "forest"],
                ["--view", "classwise", "--models", "forest"],
                [],
            )
        ]
        assert shown == [True, False, False]

    def test_a_warning_is_one_line_beside_the_answer(self, here):
        """What the library warns of is said once, on standard error, without source lines."""
        result = invoke(
            "calibration", FOLDED, "--view", "one-vs-rest:rain", "--outcome", "correct", "--json"
        )
        assert result.exit_code == 0
        assert json.loads(result.stdout)
        (line,) = result.stderr.splitlines()
        assert line.startswith("plumbline: warning: ")

    def test_a_column_that_loses_its_meaning_is_announced(self, here):
        """`--rename fold=flod` drops the folds, so it says so; a name given to --actual is fine."""
        result = invoke("scores", FOLDED, "--rename", "fold=flod")
        assert result.exit_code == 0
        assert result.stderr.count("\n") == 1
        assert result.stderr.endswith("'fold'?\n")
        line = "scores weather.csv --rename outcome=truth --actual truth --prob chance=rain"
        result = invoke(*shlex.split(line))
        assert (result.exit_code, result.stderr) == (0, "")

    def test_numbers_of_one_model_stand_below_each_other(self, here):
        """Where no model is named there is no table, but one line a number."""
        text = invoke(*shlex.split("scores weather.csv --actual outcome --prob chance=rain")).stdout
        lines = re.findall(r"^(  (\w[\w ]+?) +)\d\S*$", text, re.MULTILINE)
        assert [label for _, label in lines[:2]] == ["Rows", "Log loss"]
        assert len({len(head) for head, _ in lines}) == 1

    def test_a_calibration_names_impossible_rows(self, here):
        """What had been given probability 0 and happened is said beside an infinite error."""
        pb.Predictions.from_arrays([0, 1, 1, 0], [0.0, 0.0, 0.7, 0.4]).write(here / "zero.csv")
        text = invoke("calibration", "zero.csv", "--distance", "log").stdout
        assert "In 1 of 4 rows" in text

    def test_names_cannot_command_the_terminal(self, here):
        """A control character in a model's name is shown as its code."""
        names = np.repeat(["\x1b[31mred", "blue"], 2)
        pb.Predictions.from_arrays([0, 1] * 2, [0.2, 0.7] * 2, model=names).write("red.parquet")
        for command in ("scores", "test", "calibration"):
            text = invoke(command, "red.parquet").stdout
            assert "\x1b" not in text
            assert "\\x1b[31mred" in text

    def test_file_names_cannot_command_the_terminal(self, here):
        """A control character in a file's or folder's name is shown as its code, in errors too."""
        data = pb.read("weather.csv", actual="outcome", prob={"chance": "rain"})
        Path("\x1b[31m").mkdir()
        data.write("\x1b[31mred.csv")
        out = "\x1b[31m/page.html"
        for line in (
            ["scores", "\x1b[31mred.csv"],
            ["report", "\x1b[31mred.csv", "--out", out],
            ["scores", "\x1b[31mnowhere.csv"],
            ["\x1b[31m"],
        ):
            result = invoke(*line)
            assert "\x1b" not in result.output
            assert "\\x1b[31m" in result.output

    def test_a_page_names_no_folder_of_its_maker(self, here):
        """The command on the page has the files' names without the folders they were in."""
        for file in (f"{here}/weather.csv", "../" + f"{here.name}/./weather.csv"):
            line = ["report", file, *WEATHER, f"--out={here}/page.html", "--resamples", "9"]
            assert invoke(*line).exit_code == 0
            page = Path("page.html").read_text("utf-8")
            assert str(here) not in page
            assert here.name not in page
            expected = "plumbline report weather.csv --actual outcome --prob chance=rain"
            assert f"{expected} --out=page.html" in page

    def test_bins_are_named_as_on_the_page(self, here):
        """Only the first bin is closed below: [0, ...], then (lo, hi]."""
        text = invoke(
            "calibration", "weather.csv", *WEATHER, "--bins", "edges:0,0.5,1", "-v"
        ).stdout
        bins = re.findall(r"^([\[(].+?\])", text, re.MULTILINE)
        assert bins == ["[0, 0.5]", "(0.5, 1]"]

    def test_what_the_terminal_cannot_show_is_escaped(self, here):
        """A name in another script does not crash a terminal that lacks it."""
        names = np.repeat(["модель", "model"], 2)
        pb.Predictions.from_arrays([0, 1] * 2, [0.2, 0.7] * 2, model=names).write("m.parquet")
        done = run("scores", "m.parquet", env=os.environ | {"PYTHONIOENCODING": "latin-1"})
        assert done.returncode == 0
        assert "\\u043c" in done.stdout


BAD = {
    "unknown metric": f"scores {FOLDED} --metrics smoth-ece",
    "no metric": f"scores {FOLDED} --metrics ,",
    "option that no metric takes": f"scores {FOLDED} --metrics log-loss --norm 2",
    "view that a metric has not": f"scores {FOLDED} --metrics kuiper --view classwise",
    "groups of what there is not": f"scores {FOLDED} --metrics ece --by skye",
    "metrics of labels alone": "scores labels.csv --metrics ece",
    "missing file": "scores nowhere.csv",
    "folder": "scores .",
    "folder with an ending": "scores folder.csv",
    "empty file": "scores empty.csv",
    "unknown ending": "scores notes.txt",
    "no ending": "scores notes",
    "tolerance beside a statistic": f"test {FOLDED} --tolerance 0.1 --statistic ece",
    "tolerance of 5": f"test {FOLDED} --models forest --tolerance 5",
    "several models by class": f"test {FOLDED} --by class",
    "by no column": f"test {FOLDED} --models forest --by sight",
    "unknown adjustment": f"test {FOLDED} --by class --adjust holms",
    "omnibus with bins": f"test {FOLDED} --models forest --bins equal-size:5",
    "omnibus with a side": f"test {FOLDED} --models forest --alternative less",
    "exact where there is none": f"test {FOLDED} --models forest --statistic cox --null exact",
    "header only": "scores header.csv",
    "one row": "scores one.csv",
    "rubbish named parquet": "scores rubbish.parquet",
    "rubbish named arrow": "scores rubbish.arrow",
    "rubbish named feather": "test rubbish.feather",
    "rubbish named csv": "scores rubbish.csv",
    "half a parquet": "calibration half.parquet",
    "lines of different length": "scores ragged.csv",
    "name too long": f"scores {'long' * 100}.csv",
    "text probabilities": "test text.csv",
    "missing probability": "test gap.csv",
    "not a number": "scores nan.csv",
    "percentages": "test percent.csv",
    "negative": "test negative.csv",
    "sums off": "report off.csv",
    "unknown class": "scores stranger.csv",
    "repeated column": "scores twice.csv",
    "negative weight": "scores weight.csv",
    "no known column": "scores weather.csv",
    "only labels": "test labels.csv",
    "only ratings": "calibration ratings.csv",
    "a column of one class or the other": "scores fraud.csv",
    "wrong --actual": "test weather.csv --actual outcom --prob chance=rain",
    "wrong column in --prob": "test weather.csv --actual outcome --prob chanc=rain",
    "wrong class in --prob": "test weather.csv --actual outcome --prob chance=rian",
    "--prob with an empty class": "test weather.csv --actual outcome --prob chance=",
    "--prob twice": "test weather.csv --actual outcome --prob chance=rain --prob chance=dry",
    "wrong column in --rename": f"scores {FOLDED} --rename folds=fold",
    "--rename to a name of no meaning": "scores weather.csv --rename chance=wieght",
    "--rename to a name that is there": f"scores {FOLDED} --rename row=fold",
    "wrong --positive": f"scores {FOLDED} --positive sun",
    "unknown model": f"scores {FOLDED} --models forst",
    "no model at all": f"scores {FOLDED} --models ,",
    "models of a table without": "scores labels.csv --models a",
    "unknown fold": f"test {FOLDED} --folds 0,9",
    "unknown view": f"test {FOLDED} --view toplabel",
    "view of an unknown class": f"test {FOLDED} --view one-vs-rest:sun",
    "view without its class": f"test {FOLDED} --view one-vs-rest",
    "class for a view that takes none": f"test {FOLDED} --view joint:rain",
    "unknown bins": f"calibration {FOLDED} --bins equal-widht:15",
    "no bins": f"calibration {FOLDED} --bins equal-width:0",
    "bins for the joint view": f"test {FOLDED} --view joint --bins equal-width:5",
    "edges not from 0 to 1": f"test {FOLDED} --bins edges:0,0.5",
    "unknown distance": f"calibration {FOLDED} --distance absolut",
    "axis without a picture": f"calibration {FOLDED} --axis log-odds",
    "unknown axis": f"calibration {FOLDED} --axis log --out picture.png",
    "unknown outcome": f"calibration {FOLDED} --outcome right",
    "outcome that does not fit": f"calibration {FOLDED} --view top-label --outcome class",
    "unknown alternative": f"test {FOLDED} --alternative grater",
    "unknown null": f"test {FOLDED} --null exakt",
    "unknown statistic": f"test {FOLDED} --statistic ecee",
    "no resamples": f"test {FOLDED} --resamples 0",
    "negative resamples": f"test {FOLDED} --resamples -1",
    "resamples in words": f"test {FOLDED} --resamples many",
    "negative seed": f"test {FOLDED} --seed -1",
    "seed in words": "demo --seed zero",
    "no workers": f"test {FOLDED} --workers 0",
    "report into no folder": f"report {FOLDED} --out nowhere/report.html",
    "report onto a folder": f"report {FOLDED} --out folder.html",
    "report of another format": f"report {FOLDED} --out report.doc",
    "demo onto a file": "demo --out notes.txt",
    "no file named": "scores",
    "two files": f"scores {FOLDED} {FOLDED}",
    "unknown option": f"scores {FOLDED} --jason",
    "unknown command": "score predictions.parquet",
    "unknown shell": "--show-completion tcsh",
    "edges in letters": f"calibration {FOLDED} --bins edges:a",
    "norm below 1": f"calibration {FOLDED} --norm 0.5",
    "threshold of the joint view": f"calibration {FOLDED} --view joint --threshold 0.1",
    "level of no interval": f"calibration {FOLDED} --level 0.9",
}
WARNED = {  # a warning goes before the refusal
    "hits and logarithms of one class": f"calibration {FOLDED} --outcome correct --distance log "
    "--view one-vs-rest:dry",
}
OTHERS = re.compile(  # sentences of click and pyarrow, which change from version to version
    r"(No such |Got unexpected |Directory |'\w+' is not one of )[^\n]+(?= See:)"
    r"|(?<=be read as )\w+[^\n]+"
)


@pytest.fixture
def rubbish(here) -> Path:
    """Add the malformed files to the sample folder."""
    texts = {
        "empty.csv": "",
        "notes.txt": "actual,p:a,p:b\n",
        "notes": "x",
        "header.csv": "actual,p:a,p:b\n",
        "one.csv": "actual,p:a,p:b\na,.5,.5\n",
        "ragged.csv": "actual,p:a,p:b\na,.5,.5\nb,.5\n",
        "text.csv": "actual,p:a,p:b\na,.5,.5\nb,high,low\n",
        "gap.csv": "actual,p:a,p:b\na,.5,.5\nb,,.5\n",
        "nan.csv": "actual,p:a,p:b\na,nan,.5\nb,.5,.5\n",
        "percent.csv": "actual,p:a,p:b\na,50,50\nb,40,60\n",
        "negative.csv": "actual,p:a,p:b\na,-.5,1.5\nb,.4,.6\n",
        "off.csv": "actual,p:a,p:b,p:c\na,.3,.3,.3\nb,.4,.6,0\n",
        "stranger.csv": "actual,p:a,p:b\na,.5,.5\nc,.4,.6\n",
        "twice.csv": "actual,p:a,p:a\na,.5,.5\nb,.4,.6\n",
        "weight.csv": "actual,p:a,p:b,weight\na,.5,.5,1\nb,.4,.6,-2\n",
        "labels.csv": "actual,predicted\na,a\nb,a\n",
        "ratings.csv": "actual,score\nno,-3\nyes,4\n",
        "fraud.csv": "y_true,y_prob\nlegit,.1\nfraud,.9\n",
    }
    for name, text in texts.items():
        (here / name).write_text(text)
    noise = np.random.default_rng(3).bytes(500)
    for ending in ("parquet", "arrow", "feather", "csv"):
        (here / f"rubbish.{ending}").write_bytes(noise)
    whole = (here / FOLDED).read_bytes()
    (here / "half.parquet").write_bytes(whole[: len(whole) // 2])
    (here / "folder.csv").mkdir()
    (here / "folder.html").mkdir()
    return here


PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
ERRORS, CONFUSION = PAGE.with_name("errors.md"), PAGE.with_name("confusion.md")
KEYS, PLANS = PAGE.with_name("json.md"), PAGE.with_name("plan.md")
# Of a report: under the name of their command, as the page says.
SECTIONS = {name for name, row in REQUESTS.items() if row.section}


class TestPage:
    """docs/cli.md, the page for users, and the pages that ask of the same file."""

    @law("file", [PAGE, ERRORS, CONFUSION, KEYS, PLANS], number=2)
    def test_what_it_shows_is_what_is_printed(self, file, tmp_path, monkeypatch):
        """Every `$ plumbline ...` on the page prints what stands below it (... leaves out)."""
        monkeypatch.chdir(tmp_path)
        example = PAGE.read_text("utf-8")
        (code,) = re.findall(r"^```python\n(.+?)^```", example, re.MULTILINE | re.DOTALL)
        exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102  # the page's own example
        servers = [line for line, _ in shown_on(file) if line.startswith("serve")]
        assert not servers, "a server prints nothing and ends never: show it indented, without $"
        with undrawn():
            check_answers(file, least=1 if file in (KEYS, PLANS) else 6)

    def test_every_key_of_the_json_is_explained(self, here, reported):
        """The table of keys on the page leaves out none that is printed."""
        page = KEYS.read_text("utf-8")
        for command in FILE_COMMANDS:
            whole = reported[0] if command == "report" else answer(command, FOLDED)
            for key in (*whole, *whole["results"][0]):
                general = re.sub(r"(log_loss|brier_score|accuracy)(?=_fold)", "SCORE", key)
                section = command == "report" and key in SECTIONS
                assert section or f"`{general}`" in page, f"{command}: {key}"


TABLE_COMMANDS = [
    "scores",
    "scores --metrics ece --resamples 9",
    "calibration --resamples 0",
    "test --statistic ece",
    "test --statistic ece --by model",
    "test --tolerance 0.1",
    "curve --preset roc",
    "curve --difference --preset roc --resamples 99",
    "confusion",
    "compare --test bootstrap --resamples 99",
    "report --resamples 9 --out page.html",
    "recalibrate --models a --method platt",
]


@pytest.mark.usefixtures("here")
class TestPositive:
    """The positive class of two stands beside every number."""

    @pytest.fixture(autouse=True)
    def _rain(self, here):
        rng = np.random.default_rng(4)
        p = rng.random((2, 60))
        y = np.where(rng.random(60) < p[0], "rain", "dry")
        pb.Predictions.from_arrays(
            np.tile(y, 2),
            p.ravel(),
            positive="rain",
            model=np.repeat(["a", "b"], 60),
            row=np.tile(np.arange(60), 2),
        ).write(here / "rain.parquet")

    @pytest.mark.parametrize("command", TABLE_COMMANDS)
    def test_every_command_names_the_positive_class(self, command):
        """In the first line, and in the JSON beside the results, or in each of them."""
        name, *options = shlex.split(command)
        with undrawn() if name == "report" else nullcontext():
            text = invoke(name, "rain.parquet", *options, "--positive", "dry")
            whole = answer(name, "rain.parquet", *options, "--positive", "dry")
        assert re.search(r"\bdry\b", text.stdout.splitlines()[0])
        assert text.stderr == ""
        for one in [whole] if "positive" in whole else whole["results"]:
            assert one["positive"] == "dry"
        if name == "report":
            head = Path("page.html").read_text("utf-8").partition("</header>")[0]
            assert re.search(r"\bdry\b", head)

    def test_a_table_that_ranks_backwards_is_warned_of(self):
        """On standard error, with the code; the answer stands."""
        data = pb.read("rain.parquet").select(model="a")
        pb.Predictions.from_arrays(data.actual, 1 - data.prob[:, 1]).write("backwards.csv")
        for words in (
            ["scores"],
            ["scores", "--json"],
            ["confusion"],
            ["curve", "--preset", "roc"],
        ):
            output = invoke(words[0], "backwards.csv", *words[1:])
            assert output.exit_code == 0
            assert "auc-below-half: " in output.stderr
            assert "--positive 0" in output.stderr
        assert "auc-below-half" not in invoke("scores", "rain.parquet").stderr


class TestRefusals:
    """Bad command lines and bad files."""

    @pytest.mark.parametrize("name", BAD)
    def test_is_refused_in_one_clear_line(self, rubbish, name):
        """Exit status 2, one line on standard error, nothing on standard output, no file left."""
        before = sorted(rubbish.rglob("*"))
        result = invoke(*shlex.split(BAD[name]))
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        # Of unclear columns the commands that settle it follow, one a line.
        assert re.fullmatch(r"plumbline: error: .{12,}\n(  plumbline .+\n)*", result.stderr)
        assert "Traceback" not in result.stderr
        assert "`" not in result.stderr
        assert sorted(rubbish.rglob("*")) == before

    def test_says_what_its_snapshot_holds(self, rubbish):
        """The nearest name, the offending value, the remedy: the words of every refusal."""
        shown = []
        for name, line in {**BAD, **WARNED}.items():
            error = invoke(*shlex.split(line)).stderr.replace(str(rubbish), "FOLDER")
            error = OTHERS.sub("...", error)
            shown.append(f"# {name}\n$ plumbline {line}\n{error}")
        snapshots.same_as(SNAPSHOTS / "refusals.txt", "\n".join(shown))

    def test_as_a_program_there_is_no_traceback_either(self, rubbish):
        """The installed program ends with status 2 and the same one line."""
        done = run("scores", "rubbish.parquet")
        assert done.returncode == 2
        assert done.stdout == ""
        (line,) = done.stderr.splitlines()
        assert "error: 'rubbish.parquet' " in line

    def test_a_file_that_claims_more_than_memory_is_refused(self, rubbish, monkeypatch):
        """A Parquet file is asked for its size before anything is allocated."""
        monkeypatch.setattr("plumbline.predictions.files._memory", lambda: 1000)
        result = invoke("scores", FOLDED)
        assert result.exit_code == 2
        assert "claims 600 rows" in result.stderr

    def test_a_missing_extra_prints_the_command_that_installs_it(self, here, monkeypatch):
        """Without scikit-learn the demo says how to get it, before it writes anything."""
        monkeypatch.setitem(sys.modules, "sklearn", None)
        result = invoke("demo")
        assert result.exit_code == 2
        assert "'plumbline-eval[sklearn,report]'" in result.stderr
        assert not Path("demo").exists()

    def test_what_is_unexpected_keeps_its_traceback(self, here, monkeypatch):
        """A bug of ours is not dressed up as a mistake of the user's."""

        def broken(*_, **__):
            raise RuntimeError("a bug")

        monkeypatch.setattr("plumbline.frames.read_or_count", broken)
        with pytest.raises(RuntimeError, match="a bug"):
            invoke("scores", FOLDED)


class TestTerminal:
    """Progress, interruption and pipes, as programs see them."""

    def test_there_is_no_progress_where_nobody_watches(self, here):
        """With standard error in a file nothing is written to it."""
        done = run("test", FOLDED, "--resamples", "99")
        assert done.returncode == 0
        assert done.stderr == ""


if sys.platform != "win32":  # what follows is about pseudo terminals and the signals of POSIX
    import pty

    class TestPosixTerminal:
        """The same where there are pseudo terminals."""

        def test_progress_goes_to_a_terminal_on_standard_error(self, here):
            """On a terminal the bar reaches 100 %, and standard output holds the answer alone."""
            ours, theirs = pty.openpty()
            with subprocess.Popen(
                [*PYTHON, "test", FOLDED, "--json", "--resamples", "99"],
                stdout=subprocess.PIPE,
                stderr=theirs,
                text=True,
            ) as program:
                os.close(theirs)
                output = _read(ours)
                assert json.loads(program.stdout.read())["command"] == "test"
            assert "testing" in output
            assert "100%" in output

        @pytest.mark.parametrize("command", ["test", "report"])
        def test_control_c_ends_quietly(self, here, command):
            """Ctrl-C gives status 130, no traceback, and no file half written."""
            before = sorted(here.iterdir())
            ours, theirs = pty.openpty()
            with subprocess.Popen(
                [*PYTHON, command, FOLDED, "--resamples", "50000000"],
                stdout=subprocess.PIPE,
                stderr=theirs,
                text=True,
            ) as program:
                os.close(theirs)
                output = _read(ours, until="0%")  # drawn when the work begins
                program.send_signal(signal.SIGINT)
                output += _read(ours)
                assert program.stdout.read() == ""
            # Python ends by the signal itself where Ctrl-C met code it had compiled from a text.
            assert program.returncode in (130, -signal.SIGINT)
            assert output.endswith("plumbline: interrupted\r\n")
            assert "Traceback" not in output
            assert sorted(here.iterdir()) == before

        def test_a_closed_pipe_is_quiet(self, here):
            """`plumbline ... | head -1` prints its line and nothing about pipes."""
            command = f"{shlex.join(PYTHON)} scores {FOLDED} --json | head -1"
            done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
            assert done.stdout == "{\n"
            assert done.stderr == ""


def _read(descriptor: int, until: str | None = None) -> str:
    """Read a pseudo terminal until it shows a text, or until the other side is gone."""
    output = b""
    while until is None or until.encode() not in output:
        try:
            chunk = os.read(descriptor, 4096)
        except OSError:  # Linux says EIO where others say end of file
            chunk = b""
        if not chunk:
            os.close(descriptor)
            break
        output += chunk
    return output.decode()


def test_help_is_named_in_a_sentence_of_its_own():
    """Whatever the end of what is wrong, a full stop or question mark stands before `See`."""
    for line in (["power", "more.csv"], ["scores", "--nope"], ["curve", "--lost"]):
        result = invoke(*line)
        assert result.exit_code == 2
        assert re.search(r"(\.|\?|\?\)) See: [a-z ]+ --help$", result.stderr.strip())


def test_the_page_of_options_is_fresh():
    """docs/options.md is what scripts/options_page.py writes today, with every command."""
    file = Path(__file__).resolve().parents[2] / "scripts" / "options_page.py"
    spec = importlib.util.spec_from_file_location("options_page", file)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page = script.page()
    assert all(f"## plumbline {name}\n" in page for name in program.TITLES)
    assert script.PAGE.read_text("utf-8") == page, "run python scripts/options_page.py"
