"""DeLong's test: which of two models has the larger area under the ROC curve."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import one_of, open_fraction
from plumbline.comparison.answers import Pair, TestAnswer
from plumbline.comparison.quantities import Floats, Truths, ratings_of, target_of
from plumbline.comparison.rows import need_plain_rows
from plumbline.confusion import ascending_order
from plumbline.nulls import TIE
from plumbline.predictions import Predictions, only_predictions
from plumbline.results import Result

INSTEAD = "use the paired bootstrap of the area under the ROC curve"
FEW = "a variance needs two positives and two negatives at least, and there are {} and {}"
ROC = "a ROC curve"


@dataclass(frozen=True, repr=False, eq=False)
class RocAucInterval(Result):
    """The area under the ROC curve of one model, and where the true one lies.

    Attributes
    ----------
    model : its name, if it has one
    target : the class looked at against the rest
    positives, negatives : numbers of rows
    value, std_error : the area, and DeLong's standard error of it
    interval_range : ends of the interval; NaN where there is none
    level : confidence
    method : how it was found
    reason : why there is none
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


def delong(pair: Pair, target: Any = None, *, level: float = 0.95) -> TestAnswer:
    """Compare the areas under the ROC curves of two models on the same examples (DeLong 1988).

    With V_i the share of negatives that the positive i is rated above, and V_j the share of
    positives that the negative j is rated below (ties half), the area A is the mean of V over the
    positives, m of them, and over the negatives, n of them. For two models

        z = (A1 - A2) / s,   s^2 = var_i(V1_i - V2_i) / m + var_j(V1_j - V2_j) / n,

    compared with the normal distribution. `difference` is A1 - A2, its interval -+ z s. `target` is
    the class looked at against the rest, for two classes by default the positive one. Placements
    are found by sorting, as Sun and Xu (2014) do. `more`: areas, std_error, correlation of the two
    areas, positives, negatives.

    Raises InputError for weights, examples with several rows and labels alone, ParameterError for
    more than two classes without a `target`.

    >>> from plumbline import Predictions
    >>> y = [0, 0, 1, 1, 1]
    >>> first = Predictions.from_arrays(y, [0.1, 0.2, 0.6, 0.7, 0.8])
    >>> second = Predictions.from_arrays(y, [0.3, 0.6, 0.2, 0.7, 0.9])
    >>> found = delong(Pair(first, second, np.arange(5)))
    >>> round(found.difference, 4), round(found.statistic, 4), round(found.p_value, 4)
    (0.3333, 1.0, 0.3173)
    """
    from scipy import special

    z = -float(special.ndtri((1 - open_fraction("level", level)) / 2))
    need_plain_rows(pair, "DeLong's test", INSTEAD)
    event, *ratings = _compared(pair, target)
    first, second = (placements(event, rating) for rating in ratings)
    areas = tuple(area_of(event, place) for place in (first, second))
    difference = area_of(event, first - second)
    error = std_error(event, first - second)
    statistic, p_value, reason = _judged(event, difference, error)
    ends = np.nan, np.nan
    if reason is None:
        ends = max(-1.0, difference - z * error), min(1.0, difference + z * error)
    return TestAnswer(
        test="delong",
        units=pair.n,
        difference=difference,
        interval_range=ends,
        statistic=statistic,
        p_value=p_value,
        effect="difference of the areas",
        effect_size=difference,
        method="normal approximation with DeLong's variance of the placements",
        more={
            "areas": areas,
            "std_error": error,
            "correlation": _correlation(event, first, second),
            "positives": int(event.sum()),
            "negatives": int((~event).sum()),
        },
        reason=reason,
    )


def roc_auc_interval(
    data: Predictions, *, target: Any = None, level: float = 0.95, scale: str = "logit"
) -> RocAucInterval:
    """Return the area under the ROC curve of one model with DeLong's interval (DeLong 1988).

    The standard error s is that of `delong`. With `scale` "logit" the interval is that of
    ln(A / (1 - A)), with standard error s / (A (1 - A)), turned back (Pepe 2003), which stays
    between 0 and 1 and holds the truth more often where A is near 1; with "area" it is A -+ z s, as
    DeLong et al. and most programs have it. `target` and errors as in `delong`.

    >>> from plumbline import Predictions
    >>> data = Predictions.from_arrays([0, 0, 1, 1] * 10, [0.1, 0.6, 0.4, 0.8] * 10)
    >>> found = roc_auc_interval(data)
    >>> found.value, [round(end, 3) for end in found.interval_range]
    (0.75, [0.562, 0.875])
    """
    from scipy import special

    one_of("scale", scale, ("logit", "area"))
    z = -float(special.ndtri((1 - open_fraction("level", level)) / 2))
    only_predictions(data).need_one_model("an interval of the area under the ROC curve")
    need_plain_rows(Pair(data, data, _examples(data)), "DeLong's interval", INSTEAD)
    target = target_of(data, target, ROC)
    event, rating = ratings_of(data, target)
    place = placements(event, rating)
    value, error = area_of(event, place), std_error(event, place)
    _, _, reason = _judged(event, value, error)
    ends = (np.nan, np.nan)
    if reason is None:
        ends = _logit_ends(value, z * error) if scale == "logit" else (
            max(0.0, value - z * error), min(1.0, value + z * error))  # fmt: skip
    return RocAucInterval(
        model=data.models[0] if data.models else None,
        target=target,
        positives=int(event.sum()),
        negatives=int((~event).sum()),
        value=value,
        std_error=error,
        interval_range=ends,
        level=level,
        method=f"DeLong's variance, normal approximation on the {scale} scale",
        reason=None if reason is None else NO_SPREAD if reason == APART else reason,
    )


# ---------------------------------------------------------------- the rows


def _compared(pair: Pair, target: Any) -> tuple[Truths, NDArray[Any], NDArray[Any]]:
    name = target_of(pair.first, target, ROC)
    (event, first), (_, second) = (ratings_of(data, name) for data in (pair.first, pair.second))
    return event, first, second


def _examples(data: Predictions) -> NDArray[np.intp]:
    if data.row is None:
        return np.arange(data.n)
    return np.unique(data.row, return_inverse=True)[1]


# ---------------------------------------------------------------- placements


def placements(event: Truths, rating: NDArray[Any]) -> Floats:
    """Return (n,) for each positive the share of negatives below it, else of positives above it.

    Ties count half. The mean over the positives, as that over the negatives, is the area under the
    ROC curve; NaN where the other class has no rows.

    >>> placements(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]))
    array([1.  , 0.75, 0.5 ])
    """
    order = ascending_order(rating)
    ranked, own = rating[order], event[order]
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    counts = np.diff(ends, prepend=-1)
    positives = np.cumsum(own)[ends]
    negatives = ends + 1 - positives
    below = [(x + np.append(0, x[:-1])) / 2 for x in (negatives, positives)]
    with np.errstate(invalid="ignore"):
        share = [x / total[-1] for x, total in zip(below, (negatives, positives), strict=True)]
    out = np.empty(len(rating))
    out[order] = np.where(own, np.repeat(share[0], counts), 1 - np.repeat(share[1], counts))
    return out


def area_of(event: Truths, place: Floats) -> float:
    """Return the area under the ROC curve, NaN where a class has no rows."""
    return float(place[event].mean()) if 0 < event.sum() < len(event) else np.nan


def std_error(event: Truths, place: Floats) -> float:
    """Return DeLong's standard error of an area, or of a difference of areas; NaN if undefined."""
    both = place[event], place[~event]
    if min(map(len, both)) < 2:
        return np.nan
    return float(np.sqrt(sum(v.var(ddof=1) / len(v) for v in both)))


ALIKE = "both models order these rows alike, which says nothing of how their areas may differ"
APART = "the areas differ, but no row differs from another of its class: the variance is 0"
NO_SPREAD = "no row differs from another of its class, as where all are ordered rightly: variance 0"


def _judged(event: Truths, difference: float, error: float) -> tuple[float, float, str | None]:
    """Return z, the two-sided p-value, and why they are missing or trivial."""
    from scipy import special

    if np.isnan(error):
        return np.nan, np.nan, FEW.format(int(event.sum()), int((~event).sum()))
    if error > TIE:
        z = difference / error
        return z, float(2 * special.ndtr(-abs(z))), None
    return (0.0, 1.0, ALIKE) if abs(difference) <= TIE else (np.nan, np.nan, APART)


def _correlation(event: Truths, first: Floats, second: Floats) -> float:
    """Return the correlation of two areas, NaN where one does not vary."""
    errors = [std_error(event, place) for place in (first, second, first - second)]
    product = errors[0] * errors[1]
    if not product > TIE**2:
        return np.nan
    return float((errors[0] ** 2 + errors[1] ** 2 - errors[2] ** 2) / (2 * product))


def _logit_ends(value: float, spread: float) -> tuple[float, float]:
    if not 0 < value < 1:
        return value, value
    centre, half = np.log(value / (1 - value)), spread / (value * (1 - value))
    low, high = (float(1 / (1 + np.exp(-end))) for end in (centre - half, centre + half))
    return low, high
