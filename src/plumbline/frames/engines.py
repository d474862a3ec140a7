"""Counts rows on an engine that others run: Dask, Ray or Spark.

The code travels to the rows. Every task counts its rows as one machine does and answers with a
*state*: the table of `state_file` as bytes, or why its rows cannot be counted. Tasks of the
engine merge the states as a tree, so that only a few reach the caller.
"""

import json
import math
import re
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from plumbline._checks import need_extra
from plumbline.errors import InputError
from plumbline.file_endings import TABLE_ENDINGS
from plumbline.formatting import quoted
from plumbline.frames.batches import Part, refuse_other_columns
from plumbline.frames.columns import CountedColumns
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.state_file import state_of_table, table_of_counts
from plumbline.predictions import no_rows
from plumbline.roles import LOOKED_AT

if TYPE_CHECKING:
    import pyarrow as pa

State = bytes
FAN_IN = 8  # states that one task merges
ROWS_A_TASK = 4_000_000  # or one part, where it has more
LISTENER_SECONDS = 3  # a machine that is there answers in less, also from another continent
SCHEDULER_SECONDS = 10  # one that is busy answers late
REFUSAL = b"plumbline-refusal"
SPARK_MERGERS = (64, 8)  # most partitions of the states, from level to level
T = TypeVar("T")


# -------------------------------------------------------------------- what the tasks do


def count_parts(columns: CountedColumns, parts: Sequence[Part]) -> State:
    """Return the state of some parts of files."""
    counts = LevelCounts(columns)
    try:
        for part in parts:
            _add(counts, part.batches(columns.names), part.name, part.first)
    except InputError as error:
        return _refusal(error)
    return _bytes(table_of_counts(counts))


def count_batches(columns: CountedColumns, name: str, batches: Iterable["pa.RecordBatch"]) -> State:
    """Return the state of the batches of a part of a frame."""
    return count_parts(columns, [Part(name, 0, lambda _: iter(batches))])


def merge_states(*states: State) -> State:
    """Return the state of all rows of several."""
    try:
        return _bytes(table_of_counts(merged(states)))
    except InputError as error:
        return _refusal(error)


def merged(states: Iterable[State]) -> LevelCounts:
    """Return the counts of all rows of several states; InputError where one is a refusal.

    An engine that has no rows may have no task either, and so no state.
    """
    whole: LevelCounts | None = None
    for state in states:
        counts = _counts(state)
        if whole is None:
            whole = counts
        else:
            whole.merge(counts)
    if whole is None:
        raise no_rows([])
    return whole


def _add(counts: LevelCounts, batches: Iterable["pa.RecordBatch"], name: str, first: int) -> None:
    for batch in batches:
        refuse_other_columns(counts.columns, batch.schema, name)
        counts.add(batch, name, first)
        first += batch.num_rows


def _refusal(error: InputError) -> State:
    import pyarrow as pa

    parts = {"text": error.text, "code": error.code, "remedy": error.remedy}
    return _bytes(pa.table({}).replace_schema_metadata({REFUSAL: json.dumps(parts)}))


def _bytes(table: "pa.Table") -> State:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _counts(state: State) -> LevelCounts:
    import pyarrow as pa

    table = pa.ipc.open_stream(state).read_all()
    refusal = (table.schema.metadata or {}).get(REFUSAL)
    if refusal is not None:
        facts = json.loads(refusal)
        raise InputError(facts["text"], code=facts["code"], remedy=facts["remedy"])
    return state_of_table(table, "the answer of a worker")


# -------------------------------------------------------------------- the engines


class Engine(Protocol):
    """What counts rows elsewhere."""

    def names(self, frame: Any) -> list[str]:
        """Return the columns of a frame of this engine."""

    def first_rows(self, frame: Any) -> "pa.Table":
        """Return the first rows of such a frame, which tell what its columns are."""

    def lists(self, frame: Any) -> dict[str, int | None]:
        """Return the columns of such a frame that hold lists; None, for their size is unknown."""

    def count_frame(self, frame: Any, columns: CountedColumns) -> LevelCounts:
        """Count the rows of such a frame where they are."""

    def count_files(self, columns: CountedColumns, parts: Sequence[Part]) -> LevelCounts:
        """Count the rows of files, which every worker can read under the same names."""

    def in_memory(self, frame: Any) -> Any:
        """Return such a frame as one that is held in memory here."""


def _without_rows(names: Iterable[str]) -> "pa.Table":
    import pyarrow as pa

    return pa.table({name: pa.nulls(0) for name in names})


class _Dask:
    """Dask: the client of this process, or the scheduler at an address."""

    def __init__(self, address: str | None = None) -> None:
        self.dask = need_extra("dask", "dask", "the engine Dask")
        self.address = address

    def names(self, frame: Any) -> list[str]:
        return [str(name) for name in frame.columns]

    def first_rows(self, frame: Any) -> "pa.Table":
        import pyarrow as pa

        parts = [pa.Table.from_pandas(part, preserve_index=False) for part in _heads(frame)]
        held = [part for part in parts if part.num_rows]  # an empty one knows no types
        return pa.concat_tables(held or parts[:1], promote_options="permissive")

    def lists(self, frame: Any) -> dict[str, int | None]:
        kinds = {str(name): str(kind) for name, kind in frame.dtypes.items()}
        lists = [name for name, kind in kinds.items() if kind.startswith("list")]
        objects = [name for name, kind in kinds.items() if kind == "object"]
        if objects:
            for name, values in list(_heads(frame[objects], 1))[-1].items():
                lists += [str(name) for value in values if not isinstance(value, str)]
        return dict.fromkeys(lists)

    def count_frame(self, frame: Any, columns: CountedColumns) -> LevelCounts:
        count = self.dask.delayed(_count_pandas, pure=False)
        parts = frame[columns.names].to_delayed()
        return self._merged([count(columns, number, part) for number, part in enumerate(parts)])

    def count_files(self, columns: CountedColumns, parts: Sequence[Part]) -> LevelCounts:
        count = self.dask.delayed(count_parts, pure=False)
        with self._client():
            return self._merged([count(columns, task) for task in tasks_of(parts)])

    def in_memory(self, frame: Any) -> Any:
        return frame.compute()

    def _merged(self, states: Sequence[Any]) -> LevelCounts:
        root = _tree(states, self.dask.delayed(merge_states, pure=False))
        return merged(self.dask.compute(root))

    def _client(self) -> AbstractContextManager[Any]:
        distributed: Any = need_extra("distributed", "dask", "the engine Dask")
        address = self.address
        if address is None:
            try:
                return nullcontext(distributed.get_client())
            except ValueError:  # there is none: one as Dask's own configuration says
                known = self.dask.config.get("scheduler-address", None)
                if not str(known).startswith("tcp://"):
                    client: AbstractContextManager[Any] = distributed.Client()
                    return client
                address = str(known).removeprefix("tcp://")
        _need_listener(address)
        try:
            client = distributed.Client(f"tcp://{address}", timeout=f"{SCHEDULER_SECONDS}s")
        except OSError as error:
            raise _no_scheduler(address, "what listens there is none") from error
        return client


def _heads(frame: Any, rows: int = LOOKED_AT) -> Iterator[Any]:
    """Yield the first rows of a frame of Dask, partition by partition until there are enough."""
    for part in frame.partitions:
        head = part.head(rows, compute=True, npartitions=-1)
        yield head
        rows -= len(head)
        if rows <= 0:
            return


def _need_listener(address: str) -> None:
    """Refuse an address at which nothing listens; Dask itself would try for half a minute."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise _no_scheduler(address, "it has no port")
    try:
        socket.create_connection((host.strip("[]"), int(port)), LISTENER_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _no_scheduler(address, str(getattr(error, "strerror", None) or error)) from error


def _no_scheduler(address: str, why: str) -> InputError:
    return InputError(
        f"no Dask scheduler answers at {address} ({why}); start one, or name its address as "
        "dask://HOST:PORT",
        code="no-engine",
    )


def _count_pandas(columns: CountedColumns, number: int, frame: Any) -> State:
    import pyarrow as pa

    table = pa.Table.from_pandas(frame, preserve_index=False)
    return count_batches(columns, f"partition {number}", table.to_batches())


class _Ray:
    """Ray: the cluster to which this process belongs, or one on this machine."""

    def __init__(self) -> None:
        self.ray = need_extra("ray", "ray", "the engine Ray")

    def names(self, frame: Any) -> list[str]:
        return list(self._schema(frame).names)

    def _schema(self, frame: Any) -> Any:
        """Return the schema of a data set, which one without blocks does not have."""
        schema = frame.schema()
        if schema is None:
            raise no_rows([])
        return schema

    def first_rows(self, frame: Any) -> "pa.Table":
        import pyarrow as pa

        batches = frame.limit(LOOKED_AT).iter_batches(batch_format="pyarrow", batch_size=None)
        held = [batch for batch in batches if batch.num_rows]
        return pa.concat_tables(held) if held else _without_rows(self.names(frame))

    def lists(self, frame: Any) -> dict[str, int | None]:
        schema = self._schema(frame)
        kinds = dict(zip(schema.names, map(str, schema.types), strict=True))
        lists = [name for name, kind in kinds.items() if "list" in kind]
        unclear = [name for name, kind in kinds.items() if kind == "None" or "object" in kind]
        for first in frame.take(1) if unclear else ():  # of pandas, which has no type of lists
            lists += [name for name in unclear if hasattr(first[name], "__len__")]
            lists = [name for name in lists if not isinstance(first.get(name), str)]
        return dict.fromkeys(lists)

    def count_frame(self, frame: Any, columns: CountedColumns) -> LevelCounts:
        blocks = frame.select_columns(columns.names)
        states = blocks.map_batches(
            partial(_count_block, columns), batch_format="pyarrow", batch_size=None
        )
        for _ in range(2):
            states = states.map_batches(_merge_blocks, batch_format="pyarrow", batch_size=FAN_IN)
        counts = merged(
            state
            for table in states.iter_batches(batch_format="pyarrow", batch_size=None)
            for state in table.column("state").to_pylist()
        )
        if counts.all_bad():  # a block does not know its number: find the row in the whole set
            rows = LevelCounts(columns)
            tables = blocks.iter_batches(batch_format="pyarrow", batch_size=None)
            _add(
                rows, (batch for table in tables for batch in table.to_batches()), "the data set", 0
            )
            counts.bad, counts.missing = rows.bad, rows.missing
        return counts

    def count_files(self, columns: CountedColumns, parts: Sequence[Part]) -> LevelCounts:
        if not self.ray.is_initialized():
            self.ray.init(log_to_driver=False)
        count, merge = self.ray.remote(count_parts), self.ray.remote(merge_states)
        states = [count.remote(columns, task) for task in tasks_of(parts)]
        return merged([self.ray.get(_tree(states, merge.remote))])

    def in_memory(self, frame: Any) -> Any:
        import pyarrow as pa

        return pa.concat_tables(frame.iter_batches(batch_format="pyarrow", batch_size=None))


def _count_block(columns: CountedColumns, table: "pa.Table") -> "pa.Table":
    return _block_of(count_batches(columns, "the data set", table.to_batches()))


def _merge_blocks(table: "pa.Table") -> "pa.Table":
    return _block_of(merge_states(*table.column("state").to_pylist()))


def _block_of(state: State) -> "pa.Table":
    import pyarrow as pa

    return pa.table({"state": pa.array([state], pa.large_binary())})


class _Spark:
    """Spark: the session of this process, or one as its configuration says."""

    def __init__(self) -> None:
        self.sql = need_extra("pyspark.sql", "spark", "the engine Spark")
        self.errors = need_extra("pyspark.errors", "spark", "the engine Spark")

    def names(self, frame: Any) -> list[str]:
        return list(frame.columns)

    def first_rows(self, frame: Any) -> "pa.Table":
        import pyarrow as pa

        rows = frame.limit(LOOKED_AT).collect()
        return (
            pa.Table.from_pylist([row.asDict() for row in rows])
            if rows
            else _without_rows(frame.columns)
        )

    def lists(self, frame: Any) -> dict[str, int | None]:
        return dict.fromkeys(name for name, kind in frame.dtypes if kind.startswith("array"))

    def count_frame(self, frame: Any, columns: CountedColumns) -> LevelCounts:
        rows = frame.select([f"`{name.replace('`', '``')}`" for name in columns.names])
        states = rows.mapInArrow(partial(_count_partition, columns), "state binary")
        return self._merged(states, frame.sparkSession)

    def count_files(self, columns: CountedColumns, parts: Sequence[Part]) -> LevelCounts:
        session = self.sql.SparkSession.builder.getOrCreate()
        tasks = tasks_of(parts)
        numbers = session.range(0, len(tasks), 1, len(tasks))
        count = partial(_count_numbered, columns, tasks)
        return self._merged(numbers.mapInArrow(count, "state binary"), session, len(tasks))

    def in_memory(self, frame: Any) -> Any:
        return frame.toArrow()

    def table(self, name: str) -> Any:
        """Return the frame of a table by the name that the catalog of the session has for it."""
        session = self.sql.SparkSession.builder.getOrCreate()
        try:
            frame = session.table(name)
            _ = frame.columns  # Spark Connect looks for the table only now
        except self.errors.PySparkException as error:
            why = str(error).strip().partition("\n")[0].rstrip(". ")
            raise InputError(
                f"there is neither a file {quoted(name)} nor a table of Spark by that name ({why})",
                code="no-such-file",
            ) from error
        return frame

    def _merged(self, states: Any, session: Any, partitions: float = math.inf) -> LevelCounts:
        """Return what states add up to, merged at first by as many tasks as run at once."""
        at_once = SPARK_MERGERS[0]
        with suppress(self.errors.PySparkException):  # Spark Connect does not tell
            at_once = session.sparkContext.defaultParallelism
        for most in SPARK_MERGERS:
            mergers = min(most, at_once)
            if mergers < partitions:
                states = states.repartition(mergers).mapInArrow(_merge_partition, "state binary")
                partitions = mergers
        return merged(bytes(row["state"]) for row in states.collect())


def _count_partition(
    columns: CountedColumns, batches: Iterator["pa.RecordBatch"]
) -> Iterator["pa.RecordBatch"]:
    from pyspark import TaskContext

    context = TaskContext.get()
    number = 0 if context is None else context.partitionId()
    yield _row_of(count_batches(columns, f"partition {number}", batches))


def _count_numbered(
    columns: CountedColumns, tasks: Sequence[Sequence[Part]], batches: Iterator["pa.RecordBatch"]
) -> Iterator["pa.RecordBatch"]:
    for batch in batches:
        for number in batch.column(0).to_pylist():
            yield _row_of(count_parts(columns, tasks[number]))


def _merge_partition(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
    states = [state for batch in batches for state in batch.column(0).to_pylist()]
    if states:
        yield _row_of(merge_states(*states))


def _row_of(state: State) -> "pa.RecordBatch":
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([pa.array([state], pa.binary())], ["state"])


# -------------------------------------------------------------------- which engine, which tasks

DASK_AT = "dask://"
PART = r"(?:\w+|`[^`]+`)"  # in backticks it may be a path, as in delta.`/shared/2026`
TABLE_NAME = re.compile(rf"{PART}(?:\.{PART}){{0,2}}")
ENGINES: dict[str, Callable[[], Engine]] = {"dask": _Dask, "ray": _Ray, "spark": _Spark}
FRAMES = {
    "dask.DataFrame": "dask",
    "pyspark.DataFrame": "spark",
    "ray.Dataset": "ray",
    "ray.MaterializedDataset": "ray",
}


def is_engine(name: Any) -> bool:
    """Tell whether rows are counted elsewhere under this name."""
    return isinstance(name, str) and (name in ENGINES or name.startswith(DASK_AT))


def engine_named(name: str) -> Engine:
    """Return an engine by its name; MissingExtraError says what to install."""
    if name.startswith(DASK_AT):
        return _Dask(name.removeprefix(DASK_AT))
    return ENGINES[name]()


def table_of_engine(name: str, engine: str) -> Any:
    """Return the frame of a table that Spark knows by a name, None of the name of a file.

    Such a name has one to three parts, "catalog.database.table"; it may stand for a folder or a
    file as well, which counts first.
    """
    if engine != "spark" or TABLE_NAME.fullmatch(name) is None or Path(name).exists():
        return None
    if name.lower().endswith(tuple(TABLE_ENDINGS)):
        return None
    return _Spark().table(name)


def tasks_of(parts: Sequence[Part]) -> list[list[Part]]:
    """Return parts by the task that counts them; the tasks do not depend on the workers."""
    tasks: list[list[Part]] = []
    rows = ROWS_A_TASK
    for part in parts:
        own = ROWS_A_TASK if part.rows is None else part.rows
        if rows + own > ROWS_A_TASK:
            tasks.append([])
            rows = 0
        tasks[-1].append(part)
        rows += own
    return tasks


def _tree(states: Sequence[T], merge: Callable[..., T]) -> T:
    while len(states) > 1:
        states = [merge(*states[first : first + FAN_IN]) for first in range(0, len(states), FAN_IN)]
    return states[0]
