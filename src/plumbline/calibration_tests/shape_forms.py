"""The shapes a miscalibration can have, each of one amount, and the rows they are fitted to."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Ints, Wide
from plumbline.dependence import RowGroups, Strength, row_groups_of
from plumbline.errors import InputError
from plumbline.predictions import Predictions

# The least logarithm of a probability: a probability of 0 is one that no float can hold, so that a
# family which allows what had been thought impossible is preferred, and by a finite amount.
LOWEST = -690.0
TINY = float(np.exp(LOWEST))


@dataclass(frozen=True, slots=True, eq=False)
class WeightedRows:
    """The rows that have weight.

    Attributes
    ----------
    prob : (n, k) probabilities, each row divided by its sum
    log_prob : (n, k) their natural logarithms, at least `LOWEST`
    never : (n, k) which are exactly 0, so that no temperature lifts them; logits never say so
    actual : (n,) observed labels
    weight : (n,) weights, scaled to sum to the effective number of rows, of rows in groups to that
        of independent rows that tell as much
    event : (n,) the class whose probability is shifted: the positive one of two, else the most
        likely one
    counted : whether the weights count identical rows
    groups : (n,) number of the group of every row, None where rows are independent
    row_groups : how much they depend
    share : of independent rows that tell as much, among rows in groups
    """

    prob: Wide
    log_prob: Wide
    never: NDArray[np.bool_]
    actual: Ints
    weight: Wide
    event: NDArray[np.intp]
    counted: bool = False
    groups: Ints | None = field(kw_only=True)
    row_groups: RowGroups | None = None
    strength: Strength | None = None
    share: float = 1.0

    @classmethod
    def of(
        cls,
        data: Predictions,
        purpose: str = "a diagnosis",
        pooled: Strength | None = None,
    ) -> "WeightedRows":
        """Return the rows of a table; raises InputError without probabilities or weight."""
        prob = data.need_prob(purpose).astype(np.float64)
        mass = data.mass
        if mass.sum() <= 0:
            raise InputError(
                f"all weights are 0, so {purpose} has no rows to look at", code="weights-all-zero"
            )
        kept = slice(None) if (mass > 0).all() else mass > 0
        log_prob = _logarithms(data, prob)[kept]
        prob = prob[kept]
        prob /= prob.sum(axis=1, keepdims=True)
        event = np.full(data.stored, data.positive) if data.k == 2 else data.most_likely
        weight = mass[kept] * (data.effective_n / mass.sum())
        actual = data.actual[kept].astype(np.int32)
        never = prob <= (0.0 if data.log_prob is None else -1.0)
        event = event[kept]
        rows = prob, log_prob, never, actual, weight, event.astype(np.intp)
        groups = None if data.group_codes is None else data.group_codes[kept]
        result = cls(*rows, data.counted, groups=groups)
        strength = pooled or Strength.of(result)
        found = row_groups_of(result, strength)
        if found is None:
            return result
        share = found.effective_n / result.n  # so a likelihood counts rows that are independent
        return replace(
            result, weight=result.weight * share, row_groups=found, strength=strength, share=share
        )

    @property
    def squared(self) -> Wide:
        """(n,) what a row adds to a variance: w^2 of one draw of weight w, c of c draws."""
        return self.weight if self.counted else np.square(self.weight) / self.share

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.weight if self.counted else None

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.actual)

    @property
    def k(self) -> int:
        """Number of classes."""
        return int(self.prob.shape[1])


def _logarithms(data: Predictions, prob: Wide) -> Wide:
    """Return log probabilities, those of the logits where the table has them."""
    with np.errstate(divide="ignore"):
        result = np.log(prob) if data.log_prob is None else data.log_prob.astype(np.float64)
    result -= np.logaddexp.reduce(result, axis=1, keepdims=True)
    return np.asarray(np.maximum(result, LOWEST))


HOTTEST = float(np.log(1000.0))  # of a temperature, and of its inverse
MOST_RANDOM = 0.5  # more than half are not few
# The largest amounts that are tried, of a share and of log odds; conventions.
MOST_SHIFT, MOST_ODDS = 0.9, 5.0
# However far a probability is shifted, this share of it stays, and of its opposite: a single row
# cannot rule out a shift that holds elsewhere.
KEPT = 0.1


class Form(Protocol):
    """A family of truths for given rows.

    Attributes
    ----------
    low, high : the range of the parameter, which holds 0
    """

    @property
    def low(self) -> float: ...  # noqa: D102

    @property
    def high(self) -> float: ...  # noqa: D102

    def own(self, by: float) -> Wide:
        """Return (n,) log ratios of the observed labels."""

    def every(self, by: float) -> Wide:
        """Return (n, k) log ratios of all labels."""


@dataclass(frozen=True, eq=False)
class Temperature:
    """Truth softmax(log p / T), by = ln T: too extreme above 0, too near the middle below."""

    rows: WeightedRows
    low: float = -HOTTEST
    high: float = HOTTEST

    def own(self, by: float) -> Wide:
        """Return (n,) log ratios of the observed labels."""
        every, actual = np.arange(self.rows.n), self.rows.actual
        change = np.expm1(-by) * self.rows.log_prob[every, actual]
        return np.asarray(np.where(self.rows.never[every, actual], 0.0, change) - self.log_sums(by))

    def every(self, by: float) -> Wide:
        """Return (n, k) log ratios of all labels."""
        change = np.where(self.rows.never, 0.0, np.expm1(-by) * self.rows.log_prob)
        return np.asarray(change - self.log_sums(by)[:, None])

    def log_sums(self, by: float) -> Wide:
        """Return (n,) logarithms of sum_c p_c^(1/T); what is 0 stays 0."""
        raised = np.exp(self._below * np.exp(-by))
        return np.asarray(self._most * np.exp(-by) + np.log(np.einsum("ij->i", raised)))

    @cached_property
    def _most(self) -> Wide:
        return np.asarray(self.rows.log_prob.max(axis=1))

    @cached_property
    def _below(self) -> Wide:
        below = self.rows.log_prob - self._most[:, None]
        return np.asarray(np.where(self.rows.never, -np.inf, below))


@dataclass(frozen=True, slots=True, eq=False)
class Contamination:
    """Truth (1 - e) p + e / k, by = e: in a share e of the rows the label is random."""

    rows: WeightedRows
    low: float = 0.0
    high: float = MOST_RANDOM

    def own(self, by: float) -> Wide:
        """Return (n,) log ratios of the observed labels."""
        rows = self.rows
        return self._of(rows.log_prob[np.arange(rows.n), rows.actual], by)

    def every(self, by: float) -> Wide:
        """Return (n, k) log ratios of all labels."""
        return self._of(self.rows.log_prob, by)

    def _of(self, log_prob: Wide, by: float) -> Wide:
        return np.asarray(np.log((1.0 - by) + (by / self.rows.k) * np.exp(-log_prob)))


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """The probability of one class of each row is too high by an amount, the others in proportion.

    Truth p - by within [0.1 p, 1 - 0.1 (1 - p)], or logit(truth) = logit(p) - by where `odds`.

    Attributes
    ----------
    column : (n,) the class
    share, rest : (n,) its probability, and that of all others
    """

    rows: WeightedRows
    column: NDArray[np.intp]
    share: Wide
    rest: Wide
    odds: bool

    @classmethod
    def of(cls, rows: WeightedRows, column: NDArray[np.intp], *, odds: bool) -> "Shift":
        """Return the form that shifts the class `column` of every row."""
        others = np.maximum(rows.prob, TINY)
        share = others[np.arange(rows.n), column]
        others[np.arange(rows.n), column] = 0.0
        return cls(rows, column, share, others.sum(axis=1), odds)

    @property
    def high(self) -> float:
        """Largest amount."""
        return MOST_ODDS if self.odds else MOST_SHIFT

    @property
    def low(self) -> float:
        """Smallest amount."""
        return -self.high

    def pair(self, by: float) -> Wide:
        """Return (n, 2) log ratios: of any other label, and of the class itself."""
        share, rest = self.share, self.rest
        if self.odds:
            whole = np.log(share * np.exp(-by) + rest)
            return np.stack([-whole, -by - whole], axis=1)
        if by >= 0:
            true = np.maximum(share - by, KEPT * share)
            other = rest + (share - true)
        else:
            other = np.maximum(rest + by, KEPT * rest)
            true = share + (rest - other)
        return np.log(np.stack([other / rest, true / share], axis=1))

    def own(self, by: float) -> Wide:
        """Return (n,) log ratios of the observed labels."""
        hit = (self.rows.actual == self.column).astype(np.intp)
        return np.asarray(self.pair(by)[np.arange(self.rows.n), hit])

    def every(self, by: float) -> Wide:
        """Return (n, k) log ratios of all labels."""
        pair = self.pair(by)
        out = np.repeat(pair[:, :1], self.rows.k, axis=1)
        out[np.arange(self.rows.n), self.column] = pair[:, 1]
        return out


def class_shift(rows: WeightedRows, number: int, *, odds: bool) -> Shift:
    """Return the form that shifts one class in all rows."""
    return Shift.of(rows, np.full(rows.n, number, np.intp), odds=odds)


def implied_truth(rows: WeightedRows, form: Form, by: float) -> Wide:
    """Return the (n, k) truth that a form implies, each row divided by its sum."""
    raised = rows.log_prob + form.every(by)
    out = np.exp(raised - raised.max(axis=1, keepdims=True))
    return np.asarray(out / out.sum(axis=1, keepdims=True))
