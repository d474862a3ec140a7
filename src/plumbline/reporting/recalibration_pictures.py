"""The pictures of what recalibration does: the methods side by side, the rows before and after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.advisor import MethodAdvice
from plumbline.plots import before_after_figure, methods_figure
from plumbline.recalibration import METHODS, NONE
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.recalibration_chapter import RecalibrationChapter

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class RecalibrationPictures:
    """The pictures of one model, and its methods that were tried.

    Attributes
    ----------
    methods : differences of log loss; None where one method or none was tried
    before_after : reliability diagrams, of ratings the one after; None where nothing changed
    tried : the methods that were tried, best first
    method_text : the method that recalibrated the rows, as a sentence names it; "" where none was
    """

    methods: "Markup | None"
    before_after: "Markup | None"
    tried: Sequence[MethodAdvice]
    method_text: str


def recalibration_pictures(
    gallery: Gallery, name: str, chapter: RecalibrationChapter
) -> RecalibrationPictures:
    """Draw what recalibration does to the model of this name."""
    rows = () if chapter.advice is None else chapter.advice.methods
    tried = [row for row in rows if row.reason is None]
    methods = before_after = None
    if chapter.advice is not None and len(tried) > 1:
        label = f"Log loss of {name} by recalibration method. {chapter.advice.present().summary}"
        title = f"Recalibration methods, {name}"
        rows_of = chapter.advice.rows()
        methods = gallery.draw(methods_figure(chapter.advice), label, title=title, rows=rows_of)
    if chapter.effect is not None and chapter.effect.method != NONE:
        label = (
            f"Reliability diagrams of {name} before and after. {chapter.effect.present().summary}"
        )
        title = f"Before and after recalibration, {name}"
        rows_of, figure = chapter.effect.rows(), before_after_figure(chapter.effect)
        before_after = gallery.draw(figure, label, title=title, rows=rows_of)
    by = "" if chapter.effect is None else chapter.effect.method
    title = METHODS[by].title if by in METHODS else by
    return RecalibrationPictures(
        methods=methods,
        before_after=before_after,
        tried=tried,
        method_text=title,
    )
