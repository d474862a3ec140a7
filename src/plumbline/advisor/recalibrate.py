"""`recalibrate`: one call from held-out predictions to the map that recalibrates them."""

import dataclasses
from typing import Any

from plumbline._checks import near_names, shorten, shown
from plumbline.advisor.recalibration_advice import recalibration_advice
from plumbline.errors import InputError, ParameterError
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.recalibration import RecalibrationMap, fit_map
from plumbline.recalibration.forms import OneVsRest, Unchanged
from plumbline.recalibration.inputs import PROBABILITY, SCORE
from plumbline.recalibration.methods import AUTO, METHODS, NONE, ONE_VS_REST
from plumbline.recalibration.remembered import NOBODY

SIGMOID = ("sigmoid", "logistic", "logistic-regression")


def recalibrate(
    data: Predictions,
    method: str = AUTO,
    *,
    on: str | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> RecalibrationMap:
    """Fit a map that mends probabilities (or turns ratings into some) on held-out predictions.

    `method` is a name of `recalibration.METHODS`, whose `options` may follow; "auto" asks
    `recalibration_advice` for the best and keeps its answer as `.advice` of the map; "none" leaves
    everything as it is. The map is fitted on all rows; call it with other rows than these. Measure
    on rows that neither the model nor the map has seen.

    Raises ParameterError for an unknown method or option, InputError for a table of several models,
    of labels alone, of one class, or without weight.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(size=500)
    >>> happened = rng.uniform(size=500) < p
    >>> holdout = Predictions.from_arrays(happened, p**3 / (p**3 + (1 - p) ** 3))
    >>> bolder = recalibrate(holdout, "temperature")
    >>> bolder(Predictions.from_arrays([False, True], [0.008, 0.9])).prob[:, 1].round(1).tolist()
    [0.2, 0.7]
    """
    only_predictions(data).need_one_model("recalibration")
    method = asked_method(method)
    if method not in (AUTO, NONE):
        return fit_map(data, method, on=on, **options)
    if options:
        raise ParameterError(
            f"options belong to a method by name, got {shown(options)} beside method={method!r}; "
            "name the method too"
        )
    if method == NONE:
        return unchanged(data, on)
    advice = recalibration_advice(data, on=on, rng=rng, workers=workers, progress=progress)
    chosen = unchanged(data, on) if advice.chosen == NONE else fit_map(data, advice.chosen, on=on)
    return dataclasses.replace(chosen, advice=advice)


def asked_method(method: Any) -> Any:
    """Return a method that there is, however it is spelt; another gets all names, and the nearest.

    scikit-learn's "sigmoid" is logistic regression, of the log-odds or of the probability.
    """
    key = str(method).strip().casefold().replace("_", "-").replace(" ", "-")
    names = (AUTO, NONE, *METHODS)
    if key in names:
        return key
    near = near_names(key, names)
    if key in SIGMOID:
        near = "; 'platt' is it on log-odds or ratings, 'platt-on-probability' on probabilities"
    raise ParameterError(
        f"`method` must be one of {shown(names, most=len(names))}, got {shorten(method)}{near}"
    )


def unchanged(data: Predictions, on: str | None = None) -> RecalibrationMap:
    """Return the map that changes nothing.

    Raises InputError for ratings, which are no probabilities before they are mapped.
    """
    if on == SCORE or data.prob is None:
        raise InputError(
            "method 'none' leaves probabilities as they are, and ratings are none; name a method "
            "that reads them, such as 'platt'"
        )
    binary = data.k == 2
    return RecalibrationMap(
        method=NONE,
        classes=data.classes,
        positive=data.classes[data.positive] if binary else None,
        on=PROBABILITY,
        several=None if binary else ONE_VS_REST,
        form=OneVsRest((Unchanged(),) * (1 if binary else data.k)),
        parameters=0,
        n=int((data.mass > 0).sum()),
        effective_n=data.effective_n,
        notes=("it leaves the probabilities as they are",),
        remembered=NOBODY,
    )
