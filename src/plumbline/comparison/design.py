"""The design of a comparison, read from the tables, and which rows of models belong together."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import near_names, open_fraction, shorten, shown
from plumbline.comparison.advice import (
    DATA_SETS,
    DESIGNS,
    FIVE_BY_TWO,
    FOLDS,
    HOLDOUT,
    LEAVE_ONE_OUT,
    REPEATED,
    SPLITS,
)
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import DISHONEST, counted
from plumbline.predictions import Labels, Predictions, has_own_truth, only_predictions, paired

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Design:
    """The design of one model's predictions.

    Attributes
    ----------
    name : one of `advice.DESIGNS`
    shape : numbers of repeats, folds and examples, as text
    test_share : share of all examples in a test part, None where there are no parts, or the table
        does not tell
    worked_out : whether the share was worked out from how often examples recur
    """

    name: str
    shape: str
    test_share: float | None = None
    worked_out: bool = False

    @property
    def sentence(self) -> str:
        """The design in a sentence."""
        return f"{self.name} ({self.shape}): {DESIGNS[self.name]}"

    def share(self, given: float | None) -> float:
        """Return the test share that a corrected test needs: the one given, else the design's."""
        if given is not None:
            return open_fraction("test_share", given)
        if self.test_share is None:
            raise ParameterError(
                "`test_share` must give the share of rows in each test part (0.3 for a holdout "
                "of 30 %); a table of repeated splits without `row` does not show it",
                code="share-missing",
            )
        return self.test_share


def design_of(data: Predictions, *, over: str | None = None) -> Design:
    """Return the design of the rows of one model.

    One test part, or several that all hold the same examples: a holdout. Folds that hold each
    example once: cross-validation (repeated where there are several repeats), leave-one-out where
    every fold is one row. Anything else with several parts: repeated splits, as of a repeated
    holdout or a bootstrap. `over` names the attribute that holds the data set.

    Raises InputError for several models, ParameterError for an unknown attribute.

    >>> table = Predictions.from_arrays([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.1], fold=[0, 0, 1, 1])
    >>> design_of(table).name, design_of(table).test_share
    ('cross-validation', 0.5)
    """
    data.need_one_model("the design")
    if over is not None:
        names = Labels.of(over, data_sets(data, over)).names
        return Design(DATA_SETS, counted(len(names), "data set"))
    parts = _part_codes(data)
    examples = np.arange(data.stored) if data.row is None else Labels.of("row", data.row).codes
    count = int(parts.max()) + 1
    if count == 1:
        return Design(HOLDOUT, counted(data.n, "row"))
    if data.row is not None and data.stored == count * len(np.unique(examples)):
        return Design(HOLDOUT, f"{_size(data)}, each in all of {counted(count, 'repeat')}")
    repeats = np.zeros(data.stored, np.intp) if data.repeat is None else data.repeat.codes
    if _is_crossed(data, repeats, parts, examples):
        return _crossed(repeats, parts, data.stored)
    shape = f"{counted(count, 'test part')}, {_size(data)}"
    if data.row is None:
        return Design(SPLITS, shape)
    return Design(SPLITS, shape, _worked_out_share(parts, examples), worked_out=True)


def grouped(
    design: Design, data: Predictions, example: Ints, groups: str | None
) -> tuple[Design, Ints]:
    """Return the design and the (n,) examples, which are whole groups where a column tells them."""
    labels = data.groups
    if groups is not None:
        labels = _attribute(data, "groups", groups, "names groups of dependent rows")
    if labels is None:
        return design, example
    shape = f"{design.shape} in {counted(len(labels.names), 'group')}"
    return replace(design, shape=shape), np.asarray(labels.codes, np.intp)


def data_sets(data: Predictions, over: str) -> NDArray[np.object_]:
    """Return the name of every row's data set, or say which attributes there are."""
    return np.asarray(
        _attribute(data, "over", over, "names the data set of each row").values(), object
    )


def _attribute(data: Predictions, argument: str, name: str, does: str) -> Labels:
    known = tuple(data.attributes)
    if name not in known:
        raise ParameterError(
            f"`{argument}` must name the attribute that "
            f"{does}{(f' ({shown(known)})' if known else '; the table has none')}, got "
            f"{shorten(name)}{near_names(name, known)}",
            code="unknown-name",
        )
    return Labels.of(name, data.attributes[name])


def _size(data: Predictions) -> str:
    if data.row is None:
        return counted(data.n, "row")
    return counted(len(Labels.of("row", data.row).names), "example")


def _part_codes(data: Predictions) -> Ints:
    """Return the number of every row's test part: its fold within its repeat."""
    code = np.zeros(data.stored, np.intp)
    for column in (data.repeat, data.fold):
        if column is not None:
            code = code * len(column.names) + column.codes
    return np.asarray(np.unique(code, return_inverse=True)[1], np.intp)


def _is_crossed(data: Predictions, repeats: Ints, parts: Ints, examples: Ints) -> bool:
    """Tell whether every repeat has several parts that hold every example once together."""
    whole = len(np.unique(examples)) if data.row is not None else np.bincount(repeats).max()
    for repeat in np.unique(repeats):
        inside = repeats == repeat
        if np.count_nonzero(inside) != whole or len(np.unique(parts[inside])) < 2:
            return False
        if data.row is not None and len(np.unique(examples[inside])) != whole:
            return False
    return True


def _crossed(repeats: Ints, parts: Ints, n: int) -> Design:
    """Return the kind of cross-validation."""
    times, count = len(np.unique(repeats)), int(parts.max()) + 1
    folds = count / times
    each = counted(round(folds), "fold") if folds == round(folds) else f"{folds:.1f} folds"
    examples = counted(n // times, "example")
    if times == 1:
        name = LEAVE_ONE_OUT if count == n else FOLDS
        return Design(name, f"{each}, {examples}", 1 / folds)
    name = FIVE_BY_TWO if (times, folds) == (5, 2) and _two_each(repeats, parts) else REPEATED
    return Design(name, f"{counted(times, 'repeat')} of {each}, {examples}", 1 / folds)


def _two_each(repeats: Ints, parts: Ints) -> bool:
    return all(len(np.unique(parts[repeats == one])) == 2 for one in np.unique(repeats))


def _worked_out_share(parts: Ints, examples: Ints) -> float:
    """Return the share of the data in a test part, from how many examples were ever tested.

    Of N examples, R parts of share s are expected to hold U = N (1 - (1 - s)^R) different ones, and
    a part holds m = s N. The s at which U / m is what it is here is found by bisection.
    """
    count = int(parts.max()) + 1
    ratio = len(np.unique(examples)) / (len(parts) / count)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if (1 - (1 - middle) ** count) / middle > ratio:
            low = middle
        else:
            high = middle
    return (low + high) / 2


IDENTITY = ("row", "fold", "repeat", "weight")


def tables_by_model(
    a: Predictions | Mapping[str, Predictions],
    b: Predictions | None,
    models: Sequence[Any] | None,
) -> dict[str, Predictions]:
    """Return the table of every model that is compared, at least two, by name.

    `a` may be tables of one model each by name. Tables of equal classes in another order get the
    first one's. Raises InputError where there are fewer than two models, or the classes differ.
    """
    result = _of_mapping(a, b) if isinstance(a, Mapping) else _of_tables(a, b)
    if models is not None:
        result = _of_models(result, models)
    if len(result) < 2:
        here = f"this is one ({shown(result)})" if result else "this dictionary names none"
        raise InputError(
            f"a comparison needs two models, and {here}; pass a second table of the same rows, or "
            "one table of several models (a column `model`)",
            code="one-model-to-compare",
        )
    first = _widest(list(result.values()))
    return {_marked(name, table): _with_classes_of(first, table) for name, table in result.items()}


def _marked(name: str, table: Predictions) -> str:
    """Return a model's name with the mark of its table, if that was measured on training data."""
    own = "".join(table.models)
    if name.endswith(DISHONEST):
        return name
    for mark in DISHONEST:
        if own.endswith(mark):
            return name.replace(mark, "") + mark
    return name


def _of_mapping(tables: Mapping[str, Predictions], b: Any) -> dict[str, Predictions]:
    if b is not None:
        raise ParameterError(
            f"`b` is a second table beside one table, got {shorten(b)} beside a dictionary; put it "
            "into that",
            code="table-beside-dictionary",
        )
    for table in tables.values():
        only_predictions(table).need_one_model("each table of a dictionary")
    names = list(map(str, tables))
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ParameterError(
                f"every model of a dictionary must have a name of its own, got {shown(tables)}, of "
                f"which two are {shorten(name)} as a text; rename one of them",
                code="named-twice",
            )
    return dict(zip(names, tables.values(), strict=True))


def _of_tables(a: Predictions, b: Predictions | None) -> dict[str, Predictions]:
    """Return every model by its name; names that would stand twice say which table they are of."""
    parts = [
        (side, side if name is None else name, part)
        for side, table in zip("ab", (a, b), strict=True)
        if table is not None
        for name, part in only_predictions(table).by_model().items()
    ]
    names = [name for _, name, _ in parts]
    return {
        name if names.count(name) == 1 else f"{name} ({side})": part for side, name, part in parts
    }


def _of_models(result: Mapping[str, Predictions], models: Sequence[Any]) -> dict[str, Predictions]:
    if isinstance(models, str) or len(models) < 2:
        raise ParameterError(
            f"`models` must name two models or more, got {shorten(models)}",
            code="too-few-models",
        )
    wanted = list(map(str, models))
    for name in wanted:
        if name not in result or wanted.count(name) > 1:
            raise ParameterError(
                f"`models` must name models of the table, each once ({shown(result)}), got "
                f"{shorten(name)}{near_names(name, result) if name not in result else ''}",
                code="unknown-name",
            )
    return {name: result[name] for name in wanted}


def _widest(tables: Sequence[Predictions]) -> Predictions:
    """Return the first table whose columns say which classes there are, else that of most."""
    wide = [table for table in tables if table.prob is not None or table.score is not None]
    return wide[0] if wide else max(tables, key=lambda table: table.k)


def _with_classes_of(first: Predictions, table: Predictions) -> Predictions:
    """Return the table with the classes of another, in that one's order."""
    if (table.classes, table.positive) == (first.classes, first.positive):
        return table
    labels_only = table.prob is None and table.score is None
    missing = set(table.classes) - set(first.classes)
    if missing or (not labels_only and table.k != first.k):
        raise InputError(
            f"models are compared on the same classes, and one table has {shown(first.classes)}, "
            f"another {shown(table.classes)}; give both the same p:<class> columns",
            code="classes-differ",
        )
    home = np.array([first.classes.index(name) for name in table.classes])
    changes: dict[str, Any] = {"classes": first.classes, "positive": first.positive}
    for name in ("actual", "label"):
        codes = getattr(table, name)
        changes[name] = None if codes is None else home[codes].astype(np.int32)
    for name in ("prob", "log_prob", "score"):
        changes[name] = _columns(getattr(table, name), np.argsort(home), first)
    if changes["score"] is not None and changes["score"].ndim == 1:
        same = table.classes[table.positive] == first.classes[first.positive]
        changes["score"] = table.score if same else -np.asarray(table.score)
    return dataclasses.replace(table, **changes)


def _columns(values: Any, order: Ints, first: Predictions) -> Any:
    """Return columns in another order; one column has none."""
    if values is None or values.ndim == 1:
        return values
    moved = values[:, order]
    return np.asfortranarray(moved) if first.k == 2 else moved


def aligned(tables: Mapping[str, Predictions]) -> tuple[dict[str, Predictions], Ints]:
    """Return the tables in the row order of the first, and the (n,) example number of every row.

    Rows belong together where `row`, `repeat` and `fold` are equal, or by their order in tables
    without `row`. Raises InputError where some row has no partner, or another class or weight than
    its partner, and where only one of two tables has one of these columns.
    """
    first, *others = tables.values()
    result = [first, *(_in_order_of(first, other) for other in others)]
    codes = np.arange(first.stored) if first.row is None else Labels.of("row", first.row).codes
    return dict(zip(tables, result, strict=True)), np.asarray(codes, np.intp)


def _in_order_of(first: Predictions, second: Predictions) -> Predictions:
    for name in IDENTITY:
        if (getattr(first, name) is None) != (getattr(second, name) is None):
            raise InputError(
                f"models are compared on the same examples, and only one of two has a column "
                f"`{name}`; give it to both, or to neither",
                code="rows-of-one-table",
            )
    own_truth = has_own_truth(first) and has_own_truth(second)
    both = _identities(first, second)
    rows = paired(both, "a", "b", own_truth=own_truth)[1] - first.stored
    if not np.array_equal(first.mass, second.mass[rows]):
        raise InputError(
            "models are compared on the same examples, and the `weight` of some differs between "
            "two; give both the same weights",
            code="weights-differ",
        )
    return second if np.array_equal(rows, np.arange(first.stored)) else second.select(where=rows)


def _identities(first: Predictions, second: Predictions) -> Predictions:
    """Return what tells which rows belong together, stacked as models "a" and "b"."""
    both = (first, second)
    columns: dict[str, Any] = {
        name: Labels.of(name, np.concatenate([getattr(table, name).values() for table in both]))
        for name in ("fold", "repeat")
        if getattr(first, name) is not None
    }
    if first.row is not None and second.row is not None:
        columns["row"] = _joined(first.row, second.row)
    elif not np.array_equal(first.actual, second.actual):  # a refusal names what numbers the rows
        known = [name for name in first.attributes if name in second.attributes]
        columns["attributes"] = {
            name: _joined(first.attributes[name], second.attributes[name]) for name in known
        }
    model = Labels(np.repeat([0, 1], [first.stored, second.stored]), ("a", "b"))
    actual = np.concatenate([first.actual, second.actual])
    return Predictions(classes=first.classes, actual=actual, label=actual, model=model, **columns)


def _joined(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """Return two columns of names as one; a number beside texts is read as a text."""
    if (first.dtype.kind in "biuf") == (second.dtype.kind in "biuf"):
        return np.concatenate([first, second])
    return np.concatenate([Labels.of("row", part).values() for part in (first, second)])
