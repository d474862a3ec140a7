"""The state: a file of counted rows, Parquet that is read back to the last bit, or refused.

Its rows are levels that hold rows, by group. What is needed to add further rows stands in the
metadata, with the version of the form and a checksum of everything.
"""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._distribution import installed_version
from plumbline.atomic_files import write_whole
from plumbline.errors import InputError
from plumbline.file_endings import STATE_ENDINGS, need_ending
from plumbline.formatting import quoted
from plumbline.frames.arrow_values import number_column
from plumbline.frames.bad_rows import BadRows, Place
from plumbline.frames.class_cells import no_rows
from plumbline.frames.columns import CountedColumns
from plumbline.frames.contents import DIGITS
from plumbline.frames.late_labels import LateFile
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.levels import HITS, MISSES, OFFSET, REFERENCE, SUMS, Levels
from plumbline.predictions.columns import array_of

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA, VERSION = "plumbline-state", 4  # since 3 with digests of files, since 4 with rows that wait
KEY = b"plumbline"
NUMBERS = {"misses": MISSES, "hits": HITS, "offset": OFFSET, "reference": REFERENCE}
Facts = dict[str, Any]


def write_state(counts: LevelCounts, path: Path) -> None:
    """Write counted rows as a state, whole or not at all; refuse rows that could not be counted."""
    from pyarrow import parquet

    need_ending(path, STATE_ENDINGS)
    counts.refuse_bad_rows()
    table = table_of_counts(counts)
    write_whole(path, lambda to: parquet.write_table(table, to, compression="zstd"))


def read_state(path: Path) -> LevelCounts:
    """Read a state; InputError says what is wrong with it."""
    import pyarrow as pa
    from pyarrow import parquet

    named = str(path)
    try:
        with parquet.ParquetFile(path) as file:  # `read_table` would import pandas
            table = file.read()
    except FileNotFoundError as error:
        raise InputError(f"there is no file {quoted(named)}", code="no-such-file") from error
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _damaged(named, "it is not readable") from error
    return state_of_table(table, named)


def waiting_in(path: Path) -> int:
    """Return how many rows of a state wait for their label, without reading its counts."""
    from pyarrow import parquet

    facts = json.loads((parquet.read_schema(path).metadata or {})[KEY])
    return sum(one["waiting"] for one in facts.get("late", ()))


def table_of_counts(counts: LevelCounts) -> "pa.Table":
    """Return counted rows as an Arrow table with all that is needed to go on counting."""
    import pyarrow as pa

    groups, levels, numbers = [], [], []
    keys = sorted(counts.groups)
    for number, key in enumerate(keys):
        held = counts.groups[key]
        level = np.flatnonzero(held[:, MISSES] + held[:, HITS])
        groups.append(np.full(len(level), number, np.int32))
        levels.append(level.astype(np.int32))
        numbers.append(held[level])
    places = _places(counts.summed)
    held = np.concatenate(numbers) if numbers else np.empty((0, len(places)))
    columns = {
        "group": np.concatenate(groups) if groups else np.empty(0, np.int32),
        "level": np.concatenate(levels) if levels else np.empty(0, np.int32),
    } | {name: np.ascontiguousarray(held[:, place]) for name, place in places.items()}
    about = dataclasses.asdict(counts.columns)
    if about["drop"] is None:  # only the answer of a worker has it, no file
        del about["drop"]
    facts: Facts = {
        "schema": SCHEMA,
        "version": VERSION,
        "plumbline": installed_version(),
        "columns": about,
        "levels": dataclasses.asdict(counts.levels),
        "names": counts.names,
        "groups": keys,
        "rows": counts.rows,
        "rounded": counts.rounded,
        "left_out": counts.left_out,
        "kinds": counts.kinds,
        "summed": counts.summed,
        "bad": _listed(counts.bad),
        "missing": _listed(counts.missing),
        "contents": counts.contents,
        "late": [dataclasses.asdict(one) for one in counts.late.values()],
    }
    facts["checksum"] = _checksum(facts, columns)
    table = pa.table({name: number_column(values) for name, values in columns.items()})
    return table.replace_schema_metadata({KEY: json.dumps(facts)})


def _places(summed: Sequence[str]) -> dict[str, int]:
    """Return the columns of numbers of a state, and where `Levels.empty` has them."""
    sums = [f"sum of {name}, {part}" for name in summed for part in ("misses", "hits")]
    return NUMBERS | {name: SUMS + place for place, name in enumerate(sums)}


def _listed(bad: Mapping[str, BadRows]) -> dict[str, Facts]:
    return {reason: dataclasses.asdict(rows) for reason, rows in bad.items()}


def _bad_rows(listed: Mapping[str, Facts]) -> dict[str, BadRows]:
    return {
        reason: BadRows(rows["count"], Place(**rows["first"]), rows["value"])
        for reason, rows in listed.items()
    }


def state_of_table(table: "pa.Table", named: str) -> LevelCounts:
    """Return the counted rows of such a table; InputError where it is none, or was changed."""
    facts = _facts(table, named)
    summed = facts.get("summed", [])
    places = _places(summed)
    names = [name for name in ("group", "level", *places) if name in table.column_names]
    columns = {name: array_of(table.column(name)) for name in names}
    checksum = facts.pop("checksum", None)
    if checksum != _checksum(facts, columns):
        raise _damaged(named, "its checksum does not fit: the file was changed")
    levels = Levels(**facts["levels"])
    about: Facts = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in facts["columns"].items()
    }
    what = CountedColumns(**about)
    held = np.column_stack([columns[name] for name in places])
    groups = {}
    for number, key in enumerate(facts["groups"]):
        own = columns["group"] == number
        groups[tuple(key)] = no_rows(what, levels, len(summed))
        groups[tuple(key)][columns["level"][own]] = held[own]
    return LevelCounts(
        columns=what,
        levels=levels,
        names=list(facts["names"]),
        groups=groups,
        rows=facts["rows"],
        rounded=facts.get("rounded", 0),
        left_out=facts.get("left_out", 0),
        kinds=facts.get("kinds", {}),
        summed=summed,
        bad=_bad_rows(facts["bad"]),
        missing=_bad_rows(facts.get("missing", {})),
        late={one.first: one for one in map(LateFile.of_facts, facts.get("late", ()))},
        # A state that knows no files is one content itself.
        contents=facts.get("contents") or {checksum.partition(":")[2][:DIGITS]: named},
    )


def _facts(table: "pa.Table", named: str) -> Facts:
    """Return the metadata of a state; refuse other files and newer versions."""
    try:
        facts = json.loads((table.schema.metadata or {})[KEY])
        known = facts["schema"] == SCHEMA
    except (KeyError, TypeError, ValueError):
        known = False
    if not known:
        raise InputError(
            f"{quoted(named)} is no state, which plumbline state update writes",
            code="no-state",
        )
    if facts["version"] > VERSION:
        raise InputError(
            f"{quoted(named)} has version {facts['version']} of the form, written by plumbline "
            f"{facts['plumbline']}; this plumbline reads up to version {VERSION}: update it",
            code="newer-version",
        )
    return dict(facts)


def _checksum(facts: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    made = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for values in columns.values():
        made.update(np.ascontiguousarray(values).tobytes())
    return f"sha256:{made.hexdigest()}"


def _damaged(named: str, why: str) -> InputError:
    return InputError(
        f"{quoted(named)} cannot be read as a state, because {why}",
        code="damaged-state",
        remedy="make it anew from its tables: plumbline state update STATE FILE",
    )
