"""An observed value beside its null: mean and range if calibrated, excess, and the p-value."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from plumbline._checks import whole_number
from plumbline.binning import Bins
from plumbline.calibration import (
    Drawable,
    ErrorDefinition,
    ProfileStatistic,
    Statistic,
    Wide,
    statistic,
)
from plumbline.calibration_tests.named_tests import Subject
from plumbline.errors import ParameterError
from plumbline.nulls import (
    TEXTBOOK,
    TIE,
    exact,
    observed,
    resampled,
    saddlepoint,
    textbook_tails,
    why_not_exact,
)
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.scores import impossible_rows

IMPOSSIBLE = "what happened had been given a probability that is, or rounds to, 0"
LEAST_DRAWS = 39  # fewer have no central 95 % range
NO_RANGE = f"no 95 % range: fewer than {LEAST_DRAWS} resamples"


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The observed value of a statistic beside its values under the null."""

    chosen: ErrorDefinition
    data: Predictions
    statistic: Statistic | ProfileStatistic
    value: float
    null_values: Wide

    @property
    def common(self) -> dict[str, Any]:
        """The fields every result about this evidence shares."""
        low, high = central_range(self.null_values)
        bins = self.chosen.bins
        mean = float(self.null_values.mean()) if len(self.null_values) else np.nan
        return {
            "view": self.chosen.name,
            "scheme": "distinct-vectors" if bins is None else str(bins),
            "distance": self.chosen.distance,
            "outcome": self.chosen.outcome,
            "norm": "max" if np.isinf(self.chosen.norm) else self.chosen.norm,
            "representative": self.chosen.representative,
            "threshold": self.chosen.threshold,
            "n": self.data.n,
            "effective_n": self.data.effective_n,
            "value": self.value,
            "null_mean": mean,
            "null_range": (float(low), float(high)),
            "excess": self.value - mean,
            "resamples": len(self.null_values),
            "impossible_rows": impossible_rows(self.data),
            "reason": self.reason,
            "null_values": self.null_values,
        }

    @property
    def reason(self) -> str | None:
        """Why a number is missing or not finite, if one is."""
        if not len(self.null_values):
            return "; ".join(filter(None, [self._why("none"), "no null: resamples = 0"]))
        return self._why("resample")

    def _why(self, null: str) -> str | None:
        central = central_range(self.null_values)
        return why_missing(self.value, self.statistic, self.data.mass, central, null)

    @property
    def p_value(self) -> float:
        """The two-sided p-value: twice the smaller tail."""
        return two_sided(self.null_values, self.value, self.chosen.like)


def why_missing(
    value: float, what: Drawable, mass: Wide, central: tuple[float, float], null: str
) -> str | None:
    """Say why the value is not finite, or the null or its range is missing."""
    reasons = []
    if not np.isfinite(value):
        own = np.take_along_axis(what.prob, what.actual[:, None], axis=1)[:, 0]
        never = int(((own <= 0) & (mass > 0)).sum())
        reasons.append(f"infinite: in {never:,} row{'s' * (never != 1)} {IMPOSSIBLE}")
    if null == "resample" and np.isnan(central[0]):
        reasons.append(NO_RANGE)
    return "; ".join(reasons) or None


def tails_of(values: Wide, value: float, like: str | None = None) -> tuple[float, float]:
    """Return the p-values of the upper and the lower tail, (1 + #{as extreme}) / (m + 1).

    Equal within 1e-12 (1 + |T|) counts as equal, and a draw without a value as extreme to both
    sides. NaN where there is no observed value. Like the thesis: #{as extreme} / m.
    """
    if np.isnan(value):
        return float("nan"), float("nan")
    slack = TIE * (1.0 + abs(value)) if np.isfinite(value) else 0.0
    itself = 0 if like == "thesis" else 1
    missing = itself + np.count_nonzero(np.isnan(values))
    upper = (missing + np.count_nonzero(values >= value - slack)) / (len(values) + itself)
    lower = (missing + np.count_nonzero(values <= value + slack)) / (len(values) + itself)
    return float(upper), float(lower)


def two_sided(values: Wide, value: float, like: str | None = None) -> float:
    """Return twice the smaller tail, at most 1; NaN without draws or without a value."""
    if not len(values):
        return float("nan")
    smaller = np.min(tails_of(values, value, like))
    return float(np.minimum(1.0, 2.0 * smaller))


def evidence(
    data: Predictions,
    chosen: ErrorDefinition,
    *,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Evidence:
    """Measure the statistic on the observed labels and on labels drawn from the predictions."""
    whole_number("resamples", resamples, least=0)
    what = statistic(data, chosen)
    draws = np.empty(0)
    if resamples:
        draws = resampled(what, resamples, rng, workers=workers, progress=progress)
    draws.flags.writeable = False
    return Evidence(chosen, data, what, float(observed(what)), draws)


def bin_rows(
    chosen: ErrorDefinition, data: Predictions, parts: Sequence[Bins]
) -> list[dict[str, Any]]:
    """Return one row for every bin that holds weight."""
    names: Sequence[str | None] = data.classes if len(parts) > 1 else (chosen.target,)
    rows = []
    for name, part in zip(names, parts, strict=True):
        limits = part.limits
        if limits is None:
            continue
        for j in np.flatnonzero(part.filled):
            row: dict[str, Any] = {} if name is None else {"class": name}
            row |= {
                "lo": float(limits[j, 0]),
                "hi": float(limits[j, 1]),
                "closed": "both" if j == 0 or part.span is not None else "right",
                "count": int(part.count[j]),
                "weight": float(part.weight[j]),
                "mean_probability": float(part.mean_probability[j]),
                "outcome_share": float(part.outcome_share[j]),
            }
            rows.append(row)
    return rows


def central_range(values: Wide, level: float = 0.95) -> tuple[Any, Any]:
    """Return the order statistics between which `level` lies, along the last axis of m draws.

    They are number a = floor((1 - level) / 2 (m + 1)) from below and from above, so that a value
    has a two-sided p of at most 1 - level exactly where it is outside. NaN where m is too small
    for any value to be outside.
    """
    m = values.shape[-1]
    rank = int(np.floor((1 - level) / 2 * (m + 1) + TIE))
    if rank < 1:
        nothing = np.full(values.shape[:-1], np.nan)
        return nothing, nothing
    ordered = np.sort(values, axis=-1)
    return ordered[..., rank - 1], ordered[..., m - rank]


Bounds = tuple[float, float]
UNKNOWN_RANGE = (np.nan, np.nan)
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
    central: Bounds = UNKNOWN_RANGE
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


METHODS = ("holm", "benjamini-hochberg")
PROMISES = {
    "holm": "Holm's adjustment: the chance of any false rejection is at most the level",
    "benjamini-hochberg": (
        "Benjamini and Hochberg's adjustment: of the rejected, at most the level are false on "
        "average, if the tests are independent or lean the same way"
    ),
    None: "no adjustment: each test keeps its own level, all together do not",
}


def adjusted_p_values(p_values: Sequence[float], adjust: str | None) -> list[float]:
    """Return the p-values of a family of m, adjusted for their number.

    With the p-values in rising order, Holm's (1979) j-th is the largest of (m + 1 - i) p_i, i <= j;
    Benjamini and Hochberg's (1995) is the smallest of m p_i / i, i >= j; neither is above 1.

    >>> adjusted_p_values([0.01, 0.04], "holm")
    [0.02, 0.04]
    """
    p = np.asarray(p_values, np.float64)
    if adjust is None:
        return [float(one) for one in p]
    order, m = np.argsort(p, kind="stable"), len(p)
    if adjust == "holm":
        stepped = np.maximum.accumulate(p[order] * np.arange(m, 0, -1))
    else:
        least = np.minimum.accumulate((p[order] * m / np.arange(1, m + 1))[::-1])
        stepped = least[::-1]
    found = np.empty(m)
    found[order] = np.minimum(stepped, 1.0)
    return [float(one) for one in found]
