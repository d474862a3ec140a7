"""What the advisor returns: the results of every method, the choice, and before and after."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.calibration_errors import ReliabilityCurve, reliability_curve
from plumbline.dependence import RowGroups, group_details, group_notes
from plumbline.formatting import capital, interval, number, p_number, percentage, score, sentence
from plumbline.recalibration import NONE

Explained = TypeVar("Explained", "MethodAdvice", "ScoreChange")


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class MethodAdvice(Result):
    """The results of one method on rows that its map was not fitted on.

    Attributes
    ----------
    method, title : its name, and that in sentences
    log_loss, brier_score : mean over the rows, after
    log_loss_difference, brier_difference : after - before; below 0 the method helped
    log_loss_range, brier_range : confidence intervals of the differences, paired by row
    p_value : of no difference of the log loss, two-sided; at most 1 - level where the interval
        excludes 0
    calibration_gained : fall of the Brier score's miscalibration, above 0 better
    refinement_lost : fall of the Brier score's discrimination, above 0 worse
    roc_auc_before, roc_auc_after : area under the ROC curve (of several classes: their mean), mean
        over the parts; that of the whole table differs, for several maps made it
    ties_created : share of the rows that tie in the positive (largest) probability only after
    parameters : numbers fitted freely
    helps : whether the interval of the log loss's difference lies below 0
    notes : what the reader should know
    reason : why it was not tried, or a number is missing; the numbers are then NaN
    """

    method: str
    title: str
    log_loss: float
    brier_score: float
    log_loss_difference: float
    log_loss_range: tuple[float, float]
    brier_difference: float
    brier_range: tuple[float, float]
    p_value: float
    calibration_gained: float
    refinement_lost: float
    roc_auc_before: float
    roc_auc_after: float
    ties_created: float
    parameters: int
    helps: bool
    notes: tuple[str, ...] = ()
    reason: str | None = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RecalibrationAdvice(Result):
    """Which map recalibrates these probabilities best, if any does.

    Attributes
    ----------
    model : its name, or None
    n : rows; parts : in how many they were cross-fitted
    on : "probability" or "score"
    level : of the intervals; seed : random seed
    log_loss_before, brier_before : of the rows as they are; NaN of ratings
    brier_convention : which Brier score is meant
    p_value : of the default calibration test of the probabilities as they are; NaN of ratings
    chosen : recommended method; "none" where there is no evidence of miscalibration, or no map
        lowers the log loss
    gain, gain_range : fall of the log loss by the chosen method, cross-fitted, above 0 better, and
        its interval; NaN where none is chosen
    verdict : what to do, with the log loss before and after
    methods : every method that was tried, best log loss first, then those that were not
    remarks, remark_codes : what to know before believing it, and a stable code of each
    row_groups : how much the rows of its groups depend; None where they are in none
    details, next_step : the evidence in a few facts, and what to do next; hidden
    recalibrated : the table after the chosen method, each row by a map fitted on others; hidden
    """

    model: str | None
    n: int
    parts: int
    on: str
    level: float
    seed: int | None
    log_loss_before: float
    brier_before: float
    brier_convention: str
    p_value: float
    chosen: str
    gain: float
    gain_range: tuple[float, float]
    verdict: str
    methods: tuple[MethodAdvice, ...]
    remarks: tuple[str, ...] = ()
    remark_codes: tuple[str, ...] = ()
    row_groups: RowGroups | None = None
    details: tuple[Detail, ...] = dataclasses.field(metadata={"hidden": True})
    next_step: NextStep = dataclasses.field(metadata={"hidden": True})
    recalibrated: Any = dataclasses.field(metadata={"hidden": True})

    def left_out(self) -> dict[str, list[MethodAdvice]]:
        """Return the methods that were not tried, by the reason."""
        return _by_reason(self.methods)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a method."""
        return [row for method in self.methods for row in method.rows()]

    def present(self) -> Presentation:
        """Return what to do and why, and the methods side by side."""
        tried = [one for one in self.methods if one.reason is None]
        before = tried[0].roc_auc_before if tried else math.nan
        columns = {
            "method": [AS_IT_IS, *(one.method for one in tried)],
            "log loss": [score(self.log_loss_before), *(score(one.log_loss) for one in tried)],
            "difference": ["-", *(number(one.log_loss_difference) for one in tried)],
            f"{percentage(self.level)} CI": ["-", *(_span(o.log_loss_range) for o in tried)],
            "p": ["-", *(p_number(one.p_value) for one in tried)],
            "Brier score": [score(self.brier_before), *(score(one.brier_score) for one in tried)],
            "AUC": [_area(before), *(_area(one.roc_auc_after) for one in tried)],
            "new ties": ["-", *(_percent(one.ties_created) for one in tried)],
            "helps": ["-", *("yes" if one.helps else "no" for one in tried)],
        }
        coded = zip(self.remarks, self.remark_codes, strict=True)
        notes = [Note(sentence(remark), code) for remark, code in coded]
        left_out = [
            f"Not tried: {', '.join(one.method for one in methods)} ({why})."
            for why, methods in self.left_out().items()
        ]
        explained = [note for note in notes if note.code in EXPLAINING]
        return Presentation(
            summary=self.verdict,
            details=(*self.details, *group_details(self.row_groups)),
            notes=(
                *(note for note in notes if note not in explained),
                *group_notes(self.row_groups),
            ),
            next_step=self.next_step,
            tables=(Table(columns, left=("method", "helps")),),
            legend=(
                *ADVICE_COLUMNS,
                *([SELECTED] if self.chosen != NONE else []),
                f"Brier score: {self.brier_convention}.",
                *explained,
                *left_out,
            ),
        )


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ScoreChange(Result):
    """One number before and after recalibration.

    Attributes
    ----------
    metric, title : its name in the catalogue, and that in sentences
    before, after : its values
    difference : after - before; interval_range : its confidence interval, paired by row
    p_value : of no difference, two-sided; NaN where there is no test
    better : "before", "after", or None where the difference is not significant
    null_before, null_after : mean of a calibration error if the probabilities were calibrated
    reason : why a number is missing
    """

    metric: str
    title: str
    before: float
    after: float
    difference: float
    interval_range: tuple[float, float]
    p_value: float
    better: str | None
    null_before: float
    null_after: float
    reason: str | None = None


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RecalibrationEffect(Result):
    """The same rows before and after a map.

    Attributes
    ----------
    model : name of the model, or None; method : name of the map's method
    n : rows
    honest : whether the map was fitted on other rows; not where `resubstitution` was passed
    changes : log loss, Brier score, accuracy, calibration error, ROC area
    brier_convention : which Brier score is meant
    test_before, test_after : p-values of the calibration test (omnibus); NaN of ratings
    ties_before, ties_after : share of rows that share their probability with another row
    answers_changed : share of rows whose most likely class differs after recalibration
    verdict : the log loss before and after, and whether the change is significant
    row_groups : how much the rows of its groups depend; None where they are in none
    details, notes, next_step : the other scores, their explanation, what to do next; hidden
    before, after : the tables; hidden
    """

    model: str | None
    method: str
    n: int
    honest: bool
    level: float
    seed: int | None
    changes: tuple[ScoreChange, ...]
    brier_convention: str
    test_before: float
    test_after: float
    ties_before: float
    ties_after: float
    answers_changed: float
    verdict: str
    remarks: tuple[str, ...] = ()
    row_groups: RowGroups | None = None
    details: tuple[Detail, ...] = dataclasses.field(metadata={"hidden": True})
    notes: tuple[Note, ...] = dataclasses.field(metadata={"hidden": True})
    next_step: NextStep | None = dataclasses.field(metadata={"hidden": True})
    before: Any = dataclasses.field(metadata={"hidden": True})
    after: Any = dataclasses.field(metadata={"hidden": True})

    def untested(self) -> dict[str, list[ScoreChange]]:
        """Return the numbers that changed and have no test, by the reason."""
        return _by_reason([one for one in self.changes if one.difference != 0])

    def curves(
        self, *, resamples: int = 999
    ) -> tuple[ReliabilityCurve | None, ReliabilityCurve | None]:
        """Return the reliability diagrams before and after; None of ratings."""
        before, after = (
            None
            if table.prob is None
            else reliability_curve(table, level=self.level, resamples=resamples, rng=self.seed or 0)
            for table in (self.before, self.after)
        )
        return before, after

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a number."""
        return [row for change in self.changes for row in change.rows()]

    def present(self) -> Presentation:
        """Return what the map did, and every number before and after; unchanged ones once."""
        unchanged = self.method == "none"
        loss = self.changes[0]
        untested = {} if unchanged else self.untested()
        reasons = (
            f"{capital(', '.join(one.title for one in changes))}: {reason}."
            for reason, changes in untested.items()
        )
        return Presentation(
            summary=self.verdict,
            tone={"after": "good", "before": "bad", None: "" if unchanged else "open"}[loss.better],
            details=(*self.details, *group_details(self.row_groups)),
            notes=(
                *self.notes,
                *(Note(sentence(one), "remark") for one in self.remarks),
                *group_notes(self.row_groups),
            ),
            next_step=self.next_step,
            tables=(self._values() if unchanged else self._before_and_after(),),
            legend=(*reasons, f"Brier score: {self.brier_convention}."),
        )

    def _before_and_after(self) -> Table:
        rows = self.changes
        columns = {
            "metric": [one.title for one in rows],
            "before": [score(one.before) for one in rows],
            "after": [score(one.after) for one in rows],
            "difference": [number(one.difference) for one in rows],
            f"{percentage(self.level)} CI": [_span(one.interval_range) for one in rows],
            "p": [p_number(one.p_value) for one in rows],
            EXPECTED: [_pair(one.null_before, one.null_after) for one in rows],
            "better": [one.better or "-" for one in rows],
        }
        return Table(columns, left=("metric", "better"))

    def _values(self) -> Table:
        rows = self.changes
        columns = {
            "metric": [one.title for one in rows],
            "value": [score(one.before) for one in rows],
            EXPECTED: [number(one.null_before) for one in rows],
        }
        return Table(columns, left=("metric",))


AS_IT_IS = "as it is"
EXPECTED = "expected if calibrated"
EXPLAINING = ("cross-fitted", "ratings")  # remarks on the method
SELECTED = (
    "Gain: stated where the same rows reject calibration; where p is near 0.05 it is too high, as "
    "rows with a smaller gain would not have rejected."
)
ADVICE_COLUMNS = (
    "Similar: methods that these rows do not distinguish from the chosen one, with log losses.",
    "log loss, Brier score: cross-validated; difference: of the log loss, below 0 is better.",
    "CI, p: of the difference; paired t-test, widened for the variance of the fitted maps.",
    "helps: the interval excludes 0.",
    "AUC: mean over the parts; new ties: rows with equal probabilities only after recalibration.",
)


def _span(ends: tuple[float, float]) -> str:
    return interval(ends) if all(map(math.isfinite, ends)) else "-"


def _area(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _percent(share: float) -> str:
    return "-" if math.isnan(share) else f"{100 * share:.1f} %"


def _pair(before: float, after: float) -> str:
    if math.isnan(before) and math.isnan(after):
        return "-"
    return f"{number(before)} → {number(after)}"


def _by_reason(rows: Iterable[Explained]) -> dict[str, list[Explained]]:
    """Return the rows that have a reason, by it."""
    rows_of: dict[str, list[Explained]] = {}
    for row in rows:
        if row.reason is not None:
            rows_of.setdefault(row.reason, []).append(row)
    return rows_of
