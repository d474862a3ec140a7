"""Laws of formulas: equal to a literal interpreter, row by row; and no text does any harm."""

import ast
import math
import random
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plumbline.formula.computing as computing
from formula_tables import CLASSES, PAIN, SITE, Table, table, variables
from laws import examples, some
from plumbline.errors import FormulaError
from plumbline.formula import Formula, read_formula
from reference.literal_curve import Rows
from reference.literal_formula import Value, evaluate, number, parsed

VARIABLES = variables()

# ------------------------------------------------------------------ the literal interpreter


@dataclass
class Met(Rows):
    """Rows in the order of the table, of which those in `order` have been met."""

    order: Sequence[int] = ()

    def special(self, name: str, nodes: Sequence[ast.expr]) -> Value:
        """Return a function of other rows: `cumm` adds them in the order in which they were met."""
        return self._sum(nodes[0], self.order) if name == "cumm" else super().special(name, nodes)

    def _count(self, name: str) -> float:
        wanted = {"TP": 1.0, "FP": 0.0}[name]
        return sum(self.rows[i]["weight"] for i in self.order if self.rows[i]["eP"] == wanted)


def literally(text: str, formula: Formula, data: Table) -> np.ndarray:
    """Return what the literal interpreter makes of a formula."""
    tree, rows = parsed(text), [literal_row(data, i) for i in range(data.n)]
    if formula.level == "state":
        met = [list(data.met)[:k] for k in range(data.n + 1)]
        places = [
            Met(rows, CLASSES[1], data.params, at=order[-1] if order else None, met=k, order=order)
            for k, order in enumerate(met)
        ]
    else:
        places = [Rows(rows, CLASSES[1], data.params, at=i) for i in range(data.n)]
    result = [evaluate(tree, place) for place in places]
    return np.array([math.nan if value is None else value for value in result])


def literal_row(data: Table, row: int) -> dict[str, Value]:
    """Return a row with None for what is missing, and names of categories."""
    names = {"pain": PAIN, "site": SITE, "actualClass": CLASSES}
    codes = {"pain": data.columns["chest pain"], **data.columns}
    texts = {
        name: known[codes[name][row]] if codes[name][row] >= 0 else None
        for name, known in names.items()
    }
    numbers = {name: number(float(data.columns[name][row])) for name in ("a", "b", "t", "eP")}
    return {**numbers, **texts, "eN": 1.0 - numbers["eP"], "weight": float(data.mass()[row])}


# ------------------------------------------------------------------ random formulas

NUMBERS = ("0", "1", "2", "0.5", "3", "1e3", "-4", ".25", "True", "False", "nan")
ROWS = ("a", "b", "t", "eP", "P", "NN", "a", "b", "param('rate', 30)")
NAMED = (
    *(f"pain {sign} '{name}'" for sign in ("==", "!=") for name in PAIN),
    *("'clinic' == site", "pain == site", "site != pain", "actualClass == 1", "0 != actualClass"),
    *("pain in ('asympt', 'atypical')", "site not in ('clinic',)", "pain == site == pain"),
    *("isnan(pain)", "actualClass in (1, 0)"),
)
TWO = ("+", "-", "*", "/", "//", "%", "and", "or", "<", "<=", ">", ">=", "==", "!=")
ONE = ("abs", "sqrt", "floor", "ceil", "round", "isnan", "not ", "-")
SHAPES = (
    "({}) - 2 * -({})",
    "({}) < ({}) <= ({})",
    "({}) in ({}, {})",
    "({}) not in ({}, 1)",
    "({}) if ({}) else ({})",
    "({}) if ({}) else None",
    "({}) or ({}) and not ({})",
    "({}) and ({}) and ({})",
    "where({}, {}, {})",
    "clip({}, {}, {})",
    "min({}, {})",
    "max({}, {}, {})",
    "-clip(floor({}), -9, 9) ** 2",  # exact, for Python rounds squares in a way of its own
)


def written(rng: random.Random, size: int, *, states: bool) -> str:
    """Return a random formula of rows, or of states and rows."""
    if size == 0:  # None is not among them: to compare it is an error, which says how to ask
        kinds = (ROWS, ROWS, NUMBERS, NAMED, ("TP", "FP", "TPR") if states else ROWS)
        return rng.choice(rng.choice(kinds))
    parts = [written(rng, rng.randrange(size), states=states) for _ in range(3)]
    shape = rng.randrange(8)
    if shape < 3:
        sign = rng.choice(TWO)
        formula = f"({parts[0]}) {sign} ({parts[1]})"
    elif shape == 3:
        formula = f"{rng.choice(ONE)}({parts[0]})"
    elif shape == 4:
        inner = written(rng, size - 1, states=False)
        over = rng.choice(("total({})", "mean({})", "rank({})", "quantile({}, 0.5)", "cumm({})"))
        formula = over.format(inner) if states or "cumm" not in over else inner
    else:
        formula = rng.choice(SHAPES).format(*parts)
    return formula


@settings(max_examples=examples(40))
@given(st.integers(0, 2**32), st.permutations(range(7)), st.booleans(), st.sampled_from([2, 99]))
def test_a_formula_is_what_it_says_row_by_row(seed, met, weighted, block):
    """Any formula equals a literal interpreter of Python's own tree, in rows and in states."""
    rng = random.Random(seed)
    weight = np.array([1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 1.0]) if weighted else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(computing, "BLOCK", block)
        for _ in range(20):
            data = table(met=met, weight=weight, params={"rate": 7.0})
            text = written(rng, rng.randrange(5), states=rng.random() < 0.6)
            formula = read_formula(text, VARIABLES)
            wanted = literally(text, formula, data)
            result = np.broadcast_to(formula.compute(data), wanted.shape)
            np.testing.assert_allclose(result, wanted, rtol=1e-13, err_msg=text)  # 7 * x is no sum
            causes = formula.causes(data, np.arange(len(wanted)), row=formula.level != "state")
            places = sorted(place for why, places in causes if why for place in places)
            assert places == np.flatnonzero(np.isnan(wanted)).tolist(), text


# ------------------------------------------------------------------ hostile texts

GOOD = (
    "amount**2/30 if eP else -amount".replace("amount", "a"),
    "cumm( ( a **2 / 30 ) * eP - ( a * (1 - eP) ) ) / NN",
    "1 if ( ( b >= 0.5 and actualClass == targetClass ) or ( b < 0.5 ) ) else 0",
    "pain in ('asympt', \"atypical\") and not isnan(site)",
    "`chest pain` != 'non-anginal' if TPR > .5 else None",
    "clip(rank(a) / NN, 0, 1) + quantile(b, .5) - mean(max(a, b)) % 3",
    "factorial(a) + comb(NN, P) - log(abs(b), 2) // round(a, 1)",
)
WORDS = (
    *("a", "b", "t", "eP", "pain", "TP", "P", "precision", "`chest pain`", "targetClass", "pi"),
    *("0", "1", "9", "1e308", "1e999", ".5", "1_0", "'asympt'", '"0"', "''", "None", "True"),
    *("+", "-", "*", "/", "//", "%", "**", "(", ")", "(", ")", ",", "<", "<=", "==", "!=", ">"),
    *(
        "and",
        "or",
        "not",
        "in",
        "not in",
        "if",
        "else",
        "is",
        "lambda x: x",
        "for x in a",
        "=",
        ":=",
    ),
    *("cumm(", "total(", "mean(", "rank(", "quantile(", "sqrt(", "log(", "factorial(", "pow("),
    *("comb(", "perm(", "gcd(", "ldexp(", "round(", "gamma(", "param('x',", "where(", "isnan("),
    *("[", "]", "{", "}", "`", "'", '"', "\\", "\0", ";", "#", "@", "$", "!", "&&", "^", "~", "?"),
    *(".__class__", "__import__('os')", "().__class__.__bases__", "open('/etc/passwd')", "a.b"),
    *("eval(", "exec(", "__debug__", "f'{a}'", "b'x'", "0x10", "1j", "...", "*a", "**a", "x=1"),
    *(
        "ﬁ",
        "é",
        "变量",
        "\ud800",
        "\u202e",
        "\n",
        "\t",
        "²",
        "−",
        "“",
        "€",
        "\x1b[31m",
        "\U0001f600",
    ),
)
HOSTILE = (
    *("9**9**9**9**9", "9" * 1900, "1e" + "9" * 500, "factorial(1e9)", "comb(1e9, 5e8)"),
    *("-" * 100_000 + "1", "(" * 1999, "(" * 99 + "1" + ")" * 99, "[" * 500, "~" * 1000),
    *("1" + "+1" * 900, "a<" * 600 + "a", "not " * 400 + "a", "a if a else " * 150 + "a"),
    *("min(" * 300 + "1", "isnan(" * 90 + "pain" + ")" * 90, "a**" * 99 + "a", "a" * 1999),
    *("a in (" * 90 + "a,)" + ")" * 89, "TPR + " * 120 + "1", "precision*" * 60 + "1"),
    *(
        "gcd(1e308, 7e-300)",
        "gcd(9007199254740991e200, 3e15)",
        "lcm(1e300, 3)",
        "round(1e300, 1e9)",
    ),
    *("pow(1e308, 1e308)", "perm(1e15, 1e15)", "gamma(1e308)", "exp(1e308) - exp(1e308)"),
    *("None", "''", "'" * 1999, "`" * 1999, "\0" * 50, "\ud800", " " * 3000, "\n", ""),
)


SIGNS = ("+", "-", "*", "/", "//", "%", "<", ">", "==")


def mutated(rng: random.Random, text: str) -> str:
    """Return a formula with words changed for others, or characters cut out, put in or doubled."""
    for _ in range(rng.randrange(1, 3)):
        if rng.random() < 0.6:
            place = rng.choice(list(re.finditer(r"\w+|[-+*/<>]", text)) or [None])
            sort = WORDS[:17] if place is None or place[0].isalnum() else SIGNS
            start, end = place.span() if place else (0, 0)
            other = rng.choice(sort)
        else:
            start = rng.randrange(len(text) + 1)
            end = start + rng.randrange(6)
            other = rng.choice((*WORDS, text[start:end]))
        text = text[:start] + other + text[end:]
    return text


def soup(rng: random.Random) -> str:
    """Return words in any order."""
    words = rng.choices(WORDS, k=rng.randrange(1, 9))
    return rng.choice(("", " ")).join(words)


@pytest.mark.laws
def test_no_text_does_harm():
    """Each of 50,000 random and hostile texts is computed or refused with a place; none hangs."""
    rng, data, computed, refused, slowest = random.Random(1), table(), 0, set(), 0.0
    short = [soup(rng) for _ in some(range(46_000), 12_000)]
    changed = [mutated(rng, rng.choice(GOOD)) for _ in some(range(4_000), 1_000)]
    texts = [*HOSTILE, *short, *changed]
    for text in texts:
        start = time.perf_counter()
        try:
            result = read_formula(text, VARIABLES).compute(data)
        except FormulaError as error:
            place_is_in_text = 0 <= error.start <= error.end <= len(error.formula)
            refused.add((place_is_in_text, bool(error.message)))
        else:
            computed += 1
            assert np.asarray(result).dtype == np.float64
        slowest = max(slowest, time.perf_counter() - start)
    assert refused == {(True, True)}
    assert computed > 0.015 * len(texts)
    assert slowest < 10  # none hangs; on a busy machine any may wait its turn
