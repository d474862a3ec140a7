"""Files of counted rows whose facts or numbers were changed, as tests of old and damaged ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from plumbline.frames.state_file import KEY, _checksum


def changed_state(
    path: Path,
    change: Callable[[dict[str, Any], dict[str, Any]], Any],
    to: Path | None = None,
    *,
    sealed: bool = False,
) -> None:
    """Write a state whose facts and columns `change` has changed; `sealed` with a right checksum.

    `change` may leave the checksum out; it is counted last where the file is sealed.
    """
    table = parquet.read_table(path)
    facts = json.loads(table.schema.metadata[KEY])
    columns = {name: table.column(name).to_numpy().copy() for name in table.column_names}
    change(facts, columns)
    if sealed:
        facts.pop("checksum", None)
        facts["checksum"] = _checksum(facts, columns)
    made = pa.table(columns).replace_schema_metadata({KEY: json.dumps(facts)})
    parquet.write_table(made, path if to is None else to)
