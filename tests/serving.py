"""A server of the workbench inside a test, and how to talk to it without a browser."""

import http.client
import json
import socket
import struct
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import uvicorn

import plumbline as pb
from plumbline.workbench import Limits, decode
from plumbline.workbench.server.app import application
from plumbline.workbench.server.lifetime import listening
from plumbline.workbench.server.open_tables import OpenTables

TOKEN = "secret"


class Client:
    """Asks a server on this machine, as a browser's page would, or not at all like one."""

    def __init__(self, port, tables=None):
        self.port, self.tables = port, tables

    def send(self, method, path, body=None, *, token=TOKEN, headers=None):
        """Send one request; return status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, f"/{token}/{path}", body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, **more):
        """Send one request; return status and the JSON of the answer."""
        status, _, raw = self.send(method, path, body, **more)
        return status, json.loads(raw)

    def upload(self, raw, name="loans.csv"):
        """Upload a file and open it by its guessed roles; return the table's key."""
        status, result = self.json("POST", f"api/tables?name={name}", raw)
        assert status == 200, result
        key = result["table"]
        status, columns = self.json("GET", f"api/tables/{key}/columns")
        assert status == 200, columns
        status, result = self.json("POST", f"api/tables/{key}/open", json.dumps(columns["guess"]))
        assert status == 200, result
        return key

    def ask(self, key, question):
        """Ask a question; return the answer, or the failure under `error`."""
        status, _, raw = self.send("POST", f"api/tables/{key}/ask", json.dumps(question))
        if status != 200:
            return json.loads(raw)
        letter, payload = frames(raw)[-1]
        return decode(payload) if letter == b"A" else {"error": json.loads(payload)}

    def leave(self, key, question, *, once):
        """Ask a question and hang up, once something is so, without waiting for the answer."""
        body = json.dumps(question).encode()
        head = (
            f"POST /{TOKEN}/api/tables/{key}/ask HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", self.port)) as sock:
            sock.sendall(head.encode() + body)
            once()


@contextmanager
def limited(holder, **limits):
    """Let a server's tables, or one of them, have other limits for a while."""
    usual = holder.limits
    holder.limits = replace(usual, **limits)
    try:
        yield
    finally:
        holder.limits = usual


def read_again(path, arguments):
    """Read a file by what a page said; the process of a table imports it from here, by name."""
    return pb.read(path, **arguments)


def frames(raw):
    """Return the frames of a stream: letter and payload."""
    result = []
    while raw:
        (length,) = struct.unpack_from("<I", raw, 1)
        result.append((raw[:1], raw[5 : 5 + length]))
        raw = raw[5 + length :]
    return result


@contextmanager
def server(**limits):
    """Run a server in a thread; yield a client of it."""
    tables = OpenTables(Limits(**limits))
    with listening(0) as sock:
        port = sock.getsockname()[1]
        config = uvicorn.Config(
            application(tables, token=TOKEN, port=port),
            log_level="critical",
            timeout_graceful_shutdown=1,
        )
        running = uvicorn.Server(config)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [sock]}, daemon=True)
        thread.start()
        try:
            yield Client(port, tables)
        finally:
            running.should_exit = True
            thread.join(10)
            tables.close_all()


def wait_until(true, seconds=10.0):
    """Wait until something holds; tell whether it came to."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False
