"""Rates of k classes: each class against the rest, averages over classes, and the whole table."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import nearest, shown
from plumbline.confusion.rates import rate_values, why_undefined
from plumbline.errors import ParameterError
from plumbline.formatting import counted, quoted
from plumbline.predictions import label_text

Floats = NDArray[np.float64]
MODEST = 1e-100, 1e100  # counts between these have products and squares


class Tables(NamedTuple):
    """The four counts of tables of two classes, arrays of one shape."""

    tp: Floats
    fp: Floats
    tn: Floats
    fn: Floats

    def at(self, index: int) -> "Tables":
        """Return the tables of one class."""
        return Tables(*(count[..., index] for count in self))

    def pooled(self, among: NDArray[np.bool_]) -> "Tables":
        """Return the sums over the classes that `among` (..., k) marks."""
        return Tables(*(np.where(among, count, 0.0).sum(axis=-1) for count in self))


def scaled(values: Floats, *, like: Floats) -> Floats:
    """Return `values` over the power of 2 that brings huge or tiny counts (`like`) near 1.

    Their products then neither over- nor underflow, and no rate changes, to the last digit. Counts
    of a usual size, and what goes with them, stay as they are.

    >>> counts = np.array([0.0, 2.0**700])
    >>> scaled(counts, like=counts), scaled(np.array([3.0]), like=np.array([8.0]))
    (array([0. , 0.5]), array([3.]))
    """
    largest = float(like.max(initial=0.0))
    least, most = MODEST
    if largest == 0 or least < largest < most:
        return values
    return np.ldexp(values, -int(np.frexp(largest)[1]))


def class_tables(counts: Floats) -> Tables:
    """Return the (..., k) tables of every class of (..., k, k) counts, rows actual.

    Only sums, never differences, so that weights that are no whole numbers leave no remainders
    where there are no rows.
    """
    k = counts.shape[-1]
    each = np.arange(k)
    tp = counts[..., each, each]
    wrong = counts.copy()
    wrong[..., each, each] = 0.0
    return Tables(tp, wrong.sum(axis=-2), _elsewhere(counts), wrong.sum(axis=-1))


def _elsewhere(counts: Floats) -> Floats:
    """Return the (..., k) sums of all cells that share neither row nor column with (c, c)."""
    each = np.arange(counts.shape[-1])
    others = np.zeros(counts.shape)  # the sums of all rows but c, first of those above
    counts[..., :-1, :].cumsum(axis=-2, out=others[..., 1:, :])
    others[..., :-1, :] += counts[..., :0:-1, :].cumsum(axis=-2)[..., ::-1, :]
    others[..., each, each] = 0.0
    return np.asarray(others.sum(axis=-1))


Undefined: TypeAlias = Literal["nan", "skip"]


class Overall(NamedTuple):
    """A rate of the whole table.

    Attributes
    ----------
    value : (..., k, k) counts, rows actual -> (...) values, NaN where undefined
    title : what a row of a table of rates is called
    rate : the rate of two classes that it is for k = 2, where both classes are alike
    why : why it is undefined where its denominator is 0
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
    "CA": Overall(accuracy_of, "Classification accuracy", "CA", "there are no rows"),
    "error_rate": Overall(error_of, "Error rate", "error_rate", "there are no rows"),
    "balanced_accuracy": Overall(
        balanced_accuracy_of,
        "Balanced accuracy",
        "balanced_accuracy",
        "a class that is predicted has no actual rows",
    ),
    "kappa": Overall(
        kappa_of,
        "Cohen's kappa",
        "kappa",
        "truth and prediction are one class",
    ),
    "kappa_linear": Overall(
        lambda counts: kappa_of(counts, power=1.0),
        "Linearly weighted Cohen's kappa",
        "kappa",
        "truth and prediction are one class",
    ),
    "kappa_quadratic": Overall(
        lambda counts: kappa_of(counts, power=2.0),
        "Quadratically weighted Cohen's kappa",
        "kappa",
        "truth and prediction are one class",
    ),
    "MCC": Overall(
        matthews_of,
        "Matthews correlation coefficient",
        "MCC",
        "truth or prediction is a single class",
    ),
}


Kind: TypeAlias = Literal["class", "micro", "macro", "weighted", "all"]
AVERAGES: tuple[Kind, ...] = ("micro", "macro", "weighted")
KINDS: tuple[Kind, ...] = ("class", *AVERAGES, "all")
ABSENT = "absent-class"  # the code of the remark that averages leave classes out
MOST_NAMED = 5  # classes that a reason names
SKIP = '`undefined="skip"` averages the others'


@dataclass(frozen=True, slots=True)
class Group:
    """What a rate is of: one class against the rest, an average over classes, or all of them.

    Attributes
    ----------
    label : name of the class, else the kind
    index : number of the class
    """

    label: str
    kind: Kind
    index: int = -1


@dataclass(frozen=True, eq=False)
class Rated:
    """(..., k, k) counts, rows actual, and the rates that were asked of them.

    - micro: the rate of the sum of all classes' tables
    - macro: the mean of the classes' rates
    - weighted: their mean, each class weighing what its actual rows do

    A class without actual and predicted rows is absent: it is in no average, as in scikit-learn,
    which averages over the labels that occur (`absent` says so). Another class whose own rate is
    undefined makes the average undefined ("nan"), or is left out ("skip"). Huge and tiny weights
    are scaled by a power of 2. Draws of a table skip the classes that the table itself, given as
    `like`, skips.
    """

    counts: Floats
    undefined: Undefined = "nan"
    like: "Rated | None" = None
    tables: Tables = field(init=False)
    known: dict[str, Floats] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", scaled(self.counts, like=self.counts))
        object.__setattr__(self, "tables", class_tables(self.counts))

    @property
    def present(self) -> NDArray[np.bool_]:
        """Tell which classes have actual or predicted rows, (..., k)."""
        return np.asarray(self.tables.tp + self.tables.fp + self.tables.fn > 0)

    def values(self, name: str, group: Group) -> Floats:
        """Return the (...) values of a rate in a group."""
        if group.kind == "all":
            return overall_values(name, self.counts, undefined=self.undefined)
        if group.kind == "micro":
            return rate_values(name, *self.tables.pooled(self.present))
        if group.kind == "class":
            return self.of_classes(name)[..., group.index]
        value, weight = self.of_classes(name), self.weights(name, group)
        with np.errstate(invalid="ignore"):
            total = np.where(weight > 0, weight * value, 0.0).sum(axis=-1)
            return np.asarray(total / weight.sum(axis=-1))

    def of_classes(self, name: str) -> Floats:
        """Return the (..., k) values of every class against the rest."""
        if name not in self.known:
            self.known[name] = rate_values(name, *self.tables)
        return self.known[name]

    def weights(self, name: str, group: Group) -> Floats:
        """Return what every class weighs in an average, (..., k)."""
        weight = self.present.astype(np.float64)
        if group.kind == "weighted":
            weight = weight * (self.tables.tp + self.tables.fn)
        if self.undefined == "skip":
            known = self if self.like is None else self.like
            weight = np.where(np.isnan(known.of_classes(name)), 0.0, weight)
        return weight

    # ---------------------------------------------------------------- reasons

    def absent(self, groups: Iterable[tuple[str, Group]], classes: tuple[str, ...]) -> str | None:
        """Say which classes of one matrix are in no average of these rates, None if there are none.

        Also the balanced accuracy of more than two classes is an average over classes.
        """
        left = [name for name, there in zip(classes, self.present, strict=True) if not there]
        averaged = any(
            group.kind in AVERAGES
            or (group.kind == "all" and name == "balanced_accuracy" and len(classes) > 2)
            for name, group in groups
        )
        if not averaged or not left or len(left) == len(classes):
            return None
        more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        named = f"{', '.join(map(quoted, left[:MOST_NAMED]))}{more}"
        kept = counted(len(classes) - len(left), "other class")
        return (
            f"{counted(len(left), 'class')} ({named}) without actual and predicted rows: averages "
            f"are over the {kept}"
        )

    def why(self, name: str, group: Group, *, label: str, classes: tuple[str, ...]) -> str:
        """Return why a rate of one matrix is undefined; `label` is what to call it."""
        if group.kind == "class":
            return self._why_of_class(name, label, group.index)
        if group.kind == "micro":
            pooled = self.tables.pooled(self.present)
            return f"micro {self._why(name, label, pooled)}"
        if group.kind == "all" and len(classes) == 2:
            return self._why_of_class(OVERALL[name].rate, label, 1)
        if group.kind == "all":
            return f"{label} is undefined: {OVERALL[name].why}"
        return self._why_of_average(name, group, label, classes)

    def _why_of_average(self, name: str, group: Group, label: str, classes: tuple[str, ...]) -> str:
        weight = self.weights(name, group)
        missing = np.flatnonzero(np.isnan(self.of_classes(name)) & (weight > 0))
        if len(missing) == 0:
            return f"{group.kind} {label} has no class to average"
        inner = self._why_of_class(name, label, int(missing[0]))
        inner = inner.removeprefix(f"{label} is undefined: ")
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        named = ", ".join(quoted(classes[i]) for i in missing[:MOST_NAMED]) + more
        return (
            f"{label} is undefined in {counted(len(missing), 'class')}, {named} ({inner}); {SKIP}"
        )

    def _why_of_class(self, name: str, label: str, index: int) -> str:
        return self._why(name, label, self.tables.at(index))

    @staticmethod
    def _why(name: str, label: str, table: Tables) -> str:
        return why_undefined(name, *(float(count) for count in table), label=label) or ""


def class_number(classes: tuple[str, ...], name: Any) -> int:
    """Return the number of a class by its name."""
    text = label_text(name)
    if text not in classes:
        raise ParameterError(
            f"there is no class {quoted(text)}; the classes are {shown(classes)}",
            code="unknown-class",
            arrived=quoted(text),
            near=nearest(text, classes),
        )
    return classes.index(text)
