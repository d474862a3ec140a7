"""What a power costs in precision where data sets of a plan share their predictions.

python studies/plan_sharing.py [BLOCKS]

Ten data sets of the same predictions are tested by the omnibus among the same draws, in 1,000
blocks by default. The variance of the shares of the blocks, beside that of as many data sets that
are drawn by themselves, p (1 - p) / 10, is what their likeness costs: 1 is nothing. A plan lets as
many data sets share as each has hundreds of rows. It takes three to five minutes.
"""

import sys
from math import sqrt

import numpy as np

import plumbline as pb
from plumbline.power import World, effect_of, simulation

TOGETHER = simulation.SETS_PER_BLOCK
CASES = (  # beta distribution of the predictions, rows, effect whose power is near .75
    ((0.5, 0.5), 100, "overconfident:1.7"),
    ((0.5, 0.5), 300, "overconfident:1.35"),
    ((0.5, 0.5), 1000, "overconfident:1.2"),
    ((0.3, 6.0), 300, "overconfident:1.4"),
    ((0.3, 6.0), 1000, "overconfident:1.2"),
)


def ratio(world: World, n: int, effect: str, blocks: int) -> tuple[float, float]:
    """Return the power, and the variance of blocks beside that of separate data sets."""
    truth = effect_of(effect).truth(world.pool)
    hits = world.rejected(truth, ["omnibus"], n=n, sets=blocks * TOGETHER, step=0)[0]
    share = hits.reshape(blocks, TOGETHER).mean(axis=1)
    power = float(share.mean())
    return power, float(share.var(ddof=1)) / (power * (1 - power) / TOGETHER)


def main(blocks: int) -> None:
    """Print a row a case."""
    simulation.ROWS_PER_SET = 1  # all of a block share, however few their rows
    rng = np.random.default_rng(0)
    print("| predictions | rows | power | variance ratio |\n|---|---|---|---|")
    for (a, b), n, effect in CASES:
        p = rng.beta(a, b, 20_000)
        pool = pb.Predictions.from_arrays((rng.random(len(p)) < p).astype(int), p)
        power, found = ratio(World(pool, 0.05, None, 7), n, effect, blocks)
        error = sqrt(2 / blocks)
        print(
            f"| beta({a:g}, {b:g}) | {n:,} | {power:.3f} | {found:.2f} ± {error:.2f} |", flush=True
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
