"""A server from its first line to its last: a port, an address, and a clean end."""

import asyncio
import contextlib
import errno
import os
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import uvicorn

from plumbline.ending_signals import ENDINGS
from plumbline.errors import InputError
from plumbline.workbench.server.app import EXAMPLES, application
from plumbline.workbench.server.failures import RefusedError
from plumbline.workbench.server.limits import Limits
from plumbline.workbench.server.open_tables import OpenTables
from plumbline.workbench.server.processes import warm_up
from plumbline.workbench.server.source import Served

HOST = "127.0.0.1"
TRIES = 50  # ports after the one that was asked for
KEPT = 75  # seconds that a connection stays open for a page's next question
LAST_WORDS = 1  # seconds that open streams have when the server ends


def serve(
    given: Served | None,
    limits: Limits,
    *,
    port: int,
    say: Callable[[str, Path], None],
    warn: Callable[[str], None],
    watched: bool = False,
) -> None:
    """Serve until interrupted; `say` is told the address at once, before the table is read.

    It is also told of a file that leads a browser there: the address holds a secret, and what a
    program is started with can be read by everybody on this machine. `warn` is told what the
    library warns of while the table is read. Where `watched`, the table is read anew whenever its
    file changes. Raises RefusedError where the table cannot be read, InputError where no port is
    free.
    """
    token = secrets.token_urlsafe(24)
    with listening(port) as sock, _ended_politely(), contextlib.suppress(KeyboardInterrupt):
        warm_up()
        tables = OpenTables(limits, watched=watched)
        try:
            asyncio.run(_serve(given, tables, sock=sock, token=token, say=say, warn=warn))
        finally:
            tables.close_all()


async def _serve(
    given: Served | None,
    tables: OpenTables,
    *,
    sock: socket.socket,
    token: str,
    say: Callable[[str, Path], None],
    warn: Callable[[str], None],
) -> None:
    port = sock.getsockname()[1]
    config = uvicorn.Config(
        application(tables, token=token, port=port),
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LAST_WORDS,
        timeout_keep_alive=KEPT,
    )
    address = f"http://{HOST}:{port}/{token}/"
    server = uvicorn.Server(config)
    say(address, tables.folder.way_to(address))
    loop = asyncio.get_running_loop()
    examples = loop.run_in_executor(None, import_module, EXAMPLES)  # soon asked for
    opening = asyncio.create_task(_open(given, tables, server, warn))
    await server.serve(sockets=[sock])
    await examples
    if opening.done():
        opening.result()
    opening.cancel()


async def _open(
    given: Served | None, tables: OpenTables, server: uvicorn.Server, warn: Callable[[str], None]
) -> None:
    """Read the table while the page is served already; end the server where that fails."""
    if given is None:
        return
    try:
        table = await tables.served_first(given)
    except RefusedError:
        server.should_exit = True
        raise
    if "unclear" in table:
        warn(f"{given.path.name} opens once the page knows its columns. {table['unclear']}")
    for text in table.get("warnings", ()):
        warn(text)
    await tables.watch()


@contextlib.contextmanager
def listening(port: int) -> Iterator[socket.socket]:
    """Listen on this machine's own address, at a port or the next one that is free."""
    with socket.socket() as sock:
        if os.name == "posix":  # elsewhere it would share the port with a stranger
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for place in range(TRIES):
            try:
                sock.bind((HOST, port + place if port else 0))
                sock.listen()
                break
            except OSError as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES) or place == TRIES - 1:
                    raise InputError(
                        f"no port from {port} to {port + place} is available: "
                        f"{error.strerror}; name another with --port, or 0 for any",
                        code="no-free-port",
                    ) from error
        yield sock


@contextlib.contextmanager
def _ended_politely() -> Iterator[None]:
    """Take a service manager's request to end, and the end of the terminal, like Ctrl-C."""

    def end(*_: Any) -> None:
        raise KeyboardInterrupt

    heard = [number for number in ENDINGS if signal.getsignal(number) is not signal.SIG_IGN]
    usual = {number: signal.signal(number, end) for number in heard}  # what nohup ignores stays so
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
