"""A query that grows by named columns: each stands in the level after those it is made of."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plumbline.recalibration.export.dialects import CHAIN, LATERAL, Dialect

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
    known : name of every text that was put, so that none is computed twice
    conditions : how a table of numbers is joined
    least : of the map: what smaller probabilities count as in logarithms, 0 if there is none
    """

    dialect: Dialect
    least: float = 0.0
    levels: list[Level] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    level: dict[str, int] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)

    def put_column(self, column: str) -> str:
        """Add a column of the user's table, widened to float64, and return its name here."""
        return self._put(f"CAST(t.{self.dialect.quoted(column)} AS {self.dialect.double})", 0)

    def put(self, text: str, *, join: str = "") -> str:
        """Add an expression of columns that are there, and return its name."""
        if text in self.known:
            return self.known[text]
        used = OWN.findall(text + self.conditions.get(join, ""))
        place = 1 + max(self.level[name] for name in used)
        name = self._put(text, place)
        self.known[text] = name
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


def rendered(script: Script, *, source: str, answers: Mapping[str, str]) -> str:
    """Return the query of all columns of `source` and the answers by their quoted names."""
    named = ",\n  ".join(f"{text} AS {name}" for name, text in answers.items())
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
        own = f"{script.dialect.without} ({', '.join(script.level)})"
        return steps, f"SELECT {kept} {own},\n  {named}\nFROM {before}"
    return steps, (
        f"SELECT t.*,\n  {named}\nFROM {source} AS t\nJOIN {before} ON {before}.{ROW} = t._rowid_"
    )


def _columns(level: Level) -> str:
    return ",\n  ".join(f"{text} AS {name}" for name, text in level.columns.items())
