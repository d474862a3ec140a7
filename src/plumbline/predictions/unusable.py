"""Columns that no table can hold: left out, their names known, so that a message can say why."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from plumbline._checks import shown
from plumbline.errors import InputError, warn
from plumbline.formatting import quoted

if TYPE_CHECKING:
    import pyarrow as pa

KEY = b"plumbline:unusable"
NO_COLUMN = ""  # a table without columns would have no rows


def without_unusable(table: "pa.Table", reasons: Mapping[str, str]) -> "pa.Table":
    """Return a table without some columns that remembers, column by column, why they are not there.

    The reasons stand in the metadata of the schema, which goes along wherever the table does.
    """
    if not reasons:
        return table
    known = unusable(table) | dict(reasons)
    table = with_rows(table, [name for name in table.column_names if name not in reasons])
    metadata = dict(table.schema.metadata or {}) | {KEY: json.dumps(known).encode()}
    return table.replace_schema_metadata(metadata)


def with_rows(table: "pa.Table", names: Sequence[str]) -> "pa.Table":
    """Return some columns of a table; where there are none, one that only keeps the rows."""
    import pyarrow as pa

    return table.select(names) if names else pa.table({NO_COLUMN: pa.nulls(table.num_rows)})


def unusable(table: "pa.Table") -> dict[str, str]:
    """Return the columns that were left out of a table, and why."""
    metadata = table.schema.metadata or {}
    return dict(json.loads(metadata[KEY])) if KEY in metadata else {}


def need_usable(table: "pa.Table", names: Iterable[str]) -> None:
    """Refuse a column that a user or its own name gives a part, and that was left out."""
    reasons = unusable(table)
    for name in names:
        if name in reasons:
            raise InputError(
                f"column {quoted(name)} cannot be used: {reasons[name]}; make it all text or all "
                "numbers",
                code="mixed-types",
            )


def warn_of_unusable(table: "pa.Table", source: str = "") -> None:
    """Warn of the columns that were left out, all in one sentence."""
    reasons = unusable(table)
    if not reasons:
        return
    first, why = next(iter(reasons.items()))
    those = f"column {quoted(first)}" if len(reasons) == 1 else f"columns {shown(list(reasons), 4)}"
    of = f" of {source}" if source else ""
    also = "" if len(reasons) == 1 else f"{quoted(first)} "
    warn(
        f"{those}{of} cannot be held in a table and {'is' if len(reasons) == 1 else 'are'} left "
        f"out: {also}{why}",
        code="columns-left-out",
        remedy="drop it, or make it all text or all numbers",
    )
