"""Pictures as files, and as SVG that lives inside a page and takes its colours from it."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from plumbline._checks import one_of
from plumbline.atomic_files import write_whole
from plumbline.plots.fonts import find_fonts, warn_of_boxes
from plumbline.plots.style import ROLES, figure_style, fonts_of_the_viewer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# No date and no program in a file: the same result gives the same bytes.
_NAMELESS: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_ROLE_OF = {colour: role for role, colour in ROLES.items()}
_LONG_DECIMAL = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE = re.compile(r"(?<=#)[\w.-]+")
_FONT = re.compile(r"(?:(bold|\d{3}) )?([\d.]+px)")
_INVISIBLE = {"fill: none", "fill:none"}


def save_figure(figure: "Figure", path: str | Path) -> None:
    """Write a picture as PNG, SVG or PDF, by the ending of the name; whole or not at all.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The picture.
    path : str or Path
        Name of the file, ending in .png, .svg or .pdf; replaced where it exists.

    Raises
    ------
    ParameterError
        For another ending.
    InputError
        Where the folder does not exist.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from plumbline.plots.style import new_figure
    >>> with TemporaryDirectory() as folder:
    ...     save_figure(new_figure(1, 1), Path(folder) / "nothing.svg")
    ...     [file.name for file in Path(folder).iterdir()]
    ['nothing.svg']
    """
    path = Path(path)
    ending = path.suffix.lower().removeprefix(".")
    kind = one_of("ending of the path", ending, tuple(_NAMELESS))
    options: dict[str, Any] = {"format": kind, "metadata": _NAMELESS[kind], "facecolor": "white"}
    if kind != "svg":
        warn_of_boxes(find_fonts(figure))
    with figure_style(), fonts_of_the_viewer():
        write_whole(path, lambda part: figure.savefig(part, **options))


def figure_svg(figure: "Figure", *, label: str, prefix: str) -> str:
    """Return a picture as SVG text to put into a page.

    Text stays text, in the page's font. A colour of the style becomes a CSS variable with that
    colour as its fallback, `var(--pl-ink, #1f2429)`, so that the page decides how the picture looks
    in the dark and in print.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The picture.
    label : str
        What a screen reader says.
    prefix : str
        What every id begins with; it must differ between the pictures of a page.

    Returns
    -------
    str
        The SVG text, without a declaration.

    Examples
    --------
    >>> from plumbline.plots.style import new_figure
    >>> figure_svg(new_figure(1, 1), label="nothing", prefix="a")
    '<svg viewBox="0 0 72 72" role="img" aria-label="nothing" stroke-linejoin="round" />'
    """
    buffer = io.BytesIO()
    with figure_style(), fonts_of_the_viewer():
        figure.savefig(buffer, format="svg", transparent=True, metadata=_NAMELESS["svg"])
    root = ET.fromstring(buffer.getvalue())
    view = root.attrib["viewBox"]
    used = {name for element in root.iter() for name in _references(element)}
    _lighten(root, used, prefix)
    # The joints of matplotlib's style sheet, which would rule the whole page.
    root.attrib = {
        "viewBox": view,
        "role": "img",
        "aria-label": label,
        "stroke-linejoin": "round",
    }
    return ET.tostring(root, encoding="unicode")


def _references(element: ET.Element) -> Iterator[str]:
    for name, value in element.attrib.items():
        if name.endswith("href"):
            yield value.removeprefix("#")
        elif "url(#" in value:
            yield from _REFERENCE.findall(value.partition("url(")[2].partition(")")[0])


def _lighten(element: ET.Element, used: set[str], prefix: str) -> None:
    """Drop what a page has no use for, shorten numbers, and put the page's names on the rest."""
    for child in list(element):
        name = child.tag.rpartition("}")[2]
        if name in ("metadata", "style") or child.get("style") in _INVISIBLE:
            element.remove(child)
        else:
            _lighten(child, used, prefix)
            if name in ("g", "defs") and not len(child):
                element.remove(child)
    element.tag = element.tag.rpartition("}")[2]
    if element.tag != "text":
        element.text = None
    element.tail = None
    old = dict(element.attrib)
    element.attrib = {
        key.rpartition("}")[2]: _attribute(key.rpartition("}")[2], value, prefix)
        for key, value in old.items()
        if (key != "id" or value in used) and not value.startswith("rotate(-0 ")
    }


def _attribute(name: str, value: str, prefix: str) -> str:
    if name == "id":
        return f"{prefix}-{value}"
    if name == "href":
        return f"#{prefix}-{value.removeprefix('#')}"
    if name == "style":
        value = "; ".join(_declaration(*part.split(": ", 1)) for part in value.split("; "))
        value = value.strip("; ")
    else:
        value = _LONG_DECIMAL.sub(lambda match: f"{float(match[0]):.2f}", value)
    return " ".join(value.replace("url(#", f"url(#{prefix}-").split())


def _declaration(name: str, value: str = "") -> str:
    """Return a CSS declaration with the page's font and with colours by role."""
    if name == "font-family":
        return ""
    if name == "font":  # "bold 9px 'DejaVu Sans', ..." in older versions of matplotlib
        font = _FONT.match(value)
        return f"font-size: {font[2]}" if font else ""
    role = _ROLE_OF.get(value)
    return f"{name}: var(--pl-{role}, {value})" if role else f"{name}: {value}"
