"""What the advisor returns: how every method did, which was chosen, and before and after."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from plumbline._result import Result, html_table, text_table
from plumbline.calibration_tests import ReliabilityCurve, reliability_curve
from plumbline.formatting import number, p_number, printable, score

Explained = TypeVar("Explained", "MethodAdvice", "ScoreChange")


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class MethodAdvice(Result):
    """How one method did on rows that its map was not fitted on.

    Attributes
    ----------
    method, title : its name, and that in sentences
    log_loss, brier_score : mean over the rows, after
    log_loss_difference, brier_difference : after - before; below 0 the method helped
    log_loss_range, brier_range : confidence intervals of the differences, paired by row
    p_value, adjusted_p_value : of the score test of what the method can correct, labels drawn from
        what was before; alone, and adjusted for the number of tests
    calibration_gained : fall of the Brier score's miscalibration, above 0 better
    refinement_lost : fall of the Brier score's discrimination, above 0 worse
    roc_auc_before, roc_auc_after : area under the ROC curve (of several classes: their mean), mean
        over the parts; that of the whole table differs, for several maps made it
    ties_created : share of the rows that tie in the positive (largest) probability only after
    parameters : numbers fitted freely
    helps : whether it is shown to be better in log loss (`recalibration_advice` tells the rule)
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
    adjusted_p_value: float
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
    p_value : whether the probabilities are calibrated, by score tests of what maps can correct
    chosen : method to take; "none" where it is best to leave the probabilities as they are
    gain, gain_range : fall of the log loss by the whole procedure on parts that took no part in
        choosing, above 0 better, and its interval; NaN where none is chosen. The remark
        `gain-of-chosen` says where they took part, as two parts must
    verdict : what to do and why, in plain words
    methods : every method that was tried, best log loss first, then those that were not
    remarks, remark_codes : what to know before believing it, and a stable code of each
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
    recalibrated: Any = dataclasses.field(metadata={"hidden": True})

    def left_out(self) -> dict[str, list[MethodAdvice]]:
        """Return the methods that were not tried, by the reason."""
        return _by_reason(self.methods)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a method."""
        return [row for method in self.methods for row in method.rows()]

    def columns(self) -> dict[str, list[str]]:
        """Return the methods that were tried as columns of text, for a table."""
        tried = [method for method in self.methods if method.reason is None]
        return {
            "method": [one.method for one in tried],
            "log loss": [score(one.log_loss) for one in tried],
            "change": [number(one.log_loss_difference) for one in tried],
            f"{100 * self.level:g} % interval": [_span(one.log_loss_range) for one in tried],
            "adjusted p": [p_number(one.adjusted_p_value) for one in tried],
            "Brier": [number(one.brier_difference) for one in tried],
            "calibration gained": [number(one.calibration_gained) for one in tried],
            "refinement lost": [number(one.refinement_lost) for one in tried],
            "AUC, mean of parts": [number(one.roc_auc_after) for one in tried],
            "ties": [f"{100 * one.ties_created:.0f} %" for one in tried],
            "helps": ["yes" if one.helps else "no" for one in tried],
        }

    def __repr__(self) -> str:
        table = text_table(self.columns(), left=LEFT)
        return "\n".join(["RecalibrationAdvice", table, self.verdict, *self.remarks])

    def _repr_html_(self) -> str:
        return html_table(self.columns(), left=LEFT, caption=self.verdict)


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
    answers_changed : share of rows whose most likely class is another one after
    verdict : in plain words
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

    def columns(self) -> dict[str, list[str]]:
        """Return the numbers as columns of text, for a table."""
        every = self.changes
        return {
            "number": [one.title for one in every],
            "before": [score(one.before) for one in every],
            "after": [score(one.after) for one in every],
            "change": [number(one.difference) for one in every],
            f"{100 * self.level:g} % interval": [_span(one.interval_range) for one in every],
            "p": [p_number(one.p_value) for one in every],
            "better": [one.better or "-" for one in every],
        }

    def __repr__(self) -> str:
        table = text_table(self.columns(), left=LEFT)
        name = "" if self.model is None else f" of {printable(self.model)}"
        head = f"RecalibrationEffect{name}: {self.method}, {self.n:,} rows"
        return "\n".join([head, table, self.verdict, *self.remarks])

    def _repr_html_(self) -> str:
        return html_table(self.columns(), left=LEFT, caption=self.verdict)


LEFT = ("method", "number", "helps", "better")


def _span(bounds: tuple[float, float]) -> str:
    low, high = bounds
    return "-" if low != low else f"{number(low)} to {number(high)}"


def _by_reason(rows: Iterable[Explained]) -> dict[str, list[Explained]]:
    """Return the rows that have a reason, by it."""
    rows_of: dict[str, list[Explained]] = {}
    for row in rows:
        if row.reason is not None:
            rows_of.setdefault(row.reason, []).append(row)
    return rows_of
