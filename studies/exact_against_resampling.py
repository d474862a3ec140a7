"""Holds the exact null against many resamples, and the saddlepoint approximation against both.

python studies/exact_against_resampling.py --cases 100 --draws 1000000

The first table has random tables of predictions, views, bins and distances; each p-value (of at
least 1e-3) must lie within 4 standard errors of the share of resamples. The second has the
relative error of the saddlepoint approximation at three values of T, beside the standard error of
the share that it is compared with.
"""

import argparse
import sys
from typing import Any

import numpy as np

import plumbline as pb
from plumbline.calibration import Statistic, define_error, statistic
from plumbline.nulls import exact, resampled, saddlepoint, why_not_exact
from plumbline.random_streams import stream

DISTANCES = ("absolute", "square", "log")
BINS = ("one-per-point", "equal-width:5", "equal-width:15", "equal-size:10", "equal-size:50")
LIMIT = 4.0


def random_case(rng: np.random.Generator) -> tuple[dict[str, Any], Statistic]:
    """Return a random statistic that has an exact null, and what it is."""
    while True:
        k = int(rng.integers(2, 11))
        n = int(np.exp(rng.uniform(np.log(10), np.log(2000))))
        chosen = {
            "view": str(rng.choice(["top-label", "one-vs-rest:1", "classwise"])),
            "bins": str(rng.choice(BINS)),
            "distance": str(rng.choice(DISTANCES)),
        }
        prob = rng.dirichlet(np.full(k, rng.choice([0.1, 0.3, 1.0])), n)
        if rng.random() < 0.3:
            prob = prob[rng.integers(0, n, n)]  # equal rows
        data = pb.Predictions.from_arrays(np.zeros(n, int), prob, classes=range(k))
        what = statistic(data, define_error(data, **chosen))
        if why_not_exact(what) is None:
            return {"n": n, "k": k, **chosen}, what


def hold_exact(cases: int, draws: int, seed: int) -> int:
    """Print one line a case; return how many p-values are too far from the resamples."""
    print("| n | k | view | bins | distance | exact p, low | high | resampled | std errors off |")
    print("|---|---|---|---|---|---|---|---|---|")
    wrong = 0
    for case in range(cases):
        rng = stream(seed, 0, case)
        about, what = random_case(rng)
        null, values = exact(what), resampled(what, draws, rng)
        value = float(np.quantile(values, 1 - 10 ** rng.uniform(-3, 0), method="nearest"))
        slack = 1e-12 * (1 + abs(value))
        (low, high), _ = null.tails(value)
        share = float((values >= value - slack).mean())
        error = np.sqrt(max(high * (1 - low), 1 / draws) / draws)
        off = max(low - share, share - high, 0.0) / error
        wrong += bool(off > LIMIT)
        told = " | ".join(map(str, about.values()))
        print(f"| {told} | {low:.6f} | {high:.6f} | {share:.6f} | {off:.1f} |", flush=True)
    return wrong


def hold_saddlepoint(seed: int, share: float) -> None:
    """Print the relative error of the approximation against resamples and the exact null."""
    print("| n | k | distance | z | saddlepoint p | resampled | std error | exact - 1 |")
    print("|---|---|---|---|---|---|---|---|")
    for n, k, draws in ((1000, 2, 100_000), (1000, 5, 100_000), (10_000, 2, 20_000)):
        for distance in DISTANCES:
            rng = stream(seed, 1, n, k)
            prob = rng.dirichlet(np.ones(k), n)
            data = pb.Predictions.from_arrays(np.zeros(n, int), prob, classes=range(k))
            chosen = define_error(data, view="classwise", bins="one-per-point", distance=distance)
            what = statistic(data, chosen)
            near, null = saddlepoint(what), exact(what)
            values = resampled(what, int(draws * share), rng)
            for z in (0.0, 1.0, 2.0):
                value = null.mean + z * float(np.sqrt(null.total.cumulants(0.0)[2]))
                p, truth = near.tails(value)[0][0], float(np.mean(null.tails(value)[0]))
                found = float((values >= value).mean())
                error = np.sqrt(p * (1 - p) / len(values)) / p
                print(
                    f"| {n} | {k} | {distance} | {z:.0f} | {p:.6f} | {found / p - 1:+.2%} | "
                    f"{error:.2%} | {truth / p - 1:+.3%} |",
                    flush=True,
                )


def main() -> int:
    """Run both; end with 1 where an exact p-value is too far from the resamples."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--draws", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    wrong = hold_exact(asked.cases, asked.draws, asked.seed)
    print(
        f"\n{wrong} of {asked.cases} exact p-values are more than {LIMIT:g} standard errors off\n"
    )
    hold_saddlepoint(asked.seed, min(1.0, asked.draws / 1_000_000))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
