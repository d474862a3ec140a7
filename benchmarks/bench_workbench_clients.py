"""Twenty people at one workbench: each with a table of their own, all asking at once.

python benchmarks/bench_workbench_clients.py [--clients 20] [--rows 100000] [--seconds 30]
    [--pause 0.5]

Every client uploads a table, opens it and asks a mix of questions, with a pause of the given length
on average between an answer and the next question. Printed are the times from a question to its
whole answer, errors, and the memory (private and shared parts counted once) of all processes.
"""

import argparse
import http.client
import io
import json
import re
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import psutil
import pyarrow as pa
from pyarrow import parquet
from timing import compare, finish

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/([^/\s]+)/")
GOAL = 1.0  # seconds, of 95 % of the answers
FORMULAS = ("cumm(amount if eP else -amount)", "precision", "accuracy", "TPR - FPR", "TPR")
AXES = ("FPR", "threshold", "recall")


def table(rows: int, seed: int) -> bytes:
    """Return a binary table with one attribute as a Parquet file."""
    rng = np.random.default_rng(seed)
    prob = rng.beta(1, 2, rows)
    actual = np.where(rng.random(rows) < prob, "yes", "no")
    columns = {
        "actual": actual,
        "p:no": 1 - prob,
        "p:yes": prob,
        "fold": rng.integers(0, 5, rows),
        "amount": rng.gamma(2, 100, rows),
    }
    file = io.BytesIO()
    parquet.write_table(pa.table(columns), file)
    return file.getvalue()


def question(rng: np.random.Generator) -> tuple[str, dict]:
    """Draw what a person might do next."""
    curve = {"x": str(rng.choice(AXES)), "y": str(rng.choice(FORMULAS))}
    threshold = round(float(rng.random()), 3)
    drawn = rng.random()
    if drawn < 0.35:
        return "curve", {"kind": "curve", "curve": curve}
    if drawn < 0.65:
        return "reading", {
            "kind": "reading",
            "curve": {"x": "FPR", "y": "TPR"},
            "threshold": threshold,
        }
    if drawn < 0.8:
        return "confusion", {"kind": "confusion", "threshold": threshold}
    return "thumbnail", {"kind": "curve", "curve": curve, "width": 160, "thumb": True}


class Client:
    """One person: a connection, a table, and the times of the answers."""

    def __init__(self, port: int, token: str, seed: int) -> None:
        self.token = token
        self.rng = np.random.default_rng(seed)
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.key = ""
        self.times: list[tuple[str, float]] = []
        self.errors: list[str] = []

    def send(self, method: str, path: str, body: bytes | str | None = None) -> bytes:
        """Send a request and return the answer; whatever is no success is noted."""
        self.wire.request(method, f"/{self.token}/{path}", body)
        response = self.wire.getresponse()
        raw = response.read()
        if response.status != 200:
            self.errors.append(f"{path}: {response.status} {raw[:200]!r}")
        return raw

    def open(self, raw: bytes) -> None:
        """Upload a table and open it."""
        start = time.perf_counter()
        self.key = json.loads(self.send("POST", "api/tables?name=t.parquet", raw))["table"]
        columns = json.loads(self.send("GET", f"api/tables/{self.key}/columns"))
        self.send("POST", f"api/tables/{self.key}/open", json.dumps(columns["guess"]))
        self.times.append(("open", time.perf_counter() - start))

    def work(self, *, seconds: float, pause: float) -> None:
        """Ask one question after the other."""
        end = time.perf_counter() + seconds
        time.sleep(float(self.rng.random()) * pause)
        while time.perf_counter() < end:
            name, asked = question(self.rng)
            start = time.perf_counter()
            raw = self.send("POST", f"api/tables/{self.key}/ask", json.dumps(asked))
            self.times.append((name, time.perf_counter() - start))
            if last_letter(raw) != b"A":
                self.errors.append(f"{name}: {raw[-200:]!r}")
            time.sleep(float(self.rng.exponential(pause)) if pause else 0)


def last_letter(raw: bytes) -> bytes:
    """Return the letter of a stream's last frame."""
    letter = b""
    while raw:
        letter, (length,) = raw[:1], struct.unpack_from("<I", raw, 1)
        raw = raw[5 + length :]
    return letter


@contextmanager
def serving(tables: int) -> Iterator[tuple[psutil.Process, int, str]]:
    """Run `plumbline serve`; yield its process, port and token."""
    command = [
        sys.executable,
        "-m",
        "plumbline",
        "serve",
        "--no-open",
        "--port",
        "0",
        "--max-tables",
        str(tables),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = "" if process.stdout is None else process.stdout.readline()
        found = ADDRESS.search(line)
        if not found:
            sys.exit("the server did not say its address")
        try:
            yield psutil.Process(process.pid), int(found[1]), found[2]
        finally:
            process.terminate()


def memory(process: psutil.Process) -> tuple[float, int]:
    """Return megabytes of a process and all below it, shared pages counted once, and how many."""
    family = [process, *process.children(recursive=True)]
    return sum(one.memory_full_info().pss for one in family) / 2**20, len(family)


def processor(process: psutil.Process) -> float:
    """Return the seconds of processors that a process and all below it have used."""
    times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def together(clients: list[Client], task: str, *arguments: list, **more: float) -> None:
    """Let all clients do something at the same time."""
    rows = zip(clients, *arguments, strict=True)
    threads = [
        threading.Thread(target=getattr(one, task), args=given, kwargs=more) for one, *given in rows
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def show(clients: list[Client], name: str) -> None:
    """Print how long the answers to one kind of question took; all, where it has no name."""
    times = [
        one
        for client in clients
        for kind, one in client.times
        if kind == name or (name == "all questions" and kind != "open")
    ]
    p50, p95, most = np.quantile(times, [0.5, 0.95, 1.0])
    print(f"{name:<16} {len(times):>6} {p50:>8.3f} {p95:>8.3f} {most:>8.3f}")


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=0.5)
    asked = parser.parse_args()
    tables = [table(asked.rows, seed) for seed in range(asked.clients)]
    with serving(asked.clients) as (process, port, token):
        clients = [Client(port, token, seed) for seed in range(asked.clients)]
        clients[0].open(tables[0])
        clients[0].send("DELETE", f"api/tables/{clients[0].key}")
        clients[0].times.clear()
        held = [("before", *memory(process))]
        used = [processor(process)]
        together(clients, "open", tables)
        used.append(processor(process))
        together(clients, "work", seconds=asked.seconds, pause=asked.pause)
        used.append(processor(process))
        held.append(("at work", *memory(process)))
        for one in clients:
            one.send("DELETE", f"api/tables/{one.key}")
        held.append(("after closing", *memory(process)))
    print(
        f"{asked.clients} clients, {asked.rows:,} rows each, mean pause {asked.pause} s, "
        f"{psutil.cpu_count()} cores"
    )
    print(f"{'seconds':<16} {'n':>6} {'p50':>8} {'p95':>8} {'max':>8}")
    for name in ("open", "curve", "reading", "confusion", "thumbnail", "all questions"):
        show(clients, name)
    errors = [error for one in clients for error in one.errors]
    print(f"errors: {len(errors)}", *errors[:3], sep="\n  " if errors else "")
    for name, size, count in held:
        print(f"memory {name}: {size:,.0f} MB in {count} processes")
    times = [one for client in clients for kind, one in client.times if kind != "open"]
    opening, working = np.diff(used)
    print(
        f"processors: {opening / asked.clients:.3f} s a table opened, "
        f"{working / len(times):.3f} s a question"
    )
    late = float(np.quantile(times, 0.95))
    what = f"answer to one of {asked.clients} clients, 95 %, {asked.rows:,} rows"
    compare(what, late, "limit", GOAL)
    finish()


if __name__ == "__main__":
    main()
