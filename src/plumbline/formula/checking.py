"""Tree -> terms: checks names, levels and kinds; compares categories and dates."""

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from plumbline._checks import nearest
from plumbline.errors import FormulaError
from plumbline.formatting import quoted
from plumbline.formula.functions import ARITHMETIC, CONSTANTS, FUNCTIONS, REFUSED
from plumbline.formula.parsing import DEEPEST, MOST, Node, parse
from plumbline.formula.variables import LEVELS, Kind, Level, Variable

WRITTEN = re.compile(r"\d{4}-\d\d-\d\d(?P<time>[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", re.ASCII)
BEGINNING = datetime(1970, 1, 1)  # times of attributes have no zone either
SECONDS_A_DAY = 86_400
FORM = 'a day in quotes, such as "2024-01-31", or with its time, "2024-01-31 13:45"'
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}  # read from right to left
OVER_ROWS = {
    "cumm": "state",
    "cum": "state",
    "total": "set",
    "mean": "set",
    "rank": "row",
    "quantile": "set",
}
OTHERS = ("where", "param")
CONSTANT = Variable("set", "number", "constant")
SHORT = 2  # characters of a name that resembles others by chance
LONGEST_PARAM = 20  # characters of a name; a convention
KNOWN = {*FUNCTIONS, *OVER_ROWS, *OTHERS}


class Term(NamedTuple):
    """A part of a formula that can be computed.

    Attributes
    ----------
    op : "constant", "name", "param", "call", "code" (is a category the one of a code), "same"
        (are two categories the same), "if", "and", "or", "not", the sign of an operation or
        comparison, "cumm", "total", "mean", "rank", "quantile", or "at_states", which takes the
        value of the row met last
    parts : what it is made of
    value : its own value: a constant, a name, a code, a function's name, a table of codes
    level, kind, categories : as those of a variable
    weighted : whether it changes with the weights of the rows
    text : the words it came from
    key : equal for equal terms
    depth : levels of the tree from here down
    date : as that of a variable
    """

    op: str
    parts: tuple["Term", ...]
    value: Any
    level: Level
    kind: Kind
    categories: tuple[str, ...]
    weighted: bool
    text: str
    key: str
    depth: int
    date: bool = False

    @property
    def quoted(self) -> str:
        """The words in back-ticks, for errors and reasons."""
        return self.text if self.text.startswith("`") else f"`{self.text}`"


@dataclass
class Checker:
    """Checks one formula; collects the names it uses on the way.

    `outer` is the place of a short name whose own formula is being checked, `inside` the function
    over rows whose argument is.
    """

    text: str
    variables: Mapping[str, Variable]
    highest: Level
    names: set[str] = field(default_factory=set)
    written: dict[str, tuple[Variable, Node]] = field(default_factory=dict)
    compared: list[tuple[str, str, float]] = field(default_factory=list)
    params: dict[str, float] = field(default_factory=dict)
    tables: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    count: int = 0
    source: str = ""  # the text itself, or the formula of a short name
    outer: Node | None = None
    inside: str = ""

    def term(self, node: Node, *, bare: bool = False) -> Term:
        """Return the terms of a part; only `bare` may it be a category."""
        term = self.any_term(node)
        if term.kind == "category" and not bare:
            raise self.wrong(
                f"{term.quoted} is a category: compare it, as in {example(term)}, or use it alone",
                node,
                code="category-as-number",
            )
        return term

    def any_term(self, node: Node) -> Term:
        """Return the terms of a part, whatever its kind."""
        if node.op in ("name", "ticked"):
            return self.name(node)
        if node.op == "call":
            return self.call(node)
        if node.op == "compare":
            return self.comparison(node)
        if node.op in ("number", "truth", "none"):
            return self.constant(node)
        if node.op == "text":
            raise self.wrong(
                "a quoted text is compared with a category by `==`, `!=` or `in`, or, as a day "
                '("2024-01-31"), with an attribute of dates',
                node,
                code="text-not-comparable",
            )
        parts = tuple([self.term(part) for part in node.parts])
        kind: Kind = "number" if node.op in ARITHMETIC else "truth"
        if node.op in ("if", "and", "or"):
            skipped = 1 if node.op == "if" else 0
            sides = zip(node.parts[skipped:], parts[skipped:], strict=True)
            truths = all(part.op == "none" or term.kind == "truth" for part, term in sides)
            kind = "truth" if truths else "number"
        return self.make(node, node.op, parts, kind=kind)

    def make(
        self,
        node: Node,
        op: str,
        parts: tuple[Term, ...],
        *,
        value: Any = "",
        level: Level | None = None,
        kind: Kind = "number",
        categories: tuple[str, ...] = (),
        weighted: bool = False,
    ) -> Term:
        """Return a term, by default of the level of its highest part."""
        highest: Level = max((part.level for part in parts), key=LEVELS.index, default="set")
        joined = level or highest
        if joined == "state" and op != "cumm":
            parts = tuple([self.lifted(part) for part in parts])
        depth = 1 + max((part.depth for part in parts), default=0)
        self.grow(node, depth)
        weighted = weighted or any(part.weighted for part in parts)
        own = "" if op == "same" else repr(value)  # a table of codes follows from the two names
        key = f"{op}:{own}({','.join(part.key for part in parts)})"
        text = self.source[node.start : node.end]
        text = _unbracketed(text) if op in ("name", "constant") else text
        return Term(op, parts, value, joined, kind, categories, weighted, text, key, depth)

    def grow(self, node: Node, depth: int) -> None:
        """Count one more part, and refuse a formula that is too large."""
        self.count += 1
        if self.count > MOST or depth > DEEPEST + 20:
            raise self.wrong(
                f"the formula is too large with its short names written out: at most {MOST} parts "
                f"and {DEEPEST} levels",
                node,
                code="formula-too-large",
            )

    def lifted(self, part: Term) -> Term:
        """Return values of rows as those of the row met last in every state."""
        if part.level != "row":
            return part
        key, depth = f"at_states({part.key})", part.depth + 1
        return Term(
            "at_states",
            (part,),
            "",
            "state",
            part.kind,
            part.categories,
            part.weighted,
            part.text,
            key,
            depth,
        )

    def constant(self, node: Node) -> Term:
        """Return the term of a number, a truth or None."""
        if node.op == "truth":
            return self.make(node, "constant", (), value=np.bool_(node.value), kind="truth")
        value = math.nan if node.op == "none" else float(str(node.value))
        return self.make(node, "constant", (), value=np.float64(value))

    # Names

    def name(self, node: Node) -> Term:
        """Return the term of a variable or constant."""
        name = str(node.value)
        variable, name = self.looked_up(node, name)
        if self.outer is None:
            self.written.setdefault(name, (variable, node))
        if name in CONSTANTS and node.op == "name":
            return self.make(node, "constant", (), value=np.float64(CONSTANTS[name]))
        why = "differs from row to row" if variable.level == "row" else "depends on the threshold"
        self.at_most(node, f"{_ticked(name)} {why}", variable.level)
        if variable.formula is not None:
            return self.expanded(node, variable.formula)
        self.names.add(name)
        weighted = variable.level == "state" or (
            variable.level == "set" and variable.kind != "category"
        )
        term = self.make(
            node,
            "name",
            (),
            value=name,
            level=variable.level,
            kind=variable.kind,
            categories=variable.categories,
            weighted=weighted,
        )
        return term._replace(date=variable.date)

    def looked_up(self, node: Node, name: str) -> tuple[Variable, str]:
        """Return a variable or constant, and its name."""
        ticked = node.op == "ticked"
        if ticked and f"`{name}`" in self.variables:  # an attribute that a built-in name hides
            return self.variables[f"`{name}`"], f"`{name}`"
        if name in CONSTANTS and not ticked:
            return CONSTANT, name
        for spelling in (name, unicodedata.normalize("NFKC", name)):
            if spelling in self.variables:
                return self.variables[spelling], spelling
        raise self.unknown(node, name)

    def unknown(self, node: Node, name: str) -> FormulaError:
        """Refuse an unknown name."""
        holders = [n for n, v in self.variables.items() if name in v.categories]
        if holders:
            return self.wrong(
                f"there is no variable `{name}`, but it is a value of {_ticked(holders[0])}",
                node,
                code="unknown-variable",
                remedy=f"put it in quotes: {_ticked(holders[0])} == {name!r}",
            )
        if name in KNOWN:
            return self.wrong(
                f"`{name}` is a function and needs its arguments: `{name}(...)`",
                node,
                code="wrong-arguments",
            )
        near = nearest(name, [n.strip("`") for n in self.variables] + [*CONSTANTS])
        return self.wrong(
            f"there is no variable `{name}`",
            node,
            code="unknown-variable",
            near=near,
            remedy=None if near and len(name) > SHORT else _as_param(node, name),
        )

    def at_most(self, node: Node, why: str, level: Level) -> None:
        """Refuse what has a level too high for where it stands."""
        if self.inside and level == "state":
            raise self.wrong(
                f"{why}, so it cannot stand inside `{self.inside}(...)`, which takes values of "
                "rows",
                node,
                code="level-too-high",
            )
        if LEVELS.index(level) > LEVELS.index(self.highest):
            here = {"set": "one value for all rows", "row": "values of rows"}[self.highest]
            raise self.wrong(f"{why}, but only {here} can stand here", node, code="level-too-high")

    def expanded(self, node: Node, formula: str) -> Term:
        """Return the terms of the formula that a name is short for."""
        before = self.outer, self.source
        self.outer = self.outer or node
        self.source = formula
        self.grow(node, 1)
        term = self.term(parse(formula), bare=True)
        self.outer, self.source = before
        if term.op == "name":  # another spelling of a name is called as it was written
            return term._replace(text=_unbracketed(self.source[node.start : node.end]))
        return term

    # Comparisons

    def comparison(self, node: Node) -> Term:
        """Return the terms of a chain of comparisons: all of its pairs hold."""
        signs = node.value if isinstance(node.value, tuple) else ()
        pairs = zip(signs, node.parts[:-1], node.parts[1:], strict=True)
        pairs_hold = tuple([self.pair(node, *pair) for pair in pairs])
        return (
            pairs_hold[0]
            if len(pairs_hold) == 1
            else self.make(node, "and", pairs_hold, kind="truth")
        )

    def pair(self, whole: Node, sign: str, left: Node, right: Node) -> Term:
        """Return the terms of one comparison of a chain."""
        node = whole if len(whole.parts) == 2 else Node("compare", left.start, right.end)
        if sign in ("in", "not in"):
            equal = tuple([self.equal(node, left, choice) for choice in right.parts])
            inside = equal[0] if len(equal) == 1 else self.make(node, "or", equal, kind="truth")
            return inside if sign == "in" else self.make(node, "not", (inside,), kind="truth")
        for side in (left, right):
            if side.op == "list":
                raise self.wrong("a list stands only after `in`", side, code="part-misplaced")
        self.remember(sign, left, right)
        if sign not in ("==", "!="):
            if left.op == "text" != right.op:
                left, right, sign = right, left, TURNED[sign]
            if right.op == "text" != left.op:
                return self.date_comparison(node, sign, left, right)
            parts = (self.term(left), self.term(right))
            return self.make(node, sign, parts, kind="truth")
        same = self.equal(node, left, right)
        return same if sign == "==" else self.make(node, "not", (same,), kind="truth")

    def remember(self, sign: str, left: Node, right: Node) -> None:
        """Keep a comparison of a name with a number as written, the name on the left."""
        value = literal(right)
        if value is None:
            left, value, sign = right, literal(left), TURNED.get(sign, sign)
        if self.outer is None and value is not None and left.op in ("name", "ticked"):
            self.compared.append((str(left.value), sign, value))

    def equal(self, node: Node, left: Node, right: Node) -> Term:
        """Return the terms of left == right, which may be categories."""
        for side in (left, right):
            if side.op == "none":
                raise self.wrong(
                    "nothing equals `None`",
                    side,
                    code="not-in-formulas",
                    remedy="write `isnan(x)` to ask whether x is undefined",
                )
        if left.op == right.op == "text":
            raise self.wrong(
                "two quoted names are compared; one side must be a category",
                node,
                code="text-not-comparable",
            )
        if left.op == "text" or (literal(left) is not None and literal(right) is None):
            left, right = right, left
        first = self.term(left, bare=True)
        if right.op == "text" and first.date:
            return self.date_comparison(node, "==", left, right)
        if right.op == "text" or (first.kind == "category" and literal(right) is not None):
            return self.is_category(node, first, right)
        second = self.term(right, bare=True)
        if first.kind == second.kind == "category":
            return self.same(node, first, second)
        for one, other in ((first, second), (second, first)):
            if one.kind == "category":
                raise self.wrong(
                    f"{one.quoted} is a category and {other.quoted} is not: compare it with a name "
                    f"in quotes, as in {example(one)}",
                    node,
                    code="category-as-number",
                )
        return self.make(node, "==", (first, second), kind="truth")

    def is_category(self, node: Node, term: Term, wanted: Node) -> Term:
        """Return the terms of `chest_pain == 'asympt'`."""
        if term.kind != "category":
            raise self.wrong(
                f"{term.quoted} is neither a category nor an attribute of dates, so it cannot be "
                "compared with a quoted text",
                node,
                code="text-not-comparable",
            )
        number = literal(wanted)
        written = re.sub(r"[\s()]", "", self.source[wanted.start : wanted.end])
        name = str(wanted.value) if number is None else written
        code = _code(term, name, number)
        if code is None:
            known = ", ".join(map(quoted, term.categories[:8]))
            more = ", ..." if len(term.categories) > 8 else ""
            raise self.wrong(
                f"{term.quoted} is one of {known}{more}, never {quoted(name)}",
                wanted,
                code="unknown-category",
                near=nearest(name, term.categories),
            )
        return self.make(node, "code", (term,), value=np.int64(code), kind="truth")

    def same(self, node: Node, first: Term, second: Term) -> Term:
        """Return the terms that compare two categories by name."""
        table: Any = ""
        if first.categories != second.categories:
            pair = first.key, second.key
            if pair not in self.tables:
                codes = {name: code for code, name in enumerate(first.categories)}
                others = [codes.get(name, len(codes)) for name in second.categories]
                self.tables[pair] = tuple(others)
            table = self.tables[pair]
        return self.make(node, "same", (first, second), value=table, kind="truth")

    def date_comparison(self, node: Node, sign: str, left: Node, right: Node) -> Term:
        """Return the terms of `booked >= "2024-01-31"`, whose right side is a text.

        Without a time of day the quoted date is the whole day: a value at 13:45 of it equals it.
        """
        term = self.term(left)
        if not term.date:
            raise self.wrong(
                f"{term.quoted} is not a date: `{sign}` compares a quoted text only with an "
                "attribute of dates",
                node,
                code="text-not-comparable",
            )
        match = WRITTEN.fullmatch(str(right.value))
        if match is None:
            raise self.wrong(
                f"{term.quoted} is a date: compare it with {FORM}, not with "
                f"{quoted(str(right.value))}",
                right,
                code="no-date",
            )
        day = self.make(right, "constant", (), value=self.days(right))
        if match["time"] is None:
            term = self.make(left, "call", (term,), value="floor")
        return self.make(node, sign, (term, day), kind="truth")

    def days(self, node: Node) -> np.float64:
        """Return the days from the beginning of 1970, as the values of dates are counted."""
        try:
            moment = datetime.fromisoformat(str(node.value))
        except ValueError:
            raise self.wrong(
                f"{quoted(str(node.value))} is not a valid day or time",
                node,
                code="no-date",
                remedy=f"write {FORM}",
            ) from None
        since = moment - BEGINNING
        microseconds = (since.days * SECONDS_A_DAY + since.seconds) * 10**6 + since.microseconds
        return np.float64(microseconds) / np.float64(SECONDS_A_DAY * 10**6)

    # Functions

    def call(self, node: Node) -> Term:
        """Return the terms of a function and its arguments."""
        name = str(node.value)
        if name in OVER_ROWS:
            return self.over_rows(node, "cumm" if name == "cum" else name)
        if name == "where":
            self.arguments(node, 3, 3)
            return self.any_term(Node("if", node.start, node.end, node.parts))
        if name == "param":
            return self.param(node)
        if name not in FUNCTIONS:
            raise self.no_function(node, name)
        function = FUNCTIONS[name]
        self.arguments(node, function.least, function.most)
        parts = tuple([self.term(part, bare=name == "isnan") for part in node.parts])
        return self.make(node, "call", parts, value=name, kind=function.kind)

    def no_function(self, node: Node, name: str) -> FormulaError:
        """Return the error of a call of what is not a function."""
        start = self.source.index(name, node.start)  # behind the brackets around the call
        name_node = Node("name", start, start + len(name))
        if name in REFUSED:
            return self.wrong(
                f"a formula has no function `{name}`: {REFUSED[name]}",
                name_node,
                code="not-in-formulas",
            )
        if name in self.variables or name in CONSTANTS:
            return self.wrong(
                f"`{name}` is not a function",
                name_node,
                code="unknown-function",
                remedy="write `*` to multiply",
            )
        return self.wrong(
            f"there is no function `{name}`",
            name_node,
            code="unknown-function",
            near=nearest(name, KNOWN),
        )

    def arguments(self, node: Node, least: int, most: int) -> None:
        """Refuse a wrong number of arguments."""
        given = len(node.parts)
        if not least <= given <= most:
            rule = f"{least}" if least == most else f"{least} or {most}"
            rule = f"{least} or more" if most > least + 1 else rule
            arguments = "argument" if rule == "1" else "arguments"
            raise self.wrong(
                f"`{node.value}` takes {rule} {arguments}, got {given}",
                node,
                code="wrong-arguments",
            )

    def over_rows(self, node: Node, name: str) -> Term:
        """Check a function of all rows, or of the rows met so far."""
        self.arguments(node, *((2, 2) if name == "quantile" else (1, 1)))
        level: Level = OVER_ROWS[name]  # type: ignore[assignment]
        why = {"row": f"`{name}` differs from row to row", "set": ""}
        self.at_most(node, why.get(level, f"`{name}` depends on the rows met so far"), level)
        before, self.inside = self.inside, self.inside or name
        highest, self.highest = self.highest, "state"  # inside, values of rows always can stand
        parts = tuple([self.term(part) for part in node.parts])
        self.inside, self.highest = before, highest
        if name == "quantile" and parts[1].level != "set":
            raise self.wrong(
                "the share of `quantile(f, share)` must be one value for all rows",
                node.parts[1],
                code="level-too-high",
            )
        return self.make(node, name, parts, level=level, weighted=True)

    def param(self, node: Node) -> Term:
        """Check `param("name", default)`."""
        self.arguments(node, 2, 2)
        name, default = node.parts[0], literal(node.parts[1])
        if name.op != "text":
            raise self.wrong(
                "the name of a parameter stands in quotes: `param('rate', 30)`",
                name,
                code="wrong-arguments",
            )
        if default is None:
            raise self.wrong(
                "the default of a parameter is a number: `param('rate', 30)`",
                node.parts[1],
                code="wrong-arguments",
            )
        key = str(name.value)
        known = self.params.setdefault(key, default)
        if known != default and not (math.isnan(known) and math.isnan(default)):
            raise self.wrong(
                f"the parameter {quoted(key)} has two defaults, {known:g} and {default:g}",
                node,
                code="wrong-arguments",
            )
        return self.make(node, "param", (), value=key)

    def wrong(
        self,
        text: str,
        node: Node,
        *,
        code: str,
        near: str | None = None,
        remedy: str | None = None,
    ) -> FormulaError:
        """Return an error at the place of a part as it was written."""
        marked = self.outer or node
        return FormulaError(
            text,
            code=code,
            formula=self.text,
            start=marked.start,
            end=marked.end,
            near=near,
            remedy=remedy,
        )


def _unbracketed(text: str) -> str:
    """Return a single word without the brackets and spaces around it."""
    return re.sub(r"^[\s(]+|[\s)]+$", "", text)


def _as_param(node: Node, name: str) -> str | None:
    """Return how an unknown name becomes a number to set, for one that can be written so."""
    if node.op != "name" or len(name) > LONGEST_PARAM:
        return None
    return f'for a number of your own write `param("{name}", 1)`'


def _ticked(name: str) -> str:
    return name if name.startswith("`") else f"`{name}`"


def example(term: Term) -> str:
    """Return a comparison of a category, for an error that asks for one."""
    return f"{term.text} == {term.categories[0] if term.categories else 'name'!r}"


def literal(node: Node) -> float | None:
    """Return the number that is written here, with its sign; None where there is none."""
    if node.op in ("neg", "pos") and node.parts[0].op == "number":
        number = float(str(node.parts[0].value))
        return -number if node.op == "neg" else number
    return float(str(node.value)) if node.op == "number" else None


def _code(term: Term, name: str, number: float | None) -> int | None:
    """Return the code of a category written as a name or as a number."""
    if name in term.categories:
        return term.categories.index(name)
    if number is None:
        return None
    equal = [code for code, known in enumerate(term.categories) if _reads(known) == number]
    return equal[0] if len(equal) == 1 else None


def _reads(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None
