"""The pictures of what recalibration does: the methods side by side, the rows before and after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline.advisor import MethodAdvice, ScoreChange
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
    changes = () if chapter.effect is None else chapter.effect.changes
    changed = [one for one in changes if one.difference != 0]  # the others need no test
    return RecalibrationPictures(
        methods, before_after, tried, _by_reason(rows), title, _by_reason(changed)
    )


def _by_reason(rows: Sequence[MethodAdvice | ScoreChange]) -> dict[str, list[str]]:
    """Return reason -> titles of what is missing for it."""
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        if row.reason is not None:
            by_reason.setdefault(row.reason, []).append(row.title)
    return by_reason
