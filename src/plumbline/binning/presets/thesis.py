"""The bins of "Increasing the Power of a Classifier's Calibration Test" (Tartu, 2020)."""

import numpy as np

from plumbline.binning.schemes import Floats, Home


def thesis_size(score: Floats, bins: int) -> Home:
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
    home: Home = np.where(
        rank < first, rank // (small + 1), larger + (rank - first) // max(small, 1)
    )
    return home


def thesis_width(score: Floats, bins: int) -> Home:
    """Bin min(p // (1 / b), b - 1): closed below, and decimals fall where rounding sends them.

    >>> thesis_width(np.array([0.3, 0.31, 1.0]), 10).tolist()
    [2, 3, 9]
    """
    home: Home = (score.astype(np.float64) // (1 / bins)).astype(np.int64)
    return np.minimum(home, bins - 1)
