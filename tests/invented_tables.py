"""Tables that were invented to be read, each with what a careful reader makes of it."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

FOLDER = Path(__file__).parent / "roles"


def packed(name: str) -> Any:
    """Return what a packed file of tables holds."""
    return json.loads(gzip.decompress((FOLDER / name).read_bytes()))


def invented() -> list[dict[str, Any]]:
    """Return the tables: a name, the columns, and the reading, None where none is the only one."""
    tables: list[dict[str, Any]] = packed("invented.json.gz")
    return tables


def table_of(one: Mapping[str, Any]) -> pa.Table:
    """Return an Arrow table; values of several types become texts."""
    columns = []
    for _, values in one["columns"]:
        try:
            columns.append(pa.array(values))
        except pa.ArrowException:
            columns.append(pa.array([None if v is None else str(v) for v in values]))
    return pa.table(columns, names=[name for name, _ in one["columns"]])
