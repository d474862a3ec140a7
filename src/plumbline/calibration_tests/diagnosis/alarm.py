"""Likelihood ratios of every shape as one statistic, for the p-value of each.

Each shape is met at the amount that these rows could just show, where its likelihood ratio is the
test of largest power (Neyman and Pearson 1933); labels drawn from the predictions are its null.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Floats, Ints, Wide
from plumbline.calibration_tests.shapes.cells import FitCells, class_cells, event_cells
from plumbline.calibration_tests.shapes.forms import Contamination, Form, Shift, Temperature
from plumbline.calibration_tests.shapes.rows import Rows
from plumbline.jit import compiled

SHOWN = 4.5  # expected log likelihood ratio at which a test of level 5 % has a power of about 90 %
STEPS, CLOSE = 12, 0.02
PARTS = (
    *("over-estimation", "under-estimation", "overconfident", "underconfident"),
    *("few-bad-points", "one-bad-class", "other"),
)
SUMS = 4  # sums over rows, beside the hits of the cells


@dataclass(frozen=True, eq=False)
class Alarm:
    """Log likelihood ratios of the shapes, `PARTS`, as a function of the labels.

    Attributes
    ----------
    rows : the table
    events, classes : bins of the probability of each row's event; of every class
    """

    rows: Rows
    events: FitCells
    classes: FitCells

    @classmethod
    def of(cls, rows: Rows) -> "Alarm":
        """Return the statistic of a table."""
        return cls(rows, event_cells(rows), class_cells(rows))

    @property
    def prob(self) -> Floats:
        """(n, k) probabilities the labels are drawn from."""
        return self.rows.prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.rows.actual

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return SUMS + len(self.events.expected) + len(self.classes.expected)

    @cached_property
    def random(self) -> Wide:
        """(n, k) weighted log ratios of contamination."""
        form = Contamination(self.rows)
        by = amount(form, lambda e: _divergence(self.rows, form, e))
        return np.asarray(self.rows.weight[:, None] * form.every(by))

    @cached_property
    def shifted(self) -> Wide:
        """(n, 2, 2) weighted log ratios of a shift, too high and too low, of a miss and a hit."""
        form = Shift.of(self.rows, self.rows.event, odds=False)
        sides = [form.pair(side * _shift(self.rows, form, side)) for side in (1.0, -1.0)]
        return np.asarray(self.rows.weight[:, None, None] * np.stack(sides, axis=1))

    @cached_property
    def stretched(self) -> tuple[Wide, Wide]:
        """(2,) slopes and (2,) constants: log ratios of temperatures, in sum_i w_i ln p_y."""
        rows = self.rows
        mean = (rows.prob * rows.log_prob).sum(axis=1)
        spread = rows.weight @ (rows.prob * np.square(rows.log_prob - mean[:, None])).sum(axis=1)
        form = Temperature(rows)
        by = min(np.sqrt(2 * SHOWN / max(spread, 1e-300)), np.log(4.0))
        sides = (by, -by)
        constant = [float(rows.weight @ form.log_sums(side)) for side in sides]
        return np.expm1(-np.array(sides)), np.array(constant)

    @cached_property
    def tilted(self) -> tuple[Wide, Wide]:
        """(2,) slopes and constants: log ratios of the events' log-odds, in their weighted hits."""
        form = Shift.of(self.rows, self.rows.event, odds=True)
        return _odds(self.rows.weight, form.share[:, None], form.rest[:, None])

    @cached_property
    def biased(self) -> tuple[Wide, Wide]:
        """(2, k) slopes and constants: the same of every class, in its weighted hits."""
        prob = self.rows.prob
        return _odds(self.rows.weight, prob, 1.0 - prob)

    def tally(self, width: int) -> "AlarmTally":
        """Return an empty tally for `width` sets of labels."""
        return AlarmTally(
            self,
            np.zeros((SUMS, width)),
            np.zeros((len(self.events.expected), width)),
            np.zeros((len(self.classes.expected), width)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class AlarmTally:
    """What labels added up to so far, one column a draw."""

    alarm: Alarm
    sums: Wide
    events: Wide
    classes: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what, table = self.alarm, self.alarm.rows
        add_rows(
            labels,
            table.weight[rows],
            table.event[rows],
            table.log_prob[rows],
            what.random[rows],
            what.shifted[rows],
            self.sums,
        )
        add_cells(what.events.number[rows], labels, table.weight[rows], self.events)
        add_cells(what.classes.number[rows], labels, table.weight[rows], self.classes)

    def values(self) -> Wide:
        """Return (parts, draws) log likelihood ratios; those of one bad class only for k > 2."""
        what = self.alarm
        self.events[0] = self.classes[0] = 0.0
        slope, constant = what.stretched
        sharp, blunt = slope[:, None] * self.sums[0] - constant[:, None]
        slope, constant = what.tilted
        tilt = slope * self.events.sum(axis=0) - constant
        over, under = np.logaddexp(tilt, self.sums[2:]) - np.log(2.0)
        parts = [over, under, sharp, blunt, self.sums[1]]
        general = what.events.log_factor(self.events)
        if what.rows.k > 2:
            general = np.logaddexp(general, what.classes.log_factor(self.classes)) - np.log(2.0)
            parts.append(self._worst_class())
        return np.stack([*parts, general])

    def _worst_class(self) -> Wide:
        what = self.alarm
        hits = np.zeros((what.rows.k, self.classes.shape[1]))
        np.add.at(hits, what.classes.family[1:], self.classes[1:])
        slope, constant = what.biased
        ratios = slope[:, :, None] * hits - constant[:, :, None]
        mean = np.logaddexp.reduce(ratios.reshape(-1, hits.shape[1]), axis=0)
        return np.asarray(mean - np.log(2.0 * what.rows.k))


def part_names(k: int) -> tuple[str, ...]:
    """Return the names of the parts for k classes."""
    return tuple(name for name in PARTS if k > 2 or name != "one-bad-class")


def amount(form: Form, divergence: Callable[[float], float]) -> float:
    """Return the amount (above 0) at which the expected log likelihood ratio is `SHOWN`."""
    most = min(form.high, 0.5)
    by = most / 10
    for _ in range(STEPS):
        found = max(divergence(by), 1e-300)
        if abs(found / SHOWN - 1.0) < CLOSE:
            break
        by = float(np.clip(by * np.sqrt(SHOWN / found), by / 10, min(10 * by, most)))
    return by


def _shift(rows: Rows, form: Shift, side: float) -> float:
    def divergence(by: float) -> float:
        pair = form.pair(side * by)
        true, other = form.share * np.exp(pair[:, 1]), form.rest * np.exp(pair[:, 0])
        return float(rows.weight @ (true * pair[:, 1] + other * pair[:, 0]))

    return amount(form, divergence)


def _divergence(rows: Rows, form: Form, by: float) -> float:
    """Return the expected log likelihood ratio of a form, if it is true."""
    ratio = form.every(by)
    return float(rows.weight @ (np.exp(rows.log_prob + ratio) * ratio).sum(axis=1))


def _odds(weight: Wide, share: Wide, rest: Wide) -> tuple[Wide, Wide]:
    """Return (2, columns) slopes and constants of log-odds too high and too low."""
    spread = weight @ (share * rest)
    by = np.minimum(np.sqrt(2 * SHOWN / np.maximum(spread, 1e-300)), 3.0)
    sides = np.stack([by, -by])
    constant = [weight @ np.log(share * np.exp(-side) + rest) for side in sides]
    return -sides, np.stack(constant)


@compiled
def add_rows(
    labels: Ints,
    weight: Wide,
    event: Ints,
    log_prob: Wide,
    random: Wide,
    shifted: Wide,
    sums: Wide,
) -> None:
    """Add the rows' log probabilities and log ratios, for each draw."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i]
        own = event[i]
        for d in range(width):
            c = labels[i, d]
            hit = 1 if c == own else 0
            sums[0, d] += w * log_prob[i, c]
            sums[1, d] += random[i, c]
            sums[2, d] += shifted[i, 0, hit]
            sums[3, d] += shifted[i, 1, hit]


@compiled
def add_cells(cell: Ints, labels: Ints, weight: Wide, hits: Wide) -> None:
    """Add every row's weight to the cell its label hits, for each draw."""
    n, width = labels.shape
    for i in range(n):
        for d in range(width):
            hits[cell[i, labels[i, d]], d] += weight[i]
