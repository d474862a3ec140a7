"""Schemes by name: how the rows are split, from holdout to nested cross-validation."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from plumbline._checks import near_names, shorten
from plumbline.errors import InputError, ParameterError, PlumblineError
from plumbline.random_streams import stream
from plumbline.validation.cutting import (
    Parts,
    bootstrap_parts,
    folds_of,
    holdout_parts,
    in_time_order,
    inner_folds,
    row_by_row,
    split_by,
    three_parts,
    whole,
)
from plumbline.validation.describing import text_of
from plumbline.validation.seeding import seeded_splitter
from plumbline.validation.splits import Split, split_of
from plumbline.validation.subjects import Subjects

# The first number of a stream's key: what the chance is for.
SPLITTING, INNER = 1, 2

Cut: TypeAlias = Callable[..., Iterator[Split]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One row of the table of schemes.

    Attributes
    ----------
    example : its text, whose numbers are the usual ones
    asks : what its numbers are
    cut : from rows, entropy and the numbers to splits
    grouped : whether it must be told groups, and never tears one apart
    searched : whether it has an inner part that only a search makes sense of
    ordered : whether rows are cut in the order of time
    """

    example: str
    asks: tuple[str, ...]
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
    honest : False where rows are measured that the model was fitted on
    grouped, searched, ordered : as in `Kind`
    cut : from rows and entropy to splits
    """

    name: str
    text: str
    cut: Callable[[Subjects, int], Iterable[Split]]
    honest: bool = True
    grouped: bool = False
    searched: bool = False
    ordered: bool = False

    def splits(self, rows: Subjects, entropy: int) -> tuple[Split, ...]:
        """Split the rows; the same entropy gives the same splits.

        Raises ParameterError where groups are needed, InputError where the rows do not suffice.
        """
        if self.grouped and rows.groups is None:
            raise ParameterError(
                f"the scheme {self.text!r} keeps groups together; pass groups=, one name a row"
            )
        try:
            return tuple(self.cut(rows, entropy))
        except PlumblineError:
            raise
        except ValueError as error:
            text = f"the rows cannot be split by the scheme {self.text!r}: {error}"
            raise InputError(text) from error


# ---------------------------------------------------------------- the cuts


def _folds(*, stratified: bool, grouped: bool = False) -> Cut:
    """Return the cut into folds."""

    def cut(rows: Subjects, entropy: int, folds: int) -> Iterator[Split]:
        chance = stream(entropy, SPLITTING)
        parts = folds_of(rows, folds, chance, stratified=stratified, grouped=grouped)
        return _numbered(parts, rows.n)

    return cut


def _repeated_folds(rows: Subjects, entropy: int, repeats: int, folds: int) -> Iterator[Split]:
    for repeat in range(repeats):
        chance = stream(entropy, SPLITTING, repeat)
        parts = folds_of(rows, folds, chance, stratified=True, grouped=False)
        yield from _numbered(parts, rows.n, repeat=repeat)


def _holdout(rows: Subjects, entropy: int, share: float) -> Iterator[Split]:
    yield from _repeated_holdout(rows, entropy, 1, share)


def _repeated_holdout(rows: Subjects, entropy: int, repeats: int, share: float) -> Iterator[Split]:
    for repeat in range(repeats):
        train, test = holdout_parts(rows, share, stream(entropy, SPLITTING, repeat))
        yield Split(repeat, 0, train, test)


def _bootstrap(rows: Subjects, entropy: int, samples: int) -> Iterator[Split]:
    for sample in range(samples):
        train, test = bootstrap_parts(rows, stream(entropy, SPLITTING, sample))
        yield Split(sample, 0, train, test)


def _three_parts(
    rows: Subjects, entropy: int, _: float, validation: float, test: float
) -> Iterator[Split]:
    yield three_parts(rows, validation, test, stream(entropy, SPLITTING))


def _nested(*, grouped: bool) -> Cut:
    """Return the cut into outer folds, whose training parts are cut into inner folds."""

    def cut(rows: Subjects, entropy: int, outer: int, inner: int) -> Iterator[Split]:
        folds = _folds(stratified=True, grouped=grouped)(rows, entropy, outer)
        return (with_inner(split, rows, inner, entropy) for split in folds)

    return cut


def _time_series(rows: Subjects, _: int, folds: int) -> Iterator[Split]:
    time = np.arange(rows.n) if rows.time is None else rows.time
    return _numbered(in_time_order(time, folds), rows.n)


def _alone(rows: Subjects, _: int) -> Iterator[Split]:
    return _numbered(row_by_row(rows), rows.n)


def _numbered(parts: Iterable[Parts], n: int, *, repeat: int = 0) -> Iterator[Split]:
    for fold, both in enumerate(parts):
        yield split_of(repeat, fold, both, n)


def with_inner(split: Split, rows: Subjects, folds: int, entropy: int) -> Split:
    """Return a split with inner folds of its training part, for a search to choose on.

    A row that a bootstrap sample holds several times stays on one side, and so does a group.
    """
    chance = stream(entropy, INNER, split.repeat, split.fold)
    inner = inner_folds(rows, split.train, folds, chance)
    return dataclasses.replace(split, inner=inner)


# ---------------------------------------------------------------- the table

KINDS = MappingProxyType(
    {
        row.example.partition(":")[0]: row
        for row in (
            Kind(example="holdout:0.3", asks=("share",), cut=_holdout),
            Kind(
                example="repeated-holdout:10,0.3",
                asks=("repeats", "share"),
                cut=_repeated_holdout,
            ),
            Kind(example="k-fold:10", asks=("folds",), cut=_folds(stratified=False)),
            Kind(example="stratified:10", asks=("folds",), cut=_folds(stratified=True)),
            Kind(example="repeated-stratified:5x2", asks=("repeats", "folds"), cut=_repeated_folds),
            Kind(
                example="grouped:5",
                asks=("folds",),
                cut=_folds(stratified=False, grouped=True),
                grouped=True,
            ),
            Kind(
                example="stratified-grouped:5",
                asks=("folds",),
                cut=_folds(stratified=True, grouped=True),
                grouped=True,
            ),
            Kind(example="time-series:5", asks=("folds",), cut=_time_series, ordered=True),
            Kind(example="leave-one-out", asks=(), cut=_alone),
            Kind(example="bootstrap:200", asks=("samples",), cut=_bootstrap),
            Kind(
                example="train-validation-test:0.6,0.2,0.2",
                asks=("train share", "validation share", "test share"),
                cut=_three_parts,
            ),
            Kind(
                example="nested:5x10",
                asks=("outer folds", "inner folds"),
                cut=_nested(grouped=False),
                searched=True,
            ),
            Kind(
                example="nested-grouped:5x5",
                asks=("outer folds", "inner folds"),
                cut=_nested(grouped=True),
                grouped=True,
                searched=True,
            ),
            Kind(example="resubstitution", asks=(), cut=lambda rows, _: iter([whole(rows)])),
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
        examples = ", ".join(repr(row.example) for row in KINDS.values())
        raise ParameterError(
            f"`scheme` must be like one of {examples}, or a scikit-learn splitter, got "
            f"{shorten(text)}{near_names(name, KINDS)}"
        )
    row = KINDS[name]
    wanted = given if colon else row.example.partition(":")[2]
    numbers = _numbers(row, wanted, text)
    return Scheme(
        name=name,
        text=f"{name}:{wanted.replace(' ', '')}" if wanted else name,
        cut=lambda rows, entropy: row.cut(rows, entropy, *numbers),
        honest=name != "resubstitution",
        grouped=row.grouped,
        searched=row.searched,
        ordered=row.ordered,
    )


def _numbers(row: Kind, given: str, text: str) -> list[float]:
    """Return the numbers of a scheme: counts of at least 1 or 2, shares between 0 and 1."""
    words = [word.strip() for word in re.split("[x,]", given)] if given else []
    try:
        if len(words) != len(row.asks):
            raise ValueError
        numbers = [_number(word, ask) for word, ask in zip(words, row.asks, strict=True)]
        if len(numbers) == 3 and abs(sum(numbers) - 1) > 1e-9:
            raise ValueError
    except ValueError:
        asks = ", ".join(row.asks) or "no number"
        raise ParameterError(
            f"the scheme {text!r} must be like {row.example!r} ({asks}; folds from 2 on, shares "
            "between 0 and 1, three shares sum to 1)"
        ) from None
    return numbers


def _number(word: str, ask: str) -> float:
    if ask.endswith("share"):
        number = float(word)
        sound = 0 < number < 1
    else:
        number = int(word)
        sound = number >= (2 if ask.endswith("folds") else 1)
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
            "`scheme` must be a text such as 'stratified:10' or a scikit-learn splitter (an object "
            f"with a method `split`), got {shorten(given)}"
        )

    def cut(rows: Subjects, entropy: int) -> Iterator[Split]:
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
