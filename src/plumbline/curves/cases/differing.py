"""Which attributes differ between the rows inside a band and those outside."""

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline.curves.rows import Rows

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Difference: TypeAlias = dict[str, Any]

FEW = 5  # rows inside or outside of which no p-value is given
SMALLEST = 1e-12  # 1 - V^2 is taken for no less, so that an effect has an end


def differences(rows: Rows, inside: Truths) -> list[Difference]:
    """Compare every attribute inside and outside; the largest effect first, undefined ones last."""
    weight = np.ones(rows.n) if rows.weights is None else rows.weights
    found = []
    for name in rows.data.attributes:
        values, names = rows.attribute(name), rows.attributes.names(name)
        told: Difference = {"attribute": name, "date": rows.attributes.is_date(name)}
        if names:
            found.append(told | _categories(values, names, inside, weight))
        else:
            found.append(told | _numbers(values.astype(float), inside, weight))
    _adjust(found)
    return sorted(found, key=_rank)


def _rank(found: Mapping[str, Any]) -> float:
    effect = found["effect"]
    return math.inf if math.isnan(effect) else -effect


def _numbers(values: Floats, inside: Truths, weight: Floats) -> Difference:
    """Compare numbers: means, medians, standardised difference, Mann and Whitney's test."""
    known = np.isfinite(values)
    parts = [(values[side & known], weight[side & known]) for side in (inside, ~inside)]
    means = [_mean(*part) for part in parts]
    medians = [_median(*part) for part in parts]
    spread = math.sqrt(sum(_variance(*part) for part in parts) / 2)
    same = math.isclose(means[0], means[1], rel_tol=1e-12)
    difference = (means[0] - means[1]) / spread if spread > 0 else 0.0 if same else math.nan
    p_value, reason = _mann_whitney(parts[0][0], parts[1][0])
    return {
        "kind": "number",
        "value": None,
        "inside": means[0],
        "outside": means[1],
        "median_inside": medians[0],
        "median_outside": medians[1],
        "difference": difference,
        "effect": abs(difference),
        "p_value": p_value,
        "missing": [int((side & ~known).sum()) for side in (inside, ~inside)],
        "reason": reason,
    }


def _mean(values: Floats, weight: Floats) -> float:
    return float(weight @ values / weight.sum()) if len(values) else math.nan


def _median(values: Floats, weight: Floats) -> float:
    """Return the middle value, the mean of the middle two where the weights divide evenly."""
    if not len(values):
        return math.nan
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[order])
    half = reached[-1] / 2
    ends = [np.searchsorted(reached, half * (1 + sign * 1e-12)) for sign in (-1, 1)]
    middle = values[order[np.minimum(ends, len(values) - 1)]]
    return float(middle.mean())


def _variance(values: Floats, weight: Floats) -> float:
    """Return the mean squared distance from the mean: the same whatever the weights sum up to."""
    if not len(values):
        return math.nan
    return float(weight @ (values - _mean(values, weight)) ** 2 / weight.sum())


def _mann_whitney(inside: Floats, outside: Floats) -> tuple[float, str | None]:
    from scipy.stats import mannwhitneyu

    reason = _too_few(len(inside), len(outside))
    everything = np.concatenate([inside, outside])
    if reason is None and everything.min() == everything.max():
        reason = "all rows have the same value"
    if reason is not None:
        return math.nan, reason
    return float(mannwhitneyu(inside, outside).pvalue), None


def _too_few(inside: int, outside: int) -> str | None:
    if min(inside, outside) >= FEW:
        return None
    where = "inside" if inside < FEW else "outside"
    return f"fewer than {FEW} rows with a value {where}"


def _categories(
    codes: NDArray[Any], names: tuple[str, ...], inside: Truths, weight: Floats
) -> Difference:
    """Compare categories: the most over-represented one, Cramér's V, and Pearson's chi-square."""
    known = codes >= 0
    sides = [side & known for side in (inside, ~inside)]
    heavy = np.array([np.bincount(codes[s], weight[s], len(names)) for s in sides])
    plain = np.array([np.bincount(codes[s], minlength=len(names)) for s in sides])
    totals = heavy.sum(axis=1)
    with np.errstate(invalid="ignore"):
        shares = heavy / totals[:, None]
    excess = shares[0] - shares[1]
    top = int(np.argmax(excess)) if len(names) and not np.isnan(excess).any() else None
    v = _cramer(heavy)
    p_value, reason = _chi_square(plain)
    return {
        "kind": "category",
        "value": None if top is None else names[top],
        "inside": math.nan if top is None else float(shares[0, top]),
        "outside": math.nan if top is None else float(shares[1, top]),
        "difference": v,
        "effect": 2 * v / math.sqrt(max(1 - v * v, SMALLEST)),
        "p_value": p_value,
        "missing": [int((side & ~known).sum()) for side in (inside, ~inside)],
        "reason": reason,
    }


def _chi2(table: Floats) -> float:
    """Return Pearson's chi-square of a table of two rows without empty columns."""
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())


def _cramer(table: Floats) -> float:
    """Return sqrt(chi^2 / n); of two rows, that is Cramér's V."""
    table = table[:, table.sum(axis=0) > 0]
    if not table.size or (table.sum(axis=1) == 0).any():
        return math.nan
    return math.sqrt(min(_chi2(table) / table.sum(), 1.0))


def _chi_square(table: NDArray[Any]) -> tuple[float, str | None]:
    from scipy.stats import chi2

    counts = table[:, table.sum(axis=0) > 0].astype(float)
    reason = _too_few(*table.sum(axis=1).tolist())
    if reason is None and counts.shape[1] < 2:
        reason = "all rows have the same value"
    if reason is not None:
        return math.nan, reason
    return float(chi2.sf(_chi2(counts), counts.shape[1] - 1)), None


def _adjust(found: list[Difference]) -> None:
    """Add the p-values of Benjamini and Hochberg over those that there are."""
    from scipy.stats import false_discovery_control

    p_values = np.array([one["p_value"] for one in found])
    adjusted = np.full(len(found), math.nan)
    there = ~np.isnan(p_values)
    if there.any():
        adjusted[there] = false_discovery_control(p_values[there])
    for one, value in zip(found, adjusted, strict=True):
        one["p_adjusted"] = float(value)
