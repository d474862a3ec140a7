"""The omnibus test: several statistics at once, each ranked among the same draws.

Every part ranks all m + 1 values (the observed one and the draws) among the same m + 1; the ranks
become p-values, the p-values one number C for each of the m + 1, and C is ranked in turn. Under the
null the m + 1 sets of labels are exchangeable, so the level is exact whatever the combination is.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.calibration import Statistic, Wide, setting, statistic
from plumbline.calibration.grouped import standardised
from plumbline.calibration.points import point_statistic
from plumbline.calibration.several import Several, through_lens
from plumbline.nulls import observed, resampled
from plumbline.predictions import Predictions
from plumbline.scores import impossible_rows
from plumbline.significance.answers import CalibrationTest
from plumbline.significance.evidence import TIE, central_range, why_missing
from plumbline.significance.findings import finding
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
    Part("log-loss", 2.0, 0.7),
    Part("brier-score", 1.5, 0.6),
    Part("chi-square", 2.0, 0.9),
    Part("ece", 0.5, 1.0, "top-label", "equal-width:10"),
    Part("hosmer-lemeshow", 0.5, 1.0, "classwise", "equal-size:10"),
    Part("hosmer-lemeshow", 0.25, 1.0, "top-label", "equal-width:5"),
    Part("hosmer-lemeshow", 0.25, 1.0, "classwise", "equal-width:1"),
)


def omnibus_test(data: Predictions, name: str, drawing: Drawing) -> CalibrationTest:
    """Return the omnibus calibration test of all classes; `name` is how the view is called."""
    several = Several(tuple(part_statistic(data, part) for part in PARTS))
    own = observed(several)
    drawn = resampled(
        several,
        drawing.resamples,
        drawing.rng,
        workers=drawing.workers,
        progress=drawing.progress,
    )
    tails = np.stack([ranks(values) for values in np.column_stack([own, drawn])])
    combined = combine(tails)
    p_value = float(share_at_least(combined)[0])
    return _answer(data, name, own, drawn, tails, combined, p_value)


def part_statistic(data: Predictions, part: Part) -> Statistic:
    """Return a part as a function of the labels of all classes."""
    if part.view is None:
        return point_statistic(data, part.name)
    if part.view == "classwise":
        return standardised(data, statistic(data, setting(data, "classwise", part.scheme)))
    seen = statistic(data, setting(data, "top-label", part.scheme))
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


def share_at_least(values: Wide) -> Wide:
    """Return, for each value, the share of all that are at least as large."""
    return np.asarray(ranks(values)[0])


def _answer(
    data: Predictions,
    name: str,
    own: Wide,
    drawn: Wide,
    tails: Wide,
    combined: Wide,
    p_value: float,
) -> CalibrationTest:
    parts = [
        _part_row(part, float(value), draws, tail[:, 0])
        for part, value, draws, tail in zip(PARTS, own, drawn, tails, strict=True)
    ]
    low, high = central_range(combined[1:])
    central = (float(low), float(high))
    constant = bool(tails.min() >= 1.0)
    told = finding(data, parts) if p_value <= LEVEL else None
    draws = combined[1:].copy()
    draws.flags.writeable = False
    return CalibrationTest(
        statistic="omnibus",
        view=name,
        scheme=None,
        distance=None,
        outcome="correct" if name == "top-label" else "class",
        alternative="two-sided",
        n=data.n,
        effective_n=data.effective_n,
        value=float(combined[0]),
        p_value=p_value,
        p_bounds=None,
        null="resample",
        method=(
            f"consistency resampling: {drawn.shape[1]} times all labels drawn from their own "
            f"predictions, {len(PARTS)} statistics ranked among the same draws and combined"
        ),
        resamples=drawn.shape[1],
        parts=parts,
        null_mean=float(draws.mean()),
        null_range=central,
        impossible_rows=impossible_rows(data),
        finding=told,
        verdict=omnibus_verdict(
            p_value=p_value,
            finding=told,
            constant=constant,
            resamples=drawn.shape[1],
            n=data.n,
            effective_n=data.effective_n,
            impossible_rows=impossible_rows(data),
        ),
        reason=why_missing(1.0, point_statistic(data, "log-loss"), data.mass, central, "resample"),
        null_values=draws,
    )


def _part_row(part: Part, value: float, draws: Wide, tail: Wide) -> dict[str, Any]:
    """Say of a part where it lies among the draws."""
    upper, lower = float(tail[0]), float(tail[1])
    low, high = central_range(draws)
    sides = min(upper / part.upper, lower / (1 - part.upper) if part.upper < 1 else 1.0)
    return {
        "name": part.name,
        "view": part.view or "all-classes",
        "scheme": part.scheme,
        "value": value,
        "null_mean": float(draws.mean()),
        "null_range": (float(low), float(high)),
        "p_value": min(1.0, sides),
        "direction": "larger" if upper <= lower else "smaller",
    }
