"""How many different examples the rows of a table are of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions.labels import Labels
from plumbline.predictions.table import Predictions


@dataclass(frozen=True, slots=True, eq=False)
class ExampleCounts:
    """How many examples a table holds, each counted once however many models predicted it.

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
        """What n counts, for a reader: rows where every row is an example of its own."""
        return "row" if self.n == self.rows else "example"


def count_examples(data: Predictions) -> ExampleCounts:
    """Count the examples that the rows of all models, folds and repeats are of.

    Rows with the same `row` are of one example. Without `row`, the models are taken to have
    predicted the same examples: the largest number of rows of one model counts. The weight of an
    example is the mean over its rows; without `row`, its weight for the model with the most rows.

    >>> data = Predictions.from_arrays(
    ...     [0, 1, 0, 0, 1, 0], [0.1, 0.8, 0.3, 0.2, 0.6, 0.4], model=["a"] * 3 + ["b"] * 3
    ... )
    >>> data.n, count_examples(data).n, count_examples(data).by_class.tolist()
    (6, 3, [2, 1])
    """
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
    """Return the number of different examples, added over models; the rows where none recurs.

    An example recurs where several repeats, or folds that are drawn anew, predicted it: its rows
    have one `row` in common. Without `row` nothing tells, and every row counts as an example.

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
