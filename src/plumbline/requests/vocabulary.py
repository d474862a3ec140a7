"""Every name that a formula may use on a table, with its values; the functions and the presets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from plumbline.confusion import COUNTS, RATES
from plumbline.curves import PRESETS, VARIABLES, Preset, TargetRows, Vocabulary
from plumbline.curves.goals import PAYOFF_TITLE, PAYOFFS, payoff_formula
from plumbline.curves.target_rows import rows_of
from plumbline.errors import FormulaError
from plumbline.formula import CONSTANTS, FUNCTIONS, Function, Variable, read_formula
from plumbline.predictions import Predictions

MOST_VALUES = 200  # that an editor offers; more are not chosen from by eye
OF_ROWS = {
    "cumm": ("cumm(f)", "weighted sum of f over the rows so far, 0 before the first", "state"),
    "total": ("total(f)", "weighted sum of f over all rows", "set"),
    "mean": ("mean(f)", "weighted mean of f over all rows", "set"),
    "quantile": (
        "quantile(f, share)",
        "smallest value of f at which the weight of the rows up to it reaches the share",
        "set",
    ),
    "rank": ("rank(f)", "place of the row by f, 1 for the smallest; ties share the middle", "row"),
}
OTHERS = {
    "where": ("where(c, a, b)", "a where the condition c holds, else b: `a if c else b`"),
    "param": ("param('name', 1)", "a number with a slider; the second argument is its default"),
}
ARGUMENTS = {
    "clip": "x, lo, hi",
    "comb": "n, k",
    "perm": "n, k",
    "pow": "x, y",
    "log": "x, base",
    "round": "x, digits",
    "ldexp": "x, i",
}
MEANINGS = {
    "pi": "ratio of a circle's circumference to its diameter",
    "e": "base of the natural logarithm",
    "tau": "2 pi",
    "inf": "infinity",
    "nan": "undefined",
    "True": "true, 1",
    "False": "false, 0",
    "None": "undefined: leaves a row or a point out",
}


def vocabulary(data: Predictions) -> dict[str, Any]:
    """Return what formulas may name on a table.

    Returns
    -------
    dict
        "variables", each with its name as a formula writes it, `level`, `kind`, `meaning` and, of
        categories, its first 200 values; "functions"; "presets"; and "payoffs", the formulas of a
        profit.

    >>> words = vocabulary(Predictions.from_arrays([0, 1], [0.2, 0.9], attributes={"a b": [5, 7]}))
    >>> words["variables"][0]["name"], words["presets"][0]["title"]
    ('`a b`', 'ROC curve')
    """
    return vocabulary_of(rows_of(data, data.positive))


def vocabulary_of(rows: TargetRows) -> dict[str, Any]:
    """Return what formulas may name on the rows of a table, as `vocabulary` does."""
    variables = list(_variables(rows))
    return {
        "variables": variables,
        "functions": list(_functions()),
        "presets": presets(),
        "payoffs": _payoffs(variables),
    }


def presets() -> list[dict[str, Any]]:
    """Return the named curves, which are the same for every table.

    >>> presets()[0]["name"], presets()[0]["x"], presets()[0]["y"]
    ('roc', 'FPR', 'TPR')
    """
    return [_preset(name, preset) for name, preset in PRESETS.items()]


def written_value(value: str) -> str:
    r"""Return a value of a category as a formula writes it.

    >>> print(written_value("it's"), written_value("asympt"))
    "it's" 'asympt'
    """
    mark = '"' if "'" in value and '"' not in value else "'"
    return mark + value.replace("\\", r"\\").replace(mark, f"\\{mark}") + mark


def _payoffs(variables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the formulas of the profit: of payoffs as they are, and times every amount."""
    amounts = [one for one in variables if one["attribute"] and one["kind"] == "number"]
    return {
        "y_title": PAYOFF_TITLE,
        "usual": dict(PAYOFFS),
        "formulas": [
            {"column": None, "y": payoff_formula()},
            *({"column": one["title"], "y": payoff_formula(one["name"])} for one in amounts),
        ],
    }


def _variables(rows: TargetRows) -> Iterator[dict[str, Any]]:
    known = Vocabulary(rows)
    for attribute in rows.attributes.raw:
        written = _written(attribute, known)
        if written is not None:
            yield _variable(written, known[written], attribute, group="attribute")
    data = rows.data
    absent = {"probability": data.prob is None, "score": data.score is None}
    for name in VARIABLES:
        if not absent.get(name, False):
            yield _variable(name, known[name], _title(name), group=_group(name))
    for name in (*CONSTANTS, "True", "False", "None"):
        constant = Variable("set", "number", MEANINGS[name])
        yield _variable(name, constant, name, group="constant")


def _variable(name: str, variable: Variable, title: str, *, group: str) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "group": group,
        "level": variable.level,
        "kind": variable.kind,
        "meaning": variable.meaning,
        "formula": variable.formula,
        "categories": list(variable.categories[:MOST_VALUES]),
        "attribute": variable.attribute,
        "threshold": variable.threshold,
    }


def _written(attribute: str, known: Mapping[str, Variable]) -> str | None:
    """Return how an attribute is named in a formula: bare where that means it, else in ticks."""
    bare = [attribute] if attribute.isidentifier() and attribute not in VARIABLES else []
    for written in (*bare, f"`{attribute}`"):
        try:
            read = read_formula(written, known)
        except FormulaError:
            continue
        if read.is_name is not None and not read.constants:
            return written
    return None


def _group(name: str) -> str:
    if name in COUNTS:
        return "count"
    if VARIABLES[name].formula is not None:
        return "rate"
    return "row" if VARIABLES[name].level == "row" else "threshold"


def _title(name: str) -> str:
    if name in COUNTS:
        return COUNTS[name].title
    titles = (rates.title for rate, rates in RATES.items() if name in (rate, *rates.aliases))
    return next(titles, name)


def _functions() -> Iterator[dict[str, Any]]:
    for name, (signature, meaning, level) in OF_ROWS.items():
        yield {"name": name, "signature": signature, "meaning": meaning, "level": level}
    for name, (signature, meaning) in OTHERS.items():
        yield {"name": name, "signature": signature, "meaning": meaning, "level": None}
    for name, function in FUNCTIONS.items():
        signature = f"{name}({_arguments(name, function)})"
        yield {"name": name, "signature": signature, "meaning": function.meaning, "level": None}


def _arguments(name: str, function: Function) -> str:
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    if function.most > 3:
        return "x, y, ..."
    return "x, y" if function.least == 2 else "x"


def _preset(name: str, preset: Preset) -> dict[str, Any]:
    return {
        "name": name,
        "title": preset.title,
        "x": preset.x,
        "y": preset.y,
        "x_title": preset.x_title,
        "y_title": preset.y_title,
        "explanation": preset.explanation,
        "needs": preset.needs,
        "params": dict(preset.params),
        "shape": preset.shape,
        "guide": preset.guide,
        "scale": preset.scale,
        "square": preset.square,
        "sort_by": preset.sort_by,
        "direction": preset.direction,
        "merge": preset.merge,
        "average": preset.average,
    }
