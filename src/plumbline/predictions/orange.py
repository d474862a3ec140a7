"""Predictions from Orange: evaluation results, and tables with columns of probabilities.

Orange itself is not imported: its objects are read by their attributes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._checks import shown
from plumbline.errors import InputError, warn
from plumbline.formatting import counted, quoted
from plumbline.predictions.arrays import MARKS, RESERVED
from plumbline.predictions.labels import Array, Ints
from plumbline.predictions.probabilities import Floats

PROB = "p:"
MOST_CELLS = 10_000_000  # of sparse features, which attributes would hold as full columns
OWN = ("model", "fold", "repeat", "row", "weight")  # columns of a plain prediction table


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


def orange_columns(source: Any) -> dict[str, Any]:
    """Return the arguments of `Predictions.from_arrays` for results or a table of Orange."""
    if hasattr(source, "probabilities") and hasattr(source, "actual"):
        return _arguments(_of_results(source))
    if hasattr(source, "domain") and hasattr(source, "metas"):
        return _arguments(_of_table(source))
    raise InputError(
        f"expected Orange's evaluation results or a table, got {type(source).__name__}",
        code="not-of-orange",
    )


def _class_values(domain: Any) -> tuple[str, ...]:
    several = getattr(domain, "class_vars", None) or ()
    if len(several) > 1:
        raise InputError(
            f"Orange's data have {len(several)} class variables "
            f"({shown(one.name for one in several)}), but an evaluation takes one",
            code="several-class-variables",
            remedy="choose one as the target in Orange's widget Select Columns",
        )
    variable = getattr(domain, "class_var", None)
    if variable is None:
        raise InputError(
            "Orange's data have no class variable",
            code="no-class-variable",
            remedy="choose a categorical target in Orange's widget Select Columns",
        )
    if not variable.is_discrete:
        raise InputError(
            f"the target {quoted(variable.name)} is numeric, but Plumbline evaluates classifiers",
            code="numeric-target",
            remedy="choose a categorical target in Orange's widget Select Columns",
        )
    return tuple(variable.values)


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


# ---------------------------------------------------------- tables with probabilities


def _of_table(table: Any) -> _Evaluated:
    classes = _class_values(table.domain)
    variables = [*table.domain.attributes, *table.domain.metas]
    named = {variable.name: variable for variable in variables}
    own = [name for name in named if name.startswith(PROB)]
    models, used = _plain_model(table, classes, own) if own else _models_of(table, named, classes)
    columns: dict[str, Array] = {"row": _first_places(table.ids), **_weights(table)}
    if own:
        columns |= {name: _whole(_column(table, named[name])) for name in OWN if name in named}
        used |= set(OWN)
    else:  # Test and Score adds the folds
        for variable in variables:
            fold = re.fullmatch(r"Fold( \(\d+\))?", variable.name) and variable.is_discrete
            if fold and None not in (values := _column(table, variable)):
                columns["fold"] = values
                used.add(variable.name)
    rest = [
        [v for v in part if v.name not in used]
        for part in (table.domain.attributes, table.domain.metas)
    ]
    actual = np.asarray(table.Y, float).ravel()
    return _Evaluated(classes, actual, models, columns, table_attributes(table, *rest))


def _plain_model(
    table: Any, classes: Sequence[str], own: Sequence[str]
) -> tuple[list[_Model], set[str]]:
    """Read the columns `p:CLASS`; rows name their model in a column of their own."""
    unknown = [name for name in own if name.removeprefix(PROB) not in classes]
    if unknown:
        raise InputError(
            f"column {quoted(unknown[0])} names no class of the target; the classes are "
            f"{shown(classes)}",
            code="column-of-no-class",
        )
    found = {name.removeprefix(PROB): name for name in own}
    prob = _probabilities(table, classes, found)
    if prob is None:
        missing = next(name for name in classes if name not in found)
        raise InputError(
            f"column {quoted(PROB + missing)} is missing: one column of probabilities per class",
            code="class-without-column",
        )
    predicted, used = None, set(own)
    for variable in (*table.domain.attributes, *table.domain.metas):
        if variable.name == "predicted" and variable.is_discrete:
            predicted = _codes_of(table, variable, classes)
            used.add("predicted")
    return [_Model("", prob, predicted)], used


def _models_of(
    table: Any, named: Mapping[str, Any], classes: Sequence[str]
) -> tuple[list[_Model], set[str]]:
    """Read the columns that Orange's Predictions and Test and Score add: MODEL, MODEL (CLASS)."""
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
    if not models:
        raise InputError(
            f"no columns of probabilities in {quoted(str(table.name))}",
            code="no-probabilities",
            remedy="have Orange's widget Predictions show the probabilities of all classes, or "
            f"name the columns {shown([PROB + name for name in classes])}",
        )
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


# ------------------------------------------------------------------ columns of a table


def table_attributes(table: Any, features: Iterable[Any], metas: Iterable[Any]) -> dict[str, Array]:
    """Return features and meta attributes of a table of Orange as columns by name."""
    features = list(features)
    if not isinstance(table.X, np.ndarray) and len(features) * len(table.Y) > MOST_CELLS:
        warn(
            f"{len(features):,} sparse features are left out, as full columns would be too large",
            code="sparse-features",
            remedy="choose those that formulas need in Orange's widget Select Columns",
        )
        features = []
    columns = {variable.name: _column(table, variable) for variable in (*features, *metas)}
    return _renamed(columns)


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


def _whole(values: Array) -> Array:
    """Return numbers that are all whole as integers, for they name rows and folds."""
    whole = values.dtype.kind == "f" and bool((values == np.floor(values)).all())
    return values.astype(np.int64) if whole else values


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
