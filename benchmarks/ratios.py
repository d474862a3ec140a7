"""Runs the benchmarks and prints every ratio to what stands beside us in one table.

python benchmarks/ratios.py [FILE ...] [--write]

Without files all `bench_*.py` run. `--write` puts their tables into docs/performance.md,
where those of other files stay. The exit code is 1 if a ratio missed its floor or a benchmark
failed.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from timing import RESULTS, Ratio

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "performance.md"
START, END = "<!-- ratios: made by benchmarks/ratios.py -->\n", "<!-- end of ratios -->\n"
PART = re.compile(r"^### (\S+)\n(.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)


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


def write(parts: dict[str, str]) -> None:
    """Put the parts of benchmarks into the page, between its marks; the parts of others stay."""
    before, _, rest = PAGE.read_text().partition(START)
    old, _, after = rest.partition(END)
    kept = {found[1]: found[2] for found in PART.finditer(old)}
    texts = [f"### {file}\n\n{text.strip()}\n" for file, text in sorted((kept | parts).items())]
    text = "\n".join(texts)
    PAGE.write_text(f"{before}{START}\n{text}\n{END}{after}")


def ratios_of(file: Path) -> tuple[list[Ratio], int]:
    """Run one benchmark; return its ratios and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "ratios.jsonl"
        results.touch()
        run = subprocess.run(
            [sys.executable, str(file)], env={**os.environ, RESULTS: str(results)}, check=False
        )
        return [
            Ratio(**json.loads(line)) for line in results.read_text().splitlines()
        ], run.returncode


def main() -> int:
    """Run the benchmarks; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    failed, ratios, parts = [], [], {}
    for file in asked.files or sorted(HERE.glob("bench_*.py")):
        print(f"\n{file.name}", flush=True)
        about = machine()
        made, code = ratios_of(file)
        ratios += made
        if code:
            failed.append(file.name)
        if made:
            parts[file.name] = f"{about}:\n\n{table(made)}"
    print(f"\n{table(ratios)}")
    if asked.write:
        write(parts)
    for one in ratios:
        if one.missed:
            print(f"MISSED: {one.file}: {one.task}: {one.ratio:.2f}, floor {one.least:g}")
    if failed:
        print(f"Ended with an error: {', '.join(failed)}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
