"""Every shape at its best: how much it explains, and which one is named."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.calibration import Wide
from plumbline.calibration_tests.shapes.cells import Binned, FitCells
from plumbline.calibration_tests.shapes.fitting import Fit, fitted
from plumbline.calibration_tests.shapes.forms import (
    Contamination,
    Form,
    Shift,
    Temperature,
    class_shift,
    mended,
)
from plumbline.calibration_tests.shapes.rows import Rows

FEW = 0.1  # a share e of bad points costs e / FEW of log likelihood: many are not few
LEFT = float(np.log(20.0))  # a log Bayes factor: strong evidence that mending left something over
SHIFTS = ("over-estimation", "under-estimation")
STRETCHES = ("overconfident", "underconfident")
ENOUGH = 0.75  # of the excess; a shape that explains less may not be what is wrong


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A shape at its largest likelihood.

    Attributes
    ----------
    shape : its name
    kind : what its parameter is: "temperature", "share", "probability" or "log-odds"
    fit : the amount; None where the likelihood rises to the other side
    price : what its choices cost, in log likelihood
    explained : share of the bins' excess that it explains; NaN where there is none
    left : log Bayes factor of bins that are still off at random, once it is mended
    number : the class, of one bad class
    """

    shape: str
    kind: str
    fit: Fit | None
    price: float
    explained: float
    left: float
    number: int | None = None

    @property
    def worth(self) -> float:
        """Log likelihood gained, less the price."""
        return -np.inf if self.fit is None else self.fit.gain - self.price


def candidates(rows: Rows) -> tuple[Candidate, ...]:
    """Return every shape at its best."""
    table = Binned.of(rows)
    start = _misfit(table, rows.prob)
    found = [*_two_sided(table, start, SHIFTS, _shifts(table, None))]
    found += _two_sided(table, start, STRETCHES, [("temperature", Temperature(rows))])
    random = fitted(rows, Contamination(rows))
    found.append(_candidate(table, start, "few-bad-points", "share", random, random.by / FEW))
    if rows.k > 2:
        number = worst_class(table)
        best = _best(table, _shifts(table, number))
        price = float(np.log(rows.k))
        found.append(_candidate(table, start, "one-bad-class", *best, price, number))
    return tuple(found)


def named(found: Sequence[Candidate]) -> Candidate | None:
    """Return the shape that explains best; None where none explains what is wrong.

    That is where the best leaves more than a quarter of the excess, and bins that are still off at
    random are 20 times as likely as true ones.
    """
    best = max(found, key=lambda candidate: candidate.worth)
    unexplained = not best.explained >= ENOUGH and best.left > LEFT
    return None if unexplained else best


def worst_class(table: Binned) -> int:
    """Return the class whose number of rows is furthest from what was expected, standardised."""
    rows = table.rows
    happened = np.bincount(rows.actual, rows.weight, rows.k)
    variance = np.square(rows.weight) @ (rows.prob * (1.0 - rows.prob))
    gap = np.square(happened - rows.weight @ rows.prob)
    with np.errstate(over="ignore"):  # a class that could not happen and did is infinitely far
        return int(np.argmax(gap / np.maximum(variance, np.finfo(np.float64).tiny)))


def _shifts(table: Binned, number: int | None) -> list[tuple[str, Form]]:
    rows = table.rows
    if number is None:
        shift = {odds: Shift.of(rows, rows.event, odds=odds) for odds in (False, True)}
    else:
        shift = {odds: class_shift(rows, number, odds=odds) for odds in (False, True)}
    return [("probability", shift[False]), ("log-odds", shift[True])]


def _best(table: Binned, forms: Sequence[tuple[str, Form]]) -> tuple[str, Fit]:
    fits = [(kind, fitted(table.rows, form)) for kind, form in forms]
    return max(fits, key=lambda pair: pair[1].gain)


def _two_sided(
    table: Binned, start: float, shapes: tuple[str, str], forms: Sequence[tuple[str, Form]]
) -> list[Candidate]:
    """Return the shape of positive parameters and that of negative ones."""
    kind, fit = _best(table, forms)
    rows = []
    for shape, side in zip(shapes, (1, -1), strict=True):
        own = fit if fit.by * side > 0 else None
        rows.append(_candidate(table, start, shape, kind, own, 0.0))
    return rows


def _candidate(
    table: Binned,
    start: float,
    shape: str,
    kind: str,
    fit: Fit | None,
    price: float,
    number: int | None = None,
) -> Candidate:
    if fit is None:
        return Candidate(shape, kind, None, price, 0.0 if start > 0 else np.nan, 0.0, number)
    prob = mended(table.rows, fit.form, fit.by)
    explained = 1.0 - max(_misfit(table, prob), 0.0) / start if start > 0 else np.nan
    left = max(_left(cells, table, prob) for cells in (table.events, table.classes))
    return Candidate(shape, kind, fit, price, max(explained, 0.0), left, number)


def _misfit(table: Binned, prob: Wide) -> float:
    """Return by how much the bins are further off than chance has them, if `prob` is true."""
    rows = table.rows
    parts = (table.events, table.classes) if rows.k > 2 else (table.events,)
    return sum(cells.under(prob, rows.weight).excess(cells.observed(rows)) for cells in parts)


def _left(cells: FitCells, table: Binned, prob: Wide) -> float:
    rows = table.rows
    return float(cells.under(prob, rows.weight).log_factor(cells.observed(rows)[:, None])[0])
