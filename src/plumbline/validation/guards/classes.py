"""Guards that count classes: in the training parts, and against the number of folds."""

from collections.abc import Iterator, Sequence

import numpy as np

from plumbline._checks import shown
from plumbline.errors import InputError
from plumbline.formatting import counted
from plumbline.validation.guards.answers import ERROR, WARNING, Finding, as_rows
from plumbline.validation.guards.columns import Codes
from plumbline.validation.splits import Split


def missing_classes(y: Codes, classes: Sequence[str], splits: Sequence[Split]) -> Iterator[Finding]:
    """Yield a finding a class that has no row in some training part."""
    k = len(classes)
    present = np.bincount(y, minlength=k) > 0
    absent = np.array([np.bincount(y[split.train], minlength=k) == 0 for split in splits])
    for c in np.flatnonzero(present & absent.any(axis=0)).tolist():
        places = [s for s, gone in zip(splits, absent[:, c], strict=True) if gone]
        first = f"fold {places[0].fold} of repeat {places[0].repeat}"
        more = f" and of {counted(len(places) - 1, 'other')}" if len(places) > 1 else ""
        rows = as_rows(np.flatnonzero(y == c))
        yield Finding(
            "class-missing",
            WARNING,
            f"class {classes[c]!r} ({counted(len(rows), 'row')}: {shown(rows)}) has none in the "
            f"training part of {first}{more}: the model fitted there gives it probability 0; use "
            "fewer or stratified folds, or join rare classes",
            rows,
        )


def smaller_than_folds(
    y: Codes, classes: Sequence[str], splits: Sequence[Split]
) -> Iterator[Finding]:
    """Yield a finding if a class has fewer rows than there are folds to stand in."""
    folds = outer_folds(splits, len(y))
    yield from _too_few(y, classes, folds, where="folds")
    inner = [split for split in splits if len(split.inner) > 1]
    few: dict[str, Finding] = {}
    for split in inner:
        for finding in _too_few(y[split.train], classes, len(split.inner), where="inner folds"):
            rows = as_rows(np.unique(split.train[list(finding.row_numbers)]))
            few.setdefault(
                finding.text, Finding(finding.name, finding.severity, finding.text, rows)
            )
    yield from list(few.values())[:1]


def need_class_for_folds(y: Codes, classes: Sequence[str], folds: int, *, where: str) -> None:
    """Refuse to cut rows into stratified folds where no class reaches into all of them.

    Raises InputError that says how many folds there may be.
    """
    for finding in _too_few(y, classes, folds, where=where):
        if finding.severity == ERROR:
            raise InputError(finding.text)


def outer_folds(splits: Sequence[Split], n: int) -> int:
    """Return the most folds of a repeat that part all rows among them; 0 where none does.

    Holdouts and bootstrap samples do not part the rows, and in leave-one-out each row is a fold.
    """
    sizes: dict[int, list[int]] = {}
    for split in splits:
        sizes.setdefault(split.repeat, []).append(len(split.test))
    parted = [len(tests) for tests in sizes.values() if sum(tests) == n and len(tests) < n]
    return max(parted, default=0)


def _too_few(y: Codes, classes: Sequence[str], folds: int, *, where: str) -> Iterator[Finding]:
    counts = np.bincount(y, minlength=len(classes))
    small = np.flatnonzero((counts > 0) & (counts < folds))
    if not len(small):
        return
    none = not (counts >= folds).any()
    text = ", ".join(f"{classes[c]!r} ({counted(int(counts[c]), 'row')})" for c in small[:8])
    said = (
        f"no class has a row for each of {folds} {where}: {text}"
        if none
        else f"fewer rows than {folds} {where} have the classes {text}: some folds lack them, and "
        "their measures jump or are missing"
    )
    rows = as_rows(np.flatnonzero(np.isin(y, small)))
    most = max(2, int(counts[small].min()))
    fewer = f"take at most {most} {where}, or " if counts.max() > 1 else ""
    yield Finding(
        "class-smaller-than-folds",
        ERROR if none else WARNING,
        f"{said}; {fewer}join rare classes",
        rows,
    )
