"""Loan applications whose most profitable threshold is known, and what lending to them earns.

python examples/curves/loans.py loans.csv --rows 1000 --models careful hasty
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline import Predictions
from plumbline._checks import one_of, shorten, whole_number
from plumbline.errors import ParameterError
from plumbline.random_streams import Seed, entropy_of, stream

Floats: TypeAlias = NDArray[np.float64]

FOLDS = 10
# Small loans are common. E[a^2] / E[a] = 70, which makes 30 / (30 + 70) = 0.3 the best threshold.
AMOUNTS = np.arange(10.0, 131.0, 10.0)
AMOUNT_WEIGHTS = np.arange(13.0, 0.0, -1.0)
BETA = 2.0  # both parameters of the distribution of P(repaid)
PAYMENTS = 4  # past payments; how many of them were missed is the history
HISTORIES = ("spotless", "good", "mixed", "poor", "bad")
PURPOSES = ("holiday", "car", "home")
CLASSES = ("no", "yes")
COLUMNS = ("truth", "amount_requested", "history", "purpose", "income", "age", "actual")

Predictor: TypeAlias = Callable[[Floats, NDArray[np.int64]], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Applications:
    """Loan applications before any model sees them.

    Attributes
    ----------
    truth : (n,) P(repaid); repaid : (n,) what came of it
    missed : (n,) number of past payments that were missed
    attributes : columns of length n
    """

    truth: Floats
    repaid: NDArray[np.bool_]
    missed: NDArray[np.int64]
    attributes: dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Lender:
    """One model of the loans: its name in words, and its prediction.

    Attributes
    ----------
    description : the model in a few words
    predict : (true P(repaid), missed payments) -> the probability it predicts
    """

    description: str
    predict: Predictor


def loans(n: int = 5000, *, models: Sequence[str] = ("careful",), rng: Seed = 0) -> Predictions:
    r"""Draw loan applications, whether they were repaid, and what models predict.

    The class "yes" means repaid. P(repaid) of an applicant is p ~ Beta(2, 2); amounts are 10, 20,
    ..., 130 (thousands) in proportions of 13 : 12 : ... : 1 and independent of p. An accepted loan
    of amount a earns :math:`a^2 / 30` where it is repaid and loses a where it is not, so the most
    profitable threshold is :math:`30\,E[a] / (30\,E[a] + E[a^2]) = 0.3`, and the best rule for
    every single applicant is p > 30 / (a + 30); `loans_optimum` has the profits of both.

    Attributes are `amount_requested`; `history` of four payments, of which each was missed with
    probability 1 - p; `purpose`, which depends on the amount alone; `income` (thousands a year) and
    `age`, which grow with p. Given p, none of them tells more. `models` are any of "careful"
    (knows p), "boastful" (doubles the log-odds of p: overconfident) and "hasty" (knows only the
    history: true but coarse), stacked over the same applications. Folds are 1 to 10 in turn; the
    first rows do not depend on n.

    Raises ParameterError for an n below 2 and for models that there are not. The profit is that of
    Biček (2009), whose loans are not public; these are made up.

    >>> data = loans(1000)
    >>> data.n, data.classes, len(data.folds)
    (1000, ('no', 'yes'), 10)
    >>> list(data.attributes)
    ['amount_requested', 'history', 'purpose', 'income', 'age']
    >>> loans(1000, models=["careful", "hasty"]).models
    ('careful', 'hasty')
    """
    whole_number("n", n, least=2)  # as many as any prediction table has
    chosen = _checked_models(models)
    drawn = _applications(n, entropy_of(rng))
    times = len(chosen)
    return Predictions.from_arrays(
        np.tile(np.asarray(CLASSES)[drawn.repaid.astype(int)], times),
        np.concatenate([LENDERS[name].predict(drawn.truth, drawn.missed) for name in chosen]),
        classes=CLASSES,
        model=np.repeat(chosen, n),
        fold=np.tile(np.arange(n) % FOLDS + 1, times),
        row=np.tile(np.arange(n), times),
        attributes={name: np.tile(values, times) for name, values in drawn.attributes.items()},
    )


def overconfident(truth: Floats) -> Floats:
    """Return probabilities (any shape) with their log-odds doubled: p^2 / (p^2 + (1 - p)^2).

    >>> overconfident(np.array([0.25, 0.5, 0.75])).tolist()
    [0.1, 0.5, 0.9]
    """
    return truth**2 / (truth**2 + (1.0 - truth) ** 2)


def known_from_history(missed: ArrayLike) -> Floats:
    """Return P(repaid | missed payments): the mean of Beta(2 + 4 - missed, 2 + missed).

    >>> known_from_history([0, 1, 2, 3, 4]).tolist()
    [0.75, 0.625, 0.5, 0.375, 0.25]
    """
    kept = PAYMENTS - np.asarray(missed, np.float64)
    return np.asarray((BETA + kept) / (2.0 * BETA + PAYMENTS))


LENDERS = {
    "careful": Lender("knows the true probability", lambda truth, missed: truth),
    "boastful": Lender(
        "doubles the log-odds of the truth", lambda truth, missed: overconfident(truth)
    ),
    "hasty": Lender("knows the history alone", lambda truth, missed: known_from_history(missed)),
}


def _checked_models(models: Sequence[str]) -> tuple[str, ...]:
    names = (models,) if isinstance(models, str) else tuple(models)
    for name in names:
        one_of("models", name, LENDERS)
    if not names or len(set(names)) < len(names):
        raise ParameterError(
            f"`models` must name at least one model and each once, got {shorten(models)}"
        )
    return names


def _applications(n: int, entropy: int) -> Applications:
    """Draw the applications, each column from a stream of its own so that none moves another."""
    source = {name: stream(entropy, key) for key, name in enumerate(COLUMNS)}
    truth = source["truth"].beta(BETA, BETA, n)
    missed = source["history"].binomial(PAYMENTS, 1.0 - truth)
    share = AMOUNT_WEIGHTS / AMOUNT_WEIGHTS.sum()
    amount = source["amount_requested"].choice(AMOUNTS, n, p=share)
    noise = {name: source[name].standard_normal(n) for name in ("income", "age")}
    attributes = {
        "amount_requested": amount,
        "history": np.asarray(HISTORIES)[missed],
        "purpose": _purposes(amount, source["purpose"]),
        "income": np.exp(3.2 + 0.9 * truth + 0.35 * noise["income"]).round(1),
        "age": np.clip(26.0 + 30.0 * truth + 9.0 * noise["age"], 18.0, 80.0).round(),
    }
    return Applications(truth, source["actual"].random(n) < truth, missed, attributes)


def _purposes(amount: Floats, source: np.random.Generator) -> NDArray[Any]:
    """Draw purposes: of loans of a, shares of 140 - a, 60 and a in 200 are holiday, car, home."""
    place = source.random(len(amount)) * 200.0
    number = (place >= 140.0 - amount).astype(int) + (place >= 200.0 - amount)
    return np.asarray(PURPOSES)[number.astype(np.int64)]


DIVISOR = 30.0


@dataclass(frozen=True, slots=True)
class LoansOptimum:
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
    one accepts the same applicants from its own prediction there on. The rule asks every single
    amount: :math:`p \ge d / (d + a)`. Profits are exact polynomials and sums, in thousands per
    applicant.

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
    if model == "boastful":  # the truth behind its prediction: half the log-odds
        t = np.sqrt(t) / (np.sqrt(t) + np.sqrt(1.0 - t))
    # Integrals of p and of 1 - p over the density 6 p (1 - p) from t to 1.
    return 0.5 - 2.0 * t**3 + 1.5 * t**4, 0.5 - 3.0 * t**2 + 4.0 * t**3 - 1.5 * t**4


def _coarse(at: Floats) -> tuple[Floats, Floats]:
    """Return the same of the model that knows the missed payments, a beta-binomial number."""
    missed = np.arange(PAYMENTS + 1)
    # C(4, m) B(2 + m, 6 - m) / B(2, 2): m + 1 times 5 - m, in 35ths.
    share = (missed + 1.0) * (PAYMENTS + 1.0 - missed)
    share = share / share.sum()
    predicted = known_from_history(missed)
    accepted = share * (predicted >= at[..., None])
    return accepted @ predicted, accepted @ (1.0 - predicted)


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


def main() -> None:
    """Write a table of applications."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", help="the file to write, .csv or .parquet")
    parser.add_argument("--rows", type=int, default=5000, help="applications")
    parser.add_argument("--models", nargs="+", choices=LENDERS, default=["careful"])
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    loans(chosen.rows, models=chosen.models, rng=chosen.seed).write(chosen.out)


if __name__ == "__main__":
    main()
