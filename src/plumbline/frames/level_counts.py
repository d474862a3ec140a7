"""Rows counted at levels of their probability: what parts of a table add up to, in any order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError, warn
from plumbline.formatting import counted, quoted, waiting_text
from plumbline.frames.arrow_values import label_codes, number_array
from plumbline.frames.attributes import (
    MISSING,
    MOST_NUMBERS,
    NO_SUMMANDS,
    Kind,
    codes_of,
    distinct_numbers,
    has_many,
    kind_of,
)
from plumbline.frames.bad_rows import (
    NO_LABEL,
    NO_NUMBER,
    NOT_FINITE,
    OUTSIDE,
    SUM,
    BadRows,
    Place,
    need_rows,
    note,
    reason,
    refusal,
)
from plumbline.frames.class_cells import (
    add_losses,
    cells_of,
    no_rows,
)
from plumbline.frames.class_views import (
    ClassRows,
    EventRows,
    class_rows,
    need_same_classes,
    slices_of,
    with_classes,
)
from plumbline.frames.columns import ALL_CLASSES, PREDICTED, CountedColumns
from plumbline.frames.complete_rows import complete_rows
from plumbline.frames.counted_table import predictions_of
from plumbline.frames.late_labels import LateFile
from plumbline.frames.levels import (
    FINE,
    HITS,
    MISSES,
    NO_REST,
    OFFSET,
    SUMS,
    Levels,
    Wide,
    add_rows,
    add_sums,
    join,
    levels_for,
)
from plumbline.jit import read_only
from plumbline.predictions import Predictions
from plumbline.predictions.probabilities import rounding_of, sums_off

if TYPE_CHECKING:
    import pyarrow as pa

MOST_GROUPS = 200  # each has counts of its own, so this bounds memory (docs/scale.md)
MOST_CODES = 1 << 16  # that are sorted by counting
MOST_NAMES = 20  # of labels that are remembered: two are counted, the others refused
Key = tuple[str, ...]


@dataclass
class LevelCounts:
    """How many rows of either label there are at every level, for each group of rows.

    A group has one model, fold, repeat, predicted label, and value of each attribute of few values.
    Of other attributes, which hold numbers, each level has the sums over its misses and its hits.

    Parts are added by `add`, the sums of other parts by `merge`; any order gives the same counts.

    Attributes
    ----------
    columns : the parts that the columns play
    levels : where rows are counted
    names : labels in the order of their appearance; the first two are counted
    groups : by a text for each of `columns.keys`, what `Levels.empty` describes
    bad : rows that cannot be counted, by the reason
    rows : rows that were added
    rounded : rows of rounded probabilities, which were divided by their sums
    kinds : what each attribute holds, as far as it is known
    summed : attributes whose numbers are summed, in the order of the columns
    missing : rows in which an attribute of numbers has none that is finite; bad if it is summed
    contents : digest of each file that a state has counted, and its name then
    late : files of which rows wait or waited for their label, by their first digest
    left_out : rows that lack a value and were to be left out
    """

    columns: CountedColumns
    levels: Levels = FINE
    names: list[str] = field(default_factory=list)
    groups: dict[Key, Wide] = field(default_factory=dict)
    bad: dict[str, BadRows] = field(default_factory=dict)
    rows: int = 0
    rounded: int = 0
    kinds: dict[str, Kind] = field(default_factory=dict)
    summed: list[str] = field(default_factory=list)
    missing: dict[str, BadRows] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)
    late: dict[str, LateFile] = field(default_factory=dict)
    left_out: int = 0

    @property
    def waiting(self) -> int:
        """How many rows wait for their label; they are not counted."""
        return sum(one.waiting for one in self.late.values())

    def add(self, batch: "pa.RecordBatch", source: str, first: int) -> None:
        """Count the rows of a batch, of which the first is row `first` of `source`."""
        kept = complete_rows(batch, self.columns) if self.columns.drop is not None else None
        if kept is not None:
            self.left_out += batch.num_rows - len(kept)
            batch = batch.take(kept)
        self.rows += batch.num_rows
        if not self.columns.many:
            origin = _Origins(source, first, kept)
            hit = self._hits(batch.column(self.columns.actual), origin)
            self._add(batch, self._events(batch, hit, origin), origin)
            return
        self.columns = what = with_classes(self.columns, batch)
        start = 0
        for part in slices_of(batch, what):
            origin = _Origins(source, first, kept, start)
            rows = class_rows(what, part, partial(self._find, origin))
            if what.view == ALL_CLASSES:
                self._add_classes(part, rows, origin)
            else:
                self.names[:] = what.events
                self._add(part, rows.events(what.target_number), origin)
            self.rounded += rows.rounded
            start += part.num_rows

    def _add_classes(self, batch: "pa.RecordBatch", rows: ClassRows, origin: "_Origins") -> None:
        """Count the rows of all classes in the groups of a batch."""
        for key, own in self._groups_of(batch, rows.label, origin):
            part = (rows.prob, rows.label, rows.top)
            if own is not None:
                part = (rows.prob[own], rows.label[own], rows.top[own])
            add_losses(*read_only(part[0]), *part[1:], self._counts(key))

    def _add(self, batch: "pa.RecordBatch", events: EventRows, origin: "_Origins") -> None:
        """Count the events of a batch in the groups of its rows."""
        prob, rest, hit = events.prob, events.rest, events.hit
        groups = self._groups_of(batch, hit, origin)
        values = self._numbers(batch, hit, origin)
        for key, rows in groups:
            counts = self._counts(key)  # may make the levels coarser
            part, sums = (prob, rest, hit), values
            if rows is not None:
                part = (prob[rows], rest[rows] if len(rest) else rest, hit[rows])
                sums = values[rows]
            at = (self.levels.linear, self.levels.each, counts)
            add_rows(*read_only(part[0]), *part[1:], *at)
            if self.summed:
                add_sums(*read_only(part[0]), *part[1:], sums, *at)

    def merge(self, other: "LevelCounts") -> None:
        """Add what other parts came to; `other` is used up."""
        if self.columns.many:
            need_same_classes(self.columns, other.columns)
            self.columns = self.columns if self.columns.targets else other.columns
        turned = self._merged_names(other.names)
        common = self.levels.common(other.levels)
        other._coarsen(common)
        self._coarsen(common)
        for name, kind in other.kinds.items():
            self._set_kind(name, kind)
        for name in self.columns.attributes:
            if name in {*self.summed, *other.summed} or self._have_many(name, other):
                self._sum(name)
                other._sum(name)
        for key, counts in other.groups.items():
            if turned:
                counts[:] = counts[:, _turned(counts.shape[1])]
            self._join(key, counts)
        self._keep_few_groups()
        for mine, theirs in ((self.bad, other.bad), (self.missing, other.missing)):
            for why, rows in theirs.items():
                note(mine, why, rows.count, rows.first, rows.value)
        self.rows += other.rows
        self.left_out += other.left_out
        self.rounded += other.rounded
        self.contents |= other.contents
        for first, one in other.late.items():
            self.late[first] = self.late[first].joined(one) if first in self.late else one
        other.groups.clear()

    def _merged_names(self, names: Sequence[str]) -> bool:
        """Take over the labels of other parts; tell whether their first two stand the other way."""
        self._remember(names)
        pair = [self.names.index(name) for name in names[:2] if name in self.names]
        return bool(pair) and (pair[0] == 1 or pair[1:] == [0])

    def _remember(self, names: Iterable[str | None]) -> None:
        """Take over the names of labels, in their order."""
        for name in names:
            if name is not None and name not in self.names and len(self.names) < MOST_NAMES:
                self.names.append(name)

    # ---------------------------------------------------------------- rows

    def _hits(self, column: "pa.Array", origin: "_Origins") -> NDArray[np.int8]:
        """Return (n,) code of every label, -1 where it is missing or one too many."""
        codes, names = label_codes(column, self.columns.no_label)
        self._remember(names)
        numbers = np.full(len(names) + 1, -1, np.int8)
        for code, name in enumerate(names):
            if name is not None:
                at = self.names.index(name) if name in self.names else MOST_NAMES
                numbers[code] = at if at < 2 else -1
        as_they_are = codes.dtype == np.int8 and numbers[:-1].tolist() == [0, 1]
        hit: NDArray[np.int8] = codes if as_they_are else numbers[codes]
        absent = [code for code, name in enumerate(names) if name is None]
        if absent:
            self._find(origin, reason(NO_LABEL, self.columns.actual), np.isin(codes, absent))
        return hit

    def _events(
        self, batch: "pa.RecordBatch", hit: NDArray[np.int8], origin: "_Origins"
    ) -> EventRows:
        """Return the rows of two classes as events; those without probabilities lose their hit."""
        columns = []
        for name in self.columns.prob:
            values = number_array(batch.column(name))
            if not _sound(values):
                missing = np.isnan(values)
                slack = rounding_of(values)
                outside = (values < -slack) | (values > 1 + slack)
                self._find(origin, reason(NO_NUMBER, name), missing)
                self._find(origin, reason(OUTSIDE, name), outside, values)
                hit[missing | outside] = -1
                values = np.clip(values, 0, 1)
            columns.append(values)
        if len(columns) == 1:
            return EventRows(np.ascontiguousarray(columns[0]), NO_REST, hit)
        rest, prob = self._with_sum_one(np.column_stack(columns), hit, origin).T
        return EventRows(np.ascontiguousarray(prob), rest.astype(np.float64), hit)

    def _with_sum_one(
        self, pair: NDArray[Any], hit: NDArray[np.int8], origin: "_Origins"
    ) -> NDArray[Any]:
        """Return (n, 2) probabilities, divided by their sum where that is off by little."""
        total = pair.sum(axis=1, dtype=np.float64)
        sums = sums_off(pair, total, hit >= 0)
        self._find(origin, reason(SUM), sums.refused, total)
        hit[sums.refused] = -1
        self.rounded += int(np.count_nonzero(sums.rounded))
        if sums.divided.any():
            pair[sums.divided] /= total[sums.divided, None]
        return pair

    def _groups_of(
        self, batch: "pa.RecordBatch", hit: NDArray[Any], origin: "_Origins"
    ) -> list[tuple[Key, NDArray[np.intp] | None]]:
        """Return the groups that a batch holds, and their rows (None: all)."""
        every = []
        for name, column in zip(self.columns.keys, self.columns.key_columns, strict=True):
            values = batch.column(column)
            if name in self.columns.attributes:
                every.append(self._values_of(name, values, origin))
            else:
                every.append(self._labels_of(name, column, values, hit, origin))
        return _rows_by_key(every, batch.num_rows)

    def _labels_of(
        self,
        name: str,
        column: str,
        values: "pa.Array",
        hit: NDArray[np.int8],
        origin: "_Origins",
    ) -> tuple[NDArray[Any], list[str]]:
        """Return codes and names of models, folds, repeats or predicted labels."""
        codes, names = label_codes(values)
        absent = [code for code, value in enumerate(names) if value is None]
        if absent:
            missing = np.isin(codes, absent)
            self._find(origin, reason(NO_LABEL, column), missing)
            hit[missing] = -1
        if name == PREDICTED:
            self._remember(names)
        return codes, [value or "" for value in names]

    def _values_of(
        self, name: str, column: "pa.Array", origin: "_Origins"
    ) -> tuple[NDArray[Any], list[str]]:
        """Return codes and names of an attribute of few values; of others there is one name."""
        kind = kind_of(column.type, name)
        self._set_kind(name, kind)
        if name not in self.summed:
            if has_many(column, kind):
                self._sum(name)
            else:
                codes, names = codes_of(column, kind)
                if not self._have_many(name, names):
                    if kind == "number":
                        self._miss(name, np.isin(names, NO_SUMMANDS)[codes], origin)
                    return codes, names
                self._sum(name)
        return np.zeros(len(column), np.int32), [MISSING]

    def _numbers(self, batch: "pa.RecordBatch", hit: NDArray[np.int8], origin: "_Origins") -> Wide:
        """Return (n, summed) numbers of the attributes that are summed."""
        numbers = np.empty((batch.num_rows, len(self.summed)))
        for j, name in enumerate(self.summed):
            own = self.columns.own_attributes[self.columns.attributes.index(name)]
            values = number_array(batch.column(own))
            if not np.isfinite(values.sum()):
                bad = ~np.isfinite(values)
                self._miss(name, bad, origin)
                hit[bad] = -1
            numbers[:, j] = values
        return numbers

    # ---------------------------------------------------------------- groups

    def _set_kind(self, name: str, kind: Kind | None) -> None:
        if kind is not None and self.kinds.setdefault(name, kind) != kind:
            raise InputError(
                f"the attribute {quoted(name)} holds a {self.kinds[name]} in some parts of the "
                f"table, and a {kind} in others",
                code="columns-differ",
            )

    def _have_many(self, name: str, more: "LevelCounts | Sequence[str]") -> bool:
        """Tell whether an attribute has too many numbers to part the rows, more ones included."""
        if self.kinds.get(name) != "number":
            return False
        names = more._names_of(name) if isinstance(more, LevelCounts) else more
        return len(distinct_numbers([*self._names_of(name), *names])) > MOST_NUMBERS

    def _names_of(self, name: str) -> list[str]:
        place = self.columns.keys.index(name)
        return [key[place] for key in self.groups]

    def _sum(self, name: str) -> None:
        """Keep sums of an attribute from now on: groups that differ by it become one."""
        if name in self.summed:
            return
        self.summed = [one for one in self.columns.attributes if one in (*self.summed, name)]
        place, column = self.columns.keys.index(name), SUMS + 2 * self.summed.index(name)
        groups, self.groups = self.groups, {}
        for key, counts in groups.items():
            wide = np.insert(counts, [column, column], 0.0, axis=1)
            value = 0.0 if key[place] in NO_SUMMANDS else float(key[place])
            wide[:, column] = value * wide[:, MISSES]
            wide[:, column + 1] = value * wide[:, HITS]
            self._join((*key[:place], MISSING, *key[place + 1 :]), wide)

    def _join(self, key: Key, counts: Wide) -> None:
        if key in self.groups:
            join(self.groups[key], counts)
        else:
            self.groups[key] = counts

    def _counts(self, key: Key) -> Wide:
        if key not in self.groups:
            self.groups[key] = no_rows(self.columns, self.levels, len(self.summed))
            self._keep_few_groups()
        return self.groups[key]

    def _keep_few_groups(self) -> None:
        if not cells_of(self.columns):
            self._coarsen(levels_for(len(self.groups), self.levels))
        if len(self.groups) > MOST_GROUPS:
            most = max(self.columns.keys, key=lambda name: len({*self._names_of(name)}))
            raise InputError(
                f"more than {MOST_GROUPS} combinations of {' and '.join(self.columns.keys)} do "
                f"not fit into memory at once; most values has {quoted(most)}",
                code="too-many-groups",
                remedy="leave it out; read the table with `engine='memory'`",
            )

    def _coarsen(self, to: Levels) -> None:
        levels = self.levels
        if to != levels:
            self.groups = {key: levels.coarsened(held, to) for key, held in self.groups.items()}
            self.levels = to

    # ---------------------------------------------------------------- bad rows

    def _find(
        self, origin: "_Origins", why: str, bad: NDArray[np.bool_], values: Any = None
    ) -> None:
        rows = np.flatnonzero(bad)
        if len(rows):
            row = int(rows[0])
            value = None if values is None else values[row].item()
            note(self.bad, why, len(rows), origin.of(row), value)

    def _miss(self, name: str, missing: NDArray[np.bool_], origin: "_Origins") -> None:
        rows = np.flatnonzero(missing)
        if len(rows):
            note(self.missing, name, len(rows), origin.of(int(rows[0])), None)

    def all_bad(self) -> dict[str, BadRows]:
        """Return all rows that cannot be counted, by the reason."""
        missing = {
            reason(NOT_FINITE, name): rows
            for name, rows in self.missing.items()
            if name in self.summed
        }
        return self.bad | missing

    def refuse_bad_rows(self) -> None:
        """Raise if there are rows that cannot be counted, saying how many, why, and the first."""
        bad = self.all_bad()
        if bad:
            raise refusal(bad)

    # ---------------------------------------------------------------- the table

    def predictions(self) -> Predictions:
        """Return the table: a row for each level and label, which counts the rows that it is."""
        if not self.rows and self.waiting:
            raise InputError(
                f"there is no row to evaluate: {waiting_text(self.waiting)}",
                code="no-label-yet",
                remedy="add their file again when they have one: plumbline state update STATE FILE",
            )
        need_rows(self.rows, self.all_bad())
        if self.rounded:
            warn(
                f"{counted(self.rounded, 'row')} whose probabilities do not sum to 1 were divided "
                "by their sum: rounding explains this",
                code="rounded-rows",
                remedy="write more digits, such as %.17g, to keep the probabilities as they are",
            )
        return predictions_of(self)


@dataclass(frozen=True)
class _Origins:
    """Where rows stand: a part of those of a batch, or of those that were kept of it."""

    source: str
    first: int
    kept: NDArray[np.intp] | None = None
    start: int = 0

    def of(self, row: int) -> Place:
        """Return the place of a row, counted from the first of the part."""
        at = self.start + row
        return Place(self.source, self.first + (at if self.kept is None else int(self.kept[at])))


def _turned(width: int) -> list[int]:
    """Return the columns of counts with misses and hits, and their sums, exchanged."""
    sums = [column + one for column in range(SUMS, width, 2) for one in (1, 0)]
    return [HITS, MISSES, *range(OFFSET, SUMS), *sums]


def _rows_by_key(
    every: Sequence[tuple[NDArray[Any], Sequence[str]]], n: int
) -> list[tuple[Key, NDArray[np.intp] | None]]:
    """Return the combinations of names that rows have, and their rows (None: all)."""
    if not every:
        return [((), None)]
    number: NDArray[Any] = np.zeros(n, np.int64)
    size = 1
    for codes, names in every:
        if len(names) > 1:
            number, size = number * len(names) + codes, size * len(names)
        if size > MOST_CODES:
            number = np.unique(number, return_inverse=True)[1]
            size = int(number.max(initial=0)) + 1
    rows = np.bincount(number, minlength=size)
    filled = int(np.count_nonzero(rows))
    if filled < 2:
        return [(tuple(names[codes[0]] for codes, names in every), None)] if n else []
    order = np.argsort(number.astype(np.uint16) if size <= MOST_CODES else number, kind="stable")
    parts = np.split(order, np.cumsum(rows[rows > 0])[:-1])
    return [(tuple(names[codes[part[0]]] for codes, names in every), part) for part in parts]


def _sound(values: NDArray[Any]) -> bool:
    return bool(not len(values) or (values.min() >= 0 and values.max() <= 1))  # a NaN fails both
