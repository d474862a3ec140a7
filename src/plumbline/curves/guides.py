"""Reference lines of the named curves: a random ranking, a perfect one, treating all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.lines import Curve
from plumbline.curves.presets import preset_of

Floats = NDArray[np.float64]

RANDOM, CALIBRATED, PERFECT = "random", "calibrated", "perfect ranking"
TREAT_ALL, TREAT_NONE = "treat all", "treat none"
NAMES = (RANDOM, CALIBRATED, PERFECT, TREAT_ALL, TREAT_NONE)

# 401 points: a curve is smooth on any screen; the ends keep odds finite.
SHARES = np.linspace(1e-6, 1 - 1e-6, 401)
ACROSS = np.array([-np.inf, np.inf])  # from one edge of the picture to the other
UNIT = np.array([0.0, 1.0])
SEVERAL = 3  # prevalences that are drawn apart
DEPTH = 0.25  # how far below 0 the line of treating all is followed, as a share of the top


@dataclass(frozen=True, slots=True, eq=False)
class GuideLine:
    """One reference line.

    Attributes
    ----------
    label : its name; None where it has the meaning of a line before it, or none
    x, y : (m,) its corners; -inf and inf are the edges of the picture, which it may leave
    second : whether it stands beside a first one of another meaning
    """

    label: str | None
    x: Floats
    y: Floats
    second: bool = False


def guide_lines(curve: Curve) -> list[GuideLine]:
    """Return the reference lines that the preset of a curve's two formulas has.

    A diagonal for a random ranking or for calibrated probabilities, the prevalence of every class
    drawn (as long as there are at most 3), the perfect ranking of a gains curve, and the net
    benefit of treating all, prevalence - (1 - prevalence) p / (1 - p), beside that of none.

    >>> from plumbline.curves.lines import Line
    >>> from plumbline.curves.presets import CurveSettings
    >>> line = Line(UNIT[::-1], UNIT, UNIT, positives=1, negatives=3)
    >>> curve = Curve(CurveSettings("recall", "precision"), "recall", "precision", [line])
    >>> [(guide.label, guide.y.tolist()) for guide in guide_lines(curve)]
    [('random', [0.25, 0.25])]
    """
    preset = preset_of(curve.settings)
    guide = None if preset is None else preset.guide
    if guide == "diagonal":
        label = CALIBRATED if curve.settings.x.strip() == "probability" else RANDOM
        return [GuideLine(label, UNIT, UNIT)]
    if guide == "antidiagonal":
        return [GuideLine(RANDOM, SHARES, 1 - SHARES)]
    if guide in ("one", "zero"):
        return [_level(1.0, RANDOM) if guide == "one" else _level(0.0, None)]
    if guide == "prevalence":
        return [_level(share, label) for label, share in _named(prevalences(curve), RANDOM)]
    if guide == "perfect gains":
        perfect = [
            GuideLine(label, np.array([0.0, share, 1.0]), np.array([0.0, 1.0, 1.0]), True)
            for label, share in _named(prevalences(curve), PERFECT)
        ]
        return [GuideLine(RANDOM, UNIT, UNIT), *perfect]
    if guide == "treat all":
        odds = SHARES / (1 - SHARES)
        every = [
            GuideLine(label, SHARES, share - (1 - share) * odds)
            for label, share in _named(prevalences(curve), TREAT_ALL)
        ]
        return [_level(0.0, TREAT_NONE, second=True), *every]
    return []


def prevalences(curve: Curve) -> list[float]:
    """Return the distinct shares of positives of the classes drawn; none where there are many."""
    weights: dict[str | None, list[float]] = {}
    for line in curve.lines:
        total = weights.setdefault(line.target, [0.0, 0.0])
        total[0] += line.positives
        total[1] += line.negatives
    shares = {round(p / (p + n), 12) for p, n in weights.values() if p + n > 0}
    return sorted(shares) if len(shares) <= SEVERAL else []


def floor_of(curve: Curve) -> float | None:
    """Return the y below which a picture need not follow the lines; None where it follows all.

    At great odds net benefits fall without end: a quarter of the top below 0 is far enough.
    """
    preset = preset_of(curve.settings)
    if preset is None or preset.guide != "treat all":
        return None
    tops = [float(line.y.max()) for line in curve.lines if len(line)]
    return -DEPTH * max([*tops, *prevalences(curve), 1e-9])


def _level(y: float, label: str | None, *, second: bool = False) -> GuideLine:
    return GuideLine(label, ACROSS, np.array([y, y]), second)


def _named(shares: Sequence[float], label: str) -> Iterator[tuple[str | None, float]]:
    """Yield the shares, the first of them with the name of all."""
    for number, share in enumerate(shares):
        yield label if number == 0 else None, share
