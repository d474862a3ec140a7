"""Power of calibration tests over the nine experiments: the whole grid, or one test by name."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from plumbline.atomic_files import need_ending
from plumbline.checkpoints import Key, discard, run_blocks
from plumbline.errors import InputError
from plumbline.power.answers import PowerTable, write_csv
from plumbline.power.asked import Asked, Counts, Sizes, asked_of
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream
from plumbline.synthetic import DataSets, Experiment, Fitted, covertype_classifier, data_sets
from plumbline.synthetic.experiments import SYNTHETIC, checked_experiments

# Part of the definition, with the streams' keys: another size, other data sets and draws.
DATA_SETS_PER_BLOCK = 50
DATA, DRAWS = 0, 1

GRID_RESAMPLES, TEST_RESAMPLES = 100, 999


def power_study(
    experiments: Iterable[int] = SYNTHETIC,
    *,
    views: Sequence[str] | None = None,
    bins: str | None = None,
    distances: Sequence[str] | None = None,
    points: int = 100,
    datasets: int = 1000,
    resamples: int | None = None,
    level: float = 0.05,
    rng: Seed = 0,
    like: str | None = None,
    statistic: str | None = None,
    covertype: str | Path | None = None,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PowerTable:
    """Estimate the power of calibration tests: the share of data sets on which they reject.

    Each experiment's classifier is tested on `datasets` fresh data sets of `points` rows; a test
    draws all labels `resamples` times from the predictions (unless given, 100 times for the grid
    and 999 for a test by its name, which `calibration_test` draws too). Without `statistic`, the
    calibration error of every setting is tested, all on the same data sets and draws:

    - views: "cw" (classwise) and "cf" (confidence: the top label)
    - bins: "plumbline" (equal size 5, 10, ..., 100 and equal width 5 to 500, by the conventions of
      `EqualSize` and `EqualWidth`); "thesis" (the same numbers by the thesis' code: equal size
      cuts by rank, equal width is min(int(p // (1/b)), b - 1)); or a list such as
      "equal-size:10,equal-width:15". Default "plumbline", "thesis" where `like` says so
    - distances: "absolute", "square", "log"
    - like: None rejects where p = (1 + #{T* >= T}) / (m + 1) <= level, for the lower tail with
      #{T* <= T}. "thesis": p = #{T* >= T} / m <= level, for the lower tail p >= 1 - level; an
      infinite log distance counts 99999, and its 1 - p is the difference from 1

    With `statistic`, `calibration_test` of that name is asked instead, its null drawn `resamples`
    times. Experiments 7 and 8 fit
    classifiers on the Covertype data, from the file `covertype` or fetched by scikit-learn, and
    have no more data sets than their test set holds.

    With `out`, a CSV file is written, and until then finished blocks are kept in the folder
    `out`.parts, so that a killed run continues where it was. The answer does not depend on
    `workers` (default: all cores, in threads, or what `joblib.parallel_config` says).

    Raises ParameterError for an unknown name, InputError if the kept blocks belong to another
    question. Source: Increasing the Power of a Classifier's Calibration Test (Tartu, 2020).

    >>> table = power_study([1], bins="equal-size:10", distances=["log"], datasets=50)
    >>> [row["power"] > 0.6 for row in table.rows()]
    [True, True]
    """
    chosen = checked_experiments(experiments)
    usual = GRID_RESAMPLES if statistic is None else TEST_RESAMPLES
    sizes = Sizes(points, datasets, usual if resamples is None else resamples, level)
    asked = asked_of(statistic, sizes, views=views, bins=bins, distances=distances, like=like)
    target = None if out is None else _checked_target(Path(out))
    study = Study(chosen, asked, sizes, entropy_of(rng), _fitted(chosen, covertype, sizes.points))
    parts = None if target is None else target.with_name(target.name + ".parts")
    found = run_blocks(
        study.rejections,
        study.keys,
        question=study.question(),
        folder=parts,
        workers=workers,
        progress=progress,
    )
    entries = list(study.rows(found))
    if target is not None and parts is not None:
        write_csv(entries, target)
        discard(parts)
    return PowerTable(
        experiments=tuple(row.number for row in chosen),
        points=sizes.points,
        datasets=sizes.datasets,
        resamples=sizes.resamples,
        level=sizes.level,
        bins=asked.bins,
        like=like,
        statistic=statistic,
        notes=tuple(study.notes()),
        entries=entries,
    )


@dataclass(frozen=True, slots=True)
class Study:
    """A power study: its data sets and draws are functions of an experiment and a block.

    Attributes
    ----------
    experiments, asked, sizes : the question
    entropy : what all streams are derived from
    fitted : the classifiers of the experiments that have one
    """

    experiments: tuple[Experiment, ...]
    asked: Asked
    sizes: Sizes
    entropy: int
    fitted: Mapping[int, Fitted]

    @property
    def keys(self) -> list[Key]:
        """The blocks: (experiment, number)."""
        return [
            (row.number, block)
            for row in self.experiments
            for block in range(ceil(self.datasets(row.number) / DATA_SETS_PER_BLOCK))
        ]

    def datasets(self, experiment: int) -> int:
        """Return the number of data sets: those asked for, unless a test set holds fewer."""
        fitted = self.fitted.get(experiment)
        most = self.sizes.datasets
        return most if fitted is None else min(most, fitted.blocks(self.sizes.points))

    def rejections(self, key: Key) -> Counts:
        """Test the data sets of one block; chance comes from the block's own streams."""
        experiment, block = key
        draws = stream(self.entropy, experiment, DRAWS, block)
        return self.asked.rejections(self.data(experiment, block), draws)

    def data(self, experiment: int, block: int) -> DataSets:
        """Return the data sets of one block."""
        first = block * DATA_SETS_PER_BLOCK
        last = min(first + DATA_SETS_PER_BLOCK, self.datasets(experiment))
        if experiment in self.fitted:
            prob, labels = self.fitted[experiment].cut(self.sizes.points)
            return prob[first:last], labels[first:last]
        source = stream(self.entropy, experiment, DATA, block)
        return data_sets(experiment, points=self.sizes.points, datasets=last - first, rng=source)

    def rows(self, found: Mapping[Key, Counts]) -> Iterator[dict[str, Any]]:
        """Yield the rows of all experiments from the counts of all blocks."""
        for row in self.experiments:
            counts = [count for key, count in found.items() if key[0] == row.number]
            total = np.sum(counts, axis=0)
            yield from self.asked.rows(row.number, total, self.datasets(row.number))

    def notes(self) -> Iterator[str]:
        """Yield accuracy and number of data sets of every fitted classifier."""
        for row in self.experiments:
            if row.number in self.fitted:
                fitted = self.fitted[row.number]
                yield (
                    f"experiment {row.number}: {row.description}, accuracy {fitted.accuracy:.3f}, "
                    f"{self.datasets(row.number):,} data sets of {self.sizes.points:,} points"
                )

    def question(self) -> dict[str, Any]:
        """Return all that the blocks depend on, as it is kept beside them."""
        digests = {
            str(number): hashlib.sha256(one.prob.tobytes() + one.labels.tobytes()).hexdigest()
            for number, one in self.fitted.items()
        }
        return {
            "experiments": [row.number for row in self.experiments],
            **self.asked.record(),
            "points": self.sizes.points,
            "datasets": self.sizes.datasets,
            "resamples": self.sizes.resamples,
            "level": self.sizes.level,
            "seed": self.entropy,
            "data sets per block": DATA_SETS_PER_BLOCK,
            "classifiers": digests,
        }


def _fitted(
    experiments: Sequence[Experiment], file: str | Path | None, points: int
) -> dict[int, Fitted]:
    """Fit the classifiers of the experiments that have one."""
    fitted = {}
    for row in experiments:
        if not row.synthetic:
            one = covertype_classifier(row.method, file)
            if one.blocks(points) == 0:
                raise InputError(
                    f"the test set of experiment {row.number} holds {len(one.labels):,} points, "
                    f"not one data set of {points:,}; use fewer `points`"
                )
            fitted[row.number] = one
    return fitted


def _checked_target(path: Path) -> Path:
    """Refuse a file that could not be written before the work and not after it."""
    need_ending(path, (".csv",))
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {str(path.parent)!r}; make it first")
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder; name a file in it")
    return path
