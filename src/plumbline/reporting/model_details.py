"""A closer look at one model: bins, parts of scores, many errors, diagnosis, groups, time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from plumbline._result import Note, Presentation, Result
from plumbline.calibration import BINARY_VIEWS
from plumbline.calibration_errors import BinSensitivity, CalibrationTest, CorpCurve, bin_sensitivity
from plumbline.calibration_errors.corp_curve import corp_curve
from plumbline.calibration_tests import Diagnosis, diagnose
from plumbline.errors import InputError
from plumbline.formatting import sentence
from plumbline.metrics import Measures, measure
from plumbline.monitoring import Monitoring
from plumbline.monitoring.over_time import over_time
from plumbline.nulls import LEAST_DRAWS
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed
from plumbline.reporting.group_chapter import GroupChapter, group_chapter
from plumbline.requests import REQUESTS, Request

MOST_DRAWS = 199  # enough for the level 0.05, and a fifth of the cost of 999
SCORES = ("brier-score", "log-loss")
ERRORS = (
    *("ece", "overconfidence", "underconfidence", "ace", "sce", "rmsce", "mce", "debiased-l2"),
    *("sweep-ece", "smooth-ece", "ici", "kolmogorov-smirnov"),
    *("calibration-in-the-large", "calibration-slope"),
)
ALL_SECTIONS = tuple(row for row in REQUESTS.values() if row.section)
OF_MANY = ("sce",)  # of two classes it repeats the ECE


@dataclass(frozen=True, repr=False, eq=False)
class ModelDetails(Result):
    """What a report says of one model beyond its errors, tests and diagrams.

    Attributes
    ----------
    resamples : how often the labels were drawn, unless a part says otherwise
    sensitivity : the calibration error with few bins and many
    corp : the CORP curve with the parts of the Brier score, and with those of the log loss
    metrics : a dozen errors, each at its usual setting
    diagnosis : the shape of the miscalibration
    groups : calibration in groups of rows; None without attributes and with few classes
    over_time : whether calibration changed between windows; None without an attribute of time
    more : answers of the requests that have a section of their own, by the name of the request
    """

    resamples: int
    sensitivity: BinSensitivity
    corp: Sequence[CorpCurve]
    metrics: Measures
    diagnosis: Diagnosis
    groups: GroupChapter | None
    over_time: Monitoring | None
    more: Mapping[str, Result]

    def present(self) -> Presentation:
        """Return the diagnosis, and what the number of bins, the groups and time say."""
        own = self.diagnosis.present()
        groups = None if self.groups is None else self.groups.present()
        notes = [Note(self.sensitivity.present().summary, "bins")]
        notes += [] if groups is None else [Note(groups.summary, "groups"), *groups.notes]
        notes += [Note(self.over_time.present().summary, "time")] if self.over_time else []
        tables = (*own.tables, *self.metrics.present().tables)
        return replace(own, notes=(*own.notes, *notes), tables=tables)


def model_details(
    data: Predictions,
    *,
    view: str | None,
    test: CalibrationTest | None,
    resamples: int,
    attributes: int,
    rng: Seed,
    workers: int | None,
    progress: Progress | None,
    sites: str | None = None,
    merged: Predictions | None = None,
) -> ModelDetails:
    """Return the closer look at a table of one model, through a binary view.

    `view` is what the report was asked; where it has several events, the usual binary view is
    taken. `test`: of all classes, decides whether they have a diagnosis. `attributes`: how many may
    have a picture. `sites`: the attribute that requests by sites are asked about. `merged`: the
    table by its probabilities, for what asks nothing else of the rows.

    >>> data = Predictions.from_arrays([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9])
    >>> details = model_details(
    ...     data,
    ...     view=None,
    ...     test=None,
    ...     resamples=99,
    ...     attributes=6,
    ...     rng=0,
    ...     workers=None,
    ...     progress=None,
    ... )
    >>> details.corp[0].view, details.diagnosis.shape, details.groups is None
    ('one-vs-rest:1', 'none', True)
    """
    binary_view = view if view is not None and view.partition(":")[0] in BINARY_VIEWS else None
    draws = max(LEAST_DRAWS, min(MOST_DRAWS, resamples))
    draw_params: dict[str, Any] = {"resamples": draws, "rng": rng, "workers": workers}

    def part_params(start: float, stop: float) -> dict[str, Any]:
        return {"view": binary_view, "progress": share_of(progress, start, stop), **draw_params}

    few = data if merged is None else merged
    names = [name for name in ERRORS if data.k > 2 or name not in OF_MANY]
    return ModelDetails(
        resamples=draws,
        sensitivity=bin_sensitivity(few, **part_params(0.0, 0.2)),
        corp=(
            corp_curve(few, score=SCORES[0], **part_params(0.2, 0.25)),
            corp_curve(few, score=SCORES[1], **part_params(0.25, 0.3)),
        ),
        metrics=measure(few, names, **part_params(0.3, 0.6)),
        diagnosis=diagnose(
            data, test=test if binary_view is None else None, **part_params(0.6, 0.7)
        ),
        groups=group_chapter(data, most=attributes, **part_params(0.7, 1.0)),
        over_time=over_time(data, resamples=draws, rng=rng),
        more={
            row.name: _answered(row, data, {**part_params(1.0, 1.0), "by": sites})
            for row in ALL_SECTIONS
            if sites is not None or "by" not in row.signature.parameters
        },
    )


def parts_by_key(details: ModelDetails | None) -> dict[str, Any]:
    """Return the parts of a closer look by their keys in `report --json`, None without one."""
    names = [one.name for one in fields(ModelDetails) if one.name not in ("resamples", "more")]
    own = {name: getattr(details, name, None) for name in names}
    more = {} if details is None else details.more
    return own | {row.name.replace("-", "_"): more.get(row.name) for row in ALL_SECTIONS}


@dataclass(frozen=True, repr=False, eq=False)
class NotAnswered(Result):
    """A request that these rows cannot answer, and why."""

    reason: str

    def present(self) -> Presentation:
        """Return the reason."""
        return Presentation(summary=sentence(self.reason))


def sections(details: Sequence[ModelDetails | None]) -> tuple[Request, ...]:
    """Return the requests that have a section of their own in a report of these models."""
    names = {name for one in details if one is not None for name in one.more}
    return tuple(row for row in ALL_SECTIONS if row.name in names)


def _answered(row: Request, data: Predictions, params: Mapping[str, Any]) -> Result:
    """Return the answer to a request with the settings of the report that it knows."""
    known = {name: params[name] for name in row.signature.parameters if name in params}
    progress = known.pop("progress", None)
    try:
        ((_, result),) = row.answer(data, known, progress)
    except InputError as error:
        return NotAnswered(str(error))
    return result
