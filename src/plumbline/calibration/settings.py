"""What exactly is measured: view, bins, distance, outcome, with every default filled in."""

import warnings
from dataclasses import dataclass, field, replace
from typing import Any

from plumbline._checks import near_names, one_of, shorten
from plumbline.binning import Binning, SplitBinning, as_in_thesis, binning_of
from plumbline.calibration.distances import (
    DISTANCES,
    AsInThesis,
    Distance,
    OwnDistance,
    adds_up,
    distance_of,
    infinite_if_impossible,
)
from plumbline.errors import ParameterError, PlumblineWarning
from plumbline.predictions import Predictions, only_predictions

VIEWS = ("top-label", "classwise", "one-vs-rest", "joint")
PRESETS = ("thesis",)


@dataclass(frozen=True, slots=True)
class Setting:
    """What exactly is measured; every default is filled in and every name checked.

    Attributes
    ----------
    view, distance, outcome, target : as in `calibration_error`; the distance by its name
    bins : how the scores are placed; None for groups of equal vectors
    like : whose conventions of binning and of infinity these are; None for this project's own
    own : the distance of the user's own that `distance` names, if it is one
    """

    view: str
    bins: Binning | None
    distance: str
    outcome: str
    target: str | None = None
    like: str | None = None
    own: Distance | None = field(default=None, repr=False)

    def __str__(self) -> str:
        bins = "distinct vectors" if self.bins is None else str(self.bins)
        outcome = ", outcome: correct" if self.mixed else ""
        like = "" if self.like is None else f", like: {self.like}"
        return f"{self.name}, {bins}, {self.distance}{outcome}{like}"

    @property
    def rule(self) -> Distance:
        """The distance of a share and a mean probability, as a function."""
        known = DISTANCES.get(self.distance, self.own)
        if known is None:
            raise ParameterError(f"`distance` {self.distance!r} has no function")
        return known if self.like is None else AsInThesis(known)

    @property
    def ours(self) -> "Setting":
        """The same question by this project's own conventions."""
        bins = self.bins.ours if isinstance(self.bins, SplitBinning) else self.bins
        return replace(self, bins=bins, like=None)

    @property
    def name(self) -> str:
        """The view as the command line spells it: "one-vs-rest:CLASS" with its class."""
        return self.view if self.target is None else f"{self.view}:{self.target}"

    @property
    def mixed(self) -> bool:
        """Tell whether the score is P(class) but the outcome whether the answer is right."""
        return self.view == "one-vs-rest" and self.outcome == "correct"


def setting(
    data: Predictions,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str | OwnDistance = "absolute",
    outcome: str | None = None,
    *,
    like: str | None = None,
) -> Setting:
    """Fill in the defaults for this data and check every name."""
    only_predictions(data).need_one_model("a calibration error")
    kind, target = _view(data, view)
    name, rule = distance_of(distance)
    if kind == "one-vs-rest" and target is None:
        if data.k > 2:
            raise ParameterError(
                f"`view` 'one-vs-rest' needs its class where there are {data.k}: write "
                f"'one-vs-rest:{data.classes[0]}', or use 'classwise' for all of them"
            )
        target = data.classes[data.positive]
    if target is not None:
        data.class_number(target)
    if kind == "joint":
        _check_joint(bins, name)
    wanted = _outcome(kind, outcome)
    if wanted == "correct" and kind == "one-vs-rest" and infinite_if_impossible(rule):
        raise ParameterError(
            f"`distance` {name!r} with `outcome` 'correct' is infinite whenever a class of "
            "probability 0 is rightly not answered; use 'absolute' or 'square', or view='top-label'"
        )
    scheme = None if kind == "joint" else binning_of("equal-width:15" if bins is None else bins)
    own = None if name in DISTANCES else rule
    return _like(data, Setting(kind, scheme, name, wanted, target, own=own), like)


def _check_joint(bins: str | Binning | None, distance: str) -> None:
    if bins is not None:
        raise ParameterError(
            f"`view` 'joint' groups equal probability vectors and takes no `bins`, got "
            f"{shorten(str(bins))}"
        )
    adds_up(distance)


def _like(data: Predictions, chosen: Setting, like: str | None) -> Setting:
    """Return the setting by the conventions of a preset, where one is asked for."""
    if like is None:
        return chosen
    one_of("like", like, PRESETS)
    if chosen.bins is None:
        raise ParameterError(
            f"`like` {like!r} has no view 'joint'; use 'top-label', 'classwise' or 'one-vs-rest'"
        )
    if data.weight is not None:
        raise ParameterError(
            f"`like` {like!r} knows no weights, but these rows have some; leave the weights out, "
            "or ask without `like`"
        )
    return replace(chosen, bins=as_in_thesis(chosen.bins), like=like)


def _view(data: Predictions, view: Any) -> tuple[str, str | None]:
    """Split "one-vs-rest:CLASS"; None is the default for this data."""
    if view is None:
        return ("one-vs-rest" if data.k == 2 else "top-label"), None
    kind, colon, target = str(view).partition(":")
    one_of("view", kind, VIEWS)
    if colon and (kind != "one-vs-rest" or not target):
        need = "takes no class" if target else "needs a class behind its colon"
        raise ParameterError(f"`view` {kind!r} {need}, got {view!r}")
    return kind, target or None


def _outcome(kind: str, outcome: str | None) -> str:
    usual = "correct" if kind == "top-label" else "class"
    if outcome is None:
        return usual
    one_of("outcome", outcome, ("class", "correct"))
    if outcome == usual:
        return outcome
    if kind != "one-vs-rest":
        raise ParameterError(f"`view` {kind!r} has `outcome` {usual!r}, got {outcome!r}")
    warnings.warn(
        "the score is the probability of a class but the outcome is whether the answer was right: "
        "a low score with a right answer counts as an error. For P(the answer is right) use "
        "view='top-label'",
        PlumblineWarning,
        stacklevel=4,
    )
    return outcome


def binary_lens(data: Predictions, chosen: Setting, purpose: str) -> Predictions:
    """Return the two-class table that a binary view sees; `purpose` says what needs one."""
    if chosen.view == "top-label":
        return data.top_label()
    if chosen.view == "one-vs-rest":
        return data.one_vs_rest(chosen.target)
    raise ParameterError(
        f"{purpose} shows one binary view, 'top-label' or 'one-vs-rest:CLASS', got "
        f"{chosen.name!r}{near_names(chosen.view, VIEWS[:1])}"
    )
