"""Days in a formula: a quoted date beside an attribute that is one."""

import re
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from plumbline.formula.parsing import Node
from plumbline.formula.terms import Term

if TYPE_CHECKING:
    from plumbline.formula.checking import Checker

WRITTEN = re.compile(r"\d{4}-\d\d-\d\d(?P<time>[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", re.ASCII)
BEGINNING = datetime(1970, 1, 1)  # times of attributes have no zone either
SECONDS_A_DAY = 86_400
FORM = 'a day in quotes, such as "2024-01-31", or with its time, "2024-01-31 13:45"'


def date_comparison(checker: "Checker", node: Node, sign: str, left: Node, right: Node) -> Term:
    """Return the terms of `booked >= "2024-01-31"`, whose right side is a text.

    Without a time of day the quoted date is the whole day: a value at 13:45 of it equals it.
    """
    term = checker.term(left)
    if not term.date:
        raise checker.wrong(
            f"{term.said} is no date: only an attribute that holds dates is compared by `{sign}` "
            "with a text in quotes",
            node,
        )
    found = WRITTEN.fullmatch(str(right.value))
    if found is None:
        raise checker.wrong(
            f"{term.said} is a date: compare it with {FORM}, not with {str(right.value)!r}", right
        )
    day = checker.made(right, "constant", (), value=_days(checker, right))
    if found["time"] is None:
        term = checker.made(left, "call", (term,), value="floor")
    return checker.made(node, sign, (term, day), kind="truth")


def _days(checker: "Checker", node: Node) -> np.float64:
    """Return the days from the beginning of 1970, as the values of dates are counted."""
    try:
        moment = datetime.fromisoformat(str(node.value))
    except ValueError:
        raise checker.wrong(
            f"there is no such day or time as {str(node.value)!r}; write {FORM}", node
        ) from None
    since = moment - BEGINNING
    microseconds = (since.days * SECONDS_A_DAY + since.seconds) * 10**6 + since.microseconds
    return np.float64(microseconds) / np.float64(SECONDS_A_DAY * 10**6)
