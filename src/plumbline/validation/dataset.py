"""What is learned from: features, labels, groups, times, and the splits of the rows."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten, shown
from plumbline.errors import InputError
from plumbline.predictions import Labels, Predictions
from plumbline.predictions.labels import (
    WHOLE,
    Array,
    Ints,
    is_missing,
    named_rows,
    one_dimension,
    sorted_classes,
)

Places: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A training part and a test part, as row numbers 0 .. n-1 of the data.

    Attributes
    ----------
    repeat, fold : which one it is; folds are counted within a repeat
    given : rows the model is fitted on, or the number n of all rows, of which it is fitted on those
        that are not tested: n splits of n rows then hold n numbers, and not n^2
    test : rows it is measured on, each once
    inner : what a search may choose on: pairs of places in `train` (0 .. len(train) - 1), so that
        no search can reach a row outside it. Row numbers are `train[places]`

    >>> Split(0, 0, 4, np.array([2])).train
    array([0, 1, 3])
    """

    repeat: int
    fold: int
    given: Places | int
    test: Places
    inner: tuple[tuple[Places, Places], ...] = ()

    @property
    def train(self) -> Places:
        """Rows the model is fitted on; a bootstrap sample holds some of them several times."""
        return _others(self.given, self.test) if isinstance(self.given, int) else self.given

    @property
    def n_train(self) -> int:
        """Number of rows the model is fitted on."""
        if isinstance(self.given, int):
            return self.given - len(self.test)
        return len(self.given)


def split_of(repeat: int, fold: int, parts: tuple[Places, Places], n: int) -> Split:
    """Return a split of n rows, in short if it is fitted on all that are not tested."""
    train, test = parts
    short = len(train) + len(test) == n and np.array_equal(train, _others(n, test))
    return Split(repeat, fold, n if short else train, test)


def _others(n: int, test: Places) -> Places:
    mask = np.ones(n, bool)
    mask[test] = False
    return np.flatnonzero(mask)


ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
DAY_FIRST = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{4}")


def times_of(values: Any) -> Ints:
    """Return the rank of every row's time; rows of the same time share one.

    Raises InputError for a missing time, and for what is neither number nor date.

    >>> times_of(["2024-03-01", "2023-12-24", "2024-03-01"]).tolist()
    [1, 0, 1]
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(
            f"`time` must hold one time per row, got an array of shape {array.shape}",
            code="wrong-shape",
        )
    missing = [row for row, value in enumerate(array.tolist()) if is_missing(value)]
    if array.dtype.kind in "mM":
        missing = np.flatnonzero(np.isnat(array)).tolist()
    if missing:
        raise InputError(
            f"`time` is missing in {named_rows(missing)}; leave these rows out, or fill in "
            "their times",
            code="value-missing",
            rows=missing,
        )
    if array.dtype.kind in "OU":
        array = _comparable(array.tolist())
    try:
        return np.unique(array, return_inverse=True)[1].astype(np.intp)
    except TypeError as error:
        raise InputError(
            f"`time` holds values that cannot be ordered: {error}", code="no-time"
        ) from error


def _comparable(values: Sequence[Any]) -> Any:
    """Return values that have an order in time: texts as dates, others as they are."""
    texts = sum(isinstance(value, str) for value in values)
    if texts == 0:
        return np.array(values)
    if texts < len(values):  # NumPy would make texts of the numbers, and 10 come before 2
        raise InputError(
            f"`time` holds texts in {texts:,} of {len(values):,} rows, other values in the rest; "
            "give numbers, dates, or texts such as 2024-01-31, of one kind",
            code="times-of-two-kinds",
        )
    try:
        whole = np.empty(len(values), dtype=object)
        whole[:] = [datetime.fromisoformat(value) for value in values]
    except ValueError as error:
        raise InputError(
            "`time` must hold numbers, dates, or texts such as 2024-01-31 or 2024-01-31T17:30, "
            f"got {shorten(next(value for value in values if not ISO.fullmatch(value)), 30)}"
            if any(not ISO.fullmatch(value) for value in values)
            else f"`time` holds a date that does not exist: {error}",
            code="no-time",
        ) from error
    return whole


def dates_in(values: Sequence[Any] | NDArray[Any]) -> Any:
    """Return distinct values as times that can be compared, None if they are no dates.

    >>> dates_in(["2024-03-01", "2023-12-24"])[0].year, dates_in(["a", "b"]), dates_in([1, 2])
    (2024, None, None)
    """
    if isinstance(values, np.ndarray) and values.dtype.kind == "M":
        return values
    there = [value for value in values if not is_missing(value)]
    if not there:
        return None
    if all(isinstance(value, date) for value in there):
        return _all(values, lambda value: value.isoformat())
    if not all(isinstance(value, str) for value in there):
        return None
    if all(ISO.fullmatch(value) for value in there):
        return _all(values, datetime.fromisoformat)
    if all(DAY_FIRST.fullmatch(value) for value in there):
        forms = [f"%{a}{sign}%{b}{sign}%Y" for a, b in ("dm", "md") for sign in "./-"]
        tried = (_all(values, partial(_by_form, form)) for form in forms)
        return next((result for result in tried if result is not None), None)
    return None


def _by_form(form: str, value: str) -> datetime:
    return datetime.strptime(value, form)


def _all(values: Iterable[Any], read: Callable[[Any], Any]) -> list[Any] | None:
    """Return all values as read, a missing one as None; None if one cannot be."""
    try:
        result = [None if is_missing(value) else read(value) for value in values]
        sorted(one for one in result if one is not None)
    except (TypeError, ValueError):
        return None
    return result


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
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


def dataset_of(
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    time: Any = None,
    rows: Any = None,
    attributes: Any = None,
    positive: Any = None,
) -> Dataset:
    """Check a data set and return it.

    Raises InputError for lengths that differ, labels that are missing or no classes, rows named
    twice, and whatever else no prediction table can hold.
    """
    features, labels = _features(X), Labels.of("y", y)
    owners = None if groups is None else Labels.of("groups", groups)
    need_same_length(features.shape[0], {"y": labels, "groups": owners, "time": time, "rows": rows})
    classes = sorted_classes(labels.names)
    if not len(labels):
        raise InputError(
            "`y` and `X` hold no rows; an error estimate needs some of every class", code="no-rows"
        )
    if len(classes) < 2:
        raise InputError(
            f"`y` holds only one class, {shown(classes)}; an error estimate needs two",
            code="one-class-to-fit",
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
    return Dataset(
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
        raise InputError(
            f"`X` must hold one entry per row, got only {shorten(X)}", code="wrong-shape"
        )
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
            f"`X` holds several columns of the same name: {shown(twice)}; give each its own",
            code="not-unique",
        ) from error
    if isinstance(known, nw.LazyFrame):
        raise InputError(
            "`X` is a lazy frame, which holds no rows yet; collect it first",
            code="frame-not-collected",
        )
    return known is not X


def need_same_length(n: int, columns: Mapping[str, Any]) -> None:
    """Refuse columns that do not have one entry a row, by their names."""
    for name, values in columns.items():
        if values is not None and len(values) != n:
            raise InputError(
                f"`{name}` has {len(values):,} entries, `X` has {n:,} rows; both must have one "
                "entry per row, in the same order",
                code="wrong-shape",
            )


def _as_taken(y: Array, labels: Labels) -> NDArray[Any]:
    """Return labels as scikit-learn takes them: numbers, truth values or texts, no objects."""
    if y.dtype.kind == "f" and not all(WHOLE.fullmatch(name) for name in labels.names):
        example = next(name for name in labels.names if not WHOLE.fullmatch(name))
        raise InputError(
            f"`y` holds the fraction {example}; a classifier predicts classes, so give labels "
            "(cut the numbers into classes first)",
            code="no-class",
        )
    if y.dtype.kind in "biufU":
        return y
    kinds = {type(value) for value in y.tolist()}
    if y.dtype.kind == "O" and len(kinds) == 1 and kinds <= {int, bool}:
        return np.asarray(y.tolist())
    return np.asarray(labels.names)[labels.codes]
