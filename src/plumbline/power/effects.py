"""Miscalibrations of a kind and a size, and the class probabilities each implies."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, inf, log

import numpy as np

from plumbline._checks import nearest, shorten
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import beside, number, quoted
from plumbline.predictions import Predictions
from plumbline.synthetic.experiments import Floats

MOST_X = log(100.0)  # hundredfold sharper or blunter logits: nobody plans for more
HOTTEST = log(1e6)  # where the truth is uniform over the possible classes


@dataclass(frozen=True, slots=True)
class EffectKind:
    """One kind of miscalibration, a row of the table of kinds.

    Attributes
    ----------
    low, high : the sizes there are
    rule : the same in words
    example : what a user types
    size_of, x_of : from a distance x >= 0 from calibration to the size, and back
    most_x : the largest distance a search looks at
    text : the effect in a sentence, of size and class
    unit : its size in a sentence
    """

    low: float
    high: float
    rule: str
    example: str
    size_of: Callable[[float], float]
    x_of: Callable[[float], float]
    most_x: float
    text: str
    unit: str


def _same(value: float) -> float:
    return value


KINDS = {
    "overconfident": EffectKind(
        1.0,
        inf,
        "a temperature of at least 1",
        "overconfident:1.2",
        exp,
        log,
        MOST_X,
        "overconfidence of temperature {size}",
        "temperature {size}",
    ),
    "underconfident": EffectKind(
        0.0,
        1.0,
        "a temperature above 0 and at most 1",
        "underconfident:0.8",
        lambda x: exp(-x),
        lambda size: -log(size),
        MOST_X,
        "underconfidence of temperature {size}",
        "temperature {size}",
    ),
    "shift": EffectKind(
        -1.0,
        1.0,
        "a difference of probability from -1 to 1",
        "shift:0.05",
        _same,
        abs,
        1.0,
        "a shift of {size} in P({target})",
        "a shift of {size}",
    ),
    "random-labels": EffectKind(
        0.0,
        1.0,
        "a share from 0 to 1",
        "random-labels:0.05",
        _same,
        _same,
        1.0,
        "a share {size} of random labels",
        "a share of {size}",
    ),
    "ece": EffectKind(
        0.0,
        1.0,
        "a calibration error from 0 to 1",
        "ece:0.03",
        _same,
        _same,
        1.0,
        "overconfidence with a true ECE of {size}",
        "a true ECE of {size}",
    ),
}


@dataclass(frozen=True, slots=True)
class Effect:
    """A miscalibration: its kind, its size, and for a shift the class that is shifted.

    >>> effect = effect_of("overconfident:2")
    >>> data = Predictions.from_arrays([0, 1], [0.2, 0.9])
    >>> effect.truth(data).round(3).tolist()
    [[0.667, 0.333], [0.25, 0.75]]
    """

    kind: str
    size: float
    target: str | None = None

    @property
    def x(self) -> float:
        """Distance from calibration, 0 where there is no effect."""
        return KINDS[self.kind].x_of(self.size)

    def at(self, x: float) -> "Effect":
        """Return the effect of the same kind and direction at another distance."""
        size = KINDS[self.kind].size_of(x)
        return replace(self, size=-size if self.size < 0 else size)

    def most_x(self, data: Predictions) -> float:
        """Return the largest distance there is on these predictions."""
        most = KINDS[self.kind].most_x
        return 0.999 * largest_ece(data) if self.kind == "ece" else most

    def truth(self, data: Predictions) -> Floats:
        """Return the (n, k) class probabilities of the rows under this miscalibration.

        Overconfident and underconfident by the temperature T: softmax(log p / T), so that a
        probability of 0 stays 0. A shift d: P(class) + d within [0, 1], the others in proportion.
        Random labels in a share e: (1 - e) p + e / k. An ECE: the temperature T > 1 at which the
        mean |true - predicted| of the viewed event is that (the positive class for k = 2, else
        the most likely class). Raises InputError for an ECE that no temperature reaches.
        """
        prob = normalised(data)
        if self.kind == "shift":
            return shifted(prob, self.size, self.column(data))
        if self.kind == "random-labels":
            return (1.0 - self.size) * prob + self.size / data.k
        temperature = temperature_of_ece(data, self.size) if self.kind == "ece" else self.size
        return tempered(prob, temperature)

    def column(self, data: Predictions) -> int:
        """Return the number of the class that is shifted; the positive one unless named."""
        return data.positive if self.target is None else data.class_number(self.target)

    def text(self, data: Predictions) -> str:
        """Return the effect as a sentence says it."""
        target = data.classes[self.column(data)] if self.kind == "shift" else ""
        return KINDS[self.kind].text.format(size=number(self.size), target=target)

    def sized(self, size: float, error: float = 0.0) -> str:
        """Return a size as a sentence says it, with the digits of its standard error."""
        shown = beside(size, (size - 5 * error, size + 5 * error))  # to one digit of the error
        return KINDS[self.kind].unit.format(size=shown)

    def __str__(self) -> str:
        end = "" if self.target is None else f":{self.target}"
        return f"{self.kind}:{self.size:.6g}{end}"


def effect_of(text: str | Effect) -> Effect:
    """Return the effect that a text such as "overconfident:1.2" or "shift:0.05:rain" names.

    Raises ParameterError for an unknown kind or a size that the kind does not have.
    """
    if isinstance(text, Effect):
        return text
    kind, _, rest = str(text).partition(":")
    if kind not in KINDS:
        known = ", ".join(row.example for row in KINDS.values())
        raise ParameterError(
            code="unknown-name",
            argument="effect",
            rule=f"like {known}",
            arrived=shorten(text),
            near=nearest(kind, KINDS),
        )
    row = KINDS[kind]
    word, _, target = rest.partition(":")
    if target and kind != "shift":
        raise ParameterError(
            f"`effect` {kind} takes one size, like {row.example}, got {quoted(text)}",
            code="wrong-kind",
        )
    try:
        size = float(word)
    except ValueError:
        size = -inf
    sound = row.low <= size <= row.high and size < inf and (kind != "underconfident" or size > 0)
    if not sound:
        raise ParameterError(
            f"`effect` {kind} needs {row.rule}, like {row.example}, got {shorten(text)}",
            code="wrong-kind",
        )
    return Effect(kind, size, target or None)


def normalised(data: Predictions) -> Floats:
    """Return float64 probabilities whose rows sum to 1 exactly."""
    prob = data.need_prob("a plan").astype(np.float64)
    return np.asarray(prob / prob.sum(axis=1, keepdims=True))


def tempered(prob: Floats, temperature: float) -> Floats:
    """Return p^(1/T), each row divided by its sum; 0 stays 0."""
    raised = (prob / prob.max(axis=1, keepdims=True)) ** (1.0 / temperature)
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def shifted(prob: Floats, by: float, column: int) -> Floats:
    """Return probabilities with `by` added to a class, within [0, 1], the others in proportion."""
    own = prob[:, column]
    wanted = np.clip(own + by, 0.0, 1.0)
    others = np.delete(prob, column, axis=1).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        truth = prob * ((1.0 - wanted) / others)[:, None]
    alone = others <= 0.0  # nothing to be in proportion to: equal parts
    truth[alone] = ((1.0 - wanted[alone]) / (prob.shape[1] - 1))[:, None]
    truth[:, column] = wanted
    return np.asarray(truth)


def true_ece(data: Predictions, truth: Floats) -> float:
    """Return the mean |true - predicted| of the viewed event over the rows."""
    prob = normalised(data)
    column = np.full(data.stored, data.positive) if data.k == 2 else data.most_likely
    gap = np.take_along_axis(np.abs(truth - prob), column[:, None], axis=1)[:, 0]
    return float(data.mass @ gap / data.mass.sum())


def largest_ece(data: Predictions) -> float:
    """Return the ECE of predictions whose truth is uniform over the possible classes."""
    return true_ece(data, tempered(normalised(data), exp(HOTTEST)))


def temperature_of_ece(data: Predictions, ece: float) -> float:
    """Return the temperature T >= 1 at which the true ECE of these predictions is `ece`."""
    from scipy.optimize import brentq

    if ece == 0.0:
        return 1.0
    most = largest_ece(data)
    if ece >= most:
        raise InputError(
            f"the true ECE of these predictions is at most {number(most)} at any temperature, got "
            f"{ece:g}; choose a smaller one",
            code="effect-impossible",
        )
    prob = normalised(data)
    result = brentq(
        lambda x: true_ece(data, tempered(prob, exp(x))) - ece, 0.0, HOTTEST, xtol=1e-10
    )
    return exp(float(result))


def log_ratio(prob: Floats, truth: Floats) -> Floats:
    """Return log(truth / prob) of every class: infinite where the predicted probability is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(truth) - np.log(prob)
    return np.where((truth <= 0.0) & (prob <= 0.0), 0.0, ratio)


def rows_at_the_limit(
    prob: Floats, truth: Floats, mass: Floats, power: float, level: float
) -> float:
    """Return roughly how many rows the likelihood ratio needs, from the first two moments.

    n = ((z_level s0 + z_power s1) / shift)^2, per row: s0^2 the variance of log(truth / prob) if
    the predictions are calibrated, s1^2 if they are not, and the shift of its mean between the two.
    Where an event of predicted probability 0 has probability c, one is enough: n = log(1
    - power) / log(1 - c) if that is fewer. Infinite where there is no effect.
    """
    from scipy.special import ndtri

    share = mass / mass.sum()
    impossible = np.where(prob <= 0.0, truth, 0.0).sum(axis=1)  # of what was said to be impossible
    surprise = float(share @ impossible)
    certain = np.log1p(-power) / np.log1p(-surprise) if 0.0 < surprise < 1.0 else inf
    truth = np.where(prob <= 0.0, 0.0, truth) / np.maximum(1.0 - impossible, 1e-300)[:, None]
    ratio = log_ratio(prob, truth)
    ratio = np.where(np.isfinite(ratio), ratio, 0.0)
    mean0, mean1 = (prob * ratio).sum(axis=1), (truth * ratio).sum(axis=1)
    variance0 = (prob * ratio**2).sum(axis=1) - mean0**2
    variance1 = (truth * ratio**2).sum(axis=1) - mean1**2
    gap = mean1 - mean0
    shift = float(share @ gap)
    if shift <= 0.0:
        return float(certain)
    s0 = np.sqrt(share @ variance0)
    s1 = np.sqrt(share @ variance1 + max(0.0, float(share @ gap**2) - shift**2))
    reach = max(0.0, -float(ndtri(level)) * s0 + float(ndtri(power)) * s1)
    return float(min(certain, max(1.0, (reach / shift) ** 2)))
