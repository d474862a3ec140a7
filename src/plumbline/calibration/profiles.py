"""A profile: the distinct scores of one event, and errors that are computed from them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from plumbline.calibration.drawable import Ints, Wide


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The distinct scores of one event, in rising order: the finest bins that split no tie.

    Attributes
    ----------
    score, rest : (g,) probability of the event, and of its opposite, float64
    weight : (g,) sum of the weights of the rows that share the score, above 0
    """

    score: Wide
    rest: Wide
    weight: Wide

    @property
    def share(self) -> Wide:
        """(g,) share of all weight."""
        out: Wide = self.weight / self.weight.sum()
        return out


# An error, made ready for the scores of a profile: (g, draws) weights of the rows where the event
# happened, at every distinct score, to (draws,) values.
ErrorOfHits: TypeAlias = Callable[[Wide], Wide]
ProfileRule: TypeAlias = Callable[[Profile], ErrorOfHits]


@dataclass(frozen=True, slots=True, eq=False)
class MergedProfile:
    """A profile with few scores, and how the sums of the many become sums of the few.

    Attributes
    ----------
    profile : the cells; a cell's score is the mean score of its rows
    starts : (m,) place of each cell's first score among the many
    many : how many scores there were
    """

    profile: Profile
    starts: Ints
    many: int

    def hits(self, hits: Wide) -> Wide:
        """Return (m, draws) sums of the cells for the (g, draws) sums of the scores."""
        if len(self.starts) == self.many:
            return hits
        out: Wide = np.add.reduceat(hits, self.starts, axis=0)
        return out


def merge_scores(profile: Profile, key: Ints) -> MergedProfile:
    """Return the profile with neighbours of equal `key`, (g,) and never falling, as one score."""
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    if len(starts) == len(key):
        return MergedProfile(profile, starts, len(key))
    weight = np.add.reduceat(profile.weight, starts)
    score, rest = (
        np.add.reduceat(profile.weight * part, starts) / weight
        for part in (profile.score, profile.rest)
    )
    return MergedProfile(Profile(score, rest, weight), starts, len(key))
