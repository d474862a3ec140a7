"""Writes docs/catalogue.md from the catalogue itself; a test fails where the page is stale."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plumbline.metrics import list_names

PAGE = Path(__file__).resolve().parents[1] / "docs" / "catalogue.md"

HEAD = """# Catalogue

<!-- Written by scripts/catalogue_page.py. -->

Everything that has a name, as `plumbline scores --list` and `plumbline.list_names()` know it. Names
mean the same in the library (`plumbline.measure(data, "ece")`), on the command line (`plumbline
scores FILE --metrics ece`) and in the report; the words before the colon in the second
column are names too, and upper and lower case, `-`, `_`, apostrophes and spaces do not matter.
[Which calibration error?](errors.md) says which to choose.

In the formulas y is 1 where the event occurs and else 0, p its predicted probability, p_y the
probability of the observed class, b a bin of weight W_b out of W, and every mean is weighted.
`takes` are the arguments (of the library) and options (of the command line) that mean something to
a metric; another one is refused.
"""

SECTIONS = {
    "score": ("Scores", "How good the predictions are as a whole."),
    "rate": (
        "Rates of decisions",
        "What the predicted classes are worth: the column `predicted`, else p >= 0.5 or the\n"
        "likeliest class. Labels alone are enough; with probabilities, each stands beside what it\n"
        "would be if the labels came from them, the decisions held fixed. `one-vs-rest:CLASS` is\n"
        "of one class, `classwise` the mean over all (macro), `weighted` their mean by the weight\n"
        "of the classes, `micro` the rate of all counts added up, `all-classes` of the whole\n"
        "matrix. TP, FP, TN and FN count rows, P and N positives and negatives, PP and NP what is\n"
        "predicted so, NN all. A rate that divides by 0 is undefined, and says by what.",
    ),
    "ranking": (
        "Rankings",
        "How well probabilities, or ratings where the table has no probabilities, put the rows of\n"
        "a class before the others, whatever their scale.",
    ),
    "error": (
        "Calibration errors",
        "How far the probabilities are off: 0 for a calibrated model on infinitely many\n"
        "rows. On few rows it scores more than 0, so what is expected if calibrated stands\n"
        "beside each.",
    ),
    "estimate": ("Estimates", "In which direction, and how much, they are off."),
    "test": (
        "Tests",
        "For `plumbline test --statistic NAME` and `calibration_test(statistic=...)`;\n"
        "[Calibration tests](tests.md) tells what each one sees.",
    ),
}
BETTER = {"zero": "0", "one": "1", "none": "–", None: "–"}


def page() -> str:
    """Return the text of the page."""
    entries = list_names().entries
    blocks = [HEAD]
    for kind, (title, text) in SECTIONS.items():
        rows = [entry for entry in entries if entry["kind"] == kind]
        table = "\n".join(_tests(rows) if kind == "test" else _metrics(rows))
        blocks.append(f"## {title}\n\n{text}\n\n{table}\n")
    return "\n".join(blocks)


def _metrics(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    yield "| name | what it is | better | range | view | takes | source | other names |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        cells = [
            f"`{row['name']}`",
            f"{row['title']}: {_code(row['formula'])}",
            BETTER.get(row["better"], row["better"]),
            f"{_end(row['least'])} to {_end(row['most'])}",
            row["usual_view"],
            _list([*row["takes"]]) + _usual(row),
            row["reference"] or "–",
            _list(row["aliases"]),
        ]
        yield f"| {' | '.join(cells)} |"


def _tests(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    yield "| name | what it is | takes | source |"
    yield "|---|---|---|---|"
    for row in rows:
        what = f"{row['title']}: {_code(row['formula'])}"
        yield f"| `{row['name']}` | {what} | {_list(row['takes'])} | {row['reference']} |"


def _usual(row: Mapping[str, Any]) -> str:
    return f" (usual: {_list(row['usual'])})" if row["usual"] else ""


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def _list(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def _end(value: float) -> str:
    return f"{value:g}".replace("inf", "∞").replace("-", "−")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(f"Wrote {PAGE}")
