"""Processor time of tests whose labels are drawn in groups, by that of independent rows.

python benchmarks/bench_groups.py

Also that of random numbers, for why the labels of two classes take a uniform number and a table of
the normal distribution, and no normal number. Least of three runs of 999 draws on one thread.
"""

import time
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

import plumbline as pb
from plumbline.random_streams import stream

GROUPS, SIZE, STRENGTH = (100, 1000, 10_000), 10, 0.4
TESTS = ("omnibus", "kuiper", "cox", "log-loss", "ece")
RUNS = 3


def least(work: Callable[[], object]) -> float:
    """Return the least processor time of several runs, after one that compiles."""
    times = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times[1:])


def tested(data: pb.Predictions, name: str) -> Callable[[], object]:
    """Return a test of a table, by draws."""
    return lambda: pb.calibration_test(
        data, statistic=name, resamples=999, rng=0, workers=1, null="resample"
    )


def main() -> None:
    """Print nanoseconds of a random number, and seconds of each test, alone and in groups."""
    source, out = stream(0, 0, 0), np.empty((1024, 128))
    for name in ("random", "standard_normal"):
        draw = getattr(source, name)
        print(f"{name}: {1e9 * least(lambda draw=draw: draw(out=out)) / out.size:.1f} ns")
    rng = np.random.default_rng(0)
    print(f"{'rows':>8}" + "".join(f"{name:>22}" for name in TESTS) + "   (alone, in groups)")
    for count in GROUPS:
        code, p = np.repeat(np.arange(count), SIZE), rng.beta(2, 5, count * SIZE)
        latent = np.sqrt(STRENGTH) * rng.normal(size=count)[code]
        latent += np.sqrt(1 - STRENGTH) * rng.normal(size=len(p))
        labels = (latent < ndtri(p)).astype(int)
        data = pb.Predictions.from_arrays(labels, p, groups=code)
        cells = []
        for name in TESTS:
            alone, together = (least(tested(t, name)) for t in (data.in_groups(None), data))
            cells.append(f"{alone:.3f}, {together:.3f} ({together / alone:.1f})")
        print(f"{len(p):>8,}" + "".join(f"{cell:>22}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
