"""Counted tables: each row is a number of identical rows, as in a histogram of probabilities.

A count is not a weight: three identical rows are three observations, a row of weight 3 is one.
Results for a counted table equal those for the table with its rows repeated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.jit import MANY_ROWS, compiled, read_only

if TYPE_CHECKING:
    from plumbline.predictions.table import Predictions

Wide = NDArray[np.float64]
Ints = NDArray[np.intp]

# Functions whose answer about a counted table is that of the repeated rows, by test.
COUNTED = frozenset(
    (
        *("log_loss", "brier_score", "accuracy", "model_scores", "measure"),
        *("calibration_error", "calibration_test", "calibration_within", "diagnose"),
        *("calibration_by", "calibration_test_by", "class_counts"),
        *("reliability_curve", "corp_curve", "confusion_matrix", "check_input"),
        *("roc_auc", "roc_auc_interval", "average_precision", "precision_recall_area"),
        *("curve", "best_threshold", "recalibrate", "recalibration_advice", "plan", "monitor"),
        *("bin_sensitivity", "compare_presets", "report", "save_curve", "rated_matrix"),
        *("conditional_bias", "worst_slice", "check", "proposed_rules"),
    )
)

# What the other public functions of tables need single rows for.
REFUSED = {
    "calibration_heterogeneity": "to draw those of each site",
    "cases_between": "to list them",
    "class_heat_map": "of more than two classes",
    "compare": "to pair those of two models",
    "curve_difference": "to pair those of two models",
    "recalibration_effect": "to pair them before and after the map",
}


@dataclass(frozen=True, slots=True, eq=False)
class CountedAt:
    """Where the rows of a large table were counted: a level of p is as wide as that.

    Attributes
    ----------
    linear : levels of equal width, if they went from 0 to 1
    each : levels an octave, where p or 1 - p is small
    column : number of the class whose probability was counted
    alike : (n,) whether the rows counted in row i, and in its level, have one probability
    view : the view of more classes that was counted, None of a table of two
    classes : names of these classes
    """

    linear: int
    each: int
    column: int
    alike: NDArray[np.bool_]
    view: str | None = None
    classes: tuple[str, ...] = ()

    def need_view(self, view: str) -> None:
        """Refuse another view than the one of more classes that was counted."""
        if self.view is not None and view != self.view:
            kind, _, name = view.partition(":")
            # These are counted from the file again; others need the probabilities of all classes.
            known = view == "top-label" or (kind == "one-vs-rest" and name in self.classes)
            again = f"read the table with `view={view!r}`; " if known else ""
            raise InputError(
                f"the rows of this table were counted under the view {quoted(self.view)}, so "
                f"{quoted(view)} is not known of them",
                code="view-not-counted",
                remedy=f"{again}read it with `engine='memory'`, for all classes",
            )

    def take(self, rows: NDArray[np.intp]) -> "CountedAt":
        """Return what is known of some rows."""
        return replace(self, alike=self.alike[rows] if len(self.alike) else self.alike)

    def without_rows(self) -> "CountedAt | None":
        """Return what is known where the rows are levels no longer: the view, if there is one."""
        return None if self.view is None else replace(self, alike=np.empty(0, bool))


@dataclass(frozen=True, slots=True, eq=False)
class CountedLosses:
    """Mean losses of the rows that each row of a table counts, where their probabilities are gone.

    Attributes
    ----------
    log_loss : (n,) mean -ln of the probability of the observed class, infinite where that is 0
    brier_score : (n,) mean sum over classes of (p - y)^2
    by_class : (groups, k) mean (p - y)^2 of each class in the rows of a group
    group : (n,) number of the group of each row
    """

    log_loss: Wide
    brier_score: Wide
    by_class: Wide
    group: NDArray[np.intp]

    def take(self, rows: NDArray[np.intp]) -> "CountedLosses":
        """Return what is known of some rows."""
        own = self.log_loss[rows], self.brier_score[rows]
        return CountedLosses(*own, self.by_class, self.group[rows])


DRAWN_CELLS = 8_192  # to which a table is merged where every row is drawn


def need_single_rows(data: "Predictions", called: str) -> None:
    """Refuse a counted table where a function needs rows one by one.

    Raises
    ------
    InputError
        For a counted table, unless the function is in `COUNTED`.
    """
    if not data.counted or called in COUNTED:
        return
    again = "repeat the rows with data.repeated()"
    if data.levels is not None:
        again = f"read the rows with `engine='memory'` or {again}"
    purpose = f" {REFUSED[called]}" if called in REFUSED else ""
    raise InputError(
        f"{called} needs single rows{purpose}, but this table counts identical ones "
        f"({data.stored:,} rows for {data.n:,})",
        code="counted-rows",
        remedy=f"{again} if memory allows, or take a sample",
    )


def need_single_values(data: "Predictions", attribute: str, purpose: str) -> None:
    """Refuse an attribute of which a counted table has only means, where single values are needed.

    Raises
    ------
    InputError
        For an attribute in `data.averaged`.
    """
    if attribute in data.averaged:
        raise InputError(
            f"{purpose} needs the values of {quoted(attribute)}, but this table counts rows and "
            "has only its sums",
            code="attribute-averaged",
            remedy="read it with `engine='memory'`; give the column at most 12 different "
            "numbers; sums such as cumm(...) work",
        )


# From so many rows on, a cell of two classes holds six rows and more, and the default test takes
# a third of the processor time or less (0.4 instead of 1.3 s at 100,000 rows, 0.7 instead of 13 s
# at a million: python studies/omnibus.py cost).
LARGE = 50_000


def many_rows(rows: int) -> bool:
    """Tell whether a table in memory has so many rows that they are counted where that will do."""
    return rows >= LARGE


def as_drawn(data: "Predictions") -> "Predictions":
    """Return a table as tests of all rows draw it: merged where it is counted or large.

    >>> from plumbline import Predictions
    >>> data = Predictions.from_arrays([0, 1] * 30_000, np.linspace(0.1, 0.9, 60_000))
    >>> few = as_drawn(data)
    >>> few.n, few.stored < 20_000
    (60000, True)
    """
    data = as_counts(data)
    if not data.counted:
        return data
    few = coarsened(data)
    return in_order(data) if few is data and data.stored > DRAWN_CELLS else few


def in_order(data: "Predictions") -> "Predictions":
    """Return a counted table by its probability, with equal ones of an outcome in one row.

    Each metric orders the rows, in a tenth of the time then. Folds, attributes and the like are
    dropped.

    >>> from plumbline import Predictions
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.7, 0.7, 0.2, 0.7], count=[2, 1, 1, 3])
    >>> few = in_order(data)
    >>> few.prob[:, 1].tolist(), few.actual.tolist(), few.weight.tolist()
    ([0.2, 0.7, 0.7], [1, 0, 1], [1.0, 2.0, 4.0])
    """
    prob, count = data.need_prob("counting probabilities"), data.mass
    hit, miss = prob[:, data.positive], prob[:, 1 - data.positive]
    order = np.argsort(hit, kind="stable")
    one, other = hit[order], miss[order]
    value = np.cumsum(np.append(0, (one[1:] != one[:-1]) | (other[1:] != other[:-1])))
    kinds = 2 if data.label is None else 4
    kind = data.actual if data.label is None else 2 * data.actual + data.label
    counts: Wide = np.bincount(
        kinds * value + kind[order], count[order], kinds * (int(value[-1]) + 1)
    ).astype(np.float64)
    full = np.flatnonzero(counts)
    first = order[np.searchsorted(value, full // kinds)]
    kept = full % kinds
    bare = replace(data, model=None, fold=None, repeat=None, row=None, attributes={})
    return replace(
        bare,
        actual=(kept if data.label is None else kept // 2).astype(np.int32),
        label=None if data.label is None else (kept % 2).astype(np.int32),
        prob=np.asfortranarray(prob[first]),
        log_prob=None if data.log_prob is None else np.asfortranarray(data.log_prob[first]),
        weight=counts[full],
        score=None,
        averaged=frozenset(),
        levels=None if data.levels is None else data.levels.take(first),
    )


def ordered(data: "Predictions") -> "Predictions":
    """Return a large table of two classes as counted rows in order, any other as it is.

    >>> from plumbline import Predictions
    >>> data = Predictions.from_arrays([0, 1] * 30_000, np.linspace(0.1, 0.9, 60_000).round(2))
    >>> few = ordered(data)
    >>> few.n, few.stored
    (60000, 162)
    """
    counts = data if data.prob is None else as_counts(data)
    return data if counts is data else in_order(counts)


def as_counts(data: "Predictions") -> "Predictions":
    """Return a large table of two classes as a counted one of its rows, any other as it is."""
    if data.counted or data.k > 2 or data.weight is not None or not many_rows(data.stored):
        return data
    if data.groups is not None:  # rows of one cell are of many groups
        return data
    return replace(data, weight=np.ones(data.stored), counted=True)


def coarsened(
    data: "Predictions",
    cells: int = DRAWN_CELLS,
    *,
    by_fold: bool = False,
    apart: NDArray[np.integer[Any]] | None = None,
) -> "Predictions":
    """Merge neighbouring probabilities of a counted table to at most so many cells.

    Cells are equally wide in logit p, d = (range of logit p) / (cells - 4), and end at 1/2; 0 and
    1 stay apart. A cell keeps its counts of both outcomes and gets the mean of its probabilities by
    count. So p and 1 - p change by a factor of at most e^d each, the expected number of events of a
    cell is what it was, and its variance if calibrated grows by a factor of at most
    1 + (e^d - 1)^2 / 4. With 8,192 cells and probabilities from 1e-7 to 1 - 1e-7 that is p within
    0.4 % and a variance within 4e-6. Predicted labels are kept apart, `by_fold` also folds, and so
    are rows whose numbers in `apart` differ; attributes, other folds and ratings are dropped. A
    table of no more probabilities stays as it is.

    >>> from plumbline import Predictions
    >>> data = Predictions.from_arrays(
    ...     [0, 1, 0, 0, 1, 1, 1], [0.2, 0.21, 0.22, 0.7, 0.7, 0.9, 1], count=[3, 1, 2, 2, 5, 1, 1]
    ... )
    >>> few = coarsened(data, 5)
    >>> few.prob[:, 1].round(3).tolist(), few.weight.tolist(), few.total
    ([0.208, 0.208, 0.725, 0.725, 1.0], [5.0, 1.0, 2.0, 6.0, 1.0], 15)
    """
    if not data.counted or data.weight is None:
        raise TypeError("only counted tables are merged")
    data.need_one_model("merging probabilities")
    kept = slice(None) if data.weight.all() else data.weight > 0
    prob = data.need_prob("merging probabilities")
    miss, hit = (np.asarray(prob[kept, c], np.float64) for c in (1 - data.positive, data.positive))
    if len(hit) <= cells or _at_most(cells, hit):
        return data
    count, event = data.weight[kept], data.actual[kept] == data.positive
    cell = logit_cells(miss, hit, cells)
    if apart is not None:
        key = apart[kept].astype(np.int64) * (int(cell.max()) + 1) + cell
        cell = distinct_numbers(key)[1]
    kept_fold = data.fold if by_fold else None
    folds = 1 if kept_fold is None else len(kept_fold.names)
    if kept_fold is not None:
        cell = folds * cell + kept_fold.codes[kept]
    if data.label is not None:
        cell = 2 * cell + data.label[kept]
    size = int(cell.max()) + 1
    hits, whole, *means = _sums_of_cells(cell, size, count, event, (miss, hit))
    counts = np.concatenate([whole - hits, hits])
    full = np.flatnonzero(counts)
    of = full % size
    merged = np.empty((len(full), 2), order="F")
    merged[:, 1 - data.positive], merged[:, data.positive] = (part[of] for part in means)
    actual = np.where(full >= size, data.positive, 1 - data.positive).astype(np.int32)
    order = np.lexsort((actual, merged[:, data.positive]))
    label = None if data.label is None else (of % 2).astype(np.int32)[order]
    code = (of if data.label is None else of // 2) % folds
    fold = None if kept_fold is None else replace(kept_fold, codes=code.astype(np.int32)[order])
    return replace(
        data,
        actual=actual[order],
        prob=np.asfortranarray(merged[order]),
        weight=counts[full][order],
        log_prob=None,
        label=label,
        score=None,
        model=None,
        fold=fold,
        repeat=None,
        attributes={},
        averaged=frozenset(),
        levels=None if data.levels is None else data.levels.without_rows(),
    )


def _at_most(number: int, values: Wide) -> bool:
    """Tell whether there are at most so many different values; the first rows often tell."""
    first = values[: 4 * number]
    return len(np.unique(first)) <= number and len(np.unique(values)) <= number


def _sums_of_cells(
    cell: Ints, size: int, count: Wide, event: NDArray[np.bool_], columns: Sequence[Wide]
) -> Iterator[Wide]:
    """Yield of every cell the hits, all rows, and the mean of each column.

    A mean is by rounding no less or more than all of its values. Many rows are added up in one
    compiled pass a column, in the same order.
    """
    many = len(cell) >= MANY_ROWS
    yield np.bincount(cell, count * event, size).astype(np.float64)
    whole = np.bincount(cell, count, size).astype(np.float64)
    yield whole
    safe = np.maximum(whole, 1.0)
    for column in columns:
        total, least, most = np.zeros(size), np.ones(size), np.zeros(size)
        if many:
            add_to_cells(*read_only(cell, count, column), total, least, most)
        else:
            total = np.bincount(cell, count * column, size).astype(np.float64)
            np.minimum.at(least, cell, column)
            np.maximum.at(most, cell, column)
        yield np.minimum(np.maximum(total / safe, least), most)


@compiled
def add_to_cells(
    cell: Ints, count: Wide, column: Wide, total: Wide, least: Wide, most: Wide
) -> None:
    """Add every number, times its rows, to its cell; note the least and the most of each."""
    for i in range(len(cell)):
        j, x = cell[i], column[i]
        total[j] += count[i] * x
        least[j] = min(least[j], x)
        most[j] = max(most[j], x)


def logit_cells(miss: Wide, hit: Wide, cells: int = DRAWN_CELLS) -> Ints:
    """Return the cell of every row: 0 for p = 0, 1 for p = 1, the others by logit p."""
    inside = (hit > 0) & (miss > 0)
    if not inside.all():
        number = np.where(hit > 0, 1, 0)
        number[inside] = _logit_cells(miss[inside], hit[inside], cells)
        return number.astype(np.intp)
    return _logit_cells(np.ascontiguousarray(miss), np.ascontiguousarray(hit), cells)


def _logit_cells(miss: Wide, hit: Wide, cells: int) -> Ints:
    """Return the cells of rows with a logit, from 2 on; in place, for rows may be many."""
    at = np.log(hit)
    at -= np.log(miss)
    width = np.ptp(at) if len(at) else 0.0
    width /= cells - 4
    if not width > 0:
        return np.full(len(at), 2, np.intp)
    at /= width
    np.floor(at, out=at)
    at -= at.min() - 2
    return at.astype(np.intp)


def distinct_numbers(values: NDArray[np.integer[Any]]) -> tuple[Ints, Ints]:
    """Return whole numbers of at least 0 that occur, and the place of every one among them.

    As `np.unique` does, without sorting where a list of all numbers below the largest is short.

    >>> [part.tolist() for part in distinct_numbers(np.array([5, 2, 5]))]
    [[2, 5], [1, 0, 1]]
    """
    largest = int(values.max(initial=0))
    if largest > 8 * len(values):
        distinct, home = np.unique(values, return_inverse=True)
        return distinct, home
    occurs = np.zeros(largest + 1, bool)
    occurs[values] = True
    number = np.cumsum(occurs, dtype=np.intp) - 1
    return np.flatnonzero(occurs), number[values]


MOST_DRAWN = 10**9  # rows that numpy draws from without replacement


def dealt_counts(count: Wide, kind: Ints, parts: int, rng: np.random.Generator) -> Iterator[Wide]:
    """Yield how many of the rows that each row counts are in each random part.

    Every one of the repeated rows is as likely in any part, and the parts share the rows of each
    kind, such as the true class, as evenly as they can.

    >>> rng = np.random.default_rng(0)
    >>> [part.tolist() for part in dealt_counts(np.array([5.0, 4.0]), np.array([0, 1]), 2, rng)]
    [[3.0, 2.0], [2.0, 2.0]]
    """
    left = count.astype(np.int64)
    kinds = np.unique(kind)
    ends = np.cumsum([0, *(left[kind == one].sum() for one in kinds)])
    for part in range(parts):
        held = np.zeros(len(left), np.int64)
        for one, start, stop in zip(kinds, ends[:-1], ends[1:], strict=True):
            own = np.flatnonzero(kind == one)
            size = len(range(part, stop, parts)) - len(range(part, start, parts))
            held[own] = _drawn_from(rng, left[own], size)
        left -= held
        yield held.astype(np.float64)


def _drawn_from(rng: np.random.Generator, left: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Draw so many of the rows that are left, without replacement."""
    total = int(left.sum())
    if total == size:
        return left
    if total < MOST_DRAWN:
        return rng.multivariate_hypergeometric(left, size, method="marginals")
    return rng.binomial(left, size / total)  # of a billion rows, which tells no part from the next
