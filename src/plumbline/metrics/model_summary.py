"""All numbers of a model at once: scores over folds, calibration errors, the calibration test."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import whole_number
from plumbline._result import Result, shown
from plumbline.binning import BinsLike
from plumbline.calibration import OwnDistance
from plumbline.calibration_tests import (
    CalibrationError,
    CalibrationTest,
    calibration_error,
    calibration_test,
)
from plumbline.formatting import p_number
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed
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
class ModelEvaluation(Result):
    """All numbers of one model.

    Attributes
    ----------
    model : its name, or None where the table has no `model` column
    n, effective_n, folds : rows, effective rows, number of folds
    scores : log loss, Brier score, accuracy (what the table allows)
    brier_convention : which Brier score that is; None for tables without probabilities
    brier_by_class : the Brier score of every class against the rest
    impossible_rows : rows whose true class had been given probability 0; None for labels alone
    calibration : calibration errors with their null: the default view, then classwise if k > 2
    test : the omnibus calibration test; None for tables without probabilities
    """

    model: str | None
    n: int
    effective_n: float
    folds: int
    scores: Sequence[ScoreRow]
    brier_convention: str | None
    brier_by_class: Mapping[str, float]
    impossible_rows: int | None
    calibration: Sequence[CalibrationError]
    test: CalibrationTest | None

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


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation(Result):
    """The evaluation of every model in a table."""

    models: Sequence[ModelEvaluation]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row of scores and verdict numbers a model."""
        out = []
        for one in self.models:
            row = {k: v for k, v in one.scores_dict().items() if not isinstance(v, dict)}
            if one.test is not None:
                error = one.calibration[0]
                row |= {"view": error.view, "ece": error.value, "p_value": error.p_value}
                row |= {"omnibus_p_value": one.test.p_value}
            out.append(row)
        return out

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield one line a model: its scores, its error and the p-value."""
        for one in self.models:
            words = [f"{one.n:,} rows", *(f"{row.name} {shown(row.value)}" for row in one.scores)]
            if one.test is not None:
                error = one.calibration[0]
                words += [
                    f"{error.view} ECE {shown(error.value)}",
                    f"p {p_number(error.p_value)}",
                    f"omnibus p {p_number(one.test.p_value)}",
                ]
            yield one.model or "the model", ", ".join(words)


SCORES = {"log_loss": log_loss, "brier_score": brier_score, "accuracy": accuracy}


def evaluate(
    data: Predictions,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str | OwnDistance = "absolute",
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Score every model, measure its calibration, test it; one call behind the report.

    Arguments as in `calibration_error`. The classwise error is added for more than two classes.
    Tables without probabilities get what their columns allow.

    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> evaluate(data, resamples=99).models[0].scores_dict()["accuracy"]
    1.0
    """
    only_predictions(data)
    whole_number("resamples", resamples, least=1)
    views = [view] if data.k == 2 or view == "classwise" else [view, "classwise"]
    views = [] if data.prob is None else views
    parts = data.by_model()
    step = 1 / len(parts)
    sampling = {"resamples": resamples, "rng": rng, "workers": workers}
    result: list[ModelEvaluation] = []
    for place, (name, part) in enumerate(parts.items()):
        share = share_of(progress, place * step, (place + 1) * step)
        params = {"bins": bins, "distance": distance, **sampling}
        errors, test = _calibration(part, views, params, sampling, share)
        result.append(_evaluation(name, part, errors, test))
    return Evaluation(tuple(result))


def _calibration(
    data: Predictions,
    views: Sequence[str | None],
    params: Mapping[str, Any],
    sampling: Mapping[str, Any],
    progress: Progress | None,
) -> tuple[list[CalibrationError], CalibrationTest | None]:
    """Measure the error of every view, then ask the omnibus."""
    if not views:
        return [], None
    step = 1 / (len(views) + 1)
    errors = []
    for place, view in enumerate(views):
        bar = share_of(progress, place * step, (place + 1) * step)
        errors.append(calibration_error(data, view=view, progress=bar, **params))
    bar = share_of(progress, 1 - step, 1.0)
    return errors, calibration_test(data, progress=bar, **sampling)


def score_models(data: Predictions) -> Evaluation:
    """Score every model, without calibration and tests."""
    return Evaluation(
        tuple(_evaluation(name, part, [], None) for name, part in data.by_model().items())
    )


def _evaluation(
    name: str | None,
    data: Predictions,
    errors: Sequence[CalibrationError],
    test: CalibrationTest | None,
) -> ModelEvaluation:
    folds = data.by_fold()
    known = data.prob is not None
    names = tuple(SCORES) if known else ("accuracy",) if data.label is not None else ()
    by_class = {c: brier_score(data, target=c) for c in data.classes} if known else {}
    return ModelEvaluation(
        model=name,
        n=data.n,
        effective_n=data.effective_n,
        folds=len(folds),
        scores=tuple(_score_row(score, data, list(folds.values())) for score in names),
        brier_convention=brier_convention(data) if known else None,
        brier_by_class=by_class,
        impossible_rows=impossible_rows(data) if known else None,
        calibration=tuple(errors),
        test=test,
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
