"""Predictions from Orange: evaluation results, and tables with columns of probabilities."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from plumbline.errors import InputError
from plumbline.formatting import quoted


def orange_columns(source: Any) -> dict[str, Any]:
    """Return the arguments of `Predictions.from_arrays` for results or a table of Orange."""
    if hasattr(source, "probabilities") and hasattr(source, "actual"):
        return _of_results(source)
    if hasattr(source, "domain") and hasattr(source, "metas"):
        return _of_table(source)
    raise InputError(
        f"expected Orange's evaluation results or a table, got {type(source).__name__}",
        code="wrong-kind",
    )


def _class_values(domain: Any) -> tuple[str, ...]:
    variable = getattr(domain, "class_var", None)
    if variable is None or not variable.is_discrete:
        raise InputError(
            "Orange's data need one categorical class variable", code="no-class-variable"
        )
    return tuple(variable.values)


def model_names(results: Any) -> list[str]:
    """Return the names of the methods; they are set from outside and may be absent."""
    methods = len(results.predicted)
    names = getattr(results, "learner_names", None)
    if names is None and results.learners is not None:
        names = [getattr(learner, "name", "") for learner in results.learners]
    if names is None or len(names) != methods or len({*names, ""}) <= methods:
        names = [f"#{place + 1}" for place in range(methods)]
    return [str(name) for name in names]


def _of_results(results: Any) -> dict[str, Any]:
    classes = _class_values(results.domain)
    names = model_names(results)
    n, methods = len(results.actual), len(names)
    fold = np.zeros(n, int)
    folds = results.folds if results.folds is not None else ()
    for place, rows in enumerate(folds):
        fold[rows] = place
    actual = np.asarray(results.actual, float)
    every = {
        "row": np.asarray(results.row_indices if results.row_indices is not None else np.arange(n)),
        **({"fold": fold} if len(folds) > 1 else {}),
    }
    attributes: Mapping[str, Any] = {}
    if results.data is not None:
        table = results.data[results.row_indices]
        attributes = table_attributes(table)
        if table.has_weights():
            every["weight"] = np.asarray(table.W, float).ravel()
    prob = np.asarray(results.probabilities, float)
    kept = [~np.isnan(actual) & ~np.isnan(prob[m]).any(axis=1) for m in range(methods)]
    if not any(rows.any() for rows in kept):
        raise InputError(
            "Orange's results have no row with a class and probabilities", code="empty"
        )

    def stacked(values: Any) -> Any:
        return np.concatenate([np.asarray(values)[rows] for rows in kept])

    names_of = np.array(classes, dtype=object)
    predicted = np.concatenate([results.predicted[m][kept[m]] for m in range(methods)])
    return {
        "y_true": names_of[stacked(actual).astype(int)],
        "y_prob": np.concatenate([prob[m][kept[m]] for m in range(methods)]),
        "classes": list(classes),
        "predicted": None if np.isnan(predicted).any() else names_of[predicted.astype(int)],
        "model": np.repeat(np.array(names, dtype=object), [int(rows.sum()) for rows in kept]),
        "attributes": {name: stacked(values) for name, values in attributes.items()},
        **{name: stacked(values) for name, values in every.items()},
    }


def _of_table(table: Any) -> dict[str, Any]:
    raise InputError(
        f"no columns of probabilities in {quoted(table.name)}", code="no-probabilities"
    )


def table_attributes(table: Any) -> dict[str, Any]:
    """Return features and meta attributes of a table of Orange as columns by name."""
    columns: dict[str, Any] = {}
    for variable in (*table.domain.attributes, *table.domain.metas):
        values = table.get_column(variable)
        if variable.is_discrete:
            texts = np.array([*variable.values, None], dtype=object)
            columns[variable.name] = texts[np.where(np.isnan(values), -1, values).astype(int)]
        elif variable.is_continuous:
            columns[variable.name] = np.asarray(values, float)
        else:
            columns[variable.name] = np.asarray(values, object)
    return columns
