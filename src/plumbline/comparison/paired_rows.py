"""The rows of two models: their difference, also with rows resampled or predictions exchanged.

Where a quantity is a mean over rows, the area under a ROC curve, a rate of a confusion matrix or an
error over fixed bins, sums, one order of the rows, cells or bins are enough; any other is computed
anew on tables of the drawn or exchanged rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import BinAssignment, Bins
from plumbline.calibration import ErrorDefinition, ScoredEvent, view_events
from plumbline.calibration.statistics import cells_of
from plumbline.checkpoints import run_blocks
from plumbline.comparison.quantity import Floats, Quantity, Ratings, Truths
from plumbline.comparison.results import TestAnswer
from plumbline.errors import InputError, LongWorkWarning, ParameterError, warn
from plumbline.jit import compiled
from plumbline.metrics import DecisionStatistic
from plumbline.nulls import TIE
from plumbline.predictions import Predictions
from plumbline.predictions.labels import named_rows
from plumbline.progress import Progress

Ints = NDArray[np.intp]

ANSWERS = ("prob", "log_prob", "label", "score")  # what of a table is the model's
# Relative: two models of which one is the other at another temperature are one model after a
# recalibration, but for where the two fits stop: 2e-9 at most in 100 pairs
# (tests/comparison/test_rows.py draws one). Rows of two models as different come never so near.
FITTED = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The predictions of two models for the same examples, row by row.

    Attributes
    ----------
    first, second : tables of one model each, of equal length; row i of both is the same example
    example : (n,) number of the example of every row, 0 .. examples - 1; an example that several
        repeats predicted has several rows, which tests draw, exchange or flip together
    """

    first: Predictions
    second: Predictions
    example: Ints

    @property
    def n(self) -> int:
        """Number of rows of each."""
        return self.first.stored

    @property
    def examples(self) -> int:
        """Number of different examples."""
        return int(self.example.max()) + 1

    @property
    def present(self) -> "Pair":
        """The pair without rows of weight 0, which are absent, unless all are such."""
        kept = np.flatnonzero(self.first.mass > 0)
        if len(kept) in (0, self.n):
            return self
        first, second = (table.select(where=kept) for table in (self.first, self.second))
        _, example = np.unique(self.example[kept], return_inverse=True)
        return Pair(first, second, np.asarray(example, np.intp))

    @property
    def own_truth(self) -> bool:
        """Whether the true classes differ by model, as where they say whether it was right."""
        return not np.array_equal(self.first.actual, self.second.actual)

    @property
    def repeated(self) -> bool:
        """Whether some example has several rows."""
        return self.examples < self.n


def common_weight(pair: Pair) -> Floats | None:
    """Return the (n,) weights of the rows, None where neither table has any.

    Raises InputError where the two models' rows have different weights: a weight belongs to the
    example, not to the model.
    """
    if pair.first.weight is None and pair.second.weight is None:
        return None
    differ = np.flatnonzero(pair.first.mass != pair.second.mass)
    if len(differ):
        i = int(differ[0])
        raise InputError(
            "two models are compared with the same weights, but "
            f"{named_rows([i])} of both has {pair.first.mass[i]:g} and {pair.second.mass[i]:g}; "
            "give both rows of an example one `weight`",
            code="weights-differ",
        )
    return pair.first.mass


def need_plain_rows(pair: Pair, test: str, instead: str) -> None:
    """Refuse weights and examples of several rows, which a test has no formula for."""
    if pair.first.weight is not None or pair.second.weight is not None:
        raise InputError(
            f"{test} does not use weights, and these rows have weights; {instead}",
            code="weights-not-possible",
        )
    if pair.repeated:
        raise InputError(
            f"{test} needs independent rows, and these are {pair.n:,} rows of "
            f"{pair.examples:,} examples; {instead}",
            code="examples-come-again",
        )


# ---------------------------------------------------------------- the difference that is observed


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """The numerators and denominators of a difference of means, one each an example.

    Attributes
    ----------
    part : (e,) sum of weight times difference over the rows of every example
    mass : (e,) sum of their weights, None where every example is one row without a weight
    """

    part: Floats
    mass: Floats | None

    @property
    def total(self) -> float:
        """What the sum of the parts is divided by."""
        return float(len(self.part) if self.mass is None else self.mass.sum())

    @property
    def standardised(self) -> float:
        """The mean of the examples' differences by their standard deviation, NaN where it is 0.

        >>> round(Sums(np.array([1.0, 3.0]), None).standardised, 3)  # 2 by sqrt(2)
        1.414
        >>> Sums(np.array([2.0]), None).standardised, Sums(np.array([2.0, 2.0]), None).standardised
        (nan, nan)
        """
        mass = np.ones(len(self.part)) if self.mass is None else self.mass
        kept = mass > 0
        if kept.sum() < 2:
            return np.nan
        each = self.part[kept] / mass[kept]
        mean = np.average(each, weights=mass[kept])
        variance = np.average(np.square(each - mean), weights=mass[kept])
        spread = np.sqrt(variance * kept.sum() / (kept.sum() - 1))
        return float(mean / spread) if spread > TIE * np.abs(each).max() else np.nan


class Found(Protocol):
    """A two-sided p-value of the difference 0, and the ends of an interval; NaN where none is."""

    @property
    def low(self) -> float: ...  # noqa: D102

    @property
    def high(self) -> float: ...  # noqa: D102

    @property
    def p_value(self) -> float: ...  # noqa: D102


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """The values of two models, and their difference by examples where it is one of means.

    `reason` says why there is nothing to test: a value is infinite or undefined.
    """

    values: tuple[float, float]
    sums: Sums | None
    reason: str | None

    @property
    def difference(self) -> float:
        """First minus second; NaN where that has no meaning."""
        first, second = self.values
        return first - second if np.isfinite(second) or np.isfinite(first) else np.nan

    @property
    def effect(self) -> tuple[str, float]:
        """What kind of standardised size there is, and its value."""
        if self.sums is None or self.reason is not None:
            return "difference", self.difference
        return "difference by the standard deviation of the examples'", self.sums.standardised

    def answer(
        self,
        test: str,
        pair: Pair,
        found: Found,
        more: Mapping[str, Any],
        method: str,
        reason: str | None,
    ) -> TestAnswer:
        """Return the answer of a test of these rows, which draws or exchanges examples."""
        effect, size = self.effect
        return TestAnswer(
            test=test,
            units=pair.examples,
            difference=self.difference,
            interval_range=(found.low, found.high),
            statistic=self.difference,
            p_value=found.p_value,
            effect=effect,
            effect_size=size,
            method=method,
            more={"values": self.values, **more},
            reason=reason,
        )


def observed_of(pair: Pair, quantity: Quantity) -> tuple[Pair, Observed]:
    """Return the rows that count, what a quantity is of either model, and the sums of a mean.

    Rows of weight 0 do not count, unless all are such. Raises InputError where the two models'
    rows have different weights.
    """
    common_weight(pair)
    pair = pair.present
    weight = common_weight(pair)
    values = quantity.value(pair.first), quantity.value(pair.second)
    for which, value in zip(("first", "second"), values, strict=True):
        if not np.isfinite(value):
            kind = "undefined" if np.isnan(value) else "infinite"
            reason = f"the {quantity.title} of the {which} model is {kind} on these rows"
            return pair, Observed(values, None, reason)
    if quantity.per_row is None:
        return pair, Observed(values, None, None)
    apart = np.zeros(pair.n)
    own, other = (quantity.per_row(table) for table in (pair.first, pair.second))
    known = np.isfinite(own) & np.isfinite(other)
    np.subtract(own, other, out=apart, where=known)
    near = np.abs(apart) <= FITTED * (np.abs(own) + np.abs(other))
    if known.any() and near[known].all():
        apart[:] = 0.0
        values = values[0], values[0]
    return pair, Observed(values, sums_of(pair, apart, weight), None)


def sums_of(pair: Pair, difference: Floats, weight: Floats | None) -> Sums:
    """Add up (n,) differences of the rows, with their weights, by example."""
    if weight is None and not pair.repeated:
        part = np.empty(pair.n)
        part[pair.example] = difference
        return Sums(part, None)
    mass = np.ones(pair.n) if weight is None else weight
    part, total = np.zeros(pair.examples), np.zeros(pair.examples)
    np.add.at(part, pair.example, mass * difference)
    np.add.at(total, pair.example, mass)
    return Sums(part, total)


# ---------------------------------------------------------------- examples drawn, answers exchanged


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """Which rows are of which example.

    Attributes
    ----------
    order : (n,) row numbers by example
    start : (e + 1,) where in `order` the rows of each example begin
    """

    order: Ints
    start: Ints

    def rows_of(self, examples: Ints) -> Ints:
        """Return the row numbers of examples, all rows of each, in their order."""
        many = self.start[examples + 1] - self.start[examples]
        first = np.repeat(self.start[examples] - np.cumsum(many) + many, many)
        return self.order.take(first + np.arange(many.sum()))


def members_of(pair: Pair) -> Members:
    """Return which rows are of which example."""
    start = np.append(0, np.cumsum(np.bincount(pair.example, minlength=pair.examples)))
    return Members(np.argsort(pair.example, kind="stable"), start)


def alike(pair: Pair) -> Pair:
    """Return tables whose answers are of one kind and precision, so that they can be exchanged."""
    tables = (pair.first, pair.second)
    first, second = ({name: getattr(table, name) for name in ANSWERS} for table in tables)
    for name, built in (("label", lambda table: table.predicted), ("log_prob", _logarithms)):
        if (first[name] is None) != (second[name] is None):
            first[name], second[name] = (built(table) for table in tables)
    for name in ANSWERS:
        if (first[name] is None) != (second[name] is None):
            raise InputError(
                "the predictions of two models are exchanged, and only one of them has "
                f"{_KINDS[name]}; give both, or compare by a metric of what both have",
                code="ratings-of-one-model",
            )
        if first[name] is not None and first[name].dtype != second[name].dtype:
            wide = np.result_type(first[name], second[name])
            first[name], second[name] = first[name].astype(wide), second[name].astype(wide)
    return Pair(replace(pair.first, **first), replace(pair.second, **second), pair.example)


_KINDS = {
    "prob": "probabilities",
    "log_prob": "probabilities",
    "label": "answers (`predicted`)",
    "score": "ratings (`score`)",
}


def _logarithms(table: Predictions) -> NDArray[Any] | None:
    if table.log_prob is not None or table.prob is None:
        return table.log_prob
    with np.errstate(divide="ignore"):
        return np.log(table.prob)


def exchanged(pair: Pair, flip: Truths) -> tuple[Predictions, Predictions]:
    """Return both tables with the answers of the marked examples, (e,), exchanged.

    The pair is one of `alike`. True classes, weights and attributes stay with the rows; where each
    model has true classes of its own, these go with its answers.
    """
    rows = flip[pair.example]
    parts: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for name in (*ANSWERS, "actual") if pair.own_truth else ANSWERS:
        a, b = getattr(pair.first, name), getattr(pair.second, name)
        if a is not None:
            swap = rows if a.ndim == 1 else rows[:, None]
            for part, (own, other) in zip(parts, ((a, b), (b, a)), strict=True):
                part[name] = np.asarray(np.where(swap, other, own), order=_order(own))
    return replace(pair.first, **parts[0]), replace(pair.second, **parts[1])


def _order(values: NDArray[Any]) -> Any:
    return "F" if values.flags.f_contiguous else "C"


def drawn(pair: Pair, rows: Ints) -> tuple[Predictions, Predictions]:
    """Return both tables with the rows of these numbers, some several times."""
    return pair.first.select(where=rows), pair.second.select(where=rows)


# ---------------------------------------------------------------- draws in blocks


def without_undefined(method: str, undefined: int) -> str:
    """Return the name of a method, with the number of draws that have no value.

    >>> without_undefined("999 random exchanges", 3)
    '999 random exchanges, 3 of them undefined and left out'
    """
    return f"{method}, {undefined:,} of them undefined and left out" if undefined else method


def mostly_undefined(defined: int, draws: int) -> bool:
    """Tell whether too few draws have a value: fewer than half.

    >>> mostly_undefined(49, 99), mostly_undefined(49, 98), mostly_undefined(50, 99)
    (True, False, False)
    """
    return 2 * defined < draws


def in_blocks(
    block: Callable[[int, int], Floats],
    resamples: int,
    *,
    size: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return (resamples,) values; `block(number, width)` makes those of one random stream.

    `size` is how many a stream makes, which nothing but the draws may depend on.
    """
    widths = [min(size, resamples - start) for start in range(0, resamples, size)]
    built = run_blocks(
        lambda key: block(key[0], widths[key[0]]),
        [(number,) for number in range(len(widths))],
        question={},
        workers=workers,
        progress=progress,
    )
    return np.concatenate(list(built.values()))


# Numbers of the examples drawn, some several times -> difference of the models on them.
Drawn: TypeAlias = Callable[[Ints], float]
# (e,) whether the models' answers are exchanged -> difference between what results.
Exchanged: TypeAlias = Callable[[Truths], float]


def difference_of_drawn(pair: Pair, quantity: Quantity, sums: Sums | None) -> Drawn:
    """Return how to compute a difference of examples drawn anew, the fastest way there is."""
    if sums is not None:
        return _drawn_means(sums)
    if quantity.ratings is not None:
        return _drawn_areas(pair, quantity.ratings)
    if quantity.decisions is not None:
        return _drawn_rates(pair, quantity.decisions)
    if quantity.binned is not None:
        return _drawn_errors(pair, quantity.binned)
    members = members_of(pair)

    def anew(examples: Ints) -> float:
        first, second = drawn(pair, members.rows_of(examples))
        return quantity.value(first) - quantity.value(second)

    return anew


def difference_of_exchanged(pair: Pair, quantity: Quantity) -> Exchanged:
    """Return how to compute a difference with answers exchanged, the fastest way there is."""
    if quantity.decisions is not None:
        return _exchanged_rates(pair, quantity.decisions)
    if quantity.binned is not None:
        return _exchanged_errors(alike(pair), quantity.binned)
    both = alike(pair)

    def anew(flip: Truths) -> float:
        first, second = exchanged(both, flip)
        return quantity.value(first) - quantity.value(second)

    return anew


LONG = 300_000_000  # rows that are measured anew, about a minute's work


def warn_of_long(pair: Pair, quantity: Quantity, resamples: int) -> None:
    """Warn before work of minutes: a quantity without a fast way, of many rows, many times."""
    if not quantity.quick and pair.n * resamples > LONG:
        warn(
            f"each of {resamples:,} resamples computes the {quantity.title} of {pair.n:,} rows "
            f"again, which can take many minutes; {max(199, LONG // pair.n):,} resamples take "
            "about one",
            code="long-work",
            category=LongWorkWarning,
        )


# ---------------------------------------------------------------- means of rows


def _drawn_means(sums: Sums) -> Drawn:
    mass = np.empty(0) if sums.mass is None else sums.mass

    def mean(examples: Ints) -> float:
        total = np.zeros(2)
        add_up(sums.part, mass, examples, total)
        return float(total[0] / total[1]) if total[1] > 0 else np.nan

    return mean


@compiled
def add_up(part: Floats, mass: Floats, examples: Ints, total: Floats) -> None:
    """Add up the parts and masses of examples, in four sums at once; no masses are ones."""
    a = b = c = d = 0.0
    n = len(examples)
    whole = n - n % 4
    for i in range(0, whole, 4):
        a += part[examples[i]]
        b += part[examples[i + 1]]
        c += part[examples[i + 2]]
        d += part[examples[i + 3]]
    for i in range(whole, n):
        a += part[examples[i]]
    total[0] = a + b + (c + d)
    if len(mass) == 0:
        total[1] = n
    else:
        for i in range(n):
            total[1] += mass[examples[i]]


# ---------------------------------------------------------------- areas under ROC curves


def _drawn_areas(pair: Pair, ratings: Callable[..., Ratings]) -> Drawn:
    """Return areas of weighted rows in one order: how often an example was drawn is its weight."""
    orders, mass_of = [Order(*ratings(table)) for table in (pair.first, pair.second)], _masses(pair)

    def difference(examples: Ints) -> float:
        mass = mass_of(examples)
        first, second = (order.area(mass) for order in orders)
        return first - second

    return difference


def _masses(pair: Pair) -> Callable[[Ints], Floats]:
    """Return how to find the (n,) weights that rows have by how often their examples are drawn."""
    weight, many = common_weight(pair), pair.examples

    def mass_of(examples: Ints) -> Floats:
        times = np.bincount(examples, minlength=many)[pair.example].astype(np.float64)
        return times if weight is None else times * weight

    return mass_of


def area_parts(pair: Pair, ratings: Callable[..., Ratings]) -> Floats:
    """Return (e,) what each example adds to the difference of two areas, its sign if exchanged.

    Each model's ratings are replaced by their ranks first, so that two scales, such as a
    probability and a logit, do not matter to the ranks that are mixed (Bandos, Rockette and Gur
    2005). With R_st(i, j) whether the rank of positive i in model s is above that of negative j in
    model t (ties half), P = R_11 - R_22 and Q = R_21 - R_12, a pair of which the signs a_i and b_j
    say whether its rows are exchanged adds a_i (P - Q) / 2 + b_j (P + Q) / 2: sums over rows.
    """
    (event, first), (_, second) = (ratings(table) for table in (pair.first, pair.second))
    ranks = _mid_ranks(first), _mid_ranks(second)
    mass = pair.first.mass
    part = np.zeros(pair.n)
    for own, sign in ((event, 1.0), (~event, -1.0)):
        # What share of the other class has a lower rank: in the row's own model, in the other.
        same = [_below(ranks[s], ranks[s], mass, own) for s in range(2)]
        mixed = [_below(ranks[s], ranks[1 - s], mass, own) for s in range(2)]
        share = sign * mass[own] / mass[own].sum()
        part[own] = share * (same[0] - same[1] + mixed[0] - mixed[1]) / 2
    return np.asarray(np.bincount(pair.example, part, pair.examples), np.float64)


def area_masses(pair: Pair, ratings: Callable[..., Ratings]) -> Floats:
    """Return (e,) which parts of a shift of the area fall on the examples; they sum to 1.

    Ranks that move the positives up move the negatives down, and the sum of all ranks stays. So
    the positives have the share of the negatives' weight, spread over them, and the other way: with
    few positives other parts make intervals that miss more often (studies/comparison_rows.py
    shift).
    """
    event, mass = ratings(pair.first)[0], pair.first.mass
    share = np.zeros(pair.n)
    for own in (event, ~event):
        share[own] = mass[own] / mass[own].sum() * mass[~own].sum() / mass.sum()
    return np.asarray(np.bincount(pair.example, share, pair.examples), np.float64)


def _below(rank: Floats, others: Floats, mass: Floats, own: Truths) -> Floats:
    """Return for the rows of a class the share of the others whose rank is below theirs."""
    order = np.argsort(others[~own], kind="stable")
    values = others[~own][order]
    below = np.append(0.0, np.cumsum(mass[~own][order]))
    left, right = (below[np.searchsorted(values, rank[own], side)] for side in ("left", "right"))
    return np.asarray((left + right) / 2 / below[-1], np.float64)


def _mid_ranks(rating: Floats) -> Floats:
    _, home, count = np.unique(rating, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - count / 2)[home]


class Order:
    """Rows in the order of their ratings, where sums give the area under the ROC curve."""

    def __init__(self, event: Truths, rating: Floats) -> None:
        self.rows = np.argsort(rating, kind="stable")
        ranked = rating[self.rows]
        self.event = event[self.rows]
        self.last = np.append(ranked[1:] != ranked[:-1], True)

    def area(self, mass: Floats) -> float:
        """Return the area with (n,) weights of the rows, NaN where a class has none."""
        result = np.zeros(3)
        count_pairs(self.rows, self.event, self.last, mass, result)
        pairs, positives, negatives = result.tolist()
        return pairs / (positives * negatives) if positives > 0 and negatives > 0 else np.nan


@compiled
def count_pairs(rows: Ints, event: Truths, last: Truths, mass: Floats, result: Floats) -> None:
    """Add up weights of pairs whose positive is rated higher (ties half), positives, negatives."""
    pairs = positives = negatives = 0.0
    tied = low = 0.0
    for i in range(len(rows)):
        w = mass[rows[i]]
        if event[i]:
            tied += w
        else:
            low += w
        if last[i]:
            pairs += tied * (negatives + low / 2)
            positives += tied
            negatives += low
            tied = low = 0.0
    result[0], result[1], result[2] = pairs, positives, negatives


# ---------------------------------------------------------------- rates of decisions


def _drawn_rates(pair: Pair, decisions: Callable[..., DecisionStatistic]) -> Drawn:
    """Return rates of two confusion matrices, whose cells are sums of the rows' weights."""
    sides = [decisions(table) for table in (pair.first, pair.second)]
    cells, mass_of = [_cells(side) for side in sides], _masses(pair)

    def difference(examples: Ints) -> float:
        mass = mass_of(examples)
        return _rate(sides[0], cells[0], mass) - _rate(sides[1], cells[1], mass)

    return difference


def _exchanged_rates(pair: Pair, decisions: Callable[..., DecisionStatistic]) -> Exchanged:
    sides = [decisions(table) for table in (pair.first, pair.second)]
    (first, second), mass = (_cells(side) for side in sides), pair.first.mass

    def difference(flip: Truths) -> float:
        swap = flip[pair.example]
        mixed = np.where(swap, second, first), np.where(swap, first, second)
        return _rate(sides[0], mixed[0], mass) - _rate(sides[0], mixed[1], mass)

    return difference


STEP = 1e-4  # of the rows, by which a cell is moved: a derivative to eight digits


def rate_influence(side: DecisionStatistic, mass: Floats) -> Floats:
    """Return (n,) influence values of the rows on a rate: its derivatives by their cells, centred.

    A cell that does not move the rate, or makes it undefined, has none.
    """
    cells = _cells(side)
    sums = np.bincount(cells, mass, side.size).astype(np.float64)
    total = float(sums.sum())
    moved = sums[:, None] + STEP * total * np.eye(side.size)
    slopes = (side.of_sums(moved) - side.of_sums(sums[:, None])[0]) / STEP
    slopes = np.where(np.isfinite(slopes) & (sums > 0), slopes, 0.0)
    slopes = slopes - float(slopes @ sums) / total
    return np.asarray(slopes[cells], np.float64)


def _cells(side: DecisionStatistic) -> Ints:
    """Return (n,) which cell of the confusion matrix every row is counted in."""
    return np.asarray(side.actual.astype(np.intp) * len(side.classes) + side.decision, np.intp)


def _rate(side: DecisionStatistic, cells: Ints, mass: Floats) -> float:
    sums = np.bincount(cells, mass, side.size).astype(np.float64)
    return float(side.of_sums(sums[:, None])[0])


# ---------------------------------------------------------------- errors over fixed bins


def _drawn_errors(pair: Pair, setting: Callable[[Predictions], ErrorDefinition]) -> Drawn:
    """Return errors of weighted rows in their bins: how often an example was drawn counts."""
    sides = [BinnedRows.of(table, setting(table)) for table in (pair.first, pair.second)]
    mass_of = _masses(pair)

    def difference(examples: Ints) -> float:
        mass = mass_of(examples)
        return sides[0].error(mass) - sides[1].error(mass)

    return difference


def _exchanged_errors(pair: Pair, setting: Callable[[Predictions], ErrorDefinition]) -> Exchanged:
    """Return errors of rows that keep their bins, whichever model they are given to.

    One pass over the rows of either model adds each to the side that an exchange gives it to.
    """
    sides = [BinnedRows.of(table, setting(table)) for table in (pair.first, pair.second)]
    mass = pair.first.mass
    total = float(mass.sum())

    def difference(flip: Truths) -> float:
        given = flip[pair.example]
        mixed = [np.zeros((2, home.size, SUMS)) for home in sides[0].homes]
        for rows, side in zip(sides, (given, ~given), strict=True):
            rows.add(mass, side.view(np.int8), mixed)
        first, second = (sides[0].error_of([each[s] for each in mixed], total) for s in range(2))
        return first - second

    return difference


SUMS = 4  # of a bin: weights, probabilities of the outcome and of the other one, outcomes
NOBODY = np.zeros((0, 0), np.int32)  # cells of single rows, which sums over bins need not know


@dataclass(frozen=True, slots=True, eq=False)
class BinnedRows:
    """The rows of one model in bins that no weight moves.

    Attributes
    ----------
    definition : what is measured
    homes : of every event looked at, which bin every row is in
    events : of every event, its probabilities and outcomes
    """

    definition: ErrorDefinition
    homes: tuple[BinAssignment, ...]
    events: tuple[ScoredEvent, ...]

    @classmethod
    def of(cls, table: Predictions, definition: ErrorDefinition) -> "BinnedRows":
        """Place the rows of a table."""
        if definition.bins is None:
            raise ParameterError(
                f"an error over fixed bins has `bins`, got {definition}", code="bins-missing"
            )
        events = tuple(view_events(table, definition).events)
        return cls(
            definition,
            tuple(BinAssignment.of(event.score, None, definition.bins) for event in events),
            events,
        )

    def add(self, mass: Floats, side: NDArray[np.int8], sums: Sequence[Floats]) -> None:
        """Add the rows with (n,) weights to the (sides, bins, 4) sums of every event.

        `side` (n,) says to which of the sides each row is added.
        """
        for home, event, own in zip(self.homes, self.events, sums, strict=True):
            add_to_bins(home.number, event.score, event.rest, event.event, mass, side, own)

    def error(self, mass: Floats) -> float:
        """Return the error with (n,) weights of the rows, NaN where none has any."""
        sums = [np.zeros((1, home.size, SUMS)) for home in self.homes]
        self.add(mass, np.zeros(len(mass), np.int8), sums)
        return self.error_of([each[0] for each in sums], float(mass.sum()))

    def error_of(self, sums: Sequence[Floats], total: float) -> float:
        """Return the error of (bins, 4) sums of every event, NaN where the `total` weight is 0."""
        if not total > 0:
            return np.nan
        parts = [_bins(home, each) for home, each in zip(self.homes, sums, strict=True)]
        cells = cells_of(NOBODY, parts, self.definition, np.repeat(total, len(parts)))
        hits = np.concatenate([[0.0], *(part.outcome[part.filled] for part in parts)])
        return float(cells.error(hits[:, None])[0])


def _bins(homes: BinAssignment, sums: Floats) -> Bins:
    weight, prob, rest, outcome = np.ascontiguousarray(sums.T)
    return Bins(homes.edges, weight, weight, prob, rest, outcome, np.zeros(homes.size))


@compiled
def add_to_bins(
    home: NDArray[np.intp],
    score: Floats,
    rest: Floats,
    event: Truths,
    mass: Floats,
    side: NDArray[np.int8],
    sums: Floats,
) -> None:
    """Add up weights of the rows of every bin of a side, their probabilities, and outcomes.

    Without branches, which a random side makes the processor guess wrongly every other time.
    """
    for i in range(len(home)):
        w = mass[i]
        own = sums[side[i], home[i]]
        own[0] += w
        own[1] += w * score[i]
        own[2] += w * rest[i]
        own[3] += w * event[i]
