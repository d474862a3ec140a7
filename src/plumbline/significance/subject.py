"""What a calibration test is about: a statistic of the labels, and the names it goes by."""

from dataclasses import dataclass
from typing import Any

from plumbline.binning import Binning
from plumbline.calibration import Drawable, OwnDistance, Setting, statistic
from plumbline.predictions import Predictions

ALL_CLASSES = "all-classes"


@dataclass(frozen=True, slots=True)
class Ask:
    """What a caller said about the statistic; None is "the usual"."""

    view: str | None = None
    bins: str | Binning | None = None
    distance: str | OwnDistance | None = None
    outcome: str | None = None
    like: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A statistic of the labels with the names it goes by.

    Attributes
    ----------
    spoken : its name in a sentence
    view, scheme, distance, outcome : what it looks at; None where the question does not arise
    statistic : the function of the labels
    setting : what exactly is measured, where it is a calibration error
    parts : what else the answer tells of the observed labels, such as estimates
    """

    spoken: str
    view: str
    scheme: str | None
    distance: str | None
    outcome: str | None
    statistic: Drawable
    setting: Setting | None = None
    parts: tuple[dict[str, Any], ...] = ()

    @property
    def like(self) -> str | None:
        """Whose conventions it follows, None for this project's own."""
        return None if self.setting is None else self.setting.like


def subject_of(data: Predictions, chosen: Setting) -> Subject:
    """Return the calibration error of a setting as what is tested."""
    kind = "" if chosen.distance == "absolute" else f" ({chosen.distance} distance)"
    return Subject(
        spoken=f"{chosen.name} ECE{kind}",
        view=chosen.name,
        scheme="distinct-vectors" if chosen.bins is None else str(chosen.bins),
        distance=chosen.distance,
        outcome=chosen.outcome,
        statistic=statistic(data, chosen),
        setting=chosen,
    )
