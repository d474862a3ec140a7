"""What the parts of the omnibus say together: which way the probabilities are off, and where."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from plumbline.predictions import Predictions
from plumbline.scores import impossible_rows
from plumbline.verdicts import LEVEL
from plumbline.words import capital, counted, number

RARE = 0.01
NAMED = 2  # parts that a sentence names


def finding(data: Predictions, parts: Sequence[Mapping[str, Any]]) -> str:
    """Say which part of the omnibus spoke, in which direction, and whether few rows or all did.

    The Brier score is bounded in every row, so it moves when all rows are off a little; the
    chi-square statistic and the log loss move when a few rows are off badly.
    """
    spoke = [part for part in parts if part["p_value"] <= LEVEL]
    told = [*_direction(data, spoke), *_shares(data, spoke)]
    if not impossible_rows(data):
        told.reverse()  # a class that comes too often makes all rows seem off
    if not told and spoke:
        told = [
            "neither over- nor underconfident on the whole, but off within ranges of probability: "
            "see the reliability diagram"
        ]
    if not told:
        told = ["no part alone, but all of them together lie where draws hardly ever do"]
    return f"{capital('; '.join(told))} ({_who(parts, spoke)})."


def _direction(data: Predictions, spoke: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what the sums over rows say, if they speak."""
    points = {"log-loss", "chi-square", "brier-score"}
    larger = {part["name"] for part in spoke if part["direction"] == "larger"} & points
    smaller = {part["name"] for part in spoke if part["direction"] == "smaller"} & points
    rare = _rare_rows(data)
    impossible = impossible_rows(data)
    if impossible:
        yield (
            f"overconfident, in {counted(impossible, 'row')} completely: what happened had been "
            "given probability 0"
        )
    elif smaller and "brier-score" in larger:
        yield "overconfident where it is in doubt, underconfident where it is sure"
    elif smaller and larger:
        yield f"underconfident on the whole, but a few rows are badly overconfident{rare}"
    elif smaller:
        yield (
            "underconfident: the outcomes follow the probabilities more closely than the "
            "probabilities themselves say"
        )
    elif "brier-score" in larger:
        yield f"overconfident, in many rows a little{rare}"
    elif larger and rare:
        yield f"overconfident in a few rows, badly{rare}"
    elif larger:
        yield "overconfident: what was thought unlikely happens too often"


def _shares(data: Predictions, spoke: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Name the class whose share is furthest off, in units of chance, where that part spoke."""
    if not any(part["scheme"] == "equal-width:1" for part in spoke):
        return
    mass = data.mass / data.mass.sum()
    prob = data.need_prob("a finding").astype(np.float64)
    happened, expected = np.bincount(data.actual, mass, data.k), mass @ prob
    variance = np.square(mass) @ (prob * (1.0 - prob))
    gap = np.square(happened - expected) / np.maximum(variance, np.finfo(np.float64).tiny)
    worst = int(np.argmax(gap))
    yield (
        f"the classes come in other shares than predicted: {data.classes[worst]} in "
        f"{100 * happened[worst]:.3g} % of the rows instead of {100 * expected[worst]:.3g} %"
    )


def _rare_rows(data: Predictions) -> str:
    """Count the rows in which something happened that had been given almost no chance."""
    prob = data.need_prob("a finding").astype(np.float64)[data.mass > 0]
    actual = data.actual[data.mass > 0]
    happened = np.take_along_axis(prob, actual[:, None], axis=1)[:, 0]
    found = int(np.count_nonzero(happened < RARE))
    expected = float(prob[prob < RARE].sum())
    if found <= expected + np.sqrt(expected):
        return ""
    return (
        f": in {counted(found, 'row')} something happened that had been given less than 1 %, where "
        f"true probabilities would have about {number(expected)}"
    )


def _who(parts: Sequence[Mapping[str, Any]], spoke: Sequence[Mapping[str, Any]]) -> str:
    """Name the parts that spoke, the strongest first."""
    if not spoke:
        best = min(parts, key=lambda part: float(part["p_value"]))
        return f"the strongest part is {called(best)}, p = {number(best['p_value'])}"
    told = [
        f"{called(part)} {part['direction']} than if true, p = {number(part['p_value'])}"
        for part in sorted(spoke, key=lambda part: float(part["p_value"]))
    ]
    more = [f"and {counted(len(told) - NAMED, 'more part')}"] if len(told) > NAMED else []
    return "; ".join([*told[:NAMED], *more])


def called(part: Mapping[str, Any]) -> str:
    """Return a part's name as a sentence says it."""
    where = "" if part["scheme"] is None else f" ({part['view']}, {part['scheme']})"
    return f"{NAMES[part['name']]}{where}"


NAMES = {
    "ece": "ECE",
    "log-loss": "log loss",
    "brier-score": "Brier score",
    "chi-square": "chi-square",
    "hosmer-lemeshow": "Hosmer-Lemeshow",
}
