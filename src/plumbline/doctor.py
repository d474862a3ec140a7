"""Looks at a table before it is evaluated: what is odd about this input?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline.predictions import Predictions, count_examples, examples_in, only_predictions
from plumbline.predictions.probabilities import looks_like_softmax_of_probabilities
from plumbline.results import Result
from plumbline.words import counted

FEW_ROWS = 100
MANY_TIES = 0.5
CLEAR_MASS = 0.01


@dataclass(frozen=True, repr=False, eq=False)
class Remark(Result):
    """One remark: `subject` names the check, `text` says what was seen and what it means."""

    subject: str
    text: str

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield the remark as one line."""
        yield self.subject, self.text


@dataclass(frozen=True, repr=False, eq=False)
class InputCheck(Result):
    """What a table holds, and what is odd about it.

    Attributes
    ----------
    n, effective_n, k : examples, effective examples (each counted once, however many models
        predicted it), classes
    table_rows : rows of the table, of all models, folds and repeats
    class_shares : weighted share of every class among the true labels
    models, folds, attributes : how many there are
    missing_classes : classes without a single row
    distinct_scores : number of distinct probabilities of the positive or most likely class, of
        all models together
    share_at_zero, share_at_one : share of all probabilities that are exactly 0, exactly 1
    largest_sum_error : largest distance of a row sum from 1
    remarks : what to know before reading on; empty if nothing is odd
    """

    n: int
    effective_n: float
    k: int
    table_rows: int
    class_shares: dict[str, float]
    models: int
    folds: int
    attributes: int
    missing_classes: Sequence[str]
    distinct_scores: int | None
    share_at_zero: float | None
    share_at_one: float | None
    largest_sum_error: float | None
    remarks: Sequence[Remark]

    @property
    def unit(self) -> str:
        """What n counts: rows where every row is an example of its own."""
        return "row" if self.n == self.table_rows else "example"


def check_input(data: Predictions) -> InputCheck:
    """Look for what makes an evaluation misleading: absent classes, ties, mass at 0 and 1, ...

    >>> check = check_input(Predictions.from_arrays([1, 1, 1], [1.0, 1.0, 0.6]))
    >>> check.missing_classes
    ('0',)
    >>> [remark.subject for remark in check.remarks]
    ['missing classes', 'few rows', 'mass at 0 and 1']
    """
    only_predictions(data)
    examples = count_examples(data)
    shares = np.bincount(data.actual, data.mass, data.k) / (data.mass.sum() or 1.0)
    missing = tuple(c for c, share in zip(data.classes, shares, strict=True) if share == 0)
    prob = data.prob
    facts: dict[str, Any] = {
        "distinct_scores": None,
        "share_at_zero": None,
        "share_at_one": None,
        "largest_sum_error": None,
    }
    if prob is not None:
        score = prob[:, data.positive] if data.k == 2 else prob.max(axis=1)
        facts = {
            "distinct_scores": len(np.unique(score)),
            "share_at_zero": float((prob == 0).mean()),
            "share_at_one": float((prob == 1).mean()),
            "largest_sum_error": float(np.abs(prob.sum(axis=1, dtype=np.float64) - 1).max()),
        }
    return InputCheck(
        n=examples.n,
        effective_n=examples.effective_n,
        k=data.k,
        table_rows=data.n,
        class_shares={c: float(s) for c, s in zip(data.classes, shares, strict=True)},
        models=len(data.models),
        folds=len(data.folds),
        attributes=len(data.attributes),
        missing_classes=missing,
        remarks=tuple(Remark(*pair) for pair in _remarks(data, missing, facts)),
        **facts,
    )


def _remarks(
    data: Predictions, missing: Sequence[str], facts: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    if missing:
        yield (
            "missing classes",
            f"no row of positive weight belongs to {shown(missing)}; their probabilities are "
            "checked only by not happening",
        )
    if data.weight is not None and _looks_aggregated(data.weight):
        yield (
            "weights look like counts",
            "all weights are whole numbers and some are above 1. A weighted row is one draw in a "
            "test: if a row stands for several examples, repeat it instead, or the test finds "
            "the outcomes far too regular",
        )
    examples = examples_in(data)
    if examples < data.n:
        yield (
            "several rows of one example",
            f"{counted(data.n, 'row')} are of {counted(examples, 'example')}. Nulls and tests draw "
            "every row for itself, so their p-values come out too small and their ranges too "
            "narrow: take one repeat for them",
        )
    if data.prob is None:
        yield "no probabilities", "labels or ratings alone: calibration cannot be judged"
        return
    rows = data.n // max(1, len(data.models))
    if rows < FEW_ROWS:
        yield (
            "few rows",
            f"{rows} rows a model: true probabilities already score far from 0 here, so read every "
            "number beside its range under true probabilities",
        )
    if facts["distinct_scores"] < MANY_TIES * data.n:
        yield (
            "ties",
            f"only {counted(facts['distinct_scores'], 'distinct score')}: the classifier groups "
            "its rows, as trees and binned models do, or its scores were rounded, as close to 1 in "
            "single precision; bins of equal size cannot split them",
        )
    if max(facts["share_at_zero"], facts["share_at_one"]) > CLEAR_MASS:
        yield (
            "mass at 0 and 1",
            f"{100 * facts['share_at_zero']:.1f} % of all probabilities are exactly 0 and "
            f"{100 * facts['share_at_one']:.1f} % exactly 1: a single surprise there makes the log "
            "loss infinite",
        )
    if facts["largest_sum_error"] > 1e-6:
        yield (
            "row sums",
            f"rows sum to 1 only within {facts['largest_sum_error']:.2g}, which single precision "
            "or rounding explains",
        )
    yield from _softmax_twice(data)


def _looks_aggregated(weight: NDArray[np.float64]) -> bool:
    """Tell whether weights are counts of examples rather than their importance."""
    return bool(np.all(weight == np.floor(weight)) and weight.max() > 1)


def _softmax_twice(data: Predictions) -> Iterator[tuple[str, str]]:
    """Remark on probabilities that went through a softmax once more than they should."""
    if data.prob is None or data.k < 3 or np.any(data.prob <= 0):
        return
    log_prob = np.log(data.prob.astype(np.float64))
    largest = np.max(log_prob + (1.0 - log_prob.sum(axis=1, keepdims=True)) / data.k)
    if largest > 0.9 and looks_like_softmax_of_probabilities(log_prob):
        yield (
            "logits that look like probabilities",
            "every row is what a softmax makes of numbers that already were probabilities; such "
            "probabilities are far too flat. Apply the softmax once",
        )
