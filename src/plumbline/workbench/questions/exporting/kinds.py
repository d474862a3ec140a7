"""Which kinds of questions become files, and by what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plumbline.plots.figures import has_picture
from plumbline.requests import REQUESTS
from plumbline.workbench.questions.exporting import of_calibration, of_curves, of_models
from plumbline.workbench.questions.exporting.artifact import Artifact
from plumbline.workbench.questions.inquiry import Inquiry

PICTURES = ("svg", "png", "pdf")
ALWAYS = ("csv", "json", "html")


@dataclass(frozen=True, slots=True)
class ExportKind:
    """How a kind of question becomes files.

    Attributes
    ----------
    make : what returns what it makes
    drawn : whether it is a picture
    coded : whether code of a few calls makes it
    """

    make: Callable[[Inquiry], Artifact]
    drawn: bool = True
    coded: bool = True

    @property
    def formats(self) -> tuple[str, ...]:
        """What it can be downloaded as."""
        return (
            *(PICTURES if self.drawn else ()),
            *ALWAYS,
            *(("py",) if self.coded else ()),
        )


EXPORTED: Mapping[str, ExportKind] = {
    "curve": ExportKind(of_curves.curve),
    "reading": ExportKind(of_curves.reading, drawn=False),
    "optimum": ExportKind(of_curves.optimum),
    "iso-cost": ExportKind(of_curves.iso_cost, drawn=False, coded=False),
    "subgroups": ExportKind(of_curves.subgroups),
    "cases": ExportKind(of_curves.cases),
    "difference": ExportKind(of_curves.difference),
    "reliability": ExportKind(of_calibration.reliability),
    "recalibration": ExportKind(of_calibration.recalibration),
    "scores": ExportKind(of_models.scores, drawn=False),
    "compare": ExportKind(of_models.compare),
    "confusion": ExportKind(of_models.confusion),
    "cell": ExportKind(of_models.cell, drawn=False, coded=False),
    **{
        row.name: ExportKind(
            of_calibration.of_request,
            drawn=has_picture(row.signature.returns),
            coded=of_calibration.is_public(row.name),
        )
        for row in REQUESTS.values()
        if row.room
    },
}
