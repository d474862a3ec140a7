"""A page of a few results: their answers, pictures and tables in one HTML file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plumbline._distribution import installed_version
from plumbline._result import Result
from plumbline.atomic_files import write_whole
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.page import environment

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_results(
    path: Path, title: str, parts: "Sequence[tuple[str | None, Figure, Result]]"
) -> None:
    """Write a page with the answer, the picture and the tables of every model."""
    gallery = Gallery()
    shown = [
        (name, gallery.draw(figure, f"{title}{f', {name}' if name else ''}"), result.present())
        for name, figure, result in parts
    ]
    page = (
        environment()
        .get_template("results.html")
        .render(title=title, parts=shown, version=installed_version())
    )
    write_whole(path, lambda part: part.write_text(page, "utf-8"))
