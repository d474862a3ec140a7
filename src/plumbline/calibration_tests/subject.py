"""What a calibration test is about: a statistic of the labels, and the names it goes by."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plumbline.binning import Binning
from plumbline.calibration import Measurable, OwnDistance, Setting, setting, statistic
from plumbline.errors import PlumblineWarning, level_of_caller
from plumbline.formatting import counted
from plumbline.predictions import Predictions, examples_in

ALL_CLASSES = "all-classes"
ONLY_ERRORS = ("norm", "representative", "threshold", "counting")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What a caller said about the statistic; None is "the usual"."""

    view: str | None = None
    bins: str | Binning | None = None
    distance: str | OwnDistance | None = None
    outcome: str | None = None
    like: str | None = None
    norm: float | str | None = None
    representative: str | None = None
    threshold: float | None = None
    counting: str | None = None
    score: str | Callable[..., Any] | None = None

    def setting(self, data: Predictions) -> Setting:
        """Return the calibration error that is asked for, with every default filled in."""
        distance = "absolute" if self.distance is None else self.distance
        others = {name: getattr(self, name) for name in ONLY_ERRORS}
        given = {name: value for name, value in others.items() if value is not None}
        return setting(data, self.view, self.bins, distance, self.outcome, like=self.like, **given)


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
    statistic: Measurable
    setting: Setting | None = None
    parts: tuple[dict[str, Any], ...] = ()

    @property
    def like(self) -> str | None:
        """Whose conventions it follows, None for this project's own."""
        return None if self.setting is None else self.setting.like


def warn_of_copies(data: Predictions) -> None:
    """Warn where several rows are of one example, which a null takes for independent."""
    examples = examples_in(data)
    if examples < data.n:
        text = (
            f"{counted(data.n, 'row')} are of {counted(examples, 'example')} (`row` column): every "
            "row is one draw here, so p-values come out too small and ranges too narrow; take one "
            "repeat, for instance data.select(repeat=...)"
        )
        warnings.warn(text, PlumblineWarning, stacklevel=level_of_caller())


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
