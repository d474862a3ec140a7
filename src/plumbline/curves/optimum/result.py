"""What the search for the best threshold answers with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plumbline.results import Result, shown

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


@dataclass(frozen=True, repr=False, eq=False)
class BestThreshold(Result):
    """The best threshold for a formula, and how sure that is.

    Attributes
    ----------
    y : the formula; goal : "max" or "min"; subject_to : the constraint, or None
    sort_by : what the threshold is one of; target : the class that counts as positive
    n : rows
    threshold : rows at or above it are accepted; inf where accepting none is best
    value : of the formula at that threshold on these rows, which flatters
    accepted, accepted_share : weight of the accepted rows, and its share
    TP, FP, TN, FN : counts at the threshold
    plateau : closed intervals (low, high) of thresholds that cannot be told from the best one
    plateau_share : share of the range of the sort values that they cover
    value_at_half, gain : the value at threshold 0.5, and by how much the best one is better; None
        where rows are not sorted by a probability
    honest_value : the value where every row is decided by a threshold chosen without it
    optimism : by how much `value` is better than `honest_value`
    level, resamples, folds : of the plateau, and of the honest value
    verdict : the answer in plain words; notes : what else to know
    reason : why there is no threshold
    thresholds, values : (s,) the whole curve; allowed : whether the constraint holds there;
        in_plateau : whether it cannot be told from the best
    """

    y: str
    goal: str
    subject_to: str | None
    sort_by: str
    target: str
    n: int
    threshold: float
    value: float
    accepted: float
    accepted_share: float
    TP: float
    FP: float
    TN: float
    FN: float
    plateau: Sequence[tuple[float, float]]
    plateau_share: float
    value_at_half: float | None
    gain: float | None
    honest_value: float
    optimism: float
    level: float
    resamples: int
    folds: int
    verdict: str
    notes: Sequence[str] = ()
    reason: str | None = None
    thresholds: Floats = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})
    values: Floats = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})
    allowed: Truths = field(default_factory=lambda: np.empty(0, bool), metadata={"hidden": True})
    in_plateau: Truths = field(default_factory=lambda: np.empty(0, bool), metadata={"hidden": True})

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield everything short, the plateau as intervals, and a line a note."""
        for name, text in super().shown_lines():
            if name == "plateau":
                pairs = (f"{shown(low)} to {shown(high)}" for low, high in self.plateau)
                yield name, ", ".join(pairs) or "none"
            elif name == "notes":
                yield from (("note", note) for note in self.notes)
            else:
                yield name, text
