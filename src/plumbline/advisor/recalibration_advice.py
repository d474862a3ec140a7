"""`recalibration_advice`: all methods that suit a table, cross-fitted, ranked and judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import one_of, open_fraction, whole_number
from plumbline.advisor.advice_text import AdviceFacts, details, next_step, remarks, verdict
from plumbline.advisor.choice import (
    NOTHING,
    Judged,
    MethodChoice,
    RowMasses,
    choice_of,
    paired_change,
)
from plumbline.advisor.results import MethodAdvice, RecalibrationAdvice
from plumbline.advisor.trials import (
    CAREFUL,
    LEAST_FEW,
    Assessment,
    Losses,
    TableFacts,
    Trial,
    TrialSetup,
    examples_of,
    groups_of_gain,
    methods_to_try,
    tried,
)
from plumbline.advisor.verdict_test import miscalibrated, p_value_of, verdict_test
from plumbline.calibration_errors import CalibrationTest
from plumbline.calibration_errors.next_steps import SMALLEST
from plumbline.errors import InputError
from plumbline.formatting import counted, quoted
from plumbline.predictions import Predictions, group_count, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, seed_of
from plumbline.recalibration import INPUTS, METHODS, NONE, PROBABILITY, SCORE
from plumbline.recalibration.fit_map import INPUT_TEXT
from plumbline.recalibration.inputs import usual_input
from plumbline.scores import brier_convention

NO_EVIDENCE = (
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
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RecalibrationAdvice:
    """Say which recalibration lowers the log loss most, and whether any should be used.

    The verdict is that of the default calibration test, `calibration_test(data)` with the same
    seed. Where it shows no miscalibration, "none" is chosen: leave the probabilities as they are.

    Where it does, every method is cross-fitted: each part of the rows is recalibrated by a map
    fitted on the other parts. Of the methods that lower the log loss, the best and those not
    distinguishable from it are candidates (`choice.choice_of`). One whose recalibrated rows pass
    the calibration test wins over one that fails it; then the one of fewest parameters is chosen.
    `gain` is the fall of its log loss, with an interval by a paired t-test over the examples,
    widened for the variance of the maps (`choice.paired_change`). The interval is no condition: it
    says how certain the gain is. Where no method lowers the log loss, "none" is chosen, and the
    verdict says why.

    Without evidence of miscalibration, only maps of few parameters are cross-fitted, unless
    `methods` names others. Ratings have no verdict and must be mapped: their maps are compared with
    predicting the class shares, and if none gains the least log loss is chosen. Where examples have
    several rows, their first rows are tested. Only the column `row` shows which rows are of one
    example.

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
        Of the intervals.
    resamples : int, default 999
        Draws of the calibration tests.
    rng : int or Generator, default 0
        Random seed of the parts and of the calibration tests.
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
        An unknown method, or one that cannot read the table.

    References
    ----------
    Bayle et al. (2020), Cross-validation confidence intervals for test error.

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
    return advice_beside(
        None,
        data,
        methods=methods,
        on=on,
        parts=parts,
        level=level,
        resamples=resamples,
        rng=rng,
        workers=workers,
        progress=progress,
    )


def advice_beside(
    test: CalibrationTest | None,
    data: Predictions,
    *,
    methods: Sequence[str] | None = None,
    on: str | None = None,
    parts: int = 5,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RecalibrationAdvice:
    """Return `recalibration_advice` beside its calibration test where that is already known."""
    only_predictions(data).need_one_model("recalibration")
    open_fraction("level", level)
    whole_number("parts", parts, least=2)
    whole_number("resamples", resamples, least=1)
    read = _read_of(data, on)
    facts = _checked_facts(data, read)
    names = methods_to_try(methods, facts)
    entropy = entropy_of(rng)
    draws: dict[str, Any] = {"resamples": resamples, "rng": entropy, "workers": workers}
    setup = TrialSetup.of(data, read, parts, entropy)
    if test is None:
        test = verdict_test(data, examples_of(data), **draws)
    off = test is None or miscalibrated(test)
    if methods is None and not off:
        others = {name: NO_EVIDENCE for name in names if name not in CAREFUL}
        names = {name: reason or others.get(name) for name, reason in names.items()}
    trials = tried(setup, names, workers=workers, progress=progress)
    if all(trial.after is None for trial in trials):
        raise InputError(_why_nothing(trials, methods, facts), code="no-method-applies")
    before = Before.of(setup)
    judged = _judged(trials, before, level)
    p_values: dict[str, float] = {}  # of the recalibrated rows, by method

    def passes(one: Judged) -> bool:
        tested = verdict_test(setup.table_after(one.trial), setup.cut.example, **draws)
        p_values[one.trial.method] = p_value_of(tested)
        return tested is not None and not miscalibrated(tested)

    choice = None
    if off:
        best = [one for one in judged if isinstance(one, Judged)]
        choice = choice_of(best, before.rows, level=level, ratings=before.ratings, passes=passes)
    taken = None if choice is None else choice.taken.trial
    return _advice(
        setup,
        before,
        judged,
        choice,
        test=test,
        after=np.nan if taken is None else p_values[taken.method],
        recalibrated=setup.data if taken is None else setup.table_after(taken),
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


def _why_nothing(trials: Sequence[Trial], methods: Sequence[str] | None, facts: TableFacts) -> str:
    if methods is None and facts.rarest < LEAST_FEW:
        return (
            f"no recalibration can be tried: every method needs {LEAST_FEW} rows of every class, "
            f"and of {counted(facts.n, 'row')} the rarest has {facts.rarest}; give more rows"
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


def _judged(trials: Sequence[Trial], before: Before, level: float) -> list[Judged | Trial]:
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
        judged.append(Judged(one, losses, change, brier, before.rows.mean(losses.log_loss)))
    judged.sort(key=lambda one: (one.mean, one.trial.parameters))
    return [*judged, *(one for one in trials if one.after is None)]


def _advice(
    setup: TrialSetup,
    before: Before,
    judged: Sequence[Judged | Trial],
    choice: MethodChoice | None,
    test: CalibrationTest | None,
    after: float,
    recalibrated: Predictions,
    level: float,
    seed: int | None,
) -> RecalibrationAdvice:
    """Return the result.

    `test` is of the table as it is, None of ratings; `after` is the p-value of the same test of
    `recalibrated`, the table after the chosen map, NaN where none is chosen.
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
        p_value=p_value_of(test),
        impossible=0 if test is None else test.impossible_rows,
        miscalibrated=test is None or miscalibrated(test),
        after=after,
        passes=choice is not None and choice.passes,
        gain=NOTHING if taken is None else taken.log_loss,
        never=0 if before.ratings else _never(data, before.rows),
        log_loss_before=log_loss,
        level=level,
        ratings=before.ratings,
        constant=test is not None and "constant" in test.remark_codes and not miscalibrated(test),
        after_leaving=SMALLEST if test is None else test.step,
        groups=group_count(data),
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
        p_value=p_value_of(test),
        row_groups=groups_of_gain(data, recalibrated),
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
        p_value=one.log_loss.p_value,
        calibration_gained=assessment.shape.miscalibration - after.shape.miscalibration,
        refinement_lost=assessment.shape.discrimination - after.shape.discrimination,
        roc_auc_before=assessment.shape.roc_auc,
        roc_auc_after=after.shape.roc_auc,
        ties_created=before.rows.mean(ties) if before.orders_rows else np.nan,
        parameters=trial.parameters,
        helps=one.log_loss.interval_range[1] < 0,
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
        calibration_gained=nan,
        refinement_lost=nan,
        roc_auc_before=nan,
        roc_auc_after=nan,
        ties_created=nan,
        parameters=0,
        helps=False,
        reason=trial.reason,
    )
