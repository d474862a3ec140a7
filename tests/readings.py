"""What must be the same of a table that is read in several ways."""

import numpy as np

from plumbline.errors import PlumblineError


def outcome(read, *source):
    """Return the table, or its refusal."""
    try:
        return read(*source)
    except PlumblineError as error:
        return error


def facts(data):
    """Return what must be the same: parts of columns, classes, numbers."""
    reading = data.reading
    named = (reading.actual, [column for column, _ in reading.prob], reading.shape)
    parts = (dict(reading.parts), reading.recurs, reading.left_out, reading.scale, reading.logits)
    classes = (
        data.classes,
        data.classes[data.positive],
        data.models,
        data.folds,
        [*data.attributes],
    )
    return named, parts, classes, data.n


def numbers(data):
    """Return every number of the rows."""
    held = (data.prob, data.score, data.weight, data.actual)
    return [np.zeros(0) if one is None else np.asarray(one, float) for one in held]


def assert_same(data, other):
    """Compare two tables to the last digit."""
    assert facts(other) == facts(data)
    for one, same in zip(numbers(data), numbers(other), strict=True):
        np.testing.assert_array_equal(one, same)
