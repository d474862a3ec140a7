"""What a statistic does if the probabilities are true, and where the observed value lies in it."""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from plumbline.calibration import Statistic, Wide
from plumbline.calibration_tests.evidence import central_range, tails_of
from plumbline.calibration_tests.subject import Subject
from plumbline.errors import ParameterError
from plumbline.nulls import (
    TEXTBOOK,
    exact,
    resampled,
    saddlepoint,
    textbook_tails,
    why_not_exact,
)
from plumbline.progress import Progress
from plumbline.random_streams import Seed

Bounds = tuple[float, float]
NO_RANGE = (np.nan, np.nan)
ROUNDING = 1e-12  # of a mean, in units of the range
TINY = 1e-6  # a p-value whose size needs no second digit
WIDEST = 0.05  # of an exact p-value's bounds, relative to the lower one, without being asked for


@dataclass(frozen=True, slots=True, eq=False)
class Under:
    """The null of one statistic, seen from its observed value.

    Attributes
    ----------
    null : "exact", "resample" or "asymptotic"; method : how it was made, in words
    upper, lower : bounds of P(T >= observed) and of P(T <= observed)
    mean, central : mean and central 95 % range of the statistic
    values : (draws,) what was drawn, empty unless resampled
    """

    null: str
    method: str
    upper: Bounds
    lower: Bounds
    mean: float = np.nan
    central: Bounds = NO_RANGE
    values: Wide = field(default_factory=lambda: np.empty(0))

    def p_bounds(self, alternative: str) -> Bounds:
        """Return the bounds of the p-value: "greater", "less", or twice the smaller tail."""
        low, high = (
            min(1.0, 2 * min(up, down)) for up, down in zip(self.upper, self.lower, strict=True)
        )
        return {"greater": self.upper, "less": self.lower, "two-sided": (low, high)}[alternative]

    @property
    def settled(self) -> bool:
        """Tell whether the bounds of both tails are near enough to each other to be a p-value."""
        ends = (self.upper, self.lower)
        return all(high <= max((1.0 + WIDEST) * low, TINY) for low, high in ends)

    @property
    def constant(self) -> bool:
        """Tell whether the statistic is the same whatever happens."""
        return min(self.upper[1], self.lower[1]) >= 1.0

    def p_value(self, alternative: str) -> float:
        """Return the upper bound of the p-value, so that the test keeps its level."""
        return self.p_bounds(alternative)[1]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How labels are drawn: the arguments of `resampled`."""

    resamples: int = 999
    rng: Seed = 0
    workers: int | None = None
    progress: Progress | None = None


def under_null(name: str, subject: Subject, value: float, null: str, drawing: Drawing) -> Under:
    """Return the null that was asked for; "auto" is exact where that exists, else resampled."""
    what = subject.statistic
    if null == "asymptotic":
        return _asymptotic(name, subject, value)
    if null == "resample" or subject.like == "thesis":
        return drawn_null(subject, value, drawing)
    refusal = why_not_exact(what) if isinstance(what, Statistic) else _NO_SUM
    if refusal is None and isinstance(what, Statistic):
        found = _exact(what, value, drawing)
        if null == "exact" or found.settled:
            return found
        refusal = "the bounds of the exact p-value are too wide here"
    if null == "exact":
        raise ParameterError(f"`null` 'exact' is not possible here: {refusal}; use null='resample'")
    return drawn_null(subject, value, drawing, because=refusal)


_NO_SUM = "the statistic is not a sum over bins or points"


def drawn_null(
    subject: Subject, value: float, drawing: Drawing, because: str | None = None
) -> Under:
    """Return the null of labels drawn from the predictions held fixed."""
    values = resampled(
        subject.statistic,
        drawing.resamples,
        drawing.rng,
        workers=drawing.workers,
        progress=drawing.progress,
    )
    values.flags.writeable = False
    upper, lower = tails_of(values, value, like=subject.like)
    low, high = central_range(values)
    times = (
        f"consistency resampling: {len(values)} times all labels drawn from their own predictions"
    )
    return Under(
        null="resample",
        method=times if because is None else f"{times} ({because})",
        upper=(upper, upper),
        lower=(lower, lower),
        mean=float(values.mean()),
        central=(float(low), float(high)),
        values=values,
    )


def _exact(what: Statistic, value: float, drawing: Drawing) -> Under:
    found = exact(what, progress=drawing.progress)
    parts = "every bin's count of hits" if what.cells is not None else "every row's label"
    method = f"exact: the tail of the sum over {parts}, between bounds that hold all rounding"
    return _summed(found, value, "exact", method)


def _asymptotic(name: str, subject: Subject, value: float) -> Under:
    """Return the textbook's null where the test has one, else a saddlepoint approximation."""
    what = subject.statistic
    if name in TEXTBOOK:
        upper, lower = textbook_tails(name, what, value)
        method = "asymptotic: the textbook distribution for many rows"
        return Under("asymptotic", method, (upper, upper), (lower, lower))
    if not isinstance(what, Statistic):
        raise ParameterError(
            f"`null` 'asymptotic' is not known for {subject.spoken}; use null='resample'"
        )
    method = "asymptotic: saddlepoint approximation of the sum over rows and bins"
    return _summed(saddlepoint(what), value, "asymptotic", method)


class Summed(Protocol):
    """The null of a sum, exact or approximate."""

    @property
    def mean(self) -> float: ...  # noqa: D102

    def tails(self, value: float) -> tuple[Bounds, Bounds]: ...  # noqa: D102

    def central_range(self, level: float = 0.95) -> Bounds: ...  # noqa: D102


def _summed(found: Summed, value: float, null: str, method: str) -> Under:
    upper, lower = found.tails(value)
    low, high = found.central_range()
    mean = 0.0 if abs(found.mean) < ROUNDING * (high - low) else found.mean
    return Under(null, method, upper, lower, mean, (low, high))
