"""Terms -> arrays. Whole columns first, then all that works value by value in blocks.

A block of rows goes through the whole formula while it is in the processor's cache, so what lies
between costs no memory to speak of.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import ParameterError
from plumbline.formula.aggregates import AGGREGATES, quantile
from plumbline.formula.elementwise import absent, undefined_where
from plumbline.formula.steps import Steps
from plumbline.formula.terms import Term
from plumbline.formula.variables import Kind, Scope

BLOCK = 65_536  # values: a few columns of them fit the cache
BUDGET = 8_000_000_000  # bytes of whole columns
SOURCES = {"constant", "name", "param", "cumm", "total", "mean", "rank", "quantile", "at_states"}


class Computation:
    """Computes terms in one scope, each at most once."""

    def __init__(self, scope: Scope, defaults: Mapping[str, float]) -> None:
        self.scope = scope
        self.params = {name: float(scope.params.get(name, defaults[name])) for name in defaults}
        self.known: dict[str, Any] = {}

    def result(self, term: Term) -> Any:
        """Return a float or an array of float64, NaN where undefined."""
        columns = len(_columns(term))
        if columns * 8 * self.scope.n > BUDGET:
            raise ParameterError(
                f"the formula needs {columns} columns of {self.scope.n} rows at once, more than "
                f"{BUDGET // 10**9} GB; split it or use fewer rows"
            )
        with np.errstate(all="ignore"):
            value = self.whole(term)
            if term.kind == "category":
                value = undefined_where(absent(value), value)
            if term.level == "set":
                return float(value)
            return value if value.dtype == np.float64 else value.astype(np.float64)

    def whole(self, term: Term) -> Any:
        """Return all values of a term."""
        if term.key not in self.known:
            self.known[term.key] = self.source(term) if term.op in SOURCES else self.mixed(term)
        return self.known[term.key]

    def source(self, term: Term) -> Any:
        """Return what a formula starts from: columns, and sums over rows."""
        scope = self.scope
        if term.op == "constant":
            return term.value
        if term.op == "name":
            return _column(scope.value(term.value), term.kind)
        if term.op == "param":
            return np.float64(self.params[term.value])
        values = self.rows(term.parts[0])
        if term.op == "at_states":
            return scope.at_states(values)
        if term.op == "cumm":
            return scope.cumulate(values, self.memory_key(term.parts[0]))
        if term.op == "quantile":
            share = self.whole(term.parts[1])
            return quantile(values, share, scope.weights(), scope.n)
        return AGGREGATES[term.op](values, scope.weights(), scope.n)

    def rows(self, term: Term) -> Any:
        """Return values of rows, kept for the next time where they do not hang on weights."""
        key = self.memory_key(term)
        if key is None or term.op in SOURCES:
            return self.whole(term)
        if key not in self.scope.memo:
            self.scope.memo[key] = self.whole(term)
        return self.scope.memo[key]

    def memory_key(self, term: Term) -> object:
        """Return what identifies values that do not hang on weights, None for others."""
        return None if term.weighted else (term.key, tuple(sorted(self.params.items())))

    def mixed(self, term: Term) -> Any:
        """Return the values of a term that works value by value, block by block."""
        leaves = {leaf.key: self.whole(leaf) for leaf in _leaves(term)}
        step = Steps(leaves).of(term)
        lengths = {len(value) for value in leaves.values() if np.ndim(value)}
        if not lengths:
            return step(slice(0, 1))
        (length,) = lengths
        result = np.empty(length)
        for start in range(0, length, BLOCK):
            piece = slice(start, min(start + BLOCK, length))
            result[piece] = step(piece)
        return result

    def at(self, term: Term, places: NDArray[np.intp]) -> Any:
        """Return the values of a term at some rows or states."""
        if term.op in SOURCES:
            value = self.whole(term)
            value = value[places] if np.ndim(value) else value
        else:
            leaves = {leaf.key: self.whole(leaf) for leaf in _leaves(term)}
            some = {key: v[places] if np.ndim(v) else v for key, v in leaves.items()}
            value = Steps(some).of(term)(slice(0, len(places)))
        return np.broadcast_to(value, places.shape)


def _column(value: Any, kind: Kind) -> Any:
    """Return a column as float64, bool or codes; one value as a scalar of numpy."""
    if np.ndim(value) == 0:
        return np.int64(value) if kind == "category" else np.float64(value)
    column = np.asarray(value)
    plain = kind == "category" or (kind == "truth" and column.dtype == np.bool_)
    return column if plain else column.astype(np.float64, copy=False)


def _leaves(term: Term) -> Iterator[Term]:
    """Yield the parts that are computed whole before the blocks of a term."""
    for part in term.parts:
        if part.op in SOURCES or part.level != term.level:
            yield part
        else:
            yield from _leaves(part)


def _columns(term: Term) -> set[tuple[str, str]]:
    """Return all columns that are kept while a formula is computed, each once."""
    found: set[tuple[str, str]] = set()
    for source in _sources(term):
        if source.level != "set":
            found.add(("itself", source.key))
        for part in source.parts:
            if part.level == "row" and part.op not in SOURCES:
                found.add(("itself", part.key))
            if part.level == "row" and source.op == "cumm":
                found.add(("in order", part.key))
    return found


def _sources(term: Term) -> Iterator[Term]:
    """Yield all columns a formula starts from."""
    if term.op in SOURCES:
        yield term
    for part in term.parts:
        yield from _sources(part)
