"""Reads a prediction table of any size: small ones row by row, large ones as counts."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline._checks import one_of, shown
from plumbline.errors import InputError, ParameterError, warn
from plumbline.file_endings import LINES, READ_WHOLE, TEXT
from plumbline.formatting import counted, quoted, waiting_text
from plumbline.frames.bad_rows import NO_LABEL, NO_NUMBER, need_rows, reason, refusal
from plumbline.frames.batches import (
    Part,
    cells_of,
    first_rows_of,
    lists_of,
    part_of_stream,
    parts_of,
    refuse_other_columns,
    rows_of,
    schema_of,
)
from plumbline.frames.columns import (
    CountedColumns,
    attributes_among,
    attributes_of,
    check_attributes,
    checked_view,
    counted_columns,
    not_counted,
    viewed,
)
from plumbline.frames.contents import contents_of, name_of, need_new
from plumbline.frames.count import count_rows
from plumbline.frames.engines import ENGINES, engine_named, is_engine, table_of_engine
from plumbline.frames.late_rows import FileRows, count_late
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.levels import FINE, Levels, levels_of
from plumbline.frames.sql_result import counts_of_results, is_sql_result
from plumbline.frames.state_file import waiting_in
from plumbline.frames.states import is_state, read_states
from plumbline.frames.streams import begun, engine_of, is_frame, is_stream, stream_of
from plumbline.frames.text_batches import text_part
from plumbline.predictions import Predictions, TableSource, no_rows, note_on_repeats, sources_of
from plumbline.predictions.counted import CountedAt
from plumbline.predictions.files import header, read_files
from plumbline.predictions.joined_labels import need_labels
from plumbline.predictions.text_files import LABELS, checked_separator, first_rows
from plumbline.predictions.told import named_columns, plain_renames, reading_of
from plumbline.progress import Progress
from plumbline.roles import LOOKED_AT, Column, UnclearColumns, columns_of
from plumbline.roles.reading import DROP

if TYPE_CHECKING:
    import pyarrow as pa

COUNTED_ONLY = ("attributes", "view", "usual_view")
HERE = ("auto", "memory", "counts")
TOP = "top-label"  # the view of more than two classes, where nobody names one
MOST_ROWS = 20_000_000  # that "auto" holds in memory
MOST_BYTES = 400_000_000  # of text
MOST_CELLS = 100_000_000  # of Parquet that are all read: they take 1 GB, and 10 s
LARGE = (
    "for the rows of a large table are counted",
    "name those to keep with `attributes`, or read all with `engine='memory'`",
)
WIDE = (
    "for the table has many columns",
    "name those to keep with `attributes`, or read all with `engine='memory'`",
)
KEPT = ("for a state holds no single rows", "name those to keep as `attributes`")
NOT_COUNTED = ("not-countable", "groups-not-counted")  # refusals of tables that memory can hold
PACKING = 4  # bytes of text in a byte of a compressed file


def read(
    path: Any,
    *,
    actual: str | None = None,
    prob: str | Sequence[str] | Mapping[str, Any] | None = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    attributes: Sequence[str] | None = None,
    normalize: bool = False,
    missing: str | None = None,
    logits: bool = False,
    scale: float | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    names: Sequence[str] | None = None,
    sheet: str | None = None,
    labels: Any = None,
    row: str | Mapping[str, str] | None = None,
    keep: str | None = None,
    view: str | None = None,
    engine: str = "auto",
    levels: int = FINE.linear,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Predictions:
    """Read a prediction table of any size from files, a stream or a data frame.

    A table of more than twenty million rows is counted instead of held in memory: its rows are
    counted at about two million levels of the probability, and every number is computed from these
    counts. Bins of equal width stay exact; docs/scale.md says how near the other numbers are. Of
    more than two classes one view is counted.

    Parameters
    ----------
    path : str, Path, sequence of these, binary file, or data frame
        Files, folders and URIs as in `Predictions.read`; files that end in .state, whose counted
        rows are added up; results of queries that `sql` returned; or a data frame, also one that is
        not in memory: a DuckDB relation, a Polars lazy frame, an Ibis table, any stream of Arrow
        batches; or a Spark or Dask data frame or a Ray data set, whose rows are counted where they
        are. With `engine` "spark" also the name of a table of its catalog.
    actual : str, optional
        Column of the observed labels; by default the one that names and values tell.
    prob : str, list of str or mapping of str to class, optional
        Column of the probability of the positive class, one such column a model, or columns
        and the class of each; by default those that names and values tell.
    rename : mapping of str to str, optional
        Columns of the file and their parts: `model`, `row`, `fold`, `repeat`, `weight`,
        `predicted`, `score`, `groups` (rows that belong together, such as those of a patient),
        `class` (a table of one row a class) or `attribute` (none).
    positive : class, optional
        Positive class of two; needed for `y_prob` unless the labels are 0 and 1, False and
        True, "no" and "yes" or the like.
    attributes : sequence of str, optional
        Further columns that are kept where rows are counted; by default none, with a warning. Up to
        12 different numbers, and any text, truth or date, part the rows into groups, of which there
        may be 200. Of more numbers each counted row has the mean, which `cumm` adds up exactly. A
        table in memory has all columns, but a Parquet file of more than 100 million cells those
        that are named here.
    normalize : bool, default False
        Divide every row of probabilities by its sum instead of checking the sum.
    missing : {"drop", "alone"}, optional
        "drop" leaves out rows without a value in a column that plays a part; "alone" makes each row
        without a group a group of its own. By default both are refused.
    logits : bool, default False
        The columns of probabilities hold logits (log odds; of several classes, logarithms).
    scale : float, optional
        What stands for a probability of 1, such as 100 of percent.
    separator : str, optional
        Character between the columns of a CSV or TSV file, or its name: comma, semicolon, tab
        or bar. By default it is recognised from the header.
    decimal : {".", ","}, optional
        Decimal mark of the numbers in a CSV or TSV file. By default it is the point, or the
        comma where the columns are not separated by commas and the numbers show it.
    names : list of str, optional
        Names of the columns of a text file that has no header.
    sheet : str, optional
        Sheet of an Excel file; by default the only one.
    labels : str, Path or data frame, optional
        A second table with the true classes, joined to the rows by an ID that both have. `actual`
        is its column, by default the one that names and values tell. All rows are held in memory.
    row : str or mapping of str to str, optional
        Column of that ID, or the column of the predictions and that of `labels`; by default the one
        that both have.
    keep : {"first", "last"}, optional
        Which label counts of an ID that has several in `labels`; by default they are refused.
    view : str, optional
        Return the two classes of this view: "top-label" (is the most likely class right?) or
        "one-vs-rest:CLASS". With "all-classes" all are kept, or counted for scores and confusion
        matrices. By default more than two classes become two only where they are counted: those of
        the top label, with a warning.
    engine : {"auto", "memory", "counts", "spark", "dask", "ray"}, default "auto"
        "memory" holds every row; "counts" counts rows at levels of their probability, with flat
        memory; "auto" takes counts for large tables, else memory. "spark", "dask",
        "dask://HOST:PORT" and "ray" count the rows of files on the workers of that engine.
    levels : int, default 1_801_800
        Levels at which rows are counted on this machine, a divisor of the default. 360 take half
        the time, and the ECE of every number of bins that divides them stays exact; other numbers
        have larger errors, which `counting_errors` bounds.
    workers : int, optional
        Threads that count; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total) while rows are counted.

    Returns
    -------
    Predictions
        The table; `counted` where its rows are counts.

    Raises
    ------
    InputError
        For a file that is missing, empty, damaged or not what its name says, and for columns or
        values outside their rules.
    ParameterError
        For a `path` that is no name of a file, no binary file and no data frame.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Predictions.from_arrays([0, 1], [0.2, 0.6]).write(f"{folder}/table.csv")
    ...     read(f"{folder}/table.csv").n
    2
    """
    checked_view(view)
    data = read_or_count(
        path,
        how={
            "actual": actual,
            "prob": prob,
            "rename": rename,
            "positive": positive,
            "missing": missing,
            "logits": logits,
            "scale": scale,
        },
        text={"separator": separator, "decimal": decimal, "names": names, "sheet": sheet},
        beside={"labels": labels, "row": row, "keep": keep},
        normalize=normalize,
        attributes=attributes,
        view=view,
        usual_view=TOP,
        engine=engine,
        levels=levels_of(levels),
        workers=workers,
        progress=progress,
    )
    if _names_states(path):
        _note_waiting(_several(path))
    elif view is None and data.levels is not None:
        note_view(data.levels)
    return data


def _note_waiting(states: Sequence[Any]) -> None:
    """Warn of rows of states that are not counted, as they have no label yet."""
    waiting = sum(waiting_in(Path(one)) for one in states)
    if waiting:
        warn(f"{waiting_text(waiting)} and are not counted", code="rows-waiting")


def note_view(levels: CountedAt) -> None:
    """Warn that more than two classes were counted as two, for nobody named the view."""
    if levels.view is None:
        return
    warn(
        f"{len(levels.classes)} classes were counted as two, 'right' and 'wrong' of the most "
        "likely class",
        code="counted-as-top-label",
        remedy=f"name another with `view='one-vs-rest:{levels.classes[-1]}'`; `engine='memory'` "
        "holds all classes",
    )


def read_or_count(
    path: Any,
    *,
    how: Mapping[str, Any],
    text: Mapping[str, Any],
    beside: Mapping[str, Any] | None = None,
    normalize: bool = False,
    attributes: Sequence[str] | None = None,
    view: str | None = None,
    usual_view: str | None = None,
    engine: str = "auto",
    levels: Levels = FINE,
    workers: int | None = None,
    progress: Progress | None = None,
    narrow: bool = False,
) -> Predictions:
    """Read a table as `read` does; more than two classes are counted under `usual_view` at most.

    `how` names the columns, `text` the separator and the decimal mark, `beside` the labels of a
    second table; the table is that of `view`. `narrow` leaves out columns of a wide table also
    where the engine is "memory".
    """
    beside = dict(beside or {})
    need_labels(**{"labels": None, **beside})
    if not is_engine(engine):
        one_of("engine", engine, (*HERE, *ENGINES))
    columns: dict[str, Any] = {"view": view, "usual_view": usual_view}
    columns["attributes"] = tuple(attributes or ())
    warned = attributes is None
    counting = Counting(dict(how) | columns, engine, levels, workers, progress, warned)
    if beside.get("labels") is not None:
        engine = counting.need_memory("labels of a second table are joined to single rows")
    if "groups" in (how.get("rename") or {}).values():
        engine = counting.need_memory("labels of rows in groups are drawn one by one")
    named = _table_of_engine(path, engine)
    if named is not None:
        path, counting = named, replace(counting, engine="auto")
    if is_frame(path):
        return _table_of_frame(path, how, normalize, counting, beside)
    if _names_states(path):
        given = dict(how) | dict(text) | beside | {"attributes": attributes}
        counting.need_fine("a state has its own")
        given |= {"normalize": normalize, "view": view, "engine": engine == "memory"}
        return read_states(_several(path), given).predictions()
    if _names_files(path) or engine not in ("auto", "memory"):
        files = sources_of(path)
        results = _sql_results(files)
        if results:
            counting.need_fine("the result of a query has its own")
            return viewed(counts_of_results(results, how["positive"]).predictions(), view)
        if engine != "memory" and (engine != "auto" or (is_large(files) and not normalize)):
            try:
                return _count_files(files, text, normalize, counting)
            except InputError as error:
                if engine != "auto" or error.code not in NOT_COUNTED:
                    raise
        if _names_files(path):
            wide = (narrow or engine == "auto") and is_wide(files)
            path = _narrowed(files, counting) if wide else [file.path for file in files]
    data = Predictions.read(path, **how, **text, **beside, normalize=normalize)
    check_attributes(columns["attributes"], [*data.attributes])
    return viewed(data, view)


def _table_of_engine(path: Any, engine: str) -> Any:
    """Return the frame that an engine has under a name; None of files and frames."""
    if not isinstance(path, (str, os.PathLike)):
        (path,) = path if isinstance(path, (list, tuple)) and len(path) == 1 else (None,)
    if not isinstance(path, (str, os.PathLike)):
        return None
    return table_of_engine(str(path), engine)


def _narrowed(files: Sequence[TableSource], counting: "Counting") -> list[TableSource]:
    """Return Parquet files of which only the columns that play a part, and attributes, are read."""
    how = {name: value for name, value in counting.how.items() if name not in COUNTED_ONLY}
    columns = columns_of(first_rows_of(files[0]))
    names = [column.name for column in columns]
    reading = reading_of(columns, **how)
    plain = plain_renames(names, how.get("rename"))
    own = {plain.get(name, name): name for name in names}
    kept = {*counting.how["attributes"], reading.recurs}
    out = {own[name] for name in attributes_of(own, reading) if name not in kept}
    out -= named_columns(how)
    if counting.warned and out:
        _warn_of_left([name for name in names if name in out], *WIDE)
    read = tuple(name for name in names if name not in out)
    return [replace(file, columns=read) for file in files]


@dataclass(frozen=True)
class Counting:
    """How rows are counted: their columns and view, where, and who is told.

    `warned` : whether columns that are not counted are named in a warning
    """

    how: Mapping[str, Any]
    engine: str
    levels: Levels
    workers: int | None
    progress: Progress | None
    warned: bool = True

    def warn_of_others(self, columns: CountedColumns, names: Sequence[str]) -> None:
        """Warn of columns that are not counted, unless the caller chose."""
        if self.warned:
            _warn_of_others(columns, names, *LARGE)

    def counts_of(self, columns: CountedColumns, parts: Sequence[Part]) -> LevelCounts:
        """Return the counts of parts on this machine."""
        return count_rows(
            columns, parts, levels=self.levels, workers=self.workers, progress=self.progress
        )

    def need_memory(self, why: str) -> str:
        """Return the engine that holds single rows; refuse another that was named."""
        if self.engine not in ("auto", "memory"):
            raise ParameterError(
                argument="engine",
                rule=f"'memory' here, for {why}",
                arrived=quoted(self.engine),
                code="engine-of-rows",
                remedy="use `engine='memory'`",
                choices=[{"engine": "memory"}],
            )
        return "memory"

    def need_fine(self, why: str) -> None:
        """Refuse other levels where rows are not counted on this machine."""
        if self.levels != FINE:
            raise ParameterError(
                argument="levels",
                rule=f"left out here, for {why}",
                arrived=f"{self.levels.linear:,}",
                code="levels-elsewhere",
            )


def _table_of_frame(
    frame: Any,
    how: Mapping[str, Any],
    normalize: bool,
    counting: Counting,
    beside: Mapping[str, Any],
) -> Predictions:
    """Return the table of a data frame, counted where the frame is if it is not in memory."""
    holder, engine = engine_of(frame), counting.engine
    if is_engine(engine) and engine.partition(":")[0] != holder:
        raise ParameterError(
            argument="engine",
            rule="'auto', 'memory' or 'counts' of a data frame, which is counted where it is",
            arrived=quoted(engine),
            code="engine-of-frame",
        )
    in_memory = engine == "memory" or normalize or not (holder or is_stream(frame))
    in_memory = in_memory or beside.get("labels") is not None
    if in_memory:
        held = frame if holder is None else engine_named(holder).in_memory(frame)
        data = Predictions.from_frame(held, **how, **beside, normalize=normalize)
        check_attributes(counting.how["attributes"], [*data.attributes])
        return viewed(data, counting.how["view"])
    if holder is not None:
        counting.need_fine("the rows are counted on the workers of an engine")
        there = engine_named(holder)
        names = there.names(frame)
        first = there.first_rows(frame)
        if not first.num_rows:
            raise no_rows([], names)
        lists = there.lists(frame)
        columns = counted_columns(columns_of(first), **counting.how, lists=lists)
        counting.warn_of_others(columns, names)
        return _table_of_counts(there.count_frame(frame, columns), columns)
    head, stream = begun(stream_of(frame))
    if not head.num_rows:
        raise no_rows([], head.column_names)
    columns = counted_columns(columns_of(head), **counting.how, lists=lists_of(stream.schema))
    refuse_other_columns(columns, stream.schema, "the stream")
    counting.warn_of_others(columns, stream.schema.names)
    counts = counting.counts_of(columns, [part_of_stream("the stream", stream)])
    return _table_of_counts(counts, columns)


def _table_of_counts(counts: LevelCounts, columns: CountedColumns) -> Predictions:
    """Return counts as a table that knows how it was read."""
    reading = columns.reading
    if reading is not None:
        reading = replace(reading, left_out=counts.left_out)
    data = replace(counts.predictions(), reading=reading)
    note = note_on_repeats(data)
    if note is not None:
        warn(f"{note[0].lower()}{note[1:-1]}", code=note.code)
    return data


def _count_files(
    files: Sequence[TableSource],
    text: Mapping[str, str | None],
    normalize: bool,
    counting: Counting,
) -> Predictions:
    """Return the table of files whose rows are counted, here or on the workers of an engine."""
    if normalize:
        raise not_counted("its probabilities are to be normalised")
    engine = counting.engine
    if is_engine(engine):  # its workers may have other working folders
        files = [
            file if file.path is None else replace(file, path=file.path.absolute())
            for file in files
        ]
    columns, rows, names = _columns_and_rows(files, text, counting.how)
    parts = [part for file in rows for part in file.parts]
    counting.warn_of_others(columns, names)
    if is_engine(engine):
        counting.need_fine("the rows are counted on the workers of an engine")
        counts = engine_named(engine).count_files(columns, parts)
    else:
        counts = counting.counts_of(columns, parts)
    _need_rows(counts, parts)
    return _table_of_counts(counts, columns)


def _need_rows(counts: LevelCounts, parts: Sequence[Part]) -> None:
    """Refuse rows that cannot be counted; those that only lack a value can be left out."""
    bad = counts.all_bad()
    try:
        need_rows(counts.rows, bad, parts)
    except InputError as error:
        if bad and {why.partition(" ")[0] for why in bad} <= {NO_LABEL, NO_NUMBER}:
            drop = [{"missing": DROP}]
            raise UnclearColumns(error.text, code=error.code, choices=drop) from error
        raise


def count(
    path: Any,
    *,
    actual: str | None = None,
    prob: Mapping[str, Any] | None = None,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    attributes: Sequence[str] = (),
    separator: str | None = None,
    decimal: str | None = None,
    view: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    whole: LevelCounts | None = None,
    again: bool = False,
) -> LevelCounts:
    """Count the rows of files of any size, what a state holds; parameters as in `read`.

    Rows without a label wait for it: they are counted when their file comes again with it. `whole`
    is what was counted before; files that it holds are refused unless they are to count `again`.

    Raises
    ------
    InputError
        For columns or values outside their rules, or rows that cannot be counted.
    """
    how = {
        "actual": actual,
        "prob": prob,
        "rename": rename,
        "positive": positive,
        "attributes": tuple(attributes),
    }
    text = {"separator": separator, "decimal": decimal}
    held = {} if whole is None else whole.contents
    if _names_states(path):
        counts = read_states(_several(path), how | text | {"view": view}, again=again)
        need_new(held, counts.contents, again=again)
        return counts
    files = sources_of(path)
    contents = contents_of(files, again=again)
    need_new(held, contents, again=again)
    results = _sql_results(files)
    if results:
        return counts_of_results(results, positive, again=again)
    views = {"view": view, "usual_view": TOP, "like": None if whole is None else whole.columns}
    columns, rows, names = _columns_and_rows(files, text, how | views)
    _warn_of_others(columns, names, *KEPT)
    _warn_of_forgotten_ids(columns)
    parts = [part for file in rows for part in file.parts]
    late = {} if whole is None else whole.late
    counts = LevelCounts(columns)
    if not late:
        counts = count_rows(columns, parts, workers=workers, progress=progress)
    if late or reason(NO_LABEL, columns.actual) in counts.bad:
        how = {"again": again, "workers": workers, "progress": progress}
        counts = count_late(columns, rows, late=late, **how)
    bad = counts.all_bad()
    if bad:
        raise refusal(bad, parts)
    counts.contents = contents
    return counts


def attributes_of_large(
    path: Any, how: Mapping[str, Any], *, separator: str | None = None, engine: str = "auto"
) -> list[str] | None:
    """Return the attributes of files whose rows `read` counts, None of others."""
    if engine == "memory" or not _names_files(path) or _names_states(path):
        return None
    named = _table_of_engine(path, engine)
    if named is not None:
        first = columns_of(engine_named(engine).first_rows(named))
        return attributes_among(first, **how)
    files = sources_of(path)
    if _sql_results(files) or (engine == "auto" and not (is_large(files) or is_wide(files))):
        return None
    try:
        return attributes_among(_first_columns(files[0], how, separator), **how)
    except InputError:  # whoever reads it says what is wrong
        return None


def _first_columns(
    source: TableSource, how: Mapping[str, Any], separator: str | None
) -> list[Column]:
    """Return what the first rows of a large file hold."""
    if not source.is_text and source.format not in READ_WHOLE:
        return columns_of(first_rows_of(source))
    known = {*LABELS, *named_columns(how)}
    found = first_rows(source, checked_separator(separator), known, LOOKED_AT)
    return [] if found is None else columns_of(found[0], comma=found[1].separator != ",")


def _columns_and_rows(
    files: Sequence[TableSource], text: Mapping[str, str | None], how: Mapping[str, Any]
) -> tuple[CountedColumns, list[FileRows], list[str]]:
    """Return the columns to count, the rows of all files, and all columns of the first."""
    rows: list[FileRows] = []
    columns: CountedColumns | None = None
    names: list[str] = []
    for file in files:
        if file.is_text or file.format in READ_WHOLE:
            own, part, schema_names = text_part(file, **text, how=how)
            new = [part]
        else:
            schema, new = parts_of(file)
            seen = columns_of(first_rows_of(file))
            own = counted_columns(seen, **how, lists=lists_of(schema))
            refuse_other_columns(own, schema, file.name)
            schema_names = schema.names
        if columns is None:
            columns, names = own, list(schema_names)
        elif {*own.names} != {*columns.names}:
            raise InputError(
                f"files of one table must have the same columns, and {file.name} has "
                f"{shown(own.names)} instead of {shown(columns.names)}",
                code="columns-differ",
            )
        rows.append(FileRows(name_of(file), schema_names, new))
    assert columns is not None  # there is at least one file  # noqa: S101
    return columns, rows, names


def _warn_of_others(
    columns: CountedColumns, names: Sequence[str], why: str, remedy: str = ""
) -> None:
    # A column that numbers the rows is no attribute: rows of one number could not be counted.
    parts = () if columns.reading is None else columns.reading.parts.values()
    known = {*columns.names, *columns.ids, *parts}
    _warn_of_left([name for name in names if name not in known], why, remedy)


def _warn_of_forgotten_ids(columns: CountedColumns) -> None:
    """Warn that a state forgets an ID that recurs, which no later answer can tell."""
    name = None if columns.reading is None else columns.reading.unexplained
    if name is None:
        return
    warn(
        f"column {quoted(name)} recurs among the first rows, and a state does not hold "
        "which rows belong together: its p-values and intervals take every row as independent",
        code="rows-repeat",
    )


def _warn_of_left(left: Sequence[str], why: str, remedy: str) -> None:
    if left:
        warn(
            f"{counted(len(left), 'column')} not read, {why}: {shown(left)}",
            code="columns-not-read",
            remedy=remedy,
        )


def column_names(path: Any, separator: str | None = None) -> list[str]:
    """Return the columns of files of any size by the names they have there; none of states."""
    if _names_states(path):
        return []
    source = sources_of(path)[0]
    if not source.is_text and source.format not in READ_WHOLE:
        return list(schema_of(source).names)
    first = path if source.path is None else source.path
    if source.format in LINES:
        return list(read_files(first).table.column_names)
    return header(first, separator)


def first_rows_as_written(
    source: TableSource,
    how: Mapping[str, Any],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    names: Sequence[str] | None = None,
    sheet: str | None = None,
    held: "pa.Table | None" = None,
) -> tuple["pa.Table", bool]:
    """Return the first rows of a file, those of texts as they are written.

    Also whether their numbers may have a decimal comma. `held` are all rows, where they have been
    read already; `how` names columns, as it does to `read`.
    """
    if source.format in TEXT:
        known = {*LABELS, *named_columns(how)}
        found = first_rows(source, checked_separator(separator), known, LOOKED_AT, names)
        if found is not None:
            return found[0], found[1].separator != ","
    if held is None and not (source.is_text or source.format in READ_WHOLE):
        return first_rows_of(source), False
    if held is None:  # which says what is damaged
        written: dict[str, Any] = {"separator": separator, "decimal": decimal, "names": names}
        held = read_files(source, **written, sheet=sheet).table
    return held.slice(0, LOOKED_AT), False


def _sql_results(files: Sequence[TableSource]) -> Sequence[TableSource]:
    """Return the files if all of them are results of queries."""
    return files if all(map(is_sql_result, files)) else []


def _several(source: Any) -> Sequence[Any]:
    return source if isinstance(source, (list, tuple)) else [source]


def _names_files(source: Any) -> bool:
    return all(isinstance(one, (str, os.PathLike)) for one in _several(source))


def _names_states(source: Any) -> bool:
    return _names_files(source) and any(map(is_state, _several(source)))


def is_large(files: Sequence[TableSource]) -> bool:
    """Tell whether "auto" counts these files."""
    rows = size = 0
    for file in files:
        known = rows_of(file)
        if known is not None:
            rows += known
        else:
            size += file.size * (1 if file.codec is None else PACKING)
        if rows > MOST_ROWS or size > MOST_BYTES:
            return True
    return False


def is_wide(files: Sequence[TableSource]) -> bool:
    """Tell whether Parquet files have so many cells that not all columns are read."""
    if any(file.format != ".parquet" for file in files):
        return False
    try:
        return sum(map(cells_of, files)) > MOST_CELLS
    except InputError:  # whoever reads them says what is wrong
        return False
