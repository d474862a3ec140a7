"""Probability vectors from a Dirichlet distribution, to look at."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from plumbline._result import Result
from plumbline.random_streams import Seed
from plumbline.synthetic.methods import Floats, method_1


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

    Raises ParameterError for an alpha that is not positive. Source: Increasing the Power of a
    Classifier's Calibration Test (Tartu, 2020).

    >>> dirichlet_vectors((0.2, 0.2, 0.2), points=5).vectors.shape
    (5, 3)
    """
    prob, _ = method_1(dirichlet, 1.0, points=points, rng=rng)
    return DirichletVectors(tuple(map(float, dirichlet)), points, prob[0])
