"""The omnibus test: its size where nothing is wrong, its power on the synthetic experiments.

python studies/omnibus.py

Writes studies/results/omnibus.csv (power: 20,000 data sets of 100 points each, 999 resamples) and
omnibus.md; a killed run continues where it was. It takes about an hour on two cores.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

import plumbline as pb
from plumbline.resampling import stream

RESULTS = Path(__file__).parent / "results"
EXPERIMENTS = (1, 2, 3, 4, 5, 6, 9)
# What it is to reach: near the limit of any test (docs/league.md) where one side is enough.
GOAL = {1: 0.85, 2: 0.69, 3: 0.115, 4: 0.94, 5: 0.84, 6: 0.19, 9: 0.055}
DATA_SETS = 20_000
MUCH = 0.1
SIZE_DATA_SETS, SIZE_RESAMPLES, LEVEL = 1000, 99, 0.05


def beaten(rows: Sequence[Mapping[str, Any]], grid: pb.PowerTable) -> Iterator[dict[str, Any]]:
    """Yield the settings of the grid that are better by more than a tenth, in either tail."""
    omnibus = {row["experiment"]: row["power"] for row in rows}
    for row in grid.rows():
        for tail in ("power", "power_lower"):
            if row[tail] > omnibus[row["experiment"]] + MUCH:
                yield {**row, "tail": tail, "best": row[tail]}


def size(n: int, k: int, alpha: float) -> float:
    """Return the share of data sets with true probabilities that are rejected."""
    source = stream(0, n, k, int(10 * alpha))
    rejected = 0
    for seed in range(SIZE_DATA_SETS):
        prob = source.dirichlet(np.full(k, alpha), n)
        actual = (prob.cumsum(axis=1) < source.random((n, 1))).sum(axis=1).clip(0, k - 1)
        data = pb.Predictions.from_arrays(actual, prob, classes=range(k))
        found = pb.calibration_test(data, resamples=SIZE_RESAMPLES, rng=seed, workers=1)
        rejected += found.p_value <= LEVEL
    return rejected / SIZE_DATA_SETS


def size_lines() -> Iterator[str]:
    """Yield the table of sizes."""
    error = sqrt(LEVEL * (1 - LEVEL) / SIZE_DATA_SETS)
    yield (
        f"True probabilities, {SIZE_DATA_SETS:,} data sets each, {SIZE_RESAMPLES} resamples: share "
        f"rejected at {LEVEL} (standard error {error:.4f} at the level)."
    )
    yield from ("", "| n | k | Dirichlet 0.1 | 1 | 10 |", "|---|---|---|---|---|")
    for n, k in product((20, 100, 1000), (2, 5, 10)):
        cells = " | ".join(f"{size(n, k, alpha):.3f}" for alpha in (0.1, 1.0, 10.0))
        yield f"| {n:,} | {k} | {cells} |"


def power_lines(rows: Sequence[Mapping[str, Any]], grid: pb.PowerTable) -> Iterator[str]:
    """Yield the power, and what beats it."""
    yield "100 points, 20,000 data sets, 999 resamples, level 0.05, seed 0."
    yield from ("", "| experiment | power | standard error | goal |", "|---|---|---|---|")
    for row in rows:
        goal = GOAL[row["experiment"]]
        yield f"| {row['experiment']} | {row['power']:.4f} | {row['std_error']:.4f} | {goal} |"
    better = list(beaten(rows, grid))
    yield ""
    yield (
        "Settings of the thesis' grid (its conventions, 1000 data sets, 100 resamples) that "
        f"beat it by more than {MUCH}: {len(better)} of {2 * len(grid.rows())}, counting each of "
        "the two tails. They look to one side and know beforehand which:"
    )
    yield ""
    for experiment in sorted({row["experiment"] for row in better}):
        ours = [row for row in better if row["experiment"] == experiment]
        best = max(ours, key=lambda row: row["best"])
        yield (
            f"- experiment {experiment}: {len(ours)}, the best {best['view']}, "
            f"{best['placement']} {best['bins']}, {best['distance']}, "
            f"{'upper' if best['tail'] == 'power' else 'lower'} tail: {best['best']:.3f}"
        )


def main() -> None:
    """Run the study and write its tables."""
    RESULTS.mkdir(exist_ok=True)
    out = RESULTS / "omnibus.csv"
    table = pb.power(EXPERIMENTS, statistic="omnibus", datasets=DATA_SETS, resamples=999, out=out)
    grid = pb.power(EXPERIMENTS, like="thesis", datasets=1000)
    lines = ["# The omnibus test", "", "By `python studies/omnibus.py`.", "", "## Size", ""]
    lines += [*size_lines(), "", "## Power", "", *power_lines(table.rows(), grid)]
    (RESULTS / "omnibus.md").write_text("\n".join(lines) + "\n", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
