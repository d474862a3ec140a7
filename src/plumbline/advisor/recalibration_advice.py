"""`recalibration_advice`: all methods that suit a table, cross-fitted, ranked and judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline._checks import one_of, open_fraction, whole_number
from plumbline.advisor.advice_text import AdviceFacts, details, next_step, remarks, verdict
from plumbline.advisor.choice import (
    CAREFUL,
    NOTHING,
    Gain,
    Judged,
    MethodChoice,
    RowMasses,
    choice_of,
    nested_gain,
    paired_change,
    shown_to_help,
)
from plumbline.advisor.results import MethodAdvice, RecalibrationAdvice
from plumbline.advisor.score_tests import (
    DRAWS,
    WEIGHT,
    ScoreEvidence,
    draws_for,
    evidence_against,
    omnibus_p_value,
)
from plumbline.advisor.trials import (
    FLEXIBLE,
    Assessment,
    Losses,
    TableFacts,
    Trial,
    TrialSetup,
    methods_to_try,
    more_flexible,
    tried,
)
from plumbline.comparison.results import below
from plumbline.errors import InputError
from plumbline.formatting import counted, quoted
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, seed_of
from plumbline.recalibration import INPUTS, METHODS, NONE, PROBABILITY, SCORE
from plumbline.recalibration.fit_map import INPUT_TEXT
from plumbline.recalibration.inputs import NEVER, reading_of, usual_input, with_least
from plumbline.scores import brier_convention

NOT_REFUTED = (
    "without evidence of miscalibration only maps of few parameters are tried; name it with "
    "`method` to try it"
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

    First, are the probabilities miscalibrated? Score tests of what the maps can correct (shift,
    temperature, slope, shape, ...) are repeated with labels drawn from the probabilities, 999 times
    or more for a level nearer 1, and adjusted for their number by Westfall and Young's (1993)
    method (`score_tests.py`). The smallest adjusted p-value is that of all tests together,
    `p_value`; for calibrated probabilities it is at most 1 - level with at most that probability.

    Then, does recalibration lower the log loss? Every method is cross-fitted: each part of the rows
    is recalibrated by a map fitted on the other parts. A method helps if the tests reject and the
    interval of its difference is below 0 (a paired t-test over the examples, widened for the
    variance of the maps, `choice.paired_change`); for a method of few parameters a lower log loss
    is enough if the test of these parameters rejects (`choice.shown_to_help`). Of those that help,
    the one of fewest parameters is chosen that is not distinguishable from the one of least log
    loss. If none helps, "none" is chosen: do not recalibrate.

    `gain` is measured on parts that were not used for choosing (`choice.nested_gain`). With two
    `parts` that is not possible; the remark `gain-of-chosen` then says so.

    Where the tests do not reject, only maps of few parameters are cross-fitted, unless `methods`
    names others. Maps of ratings are compared with predicting the class shares, and if none helps
    the least log loss is chosen. Where examples have several rows, their first rows are tested,
    then their second ones and so on, and the p-values are combined. Only the column `row` shows
    which rows are of one example.

    Parameters
    ----------
    data : Predictions
        Held-out predictions of one model, with true classes.
    methods : sequence of str, optional
        Names of `plumbline.recalibration.methods.METHODS`; by default all that suit the table.
    on : {"probability", "score"}, optional
        What the maps read; by default probabilities where the table has them.
    parts : int, default 5
        Number of parts of the cross-fitting; a table of 2 to 10 folds uses its folds.
    level : float, default 0.95
        Of the intervals; a map helps where the adjusted p-value is at most 1 - level.
    rng : int or Generator, default 0
        Random seed of the parts and of the labels that are drawn.
    workers : int, optional
        Threads; by default all cores. The result does not depend on them.
    progress : callable, optional
        Called with (done, total) after every method.

    Returns
    -------
    RecalibrationAdvice
        The recommended method, its gain, and the results of every method.

    Raises
    ------
    InputError
        Several models, labels alone, one class only, or too few rows for any method.
    ParameterError
        An unknown method, or one that cannot read the table; a level too near 1 to draw for.

    References
    ----------
    Westfall and Young (1993), Resampling-based multiple testing. Varma and Simon (2006), Bias in
    error estimation when using cross-validation for model selection.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(size=500)
    >>> actual = rng.uniform(size=500) < p
    >>> bold = Predictions.from_arrays(actual, p**3 / (p**3 + (1 - p) ** 3))
    >>> recalibration_advice(bold, methods=["temperature"]).chosen
    'temperature'
    >>> calibrated = Predictions.from_arrays(actual, p)
    >>> recalibration_advice(calibrated, methods=["temperature"]).chosen
    'none'
    """
    only_predictions(data).need_one_model("recalibration")
    open_fraction("level", level)
    whole_number("parts", parts, least=2)
    read = _read_of(data, on)
    facts = _checked_facts(data, read)
    names = methods_to_try(methods, facts)
    entropy = entropy_of(rng)
    setup = TrialSetup.of(data, read, parts, entropy)
    draws = draws_for(setup.data.n, len(WEIGHT), level=level)
    evidence = _evidence(setup, entropy=entropy, draws=draws, workers=workers)
    refuted = below(evidence.p_value(), level)
    if methods is None and data.prob is not None and not refuted:
        others = {name: NOT_REFUTED for name in names if name not in CAREFUL}
        names = {name: reason or others.get(name) for name, reason in names.items()}
    trials = tried(setup, names, workers=workers, progress=progress)
    if all(trial.after is None for trial in trials):
        raise InputError(_why_nothing(trials, methods, facts), code="no-method-applies")
    before = Before.of(setup)
    judged = _judged(trials, before, evidence, level)
    best = [one for one in judged if isinstance(one, Judged)]
    choice = choice_of(best, before.rows, level=level, ratings=before.ratings)
    gain, recalibrated, more = None, setup.data, None
    if choice is not None:
        gain = nested_gain(
            setup, choice, before.losses, before.rows, evidence, level=level, workers=workers
        )
        recalibrated = setup.table_after(choice.taken.trial)
        if any(one.trial.method == FLEXIBLE and one.helps for one in best):
            more = more_flexible(choice.taken.trial.method, facts)
    omnibus = np.nan
    if more is not None or (choice is None and not refuted):
        draw_params = {"resamples": min(draws, DRAWS), "rng": entropy, "workers": workers}
        omnibus = omnibus_p_value(recalibrated, setup.cut.example, draw_params)
    return _advice(
        setup,
        before,
        judged,
        choice,
        gain,
        p_value=evidence.p_value(),
        omnibus=omnibus,
        more=more,
        recalibrated=recalibrated,
        level=level,
        seed=seed_of(rng),
    )


def _read_of(data: Predictions, on: str | None) -> str:
    """Return what maps are to read, checked here once rather than by every method."""
    usual = usual_input(data)
    if on is None:
        return usual
    read = one_of("on", on, INPUTS)
    columns = {PROBABILITY: data.prob, SCORE: data.score}
    if columns[read] is None:
        raise InputError(
            f"maps cannot read {INPUT_TEXT[read]}: the table has only {INPUT_TEXT[usual]}; leave "
            "`on` out",
            code="nothing-to-read",
        )
    return read


def _checked_facts(data: Predictions, read: str) -> TableFacts:
    if not data.mass.any():
        raise InputError(
            "a map needs rows with weight to be fitted on, and all weights are 0",
            code="weights-all-zero",
        )
    present = np.unique(data.actual[data.mass > 0])
    if len(present) == 1:
        raise InputError(
            f"all {data.total:,} rows are of the class "
            f"{quoted(data.classes[int(present[0])])}, so a map cannot be fitted; use "
            "rows of every class",
            code="one-class-to-fit",
        )
    return TableFacts.of(data, read)


def _evidence(setup: TrialSetup, *, entropy: int, draws: int, workers: int | None) -> ScoreEvidence:
    """Test the probabilities as they are against all that the maps can correct."""
    data = setup.data
    reading = reading_of(data, setup.read, data.classes, data.positive)
    return evidence_against(
        setup.reference,
        with_least(reading, floor=NEVER),
        setup.cut.part,
        setup.example_sets,
        entropy=entropy,
        draws=draws,
        workers=workers,
    )


def _why_nothing(trials: Sequence[Trial], methods: Sequence[str] | None, facts: TableFacts) -> str:
    if methods is None and facts.rarest < 5:
        return (
            "no recalibration can be tried: every method needs more than "
            f"{counted(facts.n, 'row')}, {facts.rarest} of the rarest; give more rows"
        )
    reasons = "; ".join(f"{trial.method}: {trial.reason}" for trial in trials[:3])
    return f"no recalibration could be tried on these rows: {reasons}"


# ------------------------------------------------------------------ before and after


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """What maps are held against: the rows as they are, of ratings the shares of the classes."""

    assessment: Assessment
    losses: Losses
    rows: RowMasses
    ratings: bool
    orders_rows: bool

    @classmethod
    def of(cls, setup: TrialSetup) -> "Before":
        """Measure the rows as they are."""
        return cls(
            assessment=Assessment.of(setup.data, setup.cut),
            losses=Losses.of(setup.reference),
            rows=RowMasses.of(setup.data, setup.cut.example),
            ratings=setup.data.prob is None,
            orders_rows=not setup.cut.merged and setup.data.levels is None,
        )


def _judged(
    trials: Sequence[Trial], before: Before, evidence: ScoreEvidence, level: float
) -> list[Judged | Trial]:
    """Return the methods that were tried, least log loss first, then the others."""
    judged = []
    for one in trials:
        if one.after is None or one.after.losses is None:
            continue
        losses = one.after.losses
        change = paired_change(before.losses.log_loss, losses.log_loss, before.rows, level=level)
        brier = paired_change(
            before.losses.brier_score, losses.brier_score, before.rows, level=level
        )
        p_value, adjusted = evidence.of(one.method)
        helps = shown_to_help(one.method, change, adjusted, evidence.p_value(), level=level)
        mean = before.rows.mean(losses.log_loss)
        judged.append(Judged(one, losses, change, brier, p_value, adjusted, helps, mean))
    judged.sort(key=lambda one: (one.mean, one.trial.parameters))
    return [*judged, *(one for one in trials if one.after is None)]


def _advice(
    setup: TrialSetup,
    before: Before,
    judged: Sequence[Judged | Trial],
    choice: MethodChoice | None,
    gain: Gain | None,
    *,
    p_value: float,
    omnibus: float,
    more: str | None,
    recalibrated: Predictions,
    level: float,
    seed: int | None,
) -> RecalibrationAdvice:
    """Return the result.

    `omnibus` is the p-value of the omnibus test of `recalibrated`, the table after the chosen map
    or as it is: where none is chosen and the tests of the maps do not reject, and where `more`
    names a map that is more flexible than the chosen one; else NaN.
    """
    data = setup.data
    taken = None if choice is None else choice.taken
    rows = [_row(one, before) for one in judged]
    log_loss, brier = (
        before.rows.mean(one) for one in (before.losses.log_loss, before.losses.brier_score)
    )
    facts = AdviceFacts(
        rows=tuple(rows),
        chosen=None if taken is None else taken.trial.method,
        best=None if choice is None else choice.best.trial.method,
        near=() if choice is None else tuple(one.trial.method for one in choice.near),
        n=data.total,
        p_value=p_value,
        omnibus=omnibus,
        more=more,
        gain=NOTHING if gain is None else gain.change,
        apart=gain is None or gain.apart,
        never=0 if before.ratings else _never(data, before.rows),
        log_loss_before=log_loss,
        level=level,
        ratings=before.ratings,
    )
    notes = remarks(facts, data, setup.cut)
    return RecalibrationAdvice(
        model=data.models[0] if data.models else None,
        n=data.total,
        parts=setup.cut.parts,
        on=setup.read,
        level=level,
        seed=seed,
        log_loss_before=np.nan if before.ratings else log_loss,
        brier_before=np.nan if before.ratings else brier,
        brier_convention=brier_convention(data),
        p_value=p_value,
        chosen=NONE if taken is None else taken.trial.method,
        gain=-facts.gain.difference,
        gain_range=(-facts.gain.interval_range[1], -facts.gain.interval_range[0]),
        verdict=verdict(facts),
        methods=tuple(rows),
        remarks=tuple(remark.text for remark in notes),
        remark_codes=tuple(remark.code for remark in notes),
        details=details(facts),
        next_step=next_step(facts),
        recalibrated=recalibrated,
    )


def _never(data: Predictions, rows: RowMasses) -> int:
    """Return how many rows that count give some class the probability 0, logarithm and all."""
    if data.log_prob is not None:
        none = np.isneginf(data.log_prob)
    else:
        none = data.need_prob("recalibration") == 0
    return rows.number_of(np.asarray(none.any(axis=1)))


def _row(one: Judged | Trial, before: Before) -> MethodAdvice:
    if isinstance(one, Trial):
        return _not_tried(one)
    trial, assessment = one.trial, before.assessment
    after = trial.after
    if after is None:
        raise TypeError("a judged method was tried")
    more = [] if one.log_loss.reason is None else [one.log_loss.reason]
    ties = (after.tied & ~assessment.tied).astype(np.float64)
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
        calibration_gained=assessment.shape.miscalibration - after.shape.miscalibration,
        refinement_lost=assessment.shape.discrimination - after.shape.discrimination,
        roc_auc_before=assessment.shape.roc_auc,
        roc_auc_after=after.shape.roc_auc,
        ties_created=before.rows.mean(ties) if before.orders_rows else np.nan,
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
