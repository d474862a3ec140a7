"""How the predictions came about, as far as the table tells: the design of the comparison."""

from dataclasses import dataclass, replace

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
from plumbline.errors import ParameterError
from plumbline.formatting import counted
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Labels

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Design:
    """What one model's rows say about how they came about.

    Attributes
    ----------
    name : one of `advice.DESIGNS`
    shape : numbers of repeats, folds and examples, in words
    test_share : share of all examples in a test part, None where there are no parts, or the table
        does not tell
    worked_out : whether the share was worked out from how often examples recur
    """

    name: str
    shape: str
    test_share: float | None = None
    worked_out: bool = False

    @property
    def spoken(self) -> str:
        """The design in a sentence."""
        return f"{self.name} ({self.shape}): {DESIGNS[self.name]}"

    def share(self, given: float | None) -> float:
        """Return the test share that a corrected test needs: the one given, else the design's."""
        if given is not None:
            return open_fraction("test_share", given)
        if self.test_share is None:
            raise ParameterError(
                "`test_share` must say which share of the rows each test part held (0.3 for a "
                "holdout of 30 %), for a table of repeated splits without `row` does not tell it"
            )
        return self.test_share


def design_of(data: Predictions, *, over: str | None = None) -> Design:
    """Return how the rows of one model came about.

    One test part, or several that all hold the same examples: a holdout. Folds that hold each
    example once: cross-validation (repeated where there are several repeats), leave-one-out where
    every fold is one row. Anything else with several parts: repeated splits, as of a repeated
    holdout or a bootstrap. `over` names the attribute that tells data sets apart.

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
    examples = np.arange(data.n) if data.row is None else Labels.of("row", data.row).codes
    count = int(parts.max()) + 1
    if count == 1:
        return Design(HOLDOUT, counted(data.n, "row"))
    if data.row is not None and data.n == count * len(np.unique(examples)):
        return Design(HOLDOUT, f"{_size(data)}, each in all of {counted(count, 'repeat')}")
    repeats = np.zeros(data.n, np.intp) if data.repeat is None else data.repeat.codes
    if _is_crossed(data, repeats, parts, examples):
        return _crossed(repeats, parts, data.n)
    shape = f"{counted(count, 'test part')}, {_size(data)}"
    if data.row is None:
        return Design(SPLITS, shape)
    return Design(SPLITS, shape, _worked_out_share(parts, examples), worked_out=True)


def grouped(
    design: Design, data: Predictions, example: Ints, groups: str | None
) -> tuple[Design, Ints]:
    """Return the design and the (n,) examples, which are whole groups where a column tells them."""
    if groups is None:
        return design, example
    labels = _attribute(data, "groups", groups, "says which rows belong together")
    shape = f"{design.shape} in {counted(len(labels.names), 'group')}"
    return replace(design, shape=shape), np.asarray(labels.codes, np.intp)


def data_sets(data: Predictions, over: str) -> NDArray[np.object_]:
    """Return the name of every row's data set, or say which attributes there are."""
    return np.asarray(_attribute(data, "over", over, "tells data sets apart").values(), object)


def _attribute(data: Predictions, argument: str, name: str, does: str) -> Labels:
    known = tuple(data.attributes)
    if name not in known:
        raise ParameterError(
            f"`{argument}` must name the attribute that {does}"
            f"{f' ({shown(known)})' if known else '; the table has none'}, got {shorten(name)}"
            f"{near_names(name, known)}"
        )
    return Labels.of(name, data.attributes[name])


def _size(data: Predictions) -> str:
    if data.row is None:
        return counted(data.n, "row")
    return counted(len(Labels.of("row", data.row).names), "example")


def _part_codes(data: Predictions) -> Ints:
    """Return the number of every row's test part: its fold within its repeat."""
    code = np.zeros(data.n, np.intp)
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
