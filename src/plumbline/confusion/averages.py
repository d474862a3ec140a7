"""Rates of classes and their averages, for one matrix or for many at once."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion.overall import OVERALL, Undefined, overall_values
from plumbline.confusion.tables import Tables, class_tables, scaled
from plumbline.confusion.values import rate_values, why_undefined
from plumbline.formatting import counted

Floats = NDArray[np.float64]
Kind: TypeAlias = Literal["class", "micro", "macro", "weighted", "all"]
AVERAGES: tuple[Kind, ...] = ("micro", "macro", "weighted")
KINDS: tuple[Kind, ...] = ("class", *AVERAGES, "all")
ABSENT = "absent-class"  # the code of the remark that averages leave classes out
TOLD = 5  # classes that a reason names
SKIP = 'undefined="skip" averages the others'


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
        more = f" and {len(left) - TOLD} more" if len(left) > TOLD else ""
        named = f"{', '.join(map(repr, left[:TOLD]))}{more}"
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
            return f"{label} divides by {OVERALL[name].why}"
        return self._why_of_average(name, group, label, classes)

    def _why_of_average(self, name: str, group: Group, label: str, classes: tuple[str, ...]) -> str:
        weight = self.weights(name, group)
        missing = np.flatnonzero(np.isnan(self.of_classes(name)) & (weight > 0))
        if len(missing) == 0:
            return f"{group.kind} {label} has no class to average"
        inner = self._why_of_class(name, label, int(missing[0]))
        more = f" and {len(missing) - TOLD} more" if len(missing) > TOLD else ""
        named = ", ".join(repr(classes[i]) for i in missing[:TOLD]) + more
        return (
            f"{label} is undefined in {counted(len(missing), 'class')}, {named} ({inner}); {SKIP}"
        )

    def _why_of_class(self, name: str, label: str, index: int) -> str:
        return self._why(name, label, self.tables.at(index))

    @staticmethod
    def _why(name: str, label: str, table: Tables) -> str:
        return why_undefined(name, *(float(count) for count in table), label=label) or ""
