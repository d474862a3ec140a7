"""How often the gate passes a model that breaks a rule, and what it says of one that keeps it.

python studies/gate.py states                  # by enumeration: the states of `recall >= 0.85`
python studies/gate.py wrong --tables 5000     # by simulation: wrong passes, a line a rule
python studies/gate.py groups --tables 2000    # the same of areas and errors of rows in groups
python studies/gate.py time                    # twenty rules on a million rows

The states of a rule on a share are enumerated: every number of hits has its binomial probability,
and a state that `check` gives. Wrong passes are simulated where they are most frequent: the model's
true number is just the one that the rule asks for. Prints Markdown; `wrong` takes 20 minutes of one
core, `groups` 15 (`--only NAME` does the lines with this in their name).
"""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import binom

import plumbline as pb
from plumbline.random_streams import stream

LEAST = 0.85
CASES = ((50, 0.85), (200, 0.80), (200, 0.90), (1000, 0.88))
MANY = 2_000_000  # rows that a true value is computed from


def states_of(positives: int) -> np.ndarray:
    """Return the state of `recall >= 0.85` for every number of hits: 1 pass, -1 fail, 0 neither."""
    codes = {"pass": 1, "fail": -1, "not enough rows": 0}
    found = []
    for hits in range(positives + 1):
        label = np.r_[np.ones(hits, int), np.zeros(positives - hits, int), [0, 0]]
        data = pb.Predictions.from_arrays(np.r_[np.ones(positives, int), [0, 0]], predicted=label)
        answer = pb.check(data, [{"metric": "recall", "at_least": LEAST}])
        found.append(codes[answer.state])
    return np.array(found)


def shares(positives: int, truth: float) -> tuple[float, float, float, float]:
    """Return the probabilities of pass, fail and not enough rows, and of a point gate's pass."""
    states = states_of(positives)
    hits = np.arange(positives + 1)
    chance = binom.pmf(hits, positives, truth)
    point = chance[hits / positives >= LEAST].sum()
    return (*(float(chance[states == code].sum()) for code in (1, -1, 0)), float(point))


# ---------------------------------------------------------------- wrong passes

Table = tuple[pb.Predictions, pb.Predictions | None, dict[str, Any]]
Draw = Callable[[np.random.Generator], Table]


def _recall(positives: int, truth: float) -> Draw:
    def draw(rng: np.random.Generator) -> Table:
        y = np.r_[np.ones(positives, int), np.zeros(20, int)]
        label = np.where(y == 1, rng.random(len(y)) < truth, 0)
        data = pb.Predictions.from_arrays(y, predicted=label.astype(int))
        return data, None, {"metric": "recall", "at_least": truth}

    return draw


def _area(positives: int, negatives: int, truth: float) -> Draw:
    shift = np.sqrt(2) * ndtri(truth)

    def draw(rng: np.random.Generator) -> Table:
        y = np.r_[np.ones(positives, int), np.zeros(negatives, int)]
        data = pb.Predictions.from_arrays(y, score=rng.normal(size=len(y)) + shift * y)
        return data, None, {"metric": "roc-auc", "at_least": truth}

    return draw


def _predicted(rng: np.random.Generator, n: int, shape: tuple[float, float]) -> np.ndarray:
    return np.clip(rng.beta(*shape, n), 1e-6, 1 - 1e-6)


def _score(name: str, n: int, shape: tuple[float, float]) -> Draw:
    p = _predicted(stream(0, 1), MANY, shape)
    loss = -(p * np.log(p) + (1 - p) * np.log1p(-p)) if name == "log-loss" else p * (1 - p)
    truth = float(loss.mean())

    def draw(rng: np.random.Generator) -> Table:
        p = _predicted(rng, n, shape)
        data = pb.Predictions.from_arrays((rng.random(n) < p).astype(int), p, classes=[0, 1])
        return data, None, {"metric": name, "at_most": truth}

    return draw


def _sure(n: int, wrong: float) -> Draw:
    """Draw a model that is always sure, and rarely wrong."""

    def draw(rng: np.random.Generator) -> Table:
        y = rng.integers(0, 2, n)
        p = np.where(rng.random(n) < wrong, 1 - y, y).astype(float)
        data = pb.Predictions.from_arrays(y, p, classes=[0, 1])
        return data, None, {"metric": "brier-score", "at_most": wrong}

    return draw


def _two(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return labels, a model's probabilities and a better baseline's."""
    logit = rng.normal(-1.5, 1.5, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    model, baseline = (1 / (1 + np.exp(-logit - rng.normal(0, sd, n))) for sd in (0.8, 0.3))
    return y, model, baseline


def _difference(name: str, n: int) -> Draw:
    y, model, baseline = _two(stream(0, 2), MANY)
    value = {
        "log-loss": lambda p: pb.log_loss(pb.Predictions.from_arrays(y, p)),
        "accuracy": lambda p: pb.accuracy(pb.Predictions.from_arrays(y, p)),
        "roc-auc": lambda p: pb.roc_auc(pb.Predictions.from_arrays(y, p)),
        "recall": lambda p: float((p[y == 1] >= 0.5).mean()),
    }[name]
    gain = float(value(model)) - float(value(baseline))
    gain = -gain if name == "log-loss" else gain
    rule = {"metric": name, "better_by" if gain > 0 else "not_worse_by": abs(gain)}

    def draw(rng: np.random.Generator) -> Table:
        y, model, baseline = _two(rng, n)
        first, second = (
            pb.Predictions.from_arrays(y, p, classes=[0, 1]) for p in (model, baseline)
        )
        return first, second, rule

    return draw


def _within(n: int, tolerance: float) -> Draw:
    """Draw labels whose rates are above the probabilities by the tolerance, in every bin."""

    def draw(rng: np.random.Generator) -> Table:
        p = rng.uniform(0.1, 0.8, n)
        y = (rng.random(n) < p + tolerance).astype(int)
        data = pb.Predictions.from_arrays(y, p, classes=[0, 1])
        return data, None, {"within": tolerance, "bins": "equal-size:10"}

    return draw


def _groups(name: str, groups: int, size: int) -> Draw:
    """Draw rows of patients, whose rows are right, or of the class, more or less often together."""
    rng = stream(0, 3)
    right, p = _patients(rng, MANY // size, size)
    truth = float(right.mean() if name == "recall" else -(np.log(np.where(right, p, 1 - p))).mean())

    def draw(rng: np.random.Generator) -> Table:
        right, p = _patients(rng, groups, size)
        patient = {"patient": np.repeat(np.arange(groups), size)}
        if name == "recall":
            y = np.r_[np.ones(len(right), int), np.zeros(2 * size, int)]
            patient["patient"] = np.r_[patient["patient"], np.repeat([groups, groups + 1], size)]
            label = np.r_[right, np.zeros(2 * size, int)].astype(int)
            data = pb.Predictions.from_arrays(y, predicted=label, attributes=patient)
            return data, None, {"metric": name, "at_least": truth, "groups": "patient"}
        data = pb.Predictions.from_arrays(right.astype(int), p, classes=[0, 1], attributes=patient)
        return data, None, {"metric": name, "at_most": truth, "groups": "patient"}

    return draw


def _patients(rng: np.random.Generator, groups: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what is observed in rows of groups, and the mean probability that all rows have."""
    own = np.repeat(rng.beta(4.0, 1.0, groups), size)  # correlation 1 / 6 inside a group
    return rng.random(len(own)) < own, np.full(len(own), 0.8)


RULES: dict[str, Callable[[], Draw]] = {
    "recall >= 0.85, 50 positives": lambda: _recall(50, 0.85),
    "recall >= 0.85, 200 positives": lambda: _recall(200, 0.85),
    "roc-auc >= 0.8, 10 of 210 positive": lambda: _area(10, 200, 0.8),
    "roc-auc >= 0.95, 10 of 210 positive": lambda: _area(10, 200, 0.95),
    "log loss, 200 rows": lambda: _score("log-loss", 200, (1.0, 1.0)),
    "log loss, 1,000 rows, 9 % positive": lambda: _score("log-loss", 1000, (0.5, 5.0)),
    "log loss, 200 rows, 9 % positive": lambda: _score("log-loss", 200, (0.5, 5.0)),
    "Brier score, 200 rows": lambda: _score("brier-score", 200, (1.0, 1.0)),
    "Brier score, 200 rows, always sure, 2 % wrong": lambda: _sure(200, 0.02),
    "log loss against a baseline, 200 rows": lambda: _difference("log-loss", 200),
    "accuracy against a baseline, 200 rows": lambda: _difference("accuracy", 200),
    "roc-auc against a baseline, 200 rows": lambda: _difference("roc-auc", 200),
    "recall against a baseline, 400 rows": lambda: _difference("recall", 400),
    "ece within 0.05, 1,000 rows": lambda: _within(1000, 0.05),
    "recall, 60 groups of 5 rows": lambda: _groups("recall", 60, 5),
    "log loss, 60 groups of 5 rows": lambda: _groups("log-loss", 60, 5),
}


SHARED = 0.3  # correlation inside a group, of what is behind the labels and of the ratings


def _together(rng: np.random.Generator, code: np.ndarray) -> np.ndarray:
    """Return normal numbers of rows, those of one group alike."""
    own = rng.normal(size=len(code))
    return np.sqrt(SHARED) * rng.normal(size=code.max() + 1)[code] + np.sqrt(1 - SHARED) * own


def _area_in_groups(
    sizes: np.ndarray, share: float, truth: float, *, spread: float = 1.0, copied: bool = False
) -> Draw:
    """Draw ratings of rows in groups, whose labels are one where copied.

    Positives spread so many times as far as negatives. The true area is that of a positive and a
    negative of different groups.
    """
    code = np.repeat(np.arange(len(sizes)), sizes)
    shift = np.hypot(1.0, spread) * ndtri(truth)

    def draw(rng: np.random.Generator) -> Table:
        y = np.zeros(len(code), int)
        while not 1 < y.sum() < len(y) - 1:
            latent = rng.normal(size=len(sizes))[code] if copied else _together(rng, code)
            y = (latent < ndtri(share)).astype(int)
        score = np.where(y == 1, shift, 0.0) + np.where(y == 1, spread, 1.0) * _together(rng, code)
        data = pb.Predictions.from_arrays(y, score=score, classes=[0, 1], groups=code)
        return data, None, {"metric": "roc-auc", "at_least": truth}

    return draw


def _error_in_groups(sizes: np.ndarray, gap: np.ndarray, *, shape: tuple[float, float]) -> Draw:
    """Draw labels whose rates are off by these gaps, by turns along the probabilities."""
    code = np.repeat(np.arange(len(sizes)), sizes)

    def draw(rng: np.random.Generator) -> Table:
        p = rng.beta(*shape, len(code))
        place = np.empty(len(code), int)
        place[np.argsort(p)] = np.arange(len(code)) * 10 // len(code)
        truth = np.clip(p + gap[place % len(gap)], 0.0, 1.0)
        error = np.abs(np.bincount(place, truth - p)).sum() / len(code)
        y = (_together(rng, code) < ndtri(truth)).astype(int)
        data = pb.Predictions.from_arrays(y, p, classes=[0, 1], groups=code)
        return data, None, {"metric": "ece", "at_most": error, "bins": "equal-size:10"}

    return draw


UP, BOTH = np.array([0.05]), np.array([-0.05, 0.05])
IN_GROUPS: dict[str, Callable[[], Draw]] = {
    "roc-auc >= 0.8, 40 groups of 5, half positive": lambda: _area_in_groups(
        np.full(40, 5), 0.5, 0.8
    ),
    "roc-auc >= 0.8, 100 groups of 10, 5 % positive": lambda: _area_in_groups(
        np.full(100, 10), 0.05, 0.8
    ),
    "roc-auc >= 0.95, 100 groups of 10, 5 % positive": lambda: _area_in_groups(
        np.full(100, 10), 0.05, 0.95
    ),
    "roc-auc >= 0.8, 40 groups of 10, 5 % positive, spread 2": lambda: _area_in_groups(
        np.full(40, 10), 0.05, 0.8, spread=2.0
    ),
    "roc-auc >= 0.9, 60 groups of 5, 20 % positive, spread 2": lambda: _area_in_groups(
        np.full(60, 5), 0.2, 0.9, spread=2.0
    ),
    "roc-auc >= 0.8, 100 groups of 5, 20 % positive, one label a group": lambda: _area_in_groups(
        np.full(100, 5), 0.2, 0.8, copied=True
    ),
    "roc-auc >= 0.8, 40 groups of 2 to 41, 20 % positive": lambda: _area_in_groups(
        np.arange(2, 42), 0.2, 0.8
    ),
    "ece, 100 groups of 10, rates too high": lambda: _error_in_groups(
        np.full(100, 10), UP, shape=(2, 5)
    ),
    "ece, 40 groups of 10, both signs": lambda: _error_in_groups(
        np.full(40, 10), BOTH, shape=(2, 5)
    ),
    "ece, 100 groups of 10, 5 % positive": lambda: _error_in_groups(
        np.full(100, 10), UP / 2, shape=(1, 19)
    ),
}


def wrong_passes(name: str, tables: int) -> dict[str, int]:
    """Return how many tables got which state."""
    draw = {**RULES, **IN_GROUPS}[name]()
    counts = {"pass": 0, "fail": 0, "not enough rows": 0}
    for turn in range(tables):
        data, baseline, rule = draw(stream(1, turn))
        counts[pb.check(data, [rule], baseline=baseline, resamples=99).state] += 1
    return counts


# ---------------------------------------------------------------- time

TWENTY = (
    *(
        {"metric": name, "at_least": 0.1}
        for name in ("accuracy", "recall", "precision", "f1", "mcc")
    ),
    *({"metric": name, "at_least": 0.1} for name in ("roc-auc", "average-precision", "bss")),
    *({"metric": name, "at_most": 0.9} for name in ("log-loss", "brier-score")),
    *({"metric": "recall", "at_least": 0.1, "where": f"site == '{site}'"} for site in "abc"),
    {"metric": "roc-auc", "at_least": 0.1, "where": "site == 'a'"},
    {"metric": "recall", "at_least": 0.1, "threshold": 0.3},
    {"within": 0.2},
    *({"metric": name, "not_worse_by": 0.1} for name in ("log-loss", "roc-auc", "accuracy", "f1")),
)


def lines_of_time(rows: int = 1_000_000) -> Iterator[str]:
    """Yield how long twenty rules take, four of them differences to a baseline."""
    rng = stream(0, 4)
    y, model, baseline = _two(rng, rows)
    site = {"site": rng.choice(["a", "b", "c"], rows)}
    data = pb.Predictions.from_arrays(y, model, attributes=site)
    other = pb.Predictions.from_arrays(y, baseline)
    pb.check(data.select(where=range(1000)), TWENTY, baseline=other.select(where=range(1000)))
    begun, worked = time.perf_counter(), time.process_time()
    answer = pb.check(data, TWENTY, baseline=other)
    seconds, own = time.perf_counter() - begun, time.process_time() - worked
    yield f"{len(answer.rules)} rules, {rows:,} rows: {seconds:.1f} s, of one core {own:.1f} s"


def lines_of_states() -> Iterator[str]:
    """Yield the table of states, by enumeration."""
    yield "| positives | truth | pass | fail | not enough rows | a point gate passes |"
    yield "|---|---|---|---|---|---|"
    for positives, truth in CASES:
        cells = " | ".join(f"{share:.3f}" for share in shares(positives, truth))
        yield f"| {positives:,} | {truth:.2f} | {cells} |"


def lines_of_passes(rules: Iterable[str], tables: int, only: str | None) -> Iterator[str]:
    """Yield the table of wrong passes, by simulation."""
    yield "| rule, whose bound is the true value | tables | wrong passes (se) | fails |"
    yield "|---|---|---|---|"
    for name in rules:
        if only is None or only in name:
            counts = wrong_passes(name, tables)
            share = counts["pass"] / tables
            error = np.sqrt(share * (1 - share) / tables)
            fails = counts["fail"] / tables
            yield f"| {name} | {tables:,} | {share:.4f} ({error:.4f}) | {fails:.4f} |"


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("states", "wrong", "groups", "time"))
    parser.add_argument("--tables", type=int, default=5000)
    parser.add_argument("--only")
    given = parser.parse_args()
    lines = {
        "states": lines_of_states,
        "wrong": lambda: lines_of_passes(RULES, given.tables, given.only),
        "groups": lambda: lines_of_passes(IN_GROUPS, given.tables, given.only),
        "time": lines_of_time,
    }[given.what]()
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
