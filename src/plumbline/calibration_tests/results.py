"""What calibration errors, calibration tests and reliability curves return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.calibration import Wide
from plumbline.formatting import capital, counted, interval, intervals, number, p_equals, p_number
from plumbline.verdicts import LEVEL

IF_TRUE = (
    "if true: the mean error of probabilities that are true, on these very rows, and its 95 % range"
)
INTERVAL = (
    "interval: where the value lies that endless labels of these very rows would give; chance adds "
    "to an error, so that the error itself may lie above its interval"
)
ONE_VIEW = (
    "This is about one view and its bins; a calibration test is about the probabilities as a whole."
)
MANY_BINS = "The bins are shown for one class at a time (`view='one-vs-rest:CLASS'`)."


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationError(Result):
    """How far the probabilities are off, and what true probabilities would score.

    Attributes
    ----------
    view, scheme, distance, outcome : what was measured
    norm : p of (sum of share x distance^p)^(1/p); "max" is the largest distance
    representative, threshold : what stands for the score of a bin; rows at or below it are left out
    n : rows; effective_n : (sum w)^2 / sum w^2
    value : the error
    null_mean, null_range : mean and central 95 % range of the error if the probabilities are true
    excess : value - null_mean
    interval_range, level : where the error lies that endless labels would give, and the coverage of
        that interval; None unless it was asked for
    p_value : two-sided: at most 0.05 exactly where the value is outside the 95 % range
    bins : one row a bin (class, lo, hi, closed: "right" or "both" ends belong to it, count, weight,
        mean_probability, outcome_share)
    impossible_rows : rows whose true class had been given probability 0, whatever the view
    null_values : (resamples,) the errors drawn under the null
    """

    view: str
    scheme: str
    distance: str
    outcome: str
    norm: float | str
    representative: str
    threshold: float | None
    n: int
    effective_n: float
    value: float
    null_mean: float
    null_range: tuple[float, float]
    excess: float
    p_value: float
    interval_range: tuple[float, float] | None
    level: float | None
    resamples: int
    bins: Sequence[dict[str, Any]] | None
    convention: str
    impossible_rows: int
    reason: str | None = None
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})

    def __float__(self) -> float:
        return self.value

    def present(self) -> Presentation:
        """Return the error beside what is expected if calibrated, and the bins of one event."""
        details = [Detail("n", "rows", f"{self.n:,}"), Detail("value", "error", number(self.value))]
        details += effective_rows(self.n, self.effective_n)
        legend = []
        if self.resamples:
            details += expected_if_calibrated(self)
            details += [
                Detail("excess", "excess", number(self.excess)),
                Detail("p_value", "p", p_number(self.p_value)),
            ]
            legend += [IF_TRUE, ONE_VIEW]
        if self.interval_range is not None and self.level is not None:
            text = interval(self.interval_range)
            details.append(Detail("interval_range", f"{100 * self.level:g} % interval", text))
            legend.append(INTERVAL)
        events = {row.get("class") for row in self.bins or ()}
        if len(events) > 1:
            legend.append(MANY_BINS)
        return Presentation(
            subject=self._subject(),
            summary=self._compared(),
            details=tuple(details),
            notes=notes_of(self),
            tables=(_bin_table(self.bins),) if self.bins and len(events) == 1 else (),
            legend=tuple(legend),
        )

    def _compared(self) -> str:
        """Say whether the error is larger than those under calibration; "" without draws."""
        if not self.resamples:
            return ""
        low, high = self.null_range
        side = "larger than" if self.value > high else "as"
        side = "smaller than" if self.value < low else side
        return f"The error is {side} expected if calibrated ({p_equals(self.p_value)})."

    def _subject(self) -> str:
        parts = [f"view {self.view}", f"bins {self.scheme}", f"{self.distance} distance"]
        parts += [f"norm {self.norm}"] if self.norm != 1 else []
        parts += ["midpoints of bins"] if self.representative == "midpoint" else []
        parts += [f"only above {self.threshold:g}"] if self.threshold is not None else []
        parts += [f"like {self.convention}"] if ":" not in self.convention else []
        return ", ".join(parts)


def effective_rows(n: int, effective_n: float) -> list[Detail]:
    """Return how many rows of equal weight are as informative, where weights differ."""
    if n == effective_n:
        return []
    return [Detail("effective_n", "effective rows", f"{effective_n:,.1f}")]


def expected_if_calibrated(result: "CalibrationError | CalibrationTest") -> list[Detail]:
    """Return the mean and the range of a number if the probabilities are calibrated."""
    return [
        Detail("null_mean", "if true", number(result.null_mean)),
        Detail("null_range", "95 % range", interval(result.null_range)),
    ]


def notes_of(result: "CalibrationError | CalibrationTest") -> tuple[Note, ...]:
    """Return why something is missing, and how many rows were thought impossible."""
    notes = [Note(f"{capital(result.reason)}.", "undefined")] if result.reason else []
    if result.impossible_rows:
        text = (
            f"In {result.impossible_rows:,} of {result.n:,} rows the true class had been given "
            "probability 0, which true probabilities never do."
        )
        notes.append(Note(text, "impossible-rows"))
    return tuple(notes)


def _bin_table(bins: Sequence[Mapping[str, Any]]) -> Table:
    columns = {
        "bin": list(intervals(bins)),
        "rows": [f"{row['count']:,}" for row in bins],
        "mean probability": [number(row["mean_probability"]) for row in bins],
        "share of outcome": [number(row["outcome_share"]) for row in bins],
    }
    return Table(columns, left=("bin",))


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationTest(Result):
    """Could probabilities that are true have produced these outcomes?

    Attributes
    ----------
    statistic, view, scheme, distance, outcome, alternative : which test; None where the question
        does not arise
    value : the statistic of the observed labels
    p_value : (1 + #{as extreme}) / (resamples + 1), or the upper one of `p_bounds`
    p_bounds : rigorous bounds of the p-value where the null is exact, else None
    null : "exact", "resample" or "asymptotic"; method : the same in words
    resamples : number of draws, 0 where nothing was drawn
    parts : of a combined test, what each part says; of others, estimates that belong to them
    finding : where the omnibus rejects, what is wrong and by how much, and the strongest evidence
    shape : where the omnibus rejects, the name of what is wrong, as in `diagnose`
    null_mean, null_range : mean and central 95 % range of the statistic if the probabilities are
        true; NaN where the method does not give them
    verdict : the answer in plain words
    remarks, remark_codes : what to know before believing it, and a stable code of each
    null_values : (resamples,) the statistics drawn under the null
    fault : where the omnibus rejects, what is wrong in a few words
    """

    statistic: str
    view: str
    scheme: str | None
    distance: str | None
    outcome: str | None
    alternative: str
    n: int
    effective_n: float
    value: float
    p_value: float
    p_bounds: tuple[float, float] | None
    null: str
    method: str
    resamples: int
    parts: Sequence[dict[str, Any]]
    null_mean: float
    null_range: tuple[float, float]
    impossible_rows: int
    verdict: str
    finding: str | None = None
    shape: str | None = None
    reason: str | None = None
    remarks: tuple[str, ...] = ()
    remark_codes: tuple[str, ...] = ()
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})
    fault: str | None = field(default=None, metadata={"hidden": True})

    def present(self) -> Presentation:
        """Return the verdict, the p-value and, of a combined test, what each part says."""
        details = [Detail("n", "rows", f"{self.n:,}"), *effective_rows(self.n, self.effective_n)]
        if self.statistic != "omnibus":  # its own number means nothing to a reader
            details.append(Detail("value", self.statistic, number(self.value)))
            details += expected_if_calibrated(self)
        details.append(Detail("p_value", "p", p_number(self.p_value)))
        if self.p_bounds is not None:
            details.append(Detail("p_bounds", "between", interval(self.p_bounds)))
        subject = [self.statistic, f"view {self.view}"]
        subject += [f"bins {self.scheme}"] if self.scheme else []
        subject += [f"{self.distance} distance"] if self.distance else []
        return Presentation(
            subject=", ".join(subject),
            summary=" ".join(filter(None, [self.verdict, self.finding])),
            details=tuple(details),
            next_step=self._next(),
            tables=(_parts_table(self.parts),) if self.parts else (),
            legend=(f"{capital(self.method)}.",) if self.method else (),
        )

    def _next(self) -> NextStep:
        """Return what to do, by the shape of what is wrong where the test names one."""
        if self.resamples and 1 / (self.resamples + 1) > LEVEL:
            return NextStep("test", "Draw the labels more often.")
        if self.p_value <= LEVEL:
            return NextStep(*STEPS_BY_SHAPE.get(self.shape or "other", RECALIBRATE))
        if self.impossible_rows:
            return NextStep("report", "Check the rows that got probability 0.")
        if self.n < FEW_ROWS:
            return NextStep("plan", f"Get more rows: {self.n:,} show large miscalibration only.")
        return NextStep(
            "plan", "Use the probabilities as they are; plan how small a miscalibration would show."
        )


FEW_ROWS = 50  # below, only a large miscalibration shows
# `recalibrate` chooses the map by the rows; a second choice here could differ.
RECALIBRATE = ("recalibrate", "Recalibrate on held-out rows, then test on other rows.")
STEPS_BY_SHAPE = {
    "few-bad-points": (
        "report",
        "Check the rows whose observed class had a predicted probability near 0: wrong labels, "
        "broken features or unusual cases.",
    ),
    "one-bad-class": (
        "recalibrate",
        "Check whether this class was as frequent in the training data; then recalibrate on "
        "held-out rows.",
    ),
}

FAMILIES_SHOWN = 5  # of the omnibus; its `parts` have all


def _parts_table(parts: Sequence[Mapping[str, Any]]) -> Table:
    """Return what every part of a combined test says, or the estimates that belong to a test."""
    if "p_value" not in parts[0]:
        names = [str(part["name"]) for part in parts]
        return Table(
            {"estimate": names, "value": [number(part["value"]) for part in parts]},
            left=("estimate",),
        )
    rows = parts[:FAMILIES_SHOWN]
    columns = {
        "family of faults": [str(part["name"]) for part in rows],
        "largest member": [part["member"] or "-" for part in rows],
        "probability": [part["direction"] or "-" for part in rows],
        "p": [p_number(part["p_value"]) for part in rows],
    }
    return Table(columns, left=("family of faults", "largest member", "probability"))


@dataclass(frozen=True, repr=False, eq=False)
class ReliabilityCurve(Result):
    """Observed share of the outcome against predicted probability, bin by bin.

    Attributes
    ----------
    view, scheme : what was binned; n : rows
    y_label : "observed relative frequency" (a class) or "accuracy" (top label)
    value : the calibration error of these bins, absolute distance
    bins : one row a bin (lo, hi, closed, count, weight, mean_probability, outcome_share, band_low,
        band_high); the band holds the share with probability `level` if the probabilities are true
    """

    view: str
    scheme: str
    n: int
    x_label: str
    y_label: str
    value: float
    level: float
    bins: Sequence[dict[str, Any]]

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the bins."""
        return self.bins

    def present(self) -> Presentation:
        """Return the calibration error of the bins, and each bin beside its band."""
        rows = self.bins
        band = [interval((row["band_low"], row["band_high"])) for row in rows]
        columns = {
            **_bin_table(rows).columns,
            f"{100 * self.level:g} % band if true": band,
        }
        return Presentation(
            subject=f"{self.view}, {self.scheme}",
            details=(
                Detail("n", "rows", f"{self.n:,}"),
                Detail("value", "error", number(self.value)),
                *self._gap(),
            ),
            tables=(Table(columns, left=("bin",)),),
        )

    def _gap(self) -> tuple[Detail, ...]:
        """Return where the curve is farthest from the diagonal, if it leaves its band."""
        worst = self.largest_gap()
        if worst is None:
            return ()
        mean, share, lo, hi = (
            number(worst[name]) for name in ("mean_probability", "outcome_share", "lo", "hi")
        )
        rows = counted(worst["count"], "row")
        text = f"mean prediction {mean}, observed {share} (scores {lo} to {hi}, {rows})"
        return (Detail("largest_gap", "largest gap", text),)

    def largest_gap(self) -> dict[str, Any] | None:
        """Return the bin outside its band that adds most to the error; None where all are inside.

        That is the largest product of weight and distance.
        """
        outside = [
            row
            for row in self.bins
            if not row["band_low"] <= row["outcome_share"] <= row["band_high"]
        ]
        return max(outside, key=_part_of_error, default=None)


def _part_of_error(row: Mapping[str, Any]) -> float:
    return float(row["weight"] * abs(row["outcome_share"] - row["mean_probability"]))


BARS = 40
SINGLE = 1e-9  # draws that differ by less are one value


@dataclass(frozen=True, repr=False, eq=False)
class NullHistogram(Result):
    """The draws under the null in bars of equal width, and the observed value.

    Attributes
    ----------
    powers : whether all numbers but the counts are logarithms to the base of 10, as of the omnibus,
        whose number spreads over powers of ten
    counts, edges : (b,) draws in a bar, (b + 1,) where the bars end
    value, low, high : the observed value and the range of the draws
    infinite : number of draws that are infinite, and in no bar
    """

    powers: bool
    counts: NDArray[np.float64]
    edges: NDArray[np.float64]
    value: float
    low: float
    high: float
    infinite: int

    def present(self) -> Presentation:
        """Return what the bars are, and how many draws are in none."""
        missing = f"{counted(self.infinite, 'draw')} without a finite value left out."
        return Presentation(
            notes=(Note(missing, "infinite-draws"),) if self.infinite else (),
            legend=("Bars: values on these rows if calibrated; shaded: 95 % of them.",),
        )


def null_histogram(result: CalibrationError | CalibrationTest) -> NullHistogram | None:
    """Return the draws of an error or a test as bars; None where nothing was drawn.

    >>> from plumbline import Predictions, calibration_error
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> float(null_histogram(calibration_error(data, resamples=99)).counts.sum())
    99.0
    """
    if not len(result.null_values):
        return None
    powers = isinstance(result, CalibrationTest) and result.statistic == "omnibus"
    draws = result.null_values[np.isfinite(result.null_values)]
    finite = np.log10(draws) if powers else draws
    counts, edges = _bars(finite)
    ends = np.array([result.value, *result.null_range])
    value, low, high = (np.log10(ends) if powers else ends).tolist()
    infinite = len(result.null_values) - len(finite)
    return NullHistogram(powers, counts, edges, value, low, high, infinite)


def _bars(draws: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not len(draws):
        return np.zeros(0), np.zeros(0)
    low, high = float(draws.min()), float(draws.max())
    if high - low <= SINGLE * (1 + abs(high)):
        half = 0.01 * (abs(high) or 1.0)
        return np.array([float(len(draws))]), np.array([low - half, high + half])
    counts, edges = np.histogram(draws, BARS)
    return counts.astype(np.float64), edges
