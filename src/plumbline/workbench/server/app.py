"""The routes of the server."""

import asyncio
import json
import secrets
import struct
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from plumbline.errors import FormulaError, PlumblineError
from plumbline.predictions import read
from plumbline.workbench.desk import Desk
from plumbline.workbench.wire import encode

STATIC = Path(__file__).parents[1] / "static"


def application(token: str, desk: Desk | None = None) -> Starlette:
    """Return the application; everything lies below /TOKEN/."""
    desks: dict[str, Desk] = {}
    served = None
    if desk is not None:
        served = secrets.token_urlsafe(16)
        desks[served] = desk

    async def start(_: Request) -> Response:
        return JSONResponse({"served": served, "examples": [], "limits": {}})

    async def upload(request: Request) -> Response:
        body = await request.body()
        name = request.query_params.get("name", "table.csv")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"table{Path(name).suffix}"
            path.write_bytes(body)
            try:
                data = await asyncio.to_thread(read, path)
            except PlumblineError as error:
                return JSONResponse({"error": {"kind": "input", "message": str(error)}}, 422)
        key = secrets.token_urlsafe(16)
        desks[key] = Desk(data, name=name)
        return JSONResponse({"table": key})

    async def ask(request: Request) -> Response:
        desk = desks.get(request.path_params["table"])
        if desk is None:
            return JSONResponse({"error": {"kind": "gone", "message": "no such table"}}, 404)
        question = json.loads(await request.body())
        return StreamingResponse(_frames(desk, question), media_type="application/octet-stream")

    async def page(_: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def asset(request: Request) -> Response:
        return FileResponse(STATIC / Path(request.path_params["name"]).name)

    routes = [
        Route("/", page),
        Route("/assets/{name}", asset),
        Route("/api/start", start),
        Route("/api/tables", upload, methods=["POST"]),
        Route("/api/tables/{table}/ask", ask, methods=["POST"]),
    ]
    return Starlette(routes=[Mount(f"/{token}", routes=routes)])


async def _frames(desk: Desk, question: Any) -> AsyncIterator[bytes]:
    try:
        found = await asyncio.to_thread(lambda: encode(desk.answer(question)))
        yield frame(b"A", found)
    except FormulaError as error:
        told = {"kind": "formula", "message": error.message, "formula": error.formula,
                "start": error.start, "end": error.end}  # fmt: skip
        yield frame(b"E", json.dumps(told).encode())
    except PlumblineError as error:
        yield frame(b"E", json.dumps({"kind": "parameter", "message": str(error)}).encode())


def frame(kind: bytes, payload: bytes) -> bytes:
    """Return one frame of a stream: its kind, the length of its payload, the payload."""
    return kind + struct.pack("<I", len(payload)) + payload
