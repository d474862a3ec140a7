"""From DATA and its options to features, target, groups and attributes, prepared for a model.

It reads what the command was given; what is learnt and measured of it, `validation` does.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, need_extra, shorten, shown
from plumbline.cli.prediction_file import inputs, title_of
from plumbline.errors import InputError, ParameterError, PlumblineWarning
from plumbline.file_endings import TEXT
from plumbline.formatting import counted, quoted, reads_as_number

if TYPE_CHECKING:
    import pyarrow as pa

MOSTLY = 0.9  # a text column with so many numbers was meant to be numbers
MOST_CLASSES = 0.5  # of the rows: with more classes than this the target is no class


@dataclass(frozen=True, slots=True, eq=False)
class FeatureColumn:
    """One feature: its name, its values (n,), and whether they are categories or numbers."""

    name: str
    values: NDArray[Any]
    category: bool

    @property
    def missing(self) -> int:
        """Number of missing values."""
        if self.category:
            return sum(value is None for value in self.values)
        return int(np.isnan(self.values).sum())


@dataclass(frozen=True, slots=True, eq=False)
class LearningData:
    """What DATA holds.

    Attributes
    ----------
    features : the columns to learn from
    y : (n,) classes, whole numbers where all of them are
    classes : how many there are
    groups : (n,) group of each row, or None
    time : (n,) when each row was, or None
    attributes : columns that go along beside the predictions
    empty : names of columns without any value, which are left out
    dropped : columns that the user leaves out, for the guards
    """

    features: tuple[FeatureColumn, ...]
    y: NDArray[Any]
    classes: int
    groups: NDArray[Any] | None
    time: NDArray[Any] | None
    attributes: Mapping[str, NDArray[Any]]
    empty: tuple[str, ...]
    dropped: Mapping[str, NDArray[Any]]

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def names(self) -> list[str]:
        """Names of the features."""
        return [column.name for column in self.features]

    @property
    def matrix(self) -> NDArray[Any]:
        """(n, d) features: float64, or objects where some are categories."""
        if any(column.category for column in self.features):
            whole = np.empty((self.n, len(self.features)), dtype=object)
            for place, column in enumerate(self.features):
                whole[:, place] = column.values
            return whole
        return np.column_stack([column.values for column in self.features])


def read_rows(
    file: Path,
    *,
    target: str,
    groups: str | None,
    time: str | None,
    drop: Sequence[str],
    keep: Sequence[str],
    separator: str | None = None,
    decimal: str | None = None,
) -> LearningData:
    """Read DATA; every column is a feature unless an option says otherwise."""
    from plumbline.predictions.files import read_files

    read = read_files(inputs([file]), actual=target, separator=separator, decimal=decimal)
    text = any(part.source.format in TEXT for part in read.parts)
    names = read.table.column_names
    _need_columns(names, target=target, groups=groups, time=time, drop=drop, keep=keep)
    return read.checked(
        lambda table: _learning_data(
            table,
            title_of([file]),
            text=text,
            target=target,
            groups=groups,
            time=time,
            drop=drop,
            keep=keep,
        )
    )


def _learning_data(
    table: "pa.Table",
    called: str,
    *,
    text: bool,
    target: str,
    groups: str | None,
    time: str | None,
    drop: Sequence[str],
    keep: Sequence[str],
) -> LearningData:
    if table.num_rows == 0:
        raise InputError(f"{called} has no rows, only the names of its columns", code="no-rows")
    y, classes = _target(table, target)
    named = [name for name in (groups, time) if name]
    aside = {target, *drop, *keep, *named}
    names = [name for name in table.column_names if name not in aside]
    empty = tuple(n for n in names if table.column(n).null_count == table.num_rows)
    columns = [_feature(name, table.column(name), text) for name in names if name not in empty]
    if not columns:
        raise InputError(
            f"{called} leaves no column to learn from besides {shown(aside)}", code="no-features"
        )
    beside = dict.fromkeys([*keep, *named])
    return LearningData(
        features=tuple(columns),
        y=y,
        classes=classes,
        groups=None if groups is None else _group_of_rows(groups, table.column(groups)),
        time=None if time is None else _times(time, table.column(time), text),
        attributes={name: _values(table.column(name)) for name in beside},
        empty=empty,
        dropped={name: _values(table.column(name)) for name in drop},
    )


def _need_columns(names: Sequence[str], **options: Any) -> None:
    """Refuse a name that no column has, and a column with two tasks."""
    tasks: dict[str, str] = {}
    for option, given in options.items():
        for name in [given] if isinstance(given, str) else given or ():
            if name not in names:
                raise ParameterError(
                    f"--{option} must name a column, got {quoted(name)}; the columns are "
                    f"{shown(names, 20)}{near_names(name, names)}",
                    code="unknown-name",
                )
            if tasks.setdefault(name, option) != option:
                raise ParameterError(
                    f"--{option} and --{tasks[name]} both name the column {quoted(name)}; it can "
                    "have one task only",
                    code="given-twice",
                )


def _target(table: "pa.Table", name: str) -> tuple[NDArray[Any], int]:
    """Return the classes; a missing one is refused with its row."""
    from plumbline.predictions import Labels
    from plumbline.predictions.labels import WHOLE

    labels = Labels.of(name, _values(table.column(name)))
    if len(labels.names) > max(2, MOST_CLASSES * len(labels)):
        raise InputError(
            f"column {quoted(name)} has {counted(len(labels.names), 'distinct value')} in "
            f"{counted(len(labels), 'row')} ({shown(labels.names, 3)}), which are no classes; name "
            "another with --target, or cut the numbers into classes first",
            code="no-class",
        )
    if len(labels.names) < 2:
        raise InputError(
            f"the column {quoted(name)} of --target holds one class only, {shown(labels.names)}; "
            "there is nothing to tell apart",
            code="one-class-to-fit",
        )
    whole = all(WHOLE.fullmatch(text) for text in labels.names)
    if not whole:
        _refuse_fractions(name, labels.names)
    names = np.array([int(t) for t in labels.names] if whole else labels.names)
    return names[labels.codes], len(labels.names)


def _refuse_fractions(name: str, classes: Sequence[str]) -> None:
    """Refuse numbers of which some are fractions; a text file does not tell them from names."""
    if not all(map(reads_as_number, classes)):
        return
    fractions = [text for text in classes if not float(text).is_integer()]
    if fractions:
        raise InputError(
            f"column {quoted(name)} holds the fraction {fractions[0]}; a classifier predicts "
            "classes, so name another column with --target, or cut the numbers into classes first",
            code="no-class",
        )


def _group_of_rows(name: str, column: "pa.ChunkedArray") -> NDArray[Any]:
    """Return the group of each row; a missing one is refused with its row."""
    from plumbline.predictions import Labels

    return Labels.of(name, _values(column)).values()


def _times(name: str, column: "pa.ChunkedArray", text: bool) -> NDArray[Any]:
    """Return when each row was: numbers of a text file as numbers, all else as it is."""
    from plumbline.validation.dataset import times_of

    numbers = _as_numbers(column) if text and _is_text(column.type) else None
    values = _values(column) if numbers is None else numbers
    try:
        times_of(values)
    except InputError as error:
        raise InputError(
            f"column {quoted(name)} of --time: {error}", code=error.code, rows=error.rows
        ) from error
    return values


# ---------------------------------------------------------------- one column


def _feature(name: str, column: "pa.ChunkedArray", text: bool) -> FeatureColumn:
    import pyarrow as pa

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_boolean(kind) or _is_number(kind):
        return FeatureColumn(name, _numbers(name, column.cast(kind)), category=False)
    if not _is_text(kind):
        raise InputError(
            f"column {quoted(name)} holds {_called(kind)}, which no classifier takes as it is: "
            f"{_in_order(kind, name)}leave it out (--drop {name}), keep it beside the predictions "
            f"(--keep {name}), or write what matters of it as a number or a category",
            code="unusable-feature",
        )
    if text:
        numbers = _as_numbers(column)
        if numbers is not None:
            return FeatureColumn(name, numbers, category=False)
    values = _values(column.cast(kind))
    _warn_of_spoilt_numbers(name, values)
    return FeatureColumn(name, values, category=True)


def _is_number(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return any(test(kind) for test in tests)


def _is_text(kind: "pa.DataType") -> bool:
    import pyarrow as pa

    return kind in (pa.string(), pa.large_string(), pa.string_view())


def _called(kind: "pa.DataType") -> str:
    import pyarrow as pa

    return "dates or times" if pa.types.is_temporal(kind) else f"values of the type {kind}"


def _in_order(kind: "pa.DataType", name: str) -> str:
    """Say what to do with dates where the model is to predict what comes later."""
    import pyarrow as pa

    dated = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
    return f"test on later rows (--time {name} --scheme time-series:5), " if dated else ""


def _numbers(name: str, column: "pa.ChunkedArray") -> NDArray[np.float64]:
    """Return numbers as float64, a missing one as NaN; infinite ones are refused."""
    import pyarrow as pa

    from plumbline.predictions.labels import named_rows

    values = np.asarray(column.cast(pa.float64()).fill_null(np.nan).to_numpy(), dtype=np.float64)
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        raise InputError(
            f"column {quoted(name)} is infinite in {named_rows(infinite)}; write the largest "
            "sensible number, or leave the cell empty if it is unknown",
            code="unusable-feature",
            rows=infinite,
        )
    return values


def _as_numbers(column: "pa.ChunkedArray") -> NDArray[np.float64] | None:
    """Return a column of a text file as numbers, if it holds nothing else.

    Text files are read with columns such as `model` and `fold` as text, for in a prediction table
    they are names; among features they may well be numbers.
    """
    import pyarrow as pa

    try:
        return np.asarray(column.cast(pa.float64()).fill_null(np.nan).to_numpy())
    except pa.ArrowInvalid:
        return None


def _values(column: "pa.ChunkedArray") -> NDArray[Any]:
    """Return a column as plain values; a missing one, also an empty text, as None."""
    values = column.to_pylist()
    whole = np.empty(len(values), dtype=object)
    whole[:] = [None if value == "" else value for value in values]
    return whole


def _warn_of_spoilt_numbers(name: str, values: NDArray[Any]) -> None:
    """Warn of numbers that became categories by a few other words, such as "?"."""
    there = [value for value in values if value is not None]
    words = {value for value in set(there) if not reads_as_number(value)}
    spoilt = sum(value in words for value in there)
    if words and len(words) <= 3 and spoilt <= (1 - MOSTLY) * len(there):
        warning = PlumblineWarning(
            f"column {quoted(name)} is read as categories, because of {shown(sorted(words))} among "
            f"numbers in {counted(spoilt, 'row')}; leave these cells empty if they mean that the "
            "value is missing",
            code="numbers-as-categories",
        )
        warnings.warn(warning, stacklevel=2)


def described(rows: LearningData) -> str:
    """Say in one line what was read.

    >>> described(
    ...     LearningData(
    ...         (FeatureColumn("x", np.zeros(3), False),),
    ...         np.array([0, 1, 1]),
    ...         2,
    ...         None,
    ...         None,
    ...         {},
    ...         (),
    ...         {},
    ...     )
    ... )
    '3 rows, 1 feature, 2 classes'
    """
    parts = [(rows.n, "row"), (len(rows.features), "feature"), (rows.classes, "class")]
    text = ", ".join(counted(count, noun) for count, noun in parts)
    if rows.groups is not None:
        text += f", {counted(len(set(rows.groups.tolist())), 'group')}"
    return text


def need_listed(option: str, text: str | None) -> tuple[str, ...]:
    """Return the names between commas.

    >>> need_listed("--drop", "id, when")
    ('id', 'when')
    """
    if text is None:
        return ()
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise ParameterError(
            f"{option} must list columns, like A,B, got {shorten(text)}", code="wrong-kind"
        )
    return names


WAYS = ("auto", "scale", "none")
MOST_CATEGORIES = 50  # columns that a category becomes; rarer values share one
MODEL = "model"  # the step of the pipeline that is the user's own
PREFIX = f"{MODEL}__"


def prepared(model: Any, rows: "LearningData", way: str) -> Any:
    """Return a pipeline that makes the features fit for the model, or the model if they are.

    Everything it learns (medians, categories, means and deviations) it learns from the training
    part alone, as part of what is fitted.
    """
    kinds = _kinds(rows, way)
    if not kinds:
        return model
    pipeline = need_extra("sklearn.pipeline", "sklearn", "plumbline estimate")
    steps = _of_table(rows, kinds) if "categories" in kinds else _of_numbers(kinds)
    return pipeline.Pipeline([*steps, (MODEL, model)])


def needs_preparing(rows: "LearningData", way: str) -> bool:
    """Tell whether anything happens to the features."""
    return bool(_kinds(rows, way))


def _kinds(rows: "LearningData", way: str) -> list[str]:
    """Return what is done: "categories", "missing", "scale"."""
    text = [column for column in rows.features if column.category]
    if way == "none":
        if text:
            names = [column.name for column in text]
            raise ParameterError(
                f"--preprocess none leaves features as they are, but {shown(names)} hold text, "
                "which no classifier takes; use --preprocess auto, or --drop them",
                code="text-unprepared",
            )
        return []
    numbers = [column for column in rows.features if not column.category]
    known = {
        "categories": bool(text),
        "missing": any(column.missing for column in numbers),
        "scale": way == "scale" and bool(numbers),
    }
    return [name for name, applies in known.items() if applies]


def _of_table(rows: "LearningData", kinds: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the step that treats numbers and categories apart."""
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline

    places = {
        flag: [i for i, column in enumerate(rows.features) if column.category is flag]
        for flag in (False, True)
    }
    numbers = Pipeline(_of_numbers([*kinds, "missing"]))  # filling makes floats of objects, too
    parts = [("numbers", numbers, places[False]), ("categories", _of_categories(), places[True])]
    both = [part for part in parts if part[2]]
    return [("prepare", ColumnTransformer(both, sparse_threshold=0))]


def _of_numbers(kinds: Sequence[str]) -> list[tuple[str, Any]]:
    """Return the steps that fill missing numbers with the median, and standardise."""
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import StandardScaler

    known = {
        "missing": ("fill", SimpleImputer(strategy="median", keep_empty_features=True)),
        "scale": ("scale", StandardScaler()),
    }
    return [step for kind, step in known.items() if kind in kinds]


def _of_categories() -> Any:
    """Return what makes a column of 0 and 1 of each category; a missing one is one too."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    return make_pipeline(
        SimpleImputer(missing_values=None, strategy="constant", fill_value="(missing)"),
        OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            max_categories=MOST_CATEGORIES,
            sparse_output=False,
        ),
    )


def preparation_text(rows: "LearningData", way: str) -> str:
    """Say in one sentence what happens to the features."""
    kinds = _kinds(rows, way)
    parts = []
    text = [column for column in rows.features if column.category]
    numbers = [column for column in rows.features if not column.category]
    if "categories" in kinds:
        parts.append(f"{counted(len(text), 'text feature')} one-hot encoded ({_names(text)})")
    if "missing" in kinds:
        holes = [column for column in numbers if column.missing]
        count = counted(sum(column.missing for column in holes), "missing number")
        parts.append(f"{count} replaced by the median ({_names(holes)})")
    if "scale" in kinds:
        parts.append(f"{counted(len(numbers), 'number')} standardised")
    if rows.empty:
        parts.append(f"left out as empty: {shown(rows.empty)}")
    where = ", inside each training part" if kinds else ""
    return f"{'; '.join(parts)}{where}" if parts else "taken as they are"


def _names(columns: Sequence["FeatureColumn"]) -> str:
    return shown([column.name for column in columns], 6).replace("'", "")
