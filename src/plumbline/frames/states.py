"""States of the same table: joined if columns and classes are the same, else refused."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plumbline._checks import shown
from plumbline.errors import InputError, ParameterError
from plumbline.file_endings import STATE_ENDINGS
from plumbline.formatting import quoted
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.state_file import read_state

ROLES = {
    "actual": "the column of labels",
    "prob": "the columns of probabilities",
    "targets": "the classes of these columns",
    "groups": "the columns of models, folds and repeats",
    "view": "the view that is counted",
    "predicted": "the column of predicted labels",
    "attributes": "the attributes",
}


def is_state(name: Any) -> bool:
    """Tell whether a file is a state by its name."""
    return Path(name).suffix.lower() in STATE_ENDINGS


def join_states(whole: LevelCounts, more: LevelCounts, named: str) -> None:
    """Add other rows of the same table, which messages call `named`; `more` is used up.

    Raises
    ------
    InputError
        Where columns or classes are others; then nothing was added.
    """
    for field, role in ROLES.items():
        mine, other = getattr(whole.columns, field), getattr(more.columns, field)
        if mine != other:
            raise InputError(
                f"rows of one state must have the same columns: {role} is {shown(_listed(other))} "
                f"in {quoted(named)}, and {shown(_listed(mine))} in the state",
                code="columns-differ",
            )
    classes = list(dict.fromkeys([*map(_plain, whole.names), *map(_plain, more.names)]))
    if len(classes) > 2 and len(more.names) < 3:
        raise InputError(
            f"rows of one state must have the same classes: the state has {shown(whole.names)}, "
            f"{quoted(named)} has {shown(more.names)}",
            code="classes-differ",
        )
    mine, other = whole.columns.positive, more.columns.positive
    if None not in (mine, other) and str(mine) != str(other):
        raise InputError(
            f"the positive class is {quoted(str(other))} in {quoted(named)}, and "
            f"{quoted(str(mine))} in the state",
            code="classes-differ",
        )
    if mine is None and other is not None:
        whole.columns = replace(whole.columns, positive=other)
    whole.merge(more)


def read_states(paths: Sequence[Any], how: Mapping[str, Any]) -> LevelCounts:
    """Return the rows of some states together; `how` names what was said on reading them."""
    given = [name for name, value in how.items() if value]
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
        join_states(whole, read_state(Path(path)), str(path))
    return whole


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, tuple) else (value,)


def _plain(name: str) -> str:
    return name.removesuffix(".0")
