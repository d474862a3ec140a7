"""`compare`: which of several classifiers is better, as they are or recalibrated."""

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, open_fraction, shorten, whole_number
from plumbline.calibration_errors import adjusted_p_values
from plumbline.calibration_errors.p_values import METHODS
from plumbline.comparison.advice import DATA_SETS, advice_on, known_test
from plumbline.comparison.design import (
    Design,
    aligned,
    data_sets,
    design_of,
    grouped,
    tables_by_model,
)
from plumbline.comparison.fold_tests import checked_rope
from plumbline.comparison.paired_rows import Pair, observed_of
from plumbline.comparison.quantity import Quantity, quantity_of
from plumbline.comparison.ranks import friedman
from plumbline.comparison.remarks import (
    KEEPS_LABELS,
    ComparisonRemarks,
    about_classes,
    judged,
    low_areas,
    of_few_rows,
    remarks,
    why,
)
from plumbline.comparison.results import Comparison, PairComparison, RankAnswer
from plumbline.comparison.row_tests import area_difference_influence
from plumbline.comparison.run_test import (
    ComparisonParams,
    PairOutcome,
    check_fit,
    part_values,
    run_test,
    usual_test,
)
from plumbline.dependence import RowGroups, influence_share, least_worth, need_enough_groups
from plumbline.errors import ParameterError, warn
from plumbline.formatting import printable
from plumbline.metrics import metric_named
from plumbline.predictions import Labels, Predictions, need_single_rows
from plumbline.progress import Progress, with_shares
from plumbline.random_streams import Seed, entropy_of, seed_of, stream
from plumbline.recalibration import METHODS as RECALIBRATIONS
from plumbline.recalibration import RecalibrationMap, cross_fitted, dealt_parts, fit_map

Ints = NDArray[np.intp]
PROFIT = "profit"


@dataclasses.dataclass(frozen=True, slots=True)
class Task:
    """One test to be done: of two models, by a quantity, as they are or recalibrated."""

    models: tuple[str, str]
    pair: Pair
    after: str | None
    quantity: Quantity
    test: str


def compare(
    a: Predictions | Mapping[str, Predictions],
    b: Predictions | None = None,
    *,
    models: Sequence[Any] | None = None,
    metrics: str | Sequence[str] | None = None,
    test: str | None = None,
    after: str | None = None,
    over: str | None = None,
    groups: str | None = None,
    rope: float | None = None,
    payoffs: Mapping[str, float] | None = None,
    threshold: float | None = None,
    target: Any = None,
    test_share: float | None = None,
    adjust: str | None = "holm",
    level: float = 0.95,
    resamples: int | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Say which of two or more models is better, by the test that fits the design.

    Several models of one table, or one of each of several tables; folds and repeats are read from
    the table. A difference is the first model's value minus the second's. All tests are two-sided;
    no proof of a difference is no proof of equality.

    Parameters
    ----------
    a : Predictions or mapping of str to Predictions
        One table of several models, or of one model if `b` is given, or a mapping from model names
        to tables.
    b : Predictions, optional
        A second table of the same rows.
    models : sequence of str, optional
        Which models to compare, in this order. All by default.
    metrics : str or sequence of str, optional
        Names of metrics (`plumbline.list_names()`), or "profit". By default the Brier score; for
        labels alone the accuracy, for ratings alone the area under the ROC curve.
    test : str, optional
        A name of the table of tests in `docs/comparison.md`, such as "mcnemar". By default the best
        for design and metric.
    after : str, optional
        A recalibration method, such as "temperature" or "isotonic": models are compared before and
        after it, cross-fitted.
    over : str, optional
        The attribute that names the data set of each row; the data sets are then the sampled units.
    groups : str, optional
        The attribute that names groups of dependent rows, such as those of one patient. Tests on
        rows then draw and exchange whole groups. By default those of the tables.
    rope : float, optional
        Largest difference without practical importance, in the metric's unit, at least 0.
    payoffs : mapping of str to float, optional
        Of the metric "profit": the value of a row in each cell, such as {"TP": 10, "FP": -5}. Cells
        that are not named have the value 0.
    threshold : float, optional
        Of the metric "profit": rows of at least this probability or score are predicted positive.
        By default the predicted class is used.
    target : str, optional
        The class that is compared with the rest.
    test_share : float, optional
        Share of the rows in each test part, in (0, 1), if the table does not show it.
    adjust : {"holm", "benjamini-hochberg", None}, default "holm"
        How p-values are adjusted for the number of tests.
    level : float, default 0.95
        Of the intervals, in (0, 1). A difference is shown where the adjusted p <= 1 - level.
    resamples : int, optional
        Of the permutation test and the bootstrap. By default 9,999 permutations (1,999 for more
        than 20,000 rows, or of calibration errors) and 1,999 bootstrap samples.
    rng : int, Generator or None, default 0
        Random seed, or the source of random numbers.
    workers : int, optional
        How many threads. The result does not depend on it.
    progress : callable, optional
        Called with the share of the work that is done.

    Returns
    -------
    Comparison
        One comparison per pair of models, metric and, with `after`, state of the probabilities.

    Raises
    ------
    InputError
        The rows of two models do not belong together, or lack what a metric needs.
    ParameterError
        A name is unknown, or a test does not fit the design. The message names one that does.

    References
    ----------
    Dietterich (1998). Approximate statistical tests for comparing supervised classification
    learning algorithms. Neural Computation 10.
    Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52.
    Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7.
    Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of
    Statistics 6.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> p = rng.uniform(size=300)
    >>> y = rng.uniform(size=300) < p
    >>> true, blurred = (Predictions.from_arrays(y, q) for q in (p, 0.3 + 0.4 * p))
    >>> answer = compare({"true": true, "blurred": blurred}, resamples=999)
    >>> answer.design, answer.pairs[0].test, answer.pairs[0].better
    ('holdout', 'permutation', 'true')
    """
    found = tables_by_model(a, b, models)
    for table in found.values():
        need_single_rows(table, "a comparison")
    tables, example = aligned(found)
    first = next(iter(tables.values()))
    design, example = grouped(design_of(first, over=over), first, example, groups)
    together = groups is not None or first.groups is not None
    need_enough_groups(len(np.unique(example)) if together else None)
    params = _params_of(
        design,
        over=over,
        rope=rope,
        target=target,
        test_share=test_share,
        level=level,
        resamples=resamples,
        rng=rng,
        workers=workers,
    )
    if adjust is not None:
        one_of("adjust", adjust, METHODS)
    quantities = _quantities(metrics, tables, payoffs, threshold, target)
    states, texts = _states(tables, example, after, params)
    wanted = _wanted_test(test, params.design, len(tables))
    tasks = _tasks(states, example, quantities, wanted, params.design)
    result = _run(tasks, params, progress)
    pairs = _compared(tasks, result, params, adjust, together=together)
    few = of_few_rows(pairs)
    built = sum(not np.isnan(one.answer.p_value) for one in result)
    notes = remarks(
        params,
        [one.error for one in quantities],
        [task.test for task in tasks],
        summed=[task.quantity.summed for task in tasks],
        p_values=built,
        adjust=adjust,
        after=after,
        notes=texts,
        rows_alone=not together,
        models=tuple(tables),
        n=first.n,
        more=ComparisonRemarks(
            (*low_areas(pairs, first.classes), *few.warnings),
            (*few.others, *about_classes(quantities, after)),
        ),
    )
    for note in notes.warnings:
        warn(note.text, code=note.code)
    return Comparison(
        models=tuple(tables),
        design=params.design.name,
        why=why(params.design, [task.test for task in tasks], tuple(tables)),
        level=level,
        adjust=adjust,
        seed=seed_of(rng),
        pairs=pairs,
        ranks=_ranks(states, quantities, test, params),
        remarks=tuple(note.text for note in notes.all),
        remark_codes=tuple(note.code for note in notes.all),
        row_groups=_row_groups(tables, example) if together else None,
        probabilities=all(table.prob is not None for table in tables.values()),
    )


# ------------------------------------------------------------------ the question


def _params_of(
    design: Design,
    *,
    over: str | None,
    rope: float | None,
    target: Any,
    test_share: float | None,
    level: float,
    resamples: int | None,
    rng: Seed,
    workers: int | None,
) -> ComparisonParams:
    return ComparisonParams(
        design=design,
        over=over,
        rope=None if rope is None else checked_rope(rope),
        target=target,
        test_share=None if test_share is None else open_fraction("test_share", test_share),
        level=open_fraction("level", level),
        resamples=None if resamples is None else whole_number("resamples", resamples, least=1),
        entropy=entropy_of(rng),
        workers=workers,
    )


def _quantities(
    metrics: str | Sequence[str] | None,
    tables: Mapping[str, Predictions],
    payoffs: Mapping[str, float] | None,
    threshold: float | None,
    target: Any,
) -> tuple[Quantity, ...]:
    """Return what models are compared by, each once; an argument goes to those it belongs to."""
    first = next(iter(tables.values()))
    if metrics is None:
        metrics = usual_metric(list(tables.values())) if payoffs is None else PROFIT
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    if not names:
        raise ParameterError(
            "`metrics` must name at least one metric, got none", code="nothing-named"
        )
    result: dict[str, Quantity] = {}
    for name in names:
        of_profit = str(name).strip().casefold() == PROFIT
        given: dict[str, Any] = {"target": target if of_profit or _takes_target(name) else None}
        if of_profit or len(names) == 1:
            given |= {"payoffs": payoffs, "threshold": threshold}
        quantity = quantity_of(name, first, **given)
        result.setdefault(quantity.name, quantity)
    if len(names) > 1 and PROFIT not in result and (payoffs, threshold) != (None, None):
        raise ParameterError(
            f"`payoffs` and `threshold` apply to the metric 'profit', got {shorten(payoffs)} and "
            f"{shorten(threshold)} with other metrics; add 'profit'",
            code="profit-missing",
        )
    if target is not None and not any(one == PROFIT or _takes_target(one) for one in result):
        raise ParameterError(
            f"`target` does not apply to {', '.join(result)}, which uses all classes, got "
            f"{shorten(target)}; leave it out",
            code="target-of-all-classes",
        )
    return tuple(result.values())


def _takes_target(name: str) -> bool:
    return "one-vs-rest" in metric_named(name).views


def usual_metric(tables: Sequence[Predictions]) -> str:
    """Return what is compared where no metric is named: the most that all tables allow."""
    if all(table.prob is not None for table in tables):
        return "brier-score"
    if all(table.prob is not None or table.label is not None for table in tables):
        return "accuracy"
    return "roc-auc"


def _states(
    tables: dict[str, Predictions], example: Ints, after: str | None, params: ComparisonParams
) -> tuple[dict[str | None, dict[str, Predictions]], tuple[str, ...]]:
    """Return the tables as they are and, where asked for, recalibrated."""
    if after is None:
        return {None: tables}, ()
    one_of("after", after, RECALIBRATIONS)
    recalibrated = after_recalibration(
        tables, example, method=after, entropy=params.entropy, over=params.over
    )
    return {None: tables, after: recalibrated.tables}, recalibrated.notes


def _kept(
    states: Mapping[str | None, Mapping[str, Predictions]], quantity: Quantity
) -> Mapping[str | None, Mapping[str, Predictions]]:
    """Return the states in which a quantity may differ."""
    same = quantity.of_labels and KEEPS_LABELS in states
    return {None: states[None]} if same else states


def _wanted_test(test: str | None, design: Design, models: int) -> str | None:
    """Return the test that every pair gets, None for the best for each quantity."""
    if test is None or (name := known_test(test)) != "friedman":
        return None if test is None else name
    row = advice_on(name, design.name)
    if design.name != DATA_SETS:
        raise ParameterError(
            f"`test` 'friedman' does not fit the design, {design.name} ({design.shape}): {row.why} "
            f"Take `test={row.instead!r}`",
            code="test-not-for-design",
        )
    if models < 3:
        raise ParameterError(
            "`test` 'friedman' is for three models or more, got two; take `test='wilcoxon'`",
            code="test-not-for-design",
        )
    return "wilcoxon"


def _tasks(
    states: Mapping[str | None, Mapping[str, Predictions]],
    example: Ints,
    quantities: Sequence[Quantity],
    wanted: str | None,
    design: Design,
) -> list[Task]:
    """Return every test that will be done; one that does not fit is refused before any is."""
    tasks = []
    for quantity in quantities:
        for state, tables in _kept(states, quantity).items():
            for one, other in combinations(tables, 2):
                pair = Pair(tables[one], tables[other], example)
                own = quantity.without_shared_truth() if pair.own_truth else quantity
                test = usual_test(pair, own, design) if wanted is None else wanted
                check_fit(test, own, design)
                tasks.append(Task((one, other), pair, state, own, test))
    return tasks


# ------------------------------------------------------------------ the answer


def _run(
    tasks: Sequence[Task], params: ComparisonParams, progress: Progress | None
) -> list[PairOutcome]:
    return [
        run_test(
            task.test,
            task.pair,
            task.quantity,
            params,
            models=task.models,
            progress=share,
        )
        for task, share in with_shares(tasks, progress)
    ]


def _row_groups(tables: Mapping[str, Predictions], example: Ints) -> RowGroups | None:
    """Return how much rows of a group depend, of the model whose rows are worth least."""
    return least_worth({name: table.in_groups(example) for name, table in tables.items()})


def _compared(
    tasks: Sequence[Task],
    result: Sequence[PairOutcome],
    params: ComparisonParams,
    adjust: str | None,
    *,
    together: bool,
) -> tuple[PairComparison, ...]:
    adjusted = _adjusted([one.answer.p_value for one in result], adjust)
    return tuple(
        _one(task, one, own, params, together=together)
        for task, one, own in zip(tasks, result, adjusted, strict=True)
    )


def _adjusted(p_values: Sequence[float], adjust: str | None) -> list[float]:
    """Return adjusted p-values; where there is none, none is adjusted and none counts."""
    known = [p for p in p_values if not np.isnan(p)]
    stepped = iter(adjusted_p_values(known, adjust) if known else [])
    return [p if np.isnan(p) else next(stepped) for p in p_values]


def _one(
    task: Task, result: PairOutcome, adjusted: float, params: ComparisonParams, *, together: bool
) -> PairComparison:
    answer, quantity = result.answer, task.quantity
    pair = PairComparison(
        models=task.models,
        n=task.pair.n,
        units=answer.units,
        metric=quantity.name,
        target=quantity.target,
        after=task.after,
        test=task.test,
        design=params.design.name,
        values=result.values,
        difference=answer.difference,
        interval_range=answer.interval_range,
        p_value=answer.p_value,
        adjusted_p_value=adjusted,
        effect=answer.effect,
        effect_size=answer.effect_size,
        better=None,
        rope=params.rope,
        practically_equal=None,
        posterior=_posterior(result, quantity),
        verdict="",
        method=answer.method,
        more=answer.more,
        reason=answer.reason,
        independent_n=_independent_rows(task) if together else None,
    )
    return judged(pair, title=quantity.title, direction=quantity.better, level=params.level)


def _independent_rows(task: Task) -> float | None:
    """Return how many independent rows tell as much about the difference, where rows add to it."""
    pair, quantity = task.pair, task.quantity
    if quantity.ratings is not None:
        part = pair.first.mass * area_difference_influence(pair, quantity.target)
    else:
        alone = Pair(pair.first, pair.second, np.arange(pair.n))
        pair, found = observed_of(alone, quantity)
        if found.sums is None:
            return None
        mass = np.ones(pair.n) if found.sums.mass is None else found.sums.mass
        part = found.sums.part - mass * found.sums.part.sum() / found.sums.total
    groups = task.pair.present.example if pair.n < task.pair.n else task.pair.example
    share = influence_share(part, groups)
    return None if share is None else share * pair.n


def _posterior(result: PairOutcome, quantity: Quantity) -> dict[str, float] | None:
    """Return how probable it is that either model is better by more than the rope, or neither."""
    if result.posterior is None or quantity.better not in ("higher", "lower"):
        return None
    more = result.posterior.more
    first, second = ("above", "below") if quantity.better == "higher" else ("below", "above")
    return {
        "first": more[first],
        "practically_equal": more["within"],
        "second": more[second],
    }


def _ranks(
    states: Mapping[str | None, Mapping[str, Predictions]],
    quantities: Sequence[Quantity],
    test: str | None,
    params: ComparisonParams,
) -> dict[str, RankAnswer]:
    """Return Friedman's test of three or more models over data sets, by metric."""
    models = len(next(iter(states.values())))
    if params.over is None or models < 3 or (test is not None and known_test(test) != "friedman"):
        return {}
    result = {}
    for quantity in quantities:
        if quantity.better not in ("higher", "lower"):
            continue
        for state, tables in _kept(states, quantity).items():
            values = part_values(list(tables.values()), quantity, params.over)[1]
            if np.isfinite(values).all():
                name = quantity.name if state is None else f"{quantity.name} after {state}"
                result[name] = friedman(
                    values, list(tables), better=quantity.better, level=params.level
                )
    return result


Array = NDArray[Any]

PARTS = 5  # in which maps are fitted where a table has no folds; as in the advisor
KEY = 31  # of the stream that draws the parts


@dataclasses.dataclass(frozen=True, slots=True)
class RecalibratedTables:
    """Recalibrated tables by model, and the notes of the maps."""

    tables: dict[str, Predictions]
    notes: tuple[str, ...]


def after_recalibration(
    tables: Mapping[str, Predictions],
    example: Ints,
    *,
    method: str,
    entropy: int,
    over: str | None = None,
) -> RecalibratedTables:
    """Return aligned tables with every row recalibrated by a map fitted without its example.

    Rows of a fold get the map of the other folds of their repeat, and of their data set where
    `over` tells these apart. Where a repeat has no other folds, or an example is in several (a
    holdout, a bootstrap), examples are put in five random parts, of nearly equal size in every
    class, and each part gets the map of the others in its repeat. Raises InputError where there are
    no others.
    """
    first = next(iter(tables.values()))
    sets = (
        np.zeros(first.stored, np.intp)
        if over is None
        else Labels.of(over, data_sets(first, over)).codes
    )
    groups = sets if first.repeat is None else sets + first.repeat.codes * (sets.max() + 1)
    if first.fold is not None and _cross(groups, first.fold.codes, example):
        parts = first.fold.codes
    else:
        parts = _stratified(first, example, sets, entropy)

    def fit(data: Predictions) -> RecalibrationMap:
        return fit_map(data, method)

    recalibrated = {
        name: cross_fitted(table, fit, parts=parts, groups=groups) for name, table in tables.items()
    }
    notes = [
        f"{printable(name)}: {note}"
        for name, result in recalibrated.items()
        for note in dict.fromkeys(note for one in result.maps for note in one.notes)
    ]
    return RecalibratedTables(
        {name: result.table for name, result in recalibrated.items()}, tuple(notes)
    )


def _cross(groups: Array, folds: Array, example: Ints) -> bool:
    """Tell whether every group has several folds, and every example of it is in one of them."""
    pairs, repeated = (
        np.unique(np.stack([groups, example]), axis=1),
        np.stack([groups, example, folds]),
    )
    several = all(len(np.unique(folds[groups == one])) > 1 for one in np.unique(groups))
    return several and len(np.unique(repeated, axis=1).T) == len(pairs.T)


def _stratified(table: Predictions, example: Ints, sets: Array, entropy: int) -> Ints:
    """Return the part of every row's example by chance: classes are dealt out, set by set."""
    kinds = np.zeros(int(example.max()) + 1, np.intp)
    kinds[example] = sets * table.k + table.actual
    return dealt_parts(kinds, PARTS, stream(entropy, KEY))[example]
