"""The page of one curve: picture, formulas, how to read it, points, card, how to make it again."""

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.command_words import command_line, file_word, options_words
from plumbline.curves import (
    BestThreshold,
    Cases,
    Curve,
    Line,
    curve_spec,
    line_name,
    preset_of,
    rows_drawn,
    unused_settings,
)
from plumbline.curves.class_counts import day_name
from plumbline.curves.lines import MORE, curve_title, evenly_spread, named
from plumbline.plots import curve_figure
from plumbline.predictions import Predictions, count_examples
from plumbline.reporting.curve_again import curve_call, curve_command
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.page import UNNAMED, environment

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_POINTS = 200  # of a line that the page shows; the CSV and the card have all
LINES_SHOWN = 12  # lines whose points the page shows
CASES_SHOWN, CASE_COLUMNS = 20, 40  # rows of a band and their columns that the page shows
COLUMNS = {
    "threshold": "Threshold",
    "x": "x",
    "y": "y",
    "x_sd": "SD of x",
    "y_sd": "SD of y",
    "y_low": "Lower",
    "y_high": "Upper",
    "count": "Rows",
}


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line as the page shows it: whose it is, its numbers, some of its points."""

    name: str
    line: Line
    area: float | None
    head: Sequence[str]
    points: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class ShownCases:
    """The rows behind a stretch of the curve: the first of them, and how many more there are."""

    cases: Cases
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    rows_left: int
    columns_left: int


@dataclass(frozen=True, slots=True)
class Again:
    """How the curve is made once more."""

    command: str
    call: str
    card: str
    card_link: str
    card_name: str
    card_command: str


def curve_page(
    curve: Curve,
    data: Predictions,
    *,
    bests: Mapping[str | None, BestThreshold],
    cases: Cases | None,
    command: str | None,
    name: str,
    file: str = "FILE",
    read: Mapping[str, Any] | None = None,
    marks: Mapping[str, Any] | None = None,
) -> str:
    """Return the page of a curve as HTML text; `name` is that of its file without the ending.

    `file` is what was read, and `read` how, by the arguments of `plumbline.read`. `marks` are
    further arguments of `curve_figure`: what else the picture shows.
    """
    template = environment().get_template("curve.html")
    card = curve_spec(curve, data)
    examples = count_examples(data)
    preset = preset_of(curve.settings)
    return template.render(
        title=curve_title(curve.settings),
        curve=curve,
        data=data,
        version=card["plumbline"],
        preset=preset,
        picture=_picture(Gallery(), curve, bests, cases, marks or {}),
        how=curve.description,
        area=curve.area_name,
        lines=[_shown(curve, line, data) for line in curve.lines],
        lines_shown=LINES_SHOWN,
        notes=[note for note in curve.present().notes if note.code not in ("band", "no-points")],
        bests=[(model or UNNAMED, best) for model, best in bests.items()],
        cases=None if cases is None else _shown_cases(cases),
        day_name=day_name,
        examples=examples,
        drawn=min(examples.n, rows_drawn(curve)),
        again=_again(
            curve_call(curve.settings, unused=unused_settings(data, curve.settings)),
            card,
            command or _command(curve, data, bests, cases, name, file, read),
            name,
            ["plumbline", "curve", file_word(file), *options_words(read or {})],
        ),
    )


def _picture(
    gallery: Gallery,
    curve: Curve,
    bests: Mapping[str | None, BestThreshold],
    cases: Cases | None,
    marks: Mapping[str, Any],
) -> "Markup":
    best = only_best(curve, bests)
    figure = curve_figure(curve, best=best, cases=cases, title=False, notes=False, **marks)
    points = sum(map(len, curve.lines))
    label = (
        f"{curve_title(curve.settings)}: {formatting.counted(points, 'point')} in "
        f"{formatting.counted(len(curve.lines), 'line')}; the tables below hold the numbers"
    )
    return gallery.draw(figure, label)


def _shown(curve: Curve, line: Line, data: Predictions) -> ShownLine:
    columns = [
        n for n in ("threshold", "x", "y", *MORE) if n in ("threshold", "x", "y", *line.more)
    ]
    places = evenly_spread(len(line), MOST_POINTS)
    values = [_column(curve, line, column, places) for column in columns]
    head = [
        "Folds"
        if column == "count"
        and data.fold is not None
        and curve.settings.average in ("vertical", "threshold")
        else COLUMNS[column]
        for column in columns
    ]
    name = line_name(curve, line) or UNNAMED
    return ShownLine(name, line, line.area, head, list(zip(*values, strict=True)))


def _column(curve: Curve, line: Line, name: str, places: Any) -> Any:
    """Return one column of some of a line's points, categories by name."""
    values = line.more[name] if name in line.more else getattr(line, name)
    names = {"x": curve.x_names, "threshold": curve.threshold_names}.get(name, ())
    return named(values[places], names)


def only_best(curve: Curve, bests: Mapping[str | None, BestThreshold]) -> BestThreshold | None:
    """Return the best threshold to mark in a picture: that of its only line."""
    return bests.get(curve.lines[0].model) if len(curve.lines) == 1 else None


def _shown_cases(cases: Cases) -> ShownCases:
    rows = cases.cases[:CASES_SHOWN]
    head = list(rows[0]) if rows else []
    shown = [[row[name] for name in head[:CASE_COLUMNS]] for row in rows]
    left = max(0, len(head) - CASE_COLUMNS)
    return ShownCases(cases, head[:CASE_COLUMNS], shown, cases.n - len(rows), left)


def _command(
    curve: Curve,
    data: Predictions,
    bests: Mapping[str | None, BestThreshold],
    cases: Cases | None,
    name: str,
    file: str,
    read: Mapping[str, Any] | None,
) -> str:
    """Return the command line that makes a page of the same."""
    more: dict[str, Any] = {}
    for one in [*bests.values()][:1]:
        more |= {"optimum": one.goal, "subject_to": one.subject_to}
    if cases is not None:
        ends = [f"{end!r}" if math.isfinite(end) else "" for end in (cases.low, cases.high)]
        more["between"] = ":".join(ends)
    more["out"] = f"{name}.html"
    unused = unused_settings(data, curve.settings, optimum=bool(bests))
    return curve_command(curve.settings, file=file, read=read, unused=unused, more=more)


def _again(
    call: str, card: Mapping[str, Any], command: str, name: str, start: Sequence[str]
) -> Again:
    text = json.dumps(card, indent=1, allow_nan=False)
    link = base64.b64encode(text.encode()).decode("ascii")
    file = f"{name}.curve.json"
    from_card = command_line([*start, "--card", file])
    return Again(
        command,
        call,
        text,
        f"data:application/json;base64,{link}",
        file,
        from_card,
    )
