"""A difference of two models over again: of examples drawn anew, or with answers exchanged.

Where a quantity is a mean over rows, the area under a ROC curve, a rate of a confusion matrix or an
error over fixed bins, sums, one order of the rows, cells or bins are enough; any other is computed
anew on tables of the drawn or exchanged rows.
"""

import warnings
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from plumbline.calibration import Setting
from plumbline.comparison.answers import Ints, Pair
from plumbline.comparison.binned import BinnedRows
from plumbline.comparison.quantities import Floats, Quantity, Ratings, Truths
from plumbline.comparison.rows import Sums, alike, common_weight, drawn, exchanged, members_of
from plumbline.errors import PlumblineWarning, level_of_caller
from plumbline.jit import compiled
from plumbline.metrics import DecisionStatistic
from plumbline.predictions import Predictions

# Numbers of the examples drawn, some several times -> difference of the models on them.
Drawn: TypeAlias = Callable[[Ints], float]
# (e,) whether the models' answers are exchanged -> difference between what results.
Exchanged: TypeAlias = Callable[[Truths], float]


def drawn_lane(pair: Pair, quantity: Quantity, sums: Sums | None) -> Drawn:
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


def exchanged_lane(pair: Pair, quantity: Quantity) -> Exchanged:
    """Return how to compute a difference with answers exchanged, the fastest way there is."""
    if quantity.decisions is not None:
        return _exchanged_rates(pair, quantity.decisions)
    both = alike(pair)

    def anew(flip: Truths) -> float:
        first, second = exchanged(both, flip)
        return quantity.value(first) - quantity.value(second)

    return anew


class LongWorkWarning(PlumblineWarning):
    """Said before work that takes many minutes."""


LONG = 300_000_000  # rows that are measured anew, about a minute's work


def warn_of_long(pair: Pair, quantity: Quantity, resamples: int) -> None:
    """Warn before work of minutes: a quantity without a fast lane, of many rows, many times."""
    if not quantity.quick and pair.n * resamples > LONG:
        warnings.warn(
            f"the {quantity.title} has no short way, so that {resamples:,} resamples measure "
            f"{pair.n:,} rows of two models each time anew, which can take many minutes; "
            f"{max(199, LONG // pair.n):,} resamples take about one",
            LongWorkWarning,
            stacklevel=level_of_caller(),
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


def _below(rank: Floats, others: Floats, mass: Floats, own: Truths) -> Floats:
    """Return for the rows of a class the share of the others whose rank is below theirs."""
    order = np.argsort(others[~own], kind="stable")
    values = others[~own][order]
    below = np.append(0.0, np.cumsum(mass[~own][order]))
    left, right = (below[np.searchsorted(values, rank[own], side)] for side in ("left", "right"))
    return np.asarray((left + right) / 2 / below[-1], np.float64)


def _mid_ranks(rating: Floats) -> Floats:
    _, place, count = np.unique(rating, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - count / 2)[place]


class Order:
    """Rows in the order of their ratings, where sums give the area under the ROC curve."""

    def __init__(self, event: Truths, rating: Floats) -> None:
        self.rows = np.argsort(rating, kind="stable")
        ranked = rating[self.rows]
        self.event = event[self.rows]
        self.last = np.append(ranked[1:] != ranked[:-1], True)

    def area(self, mass: Floats) -> float:
        """Return the area with (n,) weights of the rows, NaN where a class has none."""
        found = np.zeros(3)
        count_pairs(self.rows, self.event, self.last, mass, found)
        pairs, positives, negatives = found.tolist()
        return pairs / (positives * negatives) if positives > 0 and negatives > 0 else np.nan


@compiled
def count_pairs(rows: Ints, event: Truths, last: Truths, mass: Floats, found: Floats) -> None:
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
    found[0], found[1], found[2] = pairs, positives, negatives


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


def _cells(side: DecisionStatistic) -> Ints:
    """Return (n,) which cell of the confusion matrix every row is counted in."""
    return np.asarray(side.actual.astype(np.intp) * len(side.classes) + side.decision, np.intp)


def _rate(side: DecisionStatistic, cells: Ints, mass: Floats) -> float:
    sums = np.bincount(cells, mass, side.size).astype(np.float64)
    return float(side.of_sums(sums[:, None])[0])


# ---------------------------------------------------------------- errors over fixed bins


def _drawn_errors(pair: Pair, setting: Callable[[Predictions], Setting]) -> Drawn:
    """Return errors of weighted rows in their bins: how often an example was drawn counts."""
    sides = [BinnedRows.of(table, setting(table)) for table in (pair.first, pair.second)]
    mass_of = _masses(pair)

    def difference(examples: Ints) -> float:
        mass = mass_of(examples)
        return sides[0].error(mass) - sides[1].error(mass)

    return difference
