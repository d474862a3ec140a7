"""The calibration error beside its null, and the same step by step."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plumbline._checks import checked_draws
from plumbline._result import Result
from plumbline.binning import BinsLike
from plumbline.calibration import (
    Cells,
    ErrorDefinition,
    OwnDistance,
    binary_table,
    binned_statistic,
    bins_of,
    define_error,
    value_of,
    warn_of_preset,
)
from plumbline.calibration_tests.named_tests import Ask, warn_of_copies
from plumbline.calibration_tests.p_values import Evidence, bin_rows, evidence
from plumbline.calibration_tests.results import CalibrationError
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed, entropy_of

CONVENTION = "plumbline: bins (lo, hi], mean score of the bin, predictions held fixed"


def calibration_error(
    data: Predictions,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
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


@dataclass(frozen=True, repr=False, eq=False)
class ErrorSteps(Result):
    """How a calibration error comes about.

    Attributes
    ----------
    view, scheme, distance, n : what was measured, on how many rows
    classes : their names, in the order of the probabilities
    value : the error, the sum of all parts
    points : one row a point (point, prediction, actual, score, happened, bin): the probability of
        the event looked at, whether it happened, and the number of its bin in `bins`, from 1
    bins : one row a bin (lo, hi, count, weight, mean_probability, outcome_share, distance, share,
        part): part = share of all weight x distance
    """

    view: str
    scheme: str
    distance: str
    n: int
    classes: tuple[str, ...]
    value: float
    points: Sequence[dict[str, Any]] = field(repr=False)
    bins: Sequence[dict[str, Any]]

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the bins."""
        return self.bins


def error_steps(
    data: Predictions,
    *,
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str = "absolute",
) -> ErrorSteps:
    """Take the calibration error of one binary view apart: points, bins, and parts of the sum.

    error = sum over bins of (W_b / W) d(outcome share, mean probability). The classwise error is
    the mean of this over the views "one-vs-rest:CLASS" of all classes.

    Raises ParameterError for another view and for one point per bin, which has no bins to show.

    >>> data = Predictions.from_arrays([0, 1, 1, 1, 1], [0.55, 0.45, 0.91, 0.86, 0.96])
    >>> steps = error_steps(data, bins="equal-width:5")
    >>> [round(row["part"], 3) for row in steps.bins], round(steps.value, 3)
    ([0.0, 0.054], 0.054)
    """
    chosen = define_error(data, view, bins, distance)
    lens = binary_table(data, chosen, "the picture of the steps")
    what = binned_statistic(data, chosen)
    if what.cells is None:
        raise ParameterError("steps need `bins` that hold several points, got 'one-per-point'")
    prob = data.need_prob("a calibration error")
    score = lens.need_prob("a calibration error")[:, 1]
    points = [
        {
            "point": i + 1,
            "prediction": tuple(prob[i].tolist()),
            "actual": data.classes[data.actual[i]],
            "score": float(score[i]),
            "happened": bool(lens.actual[i]),
            "bin": int(what.cells.number[i, 1]),
        }
        for i in range(data.n)
    ]
    return ErrorSteps(
        view=chosen.name,
        scheme=str(chosen.bins),
        distance=chosen.distance,
        n=data.n,
        classes=tuple(data.classes),
        value=value_of(what),
        points=points,
        bins=_bins_with_parts(data, chosen, what.cells),
    )


def _bins_with_parts(
    data: Predictions, chosen: ErrorDefinition, cells: Cells
) -> list[dict[str, Any]]:
    """Return the rows of the bins with their distance, their share, and the product."""
    rows = bin_rows(chosen, data, cells.bins)
    share = np.array([row["outcome_share"] for row in rows])
    distance = np.broadcast_to(cells.distance(share, cells.mean[1:], cells.rest[1:]), share.shape)
    for row, gap, weight in zip(rows, distance, cells.share[1:], strict=True):
        row |= {"distance": float(gap), "share": float(weight), "part": float(weight * gap)}
    return rows
