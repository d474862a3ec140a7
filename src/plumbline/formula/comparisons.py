"""Comparisons in a formula: of numbers, and of categories by name."""

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import near_names
from plumbline.formula.dates import date_comparison
from plumbline.formula.parsing import Node
from plumbline.formula.terms import Term

if TYPE_CHECKING:
    from plumbline.formula.checking import Checker

TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}  # read from right to left


def comparison(checker: "Checker", node: Node) -> Term:
    """Return the terms of a chain of comparisons: all of its pairs hold."""
    signs = node.value if isinstance(node.value, tuple) else ()
    pairs = zip(signs, node.parts[:-1], node.parts[1:], strict=True)
    found = tuple([_pair(checker, node, *pair) for pair in pairs])
    return found[0] if len(found) == 1 else checker.made(node, "and", found, kind="truth")


def _pair(checker: "Checker", whole: Node, sign: str, left: Node, right: Node) -> Term:
    """Return the terms of one comparison of a chain."""
    node = whole if len(whole.parts) == 2 else Node("compare", left.start, right.end)
    if sign in ("in", "not in"):
        found = tuple([_equal(checker, node, left, choice) for choice in right.parts])
        inside = found[0] if len(found) == 1 else checker.made(node, "or", found, kind="truth")
        return inside if sign == "in" else checker.made(node, "not", (inside,), kind="truth")
    for side in (left, right):
        if side.op == "list":
            raise checker.wrong("a list stands only after `in`", side)
    _remember(checker, sign, left, right)
    if sign not in ("==", "!="):
        if left.op == "text" != right.op:
            left, right, sign = right, left, TURNED[sign]
        if right.op == "text" != left.op:
            return date_comparison(checker, node, sign, left, right)
        parts = (checker.term(left), checker.term(right))
        return checker.made(node, sign, parts, kind="truth")
    same = _equal(checker, node, left, right)
    return same if sign == "==" else checker.made(node, "not", (same,), kind="truth")


def _remember(checker: "Checker", sign: str, left: Node, right: Node) -> None:
    """Keep a comparison of a name with a number as written, the name on the left."""
    value = literal(right)
    if value is None:
        left, value, sign = right, literal(left), TURNED.get(sign, sign)
    if checker.outer is None and value is not None and left.op in ("name", "ticked"):
        checker.compared.append((str(left.value), sign, value))


def _equal(checker: "Checker", node: Node, left: Node, right: Node) -> Term:
    """Return the terms of left == right, which may be categories."""
    for side in (left, right):
        if side.op == "none":
            raise checker.wrong(
                "nothing equals `None`; write `isnan(x)` to ask whether x is undefined", side
            )
    if left.op == right.op == "text":
        raise checker.wrong("two quoted names are compared; one side must be a category", node)
    if left.op == "text" or (literal(left) is not None and literal(right) is None):
        left, right = right, left
    first = checker.term(left, bare=True)
    if right.op == "text" and first.date:
        return date_comparison(checker, node, "==", left, right)
    if right.op == "text" or (first.kind == "category" and literal(right) is not None):
        return _is_category(checker, node, first, right)
    second = checker.term(right, bare=True)
    if first.kind == second.kind == "category":
        return _same(checker, node, first, second)
    for one, other in ((first, second), (second, first)):
        if one.kind == "category":
            raise checker.wrong(
                f"{one.said} is a category and {other.said} is not: compare it with a name in "
                f"quotes, as in {example(one)}",
                node,
            )
    return checker.made(node, "==", (first, second), kind="truth")


def _is_category(checker: "Checker", node: Node, term: Term, wanted: Node) -> Term:
    """Return the terms of `chest_pain == 'asympt'`."""
    if term.kind != "category":
        raise checker.wrong(
            f"{term.said} is no category, and no attribute that holds dates, so it cannot be "
            "compared with a text in quotes",
            node,
        )
    number = literal(wanted)
    written = re.sub(r"[\s()]", "", checker.source[wanted.start : wanted.end])
    name = str(wanted.value) if number is None else written
    code = _code(term, name, number)
    if code is None:
        known = ", ".join(map(repr, term.categories[:8]))
        more = ", ..." if len(term.categories) > 8 else ""
        raise checker.wrong(
            f"{term.said} is one of {known}{more}, never {name!r}"
            f"{near_names(name, term.categories)}",
            wanted,
        )
    return checker.made(node, "code", (term,), value=np.int64(code), kind="truth")


def _same(checker: "Checker", node: Node, first: Term, second: Term) -> Term:
    """Return the terms that compare two categories by name."""
    table: Any = ""
    if first.categories != second.categories:
        table = checker.tables.get((first.key, second.key)) or _codes_in(first, second)
        checker.tables[first.key, second.key] = table
    return checker.made(node, "same", (first, second), value=table, kind="truth")


def _codes_in(first: Term, second: Term) -> tuple[int, ...]:
    """Return the code that every category of the second term has in the first."""
    codes = {name: code for code, name in enumerate(first.categories)}
    return tuple([codes.get(name, len(codes)) for name in second.categories])


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
