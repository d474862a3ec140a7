"""How far a number can be from that of the rows, where a table counts them at levels of p.

Each bound holds whatever the rows of a level are: they lie between its edges, and their mean is
known. Levels whose rows are all alike add nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Presentation, Result, Table
from plumbline.errors import InputError
from plumbline.formatting import capital, however_small
from plumbline.frames.levels import NEAR, Levels, Wide
from plumbline.predictions import Predictions
from plumbline.predictions.counted import CountedAt

SINGLE = 2.0**-23  # edges of float32 lie off those of float64 by half of this share
USUAL_BINS = 15  # those of the default ECE
ROWS_AT_ONCE = 1 << 17  # levels whose bounds are computed together, 1 MiB a column


@dataclass(frozen=True, repr=False, eq=False)
class CountingErrors(Result):
    """Largest errors that counting rows at levels can make.

    Attributes
    ----------
    n : rows that were counted; levels : levels that hold rows
    log_loss, brier_score, roc_auc, average_precision : largest error of each
    accuracy : largest error of the accuracy of predictions by the more probable class
    bins : a number of bins of equal width; ece : largest error of their ECE, 0 if it is exact
    threshold : how far thresholds and edges of equal-count bins can lie off, for p from 0.001 to
        0.999
    share : the same for other p, as a share of p or 1 - p
    variance : share by which the variance of the outcomes if calibrated can be too large
    """

    n: int
    levels: int
    log_loss: float
    brier_score: float
    roc_auc: float
    average_precision: float
    accuracy: float
    bins: int
    ece: float
    threshold: float
    share: float
    variance: float

    def present(self) -> Presentation:
        """Return the bounds as a table."""
        bounds = {
            "Rows, observed shares, mean prediction": 0.0,
            f"ECE, {self.bins} equal-width bins": self.ece,
            "Log loss": self.log_loss,
            "Brier score": self.brier_score,
            "ROC AUC": self.roc_auc,
            "Average precision": self.average_precision,
            "Accuracy": self.accuracy,
            "Thresholds, edges of equal-count bins": self.threshold,
            "Variance if calibrated (relative)": self.variance,
        }
        largest = [however_small(bound) if bound else "exact" for bound in bounds.values()]
        return Presentation(
            subject=f"{self.n:,} rows counted at {self.levels:,} levels of the probability",
            tables=(
                Table(
                    {"number": list(bounds), "largest error": largest},
                    left=("number",),
                    title="Largest error from counting rows at levels",
                ),
            ),
            legend=(
                "Exact numbers differ from those of single rows by rounding only.",
                "Below 0.001 and above 0.999, thresholds lie off by at most "
                f"{however_small(self.share)} of p or of 1 - p.",
            ),
            tables_first=True,
        )


def counting_errors(data: Predictions, bins: int = USUAL_BINS) -> CountingErrors:
    """Return bounds on the errors of counting, for one model of a table that `read` counted.

    Raises
    ------
    InputError
        For a table whose rows were not counted at levels, and for several models.
    """
    if data.levels is None or len(data.levels.alike) != data.stored:
        raise InputError("the rows of this table were not counted at levels", code="not-counted")
    data.need_one_model("the error of counting")
    about = data.levels
    mirrored = data.positive != about.column
    linear = about.linear
    rows, events = data.total, float(_weight(data)[data.actual == about.column].sum())
    others = rows - events
    below = np.zeros(2)  # misses and hits at the levels so far
    held = 0
    sums = ("log_loss", "brier", "auc", "precision", "accuracy", "ece", "spread", "noise")
    total = dict.fromkeys(sums, 0.0)
    for cells in _cells(data, about):
        held += len(cells.starts)
        total["log_loss"] += cells.log_loss()
        total["brier"] += cells.brier_score()
        total["spread"] += float((cells.count * cells.up * cells.down).sum())
        total["noise"] += float((cells.count * cells.mean.prod(axis=1)).sum())
        total["auc"] += cells.pairs_in_doubt()
        total["accuracy"] += cells.decisions_in_doubt()
        total["ece"] += cells.bins_in_doubt(bins, linear, mirrored=mirrored)
        before = below if mirrored else np.array([others, events]) - below - cells.total
        total["precision"] += cells.precision_in_doubt(before, mirrored=mirrored)
        below += cells.total
    positives = others if mirrored else events
    return CountingErrors(
        n=rows,
        levels=held,
        log_loss=total["log_loss"] / rows,
        brier_score=total["brier"] / rows,
        roc_auc=total["auc"] / (events * others) if events and others else 0.0,
        average_precision=total["precision"] / positives if positives else 0.0,
        accuracy=total["accuracy"] / rows,
        bins=bins,
        ece=total["ece"] / rows,
        threshold=1 / linear,
        share=1 / about.each,
        variance=total["spread"] / total["noise"] if total["noise"] else 0.0,
    )


def counting_sentence(errors: Sequence[CountingErrors]) -> str:
    """Return the largest errors of some models in words.

    >>> one = CountingErrors(9, 3, 1e-7, 2e-8, 3e-7, 4e-5, 0.0, 15, 0.0, 5e-7, 5e-4, 1e-9)
    >>> print(counting_sentence([one]))
    Counted rows: 9 rows were counted at 3 levels of the probability. Observed shares, mean \
    predictions, the accuracy and the ECE of 15 equal-width bins are exact. Other numbers lie off \
    by at most: log loss 1e-07, Brier score 2e-08, ROC AUC 3e-07, average precision 4e-05, \
    thresholds 5e-07.
    """
    n, levels = (sum(getattr(one, name) for one in errors) for name in ("n", "levels"))
    bounds = {
        "accuracy": max(one.accuracy for one in errors),
        f"ECE of {errors[0].bins} equal-width bins": max(one.ece for one in errors),
        "log loss": max(one.log_loss for one in errors),
        "Brier score": max(one.brier_score for one in errors),
        "ROC AUC": max(one.roc_auc for one in errors),
        "average precision": max(one.average_precision for one in errors),
        "thresholds": max(one.threshold for one in errors),
    }
    exact = [name for name, bound in bounds.items() if bound == 0]
    named = ["observed shares", "mean predictions", *(f"the {name}" for name in exact)]
    most = ", ".join(f"{name} {however_small(bound)}" for name, bound in bounds.items() if bound)
    return (
        f"Counted rows: {n:,} rows were counted at {levels:,} levels of the probability. "
        f"{capital(', '.join(named[:-1]))} and {named[-1]} are exact. "
        f"Other numbers lie off by at most: {most}."
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """Rows of equal level and mean, in order of p: several of a level where folds are counted.

    Attributes
    ----------
    misses, hits : (cells,) counts of the class that was counted and of the other
    mean, low, high : (cells, 2) mean, least and largest 1 - p and p
    up, down : (cells,) how far p of a row can lie above and below the mean; 0 where all are alike
    slip : (cells,) how much the rounding of edges can shift the sum of p
    starts : first cell of each level
    """

    misses: Wide
    hits: Wide
    mean: Wide
    low: Wide
    high: Wide
    up: Wide
    down: Wide
    slip: Wide
    starts: NDArray[np.intp]

    @property
    def count(self) -> Wide:
        return self.misses + self.hits

    @property
    def total(self) -> Wide:
        """Misses and hits of all cells."""
        return np.array([self.misses.sum(), self.hits.sum()])

    def shift(self) -> Wide:
        """Return how far the p of the hits can sum to more or less than hits * mean."""
        h, m = self.hits, self.misses
        up = np.minimum(h * self.up, m * self.down)
        down = np.minimum(h * self.down, m * self.up)
        return np.maximum(up, down) + self.slip

    def brier_score(self) -> float:
        """Sum of (p - y)^2: it changes by 2 shift, and by the variance in the cell."""
        return float((2.0 * self.shift() + self.count * self.up * self.down).sum())

    def log_loss(self) -> float:
        """Sum of -log: by its slope times the shift and its curvature; at most by its range."""
        a, b = self.low[:, 1], self.low[:, 0]
        at = (a > 0) & (b > 0) & (self.up + self.down + self.slip > 0)
        h, m, width = self.hits[at], self.misses[at], (self.up + self.down)[at]
        a, b, shift = a[at], b[at], self.shift()[at]
        near = shift / a + shift / b + h * (width / a) ** 2 / 8 + m * (width / b) ** 2 / 8
        least = h * np.log1p(width / a) + m * np.log1p(width / b)
        whole = self.slip[at] == 0
        return float(np.where(whole, np.minimum(near, least), near).sum())

    def pairs_in_doubt(self) -> float:
        """Pairs of a hit and a miss whose order is not known, those of one cell by half."""
        wide = (self.up > 0) | (self.down > 0)
        own = self.hits * self.misses
        h, m = (np.add.reduceat(part, self.starts) for part in (self.hits, self.misses))
        some = np.logical_or.reduceat(wide, self.starts)
        between = h * m - np.add.reduceat(own, self.starts)
        return float(0.5 * own[wide].sum() + between[some].sum())

    def decisions_in_doubt(self) -> float:
        """Rows of cells around 1/2 whose more probable class is not known."""
        at = ((self.up > 0) | (self.down > 0)) & (self.low[:, 1] <= 0.5) & (self.high[:, 1] >= 0.5)
        return float(np.maximum(self.hits, self.misses)[at].sum())

    def precision_in_doubt(self, before: Wide, *, mirrored: bool) -> float:
        """Sum over events of the range of precision at their thresholds.

        `before` are the misses and hits at higher levels, of lower p where `mirrored`.
        """
        sides = [np.add.reduceat(part, self.starts) for part in (self.misses, self.hits)]
        some = np.logical_or.reduceat((self.up > 0) | (self.down > 0), self.starts)
        if not mirrored:
            sides, some = [side[::-1] for side in sides], some[::-1]
        misses, hits = sides
        fp, tp = (start + np.cumsum(side) - side for start, side in zip(before, sides, strict=True))
        if mirrored:
            hits, misses, tp, fp = misses, hits, fp, tp
        at = some & (hits > 0)
        hits, misses, tp, fp = hits[at], misses[at], tp[at], fp[at]
        best = (tp + hits) / (tp + fp + hits)
        worst = (tp + 1) / (tp + fp + misses + 1)
        return float((hits * (best - worst)).sum())

    def bins_in_doubt(self, bins: int, linear: int, *, mirrored: bool) -> float:
        """Sum of |y - p| that can lie on the other side of an edge of `bins` bins, twice."""
        side = 0 if mirrored else 1
        alike = (self.up == 0) & (self.down == 0)
        low, high = (
            np.where(alike, self.mean[:, side], part[:, side]) for part in (self.low, self.high)
        )
        order = slice(None, None, -1) if mirrored else slice(None)
        high = np.maximum.accumulate(high[order])
        low = np.minimum.accumulate(low[order][::-1])[::-1]
        k = np.arange(1, bins)
        edge = k / bins
        whole = (k * linear % bins == 0) & (edge >= NEAR) & (edge <= 1 - NEAR)
        edge = edge if mirrored else edge[~whole]
        slack = SINGLE * edge
        doubtful = np.zeros(len(low) + 1, np.int64)
        np.add.at(doubtful, np.searchsorted(high, edge - slack), 1)
        np.add.at(doubtful, np.searchsorted(low, edge + slack, "right"), -1)
        at = (np.cumsum(doubtful[:-1]) > 0)[order]
        far = self.hits * self.high[:, 0] + self.misses * self.high[:, 1]
        return float(2.0 * far[at].sum())


def _weight(data: Predictions) -> Wide:
    if data.weight is None:
        raise TypeError("a counted table has counts")
    return data.weight


def _cells(data: Predictions, about: CountedAt) -> Iterator[_Cells]:
    """Yield the cells of a table, some levels at a time, so that little memory is needed."""
    prob, weight = data.need_prob("the error of counting"), _weight(data)
    levels = Levels(about.linear, about.each)
    p, q = prob[:, about.column], prob[:, 1 - about.column]
    in_order = bool(np.all(p[1:] >= p[:-1]) and np.all(q[1:] <= q[:-1]))
    order = None if in_order else np.lexsort((-q, p))
    start, size = 0, ROWS_AT_ONCE
    while start < data.stored:
        stop = min(start + size, data.stored)
        rows = slice(start, stop) if order is None else order[start:stop]
        mean = np.column_stack([q[rows], p[rows]]).astype(np.float64)
        level = levels.numbers(mean)
        if stop < data.stored:
            kept = int(np.searchsorted(level, level[-1]))
            if kept == 0:
                size *= 2
                continue
            mean, level, stop = mean[:kept], level[:kept], start + kept
            rows = slice(start, stop) if order is None else order[start:stop]
        event = data.actual[rows] == about.column
        yield _of_rows(levels, level, mean, weight[rows], event, about.alike[rows])
        start = stop


def _of_rows(
    levels: Levels,
    level: NDArray[np.intp],
    mean: Wide,
    weight: Wide,
    event: NDArray[np.bool_],
    alike: NDArray[np.bool_],
) -> _Cells:
    new = np.append(True, (level[1:] != level[:-1]) | np.any(mean[1:] != mean[:-1], axis=1))
    first = np.flatnonzero(new)
    hits = np.add.reduceat(weight * event, first)
    count = np.add.reduceat(weight, first)
    level, mean = level[first], mean[first]
    alike = np.logical_and.reduceat(alike, first) | (count == 1)
    low, high = levels.edges(level)
    inner = (level >= levels.narrow) & (level < levels.upper)
    p, q = mean[:, 1], mean[:, 0]
    slip = np.where(inner & levels.at_edge(level, p), count * p * SINGLE / 2, 0.0)
    # Databases round logarithms, which divide an octave a little differently.
    wider = np.where(inner, SINGLE / 2, 1 / levels.each)[:, None] * high
    low, high = np.maximum(low - wider, 0.0), np.minimum(high + wider, 1.0)
    low[inner] = np.maximum(low[inner], NEAR)  # rows nearer to 0 or 1 have narrower levels
    small = p < 0.5
    up = np.where(small, high[:, 1] - p, q - low[:, 0])
    down = np.where(small, p - low[:, 1], high[:, 0] - q)
    up, down = (np.where(alike, 0.0, np.maximum(part, 0.0)) for part in (up, down))
    starts = np.flatnonzero(np.append(True, level[1:] != level[:-1]))
    return _Cells(count - hits, hits, mean, low, high, up, down, slip, starts)
