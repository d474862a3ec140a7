"""The nine experiments of the thesis, as data."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from plumbline._checks import shorten
from plumbline.errors import ParameterError
from plumbline.random_streams import Seed
from plumbline.synthetic.methods import DataSets, method_1, method_2


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment: a classifier whose calibration is tested on many data sets.

    Attributes
    ----------
    number : 1 to 9, as the thesis counts them
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
        """Tell whether data sets can be drawn without end, by one of the two methods."""
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
        raise ParameterError("`experiments` must be a list of numbers such as [1, 4], got none")
    wrong = [number for number in numbers if isinstance(number, bool) or number not in EXPERIMENTS]
    if wrong:
        raise ParameterError(
            f"`experiments` must be numbers from 1 to {len(EXPERIMENTS)}, got {shorten(wrong[0])}"
        )
    return tuple(EXPERIMENTS[number] for number in dict.fromkeys(numbers))


def data_sets(
    experiment: int | Experiment, *, points: int = 100, datasets: int = 1, rng: Seed = 0
) -> DataSets:
    """Draw data sets of one of the synthetic experiments 1 to 6 and 9.

    Returns probabilities (datasets, points, k) and labels (datasets, points) in 0..k-1. Raises
    ParameterError for the experiments 7 and 8, which `covertype_classifier` fits. Source:
    Increasing the Power of a Classifier's Calibration Test (Tartu, 2020).

    >>> prob, labels = data_sets(9, datasets=2)
    >>> prob.shape
    (2, 100, 10)
    """
    row = experiment
    if not isinstance(row, Experiment):
        (row,) = checked_experiments([row])
    if not row.synthetic:
        raise ParameterError(
            f"`experiment` {row.number} is a {row.description}, which has no more data sets than "
            "its test set holds; fit it by synthetic.covertype_classifier"
        )
    method = method_1 if row.method == "method 1" else method_2
    return method(row.dirichlet, row.beta, points=points, datasets=datasets, rng=rng)
