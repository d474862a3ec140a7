"""A calibration error step by step: every point, every bin, every part of the sum."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._result import Result
from plumbline.binning import Binning
from plumbline.calibration import Cells, Setting, binary_lens, binned_statistic, setting, value_of
from plumbline.calibration_tests.evidence import bin_rows
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions


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
    bins: str | Binning | None = None,
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
    chosen = setting(data, view, bins, distance)
    lens = binary_lens(data, chosen, "the picture of the steps")
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
        bins=_bins(data, chosen, what.cells),
    )


def _bins(data: Predictions, chosen: Setting, cells: Cells) -> list[dict[str, Any]]:
    """Return the rows of the bins with their distance, their share, and the product."""
    rows = bin_rows(chosen, data, cells.bins)
    share = np.array([row["outcome_share"] for row in rows])
    distance = np.broadcast_to(cells.distance(share, cells.mean[1:], cells.rest[1:]), share.shape)
    for row, gap, weight in zip(rows, distance, cells.share[1:], strict=True):
        row |= {"distance": float(gap), "share": float(weight), "part": float(weight * gap)}
    return rows
