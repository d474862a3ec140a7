"""The reliability diagram with its consistency band."""

from dataclasses import replace

import numpy as np

from plumbline._checks import open_fraction, whole_number
from plumbline.binning import Bins, BinsLike, spans_of
from plumbline.calibration import (
    ErrorDefinition,
    OwnDistance,
    Statistic,
    Wide,
    binary_table,
    binned_statistic,
    define_error,
)
from plumbline.calibration_errors.calibration_error import bin_rows, error_beside_draws
from plumbline.calibration_errors.p_values import central_range
from plumbline.calibration_errors.results import CalibrationError, ReliabilityCurve
from plumbline.dependence import row_groups_in
from plumbline.errors import ParameterError
from plumbline.nulls import observed, resampled_shares, values_and_shares
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed


def reliability_curve(
    data: Predictions,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ReliabilityCurve:
    """Return the reliability diagram of one binary view, with its consistency band.

    Each bin has its mean probability, its observed share of the outcome, and the central `level`
    range of that share if the probabilities are calibrated. The band is for single bins: at 95 %,
    up to one bin in twenty is outside it even for calibrated probabilities.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    view : str, optional
        A binary view, as in `calibration_error`.
    bins : int, str or Binning, default "equal-width:15"
        A number means so many bins of equal width.
    level : float, default 0.95
        Coverage of the band in a single bin.
    resamples : int, default 999
        Draws of the labels from the predictions.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    ReliabilityCurve
        One row per bin, with the consistency band, and the calibration error.

    Raises
    ------
    InputError
        For a table without probabilities.
    ParameterError
        For a view that is not binary, and for one point per bin.

    References
    ----------
    Broecker and Smith (2007), "Increasing the reliability of reliability diagrams"; here the
    predictions are held fixed.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> curve = reliability_curve(data, bins=2, resamples=99)
    >>> [row["outcome_share"] for row in curve.bins]
    [0.5, 1.0]
    """
    open_fraction("level", level)
    whole_number("resamples", resamples, least=1)
    definition = define_error(data, view, bins)
    what = _in_bins(data, definition)
    shares = resampled_shares(what, resamples, rng, workers=workers, progress=progress)
    return _as_curve(data, definition, what, shares, level)


def error_and_curve(
    data: Predictions,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str | OwnDistance = "absolute",
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> tuple[CalibrationError, ReliabilityCurve]:
    """Return the results of `calibration_error` and `reliability_curve` from one set of draws.

    Parameters
    ----------
    data : Predictions
        Rows of one model, with probabilities.
    view : str, optional
        As in `calibration_error`.
    bins : int, str or Binning, optional
        As in `calibration_error`.
    distance : str or callable, default "absolute"
        As in `calibration_error`.
    resamples : int, default 999
        Draws of the labels; 0 leaves out null distribution and bands.
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Threads; the numbers do not depend on it.
    progress : callable, optional
        Called with (steps done, steps in all).

    Returns
    -------
    (CalibrationError, ReliabilityCurve)
        The error with its null, and the diagram of the same bins.

    Raises
    ------
    ParameterError
        For an unknown name, a view that is not binary, or one bin per point.
    InputError
        For a table without probabilities.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 1], [0.1, 0.3, 0.6, 0.8])
    >>> error, curve = error_and_curve(data, bins=2, resamples=99)
    >>> error.value == curve.value
    True
    """
    whole_number("resamples", resamples, least=1)
    definition = define_error(data, view, bins, distance)
    what = _in_bins(data, definition)
    draws, shares = values_and_shares(what, resamples, rng, workers=workers, progress=progress)
    error = error_beside_draws(data, definition, what, draws)
    if definition.distance != "absolute":  # a diagram shows plain gaps, whatever is summed
        definition = replace(definition, distance="absolute")
        what = binned_statistic(data, definition)
    return error, _as_curve(data, definition, what, shares, 0.95)


def _score_of(definition: ErrorDefinition) -> str:
    """Say what the score of a binary view is."""
    if definition.top is not None:
        return f"probability of the {definition.top} most likely"
    top_label = definition.view == "top-label"
    return "confidence" if top_label else f"predicted probability of {definition.target}"


def _in_bins(data: Predictions, definition: ErrorDefinition) -> Statistic:
    """Return the statistic of a binary view that has bins, or say what has a diagram."""
    binary_table(data, definition, "a reliability diagram")  # refuses the other views
    what = binned_statistic(data, definition)
    if what.cells is None:
        raise ParameterError(
            "a reliability diagram needs bins that hold several points, got 'one-per-point'; use "
            "equal-width:15 or equal-size:10",
            code="bins-of-one-score",
        )
    return what


def _spans(data: Predictions, definition: ErrorDefinition, part: Bins) -> list[tuple[float, float]]:
    """Return the lowest and the highest score of every bin that holds weight."""
    spans = part.span
    if spans is None:
        binary = binary_table(data, definition, "a reliability diagram")
        score = binary.need_prob("a reliability diagram")[:, binary.positive]
        home = part.place(score)
        if data.weight is not None:
            home = np.where(data.weight > 0, home, -1)  # a row of weight 0 is none
        spans = spans_of(score, home, len(part.count))
    return [(float(low), float(high)) for low, high in spans[part.filled]]


def _as_curve(
    data: Predictions, definition: ErrorDefinition, what: Statistic, shares: Wide, level: float
) -> ReliabilityCurve:
    low, high = central_range(shares, level)
    parts = what.cells.bins if what.cells else ()
    rows = bin_rows(definition, data, parts)
    spans = [span for part in parts for span in _spans(data, definition, part)]
    for row, bottom, top, (lowest, highest) in zip(rows, low, high, spans, strict=True):
        row |= {"band_low": float(bottom), "band_high": float(top)}
        row |= {"lowest": lowest, "highest": highest}
    return ReliabilityCurve(
        view=definition.name,
        scheme=str(definition.bins),
        n=data.total,
        x_label=_score_of(definition),
        y_label="observed frequency" if definition.outcome == "class" else "accuracy",
        value=float(observed(what)),
        level=level,
        bins=rows,
        row_groups=row_groups_in(data),
    )
