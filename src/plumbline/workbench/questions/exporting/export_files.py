"""A question in, the bytes of a file out."""

import dataclasses
from typing import Any

from plumbline._checks import one_of
from plumbline.errors import InputError
from plumbline.progress import share_of
from plumbline.requests import fields_of
from plumbline.workbench.questions.exporting import result_page as pages
from plumbline.workbench.questions.exporting.artifact import Artifact
from plumbline.workbench.questions.exporting.kinds import EXPORTED, PICTURES, ExportKind
from plumbline.workbench.questions.exporting.picture_bytes import (
    csv_bytes,
    json_bytes,
    one_at_a_time,
    picture_bytes,
)
from plumbline.workbench.questions.exporting.safe_names import slug
from plumbline.workbench.questions.exporting.script import script
from plumbline.workbench.questions.inquiry import Inquiry

MIMES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "csv": "text/csv;charset=utf-8",
    "json": "application/json",
    "html": "text/html;charset=utf-8",
    "py": "text/x-python;charset=utf-8",
}


@dataclasses.dataclass(frozen=True, slots=True)
class File:
    """A file to hand over."""

    filename: str
    mime: str
    bytes: bytes


def within(inquiry: Inquiry, fields: Any, *, share: tuple[float, float] = (0.0, 1.0)) -> Inquiry:
    """Return the inquiry of a question that another question holds."""
    fields_of(fields, {}, "exported question")
    bar = share_of(inquiry.progress, *share)
    return dataclasses.replace(inquiry, fields=fields, progress=bar)


def kind_of(inquiry: Inquiry) -> ExportKind:
    """Return how the kind of a question becomes files."""
    return EXPORTED[one_of("kind", inquiry.fields.get("kind"), EXPORTED)]


def file_of(inquiry: Inquiry, form: Any, *, title: str) -> File:
    """Return a question as a file of some form."""
    kind = kind_of(inquiry)
    one_of("format", form, kind.formats)
    inquiry.need_rows()
    artifact = kind.make(inquiry)
    name = slug(title, inquiry.kind)
    return File(f"{name}.{form}", MIMES[form], _bytes(inquiry, artifact, form, title))


def _bytes(inquiry: Inquiry, artifact: Artifact, form: str, title: str) -> bytes:
    if form in PICTURES:
        if artifact.figure is None:
            raise InputError(
                "there is nothing to draw here; export the numbers as CSV",
                code="nothing-to-draw",
            )
        with one_at_a_time():
            return picture_bytes(artifact.figure(), form)
    if form == "csv":
        return csv_bytes(artifact.rows())
    if form == "json":
        return json_bytes(artifact.json())
    if form == "html":
        return _page(inquiry, artifact, title).encode("utf-8", "xmlcharrefreplace")
    assert artifact.code is not None  # such a kind has code  # noqa: S101
    return script(inquiry, artifact.code, title=title, filtered=artifact.filtered).encode()


def _page(inquiry: Inquiry, artifact: Artifact, title: str) -> str:
    pictures = pages.gallery()
    if artifact.page is not None:
        with one_at_a_time():
            return artifact.page(slug(title, "curve"))
    return pages.page(
        inquiry, [pages.card_of(inquiry, artifact, pictures, title=title)], title=title
    )
