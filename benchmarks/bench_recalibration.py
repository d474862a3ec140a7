"""Maps at many scores, fitting them, and knowing rows again, beside plain numpy, in one run.

Of every task the shortest time of several runs and the processor's time, which other work on the
machine does not lengthen much: with two threads the first is about half of the second at best.

python benchmarks/bench_recalibration.py
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from timing import compare, finish

from plumbline import Predictions
from plumbline.recalibration import PROBABILITY, Remembered, fit_map
from plumbline.recalibration.inputs import reading_of
from plumbline.recalibration.knots import line_values, step_values

N = 10_000_000
KNOTS = (100, 10_000)
SCORES = {
    "uniform": lambda rng: rng.random(N),
    "beta(5, 500)": lambda rng: rng.beta(5.0, 500.0, N),
    "beta(.1, 3)": lambda rng: rng.beta(0.1, 3.0, N),
}


def timed(task: Callable[[], Any], runs: int = 5) -> tuple[float, float]:
    """Return the shortest time and the least processor time of a task, after one run."""
    task()
    times = []
    for _ in range(runs):
        start = time.perf_counter(), time.process_time()
        task()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    walls, processor = zip(*times, strict=True)
    return min(walls), min(processor)


def show(name: str, task: Callable[[], Any], *, runs: int = 5) -> float:
    """Print the times of a task; return the shortest."""
    wall, processor = timed(task, runs)
    print(f"{name:<48} {wall:8.3f} s   {processor:8.3f} s of processor time", flush=True)
    return wall


def maps(rng: np.random.Generator) -> None:
    """Time the two forms with knots at quantiles of evenly and unevenly spread scores."""
    for name, draw in SCORES.items():
        score = draw(rng)
        show(f"floor: both columns written, {name}", lambda s=score: np.stack([s, s]))
        for m in KNOTS:
            knots = np.unique(rng.choice(score, m))
            values = np.sort(rng.random(len(knots)))
            for form, ours, numpy in (
                ("line", line_values, lambda s, k, v: np.interp(s, k, v)),
                ("steps", step_values, lambda s, k, v: v[np.searchsorted(k[:-1], s)]),
            ):
                at = knots if form == "line" else knots[:-1]
                text = f"{form}, {m:,} knots, {name}"
                own = show(text, lambda f=ours, s=score, k=at, v=values: f(s, k, v))
                plain = lambda f=numpy, s=score, k=knots, v=values: f(s, k, v)  # noqa: E731
                compare(text, own, "numpy, one column", timed(plain, 1)[0], least=1.5)


def tables(rng: np.random.Generator) -> None:
    """Time fitting and applying a whole map, with its check of the rows."""

    def table(rows: int) -> Predictions:
        p = rng.random(rows)
        return Predictions.from_arrays((rng.random(rows) < p**2).astype(np.int8), p)

    new = table(N)
    for rows in (100_000, N):
        old = table(rows)
        show(f"isotonic fit, n = {rows:,}", lambda d=old: fit_map(d, "isotonic"), runs=3)
        reading = reading_of(old, PROBABILITY, old.classes, 1)
        show("  of it remembering the rows", lambda r=reading: Remembered.of(r), runs=3)
        fitted = fit_map(old, "isotonic")
        knots = len(fitted.form.forms[0].knots)
        show(f"applied to {N:,} rows, {knots:,} knots", lambda m=fitted: m.applied(new))
        show("the same with the check of the rows", lambda m=fitted: m(new))


def wide(rng: np.random.Generator) -> None:
    """Time remembering rows of many classes, and the temperature of logits that are too bold."""
    logits = 2 * rng.standard_normal((1_000_000, 100), np.float32)
    actual = (logits / 1.5 + rng.gumbel(size=logits.shape).astype(np.float32)).argmax(axis=1)
    data = Predictions.from_logits(actual, logits)
    reading = reading_of(data, PROBABILITY, data.classes, 0)
    show("remembering 1,000,000 x 100", lambda: Remembered.of(reading), runs=3)
    show("temperature of them, rows remembered", lambda: fit_map(data, "temperature"), runs=2)


def many_classes(rng: np.random.Generator) -> None:
    """Time a map of 1,000 classes, and a matrix between 100 classes that are mixed up."""
    prob = rng.dirichlet(np.full(1000, 0.05), 1000)
    actual = (prob.cumsum(axis=1) < rng.uniform(size=(1000, 1))).sum(axis=1).clip(max=999)
    data = Predictions.from_arrays(actual, prob)
    show("platt of 1,000 x 1,000", lambda: fit_map(data, "platt"), runs=3)
    logits = 2 * rng.standard_normal((5000, 100))
    mixed = logits @ (np.eye(100) + 0.1 * rng.standard_normal((100, 100)))
    actual = (mixed + rng.gumbel(size=mixed.shape)).argmax(axis=1)
    data = Predictions.from_logits(actual, logits)
    show("matrix of 5,000 x 100, mixed up", lambda: fit_map(data, "matrix"), runs=1)


if __name__ == "__main__":
    chance = np.random.default_rng(0)
    maps(chance)
    tables(chance)
    wide(chance)
    many_classes(chance)
    finish()
