"""What a report says of groups of rows: attribute by attribute, the worst slices, many classes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from plumbline._result import Note, Presentation, Result
from plumbline.binning import grouping, why_not_unasked
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import sentence
from plumbline.group_calibration import (
    ClassHeatMap,
    ConditionalBias,
    GroupCalibration,
    SliceSearch,
    calibration_by,
    class_heat_map,
    conditional_bias,
    worst_slice,
)
from plumbline.predictions import Predictions, need_single_rows
from plumbline.progress import Progress, share_of
from plumbline.reporting.limits import why_left_out

MOST_ATTRIBUTES = 6  # of one model that have a picture
LEAST_ATTRIBUTES = 1  # however many models there are
ALL_MODELS = 6  # pictures of attributes on a page, about
MOST_GROUPS = 20  # of a category that is tested group by group
PER_GROUP = 25  # draws a group, so that Holm's adjustment lets one of them be rejected
CROSSED = 12  # so many attributes are searched two at a time, more of them one by one
MAPPED = 20  # from so many classes on there is a heat map


@dataclass(frozen=True, repr=False, eq=False)
class GroupChapter(Result):
    """Calibration in groups of the rows of one model.

    Attributes
    ----------
    categories : bias, error and test of every group of an attribute that holds categories
    numbers : the bias along every attribute that holds numbers
    slices : the worst slices of all attributes; None where there is nothing to search
    heat_map : classes by score bins, where there are 20 classes or more
    left_out : attributes without a picture, because there are too many
    unusable : attributes that cannot be looked at, with the reason
    reason : why no slices were searched, where there are attributes
    """

    categories: Sequence[GroupCalibration]
    numbers: Sequence[ConditionalBias]
    slices: SliceSearch | None
    heat_map: ClassHeatMap | None
    left_out: Sequence[str]
    unusable: Sequence[str]
    reason: str | None = None

    def present(self) -> Presentation:
        """Return the worst slices, and what was found attribute by attribute."""
        parts = [*self.categories, *self.numbers]
        parts += [] if self.heat_map is None else [self.heat_map]
        notes = [Note(part.present().summary, "attribute") for part in parts]
        notes += [Note(sentence(self.reason), "no-slices")] if self.reason else []
        slices = Presentation() if self.slices is None else self.slices.present()
        return replace(slices, notes=(*slices.notes, *notes))

    @property
    def attributes(self) -> list[str]:
        """Return the names of the attributes that have a picture."""
        return [one.by for one in self.categories] + [one.feature for one in self.numbers]


def attributes_shown(models: int) -> int:
    """Return how many attributes of one model have a picture, if there are so many models.

    >>> [attributes_shown(models) for models in (1, 3, 20)]
    [6, 2, 1]
    """
    return max(LEAST_ATTRIBUTES, min(MOST_ATTRIBUTES, ALL_MODELS // models))


def group_chapter(
    data: Predictions, *, view: str | None, most: int, progress: Progress | None, **draw_params: Any
) -> GroupChapter | None:
    """Return what is known of the groups of a table of one model, None without any.

    `most`: attributes that have a picture, the first in the table that can have one.
    """
    if not data.attributes and data.k < MAPPED:
        return None
    names = list(data.attributes)
    categories: list[GroupCalibration] = []
    numbers: list[ConditionalBias] = []
    left_out, unusable = [], []
    for place, name in enumerate(names):
        bar = share_of(progress, 0.7 * place / len(names), 0.7 * (place + 1) / len(names))
        params = {"view": view, "progress": bar, **draw_params}
        if reason := why_not_unasked(data, name):
            unusable.append(f"{name}: {reason}")
            continue
        groups = grouping(data, name)
        if reason := _why_not(groups.names):
            unusable.append(f"{name}: {reason}")
        elif len(categories) + len(numbers) == most:
            left_out.append(name)
        elif groups.cut and data.counted:
            unusable.append(f"{name}: numbers, whose single rows are needed")
        elif groups.cut:  # else a number of so few values is a category
            numbers.append(conditional_bias(data, name, **params))
        else:
            params["resamples"] = max(draw_params["resamples"], PER_GROUP * len(groups.names) - 1)
            categories.append(calibration_by(data, name, **params))
    last = {"progress": share_of(progress, 0.7, 1.0), **draw_params}
    slices, reason = _slices(data, view, last)
    return GroupChapter(
        categories=tuple(categories),
        numbers=tuple(numbers),
        slices=slices,
        heat_map=_heat_map(data, last),
        left_out=tuple(left_out),
        unusable=tuple(unusable),
        reason=reason,
    )


def _why_not(groups: Sequence[str]) -> str | None:
    if len(groups) < 2:
        return "only one group"
    if len(groups) > MOST_GROUPS:
        return f"{len(groups):,} values, more than {MOST_GROUPS}"
    return None


def _slices(
    data: Predictions, view: str | None, params: dict[str, Any]
) -> tuple[SliceSearch | None, str | None]:
    """Return the worst slices, or why none can be searched: few rows, attributes of one value."""
    if not data.attributes:
        return None, None
    depth = 2 if len(data.attributes) <= CROSSED else 1
    try:
        need_single_rows(data, "worst_slice")
        return worst_slice(data, view=view, depth=depth, **params), None
    except (InputError, ParameterError) as error:
        return None, why_left_out(error, data)


def _heat_map(data: Predictions, params: dict[str, Any]) -> ClassHeatMap | None:
    if data.k < MAPPED:
        return None
    return class_heat_map(data, **{**params, "resamples": None})
