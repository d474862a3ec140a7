"""Answers as bytes: a header of JSON, and behind it the arrays as they lie in memory.

Presentation: it computes nothing, and turns rows of a result into columns of numbers at most.

Layout, all little-endian: length of the header (uint32), the header as UTF-8, padding with spaces
to a multiple of 8 bytes, then the arrays one after the other, each padded to 8 bytes. The header is
`{"answer": ..., "arrays": [[type, offset, length], ...]}`: type is "f8" (float64) or "u1" (bytes),
offset is counted from the first array, length in elements. Wherever the answer had an array, the
header holds `{"$array": its number}`.
"""

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._result import jsonable

ALIGNED = 8
KINDS: dict[str, np.dtype[Any]] = {"f8": np.dtype("<f8"), "u1": np.dtype("u1")}


def encode(answer: Mapping[str, Any]) -> bytes:
    """Return an answer as bytes; NaN and infinity survive in arrays, and are null elsewhere.

    >>> import numpy as np
    >>> raw = encode({"x": np.array([0.5, np.inf]), "n": 2})
    >>> len(raw) % 8, decode(raw)["x"].tolist(), decode(raw)["n"]
    (0, [0.5, inf], 2)
    """
    arrays: list[tuple[str, NDArray[Any]]] = []
    plain = _without_arrays(answer, arrays)
    places, offset = [], 0
    for kind, values in arrays:
        places.append([kind, offset, len(values)])
        offset += _padded(values.nbytes)
    header = json.dumps({"answer": plain, "arrays": places}, allow_nan=False).encode()
    header += b" " * (-(len(header) + 4) % ALIGNED)
    parts = [struct.pack("<I", len(header)), header]
    for _, values in arrays:
        parts += [values.tobytes(), b"\0" * (_padded(values.nbytes) - values.nbytes)]
    return b"".join(parts)


def decode(raw: bytes) -> Any:
    """Return the answer that `encode` was given; what a browser does, for tests and scripts."""
    (length,) = struct.unpack_from("<I", raw)
    header = json.loads(raw[4 : 4 + length])
    arrays = [
        np.frombuffer(raw, KINDS[kind], count=count, offset=4 + length + offset)
        for kind, offset, count in header["arrays"]
    ]
    return _with_arrays(header["answer"], arrays)


def number_columns(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    """Return rows as columns of numbers, NaN where there is none."""
    return {name: np.array([_number(row[name]) for row in rows], np.float64) for name in names}


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _padded(size: int) -> int:
    return size + -size % ALIGNED


def _without_arrays(value: Any, arrays: list[tuple[str, NDArray[Any]]]) -> Any:
    if isinstance(value, bytes):
        value = np.frombuffer(value, np.uint8)
    if isinstance(value, np.ndarray):
        kind = "u1" if value.dtype == np.uint8 else "f8"
        arrays.append((kind, np.ascontiguousarray(value.astype(KINDS[kind], copy=False))))
        return {"$array": len(arrays) - 1}
    if isinstance(value, Mapping):
        return {str(key): _without_arrays(item, arrays) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_arrays(item, arrays) for item in value]
    return jsonable(value)


def _with_arrays(value: Any, arrays: list[NDArray[Any]]) -> Any:
    if isinstance(value, dict):
        if set(value) == {"$array"}:
            return arrays[value["$array"]]
        return {key: _with_arrays(item, arrays) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_arrays(item, arrays) for item in value]
    return value


def threshold_json(threshold: float) -> float | str | None:
    """Return a threshold as JSON holds it: a number, "inf" or "-inf"."""
    if math.isnan(threshold):
        return None
    return threshold if math.isfinite(threshold) else ("inf" if threshold > 0 else "-inf")
