"""Which methods are worth trying on a table: a few rules as data, each with its reason."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline._checks import shown
from plumbline.errors import ParameterError
from plumbline.predictions import Predictions
from plumbline.recalibration.inputs import PROBABILITY, SCORE
from plumbline.recalibration.methods import METHODS, ONE_VS_REST, Method, method_named
from plumbline.results.formatting import counted

FEW_NUMBERS = ("platt", "platt-on-probability", "beta", "temperature", "vector", "prior-shift")
SMOOTH = ("spline", "isotonic", "centred-isotonic", "venn-abers", "bbq")
BINNED = ("histogram-equal-width", "histogram-equal-size", "scaling-binning")
HELD_NUMBERS = ("matrix", "dirichlet-odir")  # k x k, all but 2 k held near 0
MANY_NUMBERS = (*HELD_NUMBERS, "dirichlet")

LEAST_FEW, LEAST_SMOOTH, LEAST_BINNED = 5, 20, 50  # rows of the rarest class
MOST_WORK = 60_000_000  # rows times numbers of the methods that fit k x k: about a minute each
MOST_EVENTS = 200  # classes that are each fitted against the rest


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules look at.

    Attributes
    ----------
    read : "probability" or "score"
    k : classes; n : rows that count; rarest : rows of the rarest class that occurs
    """

    read: str
    k: int
    n: int
    rarest: int

    @classmethod
    def of(cls, data: Predictions, read: str) -> "Facts":
        """Count the rows that have weight."""
        seen = np.bincount(data.actual[data.mass > 0], minlength=data.k)
        return cls(read, data.k, int(seen.sum()), int(seen[seen > 0].min()))


@dataclass(frozen=True, slots=True)
class Rule:
    """Why some methods are not tried: `reason` is filled with the facts where `applies`."""

    methods: Sequence[str]
    applies: Callable[[Facts], bool]
    reason: str


RULES = (
    Rule(
        tuple(name for name, row in METHODS.items() if SCORE not in row.on),
        lambda on: on.read == SCORE,
        "it reads probabilities, and these are ratings",
    ),
    Rule(
        ("vector",),
        lambda on: on.k == 2 and on.read == PROBABILITY,
        "for two classes it is beta calibration over again",
    ),
    Rule(
        ("dirichlet", "dirichlet-odir"),
        lambda on: on.k == 2,
        "for two classes it is beta calibration over again",
    ),
    Rule(
        ("vector", "matrix"), lambda on: on.k == 2, "for two classes it is Platt scaling over again"
    ),
    Rule(
        FEW_NUMBERS,
        lambda on: on.rarest < LEAST_FEW,
        f"it needs {LEAST_FEW} rows of every class, and the rarest has {{rarest}}",
    ),
    Rule(
        SMOOTH,
        lambda on: on.rarest < LEAST_SMOOTH,
        f"it needs {LEAST_SMOOTH} rows of every class, and the rarest has {{rarest}}",
    ),
    Rule(
        BINNED,
        lambda on: on.rarest < LEAST_BINNED,
        f"it needs {LEAST_BINNED} rows of every class, and the rarest has {{rarest}}",
    ),
    Rule(
        ("dirichlet",),
        lambda on: on.n < 10 * on.k * (on.k + 1),
        "it fits about {numbers:,} numbers, too many for {n:,} rows",
    ),
    Rule(
        HELD_NUMBERS,
        lambda on: on.n < 20 * on.k,
        "it fits about {numbers:,} numbers, too many for {n:,} rows even where most are held near "
        "0",
    ),
    Rule(
        MANY_NUMBERS,
        lambda on: on.n * on.k**2 > MOST_WORK,
        "with {k} classes and {n:,} rows it takes minutes; name it in `methods` to try it",
    ),
    Rule(
        tuple(name for name, row in METHODS.items() if row.several == ONE_VS_REST),
        lambda on: on.k > MOST_EVENTS,
        "it fits {k} maps, one a class; name it in `methods` to try it",
    ),
)


def asked_methods(methods: Sequence[str] | None, facts: Facts) -> dict[str, str | None]:
    """Return the methods by name, with the reason why one is not tried, None where it is.

    Methods that the caller names are all tried, as far as they can read the table.
    """
    if methods is None:
        return {name: why_not(row, facts) for name, row in METHODS.items()}
    names = [methods] if isinstance(methods, str) else list(methods)
    if not names:
        raise ParameterError("`methods` must name at least one method, got none")
    rows = {row.name: row for row in map(method_named, names)}
    deaf = [name for name, row in rows.items() if facts.read not in row.on]
    if deaf:
        raise ParameterError(
            f"`methods` must name methods that read {facts.read}s, got {shown(deaf)}; `plumbline "
            "recalibrate --list` says what each reads"
        )
    return dict.fromkeys(rows)


def why_not(row: Method, facts: Facts) -> str | None:
    """Return the first rule against a method on such a table, None where there is none.

    >>> why_not(METHODS["isotonic"], Facts("probability", 2, 500, 3))
    'it needs 20 rows of every class, and the rarest has 3'
    """
    for rule in RULES:
        if row.name in rule.methods and rule.applies(facts):
            return rule.reason.format(
                k=facts.k, n=facts.n, numbers=facts.k * (facts.k + 1), rarest=facts.rarest
            )
    return None


def nothing_fits(facts: Facts) -> str:
    """Say why no method is worth trying."""
    return f"every method needs more than {counted(facts.n, 'row')}, {facts.rarest} of the rarest"
