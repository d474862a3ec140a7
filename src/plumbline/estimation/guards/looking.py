"""`findings`: all guards on one table and its splits."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.estimation.guards.answers import WARNING, Finding, as_rows
from plumbline.estimation.guards.classes import missing_classes, smaller_than_folds
from plumbline.estimation.guards.columns import Codes, column_of, columns_of
from plumbline.estimation.guards.features import feature_findings
from plumbline.estimation.guards.rows import (
    all_rows,
    duplicate_rows,
    shared_rows,
    torn_groups,
)
from plumbline.estimation.splits import Split


def findings(
    X: Any,
    y: NDArray[Any],
    splits: Sequence[Split],
    *,
    groups: NDArray[Any] | None = None,
    honest: bool = True,
    columns: Sequence[str] | None = None,
) -> tuple[Finding, ...]:
    """Return what makes an estimate on these splits dishonest (errors) or doubtful (warnings).

    | name | severity | what it is |
    |---|---|---|
    | shared-rows | error | a row in the training and the test part of one split, inner or outer |
    | groups-torn-apart | error | a group on both sides of a split |
    | target-among-features | error | a feature equal to the target up to the names of its values |
    | class-smaller-than-folds | error, warning | no class, or some class, has a row for each fold |
    | measured-on-training-data | warning | the scheme is resubstitution |
    | duplicate-rows | warning | rows equal in all features on both sides of a split |
    | class-missing | warning | a class without a row in some training part |
    | near-perfect-feature | warning | a single feature with an area under the ROC curve >= 0.99 |
    | identity-like-feature | warning | another value in every row, as a name or a number has |

    Parameters
    ----------
    X : features, one entry a row: a frame, a sparse matrix, or anything that becomes an array
    y : (n,) classes
    groups : (n,) group of each row
    honest : False where models are measured on their training data by intent
    columns : (d,) names of the features; those of a frame are known

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0], [1.0], [3.0]]), np.array(["a", "b", "a", "b"])
    >>> half = Split(0, 0, np.array([0, 1]), np.array([2, 3]))
    >>> [(found.name, found.row_numbers) for found in findings(X, y, [half])]
    [('duplicate-rows', (0, 2))]
    """
    target = column_of(np.asarray(y), "target")
    classes = [str(value) for value in target.values]
    if honest:
        found = list(_of_splits(target.code, classes, splits, groups))
    else:
        found, splits = [_dishonest(len(target.code))], ()  # their parts are the same by intent
    found += _of_columns(X, target.code, classes, splits, columns)
    return tuple(sorted(found, key=lambda one: one.severity))  # errors first


def _dishonest(n: int) -> Finding:
    return Finding(
        "measured-on-training-data",
        WARNING,
        "the model was measured on the rows it was fitted on: no number here says how it does on "
        "new rows, and every one flatters it; use a scheme such as stratified:10",
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
        yield from torn_groups(column_of(np.asarray(groups), "groups"), splits)
    yield from missing_classes(y, classes, splits)
    yield from smaller_than_folds(y, classes, splits)


def _of_columns(
    X: Any,
    y: Codes,
    classes: Sequence[str],
    splits: Sequence[Split],
    names: Sequence[str] | None,
) -> Iterator[Finding]:
    """Yield what one pass over the columns finds; of whole texts only that some are equal."""
    twins = all_rows(len(y))
    for column in columns_of(X, names):
        if getattr(X, "ndim", 2) > 1:
            yield from feature_findings(column, y, classes)
        twins = twins.parted(column)
    yield from duplicate_rows(twins, y, splits)
