"""Pages of results whose parts can be measured one at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def write_parts(
    name: str, title: str, parts: Mapping[str, Callable[[], Iterator[str]]], asked: Sequence[str]
) -> None:
    """Measure the parts that are asked for, all by default, and keep the others of the page.

    Every part yields a section: its heading (##) first, then its lines.
    """
    path = RESULTS / f"{name}.md"
    old = path.read_text("utf-8").split("\n## ")[1:] if path.exists() else []
    sections = dict(zip(parts, (f"## {text}" for text in old), strict=False))
    for part in asked or parts:
        lines = []
        for line in parts[part]():
            print(line, flush=True)
            lines.append(line)
        sections[part] = "\n".join(lines)
    page = [f"# {title}", f"By `python studies/{name}.py`."]
    page += [sections[part].strip("\n") for part in parts if part in sections]
    path.write_text("\n\n".join(page) + "\n", "utf-8")
