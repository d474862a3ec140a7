"""Runs the benchmarks and prints every ratio to what stands beside us in one table.

python benchmarks/ratios.py [FILE ...] [--write | --quick]

Without files all `bench_*.py` run. `--write` puts their tables into docs/performance.md, where
those of other files stay. Without it the ratios are compared with those kept there: a benchmark
with a ratio that is a fifth lower runs again, and fails where one is lower in three of three
runs. The exit code is 1 if that happens, if a ratio missed its floor or a benchmark failed.
`--quick` runs the five benchmarks that take seconds, prints their ratios beside the kept ones, and
fails for none: machines are noisy.
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
QUICK = tuple(
    f"bench_{name}.py" for name in ("calibration", "smoothing", "formula", "confusion", "exact")
)
LOWER = 0.8  # of the kept ratio; machines differ by less in the ratio of two times, mostly
TRIES = 3
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


def kept_ratios(page: str) -> dict[tuple[str, str, str], float]:
    """Return the ratios that a page keeps, by benchmark, task and what stands beside ours."""
    kept = {}
    for found in PART.finditer(page.partition(START)[2].partition(END)[0]):
        for line in found[2].splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 6 and re.fullmatch(r"[0-9.]+", cells[4]):
                kept[found[1], cells[0], cells[2]] = float(cells[4])
    return kept


def slower(
    ratios: list[Ratio], kept: dict[tuple[str, str, str], float]
) -> dict[tuple[str, str, str], str]:
    """Return the ratios that are a fifth lower than the kept ones, with both in words."""
    return {
        key: f"{one.ratio:.2f}, kept {kept[key]:.2f}"
        for one in ratios
        if (key := (one.file, one.task, one.beside)) in kept and one.ratio < LOWER * kept[key]
    }


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


def beside_kept(ratios: list[Ratio], kept: dict[tuple[str, str, str], float]) -> str:
    """Return ratios and the kept ones as a table in Markdown."""
    lines = ["| task | beside | ratio | kept |", "|---|---|---|---|"]
    for one in ratios:
        known = kept.get((one.file, one.task, one.beside))
        text = "-" if known is None else f"{known:.2f}"
        lines.append(f"| {one.task} | {one.beside} | {one.ratio:.2f} | {text} |")
    return "\n".join(lines) + "\n"


def compared(file: Path, made: list[Ratio], kept: dict[tuple[str, str, str], float]) -> list[str]:
    """Run a benchmark again where ratios are lower; return those that are in every run."""
    low = slower(made, kept)
    for _ in range(TRIES - 1):
        if not low:
            break
        print(f"{file.name}: lower than kept, once more: {', '.join(task for _, task, _ in low)}")
        again, _ = ratios_of(file)
        now = slower(again, kept)
        low = {key: f"{text}; {now[key]}" for key, text in low.items() if key in now}
    return [f"{file.name}: {task} beside {other}: {low[_, task, other]}" for _, task, other in low]


def main() -> int:
    """Run the benchmarks; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    kept = kept_ratios(PAGE.read_text())
    failed, ratios, parts, low = [], [], {}, []
    files = [HERE / name for name in QUICK] if asked.quick else asked.files
    for file in files or sorted(HERE.glob("bench_*.py")):
        print(f"\n{file.name}", flush=True)
        about = machine()
        made, code = ratios_of(file)
        if not (asked.quick or asked.write):
            low += compared(file, made, kept)
        ratios += made
        if code:
            failed.append(file.name)
        if made:
            parts[file.name] = f"{about}:\n\n{table(made)}"
    print(f"\n{beside_kept(ratios, kept) if asked.quick else table(ratios)}")
    if asked.write:
        write(parts)
    for one in ratios:
        if one.missed:
            print(f"MISSED: {one.file}: {one.task}: {one.ratio:.2f}, floor {one.least:g}")
    for text in low:
        print(f"LOWER in {TRIES} of {TRIES} runs: {text}")
    if failed:
        print(f"Ended with an error: {', '.join(failed)}")
    return 0 if asked.quick else int(bool(failed or low))


if __name__ == "__main__":
    raise SystemExit(main())
