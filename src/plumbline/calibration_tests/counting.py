"""The plainest test of all: has an event happened more often than its probability allows?"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction, shorten, whole_number
from plumbline._result import Result
from plumbline.errors import ParameterError


@dataclass(frozen=True, repr=False, eq=False)
class CountTest(Result):
    """Has an event happened more often than its probability allows?

    Attributes
    ----------
    happened, trials, probability : how often it happened, in how many trials, of which probability
    p_value : probability of at least as many, if the probability is true
    null : (trials + 1,) probability of each number from 0 on, if the probability is true
    """

    happened: int
    trials: int
    probability: float
    p_value: float
    null: NDArray[np.float64] = field(repr=False, metadata={"hidden": True})


def count_test(happened: int, trials: int, *, probability: float) -> CountTest:
    """Test whether an event happened more often than its probability allows: a binomial tail.

    p = sum over j >= happened of C(n, j) q^j (1 - q)^(n - j), exact up to rounding: no draws.

    Raises ParameterError for more events than trials. Source: Clopper and Pearson (1934); the dice
    are example 2 of Increasing the Power of a Classifier's Calibration Test (Tartu, 2020).

    >>> dice = count_test(8, 10, probability=1 / 6)
    >>> round(dice.p_value, 8)
    1.945e-05
    """
    from scipy.stats import binom

    trials = whole_number("trials", trials, least=1)
    happened = whole_number("happened", happened, least=0)
    if happened > trials:
        raise ParameterError(
            f"`happened` must be at most `trials`, {trials:,}, got {shorten(happened)}"
        )
    chance = binom(trials, open_fraction("probability", probability))
    null = np.asarray(chance.pmf(np.arange(trials + 1)))
    return CountTest(happened, trials, float(probability), float(chance.sf(happened - 1)), null)
