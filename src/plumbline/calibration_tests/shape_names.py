"""A shape of miscalibration as text: the fault, its size, what to do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from plumbline.calibration_errors.next_steps import STEPS_BY_SHAPE
from plumbline.calibration_tests.shape_fits import Candidate, best_shape, candidates
from plumbline.calibration_tests.shape_forms import (
    HOTTEST,
    MOST_ODDS,
    MOST_RANDOM,
    MOST_SHIFT,
    WeightedRows,
)
from plumbline.formatting import amount, beside, capital, counted, ends, named, number
from plumbline.predictions import Predictions


@dataclass(frozen=True, slots=True)
class Case:
    """What a sentence needs.

    Attributes
    ----------
    what : the event, such as "the probability of rain"
    evidence : the evidence of the named shape, None where there is none
    """

    what: str
    evidence: dict[str, Any] | None

    @property
    def row(self) -> dict[str, Any]:
        """Return the evidence of the named shape."""
        if self.evidence is None:
            raise TypeError("only a named shape has an amount")
        return self.evidence

    @property
    def amount(self) -> str:
        """Return the estimate and its interval, without a sign."""
        row = self.row
        span = sorted((row["low"], row["high"]))
        size = row["estimate"]
        if row["kind"] in ("probability", "log-odds") and size < 0:
            size, span = -size, [-span[1], -span[0]]
        unit = " in log-odds" if row["kind"] == "log-odds" else ""
        last = size == span[1] or size > NEAR_LIMIT * LIMITS[row["kind"]][1]
        unit += " or more" if last else " or less" if size == span[0] else ""
        low, high = ends(*span)
        shown = amount(size) if last else beside(size, (span[0], span[1]))
        if low == high:  # at the end of what is looked for
            return f"{shown}{unit}"
        return f"{shown}{unit} (95 % CI {_between(row['kind'], span, low, high)})"


# The ends of what is looked for, where an interval goes on: how far is not known.
LIMITS = {
    "temperature": (float(np.exp(-HOTTEST)), float(np.exp(HOTTEST))),
    "share": (-np.inf, MOST_RANDOM),
    "probability": (-MOST_SHIFT, MOST_SHIFT),
    "log-odds": (-MOST_ODDS, MOST_ODDS),
}
NEAR_LIMIT = 0.99  # beyond, the likelihood is flat: a larger amount is as likely


def _between(kind: str, ends: Sequence[float], low: str, high: str) -> str:
    """Return an interval from its ends as text, open where an end is that of what is looked for.

    >>> _between("log-odds", [3.91, 5.0], "3.91", "5"), _between("share", [0.1, 0.4], "10", "40")
    ('3.91 or more', '10 to 40')
    """
    least, most = LIMITS[kind]
    if np.isclose(ends[1], most):
        return f"{low} or more"
    return f"{high} or less" if np.isclose(ends[0], least) else f"{low} to {high}"


@dataclass(frozen=True, slots=True)
class ShapeWords:
    """The texts of a shape: in a few words, in a sentence, and what to do."""

    short: Callable[[Case], str]
    fault: Callable[[Case], str]
    remedy: Callable[[Case], str]


def _shifted(direction: str, correction: str) -> ShapeWords:
    def remedy(case: Case) -> str:
        unit = " in log-odds" if case.row["kind"] == "log-odds" else ""
        size = number(abs(case.row["estimate"]))
        return f"{capital(correction)} {size}{unit}, or fit an intercept on held-out rows."

    return ShapeWords(
        lambda case: f"{case.what.removeprefix('the ')} too {direction}",
        lambda case: f"{capital(case.what)} is too {direction} throughout, by about {case.amount}.",
        remedy,
    )


def _stretched(name: str, extreme: str) -> ShapeWords:
    return ShapeWords(
        lambda case: name,
        lambda case: f"Probabilities {extreme}: temperature {case.amount}.",
        lambda case: (
            "Divide the logits (or log probabilities) by the temperature and renormalise each row."
        ),
    )


def _few(case: Case) -> str:
    row = case.row
    share, low, high = (f"{100 * row[name]:.2g}" for name in ("estimate", "low", "high"))
    ends = _between(row["kind"], [row["low"], row["high"]], low, high)
    ends = f"{low} % or more" if ends.endswith("more") else f"{ends} %"
    return f"About {share} % of the labels (95 % CI {ends}) are unrelated to the predictions."


FEW = 0.05  # a share of the rows from which on they are no longer few


def _rows(case: Case) -> str:
    share = case.row["estimate"]
    return "overconfident in " + ("few rows" if share < FEW else f"{100 * share:.2g} % of the rows")


def _often(case: Case) -> tuple[str, str]:
    return ("often", "high") if case.row["estimate"] > 0 else ("rarely", "low")


def _class(case: Case) -> str:
    often, direction = _often(case)
    return (
        f"{named(case.row['class'])} is predicted too {often}: its probability is too {direction} "
        f"by about {case.amount}."
    )


SENTENCES: dict[str, ShapeWords] = {
    "over-estimation": _shifted("high", "subtract"),
    "under-estimation": _shifted("low", "add"),
    "overconfident": _stretched("overconfident", "too extreme"),
    "underconfident": _stretched("underconfident", "not extreme enough"),
    "few-bad-points": ShapeWords(
        _rows,
        _few,
        lambda case: STEPS_BY_SHAPE["few-bad-points"].text,
    ),
    "one-bad-class": ShapeWords(
        lambda case: f"{named(case.row['class'])} predicted too {_often(case)[0]}",
        _class,
        lambda case: STEPS_BY_SHAPE["one-bad-class"].text,
    ),
}
NO_SHAPE = "No simple shape: neither a shift, nor a temperature, nor random labels explain it."
FREE = (
    "See where the reliability diagram leaves its band; recalibrate with a flexible map such as "
    "isotonic regression."
)


def fault_of(shape: str, case: Case) -> tuple[str, str]:
    """Return a shape in a few words, and in a sentence."""
    if shape == "other":
        return "in no simple shape", NO_SHAPE
    words = SENTENCES[shape]
    return words.short(case), words.fault(case)


def shape_title(shape: str) -> str:
    """Return the name of a shape for a table, which fits every amount of it.

    >>> shape_title("over-estimation"), shape_title("few-bad-points"), shape_title("one-bad-class")
    ('Overestimation', 'Random labels', 'One bad class')
    """
    if shape == "few-bad-points":
        return "Random labels"
    return capital(shape.replace("-estimation", "estimation").replace("-", " "))


NEARLY = 0.05  # a second shape is named that explains so much less of the excess at most


def rival_of(shape: str, evidence: Sequence[Mapping[str, Any]], impossible: int) -> str | None:
    """Say which other shape explains nearly as much as the named one, if one does."""
    if shape in ("none", "other"):
        return None
    known = (row for row in evidence if isfinite(row["explained"] or 0.0))
    shares = {row["shape"]: row["explained"] for row in known if row["explained"] is not None}
    named = shares.get(shape, 1.0)
    others = [row for row in evidence if row["shape"] != shape and row["shape"] in shares]
    best = max(others, key=lambda row: row["explained"], default=None)
    if best is None or best["explained"] < named - NEARLY:
        return None
    verb = "explain" if best["shape"] == "few-bad-points" else "explains"
    text = (
        f"{shape_title(best['shape'])} ({best['kind']} {amount(best['estimate'])}) {verb} "
        f"{100 * best['explained']:.0f} % of the excess error as well"
    )
    if shape == "few-bad-points" and impossible:
        rows = counted(impossible, "row")
        return f"{text}; diagnose without the {rows} whose observed class had probability 0"
    return text


def remedy_of(shape: str, case: Case) -> str:
    """Return what to do about a shape."""
    return FREE if shape == "other" else SENTENCES[shape].remedy(case)


OTHER = "other"
# A class whose probability is off, None: all; and which way, such as "too high", "too extreme".
Direction = tuple[str | None, str]
EXTREME = {
    "overconfident": "too extreme",
    "few-bad-points": "too extreme",
    "underconfident": "not extreme enough",
}
# The factor from which Jeffreys calls evidence strong. Of 718 verdicts it leaves 35 with a wrong
# direction alone; without it there are 118, with a factor of 3 there are 66
# (python studies/omnibus.py words).
STRONG = float(np.log(10.0))


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with probabilities that a test has rejected.

    Attributes
    ----------
    shape : its name, "other" where none explains it
    short, sentence : in a few words, and with its amount and interval; both name a second shape
        where one of another direction is nearly as likely
    """

    shape: str
    short: str
    sentence: str


def fault_in(data: Predictions, rows: WeightedRows, *, top: bool) -> Fault:
    """Return the shape that explains best what is wrong; `top`: of the most likely class."""
    return fault_among(data, candidates(rows), top=top)


def fault_among(data: Predictions, shapes: Sequence[Candidate], *, top: bool) -> Fault:
    """Return the fault that the fitted shapes name: one, or two of which neither is sure."""
    best = best_shape(shapes)
    if best is None:
        return Fault(OTHER, *fault_of(OTHER, case_of(data, None, top=top)))
    short, sentence = _words_of(data, best, top=top)
    direction = direction_of(data, best)
    near = [
        one
        for one in shapes
        if one.worth > best.worth - STRONG and direction_of(data, one) != direction
    ]
    if near:
        other = _words_of(data, max(near, key=lambda one: one.worth), top=top)
        short, sentence = f"{short}, or {other[0]}", f"{sentence} Or, nearly as likely: {other[1]}"
    return Fault(best.shape, short, sentence)


def _words_of(data: Predictions, one: Candidate, *, top: bool) -> tuple[str, str]:
    return fault_of(one.shape, case_of(data, estimate_of(data, one), top=top))


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


def case_of(data: Predictions, evidence: dict[str, Any] | None, *, top: bool) -> Case:
    """Return what a sentence needs: the event in words, and the evidence."""
    likely = top or data.k > 2
    what = "most likely class" if likely else named(data.classes[data.positive])
    return Case(f"the probability of {'the ' if likely else ''}{what}", evidence)


def estimate_of(data: Predictions, one: Candidate) -> dict[str, Any]:
    """Return a shape with its estimate and interval; without effect where it does not fit.

    Where the likelihood is flat all three are NaN, and `estimable` is False.
    """
    by = (0.0, np.nan, np.nan) if one.fit is None else (one.fit.by, one.fit.low, one.fit.high)
    if not one.estimable:
        by = (np.nan, np.nan, np.nan)
    values: Sequence[float] = (
        np.exp(by).tolist() if one.kind == "temperature" else [float(x) for x in by]
    )
    return {
        "shape": one.shape,
        "kind": one.kind,
        "class": None if one.number is None else data.classes[one.number],
        "estimable": one.estimable,
        **dict(zip(("estimate", "low", "high"), values, strict=True)),
    }
