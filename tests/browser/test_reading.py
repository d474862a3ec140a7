"""What is read off a curve in the browser: every control once, its numbers against the library."""

import json
import re
from urllib.parse import quote

import numpy as np
import pytest
from playwright.sync_api import expect

import plumbline as pb
from browser_controls import choose, expect_chosen, offered

WAIT_LONG = 60_000


@pytest.fixture(scope="module")
def loans(tables):
    """Return the table that the server shows."""
    return pb.read(str(tables / "loans.csv"))


@pytest.fixture
def opened(page, loans_address):
    """Open the curve with a part of the state in the URL, and return the page."""

    def go(curve=None, reading=None, threshold=None, *, address=loans_address, **others):
        parts = {"curve": curve, "reading": reading, "threshold": threshold, **others}
        told = "&".join(f"{k}={quote(json.dumps(v))}" for k, v in parts.items() if v is not None)
        page.goto(f"{address}#room=curves&{told}")
        page.get_by_role("region", name="Reading", exact=True).wait_for()
        return page

    return go


def panel(page):
    """Return the panel beside the chart."""
    return page.get_by_role("region", name="Reading", exact=True)


def number(place, name):
    """Return a number on the screen as the browser holds it."""
    return float(place.locator(f"data[data-name={name}]").first.get_attribute("value"))


def counts(page, model):
    """Return the table of counts of a model."""
    return page.get_by_role("table", name=f"Counts of {model}")


def from_box(page):
    """Return the box of the lower of the two cursors."""
    below = page.get_by_role("region", name="More readings")
    return below.get_by_role("spinbutton", name="From", exact=True)


def expect_counts(page, loans, threshold):
    """Wait for the counts of every model at a threshold, which the library counts, too."""
    for model in loans.models:
        matrix = pb.confusion_matrix(loans.select(model=model), threshold=threshold)
        for name, count in matrix.table_of("yes").items():
            cell = counts(page, model).locator(f"data[data-name={name}]")
            expect(cell).to_have_attribute("value", f"{count:.0f}")


def test_the_threshold_by_number_slider_and_buttons(opened, loans):
    """Counts, sentence and rates follow whatever moves it, and the URL keeps it."""
    page = opened()
    expect_counts(page, loans, 0.5)
    box = page.get_by_role("spinbutton", name="Threshold")
    box.fill("0.32")
    box.press("Enter")
    expect_counts(page, loans, 0.32)
    expect(panel(page)).to_contain_text("At threshold 0.32 careful accepts 1,136 of 1,500 rows")
    assert "threshold=0.32" in page.url
    rates = pb.confusion_matrix(loans.select(model="hasty"), threshold=0.32).rates(
        ["PPV"], interval="wilson"
    )
    page.get_by_text("Rates of hasty").click()
    shown = page.get_by_role("region", name=re.compile("95 % CIs")).locator("data[data-name=PPV]")
    values = [float(one.get_attribute("value")) for one in shown.all()]
    assert rates.value("PPV") in values

    slider = page.get_by_label("Move the threshold")
    slider.focus()
    slider.press("ArrowRight")
    expect(box).to_have_value("0.321")
    expect_counts(page, loans, 0.321)
    page.get_by_role("button", name="0.5", exact=True).click()
    expect_counts(page, loans, 0.5)


def test_the_curve_at_the_threshold_follows_at_once(opened, loans):
    """Where every line stands, from the drawn points, without an answer of the server."""
    page = opened(threshold=0.4)
    table = page.get_by_role("table", name=re.compile("On the curve"))
    matrix = pb.confusion_matrix(loans.select(model="hasty"), threshold=0.4).table_of("yes")
    row = table.get_by_role("row").filter(has_text="hasty")
    x, y = (float(one.get_attribute("value")) for one in row.locator("data").all())
    assert x == pytest.approx(matrix["FP"] / (matrix["FP"] + matrix["TN"]))
    assert y == pytest.approx(matrix["TP"] / (matrix["TP"] + matrix["FN"]))


@pytest.fixture(scope="module")
def many_rows(serve, tmp_path_factory):
    """Address of a server with so many points that a part of them is drawn, and the table."""
    data = binormal(12_000)
    path = tmp_path_factory.mktemp("many") / "many.csv"
    data.write(path)
    with serve(str(path)) as address:
        yield address, data


def binormal(n):
    """Return one model whose ratings are all different."""
    rng = np.random.default_rng(5)
    positive = rng.random(n) < 0.4
    prob = 1 / (1 + np.exp(-rng.normal(np.where(positive, 1.0, -1.0), 1.5)))
    return pb.Predictions.from_arrays(positive.astype(int), prob)


def on_curve(page):
    """Return the rows of the table that says where the lines stand."""
    table = page.get_by_role("table", name=re.compile("On the curve"))
    return table.locator("tbody").get_by_role("row")


def test_where_the_curve_stands_is_exact(opened, many_rows):
    """Of the threshold itself, not of the nearest point that is drawn."""
    address, data = many_rows
    page = opened(address=address, threshold=0.5)
    expect(page.get_by_text(re.compile("points of 12,000 rows"))).to_be_visible()
    expect(page.get_by_role("table", name="Counts of all rows")).to_be_visible()
    box = page.get_by_role("spinbutton", name="Threshold")
    for threshold in (0.1234, 0.2718, 0.4567, 0.6543, 0.8765):
        box.fill(str(threshold))
        box.press("Enter")
        cells = pb.confusion_matrix(data, threshold=threshold).table_of("1")
        x = cells["FP"] / (cells["FP"] + cells["TN"])
        shown = on_curve(page).locator("data").first
        expect(shown).to_have_attribute("value", re.compile(re.escape(repr(x)[:12])))


@pytest.mark.parametrize(("preset", "threshold"), [("mcc", 0), ("precision-recall", 2)])
def test_where_the_curve_is_undefined_nothing_is_read_or_marked(opened, preset, threshold):
    """Accepting all, or none: no number, no marker, and the slider says so; half way there is."""
    page = opened(curve={"preset": preset}, threshold=threshold)
    expect(on_curve(page)).to_have_count(3)
    expect(on_curve(page).first).to_have_text(re.compile("careful[–]+"))
    slider = page.get_by_role("slider", name=re.compile("^Threshold on"))
    expect(slider).to_have_attribute("aria-valuetext", f"undefined at threshold {threshold}")
    expect(page.locator(".chart-cursor:visible")).to_have_count(0)
    page.get_by_role("button", name="0.5", exact=True).click()
    expect(page.locator(".chart-cursor:visible")).to_have_count(3)


def test_the_usual_threshold_is_marked_while_none_is_chosen(opened):
    """What is read stands on the chart, too."""
    page = opened()
    expect(panel(page)).to_contain_text("At threshold 0.5 careful")
    expect(page.locator(".chart-cursor:visible")).to_have_count(3)
    assert "threshold" not in page.url


def test_every_threshold_is_a_step_of_undo(opened, loans):
    """Two numbers typed one after the other are two steps; a key held down is one."""
    page = opened()
    box = page.get_by_role("spinbutton", name="Threshold")
    for typed in ("0.3", "0.6"):
        box.fill(typed)
        box.press("Enter")
        expect_counts(page, loans, float(typed))
    slider = page.get_by_role("slider", name="Threshold on ROC curve")
    slider.focus()
    page.keyboard.down("ArrowRight")
    page.keyboard.down("ArrowRight")
    page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    expect(box).not_to_have_value("0.6")
    for before in ("0.6", "0.3"):
        page.get_by_role("button", name="Undo").click()
        expect(box).to_have_value(before)


def test_a_threshold_is_of_what_the_rows_are_sorted_by(opened):
    """35 years are no probability: neither on another curve nor in the confusion matrix."""
    by_age = {"preset": None, "x": "age", "y": "cumm(1)", "sort_by": "age"}
    page = opened(curve=by_age)
    box = page.get_by_role("spinbutton", name="Threshold on age")
    box.fill("35")
    box.press("Enter")
    page.wait_for_url(re.compile("threshold=35"))
    choose(page.get_by_label("Preset or user-defined formula"), "ROC curve")
    expect(panel(page)).to_contain_text("The threshold 35 was chosen on age")
    expect(panel(page)).to_contain_text("At threshold 0.5 careful")
    page.get_by_role("navigation").get_by_text("Confusion matrix").click()
    expect(page.get_by_role("spinbutton", name="Threshold as a number")).to_have_value("")
    page.get_by_role("navigation").get_by_text("Curves").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("spinbutton", name="Threshold on age")).to_have_value("35")


def test_readings_are_of_the_curve_in_sight_while_another_waits(opened, loans):
    """A band waits for Compute; until then all models are read, as they are drawn."""
    page = opened(curve={"preset": "roc", "band": "bootstrap"})
    page.get_by_role("checkbox", name="hasty").uncheck()
    page.get_by_role("button", name="Compute").wait_for()
    box = page.get_by_role("spinbutton", name="Threshold")
    box.fill("0.3")
    box.press("Enter")
    expect_counts(page, loans, 0.3)


def held_back(page, *words):
    """Let no question through from now on that has all these words."""

    def look(route):
        if not all(word in (route.request.post_data or "") for word in words):
            route.fallback()

    page.route("**/ask", look)


def test_what_is_not_of_now_is_not_shown_as_if_it_were(opened):
    """While another second y, best threshold or cost is on its way, the last one is not drawn."""
    page = opened(
        curve={"preset": "roc", "y2": "precision"},
        reading={"optimum": "max", "measure": "CA", "iso_cost": {"fp": 1, "fn": 1}},
    )
    legend = page.get_by_role("list", name="Series").first
    expect(legend).to_contain_text("precision")
    best = page.get_by_role("button", name="Best of careful", exact=True)
    expect(best).to_be_enabled(timeout=WAIT_LONG)
    expect(page.get_by_text("best CA: careful")).to_be_visible()
    expect(page.get_by_text("equal cost").first).to_be_visible()
    held_back(page, '"kind":"optimum"', '"MCC"')
    choose(page.get_by_label("value of"), "MCC")
    expect(best).to_be_disabled()
    expect(page.get_by_text("best CA: careful")).to_have_count(0)
    held_back(page, '"kind":"iso-cost"', '"fn":7')
    page.get_by_label("A false negative costs").fill("7")
    page.get_by_label("A false negative costs").press("Enter")
    expect(page.get_by_text("equal cost")).to_have_count(0)
    held_back(page, '"kind":"curve"', '"NPV"')
    page.get_by_role("textbox", name="Second y").fill("NPV")
    expect(legend).not_to_contain_text("precision")


def test_models_that_are_not_chosen_are_asked_for_nowhere(opened):
    """Cases and the comparison go on with those that are."""
    reading = {"between": [0.45, 0.55], "cases_of": "hasty", "difference": ["careful", "hasty"]}
    page = opened(data={"models": ["careful", "boastful"]}, reading=reading)
    below = page.get_by_role("region", name="More readings")
    expect(below).to_contain_text("with probability from 0.45", timeout=WAIT_LONG)
    assert offered(page.get_by_label("Cases of")) == ["careful", "boastful"]
    expect_chosen(page.get_by_label("Curve of"), "boastful")
    expect(below.get_by_text("The band is simultaneous")).to_be_visible(timeout=WAIT_LONG)
    page.get_by_role("checkbox", name="boastful").uncheck()
    expect(below).to_contain_text("A comparison needs two models")


def test_the_best_threshold_under_a_constraint(opened, loans):
    """Goal, measure, constraint; the library's verdict and numbers; taken as the threshold."""
    page = opened(curve={"preset": "accuracy"})
    page.get_by_role("button", name="Find the best").click()
    best = pb.best_threshold(loans.select(model="careful"), "CA")
    expect(panel(page)).to_contain_text(best.verdict, timeout=WAIT_LONG)
    assert number(panel(page), "honest_value") == best.honest_value
    assert number(panel(page), "gain") == best.gain
    expect(page.get_by_text("best: careful")).to_be_visible()  # on the chart
    page.get_by_role("button", name="Export best threshold of careful").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON", exact=True).click()
    assert json.loads(saved.value.path().read_text("utf-8"))["value"] == best.value
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Best of careful", exact=True).click()
    expect_counts(page, loans, best.threshold)

    choose(page.get_by_label("value of"), "informedness")
    choose(page.get_by_label("Find the"), "min")
    page.get_by_role("textbox", name="Only where").fill("recall >= 0.85")
    worst = pb.best_threshold(
        loans.select(model="hasty"), "informedness", goal="min", subject_to="recall >= 0.85"
    )
    expect(panel(page)).to_contain_text(worst.verdict, timeout=WAIT_LONG)
    page.get_by_role("button", name="Take this threshold of hasty").click()
    expect_counts(page, loans, worst.threshold)
    page.get_by_text("Notes").last.click()
    expect(panel(page)).to_contain_text(worst.present().notes[-1])
    page.get_by_role("button", name="Best threshold", exact=True).click()
    expect(page.get_by_role("textbox", name="Only where")).to_have_count(0)


def test_the_best_of_a_curve_that_is_best_at_its_end(opened, loans):
    """On a ROC curve informedness is looked for; y itself says why it tells little."""
    page = opened()
    page.get_by_role("button", name="Find the best").click()
    expect_chosen(page.get_by_label("value of"), "informedness")
    best = pb.best_threshold(loans.select(model="careful"), "informedness")
    expect(panel(page)).to_contain_text(best.verdict, timeout=WAIT_LONG)
    choose(page.get_by_label("value of"), "")
    expect(panel(page)).to_contain_text("TPR is best when")


def test_costs_of_errors_on_a_roc_curve(opened, loans):
    """The cheapest point of every line, marked and taken; only where the curve is a ROC curve."""
    page = opened()
    page.get_by_role("button", name="Cost of errors").click()
    page.get_by_label("A false negative costs").fill("4")
    page.get_by_label("A false negative costs").press("Enter")
    page.get_by_label("A false positive costs").fill("2")
    page.get_by_label("A false positive costs").press("Enter")
    part = loans.select(model="hasty")
    prob, yes = part.prob[:, part.positive], part.actual == part.positive
    costs = {
        t: (2 * (~yes & (prob >= t)).sum() + 4 * (yes & (prob < t)).sum()) / part.n
        for t in np.unique(prob)
    }
    least = min(costs, key=costs.get)
    cheapest = page.get_by_role("region", name="The cheapest point")
    row = cheapest.get_by_role("row").filter(has_text="hasty")
    expect(row).to_contain_text(f"{costs[least]:.4g}", timeout=WAIT_LONG)
    assert float(row.locator("data").first.get_attribute("value")) == pytest.approx(costs[least])
    expect(page.get_by_text("equal cost").first).to_be_visible()
    row.get_by_role("button").click()
    expect_counts(page, loans, least)
    choose(page.get_by_label("Preset or user-defined formula"), "lift")
    expect(page.get_by_role("button", name="Cost of errors")).to_have_count(0)


def test_cases_between_two_cursors(opened, loans, page):
    """Numbers, a handle on the chart, the model; counts, differences and rows; copy."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(threshold=0.5)
    page.get_by_role("button", name="Cases between two thresholds", exact=True).click()
    from_box(page).fill("0.45")
    from_box(page).press("Enter")
    page.get_by_role("spinbutton", name="to below").fill("0.55")
    page.get_by_role("spinbutton", name="to below").press("Enter")
    first = pb.cases_between(loans.select(model="careful"), low=0.45, high=0.55)
    rows = page.get_by_role("table", name=re.compile(f"of {first.n} rows, the highest first"))
    rows.wait_for()
    numbers = rows.locator("tbody tr td:first-child").all_inner_texts()
    assert numbers == [str(case["number"]) for case in first.cases[:200]]
    assert max(map(int, numbers)) > 1000  # without a comma: it is a name
    choose(page.get_by_label("Cases of"), "hasty")
    known = pb.cases_between(loans.select(model="hasty"), low=0.45, high=0.55)
    below = page.get_by_role("region", name="More readings")
    expect(below.locator("data[data-name=cases]")).to_have_attribute("value", str(known.n))
    expect(below).to_contain_text("with probability from 0.45 to below 0.55")
    differs = page.get_by_role("table", name="How these rows differ")
    expect(differs.get_by_role("row").nth(1)).to_contain_text(known.differing[0]["attribute"])
    rows = page.get_by_role("table", name=re.compile(f"of {known.n} rows, the highest first"))
    expect(rows.get_by_role("row")).to_have_count(201)
    by_class = page.get_by_role("table", name="Rows by their true class")
    inside = by_class.locator('data[data-name="rows inside"]')
    expect(inside.first).to_have_attribute("value", str(known.rows_inside["no"]))
    page.get_by_role("button", name="Copy the rows").click()
    expect(page.get_by_text("Copied 200 rows.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[0].split("\t")[:2] == list(known.cases[0])[:2]
    assert len(copied) == 201

    handle = page.get_by_role("slider", name=re.compile("low|from", re.IGNORECASE)).first
    handle.focus()
    handle.press("ArrowLeft")
    expect(from_box(page)).not_to_have_value("0.45")
    from_box(page).fill("3")
    from_box(page).press("Enter")
    swapped = "with probability from 0.55 to below 3"
    expect(below).to_contain_text(swapped, timeout=WAIT_LONG)


def test_two_models_are_compared(opened, loans):
    """The paired difference with its band, as the library computes it, and its verdict."""
    page = opened(curve={"preset": "accuracy"})
    page.get_by_role("button", name="Compare", exact=True).click()
    choose(page.get_by_label("Curve of"), "hasty")
    known = pb.curve_difference(loans, "accuracy", models=["careful", "hasty"])
    below = page.get_by_role("region", name="More readings")
    expect(below).to_contain_text(known.verdict, timeout=WAIT_LONG)
    choose(page.get_by_label("minus that of"), "hasty")
    expect(below).to_contain_text("Choose two different models.")


def test_subgroups_side_by_side(opened, loans):
    """A chart a group with its rows and area; one click keeps only that group."""
    page = opened()
    page.get_by_role("button", name="Subgroups").click()
    choose(page.get_by_label("Groups by"), "purpose")
    below = page.get_by_role("region", name="More readings")
    for name in ("car", "holiday", "home"):
        figure = below.get_by_role("figure").filter(has_text=re.compile(rf"^{name} "))
        known = pb.curve(loans, "roc", where=f"purpose == '{name}'")
        expect(figure.locator("data[data-name=area]").first).to_have_attribute(
            "value", str(known.areas[0])
        )
    page.get_by_role("button", name="Keep only car").click()
    expect(page.get_by_role("textbox", name="Keep only rows where")).to_have_value(
        "`purpose` == 'car'"
    )
    page.keyboard.press("Control+z")
    expect(page.get_by_role("textbox", name="Keep only rows where")).to_have_value("")


ALL_OPEN = {
    "optimum": "max",
    "measure": "CA",
    "iso_cost": {"fp": 1, "fn": 2},
    "between": [0.45, 0.55],
    "difference": ["careful", "hasty"],
    "subgroups": "purpose",
}


def test_everything_open_is_accessible_and_fits_a_narrow_screen(opened, accessible, page):
    """No serious finding of axe; at 420 pixels the page does not scroll sideways."""
    opened(reading=ALL_OPEN)
    page.get_by_text("Take this threshold").first.wait_for(timeout=WAIT_LONG)
    page.get_by_text("The band is simultaneous").wait_for(timeout=WAIT_LONG)
    accessible()
    page.set_viewport_size({"width": 420, "height": 900})
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


@pytest.mark.parametrize("reading", [{"between": "x", "difference": 3}, {"between": [1]}])
def test_a_url_that_means_nothing_leaves_the_page_standing(opened, reading):
    """What is no pair is none."""
    page = opened(reading=reading)
    expect(counts(page, "careful")).to_be_visible()


def test_picture_reading(opened, picture, page):
    """The reading beside a ROC curve, for the documentation."""
    opened(reading={"optimum": "max", "measure": "informedness"}, threshold=0.4)
    page.get_by_text("Take this threshold").first.wait_for(timeout=WAIT_LONG)
    picture("reading")


def test_picture_cases(opened, picture, page):
    """Cases between two cursors, for the documentation."""
    opened(curve={"preset": "accuracy"}, reading={"between": [0.45, 0.55]})
    page.get_by_role("button", name="Copy the rows").wait_for()
    page.get_by_role(
        "button", name="Cases between two thresholds", exact=True
    ).scroll_into_view_if_needed()
    picture("cases")
