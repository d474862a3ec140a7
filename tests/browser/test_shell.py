"""The shell around the rooms: header, data panel, undo, address, theme, keyboard, narrow."""

import re

import pytest
from playwright.sync_api import expect

from browser_controls import choose, expect_chosen

expect.set_options(timeout=20_000)  # a busy machine draws slowly

ROOMS = ("Overview", "Curves", "Calibration", "Models", "Confusion matrix", "Board")
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def shell(page, loans_address):
    """The workbench with the loans, its first curve drawn."""
    page.goto(f"{loans_address}#room=curves")
    page.get_by_text(COUNT).wait_for()
    page.get_by_role("heading", name="ROC curve").wait_for()
    return page


COUNT = "All 1,500 examples"
COUNTED = re.compile("^(All|[0-9,]+ of) 1,500 examples")


def box(page):
    """Return the box of the filter."""
    return page.get_by_role("textbox", name="Keep only rows where", exact=True)


def filtered(page, formula):
    """Write a filter and wait until it counts."""
    before = count(page).text_content()
    box(page).fill(formula)
    expect(count(page)).not_to_have_text(before)


def count(page):
    """Return the sentence that counts the rows."""
    return page.get_by_role("complementary", name="Data").get_by_text(COUNTED)


def test_rooms_have_names_and_titles(shell):
    """Every room is one click away, says its name to readers, and gives the page its title."""
    rooms = shell.get_by_role("navigation", name="Views")
    for name in ROOMS:
        rooms.get_by_role("button", name=name).click()
        expect(rooms.get_by_role("button", name=name)).to_have_attribute("aria-current", "page")
        shell.get_by_role("main", name=name).wait_for()
        expect(shell).to_have_title(f"{name} – loans.csv – Plumbline")
    expect(shell.get_by_role("complementary", name="Data")).to_be_visible()
    expect(shell.get_by_role("banner")).to_contain_text("loans.csv")


def test_undo_and_redo_by_buttons_and_keys(shell):
    """Changes go back and forth; while text is typed, its own undo is the browser's."""
    undo, redo = (shell.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    careful = shell.get_by_role("complementary", name="Data").get_by_role(
        "checkbox", name="careful"
    )
    target = shell.get_by_label("Positive class (the outcome to detect)")
    careful.uncheck()
    choose(target, "no")
    undo.click()
    expect_chosen(target, "yes")
    undo.click()
    expect(careful).to_be_checked()
    expect(undo).to_be_disabled()
    redo.click()
    expect(careful).not_to_be_checked()
    shell.get_by_role("heading", name="Data", exact=True).click()
    shell.keyboard.press("Control+Shift+z")
    expect_chosen(target, "no")
    shell.keyboard.press("Control+z")
    expect_chosen(target, "yes")
    box(shell).click()
    shell.keyboard.press("Control+z")
    expect(careful).not_to_be_checked()


def test_the_address_restores_the_state_in_another_tab(shell):
    """What is chosen, where one is, and the filter are in the address."""
    panel = shell.get_by_role("complementary", name="Data")
    panel.get_by_role("checkbox", name="hasty").uncheck()
    expect(count(shell)).to_contain_text(COUNT)
    filtered(shell, 'purpose == "car"')
    shell.get_by_role("button", name="Models", exact=True).click()
    expect(shell).to_have_url(re.compile("room=models.*purpose"))
    counted = count(shell).text_content()
    other = shell.context.new_page()
    other.goto(shell.url)
    panel = other.get_by_role("complementary", name="Data")
    expect(count(other)).to_have_text(counted)
    expect(panel.get_by_role("checkbox", name="hasty")).not_to_be_checked()
    expect(panel.get_by_role("checkbox", name="careful")).to_be_checked()
    expect(box(other)).to_have_value('purpose == "car"')
    other.get_by_role("main", name="Models").wait_for()


def test_an_address_of_nonsense_shows_the_defaults(page, loans_address):
    """What an address cannot mean is left out, and nothing breaks."""
    page.goto(
        f'{loans_address}#room=cellar&threshold=high&data={{"where":null,"folds":7}}&curve=[1'
    )
    page.get_by_role("main", name="Overview").wait_for()
    expect(page.get_by_role("complementary", name="Data")).to_be_visible()


def test_the_address_typed_anew_is_followed(shell):
    """Another fragment in the same tab is another state."""
    shell.evaluate("() => { location.hash = '#room=board'; }")
    shell.get_by_role("main", name="Board").wait_for()


def open_loans(page, bare_address):
    """Open the example from the start page, and go to the room of its curves."""
    page.goto(bare_address)
    page.get_by_role("button", name=re.compile("^Loans")).click()
    rooms = page.get_by_role("navigation", name="Views")
    rooms.get_by_role("button", name="Curves").click()
    page.get_by_role("heading", name="ROC curve").wait_for()


def test_a_link_to_another_table_leaves_board_and_history_behind(page, bare_address):
    """In the same tab: the other table has a board of its own, and undo does not lead back."""
    open_loans(page, bare_address)
    page.get_by_role("button", name="Pin ROC curve to the board").click()
    expect(page).to_have_url(re.compile("table="))
    first = page.url
    other = page.context.new_page()
    open_loans(other, bare_address)
    expect(other).to_have_url(re.compile("table="))
    second = other.url
    assert first != second
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    for address, pinned in ((second, False), (first, True), (second, False)):
        page.evaluate("address => { location.href = address; }", address)
        page.get_by_role("heading", name="ROC curve").wait_for()
        expect(undo).to_be_disabled()
        pin = page.get_by_role("button", name="Pin ROC curve to the board")
        expect(pin).to_have_count(0 if pinned else 1)


def test_undo_goes_back_word_by_word(shell):
    """What is typed after a pause, or after leaving the field, is a step of its own."""
    for age in (30, 40, 50):
        filtered(shell, f"age > {age}")
        expect(shell).to_have_url(re.compile(rf"age.*{age}"))
        if age == 30:
            shell.wait_for_timeout(1200)
        shell.get_by_role("heading", name="Data", exact=True).click()
    undo = shell.get_by_role("button", name="Undo")
    for text in ("age > 40", "age > 30", ""):
        undo.click()
        expect(box(shell)).to_have_value(text)
    expect(undo).to_be_disabled()


def test_the_link_can_be_copied(shell):
    """The link is in the clipboard, or shown to be copied by hand."""
    shell.get_by_role("button", name="Copy link").click()
    said = shell.get_by_text("Link copied.").or_(shell.get_by_label("Address"))
    said.wait_for()


def test_the_theme_is_chosen_and_remembered(shell):
    """Dark and light as chosen, also after loading anew; else as the system says."""
    root = shell.locator("#workbench")
    theme = shell.get_by_label("Theme")
    choose(theme, "Dark")
    expect(root).to_have_attribute("data-theme", "dark")
    shell.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    choose(theme, "Light")
    expect(root).to_have_attribute("data-theme", "light")
    choose(theme, "System")
    shell.emulate_media(color_scheme="dark")
    expect(root).to_have_attribute("data-theme", "dark")


def test_help_is_a_key_away(shell):
    """`?` and the button show the keys; Escape closes; the focus comes back."""
    shell.get_by_role("heading", name="Data", exact=True).click()
    shell.keyboard.press("?")
    shell.get_by_role("dialog", name="Keyboard").get_by_text("Undo the last change").wait_for()
    shell.keyboard.press("Escape")
    expect(shell.get_by_role("dialog")).to_have_count(0)
    button = shell.get_by_role("button", name="Keyboard")
    button.click()
    shell.get_by_role("dialog", name="Keyboard").get_by_role("button", name="Close").click()
    expect(shell.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_models_and_folds_are_chosen_from_lists(shell):
    """All, none, some; a long list is searched; nothing chosen is said."""
    panel = shell.get_by_role("complementary", name="Data")
    folds = panel.get_by_role("group", name=re.compile("^Folds"))
    folds.get_by_label("Find in folds").fill("1")
    expect(folds.get_by_role("checkbox")).to_have_count(2)
    folds.get_by_role("checkbox", name="10").uncheck()
    panel.get_by_text("1,350 of 1,500 examples").wait_for()
    folds.get_by_role("button", name="Folds: select none").click()
    panel.get_by_text("Nothing is selected").wait_for()
    folds.get_by_role("button", name="Folds: select all").click()
    panel.get_by_text(COUNT).wait_for()
    models = panel.get_by_role("group", name=re.compile("^Models"))
    models.get_by_role("button", name="Models: select none").click()
    models.get_by_role("checkbox", name="hasty").check()
    panel.get_by_text(COUNT).wait_for()
    panel.get_by_role("button", name="Use all rows again").click()
    panel.get_by_text(COUNT).wait_for()


def test_a_filter_is_made_of_a_value(shell):
    """A value or a range, chosen rather than written, becomes a part of the formula."""
    panel = shell.get_by_role("complementary", name="Data")
    panel.get_by_text("Filter by a value").click()
    choose(panel.get_by_label("Attribute"), "purpose")
    panel.get_by_role("checkbox", name="car", exact=True).check()
    panel.get_by_role("checkbox", name="home", exact=True).check()
    panel.get_by_role("button", name="Add to the filter").click()
    expect(box(shell)).to_have_value(re.compile(r'^`?purpose`? in \["car", "home"\]$'))
    choose(panel.get_by_label("Attribute"), "age")
    panel.get_by_label("From", exact=True).fill("30")
    panel.get_by_label("To", exact=True).fill("40")
    panel.get_by_role("button", name="Add to the filter").click()
    expect(box(shell)).to_have_value(re.compile(r"and 30 <= `?age`? <= 40$"))
    panel.get_by_text(re.compile(r"^[\d,]+ of 1,500 examples")).wait_for()
    panel.get_by_role("button", name="Clear the filter").click()
    panel.get_by_text(COUNT).wait_for()


def test_the_averaging_of_folds_is_that_of_the_curve(shell):
    """The data panel and the curve panel set the same thing."""
    averaging = shell.get_by_label("Averaging of folds")
    choose(averaging, "vertical")
    expect(shell).to_have_url(re.compile("vertical"))
    shell.get_by_role("button", name="Undo").click()
    expect_chosen(averaging, "")


def test_the_input_checks_are_of_the_selected_rows(shell):
    """Findings are looked for when asked, among the rows that are chosen."""
    panel = shell.get_by_role("complementary", name="Data")
    panel.get_by_text("Is anything unusual about these rows?").click()
    panel.get_by_text("Distinct scores").wait_for()
    filtered(shell, "age > 75")
    panel.get_by_text("few rows").wait_for()


def test_the_positive_class_is_named(shell):
    """The header and the findings name the class that the numbers are about, also a chosen one."""
    header = shell.get_by_role("banner")
    expect(header).to_contain_text("positive: yes")
    panel = shell.get_by_role("complementary", name="Data")
    panel.get_by_text("Is anything unusual about these rows?").click()
    positive = panel.locator("dt", has_text="Positive class").locator("xpath=following::dd[1]")
    expect(positive).to_have_text("yes")
    choose(panel.get_by_label("Positive class (the outcome to detect)"), "no")
    expect(header).to_contain_text("positive: no")
    expect(positive).to_have_text("no")


def test_the_skip_link_leads_to_the_charts(shell):
    """The first stop of the Tab key leaves out the header and the panel."""
    shell.keyboard.press("Tab")
    link = shell.get_by_role("link", name="Skip to the charts")
    expect(link).to_be_focused()
    shell.keyboard.press("Enter")
    expect(shell.get_by_role("main")).to_be_focused()


def test_narrow_screens_need_no_scrolling_sideways(shell):
    """At 400 pixels every room fits, and the data panel is a drawer."""
    shell.set_viewport_size({"width": 400, "height": 800})
    drawer = shell.get_by_role("button", name="Data: choose models, folds and rows")
    expect(box(shell)).to_be_hidden()
    drawer.click()
    expect(box(shell)).to_be_visible()
    assert shell.evaluate(WIDER) <= 0
    drawer.click()
    for name in ROOMS:
        shell.get_by_role("navigation", name="Views").get_by_role("button", name=name).click()
        shell.get_by_role("main", name=name).wait_for()
        shell.wait_for_load_state("networkidle")
        assert shell.evaluate(WIDER) <= 0, name
        button = shell.get_by_role("button", name=name, exact=True)
        expect(button).to_be_in_viewport(ratio=0.99)  # scrolling stops at whole pixels


def focus_by_tab(page, wanted):
    """Press Tab until a control has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError("the Tab key does not lead there")


def test_the_keyboard_alone_leads_from_the_start_to_a_changed_curve(page, bare_address):
    """An example is opened, a model left out and another positive class chosen without a mouse."""
    page.goto(bare_address)
    card = page.get_by_role("button", name=re.compile("^Loans"))
    card.wait_for()
    focus_by_tab(page, card)
    page.keyboard.press("Enter")
    curves = page.get_by_role("navigation", name="Views").get_by_role("button", name="Curves")
    curves.wait_for()
    focus_by_tab(page, curves)
    page.keyboard.press("Enter")
    model = page.get_by_role("complementary", name="Data").get_by_role("checkbox", name="boastful")
    model.wait_for()
    focus_by_tab(page, model)
    page.keyboard.press("Space")
    target = page.get_by_label("Positive class (the outcome to detect)")
    focus_by_tab(page, target)
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect_chosen(target, "no")
    page.get_by_text(COUNT).wait_for()
    page.get_by_text(re.compile(r"of \d+ 'no'")).first.wait_for()


def test_the_shell_is_accessible(shell, accessible):
    """Header and data panel have no grave fault, light and dark, wide and narrow."""
    shell.get_by_text("Filter by a value").click()
    accessible()
    choose(shell.get_by_label("Theme"), "Dark")
    accessible()
    shell.set_viewport_size({"width": 400, "height": 800})
    accessible()


def test_picture_shell(shell, picture):
    """The workbench with a filter, and in the dark."""
    filtered(shell, "age > 30")
    picture("shell")
    choose(shell.get_by_label("Theme"), "Dark")
    picture("dark")


def test_charts_have_most_of_the_width(page, loans_address):
    """At 1440 pixels every chart of a room has 60 % of them, and more where controls are folded."""
    page.set_viewport_size({"width": 1440, "height": 900})
    for room in ("curves", "calibration", "models"):
        page.goto("about:blank")
        page.goto(f"{loans_address}#room={room}")
        page.locator(".chart-stage").first.wait_for()
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
        widths = page.locator(".chart").evaluate_all("all => all.map(one => one.clientWidth)")
        assert min(widths) >= 0.6 * 1440, (room, widths)
    before = page.locator(".chart").first.bounding_box()["width"]
    page.get_by_role("button", name="Hide the controls").click()
    assert page.locator(".chart").first.bounding_box()["width"] > before + 150
    page.wait_for_url(re.compile("folded"))
    page.reload()
    page.get_by_role("button", name="Show the controls").click()
    grip = page.get_by_role("separator", name="Width of the controls")
    grip.focus()
    wide = float(grip.get_attribute("aria-valuenow"))
    page.keyboard.press("ArrowRight")
    assert float(grip.get_attribute("aria-valuenow")) == wide + 1
