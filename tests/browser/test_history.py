"""The address, the history of the browser, a file that changes, and axes of dates."""

import re
from urllib.parse import unquote_plus

import numpy as np
import pytest
from loans import loans
from playwright.sync_api import expect

import plumbline as pb


@pytest.fixture
def shell(page, loans_address):
    """The workbench with the loans, its first curve drawn."""
    page.goto(f"{loans_address}#room=curves")
    page.get_by_role("heading", name="ROC curve").wait_for()
    return page


def test_back_restores_what_was_there_before_each_step(shell):
    """A model, a preset and a room are steps; Back and Forward walk them and stay in the app."""
    careful = shell.get_by_role("complementary", name="Data").get_by_role(
        "checkbox", name="careful"
    )
    careful.uncheck()
    shell.get_by_role("button", name="Models", exact=True).click()
    shell.get_by_role("main", name="Models").wait_for()
    shell.go_back()
    shell.get_by_role("main", name="Curves").wait_for()
    expect(careful).not_to_be_checked()
    shell.go_back()
    expect(careful).to_be_checked()
    shell.get_by_role("heading", name="ROC curve").wait_for()
    shell.go_forward()
    expect(careful).not_to_be_checked()
    shell.go_forward()
    shell.get_by_role("main", name="Models").wait_for()


def test_a_drag_is_no_entry_of_the_history(shell):
    """However often the threshold moves, one Back is one step."""
    before = shell.evaluate("history.length")
    shell.get_by_role("slider", name=re.compile("ROC")).first.focus()
    for _ in range(5):
        shell.keyboard.press("ArrowRight")
    expect(shell).to_have_url(re.compile("threshold="))
    assert shell.evaluate("history.length") == before


def test_the_address_has_a_formula_as_soon_as_its_box_is_left(shell):
    """Tab commits the formula, and the address holds it at once; so does Enter."""
    for key, formula in (("Tab", "age > 41"), ("Enter", "age > 42")):
        box = shell.get_by_role("textbox", name="Keep only rows where", exact=True)
        box.fill(formula)
        box.press("Escape")
        box.press(key)
        assert formula in unquote_plus(shell.evaluate("location.hash"))


def test_a_changed_file_needs_no_new_address(page, serve, tmp_path):
    """The page says that its file changed; the reload shows the new one in the same room."""
    path = tmp_path / "mine.csv"
    loans(120).write(path)
    with serve(str(path)) as address:
        page.goto(address + "#room=models")
        page.get_by_text("120 rows").first.wait_for()
        loans(121).write(path)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.get_by_text("mine.csv has changed since it was opened").wait_for()
        page.get_by_role("button", name="Reload").click()
        page.get_by_text("121 rows").first.wait_for()
        page.get_by_role("main", name="Models").wait_for()
        expect(page.get_by_text("has changed since it was opened")).to_have_count(0)
        path.unlink()
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.get_by_text("mine.csv is gone").wait_for()
        page.reload()
        page.get_by_text("mine.csv is gone").wait_for()
        page.get_by_text("121 rows").first.wait_for()
        page.goto("about:blank")


def test_a_watched_file_is_followed_without_a_reload(page, serve, tmp_path):
    """The numbers change in place; room, filter and address stay; a broken file changes nothing."""
    path = tmp_path / "mine.csv"
    loans(120).write(path)
    with serve(str(path), "--watch") as address:
        page.goto(address + "#room=models")
        page.get_by_text("120 rows").first.wait_for()
        box = page.get_by_role("textbox", name="Keep only rows where", exact=True)
        box.fill("age > 20")
        box.press("Escape")
        box.press("Tab")
        expect(page).to_have_url(re.compile("age"))
        loans(121).write(path)
        page.get_by_text(re.compile(r"mine.csv changed; numbers are those of \d\d:")).wait_for()
        page.get_by_text("121 rows").first.wait_for()
        page.get_by_role("main", name="Models").wait_for()
        expect(box).to_have_value("age > 20")
        assert page.url.startswith(address)
        path.write_text("actual,p:a")
        page.get_by_text("mine.csv changed and cannot be read").wait_for()
        page.get_by_text("121 rows").first.wait_for()
        expect(page.get_by_role("button", name="Reload")).to_have_count(0)
        page.goto("about:blank")


def test_dates_stand_on_an_axis_as_dates(page, serve, tmp_path, picture):
    """Ticks and table name days, and what is 0 or 1 row by row is drawn as points."""
    rng = np.random.default_rng(2)
    days = np.datetime64("2023-11-20") + np.sort(rng.integers(0, 200, 300))
    pb.Predictions.from_arrays(
        rng.integers(0, 2, 300), rng.random(300), attributes={"day": days}
    ).write(tmp_path / "days.parquet")
    with serve(str(tmp_path / "days.parquet")) as address:
        page.goto(address + "#room=curves&curve=" + '{"preset":null,"x":"day","y":"eCA"}')
        page.get_by_text("so points are not joined").wait_for()
        axes = page.locator(".chart-axes").first
        assert {"Jan2024", "Mar"} <= set(axes.locator("text").all_text_contents())
        assert "19,7" not in axes.text_content()
        page.get_by_text("Show as table").first.click()
        page.get_by_role("cell", name=re.compile(r"^202[34]-\d\d-\d\d$")).first.wait_for()
        picture("dates")
        page.goto("about:blank")
