"""`read_formula`: a text becomes a checked formula that can be computed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from plumbline.errors import ParameterError
from plumbline.formula.checking import CONSTANT, Checker, Term
from plumbline.formula.computing import Computation
from plumbline.formula.parsing import Node, parse
from plumbline.formula.reasons import Cause, Places, causes
from plumbline.formula.variables import Floats, Kind, Level, Scope, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A formula that was read and checked.

    Attributes
    ----------
    text : as written
    level : "set", "row" or "state", the highest of its parts
    kind : "number", "truth" or "category"
    categories : the names of a category in the order of their codes
    names : the variables it uses, with short names written out
    names_written : the variables and constants as written
    constants : those of them that are constants, such as pi
    threshold_names : the variables as written that depend on the threshold, in order
    is_name : the variable, if the formula is a single name
    depends_on_weights : whether other weights of the rows can change it
    params : the defaults of its parameters
    """

    text: str
    level: Level
    kind: Kind
    categories: tuple[str, ...]
    names: frozenset[str]
    names_written: frozenset[str]
    constants: frozenset[str]
    threshold_names: tuple[str, ...]
    is_name: str | None
    depends_on_weights: bool
    params: Mapping[str, float]
    term: Term = field(repr=False)
    places: Mapping[str, tuple[int, int]] = field(repr=False)
    comparisons: tuple[tuple[str, str, float], ...] = field(repr=False)

    def compute(self, scope: Scope) -> float | Floats:
        """Return the value of a set, the (n,) values of rows or the (s,) values of states.

        All are float64: truths are 1 and 0, categories their codes, and NaN is undefined. The array
        may be a column of the scope itself, so it is not to be written into.
        """
        return Computation(scope, self.params).result(self.term)  # type: ignore[no-any-return]

    def why_undefined(self, scope: Scope, place: int) -> str:
        """Return why the value in a state is undefined, "" if it is defined."""
        causes = self.causes(scope, np.array([place]))
        return causes[0][0] if causes else ""

    def causes(self, scope: Scope, places: Places, *, row: bool = False) -> list[Cause]:
        """Return why values in some states (or at rows) are undefined: pairs of reason and places.

        Each place where the value is undefined is in one pair, no other is. Reasons hold no numbers
        of the rows but 0 and infinity, so they are few.
        """
        return causes(Computation(scope, self.params), self.term, places, row=row)

    def sides(self) -> tuple[str, str, str] | None:
        """Return left side, sign and right side of a comparison of two, None for other formulas."""
        tree = parse(self.text)
        if tree.op != "compare" or not isinstance(tree.value, tuple) or len(tree.parts) != 2:
            return None
        left, right = (self.text[part.start : part.end] for part in tree.parts)
        return left, tree.value[0], right

    @property
    def takes_single_states(self) -> bool:
        """Whether its value is the threshold itself or that of the last row passed."""
        return self.level == "row" or _takes_single_states(self.term)

    @property
    def depends_on_order(self) -> bool:
        """Whether it adds up rows as they are met, or takes the value of the last row passed."""
        return _has_op(self.term, ("cumm", "at_states"))

    def place_of(self, name: str) -> tuple[int, int]:
        """Return the characters at which a variable as written first stands."""
        return self.places[name]

    def comparisons_of(self, name: str) -> tuple[tuple[str, float], ...]:
        """Return signs and numbers of the comparisons `name sign number` that are written."""
        return tuple((sign, value) for n, sign, value in self.comparisons if n == name)


def read_formula(
    text: str, variables: Mapping[str, Variable], *, highest: Level = "state"
) -> Formula:
    """Read a formula from a text.

    Parameters
    ----------
    text : an expression in Python's grammar: numbers, names, `+ - * / // % **`, comparisons,
        `and`, `or`, `not`, `in`, `a if condition else b`, and functions
    variables : variables by name; where a built-in name hides an attribute, the
        attribute has the key "`name`", with back-ticks
    highest : the highest level that can be used: "set", "row" or "state"

    Raises
    ------
    FormulaError
        For a formula that is wrong; names the place. The text is never run as code.

    Examples
    --------
    >>> from plumbline.formula import Variable, read_formula
    >>> age = Variable("row", "number", "years")
    >>> formula = read_formula("1 if age >= 65 else 0", {"age": age})
    >>> formula.level, sorted(formula.names)
    ('row', ['age'])
    >>> read_formula("1 if agee >= 65 else 0", {"age": age})
    Traceback (most recent call last):
    plumbline.errors.FormulaError: there is no variable `agee`. Did you mean 'age'?
      1 if agee >= 65 else 0
           ^^^^
    """
    if not isinstance(text, str):
        raise ParameterError(
            f"a formula must be a text, got {type(text).__name__}: {text!r:.60}", code="wrong-kind"
        )
    checker = Checker(text, variables, highest, source=text)
    term = checker.term(parse(text), bare=True)
    bare = str(term.value) if term.op == "name" else text.strip()
    return Formula(
        text=text,
        level=term.level,
        kind=term.kind,
        categories=term.categories,
        names=frozenset(checker.names),
        names_written=frozenset(checker.written),
        constants=frozenset(n for n, (v, _) in checker.written.items() if v is CONSTANT),
        threshold_names=tuple(n for n, (v, _) in checker.written.items() if v.threshold),
        is_name=bare if term.op == "name" or bare in checker.written else None,
        depends_on_weights=term.weighted,
        params=checker.params,
        term=term,
        places={n: (x.start, x.end) for n, (_, x) in checker.written.items()},
        comparisons=tuple(checker.compared),
    )


def params_in(text: str) -> frozenset[str]:
    """Return the names of the parameters in a formula.

    >>> sorted(params_in("param('gain', 2) * TP - param('loss', 1) * FP"))
    ['gain', 'loss']
    """
    return frozenset(_params_of(parse(text)))


def _params_of(node: Node) -> Iterator[str]:
    if node.op == "call" and node.value == "param" and node.parts:
        yield str(node.parts[0].value)
    for part in node.parts:
        yield from _params_of(part)


def _has_op(term: Term, ops: tuple[str, ...]) -> bool:
    return term.op in ops or any(_has_op(part, ops) for part in term.parts)


def _takes_single_states(term: Term) -> bool:
    if term.op == "at_states" or (term.op == "name" and term.value == "threshold"):
        return True
    return any(map(_takes_single_states, term.parts))
