"""The command `confusion`: typed matrices, predictions, rates, files, refusals."""

import csv
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import plumbline as pb
from plumbline.cli import main
from plumbline.confusion import RATES, confusion_matrix

DOCS = Path(__file__).parents[2] / "docs"
SMALL = ("--matrix", "1 1 0 / 2 2 3 / 0 0 4", "--rows", "predicted", "--classes", "a,b,c")
LARGE = ("--matrix", "100 10 1 / 2 2 3 / 8 5 400", "--rows", "predicted")
EIGHT = ("--counts", "TP=6,FP=12,FN=2,TN=130")


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Path:
    """Return a folder with the predictions that the examples of the help text name."""
    folder = tmp_path_factory.mktemp("samples")
    rng = np.random.default_rng(7)
    n, classes = 90, ["dry", "rain", "snow"]
    prob = rng.dirichlet([1, 1, 1], size=n)
    actual = [classes[number] for number in rng.integers(0, 3, n)]
    pb.Predictions.from_arrays(
        actual * 2,
        np.concatenate([prob, prob[::-1]]),
        classes=classes,
        model=["forest"] * n + ["bayes"] * n,
        row=np.tile(np.arange(n), 2),
    ).write(folder / "predictions.parquet")
    rain = rng.random(n) < 0.4
    pb.Predictions.from_arrays(
        rain, prob[:, 0], weight=rng.uniform(0.5, 2, n), classes=["False", "True"]
    ).write(folder / "weighted.csv")
    return folder


@pytest.fixture(autouse=True)
def _here(samples, tmp_path, monkeypatch):
    """Work in a folder of one's own that holds the predictions."""
    for file in samples.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)


def invoke(*words: str) -> Result:
    """Run a command line in this process; an unexpected exception comes through."""
    return CliRunner().invoke(main, ["confusion", *words], catch_exceptions=False)


def text(*words: str) -> str:
    """Return the answer for people."""
    result = invoke(*words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def answer(*words: str) -> list[dict]:
    """Return the entries that a command line prints with --json, read strictly."""
    result = invoke(*words, "--json")
    assert result.exit_code == 0, result.stderr
    read = json.loads(result.stdout, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    return read["results"]


def rates(entry: dict, group: str) -> dict[str, float]:
    """Return the values of a group in an entry."""
    return {row["name"]: row["value"] for row in entry["rates"] if row["group"] == group}


class TestHelp:
    """What a new user meets first."""

    def test_every_key_is_explained(self):
        """The table of keys in docs/json.md leaves out none that is printed."""
        page = (DOCS / "json.md").read_text("utf-8")
        (one,) = answer(*SMALL)
        keys = {*one, *one["overall"], *one["tables"]["a"], *one["rates"][0]}
        assert not {key for key in keys if f"`{key}`" not in page}

    def test_commands_on_the_page_without_an_answer_run_too(self):
        """The picture of the guide is what its command draws."""
        (line,) = re.findall(
            r"^plumbline confusion (.+)$", (DOCS / "confusion.md").read_text("utf-8"), re.M
        )
        text(*shlex.split(line))
        shown = (DOCS / "pictures" / "confusion" / "guide.svg").read_text("utf-8")
        texts = re.compile(r"<text[^>]*>([^<]+)</text>")
        assert texts.findall(Path("matrix.svg").read_text("utf-8")) == texts.findall(shown)


class TestLecture:
    """The worked numbers of a lecture on evaluating classifiers; its slips are noted."""

    def test_two_classes(self):
        """N = 150; the slide prints a specificity of 91.6 and an F1 of 46.1."""
        (one,) = answer(*EIGHT)
        result = rates(one, "positive") | one["overall"]
        expected = {
            "PPV": 6 / 18,
            "TPR": 0.75,
            "TNR": 130 / 142,
            "F1": 12 / 26,
            "accuracy": 136 / 150,
        }
        assert {name: result[name] for name in expected} == pytest.approx(expected, abs=1e-12)
        assert one["tables"]["positive"] == {"TP": 6, "FP": 12, "FN": 2, "TN": 130}

    def test_a_classifier_that_says_no(self):
        """Accuracy 0.99, recall 0, precision undefined with the reason."""
        (one,) = answer("--counts", "TP=0 FP=0 FN=10 TN=990")
        result = rates(one, "positive")
        assert (result["TPR"], result["PPV"], one["overall"]["accuracy"]) == (0, None, 0.99)
        output = text("--counts", "TP=0 FP=0 FN=10 TN=990")
        assert re.search(r"^precision +-  ", output, re.M)
        reasons = [row["reason"] for row in one["rates"] if row["name"] == "PPV"]
        assert reasons[0] in output

    @pytest.mark.parametrize(
        ("counts", "precision", "recall", "accuracy"),
        [
            ("TP=50,FP=50,FN=50,TN=850", 0.5, 0.5, 0.9),  # the slide's accuracy is 0.057
            ("TP=90,FP=250,FN=10,TN=650", 9 / 34, 0.9, 0.74),  # the slide's table prints 210
        ],
    )
    def test_thousand_items(self, counts, precision, recall, accuracy):
        """Two classifiers of 1,000 items, 100 of them positive."""
        (one,) = answer("--counts", counts)
        result = rates(one, "positive")
        assert (result["PPV"], result["TPR"]) == pytest.approx((precision, recall), abs=1e-12)
        assert one["overall"]["accuracy"] == pytest.approx(accuracy, abs=1e-12)

    def test_three_classes(self):
        """Rows printed as predicted classes; micro and macro; the accuracy by two names."""
        (one,) = answer(*SMALL, "--rates", "precision,recall,f1,accuracy")
        assert one["matrix"] == [[1, 2, 0], [1, 2, 0], [0, 3, 4]]
        assert (one["rows"], one["columns"], one["n"]) == ("actual", "predicted", 13)
        tables = [tuple(table.values()) for table in one["tables"].values()]
        assert tables == [(1, 1, 2, 9), (2, 5, 1, 5), (4, 0, 3, 6)]
        by = {group: rates(one, group) for group in ("a", "b", "c", "micro", "macro")}
        assert [by[c]["PPV"] for c in "abc"] == pytest.approx([1 / 2, 2 / 7, 1])
        assert [by[c]["TPR"] for c in "abc"] == pytest.approx([1 / 3, 2 / 3, 4 / 7])
        assert [by[c]["F1"] for c in "abc"] == pytest.approx([0.4, 0.4, 8 / 11])
        micro = {name: by["micro"][name] for name in ("PPV", "TPR", "F1")}
        assert micro == pytest.approx(dict.fromkeys(micro, 7 / 13))
        assert by["macro"]["F1"] == pytest.approx((0.4 + 0.4 + 8 / 11) / 3)
        assert rates(one, "all") == {"CA": pytest.approx(7 / 13)}
        assert (by["micro"]["CA"], by["macro"]["CA"]) == pytest.approx((27 / 39, 27 / 39))

    def test_a_rare_class(self):
        """Micro F1 0.945, macro F1 0.684 (the slide prints 0.69)."""
        (one,) = answer(*LARGE)
        assert rates(one, "micro")["F1"] == pytest.approx(502 / 531)
        assert rates(one, "macro")["F1"] == pytest.approx(0.684, abs=5e-4)


class TestTyped:
    """Matrices that come without a file of predictions."""

    @pytest.mark.parametrize("cells", ["3 1/2,4", "3 1\n2 4\n", "3, 1; 2, 4"])
    def test_cells_may_be_parted_in_several_ways(self, cells):
        """Slash, semicolon or a new line part rows; blanks or commas part cells."""
        (one,) = answer("--matrix", cells, "--rows", "actual")
        assert one["matrix"] == [[3, 1], [2, 4]]
        (turned,) = answer("--matrix", cells, "--rows", "predicted", "--positive", "0")
        assert turned["matrix"] == [[3, 2], [1, 4]]
        assert turned["positive"] == "0"

    @pytest.mark.parametrize(
        ("name", "lines", "words"),
        [
            ("m.csv", "3,1\n2,4\n", ["--rows", "actual", "--classes", "no,yes"]),
            ("m.csv", "no,yes\n3,1\n2,4\n", ["--rows", "actual"]),
            ("m.csv", ",no,yes\nno,3,1\nyes,2,4\n", ["--rows", "actual"]),
            ("m.csv", "\ufeffpredicted classes,no,yes\nno,3,2\nyes,1,4\n\n", []),
            ("m.tsv", "actual\tno\tyes\nno\t3\t1\nyes\t2\t4\n", ["--rows", "actual"]),
        ],
    )
    def test_a_file_may_hold_the_cells(self, name, lines, words):
        """With or without names of classes; the corner may say what rows are."""
        Path(name).write_text(lines, "utf-8")
        (one,) = answer("--matrix", name, *words)
        assert one["matrix"] == [[3, 1], [2, 4]]
        assert one["classes"] == ["no", "yes"]

    def test_what_out_writes_is_read_again(self):
        """Weights keep all their digits, and class names their commas."""
        text("weighted.csv", "--out", "m.csv")
        (first,), (again,) = answer("weighted.csv"), answer("--matrix", "m.csv")
        assert again["matrix"] == first["matrix"]
        assert (again["n"], first["n"]) == (None, 90)
        text("--matrix", "1 2/3 4", "--rows", "actual", "--positive", "0", "--out", "n.csv")
        with Path("n.csv").open(newline="") as file:
            rows = list(csv.reader(file))
        assert rows == [["actual \\ predicted", "0", "1"], ["0", "1", "2"], ["1", "3", "4"]]

    def test_counts_name_their_classes(self):
        """The negative class first, the positive one second."""
        (one,) = answer(*EIGHT, "--classes", "well,ill")
        assert (one["classes"], one["positive"]) == (["well", "ill"], "ill")


class TestPredictions:
    """Matrices of the rows of a file."""

    def test_every_model_has_the_librarys_numbers(self):
        """One entry a model, with counts, tables, rates and intervals of the library."""
        line = "--rates recall,ppv,kappa --average weighted --interval bootstrap --resamples 60"
        options = (*line.split(), "--seed", "4", "--level", "0.8", "--shares", "all")
        for one in answer("predictions.parquet", *options):
            data = pb.read("predictions.parquet").select(model=one["model"])
            matrix = confusion_matrix(data)
            expected = matrix.rates(
                ["recall", "ppv", "kappa"],
                average="weighted",
                interval="bootstrap",
                resamples=60,
                level=0.8,
                rng=4,
            )
            assert one["matrix"] == matrix.counts.tolist()
            assert one["shares"] == matrix.normalized("all").tolist()
            assert one["rates"] == json.loads(json.dumps(list(expected.rows())))
            assert one["tables"] == matrix.class_tables()
            assert one["overall"]["accuracy"] == pb.accuracy(data)
            assert (one["interval"], one["level"], one["resamples"]) == ("bootstrap", 0.8, 60)

    def test_threshold_and_target(self):
        """One class against the rest, at any threshold."""
        options = ("--models", "forest", "--target", "snow", "--threshold", "0.25")
        (one,) = answer("predictions.parquet", *options)
        data = pb.read("predictions.parquet").select(model="forest")
        matrix = confusion_matrix(data, target="snow", threshold=0.25)
        assert one["matrix"] == matrix.counts.tolist()
        assert one["classes"] == ["not snow", "snow"]
        assert (one["threshold"], one["target"]) == (0.25, "snow")
        assert "decision: p(snow) >= 0.25" in text("predictions.parquet", *options)
        (none,) = answer("predictions.parquet", *options[:-1], "inf")
        assert none["matrix"][0][1] == none["matrix"][1][1] == 0

    def test_weights_are_announced(self):
        """The heading says what weighted rows are worth, and cells are sums of weights."""
        (one,) = answer("weighted.csv")
        assert one["n"] == 90 > one["effective_n"]
        assert f"{one['effective_n']:.1f} rows" in text("weighted.csv")
        assert np.sum(one["matrix"]) == pytest.approx(pb.read("weighted.csv").mass.sum())

    def test_models_are_distinguished(self):
        """With several models each has its name above its matrix."""
        output = text("predictions.parquet")
        assert re.findall(r"^model (.+)\ndecision", output, re.M) == ["forest", "bayes"]


class TestWords:
    """The answer for people."""

    def test_classes_may_be_called_as_averages_are(self):
        """Lines of classes keep their own numbers, and a label tells them from the averages."""
        options = (*SMALL[:-1], "macro,all,micro", "--rates", "recall,accuracy")
        usual, lines = text(*SMALL, *options[-2:]).splitlines(), text(*options).splitlines()
        names = ["class 'macro'", "class 'all'", "class 'micro'", "micro average", "macro average"]
        first = [line[:6] for line in usual].index("class ")
        for shown, name, line in zip(usual[first + 1 :], names, lines[first + 1 :], strict=False):
            assert re.split(r" {2,}", line) == [name, *shown.split()[1:]]
        (one,), (other,) = answer(*SMALL, *options[-2:]), answer(*options)
        assert [(row["kind"], row["value"]) for row in other["rates"]] == [
            (row["kind"], row["value"]) for row in one["rates"]
        ]

    def test_the_matrix_has_its_sums_and_its_axes(self):
        """Lines are actual classes; the last line and column add up."""
        lines = text(*SMALL).splitlines()
        assert [line.split()[-5:] for line in lines[4:9]] == [
            ["predicted", "a", "b", "c", "sum"],
            ["a", "1", "2", "0", "3"],
            ["b", "1", "2", "0", "3"],
            ["c", "0", "3", "4", "7"],
            ["sum", "2", "7", "4", "13"],
        ]
        assert len(set(map(len, lines[4:9]))) == 1

    def test_a_rate_is_called_as_it_was_asked_for(self):
        """Its other names stand beside it, each once."""
        output = text(*EIGHT, "--rates", "hit-rate,Youden,f3", "--beta", "0.3")
        names = {line.split()[0]: line for line in output.splitlines() if line}
        assert names["hit-rate"].split()[1:3] == ["0.75", "8"]
        for name, others in (("hit-rate", ("recall", "TPR")), ("Youden", ("TSS",))):
            assert [names[name].count(f"{other}") for other in others] == [1] * len(others)
            assert names[name].count(name) == 1 + (name == "Youden")
        assert re.search(r"^f3 ", output, re.M)
        assert re.search(r"^F0.3 ", output, re.M)

    def test_every_printed_name_is_taken(self):
        """What --rates all prints in its columns of names is taken by --rates, with the value."""
        blocks = text(*EIGHT, "--rates", "all").split("\nrate ")[1:]
        lines = [
            re.split(r"\s{2,}", line)
            for block in blocks
            for line in block.partition("\n\n")[0].splitlines()[1:]
        ]
        assert len(lines) == len(RATES)
        for first, value, _, *others in lines:
            for name in (first, *(other for part in others for other in part.split(", "))):
                output = text(*EIGHT, "--rates", name.swapcase()).partition("\nrate ")[2]
                assert re.split(r"\s{2,}", output.splitlines()[1])[1] == value, name

    def test_all_rates_of_classes_fit_the_page(self):
        """Many columns are broken into several tables, each no wider than a page."""
        lines = text(*SMALL, "--rates", "all", "--average", "all").splitlines()
        tables = [line for line in lines if line.startswith("class ")]
        assert len(tables) > 1
        assert max(map(len, lines)) <= 96
        assert sum(line.startswith("weighted") for line in lines) == len(tables)

    def test_an_interval_stands_behind_its_value(self):
        """Behind the value of every class, in a column of its own for one class."""
        assert re.search(
            r"^b  +0.286 \(0.0822 to 0.641\)", text(*SMALL, "--interval", "wilson"), re.M
        )
        output = text(*EIGHT, "--interval", "wilson", "--level", "0.9")
        assert "90 % CI" in output
        assert "--interval auto" in output
        assert 'interval="' not in output

    def test_undefined_averages_are_explained_or_skipped(self):
        """Which class, why, and the option that averages the others."""
        options = ("--matrix", "2 1 0/1 2 0/1 0 0", "--rows", "actual", "--rates", "precision")
        output = " ".join(text(*options).split())
        assert "Precision is undefined in 1 class, '2'" in output
        assert "--undefined skip" in output
        (one,) = answer(*options, "--undefined", "skip")
        assert rates(one, "macro")["PPV"] == pytest.approx((2 / 4 + 2 / 3) / 2)

    def test_averages_can_be_left_out(self):
        """`--average none` shows the classes alone."""
        assert {row["group"] for row in answer(*SMALL, "--average", "none")[0]["rates"]} == {
            *("a", "b", "c", "all")
        }

    def test_shares_stand_below_the_counts(self):
        """Each line of the actual class adds up to 1."""
        output = text(*SMALL, "--shares", "actual")
        assert "c                       0  0.429  0.571" in output

    def test_of_many_classes_the_commonest_mistakes_are_reported(self):
        """A matrix wider than a page is not printed; its largest errors and first classes are."""
        k = 40
        cells = 5 * np.eye(k, dtype=int)
        cells[3, 17], cells[20, 1] = 9, 7
        rows = "/".join(" ".join(map(str, row)) for row in cells)
        lines = text("--matrix", rows, "--rows", "actual").splitlines()
        assert max(map(len, lines)) <= 96
        mistakes = [line.split() for line in lines if re.match(r"(3|20) .* \S+$", line)][:2]
        assert mistakes == [["3", "17", "9", "0.643"], ["20", "1", "7", "0.583"]]
        assert any(re.match(r"\.\.\. and 18 more", line) for line in lines)
        right = rows.replace("9", "0").replace("7", "0")
        lines = text("--matrix", right, "--rows", "actual").splitlines()
        assert not [line for line in lines if re.match(r"(3|20) +\d+ +\d+ +\S+$", line)]

    def test_names_cannot_command_the_terminal(self):
        """A control character in a class's name is shown as its code."""
        names = ("--classes", "\x1b[31mred,green")
        for words in ((), ("--shares", "all"), ("--average", "all")):
            output = text("--matrix", "1 0/3 0", "--rows", "actual", *names, *words)
            assert "\x1b" not in output
            assert "\\x1b[31mred" in output


BAD = {
    "nothing": "",
    "two sources": "predictions.parquet --counts TP=1,FP=1,FN=1,TN=1",
    "no rows": "--matrix '1 2/3 4'",
    "rows of a file": "predictions.parquet --rows actual",
    "classes of a file": "predictions.parquet --classes a,b,c",
    "other rows": "--matrix '1 2/3 4' --rows actua",
    "not square": "--matrix '1 2/3 4 5' --rows actual",
    "one cell": "--matrix 1 --rows actual",
    "words": "--matrix '1 2/3 x' --rows actual",
    "negative": "--matrix '1 -2/3 4' --rows actual",
    "too few names": "--matrix '1 2/3 4' --rows actual --classes a",
    "two files": "weighted.csv weighted.csv",
    "FILE as --out": "weighted.csv --out ./weighted.csv",
    "--matrix as --out": "--matrix corner.csv --out corner.csv",
    "no such file": "--matrix nowhere.csv --rows actual",
    "corner that says otherwise": "--matrix corner.csv --rows predicted",
    "names in another order": "--matrix names.csv --rows actual",
    "empty file": "--matrix empty.csv --rows actual",
    "ragged file": "--matrix ragged.csv --rows actual",
    "no text": "--matrix binary.csv --rows actual",
    "three counts": "--counts TP=6,FP=12,FN=2",
    "unknown count": "--counts TP=6,FP=12,FN=2,NT=130",
    "a count twice": "--counts TP=6,FP=12,FN=2,TN=1,TP=6",
    "a count of nothing": "--counts TP=,FP=12,FN=2,TN=1",
    "three classes of counts": "--counts TP=6,FP=12,FN=2,TN=1 --classes a,b,c",
    "positive of counts": "--counts TP=6,FP=12,FN=2,TN=1 --positive a",
    "threshold of counts": "--counts TP=6,FP=12,FN=2,TN=1 --threshold 0.3",
    "columns of a matrix": "--matrix '1 2/3 4' --rows actual --prob a=b",
    "target of a matrix": "--matrix '1 2/3 4' --rows actual --target 1",
    "unknown rate": "predictions.parquet --rates presicion",
    "no rate": "predictions.parquet --rates ,",
    "unknown average": "predictions.parquet --average mcro",
    "unknown interval": "predictions.parquet --interval wilsen",
    "no beta": "predictions.parquet --beta 0",
    "beta that is no number": "predictions.parquet --beta nan",
    "more rows than there are": "--matrix '1e19 1/2 1e19' --rows actual --interval bootstrap",
    "level alone": "predictions.parquet --level 0.9",
    "level of 5": "predictions.parquet --level 5 --interval wilson",
    "resamples of Wilson": "predictions.parquet --resamples 9 --interval wilson",
    "unknown class": "predictions.parquet --target snwo",
    "threshold of three classes": "predictions.parquet --threshold 0.5",
    "bootstrap of weights typed in": "--matrix '1.5 2/3 4' --rows actual --interval bootstrap",
    "several models into one file": "predictions.parquet --out m.svg",
    "another ending": "predictions.parquet --models bayes --out m.html",
    "another share": "predictions.parquet --shares row",
}

NEAR = {
    "nothing": "--matrix and --counts",
    "no rows": "--rows predicted",
    "other rows": "Did you mean 'actual'",
    "corner that says otherwise": "says that rows are actual",
    "three counts": "lacks TN",
    "unknown count": "got 'NT=130'",
    "unknown rate": "Did you mean 'precision'",
    "unknown average": "Did you mean 'micro'",
    "level alone": "--interval",
    "too few names": "--classes must name 2 classes, like A,B",
    "three classes of counts": "--classes must name 2 classes, like A,B",
    "two files": "'weighted.csv' is named twice",
    "FILE as --out": "--out would overwrite the data 'weighted.csv'",
    "--matrix as --out": "--out would overwrite the data 'corner.csv'",
    "unknown class": "Did you mean 'snow'",
    "threshold of three classes": "--target snow",
    "several models into one file": "--out m.svg --models forest",
}


class TestRefusals:
    """Bad command lines and bad matrices."""

    @pytest.mark.parametrize("name", BAD)
    def test_is_refused_in_one_clear_line(self, name):
        """Exit status 2, one line on standard error with the remedy, nothing else."""
        Path("corner.csv").write_text("actual,a,b\na,1,2\nb,3,4\n")
        Path("names.csv").write_text(",a,b\nb,1,2\na,3,4\n")
        Path("empty.csv").write_text("\n")
        Path("ragged.csv").write_text("a,b\n1,2\n3\n")
        Path("binary.csv").write_bytes(b"\xff\xfe\x00")
        before = sorted(Path().rglob("*"))
        result = invoke(*shlex.split(BAD[name]))
        assert result.exit_code == 2, result.output
        assert result.stdout == ""
        assert re.fullmatch(r"plumbline: error: .{12,}\n(  plumbline .+\n)*", result.stderr)
        assert "`" not in result.stderr
        assert NEAR.get(name, "") in result.stderr
        assert sorted(Path().rglob("*")) == before


def test_pictures_of_every_ending():
    """Each is written whole, and named in the answer."""
    for name, start in (("m.svg", b"<?xml"), ("m.png", b"\x89PNG"), ("m.pdf", b"%PDF")):
        output = text(*SMALL, "--out", name)
        assert output.endswith(f"\nPicture: {name}\n")
        assert Path(name).read_bytes().startswith(start)
    assert text(*SMALL, "--out", "m.csv").endswith("\nTable: m.csv\n")


def test_an_interval_without_a_name_is_the_usual_one():
    """`--interval` alone is `--interval auto`."""
    usual, alone = (invoke(*SMALL, "--interval", *name) for name in (["auto"], []))
    assert alone.exit_code == 0
    assert alone.stdout == usual.stdout
