"""What a browser makes of a page, for tests of pages."""

import contextlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """What a browser makes of a page: tags, attributes, texts and tables."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.text = self.visible = ""
        self.folded: list[int] = []
        self.style = self.script = ""
        self.values: list[str] = []
        self.feed(html)
        assert self.open == [], f"not closed: {self.open}"

    @classmethod
    def of(cls, made: Any) -> "Page":
        """Read the page that a report has written, or one of this path."""
        return cls(Path(getattr(made, "path", made)).read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        """Keep the tag."""
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "details" and "open" not in dict(attrs):
            self.folded.append(len(self.open))

    def handle_startendtag(self, tag, attrs):
        """Keep the tag, which has no inside."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Check that the innermost tag is closed."""
        if self.folded and self.folded[-1] == len(self.open):
            self.folded.pop()
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Keep text, style and script apart."""
        kind = self.open[-1] if self.open else ""
        if kind in ("style", "script"):
            setattr(self, kind, getattr(self, kind) + data)
            return
        self.text += data
        summary = self.open[self.folded[0] :][:1] == ["summary"] if self.folded else True
        if summary and len(self.folded) < 2 and kind != "title":
            self.visible += data

    def all(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of every tag of this name."""
        return [attrs for name, attrs in self.tags if name == tag]

    @property
    def numbers(self) -> set[str]:
        """The exact values behind all numbers."""
        return {attrs["value"] for attrs in self.all("data")}

    @property
    def prose(self) -> str:
        """The text with its white space made even."""
        return " ".join(self.text.split())


@contextlib.contextmanager
def undrawn(but: str | None = None) -> Iterator[None]:
    """Leave the pictures of pages undrawn and methods untried, for tests of all else on them.

    This is most of the work of a report; tests/reporting/test_report.py looks at the pictures,
    tests/reporting/test_recalibration.py at the methods. `but`: the room whose pictures are drawn.
    """
    from markupsafe import Markup

    from plumbline.reporting import (
        Gallery,
        contents,
        curve_page,
        curve_pictures,
        decision_picture,
        detail_pictures,
        page,
        recalibration_pictures,
    )

    with pytest.MonkeyPatch.context() as patch:
        blank = Markup('<svg viewBox="0 0 1 1" role="img" aria-label="{}"></svg>')
        draw = Gallery.draw
        patch.setattr(
            Gallery,
            "draw",
            lambda own, figure, label, **more: (
                blank.format(label) if figure is None else draw(own, figure, label, **more)
            ),
        )
        patch.setattr(contents, "QUICK", 0)
        drawing = (
            detail_pictures,
            curve_page,
            curve_pictures,
            decision_picture,
            recalibration_pictures,
            page,
        )
        for module in (room for room in drawing if room.__name__.rpartition(".")[2] != but):
            for name in [name for name in vars(module) if name.endswith("_figure")]:
                patch.setattr(module, name, lambda *_, **__: None)
        yield
