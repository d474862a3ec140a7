import base64
import html
import json
import re
import shlex
from collections.abc import Iterator

import numpy as np
import pytest

import plumbline as pb
from html_pages import Page, undrawn
from plumbline import Predictions
from plumbline.curves import (
    PRESETS,
    average_precision,
    best_threshold,
    cases_between,
    curve,
    curve_spec,
    roc_auc,
)
from plumbline.formatting import amount
from plumbline.reporting import save_curve
from plumbline.reporting.curve_page import LINES_SHOWN, MOST_POINTS

COMMAND = re.compile(r"<code>(plumbline curve .+?)</code>")
SCRIPT = "<script>alert(1)</script>"


def table(n=120, k=2, *, models=("one", "two"), **others) -> Predictions:
    """Return predictions of several models in three folds, with attributes."""
    rng = np.random.default_rng(8)
    prob = rng.dirichlet(np.ones(k), n)
    actual = np.array([rng.choice(k, p=row) for row in prob])
    noisy = [prob ** (1 + j / 4) for j in range(len(models))]
    noisy = [values / values.sum(axis=1, keepdims=True) for values in noisy]
    names = others.pop("classes", [f"c{j}" for j in range(k)])
    many = len(models)
    return Predictions.from_arrays(
        np.tile(np.array(names)[actual], many),
        np.concatenate(noisy),
        classes=names,
        model=np.repeat(models, n),
        fold=np.tile(np.arange(n) % 3, many),
        row=np.tile(np.arange(n), many),
        attributes={"age": np.tile(rng.integers(20, 60, n), many)},
        **others,
    )


def saved(path, data, *, best=None, command=None, **params) -> Page:
    """Return the page of a curve."""
    save_curve(curve(data, **params), path, data=data, best=best, command=command)
    return Page.of(path)


def test_a_page_asks_nothing_of_anyone(tmp_path):
    """No script, no outside address; ids are unique; every colour has a value in both schemes."""
    page = saved(tmp_path / "c.html", table(), preset="roc", band="bootstrap", resamples=40)
    assert not {"script", "link", "img", "iframe", "object", "base"} & {t for t, _ in page.tags}
    for tag, attrs in page.tags:
        for name, value in attrs.items():
            assert not name.startswith("on"), (tag, name)
            if name in ("src", "href", "xlink:href", "srcset", "action", "data"):
                assert value.startswith(("#", "data:application/json;")), (tag, name, value)
    assert "http:" not in page.html
    assert "https:" not in page.html
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"var\((--[\w-]+)", page.html))
    light, dark = page.style.split("prefers-color-scheme: dark")
    assert used <= set(re.findall(r"(--[\w-]+):", light))
    assert {name for name in used if name.startswith("--pl-")} <= set(
        re.findall(r"(--[\w-]+):", dark)
    )


@pytest.mark.parametrize("lines", [2, 9])
def test_every_line_has_a_colour_in_the_dark(tmp_path, lines):
    """However many models, each colour of the picture is one of the style sheet."""
    page = saved(
        tmp_path / "c.html", table(30, models=[f"m{j}" for j in range(lines)]), preset="gains"
    )
    used = set(re.findall(r"var\((--pl-[\w-]+)", page.html))
    _, dark = page.style.split("color-scheme: dark")
    assert used <= set(re.findall(r"(--[\w-]+):", dark))


def test_a_page_holds_formulas_reading_points_and_areas(tmp_path):
    """What is drawn can be read and copied, to the last digit."""
    data = table()
    page = saved(tmp_path / "c.html", data, preset="roc", where="age > 25")
    assert PRESETS["roc"].explanation in page.prose
    for text in ("FPR", "TPR", "age > 25"):
        assert f"<code>{text.replace('>', '&gt;')}</code>" in page.html
    for line in curve(data, "roc", where="age > 25").lines:
        assert set(map(str, line.y)) <= page.numbers
    kept = data.select(where=data.attributes["age"] > 25)
    areas = {roc_auc(part) for part in kept.by_model().values()}
    numbers = [float(number) for number in page.numbers]
    assert all(min(abs(area - number) for number in numbers) < 1e-12 for area in areas)


def test_many_points_are_thinned_and_said_so(tmp_path):
    """A page shows at most so many points of a line and so many lines, and tells how many."""
    data = table(500, models=["m"])
    page = saved(tmp_path / "c.html", data, preset="roc")
    assert f"{MOST_POINTS} of 501 points" in page.prose
    data = table(80, models=[f"m{j}" for j in range(LINES_SHOWN + 2)])
    page = saved(tmp_path / "c.html", data, preset="accuracy")
    assert " 2 more " in page.prose


def test_the_curve_spec_of_a_page_can_be_downloaded(tmp_path):
    """The link holds the card itself, under a name that says what it is."""
    data = table()
    page = saved(tmp_path / "gain.html", data, preset="gains")
    (link,) = [a for a in page.all("a") if "download" in a]
    assert link["download"] == "gain.curve.json"
    card = json.loads(base64.b64decode(link["href"].partition("base64,")[2]))
    assert card == curve_spec(curve(data, "gains"), data)
    assert json.dumps(card, indent=1) in page.text


def test_the_command_of_a_curve_spec_can_be_copied(tmp_path):
    """A name with blanks or signs of the shell is quoted."""
    name = "my roc; $x"
    page = saved(tmp_path / f"{name}.html", table(30), preset="roc")
    (words,) = [
        w for w in map(shlex.split, COMMAND.findall(html.unescape(page.html))) if "--card" in w
    ]
    assert words[1:4] == ["curve", "FILE", "--card"]
    assert words[4:] == [f"{name}.curve.json"]


def test_a_value_is_said_in_one_way(tmp_path):
    """In the verdict, in the table below it and at its point: 37,158 is not 3.72 x 10^4 there."""
    data = table(models=["one"])
    formula = "cumm(36600.4 if eP else -9000)"
    best = best_threshold(data, formula, resamples=40)
    page = saved(tmp_path / "c.html", data, x="threshold", y=formula, best=best)
    text = amount(best.value)
    assert len(text) > 6
    assert text in best.verdict
    assert page.html.count(f'<data value="{best.value}">{text}</data>') >= 2
    _, _, best_on = page.html.partition('id="best-title"')
    assert "× 10" not in best_on


def test_a_page_tells_the_best_threshold_of_every_model(tmp_path):
    """Verdict, plateau and honest value; one model has them in the picture too."""
    data = table()
    best = {m: best_threshold(d, "CA", resamples=40) for m, d in data.by_model().items()}
    page = saved(tmp_path / "c.html", data, preset="accuracy", best=best)
    for one in best.values():
        assert one.verdict in page.prose
        assert {str(one.threshold), str(one.value), str(one.honest_value)} <= page.numbers
        assert {str(end) for pair in one.plateau for end in pair} <= page.numbers
    plateau = "as good as"
    assert plateau not in page.prose
    alone = saved(
        tmp_path / "c.html", data.select(model="one"), preset="accuracy", best=best["one"]
    )
    assert plateau in alone.prose
    assert "--optimum max" in alone.prose


def test_a_page_tells_the_chosen_cases(tmp_path):
    """Marked in the picture; how many, how they differ, the first twenty rows, the command."""
    data = table(models=("one",), classes=[SCRIPT, "b"])
    cases = cases_between(data, low=0.3, high=0.8)
    path = tmp_path / "c.html"
    save_curve(curve(data, "accuracy"), path, data=data, cases=cases)
    page = Page.of(path)
    assert "chosen cases" in page.html
    assert cases.present().summary in page.prose
    assert f" 20 of {cases.n} rows" in page.prose
    assert f"{cases.n - 20} rows more" in page.prose
    (age,) = cases.differing
    assert {str(age[key]) for key in ("inside", "outside", "effect", "p_adjusted")} <= page.numbers
    shown = {str(case["probability"]) for case in cases.cases[:20]}
    assert shown <= page.numbers
    assert SCRIPT not in page.html
    assert "--between 0.3:0.8 " in page.prose
    none = cases_between(data, low=0.999)
    with undrawn():
        save_curve(curve(data, "accuracy"), path, data=data, cases=none)
    assert none.present().summary in Page.of(path).prose
    assert "--between 0.999: " in Page.of(path).prose


def test_the_best_of_a_preset_is_named_by_its_title(tmp_path):
    """The verdict and the table say profit, not the formula of it."""
    data = table(models=("one",))
    drawn = curve(data, "profit")
    best = best_threshold(data, drawn.settings.y, params=drawn.settings.params, resamples=40)
    assert best.verdict.startswith("Highest profit ")
    save_curve(drawn, tmp_path / "c.html", data=data, best=best)
    assert "of profit" in Page.of(tmp_path / "c.html").prose


def test_names_from_data_are_text_and_nothing_else(tmp_path):
    """Classes and formulas that look like tags show as they are."""
    data = table(60, models=["</style><b>"], classes=[SCRIPT, "yes"])
    page = saved(
        tmp_path / "c.html",
        data,
        x="PP",
        y="cumm(eP)",
        target=SCRIPT,
        where=f"actualClass == 'yes' or actualClass == '{SCRIPT}'",
        command=f"plumbline {SCRIPT}",
    )
    assert not {"script", "b"} & {tag for tag, _ in page.tags}
    assert page.text.count(SCRIPT) >= 3


def test_a_curve_without_points_has_a_page(tmp_path):
    """One class alone: the page says why there is nothing to see."""
    data = Predictions.from_arrays([1, 1, 1], [0.2, 0.6, 0.7])
    page = saved(tmp_path / "c.html", data, preset="roc")
    (line,) = curve(data, "roc").lines
    assert "'1'" in line.reason
    assert line.reason in page.prose


def test_a_page_is_the_same_byte_for_byte(tmp_path):
    """It holds no date and no chance but the seed's."""
    data = table(60)
    one, two = (
        saved(tmp_path / f"{name}/c.html", data, preset="roc", band="bootstrap", resamples=40)
        for name in ("a", "b")
        if (tmp_path / name).mkdir() is None
    )
    assert one.html == two.html


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """Return a table of two classes, its report and its page."""
    data = table()
    path = tmp_path_factory.mktemp("report") / "page.html"
    with undrawn(but="curve_pictures"):
        report = pb.report(data, path, resamples=9, recalibrate="none")
    return data, report, Page.of(report)


class TestReport:
    """The chapter on curves in the report."""

    @pytest.fixture(autouse=True)
    def _undrawn(self) -> Iterator[None]:
        """Leave out the pictures of the pages that are made here, whose names stay."""
        with undrawn():
            yield

    def test_the_numbers_are_the_librarys(self, reported):
        """Areas, what is found, best threshold, plateau and honest value, for every model."""
        data, report, page = reported
        for chapter in report.chapters:
            part = data.select(model=chapter.model)
            result = chapter.curves
            best = best_threshold(part, "CA")
            assert result.auc == roc_auc(part)
            assert result.average_precision == average_precision(part)
            assert result.best.to_dict() == best.to_dict()
            assert result.prevalence == (part.actual == 1).mean()
            order = np.argsort(-part.prob[:, 1], kind="stable")
            for row in result.found:
                places = order[: round(row["accepted"] * part.n)]
                share = (part.actual[places] == 1).sum() / (part.actual == 1).sum()
                assert row["found"] == pytest.approx(share)
            for name, drawn in result.curves.items():
                assert drawn.curve.to_dict() == curve(part, name, target="c1").to_dict()
            shown = [result.auc, result.average_precision, best.threshold, best.honest_value]
            assert {str(number) for number in shown} <= page.numbers

    def test_every_kind_of_curve_has_its_picture_and_its_reading(self, reported):
        """ROC, precision-recall and gains hold both models, accuracy has a picture for each."""
        page = reported[2]
        labels = [a["aria-label"] for a in page.all("svg") if "aria-label" in a]
        for name in ("roc", "precision-recall", "gains"):
            assert f"{PRESETS[name].title}: 2 lines" in labels
            assert PRESETS[name].explanation in page.prose
        accuracy = [label for label in labels if label.startswith(PRESETS["accuracy"].title)]
        assert [label.split(":")[0].split()[-1] for label in accuracy] == ["one", "two"]
        assert page.prose.count(PRESETS["accuracy"].explanation) == 1

    def test_every_command_draws_its_curve(self, reported, tmp_path, monkeypatch):
        """What "Make it again" shows can be typed, with the name of the file for FILE."""
        from click.testing import CliRunner

        from plumbline.cli import main

        data, _, page = reported
        monkeypatch.chdir(tmp_path)
        data.write("data.csv")
        commands = re.findall(r"plumbline curve FILE --preset [^\n]+", page.text)
        assert len(commands) == 6
        for command in commands:
            words = shlex.split(command.replace("FILE", "data.csv"))[1:]
            words = [word.replace(".html", ".csv") for word in words]
            done = CliRunner().invoke(main, words, catch_exceptions=False)
            assert done.exit_code == 0, done.stderr

    def test_it_is_json(self, reported):
        """The numbers are in to_dict(), the points are not."""
        plain = json.loads(json.dumps(reported[1].to_dict(), allow_nan=False))
        curves = plain["chapters"][0]["curves"]
        assert {"auc", "average_precision", "found", "best"} <= set(curves)
        assert "curves" not in curves

    def test_many_classes_have_a_roc_curve_each(self, tmp_path):
        """More than two classes: one picture a model, areas of every class and their means."""
        data = table(90, 4, models=["m"])
        report = pb.report(data, tmp_path / "page.html", resamples=9)
        (chapter,) = report.chapters
        areas = [roc_auc(data, target=name) for name in data.classes]
        assert chapter.curves.auc == pytest.approx(np.mean(areas))
        assert [row["auc"] for row in chapter.curves.classes] == areas
        assert [line.target for line in chapter.curves.curves["roc"].curve.lines] == list(
            data.classes
        )
        assert chapter.curves.best is None
        page = Page.of(report)
        assert {str(area) for area in areas} <= page.numbers
        assert "per-class" in page.prose

    def test_of_very_many_classes_those_with_a_diagram_are_drawn(self, tmp_path):
        """The picture stays readable, the table holds all classes."""
        data = table(300, 14, models=["m"])
        report = pb.report(data, tmp_path / "page.html", resamples=9)
        (chapter,) = report.chapters
        shown = {line.target for line in chapter.curves.curves["roc"].curve.lines}
        assert shown == set(data.classes) - set(chapter.left_out)
        assert len(chapter.curves.classes) == 14

    def test_ratings_have_curves_and_answers_have_none(self, tmp_path):
        """Ratings rank rows and have a threshold; a table of answers says what is missing."""
        rng = np.random.default_rng(2)
        score = rng.normal(size=60)
        actual = (score + rng.normal(size=60) > 0).astype(int)
        data = Predictions.from_arrays(actual, score=score, classes=[0, 1])
        report = pb.report(data, tmp_path / "page.html")
        assert report.chapters[0].curves.auc == roc_auc(data)
        assert report.chapters[0].curves.best.value_at_half is None
        assert {"href": "#decision"} in Page.of(report).all("a")
        assert "curves" in [one.get("id") for one in Page.of(report).all("details")]
        data = Predictions.from_arrays(actual, predicted=(score > 0).astype(int), classes=[0, 1])
        report = pb.report(data, tmp_path / "page.html")
        assert "no ratings" in report.chapters[0].curves.reason
        assert "curves" not in [one.get("id") for one in Page.of(report).all("details")]

    def test_one_class_alone_has_no_areas(self, tmp_path):
        """Undefined areas are dashes, and the page is whole."""
        data = Predictions.from_arrays([1, 1, 1], [0.2, 0.6, 0.7])
        report = pb.report(data, tmp_path / "page.html", resamples=9)
        assert np.isnan(report.chapters[0].curves.auc)
        assert "nan" not in Page.of(report).text
