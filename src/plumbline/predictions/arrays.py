"""From raw arrays to checked columns: lengths, class names, probabilities, weights."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import nearest, shorten, shown
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import labels as lb
from plumbline.predictions import probabilities as pr
from plumbline.predictions.labels import (
    Array,
    Labels,
    ordered_pair,
    rows_text,
    two_classes,
)
from plumbline.predictions.probabilities import Floats
from plumbline.roles.positive import usual_pair
from plumbline.roles.reading import GROUPS

SPLITS = ("model", "fold", "repeat")  # an example may have a row in each
CODED = (*SPLITS, "groups")
COUNT = "count:rows"  # the column of a file; a plain "count" is an attribute
RESERVED = ("actual", "predicted", "score", "weight", COUNT, "row", *SPLITS, GROUPS)
MARKS = ("p:", "score:")


@dataclass(frozen=True, slots=True)
class ArgumentNames:
    """The user's names of columns and arguments, for messages."""

    actual: str = "y_true"
    prob: str = "y_prob"
    columns: Sequence[str] = ()
    classes: str = "classes"
    positive: str = "positive"

    def column(self, place: int, wide: Floats) -> str:
        """Return the name of a probability column."""
        if self.columns:
            return self.columns[place]
        return self.prob if wide.ndim == 1 else f"{self.prob}[:, {place}]"


AS_ARGUMENTS = ArgumentNames()
OF_ESTIMATORS = ArgumentNames(actual="y", prob="predict_proba(X)")


def checked_columns(
    y_true: Any,
    y_prob: Any = None,
    *,
    classes: Sequence[Any] | None = None,
    positive: Any = None,
    normalize: bool | None = False,
    attributes: Any = None,
    predicted: Any = None,
    score: Any = None,
    weight: Any = None,
    count: Any = None,
    row: Any = None,
    model: Any = None,
    fold: Any = None,
    repeat: Any = None,
    groups: Any = None,
    argument_names: ArgumentNames = AS_ARGUMENTS,
) -> dict[str, Any]:
    """Check everything that enters `Predictions` and return its fields.

    `normalize` is None where the user has no such argument.
    """
    actual = Labels.of(argument_names.actual, y_true)
    times = _counts(weight, count)
    n = len(actual)
    _enough_rows(n if times is None else int(times.sum()))
    prob = None if y_prob is None else pr.number_matrix(argument_names.prob, y_prob)
    rating = None if score is None else _ratings(score)
    answer = _labels("predicted", predicted)
    if prob is None and answer is None and rating is None:
        raise InputError(
            "there are true classes but no predictions; pass y_prob, or predicted=labels, or "
            "score=ratings",
            code="nothing-to-evaluate",
        )
    labels = {
        "model": _labels("model", model),
        "fold": _labels("fold", fold),
        "repeat": _labels("repeat", repeat),
        "groups": _labels("groups", groups),
    }
    others = {"weight": _weights(weight) if times is None else times, "row": _values("row", row)}
    extra = {} if attributes is None else _attributes(attributes)
    numbers = {argument_names.prob: prob, "score": rating}
    same_length(n, {**numbers, "predicted": answer, **labels, **others, **extra})
    named = _named_by_frame(y_prob, actual)
    names = _class_names(argument_names, actual, answer, numbers, classes, named, positive)
    place = _positive(names, positive, argument_names)
    if times is not None:
        _refuse_counts_of_others(names, others["row"], labels["groups"])
    splits = [labels[name] for name in SPLITS]
    _refuse_repeated_rows(others["row"], [c for c in splits if c is not None])
    return {
        "classes": names,
        "positive": place,
        "actual": lb.code_classes(argument_names.actual, actual, names),
        "prob": None
        if prob is None
        else _probabilities(prob, argument_names, place, normalize=normalize),
        "label": None if answer is None else lb.code_classes("predicted", answer, names),
        "score": rating,
        "attributes": extra,
        "counted": times is not None,
        **labels,
        **others,
    }


def _enough_rows(n: int) -> None:
    if n < 2:
        raise InputError(
            f"an evaluation needs at least 2 rows, got {n}"
            + (
                "; the table is empty"
                if n == 0
                else "; one row cannot show whether probabilities are calibrated"
            ),
            code="too-few-rows",
        )


def same_length(n: int, columns: Mapping[str, Any]) -> None:
    """Raise unless every column that is given has n rows."""
    for name, values in columns.items():
        length = n if values is None else len(values)
        if length != n:
            raise InputError(
                f"`{name}` has {length:,} row{'s' * (length != 1)}, the true classes have {n:,}; "
                "both need one entry per example, in the same order",
                code="lengths-differ",
            )


def _class_names(
    argument_names: ArgumentNames,
    actual: Labels,
    answer: Labels | None,
    numbers: Mapping[str, Floats | None],
    classes: Sequence[Any] | None,
    named: tuple[str, ...] | None,
    positive: Any,
) -> tuple[str, ...]:
    """Name the classes: as given, else by the columns of a frame that are called like the labels.

    Else by the labels, which must fit the number of columns. Where the only column is the positive
    class's, that class comes last.
    """
    widths = {
        name: 2 if m.ndim == 1 else m.shape[1] for name, m in numbers.items() if m is not None
    }
    for name, width in widths.items():
        if width < 2:
            raise InputError(
                f"`{name}` has {width} column{'s' * (width != 1)}; pass (n, k) with one column "
                "per class, or (n,) for the positive class alone",
                code="wrong-shape",
            )
    present = set(actual.names) | (set() if answer is None else set(answer.names))
    if classes is not None:
        names = lb.class_names(argument_names.classes, classes)
    elif named is not None:
        names = named
    elif not widths and len(present) > 2:
        names = lb.sorted_classes(present)
    elif not widths:  # two classes of which there are labels alone: the usual positive one last
        pair = two_classes(argument_names.actual, present, classes=argument_names.classes)
        names = usual_pair(pair) or pair
    else:
        first = next(iter(widths))
        if widths[first] > 2:
            names = _wide_classes(present, widths[first], argument_names.classes)
        else:
            pair = two_classes(argument_names.actual, present, classes=argument_names.classes)
            matrix = numbers[first]
            alone = matrix is not None and matrix.ndim == 1
            names = (
                pair
                if not alone
                else ordered_pair(pair, positive, column=first, argument=argument_names.positive)
            )
    for name, width in widths.items():
        if width != len(names):
            raise InputError(
                f"there are {len(names)} classes ({shown(names)}), but `{name}` has "
                f"{_columns_text(numbers[name])}; give one column per class, in the order of the "
                "classes",
                code="classes-differ",
            )
    return names


def _named_by_frame(y_prob: Any, actual: Labels) -> tuple[str, ...] | None:
    """Return the column names of a frame of probabilities, if they name the classes.

    Names of which only some are labels are refused: taking the columns in their order could give
    every class another's probabilities.
    """
    columns = getattr(y_prob, "columns", None)
    if columns is None or len(columns) < 2:
        return None
    names = tuple(lb.label_text(name) for name in columns)
    known = set(names) & set(actual.names)
    if not known:
        return None
    if known != set(actual.names):
        raise InputError(
            f"the columns of `y_prob` are {shown(names)}, the labels {shown(actual.names)}: only "
            "some of them agree",
            code="columns-disagree",
            remedy="name the columns like the classes, or pass `classes=[...]` in column order",
        )
    return lb.class_names("the columns of y_prob", names)


def _columns_text(matrix: Floats | None) -> str:
    if matrix is None or matrix.ndim == 1:
        return "one number per row, which describes two classes"
    return f"{matrix.shape[1]} columns"


def _wide_classes(present: set[str], k: int, argument: str) -> tuple[str, ...]:
    whole = tuple(str(number) for number in range(k))
    if present <= set(whole):
        return whole
    if len(present) == k:
        return lb.sorted_classes(present)
    raise InputError(
        f"the {k} columns cannot be matched to the true classes "
        f"{shown(lb.sorted_classes(present))}, which are neither 0..{k - 1} nor exactly {k} "
        "distinct labels",
        code="columns-unnamed",
        remedy=f"pass `{argument}=[...]` in column order",
    )


def _probabilities(
    prob: Floats, argument_names: ArgumentNames, place: int, *, normalize: bool | None
) -> Floats:
    if prob.ndim == 1:
        return pr.two_columns(pr.checked_column(prob, argument_names.column(place, prob)), place)
    columns = [argument_names.column(j, prob) for j in range(prob.shape[1])]
    return pr.checked_probabilities(prob, columns, normalize=normalize)


def _ratings(score: Any) -> Floats:
    ratings = pr.number_matrix("score", score)
    rows = pr.bad_rows(~np.isfinite(ratings))
    if rows.any():
        raise InputError(
            f"`score` must be finite, but is NaN or infinite in {rows_text(rows)}; correct these "
            "rows or leave them out",
            rows=np.flatnonzero(rows),
            code="not-finite",
        )
    return ratings


def _weights(weight: Any) -> Floats | None:
    if weight is None:
        return None
    values = pr.number_matrix("weight", weight).astype(np.float64)
    if values.ndim != 1:
        raise InputError(
            f"`weight` must be one number per row, (n,), got shape {values.shape}; give one column",
            code="wrong-shape",
        )
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        raise InputError(
            f"column 'weight' must be finite and not negative, got {float(values[bad][0])!r} in "
            f"{rows_text(bad)}",
            remedy="correct these rows, or give weight 0 to leave them out",
            rows=np.flatnonzero(bad),
            code="weights-out-of-range",
        )
    with np.errstate(over="ignore"):
        total = values.sum()
    if total <= 0:
        raise InputError(
            "all weights are 0, so no row counts; give at least one row a positive weight",
            code="weights-all-zero",
        )
    if np.isinf(total):
        raise InputError(
            "the weights sum to infinity; divide all of them by the largest",
            code="weights-out-of-range",
        )
    return values


MOST_COUNTED = 2.0**53  # up to which every whole number is a float64


def _counts(weight: Any, count: Any) -> Floats | None:
    """Return the number of identical rows of each row, as float64."""
    if count is None:
        return None
    if weight is not None:
        raise InputError(
            "`count` and `weight` exclude each other: a count is a number of identical rows, a "
            "weight is the importance of one row; pass one of them",
            code="arguments-exclude",
        )
    values = pr.number_matrix("count", count).astype(np.float64)
    if values.ndim != 1:
        raise InputError(
            f"`count` must be one number per row, (n,), got shape {values.shape}; give one column",
            code="wrong-shape",
        )
    bad = ~np.isfinite(values) | (values < 0) | (values != np.floor(values))
    if bad.any():
        raise InputError(
            f"`count` must hold whole numbers of at least 0, got {float(values[bad][0])!r} in "
            f"{rows_text(bad)}; correct these rows, or pass other numbers as `weight`",
            rows=np.flatnonzero(bad),
            code="counts-out-of-range",
        )
    total = float(values.sum())
    if total <= 0:
        raise InputError(
            "all counts are 0, so there are no rows; give at least one row a positive count",
            code="counts-all-zero",
        )
    if total > MOST_COUNTED:
        raise InputError(
            f"the counts add up to {total:.3g} rows, more than float64 can count (2^53)",
            code="counts-out-of-range",
        )
    return values


def _refuse_counts_of_others(
    names: tuple[str, ...], row: Array | None, groups: Labels | None
) -> None:
    if len(names) != 2:
        raise InputError(
            f"`count` needs two classes, but this table has {len(names)}; use a binary view, such "
            "as whether the most likely class is correct",
            code="counts-of-two-classes",
        )
    if row is not None:
        raise InputError(
            "`count` and `row` exclude each other: a counted row has no single ID; leave `row` out",
            code="arguments-exclude",
        )
    if groups is not None:
        raise InputError(
            "`count` and `groups` exclude each other: labels of rows in groups are drawn one by "
            "one",
            code="arguments-exclude",
            remedy="pass the rows one by one, or leave `groups` out",
        )


def _labels(column: str, values: Any) -> Labels | None:
    return None if values is None else Labels.of(column, values)


def _values(column: str, values: Any) -> Array | None:
    """Copy and freeze a column that is kept as it is."""
    if values is None:
        return None
    copy = lb.one_dimension(column, values).copy()
    copy.flags.writeable = False
    return copy


def _attributes(attributes: Any) -> dict[str, Array]:
    """Copy and freeze the attributes; a name with a meaning of its own is refused."""
    if not isinstance(attributes, Mapping):
        from plumbline.predictions.columns import columns_of_frame  # it imports this file

        attributes = columns_of_frame("attributes", attributes)
    for name in attributes:
        if not isinstance(name, str) or name in RESERVED or name.startswith(MARKS):
            raise InputError(
                f"{shorten(name)} cannot be the name of an attribute: it must be a text, and "
                f"{', '.join(RESERVED)}, p:... and score:... have another meaning",
                code="reserved-name",
                remedy="rename or drop it",
            )
    lb.refuse_broken_text("attributes", attributes)
    columns = {name: _values(name, values) for name, values in attributes.items()}
    return {name: values for name, values in columns.items() if values is not None}


def _positive(names: tuple[str, ...], positive: Any, argument_names: ArgumentNames) -> int:
    if positive is None:
        usual = usual_pair((names[0], names[1])) if len(names) == 2 else None
        return len(names) - 1 if usual is None else names.index(usual[1])
    text = lb.label_text(positive)
    if text not in names:
        raise ParameterError(
            code="unknown-class",
            argument=argument_names.positive,
            rule=f"one of the classes {shown(names)}",
            arrived=quoted(text),
            near=nearest(text, names),
        )
    return names.index(text)


def _refuse_repeated_rows(row: Array | None, labels: Iterable[Labels]) -> None:
    """Refuse a table in which (row, model, repeat, fold) names two rows alike."""
    if row is None:
        return
    key = Labels.of("row", row).codes.astype(np.int64)
    for column in labels:
        key = key * len(column.names) + column.codes
    ordered = np.sort(key)
    if np.all(ordered[1:] != ordered[:-1]):
        return
    twice = ordered[1:][ordered[1:] == ordered[:-1]][0]
    places = np.flatnonzero(key == twice)
    raise InputError(
        "(row, model, repeat, fold) must be unique, but row "
        f"{quoted(lb.label_text(row[places[0]]))} appears {len(places):,} times, in "
        f"{lb.named_rows(places)}; give each row its own number, or add the column (model, repeat "
        "or fold) in which they differ",
        code="not-unique",
        rows=places,
    )


def estimator_outputs(estimator: Any, X: Any) -> dict[str, Any]:
    """Return the probabilities of a fitted classifier, else its ratings and labels."""
    if not hasattr(estimator, "classes_"):
        raise InputError(
            f"{type(estimator).__name__} has no classes_: it is not a fitted classifier; call "
            "fit first",
            code="not-fitted",
        )
    classes = list(estimator.classes_)
    if hasattr(estimator, "predict_proba"):
        return {"y_prob": estimator.predict_proba(X), "classes": classes}
    if hasattr(estimator, "decision_function"):
        ratings = np.asarray(estimator.decision_function(X))
        if ratings.ndim == 1 and len(classes) == 2:  # it rates the second class
            ratings = np.column_stack([-ratings, ratings])
        return {"score": ratings, "classes": classes, "predicted": estimator.predict(X)}
    return {"classes": classes, "predicted": estimator.predict(X)}
