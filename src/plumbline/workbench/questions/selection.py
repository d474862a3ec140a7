"""Which rows a question is about: its models, folds, filter, weights and target class."""

import dataclasses

from plumbline.curves.recipe import rows_where
from plumbline.predictions import Predictions
from plumbline.workbench.questions.params import Params


@dataclasses.dataclass(frozen=True, slots=True)
class Selection:
    """What the data panel says.

    Attributes
    ----------
    models, folds : names to keep, None for all
    where : formula of the rows to keep, None for all
    weighted : whether weights count, where the table has any
    target : the class that counts as positive, None for that of the table
    """

    models: tuple[str, ...] | None = None
    folds: tuple[str, ...] | None = None
    where: str | None = None
    weighted: bool = True
    target: str | None = None

    @classmethod
    def of(cls, params: Params) -> "Selection":
        """Read the section `data` of a question."""
        data = params.section("data")
        models, folds = data.names("models"), data.names("folds")
        where = data.text("where")
        return cls(
            models=None if models is None else tuple(models),
            folds=None if folds is None else tuple(folds),
            where=where if where and where.strip() else None,
            weighted=data.flag("weighted", True),
            target=data.text("target"),
        )


def chosen(data: Predictions, selection: Selection) -> Predictions:
    """Return the models and folds that were chosen; the filter is left to whoever draws."""
    if selection.models is not None:
        data = data.select(model=list(selection.models))
    if selection.folds is not None:
        data = data.select(fold=list(selection.folds))
    if data.weight is not None and not selection.weighted:
        data = dataclasses.replace(data, weight=None)
    if selection.target is not None:
        data = dataclasses.replace(data, positive=data.class_number(selection.target))
    return data


def filtered(data: Predictions, selection: Selection) -> Predictions:
    """Return the rows that were chosen and that the filter keeps."""
    return rows_where(chosen(data, selection), selection.where)
