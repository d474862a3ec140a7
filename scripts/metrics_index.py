"""Makes the index of docs/metrics.md: a line for each metric and test of the catalogue."""

import re
from pathlib import Path

import plumbline as pb

GUIDES = ("errors", "tests", "confusion", "curves", "diagnosis", "comparison", "intervals")
EXPLAINED = {"score": "comparison", "rate": "confusion", "ranking": "curves", "error": "errors"}
SECTIONS = {
    "score": "scores",
    "rate": "rates-of-decisions",
    "ranking": "rankings",
    "error": "calibration-errors",
    "estimate": "estimates",
    "test": "tests",
}


def index_of_metrics(docs: Path) -> str:
    """Return a Markdown table of every metric and test: calls, tutorials, guide, entry."""
    tutorials = {
        file.stem: file.read_text("utf-8")
        for file in sorted((docs.parent / "examples" / "tutorials").glob("t*.py"))
    }
    guides = {name: (docs / f"{name}.md").read_text("utf-8") for name in GUIDES}
    lines = [
        "| metric | Python | command | tutorial | guide | reference |",
        "|---|---|---|---|---|---|",
    ]
    for entry in pb.list_names().entries:
        name, kind = entry["name"], entry["kind"]
        own = name.replace("-", "_")
        if kind == "test":
            call = f'pb.calibration_test(data, statistic="{name}")'
            command = f"plumbline test FILE --statistic {name}"
        else:
            call = f"pb.{own}(data)" if hasattr(pb, own) else f'pb.measure(data, "{name}")'
            command = f"plumbline scores FILE --metrics {name}"
        used = re.compile(rf"\"{name}\"|pb\.{own}\(")
        tutorial = [
            f"[{stem[:3].rstrip('_')}](tutorials/{stem}.rst)"
            for stem in tutorials
            if used.search(tutorials[stem])
        ]
        first = EXPLAINED.get(kind, "tests")
        guide = sorted(GUIDES, key=lambda page: (f"`{name}`" not in guides[page], page != first))
        cells = (
            f"`{name}`",
            f"`{call}`",
            f"`{command}`",
            ", ".join(tutorial) or "–",
            f"[{guide[0]}]({guide[0]}.md)",
            f"[{entry['title']}](catalogue.md#{SECTIONS[kind]})",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
