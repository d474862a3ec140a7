"""How many different examples the rows of a table are of."""

import numpy as np

from plumbline.predictions.labels import Labels
from plumbline.predictions.table import Predictions


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
