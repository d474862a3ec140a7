"""Guards against rows that are almost equal: repeated ids, near-equal rows."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.formatting import counted, number
from plumbline.random_streams import stream
from plumbline.validation.dataset import Places, Split
from plumbline.validation.guards.features import Codes, Column
from plumbline.validation.guards.rows import Twins, divided_rows, forward
from plumbline.validation.results import WARNING, Finding, as_rows, rows_named

Floats = NDArray[np.float64]

MOST_CELLS = 60_000_000  # rows x features; larger tables are not searched
PAIRS = 50_000_000  # pairs of rows whose distance is calculated
MOST_QUERIES = 4_000  # a sample tells a share of the rows to .8 %, and bounds the time
FEWEST_QUERIES = 50  # of a larger table: fewer tell no share
NEIGHBOURS = 33  # so a set of near-equal rows may have up to 32 of them
WIDTH = 64  # more numbers a row are projected on so many at random, which keeps distances to 9 %
MOST_CATEGORIES = 50  # a text with more values names things rather than measuring them
QUARTILES = 1.349  # standard deviations between the quartiles of a normal distribution
# Rows inside a set are so many times nearer than the next row outside; independent rows have such
# a gap with probability GAP**-m, m features. A convention.
GAP = 5.0
ZERO = 1e-12  # of a standard deviation: a distance of rounding alone


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """The nearest other rows of some rows.

    Attributes
    ----------
    points : (n, p) all rows, as points
    queries : (q,) the rows that were examined
    rows : (q, m) the m nearest other rows of each, the nearest first
    distance : (q, m) how far they are, in standard deviations of a feature
    numbers : how many features are numbers without steps, along which rows can spread
    """

    points: Floats
    queries: Places
    rows: Places
    distance: Floats
    numbers: int

    def inside(self, *, duplicates: bool = False) -> Places:
        """Return (q,) how many rows are near-equal to each: up to the first gap, 0 without one.

        A gap is where the next row is `GAP` times as far. Rows that are equal are no reason for
        one unless `duplicates` says that they count.
        """
        near = np.maximum(self.distance[:, :-1], ZERO)
        jump = self.distance[:, 1:] > GAP * near
        if not duplicates:
            jump &= self.distance[:, :-1] > ZERO
        return np.where(jump.any(axis=1), jump.argmax(axis=1) + 1, 0)

    def dimensions(self) -> float:
        """Return in how many dimensions the rows spread, judged by the farther half of neighbours.

        Of points spread evenly in m dimensions, the logarithm of the K-th over the j-th distance
        has the mean (1 / j + ... + 1 / (K - 1)) / m (Levina and Bickel, 2004).
        """
        last = self.distance.shape[1]
        start = last // 2
        far = self.distance[:, start:]
        far = far[far[:, 0] > ZERO]
        terms = 1 / np.arange(start + 1, last)
        growth = float(np.log(far[:, -1:] / far[:, :-1]).mean()) if far.size else 0.0
        expected = float(np.cumsum(terms[::-1]).mean()) if len(terms) else 0.0
        spread = expected / growth if growth > 0 else 1.0
        return max(1.0, min(spread, self.numbers))


def coordinates(columns: Iterable[Column]) -> Floats | None:
    """Return the rows as points: numbers in standard deviations, a category as a corner.

    Two rows of different categories, or of which one has a missing value, are 1 apart. A column of
    one value, and texts of more than `MOST_CATEGORIES` values, have no part. None if none has.
    """
    blocks: list[Floats] = []
    projected: Floats | None = None
    width = 0
    for place, column in enumerate(columns):
        block = _block(column)
        if block is None:
            continue
        blocks.append(block)
        width += block.shape[1]
        if width > WIDTH:  # from here on every block is projected as it comes
            projected = np.zeros((len(block), WIDTH)) if projected is None else projected
            for number, one in enumerate(blocks):
                directions = stream(0, place, number).normal(size=(one.shape[1], WIDTH))
                projected += one @ directions / np.sqrt(WIDTH)
            blocks = []
    if projected is not None:
        return projected
    return np.hstack(blocks) if blocks else None


def _block(column: Column) -> Floats | None:
    """Return (n, b) the coordinates of one column, None if it has no part."""
    if column.distinct < 2:
        return None
    if not column.numeric:
        if column.distinct > MOST_CATEGORIES:
            return None
        corners: Floats = np.eye(column.distinct)[column.code] / np.sqrt(2)
        return corners
    values = column.values.astype(np.float64)[column.code]
    missing = ~np.isfinite(values)
    there = values[~missing]
    low, middle, high = np.quantile(there, (0.25, 0.5, 0.75)) if len(there) else (0.0, 0.0, 0.0)
    spread = float((high - low) / QUARTILES or np.std(there)) if len(there) else 0.0
    if not np.isfinite(spread) or spread == 0:
        return missing[:, None].astype(np.float64) if missing.any() else None
    scaled = np.where(missing, 0.0, (values - middle) / spread)
    return np.column_stack([scaled, missing]) if missing.any() else scaled[:, None]


def queried(n: int) -> Places:
    """Return the rows to examine: all of few, of many a sample that keeps the cost bounded."""
    size = min(n, MOST_QUERIES, PAIRS // n)
    return np.sort(stream(0, n).choice(n, size=size, replace=False)).astype(np.intp)


def nearest(points: Floats, queries: Places, *, numbers: int = 1) -> Nearest:
    """Return the nearest other rows of some rows."""
    n = len(points)
    m = min(NEIGHBOURS, n - 1)
    square = (points**2).sum(axis=1)
    rows = np.empty((len(queries), m), dtype=np.intp)
    distance = np.empty((len(queries), m))
    step = max(1, 5_000_000 // n)
    for start in range(0, len(queries), step):
        here = slice(start, start + step)
        own = queries[here]
        rough = square - 2 * points[own] @ points.T
        rough[np.arange(len(own)), own] = np.inf
        near = np.argpartition(rough, m - 1, axis=1)[:, :m]
        exact = np.sqrt(((points[near] - points[own][:, None]) ** 2).sum(axis=2))
        order = np.argsort(exact, axis=1, kind="stable")
        rows[here] = np.take_along_axis(near, order, axis=1)
        distance[here] = np.take_along_axis(exact, order, axis=1)
    return Nearest(points, queries, rows, distance, numbers)


def joined(result: Nearest, inside: Places, n: int) -> Twins:
    """Return the sets of near-equal rows: each examined row with those up to its gap."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    counted = np.arange(result.rows.shape[1]) < inside[:, None]
    ends = result.rows[counted]
    starts = np.repeat(result.queries, inside)
    graph = coo_array((np.ones(len(starts)), (starts, ends)), shape=(n, n))
    code: Codes = connected_components(graph, directed=False)[1].astype(np.intp)
    rows = np.unique(np.concatenate([starts, ends]))
    return Twins(rows, np.unique(code[rows], return_inverse=True)[1].astype(np.intp))


FEWEST_VALUES = 10  # distinct values of a column that may name owners of rows; a convention
RANDOM_AGREEMENT = 0.1  # of pairs have the same value: with more, it is a category
REPEATED = 0.1  # of the rows have a value that others have too
ALIKE = 0.5  # of these have their nearest row under the same value
IN_ORDER = 0.5  # of the nearest rows of another value have the next one, as of a measured number
NEAR_EQUAL = 0.1  # of the rows, beyond three times what chance gives
TOLERANCE = 1e-4  # of a standard deviation, in every feature
PLAIN = 0.01  # pairs of rows as near to each other in the whole table, if they were so by chance
FEW_VALUES = 0.05  # a value for each so many rows: with fewer, a number has steps
RECHECKED = 3  # columns looked at more closely
MOST_CONFIRMED = 200  # rows that are looked at once more; bounds the time

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
    result = {}
    for _, column, feature in sorted(alike, key=lambda one: -one[0])[:RECHECKED]:
        apart = near
        if feature and near is not None:  # its own values must not say who is near
            points = coordinates(one for one in columns() if not _says_the_same(column, one))
            apart = None if points is None else nearest(points, near.queries)
        share = 0.0 if apart is None else _same(column, apart)
        if apart is not None and share >= ALIKE and not _in_order(column, apart):
            result[column.name] = _repeated(column, n, share, feature=feature)
        elif _names_someone(column.name):
            named.append((column, feature))
    for column, feature in named:
        result[column.name] = _repeated(column, n, None, feature=feature)
    every = np.arange(n, dtype=np.intp)
    divided = {
        column.name
        for column, _ in [*((c, f) for _, c, f in alike), *named]
        if column.name in result and divided_rows(Twins(every, column.code), splits, n).any()
    }
    return {name: one for name, one in result.items() if name in divided}


def _repeats(column: Column, n: int) -> bool:
    """Tell whether a column has many values, of which many rows share one with a few others."""
    if column.distinct < FEWEST_VALUES:
        return False
    many = np.bincount(column.code, minlength=column.distinct)
    return column.agreement <= RANDOM_AGREEMENT and many[many > 1].sum() >= REPEATED * n


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


def _repeated(column: Column, n: int, share: float | None, *, feature: bool) -> Finding:
    what = f"{column.name} has {counted(column.distinct, 'value')} in {counted(n, 'row')}"
    if share is not None:
        expected = f"{number(100 * column.agreement)} % expected at random"
        what += (
            f", and rows of the same value are alike: {number(100 * share)} % have their nearest "
            f"row in all other features there ({expected})"
        )
    option = "" if _bare(column.name).isdigit() else f" (--groups {_bare(column.name)})"
    anyway = "" if feature else ", although the column is left out of the features"
    more = "; leaving it out of the features does not help" if feature else ""
    return Finding(
        "repeated-id",
        WARNING,
        f"{what}. If it identifies patients, customers or the like, the model is tested on those "
        f"it was fitted on{anyway}: pass it as groups{option} with a scheme such as "
        f"stratified-grouped:5{more}",
    )


# ---------------------------------------------------------------- near-equal-rows


def near_equal(
    near: Nearest, duplicates: Sequence[Twins], splits: Sequence[Split], n: int
) -> Iterator[Finding]:
    """Yield a finding if rows have others so near that they may be the same example.

    Either many of the examined rows have a few others at a fifth of the distance to the next row
    outside. Or a few rows (`duplicates`: sets of rows equal up to `TOLERANCE`) are so much nearer
    to each other than to the next row that one such pair is improbable at random.
    """
    inside, m = near.inside(), near.dimensions()
    share, expected = float((inside > 0).mean()), GAP**-m / (1 - GAP**-m)
    if share >= NEAR_EQUAL + 3 * expected:
        if divided_rows(joined(near, inside, n), splits, n).any():
            rows = as_rows(near.queries[inside > 0])
            examined = "" if len(near.queries) == n else f" of {len(near.queries):,} examined"
            others = counted(round(float(np.median(inside[inside > 0]))), "other")
            yield _near_equal(
                splits,
                f"{len(rows):,} rows{examined} ({number(100 * share)} %) have others nearly equal "
                f"to them in all features (usually {others}), nearer by a factor of 5 than any "
                "other row",
                rows,
            )
        return
    divided = np.zeros(n, dtype=bool)
    for sets in duplicates:
        divided |= divided_rows(sets, splits, n)
    suspects = np.flatnonzero(divided)
    if not len(suspects):
        return
    looked = suspects[:MOST_CONFIRMED]
    close = nearest(near.points, looked)
    k = close.inside(duplicates=True)
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
        "keep one row per example: splits in the order of time take no groups"
        if forward(splits)
        else "keep the rows of one example together as groups (--groups COL), with a scheme such "
        "as stratified-grouped:5"
    )
    return Finding(
        "near-equal-rows",
        WARNING,
        f"{what}. If they are repeated measurements of one example, the estimate is optimistic: "
        f"{remedy}",
        rows,
    )
