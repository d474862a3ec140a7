"""Rows whose label comes later: a file that returns is recognised, and its new labels are counted.

Its rows are recognised in their order, by all that is read of them except the labels.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.frames.arrow_values import label_codes, number_array, number_column, text_column
from plumbline.frames.bad_rows import BadRows, Place, note, refusal
from plumbline.frames.batches import Part
from plumbline.frames.columns import CountedColumns, plain_name
from plumbline.frames.count import count_rows
from plumbline.frames.late_labels import (
    DIGITS,
    WAITS,
    Codes,
    Late,
    LateFile,
    code_of,
    digest_of_labels,
    recoded,
)
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.levels import levels_of
from plumbline.predictions.columns import list_matrix
from plumbline.predictions.files import first_of
from plumbline.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

FEW_LEVELS = levels_of(360)  # where rows that wait are only checked
SAMPLE = 64  # rows of a file that are kept to notice others of it; half of 64 is no accident
LEAST_SHARED = 8  # as few rows of rounded probabilities may be in two files
DIFFERENT = 0.9  # share of rows that differ from which rows are told apart by what they hold
ALL = np.iinfo(np.uint64).max
# Multipliers of SplitMix64, whose every output bit depends on every bit of a number.
STEP, FIRST, SECOND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class FileRows:
    """A file whose rows are to be counted: its name, the names of its columns, and its parts."""

    name: str
    columns: Sequence[str]
    parts: Sequence[Part]


def count_late(
    columns: CountedColumns,
    files: Sequence[FileRows],
    *,
    late: Late,
    again: bool = False,
    workers: int | None = None,
    progress: Progress | None = None,
) -> LevelCounts:
    """Count the rows of files that have a label and were not counted before.

    `late` are files that a state knows; what it is to know of these ones from now on is `late` of
    the counts. With `again` all rows with a label are counted.
    """
    known = dict(late)
    new: dict[str, LateFile] = {}
    to_count: list[Part] = []
    to_check: list[Part] = []
    places: dict[str, tuple[str, NDArray[np.intp]]] = {}
    for file in files:
        came = _arrival(columns, file, list(known.values()))
        base = came.recognised(list(known.values()), again=again)
        one, kept = came.beside(base, again=again)
        known[one.first] = new[one.first] = one
        waiting = came.codes == WAITS
        waiting[: 0 if base is None else base.rows] = False  # which were checked when they came
        for mask, several, label in (
            (kept, to_count, None),
            (waiting, to_check, _some_class(columns)),
        ):
            if mask.any():
                number = len(places)
                places[f"{number}"] = file.parts[0].name, np.flatnonzero(mask)
                batches = _SomeRows(tuple(file.parts), mask, columns.actual, label)
                several.append(Part(f"{number}", 0, batches, int(mask.sum())))
    counts = count_rows(columns, to_count, workers=workers, progress=progress)
    checked = count_rows(columns, to_check, levels=FEW_LEVELS, workers=workers)
    bad: dict[str, BadRows] = {}
    for why, rows in [*counts.all_bad().items(), *checked.all_bad().items()]:
        name, numbers = places[rows.first.source]
        note(bad, why, rows.count, Place(name, int(numbers[rows.first.row])), rows.value)
    if bad:
        raise refusal(bad, [part for file in files for part in file.parts])
    if not counts.columns.targets:  # of lists, of which no row was counted yet
        counts.columns = checked.columns
    counts.late = new
    return counts


def _some_class(columns: CountedColumns) -> str:
    """Return a label with which a row that waits can be checked as if it had one."""
    return columns.classes[0] if columns.many and columns.classes else "0"


# ---------------------------------------------------------------- a file that arrives


@dataclass
class _Arrival:
    """What is read of a file before its rows are counted.

    Attributes
    ----------
    file : what is read
    columns : by which it is to be recognised, if it is new
    codes : (n,) label of every row, WAITS where it has none
    classes : the labels, by their code - 1
    marks : of some columns, digests of its first rows: {columns: {rows: digest}}
    samples : of these columns, numbers of some rows
    overlaps : files with which it shares many rows, by their first digest
    alike : whether all rows have the same values in its own columns
    """

    file: FileRows
    columns: tuple[str, ...]
    codes: Codes
    classes: list[str]
    marks: dict[tuple[str, ...], dict[int, str]] = field(default_factory=dict)
    samples: dict[tuple[str, ...], tuple[int, ...]] = field(default_factory=dict)
    overlaps: set[str] = field(default_factory=set)
    alike: bool = False

    def recognised(self, known: Sequence[LateFile], *, again: bool) -> LateFile | None:
        """Return the file that this one is, perhaps with further rows; None of a new one."""
        found = None
        for one in known:
            marks = self.marks.get(one.columns, {})
            rows = max((rows for rows, digest in one.ends if marks.get(rows) == digest), default=0)
            if rows == 0:
                if one.first in self.overlaps and not again:
                    raise self._refusal(
                        one,
                        "holds rows of {} in another order or number, and rows are recognised by "
                        "their order",
                        "give all rows as they were, and further ones at their end",
                    )
                continue
            if rows not in (one.rows, len(self.codes)):
                raise self._refusal(
                    one,
                    f"begins with the first {rows:,} rows of {{}} and goes on otherwise",
                    "give the file as it was, with further rows at its end",
                )
            if found is None or found.rows < one.rows:
                found = one
        return found

    def beside(self, base: LateFile | None, *, again: bool) -> tuple[LateFile, NDArray[np.bool_]]:
        """Return what is to be known of the file from now on, and which rows are to be counted."""
        labelled = self.codes != WAITS
        if base is None:
            if self.alike and not labelled.all():
                raise InputError(
                    f"{quoted(self.file.name)} has rows without a label whose predictions are all "
                    "the same, so that it would not be recognised when its labels come",
                    code="rows-alike",
                    remedy="add a column that numbers its rows, such as row",
                )
            digest = self.marks[self.columns][len(self.codes)]
            ends = ((len(self.codes), digest),)
            new = LateFile(
                self.file.name, self.columns, ends, self.samples[self.columns], (), 0, ""
            )
            return new.with_labels(self.codes, self.classes), labelled
        classes = [*base.classes]
        codes = recoded(self.codes, self.classes, classes)
        n = min(len(codes), base.rows)
        if not base.waiting and (n < base.rows or not again) and len(codes) <= base.rows:
            same = n < base.rows or digest_of_labels(codes, base.classes) == base.labels
            raise self._refusal(
                base, COUNTED if same else CHANGED, "leave it out" if same else ANEW
            )
        if base.waiting:
            before = base.codes()
        elif digest_of_labels(codes[:n], base.classes) == base.labels:
            before = codes[:n].copy()
        else:
            raise self._refusal(base, CHANGED, ANEW)
        counted_before = before[:n] != WAITS
        changed = counted_before & (codes[:n] != WAITS) & (codes[:n] != before[:n])
        if changed.any():
            raise self._changed(base, changed, classes, before, codes)
        kept = codes != WAITS
        if not again:
            kept[:n] &= ~counted_before
        whole = np.concatenate([codes, before[len(codes) :]])
        whole[:n] = np.where(counted_before, before[:n], codes[:n])
        one = replace(base, name=self.file.name)
        if len(codes) > base.rows:
            end = (len(codes), self.marks[base.columns][len(codes)])
            one = replace(one, ends=(*base.ends, end), sample=self.samples[base.columns])
        return one.with_labels(whole, classes), kept

    def _refusal(self, one: LateFile, text: str, remedy: str) -> InputError:
        called = "the file" if one.name == self.file.name else quoted(one.name)
        return InputError(
            f"{quoted(self.file.name)} {text.format(called)}",
            code="rows-counted-already",
            remedy=f"{remedy}; --again counts all of its rows that have a label",
        )

    def _place(self, row: int) -> tuple[str, int | None]:
        part = self.file.parts[0]
        return part.name, part.line(row)

    def _changed(
        self,
        one: LateFile,
        changed: NDArray[np.bool_],
        classes: Sequence[str],
        before: Codes,
        codes: Codes,
    ) -> InputError:
        rows = np.flatnonzero(changed)
        row = int(rows[0])
        where = first_of(len(rows), row, *self._place(row))
        was, now = (quoted(classes[several[row] - 1]) for several in (before, codes))
        return InputError(
            f"a label has changed since it was counted, in {where}: it was {was} in "
            f"{quoted(one.name)} and is {now}",
            code="label-changed",
            remedy=ANEW,
        )


COUNTED = "holds rows of {} alone, which are counted already"
CHANGED = "has other labels than {} had when its rows were counted"
ANEW = "make the state anew from its files, with the labels as they are now"


def _arrival(columns: CountedColumns, file: FileRows, known: Sequence[LateFile]) -> _Arrival:
    """Read labels and digests of a file, by its own columns and by those of files it may be."""
    by = [columns.recognised_by, *(one.columns for one in known)]
    by = [names for names in dict.fromkeys(by) if {*names} <= {*file.columns}]
    ends = {rows for one in known for rows, _ in one.ends}
    digests = {names: _Digest(sorted(ends)) for names in by}
    names = [*dict.fromkeys([columns.actual, *(name for several in by for name in several)])]
    codes: list[Codes] = []
    classes: list[str] = []
    for part in file.parts:
        for batch in part.batches(names):
            own, called = label_codes(batch.column(columns.actual), columns.no_label)
            home = [WAITS if name is None else code_of(name, classes) for name in called]
            codes.append(np.array([*home, WAITS], np.int32)[own])
            words = {name: _words_of(batch.column(name), name, columns) for name in names[1:]}
            for several, digest in digests.items():
                digest.add([words[name] for name in several], batch.num_rows)
    came = _Arrival(
        file, columns.recognised_by, np.concatenate([np.empty(0, np.int32), *codes]), classes
    )
    for several, digest in digests.items():
        came.marks[several], came.samples[several] = digest.marks(), digest.sample()
        came.overlaps |= {
            one.first for one in known if one.columns == several and digest.overlaps(one.sample)
        }
    came.alike = digests[columns.recognised_by].alike
    return came


class _Digest:
    """Digests of the first rows of a file, for some numbers of rows, and of all."""

    def __init__(self, ends: Sequence[int]) -> None:
        self._ends = list(ends)
        self._made = hashlib.blake2b(digest_size=DIGITS // 2)
        self._marks: dict[int, str] = {}
        self._least: dict[int, int] = {}  # rows of each of the smallest numbers
        self.rows = 0

    def add(self, words: Sequence[Words], n: int) -> None:
        """Add the rows of a batch, given the words of its columns."""
        rows = np.zeros(n, np.uint64)
        for one in words:
            rows = _mixed(rows + STEP + one)
        start = 0
        while self._ends and self._ends[0] <= self.rows + n:
            end = self._ends.pop(0) - self.rows
            self._made.update(rows[start:end].tobytes())
            self._marks[self.rows + end] = self._made.hexdigest()
            start = end
        self._made.update(rows[start:].tobytes())
        self.rows += n
        top = max(self._least) if len(self._least) == SAMPLE else int(ALL)
        small, times = np.unique(rows[rows <= np.uint64(top)], return_counts=True)
        for number, count in zip(small[:SAMPLE].tolist(), times[:SAMPLE].tolist(), strict=True):
            self._least[number] = self._least.get(number, 0) + count
        self._least = dict(sorted(self._least.items())[:SAMPLE])

    @property
    def alike(self) -> bool:
        return len(self._least) < 2

    def marks(self) -> dict[int, str]:
        return self._marks | {self.rows: self._made.hexdigest()}

    def sample(self) -> tuple[int, ...]:
        """Return the smallest numbers of rows; none where many rows have the same."""
        different = len(self._least) >= DIFFERENT * sum(self._least.values())
        return tuple(self._least) if different else ()

    def overlaps(self, sample: Sequence[int]) -> bool:
        """Tell whether half of the rows of a sample are here, or half of these rows there.

        Of two sets, the smallest numbers of one that are in the other say how much they share.
        """
        own = self.sample()
        least = min(int(ALL) if len(one) < SAMPLE else max(one) for one in (own, sample))
        here, there = ({n for n in numbers if n <= least} for numbers in (own, sample))
        shared = len(here & there)
        return shared >= LEAST_SHARED and 2 * shared >= min(len(here), len(there))


def _mixed(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * FIRST
    words = (words ^ (words >> np.uint64(27))) * SECOND
    return words ^ (words >> np.uint64(31))


def _words_of(column: "pa.Array", name: str, columns: CountedColumns) -> Words:
    """Return (n,) a number for each value: the bits of a probability, a digest of a text."""
    import pyarrow as pa

    if name in columns.prob and columns.lists:
        matrix, _ = list_matrix(column, len(columns.targets) or None)
        rows = np.zeros(len(matrix), np.uint64)
        for j in range(matrix.shape[1]):
            rows = _mixed(rows + STEP + _bits(matrix[:, j]))
        return rows
    if name in columns.prob:
        return _bits(number_array(column))
    kind = column.type
    if pa.types.is_temporal(kind) or pa.types.is_decimal(kind):
        column = column.cast(pa.string())
    codes, names = label_codes(column)
    digests = [
        hashlib.blake2b(
            (f"={plain_name(text)}" if text is not None else "").encode(), digest_size=8
        )
        for text in names
    ]
    known = np.array([int.from_bytes(one.digest(), "little") for one in digests], np.uint64)
    words: Words = known[codes]
    return words


def _bits(values: NDArray[Any]) -> Words:
    wide = np.ascontiguousarray(values, np.float64) + 0.0  # which makes -0.0 of two zeros one
    bits: Words = wide.view(np.uint64)
    return bits


@dataclass(frozen=True)
class _SomeRows:
    """Some rows of a file, all with one label if it is named."""

    parts: Sequence[Part]
    kept: NDArray[np.bool_]
    actual: str
    label: str | None

    def __call__(self, names: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        first = 0
        for part in self.parts:
            for batch in part.batches(names):
                own = self.kept[first : first + batch.num_rows]
                first += batch.num_rows
                if not own.any():
                    continue
                some = batch if own.all() else batch.take(number_column(np.flatnonzero(own)))
                if self.label is not None:
                    label = text_column([self.label] * some.num_rows)
                    place = some.schema.get_field_index(self.actual)
                    some = some.set_column(place, self.actual, label)
                yield some
