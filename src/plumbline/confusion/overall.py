"""Rates of a table of any number of classes as a whole."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion.tables import class_tables
from plumbline.confusion.values import rate_values

Floats = NDArray[np.float64]


Undefined: TypeAlias = Literal["nan", "skip"]


class Overall(NamedTuple):
    """A rate of the whole table.

    Attributes
    ----------
    value : (..., k, k) counts, rows actual -> (...) values, NaN where undefined
    title : what a row of a table of rates is called
    rate : the rate of two classes that it is for k = 2, where both classes are alike
    why : what it divides by that is 0 where it is undefined
    """

    value: Callable[[Floats], Floats]
    title: str
    rate: str
    why: str


def overall_values(name: str, counts: Floats, *, undefined: Undefined = "nan") -> Floats:
    """Return the (...) values of a rate of `OVERALL` of (..., k, k) counts, rows actual.

    >>> table = np.array([[1.0, 2, 0], [1, 2, 0], [0, 3, 4]])
    >>> round(float(overall_values("CA", table)), 3)
    0.538
    """
    row = OVERALL[name]
    skips = name == "balanced_accuracy" and undefined == "skip"
    if counts.shape[-1] == 2 and not skips:
        return rate_values(row.rate, *class_tables(counts).at(1))
    if name == "balanced_accuracy":
        return balanced_accuracy_of(counts, undefined=undefined)
    return row.value(counts)


def accuracy_of(counts: Floats) -> Floats:
    """Return the share of rows on the diagonal."""
    return _ratio(np.trace(counts, axis1=-2, axis2=-1), counts.sum(axis=(-2, -1)))


def error_of(counts: Floats) -> Floats:
    """Return the share of rows off the diagonal."""
    off = 1.0 - np.eye(counts.shape[-1])
    return _ratio((counts * off).sum(axis=(-2, -1)), counts.sum(axis=(-2, -1)))


def balanced_accuracy_of(counts: Floats, *, undefined: Undefined = "nan") -> Floats:
    """Return the mean recall of the classes that have actual or predicted rows.

    A class that has predicted rows only makes it undefined, or is skipped.
    """
    tp, fp, _, fn = class_tables(counts)
    counted = (tp + fn > 0) if undefined == "skip" else (tp + fp + fn > 0)
    recall = np.where(counted, _ratio(tp, tp + fn), 0.0)
    return _ratio(recall.sum(axis=-1), counted.sum(axis=-1))


def kappa_of(counts: Floats, *, power: float = 0.0) -> Floats:
    """Return Cohen's kappa, 1 - observed / expected disagreement (Cohen 1960, 1968).

    A disagreement weighs |i - j|^power: 0 for classes without order, 1 linear, 2 quadratic.
    """
    place = np.arange(counts.shape[-1])
    gap = np.abs(place[:, None] - place)
    weight = np.where(gap > 0, gap.astype(np.float64) ** power, 0.0)
    actual, predicted = counts.sum(axis=-1), counts.sum(axis=-2)
    expected = ((actual @ weight) * predicted).sum(axis=-1)
    return 1.0 - _ratio((counts * weight).sum(axis=(-2, -1)) * actual.sum(axis=-1), expected)


def matthews_of(counts: Floats) -> Floats:
    """Return the correlation of truth and prediction, R_K (Gorodkin 2004)."""
    share = _ratio(counts, counts.sum(axis=(-2, -1), keepdims=True))
    actual, predicted = share.sum(axis=-1), share.sum(axis=-2)
    both = (np.trace(share, axis1=-2, axis2=-1) * actual.sum(axis=-1)) - (actual * predicted).sum(
        axis=-1
    )
    return _ratio(both, _spread(actual) * _spread(predicted))


def _spread(shares: Floats) -> Floats:
    """Return the root of sum_c s_c (1 - s_c), exactly 0 where one class has all."""
    rest = shares.sum(axis=-1, keepdims=True) - shares
    return np.asarray(np.sqrt((shares * rest).sum(axis=-1)))


def _ratio(a: Floats, b: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(b == 0, np.nan, a / b))


OVERALL: Mapping[str, Overall] = {
    "CA": Overall(accuracy_of, "Classification accuracy", "CA", "the rows, and there are none"),
    "error_rate": Overall(error_of, "Error rate", "error_rate", "the rows, and there are none"),
    "balanced_accuracy": Overall(
        balanced_accuracy_of,
        "Balanced accuracy",
        "balanced_accuracy",
        "the actual rows of every class that occurs, and there are none of some",
    ),
    "kappa": Overall(
        kappa_of,
        "Cohen's kappa",
        "kappa",
        "the disagreement expected by chance, which is 0 where truth and prediction are one class",
    ),
    "kappa_linear": Overall(
        lambda counts: kappa_of(counts, power=1.0),
        "Linearly weighted Cohen's kappa",
        "kappa",
        "the disagreement expected by chance, which is 0 where truth and prediction are one class",
    ),
    "kappa_quadratic": Overall(
        lambda counts: kappa_of(counts, power=2.0),
        "Quadratically weighted Cohen's kappa",
        "kappa",
        "the disagreement expected by chance, which is 0 where truth and prediction are one class",
    ),
    "MCC": Overall(
        matthews_of,
        "Matthews correlation coefficient",
        "MCC",
        "the spread of truth and of prediction, and one of them is a single class",
    ),
}
