"""An observed statistic beside its distribution under true probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import whole_number
from plumbline.binning import Bins
from plumbline.calibration import Drawable, ProfileStatistic, Setting, Statistic, Wide, statistic
from plumbline.nulls import TIE, observed, resampled
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

    chosen: Setting
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
    chosen: Setting,
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


def bin_rows(chosen: Setting, data: Predictions, parts: Sequence[Bins]) -> list[dict[str, Any]]:
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
