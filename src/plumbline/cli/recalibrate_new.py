"""NEW: the rows that `recalibrate --apply` mends, with or without their true classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plumbline._checks import shown
from plumbline.cli.source import listed
from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.words import counted, printable

if TYPE_CHECKING:
    import pyarrow as pa

PROB, SCORE = "p:", "score:"
TRUTHS = ("actual", "y_true")
STAND_IN = "actual"  # where nothing happened yet, the classes in turn stand there; nobody looks


@dataclass(frozen=True, slots=True)
class New:
    """Rows to mend.

    Attributes
    ----------
    data : what the map reads; without true classes these are stand-ins
    labelled : whether the true classes are known
    table : all columns of a file without true classes, as they were
    probabilities : which of them hold probabilities
    """

    data: Predictions
    labelled: bool
    table: "pa.Table"
    probabilities: tuple[str, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """Name of the model, where the file tells one."""
        if "model" not in self.table.column_names:
            return ()
        return (str(self.table.column("model")[0].as_py()),)

    def heading(self, file: Path) -> str:
        """Say in one line what was read."""
        from plumbline.cli.source import heading

        if self.labelled:
            return heading(file, self.data)
        counts = f"{counted(self.table.num_rows, 'row')}, {counted(self.data.k, 'class')}"
        return f"{printable(file.name)}: {counts}, without the true class"

    def write(self, mended: Predictions, path: Path) -> None:
        """Write the mended rows; a file without true classes keeps all its other columns."""
        if self.labelled:
            mended.write(path)
            return
        from plumbline.predictions.files import write_table

        write_table(self._with(mended), path)

    def _with(self, mended: Predictions) -> "pa.Table":
        """Return the columns as they were, the mended probabilities for the old ones."""
        import pyarrow as pa

        n, prob = self.table.num_rows, mended.need_prob("writing")
        values = {f"{PROB}{name}": prob[:n, j] for j, name in enumerate(mended.classes)}
        columns: dict[str, Any] = {}
        for name in self.table.column_names:
            columns |= values if name in self.probabilities else {name: self.table.column(name)}
        return pa.table(columns | values)


def read_new(
    file: Path, how: Mapping[str, Any], *, classes: Sequence[str], positive: str | None
) -> New:
    """Read the rows to mend, by the reading options as far as the file has their columns.

    `classes` and `positive` are the map's: without true classes nothing else tells them.
    """
    from plumbline.predictions.files import read_table

    rename = dict(how["rename"])
    table = read_table(file, actual=how["actual"], rename=rename)
    table = _of_one_model(_renamed(table, rename), how["models"])
    prob = {column: name for column, name in how["prob"] if column in table.column_names}
    truth = [name for name in (how["actual"], *TRUTHS) if name in table.column_names]
    asked = {
        "prob": prob or None,
        "positive": how["positive"] if how["positive"] is not None else positive,
        "normalize": how["normalize"],
    }
    if truth:
        data = Predictions.from_frame(table, actual=truth[0], **asked)
        return New(data, True, table, ())
    read = _read_columns(table.column_names, prob)
    stand_in = _with_stand_ins(table.select(read), classes)
    data = Predictions.from_frame(stand_in, actual=STAND_IN, **asked)
    probabilities = tuple(name for name in read if name != "score" and not name.startswith(SCORE))
    return New(data, False, table, probabilities)


def _renamed(table: "pa.Table", rename: Mapping[str, str]) -> "pa.Table":
    names = [rename.get(name, name) for name in table.column_names]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise InputError(
            f"after --rename NEW has several columns named {shown(twice)}; every column needs a "
            "name of its own"
        )
    return table.rename_columns(names)


def _of_one_model(table: "pa.Table", models: str | None) -> "pa.Table":
    """Keep the rows of the model that the map is of, where the file tells models apart."""
    if "model" not in table.column_names:
        return table
    from pyarrow import compute

    column = compute.cast(table.column("model"), "string")
    known = [name for name in column.unique().to_pylist() if name is not None]
    wanted = known if models is None else listed("--models", models, known)
    if len(wanted) != 1:
        raise InputError(
            f"a map is of one model, NEW holds {len(wanted)} ({shown(wanted)}); choose one with "
            "--models"
        )
    kept = table.filter(compute.equal(column, wanted[0]))
    if not kept.num_rows:
        raise InputError(f"NEW has no row of the model {wanted[0]!r}; it has {shown(known)}")
    return kept


def _read_columns(names: Sequence[str], prob: Mapping[str, str]) -> list[str]:
    """Return the columns of probabilities and ratings."""
    named = list(prob) or [name for name in names if name.startswith(PROB)]
    named = named or [name for name in names if name == "y_prob"]
    rated = [name for name in names if name == "score" or name.startswith(SCORE)]
    if not named and not rated:
        raise InputError(
            f"NEW has no column of probabilities or ratings among {shown(names)}; it needs one "
            "column p:<class> a class, or score; or name them with --prob COLUMN=CLASS"
        )
    return named + rated


def _with_stand_ins(table: "pa.Table", classes: Sequence[str]) -> "pa.Table":
    """Return the columns with the classes in turn for the true ones; a single row comes twice."""
    import pyarrow as pa

    if table.num_rows == 1:
        table = pa.concat_tables([table, table])
    turn = np.resize(np.arange(len(classes), dtype=np.int32), table.num_rows)
    truth = pa.DictionaryArray.from_arrays(pa.array(turn), pa.array(list(classes), pa.string()))
    return table.append_column(STAND_IN, truth)
