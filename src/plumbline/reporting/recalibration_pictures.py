"""The pictures of what recalibration does: the methods side by side, the rows before and after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.advisor import MethodAdvice
from plumbline.plots.recalibration import before_after_figure, methods_figure
from plumbline.recalibration import METHODS, NONE
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.recalibration_chapter import RecalibrationChapter

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class RecalibrationPictures:
    """The pictures of one model, and its methods that were tried and that were not, by reason.

    Attributes
    ----------
    methods : differences of log loss; None where one method or none was tried
    before_after : reliability diagrams, of ratings the one after; None where nothing changed
    tried : the methods that were tried, best first
    left_out : reason -> names of the methods that were not tried for it
    method_text : the method that recalibrated the rows, as a sentence names it; "" where none was
    untested : reason -> numbers before and after that have no test for it
    """

    methods: "Markup | None"
    before_after: "Markup | None"
    tried: Sequence[MethodAdvice]
    left_out: dict[str, list[str]]
    method_text: str
    untested: dict[str, list[str]]


def recalibration_pictures(
    gallery: Gallery, name: str, chapter: RecalibrationChapter
) -> RecalibrationPictures:
    """Draw what recalibration does to the model of this name."""
    rows = () if chapter.advice is None else chapter.advice.methods
    tried = [row for row in rows if row.reason is None]
    methods = before_after = None
    if chapter.advice is not None and len(tried) > 1:
        label = f"Log loss of {name} by recalibration method. {chapter.advice.verdict}"
        methods = gallery.draw(methods_figure(chapter.advice), label)
    if chapter.effect is not None and chapter.effect.method != NONE:
        label = f"Reliability diagrams of {name} before and after. {chapter.effect.verdict}"
        before_after = gallery.draw(before_after_figure(chapter.effect), label)
    by = "" if chapter.effect is None else chapter.effect.method
    title = METHODS[by].title if by in METHODS else by
    left_out = {} if chapter.advice is None else chapter.advice.left_out()
    untested = {} if chapter.effect is None else chapter.effect.untested()
    return RecalibrationPictures(
        methods=methods,
        before_after=before_after,
        tried=tried,
        left_out={reason: [one.title for one in rows] for reason, rows in left_out.items()},
        method_text=title,
        untested={reason: [one.title for one in rows] for reason, rows in untested.items()},
    )
