"""Which of two classes is the positive one: by its name, one table for the whole product."""

import re
from collections.abc import Sequence
from functools import lru_cache

from plumbline.roles.names import plain, words_of


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


USUAL_PAIRS = (  # (positive, negative): names that mean the same, in small letters without "_"
    (_names("1"), _names("0")),
    (_names("1"), _names("minus1")),
    (_names("true t"), _names("false f")),
    (_names("yes y ja j oui o si s sim"), _names("no n nein non nao")),
    (_names("positive pos positiv +"), _names("negative neg negativ -")),
    (_names("correct c right"), _names("incorrect i wrong")),
    (_names("event"), _names("noevent none nonevent")),
    (_names("present"), _names("absent")),
    (_names("case"), _names("control")),
)
ONE_IS_ENOUGH = (  # one of them implies the other; (negative, positive)
    ("0", "1"),
    ("False", "True"),
    ("FALSE", "TRUE"),
    ("false", "true"),
)
REASONS = {  # why a class of two is the positive one; {} is a column
    "said": "as was said",
    "prob": "column {} is its probability",
    "pair": "the usual one of the two",
    "truth": "column {} is named after it",
    "predicted": "column {} is so where its probability is large",
    "last": "the last of the two",
}
NEGATION = re.compile(r"^(no|not|non|nicht)_?")


def usual_pair(pair: Sequence[str]) -> tuple[str, str] | None:
    """Return two classes as (negative, positive) if one of them is positive by common usage.

    >>> usual_pair(("Yes", "No")), usual_pair(("event", "No event")), usual_pair(("spam", "ham"))
    (('No', 'Yes'), ('No event', 'event'), None)
    >>> usual_pair(("none", "relapse"))
    ('none', 'relapse')
    """
    return _usual(*pair)


@lru_cache(maxsize=1_024)  # asked for several times of every table
def _usual(first: str, second: str) -> tuple[str, str] | None:
    for negative, positive in ((first, second), (second, first)):
        low, high = _folded(negative), _folded(positive)
        if any(high in yes and low in no for yes, no in USUAL_PAIRS):
            return negative, positive
        named, other = plain(positive), plain(negative)
        if named and named != other and (other == "none" or NEGATION.sub("", other) == named):
            return negative, positive
    return None


def both_classes(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels, with the class that one of 0 and 1, or of true and false, implies.

    >>> both_classes(("1",)), both_classes(("bad",)), both_classes(("a", "b", "c"))
    (('0', '1'), ('bad',), ('a', 'b', 'c'))
    """
    if tuple(labels) == ("-1",):
        return ("-1", "1")
    implied = (pair for pair in ONE_IS_ENOUGH if len(labels) == 1 and labels[0] in pair)
    return next(implied, tuple(labels))


def named_after_column(column: str, labels: Sequence[str]) -> str | None:
    """Return the class that a column of labels is named after: spam of a column "spam".

    >>> named_after_column("is_spam", ("ham", "spam")), named_after_column("y", ("a", "b"))
    ('spam', None)
    """
    words = (plain(column), *words_of(column))
    own = [label for label in labels if not label.isdigit() and plain(label) in words]
    return own[0] if len(own) == 1 else None


def _folded(label: str) -> str:
    return plain(label).replace("_", "") or label.strip()
