"""Which events a view asks about: each with its probability and whether it happened."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.settings import Setting, binary_lens
from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.probabilities import against_rest, rest_sum


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One event with its probability: what a bin compares.

    Attributes
    ----------
    score, rest : (n,) probability of the event, and of its opposite
    event : (n,) whether it happened
    """

    score: Floats
    rest: Floats
    event: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A table as a view sees it.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if they are true
    actual : (n,) observed labels, columns of `prob`
    looks : the events; with several, look j is at column j
    column : the column of `prob` the first event is about
    """

    prob: Floats
    actual: Ints
    looks: Iterator[Look]
    column: int = 1


def seen(data: Predictions, chosen: Setting) -> Seen:
    """Return the events of a view other than "joint"."""
    prob = checked_prob(data)
    if chosen.view == "classwise":
        return Seen(prob, data.actual, _each_class(data, prob), 0)
    lens = binary_lens(data, chosen, "a calibration error")
    own = lens.need_prob("a calibration error")
    if not chosen.mixed:
        return Seen(own, lens.actual, iter([Look(own[:, 1], own[:, 0], lens.actual == 1)]))
    answer = data.predicted  # drawn as right with the probability of the answer itself
    right = data.actual == answer
    chance = against_rest(prob, answer, rest_sum)
    look = Look(own[:, 1], own[:, 0], right)
    return Seen(chance, right.astype(np.int32), iter([look]))


def need_weight(mass: Wide) -> None:
    """Refuse rows of which none weighs anything."""
    if not (mass > 0).any():
        raise InputError("all weights of these rows are 0, so there is nothing to measure")


def checked_prob(data: Predictions) -> Floats:
    """Return the probabilities, or refuse a table of which nothing can be measured."""
    prob = data.need_prob("a calibration error")
    need_weight(data.mass)
    return prob


def _each_class(data: Predictions, prob: Floats) -> Iterator[Look]:
    """Yield every class against the rest; all sums of the others in one pass over the matrix."""
    others = np.minimum(sum_of_others(prob.astype(np.float64)), 1.0)
    for j in range(data.k):
        yield Look(prob[:, j], others[:, j].astype(prob.dtype), data.actual == j)


def sum_of_others(value: Wide) -> Wide:
    """Return, for every column, the row's sum over the other columns, without a difference."""
    before, after = np.zeros_like(value), np.zeros_like(value)
    before[:, 1:] = np.cumsum(value[:, :-1], axis=1)
    after[:, :-1] = np.cumsum(value[:, :0:-1], axis=1)[:, ::-1]
    return before + after
