"""Scores and skill scores as calibration statistics: every row adds what its label is worth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.calibration.definition import need_weight, sum_of_others
from plumbline.calibration.drawable import Floats, Ints, Wide
from plumbline.calibration.statistics import Statistic, StatisticTally, weighted
from plumbline.formatting import quoted
from plumbline.jit import compiled
from plumbline.predictions import Predictions

ROUNDING = 1e-12  # relative: a spread below it is that of equal numbers


def point_statistic(data: Predictions, name: str, binary: Predictions | None = None) -> Statistic:
    """Return a score as a function of the labels, over all classes or of a binary view.

    With p_y the probability of the row's class and p the whole row, each a weighted mean over rows:

    - "log-loss": -ln p_y (Good 1952); infinite where p_y = 0
    - "brier-score": (y - p)^2 of the positive class where there are two, as in a binary view, else
      the sum over classes (Brier 1950); "brier-score-multiclass": sum_c (y_c - p_c)^2 of any number
    - "chi-square": 1 / p_y - 1 = sum_c (y_c - p_c)^2 / p_c (Pearson 1900); infinite where p_y = 0
    - "spiegelhalter": Z = sum_i w_i (S_i - E S_i) / sqrt(sum_i w_i^2 Var S_i) with S the row's
      multiclass Brier score and its moments under the predictions; for two classes exactly the Z of
      Spiegelhalter (1986), sum (y - p)(1 - 2p) / sqrt(sum (1 - 2p)^2 p (1 - p)). Its variance is
      that of one draw a row, so a weight of 2 is not two rows here. Constant 0 where no label
      can change the score (all probabilities 0, 1/2 or 1).
    - "accuracy": [predicted class = class], with the predicted class of `Predictions.predicted`

    Raises ParameterError for an unknown name, InputError without probabilities.

    >>> from plumbline.calibration import value_of
    >>> data = Predictions.from_arrays([0, 1], [0.2, 0.6])
    >>> round(value_of(point_statistic(data, "brier-score")), 3)
    0.1
    """
    one_of("statistic", name, POINT_VALUES)
    binary = data if binary is None else binary
    prob = binary.need_prob(f"the statistic {quoted(name)}")
    need_weight(binary.mass)
    value = POINT_VALUES[name](binary)
    return Statistic(
        *(prob, binary.actual, binary.weight, None, value, binary.counted),
        groups=binary.group_codes,
    )


def _log_losses(data: Predictions) -> Wide:
    if data.log_prob is not None:
        return weighted(data, -data.log_prob.astype(np.float64))
    with np.errstate(divide="ignore"):
        return weighted(data, -np.log(_wide(data)))


def _brier_scores(data: Predictions) -> Wide:
    if data.k > 2:
        return _multiclass_brier_scores(data)
    event = np.arange(2) == data.positive
    return weighted(data, np.square(_wide(data)[:, [data.positive]] - event))


def _multiclass_brier_scores(data: Predictions) -> Wide:
    return weighted(data, _squares(_wide(data)))


def _chi_squares(data: Predictions) -> Wide:
    prob = _wide(data)
    out = np.full_like(prob, np.inf)
    with np.errstate(over="ignore"):
        np.divide(sum_of_others(prob), prob, out=out, where=prob > 0)
    return weighted(data, out)


def _spiegelhalter(data: Predictions) -> Wide:
    prob = _wide(data)
    prob /= prob.sum(axis=1, keepdims=True)  # as labels are drawn
    score = _squares(prob)
    expected = (prob * score).sum(axis=1, keepdims=True)
    variance = (prob * np.square(score - expected)).sum(axis=1)
    mass = data.mass / data.mass.max()  # Z does not see the unit, and no square leaves its range
    squares = np.square(mass)
    if data.counted:
        mass = data.mass
        squares = mass  # that many draws, each of weight 1
    spread = np.sqrt(np.sum(squares * variance))
    if spread <= ROUNDING * np.sqrt(np.sum(squares)):
        return np.zeros_like(prob)
    return cast(Wide, mass[:, None] * (score - expected) / spread)


def _rightness(data: Predictions) -> Wide:
    right = data.predicted[:, None] == np.arange(data.k)
    return weighted(data, right.astype(np.float64))


def _squares(prob: Wide) -> Wide:
    """Return (n, k): the squared distance from the row to each class in turn."""
    return sum_of_others(np.square(prob)) + np.square(1.0 - prob)


def _wide(data: Predictions) -> Wide:
    return data.need_prob("a score").astype(np.float64)


POINT_VALUES: dict[str, Callable[[Predictions], Wide]] = {
    "log-loss": _log_losses,
    "brier-score": _brier_scores,
    "brier-score-multiclass": _multiclass_brier_scores,
    "chi-square": _chi_squares,
    "spiegelhalter": _spiegelhalter,
    "accuracy": _rightness,
}


LEAST_REFERENCE = 1e-15  # a reference score below it is 0 up to rounding: no skill score

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
        """(n, k) probabilities the labels are drawn from if calibrated."""
        return self.score.prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.score.actual

    @property
    def groups(self) -> Ints | None:
        """(n,) number of the group of every row, or None."""
        return self.score.groups

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.score.count

    @property
    def size(self) -> int:
        """Number of sums a tally keeps for each set of labels."""
        return 1 + int(self.prob.shape[1])

    def tally(self, width: int) -> "SkillTally":
        """Return an empty tally for `width` sets of labels."""
        sums = np.zeros((self.prob.shape[1], width))
        return SkillTally(self, self.score.tally(width), sums)

    def skill(self, score: Wide, sums: Wide) -> Wide:
        """Return 1 - score / reference for (draws,) scores and (k, draws) weights of classes."""
        reference = REFERENCES[self.name](sums / sums.sum(axis=0))
        ratio = np.full_like(score, np.nan)
        np.divide(score, reference, out=ratio, where=reference > LEAST_REFERENCE)
        return 1.0 - ratio

    def at(self, shares: Wide) -> float:
        """Return the skill of labels that came in these `shares`, (n, k)."""
        weight = self.score.weight
        sums = shares.sum(axis=0) if weight is None else weight @ shares
        return float(self.skill(np.array([self.score.at(shares)]), sums[:, None])[0])


@dataclass(frozen=True, slots=True, eq=False)
class SkillTally:
    """The score's sums, and how much weight every class had."""

    statistic: SkillStatistic
    score: StatisticTally
    sums: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        weight = self.statistic.score.weight
        self.score.add(rows, labels)
        add_classes(_NO_WEIGHT if weight is None else weight[rows], labels, self.sums)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        count = self.statistic.score.weight
        self.score.add_shares(rows, shares)
        if count is not None:
            hits = count[rows] @ shares
            self.sums[:] += np.stack([count[rows].sum() - hits, hits])

    def values(self) -> Wide:
        """Return the skill of every draw; NaN where all rows have one class."""
        return self.statistic.skill(self.score.values(), self.sums)


def skill_statistic(
    data: Predictions, name: str, binary: Predictions | None = None
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
    return SkillStatistic(point_statistic(data, name, binary), name)


@compiled
def add_classes(weight: Wide, labels: Ints, sums: Wide) -> None:
    """Add every row's weight (1 where `weight` is empty) to its class, for each draw."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i] if len(weight) > 0 else 1.0
        for d in range(width):
            sums[labels[i, d], d] += w
