"""The amount of a miscalibration: largest likelihood, and the interval it supports."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from plumbline.calibration_tests.shapes.forms import Form
from plumbline.calibration_tests.shapes.rows import Rows

DENSER = 8.0  # the first looks are about e^(DENSER / 2) times denser around 0 than far from it
LOOKS = 9
EXACT = 1e-4  # of a parameter, relative to where it was first found
NEARBY = 1e-4  # the side of a likelihood that rises is looked for so far from 0
DROP = 1.920729410347062  # half the 95 % point of chi-square with one degree of freedom


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A form at its largest likelihood.

    Attributes
    ----------
    form, by : the family, and its parameter
    gain : log likelihood above that of the probabilities themselves, at least 0
    low, high : where twice the log likelihood is within the 95 % point of chi-square with one
        degree of freedom of its largest value; an end of the range where it is still within there
    """

    form: Form
    by: float
    gain: float
    low: float
    high: float


def fitted(rows: Rows, form: Form) -> Fit:
    """Return the fit on the side of 0 to which the likelihood rises."""
    from scipy.optimize import minimize_scalar

    def gain(by: float) -> float:
        return float((rows.weight * form.own(by)).sum())

    far = _rising(gain, form)
    looks = far * np.sinh(DENSER / 2 * np.linspace(0, 1, LOOKS)) / np.sinh(DENSER / 2)
    gains = [0.0]
    for by in looks[1:]:  # likelihoods have one top
        gains.append(gain(by))
        if gains[-1] < gains[-2]:
            break
    best = int(np.argmax(gains))
    ends = sorted((float(looks[max(best - 1, 0)]), float(looks[min(best + 1, LOOKS - 1)])))
    found = minimize_scalar(
        lambda by: -gain(by),
        bounds=ends,
        method="bounded",
        options={"xatol": EXACT * (ends[1] - ends[0])},
    )
    by, most = max(
        ((float(looks[best]), gains[best]), (float(found.x), -float(found.fun))),
        key=lambda pair: pair[1],
    )
    low, high = (_end(gain, by, far, most - DROP) for far in (form.low, form.high))
    return Fit(form, by, most, low, high)


def _rising(gain: Callable[[float], float], form: Form) -> float:
    """Return the end of the range towards which the likelihood rises from 0."""
    if form.low == 0.0 or gain(NEARBY * form.high) >= gain(NEARBY * form.low):
        return form.high
    return form.low


def _end(gain: Callable[[float], float], by: float, far: float, floor: float) -> float:
    """Return where the gain falls to `floor` on the way from `by` to `far`."""
    from scipy.optimize import brentq

    step, near, there = 0.02 * (far - by), by, by
    while there != far:
        there = far if abs(there + step - by) >= abs(far - by) else there + step
        if gain(there) < floor:
            return float(brentq(lambda at: gain(at) - floor, near, there, rtol=3e-3))
        near, step = there, 2 * step
    return far
