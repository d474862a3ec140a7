"""How other projects bin scores: each rule is a function of the scores, quirks included.

Each reproduces what the package does and is tested against its values; versions are in
`calibration.PRESETS`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from plumbline.binning.schemes import BinNumbers, EqualSize, EqualWidth, Floats
from plumbline.errors import InputError

__all__ = [
    "PresetBinning",
    "BinRule",
    "OwnBinning",
    "blog_size",
    "blog_width",
    "guo_width",
    "mapie_size",
    "netcal_size",
    "netcal_width",
    "sklearn_size",
    "sklearn_width",
    "tfp_size",
    "tfp_width",
    "thesis_size",
    "thesis_width",
    "torchmetrics_width",
]


# (n,) scores and the number of bins asked for -> (n,) bins, -1 for none.
BinRule: TypeAlias = Callable[[Floats, int], BinNumbers]
OwnBinning: TypeAlias = EqualWidth | EqualSize


@dataclass(frozen=True, slots=True)
class PresetBinning:
    """A scheme by the conventions of another project.

    Attributes
    ----------
    ours : the scheme by this project's own conventions
    rule : the other project's rule
    extra : additional bins, beyond the number given
    single : whether it converts the scores to float32

    >>> from plumbline.binning.conventions import torchmetrics_width
    >>> PresetBinning(EqualWidth(2), torchmetrics_width, extra=1).bin_numbers(
    ...     np.array([0.4, 0.5, 1.0])
    ... ).tolist()
    [0, 1, 2]
    """

    ours: OwnBinning
    rule: BinRule = field(repr=False)
    extra: int = 0
    single: bool = False

    @property
    def bins(self) -> int:
        """Number of bins."""
        return self.ours.bins + self.extra

    def edges(self, score: Floats, weight: Floats | None) -> None:
        """Return None: no edges (lo, hi] would put every score where the rule does."""
        return

    def bin_numbers(self, score: Floats) -> BinNumbers:
        """Return the bin of every score, 0 .. bins - 1, or -1 for none."""
        scores = score.astype(np.float32) if self.single else score
        return self.rule(scores, self.ours.bins)

    def __str__(self) -> str:
        return str(self.ours)


def sklearn_width(score: Floats, bins: int) -> BinNumbers:
    """(lo, hi] between edges linspace(0, 1, b + 1), which are float64 whatever the scores are.

    So a float32 score that stands for an edge falls beside it: 0.1 in float32 is above 0.1.

    >>> sklearn_width(np.array([0.1, 0.1 + 1e-9, 1.0]), 10).tolist()
    [0, 1, 9]
    """
    return _above(np.linspace(0.0, 1.0, bins + 1)[1:-1], score)


def sklearn_size(score: Floats, bins: int) -> BinNumbers:
    """(lo, hi] between interpolated percentiles; edges that coincide leave bins empty.

    >>> sklearn_size(np.array([0.1, 0.2, 0.3, 0.4]), 2).tolist()
    [0, 0, 1, 1]
    """
    return _above(np.percentile(score, np.linspace(0, 1, bins + 1) * 100)[1:-1], score)


def torchmetrics_width(score: Floats, bins: int) -> BinNumbers:
    """[lo, hi) between torch's linspace edges in the scores' dtype; p = 1 alone in bin b.

    >>> torchmetrics_width(np.array([0.0, 0.5, 1.0]), 2).tolist()
    [0, 1, 2]
    """
    return _reached(_torch_linspace(bins, score.dtype), score) - 1


def netcal_width(score: Floats, bins: int) -> BinNumbers:
    """[lo, hi) between linspace edges; p is clipped to [eps, 1 - eps] of its dtype before.

    Raises InputError where float32 scores lie on edges, as `netcal_size` does.

    >>> netcal_width(np.array([0.0, 0.5, 1.0]), 2).tolist()
    [0, 1, 1]
    """
    return _in_netcal(_inside(score), np.linspace(0.0, 1.0, bins + 1))


def netcal_size(score: Floats, bins: int) -> BinNumbers:
    """[lo, hi) between interpolated quantiles, the outer ones 0 and 1.

    Raises InputError where two edges coincide, for which netcal itself raises ValueError; and where
    it counts float32 scores by edges in float64 but averages them by edges in float32.

    >>> netcal_size(np.array([0.1, 0.2, 0.3, 0.4]), 2).tolist()
    [0, 0, 1, 1]
    """
    clipped = _inside(score)
    edges = np.quantile(clipped, np.linspace(0.0, 1.0, bins + 1))
    edges[0], edges[-1] = 0.0, 1.0
    own = edges.astype(score.dtype)
    if np.any(own[1:] == own[:-1]):
        raise InputError(
            f"with 'equal-size:{bins}' some quantiles of these scores coincide, and netcal then "
            "gives no value. Use fewer bins, or leave out `like`: such edges then collapse",
            code="quantiles-coincide",
        )
    return _in_netcal(clipped, edges)


def tfp_width(score: Floats, bins: int) -> BinNumbers:
    """Bin min(floor(b p), b - 1) in the scores' dtype: an edge falls where rounding sends it.

    >>> tfp_width(np.array([0.0, 0.29, 1.0]), 100).tolist()
    [0, 28, 99]
    """
    home: BinNumbers = np.floor(score.dtype.type(bins) * score).astype(np.int64)
    return np.minimum(home, bins - 1)


def tfp_size(score: Floats, bins: int) -> BinNumbers:
    """[lo, hi) between scores of the nearest rank, the last bin closed.

    As with `log_space_buckets=True`; with False the edges are ln(exp(ln p)), rounded twice, so
    that a score that is an edge may fall to either side, and the least in no bin at all.

    >>> tfp_size(np.array([0.1, 0.2, 0.3, 0.4]), 2).tolist()
    [0, 0, 1, 1]
    """
    rank = np.rint((len(score) - 1) * np.linspace(0.0, 1.0, bins + 1)).astype(np.int64)
    home = _reached(np.sort(score)[rank], score) - 1
    return np.minimum(home, bins - 1)


def guo_width(score: Floats, bins: int) -> BinNumbers:
    """(lo, hi] between torch's linspace edges in float32; p = 0 is in no bin, though it is counted.

    >>> guo_width(np.array([0.0, 0.5, 1.0]), 2).tolist()
    [-1, 0, 1]
    """
    return _above(_torch_linspace(bins, np.dtype(np.float32)), score) - 1


def blog_width(score: Floats, bins: int) -> BinNumbers:
    """(lo, hi] between linspace(0, 1, b): b - 1 bins, and bin 0 for p = 0.

    >>> blog_width(np.array([0.0, 0.5, 1.0]), 2).tolist()
    [0, 1, 1]
    """
    return _above(np.linspace(0.0, 1.0, bins), score)


def blog_size(score: Floats, bins: int) -> BinNumbers:
    """(lo, hi] between b quantiles, equal ones once; bin 0 for the scores equal to the least.

    >>> blog_size(np.array([0.1, 0.2, 0.3, 0.4]), 3).tolist()
    [0, 1, 2, 2]
    """
    return _above(np.unique(np.quantile(score, np.linspace(0.0, 1.0, bins))), score)


def mapie_size(score: Floats, bins: int) -> BinNumbers:
    """(lo, hi] between b percentiles; bin 0 for the scores equal to the least.

    >>> mapie_size(np.array([0.1, 0.2, 0.3, 0.4]), 3).tolist()
    [0, 1, 2, 2]
    """
    return _above(np.percentile(score, np.linspace(0, 1, bins) * 100), score)


def _above(edges: Floats, score: Floats) -> BinNumbers:
    """Return the number of edges below each score: an edge belongs to the bin below it."""
    home: BinNumbers = np.searchsorted(edges, score, side="left")
    return home


def _reached(edges: Floats, score: Floats) -> BinNumbers:
    """Return the number of edges up to each score: an edge belongs to the bin above it."""
    home: BinNumbers = np.searchsorted(edges, score, side="right")
    return home


def _inside(score: Floats) -> Floats:
    tiny = np.finfo(score.dtype).eps
    return np.clip(score, tiny, 1.0 - tiny)


def _in_netcal(clipped: Floats, edges: Floats) -> BinNumbers:
    counted = _reached(edges, clipped)
    averaged = _reached(edges.astype(clipped.dtype), clipped)
    if not np.array_equal(counted, averaged):
        raise InputError(
            "some of these float32 scores lie on edges, and netcal then counts a row in one bin "
            "and averages it in another; give netcal and `like` 'netcal' scores in float64",
            code="scores-on-edges",
        )
    return counted - 1


def _torch_linspace(bins: int, dtype: np.dtype[np.floating[Any]]) -> Floats:
    """Return torch.linspace(0, 1, b + 1): step x j up to the middle, then 1 - step x (b - j).

    The latter is rounded once, as processors with a fused multiply-add have it: of step = high +
    low, 1 - high x j is exact.
    """
    step = np.float64(dtype.type(1) / dtype.type(bins))
    high = np.float64(np.float32(step))
    place = np.arange(bins + 1)
    left = bins - place
    back = (1.0 - high * left) - (step - high) * left
    return np.where(place < (bins + 1) // 2, step * place, back).astype(dtype)


def thesis_size(score: Floats, bins: int) -> BinNumbers:
    """Sort the rows by score (equal ones in their order) and cut them into b parts, larger first.

    The parts of `numpy.array_split`, so equal scores may be split.

    >>> thesis_size(np.array([0.3, 0.3, 0.3]), 2).tolist()
    [0, 0, 1]
    """
    n = len(score)
    small, larger = divmod(n, bins)
    rank = np.empty(n, np.int64)
    rank[np.argsort(score, kind="stable")] = np.arange(n)
    first = larger * (small + 1)  # rows in the larger parts
    home: BinNumbers = np.where(
        rank < first, rank // (small + 1), larger + (rank - first) // max(small, 1)
    )
    return home


def thesis_width(score: Floats, bins: int) -> BinNumbers:
    """Bin min(p // (1 / b), b - 1): closed below, and decimals fall where rounding sends them.

    >>> thesis_width(np.array([0.3, 0.31, 1.0]), 10).tolist()
    [2, 3, 9]
    """
    home: BinNumbers = (score.astype(np.float64) // (1 / bins)).astype(np.int64)
    return np.minimum(home, bins - 1)
