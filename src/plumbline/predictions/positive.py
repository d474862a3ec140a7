"""Which of two classes a single column of numbers is about."""

from collections.abc import Iterable
from typing import Any

from plumbline._checks import shorten, shown
from plumbline.errors import InputError
from plumbline.predictions.labels import sorted_classes

ONE_IS_ENOUGH = (  # one of them tells the other; (negative, positive)
    ("0", "1"),
    ("False", "True"),
    ("FALSE", "TRUE"),
    ("false", "true"),
)
USUAL_PAIRS = (  # (negative, positive), whatever the case of their letters
    ("0", "1"),
    ("-1", "1"),
    ("false", "true"),
    ("f", "t"),
    ("no", "yes"),
    ("n", "y"),
    ("negative", "positive"),
    ("neg", "pos"),
    ("-", "+"),
    ("absent", "present"),
    ("control", "case"),
)


def two_classes(column: str, names: Iterable[str], *, classes: str = "classes") -> tuple[str, str]:
    """Return the two classes of a binary classifier, sorted, from the labels that occur.

    0 and 1, or False and True, tell each other even if only one of them is present, and -1 alone
    tells 1; other labels must be exactly two. `classes` is the argument that names them.
    """
    seen = set(names)
    if seen == {"-1"}:
        return "-1", "1"
    for pair in ONE_IS_ENOUGH:
        if seen <= set(pair):
            return pair
    if len(seen) == 2:
        first, last = sorted_classes(seen)
        return first, last
    raise InputError(
        f"column {column!r} has {len(seen):,} distinct label{'s' * (len(seen) != 1)} "
        f"({shown(sorted_classes(seen))}), so the two classes cannot be told; name them with "
        f"{classes}=[negative, positive], or give one probability column p:<class> a class"
    )


def ordered_pair(
    pair: tuple[str, str], positive: Any, *, column: str, argument: str = "positive"
) -> tuple[str, str]:
    """Return the classes in order, the usual positive one last, where one column serves both.

    The column is about the class that `positive` names, else about the usual one of a pair in
    `USUAL_PAIRS`. Raises InputError where neither tells: a wrong guess would turn every number
    around. `argument` is how the caller names the positive class.
    """
    usual = usual_pair(pair)
    if usual is None and positive is None:
        first, last = (shorten(name) for name in pair)
        raise InputError(
            f"the true classes are {first} and {last}, and nothing tells which of them {column!r} "
            f"was predicted for; name this class, the positive one: {argument}={first} or "
            f"{argument}={last}"
        )
    return usual or pair


def usual_pair(pair: tuple[str, str]) -> tuple[str, str] | None:
    """Return two classes as (negative, positive) if one of them is positive by common usage.

    >>> usual_pair(("Yes", "No")), usual_pair(("fraud", "legit"))
    (('No', 'Yes'), None)
    """
    for first, last in (pair, pair[::-1]):
        if (first.casefold(), last.casefold()) in USUAL_PAIRS:
            return first, last
    return None
