"""What the Reliability Diagram asks of Plumbline, model by model, and what is known of it."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import plumbline as pb
from plumbline.results import (
    CalibrationError,
    CalibrationTest,
    CorpCurve,
    GroupCalibration,
    Plan,
    RecalibrationAdvice,
    RecalibrationEffect,
    ReliabilityCurve,
)
from plumbline_orange.base import heard, message_of

ISOTONIC = "isotonic"
ADVISED = "auto"  # the method that the advice chooses
PARTS = 5  # of the rows, for the advice
MOST_PARTS = 9  # diagrams of groups
Known = dict[Hashable, Any]


@dataclass(frozen=True)
class Question:
    """What the controls say.

    Attributes
    ----------
    view : the binary view; bins : a name of bins, "isotonic" for the CORP curve; level : of bands
    by : the attribute of the groups, "" for none; apart : whether each has a diagram
    method : of recalibration, "" for none
    effect : the miscalibration whose power is asked for, "" for none; statistic : of that test
    """

    view: str | None
    bins: str
    level: float = 0.95
    by: str = ""
    apart: bool = False
    method: str = ""
    effect: str = ""
    statistic: str = "omnibus"


@dataclass(frozen=True)
class Finding:
    """What is known of one model as it is, or after recalibration.

    Attributes
    ----------
    data : its rows; curve, test, error : None while they are not known
    groups, plan, advice : where they are asked for
    parts : of each group, where diagrams of them are asked for
    effect : what recalibration changed; stands at the finding after it
    refusals : what could not be computed, and why; warned : what the library warned of
    """

    model: str
    data: pb.Predictions
    method: str = ""
    curve: ReliabilityCurve | CorpCurve | None = None
    test: CalibrationTest | None = None
    error: CalibrationError | None = None
    groups: GroupCalibration | None = None
    parts: "Sequence[Part]" = ()
    plan: Plan | None = None
    advice: RecalibrationAdvice | None = None
    effect: RecalibrationEffect | None = None
    refusals: Sequence[str] = field(default=())
    warned: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Part:
    """A group of rows of one model, with its diagram."""

    name: str
    data: pb.Predictions
    curve: ReliabilityCurve | CorpCurve


@dataclass(frozen=True)
class _Step:
    """One call: of which model, before or after, for which field, and about how long it takes."""

    model: str
    after: bool
    name: str
    call: Callable[..., Any]
    share: float
    key: tuple[Hashable, ...]


def findings(
    parts: Mapping[str, pb.Predictions],
    question: Question,
    known: Known,
    progress: Callable[[int, int], None],
    show: Callable[[Any], None],
) -> list[Finding]:
    """Return what is known of every model; `show` gets it as it grows, the diagrams first.

    Results are kept in `known` and taken from there.
    """
    found = {(model, False): Finding(model, data) for model, data in parts.items()}
    steps = list(_steps(parts, question))
    whole, done = sum(step.share for step in steps), 0.0
    for step in steps:
        place = (step.model, step.after)
        home = found.get(place) or found[step.model, False]
        start, done = done, done + step.share
        left_out = step.after and place not in found and step.name != "effect"
        if left_out or (step.name == "effect" and not method_for(home, question)):
            continue

        def moved(part: int, total: int, start: float = start, share: float = step.share) -> None:
            progress(round(1000 * (start + share * part / max(total, 1)) / whole), 1000)

        moved(0, 1)
        try:
            if step.key not in known:
                known[step.key] = heard(partial(step.call, home, progress=moved))
            result, warned = known[step.key]
        except pb.PlumblineError as error:
            found[home.model, bool(home.method)] = replace(
                home, refusals=(*home.refusals, message_of(error))
            )
        else:
            if step.name == "effect":
                home = Finding(step.model, result.after, method=result.method)
            texts = tuple(dict.fromkeys((*home.warned, *warned)))
            found[place] = replace(home, warned=texts, **{step.name: result})
        show(list(found.values()))
    return list(found.values())


def _steps(parts: Mapping[str, pb.Predictions], question: Question) -> Iterator[_Step]:
    """Yield the calls in their order: all diagrams, all verdicts, then what was asked for."""

    def step(model: str, after: bool, name: str, share: float, *more: Hashable) -> _Step:
        key = (model, question.method if after else "", name, *more)
        return _Step(model, after, name, calls[name], share, key)

    q = question
    calls: dict[str, Callable[..., Any]] = {
        "curve": lambda one, progress: curve_of(one.data, q, progress),
        "error": lambda one, progress: pb.calibration_error(
            one.data, view=q.view, interval=True, progress=progress, **bins_of(q)
        ),
        # One verdict a model, whatever view is drawn.
        "test": lambda one, progress: pb.calibration_test(one.data, progress=progress),
        "groups": lambda one, progress: pb.calibration_by(
            one.data, q.by, view=q.view, progress=progress, **bins_of(q)
        ),
        "parts": lambda one, progress: parts_of(one.data, q, progress),
        "advice": lambda one, progress: pb.recalibration_advice(
            one.data, parts=PARTS, progress=progress
        ),
        "effect": lambda one, progress: pb.recalibration_effect(
            method_for(one, q), one.data, progress=progress
        ),
        "plan": lambda one, progress: pb.plan(
            one.data, q.effect, statistic=q.statistic, progress=progress
        ),
    }
    for model in parts:
        yield step(model, False, "curve", 1, q.view, q.bins, q.level)
    for model in parts:
        yield step(model, False, "test", 4)
        yield step(model, False, "error", 1, q.view, q.bins)
    if q.method:
        for model in parts:
            if q.method == ADVISED:
                yield step(model, False, "advice", 6)
            yield step(model, True, "effect", 4)
            yield step(model, True, "curve", 1, q.view, q.bins, q.level)
            yield step(model, True, "test", 4)
            yield step(model, True, "error", 1, q.view, q.bins)
    if q.by:
        for model in parts:
            yield step(model, False, "groups", 6, q.view, q.bins, q.by)
            if q.apart:
                yield step(model, False, "parts", 2, q.view, q.bins, q.level, q.by)
    if q.effect:
        for model in parts:
            yield step(model, False, "plan", 20, q.effect, q.statistic)


def method_for(one: Finding, question: Question) -> str:
    """Return the method to recalibrate by; "" where it is advised to change nothing."""
    if question.method != ADVISED:
        return question.method
    return "" if one.advice is None or one.advice.chosen == "none" else one.advice.chosen


def bins_of(question: Question) -> dict[str, Any]:
    """Return the bins of a calibration error; those of a CORP curve are its usual ones."""
    return {} if question.bins == ISOTONIC else {"bins": question.bins}


def curve_of(
    data: pb.Predictions, question: Question, progress: Any
) -> ReliabilityCurve | CorpCurve:
    """Return the reliability diagram, or the CORP curve of isotonic bins."""
    params = {"view": question.view, "level": question.level, "progress": progress}
    if question.bins == ISOTONIC:
        return pb.corp_curve(data, **params)
    return pb.reliability_curve(data, bins=question.bins, **params)


def parts_of(data: pb.Predictions, question: Question, progress: Any) -> Sequence[Part]:
    """Return the diagram of each group, at most so many as can be read beside each other."""
    groups = pb.binning.group_rows(data, question.by)[:MOST_PARTS]
    parts = []
    for place, (name, rows) in enumerate(groups):
        progress(place, len(groups))
        one = data.select(where=rows)
        parts.append(Part(name, one, curve_of(one, question, None)))
    return parts


# ------------------------------------------------------------------ tables


def bin_rows(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return one row a bin, model by model; those of groups stand below."""
    whole = [
        {"model": one.model, "recalibration": one.method or "none", **row}
        for one in found
        if one.curve is not None
        for row in one.curve.rows()
    ]
    parts = [
        {"model": one.model, "recalibration": "none", **row, "group": part.name}
        for one in found
        for part in one.parts
        for row in part.curve.rows()
    ]
    return whole + parts


def score_rows(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return one row a model: its calibration error with ranges, and the test."""
    rows = []
    for one in found:
        if one.error is None:
            continue
        row = dict(one.error.rows()[0])
        if one.test is not None:
            row |= {"test_p_value": one.test.p_value, "verdict": one.test.verdict}
        rows.append({"model": one.model, "recalibration": one.method or "none", **row})
    return rows


def group_rows(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return one row a group, model by model."""
    return [
        {"model": one.model, **row}
        for one in found
        if one.groups is not None
        for row in one.groups.rows()
    ]
