"""Terms that work value by value -> steps: functions from a piece of the rows to its values."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, TypeAlias

import numpy as np

from plumbline.formula.elementwise import (
    ARITHMETIC,
    COMPARING,
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
from plumbline.formula.functions import FUNCTIONS
from plumbline.formula.terms import Term

Step: TypeAlias = Callable[[slice], Any]


class Steps:
    """Makes the steps of one computation; equal terms share one, which computes a piece once.

    Attributes
    ----------
    leaves : values of the terms that were computed whole: arrays, or scalars of numpy
    """

    def __init__(self, leaves: Mapping[str, Any]) -> None:
        self.leaves = leaves
        self.made: dict[str, Step] = {}

    def of(self, term: Term) -> Step:
        """Return the step of a term."""
        if term.key not in self.made:
            known = term.key in self.leaves
            self.made[term.key] = _read(self.leaves[term.key]) if known else _once(self.new(term))
        return self.made[term.key]

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
            ask = truth(condition(piece))
            if not is_truth(ask):
                whether = np.where(ask == 1, number(yes(piece)), number(no(piece)))
                return undefined_where(np.isnan(ask), whether)
            if ask.all():
                return yes(piece)
            if not ask.any():
                return no(piece)
            return select(ask, yes(piece), no(piece))

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
    """Return a step that remembers the last piece, told by its identity."""
    last: list[Any] = [None, None]

    def run(piece: slice) -> Any:
        if last[0] is not piece:
            last[:] = piece, step(piece)
        return last[1]

    return run
