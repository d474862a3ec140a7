"""In which parts the rows are mended: every part by maps that have not seen its examples."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Labels
from plumbline.random_streams import stream
from plumbline.recalibration.fitting import dealt_parts
from plumbline.results.formatting import counted

Ints = NDArray[np.intp]

KEY = 41  # first number of the key of this stream
MOST_FOLDS = 10  # more of them would be fitted as often, and hold fewer rows each


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """How the rows are cut.

    Attributes
    ----------
    part : (n,) number of every row's part, all rows of an example in one part
    example : (n,) number of every row's example, 0 .. e - 1
    shape : what the parts are, in words
    """

    part: Ints
    example: Ints
    shape: str

    @property
    def parts(self) -> int:
        """Number of parts."""
        return len(np.unique(self.part))


def cut_of(data: Predictions, parts: int, entropy: int) -> Cut:
    """Return the folds of one cross-validation, else parts of examples dealt out by chance.

    Folds serve where there are 2 to 10 and no example is in several; then a map for the rows of
    one fold is fitted on those of the others. Examples are dealt out class by class, so that the
    parts hold nearly equally many of each; all rows of an example, which several repeats may have
    predicted, stay together. Only `row` says which rows are of one example: equal predictions and
    equal classes do not, for a model that is wrong gives them to different examples too. Raises
    InputError for fewer than two examples.
    """
    example = examples_of(data)
    count = int(example.max()) + 1
    if count < 2:
        raise InputError(
            f"a map is judged on other examples than it was fitted on, and here is "
            f"{counted(count, 'example')}; give more rows"
        )
    if data.fold is not None and _serve(data.fold.codes, example):
        folds = np.asarray(np.unique(data.fold.codes, return_inverse=True)[1], np.intp)
        return Cut(folds, example, f"the {len(np.unique(folds))} folds of the table")
    kinds = np.zeros(count, np.intp)
    kinds[example] = data.actual
    part = dealt_parts(kinds, min(parts, count), stream(entropy, KEY))
    return Cut(part[example], example, f"{min(parts, count)} parts dealt out by chance")


def examples_of(data: Predictions) -> Ints:
    """Return the (n,) number of every row's example; without `row` every row is one."""
    if data.row is None:
        return np.arange(data.n)
    return np.asarray(Labels.of("row", data.row).codes, np.intp)


def _serve(folds: NDArray[np.signedinteger], example: Ints) -> bool:
    """Tell whether folds are few enough, and hold every example once at most."""
    together = np.unique(np.stack([example, folds]), axis=1).shape[1]
    return 2 <= len(np.unique(folds)) <= MOST_FOLDS and together == len(np.unique(example))


def with_shares(data: Predictions, part: Ints) -> Predictions:
    """Return the table with the shares of the classes in the other parts as probabilities.

    A class counts one row more than it has, so that none gets 0.
    """
    prob = np.empty((data.n, data.k), order="F" if data.k == 2 else "C")
    for one in np.unique(part):
        inside = part == one
        mass = np.bincount(data.actual[~inside], data.mass[~inside], data.k) + 1.0
        prob[inside] = mass / mass.sum()
    return replace(data, prob=prob)
