"""A scheme of this project's own that is placed by another project's rule."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from plumbline.binning.schemes import EqualSize, EqualWidth, Floats, Home

# (n,) scores and the number of bins asked for -> (n,) bins, -1 for none.
Rule: TypeAlias = Callable[[Floats, int], Home]
Whole: TypeAlias = EqualWidth | EqualSize


@dataclass(frozen=True, slots=True)
class Foreign:
    """What another project means by the name of a scheme.

    Attributes
    ----------
    ours : the scheme by this project's own conventions
    rule : where the other one puts the scores
    extra : bins it has beyond those asked for
    single : whether it looks at the scores in float32, whatever they are

    >>> from plumbline.binning.presets import torchmetrics_width
    >>> Foreign(EqualWidth(2), torchmetrics_width, extra=1).homes(
    ...     np.array([0.4, 0.5, 1.0])
    ... ).tolist()
    [0, 1, 2]
    """

    ours: Whole
    rule: Rule = field(repr=False)
    extra: int = 0
    single: bool = False

    @property
    def bins(self) -> int:
        """Number of bins."""
        return self.ours.bins + self.extra

    def edges(self, score: Floats, weight: Floats | None) -> None:
        """Return None: no edges (lo, hi] would put every score where the rule does."""
        return

    def homes(self, score: Floats) -> Home:
        """Return the bin of every score, 0 .. bins - 1, or -1 for none."""
        seen = score.astype(np.float32) if self.single else score
        return self.rule(seen, self.ours.bins)

    def __str__(self) -> str:
        return str(self.ours)
