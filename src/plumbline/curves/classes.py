"""All classes of a table as one: every row once for every class."""

import dataclasses

import numpy as np

from plumbline.predictions import Predictions


def stacked(data: Predictions) -> Predictions:
    """Return the table of n * k rows that asks of every class: is the row of it?

    Row i of class c has P(c) of row i, and is positive where c is its true class; its attributes,
    weight, model and fold are those of row i. A micro-averaged curve is a curve of this table.

    >>> data = Predictions.from_arrays([0, 2], [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    >>> wide = stacked(data)
    >>> wide.actual.tolist(), wide.prob[:, 1].tolist()
    ([1, 0, 0, 0, 0, 1], [0.7, 0.2, 0.1, 0.1, 0.3, 0.6])
    """
    again = np.repeat(np.arange(data.n), data.k)
    column = np.tile(np.arange(data.k), data.n)
    long = data.select(where=again)
    prob = long.prob
    score = long.score
    answers = long.predicted if prob is not None or long.label is not None else None
    return dataclasses.replace(
        long,
        classes=("rest", "class") if "class" not in data.classes else ("others", "this class"),
        actual=(long.actual == column).astype(np.int32),
        prob=None if prob is None else _pair(prob[np.arange(len(again)), column]),
        log_prob=None,
        label=None if answers is None else (answers == column).astype(np.int32),
        score=None if score is None or score.ndim == 1 else score[np.arange(len(again)), column],
        row=again if data.row is None else long.row,  # an example's k rows are drawn together
        positive=1,
    )


def _pair(prob: np.ndarray) -> np.ndarray:
    both = np.empty((len(prob), 2), prob.dtype, order="F")
    both[:, 1] = prob
    both[:, 0] = 1 - prob
    return both
