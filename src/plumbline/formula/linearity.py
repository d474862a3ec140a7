"""Whether a formula can be computed from means: it adds an attribute up, and does nothing else."""

from collections.abc import Collection

from plumbline.formula.checking import Term
from plumbline.formula.formula import Formula

CONSTANT, LINEAR, OTHER = range(3)
ADDING = ("cumm", "total", "mean")


def adds_up(formula: Formula, names: Collection[str]) -> bool:
    """Tell whether means of some variables, over rows that are alike otherwise, give its values.

    So it is where the variables stand only in sums over rows (`cumm`, `total`, `mean`), and there
    only added, subtracted, or multiplied by what does not hold them.

    >>> from plumbline.formula import Variable, read_formula
    >>> known = {name: Variable("row", "number", name) for name in ("amount", "p")}
    >>> texts = ["cumm(2 * amount - p) ** 2", "cumm(amount ** 2)", "cumm(amount > 3)", "amount"]
    >>> [adds_up(read_formula(text, known), ["amount"]) for text in texts]
    [True, False, False, False]
    """
    return _degree(formula.term, names) == CONSTANT


def _degree(term: Term, names: Collection[str]) -> int:
    """Return how the value of a term depends on the variables of a row."""
    if term.op == "name":
        return LINEAR if term.value in names else CONSTANT
    parts = [_degree(part, names) for part in term.parts]
    most = max(parts, default=CONSTANT)
    if most == CONSTANT:
        return CONSTANT
    if most == OTHER:
        return OTHER
    if term.op in ADDING:
        return CONSTANT
    if term.op in ("+", "-", "neg", "pos"):
        return LINEAR
    if term.op == "*":
        return LINEAR if parts.count(LINEAR) == 1 else OTHER
    if term.op in ("/", "if"):  # neither divided by it, nor chosen by it
        return LINEAR if parts[1 if term.op == "/" else 0] == CONSTANT else OTHER
    return OTHER
