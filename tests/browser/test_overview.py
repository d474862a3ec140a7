"""The first room: a verdict card a model, charts that share one threshold, what decisions pay."""

import re

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
