"""Errors that see the labels only through the sum of outcomes at every distinct score."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.calibration.drawable import Drawable, Floats, Ints, Wide
from plumbline.calibration.looks import Look, Seen, seen
from plumbline.calibration.settings import Setting
from plumbline.predictions import Predictions

_NO_WEIGHT: Wide = np.empty(0)


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
Error: TypeAlias = Callable[[Wide], Wide]
Rule: TypeAlias = Callable[[Profile], Error]
# An event's profile, and every row's place in it, -1 for rows without weight.
Placing: TypeAlias = Callable[[Look, Wide | None], tuple[Profile, NDArray[np.int64]]]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One event's profile, its error, and where its sums stand among all: start, stop."""

    start: int
    stop: int
    profile: Profile
    error: Error


@dataclass(frozen=True, slots=True, eq=False)
class ProfileStatistic:
    """An error of profiles as a function of the labels; of several events, the mean over them.

    Attributes
    ----------
    prob : (n, k) probabilities the labels are drawn from if they are true
    actual : (n,) observed labels, columns of `prob`
    weight : (n,) weights, or None
    number : (n, k) number of the sum that row i adds its weight to if its label is c; sum 0 is
        nobody's and does not count
    parts : one an event
    """

    prob: Floats
    actual: Ints
    weight: Wide | None
    number: NDArray[np.int32]
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return self.parts[-1].stop

    def tally(self, width: int) -> "ProfileTally":
        """Return an empty tally for `width` sets of labels."""
        return ProfileTally(self, np.zeros((self.size, width)))

    def of_sums(self, hits: Wide) -> Wide:
        """Return the values for (size, draws) sums: (draws,)."""
        parts = [part.error(hits[part.start : part.stop]) for part in self.parts]
        return parts[0] if len(parts) == 1 else np.mean(parts, axis=0)

    def same_sums(self, other: Drawable) -> bool:
        """Tell whether a statistic of the same labels has the same sums."""
        return (
            isinstance(other, ProfileStatistic)
            and self.size == other.size
            and np.array_equal(self.number, other.number)
            and same_weight(self.weight, other.weight)
        )

    def at(self, chance: Wide) -> float:
        """Return the error of labels that came in the shares `chance`, (n, k): the true error."""
        mass = chance if self.weight is None else chance * self.weight[:, None]
        hits = np.bincount(self.number.ravel(), mass.ravel(), self.size)
        return float(self.of_sums(hits.astype(np.float64)[:, None])[0])


@dataclass(frozen=True, slots=True, eq=False)
class ProfileTally:
    """Sums of outcomes at every distinct score, one column a draw."""

    statistic: ProfileStatistic
    hits: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        from plumbline.calibration.tallies import add_hits  # compiled: only where labels are drawn

        what = self.statistic
        weight = _NO_WEIGHT if what.weight is None else what.weight[rows]
        add_hits(what.number[rows], labels, weight, self.hits)

    def values(self) -> Wide:
        """Return the error of every draw."""
        return self.statistic.of_sums(self.hits)


def profile_statistic(
    data: Predictions, chosen: Setting, rule: Rule, *, placing: Placing | None = None
) -> ProfileStatistic:
    """Return an error of every event that a view (not "joint") asks about, the mean of several.

    Rows of weight 0 count nowhere. `placing` is `profile_of` unless an error tells more rows
    apart. Raises InputError without probabilities or weight.
    """
    return profiles_seen(seen(data, chosen), data.weight, rule, placing=placing)


def profiles_seen(
    table: Seen, weight: Wide | None, rule: Rule, *, placing: Placing | None = None
) -> ProfileStatistic:
    """Return an error of the events of a table, the mean of several."""
    number = np.zeros(table.prob.shape, np.int32)
    parts: list[Part] = []
    before = 1
    for place, look in enumerate(table.looks):
        profile, group = (placing or profile_of)(look, weight)
        number[:, table.column + place] = np.where(group < 0, 0, before + group)
        after = before + len(profile.score)
        parts.append(Part(before, after, profile, rule(profile)))
        before = after
    return ProfileStatistic(table.prob, table.actual, weight, number, tuple(parts))


def profile_of(look: Look, weight: Wide | None) -> tuple[Profile, NDArray[np.int64]]:
    """Return the distinct scores of rows that have weight, and every row's place, -1 for none."""
    kept = np.ones(len(look.score), bool) if weight is None else weight > 0
    score, place = np.unique(look.score[kept] + 0.0, return_inverse=True)
    mass = np.ones(len(place)) if weight is None else weight[kept]
    whole = np.bincount(place, mass, len(score)).astype(np.float64)
    rest = np.bincount(place, mass * look.rest[kept].astype(np.float64), len(score)) / whole
    group = np.full(len(kept), -1, np.int64)
    group[kept] = place
    return Profile(score.astype(np.float64), rest.astype(np.float64), whole), group


def same_weight(one: Wide | None, other: Wide | None) -> bool:
    """Tell whether two tables weigh their rows alike."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
