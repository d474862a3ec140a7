"""Cuts of the rows into parts, by scikit-learn's splitters."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import need_extra
from plumbline.errors import InputError
from plumbline.formatting import counted
from plumbline.predictions.labels import Ints
from plumbline.validation.guards.classes import need_class_for_folds
from plumbline.validation.seeding import seed_from
from plumbline.validation.splits import Places, Split
from plumbline.validation.subjects import Subjects

Parts: TypeAlias = tuple[Places, Places]


def model_selection() -> Any:
    """Return scikit-learn's room of splitters and searches, or say how to install it."""
    return need_extra("sklearn.model_selection", "sklearn", "an error estimate")


def folds_of(
    rows: Subjects, folds: int, chance: np.random.Generator, *, stratified: bool, grouped: bool
) -> Iterator[Parts]:
    """Cut shuffled rows into folds: with class shares kept, with groups kept whole, or both."""
    groups = rows.groups if grouped else None
    _need_enough(rows, rows.codes, groups, folds, stratified=stratified, where="folds")
    room = model_selection()
    names = {
        (False, False): "KFold",
        (True, False): "StratifiedKFold",
        (False, True): "GroupKFold",
        (True, True): "StratifiedGroupKFold",
    }
    kind = getattr(room, names[stratified, grouped])
    splitter = kind(n_splits=folds, shuffle=True, random_state=seed_from(chance))
    return _parts(splitter, rows.codes, groups)


def _need_enough(
    rows: Subjects, codes: Ints, groups: Ints | None, folds: int, *, stratified: bool, where: str
) -> None:
    """Refuse more folds than there are rows, groups, or rows of any class.

    Raises InputError that says how many folds there may be.
    """
    if stratified:
        need_class_for_folds(codes, rows.classes, folds, where=where)
    units = len(codes) if groups is None else len(np.unique(groups))
    if units < folds:
        what = counted(units, "row" if groups is None else "group")
        raise InputError(f"{what} cannot be cut into {folds} {where}; take at most {units} {where}")


def holdout_parts(rows: Subjects, share: float, chance: np.random.Generator) -> Parts:
    """Draw a test part: with class shares kept, or of whole groups where there are groups."""
    return _drawn(rows.codes, rows.groups, share, chance)


def _drawn(codes: Ints, groups: Ints | None, share: float, chance: np.random.Generator) -> Parts:
    room = model_selection()
    kind = room.StratifiedShuffleSplit if groups is None else room.GroupShuffleSplit
    splitter = kind(n_splits=1, test_size=share, random_state=seed_from(chance))
    train, test = next(_parts(splitter, codes, groups))
    return np.sort(train), np.sort(test)


def in_time_order(time: Ints, folds: int) -> Iterator[Parts]:
    """Cut rows into test parts one after the other, each with all earlier rows to fit on.

    As scikit-learn's TimeSeriesSplit cuts rows in order, of which the first part is never tested;
    but a cut between rows of the same time moves before them, so that only later rows are tested.

    Raises InputError where too few different times are left for so many parts.
    """
    order = np.argsort(time, kind="stable")
    ranks = time[order]
    splitter = model_selection().TimeSeriesSplit(n_splits=folds)
    starts = [int(test[0]) for _, test in split_by(splitter, order[:, None], None, None)]
    ends = [*np.searchsorted(ranks, ranks[starts]).tolist(), len(time)]
    if ends[0] == 0 or len(set(ends)) < len(ends):
        raise InputError(
            f"{counted(len(np.unique(time)), 'different time')} in {counted(len(time), 'row')} "
            f"cannot be cut into {folds} test parts in order; take fewer folds"
        )
    for start, stop in pairwise(ends):
        yield np.sort(order[:start]), np.sort(order[start:stop])


def row_by_row(rows: Subjects) -> Iterator[Parts]:
    """Leave out each row in turn."""
    return _parts(model_selection().LeaveOneOut(), rows.codes, None)


def bootstrap_parts(rows: Subjects, chance: np.random.Generator) -> Parts:
    """Draw as many rows as there are with replacement; those never drawn are the test part.

    Where there are groups, whole groups are drawn. A draw that leaves out no row is made again.
    """
    owner = np.arange(rows.n) if rows.groups is None else rows.groups
    units = int(owner.max()) + 1
    if units < 2:
        raise InputError("all rows are one group, so no bootstrap sample leaves any out")
    while True:
        times = np.bincount(chance.integers(units, size=units), minlength=units)[owner]
        if (times == 0).any():
            return np.repeat(np.arange(rows.n), times), np.flatnonzero(times == 0)


def three_parts(
    rows: Subjects, validation: float, test: float, chance: np.random.Generator
) -> Split:
    """Cut into train, validation and test.

    The model that is measured is fitted on train and validation; the inner pair is what choosing
    sees: fit on train, compare on validation.
    """
    train, held = holdout_parts(rows, test, chance)
    return Split(0, 0, train, held, (inner_holdout(rows, train, validation / (1 - test), chance),))


def inner_holdout(
    rows: Subjects, train: Places, share: float, chance: np.random.Generator
) -> Parts:
    """Cut a validation part off a training part, as places in it."""
    groups = None if rows.groups is None else rows.groups[train]
    return _drawn(rows.codes[train], groups, share, chance)


def whole(rows: Subjects) -> Split:
    """Return all rows as training part, and as test part: no honest one."""
    every = np.arange(rows.n)
    return Split(0, 0, every, every)


def inner_folds(
    rows: Subjects, train: Places, folds: int, chance: np.random.Generator
) -> tuple[Parts, ...]:
    """Cut a training part into stratified folds, or parts in the order of time, as places in it."""
    if rows.time is not None:
        try:
            return tuple(in_time_order(rows.time[train], folds))
        except ValueError as error:
            raise InputError(_uncut(len(train), error)) from error
    distinct, home = np.unique(train, return_inverse=True)
    groups = None if rows.groups is None else rows.groups[distinct]
    try:
        _need_enough(
            rows, rows.codes[distinct], groups, folds, stratified=True, where="inner folds"
        )
    except InputError as error:
        raise InputError(_uncut(len(distinct), error)) from error
    room = model_selection()
    kind = room.StratifiedKFold if groups is None else room.StratifiedGroupKFold
    splitter = kind(n_splits=folds, shuffle=True, random_state=seed_from(chance))
    pairs = inner_parts(splitter, np.zeros((len(distinct), 1)), rows.codes[distinct], groups)
    held = (np.isin(home, test) for _, test in pairs)
    return tuple((np.flatnonzero(~mask), np.flatnonzero(mask)) for mask in held)


def inner_parts(splitter: Any, X: Any, y: Any, groups: Any) -> list[Parts]:
    """Return the parts of a splitter that cuts a training part.

    Raises InputError where its rows do not suffice.
    """
    try:
        return list(split_by(splitter, X, y, groups))
    except ValueError as error:
        raise InputError(_uncut(len(y), error)) from error


def _uncut(rows: int, error: Exception) -> str:
    return f"a training part of {rows:,} rows cannot be cut into inner parts: {error}"


def _parts(splitter: Any, codes: Ints, groups: Ints | None) -> Iterator[Parts]:
    return split_by(splitter, np.zeros((len(codes), 1)), codes, groups)


def split_by(splitter: Any, X: Any, y: Any, groups: Any) -> Iterator[Parts]:
    """Yield the parts of a splitter."""
    for train, test in splitter.split(X, y, groups):
        yield np.asarray(train, np.intp), np.asarray(test, np.intp)
