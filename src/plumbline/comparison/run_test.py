"""One test of one pair by one quantity: which it is, whether it may be done, and its answer."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.comparison import advice
from plumbline.comparison.advice import ON_FOLDS, REFUSED, ROWS, TESTS, advice_on
from plumbline.comparison.bootstrap import paired_bootstrap
from plumbline.comparison.design import Design, data_sets
from plumbline.comparison.fold_tests import (
    bayesian_t,
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    paired_t,
)
from plumbline.comparison.paired_rows import Pair
from plumbline.comparison.permutation import paired_permutation
from plumbline.comparison.quantity import Quantity
from plumbline.comparison.ranks import wilcoxon
from plumbline.comparison.results import TestAnswer
from plumbline.comparison.row_tests import (
    delong,
    delong_t,
    difference_of_areas,
    mcnemar,
    why_no_width,
)
from plumbline.errors import ParameterError
from plumbline.formatting import counted, printable, quoted
from plumbline.metrics import METRICS
from plumbline.predictions import Labels, Predictions
from plumbline.predictions.labels import rows_of_codes
from plumbline.progress import Progress

Floats = NDArray[np.float64]

ONLY_METRICS = {
    "mcnemar": ("accuracy", "error-rate"),
    "delong": ("roc-auc",),
    "delong-t": ("roc-auc",),
}
# With fewer rows of a class, the permutation test has the right size and more power than
# "delong-t", and with more, "delong-t" withstands ROC curves of other shapes (few_positives.md).
FEW_ROWS = 15


MANY, FEW = 9999, 1999  # resamples, where the caller names no number
MOST_WORK = 20_000 * MANY  # rows exchanged, all draws together


def draws_of(test: str, resamples: int | None, rows: int, *, summed: bool = True) -> int:
    """Return how many resamples a test makes: as many as asked for, else what its work allows.

    Exchanges of sums are quick, and their p-value resolves with their number; other quantities,
    not `summed`, are measured anew in each. The bootstrap's interval of 1,999 draws barely changes
    with more, and its p-value inverts that interval.

    >>> draws_of("permutation", None, 500), draws_of("permutation", None, 10**6)
    (9999, 1999)
    >>> draws_of("bootstrap", None, 500), draws_of("bootstrap", 99, 500)
    (1999, 99)
    """
    if resamples is not None:
        return resamples
    return MANY if test == "permutation" and summed and rows * MANY <= MOST_WORK else FEW


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonParams:
    """What is asked of every pair alike."""

    design: Design
    level: float
    resamples: int | None
    entropy: int
    workers: int | None
    over: str | None = None
    rope: float | None = None
    target: Any = None
    test_share: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class PairOutcome:
    """One test's answer, the values it is about, and the posterior beside it where there is one."""

    values: tuple[float, float]
    answer: TestAnswer
    posterior: TestAnswer | None = None


def usual_test(pair: Pair, quantity: Quantity, design: Design) -> str:
    """Return the best test of a quantity under a design.

    One test part: McNemar's of accuracies and, with 15 positives and 15 negatives or more, DeLong's
    with Student's t of areas, where rows are plain; else the permutation test of means over rows,
    of areas and of calibration errors, and the bootstrap of all else, where an exchange of answers
    may show a difference of other things than the value. Folds: the corrected t-test. Data sets:
    signed ranks.
    """
    if design.name == advice.DATA_SETS:
        return "wilcoxon"
    if design.name not in (advice.HOLDOUT, advice.LEAVE_ONE_OUT):
        return "corrected-t"
    plain = pair.first.weight is None and not pair.repeated
    if plain and _takes("mcnemar", quantity):
        return "mcnemar"
    if plain and quantity.ratings is not None and not few_rows(pair, quantity):
        return "delong-t"
    return _on_any_rows(quantity)


def few_rows(pair: Pair, quantity: Quantity) -> bool:
    """Tell whether an area is of fewer than 15 positives or negatives, examples counting once."""
    if quantity.ratings is None:
        return False
    event = quantity.ratings(pair.first)[0]
    present = pair.first.mass > 0
    sides = (pair.example[present & part] for part in (event, ~event))
    return min(len(np.unique(side)) for side in sides) < FEW_ROWS


def _on_any_rows(quantity: Quantity) -> str:
    return "permutation" if quantity.exchangeable else "bootstrap"


def _takes(test: str, quantity: Quantity) -> bool:
    if test in ("delong", "delong-t"):
        return quantity.ratings is not None
    if test == "permutation":
        return quantity.exchangeable
    return quantity.name in ONLY_METRICS.get(test, (quantity.name,))


def check_fit(test: str, quantity: Quantity, design: Design) -> None:
    """Refuse a test that does not fit the design or the quantity, and say which to take."""
    row = advice_on(test, design.name)
    if row.answer == REFUSED:
        instead = _on_any_rows(quantity) if row.instead == "permutation" else row.instead
        raise ParameterError(
            f"`test` {quoted(test)} does not fit the design, {design.name} ({design.shape}): "
            f"{row.why} Take `test={instead!r}`",
            code="test-not-for-design",
        )
    if _takes(test, quantity):
        return
    if test == "permutation":
        raise ParameterError(
            "`test` 'permutation' is for means over rows, areas and calibration errors; for other "
            f"metrics it also rejects equal values. Got the metric {quoted(quantity.name)}; take "
            "`test='bootstrap'`",
            code="test-not-for-metric",
        )
    metrics = " or ".join(ONLY_METRICS[test])
    named = quantity.name in ONLY_METRICS[test]
    raise ParameterError(
        f"`test` {quoted(test)} compares models by "
        f"{metrics}{' of one class against the rest (name it in `target`)' if named else ''}, got "
        f"the metric {quoted(quantity.name)}; take `test={_on_any_rows(quantity)!r}`, which "
        "allows it",
        code="test-not-for-metric",
    )


def run_test(
    test: str,
    pair: Pair,
    quantity: Quantity,
    params: ComparisonParams,
    *,
    models: tuple[str, str],
    progress: Progress | None,
) -> PairOutcome:
    """Do one test; where the metric is not a finite number, the answer has a reason instead."""
    tables = (pair.first, pair.second)
    if test in ROWS:
        names, values = [""], np.array([[quantity.value(table) for table in tables]])
        units = pair.examples
    else:
        names, values = part_values(tables, quantity, params.over)
        units = len(values)
    means = (float(values[:, 0].mean()), float(values[:, 1].mean()))
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        place, side = wrong[0]
        where = f"of {printable(models[side])}{names[place] and f' in {printable(names[place])}'}"
        return PairOutcome(means, _undefined(test, units, quantity, values[place, side], where))
    if test in ROWS:
        return PairOutcome(means, _on_rows(test, pair, quantity, params, progress=progress))
    d = values[:, 0] - values[:, 1]
    answer = _of_differences(test, d, params)
    beside = None
    if test in ON_FOLDS and test != "bayesian-t" and params.rope is not None:
        beside = _of_differences("bayesian-t", d, params)
    return PairOutcome(means, answer, answer if test == "bayesian-t" else beside)


def part_values(
    tables: Sequence[Predictions], quantity: Quantity, over: str | None
) -> tuple[list[str], Floats]:
    """Return the names of folds or data sets, and (parts, models) values of aligned tables."""
    if over is not None:
        labels = Labels.of(over, data_sets(tables[0], over))
        groups = rows_of_codes(labels.codes)
        sets = [
            [_mean_over_folds(table.select(where=rows), quantity) for table in tables]
            for rows in groups.values()
        ]
        return [f"data set {quoted(labels.names[code])}" for code in groups], np.array(
            sets, np.float64
        )
    parts = [_rows_of_folds(table) for table in tables]
    keys = sorted(parts[0])
    values = [[quantity.value(part[key]) for part in parts] for key in keys]
    return [_called(tables[0], key) for key in keys], np.array(values, np.float64)


def _mean_over_folds(table: Predictions, quantity: Quantity) -> float:
    """Return a data set's value: the mean over its folds, where it has several."""
    parts = _rows_of_folds(table)
    return float(np.mean([quantity.value(part) for part in parts.values()]))


def _rows_of_folds(table: Predictions) -> dict[tuple[int, ...], Predictions]:
    """Return the rows of every fold of every repeat, by their code numbers."""
    columns = [column for column in (table.repeat, table.fold) if column is not None]
    if not columns:
        return {(0,): table}
    sizes = tuple(len(column.names) for column in columns)
    groups = rows_of_codes(np.ravel_multi_index([column.codes for column in columns], sizes))
    return {
        tuple(int(place) for place in np.unravel_index(code, sizes)): table.select(where=rows)
        for code, rows in groups.items()
    }


def _called(table: Predictions, key: tuple[int, ...]) -> str:
    columns = [(n, c) for n, c in (("repeat", table.repeat), ("fold", table.fold)) if c is not None]
    parts = [f"{n} {c.names[code]}" for (n, c), code in zip(columns, key, strict=True)]
    return ", ".join(parts)


def _of_differences(test: str, d: Floats, params: ComparisonParams) -> TestAnswer:
    """Do a test on the differences of folds or data sets."""
    level = params.level
    sets = params.over is not None
    if test == "paired-t":
        return paired_t(d, level=level, unit="data set" if sets else "fold")
    if test == "wilcoxon":
        return wilcoxon(d, level=level, unit="data set" if sets else "fold")
    if test in ("5x2-t", "5x2-f"):
        function = five_by_two_t if test == "5x2-t" else five_by_two_f
        return function(d.reshape(5, 2), level=level)
    share = params.design.share(params.test_share)
    if test == "corrected-t":
        return corrected_t(d, test_share=share, level=level)
    return bayesian_t(d, test_share=share, rope=_rope(params), level=level)


def _rope(params: ComparisonParams) -> float:
    if params.rope is None:
        raise ParameterError(
            "`test` 'bayesian-t' needs `rope`, the largest difference without practical "
            "importance, in the metric's unit",
            code="rope-missing",
        )
    return params.rope


def _on_rows(
    test: str,
    pair: Pair,
    quantity: Quantity,
    params: ComparisonParams,
    *,
    progress: Progress | None,
) -> TestAnswer:
    if test == "mcnemar":
        result = mcnemar(pair, level=params.level)
        return result if quantity.name == "accuracy" else _turned(result)
    if test in ("delong", "delong-t"):
        return (delong if test == "delong" else delong_t)(pair, params.target, level=params.level)
    draws: Mapping[str, Any] = {"rng": params.entropy, "workers": params.workers}
    drawn_anew = {**draws, "resamples": draws_of("bootstrap", params.resamples, pair.n)}
    if test == "bootstrap":
        return paired_bootstrap(pair, quantity, level=params.level, progress=progress, **drawn_anew)
    exchanged = paired_permutation(
        pair,
        quantity,
        resamples=draws_of(test, params.resamples, pair.n, summed=quantity.summed),
        level=params.level,
        progress=progress,
        **draws,
    )
    return _of_few(exchanged, pair, params) if few_rows(pair, quantity) else exchanged


def _of_few(exchanged: TestAnswer, pair: Pair, params: ComparisonParams) -> TestAnswer:
    """Return the permutation test of the areas of few rows, with the reason why it was taken.

    Of a single row of a class, and where no row differs from another of its class, there is no
    interval: exchanges do not tell how other such rows would differ.
    """
    result = difference_of_areas(pair.present, params.target)
    known = min(result.counts) > 1
    return dataclasses.replace(
        exchanged,
        interval_range=exchanged.interval_range if known else (np.nan, np.nan),
        method=f"{exchanged.method}, because one class has "
        f"{counted(min(result.counts), 'row')} and DeLong's test needs {FEW_ROWS}",
        more={
            **exchanged.more,
            "code": "few-positives",
            "positives": result.counts[0],
            "negatives": result.counts[1],
        },
        reason=exchanged.reason or (None if known else why_no_width(result)),
    )


def _turned(answer: TestAnswer) -> TestAnswer:
    """Return the answer about accuracies as one about error rates."""
    low, high = answer.interval_range
    return dataclasses.replace(
        answer, difference=0.0 - answer.difference, interval_range=(0.0 - high, 0.0 - low)
    )


def _undefined(test: str, units: int, quantity: Quantity, value: float, where: str) -> TestAnswer:
    named = METRICS.get(quantity.name)
    kind = "not a finite number" if named is None else named.why(value)
    return TestAnswer(
        test=test,
        units=units,
        difference=np.nan,
        interval_range=(np.nan, np.nan),
        statistic=np.nan,
        p_value=np.nan,
        effect="",
        effect_size=np.nan,
        method=TESTS[test],
        reason=f"the {quantity.title} {where} is {kind}",
    )
