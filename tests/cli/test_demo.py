import re
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import plumbline as pb
from html_pages import undrawn
from plumbline import demo, formatting
from plumbline.cli import main
from refusals import refused

RESAMPLES = 99
MODELS = ("naive Bayes", "decision tree", "random forest")
SETS = {
    "breast-cancer": (569, 30, ("benign", "malignant")),
    "digits": (1797, 64, tuple("0123456789")),
}


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> tuple[Path, Result]:
    """Run the demo once for all tests here, small: its folder, and what it said."""
    folder = tmp_path_factory.mktemp("demo") / "worked" / "example"
    formatting, models = ["demo", "--out", str(folder)], demo._models

    def small(seed):
        estimators = models(seed)
        estimators["random forest"].set_params(n_estimators=5)
        return estimators

    with undrawn(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "_models", small)
        patch.setattr(demo, "RESAMPLES", RESAMPLES)
        return folder, CliRunner().invoke(main, formatting, catch_exceptions=False)


@pytest.fixture
def folder(run) -> Path:
    """Return the folder the demo wrote into."""
    return run[0]


@pytest.fixture
def result(run) -> Result:
    """Return what the demo said."""
    return run[1]


def test_it_succeeds_and_keeps_standard_error_empty(result):
    """The demo ends with status 0, and without a terminal it shows no progress."""
    assert result.exit_code == 0
    assert result.stderr == ""


def test_the_seed_is_a_number(monkeypatch, tmp_path):
    """The worked examples are drawn with the seed that is given, as a number."""
    seeds = []

    def examples(*_, rng, **__):
        seeds.append(rng)
        raise pb.InputError("no examples here", code="no-rows-left")

    monkeypatch.setattr(demo, "worked_examples", examples)
    for words in ([], ["--seed", "7"]):
        CliRunner().invoke(main, ["demo", "--out", str(tmp_path), *words], catch_exceptions=False)
    assert seeds == [0, 7]


@pytest.mark.parametrize("name", SETS)
def test_the_tables_hold_models_folds_rows_and_attributes(folder, name):
    """A table has three models on the same rows and folds, and the features as attributes."""
    n, features, classes = SETS[name]
    data = pb.read(folder / name / "predictions.parquet")
    assert (data.n, data.models, len(data.folds), data.classes) == (3 * n, MODELS, 10, classes)
    assert len(data.attributes) == features
    parts = list(data.by_model().values())
    for part in parts:
        assert np.array_equal(part.row, np.arange(n))
        assert np.array_equal(part.fold.codes, parts[0].fold.codes)
        assert np.array_equal(part.actual, parts[0].actual)


@pytest.mark.parametrize("name", SETS)
def test_every_row_is_predicted_by_a_model_that_did_not_see_it(folder, name):
    """The folds are stratified: each holds a tenth of every class, give or take a row."""
    data = pb.read(folder / name / "predictions.parquet").select(model="naive Bayes")
    for fold in data.by_fold().values():
        counts = np.bincount(fold.actual, minlength=data.k)
        assert np.all(np.abs(counts - np.bincount(data.actual) / 10) <= 1)


@pytest.mark.parametrize("name", SETS)
def test_the_reports_stand_alone_and_name_what_was_compared(folder, name):
    """A report names the three models and asks no other host for anything."""
    html = (folder / name / "report.html").read_text("utf-8")
    assert all(model in html for model in MODELS)
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", html)


def test_nothing_but_tables_reports_and_files_of_examples_is_left(folder):
    """No temporary file stays behind."""
    others = (
        *("measurements.csv", "bayes.csv", "forest.csv", "holdout.csv", "new.csv", "stays.csv"),
        "grid.toml",
    )
    files = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert files == {
        *(f"{name}/{file}" for name in SETS for file in ("predictions.parquet", "report.html")),
        *(f"breast-cancer/{file}" for file in others),
    }


def test_it_prints_the_numbers_that_the_library_gives(result, folder):
    """The printed table holds the scores and the test of every model, as the library says them."""
    for name in SETS:
        for model, part in pb.read(folder / name / "predictions.parquet").by_model().items():
            test = pb.calibration_test(part, resamples=RESAMPLES)
            assert f"{test.verdict}" in " ".join(result.stdout.split())
            line = next(
                line
                for line in result.stdout.splitlines()
                if line.startswith(model) and f"{part.n:,}" in line and ":" not in line
            )
            scores = [formatting.score(score(part)) for score in (pb.accuracy, pb.brier_score)]
            error = pb.calibration_error(part, resamples=RESAMPLES)
            for value in (*scores, formatting.number(error.value), formatting.number(test.p_value)):
                assert value in line.split()


def test_an_infinite_log_loss_is_printed_with_its_count(result):
    """The digits tree gives its true class probability 0 in 316 rows, which is not hidden."""
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["decision", "tree", "1,797", "∞"] in [words[:4] for words in lines]
    assert any("tree 316 of 1,797" in line for line in result.stdout.splitlines())


def test_it_prints_where_the_files_are(result, folder):
    """The path of every table and report stands in the output."""
    for name in SETS:
        assert f"Predictions: {folder / name / 'predictions.parquet'}\n" in result.stdout
        assert f"Report:      {folder / name / 'report.html'}\n" in result.stdout


def test_a_run_that_is_cut_short_leaves_the_older_report_whole(tmp_path, monkeypatch):
    """Files are replaced whole: an interrupted second run leaves the first one's report."""
    old = tmp_path / "breast-cancer" / "report.html"
    old.parent.mkdir()
    old.write_text("old")
    tiny = pb.Predictions.from_arrays([0, 1], [0.2, 0.7])

    def cut_short(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "cross_validated", lambda *_: tiny)
    monkeypatch.setattr(demo, "report", cut_short)
    result = CliRunner().invoke(main, ["demo", "--out", str(tmp_path)])
    assert result.exit_code == 130
    assert old.read_text() == "old"
    assert pb.read(old.with_name("predictions.parquet")).n == 2
    assert len(list(old.parent.iterdir())) == 2


@pytest.mark.parametrize("package", ["sklearn", "jinja2", "matplotlib"])
def test_a_missing_extra_is_named_with_its_command(tmp_path, monkeypatch, package):
    """Whatever is missing, the command that is printed installs all the demo needs."""
    monkeypatch.setitem(sys.modules, package, None)
    with refused(pb.MissingExtraError, "missing-package", "'plumbline-eval[sklearn,report]'"):
        demo.worked_examples(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_progress_counts_up_to_its_total(tmp_path, monkeypatch):
    """The callback is given a growing count and one total for both data sets."""
    calls = []
    monkeypatch.setattr(demo, "SETS", {"breast-cancer": demo.SETS["breast-cancer"]})
    monkeypatch.setattr(demo, "RESAMPLES", 19)
    one = dict([*demo._models(0).items()][:1])
    monkeypatch.setattr(demo, "_models", lambda seed: one)
    with undrawn():
        demo.worked_examples(tmp_path, progress=lambda done, total: calls.append((done, total)))
    done, totals = zip(*calls, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {done[-1]}
