"""An observed statistic beside its distribution under true probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import whole_number
from plumbline.binning import Bins
from plumbline.calibration import Drawable, Setting, Statistic, Wide, statistic
from plumbline.nulls import TIE, observed, resampled
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.resampling import Seed
from plumbline.scores import impossible_rows


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The observed value of a statistic beside its values under the null."""

    chosen: Setting
    data: Predictions
    statistic: Statistic
    value: float
    null_values: Wide

    @property
    def common(self) -> dict[str, Any]:
        """The fields every result about this evidence shares."""
        low, high = central_range(self.null_values)
        bins = self.chosen.bins
        return {
            "view": self.chosen.name,
            "scheme": "distinct-vectors" if bins is None else str(bins),
            "distance": self.chosen.distance,
            "outcome": self.chosen.outcome,
            "n": self.data.n,
            "effective_n": self.data.effective_n,
            "value": self.value,
            "null_mean": float(self.null_values.mean()) if len(self.null_values) else np.nan,
            "null_range": (float(low), float(high)),
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

    def tails(self) -> tuple[float, float]:
        """Return the p-values of the upper and the lower tail."""
        return tails_of(self.null_values, self.value, self.chosen.like)

    def p_value(self, alternative: str) -> float:
        """Return the p-value of "greater", "less", or "two-sided": twice the smaller tail."""
        if not len(self.null_values):
            return float("nan")
        upper, lower = self.tails()
        doubled = min(1.0, 2 * min(upper, lower))
        return {"greater": upper, "less": lower, "two-sided": doubled}[alternative]


def why_missing(
    value: float, what: Drawable, mass: Wide, central: tuple[float, float], null: str
) -> str | None:
    """Say why the value is not finite, or the null or its range is missing."""
    reasons = []
    if not np.isfinite(value):
        own = np.take_along_axis(what.prob, what.actual[:, None], axis=1)[:, 0]
        never = int(((own <= 0) & (mass > 0)).sum())
        reasons.append(
            f"infinite: in {never:,} row{'s' * (never != 1)} what happened had been given a "
            "probability that is, or rounds to, 0"
        )
    if null == "resample" and np.isnan(central[0]):
        reasons.append("no 95 % range: fewer than 39 resamples")
    return "; ".join(reasons) or None


def tails_of(values: Wide, value: float, like: str | None = None) -> tuple[float, float]:
    """Return the p-values of the upper and the lower tail, (1 + #{as extreme}) / (m + 1).

    Equal within 1e-12 (1 + |T|) counts as equal. Like the thesis: #{as extreme} / m.
    """
    slack = TIE * (1.0 + abs(value)) if np.isfinite(value) else 0.0
    m = len(values)
    own = 0 if like == "thesis" else 1
    upper = (own + np.count_nonzero(values >= value - slack)) / (m + own)
    lower = (own + np.count_nonzero(values <= value + slack)) / (m + own)
    return float(upper), float(lower)


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
