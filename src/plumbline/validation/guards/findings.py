"""All guards on one table and its splits, and the refusal of what was fitted before."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.validation.dataset import Split
from plumbline.validation.guards.features import (
    Codes,
    Column,
    column_of,
    columns_of,
    feature_findings,
)
from plumbline.validation.guards.near_rows import TOLERANCE, near_equal, near_rows, repeated_ids
from plumbline.validation.guards.rows import (
    all_rows,
    divided_groups,
    duplicate_rows,
    forward,
    later_rows_known,
    missing_classes,
    shared_rows,
    smaller_than_folds,
)
from plumbline.validation.results import WARNING, Finding, as_rows

TOO_MANY = 10.0  # times as many equal rows as independent features would give


def findings(
    X: Any,
    y: NDArray[Any],
    splits: Sequence[Split],
    *,
    groups: NDArray[Any] | None = None,
    out_of_sample: bool = True,
    columns: Sequence[str] | None = None,
    left_out: Mapping[str, Any] | None = None,
) -> tuple[Finding, ...]:
    """Return what makes an estimate on these splits invalid (errors) or doubtful (warnings).

    | name | severity | what it is |
    |---|---|---|
    | shared-rows | error | a row in the training and the test part of one split, inner or outer |
    | `groups-torn-apart` | error | a group on both sides of a split |
    | target-among-features | error | a feature equal to the target up to the names of its values |
    | class-smaller-than-folds | error, warning | no class, or some class, has a row for each fold |
    | measured-on-training-data | warning | the scheme is resubstitution |
    | duplicate-rows | warning | rows equal in all features on both sides of a split |
    | near-equal-rows | warning | rows much nearer to each other than to any further row |
    | repeated-id | warning | a column that names what several rows come from, and no groups |
    | dates-in-random-folds | warning | a column of dates, and models that know later rows |
    | class-missing | warning | a class without a row in some training part |
    | near-perfect-feature | warning | a single feature with an area under the ROC curve >= 0.99 |
    | identity-like-feature | warning | another value in every row, as a name or a number has |

    Parameters
    ----------
    X : features, one entry a row: a frame, a sparse matrix, or anything that becomes an array
    y : (n,) classes
    groups : (n,) group of each row
    out_of_sample : False where models are measured on their training data by intent
    columns : (d,) names of the features; those of a frame are known
    left_out : {name: (n,) values} of columns that are no features, such as an id

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0], [1.0], [3.0]]), np.array(["a", "b", "a", "b"])
    >>> half = Split(0, 0, np.array([0, 1]), np.array([2, 3]))
    >>> [(one.name, one.row_numbers) for one in findings(X, y, [half])]
    [('duplicate-rows', (0, 2))]
    """
    target = column_of(np.asarray(y), "target")
    classes = [str(value) for value in target.values]
    if out_of_sample:
        result = list(_of_splits(target.code, classes, splits, groups))
    else:
        result, splits = [_dishonest(len(target.code))], ()  # their parts are the same by intent
    result += _of_columns(X, target.code, classes, splits, columns, left_out or {})
    return tuple(sorted(result, key=lambda one: one.severity))  # errors first


def _dishonest(n: int) -> Finding:
    return Finding(
        "measured-on-training-data",
        WARNING,
        "the model was measured on the rows it was fitted on: all numbers are optimistic and "
        "none is for new rows; use a scheme such as stratified:10",
        as_rows(np.arange(n)),
    )


def _of_splits(
    y: Codes,
    classes: Sequence[str],
    splits: Sequence[Split],
    groups: NDArray[Any] | None,
) -> Iterator[Finding]:
    yield from shared_rows(splits, len(y))
    if groups is not None:
        yield from divided_groups(column_of(np.asarray(groups), "groups"), splits)
    yield from missing_classes(y, classes, splits)
    yield from smaller_than_folds(y, classes, splits)


def _of_columns(
    X: Any,
    y: Codes,
    classes: Sequence[str],
    splits: Sequence[Split],
    names: Sequence[str] | None,
    left_out: Mapping[str, Any],
) -> Iterator[Finding]:
    """Yield what is odd about features and rows; of whole texts only that some are equal."""
    n = len(y)
    single = getattr(X, "ndim", 2) > 1
    result: list[tuple[str, Finding]] = []
    numbering: list[str] = []  # features by which no two rows are equal
    expected = n * (n - 1.0) / 2  # pairs of rows that would be equal if features were independent
    equal, duplicates = all_rows(n), [all_rows(n), all_rows(n)]
    for column in columns_of(X, names):
        if single:
            about = [(column.name, one) for one in feature_findings(column, y, classes)]
            result += about
            if any(one.name == "identity-like-feature" for _, one in about):
                numbering.append(column.name)
                continue
        expected *= column.agreement
        equal = equal.parted(column)
        if single and splits:
            duplicates = [
                one.parted(column.rounded(TOLERANCE, shift=shift))
                for one, shift in zip(duplicates, (0.0, 0.5), strict=True)
            ]

    def features() -> Iterator[Column]:
        return (one for one in columns_of(X, names) if one.name not in numbering)

    beside = [_column_beside(name, values) for name, values in left_out.items()]
    ids: dict[str, Finding] = {}
    near = near_rows(features, n) if single and splits else None
    if splits:
        ids = repeated_ids(features if single else tuple, beside, near, splits, n)
    # Forward in time, those known from earlier rows are met again later, and groups fit no order.
    reported = {} if ids and forward(splits) else ids
    yield from (one for name, one in result if name not in reported)
    yield from reported.values()
    yield from later_rows_known(chain(columns_of(X, names) if single else (), beside), splits)
    if not numbering or equal.pairs > TOO_MANY * expected:
        yield from duplicate_rows(equal, y, splits, numbering)
    if near is not None and not ids:
        yield from near_equal(near, [one.without(equal) for one in duplicates], splits, n)


def _column_beside(name: str, values: Any) -> Column:
    """Return a column that is no feature; what cannot be compared, such as a list, as text."""
    array = np.asarray(values)
    name = f"column {quoted(name)}"
    try:
        return column_of(array, name)
    except TypeError:
        return column_of(np.array([str(value) for value in array.tolist()], dtype=object), name)


def need_unfitted(estimator: Any) -> None:
    """Refuse an estimator that was fitted, or that holds one that was, however deep.

    scikit-learn's clones are unfitted, except for what is frozen or declared prefit; whoever passes
    a fitted estimator expects it to be used as it is, so it is refused.

    Raises ParameterError naming the place inside.

    >>> class Learner:
    ...     def fit(self, X, y): ...
    >>> need_unfitted(Learner())
    >>> fitted = Learner()
    >>> fitted.classes_ = ["a", "b"]
    >>> need_unfitted(fitted)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    plumbline.errors.ParameterError: `estimator` must not have been fitted...
    """
    for path, part in _estimators_within("", estimator):
        why = _why_refused(part)
        if why is not None:
            where = f" (at {quoted(path)} inside it)" if path else ""
            raise ParameterError(
                "`estimator` must not have been fitted, because it may have been fitted on test "
                f"rows: {type(part).__name__}{where} {why}; pass it unfitted (for example "
                "sklearn.base.clone of it), so that it is fitted on each training part",
                code="already-fitted",
            )


def _why_refused(part: Any) -> str | None:
    if type(part).__name__ == "FrozenEstimator":
        return "keeps what it holds as it was fitted"
    params = _params(part)
    if params.get("cv") == "prefit" or params.get("prefit") is True:
        return "declares that what it holds is fitted already"
    known = [
        name
        for name in getattr(part, "__dict__", ())
        if name.endswith("_") and not name.startswith("_")
    ]
    if known:
        return f"has been fitted: it has the attribute {quoted(known[0])}"
    if _says_it_is_fitted(part):
        return "declares that it has been fitted"
    return None


def _says_it_is_fitted(part: Any) -> bool:
    """Ask those that keep their state elsewhere; one that learns nothing always says yes."""
    says = getattr(part, "__sklearn_is_fitted__", None)
    if says is None or _parts_of(part):
        return False  # a composite asks its parts, which are looked at one by one
    from sklearn.utils import get_tags

    return bool(says()) and bool(get_tags(part).requires_fit)


def _estimators_within(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every estimator inside a value, and where it stands."""
    if isinstance(value, (list, tuple)):
        for place, item in enumerate(value):
            named = isinstance(item, (list, tuple)) and item and isinstance(item[0], str)
            yield from _estimators_within(_joined(path, item[0] if named else str(place)), item)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _estimators_within(_joined(path, str(name)), item)
    elif hasattr(value, "fit") and not isinstance(value, type):
        yield path, value
        for name, item in _parts_of(value):
            yield from _estimators_within(_joined(path, name), item)


def _parts_of(part: Any) -> list[tuple[str, Any]]:
    """Return the parameters that hold estimators."""
    return [
        (name, item) for name, item in _params(part).items() if any(_estimators_within("", item))
    ]


def _params(part: Any) -> dict[str, Any]:
    return dict(part.get_params(deep=False)) if hasattr(part, "get_params") else {}


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
