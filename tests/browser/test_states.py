"""Odd tables and odd moments: every state says what it is, and nothing breaks."""

import re

import pytest
from playwright.sync_api import expect

from browser_controls import choose, offered

expect.set_options(timeout=20_000)  # a busy machine draws slowly

ROOMS = ("Overview", "Curves", "Calibration", "Models", "Confusion matrix", "Board")
SAID_BY_THE_BROWSER = re.compile("Failed to load resource|net::ERR")


def opened(page, address, path):
    """Open a file as it is guessed."""
    page.goto(address)
    page.get_by_label("Open a table of predictions").set_input_files(path)
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("main", name="Overview").wait_for()


def room(page, name):
    """Go to a room."""
    page.get_by_role("navigation", name="Views").get_by_role("button", name=name).click()
    page.get_by_role("main", name=name).wait_for()


def through_the_rooms(page):
    """Look into every room; none may fail to be drawn, or end in a mistake of the program."""
    for name in ROOMS:
        room(page, name)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_text("cannot be shown with these settings")).to_have_count(0)
        expect(page.get_by_text("This is an error in Plumbline")).to_have_count(0)


@pytest.mark.parametrize(
    "table", ["one_class", "one_fold", "hundred_classes", "scores_only", "weighted", "hostile"]
)
def test_every_room_stands_an_odd_table(page, bare_address, tables, table):
    """One class, one fold, a hundred classes, no probabilities, weights, markup for names."""
    opened(page, bare_address, tables / f"{table}.csv")
    through_the_rooms(page)


def test_what_is_undefined_says_why(page, bare_address, tables):
    """Without negatives there is no false positive rate, and the page says so."""
    opened(page, bare_address, tables / "one_class.csv")
    expect(page.get_by_role("main")).to_contain_text(
        re.compile("no (rows? .*)?negative|N is 0|0/0|undefined", re.I)
    )
    panel = page.get_by_role("complementary", name="Data")
    panel.get_by_text("Is anything unusual about these rows?").click()
    panel.get_by_text("missing classes").wait_for()


def test_probabilities_of_the_other_class_are_remarked(page, bare_address, tmp_path):
    """The findings say that the AUC is below 0.5."""
    rows = [f"{k % 2},{0.8 - 0.6 * (k % 2) + 0.001 * k:.3f}" for k in range(80)]
    path = tmp_path / "backwards.csv"
    path.write_text("\n".join(["actual,y_prob", *rows]), "utf-8")
    opened(page, bare_address, path)
    panel = page.get_by_role("complementary", name="Data")
    panel.get_by_text("Is anything unusual about these rows?").click()
    expect(panel).to_contain_text("AUC below 0.5")


def test_text_from_the_table_stays_text(page, bare_address, tables):
    """Markup in class names and attributes is shown as it is written."""
    opened(page, bare_address, tables / "hostile.csv")
    target = page.get_by_label("Positive class (the outcome to detect)")
    assert "<img src=x onerror=alert(1)>" in offered(target)[1]
    page.get_by_text("Filter by a value").click()
    page.get_by_label("From", exact=True).fill("30")
    page.get_by_role("button", name="Add to the filter").click()
    page.get_by_text(re.compile("^[0-9]+ of 200 rows")).wait_for()
    assert page.locator("img[src=x]").count() == 0


def test_a_hundred_classes_are_searched(page, bare_address, tables):
    """The positive class is found by typing; what there is not stays out; per class has none."""
    opened(page, bare_address, tables / "hundred_classes.csv")
    target = page.get_by_label("Positive class (the outcome to detect)")
    target.fill("class 7")
    page.get_by_text("“class 7”").wait_for()
    target.fill("no such class")
    page.get_by_text("No name matches no such class").wait_for()
    target.blur()
    expect(target).to_have_value("class 7")
    room(page, "Curves")
    choose(page.get_by_label("Averaging of classes"), "macro")
    expect(target).to_be_disabled()


def test_weights_can_be_switched_off(page, bare_address, tables):
    """Where the table has weights, they count or they do not."""
    opened(page, bare_address, tables / "weighted.csv")
    page.get_by_text("effective number of rows").wait_for()
    page.get_by_label("Weights count").uncheck()
    page.get_by_text("Each of the 200 rows counts the same.").wait_for()
    expect(page.get_by_text("effective number of rows")).to_have_count(0)


def test_a_table_without_folds_or_probabilities_says_so(page, bare_address, tables):
    """Scores alone make curves; what needs probabilities says that it does."""
    opened(page, bare_address, tables / "scores_only.csv")
    page.get_by_text("The table has no folds.").wait_for()
    room(page, "Calibration")
    expect(page.get_by_role("main")).to_contain_text(re.compile("probabilit"))


def test_no_row_left_is_said_where_the_filter_is(page, loans_address):
    """A filter that keeps nothing says so; the way back is one click."""
    page.goto(f"{loans_address}#room=curves")
    panel = page.get_by_role("complementary", name="Data")
    page.get_by_role("textbox", name="Keep only rows where").fill("age > 1000")
    panel.get_by_text("No rows match the filter").first.wait_for()
    panel.get_by_role("button", name="Clear the filter").click()
    panel.get_by_text("All 1,500 examples").wait_for()


def test_a_table_that_was_closed_leads_back_to_the_start(page, bare_address):
    """Closed in one tab, gone in the other: a page says so, and how to go on."""
    page.goto(bare_address)
    page.get_by_role("button", name=re.compile("^Loans")).click()
    room(page, "Curves")
    page.get_by_role("main").get_by_role("figure").first.wait_for()
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
    expect(page).to_have_url(re.compile("table="))
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Close table").click()
    other.get_by_role("heading", name="How good are your").wait_for()
    choose(page.get_by_label("Positive class (the outcome to detect)"), "no")
    page.get_by_role("heading", name="This table is closed").wait_for()
    page.get_by_role("button", name="Back to the start").click()
    page.get_by_role("heading", name="How good are your").wait_for()
    page.wrong[:] = [line for line in page.wrong if not SAID_BY_THE_BROWSER.search(line)]


def test_a_server_that_does_not_answer_is_missed(page, loans_address):
    """The old curve stays, dimmed; the page says what is wrong, and goes on when it is mended."""
    page.goto(f"{loans_address}#room=curves")
    page.get_by_text("All 1,500 examples").wait_for()
    page.route("**/ask", lambda route: route.abort())
    choose(page.get_by_label("Positive class (the outcome to detect)"), "no")
    page.get_by_text(
        "The server does not answer. Is plumbline serve still running?"
    ).first.wait_for()
    page.unroute("**/ask")
    page.get_by_role("main").get_by_role("button", name="Try again").first.click()
    page.get_by_role("main").get_by_text("positive class 'no'").wait_for()
    page.get_by_role("banner").wait_for()
    page.wrong[:] = [line for line in page.wrong if not SAID_BY_THE_BROWSER.search(line)]


def test_waiting_shows_after_a_while_and_can_be_cancelled(page, loans_address):
    """A slow answer says what it is; cancelled, it can be computed again."""
    page.goto(f"{loans_address}#room=curves")
    page.get_by_text("All 1,500 examples").wait_for()
    held = []
    page.route("**/ask", lambda route: held.append(route))
    page.get_by_role("button", name="Models", exact=True).click()
    cancel = page.get_by_role("main").get_by_role("button", name="Cancel").first
    cancel.click()
    again = page.get_by_role("main").get_by_role("button", name="Compute again").first
    again.wait_for()
    page.unroute("**/ask")
    again.click()
    expect(again).to_be_hidden()
    page.wrong[:] = [line for line in page.wrong if not SAID_BY_THE_BROWSER.search(line)]


NONSENSE = [
    'room=models&models={"pair":"x","over":7,"ranges":"often","metric":{}}',
    'curve={"y2":5,"x":{},"params":{"rate":"x"},"average":"mean"}',
    'reading={"between":"here","difference":7,"iso_cost":"dear","optimum":[]}',
    'room=calibration&calibration={"open":"plan","sizes":[1],"bins":"many","by":{}}',
    'room=matrix&matrix={"cell":"a","shares":"most","level":null}',
]


@pytest.mark.parametrize("fragment", NONSENSE)
def test_an_address_of_the_wrong_kinds_loses_no_room(page, loans_address, fragment):
    """What is not of its field's kind stays at its default, and the room is drawn."""
    page.goto(f"{loans_address}#{fragment}")
    main = page.get_by_role("main")
    main.get_by_role("heading").first.wait_for()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_text("cannot be shown with these settings")).to_have_count(0)
    expect(main.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("complementary", name="Data")).to_be_visible()
    assert page.wrong == []


def test_names_that_nothing_has_are_said_and_the_room_stays(page, loans_address):
    """Words say what is wrong, and the panel is there to mend it."""
    page.goto(f'{loans_address}#room=curves&curve={{"preset":"no such preset"}}')
    alert = page.get_by_role("main").get_by_role("alert").first
    expect(alert).to_contain_text("preset")
    expect(page.get_by_text("cannot be shown with these settings")).to_have_count(0)
    choose(page.get_by_label("Preset or user-defined formula"), "Lift curve")
    page.get_by_role("heading", name="Lift curve").wait_for()
    page.wrong[:] = [line for line in page.wrong if not SAID_BY_THE_BROWSER.search(line)]


def test_old_numbers_are_marked_and_readable(page, loans_address, accessible):
    """While the next answer is computed, and where it fails, the old one is dimmed but legible."""
    page.goto(f"{loans_address}#room=curves")
    page.get_by_text("All 1,500 examples").wait_for()
    page.get_by_role("heading", name="ROC curve").wait_for()
    held = []
    page.route("**/ask", lambda route: held.append(route))
    choose(page.get_by_label("Positive class (the outcome to detect)"), "no")
    main = page.get_by_role("main")
    expect(main.get_by_role("button", name="Cancel").first).to_be_visible()
    said = main.get_by_text("Out of date: these results belong to the earlier settings")
    expect(said).to_have_count(0)
    page.wait_for_timeout(300)  # the dimming takes its time
    accessible(settled=False)
    main.get_by_role("button", name="Cancel").first.click()
    said.first.wait_for()
    choose(page.get_by_label("Theme"), "Dark")
    page.wait_for_timeout(300)
    accessible(settled=False)
    page.unroute("**/ask")
    main.get_by_role("button", name="Compute again").first.click()
    page.get_by_role("main").get_by_text("positive class 'no'").wait_for()
    page.wrong[:] = [line for line in page.wrong if not SAID_BY_THE_BROWSER.search(line)]
