"""`recalibrate`: from held-out predictions to a recalibration map, in one call."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from plumbline._checks import near_names, shorten, shown
from plumbline.advisor.recalibration_advice import recalibration_advice
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.recalibration import (
    AUTO,
    METHODS,
    NONE,
    PROBABILITY,
    SCORE,
    OneVsRest,
    RecalibrationMap,
    Unchanged,
    fit_map,
)
from plumbline.recalibration.methods import ONE_VS_REST
from plumbline.recalibration.remembered import NOBODY

SIGMOID = ("sigmoid", "logistic", "logistic-regression")


def recalibrate(
    data: Predictions,
    method: str = AUTO,
    *,
    on: str | None = None,
    floor: float | None = None,
    bins: int | None = None,
    bounded: bool | None = None,
    knots: int | None = None,
    parameters: str | None = None,
    regularisation: float | None = None,
    prior: Mapping[str, float] | str | None = None,
    training: Mapping[str, float] | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RecalibrationMap:
    """Fit a map on held-out rows that recalibrates probabilities or ratings.

    The map is fitted on all rows of `data`. Apply it to other rows, and evaluate it on rows that
    neither the model nor the map was fitted on.

    Parameters
    ----------
    data : Predictions
        Held-out predictions of one model, with true classes.
    method : str, default "auto"
        "auto" uses the method that `recalibration_advice` chooses and keeps the advice as `.advice`
        of the map; "none" changes nothing; else a name of
        `plumbline.recalibration.methods.METHODS`, such as "platt", "beta", "spline", "isotonic",
        "venn-abers", "histogram-equal-size", "temperature", "vector" or "prior-shift".
    on : {"probability", "score"}, optional
        What the map reads; by default probabilities where the table has them.
    floor : float, default 2**-52
        Smaller probabilities are replaced by it in logarithms; at least 0 and below 0.1. For
        methods that take logarithms: platt, beta, spline, scaling-binning, temperature, vector,
        matrix, dirichlet, dirichlet-odir and prior-shift.
    bins : int, default 15
        Number of bins, 1 to a million. For histogram-equal-width, histogram-equal-size and
        scaling-binning.
    bounded : bool, default True
        Whether an observed frequency of 0 or 1 is moved by the rule of succession, 1 / (n + 2). For
        isotonic, centred-isotonic, histogram-equal-width and histogram-equal-size.
    knots : int, default 0
        Number of knots of spline, 3 to 200, or 0 to choose it from the rows.
    parameters : {"abm", "am", "ab"}, default "abm"
        Which parameters of beta are fitted: all, with a = b, or with q = 1/2 at p = 1/2.
    regularisation : float, optional
        Strength of the penalty of matrix, dirichlet and dirichlet-odir, at least 0; by default
        chosen by cross-validation.
    prior : mapping of str to float, or "em", optional
        New shares of the classes for prior-shift, with the sum 1; "em" estimates them from the
        probabilities alone. Without it they are estimated from the classes of the rows.
    training : mapping of str to float, optional
        Shares of the classes in the rows the model was trained on, for prior-shift beside `prior`;
        by default the mean probabilities of the rows, but required for "em".
    rng : int or Generator, default 0
        Random seed of the parts and labels that "auto" draws.
    workers : int, optional
        Threads of "auto"; by default all cores. The result does not depend on them.
    progress : callable, optional
        Called with (done, total) while "auto" tries methods.

    Returns
    -------
    RecalibrationMap
        The frozen map: call it with a table, save it, or write it as SQL, Python or ONNX.

    Raises
    ------
    ParameterError
        An unknown method, an option that the method does not take, or an invalid value.
    InputError
        A table of several models, of labels alone, of one class, or without weight.

    References
    ----------
    The source of every method is in `plumbline.recalibration.methods.METHODS`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(size=500)
    >>> actual = rng.uniform(size=500) < p
    >>> holdout = Predictions.from_arrays(actual, p**3 / (p**3 + (1 - p) ** 3))
    >>> recalibrated = recalibrate(holdout, "temperature")
    >>> new = Predictions.from_arrays([False, True], [0.008, 0.9])
    >>> recalibrated(new).prob[:, 1].round(1).tolist()
    [0.2, 0.7]
    >>> recalibrate(holdout, "histogram-equal-size", bins=4).parameters
    4
    """
    only_predictions(data).need_one_model("recalibration")
    method = method_or_choice(method)
    choices = {
        "floor": floor,
        "bins": bins,
        "bounded": bounded,
        "knots": knots,
        "parameters": parameters,
        "regularisation": regularisation,
        "prior": prior,
        "training": training,
    }
    options = {name: value for name, value in choices.items() if value is not None}
    if method not in (AUTO, NONE):
        return fit_map(data, method, on=on, options=options)
    if options:
        raise ParameterError(
            f"options need a named method, got {shown(options)} with `method={method!r}`; "
            "name the method too",
            code="argument-needs-another",
        )
    if method == NONE:
        return unchanged(data, on)
    advice = recalibration_advice(data, on=on, rng=rng, workers=workers, progress=progress)
    fitted = unchanged(data, on) if advice.chosen == NONE else fit_map(data, advice.chosen, on=on)
    return dataclasses.replace(fitted, advice=advice)


def method_or_choice(method: Any) -> str:
    """Return "auto", "none" or the name of a method, however it is spelt.

    Another name gets an error with all names, and the nearest. scikit-learn's "sigmoid" is logistic
    regression, of the log-odds or of the probability.
    """
    key = str(method).strip().casefold().replace("_", "-").replace(" ", "-")
    names = (AUTO, NONE, *METHODS)
    if key in names:
        return key
    near = near_names(key, names)
    if key in SIGMOID:
        near = (
            f". The {quoted(key)} of scikit-learn is 'platt', on log-odds or ratings, and "
            "'platt-on-probability' on probabilities."
        )
    raise ParameterError(
        f"`method` must be one of {shown(names, most=len(names))}, got {shorten(method)}{near}",
        code="unknown-name",
    )


def unchanged(data: Predictions, on: str | None = None) -> RecalibrationMap:
    """Return the map that changes nothing.

    Raises InputError for ratings, which are no probabilities before they are mapped.
    """
    if on == SCORE or data.prob is None:
        raise InputError(
            "method 'none' does not change probabilities, and these are ratings; name a method "
            "that reads ratings, such as 'platt'",
            code="ratings-not-mapped",
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
        n=data.total if data.counted else int((data.mass > 0).sum()),
        effective_n=data.effective_n,
        notes=("it does not change the probabilities",),
        remembered=NOBODY,
    )
