"""The first room: a verdict card a model, charts that share one threshold, what decisions pay."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import plumbline as pb
from browser_controls import choose

expect.set_options(timeout=20_000)  # a busy machine draws slowly

WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def overview(page, loans_address):
    """The workbench as it opens, every answer there."""
    page.goto(loans_address)
    card(page, "careful").locator("[data-name=verdict]").wait_for()
    return page


def card(page, model):
    """Return the card of a model."""
    return page.get_by_role("article", name=model, exact=True)


def number(scope, name):
    """Return a number on a card."""
    return float(scope.locator(f"data[data-name='{name}']").get_attribute("value"))


def test_the_cards_say_what_the_library_says(overview, tables, accessible, picture):
    """Verdict and numbers of every model are those of `test`, `roc_auc` and `log_loss`."""
    data = pb.read(str(tables / "loans.csv"))
    for model, part in data.by_model().items():
        one = card(overview, model)
        found = pb.calibration_test(part).present()
        verdict = one.locator("[data-name=verdict]")
        expect(verdict).to_contain_text(found.summary)
        expect(verdict).to_have_attribute("data-tone", found.tone)
        assert number(one, "log-loss") == pytest.approx(pb.log_loss(part))
        assert number(one, "auc-low") < number(one, "roc-auc") < number(one, "auc-high")
        assert number(one, "ece-expected") > 0
    accessible()
    picture("overview")


def test_one_threshold_goes_through_every_chart(overview):
    """A key pressed on one chart moves the cursor of all four and the line that reads it."""
    sliders = overview.get_by_role("slider", name=re.compile("^Threshold on"))
    expect(sliders).to_have_count(4)
    read = overview.locator("[data-name=readout]")
    expect(read).to_have_attribute("data-threshold", "0.5")
    sliders.first.focus()
    overview.keyboard.press("PageUp")
    expect(read).not_to_have_attribute("data-threshold", "0.5")
    at = float(read.get_attribute("data-threshold"))
    expect(overview).to_have_url(re.compile("threshold="))
    expect(overview.get_by_role("spinbutton", name="Threshold")).to_have_value(
        re.compile(f"^{at:.3f}")
    )
    overview.get_by_role("button", name="Undo").click()
    expect(read).to_have_attribute("data-threshold", "0.5")


def test_the_next_step_leads_to_its_section(overview):
    """The step of the model that is miscalibrated opens the recalibration of that model."""
    card(overview, "boastful").get_by_role("button").click()
    overview.get_by_role("main", name="Calibration").wait_for()
    overview.get_by_role("heading", name="Reliability of boastful").wait_for()
    expect(overview).to_have_url(re.compile("recalibration"))
    overview.go_back()
    overview.get_by_role("main", name="Overview").wait_for()


def test_a_model_left_out_has_no_card_and_no_line(overview):
    """The cards follow the data panel; one model needs no colours."""
    panel = overview.get_by_role("complementary", name="Data")
    for model in ("boastful", "hasty"):
        panel.get_by_role("checkbox", name=model).uncheck()
    expect(overview.get_by_role("article")).to_have_count(1)
    expect(overview.locator(".verdict-card .swatch")).to_have_count(0)


@pytest.mark.parametrize(
    ("table", "charts"), [("hundred_classes", 4), ("scores_only", 3), ("one_class", 4)]
)
def test_other_tables_show_what_they_have(page, serve, tables, table, charts):
    """Several classes, ratings alone and one class: a card, the charts there are, no fault."""
    with serve(str(tables / f"{table}.csv")) as address:
        page.goto(address)
        page.get_by_role("figure").first.wait_for()  # the table is still being read
        expect(page.get_by_role("figure")).to_have_count(charts)
        page.locator("[data-name=readout]").wait_for()
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
        expect(page.get_by_role("alert")).to_have_count(0)
        page.set_viewport_size({"width": 390, "height": 800})
        page.wait_for_function(f"() => ({WIDER})() <= 0")
        page.goto("about:blank")


def test_labels_alone_say_what_is_missing(page, serve, tmp_path):
    """Without probabilities and ratings there are scores, and the reasons for what is missing."""
    rows = "".join(f"{i % 3},{i % 2}\n" for i in range(60))
    (tmp_path / "labels.csv").write_text("actual,predicted\n" + rows, encoding="utf-8")
    with serve(str(tmp_path / "labels.csv")) as address:
        page.goto(address)
        one = page.get_by_role("article")
        assert number(one, "accuracy") == pytest.approx(1 / 3, abs=0.01)
        expect(page.get_by_role("figure")).to_have_count(0)
        page.get_by_text(re.compile("needs ratings or probabilities")).wait_for()
        page.goto("about:blank")


def test_payoffs_give_a_best_threshold_without_a_formula(overview):
    """Another payoff is another profit curve and another best threshold, which can be taken."""
    region = overview.get_by_role("region", name="Payoffs")
    best = region.locator("data[data-name=threshold]").first
    before = best.get_attribute("value")
    box = region.get_by_role("spinbutton", name="False positive")
    box.fill("-5")
    box.press("Tab")
    expect(best).not_to_have_attribute("value", before)
    assert float(best.get_attribute("value")) > float(before)
    region.get_by_role("button", name=re.compile("^Take this threshold")).first.click()
    expect(overview).to_have_url(re.compile("threshold="))


@pytest.fixture
def distribution(overview):
    """The histogram of the classes."""
    region = overview.get_by_role("region", name="Distribution of the classes")
    region.get_by_role("img").wait_for()
    return region


def drawn_rows(region):
    """Return the cells of the drawn bars, as "Show as table" has them."""
    region.get_by_text("Show as table").click()
    region.get_by_role("row").nth(1).wait_for()
    return [
        line.get_by_role("cell").all_inner_texts() for line in region.get_by_role("row").all()[1:]
    ]


def test_the_histogram_stacks_what_the_library_counts(distribution, tables):
    """By the prediction at first; by an attribute of categories a bar a category."""
    data = pb.read(str(tables / "loans.csv")).select(model="careful")
    choose(distribution.get_by_label("Rows by"), "purpose")
    distribution.get_by_role("img", name="Classes by purpose").wait_for()
    found = pb.class_counts(data, "purpose")
    expected = [
        [name, group, f"{found.count[g, c]:,}"]
        for c, name in enumerate(found.classes)
        for g, group in enumerate(found.groups)
    ]
    assert drawn_rows(distribution) == expected


def test_a_selected_range_becomes_a_filter_and_is_reset(overview, distribution, accessible):
    """A drag over the histogram selects; handles move it by key; a button keeps those rows."""
    plot = distribution.locator(".chart-plot")
    plot.scroll_into_view_if_needed()
    accessible()  # after it nothing is drawn any more, and nothing moves below the pointer
    box = plot.bounding_box()
    overview.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    overview.mouse.down()
    overview.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=4)
    overview.mouse.up()
    selected = distribution.get_by_role("status").filter(has_text="Selected")
    expect(selected).to_contain_text(re.compile(r"<= probability <= 0\.\d+, [\d,]+ rows"))
    accessible()
    distribution.get_by_role("button", name="Reset selection").click()
    expect(selected).to_have_count(0)
    distribution.get_by_role("button", name="Select a range").focus()
    overview.keyboard.press("Enter")
    low = distribution.get_by_role("slider", name="Lower Predicted probability")
    expect(low).to_be_focused()
    before = float(low.get_attribute("aria-valuenow"))
    overview.keyboard.press("ArrowRight")
    expect(low).not_to_have_attribute("aria-valuenow", str(before))
    assert float(low.get_attribute("aria-valuenow")) > before
    expect(selected).to_contain_text(re.compile(r", [\d,]+ rows"))
    told = selected.inner_text()
    distribution.get_by_role("button", name="Keep only these rows").click()
    expect(selected).to_have_count(0)
    count = overview.get_by_role("region", name="Filter").locator(".count")
    kept = re.search(r"([\d,]+) rows", told)[1]
    expect(count).to_contain_text(f"{kept} of")
    overview.get_by_role("button", name="Undo").click()
    expect(count).to_contain_text("All")


@pytest.fixture
def rare(page, serve, tmp_path):
    """The overview of three models of an event that is seldom."""
    rng = np.random.default_rng(1)
    place = rng.normal(-5, 1.2, 1500)
    actual = (rng.random(1500) < 1 / (1 + np.exp(-place))).astype(int)
    lines = ["model,row,actual,p:0,p:1"]
    for name, shift in (("forest", 0.0), ("tree", 0.4), ("bayes", -0.3)):
        prob = 1 / (1 + np.exp(-place - shift))
        lines += [
            f"{name},{row},{one},{1 - share:.9f},{share:.9f}"
            for row, (one, share) in enumerate(zip(actual, prob, strict=True))
        ]
    (tmp_path / "rare.csv").write_text("\n".join(lines) + "\n")
    with serve(str(tmp_path / "rare.csv")) as address:
        page.goto(address)
        page.get_by_role("figure", name="Calibration").locator("canvas").wait_for()
        settled(page)
        yield page


def to(page, room):
    """Go to another room."""
    page.get_by_role("button", name=room, exact=True).first.click()
    page.get_by_role("main", name=room).wait_for()


def settled(page):
    """Wait until every answer is there."""
    page.wait_for_timeout(200)
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')", timeout=60_000)


PLACES = """() => [...document.querySelectorAll(".chart-plot")].map((one) => {
    const box = one.getBoundingClientRect();
    return [box.x + window.scrollX, box.y + window.scrollY, box.width, box.height];
})"""


def places_over_a_drag(page, slider):
    """Drag the threshold from end to end and back, and return where every chart was."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    found = [page.evaluate(PLACES)]
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    for share in (0.5, 0.02, 0.1, 0.3, 0.6, 0.98, 0.2):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.5 * box["height"], steps=3)
        page.wait_for_timeout(160)
        found.append(page.evaluate(PLACES))
    page.mouse.up()
    settled(page)
    return [*found, page.evaluate(PLACES)]


def test_no_chart_moves_while_a_threshold_is_dragged(rare):
    """Sentences above a chart keep their height, whichever chart or control is dragged."""
    sliders = rare.get_by_role("slider", name=re.compile("^Threshold"))
    for number in range(sliders.count()):
        found = places_over_a_drag(rare, sliders.nth(number))
        assert all(one == found[0] for one in found), number
    for room in ("Curves", "Confusion matrix"):
        to(rare, room)
        settled(rare)
        slider = rare.get_by_role("slider", name=re.compile("^Threshold")).first
        found = places_over_a_drag(rare, slider)
        assert all(one == found[0] for one in found), room


def test_a_pinned_diagram_has_all_models_that_it_showed(rare):
    """The card on the board draws the lines of all models, as the chart did that was pinned."""
    figure = rare.get_by_role("figure", name="Calibration")
    figure.get_by_role("button", name=re.compile("^Pin")).click()
    to(rare, "Board")
    card = rare.locator(".board-card")
    expect(card.locator("canvas")).to_be_visible()
    words = card.locator(".chart-words").inner_text()
    for model in ("forest", "tree", "bayes"):
        assert model in words
        expect(card).to_contain_text(f"of {model}")


def test_a_pinned_histogram_shows_shares_where_it_did(rare):
    """What the bars stand for is kept with the card."""
    region = rare.get_by_role("region", name="Distribution of the classes")
    choose(region.get_by_role("combobox", name="Bars show"), "Shares of the classes")
    region.get_by_role("button", name=re.compile("^Pin")).click()
    to(rare, "Board")
    card = rare.locator(".board-card")
    expect(card.locator("canvas")).to_be_visible()
    expect(card).to_contain_text("Share of the rows")


def in_sight(locator):
    """Tell whether the middle of an element is on the screen, below the header."""
    return locator.evaluate(
        """one => { const {top, height} = one.getBoundingClientRect();
        const middle = top + Math.min(height, innerHeight) / 2;
        return middle > 60 && middle < innerHeight; }"""
    )


def test_answers_come_into_sight(rare):
    """What a button asks for elsewhere on the page is scrolled to: best threshold, comparison."""
    rare.set_viewport_size({"width": 1000, "height": 560})
    to(rare, "Curves")
    settled(rare)
    rare.get_by_role("button", name="Find the best").click()
    settled(rare)
    rare.wait_for_timeout(300)
    assert in_sight(rare.locator(".best .verdict").first)
    rare.evaluate("scrollTo(0, 0)")
    rare.get_by_role("button", name="Compare", exact=True).click()
    settled(rare)
    rare.wait_for_timeout(300)
    assert in_sight(rare.get_by_role("button", name="Compare two models"))


def test_a_step_scrolls_to_the_section_that_it_opens(rare):
    """A section far down another room is in sight once it is opened by the next step of a card."""
    rare.locator(".verdict-next button").first.click()
    settled(rare)
    rare.wait_for_timeout(300)
    opened = rare.locator("details.cal-section[open]").first
    assert in_sight(opened.locator("summary"))


def test_the_histogram_stands_below_the_diagram_on_the_same_axis(rare):
    """Plot and histogram of a rare event have the same left and right edge, and the same ticks."""
    to(rare, "Calibration")
    settled(rare)
    charts = rare.locator(".cal-diagram").first.locator(".chart")
    expect(charts).to_have_count(2)
    boxes = [charts.nth(number).locator(".chart-plot").bounding_box() for number in range(2)]
    assert abs(boxes[0]["x"] - boxes[1]["x"]) < 1
    assert abs(boxes[0]["width"] - boxes[1]["width"]) < 1
    choose(rare.get_by_role("combobox", name="Bins"), "equal-size")
    rare.get_by_text("More", exact=True).first.click()
    choose(rare.get_by_role("combobox", name="Axes of the diagram"), "Log-odds")
    settled(rare)
    expect(rare).to_have_url(re.compile("log-odds"))
    boxes = [charts.nth(number).locator(".chart-plot").bounding_box() for number in range(2)]
    assert abs(boxes[0]["x"] - boxes[1]["x"]) < 1
    assert abs(boxes[0]["width"] - boxes[1]["width"]) < 1


def test_the_error_of_a_card_is_that_of_the_diagram_below(page, loans_address, tables):
    """With bins and view of the calibration room, which the card names; the verdict is the same."""
    page.goto(f'{loans_address}#calibration={{"scheme":"equal-size","bins":7,"view":"top-label"}}')
    part = pb.read(str(tables / "loans.csv")).by_model()["careful"]
    one = card(page, "careful")
    one.locator("data[data-name=ece-expected]").wait_for()
    error = pb.calibration_error(part, view="top-label", bins="equal-size:7", resamples=999)
    assert number(one, "ece") == pytest.approx(error.value)
    assert number(one, "ece-expected") == pytest.approx(error.null_mean)
    expect(one).to_contain_text("7 equal-size bins")
    expect(one.locator("[data-name=verdict]")).to_contain_text(pb.calibration_test(part).verdict)
