"""Tables of separated values: the separator, the decimal mark, and the line of a row."""

import csv as plain_csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import shorten, shown
from plumbline.errors import InputError, ParameterError, warn
from plumbline.file_endings import TEXT
from plumbline.formatting import one_line, quoted, reads_as_number
from plumbline.predictions.arrays import CODED, COUNT, MARKS
from plumbline.predictions.columns import array_of, not_numeric
from plumbline.predictions.labels import repeated
from plumbline.predictions.sources import (
    HEAD,
    TableSource,
    encoding_of,
    format_name,
    need_columns,
    no_rows,
    not_decoded,
    refuse_repeated,
)
from plumbline.roles.reading import GROUPS

if TYPE_CHECKING:
    import pyarrow as pa

DECIMAL_COMMA = "pass `decimal=','` if all numbers have a decimal comma"
LONGEST_LINE = 8 << 20  # 8 MiB; Arrow reads blocks of this size, and no line may exceed one
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
DECIMALS = {".": "point", ",": "comma"}
LABELS = ("actual", "y_true", "predicted", *CODED, GROUPS)
NUMBERS = ("y_prob", "score", "weight", COUNT)
RECORDS_LOOKED_AT = 100  # that decide the separator (docs/conventions.md)
KEPT_OUT = "\"'\r\n\0.-+_"  # what numbers, names and quotes are written with
# A number with a decimal comma, a number whose comma may as well part thousands, no number at all.
COMMA_NUMBER = r"^\s*[+-]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?\s*$"
THOUSANDS = r"^\s*[+-]?[1-9][0-9]{0,2},[0-9]{3}\s*$"
NO_VALUE = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "n/a", "#N/A", "#NA", "-NaN", "-nan")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text is written: its separator and encoding, and its decimal mark where that is known.

    >>> Dialect(";", ",", "utf-8-sig").separated
    'a semicolon'
    """

    separator: str
    decimal: str | None
    encoding: str
    names: tuple[str, ...] = ()  # of the columns, where the text has no header

    @property
    def separated(self) -> str:
        """Say what separates the columns."""
        return _named(self.separator)


def checked_separator(value: Any) -> str | None:
    r"""Return the character that a user names, None where none is named.

    >>> checked_separator("semicolon"), checked_separator("\\t")
    (';', '\t')
    """
    if value is None:
        return None
    words = {word: mark for mark, word in SEPARATORS.items()} | {"\\t": "\t"}
    mark = words.get(value, value)
    if (
        isinstance(mark, str)
        and len(mark) == 1
        and mark.isascii()
        and not mark.isalnum()
        and mark not in KEPT_OUT
    ):
        return mark
    raise ParameterError(
        argument="separator",
        rule="one character such as ',' or ';', or comma, semicolon, tab or bar",
        arrived=shorten(value),
        code="unknown-separator",
    )


def checked_decimal(value: Any) -> str | None:
    """Return the decimal mark that a user names, None where none is named."""
    if value is None:
        return None
    words = {word: mark for mark, word in DECIMALS.items()}
    mark = words.get(value, value)
    if isinstance(mark, str) and mark in DECIMALS:
        return mark
    raise ParameterError(
        argument="decimal",
        rule="'.' or ',' (or point or comma)",
        arrived=shorten(value),
        code="unknown-decimal",
    )


def checked_names(value: Any) -> tuple[str, ...]:
    """Return the names of columns that a user gives to a text without a header, none if none.

    >>> checked_names(["actual", "p:yes"]), checked_names(None)
    (('actual', 'p:yes'), ())
    """
    if value is None:
        return ()
    plain = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    if plain and value and all(isinstance(name, str) for name in value):
        if not repeated(value):
            return tuple(value)
        raise ParameterError(
            f"`names` must name each column once, got {shown(list(value))}", code="named-twice"
        )
    raise ParameterError(
        argument="names",
        rule="a list of texts, one a column",
        arrived=shorten(value),
        code="wrong-kind",
    )


def header_of(source: TableSource, separator: str | None = None) -> list[str]:
    """Return the names of the columns."""
    return header_and_dialect(source, separator, LABELS)[0]


def header_and_dialect(
    source: TableSource, separator: str | None, known: Collection[str]
) -> tuple[list[str], Dialect]:
    """Return the names of the columns, and how the text is written; `known` as in `_dialect_of`."""
    sample = _Sample(source)
    dialect = _dialect_of(source, sample, separator, known)
    return sample.fields(dialect.separator), dialect


def first_rows(
    source: TableSource,
    separator: str | None,
    known: Collection[str],
    most: int,
    names: Sequence[str] | None = None,
) -> tuple["pa.Table", Dialect] | None:
    """Return the first rows of a text, all values as they are written; None of a damaged one.

    What is damaged is for whoever reads the whole. `names` as in `read_text`.
    """
    import pyarrow as pa
    from pyarrow import csv

    own = checked_names(names)
    sample = _Sample(source)
    dialect = _dialect_of(source, sample, separator, known, len(own))
    header = [*(own or sample.fields(dialect.separator))]
    if len({*header}) < len(header) or len(header) != len(sample.fields(dialect.separator)):
        return None
    dialect = replace(dialect, names=own)
    options = csv_options(dialect, dict.fromkeys(header, pa.string()), header)
    batches, rows = [], 0
    try:
        with csv.open_csv(source.stream(), **options) as reader:
            for batch in reader:
                batches.append(batch)
                rows += batch.num_rows
                if rows >= most:
                    break
            return pa.Table.from_batches(batches, reader.schema).slice(0, most), dialect
    except (pa.ArrowException, UnicodeError, OSError):
        return None


def read_text(
    source: TableSource,
    roles: Mapping[str, str],
    *,
    separator: str | None = None,
    decimal: str | None = None,
    most_columns: int,
    as_text: Collection[str] = (),
    names: tuple[str, ...] = (),
) -> tuple["pa.Table", Dialect]:
    """Read a text file in which a column plays the role that `roles` gives, else its name's.

    Labels and the columns `as_text` stay text. `names` are those of the columns of a text without a
    header. Return the table and how it was written.
    """
    sample = _Sample(source)
    dialect = _dialect_of(source, sample, separator, roles, len(names))
    fields = sample.fields(dialect.separator)
    need_columns(source, len(fields), most_columns)
    if names and len(names) != len(fields):
        raise InputError(
            f"`names` names {len(names)} columns, and the first line of {source.name} has "
            f"{len(fields)} values: {shorten(sample.header)}; name every column",
            code="names-differ",
        )
    dialect = replace(dialect, names=names)
    labels = {*as_text, *(column for column, role in roles.items() if role in LABELS)}
    dialect = replace(dialect, decimal=decimal)
    table = _parsed(source, dialect, labels)
    if decimal is None and dialect.separator != "," and _decimal_comma(source, table, labels):
        comma = replace(dialect, decimal=",")
        table_of_commas = _parsed(source, comma, labels)
        if _has_numbers(table_of_commas, _numbers_of(table)):
            table, dialect = table_of_commas, comma
    return _with_points(table, roles) if dialect.decimal == "," else table, dialect


def _with_points(table: "pa.Table", roles: Mapping[str, str]) -> "pa.Table":
    """Write decimal points in number columns that are text, where one value is no number.

    So the error names that value, not the first one with a comma.
    """
    import pyarrow as pa
    from pyarrow import compute

    for place, name in enumerate(table.column_names):
        column, part = table.column(name), roles.get(name, name)
        if column.type == pa.string() and (part in NUMBERS or part.startswith(MARKS)):
            numbers = compute.match_substring_regex(column, COMMA_NUMBER)
            pointed = compute.replace_substring(column, ",", ".")
            table = table.set_column(place, name, compute.if_else(numbers, pointed, column))
    return table


# ---------------------------------------------------------------- separator


ZIP = b"PK\x03\x04"


class _Sample:
    """The first lines of a text, and what they are under a separator."""

    def __init__(self, source: TableSource) -> None:
        head = source.head()
        if head and not {b"\n"[0], b"\r"[0]} & {*head}:  # a header that is longer
            head = source.head(LONGEST_LINE)
        self.encoding = encoding_of(head)
        if head.startswith(ZIP):
            raise InputError(
                f"{source.name} is a ZIP archive, not text; unpack it, or name an Excel file .xlsx",
                code="not-utf-8",
            )
        if b"\0" in head and not self.encoding.startswith("utf-16"):
            raise InputError(
                f"{source.name} is not text: it contains NUL bytes; a {source.format} file is "
                "plain UTF-8 text",
                code="not-utf-8",
            )
        self.whole = len(head) < HEAD
        self.text = head.decode(self.encoding, "replace").lstrip("\r\n")
        if not self.text.strip():
            raise InputError(f"{source.name} holds no text", code="empty-file")
        self.header = self.text.splitlines()[0]

    def fields(self, separator: str) -> list[str]:
        """Return the names in the header."""
        try:
            return next(plain_csv.reader(io.StringIO(self.text, ""), delimiter=separator), [])
        except plain_csv.Error:  # a field too long for a name
            return self.header.split(separator)

    def consistent(self, separator: str) -> bool:
        """Tell whether the first records have as many values as the header has names."""
        records = plain_csv.reader(io.StringIO(self.text, ""), delimiter=separator)
        try:
            counts = [len(values) for values in islice(records, RECORDS_LOOKED_AT) if values]
        except plain_csv.Error:
            return False
        if not self.whole and len(counts) < RECORDS_LOOKED_AT:  # the last one was cut off
            counts = counts[:-1]
        return len({*counts}) == 1


def _dialect_of(
    source: TableSource,
    sample: _Sample,
    separator: str | None,
    known: Collection[str],
    count: int = 0,
) -> Dialect:
    """Return how a text is written, as given or as its first lines show.

    The separator is one that the header holds outside of quotes. Where it holds several, it is the
    one under which the first hundred records have as many values as the header has names; of
    several such, the one under which the header has a `known` column, or of a text without a header
    `count` values. Where that is not one alone, the separator must be given.
    """
    if separator is None:
        separator = _recognised(source, sample, known, count)
    elif len(sample.fields(separator)) < 2:
        raise InputError(
            f"{source.name} has no {_named(separator, '')} in its header, "
            f"{shorten(sample.header)}; leave `separator` out, or name the one that it has",
            code="no-such-separator",
        )
    return Dialect(separator, None, sample.encoding)


def _recognised(source: TableSource, sample: _Sample, known: Collection[str], count: int) -> str:
    present = [mark for mark in SEPARATORS if len(sample.fields(mark)) > 1]
    own = TEXT.get(source.format, ",")
    if len(present) == 1:
        return present[0]
    if not present:
        raise InputError(
            f"{source.name} has a single column: the first line is {shorten(sample.header)}; a "
            f"prediction table has several, with {_named(own)} between them",
            remedy="or name its `separator`",
            code="one-column",
        )
    fitting = [mark for mark in present if sample.consistent(mark)]
    if count:
        fitting = [mark for mark in fitting if len(sample.fields(mark)) == count] or fitting
    if len(fitting) > 1:
        fitting = [m for m in fitting if {*known} & {*sample.fields(m)}] or fitting
    if len(fitting) > 1:
        both = " or ".join(_named(mark) for mark in fitting)
        raise InputError(
            f"the columns of {source.name} may be separated with {both}: the first line is "
            f"{shorten(sample.header)}",
            remedy="name the one with `separator`",
            code="ambiguous-separator",
        )
    if fitting:
        return fitting[0]
    return own if own in present else max(present, key=lambda mark: len(sample.fields(mark)))


def _named(mark: str, article: str = "a ") -> str:
    return f"{article}{SEPARATORS[mark]}" if mark in SEPARATORS else repr(mark)


# ---------------------------------------------------------------- decimal mark


def _decimal_comma(source: TableSource, table: "pa.Table", labels: Collection[str]) -> bool:
    """Tell whether a table that was read with decimal points has decimal commas.

    It has where a column holds nothing but numbers with commas that cannot part thousands ("0,25"
    or "12,5", not "1,250").
    """
    import pyarrow as pa

    columns = {name: table.column(name) for name in table.column_names if name not in labels}
    unclear = []
    for name, column in columns.items():
        if column.type == pa.string() and _are_comma_numbers(column):
            if not _all_match(column, THOUSANDS, only_with_comma=True):
                return True
            unclear.append(name)
    if unclear and not _numbers_of(table):
        warn(
            f"column {quoted(unclear[0])} of {source.name} is read as text: the comma in "
            f"{shorten(_first_with_comma(table.column(unclear[0])))} may be a decimal comma or a "
            "thousands separator",
            remedy="pass `decimal=','` if it is a decimal comma",
            code="unclear-decimal",
        )
    return False


def _numbers_of(table: "pa.Table") -> list[str]:
    """Return the columns that hold numbers with a decimal mark or an exponent."""
    import pyarrow as pa

    return [field.name for field in table.schema if field.type == pa.float64()]


def _has_numbers(table: "pa.Table", names: Collection[str]) -> bool:
    """Tell whether these columns hold numbers still: with the other mark they would be text."""
    import pyarrow as pa

    return not any(table.schema.field(name).type == pa.string() for name in names)


def _are_comma_numbers(column: "pa.ChunkedArray") -> bool:
    few = column.slice(0, 1000)
    return all(_all_match(part, COMMA_NUMBER) and _first_with_comma(part) for part in (few, column))


def _all_match(column: "pa.ChunkedArray", pattern: str, *, only_with_comma: bool = False) -> bool:
    """Tell whether all values that are there match a pattern."""
    import pyarrow as pa
    from pyarrow import compute

    if only_with_comma:
        passed_over = compute.invert(compute.match_substring(column, ","))
    else:
        passed_over = compute.is_in(column, value_set=pa.array(NO_VALUE))
    return bool(
        compute.all(
            compute.or_(passed_over, compute.match_substring_regex(column, pattern))
        ).as_py()
    )


def _first_with_comma(column: "pa.ChunkedArray") -> str | None:
    from pyarrow import compute

    place = compute.index(compute.match_substring(column, ","), True).as_py()
    return None if place < 0 else str(column[place].as_py())


# ---------------------------------------------------------------- values


def csv_options(
    dialect: Dialect, kinds: Mapping[str, "pa.DataType"], names: Sequence[str] = ()
) -> dict[str, Any]:
    """Return how pyarrow reads a text of this dialect, some columns as these kinds."""
    from pyarrow import csv

    encoding = "utf8" if dialect.encoding == "utf-8-sig" else dialect.encoding
    return {
        "parse_options": csv.ParseOptions(
            delimiter=dialect.separator, newlines_in_values=True, ignore_empty_lines=True
        ),
        "convert_options": csv.ConvertOptions(
            column_types=kinds, decimal_point=dialect.decimal or ".", include_columns=names
        ),
        "read_options": csv.ReadOptions(
            block_size=LONGEST_LINE, encoding=encoding, column_names=dialect.names or None
        ),
    }


def _parsed(source: TableSource, dialect: Dialect, labels: Collection[str]) -> "pa.Table":
    import pyarrow as pa
    from pyarrow import csv

    plain = source.codec is None and source.path is not None
    try:
        table = csv.read_csv(
            source.native() if plain else source.stream(),
            **csv_options(dialect, dict.fromkeys(labels, pa.string())),
        )
        names = table.column_names
    except UnicodeDecodeError as error:
        raise not_decoded(source, dialect.encoding) from error
    except pa.ArrowInvalid as error:
        raise not_parsed(source, dialect, error) from error
    refuse_repeated(source, names)
    binary = [name for name in names if pa.types.is_binary(table.column(name).type)]
    if binary:
        raise not_decoded(source, dialect.encoding, f": column {shown(binary)} holds bytes that")
    return table


def not_parsed(
    source: TableSource, dialect: Dialect, error: Exception, numbers: Collection[str] = ()
) -> InputError:
    """Return why the values of a text fit no table: the first line of another length.

    `numbers` are columns of which a value may have been no number.
    """
    text = one_line(error)
    wrong = _first_not_numeric(source, dialect, numbers) if "conversion error" in text else None
    if wrong is not None:
        return wrong
    if "UTF8" in text:
        return not_decoded(source, dialect.encoding)
    if "Empty CSV" in text or "straddling" in text:
        sample = _Sample(source)
        if sample.whole:  # nothing but a header, whose line is not ended
            return no_rows([source.name], sample.fields(dialect.separator))
        return InputError(
            f"{source.name} has a line longer than {LONGEST_LINE >> 20} MB; it is not a table, or "
            "must be saved as Parquet",
            code="line-too-long",
        )
    uneven = _first_uneven(source, dialect)
    if uneven is None:
        return InputError(
            f"{source.name} cannot be read as {format_name(source)}: {text}; put a value that "
            "holds the separator in double quotes",
            code="uneven-lines",
        )
    line, values, names = uneven
    counts = f"{len(values)} value{'s' * (len(values) != 1)}"
    why = (
        "put a value that holds the separator in double quotes"
        if len(values) > len(names)
        else "write all values, also empty ones"
    )
    others = [mark for mark in SEPARATORS if mark != dialect.separator]
    if len(values) > len(names) and dialect.separator == ",":
        why += ", also a number with a decimal comma (or separate the columns with semicolons)"
    elif any(len(row) == len(names) for row in (v.split(m) for v in values[:1] for m in others)):
        why = "it has another separator than the header; use one separator in all lines"
    return InputError(
        f"line {line} of {source.name} has {counts}, but the header has {len(names)} columns "
        f"(separated by {dialect.separated}); {why}",
        code="uneven-lines",
    )


def _first_not_numeric(
    source: TableSource, dialect: Dialect, numbers: Collection[str]
) -> InputError | None:
    """Return the error about the first value of some columns that is no number."""
    names: list[str] = []
    with suppress(plain_csv.Error):  # a value longer than Python's reader takes
        for line, values in _records(source, dialect):
            names = names or values
            for name, value in zip(names, values, strict=False):
                number = value.replace(",", ".") if dialect.decimal == "," else value
                looked_at = line > 1 and name in numbers and value not in NO_VALUE
                if looked_at and not reads_as_number(number):
                    wrong = not_numeric(name, value, f"line {line} of {source.name}")
                    remedy = DECIMAL_COMMA if wrong.code == "decimal-comma" else wrong.remedy
                    return InputError(wrong.text, code=wrong.code, remedy=remedy)
    return None


def _first_uneven(source: TableSource, dialect: Dialect) -> tuple[int, list[str], list[str]] | None:
    """Return the first line with more or fewer values than the header has, these and the header."""
    names: list[str] = []
    try:
        for line, values in _records(source, dialect):
            names = names or values
            if len(values) != len(names):
                return line, values, names
    except plain_csv.Error:  # a value longer than Python's reader takes
        pass
    return None


def whole_labels(table: "pa.Table", roles: Mapping[str, str]) -> "pa.Table":
    """Drop ".0" where every class ends in it, as another tool may have written 0 and 1."""
    import pyarrow as pa
    from pyarrow import compute

    played = {column: roles.get(column, column) for column in table.column_names}
    if any(part.startswith(MARKS) and part.endswith(".0") for part in played.values()):
        return table
    for place, (column, part) in enumerate(played.items()):
        values = table.column(column)
        if part not in LABELS or part in (*CODED, GROUPS) or values.type != pa.string():
            continue
        if compute.all(compute.match_substring_regex(values, r"^(-?[0-9]+\.0)?$")).as_py():
            whole = compute.replace_substring_regex(values, r"\.0$", "")
            table = table.set_column(place, column, whole)
    return table


def single_precision(table: "pa.Table") -> "pa.Table":
    """Return probabilities that were written from float32 as float32.

    Text has no type: decimals of single precision sum to 1 within its precision, not within that
    of float64. They are recognised by their sums, and by being the shortest decimals of a float32.
    """
    import pyarrow as pa

    names = [name for name in table.column_names if name.startswith(MARKS[0])]
    if len(names) < 2 or any(table.column(n).type != pa.float64() for n in names):
        return table
    if any(table.column(name).null_count for name in names):
        return table
    off = np.abs(np.sum([array_of(table.column(name)) for name in names], axis=0) - 1.0).max()
    eps = np.finfo(np.float32).eps
    if not np.sqrt(np.finfo(np.float64).eps) < off <= len(names) * eps:
        return table
    for name in names:
        narrow = table.column(name).cast(pa.float32(), safe=False)
        if not narrow.cast(pa.string()).cast(pa.float64()).equals(table.column(name)):
            return table
        table = table.set_column(table.column_names.index(name), name, narrow)
    return table


# ---------------------------------------------------------------- lines


def lines_of_rows(source: TableSource, dialect: Dialect) -> Iterator[int]:
    """Yield the line, from 1, in which each row begins.

    Empty lines hold no row, and a value in quotes may go over several lines.
    """
    first = 0 if dialect.names else 1
    return (line for line, _ in islice(_records(source, dialect), first, None))


def _records(source: TableSource, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield the values of every line that is not empty, and the line in which they begin."""
    end = 0
    with source.lines(newline="") as lines:
        reader = plain_csv.reader(lines, delimiter=dialect.separator)
        for values in reader:
            start, end = end + 1, reader.line_num
            if values:
                yield start, values
