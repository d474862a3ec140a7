"""Draws of labels as one value: how many, from which seed, in how many threads."""

from dataclasses import dataclass

import numpy as np

from plumbline.calibration import Drawable, Wide
from plumbline.dependence import Strength
from plumbline.nulls.resampling import resampled
from plumbline.progress import Progress
from plumbline.random_streams import Seed

LEAST_DRAWS = 39  # fewer have no central 95 % range
FEWER_ALONE = 5  # of so many draws one is of independent labels


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often labels are drawn, from which seed, and in how many threads.

    `pooled` is how strongly rows of a group depend, where the whole table tells it.
    """

    resamples: int = 999
    rng: Seed = 0
    workers: int | None = None
    progress: Progress | None = None
    pooled: Strength | None = None

    def draw(self, what: Drawable) -> Wide:
        """Return the statistic of labels drawn from the predictions held fixed."""
        return resampled(
            what,
            self.resamples,
            self.rng,
            workers=self.workers,
            progress=self.progress,
            pooled=self.pooled,
        )

    def draw_alone(self, what: Drawable) -> Wide:
        """Return a fifth as many values, of labels that do not depend; none without groups.

        Their variance tells how much rows in groups are worth, at a fifth of the cost of the draws.
        """
        draws = self.resamples // FEWER_ALONE
        if what.groups is None or draws < LEAST_DRAWS:
            return np.empty(0)
        alone = Strength.none()
        return resampled(what, draws, self.rng, workers=self.workers, pooled=alone)
