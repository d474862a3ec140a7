"""What is asked of every data set: all settings of a grid, or one calibration test by name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, open_fraction, shorten, whole_number
from plumbline.calibration_tests import TESTS, calibration_test
from plumbline.calibration_tests.ratios import FAMILIES
from plumbline.errors import ParameterError
from plumbline.power.grid import VIEWS, Grid
from plumbline.power.kernels import DISTANCES
from plumbline.power.placements import placements_of
from plumbline.predictions import Predictions
from plumbline.synthetic import DataSets

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is drawn, and when a test rejects."""

    points: int
    datasets: int
    resamples: int
    level: float

    def __post_init__(self) -> None:
        for name in ("points", "datasets", "resamples"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), least=1))
        object.__setattr__(self, "level", open_fraction("level", self.level))
        if 1 / (self.resamples + 1) > self.level:
            raise ParameterError(
                f"`resamples` {self.resamples} can never show a p of {self.level:g} or less, so "
                f"nothing would be rejected; draw at least {ceil(1 / self.level) - 1}"
            )


class Asked(Protocol):
    """A question that can be put to data sets; what it counts adds up over them."""

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
        count = 0
        for p, y in zip(prob, labels, strict=True):
            answer = calibration_test(
                Predictions.from_arrays(np.asarray(classes)[y], p, classes=classes),
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


def asked_of(
    statistic: str | None,
    sizes: Sizes,
    *,
    views: Sequence[str] | None,
    bins: str | None,
    distances: Sequence[str] | None,
    like: str | None,
) -> Asked:
    """Return what is asked, every name checked and every default filled in."""
    if statistic is not None:
        given = {"views": views, "bins": bins, "distances": distances, "like": like}
        for name, value in given.items():
            if value is not None:
                raise ParameterError(
                    f"`{name}` belongs to the grid of calibration errors and not to `statistic` "
                    f"{statistic!r}, got {shorten(value)}; leave one of the two out"
                )
        return TestByName(one_of("statistic", statistic, TESTS), sizes)
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
        raise ParameterError(f"`{argument}` must name at least one of {', '.join(known)}")
    return tuple(dict.fromkeys(one_of(argument, name, known) for name in wanted))


def standard_error(share: float, datasets: int) -> float:
    """Return the standard error of a share, sqrt(share (1 - share) / data sets)."""
    return sqrt(share * (1.0 - share) / datasets)
