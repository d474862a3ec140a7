"""The rows of two models: their common weights, and what becomes of them drawn or exchanged."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.checkpoints import run_blocks
from plumbline.comparison.answers import Ints, Pair
from plumbline.comparison.quantities import Floats, Quantity, Truths
from plumbline.errors import InputError
from plumbline.nulls import TIE
from plumbline.predictions import Predictions
from plumbline.progress import Progress

ANSWERS = ("prob", "log_prob", "label", "score")  # what of a table is the model's


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
            f"two models are compared with the same weights, and row {i} of both (counting from 0) "
            f"has {pair.first.mass[i]:g} and {pair.second.mass[i]:g}; give both rows of an example "
            "one `weight`"
        )
    return pair.first.mass


def need_plain_rows(pair: Pair, test: str, instead: str) -> None:
    """Refuse weights and examples of several rows, which a test has no formula for."""
    if pair.first.weight is not None or pair.second.weight is not None:
        raise InputError(f"{test} counts every row once, and these have weights; {instead}")
    if pair.repeated:
        raise InputError(
            f"{test} needs independent rows, and here are {pair.n:,} rows of {pair.examples:,} "
            f"examples; {instead}"
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
        """The mean of the examples' differences by their standard deviation, NaN where it is 0."""
        mass = np.ones(len(self.part)) if self.mass is None else self.mass
        kept = mass > 0
        if kept.sum() < 2:
            return np.nan
        each = self.part[kept] / mass[kept]
        mean = np.average(each, weights=mass[kept])
        variance = np.average(np.square(each - mean), weights=mass[kept])
        spread = np.sqrt(variance * kept.sum() / (kept.sum() - 1))
        return float(mean / spread) if spread > TIE * np.abs(each).max() else np.nan


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
    np.subtract(own, other, out=apart, where=np.isfinite(own) & np.isfinite(other))
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
    for name, made in (("label", lambda table: table.predicted), ("log_prob", _logarithms)):
        if (first[name] is None) != (second[name] is None):
            first[name], second[name] = (made(table) for table in tables)
    for name in ANSWERS:
        if (first[name] is None) != (second[name] is None):
            raise InputError(
                f"the answers of two models are exchanged, and only one of them has {_KINDS[name]}"
                "; give both, or compare by a measure of the answers that both have"
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

    The pair is one of `alike`. True classes, weights and attributes stay with the rows.
    """
    rows = flip[pair.example]
    parts: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for name in ANSWERS:
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


def in_blocks(
    block: Callable[[int, int], Floats],
    resamples: int,
    *,
    size: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return (resamples,) values; `block(number, width)` makes those of one stream of chance.

    `size` is how many a stream makes, which nothing but the draws may depend on.
    """
    widths = [min(size, resamples - start) for start in range(0, resamples, size)]
    made = run_blocks(
        lambda key: block(key[0], widths[key[0]]),
        [(number,) for number in range(len(widths))],
        question={},
        workers=workers,
        progress=progress,
    )
    return np.concatenate(list(made.values()))
