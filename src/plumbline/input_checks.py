"""Checks a table before it is evaluated: is anything unusual about it?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline._result import Detail, Note, Presentation, Result
from plumbline.dependence import RowGroups, group_details, row_groups_in
from plumbline.formatting import capital, counted, quoted
from plumbline.predictions import (
    Labels,
    Predictions,
    count_distinct,
    count_examples,
    examples_in,
    only_predictions,
    repeated_id,
)
from plumbline.predictions.probabilities import looks_like_softmax_of_probabilities

FEW_ROWS = 100  # below it every estimate is wide; a convention
# Distinct scores as a share of the rows, below which ties are remarked on; a convention.
MANY_TIES = 0.5
CLEAR_MASS = 0.01  # share of probabilities of exactly 0 or 1 that is worth a remark; a convention
Wide = NDArray[np.float64]

STRICT = 0.001  # level of the remark `auc-below-half`, shared by the models; a convention
OPEN = 0.2  # with a bound above this one p <= 0.001 is out of reach
STEPS = np.geomspace(1e-2, 1e4, 60)  # for the sharpest bound; any of them gives a valid one
CELL_BITS = 45  # of 64 that are left out: 128 cells where numbers double
MOST_RANKS = 10_000  # of more, neighbours are taken together: the bound stays one, a little wider
EXCHANGES, CHUNK = 9_999, 101  # the smallest p-value is 1e-4, a tenth of STRICT; drawn in 99 chunks
FEW_TO_EXCHANGE = 2_000  # rows; bounds the time


@dataclass(frozen=True, repr=False, eq=False)
class Remark(Result):
    """One remark: `code` and `subject` name the check, `text` is the finding and what it means.

    The code is the same in all versions.
    """

    code: str
    subject: str
    text: str

    def present(self) -> Presentation:
        """Return the remark as one sentence."""
        return Presentation(notes=(self.note,))

    @property
    def note(self) -> Note:
        """The remark as a sentence with its code."""
        return Note(f"{capital(self.subject)}: {self.text}.", self.code)


@dataclass(frozen=True, repr=False, eq=False)
class InputCheck(Result):
    """Facts about a table, and remarks on what is unusual.

    Attributes
    ----------
    n, effective_n, k : examples, effective examples (each counted once, however many models
        predicted it), classes
    table_rows : rows of the table, of all models, folds and repeats
    positive : the positive class of two; None of more
    class_shares : weighted share of every class among the true labels
    models, folds, attributes : how many there are
    missing_classes : classes without a single row
    distinct_scores : number of distinct probabilities of the positive or most likely class, of
        all models together
    share_at_zero, share_at_one : share of all probabilities that are exactly 0, exactly 1
    largest_sum_error : largest distance of a row sum from 1
    remarks : findings to know before reading results; empty if nothing is unusual
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    n: int
    effective_n: float
    k: int
    table_rows: int
    positive: str | None
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
    row_groups: RowGroups | None = None

    def present(self) -> Presentation:
        """Return the facts, and a note for every remark."""
        apart = ("remarks", "", "row_groups")
        lines = ((name, text) for name, text in self.shown_lines() if name not in apart)
        remarks = counted(len(self.remarks), "remark")
        return Presentation(
            summary=f"{remarks} on these rows."
            if self.remarks
            else "Nothing unusual in these rows.",
            details=(
                *(Detail(name, name.replace("_", " "), text) for name, text in lines),
                *group_details(self.row_groups),
            ),
            notes=tuple(remark.note for remark in self.remarks),
        )

    @property
    def unit(self) -> str:
        """What n counts: rows where every row is an example of its own."""
        return "row" if self.n == self.table_rows else "example"


def check_input(data: Predictions) -> InputCheck:
    """Check for what makes an evaluation misleading, such as missing classes, ties and few rows.

    Parameters
    ----------
    data : Predictions
        The table.

    Returns
    -------
    InputCheck
        Facts about the table, and a remark with a code for everything unusual.

    Examples
    --------
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
    prob = data.prob if data.prob is None or not data.counted else data.prob[data.mass > 0]
    times = data.mass[data.mass > 0] if data.counted else None
    facts: dict[str, Any] = {
        "distinct_scores": None,
        "share_at_zero": None,
        "share_at_one": None,
        "largest_sum_error": None,
    }
    if prob is not None:
        score = prob[:, data.positive] if data.k == 2 else prob.max(axis=1)
        facts = {
            "distinct_scores": count_distinct(score),
            "share_at_zero": _share(prob == 0, times),
            "share_at_one": _share(prob == 1, times),
            "largest_sum_error": float(np.abs(prob.sum(axis=1, dtype=np.float64) - 1).max()),
        }
    return InputCheck(
        n=examples.n,
        effective_n=examples.effective_n,
        k=data.k,
        table_rows=data.total,
        positive=data.classes[data.positive] if data.k == 2 else None,
        class_shares={c: float(s) for c, s in zip(data.classes, shares, strict=True)},
        models=len(data.models),
        folds=len(data.folds),
        attributes=len(data.attributes),
        missing_classes=missing,
        remarks=(*_row_remarks(data, missing), *_probability_remarks(data, facts)),
        row_groups=row_groups_in(data),
        **facts,
    )


def _share(marks: NDArray[np.bool_], times: NDArray[np.float64] | None) -> float:
    """Return the share of all entries that are marked, of rows that stand for so many."""
    if not marks.any():
        return 0.0
    return float(marks.mean() if times is None else np.average(marks.mean(axis=1), weights=times))


def _row_remarks(data: Predictions, missing: Sequence[str]) -> Iterator[Remark]:
    """Remark on repeated IDs, classes, weights, repeated examples and reversed scores."""
    again = repeated_id(data)
    if again is not None:
        yield Remark(
            "rows-repeat",
            "rows that repeat",
            again.text,
        )
    if missing:
        yield Remark(
            "missing-classes",
            "missing classes",
            f"no row of positive weight has the class {shown(missing)}, so only its "
            "over-prediction can be detected",
        )
    if data.weight is not None and not data.counted and _looks_aggregated(data.weight):
        yield Remark(
            "weights-look-like-counts",
            "weights look like counts",
            "all weights are whole numbers, some above 1. A test takes a weighted "
            "row as one draw. If a row stands for several examples, repeat it instead",
        )
    examples = examples_in(data)
    if examples < data.n:
        yield Remark(
            "several-rows-of-one-example",
            "several rows of one example",
            f"{counted(data.n, 'row')} come from {counted(examples, 'example')}. Tests treat rows "
            "as independent, so p-values are too small and ranges too narrow. Use one repeat for "
            "tests",
        )
    backwards = ranks_backwards(data)
    if backwards is not None:
        yield backwards


def _probability_remarks(data: Predictions, facts: dict[str, Any]) -> Iterator[Remark]:
    """Remark on absent, few, tied, extreme and inexact probabilities."""
    if data.prob is None:
        yield Remark(
            "no-probabilities",
            "no probabilities",
            "labels or ratings only: calibration cannot be evaluated",
        )
        return
    rows = data.total // max(1, len(data.models))
    if rows < FEW_ROWS:
        yield Remark(
            "few-rows",
            "few rows",
            f"only {rows} rows per model. Even calibrated models have errors far above 0, so "
            "compare every error with its range if calibrated",
        )
    known = data.levels is None or bool(data.levels.alike.all())  # else rows of a level may differ
    if known and facts["distinct_scores"] < MANY_TIES * data.total:
        yield Remark(
            "ties",
            "ties",
            f"only {counted(facts['distinct_scores'], 'distinct score')}: the "
            "classifier groups rows (as trees do), or scores were rounded. "
            "Equal-size bins cannot split them",
        )
    if max(facts["share_at_zero"], facts["share_at_one"]) > CLEAR_MASS:
        yield Remark(
            "mass-at-0-and-1",
            "mass at 0 and 1",
            f"{100 * facts['share_at_zero']:.1f} % of all probabilities are exactly 0 "
            f"and {100 * facts['share_at_one']:.1f} % exactly 1. One wrong prediction "
            "there makes the log loss infinite",
        )
    if facts["largest_sum_error"] > 1e-6:
        yield Remark(
            "row-sums",
            "row sums",
            f"rows sum to 1 only within {facts['largest_sum_error']:.2g}, because of "
            "single precision or rounding",
        )
    yield from _softmax_twice(data)


def ranks_backwards(data: Predictions) -> Remark | None:
    """Return a remark if the AUC of two classes is significantly below 0.5, model by model.

    Such a table mostly holds the probabilities of the other class. The level 0.001 is divided by
    the number of models; of several rows of one example the first counts. None for more classes,
    and without probabilities and ratings.

    >>> y = [0, 1] * 20
    >>> backwards = Predictions.from_arrays(y, [0.8 - 0.5 * one for one in y])
    >>> ranks_backwards(backwards).code
    'auc-below-half'
    """
    if data.k != 2 or (data.prob is None and data.score is None):
        return None
    models = data.by_model()
    result = {}
    for model, part in models.items():
        if _probability_so_low(part) <= STRICT / len(models):
            from plumbline.curves import roc_auc

            area = roc_auc(part)
            if area < 0.5:
                result[model] = area
    if not result:
        return None
    name, other = data.classes[data.positive], data.classes[1 - data.positive]
    areas = ", ".join(
        f"{area:.3f}" if model is None else f"{area:.3f} ({model})"
        for model, area in result.items()
    )
    return Remark(
        "auc-below-half",
        "AUC below 0.5",
        f"the AUC of the positive class {quoted(name)} is {areas}, significantly below 0.5 (p < "
        f"0.001); rows of {quoted(name)} get the lower scores. Are these the probabilities of "
        f"{quoted(other)}? Check the columns and the positive class (`positive={other!r}`)",
    )


def _probability_so_low(data: Predictions) -> float:
    """Return the probability that positive rows rank so low if ranks are independent of classes.

    The m positive rows are then drawn from all n without replacement, whatever the ties. Their mean
    rank is below t with a probability of at most the least value, over s > 0, of (mean of exp(s (t
    - rank)))^m (Hoeffding 1963, theorem 4). Where that bound is inconclusive and rows are few,
    classes are permuted at random: p = (1 + number as low) / (draws + 1).
    """
    if data.counted and data.total <= FEW_TO_EXCHANGE:
        data = data.repeated()
    scored = _scored(data)
    if _surely_forward(*scored):
        return 1.0
    rank, count, events = _ranked(*scored)
    m, n = int(events.sum()), int(count.sum())
    t = float(np.average(rank, weights=events)) if m else 0.0
    if t >= 0:
        return 1.0
    from scipy.special import logsumexp

    scales = STEPS / -rank[0]
    mean, width, rows = _neighbours(rank, count)
    exponents = (s * (t - mean) + np.square(s * width) / 8 for s in scales)
    bound = np.exp(m * min(logsumexp(one, b=rows / n) for one in exponents))
    if bound <= STRICT or bound > OPEN or n > FEW_TO_EXCHANGE:
        return float(min(bound, 1.0))
    each = np.repeat(rank, count.astype(np.intp))
    rng, as_low = np.random.default_rng(0), 1
    for _ in range(EXCHANGES // CHUNK):
        drawn = rng.random((CHUNK, n)).argpartition(m, axis=1)[:, :m]
        as_low += int((each[drawn].mean(axis=1) <= t + 1e-12).sum())
    return as_low / (EXCHANGES + 1)


def _scored(data: Predictions) -> tuple[Wide, Wide, Wide]:
    """Return (n,) scores, rows at each, and how many of these are positive.

    Rows without weight, and all but the first row of an example, are left out.
    """
    rating = np.asarray(data.score if data.prob is None else data.prob)
    score = rating[:, data.positive] if rating.ndim == 2 else rating
    times = data.mass if data.counted else np.ones(data.stored)
    hits = np.where(data.actual == data.positive, times, 0.0)
    keep = data.mass > 0
    if data.row is not None:
        first = np.zeros(data.stored, bool)
        first[np.unique(Labels.of("row", data.row).codes, return_index=True)[1]] = True
        keep &= first
    if not keep.all():
        score, times, hits = score[keep], times[keep], hits[keep]
    return score, times, hits


def _surely_forward(score: Wide, times: Wide, hits: Wide) -> bool:
    """Tell whether the AUC is 0.5 or more, as far as that shows without sorting the scores.

    Cells of neighbouring scores come in order. Pairs of two cells are counted as they are, those of
    one cell as wrong, so that no table with an AUC below 0.5 passes. A cell has the leading digits
    of the distance from the lowest score, or from the highest.

    >>> score, ones = np.linspace(0, 1, 1000), np.ones(1000)
    >>> [_surely_forward(one, ones, (score > 0.5) * 1.0) for one in (score, 1 - score)]
    [True, False]
    """
    if len(score) == 0 or not np.isfinite(score.max() - score.min()):
        return False
    for turned in (False, True):
        distance = np.asarray(score.max() - score if turned else score - score.min(), np.float64)
        cell = distance.view(np.int64) >> CELL_BITS
        positive = np.bincount(cell, hits)
        negative = np.bincount(cell, times) - positive
        # Negatives of lower scores, whose cells are nearer to the lowest, further from the highest.
        below = np.cumsum(negative)
        sure = positive @ (negative.sum() - below if turned else below - negative)
        if sure > (positive.sum() * negative.sum()) / 2 * (1 + 1e-9):
            return True
    return False


def _ranked(score: Wide, times: Wide, hits: Wide) -> tuple[Wide, Wide, Wide]:
    """Return the ranks of all distinct scores, from low to high; rows and rarer class at each.

    Ranks are around 0, equal scores sharing one, and reversed where the negative class is the rarer
    one.
    """
    if np.any(score[1:] < score[:-1]):  # counted rows come in order, and are many
        order = np.argsort(score)
        score, times, hits = score[order], times[order], hits[order]
    starts = np.flatnonzero(np.append(True, score[1:] != score[:-1])[: len(score)])
    count, events = (np.add.reduceat(part, starts) for part in (times, hits))
    n = float(count.sum())
    rank = (np.cumsum(count) - (count + 1) / 2) / n - (n - 1) / (2 * n)
    if 2 * events.sum() <= n:
        return rank, count, events
    return -rank[::-1], count[::-1], (count - events)[::-1]


def _neighbours(rank: Wide, count: Wide) -> tuple[Wide, Wide, Wide]:
    """Return the mean and the width of neighbouring ranks, merged where they are many, and rows.

    A mean of exp(s x) over numbers within a width w is at most exp(s mean + s^2 w^2 / 8)
    (Hoeffding's lemma), so that the bound of all ranks stays one.
    """
    starts = np.arange(0, len(rank), -(-len(rank) // MOST_RANKS))
    ends = np.append(starts[1:], len(rank)) - 1
    rows = np.add.reduceat(count, starts)
    return np.add.reduceat(rank * count, starts) / rows, rank[ends] - rank[starts], rows


def _looks_aggregated(weight: NDArray[np.float64]) -> bool:
    """Tell whether weights are counts of examples rather than their importance."""
    return bool(np.all(weight == np.floor(weight)) and weight.max() > 1)


def _softmax_twice(data: Predictions) -> Iterator[Remark]:
    """Remark on probabilities that went through a softmax once more than they should."""
    if data.prob is None or data.k < 3 or np.any(data.prob <= 0):
        return
    log_prob = np.log(data.prob.astype(np.float64))
    largest = np.max(log_prob + (1.0 - log_prob.sum(axis=1, keepdims=True)) / data.k)
    if largest > 0.9 and looks_like_softmax_of_probabilities(log_prob):
        yield Remark(
            "logits-that-look-like-probabilities",
            "logits that look like probabilities",
            "every row looks like a softmax of probabilities, which makes them far "
            "too flat. Apply the softmax once",
        )
