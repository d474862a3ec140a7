"""`recalibration_effect`: the same rows before and after a map, score by score, with tests."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from plumbline._checks import checked_draws
from plumbline._result import Detail, NextStep, Note
from plumbline.advisor.choice import Floats, RowMasses, paired_change
from plumbline.advisor.recalibrate import method_or_choice
from plumbline.advisor.recalibration_advice import recalibration_advice
from plumbline.advisor.results import RecalibrationEffect, ScoreChange
from plumbline.advisor.trials import (
    Losses,
    TableFacts,
    cut_of,
    examples_of,
    groups_of_gain,
    more_flexible,
    tied,
)
from plumbline.advisor.verdict_test import p_value_of, verdict_test
from plumbline.calibration_errors import calibration_error
from plumbline.comparison import ComparisonParams, Design, Pair, quantity_of
from plumbline.comparison.advice import HOLDOUT
from plumbline.comparison.results import below
from plumbline.comparison.run_test import run_test, usual_test
from plumbline.formatting import counted, interval, p_equals, percentage, said
from plumbline.metrics import metric_named, metric_value
from plumbline.predictions import Predictions, examples_in, only_predictions
from plumbline.progress import Progress, share_of, with_shares
from plumbline.random_streams import Seed, entropy_of, seed_of
from plumbline.recalibration import (
    AUTO,
    METHODS,
    NONE,
    RecalibrationMap,
    cross_fitted,
    fit_map,
)
from plumbline.recalibration.inputs import usual_input
from plumbline.scores import brier_convention
from plumbline.verdicts import LEVEL

METRICS = ("log-loss", "brier-score", "accuracy", "ece", "roc-auc")
LOSSES: Mapping[str, Callable[[Losses], Floats]] = {  # of every row, in the table's convention
    "log-loss": lambda losses: losses.log_loss,
    "brier-score": lambda losses: losses.brier_score,
}
PARTS = 5  # in which a named method is cross-fitted
FITTING = 0.5  # share of the work that this is
BINS = "equal-width:15"  # of the calibration error
OF_RATINGS = "ratings have no value before recalibration"
NO_AUC_TEST = "no test for the mean AUC of several classes"


def recalibration_effect(
    fitted: RecalibrationMap | str,
    data: Predictions,
    *,
    resubstitution: bool = False,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RecalibrationEffect:
    """Apply a map to rows with true classes, and test what it changed.

    Log loss, Brier score and calibration error are compared by the paired permutation test, which
    exchanges before and after within rows, the accuracy by McNemar's test, the ROC area by
    `delong-t` (few rows: by a permutation test of ranks), all as in `compare`. Each interval
    inverts the test beside it: it leaves 0 out where p is at most 1 - level. The omnibus
    calibration test is run before and after. Rows of one example count once. Where a method is
    named, its maps vary with the rows: log loss and Brier score then have the test and the interval
    of `recalibration_advice`.

    Parameters
    ----------
    fitted : RecalibrationMap or str
        The map, from `recalibrate` or `RecalibrationMap.load`; or the name of a method, or "auto":
        every row is then recalibrated by a map fitted on the other of five parts of `data`.
    data : Predictions
        Rows of one model with true classes, which the map was not fitted on.
    resubstitution : bool, default False
        Whether rows that the map was fitted on are allowed. The result is then optimistic.
    level : float, default 0.95
        Of the intervals; a change is significant where its p-value is at most 1 - level.
    resamples : int, default 999
        Sets of labels or rows that each test draws.
    rng : int or Generator, default 0
        Random seed of the tests.
    workers : int, optional
        Threads; by default all cores. The result does not depend on them.
    progress : callable, optional
        Called with (done, total) on the way.

    Returns
    -------
    RecalibrationEffect
        Every score before and after with its test, a verdict, and both tables.

    Raises
    ------
    InputError
        The map was fitted on rows of the table (unless `resubstitution`), or for other classes.
    ParameterError
        A level outside 0 to 1, or too few resamples.

    Examples
    --------
    >>> from plumbline.advisor import recalibrate
    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(size=800)
    >>> actual = rng.uniform(size=800) < p
    >>> bold = Predictions.from_arrays(actual, p**3 / (p**3 + (1 - p) ** 3))
    >>> fitted = recalibrate(bold.select(where=range(400)), "temperature")
    >>> effect = recalibration_effect(fitted, bold.select(where=range(400, 800)), resamples=99)
    >>> effect.changes[0].metric, effect.changes[0].better
    ('log-loss', 'after')
    """
    only_predictions(data).need_one_model("recalibration")
    if isinstance(fitted, str):
        rng = entropy_of(rng)
        method, after = recalibrated_in_parts(
            data,
            fitted,
            rng=rng,
            resamples=resamples,
            workers=workers,
            progress=share_of(progress, 0.0, FITTING),
        )
        progress = share_of(progress, FITTING, 1.0)
    else:
        method, after = fitted.method, fitted(data, resubstitution=resubstitution)
    return effect_between(
        data,
        after,
        method=method,
        held_out=isinstance(fitted, str) or not resubstitution,
        maps_vary=isinstance(fitted, str),
        level=level,
        resamples=resamples,
        rng=rng,
        workers=workers,
        progress=progress,
    )


def recalibrated_in_parts(
    data: Predictions,
    method: str,
    *,
    rng: int,
    resamples: int = 999,
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[str, Predictions]:
    """Return a method and the rows, each recalibrated by its map of the other parts.

    "auto" is the method that `recalibration_advice` chooses.
    """
    method = method_or_choice(method)
    if method == NONE:
        return NONE, data
    if method != AUTO:
        number = cut_of(data, PARTS, rng).part
        return method, cross_fitted(data, lambda part: fit_map(part, method), parts=number).table
    advice = recalibration_advice(
        data,
        parts=PARTS,
        resamples=resamples,
        rng=rng,
        workers=workers,
        progress=progress,
    )
    return advice.chosen, advice.recalibrated


def effect_between(
    before: Predictions,
    after: Predictions,
    *,
    method: str,
    held_out: bool = True,
    maps_vary: bool = False,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RecalibrationEffect:
    """Test what a map changed between two tables of the same rows; see `recalibration_effect`.

    `maps_vary`: the rows were recalibrated by maps fitted on other parts of the same rows.
    """
    checked_draws(resamples, level, interval=True)
    entropy = entropy_of(rng)
    draws: dict[str, Any] = {"resamples": resamples, "rng": entropy, "workers": workers}
    design = Design(HOLDOUT, counted(before.n, "row"))
    params = ComparisonParams(
        design=design, level=level, resamples=resamples, entropy=entropy, workers=workers
    )
    pair = Pair(after, replace(before, model=after.model), examples_of(before))
    compared = len(METRICS) / (len(METRICS) + 2)  # share of the work, beside two tests
    changes = tuple(
        _change(name, pair, params, draws, method=method, maps_vary=maps_vary, progress=share)
        for name, share in with_shares(METRICS, share_of(progress, 0.0, compared))
    )
    tests = [
        p_value_of(verdict_test(table, pair.example, progress=share, **draws))
        for table, share in with_shares((before, after), share_of(progress, compared, 1.0))
    ]
    name = before.models[0] if before.models else None
    return RecalibrationEffect(
        model=name,
        method=method,
        n=before.n,
        honest=held_out,
        level=level,
        seed=seed_of(rng),
        changes=changes,
        brier_convention=brier_convention(after),
        test_before=tests[0],
        test_after=tests[1],
        ties_before=_share(tied(before), before),
        ties_after=_share(tied(after), before),
        answers_changed=_answers_changed(before, after),
        verdict=_verdict(changes, method, before.n, level=level),
        remarks=_remarks(pair, held_out),
        row_groups=groups_of_gain(before, after),
        details=tuple(_details(changes, tests, method)),
        notes=() if method == NONE else _reconciled(changes[0], tests),
        next_step=_next_step(tests, method, before),
        before=before,
        after=after,
    )


# ------------------------------------------------------------------ one number


def _change(
    name: str,
    pair: Pair,
    params: ComparisonParams,
    draws: Mapping[str, Any],
    *,
    method: str,
    maps_vary: bool,
    progress: Progress | None,
) -> ScoreChange:
    """Return one number before and after, tested where it has a test."""
    row = metric_named(name)
    after, before = pair.first, pair.second
    nulls = _nulls(name, before, after, draws)
    if method == NONE:
        return _same(name, metric_value(row, before), nulls)
    if not row.serves(before):
        return _untested(name, np.nan, metric_value(row, after), OF_RATINGS, nulls=nulls)
    if name == "roc-auc" and before.k > 2:
        lost, left = (metric_value(row, table) for table in (before, after))
        return _untested(name, lost, left, NO_AUC_TEST, nulls=nulls)
    if maps_vary and name in LOSSES:
        return _of_varying_maps(name, pair, params.level)
    # A map moves all probabilities a little: errors before and after vary together, unlike those of
    # two models, so their own intervals say too little of their difference.
    quantity = replace(quantity_of(row.name, after), interval=None)
    test = usual_test(pair, quantity, params.design)
    result = run_test(
        test,
        pair,
        quantity,
        params,
        models=("recalibrated", "as it is"),
        progress=progress,
    )
    left, lost = result.values
    if np.isinf(left) or np.isinf(lost):
        return _untested(name, lost, left, result.answer.reason, nulls=nulls)
    return ScoreChange(
        metric=name,
        title=row.title,
        before=lost,
        after=left,
        difference=result.answer.difference,
        interval_range=result.answer.interval_range,
        p_value=result.answer.p_value,
        better=_better(row.better, result.answer.difference, result.answer.p_value, params.level),
        null_before=nulls[0],
        null_after=nulls[1],
        reason=result.answer.reason,
    )


def _of_varying_maps(name: str, pair: Pair, level: float) -> ScoreChange:
    """Return a score before and after with the test of the advice, which allows for other maps."""
    tables, row = (pair.second, pair.first), metric_named(name)
    before, after = (LOSSES[name](Losses.of(table)) for table in tables)
    change = paired_change(before, after, RowMasses.of(pair.second, pair.example), level=level)
    lost, left = (metric_value(row, table) for table in tables)
    if np.isinf(lost) or np.isinf(left):
        return _untested(name, lost, left, change.reason, nulls=(np.nan, np.nan))
    return ScoreChange(
        metric=name,
        title=row.title,
        before=lost,
        after=left,
        difference=change.difference,
        interval_range=change.interval_range,
        p_value=change.p_value,
        better=_better(row.better, change.difference, change.p_value, level),
        null_before=np.nan,
        null_after=np.nan,
        reason=change.reason,
    )


def _same(name: str, value: float, nulls: tuple[float, float]) -> ScoreChange:
    """Return a number that nothing has changed."""
    return ScoreChange(
        metric=name,
        title=metric_named(name).title,
        before=value,
        after=value,
        difference=0.0,
        interval_range=(0.0, 0.0),
        p_value=1.0,
        better=None,
        null_before=nulls[0],
        null_after=nulls[1],
    )


def _untested(
    name: str, before: float, after: float, reason: str | None, *, nulls: tuple[float, float]
) -> ScoreChange:
    """Return a number without a test; where it was infinite and is not, that is better."""
    row = metric_named(name)
    finite = np.isfinite(before) or np.isfinite(after)
    difference = after - before if finite else np.nan
    better = None
    if np.isinf(difference):
        better = _better(row.better, difference, 0.0, 0.5)
    return ScoreChange(
        metric=name,
        title=row.title,
        before=before,
        after=after,
        difference=difference,
        interval_range=(np.nan, np.nan),
        p_value=np.nan,
        better=better,
        null_before=nulls[0],
        null_after=nulls[1],
        reason=reason,
    )


def _better(side: str, difference: float, p_value: float, level: float) -> str | None:
    """Return which is better, None where the difference is not significant."""
    if not below(p_value, level) or difference == 0:
        return None
    return "after" if (difference > 0) == (side == "higher") else "before"


def _nulls(
    name: str, before: Predictions, after: Predictions, draws: Mapping[str, Any]
) -> tuple[float, float]:
    """Return what a calibration error would be on average if the probabilities were calibrated.

    Rows of one example have one label, which they cannot draw apart: there it is not known.
    """
    if name != "ece" or examples_in(before) < before.n:
        return np.nan, np.nan
    first, second = (
        np.nan if table.prob is None else calibration_error(table, bins=BINS, **draws).null_mean
        for table in (before, after)
    )
    return first, second


# ------------------------------------------------------------------ rows


def _share(marks: Any, data: Predictions) -> float:
    """Return the weighted share of marked rows, NaN without any weight."""
    return float(np.average(marks, weights=data.mass)) if data.mass.any() else np.nan


def _answers_changed(before: Predictions, after: Predictions) -> float:
    if before.prob is None and before.label is None:
        return float("nan")
    answer = before.predicted if before.prob is None else before.most_likely
    return _share(answer != after.most_likely, before)


# ------------------------------------------------------------------ words


def _verdict(changes: tuple[ScoreChange, ...], method: str, n: int, *, level: float) -> str:
    """Say whether the map lowered the log loss."""
    loss, brier = changes[:2]
    if method == NONE:
        values = f"Log loss {said(loss.after)}, Brier score {said(brier.after)}"
        return f"Nothing was changed. {values} (n = {n:,})."
    if np.isnan(loss.before):
        return f"Log loss {said(loss.after)} after recalibration (n = {n:,})."
    ci = f"{percentage(level)} CI of the change {interval(loss.interval_range)}"
    shown = [] if np.isnan(loss.interval_range[0]) else [ci]
    shown += [] if np.isnan(loss.p_value) else [p_equals(loss.p_value)]
    moved = f"log loss {_moved(loss)} after recalibration ({', '.join([*shown, f'n = {n:,}'])})"
    word = {"after": "Better", "before": "Worse", None: "No significant change"}[loss.better]
    return f"{word}: {moved}."


def _details(changes: tuple[ScoreChange, ...], tests: list[float], method: str) -> Iterator[Detail]:
    """Yield the other scores before and after, and the omnibus test."""
    by_name = {change.metric: change for change in changes}
    brier, error = by_name["brier-score"], by_name["ece"]
    if method != NONE:
        p = "" if np.isnan(brier.p_value) else f" ({p_equals(brier.p_value)})"
        yield Detail("brier_score", "Brier score", f"{_moved(brier)}{p}")
    yield Detail("ece", "ECE", _moved(error))
    if not np.isnan(error.null_after):
        text = _arrow(error.null_before, error.null_after)
        yield Detail("null", "expected if calibrated", text, joined=True)
    before, after = tests
    if np.isnan(after):
        return
    text = p_equals(after)
    if method != NONE and not np.isnan(before):
        text = f"{p_equals(before)} before, {text} after"
    yield Detail("omnibus", "calibration test", text)


def _moved(change: ScoreChange) -> str:
    return _arrow(change.before, change.after)


def _arrow(before: float, after: float) -> str:
    if np.isnan(before):
        return said(after)
    return f"{said(before)} → {said(after)}"


def _next_step(tests: list[float], method: str, data: Predictions) -> NextStep | None:
    """Name a more flexible map where the recalibrated rows are still miscalibrated.

    Where they were not before, the map did it: a more flexible one would be no remedy.
    """
    before, after = tests
    if method == NONE or not after <= LEVEL or before > LEVEL:
        return None
    more = more_flexible(method, TableFacts.of(data, usual_input(data)))
    if more is None:
        return None
    still = "Miscalibrated" if np.isnan(before) else "Still miscalibrated"  # of ratings
    text = f"{still}: try {METHODS[more].title}, which is more flexible."
    return NextStep("recalibrate", text, {"method": more}, per_model=True)


def _reconciled(loss: ScoreChange, tests: list[float]) -> tuple[Note, ...]:
    """Say how the change of the log loss and the omnibus tests go together where they seem not."""
    before, after = (p_value <= LEVEL for p_value in tests)  # NaN is not
    text = ""
    if after and not before and not np.isnan(tests[0]):
        text = "Only after the map are these rows miscalibrated: keep the old probabilities."
    elif loss.better is None and before and not np.isnan(loss.before):
        low, high = loss.interval_range
        span = " (its interval includes 0)" if low <= 0 <= high else ""
        text = (
            f"The miscalibration before is significant; the gain from recalibrating is not{span}."
        )
    elif loss.better == "after" and after:
        text = "The map corrects only part of the miscalibration."
    elif loss.better == "after" and not before and not np.isnan(tests[0]):
        text = (
            "The omnibus test can miss a small miscalibration that the paired comparison of the "
            "log loss detects."
        )
    return (Note(text, "reconciled"),) if text else ()


def _remarks(pair: Pair, held_out: bool) -> tuple[str, ...]:
    """Return what the reader should know before believing it."""
    remarks = []
    if not held_out:
        remarks.append(
            "Optimistic: the map was fitted on rows of this table. Apply it to held-out rows."
        )
    if pair.second.groups is not None:
        remarks.append(
            f"{pair.n:,} rows in {counted(pair.examples, 'group')}: groups are resampled as a "
            "whole."
        )
    elif pair.repeated:
        remarks.append(
            f"{pair.n:,} rows of {pair.examples:,} examples: examples are resampled as a whole, "
            "and the calibration test uses the first row of each."
        )
    return tuple(remarks)
