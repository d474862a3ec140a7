"""From a file or an example to the workbench: dropped, sent, its columns explained, opened."""

import re

import pytest
from playwright.sync_api import expect

from browser_controls import choose, expect_chosen

expect.set_options(timeout=20_000)  # a table opens in a process of its own, which has to start


def refused(page, status):
    """The browser logs a refused request by itself; such a line is wanted here, and only that."""
    told = [line for line in page.wrong if str(status) in line]
    assert told, page.wrong
    for line in told:
        page.wrong.remove(line)


def send(page, path):
    """Choose a file on the start page."""
    page.get_by_label("Open a table of predictions").set_input_files(path)


def meaning(page, column):
    """Return the control that says what a column means."""
    return page.get_by_label(f"Meaning of {column}", exact=True)


def test_a_file_is_read_and_opened(page, bare_address, tables):
    """The reading is shown column by column, opens the table as it stands, and is said there."""
    page.goto(bare_address)
    send(page, tables / "foreign.csv")
    page.get_by_role("heading", name="What do the columns mean?").wait_for()
    expect_chosen(meaning(page, "label"), "actual")
    expect_chosen(meaning(page, "prob_1"), "prob:1")
    expect_chosen(meaning(page, "cv_fold"), "fold")
    expect(page.get_by_role("radio", name=re.compile(r"^1 \d+ rows$"))).to_be_checked()
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("navigation", name="Views").wait_for()
    expect(page.get_by_role("banner")).to_contain_text("foreign.csv")
    expect(page.get_by_role("banner")).to_contain_text("120 rows")
    panel = page.get_by_role("complementary", name="Data")
    expect(panel).to_contain_text(
        "Read: actual = label (1 is positive), probability = prob_1, fold = cv_fold"
    )
    page.get_by_role("main", name="Overview").get_by_role("figure").first.wait_for()


def test_each_of_two_readings_is_one_click(page, bare_address, tables):
    """Nothing is taken before one is chosen; that fills in the form, which can be changed."""
    page.goto(bare_address)
    send(page, tables / "two_readings.csv")
    expect(page.get_by_role("alert")).to_contain_text("The table has more than one reading")
    opening = page.get_by_role("button", name="Open", exact=True)
    expect(opening).to_be_disabled()
    page.get_by_role("radio", name=re.compile("good is positive")).check()
    expect_chosen(meaning(page, "Status"), "actual")
    expect_chosen(meaning(page, "score"), "prob:good")
    page.get_by_role("radio", name=re.compile("bad is positive")).check()
    expect_chosen(meaning(page, "score"), "prob:bad")
    opening.click()
    expect_chosen(page.get_by_label("Positive class (the outcome to detect)"), "bad")


def test_models_beside_each_other_are_columns_of_one_class(page, bare_address, tables):
    """They are read as models; a column more or fewer is one choice, and rows are counted once."""
    page.goto(bare_address)
    send(page, tables / "beside.csv")
    for name in ("logreg", "boosting"):
        expect_chosen(meaning(page, name), "prob:1")
    expect(page.get_by_text("2 columns hold P(1): each is a model")).to_be_visible()
    choose(meaning(page, "boosting"), "Attribute")
    page.get_by_role("radio", name=re.compile("^1 ")).wait_for()
    choose(meaning(page, "boosting"), "P(1)")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("banner")).to_contain_text("120 examples, 2 classes")
    panel = page.get_by_role("complementary", name="Data")
    expect(panel).to_contain_text("models = logreg, boosting, row = loan_id")
    page.get_by_role("checkbox", name="boosting", exact=True).wait_for()


def test_a_served_file_with_two_readings_asks_first(page, tables, serve):
    """The address shows the columns instead of an error; what is chosen opens the table."""
    with serve(str(tables / "two_readings.csv")) as address:
        page.goto(address)
        page.get_by_role("heading", name="What do the columns mean?").wait_for()
        page.get_by_role("radio", name=re.compile("bad is positive")).check()
        page.get_by_role("button", name="Open", exact=True).click()
        expect(page.get_by_role("banner")).to_contain_text("two_readings.csv")
        expect_chosen(page.get_by_label("Positive class (the outcome to detect)"), "bad")
        page.reload()
        expect(page.get_by_role("banner")).to_contain_text("120 rows")
        refused(page, 422)
        page.goto("about:blank")  # so that it asks nothing when the server ends


def test_what_has_no_reading_is_asked(page, bare_address, tables):
    """The page says in words what is missing, and opens what it is told."""
    page.goto(bare_address)
    send(page, tables / "riddle.csv")
    page.get_by_text("No column is known to hold the true classes").wait_for()
    opening = page.get_by_role("button", name="Open", exact=True)
    expect(opening).to_be_disabled()
    choose(meaning(page, "a"), "True class")
    page.get_by_text("Which columns hold the predicted probabilities?").wait_for()
    choose(meaning(page, "q"), "P(1)")
    page.get_by_role("radio", name=re.compile("^0 ")).check()
    opening.click()
    positive = page.get_by_label("Positive class (the outcome to detect)")
    expect_chosen(positive, "0")


def test_the_readers_refusal_is_shown_whole(page, bare_address, tables):
    """A file without rows, a column that is no probability: the library's own words."""
    page.goto(bare_address)
    send(page, tables / "riddle.csv")
    choose(meaning(page, "a"), "True class")
    choose(meaning(page, "b"), "Fold")
    choose(meaning(page, "q"), "Model")
    page.get_by_text("Which columns hold the predicted probabilities?").wait_for()
    choose(meaning(page, "b"), "P(1)")
    choose(meaning(page, "q"), "Weight")
    choose(meaning(page, "a"), "Attribute")
    page.get_by_text("Which column is the true class").wait_for()
    choose(meaning(page, "q"), "True class")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("single column 'b' gives ")
    refused(page, 422)
    page.get_by_role("button", name="Cancel").click()
    send(page, tables / "no_rows.csv")
    expect(page.get_by_role("alert")).to_contain_text("no rows")
    page.wrong[:] = [line for line in page.wrong if "422" not in line]


def test_other_files_are_refused_before_they_are_sent(page, bare_address, tmp_path):
    """A pickle and an empty file never leave the page."""
    page.goto(bare_address)
    for name, content, said in (
        ("model.pkl", b"x", "A pickle can run code when it is read"),
        ("table.ods", b"x", "CSV, TSV, JSON lines, JSON, Parquet, Arrow (Feather)"),
        ("table.csv", b"", "table.csv is empty"),
    ):
        (tmp_path / name).write_bytes(content)
        send(page, tmp_path / name)
        expect(page.get_by_role("alert")).to_contain_text(said)


def test_a_file_can_be_dropped(page, bare_address):
    """Dropping a file is the same as choosing it."""
    page.goto(bare_address)
    page.get_by_label("Open a table of predictions").wait_for()
    page.evaluate(
        """() => {
            const carried = new DataTransfer();
            carried.items.add(new File(["y,p\\n0,0.2\\n1,0.7\\n0,0.4\\n"], "dropped.csv"));
            const zone = document.querySelector("input[type=file]").parentElement;
            for (const kind of ["dragover", "drop"]) {
                const how = {dataTransfer: carried, bubbles: true, cancelable: true};
                zone.dispatchEvent(new DragEvent(kind, how));
            }
        }"""
    )
    page.get_by_role("heading", name="What do the columns mean?").wait_for()
    expect_chosen(meaning(page, "y"), "actual")
    expect_chosen(meaning(page, "p"), "prob:1")


def test_probabilities_can_be_divided_by_their_sum(page, bare_address, tmp_path):
    """Rows that do not sum to 1 are refused until the reader says to divide them."""
    path = tmp_path / "sums.csv"
    path.write_text("actual,p:a,p:b\na,0.6,0.6\nb,0.1,0.4\na,0.3,0.3\n")
    page.goto(bare_address)
    send(page, path)
    expect(page.get_by_role("alert")).to_contain_text("sum")
    page.get_by_label("Divide the probabilities of every row").check()
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("navigation", name="Views").wait_for()


def test_separator_and_decimal_mark_can_be_chosen(page, bare_address, tmp_path, accessible):
    """What was recognised is shown; the reader's own choice reads the file anew and opens it."""
    path = tmp_path / "european.csv"
    rows = "".join(f"{'yes' if n % 3 else 'no'};0,{n + 10};{n}\n" for n in range(60))
    path.write_text("actual;p:yes;age\n" + rows)
    page.goto(bare_address)
    send(page, path)
    separator, decimal = page.get_by_label("Separator"), page.get_by_label("Decimal mark")
    expect(separator).to_have_text("Recognised: semicolon")
    expect(decimal).to_have_text("Recognised: comma")
    choose(decimal, ".")
    expect(page.get_by_role("alert")).to_contain_text("decimal mark")
    choose(separator, "\t")
    expect(page.get_by_role("alert")).to_contain_text("no tab in its header")
    accessible()
    choose(separator, ";")
    choose(decimal, ",")
    page.wrong.clear()  # the browser logs every refusal
    expect_chosen(meaning(page, "p:yes"), "prob:yes")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_text("60 rows").first.wait_for()


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Loans", "1,500 examples, 2 classes"),
        ("Delayed flights", "2,000 rows"),
        ("Ten digits", "1,200 examples, 10 classes"),
    ],
)
def test_every_example_opens(page, bare_address, title, said):
    """One click on a card, and the charts are there; closing leads back to the start."""
    page.goto(bare_address)
    page.get_by_role("button", name=re.compile(f"^{title}")).click()
    expect(page.get_by_role("banner")).to_contain_text(said)
    page.get_by_role("main", name="Overview").get_by_role("figure").first.wait_for()
    page.get_by_role("button", name="Close table").click()
    page.get_by_role("heading", name="How good are your").wait_for()
    expect(page).to_have_url(bare_address)


def test_days_are_chosen_as_days(page, bare_address, tmp_path):
    """A column of dates is filtered by two days, and the placeholder could be written as it is."""
    days = "\n".join(f"{day % 2},0.{4 + day % 3},2024-05-{day:02}" for day in range(1, 31))
    (tmp_path / "rain.csv").write_text(f"actual,y_prob,day\n{days}\n")
    page.goto(bare_address)
    send(page, tmp_path / "rain.csv")
    page.get_by_role("button", name="Open", exact=True).click()
    panel = page.get_by_role("complementary", name="Data")
    where = panel.get_by_role("textbox", name="Keep only rows where")
    expect(where).to_have_attribute("placeholder", 'day > "2024-05-01"')
    panel.get_by_text("Filter by a value").click()
    panel.get_by_label("From").fill("2024-05-21")
    panel.get_by_role("button", name="Add to the filter").click()
    expect(where).to_have_value('day >= "2024-05-21"')
    expect(panel.get_by_text("10 of 30 rows")).to_be_visible()


def test_columns_can_be_corrected_later(page, bare_address, tables):
    """The header asks again what the columns mean, and the questions are asked anew."""
    page.goto(bare_address)
    send(page, tables / "foreign.csv")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("checkbox", name="2", exact=True).wait_for()
    page.get_by_role("button", name="Columns …").click()
    expect_chosen(meaning(page, "cv_fold"), "fold")
    choose(meaning(page, "cv_fold"), "Attribute")
    page.get_by_role("radio", name=re.compile("^0 ")).check()
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_text("The table has no folds.").wait_for()
    expect_chosen(page.get_by_label("Positive class (the outcome to detect)"), "0")


def test_columns_of_the_served_file_can_be_corrected_later(page, serve, tables):
    """Without a restart; a page that is opened afterwards shows the table as it is read now."""
    with serve(str(tables / "foreign.csv")) as address:
        page.goto(address)
        page.get_by_role("button", name="Columns …").click()
        expect_chosen(meaning(page, "cv_fold"), "fold")
        page.get_by_role("radio", name=re.compile("^0 ")).check()
        page.get_by_role("button", name="Open", exact=True).click()
        positive = page.get_by_label("Positive class (the outcome to detect)")
        expect_chosen(positive, "0")
        page.goto(address)
        expect_chosen(positive, "0")
        page.goto("about:blank")  # before the server ends


def test_a_hundred_classes_are_asked_for_in_a_list(page, bare_address, tables):
    """Too many for buttons: the class is found by typing."""
    page.goto(bare_address)
    send(page, tables / "hundred_classes.csv")
    chooser = page.get_by_label("Which outcome are you trying to detect?")
    chooser.fill("class 4")
    chooser.fill("class 42")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_label("Positive class (the outcome to detect)")).to_have_value("class 42")


def test_the_start_page_is_accessible(page, bare_address, tables, accessible):
    """Neither the start page nor the table of columns has a grave fault."""
    page.goto(bare_address)
    page.get_by_label("Open a table of predictions").wait_for()
    page.get_by_text("What must the table hold?").click()
    accessible()
    send(page, tables / "foreign.csv")
    meaning(page, "label").wait_for()
    accessible()


def test_picture_start(page, bare_address, tables, picture):
    """The start page, and how columns are read."""
    page.goto(bare_address)
    page.get_by_label("Open a table of predictions").wait_for()
    picture("start")
    send(page, tables / "foreign.csv")
    meaning(page, "label").wait_for()
    picture("columns")
