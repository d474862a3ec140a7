"""Areas under curves, of rows and of drawn lines; the hull of an ROC, the path of a PR curve."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import share
from plumbline._result import Result
from plumbline.confusion import ThresholdCounts, concordance, threshold_counts
from plumbline.curves import area_intervals
from plumbline.curves.lines import NO_INTERVAL, AreaBelow, Floats, Interval, Line
from plumbline.curves.presets import AUC, AVERAGE_PRECISION, CurveSettings, name_of_area
from plumbline.curves.sweep import Sweep
from plumbline.curves.target_rows import rating, rows_of
from plumbline.errors import InputError, ParameterError
from plumbline.predictions import Predictions, only_predictions

STEPS = 100  # points of a path over recall 0 to 1, beside those of the line
MANY = 2**15  # points from which on compiling pays
ROUNDED = 2 * np.finfo(np.float64).eps  # relative area of a triangle that rounding can make


@dataclass(frozen=True, repr=False, eq=False)
class ClassAreas(Result):
    """The areas of every class against the rest, and their plain means.

    Attributes
    ----------
    auc, average_precision : means over the classes of the areas under the ROC and the
        precision-recall curve
    classes : "class", "auc" and "average_precision" of every class
    """

    auc: float
    average_precision: float
    classes: Sequence[Mapping[str, Any]]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a class."""
        return self.classes


def areas_of_classes(data: Predictions) -> ClassAreas:
    """Return the areas under the ROC and the precision-recall curve of every class.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> areas_of_classes(data).auc
    0.75
    """
    classes = [
        {
            "class": name,
            "auc": roc_auc(data, target=name),
            "average_precision": average_precision(data, target=name),
        }
        for name in data.classes
    ]
    return ClassAreas(
        auc=float(np.mean([row["auc"] for row in classes])),
        average_precision=float(np.mean([row["average_precision"] for row in classes])),
        classes=classes,
    )


def roc_auc(
    data: Predictions,
    *,
    target: Any = None,
    max_fpr: float | None = None,
    standardized: bool = True,
) -> float:
    """Return the area under the ROC curve of one class against the rest, exact with ties.

    It is the probability that a positive row is rated above a negative one; ties count half (Hanley
    and McNeil 1982). A row's rating is its probability of the target class, else its score, else
    whether the predicted class is the target. A weight is a repetition.

    Parameters
    ----------
    data : Predictions
        Predictions of one model.
    target : class name, optional
        Class that counts as positive. By default the positive class of the table.
    max_fpr : float, optional
        Highest false positive rate, in (0, 1]: only the area up to it counts. By default the whole
        area.
    standardized : bool, default True
        Whether a part A of the area is mapped to 0.5 for random ratings and 1 at best,
        (1 + (A - A_0) / (A_1 - A_0)) / 2 with A_0 = max_fpr^2 / 2 and A_1 = max_fpr (McClish 1989).

    Returns
    -------
    float
        The area, from 0 to 1; NaN where there are no positives or no negatives.

    Raises
    ------
    InputError
        For several models or an unknown class.
    ParameterError
        For a `max_fpr` outside (0, 1].

    References
    ----------
    Hanley and McNeil (1982), Radiology 143. McClish (1989), Medical Decision Making 9.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> roc_auc(data), round(roc_auc(data, max_fpr=0.5), 3)
    (0.75, 0.667)
    """
    ranked = _ranked(data, target, "the area under the ROC curve")
    if max_fpr is None:
        return concordance(**ranked)
    limit = share("max_fpr", max_fpr)
    area = _area_up_to(threshold_counts(**ranked), limit)
    least, most = limit**2 / 2, limit
    return (1 + (area - least) / (most - least)) / 2 if standardized else area


def average_precision(data: Predictions, *, target: Any = None) -> float:
    """Return the average precision: sum over thresholds of precision times the gain in recall.

    sum_j (recall_j - recall_j-1) precision_j, from the highest rating down, equal ratings together;
    the steps are not interpolated.

    Parameters
    ----------
    data : Predictions
        Predictions of one model, with ratings as in `roc_auc`; a weight is a repetition.
    target : class name, optional
        Class that counts as positive. By default the positive class of the table.

    Returns
    -------
    float
        The average precision, from 0 to 1; NaN where there are no positives, 1 where there are no
        negatives.

    Raises
    ------
    InputError
        For several models or an unknown class.

    References
    ----------
    Boyd, Eng and Page (2013), Area under the precision-recall curve.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(average_precision(data), 3)
    0.833
    """
    return average_precision_of(**_ranked(data, target, "the average precision"))


def average_precision_of(
    event: NDArray[np.bool_], rating: NDArray[Any], weight: Floats | None = None
) -> float:
    """Return the average precision of (n,) ratings of which (n,) are positive."""
    counts = threshold_counts(event, rating, weight=weight)
    gain = np.diff(counts.tp, prepend=0.0)
    at = gain > 0
    if not at.any():
        return np.nan
    precision = counts.tp[at] / (counts.tp[at] + counts.fp[at])
    return float((gain[at] * precision).sum() / counts.positives)


def precision_recall_area(data: Predictions, *, target: Any = None) -> float:
    """Return the area under the precision-recall curve along its true path.

    Between two thresholds TP and FP change together in a straight line (Davis and Goadrich 2006).
    With h = gain in TP, g = gain in TP + FP and q = g / (TP + FP before), the mean precision of
    that piece is h / g + (precision before - h / g) ln(1 + q) / q, with weight h / P (in another
    form in Keilwagen, Grosse and Grau 2014). Before the first threshold the path has its precision.

    Parameters
    ----------
    data : Predictions
        Predictions of one model, with ratings as in `roc_auc`; a weight is a repetition.
    target : class name, optional
        Class that counts as positive. By default the positive class of the table.

    Returns
    -------
    float
        The area, from 0 to 1; NaN where there are no positives, 1 where there are no negatives.

    Raises
    ------
    InputError
        For several models or an unknown class.

    References
    ----------
    Davis and Goadrich (2006), The relationship between precision-recall and ROC curves. Keilwagen,
    Grosse and Grau (2014), Area under precision-recall curves for weighted and unweighted data.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(precision_recall_area(data), 3)
    0.797
    """
    counts = threshold_counts(**_ranked(data, target, "the area under the precision-recall curve"))
    at = np.diff(counts.tp, prepend=0.0) > 0
    if not at.any():
        return np.nan
    predicted = counts.tp + counts.fp
    before, tp_before = (np.append(0.0, a[:-1])[at] for a in (predicted, counts.tp))
    gain, more = counts.tp[at] - tp_before, predicted[at] - before
    with np.errstate(divide="ignore", invalid="ignore"):
        q = more / before
        share = np.where(before > 0, np.log1p(q) / q, 0.0)  # of the precision before
        precision_before = np.where(before > 0, tp_before / before, 0.0)
    precision = gain / more + (precision_before - gain / more) * share
    return float((gain * precision).sum() / counts.positives)


def _ranked(data: Predictions, target: Any, purpose: str) -> dict[str, Any]:
    """Return who is positive, the ratings and the weights of one class against the rest."""
    only_predictions(data).need_one_model(purpose)
    number = data.positive if target is None else data.class_number(target)
    ratings, _ = rating(rows_of(data, number))
    return {"event": data.actual == number, "rating": ratings, "weight": data.weight}


def _area_up_to(counts: ThresholdCounts, limit: float) -> float:
    """Return the area under the ROC curve over false positive rates from 0 to `limit`."""
    if not (counts.positives > 0 and counts.negatives > 0):
        return np.nan
    fpr = np.append(0.0, counts.fp / counts.negatives)
    tpr = np.append(0.0, counts.tp / counts.positives)
    inside = int(np.searchsorted(fpr, limit, "right"))
    end = np.interp(limit, fpr[inside - 1 : inside + 1], tpr[inside - 1 : inside + 1])
    x, y = np.append(fpr[:inside], limit), np.append(tpr[:inside], end)
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)


def area_under(line: Line, settings: CurveSettings) -> float:
    """Return the area under a line, NaN where it has none.

    That of a ROC curve by trapezia, which counts ties half, as `roc_auc` does; that of a
    precision-recall curve by steps, sum of precision times gain in recall, as `average_precision`
    does; any other by trapezia between its points of finite x, where x only grows or only falls.
    Of the rows that the line is of: a filter and the sort key are in it.

    >>> from plumbline import Predictions
    >>> from plumbline.curves import curve
    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> result = curve(data, "roc"), curve(data, "precision-recall"), curve(data, "gains")
    >>> [round(area_under(one.lines[0], one.settings), 3) for one in result]
    [0.75, 0.833, 0.625]
    """
    name = name_of_area(settings)
    if len(line) == 0:
        return math.nan
    upwards = slice(None, None, -1) if settings.direction == "ascending" else slice(None)
    x, y = line.x[upwards], line.y[upwards]
    if name == AUC:
        return trapezia(x, y)
    if name == AVERAGE_PRECISION:
        return float((np.diff(x, prepend=0.0) * y).sum())
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    steps = np.diff(x)
    if len(x) < 2 or not ((steps >= 0).all() or (steps <= 0).all()) or x[0] == x[-1]:
        return math.nan
    return trapezia(x, y) if x[-1] > x[0] else -trapezia(x, y)


def trapezia(x: Floats, y: Floats) -> float:
    """Return the sum of the trapezia below straight lines from point to point."""
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)


def with_area(line: Line, settings: CurveSettings, sweep: Sweep | None = None) -> Line:
    """Return a line with the area under it and, of the `sweep` it was made of, an interval.

    The interval is that of `roc_auc_interval`, or of the average precision; where there is none,
    that of a band, which the line has already. An average of folds or classes has none. Area and
    interval are computed when they are asked for: together they take as long as the curve.
    """
    known, named = line.below, name_of_area(settings) is not None

    def area() -> float | None:
        if known is not None and known.area is not None:
            return known.area
        value = area_under(line, settings)
        return None if math.isnan(value) else value

    def interval(area: float | None) -> Interval:
        if sweep is not None and named and area is not None:
            ends, method = _ends(line, area, settings, sweep)
            if not math.isnan(ends[0]):
                return ends, method
        return NO_INTERVAL if known is None else known.interval

    return replace(line, below=AreaBelow(area, interval))


def _ends(
    line: Line, area: float, settings: CurveSettings, sweep: Sweep
) -> tuple[tuple[float, float], str]:
    """Return the interval of the area of a ROC or precision-recall line."""
    try:
        examples = area_intervals.examples_of(sweep.rows.data)
    except InputError:  # repeats whose examples nothing tells
        return (math.nan, math.nan), ""
    example = None if examples is None else sweep.rows.kept(examples)
    event, weight, level = sweep.rows.event, sweep.weight, settings.level
    counted = sweep.rows.data.counted
    # Equal sort values are one place, and a missing one comes last, as in the sweep.
    place = np.empty(sweep.n)
    place[sweep.order] = np.searchsorted(sweep.group_ends, np.arange(sweep.n))
    if name_of_area(settings) == AVERAGE_PRECISION:
        codes = sweep.rows.data.group_codes
        grouped = (
            None if codes is None else area_intervals.RatedGroups(-place, sweep.rows.kept(codes))
        )
        ends, _ = area_intervals.precision_ends(
            area,
            event,
            weight=weight,
            example=example if grouped is None else None,
            groups=grouped,
            level=level,
            counted=counted,
        )
        method = area_intervals.BINOMIAL
        return ends, method if grouped is None else area_intervals.BINOMIAL_IN_GROUPS
    if (weight is None or counted) and example is None:
        upwards = slice(None, None, -1) if settings.direction == "ascending" else slice(None)
        counts = round(line.positives), round(line.negatives)
        result = area_intervals.Area.of_points(line.x[upwards], line.y[upwards], *counts)
    else:
        result = area_intervals.area_of_rows(event, -place, weight=weight, example=example)
    return result.ends(level=level)[0], area_intervals.METHOD_TEXTS["score"]


def convex_hull(line: Line) -> Line:
    """Return the upper convex hull of an ROC line, from (0, 0) to (1, 1).

    Its corners are the thresholds that are best for some cost of errors and some prevalence; points
    between two corners are reached by choosing between them at random (Provost and Fawcett 2001).
    Points on a straight piece are left out.

    Parameters
    ----------
    line : Line
        A line of an ROC curve, as `curve(data, "roc").lines` has them.

    Returns
    -------
    Line
        The corners. Missing ends are added, with threshold inf at (0, 0) and -inf at (1, 1).

    Raises
    ------
    ParameterError
        Where x or y is outside [0, 1].

    References
    ----------
    Provost and Fawcett (2001), Robust classification for imprecise environments.

    Examples
    --------
    >>> line = Line(
    ...     np.array([np.inf, 0.8, 0.6, 0.1]),
    ...     x=np.array([0.0, 0.5, 0.5, 1.0]),
    ...     y=np.array([0.0, 0.5, 1.0, 1.0]),
    ... )
    >>> hull = convex_hull(line)
    >>> hull.x.tolist(), hull.y.tolist(), hull.threshold.tolist()
    ([0.0, 0.5, 1.0], [0.0, 1.0, 1.0], [inf, 0.6, 0.1])
    """
    _in_unit_square(line, "the convex hull")
    x = np.concatenate([[0.0, 1.0], line.x])
    y = np.concatenate([[0.0, 1.0], line.y])
    threshold = np.concatenate([[np.inf, -np.inf], line.threshold])
    order = np.lexsort((y, x))  # stable: of equal points the line's own come after the added ends
    corners = np.empty(len(order) + 1, np.int64)
    walk: Any = _upper_hull
    if len(order) > MANY:
        from plumbline.jit import compiled

        walk = compiled(_upper_hull)
    walk(x[order], y[order], corners)
    kept = order[corners[1 : 1 + corners[0]]]
    return _replaced(line, threshold[kept], x[kept], y[kept])


def pr_interpolated(line: Line) -> Line:
    """Return a precision-recall line (x recall, y precision) with points of its curved path.

    Between two thresholds both counts, TP and FP, change together in a straight line, which bends
    precision: straight lines between the points would be too optimistic (Davis and Goadrich 2006).
    The path starts at recall 0 with the precision of the first point; there are about 100 points
    more, of threshold NaN. FP is unknown where precision is 0: that of the next point is used.
    Raises ParameterError where x or y leaves [0, 1].

    >>> line = Line(np.array([0.9, 0.1]), x=np.array([0.5, 1.0]), y=np.array([1.0, 0.5]))
    >>> path = pr_interpolated(line)
    >>> np.interp([0.0, 0.5, 0.75, 1.0], path.x, path.y).round(2).tolist()
    [1.0, 1.0, 0.6, 0.5]
    """
    _in_unit_square(line, "the path of a precision-recall curve")
    if not len(line):
        return line
    rising = line.x[-1] >= line.x[0]
    threshold, x, y = (a if rising else a[::-1] for a in (line.threshold, line.x, line.y))
    fp = false_positives(x, y)
    if x[0] > 0:
        threshold, x, y, fp = (
            np.append(first, rest)
            for first, rest in ((np.nan, threshold), (0.0, x), (y[0], y), (0.0, fp))
        )
    extra = np.floor(np.diff(x) * STEPS).astype(np.int64)
    left = np.repeat(np.arange(len(extra)), extra)
    nth = np.arange(len(left)) - np.repeat(np.cumsum(extra) - extra, extra) + 1
    share = nth / (extra[left] + 1)
    tp_between = x[left] + share * (x[left + 1] - x[left])
    fp_between = fp[left] + share * (fp[left + 1] - fp[left])
    columns = [
        np.insert(own, left + 1, between)
        for own, between in (
            (threshold, np.nan),
            (x, tp_between),
            (y, tp_between / (tp_between + fp_between)),
        )
    ]
    return _replaced(line, *(c if rising else c[::-1] for c in columns))


def false_positives(recall: Floats, precision: Floats) -> Floats:
    """Return false positives as a multiple of all positives; where precision is 0, the next ones.

    >>> false_positives(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.25])).tolist()
    [0.5, 0.5, 3.0]
    """
    fp = np.divide(
        recall * (1 - precision), precision, out=np.full(len(recall), np.nan), where=precision > 0
    )
    known = np.append(np.flatnonzero(precision > 0), len(fp))
    nearest = known[np.searchsorted(known, np.arange(len(fp)))]
    nearby: Floats = np.append(fp, 0.0)[nearest]
    return nearby


def _upper_hull(x: Floats, y: Floats, corners: NDArray[np.int64]) -> None:
    """Write the number of corners, then their places, of points sorted by x and y."""
    m = 0
    for j in range(len(x)):
        while m > 1:
            a, b = corners[m - 1], corners[m]
            dx, dy = x[b] - x[a], y[b] - y[a]
            ex, ey = x[j] - x[a], y[j] - y[a]
            if dx * ey - dy * ex < -ROUNDED * (dx + abs(dy) + ex + abs(ey)):
                break
            m -= 1
        if m == 1 and x[j] == x[corners[1]] and y[j] == y[corners[1]]:
            m = 0
        m += 1
        corners[m] = j
    corners[0] = m


def _in_unit_square(line: Any, what: str) -> None:
    if not isinstance(line, Line):
        raise ParameterError(
            f"{what} needs a Line, got {type(line).__name__}; pass one of curve.lines",
            code="wrong-kind",
        )
    outside = ~((line.x >= 0) & (line.x <= 1) & (line.y >= 0) & (line.y <= 1))
    if outside.any():
        j = int(np.argmax(outside))
        raise ParameterError(
            f"{what} needs x and y between 0 and 1, point {j} is ({line.x[j]:g}, {line.y[j]:g}); "
            "use a curve of rates",
            code="no-curve-of-rates",
        )


def _replaced(line: Line, threshold: Floats, x: Floats, y: Floats) -> Line:
    return replace(line, threshold=threshold, x=x, y=y, more={}, path=None)
