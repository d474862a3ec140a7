"""What lies on either side of a threshold, for every line of a curve: sorted once, then looked up.

A threshold on the wire is a number, or "inf" or "-inf", for JSON has no infinite numbers.
"""

import bisect
import dataclasses
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion import ConfusionMatrix, threshold_counts
from plumbline.confusion.intervals import ConfusionCells
from plumbline.confusion.matrix import cells_of
from plumbline.confusion.multiclass import scaled
from plumbline.curves import Curve, Line
from plumbline.curves.curve import folds_in, models_in, views_of
from plumbline.curves.points import kept_rows, key_of
from plumbline.curves.presets import CurveSettings
from plumbline.curves.recipe import params_for, recipe_of
from plumbline.curves.sweep import Key
from plumbline.curves.target_rows import TargetRows
from plumbline.predictions import Predictions
from plumbline.workbench.questions.inquiry import Inquiry

Floats = NDArray[np.float64]
CELLS = ("TP", "FP", "TN", "FN")


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The rows of one line, sorted: how many of which class lie at or above every sort value.

    Attributes
    ----------
    model : whose rows they are, or None
    target : the class that counts as positive; rest : what the others are called
    key : what the rows are sorted by
    n, effective_n : number of rows, and Kish's effective number
    thresholds, tp, fp : (s,) distinct sort values, the highest first, behind inf; and the weight of
        the positive and of the negative rows at or above
    missing : weight of the positive and of the negative rows without a sort value, never accepted
    squares : (4, s) sums of squared weights of TP, FP, TN, FN, None where rows have no weights
    scale : power of 2 that the squared weights were multiplied by
    cells : what intervals must know of the rows
    """

    model: str | None
    target: str
    rest: str
    key: Key
    n: int
    effective_n: float
    thresholds: Floats
    tp: Floats
    fp: Floats
    missing: tuple[float, float]
    squares: Floats | None
    scale: float
    cells: ConfusionCells | None

    @property
    def rates(self) -> bool:
        """Whether rows at or above a sort value are accepted ones."""
        return self.key.rates and not self.key.names

    def at(self, threshold: float) -> float:
        """Return a threshold in the precision of the sort values, as decisions take it."""
        with np.errstate(over="ignore"):
            return float(np.float64(threshold).astype(self.key.values.dtype))

    def place(self, threshold: float) -> int:
        """Return the number of the state at a threshold."""
        return last_from(self.thresholds, self.at(threshold))

    def counts(self, threshold: float) -> dict[str, float]:
        """Return TP, FP, TN and FN at a threshold.

        What is left of a sum is 0 to the last digit where no row is left, for it is counted off
        the last of the same running sums.
        """
        place = self.place(threshold)
        cells = _four(self.tp[place], self.fp[place], (self.tp[-1], self.fp[-1]), self.missing)
        return dict(zip(CELLS, map(float, cells), strict=True))

    def matrix(self, threshold: float) -> ConfusionMatrix:
        """Return the matrix at a threshold, in counts times `scale`."""
        tp, fp, tn, fn = (self.scale * count for count in self.counts(threshold).values())
        squares = None
        if self.squares is not None:
            a, b, c, d = self.squares[:, self.place(threshold)]
            squares = np.array([[c, b], [d, a]])
        return ConfusionMatrix(
            model=self.model,
            classes=(self.rest, self.target),
            counts=np.array([[tn, fp], [fn, tp]]),
            n=self.n,
            effective_n=self.effective_n,
            weighted=self.squares is not None,
            positive=self.target,
            threshold=threshold,
            target=self.target,
            decision=f"{self.key.name} >= {threshold:.15g}",
            squares=squares,
            cells=self.cells,
        )


def last_from(descending: Floats, threshold: float) -> int:
    """Return the place of the last value >= threshold; -1 where none is, and NaN counts as below.

    >>> last_from(np.array([np.inf, 0.9, 0.5, 0.5, 0.1, np.nan]), 0.5)
    3
    """

    def rank(value: float) -> float:
        return math.inf if math.isnan(value) else -value

    return bisect.bisect_right(descending, -threshold, key=rank) - 1


def threshold_json(threshold: float) -> float | str | None:
    """Return a threshold as it goes over the wire."""
    if math.isnan(threshold):
        return None
    return threshold if math.isfinite(threshold) else ("inf" if threshold > 0 else "-inf")


def counted_lines(inquiry: Inquiry, curve: Curve) -> Sequence[Counted] | None:
    """Return the sorted rows of every line of a curve, remembered; None of a mean of classes."""
    settings = curve.settings
    if settings.multiclass == "macro":
        return None
    used = params_for(settings.params, settings.sort_by, settings.where)
    key = (
        "counted",
        inquiry.selection,
        settings.sort_by,
        settings.where,
        settings.target,
        settings.multiclass,
        settings.average == "none",
        settings.direction == "unsorted",
        repr(used),
    )
    return inquiry.memory.once(key, lambda: list(_counted(inquiry.chosen(), settings)))


def point_at(line: Line, curve: Curve, counted: Counted, threshold: float) -> tuple[Any, Any]:
    """Return x and y of a line at a threshold; None, None where the curve is undefined there.

    They are those of the last point, as the threshold falls, whose threshold is at least that; its
    y lasts down to the next one, so between points on an axis of thresholds x is the threshold.
    """
    settings, values = curve.settings, line.threshold
    if settings.average in ("vertical", "smooth") or settings.direction == "unsorted":
        return None, None
    upwards = settings.direction == "ascending"
    falling = values[::-1] if upwards else values
    place, state = last_from(falling, counted.at(threshold)), counted.place(threshold)
    if place < 0:
        return None, None
    if settings.average != "threshold" and falling[place] != counted.thresholds[state]:
        return None, None  # the curve is undefined in that state
    at = len(values) - 1 - place if upwards else place
    x, y = float(line.x[at]), float(line.y[at])
    steps = curve.shape == "step" and settings.average != "threshold"
    if steps and settings.x.strip() == "threshold" and np.nanmin(values) <= threshold <= x < np.inf:
        x = threshold
    return x, y


def ends_early(line: Line, curve: Curve, counted: Counted) -> bool:
    """Tell whether a line is undefined where every row is accepted, below its lowest threshold."""
    if curve.settings.average not in ("merge", "none"):
        return False
    known = line.threshold[~np.isnan(line.threshold)]
    return bool(len(known)) and float(known.min()) > counted.thresholds[-1]


# ------------------------------------------------------------------ sorting, once


def _counted(data: Predictions, settings: CurveSettings) -> Iterator[Counted]:
    """Yield the sorted rows of every line, in the order of the lines."""
    for _, view in views_of(data, settings):
        recipe = recipe_of(view, settings)
        for model, of_model in models_in(view):
            rows = kept_rows(of_model, recipe, Counter())
            parts = [rows]
            if settings.average == "none":
                parts = [part for _, part in folds_in(rows, settings)]
            for part in parts:
                key = key_of(part, recipe)
                yield _sorted(part, key, model, of_classes=settings.multiclass == "micro")


def _sorted(rows: TargetRows, key: Key, model: str | None, *, of_classes: bool) -> Counted:
    weight = rows.weights
    mass = np.ones(rows.n) if weight is None else weight
    (thresholds, tp, fp), missing = _summed(rows.event, key.values, weight)
    squares, scale = None, 1.0
    if weight is not None:
        total = weight.sum(keepdims=True)
        scale = float(scaled(np.ones(1), like=total)[0])
        (_, a, b), rest = _summed(rows.event, key.values, np.square(scaled(weight, like=total)))
        squares = np.array(_four(a, b, (a[-1], b[-1]), rest))
    others = [name for name in rows.data.classes if name != rows.target_name]
    return Counted(
        model=model,
        target=rows.target_name,
        rest=others[0] if len(others) == 1 else f"not {rows.target_name}",
        key=key,
        n=rows.n,
        effective_n=float(mass.sum() ** 2 / np.square(mass).sum()),
        thresholds=thresholds,
        tp=tp,
        fp=fp,
        missing=missing,
        squares=squares,
        scale=scale,
        cells=_every_class(weight) if of_classes else _cells(rows),
    )


def _summed(
    event: NDArray[np.bool_], values: NDArray[Any], weight: Floats | None
) -> tuple[tuple[Floats, Floats, Floats], tuple[float, float]]:
    """Return thresholds and sums of weights at or above them, and the sums without a sort value."""
    known = ~np.isnan(values)
    if known.all():
        return threshold_counts(event, values, weight=weight).states, (0.0, 0.0)
    mass = np.ones(len(values)) if weight is None else weight
    missing = float(mass[event & ~known].sum()), float(mass[~(event | known)].sum())
    return threshold_counts(event[known], values[known], weight=mass[known]).states, missing


def _four(tp: Any, fp: Any, ends: tuple[Any, Any], missing: tuple[float, float]) -> tuple[Any, ...]:
    """Return TP, FP, TN and FN."""
    return tp, fp, (ends[1] - fp) + missing[1], (ends[0] - tp) + missing[0]


def _every_class(weight: Floats | None) -> ConfusionCells:
    """Return that every row stands once for every class, so that examples come again."""
    nobody = np.empty(0, np.int64)
    return ConfusionCells(nobody, weight, example=nobody)


def _cells(rows: TargetRows) -> ConfusionCells | None:
    """Return what intervals must know of the rows: weights, and whether examples come again."""
    slim = dataclasses.replace(
        rows.data, prob=None, log_prob=None, label=None, score=None, attributes={}
    )
    part = slim if rows.index is None else slim.select(where=rows.index)
    return cells_of(part, np.empty(0, np.int64))
