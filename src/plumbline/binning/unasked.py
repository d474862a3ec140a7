"""Which attributes are looked at where none is named: groups of rows, not single rows, not time."""

import re
from typing import Any

import numpy as np

from plumbline.binning.groups import numbers_of
from plumbline.predictions import Predictions
from plumbline.predictions.labels import is_missing

IDENTIFIES, TIME = "an id", "time"
MOST_DISTINCT = 0.9  # share of the rows; of more distinct values hardly two rows have the same
FEW = 20  # values that are a category, whatever they are called
WORDS = {"id", "uuid", "guid"}


def unasked_attributes(data: Predictions) -> tuple[str, ...]:
    """Return the attributes that are searched, drawn and proposed without being named.

    >>> columns = {"patient_id": range(40), "site": ["a", "b"] * 20}
    >>> unasked_attributes(Predictions.from_arrays([0, 1] * 20, [0.5] * 40, attributes=columns))
    ('site',)
    """
    return tuple(name for name in data.attributes if why_not_unasked(data, name) is None)


def why_not_unasked(data: Predictions, attribute: str) -> str | None:
    """Return why an attribute is looked at only where it is named, None where it always is.

    It identifies rows if more than 90 % of its values differ (those of numbers with a fraction may,
    as a measurement does), if it is numbers that rise and have equally many rows each, as questions
    with four answers have, if it is called an id, or if it recurs as patients do whose rows may
    belong together.
    """
    if data.counted:  # its values are those of cells, and few
        return None
    rows = next(iter(data.by_model().values()))  # every model has the same rows
    values = np.asarray(rows.attributes[attribute])
    numbers = numbers_of(values)
    if numbers is not None and numbers.dtype.kind == "M":
        return TIME
    if numbers is None:
        present: Any = np.array([str(one) for one in values if not is_missing(one)])
    else:
        present = numbers[~np.isnan(numbers)]
    _, rows_of_each = np.unique(present, return_counts=True)
    distinct = len(rows_of_each)
    if distinct <= FEW:
        return None
    whole = numbers is None or bool((present == np.round(present)).all())
    if whole and distinct > MOST_DISTINCT * len(present):
        return IDENTIFIES
    rising = numbers is not None and whole and bool((np.diff(present) >= 0).all())
    if rising and rows_of_each.min() == rows_of_each.max():
        return IDENTIFIES
    recurs = data.reading is not None and data.reading.recurs == attribute
    return IDENTIFIES if recurs or (whole and _last_word(attribute) in WORDS) else None


def _last_word(name: str) -> str:
    """Return the last word of a name, in small letters.

    >>> [_last_word(name) for name in ("patient_id", "loanId", "ID", "grid", "paid")]
    ['id', 'id', 'id', 'grid', 'paid']
    """
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return words[-1].lower() if words else ""
