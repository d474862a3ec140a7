"""The table of `Predictions.from_cross_validation`: what `estimate` fits, without its summaries."""

from typing import Any

import numpy as np

from plumbline._checks import shorten, whole_number
from plumbline.errors import FormulaError, ParameterError, PlumblineError, reworded
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.validation.estimate import estimate
from plumbline.validation.schemes import model_selection

# Arguments of `estimate` -> those of `from_cross_validation`.
NAMES = {"estimator": "estimators", "scheme": "cv", "rows": "row"}
# Remedies in place of those that name what `from_cross_validation` has not.
REMEDIES = {
    "search-missing": "pass a search such as GridSearchCV as the estimator, or another `cv`, "
    "such as 5",
}


def cross_validated(
    estimators: Any,
    X: Any,
    y: Any,
    *,
    cv: Any,
    groups: Any,
    positive: Any,
    row: Any,
    attributes: Any,
    rng: Seed,
    workers: int | None,
    progress: Progress | None,
) -> Predictions:
    """Return the predictions of classifiers for the test parts of the same folds."""
    try:
        return estimate(
            estimators,
            X,
            y,
            scheme=_scheme(cv, grouped=groups is not None),
            groups=groups,
            metrics="accuracy",  # the cheapest, and all classifiers have it
            rows=row,
            attributes=attributes,
            positive=positive,
            rng=rng,
            workers=workers,
            progress=progress,
        ).predictions
    except FormulaError:
        raise
    except PlumblineError as error:
        raise reworded(error, NAMES, REMEDIES) from error.__cause__


def _scheme(cv: Any, *, grouped: bool) -> Any:
    """Return a scheme of `estimate`: a number stands for stratified folds."""
    if isinstance(cv, int | np.integer | float) or cv is None:
        folds = whole_number("cv", cv, least=2)
        return f"stratified-grouped:{folds}" if grouped else f"stratified:{folds}"
    if cv == "resubstitution":
        raise ParameterError(
            argument="cv",
            rule="folds that are tested by models of other rows",
            arrived=shorten(cv),
            code="no-folds",
            remedy="use a number of folds, such as 5",
        )
    if isinstance(cv, str) or hasattr(cv, "split"):
        return cv
    return model_selection().check_cv(list(cv)) if np.iterable(cv) else cv  # rows of each fold
