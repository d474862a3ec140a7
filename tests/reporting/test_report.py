import base64
import contextlib
import hashlib
import json
import math
import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

import plumbline as pb
from html_pages import Page, undrawn
from plumbline import InputError, ParameterError, Predictions, formatting
from plumbline.input_checks import check_input
from plumbline.nulls import resampling
from plumbline.reporting import ReportParams, evaluate, report
from plumbline.reporting.contents import ALL_SHOWN, MOST_SHOWN, chapters
from plumbline.results import Report
from refusals import refused

SCRIPT = "<script>alert(1)</script>"
NASTY = [SCRIPT, "$x_1^{$ 50 %", '"a" & b\'; --']


# Whose pages are whole; all others look at words, tables and numbers.
DRAWN = (
    "shared",
    "test_ten_classes_make_a_small_page",
    "test_the_same_question_gives_the_same_bytes",
    "test_an_infinite_error_and_a_constant_null_are_shown",
    "test_names_from_data_are_text_and_nothing_else",
)


@pytest.fixture(autouse=True, scope="module")
def _untried() -> Iterator[None]:
    """Try no recalibration: tests/reporting/test_recalibration.py has that chapter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plumbline.reporting.contents.QUICK", 0)
        yield


@pytest.fixture(autouse=True)
def _undrawn(request) -> Iterator[None]:
    """Leave out the pictures, which take long, but for the tests that look at them."""
    names = {request.node.originalname, *request.fixturenames}
    with contextlib.nullcontext() if names & set(DRAWN) else undrawn():
        yield


def table(rng, n=150, k=3, *, models=("one", "two"), folds=3, **others) -> Predictions:
    """Return calibrated predictions of several models in several folds."""
    prob = rng.dirichlet(np.ones(k), n * len(models))
    actual = [rng.choice(k, p=row) for row in prob]
    names = others.pop("classes", [f"c{j}" for j in range(k)])
    return Predictions.from_arrays(
        np.array(names)[actual],
        prob,
        classes=names,
        model=np.repeat(models, n),
        fold=np.tile(np.arange(n) % folds, len(models)),
        **others,
    )


def contents(data, *, view=None, distance="absolute", resamples=9, rng=0):
    """Return the evaluation and the chapters of a report that nobody draws."""
    question = ReportParams(view, None, distance, resamples, rng, None)
    evaluation = evaluate(data, question)
    return evaluation, list(chapters(data, check_input(data), evaluation, question, None))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Return a table, its report and its page, for tests that only look."""
    data = table(np.random.default_rng(3))
    result = report(data, tmp_path_factory.mktemp("shared") / "page.html", resamples=99)
    return data, result, Page.of(result)


def test_the_numbers_are_those_of_evaluate(shared):
    """Scores, folds, errors, nulls and p-values on the page are evaluate()'s, to the last digit."""
    data, result, page = shared
    evaluation = evaluate(data, ReportParams(resamples=99))
    assert result.evaluation.to_dict() == evaluation.to_dict()
    for model in evaluation.models:
        expected = [v for row in model.scores for v in (row.value, row.fold_mean)]
        expected += [row.fold_deviation for row in model.scores]
        for error in model.calibration:
            expected += [error.value, error.null_mean, *error.null_range, error.p_value]
        assert {str(value) for value in expected} <= page.numbers


def test_examples_count_once_however_many_models_predicted_them(shared):
    """The head and the chapter on the data count examples, not rows times models."""
    data, result, page = shared
    assert (result.n, result.check.n, result.check.table_rows) == (150, 150, data.n)
    head, _, _ = page.prose.partition("Which is better?")
    assert re.findall(r"(\d+) (?:examples|classes|models)", head)[:3] == ["150", "3", "2"]
    assert f"{data.n}" not in head


def test_the_page_says_what_it_may_do(shared):
    """It runs the one script in it and loads nothing from elsewhere, wherever it is opened."""
    page = shared[2]
    (policy,) = [
        tag["content"]
        for tag in page.all("meta")
        if tag.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    digest = base64.b64encode(hashlib.sha256(page.script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert page.all("script") == [{}]
    assert rules["style-src"] == "'unsafe-inline'"


def test_every_model_has_its_verdict_in_words(shared):
    """The verdict of the test stands at the top, whole."""
    _, result, page = shared
    for model in result.evaluation.models:
        assert model.test.present().summary in page.prose
    states = [model.test.present().tone for model in result.evaluation.models]
    badges = [one["class"] for one in page.all("p") if "badge" in one.get("class", "")]
    assert badges == [f"badge {state}" for state in states]


def test_the_diagrams_are_the_librarys_curves(shared):
    """Each diagram is reliability_curve of its view, and its error that of calibration_error."""
    data, result, page = shared
    for chapter in result.chapters:
        part = data.select(model=chapter.model)
        views = ["top-label", *(f"one-vs-rest:{name}" for name in data.classes)]
        assert [diagram.view for diagram in chapter.diagrams] == views
        for diagram in chapter.diagrams:
            curve = pb.reliability_curve(part, view=diagram.view, resamples=99)
            error = pb.calibration_error(part, view=diagram.view, resamples=99)
            assert diagram.curve.to_dict() == curve.to_dict()
            assert diagram.error.to_dict() == error.to_dict()
            means = {str(row["mean_probability"]) for row in curve.bins}
            assert means | {str(error.value)} <= page.numbers


def test_the_decisions_are_those_of_the_confusion_matrix(shared):
    """Matrix, rates, mistakes and folds are the library's, and their numbers are on the page."""
    data, result, page = shared
    for chapter in result.chapters:
        part, decisions = data.select(model=chapter.model), chapter.decisions
        matrix = pb.confusion_matrix(part)
        assert np.array_equal(decisions.matrix.counts, matrix.counts)
        assert {
            str(decisions.shares.value("recall", name)) for name in data.classes
        } <= page.numbers
        drawn = {"interval": "auto", "resamples": 99}
        macro = matrix.rates(["F1"], average="macro", **drawn).entry("F1", "macro")
        assert {str(macro.value), str(macro.low), str(macro.high)} <= page.numbers
        assert f"95 % CI: {decisions.overall.interval_text}" in page.prose
        assert "Dirichlet" in decisions.overall.interval_text
        kappa = matrix.overall(**drawn).entry("kappa")
        assert {str(kappa.value), str(kappa.low), str(kappa.high)} <= page.numbers
        assert decisions.mistakes == matrix.most_confused(8).pairs
        briers = [pb.brier_score(fold) for fold in part.by_fold().values()]
        assert [fold["brier-score"] for fold in decisions.folds] == pytest.approx(briers, rel=1e-12)
        assert {str(fold["accuracy"]) for fold in decisions.folds} <= page.numbers


def test_the_page_asks_nothing_of_anyone(shared):
    """No outside address, no import, no font: the page works without a network."""
    page = shared[2]
    assert not {"link", "img", "iframe", "object", "base"} & {t for t, _ in page.tags}
    for tag, attrs in page.tags:
        for name, value in attrs.items():
            assert not name.startswith("on"), (tag, name)
            if name in ("src", "href", "xlink:href", "srcset", "action", "data"):
                assert value.startswith("#"), (tag, name, value)
            assert "url(" not in (value or "").replace("url(#", "")
    assert not re.search(r"url\(|@import|@font-face|expression", page.style)
    assert "http:" not in page.html
    assert "https:" not in page.html


def test_links_and_ids_of_the_page_fit(shared):
    """Ids are unique, also over all pictures, and every link leads to one."""
    page = shared[2]
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = [a["href"] for _, a in page.tags if "href" in a]
    assert {link.removeprefix("#") for link in links} <= set(ids)
    labels = [a["aria-labelledby"] for _, a in page.tags if "aria-labelledby" in a]
    assert set(labels) <= set(ids)


def test_the_page_can_be_read_without_eyes(shared):
    """One h1, no skipped level, captions and scopes in tables, names for pictures, a language."""
    page = shared[2]
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("caption")) == len(page.all("table"))
    heads = page.all("th")
    assert sum("scope" not in attrs for attrs in heads) == 1  # the column of bars
    for attrs in page.all("svg"):
        assert attrs.get("aria-hidden") == "true" or (
            attrs["role"] == "img" and attrs["aria-label"]
        )


def test_dark_light_and_print_are_provided_for(shared):
    """The style sheet knows both schemes, and print keeps the light one."""
    style = shared[2].style
    assert re.search(r"@media [a-z ]+\(prefers-color-scheme: dark\)", style)
    assert "@media print" in style
    used = set(re.findall(r"var\((--[\w-]+)", shared[2].html))
    assert used <= set(re.findall(r"(--[\w-]+):", style))


def test_names_from_data_are_text_and_nothing_else(rng, tmp_path):
    """Classes, models and attributes named like tags, code or formulas show as they are."""
    attributes = {"<img src=x onerror=alert(1)>": np.zeros(60)}
    data = table(rng, 30, models=[SCRIPT, "</style><b>"], classes=NASTY, attributes=attributes)
    result = report(data, tmp_path / "page.html", resamples=9, title=f"{SCRIPT} & co")
    page = Page.of(result)
    assert not {"img", "b"} & {tag for tag, _ in page.tags}
    assert page.all("script") == [{}]
    for name in (*NASTY, "</style><b>", *attributes, f"{SCRIPT} & co"):
        assert name in page.text
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)


def test_letters_that_are_not_letters_do_no_harm(rng, tmp_path):
    """Control characters in names and half a pair in a title do not stop or break the report."""
    result = report(
        table(rng, 30, models=["m"], classes=["\x01", "\x7f", "日本"]),
        tmp_path / "page.html",
        title="\ud800",
        resamples=9,
    )
    assert "日本" in Page.of(result).text


def test_infinite_log_loss_is_shown_with_its_count(tmp_path):
    """A class that had probability 0 and happened makes the loss infinite, and the page says so."""
    prob = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.2, 0.8]] * 10)
    data = Predictions.from_arrays([0, 1, 1, 1] * 10, prob, fold=np.arange(40) % 2)
    result = report(data, tmp_path / "page.html", resamples=99)
    page = Page.of(result)
    assert math.isinf(result.evaluation.models[0].scores[0].value)
    assert "inf" in page.numbers
    assert " 10 of 40 rows" in page.prose
    assert "∞" in page.text


def test_an_infinite_error_and_a_constant_null_are_shown(tmp_path):
    """With log distance and sure predictions the error is infinite and every draw is 0."""
    data = Predictions.from_arrays([0, 1, 1, 1], [0.0, 1.0, 0.0, 1.0])
    result = report(data, tmp_path / "page.html", resamples=99, distance="log")
    assert "observed: ∞" in Page.of(result).text
    (model,) = json.loads(json.dumps(result.to_dict()))["evaluation"]["models"]
    assert model["calibration"][0]["value"] is None


def test_a_missing_class_is_remarked_and_drawn(rng, tmp_path):
    """A class without rows has its diagram, and the page says that it is missing."""
    prob = rng.dirichlet(np.ones(3), 120)
    data = Predictions.from_arrays(np.arange(120) % 2, prob, classes=[0, 1, 2])
    result = report(data, tmp_path / "page.html", resamples=9)
    assert result.check.missing_classes == ("2",)
    assert "Missing classes:" in Page.of(result).text
    assert [d.view for d in result.chapters[0].diagrams][-1] == "one-vs-rest:2"


def test_weights_are_named_with_what_they_are_worth(rng, tmp_path):
    """A weighted table says how many rows of equal weight it is worth, and bins show weights."""
    data = table(rng, 120, models=["m"], weight=rng.uniform(0.1, 3, 120))
    page = Page.of(report(data, tmp_path / "page.html", resamples=9))
    assert f" {data.effective_n:,.1f} rows" in page.prose
    assert "Weight" in page.text


def test_one_fold_has_no_standard_deviation(rng, tmp_path):
    """One fold has a mean and no spread; the page shows a dash and not nan."""
    page = Page.of(
        report(table(rng, 40, models=["m"], folds=1), tmp_path / "page.html", resamples=9)
    )
    assert "± –" in page.prose
    assert "nan" not in page.text


def test_labels_alone_get_what_they_allow(tmp_path):
    """Without probabilities there are data, accuracy and the reason why there is no more."""
    data = Predictions.from_arrays(list("nyyn"), predicted=list("nynn"), classes=["n", "y"])
    result = report(data, tmp_path / "page.html")
    page = Page.of(result)
    assert not [part for part in page.all("section") if part["id"] == "calibration"]
    assert "0.75" in page.numbers
    assert result.chapters[0].diagrams == ()
    (picture,) = page.all("svg")
    assert picture["aria-label"].startswith("Confusion matrix ")
    assert "plumbline.report(data, 'page.html')" in page.prose


def test_ratings_alone_get_what_they_allow(tmp_path):
    """Ratings have no scale: no score, no calibration, and the remedy is named."""
    data = Predictions.from_arrays([0, 1, 1, 0], score=[-2.0, 3.0, 0.5, 1.0], classes=[0, 1])
    page = Page.of(report(data, tmp_path / "page.html"))
    assert "recalibrate" in page.prose
    assert "Log loss" not in page.prose.partition("Glossary")[0]


def test_two_classes_have_the_diagram_of_the_positive_one(rng):
    """One of two classes says all; the top label is added only when asked for."""
    data = table(rng, 60, k=2, models=["m"])
    _, (chapter,) = contents(data)
    assert [d.view for d in chapter.diagrams] == ["one-vs-rest:c1"]
    _, (chapter,) = contents(data, view="top-label")
    assert [d.view for d in chapter.diagrams] == ["top-label", "one-vs-rest:c1"]


def test_of_very_many_classes_the_worst_are_drawn(rng, tmp_path):
    """Of 100 classes those with the largest error have diagrams; the page names others left out."""
    data = table(rng, 400, k=100, models=["m"])
    result = report(data, tmp_path / "page.html", resamples=9)
    (chapter,) = result.chapters
    values = {
        c: pb.calibration_error(data, view=f"one-vs-rest:{c}", resamples=0).value
        for c in data.classes
    }
    worst = sorted(values, key=values.get, reverse=True)[:MOST_SHOWN]
    assert [d.view for d in chapter.diagrams] == ["top-label", *(f"one-vs-rest:{c}" for c in worst)]
    assert set(chapter.left_out) == set(data.classes) - set(worst)
    page = Page.of(result)
    assert f" {MOST_SHOWN} of 100 classes" in page.prose
    heat_map = chapter.closer.groups.heat_map
    assert len(heat_map.classes) == 100
    assert {str(row["adjusted_p_value"]) for row in heat_map.classes} <= page.numbers
    assert page.all("image") == []  # colours are the page's, so no pixels


def test_an_asked_for_class_is_always_drawn(rng):
    """The class of the view has its diagram, however good it is."""
    data = table(rng, 60, k=ALL_SHOWN + 1, models=["m"])
    _, (chapter,) = contents(data, view="one-vs-rest:c3")
    assert chapter.diagrams[1].view == "one-vs-rest:c3"


@pytest.mark.parametrize(
    "params",
    [{"view": "joint"}, {"view": "classwise"}, {"bins": "one-per-point"}, {"distance": "square"}],
)
def test_every_view_and_binning_has_a_report(rng, tmp_path, params):
    """Whatever is asked, the diagrams have bins and the page names the setting."""
    result = report(table(rng, 40, models=["m"]), tmp_path / "page.html", resamples=9, **params)
    assert len(result.chapters[0].diagrams) == 4
    assert next(iter(params.values())) in Page.of(result).text


def test_the_page_says_how_to_make_it_again(rng, tmp_path):
    """Version, settings, command and call are on the page; a given command is shown as it is."""
    data = table(rng, 30, models=["m"], classes=["a b", "c", "d"])
    result = report(
        data,
        tmp_path / "page.html",
        resamples=9,
        rng=7,
        bins="equal-size:5",
        view="one-vs-rest:a b",
    )
    prose = Page.of(result).prose
    options = "--view 'one-vs-rest:a b' --bins equal-size:5 --distance absolute --resamples 9"
    assert f"{options} --seed 7" in prose
    arguments = "bins='equal-size:5', distance='absolute', resamples=9, rng=7"
    assert f"{arguments})" in prose
    assert f"Plumbline {pb.__version__}" in prose
    command = "plumbline report 'x y.csv'"
    result = report(data, tmp_path / "page.html", resamples=9, command=command)
    assert command in Page.of(result).prose


def test_a_generator_is_no_seed(rng, tmp_path):
    """Draws that cannot be repeated are said to be so."""
    result = report(table(rng, 30, models=["m"]), tmp_path / "page.html", resamples=9, rng=rng)
    assert result.settings["seed"] is None
    assert "--seed" not in Page.of(result).prose


def test_a_bin_at_zero_is_the_only_one_closed_below(tmp_path):
    """With mass at 0 the first bin is [0, 0], and the next one does not hold 0 again."""
    prob = np.concatenate([np.zeros(10), np.linspace(0.05, 1, 20)])
    data = Predictions.from_arrays(np.arange(30) % 2, prob)
    result = report(data, tmp_path / "page.html", resamples=9, bins="equal-size:5")
    first, second = result.chapters[0].diagrams[0].curve.bins[:2]
    assert (first["lo"], first["hi"], second["lo"]) == (0, 0, 0)
    text = Page.of(result).text
    assert "[0, 0]" in text
    assert f"(0, {second['hi']:.4g}]" in text
    assert text.count("[0, ") == 1


def test_a_diagram_draws_its_labels_once(rng, monkeypatch):
    """The error and the band of a diagram come from one set of draws."""
    calls = []
    draw = resampling._draw
    monkeypatch.setattr(resampling, "_draw", lambda *job: calls.append(job) or draw(*job))
    question = ReportParams(None, None, "absolute", 9, 0, None)
    question.diagram(table(rng, 60, models=["m"]), "top-label", None, None)
    assert len(calls) == 1


@pytest.mark.parametrize("distance", ["square", "log"])
def test_a_diagram_shows_plain_gaps_whatever_the_error_sums(rng, distance):
    """With another distance the error is of that distance, and the curve is as without it."""
    data = table(rng, 60, models=["m"])
    _, (chapter,) = contents(data, resamples=101, distance=distance)
    for diagram in chapter.diagrams:
        curve = pb.reliability_curve(data, view=diagram.view, resamples=101)
        error = pb.calibration_error(data, view=diagram.view, resamples=101, distance=distance)
        assert diagram.curve.to_dict() == curve.to_dict()
        assert diagram.error.to_dict() == error.to_dict()
        assert np.array_equal(diagram.error.null_values, error.null_values)


def test_one_view_has_one_p_value_even_if_chance_cannot_be_repeated():
    """With a generator the diagram of a view repeats the p-value of its row in the table."""
    rng = np.random.default_rng(3)
    evaluation, (chapter,) = contents(table(rng, 60, models=["m"]), resamples=99, rng=rng)
    assert chapter.diagrams[0].error is evaluation.models[0].calibration[0]


def test_a_value_reads_the_same_in_verdict_table_and_picture(shared):
    """The error stands in three significant digits in the tables and in the pictures."""
    _, result, page = shared
    for model in result.evaluation.models:
        value = f"{model.calibration[0].value:.3g}"
        assert f"Error {value};" in page.prose
        assert f"observed: {value}" in page.prose


def test_scores_have_the_names_of_the_library(shared):
    """The page names the scores as the command line does, with a capital."""
    prose = shared[2].prose
    assert all(f"{formatting.capital(name)} " in prose for name in formatting.SCORE_NAMES.values())


def test_the_same_question_gives_the_same_bytes(rng, tmp_path):
    """The page holds no date and no chance but the seed's, whatever number of threads."""
    data = table(rng, 60, k=2, models=["m"])
    pages = []
    with undrawn(but="page"):
        for workers in (2, 1):
            report(data, tmp_path / "page.html", resamples=99, workers=workers)
            pages.append((tmp_path / "page.html").read_text("utf-8"))
    assert "Reliability diagram" in pages[0]
    assert pages[0] == pages[1]


def test_what_a_report_returns_is_a_public_name(shared):
    """`pb.report` returns a `Report`."""
    assert isinstance(shared[1], Report)


def test_every_part_of_a_report_presents_itself(shared):
    """What its results say is composed of what the library's own results say."""
    _, result, _ = shared
    verdicts = [model.test.verdict for model in result.evaluation.models]
    notes = result.present().notes
    assert all(any(text in note for note in notes) for text in verdicts)
    assert notes[-1].code == "not-comparable"
    assert list(result.present().tables[0].columns["model"]) == ["one", "two"]
    for chapter in result.chapters:
        areas = {one.key: one.text for one in chapter.curves.present().details}
        assert areas["auc"] == formatting.number(chapter.curves.auc)
        low, high = chapter.curves.auc_range
        assert low < chapter.curves.auc < high
        assert len(chapter.decisions.present().tables) > 1
        assert chapter.closer.present().summary == chapter.closer.diagnosis.present().summary
        for diagram in chapter.diagrams:
            assert diagram.present().tables == diagram.curve.present().tables


def test_the_report_is_json(shared):
    """to_dict() holds what the page shows, as plain Python."""
    _, result, _ = shared
    plain = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert plain["check"]["k"] == 3
    assert plain["chapters"][1]["diagrams"][0]["curve"]["bins"]
    assert plain["settings"]["resamples"] == 99


def test_bad_questions_leave_an_older_page_alone(rng, tmp_path):
    """A wrong argument or folder is refused; no half file, and the old file is as it was."""
    old = tmp_path / "page.html"
    old.write_text("old")
    data = table(rng, 30)
    with pytest.raises(ParameterError, match="resamples"):
        report(data, old, resamples=0)
    with pytest.raises(ParameterError, match="view"):
        report(data, old, view="top-lable")
    with pytest.raises(InputError, match="no folder"):
        report(data, tmp_path / "nowhere" / "page.html")
    assert old.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("name", ["page.txt", "page", "page.html.doc"])
def test_a_page_is_named_as_one(rng, tmp_path, name):
    """A page in a file of another ending is refused, by the rule of the command line."""
    with refused(ParameterError, "wrong-suffix", ".html", ".htm"):
        report(table(rng, 20), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_distinct_scores_are_not_pooled_over_models(rng, shared, tmp_path):
    """The line is about one model; of several, the remarks name each."""
    with undrawn():
        alone = report(table(rng, 60, models=["m"]), tmp_path / "page.htm", resamples=9)
    assert "Distinct scores" in Page.of(alone).prose
    assert "Distinct scores" not in shared[2].prose


def test_wide_tables_scroll_and_say_so(shared):
    """Every table is in a region that keys reach, and captions wrap at the width of that region."""
    page = shared[2]
    regions = [div for div in page.all("div") if div.get("class") == "scroll"]
    assert len(regions) == len(page.all("table"))
    assert all(r["tabindex"] == "0" and r["role"] == "region" and r["aria-label"] for r in regions)
    assert page.html.count("<caption><span>") == len(page.all("caption"))


def test_a_missing_folder_is_found_before_the_work(rng, tmp_path):
    """Nobody waits for a page that cannot be written."""
    steps = []
    with pytest.raises(InputError):
        report(
            table(rng), tmp_path / "nowhere" / "x.html", progress=lambda *step: steps.append(step)
        )
    assert steps == []


def test_progress_counts_up_to_the_end(rng, tmp_path):
    """Steps never go back and the last one is the whole."""
    steps = []
    data = table(rng, 30, models=["m"])
    report(data, tmp_path / "x.html", resamples=9, progress=lambda *step: steps.append(step))
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]


def test_ten_classes_make_a_small_page(rng, tmp_path):
    """The rows, classes and folds of the digits example: eleven diagrams far below 1 MB."""
    data = table(rng, 1797, k=10, models=["m"], folds=10)
    result = report(data, tmp_path / "page.html", resamples=39)
    assert (tmp_path / "page.html").stat().st_size < 600_000
    assert len(result.chapters[0].diagrams) == 11
