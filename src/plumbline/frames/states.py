"""States of the same table: joined if columns and classes are the same, else refused."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plumbline._checks import shown
from plumbline.errors import InputError, ParameterError
from plumbline.file_endings import STATE_ENDINGS
from plumbline.formatting import quoted
from plumbline.frames.columns import PREDICTED, CountedColumns, plain_name
from plumbline.frames.contents import need_new
from plumbline.frames.late_labels import need_apart
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.state_file import read_state
from plumbline.predictions.columns import PROB, class_marked

SAME = {
    "actual": "column of labels",
    "groups": "columns of models, folds and repeats",
    "view": "view",
    "predicted": "column of predicted labels",
    "attributes": "attributes",
}


def is_state(name: Any) -> bool:
    """Tell whether a file is a state by its name."""
    return Path(name).suffix.lower() in STATE_ENDINGS


def join_states(whole: LevelCounts, more: LevelCounts, named: str, *, again: bool = False) -> None:
    """Add other rows of the same table, which messages call `named`; `more` is used up.

    Of two classes one table may have two columns of probabilities and the other one, as the
    probability of one class is counted.

    Raises
    ------
    InputError
        Where columns or classes are others, or both hold rows of the same file that are not to
        count `again`; then nothing was added.
    """
    need_new(whole.contents, more.contents, again=again)
    need_apart(whole.late, more.late, again=again)
    mine, other = whole.columns, more.columns
    for field, role in SAME.items():
        _need_same(role, getattr(other, field), getattr(mine, field), named)
    if mine.many or other.many:
        _need_same("columns of probabilities", other.prob, mine.prob, named)
        _need_same("classes of these columns", other.targets, mine.targets, named)
    if {*whole.names} != {*more.names}:
        _spell_alike(whole)
        _spell_alike(more)
    classes = list(dict.fromkeys([*whole.names, *more.names]))
    if len(classes) > 2 and len(more.names) < 3:
        raise _other_classes(f"the classes {shown(more.names)}", shown(whole.names), named)
    ours, theirs = (None if one.positive is None else str(one.positive) for one in (mine, other))
    if None not in (ours, theirs) and ours != theirs:
        raise _other_classes(f"the positive class {shown([theirs])}", shown([ours]), named)
    if not mine.many and (mine.prob, mine.targets) != (other.prob, other.targets):
        _need_same_probability(other, mine, classes, named)
        mine = max(mine, other, key=lambda one: (None not in one.targets, len(one.prob)))
    positive = other.positive if whole.columns.positive is None else whole.columns.positive
    whole.columns = replace(mine, positive=positive)
    whole.merge(more)


def _need_same_probability(
    other: CountedColumns, mine: CountedColumns, classes: Sequence[str], named: str
) -> None:
    """Refuse two classes of which the probabilities of different ones are counted."""
    counted = [one.counted_class(classes) for one in (other, mine)]
    if counted[0] != counted[1]:
        raise InputError(
            "rows that are added up must have probabilities of the same class: "
            f"{quoted(named)} has those of {quoted(counted[0])}, the rows so far have those of "
            f"{quoted(counted[1])}",
            code="columns-differ",
            remedy="count both with `prob`, which names one column, of the same class",
        )
    chosen = {one.prob[-1] for one in (other, mine) if not _only_a_part(one.prob[-1])}
    if len(chosen) > 1:
        _need_same("columns of probabilities", other.prob, mine.prob, named)


def _only_a_part(column: str) -> bool:
    """Tell whether a name says what a column is and no more, so that it may be called otherwise."""
    return column == "y_prob" or class_marked(column, PROB) is not None


def _need_same(role: str, other: Any, mine: Any, named: str) -> None:
    if other != mine:
        raise InputError(
            f"rows that are added up must have the same {role}: {quoted(named)} has "
            f"{_listed(other)}, the rows so far have {_listed(mine)}",
            code="columns-differ",
        )


def _other_classes(theirs: str, mine: str, named: str) -> InputError:
    return InputError(
        f"rows that are added up must have the same classes: {quoted(named)} has {theirs}, the "
        f"rows so far have {mine}",
        code="classes-differ",
    )


def go_on(whole: LevelCounts, more: LevelCounts, named: str, *, again: bool = False) -> None:
    """Add rows that were counted as those which the files of a state had still to bring.

    Raises as `join_states` does; then nothing was added.
    """
    before = whole.late
    whole.late = {key: one for key, one in before.items() if key not in more.late}
    try:
        join_states(whole, more, named, again=again)
    except InputError:
        whole.late = before
        raise


def read_states(
    paths: Sequence[Any], how: Mapping[str, Any], *, again: bool = False
) -> LevelCounts:
    """Return the rows of some states together; `how` names what was said on reading them."""
    given = [name for name, value in how.items() if value]
    if "groups" in dict(how.get("rename") or {}).values():
        raise ParameterError(
            "`groups` says which rows belong together, and a state holds counts by probability, "
            "which do not; files of rows can be read in groups, a state as independent rows",
            code="groups-of-state",
            argument="groups",
            remedy="leave it out if rows are independent, or read the files of the rows instead",
        )
    if given:
        raise ParameterError(
            f"`{given[0]}` says how to read a table, and a state holds rows that were read already",
            code="argument-beside-another",
            argument=given[0],
            remedy="leave it out",
        )
    others = [str(path) for path in paths if not is_state(path)]
    if others:
        raise InputError(
            f"states and tables cannot be read together, got {shown(others)} beside a state",
            code="mixed-files",
            remedy="make a state of the tables first: plumbline state update STATE FILE",
        )
    first, *rest = paths
    whole = read_state(Path(first))
    for path in rest:
        join_states(whole, read_state(Path(path)), str(path), again=again)
    return whole


def _listed(value: Any) -> str:
    several = value if isinstance(value, tuple) else (value,)
    return shown([one for one in several if one is not None]) or "none"


def _spell_alike(counts: LevelCounts) -> None:
    """Call labels 1 and not 1.0, as a part of a table may have them as text or as numbers."""
    counts.names[:] = map(plain_name, counts.names)
    if counts.columns.predicted is not None:
        at = counts.columns.keys.index(PREDICTED)
        counts.groups = {
            (*key[:at], plain_name(key[at]), *key[at + 1 :]): held
            for key, held in counts.groups.items()
        }
