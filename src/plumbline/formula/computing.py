"""Terms -> arrays. Whole columns and sums over rows first, then what works value by value.

The latter goes in blocks: a block of rows goes through the whole formula while it is in the
processor's cache, so intermediate values take little memory. Weight = repetition.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import ParameterError
from plumbline.formula.checking import Term
from plumbline.formula.functions import (
    ARITHMETIC,
    COMPARING,
    FUNCTIONS,
    absent,
    blend,
    both,
    either,
    holds_undefined,
    is_truth,
    negation,
    number,
    recoded,
    same_category,
    truth,
    undefined_where,
)
from plumbline.formula.variables import Floats, Kind, Scope

Step: TypeAlias = Callable[[slice], Any]
BLOCK = 65_536  # values: a few columns of them fit the cache
BUDGET = 8_000_000_000  # bytes of whole columns
SOURCES = {"constant", "name", "param", "cumm", "total", "mean", "rank", "quantile", "at_states"}


def total(values: Any, weights: Floats | None, n: int) -> np.float64:
    """Return the weighted sum of n values; a scalar stands for n equal ones."""
    if np.ndim(values) == 0:
        return np.float64(values * size(weights, n))
    if weights is not None:
        return np.float64((np.where(weights == 0, 0, values) * weights).sum())
    if values.dtype == np.bool_:
        return np.float64(np.count_nonzero(values))
    return np.float64(values.sum())


def size(weights: Floats | None, n: int) -> np.float64:
    """Return the sum of the weights."""
    return np.float64(n if weights is None else weights.sum())


def mean(values: Any, weights: Floats | None, n: int) -> np.float64:
    """Return the weighted mean; of no rows it is undefined."""
    weight = size(weights, n)
    return total(values, weights, n) / weight if weight else np.float64(np.nan)


def rank(values: Any, weights: Floats | None, n: int) -> Any:
    """Return mid-ranks, 1 for the smallest of n different values; undefined where a value is."""
    values = np.broadcast_to(values, n).astype(np.float64)
    order = np.argsort(values, kind="stable")  # NaN last
    ordered = values[order]
    heavy = np.ones(n) if weights is None else weights[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[:n])
    group = np.add.reduceat(heavy, starts) if n else heavy
    below = np.cumsum(group) - group
    middle = below + (group + 1) / 2
    result = np.empty(n)
    result[order] = np.repeat(middle, np.diff(starts, append=n))
    result[np.isnan(values)] = np.nan
    return result


def quantile(values: Any, q: Any, weights: Floats | None, n: int) -> np.float64:
    """Return the smallest value at which the weights of the values so far reach a share q."""
    values = np.broadcast_to(values, n).astype(np.float64)
    if size(weights, n) == 0 or not 0 <= q <= 1 or np.isnan(total(values, weights, n)):
        return np.float64(np.nan)
    order = np.argsort(values, kind="stable")
    if weights is not None:
        order = order[weights[order] > 0]
    reached = np.arange(1.0, n + 1) if weights is None else np.cumsum(weights[order])
    wanted = q * reached[-1] * (1 - 1e-12)  # .7 * 10 may be a hair above 7
    return np.float64(values[order[np.searchsorted(reached, wanted)]])


AGGREGATES = {"total": total, "mean": mean, "rank": rank}


class StepBuilder:
    """Makes the steps of one computation; equal terms share one, which computes a piece once.

    Attributes
    ----------
    leaves : values of the terms that were computed whole: arrays, or scalars of numpy
    """

    def __init__(self, leaves: Mapping[str, Any]) -> None:
        self.leaves = leaves
        self.steps: dict[str, Step] = {}

    def of(self, term: Term) -> Step:
        """Return the step of a term."""
        if term.key not in self.steps:
            known = term.key in self.leaves
            self.steps[term.key] = _read(self.leaves[term.key]) if known else _once(self.new(term))
        return self.steps[term.key]

    def numbers(self, term: Term) -> Step:
        """Return the step of a term, with truths as 1.0 and 0.0."""
        step = self.of(term)
        return step if term.kind == "number" else lambda piece: number(step(piece))

    def new(self, term: Term) -> Step:
        """Return what an operation or function makes of its parts."""
        if term.op == "if":
            return self.choice(term)
        if term.op == "call":
            return self.call(term)
        if term.op in ARITHMETIC or term.op in COMPARING:
            operation = ARITHMETIC.get(term.op) or COMPARING[term.op]
            return _applied(operation, [self.numbers(part) for part in term.parts])
        if term.op == "code":
            (of,) = map(self.of, term.parts)
            return lambda piece: same_category(of(piece), term.value)
        if term.op == "same":
            return self.same(term)
        steps = [self.of(part) for part in term.parts]
        if term.op == "not":
            return lambda piece: negation(steps[0](piece))
        join = both if term.op == "and" else either
        return lambda piece: reduce(join, [step(piece) for step in steps])

    def same(self, term: Term) -> Step:
        """Return whether two categories have one name."""
        first, second = map(self.of, term.parts)
        if not term.value:
            return lambda piece: same_category(first(piece), second(piece))
        table = np.array(term.value)
        return lambda piece: same_category(first(piece), recoded(second(piece), table))

    def call(self, term: Term) -> Step:
        """Return the values of a function, undefined where an argument is."""
        function = FUNCTIONS[term.value]
        if term.parts[0].kind == "category":  # only isnan takes one
            of = self.of(term.parts[0])
            return lambda piece: absent(of(piece))
        steps = [self.numbers(part) for part in term.parts]
        if not function.strict or (len(steps) == 1 and function.kind == "number"):
            return _applied(function.apply, steps)

        def run(piece: slice) -> Any:
            values = [step(piece) for step in steps]
            result = function.apply(*values)
            for value in filter(holds_undefined, values):
                result = undefined_where(np.isnan(value), result)
            return result

        return run

    def choice(self, term: Term) -> Step:
        """Return one of two values; a side that nothing takes is not computed."""
        condition, *_ = (self.of(part) for part in term.parts)
        sides = self.of if term.kind == "truth" else self.numbers
        yes, no = map(sides, term.parts[1:])
        select = np.where if term.kind == "truth" else blend

        def run(piece: slice) -> Any:
            truths = truth(condition(piece))
            if not is_truth(truths):
                whether = np.where(truths == 1, number(yes(piece)), number(no(piece)))
                return undefined_where(np.isnan(truths), whether)
            if truths.all():
                return yes(piece)
            if not truths.any():
                return no(piece)
            return select(truths, yes(piece), no(piece))

        return run


def _read(values: Any) -> Step:
    if np.ndim(values) == 0:
        return lambda piece: values
    return lambda piece: values[piece]


def _applied(operation: Callable[..., Any], steps: list[Step]) -> Step:
    """Return an operation on the values of steps."""
    if len(steps) == 1:
        (only,) = steps
        return lambda piece: operation(only(piece))
    if len(steps) == 2:
        left, right = steps
        return lambda piece: operation(left(piece), right(piece))
    return lambda piece: operation(*[step(piece) for step in steps])


def _once(step: Step) -> Step:
    """Return a step that remembers the last piece, by its identity."""
    last: list[Any] = [None, None]

    def run(piece: slice) -> Any:
        if last[0] is not piece:
            last[:] = piece, step(piece)
        return last[1]

    return run


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
                f"{BUDGET // 10**9} GB; split it or use fewer rows",
                code="out-of-memory",
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
        """Return values of rows, kept for reuse if they do not depend on weights."""
        key = self.memory_key(term)
        if key is None or term.op in SOURCES:
            return self.whole(term)
        if key not in self.scope.memo:
            self.scope.memo[key] = self.whole(term)
        return self.scope.memo[key]

    def memory_key(self, term: Term) -> object:
        """Return what identifies values that do not depend on weights, None for others."""
        return None if term.weighted else (term.key, tuple(sorted(self.params.items())))

    def mixed(self, term: Term) -> Any:
        """Return the values of a term that works value by value, block by block."""
        leaves = {leaf.key: self.whole(leaf) for leaf in _leaves(term)}
        step = StepBuilder(leaves).of(term)
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
            value = StepBuilder(some).of(term)(slice(0, len(places)))
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
    columns: set[tuple[str, str]] = set()
    for source in _sources(term):
        if source.level != "set":
            columns.add(("itself", source.key))
        for part in source.parts:
            if part.level == "row" and part.op not in SOURCES:
                columns.add(("itself", part.key))
            if part.level == "row" and source.op == "cumm":
                columns.add(("in order", part.key))
    return columns


def _sources(term: Term) -> Iterator[Term]:
    """Yield all columns a formula starts from."""
    if term.op in SOURCES:
        yield term
    for part in term.parts:
        yield from _sources(part)
