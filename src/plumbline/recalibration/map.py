"""The frozen map: probabilities or ratings in, mended probabilities out."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions import Predictions, only_predictions
from plumbline.predictions.labels import Labels
from plumbline.recalibration.arrays import reading_of_array
from plumbline.recalibration.forms import Form
from plumbline.recalibration.inputs import Reading, reading_of, rows_that_count
from plumbline.recalibration.remembered import Remembered
from plumbline.recalibration.spoken import facts_in_words, form_in_words
from plumbline.results import Facts, Result, lock
from plumbline.results.formatting import DISHONEST, FITTED_ON_THESE, printable


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RecalibrationMap(Result):
    """A recalibration fitted on held-out rows and frozen: call it with a prediction table.

    Attributes
    ----------
    method : its name, such as "isotonic"
    classes : names of the classes, in the order of the form
    positive : the positive class of two; else None
    on : "probability" or "score": what it reads
    several : "native" or "one-vs-rest": how it treats more than two classes; None for two
    parameters : numbers fitted freely
    n, effective_n : rows it was fitted on, and how many they are worth with their weights
    options : the settings of the method
    notes : what the reader should know, half sentences
    details : fitted numbers that are worth reading, such as the temperature
    least : what smaller probabilities count as in logarithms: the option `floor`, or, where some of
        the rows it was fitted on were exactly 0, half the smallest above 0 if that is more; 0 for
        tables made from logits and methods without logarithms, and then one of exactly 0 counts
        as 2^-52
    form : what it computes
    remembered : the rows it was fitted on, by hash
    advice : why this method, where it was chosen among all; not kept in files
    """

    method: str
    classes: tuple[str, ...]
    positive: str | None
    on: str
    several: str | None
    parameters: int
    n: int
    effective_n: float
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    least: float = 0.0
    form: Form = dataclasses.field(metadata={"hidden": True})
    remembered: Remembered = dataclasses.field(metadata={"hidden": True})
    advice: Any = dataclasses.field(default=None, metadata={"hidden": True})

    def __post_init__(self) -> None:
        for name in ("options", "details"):
            object.__setattr__(self, name, Facts(getattr(self, name)))
        lock((self.form, self.remembered))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        lock((self.form, self.remembered))  # an array comes out of a pickle writable

    @property
    def place(self) -> int:
        """Column of the positive class of two; of more, whose order says nothing, the last."""
        return len(self.classes) - 1 if self.positive is None else self.classes.index(self.positive)

    def __call__(self, data: Predictions, *, resubstitution: bool = False) -> Predictions:
        """Return the same table with mended probabilities.

        A `predicted` column is left out: the answer follows the new probabilities. Raises
        InputError where the table has other classes or several models, or holds rows the map was
        fitted on: these look better than new ones will. `resubstitution=True` takes them all the
        same, and ends the model's name with a remark.

        >>> from plumbline.recalibration import fit_map
        >>> rng = np.random.default_rng(0)
        >>> p = rng.random(400)
        >>> data = Predictions.from_arrays(rng.random(400) < p**2, p)
        >>> half = np.arange(400) < 200
        >>> fixed = fit_map(data.select(where=half), "platt")
        >>> fixed(data.select(where=~half)).n
        200
        """
        only_predictions(data).need_one_model("recalibration")
        if resubstitution:
            return _marked(self.applied(data), self.method)
        used = rows_that_count(data)
        if used is not None:
            self.remembered.refuse(self._read(used), f"the {printable(self.method)} map")
        return self.applied(data)

    def applied(self, data: Predictions) -> Predictions:
        """Return the mended table without asking which rows these are."""
        answer = self.form(self._read(data))
        order = [self.classes.index(name) for name in data.classes]
        prob, logs = (_back(values, order, data.k) for values in answer)
        return dataclasses.replace(data, prob=prob, log_prob=logs, label=None)

    def transform(self, values: Any) -> NDArray[np.float64]:
        """Return (n, k) mended probabilities of an array, without asking which rows these are.

        `values` has a column a class in the map's order, probabilities or ratings; of two classes
        (n,) of the positive one will do. Raises InputError for what a table would refuse too.
        """
        return self.form(
            reading_of_array(values, self.on, self.classes, self.place, least=self.least)
        ).prob

    def save(self, path: str | Path) -> None:
        """Write the map as a JSON file, from which `load` makes the same map to the last bit.

        A crash leaves no half file. Raises ParameterError unless the name ends in .json.
        """
        from plumbline.recalibration.export.json_file import write_map

        write_map(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "RecalibrationMap":
        """Read a map that `save` wrote.

        Raises InputError for a file that is missing, damaged, changed by hand, of a newer
        Plumbline, or no map.
        """
        from plumbline.recalibration.export.json_file import read_map

        return read_map(Path(path))

    def to_sql(
        self,
        dialect: str = "ansi",
        *,
        table: str | Sequence[str] = "predictions",
        columns: Mapping[str, str] | str | None = None,
    ) -> str:
        """Return a query of all columns of a table and, as `q:<class>`, the mended probabilities.

        dialect : "ansi", "bigquery", "duckdb", "mysql", "postgres", "snowflake", "spark", "sqlite"
            or "sqlserver"
        table : as the database holds it; a point stands between schema and table, unless the parts
            are given one by one
        columns : class -> column that holds its probability or rating, by default `p:<class>`
            (`score:<class>`, of two classes `score`); of two classes one column of probabilities
            will do (a name alone is that of the positive class), and then the other's probability
            is 1 minus it

        Equal to `transform` but for rounding. NULL where a row lacks what is read, or holds no
        probability there. Raises ParameterError for another dialect, class or name.
        """
        from plumbline.recalibration.export.sql import sql_of

        return sql_of(self, dialect, table=table, columns=columns)

    def to_python(self, function: str = "calibrate") -> str:
        """Return a module of Python that mends one row, and needs nothing but Python >= 3.8.

        `function` takes the row's probabilities or ratings, a number a class in the map's order
        (of two classes the positive one's will do), and returns the mended probabilities. Equal to
        `transform` but for the last bits. Raises ParameterError unless it is a name of Python.
        """
        from plumbline.recalibration.export.python_code import python_of

        return python_of(self, function)

    def to_onnx(self) -> Any:
        """Return the map as an ONNX model in float64, from (n, k) to (n, k) by column of a class.

        Its input is `probabilities` or `ratings` (of two classes' ratings (n, 1), the positive
        one's), its output `calibrated`. Needs the extra `onnx` (MissingExtraError says how to get
        it).
        """
        from plumbline.recalibration.export.onnx_graph import onnx_of

        return onnx_of(self)

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield name and text of what is worth reading at a glance."""
        told = {
            "options": {k: v for k, v in self.options.items() if k not in self.details},
            "details": self.details,
        }
        for name, plain in super().shown_lines():
            text = ", ".join(facts_in_words(told[name], {})) if name in told else plain
            if text not in ("", "-", "none"):
                yield printable(name), printable(text)
        yield "form", form_in_words(self.form)

    def _read(self, data: Predictions) -> Reading:
        return reading_of(data, self.on, self.classes, self.place, least=self.least)


def _marked(data: Predictions, method: str) -> Predictions:
    """Return the table with a model's name that says on which rows its map was fitted."""
    name = data.model.names[0] if data.model else method
    if not name.endswith(DISHONEST):
        name += FITTED_ON_THESE
    return dataclasses.replace(data, model=Labels(np.zeros(data.n, np.int32), (name,)))


def _back(values: NDArray[Any] | None, order: list[int], k: int) -> NDArray[Any] | None:
    if values is None:
        return None
    ordered = values if order == list(range(k)) else values[:, order]
    return np.asfortranarray(ordered) if k == 2 else np.ascontiguousarray(ordered)
