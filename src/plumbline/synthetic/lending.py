"""Loan applications whose most profitable threshold is known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._checks import one_of, shorten, whole_number
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions
from plumbline.random_streams import Seed, entropy_of, stream
from plumbline.synthetic.experiments import Floats

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

Says: TypeAlias = Callable[[Floats, NDArray[np.int64]], Floats]


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
    """One model of the loans: what it answers, and what it makes of an application.

    Attributes
    ----------
    description : the model in a few words
    says : (true P(repaid), missed payments) -> the probability it predicts
    """

    description: str
    says: Says


def loans(n: int = 5000, *, models: Sequence[str] = ("careful",), rng: Seed = 0) -> Predictions:
    r"""Draw loan applications, whether they were repaid, and what models said of them.

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
    found = _applications(n, entropy_of(rng))
    times = len(chosen)
    return Predictions.from_arrays(
        np.tile(np.asarray(CLASSES)[found.repaid.astype(int)], times),
        np.concatenate([LENDERS[name].says(found.truth, found.missed) for name in chosen]),
        classes=CLASSES,
        model=np.repeat(chosen, n),
        fold=np.tile(np.arange(n) % FOLDS + 1, times),
        row=np.tile(np.arange(n), times),
        attributes={name: np.tile(values, times) for name, values in found.attributes.items()},
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
