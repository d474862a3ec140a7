"""Which notes and legends of several models stand once in a section, and which with a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline._result import Note, Result, own_and_shared
from plumbline.formatting import capital, sentence
from plumbline.metrics import METRICS
from plumbline.reporting.model_details import sections
from plumbline.reporting.page_formats import listed

if TYPE_CHECKING:
    from plumbline.reporting.page import ModelSection


@dataclass(frozen=True, slots=True)
class Said:
    """What several results of one kind say beside their answers.

    Attributes
    ----------
    own : name -> what stands with this one; of a single result all that it says
    shared : what stands once for several
    """

    own: Mapping[str, Sequence[Note]]
    shared: Sequence[Note]


def said_once(texts: Mapping[str, Sequence[Note] | None]) -> Said:
    """Return which texts stand once; None: there is no such result, so nothing is about it.

    >>> few, odd = Note("Few rows.", "few"), Note("Odd.", "odd")
    >>> said_once({"tree": [few, odd], "bayes": [few], "forest": None})
    Said(own={'tree': ['Odd.'], 'bayes': [], 'forest': []}, shared=['Few rows.'])
    """
    known = {name: own for name, own in texts.items() if own is not None}
    own, shared = own_and_shared([*known], [*known.values()])
    apart = dict(zip(known, own, strict=True))
    return Said({name: apart.get(name, []) for name in texts}, shared)


def said_in_sections(parts: "Sequence[ModelSection]") -> dict[str, Said]:
    """Return what the sections of a page say of its models, by the name of what says it."""
    said = {
        name: said_once({part.name: texts(part) for part in parts}) for name, texts in TEXTS.items()
    }
    attributes = {
        of_attribute(part.name, one.name): _notes(one.result)
        for part in parts
        if part.closer is not None
        for one in part.closer.groups
    }
    more = {
        row.name: said_once({part.name: _of_more(part, row.name) for part in parts})
        for row in sections([part.chapter.closer for part in parts])
    }
    return said | more | {"attributes": said_once(attributes)}


def _of_more(part: "ModelSection", name: str) -> list[Note] | None:
    """Return the notes and the legend of a section that is a request's."""
    more = _closer(part, "more")
    return None if more is None else [*(_notes(more[name]) or ()), *(_legend(more[name]) or ())]


def of_attribute(model: str, attribute: str) -> str:
    """Return what the groups of a model are called.

    >>> of_attribute("tree", "age")
    'tree by age'
    """
    return f"{model} by {attribute}"


def _closer(part: "ModelSection", name: str) -> Any:
    return None if part.chapter.closer is None else getattr(part.chapter.closer, name)


def _notes(result: Result | None, without: Sequence[str] = ()) -> list[Note] | None:
    if result is None:
        return None
    return [note for note in result.present().notes if note.code not in without]


def _legend(result: Result | None) -> list[Note] | None:
    return None if result is None else [Note(one, "legend") for one in result.present().legend]


def _slices(part: "ModelSection") -> list[Note] | None:
    groups = _closer(part, "groups")
    if groups is None:
        return None
    if groups.slices is None:
        why = f"No slices were searched: {groups.reason}."
        return [Note(why, "no-slices")] if groups.reason else []
    return [*(_notes(groups.slices) or ()), *(_legend(groups.slices) or ())]


def _unpictured(part: "ModelSection") -> list[Note] | None:
    groups = _closer(part, "groups")
    if groups is None:
        return None
    return [Note(f"Not looked at: {listed(one)}.", "unusable") for one in [groups.unusable] if one]


def _corp(part: "ModelSection") -> list[Note] | None:
    curves = _closer(part, "corp")
    return _legend(curves[0]) if curves else None


def _errors(part: "ModelSection") -> list[Note] | None:
    metrics = _closer(part, "metrics")
    if metrics is None:
        return None
    missing = [one for one in metrics.measures if one.reason]
    named = [(capital(METRICS[one.metric].title), one.reason) for one in missing]
    return [Note(f"{title}: {reason}.", "reason") for title, reason in named]


def _advice(part: "ModelSection") -> list[Note] | None:
    """Return what stands below the methods; the effect on the rows says by itself what is left."""
    chapter = part.chapter.recalibration
    if chapter is None or chapter.advice is None:
        return None
    notes = _notes(chapter.advice, ["still-miscalibrated"] if chapter.effect else []) or []
    return [*notes, Note(sentence(chapter.reason), "not-tried")] if chapter.reason else notes


def _effect(part: "ModelSection") -> list[Note] | None:
    chapter = part.chapter.recalibration
    if chapter is None or chapter.effect is None or chapter.effect.method == "none":
        return None
    notes = _notes(chapter.effect, ["omnibus"])  # its p-values stand in the table
    return [*(_legend(chapter.effect) or ()), *(notes or ())]


def _decisions(part: "ModelSection") -> list[Note] | None:
    """Return which rates are missing and why, and how the intervals were made."""
    chapter = part.chapter.decisions
    if chapter is None or part.decisions is None:
        return None
    notes = [Note(f"–: {reason}.", "undefined") for reason in part.decisions.reasons]
    notes += [Note(f"{remark}.", "remark") for remark in chapter.means.remarks]
    method = chapter.overall.interval_text
    return [*notes, Note(f"95 % CI: {method}.", "interval")] if method else notes


TEXTS: dict[str, Callable[["ModelSection"], Sequence[Note] | None]] = {
    "slices": _slices,
    "unpictured": _unpictured,
    "over_time": lambda part: _notes(_closer(part, "over_time")),
    "over_time_legend": lambda part: _legend(_closer(part, "over_time")),
    "advice": _advice,
    "effect": _effect,
    "bins": lambda part: _legend(_closer(part, "sensitivity")),
    "corp": _corp,
    "errors": _errors,
    "diagnosis": lambda part: _legend(_closer(part, "diagnosis")),
    "decisions": _decisions,
    "counting": lambda part: _legend(part.chapter.counting),
}
