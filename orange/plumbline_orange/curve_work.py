"""What the widget Classification Curve computes in the background, and what it says of it."""

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import plumbline as pb
from plumbline.curves import (
    Line,
    best_thresholds,
    counts_of_lines,
    read_curve,
    settings_without_effect,
    usual_goal,
)
from plumbline.results import BestThreshold, Curve, CurveDifference, CurveReading
from plumbline_orange.base import message_of

Progress = Callable[[int, int], None]
ROC = ("FPR", "TPR")
OF_FOLDS = ("average", "thresholds", "band")  # which differences have not
NO_DIFFERENCE = "no difference"


@dataclass(frozen=True)
class Wanted:
    """What to draw.

    Attributes
    ----------
    models, folds : names of those chosen; None for all
    settings : arguments of `plumbline.curve`
    hull : whether the convex hull of ROC lines is wanted
    optimum : arguments of `plumbline.best_threshold`; None where no optimum is wanted. A missing
        `goal` or `y` is the usual one of the curve.
    difference : whether the difference of two models is wanted in place of their curves
    """

    models: tuple[str, ...] | None
    folds: tuple[str, ...] | None
    settings: Mapping[str, Any]
    hull: bool = False
    optimum: Mapping[str, Any] | None = None
    difference: bool = False


@dataclass
class Drawn:
    """What was drawn.

    Attributes
    ----------
    data : the chosen rows; of_model : those of each model; curve : their curve
    shown : the curve that the chart shows: `curve`, or the difference of two models as one
    counts : the sorted rows of every line, which readings take
    hulls : convex hulls of the lines
    optima : model -> best threshold
    difference : of two models
    refused : what could not be computed beside the curve
    unused : settings that change nothing of what is shown
    """

    data: pb.Predictions
    of_model: Mapping[str | None, pb.Predictions]
    curve: Curve
    shown: Curve
    counts: Sequence[Any]
    hulls: Sequence[Line] = ()
    optima: Mapping[str | None, BestThreshold] = field(default_factory=dict)
    difference: CurveDifference | None = None
    refused: Sequence[str] = ()
    unused: frozenset[str] = frozenset()

    def reading(self, threshold: float | None) -> CurveReading:
        """Return the values of the curve at a threshold."""
        return read_curve(self.curve, self.counts, threshold=threshold)

    @property
    def best(self) -> list[BestThreshold] | None:
        """The best threshold of every line shown; None where lines have none of their own."""
        models = [line.model for line in self.shown.lines]
        if (
            not self.optima
            or self.difference is not None
            or sorted(map(str, models)) != sorted(map(str, self.optima))
        ):
            return None
        return [self.optima[model] for model in models]


def draw(data: pb.Predictions, wanted: Wanted, progress: Progress) -> Drawn:
    """Compute a curve and what is wanted beside it."""
    if wanted.models is not None or wanted.folds is not None:
        data = data.select(
            model=None if wanted.models is None else list(wanted.models),
            fold=None if wanted.folds is None else list(wanted.folds),
        )
    curve = pb.curve(data, **_used(data, wanted.settings), progress=progress)
    counts = counts_of_lines(data, curve.settings)
    drawn = Drawn(data, data.by_model(), curve, curve, counts)
    drawn.unused = _unused(data, wanted.settings, optimum=wanted.optimum is not None)
    refused = []
    if wanted.hull and (curve.settings.x, curve.settings.y) == ROC:
        drawn.hulls = [pb.convex_hull(line) for line in curve.lines if len(line)]
    if wanted.optimum is not None:
        try:
            drawn.optima = _optima(drawn, wanted.optimum, progress)
        except pb.PlumblineError as error:
            refused.append(f"Optimum: {message_of(error)}")
    if wanted.difference:
        try:
            own = _of_difference(wanted.settings)
            drawn.difference = pb.curve_difference(
                data, **_used(data, own, difference=True), progress=progress
            )
            drawn.shown = _as_curve(drawn.difference)
            drawn.unused &= _unused(data, own, difference=True)
        except pb.PlumblineError as error:
            refused.append(f"Difference: {message_of(error)}")
    drawn.refused = refused
    drawn.shown.drawing()  # the first time compiles, for which the chart need not wait
    return drawn


def _optima(
    drawn: Drawn, asked: Mapping[str, Any], progress: Progress
) -> Mapping[str | None, BestThreshold]:
    settings = drawn.curve.settings
    usual = usual_goal(settings.y, settings.preset)
    own = {name: asked[name] for name in ("y", "level", "resamples") if asked.get(name)}
    return best_thresholds(
        drawn.data,
        replace(settings, **{"y": usual.measure or settings.y, **own}),
        goal=asked.get("goal") or usual.goal,
        subject_to=asked.get("subject_to") or None,
        progress=progress,
    )


def _of_difference(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings that a difference has."""
    values = {name: value for name, value in settings.items() if name not in OF_FOLDS}
    return values | ({"average": "smooth"} if settings["average"] == "smooth" else {})


def _unused(data: pb.Predictions, given: Mapping[str, Any], **what: bool) -> frozenset[str]:
    """Return the settings that change nothing of a curve, its best threshold or a difference."""
    return frozenset(settings_without_effect(data, given, **what))


def _used(data: pb.Predictions, given: Mapping[str, Any], **what: bool) -> Mapping[str, Any]:
    """Return the settings that the library draws: the others it refuses, here they are greyed."""
    unused = _unused(data, given, **what)
    return {name: value for name, value in given.items() if name not in unused}


def _as_curve(difference: CurveDifference) -> Curve:
    """Return a difference with its simultaneous band as a curve of one line."""
    first, second = difference.models
    nothing = difference.x * float("nan")
    line = Line(
        threshold=nothing,
        x=difference.x,
        y=difference.difference,
        more={"y_low": difference.low, "y_high": difference.high},
        model=f"{second} minus {first}",
        n=difference.n,
    )
    ends, level = difference.x[[0, -1]], difference.x[[0, -1]] * 0
    none = Line(threshold=level * float("nan"), x=ends, y=level, model=NO_DIFFERENCE)
    title = f"{difference.y_title}: {second} minus {first}"
    settings = replace(difference.settings, preset=None, y=title)  # drawn as no preset's y
    return Curve(settings, difference.x_title, title, [line, none], notes=difference.notes)


# ------------------------------------------------------------------ outputs


def chosen_rows(drawn: Drawn, low: float, high: float) -> pb.Predictions | None:
    """Return the rows of the first model with low <= sort value < high; None without any."""
    settings, rows = drawn.curve.settings, next(iter(drawn.of_model.values()))
    plain = settings.sort_by in (None, "probability")
    asked = replace(rows, attributes={}) if plain else rows  # no need to compare attributes
    cases = pb.cases_between(
        asked, low=low, high=high, sort_by=settings.sort_by, target=settings.target, most=0
    )
    return cases.select(rows) if cases.n else None


def score_rows(drawn: Drawn, threshold: float | None) -> list[dict[str, Any]]:
    """Return a row for each line: its rows, its area, its values at the threshold, its optimum."""
    curve, name = drawn.curve, drawn.curve.area_name or "area"
    read = [] if threshold is None else drawn.reading(threshold).lines
    rows = []
    for place, line in enumerate(curve.lines):
        low, high = line.area_range or (None, None)
        row = {
            "model": line.model or "model",
            **({"fold": line.fold} if line.fold is not None else {}),
            "class": line.target or curve.settings.target,
            "rows": line.n,
            "points": len(line),
            name: line.area,
            f"{name} low": low,
            f"{name} high": high,
        }
        if read:
            at = {"threshold": threshold, "x": read[place].x, "y": read[place].y}
            row |= at | {key: read[place].counts.get(key) for key in ("TP", "FP", "TN", "FN")}
        if drawn.best is not None:
            row |= _optimum_columns(drawn.best[place])
        rows.append(row)
    return rows


def _optimum_columns(best: BestThreshold) -> dict[str, Any]:
    return {
        "best threshold": best.threshold,
        "best value": best.value,
        "cross-validated value": best.honest_value,
        "plateau low": min((low for low, _ in best.plateau), default=None),
        "plateau high": max((high for _, high in best.plateau), default=None),
    }


# ------------------------------------------------------------------ texts


def text_of(drawn: Drawn, threshold: float | None) -> str:
    """Return as HTML the reading at the threshold, the optimum, the difference and the areas."""
    return "".join(_texts(drawn, threshold))


def _texts(drawn: Drawn, threshold: float | None) -> Iterator[str]:
    if drawn.difference is not None:
        yield _paragraph(f"<b>{html.escape(drawn.difference.present().summary)}</b>")
    for model, best in drawn.optima.items():
        who = f"{model}: " if model is not None and len(drawn.optima) > 1 else ""
        yield _paragraph(f"<b>{html.escape(who + best.present().summary)}</b>")
    if threshold is not None:
        reading = drawn.reading(threshold).present()
        head = reading.summary or f"{reading.subject.capitalize()}:"
        yield _paragraph(html.escape(head))
        yield from (table.html() for table in reading.tables)
        yield from (_paragraph(html.escape(note)) for note in reading.notes)
    shown = drawn.curve.present()
    yield shown.tables[0].html()
    yield from (_paragraph(html.escape(note)) for note in shown.notes)


def _paragraph(text: str) -> str:
    return f"<p>{text}</p>"
