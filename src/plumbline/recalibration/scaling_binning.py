"""The scaling-binning calibrator: bins of a Platt curve."""

import numpy as np
from numpy.typing import NDArray

from plumbline.binning.schemes import number_of_bins
from plumbline.recalibration.distinct import distinct_scores
from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.forms import Steps
from plumbline.recalibration.histogram import quantiles
from plumbline.recalibration.inputs import NEVER, Event
from plumbline.recalibration.platt import platt

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


def scaling_binning(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bins: int = 15,
) -> EventFit:
    """Return the scaling-binning map (Kumar, Liang and Ma 2019).

    Platt scaling g, then bins of equal weight of the scores, which are bins of g as g rises, and in
    each bin the weighted mean of g: so few values that the map's own calibration error can be
    measured. All rows serve both steps. Raises ParameterError for bins that are not a whole number
    from 1 to a million.
    """
    edges = quantiles(distinct_scores(event.value, hit, weight), number_of_bins(bins))
    curve = platt(event, hit, weight)
    mended = curve.form(event).prob[:, 1]
    home = np.searchsorted(edges, event.value, side="left")
    mean = np.bincount(home, weight * mended) / np.bincount(home, weight)
    order = np.maximum if mean[0] <= mean[-1] else np.minimum  # as g has it, but for rounding
    value = order.accumulate(mean)
    inside = np.clip(value, NEVER, 1.0 - NEVER)  # far out g rounds to 1
    return EventFit(Steps(edges, inside), curve.parameters, curve.notes)
