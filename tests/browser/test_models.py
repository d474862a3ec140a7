"""The rooms of models and of the confusion matrix, in a browser."""

import re
from urllib.parse import urlencode

import numpy as np
import pytest

import plumbline as pb
from browser_controls import choose, offered
from plumbline.metrics import model_scores


@pytest.fixture(scope="module")
def loans(tables):
    """The loans as the library reads them."""
    return pb.read(tables / "loans.csv")


def look(page, address, room, **parts):
    """Open a room of the workbench."""
    fragment = urlencode({"room": room, **parts})
    page.goto(f"{address}#{fragment}")
    page.reload()  # a new fragment alone does not load the page again
    page.get_by_role(
        "region", name="Scores" if room == "models" else "Confusion matrix"
    ).first.wait_for()


# What the start page does: send the file, take the roles that are guessed, open it.
UPLOAD = """async ([name, text]) => {
  const sent = { method: "POST", body: text };
  const { table } = await (await fetch(`api/tables?name=${name}`, sent)).json();
  const { guess } = await (await fetch(`api/tables/${table}/columns`)).json();
  await fetch(`api/tables/${table}/open`, { method: "POST", body: JSON.stringify(guess) });
  return table;
}"""


def upload(page, address, path):
    """Open a table of the tests, and return the fields that name it in an address."""
    page.goto(address)
    return {"table": page.evaluate(UPLOAD, [path.name, path.read_text("utf-8")])}


def numbers(scope, selector):
    """Return the whole values of the numbers below an element."""
    found = scope.locator(selector).evaluate_all("all => all.map(one => one.value)")
    return [float(value) for value in found]


# ------------------------------------------------------------------ models


def test_scores_and_comparison_show_the_numbers_of_the_library(
    page, loans_address, loans, accessible
):
    """The Brier scores, the difference and the sentence are those of the library; axe agrees."""
    look(page, loans_address, "models")
    scores = page.get_by_role("region", name="Scores").first
    scores.get_by_text("above that range").first.wait_for()
    found = pb.measure(loans, "brier-score", resamples=0)
    shown = numbers(scores, "data[data-name='brier-score']")
    assert shown == [one.value for one in found.measures]
    compared = pb.compare(loans)
    page.get_by_text(compared.pairs[0].verdict).wait_for()
    assert scores.get_by_text("best", exact=True).count() == 1
    table = page.get_by_role("region", name="Differences of the Brier score")
    cells = numbers(table, "data")
    assert compared.pairs[0].difference in cells
    assert compared.pairs[0].adjusted_p_value in cells
    accessible()


def test_the_controls_of_the_scores(page, loans_address, loans):
    """Bins and view change the calibration error; without chance its ranges go; folds unfold."""
    look(page, loans_address, "models")
    scores = page.get_by_role("region", name="Scores").first
    choose(page.get_by_label("Bins of the calibration error", exact=True), "5 of equal size")
    choose(page.get_by_label("View of the calibration error", exact=True), "The top label")
    part = loans.select(model="careful")
    error = pb.measure(part, "ece", bins="equal-size:5", view="top-label", resamples=0)["ece"]
    page.locator(f"data[data-name='ece'][value='{error.value}']").wait_for()
    page.get_by_label("Show what is expected if calibrated").uncheck()
    page.get_by_text("if calibrated:").first.wait_for(state="detached")
    page.get_by_text("Mean over the folds", exact=True).click()
    folds = scores.get_by_role("region", name="Mean over the folds")
    assert model_scores(part).scores[0].fold_deviation in numbers(folds, "data")


def test_the_controls_of_the_comparison(page, loans_address, loans):
    """Metric, pair, test, data sets, level, adjustment, groups, recalibration and rope are used."""
    look(page, loans_address, "models")
    choose(page.get_by_label("Metric", exact=True), "Area under the ROC curve – higher is better")
    found = pb.compare(loans, metrics="roc-auc")
    page.get_by_text(found.pairs[1].verdict).wait_for()
    choose(page.get_by_role("combobox", name="Models", exact=True), "hasty")
    choose(page.get_by_label("Against", exact=True), "boastful")
    found = pb.compare(loans, models=["hasty", "boastful"], metrics="roc-auc")
    page.get_by_text(found.pairs[0].verdict).wait_for()
    choose(page.get_by_role("combobox", name="Models", exact=True), "all 3, every pair")
    choose(page.get_by_label("Metric", exact=True), "Accuracy – higher is better")
    choose(
        page.get_by_label("Test", exact=True), "Bayesian correlated t-test (Corani and Benavoli)"
    )
    page.get_by_text("More settings", exact=True).click()
    page.get_by_label("Region of practical equivalence").fill("0.05")
    page.keyboard.press("Enter")
    found = pb.compare(loans, metrics="accuracy", test="bayesian-t", rope=0.05)
    page.get_by_text(found.pairs[0].verdict).wait_for()
    page.get_by_role("columnheader", name="Probability of practical equality").wait_for()
    assumed = page.get_by_text(re.compile("test parts are assumed", re.IGNORECASE))
    assumed.wait_for()
    page.get_by_label("Share of the rows in each test part").fill("0.2")
    page.keyboard.press("Enter")
    assumed.wait_for(state="detached")
    page.get_by_label("Share of the rows in each test part").fill("")
    page.get_by_label("Region of practical equivalence").fill("")
    page.keyboard.press("Enter")
    choose(page.get_by_label("Column of data sets", exact=True), "purpose")
    choose(page.get_by_label("Level of the intervals", exact=True), "90 %")
    choose(page.get_by_label("Adjust p-values", exact=True), "not adjusted")
    found = pb.compare(loans, metrics="accuracy", over="purpose", adjust=None, level=0.9)
    page.get_by_text(found.pairs[2].verdict).wait_for()
    page.get_by_role("heading", name="Ranks over 3 data sets").wait_for()
    ranks = found.ranks["accuracy"]
    shown = numbers(page.get_by_role("region", name="Average ranks"), "data")
    assert sorted(shown) == sorted(ranks.average_ranks)
    choose(page.get_by_label("Column of data sets", exact=True), "none: one data set")
    choose(page.get_by_label("Also after recalibration by", exact=True), "temperature")
    choose(page.get_by_label("Metric", exact=True), "Brier score – lower is better")
    page.get_by_role("columnheader", name="After", exact=True).wait_for()


def test_rows_that_belong_together_are_drawn_together(page, bare_address, tmp_path):
    """The groups of the data panel reach the library; a table of one split offers its tests."""
    rng = np.random.default_rng(0)
    p = rng.random(120)
    y = (rng.random(120) < p).astype(int)
    data = pb.Predictions.from_arrays(
        np.tile(y, 2),
        np.r_[p, 0.5 + 0.3 * (p - 0.5)],
        model=["sharp"] * 120 + ["blunt"] * 120,
        row=np.tile(np.arange(120), 2),
        attributes={"patient": np.tile(np.arange(120) // 4, 2)},
    )
    data.write(tmp_path / "patients.csv")
    look(page, bare_address, "models", **upload(page, bare_address, tmp_path / "patients.csv"))
    choose(page.get_by_label("Column of groups", exact=True), "patient")
    found = pb.compare(pb.read(tmp_path / "patients.csv", rename={"patient": "groups"}))
    page.get_by_text(found.pairs[0].verdict).wait_for()


def test_one_model_says_what_a_comparison_needs(page, bare_address, tables):
    """With one model, or one class alone, the room says why there is nothing to compare."""
    table = upload(page, bare_address, tables / "one_class.csv")
    look(page, bare_address, "models", **table)
    page.get_by_text("A comparison needs two models").wait_for()
    page.get_by_text("Area under the ROC curve: undefined").wait_for()


def test_scores_say_of_which_rows_they_are_and_that_examples_come_again_once(
    page, bare_address, tmp_path
):
    """Repeats of two models: one note, of one model's rows; with a filter the caption says so."""
    rng = np.random.default_rng(4)
    p = np.tile(rng.random(60), 2)
    y = np.tile((rng.random(60) < p[:60]).astype(int), 2)
    data = pb.Predictions.from_arrays(
        np.tile(y, 2),
        np.r_[p, np.clip(p + 0.1, 0, 1)],
        model=["a"] * 120 + ["b"] * 120,
        repeat=np.tile(np.repeat([0, 1], 60), 2),
        row=np.tile(np.arange(60), 4),
        attributes={"age": np.tile(np.arange(120), 2)},
    )
    data.write(tmp_path / "again.csv")
    table = upload(page, bare_address, tmp_path / "again.csv")
    look(page, bare_address, "models", **table)
    scores = page.get_by_role("region", name="Scores").first
    scores.get_by_text("if calibrated:").first.wait_for()
    assert scores.get_by_text(re.compile("120 rows .* 60 examples")).count() == 1
    scores.get_by_text("Of all rows of each model").wait_for()
    chart = page.get_by_role("img").or_(page.get_by_role("application"))
    text = page.get_by_role("region", name="Comparison")
    text.get_by_role("region", name="Differences").first.wait_for()
    assert chart.count()
    assert "Horizontal axis: ," not in page.content()
    assert "axis: Pair" in page.content()
    look(page, bare_address, "models", **table, data='{"where":"age > 40"}')
    page.get_by_text("Of the rows that the filter leaves of each model").wait_for()


# ------------------------------------------------------------------ the matrix


def counts(page, model):
    """Return the cells of a model's matrix."""
    article = page.get_by_role("article", name=model)
    return numbers(article, "data[data-name='cell']")


def settled(page, model, matrix):
    """Wait until a model's cells are those of a matrix."""
    wanted = matrix.counts.ravel().tolist()
    for _ in range(100):
        if counts(page, model) == wanted:
            return
        page.wait_for_timeout(100)
    assert counts(page, model) == wanted


def test_the_matrix_follows_the_shared_threshold(page, loans_address, loans, accessible):
    """Number, slider and the button back: the cells are always those of the library."""
    look(page, loans_address, "matrix")
    part = loans.select(model="careful")
    settled(page, "careful", pb.confusion_matrix(part))
    number = page.get_by_label("Threshold as a number")
    number.fill("0.3")
    number.press("Enter")
    settled(page, "careful", pb.confusion_matrix(part, threshold=0.3))
    page.wait_for_function("() => location.hash.includes('threshold=0.3')")
    slider = page.get_by_role("slider", name="Threshold")
    slider.focus()
    for _ in range(10):
        slider.press("ArrowRight")
    settled(page, "careful", pb.confusion_matrix(part, threshold=0.31))
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 0.31 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in np.linspace(0.31, 0.7, 8):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    page.mouse.up()
    threshold = float(slider.input_value())
    assert threshold > 0.6
    settled(page, "hasty", pb.confusion_matrix(loans.select(model="hasty"), threshold=threshold))
    accessible()
    page.get_by_role("button", name="Use the predicted classes").click()
    settled(page, "careful", pb.confusion_matrix(part))


def test_shares_and_rates_with_their_intervals(page, loans_address, loans):
    """Shares replace counts; the rates have the interval that was asked for."""
    look(page, loans_address, "matrix", threshold=0.4)
    matrix = pb.confusion_matrix(loans.select(model="boastful"), threshold=0.4)
    choose(page.get_by_label("Cells show", exact=True), "Shares of the actual class")
    shares = matrix.normalized("actual").ravel().tolist()
    drawn = page.get_by_role("article", name="boastful")
    drawn.locator(f"table data[value='{shares[0]}']").first.wait_for()
    assert numbers(drawn, "table data") == shares
    rates = page.get_by_role("region", name="Rates; the positive class is yes")
    recall = matrix.rates("recall", interval="wilson").entry("recall")
    assert {recall.value, recall.low, recall.high} <= set(numbers(rates, "data"))
    choose(page.get_by_label("Interval of the rates", exact=True), "Bootstrap, of every rate")
    choose(page.get_by_label("Level of the intervals", exact=True), "90 %")
    f1 = matrix.rates("F1", interval="bootstrap", level=0.9).entry("F1")
    rates.locator(f"data[value='{f1.low}']").wait_for()
    assert f1.high in numbers(rates, "data")


def test_a_cell_lists_its_rows_by_mouse_and_keyboard(page, loans_address, loans):
    """Enter on a cell lists its rows below, arrow keys go to the next; they copy and close."""
    look(page, loans_address, "matrix", threshold=0.3)
    part = loans.select(model="careful")
    matrix = pb.confusion_matrix(part, threshold=0.3)
    settled(page, "careful", matrix)
    article = page.get_by_role("article", name="careful")
    first = article.get_by_role("button", name="Actual no, predicted no")
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    rows = page.get_by_role("region", name="Rows of a cell")
    rows.get_by_text("First 200 shown").wait_for()
    lines = rows.get_by_role("row")
    assert lines.count() == 201
    heads = rows.get_by_role("columnheader").all_inner_texts()
    assert heads[:3] == ["number", "row", "fold"]  # as in the table of cases
    assert not any("," in text for text in rows.locator("td:first-child").all_inner_texts())
    worst = float(part.prob[part.actual == 0, 1].max())
    assert worst == numbers(lines.nth(1), "data")[2]
    article.get_by_role("button", name="Actual yes, predicted no").click()
    rows.get_by_text(f"{matrix.counts[1, 0]:.0f} rows: actual").wait_for()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    rows.get_by_role("button", name="Copy rows").click()
    rows.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(copied) == matrix.counts[1, 0] + 1
    assert copied[0].split("\t")[:3] == ["number", "row", "fold"]
    rows.get_by_role("button", name="Close").click()
    rows.wait_for(state="detached")


def test_a_matrix_of_weights_says_so(page, bare_address, tmp_path):
    """Counts of weighted rows are called weights, with the rows that they are worth."""
    rng = np.random.default_rng(5)
    p = rng.random(120)
    data = pb.Predictions.from_arrays(
        (rng.random(120) < p).astype(int), p, weight=rng.uniform(1, 9, 120)
    )
    data.write(tmp_path / "heavy.csv")
    data = pb.read(tmp_path / "heavy.csv")
    look(page, bare_address, "matrix", **upload(page, bare_address, tmp_path / "heavy.csv"))
    page.get_by_text("counted by their weights").wait_for()
    told = page.get_by_role("article", name="Confusion matrix")
    assert numbers(told, "data[data-name='effective-n']") == [pytest.approx(data.effective_n)]
    page.get_by_text("the effective number of rows in the denominator").wait_for()
    assert offered(page.get_by_label("Cells show"))[0] == "Weights"
    page.get_by_role("button", name="Actual 0, predicted 1").click()
    page.get_by_text(re.compile(r"Weight \d")).wait_for()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_the_fullest_cell_is_legible_while_it_is_computed_anew(
    page, loans_address, accessible, theme
):
    """A cell that is dimmed keeps the contrast of its number, in the light and in the dark."""
    look(page, loans_address, "matrix")
    choose(page.get_by_label("Theme"), theme)
    page.locator(".answer:not(.stale) .cells").first.wait_for()
    page.route("**/ask", lambda route: None)  # an answer that never comes
    number = page.get_by_label("Threshold as a number")
    number.fill("0.3")
    number.press("Enter")
    page.locator(".answer.stale .cells").first.wait_for()
    page.wait_for_timeout(300)  # the dimming takes its time
    accessible(settled=False)


def test_ratings_open_with_a_matrix_at_their_middle(page, bare_address, tmp_path):
    """A table of ratings has no error: the threshold is that of the reading, until it is moved."""
    score = np.random.default_rng(6).normal(size=81).round(3)
    data = pb.Predictions.from_arrays([0, 1, 1] * 27, score=score)
    data.write(tmp_path / "rated.csv")
    data = pb.read(tmp_path / "rated.csv")
    middle = float(np.unique(score)[::-1][(len(np.unique(score)) - 1) // 2])
    look(page, bare_address, "matrix", **upload(page, bare_address, tmp_path / "rated.csv"))
    settled(page, "Confusion matrix", pb.confusion_matrix(data, threshold=middle))
    number = page.get_by_label("Threshold as a number")
    assert float(number.input_value()) == middle
    number.fill("0.5")
    number.press("Enter")
    settled(page, "Confusion matrix", pb.confusion_matrix(data, threshold=0.5))
    page.get_by_role("button", name="Use the middle rating").click()
    settled(page, "Confusion matrix", pb.confusion_matrix(data, threshold=middle))
    assert page.get_by_role("alert").count() == 0


def test_a_hundred_classes_are_usable(page, bare_address, tables):
    """The heat map moves by keys and mouse, confusions list rows, one class has a threshold."""
    data = pb.read(tables / "hundred_classes.csv")
    matrix = pb.confusion_matrix(data)
    table = upload(page, bare_address, tables / "hundred_classes.csv")
    look(page, bare_address, "matrix", **table)
    heat = page.get_by_role("group", name="Heat map of 100 classes")
    heat.focus()
    choose(page.get_by_label("Actual class", exact=True), "class 0")
    choose(page.get_by_label("Predicted class", exact=True), "class 0")
    heat.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    told = page.get_by_text("Actual class 2, predicted class 1:")
    told.wait_for()
    assert numbers(told, "data") == [matrix.counts[2, 1]]
    canvas = heat.locator("canvas")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] * 0.505, "y": box["height"] * 0.505})
    page.get_by_role("heading", name="Actual class 50, predicted class 50").wait_for()
    page.get_by_role("button", name="Rows of class").first.click()
    rows = page.get_by_role("region", name="Rows of a cell")
    rows.get_by_text("The most wrong rows are first").wait_for()
    page.get_by_role("button", name="List its rows").click()
    choose(page.get_by_label("Classes", exact=True), "class 7 against the rest")
    number = page.get_by_label("Threshold as a number")
    number.fill("0.1")
    number.press("Enter")
    settled(page, "Confusion matrix", pb.confusion_matrix(data, target="class 7", threshold=0.1))
    choose(page.get_by_label("Classes", exact=True), "All 100")
    heat.wait_for()


def test_the_heat_map_is_accessible(page, bare_address, tmp_path, accessible):
    """From 25 classes on there is a heat map; axe agrees with it."""
    prob = np.random.default_rng(1).dirichlet(np.ones(25), 60)
    names = [f"class {j}" for j in range(25)]
    drawn = [names[place % 25] for place in range(60)]
    pb.Predictions.from_arrays(drawn, prob, classes=names).write(tmp_path / "many.csv")
    table = upload(page, bare_address, tmp_path / "many.csv")
    look(page, bare_address, "matrix", **table)
    page.get_by_role("group", name="Heat map of 25 classes").wait_for()
    accessible()


def test_text_from_data_stays_text(page, bare_address, tables):
    """Names that look like markup are shown as they are."""
    table = upload(page, bare_address, tables / "hostile.csv")
    look(page, bare_address, "matrix", **table)
    page.get_by_role("button", name="Actual <img src=x onerror=alert(1)>").first.click()
    rows = page.get_by_role("region", name="Rows of a cell")
    rows.get_by_role("columnheader", name='<i onclick="alert(2)">age').wait_for()


def test_narrow_and_dark_without_sideways_scrolling(page, loans_address):
    """At 400 pixels the page of either room is no wider than the window."""
    page.set_viewport_size({"width": 400, "height": 800})
    page.emulate_media(color_scheme="dark")
    for room in ("models", "matrix"):
        look(page, loans_address, room)
        page.locator("data").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_picture_of_the_models(page, loans_address, picture):
    """The room of the models, for the documentation."""
    look(page, loans_address, "models")
    page.get_by_text("above that range").first.wait_for()
    page.get_by_text("is better:").first.wait_for()
    picture("models")


def test_picture_of_the_matrix(page, loans_address, picture):
    """The room of the confusion matrix with the rows of a cell, for the documentation."""
    look(page, loans_address, "matrix", threshold=0.3)
    page.get_by_role("button", name="Actual no, predicted yes").first.click()
    page.get_by_text("The most wrong rows are first").wait_for()
    page.evaluate("window.scrollTo(0, 0)")
    picture("matrix")


def test_an_infinite_score_is_shown_as_such(page, bare_address, tmp_path):
    """A true class of probability 0 makes the log loss infinite: shown, with its reason."""
    p = np.linspace(0, 1, 40)
    happened = (np.arange(40) % 3 == 0).astype(int)
    pb.Predictions.from_arrays(happened, p).write(tmp_path / "sure.csv")
    look(page, bare_address, "models", **upload(page, bare_address, tmp_path / "sure.csv"))
    shown = page.locator("data[data-name='log-loss']").first
    shown.wait_for()
    assert shown.inner_text() == "∞"
    page.get_by_text("the observed class had predicted probability 0").wait_for()


def test_a_class_without_rows_is_remarked(page, bare_address, tmp_path):
    """Averages leave it out, and the room says so below the rates."""
    rng = np.random.default_rng(3)
    prob = np.column_stack([rng.dirichlet(np.ones(2), 60) * 0.9, np.full(60, 0.1)])
    data = pb.Predictions.from_arrays(
        np.array(["a", "b"])[rng.integers(0, 2, 60)], prob, classes=["a", "b", "c"]
    )
    data.write(tmp_path / "absent.csv")
    look(page, bare_address, "matrix", **upload(page, bare_address, tmp_path / "absent.csv"))
    remarks = page.get_by_role("list", name="Remarks on the rates")
    remarks.wait_for()
    assert "1 class ('c')" in remarks.inner_text()


def test_a_matrix_of_ten_classes_is_as_high_as_it_needs(page, bare_address, tmp_path):
    """Nothing of it is hidden below the end of its box: the last class and the sums are there."""
    rng = np.random.default_rng(2)
    prob = rng.dirichlet(np.ones(10), 300)
    data = pb.Predictions.from_arrays(rng.integers(0, 10, 300), prob)
    data.write(tmp_path / "ten.csv")
    look(page, bare_address, "matrix", **upload(page, bare_address, tmp_path / "ten.csv"))
    box = page.locator(".matrix-scroll")
    box.get_by_role("rowheader", name="Sum").wait_for()
    height, room = box.evaluate("box => [box.scrollHeight, box.clientHeight]")
    assert height <= room
