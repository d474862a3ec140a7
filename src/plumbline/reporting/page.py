"""From what a report says to its page: pictures drawn, numbers written, template filled."""

import base64
import functools
import hashlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plumbline import formatting
from plumbline._result import NextStep, Presentation, own_and_shared
from plumbline.binning import EqualWidth
from plumbline.calibration_errors import CalibrationError
from plumbline.command_words import command_line, options_words, words_of
from plumbline.input_checks import Remark
from plumbline.metrics import METRICS, ModelScores
from plumbline.plots import comparison_figure, errors_figure, null_figure, reliability_figure
from plumbline.reporting import page_formats
from plumbline.reporting.contents import Chapter, Diagram, Report
from plumbline.reporting.curve_pictures import curve_pictures
from plumbline.reporting.decision_picture import DecisionPicture, decision_picture
from plumbline.reporting.detail_pictures import DetailPictures, detail_pictures
from plumbline.reporting.gallery import Gallery
from plumbline.reporting.limits import COUNTED_ROWS, NOT_GROUPED
from plumbline.reporting.model_details import sections as request_sections
from plumbline.reporting.recalibration_pictures import RecalibrationPictures, recalibration_pictures
from plumbline.reporting.said_once import said_in_sections

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

Picture = TypeVar("Picture")
UNNAMED = "the model"
DETAILS = ("normal", "summary", "full")
TEMPLATES = Path(__file__).parent / "templates"
# What a page may do, wherever it is opened: show itself, with the styles and pictures in it.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
MOST_CARDS, BEST_CARDS, MOST_ROWS = 6, 3, 12  # models of a summary: cards, or a table and fewer
VERDICT = re.compile(r"[:;(.]")  # what ends the first words of a verdict


@dataclass(frozen=True, slots=True)
class Drawn:
    """A diagram with its picture and what it is called on the page."""

    name: str
    diagram: Diagram
    picture: "Markup"


@dataclass(frozen=True, slots=True)
class ModelSection:
    """All that the page says of one model; the pictures of a summary are those of the card.

    Attributes
    ----------
    shown : the conclusion
    badge : the verdict in a few words; size : the error beside what is expected, empty without one
    step : the command of the next step
    bounds : of counted rows, how far each number can be off: name -> 0 if exact; "edges" tells
        whether only the edges of the bins are off; else empty
    card : the reliability diagram with the predictions per outcome; None without probabilities
    """

    name: str
    model: ModelScores
    chapter: Chapter
    error: CalibrationError | None
    shown: Presentation
    badge: str
    size: str
    step: str
    bounds: Mapping[str, float]
    card: "Markup | None" = None
    null: "Markup | None" = None
    drawn: Sequence[Drawn] = ()
    closer: DetailPictures | None = None
    decisions: DecisionPicture | None = None
    recalibration: RecalibrationPictures | None = None


def page(report: Report, *, command: str | None = None, detail: str = "normal") -> str:
    """Return the page as HTML text: its evidence folded, unfolded, or a summary without it."""
    from markupsafe import Markup

    gallery, whole = Gallery(), detail != "summary"
    parts = list(sections(report))
    ordered: list[ModelSection] = []
    if not whole and len(parts) > MOST_CARDS:
        ordered = sorted(parts, key=_main_score)
    carded = [part.name for part in ordered[:BEST_CARDS] or parts]
    parts = [_with_card(gallery, part) if part.name in carded else part for part in parts]
    if whole:
        parts = [_with_pictures(gallery, part) for part in parts]
    cards = [part for name in carded for part in parts if part.name == name]
    script = (TEMPLATES / "copy.js").read_text("utf-8")
    ranked = [part for part in parts if part.chapter.curves.curves]
    curves = {part.name: part.chapter.curves for part in parts if whole}
    own, shared = own_and_shared([one.name for one in cards], [one.shown.notes for one in cards])
    return (
        environment()
        .get_template("page.html")
        .render(
            report=report,
            title=report.title,
            version=report.settings["version"],
            file=report.file,
            check=report.check,
            settings=report.settings,
            detail=detail,
            unfolded=" open" if detail == "full" else "",
            script=Markup(script),
            policy=f"{POLICY}; script-src '{_hash_of(script)}'",
            parts=parts,
            several=len(parts) > 1,
            said=said_in_sections(parts) if whole else {},
            more_sections=request_sections([part.chapter.closer for part in parts]),
            cards=[*zip(cards, own, strict=True)],
            shared_notes=shared,
            ordered=ordered[:MOST_ROWS],
            main_score="Brier score" if _scored(parts[0], "brier_score") else "accuracy",
            overviews=list(_overviews(gallery, parts)) if whole else [],
            pictures=list(curve_pictures(gallery, curves)),
            forest=_forest(gallery, report) if whole else None,
            better=better(report),
            kept=None if report.gate is None else report.gate.present(),
            kept_picture=_rules_picture(gallery, report) if whole else None,
            counted_rows=COUNTED_ROWS if any(part.bounds for part in parts) else "",
            remarks=remarks(parts),
            ranked=ranked,
            decided=[part for part in ranked if part.chapter.curves.best],
            judged=[part for part in parts if part.model.test is not None],
            grouped=[part for part in parts if part.chapter.closer and part.chapter.closer.groups],
            not_grouped=NOT_GROUPED if NOT_GROUPED in report.limits else "",
            timed=[part for part in parts if part.chapter.closer and part.chapter.closer.over_time],
            recalibrations=[part for part in parts if part.chapter.recalibration is not None],
            command=command or command_of(report, detail=detail),
            call=_call(report, detail=detail),
        )
    )


def _hash_of(script: str) -> str:
    """Return what a policy calls the only script that may run."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


@functools.cache
def environment() -> "Environment":
    """Return what fills the templates of pages."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from plumbline.reporting.kept_templates import KeptTemplates

    # Not optimised: a kept template would hold what a filter of yesterday made of a constant.
    form: dict[str, Any] = {
        "autoescape": True,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "optimized": False,
    }
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        bytecode_cache=KeptTemplates(TEMPLATES / "__pycache__", repr(form)),
        **form,
    )
    templates.filters["largest"] = formatting.largest
    templates.filters["transposed"] = lambda columns: zip(*columns, strict=True)
    for name in ("percent", "count", "listed"):
        templates.filters[name] = getattr(page_formats, name)
    for name in (
        "counted",
        "capital",
        "intervals",
        "view_words",
        "bins_words",
        "error_name",
        "typeset",
    ):
        templates.filters[name] = getattr(formatting, name)
    for write in (formatting.number, formatting.p_number, formatting.amount, formatting.score):
        templates.filters[write.__name__] = functools.partial(_typeset, write)
    templates.filters["ends"] = lambda pair: map(formatting.typeset, formatting.ends(*pair))
    templates.filters["shell"] = _shell_word
    templates.filters["of_model"] = _of_model
    templates.globals["policy"] = POLICY
    templates.globals["score_names"] = formatting.SCORE_NAMES
    templates.globals["metric_named"] = METRICS
    templates.globals["dishonest"] = formatting.DISHONEST
    return templates


def _typeset(write: Callable[..., str], value: float | None, **params: float) -> str:
    return formatting.typeset(write(value, **params))


def sections(report: Report) -> Iterator[ModelSection]:
    """Yield what the page says of each model, without pictures."""
    for chapter in report.chapters:
        model, shown = chapter.scores, chapter.present()
        badge = VERDICT.split(shown.summary, maxsplit=1)[0].strip() if model.test else "Not tested"
        error = model.calibration[0] if model.calibration else None
        step = (
            ""
            if shown.next_step is None
            else step_command(shown.next_step, model.model, file=report.file)
        )
        name, bounds = model.model or UNNAMED, _bounds(report, chapter)
        size = "" if error is None or not error.resamples else _size(error)
        yield ModelSection(name, model, chapter, error, shown, badge, size, step, bounds)


def _size(error: CalibrationError) -> str:
    """Return how large a fault is, in the words of a badge: a verdict alone has no size."""
    value, expected = map(formatting.number, (error.value, error.null_mean))
    return f"ECE {value}, expected {expected}"


BOUNDED = ("log_loss", "brier_score", "accuracy", "roc_auc", "average_precision", "threshold")


def _bounds(report: Report, chapter: Chapter) -> dict[str, float]:
    """Return how far the numbers of counted rows can be off, by name; nothing of other rows.

    Bins whose rows are not known to be those between the edges asked for are exact between edges
    that lie off by a level.
    """
    errors, measured = chapter.counting, chapter.scores.calibration
    if errors is None:
        return {}
    known = measured and measured[0].view == f"one-vs-rest:{report.check.positive}"
    same = report.settings["bins"] == str(EqualWidth(errors.bins))
    ece = {"ece": errors.ece} if known and same else {"edges": errors.threshold}
    infinite = {row.name: 0.0 for row in chapter.scores.scores if math.isinf(row.value)}
    return {name: getattr(errors, name) for name in BOUNDED} | ece | infinite


def _scored(part: ModelSection, name: str) -> Sequence[float]:
    """Return the value of a score, none where the model does not have it."""
    return [row.value for row in part.model.scores if row.name == name]


def _main_score(part: ModelSection) -> float:
    """Return what models are sorted by: the Brier score, of labels alone the error rate."""
    brier = _scored(part, "brier_score")
    accuracy = _scored(part, "accuracy")
    return brier[0] if brier else 1 - accuracy[0] if accuracy else 0.0


def _shell_word(text: str) -> str:
    """Return one word of a command line."""
    return command_line([text])


def _of_model(file: str, model: str) -> str:
    """Return how to read a file, of its models one alone.

    >>> _of_model("my.csv --models tree --models 'a,b' --folds 0", "naive Bayes")
    "my.csv --folds 0 --models 'naive Bayes'"
    """
    words = words_of(file)
    while "--models" in words:
        place = words.index("--models")
        del words[place : place + 2]
    return command_line([*words, "--models", model])


def step_command(step: NextStep, model: str | None, *, file: str = "FILE") -> str:
    """Return the command line of a next step.

    >>> step = NextStep("recalibrate", "", per_model=True)
    >>> step_command(step, "naive Bayes", file="my.csv --models tree,bayes")
    "plumbline recalibrate my.csv --models 'naive Bayes'"
    """
    words = words_of(_of_model(file, model) if step.per_model and model is not None else file)
    return command_line(["plumbline", step.request, *words, *options_words(step.values)])


def better(report: Report) -> Sequence[str]:
    """Return which model is better, a sentence a pair, significant ones first, or why not."""
    if report.rivals is None:
        return ()
    comparison = report.rivals.comparison
    if comparison is None:
        return report.rivals.present().notes
    pairs = sorted(comparison.pairs, key=lambda pair: pair.better is None)
    return [pair.present().summary for pair in pairs]


def _with_card(gallery: Gallery, part: ModelSection) -> ModelSection:
    """Return the section with the diagram of its card."""
    if not part.chapter.diagrams:
        return part
    diagram = part.chapter.diagrams[0]
    label = f"Reliability diagram and predictions per outcome of {part.name}. {part.shown.summary}"
    figure = reliability_figure(diagram.curve, title=False, legend=False, outcomes=True)
    rows = diagram.curve.rows()
    title = f"Reliability diagram, {part.name}"
    return replace(part, card=gallery.draw(figure, label, title=title, rows=rows))


def _with_pictures(gallery: Gallery, part: ModelSection) -> ModelSection:
    """Return the section with the pictures of its evidence."""
    chapter, name = part.chapter, part.name
    tall = len(chapter.diagrams) == 1  # beside its one diagram the null has room

    def drawn(draw: Callable[..., Picture], result: Any, **params: bool) -> Picture | None:
        return None if result is None else draw(gallery, name, result, **params)

    return replace(
        part,
        null=drawn(_null, part.error, tall=tall),
        drawn=tuple(_drawn(gallery, name, diagram) for diagram in chapter.diagrams),
        closer=drawn(detail_pictures, chapter.closer),
        decisions=drawn(decision_picture, chapter.decisions),
        recalibration=drawn(recalibration_pictures, chapter.recalibration),
    )


def _null(gallery: Gallery, name: str, error: CalibrationError, *, tall: bool) -> "Markup":
    low, high = map(formatting.printed, error.null_range)
    label = (
        f"Histogram for {name}: the error if calibrated, 95 % of it from {low} to "
        f"{high}; observed {formatting.printed(error.value)}"
    )
    figure = null_figure(error, title=False, tall=tall)
    return gallery.draw(figure, label, title=f"Expected error, {name}", rows=error.rows())


def _drawn(gallery: Gallery, name: str, diagram: Diagram) -> Drawn:
    _, _, target = diagram.view.partition(":")
    title = f"Class {target}" if target else "Top label"
    words = formatting.view_words(diagram.view)
    label = (
        f"Reliability diagram of {name}, {words}: {len(diagram.curve.bins)} bins, error "
        f"{formatting.printed(diagram.error.value)}; the table below it holds the same numbers"
    )
    figure = reliability_figure(diagram.curve, title=False, legend=False)
    rows = diagram.curve.rows()
    picture = gallery.draw(figure, label, title=f"Reliability of {title}, {name}", rows=rows)
    return Drawn(title, diagram, picture)


def _forest(gallery: Gallery, report: Report) -> "Markup | None":
    """Draw the differences of the models, where there are several that can be compared."""
    comparison = None if report.rivals is None else report.rivals.comparison
    if comparison is None:
        return None
    label = " ".join(pair.verdict for pair in comparison.pairs)
    figure = comparison_figure(comparison.pairs, level=comparison.level)
    rows = comparison.rows()
    return gallery.draw(figure, label, title="Differences of the models", rows=rows)


def _rules_picture(gallery: Gallery, report: Report) -> "Markup | None":
    """Draw each rule beside what is asked, where rules were given."""
    gate = report.gate
    if gate is None:
        return None
    figure = gate.figure()
    return gallery.draw(figure, f"Rules. {gate.summary}", title="Rules", rows=list(gate.rows()))


def _overviews(gallery: Gallery, parts: Sequence[ModelSection]) -> Iterator[tuple[str, "Markup"]]:
    """Yield the name and the picture of every view: all models' errors, one below the other."""
    errors = [part.model.calibration for part in parts]
    for of_view in zip(*errors, strict=True) if all(errors) else ():
        view = formatting.capital(formatting.view_words(of_view[0].view))
        named = {part.name: error for part, error in zip(parts, of_view, strict=True)}
        label = "; ".join(f"{name}: {formatting.printed(e.value)}" for name, e in named.items())
        rows = [{"model": name, **error.rows()[0]} for name, error in named.items()]
        label = f"Calibration errors, {view}: {label}"
        yield view, gallery.draw(errors_figure(named), label, title=f"Errors, {view}", rows=rows)


def remarks(parts: Sequence[ModelSection]) -> list[tuple[Remark, str]]:
    """Return every remark once, with the models it is about; "" where it is about all."""
    about: dict[tuple[str, str, str], list[str]] = {}
    for part in parts:
        for remark in part.chapter.remarks:
            about.setdefault((remark.code, remark.subject, remark.text), []).append(part.name)
    return [
        (Remark(*remark), "" if len(names) == len(parts) else ", ".join(names))
        for remark, names in about.items()
    ]


def command_of(report: Report, *, detail: str = "normal") -> str:
    """Return a command line that asks the same of a file; reading options are the reader's."""
    params = report.settings
    out = Path(report.path).name
    words: list[Any] = ["plumbline", "report", *words_of(report.file), "--out", out]
    for name in ("view", "bins", "distance", "resamples", "recalibrate", "sites", "seed"):
        if _used(report) and params[name] is not None:
            words += [f"--{name}", params[name]]
    words += [] if params["rules"] is None else ["--rules", params["rules"]]
    return command_line(words if detail == "normal" else [*words, f"--{detail}"])


def _used(report: Report) -> bool:
    """Whether there were probabilities to ask the question of."""
    return any(model.test is not None for model in report.evaluation.models)


def _call(report: Report, *, detail: str) -> str:
    params = report.settings
    names = ("view", "bins", "distance", "resamples", "recalibrate", "sites")
    named = {name: params[name] for name in names} | {"rng": params["seed"]}
    used = {key: value for key, value in named.items() if _used(report) and value is not None}
    used |= {} if params["rules"] is None else {"rules": params["rules"]}
    used |= {} if detail == "normal" else {"detail": detail}
    rest = "".join(f", {key}={value!r}" for key, value in used.items())
    return f"plumbline.report(data, {Path(report.path).name!r}{rest})"
