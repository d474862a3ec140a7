"""What lending to the synthetic applicants earns, in closed form."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from plumbline._checks import one_of, shorten
from plumbline._result import Result
from plumbline.errors import ParameterError
from plumbline.synthetic.experiments import Floats
from plumbline.synthetic.lending import (
    AMOUNT_WEIGHTS,
    AMOUNTS,
    LENDERS,
    PAYMENTS,
    known_from_history,
    overconfident,
)

DIVISOR = 30.0


@dataclass(frozen=True, repr=False, eq=False)
class LoansOptimum(Result):
    """The best that can be earned from the synthetic loans with one model's probabilities.

    Attributes
    ----------
    model : whose probabilities decide
    divisor : a repaid loan of amount a earns a^2 / divisor
    threshold : the most profitable threshold of that model's own probabilities
    accepted : share of the applicants whom that threshold accepts
    profit : expected profit per applicant of accepting them, in thousands
    profit_of_all : expected profit per applicant of accepting everyone
    rule_profit : expected profit per applicant of accepting p >= divisor / (a + divisor)
    rule_gain : rule_profit - profit
    """

    model: str
    divisor: float
    threshold: float
    accepted: float
    profit: float
    profit_of_all: float
    rule_profit: float
    rule_gain: float


def loans_optimum(*, model: str = "careful", divisor: float = DIVISOR) -> LoansOptimum:
    r"""Return the most profitable threshold of the synthetic loans, and what it earns.

    A calibrated model accepts where an average loan earns no less than it loses,
    :math:`p\,E[a^2] / d \ge (1 - p)\,E[a]`, so from :math:`p^* = d / (d + 70)` on; the boastful
    one accepts the same applicants from what it says there on. The rule asks every single amount:
    :math:`p \ge d / (d + a)`. Profits are exact polynomials and sums, in thousands per applicant.

    Raises ParameterError for a model that there is not and for a divisor that is not a positive
    number. Source: the profit and, on its last page, the rule of Biček (2009).

    >>> best = loans_optimum()
    >>> best.threshold, round(best.profit, 4), round(best.rule_profit, 4)
    (0.3, 37.1583, 38.3853)
    """
    divisor = _checked_divisor(divisor)
    calibrated = divisor / (divisor + _expected(AMOUNTS**2) / _expected(AMOUNTS))
    threshold = float(overconfident(np.array(calibrated))) if model == "boastful" else calibrated
    repaid, lost = loans_accepted(threshold, model=model)
    earned = loans_profit([threshold, 0.0], model=model, divisor=divisor)
    by_rule = loans_accepted(divisor / (AMOUNTS + divisor), model=model)
    rule_profit = _expected(AMOUNTS**2 / divisor * by_rule[0] - AMOUNTS * by_rule[1])
    return LoansOptimum(
        model=model,
        divisor=divisor,
        threshold=threshold,
        accepted=float(repaid + lost),
        profit=float(earned[0]),
        profit_of_all=float(earned[1]),
        rule_profit=rule_profit,
        rule_gain=rule_profit - float(earned[0]),
    )


def loans_profit(
    threshold: ArrayLike, *, model: str = "careful", divisor: float = DIVISOR
) -> Floats:
    """Return the expected profit per applicant of accepting whom a model gives p >= threshold.

    E[a^2] / divisor * P(repaid, accepted) - E[a] * P(not repaid, accepted), in thousands, in the
    shape of `threshold`. Raises ParameterError as `loans_optimum` and `loans_accepted` do.

    >>> loans_profit([0.0, 0.3, 1.0]).round(4).tolist()
    [33.3333, 37.1583, 0.0]
    """
    divisor = _checked_divisor(divisor)
    repaid, lost = loans_accepted(threshold, model=model)
    return np.asarray(_expected(AMOUNTS**2) / divisor * repaid - _expected(AMOUNTS) * lost)


def loans_accepted(threshold: ArrayLike, *, model: str = "careful") -> tuple[Floats, Floats]:
    """Return the shares of all applicants who are accepted and repay, and who do not.

    TP / NN and FP / NN of an endless data set at p >= threshold, each in the shape of `threshold`;
    half of all applicants repay, so twice these are TPR and FPR. Raises ParameterError for a model
    that there is not and for a threshold that is not a number.

    >>> repaid, lost = loans_accepted(0.5)
    >>> float(repaid), float(lost)
    (0.34375, 0.15625)
    """
    one_of("model", model, LENDERS)
    at = np.asarray(threshold, np.float64)
    if np.isnan(at).any():
        raise ParameterError(f"`threshold` must be a number or numbers, got {shorten(threshold)}")
    if model == "hasty":
        return _coarse(at)
    t = np.clip(at, 0.0, 1.0)
    if model == "boastful":  # the truth behind what it says: half the log-odds
        t = np.sqrt(t) / (np.sqrt(t) + np.sqrt(1.0 - t))
    # Integrals of p and of 1 - p over the density 6 p (1 - p) from t to 1.
    return 0.5 - 2.0 * t**3 + 1.5 * t**4, 0.5 - 3.0 * t**2 + 4.0 * t**3 - 1.5 * t**4


def _coarse(at: Floats) -> tuple[Floats, Floats]:
    """Return the same of the model that knows the missed payments, a beta-binomial number."""
    missed = np.arange(PAYMENTS + 1)
    # C(4, m) B(2 + m, 6 - m) / B(2, 2): m + 1 times 5 - m, in 35ths.
    share = (missed + 1.0) * (PAYMENTS + 1.0 - missed)
    share = share / share.sum()
    said = known_from_history(missed)
    accepted = share * (said >= at[..., None])
    return accepted @ said, accepted @ (1.0 - said)


def _expected(of_amounts: Floats) -> float:
    """Return the mean over the distribution of the amounts of a value for each of them."""
    return float(AMOUNT_WEIGHTS @ of_amounts / AMOUNT_WEIGHTS.sum())


def _checked_divisor(divisor: Any) -> float:
    try:
        number = float(divisor)
    except (TypeError, ValueError):
        number = np.nan
    if not 0.0 < number < np.inf:
        raise ParameterError(
            f"`divisor` must be a positive number (a repaid loan earns amount^2 / divisor), got "
            f"{shorten(divisor)}"
        )
    return number
