"""What stands beside the lines of a curve: reference lines, the best threshold, chosen cases."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.lines import Curve, Line
from plumbline.curves.presets import Guide
from plumbline.plots import style
from plumbline.plots.curve_axes import Scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from plumbline.curves.cases.between import Cases
    from plumbline.curves.optimum.result import BestThreshold

Floats = NDArray[np.float64]

LOOK: dict[str, Any] = {"color": style.MUTED, "lw": 0.9, "ls": (0, (4, 3)), "zorder": 2}
OTHER: dict[str, Any] = {**LOOK, "ls": (0, (1, 2))}
MARK: dict[str, Any] = {"mfc": style.PAPER, "mec": style.INK, "ms": 7.5, "mew": 1.5, "zorder": 6}
SHARES = np.linspace(1e-6, 1 - 1e-6, 401)
ALONG_X = ("threshold", "probability")
SEVERAL = 3  # prevalences that are drawn apart
DEPTH = 0.25  # how far below 0 the line of treating all is followed, as a share of the top

CHANCE, TRUE, PERFECT = "chance", "true probabilities", "perfect ranking"
TREAT_ALL, TREAT_NONE = "treat all", "treat none"
PLATEAU, BEST, CASES = "as good as the best", "best threshold", "chosen cases"
NAMES = {CHANCE, TRUE, PERFECT, TREAT_ALL, TREAT_NONE, PLATEAU, BEST, CASES}


def draw_guide(guide: Guide, curve: Curve, ax: "Axes", scales: tuple[Scale, Scale]) -> None:
    """Draw the reference line of a preset: what chance or perfection would look like."""
    x, y = scales
    if guide == "diagonal":
        label = TRUE if curve.settings.x.strip() == "probability" else CHANCE
        ax.plot([0, 1], [0, 1], label=label, **LOOK)
    elif guide == "antidiagonal":
        _inside(ax, x.place(SHARES), y.place(1 - SHARES), label=CHANCE)
    elif guide in ("one", "zero"):
        ax.axhline(1.0 if guide == "one" else 0.0, label=CHANCE if guide == "one" else "_", **LOOK)
    elif guide == "prevalence":
        for number, share in enumerate(prevalences(curve)):
            ax.axhline(share, label=CHANCE if number == 0 else "_", **LOOK)
    elif guide == "perfect gains":
        ax.plot([0, 1], [0, 1], label=CHANCE, **LOOK)
        for number, share in enumerate(prevalences(curve)):
            label = PERFECT if number == 0 else "_"
            ax.plot([0, share, 1], [0, 1, 1], label=label, **OTHER)
    else:
        _draw_treat_all(curve, ax, x)


def prevalences(curve: Curve) -> list[float]:
    """Return the distinct shares of positives of the classes drawn; none where there are many."""
    weights: dict[str | None, list[float]] = {}
    for line in curve.lines:
        total = weights.setdefault(line.target, [0.0, 0.0])
        total[0] += line.positives
        total[1] += line.negatives
    shares = {round(p / (p + n), 12) for p, n in weights.values() if p + n > 0}
    return sorted(shares) if len(shares) <= SEVERAL else []


def _inside(ax: "Axes", x: Floats, y: Floats, *, label: str) -> None:
    """Draw a line where it is within the axes, which it shall not stretch."""
    limits = ax.get_xlim(), ax.get_ylim()
    inside = np.ones(len(x), bool)
    for values, (low, high) in zip((x, y), limits, strict=True):
        inside &= (values >= low) & (values <= high)
    ax.plot(x[inside], y[inside], label=label, **LOOK)


def above_floor(ys: Sequence[Floats], curve: Curve) -> list[Floats]:
    """Return net benefits cut off where the axis shall end: at great odds they fall without end."""
    tops = [float(line.y.max()) for line in curve.lines if len(line)]
    floor = -DEPTH * max([*tops, *prevalences(curve), 1e-9])
    return [np.maximum(y, floor) for y in ys]


def _draw_treat_all(curve: Curve, ax: "Axes", x: Scale) -> None:
    """Draw the net benefit of treating all, prevalence - (1 - prevalence) odds, and of none."""
    ax.axhline(0.0, label=TREAT_NONE, **OTHER)
    shares = SHARES[(x.low <= SHARES) & (x.high >= SHARES)]
    for number, share in enumerate(prevalences(curve)):
        benefit = share - (1 - share) * shares / (1 - shares)
        _inside(ax, shares, benefit, label=TREAT_ALL if number == 0 else "_")


# ------------------------------------------------------------------ what was chosen


def draw_best(best: "BestThreshold", curve: Curve, ax: "Axes", scales: tuple[Scale, Scale]) -> None:
    """Mark the point of the best threshold, and shade the thresholds that are as good."""
    if curve.settings.x.strip() in ALONG_X:
        for number, interval in enumerate(best.plateau):
            low, high = scales[0].place(np.array(interval, np.float64))
            ax.axvspan(low, high, color=style.BAND, lw=0, alpha=0.6, zorder=0.5,
                       label=PLATEAU if number == 0 else "_")  # fmt: skip
    point = _point_at(curve, best.threshold)
    if point is not None:
        x, y = (scale.place([value]) for scale, value in zip(scales, point, strict=True))
        ax.plot(x, y, "o", clip_on=False, label=BEST, **MARK)


def _point_at(curve: Curve, threshold: float) -> tuple[float, float] | None:
    """Return the point of the first line that has one at this threshold."""
    for line in curve.lines:
        place = state_at(line, threshold)
        if place is not None:
            return float(line.x[place]), float(line.y[place])
    return None


def state_at(line: Line, threshold: float) -> int | None:
    """Return the number of the point that holds at a threshold: the least threshold at or above it.

    Above all of them it is the greatest there is; None where no point has a threshold.
    """
    known = np.flatnonzero(~np.isnan(line.threshold))
    if not len(known) or np.isnan(threshold):
        return None
    above = known[line.threshold[known] >= threshold]
    if len(above):
        return int(above[line.threshold[above].argmin()])
    return int(known[line.threshold[known].argmax()])


def draw_cases(cases: "Cases", curve: Curve, ax: "Axes", scales: tuple[Scale, Scale]) -> None:
    """Thicken the part of every line on which the cases change sides, or shade it along x."""
    if curve.settings.x.strip() in ALONG_X:
        low, high = scales[0].place(np.array([cases.low, cases.high], np.float64))
        ax.axvspan(low, high, color=style.DRAWS, lw=0, alpha=0.35, zorder=0.6, label=CASES)
        return
    label = CASES
    for line in curve.lines:
        inside = (line.threshold >= cases.low) & (line.threshold <= cases.high)
        if inside.any():
            x, y = (s.place(part[inside]) for s, part in zip(scales, (line.x, line.y), strict=True))
            ax.plot(
                x,
                y,
                color=style.DRAWS,
                alpha=0.5,
                lw=7,
                solid_capstyle="round",
                zorder=1,
                label=label,
            )
            label = "_"
