"""Hypothesis strategies that the tests share: small tables with ties, weights and extremes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import plumbline as pb
from plumbline.binning import BetaSize, BetaWidth, LogOddsWidth

# Scores are k / STEPS and weights whole numbers: sums of either, and of score times weight, are
# exact in float64, so that laws hold to the last bit and need no tolerance.
STEPS = 64


@dataclass(frozen=True)
class Binary:
    """The columns of a binary table, before any check."""

    event: Any
    score: Any
    weight: Any

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.event)

    def take(self, index: Any) -> "Binary":
        """Return some rows, in the given order."""
        return Binary(self.event[index], self.score[index], self.weight[index])

    def predictions(self, dtype: Any = np.float64, *, weighted: bool = True) -> pb.Predictions:
        """Return the checked table."""
        weight = self.weight if weighted else None
        return pb.Predictions.from_arrays(self.event, self.score.astype(dtype), weight=weight)


def exact_scores(steps: int = STEPS) -> st.SearchStrategy[float]:
    """Draw k / steps; 0, 1 and a middle value often, so that there are ties."""
    often = st.sampled_from([0, steps // 2, steps])
    return st.one_of(often, st.integers(0, steps)).map(lambda k: k / steps)


@st.composite
def binary_tables(draw: st.DrawFn, least: int = 2, most: int = 40, least_weight: int = 1) -> Binary:
    """Draw a binary table with exact scores and whole weights; at least one row has weight."""
    n = draw(st.integers(least, most))
    event = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    score = draw(st.lists(exact_scores(), min_size=n, max_size=n))
    weight = draw(st.lists(st.integers(least_weight, 4), min_size=n, max_size=n))
    if not any(weight):
        weight[0] = 1
    return Binary(np.array(event), np.array(score), np.array(weight))


def binnings() -> st.SearchStrategy[Any]:
    """Draw a binning with edges."""
    return st.one_of(decimal_binnings(), placements())


def shapes() -> st.SearchStrategy[Any]:
    """Draw a shape parameter of a beta distribution, often one of the named ones."""
    return st.one_of(st.sampled_from([0.5, 1.0, 2.0]), st.integers(1, 60).map(lambda k: k / 10))


def placements() -> st.SearchStrategy[Any]:
    """Draw a binning whose bins differ in width or in size with their place."""
    number = st.integers(1, 30)
    beta = st.sampled_from([BetaWidth, BetaSize])
    return st.one_of(
        st.builds(LogOddsWidth, number, outermost=st.sampled_from([0.001, 0.01, 0.1, 0.3])),
        st.builds(lambda make, b, x, y: make(b, alpha=x, beta=y), beta, number, shapes(), shapes()),
    )


def decimal_binnings() -> st.SearchStrategy[Any]:
    """Draw a binning with edges that are scores, or fractions of small whole numbers."""
    return st.one_of(
        st.integers(1, 30).map(pb.EqualWidth),
        st.integers(1, 30).map(pb.EqualSize),
        st.sets(st.integers(1, 99), max_size=6).map(
            lambda inner: pb.Edges([0, *(k / 100 for k in sorted(inner)), 1])
        ),
    )


@st.composite
def probability_tables(draw: st.DrawFn, least_k: int = 2, most_k: int = 5) -> tuple[Any, Any]:
    """Draw (labels, (n, k) probabilities): rows of whole shares of 64, so that they sum to 1."""
    k = draw(st.integers(least_k, most_k))
    n = draw(st.integers(2, 20))
    rows = []
    for _ in range(n):
        cuts = sorted(draw(st.lists(st.integers(0, STEPS), min_size=k - 1, max_size=k - 1)))
        rows.append(np.diff([0, *cuts, STEPS]) / STEPS)
    labels = draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    return np.array(labels), np.array(rows)
