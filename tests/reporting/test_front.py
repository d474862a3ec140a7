"""What a report shows before anything is unfolded, its variants, and its other files."""

import html
import re
import sys
import textwrap
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

import plumbline as pb
import snapshots
from html_pages import Page, undrawn
from laws import law
from plumbline._distribution import installed_version
from plumbline.formatting import number
from plumbline.reporting import documents, gallery, report
from plumbline.reporting.documents import markdown
from plumbline.reporting.page import page
from refusals import refused

SNAPSHOTS = Path(__file__).with_name("snapshots")
MODELS = ("one", "two", "three")
SHORT = {"resamples": 19, "recalibrate": "none"}


def counted(n=300) -> pb.Predictions:
    """Return predictions whose rows were counted, as those of a large file, five a level."""
    rng = np.random.default_rng(5)
    p = np.repeat(rng.uniform(size=n // 5), 5) + 1e-8 * rng.uniform(size=n)
    hit = rng.uniform(size=n) < p**2
    return pb.read(pa.table({"actual": hit.astype(np.int8), "p:1": p}).to_reader())


def table(models=MODELS, n=120, **others) -> pb.Predictions:
    """Return the predictions of some models of the same rows, each more extreme than the last."""
    rng = np.random.default_rng(4)
    p = rng.uniform(0.05, 0.95, n)
    actual = np.where(rng.uniform(size=n) < p, "yes", "no")
    powers = 1 + np.arange(len(models))
    prob = np.concatenate([p**k / (p**k + (1 - p) ** k) for k in powers])
    return pb.Predictions.from_arrays(
        np.tile(actual, len(models)),
        prob,
        classes=["no", "yes"],
        model=np.repeat(models, n),
        row=np.tile(np.arange(n), len(models)),
        attributes={"site": np.resize(["north", "south"], n * len(models))},
        **others,
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return what makes reports of so many models, each once, and draws their pictures or not."""
    folder = tmp_path_factory.mktemp("made")

    @cache
    def of(k, *, drawn=False):
        path = folder / f"{k}-{drawn}.html"
        more = {"file": "'r&d.csv'", "resamples": 19, "recalibrate": "temperature"}
        with nullcontext() if drawn else undrawn():
            return report(table(MODELS[:k]), path, **more)

    return of


def words(text: str) -> int:
    """Return how many words a text has, numbers included."""
    return len(re.findall(r"\S*\w\S*", text))


@law(("k", "most"), [(1, 1200), (3, 2000)], number=1)
def test_a_page_shows_few_words_until_it_is_unfolded(made, k, most):
    """The evidence is folded: at most so many words are seen, those in pictures included."""
    page = Page.of(made(k, drawn=True))
    assert words(page.visible) <= most
    assert words(page.text) > 2 * words(page.visible)


def test_every_model_has_a_card_with_its_numbers(made):
    """Badge, diagram, log loss, Brier score, AUC with interval, ECE beside the expected one."""
    page = Page.of(made(3))
    cards = re.findall(r"<article.*?</article>", page.html, flags=re.DOTALL)
    for chapter, html_card in zip(made(3).chapters, cards, strict=True):
        card = re.sub("</?span[^>]*>", "", html_card)
        error = chapter.scores.calibration[0]
        numbers = [row.value for row in chapter.scores.scores if row.name != "accuracy"]
        numbers += [chapter.curves.auc, *chapter.curves.auc_range, error.value, error.null_mean]
        assert re.findall(r'<data value="([^"]+)">', card) == [str(value) for value in numbers]
        assert [number(value) for value in numbers] == re.findall(r'">([^<]+)</data>', card)
        assert card.count("<svg") == 1
        step = chapter.present().next_step
        assert f"{step.request} 'r&d.csv'" in html.unescape(card)
        assert (f"--models {chapter.model}" in card) is step.per_model
        assert step.text in html.unescape(card)


def test_what_decides_stands_before_the_evidence(made):
    """First the answers, in this order; then the evidence, the glossary and the settings."""
    places = [one.get("id") for one in Page.of(made(3)).all("section")]
    assert places == ["comparison", "groups", "decision", "recalibration", "evidence"]
    folded = [one["id"] for one in Page.of(made(3)).all("details") if "id" in one]
    assert folded[0] == "verdict"
    assert folded[-2:] == ["glossary", "settings"]


def test_full_unfolds_and_a_summary_leaves_out(tmp_path):
    """`detail` changes what is shown, not what is measured."""
    results = {}
    with undrawn():
        for detail in ("normal", "full", "summary"):
            path = tmp_path / "page.html"
            result = report(table(MODELS[:2]), path, detail=detail, **SHORT)
            results[detail] = result.to_dict(), Page.of(result)
        with refused(pb.ParameterError, "unknown-name"):
            report(table(), tmp_path / "page.html", detail="short", **SHORT)
    pages = {name: page for name, (_, page) in results.items()}
    assert results["normal"][0] == results["full"][0] == results["summary"][0]
    assert all("open" in one for one in pages["full"].all("details"))
    assert not any("open" in one for one in pages["normal"].all("details"))
    assert len(pages["summary"].all("section")) == 1
    assert "--summary" in pages["summary"].prose
    assert "detail='full'" in pages["full"].prose


@law("k", [6, 7, 13], number=2)
def test_a_summary_of_many_models_stays_one_sheet(tmp_path, k):
    """Six models have a card each; of more the best have one, below a table sorted by the score."""
    names = [f"model {place}" for place in range(k)]
    with undrawn():
        result = report(table(names), tmp_path / "page.html", detail="summary", **SHORT)
    page = Page.of(result)
    cards = re.findall(r'<h2 id="card-\d+">([^<]+)<', page.html)
    rows = re.findall(r'<tr><th scope="row">([^<]+)<', page.html)
    brier = {one.model: one.scores[1].value for one in result.evaluation.models}
    best = sorted(names, key=brier.__getitem__)
    assert cards == (names if k == 6 else best[:3])
    assert rows == ([] if k == 6 else best[:12])


def test_every_picture_has_a_name_and_hands_out_its_numbers(made):
    """Each has a title and a description; the button beside it holds the rows of the result."""
    page = Page.of(made(1, drawn=True))
    pictures = [one for one in page.all("svg") if one.get("role") == "img"]
    buttons = [one for one in page.all("button") if one["class"] == "copy"]
    assert len(pictures) == len(buttons) == page.html.count("</title>") - 1
    (first, *_) = buttons
    lines = [line.split("\t") for line in first["data-rows"].split("\n")]
    bins = made(1, drawn=True).chapters[0].diagrams[0].curve.rows()
    assert len(lines) == len(bins) + 1
    column = lines[0].index("outcome_share")
    shares = [float(line[column]) for line in lines[1:]]
    assert shares == pytest.approx([row["outcome_share"] for row in bins], rel=1e-5)


def test_of_very_many_points_every_nth_is_handed_out():
    """The button says so, and the table stays small."""
    rows = [{"x": place} for place in range(2500)]
    drawn = gallery.Gallery()
    from plumbline.plots.style import new_figure

    picture = drawn.draw(new_figure(1, 1), "a", rows=rows)
    assert "1 in 3 of 2,500 rows" in picture
    assert len(re.search(r'data-rows="([^"]*)"', picture)[1].split("\n")) == 1 + 834


def test_markdown_is_a_table_a_model_with_its_verdict(tmp_path):
    """Every row of every table has the cells of its head, and names cannot break it."""
    names = ("a|b", "<i>c</i>", "d_e*")
    result = report(table(names), tmp_path / "page.md", **SHORT)
    text = (tmp_path / "page.md").read_text("utf-8")
    cells = [re.split(r"(?<!\\)\|", line) for line in text.splitlines() if line.startswith("|")]
    assert {len(line) for line in cells} == {len(cells[0]), 7}
    for name, chapter in zip(names, result.chapters, strict=True):
        row = next(line for line in cells if line[1].strip() == documents.plain(name))
        assert row[3].strip() == number(chapter.scores.scores[0].value)
        assert documents.plain(chapter.present().summary) in text
    assert "<i>" not in re.sub(r"`[^`]*`", "", text)
    heads = [line for line in text.splitlines() if line.startswith("#")]
    assert [line.partition(" ")[0] for line in heads] == ["#"] + ["##"] * (len(heads) - 1)
    assert not [line for line in text.splitlines() if "{%" in line or "{{" in line]


def test_markdown_of_labels_alone_has_what_they_allow(tmp_path):
    """Missing numbers are dashes."""
    data = pb.Predictions.from_arrays(list("nyyn"), predicted=list("nynn"), classes=["n", "y"])
    report(data, tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text("utf-8")
    assert "| 0.75 |" in text
    assert "nan" not in text


def test_without_a_printer_a_pdf_names_what_installs_one(tmp_path, monkeypatch):
    """It is refused before the work, and no file is left."""
    monkeypatch.setattr(documents.shutil, "which", lambda name: None)
    monkeypatch.setattr(documents, "PLACES", ())
    monkeypatch.setattr(documents, "find_spec", lambda name: None)
    steps = []
    with pytest.raises(pb.MissingExtraError, match=r"python -m pip install weasyprint$"):
        report(table(), tmp_path / "page.pdf", progress=lambda *step: steps.append(step), **SHORT)
    assert steps == []
    assert list(tmp_path.iterdir()) == []


def test_a_browser_that_fails_is_named_and_leaves_nothing(tmp_path, monkeypatch):
    """The older file stays."""
    monkeypatch.setattr(documents.shutil, "which", lambda name: "/bin/false")
    (tmp_path / "page.pdf").write_text("old")
    with undrawn(), pytest.raises(pb.InputError, match="/bin/false"):
        report(table(MODELS[:1]), tmp_path / "page.pdf", **SHORT)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("page.pdf", "old")]


def test_weasyprint_prints_where_no_browser_is(tmp_path, monkeypatch):
    """It gets the light colours in place of variables, and may fetch nothing."""
    given = {}

    class HTML:
        def __init__(self, *, string, url_fetcher):
            given.update(string=string, fetch=url_fetcher)

        def write_pdf(self):
            return b"%PDF"

    monkeypatch.setitem(sys.modules, "weasyprint", SimpleNamespace(HTML=HTML))
    monkeypatch.setattr(documents, "need_printer", lambda: None)
    with undrawn(but="page"):
        report(table(MODELS[:1]), tmp_path / "page.pdf", **SHORT)
    assert (tmp_path / "page.pdf").read_bytes() == b"%PDF"
    assert "var(" not in given["string"]
    assert "fill: #0072b2" in given["string"]
    with pytest.raises(ValueError, match="elsewhere"):
        given["fetch"]("https://example.org")


CELL, BLOCK = "\x1f", "\x1e"
CELLS = re.compile(r"(?=<(?:td|th|dd|svg)\b)")
BLOCKS = re.compile(
    r"(?=</?(?:p|h\d|a|li|tr|div|dl|pre|text|title|nav|table|caption|summary|figcaption)\b|<dt\b)"
)


def with_breaks(text: str) -> str:
    """Return a page whose blocks, cells and commands are told apart in its text."""
    text = re.sub(r"<code>(?=plumbline[ .])(.*?)</code>", rf"{BLOCK}\1{BLOCK}", text, flags=re.S)
    return BLOCKS.sub(BLOCK, CELLS.sub(CELL, text))


def in_lines(text: str) -> list[str]:
    """Return the paragraphs of a page, lines of cells, and commands, which are not wrapped."""
    lines: list[str] = []
    for block in text.split(BLOCK):
        cells = [" ".join(cell.split()) for cell in block.split(CELL)]
        line = "  ".join(cell for cell in cells if cell)
        if line.startswith("plumbline"):
            lines += [f"  {line}"]
        elif len(cells) > 1:
            lines += [line] if line else []
        elif line:
            lines += [" ", *textwrap.wrap(line, 110)]
    return lines


def lines_of_markdown(text: str) -> list[str]:
    """Return the lines of a file, the cells of its tables apart."""
    return [re.sub(r" *\| *", "  |  ", line) or " " for line in text.splitlines()]


SNAPPED = {"1_models": lambda: table(MODELS[:1]), "3_models": table, "counted": counted}


@pytest.mark.parametrize("name", SNAPPED)
def test_the_report_says_what_its_snapshot_holds(tmp_path, name):
    """As it is opened, unfolded, as a summary and as Markdown: one model, three, counted rows."""
    params = {"file": "demo.csv", "resamples": 19, "recalibrate": "temperature"}
    with undrawn():
        result = report(SNAPPED[name](), tmp_path / "report.html", **params)
        pages = {
            detail: Page(with_breaks(page(result, detail=detail)))
            for detail in ("normal", "summary", "full")
        }
        words = {detail: in_lines(one.visible) for detail, one in pages.items()}
        words["Markdown"] = lines_of_markdown(markdown(result))
    named = {
        title: [line.replace(installed_version(), "VERSION") for line in lines]
        for title, lines in words.items()
    }
    snapshots.same_words(SNAPSHOTS / f"{name}.txt", named)
