"""Charts: the shared threshold under pointer and keyboard, the legend, the table below."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import plumbline as pb
from browser_controls import choose

X_TITLE, Y_TITLE = "false positive rate", "true positive rate"  # of the ROC curve


@pytest.fixture
def roc(page, loans_address):
    """The ROC curve of the loans, drawn."""
    page.goto(f"{loans_address}#room=curves")
    slider = page.get_by_role("slider", name="Threshold on ROC curve")
    slider.wait_for()
    return slider


def said(slider):
    """Return what a screen reader says of a slider."""
    return slider.get_attribute("aria-valuetext")


def stands(slider):
    """Return the threshold at which the marker of the chart stands."""
    return float(slider.get_attribute("aria-valuenow"))


def drag(page, slider, *path):
    """Press at the first place and move along the others, given as shares of the plot."""
    box = slider.bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in path]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=5)
    page.mouse.up()


def test_dragging_moves_the_threshold(page, roc):
    """The marker follows the pointer along the curve, and the state takes it when let go."""
    drag(page, roc, (0.1, 0.6), (0.2, 0.4))
    strict, first = stands(roc), said(roc)
    page.wait_for_url(re.compile(f"threshold={strict}"))
    assert "threshold" in first
    assert X_TITLE in first
    assert page.locator(".chart-readout:visible").inner_text().splitlines()[1].startswith("thresh")
    drag(page, roc, (0.3, 0.3), (0.8, 0.1))
    assert stands(roc) < strict
    assert said(roc) != first


@pytest.mark.parametrize("preset", ["roc", "precision-recall-gain"])
def test_a_drag_that_rests_goes_on(page, loans_address, preset):
    """The answers that arrive meanwhile do not take the threshold out of the hand."""
    page.goto(f'{loans_address}#room=curves&curve={{"preset":"{preset}"}}')
    slider = page.get_by_role("slider", name=re.compile("^Threshold on"))
    page.get_by_role("table", name="Counts of careful").wait_for()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.2 * box["height"], steps=3)
    rested = stands(slider)
    sentence = re.compile(re.escape(f"At threshold {str(rested)[:4]}"))
    page.get_by_role("region", name="Reading", exact=True).get_by_text(sentence).first.wait_for()
    page.wait_for_timeout(100)
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.1 * box["height"], steps=5)
    page.wait_for_timeout(100)
    assert stands(slider) < rested
    page.mouse.up()


def test_the_keyboard_moves_the_threshold(page, roc):
    """Arrows step from point to point, pages ten at once, Home and End to the ends."""
    roc.focus()
    page.keyboard.press("Home")
    assert "threshold ∞" in said(roc)
    page.keyboard.press("ArrowRight")
    first = stands(roc)
    assert 0 < first <= 1
    page.keyboard.press("PageUp")
    tenth = stands(roc)
    assert tenth < first
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    assert stands(roc) == first
    page.keyboard.press("End")
    assert stands(roc) < tenth
    assert f"{Y_TITLE} 1" in said(roc)
    page.wait_for_url(re.compile(f"threshold={stands(roc)}"))


@pytest.mark.usefixtures("roc")
def test_two_charts_follow_one_cursor(page):
    """A threshold that is moved on one chart of the board is marked on the other."""
    page.get_by_role("button", name="Pin ROC curve to the board").click()
    choose(page.get_by_label("Preset or user-defined formula"), "Cumulative gains curve")
    page.get_by_role("slider", name="Threshold on Cumulative gains curve").wait_for()
    page.get_by_role("button", name="Pin Cumulative gains curve to the board").click()
    page.get_by_role("navigation").get_by_text("Board").click()
    sliders = page.get_by_role("slider", name=re.compile("^Threshold on"))
    sliders.nth(1).wait_for()
    sliders.first.focus()
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")
    told = [said(sliders.nth(place)) for place in range(2)]
    assert all("threshold 0." in text for text in told), told
    sliders.nth(1).focus()
    page.keyboard.press("End")
    assert all(said(sliders.nth(place)) != told[place] for place in range(2))


def test_the_legend_hides_and_shows_a_line(page, roc):
    """A click or the space bar hides a series; its marker goes with it."""
    legend = page.get_by_role("list", name="Series").first
    buttons = legend.get_by_role("button")
    assert buttons.count() == 3
    page.keyboard.press("Tab")
    roc.press("End")
    markers = page.locator(".chart-cursor:visible")
    assert markers.count() == 3
    buttons.nth(1).click()
    assert buttons.nth(1).get_attribute("aria-pressed") == "false"
    assert markers.count() == 2
    buttons.nth(1).press("Space")
    assert buttons.nth(1).get_attribute("aria-pressed") == "true"
    assert markers.count() == 3


@pytest.mark.usefixtures("roc")
def test_the_points_are_there_as_a_table(page):
    """Below a chart its points can be read, at most 200 of them, and copied, all of them."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_text("Show as table").first.click()
    table = page.get_by_role("table", name=re.compile("^ROC curve:"))
    caption = table.locator("caption").inner_text()
    total = int(re.search(r"of ([\d,]+) drawn points, evenly spread", caption)[1].replace(",", ""))
    assert table.get_by_role("row").count() == 201
    page.get_by_role("button", name="Copy as tab-separated text").click()
    page.get_by_text(re.compile("Copied")).wait_for()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(copied) == total + 1
    assert copied[0].split("\t") == ["series", X_TITLE, Y_TITLE, "threshold"]


def test_pointing_at_the_curve_says_its_values(page, roc):
    """Near a point its values are shown; far from all points nothing is."""
    page.evaluate("document.activeElement.blur()")
    box = roc.bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + box["height"] - 12)
    shown = page.locator(".chart-readout").nth(1)
    shown.filter(has_text="false positive rate").wait_for()
    page.mouse.move(box["x"] + 0.95 * box["width"], box["y"] + 0.9 * box["height"])
    shown.wait_for(state="hidden")


def test_a_line_that_plunges_out_of_sight_is_drawn(page, bare_address, tmp_path):
    """Net benefit of a probability next to 1 is -1e12 there; dashed, that line would never end."""
    rng = np.random.default_rng(3)
    prob = np.concatenate([rng.uniform(0.05, 0.95, 198), [1 - 1e-13, 1 - 1e-14]])
    actual = rng.integers(0, 2, 200)
    actual[-1] = 0
    table = pb.Predictions.from_arrays(
        np.tile(actual, 2), np.tile(prob, 2), model=["a"] * 200 + ["b"] * 200
    )
    table.write(tmp_path / "sure.csv")
    page.goto(bare_address)
    page.locator("input[type=file]").first.set_input_files(tmp_path / "sure.csv")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("button", name="Curves", exact=True).click()
    page.get_by_role("img", name="ROC curve").first.wait_for()
    choose(page.get_by_label("Preset or user-defined formula"), "net-benefit")
    page.get_by_role("img", name="Net benefit").first.wait_for()
    assert page.get_by_role("slider", name=re.compile("^Threshold on")).is_visible()


@pytest.mark.usefixtures("roc")
def test_charts_are_accessible(page, accessible):
    """A chart is an image with a name and a description; axe finds nothing grave."""
    picture = page.get_by_role("img", name="ROC curve").first
    described = picture.get_attribute("aria-describedby")
    words = page.locator(f"[id='{described}']").text_content()
    assert words.startswith(f"Horizontal axis: {X_TITLE}, 0 to 1.")
    assert "3 series" in words
    page.get_by_text("Show as table").first.click()
    accessible()


def test_a_chart_fits_a_narrow_screen(page, loans_address):
    """At 420 pixels the chart is inside the page, and redrawn in the dark."""
    page.set_viewport_size({"width": 420, "height": 900})
    page.goto(f"{loans_address}#room=curves")
    slider = page.get_by_role("slider", name="Threshold on ROC curve")
    slider.wait_for()
    box = slider.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 420
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    count = "performance.getEntriesByName('plumbline:drawn').length"
    before = page.evaluate(count)
    page.emulate_media(color_scheme="dark")
    for _ in range(50):
        if page.evaluate(count) > before:
            break
        page.wait_for_timeout(50)
    assert page.evaluate(count) > before


@pytest.mark.usefixtures("roc")
def test_a_chart_is_zoomed_and_reset(page, accessible):
    """A rectangle, keys and buttons change what is shown; no threshold is chosen by it."""
    slider = page.get_by_role("slider", name="Threshold on ROC curve")
    chart = page.locator(".chart").filter(has=slider)
    shown, reset = chart.get_by_role("status"), chart.get_by_role("button", name="Reset zoom")
    chart.get_by_role("button", name="Zoom", exact=True).click()
    drag(page, slider, (0.1, 0.1), (0.5, 0.5))
    shown.filter(
        has_text=re.compile(rf"^Shows {X_TITLE} 0\.0?[89]\d* to 0\.5\d*, {Y_TITLE} ")
    ).wait_for()
    assert "threshold=" not in page.url
    accessible()
    reset.click()
    assert shown.inner_text() == ""
    slider.focus()
    page.keyboard.press("+")
    closer = shown.inner_text()
    page.keyboard.press("Shift+ArrowRight")
    assert shown.inner_text() != closer
    page.keyboard.press("-")
    reset.wait_for(state="detached")
    page.keyboard.press("+")
    page.keyboard.press("0")
    reset.wait_for(state="detached")
    page.keyboard.down("Shift")
    drag(page, slider, (0.2, 0.2), (0.6, 0.6))
    page.keyboard.up("Shift")
    reset.wait_for()
    box = slider.bounding_box()
    page.mouse.dblclick(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    reset.wait_for(state="detached")


def test_a_chart_fills_the_screen(page, roc):
    """Full screen draws the chart larger, and gives the page back."""
    narrow = roc.bounding_box()["width"]
    chart = page.locator(".chart").filter(has=roc)
    chart.get_by_role("button", name="Full screen").click()
    page.wait_for_function(
        "narrow => document.querySelector('.chart-plot').clientWidth > 1.2 * narrow", arg=narrow
    )
    chart.get_by_role("button", name="Leave full screen").click()
    page.wait_for_function(
        "narrow => document.querySelector('.chart-plot').clientWidth < 1.2 * narrow", arg=narrow
    )


def test_a_rectangle_on_a_curve_selects_the_rows_between_its_thresholds(page, roc):
    """The thresholds of the points inside become those of the cases; a button resets them."""
    select = page.get_by_role("button", name="Select rows between two thresholds")
    select.click()
    drag(page, roc, (0.02, 0.3), (0.5, 0.9))
    low, high = (page.get_by_role("slider", name=f"{end} threshold") for end in ("Lower", "Upper"))
    expect(low).to_be_visible()
    ends = [float(one.get_attribute("aria-valuenow")) for one in (low, high)]
    assert ends[0] < ends[1]
    page.locator("[data-name=cases]").wait_for()
    for handle in (low, high):
        box = handle.bounding_box()
        assert min(box["width"], box["height"]) >= 24
    page.get_by_role("button", name="Reset selection").click()
    expect(low).to_have_count(0)
    select.focus()
    page.keyboard.press("Enter")
    expect(low).to_be_focused()


def test_a_point_says_how_many_rows_its_threshold_accepts(page, roc):
    """The readout of a point has its threshold, its place and its rows."""
    box = roc.bounding_box()
    page.mouse.move(box["x"] + 0.15 * box["width"], box["y"] + 0.5 * box["height"])
    shown = page.locator(".chart-readout:not(.standing)")
    expect(shown).to_be_visible()
    assert re.search(r"accepts [\d,]+ of 1,500 rows", shown.inner_text())
