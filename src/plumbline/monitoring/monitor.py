"""Follows calibration over windows of time, with an alarm rate that holds at any time."""

from collections.abc import Iterator, Mapping, Sequence
from math import exp, inf, log
from os import PathLike
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import near_names, open_fraction, shown, whole_number
from plumbline.calibration_errors import OutcomeShares, calibration_error
from plumbline.confusion import wilson_interval
from plumbline.dependence import RowGroups
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, quoted
from plumbline.frames import read
from plumbline.monitoring.baseline import Baseline
from plumbline.monitoring.e_process import (
    EProcess,
    cells_of,
    centre_of,
    likely_start,
    log_e_values,
)
from plumbline.monitoring.results import LARGEST, MonitoredWindow, Monitoring
from plumbline.predictions import Predictions, label_text, need_single_values
from plumbline.predictions.labels import is_alone
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of, stream
from plumbline.scores import brier_score, impossible_rows, log_loss

Window: TypeAlias = "Predictions | str | PathLike[str]"
MOST_WINDOWS, LEAST_ROWS = 10_000, 2  # a convention: the first bounds time and memory


def monitor(
    windows: Predictions | Sequence[Window] | Mapping[str, Window],
    *,
    by: str | None = None,
    reference: "int | Window | None" = None,
    level: float = 0.05,
    restarts: bool = True,
    resamples: int = 199,
    rng: Seed = 0,
    progress: Progress | None = None,
) -> Monitoring:
    """Test whether probabilities stay calibrated over windows of time, looked at after each.

    The evidence after every window is an e-value: a mixture of likelihood ratios of recalibrated
    to given probabilities. If every window is calibrated, the probability that it ever reaches
    1 / level is at most `level`, however many windows follow. With a reference the same holds for
    a model that was never calibrated, as long as its calibration does not change.

    Parameters
    ----------
    windows : sequence or mapping of Predictions or files, or Predictions
        Windows in sequence, by their names in a mapping: tables of one model and two classes, or
        files that `read` takes, such as states. One table is divided by `by`.
    by : str, optional
        Attribute of the rows, such as the week: each value is a window, in sorted order.
    reference : int, Predictions or file, optional
        Number of first windows, or rows of an earlier time, from which calibration must not differ;
        by default the model must be calibrated.
    level : float, default 0.05
        Probability of a false alarm at any time.
    restarts : bool, default True
        Also look for a change that begins in a later window; False finds a model that is
        miscalibrated from the start sooner.
    resamples : int, default 199
        Draws of the labels for the ECE that is expected if calibrated.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator. With a reference the evidence is randomised too.
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
        For no windows, none after the reference, or an unknown attribute.

    References
    ----------
    Arnold, Henzi and Ziegel (2023), "Sequentially valid tests for forecast calibration"; Shin,
    Ramdas and Rinaldo (2022), "E-detectors: a nonparametric framework for sequential change
    detection"; Vovk (2021), "Conformal testing in a binary model situation"; Ville (1939), "Étude
    critique de la notion de collectif".

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
    >>> changed = monitor(weeks, reference=2)
    >>> changed.alarm, changed.since
    (5, 5)
    """
    open_fraction("level", level)
    named, first_tested = _with_reference(_named(windows, by), reference)
    seed = entropy_of(rng)
    evidence = _Evidence(first_tested, restarts, seed)
    found: list[MonitoredWindow] = []
    alarm = None
    for done, (name, window) in enumerate(_tables(named), 1):
        _need_alike(window, evidence.first, name)
        log_e = evidence.add(window)
        found.append(_facts(name, window, log_e, resamples, seed))
        if alarm is None and log_e[1] >= -log(level):
            alarm = done
        if progress is not None:
            progress(done, len(named))
    first = evidence.first
    assert first is not None  # there is at least one window  # noqa: S101
    largest = max(one.log_e for one in found)
    return Monitoring(
        level=level,
        threshold=1 / level,
        positive=first.classes[first.positive],
        reference=first_tested,
        alarm=alarm,
        since=evidence.since(alarm),
        p_value=0.0 if largest == inf else exp(-min(max(largest, 0.0), LARGEST)),
        windows=tuple(found),
        row_groups=evidence.row_groups,
    )


NOT_NEEDED = "the mean over a group's rows is evidence whatever it is"


class _Evidence:
    """The evidence of windows in sequence, the first of which may be a reference."""

    def __init__(self, reference: int, restarts: bool, seed: int) -> None:
        self.reference, self.seed = reference, seed
        self.first: Predictions | None = None
        self._process = EProcess(restarts)
        self._kept: list[Any] = []
        self._baseline: Baseline | None = None
        self._log_e_values: list[Any] = []
        self._groups: set[str] = set()
        self._group_count = 0

    def add(self, window: Predictions) -> tuple[float, float]:
        """Add a window; return the log e-value of its rows alone, and that of all so far."""
        if self.first is None:
            self.first, self._centre = window, centre_of(window)
        self._need_new_groups(window)
        if len(self._kept) < self.reference:
            self._kept.append(cells_of(window))
            return 0.0, 0.0
        self._log_e_values.append(self._of_alternatives(window))
        self._process.add(self._log_e_values[-1])
        own = EProcess(restarts=False)
        own.add(self._log_e_values[-1])
        return own.log_e(), self._process.log_e()

    @property
    def row_groups(self) -> RowGroups | None:
        """Groups of all windows, each of which is one piece of evidence; None without groups."""
        if not self._group_count:
            return None
        found = RowGroups.untold(self._group_count, NOT_NEEDED)
        return found.of("evidence", float(self._group_count))

    def _need_new_groups(self, window: Predictions) -> None:
        """Refuse groups that come again, as windows must be independent, and any in a reference."""
        if window.groups is None:
            return
        if self.reference:
            raise InputError(
                "a reference takes every row as independent, and these rows are in groups",
                code="rows-in-groups",
                remedy="leave `reference` or `groups` out",
            )
        again = [
            name for name in window.groups.names if name in self._groups and not is_alone(name)
        ]
        if again:
            raise InputError(
                f"{counted(len(again), 'group')} of a window, such as {quoted(again[0])}, "
                f"{'was' if len(again) == 1 else 'were'} in an earlier one: evidence of windows is "
                "multiplied, which only independent windows allow",
                code="groups-cross-windows",
                remedy="keep the first rows of each group, or make windows longer",
            )
        self._groups |= {*window.groups.names}
        self._group_count += len(window.groups.names)

    def _of_alternatives(self, window: Predictions) -> Any:
        if not self.reference:
            return log_e_values(window, self._centre)
        if self._baseline is None:
            self._baseline = Baseline.of(self._kept, window)
        place = len(self._log_e_values)
        return self._baseline.log_e_values(window, self._centre, stream(self.seed, place))

    def since(self, alarm: int | None) -> int | None:
        """Return the window since which calibration fails most likely."""
        if alarm is None:
            return None
        values = np.stack(self._log_e_values[: alarm - self.reference])
        if np.isinf(values[-1]).any():
            return alarm
        return self.reference + likely_start(values)


def _with_reference(
    named: list[tuple[str, Any]], reference: Any
) -> tuple[list[tuple[str, Any]], int]:
    """Return all windows, and how many of the first ones are the reference."""
    if reference is None:
        return named, 0
    if isinstance(reference, Predictions | str | PathLike):
        name = "reference" if isinstance(reference, Predictions) else _name_of(reference, 0)
        taken = {name for name, _ in named}
        return [(f"{name} (reference)" if name in taken else name, reference), *named], 1
    first = whole_number("reference", reference, least=1)
    if first >= len(named):
        raise ParameterError(
            f"`reference` must leave a later window to compare with it; got {first:,}, of "
            f"{counted(len(named), 'window')} in all",
            code="no-windows",
            argument="reference",
            remedy="add a later window, or take fewer as reference",
        )
    return named, first


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
        named = list(_windows_of(windows, by))
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


def _windows_of(data: Predictions, by: str) -> Iterator[tuple[str, Predictions]]:
    """Yield the value of an attribute and its rows, in sorted order."""
    if by not in data.attributes:
        raise ParameterError(
            f"`by` must be an attribute of the table, one of {shown(data.attributes)}, got "
            f"{quoted(by)}{near_names(by, data.attributes)}",
            code="unknown-name",
            argument="by",
        )
    need_single_values(data, by, "a division into windows")
    values = np.asarray(data.attributes[by])
    different, rows = np.unique(values, return_counts=True)
    if len(different) > MOST_WINDOWS:
        raise ParameterError(
            f"`by` must have at most {MOST_WINDOWS:,} values, and {quoted(by)} has "
            f"{len(different):,}",
            code="too-many-windows",
            argument="by",
            remedy="round them, for instance to weeks",
        )
    fewest = int(rows.argmin())
    if rows[fewest] < LEAST_ROWS:
        raise ParameterError(
            f"`by` must make windows of at least {LEAST_ROWS} rows, and {quoted(by)} is "
            f"{quoted(label_text(different[fewest]))} in one row",
            code="windows-too-small",
            argument="by",
            remedy="round them, for instance to weeks",
        )
    for value in different:
        yield label_text(value), data.select(where=values == value)


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
    usual = wilson_interval(observed, n, level=0.95)
    if data.groups is not None:
        one = np.zeros(n, np.intp), 1
        event = data.actual == data.positive
        wide = prob.astype(np.float64)
        shares = OutcomeShares.of(wide, event, mass, *one, together=data.groups.codes)
        usual = float(shares.interval(0.95)[0][0]), float(shares.interval(0.95)[1][0])
    return MonitoredWindow(
        name=name,
        n=n,
        mean_prediction=float(mass @ prob / mass.sum()),
        observed=observed,
        observed_range=usual,
        log_loss=log_loss(data),
        brier_score=brier_score(data),
        ece=error.value,
        null_mean=error.null_mean,
        null_range=error.null_range,
        log_e_own=log_e[0],
        log_e=log_e[1],
        impossible_rows=impossible_rows(data),
    )
