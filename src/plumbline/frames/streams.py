"""Data frames that are not in memory, as streams of Arrow batches."""

import os
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

from plumbline.frames.engines import FRAMES
from plumbline.roles import LOOKED_AT

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_AT_ONCE = 1 << 17  # as many as are read at once from Parquet


def is_frame(source: Any) -> bool:
    """Tell whether something is a data frame, in memory or not."""
    if isinstance(source, (str, os.PathLike, list, tuple)):
        return False
    import narwhals as nw

    return (
        is_stream(source)
        or engine_of(source) is not None
        or bool(nw.dependencies.is_into_dataframe(source))
    )


def is_stream(source: Any) -> bool:
    """Tell whether something is a data frame that is not in memory."""
    return _kind(source) in READERS


def engine_of(source: Any) -> str | None:
    """Return the name of the engine that holds a frame, None of other frames."""
    return FRAMES.get(_kind(source))


def stream_of(frame: Any) -> "pa.RecordBatchReader":
    """Return the batches of such a frame."""
    return READERS[_kind(frame)](frame)


def begun(reader: "pa.RecordBatchReader") -> "tuple[pa.Table, pa.RecordBatchReader]":
    """Return the first rows of a stream, and a stream that still has them."""
    import pyarrow as pa

    batches, rows = [], 0
    for batch in reader:
        batches.append(batch)
        rows += batch.num_rows
        if rows >= LOOKED_AT:
            break
    first = pa.Table.from_batches(batches, reader.schema).slice(0, LOOKED_AT)
    return first, pa.RecordBatchReader.from_batches(reader.schema, chain(batches, reader))


def _kind(source: Any) -> str:
    return f"{type(source).__module__.partition('.')[0].lstrip('_')}.{type(source).__name__}"


def _of_polars(frame: Any) -> "pa.RecordBatchReader":
    import pyarrow as pa

    empty = frame.head(0).collect().to_arrow()
    batches = (
        batch
        for part in frame.collect_batches(chunk_size=ROWS_AT_ONCE)
        for batch in part.to_arrow().cast(empty.schema).to_batches()
    )
    return pa.RecordBatchReader.from_batches(empty.schema, batches)


READERS: dict[str, Callable[[Any], "pa.RecordBatchReader"]] = {
    "pyarrow.RecordBatchReader": lambda reader: reader,
    "duckdb.DuckDBPyRelation": lambda relation: relation.to_arrow_reader(ROWS_AT_ONCE),
    "polars.LazyFrame": _of_polars,
    "ibis.Table": lambda table: table.to_pyarrow_batches(chunk_size=ROWS_AT_ONCE),
}
