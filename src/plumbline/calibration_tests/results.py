"""What calibration errors, calibration tests and reliability curves return."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._result import Result
from plumbline.calibration import Wide


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationError(Result):
    """How far the probabilities are off, and what true probabilities would score.

    Attributes
    ----------
    view, scheme, distance, outcome : what was measured
    norm : p of (sum of share x distance^p)^(1/p); "max" is the largest distance
    representative, threshold : what stands for the score of a bin; rows at or below it are left out
    n : rows; effective_n : (sum w)^2 / sum w^2
    value : the error
    null_mean, null_range : mean and central 95 % range of the error if the probabilities are true
    excess : value - null_mean
    interval_range, level : where the error lies that endless labels would give, and the coverage of
        that interval; None unless it was asked for
    p_value : two-sided: at most 0.05 exactly where the value is outside the 95 % range
    bins : one row a bin (class, lo, hi, closed: "right" or "both" ends belong to it, count, weight,
        mean_probability, outcome_share)
    impossible_rows : rows whose true class had been given probability 0, whatever the view
    null_values : (resamples,) the errors drawn under the null
    """

    view: str
    scheme: str
    distance: str
    outcome: str
    norm: float | str
    representative: str
    threshold: float | None
    n: int
    effective_n: float
    value: float
    null_mean: float
    null_range: tuple[float, float]
    excess: float
    p_value: float
    interval_range: tuple[float, float] | None
    level: float | None
    resamples: int
    bins: Sequence[dict[str, Any]] | None
    convention: str
    impossible_rows: int
    reason: str | None = None
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})

    def __float__(self) -> float:
        return self.value


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationTest(Result):
    """Could probabilities that are true have produced these outcomes?

    Attributes
    ----------
    statistic, view, scheme, distance, outcome, alternative : which test; None where the question
        does not arise
    value : the statistic of the observed labels
    p_value : (1 + #{as extreme}) / (resamples + 1), or the upper one of `p_bounds`
    p_bounds : rigorous bounds of the p-value where the null is exact, else None
    null : "exact", "resample" or "asymptotic"; method : the same in words
    resamples : number of draws, 0 where nothing was drawn
    parts : of a combined test, what each part says; of others, estimates that belong to them
    finding : where the omnibus rejects, what is wrong and by how much, and the strongest evidence
    shape : where the omnibus rejects, the name of what is wrong, as in `diagnose`
    null_mean, null_range : mean and central 95 % range of the statistic if the probabilities are
        true; NaN where the method does not give them
    verdict : the answer in plain words
    remarks, remark_codes : what to know before believing it, and a stable code of each
    """

    statistic: str
    view: str
    scheme: str | None
    distance: str | None
    outcome: str | None
    alternative: str
    n: int
    effective_n: float
    value: float
    p_value: float
    p_bounds: tuple[float, float] | None
    null: str
    method: str
    resamples: int
    parts: Sequence[dict[str, Any]]
    null_mean: float
    null_range: tuple[float, float]
    impossible_rows: int
    verdict: str
    finding: str | None = None
    shape: str | None = None
    reason: str | None = None
    remarks: tuple[str, ...] = ()
    remark_codes: tuple[str, ...] = ()
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})


@dataclass(frozen=True, repr=False, eq=False)
class ReliabilityCurve(Result):
    """Observed share of the outcome against predicted probability, bin by bin.

    Attributes
    ----------
    view, scheme : what was binned; n : rows
    y_label : "observed relative frequency" (a class) or "accuracy" (top label)
    value : the calibration error of these bins, absolute distance
    bins : one row a bin (lo, hi, closed, count, weight, mean_probability, outcome_share, band_low,
        band_high); the band holds the share with probability `level` if the probabilities are true
    """

    view: str
    scheme: str
    n: int
    x_label: str
    y_label: str
    value: float
    level: float
    bins: Sequence[dict[str, Any]]

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the bins."""
        return self.bins
