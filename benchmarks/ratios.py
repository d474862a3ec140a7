"""Runs the benchmarks and prints every ratio to what stands beside us in one table.

python benchmarks/ratios.py [FILE ...] [--write]

Without files all `bench_*.py` run. `--write` puts the table into docs/performance.md. The exit code
is 1 if a ratio missed its floor or a benchmark failed.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from timing import RESULTS, Ratio

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "performance.md"
START, END = "<!-- ratios: made by benchmarks/ratios.py -->\n", "<!-- end of ratios -->\n"


def machine() -> str:
    """Return date and machine in words."""
    about = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    models = [line.partition(": ")[2] for line in about.splitlines() if "model name" in line]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores of "
        f"{models[0] if models else platform.machine()}, {memory:.0f} GB, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}"
    )


def table(ratios: list[Ratio]) -> str:
    """Return all ratios as a table in Markdown."""
    lines = ["| task | ours | beside | theirs | ratio | floor |", "|---|---|---|---|---|---|"]
    for one in ratios:
        floor = "" if one.least is None else f"{one.least:g}"
        lines.append(
            f"| {one.task} | {one.ours:.3g} {one.unit} | {one.beside} | "
            f"{one.theirs:.3g} {one.unit} | {one.ratio:.2f} | {floor}"
            f"{' **missed**' if one.missed else ''} |"
        )
    return "\n".join(lines) + "\n"


def write(text: str) -> None:
    """Put the table into the page, between its marks."""
    page = PAGE.read_text()
    before, _, rest = page.partition(START)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{START}\n{text}\n{END}{after}")


def main() -> int:
    """Run the benchmarks; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "ratios.jsonl"
        results.touch()
        for file in asked.files or sorted(HERE.glob("bench_*.py")):
            print(f"\n{file.name}", flush=True)
            run = subprocess.run(
                [sys.executable, str(file)], env={**os.environ, RESULTS: str(results)}, check=False
            )
            if run.returncode:
                failed.append(file.name)
        ratios = [Ratio(**json.loads(line)) for line in results.read_text().splitlines()]
    text = f"{machine()}:\n\n{table(ratios)}"
    print(f"\n{text}")
    if asked.write:
        write(text)
    for one in ratios:
        if one.missed:
            print(f"MISSED: {one.file}: {one.task}: {one.ratio:.2f}, floor {one.least:g}")
    if failed:
        print(f"Ended with an error: {', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
