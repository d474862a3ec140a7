"""The shape of a miscalibration that a test has found: the same words wherever it is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.calibration_tests.shapes.candidates import Candidate, candidates, named
from plumbline.calibration_tests.shapes.rows import Rows
from plumbline.calibration_tests.shapes.wording import Case, fault_of
from plumbline.predictions import Predictions

OTHER = "other"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with probabilities that a test has rejected.

    Attributes
    ----------
    shape : its name, "other" where none explains it
    short, sentence : in a few words, and with its amount and interval
    """

    shape: str
    short: str
    sentence: str


def fault_in(data: Predictions, rows: Rows, *, top: bool) -> Fault:
    """Return the shape that explains best what is wrong; `top`: of the most likely class."""
    found = candidates(rows)
    best = named(found)
    case = case_of(data, None if best is None else estimate_of(data, best), top=top)
    shape = OTHER if best is None else best.shape
    return Fault(shape, *fault_of(shape, case))


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
