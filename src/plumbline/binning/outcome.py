"""Bins that depend on the outcomes, so that every set of labels has bins of its own."""

from dataclasses import dataclass
from typing import ClassVar, NoReturn

from plumbline.binning.schemes import Floats
from plumbline.errors import ParameterError


@dataclass(frozen=True, slots=True)
class OutcomeBinning:
    """Bins that are chosen by looking at what happened; a null chooses them anew for every draw."""

    name: ClassVar[str]

    def edges(self, score: Floats, weight: Floats | None) -> NoReturn:
        """Refuse: scores alone do not say."""
        raise ParameterError(
            f"`bins` {self.name!r} depend on the outcomes, which are not looked at here; use for "
            "instance 'equal-size:15', or measure with plumbline.calibration_error"
        )

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Isotonic(OutcomeBinning):
    """The constant pieces of the isotonic fit of the outcomes (Dimitriadis et al. 2021)."""

    name: ClassVar[str] = "isotonic"


@dataclass(frozen=True, slots=True)
class MonotoneSweep(OutcomeBinning):
    """The largest number of equal-size bins up to which outcome shares rise (Roelofs et al. 2022).

    From one bin on, as long as no bin has a smaller share of outcomes than the one before it.
    """

    name: ClassVar[str] = "monotone-sweep"
