"""From held-out predictions to a frozen map, whatever the method; and maps fitted out of part."""

import dataclasses
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, one_of, real_number, shorten, shown
from plumbline._linear_algebra import ONE_CORE
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import amount, counted, named, quoted
from plumbline.predictions import Predictions, only_predictions
from plumbline.predictions.labels import rows_of_codes
from plumbline.recalibration.forms import EventFit, OneVsRest, Steps, Unchanged, WholeFit
from plumbline.recalibration.inputs import (
    INPUTS,
    PROBABILITY,
    SCORE,
    Reading,
    reading_of,
    rows_that_count,
    usual_input,
    with_least,
)
from plumbline.recalibration.map import RecalibrationMap
from plumbline.recalibration.methods import FLOOR, METHODS, ONE_VS_REST, Method, method_named
from plumbline.recalibration.remembered import NOBODY, Remembered

Floats = NDArray[np.float64]

HIGHEST_FLOOR = 0.1  # a floor guards against 0; a convention
INPUT_TEXT = {PROBABILITY: "probabilities", SCORE: "ratings"}


# Methods whose map is the same whatever the weights are multiplied by.
SCALE_FREE = {"temperature", "isotonic", "histogram-equal-width", "histogram-equal-size"}
SCALE_FREE |= {"prior-shift"}
SMALL = 0.5  # of the effective rows; at half of 2,000 maps moved by .001, Venn-Abers by .03


def fit_map(
    data: Predictions,
    method: str,
    *,
    on: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> RecalibrationMap:
    """Fit a method on held-out rows and freeze it.

    Parameters
    ----------
    data : Predictions
        Held-out rows of one model with probabilities or ratings; weights are used.
    method : str
        A name of `plumbline.recalibration.methods.METHODS`.
    on : {"probability", "score"}, optional
        What the map reads; by default probabilities where the table has them.
    options : mapping, optional
        Options of the method by name, as `plumbline.recalibrate` describes them.

    Returns
    -------
    RecalibrationMap
        The map. It refuses the rows it was fitted on, except for counted ones, which are no single
        rows, and for prior shift with `prior`, which does not use their classes.

    Raises
    ------
    ParameterError
        An unknown method or option, or one of a forbidden value.
    InputError
        A table of several models, of labels alone, of one class, or without weight.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.1, 0.4, 0.6, 0.9])
    >>> fit_map(data, "histogram-equal-size", options={"bins": 2}).parameters
    2
    """
    only_predictions(data).need_one_model("recalibration")
    row = method_named(method)
    read = usual_input(data) if on is None else one_of("on", on, INPUTS)
    if read not in row.on:
        others = [name for name, other in METHODS.items() if read in other.on]
        raise ParameterError(
            f"{row.title} reads {INPUT_TEXT[row.on[0]]}, not {INPUT_TEXT[read]}; for these use "
            f"{shown(others, most=20)}",
            code="method-not-for-ratings",
        )
    settings = _settings(row, options or {}, read)
    kept = rows_that_count(data)
    if kept is None:
        raise InputError(
            "a map needs rows with weight to be fitted on, and all weights are 0",
            code="weights-all-zero",
        )
    reading = reading_of(kept, read, kept.classes, kept.positive)
    if FLOOR in settings:
        reading = with_least(reading, floor=_checked_floor(settings[FLOOR]))
    weight = np.asarray(kept.mass, np.float64)
    passed = {name: value for name, value in settings.items() if name != FLOOR}
    if kept.counted and "counted" in signature(row.fit).parameters:
        passed["counted"] = True
    forgotten = settings.get("prior") is not None or kept.counted  # cells are no rows
    with ONE_CORE:
        fitted = _fitted(row, reading, kept, weight, passed)
    return RecalibrationMap(
        method=row.name,
        classes=data.classes,
        positive=data.classes[data.positive] if data.k == 2 else None,
        on=read,
        several=None if data.k == 2 else row.several,
        form=fitted.form,
        parameters=fitted.parameters,
        n=kept.total,
        effective_n=float(kept.n) if kept.weight is None else kept.effective_n,
        options=settings,
        notes=(*_small_weights(kept, row.name), *fitted.notes),
        details=fitted.details,
        least=reading.least,
        remembered=NOBODY if forgotten else Remembered.of(reading),
    )


def _settings(row: Method, options: Mapping[str, Any], read: str) -> dict[str, Any]:
    for name in options:
        if name not in row.options:
            options_text = shown(row.options) if row.options else "none"
            near = near_names(name, row.options)
            raise ParameterError(
                f"{row.title} has no option {quoted(name)}; it has {options_text}{near}",
                code="unknown-option",
            )
    if read == SCORE and FLOOR in options:
        raise ParameterError(
            f"`{FLOOR}` applies to probabilities near 0, and this map reads ratings; leave it out",
            code="floor-of-ratings",
        )
    settings = {**row.options, **options}
    return {name: value for name, value in settings.items() if name != FLOOR or read != SCORE}


def _checked_floor(floor: Any) -> float:
    number = real_number(floor)
    if not 0 <= number < HIGHEST_FLOOR:
        raise ParameterError(
            argument=FLOOR,
            rule=f"a number of at least 0 and below {HIGHEST_FLOOR:g}",
            arrived=shorten(floor),
            remedy="smaller probabilities are replaced by it before logarithms are taken",
            code="out-of-range",
        )
    return number


def _small_weights(data: Predictions, method: str) -> tuple[str, ...]:
    """Say that weights are small where the map takes them as repetitions of rows.

    Weights that sum to 1 drew Platt scaling of 2,000 rows by 0.37 towards the share of the class.
    """
    mass, worth = float(data.mass.sum()), data.effective_n
    if data.weight is None or data.counted or method in SCALE_FREE or mass >= SMALL * worth:
        return ()
    return (
        f"weights sum to {amount(mass, scale=mass)}, and a weight counts as "
        f"repetitions, so that {data.total:,} rows are fitted as if they were so few; weights of "
        "mean 1 count each row once",
    )


def _fitted(
    row: Method, reading: Reading, data: Predictions, weight: Floats, settings: dict[str, Any]
) -> WholeFit:
    present = np.bincount(data.actual, minlength=data.k) > 0
    if present.sum() == 1 and not row.one_class:
        only = data.classes[int(data.actual[0])]
        raise InputError(
            f"all {data.total:,} rows are of the class {quoted(only)}, so a map cannot be fitted; "
            "use rows of every class",
            code="one-class-to-fit",
        )
    if row.several != ONE_VS_REST:
        whole: WholeFit = row.fit(reading, data.actual, weight, **settings)
        return whole
    columns = [data.positive] if data.k == 2 else list(range(data.k))
    events = reading.events(columns, value_only=lambda column: not present[column])
    fits: list[EventFit] = [
        row.fit(event, data.actual == column, weight, **settings)
        if present[column]
        else _of_nothing(reading, weight)
        for column, event in zip(columns, events, strict=True)
    ]
    notes = [
        note if data.k == 2 else f"{named(data.classes[column])}: {note}"
        for column, fit in zip(columns, fits, strict=True)
        for note in fit.notes
    ]
    return WholeFit(
        OneVsRest(tuple(fit.form for fit in fits)),
        sum(fit.parameters for fit in fits),
        tuple(notes),
    )


def _of_nothing(reading: Reading, weight: Floats) -> EventFit:
    """Return the form of a class of which there is no row."""
    if reading.on == PROBABILITY:
        return EventFit(
            Unchanged(), 0, ("no row is of this class, so its probability is unchanged",)
        )
    share = 1.0 / (weight.sum() + 2.0)  # the rule of succession, for a rating is no probability
    never = Steps(np.empty(0), np.array([share]))
    return EventFit(
        never,
        0,
        (f"no row is of this class, so it gets {share:.3g} before the division by the sum",),
    )


Ints = NDArray[np.intp]


# ------------------------------------------------------------------ out of part


class CrossFitted(NamedTuple):
    """A table recalibrated out of part, and the maps that did it."""

    table: Predictions
    maps: tuple[RecalibrationMap, ...]


def dealt_parts(kinds: Ints, parts: int, rng: np.random.Generator) -> Ints:
    """Return a random part for every example, examples of a kind dealt out evenly.

    Parameters
    ----------
    kinds : (n,) int array
        The kind of every example, from 0, such as its class.
    parts : int
        How many parts.
    rng : numpy.random.Generator
        Deals them out.

    Returns
    -------
    (n,) int array
        The part of every example, from 0.

    Examples
    --------
    >>> dealt_parts(np.array([0, 0, 1, 1]), 2, np.random.default_rng(0)).tolist()
    [0, 1, 0, 1]
    """
    count = len(kinds)
    shuffled = rng.permutation(count)
    dealt = shuffled[np.argsort(kinds[shuffled], kind="stable")]
    part = np.empty(count, np.intp)
    part[dealt] = np.arange(count) % parts
    return part


def cross_fitted(
    data: Predictions,
    fit: Callable[[Predictions], RecalibrationMap],
    *,
    parts: Ints,
    groups: Ints | None = None,
) -> CrossFitted:
    """Recalibrate every part of the rows by a map fitted on the other parts of its group.

    Parameters
    ----------
    data : Predictions
        Rows of one model.
    fit : callable
        Fits a map on the rows it is given.
    parts : (n,) int array
        The part of every row, from 0.
    groups : (n,) int array, optional
        The group of every row, from 0; each group has its own maps. By default one group.

    Returns
    -------
    CrossFitted
        The recalibrated table and the maps.

    Raises
    ------
    InputError
        A group has only one part.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1] * 20, [0.3, 0.6] * 20)
    >>> parts = dealt_parts(np.tile([0, 1], 20), 4, np.random.default_rng(0))
    >>> result = cross_fitted(data, lambda rows: fit_map(rows, "platt"), parts=parts)
    >>> len(result.maps)
    4
    """
    groups = np.zeros(data.stored, np.intp) if groups is None else groups
    prob = np.empty((data.stored, data.k), np.float64, order="F" if data.k == 2 else "C")
    logs: NDArray[np.float64] | None = np.empty_like(prob)
    maps = []
    for rows in rows_of_codes(groups).values():
        for part in np.unique(parts[rows]):
            inside, others = rows[parts[rows] == part], rows[parts[rows] != part]
            if not len(others):
                raise InputError(
                    "a map must be fitted on other rows than those it recalibrates, and one "
                    f"repeat or data set has no others than {counted(len(inside), 'row')}",
                    code="no-other-rows",
                )
            fitted = fit(data.select(where=others))
            recalibrated = fitted.applied(data.select(where=inside))
            prob[inside] = recalibrated.prob
            if logs is not None and recalibrated.log_prob is not None:
                logs[inside] = recalibrated.log_prob
            else:
                logs = None
            maps.append(fitted)
    table = dataclasses.replace(data, prob=prob, log_prob=logs, label=None)
    return CrossFitted(table, tuple(maps))
