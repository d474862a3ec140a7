"""The axes of a reliability diagram: what part of the unit square the data need, and the ticks."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from plumbline._checks import one_of
from plumbline.calibration_errors import CorpCurve, ReliabilityCurve
from plumbline.plots.curve_axes import number_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Span: TypeAlias = tuple[float, float]
DiagramCurve: TypeAlias = ReliabilityCurve | CorpCurve

AXES = ("probability", "log-odds")
HELD = (
    0.4  # share of an axis that the points hold at least, as far as bands and bins would take more
)
LEAST = 1 / 3  # share below which predictions get an axis of their own, apart from the shares'
PAD = 0.02  # share of the axis beside its outermost value
EDGE = 0.07  # share of the axis between what has log-odds and the place of 0 or 1, as in a curve
APART = {"x": 0.15, "y": 0.1}  # share of the axis that two ticks of log-odds are apart at least
FEW = 3  # ticks: where so many round probabilities are not on the axis, there are less round ones
COARSE, FINE = (1, 3), range(1, 10)


@dataclass(frozen=True, slots=True)
class DiagramAxes:
    """What both axes of a reliability diagram show.

    Attributes
    ----------
    x, y : lowest and highest value that has a place
    log_odds : whether values stand at their log-odds
    ends : of x and of y, whether something is at 0, and whether at 1, which have no log-odds
    """

    x: Span
    y: Span
    log_odds: bool = False
    ends: tuple[tuple[bool, bool], tuple[bool, bool]] = ((False, False), (False, False))

    def limits(self, side: str) -> Span:
        """Return the ends of an axis, "x" or "y", with a margin beside the outermost values."""
        low, high = self._filled(side)
        pad = PAD * (high - low)
        return self._back(low - pad), self._back(high + pad)

    def placed(self, side: str, values: Iterable[float]) -> list[float]:
        """Return values with 0 and 1 moved to the edge where they have no place of their own."""
        if not self.log_odds:
            return list(values)
        low, high = (self._back(end) for end in self._filled(side))
        return [
            low if value <= 0 else high if value >= 1 else min(max(value, _LEAST), 1 - _LEAST)
            for value in values
        ]

    def boxes(self, spans: Iterable[Span], thinnest: float) -> tuple[list[float], list[float]]:
        """Return left ends and widths along x; what is thinner than this share is widened."""
        low, high = self._filled("x")
        least = thinnest * (high - low)
        left, width = [], []
        for span in spans:
            start, end = (self._there(value) for value in self.placed("x", span))
            more = max(least - (end - start), 0.0) / 2
            start, end = self._back(start - more), self._back(end + more)
            left.append(start)
            width.append(end - start)
        return left, width

    def set_on(self, ax: "Axes", *, sides: str = "xy") -> None:
        """Set scale, limits and ticks of axes of matplotlib."""
        for side in sides:
            axis = getattr(ax, f"{side}axis")
            if self.log_odds:
                getattr(ax, f"set_{side}scale")("logit", nonpositive="clip")
                axis.set_ticks(*self.ticks(side))
                axis.set_ticks([], minor=True)
            getattr(ax, f"set_{side}lim")(self.limits(side))
        alike = self.x == self.y and self.ends[0] == self.ends[1]
        if "y" in sides:
            ax.set_aspect("equal" if alike and not self.log_odds else "auto")

    def ticks(self, side: str) -> tuple[list[float], list[str]]:
        """Return round probabilities on an axis of log-odds, the middle ones first, and names."""
        found = self._ticks(side, COARSE)
        if len(found) < FEW:
            found = self._ticks(side, FINE)
        return [self._back(place) for place, _ in found], [name for _, name in found]

    def _ticks(self, side: str, digits: Iterable[int]) -> list[tuple[float, str]]:
        low, high = self._filled(side)
        room = APART[side] * (high - low)
        at_ends = zip(self.ends["xy".index(side)], (low, high), ("0", "1"), strict=True)
        found = [(at, name) for there, at, name in at_ends if there]
        least, most = (self._there(end) for end in getattr(self, side))
        small = [digit / 10**ten for ten in range(1, 8) for digit in digits if digit < 5 or ten > 1]
        rates = {0.5, *small, *(round(1 - share, 9) for share in small)}
        for rate in sorted(rates, key=lambda rate: (abs(rate - 0.5), rate)):
            at = self._there(rate)
            if least <= at <= most and all(abs(at - other) >= room for other, _ in found):
                found.append((at, number_text(rate)))
        return sorted(found)

    def _filled(self, side: str) -> Span:
        """Return the places of the outermost values, of 0 and 1 those at the edge."""
        low, high = (self._there(end) for end in getattr(self, side))
        edge = EDGE * (high - low) if self.log_odds else 0.0
        below, above = self.ends["xy".index(side)]
        return low - edge * below, high + edge * above

    def _there(self, value: float) -> float:
        return _logit(value) if self.log_odds else value

    def _back(self, at: float) -> float:
        return 1 / (1 + math.exp(-at)) if self.log_odds else at


_LEAST = 1e-15  # closest to 0 and 1 that log-odds are drawn


def diagram_axes(curves: Sequence[DiagramCurve], *, axis: str = "probability") -> DiagramAxes:
    """Return the axes on which the diagrams of one or several models fit.

    The axes hold every point. Beyond them they hold bins as far as the points still take half of
    an axis, and bands as far as a third; what reaches farther runs off. Both axes are the same,
    unless the predictions would then take less than a third of theirs.

    Parameters
    ----------
    curves : sequence of ReliabilityCurve or CorpCurve
        What `reliability_curve` or `corp_curve` returned.
    axis : {"probability", "log-odds"}, default "probability"
        Log-odds part probabilities near 0 and 1.

    Returns
    -------
    DiagramAxes
        What the drawing functions take as `axis`.

    Raises
    ------
    ParameterError
        For another `axis`.

    Examples
    --------
    >>> from plumbline import Predictions, reliability_curve
    >>> rare = Predictions.from_arrays([0, 0, 0, 1] * 25, [0.01, 0.02, 0.03, 0.1] * 25)
    >>> axes = diagram_axes([reliability_curve(rare, bins="equal-size:4", resamples=99)])
    >>> [round(end, 2) for end in axes.x]
    [0.0, 0.1]
    """
    one_of("axis", axis, AXES)
    log_odds = axis == "log-odds"
    points = [_points(curve) for curve in curves]
    x = [value for one, _ in points for value in one]
    y = [value for _, one in points for value in one]
    wide = [_around(curve) for curve in curves]
    wide_x = [value for one, _ in wide for value in one]
    wide_y = [value for _, one in wide for value in one]
    bands = [band for curve in curves for band in _bands(curve)]
    ends = tuple((min(values) <= 0, max(values) >= 1) for values in (x + wide_x, y + wide_y))
    if log_odds:
        x, y, wide_x, wide_y = (
            [_logit(value) for value in values if 0 < value < 1]
            for values in (x, y, wide_x, wide_y)
        )
        bands = [(_logit(low), _logit(high)) for low, high in bands if 0 < low < high < 1]
    least = min((high - low for low, high in bands), default=0.0)  # of one point: as its band
    whole = not log_odds
    both = _span(x + y, wide_x, wide_y, least=least, whole=whole)
    across, upward = both, both
    held = max(x, default=0.0) - min(x, default=0.0)
    if 0 < held < LEAST * (both[1] - both[0]):
        across = _span(x, wide_x, [], whole=whole)
        upward = _span(y + x, wide_x, wide_y, whole=whole)
    if log_odds:
        across, upward = ((_expit(low), _expit(high)) for low, high in (across, upward))
    return DiagramAxes(across, upward, log_odds, (ends[0], ends[1]))


def axes_of_each(curves: Sequence[DiagramCurve], *, axis: str = "probability") -> list[DiagramAxes]:
    """Return the same axes for every diagram, or each its own where one would be too small."""
    shared = diagram_axes(curves, axis=axis)
    own = [diagram_axes([curve], axis=axis) for curve in curves]
    if all(_length(one) >= LEAST * _length(shared) for one in own):
        return [shared] * len(own)
    return own


def _length(axes: DiagramAxes) -> float:
    low, high = axes.x
    return _logit(high) - _logit(low) if axes.log_odds else high - low


def _span(
    points: list[float],
    bins: list[float],
    bands: list[float],
    *,
    least: float = 0.0,
    whole: bool,
) -> Span:
    """Return an interval with all points, and of the rest, 0 and 1 what leaves them room enough."""
    if not points:
        return (0.0, 1.0) if whole else (-2.0, 2.0)
    low, high = min(points), max(points)
    held = max(high - low, least)
    if held <= 0:
        return (0.0, 1.0) if whole else (low - 1.0, high + 1.0)
    start, end = low, high
    for values, share in ((bins, HELD), (bands, LEAST)):
        room = (1 / share - 1) / 2 * held
        start = min(start, max(min(values, default=low), low - room))
        end = max(end, min(max(values, default=high), high + room))
    if whole:
        most = min(held / LEAST, 2 * (end - start))
        for wider in ((0.0, 1.0), (0.0, end), (start, 1.0)):
            if wider[1] - wider[0] <= most:
                return wider
    return start, end


def _points(curve: DiagramCurve) -> tuple[list[float], list[float]]:
    """Return the predictions and the observed frequencies that are drawn."""
    if isinstance(curve, CorpCurve):
        steps = curve.steps
        x = [row[end] for row in steps for end in ("lo", "hi")]
        return x, [row["probability"] for row in steps]
    bins = curve.bins
    return [row["mean_probability"] for row in bins], [row["outcome_share"] for row in bins]


def _around(curve: DiagramCurve) -> tuple[list[float], list[float]]:
    """Return the ends of bins and of bands."""
    y = [end for band in _bands(curve) for end in band]
    if isinstance(curve, CorpCurve):
        return [row["score"] for row in curve.bands], y
    return [row[end] for row in curve.bins for end in ("lowest", "highest")], y


def _bands(curve: DiagramCurve) -> list[Span]:
    rows, kind = (
        (curve.bands, "consistency") if isinstance(curve, CorpCurve) else (curve.bins, "band")
    )
    return [(row[f"{kind}_low"], row[f"{kind}_high"]) for row in rows]


def _logit(share: float) -> float:
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))


def _expit(at: float) -> float:
    return 1 / (1 + math.exp(-at))
