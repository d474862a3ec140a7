"""The variance of a number whose rows are in groups, from sums over the groups.

Groups of many rows tell less of it than their count says. A number's own error takes part of each
group's sum away, most of the largest; and where rows depend, a few large groups make up the whole
variance. The first is given back, the second lowers the degrees of freedom.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.dependence.labels import Ints, Wide

Sums = NDArray[Any]  # what bincount gives

ROUNDING = 1e-12  # of the weights: squared sums that differ by less are those of single rows
LARGEST = 0.999  # share of the rows in one group: the sum over all rows is 0, whatever they are


@dataclass(frozen=True, slots=True, eq=False)
class GroupSums:
    """Variances of some numbers, each of a part of the rows.

    Attributes
    ----------
    variance : (parts,) of the sums of the rows' influence values
    freedom : (parts,) degrees of freedom of Student's t, at least 1
    """

    variance: Wide
    freedom: Wide

    @classmethod
    def of(
        cls, squares: Sums, mass: Sums, own: Sums, alone: Sums, part: Ints | None = None
    ) -> "GroupSums":
        """Return the variances from squared sums over groups.

        A group with the share h of the weights has its square divided by 1 - h (Bell and McCaffrey
        2002), which for G equal groups is the factor G / (G - 1). Degrees of freedom are those of
        Satterthwaite for groups whose variances are those of rows with one correlation, the one
        that makes up the sum of the squares; less 1 for the mean. Where every group is one row,
        rows are independent: the variance is theirs, and the degrees of freedom are infinite.

        Parameters
        ----------
        squares : (groups,) squared sums of the influence values
        mass, own : (groups,) sums of the rows' weights and of their squares
        alone : (parts,) sums of squared influence values of the rows
        part : (groups,) number of the part that a group is in, by default all in one

        Examples
        --------
        >>> ones = np.ones(5)
        >>> sums = GroupSums.of(ones, 4 * ones, 4 * ones, np.array([5.0]))
        >>> [float(end[0].round(9)) for end in (sums.variance, sums.freedom)]
        [6.25, 4.0]
        """
        of = np.zeros(len(squares), np.int64) if part is None else part

        def total(values: Sums) -> Wide:
            return np.asarray(np.bincount(of, values, len(alone)), np.float64)

        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.minimum(mass / total(mass)[of], LARGEST)
            variance = total(squares / (1.0 - share))
            pairs = np.square(mass) - own
            more = (variance - alone) / (alone / total(own) * total(pairs))
            each = own + np.clip(np.nan_to_num(more), 0.0, 1.0)[of] * pairs
            freedom = np.fmax(total(each) ** 2 / total(np.square(each)) - 1.0, 1.0)
        free = total(pairs) <= ROUNDING * total(own)
        return cls(np.where(free, alone, variance), np.where(free, np.inf, freedom))


def sums_over_groups(
    influence: Wide, groups: Ints, weight: Wide | None = None, *, telling: Wide | None = None
) -> GroupSums | None:
    """Return the variance of one number by its rows' influence values; None where they are 0.

    Parameters
    ----------
    influence : (n,), which sum to 0
    groups : (n,) codes
    weight : (n,) of the rows, which is in their influence already; by default 1
    telling : (n,) whether a row moves the number, by default where its influence is not 0
    """
    kept = influence != 0 if telling is None else telling
    mass = np.where(kept, 1.0 if weight is None else weight, 0.0)
    alone = float(np.square(influence).sum())
    if not (alone > 0 and np.isfinite(alone) and mass.any()):
        return None
    count = int(groups.max()) + 1
    sums, whole, own = (np.bincount(groups, v, count) for v in (influence, mass, np.square(mass)))
    some = whole > 0
    return GroupSums.of(np.square(sums)[some], whole[some], own[some], np.array([alone]))
