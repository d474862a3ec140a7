"""The command `serve`: the workbench, in the browser on this machine."""

import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plumbline._checks import need_extra, shown
from plumbline.cli import options
from plumbline.cli.prediction_file import (
    TABLE_OPTIONS,
    listed,
    need_files,
    pairs_of,
    read_source,
)
from plumbline.errors import (
    InputError,
    ParameterError,
    PlumblineWarning,
)
from plumbline.formatting import quoted

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.workbench import Limits
    from plumbline.workbench.server.source import Served

EXAMPLES = f"""\b
{options.EXAMPLES}
  plumbline serve
  plumbline serve predictions.parquet
  plumbline serve forest.csv --actual diagnosis --prob risk=malignant --port 9000
  plumbline serve predictions.parquet --watch
  plumbline serve predictions.parquet --no-open --max-seconds 600 --max-memory-gb 16

\b
Only this machine can open the address, which contains a secret. Ctrl-C stops the server.
"""
PORT = 8765
MOST_PORTS = 65_535  # the largest number of a port
NEEDED = ("starlette", "uvicorn", "jinja2", "matplotlib")
READING = ("input", "parameter", "extra", "unclear")  # kinds of failures that come of reading FILE
SAID = (
    *("actual", "positive", "normalize", "missing", "logits", "scale"),
    *("separator", "decimal", "sheet"),
)


class NumberAtLeast(click.ParamType[Any]):
    """A number that has a least value, whole or not."""

    name = "number"

    def __init__(self, least: float, kind: type[int] | type[float] = float) -> None:
        self.least, self.kind = least, kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or refuse."""
        try:
            number: float = self.kind(value)
        except ValueError:
            number = float("nan")
        if not self.least <= number < float("inf"):
            whole = "whole " if self.kind is int else ""
            text = f"it must be a {whole}number of at least {self.least:g}, got {quoted(value)}."
            self.fail(text, param, ctx)
        return number


@options.command(epilog=EXAMPLES)
@options.files_argument(needed=False)
@options.reading_options
@click.option(
    "--port",
    type=options.Whole(0),
    metavar="P",
    default=PORT,
    help=f"Port (default {PORT}). If it is taken, the next free one; 0 takes any free port.",
)
@click.option("--no-open", is_flag=True, help="Print the address, do not open a browser.")
@click.option(
    "--watch", is_flag=True, help="Read FILE again whenever it changes; the page follows."
)
@click.option(
    "--max-upload-mb",
    type=NumberAtLeast(0.001),
    metavar="MB",
    default=512.0,
    help="Largest upload in MB (default 512).",
)
@click.option(
    "--max-rows",
    type=NumberAtLeast(1, int),
    metavar="N",
    default=20_000_000,
    help="Largest number of rows of a table (default 20000000).",
)
@click.option(
    "--max-seconds",
    type=NumberAtLeast(1),
    metavar="S",
    default=120.0,
    help="Time limit of one request in seconds (default 120).",
)
@click.option(
    "--max-memory-gb",
    type=NumberAtLeast(0.1),
    metavar="GB",
    default=4.0,
    help="Memory limit of one process: a table and a request (default 4; on Linux).",
)
@click.option(
    "--max-tables",
    type=NumberAtLeast(1, int),
    metavar="N",
    default=16,
    help="Most tables open at once, each with the memory limit above (default 16).",
)
@click.option(
    "--idle-minutes",
    type=NumberAtLeast(0.01),
    metavar="M",
    default=10.0,
    help="Close an uploaded table after so many idle minutes (default 10).",
)
def serve(files: Sequence[Path], port: int, no_open: bool, watch: bool, **given: Any) -> None:
    """Explore FILE in the browser: curves, thresholds, calibration, models side by side.

    Without FILE the page offers an upload and an example. No data leave this machine.
    """
    for module in NEEDED:
        need_extra(module, "serve", "the workbench")
    if port > MOST_PORTS:
        raise ParameterError(
            f"--port must be at most {MOST_PORTS}, got {port}", code="out-of-range"
        )
    if len(files) > 1:
        raise ParameterError(
            f"serve opens one file, got {shown(map(str, files), 4)}; give one, or put "
            "the rows into one table",
            code="several-files",
        )
    file = files[0] if files else None
    need_files(files, "serve")
    how = {name: given[name] for name in TABLE_OPTIONS}
    if file is None and any(how.values()):
        raise ParameterError(
            "options that say how to read a table need FILE; name it too", code="file-missing"
        )
    if file is None and watch:
        raise ParameterError("--watch needs FILE; name it too", code="file-missing")
    if file is not None and not file.is_file():
        read_source(file, **how)  # says so at once
    from plumbline.workbench.server.processes import warm_up

    warm_up()  # takes longest, beside what else is to be imported here
    from plumbline.workbench.server import lifetime
    from plumbline.workbench.server.failures import RefusedError

    table = None if file is None else served_file(file, how)
    try:
        lifetime.serve(
            table,
            _limits(given),
            port=port,
            warn=_warn,
            watched=watch,
            say=lambda address, way: _show_address(address, way, port=port, opens=not no_open),
        )
    except RefusedError as error:
        if file is not None and error.kind in READING:
            read_source(file, **how)  # says so in the options of this command
        raise InputError(str(error), code="server-refused") from None


def served_file(file: Path, how: Mapping[str, Any]) -> "Served":
    """Return how the table of a file is opened, by options or as a page says.

    A page does not show the columns of a second file to choose from.
    """
    from plumbline.workbench.server.source import Served

    make = partial(read_source, file, **how)
    again = None if how["labels"] else partial(_read_again, make)
    return Served(file, make, again=again, told=_arguments(how))


def _arguments(how: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that say how a table is read as arguments of `plumbline.read`."""
    given: dict[str, Any] = {name: how[name] for name in SAID if how[name]}
    for name in ("prob", "rename"):
        if how[name]:
            given[name] = pairs_of(f"--{name}", how[name])
    return given | ({"names": listed("--names", how["names"], ())} if how["names"] else {})


def _read_again(make: "partial[Predictions]", arguments: Mapping[str, Any]) -> "Predictions":
    """Read a table by arguments that a page gave, and other options as before."""
    said: dict[str, Any] = {**arguments}
    for name in ("prob", "rename"):
        pairs = said[name] or {}
        said[name] = tuple((pairs if isinstance(pairs, Mapping) else dict.fromkeys(pairs)).items())
    said["names"] = said["names"] and [*said["names"]]
    return make(**said)


def _limits(given: dict[str, Any]) -> "Limits":
    from plumbline.workbench.server.limits import GB, MB, Limits

    return Limits(
        upload_bytes=round(given["max_upload_mb"] * MB),
        rows=given["max_rows"],
        seconds=given["max_seconds"],
        memory_bytes=round(given["max_memory_gb"] * GB),
        tables=given["max_tables"],
        idle_seconds=given["idle_minutes"] * 60,
    )


def _show_address(address: str, way: Path, *, port: int, opens: bool) -> None:
    """Print the address where people and programs find it, and show it in a browser.

    The browser is told of the private file `way`, which leads there, and not of the address: what
    a program is started with can be read by everybody on this machine.
    """
    taken = f" (port {port} is taken)" if port and f":{port}/" not in address else ""
    click.echo(f"The workbench is at {address}{taken}")
    sys.stdout.flush()
    if opens and _has_display():
        import webbrowser

        webbrowser.open(way.as_uri())


def _has_display() -> bool:
    """Tell whether a browser could show itself; one in this terminal would take its place."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _warn(text: str) -> None:
    warnings.warn(PlumblineWarning(text, code="warned-while-reading"), stacklevel=2)
