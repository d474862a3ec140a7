"""What a frozen map computes: five forms, whatever method fitted their numbers.

A form of one event takes what is read of a class against the rest and returns its probability:
`Steps`, `PiecewiseLinear`, `Logistic`, `Spline`, `Unchanged`. `OneVsRest` holds one of them a class
(one in all for two classes) and divides by their sum; `Softmax` takes all classes at once. So a map
is data: files, SQL, Python and ONNX know forms, not methods.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Facts
from plumbline.recalibration.inputs import Event, Reading
from plumbline.recalibration.knots import line_values, step_values

Floats = NDArray[np.float64]


class MapOutput(NamedTuple):
    """Probabilities, and their logarithms where the form knows them exactly.

    Of one event (n, 2), the rest and the class, both stored by column; of k classes (n, k).
    """

    prob: Floats
    log_prob: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """One value a bin: q = values[j] where edges[j - 1] < s <= edges[j].

    Attributes
    ----------
    edges : (m - 1,) rising inner edges; the outer bins have no end
    values : (m,) probabilities
    """

    edges: Floats
    values: Floats
    kind: ClassVar[str] = "steps"
    value_only: ClassVar[bool] = True

    def __call__(self, event: Event) -> MapOutput:
        """Return the value of the bin of every row."""
        return MapOutput(step_values(event.value, self.edges, self.values))


@dataclass(frozen=True, slots=True, eq=False)
class PiecewiseLinear:
    """Straight lines between knots, constant outside; see `line_values` for the rounding.

    Attributes
    ----------
    knots : (m,) rising scores
    values : (m,) probabilities there
    """

    knots: Floats
    values: Floats
    kind: ClassVar[str] = "line"
    value_only: ClassVar[bool] = True

    def __call__(self, event: Event) -> MapOutput:
        """Return the interpolated value of every row."""
        return MapOutput(line_values(event.value, self.knots, self.values))


@dataclass(frozen=True, slots=True, eq=False)
class Logistic:
    """q = 1 / (1 + exp(-z)), z = intercept + a sum of features times coefficients.

    Attributes
    ----------
    intercept, value, log_odds, log, log_rest : coefficients of 1, of the probability or rating
        itself, of its log-odds, of ln p and of ln of the rest; 0 where a feature is not used
    """

    intercept: float = 0.0
    value: float = 0.0
    log_odds: float = 0.0
    log: float = 0.0
    log_rest: float = 0.0
    kind: ClassVar[str] = "logistic"
    value_only: ClassVar[bool] = False

    def __call__(self, event: Event) -> MapOutput:
        """Return the probability of every row, and its logarithm."""
        z = np.full(len(event.value), self.intercept)
        if self.value:
            z += self.value * event.value
        if self.log_odds:
            z += self.log_odds * event.log_odds()
        if self.log:
            z += self.log * event.log()
        if self.log_rest:
            z += self.log_rest * event.log_rest()
        return _of_log_odds(z)


@dataclass(frozen=True, slots=True, eq=False)
class Spline:
    """q = 1 / (1 + exp(-z)), z cubic between knots of the log-odds (of a rating itself).

    z = c0 + c1 t + c2 t^2 + c3 t^3, t = x - knots[j], in [knots[j], knots[j + 1]]; outside the
    knots z goes on straight with the slope of the end.

    Attributes
    ----------
    knots : (m,) rising log-odds, or ratings
    coefficients : (m - 1, 4)
    """

    knots: Floats
    coefficients: Floats
    kind: ClassVar[str] = "spline"
    value_only: ClassVar[bool] = False

    def __call__(self, event: Event) -> MapOutput:
        """Return the probability of every row, and its logarithm."""
        x = event.log_odds()
        inside = np.clip(x, self.knots[0], self.knots[-1])
        piece = np.clip(
            np.searchsorted(self.knots, inside, side="right") - 1, 0, len(self.coefficients) - 1
        )
        t = inside - self.knots[piece]
        c0, c1, c2, c3 = self.coefficients[piece].T
        slope = c1 + t * (2 * c2 + t * 3 * c3)
        return _of_log_odds(c0 + t * (c1 + t * (c2 + t * c3)) + (x - inside) * slope)


@dataclass(frozen=True, slots=True, eq=False)
class Unchanged:
    """q = p: the probability as it is."""

    kind: ClassVar[str] = "unchanged"
    value_only: ClassVar[bool] = False

    def __call__(self, event: Event) -> MapOutput:
        """Return the probabilities that came."""
        return MapOutput(_by_column(event.rest_share(), event.value), event.logs)


EventForm: TypeAlias = Steps | PiecewiseLinear | Logistic | Spline | Unchanged


@dataclass(frozen=True, slots=True, eq=False)
class OneVsRest:
    """Every class against the rest by a form of its own, divided by their sum.

    Forms that know logarithms are divided as logarithms: a probability too small for float64 has
    still its logarithm, and so has the log loss.

    Attributes
    ----------
    forms : one a class in the order of the classes; of two classes one, of the positive class
    """

    forms: tuple[EventForm, ...]
    kind: ClassVar[str] = "one-vs-rest"

    def __call__(self, reading: Reading) -> MapOutput:
        """Return (n, k) probabilities; where all classes get 0, they are equal."""
        if reading.k == 2:
            form = self.forms[0]
            output = form(next(self._events(reading, [reading.positive])))
            return output if reading.positive == 1 else _swapped(output)
        if all(form.kind == "unchanged" for form in self.forms):
            return MapOutput(reading.values.astype(np.float64), _wide(reading.log_prob))
        events = self._events(reading, range(reading.k))
        if not all(form.value_only for form in self.forms):
            logs = np.empty((reading.n, reading.k))
            for column, (form, event) in enumerate(zip(self.forms, events, strict=True)):
                logs[:, column] = _logs_of(form(event))
            return _normalised(logs)
        prob = np.empty((reading.n, reading.k))
        for column, (form, event) in enumerate(zip(self.forms, events, strict=True)):
            prob[:, column] = form(event).prob[:, 1]
        total = prob.sum(axis=1, keepdims=True)
        return MapOutput(
            np.divide(prob, total, out=np.full_like(prob, 1 / reading.k), where=total > 0)
        )

    def _events(self, reading: Reading, columns: Sequence[int]) -> Iterator[Event]:
        form_of = {column: self.forms[0 if reading.k == 2 else column] for column in columns}
        return reading.events(columns, value_only=lambda column: form_of[column].value_only)


@dataclass(frozen=True, slots=True, eq=False)
class Softmax:
    """q = softmax(W x + b), x the log probabilities or ratings of all classes.

    Attributes
    ----------
    weights : () one number for all classes, (k,) one a class, or (k, k) a row a class of the result
    bias : (k,)
    centred : whether x has its row's mean taken away
    """

    weights: Floats
    bias: Floats
    centred: bool = False
    kind: ClassVar[str] = "softmax"

    def __call__(self, reading: Reading) -> MapOutput:
        """Return (n, k) probabilities and their logarithms; nothing overflows."""
        x = reading.logits(centred=self.centred)
        z = (x @ self.weights.T if self.weights.ndim == 2 else x * self.weights) + self.bias
        return _normalised(np.asfortranarray(z) if reading.k == 2 else z)


Form: TypeAlias = OneVsRest | Softmax


def _normalised(logs: Floats) -> MapOutput:
    """Return exp(logs) divided by the sums of rows; a row without any gets equal ones."""
    top = logs.max(axis=1, keepdims=True)
    logs -= np.where(np.isneginf(top), 0.0, top)
    total = np.exp(logs).sum(axis=1, keepdims=True)
    if total.all():
        logs -= np.log(total)
    else:
        logs = np.where(total > 0, logs - np.log(np.maximum(total, 1.0)), -np.log(logs.shape[1]))
    return MapOutput(np.exp(logs), logs)


def _logs_of(output: MapOutput) -> Floats:
    if output.log_prob is not None:
        return output.log_prob[:, 1]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(output.prob[:, 1]))


def _by_column(rest: Floats, share: Floats) -> Floats:
    both = np.empty((len(share), 2), order="F")
    both[:, 0], both[:, 1] = rest, share
    return both


def _of_log_odds(z: Floats) -> MapOutput:
    logs = _by_column(-np.logaddexp(0.0, z), -np.logaddexp(0.0, -z))
    return MapOutput(np.exp(logs), logs)


def _wide(values: NDArray[np.floating[Any]] | None) -> Floats | None:
    return None if values is None else values.astype(np.float64)


def _swapped(output: MapOutput) -> MapOutput:
    logs = None if output.log_prob is None else np.asfortranarray(output.log_prob[:, ::-1])
    return MapOutput(np.asfortranarray(output.prob[:, ::-1]), logs)


# ------------------------------------------------------------------ what a fit hands back


class EventFit(NamedTuple):
    """The form fitted to one class against the rest.

    Attributes
    ----------
    form : what the map computes
    parameters : how many numbers were fitted freely
    notes : what the reader should know, half sentences without a full stop
    """

    form: EventForm
    parameters: int
    notes: tuple[str, ...] = ()


class WholeFit(NamedTuple):
    """The form fitted to all classes at once; fields as in `EventFit`.

    Attributes
    ----------
    details : fitted numbers that are worth reading, by name
    """

    form: Form
    parameters: int
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = Facts()
