"""The chapter of a report on what recalibration does, and what decides whether it is there."""

import contextlib
import dataclasses
import json
import re
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

import plumbline as pb
from html_pages import Page, undrawn
from plumbline.recalibration import fit_map
from plumbline.reporting import (
    Gallery,
    RecalibrationChapter,
    page,
    recalibration_chapter,
    recalibration_pictures,
)
from plumbline.reporting.said_once import said_in_sections
from refusals import refused

FEW = ("temperature", "isotonic")
MODULE = import_module("plumbline.reporting.recalibration_chapter")  # the function has its name
CHAPTER = (
    '{% from "parts.html" import value, chance_of, score_of, range_of, scroll, pan, lines, '
    "caption with context %}"
    '{% include "recalibration.html" %}'
)


def bold_table(n, seed=0, **others):
    """Return predictions whose log-odds are three times what they should be."""
    rng = np.random.default_rng(seed)
    p_true = rng.uniform(size=n)
    bold = p_true**3 / (p_true**3 + (1 - p_true) ** 3)
    actual = np.where(rng.uniform(size=n) < p_true, "yes", "no")
    return pb.Predictions.from_arrays(actual, bold, classes=["no", "yes"], **others)


def chapter_of(data, recalibrate, *, quick=True):
    """Return what recalibration does to a table, with few draws."""
    return recalibration_chapter(
        data, recalibrate, quick=quick, rng=0, progress=None, resamples=19, workers=None
    )


def chapter(*, drawn=False, **chapters) -> Page:
    """Fill the template of this chapter alone with those of these models."""
    with contextlib.nullcontext() if drawn else undrawn():
        parts = [
            SimpleNamespace(
                name=name,
                chapter=SimpleNamespace(
                    recalibration=one, closer=None, decisions=None, counting=None
                ),
                closer=None,
                recalibration=recalibration_pictures.recalibration_pictures(Gallery(), name, one),
            )
            for name, one in chapters.items()
        ]
    several = len(parts) > 1
    shown = {
        "recalibrations": parts,
        "check": SimpleNamespace(models=len(parts) if several else 0),
        "said": said_in_sections(parts),
        "several": several,
    }
    template = page.environment().from_string(CHAPTER)
    return Page(template.render(**shown, file="x.csv", unfolded=""))


@pytest.fixture(scope="module")
def bold():
    """Return a table that a temperature of 3 mends."""
    return bold_table(400)


@pytest.fixture(autouse=True)
def _few_methods(monkeypatch):
    """Let the advice try two methods alone, which is quicker than all."""
    advice = MODULE.advice_beside
    monkeypatch.setattr(
        MODULE,
        "advice_beside",
        lambda *given, methods, **others: advice(*given, methods=methods or FEW, **others),
    )


def test_what_the_map_leaves_is_said_once(bold):
    """The remark stands where no numbers before and after say whether anything is left."""
    result = chapter_of(bold, None)
    remark = {"remarks": ("X is left.",), "remark_codes": ("still-miscalibrated",)}
    advice = dataclasses.replace(result.advice, **remark)
    for effect, shown_once in ((result.effect, False), (None, True)):
        shown = chapter(m=RecalibrationChapter(advice, effect))
        assert ("X is left" in shown.prose) is shown_once


def test_the_two_areas_of_a_model_have_two_names(bold):
    """The mean over the parts is called so, for it is not the area of the whole table below it."""
    result = chapter_of(bold, None)
    of_parts = result.advice.methods[0].roc_auc_before
    whole = next(one for one in result.effect.changes if one.metric == "roc-auc")
    assert of_parts != whole.before == pb.roc_auc(bold)
    shown = chapter(m=result)
    assert shown.prose.count("AUC") - shown.prose.count("AUC, mean") == 1


def test_the_chapter_says_what_the_advisor_says(bold):
    """Verdict, methods, before and after are those of the library, to the last digit."""
    result = chapter_of(bold, None)
    advice = pb.recalibration_advice(bold, methods=FEW, resamples=19)
    assert result.advice.to_dict() == advice.to_dict()
    assert result.effect.method == advice.chosen == "temperature"
    assert np.array_equal(result.effect.after.prob, advice.recalibrated.prob)
    shown = chapter(m=result, drawn=True)
    assert advice.verdict in shown.prose
    assert result.effect.verdict in shown.prose
    numbers = {str(row.log_loss_difference) for row in advice.methods}
    numbers |= {str(row.before) for row in result.effect.changes}
    assert numbers <= shown.numbers
    labels = [svg["aria-label"].split(".")[0] for svg in shown.all("svg") if "role" in svg]
    assert [" of m " in label for label in labels] == [True, True]
    assert len(shown.all("caption")) == len(shown.all("table")) == 3


def test_true_probabilities_are_left_as_they_are():
    """Where nothing helps the page says so and shows no rows before and after."""
    rng = np.random.default_rng(5)
    p_true = rng.uniform(size=300)
    data = pb.Predictions.from_arrays((rng.uniform(size=300) < p_true).astype(int), p_true)
    result = chapter_of(data, "auto")
    assert (result.advice.chosen, result.effect) == ("none", None)
    shown = chapter(m=result)
    assert result.advice.verdict in shown.prose
    assert len(shown.all("table")) == 1


def test_one_method_is_shown_before_and_after_whether_it_helps_or_not(bold):
    """A method by name is cross-fitted: no row is mended by a map that has seen it."""
    effect = chapter_of(bold, "isotonic").effect
    assert effect.method == "isotonic"
    # Fitted on these very rows, isotonic regression would have the least Brier score of all.
    own = fit_map(bold, "isotonic").applied(bold)
    assert pb.brier_score(effect.after) > pb.brier_score(own)


def test_a_report_has_the_chapter_and_says_how_to_ask_for_it_again(tmp_path):
    """It is in the contents, on the page, in the JSON, and in both lines that repeat the page."""
    with undrawn():
        report = pb.report(
            bold_table(150), tmp_path / "page.html", resamples=19, recalibrate="temperature"
        )
    shown = Page.of(report)
    assert {"href": "#recalibration"} in shown.all("a")
    assert report.chapters[0].recalibration.effect.verdict in shown.prose
    assert "--recalibrate temperature" in shown.prose
    assert "recalibrate='temperature'" in shown.prose
    plain = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert plain["chapters"][0]["mended"]["effect"]["method"] == "temperature"


def test_none_asks_nothing_and_many_rows_say_how_to_ask(bold):
    """`recalibrate="none"` leaves the chapter out; large tables are tried only when asked."""
    assert chapter_of(bold, "none") is None
    untried = chapter_of(bold, None, quick=False)
    assert (untried.advice, untried.effect) == (None, None)
    shown = chapter(m=untried)
    assert untried.present().notes[0] in shown.prose
    assert "--recalibrate auto" in shown.prose
    assert chapter_of(bold, "auto", quick=False).advice is not None


def test_what_is_left_out_says_about_how_long_it_takes():
    """Of many classes minutes, by rows times classes squared."""
    names = [f"c{j}" for j in range(60)]
    data = pb.Predictions.from_arrays(
        np.resize(names, 600), np.full((600, 60), 1 / 60), classes=names
    )
    reason = chapter_of(data, None, quick=False).reason
    assert re.findall(r"\d+", reason)[:3] == ["600", "60", "5"]


def test_nothing_changed_is_a_chapter_of_one_sentence(bold):
    """The report of rows that no map was taken for says so, and shows no numbers twice."""
    effect = pb.recalibration_effect(pb.recalibrate(bold, "none"), bold, resamples=19)
    shown = chapter(m=chapter_of(bold, effect), drawn=True)
    assert len(shown.all("section")) == len(shown.all("h2")) == 1
    assert not shown.all("table")
    assert not shown.all("svg")


def test_intervals_say_of_which_kind_they_are(bold):
    """The two tables name the t-test and the exchanges; an infinite difference has no interval."""
    never = bold.prob.copy()
    never[0] = np.eye(2)[1 - bold.actual[0]]
    data = pb.Predictions.from_arrays(bold.actual, never)
    shown = chapter(m=chapter_of(data, "temperature"))
    assert "t-test" in shown.prose
    assert "exchanged within rows" in shown.prose
    assert "∞ to" not in shown.prose
    assert "inf to" not in shown.prose


def test_every_model_has_its_own_part(bold):
    """Several models stand under headings of their own."""
    result = chapter_of(bold, "temperature")
    shown = chapter(one=result, two=result)
    assert shown.prose.count(result.advice.verdict) == 2
    for name in ("one", "two"):
        assert f"{name}. {result.advice.verdict}" in shown.prose


def test_ratings_become_probabilities():
    """Of ratings the chapter says which map to take; there is nothing to set it against."""
    rng = np.random.default_rng(2)
    rating = rng.normal(size=300)
    actual = np.where(rng.logistic(size=300) < 2 * rating, "yes", "no")
    data = pb.Predictions.from_arrays(actual, score=rating, classes=["no", "yes"])
    result = chapter_of(data, "isotonic")
    assert result.effect.after.prob is not None
    shown = chapter(m=result)
    assert result.advice.verdict in shown.prose
    assert "nan" not in shown.text


def test_labels_alone_have_no_chapter():
    """Labels cannot be mended."""
    data = pb.Predictions.from_arrays(list("nyyn"), predicted=list("nynn"), classes=["n", "y"])
    assert chapter_of(data, "auto") is None


def test_a_table_that_nothing_can_be_fitted_on_says_why():
    """Rows of one class give a reason, not an error."""
    data = pb.Predictions.from_arrays([1] * 40, np.linspace(0.1, 0.9, 40), classes=[0, 1])
    result = chapter_of(data, "auto")
    assert "class '1'" in result.reason
    assert result.present().notes[0] in chapter(m=result).prose


def test_an_effect_is_shown_as_it_is(bold):
    """The report of mended rows shows the effect that was measured with the map."""
    fitted = fit_map(bold, "temperature")
    effect = pb.recalibration_effect(fitted, bold_table(300, seed=1), resamples=19)
    result = chapter_of(effect.after, effect)
    assert (result.advice, result.effect) == (None, effect)
    shown = chapter(m=result)
    assert effect.verdict in shown.prose
    with refused(pb.ParameterError, "effect-of-one-model", 2):
        MODULE.checked_recalibrate(effect, models=2)


def test_an_unknown_method_is_refused_before_the_work(bold, tmp_path):
    """A near name is suggested, and no file is written."""
    with refused(pb.ParameterError, "unknown-name", "'isotonik'", "'isotonic'"):
        pb.report(bold, tmp_path / "page.html", recalibrate="isotonik")
    assert not (tmp_path / "page.html").exists()
