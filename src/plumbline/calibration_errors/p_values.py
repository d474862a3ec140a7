"""An observed value beside its null: mean and range if calibrated, excess, and the p-value."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from plumbline.calibration import Drawable, Statistic, Wide, counts_of
from plumbline.calibration_errors.named_tests import NamedStatistic
from plumbline.errors import ParameterError, warn
from plumbline.formatting import counted
from plumbline.nulls import (
    LEAST_DRAWS,
    TEXTBOOK,
    TIE,
    Resampling,
    exact,
    saddlepoint,
    textbook_tails,
    why_not_exact,
)
from plumbline.predictions import Predictions, examples_in

IMPOSSIBLE = "the observed class had predicted probability 0, rounded"
NO_RANGE = f"no 95 % range: fewer than {LEAST_DRAWS} resamples"
Bounds = tuple[float, float]
UNKNOWN_RANGE = (np.nan, np.nan)
ROUNDING = 1e-12  # of a mean, in units of the range
TINY = 1e-6  # a p-value whose size needs no second digit
WIDEST = 0.05  # of an exact p-value's bounds, relative to the lower one, without being asked for
_NO_SUM = "the statistic is not a sum over bins or points"


@dataclass(frozen=True, slots=True, eq=False)
class NullSummary:
    """An observed value beside its null.

    Attributes
    ----------
    value : the observed value of the statistic
    null : "exact", "resample" or "asymptotic"; method : how it was made, in words
    upper, lower : bounds of P(T >= value) and of P(T <= value) if the probabilities are calibrated
    mean, range : mean and central 95 % range of the statistic; NaN where the method has none
    values : (draws,) what was drawn, empty unless resampled
    """

    value: float
    null: str
    method: str
    upper: Bounds
    lower: Bounds
    mean: float = np.nan
    range: Bounds = UNKNOWN_RANGE
    values: Wide = field(default_factory=lambda: np.empty(0))

    @property
    def excess(self) -> float:
        """The value less its mean under the null; NaN where both are infinite."""
        with np.errstate(invalid="ignore"):
            return float(np.subtract(self.value, self.mean))

    def p_bounds(self, alternative: str) -> Bounds:
        """Return the bounds of the p-value: "greater", "less", or twice the smaller tail."""
        if alternative != "two-sided":
            return self.upper if alternative == "greater" else self.lower
        low, high = np.minimum(1.0, 2.0 * np.minimum(self.upper, self.lower))
        return float(low), float(high)

    def p_value(self, alternative: str = "two-sided") -> float:
        """Return the upper bound of the p-value, so that the test keeps its level."""
        return self.p_bounds(alternative)[1]

    @property
    def settled(self) -> bool:
        """Tell whether the bounds of both tails are near enough to each other to be a p-value."""
        ends = (self.upper, self.lower)
        return all(high <= max((1.0 + WIDEST) * low, TINY) for low, high in ends)

    @property
    def constant(self) -> bool:
        """Tell whether the statistic is the same for all labels."""
        return min(self.upper[1], self.lower[1]) >= 1.0


def compare_with_draws(
    value: float, draws: Wide, like: str | None = None, *, because: str | None = None
) -> NullSummary:
    """Return an observed value beside the values of labels drawn from the predictions.

    Mean and range leave out draws in which the statistic is undefined (NaN); the p-value counts
    them as extreme. Without draws all are NaN. `because`: why the null was drawn, for the method.
    """
    draws.flags.writeable = False
    known = draws[~np.isnan(draws)]
    with np.errstate(invalid="ignore"):  # infinities of both signs have no mean
        mean = np.clip(known.mean(), known.min(), known.max()) if len(known) else np.nan
    upper, lower = tails_of(draws, value, like)
    low, high = central_range(known)
    times = (
        f"consistency resampling: all labels drawn {len(draws)} times from their own predictions"
    )
    return NullSummary(
        value=value,
        null="resample",
        method=times if because is None else f"{times} ({because})",
        upper=(upper, upper),
        lower=(lower, lower),
        mean=float(mean),
        range=(without_noise(float(low), known), without_noise(float(high), known)),
        values=draws,
    )


def of_all_rows(null: NullSummary, value: float) -> NullSummary:
    """Return the null of merged cells as that of the rows, of which the observed value is given.

    Labels drawn anew for cells lack what they lacked for the rows' own labels: the difference of
    the observed values, which is added to mean and range. For an isotonic fit of 100,000 rows the
    mean is 1 to 3 % too low so, and 3 to 13 % without. Tails compare cells with cells.

    >>> null = compare_with_draws(0.5, np.array([0.25, 0.75]))
    >>> of_all_rows(null, 0.625).mean, of_all_rows(null, np.inf).mean
    (0.625, 0.5)
    """
    shift = value - null.value if np.isfinite(value) and np.isfinite(null.value) else 0.0
    if abs(shift) <= TIE * abs(value):  # by rounding
        return null
    low, high = null.range
    return replace(null, mean=null.mean + shift, range=(low + shift, high + shift))


def without_noise(end: float, draws: Wide) -> float:
    """Return an end of a range, 0 where it differs from that by the rounding of the draws alone.

    >>> without_noise(7.8e-16, np.array([7.8e-16, 0.04])), without_noise(0.01, np.array([0.01]))
    (0.0, 0.01)
    """
    finite = np.abs(draws[np.isfinite(draws)])
    return 0.0 if len(finite) and abs(end) <= TIE * finite.max() else end


def tails_of(values: Wide, value: float, like: str | None = None) -> tuple[float, float]:
    """Return the p-values of the upper and the lower tail, (1 + #{as extreme}) / (m + 1).

    Equal within 1e-12 (1 + |T|) counts as equal, and a draw without a value as extreme to both
    sides. NaN without draws or an observed value. Like the thesis: #{as extreme} / m.
    """
    if np.isnan(value) or not len(values):
        return float("nan"), float("nan")
    slack = TIE * (1.0 + abs(value)) if np.isfinite(value) else 0.0
    itself = 0 if like == "thesis" else 1
    missing = itself + np.count_nonzero(np.isnan(values))
    upper = (missing + np.count_nonzero(values >= value - slack)) / (len(values) + itself)
    lower = (missing + np.count_nonzero(values <= value + slack)) / (len(values) + itself)
    return float(upper), float(lower)


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


def why_missing(
    value: float, what: Drawable, mass: Wide, central: tuple[float, float], null: str
) -> str | None:
    """Say why the value is not finite, or the null or its range is missing."""
    reasons = []
    if not np.isfinite(value):
        own = np.take_along_axis(what.prob, what.actual[:, None], axis=1)[:, 0]
        missed = (own <= 0) & (mass > 0)
        never = int(missed.sum() if counts_of(what) is None else mass[missed].sum())
        reasons.append(f"infinite: in {never:,} row{'s' * (never != 1)} {IMPOSSIBLE}")
    if null == "resample" and np.isnan(central[0]):
        reasons.append(NO_RANGE)
    return "; ".join(reasons) or None


def warn_of_repeated_examples(data: Predictions) -> None:
    """Warn where several rows are of one example, which a null takes for independent."""
    examples = examples_in(data)
    if examples < data.n:
        drawn = (
            "every row is drawn independently, so p-values are too small and ranges too narrow"
            if data.groups is None
            else "they share one outcome, which labels drawn in groups only nearly do"
        )
        text = (
            f"{counted(data.n, 'row')} are of {counted(examples, 'example')} (column 'row'): "
            f"{drawn}; use one repeat"
        )
        warn(text, code="repeated-examples", remedy="for instance data.select(repeat=...)")


def null_summary(
    name: str, tested: NamedStatistic, value: float, null: str, resampling: Resampling
) -> NullSummary:
    """Return the null that was asked for; "auto" is exact where that exists, else resampled."""
    what = tested.statistic
    if null == "asymptotic" and what.groups is not None:
        raise ParameterError(
            "`null` 'asymptotic' is not possible here: rows of a group depend on each other",
            code="no-asymptotic-null",
            remedy="use `null='resample'`",
            choices=[{"null": "resample"}],
        )
    if null == "asymptotic":
        return _asymptotic(name, tested, value)
    if null == "resample" or tested.like == "thesis":
        return _resampled(tested, value, resampling)
    refusal = why_not_exact(what) if isinstance(what, Statistic) else _NO_SUM
    if refusal is None and isinstance(what, Statistic):
        summary = _exact(what, value, resampling)
        if null == "exact" or summary.settled:
            return summary
        refusal = "the bounds of the exact p-value are too wide here"
    if null == "exact":
        raise ParameterError(
            f"`null` 'exact' is not possible here: {refusal}",
            code="no-exact-null",
            remedy="use `null='resample'`",
            choices=[{"null": "resample"}],
        )
    return _resampled(tested, value, resampling, because=refusal)


def _resampled(
    tested: NamedStatistic, value: float, resampling: Resampling, because: str | None = None
) -> NullSummary:
    draws = resampling.draw(tested.statistic)
    return compare_with_draws(value, draws, tested.like, because=because)


def _exact(what: Statistic, value: float, resampling: Resampling) -> NullSummary:
    distribution = exact(what, progress=resampling.progress)
    parts = "every bin's count of hits" if what.cells is not None else "every row's label"
    method = f"exact: the tail of the sum over {parts}, with rigorous bounds for rounding"
    return _of_sum(distribution, value, "exact", method)


def _asymptotic(name: str, tested: NamedStatistic, value: float) -> NullSummary:
    """Return the textbook's null where the test has one, else a saddlepoint approximation."""
    what = tested.statistic
    if name in TEXTBOOK:
        upper, lower = textbook_tails(name, what, value)
        method = "asymptotic: the textbook large-sample distribution"
        return NullSummary(value, "asymptotic", method, (upper, upper), (lower, lower))
    if not isinstance(what, Statistic):
        raise ParameterError(
            f"`null` 'asymptotic' is not known for {tested.title}; use `null='resample'`",
            code="no-asymptotic-null",
        )
    method = "asymptotic: saddlepoint approximation of the sum over rows and bins"
    return _of_sum(saddlepoint(what), value, "asymptotic", method)


class SumDistribution(Protocol):
    """The distribution of a sum, exact or approximate."""

    @property
    def mean(self) -> float: ...  # noqa: D102

    def tails(self, value: float) -> tuple[Bounds, Bounds]: ...  # noqa: D102

    def central_range(self, level: float = 0.95) -> Bounds: ...  # noqa: D102


def _of_sum(distribution: SumDistribution, value: float, null: str, method: str) -> NullSummary:
    upper, lower = distribution.tails(value)
    low, high = distribution.central_range()
    mean = distribution.mean
    mean = 0.0 if abs(mean) < ROUNDING * (high - low) else mean
    return NullSummary(value, null, method, upper, lower, mean, (low, high))


METHODS = ("holm", "benjamini-hochberg")
PROMISES = {
    "holm": "Holm's adjustment: the probability of any false rejection is at most the level",
    "benjamini-hochberg": (
        "Benjamini and Hochberg's adjustment: the expected share of false rejections is at most "
        "the level, if the tests are independent or positively dependent"
    ),
    None: "no adjustment: the level holds for each test, not for all together",
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
    result = np.empty(m)
    result[order] = np.minimum(stepped, 1.0)
    return [float(one) for one in result]
