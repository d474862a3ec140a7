"""Bins over the data's own range; a rule for histograms gives their number."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from plumbline._checks import one_of
from plumbline._keywords import keywords_checked
from plumbline.binning.schemes import (
    MOST_BINS,
    ROUNDING,
    SPANS,
    Floats,
    Sums,
    data_edges,
    unit_edges,
    with_weight,
)
from plumbline.errors import warn

# Number of bins for n rows.
COUNTS: dict[str, Callable[[float], float]] = {
    "sturges": lambda n: math.log2(n) + 1.0,
    "square-root": math.sqrt,
    "cube-root": lambda n: n ** (1.0 / 3.0),
    "rice": lambda n: 2.0 * n ** (1.0 / 3.0),
}
# Width of a bin for scores in rising order, with their weights.
WIDTHS: dict[str, Callable[[Sums, Sums], float]] = {
    "freedman-diaconis": lambda s, w: 2.0 * interquartile_range(s, w) / w.sum() ** (1.0 / 3.0),
    "scott": lambda s, w: (24.0 * math.sqrt(math.pi) / w.sum()) ** (1.0 / 3.0) * deviation(s, w),
}
RULES = (*WIDTHS, *COUNTS)


@keywords_checked
@dataclass(frozen=True, slots=True)
class HistogramRule:
    """Bins of equal width, whose number a rule for histograms takes from the scores.

    For n rows of standard deviation s and interquartile range IQR:

    - "freedman-diaconis": width 2 IQR / n^(1/3) (Freedman and Diaconis 1981)
    - "scott": width (24 sqrt(pi) / n)^(1/3) s, about 3.49 s / n^(1/3) (Scott 1979)
    - "sturges": log2(n) + 1 bins (Sturges 1926); "rice": 2 n^(1/3)
    - "square-root": sqrt(n) bins; "cube-root": n^(1/3)

    rounded up, over `span`: "data", from the lowest to the highest score, or "unit", [0, 1]. They
    are numpy's `histogram_bin_edges`, but (lo, hi]. Weights are repetitions: n is their sum. Where
    the width is 0 there is one bin; with a PlumblineWarning if that is due to an IQR of 0. At most
    a million bins.

    Parameters
    ----------
    rule : str, default "freedman-diaconis"
        One of the names above.
    span : {"data", "unit"}, default "data"
        What the bins cover: the range of the scores, or [0, 1].

    Raises
    ------
    ParameterError
        For an unknown rule or span.

    Examples
    --------
    >>> HistogramRule("square-root").edges(np.array([0.1, 0.2, 0.4, 0.5]), None).tolist()
    [0.1, 0.3, 0.5]
    """

    rule: str = "freedman-diaconis"
    span: str = field(default="data", kw_only=True)

    def __post_init__(self) -> None:
        one_of("rule", self.rule, RULES)
        one_of("span", self.span, SPANS)

    def edges(self, score: Floats, weight: Floats | None) -> Floats:
        """Return the edges in the scores' dtype; over the data the first and last are scores."""
        kept, mass = with_weight(score, weight)
        if weight is None:
            kept = np.sort(kept)
        else:  # sums in an order that is not the rows'
            order = np.lexsort((mass, kept))
            kept, mass = kept[order], mass[order]
        wide = kept.astype(np.float64)
        reach = float(wide[-1] - wide[0]) if self.span == "data" else 1.0
        bins = self._number(wide, mass, reach, float(np.finfo(score.dtype).eps))
        return data_edges(kept, bins) if self.span == "data" else unit_edges(bins, score.dtype)

    def _number(self, score: Sums, mass: Sums, reach: float, eps: float) -> int:
        """Return the number of bins; what is whole but for the scores' rounding is whole."""
        if self.rule in COUNTS:
            wanted = COUNTS[self.rule](float(mass.sum()))
        else:
            width = WIDTHS[self.rule](score, mass)
            if not width > 0:
                self._warn_of_one_bin(score)
                return 1
            wanted = min(reach / width, 2.0 * MOST_BINS)
        slack = max(ROUNDING, 16.0 * eps)
        return min(max(1, math.ceil(wanted * (1.0 - slack))), MOST_BINS)

    def _warn_of_one_bin(self, score: Sums) -> None:
        if score[0] < score[-1]:
            warn(
                "the interquartile range of the scores is 0, so the rule 'freedman-diaconis' makes "
                "one bin; use for instance 'scott' or 'equal-size:15'",
                code="one-bin",
            )

    def __str__(self) -> str:
        return self.rule if self.span == "data" else f"{self.rule}:{self.span}"


def interquartile_range(score: Sums, mass: Sums) -> float:
    """Return the difference of the quartiles of rising scores, interpolated as numpy does.

    A row of weight w stands for w equal ones.
    """
    reached = np.cumsum(mass)
    quartiles = []
    for share in (0.25, 0.75):
        at = max(0.0, (float(reached[-1]) - 1.0) * share)
        low = math.floor(at + ROUNDING)
        result = np.searchsorted(reached * (1.0 - ROUNDING), [low, low + 1], side="right")
        below, above = score[np.minimum(result, len(score) - 1)]
        quartiles.append(below + max(0.0, at - low) * (above - below))
    return float(quartiles[1] - quartiles[0])


def deviation(score: Sums, mass: Sums) -> float:
    """Return the standard deviation of the scores, 0 where all are equal."""
    if score[0] == score[-1]:
        return 0.0
    share = mass / mass.sum()
    mean = (share * score).sum()
    return math.sqrt(float((share * np.square(score - mean)).sum()))
