"""Tests of two models on the same rows: times, beside the floor of drawing the random numbers.

python benchmarks/bench_comparison.py
"""

import numpy as np
from timing import compare, finish, seconds

from plumbline.comparison import Pair, delong, paired_bootstrap, paired_permutation, quantity_of
from plumbline.comparison.bootstrap import PARTS
from plumbline.predictions import Predictions
from plumbline.random_streams import stream


def pair_of(n: int) -> Pair:
    """Return two models of n rows."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    tables = (Predictions.from_arrays(y, rng.random(n)) for _ in range(2))
    return Pair(*tables, np.arange(n))


def main() -> None:
    """Time the tests."""
    n, draws, exchanges = 100_000, 2000, 9999
    pair, source = pair_of(n), stream(0)
    places = draws * seconds(lambda: source.integers(n, size=n), 20)
    bits = exchanges * seconds(lambda: source.bytes(n // 8), 20)
    for name in ("brier-score", "roc-auc"):
        quantity = quantity_of(name, pair.first)
        for workers in (1, 2):
            compare(
                f"bootstrap, {name}, {n:,} rows x {draws:,}, workers {workers}",
                seconds(
                    lambda q=quantity, w=workers: paired_bootstrap(
                        pair, q, resamples=draws, workers=w
                    ),
                    3,
                ),
                "drawing the rows",
                places / workers,
                least=None,
            )
    quantity = quantity_of("brier-score", pair.first)
    for workers in (1, 2):
        compare(
            f"permutation, brier-score, {n:,} rows x {exchanges:,}, workers {workers}",
            seconds(
                lambda w=workers: paired_permutation(
                    pair, quantity, resamples=exchanges, workers=w
                ),
                3,
            ),
            "drawing the bits",
            bits / workers,
            least=None,
        )
    # Bins of the ACE move with the rows, so every drawing makes a table; those of the ECE do not.
    for name, draws, least in (("ece", 2000, 5), ("ace", 99, 0.5)):
        quantity = quantity_of(name, pair.first)
        compare(
            f"bootstrap, {name}, {n:,} rows x {draws:,}, workers 2",
            seconds(
                lambda q=quantity, m=draws: paired_bootstrap(pair, q, resamples=m, workers=2), 1
            ),
            "the measure anew each time, 1 thread",
            2 * (draws + PARTS) * seconds(lambda q=quantity: q.value(pair.first), 5),
            least=least,
        )
    quantity = quantity_of("ece", pair.first)
    compare(
        f"permutation, ece, {n:,} rows x 1,999, workers 1",
        seconds(lambda: paired_permutation(pair, quantity, resamples=1999, workers=1), 1),
        "the measure anew each time, 1 thread",
        2 * 1999 * seconds(lambda: quantity.value(pair.first), 5),
        least=3,
    )
    large = pair_of(1_000_000)
    rating = large.first.prob[:, 1]
    compare(
        "DeLong, 1,000,000 rows",
        seconds(lambda: delong(large), 3),
        "sorting both, 1 thread",
        2 * seconds(lambda: np.argsort(rating), 3),
        least=0.1,  # numpy's order is not stable, and knows no ties, ranks and covariances
    )
    finish()


if __name__ == "__main__":
    main()
