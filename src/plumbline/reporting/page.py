"""From what a report says to its page: pictures drawn, numbers written, template filled."""

import functools
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plumbline import formatting
from plumbline.calibration_tests import CalibrationError
from plumbline.input_checks import Remark
from plumbline.metrics import METRICS, ModelScores
from plumbline.plots import errors_figure, null_figure, reliability_figure
from plumbline.plots.comparison import comparison_figure
from plumbline.reporting import page_formats
from plumbline.reporting.contents import Chapter, Diagram, Report, is_off
from plumbline.reporting.curve_pictures import curve_pictures
from plumbline.reporting.decision_picture import DecisionPicture, decision_picture
from plumbline.reporting.detail_pictures import DetailPictures, detail_pictures
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.recalibration_pictures import RecalibrationPictures, recalibration_pictures

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

UNNAMED = "the model"
# What a page may do, wherever it is opened: show itself, with the styles and pictures in it.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A diagram with its picture and what it is called on the page."""

    name: str
    diagram: Diagram
    picture: "Markup"


@dataclass(frozen=True, slots=True)
class ModelSection:
    """All that the page says of one model."""

    name: str
    model: ModelScores
    chapter: Chapter
    error: CalibrationError | None
    ruling: str
    off: bool
    null: "Markup | None"
    drawn: Sequence[Drawn]
    closer: DetailPictures | None
    decisions: DecisionPicture | None
    recalibration: RecalibrationPictures | None


def page(report: Report, *, command: str | None = None) -> str:
    """Return the page as HTML text."""
    gallery = Gallery()
    parts = [
        _part(gallery, model, chapter)
        for model, chapter in zip(report.evaluation.models, report.chapters, strict=True)
    ]
    template = environment().get_template("page.html")
    return template.render(
        report=report,
        check=report.check,
        settings=report.settings,
        parts=parts,
        overviews=list(_overviews(gallery, parts)),
        pictures=list(curve_pictures(gallery, {p.name: p.chapter.curves for p in parts})),
        forest=_forest(gallery, report),
        remarks=_remarks(parts),
        ranked=[part for part in parts if part.chapter.curves.curves],
        judged=[part for part in parts if part.model.test is not None],
        recalibrations=[part for part in parts if part.recalibration is not None],
        command=command or _command(report),
        call=_call(report),
    )


@functools.cache
def environment() -> "Environment":
    """Return what fills the templates of pages."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("percent", "count", "listed"):
        templates.filters[name] = getattr(page_formats, name)
    for name in ("counted", "capital", "intervals"):
        templates.filters[name] = getattr(formatting, name)
    for write in (formatting.number, formatting.p_number, formatting.amount, formatting.score):
        templates.filters[write.__name__] = functools.partial(_typeset, write)
    templates.globals["policy"] = POLICY
    templates.globals["score_names"] = formatting.SCORE_NAMES
    templates.globals["metric_named"] = METRICS
    templates.globals["dishonest"] = formatting.DISHONEST
    return templates


def _typeset(write: Callable[[float | None], str], value: float | None) -> str:
    return formatting.typeset(write(value))


def _part(gallery: Gallery, model: ModelScores, chapter: Chapter) -> ModelSection:
    name = model.model or UNNAMED
    ruling = model.test.verdict.partition(":")[0] if model.test else ""
    off = model.test is not None and is_off(model.test)
    tall = len(chapter.diagrams) == 1  # beside its one diagram the null has room
    error = model.calibration[0] if model.calibration else None
    null = None if error is None else _null(gallery, name, error, tall=tall)
    drawn = tuple(_drawn(gallery, name, diagram) for diagram in chapter.diagrams)
    details = chapter.closer
    closer = None if details is None else detail_pictures(gallery, name, details)
    decisions = chapter.decisions
    answers = None if decisions is None else decision_picture(gallery, name, decisions)
    recalibration_part = chapter.recalibration
    recalibration = (
        None
        if recalibration_part is None
        else recalibration_pictures(gallery, name, recalibration_part)
    )
    return ModelSection(
        name, model, chapter, error, ruling, off, null, drawn, closer, answers, recalibration
    )


def _null(gallery: Gallery, name: str, error: CalibrationError, *, tall: bool) -> "Markup":
    low, high = map(formatting.printed, error.null_range)
    label = (
        f"Histogram for {name}: the error under true probabilities, 95 % of it from {low} to "
        f"{high}; observed {formatting.printed(error.value)}"
    )
    return gallery.draw(null_figure(error, title=False, tall=tall), label)


def _drawn(gallery: Gallery, name: str, diagram: Diagram) -> Drawn:
    kind, _, target = diagram.view.partition(":")
    title = f"Class {target}" if target else "Top label"
    label = (
        f"Reliability diagram of {name}, {kind} {target}: {len(diagram.curve.bins)} bins, error "
        f"{formatting.printed(diagram.error.value)}; the table below it holds the same numbers"
    )
    figure = reliability_figure(diagram.curve, title=False, legend=False)
    return Drawn(title, diagram, gallery.draw(figure, label))


def _forest(gallery: Gallery, report: Report) -> "Markup | None":
    """Draw the differences of the models, where there are several that can be compared."""
    comparison = None if report.rivals is None else report.rivals.comparison
    if comparison is None:
        return None
    label = " ".join(pair.verdict for pair in comparison.pairs)
    return gallery.draw(comparison_figure(comparison.pairs, level=comparison.level), label)


def _overviews(gallery: Gallery, parts: Sequence[ModelSection]) -> Iterator[tuple[str, "Markup"]]:
    """Yield the name and the picture of every view: all models' errors, one below the other."""
    errors = [part.model.calibration for part in parts]
    for of_view in zip(*errors, strict=True) if all(errors) else ():
        view = of_view[0].view
        named = {part.name: error for part, error in zip(parts, of_view, strict=True)}
        label = "; ".join(f"{name}: {formatting.printed(e.value)}" for name, e in named.items())
        yield view, gallery.draw(errors_figure(named), f"Calibration errors, {view}: {label}")


def _remarks(parts: Sequence[ModelSection]) -> list[tuple[Remark, str]]:
    """Return every remark once, with the models it is about; "" where it is about all."""
    about: dict[tuple[str, str, str], list[str]] = {}
    for part in parts:
        for remark in part.chapter.remarks:
            about.setdefault((remark.code, remark.subject, remark.text), []).append(part.name)
    return [
        (Remark(*remark), "" if len(names) == len(parts) else ", ".join(names))
        for remark, names in about.items()
    ]


def _command(report: Report) -> str:
    """Return a command line that asks the same of a file; reading options are the reader's."""
    params = report.settings
    formatting: list[Any] = ["plumbline", "report", "FILE", "--out", Path(report.path).name]
    for name in ("view", "bins", "distance", "resamples", "recalibrate", "seed"):
        if _used(report) and params[name] is not None:
            formatting += [f"--{name}", params[name]]
    return shlex.join(map(str, formatting))


def _used(report: Report) -> bool:
    """Whether there were probabilities to ask the question of."""
    return any(model.test is not None for model in report.evaluation.models)


def _call(report: Report) -> str:
    params = report.settings
    names = ("view", "bins", "distance", "resamples", "recalibrate")
    named = {name: params[name] for name in names} | {"rng": params["seed"]}
    used = {key: value for key, value in named.items() if _used(report) and value is not None}
    rest = "".join(f", {key}={value!r}" for key, value in used.items())
    return f"plumbline.report(data, {Path(report.path).name!r}{rest})"
