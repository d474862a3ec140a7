"""A map as one SQL SELECT, for a database without Plumbline.

The query grows by named columns: each stands in the level after those it is made of.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from plumbline._checks import one_of, shorten, shown
from plumbline._distribution import installed_version
from plumbline.errors import ParameterError
from plumbline.formatting import counted, printable
from plumbline.recalibration.export.dialects import CHAIN, DIALECTS, LATERAL, SqlDialect
from plumbline.recalibration.export.pieces import MOST, PiecewisePolynomial, pieces_of
from plumbline.recalibration.forms import (
    EventForm,
    Logistic,
    OneVsRest,
    PiecewiseLinear,
    Softmax,
    Spline,
    Unchanged,
)
from plumbline.recalibration.inputs import NEVER, PROBABILITY
from plumbline.recalibration.map import RecalibrationMap

ONE = "1.0e0"
FARTHEST = "700.0e0"  # e^-700 is about 1e-304; some databases refuse to go further
OWN = re.compile(r"\bplumbline_\d+\b")
ROW = "plumbline_row"


@dataclass(slots=True)
class Level:
    """Columns that can be computed at once, and the rows they are looked up in."""

    columns: dict[str, str] = field(default_factory=dict)
    joins: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Script:
    """A query while it is written.

    Attributes
    ----------
    dialect : whose words it is in
    levels : columns by name, each made of those of earlier levels
    tables : common table expressions of numbers
    level : level of every column
    names : name of every text that was put, so that none is computed twice
    conditions : how a table of numbers is joined
    least : of the map: what smaller probabilities count as in logarithms, 0 if there is none
    """

    dialect: SqlDialect
    least: float = 0.0
    levels: list[Level] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    level: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)

    def put_column(self, column: str) -> str:
        """Add a column of the user's table, widened to float64, and return its name here."""
        return self._put(f"CAST(t.{self.dialect.quoted(column)} AS {self.dialect.double})", 0)

    def put(self, text: str, *, join: str = "") -> str:
        """Add an expression of columns that are there, and return its name."""
        if text in self.names:
            return self.names[text]
        used = OWN.findall(text + self.conditions.get(join, ""))
        place = 1 + max(self.level[name] for name in used)
        name = self._put(text, place)
        self.names[text] = name
        if join:
            self.levels[place].joins.append(f"LEFT JOIN {join} ON {self.conditions[join]}")
        return name

    def look_up(self, columns: Sequence[str], rows: Sequence[str], condition: str) -> str:
        """Add rows of numbers, and return their name, to be joined by `put`."""
        name = f"plumbline_map_{len(self.tables)}"
        self.tables.append(self.dialect.rows(name, columns, rows))
        self.conditions[name] = condition.replace("{}", name)
        return name

    def _put(self, text: str, place: int) -> str:
        name = f"plumbline_{len(self.level)}"
        self.level[name] = place
        while len(self.levels) <= place:
            self.levels.append(Level())
        self.levels[place].columns[name] = text
        return name


def rendered(script: Script, *, source: str, probabilities: Mapping[str, str]) -> str:
    """Return the query of all columns of `source` and the probabilities by their quoted names."""
    named = ",\n  ".join(f"{text} AS {name}" for name, text in probabilities.items())
    if script.dialect.carrier == LATERAL:
        steps, end = list(script.tables), _lateral(script, source, named)
    else:
        steps, end = _chain(script, source, named)
    return ("WITH " + ",\n".join(steps) + "\n" if steps else "") + end


def _lateral(script: Script, source: str, named: str) -> str:
    lines = [f"SELECT t.*,\n  {named}\nFROM {source} AS t"]
    for number, level in enumerate(script.levels):
        lines += level.joins
        inner = f"SELECT {_columns(level)}{script.dialect.fence}"
        lines.append(f"{script.dialect.apply} ({inner}) AS plumbline_step_{number}")
    return "\n".join(lines)


def _chain(script: Script, source: str, named: str) -> tuple[list[str], str]:
    star = script.dialect.carrier == CHAIN
    kept = "t.*" if star else f"t._rowid_ AS {ROW}"
    fixed = "" if star else " MATERIALIZED"
    steps, before = list(script.tables), f"{source} AS t"
    for number, level in enumerate(script.levels):
        joins = "".join(f"\n  {join}" for join in level.joins)
        name = f"plumbline_step_{number}"
        steps.append(f"{name} AS{fixed} (SELECT {kept}, {_columns(level)}\n  FROM {before}{joins})")
        kept, before = f"{name}.*", name
    if star:
        without = f"{script.dialect.without} ({', '.join(script.level)})"
        return steps, f"SELECT {kept} {without},\n  {named}\nFROM {before}"
    return steps, (
        f"SELECT t.*,\n  {named}\nFROM {source} AS t\nJOIN {before} ON {before}.{ROW} = t._rowid_"
    )


def _columns(level: Level) -> str:
    return ",\n  ".join(f"{text} AS {name}" for name, text in level.columns.items())


FEW = 64  # pieces that are told apart by CASE; more are looked up in rows
A_BUCKET = 32  # pieces


def at_pieces(script: Script, pieces: PiecewisePolynomial, x: str) -> str:
    """Put the value of the piece a score lies in: by CASE, or from rows where they are many."""
    count, number = len(pieces.start), script.dialect.number
    if count <= FEW:
        leaves = [
            _polynomial(x, number(start), [number(c) for c in _trimmed(row)])
            for start, row in zip(pieces.start.tolist(), pieces.coefficients.tolist(), strict=True)
        ]
        tree = _tree(script.dialect, pieces, x=x, leaves=leaves)
        return script.put(f"CASE WHEN {x} IS NOT NULL THEN {tree} END")
    cuts = np.arange(A_BUCKET - 1, count - 1, A_BUCKET)  # a bucket ends with its last piece
    coarse = PiecewisePolynomial(pieces.breaks[cuts], pieces.right, np.empty(0), np.empty((0, 1)))
    bucket = script.put(
        _tree(script.dialect, coarse, x=x, leaves=list(map(str, range(len(cuts) + 1))))
    )
    bounds = pieces.breaks.tolist()
    low, high = [-MOST, *bounds], [*bounds, MOST]
    columns = {"low": low, "high": high}
    if pieces.degree and pieces.start.tolist() != low:
        columns["start"] = pieces.start.tolist()
    names = [f"c{j}" for j in range(pieces.degree + 1)]
    columns |= dict(zip(names, pieces.coefficients.T.tolist(), strict=True))
    rows = [
        ", ".join([str(j // A_BUCKET), *map(number, row)])
        for j, row in enumerate(zip(*columns.values(), strict=True))
    ]
    above, below = (">", "<=") if pieces.right else (">=", "<")
    condition = f"{{}}.bucket = {bucket} AND {x} {above} {{}}.low AND {x} {below} {{}}.high"
    lookup = script.look_up(["bucket", *columns], rows, condition)
    start = f"{lookup}.{'start' if 'start' in columns else 'low'}"
    return script.put(_polynomial(x, start, [f"{lookup}.{name}" for name in names]), join=lookup)


def _tree(
    dialect: SqlDialect, pieces: PiecewisePolynomial, *, x: str, leaves: Sequence[str]
) -> str:
    """Return the leaf of a score by halving, so that m pieces take log2(m) comparisons."""
    sign, breaks = "<=" if pieces.right else "<", pieces.breaks.tolist()

    def between(low: int, high: int) -> str:
        if low == high:
            return leaves[low]
        middle = (low + high) // 2
        return (
            f"CASE WHEN {x} {sign} {dialect.number(breaks[middle])} THEN {between(low, middle)} "
            f"ELSE {between(middle + 1, high)} END"
        )

    return between(0, len(leaves) - 1)


def _polynomial(x: str, start: str, coefficients: Sequence[str]) -> str:
    text = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        text = f"({c} + ({x} - {start}) * {text})"
    return text


def _trimmed(row: list[float]) -> list[float]:
    last = max((j for j, c in enumerate(row) if c), default=0)
    return row[: last + 1]


# ------------------------------------------------------------------- the map


def sql_of(
    fitted: RecalibrationMap,
    dialect: str,
    *,
    table: str | Sequence[str],
    columns: Mapping[str, str] | str | None,
) -> str:
    """Return a query of all columns of a table and the recalibrated probabilities."""
    rules = DIALECTS[one_of("dialect", dialect, DIALECTS)]
    script = Script(rules, fitted.least)
    given = _given(fitted, columns)
    inputs = _inputs(script, given, ratings=fitted.on != PROBABILITY)
    if len(fitted.classes) == 2 and fitted.place not in inputs:
        (other,) = inputs.values()
        inputs[fitted.place] = script.put(f"{ONE} - {other}")
    probabilities = _probabilities(script, fitted, inputs)
    named = {
        rules.quoted(_name(f"q:{c}")): a for c, a in zip(fitted.classes, probabilities, strict=True)
    }
    return _header(fitted, dialect, list(given.values())) + rendered(
        script, source=_source(rules, table), probabilities=named
    )


def _header(fitted: RecalibrationMap, dialect: str, columns: Sequence[str]) -> str:
    lines = (
        f"{fitted.method} map fitted on {counted(fitted.n, 'row')}, by Plumbline "
        f"{installed_version()}, for {dialect}",
        f"reads {shown(columns)}; adds q:<class>, the probabilities of {shown(fitted.classes)}",
        "NULL where what it reads is missing or no "
        + ("probability" if fitted.on == PROBABILITY else "finite number"),
    )
    return "".join(f"-- {printable(line)}\n" for line in lines)


def _given(fitted: RecalibrationMap, columns: Mapping[str, str] | str | None) -> dict[int, str]:
    """Return the column of every class that is read, by number of the class."""
    k, positive = len(fitted.classes), fitted.place
    form = fitted.form
    value_only = isinstance(form, OneVsRest) and form.forms[0].value_only
    alone = k == 2 and (fitted.on != PROBABILITY or value_only)
    wanted = [positive] if alone else list(range(k))
    if columns is None:
        mark = "p" if fitted.on == PROBABILITY else "score"
        bare = k == 2 and fitted.on != PROBABILITY
        return {j: _name("score" if bare else f"{mark}:{fitted.classes[j]}") for j in wanted}
    if isinstance(columns, str):
        columns = {fitted.classes[positive]: columns}
    unknown = [name for name in columns if name not in fitted.classes]
    if unknown:
        raise ParameterError(
            f"`columns` must be {{class: column}} of the classes {shown(fitted.classes)}, "
            f"got {shown(unknown)}",
            code="unknown-name",
        )
    columns_by_class = {
        fitted.classes.index(name): _name(column) for name, column in columns.items()
    }
    needed = set(range(k))
    if k == 2:
        needed = (
            {positive}
            if fitted.on != PROBABILITY or not columns_by_class
            else set(columns_by_class)
        )
    if needed - set(columns_by_class):
        raise ParameterError(
            "`columns` must name the column of "
            f"{shown(fitted.classes[j] for j in sorted(needed))}, got {shorten(dict(columns))}",
            code="class-missing",
        )
    return (
        {positive: columns_by_class[positive]}
        if alone and positive in columns_by_class
        else dict(sorted(columns_by_class.items()))
    )


def _name(text: object) -> str:
    """Return a name that a database can hold."""
    if not isinstance(text, str) or not text or "\0" in text:
        raise ParameterError(
            f"a column or table must have a name without the NUL character, got {shorten(text)}",
            code="nul-in-name",
        )
    return text


def _source(dialect: SqlDialect, table: str | Sequence[str]) -> str:
    parts = table.split(".") if isinstance(table, str) else tuple(table)
    if not parts or not all(parts):
        raise ParameterError(
            argument="table",
            rule="a name or the parts of one, such as ('schema', 'table')",
            arrived=shorten(table),
            code="nothing-named",
        )
    return ".".join(dialect.quoted(_name(part)) for part in parts)


# ------------------------------------------------------------------- what is read


def _inputs(script: Script, given: Mapping[int, str], *, ratings: bool) -> dict[int, str]:
    """Put the numbers that are read; all are NULL in a row where one is not what it should be."""
    number = script.dialect.number
    low, high = (number(-MOST), number(MOST)) if ratings else ("0.0e0", ONE)
    wide = {j: script.put_column(name) for j, name in given.items()}
    sound = " AND ".join(f"{name} BETWEEN {low} AND {high}" for name in wide.values())
    ok = script.put(f"CASE WHEN {sound} THEN 1 END")
    return {j: script.put(f"CASE WHEN {ok} = 1 THEN {name} END") for j, name in wide.items()}


def _rest(script: Script, inputs: Mapping[int, str], column: int) -> str:
    """Put the probability of all other classes; of two, one may not be there."""
    others = [name for j, name in inputs.items() if j != column]
    if len(others) < 2:
        return others[0] if others else script.put(f"{ONE} - {inputs[column]}")
    total = script.put(" + ".join(others))
    return script.put(f"CASE WHEN {total} > {ONE} THEN {ONE} ELSE {total} END")


def _log(script: Script, name: str) -> str:
    """Put a finite logarithm: what is below the least counts as that, or 0 as 2^-52."""
    least = script.dialect.number(script.least or NEVER)
    return _log_from(script, name, f"< {least}" if script.least else "<= 0", least)


def _log_from(script: Script, name: str, low: str, least: str) -> str:
    return script.put(f"{script.dialect.log}(CASE WHEN {name} {low} THEN {least} ELSE {name} END)")


# ------------------------------------------------------------------- forms


def _probabilities(
    script: Script, fitted: RecalibrationMap, inputs: Mapping[int, str]
) -> list[str]:
    k = len(fitted.classes)
    if isinstance(fitted.form, Softmax):
        return _softmax(script, fitted.form, _logits(script, fitted, inputs))
    ratings = fitted.on != PROBABILITY
    if k == 2:
        column = fitted.place
        share, rest = _event(script, fitted.form.forms[0], inputs, column=column, ratings=ratings)
        return [rest, share] if column == 1 else [share, rest]
    if all(isinstance(form, Unchanged) for form in fitted.form.forms):
        return list(inputs.values())
    shares = [
        _event(script, form, inputs, column=j, ratings=ratings)[0]
        for j, form in enumerate(fitted.form.forms)
    ]
    total = script.put(" + ".join(shares))
    equal = script.dialect.number(1 / k)
    return [f"CASE WHEN {total} = 0 THEN {equal} ELSE {share} / {total} END" for share in shares]


def _event(
    script: Script, form: EventForm, inputs: Mapping[int, str], *, column: int, ratings: bool
) -> tuple[str, str]:
    """Put the probability of a class and of the rest."""
    value = inputs[column]
    if isinstance(form, Unchanged):
        return value, _rest(script, inputs, column)
    if not isinstance(form, Logistic | Spline):
        share = at_pieces(script, pieces_of(form), value)
        if isinstance(form, PiecewiseLinear):
            share = script.put(
                f"CASE WHEN {share} < 0 THEN 0.0e0 WHEN {share} > 1 THEN {ONE} ELSE {share} END"
            )
        return share, f"{ONE} - {share}"
    if isinstance(form, Spline):
        z = at_pieces(script, pieces_of(form), _log_odds(script, inputs, column, ratings=ratings))
    else:
        z = script.put(
            _weighted(
                script,
                _features(script, form, inputs, column, ratings=ratings),
                start=form.intercept,
            )
        )
    far = script.put(f"EXP(-CASE WHEN ABS({z}) > {FARTHEST} THEN {FARTHEST} ELSE ABS({z}) END)")
    near = f"{ONE} / ({ONE} + {far})"
    share, rest = (
        script.put(f"CASE WHEN {z} {sign} 0 THEN {near} ELSE {far} / ({ONE} + {far}) END")
        for sign in (">=", "<")
    )
    return share, rest


def _features(
    script: Script, form: Logistic, inputs: Mapping[int, str], column: int, *, ratings: bool
) -> list[tuple[str, float]]:
    value = inputs[column]
    terms = [(value, form.value)]
    if form.log_odds:
        terms.append((_log_odds(script, inputs, column, ratings=ratings), form.log_odds))
    if form.log:
        terms.append((_log(script, value), form.log))
    if form.log_rest:
        terms.append((_log(script, _rest(script, inputs, column)), form.log_rest))
    return terms


def _log_odds(script: Script, inputs: Mapping[int, str], column: int, *, ratings: bool) -> str:
    if ratings:
        return inputs[column]
    rest = _log(script, _rest(script, inputs, column))
    return script.put(f"{_log(script, inputs[column])} - {rest}")


def _weighted(script: Script, terms: Sequence[tuple[str, float]], *, start: float) -> str:
    number = script.dialect.number
    parts = [f"{number(weight)} * {name}" for name, weight in terms if weight]
    nothing = [] if parts else [f"0 * {terms[0][0]}"]  # so that NULL stays NULL
    return " + ".join([number(start), *parts, *nothing])


def _logits(script: Script, fitted: RecalibrationMap, inputs: Mapping[int, str]) -> list[str]:
    k = len(fitted.classes)
    if fitted.on == PROBABILITY:
        whole = dict(inputs)
        if len(whole) < k:
            whole |= {1 - j: _rest(script, inputs, j) for j in inputs}
        logits = _logs(script, [whole[j] for j in range(k)])
    elif k == 2:
        ((column, name),) = inputs.items()
        logits = [script.put(f"{'0.5e0' if j == column else '(-0.5e0)'} * {name}") for j in (0, 1)]
    else:
        logits = [inputs[j] for j in range(k)]
    if isinstance(fitted.form, Softmax) and fitted.form.centred:
        mean = script.put(f"({' + '.join(logits)}) / {script.dialect.number(k)}")
        logits = [script.put(f"{name} - {mean}") for name in logits]
    return logits


def _logs(script: Script, names: Sequence[str]) -> list[str]:
    if script.least:
        return [_log(script, name) for name in names]
    never = script.dialect.number(NEVER)
    positive = [f"CASE WHEN {name} <= 0 THEN {never} ELSE {name} END" for name in names]
    smallest = script.put(script.dialect.extreme([*positive, never], least=True))
    return [_log_from(script, name, "<= 0", smallest) for name in names]


def _softmax(script: Script, form: Softmax, x: Sequence[str]) -> list[str]:
    k = len(x)
    weights = form.weights if form.weights.ndim == 2 else np.diag(np.broadcast_to(form.weights, k))
    z = [
        script.put(_weighted(script, list(zip(x, row, strict=True)), start=bias))
        for row, bias in zip(weights.tolist(), form.bias.tolist(), strict=True)
    ]
    top = script.put(script.dialect.extreme(z, least=False))
    e = [
        script.put(
            f"EXP(CASE WHEN {name} - {top} < -{FARTHEST} THEN -{FARTHEST} ELSE {name} - {top} END)"
        )
        for name in z
    ]
    total = script.put(" + ".join(e))
    return [f"{name} / {total}" for name in e]
