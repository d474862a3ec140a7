"""The same curve in every group of an attribute, and the formula that keeps a group's rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plumbline._checks import nearest, shown
from plumbline._result import Detail, Note, Presentation, Result, Table
from plumbline.binning import Grouping, grouping
from plumbline.binning.groups import MISSING
from plumbline.curves.curve import draw_curve
from plumbline.curves.lines import Curve, curve_title, whose
from plumbline.curves.presets import CurveSettings
from plumbline.curves.recipe import rows_where
from plumbline.curves.target_rows import Attributes
from plumbline.errors import FormulaError, InputError, ParameterError
from plumbline.formatting import counted, number, quoted, sentence
from plumbline.predictions import Predictions, count_examples
from plumbline.predictions.labels import days_of
from plumbline.progress import Progress, with_shares


@dataclass(frozen=True, repr=False, eq=False)
class Subgroup(Result):
    """A group of rows, and the curve of it.

    Attributes
    ----------
    name : its name; where : the formula that keeps its rows; n : how many examples it has
    curve : the curve, None where there is none
    reason : why there is no curve, or none of its lines has a point
    """

    name: str
    where: str
    n: int
    curve: Curve | None = None
    reason: str | None = None

    def present(self) -> Presentation:
        """Return how many examples the group has, and the areas of its lines."""
        lines = () if self.curve is None else self.curve.lines
        areas = [Detail("area", "area", number(line.area)) for line in lines[:1]]
        return Presentation(
            subject=f"{self.name}\n  {self.where}",
            summary=f"No curve: {self.reason}." if self.reason else "",
            details=(Detail("n", "examples", f"{self.n:,}"), *(areas if len(lines) == 1 else ())),
            formulas=True,
        )


@dataclass(frozen=True, repr=False, eq=False)
class SubgroupCurves(Result):
    """The curves of all groups of an attribute.

    Attributes
    ----------
    by : the attribute; unit : what the groups' n counts, "row" or "example"
    settings : how every curve is drawn: as that of all rows, but without resampling
    groups : the groups, in the order of `group_rows`
    notes : how many rarer values were left out
    """

    by: str
    unit: str
    settings: CurveSettings
    groups: Sequence[Subgroup]
    notes: Sequence[Note] = ()

    def present(self) -> Presentation:
        """Return the groups with their examples, and the area of every line."""
        rows = [
            (group, line)
            for group in self.groups
            for line in (() if group.curve is None else group.curve.lines)
        ]
        none = [(group, None) for group in self.groups if group.curve is None]
        named = [(group, whose(line) if line else "", line) for group, line in (*rows, *none)]
        columns = {
            "group": [group.name for group, _, _ in named],
            f"{self.unit}s": [f"{group.n:,}" for group, _, _ in named],
            "line": [name for _, name, _ in named],
            "area": [number(None if line is None else line.area) for _, _, line in named],
            "reason": [(line.reason if line else group.reason) or "" for group, _, line in named],
        }
        for name in ("line", "reason"):
            if not any(columns[name]):
                del columns[name]
        return Presentation(
            subject=f"{curve_title(self.settings)} by {self.by}",
            notes=tuple(Note(sentence(note), note.code) for note in self.notes),
            tables=(Table(columns, left=("group", "line", "reason")),) if named else (),
            formulas=True,
        )


def curves_by_group(
    data: Predictions,
    settings: CurveSettings,
    *,
    by: str,
    most: int = 6,
    progress: Progress | None = None,
) -> SubgroupCurves:
    """Return the curve of every group of an attribute.

    Parameters
    ----------
    data : Predictions
        Rows of one or several models.
    settings : CurveSettings
        Those of the curve of all rows; a bootstrap band is left out.
    by : str
        Name of an attribute. A number is cut into groups as by `group_rows`.
    most : int, default 6
        Largest number of categories, the most frequent ones.
    progress : callable, optional
        Called with (steps done, steps in all).

    Returns
    -------
    SubgroupCurves
        The groups with their curves, or why one has none.

    Raises
    ------
    ParameterError
        For an unknown attribute.
    InputError, FormulaError
        Where the filter of the settings leaves no row, or cannot be understood.

    Examples
    --------
    >>> from plumbline.curves import curve
    >>> rain = {"place": ["sea", "land"] * 4}
    >>> data = Predictions.from_arrays([0, 0, 1, 1] * 2, np.arange(8) / 8, attributes=rain)
    >>> curves = curves_by_group(data, curve(data, "roc").settings, by="place")
    >>> [(group.name, group.n, group.curve.areas) for group in curves.groups]
    [('land', 4, (0.75,)), ('sea', 4, (0.75,))]
    """
    if by not in data.attributes:
        have = shown(list(data.attributes)) if data.attributes else "none"
        raise ParameterError(
            code="unknown-name",
            argument="by",
            rule="an attribute",
            arrived=quoted(by),
            near=nearest(by, data.attributes),
            remedy=f"this table has {have}",
        )
    settings = replace(settings, band="none" if settings.band == "bootstrap" else settings.band)
    rows = rows_where(data, settings.where)
    groups, notes = _groups_of(rows, by, most)
    return SubgroupCurves(
        by=by,
        unit=count_examples(rows).unit,
        settings=settings,
        groups=[
            _drawn(group, data, settings, share) for group, share in with_shares(groups, progress)
        ],
        notes=notes,
    )


def both_conditions(where: str | None, group: Subgroup) -> str:
    """Return the formula that keeps the rows of a group among those of a curve."""
    return group.where if where is None else f"({where}) and ({group.where})"


def _drawn(
    group: Subgroup, data: Predictions, settings: CurveSettings, progress: Progress | None
) -> Subgroup:
    own = replace(settings, where=both_conditions(settings.where, group))
    try:
        curve = draw_curve(data, own, settings.seed or 0, progress)
    except (InputError, FormulaError, ParameterError) as error:
        return replace(group, reason=str(error))
    reasons = dict.fromkeys(line.reason for line in curve.lines if line.reason)
    empty = all(len(line) == 0 for line in curve.lines)
    return replace(group, curve=curve, reason="; ".join(reasons) if empty else None)


def _groups_of(data: Predictions, by: str, most: int) -> tuple[list[Subgroup], list[Note]]:
    """Return the groups of an attribute, those of `group_rows`, and notes on those left out.

    Of a category only the `most` frequent values are kept.
    """
    parts, fit = grouping(data, by), Attributes(data.attributes)
    slim = replace(data, prob=None, log_prob=None, label=None, score=None, attributes={})
    rows = np.bincount(parts.code[parts.code >= 0], minlength=len(parts.names))
    order = np.argsort(-rows, kind="stable").tolist()
    kept = order if parts.number else sorted(order[:most])
    named = parts.number or fit.values(by).dtype == bool  # "35" alone would not say of what
    groups = [
        Subgroup(
            name=parts.label(place) if named else parts.names[place],
            where=_condition(parts, place, fit),
            n=count_examples(slim.select(where=parts.code == place)).n,
        )
        for place in sorted(kept)
    ]
    rest = order[len(kept) :]
    if not rest:
        return groups, []
    left = count_examples(slim.select(where=np.isin(parts.code, rest)))
    text = f"{counted(len(rest), 'rarer value')} left out, {counted(left.n, left.unit)}"
    return groups, [Note(text, "rarer-values")]


def _condition(parts: Grouping, place: int, fit: Attributes) -> str:
    """Return the formula that keeps the rows of one group of an attribute."""
    by, name = parts.attribute, parts.names[place]
    ticked = "`" + by.replace("`", "``") + "`"
    if place < len(parts.bounds):
        low, high = (None if end is None else _written(end) for end in parts.bounds[place])
        if low == high:
            return f"{ticked} == {ticked if low is None else low}"
        above = [] if low is None else [f"{ticked} > {low}"]
        return " and ".join([*above, *([] if high is None else [f"{ticked} <= {high}"])])
    if fit.values(by).dtype == bool:
        return ticked if name == "True" else f"not {ticked}"
    named = f"{ticked} == {_quoted(' '.join(name.split()))}"
    if name != MISSING:
        return named
    return f"isnan({ticked}) or {named}" if MISSING in fit.names(by) else f"isnan({ticked})"


def _written(end: Any) -> str:
    """Return an end of a group as a formula writes it: a number, or a date.

    A quoted date is the whole day, so of values with a time of day the end is their number of days.
    """
    if not isinstance(end, np.datetime64):
        return repr(float(end))
    if np.datetime_data(end.dtype)[0] == "D":
        return _quoted(str(end))
    return repr(float(days_of(np.asarray(end))))


def _quoted(name: str) -> str:
    r"""Return a text as a formula writes it.

    >>> print(_quoted("it's"))
    'it\'s'
    """
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
