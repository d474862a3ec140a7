"""Guards for rows of one example under several numbers: ids that repeat, rows nearly equal."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from plumbline.formatting import counted, number
from plumbline.validation.guards.answers import WARNING, Finding, as_rows, rows_named
from plumbline.validation.guards.columns import Column
from plumbline.validation.guards.nearness import (
    FEWEST_QUERIES,
    GAP,
    MOST_CELLS,
    ZERO,
    Nearest,
    coordinates,
    joined,
    nearest,
    queried,
)
from plumbline.validation.guards.rows import Twins, forward, torn_rows
from plumbline.validation.splits import Split

FEWEST_VALUES = 10
BY_CHANCE = 0.1  # of pairs have the same value: with more, it is a category
REPEATED = 0.1  # of the rows have a value that others have too
ALIKE = 0.5  # of these have their nearest row under the same value
IN_ORDER = 0.5  # of the nearest rows of another value have the next one, as of a measured number
NEAR_EQUAL = 0.1  # of the rows, beyond three times what chance gives
TOLERANCE = 1e-4  # of a standard deviation, in every feature
PLAIN = 0.01  # pairs of rows as near to each other in the whole table, if they were so by chance
FEW_VALUES = 0.05  # a value for each so many rows: with fewer, a number has steps
RECHECKED = 3  # columns looked at more closely
MOST_CONFIRMED = 200

OWNERS = (
    "patient",
    "subject",
    "participant",
    "respondent",
    "person",
    "customer",
    "client",
    "user",
    "member",
    "household",
    "student",
    "pupil",
    "animal",
    "donor",
    "borrower",
    "employee",
)
NUMBERINGS = ("number", "nr", "no", "code", "key", "name")
IDS = ("id", "uid", "uuid", "guid", "identifier")

Columns = Callable[[], Iterable[Column]]


def near_rows(columns: Columns, n: int) -> Nearest | None:
    """Return the nearest rows in all features but those that number the rows.

    None where there is nothing to measure by, or the table is too large to search.
    """
    queries = queried(n)
    if n < 3 or len(queries) < min(n, FEWEST_QUERIES):
        return None
    kinds = [column.numeric and column.distinct > FEW_VALUES * n for column in columns()]
    if len(kinds) * n > MOST_CELLS:
        return None
    points = coordinates(columns())
    return None if points is None else nearest(points, queries, numbers=sum(kinds))


# ---------------------------------------------------------------- repeated-id


def repeated_ids(
    columns: Columns,
    left_out: Sequence[Column],
    near: Nearest | None,
    splits: Sequence[Split],
    n: int,
) -> dict[str, Finding]:
    """Return the columns that name what several rows come from, by name.

    One names it if rows of the same value are alike: most have their nearest row, in all other
    features, under the same value. The next value of a number must not be the next nearest, as
    that of a measured quantity is. Or a column names it if it is called so.
    """
    alike: list[tuple[float, Column, bool]] = []
    named: list[tuple[Column, bool]] = []
    for place, feature in ((columns(), True), (left_out, False)):
        for column in place:
            if not _repeats(column, n):
                continue
            share = 0.0 if near is None else _same(column, near)
            if share >= ALIKE:
                alike.append((share, column, feature))
            elif _names_someone(column.name):
                named.append((column, feature))
    found = {}
    for _, column, feature in sorted(alike, key=lambda one: -one[0])[:RECHECKED]:
        apart = near
        if feature and near is not None:  # its own values must not say who is near
            points = coordinates(one for one in columns() if not _says_the_same(column, one))
            apart = None if points is None else nearest(points, near.queries)
        share = 0.0 if apart is None else _same(column, apart)
        if apart is not None and share >= ALIKE and not _in_order(column, apart):
            found[column.name] = _repeated(column, n, share, feature=feature)
        elif _names_someone(column.name):
            named.append((column, feature))
    for column, feature in named:
        found[column.name] = _repeated(column, n, None, feature=feature)
    torn = {
        column.name
        for column, _ in [*((c, f) for _, c, f in alike), *named]
        if column.name in found and torn_rows(_sets(column, n), splits, n).any()
    }
    return {name: one for name, one in found.items() if name in torn}


def _repeats(column: Column, n: int) -> bool:
    """Tell whether a column has many values, of which many rows share one with a few others."""
    if column.distinct < FEWEST_VALUES:
        return False
    many = np.bincount(column.code, minlength=column.distinct)
    return column.agreement <= BY_CHANCE and many[many > 1].sum() >= REPEATED * n


def _same(column: Column, near: Nearest) -> float:
    """Return the share of rows whose nearest row has their value, of those that share it."""
    many = np.bincount(column.code, minlength=column.distinct)
    own = column.code[near.queries]
    shared = many[own] > 1
    return float((own == column.code[near.rows[:, 0]])[shared].mean()) if shared.any() else 0.0


def _in_order(column: Column, near: Nearest) -> bool:
    """Tell whether the nearest rows of another value mostly have the next one above or below."""
    if not column.numeric:
        return False
    steps = np.abs(column.code[near.queries][:, None] - column.code[near.rows])
    other = steps > 0
    first = np.take_along_axis(steps, other.argmax(axis=1)[:, None], axis=1)[other.any(axis=1), 0]
    return len(first) > 0 and bool((first == 1).mean() > IN_ORDER)


def _says_the_same(column: Column, other: Column) -> bool:
    """Tell whether another column has its values under other names, or is a finer scale of it."""
    if other.distinct == column.distinct:
        both = np.unique(other.code * column.distinct + column.code)
        return len(both) == column.distinct
    if not (other.numeric and column.numeric):
        return False
    steps = np.diff(column.code[np.argsort(other.code, kind="stable")])
    return bool((steps >= 0).all() or (steps <= 0).all())


def _names_someone(name: str) -> bool:
    """Tell whether a column is called after those whose rows it marks.

    >>> [_names_someone(name) for name in ("patient", "customerID", "age", "patient_age")]
    [True, True, False, False]
    """
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", _bare(name))]
    if not words:
        return False
    numbered = words[-1] in NUMBERINGS and len(words) > 1 and words[-2] in OWNERS
    return words[-1] in OWNERS or words[-1] in IDS or numbered


def _bare(name: str) -> str:
    """Return the name that users know, out of "column 'name'"."""
    return name.removeprefix("column ").strip("'\"")


def _sets(column: Column, n: int) -> Twins:
    return Twins(np.arange(n, dtype=np.intp), column.code)


def _repeated(column: Column, n: int, share: float | None, *, feature: bool) -> Finding:
    what = f"{column.name} has {counted(column.distinct, 'value')} in {counted(n, 'row')}"
    if share is not None:
        chance = f"{number(100 * column.agreement)} % expected at random"
        what += (
            f", and rows of the same value are alike: {number(100 * share)} % have their nearest "
            f"row in all other features there ({chance})"
        )
    option = "" if _bare(column.name).isdigit() else f" (--groups {_bare(column.name)})"
    anyway = "" if feature else ", although the column is left out of the features"
    more = "; leaving it out of the features does not help" if feature else ""
    return Finding(
        "repeated-id",
        WARNING,
        f"{what}. If it names patients, customers or the like, the model is tested on those it was "
        f"fitted on{anyway}: pass it as groups{option} with a scheme such as "
        f"stratified-grouped:5{more}",
    )


# ---------------------------------------------------------------- near-equal-rows


def near_equal(
    near: Nearest, copies: Sequence[Twins], splits: Sequence[Split], n: int
) -> Iterator[Finding]:
    """Yield a finding if rows have others so near that they are hardly different examples.

    Either many of the examined rows have a few others at a fifth of the distance to the next row
    outside. Or a few rows (`copies`: sets of rows equal up to `TOLERANCE`) are so much nearer to
    each other than to the next row that chance would not bring one such pair about.
    """
    inside, m = near.inside(), near.dimensions()
    share, chance = float((inside > 0).mean()), GAP**-m / (1 - GAP**-m)
    if share >= NEAR_EQUAL + 3 * chance:
        if torn_rows(joined(near, inside, n), splits, n).any():
            rows = as_rows(near.queries[inside > 0])
            examined = "" if len(near.queries) == n else f" of {len(near.queries):,} examined"
            others = counted(round(float(np.median(inside[inside > 0]))), "other")
            yield _near_equal(
                splits,
                f"{len(rows):,} rows{examined} ({number(100 * share)} %) have others nearly equal "
                f"to them in all features (usually {others}), nearer by a factor of 5 than any "
                "further row",
                rows,
            )
        return
    torn = np.zeros(n, dtype=bool)
    for sets in copies:
        torn |= torn_rows(sets, splits, n)
    suspects = np.flatnonzero(torn)
    if not len(suspects):
        return
    looked = suspects[:MOST_CONFIRMED]
    close = nearest(near.points, looked)
    k = close.inside(copies=True)
    at = np.maximum(k, 1)[:, None]
    first = np.maximum(np.take_along_axis(close.distance, at - 1, axis=1)[:, 0], ZERO)
    next_one = np.take_along_axis(close.distance, at, axis=1)[:, 0]
    sure = (k > 0) & (np.log(n) - m * k * np.log(next_one / first) < np.log(PLAIN))
    if len(looked) == len(suspects):
        suspects = suspects[sure]
    if sure.mean() >= 0.5 and len(suspects):
        rows = as_rows(suspects)
        yield _near_equal(
            splits,
            f"{rows_named(rows)} are equal in all features, up to {TOLERANCE:g} standard "
            "deviations, to a row on the other side of a split",
            rows,
        )


def _near_equal(splits: Sequence[Split], what: str, rows: tuple[int, ...]) -> Finding:
    remedy = (
        "keep one row of each example, for splits in the order of time take no groups"
        if forward(splits)
        else "keep the rows of one example together as groups (--groups COL), with a scheme such "
        "as stratified-grouped:5"
    )
    return Finding(
        "near-equal-rows",
        WARNING,
        f"{what}. If they are repeated measurements of one example, the estimate is too good: "
        f"{remedy}",
        rows,
    )
