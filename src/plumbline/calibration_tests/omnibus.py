"""The omnibus test: likelihood ratios of many kinds of faults, each ranked among the same draws.

Every family ranks all m + 1 values (the observed one and the draws) among the same m + 1; the ranks
become p-values, the p-values one number C for each of the m + 1, and C is ranked in turn. Under the
null the m + 1 sets of labels are exchangeable, so the level is exact whatever the combination is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.calibration import Wide
from plumbline.calibration_tests.findings import (
    Named,
    finding,
    member,
    short_of,
    strength,
    strongest,
)
from plumbline.calibration_tests.members import log_mean
from plumbline.calibration_tests.p_values import Drawing, central_range, why_missing
from plumbline.calibration_tests.ratios import Ratios, families, weights
from plumbline.calibration_tests.results import CalibrationTest
from plumbline.calibration_tests.shapes.naming import fault_in
from plumbline.calibration_tests.shapes.rows import Rows
from plumbline.nulls import TIE, resampled
from plumbline.predictions import Predictions
from plumbline.scores import impossible_rows
from plumbline.verdicts import LEVEL, omnibus_verdict


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """What the families are for the observed labels and for the draws.

    Attributes
    ----------
    values : (families, m + 1) log likelihood ratios, the observed one first
    tails : (families, m + 1) shares of all m + 1 at least as large
    combined : (m + 1,) the combination C
    """

    values: Wide
    tails: Wide
    combined: Wide

    @classmethod
    def of(cls, values: Wide, weight: Wide) -> "Ranked":
        """Rank and combine."""
        tails = np.stack([ranks(row) for row in values])
        return cls(values, tails, combine(tails, weight))

    @property
    def p_value(self) -> float:
        """Return the share of all m + 1 whose C is at least the observed one."""
        return float(ranks(self.combined)[0])

    @property
    def constant(self) -> bool:
        """Tell whether no family depends on the labels."""
        return bool(self.tails.min() >= 1.0)


def omnibus_test(data: Predictions, name: str, drawing: Drawing) -> CalibrationTest:
    """Return the omnibus calibration test of all classes; `name` is how the view is called."""
    ratios = Ratios(Rows.of(data, "the omnibus test"))
    seen, named = observed_families(ratios, data)
    drawn = resampled(
        ratios,
        drawing.resamples,
        drawing.rng,
        workers=drawing.workers,
        progress=drawing.progress,
    )
    ranked = Ranked.of(np.column_stack([seen, drawn]), weights(ratios.k))
    central = _range(ranked.combined[1:])
    reason = why_missing(float(seen.max()), ratios, ratios.rows.weight, central, "resample")
    return _answer(data, name, ratios.rows, ranked, named, reason)


def observed_families(ratios: Ratios, data: Predictions) -> tuple[Wide, list[Named]]:
    """Return (families,) log likelihood ratios of the observed labels, and their largest members.

    A label of probability 0 can never be drawn: it rules the predictions out, so every family is
    infinite.
    """
    rows = ratios.rows
    tally = ratios.tally(1)
    tally.add(slice(0, rows.n), rows.actual[:, None])
    terms, gaps = tally.terms(), tally.gaps(tally.gap)
    values: list[float] = []
    named: list[Named] = []
    for family in families(ratios.k):
        found = terms[family.name]
        values.append(float(log_mean(found)[0]))
        if not found.size:
            named.append((None, None))
            continue
        place = tuple(map(int, np.unravel_index(int(found[..., 0].argmax()), found.shape[:-1])))
        if family.name in gaps:
            place = int(gaps[family.name][1][place[0], 0] <= 0), *place
        named.append(member(ratios, data, family.name, place))
    if rows.never[np.arange(rows.n), rows.actual].any():
        return np.full(len(values), np.inf), named
    return np.array(values), named


def ranks(values: Wide) -> Wide:
    """Return (m + 1,) for each value the share of all that are at least as large.

    Equal within 1e-12 (1 + |T|) counts as equal.
    """
    slack = TIE * (1.0 + np.abs(np.where(np.isfinite(values), values, 0.0)))
    size = len(values)
    return (size - np.searchsorted(np.sort(values), values - slack, side="left")) / size


def combine(tails: Wide, weight: Wide) -> Wide:
    """Return (m + 1,) sums of weight / p over the families (harmonic mean p-value, Wilson 2019).

    A family that is the same for every set of labels has nothing to say and is left out.
    """
    speaks = tails.min(axis=1) < 1.0
    return np.asarray((weight[:, None] / tails)[speaks].sum(axis=0))


def _answer(
    data: Predictions,
    name: str,
    rows: Rows,
    ranked: Ranked,
    named: Sequence[Named],
    reason: str | None,
) -> CalibrationTest:
    parts = _part_rows(ranked, named, data.k)
    draws = ranked.combined[1:].copy()
    draws.flags.writeable = False
    fault = None
    if ranked.p_value <= LEVEL:
        fault = fault_in(data, rows, top=name == "top-label")
    told = None if fault is None else short_of(fault, parts)
    counts: dict[str, Any] = {
        "n": data.n,
        "effective_n": data.effective_n,
        "p_value": ranked.p_value,
        "resamples": len(draws),
        "impossible_rows": impossible_rows(data),
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
            f"predictions, {len(parts)} families of faults ranked among the same draws and combined"
        ),
        parts=parts,
        null_mean=float(draws.mean()),
        null_range=_range(draws),
        verdict=omnibus_verdict(**counts, fault=told, constant=ranked.constant),
        finding=None if fault is None else finding(fault, parts),
        shape=None if fault is None else fault.shape,
        reason=reason,
        null_values=draws,
        **counts,
    )


def _part_rows(ranked: Ranked, named: Sequence[Named], k: int) -> list[dict[str, Any]]:
    """Say of every family how strong it is among the draws, and what it points to.

    The strongest that has a direction comes first, then the others by their p-values.
    """
    rows = zip(families(k), weights(k), ranked.values, ranked.tails, named, strict=True)
    found: list[dict[str, Any]] = [
        {
            "name": family.name,
            "weight": float(weight),
            "value": float(values[0]),
            "null_mean": float(values[1:].mean()),
            "null_range": _range(values[1:]),
            "p_value": float(tail[0]),
            "strength": strength(family.name, float(weight), values),
            "member": what,
            "direction": direction,
        }
        for family, weight, values, tail, (what, direction) in rows
    ]
    best = strongest(found)
    rest = [part for part in found if part is not best]
    return [best, *sorted(rest, key=lambda part: (part["p_value"], -part["strength"]))]


def _range(values: Wide) -> tuple[float, float]:
    low, high = central_range(values)
    return float(low), float(high)
