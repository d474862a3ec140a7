"""Guards that follow rows across splits: shared, equal, of one group, class or later date."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shown
from plumbline.errors import InputError
from plumbline.formatting import counted, quoted
from plumbline.validation.dataset import Places, Split, dates_in
from plumbline.validation.guards.features import Codes, Column
from plumbline.validation.results import ERROR, WARNING, Finding, as_rows, rows_named

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
    in_training, shared = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    places = []
    for split in splits:
        for where, train, test in parts_of(split):
            in_training[train] = True
            both = test[in_training[test]]
            in_training[train] = False
            if len(both):
                shared[both] = True
                places.append(where)
    if places:
        rows = as_rows(np.flatnonzero(shared))
        yield Finding(
            "shared-rows",
            ERROR,
            f"{rows_named(rows)} are in the training part and in the test part of the same split "
            f"({_first(places)}): a model must not be measured on rows it was fitted on; correct "
            "the splitter, or use the scheme resubstitution",
            rows,
        )


def duplicate_rows(
    twins: Twins, y: Codes, splits: Sequence[Split], left_out: Sequence[str] = ()
) -> Iterator[Finding]:
    """Yield a finding if rows that are equal in all features stand on both sides of a split.

    `left_out` names features that number the rows, by which no two are equal.
    """
    divided = divided_rows(twins, splits, len(y))
    if not divided.any():
        return
    inside = divided[twins.rows]
    _, code = np.unique(twins.code[inside], return_inverse=True)
    rows = twins.rows[inside]
    sets = int(code.max()) + 1
    classes_in = np.unique(np.column_stack([code, y[rows]]), axis=0)[:, 0]
    agree = int((np.bincount(classes_in, minlength=sets) == 1).sum())
    named = as_rows(rows)
    but = f" but {', '.join(left_out[:4])}" if left_out else ""
    remedy = (
        "drop the duplicates: splits in the order of time take no groups"
        if forward(splits)
        else "drop the duplicates, or keep them together as groups"
    )
    yield Finding(
        "duplicate-rows",
        WARNING,
        f"{rows_named(named)} are equal in all features{but} to a row on the other side of a "
        f"split: {counted(sets, 'set')} of equal rows, {agree:,} of them of one class. If one "
        f"example was recorded several times, the estimate is optimistic: {remedy}. Where "
        "features have few values, different examples may be equal",
        named,
    )


def divided_groups(groups: Column, splits: Sequence[Split]) -> Iterator[Finding]:
    """Yield a finding if a group has rows in the training and in the test part of a split."""
    n = len(groups.code)
    divided = divided_rows(Twins(np.arange(n, dtype=np.intp), groups.code), splits, n)
    if divided.any():
        rows = as_rows(np.flatnonzero(divided))
        names = [groups.values[g] for g in np.unique(groups.code[divided])]
        names = [name.item() if isinstance(name, np.generic) else name for name in names]
        yield Finding(
            "groups-torn-apart",
            ERROR,
            f"{counted(len(names), 'group')} ({shown(names)}) with {rows_named(rows)} are on both "
            "sides of a split: the model is tested on groups it was fitted on; use a scheme that "
            "keeps groups whole: grouped:5, stratified-grouped:5 or nested-grouped:5x5",
            rows,
        )


def divided_rows(sets: Twins, splits: Sequence[Split], n: int) -> Flags:
    """Return (n,) whether a row has one of its set on the other side of a split, inner or outer.

    A row that is itself on both sides of a split does not count: that is another guard's.
    """
    divided = np.zeros(n, dtype=bool)
    if not len(sets.rows):
        return divided
    code = np.full(n, -1, dtype=np.intp)
    code[sets.rows] = sets.code
    size = int(sets.code.max()) + 1
    for split in splits:
        for _, train, test in parts_of(split):
            mine, theirs = code[train], code[test]
            both = _present(mine, size) & _present(theirs, size)
            if both.any():
                for part, codes in ((train, mine), (test, theirs)):
                    divided[part[both[codes] & (codes >= 0)]] = True
    return divided


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


def missing_classes(y: Codes, classes: Sequence[str], splits: Sequence[Split]) -> Iterator[Finding]:
    """Yield a finding a class that has no row in some training part."""
    k = len(classes)
    present = np.bincount(y, minlength=k) > 0
    absent = np.array([np.bincount(y[split.train], minlength=k) == 0 for split in splits])
    for c in np.flatnonzero(present & absent.any(axis=0)).tolist():
        places = [s for s, gone in zip(splits, absent[:, c], strict=True) if gone]
        first = f"fold {places[0].fold} of repeat {places[0].repeat}"
        more = f" and of {counted(len(places) - 1, 'other')}" if len(places) > 1 else ""
        rows = as_rows(np.flatnonzero(y == c))
        yield Finding(
            "class-missing",
            WARNING,
            f"class {quoted(classes[c])} ({counted(len(rows), 'row')}: {shown(rows)}) has no row "
            f"in the training part of {first}{more}: the model fitted there gives it probability "
            "0; use fewer or stratified folds, or merge rare classes",
            rows,
        )


def smaller_than_folds(
    y: Codes, classes: Sequence[str], splits: Sequence[Split]
) -> Iterator[Finding]:
    """Yield a finding if a class has fewer rows than there are folds to stand in."""
    folds = outer_folds(splits, len(y))
    yield from _too_few(y, classes, folds, where="folds")
    inner = [split for split in splits if len(split.inner) > 1]
    few: dict[str, Finding] = {}
    for split in inner:
        for finding in _too_few(y[split.train], classes, len(split.inner), where="inner folds"):
            rows = as_rows(np.unique(split.train[list(finding.row_numbers)]))
            few.setdefault(
                finding.text, Finding(finding.name, finding.severity, finding.text, rows)
            )
    yield from list(few.values())[:1]


def need_class_for_folds(y: Codes, classes: Sequence[str], folds: int, *, where: str) -> None:
    """Refuse to cut rows into stratified folds where no class reaches into all of them.

    Raises InputError that says how many folds there may be.
    """
    for finding in _too_few(y, classes, folds, where=where):
        if finding.severity == ERROR:
            raise InputError(finding.text, code="class-smaller-than-folds")


def outer_folds(splits: Sequence[Split], n: int) -> int:
    """Return the most folds of a repeat that part all rows among them; 0 where none does.

    Holdouts and bootstrap samples do not part the rows, and in leave-one-out each row is a fold.
    """
    sizes: dict[int, list[int]] = {}
    for split in splits:
        sizes.setdefault(split.repeat, []).append(len(split.test))
    parted = [len(tests) for tests in sizes.values() if sum(tests) == n and len(tests) < n]
    return max(parted, default=0)


def _too_few(y: Codes, classes: Sequence[str], folds: int, *, where: str) -> Iterator[Finding]:
    counts = np.bincount(y, minlength=len(classes))
    small = np.flatnonzero((counts > 0) & (counts < folds))
    if not len(small):
        return
    none = not (counts >= folds).any()
    names = ", ".join(f"{quoted(classes[c])} ({counted(int(counts[c]), 'row')})" for c in small[:8])
    text = (
        f"no class has a row for each of {folds} {where}: {names}"
        if none
        else f"the classes {names} have fewer rows than {folds} {where}: some folds lack them, "
        "and their metrics vary or are missing"
    )
    rows = as_rows(np.flatnonzero(np.isin(y, small)))
    most = max(2, int(counts[small].min()))
    fewer = f"use at most {most} {where}, or " if counts.max() > 1 else ""
    yield Finding(
        "class-smaller-than-folds",
        ERROR if none else WARNING,
        f"{text}; {fewer}merge rare classes",
        rows,
    )


FEWEST_DATES = 10  # distinct dates of a column that may order the rows; a convention
OF_LIFE = re.compile(r"birth|born|dob", re.IGNORECASE)  # these tell an age, and no order of rows
CALLED = re.compile(r"date|time_?stamp|datetime", re.IGNORECASE)
NUMBERED = ((1.9e7, 2.2e7), (3e8, 5e9), (3e11, 5e12))  # 20240131; seconds, milliseconds since 1970


def later_rows_known(columns: Iterable[Column], splits: Sequence[Split]) -> Iterator[Finding]:
    """Yield a finding if a column has dates, and models know rows later than tested ones."""
    for column in columns:
        time = _ranks(column)
        if time is None or not any(_sees_later(time, split) for split in splits):
            continue
        yield Finding(
            "dates-in-random-folds",
            WARNING,
            f"{column.name} holds dates, and models are tested on rows earlier than some they "
            "were fitted on: they use the future. To predict later rows, use the scheme "
            "time-series:5 in the order of this column (time=; --time on the command line)",
        )
        return


def _ranks(column: Column) -> Codes | None:
    """Return the rank of every row's date, -1 where it is missing; None if these are no dates."""
    if column.distinct < FEWEST_DATES or OF_LIFE.search(column.name):
        return None
    if column.numeric:
        return column.code if _numbers_are_dates(column) else None
    dates = dates_in(column.values)
    if dates is None:
        return None
    there = [place for place, value in enumerate(dates) if value is not None]
    if isinstance(dates, np.ndarray):
        there = np.flatnonzero(~np.isnat(dates)).tolist()
    rank = np.full(column.distinct, -1, dtype=np.intp)
    rank[sorted(there, key=dates.__getitem__)] = np.arange(len(there))
    return rank[column.code]


def _numbers_are_dates(column: Column) -> bool:
    """Tell whether numbers called a date look like one: 20240131, or a time since 1970."""
    if not CALLED.search(column.name) or column.missing:
        return False
    low, high = float(column.values[0]), float(column.values[-1])
    return any(least <= low and high <= most for least, most in NUMBERED)


def _sees_later(time: Codes, split: Split) -> bool:
    """Tell whether some row that is tested is before some row that is learnt from."""
    tested = time[split.test]
    tested = tested[tested >= 0]
    return len(tested) > 0 and int(time[split.train].max()) > int(tested.min())
