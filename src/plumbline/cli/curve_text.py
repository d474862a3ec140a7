"""What the command `curve` says: in words for people, in entries for `--json`."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from plumbline.cli.messages import typed
from plumbline.cli.output import entry, paragraph, table
from plumbline.curves.area import AREA, area_name
from plumbline.curves.class_counts import day_name
from plumbline.curves.lines import (
    curve_description,
    curve_title,
    dropped_of,
    evenly_spread,
    line_name,
    line_to_dict,
    point_rows,
    rating_name,
    several_targets,
)
from plumbline.curves.points import select_points
from plumbline.curves.presets import PRESETS
from plumbline.formatting import amount, capital, counted, number, p_number, printable

if TYPE_CHECKING:
    from plumbline import Predictions
    from plumbline.curves import Curve, Line
    from plumbline.curves.best_threshold import BestThreshold
    from plumbline.curves.cases_between import Cases
    from plumbline.curves.curve_difference import CurveDifference

POINTS = 11  # of a line on a screen
LINES = 24
CASES = 20
COLUMNS = 8  # of the table of cases
DIFFERING = 8
INTERVALS = 2

Bests = Mapping[str | None, "BestThreshold"]

# ------------------------------------------------------------------ entries


def line_entry(curve: "Curve", line: "Line", bests: Bests) -> dict[str, Any]:
    """Return the entry of a line: whose it is, its formulas, its points and what is read off."""
    values = line_to_dict(curve, line)
    points = values.pop("points")
    name = area_name(curve)
    values |= {"x": curve.settings.x, "y": curve.settings.y}
    values |= {"area_name": name}
    if bests:
        values["optimum"] = bests[line.model].to_dict()
    return entry(line.model, values | {"points": points})


def about(curve: "Curve") -> dict[str, Any]:
    """Return what is said of all lines together."""
    return {
        "title": curve_title(curve.settings),
        "settings": curve.settings.to_dict(),
        "notes": list(curve.notes),
        "spread": curve.spread,
    }


def preset_rows() -> list[dict[str, Any]]:
    """Return the named curves as entries."""
    return [
        {
            "preset": name,
            "title": one.title,
            "x": one.x,
            "y": one.y,
            "needs": one.needs,
            "params": dict(one.params),
            "explanation": one.explanation,
        }
        for name, one in PRESETS.items()
    ]


def presets_text() -> str:
    """Return the table of the named curves."""
    rows = preset_rows()
    columns = {
        "preset": [row["preset"] for row in rows],
        "needs": ["--x COLUMN" if row["needs"] else "" for row in rows],
        "x": [row["x"] or "COLUMN" for row in rows],
        "y": [row["y"] for row in rows],
    }
    return _left(columns)


def _left(columns: Mapping[str, Sequence[str]]) -> str:
    """Return columns of text, all to the left."""
    widths = {name: max(len(name), *map(len, cells)) for name, cells in columns.items()}
    lines = [list(columns), *zip(*columns.values(), strict=True)]
    return "\n".join(
        "  ".join(c.ljust(w) for c, w in zip(line, widths.values(), strict=True)).rstrip()
        for line in lines
    )


# ------------------------------------------------------------------ a curve


def curve_text(curve: "Curve", data: "Predictions", bests: Bests, cases: "Cases | None") -> str:
    """Return formulas and settings, the lines, points of a single one, and what is read off."""
    blocks = [_formulas(curve, data), _lines(curve)]
    alone = [line for line in curve.lines if len(line)]
    if len(curve.lines) == 1 and alone:
        blocks.append(_points(curve, alone[0]))
    elif alone:
        hint = "Points are shown for one line at a time (--models, --folds, --target), all of them "
        blocks.append(paragraph(f"{hint}by --json and --out.", ""))
    blocks += [_best(bests)] if bests else []
    blocks += [*_cases(cases)] if cases is not None else []
    notes = [*_notes(curve, bests), *(() if cases is None else cases.notes)]
    if notes:
        blocks.append(
            "\n".join(paragraph(f"note: {typed(n, names=False)}", "") for n in dict.fromkeys(notes))
        )
    return "\n\n".join(blocks)


def cases_text(cases: "Cases") -> str:
    """Return the rows between two thresholds without a curve."""
    notes = "\n".join(paragraph(f"note: {typed(note, names=False)}", "") for note in cases.notes)
    return "\n\n".join([*_cases(cases), *([notes] if notes else [])])


def _formulas(curve: "Curve", data: "Predictions") -> str:
    """Return the title, both formulas as they can be copied, and how rows are met."""
    settings = curve.settings
    named = f" (preset {settings.preset})" if settings.preset else ""
    lines = [
        f"{printable(curve_title(settings))}{named}",
        f"  x: {printable(settings.x)}",
        f"  y: {printable(settings.y)}",
        paragraph(curve_description(curve, rating=rating_name(data))),
    ]
    return "\n".join(lines)


def _lines(curve: "Curve") -> str:
    """Return a row a line: rows, points, area."""
    lines = curve.lines[:LINES]
    columns: dict[str, list[str]] = {}
    for title, values in (
        ("model", [line.model for line in lines]),
        ("fold", [line.fold for line in lines]),
        ("class", [line.target for line in lines] if several_targets(curve.lines) else []),
    ):
        if any(value is not None for value in values):
            columns[title] = [value or "-" for value in values]
    columns |= {
        "rows": [f"{line.n:,}" for line in lines],
        "points": [f"{len(line):,}" for line in lines],
    }
    name = area_name(curve)
    if name is not None:
        shown = amount if name == AREA else number
        columns[name] = ["-" if line.area is None else shown(line.area) for line in lines]
        if any(line.area_range is not None for line in lines):
            columns[f"{100 * curve.settings.level:g} % interval"] = [_range(line) for line in lines]
    text = table(columns)
    left = len(curve.lines) - LINES
    return text if left <= 0 else f"{text}\n... and {counted(left, 'line')} more"


def _range(line: "Line") -> str:
    return "-" if line.area_range is None else " to ".join(map(amount, line.area_range))


def _points(curve: "Curve", line: "Line") -> str:
    """Return a few points along a line, or every category."""
    places = evenly_spread(len(line), CASES if curve.x_names else POINTS)
    shown = point_rows(curve, select_points(line, places))
    columns = {key: [_cell(row[key]) for row in shown] for key in shown[0]}
    for key in ("threshold", "x"):  # infinite where no row has been met yet
        if key == "threshold" or curve.settings.x.strip() == "threshold":
            columns[key] = [_cell(math.inf if row[key] is None else row[key]) for row in shown]
    if (line.threshold != line.threshold).all():  # averaging took them away
        del columns["threshold"]
    elif curve.settings.x.strip() == "threshold":
        del columns["x"]
    return table(columns)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else amount(value)


def _notes(curve: "Curve", bests: Bests) -> Iterator[str]:
    """Yield everything that the reader should know, once."""
    if curve.spread:
        yield curve.spread
    yield from curve.notes
    for line in curve.lines:
        if line.reason:
            who = line_name(curve, line)
            yield f"{who}: {line.reason}" if who else line.reason
    for reason, count in dropped_of(curve).items():
        yield f"{counted(count, 'point')} left out: {reason}"
    for best in bests.values():
        yield from best.notes


# ------------------------------------------------------------------ what is read off


def _best(bests: Bests) -> str:
    """Return the best threshold of every model: a sentence each, and a table."""
    best_points = list(bests.values())
    verdicts = [
        paragraph(f"{model}: {best.verdict}" if model is not None else best.verdict, "")
        for model, best in bests.items()
    ]
    columns = {"model": [str(model) for model in bests]} if None not in bests else {}
    columns |= {
        "best threshold": [amount(best.threshold) for best in best_points],
        "value": [amount(best.value) for best in best_points],
        "as good": [_intervals(best) for best in best_points],
        "honest value": [amount(best.honest_value) for best in best_points],
        "accepted": [amount(best.accepted) for best in best_points],
    }
    return "\n\n".join([*verdicts, table(columns)])


def _intervals(best: "BestThreshold") -> str:
    parts = [f"{amount(low)} to {amount(high)}" for low, high in best.plateau[:INTERVALS]]
    more = len(best.plateau) - INTERVALS
    return ", ".join(parts) + (f" and {more} more" if more > 0 else "") or "-"


def _cases(cases: "Cases") -> Iterator[str]:
    """Yield how many rows lie between two thresholds, how they differ, and the first of them."""
    if not cases.n:
        yield f"{capital(cases.reason or 'no rows')}."
        return
    shares = ", ".join(f"{amount(w)} {name}" for name, w in cases.inside.items())
    band = f"from {amount(cases.low)} to below {amount(cases.high)}"
    yield paragraph(f"{counted(cases.n, 'row')} with {cases.sort_by} {band}: {shares}.", "")
    if cases.differing:
        yield _differing(cases)
    rows = cases.cases[:CASES]
    names = list(rows[0])
    columns = {name: [_cell(row[name]) for row in rows] for name in names[:COLUMNS]}
    text = table(columns)
    left = [counted(cases.n - len(rows), "row")] if cases.n > len(rows) else []
    left += [counted(len(names) - COLUMNS, "column")] if len(names) > COLUMNS else []
    yield text + (f"\n... and {' and '.join(left)} more (--cases FILE.csv)" if left else "")


def _differing(cases: "Cases") -> str:
    rows = cases.differing[:DIFFERING]
    return table(
        {
            "attribute": [
                row["attribute"] + (f" = {row['value']}" if row["kind"] == "category" else "")
                for row in rows
            ],
            "inside": [_side(row, "inside") for row in rows],
            "outside": [_side(row, "outside") for row in rows],
            "effect": [number(row["effect"]) for row in rows],
            "adjusted p": [p_number(row["p_adjusted"]) for row in rows],
        }
    )


def _side(row: Mapping[str, Any], side: str) -> str:
    """Return the share of a category, or the mean of a number, inside or outside."""
    if row["date"]:
        return day_name(row[side])
    if row["kind"] != "category":
        return amount(row[side])
    return "-" if math.isnan(row[side]) else f"{100 * row[side]:.0f} %"


def difference_text(difference: "CurveDifference") -> str:
    """Return the formulas, the verdict, and the difference with its band along x."""
    settings = difference.settings
    first, second = difference.models
    head = [
        printable(f"{curve_title(settings)}: {second} minus {first}"),
        f"  x: {printable(settings.x)}",
        f"  y: {printable(settings.y)}",
    ]
    places = evenly_spread(len(difference.x), POINTS)
    columns = {
        "x": difference.x,
        "first": difference.y_first,
        "second": difference.y_second,
        "difference": difference.difference,
        "low": difference.low,
        "high": difference.high,
    }
    shown = {name: [amount(values[place]) for place in places] for name, values in columns.items()}
    notes = "\n".join(paragraph(f"note: {typed(n, names=False)}", "") for n in difference.notes)
    examples = counted(difference.n, "example")
    return "\n\n".join(
        ["\n".join(head), paragraph(f"{difference.verdict} ({examples})", ""), table(shown), notes]
    )
