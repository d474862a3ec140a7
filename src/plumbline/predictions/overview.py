"""What was understood of a table: rows, models, classes, parts, and its first rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._checks import shorten, shown
from plumbline._result import Detail, Note, Presentation, Result, Table
from plumbline.formatting import counted, quoted
from plumbline.predictions.examples import count_examples, note_on_repeats, repeated_id
from plumbline.predictions.labels import Array
from plumbline.predictions.plain_types import python_rows
from plumbline.predictions.table import Predictions
from plumbline.roles.positive import REASONS

FIRST = 5  # rows that are shown, as in `Predictions.head`
MOST_COLUMNS = 12  # of them, so that a row fits a line
MOST_NAMES = 8  # of models, classes and attributes that are listed


@dataclass(frozen=True, repr=False, eq=False)
class Overview(Result):
    """What was understood of a table.

    Attributes
    ----------
    form : how its file holds the rows, None of other tables
    n, table_rows : different examples, and rows of all models together
    models, folds, repeats : their names
    recurs : column of an ID that recurs and its number of values, None where there is none
    groups : number of groups that rows belong to, None where rows are independent
    holds : "probabilities", "ratings" or "labels"
    classes : examples of each class; rows where models differ in the truth of an example
    positive : the positive class of two, and why it is that one
    left_out : rows that were left out as a value is missing
    missing : rows without a value, by attribute
    first : the first rows as they are understood
    notes : what to know before the table is evaluated
    """

    form: str | None
    n: int
    table_rows: int
    models: Sequence[str]
    folds: Sequence[str]
    repeats: Sequence[str]
    recurs: tuple[str, int] | None
    groups: int | None
    holds: str
    classes: Mapping[str, int]
    positive: tuple[str, str] | None
    left_out: int
    missing: Mapping[str, int]
    first: Sequence[Mapping[str, Any]]
    notes: Sequence[Note] = field(default=(), metadata={"hidden": True})

    def present(self) -> Presentation:
        """Return the facts, and the first rows as a table."""
        return Presentation(
            details=tuple(Detail(key, key, text) for key, text in self._facts()),
            notes=tuple(self.notes),
            tables=(self._first_rows(),) if self.first else (),
            tables_first=True,
        )

    def _facts(self) -> Iterator[tuple[str, str]]:
        if self.form:
            yield "form", self.form
        several = f", of {counted(self.n, 'example')}" if self.n < self.table_rows else ""
        yield "rows", f"{self.table_rows:,}{several}"
        for name in ("models", "folds", "repeats"):
            names: Sequence[str] = getattr(self, name)
            if names:
                yield name, f"{len(names):,}: {shown(names, MOST_NAMES)}"
        if self.groups is not None:
            yield "groups", counted(self.groups, "group")
        if self.recurs is not None:
            column, values = self.recurs
            yield "recurs", f"{column}, {counted(values, 'value')}"
        yield "predictions", self.holds
        each = [f"{name} {n:,}" for name, n in self.classes.items()]
        more = f", and {len(each) - MOST_NAMES:,} more" if len(each) > MOST_NAMES else ""
        differ = " (rows)" if sum(self.classes.values()) > self.n else ""
        yield "classes", f"{', '.join(each[:MOST_NAMES])}{more}{differ}"
        if self.positive is not None:
            yield "positive", f"{self.positive[0]}: {self.positive[1]}"
        without = {name: n for name, n in self.missing.items() if n}
        out = [f"{counted(self.left_out, 'row')} left out"] if self.left_out else []
        out += [f"{quoted(name)} {n:,}" for name, n in [*without.items()][:MOST_NAMES]]
        out += [f"{len(without) - MOST_NAMES:,} more columns"] if len(without) > MOST_NAMES else []
        yield "missing", ", ".join(out) or "none"
        yield "attributes", shown([*self.missing], MOST_NAMES) or "none"

    def _first_rows(self) -> Table:
        names = [*self.first[0]]
        kept, left = names[:MOST_COLUMNS], names[MOST_COLUMNS:]
        cells = {name: [_cell(row[name]) for row in self.first] for name in kept}
        texts = [n for n in kept if any(isinstance(row[n], str) for row in self.first)]
        return Table(
            cells,
            left=tuple(texts),
            title="First rows as they are understood",
            more=f"and {counted(len(left), 'column')} more: {shown(left, 4)}" if left else "",
        )


def _cell(value: Any) -> str:
    if value is None or value != value:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else shorten(str(value), 40).strip("'\"")


def overview(data: Predictions) -> Overview:
    """Return what was understood of a table.

    >>> data = Predictions.from_arrays([0, 1, 1], [0.2, 0.7, 0.6], attributes={"age": [31, 54, 40]})
    >>> seen = overview(data)
    >>> seen.n, seen.classes, seen.positive[0], seen.missing
    (3, {'0': 1, '1': 2}, '1', {'age': 0})
    """
    examples, reading, again = count_examples(data), data.reading, repeated_id(data)
    many = data.k > 2 or (data.levels is not None and data.levels.view is not None)
    holds = "ratings" if data.score is not None else "labels"
    each = examples.by_class
    if each.sum() != examples.n and not data.counted:
        each = np.bincount(data.actual, minlength=data.k)
    reason = REASONS["last"] if reading is None else reading.reason
    return Overview(
        form=None if reading is None else reading.form or None,
        n=examples.n,
        table_rows=data.total,
        models=data.models,
        folds=data.folds,
        repeats=() if data.repeat is None else data.repeat.names,
        recurs=None if again is None else (again.column, again.values),
        groups=None if data.groups is None else len(data.groups.names),
        holds=holds if data.prob is None else "probabilities",
        classes=dict(zip(data.classes, each.tolist(), strict=True)),
        positive=None if many else (data.classes[data.positive], reason),
        left_out=0 if reading is None else reading.left_out,
        missing={name: _missing(values) for name, values in data.attributes.items()},
        first=() if data.counted else python_rows(data.head(FIRST)),
        notes=tuple(filter(None, [note_on_repeats(data)])),
    )


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return value != value
    return value is None or (isinstance(value, str) and value == "")


def _missing(values: Array) -> int:
    if values.dtype.kind == "f":
        return int(np.isnan(values).sum())
    if values.dtype.kind in "mM":
        return int(np.isnat(values).sum())
    if values.dtype.kind == "O":
        return sum(map(_is_missing, values.tolist()))
    return 0
