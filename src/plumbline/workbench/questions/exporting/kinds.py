"""Which kinds of questions become files, and by what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plumbline.workbench.questions.exporting import of_calibration, of_curves, of_models
from plumbline.workbench.questions.exporting.made import Made
from plumbline.workbench.questions.inquiry import Inquiry

PICTURES = ("svg", "png", "pdf")
ALWAYS = ("csv", "json", "html")


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of question becomes files.

    Attributes
    ----------
    make : what returns what it makes
    drawn : whether it is a picture
    coded : whether code of a few calls makes it
    guarded : whether it has a number worth guarding
    """

    make: Callable[[Inquiry], Made]
    drawn: bool = True
    coded: bool = True
    guarded: bool = False

    @property
    def formats(self) -> tuple[str, ...]:
        """What it can be downloaded as."""
        return (
            *(PICTURES if self.drawn else ()),
            *ALWAYS,
            *(("py",) if self.coded else ()),
            *(("pytest",) if self.guarded else ()),
        )


EXPORTED: Mapping[str, Kind] = {
    "curve": Kind(of_curves.curve, guarded=True),
    "reading": Kind(of_curves.reading, drawn=False, guarded=True),
    "optimum": Kind(of_curves.optimum, guarded=True),
    "iso-cost": Kind(of_curves.iso_cost, drawn=False, coded=False),
    "subgroups": Kind(of_curves.subgroups),
    "cases": Kind(of_curves.cases),
    "difference": Kind(of_curves.difference),
    "reliability": Kind(of_calibration.reliability, guarded=True),
    "calibration-test": Kind(of_calibration.calibration_test, guarded=True),
    "diagnosis": Kind(of_calibration.diagnosis),
    "groups": Kind(of_calibration.groups),
    "sensitivity": Kind(of_calibration.sensitivity),
    "plan": Kind(of_calibration.plan),
    "recalibration": Kind(of_calibration.recalibration),
    "scores": Kind(of_models.scores, drawn=False, guarded=True),
    "compare": Kind(of_models.compare),
    "confusion": Kind(of_models.confusion, guarded=True),
    "cell": Kind(of_models.cell, drawn=False, coded=False),
}
