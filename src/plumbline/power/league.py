"""The league of calibration tests: all of them on the same data sets, below the limit of any."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from plumbline._checks import one_of, open_fraction
from plumbline.calibration_tests import TESTS
from plumbline.checkpoints import Key, run_blocks
from plumbline.power.cases import CASES, Case
from plumbline.power.grid import DISTANCES, EQUAL_SIZE, VIEWS, Grid, Placement, Placements
from plumbline.power.limits import limit_rejections
from plumbline.power.power_study import Counts, Sizes, definition_of, standard_error
from plumbline.power.simulation import rejects, usual_draws
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream
from plumbline.synthetic import DataSets

LIMIT = "likelihood ratio"
SETS_PER_BLOCK = 20  # part of the definition, with the streams' keys
DATA, LIMIT_DRAWS, TEST_DRAWS, GRID_DRAWS = range(4)
TAILS = ("", ", lower tail")


@dataclass(frozen=True, slots=True)
class League:
    """Who plays, on what, and how much.

    Attributes
    ----------
    case, sizes : the classifier, its data sets, and the draws of a test of one statistic
    many : draws of the omnibus, and of the limit lest a test seem to beat it
    number : of the case, a part of the streams' keys
    tests : named tests, "two-sided" or "greater" as each usually is
    entropy : what all streams are derived from
    """

    case: Case
    sizes: Sizes
    number: int
    tests: tuple[str, ...]
    many: int
    entropy: int

    @property
    def players(self) -> list[str]:
        """Names in the order of the counts: the limit, the named tests, the thesis' errors."""
        return [LIMIT, *self.tests, *errors_of_the_thesis()]

    def draws(self, player: str) -> int:
        """Return how often a player draws the labels."""
        return self.many if player in (LIMIT, "omnibus") else self.sizes.resamples

    def rejections(self, key: Key) -> Counts:
        """Count the data sets of one block on which each player rejects."""
        (block,) = key
        size = min(SETS_PER_BLOCK, self.sizes.datasets - block * SETS_PER_BLOCK)
        data = self.case.draws(self.sizes.points, size, self._source(DATA, block))
        limit = limit_rejections(
            data,
            self.case.truth(data[0]),
            self.many,
            self.sizes.level,
            self._source(LIMIT_DRAWS, block),
        )
        named = self._named(data, self._source(TEST_DRAWS, block))
        errors = thesis_grid(self.sizes).rejections(data, self._source(GRID_DRAWS, block))
        return np.concatenate([[limit], named, errors.ravel()])

    def _named(self, data: DataSets, source: np.random.Generator) -> Counts:
        """Count the rejections of the named tests; all see the same draws of labels."""
        classes = [str(c) for c in range(data[0].shape[2])]
        count = np.zeros(len(self.tests), np.int64)
        for prob, labels in zip(*data, strict=True):
            seen = Predictions.from_arrays(np.asarray(classes)[labels], prob, classes=classes)
            seed = int(source.integers(2**63))
            count += [
                rejects(seen, name, level=self.sizes.level, resamples=self.draws(name), seed=seed)
                for name in self.tests
            ]
        return count

    def _source(self, *key: int) -> np.random.Generator:
        return stream(self.entropy, self.number, self.sizes.points, *key)


def league(
    case: str,
    *,
    points: int | None = None,
    datasets: int = 200,
    resamples: int | None = None,
    level: float = 0.05,
    tests: Sequence[str] | None = None,
    rng: Seed = 0,
    folder: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Let all tests play on one case: rows of case, points, datasets, test, power, std_error.

    `case` is an experiment's number as text ("1" to "6", "9") or the name of a fault. All play on
    the same data sets: the `likelihood ratio` of the truth, which is the limit of any test with
    this level; the named `tests` (default all) with resampled nulls; and the thesis' calibration
    errors, cw and cf, absolute, square and log, with 10 equal-size bins and one point per bin, in
    both tails. By default the omnibus and the limit draw the labels 999 times, the others 10 /
    level - 1 times, which is enough for them; `resamples` is for all. With a `folder`, finished
    blocks are kept there. Raises ParameterError for an unknown name.

    >>> rows = league("constant", datasets=20, tests=["log-loss"])
    >>> {row["test"]: row["power"] for row in rows}["log-loss"]
    0.0
    """
    chosen = CASES[one_of("case", case, CASES)]
    names = tuple(one_of("tests", name, TESTS) for name in (TESTS if tests is None else tests))
    level = open_fraction("level", level)
    few, many = (
        usual_draws(name, level) if resamples is None else resamples for name in ("ece", "omnibus")
    )
    sizes = Sizes(chosen.points if points is None else points, datasets, few, level)
    played = League(chosen, sizes, list(CASES).index(case), names, many, entropy_of(rng))
    keys = [(block,) for block in range(ceil(sizes.datasets / SETS_PER_BLOCK))]
    question = {
        "case": case,
        "points": sizes.points,
        "datasets": datasets,
        "resamples": [few, many],
        "level": level,
        "players": played.players,
        "seed": played.entropy,
        **definition_of("omnibus"),
    }
    found = run_blocks(
        played.rejections,
        keys,
        question=question,
        folder=folder,
        workers=workers,
        progress=progress,
    )
    return list(_rows(played, np.sum(list(found.values()), axis=0)))


def _rows(played: League, count: Counts) -> Iterator[dict[str, Any]]:
    for player, rejected in zip(played.players, count, strict=True):
        share = float(rejected) / played.sizes.datasets
        yield {
            "case": played.case.name,
            "points": played.sizes.points,
            "datasets": played.sizes.datasets,
            "test": player,
            "power": share,
            "std_error": standard_error(share, played.sizes.datasets),
        }


def thesis_grid(sizes: Sizes) -> Grid:
    """Return the calibration errors of the thesis that play: 10 bins, and one point per bin.

    Cut by rank, as its code does, so that one point per bin holds for equal scores too.
    """
    rows = (Placement(EQUAL_SIZE, 10), Placement(EQUAL_SIZE, sizes.points))
    placements = Placements("thesis", rows)
    return Grid(VIEWS, placements, DISTANCES, sizes.resamples, sizes.level, None)


def errors_of_the_thesis() -> list[str]:
    """Return the names of `thesis_grid`'s settings, in the order of its counts."""
    return [
        f"{view} ECE {distance} {bins}{tail}"
        for view in VIEWS
        for bins in ("10 bins", "one per point")
        for distance in DISTANCES
        for tail in TAILS
    ]
