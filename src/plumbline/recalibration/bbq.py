"""Bayesian binning into quantiles: an average of histograms."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline.recalibration.distinct import Distinct, distinct_scores
from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.histogram import inner_ends, joined
from plumbline.recalibration.inputs import NEVER, PROBABILITY, Event

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Ints = NDArray[Any]

SPREAD = 10.0  # from n^(1/3) / 10 to 10 n^(1/3) bins
PRIOR = 2.0  # rows that what is believed beforehand is worth
LEAST = 1e-9  # a histogram that weighs less is left out


class Model(NamedTuple):
    """One histogram of equal size.

    Attributes
    ----------
    ends : (b - 1,) place of the last distinct score of every bin but the highest
    value : (b,) posterior mean of the bin's probability
    evidence : ln of the probability of the labels, given these bins
    """

    ends: Ints
    value: Floats
    evidence: float

    def at(self, ends: Ints) -> Floats:
        """Return the value of every bin of finer ones, which end also where these do."""
        cells = np.searchsorted(ends, self.ends, side="right")
        return np.repeat(self.value, np.diff(cells, prepend=0, append=len(ends) + 1))


def bbq(event: Event, hit: Truths, weight: Floats) -> EventFit:
    """Return the averaged histogram (Naeini, Cooper and Hauskrecht 2015).

    Every number b of bins of equal weight from n^(1/3) / 10 to 10 n^(1/3) makes a histogram; bin j,
    m_j of whose n_j rows have the event, gets (m_j + a_j) / (n_j + 2 / b), a_j = 2 p_j / b with the
    bin's middle p_j (of ratings, which have none, the share of events in all rows). The histograms
    are averaged with weights in proportion to the probability of the labels under each,
    prod_j G(2 / b) / G(n_j + 2 / b) G(m_j + a_j) / G(a_j) G(n_j - m_j + c_j) / G(c_j), G the gamma
    function, c_j = 2 / b - a_j. Histograms that are the same count once.
    """
    rows = distinct_scores(event.value, hit, weight)
    found = models(rows, event.on == PROBABILITY)
    evidence = np.array([model.evidence for model in found])
    belief = np.exp(evidence - evidence.max())
    belief /= belief.sum()
    belief[belief < LEAST] = 0.0
    belief /= belief.sum()
    kept = [(part, model) for part, model in zip(belief.tolist(), found, strict=True) if part]
    ends = np.unique(np.concatenate([model.ends for _, model in kept]))
    value = sum((part * model.at(ends) for part, model in kept), start=np.zeros(len(ends) + 1))
    bins = sum(part * len(model.value) for part, model in kept)
    note = f"{len(kept):,} histograms of about {bins:.0f} bins are averaged"
    value = np.clip(value, NEVER, 1.0 - NEVER)  # where p itself is 0 or 1, so is nearly the prior
    return EventFit(joined(rows.score[ends], value), round(bins), (note,) if len(kept) > 1 else ())


def models(rows: Distinct, of_probabilities: bool) -> list[Model]:
    """Return all histograms that differ, from few bins to many; their bins are computed at once."""
    from scipy.special import gammaln

    mass, events = (np.concatenate([[0.0], np.cumsum(sums)]) for sums in (rows.weight, rows.hits))
    every = partitions(mass[1:], float(rows.weight.min()))
    size = np.array([len(ends) + 1 for ends in every])
    first = np.cumsum(size) - size
    after = np.concatenate([np.append(ends + 1, len(rows.score)) for ends in every])
    before = np.roll(after, 1)
    before[first] = 0  # places below and above the bin among the distinct scores
    inside, hits = mass[after] - mass[before], events[after] - events[before]
    misses = np.maximum(inside - hits, 0.0)
    prior = _middles(rows.score, before, after) if of_probabilities else events[-1] / mass[-1]
    strength = np.repeat(PRIOR / size, size)
    yes, no = strength * prior, strength * (1.0 - prior)
    evidence = (
        gammaln(strength)
        - gammaln(inside + strength)
        + gammaln(hits + yes)
        - gammaln(yes)
        + gammaln(misses + no)
        - gammaln(no)
    )
    values = np.split((hits + yes) / (inside + strength), first[1:])
    total = np.add.reduceat(evidence, first).tolist()
    return [Model(*fields) for fields in zip(every, values, total, strict=True)]


def partitions(mass: Floats, lightest: float) -> list[Ints]:
    """Return the inner ends of bins of equal weight for every number of bins, none twice."""
    root = float(np.cbrt(mass[-1]))
    finest = math.ceil(mass[-1] / lightest)  # from there on every score is a bin
    most = max(1, min(math.ceil(SPREAD * root), finest))
    least = min(max(1, math.floor(root / SPREAD)), most)
    found = (inner_ends(mass, bins) for bins in range(least, most + 1))
    return list({ends.tobytes(): ends for ends in found}.values())


def _middles(score: Floats, before: Ints, after: Ints) -> Floats:
    """Return the middles of bins on [0, 1], never 0 or 1 itself."""
    low = np.where(before == 0, 0.0, score[before - 1])
    high = np.where(after == len(score), 1.0, score[after - 1])
    middle: Floats = np.clip(0.5 * (low + high), NEVER, 1.0 - NEVER)
    return middle
