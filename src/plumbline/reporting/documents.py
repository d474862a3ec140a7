"""Files for people: a report as HTML, PDF or Markdown, and a page of a few results."""

import importlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from plumbline._distribution import installed_version
from plumbline._result import Result, own_and_shared
from plumbline.atomic_files import write_whole
from plumbline.errors import InputError, MissingExtraError
from plumbline.formatting import interval, number, sentence
from plumbline.reporting.contents import Report
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.limits import COUNTED_ROWS
from plumbline.reporting.model_details import sections as request_sections
from plumbline.reporting.page import better, command_of, environment, page, remarks, sections

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BROWSERS = (
    *("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    *("google-chrome-stable", "chrome", "microsoft-edge", "msedge"),
)
PLACES = (  # where macOS and Windows keep a browser that is on no path
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
SECONDS = 120  # that a browser may take to print
SET, USED = re.compile(r"--([\w-]+): ([^;]+);"), re.compile(r"var\(--([\w-]+)[^)]*\)")
MARKS = re.compile(r"([\\`*_{}\[\]<>|#~])")  # what Markdown would read as its own


def document(report: Report, *, command: str | None, detail: str) -> bytes:
    """Return the file of a report, by the ending of its name."""
    ending = Path(report.path).suffix.lower()
    if ending == ".md":
        return markdown(report, command=command).encode("utf-8", "replace")
    text = page(report, command=command, detail=detail)
    # Half a surrogate pair in a title cannot be written as UTF-8, but as a number it can.
    whole = text.encode("utf-8", "xmlcharrefreplace")
    return printed(whole) if ending == ".pdf" else whole


def write_results(
    path: Path, title: str, parts: "Sequence[tuple[str | None, Figure, Result]]"
) -> None:
    """Write a page with the answer, the picture and the tables of every model."""
    gallery = Gallery()
    shown = [
        (name, gallery.draw(figure, f"{title}{f', {name}' if name else ''}"), result.present())
        for name, figure, result in parts
    ]
    own, shared = own_and_shared([name for name, *_ in shown], [one.notes for *_, one in shown])
    page = environment().get_template("results.html")
    text = page.render(
        title=title,
        parts=[(*part, notes) for part, notes in zip(shown, own, strict=True)],
        shared=shared,
        version=installed_version(),
    )
    write_whole(path, lambda part: part.write_text(text, "utf-8"))


def markdown(report: Report, *, command: str | None = None) -> str:
    """Return the front of a report as Markdown, as a pull request shows it."""
    templates = environment().overlay(autoescape=False)
    templates.filters = templates.filters | {  # an overlay shares the filters of the pages
        "plain": plain,
        "code": code,
        "number": number,
        "interval": interval,
        "full_stop": sentence,
        "demoted": lambda text: text.partition("\n")[2].strip(),  # its heading is the section's
    }
    parts = list(sections(report))
    return templates.get_template("report.md").render(
        report=report,
        check=report.check,
        parts=parts,
        better=better(report),
        counted_rows=COUNTED_ROWS if any(part.bounds for part in parts) else "",
        remarks=remarks(parts),
        more_sections=request_sections([part.chapter.closer for part in parts]),
        command=command or command_of(report),
    )


def plain(text: object) -> str:
    r"""Return a text that Markdown shows as it is, on one line.

    >>> plain("a_b | <c>")
    'a\\_b \\| \\<c\\>'
    """
    return MARKS.sub(r"\\\1", " ".join(str(text).split()))


def code(text: str) -> str:
    """Return a text as code in a line; more back-ticks stand around one that holds some.

    >>> code("a"), code("a`b")
    ('`a`', '`` a`b ``')
    """
    one = " ".join(text.split())
    return f"`` {one} ``" if "`" in one else f"`{one}`"


def need_printer() -> str | None:
    """Return the browser that prints PDF, None where WeasyPrint does; raise where neither is."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    found = found or next((place for place in PLACES if Path(place).is_file()), None)
    if found is None and find_spec("weasyprint") is None:
        raise MissingExtraError(
            "a PDF needs WeasyPrint, Chromium or Chrome, and none is here",
            code="missing-package",
            remedy="run: python -m pip install weasyprint",
        )
    return found


def printed(whole: bytes) -> bytes:
    """Return a page as PDF."""
    browser = need_printer()
    if browser is None:
        weasyprint = importlib.import_module("weasyprint")
        text = whole.decode()  # it knows no variables inside pictures, so colours go in
        light = dict(SET.findall(text.partition("@media")[0]))
        text = USED.sub(lambda used: light[used[1]], text)
        made: bytes = weasyprint.HTML(string=text, url_fetcher=_refused).write_pdf()
        return made
    with TemporaryDirectory(prefix="plumbline-") as folder:
        source, target = Path(folder) / "page.html", Path(folder) / "page.pdf"
        source.write_bytes(whole)
        command = [
            *(browser, "--headless", "--disable-gpu", "--no-first-run", "--disable-sync"),
            *("--disable-background-networking", "--disable-component-update"),
            *("--no-pdf-header-footer", f"--user-data-dir={folder}/profile"),
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            *(f"--print-to-pdf={target}", source.as_uri()),
        ]
        try:
            subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise InputError(
                f"{browser} did not print the page ({type(error).__name__})",
                code="not-printed",
                remedy="write a .html file and print it from a browser",
            ) from error


def _refused(url: str) -> dict[str, str]:
    raise ValueError(f"a report asks for nothing from elsewhere: {url}")
