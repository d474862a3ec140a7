"""Reads what the query of `sql` returned: counts of rows at levels, checked to be whole."""

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plumbline._checks import shorten, shown
from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.frames.columns import WHOLE, CountedColumns
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.levels import FINE, HITS, LEAST_LINEAR, MIXED, OFFSET, REFERENCE, Levels, Wide
from plumbline.frames.sql import BAD, VERSION
from plumbline.predictions.sources import TableSource

COLUMNS = ("part", "cell", "label", "n", "sum_v", "min_v", "max_v", "n_total", "made_by")
FIRST = "part,cell,label,"
PARTS = ("zero", "low", "middle", "high", "one")
ROUNDING = 1e-6  # of sums, as databases write them
Line = Mapping[str, str]


def is_sql_result(file: TableSource) -> bool:
    """Tell whether a file has the first columns of such a result."""
    if file.format != ".csv" or file.path is None or file.codec is not None:
        return False
    return file.head(200).decode("utf-8-sig", "replace").lower().replace('"', "").startswith(FIRST)


def counts_of_results(paths: Sequence[Path], positive: Any = None) -> LevelCounts:
    """Return what the results of several queries add up to."""
    whole, *others = [counts_of_sql(path, positive) for path in paths]
    for other in others:
        if other.columns != whole.columns:
            raise InputError(
                "results of one table must come from queries of the same columns, and these "
                f"differ: {other.columns.names} and {whole.columns.names}",
                code="columns-differ",
            )
        whole.merge(other)
    return whole


def counts_of_sql(path: Path, positive: Any = None) -> LevelCounts:
    """Return the rows that a query counted; refuse a result that is not whole."""
    named = quoted(shorten(path.name, 200))
    lines = _lines(path, named)
    facts = _facts(lines, named)
    columns = CountedColumns(
        actual=facts["actual"],
        prob=tuple(facts["prob"]),
        targets=tuple(facts["targets"]),
        groups=tuple(facts["groups"]),
        own=tuple(facts["own"]),
        positive=facts["positive"] if positive is None else positive,
        text=True,
    )
    rows = _refuse_cut(lines, named)
    _refuse_bad(lines, columns)
    labels = sorted({line["label"] for line in lines})
    names = _class_names(labels, columns)
    columns.pilot(names)  # refuses labels that are not two
    levels = Levels(facts["levels"], facts["each"])
    result = LevelCounts(columns, levels, names=names, rows=rows)
    for line in lines:
        key = tuple(line[f"by_{name}"] for name in columns.groups)
        if key not in result.groups:
            result.groups[key] = levels.empty()
        try:
            _add(line, labels.index(line["label"]), levels, result.groups[key])
        except (ValueError, OverflowError) as error:
            raise _no_result(named, f"its row {dict(line)} is damaged") from error
    return result


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
    n, part, alike = int(line["n"]), line["part"], True
    if n < 1 or part not in PARTS:
        raise ValueError(part)
    if part in ("zero", "one"):
        level, mean = (0 if part == "zero" else levels.size - 1), 0.0
    else:
        cell, least, most = int(line["cell"]), float(line["min_v"]), float(line["max_v"])
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


def _lines(path: Path, named: str) -> list[Line]:
    """Return the lines of a CSV file; databases may write names of columns in capitals."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines: list[Line] = [
                {str(name).lower(): value or "" for name, value in line.items()}
                for line in csv.DictReader(file)
            ]
    except FileNotFoundError as error:
        raise InputError(f"there is no file {named}", code="no-such-file") from error
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _no_result(named, "it is not readable as CSV") from error
    if not lines:
        raise InputError(f"{named} has no rows: the table has none", code="no-rows")
    missing = [name for name in COLUMNS if name not in lines[0]]
    if missing:
        raise _no_result(named, f"the columns {shown(missing)} are missing")
    return lines


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
    try:
        totals = {int(line["n_total"]) for line in lines}
        here = sum(int(line["n"]) for line in lines)
    except ValueError as error:
        raise _no_result(named, "a count in it is no whole number") from error
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
            bad[line["part"]] += int(line["n"])
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
