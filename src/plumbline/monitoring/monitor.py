"""Follows calibration over windows of time, with an alarm rate that holds at any time."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp, inf, log
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import near_names, open_fraction, shown
from plumbline.calibration_tests import calibration_error
from plumbline.confusion.intervals import wilson_interval
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, quoted
from plumbline.frames import read
from plumbline.monitoring.alternatives import centre_of, log_e_values
from plumbline.monitoring.e_process import EProcess, likely_start
from plumbline.monitoring.results import LARGEST, MonitoredWindow, Monitoring
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of
from plumbline.scores import brier_score, impossible_rows, log_loss

Window: TypeAlias = "Predictions | str | PathLike[str]"
MOST_WINDOWS = 10_000


def monitor(
    windows: Predictions | Sequence[Window] | Mapping[str, Window],
    *,
    by: str | None = None,
    level: float = 0.05,
    restarts: bool = True,
    resamples: int = 199,
    rng: Seed = 0,
    progress: Progress | None = None,
) -> Monitoring:
    """Test whether probabilities stay calibrated over windows of time, looked at after each.

    The evidence after every window is an e-value: a mixture of likelihood ratios of recalibrated
    to given probabilities. If every window is calibrated, the probability that it ever reaches
    1 / level is at most `level`, however many windows follow.

    Parameters
    ----------
    windows : sequence or mapping of Predictions or files, or Predictions
        Windows in sequence, by their names in a mapping: tables of one model and two classes, or
        files that `read` takes, such as states. One table is divided by `by`.
    by : str, optional
        Attribute of the rows, such as the week: each value is a window, in sorted order.
    level : float, default 0.05
        Probability of a false alarm at any time.
    restarts : bool, default True
        Also look for a change that begins in a later window; False finds a model that is
        miscalibrated from the start sooner.
    resamples : int, default 199
        Draws of the labels for the ECE that is expected if calibrated.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    Monitoring
        The first alarm, the window since which calibration fails, and the facts of every window.

    Raises
    ------
    InputError
        For windows of several models, of other classes than the first, or of weighted rows.
    ParameterError
        For no windows, or an unknown attribute.

    References
    ----------
    Arnold, Henzi and Ziegel (2023), "Sequentially valid tests for forecast calibration"; Shin,
    Ramdas and Rinaldo (2022), "E-detectors: a nonparametric framework for sequential change
    detection"; Ville (1939), "Étude critique de la notion de collectif".

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> p = rng.uniform(0.05, 0.6, (6, 400))
    >>> drifted = np.where(np.arange(6)[:, None] < 4, p, p**0.6)
    >>> y = rng.random(p.shape) < drifted
    >>> weeks = [Predictions.from_arrays(*pair) for pair in zip(y.astype(int), p, strict=True)]
    >>> result = monitor(weeks)
    >>> result.alarm, result.since
    (5, 5)
    """
    open_fraction("level", level)
    named = _named(windows, by)
    seed = entropy_of(rng)
    process = EProcess(restarts)
    evidence: list[Any] = []
    found: list[MonitoredWindow] = []
    centre, first, alarm = 0.0, None, None
    for done, (name, window) in enumerate(_tables(named)):
        _need_alike(window, first, name)
        if first is None:
            first, centre = window, centre_of(window)
        evidence.append(log_e_values(window, centre))
        process.add(evidence[-1])
        own = EProcess(restarts=False)
        own.add(evidence[-1])
        log_e = process.log_e()
        found.append(_facts(name, window, (own.log_e(), log_e), resamples, seed))
        if alarm is None and log_e >= -log(level):
            alarm = done + 1
        if progress is not None:
            progress(done + 1, len(named))
    assert first is not None  # there is at least one window  # noqa: S101
    largest = max(one.log_e for one in found)
    return Monitoring(
        level=level,
        threshold=1 / level,
        positive=first.classes[first.positive],
        alarm=alarm,
        since=_since(evidence, alarm),
        p_value=0.0 if largest == inf else exp(-min(max(largest, 0.0), LARGEST)),
        windows=tuple(found),
    )


def _since(evidence: Sequence[Any], alarm: int | None) -> int | None:
    if alarm is None:
        return None
    if np.isinf(evidence[alarm - 1]).any():
        return alarm
    return likely_start(np.stack(evidence[:alarm]))


def _named(windows: Any, by: str | None) -> list[tuple[str, Any]]:
    """Return names and windows in sequence, files not yet read."""
    if isinstance(windows, Predictions):
        if by is None:
            raise ParameterError(
                "one table is no sequence: name the attribute that divides it into windows with "
                "`by`",
                code="no-windows",
                argument="by",
            )
        named = list(_parts(windows, by))
    elif by is not None:
        raise ParameterError(
            "`by` divides one table into windows, and several were given",
            code="argument-beside-another",
            argument="by",
            remedy="leave it out",
        )
    elif isinstance(windows, Mapping):
        named = [(str(name), one) for name, one in windows.items()]
    elif isinstance(windows, Sequence) and not isinstance(windows, str):
        named = [(_name_of(one, number), one) for number, one in enumerate(windows, 1)]
    else:
        raise ParameterError(
            f"`windows` must be tables in sequence, got {shown([type(windows).__name__])}",
            code="wrong-kind",
            argument="windows",
        )
    if not 0 < len(named) <= MOST_WINDOWS:
        raise ParameterError(
            f"`windows` must be 1 to {MOST_WINDOWS:,} tables, got {len(named):,}",
            code="no-windows" if not named else "too-many-windows",
            argument="windows",
        )
    return named


def _name_of(window: Any, number: int) -> str:
    if isinstance(window, Predictions):
        return str(number)
    path = str(window).replace("\\", "/").rstrip("/")
    return path.rpartition("/")[2].rpartition(".")[0] or path


def _parts(data: Predictions, by: str) -> Iterator[tuple[str, Predictions]]:
    """Yield the value of an attribute and its rows, in sorted order."""
    if by not in data.attributes:
        raise ParameterError(
            f"`by` must be an attribute of the table, one of {shown(data.attributes)}, got "
            f"{quoted(by)}{near_names(by, data.attributes)}",
            code="unknown-name",
            argument="by",
        )
    values = np.asarray(data.attributes[by])
    different = np.unique(values)
    if len(different) > MOST_WINDOWS:
        raise ParameterError(
            f"`by` must have at most {MOST_WINDOWS:,} values, and {quoted(by)} has "
            f"{len(different):,}",
            code="too-many-windows",
            argument="by",
            remedy="round them, for instance to weeks",
        )
    for value in different:
        yield str(value), data.select(where=values == value)


def _tables(named: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, Predictions]]:
    for name, window in named:
        yield name, window if isinstance(window, Predictions) else read(window)


def _need_alike(window: Predictions, first: Predictions | None, name: str) -> None:
    """Refuse a window that is not like the first, or whose rows have no likelihood."""
    window.need_one_model("monitoring")
    window.need_prob("monitoring")
    if window.k != 2:
        raise InputError(
            f"monitoring needs two classes, and window {quoted(name)} has "
            f"{counted(window.k, 'class')}",
            code="not-two-classes",
            remedy="monitor one event: data.top_label() or data.one_vs_rest(CLASS)",
        )
    if window.weight is not None and not window.counted:
        raise InputError(
            f"monitoring needs rows without weights, and window {quoted(name)} has some",
            code="weights-not-supported",
            remedy="leave the column out",
        )
    if first is not None and (window.classes, window.positive) != (first.classes, first.positive):
        raise InputError(
            f"all windows must have the same classes: {quoted(name)} has {shown(window.classes)} "
            f"with positive class {quoted(window.classes[window.positive])}, the first one "
            f"{shown(first.classes)} with {quoted(first.classes[first.positive])}",
            code="classes-differ",
        )


def _facts(
    name: str, data: Predictions, log_e: tuple[float, float], resamples: int, seed: int
) -> MonitoredWindow:
    mass = data.mass
    n = round(float(mass.sum()))
    observed = float(mass @ (data.actual == data.positive) / mass.sum())
    prob = data.need_prob("monitoring")[:, data.positive]
    error = calibration_error(data, resamples=resamples, rng=seed)
    return MonitoredWindow(
        name=name,
        n=n,
        mean_prediction=float(mass @ prob / mass.sum()),
        observed=observed,
        observed_range=wilson_interval(observed, n, level=0.95),
        log_loss=log_loss(data),
        brier_score=brier_score(data),
        ece=error.value,
        null_mean=error.null_mean,
        null_range=error.null_range,
        log_e_own=log_e[0],
        log_e=log_e[1],
        impossible_rows=impossible_rows(data),
    )
