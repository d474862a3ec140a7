"""The log loss, Brier score and accuracy of a model, on all its rows and over its folds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.calibration_errors import CalibrationError, CalibrationTest
from plumbline.calibration_errors.next_steps import ALL_KINDS
from plumbline.calibration_errors.results import effective_rows
from plumbline.dependence import RowGroups, group_details, plain_groups, row_groups_in
from plumbline.errors import InputError
from plumbline.formatting import SCORE_NAMES, capital, number, score
from plumbline.predictions import Predictions
from plumbline.scores import (
    accuracy,
    brier_convention,
    brier_score,
    impossible_rows,
    log_loss,
    own_log_probability,
)
from plumbline.verdicts import IMPOSSIBLE, p_or_bound

OVER_FOLDS = "Mean over the folds (standard deviation)"


@dataclass(frozen=True, repr=False, eq=False)
class ScoreRow(Result):
    """One score: on all rows, and its mean and standard deviation over folds.

    `fold_mean` and `fold_deviation` (n - 1 in the denominator) are None without folds.
    """

    name: str
    value: float
    fold_mean: float | None
    fold_deviation: float | None
    reason: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class ModelScores(Result):
    """The scores of one model and, where the report measured them, its errors and its test.

    Attributes
    ----------
    model : its name, or None where the table has no `model` column
    n, effective_n, folds : rows, effective rows, number of folds
    scores : log loss, Brier score, accuracy (what the table allows)
    brier_convention : which Brier score that is; None for tables without probabilities
    brier_by_class : the Brier score of every class against the rest
    impossible_rows : rows whose observed class had probability 0; None for labels alone
    calibration : calibration errors with their null; of the report only
    test : the omnibus calibration test; of the report only, None without probabilities
    reason : why scores are missing; None where none is
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    model: str | None
    n: int
    effective_n: float
    folds: int
    scores: Sequence[ScoreRow]
    brier_convention: str | None
    brier_by_class: Mapping[str, float]
    impossible_rows: int | None
    calibration: Sequence[CalibrationError] = ()
    test: CalibrationTest | None = None
    reason: str | None = None
    row_groups: RowGroups | None = None

    def present(self) -> Presentation:
        """Return the scores, their means over folds or, of a report, error, test and verdict."""
        details = [Detail("n", "rows", f"{self.n:,}"), *group_details(self.row_groups)]
        details += effective_rows(self.n, self.effective_n)
        details += [
            Detail(row.name, SCORE_NAMES[row.name], score(row.value)) for row in self.scores
        ]
        if self.test is not None:
            error, *_ = self.calibration
            details += [
                Detail("ece", "ECE", number(error.value)),
                Detail("null_mean", "expected if calibrated", number(error.null_mean)),
                Detail(
                    "p_value",
                    "p (omnibus)",
                    p_or_bound(self.test.p_value, self.test.resamples, self.test.tail),
                ),
            ]
        notes = [self._undefined(row) for row in self.scores if row.reason]
        notes += [Note(f"{capital(self.reason)}.", "no-probabilities")] if self.reason else []
        convention = self.brier_convention
        return Presentation(
            summary="" if self.test is None else self.test.verdict,
            details=tuple(details) if self.scores else (),
            notes=tuple(notes),
            next_step=self._next_step(),
            tables=(self._over_folds(),) if self.folds > 1 and self.test is None else (),
            legend=() if convention is None else (f"Brier score: {convention}.",),
        )

    def _next_step(self) -> NextStep | None:
        """Return the test of probabilities, or the metric that ratings alone have."""
        if self.test is not None:
            return None
        if self.brier_convention:
            return ALL_KINDS
        return None if self.reason is None or self.scores else RANKS

    def _undefined(self, row: ScoreRow) -> Note:
        """Return why a score is not a finite number."""
        text = f"The {SCORE_NAMES[row.name]} is {row.reason}."
        if not np.isinf(row.value):
            return Note(text, "undefined")
        fact = f"The {SCORE_NAMES[row.name]} is infinite: {IMPOSSIBLE}"
        return Note(text, "undefined", fact=fact, own=f"{self.impossible_rows:,} of {self.n:,}")

    def _over_folds(self) -> Table:
        means = {
            SCORE_NAMES[row.name]: [f"{score(row.fold_mean)} ({score(row.fold_deviation)})"]
            for row in self.scores
        }
        return Table({"folds": [str(self.folds)]} | means, title=OVER_FOLDS)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the scores as one row."""
        whole = self.scores_dict(infinite=True)
        return [{name: value for name, value in whole.items() if not isinstance(value, dict)}]

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return the scores as one entry, with the name of the model where it has one."""
        named = {} if self.model is None else {"model": self.model}
        return [named | {k: v for k, v in self.scores_dict().items() if k != "model"}], {}

    def scores_dict(self, *, infinite: bool = False) -> dict[str, Any]:
        """Return the scores as the command line prints them: `log_loss`, `brier_score`, ...

        A score that the table does not allow is None, and `reason` says why; an infinite one is
        None unless `infinite` keeps it.
        """
        flat: dict[str, Any] = {"model": self.model, "n": self.n, "effective_n": self.effective_n}
        for row in self.scores:
            values = row.for_tables() if infinite else row.to_dict()
            flat[row.name] = values["value"]
            if row.fold_mean is not None:
                flat[f"{row.name}_fold_mean"] = values["fold_mean"]
                flat[f"{row.name}_fold_deviation"] = values["fold_deviation"]
        flat |= plain_groups(self.row_groups)
        flat["folds"] = self.folds
        flat["impossible_rows"] = self.impossible_rows
        flat["brier_score_convention"] = self.brier_convention
        flat["brier_score_by_class"] = dict(self.brier_by_class)
        if self.reason is not None:
            missing = {name: None for name in SCORE_NAMES if name not in flat}
            return flat | missing | {"reason": self.reason}
        reasons = {row.reason for row in self.scores if row.reason}
        reasons |= {"one fold has no standard deviation"} if self.folds == 1 else set()
        if reasons:
            flat["reason"] = "; ".join(sorted(reasons))
        return flat


SCORES = {"log_loss": log_loss, "brier_score": brier_score, "accuracy": accuracy}


def model_scores(data: Predictions, model: str | None = None) -> ModelScores:
    """Score the rows of one model as far as its columns allow.

    Parameters
    ----------
    data : Predictions
        The predictions of one model.
    model : str, optional
        The name that the scores go by.

    Returns
    -------
    ModelScores
        Log loss, Brier score and accuracy of all rows and over folds.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> model_scores(data).scores_dict()["accuracy"]
    1.0
    """
    folds = data.by_fold()
    known = data.prob is not None or data.losses is not None
    names = tuple(SCORES) if known else ("accuracy",) if data.label is not None else ()
    by_class = {c: brier_score(data, target=c) for c in data.classes} if known else {}
    return ModelScores(
        model=model,
        n=data.total,
        effective_n=data.effective_n,
        folds=len(folds),
        scores=tuple(_score_row(name, data, list(folds.values())) for name in names),
        brier_convention=brier_convention(data) if known else None,
        brier_by_class=by_class,
        impossible_rows=impossible_rows(data) if known else None,
        reason=_lacking(data),
        row_groups=row_groups_in(data, *_own(data)),
    )


RANKS = NextStep("scores", "See how well the ratings rank the rows.", {"metrics": "roc-auc"})


def _own(data: Predictions) -> tuple[str, NDArray[np.float64]] | tuple[()]:
    """Return what the first score is the mean of, by its name."""
    if data.prob is not None:
        return "log loss", -own_log_probability(data)
    if data.label is not None:
        return "accuracy", (data.predicted == data.actual).astype(np.float64)
    return ()


def _lacking(data: Predictions) -> str | None:
    """Say it where a table lacks what some scores need."""
    if data.losses is not None:
        return None
    try:
        data.need_prob("every score" if data.label is None else "every score except the accuracy")
    except InputError as error:
        return error.text
    return None


def _score_row(name: str, data: Predictions, folds: Sequence[Predictions]) -> ScoreRow:
    take = SCORES[name]
    value = take(data)
    if not folds:
        return ScoreRow(name, value, None, None, _why(value, data, ()))
    values = np.array([take(fold) for fold in folds])
    finite = bool(np.isfinite(values).all())
    spread = float(values.std(ddof=1)) if finite and len(values) > 1 else float("nan")
    return ScoreRow(name, value, float(values.mean()), spread, _why(value, data, values))


def _why(value: float, data: Predictions, folds: Any) -> str | None:
    """Say why a score, or its mean over folds, is not a finite number."""
    if np.isnan(value):
        return "undefined: all weights are 0"
    if np.isinf(value):
        rows = f"{impossible_rows(data):,} of {data.total:,} rows"
        return f"infinite: in {rows} the observed class had predicted probability 0"
    if np.isnan(folds).any():
        return "undefined over folds: all weights of a fold are 0"
    return None
