"""The two synthetic classifiers of the thesis, drawn from Dirichlet distributions."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten, whole_number
from plumbline.errors import ParameterError
from plumbline.random_streams import Seed, entropy_of, stream

Floats: TypeAlias = NDArray[np.float64]
DataSets: TypeAlias = tuple[Floats, NDArray[np.int32]]


def method_1(
    dirichlet: Sequence[float],
    beta: float,
    *,
    points: int = 100,
    datasets: int = 1,
    rng: Seed = 0,
) -> DataSets:
    """Draw a classifier that is badly wrong about a few points.

    Predictions p ~ Dir(alpha); the labels of the first int(beta n) points are drawn from their
    prediction, those of the rest uniformly from the k classes. beta = 1 is calibrated.

    Returns probabilities (datasets, points, k) and labels (datasets, points) in 0..k-1. Raises
    ParameterError for an alpha that is not positive or a beta outside [0, 1]. Source: Increasing
    the Power of a Classifier's Calibration Test (Tartu, 2020).

    >>> prob, labels = method_1((0.1, 0.1), 0.95, points=100, datasets=3, rng=0)
    >>> prob.shape, labels.shape
    ((3, 100, 2), (3, 100))
    """
    alpha = _checked(dirichlet, points, datasets)
    if not 0.0 <= beta <= 1.0:
        raise ParameterError(f"`beta` of method 1 must be from 0 to 1, got {shorten(beta)}")
    source = stream(entropy_of(rng))
    prob = source.dirichlet(alpha, size=(datasets, points))
    labels = draw(prob, source)
    first = int(beta * points)
    labels[:, first:] = source.integers(len(alpha), size=(datasets, points - first))
    return prob, labels


def method_2(
    dirichlet: Sequence[float],
    beta: float,
    *,
    points: int = 100,
    datasets: int = 1,
    rng: Seed = 0,
) -> DataSets:
    """Draw a classifier that is slightly wrong about every point.

    Label probabilities t ~ Dir(alpha), labels drawn from t; the prediction is t with beta added to
    its largest entry, divided by its sum. beta = 0 is calibrated, beta > 0 overconfident, beta < 0
    underconfident.

    Returns probabilities (datasets, points, k) and labels (datasets, points) in 0..k-1. Raises
    ParameterError for an alpha that is not positive or a beta below -1/k, which could make a
    probability negative. Source: Increasing the Power of a Classifier's Calibration Test (Tartu,
    2020).

    >>> prob, labels = method_2((0.1, 0.1), 0.3, points=100, datasets=3, rng=0)
    >>> bool(prob.max(axis=2).min() >= (0.5 + 0.3) / 1.3)
    True
    """
    alpha = _checked(dirichlet, points, datasets)
    if not -1.0 / len(alpha) <= beta < np.inf:
        raise ParameterError(
            f"`beta` of method 2 must be at least -1/k = {-1 / len(alpha):.4g} and finite, got "
            f"{shorten(beta)}"
        )
    source = stream(entropy_of(rng))
    truth = source.dirichlet(alpha, size=(datasets, points))
    return push_largest(truth, beta), draw(truth, source)


def push_largest(truth: Floats, beta: float) -> Floats:
    """Return (..., k) probabilities with beta added to the largest one, divided by their sum.

    >>> push_largest(np.array([0.8, 0.16, 0.04]), 1.0).round(4).tolist()
    [0.9, 0.08, 0.02]
    """
    pushed = truth.copy()
    largest = truth.argmax(axis=-1)[..., None]
    raised = np.take_along_axis(truth, largest, axis=-1) + beta
    np.put_along_axis(pushed, largest, np.maximum(raised, 0.0), axis=-1)  # -1/k may round below 0
    return np.asarray(pushed / pushed.sum(axis=-1, keepdims=True))


def draw(prob: Floats, source: np.random.Generator) -> NDArray[np.int32]:
    """Draw a label for every probability vector (..., k); a class of probability 0 never comes."""
    mass = prob.cumsum(axis=-1)
    wanted = source.random(prob.shape[:-1])[..., None] * mass[..., -1:]
    return np.asarray((wanted >= mass).sum(axis=-1, dtype=np.int32))


def _checked(dirichlet: Sequence[float], points: Any, datasets: Any) -> Floats:
    whole_number("points", points, least=1)
    whole_number("datasets", datasets, least=1)
    alpha = np.asarray(dirichlet, np.float64)
    if alpha.ndim != 1 or len(alpha) < 2 or not np.all((alpha > 0) & (alpha < np.inf)):
        raise ParameterError(
            f"`dirichlet` must be a positive number for each of at least two classes, got "
            f"{shorten(dirichlet)}"
        )
    return alpha
