"""Forms as polynomials piece by piece, which is all that other systems must know of them."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.recalibration.forms import PiecewiseLinear, Spline, Steps

Floats = NDArray[np.float64]
MOST = float(np.finfo(np.float64).max)
Piecewise: TypeAlias = Steps | PiecewiseLinear | Spline


@dataclass(frozen=True, slots=True, eq=False)
class PiecewisePolynomial:
    """Of a score x in piece j, c0 + t (c1 + t (c2 + ...)), t = x - start of the piece.

    Attributes
    ----------
    breaks : (m - 1,) rising scores between the pieces
    right : whether a break belongs to the piece below it, (lo, hi], or above it, [lo, hi)
    start : (m,)
    coefficients : (m, degree + 1)
    """

    breaks: Floats
    right: bool
    start: Floats
    coefficients: Floats

    @property
    def degree(self) -> int:
        """Highest power of a score that is used."""
        return int(self.coefficients.shape[1]) - 1


def pieces_of(form: Piecewise) -> PiecewisePolynomial:
    """Return what a form of pieces computes.

    >>> pieces = pieces_of(PiecewiseLinear(np.array([0.0, 0.5]), np.array([0.25, 0.75])))
    >>> pieces.breaks.tolist(), pieces.coefficients.tolist()
    ([0.0, 0.5], [[0.25, 0.0], [0.25, 1.0], [0.75, 0.0]])
    """
    match form:
        case Steps():
            return PiecewisePolynomial(
                form.edges, True, np.zeros(len(form.values)), form.values[:, None]
            )
        case PiecewiseLinear():
            return _of_line(form.knots, form.values)
        case Spline():
            return _of_spline(form.knots, form.coefficients)


def _of_line(knots: Floats, values: Floats) -> PiecewisePolynomial:
    with np.errstate(over="ignore"):
        slope = np.diff(values) / np.diff(knots)
    slope[~np.isfinite(slope)] = 0.0  # between knots that no score can lie between
    start = np.concatenate([[-MOST], knots])
    level = np.concatenate([values[:1], values])
    return PiecewisePolynomial(
        knots, False, start, np.column_stack([level, np.r_[0.0, slope, 0.0]])
    )


def _of_spline(knots: Floats, coefficients: Floats) -> PiecewisePolynomial:
    c0, c1, c2, c3 = coefficients[-1]
    t = knots[-1] - knots[-2]
    below = [coefficients[0, 0], coefficients[0, 1], 0.0, 0.0]
    above = [c0 + t * (c1 + t * (c2 + t * c3)), c1 + t * (2 * c2 + t * 3 * c3), 0.0, 0.0]
    start = np.concatenate([knots[:1], knots])
    return PiecewisePolynomial(knots, False, start, np.vstack([below, coefficients, above]))
