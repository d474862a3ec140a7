"""Rows counted at levels of their probability: what parts of a table add up to, in any order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten
from plumbline.errors import InputError, warn
from plumbline.formatting import counted, quoted
from plumbline.frames.arrow_values import label_codes, number_array
from plumbline.frames.class_views import (
    EventRows,
    event_rows,
    need_same_classes,
    slices_of,
    with_classes,
)
from plumbline.frames.columns import WHOLE, CountedColumns, viewed
from plumbline.frames.levels import (
    FINE,
    HITS,
    LEAST_LINEAR,
    MISSES,
    NO_REST,
    OFFSET,
    Levels,
    Wide,
    add_rows,
    join,
)
from plumbline.predictions import Predictions
from plumbline.predictions.counted import CountedAt
from plumbline.predictions.labels import Labels
from plumbline.predictions.probabilities import rounding_of

if TYPE_CHECKING:
    import pyarrow as pa

MOST_FINE = 4  # groups of rows that are counted at fine levels
MOST_GROUPS = 64
LEVELS_AT_ONCE = 1 << 17
MOST_NAMES = 20  # of labels that are remembered: two are counted, the others refused
Key = tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """A row of a source, from 0."""

    source: str
    row: int

    def __str__(self) -> str:
        return f"row {self.row:,} of {self.source} (counting from 0)"


@dataclass
class BadRows:
    """Rows that cannot be counted for one reason, and the first of them."""

    count: int
    first: Place
    value: Any


@dataclass
class LevelCounts:
    """How many rows of either label there are at every level, for each model, fold and repeat.

    Parts are added by `add`, the sums of other parts by `merge`; any order gives the same counts.

    Attributes
    ----------
    columns : the parts that the columns play
    levels : where rows are counted
    names : labels in the order of their appearance; the first two are counted
    groups : by model, fold and repeat, what `Levels.empty` describes
    bad : rows that cannot be counted, by the reason
    rows : rows that were added
    rounded : rows of rounded probabilities, which were divided by their sums
    """

    columns: CountedColumns
    levels: Levels = FINE
    names: list[str] = field(default_factory=list)
    groups: dict[Key, Wide] = field(default_factory=dict)
    bad: dict[str, BadRows] = field(default_factory=dict)
    rows: int = 0
    rounded: int = 0

    def add(self, batch: "pa.RecordBatch", source: str, first: int) -> None:
        """Count the rows of a batch, of which the first is row `first` of `source`."""
        self.rows += batch.num_rows
        if not self.columns.many:
            place = _Places(source, first)
            hit = self._hits(batch.column(self.columns.actual), place)
            prob = self._probabilities(batch, hit, place)
            self._add(batch, EventRows(prob, NO_REST, hit), place)
            return
        self.columns = with_classes(self.columns, batch)
        self.names[:] = self.columns.events
        for part in slices_of(batch, self.columns):
            place = _Places(source, first)
            events = event_rows(self.columns, part, partial(self._find, place))
            self._add(part, events, place)
            self.rounded += events.rounded
            first += part.num_rows

    def _add(self, batch: "pa.RecordBatch", events: EventRows, place: "_Places") -> None:
        """Count the events of a batch in the groups of its rows."""
        prob, rest, hit = events.prob, events.rest, events.hit
        for key, rows in self._groups_of(batch, hit, place):
            counts = self._counts(key)  # may make the levels coarser
            part = (prob, rest, hit)
            if rows is not None:
                part = (prob[rows], rest[rows] if len(rest) else rest, hit[rows])
            add_rows(*part, self.levels.linear, self.levels.each, counts)

    def merge(self, other: "LevelCounts") -> None:
        """Add what other parts came to; `other` is used up."""
        if self.columns.many:
            need_same_classes(self.columns, other.columns)
            self.columns = self.columns if self.columns.targets else other.columns
        turned = self._merged_names(other.names)
        common = self.levels.common(other.levels)
        if common.linear < LEAST_LINEAR:
            raise InputError(
                f"counts at {self.levels.linear:,} and at {other.levels.linear:,} levels have only "
                f"{common.linear:,} in common; count the rows of one of them anew",
                code="levels-differ",
            )
        other._coarsen(common)
        self._coarsen(common)
        for key, counts in other.groups.items():
            if turned:
                counts[:, [MISSES, HITS]] = counts[:, [HITS, MISSES]]
            if key in self.groups:
                join(self.groups[key], counts)
            else:
                self.groups[key] = counts
        self._keep_few_groups()
        for reason, rows in other.bad.items():
            self._note(reason, rows.count, rows.first, rows.value)
        self.rows += other.rows
        self.rounded += other.rounded
        other.groups.clear()

    def _merged_names(self, names: Sequence[str]) -> bool:
        """Take over the labels of other parts; tell whether their first two stand the other way."""
        for name in names:
            if name not in self.names and len(self.names) < MOST_NAMES:
                self.names.append(name)
        pair = [self.names.index(name) for name in names[:2] if name in self.names]
        return bool(pair) and (pair[0] == 1 or pair[1:] == [0])

    # ---------------------------------------------------------------- rows

    def _hits(self, column: "pa.Array", place: "_Places") -> NDArray[np.int8]:
        """Return (n,) code of every label, -1 where it is missing or one too many."""
        codes, names = label_codes(column)
        numbers = np.full(len(names) + 1, -1, np.int8)
        for code, name in enumerate(names):
            if name is None:
                continue
            if name not in self.names and len(self.names) < MOST_NAMES:
                self.names.append(name)
            at = self.names.index(name) if name in self.names else MOST_NAMES
            numbers[code] = at if at < 2 else -1
        hit: NDArray[np.int8] = numbers[codes]
        absent = [code for code, name in enumerate(names) if name is None]
        if absent:
            self._find(
                place, f"column {quoted(self.columns.actual)} is empty", np.isin(codes, absent)
            )
        return hit

    def _probabilities(
        self, batch: "pa.RecordBatch", hit: NDArray[np.int8], place: "_Places"
    ) -> NDArray[Any]:
        """Return (n,) probabilities of the counted column; rows that have none lose their hit."""
        columns = []
        for name in self.columns.prob:
            values = number_array(batch.column(name))
            if not _sound(values):
                missing = np.isnan(values)
                slack = rounding_of(values)
                outside = (values < -slack) | (values > 1 + slack)
                self._find(place, f"column {quoted(name)} is empty or NaN", missing)
                self._find(
                    place,
                    f"column {quoted(name)} must be a probability in [0, 1], and is not",
                    outside,
                    values,
                )
                hit[missing | outside] = -1
                values = np.clip(values, 0, 1)
            columns.append(values)
        if len(columns) == 2:
            total = columns[0].astype(np.float64) + columns[1]
            off = np.abs(total - 1.0) > rounding_of(columns[0])
            if off.any():
                self._find(
                    place, "the probabilities must sum to 1, and do not", off & (hit >= 0), total
                )
                hit[off] = -1
        return np.ascontiguousarray(columns[-1])

    def _groups_of(
        self, batch: "pa.RecordBatch", hit: NDArray[np.int8], place: "_Places"
    ) -> list[tuple[Key, NDArray[np.intp] | None]]:
        """Return the groups that a batch holds, and their rows (None: all)."""
        if not self.columns.groups:
            return [((), None)]
        number = np.zeros(batch.num_rows, np.int64)
        keys: list[Key] = [()]
        for name in self.columns.groups:
            codes, names = label_codes(batch.column(name))
            absent = [code for code, value in enumerate(names) if value is None]
            if absent:
                missing = np.isin(codes, absent)
                self._find(place, f"column {quoted(name)} is empty", missing)
                hit[missing] = -1
            number = number * len(names) + codes
            keys = [(*key, value or "") for key in keys for value in names]
        present = np.unique(number)
        if len(present) == 1:
            return [(keys[int(present[0])], None)]
        return [(keys[int(one)], np.flatnonzero(number == one)) for one in present]

    def _counts(self, key: Key) -> Wide:
        if key not in self.groups:
            self.groups[key] = self.levels.empty()
            self._keep_few_groups()
        return self.groups[key]

    def _keep_few_groups(self) -> None:
        if len(self.groups) > MOST_FINE and self.levels == FINE:
            self._coarsen(FINE.coarser)
        if len(self.groups) > MOST_GROUPS:
            raise InputError(
                f"more than {MOST_GROUPS} combinations of {' and '.join(self.columns.groups)} do "
                "not fit into memory at once; read fewer columns, or fewer models",
                code="too-many-groups",
            )

    def _coarsen(self, to: Levels) -> None:
        if to != self.levels:
            self.groups = {
                key: self.levels.coarsened(counts, to) for key, counts in self.groups.items()
            }
            self.levels = to

    # ---------------------------------------------------------------- bad rows

    def _find(
        self, place: "_Places", reason: str, bad: NDArray[np.bool_], values: Any = None
    ) -> None:
        rows = np.flatnonzero(bad)
        if len(rows):
            row = int(rows[0])
            value = None if values is None else values[row].item()
            self._note(reason, len(rows), Place(place.source, place.first + row), value)

    def _note(self, reason: str, count: int, first: Place, value: Any) -> None:
        known = self.bad.get(reason)
        if known is None:
            self.bad[reason] = BadRows(count, first, value)
            return
        known.count += count
        if (first.source, first.row) < (known.first.source, known.first.row):
            known.first, known.value = first, value

    def refuse_bad_rows(self) -> None:
        """Raise if there are rows that cannot be counted, saying how many, why, and the first."""
        if not self.bad:
            return
        reasons = []
        for reason, rows in self.bad.items():
            got = "" if rows.value is None else f", got {shorten(rows.value)}"
            where = (
                f"in {rows.first}"
                if rows.count == 1
                else f"in {rows.count:,} rows, first in {rows.first}"
            )
            reasons.append(f"{reason} {where}{got}")
        raise InputError(
            f"{'; '.join(reasons)}. Correct these rows or leave them out",
            code="bad-rows",
        )

    # ---------------------------------------------------------------- the table

    def predictions(self) -> Predictions:
        """Return the table: a row for each level and label, which counts the rows that it is."""
        self.refuse_bad_rows()
        if self.rows == 0:
            raise InputError("the table has no rows; there is nothing to evaluate", code="no-rows")
        if self.rounded:
            warn(
                f"{counted(self.rounded, 'row')} whose probabilities do not sum to 1 were divided "
                "by their sum: rounding explains this",
                code="rounded-rows",
                remedy="write more digits, such as %.17g, to keep the probabilities as they are",
            )
        names = self.names
        if all(map(WHOLE.fullmatch, names)) and self.columns.text:
            names = [name.removesuffix(".0") for name in names]
        pilot = self.columns.pilot(sorted(names))
        event = int(pilot.prob[0].argmax()) if pilot.prob is not None else 1
        homes = [pilot.classes.index(name) for name in names[:2]]
        groups = sorted(self.groups.items())
        sizes = [int(np.count_nonzero(counts[:, : HITS + 1])) for _, counts in groups]
        rows = _Rows.empty(sum(sizes))
        for (_, counts), end in zip(groups, np.cumsum(sizes).tolist(), strict=True):
            rows.fill(self.levels, counts, end, turned=homes != sorted(homes))
        coded: dict[str, Any] = {
            name: Labels.of_names(
                name,
                np.repeat(np.arange(len(groups), dtype=np.int32), sizes),
                [key[j] for key, _ in groups],
            )
            for j, name in enumerate(self.columns.groups)
        }
        data = Predictions(
            classes=pilot.classes,
            positive=pilot.positive,
            actual=np.array([*homes, 0], np.int32)[rows.label],
            prob=rows.means if event == 1 else np.asfortranarray(rows.means[:, ::-1]),
            weight=rows.weight,
            counted=True,
            levels=CountedAt(
                self.levels.linear,
                self.levels.each,
                event,
                rows.alike,
                self.columns.view if self.columns.many else None,
                self.columns.classes if self.columns.many else (),
            ),
            **coded,
        )
        return data if self.columns.many else viewed(data, self.columns.view)


@dataclass(frozen=True)
class _Rows:
    """Rows of the table: (n, 2) mean 1 - p and p, and of each its label, count, whether alike."""

    means: Wide
    label: NDArray[np.int8]
    weight: Wide
    alike: NDArray[np.bool_]

    @classmethod
    def empty(cls, n: int) -> "_Rows":
        return cls(
            np.empty((n, 2), order="F"), np.empty(n, np.int8), np.empty(n), np.empty(n, np.bool_)
        )

    def fill(self, levels: Levels, counts: Wide, end: int, *, turned: bool) -> None:
        """Write the rows of a group, which end before row `end`, piece by piece to save memory.

        The first label of a level is that of the first class, which is counted second if `turned`.
        """
        order = slice(None, None, -1 if turned else 1)
        last = end
        for start in reversed(range(0, len(counts), LEVELS_AT_ONCE)):
            piece = counts[start : start + LEVELS_AT_ONCE]
            level = np.flatnonzero((piece[:, MISSES] > 0) | (piece[:, HITS] > 0))
            pair = piece[level, : HITS + 1][:, order].ravel()
            cell = np.flatnonzero(pair)  # the two labels of a level, those of the next level
            own = slice(last - len(cell), last)
            self.means[own] = levels.means(counts, level + start)[cell >> 1]
            self.label[own] = (cell & 1) ^ turned
            self.weight[own] = pair[cell]
            self.alike[own] = (piece[level, OFFSET] == 0)[cell >> 1]
            last = own.start


@dataclass(frozen=True)
class _Places:
    source: str
    first: int


def _sound(values: NDArray[Any]) -> bool:
    return bool(not len(values) or (values.min() >= 0 and values.max() <= 1))  # a NaN fails both
