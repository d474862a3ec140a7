"""Example tables that need no file, drawn with a fixed seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of
from plumbline.predictions import Predictions
from plumbline.random_streams import entropy_of, stream
from plumbline.synthetic.experiments import draw, method_1, push_largest

SEED = 20_260_101
TEN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True, slots=True)
class ExampleTable:
    """One example table: its title, its description, and the function that draws it."""

    title: str
    text: str
    make: Callable[[], Predictions]


def example(name: str) -> Predictions:
    """Draw one of `EXAMPLES`; the same rows every time.

    >>> example("overconfident").n
    2000
    """
    return EXAMPLES[one_of("name", name, EXAMPLES)].make()


def _loans() -> Predictions:
    """Return loan applications with their outcome and the predictions of three lenders."""
    n = 1500
    source = [stream(entropy_of(SEED), key) for key in range(7)]
    truth = source[0].beta(2.0, 2.0, n)
    missed = source[2].binomial(4, 1.0 - truth)  # of four payments
    weight = np.arange(13.0, 0.0, -1.0)
    amount = source[1].choice(np.arange(10.0, 131.0, 10.0), n, p=weight / weight.sum())
    draw_of_purpose = source[3].random(n) * 200.0
    purpose = (draw_of_purpose >= 140.0 - amount).astype(int) + (draw_of_purpose >= 200.0 - amount)
    income = np.exp(3.2 + 0.9 * truth + 0.35 * source[4].standard_normal(n)).round(1)
    age = np.clip(26.0 + 30.0 * truth + 9.0 * source[5].standard_normal(n), 18.0, 80.0).round()
    attributes = {
        "amount_requested": amount,
        "history": np.array(["spotless", "good", "mixed", "poor", "bad"])[missed],
        "purpose": np.array(["holiday", "car", "home"])[purpose],
        "income": income,
        "age": age,
    }
    return Predictions.from_arrays(
        np.tile(np.where(source[6].random(n) < truth, "yes", "no"), 3),
        np.concatenate([truth, _doubled_log_odds(truth), (6.0 - missed) / 8.0]),
        classes=["no", "yes"],
        model=np.repeat(["careful", "boastful", "hasty"], n),
        fold=np.tile(np.arange(n) % 10 + 1, 3),
        row=np.tile(np.arange(n), 3),
        attributes={name: np.tile(values, 3) for name, values in attributes.items()},
    )


def _doubled_log_odds(truth: NDArray[np.float64]) -> NDArray[np.float64]:
    return truth**2 / (truth**2 + (1.0 - truth) ** 2)


def _overconfident() -> Predictions:
    """Return a classifier whose log-odds are twice those that the labels are drawn from."""
    source = stream(SEED, 1)
    truth = source.beta(1.2, 1.8, 2000)
    well = source.random(len(truth)) < truth
    groups = np.where(source.random(len(truth)) < 0.4, "evening", "morning")
    claimed = np.where(groups == "evening", _doubled_log_odds(truth), truth)
    return Predictions.from_arrays(
        np.where(well, "delayed", "on time"),
        claimed,
        classes=["on time", "delayed"],
        fold=np.arange(len(truth)) % 5 + 1,
        attributes={"flight": groups, "distance": np.round(source.gamma(4.0, 200.0, len(truth)))},
    )


def _digits() -> Predictions:
    """Return ten classes; one model is calibrated, one raises its largest probability."""
    truth, _ = method_1((0.15,) * len(TEN), 1.0, points=1200, rng=SEED)
    prob = truth[0]
    actual = np.asarray(TEN)[draw(prob, stream(SEED, 2))]
    return Predictions.from_arrays(
        np.tile(actual, 2),
        np.concatenate([prob, push_largest(prob, 0.5)]),
        classes=TEN,
        model=np.repeat(["calibrated", "overconfident"], len(prob)),
        row=np.tile(np.arange(len(prob)), 2),
        fold=np.tile(np.arange(len(prob)) % 5 + 1, 2),
    )


EXAMPLES: Mapping[str, ExampleTable] = {
    "loans": ExampleTable(
        "Loans",
        "1,500 applications, three lenders, ten folds: will the loan be repaid? Filter by amount, "
        "history or age, or use them in formulas.",
        _loans,
    ),
    "overconfident": ExampleTable(
        "Delayed flights",
        "2,000 flights, one model. Its probabilities are calibrated in the morning and "
        "overconfident in the evening.",
        _overconfident,
    ),
    "digits": ExampleTable(
        "Ten digits",
        "1,200 pictures of ten classes, two models: one is calibrated, the other overconfident in "
        "its top label.",
        _digits,
    ),
}
