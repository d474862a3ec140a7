"""Which rows of a table are predictions of the same example, and how many examples there are."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import Note
from plumbline.errors import InputError
from plumbline.formatting import counted, quoted
from plumbline.predictions.labels import Labels, label_text, rows_of_codes
from plumbline.predictions.table import Predictions
from plumbline.roles import RepeatedID, names

Ints = NDArray[np.intp]
COLUMNS = ("repeat", "fold")
MOST_PAIRED = (
    8  # attributes looked at two by two for a refusal; a convention, which bounds its time
)
WORTH_A_WORD = 1.05  # times as wide: less is within the noise of a few hundred rows


@dataclass(frozen=True, slots=True, eq=False)
class ExampleCounts:
    """Number of examples of a table, each counted once even if several models predicted it.

    Attributes
    ----------
    n : number of examples; rows : number of rows, of all models together
    effective_n : Kish's effective number of them, (sum w)^2 / sum w^2
    by_class : (k,) number of examples of every class
    """

    n: int
    rows: int
    effective_n: float
    by_class: NDArray[np.int64]

    @property
    def unit(self) -> str:
        """What n counts: "row" if every row is its own example, else "example"."""
        return "row" if self.n == self.rows else "example"


def repeated_id(data: Predictions) -> RepeatedID | None:
    """Return the column of an ID that recurs; None where none does.

    >>> import warnings
    >>> import pyarrow as pa
    >>> table = pa.table({"actual": [0, 1, 1], "p:1": [0.2, 0.7, 0.6], "loan_id": [7, 8, 8]})
    >>> with warnings.catch_warnings(action="ignore"):  # it says the same
    ...     repeated_id(Predictions.from_frame(table))
    RepeatedID(column='loan_id', values=2, rows=3)
    """
    reading = data.reading
    column = None if reading is None or data.groups is not None else reading.unexplained
    if column is None or column not in data.attributes or data.counted:
        return None
    values = {*data.attributes[column].tolist()}
    found = RepeatedID(column, len(values), count_examples(data).n)
    return found if found.values < found.rows else None


def note_on_repeats(data: Predictions) -> Note | None:
    """Return the note that rows repeat an ID, so that they may not be independent."""
    found = repeated_id(data)
    if found is None:
        reading = data.reading
        if not data.counted or reading is None or reading.unexplained is None:
            return None
        return Note(
            f"Column {quoted(reading.unexplained)} recurs among the first rows, and p-values and "
            "intervals take every row as independent.",
            "rows-repeat",
        )
    return Note(
        f"C{found.text[1:]}{_wider(data, found.column)}. If rows of one value belong together, "
        "name it with `groups`.",
        "rows-repeat",
    )


def _wider(data: Predictions, column: str) -> str:
    """Return by how much intervals may be too narrow, where residuals of equal IDs go together.

    That is the root of the design effect of the mean residual: the sum of (sum r)^2 over IDs,
    divided by that over examples.
    """
    if data.prob is None:
        return ""
    top = data.most_likely if data.k > 2 else np.full(data.n, data.positive)
    residual = data.mass * ((data.actual == top) - data.prob[np.arange(data.n), top])
    codes = Labels.of(column, data.attributes[column].astype(str)).codes
    rows = np.arange(data.n) if data.row is None else Labels.of("row", data.row).codes
    if data.model is not None:  # each answer is about one model
        codes, rows = (one + (one.max() + 1) * data.model.codes for one in (codes, rows))
    together, alone = (float(np.square(np.bincount(one, residual)).sum()) for one in (codes, rows))
    times = np.sqrt(together / alone) if alone > 0 else 1.0
    return f"; they may have to be {times:.2g} times as wide" if times >= WORTH_A_WORD else ""


def numbers_in_model(data: Predictions) -> Ints:
    """Return the (n,) place of every row among those of its model, from 0.

    >>> data = Predictions.from_arrays([0, 1, 0], [0.1, 0.8, 0.3], model=["a", "b", "a"])
    >>> numbers_in_model(data).tolist()
    [0, 0, 1]
    """
    numbers = np.arange(data.stored)
    if data.model is not None:
        for own in rows_of_codes(data.model.codes).values():
            numbers[own] = np.arange(len(own))
    return numbers


def count_examples(data: Predictions) -> ExampleCounts:
    """Count the distinct examples in the rows of all models, folds and repeats.

    Rows with the same `row` are of one example. Without `row`, the models are taken to have
    predicted the same examples: the largest number of rows of one model counts. The weight of an
    example is the mean over its rows; without `row`, its weight for the model with the most rows.

    >>> data = Predictions.from_arrays(
    ...     [0, 1, 0, 0, 1, 0], [0.1, 0.8, 0.3, 0.2, 0.6, 0.4], model=["a"] * 3 + ["b"] * 3
    ... )
    >>> data.n, count_examples(data).n, count_examples(data).by_class.tolist()
    (6, 3, [2, 1])
    """
    if data.counted:
        parts = data.by_model().values()
        most = max(part.total for part in parts)
        sums = [np.bincount(part.actual, part.mass, part.k) for part in parts]
        by_class = np.max(sums, axis=0).astype(np.int64)
        return ExampleCounts(most, data.total, float(most), by_class)
    mass = np.ldexp(data.mass, -np.frexp(data.mass.max(initial=0.0))[1])  # no square overflows
    splits = (data.model, data.fold, data.repeat)
    if data.row is not None and any(one is not None and len(one.names) > 1 for one in splits):
        codes = Labels.of("row", data.row).codes.astype(np.int64)
        of_class = np.unique(codes * data.k + data.actual) % data.k
        rows = np.bincount(codes)
        weights = (np.bincount(codes, mass) / np.maximum(rows, 1))[rows > 0]
        n = len(weights)
        by_class = np.bincount(of_class, minlength=data.k)
    elif data.model is None:
        n, weights, by_class = data.n, mass, np.bincount(data.actual, minlength=data.k)
    else:
        codes, models = data.model.codes.astype(np.int64), max(1, len(data.model.names))
        rows = np.bincount(codes, minlength=models)
        n, weights = int(rows.max()), mass[codes == rows.argmax()]
        each = np.bincount(codes * data.k + data.actual, minlength=models * data.k)
        by_class = each.reshape(models, data.k).max(axis=0)
    squares = float(np.square(weights).sum())
    effective_n = float(weights.sum() ** 2 / squares) if squares else 0.0
    return ExampleCounts(n, data.n, effective_n, by_class)


def examples_in(data: Predictions) -> int:
    """Return the number of different examples, summed over models.

    An example recurs where several repeats, or folds drawn again, predicted it: its rows have one
    `row` in common. Without `row` every row counts as an example.

    >>> data = Predictions.from_arrays([0, 1, 0], [0.1, 0.8, 0.3], repeat=[0, 0, 1], row=[7, 8, 7])
    >>> data.n, examples_in(data)
    (3, 2)
    """
    splits = (data.repeat, data.fold)
    if data.row is None or not any(one is not None and len(one.names) > 1 for one in splits):
        return data.n
    codes = Labels.of("row", data.row).codes.astype(np.int64)
    if data.model is not None:
        codes = codes * len(data.model.names) + data.model.codes
    return len(np.unique(codes))


def sets_of_rows(data: Predictions) -> Ints | None:
    """Return the (n,) number of the set that every row belongs to; None where each is on its own.

    Rows of a set are drawn, left out and counted together: those of a group where the table has
    groups, else those of an example (`row`) that recurs.

    >>> data = Predictions.from_arrays([0, 1, 0], [0.1, 0.8, 0.3], row=[7, 7, 8], repeat=[0, 1, 0])
    >>> sets_of_rows(data).tolist(), sets_of_rows(data.in_groups(["a", "b", "b"])).tolist()
    ([0, 0, 1], [0, 1, 1])
    """
    if data.groups is not None:
        return np.asarray(data.groups.codes, np.intp)
    if data.row is None:
        return None
    codes = Labels.of("row", data.row).codes.astype(np.intp)
    return None if len(codes) == codes.max() + 1 else codes


def has_own_truth(data: Predictions) -> bool:
    """Tell whether the truth is that of the model's own answer: whether it was right.

    >>> data = Predictions.from_arrays(["right", "wrong"], [0.8, 0.3], positive="right")
    >>> has_own_truth(data)
    True
    """
    named = data.reading is not None and names.squeezed(data.reading.actual) in names.CORRECT
    return data.k == 2 and (named or frozenset(data.classes) in names.RIGHT_OR_WRONG)


def paired(data: Predictions, a: Any, b: Any, *, own_truth: bool = False) -> tuple[Ints, Ints]:
    """Return the (n,) row numbers of model a, and those of model b for the same examples.

    With `own_truth` each model has its own true class, which names of rows must then pair.

    Rows belong together where `row`, `repeat` and `fold` (those there are) are equal; in a table
    without `row`, by their order, if `actual`, `repeat` and `fold` are equal row by row.

    Raises InputError for a model that is not there, and where some row has no partner or another
    true class than its partner.

    >>> data = Predictions.from_arrays(
    ...     [0, 1, 1, 0], [0.2, 0.9, 0.6, 0.1], model=["a", "a", "b", "b"], row=[7, 8, 8, 7]
    ... )
    >>> paired(data, "a", "b")
    (array([0, 1]), array([3, 2]))
    """
    rows_a, rows_b = _rows_of(data, a), _rows_of(data, b)
    if data.row is None:
        rows_a, rows_b = _by_order(data, rows_a, rows_b)
    else:
        rows_a, rows_b = _by_row(data, rows_a, rows_b)
    differ = np.flatnonzero(data.actual[rows_a] != data.actual[rows_b])
    if len(differ) and not (own_truth and data.row is not None):
        i = differ[0]
        classes = [data.classes[data.actual[rows[i]]] for rows in (rows_a, rows_b)]
        raise InputError(
            f"two models are compared on the same examples, but {_name(data, rows_a[i])} has "
            f"class {quoted(classes[0])} for one and {quoted(classes[1])} for the other; "
            + ("correct `actual`" if data.row is not None else _how_to_number(data)),
            code="classes-differ",
            choices=[{"rename": {name: "row"}} for name in _that_number(data)],
        )
    return rows_a, rows_b


def _how_to_number(data: Predictions) -> str:
    """Say how rows of several models without an ID can be told apart."""
    some = itertools.combinations(list(data.attributes)[:MOST_PAIRED], 2)
    pair = () if _that_number(data) else next((two for two in some if _one(data, two)), ())
    if pair:
        first, second = map(quoted, pair)
        numbering = f"columns {first} and {second}, which number the rows of a model"
        return f"join {numbering}, into one called 'row'"
    return "add a column 'row' that numbers the rows"


def _that_number(data: Predictions) -> Sequence[str]:
    """Return attributes that have a value of their own in each row of a model."""
    if data.row is not None:
        return ()
    return [name for name in data.attributes if _one(data, (name,))]


def _one(data: Predictions, names: Sequence[str]) -> bool:
    """Tell whether each model has every combination of the values of some columns once."""
    values = (np.asarray(data.attributes[name]).astype(str) for name in names)
    columns = [np.unique(one, return_inverse=True)[1] for one in values]
    models = data.model.codes if data.model is not None else np.zeros(data.n, np.int32)
    rows = len(np.unique(np.column_stack(columns), axis=0))
    whole = len(np.unique(np.column_stack([models, *columns]), axis=0)) == data.n
    return whole and rows * len(data.models) == data.n


def _rows_of(data: Predictions, model: Any) -> Ints:
    if data.model is None:
        raise InputError(
            "a comparison needs a column `model`, which this table lacks; stack the rows of both "
            "models and name their model there",
            code="models-unnamed",
        )
    return np.flatnonzero(data.model.where("model", model))


def _by_order(data: Predictions, rows_a: Ints, rows_b: Ints) -> tuple[Ints, Ints]:
    """Pair row by row; refuse where lengths, repeats or folds show that the orders differ."""
    remedy = "add a column `row` with the example of each row"
    if len(rows_a) != len(rows_b):
        raise InputError(
            f"two models are compared on the same examples, but one has {len(rows_a):,} rows and "
            f"the other {len(rows_b):,}; {remedy}",
            code="examples-differ",
        )
    for name in COLUMNS:
        column: Labels | None = getattr(data, name)
        if column is not None and not np.array_equal(column.codes[rows_a], column.codes[rows_b]):
            raise InputError(
                "without `row` the rows of two models are paired by their order, but their "
                f"`{name}` differs; {remedy}",
                code="examples-differ",
            )
    return rows_a, rows_b


def _by_row(data: Predictions, rows_a: Ints, rows_b: Ints) -> tuple[Ints, Ints]:
    """Pair by row, repeat and fold, which no two rows of a model share."""
    row = Labels.of("row", data.row).codes
    key = row.astype(np.int64)
    for name in COLUMNS:
        column: Labels | None = getattr(data, name)
        if column is not None:
            key = key * len(column.names) + column.codes
    alone = np.setxor1d(key[rows_a], key[rows_b])
    if len(alone):
        whose = [rows[np.isin(key[rows], alone)] for rows in (rows_a, rows_b)]
        examples = [_name(data, i) for i in np.concatenate(whose)[:3]]
        if set(row[rows_a]) == set(row[rows_b]):
            raise InputError(
                "two models are compared on the same examples in the same folds, but folds or "
                f"repeats differ (such as {', '.join(examples)})",
                code="folds-differ",
                remedy="use the same --scheme and --seed for both, or give both models in one run",
            )
        only = zip(("the first", "the second"), map(len, whose), strict=True)
        of_each = " and ".join(f"{rows:,} of {name}" for name, rows in only if rows)
        raise InputError(
            f"two models are compared on the same examples, but {counted(len(alone), 'row')} "
            f"{'has' if len(alone) == 1 else 'have'} no partner in the other model: "
            f"{of_each} (such as {', '.join(examples)}); leave out the examples that "
            "one of them did not predict",
            code="examples-differ",
        )
    partner = rows_b[np.argsort(key[rows_b])]
    rank = np.argsort(np.argsort(key[rows_a]))
    return rows_a, partner[rank]


def _name(data: Predictions, place: np.intp) -> str:
    """Name a row of the table."""
    if data.row is None:
        return f"row {place} (counted from 0)"
    parts = [f"row {quoted(label_text(data.row[place]))}"]
    for name in COLUMNS:
        column: Labels | None = getattr(data, name)
        if column is not None:
            parts.append(f"{name} {quoted(column.names[column.codes[place]])}")
    return ", ".join(parts)
