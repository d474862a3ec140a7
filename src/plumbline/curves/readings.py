"""Every line of a curve at one threshold: counts, rates, the point, and a sentence."""

import bisect
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Detail, Note, Presentation, Result, Table, side_by_side
from plumbline.confusion import ConfusionMatrix, RateValue, threshold_counts
from plumbline.confusion.intervals import ConfusionCells
from plumbline.confusion.matrix import cells_of
from plumbline.confusion.multiclass import scaled
from plumbline.curves.curve import folds_in, models_in, views_of
from plumbline.curves.lines import Curve, Line, several_targets, whose
from plumbline.curves.presets import CurveSettings
from plumbline.curves.recipe import kept_rows, key_of, recipe_of
from plumbline.curves.sweep import Key
from plumbline.curves.target_rows import TargetRows
from plumbline.errors import InputError
from plumbline.formatting import (
    amount,
    amounts,
    beside,
    capital,
    interval,
    number,
    sentence,
    typeset,
)
from plumbline.predictions import Predictions

Floats = NDArray[np.float64]
CELLS = ("TP", "FP", "TN", "FN")
READ = ("TPR", "FNR", "PPV", "TNR", "NPV", "CA", "F1")
HALF = 0.5
OF_CLASSES = "a macro-averaged curve has no threshold; use one class at a time"
MICRO = "every row counts {} times, once per class"
NO_SAMPLE = "the pairs of a row with every class are dependent, so there is no interval"
AVERAGED = "an averaged curve has no counts; these are for all folds together"


@dataclass(frozen=True, slots=True, eq=False)
class LineCounts:
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
    times : how often every row stands among them: once a class where all classes are joined
    event : (n,) whether a row is of the positive class, where rows are in groups
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
    times: int = 1
    event: NDArray[np.bool_] | None = None

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

    @property
    def usual(self) -> float:
        """The threshold where none was asked for: 0.5, else the middle sort value."""
        if self.key.name == "probability":
            return HALF
        values = self.thresholds[1:]
        return float(values[(len(values) - 1) // 2]) if len(values) else math.inf

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
            cells=self._cells(threshold),
        )

    def _cells(self, threshold: float) -> ConfusionCells | None:
        """Return what intervals must know; of rows in groups also the cell of every row."""
        if self.cells is None or self.event is None:
            return self.cells
        accepted = self.key.values >= self.at(threshold)
        return replace(self.cells, code=2 * self.event.astype(np.int64) + accepted)


def last_from(descending: Floats, threshold: float) -> int:
    """Return the place of the last value >= threshold; -1 where none is, and NaN counts as below.

    >>> last_from(np.array([np.inf, 0.9, 0.5, 0.5, 0.1, np.nan]), 0.5)
    3
    """

    def rank(value: float) -> float:
        return math.inf if math.isnan(value) else -value

    return bisect.bisect_right(descending, -threshold, key=rank) - 1


def point_at(line: Line, curve: Curve, counted: LineCounts, threshold: float) -> tuple[Any, Any]:
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


def _ends_early(line: Line, curve: Curve, counted: LineCounts) -> bool:
    """Tell whether a line is undefined where every row is accepted, below its lowest threshold."""
    if curve.settings.average not in ("merge", "none"):
        return False
    known = line.threshold[~np.isnan(line.threshold)]
    return bool(len(known)) and float(known.min()) > counted.thresholds[-1]


# ------------------------------------------------------------------ sorting, once


def counts_of_lines(data: Predictions, settings: CurveSettings) -> list[LineCounts]:
    """Return the sorted rows of every line of the curve with these settings, in their order.

    None of a mean of classes, which has no threshold.

    Parameters
    ----------
    data : Predictions
        The rows.
    settings : CurveSettings
        Those of the curve, as `curve(...).settings` has them.

    Returns
    -------
    list of LineCounts
        For every line what `read_curve` reads counts from.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.2, 0.8, 0.4, 0.6])
    >>> from plumbline.curves import curve
    >>> (counts,) = counts_of_lines(data, curve(data, "roc").settings)
    >>> counts.counts(0.5)
    {'TP': 1.0, 'FP': 1.0, 'TN': 1.0, 'FN': 1.0}
    """
    return [] if settings.multiclass == "macro" else list(_counted(data, settings))


def _counted(data: Predictions, settings: CurveSettings) -> Iterator[LineCounts]:
    times = data.k if settings.multiclass == "micro" else 1
    for _, view in views_of(data, settings):
        recipe = recipe_of(view, settings)
        for model, of_model in models_in(view):
            rows = kept_rows(of_model, recipe, Counter())
            parts = [rows]
            if settings.average == "none":
                parts = [part for _, part in folds_in(rows, settings)]
            for part in parts:
                key = key_of(part, recipe)
                yield _sorted(part, key, model, times)


def _sorted(rows: TargetRows, key: Key, model: str | None, times: int) -> LineCounts:
    weight = rows.weights
    mass = np.ones(rows.n) if weight is None else weight
    (thresholds, tp, fp), missing = _summed(rows.event, key.values, weight)
    squares, scale = None, 1.0
    weighted = weight is not None and not rows.data.counted
    if weighted:
        total = mass.sum(keepdims=True)
        scale = float(scaled(np.ones(1), like=total)[0])
        (_, a, b), rest = _summed(rows.event, key.values, np.square(scaled(mass, like=total)))
        squares = np.array(_four(a, b, (a[-1], b[-1]), rest))
    others = [name for name in rows.data.classes if name != rows.target_name]
    if times > 1:  # every row stands once for every class, so examples come again
        nobody = np.empty(0, np.int64)
        cells: ConfusionCells | None = ConfusionCells(nobody, weight, example=nobody)
    else:
        cells = _cells(rows)
    whole = float(mass.sum())
    return LineCounts(
        model=model,
        target=rows.target_name,
        rest=others[0] if len(others) == 1 else f"not {rows.target_name}",
        key=key,
        n=int(whole) if rows.data.counted else rows.n,
        effective_n=whole**2 / float(np.square(mass).sum()) if weighted else whole,
        thresholds=thresholds,
        tp=tp,
        fp=fp,
        missing=missing,
        squares=squares,
        scale=scale,
        cells=cells,
        times=times,
        event=rows.event if cells is not None and cells.grouped else None,
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


def _cells(rows: TargetRows) -> ConfusionCells | None:
    """Return what intervals must know of the rows: weights, and whether examples come again."""
    slim = replace(rows.data, prob=None, log_prob=None, label=None, score=None, attributes={})
    part = slim if rows.index is None else slim.select(where=rows.index)
    return cells_of(part, np.empty(0, np.int64))


# ------------------------------------------------------------------ what is read


@dataclass(frozen=True, repr=False, eq=False)
class LineReading(Result):
    """One line of a curve at a threshold.

    Attributes
    ----------
    model, fold, target : whose line it is
    n : rows
    x, y : the line there; None where it is undefined
    ends : whether the line is undefined below its lowest threshold, where all rows are accepted
    counts : TP, FP, TN, FN and their sums PP, NP, P, N, NN; empty where no threshold accepts rows
    accepted_share : PP / NN, None without counts
    classes : "positive" and "negative": names of the two sides
    rates : the main rates, each with its usual interval, or the reason why it has none
    summary : how many rows are accepted, and how many positives found
    """

    model: str | None
    fold: str | None
    target: str | None
    n: int
    x: float | None
    y: float | None
    ends: bool
    counts: Mapping[str, float]
    accepted_share: float | None
    classes: Mapping[str, str]
    rates: Sequence[RateValue]
    summary: str | None

    def present(self) -> Presentation:
        """Return how many rows are accepted, found, missed and accepted wrongly, and the rates."""
        counts, rates = self.counts, [rate for rate in self.rates if not math.isnan(rate.value)]
        parts = (
            ("accepted", "Accepted", "PP", "NN"),
            ("found", "Found", "TP", "P"),
            ("missed", "Missed", "FN", "P"),
            ("wrong", "Accepted wrongly", "FP", "PP"),
        )
        columns = {
            "rate": [rate.title for rate in rates],
            "value": [beside(rate.value, (rate.low, rate.high)) for rate in rates],
            "interval": [interval((rate.low, rate.high)) for rate in rates],
        }
        return Presentation(
            subject=whose(self),
            summary=self.summary or "",
            details=tuple(
                Detail(key, label, _part(counts[part], counts[whole]))
                for key, label, part, whole in (parts if counts else ())
            ),
            tables=(Table(columns, left=("rate",)),) if rates else (),
            formulas=True,
        )


@dataclass(frozen=True, repr=False, eq=False)
class CurveReading(Result):
    """A curve at one threshold.

    Attributes
    ----------
    threshold : the threshold; None where the curve has none
    sort_by : what rows are sorted by
    low, high : the lowest and the highest threshold that change the counts
    lines : the reading of every line
    notes : what is counted, where that is not the rows of the table
    reason : why no threshold accepts some of the rows
    """

    threshold: float | None
    sort_by: str | None
    low: float | None
    high: float | None
    lines: Sequence[LineReading]
    notes: Sequence[Note] = ()
    reason: str | None = None

    def present(self) -> Presentation:
        """Return the reading of every line, or why there are no counts."""
        lines = [line.present() for line in self.lines]
        reason = "" if self.reason is None else f"No counts: {self.reason}."
        details = [line.details for line in lines]
        named = {"line": [whose(line) or "all rows" for line in self.lines]}
        table = Table(named | side_by_side(details), left=("line",)) if any(details) else None
        at = "" if self.threshold is None else shown_threshold(self.threshold)
        return Presentation(
            subject=f"threshold {at}" if at else "",
            summary=reason or (lines[0].summary if len(lines) == 1 else ""),
            notes=tuple(Note(sentence(note), note.code) for note in self.notes),
            tables=() if table is None else (table,),
            formulas=True,
        )


def _part(part: float, whole: float) -> str:
    """Return a part of a whole, with its share where that is defined."""
    share = f" ({_percent(part / whole)})" if whole else ""
    return f"{_of(part, whole)}{share}"


def _of(part: float, whole: float) -> str:
    """Return a part of a whole, such as "3 of 12"."""
    return " of ".join(amounts((part, whole)))


def read_curve(
    curve: Curve, counts: Sequence[LineCounts], *, threshold: float | None = None
) -> CurveReading:
    """Return counts, rates and the point of every line of a curve at a threshold.

    Parameters
    ----------
    curve : Curve
        The curve.
    counts : sequence of LineCounts
        Its sorted rows, as `counts_of_lines` returns them for the settings of the curve.
    threshold : float, optional
        The threshold; by default 0.5 of probabilities, else the middle sort value.

    Returns
    -------
    CurveReading
        Counts, rates, the point of the curve and a sentence for every line.

    Examples
    --------
    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.2, 0.8, 0.4, 0.6])
    >>> roc = curve(data, "roc")
    >>> reading = read_curve(roc, counts_of_lines(data, roc.settings), threshold=0.3)
    >>> reading.lines[0].counts["TP"], reading.lines[0].rates[2].value, reading.low, reading.high
    (2.0, 0.6666666666666666, 0.0, 1.0)
    """
    if not counts:
        return CurveReading(None, None, None, None, (), reason=OF_CLASSES)
    first = counts[0]
    at = first.usual if threshold is None else threshold
    low, high = _range(counts)
    several = several_targets(curve.lines)
    notes = []
    if curve.settings.average in ("vertical", "threshold"):
        notes.append(Note(AVERAGED, "counts-of-all-folds"))
    if first.times > 1:
        notes.append(Note(MICRO.format(first.times), "counts-of-pairs"))
    return CurveReading(
        threshold=at,
        sort_by=first.key.name,
        low=low,
        high=high,
        lines=[
            _read(line, one, at, curve, several=several)
            for line, one in zip(curve.lines, counts, strict=True)
        ],
        notes=notes,
        reason=_why_no_counts(first, curve),
    )


def _read(
    line: Line, counted: LineCounts, threshold: float, curve: Curve, *, several: bool
) -> LineReading:
    x, y = point_at(line, curve, counted, threshold)
    reading = LineReading(
        model=line.model,
        fold=line.fold,
        target=line.target,
        n=counted.n,
        x=x,
        y=y,
        ends=_ends_early(line, curve, counted),
        counts={},
        accepted_share=None,
        classes={},
        rates=(),
        summary=None,
    )
    if not counted.rates:
        return reading
    counts = _nine(counted.counts(threshold))
    return replace(
        reading,
        counts=counts,
        accepted_share=counts["PP"] / counts["NN"],
        classes={"positive": counted.target, "negative": counted.rest},
        rates=_rates(counted, threshold),
        summary=_sentence(line, counted, threshold, counts, several=several),
    )


def _range(lines: Sequence[LineCounts]) -> tuple[float | None, float | None]:
    """Return the lowest and the highest threshold that make a difference, 0 and 1 included."""
    if lines[0].key.name == "probability":
        return 0.0, 1.0
    ends = [float(t) for one in lines for t in one.thresholds[[1, -1]] if math.isfinite(t)]
    return (min(ends), max(ends)) if ends else (None, None)


def _why_no_counts(counted: LineCounts, curve: Curve) -> str | None:
    """Say why nothing is accepted at a threshold of this order, None where it is."""
    if counted.rates:
        return None
    if curve.settings.direction == "unsorted":
        return "the rows are not sorted, so there is no threshold; sort by probability"
    return (
        f"the rows are sorted by `{counted.key.name}`, which is no score, so there is no "
        "threshold; sort by probability"
    )


def _nine(cells: Mapping[str, float]) -> dict[str, float]:
    tp, fp, tn, fn = cells.values()
    return {
        **cells,
        "PP": tp + fp,
        "NP": tn + fn,
        "P": tp + fn,
        "N": fp + tn,
        "NN": (tp + fn) + (fp + tn),
    }


def _rates(counted: LineCounts, threshold: float) -> list[RateValue]:
    """Return the main rates, each with its usual interval where it is known what rows are of."""
    matrix = counted.matrix(threshold)
    missing = NO_SAMPLE if counted.times > 1 else None
    try:
        rates = matrix.rates(READ, interval=None if missing else "auto")
    except InputError as error:
        rates, missing = matrix.rates(READ), str(error)
    return [_explained(rates.entry(name), missing) for name in READ]


def _explained(rate: RateValue, missing: str | None) -> RateValue:
    """Return a rate with the reason why it has no interval."""
    if math.isnan(rate.value) or not math.isnan(rate.low):
        return rate
    return replace(rate, reason=missing or rate.reason)


# ------------------------------------------------------------------ in words


def _sentence(
    line: Line,
    counted: LineCounts,
    threshold: float,
    counts: Mapping[str, float],
    *,
    several: bool,
) -> str:
    """Say how many rows are accepted, and how many positives are found."""
    target = "positive" if line.target is None else f"'{counted.target}'"
    who = line.model or "the model"
    if line.fold is not None:
        who += f" (fold {line.fold})"
    if several and line.target is not None:
        who += f" (class {target})"
    times = counted.times
    rows = "rows" if times == 1 else "pairs of a row and a class"
    if counted.squares is not None:
        rows = "rows' weight" if times == 1 else f"{rows}, by weight"
    at = f"{_at(counted, threshold)} {who} accepts"
    pp, nn, tp, p = (counts[name] for name in ("PP", "NN", "TP", "P"))
    if pp == 0:
        return f"{at} none of {amount(nn, scale=nn)} {rows}."
    text = f"{at} {_of(pp, nn)} {rows} ({_percent(pp / nn)})"
    if p == 0:
        return f"{text}; no row is {target}."
    return f"{text}, among them {_of(tp, p)} {target} ({_percent(tp / p)})."


def _at(counted: LineCounts, threshold: float) -> str:
    if counted.key.name in ("probability", "score", "answer"):
        return f"At threshold {shown_threshold(threshold)}"
    return capital(f"where `{counted.key.name}` is at least {shown_threshold(threshold)},")


def shown_threshold(threshold: float) -> str:
    """Return a threshold as it is read: four digits, all those before the point.

    >>> shown_threshold(0.32371), shown_threshold(12345.6), shown_threshold(math.inf)
    ('0.3237', '12,346', '∞')
    """
    text = f"{threshold:.4g}" if abs(threshold) < 999.5 else amount(threshold)
    return typeset(text)


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"
