"""Data sets whose truth is known, drawn from given predictions, and how often a test rejects."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import point_statistic
from plumbline.calibration_tests import calibration_test, omnibus_p_values
from plumbline.checkpoints import Key, run_blocks
from plumbline.dependence import LEAST_GROUPS, Dependence, Partition, row_groups_of
from plumbline.nulls import Resampling
from plumbline.predictions import Labels, Predictions
from plumbline.progress import Progress
from plumbline.random_streams import stream
from plumbline.synthetic.experiments import Floats, draw

Ints = NDArray[np.intp]

SETS_PER_BLOCK = 10  # part of the definition, with the streams' keys
# Labels of the omnibus are drawn once for up to a block of data sets, which then share their
# predictions: as many as there are hundreds of rows. A power is as precise as that of separate data
# sets: its variance is .94 to 1.08 times theirs (python studies/plan_sharing.py).
ROWS_PER_SET = 100
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
class PoolGroups:
    """The groups of a pool's rows, which are drawn whole.

    Attributes
    ----------
    order : (n,) rows, those of a group one after the other
    start : (groups + 1,) where each group begins in `order`
    dependence : of the labels in a group, as in `RowGroups`
    """

    order: NDArray[np.intp]
    start: NDArray[np.intp]
    dependence: float

    @classmethod
    def of(cls, pool: Predictions) -> "PoolGroups | None":
        """Return the groups of a table; None where it has none."""
        if pool.groups is None:
            return None
        found = row_groups_of(point_statistic(pool, "log-loss"))
        codes = pool.groups.codes
        start = np.append(0, np.cumsum(np.bincount(codes)))
        strength = 0.0 if found is None else found.dependence
        return cls(np.argsort(codes, kind="stable"), start.astype(np.intp), strength)

    @property
    def size(self) -> float:
        """Mean number of rows of a group."""
        return len(self.order) / (len(self.start) - 1)

    def drawn(self, n: int, source: np.random.Generator) -> tuple[Ints, Ints]:
        """Return n rows of groups drawn with replacement, and the number of each row's group.

        The last group is cut short. Of so few rows that they were of fewer groups than a test
        takes, every group is.
        """
        count = max(LEAST_GROUPS, int(2 * n / self.size) + 1)
        groups = source.integers(len(self.start) - 1, size=count)
        sizes = np.diff(self.start)[groups]
        while sizes.sum() < n:
            more = source.integers(len(self.start) - 1, size=count)
            groups = np.append(groups, more)
            sizes = np.diff(self.start)[groups]
        used = max(LEAST_GROUPS, int(np.searchsorted(np.cumsum(sizes), n)) + 1)
        groups, sizes = groups[:used], sizes[:used]
        if sizes[:-1].sum() >= n:  # fewer rows than the groups that are needed hold
            sizes = shortened(sizes, n)
        code = np.repeat(np.arange(used), sizes)
        place = np.arange(len(code)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        rows = self.order[self.start[groups][code] + place]
        return rows[:n], code[:n]


def shortened(sizes: Ints, n: int) -> Ints:
    """Return sizes that add up to n, the largest cut to be as equal as they can.

    >>> shortened(np.array([9, 2, 9]), 8).tolist()
    [3, 2, 3]
    """
    most = next(one for one in range(1, int(sizes.max()) + 1) if np.minimum(sizes, one).sum() >= n)
    cut = np.minimum(sizes, most)
    cut[np.flatnonzero(cut == most)[::-1][: int(cut.sum()) - n]] -= 1
    return cut


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
    groups : those of the pool, which are then drawn whole
    """

    pool: Predictions
    level: float
    resamples: int | None
    entropy: int
    workers: int | None = None
    mass: Floats = field(init=False)
    groups: PoolGroups | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mass", self.pool.mass.cumsum())
        object.__setattr__(self, "groups", PoolGroups.of(self.pool))

    def draws(self, test: str) -> int:
        """Return how often a test draws the labels."""
        return usual_draws(test, self.level) if self.resamples is None else self.resamples

    def together(self, n: int) -> int:
        """Return how many data sets of n rows share their predictions; in groups none do."""
        return 1 if self.groups else min(SETS_PER_BLOCK, max(1, n // ROWS_PER_SET))

    def draws_a_set(self, test: str, n: int) -> float:
        """Return how often the labels are drawn for one data set of n rows, shared ones in part."""
        return self.draws(test) / (self.together(n) if test == "omnibus" else 1)

    def data_sets(
        self, truth: Floats, n: int, sets: int, source: np.random.Generator
    ) -> list[Predictions]:
        """Return tables of the same n rows of the pool, each with labels drawn from their truth."""
        pool = self.pool
        if self.groups is not None:
            return [self._in_groups(self.groups, truth, n, source) for _ in range(sets)]
        wanted = source.random(n) * self.mass[-1]
        index = np.searchsorted(self.mass, wanted, side="right")
        prob, own = pool.need_prob("a plan")[index], truth[index]
        by_column = np.asfortranarray(prob) if pool.k == 2 else prob
        return [
            Predictions(pool.classes, draw(own, source), by_column, positive=pool.positive)
            for _ in range(sets)
        ]

    def _in_groups(
        self, groups: PoolGroups, truth: Floats, n: int, source: np.random.Generator
    ) -> Predictions:
        """Return n rows of whole groups, whose labels depend as those of the pool do."""
        pool = self.pool
        index, code = groups.drawn(n, source)
        prob = pool.need_prob("a plan")[index]
        by_column = np.asfortranarray(prob) if pool.k == 2 else prob
        if groups.dependence > 0:
            dependence = Dependence.of(Partition.of(code), groups.dependence, truth[index])
            labels = dependence.once(int(source.integers(2**63)))
        else:
            labels = draw(truth[index], source)
        names = tuple(map(str, range(int(code.max()) + 1)))
        held = Labels(code.astype(np.int32), names)
        return Predictions(pool.classes, labels, by_column, positive=pool.positive, groups=held)

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
            together = self.together(n)
            parts = [
                self._one(truth, tests, n, min(together, size - first), source)
                for first in range(0, size, together)
            ]
            return np.concatenate(parts, axis=1)

        keys = [(block,) for block in range(ceil(sets / SETS_PER_BLOCK))]
        result = run_blocks(task, keys, question={}, workers=self.workers, progress=progress)
        return np.concatenate([result[key] for key in keys], axis=1)

    def _one(
        self, truth: Floats, tests: Sequence[str], n: int, sets: int, source: np.random.Generator
    ) -> NDArray[np.bool_]:
        tables = self.data_sets(truth, n, sets, source)
        seed = int(source.integers(2**63))
        return np.array(
            [
                rejections(tables, name, level=self.level, resamples=self.draws(name), seed=seed)
                for name in tests
            ]
        )


def rejections(
    tables: Sequence[Predictions], test: str, *, level: float, resamples: int, seed: int
) -> list[bool]:
    """Tell which tables of the same predictions a test rejects.

    Its null is drawn, for exact ones are slow to make.
    """
    if test == "omnibus":
        found = omnibus_p_values(tables, Resampling(resamples, seed, 1, None))
        return [p_value <= level for p_value in found]
    return [
        calibration_test(
            data, statistic=test, null="resample", resamples=resamples, rng=seed, workers=1
        ).p_value
        <= level
        for data in tables
    ]
