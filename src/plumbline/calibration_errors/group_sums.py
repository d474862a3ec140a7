"""Outcomes in groups of rows: their bias, and their sums in cross tables of drawn labels."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Floats, Ints, Wide, binary_table, define_error
from plumbline.calibration.statistics import add_hit_shares, add_hits
from plumbline.calibration_errors.outcome_share import OutcomeShares
from plumbline.formatting import interval, number, p_number, percentage
from plumbline.predictions import Predictions
from plumbline.predictions.counted import DRAWN_CELLS, logit_cells


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """One event a row, as a binary view sees it; rows without weight are left out.

    Attributes
    ----------
    view : its name; row : (n,) numbers of the rows in the table
    prob : (n, 2) probabilities of the opposite and of the event; observed : (n,) whether it
        occurred
    weight : (n,) weights, or counts where `counted`
    groups : (n,) number of the group of every row, None where rows are independent
    """

    view: str
    row: NDArray[np.intp]
    prob: Wide
    observed: NDArray[np.bool_]
    weight: Wide
    counted: bool = False
    groups: Ints | None = field(kw_only=True)

    @property
    def square(self) -> Wide:
        """(n,) what every row adds to a sum of squared weights; a counted one the sum of 1^2."""
        return self.weight if self.counted else np.square(self.weight)

    @property
    def n(self) -> int:
        """Number of rows, counted ones as often as they stand for."""
        return int(self.weight.sum()) if self.counted else len(self.row)

    @classmethod
    def of(cls, data: Predictions, view: str | None, purpose: str) -> "Events":
        """Look at a table through a binary view."""
        definition = define_error(data, view)
        binary = binary_table(data, definition, purpose)
        row = np.flatnonzero(binary.mass > 0)
        at = slice(None) if len(row) == len(binary.mass) else row  # of all rows nothing is copied
        prob = binary.need_prob(purpose)[at].astype(np.float64, copy=False)
        observed = binary.actual[at] == 1
        groups = None if binary.group_codes is None else binary.group_codes[at]
        own = definition.name, row, prob, observed, binary.mass[at], binary.counted
        return cls(*own, groups=groups)


def biases(
    events: Events, home: NDArray[Any], size: int, *, level: float = 0.95
) -> list[dict[str, Any]]:
    """Return count, means, bias, its interval and its p-value of `size` groups.

    Row i is in group home[i]. The bias is sum w (y - p) / sum w. Its interval is Wilson's (1927)
    for the outcome share, less the mean probability. The p-value is that of the score test which
    Wilson's interval inverts (`OutcomeShares`): the interval leaves 0 out if and only if p <= 1 -
    level.
    """
    of = OutcomeShares.of(
        events.prob[:, 1],
        events.observed,
        events.weight,
        home,
        size,
        counted=events.counted,
        together=events.groups,
    )
    low, high = of.interval(level)
    columns = {
        "n": of.count,
        "effective_n": of.effective_n,
        "mean_probability": of.mean,
        "outcome_share": of.share,
        "bias": of.bias,
        "bias_low": low - of.mean,
        "bias_high": high - of.mean,
        "bias_p_value": of.p_value,
    }
    return [{name: column[j].item() for name, column in columns.items()} for j in range(size)]


# What the sums of all tables come to: one (cells, events, draws) array a table, to (draws,) or
# (parts, draws) values.
Finish: TypeAlias = Callable[[Sequence[Wide]], Wide]


@dataclass(frozen=True, slots=True, eq=False)
class CrossTables:
    """Sums of the weights of the rows with an event, in every cell of several tables.

    A table crosses some attributes, whose codes name its cells; one of no attribute has one cell
    that holds all rows. With two columns the event is the second, else each column is one.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if calibrated
    actual : (n,) observed labels, columns of `prob`
    weight : (n,) weights
    codes : (attributes, n) number of every row's value; levels : how many values there are
    crossed : the attributes of every table
    counted : whether the weights count identical rows
    groups : (n,) number of the group of every row, None where rows are independent
    """

    prob: Floats
    actual: Ints
    weight: Wide
    codes: NDArray[np.int32]
    levels: tuple[int, ...]
    crossed: tuple[tuple[int, ...], ...]
    counted: bool = False
    groups: Ints | None = field(kw_only=True)
    start: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        sizes = [self.cells(which) * self.events for which in self.crossed]
        object.__setattr__(self, "start", np.cumsum([1, *sizes]))  # sum 0 is nobody's

    @property
    def events(self) -> int:
        """Number of events a cell counts."""
        k: int = self.prob.shape[1]
        return 1 if k == 2 else k

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return int(self.start[-1])

    def cells(self, which: Sequence[int]) -> int:
        """Return the number of cells of a table."""
        return int(np.prod([self.levels[a] for a in which], dtype=np.int64))

    def cell(self, which: Sequence[int], rows: slice) -> NDArray[np.int32]:
        """Return the cell of every row in a table; the last attribute changes fastest."""
        result = np.zeros(len(self.actual[rows]), np.int32)
        for a in which:
            result = result * np.int32(self.levels[a]) + self.codes[a, rows]
        return result

    def of_fewer_rows(self) -> "CrossTables":
        """Return the tables of counted rows whose neighbouring probabilities are merged.

        As `coarsened` merges them, but for rows of other values of an attribute.
        """
        if not self.counted or len(self.actual) <= 2 * DRAWN_CELLS:
            return self
        prob = self.prob.astype(np.float64)
        home = logit_cells(prob[:, 0], prob[:, 1])
        for code in (*self.codes, self.actual):
            home = np.unique(home * (int(code.max()) + 1) + code, return_inverse=True)[1]
        first = np.unique(home, return_index=True)[1]
        whole = np.bincount(home, self.weight).astype(np.float64)
        means = [np.bincount(home, self.weight * column) / whole for column in prob.T]
        return replace(
            self,
            prob=np.column_stack(means),
            actual=self.actual[first],
            weight=whole,
            codes=np.ascontiguousarray(self.codes[:, first]),
        )

    def sums(self, values: Wide) -> list[Wide]:
        """Return (cells, events) sums of (n, events) values in every table."""
        every = slice(None)
        return [
            np.column_stack(
                [
                    np.bincount(self.cell(which, every), column, self.cells(which))
                    for column in values.T
                ]
            )
            for which in self.crossed
        ]

    def observed(self) -> list[Wide]:
        """Return (cells, events, 1) sums of the observed labels in every table."""
        sums = TableSums(self, np.zeros((self.size, 1)))
        sums.add(slice(0, len(self.actual)), self.actual.astype(np.int32)[:, None])
        return sums.tables()


@dataclass(frozen=True, slots=True, eq=False)
class TableSums:
    """What labels added up to so far, one column a draw."""

    what: CrossTables
    hits: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        for cells in self._numbers(rows):
            add_hits(cells, labels, self.what.weight[rows], self.hits)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        for cells in self._numbers(rows):
            add_hit_shares(cells, shares, self.what.weight[rows], self.hits)

    def _numbers(self, rows: slice) -> Iterator[NDArray[np.int32]]:
        """Yield for every table the sum that each class of every row adds to."""
        what = self.what
        column = np.arange(what.events, dtype=np.int32)
        for start, which in zip(what.start[:-1], what.crossed, strict=True):
            first = np.int32(start) + what.cell(which, rows)[:, None] * np.int32(what.events)
            sums = first + column
            if what.events == 1:  # only the second column is an event
                sums = np.concatenate([np.zeros_like(sums), sums], axis=1)
            yield sums

    def tables(self) -> list[Wide]:
        """Return (cells, events, draws) sums of every table."""
        events, width = self.what.events, self.hits.shape[1]
        return [
            self.hits[start:stop].reshape(-1, events, width)
            for start, stop in zip(self.what.start[:-1], self.what.start[1:], strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class TableTally(TableSums):
    """Sums of labels, and what they come to."""

    finish: Finish

    def values(self) -> Wide:
        """Return the statistic of every draw."""
        return self.finish(self.tables())


@dataclass(frozen=True, slots=True, eq=False)
class TableStatistic:
    """What the sums of several tables come to, as a function of the labels."""

    tables: CrossTables
    finish: Finish

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.tables.weight if self.tables.counted else None

    @property
    def prob(self) -> Floats:
        """(n, k) probabilities the labels are drawn from if calibrated."""
        return self.tables.prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels, columns of `prob`."""
        return self.tables.actual

    @property
    def groups(self) -> Ints | None:
        """(n,) number of the group of every row, or None."""
        return self.tables.groups

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return self.tables.size

    def tally(self, width: int) -> TableTally:
        """Return an empty tally for `width` sets of labels."""
        return TableTally(self.tables, np.zeros((self.size, width)), self.finish)


BIAS = "Bias: observed frequency minus mean prediction; above 0 the predictions are too low."


def columns_of_bias(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return predicted, observed and bias of groups of rows as columns of a table."""
    return {
        "mean prediction": [number(row["mean_probability"]) for row in rows],
        "observed": [number(row["outcome_share"]) for row in rows],
        "bias": [number(row["bias"]) for row in rows],
    }


def columns_of_interval(rows: Sequence[Mapping[str, Any]], level: float) -> dict[str, list[str]]:
    """Return the interval of the bias and the p-value that agrees with it."""
    ends = [interval((row["bias_low"], row["bias_high"])) for row in rows]
    p = [p_number(row["bias_p_value"]) for row in rows]
    return {f"{percentage(level)} CI": ends, "p of bias": p}
