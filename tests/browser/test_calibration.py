"""The room Calibration: what it shows equals the library's answers; every control works."""

import json
import shlex
import urllib.parse
from itertools import pairwise

import pytest

import plumbline as pb
from browser_controls import choose, expect_chosen
from plumbline.calibration_errors import bin_sensitivity
from plumbline.calibration_tests import diagnose
from plumbline.group_calibration import calibration_by


def go(page, address, **state):
    """Open the room with its settings in the URL."""
    asked = urllib.parse.quote(json.dumps(state))
    page.goto(f"{address}#room=calibration&calibration={asked}")
    page.get_by_role("heading", name="Are the probabilities").wait_for()
    done(page)


def done(page):
    """Wait until nothing is being computed any more."""
    page.wait_for_function(
        "() => document.querySelectorAll('[aria-busy=\"true\"], .stale').length === 0",
        timeout=60_000,
    )


def number(page, name):
    """The whole number behind what is shown under a name."""
    return float(page.locator(f'data[data-name="{name}"]').first.get_attribute("value"))


def shown_error(page, value):
    """Wait for the error that is shown large."""
    page.locator(f'data[data-name="error"][value="{value!r}"]').wait_for()


@pytest.fixture(scope="module")
def loans(tables):
    """The loans, model by model."""
    return pb.read(tables / "loans.csv").by_model()


def test_the_first_view_holds_the_librarys_numbers(page, loans_address, loans, accessible):
    """Error, null range, p-value and the omnibus' verdict are those of the library."""
    go(page, loans_address)
    expected = pb.calibration_error(loans["careful"])
    shown_error(page, expected.value)
    assert number(page, "null-low") == expected.null_range[0]
    assert number(page, "null-high") == expected.null_range[1]
    assert number(page, "p-value") == expected.p_value
    tested = pb.calibration_test(loans["careful"])
    assert number(page, "test-p") == tested.p_value
    page.get_by_text(tested.verdict).wait_for()
    accessible()


def test_every_control_changes_what_is_measured(page, loans_address, loans):
    """Model, view, bins, number, distance, draws and fewest rows reach the library."""
    go(page, loans_address)
    choose(page.get_by_label("Model", exact=True), "boastful")
    data = loans["boastful"]
    shown_error(page, pb.calibration_error(data).value)
    choose(page.get_by_label("View", exact=True), "top-label")
    shown_error(page, pb.calibration_error(data, view="top-label").value)
    choose(page.get_by_label("Bins", exact=True), "equal-size")
    shown_error(page, pb.calibration_error(data, view="top-label", bins="equal-size:15").value)
    page.get_by_label("Number of bins, as a number").fill("7")
    page.get_by_label("Number of bins", exact=True).press("ArrowRight")
    shown_error(page, pb.calibration_error(data, view="top-label", bins="equal-size:8").value)
    choose(page.get_by_label("Distance", exact=True), "square")
    asked = {"view": "top-label", "bins": "equal-size:8", "distance": "square"}
    shown_error(page, pb.calibration_error(data, **asked).value)
    page.get_by_text("More", exact=True).click()
    choose(page.get_by_label("Draws under the null"), "199")
    done(page)
    few = pb.calibration_error(data, **asked, resamples=199)
    page.locator(f'data[data-name="null-mean"][value="{few.null_mean!r}"]').wait_for()
    page.get_by_label("Fewest rows in a bin").fill("300")
    page.get_by_label("Fewest rows in a bin").blur()
    page.get_by_text("8 equal-size bins (min=300)").first.wait_for()
    page.get_by_label("Show the other models in grey").check()
    done(page)
    page.get_by_role("button", name="hasty", exact=True).first.wait_for()
    expect_chosen(page.get_by_label("Model", exact=True), "boastful")


def test_views_without_a_diagram_say_why(page, loans_address, loans):
    """Both classes in turn have an error and no single diagram; whole vectors need no bins."""
    go(page, loans_address, view="classwise")
    page.get_by_text("This view combines several events").wait_for()
    shown_error(page, pb.calibration_error(loans["careful"], view="classwise").value)
    page.get_by_text("This test does not know the view above").wait_for()
    choose(page.get_by_label("View", exact=True), "joint")
    shown_error(page, pb.calibration_error(loans["careful"], view="joint").value)
    number = page.get_by_label("Number of bins", exact=True)
    assert number.is_disabled()


def test_a_row_of_the_table_chooses_the_model(page, loans_address, loans):
    """All chosen models stand beside each other; a click shows one large, undo goes back."""
    go(page, loans_address)
    rows = page.get_by_role("region", name="All chosen models").first
    rows.get_by_role("button", name="hasty").click()
    shown_error(page, pb.calibration_error(loans["hasty"]).value)
    assert "hasty" in page.url


def test_tests_by_name(page, loans_address, loans):
    """Another statistic has the library's p-value and verdict."""
    go(page, loans_address, model="boastful")
    choose(page.get_by_label("Test", exact=True), "kolmogorov-smirnov")
    found = pb.calibration_test(loans["boastful"], statistic="kolmogorov-smirnov")
    page.get_by_text(found.verdict).wait_for()
    assert number(page, "test-p") == found.p_value
    choose(page.get_by_label("Test", exact=True), "log-loss")
    (method,) = pb.calibration_test(loans["boastful"], statistic="log-loss").present().legend
    page.get_by_text(method, exact=True).wait_for()


def test_diagnosis_groups_and_sensitivity(page, loans_address, loans):
    """Sections ask when they are opened, and say what the library says."""
    data = loans["boastful"]
    go(page, loans_address, model="boastful")
    assert page.locator('[data-name="diagnosis"]').count() == 0
    page.get_by_role("heading", name="Diagnosis").click()
    told = page.locator('[data-name="diagnosis"]')
    assert told.inner_text() == diagnose(data).verdict
    evidence = page.get_by_role("region", name="Evidence")
    width, room = evidence.evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert width <= room
    page.get_by_role("heading", name="Groups", exact=True).click()
    choose(page.get_by_label("Groups of"), "purpose")
    tested = calibration_by(data, "purpose", bins="equal-width:15")
    page.get_by_text(tested.tests.verdict).wait_for()
    assert page.locator('[data-name="groups-verdict"]').inner_text() == tested.tests.verdict
    for note in tested.present().notes:
        page.get_by_text(note, exact=True).wait_for()
    page.get_by_role("button", name="Search the worst slice").click()
    page.locator('[data-name="worst-verdict"]').wait_for()
    page.get_by_role("heading", name="Sensitivity to bins").click()
    page.get_by_text(bin_sensitivity(data).verdict).wait_for()
    done(page)
    page.get_by_role("heading", name="Sensitivity to bins").click()
    page.locator('[data-name="sensitivity-verdict"]').wait_for(state="detached")


def test_sections_say_which_settings_they_do_not_take(page, loans_address):
    """Both classes in turn, other bins and distances: each section says what it leaves out."""
    asked = {"view": "classwise", "scheme": "isotonic", "distance": "square", "resamples": 199}
    go(page, loans_address, **asked, open=["diagnosis", "groups", "sensitivity"])
    for section, told in (
        ("Diagnosis of careful", "Not available for this view"),
        ("Diagnosis of careful", "The bins and distance chosen above do not apply here."),
        ("Calibration by", "Not available for this view"),
        ("Calibration by", "showing 15 equal-width bins"),
        ("Sensitivity to bins of careful", "The bins chosen above do not apply here."),
    ):
        page.get_by_role("group", name=section).first.get_by_text(told).wait_for()


def test_a_plan_starts_on_a_click_and_can_be_cancelled(page, loans_address):
    """The planner waits for its button, shows how far it is, and stops when it is told to."""
    go(page, loans_address, open=["plan"])
    choose(page.get_by_label("Effect to detect"), "random-labels")
    page.get_by_label("Share of rows").fill("0.3")
    page.get_by_label("Power", exact=True).fill("0.9")
    page.get_by_label("Level").fill("0.1")
    page.get_by_label("Rows", exact=True).fill("300")
    page.get_by_label("Rows", exact=True).blur()
    choose(page.get_by_label("Simulation"), "50")
    page.get_by_role("button", name="Plan", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled.").wait_for()
    choose(page.get_by_label("Planned test"), "brier-score")
    page.get_by_role("button", name="Plan again").click()
    page.locator('[data-name="plan-verdict"]').wait_for(timeout=60_000)
    assert "300 rows" in page.locator('[data-name="plan-verdict"]').inner_text()
    assert number(page, "power-at-n") > 0.5
    assert number(page, "n-needed") > 2


def test_recalibration_compares_and_recalibrates(page, loans_address, loans):
    """All methods first, then one: advice, before and after, the map, and the lines to type."""
    go(page, loans_address, model="boastful", open=["recalibration"])
    advice = pb.recalibration_advice(loans["boastful"])
    page.get_by_text(advice.verdict).wait_for(timeout=60_000)
    choose(page.get_by_label("Method", exact=True), "isotonic")
    page.get_by_text("The best-fitting increasing map.").wait_for()
    page.get_by_role("img", name="Map of isotonic").or_(
        page.get_by_label("Map of isotonic")
    ).first.wait_for(timeout=60_000)
    done(page)
    page.get_by_role("cell", name="log loss").first.wait_for()
    page.get_by_text("Do it on the command line or in Python").click()
    line = shlex.split(page.get_by_label("Command line").inner_text())
    given = dict(pairwise(line))
    assert (given["--models"], given["--method"]) == ("boastful", "isotonic")
    assert given["--apply"] == "new.csv"


def test_charts_can_be_pinned_and_exported(page, loans_address):
    """Every block has its two buttons, and a pin stands on the board."""
    go(page, loans_address, open=["diagnosis"])
    page.get_by_role("button", name="Pin Reliability of careful to the board").click()
    page.get_by_role("button", name="Export Diagnosis of careful").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Board", exact=True).click()
    page.get_by_text("calibration error").first.wait_for()


def test_picture_calibration(page, loans_address, picture):
    """The room as the documentation shows it: a model that is too sure, diagnosed."""
    go(page, loans_address, model="boastful", open=["diagnosis"])
    page.locator('[data-name="diagnosis"]').wait_for()
    done(page)
    picture("calibration")
    page.get_by_role("heading", name="Recalibration").click()
    page.locator('[data-name="advice"]').wait_for(timeout=60_000)
    done(page)
    picture("recalibration", "Recalibration")


def test_windows_are_drawn_in_sequence(page, loans_address, tables, accessible):
    """Both charts, the library's verdict, and a row a window."""
    go(page, loans_address, model="careful", resamples=199, open=["over-time"], window="purpose")
    loans = pb.read(tables / "loans.csv").by_model()["careful"]
    result = pb.monitor(loans, by="purpose", reference=1, resamples=199)
    section = page.get_by_role("group", name="Calibration over time of careful")
    assert section.locator("[data-name=monitor-verdict]").inner_text() == result.present().summary
    for name in ("Evidence over time", "Observed minus predicted over time"):
        section.get_by_role("group", name=name).or_(section.get_by_label(name)).first.wait_for()
    assert section.locator("tbody tr").count() == len(result.windows)
    accessible()


def test_a_narrow_dark_page_needs_no_sideways_scrolling(page, loans_address, accessible):
    """At 420 pixels everything stands in one column, also in the dark."""
    page.set_viewport_size({"width": 420, "height": 900})
    page.emulate_media(color_scheme="dark")
    go(page, loans_address, model="boastful", open=["groups", "sensitivity", "plan"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    accessible()


def test_the_legend_shows_a_band_as_an_area(page, loans_address):
    """The range of true probabilities is an area: its key is filled, and no line is in it."""
    go(page, loans_address)
    key = page.get_by_role("button", name="range if calibrated").first.locator(".chart-key")
    assert key.locator("rect").count() == 1
    assert key.locator("line").count() == 0
