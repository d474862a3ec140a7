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
    train : rows the model is fitted on; a bootstrap sample holds some of them several times
    test : rows it is measured on, each once
    inner : what a search may choose on: pairs of places in `train` (0 .. len(train) - 1), so that
        no search can reach a row outside it. Row numbers are `train[places]`
    """

    repeat: int
    fold: int
    train: Places
    test: Places
    inner: tuple[tuple[Places, Places], ...] = ()
