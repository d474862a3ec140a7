"""Who may ask: only pages that this server sent, in a browser on this machine.

A page of another site can make the browser send requests here, so the address holds a secret that
it cannot know, and what the browser says about the page that asks must name this server. The name
under which the server was reached is checked too, for a stranger's name can be made to point here.
"""

import secrets
from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plumbline.workbench.server.failures import failure

REFUSAL = "Open the workbench at the address that `plumbline serve` printed."
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
OWN_SITES = ("same-origin", "none")  # none: the user typed the address or followed a bookmark


class AccessGuard:
    """An application that answers only those who may ask, and gives every response its headers."""

    def __init__(self, application: ASGIApp, *, token: str, port: int) -> None:
        self.application, self.token = application, token
        self.hosts = tuple(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it in one sentence."""
        if scope["type"] == "lifespan":
            await self.application(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        allowed = self._allows(scope)
        refusal = JSONResponse({"error": failure("gone", REFUSAL)}, 403)
        await (self.application if allowed else refusal)(scope, receive, guarded)

    def _allows(self, scope: Scope) -> bool:
        """Tell whether all that a request says of where it comes from is as it must be."""
        headers = {name: _all(scope, name) for name in (b"host", b"origin", b"sec-fetch-site")}
        host = headers[b"host"]
        if len(host) != 1 or host[0] not in self.hosts:
            return False
        if any(origin != f"http://{host[0]}" for origin in headers[b"origin"]):
            return False
        sites = headers[b"sec-fetch-site"]
        if any(site not in OWN_SITES for site in sites) and not self._is_visit(scope):
            return False
        given = scope["path"].partition("/")[2].partition("/")[0].encode()
        return secrets.compare_digest(given, self.token.encode())

    def _is_visit(self, scope: Scope) -> bool:
        """Tell whether somebody follows a link to the page, which nobody else gets to read."""
        return (
            scope["method"] == "GET"
            and scope["path"] == f"/{self.token}/"
            and _all(scope, b"sec-fetch-mode") == ["navigate"]
            and _all(scope, b"sec-fetch-dest") == ["document"]
        )


def _all(scope: Scope, name: bytes) -> Sequence[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
