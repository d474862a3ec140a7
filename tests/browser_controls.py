"""How tests use the workbench's own controls, as a person would."""

from playwright.sync_api import Locator, expect


def choose(box: Locator, wanted: str) -> None:
    """Take a line of a list, by its value or its words."""
    box.click()
    lines = box.page.locator(".options").get_by_role("option")
    valued = lines.and_(box.page.locator(f'[data-value="{wanted}"]'))
    (valued if valued.count() else lines.get_by_text(wanted, exact=True)).click()
    expect(box.page.locator(".options")).to_have_count(0)


def expect_chosen(box: Locator, value: str) -> None:
    """Wait until a line of a list is the chosen one, by its value."""
    expect(box).to_have_attribute("data-value", value)


def offered(box: Locator) -> list[str]:
    """Return the lines of a list in words."""
    box.click()
    words = box.page.locator(".options").get_by_role("option").all_inner_texts()
    box.page.keyboard.press("Escape")
    return words
