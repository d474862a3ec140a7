"""What a chart draws of a curve, whichever library draws it: few points, scales, guides."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.decimation import kept_places
from plumbline.curves.guides import GuideLine, floor_of, guide_lines
from plumbline.curves.lines import Curve, Line, line_name, select_points, size_of
from plumbline.curves.presets import Shape, preset_of
from plumbline.curves.scales import Scale, scale_of
from plumbline.formatting import amount, counted, number

Floats = NDArray[np.float64]

HULL, PLATEAU, BEST = "convex hull", "as good as the best", "best threshold"  # in legends


@dataclass(frozen=True, slots=True, eq=False)
class DrawnGroup:
    """The lines of one model and class: folds, or a single one.

    Attributes
    ----------
    name : whose they are; "" where there is only one group of no name
    lines : all their points; thinned : of each, those that a chart draws, and its `path`
    label : the name, the number of folds, the area, and which lines have no point
    """

    name: str
    lines: tuple[Line, ...]
    thinned: tuple[Line, ...]
    label: str

    @property
    def model(self) -> str | None:
        """The model, or None."""
        return self.lines[0].model


@dataclass(frozen=True, slots=True, eq=False)
class CurveDrawing:
    """What a chart draws of a curve.

    Attributes
    ----------
    groups : the lines by model and class
    shape : how points are joined, as in `Preset`; "points": not at all, as on categories
    x, y : the scales of the axes, which hold every point and every band
    square : whether both axes are as long as each other
    along_x : whether x is the threshold
    guides : reference lines
    hull_name, plateau_name, best_name : what a legend calls what is drawn beside a curve
    """

    hull_name: ClassVar[str] = HULL
    plateau_name: ClassVar[str] = PLATEAU
    best_name: ClassVar[str] = BEST

    groups: tuple[DrawnGroup, ...]
    shape: Shape
    x: Scale
    y: Scale
    square: bool
    along_x: bool
    guides: tuple[GuideLine, ...]


def drawing_of(curve: Curve, width: int) -> CurveDrawing:
    """Return what a chart of so many pixels draws of a curve.

    >>> from plumbline.curves.presets import CurveSettings
    >>> shares = np.linspace(0, 1, 50_001)
    >>> line = Line(1 - shares, shares, shares**0.5, model="tree")
    >>> drawing = drawing_of(Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", [line]), 500)
    >>> drawing.square, [guide.label for guide in drawing.guides], drawing.groups[0].label
    (True, ['random'], 'tree')
    >>> len(drawing.groups[0].thinned[0]) < 6 * 500
    True
    """
    preset = preset_of(curve.settings)
    x, y = scales_of(curve)
    square = preset is not None and preset.square
    by_name: dict[tuple[str | None, str | None], list[Line]] = {}
    for line in curve.lines:
        by_name.setdefault((line.model, line.target), []).append(line)
    return CurveDrawing(
        groups=tuple(_group(curve, lines, width) for lines in by_name.values()),
        shape="points" if curve.x_names else drawn_shape(curve),
        x=x,
        y=y,
        square=square or x.deviate,
        along_x=is_along_x(curve),
        guides=() if curve.x_names else tuple(guide_lines(curve)),
    )


def _group(curve: Curve, lines: Sequence[Line], width: int) -> DrawnGroup:
    name = line_name(curve, lines[0], fold=False)
    empty = [line for line in lines if not len(line)]
    parts = [name] if name else []
    if len(lines) > 1:
        parts.append(counted(len(lines), "fold"))
    elif curve.named_area is not None and lines[0].area is not None:
        parts.append(f"{curve.named_area} {number(lines[0].area)}")
    if empty:
        of = f"{len(empty)} without points" if len(lines) > 1 else "no point"
        parts.append(f"{of}: {empty[0].reason or 'undefined'}")
    thin = tuple(thinned(line, curve, width) for line in lines)
    return DrawnGroup(name, tuple(lines), thin, ", ".join(parts))


def thinned(line: Line, curve: Curve, width: int) -> Line:
    """Return a line of the points that a chart of so many pixels can show, extremes among them."""
    preset = preset_of(curve.settings)
    square = preset is not None and preset.square
    edges = [line.more[name] for name in ("y_low", "y_high") if name in line.more]
    kept = kept_places(line.x, line.y, *edges, width=width, threshold=line.threshold, square=square)
    few = line if len(kept) == len(line) else select_points(line, kept)
    if line.path is None:
        return few
    places = kept_places(*line.path, width=width)
    return replace(few, path=(line.path[0][places], line.path[1][places]))


def drawn_shape(curve: Curve) -> Shape:
    """Return how the points of a curve's lines are joined: averages have no steps."""
    averaged = curve.settings.average not in ("merge", "none")
    return "line" if averaged and curve.shape == "step" else curve.shape


def scales_of(curve: Curve) -> tuple[Scale, Scale]:
    """Return the scales of both axes, which hold every point and every band.

    Heights that a picture need not follow are cut off where `floor_of` ends it.
    """
    preset = preset_of(curve.settings)
    deviate = preset is not None and preset.scale == "normal-deviate"
    square = preset is not None and preset.square
    spreads = [part for line in curve.lines for part in line.spread]
    ys = [*(line.y for line in curve.lines), *(part[np.isfinite(part)] for part in spreads)]
    floor = floor_of(curve)
    if floor is not None:
        ys = [np.maximum(y, floor) for y in ys]
    xs = [line.x for line in curve.lines]
    if deviate:  # both kinds of error on one scale
        both = scale_of([*xs, *ys], deviate=True)
        return both, both
    zero = bool(curve.x_names)
    return scale_of(xs, square=square), scale_of(ys, square=square, zero=zero)


def is_along_x(curve: Curve) -> bool:
    """Tell whether x is the threshold, as a number: what the rows are sorted by.

    >>> from plumbline.curves.presets import CurveSettings
    >>> [
    ...     is_along_x(Curve(CurveSettings("probability", "CA", sort_by=key), "x", "y", []))
    ...     for key in (None, "probability", "age")
    ... ]
    [True, True, False]
    """
    settings = curve.settings
    if settings.direction == "unsorted" or curve.x_names or curve.dates[0]:
        return False
    key = curve.rating if settings.sort_by is None else settings.sort_by
    return settings.x.strip() in ("threshold", key.strip())


def lies_in_unit_square(line: Line) -> bool:
    """Tell whether a line has a convex hull: x and y are shares."""
    return all(bool(((part >= 0) & (part <= 1)).all()) for part in (line.x, line.y))


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


def point_text(curve: Curve, line: Line, place: int) -> str:
    """Return whose a point of a line is, its coordinates with their interval, and its threshold.

    >>> from plumbline.curves.presets import CurveSettings
    >>> line = Line(np.array([0.5]), np.array([0.25]), np.array([0.8]), model="tree", fold="3")
    >>> print(point_text(Curve(CurveSettings("FPR", "TPR"), "FPR", "TPR", [line]), line, 0))
    tree, fold 3
    FPR 0.25
    TPR 0.8
    threshold 0.5
    """
    names, scales = (curve.x_names, ()), (size_of(line.x), size_of(line.y))
    low, high = (ends[place] for ends in line.spread)
    texts = [line_name(curve, line)]
    for side, title in enumerate((curve.x_title, curve.y_title)):
        value = (line.x, line.y)[side][place]
        texts.append(f"{title} {_value(value, names[side], curve.dates[side], scales[side])}")
    if np.isfinite(low) and np.isfinite(high):
        texts[-1] += f" ({amount(low, scale=scales[1])} to {amount(high, scale=scales[1])})"
    if "count" in line.more and curve.x_names:
        count = line.more["count"]
        texts.append(f"n = {amount(float(count[place]), scale=size_of(count))}")
    threshold = line.threshold[place]
    if not (is_along_x(curve) or np.isnan(threshold) or curve.x_names):
        shown = _value(threshold, curve.threshold_names, False, size_of(line.threshold))
        texts.append(f"threshold {shown}")
    return "\n".join(text for text in texts if text)


def _value(value: Any, names: Sequence[str], date: bool, scale: float) -> str:
    if names and np.isfinite(value):
        return names[int(value)]
    if date and np.isfinite(value):
        return str(np.datetime64(round(float(value)), "D"))
    return amount(float(value), scale=scale)
