"""Data sets of known calibration: two synthetic methods, and the nine experiments of the thesis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten, whole_number
from plumbline._result import Result
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
    """Draw a classifier that is strongly miscalibrated for a few points.

    Predictions p ~ Dir(alpha); the labels of the first int(beta n) points are drawn from their
    prediction, those of the rest uniformly from the k classes.

    Parameters
    ----------
    dirichlet : sequence of float
        Alpha, a positive number for each of the k classes.
    beta : float
        Share of points with labels drawn from their prediction, 0 to 1; 1 is calibrated.
    points, datasets : int, default 100, 1
        Rows of a data set, and data sets.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.

    Returns
    -------
    tuple of arrays
        Probabilities (datasets, points, k) and labels (datasets, points) in 0..k-1.

    Raises
    ------
    ParameterError
        For an alpha that is not positive or a beta outside [0, 1].

    References
    ----------
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> prob, labels = method_1((0.1, 0.1), 0.95, points=100, datasets=3, rng=0)
    >>> prob.shape, labels.shape
    ((3, 100, 2), (3, 100))
    """
    alpha = _checked(dirichlet, points, datasets)
    if not 0.0 <= beta <= 1.0:
        raise ParameterError(
            f"`beta` of method 1 must be from 0 to 1, got {shorten(beta)}", code="out-of-range"
        )
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
    """Draw a classifier that is slightly miscalibrated for every point.

    Label probabilities t ~ Dir(alpha), labels drawn from t; the prediction is t with beta added to
    its largest entry, divided by its sum.

    Parameters
    ----------
    dirichlet : sequence of float
        Alpha, a positive number for each of the k classes.
    beta : float
        At least -1/k; 0 is calibrated, above it overconfident, below it underconfident.
    points, datasets : int, default 100, 1
        Rows of a data set, and data sets.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.

    Returns
    -------
    tuple of arrays
        Probabilities (datasets, points, k) and labels (datasets, points) in 0..k-1.

    Raises
    ------
    ParameterError
        For an alpha that is not positive or a beta below -1/k, which could make a probability
        negative.

    References
    ----------
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> prob, labels = method_2((0.1, 0.1), 0.3, points=100, datasets=3, rng=0)
    >>> bool(prob.max(axis=2).min() >= (0.5 + 0.3) / 1.3)
    True
    """
    alpha = _checked(dirichlet, points, datasets)
    if not -1.0 / len(alpha) <= beta < np.inf:
        raise ParameterError(
            f"`beta` of method 2 must be at least -1/k = {-1 / len(alpha):.4g} and finite, got "
            f"{shorten(beta)}",
            code="out-of-range",
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
    """Draw a label for every probability vector (..., k); never a class of probability 0."""
    mass = prob.cumsum(axis=-1)
    wanted = source.random(prob.shape[:-1])[..., None] * mass[..., -1:]
    return np.asarray((wanted >= mass).sum(axis=-1, dtype=np.int32))


def _checked(dirichlet: Sequence[float], points: Any, datasets: Any) -> Floats:
    whole_number("points", points, least=1)
    whole_number("datasets", datasets, least=1)
    alpha = np.asarray(dirichlet, np.float64)
    if alpha.ndim != 1 or len(alpha) < 2 or not np.all((alpha > 0) & (alpha < np.inf)):
        raise ParameterError(
            argument="dirichlet",
            rule="a positive number for each of at least two classes",
            arrived=shorten(dirichlet),
            code="out-of-range",
        )
    return alpha


@dataclass(frozen=True, repr=False, eq=False)
class DirichletVectors(Result):
    """Probability vectors drawn from one Dirichlet distribution.

    Attributes
    ----------
    dirichlet : its parameters
    points : number of vectors
    vectors : (points, k)
    """

    dirichlet: tuple[float, ...]
    points: int
    vectors: Floats = field(repr=False, metadata={"hidden": True})


def dirichlet_vectors(
    dirichlet: Sequence[float], *, points: int = 1000, rng: Seed = 0
) -> DirichletVectors:
    """Draw the predictions of `method_1`: vectors p ~ Dir(alpha).

    Parameters
    ----------
    dirichlet : sequence of float
        Alpha, a positive number for each of the k classes.
    points : int, default 1000
        Number of vectors.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.

    Returns
    -------
    DirichletVectors
        The vectors (points, k), and alpha.

    Raises
    ------
    ParameterError
        For an alpha that is not positive.

    References
    ----------
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> dirichlet_vectors((0.2, 0.2, 0.2), points=5).vectors.shape
    (5, 3)
    """
    prob, _ = method_1(dirichlet, 1.0, points=points, rng=rng)
    return DirichletVectors(tuple(map(float, dirichlet)), points, prob[0])


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment: a classifier whose calibration is tested on many data sets.

    Attributes
    ----------
    number : 1 to 9, as in the thesis
    k : number of classes
    method : "method 1", "method 2", "decision tree" or "random forest"
    dirichlet : parameters of the Dirichlet distribution; empty for the Covertype classifiers
    beta : how far from calibrated; NaN for the Covertype classifiers
    description : the classifier in a few words
    """

    number: int
    k: int
    method: str
    dirichlet: tuple[float, ...]
    beta: float
    description: str

    @property
    def synthetic(self) -> bool:
        """Whether any number of data sets can be drawn, by one of the two methods."""
        return bool(self.dirichlet)


_FEW = "wrong about one point in twenty"
_ROWS = (
    Experiment(1, 2, "method 1", (0.1, 0.1), 0.95, _FEW),
    Experiment(2, 2, "method 1", (0.2, 0.18), 0.95, _FEW + ", unequal classes"),
    Experiment(3, 2, "method 2", (0.1, 0.1), 0.3, "slightly overconfident"),
    Experiment(4, 5, "method 1", (0.1,) * 5, 0.95, _FEW),
    Experiment(5, 5, "method 1", (0.2, 0.18, 0.16, 0.14, 0.12), 0.95, _FEW + ", unequal classes"),
    Experiment(6, 5, "method 2", (0.1,) * 5, 0.3, "slightly overconfident"),
    Experiment(7, 7, "decision tree", (), np.nan, "decision tree on Covertype"),
    Experiment(8, 7, "random forest", (), np.nan, "random forest on Covertype"),
    Experiment(9, 10, "method 2", (0.1,) * 10, -0.1, "slightly underconfident"),
)
EXPERIMENTS = {row.number: row for row in _ROWS}
SYNTHETIC = tuple(row.number for row in _ROWS if row.synthetic)


def checked_experiments(numbers: Iterable[int]) -> tuple[Experiment, ...]:
    """Return the experiments of these numbers, each once and in this order."""
    numbers = tuple(numbers)
    if not numbers:
        raise ParameterError(
            "`experiments` must be a list of numbers such as [1, 4], got none", code="nothing-named"
        )
    wrong = [number for number in numbers if isinstance(number, bool) or number not in EXPERIMENTS]
    if wrong:
        raise ParameterError(
            argument="experiments",
            rule=f"numbers from 1 to {len(EXPERIMENTS)}",
            arrived=shorten(wrong[0]),
            code="out-of-range",
        )
    return tuple(EXPERIMENTS[number] for number in dict.fromkeys(numbers))


def data_sets(
    experiment: int | Experiment, *, points: int = 100, datasets: int = 1, rng: Seed = 0
) -> DataSets:
    """Draw data sets of one of the synthetic experiments 1 to 6 and 9.

    Parameters
    ----------
    experiment : int or Experiment
        Its number, or the experiment.
    points, datasets : int, default 100, 1
        Rows of a data set, and data sets.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.

    Returns
    -------
    tuple of arrays
        Probabilities (datasets, points, k) and labels (datasets, points) in 0..k-1.

    Raises
    ------
    ParameterError
        For the experiments 7 and 8, which `covertype_classifier` fits.

    References
    ----------
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> prob, labels = data_sets(9, datasets=2)
    >>> prob.shape
    (2, 100, 10)
    """
    row = experiment
    if not isinstance(row, Experiment):
        (row,) = checked_experiments([row])
    if not row.synthetic:
        raise ParameterError(
            f"`experiment` {row.number} is a {row.description}, with only the data sets of its "
            "test set; fit it with synthetic.covertype_classifier",
            code="one-data-set-only",
        )
    method = method_1 if row.method == "method 1" else method_2
    return method(row.dirichlet, row.beta, points=points, datasets=datasets, rng=rng)


def predictions_and_truth(
    experiment: Experiment, *, points: int, datasets: int, rng: Seed = 0
) -> tuple[Floats, Floats]:
    """Return the predictions of `data_sets`, and the probabilities their labels are drawn from.

    Both are (datasets, points, k); of a synthetic experiment.

    >>> prob, truth = predictions_and_truth(EXPERIMENTS[1], points=100, datasets=1)
    >>> bool((prob == truth)[0, :95].all()), truth[0, 99].tolist()
    (True, [0.5, 0.5])
    """
    drawn = stream(entropy_of(rng)).dirichlet(experiment.dirichlet, size=(datasets, points))
    if experiment.method == "method 2":
        return push_largest(drawn, experiment.beta), drawn
    truth = drawn.copy()
    truth[:, int(experiment.beta * points) :] = 1.0 / experiment.k
    return drawn, truth
