"""All cards of a board as one page, in a time that is known before."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from plumbline.errors import ParameterError, PlumblineError
from plumbline.progress import Progress
from plumbline.requests import any_number, fields_of
from plumbline.requests.kinds import Parse, text
from plumbline.workbench.questions.exporting import result_page as pages
from plumbline.workbench.questions.exporting.export_files import MIMES, File, kind_of, within
from plumbline.workbench.questions.exporting.safe_names import slug
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.wording import message_of

if TYPE_CHECKING:
    from plumbline.reporting import Gallery

MOST_PINS = 200  # bounds the time of an export and the size of a board
SECONDS = 90.0  # for all cards, where the question does not say
LEAST = 5.0  # seconds that one card may take where many are left
PIN: Mapping[str, Parse] = {"title": text, "note": text, "question": lambda _, value: value}
ALONE = "Export it alone, or choose fewer rows or resamples."


class OutOfTimeError(Exception):
    """The time of a card is over."""


@dataclass(slots=True)
class Clock:
    """The time for all cards; what one card leaves over, the later ones have.

    Attributes
    ----------
    seconds : for all cards
    end : when they are over
    now : what tells the time
    """

    seconds: float
    end: float
    now: Callable[[], float]

    def share(self, left: int) -> float:
        """Return the seconds that the next of `left` cards may take, 0 where the time is over."""
        rest = self.end - self.now()
        return min(rest, max(LEAST, rest / left)) if rest > 0 else 0.0


def board_file(
    inquiry: Inquiry,
    board: Mapping[str, Any],
    *,
    title: str,
    now: Callable[[], float] = time.monotonic,
) -> tuple[File, int]:
    """Return all cards of a board as one page, and how many were not drawn in time.

    What is not drawn, in time or at all, says why.
    """
    pins = board.get("pins")
    if not isinstance(pins, list) or len(pins) > MOST_PINS:
        raise ParameterError(
            f"the pins must be a list of at most {MOST_PINS} cards", code="too-many-pins"
        )
    seconds = fields_of(board, {"seconds": any_number}).get("seconds", SECONDS)
    clock = Clock(seconds, now() + seconds, now)
    pictures, cards, late = pages.gallery(), [], 0
    for place, fields in enumerate(pins):
        pin = fields_of(fields, PIN, "card of the board")
        try:
            cards.append(_card(inquiry, pin, pictures, clock, (place, len(pins))))
        except OutOfTimeError as why:
            late += 1
            cards.append(_failed(pin, f"This was not drawn: {why}. {ALONE}"))
        if inquiry.progress is not None:
            inquiry.progress(place + 1, len(pins))
    page = pages.page(inquiry, cards, title=title)
    name = f"{slug(title, 'board')}.html"
    return File(name, MIMES["html"], page.encode("utf-8", "xmlcharrefreplace")), late


def _card(
    inquiry: Inquiry, pin: Mapping[str, Any], pictures: "Gallery", clock: Clock, at: tuple[int, int]
) -> pages.Card:
    title, note = pin.get("title", ""), pin.get("note", "")
    question = pin.get("question")
    if question is None:
        return pages.Card(title or "Note", note)
    place, count = at
    seconds = clock.share(count - place)
    if not seconds:
        raise OutOfTimeError(f"the whole board took longer than {clock.seconds:.3g} seconds")
    try:
        inner = within(inquiry, question, share=(place / count, (place + 1) / count))
        watch = _watched(inner.progress, clock, seconds)
        inner.need_rows()
        artifact = kind_of(inner).make(replace(inner, progress=watch))
        watch(1, 1)
        return pages.card_of(inner, artifact, pictures, title=title, note=note)
    except PlumblineError as error:
        return _failed(pin, f"This cannot be drawn: {message_of(error)}")


def _failed(pin: Mapping[str, Any], why: str) -> pages.Card:
    title, note = pin.get("title", ""), pin.get("note", "")
    return pages.failed_card(why, pin.get("question"), title=title, note=note)


def _watched(progress: Progress | None, clock: Clock, seconds: float) -> Progress:
    """Return a callback that looks at the clock whenever it is told of progress."""
    due = clock.now() + seconds

    def tell(done: int, total: int) -> None:
        if clock.now() > due:
            raise OutOfTimeError(
                f"it took longer than its share of the time, {seconds:.3g} seconds"
            )
        if progress is not None:
            progress(done, total)

    return tell
