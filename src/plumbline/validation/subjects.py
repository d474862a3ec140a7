"""What is learned from: features, labels, groups, checked once and taken row by row."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten, shown
from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.labels import (
    WHOLE,
    Array,
    Ints,
    Labels,
    one_dimension,
    sorted_classes,
)
from plumbline.validation.splits import Places
from plumbline.validation.times import times_of


@dataclass(frozen=True, slots=True, eq=False)
class Subjects:
    """The rows of a data set.

    Attributes
    ----------
    X : features as given, one entry a row: array, sparse matrix or frame
    y : (n,) labels as an estimator takes them
    classes : names of the classes, sorted; whole numbers by value
    codes : (n,) class number of every row
    positive : number of the positive class
    groups : (n,) group number of every row, or None
    group_names : name of every row's group, for messages, or None
    time : (n,) rank of every row's time, equal ones alike; None unless rows are cut in this order
    names : (n,) identity of every row, or None for its place
    attributes : columns that go into the prediction table and are no features
    """

    X: Any
    y: Array
    classes: tuple[str, ...]
    codes: Ints
    positive: int
    groups: Ints | None = None
    group_names: Array | None = None
    time: Ints | None = None
    names: Array | None = None
    attributes: Mapping[str, Array] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    def features(self, places: Places) -> Any:
        """Return some rows of the features, in the kind they were given in."""
        return taken(self.X, places)


def subjects_of(
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    time: Any = None,
    rows: Any = None,
    attributes: Mapping[str, Any] | None = None,
    positive: Any = None,
) -> Subjects:
    """Check a data set and return it.

    Raises InputError for lengths that differ, labels that are missing or no classes, rows named
    twice, and whatever else no prediction table can hold.
    """
    features, labels = _features(X), Labels.of("y", y)
    owners = None if groups is None else Labels.of("groups", groups)
    need_same_length(features.shape[0], {"y": labels, "groups": owners, "time": time, "rows": rows})
    classes = sorted_classes(labels.names)
    if not len(labels):
        raise InputError("`y` and `X` hold no rows; an error estimate needs some of every class")
    if len(classes) < 2:
        raise InputError(
            f"`y` holds one class only, {shown(classes)}; there is nothing to tell apart"
        )
    # All that goes into the prediction table in the end is checked by its door now.
    table = Predictions.from_arrays(
        labels,
        predicted=labels,
        classes=classes,
        positive=positive,
        row=rows,
        attributes=attributes,
    )
    return Subjects(
        X=features,
        y=_as_taken(one_dimension("y", y), labels),
        classes=classes,
        codes=table.actual,
        positive=table.positive,
        groups=None if owners is None else owners.codes,
        group_names=None if owners is None else owners.values(),
        time=None if time is None else times_of(time),
        names=table.row,
        attributes=table.attributes,
    )


def taken(X: Any, places: Places) -> Any:
    """Return rows of an array, a sparse matrix (as rows are stored), or a frame."""
    if isinstance(X, np.ndarray) or _is_sparse(X):
        return X[places]
    import narwhals as nw

    return nw.from_native(X, eager_only=True, allow_series=True)[places].to_native()


def _features(X: Any) -> Any:
    """Return features of which rows can be taken."""
    if _is_sparse(X):
        return X.tocsr()
    if isinstance(X, np.ndarray):
        array = X
    elif _is_frame(X):
        return X
    else:
        array = np.asarray(X)
    if array.ndim == 0:
        raise InputError(f"`X` must hold one entry a row, got only {shorten(X)}")
    return array


def _is_sparse(X: Any) -> bool:
    from scipy.sparse import issparse

    return bool(issparse(X))


def _is_frame(X: Any) -> bool:
    """Tell whether narwhals can take rows of it; a lazy frame is refused."""
    import narwhals as nw

    try:
        known = nw.from_native(X, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError as error:
        names = X.column_names if hasattr(X, "column_names") else X.columns
        twice = [name for name, times in Counter(names).items() if times > 1]
        raise InputError(
            f"`X` holds several columns of the same name: {shown(twice)}; give each its own"
        ) from error
    if isinstance(known, nw.LazyFrame):
        raise InputError("`X` is a lazy frame, whose rows are not there yet; collect it first")
    return known is not X


def need_same_length(n: int, columns: Mapping[str, Any]) -> None:
    """Refuse columns that do not have one entry a row, by their names."""
    for name, values in columns.items():
        if values is not None and len(values) != n:
            raise InputError(
                f"`{name}` has {len(values):,} entries, `X` has {n:,} rows; both must have one "
                "entry a row, in the same order"
            )


def _as_taken(y: Array, labels: Labels) -> NDArray[Any]:
    """Return labels as scikit-learn takes them: numbers, truth values or texts, no objects."""
    if y.dtype.kind == "f" and not all(WHOLE.fullmatch(name) for name in labels.names):
        example = next(name for name in labels.names if not WHOLE.fullmatch(name))
        raise InputError(
            f"`y` holds the fraction {example}; a classifier predicts classes, so give labels "
            "(cut the numbers into classes first)"
        )
    if y.dtype.kind in "biufU":
        return y
    kinds = {type(value) for value in y.tolist()}
    if y.dtype.kind == "O" and len(kinds) == 1 and kinds <= {int, bool}:
        return np.asarray(y.tolist())
    return np.asarray(labels.names)[labels.codes]
