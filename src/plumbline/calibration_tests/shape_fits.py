"""Which shape of miscalibration fits best: likelihoods, fits, and what bins have left over."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.binning import BinAssignment
from plumbline.calibration import Wide
from plumbline.calibration_tests.shape_forms import (
    Contamination,
    Form,
    Shift,
    Temperature,
    WeightedRows,
    class_shift,
    implied_truth,
)

EVENT_BINS, CLASS_BINS = "equal-size:10", "equal-size:5"
SIGNAL = 2.0  # how far bins are off if anything is: variance of that, in units of the bins' chance


@dataclass(frozen=True, slots=True, eq=False)
class FitCells:
    """Bins of an event's probability, for one event of each row or for every class in turn.

    Attributes
    ----------
    number : (n, k) cell that row i adds its weight to if its label is c; cell 0 does not count
    expected, variance : (cells,) mean and variance of the hits if calibrated
    family : (cells,) the class of a cell
    """

    number: NDArray[np.int32]
    expected: Wide
    variance: Wide
    family: NDArray[np.intp]

    def log_factor(self, hits: Wide) -> Wide:
        """Return (draws,) log Bayes factors of bins that are off at random against calibrated ones.

        If the log-odds of bin b are off by a normal deviate of variance s^2, its hits O have mean E
        and variance about V + s^2 V^2, so that the factor is the sum over bins of
        (O - E)^2 / (2 V) s^2 V / (1 + s^2 V) - ln(1 + s^2 V) / 2, with s^2 V = 2 on average.
        """
        noisy = self.variance > 0
        if not noisy.any():
            return np.zeros(hits.shape[1])
        spread = SIGNAL * self.variance / self.variance[noisy].mean()
        pull = np.divide(
            spread / (1.0 + spread) / 2.0, self.variance, out=np.zeros_like(spread), where=noisy
        )
        gap = hits - self.expected[:, None]
        return np.asarray(pull @ np.square(gap) - np.log1p(spread[noisy]).sum() / 2.0)

    def excess(self, hits: Wide) -> float:
        """Return sum_b (O - E)^2 / V_b minus its mean if calibrated, the number of bins.

        Bins of less than one expected hit or miss count in proportion.
        """
        scale = np.maximum(self.variance, 1.0)
        return float(((np.square(hits - self.expected) - self.variance) / scale).sum())

    def under(self, prob: Wide, rows: WeightedRows) -> "FitCells":
        """Return the same bins with what other probabilities would expect."""
        return filled(self.number, self.family, prob, rows)

    def observed(self, rows: WeightedRows) -> Wide:
        """Return (cells,) hits of the observed labels."""
        own = self.number[np.arange(rows.n), rows.actual]
        result = np.bincount(own, rows.weight, len(self.expected))
        result[0] = 0.0
        return result.astype(np.float64)


def filled(
    number: NDArray[np.int32], family: NDArray[np.intp], prob: Wide, rows: WeightedRows
) -> FitCells:
    """Return cells with mean and variance of their hits under these probabilities."""
    size = len(family)
    flat = number.ravel()
    expected = np.bincount(flat, (prob * rows.weight[:, None]).ravel(), size)
    row_variance = prob * (1.0 - prob) * rows.squared[:, None]
    variance = np.bincount(flat, row_variance.ravel(), size)
    expected[0] = variance[0] = 0.0
    return FitCells(number, expected.astype(np.float64), variance.astype(np.float64), family)


def event_cells(rows: WeightedRows) -> FitCells:
    """Return the bins of the probability of each row's event."""
    number = np.zeros((rows.n, rows.k), np.int32)
    every = np.arange(rows.n)
    home = BinAssignment.of(rows.prob[every, rows.event], rows.weight, EVENT_BINS)
    number[every, rows.event] = 1 + home.number
    return filled(number, np.zeros(1 + home.size, np.intp), rows.prob, rows)


def class_cells(rows: WeightedRows) -> FitCells:
    """Return the bins of the probability of every class."""
    number = np.zeros((rows.n, rows.k), np.int32)
    family = [np.zeros(1, np.intp)]
    before = 1
    for column in range(rows.k):
        home = BinAssignment.of(rows.prob[:, column], rows.weight, CLASS_BINS)
        number[:, column] = before + home.number
        family.append(np.full(home.size, column, np.intp))
        before += home.size
    return filled(number, np.concatenate(family), rows.prob, rows)


@dataclass(frozen=True, slots=True, eq=False)
class Binned:
    """A table and its bins: of the probability of each row's event, and of every class."""

    rows: WeightedRows
    events: FitCells
    classes: FitCells

    @classmethod
    def of(cls, rows: WeightedRows) -> "Binned":
        """Return the bins of a table."""
        return cls(rows, event_cells(rows), class_cells(rows))


DENSER = 8.0  # the first looks are about e^(DENSER / 2) times denser around 0 than far from it
GRID_POINTS = 9  # first looks at an amount; the best and its neighbours enclose the optimum
# Tolerances of an amount, relative to where it was first found, and of the ends of its interval:
# three digits of both are shown, and shall be those of the likelihood on every processor.
EXACT, EXACT_END = 1e-6, 1e-6
# Log likelihood by which a form must tell some two of its amounts apart. Less says nothing about
# the amount (twice .001 is at the 4th percentile of chi-square with one degree of freedom), and is
# still far above rounding (1e-10 in a million rows): all processors find the same forms flat.
FLAT = 1e-3
# A gain in log likelihood that counts as none: rounding moves an amount by about the square root of
# its own share of the gain, so below this third digits would be those of the processor.
NO_GAIN = 1e-5
NEARBY = 1e-4  # the side of a likelihood that rises is looked for so far from 0
LEVEL = 0.95  # of the interval of an amount


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A form at its largest likelihood.

    Attributes
    ----------
    form, by : the family, and its parameter
    gain : log likelihood above that of the probabilities themselves, at least 0
    low, high : the amounts that the likelihood ratio test does not reject at 5 %; an end of the
        range where that is one of them
    choices : of how many families this one was chosen by the labels
    flat : whether all amounts are as likely, so that none can be estimated; 0 stands for them
    """

    form: Form
    by: float
    gain: float
    low: float
    high: float
    choices: int = 1
    flat: bool = False

    @property
    def p_value(self) -> float:
        """Of the likelihood ratio test that the amount is 0, with Bonferroni's factor for choices.

        The interval leaves 0 out if and only if it is at most 5 %; NaN where all amounts are as
        likely.
        """
        from scipy.special import chdtrc

        return np.nan if self.flat else min(1.0, self.choices * float(chdtrc(1, 2 * self.gain)))


def drop_of(choices: int) -> float:
    """Return by how much the log likelihood may fall short of its top where 5 % do not reject.

    >>> round(drop_of(1), 2), round(drop_of(3), 2)
    (1.92, 2.87)
    """
    from scipy.special import chdtri

    return float(chdtri(1, (1 - LEVEL) / choices)) / 2


def fitted(rows: WeightedRows, form: Form, choices: int = 1) -> Fit:
    """Return the fit on the side of 0 to which the likelihood rises."""
    from scipy.optimize import minimize_scalar

    def gain(by: float) -> float:
        return float((rows.weight * form.own(by)).sum())

    if _flat(gain, form):
        return Fit(form, 0.0, 0.0, np.nan, np.nan, choices, flat=True)
    far = _rising(gain, form)
    grid = far * np.sinh(DENSER / 2 * np.linspace(0, 1, GRID_POINTS)) / np.sinh(DENSER / 2)
    gains = [0.0]
    for by in grid[1:]:  # likelihoods have one top
        gains.append(gain(by))
        if gains[-1] < gains[-2]:
            break
    best = int(np.argmax(gains))
    ends = sorted((float(grid[max(best - 1, 0)]), float(grid[min(best + 1, GRID_POINTS - 1)])))
    result = minimize_scalar(
        lambda by: -gain(by),
        bounds=ends,
        method="bounded",
        options={"xatol": EXACT * (ends[1] - ends[0])},
    )
    by, most = max(
        ((float(grid[best]), gains[best]), (float(result.x), -float(result.fun))),
        key=lambda pair: pair[1],
    )
    if most <= NO_GAIN:
        by, most = 0.0, 0.0
    low, high = (_end(gain, by, far, most - drop_of(choices)) for far in (form.low, form.high))
    return Fit(form, by, most, low, high, choices)


def _flat(gain: Callable[[float], float], form: Form) -> bool:
    """Tell whether the likelihood is the same wherever it is looked at, also near 0."""
    ends = [end for end in (form.low, form.high) if end != 0.0]
    return all(abs(gain(share * end)) < FLAT for share in (1.0, 0.3, 0.05) for end in ends)


def _rising(gain: Callable[[float], float], form: Form) -> float:
    """Return the end of the range towards which the likelihood rises from 0."""
    if form.low == 0.0 or gain(NEARBY * form.high) >= gain(NEARBY * form.low):
        return form.high
    return form.low


def _end(gain: Callable[[float], float], by: float, far: float, floor: float) -> float:
    """Return where the gain falls to `floor` on the way from `by` to `far`."""
    from scipy.optimize import brentq

    step, near, there = 0.02 * (far - by), by, by
    while there != far:
        there = far if abs(there + step - by) >= abs(far - by) else there + step
        if gain(there) < floor:
            return float(brentq(lambda at: gain(at) - floor, near, there, rtol=EXACT_END))
        near, step = there, 2 * step
    return far


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
    fit : the amount; None where the likelihood rises to the other side, or is flat
    estimable : whether the rows tell any two amounts apart
    price : what its choices cost, in log likelihood
    explained : share of the bins' excess that it explains; NaN where there is none
    left : log Bayes factor of bins that are still off at random after its correction
    number : the class, of one bad class
    """

    shape: str
    kind: str
    fit: Fit | None
    price: float
    explained: float
    left: float
    number: int | None = None
    estimable: bool = True

    @property
    def worth(self) -> float:
        """Log likelihood gained, less the price."""
        return -np.inf if self.fit is None else self.fit.gain - self.price


def candidates(rows: WeightedRows) -> tuple[Candidate, ...]:
    """Return every shape at its best."""
    table = Binned.of(rows)
    start = _misfit(table, rows.prob)
    result = [*_two_sided(table, start, SHIFTS, _shifts(table, None))]
    result += _two_sided(table, start, STRETCHES, [("temperature", Temperature(rows))])
    random = fitted(rows, Contamination(rows))
    result.append(_candidate(table, start, "few-bad-points", "share", random, random.by / FEW))
    if rows.k > 2:
        number = worst_class(table)
        best = _best(table, _shifts(table, number), rows.k)
        price = float(np.log(rows.k))
        result.append(_candidate(table, start, "one-bad-class", *best, price, number))
    return tuple(result)


def best_shape(candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the shape that explains best; None where none explains what is wrong.

    That is where no shape raises the likelihood, and where the best leaves more than a quarter of
    the excess, and bins that are still off at random are 20 times as likely as calibrated ones.
    """
    best = max(candidates, key=lambda candidate: candidate.worth)
    if best.fit is None or best.fit.by == 0.0:
        return None
    unexplained = not best.explained >= ENOUGH and best.left > LEFT
    return None if unexplained else best


def worst_class(table: Binned) -> int:
    """Return the class whose number of rows is furthest from what was expected, standardised."""
    rows = table.rows
    observed = np.bincount(rows.actual, rows.weight, rows.k)
    variance = rows.squared @ (rows.prob * (1.0 - rows.prob))
    gap = np.square(observed - rows.weight @ rows.prob)
    with np.errstate(over="ignore"):  # a class that could not happen and did is infinitely far
        return int(np.argmax(gap / np.maximum(variance, np.finfo(np.float64).tiny)))


def _shifts(table: Binned, number: int | None) -> list[tuple[str, Form]]:
    rows = table.rows
    if number is None:
        shift = {odds: Shift.of(rows, rows.event, odds=odds) for odds in (False, True)}
    else:
        shift = {odds: class_shift(rows, number, odds=odds) for odds in (False, True)}
    return [("probability", shift[False]), ("log-odds", shift[True])]


def _best(table: Binned, forms: Sequence[tuple[str, Form]], classes: int = 1) -> tuple[str, Fit]:
    """Return the likeliest of several forms, which may be of one of several classes."""
    choices = len(forms) * classes
    fits = [(kind, fitted(table.rows, form, choices)) for kind, form in forms]
    return max(fits, key=lambda pair: pair[1].gain)


def _two_sided(
    table: Binned, start: float, shapes: tuple[str, str], forms: Sequence[tuple[str, Form]]
) -> list[Candidate]:
    """Return the shape of positive parameters and that of negative ones."""
    kind, fit = _best(table, forms)
    rows = []
    for shape, side in zip(shapes, (1, -1), strict=True):
        own = fit if fit.by * side > 0 or fit.flat else None
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
    if fit is not None and fit.flat:
        return Candidate(shape, kind, None, price, np.nan, 0.0, number, estimable=False)
    if fit is None:
        return Candidate(shape, kind, None, price, 0.0 if start > 0 else np.nan, 0.0, number)
    prob = implied_truth(table.rows, fit.form, fit.by)
    explained = 1.0 - max(_misfit(table, prob), 0.0) / start if start > 0 else np.nan
    left = max(_left_over(cells, table, prob) for cells in (table.events, table.classes))
    return Candidate(shape, kind, fit, price, max(explained, 0.0), left, number)


def _misfit(table: Binned, prob: Wide) -> float:
    """Return by how much the bins are further off than chance has them, if `prob` is true."""
    rows = table.rows
    parts = (table.events, table.classes) if rows.k > 2 else (table.events,)
    return sum(cells.under(prob, rows).excess(cells.observed(rows)) for cells in parts)


def _left_over(cells: FitCells, table: Binned, prob: Wide) -> float:
    rows = table.rows
    return float(cells.under(prob, rows).log_factor(cells.observed(rows)[:, None])[0])
