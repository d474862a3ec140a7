"""Centred isotonic regression: isotonic without flat stretches."""

import numpy as np
from numpy.typing import NDArray

from plumbline.recalibration.distinct import checked_bounded, distinct_scores
from plumbline.recalibration.fitted import EventFit
from plumbline.recalibration.forms import Line
from plumbline.recalibration.inputs import Event
from plumbline.recalibration.isotonic import ends, pooled

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


def centred_isotonic(
    event: Event,
    hit: Truths,
    weight: Floats,
    *,
    bounded: bool = True,
) -> EventFit:
    """Return the centred isotonic map (Oron and Flournoy 2017).

    Every block of the isotonic fit puts its share at the weighted mean of its scores; between these
    run straight lines, outside it is constant. `bounded` as in isotonic regression; without it a
    block whose share is 0 or 1 stays flat from end to end, as in the paper, for there is nothing
    to rise from. Raises ParameterError where it is not True or False.
    """
    blocks = pooled(distinct_scores(event.value, hit, weight), bounded=checked_bounded(bounded))
    sure = (blocks.value == 0.0) | (blocks.value == 1.0)
    return EventFit(Line(*ends(blocks, sure)), len(blocks.value), blocks.notes(weight))
