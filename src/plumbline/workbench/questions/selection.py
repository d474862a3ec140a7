"""Which rows a question is about: its models, folds, filter, weights and target class."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from plumbline.curves import rows_where
from plumbline.predictions import Predictions
from plumbline.requests import fields_of, flag, name_list
from plumbline.requests.kinds import text

PANEL = {
    "models": name_list,
    "folds": name_list,
    "where": text,
    "weighted": flag,
    "target": text,
    "groups": text,
}


@dataclasses.dataclass(frozen=True, slots=True)
class Selection:
    """What the data panel says.

    Attributes
    ----------
    models, folds : names to keep, None for all
    where : formula of the rows to keep, None for all
    weighted : whether weights count, where the table has any
    target : the class that counts as positive, None for that of the table
    groups : the attribute that says which rows belong together, None for the groups of the table
    """

    models: tuple[str, ...] | None = None
    folds: tuple[str, ...] | None = None
    where: str | None = None
    weighted: bool = True
    target: str | None = None
    groups: str | None = None

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Selection":
        """Read the section `data` of a question."""
        given = fields.get("data")
        data = fields_of({} if given is None else given, PANEL, "`data` of the question")
        for name in ("models", "folds"):
            if name in data:
                data[name] = tuple(data[name])
        if not data.get("where", "").strip():
            data.pop("where", None)
        return cls(**data)


def chosen(data: Predictions, selection: Selection) -> Predictions:
    """Return the models and folds that were chosen; the filter is left to whoever draws."""
    if selection.models is not None:
        data = data.select(model=list(selection.models))
    if selection.folds is not None:
        data = data.select(fold=list(selection.folds))
    if data.weight is not None and not data.counted and not selection.weighted:
        data = dataclasses.replace(data, weight=None)
    if selection.target is not None:
        data = dataclasses.replace(data, positive=data.class_number(selection.target))
    return data if selection.groups is None else data.in_groups(selection.groups)


def filtered(data: Predictions, selection: Selection) -> Predictions:
    """Return the rows that were chosen and that the filter keeps."""
    return rows_where(chosen(data, selection), selection.where)
