"""Fonts for letters that matplotlib's own font lacks: what is installed, else a note in words."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.errors import PlumblineWarning, warn
from plumbline.formatting import quoted

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

FEW = 3  # names in the note
BOXES = "Last Resort"  # begins the name of fonts that have a box for every letter
BLANK = "\n\t\r"  # what no font has to draw


class MissingLettersWarning(PlumblineWarning):
    """No installed font has some letters of a picture, which shows boxes in their place."""


def find_fonts(figure: "Figure") -> list[str]:
    """Give the texts of a picture the installed fonts that have their letters.

    Returns the words with letters that no installed font has.
    """
    texts = _texts(figure)
    wanted = {letter for text, _ in texts for letter in text if letter not in BLANK}
    lacking = {letter for letter in wanted if not letter.isascii() and not _own_font_has(letter)}
    if not lacking:
        return []
    families: list[str] = []
    for family, path in installed():
        found = {letter for letter in lacking if _has(path, letter)}
        if found:
            families.append(family)
            lacking -= found
        if not lacking:
            break
    if families:
        for _, artist in texts:
            usual = [one for one in artist.get_fontfamily() if one not in families]
            artist.set_fontfamily([*usual, *families])
    words = (word.strip("'\":,.()…") for text, _ in texts for word in text.split())
    return list(dict.fromkeys(word for word in words if lacking.intersection(word)))


def warn_of_boxes(words: Sequence[str]) -> None:
    """Say in which words letters are drawn as boxes."""
    if words:
        more = f" and {len(words) - FEW} more" if len(words) > FEW else ""
        warn(
            f"no installed font has all letters of {', '.join(map(quoted, words[:FEW]))}{more}, so "
            "the picture shows boxes in their place",
            code="letters-without-font",
            remedy="install a font that has them, such as Noto Sans CJK, or write the picture as "
            ".svg, which is shown with the fonts of the viewer",
            category=MissingLettersWarning,
        )


def _texts(figure: "Figure") -> "list[tuple[str, Text]]":
    """Return every text of the picture; ticks have theirs only when they are asked for."""
    from matplotlib.text import Text

    for ax in figure.axes:
        ax.get_xticklabels(), ax.get_yticklabels()
    return [(one.get_text(), one) for one in figure.findobj(Text) if one.get_text()]


@lru_cache(maxsize=1)
def installed() -> list[tuple[str, str]]:
    """Return families and files of the installed fonts, plain upright ones of sans serif first."""
    from matplotlib.font_manager import fontManager

    files: dict[str, tuple[Any, str]] = {}
    for font in fontManager.ttflist:
        if font.name.startswith(BOXES):
            continue
        plain = font.style == "normal" and font.weight in (400, "normal", "regular")
        order = (not plain, "sans" not in font.name.lower(), font.name)
        if font.name not in files or order < files[font.name][0]:
            files[font.name] = (order, font.fname)
    return [(name, file) for name, (_, file) in sorted(files.items(), key=lambda one: one[1][0])]


@lru_cache(maxsize=1)
def _own_file() -> str:
    from matplotlib.font_manager import findfont

    return str(findfont("DejaVu Sans"))


def _own_font_has(letter: str) -> bool:
    return _has(_own_file(), letter)


@lru_cache(maxsize=4096)
def _has(path: str, letter: str) -> bool:
    """Tell whether a font has a letter; False for a font that matplotlib cannot draw with."""
    from matplotlib.font_manager import get_font

    if not Path(path).exists():
        return False
    try:
        return bool(get_font(path).get_char_index(ord(letter)))
    except RuntimeError:  # such as colour fonts, which hold pictures instead of outlines
        return False
