"""A benchmark of the calibration tests: all of them on the same data sets, below the limit of any.

Writes `results/test_benchmark.csv` (every row), the tables of docs/test_benchmark.md between their
two marks, and its picture. Until all is written, finished blocks are kept in the folder
`results/test_benchmark.parts`, from which a killed run continues. `--tests omnibus` runs that test
anew on the data sets of the last run, with the seeds that it has among all tests, and keeps the
rows of the others; a case that the last run did not have is put to all tests.
"""

import argparse
import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from known_faults import CASES, FAULTS, Case, limit_rejections

from plumbline._checks import one_of, open_fraction
from plumbline.atomic_files import write_whole
from plumbline.calibration_errors import TESTS
from plumbline.checkpoints import Key, discard, run_blocks
from plumbline.plots import save_figure, style
from plumbline.power import Counts, Grid, Placement, Placements, Sizes, rejections, usual_draws
from plumbline.power.grid import DISTANCES, EQUAL_SIZE, VIEWS
from plumbline.power.power_study import definition_of, standard_error, write_csv
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream
from plumbline.synthetic import DataSets

LIMIT = "likelihood ratio"
SETS_PER_BLOCK = 20  # part of the definition, with the streams' keys
DATA, LIMIT_DRAWS, TEST_DRAWS, GRID_DRAWS = range(4)
TAILS = ("", ", lower tail")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Which tests run, on what, and how often they draw.

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
    def names(self) -> list[str]:
        """Names in the order of the counts: the limit, the named tests, the thesis' errors."""
        return [LIMIT, *self.tests, *errors_of_the_thesis()]

    def draws(self, name: str) -> int:
        """Return how often a name draws the labels."""
        return self.many if name in (LIMIT, "omnibus") else self.sizes.resamples

    def rejections(self, key: Key) -> Counts:
        """Count the data sets of one block on which each name rejects."""
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
                rejections(
                    [seen], name, level=self.sizes.level, resamples=self.draws(name), seed=seed
                )[0]
                for name in self.tests
            ]
        return count

    def _source(self, *key: int) -> np.random.Generator:
        return stream(self.entropy, self.number, self.sizes.points, *key)


def benchmark(
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
    """Run all tests on one case: rows of case, points, datasets, test, power, std_error.

    `case` is an experiment's number as text ("1" to "6", "9") or the name of a fault. All see
    the same data sets: the `likelihood ratio` of the truth, which is the limit of any test with
    this level; the named `tests` (default all) with resampled nulls; and the thesis' calibration
    errors, cw and cf, absolute, square and log, with 10 equal-size bins and one point per bin, in
    both tails. By default the omnibus and the limit draw the labels 999 times, the others 10 /
    level - 1 times, which is enough for them; `resamples` is for all. With a `folder`, finished
    blocks are kept there. Raises ParameterError for an unknown name.

    >>> rows = benchmark("constant", datasets=20, tests=["log-loss"])
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
    run = Benchmark(chosen, sizes, list(CASES).index(case), names, many, entropy_of(rng))
    keys = [(block,) for block in range(ceil(sizes.datasets / SETS_PER_BLOCK))]
    question = {
        "case": case,
        "points": sizes.points,
        "datasets": datasets,
        "resamples": [few, many],
        "level": level,
        "tests": run.names,
        "seed": run.entropy,
        **definition_of("omnibus"),
    }
    found = run_blocks(
        run.rejections,
        keys,
        question=question,
        folder=folder,
        workers=workers,
        progress=progress,
    )
    return list(_rows(run, np.sum(list(found.values()), axis=0)))


def _rows(run: Benchmark, count: Counts) -> Iterator[dict[str, Any]]:
    for name, rejected in zip(run.names, count, strict=True):
        share = float(rejected) / run.sizes.datasets
        yield {
            "case": run.case.name,
            "points": run.sizes.points,
            "datasets": run.sizes.datasets,
            "test": name,
            "power": share,
            "std_error": standard_error(share, run.sizes.datasets),
        }


def thesis_grid(sizes: Sizes) -> Grid:
    """Return the calibration errors of the thesis that take part: 10 bins, and one point per bin.

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


RESULTS = Path(__file__).parent / "results"
PARTS = RESULTS / "test_benchmark.parts"
DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- studies/test_benchmark.py writes from here -->", "<!-- to here -->"
LARGE = 500  # points: beyond them half as many data sets
EXPERIMENTS = [name for name in CASES if name.isdecimal()]
SHOWN = (
    LIMIT,
    *TESTS,
    "cw ECE log one per point",
    "cw ECE absolute one per point",
    "cw ECE absolute one per point, lower tail",
    "cf ECE absolute 10 bins",
)
Rows = Sequence[Mapping[str, Any]]


def last_run() -> Rows:
    """Return the rows of the table that is there."""
    with (RESULTS / "test_benchmark.csv").open(encoding="utf-8", newline="") as file:
        return [
            {
                "case": row["case"],
                "points": int(row["points"]),
                "datasets": int(row["datasets"]),
                "test": row["test"],
                "power": float(row["power"]),
                "std_error": float(row["std_error"]),
            }
            for row in csv.DictReader(file)
        ]


def rows_of_cases(
    points: Sequence[int],
    datasets: int,
    resamples: int | None,
    tests: Sequence[str],
    last: Rows,
) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of all cases: experiments with these points, faults with their own.

    Of a case with as many data sets in the `last` run, only `tests` are run.
    """
    PARTS.mkdir(parents=True, exist_ok=True)
    pairs = [(case, n) for n in points for case in EXPERIMENTS]
    pairs += [(fault.name, fault.points) for fault in FAULTS]
    for case, n in pairs:
        start = time.perf_counter()
        few = datasets if n <= LARGE else datasets // 2
        kept = [r for r in last if (r["case"], r["points"], r["datasets"]) == (case, n, few)]
        names = list(tests) if kept else list(TESTS)
        folder = PARTS / f"{case.replace(' ', '-')}-{n}-{'-'.join(names)}"
        anew = benchmark(
            case, points=n, datasets=few, resamples=resamples, tests=names, folder=folder
        )
        anew_by_test = {row["test"]: row for row in anew}
        yield from [anew_by_test.get(row["test"], row) for row in kept or anew]
        spent = time.perf_counter() - start
        print(f"{case}, {n} points: {few} data sets, {spent:.0f} s", flush=True)


def tables(rows: Rows) -> Iterator[str]:
    """Yield one table of the experiments for each number of points, and one of the faults."""
    sizes = sorted({row["points"] for row in rows if row["case"] in EXPERIMENTS})
    for n in sizes:
        here = [row for row in rows if row["points"] == n and row["case"] in EXPERIMENTS]
        yield f"### Experiments, {n} points"
        yield from table(here, list(EXPERIMENTS))
    yield "### Faults"
    yield from table([r for r in rows if r["case"] not in EXPERIMENTS], [f.name for f in FAULTS])


def table(rows: Rows, cases: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a table: one line a test, one column a case."""
    power = {(row["test"], row["case"]): row["power"] for row in rows}
    worst = {case: max(r["std_error"] for r in rows if r["case"] == case) for case in cases}
    sets = {row["case"]: row["datasets"] for row in rows}
    yield ""
    yield line("test", *cases)
    yield line(*["---"] * (1 + len(cases)))
    for name in SHOWN:
        yield line(name, *(f"{power[name, case]:.2f}" for case in cases))
    yield line("data sets", *(str(sets[case]) for case in cases))
    yield line("largest standard error", *(f"{worst[case]:.3f}" for case in cases))
    yield ""


def line(*cells: str) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def called(case: str) -> str:
    """Return a case's name as a picture says it."""
    return f"experiment {case}" if case in EXPERIMENTS else case


def draw(rows: Rows, path: Path) -> None:
    """Draw one line a case: all tests as grey points, the omnibus, and the limit as a tick."""
    pairs = list(dict.fromkeys((row["case"], row["points"]) for row in rows))
    with style.figure_style():
        figure = style.new_figure(6.4, 0.7 + 0.27 * len(pairs))
        ax = figure.add_axes((0.29, 0.08, 0.68, 0.9))
        for place, pair in enumerate(pairs):
            power = {r["test"]: r["power"] for r in rows if (r["case"], r["points"]) == pair}
            others = [power[name] for name in TESTS if name != "omnibus"]
            ax.plot(others, [place] * len(others), "o", ms=4, color=style.DRAWS, alpha=0.7)
            ax.plot([power[LIMIT]], [place], "|", ms=13, mew=2, color=style.GAP)
            ax.plot([power["omnibus"]], [place], "o", ms=6.5, color=style.POINT)
        ax.set_yticks(range(len(pairs)), [f"{called(case)}, n = {n}" for case, n in pairs])
        ax.set(xlim=(-0.02, 1.02), ylim=(len(pairs) - 0.5, -0.5))
        ax.set_xlabel("power: omnibus (blue), single tests (grey), limit of any test (tick)")
        style.quiet_axes(ax)
    save_figure(figure, path)


def between_marks(page: Path, lines: Iterator[str]) -> None:
    """Replace what stands between the two marks of a page."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"{page} has no marks {BEGIN!r} and {END!r}, in this order")
    text = "\n".join([before + BEGIN, "", *lines, END + after])
    write_whole(page, lambda path: path.write_text(text, "utf-8"))


def how_they_came_about(asked: argparse.Namespace) -> Iterator[str]:
    """Yield how the tables came about."""
    draws = "" if asked.resamples is None else f" --resamples {asked.resamples}"
    points = " ".join(map(str, asked.points))
    yield (
        f"By `python studies/test_benchmark.py --datasets {asked.datasets}{draws} --points "
        f"{points}` on {time.strftime('%Y-%m-%d')}; level 0.05, seed 0."
    )
    yield (
        "The omnibus and the limit draw the labels 999 times, the other tests 199 times."
        if asked.resamples is None
        else f"All tests draw the labels {asked.resamples} times."
    )
    yield "All rows with their standard errors: `studies/results/test_benchmark.csv`."
    yield ""


def main() -> None:
    """Run and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--datasets", type=int, default=200, help=f"half as many beyond {LARGE} points"
    )
    parser.add_argument(
        "--resamples", type=int, help="default: 999 for omnibus and limit, 199 for the others"
    )
    parser.add_argument("--points", type=int, nargs="+", default=[100, 500])
    parser.add_argument(
        "--tests", nargs="+", choices=TESTS, help="keep the last run's rows of all other tests"
    )
    asked = parser.parse_args()
    last = last_run() if asked.tests else []
    rows = list(
        rows_of_cases(
            asked.points, asked.datasets, asked.resamples, asked.tests or list(TESTS), last
        )
    )
    write_csv(rows, RESULTS / "test_benchmark.csv")
    draw(rows, DOCS / "pictures" / "test_benchmark.svg")
    between_marks(DOCS / "test_benchmark.md", chain(how_they_came_about(asked), tables(rows)))
    for folder in PARTS.iterdir():
        discard(folder)
    PARTS.rmdir()


if __name__ == "__main__":
    main()
