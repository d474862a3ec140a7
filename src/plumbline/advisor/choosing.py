"""Which maps are shown to help, and which of these is taken."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.advisor.losses import Change, Rows, paired_change
from plumbline.advisor.suitable import FEW_NUMBERS
from plumbline.advisor.trying import Losses, Trial
from plumbline.comparison.answers import below

# They can leave probabilities as they are, and err by few numbers: that the numbers they fit are
# wrong is enough to take them. Platt scaling of the probability changes even calibrated ones.
CAREFUL = tuple(name for name in FEW_NUMBERS if name != "platt-on-probability")


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One method with its changes.

    Attributes
    ----------
    p_value, adjusted : of what it can correct, alone and among all that was tested
    helps : whether the map is shown to help
    mean : log loss after
    """

    trial: Trial
    losses: Losses
    log_loss: Change
    brier: Change
    p_value: float
    adjusted: float
    helps: bool
    mean: float


def shown(method: str, change: Change, adjusted: float, refuted: float, *, level: float) -> bool:
    """Return whether a map is shown to lower the log loss.

    The probabilities must be refuted by all tests together (`refuted`, their p-value). Then a map
    helps whose interval lies below 0. Of one of the `CAREFUL`, which fit few numbers and do little
    harm, a lower log loss is enough where the test of these numbers rejects too (`adjusted`): a
    free curve errs by more than a slight miscalibration costs. studies/advisor.py measures it.
    """
    if not (below(refuted, level) and change.difference < 0):
        return False
    return change.interval_range[1] < 0 or (method in CAREFUL and below(adjusted, level))


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The map of least log loss among those that help, others as good, and the one to take."""

    best: Judged
    near: tuple[Judged, ...]
    taken: Judged


def choice_of(
    judged: Sequence[Judged], rows: Rows, *, level: float, ratings: bool
) -> Choice | None:
    """Return which map to take, None where it is best to take none.

    It is the one of fewest fitted numbers among the best and those that cannot be told from it:
    that help too, whose difference from the best has an interval that holds 0, and whose log loss
    is higher by no more than `_margin`. Ratings must be mapped, so of theirs the best is taken
    where none helps.
    """
    able = [one for one in judged if one.helps]
    if not able:
        best = min(judged, key=_order) if ratings else None
        return None if best is None else Choice(best, (), best)
    best = min(able, key=_order)
    margin = _margin(best, rows, level)
    near = tuple(
        one
        for one in able
        if one is not best
        and one.mean - best.mean <= margin
        and not _told_apart(best, one, rows, level)
    )
    return Choice(best, near, min((best, *near), key=lambda one: (one.trial.parameters, one.mean)))


def _order(one: Judged) -> tuple[float, int]:
    return one.mean, one.trial.parameters


def _margin(best: Judged, rows: Rows, level: float) -> float:
    """Return the width of the interval of the best one's gain: what these rows tell at all.

    An interval that is wide because the other map fails badly in a few rows is no sign that it is
    as good. Where the gain is infinite, it is the width of the log loss's own interval.
    """
    low, high = best.log_loss.interval_range
    if not np.isfinite(high - low):
        loss = best.losses.log_loss
        low, high = paired_change(np.zeros(len(loss)), loss, rows, level=level).interval_range
    return high - low if np.isfinite(high - low) else 0.0


def _told_apart(best: Judged, other: Judged, rows: Rows, level: float) -> bool:
    change = paired_change(best.losses.log_loss, other.losses.log_loss, rows, level=level)
    return below(change.p_value, level)
