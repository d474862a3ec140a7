"""Prior-shift correction: adjusts for other class shares, and for nothing else."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, real_number, shorten, shown
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.recalibration.forms import Softmax, WholeFit
from plumbline.recalibration.inputs import Reading
from plumbline.recalibration.methods.softmax_regression import (
    BIAS,
    Pull,
    for_all,
    minimised,
    prepared,
    separation,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Shares = Mapping[Any, float]

EM = "em"
STEPS, ENOUGH = 10_000, 1e-10  # of the expectation-maximisation
LEAST = 1e-8  # share that is taken for none
NEAR = 1e-6  # how far shares may be from the sum 1

NONE_LEFT = "the estimated share of {} falls to 0 and is held at {:g}"
UNFINISHED = "EM did not converge in 10,000 iterations, so the shares are approximate"


def prior_shift(
    reading: Reading,
    actual: Ints,
    weight: Floats,
    *,
    prior: Shares | str | None = None,
    training: Shares | None = None,
) -> WholeFit:
    """Return q_c = p_c w_c / sum_j p_j w_j, w_c the new share of class c over its old one.

    `prior` None takes the w of least log loss on these rows. {class: share} are the new shares,
    where `training` are the old ones, unless given the mean probabilities of these rows, which for
    rows like those of the training are about its shares. "em" takes the new shares that make the
    rows' probabilities likeliest, without looking at their classes; it needs `training`.
    Source: Saerens, Latinne and Decaestecker (2002).
    """
    if prior is None:
        if training is not None:
            raise ParameterError(
                "`training` needs new shares beside it; pass `prior` too, as shares or 'em'",
                code="prior-missing",
            )
        return _likeliest_of_labels(reading, actual, weight)
    if isinstance(prior, str) and prior != EM:
        raise ParameterError(
            argument="prior",
            rule="{class: share}, 'em' or None",
            arrived=shorten(prior),
            code="wrong-kind",
        )
    share = np.exp(reading.logs())
    share /= share.sum(axis=1, keepdims=True)
    if training is None and not isinstance(prior, str):
        old = weight @ share / weight.sum()
    else:
        old = _shares("training", training, reading.classes)
    if isinstance(prior, str):
        new, notes = _likeliest(share / old, weight / weight.sum(), old, reading.classes)
        return _fit(new, old, reading, len(old) - 1, notes)
    return _fit(_shares("prior", prior, reading.classes), old, reading, 0, ())


def _fit(
    new: Floats, old: Floats, reading: Reading, parameters: int, notes: tuple[str, ...]
) -> WholeFit:
    details = {"prior": _by_name(new, reading), "training": _by_name(old, reading)}
    return WholeFit(Softmax(np.array(1.0), np.log(new / old)), parameters, notes, details)


def _by_name(values: Floats, reading: Reading) -> dict[str, float]:
    return dict(zip(reading.classes, values.tolist(), strict=True))


def _likeliest_of_labels(reading: Reading, actual: Ints, weight: Floats) -> WholeFit:
    ready = prepared(reading, actual, weight, centred=False)
    s = len(ready.present)
    if s == 1:
        raise InputError(
            f"all rows are of the class {quoted(reading.classes[int(ready.present[0])])}, so "
            "class shares cannot be estimated; fit on rows of every class, or pass `prior`",
            code="one-class-to-fit",
        )
    start = np.zeros((s, 1))
    pull = Pull(start, np.full((s, 1), np.inf))
    numbers = minimised(BIAS, ready.rows, pull, start=start)
    weights, bias = for_all(numbers, ready.present, reading.k)
    notes = ready.notes + separation(BIAS, ready.rows, numbers)
    factors = _by_name(np.exp(bias), reading)
    return WholeFit(Softmax(weights, bias), s - 1, notes, {"factors": factors})


def _likeliest(
    ratio: Floats, weight: Floats, old: Floats, classes: tuple[str, ...]
) -> tuple[Floats, tuple[str, ...]]:
    """Return the shares of greatest likelihood, (n, k) ratios p / old share given.

    Every round takes the mean of the rows' corrected probabilities for the new shares.
    """
    new = old
    notes = [UNFINISHED]
    for _ in range(STEPS):
        following = new * ((weight / (ratio @ new)) @ ratio)
        moved = np.abs(following - new).max()
        new = following
        if moved < ENOUGH:
            notes = []
            break
    gone = new < LEAST
    notes += [NONE_LEFT.format(classes[c], LEAST) for c in np.flatnonzero(gone)]
    new = np.where(gone, LEAST, new)
    return new / new.sum(), tuple(notes)


def _shares(argument: str, given: Any, classes: tuple[str, ...]) -> Floats:
    """Return (k,) shares of the classes in their order."""
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"`{argument}` must be {{class: share}}, got {shorten(given)}; the shares of the "
            "classes in the rows that the model was trained on"
            if argument == "training"
            else f"`{argument}` must be {{class: share}}, got {shorten(given)}",
            code="wrong-kind",
        )
    by_name = {str(name): real_number(value) for name, value in given.items()}
    for name in by_name:
        if name not in classes:
            raise ParameterError(
                f"`{argument}` names the class {quoted(name)}, and the table has {shown(classes)}"
                f"{near_names(name, classes)}",
                code="unknown-name",
            )
    values = np.array([by_name.get(name, np.nan) for name in classes])
    if not (np.all(values > 0) and abs(values.sum() - 1) <= NEAR):
        raise ParameterError(
            f"`{argument}` must give every class a share above 0, with the sum 1, got "
            f"{shorten(dict(given))}; the classes are {shown(classes)}",
            code="no-shares",
        )
    shares: Floats = values / values.sum()
    return shares
