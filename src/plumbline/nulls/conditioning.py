"""Sets apart the values that decide by themselves whether a sum reaches a target."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration import Wide
from plumbline.nulls.poisson_binomial import EPS
from plumbline.nulls.sums import IndependentSum, sum_of

ROUNDS = 12  # each can make further values decisive, so later ones seldom find any


@dataclass(frozen=True, slots=True, eq=False)
class Conditioned:
    """P(T >= target) = sure + open P(T' >= target).

    Attributes
    ----------
    sure : probability that a value is drawn with which the target is reached in any case
    open : probability that no value is drawn that decides by itself
    total : T', T on the condition that no such value is drawn
    """

    sure: float
    open: float
    total: IndependentSum


def conditioned(total: IndependentSum, target: float) -> Conditioned:
    """Set apart all values with which T reaches the target for sure, or cannot reach it.

    A value x of X_j is sure where x + (sum of the others' least values) >= target, and vain where
    x + (sum of their largest) < target. What is left lies within target minus least of T, however
    large the values set apart are: no rounding and no bound is relative to those. Their
    probability is 1 - prod (1 - P_j), summed by logarithms, so it keeps its digits if it is small.
    """
    sure, log_open = 0.0, 0.0
    for _ in range(ROUNDS):
        vain = _decisive(-total.value, -total.high, -total.constant, total.owner, -target)
        total, log_kept = _without(total, vain)
        log_open += log_kept
        wins = _decisive(total.value, total.low, total.constant, total.owner, target)
        total, log_kept = _without(total, wins)
        sure -= float(np.exp(log_open) * np.expm1(log_kept))
        log_open += log_kept
        if log_open == -np.inf or not (vain.any() or wins.any()):
            break
    return Conditioned(sure, float(np.exp(log_open)), total)


def capped(total: IndependentSum, most: float) -> Conditioned:
    """Set apart only the values with which T surely exceeds `most`: P(T >= t) for all t <= most."""
    wins = _decisive(total.value, total.low, total.constant, total.owner, most)
    rest, log_open = _without(total, wins)
    return Conditioned(-float(np.expm1(log_open)), float(np.exp(log_open)), rest)


def _decisive(
    value: Wide, low: Wide, constant: float, owner: NDArray[np.int64], target: float
) -> NDArray[np.bool_]:
    """Tell which values exceed the target with the others' least, beyond any rounding."""
    rest = float(low.sum()) - low + constant
    terms = abs(target) + abs(constant) + float(np.abs(low).sum())
    margin = 4.0 * EPS * ((len(low) + 1) * terms + np.abs(value))
    out: NDArray[np.bool_] = value + rest[owner] > target + margin
    return out


def _without(total: IndependentSum, out: NDArray[np.bool_]) -> tuple[IndependentSum, float]:
    """Return T on the condition that no value of `out` is drawn, and that condition's log P."""
    if not out.any():
        return total, 0.0
    owner = total.owner
    prob = np.exp(total.log_prob)
    left = np.bincount(owner[out], prob[out], minlength=total.size)
    kept = np.bincount(owner[~out], prob[~out], minlength=total.size)
    with np.errstate(divide="ignore"):
        log_kept = np.where(left < 0.5, np.log1p(-np.minimum(left, 0.5)), np.log(kept))
    log_all = float(log_kept.sum())
    if log_all == -np.inf:
        return total, log_all
    rest = sum_of(
        total.value[~out],
        total.log_prob[~out] - log_kept[owner[~out]],
        np.bincount(owner[~out], minlength=total.size),
        log_finite=total.log_finite,
        error=total.error,
        unlisted=total.unlisted,
        constant=total.constant,
    )
    return rest, log_all
