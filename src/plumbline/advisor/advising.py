"""`recalibration_advice`: all methods that suit a table, cross-fitted, ranked and judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline._checks import one_of, open_fraction, whole_number
from plumbline.advisor.answers import MethodAdvice, RecalibrationAdvice
from plumbline.advisor.chance import DRAWS, Copies, draws_for
from plumbline.advisor.choosing import CAREFUL, Choice, Judged, choice_of, shown
from plumbline.advisor.effect import omnibus_p_value
from plumbline.advisor.losses import NOTHING, Rows, paired_change
from plumbline.advisor.nested import Gain, nested_gain
from plumbline.advisor.parts import cut_of, with_shares
from plumbline.advisor.score_tests import WEIGHT, Evidence, evidence_against
from plumbline.advisor.sentences import Told, remarks, verdict
from plumbline.advisor.suitable import Facts, asked_methods, nothing_fits
from plumbline.advisor.trying import Asked, Looks, Losses, Trial, tried
from plumbline.comparison.answers import below
from plumbline.errors import InputError
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, seed_of
from plumbline.recalibration.fitting import SPOKEN
from plumbline.recalibration.inputs import (
    INPUTS,
    NEVER,
    PROBABILITY,
    SCORE,
    reading_of,
    usual_input,
    with_least,
)
from plumbline.recalibration.methods import METHODS, NONE
from plumbline.scores import brier_convention

NOT_REFUTED = (
    "the probabilities are not refuted, so only maps of few numbers are tried; name it in "
    "`methods` to try it"
)


def recalibration_advice(
    data: Predictions,
    *,
    methods: Sequence[str] | None = None,
    on: str | None = None,
    parts: int = 5,
    level: float = 0.95,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RecalibrationAdvice:
    """Say which recalibration lowers the log loss most, and whether any should be used.

    First, are the probabilities refuted? Score tests of what the maps can correct (shift,
    temperature, slope, shape, ...) are repeated with labels drawn from the probabilities, 999 times
    or more often for a level nearer 1, and adjusted for their number as Westfall and Young (1993)
    do (`score_tests.py`). The least adjusted p-value is that of all together, `p_value`; with
    calibrated probabilities it is at most 1 - level no more often than that.

    Then, do rows like these gain? Every method is cross-fitted: each part of the rows is
    recalibrated by a map fitted on the other parts. It helps if the probabilities are refuted and
    the interval of its difference, of a paired t-test over the examples, widened for the spread of
    the maps (`losses.paired_change`), lies below 0; of one that fits few numbers a lower log loss
    will do where the test of these numbers rejects (`choosing.shown`). Of those that help, the one
    of fewest numbers is chosen that is not distinguishable from the one of least log loss. Where
    none helps it is "none": leave the probabilities as they are.

    `gain` is measured on parts that took no part in choosing (`nested.py`). With two `parts` no
    others are left to choose by; the verdict, and the remark `gain-of-chosen`, then say so.

    Where the probabilities are not refuted, only maps of few numbers are cross-fitted, unless
    `methods` names others. Ratings are no probabilities: their maps are compared with giving every
    row the shares of the classes, and where none helps the least log loss is chosen. Where examples
    have several rows, their first rows are tested, their second ones and so on, and the p-values
    joined. Only the column `row` says which rows are of one example.

    Parameters
    ----------
    data : held-out predictions of one model, with true classes
    methods : names of `recalibration.METHODS`; by default all that suit the table
    on : "probability" or "score", what maps read; probabilities by default
    parts : in how many parts the examples are dealt out; a table of 2 to 10 folds keeps these
    level : of the intervals; the adjusted p must be at most 1 - level
    rng : of the parts and the labels that are drawn
    workers : threads; the answer does not depend on them

    Raises
    ------
    InputError
        Several models, labels alone, one class only, or too few rows for any method
    ParameterError
        An unknown method, or one that cannot read the table; a level too near 1 to draw for

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(size=500)
    >>> happened = rng.uniform(size=500) < p
    >>> bold = Predictions.from_arrays(happened, p**3 / (p**3 + (1 - p) ** 3))
    >>> recalibration_advice(bold, methods=["temperature"]).chosen
    'temperature'
    >>> true = Predictions.from_arrays(happened, p)
    >>> recalibration_advice(true, methods=["temperature"]).chosen
    'none'
    """
    only_predictions(data).need_one_model("recalibration")
    open_fraction("level", level)
    whole_number("parts", parts, least=2)
    read = _read_of(data, on)
    facts = _checked_facts(data, read)
    names = asked_methods(methods, facts)
    entropy = entropy_of(rng)
    cut = cut_of(data, parts, entropy)
    reference = with_shares(data, cut.part) if data.prob is None else data
    asked = Asked(data, read, reference, cut, Copies.of(cut.example))
    draws = draws_for(data.n, len(WEIGHT), level=level)
    reading = with_least(reading_of(data, read, data.classes, data.positive), floor=NEVER)
    evidence = evidence_against(
        reference,
        reading,
        cut.part,
        asked.copies,
        entropy=entropy,
        draws=draws,
        workers=workers,
    )
    if methods is None and data.prob is not None and not below(evidence.p_value(), level):
        names = {name: reason or _not_needed(name) for name, reason in names.items()}
    trials = tried(asked, names, workers=workers, progress=progress)
    if all(trial.after is None for trial in trials):
        raise InputError(_why_nothing(trials, methods, facts))
    before = _before(asked)
    judged = _judged(trials, before, evidence, level)
    best = [one for one in judged if isinstance(one, Judged)]
    choice = choice_of(best, before.rows, level=level, ratings=before.ratings)
    gain = None
    if choice is not None:
        gain = nested_gain(
            asked, choice, before.losses, before.rows, evidence, level=level, workers=workers
        )
    omnibus = np.nan
    if choice is None and not below(evidence.p_value(), level):
        chance = {"resamples": min(draws, DRAWS), "rng": entropy, "workers": workers}
        omnibus = omnibus_p_value(data, cut.example, chance)
    answer = Answer(asked, judged, choice, gain, evidence.p_value(), omnibus)
    return _answer(answer, before, level=level, seed=seed_of(rng))


def _not_needed(method: str) -> str | None:
    """Say why a method is not tried where the probabilities are not refuted."""
    return None if method in CAREFUL else NOT_REFUTED


def _read_of(data: Predictions, on: str | None) -> str:
    """Return what maps are to read, checked here once rather than by every method."""
    usual = usual_input(data)
    if on is None:
        return usual
    read = one_of("on", on, INPUTS)
    held = {PROBABILITY: data.prob, SCORE: data.score}
    if held[read] is None:
        raise InputError(
            f"maps cannot read {SPOKEN[read]}, for the table has {SPOKEN[usual]} alone; leave `on` "
            "out"
        )
    return read


def _checked_facts(data: Predictions, read: str) -> Facts:
    if not data.mass.any():
        raise InputError("a map needs rows to be fitted on, and all weights are 0")
    seen = np.unique(data.actual[data.mass > 0])
    if len(seen) == 1:
        raise InputError(
            f"all {data.n:,} rows are of the class {data.classes[int(seen[0])]!r}, so nothing "
            "tells how its probability should change; ask with rows of every class"
        )
    return Facts.of(data, read)


def _why_nothing(trials: Sequence[Trial], methods: Sequence[str] | None, facts: Facts) -> str:
    if methods is None and facts.rarest < 5:
        return f"no recalibration can be tried: {nothing_fits(facts)}; give more rows"
    said = "; ".join(f"{trial.method}: {trial.reason}" for trial in trials[:3])
    return f"no recalibration could be tried on these rows: {said}"


# ------------------------------------------------------------------ before and after


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """What maps are held against: the rows as they are, of ratings the shares of the classes."""

    looks: Looks
    losses: Losses
    rows: Rows
    copies: Copies
    ratings: bool


def _before(asked: Asked) -> Before:
    data = asked.data
    return Before(
        looks=Looks.of(data, asked.cut),
        losses=Losses.of(asked.reference),
        rows=Rows(data.mass, asked.cut.example),
        copies=asked.copies,
        ratings=data.prob is None,
    )


def _judged(
    trials: Sequence[Trial], before: Before, evidence: Evidence, level: float
) -> list[Judged | Trial]:
    """Return the methods that were tried, least log loss first, then the others."""
    found = []
    for one in trials:
        if one.after is None or one.after.losses is None:
            continue
        own = one.after.losses
        change = paired_change(before.losses.log_loss, own.log_loss, before.rows, level=level)
        brier = paired_change(before.losses.brier_score, own.brier_score, before.rows, level=level)
        p_value, adjusted = evidence.of(one.method)
        helps = shown(one.method, change, adjusted, evidence.p_value(), level=level)
        mean = before.rows.mean(own.log_loss)
        found.append(Judged(one, own, change, brier, p_value, adjusted, helps, mean))
    found.sort(key=lambda one: (one.mean, one.trial.parameters))
    return [*found, *(one for one in trials if one.after is None)]


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was found: methods, the choice and its gain out of part, the p-value of all tests.

    `omnibus` is the p-value of the omnibus test where these tests do not reject, else NaN.
    """

    asked: Asked
    judged: Sequence[Judged | Trial]
    choice: Choice | None
    gain: Gain | None
    p_value: float
    omnibus: float


def _answer(
    answer: Answer, before: Before, *, level: float, seed: int | None
) -> RecalibrationAdvice:
    asked, judged, choice, gain = answer.asked, answer.judged, answer.choice, answer.gain
    data = asked.data
    chosen = None if choice is None else choice.taken
    rows = [_row(one, before) for one in judged]
    log_loss, brier = (
        before.rows.mean(one) for one in (before.losses.log_loss, before.losses.brier_score)
    )
    told = Told(
        rows=tuple(rows),
        chosen=None if chosen is None else chosen.trial.method,
        best=None if choice is None else choice.best.trial.method,
        near=() if choice is None else tuple(one.trial.method for one in choice.near),
        n=data.n,
        p_value=answer.p_value,
        omnibus=answer.omnibus,
        gain=NOTHING if gain is None else gain.change,
        apart=gain is None or gain.apart,
        never=0 if before.ratings else _never(data),
        log_loss_before=log_loss,
        level=level,
        ratings=before.ratings,
    )
    notes = remarks(told, data, asked.cut)
    return RecalibrationAdvice(
        model=data.models[0] if data.models else None,
        n=data.n,
        parts=asked.cut.parts,
        on=asked.read,
        level=level,
        seed=seed,
        log_loss_before=np.nan if before.ratings else log_loss,
        brier_before=np.nan if before.ratings else brier,
        brier_convention=brier_convention(data),
        p_value=answer.p_value,
        chosen=NONE if chosen is None else chosen.trial.method,
        gain=-told.gain.difference,
        gain_range=(-told.gain.interval_range[1], -told.gain.interval_range[0]),
        verdict=verdict(told),
        methods=tuple(rows),
        remarks=tuple(remark.text for remark in notes),
        remark_codes=tuple(remark.code for remark in notes),
        mended=data if chosen is None else _table(asked, chosen.trial),
    )


def _table(asked: Asked, trial: Trial) -> Predictions:
    return asked.mended(trial.method).table if trial.table is None else trial.table


def _never(data: Predictions) -> int:
    """Return how many rows that count give some class the probability 0, logarithm and all."""
    if data.log_prob is not None:
        none = np.isneginf(data.log_prob)
    else:
        none = data.need_prob("recalibration") == 0
    return int((none.any(axis=1) & (data.mass > 0)).sum())


def _row(one: Judged | Trial, before: Before) -> MethodAdvice:
    if isinstance(one, Trial):
        return _not_tried(one)
    trial, looks = one.trial, before.looks
    after = trial.after
    if after is None:
        raise TypeError("a judged method was tried")
    more = [] if one.log_loss.reason is None else [one.log_loss.reason]
    return MethodAdvice(
        method=trial.method,
        title=METHODS[trial.method].title,
        log_loss=one.mean,
        brier_score=before.rows.mean(one.losses.brier_score),
        log_loss_difference=one.log_loss.difference,
        log_loss_range=one.log_loss.interval_range,
        brier_difference=one.brier.difference,
        brier_range=one.brier.interval_range,
        p_value=one.p_value,
        adjusted_p_value=one.adjusted,
        calibration_gained=looks.shape.miscalibration - after.shape.miscalibration,
        refinement_lost=looks.shape.discrimination - after.shape.discrimination,
        roc_auc_before=looks.shape.roc_auc,
        roc_auc_after=after.shape.roc_auc,
        ties_created=before.rows.mean((after.tied & ~looks.tied).astype(np.float64)),
        parameters=trial.parameters,
        helps=one.helps,
        notes=(*trial.notes, *more),
    )


def _not_tried(trial: Trial) -> MethodAdvice:
    nan, nowhere = np.nan, NOTHING.interval_range
    return MethodAdvice(
        method=trial.method,
        title=METHODS[trial.method].title,
        log_loss=nan,
        brier_score=nan,
        log_loss_difference=nan,
        log_loss_range=nowhere,
        brier_difference=nan,
        brier_range=nowhere,
        p_value=nan,
        adjusted_p_value=nan,
        calibration_gained=nan,
        refinement_lost=nan,
        roc_auc_before=nan,
        roc_auc_after=nan,
        ties_created=nan,
        parameters=0,
        helps=False,
        reason=trial.reason,
    )
