"""What calibration errors, calibration tests and reliability curves return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.calibration import Wide, rows_within
from plumbline.calibration_errors.next_steps import ALL_KINDS
from plumbline.dependence import RowGroups, group_details, group_notes
from plumbline.formatting import (
    bins_words,
    capital,
    counted,
    error_name,
    interval,
    intervals,
    number,
    p_equals,
    p_number,
    percentage,
    view_words,
)
from plumbline.predictions import Predictions
from plumbline.verdicts import (
    LEVEL,
    beside_expected,
    evidence,
    expected,
    impossible_note,
    odd_notes,
    p_or_bound,
    p_value_text,
    tone_of,
)

EXPECTED = (
    "Expected if calibrated: the mean over random outcomes drawn from these predictions, with its "
    "central 95 % range."
)
INTERVAL = (
    "CI: confidence interval for the population value given these predictions. Sampling "
    "noise inflates the estimate, so it can lie above its own interval."
)
ONE_VIEW = (
    "This is for one view and its bins; a calibration test is for the probabilities as a whole."
)
MANY_BINS = "The bins are shown for one class at a time (`view='one-vs-rest:CLASS'`)."


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationError(Result):
    """The calibration error, and its value expected if calibrated.

    Attributes
    ----------
    view, scheme, distance, outcome : what was measured
    norm : p of (sum of share x distance^p)^(1/p); "max" is the largest distance
    representative, threshold : the score of a bin; rows at or below the threshold are left out
    n : rows; effective_n : (sum w)^2 / sum w^2
    value : the error
    null_mean, null_range : mean and central 95 % range of the error if calibrated
    excess : value - null_mean
    interval_range, level : confidence interval of the population value given these predictions, and
        its coverage; None unless it was asked for
    p_value : two-sided: at most 0.05 exactly where the value is outside the 95 % range
    bins : one row per bin (class, lo, hi, closed: "right" or "both" ends belong to it, count,
        weight, mean_probability, outcome_share)
    impossible_rows : rows whose observed class had predicted probability 0, whatever the view
    null_values : (resamples,) the errors drawn under the null
    groups : how much rows of a group depend; None where the table has no groups
    test : the default calibration test of these rows, whose verdict then stands first
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
    groups: RowGroups | None = None
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})
    test: "CalibrationTest | None" = field(default=None, metadata={"hidden": True})

    def __float__(self) -> float:
        return self.value

    def beside(self, tests: "Mapping[str | None, CalibrationTest]") -> "CalibrationError":
        """Return it with the verdict of the default calibration test of the same model."""
        (test,) = tests.values()
        return replace(self, test=test)

    @property
    def summary(self) -> str:
        """The error beside what is expected if calibrated; alone where nothing was drawn."""
        name = capital(self._label())
        if not self.resamples or self.reason:
            return f"{name} {number(self.value)} ({bins_words(self.scheme)}, n = {self.n:,})."
        numbers = beside_expected(self.value, self.null_mean, (nan, nan))
        groups = None if self.groups is None else self.groups.count
        rows = self.n, self.effective_n, groups
        shown = evidence(self.p_value, self.resamples, "two-sided", *rows)
        return f"{name} {numbers} ({shown})."

    @property
    def _larger(self) -> bool:
        return self.value > self.null_mean

    def largest_gap(self) -> dict[str, Any] | None:
        """Return the bin that adds most to the error; None without bins of a single event."""
        if not self.bins or len({row.get("class") for row in self.bins}) > 1:
            return None
        return max(self.bins, key=_part_of_error)

    def present(self) -> Presentation:
        """Return the error beside what is expected if calibrated, and the bins of one event.

        Whether the model is miscalibrated the calibration test says, not one error.
        """
        details = [Detail("value", self._label(), number(self.value))]
        legend = []
        if self.resamples:
            details += expected_if_calibrated(self)
            legend += [EXPECTED, ONE_VIEW]
        if self.test is not None and self.resamples and not isnan(self.p_value):
            p = p_value_text(self.p_value, self.resamples).removeprefix("p ")
            details.append(Detail("p_value", "p", p, joined=True))
        details += effective_rows(self.n, self.effective_n, self.groups)
        if self.interval_range is not None and self.level is not None:
            text = interval(self.interval_range)
            details.append(Detail("interval_range", f"{percentage(self.level)} CI", text))
            legend.append(INTERVAL)
        judged = bool(self.resamples) and not self.reason
        gap = self.largest_gap() if judged and self.p_value <= LEVEL and self._larger else None
        if gap is not None:
            details.append(Detail("largest_gap", "largest gap", gap_text(gap), alone=True))
        events = {row.get("class") for row in self.bins or ()}
        if len(events) > 1:
            legend.append(MANY_BINS)
        notes = [*notes_of(self), *self._left_out(), *self._reconciled()]
        notes += () if self.groups is None else self.groups.notes()
        if judged:
            notes += odd_notes(
                p_value=self.p_value,
                resamples=self.resamples,
                alternative="two-sided",
                larger=self._larger,
            )
        test = None if self.test is None else self.test.present()
        return Presentation(
            subject=self._subject(),
            summary=self.summary if test is None else test.summary,
            tone="" if test is None else test.tone,
            details=tuple(details),
            notes=tuple(notes),
            next_step=ALL_KINDS if test is None else test.next_step,
            tables=(_bin_table(self.bins),) if self.bins and len(events) == 1 else (),
            legend=tuple(legend),
        )

    def _left_out(self) -> list[Note]:
        """Say how many rows are at or below the threshold, and in no bin."""
        if self.threshold is None or not self.bins or len({r.get("class") for r in self.bins}) > 1:
            return []
        left = self.n - sum(row["count"] for row in self.bins)
        own = f"{left:,} of {self.n:,}"
        fact = f"Rows left out, with scores at or below {self.threshold:g}"
        return [Note(f"{fact}: {own}.", "rows-left-out", fact=fact, own=own)] if left else []

    def _reconciled(self) -> list[Note]:
        """Say how error and verdict go together where they are on different sides of the level."""
        if self.test is None or not self.resamples or isnan(self.p_value):
            return []
        larger = self.p_value <= LEVEL and self._larger
        if larger == (self.test.p_value <= LEVEL) or self.test.impossible_rows:
            return []
        p = p_value_text(self.p_value, self.resamples)
        name = self._label()
        if larger:
            text = (
                f"The {name} alone is larger than expected ({p}); the calibration test, which "
                f"looks for all kinds of faults, does not reject ({p_equals(self.test.p_value)})."
            )
            fact = (
                "This error alone is larger than expected, and the calibration test does not reject"
            )
        else:
            fault = self.test.fault or "a fault of another kind"
            text = f"The {name} alone does not show it ({p}); the calibration test does: {fault}."
            fact = "The error alone does not show what the calibration test does"
        return [Note(text, "reconciled", fact=fact, own=p)]

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return the error as one entry, with the verdict of the calibration test if known."""
        return [self.to_dict() | verdict_entries(self.test)], {}

    def _label(self) -> str:
        return error_name(self.view, self.distance, self.norm)

    def _subject(self) -> str:
        parts = [f"{capital(self._label())}, {bins_words(self.scheme)}"]
        parts += ["midpoints of bins"] if self.representative == "midpoint" else []
        parts += [f"only scores above {self.threshold:g}"] if self.threshold is not None else []
        parts += [f"as in {self.convention}"] if ":" not in self.convention else []
        return ", ".join(parts)


def verdict_entries(test: "CalibrationTest | None") -> dict[str, Any]:
    """Return verdict and p-value of the default calibration test, as they stand beside numbers."""
    return {} if test is None else {"verdict": test.verdict, "omnibus_p_value": test.p_value}


def gap_text(row: Mapping[str, Any]) -> str:
    """Return a bin as mean prediction and observed frequency.

    >>> gap_text(
    ...     {"mean_probability": 0.986, "outcome_share": 0.902, "lo": 0.93, "hi": 1.0, "count": 217}
    ... )
    'mean prediction 0.986, observed 0.902 (scores 0.93 to 1, 217 rows)'
    """
    return (
        f"mean prediction {number(row['mean_probability'])}, observed "
        f"{number(row['outcome_share'])} (scores {row['lo']:.3g} to {row['hi']:.3g}, "
        f"{counted(row['count'], 'row')})"
    )


def effective_rows(n: int, effective_n: float, groups: RowGroups | None = None) -> list[Detail]:
    """Return the effective number of rows, where weights differ, and the groups they are in."""
    details = [] if groups is None else [groups.detail()]
    if n == effective_n:
        return details
    return [Detail("effective_n", "effective rows", f"{effective_n:,.1f}"), *details]


def expected_if_calibrated(result: Any) -> list[Detail]:
    """Return the mean and the range of a number if calibrated; none where they are not known."""
    if isnan(result.null_mean):
        return []
    text = expected(result.null_mean, result.null_range)
    if text == "exactly 0":
        text += " (all predictions are 0 or 1)"
    return [Detail("null_mean", "expected if calibrated", text, joined=True)]


def notes_of(result: "CalibrationError") -> tuple[Note, ...]:
    """Return why something is missing, and how many observed classes had probability 0."""
    notes = [Note(f"{capital(result.reason)}.", "undefined")] if result.reason else []
    if result.impossible_rows:
        notes.append(impossible_note(result.impossible_rows, result.n))
    return tuple(notes)


def _bin_table(bins: Sequence[Mapping[str, Any]]) -> Table:
    columns = {
        "bin": list(intervals(bins)),
        "rows": [f"{row['count']:,}" for row in bins],
        "mean prediction": [number(row["mean_probability"]) for row in bins],
        "observed": [number(row["outcome_share"]) for row in bins],
    }
    return Table(columns, left=("bin",))


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationTest(Result):
    """Whether the probabilities are calibrated, by a test.

    Attributes
    ----------
    statistic, view, scheme, distance, outcome, alternative : which test; None where not applicable
    value : the statistic of the observed labels
    p_value : (1 + #{as extreme}) / (resamples + 1), or the upper one of `p_bounds`
    p_bounds : rigorous bounds of the p-value where the null is exact, else None
    null : "exact", "resample" or "asymptotic"; method : the same as text
    resamples : number of draws, 0 where nothing was drawn
    parts : the parts of a combined test; of other tests, estimates that belong to them
    finding : where the omnibus rejects, the fault and its size
    shape : where the omnibus rejects, the name of the fault, as in `diagnose`
    size : of the omnibus, the calibration error of the usual view, beside what is expected
    null_mean, null_range : mean and central 95 % range of the statistic if calibrated; NaN where
        the method does not give them
    verdict : the answer in one sentence
    remarks, remark_codes : what to know before believing it, and a stable code of each
    null_values : (resamples,) the statistics drawn under the null
    groups : how much rows of a group depend; None where the table has no groups
    fault : where the omnibus rejects, what is wrong in a few words
    step : what to do next; of a statistic that was named, the default test
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
    size: CalibrationError | None = None
    reason: str | None = None
    remarks: tuple[str, ...] = ()
    remark_codes: tuple[str, ...] = ()
    groups: RowGroups | None = None
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})
    fault: str | None = field(default=None, metadata={"hidden": True})
    step: NextStep = field(default=ALL_KINDS, metadata={"hidden": True})

    @property
    def tail(self) -> str:
        """The alternative by which draws are counted.

        Both sides are in the parts of the omnibus; of the combination only large values count.
        """
        return "greater" if self.statistic == "omnibus" else self.alternative

    def present(self) -> Presentation:
        """Return the verdict, the size of the error, and the parts of a combined test."""
        bad = self._tone() == "bad"
        details = effective_rows(self.n, self.effective_n, self.groups)
        if self.statistic != "omnibus":  # its own number means nothing to a reader
            details.append(Detail("value", self.label(), number(self.value)))
            details += expected_if_calibrated(self)
        details += [Detail("finding", "fault", self.finding, alone=True)] if self.finding else []
        details += [] if self.size is None else _size(self.size, bad=bad)
        if self.p_bounds is not None and len({*map(p_number, self.p_bounds)}) > 1:
            bounds = " to ".join(p_number(end) if end else "0" for end in self.p_bounds)
            details.append(Detail("p_bounds", "bounds of p", bounds))
        subject = [f"Statistic: {self.statistic}", view_words(self.view)]
        subject += [bins_words(self.scheme)] if self.scheme else []
        subject += [f"{self.distance} distance"] if self.distance not in (None, "absolute") else []
        never = self.impossible_rows and str(self.reason).startswith("infinite")  # in the remarks
        notes = [Note(f"{capital(self.reason)}.", "undefined")] if self.reason and not never else []
        notes += [
            impossible_note(self.impossible_rows, self.n)
            if code == "impossible-rows"
            else Note(text, code)
            for text, code in zip(self.remarks, self.remark_codes, strict=True)
        ]
        return Presentation(
            subject=", ".join(subject),
            summary=self.verdict,
            tone=self._tone(),
            details=tuple(details),
            notes=tuple(notes),
            next_step=self.step,
            tables=(_parts_table(self.parts, self.resamples),) if self.parts else (),
            legend=(f"{capital(self.method)}.",) if self.method else (),
        )

    def label(self) -> str:
        """Return what the statistic is called."""
        if self.statistic == "ece":
            return error_name(self.view, self.distance or "absolute")
        return NAMES.get(self.statistic, self.statistic.replace("-", " "))

    def _tone(self) -> str:
        if "constant" in self.remark_codes and not self.impossible_rows:
            return ""
        larger = "smaller-than-expected" not in self.remark_codes
        return tone_of(self.p_value, larger=larger, impossible_rows=self.impossible_rows)


# Statistics whose names are not plain words.
NAMES = {
    "hosmer-lemeshow": "Hosmer-Lemeshow",
    "kolmogorov-smirnov": "Kolmogorov-Smirnov",
    "skce": "SKCE",
}


def _size(error: CalibrationError, *, bad: bool) -> list[Detail]:
    """Return how large an error is, beside what is expected if calibrated."""
    name = error_name(error.view, error.distance, error.norm)
    details = [Detail("size", name, number(error.value)), *expected_if_calibrated(error)]
    gap = error.largest_gap() if bad else None
    return (
        details
        if gap is None
        else [*details, Detail("largest_gap", "largest gap", gap_text(gap), alone=True)]
    )


FAMILIES_SHOWN = 5  # of the omnibus; its `parts` have all


def _parts_table(parts: Sequence[Mapping[str, Any]], resamples: int) -> Table:
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
        "p": [p_or_bound(part["p_value"], resamples, "greater") for part in rows],
    }
    return Table(columns, left=("family of faults", "largest member", "probability"))


@dataclass(frozen=True, repr=False, eq=False)
class ReliabilityCurve(Result):
    """Observed frequency against predicted probability, bin by bin.

    Attributes
    ----------
    view, scheme : what was binned; n : rows
    y_label : "observed frequency" (a class) or "accuracy" (top label)
    value : the calibration error of these bins, absolute distance
    bins : one row per bin (lo, hi, closed, count, weight, mean_probability, outcome_share,
        band_low, band_high, lowest, highest); the band holds the share with probability `level` if
        calibrated; lowest and highest are scores in the bin
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    view: str
    scheme: str
    n: int
    x_label: str
    y_label: str
    value: float
    level: float
    bins: Sequence[dict[str, Any]]
    row_groups: RowGroups | None = None

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the bins."""
        return self.bins

    def present(self) -> Presentation:
        """Return the calibration error of the bins, and each bin beside its band."""
        rows = self.bins
        band = [interval((row["band_low"], row["band_high"])) for row in rows]
        columns = {
            **_bin_table(rows).columns,
            f"{percentage(self.level)} band if calibrated": band,
        }
        return Presentation(
            subject=f"{capital(view_words(self.view))}, {bins_words(self.scheme)}",
            details=(
                Detail("n", "rows", f"{self.n:,}"),
                Detail("value", error_name(self.view), number(self.value)),
                *self._gap(),
                *group_details(self.row_groups),
            ),
            notes=group_notes(self.row_groups),
            tables=(Table(columns, left=("bin",)),),
        )

    def _gap(self) -> tuple[Detail, ...]:
        """Return where the curve is farthest from the diagonal, if it leaves its band."""
        worst = self.largest_gap()
        return () if worst is None else (Detail("largest_gap", "largest gap", gap_text(worst)),)

    def rows_in(self, data: Predictions, places: Sequence[int]) -> NDArray[np.bool_]:
        """Mark the rows of `data` that are in some of the bins, by their places in `bins`."""
        return rows_within(data, self.view, [self.bins[place] for place in places])

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


BARS = 40  # of the histogram of draws; a convention
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
        """Return the bars, and how many draws are outside them."""
        missing = f"{counted(self.infinite, 'draw')} without a finite value left out."
        return Presentation(
            notes=(Note(missing, "infinite-draws"),) if self.infinite else (),
            legend=("Bars: values on these rows if calibrated; shaded: 95 % of them.",),
        )


def null_histogram(result: CalibrationError | CalibrationTest) -> NullHistogram | None:
    """Return the draws of an error or a test as a histogram; None where nothing was drawn.

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
