"""The room of curves: gallery, formulas with help, every control of the panel."""

import re

import pytest
from playwright.sync_api import expect

import plumbline as pb
from browser_controls import choose, expect_chosen
from plumbline.curves import PRESETS

ROC = "ROC curve"
expect.set_options(timeout=10_000)


@pytest.fixture
def room(page, loans_address):
    """The room of curves, with its first curve drawn."""
    page.goto(f"{loans_address}#room=curves")
    heading(page, ROC).wait_for()
    return page


def heading(page, title):
    """The title of the curve in sight."""
    return page.get_by_role("figure").get_by_role("heading", name=title)


def panel(page):
    """The panel of the curve."""
    return page.get_by_role("complementary", name="Curve", exact=True)


def described(page, text):
    """Wait until the curve says how it is made."""
    expect(page.get_by_role("figure").get_by_text(text).first).to_be_visible()


def own_formulas(page):
    """Write the formulas of the preset into the boxes."""
    page.get_by_role("button", name="Edit the formulas").click()
    return page.get_by_role("textbox", name="x", exact=True), y_box(page)


def y_box(page):
    """The box of y."""
    return page.get_by_role("textbox", name="y", exact=True)


def rewrite(box, text):
    """Put a formula into a box in place of what is there."""
    box.click()
    box.fill(text)
    box.press("Escape")


def test_the_areas_are_the_librarys(room, tables):
    """The area under every curve stands beside it, exact to the last digit."""
    curve = pb.curve(pb.read(tables / "loans.csv"), "roc")
    shown = room.get_by_role("list", name="AUC").locator("data")
    expect(shown).to_have_count(len(curve.lines))
    told = [float(shown.nth(i).get_attribute("value")) for i in range(shown.count())]
    assert told == list(curve.areas)
    chips = room.get_by_role("list", name="AUC").get_by_role("listitem")
    for place, line in enumerate(curve.lines):
        low, high = line.area_range
        expect(chips.nth(place)).to_contain_text(f"95 %: {low:.4g} to {high:.4g}")


def test_the_gallery_draws_every_preset(room, accessible):
    """Every preset is a button with a picture of this data; a click opens it."""
    room.get_by_text("Gallery: every preset").click()
    cards = room.get_by_role("list", name="Presets").get_by_role("button")
    expect(cards).to_have_count(len(PRESETS))
    choose(room.get_by_label("Column for the curves that are drawn against one"), "age")
    expect(room.get_by_role("list", name="Presets").locator("canvas")).to_have_count(len(PRESETS))
    accessible()
    cards.filter(has_text="Errors by attribute").click()
    heading(room, "Errors by attribute").wait_for()
    expect_chosen(room.get_by_label("Column on the x axis"), "age")
    choose(room.get_by_label("Column on the x axis"), "purpose")
    described(room, "the mean of every category")


def test_completion_by_keyboard(room, accessible):
    """Names are completed with the arrows and Enter or Tab; Escape closes, Ctrl-Space opens."""
    _, y = own_formulas(room)
    y.click()
    y.fill("")
    y.press_sequentially("prec")
    options = room.get_by_role("listbox", name="Names for y").get_by_role("option")
    expect(options.first).to_have_text(re.compile("precision"))
    accessible()
    y.press("Enter")
    expect(y).to_have_value("precision")
    y.press_sequentially(" + cum")
    y.press("Tab")
    expect(y).to_have_value("precision + cumm()")
    y.press_sequentially("purpose == ")
    expect(options.first).to_have_text(re.compile("car"))
    y.press("ArrowDown")
    y.press("ArrowUp")
    y.press("Enter")
    expect(y).to_have_value("precision + cumm(purpose == 'car')")
    expect(panel(room).get_by_text("weighted sum of f over the rows so far")).to_be_visible()
    y.press("Control+Space")
    expect(room.get_by_role("listbox", name="Names for y")).to_be_visible()
    y.press("Escape")
    expect(room.get_by_role("listbox", name="Names for y")).to_be_hidden()
    expect(heading(room, "precision + cumm(purpose == 'car') by")).to_be_visible()


def test_a_mistake_is_underlined_and_the_chart_stays(room):
    """What is wrong is said below the box; the last good curve stays until it is mended."""
    _, y = own_formulas(room)
    rewrite(y, "recal + 1")
    expect(panel(room).get_by_text("there is no variable `recal`")).to_be_visible()
    expect(panel(room).locator("u")).to_have_text("recal")
    expect(y).to_have_attribute("aria-invalid", "true")
    expect(heading(room, ROC)).to_be_visible()
    rewrite(y, "recall / 2")
    y.press("Enter")
    heading(room, "recall / 2 by").wait_for()
    expect(y).not_to_have_attribute("aria-invalid", "true")


def test_variables_and_values_are_inserted(room):
    """The two selects put a name and a value where the caret is."""
    _, y = own_formulas(room)
    y.fill("")
    choose(room.get_by_label("Insert variable into y"), "purpose")
    y.press_sequentially(" == ")
    y.press("Escape")
    choose(room.get_by_label("Insert value into y"), "'home'")
    expect(y).to_have_value("purpose == 'home'")


def test_order_merging_and_titles(room):
    """Sort key, direction, merging and axis titles do what they say; Reset takes all back."""
    own_formulas(room)
    rewrite(
        room.get_by_role("textbox", name="Sort data by", exact=True),
        "probability * amount_requested",
    )
    described(room, "rows sorted by probability * amount_requested from high to low")
    choose(room.get_by_label("Direction"), "ascending")
    described(room, "from low to high")
    choose(room.get_by_label("Merge rows of equal value"), "none")
    described(room, "one point per row")
    panel(room).get_by_text("Axis titles").click()
    room.get_by_label("Title of the x axis").fill("alarms")
    room.get_by_label("Title of the y axis").fill("hits")
    room.get_by_label("Title of the y axis").press("Tab")
    expect(room.get_by_role("figure").get_by_text("hits").first).to_be_visible()
    panel(room).get_by_role("button", name="Reset").click()
    expect_chosen(room.get_by_label("Preset or user-defined formula"), "roc")
    described(room, "tied rows make one point")


def test_no_sorting_is_corrected_by_a_click(room):
    """Counts at a threshold need sorted rows: the mistake is explained and mended by one click."""
    own_formulas(room)
    choose(room.get_by_label("Direction"), "unsorted")
    room.get_by_role("button", name="Sort by probability").click()
    expect_chosen(room.get_by_label("Direction"), "descending")
    described(room, "from high to low")


def test_averaging_and_bands(room):
    """Folds are averaged and spread; what cannot be had together is said before it is asked."""
    averaging = panel(room).get_by_label("Averaging", exact=True)
    choose(averaging, "vertical")
    room.get_by_label("Points along x").fill("21")
    room.get_by_label("Points along x").press("Tab")
    described(room, "the mean of the folds at 21 values of x")
    choose(room.get_by_label("Band"), "folds")
    expect(room.get_by_text("standard deviation").first).to_be_visible()
    choose(averaging, "threshold")
    room.get_by_role("spinbutton", name="Thresholds").fill("9")
    room.get_by_role("spinbutton", name="Thresholds").press("Tab")
    described(room, "the mean of the folds at 9 thresholds")
    choose(averaging, "merge")
    expect(
        panel(room).get_by_text(re.compile("^Not available .*spread over folds"))
    ).to_be_visible()
    choose(room.get_by_label("Band"), "none")
    described(room, "tied rows make one point")
    choose(panel(room).get_by_label("Band", exact=True), "bootstrap")
    choose(panel(room).get_by_label("Resamples"), "200")
    choose(panel(room).get_by_label("Level of the band"), "0.9")
    room.get_by_role("button", name="Compute", exact=True).click()
    expect(room.get_by_text("90 % band").first).to_be_visible(timeout=60_000)
    choose(room.get_by_label("Band", exact=True), "none")
    choose(averaging, "none")
    described(room, "one line per fold")
    choose(room.get_by_label("Preset or user-defined formula"), "calibration")
    room.get_by_label("Share of the rows in the window").fill("0.3")
    described(room, "each over 30 % of the rows")


def test_several_classes(page, bare_address):
    """One class against the rest, a line a class, and both averages, whose areas are told."""
    page.goto(bare_address)
    page.get_by_role("button", name=re.compile("^Ten digits")).click()
    page.get_by_role("button", name="Curves", exact=True).click()
    heading(page, ROC).wait_for()
    several = panel(page).get_by_label("Several classes")
    areas = page.get_by_role("list", name="AUC").locator("data")
    models = areas.count()
    choose(several, "micro")
    described(page, "all classes against the rest, merged")
    expect(areas).to_have_count(models)
    choose(several, "macro")
    described(page, "mean of")
    expect(panel(page).get_by_text("has no band: turn the band off")).to_have_count(0)
    choose(several, "per-class")
    expect(page.get_by_role("figure").get_by_text("AUC of 20 lines")).to_be_visible()


def test_parameters_are_sliders(room):
    """Every parameter has a slider and a box, and the curve follows."""
    choose(room.get_by_label("Preset or user-defined formula"), "cost")
    slider = room.get_by_role("slider", name="fn_cost")
    slider.focus()
    slider.press("ArrowRight")
    described(room, re.compile("fn_cost = 5.1"))
    room.get_by_label("fp_cost, value").fill("2")
    described(room, re.compile("fp_cost = 2"))


def test_second_y_and_hull(room):
    """A second formula has the axis on the right; the hull is drawn where it means something."""
    panel(room).get_by_label("Second y, on the right axis").check()
    rewrite(room.get_by_role("textbox", name="Second y", exact=True), "CA")
    expect(room.get_by_role("figure").get_by_text("careful: CA").first).to_be_visible()
    panel(room).get_by_text("Axis titles").click()
    room.get_by_label("Title of the second y axis").fill("share right")
    expect(room.get_by_role("figure").get_by_text("careful: share right").first).to_be_visible()
    panel(room).get_by_label("Convex hull").check()
    expect(room.get_by_role("figure").get_by_text("hull of careful").first).to_be_visible()
    choose(room.get_by_label("Preset or user-defined formula"), "profit")
    room.get_by_role("slider", name="gain").wait_for()
    heading(room, "Profit by threshold").wait_for()
    panel(room).get_by_label("Convex hull").check()
    expect(panel(room).get_by_text("the convex hull needs")).to_be_visible()


def test_what_is_slow_waits_for_compute(room, accessible):
    """A bootstrap waits for Compute, can be cancelled, and then be computed after all."""
    choose(room.get_by_label("Band"), "bootstrap")
    compute = room.get_by_role("button", name="Compute", exact=True)
    compute.wait_for()
    accessible()  # the curve before can still be read
    compute.click()
    expect(room.get_by_text("resamples of these rows").first).to_be_visible()
    expect(compute).to_be_hidden()
    choose(room.get_by_label("Preset or user-defined formula"), "precision-recall")
    expect(compute).to_be_visible()
    heading(room, ROC).wait_for()
    room.route("**/ask", lambda route: None)  # an answer that never comes
    compute.click()
    room.get_by_role("button", name="Cancel").click()
    room.unroute("**/ask")
    room.get_by_role("button", name="Compute again").click()
    heading(room, "Precision–recall curve").wait_for()


def test_picture_of_the_room(room, picture):
    """The room with a formula of one's own, for the documentation."""
    _, y = own_formulas(room)
    rewrite(y, "cumm(amount_requested ** 2 / 30 if eP else -amount_requested)")
    rewrite(room.get_by_role("textbox", name="x", exact=True), "threshold")
    heading(room, "cumm").wait_for()
    picture("curves")
    room.get_by_text("Gallery: every preset").click()
    expect(room.get_by_role("list", name="Presets").locator("canvas")).to_have_count(len(PRESETS))
    picture("gallery")
