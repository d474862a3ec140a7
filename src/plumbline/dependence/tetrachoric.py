"""The tetrachoric series: how often two events occur together at a latent correlation.

Two events with normal quantiles s and t occur together with probability p q + sum_k r^k h_k(s)
h_k(t), h_k(t) = phi(t) He_{k-1}(t) / sqrt(k!) (Pearson 1900).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.jit import compiled, inlined

Wide = NDArray[np.float64]

TERMS = 60  # 1e-8 of the sum is left out at 0.8, 0.1 % at 0.95


def quantile_and_density(rate: NDArray[np.floating[Any]]) -> tuple[Wide, Wide]:
    """Return t and h_1 of rates; both 0 for 0 and 1, whose events depend on nothing."""
    from scipy.special import ndtri

    quantile = np.asarray(ndtri(np.asarray(rate, np.float64)))
    inside = np.isfinite(quantile)
    quantile = np.where(inside, quantile, 0.0)
    density = np.where(inside, np.exp(-np.square(quantile) / 2) / np.sqrt(2 * np.pi), 0.0)
    return quantile, density


@inlined
def following(k: int, quantile: float, before: float, now: float) -> float:
    """Return h_{k+1} of h_{k-1} and h_k."""
    return float(quantile * now / np.sqrt(k + 1.0) - before * (k - 1) / np.sqrt(k * (k + 1.0)))


@compiled
def _filled(quantile: Wide, density: Wide, parts: Wide) -> None:
    for i in range(len(quantile)):
        before, now = 0.0, density[i]
        for k in range(1, len(parts) + 1):
            parts[k - 1, i] = now
            before, now = now, following(k, quantile[i], before, now)


def hermite(rate: NDArray[np.floating[Any]]) -> Wide:
    """Return (terms, ...) h_k of the normal quantiles of rates of any shape.

    >>> parts = hermite(np.array([0.5, 1.0]))
    >>> parts.shape, parts[:3].round(3).tolist()
    ((60, 2), [[0.399, 0.0], [0.0, 0.0], [-0.163, 0.0]])
    """
    quantile, density = quantile_and_density(rate)
    parts = np.empty((TERMS, quantile.size))
    _filled(quantile.ravel(), density.ravel(), parts)
    return parts.reshape(TERMS, *quantile.shape)


@compiled
def hermite_products(quantile: Wide, density: Wide, group: NDArray[np.int64], terms: Wide) -> None:
    """Add over groups (sum h_k)^2 - sum h_k^2, halved; rows of a group follow each other.

    Of many rows no table of their terms is held.
    """
    n, most = len(quantile), len(terms)
    sums = np.zeros(most)
    for i in range(n):
        before, now = 0.0, density[i]
        for k in range(1, most + 1):
            terms[k - 1] += now * sums[k - 1]
            sums[k - 1] += now
            before, now = now, following(k, quantile[i], before, now)
        if i + 1 == n or group[i + 1] != group[i]:
            sums[:] = 0.0
