"""The controls by keys alone, their size, and axe on every room."""

import pytest
from playwright.sync_api import expect

from browser_controls import expect_chosen

expect.set_options(timeout=20_000)

ROOMS = ("overview", "curves", "calibration", "models", "matrix", "board")
LEAST = 24  # pixels of a target, each way
SMALL = """least => {
  const targets = 'button, a[href], input, textarea, summary, [role=slider], [role=option]';
  const box = one => (one.closest('label.check') ?? one).getBoundingClientRect();
  return [...document.querySelectorAll(targets)]
    .filter(one => one.checkVisibility({ visibilityProperty: true }))
    .map(one => [box(one), one])
    .filter(([at]) => at.width > 1 && (at.width < least || at.height < least))
    .map(([at, one]) => `${one.outerHTML.slice(0, 90)}: ${at.width} x ${at.height}`);
}"""


@pytest.fixture
def view(page, loans_address):
    """The list of views in the room of calibration, and what is chosen in it."""
    page.goto(f"{loans_address}#room=overview")
    theme = page.get_by_label("Theme")
    theme.wait_for()
    return theme


def test_a_list_is_used_by_keys(page, view):
    """Arrows move, Enter takes, Escape leaves all as it was, letters find."""
    expect_chosen(view, "system")
    view.focus()
    page.keyboard.press("ArrowDown")
    expect(view).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect_chosen(view, "dark")
    page.keyboard.press("Space")
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    expect(view).to_have_attribute("aria-expanded", "false")
    expect_chosen(view, "dark")
    page.keyboard.type("l")
    page.keyboard.press("Tab")
    expect_chosen(view, "light")
    expect(view).not_to_be_focused()


def test_a_list_tells_readers_where_it_is(page, view, accessible):
    """The line that a key would take is named; a click elsewhere closes; axe agrees when open."""
    view.click()
    active = view.get_attribute("aria-activedescendant")
    expect(page.locator(f"[id='{active}']")).to_have_text("System")
    expect(page.get_by_role("option", name="System")).to_have_attribute("aria-selected", "true")
    accessible()
    page.get_by_role("heading", level=1).click()
    expect(page.locator(".options")).to_have_count(0)


def test_a_list_stays_within_the_window(page, loans_address):
    """A list at the lower edge opens upwards."""
    page.set_viewport_size({"width": 390, "height": 500})
    page.goto(f"{loans_address}#room=models")
    box = page.get_by_label("Level of the intervals")
    page.get_by_text("More settings").click()
    box.evaluate("one => scrollTo(0, one.getBoundingClientRect().bottom + scrollY - innerHeight)")
    box.click()
    at = page.locator(".options").bounding_box()
    assert at["y"] >= 0
    assert at["y"] + at["height"] <= 500
    assert at["x"] + at["width"] <= 390


def test_the_name_that_was_meant_is_one_click_away(page, loans_address):
    """A misspelt name in a formula is replaced by a click."""
    page.goto(f"{loans_address}#room=models")
    box = page.get_by_role("textbox", name="Keep only rows where", exact=True)
    box.fill("agee > 30")
    page.get_by_role("button", name="Use age", exact=True).click()
    expect(box).to_have_value("age > 30")


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("table", ["loans", "hundred_classes"])
def test_axe_finds_nothing_in_any_room(page, served, accessible, room, table):
    """No violation of any impact, and no target below 24 pixels."""
    page.goto(f"{served(table)}#room={room}")
    page.get_by_role("main").wait_for()
    page.wait_for_timeout(500)
    accessible()
    assert page.evaluate(SMALL, LEAST) == []


def test_axe_finds_nothing_with_all_parts_open(page, served, accessible):
    """Also not where everything that opens is open."""
    page.goto(f"{served('loans')}#room=calibration")
    for summary in page.locator("main details:not([open]) > summary").all():
        summary.click()
    page.wait_for_timeout(500)
    accessible()
    assert page.evaluate(SMALL, LEAST) == []


@pytest.fixture(scope="module")
def served(serve, tables):
    """How to get the address of a server of a table, started once."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        known = {}

        def address(name):
            if name not in known:
                known[name] = stack.enter_context(serve(str(tables / f"{name}.csv")))
            return known[name]

        yield address
