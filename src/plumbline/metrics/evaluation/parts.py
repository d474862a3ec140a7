"""What metrics say of the rows of one model, or of a group of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from plumbline.calibration import Wide, warn_of_preset
from plumbline.calibration_tests.evidence import NO_RANGE, central_range, two_sided
from plumbline.calibration_tests.subject import Ask, Subject
from plumbline.metrics.catalogue import DecisionStatistic, Metric
from plumbline.metrics.catalogue.metric import Between
from plumbline.metrics.evaluation.answers import Measure
from plumbline.metrics.evaluation.together import null_values, values_of
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Chance:
    """How nulls and intervals are drawn."""

    resamples: int
    seed: int
    workers: int | None
    interval: bool
    level: float


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of one model, and the names they go by."""

    model: str | None
    group: str | None
    data: Predictions


def measures_of(
    part: Part,
    rows: Sequence[Metric],
    *,
    asked: Ask,
    chance: Chance,
    progress: Progress | None = None,
) -> list[Measure]:
    """Return every metric of a part, with all nulls drawn together."""
    data = _decided(part.data, rows)
    subjects = [row.subject(data, row.part_of(asked)) for row in rows]
    statistics = [subject.statistic for subject in subjects]
    values = values_of(statistics)
    middle = 0.5 if chance.interval else 1.0
    draws = null_values(
        statistics,
        0 if part.data.prob is None else chance.resamples,
        chance.seed,
        workers=chance.workers,
        progress=share_of(progress, 0.0, middle),
    )
    bar = share_of(progress, middle, 1.0)
    found = []
    for turn, (row, subject) in enumerate(zip(rows, subjects, strict=True)):
        if subject.setting is not None:
            warn_of_preset(part.data, subject.setting, values[turn])
        found.append(_measure(part, row, subject, values[turn], draws[turn], asked, chance))
        if chance.interval and bar is not None:
            bar(turn + 1, len(rows))
    return found


def _decided(data: Predictions, rows: Sequence[Metric]) -> Predictions:
    """Return the table with its decisions written down where several metrics look at them."""
    several = sum(row.needs == "labels" for row in rows) > 1
    return replace(data, label=data.predicted) if several and data.prob is not None else data


def _measure(
    part: Part,
    row: Metric,
    subject: Subject,
    value: float,
    draws: Wide,
    asked: Ask,
    chance: Chance,
) -> Measure:
    """Put the observed value, its null and its interval as a measure."""
    known = draws[~np.isnan(draws)]
    with np.errstate(invalid="ignore"):  # infinities of both signs have no mean
        mean = float(np.clip(known.mean(), known.min(), known.max())) if len(known) else NAN
        excess = float(np.subtract(value, mean))
    low, high = central_range(known)
    between = _interval(part, row, subject, asked, chance)
    what = subject.statistic
    absent = what.absent() if isinstance(what, DecisionStatistic) else None
    reasons = [row.why(value, subject), absent, _of_null(part.data, draws, mean, low)]
    reasons += [] if between is None else [between.reason]
    return Measure(
        model=part.model,
        group=part.group,
        metric=row.name,
        view=subject.view,
        scheme=subject.scheme,
        n=part.data.n,
        effective_n=part.data.effective_n,
        value=value,
        null_mean=mean,
        null_range=(float(low), float(high)),
        excess=excess,
        p_value=two_sided(draws, value, subject.like),
        interval_range=None if between is None else (between.low, between.high),
        interval_method=None if between is None else between.method,
        resamples=len(draws),
        reason="; ".join(filter(None, reasons)) or None,
    )


def _interval(
    part: Part, row: Metric, subject: Subject, asked: Ask, chance: Chance
) -> Between | None:
    """Return the interval of a metric, or why it has none; None where none was asked for."""
    if not chance.interval:
        return None
    if row.between is not None:
        return row.between(part.data, row.part_of(asked), chance.level)
    if part.data.prob is None:
        return Between(NAN, NAN)
    from plumbline.intervals import interval_of

    found = interval_of(
        subject.statistic,
        weight=part.data.weight,
        kind=row.interval,
        level=chance.level,
        resamples=chance.resamples,
        rng=chance.seed,
        workers=chance.workers,
    )
    return Between(found.low, found.high, found.method, found.reason)


def _of_null(data: Predictions, draws: Wide, mean: float, low: float) -> str | None:
    """Say what is missing of a null, drawn or not."""
    if data.prob is None:
        kind = "labels" if data.score is None else "ratings"
        return f"{kind} alone have no null: it needs probabilities"
    m = len(draws)
    undefined, infinite = (int(np.count_nonzero(f(draws))) for f in (np.isnan, np.isinf))
    reasons = []
    if undefined:
        reasons.append(
            f"undefined in {undefined:,} of {m:,} draws, which the p-value counts as extreme and "
            "mean and range leave out"
        )
    if infinite and not np.isfinite(mean):
        reasons.append(f"infinite in {infinite:,} of {m:,} draws, so that the null has no mean")
    if m and np.isnan(low):
        reasons.append(NO_RANGE if not undefined else "no 95 % range: too few draws have a value")
    return "; ".join(reasons) or None
