"""Plumbline's results, predictions and chosen rows as tables of Orange."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    TimeVariable,
    Variable,
)
from Orange.evaluation import Results

import plumbline as pb

MOST_VALUES = 20  # distinct texts of a categorical variable; a column of more is a text


def to_table(source: Any, name: str = "") -> Table:
    """Return what a result gives as a table of Orange.

    Numbers become numeric variables, few distinct texts a categorical one, many a text among the
    metas, and dates a time. None, NaN and infinite numbers are missing values.

    Parameters
    ----------
    source : a data frame such as `to_frame()` gives, rows such as `rows()` gives, or columns by
        name
    name : name of the table
    """
    columns = _columns(source)
    variables = {key: _variable(key, values) for key, values in columns.items()}
    metas = [one for one in variables.values() if one.is_string]
    features = [one for one in variables.values() if not one.is_string]
    return _filled(Domain(features, metas=metas), columns, name)


def predictions_table(data: pb.Predictions, name: str = "Predictions") -> Table:
    """Return predictions as a plain table: one row for each example and model.

    The class is `actual`; features are the attributes; metas are `predicted`, one column
    `p:CLASS` per class, and `model`, `fold`, `repeat`, `row` and `weight` where there are any.
    `Predictions.from_orange` reads it back.
    """
    columns = _columns(data.to_frame())
    actual = DiscreteVariable("actual", values=data.classes)
    classes = np.array(data.classes, object)
    columns["actual"] = classes[data.actual]
    own: list[Variable] = []
    if data.prob is not None or data.label is not None:
        columns["predicted"] = classes[data.predicted]
        own.append(DiscreteVariable("predicted", values=data.classes))
    own += [ContinuousVariable(key) for key in columns if key.startswith(("p:", "score:"))]
    labels = {"model": data.model, "fold": data.fold, "repeat": data.repeat}
    for key, column in labels.items():
        if column is not None:
            own.append(DiscreteVariable(key, values=column.names))
            columns[key] = np.array(column.names, object)[column.codes]
    own += [_variable(key, columns[key]) for key in ("row", "weight", "score") if key in columns]
    taken = {"actual", *(variable.name for variable in own)}
    rest = [_variable(key, values) for key, values in columns.items() if key not in taken]
    features = [variable for variable in rest if not variable.is_string]
    texts = [variable for variable in rest if variable.is_string]
    return _filled(Domain(features, actual, [*own, *texts]), columns, name)


def selected_rows(source: Results | Table | None, rows: Iterable[int]) -> Table | None:
    """Return rows of the data that were evaluated, each once, in the order of the data.

    None where there are no rows, or where the results hold no data; then send
    `predictions_table` of the chosen predictions.

    Parameters
    ----------
    source : the evaluation results or the table of the input
    rows : the numbers in column `row` of the predictions of `Predictions.from_orange(source)`
    """
    data = source.data if isinstance(source, Results) else source
    wanted = np.unique(np.asarray(list(rows)))
    if data is None or not len(wanted):
        return None
    if data is source and _is_plain(data):
        wanted = np.flatnonzero(np.isin(data.get_column("row"), wanted))
    return data[wanted.astype(int)]


def _is_plain(table: Table) -> bool:
    """Whether a table is one of `predictions_table`, whose rows have numbers of their own."""
    names = [variable.name for variable in (*table.domain.variables, *table.domain.metas)]
    return "row" in names and any(name.startswith(("p:", "y_prob")) for name in names)


def _columns(source: Any) -> dict[str, Sequence[Any]]:
    if isinstance(source, Mapping):
        return {str(key): list(values) for key, values in source.items()}
    if hasattr(source, "columns"):
        frame = nw.from_native(source, eager_only=True)
        return {key: _values(frame[key]) for key in frame.columns}
    rows = list(source)
    keys = dict.fromkeys(str(key) for row in rows for key in row)
    return {key: [row.get(key) for row in rows] for key in keys}


def _values(column: Any) -> Sequence[Any]:
    """Return the values of a column of a frame; an array of those that are all numbers."""
    plain = column.dtype.is_numeric() and not column.is_null().any()
    return column.to_numpy() if plain else column.to_list()


def _variable(name: str, values: Sequence[Any]) -> Variable:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf" and len(values):
        whole = {} if values.dtype.kind == "f" else {"number_of_decimals": 0}
        return ContinuousVariable(name, **whole)
    present = [value for value in values if value is not None]
    kinds = {type(value) for value in present}
    if all(issubclass(kind, (bool, np.bool_)) for kind in kinds) and kinds:
        return DiscreteVariable(name, values=("no", "yes"))
    if all(issubclass(kind, (int, np.integer)) for kind in kinds) and kinds:
        return ContinuousVariable(name, number_of_decimals=0)
    if all(issubclass(kind, (int, float, np.number)) for kind in kinds):
        return ContinuousVariable(name)
    if all(hasattr(value, "isoformat") or isinstance(value, np.datetime64) for value in present):
        times = any(hasattr(v, "hour") or isinstance(v, np.datetime64) for v in present)
        return TimeVariable(name, have_date=1, have_time=int(times))
    texts = {str(value) for value in present}
    if len(texts) > MOST_VALUES:
        return StringVariable(name)
    return DiscreteVariable(name, values=tuple(sorted(texts, key=_natural)))


def _natural(text: str) -> tuple[float, str]:
    """Sort "fold 2" as text, but "2" before "10"."""
    return (float(text), text) if text.isdecimal() else (np.inf, text)


def _filled(domain: Domain, columns: Mapping[str, Sequence[Any]], name: str) -> Table:
    n = len(next(iter(columns.values()), ()))

    def block(variables: Sequence[Variable], kind: type) -> Any:
        values = np.empty((n, len(variables)), kind)
        for place, variable in enumerate(variables):
            values[:, place] = _numbers(variable, columns[variable.name])
        return values

    metas = block(domain.metas, object if any(v.is_string for v in domain.metas) else float)
    x, y = block(domain.attributes, float), block(domain.class_vars, float)
    table = Table.from_numpy(domain, x, y, metas)
    table.name = name or "untitled"
    return table


def _numbers(variable: Variable, values: Sequence[Any]) -> Any:
    """Return the values as Orange keeps them: numbers, codes, seconds, texts."""
    if isinstance(variable, TimeVariable):
        return [_seconds(value) for value in values]
    if variable.is_discrete:
        return _codes(variable, values)
    if variable.is_string:
        return ["" if value is None else str(value) for value in values]
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        numbers = values.astype(float)
    else:
        numbers = np.array([np.nan if value is None else value for value in values], float)
    return np.where(np.isinf(numbers), np.nan, numbers)


def _codes(variable: DiscreteVariable, values: Sequence[Any]) -> Any:
    """Return the places of values among those of a variable."""
    code = {text: float(place) for place, text in enumerate(variable.values)}
    truths = {False: "no", True: "yes"}
    places, distinct = pd.factorize(np.array([*values, None], object)[:-1])  # missing: -1
    texts = [truths[bool(v)] if isinstance(v, (bool, np.bool_)) else str(v) for v in distinct]
    return np.array([*(code[text] for text in texts), np.nan])[places]


def _seconds(value: Any) -> float:
    if value is None:
        return np.nan
    day = np.datetime64(value.replace(tzinfo=None) if getattr(value, "tzinfo", None) else value)
    return np.nan if np.isnat(day) else day.astype("datetime64[us]").astype("int64") / 1e6
