"""The fingerprint of a table: one number that identifies it."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plumbline.predictions.labels import Labels, days_of, is_missing, label_text

if TYPE_CHECKING:
    from plumbline.predictions.table import Predictions

Array = NDArray[Any]
Piece = tuple[str, bytes]
CODED = ("model", "fold", "repeat", "groups")
MISSING = ""  # what an absent text is coded as; an empty text is an absent one


def fingerprint(data: "Predictions") -> str:
    """Return the SHA-256 of a table, as described in `Predictions.fingerprint`."""
    whole = hashlib.sha256()
    for name, content in _pieces(data):
        # Lengths keep a name and its content apart, whatever is in either.
        whole.update(json.dumps([name, len(content)]).encode("ascii"))
        whole.update(content)
    return whole.hexdigest()


def _pieces(data: "Predictions") -> Iterator[Piece]:
    """Yield name and bytes of everything that the table holds."""
    yield "classes", _texts(data.classes)
    yield "actual", _whole(data.actual)
    if data.prob is not None:
        yield from ((f"p{j}", _numbers(column)) for j, column in enumerate(data.prob.T))
    if data.label is not None:
        yield "predicted", _whole(data.label)
    if data.score is not None:
        columns = data.score.T if data.score.ndim == 2 else [data.score]
        yield from ((f"score{j}", _numbers(column)) for j, column in enumerate(columns))
    if data.weight is not None:
        yield "count" if data.counted else "weight", _numbers(data.weight)
    for name in CODED:
        labels: Labels | None = getattr(data, name)
        if labels is not None:
            yield from _coded(name, labels.codes, labels.names)
    if data.row is not None:
        yield "row", _names(data.row)
    for name in sorted(data.attributes):
        values = data.attributes[name]
        numeric = values.dtype.kind in "buifM"
        yield f"attribute {name}", _numbers(values) if numeric else _names(values)


def _numbers(values: Array) -> bytes:
    """Return numbers, truth values or times as float64; every NaN and both zeros are one."""
    if values.dtype.kind == "M":
        values = days_of(values)
    if values.dtype.kind == "f" and values.dtype.itemsize < 8:
        values = _shortest(values)
    wide = np.asarray(values, np.float64) + 0.0
    wide[np.isnan(wide)] = np.nan
    return wide.astype("<f8").tobytes()


def _shortest(values: Array) -> Array:
    """Return numbers of low precision as the float64 of their decimals, as a text file has them."""
    import pyarrow as pa

    texts = pa.array(np.ascontiguousarray(values)).cast(pa.string())
    return np.asarray(texts.cast(pa.float64()).to_numpy(zero_copy_only=False))


def _whole(values: Array) -> bytes:
    return np.asarray(values).astype("<i8").tobytes()


def _texts(names: Sequence[str]) -> bytes:
    return json.dumps(list(names)).encode("ascii")


def _names(values: Array) -> bytes:
    """Return names, or the whole numbers that serve as names, as lines of text."""
    if values.dtype.kind in "iu":
        return "\n".join(map(str, values.tolist())).encode("ascii")
    known: dict[str, str] = {}
    lines = (
        known[v] if type(v) is str and v in known else _text(v, known) for v in values.tolist()
    )
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _text(value: Any, known: dict[str, str]) -> str:
    """Return a value as one line; texts are cached."""
    text = MISSING if is_missing(value) else " ".join(label_text(value).split())
    if isinstance(value, str):
        known[value] = text
    return text


def _coded(name: str, codes: Array, names: Sequence[str]) -> Iterator[Piece]:
    """Yield names in the order of their first rows, and for every row the number of its name."""
    present, first = np.unique(codes, return_index=True)
    in_order = present[np.argsort(first, kind="stable")]
    number = np.zeros(len(names), np.int64)
    number[in_order] = np.arange(len(in_order))
    yield name, _texts([names[code] for code in in_order])
    yield f"{name} of the rows", _whole(number[codes])
