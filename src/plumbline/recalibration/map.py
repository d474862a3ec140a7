"""The frozen map: probabilities or ratings in, recalibrated probabilities out."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline._keywords import keywords_checked
from plumbline._result import Detail, Facts, Note, Presentation, Result, lock
from plumbline.errors import InputError
from plumbline.formatting import (
    DISHONEST,
    FITTED_ON_THESE,
    capital,
    counted,
    number,
    printable,
    quoted,
)
from plumbline.predictions import Labels, Predictions, only_predictions
from plumbline.predictions.labels import rows_text
from plumbline.predictions.probabilities import (
    bad_rows,
    checked_column,
    checked_probabilities,
    number_matrix,
    two_columns,
)
from plumbline.recalibration.forms import (
    EventForm,
    Form,
    Logistic,
    PiecewiseLinear,
    Softmax,
    Spline,
    Steps,
)
from plumbline.recalibration.inputs import NEVER, SCORE, Reading, reading_of, rows_that_count
from plumbline.recalibration.remembered import Remembered

if TYPE_CHECKING:
    from plumbline.recalibration.map_lines import MapLines


@keywords_checked
@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class RecalibrationMap(Result):
    """A recalibration fitted on held-out rows and frozen: call it with a prediction table.

    Attributes
    ----------
    method : its name, such as "isotonic"
    classes : names of the classes, in the order of the form
    positive : the positive class of two; else None
    on : "probability" or "score": what it reads
    several : "native" or "one-vs-rest": how more than two classes are treated; None for two
    parameters : numbers fitted freely
    n, effective_n : rows it was fitted on, and effective rows with their weights
    options : the settings of the method
    notes : what the reader should know, half sentences
    details : fitted numbers that are worth reading, such as the temperature
    least : smallest probability in logarithms, which replaces smaller ones: the option `floor`, or,
        where some of the rows it was fitted on were exactly 0, half the smallest above 0 if that is
        more, half a row's share where all were 0 or 1; 0 for tables made from logits and methods
        without logarithms, where exactly 0 is replaced by 2^-52
    form : what it computes
    remembered : the rows it was fitted on, by hash
    advice : why this method was chosen, if it was chosen among all; not kept in files
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
        """Column of the positive class of two; of more classes the last."""
        return len(self.classes) - 1 if self.positive is None else self.classes.index(self.positive)

    def __call__(self, data: Predictions, *, resubstitution: bool = False) -> Predictions:
        """Return the same table with recalibrated probabilities.

        A `predicted` column is left out: the predicted class follows the new probabilities.

        Parameters
        ----------
        data : Predictions
            Rows of one model with the classes of the map, in any order.
        resubstitution : bool, default False
            Whether rows that the map was fitted on are taken too. They look better than new ones
            will; the model's name then ends with a remark.

        Returns
        -------
        Predictions
            The table with other probabilities.

        Raises
        ------
        InputError
            A table of other classes or of several models, or rows that the map was fitted on.

        Examples
        --------
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
        counted_rows = rows_that_count(data)
        if counted_rows is not None:
            self.remembered.refuse(self._read(counted_rows), f"the {printable(self.method)} map")
        return self.applied(data)

    def applied(self, data: Predictions) -> Predictions:
        """Return the recalibrated table without checking which rows these are."""
        recalibrated = self.form(self._read(data))
        order = [self.classes.index(name) for name in data.classes]
        prob, logs = (_back(values, order, data.k) for values in recalibrated)
        return dataclasses.replace(data, prob=prob, log_prob=logs, label=None)

    def transform(self, values: Any) -> NDArray[np.float64]:
        """Return recalibrated probabilities of an array, without checking which rows these are.

        Parameters
        ----------
        values : array-like of shape (n, k), or (n,) of two classes
            Probabilities or ratings, one column per class in the map's order; for two classes those
            of the positive class alone are enough.

        Returns
        -------
        ndarray of shape (n, k)
            Probabilities, in the map's order of the classes.

        Raises
        ------
        InputError
            Another shape, or values that a table would refuse.
        """
        return self.form(
            reading_of_array(values, self.on, self.classes, self.place, least=self.least)
        ).prob

    def lines(self, *, ratings: Any = None, most: int | None = None) -> "MapLines":
        """Return the map as lines, one per class; of two classes the positive one's.

        Parameters
        ----------
        ratings : array-like of float, optional
            Ratings over whose finite range a map of ratings is computed; by default the range in
            which the map changes.
        most : int, optional
            Largest number of classes, the first ones. By default all.

        Returns
        -------
        MapLines
            Points over the whole range, and at both sides of each jump: `x`, `y` by class, and a
            `note` on what the lines of several classes are.
        """
        from plumbline.recalibration.map_lines import map_lines

        return map_lines(self, ratings=ratings, most=most)

    def save(self, path: str | Path) -> None:
        """Write the map as a JSON file; `load` returns the same map to the last bit.

        The file is written completely or not at all.

        Parameters
        ----------
        path : str or Path
            The file; its name ends in .json.

        Raises
        ------
        ParameterError
            Another ending, or a map too large for a file.
        """
        from plumbline.recalibration.export.json_file import write_map

        write_map(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> "RecalibrationMap":
        """Read a map that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The JSON file.

        Returns
        -------
        RecalibrationMap
            The map that was saved.

        Raises
        ------
        InputError
            The file is missing, damaged, changed by hand, of a newer Plumbline, or not a map.
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
        """Return a query that adds the recalibrated probabilities to a table, as `q:<class>`.

        They equal those of `transform` except for rounding, and are NULL where an input is missing
        or is not a probability.

        Parameters
        ----------
        dialect : str, default "ansi"
            Also "bigquery", "duckdb", "mysql", "postgres", "snowflake", "spark", "sqlite" or
            "sqlserver".
        table : str or sequence of str, default "predictions"
            Name in the database; a point separates schema and table, unless the parts are given one
            by one.
        columns : mapping of str to str, or str, optional
            Class -> column that holds its probability or rating, by default `p:<class>`
            (`score:<class>`; for two classes `score`). For two classes one column of probabilities
            is enough (a name alone is that of the positive class); the other's is 1 minus it.

        Returns
        -------
        str
            One SELECT statement.

        Raises
        ------
        ParameterError
            An unknown dialect or class, or a name that is not possible in a database.
        """
        from plumbline.recalibration.export.sql import sql_of

        return sql_of(self, dialect, table=table, columns=columns)

    def to_python(self, function: str = "calibrate") -> str:
        """Return a Python module that recalibrates one row and needs only Python >= 3.8.

        Its function takes the row's probabilities or ratings, one number per class in the map's
        order (for two classes the positive one's is enough), and returns the recalibrated
        probabilities, equal to those of `transform` except for the last bits.

        Parameters
        ----------
        function : str, default "calibrate"
            Name of the function.

        Returns
        -------
        str
            The text of the module.

        Raises
        ------
        ParameterError
            Not a Python name, or one that the module uses itself.
        """
        from plumbline.recalibration.export.python_code import python_of

        return python_of(self, function)

    def to_onnx(self) -> Any:
        """Return the map as an ONNX model in float64, from (n, k) to (n, k), one column per class.

        Its input is `probabilities` or `ratings` (for two classes (n, 1), ratings of the positive
        class), its output `calibrated`.

        Returns
        -------
        onnx.ModelProto
            The model.

        Raises
        ------
        MissingExtraError
            The extra `onnx` is not installed.
        """
        from plumbline.recalibration.export.onnx_graph import onnx_of

        return onnx_of(self)

    def present(self) -> Presentation:
        """Return what was fitted, and what to know about it."""
        if self.method == "none":
            return Presentation(summary="Map: none, probabilities are unchanged.")
        facts = [] if self.several is None else [self.several]
        facts += [counted(self.parameters, "parameter"), *facts_text(self.options, self.details)]
        rows = counted(self.n, "row")
        of = f"{self.method}, fitted on {'ratings of ' * (self.on == SCORE)}{rows}"
        return Presentation(
            summary=f"Map: {of} ({', '.join(facts)}).",
            details=tuple(self._details()),
            notes=tuple(self._presented_notes()),
        )

    def _details(self) -> Iterator[Detail]:
        """Yield what the sentence leaves out."""
        yield Detail("classes", "classes", ", ".join(self.classes))
        if self.positive is not None:
            yield Detail("positive", "positive class", self.positive)
        if self.effective_n != self.n:
            yield Detail("effective_n", "effective rows", f"{self.effective_n:,.1f}")
        if self.least:
            yield Detail(
                "least",
                "smallest probability",
                f"{self.least:.3g} (smaller ones are replaced by it)",
            )
        yield Detail("form", "computes", form_text(self.form))

    def _presented_notes(self) -> Iterator[Note]:
        """Yield the notes as sentences; of many on single classes one, which ends after a few."""
        if self.several != "one-vs-rest" or len(self.notes) <= FEW_NOTES:
            for note in self.notes:
                yield Note(capital(note) if note.endswith(".") else f"{capital(note)}.", "fit")
            return
        more = counted(len(self.notes) - FEW_NOTES, "other")
        first = "; ".join(self.notes[:FEW_NOTES])
        yield Note(f"Single classes: {first}; and {more} (all in `to_dict()`).", "fit")

    def _read(self, data: Predictions) -> Reading:
        return reading_of(data, self.on, self.classes, self.place, least=self.least)


def _marked(data: Predictions, method: str) -> Predictions:
    """Return the table with a model's name that says on which rows its map was fitted."""
    name = data.model.names[0] if data.model else method
    if not name.endswith(DISHONEST):
        name += FITTED_ON_THESE
    return dataclasses.replace(data, model=Labels(np.zeros(data.stored, np.int32), (name,)))


def _back(values: NDArray[Any] | None, order: list[int], k: int) -> NDArray[Any] | None:
    if values is None:
        return None
    ordered = values if order == list(range(k)) else values[:, order]
    return np.asfortranarray(ordered) if k == 2 else np.ascontiguousarray(ordered)


# ------------------------------------------------------------------ in words

FEATURES = {
    "value": "the value",
    "log_odds": "the log-odds",
    "log": "ln p",
    "log_rest": "ln(1 - p)",
}
SOFTMAX = (
    "softmax of the logits of all classes, times {}{shifted}",
    "softmax with a slope and a shift for each of {k} classes",
    "softmax of {k} weighted sums of the logits of all classes",
)

MOST = 5  # classes whose numbers are named
FEW_NOTES = 2  # on single classes, that stand one by one
AUTOMATIC: Mapping[str, Any] = {"knots": 0}  # option -> the value that leaves it to the rows
USUAL: Mapping[str, Any] = {"floor": NEVER}  # option -> the default, which is left out


def facts_text(options: Mapping[str, Any], details: Mapping[str, Any]) -> list[str]:
    """Return options and fitted numbers as text, each once, without unset options.

    >>> facts_text({"prior": None}, {"factors": {"benign": 0.78510, "malignant": 1.2112}})
    ['factors (benign 0.785, malignant 1.21)']
    >>> facts_text({"regularisation": 0.5, "knots": 0}, {"regularisation": 0.5})
    ['regularisation 0.5', 'knots automatic']
    """
    facts = {**options, **details}
    unusual = {name: value for name, value in facts.items() if value != USUAL.get(name)}
    return [f"{name} {_fact(name, value)}" for name, value in unusual.items()]


def _fact(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        parts = [f"{printable(one)} {_fact(one, share)}" for one, share in value.items()]
        return f"({', '.join(parts[:MOST] + ['...'] * (len(parts) > MOST))})"
    if name in AUTOMATIC and value == AUTOMATIC[name]:
        return "automatic"
    return number(value) if isinstance(value, float) else str(value)


def form_text(form: Form) -> str:
    """Return what a map computes, for people.

    >>> import numpy as np
    >>> from plumbline.recalibration.forms import OneVsRest
    >>> form_text(OneVsRest((PiecewiseLinear(np.array([0.2, 0.9]), np.array([0.1, 0.7])),)))
    'straight lines between 2 knots'
    >>> form_text(Softmax(np.array(0.5), np.zeros(2)))
    'softmax of the logits of all classes, times 0.5'
    """
    if isinstance(form, Softmax):
        text = SOFTMAX[form.weights.ndim]
        shifted = ", shifted" if form.bias.any() else ""
        slope = number(float(form.weights.flat[0]))
        return text.format(slope, k=len(form.bias), shifted=shifted)
    parts = list(dict.fromkeys(map(_of_event, form.forms)))
    if len(form.forms) == 1:
        return parts[0]
    return (
        f"one map for each of {counted(len(form.forms), 'class')}, then divided by their sum: "
        + "; ".join(parts[:3] + ["..."] * (len(parts) > 3))
    )


def _of_event(form: EventForm) -> str:
    match form:
        case Steps():
            return counted(len(form.values), "step")
        case PiecewiseLinear():
            return f"straight lines between {counted(len(form.knots), 'knot')}"
        case Spline():
            return f"a smooth curve through {counted(len(form.knots), 'knot')}"
        case Logistic():
            terms = [
                f"{number(getattr(form, name))} {text}"
                for name, text in FEATURES.items()
                if getattr(form, name)
            ]
            return "logistic curve of " + " + ".join([number(form.intercept), *terms])
        case _:
            return "unchanged"


# ------------------------------------------------------------------ plain arrays


def reading_of_array(
    values: Any, on: str, classes: tuple[str, ...], positive: int, *, least: float = 0.0
) -> Reading:
    """Return what a map reads of an array: a column a class in its order, or the positive one's.

    Raises InputError for another shape, NaN, and what is no probability.
    """
    numbers = number_matrix("values", values)
    k = len(classes)
    shapes = {(len(numbers), k)} | ({(len(numbers),), (len(numbers), 1)} if k == 2 else set())
    if numbers.shape not in shapes:
        one = f", or (n,) of {quoted(classes[positive])}" if k == 2 else ""
        raise InputError(
            f"this map takes one column per class, (n, {k}){one}; got shape {numbers.shape}",
            code="wrong-shape",
        )
    alone = numbers.reshape(len(numbers)) if numbers.shape[1:] in ((), (1,)) else None
    if on != SCORE and alone is not None:
        numbers = two_columns(checked_column(alone, classes[positive]), positive)
    elif on != SCORE:
        numbers = checked_probabilities(numbers, classes, normalize=None)
    else:
        _need_finite(numbers)
        numbers = numbers if k > 2 else numbers[:, positive] if alone is None else alone
    return Reading(on, numbers, None, positive, classes, least)


def _need_finite(numbers: Any) -> None:
    bad = bad_rows(~np.isfinite(numbers))
    if bad.any():
        raise InputError(
            f"ratings must be finite, which they are not in {rows_text(bad)}; correct these rows "
            "or leave them out",
            code="not-finite",
            rows=np.flatnonzero(bad),
        )
