"""Every method tried on the table: mended out of part, and what that did to every row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import whole_number
from plumbline.advisor.chance import Copies
from plumbline.advisor.parts import Cut
from plumbline.advisor.shapes import Shape, mean_shape, shape_of, tied
from plumbline.advisor.suitable import MANY_NUMBERS
from plumbline.errors import PlumblineError
from plumbline.predictions import Predictions
from plumbline.predictions.labels import rows_of_codes
from plumbline.progress import Progress
from plumbline.recalibration import RecalibrationMap, fit_map
from plumbline.recalibration.fitting import CrossFitted, cross_fitted
from plumbline.scores import brier_losses, own_log_probability

MOST_KEPT = 2**29  # bytes of mended tables that are kept until one is chosen


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """What every row lost: (n,) log losses, infinite where p was 0, and (n,) Brier scores."""

    log_loss: NDArray[np.float64]
    brier_score: NDArray[np.float64]

    @classmethod
    def of(cls, data: Predictions) -> "Losses":
        """Return the losses of a table with probabilities."""
        return cls(0.0 - own_log_probability(data), brier_losses(data))


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """A table as it is before or after a map.

    Attributes
    ----------
    losses : of every row; None of ratings
    shape : mean over the parts, within which one map keeps one order
    tied : (n,) whether a row ties with another one of its part
    """

    losses: Losses | None
    shape: Shape
    tied: NDArray[np.bool_]

    @classmethod
    def of(cls, data: Predictions, cut: Cut) -> "Looks":
        """Look at the table part by part."""
        shapes, masses, ties = [], [], np.zeros(data.n, np.bool_)
        for rows in rows_of_codes(cut.part).values():
            inside = data.select(where=rows)
            shapes.append(shape_of(inside))
            masses.append(float(inside.mass.sum()))
            ties[rows] = tied(inside)
        losses = None if data.prob is None else Losses.of(data)
        return cls(losses, mean_shape(shapes, masses), ties)


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One method tried; `reason` says why it could not be, and all else is None or empty."""

    method: str
    after: Looks | None = None
    table: Predictions | None = None
    parameters: int = 0
    notes: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What every method is tried on, and held against.

    Attributes
    ----------
    data : table of one model; read : what maps read of it
    reference : the same; of ratings every row has the shares of the classes in the other parts
    cut : the parts; copies : rows whose labels are drawn together
    """

    data: Predictions
    read: str
    reference: Predictions
    cut: Cut
    copies: Copies

    def mended(self, method: str) -> CrossFitted:
        """Return the table, every part mended by a map of the other parts."""

        def fit(rows: Predictions) -> RecalibrationMap:
            return fit_map(rows, method, on=self.read)

        return cross_fitted(self.data, fit, parts=self.cut.part)

    def losses_without(self, method: str, first: int, second: int) -> Losses:
        """Return the losses of the rows of two parts, by a map that has seen neither."""
        apart = np.isin(self.cut.part, (first, second))
        fitted = fit_map(self.data.select(where=~apart), method, on=self.read)
        return Losses.of(fitted.applied(self.data.select(where=apart)))


def tried(
    asked: Asked,
    methods: Mapping[str, str | None],
    *,
    workers: int | None,
    progress: Progress | None,
) -> list[Trial]:
    """Try the methods that have no reason against them, in threads; the others keep their reason.

    Those of k x k numbers are tried one after another, after all others: matrix products take all
    cores by themselves, and in several threads at once they would wait for each other. A method
    that some part cannot be fitted by says why, and is left out.
    """
    wanted = [name for name, reason in methods.items() if reason is None]
    keep = asked.data.n * asked.data.k * 16 * len(wanted) <= MOST_KEPT
    quick = [name for name in wanted if name not in MANY_NUMBERS]
    alone = (_one(asked, name, keep) for name in wanted if name in MANY_NUMBERS)
    trials = chain(_in_threads(asked, quick, keep=keep, workers=workers), alone)
    found: dict[str, Trial] = {}
    for done, trial in enumerate(trials, start=1):
        found[trial.method] = trial
        if progress is not None:
            progress(done, len(wanted))
    return [found.get(name) or Trial(name, reason=reason) for name, reason in methods.items()]


def _in_threads(asked: Asked, names: Sequence[str], *, keep: bool, workers: int | None) -> Any:
    """Yield a trial a method, in their order; the answer depends on no thread."""
    import joblib

    return in_threads(workers)(joblib.delayed(_one)(asked, name, keep) for name in names)


def in_threads(workers: int | None) -> Any:
    """Return joblib's threads as a generator; all cores where nobody has configured them."""
    import joblib

    jobs = None if workers is None else whole_number("workers", workers, least=1)
    if jobs is None:
        configured = joblib.effective_n_jobs(None)
        jobs = configured if configured > 1 else -1
    return joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator")


def _one(asked: Asked, name: str, keep: bool) -> Trial:
    try:
        mended = asked.mended(name)
    except PlumblineError as error:
        return Trial(name, reason=str(error))
    notes = dict.fromkeys(note for one in mended.maps for note in one.notes)
    return Trial(
        method=name,
        after=Looks.of(mended.table, asked.cut),
        table=mended.table if keep else None,
        parameters=max(one.parameters for one in mended.maps),
        notes=tuple(notes),
    )
