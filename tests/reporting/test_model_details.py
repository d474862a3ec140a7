"""What a report says beyond its diagrams: bins, CORP, errors, diagnosis, groups, conclusion."""

import json
import re

import numpy as np
import pytest

import plumbline as pb
from html_pages import Page, undrawn
from plumbline import Predictions
from plumbline.calibration_errors import bin_sensitivity, corp_curve
from plumbline.calibration_tests import diagnose
from plumbline.group_calibration import (
    calibration_by,
    calibration_heterogeneity,
    conditional_bias,
    worst_slice,
)
from plumbline.input_checks import check_input
from plumbline.reporting import ReportParams, evaluate, report
from plumbline.reporting.contents import FOUND, chapters
from plumbline.reporting.group_chapter import PER_GROUP, group_chapter
from plumbline.reporting.model_details import ERRORS, model_details
from refusals import refused

PARAMS = {"resamples": 99, "rng": 0}


def two_classes(rng, n=300, power=1.0, **attributes) -> Predictions:
    """Return predictions of two classes that are `power` times too extreme in log-odds."""
    p = rng.uniform(0.02, 0.98, n)
    y = rng.uniform(size=n) < p
    shown = p**power / (p**power + (1 - p) ** power)
    return Predictions.from_arrays(y.astype(int), shown, attributes=attributes)


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """Return a table with attributes of every kind, its report and its page."""
    rng = np.random.default_rng(5)
    site = rng.choice(["north", "south", "west"], 300)
    data = two_classes(
        rng,
        power=2.0,
        site=site,
        age=rng.normal(50, 10, 300),
        old=rng.integers(0, 2, 300),
        code=[f"id{i}" for i in range(300)],
        same=["a"] * 300,
    )
    path = tmp_path_factory.mktemp("closer") / "page.html"
    with undrawn(but="closer_pictures"):
        result = report(data, path, resamples=99, recalibrate="none")
    return data, result, Page.of(result)


def chapter_of(data, resamples=99):
    """Return the chapter on a table of one model."""
    question = ReportParams(None, None, "absolute", resamples, 0, None)
    (chapter,) = chapters(data, check_input(data), evaluate(data, question), question, None)
    return chapter


def test_every_part_is_the_librarys(reported):
    """Bins, CORP, errors, diagnosis and groups are what the functions of these names return."""
    data, result, _ = reported
    details = result.chapters[0].closer
    assert details.sensitivity.to_dict() == bin_sensitivity(data, **PARAMS).to_dict()
    for curve, score in zip(details.corp, ("brier-score", "log-loss"), strict=True):
        assert curve.to_dict() == corp_curve(data, score=score, **PARAMS).to_dict()
    assert details.corp[0].score_mean == pytest.approx(pb.brier_score(data))  # of two classes: one
    names = [name for name in ERRORS if name != "sce"]
    assert details.metrics.to_dict() == pb.measure(data, names, **PARAMS).to_dict()
    assert details.diagnosis.to_dict() == diagnose(data, **PARAMS).to_dict()
    site, old = details.groups.categories
    assert site.to_dict() == calibration_by(data, "site", **PARAMS).to_dict()
    assert old.by == "old"
    (age,) = details.groups.numbers
    assert age.to_dict() == conditional_bias(data, "age", **PARAMS).to_dict()
    assert details.groups.slices.to_dict() == worst_slice(data, **PARAMS).to_dict()


def test_every_number_of_it_is_on_the_page(reported):
    """The tables hold each value beside its null, to the last digit."""
    _, result, page = reported
    details = result.chapters[0].closer
    expected = []
    for row in details.sensitivity.settings:
        expected += [row["value"], row["null_mean"], row["null_low"], row["p_value"]]
    for curve in details.corp:
        expected += [curve.score_mean, curve.miscalibration, curve.discrimination]
        expected += [curve.uncertainty, curve.null_mean, *curve.null_range, curve.p_value]
    for one in details.metrics.measures:
        expected += [one.value, one.null_mean, *one.null_range, one.excess, one.p_value]
    expected += [row["estimate"] for row in details.diagnosis.evidence]
    expected += [row["adjusted_p_value"] for row in details.groups.slices.slices[:5]]
    for one in details.groups.categories:
        expected += [row["adjusted_p_value"] for row in one.groups]
    expected += [row["bias"] for row in details.groups.numbers[0].bins]
    assert {str(value) for value in expected} <= page.numbers


def test_the_parts_stand_in_their_order(reported):
    """Groups stand on the front; after the diagrams come bins, CORP, errors and the diagnosis."""
    _, result, page = reported
    details = result.chapters[0].closer
    titles = ["Where is it off?", "Reliability diagram", "How the error depends on the bins"]
    titles += ["CORP", "Errors side by", "Diagnosis", "Curves: "]
    heads = re.findall(r"<h[23][^>]*>([^<]+)", page.html)
    places = [next(i for i, head in enumerate(heads) if title in head) for title in titles]
    assert places == sorted(places)
    for text in (
        details.sensitivity.verdict,
        details.diagnosis.verdict,
        details.groups.slices.verdict,
    ):
        assert text in page.prose
    assert "99 resamples" in page.prose


def test_pictures_have_names_and_wide_ones_can_be_reached_by_keys(reported):
    """Every picture says what it shows, in regions of different names."""
    page = reported[2]
    names = [svg["aria-label"] for svg in page.all("svg") if "aria-label" in svg]
    for begin in ("Calibration error of", "CORP diagram of", "Diagnosis of", "Bias of"):
        assert any(name.startswith(begin) for name in names)
    pans = [div for div in page.all("div") if div.get("class") == "pan"]
    assert len(pans) == 5
    assert all(pan["tabindex"] == "0" and pan["role"] == "region" for pan in pans)
    assert len({pan["aria-label"] for pan in pans}) == len(pans)


def test_attributes_that_cannot_be_looked_at_are_named(reported):
    """Too many values, or one: the page says so and does not fail."""
    _, result, page = reported
    groups = result.chapters[0].closer.groups
    assert [reason.partition(":")[0] for reason in groups.unusable] == ["code", "same"]
    assert groups.unusable[0].endswith("an id")
    assert groups.unusable[0] in page.prose
    assert "code, same" in page.prose


def test_attributes_beyond_the_first_are_named_and_searched(rng):
    """Of many attributes the first have a picture; slices are searched in all."""
    data = two_classes(rng, 120, **{f"a{j}": rng.choice(["x", "y"], 120) for j in range(4)})
    result = group_chapter(
        data, view=None, most=2, progress=None, resamples=39, rng=0, workers=None
    )
    assert result.attributes == ["a0", "a1"]
    assert result.left_out == ("a2", "a3")
    assert result.slices.by == ("a0", "a1", "a2", "a3")


def test_a_category_of_many_groups_gets_draws_enough():
    """Holm's adjustment of eleven groups could not reject with 199 draws; there are more."""
    site = np.array([f"s{j % 11:02d}" for j in range(330)])
    p = np.full(330, 0.5)
    y = np.where(site == "s03", 1, np.arange(330) // 11 % 2)
    data = Predictions.from_arrays(y, p, attributes={"site": site})
    result = group_chapter(
        data, view=None, most=6, progress=None, resamples=199, rng=0, workers=None
    )
    (sites,) = result.categories
    assert sites.resamples == PER_GROUP * 11 - 1
    assert sites.rejected == ["s03"]


def test_a_table_too_small_for_slices_says_why(rng):
    """Fewer rows than a slice needs are no error."""
    data = two_classes(rng, 12, site=["a", "b"] * 6)
    result = group_chapter(
        data, view=None, most=6, progress=None, resamples=39, rng=0, workers=None
    )
    assert result.slices is None
    assert re.search(r"\b20 rows", result.reason)


def test_without_attributes_there_are_no_groups_and_the_limits_say_so(rng, tmp_path):
    """The section is absent, and that nobody looked is said."""
    data = two_classes(rng, 60)
    with undrawn():
        result = report(data, tmp_path / "page.html", resamples=39, recalibrate="none")
    assert result.chapters[0].closer.groups is None
    page = Page.of(result)
    assert not [head for head in page.all("h3") if head.get("id", "").endswith("groups")]
    limits = {limit.partition(":")[0]: limit for limit in result.limits}
    assert len(limits) == 5
    assert limits["Groups"].partition(": ")[2] in page.prose


def test_the_conclusion_is_what_the_results_say(reported):
    """Verdict, largest gap, groups and next step are the strings of the library's own results."""
    _, result, page = reported
    (chapter,) = result.chapters
    shown, tested = chapter.present(), chapter.scores.test.present()
    slices = chapter.closer.groups.slices.present()
    found = [one for one in tested.details if one.key in FOUND]
    assert [one.key for one in found] == list(FOUND)
    assert (shown.summary, shown.next_step) == (tested.summary, tested.next_step)
    assert shown.next_step.request == "recalibrate"
    assert set(found) <= set(shown.details)
    assert ("groups", slices.summary) in [(note.code, note) for note in shown.notes]
    texts = (tested.summary, *(one.text for one in found), slices.summary, tested.next_step.text)
    assert len(chapter.conclusion) == len(texts)
    for text, line in zip(texts, chapter.conclusion, strict=True):
        assert text in line
        assert text in page.prose


def test_the_conclusion_on_calibrated_probabilities_claims_nothing(rng):
    """Nothing is named as wrong, no gap is shown, and the next step is the plan."""
    chapter = chapter_of(two_classes(rng, 200))
    assert chapter.scores.test.finding is None
    assert chapter.present().next_step.request == "plan"
    assert not {one.key for one in chapter.present().details} & set(FOUND)
    assert len(chapter.conclusion) == 2


def test_an_event_of_probability_0_is_refuted():
    """One impossible row is enough, whatever the p-value says."""
    p = np.append(np.full(99, 0.5), 0.0)
    chapter = chapter_of(Predictions.from_arrays(np.arange(100) % 2, p))
    assert chapter.present().tone == "bad"
    assert chapter.scores.test.impossible_rows == 1


@pytest.mark.parametrize(("resamples", "step"), [(9, "test"), (99, "confusion")])
def test_what_cannot_tell_says_what_would(resamples, step):
    """Too few draws, or sure predictions that all came true: no verdict either way."""
    sure = [0.0, 1.0] * 20
    p = sure if resamples > 19 else np.full(40, 0.5)
    chapter = chapter_of(Predictions.from_arrays([0, 1] * 20, p), resamples)
    assert chapter.present().tone != "bad"
    assert chapter.present().next_step.request == step


def test_a_view_of_several_events_is_looked_at_through_the_usual_binary_one(rng):
    """A classwise report has its closer look at the top label; a class keeps its own."""
    prob = rng.dirichlet(np.ones(3), 60)
    data = Predictions.from_arrays(np.arange(60) % 3, prob)
    params = {"test": None, "resamples": 39, "attributes": 6, "rng": 0, "workers": None}
    params["progress"] = None
    details = model_details(data, view="classwise", **params)
    assert (details.corp[0].view, details.diagnosis.view) == ("top-label", "all-classes")
    assert "sce" in [one.metric for one in details.metrics.measures]
    own = model_details(data, view="one-vs-rest:1", **params)
    assert (own.corp[0].view, own.diagnosis.view) == ("one-vs-rest:1", "one-vs-rest:1")


def test_the_contents_are_json(reported):
    """Nothing is lost on the way to plain Python."""
    _, result, _ = reported
    (plain,) = json.loads(json.dumps(result.to_dict(), allow_nan=False))["chapters"]
    assert set(plain["closer"]) == {
        "resamples",
        "sensitivity",
        "corp",
        "metrics",
        "diagnosis",
        "groups",
        "over_time",
        "more",
    }
    assert plain["closer"]["groups"]["categories"][0]["groups"][0]["group"] == "north"


def test_a_table_with_dates_has_its_windows_on_the_page(tmp_path):
    """The verdict, the picture and a row a window; no section without time."""
    rng = np.random.default_rng(5)
    days = np.repeat(np.datetime64("2026-01-01") + np.arange(6), 50)
    data = two_classes(rng, power=1.0, site=days)
    with undrawn(but="closer_pictures"):
        result = report(data, tmp_path / "page.html", resamples=39, recalibrate="none")
    windows = result.chapters[0].closer.over_time
    assert [one.n for one in windows.windows] == [50] * 6
    text = (tmp_path / "page.html").read_text("utf-8")
    assert windows.present().summary in text
    assert 'id="over-time"' in text
    assert all(str(day) in text for day in np.unique(days))
    assert chapter_of(two_classes(rng, power=1.0)).closer.over_time is None


def test_sites_have_a_section_where_they_are_named(reported, tmp_path):
    """It says what the library does; without `sites` there is none, and a wrong name is refused."""
    data, plain, page = reported
    with undrawn():
        named = report(data, tmp_path / "page.html", resamples=99, recalibrate="none", sites="site")
    found = named.chapters[0].closer.more["heterogeneity"]
    expected = calibration_heterogeneity(data, "site", resamples=99)
    assert found.to_dict() == expected.to_dict()
    assert expected.verdict in Page.of(named).text
    assert expected.verdict not in page.text
    assert "heterogeneity" not in plain.chapters[0].closer.more
    assert named.to_dict()["settings"]["sites"] == "site"
    with refused(pb.ParameterError, "unknown-name", "'site'"):
        report(data, tmp_path / "other.html", sites="sites")
    assert not (tmp_path / "other.html").exists()
