"""`measure`: any metrics of any models and groups, each beside its null."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import checked_draws, near_names, shown
from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.binning import BinsLike, group_rows
from plumbline.calibration import (
    Drawable,
    Ints,
    Measurable,
    OwnDistance,
    ProfileStatistic,
    SameLabels,
    SameSums,
    Statistic,
    Wide,
    warn_of_preset,
    with_merged_rows,
)
from plumbline.calibration_errors import (
    CalibrationTest,
    NamedStatistic,
    NullSummary,
    StatisticParams,
    compare_with_draws,
    of_all_rows,
)
from plumbline.calibration_errors.next_steps import ALL_KINDS, OF_ONE_MODEL
from plumbline.calibration_errors.p_values import NO_RANGE, warn_of_repeated_examples
from plumbline.calibration_errors.results import EXPECTED, INTERVAL, verdict_entries
from plumbline.dependence import (
    INDEPENDENT_ROWS,
    RowGroups,
    Strength,
    drawn_share,
    group_details,
    group_notes,
    row_groups_in,
)
from plumbline.errors import ParameterError
from plumbline.formatting import beside, bins_words, percentage, quoted, view_words
from plumbline.formatting import interval as interval_text
from plumbline.metrics.builds import warn_of_smoother
from plumbline.metrics.decision_statistic import DecisionStatistic
from plumbline.metrics.metric import Metric, MetricInterval, MetricTest
from plumbline.metrics.model_scores import model_scores
from plumbline.metrics.names import METRICS, USUAL, check_question, metric_named, metrics_named
from plumbline.nulls import (
    DRAWS_PER_BLOCK,
    FEWER_ALONE,
    LEAST_DRAWS,
    by_bins,
    counted_apart,
    observed,
    resampled,
)
from plumbline.nulls.resampling import LARGEST_BLOCK
from plumbline.predictions import Predictions, coarsened, only_predictions, ordered
from plumbline.progress import Progress, share_of, with_shares
from plumbline.random_streams import Seed, entropy_of
from plumbline.verdicts import expected, p_or_bound

LEFT = ("model", "group", "metric", "view")
EXACTLY = (
    "Exactly: the same for all outcomes drawn from these predictions, as where all are 0 or 1."
)
NOT_ADJUSTED = "p: two-sided, not adjusted for the number of metrics."
MEAN_ALONE = (
    "Range and p of {}: of the mean prediction alone, whether the model is over- or underconfident "
    "or not."
)
OTHER_QUESTION = " p: of calibration, with these scores held fixed; another question."
OWN = ("model", "group", "n", "effective_n")  # what the entry of a part says already
LEFT_OUT = ("interval_low", "interval_high", "interval_range", "resamples")


@dataclass(frozen=True, repr=False, eq=False)
class Measure(Result):
    """One metric of one model, on all rows or on a group of them.

    Attributes
    ----------
    model, group : whose rows; None where the table was not split
    metric, view, scheme : what was measured, in which bins; None where there are none
    n, effective_n : rows, and (sum w)^2 / sum w^2
    value : the metric
    null_mean, null_range : its mean and central 95 % range if the probabilities are calibrated; of
        calibration in the large, O/E ratio and calibration intercept: if the mean prediction is
        right
    excess : value - null_mean
    p_value : two-sided: at most 0.05 exactly where the value is outside the 95 % range
    interval_range : confidence interval of the population value, None unless it was asked for
    interval_method : how that was computed
    resamples : number of draws of the labels
    reason : why a number is missing or not finite, and which classes an average leaves out
    independent_n : of rows in groups, how many independent rows tell as much about the metric, by
        the draws; None where no labels were drawn
    """

    model: str | None
    group: str | None
    metric: str
    view: str
    scheme: str | None
    n: int
    effective_n: float
    value: float
    null_mean: float
    null_range: tuple[float, float]
    excess: float
    p_value: float
    interval_range: tuple[float, float] | None
    resamples: int
    reason: str | None = None
    interval_method: str | None = None
    independent_n: float | None = None

    def __float__(self) -> float:
        return self.value

    def present(self) -> Presentation:
        """Return the number beside what is expected of it if the probabilities are calibrated."""
        return Presentation(
            details=tuple(self.details()),
            notes=tuple(_missing((self,))),
            legend=_legend((self,)),
        )

    def details(self) -> Iterator[Detail]:
        """Yield the number, what is expected of it, and where it belongs."""
        if self.model is not None:
            yield Detail("model", "model", self.model)
        if self.group is not None:
            yield Detail("group", "group", self.group)
        yield Detail("metric", "metric", self.metric)
        yield Detail("view", "view", view_words(self.view))
        yield Detail("n", "rows", f"{self.n:,}")
        yield Detail("value", "value", self.shown())
        if self.resamples:
            yield Detail("null_mean", "expected if calibrated", self.expected(), joined=True)
            yield Detail("p_value", "p", p_or_bound(self.p_value, self.resamples))
        if self.interval_range is not None:
            yield Detail("interval_range", "CI", interval_text(self.interval_range))
        if self.independent_n is not None:
            yield Detail("independent_n", INDEPENDENT_ROWS, f"{self.independent_n:,.0f}")

    def shown(self) -> str:
        """Return the value with the digits of what stands beside it."""
        return beside(self.value, self.interval_range or self.null_range)

    def expected(self) -> str:
        """Return mean and range of the metric if the probabilities are calibrated."""
        return expected(self.null_mean, self.null_range, label="")


@dataclass(frozen=True, repr=False, eq=False)
class Measures(Result):
    """Metrics of models and groups, one row each.

    Attributes
    ----------
    by : the attribute whose values are the groups, or None
    level : of the intervals
    measures : the rows
    row_groups : how much the rows of its groups depend; None where they are in none
    data : the table that was measured (hidden)
    tests : the default calibration test of every model, whose verdicts then stand first (hidden)
    """

    by: str | None
    level: float
    measures: Sequence[Measure]
    data: Predictions = field(metadata={"hidden": True})
    tests: Mapping[str | None, CalibrationTest] = field(
        default_factory=dict, metadata={"hidden": True}
    )
    row_groups: RowGroups | None = None

    def beside(self, tests: Mapping[str | None, CalibrationTest]) -> "Measures":
        """Return them with the verdict of the default calibration test of every model."""
        return replace(self, tests=tests)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a model, group and metric; a range is two columns, `low` and `high`."""
        rows = []
        for one in self.measures:
            (row,) = one.rows()
            flat = {"low": row.get("interval_low"), "high": row.get("interval_high")}
            reason = row.get("reason")
            kept = {k: v for k, v in row.items() if k not in (*LEFT_OUT, "reason")}
            rows.append({**kept, **flat, "reason": reason})
        return rows

    def __getitem__(self, metric: str) -> Measure:
        """Return the row of a metric, where one model and no groups were measured."""
        result = [one for one in self.measures if one.metric == metric]
        if len(result) == 1:
            return result[0]
        if not result:
            known = tuple(dict.fromkeys(one.metric for one in self.measures))
            raise ParameterError(
                f"{quoted(metric)} was not measured, only "
                f"{shown(known)}{near_names(metric, known)}",
                code="not-measured",
            )
        raise ParameterError(
            f"{quoted(metric)} was measured for {len(result)} models or groups; use .measures or "
            ".to_frame()",
            code="measured-several-times",
        )

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return an entry a model and group: its scores, and the metrics."""
        entries = []
        for part in parts_of(self.data, self.by):
            (scores,), _ = model_scores(part.data, part.model).json_entries()
            whose = {} if self.by is None else {"group": part.group}
            own = (
                one.to_dict()
                for one in self.measures
                if (one.model, one.group) == (part.model, part.group)
            )
            metrics = [{k: v for k, v in one.items() if k not in OWN} for one in own]
            verdict = verdict_entries(self.tests.get(part.model))
            entries.append({**scores, **whose, **verdict, "metrics": metrics})
        return entries, {}

    def present(self) -> Presentation:
        """Return a line a metric, why numbers are missing, and what the columns mean."""
        rows = self.measures
        usual = {"all-classes"}
        if self.data.k == 2:
            usual |= {f"one-vs-rest:{self.data.classes[self.data.positive]}"}
        views = {one.view for one in rows}
        words = {view_words(view) for view in views}
        columns: dict[str, list[str]] = {}
        if any(one.model is not None for one in rows):
            columns["model"] = [one.model or "-" for one in rows]
        if any(one.group is not None for one in rows):
            columns["group"] = [one.group or "-" for one in rows]
            columns["rows"] = [f"{one.n:,}" for one in rows]
        columns["metric"] = [one.metric for one in rows]
        if len(words) > 1 and views - usual:
            columns["view"] = [view_words(one.view) for one in rows]
        columns["value"] = [one.shown() for one in rows]
        drawn = any(one.resamples for one in rows)
        if drawn:
            columns["expected if calibrated (95 % range)"] = [
                one.expected() if one.resamples else "-" for one in rows
            ]
            columns["p"] = [p_or_bound(one.p_value, one.resamples) for one in rows]
        ends = [one.interval_range for one in rows]
        if any(one is not None for one in ends):
            texts = ["-" if one is None else interval_text(one) for one in ends]
            columns[f"{percentage(self.level)} CI"] = texts
        if any(one.independent_n is not None for one in rows):
            columns[INDEPENDENT_ROWS] = [
                "-" if one.independent_n is None else f"{one.independent_n:,.0f}" for one in rows
            ]
        verdicts = " ".join(
            test.verdict if name is None else f"{name}: {test.verdict}"
            for name, test in self.tests.items()
        )
        return Presentation(
            subject=f"View: {words.pop()}." if len(words) == 1 and views - usual else "",
            details=group_details(self.row_groups),
            notes=(
                *([Note(verdicts, "verdict")] if verdicts else []),
                *_missing(rows),
                *(group_notes(self.row_groups) if drawn or any(ends) else ()),
            ),
            next_step=self._next() if drawn else None,
            tables=(Table(columns, left=LEFT),),
            tables_first=True,
            legend=_legend(rows),
        )

    def _next(self) -> NextStep:
        """Return the step of the verdicts where they agree, else the test of each."""
        if not self.tests:
            return ALL_KINDS
        steps = [test.step for test in self.tests.values()]
        if len(steps) == 1:
            return steps[0]
        if all(step == steps[0] for step in steps) and steps[0].request not in OF_ONE_MODEL:
            return replace(steps[0], per_model=False)
        return SEE_EACH


SEE_EACH = NextStep("test", "See what to do about each model.")


def _legend(rows: Sequence[Measure]) -> tuple[str, ...]:
    """Return what the columns mean, and what kind of interval each metric has."""
    explained = [EXPECTED, NOT_ADJUSTED] if any(one.resamples for one in rows) else []
    alone = dict.fromkeys(one.metric for one in rows if one.resamples and _tested_alone(one))
    explained += [MEAN_ALONE.format(", ".join(alone))] if alone else []
    explained += [EXACTLY] if any(one.expected().startswith("exactly") for one in rows) else []
    binned: dict[str, dict[str, None]] = {}
    for one in rows:
        if one.scheme is not None:
            binned.setdefault(one.scheme, {})[one.metric] = None
    explained += [
        f"Bins of {', '.join(names)}: {bins_words(scheme)}." for scheme, names in binned.items()
    ]
    between = [one for one in rows if one.interval_range is not None]
    of_rows = [one for one in between if METRICS[one.metric].interval == "rows"]
    explained += [INTERVAL] if len(of_rows) < len(between) else []
    methods: dict[str, dict[str, None]] = {}
    for one in of_rows:
        if one.interval_method is not None:
            methods.setdefault(one.interval_method, {})[one.metric] = None
    explained += [
        f"CI of {', '.join(names)}: for new rows of the same population ({method})."
        f"{OTHER_QUESTION if any(one.resamples for one in of_rows) else ''}"
        for method, names in methods.items()
    ]
    return tuple(explained)


def _tested_alone(one: Measure) -> bool:
    """Tell whether range and p-value are of the test of this number alone."""
    return METRICS[one.metric].test is not None and one.view != "classwise"


def _missing(rows: Sequence[Measure]) -> Iterator[Note]:
    """Yield why numbers are missing, a sentence for all that have one reason."""
    whose: dict[tuple[str, str], dict[str, None]] = {}
    for one in rows:
        if one.reason:
            who = " ".join(name for name in (one.model, one.group) if name is not None)
            whose.setdefault((who, one.reason), {})[one.metric] = None
    same: dict[tuple[str, str], list[str]] = {}
    for (who, reason), metrics in whose.items():
        same.setdefault((", ".join(metrics), reason), []).append(who)
    for (names, reason), members in same.items():
        of = f" of {', '.join(members)}" if members[0] else ""
        yield Note(f"{names}{of}: {reason}.", "undefined")


NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How nulls and intervals are drawn."""

    resamples: int
    seed: int
    workers: int | None
    interval: bool
    level: float


@dataclass(frozen=True, slots=True)
class ModelRows:
    """Rows of one model, and the names they go by.

    `pooled` is how strongly rows of a group depend in each metric, where all rows of the model tell
    it for these; empty where they are all.
    """

    model: str | None
    group: str | None
    data: Predictions
    pooled: Sequence[Strength | None] = ()


def measures_of(
    part: ModelRows,
    rows: Sequence[Metric],
    *,
    params: StatisticParams,
    sampling: Sampling,
    progress: Progress | None = None,
) -> list[Measure]:
    """Return every metric of a part; those of a large table are drawn as of its counted rows."""
    own = str(params.bins).startswith("one-per")  # cells would be the bins
    counts = part.data if own else ordered(part.data)
    if counts is part.data:
        return _drawn_together(part, rows, params, sampling, progress)
    apart = [row for row in rows if row.by_row]
    others = [row for row in rows if not row.by_row]
    share = len(others) / len(rows)
    found: dict[str, Measure] = {}
    for each, few, bar in (
        (replace(part, data=counts), others, share_of(progress, 0.0, share)),
        (part, apart, share_of(progress, share, 1.0)),
    ):
        measures = _drawn_together(each, few, params, sampling, bar) if few else []
        found |= {row.name: one for row, one in zip(few, measures, strict=True)}
    return [found[row.name] for row in rows]


def _drawn_together(
    part: ModelRows,
    rows: Sequence[Metric],
    params: StatisticParams,
    sampling: Sampling,
    progress: Progress | None,
) -> list[Measure]:
    """Return every metric of a part, with all nulls drawn together."""
    data = _decided(part.data, rows)
    if data.counted and data.prob is not None:
        subjects, values = _of_counts(data, rows, params)
    else:
        subjects = [row.subject(data, row.part_of(params)) for row in rows]
        values = values_of([subject.statistic for subject in subjects])
    statistics = [subject.statistic for subject in subjects]
    middle = 0.5 if sampling.interval else 1.0
    resamples = 0 if part.data.prob is None else sampling.resamples
    beside = values_of(statistics) if data.counted and resamples else values
    pooled = part.pooled or [None] * len(rows)
    draws = null_values(
        statistics,
        resamples,
        sampling.seed,
        workers=sampling.workers,
        progress=share_of(progress, 0.0, middle),
        pooled=pooled,
    )
    worths = _worths(statistics, subjects, draws, part.data, sampling)
    bar = share_of(progress, middle, 1.0)
    result = []
    for turn, (row, subject) in enumerate(zip(rows, subjects, strict=True)):
        if subject.setting is not None:
            warn_of_preset(part.data, subject.setting, values[turn])
        warn_of_smoother(subject, values[turn])
        null = compare_with_draws(beside[turn], draws[turn], subject.like)
        null = of_all_rows(null, values[turn])
        drawn = statistics[turn], pooled[turn]
        one = _measure(part, row, subject, values[turn], null, params, sampling, *drawn)
        result.append(replace(one, independent_n=worths[turn]))
        if sampling.interval and bar is not None:
            bar(turn + 1, len(rows))
    return result


def _worths(
    statistics: Sequence[Measurable],
    subjects: Sequence[NamedStatistic],
    draws: Sequence[Wide],
    data: Predictions,
    sampling: Sampling,
) -> list[float | None]:
    """Return how many independent rows tell as much about each statistic as these in groups."""
    few = sampling.resamples // FEWER_ALONE
    if data.groups is None or few < LEAST_DRAWS or not any(map(len, draws)):
        return [None] * len(statistics)
    none = [Strength.none()] * len(statistics)
    apart = null_values(statistics, few, sampling.seed, workers=sampling.workers, pooled=none)
    shares = [
        drawn_share(own, alone, squared=subject.distance not in (None, "absolute"))
        for subject, own, alone in zip(subjects, draws, apart, strict=True)
    ]
    return [None if share is None else share * data.n for share in shares]


Bins16: TypeAlias = NDArray[np.uint16]


def _of_counts(
    data: Predictions, rows: Sequence[Metric], params: StatisticParams
) -> tuple[list[NamedStatistic], list[float]]:
    """Return the statistics of a counted table as they are drawn, and their values of all cells.

    They are drawn by the hits of their bins, else of merged cells; cells of a bin are merged too,
    once for all errors of the same bins. One statistic of all cells is in memory at a time.
    """
    few = coarsened(data)
    merged: list[tuple[Bins16, Statistic]] = []
    subjects: list[NamedStatistic] = []
    values: list[float] = []
    for row in rows:
        subject = row.subject(data, row.part_of(params))
        what = subject.statistic
        values += values_of([what])
        if few is data:
            subjects.append(subject)
        elif isinstance(what, Statistic) and by_bins(what):
            subjects.append(replace(subject, statistic=_merged(what, merged)))
        else:
            subjects.append(row.subject(few, row.part_of(params)))
        del subject, what  # before the next one is made
    return subjects, values


def _merged(what: Statistic, known: list[tuple[Bins16, Statistic]]) -> Statistic:
    """Merge the cells of each bin, as those of a statistic of the same bins that is known."""
    cells = what.cells
    assert cells is not None  # it is drawn by bins  # noqa: S101
    own = cells.number[:, 1].astype(np.uint16)  # there are at most MOST_APART bins
    for place, rows in known:
        if rows.cells is not None and np.array_equal(place, own):
            return replace(rows, cells=replace(cells, number=rows.cells.number))
    few = with_merged_rows(what)
    known.append((own, few))
    return few


def _decided(data: Predictions, rows: Sequence[Metric]) -> Predictions:
    """Return the table with its decisions written down where several metrics look at them."""
    several = sum(row.needs == "labels" for row in rows) > 1
    return replace(data, label=data.predicted) if several and data.prob is not None else data


def _measure(
    part: ModelRows,
    row: Metric,
    subject: NamedStatistic,
    value: float,
    null: NullSummary,
    params: StatisticParams,
    sampling: Sampling,
    drawn: Measurable,
    pooled: Strength | None,
) -> Measure:
    """Put the observed value, its null and its interval as a measure."""
    draws = null.values
    own = _own_test(part, row, value, params, sampling)
    between = _interval(part, row, drawn, draws, own, params, sampling, pooled)
    what = subject.statistic
    absent = what.absent() if isinstance(what, DecisionStatistic) else None
    reasons = [
        row.why(value, subject),
        subject.left_out,
        absent,
    ]
    mean, central, p_value = null.mean, null.range, null.p_value()
    if own is not None:
        mean, central, p_value = own.null, own.null_range, own.p_value
    elif subject.undefined is None:  # else no draw says more
        reasons.append(_of_null(part.data, draws, null.mean, null.range[0]))
    if subject.undefined is None and between is not None:
        reasons.append(between.reason)
    return Measure(
        model=part.model,
        group=part.group,
        metric=row.name,
        view=subject.view,
        scheme=subject.scheme,
        n=part.data.total,
        effective_n=part.data.effective_n,
        value=value,
        null_mean=mean,
        null_range=central,
        excess=replace(null, value=value, mean=mean).excess,
        p_value=p_value,
        interval_range=None if between is None else (between.low, between.high),
        interval_method=None if between is None else between.method,
        resamples=len(draws),
        reason="; ".join(filter(None, reasons)) or None,
    )


def _own_test(
    part: ModelRows, row: Metric, value: float, params: StatisticParams, sampling: Sampling
) -> MetricTest | None:
    """Return the test of a metric's own number, None where the draws of the labels test it."""
    asked = sampling.resamples > 0 or sampling.interval
    if row.test is None or not asked or not np.isfinite(value):
        return None
    return row.test(part.data, row.part_of(params), sampling.level)


def _interval(
    part: ModelRows,
    row: Metric,
    drawn: Measurable,
    draws: Wide,
    own: MetricTest | None,
    params: StatisticParams,
    sampling: Sampling,
    pooled: Strength | None,
) -> MetricInterval | None:
    """Return the interval of a metric, or why it has none; None where none was asked for."""
    if not sampling.interval:
        return None
    if own is not None:
        return own.interval
    if row.between is not None:
        return row.between(part.data, row.part_of(params), sampling.level)
    if part.data.prob is None:
        return MetricInterval(NAN, NAN)
    from plumbline.intervals import interval_of

    result = interval_of(
        drawn,
        weight=part.data.weight,
        kind=row.interval,
        level=sampling.level,
        resamples=sampling.resamples,
        rng=sampling.seed,
        null_values=draws,
        workers=sampling.workers,
        pooled=pooled,
    )
    return MetricInterval(result.low, result.high, result.method, result.reason)


def _of_null(data: Predictions, draws: Wide, mean: float, low: float) -> str | None:
    """Say what is missing of a null, drawn or not."""
    if data.prob is None:
        kind = "labels" if data.score is None else "ratings"
        return (
            f"no expected value and no p-value: they need probabilities, and there are {kind} only"
        )
    m = len(draws)
    undefined, infinite = (int(np.count_nonzero(f(draws))) for f in (np.isnan, np.isinf))
    reasons = []
    if undefined:
        reasons.append(
            f"undefined in {undefined:,} of {m:,} resamples (extreme for the p-value, left out of "
            "mean and range)"
        )
    if infinite and not np.isfinite(mean):
        reasons.append(
            f"infinite in {infinite:,} of {m:,} resamples, so there is no expected value"
        )
    if m and np.isnan(low):
        reasons.append(
            NO_RANGE if not undefined else "no 95 % range: too few resamples have a value"
        )
    return "; ".join(reasons) or None


def measure(
    data: Predictions,
    metrics: str | Sequence[str] | None = None,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str | OwnDistance | None = None,
    norm: float | str | None = None,
    representative: str | None = None,
    threshold: float | None = None,
    outcome: str | None = None,
    like: str | None = None,
    score: Any = None,
    by: str | Sequence[str] | None = None,
    interval: bool = False,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Measures:
    """Measure any metrics by name, each beside its value expected if calibrated.

    Every model of the table is measured. The null holds the predictions fixed and draws every
    row's label from its own probabilities.

    Parameters
    ----------
    data : Predictions
        Rows with probabilities; predicted labels alone suffice for rates, ratings for rankings,
        both then without a null.
    metrics : str or sequence of str, optional
        Names of the catalogue (`list_names()`), such as "ece"; hyphens and underscores are alike.
        By default about a dozen, as far as the table allows them.
    view : str, optional
        Which class or label is looked at, such as "top-label" or "one-vs-rest:CLASS", as in
        `calibration_error`. Like the next seven parameters it goes to every metric that takes it.
    bins : int, str or Binning, optional
        Bins of binned errors; 10 means "equal-width:10". By default each metric's own.
    distance : str or callable, optional
        Distance of binned errors: "absolute", "square", "log" or a function of two arrays.
    norm : {1, 2, "max"}, optional
        How the gaps of bins are combined: mean, root mean square, or largest.
    representative : {"mean", "midpoint"}, optional
        The probability of a bin.
    threshold : float, optional
        Rows whose probability is at most this are left out.
    outcome : str, optional
        What counts as the event of the view.
    like : str, optional
        Name of a peer or paper whose conventions hold, such as "sklearn"; "rms", R's `val.prob`,
        has "ici", "e90" and "emax".
    score : str or callable, optional
        Score that is decomposed by miscalibration, discrimination and uncertainty.
    by : str or sequence of str, optional
        Attributes whose values split the rows into groups; a number of many values is cut into four
        groups of equal size.
    interval : bool, default False
        Add a confidence interval for the population value given these predictions.
    level : float, default 0.95
        Coverage of the interval, in (0, 1).
    resamples : int, default 999
        Draws of the labels; 0 leaves out the null and its p-value.
    rng : int, Generator or None, default 0
        Random seed or generator; the same seed gives the same numbers for any `workers`.
    workers : int, optional
        Number of processes; by default chosen by the size of the work.
    progress : callable, optional
        Called with (steps done, steps in all).

    Returns
    -------
    Measures
        One row per model, group and metric: value, mean and 95 % range expected if calibrated,
        excess and two-sided p-value, not adjusted for the number of metrics.

    Raises
    ------
    ParameterError
        For an unknown name, or an argument that none of the metrics takes.
    InputError
        For a table that lacks what a metric needs.

    References
    ----------
    Vaicenavicius et al. 2019, Evaluating model calibration in classification.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> result = measure(data, ["brier-score", "ece"], bins=5, resamples=99)
    >>> round(result["ece"].value, 3)
    0.054
    >>> print(measure(data, "brier-score", resamples=0))
    Measures
    metric       value
    brier-score  0.127
    """
    params = StatisticParams(
        view=view,
        bins=bins,
        distance=distance,
        outcome=outcome,
        like=like,
        norm=norm,
        representative=representative,
        threshold=threshold,
        score=score,
    )
    rows = _rows(only_predictions(data), metrics, params)
    sure = checked_draws(resamples, level, interval=False)
    drawn = [row.name for row in rows if row.between is None]
    if interval and not resamples and drawn:
        raise ParameterError(
            f"`resamples` must be at least 1 for the interval of {shown(drawn)}, got 0; leave it "
            "out, or ask for no interval",
            code="resamples-missing",
        )
    sampling = Sampling(resamples, entropy_of(rng), workers, interval, sure)
    if resamples:
        warn_of_repeated_examples(data)
    parts = list(parts_of(data, by))
    if data.groups is not None and by is not None and resamples and data.prob is not None:
        parts = _with_pooled(data, parts, rows, params)
    result: list[Measure] = []
    for part, bar in with_shares(parts, progress):
        result += measures_of(part, rows, params=params, sampling=sampling, progress=bar)
    name = by if by is None or isinstance(by, str) else ",".join(by)
    return Measures(name, level, tuple(result), data, row_groups=row_groups_in(data))


def _with_pooled(
    data: Predictions, parts: Sequence[ModelRows], rows: Sequence[Metric], params: StatisticParams
) -> list[ModelRows]:
    """Return parts with how strongly rows depend in each metric, which all groups of a model tell.

    A part has few groups, or none with two rows.
    """
    known = {}
    for model, whole in data.by_model().items():
        decided = _decided(whole, rows)
        subjects = (row.subject(decided, row.part_of(params)) for row in rows)
        known[model] = tuple(Strength.of(subject.statistic) for subject in subjects)
    return [replace(part, pooled=known[part.model]) for part in parts]


def _rows(
    data: Predictions, metrics: str | Sequence[str] | None, params: StatisticParams
) -> tuple[Metric, ...]:
    """Return the metrics that were params for, or the usual ones that the table and view allow."""
    if metrics is not None:
        rows = metrics_named(metrics)
    else:
        kind = None if params.view is None else params.view.partition(":")[0]
        usual = (metric_named(name) for name in USUAL)
        rows = tuple(
            row
            for row in usual
            if row.serves(data) and (kind is None or "view" not in row.takes or kind in row.views)
        )
    check_question(rows, params)
    for row in rows or (metric_named(USUAL[0]),):
        row.need(data)
    return rows


def parts_of(data: Predictions, by: str | Sequence[str] | None) -> Iterator[ModelRows]:
    """Yield the rows of every model, or of every group of it, one after the other."""
    if by is None:
        yield from (ModelRows(model, None, rows) for model, rows in data.by_model().items())
        return
    groups = {name: data.select(where=rows).by_model() for name, rows in group_rows(data, by)}
    for model in data.by_model():
        for name, models in groups.items():
            if model in models:
                yield ModelRows(model, name, models[model])


# ---------------------------------------------------------------- nulls drawn together

# Up to this size of all together, every statistic gets the draws that it would get alone.
LARGEST_TOGETHER = LARGEST_BLOCK // DRAWS_PER_BLOCK


def values_of(statistics: Sequence[Drawable]) -> list[float]:
    """Return the observed values."""
    result = [0.0] * len(statistics)
    for unit in _units(statistics):
        values = np.atleast_1d(observed(_unit([statistics[i] for i in unit])))
        for i, value in zip(unit, values.tolist(), strict=True):
            result[i] = value
    return result


def null_values(
    statistics: Sequence[Drawable],
    resamples: int,
    seed: int,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    pooled: Sequence[Strength | None] = (),
) -> list[Wide]:
    """Return (resamples,) values under the null of every statistic: `resampled` of each alone.

    Statistics of the same labels depend alike: the first one's `pooled` strength is that of all.
    """
    result: list[Wide] = [np.empty(0)] * len(statistics)
    if not resamples:
        return result
    batches = list(_batches(statistics))
    for batch, bar in with_shares(batches, progress):
        parts = tuple(_unit([statistics[i] for i in unit]) for unit in batch)
        what = SameLabels(parts) if len(parts) > 1 or len(batch[0]) > 1 else parts[0]
        alike = pooled[batch[0][0]] if pooled else None
        drawn = resampled(what, resamples, seed, workers=workers, progress=bar, pooled=alike)
        for i, values in zip(
            (i for unit in batch for i in unit), np.atleast_2d(drawn), strict=True
        ):
            result[i] = values
    return result


def _unit(statistics: Sequence[Drawable]) -> Drawable:
    """Return one statistic, or several of the same sums as one."""
    if len(statistics) == 1:
        return statistics[0]
    return SameSums(tuple(s for s in statistics if _has_sums(s)))


def _batches(statistics: Sequence[Drawable]) -> Iterator[list[list[int]]]:
    """Yield units of numbers of statistics whose labels are drawn together.

    What is drawn by the hits of its bins needs no labels and is drawn alone.
    """
    waiting = _units(statistics)
    alone = [unit for unit in waiting if counted_apart(statistics[unit[0]])]
    yield from ([unit] for unit in alone)
    waiting = [unit for unit in waiting if unit not in alone]
    while waiting:
        first = waiting.pop(0)
        batch, size = [first], statistics[first[0]].size
        for unit in list(waiting):
            what = statistics[unit[0]]
            if size + what.size <= LARGEST_TOGETHER and _same_labels(statistics[first[0]], what):
                batch.append(unit)
                size += what.size
                waiting.remove(unit)
        yield batch


def _units(statistics: Sequence[Drawable]) -> list[list[int]]:
    """Put statistics of the same sums together; any other is alone."""
    units: list[list[int]] = []
    for i, what in enumerate(statistics):
        for unit in units:
            first = statistics[unit[0]]
            if _has_sums(first) and _same_labels(first, what) and first.same_sums(what):
                unit.append(i)
                break
        else:
            units.append([i])
    return units


def _has_sums(what: Drawable) -> TypeGuard[ProfileStatistic | DecisionStatistic]:
    """Tell whether a statistic sees the labels only through sums that others may share."""
    return isinstance(what, (ProfileStatistic, DecisionStatistic))


def _same_labels(one: Drawable, other: Drawable) -> bool:
    """Tell whether both statistics are about the same rows and draw labels alike."""
    same_prob = one.prob is other.prob or np.array_equal(one.prob, other.prob)
    if (one.groups is None) != (other.groups is None):
        return False
    same_groups = one.groups is None or np.array_equal(one.groups, cast(Ints, other.groups))
    return same_groups and same_prob and np.array_equal(one.actual, other.actual)
