"""The closer look as the page shows it: a picture beside every part, with a name for each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plumbline._result import Result
from plumbline.formatting import counted, printed, view_words
from plumbline.group_calibration import ConditionalBias, GroupCalibration
from plumbline.plots import (
    conditional_bias_figure,
    corp_figure,
    diagnosis_figure,
    group_figure,
    heat_map_figure,
    monitoring_figure,
    sensitivity_figure,
)
from plumbline.plots.figures import has_picture
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.model_details import ModelDetails, sections

if TYPE_CHECKING:
    from markupsafe import Markup


CLASSES_SHOWN = 60  # rows of a heat map that still can be told apart on a page


@dataclass(frozen=True, slots=True)
class GroupPicture:
    """One attribute with its picture.

    Attributes
    ----------
    kind : "category" or "number"; name : of the attribute
    result : what was computed of its groups
    """

    kind: str
    name: str
    picture: "Markup"
    result: GroupCalibration | ConditionalBias


@dataclass(frozen=True, slots=True)
class DetailPictures:
    """The pictures of a closer look at one model."""

    sensitivity: "Markup"
    corp: "Markup"
    diagnosis: "Markup"
    groups: Sequence[GroupPicture]
    heat_map: "Markup | None"
    over_time: "Markup | None"
    more: Mapping[str, "Markup"]


def detail_pictures(gallery: Gallery, name: str, details: ModelDetails) -> DetailPictures:
    """Draw the closer look at the model of this name."""
    brier, heat_map = details.corp[0], None if details.groups is None else details.groups.heat_map
    return DetailPictures(
        sensitivity=gallery.draw(
            sensitivity_figure(details.sensitivity),
            f"Calibration error of {name} by number of bins. {details.sensitivity.verdict}",
            title=f"Error by number of bins, {name}",
            rows=details.sensitivity.rows(),
        ),
        corp=gallery.draw(
            corp_figure(brier),
            f"CORP diagram of {name}, {view_words(brier.view)}: "
            f"{counted(len(brier.steps), 'piece')}, "
            f"miscalibration {printed(brier.miscalibration)}, expected if calibrated "
            f"{printed(brier.null_mean)}",
            title=f"CORP diagram, {name}",
            rows=brier.rows(),
        ),
        diagnosis=gallery.draw(
            diagnosis_figure(details.diagnosis),
            f"Diagnosis of {name}. {details.diagnosis.statement}",
            title=f"Diagnosis, {name}",
            rows=details.diagnosis.rows(),
        ),
        groups=tuple(_group_pictures(gallery, name, details)),
        heat_map=None
        if heat_map is None
        else gallery.draw(
            heat_map_figure(heat_map, most=CLASSES_SHOWN, verdict=False),
            f"Heat map of {name}: classes by score bins. {heat_map.verdict}",
            title=f"Classes by score bins, {name}",
            rows=heat_map.rows(),
        ),
        over_time=None
        if details.over_time is None
        else gallery.draw(
            monitoring_figure(details.over_time),
            f"Calibration of {name} over time. {details.over_time.present().summary}",
            title=f"Calibration over time, {name}",
            rows=[one.to_dict() for one in details.over_time.windows],
        ),
        more={
            row.name: _usual_picture(gallery, name, row.section, details.more[row.name])
            for row in sections([details])
            if has_picture(type(details.more[row.name]).__name__)
        },
    )


def _usual_picture(gallery: Gallery, name: str, section: str, result: Result) -> "Markup":
    label = f"{section}, {name}. {result.present().summary}"
    return gallery.draw(
        result.figure(), label, title=f"{section}, {name}", rows=list(result.rows())
    )


def _group_pictures(gallery: Gallery, name: str, details: ModelDetails) -> Iterator[GroupPicture]:
    if details.groups is None:
        return
    for one in details.groups.categories:
        yield _category(gallery, name, one)
    for along in details.groups.numbers:
        yield _number(gallery, name, along)


def _category(gallery: Gallery, name: str, groups: GroupCalibration) -> GroupPicture:
    label = (
        f"Bias of {name} by {groups.by}: {counted(len(groups.groups), 'group')}. {groups.verdict}"
    )
    figure = group_figure(groups, title=False, verdict=False)
    title = f"{name} by {groups.by}"
    picture = gallery.draw(figure, label, title=title, rows=groups.rows())
    return GroupPicture("category", groups.by, picture, groups)


def _number(gallery: Gallery, name: str, bias: ConditionalBias) -> GroupPicture:
    bins = counted(len(bias.bins), "bin")
    label = f"Bias of {name} along {bias.feature}: {bins}. {bias.verdict}"
    figure = conditional_bias_figure(bias, title=False, verdict=False)
    title = f"{name} along {bias.feature}"
    picture = gallery.draw(figure, label, title=title, rows=bias.rows())
    return GroupPicture("number", bias.feature, picture, bias)
