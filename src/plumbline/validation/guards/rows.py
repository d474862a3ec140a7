"""Guards that follow rows: the same, equal ones, or a group's, on both sides of a split."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline.formatting import counted
from plumbline.validation.guards.answers import ERROR, WARNING, Finding, as_rows, rows_named
from plumbline.validation.guards.columns import Codes, Column
from plumbline.validation.splits import Places, Split

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Twins:
    """Rows that are equal so far, column by column.

    Attributes
    ----------
    rows : (t,) the rows that have an equal one
    code : (t,) number of the set of equal rows each belongs to
    """

    rows: Places
    code: Codes

    def parted(self, column: Column) -> "Twins":
        """Return those that are equal in one more column too."""
        if not len(self.rows):
            return self
        both = self.code * column.distinct + column.code[self.rows]
        _, code, counts = np.unique(both, return_inverse=True, return_counts=True)
        stay = counts[code] > 1
        _, code = np.unique(code[stay], return_inverse=True)
        return Twins(self.rows[stay], code)

    def without(self, others: "Twins") -> "Twins":
        """Return those that the others do not hold, and what is equal to them here."""
        own = self.code[~np.isin(self.rows, others.rows)]
        stay = np.isin(self.code, own)
        return Twins(self.rows[stay], self.code[stay])

    @property
    def pairs(self) -> float:
        """Number of pairs of equal rows."""
        many = np.bincount(self.code) if len(self.rows) else np.zeros(1)
        return float((many * (many - 1.0)).sum() / 2)


def all_rows(n: int) -> Twins:
    """Return the start: nothing is known, and all rows are equal."""
    return Twins(np.arange(n, dtype=np.intp), np.zeros(n, dtype=np.intp))


def parts_of(split: Split) -> Iterator[tuple[str, Places, Places]]:
    """Yield every pair of parts a split holds, as row numbers: the outer, then the inner ones."""
    where = f"fold {split.fold} of repeat {split.repeat}"
    yield where, split.train, split.test
    for place, (train, test) in enumerate(split.inner):
        yield f"inner fold {place} of {where}", split.train[train], split.train[test]


def shared_rows(splits: Sequence[Split], n: int) -> Iterator[Finding]:
    """Yield a finding if a row is in the training and in the test part of one split."""
    seen, shared = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    places = []
    for split in splits:
        for where, train, test in parts_of(split):
            seen[train] = True
            both = test[seen[test]]
            seen[train] = False
            if len(both):
                shared[both] = True
                places.append(where)
    if places:
        rows = as_rows(np.flatnonzero(shared))
        yield Finding(
            "shared-rows",
            ERROR,
            f"{rows_named(rows)} stand in the training part and in the test part of the same split "
            f"({_first(places)}): a model is never measured on what it was fitted on; mend the "
            "splitter, or ask for it with the scheme resubstitution",
            rows,
        )


def duplicate_rows(
    twins: Twins, y: Codes, splits: Sequence[Split], left_out: Sequence[str] = ()
) -> Iterator[Finding]:
    """Yield a finding if rows that are equal in all features stand on both sides of a split.

    `left_out` names features that number the rows, by which no two are equal.
    """
    torn = torn_rows(twins, splits, len(y))
    if not torn.any():
        return
    inside = torn[twins.rows]
    _, code = np.unique(twins.code[inside], return_inverse=True)
    rows = twins.rows[inside]
    sets = int(code.max()) + 1
    classes_in = np.unique(np.column_stack([code, y[rows]]), axis=0)[:, 0]
    agree = int((np.bincount(classes_in, minlength=sets) == 1).sum())
    named = as_rows(rows)
    but = f" but {', '.join(left_out[:4])}" if left_out else ""
    remedy = (
        "drop the copies, for splits in the order of time take no groups"
        if forward(splits)
        else "drop the copies, or keep them together as groups"
    )
    yield Finding(
        "duplicate-rows",
        WARNING,
        f"{rows_named(named)} are equal in all features{but} to a row on the other side of a "
        "split: "
        f"{counted(sets, 'set')} of equal rows, {agree:,} of them of one class. If one example was "
        f"recorded several times, the estimate is too good: {remedy}. Where features have few "
        "values, different examples may well be equal",
        named,
    )


def torn_groups(groups: Column, splits: Sequence[Split]) -> Iterator[Finding]:
    """Yield a finding if a group has rows in the training and in the test part of a split."""
    n = len(groups.code)
    torn = torn_rows(Twins(np.arange(n, dtype=np.intp), groups.code), splits, n)
    if torn.any():
        rows = as_rows(np.flatnonzero(torn))
        names = [groups.values[g] for g in np.unique(groups.code[torn])]
        names = [name.item() if isinstance(name, np.generic) else name for name in names]
        yield Finding(
            "groups-torn-apart",
            ERROR,
            f"{counted(len(names), 'group')} ({shown(names)}) with {rows_named(rows)} stand on "
            "both sides of a split: the model is measured on groups it knows; use a scheme that "
            "keeps them whole: grouped:5, stratified-grouped:5 or nested-grouped:5x5",
            rows,
        )


def torn_rows(sets: Twins, splits: Sequence[Split], n: int) -> Flags:
    """Return (n,) whether a row has one of its set on the other side of a split, inner or outer.

    A row that is itself on both sides of a split does not count: that is another guard's.
    """
    torn = np.zeros(n, dtype=bool)
    if not len(sets.rows):
        return torn
    code = np.full(n, -1, dtype=np.intp)
    code[sets.rows] = sets.code
    size = int(sets.code.max()) + 1
    for split in splits:
        for _, train, test in parts_of(split):
            mine, theirs = code[train], code[test]
            both = _present(mine, size) & _present(theirs, size)
            if both.any():
                for part, codes in ((train, mine), (test, theirs)):
                    torn[part[both[codes] & (codes >= 0)]] = True
    return torn


def forward(splits: Sequence[Split]) -> bool:
    """Tell whether splits go forward in time: what is tested is only fitted on later.

    The last training part may be all rows that are not tested, as that of `TimeSeriesSplit` is.
    """
    if len(splits) < 2:
        return False
    tested: set[int] = set()
    for one in reversed(splits):
        if not tested.isdisjoint(one.train.tolist()):
            return False
        tested.update(one.test.tolist())
    return True


def _present(codes: Codes, size: int) -> Flags:
    present = np.zeros(size, dtype=bool)
    present[codes[codes >= 0]] = True
    return present


def _first(places: Iterable[str]) -> str:
    names = list(places)
    more = len(names) - 1
    return names[0] + (f" and {counted(more, 'other')}" if more else "")
