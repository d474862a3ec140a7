"""Skill scores: how much better than the base rate, as a function of the labels."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.points import point_statistic
from plumbline.calibration.statistics import Statistic
from plumbline.calibration.tallies import SumTally
from plumbline.jit import compiled
from plumbline.predictions import Predictions

ROUNDING = 1e-15

_NO_WEIGHT: Wide = np.empty(0)


def _brier_of(share: Wide) -> Wide:
    out: Wide = (share * (1.0 - share)).sum(axis=0)
    return out / 2.0 if len(share) == 2 else out  # of two classes the score is of one


def _entropy(share: Wide) -> Wide:
    logarithm = np.log(share, out=np.zeros_like(share), where=share > 0)
    out: Wide = -(share * logarithm).sum(axis=0)
    return out


# What the shares of the classes themselves would score, (k, draws) to (draws,).
REFERENCES: dict[str, Callable[[Wide], Wide]] = {"brier-score": _brier_of, "log-loss": _entropy}


@dataclass(frozen=True, slots=True, eq=False)
class SkillStatistic:
    """A skill score as a function of the labels, with the predictions held fixed.

    Attributes
    ----------
    score : the score, a sum over rows
    name : the name of the score, which says what the base rate would score
    """

    score: Statistic
    name: str

    @property
    def prob(self) -> Floats:
        """(n, k) probabilities the labels are drawn from if they are true."""
        return self.score.prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.score.actual

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return 1 + int(self.prob.shape[1])

    def tally(self, width: int) -> "SkillTally":
        """Return an empty tally for `width` sets of labels."""
        sums = np.zeros((self.prob.shape[1], width))
        return SkillTally(self, SumTally.empty(self.score, width), sums)

    def skill(self, score: Wide, sums: Wide) -> Wide:
        """Return 1 - score / reference for (draws,) scores and (k, draws) weights of classes."""
        reference = REFERENCES[self.name](sums / sums.sum(axis=0))
        ratio = np.full_like(score, np.nan)
        np.divide(score, reference, out=ratio, where=reference > ROUNDING)
        return 1.0 - ratio

    def at(self, chance: Wide) -> float:
        """Return the skill of labels that came in the shares `chance`, (n, k)."""
        weight = self.score.weight
        sums = chance.sum(axis=0) if weight is None else weight @ chance
        return float(self.skill(np.array([self.score.at(chance)]), sums[:, None])[0])


@dataclass(frozen=True, slots=True, eq=False)
class SkillTally:
    """The score's sums, and how much weight every class had."""

    statistic: SkillStatistic
    score: SumTally
    sums: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        weight = self.statistic.score.weight
        self.score.add(rows, labels)
        add_classes(_NO_WEIGHT if weight is None else weight[rows], labels, self.sums)

    def values(self) -> Wide:
        """Return the skill of every draw; NaN where all rows have one class."""
        return self.statistic.skill(self.score.values(), self.sums)


def skill_statistic(
    data: Predictions, name: str, lens: Predictions | None = None
) -> SkillStatistic:
    """Return the skill score 1 - S / S(base rate) as a function of the labels.

    S is the "brier-score" or the "log-loss" of `point_statistic`; the base rate gives every row
    the shares that the classes have among these very rows (Murphy 1973), so that forecasts which
    know nothing else have skill 0. NaN where all rows have one class, minus infinity where the log
    loss is infinite. Raises ParameterError for another name, InputError without probabilities.

    >>> from plumbline.nulls import observed
    >>> data = Predictions.from_arrays([0, 1], [0.2, 0.6])
    >>> round(float(observed(skill_statistic(data, "brier-score"))), 3)  # 1 - .2 / .5
    0.6
    """
    one_of("statistic", name, REFERENCES)
    return SkillStatistic(point_statistic(data, name, lens), name)


@compiled
def add_classes(weight: Wide, labels: Ints, sums: Wide) -> None:
    """Add every row's weight (1 where `weight` is empty) to its class, for each draw."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i] if len(weight) > 0 else 1.0
        for d in range(width):
            sums[labels[i, d], d] += w
