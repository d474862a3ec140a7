"""What a power study answers with."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plumbline._result import Result
from plumbline.atomic_files import write_whole


@dataclass(frozen=True, repr=False, eq=False)
class PowerTable(Result):
    """How often calibration tests reject, experiment by experiment.

    Attributes
    ----------
    experiments : their numbers
    points, datasets, resamples : rows of a data set, data sets, draws of labels for each test
    level : a test rejects where its p-value is at most this
    bins : the grid of bins, or None where a named statistic is tested
    like : whose way of rejecting, or None for this project's
    statistic : the named test, or None for a grid of calibration errors
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
    notes: tuple[str, ...]
    entries: Sequence[Mapping[str, Any]] = field(repr=False)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the rows of the table."""
        return self.entries

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield the question, the number of rows, and the notes."""
        for name, text in super().shown_lines():
            if name not in ("entries", "notes"):
                yield name, text
        yield "rows", f"{len(self.entries):,} (see .to_frame())"
        yield from (("note", note) for note in self.notes)


def write_csv(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows with a header, whole or not at all."""

    def write(temporary: Path) -> None:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    write_whole(path, write)
