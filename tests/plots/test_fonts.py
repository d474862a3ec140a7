"""Letters of many scripts in pictures: an installed font that has them, else one note in words."""

import warnings

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from matplotlib import font_manager
from matplotlib.text import Text

import plumbline as pb
from laws import law
from plumbline import ParameterError, Predictions, plots
from plumbline.plots import fonts, save_figure
from refusals import warned

NAMES = [
    "猫",
    "犬",
    "고양이",
    "قطة",
    "חתול",
    "แมว",
    "बिल्ली",
    "🙂 cat",
    "Müller",
    "ñandú",
    "γάτα",
    "кот",
]
PLAIN = ["Müller", "ñandú", "γάτα", "кот"]  # matplotlib's own font has them


def table(names, rng):
    """Return rows of these classes."""
    prob = rng.dirichlet(np.ones(len(names)), 120)
    actual = [rng.choice(len(names), p=row) for row in prob]
    return Predictions.from_arrays(np.array(names)[actual], prob, classes=list(names))


def figures(data):
    """Return pictures that show the names of classes, by name."""
    name = data.classes[0]
    curve = pb.reliability_curve(data, view=f"one-vs-rest:{name}", resamples=9)
    return {
        "confusion": pb.confusion_matrix(data).figure(),
        "reliability": curve.figure(),
        "confusions": plots.confusions_figure([pb.confusion_matrix(data)] * 2),
    }


@pytest.fixture
def cat_font(tmp_path):
    """Install, for matplotlib alone, a font that has one letter: 猫."""
    pen = TTGlyphPen(None)
    for place in [(0, 0), (0, 700), (700, 700), (700, 0)]:
        (pen.moveTo if place == (0, 0) else pen.lineTo)(place)
    pen.closePath()
    built = FontBuilder(1000, isTTF=True)
    built.setupGlyphOrder([".notdef", "cat"])
    built.setupCharacterMap({ord("猫"): "cat"})
    built.setupGlyf({".notdef": pen.glyph(), "cat": pen.glyph()})
    built.setupHorizontalMetrics({".notdef": (800, 0), "cat": (800, 0)})
    built.setupHorizontalHeader(ascent=800, descent=-200)
    built.setupNameTable({"familyName": "Cats", "styleName": "Regular"})
    built.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    built.setupPost()
    path = tmp_path / "cats.ttf"
    built.save(path)
    before = list(font_manager.fontManager.ttflist)
    font_manager.fontManager.addfont(path)
    fonts.installed.cache_clear()
    yield "Cats"
    font_manager.fontManager.ttflist[:] = before
    fonts.installed.cache_clear()


@pytest.fixture
def no_font(monkeypatch):
    """Let there be no font but matplotlib's own."""
    monkeypatch.setattr(fonts, "installed", list)


@pytest.mark.parametrize("ending", ["png", "pdf", "svg"])
def test_accents_and_alphabets_of_our_own_font_give_no_warning(ending, rng, tmp_path):
    """Latin, Greek and Cyrillic names are drawn without a word."""
    for name, figure in figures(table(PLAIN, rng)).items():
        save_figure(figure, tmp_path / f"{name}.{ending}")


@pytest.mark.usefixtures("no_font")
@law("ending", ["pdf", "png"], number=1)
def test_missing_letters_are_named_once_in_plain_words(ending, rng, tmp_path):
    """No warning of matplotlib, and one of ours a picture, which names the words."""
    for name, figure in figures(table(NAMES, rng)).items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            save_figure(figure, tmp_path / f"{name}.{ending}")
        assert [one.message.code for one in caught] == ["letters-without-font"]
        assert "Glyph" not in str(caught[0].message)
        assert caught[0].filename == __file__


@pytest.mark.usefixtures("no_font")
def test_a_vector_picture_of_text_needs_no_font(rng, tmp_path):
    """SVG keeps the text, which the viewer draws, so there is nothing to warn of."""
    for name, figure in figures(table(NAMES, rng)).items():
        save_figure(figure, tmp_path / f"{name}.svg")
        assert NAMES[0] in (tmp_path / f"{name}.svg").read_text("utf-8")


@pytest.mark.usefixtures("no_font")
def test_who_saves_a_figure_without_us_is_told_too(rng, tmp_path):
    """A figure that is saved by matplotlib's own function names what it lacks."""
    figure = pb.confusion_matrix(table(NAMES, rng)).figure()
    with warned("letters-without-font", "猫"):
        figure.savefig(tmp_path / "own.png")


def test_an_installed_font_that_has_the_letters_is_used(cat_font, rng, tmp_path):
    """No note, and the texts name the font behind their own."""
    figure = pb.confusion_matrix(table(["猫", "cat"], rng)).figure()
    save_figure(figure, tmp_path / "cats.png")
    texts = [text for text in figure.findobj(Text) if "猫" in text.get_text()]
    assert texts
    assert all(text.get_fontfamily()[-1] == cat_font for text in texts)


def test_a_font_of_boxes_is_no_font():
    """The fonts that are looked through hold none that has a box for every letter."""
    assert not [name for name, _ in fonts.installed() if "Last Resort" in name]


def test_a_picture_of_no_kind_is_refused_before_letters_are_looked_for(rng, tmp_path):
    """A wrong ending is the first that is told."""
    figure = pb.confusion_matrix(table(NAMES, rng)).figure()
    with pytest.raises(ParameterError):
        save_figure(figure, tmp_path / "cats.jpg")
