"""Data sets whose truth is known, drawn from given predictions, and how often a test rejects."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration_tests import calibration_test
from plumbline.calibration_tests.omnibus import omnibus_p_value
from plumbline.calibration_tests.p_values import Resampling
from plumbline.checkpoints import Key, run_blocks
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import stream
from plumbline.synthetic.experiments import Floats, draw

SETS_PER_BLOCK = 10  # part of the definition, with the streams' keys
# What `calibration_test` draws unless told otherwise. The power of the omnibus grows with it, for
# its parts of little weight speak by small p-values alone; that of a single statistic hardly does.
OMNIBUS_DRAWS = 999


def usual_draws(test: str, level: float) -> int:
    """Return how often the labels are drawn for a test whose power is asked about.

    The omnibus: as often as its users do, 999 times; the others: 10 / level - 1.

    >>> usual_draws("omnibus", 0.05), usual_draws("log-loss", 0.05)
    (999, 199)
    """
    enough = ceil(10 / level) - 1
    return max(OMNIBUS_DRAWS, enough) if test == "omnibus" else enough


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Where data sets come from, and how a test is asked.

    Attributes
    ----------
    pool : the rows whose predictions are drawn, with replacement, by their weights
    level : a test rejects where its resampled p-value is at most that
    resamples : draws of labels for each test; None for those that are usual
    entropy : what all streams are derived from
    workers : threads; mass : running sum of the weights
    """

    pool: Predictions
    level: float
    resamples: int | None
    entropy: int
    workers: int | None = None
    mass: Floats = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", self.pool.mass.cumsum())

    def draws(self, test: str) -> int:
        """Return how often a test draws the labels."""
        return usual_draws(test, self.level) if self.resamples is None else self.resamples

    def data_set(self, truth: Floats, n: int, source: np.random.Generator) -> Predictions:
        """Return n rows of the pool with labels drawn from their truth."""
        wanted = source.random(n) * self.mass[-1]
        index = np.searchsorted(self.mass, wanted, side="right")
        pool = self.pool
        prob = pool.need_prob("a plan")[index]
        by_column = np.asfortranarray(prob) if pool.k == 2 else prob
        labels = draw(truth[index], source)
        return Predictions(pool.classes, labels, by_column, positive=pool.positive)

    def rejected(
        self,
        truth: Floats,
        tests: Sequence[str],
        *,
        n: int,
        sets: int,
        step: int,
        progress: Progress | None = None,
    ) -> NDArray[np.bool_]:
        """Tell (tests, sets) which tests reject which data sets; all tests see the same ones.

        The data sets and draws are functions of the seed, the `step` of the plan and their number.
        """

        def task(key: Key) -> NDArray[np.bool_]:
            (block,) = key
            source = stream(self.entropy, step, block)
            size = min(SETS_PER_BLOCK, sets - block * SETS_PER_BLOCK)
            columns = [self._one(truth, tests, n, source) for _ in range(size)]
            return np.array(columns).T

        keys = [(block,) for block in range(ceil(sets / SETS_PER_BLOCK))]
        result = run_blocks(task, keys, question={}, workers=self.workers, progress=progress)
        return np.concatenate([result[key] for key in keys], axis=1)

    def _one(
        self, truth: Floats, tests: Sequence[str], n: int, source: np.random.Generator
    ) -> list[bool]:
        data = self.data_set(truth, n, source)
        seed = int(source.integers(2**63))
        return [
            rejects(data, name, level=self.level, resamples=self.draws(name), seed=seed)
            for name in tests
        ]


def rejects(data: Predictions, test: str, *, level: float, resamples: int, seed: int) -> bool:
    """Tell whether a test rejects; its null is drawn, for exact ones are slow to make."""
    if test == "omnibus":
        return omnibus_p_value(data, Resampling(resamples, seed, 1, None)) <= level
    answer = calibration_test(
        data, statistic=test, null="resample", resamples=resamples, rng=seed, workers=1
    )
    return answer.p_value <= level
