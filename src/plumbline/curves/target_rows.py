"""The rows of a table as formulas see them: every column as an array, for one target class."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.confusion import rates
from plumbline.errors import InputError
from plumbline.formula import Kind, Variable
from plumbline.predictions import Predictions
from plumbline.predictions.labels import days_of, is_missing

Array = NDArray[Any]

ROW = {
    "probability": Variable("row", "number", "probability of the target class"),
    "score": Variable("row", "number", "rating of the target class, such as a decision function"),
    "weight": Variable("row", "number", "weight of the row, 1 where the table has no weights"),
    "iteration": Variable("row", "number", "number of the row's fold, from 0"),
    "actualClass": Variable("row", "category", "true class"),
    "trueClass": Variable("row", "category", "true class, as `actualClass`"),
    "predictedClass": Variable("row", "category", "class predicted by the model"),
    "eP": Variable("row", "truth", "the row is positive: actualClass == targetClass"),
    "eN": Variable("row", "truth", "the row is negative: actualClass != targetClass"),
    "eCA": Variable("row", "truth", "the prediction is correct: actualClass == predictedClass"),
    "eTP": Variable("row", "truth", "predictedClass == targetClass == actualClass"),
    "eTN": Variable("row", "truth", "predictedClass != targetClass != actualClass"),
    "eFP": Variable("row", "truth", "predictedClass == targetClass != actualClass"),
    "eFN": Variable("row", "truth", "predictedClass != targetClass == actualClass"),
}
SET = {
    "targetClass": Variable("set", "category", "the positive class"),
}
STATE = {
    "threshold": Variable(
        "state", "number", "sort value of the last row so far; infinite before the first"
    ),
}
VARIABLES: Mapping[str, Variable] = {**ROW, **SET, **STATE, **rates.variables()}
CLASSES = ("actualClass", "trueClass", "predictedClass", "targetClass")


@dataclass(frozen=True, eq=False)
class Attributes:
    """The attributes of a table, each made fit for formulas when first asked for.

    Attributes
    ----------
    raw : attribute -> values as they stand in the table
    """

    raw: Mapping[str, Array]
    _cache: dict[str, tuple[Array, tuple[str, ...]]] = field(default_factory=dict)

    def values(self, name: str) -> Array:
        """Return float64 numbers (dates: days since 1970), bools, or codes (missing: -1)."""
        return self._of(name)[0]

    def names(self, name: str) -> tuple[str, ...]:
        """Return the names of the categories in the order of their codes; () of another kind."""
        return self._of(name)[1]

    def is_date(self, name: str) -> bool:
        """Return whether its numbers are days since 1970."""
        return self.raw[name].dtype.kind == "M"

    def ends(self, name: str) -> tuple[float, float] | None:
        """Return the lowest and the highest finite number, None where there is none."""
        values = np.asarray(self.values(name), np.float64)
        finite = values[np.isfinite(values)]
        return (float(finite.min()), float(finite.max())) if finite.size else None

    def count_distinct(self, name: str) -> int:
        """Return how many categories, or distinct numbers, there are."""
        return len(self.names(name)) or len(np.unique(self.values(name)))

    def _of(self, name: str) -> tuple[Array, tuple[str, ...]]:
        if name not in self._cache:
            self._cache[name] = _fit(self.raw[name])
        return self._cache[name]


@dataclass(frozen=True, eq=False)
class TargetRows:
    """Columns of a table for one target class, each made when first asked for.

    Attributes
    ----------
    data : the table; target : number of the positive class
    attributes : its attributes, shared by the rows of all targets
    index : row numbers kept, None for all
    """

    data: Predictions
    target: int
    attributes: Attributes
    index: Array | None = None
    _cache: dict[str, Array] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of rows kept."""
        return self.data.stored if self.index is None else len(self.index)

    @property
    def total(self) -> int:
        """Number of rows that those kept stand for."""
        weight = self.weights if self.data.counted else None
        return self.n if weight is None else int(weight.sum())

    @property
    def target_name(self) -> str:
        """Name of the positive class."""
        return self.data.classes[self.target]

    def take(self, rows: Array) -> "TargetRows":
        """Keep some of the rows, by their places among those kept so far."""
        index = rows if self.index is None else self.index[rows]
        return TargetRows(self.data, self.target, self.attributes, index)

    def column(self, name: str) -> Array:
        """Return a row variable or an attribute: (n,) float64, bool or codes."""
        if name not in self._cache:
            make = _MAKERS.get(name)
            whole = make(self) if make else self._attribute(name)
            self._cache[name] = whole
        return self._cache[name]

    def attribute(self, name: str) -> Array:
        """Return an attribute, whatever variable it shares its name with."""
        key = f"`{name}`"
        if key not in self._cache:
            self._cache[key] = self._attribute(name)
        return self._cache[key]

    def kept(self, values: Array) -> Array:
        """Return what is kept of a column of the whole table."""
        return values if self.index is None else values[self.index]

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """(n,) weights or counts, None where the table has none."""
        if self.data.counted:
            return self.kept(self.data.mass)
        return None if self.data.weight is None else self.column("weight")

    @property
    def event(self) -> NDArray[np.bool_]:
        """(n,) whether a row is positive."""
        return self.column("eP")

    def of_target(self, target: int) -> "TargetRows":
        """Return the same rows for another target class."""
        return TargetRows(self.data, target, self.attributes, self.index)

    def _attribute(self, name: str) -> Array:
        if name not in self.attributes.raw:  # by its name as an identifier, or one with ticks in it
            spelt = (k for k in self.attributes.raw if name in (_joined(k), k.strip("`")))
            name = next(spelt)
        return self.kept(self.attributes.values(name))


def rows_of(data: Predictions, target: int) -> TargetRows:
    """Return the rows of a whole table for one target class."""
    return TargetRows(data, target, Attributes(data.attributes))


class Vocabulary(Mapping[str, Variable]):
    """Everything a formula may name, back-ticked names of attributes included.

    What an attribute is, is looked up when a formula names it.
    """

    def __init__(self, rows: TargetRows) -> None:
        self._attributes = rows.attributes
        self._classes = rows.data.classes
        joined = Counter(_joined(name) for name in rows.attributes.raw)
        self._holder: dict[str, str] = {}
        for name in rows.attributes.raw:
            self._holder[f"`{name}`"] = name
            if name not in VARIABLES:
                self._holder[name] = name
        for name in rows.attributes.raw:
            if joined[_joined(name)] == 1 and _joined(name) not in VARIABLES:
                self._holder.setdefault(_joined(name), name)

    def spellings(self, attributes: Collection[str]) -> frozenset[str]:
        """Return all names by which formulas may call some attributes."""
        return frozenset(name for name, held in self._holder.items() if held in attributes)

    def __getitem__(self, name: str) -> Variable:
        if name in self._holder:
            attribute = self._holder[name]
            values, names = self._attributes.values(attribute), self._attributes.names(attribute)
            kind: Kind = "category" if names else "truth" if values.dtype == bool else "number"
            date = self._attributes.is_date(attribute)
            return Variable("row", kind, "attribute", categories=names, attribute=True, date=date)
        known = VARIABLES[name]
        return replace(known, categories=self._classes) if name in CLASSES else known

    def __contains__(self, name: object) -> bool:
        return name in self._holder or name in VARIABLES

    def __iter__(self) -> Iterator[str]:
        yield from VARIABLES
        yield from self._holder

    def __len__(self) -> int:
        return len(VARIABLES) + len(self._holder)


def _joined(name: str) -> str:
    """Return a column's name as an identifier where only spaces keep it from being one."""
    return "_".join(name.split())


def _fit(values: Array) -> tuple[Array, tuple[str, ...]]:
    """Return a column as numbers, truths or codes, and the names of its categories."""
    if values.dtype.kind in "buif":
        return values if values.dtype.kind == "b" else values.astype(np.float64), ()
    if values.dtype.kind == "M":
        return days_of(values), ()
    numbers = _numbers(values)
    if numbers is not None:
        return numbers, ()
    codes, names = _coded(values)
    return (codes, names) if names else (np.full(len(values), np.nan), ())


def _numbers(values: Array) -> Array | None:
    """Return a column of numbers among which some are missing as float64, None if it is none."""
    first = next((value for value in values if not is_missing(value)), None)
    if not isinstance(first, Real) or isinstance(first, bool):
        return None
    known = [np.nan if is_missing(value) else value for value in values]
    numbers = all(isinstance(v, Real) and not isinstance(v, bool) for v in known)
    return np.array(known, np.float64) if numbers else None


def _coded(values: Array) -> tuple[Array, tuple[str, ...]]:
    """Return codes (missing: -1) and sorted names of a column of texts."""
    import pyarrow as pa

    try:
        column = pa.array(values, pa.string(), from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # not all are texts
        column = pa.array([None if is_missing(value) else str(value) for value in values])
    coded = column.dictionary_encode()
    texts = [" ".join(text.split()) for text in coded.dictionary.to_pylist()]
    names = sorted({*texts} - {""}, key=_natural)
    number_of = {name: code for code, name in enumerate(names)} | {"": -1}
    code_of = np.array([*(number_of[text] for text in texts), -1], np.int64)
    return code_of[coded.indices.fill_null(len(texts)).to_numpy(zero_copy_only=False)], tuple(names)


def _natural(name: str) -> tuple[bool, float, str]:
    """Sort numbers by their value and before other texts."""
    try:
        return False, float(name), name
    except ValueError:
        return True, 0.0, name


# ------------------------------------------------------------------ the columns


def rating(rows: TargetRows) -> tuple[Array, str]:
    """Return what rows are ranked by by default, in its own dtype, and its name."""
    data = rows.data
    if data.prob is not None:
        return rows.kept(data.prob[:, rows.target]), "probability"
    if data.score is not None:
        return _score(rows), "score"
    return (rows.column("predictedClass") == rows.target).astype(np.float64), "answer"


def _score(rows: TargetRows) -> Array:
    score = rows.data.score
    if score is None:
        raise InputError("this table has no score; use `probability`", code="score-missing")
    if score.ndim == 2:
        return rows.kept(score[:, rows.target])
    return rows.kept(score if rows.target == rows.data.positive else -score)


def _probability(rows: TargetRows) -> Array:
    prob = rows.data.need_prob("`probability`")
    return rows.kept(prob[:, rows.target]).astype(np.float64, copy=False)


def _weight(rows: TargetRows) -> Array:
    return np.ones(rows.n) if rows.data.counted else rows.kept(rows.data.mass)


def _iteration(rows: TargetRows) -> Array:
    codes = fold_codes(rows.data)
    return np.zeros(rows.n) if codes is None else rows.kept(codes).astype(np.float64)


def fold_codes(data: Predictions) -> Array | None:
    """Return the (n,) number of every row's fold, counted through the repeats."""
    if data.fold is None:
        return None
    if data.repeat is None:
        return data.fold.codes
    whole = data.repeat.codes.astype(np.int64) * len(data.fold.names) + data.fold.codes
    numbers: Array = np.unique(whole, return_inverse=True)[1]
    return numbers.astype(np.int64)


def _answers(rows: TargetRows) -> Array:
    return rows.kept(rows.data.predicted)


_MAKERS: dict[str, Callable[[TargetRows], Array]] = {
    "probability": _probability,
    "score": lambda rows: _score(rows).astype(np.float64, copy=False),
    "weight": _weight,
    "iteration": _iteration,
    "actualClass": lambda rows: rows.kept(rows.data.actual),
    "trueClass": lambda rows: rows.column("actualClass"),
    "predictedClass": _answers,
    "eP": lambda rows: rows.column("actualClass") == rows.target,
    "eN": lambda rows: rows.column("actualClass") != rows.target,
    "eCA": lambda rows: rows.column("actualClass") == rows.column("predictedClass"),
    "eTP": lambda rows: rows.column("eP") & (rows.column("predictedClass") == rows.target),
    "eTN": lambda rows: rows.column("eN") & (rows.column("predictedClass") != rows.target),
    "eFP": lambda rows: rows.column("eN") & (rows.column("predictedClass") == rows.target),
    "eFN": lambda rows: rows.column("eP") & (rows.column("predictedClass") != rows.target),
}
