"""Joins near scores of a profile, so that a smoother's matrix stays small."""

from dataclasses import dataclass

import numpy as np

from plumbline.calibration.drawable import Ints, Wide
from plumbline.calibration.profiles import Profile


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
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


def merged(profile: Profile, key: Ints) -> Merged:
    """Return the profile with neighbours of equal `key`, (g,) and never falling, as one score."""
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    if len(starts) == len(key):
        return Merged(profile, starts, len(key))
    weight = np.add.reduceat(profile.weight, starts)
    score, rest = (
        np.add.reduceat(profile.weight * part, starts) / weight
        for part in (profile.score, profile.rest)
    )
    return Merged(Profile(score, rest, weight), starts, len(key))
