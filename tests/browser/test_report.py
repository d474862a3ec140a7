"""The page of a report in a browser: its first screen, dark and narrow, printed, its buttons."""

import re

import numpy as np
import pytest

import plumbline as pb
from plumbline.reporting import documents

MODELS = ("plain", "bold", "bolder", "boldest", "meek", "meeker")


def table(k: int) -> pb.Predictions:
    """Return the predictions of k models, with an attribute."""
    rng = np.random.default_rng(4)
    p = rng.uniform(0.02, 0.98, 300)
    actual = np.where(rng.uniform(size=300) < p, "yes", "no")
    powers = (1, 2, 3, 4, 0.6, 0.4)[:k]
    prob = np.concatenate([p**power / (p**power + (1 - p) ** power) for power in powers])
    return pb.Predictions.from_arrays(
        np.tile(actual, k),
        prob,
        classes=["no", "yes"],
        model=np.repeat(MODELS[:k], 300),
        row=np.tile(np.arange(300), k),
        attributes={"site": np.resize(["north", "south", "west"], 300 * k)},
    )


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Return the pages of one and of three models."""
    folder = tmp_path_factory.mktemp("reports")
    paths = {}
    for k in (1, 3):
        paths[k] = folder / f"{k}.html"
        pb.report(table(k), paths[k], resamples=99, recalibrate="temperature")
    return paths


@pytest.fixture
def opened(chromium):
    """Open a page from its file, in a window of this size; a request or an error fails the test."""
    contexts, wrong = [], []

    def open_page(path, width=1280, height=800, **others):
        context = chromium.new_context(viewport={"width": width, "height": height}, **others)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: r.url == path.as_uri() or wrong.append(r.url))
        page.on("console", lambda m: wrong.append(m.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize("k", [1, 3])
def test_the_first_screen_holds_every_verdict(pages, opened, k):
    """At 1280 x 800 badge, diagram, four numbers and next step of every card need no scrolling."""
    page = opened(pages[k])
    assert page.locator(".card").count() == k
    for part in (".badge", ".diagram svg", ".numbers", ".next"):
        parts = page.locator(f".card {part}").all()
        assert len(parts) == k
        for one in parts:
            box = one.bounding_box()
            assert box["height"] > 0
            assert box["y"] + box["height"] <= 800, part
    assert page.locator(".card").first.locator(".numbers dd").count() == 4


@pytest.mark.parametrize(("k", "most"), [(1, 1200), (3, 2000)])
def test_few_words_are_seen(pages, opened, k, most):
    """Words in pictures count; all of them can be unfolded."""
    page = opened(pages[k])
    seen = len(re.findall(r"\S*\w\S*", page.inner_text("body")))
    assert 200 < seen <= most


@pytest.mark.parametrize("look", [{}, {"color_scheme": "dark"}, {"width": 390, "height": 844}])
def test_nothing_is_cut_and_axe_finds_nothing(pages, opened, look):
    """Light, dark and on a telephone, folded and unfolded."""
    from axe_playwright_python.sync_playwright import Axe

    page = opened(pages[3], **look)
    for _ in range(2):
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["target"]) for one in found] == []
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


def test_a_button_copies_the_numbers_of_its_picture(pages, opened):
    """The bins of the first diagram, as a table."""
    page = opened(pages[1], permissions=["clipboard-read", "clipboard-write"])
    button = page.locator("button.copy").first
    button.click()
    page.get_by_role("button", name="Copied").or_(page.get_by_text("Copied")).first.wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == button.get_attribute("data-rows")
    assert text.splitlines()[0].split("\t")[:3] == ["class", "lo", "hi"]


@pytest.mark.parametrize("k", [1, 3, 6])
def test_a_summary_prints_on_one_page(tmp_path, k):
    """The PDF of a summary is one sheet of A4; that of a report several."""
    path = tmp_path / "summary.pdf"
    pb.report(table(k), path, detail="summary", resamples=19, recalibrate="none")
    whole = path.read_bytes()
    assert whole.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", whole)) == 1
    (box,) = set(re.findall(rb"/MediaBox\s*\[([^\]]+)\]", whole))
    assert [round(float(side)) for side in box.split()] == pytest.approx([0, 0, 595, 842], abs=1)


def test_a_full_report_prints_on_several_pages(pages):
    """Chapters begin on pages of their own."""
    whole = documents.printed(pages[1].read_bytes().replace(b"<details", b"<details open"))
    assert len(re.findall(rb"/Type\s*/Page\b", whole)) > 5
