"""Hits of bins at any rates of the bins: binomial, or of rows that depend within groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast

import numpy as np

from plumbline.calibration import Ints, Wide
from plumbline.dependence import TERMS, Partition, Strength, hermite
from plumbline.nulls import binomial_at

ROUNDING = 1e-12  # of a variance: less is none
# Of the likely strengths, the share below the one that effective counts are made of: intervals of
# few groups are not to hang on a strength that came out small. A convention;
# `python studies/rows_in_groups.py tolerance` shows what it gives.
CAUTIOUS = 0.9


class BinErrors(Protocol):
    """How the hits of bins vary, whatever rates the bins have."""

    @property
    def count(self) -> Wide:
        """(bins,) rows of every bin."""

    @property
    def worth(self) -> Wide:
        """(bins,) number of independent rows that tell as much about a bin's rate as its rows."""

    def variance(self, rate: Wide) -> Wide:
        """Return (bins, rates) variances of a bin's observed rate, at several rates of each bin."""

    def draw(self, rate: Wide, draws: int, source: np.random.Generator) -> Wide:
        """Draw (draws, bins) numbers of hits at (bins,) rates."""


@dataclass(frozen=True, slots=True, eq=False)
class IndependentErrors:
    """Binomial hits.

    Attributes
    ----------
    count : (bins,) rows of every bin
    """

    count: Wide

    @property
    def worth(self) -> Wide:
        """(bins,) rows."""
        return self.count

    def variance(self, rate: Wide) -> Wide:
        """Return (bins, rates) variances of binomial shares."""
        return rate * (1.0 - rate) / self.count[:, None]

    def draw(self, rate: Wide, draws: int, source: np.random.Generator) -> Wide:
        """Draw (draws, bins) numbers of hits."""
        hits = source.binomial(self.count.astype(np.int64), rate, (draws, len(rate)))
        return cast(Wide, hits)


@dataclass(frozen=True, slots=True, eq=False)
class GroupedErrors:
    """Hits of rows in groups, whose labels depend by a Gaussian copula.

    The covariance of the bins' hits is exact: two rows of a group, with rates of normal quantiles s
    and t, have covariance sum_k r^k h_k(s) h_k(t) at the correlation r (Pearson 1900). Hits of
    a bin are drawn as those of an effective number of rows, its rows over the factor by which their
    variance is larger than a binomial one; normal numbers make the bins depend.

    Attributes
    ----------
    count : (bins,) rows of every bin
    pairs : (bins, bins) ordered pairs of different rows of one group
    likely : (strengths,) of the correlation, of which every draw takes one
    value : the middle one
    worth : (bins,) effective number of rows at the predicted rates
    """

    count: Wide
    pairs: Wide
    likely: Wide
    value: float
    worth: Wide

    @classmethod
    def of(
        cls, count: Wide, home: Ints, groups: Partition, strength: Strength, rate: Wide
    ) -> "GroupedErrors":
        """Return those of rows with these bins; `rate` (bins,) are the predicted ones."""
        from scipy.sparse import csr_array

        cells = csr_array((np.ones(len(home)), (groups.code, home)), (groups.count, len(count)))
        pairs = (cells.T @ cells).toarray() - np.diag(count)
        errors = cls(count, pairs, strength.likely, strength.value, count)
        cautious = np.quantile(strength.likely, [CAUTIOUS])
        return replace(errors, worth=effective(count, rate, errors._covariances(rate, cautious)[0]))

    def variance(self, rate: Wide) -> Wide:
        """Return (bins, rates) variances of a bin's observed rate."""
        more = np.tensordot(self._powers([self.value])[0], np.square(hermite(rate)), 1)
        alone = rate * (1.0 - rate) * self.count[:, None]
        squares = np.square(self.count)[:, None]
        return (alone + np.diag(self.pairs)[:, None] * more) / squares

    def draw(self, rate: Wide, draws: int, source: np.random.Generator) -> Wide:
        """Draw (draws, bins) numbers of hits at (bins,) rates."""
        from scipy.special import ndtr

        normal = source.standard_normal((draws, len(rate)))
        picked = np.arange(draws) % len(self.likely)
        hits = np.empty((draws, len(rate)))
        for number, covariance in enumerate(self._covariances(rate, self.likely)):
            own = picked == number
            if not own.any():
                continue
            trials = np.floor(effective(self.count, rate, covariance) + ROUNDING)
            at = np.ascontiguousarray((normal[own] @ mixing_of(covariance)).T)
            found = ndtr(at)
            left = binomial_at(np.maximum(trials, 1.0).astype(np.int64), rate, found)
            if left.any():  # of so many rows that the normal distribution is as good
                spread = np.sqrt(trials * rate * (1.0 - rate))[left, None]
                most = trials[left, None]
                found[left] = np.clip(most * rate[left, None] + spread * at[left], 0.0, most)
            hits[own] = (found * (self.count / np.maximum(trials, 1.0))[:, None]).T
        return hits

    def _covariances(self, rate: Wide, strengths: Wide) -> Wide:
        """Return (strengths, bins, bins) covariances of the bins' hits."""
        part = hermite(rate)
        together = np.einsum("sk,ki,kj->sij", self._powers(strengths), part, part, optimize=True)
        alone = np.diag(rate * (1.0 - rate) * self.count)
        return cast(Wide, alone + self.pairs * together)

    def _powers(self, strengths: Sequence[float] | Wide) -> Wide:
        """Return (strengths, terms) powers of the correlation."""
        return np.asarray(strengths, np.float64)[:, None] ** np.arange(1, TERMS + 1)


def effective(count: Wide, rate: Wide, covariance: Wide) -> Wide:
    """Return (bins,) rows over the factor by which the variance of hits is larger than binomial."""
    alone = rate * (1.0 - rate) * count
    factor = np.diag(covariance) / np.maximum(alone, ROUNDING)
    return cast(Wide, np.where(alone > ROUNDING, count / np.maximum(factor, 1.0), count))


def mixing_of(covariance: Wide) -> Wide:
    """Return M (bins, bins) such that independent normal numbers @ M have these correlations."""
    scale = np.sqrt(np.maximum(np.diag(covariance), ROUNDING))
    value, vector = np.linalg.eigh(covariance / np.outer(scale, scale))
    mixing = (vector * np.sqrt(np.maximum(value, 0.0))) @ vector.T
    length = np.sqrt(np.square(mixing).sum(axis=0))
    return cast(Wide, np.where(length > ROUNDING, mixing / np.maximum(length, ROUNDING), 0.0))
