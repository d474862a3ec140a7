"""The prediction table as columns: the role of each column of a frame."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import near_names, shorten, shown
from plumbline.errors import InputError, ParameterError, warn
from plumbline.formatting import quoted, reads_as_number
from plumbline.predictions import labels as lb
from plumbline.predictions import probabilities as pr
from plumbline.predictions.arrays import (
    CODED,
    COUNT,
    MARKS,
    RESERVED,
    ArgumentNames,
    checked_columns,
)
from plumbline.predictions.frame_tables import arrow_table
from plumbline.predictions.joined_labels import Joined, LabelsBeside, joined
from plumbline.predictions.labels import (
    Array,
    Labels,
    named_rows,
    ordered_pair,
    rows_text,
    two_classes,
)
from plumbline.predictions.shapes import shaped
from plumbline.predictions.told import named_columns, plain_renames, reading_of
from plumbline.roles import Reading, RepeatedID, columns_of
from plumbline.roles.positive import ONE_IS_ENOUGH
from plumbline.roles.reading import ALONE, GROUPS

if TYPE_CHECKING:
    import pyarrow as pa

    from plumbline.predictions.table import Predictions

PROB, SCORE = MARKS
OWN_COLUMNS = ("actual", "y_true", "y_prob", *RESERVED)
KEPT_NAME = "{}_"  # of an attribute whose name has a meaning in the prediction table


@dataclass(frozen=True)
class Opened:
    """A table and how it is read.

    Attributes
    ----------
    table : one row an example and model
    reading : of this table; read : of the table as it came, for people
    places : which row of that table each one was, None where rows stay as they are
    """

    table: "pa.Table"
    reading: Reading
    read: Reading
    places: Array | None

    @contextmanager
    def rows_as_they_came(self) -> Iterator[None]:
        """Name rows in errors as they were numbered in the table as it came."""
        try:
            yield
        except InputError as error:
            if self.places is None or not len(error.rows):
                raise
            rows = np.unique(self.places[np.asarray(error.rows)])
            text = error.text.replace(named_rows(error.rows), named_rows(rows))
            raise error.placed(text, rows=rows) from error


def opened(
    table: "pa.Table",
    *,
    rename: Mapping[str, str] | None = None,
    reading: Reading | None = None,
    **told: Any,
) -> Opened:
    """Return a table with the parts that its columns play, which `reading` may have told already.

    Other arguments are those of `said_of`.
    """
    if table.num_rows == 0:
        raise InputError(
            f"the table has no rows, only the columns {shown(table.column_names) or '(none)'}; "
            "there is nothing to evaluate",
            code="no-rows",
        )
    plain = plain_renames(table.column_names, rename)
    columns = columns_of(table)
    read = reading or reading_of(columns, rename, **told)
    table = table.rename_columns([plain.get(name, name) for name in table.column_names])
    columns = [replace(one, name=plain.get(one.name, one.name)) for one in columns]
    rows, one, places = shaped(table, read, columns)
    return Opened(rows, one, replace(read, left_out=one.left_out), places)


def fields_of_frame(
    frame: Any,
    *,
    rename: Mapping[str, str] | None = None,
    positive: Any = None,
    normalize: bool = False,
    reading: Reading | None = None,
    beside: LabelsBeside | None = None,
    numbers: Array | None = None,
    **told: Any,
) -> dict[str, Any]:
    """Return a data frame as the fields of predictions, with labels that stand beside it.

    `numbers` are those of the rows, where no column names rows or models. Other arguments are those
    of `opened`.
    """
    wanted = named_columns({**told, "rename": rename}) - (
        set() if beside is None else {told["actual"]}
    )
    table = arrow_table(frame, wanted={*wanted, *OWN_COLUMNS})
    told |= {"rename": rename, "positive": positive, "normalize": normalize}
    by = ""
    if beside is not None:
        one = joined(table, replace(beside, actual=told["actual"]))
        table, told["actual"], by = one.table, one.actual, one.by
        told["rename"] = _with_row(one, rename)
    found = opened(table, reading=reading, **told)
    found = replace(found, read=replace(found.read, joined=by))
    _warn_of_repeats(found)
    with found.rows_as_they_came():
        fields = checked_columns(**_arguments(found, positive), normalize=normalize)
    if numbers is not None and not {"row", "model"} & {*found.read.parts}:
        fields["row"] = numbers if found.places is None else numbers[found.places]
    return fields | {"reading": found.read}


def columns_of_frame(argument: str, frame: Any) -> dict[str, Array]:
    """Return the columns of a data frame by name, as `fields_of_frame` keeps attributes."""
    try:
        table = arrow_table(frame)
    except InputError as error:
        if error.code != "no-frame":
            raise
        raise ParameterError(
            code="wrong-kind",
            argument=argument,
            rule="columns by name: a mapping of names to values, or a data frame",
            arrived=type(frame).__name__,
        ) from None
    return {name: _plain(table, name) for name in table.column_names}


def _with_row(one: Joined, rename: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Return renames by which the ID of a joined table is its row, where no two rows share one."""
    rename = dict(rename or {})
    column = one.table.column(one.row)
    plain = one.row not in rename and "row" not in (*rename.values(), *one.table.column_names)
    if plain and len(column.unique()) == len(column):
        rename[one.row] = "row"
    return rename or None


def _warn_of_repeats(found: Opened) -> None:
    """Warn of an ID that recurs though no model, fold or repeat explains it."""
    name = found.read.unexplained
    if name is None or "groups" in found.read.parts:
        return
    again = RepeatedID(name, len(found.table.column(name).unique()), found.table.num_rows)
    if again.values < again.rows:
        warn(again.text, code="rows-repeat")


def _arguments(found: Opened, positive: Any) -> dict[str, Any]:
    table, reading = found.table, found.reading
    actual, columns = reading.actual, dict(reading.prob)
    truth = _labels(table, actual)
    taken = {actual, *columns, *reading.parts.values()}
    if positive is None and not reading.implied:
        positive = reading.positive
    parts: dict[str, Any] = {"y_true": truth, "argument_names": ArgumentNames(actual)}
    if columns:
        parts |= _probability_arguments(table, columns, truth, actual, positive)
    scores = _score_columns(table.column_names, reading, taken)
    if scores:
        parts |= _score_arguments(table, scores, parts.get("classes"), truth)
    count = reading.parts.get(COUNT, COUNT)
    if count in table.column_names and count not in reading.attributes:
        parts["count"] = _numbers(table, count)
    for part, name in reading.parts.items():
        if part not in ("score", COUNT):
            alone = part == "groups" and reading.missing == ALONE
            read = _plain if alone else _READ.get(part, _labels)
            parts[part] = read(table, name)
    if reading.missing == ALONE:
        name = reading.parts["groups"]
        parts["groups"] = Labels.of_groups(name, parts["groups"], parts.get("row"))
    groups = reading.parts.get("groups", GROUPS)
    taken -= {groups} - {GROUPS}  # a column that is called otherwise is an attribute as well
    taken |= {*scores, count}
    others = [name for name in table.column_names if name not in taken]
    kept = {_attribute_name(name, others): _plain(table, name) for name in others}
    return parts | {"positive": positive, "attributes": kept}


def _score_columns(names: Sequence[str], reading: Reading, taken: Collection[str]) -> list[str]:
    """Return the columns of ratings, one or one a class."""
    alone = [reading.parts["score"]] if "score" in reading.parts else []
    marked = [n for n in names if class_marked(n, SCORE) is not None and n not in taken]
    return alone + [name for name in marked if name not in reading.attributes]


def _attribute_name(name: str, others: Sequence[str]) -> str:
    """Return the name of an attribute: not one that means something in a prediction table."""
    while name in RESERVED or name.startswith(MARKS):
        name = KEPT_NAME.format(name.replace(":", "_"))
        if name in others:
            continue
    return name


def table_of(data: "Predictions") -> "pa.Table":
    """Return the prediction table as an Arrow table, ready for a frame or a file."""
    import pyarrow as pa

    columns = _own_columns(data) | {
        f"mean of {name}" if name in data.averaged else name: values
        for name, values in data.attributes.items()
    }
    return pa.table({name: _arrow_column(name, values) for name, values in columns.items()})


def _own_columns(data: "Predictions") -> dict[str, Array]:
    columns: dict[str, Array] = {}
    order = list(range(data.k))
    if data.k == 2:  # the last column is that of the positive class, so that a file keeps it
        order = [1 - data.positive, data.positive]
    for name in CODED:
        labels = getattr(data, name)
        if labels is not None:
            columns[GROUPS if name == "groups" else name] = _natural(labels)
    if data.row is not None:
        columns["row"] = data.row
    columns["actual"] = Labels(data.actual, data.classes).values()
    if data.prob is not None:
        columns |= {f"{PROB}{data.classes[j]}": data.prob[:, j] for j in order}
    if data.score is not None and data.score.ndim == 1:
        columns["score"] = data.score
    elif data.score is not None:
        columns |= {f"{SCORE}{data.classes[j]}": data.score[:, j] for j in order}
    if data.label is not None:
        columns["predicted"] = Labels(data.label, data.classes).values()
    if data.weight is not None:
        columns[COUNT if data.counted else "weight"] = data.weight
    return columns


def _arrow_column(name: str, values: Array) -> "pa.Array":
    """Return a column as an Arrow array; a NaN among texts is a missing one."""
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=values.dtype.kind == "O")
    except UnicodeError:
        lb.refuse_broken_text(name, [value for value in values if isinstance(value, str)])
        raise
    except (pa.ArrowException, OverflowError) as error:
        raise InputError(
            f"column {quoted(name)} has no type that a table can hold ({error}); make it all text "
            "or all numbers",
            code="mixed-types",
        ) from error


def _natural(labels: Labels) -> Array:
    """Return names as whole numbers if all of them are, so that folds 0..9 sort in any tool."""
    if all(lb.WHOLE.fullmatch(name) and str(int(name)) == name for name in labels.names):
        return np.array([int(name) for name in labels.names], dtype=np.int64)[labels.codes]
    return labels.values()


def class_marked(column: str, mark: str) -> str | None:
    """Return the class that a column with a mark, `p:` or `score:`, names; None without the mark.

    >>> class_marked("p:rain", PROB), class_marked(" p:rain ", PROB), class_marked("rain", PROB)
    ('rain', 'rain ', None)
    """
    name = column.lstrip()
    return name.removeprefix(mark) if name.startswith(mark) else None


def _probability_arguments(
    table: "pa.Table", columns: Mapping[str, Any], truth: Labels, actual: str, positive: Any
) -> dict[str, Any]:
    names = list(columns)
    if len(names) == 1 and is_list(table.schema.field(names[0]).type):
        return _list_arguments(table, names[0], columns[names[0]], truth, actual)
    columns = {name: _as_label(target, truth) for name, target in columns.items()}
    argument_names = ArgumentNames(actual, columns=names)
    values = [_numbers(table, name) for name in names]
    if len(values) > 1:
        return {
            "y_prob": np.column_stack(values),
            "classes": list(columns.values()),
            "argument_names": argument_names,
        }
    target = next(iter(columns.values()))
    if target is None:
        pair = ordered_pair(two_classes(actual, truth.names), positive, column=names[0])
        return {
            "y_prob": values[0],
            "argument_names": ArgumentNames(actual, columns=names * 2),
            "classes": pair,
        }
    prob = pr.checked_column(pr.number_matrix(names[0], values[0]), names[0])
    return {
        "y_prob": pr.two_columns(prob),
        "argument_names": ArgumentNames(actual, columns=names * 2),
        "classes": _with_other(names[0], target, truth),
    }


def _list_arguments(
    table: "pa.Table", name: str, target: Any, truth: Labels, actual: str
) -> dict[str, Any]:
    """Return the arguments of one column of lists, which hold a probability of every class."""
    matrix, odd = list_matrix(table.column(name).combine_chunks())
    if odd.any():
        raise InputError(
            f"column {quoted(name)} must hold lists of {matrix.shape[1]} numbers, as in its first "
            f"row, and does not in {rows_text(odd)}",
            rows=np.flatnonzero(odd),
            code="wrong-shape",
            remedy="give one number per class in every row",
        )
    classes = classes_of_list(target, matrix.shape[1])
    return {
        "y_prob": matrix,
        "classes": [_as_label(one, truth) for one in classes],
        "argument_names": ArgumentNames(actual, columns=[name] * matrix.shape[1]),
    }


def is_list(kind: "pa.DataType") -> bool:
    """Tell whether the values of a column are lists of numbers."""
    import pyarrow as pa

    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    if not (lists or pa.types.is_fixed_size_list(kind)):
        return False
    one: pa.DataType = kind.value_type
    return bool(pa.types.is_floating(one) or pa.types.is_integer(one) or pa.types.is_decimal(one))


def classes_of_list(target: Any, size: int | None) -> tuple[Any, ...]:
    """Return the classes of a column of lists: as named in their order, else 0 to `size` - 1.

    Empty where nothing names them and the size is unknown.
    """
    if target is None:
        return tuple(map(str, range(size or 0)))
    names = target.split(",") if isinstance(target, str) else target
    classes = lb.class_names("prob", names)
    if size not in (None, len(classes)):
        raise InputError(
            f"`prob` names {len(classes)} classes ({shown(classes)}), and the lists hold {size} "
            "numbers",
            code="classes-differ",
            remedy="name every class, in the order of the numbers",
        )
    return classes


def list_matrix(column: "pa.Array", size: int | None = None) -> tuple[Array, Array]:
    """Return lists as (n, size) numbers, NaN where there is none, and (n,) which rows hold none.

    `size` is by default that of the first list.
    """
    import pyarrow as pa
    from pyarrow import compute

    lengths = compute.fill_null(compute.list_value_length(column), -1).to_numpy(
        zero_copy_only=False
    )
    if size is None:
        size = int(next((length for length in lengths if length >= 0), 0))
    odd = lengths != size
    kept = column.filter(pa.array(~odd)) if odd.any() else column
    values = kept.flatten()
    if values.type not in (pa.float32(), pa.float64()):
        values = values.cast(pa.float64())
    rows = np.asarray(values.to_numpy(zero_copy_only=False)).reshape(len(kept), size)
    if not odd.any():
        return rows, odd
    matrix = np.full((len(odd), size), np.nan, rows.dtype)
    matrix[~odd] = rows
    return matrix, odd


def _as_label(target: Any, truth: Labels) -> Any:
    """Return the name, 1, of a class that the user wrote as the file does, 1.0.

    Blanks around a name are part of it only where a label has them too.
    """
    if not isinstance(target, str) or target in truth.names:
        text = str(target)
    else:
        text = target = target.strip()
    whole = text.removesuffix(".0")
    return whole if text not in truth.names and whole in truth.names else target


def _with_other(column: str, target: Any, truth: Labels) -> list[str]:
    """Return both classes where one column names only one of them, which comes last."""
    name = lb.label_text(target)
    pair = next((pair for pair in ONE_IS_ENOUGH if {name, *truth.names} <= set(pair)), ())
    others = [other for other in pair or truth.names if other != name]
    if len(others) > 1:
        raise InputError(
            f"the single column {quoted(column)} gives {quoted(name)} against one other class, "
            f"but the other true classes are {shown(others)}{near_names(name, others) or '.'} "
            "Give one column p:<class> per class. If only the confidence of the answer is known, "
            "make the true class 'right' or 'wrong', and pass `prob={'COLUMN': 'right'}`.",
            code="class-without-column",
        )
    return [others[0] if others else f"not {name}", name]


def _score_arguments(
    table: "pa.Table", scores: Sequence[str], classes: Sequence[Any] | None, truth: Labels
) -> dict[str, Any]:
    """Return ratings in the order of the classes; one rating of a named class becomes two."""
    alone = [name for name in scores if class_marked(name, SCORE) is None]
    if scores == alone:
        return {"score": _numbers(table, scores[0])}
    if alone:
        raise InputError(
            f"both {quoted(alone[0])} and {shown([s for s in scores if s not in alone])} are "
            "there; give one "
            "rating per row, or one rating per class",
            code="scores-of-two-kinds",
        )
    targets = [_as_label(class_marked(name, SCORE), truth) for name in scores]
    if len(targets) > 1:
        lb.class_names("score", targets)  # refuses two columns of one class
    named = {target: _numbers(table, name) for target, name in zip(targets, scores, strict=True)}
    if len(named) == 1:
        target, rating = next(iter(named.items()))
        rating = pr.number_matrix(scores[0], rating)
        named = {_with_other(scores[0], target, truth)[0]: -rating, target: rating}
    order = list(named) if classes is None else [lb.label_text(name) for name in classes]
    if set(order) != set(named):
        raise InputError(
            f"the score columns are for {shown(named)}, the probability columns for {shown(order)};"
            " name the same classes in both",
            code="classes-differ",
        )
    return {"score": np.column_stack([named[name] for name in order]), "classes": order}


def _numbers(table: "pa.Table", name: str) -> Array:
    """Return a numeric column as an array; text and missing values are refused with their row."""
    import pyarrow as pa

    column = table.column(name)
    kind = column.type
    if column.null_count:
        missing = np.asarray(column.is_null().to_numpy(zero_copy_only=False), bool)
        raise InputError(
            pr.missing_value(name, rows_text(missing)),
            code="value-missing",
            rows=np.flatnonzero(missing),
        )
    if pa.types.is_decimal(kind):
        column = column.cast(pa.float64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise _no_number(column, name)
    return array_of(column)


def _no_number(column: "pa.ChunkedArray", name: str) -> InputError:
    """Name the first value that is not a number, and how to write it."""
    row, value = next(
        (pair for pair in enumerate(column.to_pylist()) if not reads_as_number(pair[1])), (0, None)
    )
    if value is None:
        first = shorten(column[0].as_py())
        return InputError(
            f"column {quoted(name)} holds numbers stored as text, {first} in {lb.named_rows([0])}",
            remedy="store them as numbers",
            code="number-as-text",
            rows=[0],
        )
    return not_numeric(name, value, lb.named_rows([row]), rows=[row])


def not_numeric(name: str, value: Any, where: str, rows: Sequence[int] = ()) -> InputError:
    """Return the error about a value that is not a number: what it may be, and how to write it."""
    code, remedy = "not-numeric", "correct the value or leave the row out"
    if isinstance(value, str) and reads_as_number(value.replace(",", ".")):
        code, remedy = "decimal-comma", "write a decimal point, not a comma"
    elif isinstance(value, str) and reads_as_number(value.strip().removesuffix("%")):
        remedy = "write 0.2, not 20 %"
    return InputError(
        f"column {quoted(name)} must hold numbers, got {shorten(value)} in {where}",
        remedy=remedy,
        code=code,
        rows=rows,
    )


def array_of(column: "pa.ChunkedArray") -> Array:
    """Return a column as an array; `to_numpy` would import pandas, which numbers can do without."""
    import pyarrow as pa

    kind = column.type
    if column.null_count or not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        return np.asarray(column.to_numpy())
    return np.asarray(np.from_dlpack(column.combine_chunks()))


def _labels(table: "pa.Table", name: str) -> Any:
    """Return a text column as labels without one Python object per row; others unchanged."""
    import pyarrow as pa

    column = table.column(name)
    if not _is_text(column.type) and not pa.types.is_dictionary(column.type):
        return Labels.of(name, _plain(table, name))
    codes, names = _dictionary(column)
    return Labels.of_names(name, codes, names)


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return kind in (pa.string(), pa.large_string(), pa.string_view())


def _dictionary(column: "pa.ChunkedArray") -> tuple[Array, list[Any]]:
    """Return codes and values of a text or dictionary column; the last value is None."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    chunks = column.unify_dictionaries().chunks
    names = chunks[0].dictionary.to_pylist()
    codes = [_codes(chunk.indices.cast(pa.int32()), len(names)) for chunk in chunks]
    return np.concatenate(codes), [*names, None]


def _codes(indices: "pa.Array", missing: int) -> Array:
    """Return the codes, `missing` where there is none."""
    whole = indices.fill_null(missing) if indices.null_count else indices
    return np.asarray(np.from_dlpack(whole))


def _plain(table: "pa.Table", name: str) -> Array:
    """Return any column as an array; dictionary-coded (categorical) values become plain."""
    import pyarrow as pa

    column = table.column(name)
    if not len(column) or (not _is_text(column.type) and not pa.types.is_dictionary(column.type)):
        return array_of(column)
    codes, names = _dictionary(column)
    whole = [value for value in names[:-1] if value is not None]
    if whole and not isinstance(whole[0], str) and len(whole) == len(names) - 1:
        return np.asarray(column.cast(column.type.value_type).to_numpy())
    return lb.objects(names)[codes]


_READ: dict[str, Callable[[Any, str], Any]] = {"weight": _numbers, "row": _plain}
