import csv
import json
import os
import re
import runpy
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

import plumbline as pb
from curve_settings import used_only
from laws import law
from plumbline.cli import main
from plumbline.curves import PRESETS, best_threshold, cases_between, curve, curve_difference
from printed_pages import check_answers

DOCS = Path(__file__).parents[2] / "docs"
KEYS, GUIDE = DOCS / "json.md", DOCS / "curves.md"
PROFIT = "cumm(interest if eP else -amount)"
FEW = ("--resamples", "40")


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Path:
    """Return a folder with the loans that the examples of the help text name."""
    folder = tmp_path_factory.mktemp("samples")
    rng = np.random.default_rng(4)
    n = 120
    p_true = rng.uniform(size=n)
    bold = p_true**2 / (p_true**2 + (1 - p_true) ** 2)
    columns = {
        "age": rng.integers(20, 80, n),
        "purpose": rng.choice(["car", "house", "boat"], n),
        "amount": rng.gamma(2, 500, n).round(),
    }
    columns["interest"] = (0.2 * columns["amount"]).round()
    pb.Predictions.from_arrays(
        np.tile(np.where(rng.uniform(size=n) < p_true, "paid", "lost"), 2),
        np.concatenate([p_true, np.clip(bold + rng.normal(0, 0.05, n), 0, 1)]),
        classes=["lost", "paid"],
        model=np.repeat(["careful", "bold"], n),
        fold=np.tile(np.arange(n) % 3, 2),
        row=np.tile(np.arange(n), 2),
        attributes={name: np.tile(values, 2) for name, values in columns.items()},
    ).write(folder / "loans.csv")
    return folder


@pytest.fixture(autouse=True)
def _here(samples, tmp_path, monkeypatch):
    """Work in a folder of one's own that holds the loans."""
    (tmp_path / "loans.csv").write_bytes((samples / "loans.csv").read_bytes())
    monkeypatch.chdir(tmp_path)


def invoke(*words: str) -> Result:
    """Run a command line in this process; an unexpected exception comes through."""
    return CliRunner().invoke(main, ["curve", *words], catch_exceptions=False)


def text(*words: str) -> str:
    """Return the answer to a command line with its lines joined."""
    result = invoke(*words)
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stdout.split())


def answer(*words: str) -> dict:
    """Return what a command line prints with --json, read strictly."""
    result = invoke(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


def plain(value: object) -> object:
    """Return a result as JSON gives it back."""
    return json.loads(json.dumps(value))


class TestHelp:
    """What a new user meets first."""

    def test_every_preset_is_listed_with_its_formulas(self):
        """Name, what it needs, x and y."""
        listing = invoke("--list").stdout
        for name, preset in PRESETS.items():
            (line,) = re.findall(rf"^{name} .*$", listing, re.MULTILINE)
            assert preset.y in line
            assert (preset.x or "--x COLUMN") in line
        rows = answer("--list")["results"]
        assert [row["preset"] for row in rows] == list(PRESETS)
        assert rows[0]["explanation"] == PRESETS["roc"].explanation

    def test_names_of_settings_are_completed(self):
        """What begins as the word does is offered."""
        for option, typed, offered in (
            ("preset", "prec", ["precision-recall", "precision-recall-gain"]),
            ("average", "vert", ["vertical"]),
            ("band", "", ["none", "folds", "bootstrap"]),
        ):
            (param,) = [one for one in main.commands["curve"].params if one.name == option]
            context = click.Context(main.commands["curve"])
            names = [item.value for item in param.type.shell_complete(context, param, typed)]
            assert names == offered


class TestGuide:
    """docs/curves.md, the page for users."""

    def test_what_it_shows_is_what_is_printed(self, monkeypatch):
        """Every `$ plumbline ...` on the page prints what stands below it (... leaves out)."""
        page = GUIDE.read_text("utf-8")
        ((script, words),) = re.findall(r"^\$ python (\S+) (.+)$", page, re.MULTILINE)
        monkeypatch.setattr(sys, "argv", [script, *shlex.split(words)])
        runpy.run_path(str(DOCS.parent / script), run_name="__main__")
        check_answers(GUIDE, least=6)

    def test_other_commands_on_it_run_too(self):
        """Examples without their answer can be typed as well."""
        lines = re.findall(r"^plumbline curve (.+)$", GUIDE.read_text("utf-8"), re.MULTILINE)
        assert len(lines) >= 3
        for line in lines:
            draws = any(word in line for word in ("bootstrap", "--optimum", "--difference"))
            result = invoke(*shlex.split(line), *(FEW if draws else ()))
            assert result.exit_code == 0, (line, result.stderr)


class TestJson:
    """The library's numbers under fixed names."""

    def test_lines_are_the_librarys(self):
        """An entry a line: formulas, points, what was left out, the area with its name."""
        options = ("--preset", "precision-recall", "--where", "age > 40", "--target", "lost")
        whole = answer("loans.csv", *options)
        data = pb.read("loans.csv")
        expected = curve(data, "precision-recall", where="age > 40", target="lost")
        for one, line in zip(whole["results"], expected.to_dict()["lines"], strict=True):
            assert {name: one[name] for name in line} == plain(line)
            assert (one["x"], one["y"], one["n"]) == ("recall", "precision", line["n"])
            kept = data.select(model=one["model"])
            kept = kept.select(where=kept.attributes["age"] > 40)
            from plumbline.curves import average_precision

            assert one["area_name"] == "average precision"
            assert one["area"] == pytest.approx(average_precision(kept, target="lost"), abs=1e-12)
        assert whole["settings"] == plain(expected.settings.to_dict())
        assert whole["notes"] == list(expected.notes)

    @law(
        ("words", "settings"),
        [
            ("--x PP --y TP --merge none --ascending", {"merge": "none", "direction": "ascending"}),
            ("--x PP --y TP --average threshold --thresholds 7", {"thresholds": 7}),
            ("--x PP --y TP --average vertical --points 9 --band folds", {"points": 9}),
            ("--x PP --y TP --average none --folds 0,2 --models bold", {"average": "none"}),
            ("--x age --y eCA --average smooth --span 0.3", {"span": 0.3, "merge": "none"}),
            ("--x age --y 'cumm(eP)' --unsorted", {"direction": "unsorted"}),
            ("--x PP --y TP --sort-by 'probability * amount'", {"sort_by": "probability * amount"}),
            ("--preset profit --param gain=3 --param loss=2", {"params": {"gain": 3, "loss": 2}}),
            ("--preset roc --multiclass micro", {"multiclass": "micro", "target": None}),
            (
                "--preset roc --band bootstrap --level 0.8 --seed 3 --resamples 40 --x-title rate",
                {"level": 0.8, "seed": 3, "resamples": 40, "x_title": "rate"},
            ),
        ],
        number=5,
    )
    def test_every_option_is_a_setting(self, words, settings):
        """What is typed is what the library is asked, and its points are printed."""
        whole = answer("loans.csv", *shlex.split(words))
        assert {name: whole["settings"][name] for name in settings} == settings
        params = dict(whole["settings"])
        seed = params.pop("seed")
        data = pb.read("loans.csv")
        data = data.select(model="bold", fold=["0", "2"]) if "--folds" in words else data
        preset = params.pop("preset")
        expected = curve(data, **used_only(data, preset=preset, rng=seed, **params))
        points = [line["points"] for line in expected.to_dict()["lines"]]
        assert [one["points"] for one in whole["results"]] == plain(points)
        assert text("loans.csv", *shlex.split(words))

    def test_the_optimum_is_the_librarys(self):
        """With its constraint, every model has the answer of `best_threshold`."""
        options = ("--x", "threshold", "--y", PROFIT, "--optimum", "max", *FEW, "--seed", "2")
        limit = "recall >= 0.5"
        whole = answer("loans.csv", *options, "--subject-to", limit, "--level", "0.8")
        for one in whole["results"]:
            best = best_threshold(
                pb.read("loans.csv").select(model=one["model"]),
                PROFIT,
                subject_to=limit,
                resamples=40,
                level=0.8,
                rng=2,
            )
            assert one["optimum"] == plain(best.to_dict())
        output = text("loans.csv", *options, "--subject-to", limit, "--level", "0.8")
        assert f"bold: {best.verdict}" in output
        assert "cross-validated" in output

    def test_cases_are_the_librarys(self):
        """The rows between two thresholds, all in the file, the first twenty on the screen."""
        options = ("--preset", "accuracy", "--models", "bold", "--between", "0.2:0.8")
        cases = cases_between(pb.read("loans.csv").select(model="bold"), low=0.2, high=0.8)
        assert answer("loans.csv", *options)["cases"] == plain(cases.to_dict())
        output = text("loans.csv", *options, "--cases", "near.csv")
        assert re.search(rf" {cases.n} rows [^.]+ 0\.2 [^.]+ 0\.8:", output)
        assert f"and {cases.n - 20} rows" in output
        with Path("near.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [int(row["row"]) for row in rows] == [case["row"] for case in cases.cases]
        assert "cases" not in answer("loans.csv", "--preset", "roc")

    def test_no_case_is_said(self):
        """A band without rows says so."""
        options = ("--preset", "accuracy", "--models", "bold", "--between", "2:")
        assert answer("loans.csv", *options)["cases"]["n"] == 0
        assert "`probability` from 2" in text("loans.csv", *options, "--cases", "none.csv")
        (header,) = Path("none.csv").read_text("utf-8").splitlines()
        text("loans.csv", *options[:-1], "0.2:0.8", "--cases", "near.csv")
        assert header == Path("near.csv").read_text("utf-8").splitlines()[0]

    def test_rows_alone_come_without_a_curve(self):
        """--between with no formula shows and writes the rows, of those that --where keeps."""
        options = ("--models", "bold", "--between", "0.2:0.8", "--where", "age > 40")
        data = pb.read("loans.csv").select(model="bold")
        cases = cases_between(data, low=0.2, high=0.8, where="age > 40")
        whole = answer("loans.csv", *options, "--cases", "near.csv")
        assert (whole["results"], whole["cases"]) == ([], plain(cases.to_dict()))
        assert len(Path("near.csv").read_text("utf-8").splitlines()) == cases.n + 1
        output = text("loans.csv", *options)
        assert re.search(rf" {cases.n} rows \S+ \S+ from 0\.2 ", output)
        assert "points" not in output

    def test_a_difference_is_the_librarys(self):
        """The models in the order of --models; CSV, JSON and a picture."""
        options = ("--preset", "accuracy", "--difference", "--points", "21", *FEW)
        out = [word for name in ("d.csv", "d.json", "d.svg") for word in ("--out", name)]
        (one,) = answer("loans.csv", *options, *out, "--models", "bold,careful")["results"]
        data = pb.read("loans.csv")
        expected = curve_difference(
            data, "accuracy", models=("bold", "careful"), points=21, resamples=40
        )
        assert one == plain(expected.to_dict())
        assert one["models"] == ["bold", "careful"]
        assert len(Path("d.csv").read_text().splitlines()) == 1 + len(expected.x)
        assert json.loads(Path("d.json").read_text()) == one
        assert Path("d.svg").read_bytes().startswith(b"<?xml")
        assert "Result: d.json" in text("loans.csv", *options, "--out", "d.json")
        assert expected.verdict.split(";")[0] in text(
            "loans.csv", *options, "--models", "bold,careful"
        )

    def test_every_key_is_explained(self):
        """The table of keys in docs/json.md leaves out none that is printed."""
        page = KEYS.read_text("utf-8")
        options = ("--preset", "roc", "--models", "bold", "--between", "0.4:0.6", *FEW)
        whole = answer("loans.csv", *options, "--optimum", "max", "--y", "CA")
        difference = answer("loans.csv", "--preset", "accuracy", "--difference", *FEW)
        keys = {*whole, *whole["results"][0], *whole["results"][0]["points"][0]}
        keys |= {*difference["results"][0], *answer("--list")["results"][0]}
        assert not {key for key in keys if f"`{key}`" not in page}


class TestFiles:
    """What --out writes."""

    def test_every_ending_in_one_go(self):
        """Points, card, pictures and a page, each with its line in the answer."""
        names = ["c.csv", "c.json", "c.svg", "c.png", "c.pdf", "c.html"]
        out = [word for name in names for word in ("--out", name)]
        output = invoke(
            "loans.csv", "--preset", "accuracy", "--models", "bold", "--optimum", "max", *FEW, *out
        ).stdout
        starts = [b'"model"', b"{", b"<?xml", b"\x89PNG", b"%PDF", b"<!DOCTYPE html>"]
        for name, start in zip(names, starts, strict=True):
            assert Path(name).read_bytes().startswith(start)
            assert re.search(rf"^\w+: {name}$", output, re.MULTILINE)
        page = Path("c.html").read_text("utf-8")
        command = "loans.csv --preset accuracy --models bold --optimum max"
        assert command in page
        assert "Best threshold" in page

    def test_a_band_of_cases_is_in_picture_and_page(self):
        """The band is shaded, and the page tells its rows."""
        options = ("--preset", "accuracy", "--models", "bold", "--out", "c.html", "--out", "c.svg")
        invoke("loans.csv", *options)
        assert "Chosen cases" not in Path("c.html").read_text("utf-8")
        plainly = Path("c.svg").read_bytes()
        invoke("loans.csv", *options, "--between", "0.2:0.8")
        assert "Chosen cases" in Path("c.html").read_text("utf-8")
        assert Path("c.svg").read_bytes() != plainly

    def test_a_page_names_no_folder_of_its_maker(self, tmp_path):
        """The command on the page has the files without their folders."""
        invoke(str(tmp_path / "loans.csv"), "--preset", "roc", "--out", str(tmp_path / "c.html"))
        page = Path("c.html").read_text("utf-8")
        assert str(tmp_path) not in page
        command = "loans.csv --preset roc --out c.html"
        assert command in page

    def test_a_curve_spec_is_drawn_again_and_overruled(self):
        """The same points; other rows with a warning; options win over the card."""
        options = ("--x", "PP / NN", "--y", PROFIT, "--where", "age > 30", "--out", "card.json")
        first = answer("loans.csv", *options)
        again = answer("loans.csv", "--card", "card.json")
        assert again["results"] == first["results"]
        assert again["settings"] == first["settings"]
        other = answer("loans.csv", "--card", "card.json", "--y", "TPR", "--merge", "none")
        assert other["settings"]["where"] == "age > 30"
        assert (other["settings"]["y"], other["settings"]["merge"]) == ("TPR", "none")
        seeded = answer("loans.csv", "--card", "card.json", "--seed", "5")
        assert seeded["settings"] == {**first["settings"], "seed": 5}
        result = invoke("loans.csv", "--card", "card.json", "--models", "bold")
        assert result.exit_code == 0
        (line,) = result.stderr.splitlines()
        assert line.startswith("plumbline: warning: ")
        assert "'card.json'" in line


class TestWords:
    """The answer for people."""

    def test_formulas_settings_points_and_area(self):
        """A preset shows its formulas, so that they can be copied."""
        output = invoke("loans.csv", "--preset", "roc", "--models", "bold").stdout
        assert "\n  x: FPR\n  y: TPR\n" in output
        lines = output.splitlines()
        place = next(j for j, line in enumerate(lines) if line.split() == ["threshold", "x", "y"])
        assert lines[place + 1].split() == ["∞", "0", "0"]
        assert len(lines[place:]) == 12
        assert "AUC" in output

    def test_several_lines_are_counted_and_their_points_are_elsewhere(self):
        """Folds of two models: six lines, and where to find their points."""
        output = invoke("loans.csv", "--preset", "roc", "--average", "none").stdout
        assert len(re.findall(r"^(?:careful|bold) +\d +40", output, re.MULTILINE)) == 6
        assert not re.search(r"^ *threshold +x +y$", output, re.MULTILINE)

    def test_categories_by_name(self):
        """Every category with its mean, its interval and its count."""
        output = invoke(
            "loans.csv", "--preset", "error-by-attribute", "--x", "purpose", "--models", "bold"
        ).stdout
        purposes = ["boat", "car", "house"]
        rows = [line.split()[0] for line in output.splitlines() if line.strip()]
        assert [name for name in rows if name in purposes] == purposes
        assert "Band: 95 % CI" in output

    def test_notes_and_what_was_left_out(self):
        """The linter speaks, and undefined points are counted by reason."""
        output = text("loans.csv", "--x", "threshold", "--y", "NPV", "--merge", "none")
        assert "`TN / NP`" in output
        output = text("loans.csv", "--x", "age", "--y", "eFN", "--average", "smooth")
        assert "`eFN` is " in output

    def test_a_line_without_points_says_why(self):
        """One class alone has no ROC curve."""
        output = text("loans.csv", "--preset", "roc", "--where", "eP")
        (line, _) = answer("loans.csv", "--preset", "roc", "--where", "eP")["results"]
        assert line["reason"] in output
        assert "'paid'" in line["reason"]

    def test_names_cannot_command_the_terminal(self):
        """Control characters of a file show as text."""
        Path("evil.csv").write_text("actual,p:a,p:b,model\na,1,0,\x1b[31m\nb,0,1,\x1b[31m\n")
        assert "\x1b" not in invoke("evil.csv", "--preset", "roc").stdout


REFUSED = [
    ([], "needs --preset NAME (see --list), --x"),
    (["--x", "FPR"], "needs a formula for --y"),
    (["--preset", "rocc"], "Did you mean 'roc'"),
    (["--preset", "error-by-attribute"], "name one as --x, for instance --x age"),
    (["--preset", "roc", "--average", "none", "--band", "bootstrap"], "use --average merge"),
    (["--preset", "roc", "--sort-by", "age", "--unsorted"], "--sort-by is 'age'"),
    (["--preset", "roc", "--multiclass", "micro", "--target", "paid"], "leave --target out"),
    (["--preset", "roc", "--target", "payed"], "Did you mean 'paid'"),
    (["--preset", "roc", "--span", "7"], "--span must be a fraction above 0"),
    (["--preset", "roc", "--span", "wide"], "--span must be a number"),
    (["--preset", "roc", "--points", "1"], "--points must be a whole number from 2"),
    (["--preset", "roc", "--thresholds", "1000000000000"], "--thresholds must be a whole number"),
    (["--preset", "roc", "--level", "95"], "--level must be a fraction"),
    (["--preset", "profit", "--param", "gain"], "it must be NAME=VALUE"),
    (["--preset", "profit", "--param", "gain=much"], "it must be a number"),
    (["--preset", "roc", "--out", "roc.doc"], "must end in"),
    (["--preset", "roc", "--subject-to", "recall > 0"], "--subject-to applies only with --optimum"),
    (["--preset", "roc", "--cases", "a.csv"], "--cases applies only with --between"),
    (["--preset", "roc", "--between", "0.6:0.4"], "LOW must be below HIGH"),
    (["--preset", "roc", "--between", "a:b"], "it must be LOW:HIGH"),
    (["--preset", "roc", "--between", ":"], "--models bold"),
    (["--preset", "roc", "--ascending", "--descending"], "--descending and --ascending are"),
    (["--preset", "roc", "--band", "folds", "--average", "none"], "use --average vertical"),
    (["--preset", "roc", "--between", "0.4"], "it must be LOW:HIGH"),
    (["--preset", "roc", "--between", "0.4:0.6"], "--models bold"),
    (["--preset", "roc", "--optimum", "most"], "--optimum must be one of"),
    (
        ["--preset", "roc", "--optimum", "max", "--average", "none"],
        "has --average none. Use --average merge",
    ),
    (
        ["--preset", "roc", "--optimum", "max", "--multiclass", "macro"],
        "has --multiclass macro. Use --target",
    ),
    (["--preset", "roc", "--difference", "--optimum", "max"], "--difference takes no --optimum"),
    (["--preset", "roc", "--difference", "--band", "bootstrap"], "--difference takes no --band"),
    (["--preset", "roc", "--difference", "--out", "a.html"], "--difference writes .csv"),
    (["--preset", "roc", "--difference", "--models", "bold"], "two"),
    (["--preset", "roc", "--out", "loans.csv"], "--out would overwrite the data 'loans.csv'"),
    (["--preset", "roc", "--between", "0.4:0.6", "--cases", "./loans.csv"], "--cases would over"),
    (["loans.csv", "--preset", "roc"], "'loans.csv' is named twice"),
    (["--between", "0.4:0.6", "--models", "bold", "--band", "folds"], "--band is of a curve"),
    (["--between", "0.4:0.6", "--optimum", "max"], "a curve needs --preset"),
    (["--where", "age > 3"], "--between LOW:HIGH alone"),
    (["--card", "none.json"], "there is no card"),
    (["--card", "loans.csv"], "is not a card"),
]

POINTED = [
    (["--preset", "roc", "--y", "recal + 1"], "Did you mean 'recall'", "  recal + 1", "  ^^^^^"),
    (["--preset", "roc", "--where", "age >"], "", "  age >", "      ^"),
    (
        ["--x", "age", "--y", "recall", "--sort-by", "age"],
        "(--sort-by probability)",
        "  recall",
        "  ^^^^^^",
    ),
    (["--x", "age", "--y", "purpose"], "--y must be a number", "  purpose", "  ^^^^^^^"),
    (
        ["--preset", "roc", "--optimum", "max", "--subject-to", "age > 3"],
        "--subject-to must be true or false",
        "  age > 3",
        "  ^^^^^^^",
    ),
]


class TestRefusals:
    """Bad questions are exit status 2 and nothing on standard output."""

    @pytest.mark.parametrize(("words", "says"), REFUSED, ids=lambda value: " ".join(value))
    def test_one_line_that_names_the_option(self, words, says):
        """The line begins as all do, names the rule or the remedy, and leaves no file."""
        result = invoke("loans.csv", *words)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert says in result.stderr
        assert re.fullmatch(r"plumbline: error: .{12,}\n(  plumbline .+\n)*", result.stderr)
        assert [path.name for path in Path().iterdir()] == ["loans.csv"]

    def test_comparing_never_overwrites_what_it_compares(self):
        """Nor through a link to it."""
        Path("link.csv").symlink_to("loans.csv")
        before = Path("loans.csv").read_bytes()
        words = ["compare", "loans.csv", "--out", "a.csv", "--out", "link.csv"]
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "error: --out " in result.stderr
        assert "'link.csv'" in result.stderr
        assert Path("loans.csv").read_bytes() == before
        assert not Path("a.csv").exists()

    @pytest.mark.parametrize(
        ("column", "words", "says"),
        [
            ("fold", ["--average", "vertical"], "--average vertical needs a 'fold' column"),
            (
                "model",
                ["--rename", "row=name", "--difference"],
                "of two models, this table holds one, without a name",
            ),
        ],
    )
    def test_a_column_that_is_missing_goes_by_its_own_name(self, column, words, says):
        """What is said of a column is not said of the option of its name."""
        result = invoke("loans.csv", "--preset", "roc", "--rename", f"{column}=other", *words)
        assert result.exit_code == 2
        assert says in result.stderr

    @pytest.mark.parametrize(("words", "says", "formula", "carets"), POINTED)
    def test_a_formula_is_shown_with_its_place(self, words, says, formula, carets):
        """Two more lines: the formula, and carets below the place."""
        result = invoke("loans.csv", *words)
        assert result.exit_code == 2
        assert result.stdout == ""
        first, *rest = result.stderr.splitlines()
        assert first.startswith("plumbline: error: ")
        assert says in first
        assert rest == [formula, carets]

    def test_without_a_file(self):
        """FILE is needed but for the list."""
        result = invoke("--preset", "roc")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--list" in result.stderr

    def test_a_formula_cannot_command_the_terminal(self):
        """Control characters in a formula are shown as spaces or escapes."""
        assert "\x1b" not in invoke("loans.csv", "--x", "\x1b[31m", "--y", "TPR").stderr


if sys.platform != "win32":
    import pty

    class TestTerminal:
        """Interruption, as programs see it."""

        def test_control_c_ends_quietly(self):
            """Ctrl-C during a band gives status 130, one line, and no file."""
            ours, theirs = pty.openpty()
            words = "curve loans.csv --preset roc --band bootstrap --resamples 1000000 --out a.csv"
            command = [sys.executable, "-m", "plumbline", *words.split()]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as program:
                os.close(theirs)
                output = b""
                while b"0%" not in output:
                    output += os.read(ours, 4096)
                program.send_signal(signal.SIGINT)
                try:
                    while chunk := os.read(ours, 4096):
                        output += chunk
                except OSError:  # Linux says EIO where others say end of file
                    pass
                os.close(ours)
                assert program.stdout.read() == b""
            assert program.returncode in (130, -signal.SIGINT)
            assert output.endswith(b"plumbline: interrupted\r\n")
            assert b"Traceback" not in output
            assert not Path("a.csv").exists()
