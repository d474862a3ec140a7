"""The shape of a miscalibration that a test has found: the same words wherever it is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.calibration_tests.shapes.candidates import LEFT as CLEAR
from plumbline.calibration_tests.shapes.candidates import Candidate, candidates, named
from plumbline.calibration_tests.shapes.rows import Rows
from plumbline.calibration_tests.shapes.wording import Case, fault_of
from plumbline.predictions import Predictions

OTHER = "other"
# A class whose probability is off, None: all; and which way, such as "too high", "too extreme".
Direction = tuple[str | None, str]
EXTREME = {
    "overconfident": "too extreme",
    "few-bad-points": "too extreme",
    "underconfident": "not extreme enough",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with probabilities that a test has rejected.

    Attributes
    ----------
    shape : its name, "other" where none explains it
    short, sentence : in a few words, and with its amount and interval
    direction : what is off, and which way; None where no shape explains it
    others : directions of other shapes that explain it nearly as well, by a factor of at most 20
    """

    shape: str
    short: str
    sentence: str
    direction: Direction | None = None
    others: frozenset[Direction] = frozenset()


def fault_in(data: Predictions, rows: Rows, *, top: bool) -> Fault:
    """Return the shape that explains best what is wrong; `top`: of the most likely class."""
    found = candidates(rows)
    best = named(found)
    case = case_of(data, None if best is None else estimate_of(data, best), top=top)
    shape = OTHER if best is None else best.shape
    told = fault_of(shape, case)
    if best is None:
        return Fault(shape, *told)
    direction = direction_of(data, best)
    near = {direction_of(data, one) for one in found if one.worth > best.worth - CLEAR}
    return Fault(shape, *told, direction, frozenset(near - {direction}))


def direction_of(data: Predictions, one: Candidate) -> Direction:
    """Return what a shape says is off, and which way.

    A most likely class that is too probable, of more than two, is a table that is too extreme.
    """
    if one.shape in EXTREME:
        return None, EXTREME[one.shape]
    if one.number is not None and one.fit is not None:
        return data.classes[one.number], "too high" if one.fit.by > 0 else "too low"
    high = one.shape == "over-estimation"
    if data.k > 2:
        return None, "too extreme" if high else "not extreme enough"
    return data.classes[data.positive], "too high" if high else "too low"


def case_of(data: Predictions, found: dict[str, Any] | None, *, top: bool) -> Case:
    """Return what a sentence needs: the event in words, and the evidence."""
    likely = top or data.k > 2
    what = "most likely class" if likely else str(data.classes[data.positive])
    return Case(f"the probability of {'the ' if likely else ''}{what}", found)


def estimate_of(data: Predictions, one: Candidate) -> dict[str, Any]:
    """Return a shape with its estimate and interval; without effect where it does not fit."""
    by = (0.0, np.nan, np.nan) if one.fit is None else (one.fit.by, one.fit.low, one.fit.high)
    values: Sequence[float] = (
        np.exp(by).tolist() if one.kind == "temperature" else [float(x) for x in by]
    )
    return {
        "shape": one.shape,
        "kind": one.kind,
        "class": None if one.number is None else data.classes[one.number],
        **dict(zip(("estimate", "low", "high"), values, strict=True)),
    }
