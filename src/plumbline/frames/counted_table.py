"""The table that counts at levels make: a row for each level and label of each group."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.frames.attributes import values_named
from plumbline.frames.class_cells import cells_of, rows_of_cells, table_of_cells
from plumbline.frames.columns import PREDICTED, WHOLE, CountedColumns, viewed
from plumbline.frames.levels import Levels, Wide, rows_at, rows_held
from plumbline.predictions import Labels, Predictions
from plumbline.predictions.counted import CountedAt

if TYPE_CHECKING:
    from plumbline.frames.level_counts import Key, LevelCounts


def predictions_of(counts: "LevelCounts") -> Predictions:
    """Return counts as a table, each row of which counts the rows that it is."""
    groups = sorted(counts.groups.items())
    if cells_of(counts.columns):
        return _of_all_classes(counts.columns, groups)
    columns, levels = counts.columns, counts.levels
    names = _class_names(counts)
    pilot = columns.pilot(sorted(names.values()))
    event = int(pilot.prob[0].argmax()) if pilot.prob is not None else 1
    number = {name: pilot.classes.index(called) for name, called in names.items()}
    homes = [number[name] for name in counts.names[:2]]
    sizes = [rows_held(held) for _, held in groups]
    rows = _Rows.empty(sum(sizes), len(counts.summed))
    for (_, held), size, end in zip(groups, sizes, np.cumsum(sizes).tolist(), strict=True):
        rows.fill(levels, held, end, size, turned=homes != sorted(homes))
    home = _homes(sizes)
    data = Predictions(
        classes=pilot.classes,
        positive=pilot.positive,
        actual=np.array([*homes, 0], np.int32)[rows.label],
        prob=rows.means if event == 1 else np.asfortranarray(rows.means[:, ::-1]),
        weight=rows.weight,
        counted=True,
        levels=CountedAt(
            levels.linear,
            levels.each,
            event,
            rows.alike,
            columns.view if columns.many else None,
            columns.classes if columns.many else (),
        ),
        averaged=frozenset(counts.summed),
        **_columns_of_groups(counts, [key for key, _ in groups], home, rows, number),
    )
    return data if columns.many else viewed(data, columns.view)


def _of_all_classes(columns: CountedColumns, groups: "Sequence[tuple[Key, Wide]]") -> Predictions:
    """Return cells of observed and likeliest class as a table of all classes."""
    home = _homes([rows_of_cells(held, len(columns.targets)) for _, held in groups])
    coded = _labels_of_groups(columns, [key for key, _ in groups], home)
    return table_of_cells(columns, [held for _, held in groups], coded)


def _homes(sizes: Sequence[int]) -> NDArray[np.int32]:
    """Return the group of every row from the rows of each group."""
    return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def _labels_of_groups(
    columns: CountedColumns, keys: "Sequence[Key]", home: NDArray[np.int32]
) -> dict[str, Labels]:
    """Return model, fold and repeat of the rows."""
    return {
        name: Labels.of_names(name, home, [key[j] for key in keys])
        for j, name in enumerate(columns.groups)
    }


def _class_names(counts: "LevelCounts") -> dict[str, str]:
    """Return what each label is called: 1.0 is 1 in a text where all labels are such."""
    whole = counts.columns.text and all(map(WHOLE.fullmatch, counts.names))
    return {name: name.removesuffix(".0") if whole else name for name in counts.names}


def _columns_of_groups(
    counts: "LevelCounts",
    keys: "Sequence[Key]",
    home: NDArray[np.int32],
    rows: "_Rows",
    number: Mapping[str, int],
) -> dict[str, Any]:
    """Return what rows have from their groups: models and the like, predicted labels, attributes.

    home : (n,) group of every row; number : of each label, that of its class.
    """
    columns = counts.columns
    named = {name: [key[j] for key in keys] for j, name in enumerate(columns.keys)}
    result: dict[str, Any] = dict(_labels_of_groups(columns, keys, home))
    if PREDICTED in named:
        result["label"] = np.array([number[name] for name in named[PREDICTED]], np.int32)[home]
    result["attributes"] = {
        name: rows.averages[:, counts.summed.index(name)]
        if name in counts.summed
        else values_named(named[name], counts.kinds.get(name))[home]
        for name in columns.attributes
    }
    return result


@dataclass(frozen=True)
class _Rows:
    """Rows of the table: (n, 2) mean 1 - p and p, and of each its label, count, whether alike.

    `averages` has the (n, summed) means of the attributes that are summed.
    """

    means: Wide
    label: NDArray[np.int8]
    weight: Wide
    alike: NDArray[np.bool_]
    averages: Wide

    @classmethod
    def empty(cls, n: int, summed: int) -> "_Rows":
        return cls(
            np.empty((n, 2), order="F"),
            np.empty(n, np.int8),
            np.empty(n),
            np.empty(n, np.bool_),
            np.empty((n, summed), order="F"),
        )

    def fill(self, levels: Levels, counts: Wide, end: int, size: int, *, turned: bool) -> None:
        """Write the rows of a group, `size` rows that end before row `end`."""
        own = slice(end - size, end)
        parts = (self.means, self.label, self.weight, self.alike, self.averages)
        rows_at(counts, levels.narrow, levels.linear, turned, *(part[own] for part in parts))
