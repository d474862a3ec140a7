"""Counted tables that tests share, and how their answers are compared with the repeated rows'."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import plumbline as pb

# What is drawn differs between a counted table and its repeated rows, and so does what follows.
DRAWN = (
    *("null_mean", "null_range", "excess", "p_value", "p_bounds", "reason", "verdict", "value"),
    *("null_values", "parts", "summary", "size", "interval_range", "remarks", "remark_codes"),
)


def levels(seed: int, count: int, most: int, power: float = 1.0, digits: int = 2) -> pb.Predictions:
    """Return a table of so many probabilities, each observed up to `most` times."""
    rng = np.random.default_rng(seed)
    prob = np.round(rng.uniform(size=count), digits)
    times = rng.integers(0, most + 1, count)
    hits = rng.binomial(times, prob**power)
    event = np.repeat([0, 1], count)
    return pb.Predictions.from_arrays(event, np.tile(prob, 2), count=np.append(times - hits, hits))


def hard() -> Iterator[tuple[str, pb.Predictions]]:
    """Yield names and tables."""
    table = pb.Predictions.from_arrays
    yield "levels", levels(1, 30, 20)
    yield "overconfident", levels(2, 40, 30, 1.5)
    yield (
        "few positives",
        table([0, 1, 0, 1, 0], [1e-4, 1e-4, 0.01, 0.01, 0.1], count=[900, 0, 300, 4, 9]),
    )
    yield "saturated", table([0, 1, 0, 1, 0], [0, 1, 0.5, 0.5, 0.7], count=[40, 30, 5, 9, 2])
    yield "impossible", table([0, 1, 0, 1, 1], [0, 0, 0.5, 0.5, 0.9], count=[40, 2, 5, 9, 1])
    yield "one class", table([0, 0, 0], [0.1, 0.3, 0.3], count=[30, 10, 20], classes=[0, 1])
    yield "one score", table([0, 1], [0.3, 0.3], count=[70, 25])
    yield "float32", table([0, 1, 0, 1], np.float32([0.1, 0.1, 0.8, 0.8]), count=[30, 3, 9, 33])
    yield "counts of 1", table([0, 1, 1, 0], [0.2, 0.4, 0.6, 0.8], count=[1, 1, 1, 1])
    yield "first positive", table(["a", "b", "a"], [0.2, 0.6, 0.7], count=[8, 9, 3], positive="a")
    yield "apart", table([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], count=[5, 4, 6, 3])


HARD: Mapping[str, pb.Predictions] = dict(hard())


def same(
    one: Any, other: Any, path: str = "", leave: Sequence[str] = (), tolerance: float = 1e-8
) -> None:
    """Assert that two answers are equal up to rounding, but for the keys that are left out."""
    if isinstance(one, Mapping):
        assert one.keys() == other.keys(), path
        for key in one:
            if key not in leave:
                same(one[key], other[key], f"{path}.{key}", leave, tolerance)
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other), path
        for place, pair in enumerate(zip(one, other, strict=True)):
            same(*pair, f"{path}[{place}]", leave, tolerance)
    elif isinstance(one, (float, np.ndarray)):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance / 100, err_msg=path)
    else:
        assert one == other, path
