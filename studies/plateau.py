"""How often the plateau holds the true best threshold, how wide it is, and how honest the value is.

python studies/plateau.py [held] [worth]

Writes studies/results/plateau.md, or one of its two parts. It takes about ten minutes on one core.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from pages import write_parts
from scipy.special import expit, ndtr

from plumbline.curves import BestThreshold, best_threshold
from plumbline.predictions import Predictions
from plumbline.random_streams import stream

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "curves"))
from loans import loans, loans_optimum, loans_profit

SIZES = (100, 300, 1000)
LARGE = 2000  # of the flattest and of the one with fewest positives
DATA_SETS = {100: 200, 300: 200, 1000: 50, 2000: 50}  # by size, as larger ones take longer
RESAMPLES, LEVEL = 199, 0.95
HONEST_SETS, FOLDS = 400, 10
PROFIT = "cumm(amount_requested**2 / 30 if eP else -amount_requested) / NN"


@dataclass(frozen=True)
class Population:
    """Rows that can be drawn, and the threshold that is best for a formula among all of them."""

    name: str
    formula: str
    best: float
    draw: Callable[[int, int], Predictions]


def binormal(formula: str, shift: float, share: float) -> Population:
    """Return ratings N(0, 1) of negatives and N(shift, 1) of a share of positives, as true P."""
    offset = np.log(share / (1 - share)) - shift**2 / 2
    x = np.linspace(-6, 6 + shift, 400_001)
    tp, fp = share * ndtr(shift - x), (1 - share) * ndtr(-x)
    gain = float(formula.partition("cumm(")[2].partition(" ")[0] or 1)
    value = tp / (tp + fp + share) if formula == "F1" else gain * tp - fp
    best = float(expit(shift * x + offset)[value.argmax()])

    def draw(n: int, seed: int) -> Predictions:
        source = stream(seed, n, round(10 * shift), round(10 * share))
        event = source.random(n) < share
        rating = source.standard_normal(n) + shift * event
        return Predictions.from_arrays(event, expit(shift * rating + offset))

    return Population(f"binormal, shift {shift:g}, {100 * share:g} % positive", formula, best, draw)


FLAT, RARE = binormal("CA", 0.3, 0.5), binormal("F1", 1, 0.05)
POPULATIONS = [
    *(binormal(formula, *of) for formula in ("CA", "F1") for of in ((1, 0.5), (2, 0.5), (1, 0.2))),
    FLAT,
    RARE,
    binormal("cumm(9 if eP else -1)", 1, 0.4),
    binormal("cumm(19 if eP else -1)", 1, 0.2),
    Population(
        "synthetic loans", "profit", loans_optimum().threshold, lambda n, seed: loans(n, rng=seed)
    ),
]


def found_in(population: Population, n: int) -> Iterator[BestThreshold]:
    """Yield what is found in every data set."""
    formula = PROFIT if population.formula == "profit" else population.formula
    for seed in range(DATA_SETS[n]):
        data = population.draw(n, seed)
        yield best_threshold(data, formula, level=LEVEL, resamples=RESAMPLES, folds=2, rng=seed)


def plateau_line(population: Population, n: int) -> str:
    """Return the row of the table of one population and size."""
    decisions, inside, shares, several = [], [], [], []
    for found in found_in(population, n):
        state = np.count_nonzero(found.thresholds >= population.best) - 1
        decisions.append(found.in_plateau[state])
        inside.append(any(low <= population.best <= high for low, high in found.plateau))
        shares.append(found.plateau_share)
        several.append(len(found.plateau) > 1)
    held = np.mean(decisions)
    error = sqrt(max(held * (1 - held), LEVEL * (1 - LEVEL)) / DATA_SETS[n])
    cells = (
        population.name,
        population.formula,
        f"{population.best:.3f}",
        f"{n:,}",
        f"{held:.3f} ± {error:.3f}",
        f"{np.mean(inside):.3f}",
        f"{np.median(shares):.2f}",
        f"{np.mean(several):.2f}",
    )
    return f"| {' | '.join(cells)} |"


def true_profit_of_folds(data: Predictions) -> float:
    """Return the mean true profit of the thresholds chosen without each fold."""
    found = []
    for fold in range(FOLDS):
        part = data.select(where=data.fold.codes != fold)
        amount, order = part.attributes["amount_requested"], np.argsort(-part.prob[:, 1])
        gain = np.where(part.actual == 1, amount**2 / 30, -amount)[order]
        at = np.append(np.inf, part.prob[order, 1])
        best = at[np.append(0.0, np.cumsum(gain)).argmax()]
        found.append(float(loans_profit(best)))
    return float(np.mean(found))


def honest_line(n: int) -> str:
    """Return the row of the table of honest values of one size."""
    value, honest, own = [], [], []
    for seed in range(HONEST_SETS):
        data = loans(n, rng=seed)
        found = best_threshold(data, PROFIT, resamples=20, rng=seed)
        others = true_profit_of_folds(data)
        value.append(found.value - float(loans_profit(found.threshold)))
        honest.append(found.honest_value - others)
        own.append(others)
    cells = (f"{n:,}", f"{np.mean(own):.2f}", with_error(honest), with_error(value))
    return f"| {' | '.join(cells)} |"


def with_error(values: Sequence[float]) -> str:
    """Return a mean and its standard error."""
    return f"{np.mean(values):+.2f} ± {np.std(values, ddof=1) / sqrt(len(values)):.2f}"


def held_lines() -> Iterator[str]:
    """Yield how often the plateau holds the best threshold, a row a population and size."""
    yield from ("## How often it holds the best threshold of the population", "")
    yield (
        f"{DATA_SETS[SIZES[0]]} data sets each, of 1,000 rows and more {DATA_SETS[LARGE]}; "
        f"{RESAMPLES} resamples, level {LEVEL}. Held: the plateau has "
        "the decisions of the best threshold (± standard error, at least that of the level); in an "
        "interval: the threshold itself lies between the ends of a reported interval. Width: the "
        "median share of the range of the probabilities."
    )
    yield ""
    yield "| population | formula | best | n | held | in an interval | width | several intervals |"
    yield "|---|---|---|---|---|---|---|---|"
    for n in (*SIZES, LARGE):
        for population in (FLAT, RARE) if n == LARGE else POPULATIONS:
            yield plateau_line(population, n)


def worth_lines() -> Iterator[str]:
    """Yield what a chosen threshold is worth, a row a size."""
    yield from ("## What a chosen threshold is worth", "")
    yield (
        f"Profit per applicant of the synthetic loans, {HONEST_SETS:,} data sets each, {FOLDS} "
        f"folds; the best threshold earns {loans_optimum().profit:.2f}. True: the mean of what the "
        "thresholds chosen on nine tenths of the rows really earn. Honest value: its mean distance "
        "from that. In-sample value: its mean distance from what its own threshold really earns."
    )
    yield from ("", "| n | true | honest value | in-sample value |", "|---|---|---|---|")
    yield from map(honest_line, SIZES)


if __name__ == "__main__":
    write_parts(
        "plateau",
        "The plateau of the best threshold",
        {"held": held_lines, "worth": worth_lines},
        sys.argv[1:],
    )
