"""Tables of predictions by seed, made of uniform numbers alone, so that any numpy draws the same.

Each is the keywords of a case as it was recorded: `table(**case["input"])`.
"""

from typing import Any

import numpy as np


def table(seed: int, n: int, *, k: int = 2, ties: bool = False, single: bool = False) -> Any:
    """Return labels (n,) and probabilities: (n,) of class 1 where k = 2, else (n, k).

    The probabilities are overconfident. With `ties` they are whole tenths, 0 and 1 among them;
    `single` rounds them to float32.
    """
    rng = np.random.default_rng([seed, n, k, int(ties)])
    y, p = _binary(rng, n, ties) if k == 2 else _several(rng, n, k, ties)
    return y, p.astype(np.float32) if single else p


def _binary(rng: np.random.Generator, n: int, ties: bool) -> Any:
    p = rng.random(n)
    p = p * p * (3.0 - 2.0 * p)  # more near 0 and 1 than in between
    chance = 0.1 + 0.8 * p
    if ties:
        p = np.round(p, 1)
    return (rng.random(n) < chance).astype(np.int64), p


def _several(rng: np.random.Generator, n: int, k: int, ties: bool) -> Any:
    size = rng.random((n, k)) ** 4
    chance = size / size.sum(axis=1, keepdims=True)
    y = (rng.random((n, 1)) > np.cumsum(chance, axis=1)[:, :-1]).sum(axis=1)
    sharp = chance**1.5
    p = sharp / sharp.sum(axis=1, keepdims=True)
    return (y, _tenths(p)) if ties else (y, p)


def _tenths(p: Any) -> Any:
    """Return whole tenths that sum to 1: what is left over goes to the largest remainders."""
    whole = np.floor(10.0 * p)
    order = np.argsort(whole - 10.0 * p, axis=1, kind="stable")
    left = (10.0 - whole.sum(axis=1)).astype(np.int64)
    more = np.arange(p.shape[1]) < left[:, None]
    np.put_along_axis(whole, order, np.take_along_axis(whole, order, axis=1) + more, axis=1)
    return whole / 10.0


def fingerprint(y: Any, p: Any) -> list[float]:
    """Return numbers that tell whether a table is the one a value was recorded for."""
    where = np.arange(1, len(y) + 1)
    wide = np.asarray(p, np.float64)
    return [float(y @ where), float(wide.sum()), float((wide.T @ where).sum())]
