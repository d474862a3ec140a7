"""Power of calibration tests over the nine experiments: the whole grid, or one test by name."""

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, nan, sqrt
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, open_fraction, real_number, shorten, whole_number
from plumbline._result import Note, Presentation, Result, Table
from plumbline.atomic_files import need_place, write_whole
from plumbline.calibration_errors import TESTS
from plumbline.calibration_tests import calibration_test
from plumbline.calibration_tests.omnibus_families import FAMILIES
from plumbline.checkpoints import Key, discard, run_blocks
from plumbline.dependence import (
    LEAST_GROUPS,
    STRONGEST,
    Dependence,
    Partition,
    RowGroups,
)
from plumbline.errors import InputError, ParameterError
from plumbline.file_endings import need_ending
from plumbline.formatting import capital, counted, quoted
from plumbline.power.grid import DISTANCES, VIEWS, Grid, placements_of
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream
from plumbline.synthetic import (
    EXPERIMENTS,
    DataSets,
    Experiment,
    Fitted,
    covertype_classifier,
    data_sets,
)
from plumbline.synthetic.experiments import SYNTHETIC, checked_experiments, predictions_and_truth


@dataclass(frozen=True, repr=False, eq=False)
class PowerTable(Result):
    """How often calibration tests reject, experiment by experiment.

    Attributes
    ----------
    experiments : their numbers
    points, datasets, resamples : rows of a data set, data sets, draws of labels for each test
    level : a test rejects where its p-value is at most this
    bins : the grid of bins, or None where a named statistic is tested
    like : rule of rejection, or None for this project's
    statistic : the named test, or None for a grid of calibration errors
    group_size, dependence : rows of a group, and how much their labels depend; 1 and 0 of
        independent rows
    notes : what to know about an experiment: accuracy and number of data sets of a classifier
    entries : the rows. A grid has experiment, view (cw, cf), placement, bins, distance, power
        (share of data sets on which the upper tail rejects), power_lower (the lower tail),
        std_error of power; a named test has experiment, statistic, power, std_error
    """

    experiments: tuple[int, ...]
    points: int
    datasets: int
    resamples: int
    level: float
    bins: str | None
    like: str | None
    statistic: str | None
    group_size: int
    dependence: float
    notes: tuple[str, ...]
    entries: Sequence[Mapping[str, Any]] = field(repr=False)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the rows of the table."""
        return self.entries

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return an entry a row, and what was asked beside."""
        about = {name: value for name, value in self.to_dict().items() if name != "entries"}
        return [{**row, "n": self.points} for row in self.entries], about

    def present(self) -> Presentation:
        """Return what was drawn, and the power: a line a setting, a column a distance."""
        notes = tuple(Note(f"{capital(note)}.", "classifier") for note in self.notes)
        subject = (
            f"{counted(self.datasets, 'data set')} of {counted(self.points, 'point')} an "
            f"experiment, {counted(self.resamples, 'resample')} a test, level {self.level:g}"
        )
        if self.group_size > 1:
            count = ceil(self.points / self.group_size)
            subject += (
                f", {counted(count, 'group')} of {counted(self.group_size, 'row')} "
                f"(correlation within them {self.dependence:g})"
            )
            notes += RowGroups(count, self.dependence, nan, count).notes()
        if self.statistic is not None:
            columns = {
                "experiment": [str(row["experiment"]) for row in self.entries],
                "statistic": [row["statistic"] for row in self.entries],
                "power": [f"{row['power']:.3f}" for row in self.entries],
                "standard error": [f"{row['std_error']:.3f}" for row in self.entries],
            }
            return Presentation(subject=subject, notes=notes, tables=(Table(columns),))
        settings = list(dict.fromkeys(map(_setting, self.entries)))
        legend = [f"{COLUMNS}."]
        if len(settings) > MOST_SETTINGS:
            settings = [one for one in settings if one[3] in TYPICAL]
            notes = (*notes, Note(SELECTION, "selection"))
        table = _grid_table(self.entries, settings)
        return Presentation(subject=subject, notes=notes, tables=(table,), legend=tuple(legend))


MOST_SETTINGS = 60  # in a table for people
TYPICAL = (10, 100)  # numbers of bins shown where there are more
SELECTION = f"Shown are {TYPICAL[0]} and {TYPICAL[1]} bins; data frame, JSON and file have all."
COLUMNS = (
    "power: share of data sets on which the upper tail rejects; low: the same for the lower "
    "tail, which detects underconfidence"
)
SETTING = ("experiment", "view", "placement", "bins")


def _setting(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in SETTING)


def _grid_table(entries: Sequence[Mapping[str, Any]], settings: Sequence[tuple[Any, ...]]) -> Table:
    cells = {(_setting(row), row["distance"]): row for row in entries}
    distances = list(dict.fromkeys(row["distance"] for row in entries))
    columns = {name: [str(one[place]) for one in settings] for place, name in enumerate(SETTING)}
    for title, key in (("", "power"), ("low ", "power_lower")):
        for distance in distances:
            values = [f"{cells[one, distance][key]:.3f}" for one in settings]
            columns[title + distance] = values
    return Table(columns, left=("view",))


def write_csv(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows with a header, whole or not at all."""

    def write(temporary: Path) -> None:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    write_whole(path, write)


Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is drawn, and when a test rejects."""

    points: int
    datasets: int
    resamples: int
    level: float
    group_size: int = 1
    dependence: float = 0.0

    @property
    def groups(self) -> NDArray[np.intp] | None:
        """(points,) number of each row's group; None of independent rows.

        Groups take turns, as the last rows of some experiments are those with a fault.
        """
        if self.group_size == 1:
            return None
        return np.arange(self.points) % ceil(self.points / self.group_size)

    def of_groups(self) -> dict[str, Any]:
        """Return what a kept block depends on beside the numbers of independent rows."""
        if self.group_size == 1:
            return {}
        return {"group_size": self.group_size, "dependence": self.dependence}

    def _check_groups(self) -> None:
        object.__setattr__(self, "group_size", whole_number("group_size", self.group_size, least=1))
        strength = real_number(self.dependence)
        if not 0 <= strength <= STRONGEST:
            raise ParameterError(
                argument="dependence",
                rule=f"a number from 0 to {STRONGEST}",
                arrived=shorten(self.dependence),
                code="out-of-range",
            )
        object.__setattr__(self, "dependence", strength)
        if strength > 0 and self.group_size == 1:
            raise ParameterError(
                f"`dependence` {strength:g} is of the rows of a group, and each row is one; give "
                "`group_size` too",
                code="argument-needs-another",
                argument="dependence",
            )
        count = ceil(self.points / self.group_size)
        if self.group_size > 1 and count < LEAST_GROUPS:
            raise ParameterError(
                argument="group_size",
                rule=f"so small that {counted(self.points, 'point')} are {LEAST_GROUPS} groups",
                arrived=str(self.group_size),
                code="out-of-range",
            )

    def __post_init__(self) -> None:
        for name in ("points", "datasets", "resamples"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), least=1))
        object.__setattr__(self, "level", open_fraction("level", self.level))
        self._check_groups()
        if 1 / (self.resamples + 1) > self.level:
            raise ParameterError(
                f"`resamples` {self.resamples} cannot give p ≤ {self.level:g}, so nothing would "
                f"be rejected; use at least {ceil(1 / self.level) - 1}",
                code="resamples-too-few",
            )


class StudyTests(Protocol):
    """Tests that can be run on data sets; what they count adds up over them."""

    @property
    def bins(self) -> str | None:
        """The grid of bins, or None where there is none."""

    def rejections(self, data: DataSets, source: np.random.Generator) -> Counts:
        """Count the data sets on which each test rejects."""

    def rows(self, experiment: int, count: Counts, datasets: int) -> Iterator[dict[str, Any]]:
        """Yield the rows of an experiment."""

    def record(self) -> dict[str, Any]:
        """Return all that the counts depend on."""


@dataclass(frozen=True, slots=True)
class GridTest:
    """The calibration errors of a grid, in both tails."""

    grid: Grid
    bins: str

    def rejections(self, data: DataSets, source: np.random.Generator) -> Counts:
        """Count (views, placements, distances, 2) rejections."""
        return self.grid.rejections(data, source)

    def rows(self, experiment: int, count: Counts, datasets: int) -> Iterator[dict[str, Any]]:
        """Yield one row a setting."""
        share = count / datasets
        for v, view in enumerate(self.grid.views):
            for s, placement in enumerate(self.grid.placements.rows):
                for d, distance in enumerate(self.grid.distances):
                    upper, lower = map(float, share[v, s, d])
                    yield {
                        "experiment": experiment,
                        "view": view,
                        "placement": placement.name,
                        "bins": placement.bins,
                        "distance": distance,
                        "power": upper,
                        "power_lower": lower,
                        "std_error": standard_error(upper, datasets),
                    }

    def record(self) -> dict[str, Any]:
        """Return the settings."""
        grid = self.grid
        return {
            "views": grid.views,
            "bins": [f"{row.name}:{row.bins}" for row in grid.placements.rows],
            "convention": grid.placements.convention,
            "distances": grid.distances,
            "like": grid.like,
        }


@dataclass(frozen=True, slots=True)
class TestByName:
    """One calibration test by its name."""

    statistic: str
    sizes: Sizes
    bins: None = None

    def rejections(self, data: DataSets, source: np.random.Generator) -> Counts:
        """Count the data sets with p <= level."""
        prob, labels = data
        classes = [str(c) for c in range(prob.shape[2])]
        count, groups = 0, self.sizes.groups
        for p, y in zip(prob, labels, strict=True):
            answer = calibration_test(
                Predictions.from_arrays(np.asarray(classes)[y], p, classes=classes, groups=groups),
                statistic=self.statistic,
                null="resample",
                resamples=self.sizes.resamples,
                rng=source,
                workers=1,
            )
            count += answer.p_value <= self.sizes.level
        return np.array(count)

    def rows(self, experiment: int, count: Counts, datasets: int) -> Iterator[dict[str, Any]]:
        """Yield the one row."""
        share = float(count) / datasets
        yield {
            "experiment": experiment,
            "statistic": self.statistic,
            "power": share,
            "std_error": standard_error(share, datasets),
        }

    def record(self) -> dict[str, Any]:
        """Return the name, and what it stands for where that has been chosen by weights."""
        return {"statistic": self.statistic, **definition_of(self.statistic)}


def definition_of(statistic: str) -> dict[str, Any]:
    """Return what a name does not say of a test: the families of the omnibus."""
    return {"parts": list(map(str, FAMILIES))} if statistic == "omnibus" else {}


def tests_of(
    statistic: str | None,
    sizes: Sizes,
    *,
    views: Sequence[str] | None,
    bins: str | None,
    distances: Sequence[str] | None,
    like: str | None,
) -> StudyTests:
    """Return the tests, every name checked and every default filled in."""
    if statistic is not None:
        given = {"views": views, "bins": bins, "distances": distances, "like": like}
        for name, value in given.items():
            if value is not None:
                raise ParameterError(
                    f"`{name}` applies to the grid of calibration errors, not to `statistic` "
                    f"{quoted(statistic)}, got {shorten(value)}; leave one of them out",
                    code="argument-beside-another",
                )
        return TestByName(one_of("statistic", statistic, TESTS), sizes)
    if sizes.group_size > 1:
        raise ParameterError(
            f"`group_size` {sizes.group_size} applies to a test by its name, as the grid of "
            "calibration errors takes every row as independent; give `statistic` too",
            code="argument-needs-another",
            argument="group_size",
            choices=[{"statistic": "omnibus"}],
        )
    if like is not None:
        one_of("like", like, ("thesis",))
    text = bins if bins is not None else (like or "plumbline")
    grid = Grid(
        _names("views", views, VIEWS),
        placements_of(text),
        _names("distances", distances, DISTANCES),
        sizes.resamples,
        sizes.level,
        like,
    )
    return GridTest(grid, text)


def _names(argument: str, names: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names asked for, each once; all if none is given."""
    wanted = known if names is None else [names] if isinstance(names, str) else names
    if not wanted:
        raise ParameterError(
            f"`{argument}` must name at least one of {', '.join(known)}", code="nothing-named"
        )
    return tuple(dict.fromkeys(one_of(argument, name, known) for name in wanted))


def standard_error(share: float, datasets: int) -> float:
    """Return the standard error of a share, sqrt(share (1 - share) / data sets)."""
    return sqrt(share * (1.0 - share) / datasets)


# Part of the definition, with the streams' keys: another size, other data sets and draws.
DATA_SETS_PER_BLOCK = 50
DATA, DRAWS = 0, 1

# Of a grid, which tests in many places, and of a single test; conventions.
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
    group_size: int = 1,
    dependence: float = 0.0,
    covertype: str | Path | None = None,
    out: str | Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PowerTable:
    """Estimate the power of calibration tests: the share of data sets on which they reject.

    Each experiment's classifier is tested on `datasets` fresh data sets of `points` rows; a test
    draws all labels `resamples` times from the predictions. Without `statistic`, the calibration
    error of every setting of a grid is tested, all on the same data sets and draws.

    Experiments 7 and 8 fit classifiers on the Covertype data, and have only as many data sets as
    their test set holds.

    Parameters
    ----------
    experiments : iterable of int, default 1 to 6 and 9
        The experiments, from 1 to 9.
    views : sequence of {"cw", "cf"}, optional
        "cw" (classwise) and "cf" (confidence: the top label); both by default.
    bins : str, optional
        "plumbline" (the default: equal size 5, 10, ..., 100 and equal width 5 to 500, by the
        conventions of `EqualSize` and `EqualWidth`); "thesis" (the same numbers by the thesis'
        code: equal size cuts by rank, equal width is min(int(p // (1/b)), b - 1); the default where
        `like` is "thesis"); or a list such as "equal-size:10,equal-width:15".
    distances : sequence of {"absolute", "square", "log"}, optional
        All by default.
    points : int, default 100
        Rows of a data set.
    datasets : int, default 1000
        Data sets of an experiment.
    resamples : int, optional
        Draws of labels for each test: by default 100 for the grid and 999 for a test by its name,
        which `calibration_test` draws too.
    level : float, default 0.05
        A test rejects where its p-value is at most that.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    like : {"thesis"}, optional
        None rejects where p = (1 + #{T* >= T}) / (m + 1) <= level, for the lower tail with
        #{T* <= T}. "thesis": p = #{T* >= T} / m <= level, for the lower tail p >= 1 - level; an
        infinite log distance counts 99999, and its 1 - p is the difference from 1.
    statistic : str, optional
        The name of a test: `calibration_test` of that name runs instead of the grid, its null drawn
        `resamples` times.
    group_size : int, default 1
        Rows of a group, of a test by its name, which then allows for groups.
    dependence : float, default 0
        How much the labels of a group depend, 0 to 0.95, as `groups.dependence` of a test's result
        says it: the latent correlation of two classes; of more, the probability that two rows draw
        their labels from one number.
    covertype : str or Path, optional
        A file with the Covertype data; else scikit-learn fetches them.
    out : str or Path, optional
        A CSV file to write. Finished blocks are kept in the folder `out`.parts until then, so that
        an interrupted run continues.
    workers : int, optional
        Threads, by default all cores, or what `joblib.parallel_config` says; the result does not
        depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    PowerTable
        One row a setting: power of both tails with its standard error.

    Raises
    ------
    ParameterError
        For an unknown name.
    InputError
        If the kept blocks belong to other parameters.

    References
    ----------
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> table = power_study([1], bins="equal-size:10", distances=["log"], datasets=50)
    >>> [row["power"] > 0.6 for row in table.rows()]
    [True, True]
    """
    rows = checked_experiments(experiments)
    usual = GRID_RESAMPLES if statistic is None else TEST_RESAMPLES
    drawn = usual if resamples is None else resamples
    sizes = Sizes(points, datasets, drawn, level, group_size, dependence)
    fitted = [row.number for row in rows if not row.synthetic]
    if fitted and sizes.group_size > 1:
        raise ParameterError(
            f"`group_size` applies to synthetic experiments, and the rows of {fitted[0]} are those "
            "of a data set; use 1 to 6 or 9",
            code="one-data-set-only",
        )
    tests = tests_of(statistic, sizes, views=views, bins=bins, distances=distances, like=like)
    target = None if out is None else _checked_target(Path(out))
    study = Study(rows, tests, sizes, entropy_of(rng), _fitted(rows, covertype, sizes.points))
    parts = None if target is None else target.with_name(target.name + ".parts")
    result = run_blocks(
        study.rejections,
        study.keys,
        question=study.question(),
        folder=parts,
        workers=workers,
        progress=progress,
    )
    entries = list(study.rows(result))
    if target is not None and parts is not None:
        write_csv(entries, target)
        discard(parts)
    return PowerTable(
        experiments=tuple(row.number for row in rows),
        points=sizes.points,
        datasets=sizes.datasets,
        resamples=sizes.resamples,
        level=sizes.level,
        bins=tests.bins,
        like=like,
        statistic=statistic,
        group_size=sizes.group_size,
        dependence=sizes.dependence,
        notes=tuple(study.notes()),
        entries=entries,
    )


@dataclass(frozen=True, slots=True)
class Study:
    """A power study: its data sets and draws are functions of an experiment and a block.

    Attributes
    ----------
    experiments, tests, sizes : what is studied
    entropy : what all streams are derived from
    fitted : the classifiers of the experiments that have one
    """

    experiments: tuple[Experiment, ...]
    tests: StudyTests
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
        """Test the data sets of one block, with the block's own random streams."""
        experiment, block = key
        draws = stream(self.entropy, experiment, DRAWS, block)
        return self.tests.rejections(self.data(experiment, block), draws)

    def data(self, experiment: int, block: int) -> DataSets:
        """Return the data sets of one block."""
        first = block * DATA_SETS_PER_BLOCK
        last = min(first + DATA_SETS_PER_BLOCK, self.datasets(experiment))
        if experiment in self.fitted:
            prob, labels = self.fitted[experiment].cut(self.sizes.points)
            return prob[first:last], labels[first:last]
        source = stream(self.entropy, experiment, DATA, block)
        size = {"points": self.sizes.points, "datasets": last - first}
        if self.sizes.dependence == 0:
            return data_sets(experiment, **size, rng=source)
        prob, truth = predictions_and_truth(EXPERIMENTS[experiment], **size, rng=source)
        groups = Partition.of(np.asarray(self.sizes.groups))
        found = [
            Dependence.of(groups, self.sizes.dependence, one).once(int(source.integers(2**63)))
            for one in truth
        ]
        return prob, np.array(found)

    def rows(self, counts_by_key: Mapping[Key, Counts]) -> Iterator[dict[str, Any]]:
        """Yield the rows of all experiments from the counts of all blocks."""
        for row in self.experiments:
            counts = [count for key, count in counts_by_key.items() if key[0] == row.number]
            total = np.sum(counts, axis=0)
            yield from self.tests.rows(row.number, total, self.datasets(row.number))

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
            **self.tests.record(),
            "points": self.sizes.points,
            "datasets": self.sizes.datasets,
            "resamples": self.sizes.resamples,
            "level": self.sizes.level,
            **self.sizes.of_groups(),
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
                    f"not one data set of {points:,}; use fewer `points`",
                    code="too-few-rows",
                )
            fitted[row.number] = one
    return fitted


def _checked_target(path: Path) -> Path:
    """Refuse a file that could not be written before the work and not after it."""
    need_ending(path, (".csv",))
    need_place(path)
    return path


@dataclass(frozen=True, repr=False, eq=False)
class PValues(Result):
    """The p-values of one calibration test on many data sets of one experiment.

    Attributes
    ----------
    experiment, view, placement, bins, distance, like : the test and its parameters
    points, datasets, resamples : rows of a data set, data sets, draws of labels for each test
    level : a test rejects where its p-value is at most this
    power, power_lower : share of the data sets on which the upper tail rejects, and the lower one
    std_error : of `power`
    values : (datasets,) p-values of the upper tail
    rejected : (datasets, 2) whether the upper and the lower tail reject
    """

    experiment: int
    view: str
    placement: str
    bins: int
    distance: str
    like: str | None
    points: int
    datasets: int
    resamples: int
    level: float
    power: float
    power_lower: float
    std_error: float
    values: NDArray[np.float64] = field(repr=False, metadata={"hidden": True})
    rejected: NDArray[np.bool_] = field(repr=False, metadata={"hidden": True})


def p_values(
    experiment: int,
    *,
    view: str = "cw",
    bins: str = "equal-width:10",
    distance: str = "absolute",
    points: int = 100,
    datasets: int = 1000,
    resamples: int = 100,
    level: float = 0.05,
    rng: Seed = 0,
    like: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> PValues:
    """Test many data sets of a synthetic experiment and keep every p-value.

    The test is one setting of `power_study`, on the same data sets and draws, so its share of
    rejections is the power that `power_study` gives. p = (1 + #{T* >= T}) / (m + 1), or #{T* >= T}
    / m with `like="thesis"`.

    Parameters
    ----------
    experiment : int
        1 to 6 or 9; 7 and 8 have few data sets.
    view : {"cw", "cf"}, default "cw"
        Classwise, or confidence (top-label).
    bins : str, default "equal-width:10"
        One binning.
    distance : {"absolute", "square", "log"}, default "absolute"
        Of the calibration error.
    points, datasets, resamples : int, default 100, 1000, 100
        Rows of a data set, data sets, draws of labels for each test.
    level : float, default 0.05
        A test rejects where its p-value is at most that.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    like : {"thesis"}, optional
        The rule of rejection.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    PValues
        The p-values, one a data set.

    Raises
    ------
    ParameterError
        For an unknown name, for more than one setting, and for the experiments 7 and 8.

    References
    ----------
    "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020).

    Examples
    --------
    >>> study = p_values(1, datasets=50)
    >>> study.values.shape, bool(study.power == (study.values <= 0.05).mean())
    ((50,), True)
    """
    rows = checked_experiments([experiment])
    if not rows[0].synthetic:
        raise ParameterError(
            f"`experiment` {experiment} is a {rows[0].description}, with few data sets; use a "
            "synthetic one, 1 to 6 or 9",
            code="one-data-set-only",
        )
    sizes = Sizes(points, datasets, resamples, level)
    tests = tests_of(None, sizes, views=[view], bins=bins, distances=[distance], like=like)
    if not isinstance(tests, GridTest) or tests.grid.shape != (1, 1, 1):
        raise ParameterError(
            argument="bins",
            rule="one placement such as 'equal-width:10'",
            arrived=quoted(bins),
            remedy="for several at once use plumbline.power",
            code="wrong-kind",
        )
    study = Study(rows, tests, sizes, entropy_of(rng), {})
    counts = _counts(study, tests, workers, progress)
    rejected = tests.grid.rejects(counts)
    own = 0 if like == "thesis" else 1
    upper, lower = map(float, rejected.mean(axis=0))
    (place,) = tests.grid.placements.rows
    return PValues(
        experiment=experiment,
        view=view,
        placement=place.name,
        bins=place.bins,
        distance=distance,
        like=like,
        points=sizes.points,
        datasets=sizes.datasets,
        resamples=sizes.resamples,
        level=sizes.level,
        power=upper,
        power_lower=lower,
        std_error=standard_error(upper, sizes.datasets),
        values=(own + counts[:, 0]) / (own + sizes.resamples),
        rejected=rejected,
    )


def _counts(
    study: Study, tests: GridTest, workers: int | None, progress: Progress | None
) -> NDArray[np.int64]:
    """Count, for (datasets, 2), the draws at least and at most as large as the observed error."""

    def counted(key: tuple[int, ...]) -> NDArray[np.int64]:
        draws = stream(study.entropy, key[0], DRAWS, key[1])
        return np.array([tails[0, 0, 0] for tails in tests.grid.tails(study.data(*key), draws)])

    result = run_blocks(counted, study.keys, question={}, workers=workers, progress=progress)
    return np.concatenate(list(result.values()))
