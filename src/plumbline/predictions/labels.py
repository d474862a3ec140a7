"""Labels of classes, models and folds: text outside, small integers inside; the positive class."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, shorten, shown
from plumbline.errors import InputError
from plumbline.formatting import quoted
from plumbline.roles.positive import ONE_IS_ENOUGH, usual_pair

Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Array: TypeAlias = NDArray[Any]

WHOLE = re.compile(r"-?[0-9]{1,18}")  # 18 digits always fit 64 bits
MICROSECONDS_A_DAY = 86_400_000_000
TOP_LABEL = ("wrong", "right")  # classes of the view of that name
LARGEST_EXACT = 2.0**53  # up to here every whole number is a float64


def label_text(value: object) -> str:
    """Return a label as text: 3, 3.0 and "3" are the same class."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value)


def days_of(dates: Array) -> NDArray[np.float64]:
    """Return dates as days since the first of January 1970, with fractions; NaN of a missing one.

    >>> days_of(np.array(["1970-01-02T12", "NaT"], "datetime64[h]")).tolist()
    [1.5, nan]
    """
    days = dates.astype("datetime64[us]").astype(np.float64) / MICROSECONDS_A_DAY
    return np.where(np.isnat(dates), np.nan, days)


def is_missing(value: object) -> bool:
    """Tell whether a label is absent: None, NaN, NaT, pandas.NA or an empty text."""
    if value is None or (isinstance(value, (str, bytes)) and not value):
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA is neither equal to itself nor different
        return True
    except ValueError:  # a list of numbers
        return False


ALONE_NAME = "(alone {})"  # of the group of a row that has none


def is_alone(name: str) -> bool:
    """Tell whether a group is that of a row without one, which is no other table's.

    >>> is_alone("(alone 12)"), is_alone("alone")
    (True, False)
    """
    return name.startswith("(alone ")


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """A column of few distinct values: `names[codes[i]]` is the value of row i."""

    codes: Ints
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        self.codes.flags.writeable = False

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, column: str, values: Any) -> "Labels":
        """Code a column of labels; whole numbers sort, texts keep their first appearance."""
        if isinstance(values, Labels):
            return values
        array = one_dimension(column, values)
        if array.dtype.kind in "fmM":
            refuse_missing(column, np.isnan(array) if array.dtype.kind == "f" else np.isnat(array))
        if array.dtype.kind in "biuf":
            codes, distinct = _number_codes(array)
            return cls(codes, tuple(map(label_text, distinct)))
        codes, distinct = _text_codes(column, array)
        return cls.of_names(column, codes, distinct)

    @classmethod
    def of_groups(cls, column: str, values: Any, example: Any = None) -> "Labels":
        """Code groups of rows; each example without one is a group of its own.

        >>> groups = Labels.of_groups("patient", ["a", None, "a", None], [1, 2, 3, 2])
        >>> groups.values().tolist()
        ['a', '(alone 1)', 'a', '(alone 1)']
        """
        array = one_dimension(column, values)
        absent = np.array([is_missing(value) for value in array.tolist()], bool)
        if not absent.any():
            return cls.of(column, array)
        known = cls.of(column, array[~absent]) if not absent.all() else cls(np.empty(0, int), ())
        places = np.flatnonzero(absent) if example is None else np.asarray(example)[absent]
        _, first, own = np.unique(places, return_index=True, return_inverse=True)
        own = np.argsort(np.argsort(first))[own]  # in the order in which they come
        free = (name for i in count(1) if (name := ALONE_NAME.format(i)) not in known.names)
        names = (*known.names, *islice(free, len(first)))
        codes = np.empty(len(array), np.int64)
        codes[~absent], codes[absent] = known.codes, len(known.names) + own
        return cls(codes, names)

    @classmethod
    def of_names(cls, column: str, codes: Ints, names: Sequence[Any]) -> "Labels":
        """Build labels from codes and raw names, of which some may be equal, absent or unused."""
        missing = [code for code, name in enumerate(names) if is_missing(name)]
        refuse_missing(column, np.isin(codes, missing) if missing else None)
        texts = tuple(map(label_text, names))
        refuse_broken_text(column, texts)
        return cls(codes, texts)._in_use()._merged()._sorted_if_whole()

    def _in_use(self) -> "Labels":
        """Drop the names that no row has."""
        used = np.flatnonzero(np.bincount(self.codes, minlength=len(self.names)))
        if len(used) == len(self.names):
            return self
        home = np.zeros(len(self.names), np.int32)
        home[used] = np.arange(len(used), dtype=np.int32)
        return Labels(home[self.codes], tuple(self.names[code] for code in used))

    def _merged(self) -> "Labels":
        """Join codes whose names became equal as text (3 and "3")."""
        names = tuple(dict.fromkeys(self.names))
        if len(names) == len(self.names):
            return self
        home = {name: code for code, name in enumerate(names)}
        return Labels(np.array([home[n] for n in self.names], np.int32)[self.codes], names)

    def _sorted_if_whole(self) -> "Labels":
        """Sort names that are all whole numbers; keep the order of others."""
        if not all(WHOLE.fullmatch(name) for name in self.names):
            return self
        order = sorted(range(len(self.names)), key=lambda code: _sort_key(self.names[code]))
        rank = np.empty(len(order), np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        return Labels(rank[self.codes], tuple(self.names[code] for code in order))

    def take(self, index: Array) -> "Labels":
        """Keep some rows, and only the names still in use."""
        return Labels(self.codes[index], self.names)._in_use()

    def values(self) -> Array:
        """Return the column as texts."""
        return np.array(self.names, dtype=object)[self.codes]

    def where(self, column: str, wanted: Any) -> NDArray[np.bool_]:
        """Mark the rows whose name is `wanted`, or one of several wanted."""
        several = isinstance(wanted, (list, tuple, set, frozenset, np.ndarray, range))
        texts = [label_text(name) for name in (wanted if several else [wanted])]
        for text in texts:
            if text not in self.names:
                raise InputError(
                    f"no {column} is named {quoted(text)}; there are {shown(self.names)}"
                    f"{near_names(text, self.names)}",
                    code="unknown-label",
                )
        return np.isin(self.codes, [self.names.index(text) for text in texts])


def _number_codes(array: Array) -> tuple[Ints, list[Any]]:
    """Code numbers by their rank; whole numbers of a small range by counting, not by sorting."""
    whole = _as_whole_numbers(array)
    if whole is None:
        distinct, codes = np.unique(array, return_inverse=True)
        return codes.astype(np.int32), list(distinct)
    low = whole.min()
    offset = whole - low
    present = np.bincount(offset) > 0
    rank = (np.cumsum(present) - 1).astype(np.int32)
    names: list[Any] = (np.flatnonzero(present) + low).tolist()
    return rank[offset], [bool(n) for n in names] if array.dtype.kind == "b" else names


def _as_whole_numbers(array: Array) -> NDArray[np.int64] | None:
    """Return whole numbers whose range is not much larger than their count, else None."""
    if len(array) == 0:
        return None
    low, high = float(array.min()), float(array.max())
    if max(-low, high) > LARGEST_EXACT or high - low > 4 * len(array) + 1000:
        return None
    whole = array.astype(np.int64)
    return None if array.dtype.kind == "f" and np.any(whole != array) else whole


def _text_codes(column: str, array: Array) -> tuple[Ints, list[Any]]:
    """Code any hashable values in the order of their first appearance."""
    raw = (array.astype(str) if array.dtype.kind in "mM" else array).tolist()
    table: dict[Any, int] = {}
    try:
        codes = np.fromiter((table.setdefault(v, len(table)) for v in raw), np.int32, len(raw))
    except TypeError as error:
        row = next(i for i, value in enumerate(raw) if not _is_hashable(value))
        raise InputError(
            f"column {quoted(column)} must hold one label per row, got {shorten(raw[row])} in "
            f"{named_rows([row])}; give a text or a number",
            rows=[row],
            code="no-label",
        ) from error
    return codes, list(table)


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def plain_array(argument: str, values: Any) -> Array:
    """Return `values` as an array; rows of different lengths become an array of objects.

    A masked entry is a missing one. Texts beside a NaN stay objects, where numpy would make the
    NaN a text like the others.
    """
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        masked = np.asarray(np.ma.getmaskarray(values).reshape(len(values), -1).any(axis=1))
        raise InputError(
            f"`{argument}` is masked in {rows_text(masked)}; leave these rows out",
            rows=np.flatnonzero(masked),
            code="value-missing",
        )
    try:
        array = np.asarray(values)
    except ValueError:
        array = objects(values)
    except (RuntimeError, TypeError) as error:  # a tensor with a gradient, or on a device
        raise InputError(
            f"`{argument}` ({type(values).__name__}) cannot become a NumPy array: {error}; for a "
            f"tensor pass {argument}.detach().cpu().numpy()",
            code="no-array",
        ) from error
    if array.dtype.kind in "US" and isinstance(values, (list, tuple)) and array.ndim == 1:
        return array if all(isinstance(v, (str, bytes)) for v in values) else objects(values)
    return array


def objects(values: Any) -> Array:
    """Return any values as a one-dimensional array of objects, lists among them kept whole."""
    array = np.empty(len(values), dtype=object)
    for index, value in enumerate(values):  # an assignment to the whole would look inside
        array[index] = value
    return array


def one_dimension(column: str, values: Any) -> Array:
    """Return `values` as a one-dimensional array; a nested or scalar one is refused."""
    array = plain_array(column, values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim == 0:
        raise InputError(
            f"`{column}` must have one value per row, got only {shorten(values)}; repeat it for "
            "every row if it is the same everywhere",
            code="wrong-shape",
        )
    if array.ndim != 1:
        raise InputError(
            f"`{column}` must have one value per row (one dimension), got shape {array.shape}"
            + ("; turn one-hot rows into labels with argmax(axis=1)" if array.ndim == 2 else ""),
            code="wrong-shape",
        )
    return array


def missing_label(column: str, where: str) -> str:
    """Say where a label is missing."""
    return (
        f"column {quoted(column)} is empty (missing or NaN) in {where}; fill these rows in or "
        "leave them out"
    )


def refuse_missing(column: str, missing: NDArray[np.bool_] | None) -> None:
    """Raise if any row of a label column is empty."""
    if missing is not None and missing.any():
        raise InputError(
            missing_label(column, rows_text(missing)),
            rows=np.flatnonzero(missing),
            code="value-missing",
        )


def refuse_broken_text(column: str, texts: Iterable[str]) -> None:
    """Raise if a text holds half a character (a lone surrogate), which no file can hold."""
    names = list(texts)
    try:
        "\n".join(names).encode()
    except UnicodeEncodeError as error:
        broken = names[error.object.count("\n", 0, error.start)]
        raise InputError(
            f"{quoted(column)} holds the text {shorten(broken)} with a broken character (a lone "
            "surrogate), which no file can hold; read the text again in its own encoding",
            code="broken-text",
        ) from error


def rows_text(bad: NDArray[np.bool_]) -> str:
    """Name the rows that are marked: "row 3 (counted from 0)"."""
    return named_rows(np.flatnonzero(bad))


def named_rows(rows: Sequence[int] | Ints) -> str:
    """Name rows by their numbers.

    >>> named_rows([3]), named_rows(range(8))
    ('row 3 (counted from 0)', 'rows 0, 1, 2, 3, 4 and 3 more (counted from 0)')
    """
    more = f" and {len(rows) - 5:,} more" if len(rows) > 5 else ""
    numbers = ", ".join(map(str, rows[:5]))
    return f"row{'s' * (len(rows) > 1)} {numbers}{more} (counted from 0)"


def repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once."""
    return [name for name, count in Counter(names).items() if count > 1]


def class_names(argument: str, names: Iterable[Any]) -> tuple[str, ...]:
    """Return class names as distinct, non-empty texts, at least two of them."""
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise InputError(
            code="no-class-names",
            argument=argument,
            rule="a list of class names such as ['no', 'yes']",
            arrived=shorten(names),
        )
    raw = list(names)
    if any(is_missing(name) for name in raw):
        raise InputError(
            f"a class name is empty among {shown(raw)}; name every class", code="value-missing"
        )
    texts = tuple(map(label_text, raw))
    refuse_broken_text(argument, texts)
    twice = repeated(texts)
    if twice:
        raise InputError(
            f"class names must differ, but {shown(twice)} appears more than once (3, 3.0 and '3' "
            "are one name); rename or drop all but one",
            code="not-unique",
        )
    if len(texts) < 2:
        raise InputError(
            f"a classifier has at least two classes, got {shown(texts) if texts else 'none'}",
            code="one-class",
            remedy="name all classes with `classes=[...]`, including those that never occur",
        )
    return texts


def code_classes(column: str, values: Any, classes: Sequence[str]) -> Ints:
    """Return the class number of every row; refuse a label that is not a class."""
    labels = Labels.of(column, values)
    home = {name: code for code, name in enumerate(classes)}
    unknown = [code for code, name in enumerate(labels.names) if name not in home]
    if unknown:
        name = labels.names[unknown[0]]
        rows = np.flatnonzero(labels.codes == unknown[0])
        raise InputError(
            f"column {quoted(column)} holds {shorten(name)} in {named_rows(rows)}, but the "
            f"classes are {shown(classes)}{near_names(name, classes) or '.'} Correct the label, "
            "or add a probability column for this class",
            rows=rows,
            code="unknown-label",
        )
    table = np.array([home[name] for name in labels.names], np.int32)
    return table[labels.codes]


def against_others(name: str) -> tuple[str, str]:
    """Return the two classes of a one-vs-rest view."""
    return ("rest" if name != "rest" else "other"), name


def sorted_classes(names: Iterable[str]) -> tuple[str, ...]:
    """Sort class names: whole numbers by value, others as text."""
    return tuple(sorted(names, key=_sort_key))


def _sort_key(name: str) -> tuple[int, int, str]:
    return (0, int(name), name) if WHOLE.fullmatch(name) else (1, 0, name)


def rows_of_codes(codes: Array) -> dict[int, Array]:
    """Return the row numbers of every code that occurs, in the order of the codes."""
    counts = np.bincount(codes)
    short = codes.astype(np.uint16) if len(counts) <= 2**16 else codes  # sorted in linear time
    order = np.argsort(short, kind="stable")
    present = np.flatnonzero(counts)
    rows = np.split(order, np.cumsum(counts[present])[:-1])
    return dict(zip(present.tolist(), rows, strict=True))


FRACTION = re.compile(r"[-+]?\d*\.\d*[1-9]\d*(e[-+]?\d+)?", re.IGNORECASE)


def two_classes(column: str, names: Iterable[str], *, classes: str = "classes") -> tuple[str, str]:
    """Return the two classes of a binary classifier, sorted, from the labels that occur.

    0 and 1, or False and True, imply each other even if only one is present, and -1 alone
    implies 1; other labels must be exactly two. `classes` is the argument that names them.
    """
    present = set(names)
    if present == {"-1"}:
        return "-1", "1"
    for pair in ONE_IS_ENOUGH:
        if present <= set(pair):
            return pair
    if len(present) == 2:
        first, last = sorted_classes(present)
        return first, last
    if sum(FRACTION.fullmatch(name) is not None for name in present) > 1:
        raise InputError(
            f"column {quoted(column)} is named as the true classes and holds {len(present):,} "
            f"numbers with fractions ({shown(sorted_classes(present))})",
            code="numbers-as-classes",
            remedy="write 0 or 1 for what each number means, such as 1 above a limit",
        )
    raise InputError(
        f"column {quoted(column)} has {len(present):,} distinct label{'s' * (len(present) != 1)} "
        f"({shown(sorted_classes(present))}), so it is unclear which two classes are meant",
        code="two-classes-unknown",
        argument=classes,
        remedy=(
            f"name them with `{classes}=[negative, positive]`, or give one probability column "
            "p:<class> per class"
        ),
    )


def ordered_pair(
    pair: tuple[str, str], positive: Any, *, column: str, argument: str = "positive"
) -> tuple[str, str]:
    """Return the classes in order, the usual positive one last, where one column serves both.

    The column is about the class that `positive` names, else about the usual one of a pair in
    `USUAL_PAIRS`. Raises InputError where neither is known: a wrong guess would turn every number
    around. `argument` is how the caller names the positive class.
    """
    usual = usual_pair(pair)
    if usual is None and positive is None:
        first, last = (shorten(name) for name in pair)
        raise InputError(
            f"{quoted(column)} may be the probability of {first} or of {last}; name the positive "
            f"class: `{argument}={first}` or `{argument}={last}`",
            code="positive-unknown",
            argument=argument,
        )
    return usual or pair
