"""The league of calibration tests: all of them on the same data sets, below the limit of any.

Writes `results/league.csv` (every row), the tables of docs/league.md between their two marks, and
its picture. Until all is written, finished blocks are kept in the folder `results/league.parts`,
from which a killed run continues. `--tests omnibus` plays that test anew on the data sets of the
last run, with the seeds that it has among all tests, and keeps the rows of the others; a case that
the last run did not have is played by all tests.
"""

import argparse
import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from plumbline.atomic_files import write_whole
from plumbline.calibration_tests import TESTS
from plumbline.checkpoints import discard
from plumbline.plots import save_figure, style
from plumbline.power.cases import CASES, FAULTS
from plumbline.power.league import LIMIT, league
from plumbline.power.power_study import write_csv

RESULTS = Path(__file__).parent / "results"
PARTS = RESULTS / "league.parts"
DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- studies/league.py writes from here -->", "<!-- to here -->"
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
    with (RESULTS / "league.csv").open(encoding="utf-8", newline="") as file:
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


def played(
    points: Sequence[int],
    datasets: int,
    resamples: int | None,
    tests: Sequence[str],
    last: Rows,
) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of all cases: experiments with these points, faults with their own.

    Of a case with as many data sets in the `last` run, only `tests` are played.
    """
    PARTS.mkdir(parents=True, exist_ok=True)
    games = [(case, n) for n in points for case in EXPERIMENTS]
    games += [(fault.name, fault.points) for fault in FAULTS]
    for case, n in games:
        start = time.perf_counter()
        few = datasets if n <= LARGE else datasets // 2
        kept = [r for r in last if (r["case"], r["points"], r["datasets"]) == (case, n, few)]
        names = list(tests) if kept else list(TESTS)
        folder = PARTS / f"{case.replace(' ', '-')}-{n}-{'-'.join(names)}"
        anew = league(case, points=n, datasets=few, resamples=resamples, tests=names, folder=folder)
        played_anew = {row["test"]: row for row in anew}
        yield from [played_anew.get(row["test"], row) for row in kept or anew]
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
    games = list(dict.fromkeys((row["case"], row["points"]) for row in rows))
    with style.house_style():
        figure = style.new_figure(6.4, 0.7 + 0.27 * len(games))
        ax = figure.add_axes((0.29, 0.08, 0.68, 0.9))
        for place, game in enumerate(games):
            power = {r["test"]: r["power"] for r in rows if (r["case"], r["points"]) == game}
            others = [power[name] for name in TESTS if name != "omnibus"]
            ax.plot(others, [place] * len(others), "o", ms=4, color=style.DRAWS, alpha=0.7)
            ax.plot([power[LIMIT]], [place], "|", ms=13, mew=2, color=style.GAP)
            ax.plot([power["omnibus"]], [place], "o", ms=6.5, color=style.POINT)
        ax.set_yticks(range(len(games)), [f"{called(case)}, n = {n}" for case, n in games])
        ax.set(xlim=(-0.02, 1.02), ylim=(len(games) - 0.5, -0.5))
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


def said(asked: argparse.Namespace) -> Iterator[str]:
    """Yield how the tables came about."""
    draws = "" if asked.resamples is None else f" --resamples {asked.resamples}"
    points = " ".join(map(str, asked.points))
    yield (
        f"By `python studies/league.py --datasets {asked.datasets}{draws} --points {points}` on "
        f"{time.strftime('%Y-%m-%d')}; level 0.05, seed 0."
    )
    yield (
        "The omnibus and the limit draw the labels 999 times, the other tests 199 times."
        if asked.resamples is None
        else f"All tests draw the labels {asked.resamples} times."
    )
    yield "All rows with their standard errors: `studies/results/league.csv`."
    yield ""


def main() -> None:
    """Play and write."""
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
        played(asked.points, asked.datasets, asked.resamples, asked.tests or list(TESTS), last)
    )
    write_csv(rows, RESULTS / "league.csv")
    draw(rows, DOCS / "pictures" / "league.svg")
    between_marks(DOCS / "league.md", chain(said(asked), tables(rows)))
    for folder in PARTS.iterdir():
        discard(folder)
    PARTS.rmdir()


if __name__ == "__main__":
    main()
