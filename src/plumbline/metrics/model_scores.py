"""The log loss, Brier score and accuracy of a model, on all its rows and over its folds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._result import Result
from plumbline.calibration_tests import CalibrationError, CalibrationTest
from plumbline.predictions import Predictions
from plumbline.scores import accuracy, brier_convention, brier_score, impossible_rows, log_loss


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
    impossible_rows : rows whose true class had been given probability 0; None for labels alone
    calibration : calibration errors with their null; of the report only
    test : the omnibus calibration test; of the report only, None without probabilities
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

    def scores_dict(self) -> dict[str, Any]:
        """Return the scores as the command line prints them: `log_loss`, `brier_score`, ..."""
        flat: dict[str, Any] = {"model": self.model, "n": self.n, "effective_n": self.effective_n}
        for row in self.scores:
            values = row.to_dict()
            flat[row.name] = values["value"]
            if row.fold_mean is not None:
                flat[f"{row.name}_fold_mean"] = values["fold_mean"]
                flat[f"{row.name}_fold_deviation"] = values["fold_deviation"]
        flat["folds"] = self.folds
        flat["impossible_rows"] = self.impossible_rows
        flat["brier_score_convention"] = self.brier_convention
        flat["brier_score_by_class"] = dict(self.brier_by_class)
        reasons = {row.reason for row in self.scores if row.reason}
        reasons |= {"one fold has no standard deviation"} if self.folds == 1 else set()
        if reasons:
            flat["reason"] = "; ".join(sorted(reasons))
        return flat


SCORES = {"log_loss": log_loss, "brier_score": brier_score, "accuracy": accuracy}


def model_scores(data: Predictions, model: str | None = None) -> ModelScores:
    """Score the rows of one model as far as its columns allow.

    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> model_scores(data).scores_dict()["accuracy"]
    1.0
    """
    folds = data.by_fold()
    known = data.prob is not None
    names = tuple(SCORES) if known else ("accuracy",) if data.label is not None else ()
    by_class = {c: brier_score(data, target=c) for c in data.classes} if known else {}
    return ModelScores(
        model=model,
        n=data.n,
        effective_n=data.effective_n,
        folds=len(folds),
        scores=tuple(_score_row(score, data, list(folds.values())) for score in names),
        brier_convention=brier_convention(data) if known else None,
        brier_by_class=by_class,
        impossible_rows=impossible_rows(data) if known else None,
    )


def _score_row(name: str, data: Predictions, folds: Sequence[Predictions]) -> ScoreRow:
    score = SCORES[name]
    value = score(data)
    if not folds:
        return ScoreRow(name, value, None, None, _why(value, data, ()))
    values = np.array([score(fold) for fold in folds])
    finite = bool(np.isfinite(values).all())
    spread = float(values.std(ddof=1)) if finite and len(values) > 1 else float("nan")
    return ScoreRow(name, value, float(values.mean()), spread, _why(value, data, values))


def _why(value: float, data: Predictions, folds: Any) -> str | None:
    """Say why a score, or its mean over folds, is not a finite number."""
    if np.isnan(value):
        return "undefined: all weights are 0"
    if np.isinf(value):
        rows = f"{impossible_rows(data):,} of {data.n:,} rows"
        return f"infinite: {rows} gave their true class probability 0"
    if np.isnan(folds).any():
        return "undefined over folds: all weights of a fold are 0"
    return None
