"""`plumbline estimate`: from a file of examples to a prediction table."""

import csv
import json
import re
import sys
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner, Result
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import plumbline as pb
from plumbline.cli import main
from plumbline.cli.estimate import toml_value
from plumbline.cli.estimate_data import preparation_text, prepared, read_rows
from plumbline.validation.results import SCHEME_TEXTS, scheme_words
from plumbline.validation.schemes import KINDS
from printed_pages import check_answers
from refusals import warned

PAGE = Path(__file__).parents[2] / "docs" / "estimation.md"
NB = ("--model", "sklearn.naive_bayes:GaussianNB")
LR = ("--model", "sklearn.linear_model:LogisticRegression", "--preprocess", "scale")
KEYS = [
    "model",
    "n",
    "n_tested",
    "scheme",
    "honest",
    "seed",
    "metrics",
    "bootstrap",
    "folds",
    "choices",
    "agree",
    "warnings",
    "out",
]
GRID = 'scoring = "log-loss"\n[params]\nC = [0.01, 1]\n'
CANCER = load_breast_cancer()
X, Y = CANCER.data[:150, :6], CANCER.target[:150]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    """Work in a folder of one's own, in which a file of examples and a grid lie."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    write("data.csv", [f"f{i}" for i in range(6)], X, Y)
    Path("grid.toml").write_text(GRID, "utf-8")


def write(name, columns, rows, y, target="y"):
    """Write a CSV file; None is an empty cell."""
    with Path(name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*columns, target])
        writer.writerows([*row, label] for row, label in zip(rows, y, strict=True))


def invoke(*words: str) -> Result:
    """Run a command line in this process; an unexpected exception comes through."""
    return CliRunner().invoke(main, ["estimate", *words], catch_exceptions=False)


def entries(*words: str):
    """Return the results of a command line with --json."""
    result = invoke(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["results"]


def mixed(n=60):
    """Return a table of numbers with holes, categories with holes, truth values and a group."""
    rng = np.random.default_rng(5)
    age = rng.integers(20, 80, size=n)
    rows = [
        [
            None if i % 7 == 0 else int(a),
            rng.choice(["north", "south", ""]),
            bool(rng.integers(2)),
            f"2020-01-{i % 28 + 1:02d}",
            i % 12,
            float(rng.normal()),
        ]
        for i, a in enumerate(age)
    ]
    return (
        ["age", "ward", "smoker", "seen", "doctor", "dose"],
        rows,
        rng.permutation(["no", "yes"] * (n // 2)),
    )


class TestAnswer:
    """What is printed and written is what the library answers."""

    def test_repeated_rows_go_on_to_a_command_that_draws_examples_whole(self):
        """A report would take the rows of one example for independent draws."""
        result = invoke(
            "data.csv",
            "--target",
            "y",
            *NB,
            "--scheme",
            "repeated-stratified:2x2",
            "--out",
            "p.parquet",
        )
        assert "confusion p.parquet" in result.stdout

    def test_the_file_holds_the_predictions_of_the_library(self):
        """Row by row, with folds, and the table says what `estimate` says."""
        result = invoke(
            "data.csv",
            "--target",
            "y",
            *NB,
            "--scheme",
            "stratified:4",
            "--seed",
            "3",
            "--out",
            "p.parquet",
        )
        assert result.exit_code == 0
        assert re.search(r"^  \w+ +p.parquet \(150 ", result.stdout, re.MULTILINE)
        assert "report p.parquet" in result.stdout
        assert not Path("p.parquet.parts").exists()
        expected = pb.estimate(GaussianNB(), X, Y, scheme="stratified:4", rng=3)
        data = pb.read("p.parquet")
        assert np.array_equal(data.prob, expected.predictions.prob)
        assert data.folds == expected.predictions.folds
        row = expected.models[0].summary[0]
        assert re.search(
            rf"accuracy +{row.mean:.4f} +{row.deviation:.4f} +{row.least:.4f}", result.stdout
        )

    def test_json_holds_one_entry_a_model(self):
        """The keys that the page explains, and numbers of the library."""
        out = entries(
            "data.csv",
            "--target",
            "y",
            *NB,
            "--model",
            "tree=sklearn.tree:DecisionTreeClassifier",
            "--param",
            "tree:max_depth=2",
            "--scheme",
            "k-fold:3",
            "--metrics",
            "accuracy,ece",
        )
        assert [one["model"] for one in out] == ["GaussianNB", "tree"]
        assert all(list(one) == KEYS for one in out)
        assert (out[0]["n"], out[0]["scheme"], out[0]["honest"]) == (150, "k-fold:3", True)
        assert [row["metric"] for row in out[0]["metrics"]] == ["accuracy", "ece"]
        assert [fold["n_test"] for fold in out[1]["folds"]] == [50, 50, 50]
        expected = pb.estimate(GaussianNB(), X, Y, scheme="k-fold:3", metrics=["accuracy", "ece"])
        assert out[0]["metrics"] == [row.to_dict() for row in expected.models[0].summary]

    def test_a_nested_search_names_parameters_as_the_user_did(self):
        """No step of the pipeline around the model shows, and every fold says what it chose."""
        words = ("data.csv", "--target", "y", *LR, "--grid", "grid.toml", "--scheme", "nested:3x2")
        (one,) = entries(*words)
        assert all(set(fold["params"]) == {"C"} for fold in one["folds"])
        assert sum(choice["folds"] for choice in one["choices"]) == 3
        assert one["agree"] is (len(one["choices"]) == 1)

    def test_bootstrap_shows_the_632_estimate_with_its_parts(self):
        """In JSON; the page shows the table."""
        (one,) = entries("data.csv", "--target", "y", *NB, "--scheme", "bootstrap:10")
        brier = next(row for row in one["bootstrap"] if row["metric"] == "brier-score")
        assert brier["resubstitution"] < brier["value"] <= brier["out_of_bag"]

    def test_the_answer_does_not_depend_on_workers(self):
        """One or two: the same entry to the last digit."""
        words = (
            "data.csv",
            "--target",
            "y",
            "--model",
            "sklearn.ensemble:RandomForestClassifier",
            "--param",
            "n_estimators=5",
            "--scheme",
            "stratified:3",
        )
        assert entries(*words, "--workers", "1") == entries(*words, "--workers", "2")

    def test_an_interrupted_run_goes_on(self):
        """The third fit is interrupted; the next run fits only what is missing."""
        Path("stopping_models.py").write_text(
            "from pathlib import Path\n"
            "from sklearn.naive_bayes import GaussianNB\n"
            "class Stopping(GaussianNB):\n"
            "    def fit(self, X, y):\n"
            "        n = len(list(Path().glob('fit-*')))\n"
            "        Path(f'fit-{n}').touch()\n"
            "        if n == 2:\n"
            "            raise KeyboardInterrupt\n"
            "        return super().fit(X, y)\n",
            "utf-8",
        )
        words = (
            "data.csv",
            "--target",
            "y",
            "--model",
            "stopping_models:Stopping",
            "--scheme",
            "stratified:4",
            "--workers",
            "1",
            "--out",
            "p.csv",
        )
        stopped = invoke(*words)
        assert stopped.exit_code == 130
        first, last = filter(None, stopped.stderr.splitlines())
        assert first.startswith("plumbline: ")
        assert last == "plumbline: interrupted"
        assert len(list(Path("p.csv.parts").glob("block-*"))) == 2
        assert invoke(*words).exit_code == 0
        assert len(list(Path().glob("fit-*"))) == 5  # three in the first run, two in the second
        assert not Path("p.csv.parts").exists()
        expected = pb.estimate(GaussianNB(), X, Y, scheme="stratified:4")
        assert np.allclose(pb.read("p.csv").prob, expected.predictions.prob, rtol=1e-15)

    def test_measuring_on_training_data_is_called_so_everywhere(self):
        """In the text, in JSON, on standard error, and in the file by the model's name."""
        words = ("data.csv", "--target", "y", *NB, "--scheme", "resubstitution")
        refused = invoke(*words)
        assert refused.exit_code == 2
        assert "--resubstitution" in refused.stderr
        allowed = invoke(*words, "--resubstitution", "--out", "p.csv")
        assert "NOT OUT OF SAMPLE" in allowed.stdout
        assert "measured-on-training-data" in allowed.stdout
        assert allowed.stderr == ""
        (one,) = entries(*words, "--resubstitution")
        assert one["honest"] is False
        assert re.fullmatch(r"GaussianNB \(.+\)", one["model"])
        assert pb.read("p.csv").models == (one["model"],)
        assert [warning["name"] for warning in one["warnings"]] == ["measured-on-training-data"]

    def test_each_scheme_is_said_in_words(self):
        """None is missing, and its numbers stand in it."""
        assert set(SCHEME_TEXTS) == set(KINDS)
        for kind in KINDS.values():
            assert "{" not in scheme_words(kind.example)
        assert scheme_words("holdout:0.3").startswith("30 % ")
        assert re.findall(r"\d+", scheme_words("nested:5x10"))[:2] == ["5", "10"]

    def test_the_help_names_the_schemes_of_the_table(self):
        """All of them, and which one is usual; so does the documentation of the function."""
        bare = re.sub(r"\s", "", invoke("--help").stdout)
        examples = [kind.example for kind in KINDS.values()]
        text = f"{','.join(examples[:-1])}or{examples[-1]}."
        assert text in bare
        assert "Default:stratified:10." in bare
        assert all(example in pb.estimate.__doc__ for example in examples)

    def test_a_model_edited_between_two_runs_is_another_question(self):
        """Even if only a function of the file changed that the model calls."""
        code = (
            "from pathlib import Path\n"
            "from sklearn.naive_bayes import GaussianNB\n"
            "def stop():\n"
            "    if Path('p.csv.parts').exists():\n"
            "        raise KeyboardInterrupt\n"
            "class Edited(GaussianNB):\n"
            "    def fit(self, X, y):\n"
            "        stop()\n"
            "        return super().fit(X, y)\n"
        )
        words = (
            "data.csv",
            "--target",
            "y",
            "--model",
            "edited_models:Edited",
            "--scheme",
            "stratified:2",
            "--workers",
            "1",
            "--out",
            "p.csv",
        )
        Path("edited_models.py").write_text(code, "utf-8")
        assert invoke(*words).exit_code == 130
        assert invoke(*words).exit_code == 130  # the same question, interrupted again
        del sys.modules["edited_models"]
        Path("edited_models.py").write_text(
            code.replace("raise KeyboardInterrupt", "pass"), "utf-8"
        )
        refused = invoke(*words)
        assert refused.exit_code == 2
        assert "(digest)" in refused.stderr

    @pytest.mark.filterwarnings("always::sklearn.exceptions.ConvergenceWarning")
    def test_what_models_warn_of_is_said_once(self):
        """Three fits that do not converge make one line."""
        result = invoke(
            "data.csv",
            "--target",
            "y",
            "--model",
            "sklearn.linear_model:LogisticRegression",
            "--param",
            "max_iter=1",
            "--scheme",
            "k-fold:3",
        )
        assert result.stderr.count("ConvergenceWarning") == 1
        assert "(3 times): ConvergenceWarning" in result.stderr


class TestData:
    """Text, holes, truth values, dates, groups."""

    def test_features_are_prepared_inside_each_training_part(self):
        """The whole command against a loop that fills holes and encodes by hand."""
        names, rows, y = mixed()
        write("mixed.csv", names, rows, y)
        (one,) = entries(
            "mixed.csv",
            "--target",
            "y",
            *LR,
            "--drop",
            "seen",
            "--keep",
            "doctor",
            "--scheme",
            "stratified:3",
            "--metrics",
            "brier-score",
        )
        data = read_rows(
            Path("mixed.csv"), target="y", groups=None, time=None, drop=["seen"], keep=["doctor"]
        )
        assert data.names == ["age", "ward", "smoker", "dose"]
        params = {"scheme": "stratified:3", "metrics": ["brier-score"]}
        model = prepared(LogisticRegression(), data, "scale")
        split = pb.estimate(model, data.matrix, data.y, **params)
        for part, fold in zip(split.models[0].folds, one["folds"], strict=True):
            test = split.predictions.select(fold=str(part.fold)).row.astype(int)
            train = np.setdiff1d(np.arange(60), test)
            matrix = by_hand(rows, train)
            fitted = LogisticRegression().fit(matrix[train], y[train])
            prob = fitted.predict_proba(matrix[test])
            brier = ((prob[:, 1] - (y[test] == fitted.classes_[1])) ** 2).mean()
            assert fold["brier-score"] == pytest.approx(brier, abs=1e-9)

    def test_it_says_what_happens_to_the_features(self):
        """Encoded, filled, standardised, left out as empty; or nothing."""
        names, rows, y = mixed()
        write("mixed.csv", [*names, "hole"], [[*row, None] for row in rows], y)
        data = read_rows(
            Path("mixed.csv"), target="y", groups="doctor", time=None, drop=["seen"], keep=[]
        )
        text = preparation_text(data, "scale")
        for pattern in (r"\b1 [^,;]*\(ward\)", r"\b9 [^,;]*\(age\)", r"\b3 [^,;]*stand", "'hole'"):
            assert re.search(pattern, text), pattern
        plain = read_rows(Path("data.csv"), target="y", groups=None, time=None, drop=[], keep=[])
        assert not re.search(r"\d", preparation_text(plain, "auto"))

    def test_parquet_gives_what_text_gives(self):
        """Categories, truth values, holes and whole numbers, whatever the file."""
        import pyarrow.csv
        import pyarrow.parquet

        names, rows, y = mixed()
        write("mixed.csv", names, rows, y)
        table = pyarrow.csv.read_csv("mixed.csv")
        place = table.column_names.index("ward")
        table = table.set_column(place, "ward", table.column("ward").dictionary_encode())
        pyarrow.parquet.write_table(table, "mixed.parquet")
        words = ("--target", "y", *NB, "--drop", "seen", "--scheme", "k-fold:3")
        assert entries("mixed.csv", *words) == entries("mixed.parquet", *words)

    def test_kept_columns_and_groups_go_along(self):
        """They stand in the prediction table and are no features."""
        names, rows, y = mixed()
        write("mixed.csv", names, rows, y)
        result = invoke(
            "mixed.csv",
            "--target",
            "y",
            *NB,
            "--drop",
            "seen",
            "--keep",
            "ward",
            "--groups",
            "doctor",
            "--scheme",
            "grouped:3",
            "--out",
            "p.csv",
        )
        assert result.exit_code == 0, result.stderr
        assert re.findall(r"\d+(?= [a-z])", result.stdout)[:4] == ["60", "3", "2", "12"]
        data = pb.read("p.csv")
        assert set(data.attributes) == {"ward", "doctor"}
        folds = {}
        for fold, doctor in zip(data.fold.codes, data.attributes["doctor"], strict=True):
            assert folds.setdefault(doctor, fold) == fold

    def test_whole_numbers_are_classes_in_their_order(self):
        """Class 10 comes after class 9, and class names keep their digits."""
        write(
            "ten.csv",
            ["a", "b"],
            np.random.default_rng(0).normal(size=(60, 2)),
            np.tile([9, 10, 2], 20),
        )
        invoke("ten.csv", "--target", "y", *NB, "--scheme", "holdout:0.3", "--out", "p.csv")
        assert pb.read("p.csv").classes == ("2", "9", "10")

    def test_a_feature_named_like_a_part_of_a_prediction_table_stays_a_number(self):
        """A column `fold` or `model` of the examples is a feature as any other."""
        rows = np.random.default_rng(0).normal(size=(60, 2))
        write("odd.csv", ["fold", "model"], rows, np.tile([0, 1], 30))
        data = read_rows(Path("odd.csv"), target="y", groups=None, time=None, drop=[], keep=[])
        assert np.array_equal(data.matrix, rows)

    def test_numbers_spoilt_by_a_mark_are_warned_of(self):
        """A question mark among numbers makes categories of them."""
        rows = [[i / 7 if i != 5 else "?", i % 3] for i in range(60)]
        write("spoilt.csv", ["dose", "b"], rows, np.tile([0, 1], 30))
        result = invoke("spoilt.csv", "--target", "y", *NB, "--scheme", "holdout:0.3")
        (line,) = result.stderr.splitlines()
        assert line.startswith("plumbline: warning: ")
        assert re.findall(r"'(.+?)'", line) == ["dose", "?"]

    @pytest.mark.parametrize("option", [(), ("--drop", "who"), ("--keep", "who")])
    def test_an_id_that_repeats_asks_for_groups(self, option):
        """Whether it is a feature, dropped or kept aside; as groups it is silent."""
        rng = np.random.default_rng(3)
        who = rng.permutation(np.repeat(np.arange(30), 4))
        means, classes = rng.normal(size=(30, 3)), rng.integers(2, size=30)
        whole = np.column_stack([means[who] + rng.normal(size=(120, 3)) / 100, who])
        write("visits.csv", [*"abc", "who"], whole, classes[who])
        (one,) = entries("visits.csv", "--target", "y", *NB, *option)
        assert [warning["name"] for warning in one["warnings"]] == ["repeated-id"]
        groups = ("--groups", "who", "--scheme", "stratified-grouped:3")
        (one,) = entries("visits.csv", "--target", "y", *NB, *groups)
        assert one["warnings"] == []

    def test_findings_name_columns(self):
        """A leak is an error, a near leak a warning, by the column's own name."""
        write("leak.csv", ["a", "outcome"], np.column_stack([X[:, 0], 1 - Y]), Y)
        result = invoke("leak.csv", "--target", "y", *NB)
        assert result.exit_code == 2
        assert "(0 = 1, 1 = 0)" in result.stderr
        assert re.findall(r"column '(.+?)'", result.stderr) == ["outcome"]
        write("near.csv", ["a", "outcome"], np.column_stack([X[:, 0], Y + X[:, 1] / 1e4]), Y)
        (one,) = entries("near.csv", "--target", "y", *NB)
        assert [warning["name"] for warning in one["warnings"]] == ["near-perfect-feature"]
        assert "'outcome'" in one["warnings"][0]["text"]


def by_hand(rows, train):
    """Return the mixed table as numbers, filled and standardised by what the training rows say."""
    age = np.array([np.nan if row[0] is None else row[0] for row in rows], dtype=float)
    age = np.where(np.isnan(age), np.nanmedian(age[train]), age)
    numbers = np.column_stack([age, [float(row[2]) for row in rows], [row[5] for row in rows]])
    numbers = (numbers - numbers[train].mean(axis=0)) / numbers[train].std(axis=0)
    wards = np.array([row[1] for row in rows])
    return np.column_stack([numbers, *(wards == ward for ward in ("", "north", "south"))])


class TestModels:
    """--model, --param and --grid."""

    def test_files_of_the_current_folder(self):
        """A function that returns a pipeline, an object, and parameters inside."""
        Path("own_models.py").write_text(
            "from sklearn.linear_model import LogisticRegression\n"
            "from sklearn.pipeline import Pipeline\n"
            "from sklearn.preprocessing import StandardScaler\n"
            "def pipe():\n"
            "    return Pipeline([('scale', StandardScaler()), ('clf', LogisticRegression())])\n"
            "ready = LogisticRegression(C=0.5, max_iter=5000)\n",
            "utf-8",
        )
        Path("own.toml").write_text(
            '[params]\nclf__C = [0.1, 1]\nclf__class_weight = ["balanced", "None"]\n', "utf-8"
        )
        (one,) = entries(
            "data.csv",
            "--target",
            "y",
            "--model",
            "own_models:pipe",
            "--param",
            "clf__max_iter=300",
            "--grid",
            "own.toml",
            "--scheme",
            "nested:2x2",
        )
        assert set(one["folds"][0]["params"]) == {"clf__C", "clf__class_weight"}
        (one,) = entries(
            "data.csv", "--target", "y", "--model", "own_models:ready", "--scheme", "holdout:0.3"
        )
        assert one["model"] == "ready"

    @pytest.mark.parametrize("search", ["random", "halving"])
    def test_other_searches(self, search):
        """Drawn from distributions, or halved."""
        values = (
            'C = {distribution = "loguniform", low = 0.01, high = 10}\n'
            'max_iter = {distribution = "integers", low = 100, high = 300}\n'
            'tol = {distribution = "uniform", low = 0.0001, high = 0.001}\n'
        )
        more = "candidates = 3\n[params]\n" + values
        rest = more if search == "random" else "[params]\nC = [0.01, 0.1, 1]\n"
        Path("grid.toml").write_text(f'search = "{search}"\n{rest}', "utf-8")
        (one,) = entries(
            "data.csv",
            "--target",
            "y",
            *LR,
            "--grid",
            "grid.toml",
            "--scheme",
            "train-validation-test:0.5,0.25,0.25",
        )
        params = one["folds"][0]["params"]
        assert 0.01 <= params["C"] <= 10
        assert set(params) == ({"C", "max_iter", "tol"} if search == "random" else {"C"})

    def test_values_are_toml_or_text(self):
        """Numbers, truth values, lists, texts with and without quotes, and None."""
        typed = ["0.5", "3", "true", '"a b"', "gini", "[1, 2]", "None", '["None", 2]', "1e-3"]
        expected = [0.5, 3, True, "a b", "gini", [1, 2], None, [None, 2], 0.001]
        assert [toml_value(text) for text in typed] == expected


def grid_file(text):
    """Return what --grid needs for a file with this text."""
    Path("bad.toml").write_text(text, "utf-8")
    return ("data.csv", "--target", "y", *LR, "--grid", "bad.toml", "--scheme", "nested:2x2")


def target_of(*classes):
    """Return what is asked of a file with 6 rows of these classes by turns."""
    write("few.csv", ["a"], [[i] for i in range(6)], (classes * 6)[:6], target="kind")
    return ("few.csv", "--target", "kind", *NB)


def own(name, code):
    """Return what asks for `f` of a module of the current folder with this code."""
    Path(f"{name}.py").write_text(code, "utf-8")
    return (*TARGET, "--model", f"{name}:f")


TARGET = ("data.csv", "--target", "y")
REFUSED = {
    "the data as --out": ((lambda: (*TARGET, *NB, "--out", "data.csv")), "overwrite the data"),
    "the grid as --out": (
        (lambda: (*TARGET, *LR, "--grid", "data.csv", "--out", "./data.csv")),
        "overwrite the data",
    ),
    "no such file, no such module": (
        (lambda: ("dta.csv", "--target", "y", "--model", "sklaern.nb:GaussianNB")),
        "Did you mean 'data.csv'",
    ),
    "a target of fractions": (
        (lambda: target_of("1", "4.3", "2")),
        "column 'kind' holds the fraction 4.3; a classifier predicts classes",
    ),
    "one class": (
        (lambda: target_of("x")),
        "column 'kind' of --target holds one class only, 'x'",
    ),
    "more folds than rows": (
        (lambda: (*target_of("a", "b"), "--scheme", "stratified:10")),
        "'b' (3 rows); use at most 3 folds",
    ),
    "a clusterer": (
        (lambda: (*TARGET, "--model", "sklearn.cluster:KMeans")),
        "KMeans is a clusterer; name a classifier",
    ),
    "another search": (
        (lambda: grid_file("search = 'gird'\n[params]\nC = [1]")),
        "the key search of bad.toml must be 'grid' or 'random' or 'halving', got 'gird'. Did you",
    ),
    "a function that fails": (
        (lambda: own("fails", "def f():\n    raise RuntimeError('oops')\n")),
        "--model fails:f fails: RuntimeError: oops (fails.py, line 2)",
    ),
    "a function with a TypeError": (
        (lambda: own("wrong", "def f():\n    return len(3)\n")),
        "--model wrong:f fails: TypeError: object of type 'int' has no len() (wrong.py, line 2)",
    ),
    "a module of bad syntax": (
        (lambda: own("syntax", "x = 1\ndef f(:\n")),
        "--model syntax:f fails: SyntaxError: invalid syntax (syntax.py, line 2)",
    ),
    "a module that stops": (
        (lambda: own("stops", "import sys\nsys.exit(0)\n")),
        "--model stops:f fails: SystemExit: 0 (stops.py, line 2)",
    ),
    "a module that lacks another": (
        (lambda: own("lacks", "import nosuch\n")),
        "--model lacks:f fails: ModuleNotFoundError: No module named 'nosuch' (lacks.py, line 1)",
    ),
    "no such file": ((lambda: ("dta.csv", "--target", "y", *NB)), "Did you mean 'data.csv'"),
    "no such target": (
        (lambda: ("data.csv", "--target", "f9", *NB)),
        "--target must name a column",
    ),
    "a target of numbers": ((lambda: ("data.csv", "--target", "f0", *NB)), "which are no classes"),
    "no such group": ((lambda: (*TARGET, *NB, "--groups", "g")), "--groups must name a column"),
    "two tasks": ((lambda: (*TARGET, *NB, "--drop", "f0", "--keep", "f0")), "one task only"),
    "nothing left": (
        (lambda: (*TARGET, *NB, "--drop", "f0,f1,f2,f3,f4,f5")),
        "no column to learn from",
    ),
    "no colon": ((lambda: (*TARGET, "--model", "GaussianNB")), "[NAME=]MODULE:ATTRIBUTE"),
    "no module": ((lambda: (*TARGET, "--model", "sklaern.nb:GaussianNB")), "there is no 'sklaern'"),
    "no such class": (
        (lambda: (*TARGET, "--model", "sklearn.naive_bayes:GausianNB")),
        "Did you mean 'GaussianNB'",
    ),
    "a regressor": (
        (lambda: (*TARGET, "--model", "sklearn.linear_model:Ridge")),
        "is a regressor; name a classifier",
    ),
    "needs arguments": (
        (lambda: (*TARGET, "--model", "sklearn.ensemble:VotingClassifier")),
        "cannot be made without arguments",
    ),
    "no estimator": ((lambda: (*TARGET, "--model", "math:pi")), "is no estimator"),
    "one name twice": ((lambda: (*TARGET, *NB, *NB)), "--model is given 2 times"),
    "no such parameter": (
        (lambda: (*TARGET, *NB, "--param", "var_smothing=1")),
        "Did you mean 'var_smoothing'",
    ),
    "a parameter of no model": (
        (lambda: (*TARGET, *NB, "--param", "tree:max_depth=1")),
        "names no model",
    ),
    "no such scheme": ((lambda: (*TARGET, *NB, "--scheme", "nestd:5x10")), "Did you mean 'nested'"),
    "nested without a grid": (
        (lambda: (*TARGET, *NB, "--scheme", "nested:2x2")),
        "Give --grid, or a scheme without inner folds",
    ),
    "grouped without groups": (
        (lambda: (*TARGET, *NB, "--scheme", "grouped:3")),
        "Name their column with --groups",
    ),
    "no such metric": ((lambda: (*TARGET, *NB, "--metrics", "brier-scor")), "brier-score"),
    "no grid file": ((lambda: (*TARGET, *LR, "--grid", "no.toml")), "cannot be read"),
    "no TOML": ((lambda: grid_file("C = [")), "is no TOML file"),
    "no parameters": ((lambda: grid_file("search = 'grid'")), "must hold a table [params]"),
    "an unknown key": ((lambda: grid_file("serch = 'grid'\n[params]\nC = [1]")), "'search'"),
    "an unknown parameter": ((lambda: grid_file("[params]\nK = [1]")), "no parameter 'K'"),
    "no list": ((lambda: grid_file("[params]\nC = 1")), "must be a list of values"),
    "a distribution in a grid": (
        (lambda: grid_file("[params]\nC = {distribution = 'uniform', low = 1, high = 2}")),
        "only a random search draws from",
    ),
    "an unknown distribution": (
        (
            lambda: grid_file(
                "search = 'random'\n[params]\nC = {distribution = 'u', low = 1, high = 2}"
            )
        ),
        "must have distribution (uniform, loguniform, integers), low and high",
    ),
    "ends the wrong way round": (
        (
            lambda: grid_file(
                "search = 'random'\n[params]\nC = {distribution = 'uniform', low = 2, high = 1}"
            )
        ),
        "low below high",
    ),
}


class TestRefusals:
    """What cannot be done is said in one line that tells what to do."""

    @pytest.mark.parametrize("name", REFUSED)
    def test_bad_command_lines(self, name):
        """Exit status 2, one line, nothing on standard output."""
        words, text = REFUSED[name]
        result = invoke(*words())
        assert (result.exit_code, result.stdout) == (2, ""), result.stdout
        assert text in result.stderr
        assert result.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        ("cell", "text"),
        [("2020-05-01", "dates or times"), ("inf", "infinite in line 5 of 'bad.csv'")],
    )
    def test_features_that_no_classifier_takes(self, cell, text):
        """Dates and infinite numbers, with the remedy."""
        rows = [[cell if i == 3 or "-" in cell else i, i % 5] for i in range(60)]
        write("bad.csv", ["when", "b"], rows, np.tile([0, 1], 30))
        result = invoke("bad.csv", "--target", "y", *NB)
        assert result.exit_code == 2
        assert text in result.stderr

    def test_text_without_preprocessing(self):
        """`none` leaves features as they are, so text is refused."""
        names, rows, y = mixed()
        write("mixed.csv", names, rows, y)
        result = invoke("mixed.csv", "--target", "y", *NB, "--drop", "seen", "--preprocess", "none")
        assert result.exit_code == 2
        assert "'ward'" in result.stderr
        assert "--preprocess auto" in result.stderr

    def test_missing_classes_and_groups(self):
        """Rows without a class or a group are named."""
        names, rows, y = mixed()
        rows[4][4] = None
        write("mixed.csv", names, rows, [None, *y[1:]])
        result = invoke("mixed.csv", "--target", "y", *NB)
        assert result.exit_code == 2
        assert re.search(r"'y' .* line 2\b", result.stderr)
        write("mixed.csv", names, rows, y)
        result = invoke("mixed.csv", "--target", "y", *NB, "--drop", "seen", "--groups", "doctor")
        assert result.exit_code == 2
        assert "'doctor'" in result.stderr


def written_with_days(name, count=120):
    """Write rows in random order with a day each, and return their days as numbers."""
    rng = np.random.default_rng(5)
    day = rng.permutation(count) // 2  # two rows a day
    dates = [str(np.datetime64("2024-01-01") + int(d)) for d in day]
    rows = [[a, b, when] for (a, b), when in zip(rng.normal(size=(count, 2)), dates, strict=True)]
    write(name, ["a", "b", "when"], rows, np.tile([0, 1], count // 2))
    return day


class TestTime:
    """Test parts in the order of time, and dates that random folds take no notice of."""

    def test_only_later_rows_are_tested(self):
        """By the column, which goes along with the predictions and is no feature."""
        day = written_with_days("days.csv")
        words = ("--target", "y", *NB, "--scheme", "time-series:4", "--time", "when")
        (one,) = entries("days.csv", *words, "--out", "out.parquet")
        assert one["warnings"] == []
        assert (one["n"], one["n_tested"]) == (120, 96)
        data = pb.read("out.parquet")
        assert data.n == 96
        tested = {f: day[data.select(fold=f).row.astype(int)] for f in "0123"}
        assert all(tested[a].max() < tested[b].min() for a, b in ("01", "12", "23"))
        assert tested["0"].min() == 12
        assert "when" in data.attributes
        text = " ".join(invoke("days.csv", *words).stdout.split())
        assert re.search(r"Order: [^.]*'when'\.", text)
        assert "24 rows" in text

    def test_without_a_column_the_rows_as_they_stand(self):
        """Which is said."""
        words = ("data.csv", "--target", "y", *NB, "--scheme", "time-series:4")
        text = " ".join(invoke(*words).stdout.split())
        assert re.search(r"Order: [^.']*\.", text)
        assert "30 rows" in text

    @pytest.mark.parametrize("option", ["--drop", "--keep"])
    def test_dates_before_random_folds(self, option):
        """A dropped or kept column of dates is warned of, with the scheme to take."""
        written_with_days("days.csv")
        (one,) = entries("days.csv", "--target", "y", *NB, option, "when")
        assert [warning["name"] for warning in one["warnings"]] == ["dates-in-random-folds"]

    def test_refusals(self):
        """Dates as a feature name the way out; --time is for its scheme, and needs dates."""
        written_with_days("days.csv")
        plain = invoke("days.csv", "--target", "y", *NB)
        assert plain.exit_code == 2
        assert "time-series:5" in plain.stderr
        other = invoke("days.csv", "--target", "y", *NB, "--time", "when")
        assert other.exit_code == 2
        assert "'time-series:5'" in other.stderr
        rows = [[i, f"day {i}"] for i in range(60)]
        write("words.csv", ["a", "when"], rows, np.tile([0, 1], 30))
        words = invoke(
            "words.csv", "--target", "y", *NB, "--time", "when", "--scheme", "time-series:3"
        )
        assert words.exit_code == 2
        assert re.search(r"'when' .*--time", words.stderr)


class TestPage:
    """docs/estimation.md."""

    def test_what_it_shows_is_what_is_printed(self):
        """The page's own python blocks make the files; every command prints what stands there."""
        page = PAGE.read_text("utf-8")
        for code in re.findall(r"^```python\n(.+?)^```", page, re.MULTILINE | re.DOTALL):
            exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102  # the page's own example
        check_answers(PAGE, least=3)

    def test_it_explains_every_guard_and_scheme(self):
        """Their names stand on the page."""
        page = PAGE.read_text("utf-8")
        guards = [
            "shared-rows",
            "duplicate-rows",
            "near-perfect-feature",
            "target-among-features",
            "groups-torn-apart",
            "class-missing",
            "class-smaller-than-folds",
            "identity-like-feature",
            "measured-on-training-data",
            "validation-unused",
            "repeated-id",
            "near-equal-rows",
            "dates-in-random-folds",
        ]
        for name in [*guards, *(kind.example for kind in KINDS.values())]:
            assert f"`{name}`" in page, name


HEART = "heart_disease/heart_disease.parquet"
HEART_LR = ("--target", "diameter narrowing", *LR, "--scheme", "nested:5x10")


class Recorded(LogisticRegression):
    """A classifier whose first feature is the number of the row, which it only writes down."""

    calls: ClassVar[list] = []

    def fit(self, X, y):
        """Learn from the other features."""
        self.calls.append(("fit", frozenset(X[:, 0].astype(int).tolist())))
        return super().fit(X[:, 1:], y)

    def predict_proba(self, X):
        """Answer by the other features."""
        self.calls.append(("ask", frozenset(X[:, 0].astype(int).tolist())))
        return super().predict_proba(X[:, 1:])

    def predict(self, X):
        """Answer by the other features."""
        return super().predict(X[:, 1:])

    def decision_function(self, X):
        """Rate by the other features."""
        return super().decision_function(X)


@pytest.mark.data
class TestHeart:
    """Nested 5 x 10 cross-validation of the 303 patients of the Cleveland heart data."""

    @pytest.mark.filterwarnings("ignore:column 'major vessels colored' is read as categories")
    def test_the_whole_command(self, data_folder):
        """Half of the patients are ill: the usual accuracy of 0.83, every patient tested once."""
        Path("g.toml").write_text("[params]\nC = [0.01, 0.1, 1, 10]\n", "utf-8")
        words = (str(data_folder / HEART), *HEART_LR, "--grid", "g.toml", "--out", "heart.parquet")
        (one,) = entries(*words)
        scores = {row["metric"]: row["mean"] for row in one["metrics"]}
        assert scores["accuracy"] == pytest.approx(0.83, abs=0.02)
        assert scores["roc-auc"] == pytest.approx(0.905, abs=0.015)
        assert sum(choice["folds"] for choice in one["choices"]) == 5
        data = pb.read("heart.parquet")
        assert sorted(data.row.astype(int)) == list(range(303))
        assert [warning["name"] for warning in one["warnings"]] == []

    @pytest.mark.filterwarnings("ignore:column 'major vessels colored' is read as categories")
    def test_no_search_sees_a_row_of_its_outer_test_part(self, data_folder):
        """Every fit and every question of the five searches stays inside one training part."""
        rows = read_rows(
            data_folder / HEART,
            target="diameter narrowing",
            groups=None,
            time=None,
            drop=(),
            keep=(),
        )
        numbers = [c.values for c in rows.features if not c.category]
        encoded = [c.values == v for c in rows.features if c.category for v in set(c.values)]
        Z = np.column_stack([np.arange(303), *numbers, *encoded]).astype(float)
        Z[:, 1:] = (Z[:, 1:] - Z[:, 1:].mean(axis=0)) / Z[:, 1:].std(axis=0)
        Recorded.calls.clear()
        with warned("identity-like-feature", 0):
            result = pb.estimate(
                Recorded(), Z, rows.y, scheme="nested:5x10", search={"C": [0.1, 1]}, workers=1
            )
        table = result.predictions
        tests = [
            frozenset(table.select(fold=str(fold)).row.astype(int).tolist()) for fold in range(5)
        ]
        fits = {
            part: [len(s & part) for kind, s in Recorded.calls if kind == "fit"] for part in tests
        }
        inside = [sum(count == 0 for count in fits[part]) for part in tests]
        assert inside == [2 * 10 + 1] * 5  # 2 candidates on 10 inner folds, and the last fit
        questions = [rows for kind, rows in Recorded.calls if kind == "ask"]
        outer = [rows for rows in questions if rows in tests]
        inner = [rows for rows in questions if rows not in tests]
        assert len(outer) == 5
        assert all(sum(not rows & part for part in tests) >= 1 for rows in inner)
        whole = [rows for kind, rows in Recorded.calls if kind == "fit" and len(rows) > 240]
        assert sorted(map(sorted, whole)) == sorted(
            sorted(set(range(303)) - part) for part in tests
        )
