"""From `plumbline serve FILE` to the first page and the first curve, for 2,000 and 1e6 rows.

python benchmarks/bench_serve_start.py

"cold" has an empty cache of compiled kernels, as after an installation.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from timing import compare, finish

import plumbline as pb

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S+")
SIZES = (2_000, 1_000_000)
RUNS = 3
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"kind": "about"},
    {"kind": "requests", "data": {}},
    {"kind": "curve", "data": {}, "curve": {"preset": "roc"}, "width": 800},
)
MOST_PAGE = 2.0


def write_table(path: Path, rows: int) -> None:
    """Write rows that are calibrated, with an amount each."""
    rng = np.random.default_rng(0)
    p = rng.random(rows)
    event = (rng.random(rows) < p).astype(np.int64)
    amount = rng.integers(10, 130, rows).astype(np.float64)
    pb.Predictions.from_arrays(event, p, attributes={"amount": amount}).write(path)


def send(address: str, path: str = "", body: str | None = None) -> bytes:
    """Send one request and return what comes back."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=300)
    connection.request("GET" if body is None else "POST", parts.path + path, body)
    response = connection.getresponse()
    raw = response.read()
    connection.close()
    if response.status != 200:
        raise SystemExit(f"{path or 'the page'} failed: {raw[:300]!r}")
    return raw


def first_replies(path: Path, cache: str | None = None) -> tuple[float, float]:
    """Return the seconds from the start of the process to the page and to the first curve."""
    command = [sys.executable, "-m", "plumbline", "serve", "--no-open", "--port", "0", str(path)]
    places = os.environ if cache is None else {**os.environ, "NUMBA_CACHE_DIR": cache}
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=places
    )
    try:
        found = next(found for said in process.stdout or () if (found := ADDRESS.search(said)))
        send(found.group())
        page = time.perf_counter() - start
        served = json.loads(send(found.group(), "api/start"))["served"]
        for question in QUESTIONS:
            send(found.group(), f"api/tables/{served}/ask", json.dumps(question))
        return page, time.perf_counter() - start
    finally:
        process.terminate()
        process.wait(20)


def main() -> None:
    """Measure, print, and fail where the page is late."""
    with tempfile.TemporaryDirectory() as folder:
        for rows in SIZES:
            path = Path(folder) / f"{rows}.csv"
            write_table(path, rows)
            for state in ("cold", "warm"):
                cache = str(Path(folder) / f"kernels {rows}")
                runs = 1 if state == "cold" else RUNS
                times = [first_replies(path, cache) for _ in range(runs)]
                page, curve = (median(one) for one in zip(*times, strict=True))
                more = f"first curve {curve:.2f} s"
                what = f"start until the first page, {rows:,} rows, {state}"
                compare(what, page, "limit", MOST_PAGE, more=more)
    finish()


if __name__ == "__main__":
    main()
