"""What every answer can do: become a dictionary, a frame, a text, a table in a notebook."""

import dataclasses
import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def jsonable(value: Any) -> Any:
    """Return `value` as plain Python that `json.dumps` takes; NaN and infinity become None."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return [jsonable(item) for item in value.tolist()]
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


@dataclasses.dataclass(frozen=True, repr=False)
class Result:
    """Base of all results: frozen, readable, and one step from JSON or a data frame.

    A field is left out of `to_dict` if its metadata says `hidden`; a field named `reason` is left
    out while it is None.
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python; an undefined or infinite number is None."""
        fields = (f for f in dataclasses.fields(self) if not f.metadata.get("hidden"))
        pairs = ((f.name, getattr(self, f.name)) for f in fields)
        return {k: jsonable(v) for k, v in pairs if not (k == "reason" and v is None)}

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the result as table rows; one row of its plain values unless it holds more."""
        return [{k: v for k, v in self.to_dict().items() if not isinstance(v, (list, dict))}]

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return `rows()` as a data frame of `backend`: "pyarrow", "pandas" or "polars"."""
        import narwhals as nw

        from plumbline._checks import one_of

        library: Any = one_of("backend", backend, ("pyarrow", "pandas", "polars"))
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name) for row in rows] for name in names}
        return nw.from_dict(columns, backend=library).to_native()

    def __repr__(self) -> str:
        head = type(self).__name__
        body = {k: v for k, v in self.to_dict().items() if not isinstance(v, (list, dict))}
        width = max(map(len, body), default=0)
        return "\n".join([head, *(f"  {k:<{width}}  {shown(v)}" for k, v in body.items())])

    def _repr_html_(self) -> str:
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
        lines = (
            "".join(f"<td>{html.escape(shown(row.get(name)))}</td>" for name in names)
            for row in rows
        )
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shown(value: Any) -> str:
    """Return a number with up to six significant digits, anything else as text."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
