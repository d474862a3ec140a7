"""A guard for rows that have dates, where folds let a model see the future."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from plumbline.validation.guards.answers import WARNING, Finding
from plumbline.validation.guards.columns import Codes, Column
from plumbline.validation.splits import Split
from plumbline.validation.times import dates_in

FEWEST_DATES = 10
OF_LIFE = re.compile(r"birth|born|dob", re.IGNORECASE)  # these tell an age, and no order of rows
CALLED = re.compile(r"date|time_?stamp|datetime", re.IGNORECASE)
NUMBERED = ((1.9e7, 2.2e7), (3e8, 5e9), (3e11, 5e12))  # 20240131; seconds, milliseconds since 1970


def future_seen(columns: Iterable[Column], splits: Sequence[Split]) -> Iterator[Finding]:
    """Yield a finding if a column has dates, and models know rows later than tested ones."""
    for column in columns:
        time = _ranks(column)
        if time is None or not any(_sees_later(time, split) for split in splits):
            continue
        yield Finding(
            "dates-in-random-folds",
            WARNING,
            f"{column.name} holds dates, and models are tested on rows before some that they were "
            "fitted on: such folds let the model see the future. If it is to predict what comes "
            "later, use the scheme time-series:5 in the order of this column (time=; --time on the "
            "command line)",
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
