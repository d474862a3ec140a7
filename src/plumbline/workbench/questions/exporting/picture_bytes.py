"""Pictures and rows as bytes."""

import io
import json
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline._checks import need_extra
from plumbline._result import jsonable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_drawing = threading.Lock()  # matplotlib's style is one for all threads


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let one thread draw at a time."""
    need_extra("matplotlib", "plot", "a picture")
    with _drawing:
        yield


def picture_bytes(figure: "Figure", kind: str) -> bytes:
    """Return a picture as svg, png or pdf; the name of its file is none that a reader chose."""
    from plumbline.plots.save_figure import save_figure

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"picture.{kind}"
        save_figure(figure, path)
        return path.read_bytes()


def csv_bytes(rows: Any) -> bytes:
    r"""Return rows, or an Arrow table, as CSV.

    >>> csv_bytes([{"x": 0.5, "name": "a"}, {"x": None}])
    b'"x","name"\n0.5,"a"\n,\n'
    """
    from pyarrow import csv

    table = _table(rows) if isinstance(rows, Sequence) else rows
    buffer = io.BytesIO()
    csv.write_csv(table, buffer)
    return buffer.getvalue()


def _table(rows: Sequence[Mapping[str, Any]]) -> Any:
    import pyarrow as pa

    plain = [jsonable(row, infinite=True) for row in rows]
    names = list(dict.fromkeys(name for row in plain for name in row))
    return pa.table({name: [_cell(row.get(name)) for row in plain] for name in names})


def _cell(value: Any) -> Any:
    """Return what one cell holds: a list or a mapping as JSON."""
    return json.dumps(jsonable(value)) if isinstance(value, (list, dict)) else value


def json_bytes(entry: Mapping[str, Any]) -> bytes:
    """Return an answer as JSON; an undefined or infinite number is null."""
    return (json.dumps(jsonable(entry), indent=1, allow_nan=False) + "\n").encode()
