"""Predictions from Orange: evaluation results, tables of its widgets, and any other tables.

Orange itself is not imported: its objects are read by their attributes. Results and the columns
`MODEL (CLASS)` that its widgets add are read here; of other tables `roles` says what columns mean.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plumbline._checks import shown
from plumbline.errors import InputError, warn
from plumbline.formatting import counted, quoted
from plumbline.predictions.arrays import MARKS, RESERVED, ArgumentNames, checked_columns
from plumbline.predictions.columns import fields_of_frame
from plumbline.predictions.labels import Array, Ints
from plumbline.predictions.probabilities import Floats
from plumbline.roles import UnclearColumns, columns_of
from plumbline.roles.reading import DROP

PROB = "p:"
MOST_CELLS = 10_000_000  # of sparse features, which attributes would hold as full columns
CATEGORICAL = "choose a categorical target in Orange's widget Select Columns"


@dataclass(slots=True)
class _Model:
    """What one model says of the n rows."""

    name: str
    prob: Floats | None
    predicted: Floats | None = None


@dataclass(slots=True)
class _Evaluated:
    """What results and tables of Orange have in common, before rows are left out."""

    classes: tuple[str, ...]
    actual: Floats
    models: list[_Model]
    columns: dict[str, Array] = field(default_factory=dict)
    attributes: dict[str, Array] = field(default_factory=dict)


def fields_of_orange(source: Any) -> dict[str, Any]:
    """Return the fields of predictions that results or a table of Orange hold."""
    if hasattr(source, "probabilities") and hasattr(source, "actual"):
        return _fields(_of_results(source))
    if not (hasattr(source, "domain") and hasattr(source, "metas")):
        raise InputError(
            f"expected Orange's evaluation results or a table, got {type(source).__name__}",
            code="not-of-orange",
        )
    evaluated = _of_widget(source)
    return _fields_of_plain(source) if evaluated is None else _fields(evaluated)


def _class_variable(domain: Any) -> Any:
    """Return the target, None where there is none."""
    several = getattr(domain, "class_vars", None) or ()
    if len(several) > 1:
        raise InputError(
            f"Orange's data have {len(several)} class variables "
            f"({shown(one.name for one in several)}), but an evaluation takes one",
            code="several-class-variables",
            remedy="choose one as the target in Orange's widget Select Columns",
        )
    return getattr(domain, "class_var", None)


def _class_values(domain: Any) -> tuple[str, ...]:
    variable = _class_variable(domain)
    if variable is None:
        raise InputError(
            "Orange's data have no class variable", code="no-class-variable", remedy=CATEGORICAL
        )
    if not variable.is_discrete:
        raise _numeric_target(variable)
    return tuple(variable.values)


def _numeric_target(variable: Any) -> InputError:
    return InputError(
        f"the target {quoted(variable.name)} is numeric, but Plumbline evaluates classifiers",
        code="numeric-target",
        remedy=CATEGORICAL,
    )


# -------------------------------------------------------------------- evaluation results


def _of_results(results: Any) -> _Evaluated:
    classes = _class_values(results.domain)
    n = len(results.actual)
    places = results.row_indices if results.row_indices is not None else np.arange(n)
    columns: dict[str, Array] = {"row": np.asarray(places)}
    folds = [] if results.folds is None else list(results.folds)
    fold = np.zeros(n, int)
    for place, rows in enumerate(folds):  # slices, arrays, lists, numbers or an Ellipsis
        fold[rows] = place
    if 1 < len(folds) < n:  # folds of a single row (leave-one-out) show no spread
        columns["fold"] = fold
    attributes: dict[str, Array] = {}
    if results.data is not None:
        table = results.data[places]
        attributes = table_attributes(table, table.domain.attributes, table.domain.metas)
        columns |= _weights(table)
    return _Evaluated(
        classes, np.asarray(results.actual, float).ravel(), _models(results), columns, attributes
    )


def _models(results: Any) -> list[_Model]:
    """Return the models that did not fail; what others predicted was never filled in."""
    names = model_names(results)
    failed = [False] * len(names) if results.failed is None else list(results.failed)
    errors = [name for name, error in zip(names, failed, strict=True) if error]
    if errors:
        warn(
            f"{counted(len(errors), 'model')} failed in Orange and "
            f"{'is' if len(errors) == 1 else 'are'} left out: {shown(errors)}",
            code="failed-models",
        )
    prob = None if results.probabilities is None else np.asarray(results.probabilities, float)
    predicted = None if results.predicted is None else np.asarray(results.predicted, float)
    return [
        _Model(
            name,
            None if prob is None else prob[place],
            None if predicted is None else predicted[place],
        )
        for place, name in enumerate(names)
        if not failed[place]
    ]


def model_names(results: Any) -> list[str]:
    """Return a name for each method: those set from outside, of its learners, of its models."""
    given = results.probabilities if results.predicted is None else results.predicted
    methods = 0 if given is None else len(given)
    names = getattr(results, "learner_names", None)
    if names is None and results.learners is not None:
        names = [getattr(learner, "name", "") for learner in results.learners]
    if names is None and results.models is not None and len(results.models):
        names = [getattr(model, "name", "") for model in results.models[0]]
    if names is None or len(names) != methods:
        names = [""] * methods
    return distinct([str(name) or f"#{place + 1}" for place, name in enumerate(names)])


def distinct(names: Sequence[str]) -> list[str]:
    """Number names that occur more than once.

    >>> distinct(["tree", "bayes", "tree"])
    ['tree (1)', 'bayes', 'tree (2)']
    """
    taken, result = set(names), []
    for place, name in enumerate(names):
        own, number = name, names[:place].count(name)
        while names.count(name) > 1 and (own in taken):
            number += 1
            own = f"{name} ({number})"
        taken.add(own)
        result.append(own)
    return result


# ------------------------------------------------------------------ tables of widgets


def _of_widget(table: Any) -> _Evaluated | None:
    """Read the columns that Orange's Predictions and Test and Score add: MODEL, MODEL (CLASS).

    None of a table without them, or with columns `p:CLASS` of its own.
    """
    variable = _class_variable(table.domain)
    variables = [*table.domain.attributes, *table.domain.metas]
    named = {one.name: one for one in variables}
    own = any(name.startswith(PROB) for name in named)
    if own or variable is None or not variable.is_discrete:
        return None
    classes = tuple(variable.values)
    models, used = _models_of(table, named, classes)
    if not models:
        return None
    columns: dict[str, Array] = {"row": _first_places(table.ids), **_weights(table)}
    for one in variables:  # Test and Score adds the folds
        fold = re.fullmatch(r"Fold( \(\d+\))?", one.name) and one.is_discrete
        if fold and None not in (values := _column(table, one)):
            columns["fold"] = values
            used.add(one.name)
    rest = [
        [v for v in part if v.name not in used]
        for part in (table.domain.attributes, table.domain.metas)
    ]
    actual = np.asarray(table.Y, float).ravel()
    return _Evaluated(classes, actual, models, columns, table_attributes(table, *rest))


def _models_of(
    table: Any, named: Mapping[str, Any], classes: Sequence[str]
) -> tuple[list[_Model], set[str]]:
    values = "|".join(re.escape(name) for name in sorted(classes, key=len, reverse=True))
    pattern = re.compile(rf"(.*?) \(({values})\)( \(\d+\))?", re.DOTALL)
    found: dict[str, dict[str, str]] = {}
    for name, variable in named.items():
        match = pattern.fullmatch(name)
        if match and variable.is_continuous:
            found.setdefault(match[1] + (match[3] or ""), {})[match[2]] = name
    models, used = [], set()
    for model, columns in found.items():
        prob = _probabilities(table, classes, columns)
        if prob is None:
            continue
        used |= set(columns.values())
        label = named.get(model)
        predicted = None
        if label is not None and label.is_discrete:
            predicted = _codes_of(table, label, classes)
            used |= {model, f"{model} (error)"}
        models.append(_Model(model, prob, predicted))
    return models, used


def _probabilities(table: Any, classes: Sequence[str], columns: Mapping[str, str]) -> Floats | None:
    """Return a column per class; of two classes one is enough."""
    given = {name: np.asarray(table.get_column(column), float) for name, column in columns.items()}
    if len(classes) == 2 and len(given) == 1:
        name = next(iter(given))
        given[next(other for other in classes if other != name)] = 1 - given[name]
    if len(given) < len(classes):
        return None
    return np.column_stack([given[name] for name in classes])


def _codes_of(table: Any, variable: Any, classes: Sequence[str]) -> Floats:
    """Return the predicted classes by their places in `classes`; NaN for others."""
    code = {name: float(place) for place, name in enumerate(classes)}
    return np.array([code.get(text, np.nan) for text in _column(table, variable)], float)


def _first_places(ids: Any) -> Ints:
    """Return for each row the first row of the same example: a table may repeat examples."""
    _, first, which = np.unique(np.asarray(ids), return_index=True, return_inverse=True)
    return np.asarray(first[which])


# ------------------------------------------------------------------- any other table


def _fields_of_plain(table: Any) -> dict[str, Any]:
    """Return the fields of a table that is read as it would be from a file.

    Orange's target holds the true classes. Rows are numbered as in the table, unless its columns
    name them; those without a value in a column that plays a part are left out.
    """
    import pyarrow as pa

    target = _class_variable(table.domain)
    variables = [*_features(table, table.domain.attributes), *([] if target is None else [target])]
    columns = {one.name: _column(table, one) for one in (*variables, *table.domain.metas)}
    if "weight" not in columns:
        columns |= _weights(table)
    frame = pa.table({name: _arrow(values) for name, values in columns.items()})
    if target is not None and not columns_of(frame.select([target.name]))[0].labels:
        raise _numeric_target(target)
    actual = None if target is None else target.name
    try:
        fields = fields_of_frame(
            frame, actual=actual, missing=DROP, numbers=_first_places(table.ids)
        )
    except UnclearColumns as error:
        raise _unclear(table, target, error) from error
    known = {*fields["classes"], *([] if actual is None else columns[actual])}
    unread = [name for name in getattr(target, "values", None) or () if name not in known]
    if unread:
        raise InputError(
            f"the target {quoted(actual)} has the class {quoted(unread[0])}, which no row and no "
            "column of probabilities has",
            code="class-without-column",
            remedy="name a column of probabilities after it, or remove unused values with Orange's "
            "widget Purge Domain",
        )
    reading = fields["reading"]
    if reading.left_out:
        warn(
            f"left out {counted(reading.left_out, 'row')} without a value in a column that plays "
            "a part",
            code="rows-left-out",
        )
    if not reading.is_plain:
        warn(f"{replace(reading, left_out=0)}", code="read-as")
    return fields


def _arrow(values: Array) -> Any:
    import pyarrow as pa

    return pa.array(values, None if values.dtype != object else pa.string())


def _unclear(table: Any, target: Any, error: UnclearColumns) -> InputError:
    """Return why a table of Orange is not read, with what Orange's widgets can change."""
    if len(error.readings) > 1:
        several = "; or ".join(str(one).removeprefix("Read: ") for one in error.readings)
        return InputError(
            f"{error.text}: {several}",
            code=error.code,
            remedy="leave out columns that play no part in Orange's widget Select Columns",
        )
    if target is None:
        return InputError(
            f"Orange's data have no class variable, and {error.text}",
            code="no-class-variable",
            remedy=CATEGORICAL,
        )
    names = shown([PROB + str(name) for name in getattr(target, "values", None) or ("CLASS",)])
    return InputError(
        f"no columns of probabilities are recognised in {quoted(str(table.name))}: {error.text}",
        code="no-probabilities",
        remedy="have Orange's widget Predictions show the probabilities of all classes, or name "
        f"the columns {names}",
    )


# ------------------------------------------------------------------ columns of a table


def table_attributes(table: Any, features: Iterable[Any], metas: Iterable[Any]) -> dict[str, Array]:
    """Return features and meta attributes of a table of Orange as columns by name."""
    columns = {one.name: _column(table, one) for one in (*_features(table, features), *metas)}
    return _renamed(columns)


def _features(table: Any, features: Iterable[Any]) -> list[Any]:
    """Return features, none where they are sparse and too many to be held as full columns."""
    features = list(features)
    if not isinstance(table.X, np.ndarray) and len(features) * len(table.Y) > MOST_CELLS:
        warn(
            f"{len(features):,} sparse features are left out, as full columns would be too large",
            code="sparse-features",
            remedy="choose those that formulas need in Orange's widget Select Columns",
        )
        return []
    return features


def _renamed(columns: dict[str, Array]) -> dict[str, Array]:
    """Give attributes another name where theirs has a meaning of its own here."""
    names = {
        name: f"{name.replace(':', ' ')} (data)"
        for name in columns
        if name in RESERVED or name.startswith(MARKS)
    }
    for name in names:
        while names[name] in columns:
            names[name] += "*"
    if names:
        pairs = ", ".join(f"{quoted(old)} as {quoted(new)}" for old, new in names.items())
        warn(
            f"attributes with names of another meaning are renamed: {pairs}",
            code="attributes-renamed",
        )
    return {names.get(name, name): values for name, values in columns.items()}


def _column(table: Any, variable: Any) -> Array:
    """Return a column: texts of categories, numbers, dates, or texts; None where missing."""
    values = table.get_column(variable)
    if variable.is_discrete:
        texts = np.array([*variable.values, None], dtype=object)
        codes = np.asarray(values, float)
        return np.asarray(texts[np.where(np.isnan(codes), -1, codes).astype(int)])
    if variable.is_continuous:
        numbers = np.asarray(values, float)
        if getattr(variable, "is_time", False) and getattr(variable, "have_date", True):
            return _dates(numbers)
        return numbers
    strings = [None if _absent(value) else str(value) for value in values]
    return np.array(strings, dtype=object)


def _absent(value: Any) -> bool:
    return value is None or value == "" or value != value


def _dates(seconds: Floats) -> Array:
    """Return seconds since 1970 as dates."""
    known = np.isfinite(seconds)
    micros = np.round(np.where(known, seconds, 0) * 1e6).astype("int64")
    return np.where(known, micros.astype("datetime64[us]"), np.datetime64("NaT", "us"))


def _weights(table: Any) -> dict[str, Array]:
    return {"weight": np.asarray(table.W, float).ravel()} if table.has_weights() else {}


# ------------------------------------------------------------------------- all models


def _fields(read: _Evaluated) -> dict[str, Any]:
    """Return the checked fields of all models."""
    names = ArgumentNames(actual="actual", prob="probabilities")
    return checked_columns(**_arguments(read), normalize=None, argument_names=names)


def _arguments(read: _Evaluated) -> dict[str, Any]:
    """Put the rows of all models below each other, without those that cannot be evaluated."""
    if not read.models:
        raise InputError("Orange's results have no model that predicts", code="no-models")
    known = ~np.isnan(read.actual)
    if not known.all():
        rows = np.flatnonzero(~known)
        warn(
            f"left out {counted(len(rows), 'row')} without an observed class",
            code="no-observed-class",
            rows=rows,
        )
    labels_alone = any(model.prob is None for model in read.models)
    kept = [known & _predicted_rows(model, known) for model in read.models]
    sizes = [int(rows.sum()) for rows in kept]
    if not any(sizes):
        raise InputError("no row has both an observed class and a prediction", code="empty")

    def stacked(values: Any) -> Any:
        return np.concatenate([np.asarray(values)[rows] for rows in kept])

    names = np.array(read.classes, dtype=object)
    columns = {name: stacked(values) for name, values in _with_repeats(read.columns).items()}
    if any(model.name for model in read.models):
        models = np.array([model.name for model in read.models], dtype=object)
        columns["model"] = np.repeat(models, sizes)
    prob = None
    if not labels_alone:
        probs = [model.prob for model in read.models if model.prob is not None]
        prob = np.concatenate([p[rows] for p, rows in zip(probs, kept, strict=True)])
    pairs = zip(read.models, kept, strict=True)
    codes = [_predicted(model)[rows] for model, rows in pairs]
    named = any(model.predicted is not None for model in read.models)
    return {
        "y_true": names[stacked(read.actual).astype(int)],
        "y_prob": prob,
        "classes": list(read.classes),
        "predicted": names[np.concatenate(codes)] if named else None,
        "attributes": {name: stacked(values) for name, values in read.attributes.items()},
        **columns,
    }


def _predicted_rows(model: _Model, known: Array) -> Array:
    """Tell which rows have a prediction; warn of those that have none."""
    given = model.predicted if model.prob is None else model.prob
    if given is None:
        return np.zeros(len(known), bool)
    fine = ~np.isnan(given if given.ndim == 1 else given.sum(axis=1))
    rows = np.flatnonzero(known & ~fine)
    if len(rows):
        of = f" by model {quoted(model.name)}" if model.name else ""
        warn(
            f"left out {counted(len(rows), 'row')} without a prediction{of}",
            code="no-prediction",
            rows=rows,
        )
    return np.asarray(fine)


def _predicted(model: _Model) -> Ints:
    """Return the predicted classes; the most likely one where the model names none."""
    if model.prob is None:
        return np.asarray(np.nan_to_num(np.asarray(model.predicted, float)), np.int64)
    likeliest = np.nan_to_num(model.prob, nan=-1).argmax(axis=1)
    if model.predicted is None:
        return np.asarray(likeliest)
    unknown = np.isnan(model.predicted)
    return np.where(unknown, likeliest, np.nan_to_num(model.predicted)).astype(int)


def _with_repeats(columns: dict[str, Array]) -> dict[str, Array]:
    """Number the rows of one example within a model and fold, where there are several."""
    if "repeat" in columns:
        return columns
    key = np.zeros(len(columns["row"]), np.int64)
    for name in ("row", "model", "fold"):
        if name in columns:
            values = columns[name]
            texts = values.astype(str) if values.dtype == object else values
            _, codes = np.unique(texts, return_inverse=True)
            _, key = np.unique(key * (codes.max(initial=0) + 1) + codes, return_inverse=True)
    order = np.argsort(key, kind="stable")
    places = np.arange(len(order))
    new = np.diff(key[order], prepend=-1) > 0
    number = np.empty(len(order), np.int64)
    number[order] = places - np.maximum.accumulate(np.where(new, places, 0))
    return {**columns, "repeat": number} if number.any() else columns
