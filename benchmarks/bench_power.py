"""The power grid beside the same in plain numpy, and the floor that no implementation can avoid.

python benchmarks/bench_power.py
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import compare, finish

import plumbline as pb
from plumbline.power import Grid, placements_of
from plumbline.power.grid import sorted_events
from plumbline.random_streams import stream
from plumbline.synthetic import data_sets

EXPERIMENTS = (1, 2, 3, 4, 5, 6, 9)
FEW = 4  # data sets for plain numpy
POINTS, RESAMPLES = 100, 100


def seconds(task: Callable[[], Any]) -> tuple[float, float]:
    """Return the wall-clock and processor time of a task."""
    wall, used = time.perf_counter(), time.process_time()
    task()
    return time.perf_counter() - wall, time.process_time() - used


def numpy_grid(experiment: int, datasets: int) -> np.ndarray:
    """Compute all errors of a few data sets in plain numpy, all draws of a bin at once."""
    prob, labels = data_sets(experiment, datasets=datasets)
    source = np.random.default_rng(0)
    placements = placements_of("thesis")
    errors = np.zeros((datasets, 2, len(placements.rows), 3, 1 + RESAMPLES))
    events = sorted_events(prob, ("cw", "cf"), None)
    home = placements.homes(events.prob.reshape(-1, POINTS)).reshape(-1, *events.prob.shape)
    for r in range(datasets):
        mass = prob[r].cumsum(axis=1)
        uniform = source.random((POINTS, RESAMPLES))
        drawn = (uniform[..., None] >= mass[:, None]).sum(axis=2).clip(0, prob.shape[2] - 1)
        sets = np.column_stack([labels[r], drawn])
        for c, order in enumerate(events.order[r]):
            hits = (sets[order] == events.answer[r, c][:, None]).astype(float)
            for s in range(len(placements.rows)):
                own = home[s, r, c]
                starts = np.flatnonzero(np.diff(own, prepend=-1))
                size = np.diff(starts, append=POINTS)[:, None]
                y = np.add.reduceat(hits, starts) / size
                p = np.add.reduceat(events.prob[r, c], starts)[:, None] / size
                q = np.add.reduceat(events.rest[r, c], starts)[:, None] / size
                part = size / POINTS * events.share[c]
                with np.errstate(divide="ignore", invalid="ignore"):
                    log = np.where(y > 0, y * np.log(y / p), 0.0)
                    log += np.where(y < 1, (1 - y) * np.log((1 - y) / q), 0.0)
                for d, gap in enumerate((np.abs(y - p), (y - p) ** 2, log)):
                    errors[r, events.view[c], s, d] += (part * gap).sum(axis=0)
    return errors


def kernel_grid(experiment: int, datasets: int) -> None:
    """Compute the same, and the p-values, by the kernels on one thread."""
    grid = Grid(
        ("cw", "cf"), placements_of("thesis"), ("absolute", "square", "log"), RESAMPLES, 0.05, None
    )
    grid.rejections(data_sets(experiment, datasets=datasets), stream(0))


def draws(datasets: int) -> None:
    """Make the uniform numbers that the labels of all draws take."""
    uniform = np.empty((POINTS, RESAMPLES))
    source = stream(0)
    for _ in EXPERIMENTS:
        for _ in range(datasets):
            source.random(out=uniform)


if __name__ == "__main__":
    pb.power_study([1], datasets=1)
    wall, used = seconds(lambda: pb.power_study(EXPERIMENTS, bins="thesis"))
    print(
        f"grid: 7 experiments x 1000 data sets x 101 label sets x 204 settings {wall:9.1f} s"
        f"   processor {used:9.1f} s   {7 * 1000 * 101 * 204 / used / 1e6:6.1f} million errors a "
        "processor second"
    )
    _, floor = seconds(lambda: draws(1000))
    print(f"floor: the uniform numbers of all draws, one thread {floor:41.2f} s")
    for experiment in (1, 4, 9):
        _, ours = seconds(lambda e=experiment: kernel_grid(e, 20 * FEW))
        _, theirs = seconds(lambda e=experiment: numpy_grid(e, FEW))
        name = f"power grid, one data set of experiment {experiment}"
        times = 1e3 * ours / 20 / FEW, "plain numpy", 1e3 * theirs / FEW
        compare(name, *times, least=10, unit="ms")
    finish()
