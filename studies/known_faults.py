"""Classifiers whose truth is known, given what they predict, and the most that a test can find.

The limit of any test is the likelihood ratio of the truth against the predictions. These are held
fixed, as in every test here, so the null is the labels drawn from them. By the lemma of Neyman and
Pearson (1933) no test of the same level finds this one truth more often, if the rows' labels are
independent given the predictions. In the thesis' method 1 they nearly are: the number of random
labels is fixed there, and the limit is that of the mixture.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from plumbline.nulls import TIE, draw_labels
from plumbline.power import Counts, log_ratio, shifted, tempered
from plumbline.synthetic import EXPERIMENTS, DataSets, Experiment, data_sets
from plumbline.synthetic.experiments import SYNTHETIC, Floats, draw


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A classifier with a known fault.

    Attributes
    ----------
    name, spoken : how it is called, and its fault in words
    points : the rows of a data set where the fault is shown
    draws : data sets, of points, their number and a source of chance
    truth : the true class probabilities given the predictions
    """

    name: str
    spoken: str
    points: int
    draws: Callable[[int, int, np.random.Generator], DataSets]
    truth: Callable[[Floats], Floats]


def experiment_case(row: Experiment) -> Case:
    """Return an experiment of the thesis."""

    def draws(points: int, datasets: int, source: np.random.Generator) -> DataSets:
        return data_sets(row, points=points, datasets=datasets, rng=source)

    def truth(prob: Floats) -> Floats:
        return truth_given(row, prob)

    return Case(str(row.number), row.description, 100, draws, truth)


def _fault(
    name: str, spoken: str, points: int, alpha: tuple[float, ...], truth: Callable[[Floats], Floats]
) -> Case:
    """Return predictions ~ Dir(alpha) whose truth is a function of them."""

    def draws(points: int, datasets: int, source: np.random.Generator) -> DataSets:
        prob = source.dirichlet(alpha, size=(datasets, points))
        return prob, draw(truth(prob), source)

    return Case(name, spoken, points, draws, truth)


def _flat(function: Callable[[Floats], Floats]) -> Callable[[Floats], Floats]:
    """Let a function of (n, k) take (..., k)."""
    return lambda prob: function(prob.reshape(-1, prob.shape[-1])).reshape(prob.shape)


def _binary(positive: Floats) -> Floats:
    return np.stack([1.0 - positive, positive], axis=-1)


def _constant(points: int, datasets: int, source: np.random.Generator) -> DataSets:
    prob = np.full((datasets, points, 2), 0.5)
    return prob, draw(_two_sevenths(prob), source)


def _two_sevenths(prob: Floats) -> Floats:
    return np.broadcast_to(np.array([0.7, 0.3]), prob.shape)


def _wave(prob: Floats) -> Floats:
    return _binary(np.clip(prob[..., 1] + 0.08 * np.sin(4 * np.pi * prob[..., 1]), 0.0, 1.0))


def _swapped(prob: Floats) -> Floats:
    """Exchange the second and the third class in order of probability: the first stays true."""
    order = prob.argsort(axis=-1)
    truth = prob.copy()
    second, third = order[..., 1:2], order[..., 0:1]
    np.put_along_axis(truth, second, np.take_along_axis(prob, third, -1), -1)
    np.put_along_axis(truth, third, np.take_along_axis(prob, second, -1), -1)
    return truth


def _scaled(factor: float) -> Callable[[Floats], Floats]:
    """Return the truth in which the odds of the first class are so many times as high."""

    def truth(prob: Floats) -> Floats:
        found = prob.copy()
        found[..., 0] *= factor
        return np.asarray(found / found.sum(axis=-1, keepdims=True))

    return truth


def _range_too_high(prob: Floats) -> Floats:
    positive = prob[..., 1]
    return _binary(positive - 0.22 * ((positive > 0.6) & (positive < 0.75)))


def _sure_positives(prob: Floats) -> Floats:
    """Let what is above .8 grow .4 times as fast: .94 comes as .856."""
    positive = prob[..., 1]
    return _binary(positive - 0.6 * np.maximum(positive - 0.8, 0.0))


def _pair(prob: Floats) -> Floats:
    """Give half of the third class to the second where both are above .15."""
    found = prob.copy()
    moved = np.where((prob[..., 1] > 0.15) & (prob[..., 2] > 0.15), 0.5 * prob[..., 2], 0.0)
    found[..., 1] += moved
    found[..., 2] -= moved
    return found


def _where_likely(prob: Floats) -> Floats:
    """Multiply the odds of the first class by e^.9 where the third is above .4."""
    found = prob.copy()
    found[..., 0] *= np.where(prob[..., 2] > 0.4, np.exp(0.9), 1.0)
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


FAULTS = (
    Case("constant", "always (0.5, 0.5), the truth is (0.7, 0.3)", 100, _constant, _two_sevenths),
    _fault("wave", "the truth is p + 0.08 sin(4 pi p)", 1000, (1.0, 1.0), _wave),
    _fault(
        "shift",
        "the truth is P(class) + 0.07",
        400,
        (1.0, 1.0),
        _flat(lambda prob: shifted(prob, 0.07, 1)),
    ),
    _fault(
        "underconfident",
        "the truth is the prediction at temperature 0.7",
        200,
        (1.0, 1.0),
        _flat(lambda prob: tempered(prob, 0.7)),
    ),
    _fault(
        "overconfident",
        "the truth is the prediction at temperature 1.5",
        200,
        (1.0, 1.0),
        _flat(lambda prob: tempered(prob, 1.5)),
    ),
    _fault(
        "rare and bad",
        "one label in 25 is random, predictions are sharp",
        100,
        (0.1, 0.1),
        lambda prob: 0.96 * prob + 0.02,
    ),
    _fault(
        "swapped",
        "3 classes: the truth exchanges the two less likely ones",
        100,
        (1.0, 1.0, 1.0),
        _swapped,
    ),
    _fault(
        "class share",
        "3 classes: the truth has 1.4 times the odds of one",
        400,
        (1.0,) * 3,
        _scaled(1.4),
    ),
    _fault(
        "one of ten",
        "10 classes: the truth has 2 times the odds of one",
        400,
        (0.5,) * 10,
        _scaled(2.0),
    ),
    _fault(
        "one of twenty",
        "20 classes: the truth has 0.45 times the odds of one",
        500,
        (0.3,) * 20,
        _scaled(0.45),
    ),
    _fault(
        "range", "predictions of 0.6 to 0.75 are 0.22 too high", 500, (1.0, 1.0), _range_too_high
    ),
    _fault(
        "sure positives",
        "above 0.8 the truth grows 0.4 times as fast",
        500,
        (1.0, 1.0),
        _sure_positives,
    ),
    _fault(
        "pair",
        "6 classes: half of one is another where both are above 0.15",
        500,
        (1.0,) * 6,
        _pair,
    ),
    _fault(
        "where likely",
        "4 classes: where one is above 0.4, e^0.9 times the odds of another",
        500,
        (1.0,) * 4,
        _where_likely,
    ),
)
CASES: Mapping[str, Case] = {
    case.name: case
    for case in (*(experiment_case(EXPERIMENTS[number]) for number in SYNTHETIC), *FAULTS)
}


def truth_given(experiment: Experiment, prob: Floats) -> Floats:
    """Return the (..., k) class probabilities given the (..., k) predictions of an experiment.

    Method 1 replaces the labels of a share 1 - beta: beta p + (1 - beta) / k. Method 2 pushes t to
    p: every t that is pushed to p counts by its Dirichlet density (the Jacobian is the same for
    all of them). Source of the methods: Increasing the Power of a Classifier's Calibration Test
    (Tartu, 2020).
    """
    if experiment.method == "method 1":
        return experiment.beta * prob + (1.0 - experiment.beta) / experiment.k
    return unpushed(prob, experiment.dirichlet, experiment.beta)


def unpushed(prob: Floats, dirichlet: tuple[float, ...], beta: float) -> Floats:
    """Return the mean of the t ~ Dir(alpha) that `push_largest(t, beta)` turns into `prob`.

    If class c was the largest, t = (1 + beta) p - beta e_c; that is a candidate where it is no
    vector with a negative entry and c is its largest one.
    """
    k = prob.shape[-1]
    power = np.asarray(dirichlet) - 1.0
    candidates, logs = [], []
    for c in range(k):
        t = (1.0 + beta) * prob
        t[..., c] -= beta
        sound = (t[..., c] >= 0.0) & (t.argmax(axis=-1) == c)
        with np.errstate(divide="ignore"):
            density = (power * np.log(np.maximum(t, np.finfo(float).tiny))).sum(axis=-1)
        candidates.append(t)
        logs.append(np.where(sound, density, -inf))
    weight = np.stack(logs, axis=-1)
    weight = np.exp(weight - weight.max(axis=-1, keepdims=True))
    weight /= weight.sum(axis=-1, keepdims=True)
    mean = np.einsum("...c,...ck->...k", weight, np.stack(candidates, axis=-2))
    return np.asarray(mean)


def limit_rejections(
    data: DataSets, truth: Floats, resamples: int, level: float, source: np.random.Generator
) -> Counts:
    """Count the data sets on which the likelihood ratio rejects, p = (1 + #) / (m + 1) <= level."""
    prob, labels = data
    ratio = log_ratio(prob, truth)
    rows = np.arange(prob.shape[1])[:, None]
    drawn: NDArray[np.int32] = np.empty((prob.shape[1], resamples), np.int32)
    count = 0
    for p, y, values in zip(prob, labels, ratio, strict=True):
        draw_labels(p, source.random(drawn.shape), drawn)
        null = values[rows, drawn].sum(axis=0)
        own = values[rows[:, 0], y].sum()
        slack = TIE * (1.0 + abs(own)) if np.isfinite(own) else 0.0
        count += 1 + int((null >= own - slack).sum()) <= level * (resamples + 1) + 1e-9
    return np.array(count)
