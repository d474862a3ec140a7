"""The command `compare`: what is its own, several files in."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline.cli.generic import Hooks, Source, command_of
from plumbline.cli.prediction_file import (
    heading,
    listed,
    positive_of,
    read_source,
    stem_of,
)
from plumbline.cli.rows_left_out import leave_out
from plumbline.cli.running import running
from plumbline.errors import ParameterError
from plumbline.formatting import quoted
from plumbline.requests import REQUESTS

if TYPE_CHECKING:
    from plumbline import Predictions


def _source(files: Sequence[Path], how: dict[str, Any]) -> Source:
    """Return every model's table by its name, and which models are compared, in which order."""
    models = how.pop("models")
    tables = [(file, read_source(file, **how, models=None)) for file in files]
    by_name = _by_name(tables)
    if len(files) > 1:  # other commands read one of them
        own = [(file, name) for file, data in tables for name in data.by_model()]
        paths = zip(by_name, own, strict=True)
        running().file_of = {name: (str(file), model) for name, (file, model) in paths}
    values = {} if models is None else {"models": listed("--models", models, tuple(by_name))}
    names = iter(by_name)
    for file, data in tables:
        rows = {next(names): part.total for part in data.by_model().values()}
        kept = values.get("models", rows)
        leave_out(file, "models", sum(n for name, n in rows.items() if name not in kept))
    announced = "\n".join(heading(file, data) for file, data in tables)
    return Source(by_name, announced, positive_of(tables[0][1]), values)


def _by_name(tables: Sequence[tuple[Path, "Predictions"]]) -> dict[str, "Predictions"]:
    """Return every model's table by its name; a model without one has its file's."""
    parts = [
        (file, model, part) for file, data in tables for model, part in data.by_model().items()
    ]
    names = [model or stem_of([file]) for file, model, _ in parts]
    by_name: dict[str, Predictions] = {}
    for (file, model, part), name in zip(parts, names, strict=True):
        own = name if names.count(name) == 1 else f"{file}: {model}" if model else str(file)
        if own in by_name:
            raise ParameterError(
                f"two models would be named {quoted(own)}; give every file once", code="given-twice"
            )
        by_name[own] = part
    return by_name


compare = command_of(REQUESTS["compare"], Hooks(source=_source))
