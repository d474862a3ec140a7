"""Schemes by name and the cuts they make, from holdout to nested cross-validation."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import nearest, need_extra, shorten
from plumbline.errors import InputError, ParameterError, PlumblineError
from plumbline.formatting import counted, quoted
from plumbline.predictions.labels import Ints
from plumbline.random_streams import stream
from plumbline.validation.dataset import Dataset, Places, Split, split_of
from plumbline.validation.estimators import seed_from, seeded_splitter, text_of
from plumbline.validation.guards.rows import need_class_for_folds

# The first number of a stream's key: what the chance is for.
SPLITTING, INNER = 1, 2

Parts: TypeAlias = tuple[Places, Places]
Cut: TypeAlias = Callable[..., Iterator[Split]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeKind:
    """One row of the table of schemes.

    Attributes
    ----------
    example : its text, whose numbers are the usual ones
    arguments : what its numbers are
    cut : from rows, entropy and the numbers to splits
    grouped : whether it must be told groups, and never tears one apart
    searched : whether it has an inner part, which needs a search
    ordered : whether rows are cut in the order of time
    """

    example: str
    arguments: tuple[str, ...]
    cut: Cut
    grouped: bool = False
    searched: bool = False
    ordered: bool = False


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scheme with its numbers; `splits` applies it to rows.

    Attributes
    ----------
    name : of its kind
    text : name and numbers, such as "nested:5x10"
    out_of_sample : False where rows are measured that the model was fitted on
    grouped, searched, ordered : as in `Kind`
    cut : from rows and entropy to splits
    """

    name: str
    text: str
    cut: Callable[[Dataset, int], Iterable[Split]]
    out_of_sample: bool = True
    grouped: bool = False
    searched: bool = False
    ordered: bool = False

    def splits(self, rows: Dataset, entropy: int) -> tuple[Split, ...]:
        """Split the rows; the same entropy gives the same splits.

        Raises ParameterError where groups are needed, InputError where the rows do not suffice.
        """
        if self.grouped and rows.groups is None:
            raise ParameterError(
                f"the scheme {quoted(self.text)} keeps groups together",
                code="groups-missing",
                argument="groups",
                remedy="pass `groups`, one name per row",
            )
        try:
            return tuple(self.cut(rows, entropy))
        except PlumblineError:
            raise
        except ValueError as error:
            text = f"the rows cannot be split by the scheme {quoted(self.text)}: {error}"
            raise InputError(text, code="rows-not-split") from error


# ---------------------------------------------------------------- the cuts


def _folds(*, stratified: bool, grouped: bool = False) -> Cut:
    """Return the cut into folds."""

    def cut(rows: Dataset, entropy: int, folds: int) -> Iterator[Split]:
        rng = stream(entropy, SPLITTING)
        parts = folds_of(rows, folds, rng, stratified=stratified, grouped=grouped)
        return _numbered(parts, rows.n)

    return cut


def _repeated_folds(rows: Dataset, entropy: int, repeats: int, folds: int) -> Iterator[Split]:
    for repeat in range(repeats):
        rng = stream(entropy, SPLITTING, repeat)
        parts = folds_of(rows, folds, rng, stratified=True, grouped=False)
        yield from _numbered(parts, rows.n, repeat=repeat)


def _holdout(rows: Dataset, entropy: int, share: float) -> Iterator[Split]:
    yield from _repeated_holdout(rows, entropy, 1, share)


def _repeated_holdout(rows: Dataset, entropy: int, repeats: int, share: float) -> Iterator[Split]:
    for repeat in range(repeats):
        train, test = holdout_parts(rows, share, stream(entropy, SPLITTING, repeat))
        yield Split(repeat, 0, train, test)


def _bootstrap(rows: Dataset, entropy: int, samples: int) -> Iterator[Split]:
    for sample in range(samples):
        train, test = bootstrap_parts(rows, stream(entropy, SPLITTING, sample))
        yield Split(sample, 0, train, test)


def _three_parts(
    rows: Dataset, entropy: int, _: float, validation: float, test: float
) -> Iterator[Split]:
    yield three_parts(rows, validation, test, stream(entropy, SPLITTING))


def _nested(*, grouped: bool) -> Cut:
    """Return the cut into outer folds, whose training parts are cut into inner folds."""

    def cut(rows: Dataset, entropy: int, outer: int, inner: int) -> Iterator[Split]:
        folds = _folds(stratified=True, grouped=grouped)(rows, entropy, outer)
        return (with_inner(split, rows, inner, entropy) for split in folds)

    return cut


def _time_series(rows: Dataset, _: int, folds: int) -> Iterator[Split]:
    time = np.arange(rows.n) if rows.time is None else rows.time
    return _numbered(in_time_order(time, folds), rows.n)


def _alone(rows: Dataset, _: int) -> Iterator[Split]:
    return _numbered(row_by_row(rows), rows.n)


def _numbered(parts: Iterable[Parts], n: int, *, repeat: int = 0) -> Iterator[Split]:
    for fold, both in enumerate(parts):
        yield split_of(repeat, fold, both, n)


def with_inner(split: Split, rows: Dataset, folds: int, entropy: int) -> Split:
    """Return a split with inner folds of its training part, for a search to choose on.

    A row that a bootstrap sample holds several times stays on one side, and so does a group.
    """
    rng = stream(entropy, INNER, split.repeat, split.fold)
    inner = inner_folds(rows, split.train, folds, rng)
    return dataclasses.replace(split, inner=inner)


# ---------------------------------------------------------------- the table

KINDS = MappingProxyType(
    {
        row.example.partition(":")[0]: row
        for row in (
            SchemeKind(example="holdout:0.3", arguments=("share",), cut=_holdout),
            SchemeKind(
                example="repeated-holdout:10,0.3",
                arguments=("repeats", "share"),
                cut=_repeated_holdout,
            ),
            SchemeKind(example="k-fold:10", arguments=("folds",), cut=_folds(stratified=False)),
            SchemeKind(example="stratified:10", arguments=("folds",), cut=_folds(stratified=True)),
            SchemeKind(
                example="repeated-stratified:5x2",
                arguments=("repeats", "folds"),
                cut=_repeated_folds,
            ),
            SchemeKind(
                example="grouped:5",
                arguments=("folds",),
                cut=_folds(stratified=False, grouped=True),
                grouped=True,
            ),
            SchemeKind(
                example="stratified-grouped:5",
                arguments=("folds",),
                cut=_folds(stratified=True, grouped=True),
                grouped=True,
            ),
            SchemeKind(
                example="time-series:5", arguments=("folds",), cut=_time_series, ordered=True
            ),
            SchemeKind(example="leave-one-out", arguments=(), cut=_alone),
            SchemeKind(example="bootstrap:200", arguments=("samples",), cut=_bootstrap),
            SchemeKind(
                example="train-validation-test:0.6,0.2,0.2",
                arguments=("train share", "validation share", "test share"),
                cut=_three_parts,
            ),
            SchemeKind(
                example="nested:5x10",
                arguments=("outer folds", "inner folds"),
                cut=_nested(grouped=False),
                searched=True,
            ),
            SchemeKind(
                example="nested-grouped:5x5",
                arguments=("outer folds", "inner folds"),
                cut=_nested(grouped=True),
                grouped=True,
                searched=True,
            ),
            SchemeKind(
                example="resubstitution", arguments=(), cut=lambda rows, _: iter([whole(rows)])
            ),
        )
    }
)


def scheme_named(text: str) -> Scheme:
    """Return the scheme of a text: its name, alone or with ":" and its numbers.

    Raises ParameterError for an unknown name and for numbers that are none, naming an example.

    >>> scheme_named("nested").text, scheme_named("k-fold:5").text
    ('nested:5x10', 'k-fold:5')
    """
    name, colon, given = text.strip().casefold().replace("_", "-").partition(":")
    if name not in KINDS:
        examples = ", ".join(quoted(row.example) for row in KINDS.values())
        raise ParameterError(
            code="unknown-scheme",
            argument="scheme",
            rule=f"like one of {examples}",
            arrived=shorten(text),
            near=nearest(name, KINDS),
            remedy="or give a scikit-learn splitter",
        )
    row = KINDS[name]
    wanted = given if colon else row.example.partition(":")[2]
    numbers = _numbers(row, wanted, text)
    return Scheme(
        name=name,
        text=f"{name}:{wanted.replace(' ', '')}" if wanted else name,
        cut=lambda rows, entropy: row.cut(rows, entropy, *numbers),
        out_of_sample=name != "resubstitution",
        grouped=row.grouped,
        searched=row.searched,
        ordered=row.ordered,
    )


def _numbers(row: SchemeKind, given: str, text: str) -> list[float]:
    """Return the numbers of a scheme: counts of at least 1 or 2, shares between 0 and 1."""
    words = [word.strip() for word in re.split("[x,]", given)] if given else []
    try:
        if len(words) != len(row.arguments):
            raise ValueError
        numbers = [
            _number(word, argument) for word, argument in zip(words, row.arguments, strict=True)
        ]
        if len(numbers) == 3 and abs(sum(numbers) - 1) > 1e-9:
            raise ValueError
    except ValueError:
        arguments = ", ".join(row.arguments) or "no number"
        raise ParameterError(
            f"the scheme {quoted(text)} must be like {quoted(row.example)} ({arguments}; folds "
            "from 2 on, shares between 0 and 1, three shares sum to 1)",
            code="out-of-range",
        ) from None
    return numbers


def _number(word: str, argument: str) -> float:
    if argument.endswith("share"):
        number = float(word)
        sound = 0 < number < 1
    else:
        number = int(word)
        sound = number >= (2 if argument.endswith("folds") else 1)
    if not sound:
        raise ValueError(word)
    return number


def scheme_of(given: Any) -> Scheme:
    """Return the scheme of a text, or of anything with scikit-learn's `split(X, y, groups)`.

    >>> from sklearn.model_selection import KFold
    >>> scheme_of(KFold(3)).text
    'KFold(n_splits=3, random_state=None, shuffle=False)'
    """
    if isinstance(given, Scheme):
        return given
    if isinstance(given, str):
        return scheme_named(given)
    if not callable(getattr(given, "split", None)):
        raise ParameterError(
            argument="scheme",
            rule="a text such as 'stratified:10' or a scikit-learn splitter (an "
            "object with a method split)",
            arrived=shorten(given),
            code="wrong-kind",
        )

    def cut(rows: Dataset, entropy: int) -> Iterator[Split]:
        splitter = seeded_splitter(given, stream(entropy, SPLITTING))
        return _in_repeats(split_by(splitter, rows.X, rows.y, rows.groups), rows.n)

    return Scheme(name="splitter", text=text_of(given), cut=cut)


def _in_repeats(parts: Iterable[Parts], n: int) -> Iterator[Split]:
    """Number the folds of a splitter; where a row is tested again, a new repeat begins."""
    repeat, fold, tested = 0, 0, np.zeros(n, bool)
    for train, test in parts:
        if tested[test].any():
            repeat, fold, tested = repeat + 1, 0, np.zeros(n, bool)
        tested[test] = True
        yield split_of(repeat, fold, (train, test), n)
        fold += 1


def model_selection() -> Any:
    """Return scikit-learn's module of splitters and searches, or say how to install it."""
    return need_extra("sklearn.model_selection", "sklearn", "an error estimate")


def folds_of(
    rows: Dataset, folds: int, rng: np.random.Generator, *, stratified: bool, grouped: bool
) -> Iterator[Parts]:
    """Cut shuffled rows into folds: with class shares kept, with groups kept whole, or both."""
    groups = rows.groups if grouped else None
    _need_enough(rows, rows.codes, groups, folds, stratified=stratified, where="folds")
    module = model_selection()
    names = {
        (False, False): "KFold",
        (True, False): "StratifiedKFold",
        (False, True): "GroupKFold",
        (True, True): "StratifiedGroupKFold",
    }
    kind = getattr(module, names[stratified, grouped])
    splitter = kind(n_splits=folds, shuffle=True, random_state=seed_from(rng))
    return _splits_of(splitter, rows.codes, groups)


def _need_enough(
    rows: Dataset, codes: Ints, groups: Ints | None, folds: int, *, stratified: bool, where: str
) -> None:
    """Refuse more folds than there are rows, groups, or rows of any class.

    Raises InputError that says how many folds there may be.
    """
    if stratified:
        need_class_for_folds(codes, rows.classes, folds, where=where)
    units = len(codes) if groups is None else len(np.unique(groups))
    if units < folds:
        what = counted(units, "row" if groups is None else "group")
        raise InputError(
            f"{what} cannot be cut into {folds} {where}; use at most {units} {where}",
            code="too-few-groups",
        )


def holdout_parts(rows: Dataset, share: float, rng: np.random.Generator) -> Parts:
    """Draw a test part: with class shares kept, or of whole groups where there are groups."""
    return _drawn(rows.codes, rows.groups, share, rng)


def _drawn(codes: Ints, groups: Ints | None, share: float, rng: np.random.Generator) -> Parts:
    module = model_selection()
    kind = module.StratifiedShuffleSplit if groups is None else module.GroupShuffleSplit
    splitter = kind(n_splits=1, test_size=share, random_state=seed_from(rng))
    train, test = next(_splits_of(splitter, codes, groups))
    return np.sort(train), np.sort(test)


def in_time_order(time: Ints, folds: int) -> Iterator[Parts]:
    """Cut rows into test parts one after the other, each with all earlier rows to fit on.

    As scikit-learn's TimeSeriesSplit cuts rows in order, of which the first part is never tested;
    but a cut between rows of the same time moves before them, so that only later rows are tested.

    Raises InputError where too few different times are left for so many parts.
    """
    order = np.argsort(time, kind="stable")
    ranks = time[order]
    splitter = model_selection().TimeSeriesSplit(n_splits=folds)
    starts = [int(test[0]) for _, test in split_by(splitter, order[:, None], None, None)]
    ends = [*np.searchsorted(ranks, ranks[starts]).tolist(), len(time)]
    if ends[0] == 0 or len(set(ends)) < len(ends):
        raise InputError(
            f"{counted(len(np.unique(time)), 'different time')} in {counted(len(time), 'row')} "
            f"cannot be cut into {folds} test parts in order; use fewer folds",
            code="too-few-times",
        )
    for start, stop in pairwise(ends):
        yield np.sort(order[:start]), np.sort(order[start:stop])


def row_by_row(rows: Dataset) -> Iterator[Parts]:
    """Leave out each row in turn."""
    return _splits_of(model_selection().LeaveOneOut(), rows.codes, None)


def bootstrap_parts(rows: Dataset, rng: np.random.Generator) -> Parts:
    """Draw as many rows as there are with replacement; those never drawn are the test part.

    Where there are groups, whole groups are drawn. A draw that leaves out no row is made again.
    """
    owner = np.arange(rows.n) if rows.groups is None else rows.groups
    units = int(owner.max()) + 1
    if units < 2:
        raise InputError(
            "all rows are one group, so every bootstrap sample holds all rows",
            code="too-few-groups",
        )
    while True:
        times = np.bincount(rng.integers(units, size=units), minlength=units)[owner]
        if (times == 0).any():
            return np.repeat(np.arange(rows.n), times), np.flatnonzero(times == 0)


def three_parts(rows: Dataset, validation: float, test: float, rng: np.random.Generator) -> Split:
    """Cut into train, validation and test.

    The model that is measured is fitted on train and validation; the inner pair is what choosing
    sees: fit on train, compare on validation.
    """
    train, held = holdout_parts(rows, test, rng)
    return Split(0, 0, train, held, (inner_holdout(rows, train, validation / (1 - test), rng),))


def inner_holdout(rows: Dataset, train: Places, share: float, rng: np.random.Generator) -> Parts:
    """Cut a validation part off a training part, as places in it."""
    groups = None if rows.groups is None else rows.groups[train]
    return _drawn(rows.codes[train], groups, share, rng)


def whole(rows: Dataset) -> Split:
    """Return all rows as training part and as test part."""
    every = np.arange(rows.n)
    return Split(0, 0, every, every)


def inner_folds(
    rows: Dataset, train: Places, folds: int, rng: np.random.Generator
) -> tuple[Parts, ...]:
    """Cut a training part into stratified folds, or parts in the order of time, as places in it."""
    if rows.time is not None:
        try:
            return tuple(in_time_order(rows.time[train], folds))
        except ValueError as error:
            raise InputError(_uncut(len(train), error), code="rows-not-split") from error
    distinct, home = np.unique(train, return_inverse=True)
    groups = None if rows.groups is None else rows.groups[distinct]
    try:
        _need_enough(
            rows, rows.codes[distinct], groups, folds, stratified=True, where="inner folds"
        )
    except InputError as error:
        raise InputError(_uncut(len(distinct), error), code="class-smaller-than-folds") from error
    module = model_selection()
    kind = module.StratifiedKFold if groups is None else module.StratifiedGroupKFold
    splitter = kind(n_splits=folds, shuffle=True, random_state=seed_from(rng))
    pairs = inner_parts(splitter, np.zeros((len(distinct), 1)), rows.codes[distinct], groups)
    held = (np.isin(home, test) for _, test in pairs)
    return tuple((np.flatnonzero(~mask), np.flatnonzero(mask)) for mask in held)


def inner_parts(splitter: Any, X: Any, y: Any, groups: Any) -> list[Parts]:
    """Return the parts of a splitter that cuts a training part.

    Raises InputError where its rows do not suffice.
    """
    try:
        return list(split_by(splitter, X, y, groups))
    except ValueError as error:
        raise InputError(_uncut(len(y), error), code="rows-not-split") from error


def _uncut(rows: int, error: Exception) -> str:
    return f"a training part of {rows:,} rows cannot be cut into inner parts: {error}"


def _splits_of(splitter: Any, codes: Ints, groups: Ints | None) -> Iterator[Parts]:
    return split_by(splitter, np.zeros((len(codes), 1)), codes, groups)


def split_by(splitter: Any, X: Any, y: Any, groups: Any) -> Iterator[Parts]:
    """Yield the parts of a splitter."""
    for train, test in splitter.split(X, y, groups):
        yield np.asarray(train, np.intp), np.asarray(test, np.intp)
