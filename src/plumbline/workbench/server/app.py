"""The routes of the server, all below /TOKEN/."""

import asyncio
import contextlib
import json
import struct
import sys
import traceback
from collections.abc import AsyncIterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import plumbline
from plumbline._checks import shorten
from plumbline.file_endings import CODECS, formats_named, sent_endings
from plumbline.workbench.server import worker
from plumbline.workbench.server.access import AccessGuard
from plumbline.workbench.server.failures import CRASHED, RefusedError, failure
from plumbline.workbench.server.limits import MB
from plumbline.workbench.server.open_tables import OpenTable, OpenTables

EXAMPLES = "plumbline.synthetic.example_tables"  # loads numpy, so beside the first page
STATIC = Path(__file__).parents[1] / "static"
ASSETS = {"workbench.js": "text/javascript", "workbench.css": "text/css"}
NOT_HERE = "There is nothing at this address."
STOPPING = "The server is stopping. Start it again and open its new address."


def application(tables: OpenTables, *, token: str, port: int) -> ASGIApp:
    """Return the application for the tables of one server."""
    routes = Routes(tables)

    @contextlib.asynccontextmanager
    async def alive(_: Starlette) -> AsyncIterator[None]:
        closing = asyncio.create_task(tables.close_idle())
        yield
        closing.cancel()

    app = Starlette(
        routes=[Mount(f"/{token}", routes=routes.listed())],
        exception_handlers={
            RefusedError: _refused,
            HTTPException: _not_here,
            ClientDisconnect: _gone,
            Exception: _crashed,
        },
        lifespan=alive,
    )
    return AccessGuard(LastWords(app), token=token, port=port)


class LastWords:
    """An application that says why a request, waiting as the server ends, has no answer."""

    def __init__(self, application: ASGIApp) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; where it is cancelled before it has an answer, say so with 503."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.application(scope, receive, noted)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http":
                raise
            stopping = JSONResponse({"error": failure("gone", STOPPING)}, 503)
            await stopping(scope, receive, send)


class Routes:
    """What can be asked over HTTP."""

    def __init__(self, tables: OpenTables) -> None:
        self.tables = tables

    def listed(self) -> list[Route]:
        """Return the routes; `frontend/src/host_http.ts` asks them."""
        table = "/api/tables/{table}"
        return [
            Route("/", self.page),
            Route("/assets/{name}", self.asset),
            Route("/api/start", self.start),
            Route("/api/tables", self.upload, methods=["POST"]),
            Route("/api/examples/{name}", self.example, methods=["POST"]),
            Route(f"{table}/columns", self.columns),
            Route(f"{table}/open", self.open, methods=["POST"]),
            Route(f"{table}/ask", self.ask, methods=["POST"]),
            Route(f"{table}/alive", self.alive, methods=["POST"]),
            Route(table, self.close, methods=["DELETE"]),
        ]

    async def page(self, _: Request) -> Response:
        """Send the page."""
        return Response((STATIC / "index.html").read_bytes(), media_type="text/html")

    async def asset(self, request: Request) -> Response:
        """Send one of the page's files; there are two."""
        name = request.path_params["name"]
        if name not in ASSETS:
            raise HTTPException(404)
        return Response((STATIC / name).read_bytes(), media_type=ASSETS[name])

    async def start(self, _: Request) -> Response:
        """Say what the page can begin with."""
        examples = (await asyncio.to_thread(import_module, EXAMPLES)).EXAMPLES
        limits, news = self.tables.limits, await self.tables.renew()
        return JSONResponse(
            {
                "served": self.tables.served,
                "former": self.tables.former,
                "news": news,
                "watched": self.tables.watched,
                "columns": self.tables.choosable,
                "examples": [
                    {"name": name, "title": one.title, "text": one.text}
                    for name, one in examples.items()
                ],
                "files": {
                    "endings": sent_endings(),
                    "packed": list(CODECS),
                    "names": formats_named(),
                },
                "limits": {
                    "upload_bytes": limits.upload_bytes,
                    "rows": limits.rows,
                    "seconds": limits.seconds,
                },
                "version": plumbline.__version__,
            }
        )

    async def upload(self, request: Request) -> Response:
        """Take a file; its columns have no meaning yet."""
        claimed = request.headers.get("content-length", "0")
        key = await self.tables.uploaded(
            request.stream(),
            name=request.query_params.get("name", ""),
            claimed=int(claimed) if claimed.isascii() and claimed.isdigit() else 0,
        )
        return JSONResponse({"table": key})

    async def example(self, request: Request) -> Response:
        """Open an example."""
        return JSONResponse({"table": await self.tables.example(request.path_params["name"])})

    async def columns(self, request: Request) -> Response:
        """Say what the columns of a table seem to mean, written as the page says."""
        params = request.query_params
        said: dict[str, Any] = {
            name: params[name] for name in ("separator", "decimal") if name in params
        }
        said |= {"names": params.getlist("names")} if "names" in params else {}
        columns = await self.tables.columns(request.path_params["table"], said)
        return JSONResponse(columns)

    async def open(self, request: Request) -> Response:
        """Give the columns of a table their meaning."""
        roles = await self._object(request)
        return JSONResponse(await self.tables.open(request.path_params["table"], roles[1]))

    async def ask(self, request: Request) -> "Frames":
        """Answer a question as a stream of frames."""
        table = await self.tables.ready(request.path_params["table"])
        raw, question = await self._object(request)
        what = worker.ASIDE if worker.takes_long(question) else worker.ASK
        return Frames(table, what, raw, later=question.get("thumb") is True)

    async def alive(self, request: Request) -> Response:
        """Hear that a page still shows a table; say what became of its file, and what to show."""
        key = self.tables.latest(request.path_params["table"])
        self.tables[key]  # looking it up is what counts
        return JSONResponse({"news": self.tables.news(key), "table": key})

    async def close(self, request: Request) -> Response:
        """Close a table."""
        await self.tables.close(request.path_params["table"])
        return JSONResponse({})

    async def _object(self, request: Request) -> tuple[bytes, Mapping[str, Any]]:
        """Return the JSON object that a request holds, also as its bytes."""
        most = self.tables.limits.question_bytes
        raw = bytearray()
        async for chunk in self.tables.flowing(request.stream()):
            raw += chunk
            if len(raw) > most:
                raise RefusedError("limit", f"A request may have {most / MB:.3g} MB.", status=413)
        try:
            value = json.loads(raw, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise RefusedError("parameter", "A request must be JSON.", status=400) from error
        if not isinstance(value, dict):
            text = f"A request must be a JSON object, got {shorten(value)}."
            raise RefusedError("parameter", text, status=400)
        return bytes(raw), value


class Frames:
    """A response that passes on what a worker says, and stops its work when nobody listens."""

    def __init__(self, table: OpenTable, what: str, question: bytes, *, later: bool) -> None:
        self.table, self.what, self.question, self.later = table, what, question, later

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send frames until the last, or until the browser closes the connection."""
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            leaving.cancel()
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await sending

    async def _send(self, send: Send) -> None:
        headers = [(b"content-type", b"application/octet-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        frames = self.table.frames(self.what, self.question, later=self.later)
        async with contextlib.aclosing(frames):
            async for letter, payload in frames:
                body = frame(letter, payload)
                await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def frame(letter: bytes, payload: bytes) -> bytes:
    """Return one frame of a stream: its letter, the length of its payload, the payload."""
    return letter + struct.pack("<I", len(payload)) + payload


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


async def _refused(_: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, RefusedError) else 422
    kind = error.kind if isinstance(error, RefusedError) else "crash"
    return JSONResponse({"error": failure(kind, str(error))}, status)


async def _not_here(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return JSONResponse({"error": failure("gone", NOT_HERE)}, status)


async def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=499)  # nobody reads it


async def _crashed(_: Request, error: Exception) -> Response:
    traceback.print_exception(error, file=sys.stderr)
    return JSONResponse({"error": failure("crash", CRASHED)}, 500)
