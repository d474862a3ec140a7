"""From the answers on test parts to prediction tables."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plumbline.checkpoints import Key
from plumbline.errors import PlumblineWarning, level_of_caller
from plumbline.predictions import Predictions
from plumbline.predictions.labels import Array
from plumbline.validation.asking import table_of
from plumbline.validation.running import Work

KINDS = ("label", "prob", "score")


def prediction_table(
    work: Work, blocks: Mapping[Key, Mapping[str, Array]], names: Mapping[int, str]
) -> Predictions:
    """Return the stacked predictions of the named models on all test parts.

    Where models answer with different things, the table holds what all give, and a warning says so.
    """
    keys = [(number, place) for number in names for place in range(len(work.splits))]
    given = [{kind for kind in KINDS if kind in blocks[key]} for key in keys]
    common = set.intersection(*given)
    if common != set.union(*given):
        _warn_of_the_rest(names.values())
    sizes = [len(work.splits[place].test) for _, place in keys]
    test = np.concatenate([work.splits[place].test for _, place in keys])
    rows = work.rows
    return table_of(
        rows.codes[test],
        {kind: _stacked([blocks[key][kind] for key in keys], kind) for kind in common},
        rows.classes,
        positive=work.rows.positive,
        model=np.repeat([names[number] for number, _ in keys], sizes),
        row=test if rows.names is None else rows.names[test],
        attributes={name: values[test] for name, values in rows.attributes.items()},
        **_places(work, [place for _, place in keys], sizes),
    )


def _warn_of_the_rest(names: Any) -> None:
    text = (
        f"the models {', '.join(names)} do not all answer with probabilities, so their common "
        "table holds only what all of them give; each model's own is in .models[...].predictions"
    )
    warnings.warn(PlumblineWarning(text), stacklevel=level_of_caller())


def _places(work: Work, places: Sequence[int], sizes: Sequence[int]) -> dict[str, Array]:
    """Return fold and repeat of every row; a single split has none, a single repeat no repeat."""
    splits = [work.splits[place] for place in places]
    columns = {}
    if len(work.splits) > 1:
        columns["fold"] = np.repeat([split.fold for split in splits], sizes)
    if any(split.repeat for split in splits):
        columns["repeat"] = np.repeat([split.repeat for split in splits], sizes)
    return columns


def _stacked(parts: Sequence[Array], kind: str) -> Array:
    """Join arrays; in the precision of the finest, probabilities of the coarser sum to 1 again."""
    wide = np.result_type(*parts)
    if kind == "prob":
        parts = [p if p.dtype == wide else _summing_to_one(p.astype(wide)) for p in parts]
    return np.concatenate(parts)


def _summing_to_one(prob: Array) -> Array:
    return np.asarray(prob / prob.sum(axis=1, keepdims=True))
