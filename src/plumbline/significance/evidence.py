"""An observed statistic beside its distribution under true probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import whole_number
from plumbline.binning import Bins
from plumbline.calibration import Setting, Statistic, Wide, statistic
from plumbline.nulls import observed, resampled
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.resampling import Seed
from plumbline.scores import impossible_rows

TIE = 1e-12


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
        low, high = _central_range(self.null_values)
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
            "null_range": (low, high),
            "resamples": len(self.null_values),
            "impossible_rows": impossible_rows(self.data),
            "reason": self.reason,
            "null_values": self.null_values,
        }

    @property
    def reason(self) -> str | None:
        """Why the value is not a finite number, if it is not."""
        if np.isfinite(self.value):
            return None
        own = np.take_along_axis(self.statistic.prob, self.statistic.actual[:, None], axis=1)[:, 0]
        never = own <= 0 if self.data.weight is None else (own <= 0) & (self.data.weight > 0)
        return f"infinite: in {never.sum():,} rows what happened had been given probability 0"

    def p_value(self, alternative: str) -> float:
        """Return (1 + #{as extreme}) / (m + 1); equal within 1e-12 (1 + |T|) counts as equal."""
        if not len(self.null_values):
            return float("nan")
        slack = TIE * (1.0 + abs(self.value)) if np.isfinite(self.value) else 0.0
        m = len(self.null_values)
        upper = (1 + np.count_nonzero(self.null_values >= self.value - slack)) / (m + 1)
        lower = (1 + np.count_nonzero(self.null_values <= self.value + slack)) / (m + 1)
        tails = {"greater": upper, "less": lower, "two-sided": min(1.0, 2 * min(upper, lower))}
        return float(tails[alternative])


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
    draws = (
        resampled(what, resamples, rng, workers=workers, progress=progress)
        if resamples
        else np.empty(0)
    )
    return Evidence(chosen, data, what, observed(what), draws)


def bin_rows(chosen: Setting, data: Predictions, parts: Sequence[Bins]) -> list[dict[str, Any]]:
    """Return one row for every bin that holds weight."""
    names: Sequence[str | None] = data.classes if len(parts) > 1 else (chosen.target,)
    rows = []
    for name, part in zip(names, parts, strict=True):
        if part.edges is None:
            continue
        for j in np.flatnonzero(part.filled):
            row: dict[str, Any] = {} if name is None else {"class": name}
            row |= {
                "lo": float(part.edges[j]),
                "hi": float(part.edges[j + 1]),
                "count": int(part.count[j]),
                "weight": float(part.weight[j]),
                "mean_probability": float(part.mean_probability[j]),
                "outcome_share": float(part.outcome_share[j]),
            }
            rows.append(row)
    return rows


def _central_range(values: Wide, share: float = 0.95) -> tuple[float, float]:
    """Return the order statistics that leave (1 - share) / 2 on either side."""
    if not len(values):
        return (float("nan"), float("nan"))
    tail = (1 - share) / 2
    low, high = np.quantile(values, [tail, 1 - tail], method="weibull")
    return (float(low), float(high))
