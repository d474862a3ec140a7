"""`roc_auc_interval`: confidence intervals of areas under curves, also with few positives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, open_fraction
from plumbline._result import Detail, Note, Presentation, Result
from plumbline.confusion import ascending_order, threshold_counts, wilson_interval
from plumbline.curves.target_rows import rating, rows_of
from plumbline.dependence import (
    RowGroups,
    group_details,
    group_notes,
    influence_share,
    need_enough_groups,
    row_groups_in,
    sums_over_groups,
)
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import beside, interval, percentage, quoted, sentence
from plumbline.predictions import Predictions, group_count, only_predictions, sets_of_rows

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

METHODS = ("score", "newcombe", "delong", "logit")
METHOD_TEXTS = {
    "score": "score interval: DeLong's variance, extended to each possible area by Newcombe's "
    "method 5, and Student's t",
    "newcombe": "Newcombe's method 5",
    "delong": "DeLong's variance, normal approximation (Wald)",
    "logit": "DeLong's variance, normal approximation on the logit scale",
}
OF_MEANS = "score intervals of the classes' areas, combined with their correlations"
NO_MEAN_PRECISION = (
    "no interval for a mean of average precisions; use one class, with view one-vs-rest:CLASS"
)
BINOMIAL = "binomial variance of the positives (Boyd 2013), Wilson's interval"
BINOMIAL_IN_GROUPS = (
    "binomial variance of the positives (Boyd 2013), wider by what sums over groups of the rows' "
    "influence show, Wilson's interval with Student's t"
)
# What the score interval adds to the estimated variance of either class, and to its degrees of
# freedom. Chosen by simulation over 600 designs; studies/few_positives.py measures the result.
MODEL_RATIO = 4 / 3  # times the variance of the model
MODEL_WEIGHT = 0.2  # how much that counts, in rows of a class at area 1/2
MODEL_FREEDOM = 4
HALVINGS = 50  # of the way to an end
SURENESS = 2  # a variance near area 1 rests on the few rows that are ranked wrongly

ALL_RIGHT = (
    "all rows of a class have the same placement, as in a perfect ranking: the variance is 0"
)
FEW = "a variance needs at least two positives and two negatives, and there are {} and {}"
NO_PAIRS = "an area needs a positive and a negative, and there are {} and {}"
NO_POSITIVE = "an average precision needs a positive, and there are none"
WHICH_EXAMPLES = (
    "the rows are of several repeats, in which examples recur, and there is no `row` column to "
    "match them; add one, or select one repeat"
)


@dataclass(frozen=True, repr=False, eq=False)
class RocAucInterval(Result):
    """The area under the ROC curve of one model, with its confidence interval.

    Attributes
    ----------
    model : its name, if it has one
    target : the class that is compared with the rest
    positives, negatives : numbers of rows, or of examples where these have several rows
    value, std_error : the area, and DeLong's standard error of it
    interval_range : ends of the interval; NaN where there is none
    level : confidence
    method : how it was computed
    reason : why there is none
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    model: str | None
    target: str
    positives: int
    negatives: int
    value: float
    std_error: float
    interval_range: tuple[float, float]
    level: float
    method: str
    reason: str | None = None
    row_groups: RowGroups | None = None

    def present(self) -> Presentation:
        """Return the area beside its interval, or why there is none."""
        return Presentation(
            subject=f"{self.target} against the rest",
            details=(
                Detail("positives", "positives", f"{self.positives:,}"),
                Detail("negatives", "negatives", f"{self.negatives:,}"),
                Detail("value", "AUC", beside(self.value, self.interval_range)),
                Detail(
                    "interval_range",
                    f"{percentage(self.level)} CI",
                    "-" if self.reason else interval(self.interval_range),
                ),
                *group_details(self.row_groups),
            ),
            notes=(Note(sentence(self.reason), "no-interval"),)
            if self.reason
            else group_notes(self.row_groups),
            legend=(sentence(self.method),),
        )


def roc_auc_interval(
    data: Predictions, *, target: Any = None, level: float = 0.95, method: str = "score"
) -> RocAucInterval:
    """Return the area under the ROC curve of one model, and a confidence interval for it.

    The default, "score", holds every area t that the observed area A does not reject: abs(A - t) <=
    q s(t). The variance s(t)^2 is DeLong's (1988), extended from A to t by Newcombe's method 5
    (2006), t (1 - t) [(1 - t) / (2 - t) + t / (1 + t)], and q is the quantile of Student's t with
    the degrees of freedom of Welch and Satterthwaite for the two placement variances. Where A is
    near 1 and few rows are ranked wrongly, the variance is mostly that of the model. So there is an
    interval for one positive, and for A = 1.

    Parameters
    ----------
    data : Predictions
        Predictions of one model.
    target : class name, optional
        Class that counts as positive. Default: for two classes the positive one.
    level : float, default 0.95
        Confidence, in (0, 1).
    method : {"score", "newcombe", "delong", "logit"}, default "score"
        "newcombe": its variance depends only on A and the numbers of rows; "delong": A -+ z s, as
        in pROC and most programs; "logit": the same for ln(A / (1 - A)) (Pepe 2003).

    Returns
    -------
    RocAucInterval
        An example with several rows (equal `row`, in several repeats) counts once, and weighted
        rows as their effective number.

    Raises
    ------
    InputError
        For several models, labels alone, and repeats without a `row` column.
    ParameterError
        For more than two classes without a `target`, an unknown method or level.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44. Newcombe (2006), Statistics in Medicine
    25:559-573.

    Examples
    --------
    >>> from plumbline import Predictions
    >>> data = Predictions.from_arrays([0, 0, 1, 1] * 10, [0.1, 0.6, 0.4, 0.8] * 10)
    >>> result = roc_auc_interval(data)
    >>> result.value, [round(end, 3) for end in result.interval_range]
    (0.75, [0.558, 0.872])
    """
    one_of("method", method, METHODS)
    open_fraction("level", level)
    only_predictions(data).need_one_model("an interval of the area under the ROC curve")
    number = _target(data, target)
    event, ratings = data.actual == number, _ratings(data, number)
    rows = area_rows(data)
    area = area_of_rows(event, ratings, **rows)
    if method == "newcombe":
        ends, reason = newcombe_ends(event, ratings, level=level, **rows)
    else:
        ends, reason = area.ends(level=level, method=method)
    counts = area.counts
    if data.groups is not None:  # whose rows are not one example
        counts = int(event.sum()), int((~event).sum())
    return RocAucInterval(
        model=data.models[0] if data.models else None,
        target=data.classes[number],
        positives=counts[0],
        negatives=counts[1],
        value=area.value,
        std_error=area.std_error,
        interval_range=ends,
        level=level,
        method=METHOD_TEXTS[method],
        reason=reason,
        row_groups=_row_groups(data, event, ratings),
    )


def _row_groups(data: Predictions, event: Truths, ratings: NDArray[Any]) -> RowGroups | None:
    """Return how much rows depend, and as how many independent rows they tell of the area."""
    found = row_groups_in(data)
    if found is None or data.group_codes is None:
        return None
    share = influence_share(error_parts(event, ratings, weight=data.weight), data.group_codes)
    return found.of("area", None if share is None else share * data.n)


def _target(data: Predictions, target: Any) -> int:
    if target is None and data.k > 2:
        raise ParameterError(
            "a ROC curve is of one class against the rest; name it as `target`, one of "
            f"{', '.join(map(quoted, data.classes))}",
            code="target-missing",
            argument="target",
        )
    return data.positive if target is None else data.class_number(target)


def _ratings(data: Predictions, number: int) -> NDArray[Any]:
    if data.prob is None and data.score is None:
        raise InputError(
            "a ROC curve needs probabilities or ratings, this table holds only predicted labels; "
            "add one column p:<class> per class, or a column 'score'",
            code="labels-only",
        )
    return rating(rows_of(data, number))[0]


def examples_of(data: Predictions) -> NDArray[np.intp] | None:
    """Return the (n,) number of every row's group or example, None where each row is its own.

    Raises InputError where rows of several repeats do not tell their examples, and for fewer than
    five groups.
    """
    several = data.repeat is not None and len(data.repeat.names) > 1
    if several and data.row is None and data.groups is None:
        raise InputError(WHICH_EXAMPLES, code="examples-unnumbered")
    need_enough_groups(group_count(data))
    return sets_of_rows(data)


class AreaRows(TypedDict):
    """What the area of some ratings takes of their rows beside the ratings, as keywords."""

    weight: Floats | None
    example: NDArray[np.intp] | None
    counted: bool


def area_rows(data: Predictions) -> AreaRows:
    """Return weights, numbers of examples and whether rows are counted; raises as `examples_of`."""
    return {"weight": data.weight, "example": examples_of(data), "counted": data.counted}


# ---------------------------------------------------------------- placements


def placements(event: Truths, rating: NDArray[Any], weight: Floats | None = None) -> Floats:
    """Return (n,) for each positive the share of negatives below it, else of positives above it.

    Ties count half, and a row of weight w as w rows. The mean over the positives, as that over the
    negatives, is the area under the ROC curve; NaN where the other class has no rows.

    >>> placements(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]))
    array([1.  , 0.75, 0.5 ])
    """
    order = ascending_order(rating)
    ranked, own = rating[order], event[order]
    mass = np.ones(len(order)) if weight is None else weight[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    counts = np.diff(ends, prepend=-1)
    sums = [np.cumsum(np.where(part, mass, 0.0))[ends] for part in (~own, own)]
    below = [(x + np.append(0, x[:-1])) / 2 for x in sums]
    with np.errstate(invalid="ignore"):
        share = [x / total[-1] for x, total in zip(below, sums, strict=True)]
    out = np.empty(len(rating))
    out[order] = np.where(own, np.repeat(share[0], counts), 1 - np.repeat(share[1], counts))
    return out


@dataclass(frozen=True, slots=True)
class ClassPlacements:
    """The placements of one class: how many rows they are worth, their mean and its variance.

    Attributes
    ----------
    count, rows : number of rows or examples; Kish's effective number of them
    mean, variance : of the placements; variance of that mean, NaN of a single row
    """

    count: int
    rows: float
    mean: float
    variance: float

    @classmethod
    def of(
        cls, placement: Floats, weight: Floats | None, example: Any, *, counted: bool = False
    ) -> "ClassPlacements":
        """Summarise (r,) placements of a class; rows of one example are one draw.

        `counted` says that the weights count identical rows, each a draw.
        """
        mass = np.ones(len(placement)) if weight is None else weight
        total = mass.sum()
        if not total > 0:
            return cls(0, 0.0, np.nan, np.nan)
        if counted:
            return cls.of_steps(mass / total, placement, int(total))
        mass = mass / total
        mean = placement.mean() if weight is None else (mass * placement).sum()
        mean = min(1.0, float(mean))  # sums of ones round
        part = mass * (placement - mean)
        if example is not None:
            code = np.unique(example, return_inverse=True)[1]
            mass, part = (np.asarray(np.bincount(code, v), np.float64) for v in (mass, part))
        count = int(np.count_nonzero(mass))
        rows = float(1 / np.square(mass).sum())
        spread = float(np.square(part).sum())
        variance = spread * count / (count - 1) if count > 1 else np.nan
        return cls(count, rows, mean, variance)

    @classmethod
    def of_steps(cls, share: Floats, placement: Floats, count: int) -> "ClassPlacements":
        """Summarise `count` rows of which (t,) shares have (t,) placements."""
        if count == 0:
            return cls(0, 0.0, np.nan, np.nan)
        mean = min(1.0, float((share * placement).sum()))
        spread = float((share * np.square(placement - mean)).sum())
        return cls(count, float(count), mean, spread / (count - 1) if count > 1 else np.nan)


@dataclass(frozen=True, slots=True)
class Area:
    """An area under a ROC curve with what its interval needs: both classes' placements."""

    positive: ClassPlacements
    negative: ClassPlacements

    @classmethod
    def of(
        cls,
        event: Truths,
        placement: Floats,
        weight: Floats | None = None,
        example: Any = None,
        *,
        counted: bool = False,
    ) -> "Area":
        """Return the area of (n,) placements; that of their differences is one of two areas."""
        columns_of_class = [
            [None if column is None else column[part] for column in (placement, weight, example)]
            for part in (event, ~event)
        ]
        sides = [ClassPlacements.of(*columns, counted=counted) for columns in columns_of_class]  # type: ignore[arg-type]
        if example is None or not min(side.count for side in sides):
            return cls(*sides)
        return cls(*_of_both_classes(event, placement, weight, example, sides))

    @classmethod
    def of_points(cls, fpr: Floats, tpr: Floats, positives: int, negatives: int) -> "Area":
        """Return the area below all points of a ROC curve, from (0, 0) to (1, 1).

        The rows of one threshold have one placement, so that the points tell all there is.

        >>> fpr, tpr = np.array([0.0, 0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.5, 1.0])
        >>> Area.of_points(fpr, tpr, 2, 2).value
        0.625
        """
        return cls(
            ClassPlacements.of_steps(np.diff(tpr), 1 - (fpr[1:] + fpr[:-1]) / 2, positives),
            ClassPlacements.of_steps(np.diff(fpr), (tpr[1:] + tpr[:-1]) / 2, negatives),
        )

    @property
    def value(self) -> float:
        """The area, NaN where a class has no rows."""
        return self.positive.mean if self.negative.count else np.nan

    @property
    def std_error(self) -> float:
        """DeLong's standard error, NaN where a class has fewer than two rows."""
        return float(np.sqrt(self.positive.variance + self.negative.variance))

    @property
    def counts(self) -> tuple[int, int]:
        """How many positives and negatives there are, examples of several rows once."""
        return self.positive.count, self.negative.count

    def ends(
        self, *, level: float, method: str = "score"
    ) -> tuple[tuple[float, float], str | None]:
        """Return both ends of an interval, NaN with a reason where there is none."""
        if min(self.counts) == 0:
            return (np.nan, np.nan), NO_PAIRS.format(*self.counts)
        if method in ("score", "newcombe"):
            low, high = areas_ends([self], level=level, own=method == "score")
            return (float(low[0]), float(high[0])), None
        if min(self.counts) < 2:
            return (np.nan, np.nan), FEW.format(*self.counts)
        if not self.std_error > 1e-12:
            return (np.nan, np.nan), f'{ALL_RIGHT}; `method="score"` has an interval'
        half = normal_quantile(level) * self.std_error
        if method == "delong":
            return (max(0.0, self.value - half), min(1.0, self.value + half)), None
        return _logit_ends(self.value, half), None


def _of_both_classes(
    event: Truths,
    placement: Floats,
    weight: Floats | None,
    example: NDArray[np.integer[Any]],
    sides: Sequence[ClassPlacements],
) -> Sequence[ClassPlacements]:
    """Return the placements where sets of rows hold both classes, whose errors then go together.

    The variance of the area is that of the sums of both classes' errors in a set (Obuchowski
    1997), and is shared among the classes as their own variances are.
    """
    mass = np.ones(len(event)) if weight is None else weight
    number = np.unique(example, return_inverse=True)[1]
    errors = []
    for part, side in zip((event, ~event), sides, strict=True):
        own = np.where(part, mass, 0.0)
        errors.append(np.bincount(number, own * (placement - side.mean) / own.sum()))
    alone = float(np.square(errors[0]).sum() + np.square(errors[1]).sum())
    together = float(np.square(errors[0] + errors[1]).sum())
    if alone == together or not alone > 0:
        return sides
    return [replace(side, variance=side.variance * together / alone) for side in sides]


def error_parts(
    event: Truths,
    rating: NDArray[Any],
    *,
    weight: Floats | None = None,
    example: Any = None,
    counted: bool = False,
) -> Floats:
    """Return what each of (n,) rows, or of (e,) examples, adds to the error of an area.

    A row that counts c identical ones has the root of c times the square of what each adds.
    """
    placement = placements(event, rating, weight)
    mass = np.ones(len(event)) if weight is None else weight
    parts = np.zeros(len(event))
    for side in (event, ~event):
        total = mass[side].sum()
        if total > 0:
            share = mass[side] / total
            each = np.sqrt(mass[side]) / total if counted else share
            parts[side] = each * (placement[side] - (share * placement[side]).sum())
    return parts if example is None else np.asarray(np.bincount(example, parts), np.float64)


def area_of_rows(
    event: Truths,
    rating: NDArray[Any],
    *,
    weight: Floats | None = None,
    example: Any = None,
    counted: bool = False,
) -> Area:
    """Return the area of (n,) ratings of which (n,) are positive, with both classes' placements."""
    if len(event) == 0:
        return Area.of(event, np.empty(0))
    if counted and weight is not None and example is None:  # of a threshold all have one placement
        counts = threshold_counts(event, rating, weight=weight)
        p, n = counts.positives, counts.negatives
        tpr, fpr = counts.states[1] / (p or 1.0), counts.states[2] / (n or 1.0)
        return Area.of_points(fpr, tpr, int(p), int(n))
    placement = placements(event, rating, weight)
    return Area.of(event, placement, weight, example, counted=counted)


# ---------------------------------------------------------------- ends


def areas_ends(areas: Sequence[Area], *, level: float, own: bool = True) -> tuple[Floats, Floats]:
    """Return both ends of the score interval of several areas at once.

    Without `own` the variance is that of Newcombe's method 5, which knows no placements.
    """
    columns = [
        np.array([getattr(side, name) for side in sides])
        for name in ("rows", "variance")
        for sides in zip(*((one.positive, one.negative) for one in areas), strict=True)
    ]
    value = np.array([one.value for one in areas])
    return solved_ends(value, *(columns if own else columns[:2]), level=level)


def newcombe_ends(
    event: Truths,
    rating: NDArray[Any],
    *,
    weight: Floats | None = None,
    example: Any = None,
    counted: bool = False,
    level: float,
) -> tuple[tuple[float, float], str | None]:
    """Return the ends of Newcombe's method 5, also of rows in groups, or of examples.

    Their model of single rows then has the number of rows that would tell as much if independent,
    never fewer than the groups, and the quantile of Student's t with the degrees of freedom of
    these groups.
    """
    kept: dict[str, Any] = {"weight": weight, "counted": counted}
    area = area_of_rows(event, rating, example=example, **kept)
    alone = area_of_rows(event, rating, **kept)
    if example is None or min(area.counts) == 0 or area.counts == alone.counts:
        return area.ends(level=level, method="newcombe")
    parts = error_parts(event, rating, **kept)
    share, level = _share_and_level(parts, example, level)
    if not np.any(parts):  # of a perfect ranking nothing tells how far rows go together
        share = 0.0
    sides = zip((alone.positive, alone.negative), (area.positive, area.negative), strict=True)
    told = Area(*(replace(one, rows=max(share * one.rows, least.rows)) for one, least in sides))
    return told.ends(level=level, method="newcombe")


def mean_area_ends(
    areas: Sequence[Area], parts: Floats, *, level: float
) -> tuple[tuple[float, float], str | None]:
    """Return both ends of an interval of the mean of several areas, as of classes in turn.

    The distances of the areas A_c to their own ends are added up as correlated errors are (Zou and
    Donner 2008): (A - low)^2 = sum_cd r_cd (A_c - low_c) (A_d - low_d) / k^2, with r the
    correlation of the areas by `parts`, what each of (c, n) rows or examples adds to each of the
    areas' errors.
    """
    for one in areas:
        if min(one.counts) == 0:
            return (np.nan, np.nan), NO_PAIRS.format(*one.counts)
    value = np.array([one.value for one in areas])
    spread = np.sqrt(np.square(parts).sum(axis=1))
    scaled = parts / np.where(spread > 0, spread, 1.0)[:, None]
    correlation = scaled @ scaled.T
    np.fill_diagonal(correlation, 1.0)
    low, high = areas_ends(areas, level=level)
    down, up = (
        float(np.sqrt(max(side @ correlation @ side, 0.0))) / len(value)
        for side in (value - low, high - value)
    )
    mean = float(value.mean())
    return (max(0.0, mean - down), min(1.0, mean + up)), None


def normal_quantile(level: float) -> float:
    """Return z of a two-sided interval, 1.96 for the level 0.95."""
    from scipy import special

    return -float(special.ndtri((1 - level) / 2))


def student_quantile(level: float, freedom: Any) -> Any:
    """Return t of a two-sided interval, of Student's t with so many degrees of freedom."""
    from scipy import special

    if np.ndim(freedom) == 0 and np.isinf(freedom):
        return normal_quantile(level)
    return -special.stdtrit(freedom, (1 - level) / 2)


def model_variance(area: Any) -> Any:
    """Return the placement variance of either class in Newcombe's method 5.

    It is the mean of those of the positives and of the negatives where ratings are exponential
    (Hanley and McNeil 1982): t (1 - t) [(1 - t) / (2 - t) + t / (1 + t)] / 2.

    >>> round(model_variance(0.5), 4), model_variance(1.0)
    (0.0833, 0.0)
    """
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def solved_ends(
    area: Any, m: Any, n: Any, of_positives: Any = None, of_negatives: Any = None, *, level: float
) -> tuple[Floats, Floats]:
    """Return the ends of all areas t with abs(A - t) <= q s(t); arguments as in `reach_at`.

    s is 0 at 0 and 1 and concave between, so the way from A to either of them leaves once.
    """
    value = np.asarray(area, np.float64)
    ends = []
    for far in (0.0, 1.0):
        outside, inside = np.full(value.shape, far), value
        for _ in range(HALVINGS):
            middle = (outside + inside) / 2
            reach = reach_at(middle, value, m, n, of_positives, of_negatives, level=level)
            kept = np.abs(value - middle) <= reach
            outside, inside = np.where(kept, outside, middle), np.where(kept, middle, inside)
        ends.append(inside)
    return ends[0], ends[1]


def reach_at(
    t: Any,
    area: Any,
    m: Any,
    n: Any,
    of_positives: Any = None,
    of_negatives: Any = None,
    *,
    level: float,
) -> Any:
    """Return how far from t the observed area may lie if t is the true one: q s(t).

    The variance of method 5 is [t (1 - t) + (m - 1 + n - 1) v(t)] / (m n), v being that of
    `model_variance`. It is split into a part of either class. With the variances of the mean
    placements of both classes (NaN: unknown), each part is multiplied by how much more the
    placements of its class vary than those of the model at A: r = (w_0 r_0 + w V / V_model) / (w_0
    + w) with r_0 = 4/3, w_0 = 0.2 and w = (rows - 1) (4 A (1 - A))^2, so that the data count the
    less, the fewer rows there are and the nearer A is to 1. q is then Student's, its degrees of
    freedom those of Welch and Satterthwaite, with 4 added to either class.

    All may be arrays that broadcast.
    """
    parts = _model_parts(t, m, n)
    if of_positives is None:
        return normal_quantile(level) * np.sqrt(sum(parts))
    near = (m * n * area + 0.5) / (m * n + 1)  # half a pair inside, where the model's is not 0
    at_near = _model_parts(near, m, n)
    observed = (of_positives, m), (of_negatives, n)
    ratio = [
        _ratio(variance, rows, part, near)
        for (variance, rows), part in zip(observed, at_near, strict=True)
    ]
    a, b = (r * part for r, part in zip(ratio, at_near, strict=True))
    freedom = (a + b) ** 2 / (a**2 / (m - 1 + MODEL_FREEDOM) + b**2 / (n - 1 + MODEL_FREEDOM))
    variance = sum(r * part for r, part in zip(ratio, parts, strict=True))
    return student_quantile(level, freedom) * np.sqrt(variance)


def _model_parts(t: Any, m: Any, n: Any) -> tuple[Any, Any]:
    """Return what positives and negatives add to the variance of method 5."""
    own, tied = model_variance(t), t * (1 - t) / (2 * m * n)
    return own * (1 - 1 / n) / m + tied, own * (1 - 1 / m) / n + tied


def _ratio(variance: Any, rows: Any, model: Any, near: Any) -> Any:
    """Return how much more a class varies than the model; the data's ratio drawn to a fixed one."""
    known = np.isfinite(variance)
    weight = np.where(known, (rows - 1) * (4 * near * (1 - near)) ** SURENESS, 0.0)
    observed = weight * np.where(known, variance, 0.0) / model
    return (MODEL_WEIGHT * MODEL_RATIO + observed) / (MODEL_WEIGHT + weight)


def precision_ends(
    value: float,
    event: Truths,
    *,
    weight: Floats | None = None,
    example: Any = None,
    groups: "RatedGroups | None" = None,
    level: float,
    counted: bool = False,
) -> tuple[tuple[float, float], str | None]:
    """Return both ends of an interval of an average precision, NaN with a reason without positives.

    It is a mean over the positives of numbers between 0 and 1, so that its variance is taken to be
    at most A (1 - A) / m (Boyd, Eng and Page 2013), with Wilson's ends in place of those of the
    logit, which is undefined at A = 1. Weighted positives and examples of several rows count as
    their effective number m.

    The precision at a positive counts that positive itself, so that the mean is too high where
    they are few. Without itself the i-th of them, at rank i / A or so, would have a precision lower
    by (1 - A) A / i; on average that is A (1 - A) (1 + 1/2 + ... + 1/m) / m. The low end is that of
    the value less this; the high end is that of the value, as no more rows would raise it.

    Of rows in groups the effective number is m times the variance of independent rows over that of
    sums over groups, both of the rows' influence on the value, and at most m. Wilson's ends then
    have the quantile of Student's t with the degrees of freedom of these groups. In 400 tables
    of 10 to 150 groups they cover .94 to .98; with groups counted as single rows, 1.00.
    """
    of_positives = None if weight is None else weight[event]
    codes = None if example is None else example[event]
    zeros = np.zeros(int(event.sum()))
    side = ClassPlacements.of(zeros, of_positives, codes, counted=counted)
    if side.count == 0 or np.isnan(value):
        return (np.nan, np.nan), NO_POSITIVE
    rows = side.rows
    if groups is not None:
        share, level = groups.share_and_level(event, weight, level)
        rows *= share
    low, _ = wilson_interval(value - own_share(value, rows), rows, level=level)
    _, high = wilson_interval(value, rows, level=level)
    return (low, high), None


@dataclass(frozen=True, slots=True, eq=False)
class RatedGroups:
    """Ratings of rows, by which they are ranked from high to low, and the groups they are in."""

    rating: NDArray[Any]
    groups: NDArray[np.integer[Any]]

    def share_and_level(
        self, event: Truths, weight: Floats | None, level: float
    ) -> tuple[float, float]:
        """Return which share of the rows would tell as much if independent, at most 1.

        Also the level at which the normal distribution has the quantile of Student's t.
        """
        return _share_and_level(precision_parts(event, self.rating, weight), self.groups, level)


# With 1 degree of freedom the level is 1 but for 1e-36: 8.1 normal deviations, for Student's 12.7.
LARGEST_LEVEL = 1.0 - 4e-16


def _share_and_level(
    part: Floats, groups: NDArray[np.integer[Any]], level: float
) -> tuple[float, float]:
    """Return `share_and_level` of (n,) parts that rows add to an error."""
    from scipy.special import ndtr

    share = influence_share(part, groups)
    number = np.unique(groups, return_inverse=True)[1]
    sums = sums_over_groups(part, number, telling=np.ones(len(part), bool))
    freedom = 1.0 if sums is None else float(sums.freedom[0])
    normal = 2.0 * ndtr(student_quantile(level, freedom)) - 1.0
    return 1.0 if share is None else share, min(float(normal), LARGEST_LEVEL)


def precision_parts(event: Truths, rating: NDArray[Any], weight: Floats | None = None) -> Floats:
    """Return (n,) how much each row adds to the error of an average precision.

    It is a row's weight times the derivative of the value by that weight. They sum to 0.
    """
    order = ascending_order(rating)[::-1]
    mass = np.ones(len(order)) if weight is None else weight[order]
    ranked, own = rating[order], np.where(event[order], mass, 0.0)
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    home = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=-1))
    true, accepted = np.cumsum(own)[ends], np.cumsum(mass)[ends]
    gain = np.diff(true, prepend=0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        inverse = np.where(accepted > 0, 1.0 / accepted, 0.0)
    precision = true * inverse
    value = (gain * precision).sum() / true[-1]
    # What one more row accepted, and one more true one, change at all thresholds below a row.
    more = np.cumsum((gain * inverse)[::-1])[::-1][home]
    fewer = np.cumsum((gain * precision * inverse)[::-1])[::-1][home]
    parts = np.empty(len(order))
    parts[order] = (own * (precision[home] - value + more) - mass * fewer) / true[-1]
    return parts


def own_share(value: float, positives: float) -> float:
    """Return by how much an average precision is too high, as each positive counts itself.

    >>> round(own_share(0.249, 5), 3)  # a mean of 1,000 samples; the population has 0.162
    0.085
    """
    from scipy.special import digamma

    harmonic = float(digamma(positives + 1) + np.euler_gamma)  # 1 + 1/2 + ... of a whole number
    return min(value, value * (1 - value) * harmonic / positives)


def _logit_ends(value: float, spread: float) -> tuple[float, float]:
    if not 0 < value < 1:
        return value, value
    centre, half = np.log(value / (1 - value)), spread / (value * (1 - value))
    low, high = (float(1 / (1 + np.exp(-end))) for end in (centre - half, centre + half))
    return low, high
