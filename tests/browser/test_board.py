"""The board: charts are pinned, named, noted, moved, saved, opened again and exported."""

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser_controls import choose

expect.set_options(timeout=20_000)  # a busy machine draws slowly

FORMATS = {
    "SVG picture": ".svg",
    "PNG picture": ".png",
    "PDF picture": ".pdf",
    "CSV table": ".csv",
    "JSON": ".json",
    "HTML page": ".html",
    "Python code": ".py",
}


def titles(page):
    """Titles of the cards, in their order."""
    boxes = page.get_by_role("textbox", name="Title of the card")
    boxes.first.wait_for()
    return [boxes.nth(place).input_value() for place in range(boxes.count())]


def room(page, name):
    """Go to a room."""
    page.get_by_role("navigation", name="Views").get_by_role("button", name=name).click()


def pin_first_chart(page):
    """Pin the first chart of the room that is shown, and go to the board."""
    page.get_by_role("button", name=re.compile("^Pin .* to the board$")).first.click()
    page.get_by_role("button", name=re.compile("show on the board$")).first.click()


@pytest.fixture
def board(page, loans_address):
    """A board with the ROC curve and two notes on it."""
    page.goto(f"{loans_address}#room=curves")
    pin_first_chart(page)
    for title in ("First note", "Second note"):
        page.get_by_role("button", name="Add note").click()
        page.get_by_role("textbox", name="Title of the card").last.fill(title)
    return page


def test_a_chart_is_pinned_renamed_noted_and_drawn(board, accessible):
    """A pin draws its chart again; its title and its note are text, whatever is typed."""
    card = board.locator("[data-card]").first
    card.get_by_role("textbox", name="Title of the card").fill("<b>Ours</b>")
    card.get_by_role("textbox", name="Note", exact=True).fill("<img src=x> stays text")
    assert titles(board) == ["<b>Ours</b>", "First note", "Second note"]
    card.get_by_role("img").first.wait_for()
    for made in ("main b", "main img[src=x]"):
        assert board.locator(made).count() == 0
    accessible()


def test_cards_move_by_keyboard_and_come_back_by_undo(board):
    """The arrow buttons move a card and keep the focus; undo takes it back."""
    first = titles(board)[0]
    move = board.get_by_role("button", name=f"Move {first} right")
    move.focus()
    board.keyboard.press("Enter")
    assert titles(board) == ["First note", first, "Second note"]
    assert board.evaluate("document.activeElement.dataset.step") == "right"
    board.get_by_role("button", name="Move Second note up").click()
    assert titles(board) == ["Second note", "First note", first]
    board.get_by_role("button", name="Undo").click()
    board.get_by_role("button", name=f"Move {first} left").click()
    assert titles(board) == [first, "First note", "Second note"]
    board.get_by_role("button", name=f"Move {first} down").click()
    assert titles(board)[-1] == first


def test_cards_move_by_dragging(board):
    """A card that is dropped on another takes its place."""
    first = titles(board)[0]
    grips = board.get_by_title("Drag to move the card")
    grips.nth(2).drag_to(grips.nth(0))
    assert titles(board) == ["Second note", first, "First note"]


def test_cards_are_duplicated_and_removed(board):
    """A copy stands beside its card, and a card goes."""
    board.get_by_role("button", name="Duplicate First note").click()
    board.get_by_role("button", name="Remove First note", exact=True).click()
    copy, other = titles(board)[1:]
    assert copy.startswith("First note")
    assert other == "Second note"


def test_a_pin_opens_its_room_as_it_was(board):
    """A pin remembers the settings around it."""
    room(board, "Calibration")
    room(board, "Board")
    board.get_by_role("button", name=re.compile("^Open .* in its view$")).click()
    board.get_by_role("button", name=re.compile("show on the board$")).first.wait_for()
    expect(board).not_to_have_url(re.compile("room=board"))


def test_the_board_outlives_a_reload_and_keeps_the_address_short(board):
    """The board lies in the session of the browser, not in the URL."""
    before = titles(board)
    board.wait_for_url(re.compile("room=board"))
    assert "First" not in board.url
    assert len(board.url) < 300
    board.reload()
    assert titles(board) == before


def test_a_board_is_saved_and_opened_on_a_fresh_page(board, chromium, loans_address, tmp_path):
    """The file holds the cards and of which rows they are; opened elsewhere, it is the same."""
    before = titles(board)
    board.get_by_label("Name of the board").fill("My board, v2")
    with board.expect_download() as saved:
        board.get_by_role("button", name="Save board").click()
    path = tmp_path / "saved.json"
    saved.value.save_as(path)
    assert saved.value.suggested_filename == "my-board-v2.plumbline.json"
    whole = json.loads(path.read_text("utf-8"))
    assert whole["format"] == 1
    assert whole["data"]["n"] > 0
    assert len(whole["pins"]) == 3
    context = chromium.new_context()
    fresh = context.new_page()
    fresh.goto(f"{loans_address}#room=board")
    fresh.get_by_label("Board file").set_input_files(path)
    fresh.get_by_text("Opened My board, v2: 3 cards.").wait_for()
    assert titles(fresh) == before
    assert fresh.get_by_text("belongs to another table").count() == 0
    context.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "format 2"),
        ({"pins": [{"title": "t", "note": "", "question": {"kind": "x"}, "from": None}]}, "kind"),
        ({"pins": [{"title": 3, "note": "", "question": None, "from": None}]}, "is not text"),
        ({"data": None}, "holds no fields"),
    ],
)
def test_a_file_that_is_no_board_is_refused_whole(board, tmp_path, change, said):
    """A board of another version, or with a card that is none, changes nothing."""
    before = titles(board)
    whole = {
        "plumbline": "0",
        "format": 1,
        "name": "Other",
        "pins": [],
        "state": "",
        "data": {"name": "t", "n": 1, "fingerprint": "0"},
    } | change
    path = tmp_path / "board.json"
    path.write_text(json.dumps(whole))
    board.get_by_label("Board file").set_input_files(path)
    board.get_by_role("alert").filter(has_text=said).wait_for()
    assert titles(board) == before


def test_a_board_of_other_rows_opens_with_a_warning(board, tmp_path):
    """The cards are drawn from the table that is open, and the page says so."""
    whole = {
        "plumbline": "0",
        "format": 1,
        "name": "Other",
        "state": "",
        "data": {"name": "old.csv", "n": 12, "fingerprint": "0"},
        "pins": [{"title": "Kept", "note": "n", "question": None, "from": None}],
    }
    path = tmp_path / "board.json"
    path.write_text(json.dumps(whole))
    board.get_by_label("Board file").set_input_files(path)
    board.get_by_text("This board belongs to another table: old.csv, 12 examples.").wait_for()
    assert titles(board) == ["Kept"]


def test_every_format_is_downloaded_from_the_menu(board):
    """The menu of the ROC curve offers every kind of file, and each arrives under its name."""
    name = titles(board)[0]
    board.get_by_role("button", name=f"Export {name}").click()
    menu = board.get_by_role("group", name=f"Export {name} as")
    for label, ending in FORMATS.items():
        with board.expect_download() as found:
            menu.get_by_role("button", name=label, exact=True).click()
        assert Path(found.value.suggested_filename).suffix == ending
        assert Path(found.value.path()).stat().st_size > 100


def test_a_copied_link_says_that_the_board_is_not_in_it(board):
    """Pins are kept in a file, not in the address."""
    board.context.grant_permissions(["clipboard-read", "clipboard-write"])
    board.get_by_role("button", name="Copy link").click()
    board.get_by_text(
        "Link copied. The link does not include the board: use Save board."
    ).wait_for()
    for name in titles(board):
        board.get_by_role("button", name=f"Remove {name}", exact=True).click()
    board.get_by_text("Nothing is pinned yet").wait_for()
    board.get_by_text("Link copied.", exact=True).wait_for()


def test_the_tab_of_the_board_is_in_view_on_a_narrow_screen(page, loans_address):
    """The room that is shown is marked among the tabs, also where these are wider than the page."""
    page.set_viewport_size({"width": 420, "height": 800})
    page.goto(f"{loans_address}#room=board")
    tab = page.get_by_role("navigation", name="Views").get_by_role("button", name="Board")
    tab.wait_for()
    assert tab.get_attribute("aria-current") == "page"
    box = tab.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 420


def test_a_filter_that_cannot_be_read_leaves_the_last_one_and_says_so(page, loans_address):
    """What is shown belongs to the last good filter, which is named until the new one is good."""
    page.goto(f"{loans_address}#room=curves")
    box = page.get_by_role("textbox", name="Keep only rows where", exact=True)
    said = page.get_by_text(
        "The filter cannot be read; showing the last valid one: probability > 0.5"
    )
    box.fill("probability > 0.5")
    page.wait_for_url(re.compile("probability"))
    assert said.count() == 0
    box.fill("probability > > 0.5")
    said.wait_for()
    box.fill("probability > 0.6")
    said.wait_for(state="detached")


def test_python_is_copied_and_escape_closes_the_menu(board):
    """The clipboard holds the program; Escape gives the focus back to the button."""
    board.context.grant_permissions(["clipboard-read", "clipboard-write"])
    name = titles(board)[0]
    board.get_by_role("button", name=f"Export {name}").click()
    entry = board.get_by_role("button", name="Copy as Python")
    entry.click()
    board.get_by_text("Copied.").wait_for()
    copied = board.evaluate("navigator.clipboard.readText()")
    assert "pb.curve(" in copied
    assert "'roc'" in copied
    board.keyboard.press("Escape")
    assert entry.count() == 0
    assert board.evaluate("document.activeElement.getAttribute('aria-label')") == f"Export {name}"


def test_a_note_is_markdown_and_never_html(board, accessible):
    """A note is read as it will look, edited as it is written, and has no HTML."""
    card = board.locator("[data-card]").first
    note = card.get_by_role("textbox", name="Note", exact=True)
    note.fill("# Why\n- **bold** and [docs](https://example.org)\n- <b>no</b>")
    board.get_by_label("Name of the board").focus()
    expect(card.get_by_role("heading", name="Why")).to_be_visible()
    expect(card.locator(".markdown strong")).to_have_text("bold")
    expect(card.locator(".markdown a")).to_have_attribute("rel", "noopener noreferrer")
    expect(card.locator(".markdown li").last).to_have_text("<b>no</b>")
    accessible()
    card.get_by_role("button", name="Edit the note of").click()
    expect(note).to_be_focused()
    assert note.input_value().startswith("# Why")


def test_a_card_takes_the_whole_width(board):
    """A wide card has a row for itself."""
    card = board.locator("[data-card]").first
    card.get_by_role("button", name=re.compile("over the whole width$")).click()
    grid = board.locator(".board-cards").bounding_box()
    assert card.bounding_box()["width"] == pytest.approx(grid["width"], abs=1)


def test_the_interactive_page_needs_nobody_and_its_threshold_moves(board, chromium, tmp_path):
    """Opened as a file it asks for nothing; a threshold moved on one card moves on the other."""
    room(board, "Curves")
    choose(board.get_by_label("Preset or user-defined formula"), "accuracy")
    board.get_by_role("heading", name="Accuracy by threshold").wait_for()
    pin_first_chart(board)
    expect(board.get_by_role("slider")).to_have_count(2)
    board.get_by_role("textbox", name="Note", exact=True).first.fill("A **note**")
    with board.expect_download() as found:
        board.get_by_role("button", name="Export interactive page").click()
    assert found.value.suggested_filename == "board-interactive.html"
    path = tmp_path / "page.html"
    found.value.save_as(path)
    context = chromium.new_context()
    page = context.new_page()
    asked, said = [], []
    page.on("request", lambda one: asked.append(one.url))
    page.on("console", lambda one: said.append(one.text))
    page.on("pageerror", lambda one: said.append(str(one)))
    page.goto(path.as_uri())
    sliders = page.get_by_role("slider")
    expect(sliders).to_have_count(2)
    before = sliders.last.get_attribute("aria-valuenow")
    sliders.first.focus()
    for _ in range(3):
        page.keyboard.press("PageDown")
    expect(sliders.last).not_to_have_attribute("aria-valuenow", before)
    at = sliders.first.bounding_box()
    moved = sliders.last.get_attribute("aria-valuenow")
    page.mouse.move(at["x"] + at["width"] * 0.3, at["y"] + at["height"] * 0.4)
    page.mouse.down()
    page.mouse.move(at["x"] + at["width"] * 0.6, at["y"] + at["height"] * 0.2, steps=5)
    page.mouse.up()
    expect(sliders.last).not_to_have_attribute("aria-valuenow", moved)
    expect(page.locator(".markdown strong")).to_have_text("note")
    assert Axe().run(page).response["violations"] == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []
    context.close()


def _with_no_time(route):
    asked = json.loads(route.request.post_data)
    if asked["kind"] == "export":
        assert asked["what"]["seconds"] > 0
        asked["what"]["seconds"] = 0
    route.continue_(post_data=json.dumps(asked))


def test_the_whole_board_becomes_one_page(board):
    """Picture and notes are there, and no address; what is late is left out and counted."""
    board.get_by_role("textbox", name="Note", exact=True).first.fill("A <b>note</b>")
    board.route("**/ask", _with_no_time)
    with board.expect_download() as found:
        board.get_by_role("button", name="Export page").click()
    board.get_by_text("1 card of 3 could not be drawn in time").wait_for()
    assert "not drawn" in Path(found.value.path()).read_text("utf-8")
    board.unroute("**/ask")
    with board.expect_download() as found:
        board.get_by_role("button", name="Export page").click()
    text = Path(found.value.path()).read_text("utf-8")
    assert "<svg" in text
    assert "&lt;b&gt;note&lt;/b&gt;" in text
    assert "First note" in text
    assert not re.search(r"(src|href)=\"?https?:", text)


def test_picture_of_the_board(board, picture):
    """A board as the documentation shows it."""
    board.get_by_role("img").first.wait_for()
    picture("board")
