"""The calibration error beside its null."""

from dataclasses import replace
from typing import Any

from plumbline._checks import checked_draws
from plumbline.binning import Binning
from plumbline.calibration import OwnDistance, bins_of, warn_of_preset
from plumbline.calibration_tests.answers import CalibrationError
from plumbline.calibration_tests.evidence import Evidence, bin_rows, evidence
from plumbline.calibration_tests.subject import Ask, warn_of_copies
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of

CONVENTION = "plumbline: bins (lo, hi], mean score of the bin, predictions held fixed"


def calibration_error(
    data: Predictions,
    *,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str | OwnDistance = "absolute",
    norm: float | str | None = None,
    representative: str | None = None,
    threshold: float | None = None,
    outcome: str | None = None,
    interval: bool = False,
    level: float = 0.95,
    resamples: int = 999,
    like: str | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationError:
    """Measure the calibration error, with its mean and 95 % range under true probabilities.

    Binary views: (sum over bins of (W_b / W) d(outcome share, mean probability)^norm)^(1 / norm),
    with `norm` 1 (the usual), any number above it, or "max" for the largest distance. "top-label"
    asks whether the most likely class is right; "one-vs-rest:CLASS" whether it is that class;
    "top-k:K" whether it is among the K most likely; "classwise" is the mean over the classes;
    "joint" compares the share of every class among rows with the same probability vector.
    Distances: "absolute", "square", "log", "chi-square", "hellinger", "overestimation",
    "underestimation", or a function d(y, p) of arrays. `representative="midpoint"` compares with
    the middle of the bin; `threshold` leaves out rows whose probability is not above it.

    The null holds the predictions fixed and draws every label from its own probability vector
    (Vaicenavicius et al. 2019). `resamples=0` leaves it out. `interval=True` adds an interval of
    coverage `level` for the error that endless labels of these rows would give. `like` follows the
    conventions of another program: "thesis" is "Increasing the Power of a Classifier's Calibration
    Test" (Tartu, 2020).

    Raises InputError for a table without probabilities, ParameterError for an unknown name.

    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> from plumbline import EqualWidth
    >>> error = calibration_error(data, bins=EqualWidth(5), resamples=99)
    >>> round(error.value, 3)
    0.054
    """
    ask = Ask(
        view=view,
        bins=bins,
        distance=distance,
        outcome=outcome,
        like=like,
        norm=norm,
        representative=representative,
        threshold=threshold,
    )
    chosen = ask.setting(data)
    checked_draws(resamples, level, interval=interval)
    if resamples:
        warn_of_copies(data)
    seed = entropy_of(rng)
    chance: dict[str, Any] = {"resamples": resamples, "rng": seed, "workers": workers}
    found = evidence(data, chosen, progress=progress, **chance)
    warn_of_preset(data, chosen, found.value)
    error = as_error(found)
    if not interval:
        return error
    from plumbline.intervals import interval_of

    ends = interval_of(found.statistic, weight=data.weight, kind="error", level=level, **chance)
    reason = "; ".join(filter(None, [error.reason, ends.reason])) or None
    return replace(error, interval_range=(ends.low, ends.high), level=level, reason=reason)


def as_error(found: Evidence) -> CalibrationError:
    """Put a piece of evidence as a calibration error."""
    parts = bins_of(found.data, found.chosen, found.statistic)
    return CalibrationError(
        **found.common,
        p_value=found.p_value,
        interval_range=None,
        level=None,
        bins=bin_rows(found.chosen, found.data, parts) if parts else None,
        convention=found.chosen.like or CONVENTION,
    )
