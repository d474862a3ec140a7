"""The omnibus test: likelihood ratios of many kinds of faults, each ranked among the same draws.

Every family ranks all m + 1 values (the observed one and the draws) among the same m + 1; the ranks
become p-values, the p-values one number C for each of the m + 1, and C is ranked in turn. Under the
null the m + 1 sets of labels are exchangeable, so the level is exact whatever the combination is.
The strongest family also names the classes or scores that are off, and the direction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plumbline.calibration import Ints, Wide
from plumbline.calibration_errors import CalibrationTest, NullSummary, compare_with_draws
from plumbline.calibration_errors.p_values import why_missing
from plumbline.calibration_tests.omnibus_families import Ratios, RatiosTally, families, weights
from plumbline.calibration_tests.omnibus_members import (
    AFTER,
    BINS,
    FIRST,
    MANY,
    SPREAD,
    log_factor,
    log_mean,
)
from plumbline.calibration_tests.shape_forms import WeightedRows
from plumbline.calibration_tests.shape_names import OTHER, Fault, fault_in
from plumbline.formatting import named, number
from plumbline.nulls import TIE, Resampling
from plumbline.predictions import Predictions, as_drawn
from plumbline.scores import impossible_rows
from plumbline.verdicts import LEVEL, odd_notes, omnibus_verdict

SIDES = ("too low", "too high")  # the predicted probability, where a sum exceeds its mean, or not
# Families of one member, off by a fixed amount in a known direction.
FIXED = (
    "overconfident",
    "underconfident",
    "too well matched",
    "random labels",
    "top class too high",
    "top class too low",
)
BENDS = ("not extreme enough", "too extreme")
SIGNS = {  # what a family of one member shows, in words for those who do not know the families
    "overconfident": "probabilities too extreme",
    "underconfident": "probabilities not extreme enough",
    "too well matched": "likely classes observed too often",
    "random labels": "unlikely classes observed too often",
    "top class too high": "probability of the top class too high",
    "top class too low": "probability of the top class too low",
}
IMPOSSIBLE = "an observed class had probability 0"
Named = tuple[str | None, str | None]


def member(ratios: Ratios, data: Predictions, family: str, cell: tuple[int, ...]) -> Named:
    """Return the largest member of a family in words, and its direction; None where it has none."""
    return MEMBERS[family](_Names(ratios, data), cell)


class _Names:
    """Classes and ranges of scores by the numbers of the members."""

    def __init__(self, ratios: Ratios, data: Predictions) -> None:
        self.ratios = ratios
        self.classes = tuple(map(named, data.classes))  # as the texts name them
        self.positive = data.positive if data.k == 2 else None

    def side(self, column: int, side: int) -> Named:
        """Return a class and its direction; of two classes always the positive one."""
        if self.positive is None or column == self.positive:
            return self.classes[column], SIDES[side]
        return self.classes[self.positive], SIDES[1 - side]

    def scores(self, column: int, run: int) -> str:
        """Return the range of a class's probabilities in the bins of a run."""
        bins = self.ratios.class_bins[:, column] - column * BINS
        shown = column if self.positive is None else self.positive
        inside = self.ratios.prob[(bins >= FIRST[run]) & (bins < AFTER[run]), shown]
        if not len(inside):
            return ""
        return f" predicted {number(float(inside.min()))} to {number(float(inside.max()))}"

    def pair(self, cell: int) -> tuple[str, str]:
        """Return the predicted and the observed class of a cell."""
        top, own = (int(x[0]) for x in np.nonzero(self.ratios.kept[0] == cell + 1))
        return self.classes[top], self.classes[own]

    def both(self, pair: int) -> tuple[str, str]:
        """Return the classes of a pair."""
        first, second = np.triu_indices(self.ratios.k, 1)
        return self.classes[first[pair]], self.classes[second[pair]]


def _alone(direction: str | None) -> Callable[[_Names, tuple[int, ...]], Named]:
    return lambda _names, _place: (None, direction)


def _pair(names: _Names, cell: tuple[int, ...]) -> Named:
    top, own = names.pair(cell[1])
    return f"{own} where {top} is predicted", SIDES[cell[0]]


def _likely(names: _Names, cell: tuple[int, ...]) -> Named:
    own, other = divmod(cell[1], names.ratios.k)
    return f"{names.classes[own]} where {names.classes[other]} is likely", SIDES[cell[0]]


def _exchanged(names: _Names, cell: tuple[int, ...]) -> Named:
    own, other = names.both(cell[1])
    return f"{own} where {other} is likely, and the reverse", SIDES[cell[0]]


def _score_range(names: _Names, cell: tuple[int, ...]) -> Named:
    column, run = divmod(cell[1], len(MANY))
    name, direction = names.side(column, cell[0])
    return f"{name}{names.scores(column, run)}", direction


MEMBERS: Mapping[str, Callable[[_Names, tuple[int, ...]], Named]] = {
    "overconfident": _alone("too extreme"),
    "underconfident": _alone("not extreme enough"),
    "too well matched": _alone("not extreme enough"),
    "random labels": _alone("too extreme"),
    "top class too high": _alone("too high"),
    "top class too low": _alone("too low"),
    "class shares": lambda names, cell: names.side(cell[1], cell[0]),
    "all class shares": _alone(None),
    "labels lost to one class": lambda names, cell: names.side(cell[0], 0),
    "range of scores": _score_range,
    "wave over the scores": lambda names, cell: (names.side(cell[0], 0)[0], None),
    "wave over the top scores": _alone(None),
    "slope of every class": _alone(None),
    "predicted and observed class": _pair,
    "likely class": _likely,
    "exchanged classes": _exchanged,
    "temperature by score": _alone(None),
    "temperature by class": lambda names, cell: (
        f"rows where {names.classes[cell[1]]} is predicted",
        BENDS[cell[0]],
    ),
    "slope of one class": lambda names, cell: (names.classes[cell[1]], BENDS[cell[0]]),
}


def strength(family: str, weight: float, values: Wide) -> float:
    """Return the logarithm of a family's weight times its likelihood ratio, the amount being free.

    Families of one fixed amount are given that of an unknown amount in their direction, as the
    others have; otherwise a large fault would appear weak in a family made for small ones. `values`
    are the log likelihood ratios of the observed labels and of the draws.
    """
    spread = float(values[1:].std())
    alike = spread <= TIE * (1.0 + abs(values[0]))  # draws that are all the same show no scale
    if family not in FIXED or not np.isfinite(values[0]) or alike:
        return float(np.log(weight) + values[0])
    z = (values[0] - values[1:].mean()) / spread
    if z <= 0:
        return float(np.log(weight) + min(values[0], 0.0))
    return float(np.log(2 * weight) + log_factor(np.square(z), SPREAD))


def strongest(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the strongest family of those with a direction.

    Families without one, such as waves of any size, explain more but name nothing.
    """
    directed = [part for part in parts if part["direction"] is not None]
    return max(directed, key=lambda part: part["strength"])


def short_of(fault: Fault, parts: Sequence[dict[str, Any]]) -> str:
    """Return what is wrong in a few words: the shape, or where it shows if none explains it.

    The direction is that of the shape alone, as `diagnose` names it: a family that ranks higher
    among the draws is a sign of the same fault, not a second opinion. An observed class of
    probability 0 makes all families infinite, so that none is the strongest.

    >>> short_of(Fault("overconfident", "overconfident", "Overconfident: temperature 1.5."), [])
    'overconfident'
    """
    if fault.shape != OTHER:
        return fault.short
    best = strongest(parts)
    if np.isinf(best["value"]):
        return IMPOSSIBLE
    return f"{fault.short}; clearest sign: {_sign(best)}"


def _sign(part: Mapping[str, Any]) -> str:
    """Return what the rows show: a member and how it is off, or a family of one member in words.

    >>> _sign(
    ...     {"name": "range of scores", "member": "L predicted 0.8 to 1", "direction": "too high"}
    ... )
    'L predicted 0.8 to 1 is too high'
    """
    if part["name"] in SIGNS:
        return SIGNS[part["name"]]
    return f"{part['member']} is {part['direction']}"


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
    def constant(self) -> bool:
        """Tell whether no family depends on the labels."""
        return bool(self.tails.min() >= 1.0)


def omnibus_test(data: Predictions, name: str, resampling: Resampling) -> CalibrationTest:
    """Return the omnibus calibration test of all classes; `name` is how the view is called."""
    data = as_drawn(data)
    rows = WeightedRows.of(data, "the omnibus test", resampling.pooled)
    ratios = Ratios(rows)
    observed, named = observed_families(ratios, data)
    ranked = _ranked(ratios, observed, _drawn(ratios, resampling))
    null = _null(ranked)
    weight = rows.weight
    reason = why_missing(float(observed.max()), ratios, weight, null.range, "resample")
    parts = _part_rows(ranked, named, data.k)
    p_value = null.p_value("greater")
    fault = None
    if p_value <= LEVEL:
        fault = fault_in(data, rows, top=name == "top-label")
    counts: dict[str, Any] = {
        "n": data.total,
        "effective_n": data.effective_n,
        "p_value": p_value,
        "resamples": len(null.values),
        "impossible_rows": impossible_rows(data),
    }
    notes = odd_notes(
        p_value=p_value,
        resamples=len(null.values),
        alternative="greater",
        constant=ranked.constant,
        impossible_rows=counts["impossible_rows"],
        n=data.total,
    )
    notes += () if rows.row_groups is None else rows.row_groups.notes()
    short = None if fault is None else short_of(fault, parts)
    in_groups = None if rows.row_groups is None else rows.row_groups.count
    return CalibrationTest(
        statistic="omnibus",
        view=name,
        scheme=None,
        distance=None,
        outcome="correct" if name == "top-label" else "class",
        alternative="two-sided",
        value=null.value,
        p_bounds=None,
        null=null.null,
        method=(
            f"{null.method}, {len(parts)} families of faults ranked among the same draws and "
            "combined"
        ),
        parts=parts,
        null_mean=null.mean,
        null_range=null.range,
        verdict=omnibus_verdict(**counts, fault=short, constant=ranked.constant, groups=in_groups),
        finding=None if fault is None else fault.sentence,
        fault=short,
        shape=None if fault is None else fault.shape,
        reason=reason,
        remarks=tuple(map(str, notes)),
        remark_codes=tuple(note.code for note in notes),
        groups=rows.row_groups,
        null_values=null.values,
        **counts,
    )


def omnibus_p_value(data: Predictions, resampling: Resampling) -> float:
    """Return the p-value of `omnibus_test` alone: no fault is named and no size is drawn.

    >>> data = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.2, 0.7, 0.4, 0.3] * 9)
    >>> resampling = Resampling(99, 0, 1, None)
    >>> omnibus_p_value(data, resampling) == omnibus_test(data, "event", resampling).p_value
    True
    """
    ratios = Ratios(WeightedRows.of(as_drawn(data), "the omnibus test"))
    return _p_values(ratios, ratios.actual[:, None], resampling)[0]


def omnibus_p_values(tables: Sequence[Predictions], resampling: Resampling) -> list[float]:
    """Return `omnibus_p_value` of tables that differ in their labels alone.

    Labels are drawn once for all of them, unless the draws depend on those of the table, as of rows
    in groups, or the rows are merged by them.
    """
    first = tables[0]
    if first.groups is not None or as_drawn(first) is not first:
        return [omnibus_p_value(one, resampling) for one in tables]
    ratios = Ratios(WeightedRows.of(first, "the omnibus test"))
    labels = np.column_stack([one.actual for one in tables])
    return _p_values(ratios, labels.astype(np.int32), resampling)


def _p_values(ratios: Ratios, labels: Ints, resampling: Resampling) -> list[float]:
    """Return the p-value of every column of labels, (n, tables), among the same draws."""
    observed = _values(ratios, labels, _tally(ratios, labels).terms())
    drawn = _drawn(ratios, resampling)
    ranked = (_ranked(ratios, own, drawn) for own in observed.T)
    return [_null(one).p_value("greater") for one in ranked]


def _drawn(ratios: Ratios, resampling: Resampling) -> Wide:
    """Return (families, m) log likelihood ratios of drawn labels."""
    return replace(resampling, pooled=ratios.rows.strength).draw(ratios)


def _ranked(ratios: Ratios, observed: Wide, drawn: Wide) -> Ranked:
    return Ranked.of(np.column_stack([observed, drawn]), weights(ratios.k))


def _null(ranked: Ranked) -> NullSummary:
    return compare_with_draws(float(ranked.combined[0]), ranked.combined[1:].copy())


def observed_families(ratios: Ratios, data: Predictions) -> tuple[Wide, list[Named]]:
    """Return (families,) log likelihood ratios of the observed labels, and their largest members.

    A label of probability 0 can never be drawn: it rules the predictions out, so every family is
    infinite.
    """
    labels = ratios.actual[:, None]
    tally = _tally(ratios, labels)
    terms, gaps = tally.terms(), tally.gaps(tally.gap)
    named: list[Named] = []
    for family in families(ratios.k):
        result = terms[family.name]
        if not result.size:
            named.append((None, None))
            continue
        cell = tuple(map(int, np.unravel_index(int(result[..., 0].argmax()), result.shape[:-1])))
        if family.name in gaps:
            cell = int(gaps[family.name][1][cell[0], 0] <= 0), *cell
        named.append(member(ratios, data, family.name, cell))
    return _values(ratios, labels, terms)[:, 0], named


def _tally(ratios: Ratios, labels: Ints) -> RatiosTally:
    """Return the tally of all rows with each column of labels, (n, tables)."""
    tally = ratios.tally(labels.shape[1])
    tally.add(slice(0, ratios.rows.n), labels)
    return tally


def _values(ratios: Ratios, labels: Ints, terms: Mapping[str, Wide]) -> Wide:
    """Return (families, tables) log likelihood ratios, infinite where a label cannot be."""
    result = np.stack([log_mean(terms[family.name]) for family in families(ratios.k)])
    result[:, np.take_along_axis(ratios.rows.never, labels, axis=1).any(axis=0)] = np.inf
    return result


def ranks(values: Wide) -> Wide:
    """Return (m + 1,) for each value the share of all that are at least as large.

    Equal within 1e-12 (1 + |T|) counts as equal.
    """
    order, size = np.argsort(values), len(values)
    rising = values[order]
    slack = TIE * (1.0 + np.abs(np.where(np.isfinite(rising), rising, 0.0)))
    result = np.empty(size)  # rising numbers are found faster than others
    result[order] = (size - np.searchsorted(rising, rising - slack, side="left")) / size
    return result


def combine(tails: Wide, weight: Wide) -> Wide:
    """Return (m + 1,) sums of weight / p over the families (harmonic mean p-value, Wilson 2019).

    A family that is the same for every set of labels is left out.
    """
    speaks = tails.min(axis=1) < 1.0
    return np.asarray((weight[:, None] / tails)[speaks].sum(axis=0))


def _part_rows(ranked: Ranked, named: Sequence[Named], k: int) -> list[dict[str, Any]]:
    """Say of every family how strong it is among the draws, and what it points to.

    The strongest that has a direction comes first, then the others by their p-values.
    """
    rows = zip(families(k), weights(k), ranked.values, ranked.tails, named, strict=True)
    result: list[dict[str, Any]] = [
        {
            "name": family.name,
            "weight": float(weight),
            "value": null.value,
            "null_mean": null.mean,
            "null_range": null.range,
            "p_value": float(tail[0]),
            "strength": strength(family.name, float(weight), values),
            "member": what,
            "direction": direction,
        }
        for family, weight, values, tail, (what, direction) in rows
        for null in [compare_with_draws(float(values[0]), values[1:])]
    ]
    best = strongest(result)
    rest = [part for part in result if part is not best]
    return [best, *sorted(rest, key=lambda part: (part["p_value"], -part["strength"]))]
