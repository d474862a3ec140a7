"""The language of formulas: what each part means, what is undefined and why, and every error."""

import ast
import doctest
import math
import pickle
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import plumbline.formula.computing as computing
from formula_tables import Table, table, variables
from plumbline.confusion import COUNTS, RATES
from plumbline.curves import VARIABLES as CURVE_VARIABLES
from plumbline.errors import FormulaError, ParameterError
from plumbline.formula import CONSTANTS, FUNCTIONS, Formula, Variable, read_formula
from plumbline.formula.checking import OVER_ROWS
from plumbline.formula.computing import quantile, rank
from plumbline.formula.functions import REFUSED
from refusals import refused
from source_trees import calls

PAGE = Path(__file__).parents[2] / "docs" / "formulas.md"
VARIABLES = variables()
NAN = math.nan


def computed(text: str, **changes: object) -> object:
    """Return the value of a formula over the small table."""
    return read_formula(text, VARIABLES).compute(table(**changes))


def error_of(text: str, **options: object) -> FormulaError:
    """Return the error that a formula gives."""
    with pytest.raises(FormulaError) as caught:
        read_formula(text, VARIABLES, **options)
    return caught.value


# ------------------------------------------------------------------ values


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a if t else -b", [1, -2, NAN, -4, NAN, 0.5, 2]),
        ("a / b", [NAN, 1, NAN, -4 / 3, NAN, -1, 0.25]),
        ("b // 2", [0, 1, 0, 1, NAN, -1, 4]),
        ("b % -2", [0, 0, -1, -1, NAN, -0.5, 0]),
        ("a < b", [0, 0, NAN, 1, NAN, 0, 1]),
        ("0 < a <= 2", [1, 1, NAN, 0, 0, 1, 1]),
        ("a > 1 or t", [1, 1, 1, 1, 0, 0, 1]),
        ("a > 1 and t", [0, 0, NAN, 0, 0, 0, 1]),
        ("not a", [0, 0, NAN, 0, 1, 0, 0]),
        ("isnan(a)", [0, 0, 1, 0, 0, 0, 0]),
        ("pain == 'asympt'", [1, 0, 0, NAN, 1, 0, 0]),
        ("pain != `chest pain`", [0, 0, 0, NAN, 0, 0, 0]),
        ("pain not in ('asympt', 'atypical')", [0, 0, 1, NAN, 0, 1, 0]),
        ("pain == site", [1, 0, 1, NAN, NAN, 0, 0]),
        ("actualClass == targetClass", [1, 0, 1, 0, 1, 0, 0]),
        ("actualClass == 1", [1, 0, 1, 0, 1, 0, 0]),
        ("((actualClass) == (1))", [1, 0, 1, 0, 1, 0, 0]),
        ("( +1 ) == actualClass", [1, 0, 1, 0, 1, 0, 0]),
        ("a in (1, b)", [1, 1, NAN, 0, NAN, 0, 0]),
        ("None if t else 1", [NAN, 1, NAN, NAN, 1, 1, NAN]),
        ("where(t, 1, a)", [1, 2, 1, 1, 0, 0.5, 1]),
        ("clip(a, 0, 1)", [1, 1, NAN, 0, 0, 0.5, 1]),
        ("rank(a)", [4, 5.5, NAN, 1, 2, 3, 5.5]),
        ("rank(t)", [5.5, 2, 5.5, 5.5, 2, 2, 5.5]),
        ("rank(1) + 0 * t", [4] * 7),
        ("`chest pain`", [0, 1, 2, NAN, 0, 2, 1]),
        ("t + t", [2, 0, 2, 2, 0, 0, 2]),
        ("-t", [-1, 0, -1, -1, 0, 0, -1]),
        ("a ** .5", [1, 2**0.5, NAN, NAN, 0, 0.5**0.5, 2**0.5]),
        ("a ** -1", [1, 0.5, NAN, -0.25, NAN, 2, 0.5]),
    ],
)
def test_values_of_rows(text, wanted):
    """A formula of rows has one value a row, NaN where it is undefined."""
    np.testing.assert_allclose(computed(text), wanted, rtol=1e-15)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("TP", [0, 0, 0, 1, 1, 2, 2, 3]),
        ("TPR", [0, 0, 0, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 1]),
        ("precision", [NAN, 0, 0, 1 / 3, 1 / 4, 2 / 5, 1 / 3, 3 / 7]),
        ("cumm(1) / NN", np.arange(8) / 7),
        ("cum(t)", [0, 0, 1, 2, 2, 2, 3, 4]),
        ("cumm(b if t else 0)", [0, 0, 8, 8, 8, 8, 11, 12]),
        ("cumm(a)", [0, 2, 4, 5, 5.5, 5.5, 1.5, NAN]),
        ("a + 0 * TP", [NAN, 2, 2, 1, 0.5, 0, -4, NAN]),
        ("0 if a == 2 else TP", [NAN, 0, 0, 1, 1, 2, 2, NAN]),
        ("(pain == 'asympt') * cumm(1)", [NAN, 0, 0, 3, 0, 5, NAN, 0]),
    ],
)
def test_values_of_states(text, wanted):
    """A formula of states has one value before the first row and one after every row."""
    np.testing.assert_allclose(computed(text), wanted, rtol=1e-15)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("total(eP)", 3),
        ("total(a)", NAN),
        ("total(a if isnan(a) == 0 else 0)", 1.5),
        ("mean(t)", 4 / 7),
        ("mean(3)", 3),
        ("total(2)", 14),
        ("quantile(t, 0.5)", 1),
        ("quantile(b if b == b else 0, 3 / 7)", NAN),
        ("quantile(0 if isnan(b) else b, 3 / 7)", 0),
        ("quantile(1, 2 - 1.5)", 1),
        ("quantile(t, 1.5)", NAN),
        ("9**9**9", math.inf),
        ("1e999", math.inf),
        ("1_000.5e1 + .5", 10005.5),
        ("-2 ** 2", -4),
        ("2 ** -1", 0.5),
        ("2 ** 3 ** 2", 512),
        ("inf - inf", NAN),
        ("nan == nan", NAN),
        ("False and nan", 0),
        ("True or nan", 1),
        ("0 ** 0", 1),
        ("nan ** 0", NAN),
        ("1 if 2 < 3 < 4 else 5", 1),
        ("param('rate', 30) * 2", 60),
        ("min(3, 2, 1) + max(1, 2)", 3),
        ("1 \n + \t 2", 3),
        ("pi", math.pi),
        ("targetClass", 1),
    ],
)
def test_values_of_sets(text, wanted):
    """A formula of a set has one value, a float."""
    value = computed(text)
    assert type(value) is float
    assert value == pytest.approx(wanted, rel=1e-15, nan_ok=True)


def test_weights_are_repetition():
    """Sums, means, ranks and quantiles with weights are those of repeated rows; 0 is no row."""
    weight = np.array([2.0, 1.0, 0.0, 3.0, 1.0, 2.0, 1.0])
    again = np.repeat(np.arange(7), weight.astype(int))
    columns = {name: column[again] for name, column in table().columns.items()}
    repeated = Table(columns, met=range(len(again)))
    for text in (
        "total(a)",
        "mean(a * t)",
        "quantile(a, .3)",
        "total(1)",
        "mean(a == b or t)",
        "rank(a)",
        "rank(a > 0)",
    ):
        formula = read_formula(text, VARIABLES)
        result = formula.compute(table(weight=weight))
        here = result[again] if formula.level == "row" else result
        np.testing.assert_allclose(here, formula.compute(repeated), rtol=1e-14)
        assert formula.depends_on_weights


def test_of_no_rows():
    """Sums of no rows are 0, means are undefined, and columns are empty."""
    empty = Table({name: column[:0] for name, column in table().columns.items()}, met=[])
    values = {
        text: read_formula(text, VARIABLES).compute(empty)
        for text in ("total(a)", "mean(a)", "quantile(a, .5)", "a > 1", "rank(a)", "mean(1)")
    }
    assert values["total(a)"] == 0
    assert all(math.isnan(values[text]) for text in ("mean(a)", "quantile(a, .5)", "mean(1)"))
    assert len(values["a > 1"]) == len(values["rank(a)"]) == 0
    assert len(rank(np.empty(0), None, 0)) == 0
    assert math.isnan(quantile(np.empty(0), 0.5, None, 0))


@pytest.mark.parametrize("block", [1, 3, 7])
def test_blocks_do_not_show(block, monkeypatch):
    """The size of the pieces in which a formula is computed changes nothing."""
    texts = ("a if t else -b", "a > 1 or t", "(a if pain == site else b) / 2", "precision + a")
    wanted = [computed(text) for text in texts]
    monkeypatch.setattr(computing, "BLOCK", block)
    for text, values in zip(texts, wanted, strict=True):
        np.testing.assert_array_equal(computed(text), values)


# ------------------------------------------------------------------ functions

VALUES = Variable("row", "number", "any number")


def test_every_function_of_math_is_there_or_refused_by_name():
    """Nothing in Python's `math` is forgotten."""
    public = {name for name in dir(math) if not name.startswith("_")}
    assert public <= {*FUNCTIONS, *REFUSED, *CONSTANTS}
    for name in REFUSED:
        assert f"`{name}`" in error_of(f"{name}(1)").message


def test_rounding_to_digits_is_python_s():
    """round(x, digits) is right in the last digit, which scaling is not."""
    x = np.array([2.675, 0.285, 1.005, -0.5, 1e22, 12345.0])
    result = read_formula("round(x, 2)", {"x": VALUES}).compute(Table({"x": x}, met=range(6)))
    assert result.tolist() == [round(float(value), 2) for value in x]


# ------------------------------------------------------------------ what a formula knows of itself


def test_levels_kinds_and_names():
    """A formula says what it is: level, kind, names, and those as they were written."""
    formula = read_formula(
        "TPR - param('rate', -3) * mean(a) if pain == 'asympt' else e", VARIABLES
    )
    assert isinstance(formula, Formula)
    assert (formula.level, formula.kind) == ("state", "number")
    assert formula.names == {"TP", "P", "a", "chest pain"}
    assert formula.names_written == {"TPR", "a", "pain", "e"}
    assert formula.threshold_names == ("TPR",)
    assert formula.params == {"rate": -3}
    assert formula.place_of("pain") == (37, 41)
    assert formula.constants == {"e"}
    assert formula.takes_single_states
    assert formula.is_name is None
    assert pickle.loads(pickle.dumps(formula)).compute(table())[3] == pytest.approx(  # noqa: S301
        formula.compute(table())[3], nan_ok=True
    )


@pytest.mark.parametrize(
    ("text", "level", "kind", "name"),
    [
        ("a", "row", "number", "a"),
        (" ( t ) ", "row", "truth", "t"),
        ("pain", "row", "category", "chest pain"),
        ("`chest pain`", "row", "category", "chest pain"),
        ("TPR", "state", "number", "TPR"),
        ("threshold", "state", "number", "threshold"),
        ("targetClass", "set", "category", "targetClass"),
        ("total(a)", "set", "number", None),
        ("rank(a)", "row", "number", None),
        ("a > 1", "row", "truth", None),
        ("t if t else None", "row", "truth", None),
        ("t + 1", "row", "number", None),
        ("cumm(1)", "state", "number", None),
    ],
)
def test_what_a_formula_is(text, level, kind, name):
    """Level, kind and bare name follow from the parts."""
    formula = read_formula(text, VARIABLES)
    assert (formula.level, formula.kind, formula.is_name) == (level, kind, name)


def test_comparisons_with_numbers_are_reported():
    """The signs and numbers a variable is compared with, the variable on the left."""
    formula = read_formula("0.5 >= a or a < 1 < b and a != -2", VARIABLES)
    assert formula.comparisons_of("a") == (("<=", 0.5), ("<", 1.0), ("!=", -2.0))
    assert formula.comparisons_of("b") == ((">", 1.0),)


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("(TP - FP) * 2 >= 1e9", ("(TP - FP) * 2", ">=", "1e9")),
        ("((TP)*(FP) < (2))", ("(TP)*(FP)", "<", "(2)")),
        ("0 < TP < 2", None),
        ("TP > 1 and TP < 2", None),
        ("TP", None),
    ],
)
def test_sides_of_a_comparison(text, sides):
    """Both sides as written, brackets included; only one comparison has sides."""
    assert read_formula(text, VARIABLES).sides() == sides


@pytest.mark.parametrize(
    ("text", "takes"),
    [("TP + a", True), ("threshold", True), ("a", True), ("TPR - cumm(a)", False), ("P", False)],
)
def test_values_of_single_states(text, takes):
    """The threshold and a row's own value belong to one state; counts add up over rows."""
    assert read_formula(text, VARIABLES).takes_single_states == takes


def test_params_are_set_by_the_scope():
    """A parameter has its default unless the scope gives another value."""
    formula = read_formula("a * param('rate', 30) > param('rate', 30)", VARIABLES)
    low, high = formula.compute(table(params={"rate": -1.0})), formula.compute(table())
    assert low.tolist()[:2] == [0, 0]
    assert high.tolist()[:2] == [0, 1]
    memo: dict[object, object] = {}
    total = read_formula("total(t * param('rate', 30))", VARIABLES)
    assert total.compute(table(memo=memo)) == 120
    assert total.compute(table(memo=memo, params={"rate": 1.0})) == 4


def test_what_does_not_hang_on_weights_is_kept():
    """With a shared memory, other weights ask for no column again."""
    given: list[str] = []

    class Counting(Table):
        def value(self, name):
            given.append(name)
            return super().value(name)

    first = Counting(table().columns, met=range(7))
    formula = read_formula("cumm(a ** 2 if t else -a) + total(a * t + t)", VARIABLES)
    formula.compute(first)
    assert set(given) == {"a", "t"}
    given.clear()
    weight = np.arange(1.0, 8.0)
    second = Counting(table().columns, met=range(7), weight=weight, memo=first.memo)
    result = formula.compute(second)
    assert given == []
    np.testing.assert_array_equal(result, formula.compute(table(met=range(7), weight=weight)))


def test_attributes_behind_built_in_names():
    """In back-ticks an attribute is meant, without them what the name stands for everywhere."""
    known = {"`e`": VALUES, "e": VALUES, "P": VARIABLES["P"], "`P`": VALUES, "pi²": VALUES}
    data = Table(
        {
            "`e`": np.array([5.0]),
            "`P`": np.array([6.0]),
            "eP": np.array([True]),
            "pi²": np.array([7.0]),
        },
        met=[0],
    )
    for text, wanted in (("e", math.e), ("`e`", 5), ("P", 1), ("`P`", 6), ("`pi²`", 7)):
        assert read_formula(text, known).compute(data) == pytest.approx(wanted)


def test_a_formula_that_needs_too_much_memory_is_refused(monkeypatch):
    """The columns a formula needs at once are counted before they are made."""
    monkeypatch.setattr(computing, "BUDGET", 100)
    with refused(ParameterError, "out-of-memory", "2 columns", "of 7"):
        computed("a + b * a")
    assert computed("total(1)") == 7
    for text, columns in (("cumm(a)", 3), ("cumm(a * b)", 5), ("rank(a + 1)", 3), ("mean(a)", 1)):
        monkeypatch.setattr(computing, "BUDGET", 8 * 7 * columns - 1)
        with pytest.raises(ParameterError, match=f"needs {columns} columns?"):
            computed(text)
        monkeypatch.setattr(computing, "BUDGET", 8 * 7 * columns)
        computed(text)


def test_names_of_many_categories_are_compared_without_writing_them_down():
    """What tells two comparisons apart is short, however many names the categories have."""
    names = tuple(f"n{i}" for i in range(20_000))
    known = {
        "u": Variable("row", "category", "", categories=names),
        "v": Variable("row", "category", "", categories=names[::-1]),
    }
    formula = read_formula(" or ".join(["u == v", "v == u"] * 20), known)
    assert len(formula.term.key) < 2000
    data = Table({"u": np.array([0, 5, -1]), "v": np.array([19_999, 5, 2])}, met=range(3))
    np.testing.assert_array_equal(formula.compute(data), [1, 0, NAN])


# ------------------------------------------------------------------ why a value is undefined


@pytest.mark.parametrize(
    ("text", "state", "why"),
    [
        ("TN / NP", 0, "0/0 in `TN / NP`"),
        ("precision * 2", 0, "0/0 in `TP / (TP + FP)`"),
        ("a", 0, "`a` has no value before the first row"),
        ("a", 7, "`a` is missing"),
        ("a * TP", 7, "`a` is missing"),
        ("cumm(a)", 7, "`a` is missing in a row of `cumm(a)`"),
        ("cumm(1 / b)", 3, "1/0 in `1 / b` in a row of `cumm(1 / b)`"),
        ("log(0) if TP < 1 else 1", 1, "log(0)"),
        ("None if TP < 1 else 1", 1, "`None` is undefined"),
        ("sqrt(-TP)", 3, "sqrt of a number below 0 in `sqrt(-TP)`"),
        ("pain == 'asympt'", 6, "`chest pain` is missing"),
        ("TP % 0", 3, "x % 0 in `TP % 0`"),
        (
            "total(a)",
            0,
            "`a` is missing in 1 of 7 rows of `total(a)`; leave them out "
            'with the filter "not isnan(a)"'
            ", or count them as 0: total(0 if isnan(a) else a)",
        ),
        ("(TP > 0) and a", 7, "`a` is missing"),
        ("(TP - 1) * 2 / 0", 3, "0/0 in `(TP - 1) * 2 / 0`"),
        ("(TP-P)/0", 3, "x/0 in `(TP-P)/0`"),
        ("(TP / (FP - 2)) * 2", 3, "x/0 in `(TP / (FP - 2))`"),
        ("(a) * (TP)", 7, "`a` is missing"),
        ("TP / param('c', 1) / 0", 0, "0/0 in `TP / param('c', 1) / 0`"),
        ("inf * TP", 0, "inf * 0 in `inf * TP`"),
        ("1e999 / inf - TP", 0, "inf/inf in `1e999 / inf`"),
        ("(TP - 2) ** .5", 3, "(-x) ** 0.5 in `(TP - 2) ** .5`"),
        ("0 ** -TP", 3, "0 ** -x in `0 ** -TP`"),
        ("asin(TP + 1)", 3, "asin outside its domain in `asin(TP + 1)`"),
        ("gcd(TP + .5, 2, 4)", 3, "gcd outside its domain in `gcd(TP + .5, 2, 4)`"),
        ("pow(0, -TP)", 3, "pow(0, -x) in `pow(0, -TP)`"),
        (
            "mean(a if isnan(pain) else nan)",
            0,
            "`nan` is undefined in 6 of 7 rows of `mean(a if isnan(pain) else nan)`; leave them "
            'out with the filter "not isnan(a if isnan(pain) else nan)"',
        ),
        ("TP", 3, ""),
        ("a if TP > 99 else 1", 7, ""),
    ],
)
def test_why_a_value_is_undefined(text, state, why):
    """The reason is the innermost part in which it begins, on the side that is taken."""
    known = VARIABLES | {
        "TN": Variable("state", "number", ""),
        "NP": Variable("state", "number", ""),
    }
    data = table()
    data.columns = dict(data.columns) | {"TN": np.zeros(8), "NP": np.zeros(8)}
    assert read_formula(text, known).why_undefined(data, state) == why


# ------------------------------------------------------------------ errors


@pytest.mark.parametrize(
    ("text", "code", "fact", "place"),
    [
        ("", "formula-empty", "", ""),
        ("a = 1", "not-in-formulas", "`==`", "="),
        ("log(x=3)", "not-in-formulas", "", "="),
        ("t && t", "not-in-formulas", "`and`", "&&"),
        ("2 ^ 3", "not-in-formulas", "`**`", "^"),
        ("a > 50%", "formula-incomplete", "0.5", "%"),
        ("a²", "not-in-formulas", "`**2`", "²"),
        ("a ≥ 1", "not-in-formulas", "`>=`", "≥"),
        ("(1 + 2", "formula-incomplete", "", "("),
        ("min(a, (b)", "formula-incomplete", "", "("),
        ("1 + 2)", "part-misplaced", "", ")"),
        ("'abc", "formula-incomplete", "", "'abc"),
        ("`abc", "formula-incomplete", "", "`abc"),
        ("1 if t", "formula-incomplete", "`else`", "if"),
        ("1 else 2", "part-misplaced", "`if`", "else"),
        ("a +", "formula-incomplete", "`+`", "+"),
        ("* a", "formula-incomplete", "", "*"),
        ("a b", "part-misplaced", "`a b`", "b"),
        ("2 a", "part-misplaced", "", "a"),
        ("2a", "part-misplaced", "", "a"),
        ("1, 2", "part-misplaced", "", ","),
        ("a.x", "not-in-formulas", "", "."),
        ("a[1]", "part-misplaced", "", "["),
        ("[1]", "part-misplaced", "`in`", "["),
        ("lambda: 1", "not-in-formulas", "", "lambda"),
        ("a is b", "part-misplaced", "", "is"),
        ("is", "not-in-formulas", "isnan(x)", "is"),
        ("a if t else for", "not-in-formulas", "no loops", "for"),
        ("f'x'", "not-in-formulas", "", "f'"),
        ("max(*a)", "not-in-formulas", "", "*"),
        ("1 + not t", "part-misplaced", "", "not"),
        ("()", "formula-incomplete", "", "()"),
        ("amount", "unknown-variable", "`amount`", "amount"),
        ("thresold", "unknown-variable", "threshold", "thresold"),
        ("asympt", "unknown-variable", "== 'asympt'", "asympt"),
        ("sqrtt(a)", "unknown-function", "sqrt", "sqrtt"),
        ("sqrt", "wrong-arguments", "", "sqrt"),
        ("TP(2)", "unknown-function", "`*`", "TP"),
        ("1 + (sqrtt(a))", "unknown-function", "sqrt", "sqrtt"),
        ("(pain) * (2)", "category-as-number", "`pain`", "(pain)"),
        ("(a + b) == 'x'", "text-not-comparable", "`(a + b)`", "(a + b) == 'x'"),
        ("pain == (3)", "unknown-category", "'3'", "(3)"),
        ("pain == -( 3 )", "unknown-category", "'-3'", "-( 3 )"),
        ("( (\tpain ) ) + 1", "category-as-number", "`pain`", "( (\tpain ) )"),
        ("(a)(2)", "part-misplaced", "`*`", "("),
        ("log()", "wrong-arguments", "1 or 2", "log()"),
        ("min(a)", "wrong-arguments", "2 or more", "min(a)"),
        ("sqrt(a, b)", "wrong-arguments", "1 argument", "sqrt(a, b)"),
        ("pain + 1", "category-as-number", "", "pain"),
        ("pain < 'b'", "category-as-number", "", "pain"),
        ("max(pain, site)", "category-as-number", "", "pain"),
        ("pain == 'asimpt'", "unknown-category", "asympt", "'asimpt'"),
        ("pain == 3", "unknown-category", "'3'", "3"),
        ("pain == a", "category-as-number", "`a`", "pain == a"),
        ("a == 'x'", "text-not-comparable", "`a`", "a == 'x'"),
        ("'a' == 'b'", "text-not-comparable", "", "'a' == 'b'"),
        ("a + 'x'", "text-not-comparable", "", "'x'"),
        ("pain in 'asympt'", "formula-incomplete", "", "'asympt'"),
        ("pain in ()", "formula-incomplete", "", "()"),
        ("a == None", "not-in-formulas", "isnan(x)", "None"),
        ("a == (1, 2)", "part-misplaced", "`in`", ","),
        ("total(TP)", "level-too-high", "`total(...)`", "TP"),
        ("cumm(cumm(1))", "level-too-high", "`cumm(...)`", "cumm(1)"),
        ("mean(TPR)", "level-too-high", "`TPR`", "TPR"),
        ("rank(threshold)", "level-too-high", "`rank(...)`", "threshold"),
        ("quantile(a, b)", "level-too-high", "", "b"),
        ("param(rate, 1)", "wrong-arguments", "", "rate"),
        ("param('rate', a)", "wrong-arguments", "", "a"),
        ("param('r', 1) + param('r', 2)", "wrong-arguments", "", "param('r', 2)"),
        ("a \x00 b", "not-in-formulas", "'\\x00'", "\x00"),
        ("`变量` + é", "unknown-variable", "`变量`", "`变量`"),
        ("'é' + é", "text-not-comparable", "", "'é'"),
        ("`chest pain` == 'é' ", "unknown-category", "'é'", "'é'"),
    ],
)
def test_errors_say_what_and_where(text, code, fact, place):
    """Every error has its code, names what to write, and points at the characters that break it."""
    error = error_of(text)
    assert (error.code, error.arrived) == (code, place)
    assert fact in error.message
    assert error.formula == text
    assert text[error.start : error.end] == place


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("thresold", "threshold"),
        ("sqrtt(a)", "sqrt"),
        ("1 + (sqrtt(a))", "sqrt"),
        ("pain == 'asimpt'", "asympt"),
        ("qqqq", None),
    ],
)
def test_errors_know_the_near_name(text, near):
    """Of variables, functions and categories alike; it stands in the message."""
    error = error_of(text)
    assert error.near == near
    assert near is None or repr(near) in error.message


def test_codes_are_those_of_the_page():
    """docs/formulas.md has a row for every code that a formula can be refused with."""
    raised = {
        code
        for _, node, name in calls()
        if name.endswith(("FormulaError", "wrong", "_refuse", "Token"))
        for code in [
            *(k.value.value for k in node.keywords if k.arg == "code" and is_text(k.value)),
            *(each.value for each in node.args[4:] if is_text(each)),
        ]
    }
    part = PAGE.read_text("utf-8").partition("## Errors")[2]
    assert raised == set(re.findall(r"^\| `([a-z-]+)` \|", part, re.M))


def is_text(node: ast.expr) -> bool:
    """Tell whether a node is a text that is written out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_errors_show_a_caret():
    """The text of an error has the formula and carets below the place."""
    assert str(error_of("1 + amout")).splitlines()[1:] == ["  1 + amout", "      ^^^^^"]


@pytest.mark.parametrize(
    ("text", "highest", "code", "name"),
    [
        ("a + TPR", "row", "level-too-high", "`TPR`"),
        ("cumm(1)", "row", "level-too-high", "`cumm`"),
        ("a", "set", "level-too-high", "`a`"),
        ("rank(a)", "set", "level-too-high", "`rank`"),
    ],
)
def test_a_level_too_high_is_refused_with_its_culprit(text, highest, code, name):
    """Where only values of rows or of the set can stand, the error names what is not."""
    error = error_of(text, highest=highest)
    assert error.code == code
    assert name in error.message
    allowed = "total(a) + mean(rank(a))"
    assert read_formula(allowed, VARIABLES, highest="set").level == "set"


def test_limits():
    """A formula is short, shallow and small; each limit says so."""
    for text, limit in (
        ("1" * 2001, "2000"),
        ("(" * 101 + "1" + ")" * 101, "100"),
        ("1" + "+1" * 101, "100"),
    ):
        error = error_of(text)
        assert error.code == "formula-too-large"
        assert limit in error.message
    assert computed("(" * 99 + "1" + ")" * 99) == 1
    assert computed("1" + "+1" * 98) == 99
    rates = {"r0": VALUES}
    for i in range(1, 12):
        rates[f"r{i}"] = Variable("row", "number", "", formula=f"r{i - 1} + r{i - 1}")
    with refused(FormulaError, "formula-too-large", 500, 100) as caught:
        read_formula("1 + r11", rates)
    assert (caught.value.start, caught.value.end) == (4, 7)


def test_deep_formulas_do_not_reach_the_limit_of_recursion():
    """The deepest formulas are read and computed with half of Python's stack already in use."""

    def within(depth, task):
        return task() if depth == 0 else within(depth - 1, task)

    deep = (
        "min(a, " * 49 + "b" + ")" * 49,
        "not " * 98 + "t",
        "(" * 99 + "a" + ")" * 99,
        "1 if t else " * 90 + "a",
        "a in (" * 45 + "a" + ",)" * 45,
    )
    for text in deep:
        half = (sys.getrecursionlimit() - 200) // 4
        assert len(within(half, lambda text=text: computed(text))) == 7


def test_only_text_is_a_formula():
    """Anything but a text is refused by type."""
    with refused(ParameterError, "wrong-kind"):
        read_formula(3, VARIABLES)


# ------------------------------------------------------------------ the page for users


def test_the_page_for_users_runs():
    """The examples of docs/formulas.md give what they show."""
    failed, tried = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    assert tried > 5
    assert failed == 0


def test_the_page_for_users_names_everything():
    """Every function, constant, variable and rate has its row, in the words of the tables."""
    page = PAGE.read_text("utf-8")
    rows = [
        f"| {', '.join(f'`{n}`' for n in (name, *rate.aliases))} | `{rate.formula}` | "
        f"{rate.meaning} |"
        for name, rate in RATES.items()
    ]
    rows += [f"| `{name}` | {count.meaning} |" for name, count in COUNTS.items()]
    rows += [f"`{name}`" for name in (*CURVE_VARIABLES, *CONSTANTS)]
    rows += [f"`{name}(f" for name in OVER_ROWS]
    rows += [f"`{name}` {function.meaning}" for name, function in FUNCTIONS.items()]
    assert [row for row in rows if row not in page] == []


def test_infinite_values_have_equal_ranks():
    """Two infinities are a tie like any other; what is undefined has no rank."""
    ranks = rank(np.array([np.inf, 1.0, np.inf, np.nan]), None, 4)
    np.testing.assert_array_equal(ranks, [2.5, 1, 2.5, np.nan])
