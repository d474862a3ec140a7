"""The rows a softmax is fitted to, and its numbers once classes without rows are back."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.recalibration.inputs import PROBABILITY, Reading
from plumbline.recalibration.temperature import temperature
from plumbline.results.formatting import counted, printable

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

BLOCK = 2**18  # numbers in a block of rows
NAMED = 5  # classes without rows that a note names, at most


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What is fitted to: (n, k) inputs, (n,) class numbers, (n,) weights."""

    x: Floats
    actual: Ints
    weight: Floats

    def part(self, rows: Any) -> "Rows":
        """Return some of the rows."""
        return Rows(self.x[rows], self.actual[rows], self.weight[rows])

    def blocks(self) -> Iterator["Rows"]:
        """Yield the rows in pieces that fit a processor's cache."""
        step = max(1, BLOCK // self.x.shape[1])
        return (self.part(slice(i, i + step)) for i in range(0, len(self.x), step))


class Prepared(NamedTuple):
    """Rows ready to be fitted to, with the columns of the classes they are of alone.

    Attributes
    ----------
    rows : inputs in units of their own, so that their scale makes no difference
    seen : (s,) numbers of the classes there are rows of
    unit : what the inputs were divided by
    slope : of the inputs, by temperature scaling: where to begin
    usual : the same where there is a best temperature, else that of unchanged inputs
    notes : which classes have no rows
    """

    rows: Rows
    seen: Ints
    unit: float
    slope: float
    usual: float
    notes: tuple[str, ...]


def prepared(reading: Reading, actual: Ints, weight: Floats, *, centred: bool) -> Prepared:
    """Return the rows to fit to; log probabilities have the unit 1, ratings their spread."""
    seen = np.unique(actual)
    x = reading.logits(centred=centred)
    unit = 1.0
    if reading.on != PROBABILITY:
        unit = float(np.sqrt(np.average(np.square(x).mean(axis=1), weights=weight))) or 1.0
        x /= unit
    alone = temperature(reading, actual, weight)
    slope = unit / alone.details["temperature"]
    usual = unit if alone.notes else slope
    rows = Rows(
        x if len(seen) == reading.k else np.ascontiguousarray(x[:, seen]),
        np.searchsorted(seen, actual),
        weight,
    )
    return Prepared(rows, seen, unit, slope, usual, _missing(reading, seen))


def _missing(reading: Reading, seen: Ints) -> tuple[str, ...]:
    names = [printable(name) for number, name in enumerate(reading.classes) if number not in seen]
    if not names:
        return ()
    told = ", ".join(names) if len(names) <= NAMED else counted(len(names), "class")
    return (f"no row is of {told}; nothing but the usual slope is known of it",)


def for_all(numbers: Floats, seen: Ints, k: int) -> tuple[Floats, Floats]:
    """Return weights and bias of all k classes, where one without rows has the usual slope.

    Shifts are known up to a constant: their mean is 0, as is the shift of a class without rows.
    """
    bias = np.zeros(k)
    bias[seen] = numbers[:, -1] - numbers[:, -1].mean()
    if numbers.shape[1] == 1:
        return np.array(1.0), bias
    if numbers.shape[1] == 2:  # one slope a class; whole rows of weights are three or more
        slope = np.full(k, numbers[:, 0].mean())
        slope[seen] = numbers[:, 0]
        return slope, bias
    weights = np.eye(k) * np.trace(numbers[:, :-1]) / len(seen)
    weights[np.ix_(seen, seen)] = numbers[:, :-1]
    return weights, bias
