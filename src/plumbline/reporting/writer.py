"""From predictions to the file: measure, draw, write."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plumbline._checks import need_extra, one_of, whole_number
from plumbline._distribution import installed_version
from plumbline.atomic_files import write_whole
from plumbline.binning import BinsLike, binning_of
from plumbline.file_endings import REPORT_ENDINGS, need_ending
from plumbline.formatting import DISHONEST
from plumbline.frames.precision import counting_sentence
from plumbline.gate import Gate, check
from plumbline.input_checks import check_input
from plumbline.nulls import LEAST_DRAWS
from plumbline.predictions import Predictions, count_examples
from plumbline.progress import STEPS, Progress, share_of
from plumbline.random_streams import Seed, seed_of
from plumbline.reporting.contents import (
    Chapter,
    Evaluation,
    Report,
    ReportParams,
    chapters,
    evaluate,
)
from plumbline.reporting.limits import counted_p_values, limits
from plumbline.reporting.model_comparison import rivals
from plumbline.reporting.recalibration_chapter import RecalibrateParam, checked_recalibrate

TITLE = "Are the probabilities calibrated?"


def report(
    data: Predictions,
    path: str | Path = "report.html",
    *,
    title: str | None = None,
    command: str | None = None,
    file: str = "FILE",
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str = "absolute",
    resamples: int = 999,
    recalibrate: RecalibrateParam = None,
    rules: Any = None,
    sites: str | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    detail: str = "normal",
    progress: Progress | None = None,
) -> Report:
    """Write one page with verdicts, scores, calibration and diagrams of every model.

    The page needs no network and no other file. As HTML it is the same, byte for byte, for the same
    data, arguments and seed. A table without probabilities gets what its columns allow.

    Parameters
    ----------
    data : Predictions
        Rows of one or several models.
    path : str or Path, default "report.html"
        Where the page goes: .html or .htm, .pdf (with Chromium, Chrome or WeasyPrint), or .md for
        a summary in Markdown.
    title : str, optional
        Heading of the page; by default it is made from the name of the file.
    command : str, optional
        Command line that the page shows as the one that makes it again.
    file : str, default "FILE"
        The predictions in the commands that the page shows: the name of the file, quoted for a
        shell, and the options that read it.
    view : str, optional
        Which class or label is looked at, as in `calibration_error`.
    bins : int, str or Binning, optional
        Bins of the calibration errors, as in `calibration_error`.
    distance : str, default "absolute"
        Distance of the calibration errors: "absolute", "square" or "log".
    resamples : int, default 999
        Draws of the labels for nulls and p-values; at least 1.
    recalibrate : str or RecalibrationEffect, optional
        "auto" tries all methods that suit the rows, "none" none, a method's name that one; a
        result of `recalibration_effect` is shown as it is. By default all are tried where that
        takes seconds.
    rules : str, Path, mapping or sequence of mappings, optional
        Rules on the numbers, as in `check`: the page then says which of them are kept.
    sites : str, optional
        The attribute whose values are sites: the page has a section on how much they differ
        (`calibration_heterogeneity`).
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Number of processes; by default as many as are worth it.
    detail : {"normal", "summary", "full"}, default "normal"
        Whether the evidence is folded, left out (one page), or unfolded.
    progress : callable, optional
        Called with (steps done, steps in all).

    Returns
    -------
    Report
        The numbers of the page.

    Raises
    ------
    MissingExtraError
        Without the extra `report`, or what prints a PDF; it names the command that installs it.
    InputError
        Where the folder of `path` does not exist; an older file of that name is untouched.
    ParameterError
        For an argument outside its rule.

    Examples
    --------
    >>> import tempfile
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.8, 0.7, 0.4])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = report(data, f"{folder}/report.html", resamples=99)
    >>> result.evaluation.models[0].test.n, result.check.k, result.chapters[0].diagrams[0].view
    (4, 2, 'one-vs-rest:1')
    """
    need_extra("jinja2", "report", "a report")
    need_extra("matplotlib", "report", "a report")
    from plumbline.reporting.documents import document, need_printer
    from plumbline.reporting.page import DETAILS

    path = Path(path)
    need_ending(path, REPORT_ENDINGS)
    one_of("detail", detail, DETAILS)
    if path.suffix.lower() == ".pdf":
        need_printer()
    whole_number("resamples", resamples, least=1)
    checked = checked_recalibrate(recalibrate, len(data.models))
    if sites is not None:
        one_of("sites", sites, [*data.attributes])
    question = ReportParams(view, bins, distance, resamples, rng, workers, checked, sites=sites)
    gate = None if rules is None else _checked(data, rules, question)
    if isinstance(rules, (str, Path)):
        question = replace(question, rules=str(rules))
    pages: list[Report] = []

    def write(part: Path) -> None:
        contents = _contents(data, path, title, question, progress)
        pages.append(replace(contents, file=file, gate=gate))
        part.write_bytes(document(pages[0], command=command, detail=detail))

    # The work is done inside, so that a folder that is not there is found before it and not after.
    write_whole(path, write)
    return pages[0]


def _checked(data: Predictions, rules: Any, question: ReportParams) -> Gate:
    """Return which rules are kept; what is wrong with them is said before the long work."""
    draws = max(LEAST_DRAWS, question.resamples)
    return check(data, rules, resamples=draws, rng=question.rng, workers=question.workers)


def _contents(
    data: Predictions,
    path: Path,
    title: str | None,
    question: ReportParams,
    progress: Progress | None,
) -> Report:
    evaluation = evaluate(data, question, share_of(progress, 0.0, 0.3))
    check = check_input(data)
    made = chapters(data, check, evaluation, question, share_of(progress, 0.3, 0.9))
    every_chapter = tuple(made)
    rivalry = rivals(
        data,
        resamples=question.resamples,
        rng=question.rng,
        workers=question.workers,
        progress=share_of(progress, 0.9, 1.0),
    )
    if progress is not None:
        progress(STEPS, STEPS)
    return Report(
        path=str(path),
        title=title or TITLE,
        n=count_examples(data).n,
        attributes=tuple(map(str, data.attributes)),
        settings=_settings(question),
        check=check,
        evaluation=evaluation,
        chapters=every_chapter,
        limits=_limits(data, evaluation, every_chapter),
        rivals=rivalry,
    )


def _limits(
    data: Predictions, evaluation: Evaluation, every_chapter: Sequence[Chapter]
) -> tuple[str, ...]:
    """Return what the page cannot tell; nothing where it says nothing of calibration."""
    details = [chapter.closer for chapter in every_chapter if chapter.closer is not None]
    if not details:
        return ()
    p_values = sum(counted_p_values(part.to_dict()) for part in (evaluation, *every_chapter))
    n = [model.n for model in evaluation.models]
    counting = [chapter.counting for chapter in every_chapter if chapter.counting is not None]
    return limits(
        n,
        details,
        p_values=p_values,
        attributes=tuple(map(str, data.attributes)),
        dishonest=[name for name in data.models if name.endswith(DISHONEST)],
        counting=counting_sentence(counting) if counting else "",
        grouped=data.groups is not None,
    )


def _settings(question: ReportParams) -> dict[str, str | int | None]:
    """Return what was asked in plain words and numbers; the seed only where it can be repeated."""
    return {
        "version": installed_version(),
        "view": question.view,
        "bins": str(binning_of(question.bins or "equal-width:15")),
        "diagram_bins": str(binning_of(question.diagram_bins or "equal-width:15")),
        "distance": question.distance,
        "resamples": question.resamples,
        "recalibrate": question.recalibrate if isinstance(question.recalibrate, str) else None,
        "rules": question.rules,
        "sites": question.sites,
        "seed": seed_of(question.rng),
    }
