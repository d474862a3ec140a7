"""A question in, the bytes of a file out."""

import dataclasses
import math
from typing import Any

from plumbline._checks import one_of
from plumbline.errors import InputError, ParameterError
from plumbline.progress import share_of
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
from plumbline.workbench.questions.exporting.script import GuardedNumber, guarding, script
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.params import Params

DIGITS = 4  # of a bound that is proposed
MIMES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "csv": "text/csv;charset=utf-8",
    "json": "application/json",
    "html": "text/html;charset=utf-8",
    "py": "text/x-python;charset=utf-8",
    "pytest": "text/x-python;charset=utf-8",
}


@dataclasses.dataclass(frozen=True, slots=True)
class File:
    """A file to hand over."""

    filename: str
    mime: str
    bytes: bytes


def within(inquiry: Inquiry, fields: Any, *, share: tuple[float, float] = (0.0, 1.0)) -> Inquiry:
    """Return the inquiry of a question that another question holds."""
    bar = share_of(inquiry.progress, *share)
    return dataclasses.replace(inquiry, params=Params(fields, "exported question"), progress=bar)


def kind_of(inquiry: Inquiry) -> ExportKind:
    """Return how the kind of a question becomes files."""
    return EXPORTED[one_of("kind", inquiry.params.needed_text("kind"), EXPORTED)]


def file_of(inquiry: Inquiry, form: str, *, title: str, params: Params) -> File:
    """Return a question as a file of some form; `asked` is what was asked about the file."""
    kind = kind_of(inquiry)
    one_of("format", form, kind.formats)
    artifact = kind.make(inquiry)
    name = slug(title, str(inquiry.params.fields["kind"]))
    ending = "py" if form == "pytest" else form
    filename = f"test_{name.replace('-', '_')}.py" if form == "pytest" else f"{name}.{ending}"
    return File(filename, MIMES[form], _bytes(inquiry, artifact, form, title, params))


def _bytes(inquiry: Inquiry, artifact: Artifact, form: str, title: str, params: Params) -> bytes:
    if form in PICTURES:
        if artifact.figure is None:
            raise InputError("there is nothing to draw here; the numbers can be had as CSV")
        with one_at_a_time():
            return picture_bytes(artifact.figure(), form)
    if form == "csv":
        return csv_bytes(artifact.rows())
    if form == "json":
        return json_bytes(artifact.json())
    if form == "html":
        return _page(inquiry, artifact, title).encode("utf-8", "xmlcharrefreplace")
    assert artifact.code is not None  # such a kind has code  # noqa: S101
    if form == "py":
        return script(inquiry, artifact.code, title=title, filtered=artifact.filtered).encode()
    return guarding(
        inquiry,
        artifact.code,
        bounded(guard_of(artifact), params),
        title=title,
        sha=pages.fingerprint(inquiry),
        filtered=artifact.filtered,
    ).encode()


def _page(inquiry: Inquiry, artifact: Artifact, title: str) -> str:
    pictures = pages.gallery()
    if artifact.page is not None:
        with one_at_a_time():
            return artifact.page(slug(title, "curve"))
    return pages.page(
        inquiry, [pages.card_of(inquiry, artifact, pictures, title=title)], title=title
    )


def guard_of(artifact: Artifact) -> GuardedNumber:
    """Return the number worth guarding; raises InputError where it is undefined."""
    if artifact.guard is None:
        raise InputError("there is no number to guard here")
    guard = artifact.guard()
    if not math.isfinite(guard.value):
        raise InputError(f"{guard.what} is undefined on these rows, so there is nothing to guard")
    return dataclasses.replace(guard, bound=_rounded(guard))


def _rounded(guard: GuardedNumber) -> float:
    """Return the proposed bound with four digits that matter, rounded to the side that passes.

    >>> _rounded(GuardedNumber("AUC", 0.75, "at least", 0.7274985, ""))
    0.7274
    """
    if guard.bound == 0 or not math.isfinite(guard.bound):
        return guard.bound
    step = 10.0 ** (math.floor(math.log10(abs(guard.bound))) - DIGITS + 1)
    to_side = math.floor if guard.holds == "at least" else math.ceil
    if guard.bound == float(f"{guard.bound:.{DIGITS}g}"):
        return guard.bound
    return float(f"{to_side(guard.bound / step) * step:.{DIGITS}g}")


def bounded(guard: GuardedNumber, params: Params) -> GuardedNumber:
    """Return a guard with the bound that the reader chose, which must let these rows pass."""
    bound = params.number("bound", guard.bound)
    assert bound is not None  # it has a default  # noqa: S101
    if not math.isfinite(bound):
        raise ParameterError(f"`bound` must be finite, or the test would never fail, got {bound}")
    good = bound <= guard.value if guard.holds == "at least" else bound >= guard.value
    if not good:
        raise ParameterError(
            f"`bound` must let these rows pass: {guard.what} is {guard.value:.6g} and must be "
            f"{guard.holds} it, got {bound:.6g}"
        )
    return dataclasses.replace(guard, bound=float(bound))
