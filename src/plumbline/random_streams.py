"""Random streams that belong to the work, not to the worker."""

import secrets
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.errors import ParameterError

Seed: TypeAlias = int | np.random.Generator | None


def entropy_of(rng: Seed) -> int:
    """Return the entropy all streams of one call are derived from.

    A seed gives the same streams at every call; a Generator gives new ones at every call and
    advances; None gives fresh ones from the operating system.
    """
    if rng is None:
        return secrets.randbits(64)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    whole: object = rng  # whatever a caller without a type checker passes
    if isinstance(whole, (int, np.integer)) and not isinstance(whole, bool) and whole >= 0:
        return int(whole)
    raise ParameterError(
        code="wrong-kind",
        argument="rng",
        rule="a seed (a whole number of at least 0), a numpy.random.Generator or None",
        arrived=shorten(rng),
    )


def seed_of(rng: Seed) -> int | None:
    """Return the seed that reproduces the result; None where `rng` is no seed.

    >>> seed_of(np.int64(7)), seed_of(np.random.default_rng(7)), seed_of(None)
    (7, None, None)
    """
    return int(rng) if isinstance(rng, (int, np.integer)) else None


def stream(entropy: int, *key: int) -> np.random.Generator:
    """Return the generator of one piece of work, named by `key`.

    The same key gives the same numbers whoever runs it, so results depend neither on the number
    of workers nor on their order.
    """
    seeds = np.random.SeedSequence(entropy, spawn_key=key)
    return np.random.Generator(np.random.PCG64DXSM(seeds))


def bootstrap_counts(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    """Return how often each of n items is drawn in n draws with replacement, (n,) float64.

    >>> bootstrap_counts(stream(0), 4).sum()
    np.float64(4.0)
    """
    return np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64)
