"""What a map reads of a table: probabilities, their finite logarithms, or ratings, by one rule."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.predictions import Predictions

Floats = NDArray[np.float64]

NEVER = 2.0**-52  # the machine epsilon: what smaller probabilities count as by default
PROBABILITY, SCORE = "probability", "score"
INPUTS = (PROBABILITY, SCORE)


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """What is read of one class against the rest, row by row.

    Attributes
    ----------
    on : "probability" or "score"
    value : (n,) float64 probability of the class, or its rating
    rest : (n,) float64 probability of all other classes; None of ratings
    logs : (n, 2) float64 logarithms of the rest and of the class, where the table was made from
        logits; else None
    least : as in `Reading`
    """

    on: str
    value: Floats
    rest: Floats | None = None
    logs: Floats | None = None
    least: float = 0.0

    def rest_share(self) -> Floats:
        """Return (n,) probability of all other classes."""
        return 1.0 - self.value if self.rest is None else self.rest

    def log(self) -> Floats:
        """Return (n,) finite ln p of the class."""
        return _finite(self.value, None if self.logs is None else self.logs[:, 1], self.least)

    def log_rest(self) -> Floats:
        """Return (n,) finite ln of the rest's probability."""
        logs = None if self.logs is None else self.logs[:, 0]
        return _finite(self.rest_share(), logs, self.least)

    def log_odds(self) -> Floats:
        """Return (n,) ln p - ln(rest); a rating is taken as it is."""
        return self.value if self.on == SCORE else self.log() - self.log_rest()


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a map reads of n rows, classes in the map's order.

    Attributes
    ----------
    on : "probability" or "score"
    values : (n, k) probabilities or ratings in their own dtype; of two classes' ratings (n,), the
        positive one's
    log_prob : (n, k) logarithms of the probabilities, where the table was made from logits
    positive : number of the positive class
    classes : names of the classes
    least : what smaller probabilities count as in logarithms; if 0, as for tables made from logits,
        only one of exactly 0 counts as another, 2^-52
    """

    on: str
    values: NDArray[np.floating[Any]]
    log_prob: NDArray[np.floating[Any]] | None
    positive: int
    classes: tuple[str, ...]
    least: float = 0.0

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.values)

    @property
    def k(self) -> int:
        """Number of classes."""
        return 2 if self.values.ndim == 1 else self.values.shape[1]

    def event(self, column: int) -> Event:
        """Return what is read of the class in a column against the rest.

        Of two classes' ratings only the positive one's is there.
        """
        return next(self.events([column]))

    def events(
        self, columns: Sequence[int], *, value_only: Callable[[int], bool] = lambda _: False
    ) -> Iterator[Event]:
        """Yield what is read of several classes, each against the rest, at the cost of one sum.

        `value_only` tells of which columns the probability of the rest is not looked at.
        """
        rest: _Rest | None = None
        for column in columns:
            if self.values.ndim == 1:
                yield Event(SCORE, self.values.astype(np.float64, copy=False))
                continue
            value = self.values[:, column].astype(np.float64, copy=False)
            if self.on == SCORE or value_only(column):
                yield Event(self.on, value)
                continue
            if rest is None:
                rest = _Rest.of(self.values, self.log_prob)
            yield Event(PROBABILITY, value, rest.share(column), rest.logs(column), self.least)

    def logs(self) -> Floats:
        """Return (n, k) finite logarithms of the probabilities.

        One below `least` counts as that. Where there is no least, one of exactly 0 counts as 2^-52,
        or as the smallest other one of its row if that is smaller, so that the order of the classes
        stays.
        """
        if self.least:
            return _finite(self.values.astype(np.float64), self.log_prob, self.least)
        if self.log_prob is not None:
            logs = self.log_prob.astype(np.float64)
        else:
            with np.errstate(divide="ignore"):
                logs = np.log(self.values.astype(np.float64))
        never = np.isneginf(logs)
        if never.any():
            least = np.where(never, np.inf, logs).min(axis=1, keepdims=True)
            logs = np.where(never, np.minimum(least, math.log(NEVER)), logs)
        return logs

    def logits(self, *, centred: bool = False) -> Floats:
        """Return (n, k) logits: log probabilities, or the ratings; of one rating r -r/2 and r/2.

        Logits are known up to a constant a row only; `centred` takes their mean of the row away.
        """
        if self.on == PROBABILITY:
            logits = self.logs()
        elif self.values.ndim == 1:
            half = 0.5 * self.values.astype(np.float64)
            logits = np.column_stack([-half, half])
            logits = logits if self.positive == 1 else logits[:, ::-1]
        else:
            logits = self.values.astype(np.float64)
        return logits - logits.mean(axis=1, keepdims=True) if centred else logits


@dataclass(frozen=True, slots=True, eq=False)
class _Rest:
    """The probability of all classes but one, for every class in turn.

    It is the sum over the others. Where the class has at most half of a row's probability the sum
    of all less its own is that to the last bits; of the one class above half, whose complement
    would be rounded away, the others are summed for themselves, once.

    Attributes
    ----------
    values, log_prob : (n, k) as in `Reading`
    top : (n,) column of the largest of every row
    total, below : (n,) sums over all classes, and over all but the largest
    log_total, log_below : (n,) logarithms of the same, from `log_prob` where there is one
    """

    values: NDArray[np.floating[Any]]
    log_prob: NDArray[np.floating[Any]] | None
    top: NDArray[np.intp]
    total: Floats
    below: Floats
    log_total: Floats | None
    log_below: Floats | None

    @classmethod
    def of(
        cls, values: NDArray[np.floating[Any]], log_prob: NDArray[np.floating[Any]] | None
    ) -> "_Rest":
        """Sum every row."""
        source = values if log_prob is None else log_prob
        top = np.argmax(source, axis=1)
        row = np.arange(len(values))
        others = values.astype(np.float64)
        total = others.sum(axis=1)
        others[row, top] = 0.0
        below = others.sum(axis=1)
        if log_prob is None:
            return cls(values, None, top, total, below, None, None)
        logs = log_prob.astype(np.float64)
        log_total = _log_sum(logs)
        logs[row, top] = -np.inf
        return cls(values, log_prob, top, total, below, log_total, _log_sum(logs))

    def share(self, column: int) -> Floats:
        """Return (n,) the probability of all classes but this, 1 at most."""
        if self.values.shape[1] == 2:
            return self.values[:, 1 - column].astype(np.float64, copy=False)
        rest = np.where(self.top == column, self.below, self.total - self.values[:, column])
        return np.minimum(rest, 1.0)

    def logs(self, column: int) -> Floats | None:
        """Return (n, 2) logarithms of the rest and of the class, stored by column."""
        if self.log_prob is None or self.log_total is None or self.log_below is None:
            return None
        logs = np.empty((len(self.values), 2), order="F")
        logs[:, 1] = self.log_prob[:, column]
        if self.values.shape[1] == 2:
            logs[:, 0] = self.log_prob[:, 1 - column]
            return logs
        with np.errstate(divide="ignore"):  # of the largest, whose own value is taken below
            less = np.log1p(-np.minimum(np.exp(logs[:, 1] - self.log_total), 1.0))
        logs[:, 0] = np.where(self.top == column, self.log_below, self.log_total + less)
        return logs


def rows_that_count(data: Predictions) -> Predictions | None:
    """Return the rows that have weight, None where no row has."""
    if data.weight is None or data.weight.all():
        return data
    return data.select(where=data.weight > 0) if data.weight.any() else None


def usual_input(data: Predictions) -> str:
    """Return what a map of this table reads by default: probabilities where there are some."""
    if data.prob is None and data.score is None:
        raise InputError(
            "recalibration needs probabilities or ratings, this table holds only predicted labels; "
            "add one column p:<class> per class, or a column score",
            code="labels-only",
        )
    return PROBABILITY if data.prob is not None else SCORE


def reading_of(
    data: Predictions, on: str, classes: tuple[str, ...], positive: int, *, least: float = 0.0
) -> Reading:
    """Return what a map of these classes reads of a table; its classes may stand in any order.

    Raises InputError where the table has other classes, or not what the map reads.
    """
    if sorted(data.classes) != sorted(classes):
        raise InputError(
            f"the map is for the classes {', '.join(classes)}, and the table has "
            f"{', '.join(data.classes)}; use a map that was fitted on these classes",
            code="classes-differ",
        )
    order = [data.classes.index(name) for name in classes]
    if on == PROBABILITY:
        prob = data.need_prob("this map")
        logs = _ordered(data.log_prob, order)
        return Reading(on, _ordered(prob, order), logs, positive, classes, least)
    if data.score is None:
        raise InputError(
            "this map reads ratings (score), and this table has none; use a map that reads "
            "probabilities, or add the ratings as a column score",
            code="ratings-missing",
        )
    if data.k > 2:
        return Reading(on, _ordered(data.score, order), None, positive, classes)
    if data.score.ndim == 2:
        return Reading(on, data.score[:, order[positive]], None, positive, classes)
    same = data.classes[data.positive] == classes[positive]
    return Reading(on, data.score if same else -data.score, None, positive, classes)


def with_least(reading: Reading, *, floor: float) -> Reading:
    """Return the rows a map is fitted on, with what small probabilities count as in logarithms.

    A probability below `floor` counts as `floor`: what a saturated model predicts there, 1e-20 or
    1e-300, is rounding and not evidence. A model that counts, such as a forest of a hundred trees,
    predicts exactly 0 where it means less than it can resolve: a 0 counts as half the smallest
    probability above 0, if that is more than `floor`. One that predicts nothing but 0 and 1 shows
    no such step: there a 0 counts as half a row of those that the map is fitted on, so that a
    temperature above 1 corrects overconfidence as everywhere. Logarithms from logits are exact:
    they are taken as they are where none is infinite.
    """
    if reading.on != PROBABILITY:
        return reading
    logs = reading.log_prob
    if logs is not None:
        never = np.isneginf(logs)
        if not never.any():
            return reading
        above = math.exp(logs.min(where=~never, initial=0.0))
    elif reading.values.min() > 0:
        return replace(reading, least=floor)
    else:
        above = float(reading.values.min(where=reading.values > 0, initial=1.0))
    if above == 1.0:
        above = 1 / reading.n
    return replace(reading, least=max(floor, 0.5 * above) or above)


def _ordered(values: Any, order: list[int]) -> Any:
    return values if values is None or order == list(range(len(order))) else values[:, order]


def _log_sum(logs: Floats) -> Floats:
    top = logs.max(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        total: Floats = top + np.log(np.exp(logs - top[:, None]).sum(axis=1))
    total[np.isneginf(top)] = -np.inf
    return total


def _finite(value: Floats, log: NDArray[np.floating[Any]] | None, least: float) -> Floats:
    if log is None:
        raised = np.maximum(value, least) if least else np.where(value > 0, value, NEVER)
        return np.asarray(np.log(raised), np.float64)
    wide = log.astype(np.float64, copy=False)
    if least:
        return np.asarray(np.maximum(wide, math.log(least)))
    return np.where(np.isneginf(wide), math.log(NEVER), wide)
