"""How the benchmarks take their times, and report how we compare with what stands beside us."""

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

RESULTS = "PLUMBLINE_RATIOS"  # names the file to which `ratios.py` wants ratios to be added


@dataclass(frozen=True)
class Ratio:
    """A time or a size of ours beside that of another way, or beside a limit.

    Attributes
    ----------
    file : the benchmark
    task : what is done, with its size
    ours, theirs : in `unit`; fewer are better
    beside : what the other way is, "limit" for a limit
    least : the floor of theirs / ours; None where there is none
    """

    file: str
    task: str
    ours: float
    beside: str
    theirs: float
    least: float | None
    unit: str

    @property
    def ratio(self) -> float:
        """How many times as much the other way takes."""
        return self.theirs / self.ours

    @property
    def missed(self) -> bool:
        """Whether the ratio is below its floor."""
        return self.least is not None and self.ratio < self.least


_RATIOS: list[Ratio] = []


def seconds(task: Callable[[], Any], runs: int = 5) -> float:
    """Return the median time of a task after one run that compiles and warms up."""
    task()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return median(times)


def compare(
    task: str,
    ours: float,
    beside: str,
    theirs: float,
    *,
    least: float | None = 1.0,
    unit: str = "s",
    more: str = "",
) -> None:
    """Print a ratio and its floor, and keep it for the table of all; `more` is printed after it."""
    one = Ratio(Path(sys.argv[0]).name, task, ours, beside, theirs, least, unit)
    _RATIOS.append(one)
    floor = "" if least is None else f"floor {least:g}"
    print(
        f"{task:<52} {ours:9.4g} {unit:<2}  {beside:<30} {theirs:9.4g} {unit:<2}  "
        f"ratio {one.ratio:6.2f}  {floor:<10} {'MISSED' if one.missed else ''}  {more}".rstrip(),
        flush=True,
    )
    if RESULTS in os.environ:
        with Path(os.environ[RESULTS]).open("a") as file:
            file.write(json.dumps(asdict(one)) + "\n")


def finish() -> None:
    """End the run with exit code 1 if a ratio missed its floor, naming it."""
    missed = [one for one in _RATIOS if one.missed]
    for one in missed:
        print(
            f"MISSED: {one.task}: {one.ratio:.2f} times {one.beside}, floor {one.least:g}",
            file=sys.stderr,
        )
    if missed:
        raise SystemExit(1)
