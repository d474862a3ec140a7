"""Data frames of any library as Arrow tables."""

import re
import warnings
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from plumbline._checks import shorten, shown
from plumbline.errors import InputError
from plumbline.formatting import one_line
from plumbline.predictions.labels import repeated
from plumbline.predictions.plain_types import plain_table
from plumbline.predictions.unusable import need_usable, warn_of_unusable, without_unusable

if TYPE_CHECKING:
    import pyarrow as pa

INDEX = re.compile(r"__index_level_[0-9]+__")


def arrow_table(frame: Any, *, wanted: Collection[str] = ()) -> "pa.Table":
    """Return a data frame as an Arrow table of plain types, its names as texts.

    A column that no type holds is left out with one warning that names all of them, and refused
    where it is `wanted`: a column to which the user, or its own name, gives a part. So are the row
    labels that pandas hides in Arrow tables, without the warning.

    Raises
    ------
    InputError
        For what is no data frame, names that come twice, and a wanted column that no type holds.
    """
    table = plain_table(_without_index(_converted(frame), wanted))
    need_usable(table, wanted)
    warn_of_unusable(table)
    return table


def _converted(frame: Any) -> "pa.Table":
    import pyarrow as pa

    if isinstance(frame, pa.Table):
        _refuse_repeated(frame.column_names)
        return frame
    if isinstance(frame, pa.RecordBatch):
        return _converted(pa.Table.from_batches([frame]))
    import narwhals as nw
    from narwhals.dependencies import is_pandas_dataframe, is_polars_dataframe
    from narwhals.exceptions import DuplicateError

    if is_pandas_dataframe(frame):
        return _of_pandas(frame)
    if is_polars_dataframe(frame):
        return _of_polars(frame)
    try:
        native: Any = nw.from_native(frame)
        eager = native.collect("pyarrow") if isinstance(native, nw.LazyFrame) else native
        table: pa.Table = nw.maybe_reset_index(eager).to_arrow()
    except DuplicateError:
        _refuse_repeated(getattr(frame, "column_names", None) or list(map(str, frame.columns)))
        raise
    except TypeError as error:
        raise InputError(
            code="no-frame",
            argument="frame",
            rule="a data frame (pandas, Polars, Arrow, DuckDB, ...)",
            arrived=f"{type(frame).__name__}",
            remedy="arrays go through from_arrays, files through read",
        ) from error
    except pa.ArrowException as error:
        raise InputError(
            f"a column has a type that no table holds ({one_line(error)}); drop it, or make it "
            "all text or all numbers",
            code="mixed-types",
        ) from error
    return table


def _refuse_repeated(names: Collection[str]) -> None:
    twice = repeated(names)
    if twice:
        raise InputError(
            f"several columns are named {shown(twice)}; rename or drop all but one",
            code="repeated-columns",
        )


def _without_index(table: "pa.Table", wanted: Collection[str]) -> "pa.Table":
    """Drop the row labels that pandas hides in Arrow tables and files, unless they are wanted."""
    if b"pandas" not in (table.schema.metadata or {}):
        return table
    hidden = filter(INDEX.fullmatch, table.column_names)
    return table.drop_columns([name for name in hidden if name not in wanted])


# ---------------------------------------------------------------- pandas


def _of_pandas(frame: Any) -> "pa.Table":
    """Return the columns of a pandas frame, one by one, so that none keeps another out."""
    import pyarrow as pa

    names = [_text(name) for name in frame.columns]
    _refuse_repeated(names)
    arrays, reasons = {}, {}
    for place, name in enumerate(names):
        try:
            arrays[name] = _of_series(frame.iloc[:, place])
        except UnicodeError:
            reasons[name] = "it holds a text that is no Unicode text"
        except (pa.ArrowException, ArithmeticError, ValueError, TypeError) as error:
            mixed = _mixed(frame.iloc[:, place])
            reasons[name] = mixed or f"no type holds its values ({one_line(error)})"
        if name in reasons:
            arrays[name] = pa.nulls(len(frame))
    return without_unusable(pa.table(arrays), reasons)


def _text(name: Any) -> str:
    """Return the name of a column as text; the levels of one that has several with dots."""
    if isinstance(name, tuple):
        return ".".join(text for text in map(str, name) if text)
    return str(name)


def _of_series(series: Any) -> "pa.Array | pa.ChunkedArray":
    import numpy as np
    import pyarrow as pa
    from narwhals.dependencies import get_pandas

    if isinstance(series.dtype, get_pandas().SparseDtype):
        series = series.sparse.to_dense()
    if series.dtype == np.longdouble:
        series = series.astype(np.float64)
    if series.dtype == object and _all_are_names(series):
        series = series.map(str, na_action="ignore").astype(object)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas, about types that it will rename
        return pa.array(series, from_pandas=True)


def _all_are_names(series: Any) -> bool:
    """Tell whether all values are ids or paths, which stand for texts."""
    from pathlib import PurePath
    from uuid import UUID

    first = next((value for value in series if value is not None), None)
    return isinstance(first, (UUID, PurePath)) and all(
        value is None or isinstance(value, (UUID, PurePath)) for value in series
    )


def _mixed(series: Any) -> str:
    """Name the first value of each of several types that a column holds; empty where it is one."""
    first: dict[str, str] = {}
    for row, value in enumerate(series):
        if value is not None:
            first.setdefault(type(value).__name__, f"{shorten(value)} in row {row}")
    if len(first) < 2:
        return ""
    return f"it mixes {', '.join(list(first.values())[:3])} (counted from 0)"


# ---------------------------------------------------------------- Polars


def _of_polars(frame: Any) -> "pa.Table":
    """Return the columns of a Polars frame, one by one."""
    import polars as pl
    import pyarrow as pa

    arrays, reasons = {}, {}
    for series in frame.get_columns():
        if series.dtype == pl.Object:  # its bytes would be addresses in memory
            arrays[series.name] = pa.nulls(len(series))
            reasons[series.name] = "it holds objects of Python"
            continue
        try:
            arrays[series.name] = series.to_arrow()
        except pa.ArrowException:
            arrays[series.name] = series.cast(pl.Float64).to_arrow()
    return without_unusable(pa.table(arrays), reasons)
