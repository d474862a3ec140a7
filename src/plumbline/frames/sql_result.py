"""Reads what the query of `sql` returned: counts of rows at levels, checked to be whole."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from plumbline._checks import shown
from plumbline.errors import InputError
from plumbline.file_endings import READ_WHOLE
from plumbline.formatting import quoted
from plumbline.frames.batches import schema_of
from plumbline.frames.columns import WHOLE, CountedColumns
from plumbline.frames.contents import digest_of, name_of
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.levels import FINE, HITS, LEAST_LINEAR, MIXED, OFFSET, REFERENCE, Levels, Wide
from plumbline.frames.sql import BAD, FACTS, VERSION
from plumbline.frames.states import join_states
from plumbline.predictions import TableSource
from plumbline.predictions.files import table_of
from plumbline.predictions.sources import encoding_of
from plumbline.predictions.text_files import header_of

COUNTS = ("n", "n_total")
NUMBERS = ("cell", *COUNTS, "sum_v", "min_v", "max_v")
COLUMNS = ("part", "cell", "label", "n", "sum_v", "min_v", "max_v", "n_total", "made_by")
OWN = {"part", "n_total", "made_by"}  # names that together no other table has
HEADER = re.compile(r'"?part"?(.)"?cell"?\1"?label"?\1', re.IGNORECASE)
PARTS = ("zero", "low", "middle", "high", "one")
ROUNDING = 1e-6  # of sums, as databases write them
Line = Mapping[str, Any]


def is_sql_result(source: TableSource) -> bool:
    """Tell whether a file has the columns of such a result, in capitals or not."""
    try:
        if source.format in READ_WHOLE:
            first = source.head().partition(b"\n")[0].decode("utf-8-sig", "replace").lower()
            return all(f'"{name}"' in first for name in OWN)
        if source.is_text:
            return _separator(source) is not None
        return {name.lower() for name in schema_of(source).names} >= OWN
    except (InputError, OSError):  # whoever reads it says what is wrong
        return False


def _separator(source: TableSource) -> str | None:
    """Return what separates the columns of a text that is a result, None of others."""
    head = source.head(400)
    match = HEADER.match(head.decode(encoding_of(head), "replace"))
    return None if match is None else match[1]


def counts_of_results(
    sources: Sequence[TableSource], positive: Any = None, *, again: bool = False
) -> LevelCounts:
    """Return what the results of several queries add up to; `again` counts a repeated one twice."""
    first, *others = [counts_of_sql(source, positive) for source in sources]
    for other, source in zip(others, sources[1:], strict=True):
        join_states(first, other, source.name, again=again)
    return first


def counts_of_sql(source: TableSource, positive: Any = None) -> LevelCounts:
    """Return the rows that a query counted; refuse a result that is not whole."""
    named = source.name
    lines = _lines(source)
    facts = _facts(lines, named)
    columns = CountedColumns(
        **{name: _as_tuple(facts[name]) for name in FACTS[:-1]},
        positive=facts["positive"] if positive is None else positive,
        text=True,
    )
    rows = _refuse_cut(lines, named)
    _refuse_bad(lines, columns)
    labels = sorted({line["label"] for line in lines})
    names = _class_names(labels, columns)
    columns.pilot(names)  # refuses labels that are not two
    levels = Levels(facts["levels"], facts["each"])
    result = LevelCounts(
        columns, levels, names=names, rows=rows, contents={digest_of(source): name_of(source)}
    )
    for line in lines:
        key = tuple(line[f"by_{name}"] for name in columns.groups)
        if key not in result.groups:
            result.groups[key] = levels.empty()
        try:
            _add(line, labels.index(line["label"]), levels, result.groups[key])
        except (TypeError, ValueError, OverflowError) as error:
            raise _no_result(named, f"its row {dict(line)} is damaged") from error
    return result


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _class_names(labels: list[str], columns: CountedColumns) -> list[str]:
    """Return the classes as they are called in other files: 1 and not 1.0, True and not true."""
    if all(map(WHOLE.fullmatch, labels)):
        return [label.removesuffix(".0") for label in labels]
    truth = {"false", "true"}
    if not truth.issuperset(labels) or not truth.isdisjoint(map(str, columns.targets)):
        return labels
    return [label.capitalize() for label in labels]


def _add(line: Line, hit: int, levels: Levels, counts: Wide) -> None:
    """Count the rows of a line at its level; ValueError where its numbers cannot be."""
    n, part, alike = line["n"], line["part"], True
    if n < 1 or part not in PARTS:
        raise ValueError(part)
    if part in ("zero", "one"):
        level, mean = (0 if part == "zero" else levels.size - 1), 0.0
    else:
        cell, least, most = _whole(line["cell"]), float(line["min_v"]), float(line["max_v"])
        alike = least == most
        mean = least if alike else float(line["sum_v"]) / n
        if not least * (1 - ROUNDING) <= mean <= most * (1 + ROUNDING):
            raise ValueError(mean)
        if part == "middle":
            level = levels.narrow + cell
            low, high = cell / levels.linear, (cell + 1) / levels.linear
        else:
            low, high = 2.0 ** (cell / levels.each), 2.0 ** ((cell + 1) / levels.each)
            middle = np.array([min(2.0 ** ((cell + 0.5) / levels.each), 2.0**-10.01)])
            level = int(levels.near_zero(middle)[0])
            level = level if part == "low" else levels.size - 1 - level
        if not low * (1 - ROUNDING) <= mean <= high * (1 + ROUNDING):
            raise ValueError(mean)
    held = counts[level]
    if not held[:OFFSET].any():
        held[REFERENCE] = mean
    held[HITS if hit else 0] += n
    alike = alike and held[OFFSET] == 0 and held[REFERENCE] == mean
    held[OFFSET] += n * (mean - held[REFERENCE])
    if not alike and held[OFFSET] == 0:
        held[OFFSET] = MIXED


def _lines(source: TableSource) -> list[Line]:
    """Return the lines of a file: names of columns in lower case, counts as whole numbers."""
    texts: list[str] = []
    separator = _separator(source) if source.is_text and source.format not in READ_WHOLE else None
    if separator is not None:
        texts = [name for name in header_of(source, separator) if name.lower() not in NUMBERS]
    table = table_of(source, separator=separator, as_text=texts)
    table = table.rename_columns([name.lower() for name in table.column_names])
    missing = [name for name in COLUMNS if name not in table.column_names]
    if missing:
        raise _no_result(source.name, f"the columns {shown(missing)} are missing")
    if not table.num_rows:
        raise InputError(f"{source.name} has no rows: the table has none", code="no-rows")
    try:
        return [
            {name: _cell(name, value) for name, value in line.items()} for line in table.to_pylist()
        ]
    except ValueError as error:
        raise _no_result(source.name, "a count in it is no whole number") from error


def _cell(name: str, value: Any) -> Any:
    """Return a value of a line; where texts stand, nothing is the empty text."""
    if name in COUNTS:
        return _whole(value)
    if name in NUMBERS:
        return value
    return "" if value is None else str(value)


def _whole(value: int | float | Decimal | str | None) -> int:
    """Return a whole number that a file holds as a number or as text; else ValueError."""
    if value is None or (isinstance(value, (float, Decimal)) and value % 1):
        raise ValueError(value)
    return int(value)


def _facts(lines: Sequence[Line], named: str) -> dict[str, Any]:
    """Return what the query says of itself, which is the same in all rows."""
    said = {line["made_by"] for line in lines}
    try:
        facts: dict[str, Any] = json.loads(said.pop())
        version = facts["plumbline"]
    except (KeyError, TypeError, ValueError) as error:
        raise _no_result(named, "its column 'made_by' is damaged") from error
    if said:
        raise _no_result(named, "its rows are those of different queries")
    if version > VERSION:
        raise InputError(
            f"{named} comes from a query of version {version}; this plumbline reads up to version "
            f"{VERSION}: update it",
            code="newer-version",
        )
    linear, each = facts.get("levels"), facts.get("each")
    if not isinstance(linear, int) or not isinstance(each, int) or not (
        LEAST_LINEAR <= linear <= FINE.linear and 1 <= each <= FINE.each
    ):  # fmt: skip
        raise _no_result(named, "its column 'made_by' is damaged")
    return facts


def _refuse_cut(lines: Sequence[Line], named: str) -> int:
    """Return the number of rows of the table; refuse a result that holds only some of them."""
    totals = {line["n_total"] for line in lines}
    here: int = sum(line["n"] for line in lines)
    if totals != {here}:
        raise InputError(
            f"{named} counts {here:,} of {max(totals):,} rows: it was cut off or put together",
            code="result-cut",
            remedy="save the whole result of one query; some tools keep only its first rows",
        )
    return here


def _refuse_bad(lines: Sequence[Line], columns: CountedColumns) -> None:
    """Refuse rows that the database could not count, with their number."""
    bad: Counter[str] = Counter()
    for line in lines:
        if line["part"] in BAD:
            bad[line["part"]] += line["n"]
    if not bad:
        return
    names = {
        "actual": quoted(columns.actual),
        "prob": " or ".join(map(quoted, columns.prob)),
        "groups": " or ".join(map(quoted, columns.own)),
    }
    reasons = [f"{BAD[part].format(**names)} in {n:,} rows" for part, n in bad.items()]
    raise InputError(
        f"{'; '.join(reasons)}. Correct these rows or leave them out of the query",
        code="bad-rows",
    )


def _no_result(named: str, why: str) -> InputError:
    return InputError(
        f"{named} is not the result of the query that plumbline sql prints: {why}",
        code="no-sql-result",
    )
