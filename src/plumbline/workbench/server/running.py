"""A server from its first line to its last: a port, an address, and a clean end."""

import asyncio
import contextlib
import errno
import os
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from plumbline.errors import InputError
from plumbline.predictions import Predictions
from plumbline.workbench.server.app import application
from plumbline.workbench.server.limits import Limits
from plumbline.workbench.server.link import warm_up
from plumbline.workbench.server.tables import Tables

HOST = "127.0.0.1"
TRIES = 50  # ports after the one that was asked for
KEPT = 75  # seconds that a connection stays open for a page's next question
LAST_WORDS = 1  # seconds that open streams have when the server ends


@dataclass(frozen=True, slots=True)
class Given:
    """The table that a server is started with: its file, and how it is read in another process."""

    path: Path
    make: Callable[[], Predictions]


def serve(
    given: Given | None,
    limits: Limits,
    *,
    port: int,
    say: Callable[[str], None],
    warn: Callable[[str], None],
    token: str | None = None,
) -> None:
    """Serve until interrupted; `say` is told the address once a browser can open it.

    `warn` is told what the library warns of while the table is read. Raises RefusedError where
    the table cannot be read, InputError where no port is free.
    """
    secret = token or secrets.token_urlsafe(24)
    with listening(port) as sock, _ended_by_terminate(), contextlib.suppress(KeyboardInterrupt):
        warm_up()
        tables = Tables(limits)
        try:
            asyncio.run(_serve(given, tables, sock=sock, token=secret, say=say, warn=warn))
        finally:
            tables.close_all()


async def _serve(
    given: Given | None,
    tables: Tables,
    *,
    sock: socket.socket,
    token: str,
    say: Callable[[str], None],
    warn: Callable[[str], None],
) -> None:
    port = sock.getsockname()[1]
    if given is not None:
        found = await tables.given(given.path, given.make)
        for text in found.get("warnings", ()):
            warn(text)
    config = uvicorn.Config(
        application(tables, token=token, port=port), log_level="critical", access_log=False,
        server_header=False, timeout_graceful_shutdown=LAST_WORDS, timeout_keep_alive=KEPT,
    )  # fmt: skip
    say(f"http://{HOST}:{port}/{token}/")
    await uvicorn.Server(config).serve(sockets=[sock])


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
                        f"no port from {port} to {port + place} can be had: {error.strerror}; "
                        "name another with --port, or 0 for any"
                    ) from error
        yield sock


@contextlib.contextmanager
def _ended_by_terminate() -> Iterator[None]:
    """Take a polite request to end, as from a service manager, like Ctrl-C."""

    def end(*_: Any) -> None:
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)
