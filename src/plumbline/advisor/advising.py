"""`recalibration_advice`: all methods that suit a table, cross-fitted, ranked and judged."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from plumbline._checks import one_of, open_fraction, whole_number
from plumbline.advisor import sentences
from plumbline.advisor.answers import MethodAdvice, RecalibrationAdvice
from plumbline.advisor.chance import Copies, chance_of
from plumbline.advisor.losses import NOTHING, Change, Losses, Rows, paired_change
from plumbline.advisor.parts import cut_of, with_shares
from plumbline.advisor.suitable import Facts, asked_methods, nothing_fits
from plumbline.advisor.trying import Asked, Looks, Trial, tried
from plumbline.comparison.answers import below
from plumbline.errors import InputError
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.recalibration.inputs import INPUTS, usual_input
from plumbline.recalibration.methods import METHODS
from plumbline.resampling import Seed, entropy_of, seed_of

NONE = "none"


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
    """Say which recalibration mends these probabilities best, and whether it helps beyond chance.

    Every method that suits the table is cross-fitted: each part of the rows is mended by a map
    fitted on the other parts. `docs/recalibration.md` tells what the methods are for.

    A map helps if it lowers the log loss of the rows, by more than chance would: with the maps held
    fixed and 999 times all labels drawn from the probabilities as they are (of very many rows 199
    times), p is the share of gains as large (`chance.gains`), adjusted for the number of methods
    as Westfall and Young (1993) do. Of those that help the one of the least log loss is chosen;
    where there is none, "none": leave the probabilities as they are. Intervals of the differences
    are those of the paired t-test over the examples (`losses.paired_change`), and say how much rows
    like these gain.

    Ratings are no probabilities: their maps are held against giving every row the shares of the
    classes, and the least log loss is chosen in any case. Where examples have several rows, their
    first rows are judged, their second ones and so on, and the p-values joined (`chance.py`).

    Parameters
    ----------
    data : held-out predictions of one model, with true classes
    methods : names of `recalibration.METHODS`; by default all that suit the table
    on : "probability" or "score", what maps read; probabilities by default
    parts : in how many parts the examples are dealt out; a table of 2 to 10 folds keeps these
    level : of the intervals; a map helps where the adjusted p <= 1 - level
    rng : of the parts and the labels that are drawn
    workers : threads; the answer does not depend on them

    Raises
    ------
    InputError
        Several models, labels alone, one class only, or too few rows for any method
    ParameterError
        An unknown method, or one that cannot read the table

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
    read = usual_input(data) if on is None else one_of("on", on, INPUTS)
    facts = _checked_facts(data, read)
    names = asked_methods(methods, facts)
    entropy = entropy_of(rng)
    cut = cut_of(data, parts, entropy)
    reference = with_shares(data, cut.part) if data.prob is None else data
    asked = Asked(data, read, reference, cut, Copies.of(cut.example), entropy)
    trials = tried(asked, names, workers=workers, progress=progress)
    if all(trial.after is None for trial in trials):
        raise InputError(_why_nothing(trials, methods, facts))
    before = _before(asked)
    judged = _judged(trials, before, level)
    return _answer(asked, judged, before, level=level, seed=seed_of(rng))


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
        looks=Looks.of(data, asked.cut), losses=Losses.of(asked.reference),
        rows=Rows(data.mass, asked.cut.example), copies=asked.copies, ratings=data.prob is None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One method with its changes; `adjusted` is its p-value among all."""

    trial: Trial
    losses: Losses
    log_loss: Change
    brier: Change
    adjusted: float
    helps: bool
    mean: float


def _judged(trials: Sequence[Trial], before: Before, level: float) -> list[Judged | Trial]:
    """Return the methods that were tried, least log loss first, then the others."""
    done = [(one, one.after.losses) for one in trials if one.after and one.after.losses]
    changes = [
        paired_change(before.losses.log_loss, own.log_loss, before.rows, level=level)
        for _, own in done
    ]
    chances = _chances([one for one, _ in done], changes, before.copies)
    found = []
    for (one, own), change, (p_value, adjusted) in zip(done, changes, chances, strict=True):
        brier = paired_change(before.losses.brier_score, own.brier_score, before.rows, level=level)
        helps = change.difference < 0 and below(adjusted, level)
        mean = before.rows.mean(own.log_loss)
        change = replace(change, p_value=p_value)
        found.append(Judged(one, own, change, brier, adjusted, helps, mean))
    found.sort(key=lambda one: (one.mean, one.trial.parameters))
    return [*found, *(one for one in trials if one.after is None)]


def _chances(
    done: Sequence[Trial], changes: Sequence[Change], copies: Copies
) -> list[tuple[float, float]]:
    """Return p-values and adjusted ones; what is infinite is beyond chance without any draws."""
    own, adjusted = chance_of([one.gains for one in done if one.gains is not None], copies)
    return [
        (change.p_value,) * 2 if change.reason is not None else (float(p), float(q))
        for change, p, q in zip(changes, own, adjusted, strict=True)
    ]


def _answer(
    asked: Asked,
    judged: Sequence[Judged | Trial],
    before: Before,
    *,
    level: float,
    seed: int | None,
) -> RecalibrationAdvice:
    data = asked.data
    best = [one for one in judged if isinstance(one, Judged)]
    better = [one for one in best if before.ratings or one.helps]
    chosen = better[0] if better else None
    rows = [_row(one, before) for one in judged]
    near = [] if chosen is None else _near(chosen, best, before.rows, level)
    log_loss, brier = (
        before.rows.mean(one) for one in (before.losses.log_loss, before.losses.brier_score)
    )
    told = sentences.Told(
        rows=tuple(rows), chosen=None if chosen is None else chosen.trial.method,
        near=tuple(near), n=data.n, log_loss_before=log_loss, level=level, ratings=before.ratings,
    )  # fmt: skip
    return RecalibrationAdvice(
        model=data.models[0] if data.models else None,
        n=data.n,
        parts=asked.cut.parts,
        on=asked.read,
        level=level,
        seed=seed,
        log_loss_before=np.nan if before.ratings else log_loss,
        brier_before=np.nan if before.ratings else brier,
        chosen=NONE if chosen is None else chosen.trial.method,
        verdict=sentences.verdict(told),
        methods=tuple(rows),
        remarks=sentences.remarks(told, data, asked.cut),
        mended=data if chosen is None else _table(asked, chosen.trial),
    )


def _table(asked: Asked, trial: Trial) -> Predictions:
    return asked.mended(trial.method).table if trial.table is None else trial.table


def _near(chosen: Judged, best: Sequence[Judged], rows: Rows, level: float) -> list[str]:
    """Return the methods whose log loss is not shown to be worse than the chosen one's."""
    found = []
    for one in best:
        if one is not chosen:
            change = paired_change(chosen.losses.log_loss, one.losses.log_loss, rows, level=level)
            if not below(change.p_value, level):
                found.append(one.trial.method)
    return found


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
        p_value=one.log_loss.p_value,
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
        method=trial.method, title=METHODS[trial.method].title, log_loss=nan, brier_score=nan,
        log_loss_difference=nan, log_loss_range=nowhere, brier_difference=nan, brier_range=nowhere,
        p_value=nan, adjusted_p_value=nan, calibration_gained=nan, refinement_lost=nan,
        roc_auc_before=nan, roc_auc_after=nan, ties_created=nan, parameters=0, helps=False,
        reason=trial.reason,
    )  # fmt: skip
