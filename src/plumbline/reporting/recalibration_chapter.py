"""Does recalibration help? What it would do to the rows of a report."""

from dataclasses import dataclass, replace
from typing import Any

from plumbline._result import Note, Presentation, Result
from plumbline.advisor import (
    RecalibrationAdvice,
    RecalibrationEffect,
    effect_between,
    seconds_to_try,
)
from plumbline.advisor.recalibration_advice import advice_beside
from plumbline.advisor.recalibration_effect import PARTS, recalibrated_in_parts
from plumbline.calibration_errors import CalibrationTest
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, sentence
from plumbline.predictions import Predictions, need_single_rows
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed, entropy_of
from plumbline.recalibration import AUTO, NONE, method_named
from plumbline.reporting.limits import why_left_out

QUICK = 40 / 3  # seconds that trying all methods may take unless it is asked for
TOO_MANY = "not tried: all methods on {} of {} take about {}; ask for it with --recalibrate auto"
RecalibrateParam = str | RecalibrationEffect | None  # None: all methods, where that is quick


@dataclass(frozen=True, repr=False, eq=False)
class RecalibrationChapter(Result):
    """What recalibration does to the rows of one model.

    Attributes
    ----------
    advice : how every method did on rows its map was not fitted on; None where a map was given
    effect : these rows before and after; None where it is best to leave them as they are
    reason : why nothing was tried; beside an advice, why there is no effect
    """

    advice: RecalibrationAdvice | None
    effect: RecalibrationEffect | None
    reason: str | None = None

    def present(self) -> Presentation:
        """Return whether to recalibrate, what it would change, or why nothing was tried."""
        if self.reason is not None:
            advised = Presentation() if self.advice is None else self.advice.present()
            note = Note(sentence(self.reason), "not-tried")
            return replace(advised, notes=(*advised.notes, note))
        parts = [part.present() for part in (self.advice, self.effect) if part is not None]
        if len(parts) < 2:
            return parts[0] if parts else Presentation()
        advice, effect = parts
        changes = (Note(effect.summary, "effect"), *effect.notes)
        tables = (*advice.tables, *effect.tables)
        return replace(advice, notes=(*advice.notes, *changes), tables=tables)


def checked_recalibrate(recalibrate: Any, models: int) -> RecalibrateParam:
    """Return what a report is asked of recalibration, or say what it may be."""
    if isinstance(recalibrate, RecalibrationEffect):
        if models > 1:
            raise ParameterError(
                f"`recalibrate` is the effect on one model, and the table holds {models}",
                code="effect-of-one-model",
                remedy="choose one with data.select(model=...)",
            )
        return recalibrate
    if recalibrate in (None, AUTO, NONE):
        return None if recalibrate is None else str(recalibrate)
    return method_named(recalibrate).name


def recalibration_chapter(
    data: Predictions,
    recalibrate: RecalibrateParam,
    *,
    quick: bool,
    test: CalibrationTest | None = None,
    rng: Seed,
    progress: Progress | None,
    **params: Any,
) -> RecalibrationChapter | None:
    """Return what recalibration does to a table of one model; None where it is not asked.

    Every row is recalibrated by a map that was fitted on other rows. `quick`: whether trying all
    methods takes seconds. `test`: the calibration test of the table with this seed, where it is
    known already.
    """
    if recalibrate == NONE or (data.prob is None and data.score is None):
        return None
    if isinstance(recalibrate, RecalibrationEffect):
        return RecalibrationChapter(None, recalibrate)
    if recalibrate is None and not quick and not data.counted:
        return RecalibrationChapter(None, None, _too_many(data))
    method = None if recalibrate in (None, AUTO) else recalibrate
    return _tried(data, method, test, rng, progress, params)


def _too_many(data: Predictions) -> str:
    """Say why nothing was tried, and about how long it would take."""
    seconds = seconds_to_try(data)
    spent = (
        counted(round(seconds / 60), "minute")
        if seconds > 90
        else counted(max(round(seconds), 1), "second")
    )
    return TOO_MANY.format(counted(data.n, "row"), counted(data.k, "class"), spent)


def _tried(
    data: Predictions,
    method: str | None,
    test: CalibrationTest | None,
    rng: Seed,
    progress: Progress | None,
    params: dict[str, Any],
) -> RecalibrationChapter:
    entropy, advice = entropy_of(rng), None
    try:
        advice = advice_beside(
            test,
            data,
            methods=None if method is None else [method],
            parts=PARTS,
            resamples=params["resamples"],
            rng=entropy,
            workers=params["workers"],
            progress=share_of(progress, 0.0, 0.6),
        )
        if method is None and advice.chosen == NONE:
            return RecalibrationChapter(advice, None)
        need_single_rows(data, "recalibration_effect")
        after = (
            advice.recalibrated
            if method is None
            else recalibrated_in_parts(data, method, rng=entropy)[1]
        )
        effect = effect_between(
            data,
            after,
            method=method or advice.chosen,
            maps_vary=True,
            rng=entropy,
            progress=share_of(progress, 0.6, 1.0),
            **params,
        )
    except (InputError, ParameterError) as error:
        what = "" if advice is None else "before and after: "
        return RecalibrationChapter(advice, None, f"{what}{why_left_out(error, data)}")
    return RecalibrationChapter(advice, effect)
