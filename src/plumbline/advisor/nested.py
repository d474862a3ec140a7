"""What the advice gains on parts that took no part in choosing: nested cross-fitting.

The least of many cross-fitted losses looks better than it is (Varma and Simon 2006). So the choice
is repeated without each part in turn, the test whether to recalibrate at all included, and the part
is recalibrated by what was chosen without it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from plumbline.advisor.choosing import Choice, Judged, choice_of, shown
from plumbline.advisor.losses import Change, Rows, paired_change
from plumbline.advisor.score_tests import Evidence
from plumbline.advisor.suitable import FEW_NUMBERS, MANY_NUMBERS
from plumbline.advisor.trying import Asked, Losses, in_threads
from plumbline.comparison.answers import below
from plumbline.errors import PlumblineError

Floats = NDArray[np.float64]
Pair = tuple[str, int, int]

REACH = 2  # parts on either side of one, in a ring: so many choose for it


@dataclass(frozen=True, slots=True, eq=False)
class Gain:
    """What is gained out of part, and the method that was chosen without each part (None: none).

    `apart` tells whether every choice was without the part. It cannot be where there are two parts,
    or where the others lack a class: then the method chosen by all rows is taken.
    """

    change: Change
    chosen: tuple[str | None, ...]
    apart: bool = True


def nested_gain(
    asked: Asked,
    choice: Choice,
    before: Losses,
    rows: Rows,
    evidence: Evidence,
    *,
    level: float,
    workers: int | None,
) -> Gain:
    """Return the change of the log loss by the whole procedure, each part by a choice without it.

    Where the tests without a part do not refute the probabilities, the part stays as it is. Else
    the methods of `_contenders` are judged on the parts next to it (all others of five), by maps
    that have seen neither: a map for every pair of parts.
    """
    if choice.taken.log_loss.reason is not None:  # infinite before: no choice makes a difference
        return Gain(choice.taken.log_loss, ())
    contenders = _contenders(choice)
    part, ratings = asked.cut.part, asked.data.prob is None
    parts = asked.cut.parts
    open_parts = [one for one in range(parts) if ratings or below(evidence.p_value(one), level)]
    fitted = _fitted(asked, [one.trial.method for one in contenders], open_parts, workers)
    after = before.log_loss.copy()
    chosen: list[str | None] = [None] * parts
    apart = True
    for one in open_parts:
        inner = _judged_without(asked, contenders, one, fitted, before, rows, evidence, level)
        taken: Judged | None = choice.taken
        apart &= bool(inner)
        if inner:
            where = np.isin(part, _near(one, parts))
            found = choice_of(inner, _some(rows, where), level=level, ratings=ratings)
            taken = None if found is None else found.taken
        for own in contenders:
            if taken is not None and own.trial.method == taken.trial.method:
                after[part == one] = own.losses.log_loss[part == one]
                chosen[one] = own.trial.method
    change = paired_change(before.log_loss, after, rows, level=level)
    return Gain(change, tuple(chosen), apart)


def _contenders(choice: Choice) -> list[Judged]:
    """Return the methods that compete again: the taken one, the best, and near ones of few numbers.

    Free curves that are no better lose to those anyway, and take most of the time; so do maps of
    k x k numbers, which compete only where one of them was taken.
    """
    taken = choice.taken
    few = [one for one in choice.near if one.trial.method in FEW_NUMBERS and one is not taken]
    slow = taken.trial.method in MANY_NUMBERS or choice.best.trial.method not in MANY_NUMBERS
    return [taken, *([choice.best] if slow and choice.best is not taken else []), *few]


def _near(part: int, parts: int) -> list[int]:
    """Return the parts that choose for one.

    >>> _near(0, 5), _near(0, 10), _near(1, 2)
    ([1, 2, 3, 4], [1, 2, 8, 9], [0])
    """
    steps = range(1, REACH + 1)
    return sorted({(part + sign * step) % parts for step in steps for sign in (1, -1)} - {part})


def _fitted(
    asked: Asked, methods: Sequence[str], open_parts: Sequence[int], workers: int | None
) -> dict[Pair, Losses | None]:
    """Return the losses of both parts of every pair that is needed, None where no map can be."""
    import joblib

    parts = asked.cut.parts
    pairs = sorted({(min(a, b), max(a, b)) for a in open_parts for b in _near(a, parts)})
    jobs = [(method, *pair) for method in methods for pair in pairs]
    slow = [job for job in jobs if job[0] in MANY_NUMBERS]  # their matrix products take all cores
    quick = [job for job in jobs if job[0] not in MANY_NUMBERS]
    found = in_threads(workers)(joblib.delayed(_without)(asked, *job) for job in quick)
    losses = chain(found, (_without(asked, *job) for job in slow))
    return dict(zip([*quick, *slow], losses, strict=True))


def _without(asked: Asked, method: str, first: int, second: int) -> Losses | None:
    try:
        return asked.losses_without(method, first, second)
    except PlumblineError:  # the other parts lack a class, or rows of weight
        return None


def _judged_without(
    asked: Asked,
    contenders: Sequence[Judged],
    part: int,
    fitted: Mapping[Pair, Losses | None],
    before: Losses,
    rows: Rows,
    evidence: Evidence,
    level: float,
) -> list[Judged]:
    """Return the methods as the parts next to one judge them."""
    number = asked.cut.part
    where = np.isin(number, _near(part, asked.cut.parts))
    some = _some(rows, where)
    found = []
    for one in contenders:
        method = one.trial.method
        loss = np.full(len(number), np.nan)
        for other in _near(part, asked.cut.parts):
            low, high = min(part, other), max(part, other)
            losses = fitted[method, low, high]
            if losses is None:
                break
            inside = np.isin(number, (low, high))
            loss[number == other] = losses.log_loss[number[inside] == other]
        if np.isnan(loss[where]).any():
            continue
        change = paired_change(before.log_loss[where], loss[where], some, level=level)
        adjusted = evidence.of(method, part)[1]
        helps = shown(method, change, adjusted, evidence.p_value(part), level=level)
        found.append(
            replace(
                one,
                losses=Losses(loss[where], loss[where]),
                log_loss=change,
                adjusted=adjusted,
                helps=helps,
                mean=some.mean(loss[where]),
            )
        )
    return found


def _some(rows: Rows, where: NDArray[np.bool_]) -> Rows:
    return Rows(rows.mass[where], rows.example[where])
