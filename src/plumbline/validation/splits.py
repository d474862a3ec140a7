"""One split of the rows: what a model is fitted on, and what it is measured on."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Places: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A training part and a test part, as row numbers 0 .. n-1 of the data.

    Attributes
    ----------
    repeat, fold : which one it is; folds are counted within a repeat
    given : rows the model is fitted on, or the number n of all rows, of which it is fitted on those
        that are not tested: n splits of n rows then hold n numbers, and not n^2
    test : rows it is measured on, each once
    inner : what a search may choose on: pairs of places in `train` (0 .. len(train) - 1), so that
        no search can reach a row outside it. Row numbers are `train[places]`

    >>> Split(0, 0, 4, np.array([2])).train
    array([0, 1, 3])
    """

    repeat: int
    fold: int
    given: Places | int
    test: Places
    inner: tuple[tuple[Places, Places], ...] = ()

    @property
    def train(self) -> Places:
        """Rows the model is fitted on; a bootstrap sample holds some of them several times."""
        return _others(self.given, self.test) if isinstance(self.given, int) else self.given

    @property
    def n_train(self) -> int:
        """Number of rows the model is fitted on."""
        if isinstance(self.given, int):
            return self.given - len(self.test)
        return len(self.given)


def split_of(repeat: int, fold: int, parts: tuple[Places, Places], n: int) -> Split:
    """Return a split of n rows, in short if it is fitted on all that are not tested."""
    train, test = parts
    short = len(train) + len(test) == n and np.array_equal(train, _others(n, test))
    return Split(repeat, fold, n if short else train, test)


def _others(n: int, test: Places) -> Places:
    mask = np.ones(n, bool)
    mask[test] = False
    return np.flatnonzero(mask)
