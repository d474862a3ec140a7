"""The omnibus test: several statistics at once, each ranked among the same draws.

Every part ranks all m + 1 values (the observed one and the draws) among the same m + 1; the ranks
become p-values, the p-values one number C for each of the m + 1, and C is ranked in turn. Under the
null the m + 1 sets of labels are exchangeable, so the level is exact whatever the combination is.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.calibration import Statistic, Wide, binned_statistic, setting
from plumbline.calibration.grouped import standardised
from plumbline.calibration.points import point_statistic
from plumbline.calibration.several import Several, through_lens
from plumbline.nulls import TIE, observed, resampled
from plumbline.predictions import Predictions
from plumbline.scores import impossible_rows
from plumbline.significance.answers import CalibrationTest
from plumbline.significance.evidence import central_range, why_missing
from plumbline.significance.findings import finding
from plumbline.significance.subject import ALL_CLASSES
from plumbline.significance.under import Drawing
from plumbline.verdicts import LEVEL, omnibus_verdict


@dataclass(frozen=True, slots=True)
class Part:
    """One statistic of the omnibus.

    Attributes
    ----------
    name, view, scheme : what it is; without a view it is a sum over rows, of all classes
    weight : its weight in the combination
    upper : the share of its level that goes to large values; 1 looks at them alone
    """

    name: str
    weight: float
    upper: float
    view: str | None = None
    scheme: str | None = None


# Chosen once by simulation, so that no kind of miscalibration is cheap to miss: docs/tests.md tells
# what each is for, studies/omnibus.py the power of the whole. Classifiers err to the confident
# side more often than not, so more than half of a part's level looks there.
PARTS = (
    Part("log-loss", 1.0, 0.75),
    Part("brier-score", 2.5, 0.7),
    Part("chi-square", 2.0, 0.95),
    Part("ece", 0.25, 1.0, "top-label", "equal-width:10"),
    Part("hosmer-lemeshow", 0.25, 1.0, "top-label", "equal-width:5"),
    Part("hosmer-lemeshow", 0.25, 1.0, "classwise", "equal-size:10"),
    Part("hosmer-lemeshow", 0.25, 1.0, "classwise", "equal-width:5"),
    Part("hosmer-lemeshow", 0.25, 1.0, "classwise", "equal-width:1"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """What the parts are for the observed labels and for the draws.

    Attributes
    ----------
    values : (parts, m + 1) the observed value first
    tails : (parts, 2, m + 1) shares of all m + 1 at least, and at most, as large
    combined : (m + 1,) the combination C
    """

    values: Wide
    tails: Wide
    combined: Wide

    @classmethod
    def of(cls, values: Wide) -> "Ranked":
        """Rank and combine."""
        tails = np.stack([ranks(row) for row in values])
        return cls(values, tails, combine(tails))

    @property
    def p_value(self) -> float:
        """Return the share of all m + 1 whose C is at least the observed one."""
        return float(ranks(self.combined)[0, 0])

    @property
    def constant(self) -> bool:
        """Tell whether no part depends on the labels."""
        return bool(self.tails.min() >= 1.0)


def omnibus_test(data: Predictions, name: str, drawing: Drawing) -> CalibrationTest:
    """Return the omnibus calibration test of all classes; `name` is how the view is called."""
    several = Several(tuple(part_statistic(data, part) for part in PARTS))
    drawn = resampled(
        several,
        drawing.resamples,
        drawing.rng,
        workers=drawing.workers,
        progress=drawing.progress,
    )
    ranked = Ranked.of(np.column_stack([observed(several), drawn]))
    worst = float(ranked.values[:, 0].max())
    central = _range(ranked.combined[1:])
    reason = why_missing(worst, several, data.mass, central, "resample")
    return _answer(data, name, ranked, reason)


def part_statistic(data: Predictions, part: Part) -> Statistic:
    """Return a part as a function of the labels of all classes."""
    if part.view is None:
        return point_statistic(data, part.name)
    if part.view == "classwise":
        return standardised(data, binned_statistic(data, setting(data, "classwise", part.scheme)))
    seen = binned_statistic(data, setting(data, "top-label", part.scheme))
    if part.name != "ece":
        seen = standardised(data, seen)
    return through_lens(data, data.most_likely, seen)


def ranks(values: Wide) -> Wide:
    """Return (2, m + 1): for each value the share of all that are at least, and at most, as large.

    Equal within 1e-12 (1 + |T|) counts as equal.
    """
    slack = TIE * (1.0 + np.abs(np.where(np.isfinite(values), values, 0.0)))
    ordered = np.sort(values)
    size = len(values)
    upper = (size - np.searchsorted(ordered, values - slack, side="left")) / size
    lower = np.searchsorted(ordered, values + slack, side="right") / size
    return np.stack([upper, lower])


def part_p_values(tails: Wide) -> Wide:
    """Return (parts, m + 1) p-values of (parts, 2, m + 1) tails, each split as its part says."""
    split = np.array([part.upper for part in PARTS])[:, None]
    with np.errstate(divide="ignore"):
        sides = np.minimum(tails[:, 0] / split, tails[:, 1] / (1.0 - split))
    return np.asarray(np.minimum(sides, 1.0))


def combine(tails: Wide) -> Wide:
    """Return (m + 1,) sums of weight / p over the parts (the harmonic mean p-value, Wilson 2019).

    A part that is the same for every set of labels has nothing to say and is left out.
    """
    weight = np.array([part.weight for part in PARTS])[:, None]
    speaks = tails.min(axis=(1, 2)) < 1.0
    return np.asarray((weight / part_p_values(tails))[speaks].sum(axis=0))


def _answer(data: Predictions, name: str, ranked: Ranked, reason: str | None) -> CalibrationTest:
    parts = _part_rows(ranked)
    draws = ranked.combined[1:].copy()
    draws.flags.writeable = False
    told = finding(data, parts) if ranked.p_value <= LEVEL else None
    counts: dict[str, Any] = {
        "n": data.n,
        "effective_n": data.effective_n,
        "p_value": ranked.p_value,
        "resamples": len(draws),
        "impossible_rows": impossible_rows(data),
        "finding": told,
    }
    return CalibrationTest(
        statistic="omnibus",
        view=name,
        scheme=None,
        distance=None,
        outcome="correct" if name == "top-label" else "class",
        alternative="two-sided",
        value=float(ranked.combined[0]),
        p_bounds=None,
        null="resample",
        method=(
            f"consistency resampling: {len(draws)} times all labels drawn from their own "
            f"predictions, {len(PARTS)} statistics ranked among the same draws and combined"
        ),
        parts=parts,
        null_mean=float(draws.mean()),
        null_range=_range(draws),
        verdict=omnibus_verdict(**counts, constant=ranked.constant),
        reason=reason,
        null_values=draws,
        **counts,
    )


def _part_rows(ranked: Ranked) -> list[dict[str, Any]]:
    """Say of every part where it lies among the draws."""
    p_values = part_p_values(ranked.tails)[:, 0]
    return [
        {
            "name": part.name,
            "view": part.view or ALL_CLASSES,
            "scheme": part.scheme,
            "value": float(values[0]),
            "null_mean": float(values[1:].mean()),
            "null_range": _range(values[1:]),
            "p_value": float(p),
            "direction": "larger" if tail[0, 0] <= tail[1, 0] else "smaller",
        }
        for part, values, tail, p in zip(PARTS, ranked.values, ranked.tails, p_values, strict=True)
    ]


def _range(values: Wide) -> tuple[float, float]:
    low, high = central_range(values)
    return float(low), float(high)
