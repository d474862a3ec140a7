"""Areas under the ROC and the precision-recall curve, without drawing either."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import share
from plumbline.confusion.counts import ThresholdCounts, concordance, threshold_counts
from plumbline.curves.rows import rating, rows_of
from plumbline.predictions import Predictions, only_predictions

Floats = NDArray[np.float64]


def roc_auc(
    data: Predictions,
    *,
    target: Any = None,
    max_fpr: float | None = None,
    standardized: bool = True,
) -> float:
    """Return the area under the ROC curve of one class against the rest, exact with ties.

    It is the probability that a positive row is rated above a negative one, ties counting half
    (Hanley and McNeil 1982). A row's rating is its probability of `target` (default: the positive
    class), else its score, else whether the predicted class is `target`. A weight is a repetition.

    With `max_fpr` only the part with a false positive rate up to that is looked at; `standardized`
    maps it to 0.5 by chance and 1 at best, (1 + (A - A_0) / (A_1 - A_0)) / 2 with
    A_0 = max_fpr^2 / 2 and A_1 = max_fpr (McClish 1989), else it is A itself. NaN where there are
    no positives or no negatives. Raises InputError for several models or an unknown class,
    ParameterError for a `max_fpr` outside (0, 1].

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
    the steps are not interpolated (Boyd, Eng and Page 2013). Rating, weights and errors as in
    `roc_auc`. NaN where there are no positives, 1 where there are no negatives.

    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(average_precision(data), 3)
    0.833
    """
    return average_precision_of(**_ranked(data, target, "the average precision"))


def average_precision_of(
    event: NDArray[np.bool_], rating: NDArray[Any], weight: Floats | None = None
) -> float:
    """Return the average precision of (n,) ratings of which (n,) are positive."""
    found = threshold_counts(event, rating, weight=weight)
    gain = np.diff(found.tp, prepend=0.0)
    at = gain > 0
    if not at.any():
        return np.nan
    precision = found.tp[at] / (found.tp[at] + found.fp[at])
    return float((gain[at] * precision).sum() / found.positives)


def precision_recall_area(data: Predictions, *, target: Any = None) -> float:
    """Return the area under the precision-recall curve along its true path.

    Between two thresholds TP and FP change together in a straight line (Davis and Goadrich 2006).
    With h = gain in TP, g = gain in TP + FP and q = g / (TP + FP before), the mean precision of
    that piece is h / g + (precision before - h / g) ln(1 + q) / q, with weight h / P (in another
    form in Keilwagen, Grosse and Grau 2014). Before the first threshold the path has its precision.
    Rating, weights, errors and NaN as in `average_precision`.

    >>> data = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(precision_recall_area(data), 3)
    0.797
    """
    found = threshold_counts(**_ranked(data, target, "the area under the precision-recall curve"))
    at = np.diff(found.tp, prepend=0.0) > 0
    if not at.any():
        return np.nan
    predicted = found.tp + found.fp
    before, tp_before = (np.append(0.0, a[:-1])[at] for a in (predicted, found.tp))
    gain, more = found.tp[at] - tp_before, predicted[at] - before
    with np.errstate(divide="ignore", invalid="ignore"):
        q = more / before
        share = np.where(before > 0, np.log1p(q) / q, 0.0)  # of the precision before
        precision_before = np.where(before > 0, tp_before / before, 0.0)
    precision = gain / more + (precision_before - gain / more) * share
    return float((gain * precision).sum() / found.positives)


def _ranked(data: Predictions, target: Any, purpose: str) -> dict[str, Any]:
    """Return who is positive, the ratings and the weights of one class against the rest."""
    only_predictions(data).need_one_model(purpose)
    number = data.positive if target is None else data.class_number(target)
    ratings, _ = rating(rows_of(data, number))
    return {"event": data.actual == number, "rating": ratings, "weight": data.weight}


def _area_up_to(found: ThresholdCounts, limit: float) -> float:
    """Return the area under the ROC curve over false positive rates from 0 to `limit`."""
    if not (found.positives > 0 and found.negatives > 0):
        return np.nan
    fpr = np.append(0.0, found.fp / found.negatives)
    tpr = np.append(0.0, found.tp / found.positives)
    inside = int(np.searchsorted(fpr, limit, "right"))
    end = np.interp(limit, fpr[inside - 1 : inside + 1], tpr[inside - 1 : inside + 1])
    x, y = np.append(fpr[:inside], limit), np.append(tpr[:inside], end)
    return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)
