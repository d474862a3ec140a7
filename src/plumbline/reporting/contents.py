"""What a report says, as numbers: everything the page shows can be had without the page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plumbline._result import Note, Presentation, Result, Table, side_by_side
from plumbline.advisor import seconds_to_try
from plumbline.binning import BinsLike, EqualWidth, OnePerPoint, binning_of
from plumbline.calibration_errors import (
    CalibrationError,
    CalibrationTest,
    ReliabilityCurve,
    calibration_error,
    error_and_curve,
    worst_classes,
)
from plumbline.calibration_tests import calibration_test
from plumbline.dependence import group_details, group_notes
from plumbline.formatting import counted
from plumbline.frames import CountingErrors, counting_errors
from plumbline.frames.precision import USUAL_BINS
from plumbline.gate import Gate
from plumbline.input_checks import InputCheck, Remark, check_input
from plumbline.metrics import ModelScores, model_scores
from plumbline.predictions import Predictions, examples_in, ordered
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed
from plumbline.recalibration import NONE
from plumbline.reporting.curve_chapter import ModelCurves, model_curves
from plumbline.reporting.decisions import DecisionChapter, decisions
from plumbline.reporting.group_chapter import attributes_shown
from plumbline.reporting.model_comparison import Rivals
from plumbline.reporting.model_details import ModelDetails, model_details
from plumbline.reporting.recalibration_chapter import (
    QUICK,
    RecalibrateParam,
    RecalibrationChapter,
    recalibration_chapter,
)

ALL_SHOWN = 12  # up to so many classes, every class has its diagram
FOUND = ("finding", "largest_gap")  # what the test says is wrong, and where
MOST_SHOWN = 6  # of more classes, those with the largest calibration error


@dataclass(frozen=True, repr=False)
class Diagram(Result):
    """One reliability diagram and the calibration error of the same view beside its null."""

    view: str
    curve: ReliabilityCurve
    error: CalibrationError

    def present(self) -> Presentation:
        """Return the error beside what is expected if calibrated, and the bins beside the band."""
        bins, error = self.curve.present(), self.error.present()
        gap = tuple(one for one in bins.details if one.key == "largest_gap")
        own = [one for one in error.details if one.key != "largest_gap"]
        return replace(error, details=(*own, *gap), tables=bins.tables)


@dataclass(frozen=True, repr=False)
class Chapter(Result):
    """What the report adds to the evaluation of one model.

    Attributes
    ----------
    scores : the scores of the model, its calibration errors and its test
    remarks : what is odd about the rows of this model
    diagrams : the top label (k > 2), then classes against the rest; none without probabilities
    left_out : classes without a diagram, because there are too many
    curves : how well the model ranks rows, and where to put a threshold
    decisions : confusion matrix, rates and folds; None for ratings
    closer : bins, parts of the scores, many errors, diagnosis, groups; None without probabilities
    recalibration : what it does to these rows; None where it was not asked, or of labels alone
    counting : how far numbers can be off, where rows were counted at levels; else None
    """

    scores: ModelScores = field(metadata={"hidden": True})
    remarks: Sequence[Remark]
    diagrams: Sequence[Diagram]
    left_out: Sequence[str]
    curves: ModelCurves
    decisions: DecisionChapter | None
    closer: ModelDetails | None = None
    recalibration: RecalibrationChapter | None = None
    counting: CountingErrors | None = field(default=None, metadata={"hidden": True})

    @property
    def model(self) -> str | None:
        """The name of the model, None where the table has no `model` column."""
        return self.scores.model

    def present(self) -> Presentation:
        """Return the verdict, its size, where it shows most, the groups, and what to do next."""
        own, test = self.scores.present(), self.scores.test
        if test is None:
            return own
        tested = test.present()
        found = tuple(one for one in tested.details if one.key in FOUND)
        slices = self.closer.groups.slices if self.closer and self.closer.groups else None
        groups = None if slices is None else slices.present()
        return replace(
            own,
            summary=tested.summary,
            tone=tested.tone,
            details=(*own.details, *found),
            notes=(*own.notes, *([] if groups is None else [Note(groups.summary, "groups")])),
            next_step=tested.next_step,
        )

    @property
    def conclusion(self) -> Sequence[str]:
        """The verdict, what is wrong, where, groups and next step, a sentence each."""
        if self.scores.test is None:
            return ()
        shown = self.present()
        found = [f"{one.label}: {one.text}" for one in shown.details if one.key in FOUND]
        step = [] if shown.next_step is None else [f"Next: {shown.next_step.text}"]
        return (shown.summary, *found, *shown.notes, *step)

    def _plain(self, *, infinite: bool) -> dict[str, Any]:
        """Return plain Python; the chapter on recalibration has its key of `report --json`."""
        own = super()._plain(infinite=infinite)
        entry = {"model": self.model, **own, "conclusion": list(self.conclusion)}
        entry["mended"] = entry.pop("recalibration")
        return entry


@dataclass(frozen=True, repr=False)
class Evaluation(Result):
    """Scores, calibration errors and calibration test of every model in a table."""

    models: Sequence[ModelScores]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row of scores and verdict numbers a model."""
        out = []
        for one in self.models:
            row = dict(one.rows()[0])
            if one.test is not None:
                error = one.calibration[0]
                row |= {"view": error.view, "ece": error.value, "p_value": error.p_value}
                row |= {"omnibus_p_value": one.test.p_value}
            out.append(row)
        return out

    def present(self) -> Presentation:
        """Return the scores, errors and p-values side by side, and the verdict on every model."""
        parts = [(one.model or "the model", one.present()) for one in self.models]
        columns = {"model": [name for name, _ in parts]}
        columns |= side_by_side([part.details for _, part in parts])
        return Presentation(
            notes=tuple(Note(f"{n}: {p.summary}", "verdict") for n, p in parts if p.summary),
            tables=(Table(columns, left=("model",)),),
            legend=parts[0][1].legend,
            tables_first=True,
        )


@dataclass(frozen=True, repr=False)
class Report(Result):
    """What a report says.

    Attributes
    ----------
    path : the file it was written to; title : its heading
    n : examples in the table, each counted once however many models predicted it
    attributes : names of the columns that are carried along
    settings : what was asked, by name
    check : what the table holds and what is odd about it
    evaluation : scores, calibration errors and tests of every model
    chapters : all else of every model, in the order of `evaluation.models`
    limits : what these rows cannot tell, a few sentences each
    rivals : the models compared with each other; None where there is one
    gate : which rules are kept; None where none were given
    file : what the commands on the page call the data (hidden)
    """

    path: str
    title: str
    n: int
    attributes: Sequence[str]
    settings: Mapping[str, Any]
    check: InputCheck
    evaluation: Evaluation
    chapters: Sequence[Chapter]
    limits: Sequence[str]
    rivals: Rivals | None = None
    gate: Gate | None = None
    file: str = field(default="FILE", metadata={"hidden": True})

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row of scores and verdict numbers a model."""
        return self.evaluation.rows()

    def present(self) -> Presentation:
        """Return the numbers and the verdict of every model, and which of them is better."""
        shown = self.evaluation.present()
        pairs = Presentation() if self.rivals is None else self.rivals.present()
        better = [Note(pairs.summary, "verdict")] if pairs.summary else []
        kept = [] if self.gate is None else [Note(f"Rules: {self.gate.summary}", "rules")]
        few = group_notes(self.check.row_groups)
        return replace(
            shown,
            subject=f"{self.title}, {counted(self.n, 'example')}, {self.path}",
            details=(*shown.details, *group_details(self.check.row_groups)),
            notes=tuple(dict.fromkeys((*shown.notes, *better, *kept, *pairs.notes, *few))),
        )


@dataclass(frozen=True, slots=True)
class ReportParams:
    """What a report is asked, with the names of `calibration_error`'s arguments."""

    view: str | None = None
    bins: BinsLike | None = None
    distance: str = "absolute"
    resamples: int = 999
    rng: Seed = 0
    workers: int | None = None
    recalibrate: RecalibrateParam = NONE
    rules: str | None = None
    sites: str | None = None

    @property
    def diagram_bins(self) -> BinsLike | None:
        """The bins of the diagrams: single points have no share, so they are put in bins."""
        one_each = self.bins is not None and isinstance(binning_of(self.bins), OnePerPoint)
        return None if one_each else self.bins

    def diagram(
        self,
        data: Predictions,
        view: str,
        known: CalibrationError | None,
        progress: Progress | None,
    ) -> Diagram:
        """Return the reliability diagram of a view and its error, the known one if there is one.

        Where `rng` is a generator, another error of the same view would have another p-value.
        """
        error, curve = error_and_curve(
            data,
            view=view,
            bins=self.diagram_bins,
            distance=self.distance,
            resamples=self.resamples,
            rng=self.rng,
            workers=self.workers,
            progress=progress,
        )
        return Diagram(view, curve, known or error)


def evaluate(
    data: Predictions, question: ReportParams, progress: Progress | None = None
) -> Evaluation:
    """Score every model, measure its calibration, test it.

    The classwise error is added for more than two classes. Tables without probabilities get what
    their columns allow.
    """
    parts = data.by_model()
    step = 1 / len(parts)
    result: list[ModelScores] = []
    for place, (name, part) in enumerate(parts.items()):
        scores = model_scores(part, name)
        if part.prob is not None:
            bar = share_of(progress, place * step, (place + 1) * step)
            errors, test = _calibration(part, question, bar)
            scores = replace(scores, calibration=errors, test=test)
        result.append(scores)
    return Evaluation(tuple(result))


def _calibration(
    data: Predictions, question: ReportParams, progress: Progress | None
) -> tuple[tuple[CalibrationError, ...], CalibrationTest]:
    """Measure the error of every view, then ask the omnibus."""
    view = question.view
    views = [view] if data.k == 2 or view == "classwise" else [view, "classwise"]
    step = 1 / (len(views) + 1)
    errors = tuple(
        calibration_error(
            data,
            view=one,
            bins=question.bins,
            distance=question.distance,
            resamples=question.resamples,
            rng=question.rng,
            workers=question.workers,
            progress=share_of(progress, place * step, (place + 1) * step),
        )
        for place, one in enumerate(views)
    )
    test = calibration_test(
        data,
        resamples=question.resamples,
        rng=question.rng,
        workers=question.workers,
        progress=share_of(progress, 1 - step, 1.0),
    )
    return errors, test


def chapters(
    data: Predictions,
    check: InputCheck,
    evaluation: Evaluation,
    question: ReportParams,
    progress: Progress | None,
) -> Iterator[Chapter]:
    """Yield the chapter of every model; `check` is that of the whole table."""
    parts = data.by_model()
    step = 1 / len(parts)
    quick = seconds_to_try(data) <= QUICK
    for place, (model, part) in enumerate(zip(evaluation.models, parts.values(), strict=True)):
        bar = share_of(progress, place * step, (place + 1) * step)
        share = share_of(bar, 0.0, 0.8)
        remarks = (check if part is data else check_input(part)).remarks
        chapter = _chapter(model, part, remarks, question, attributes_shown(len(parts)), share)
        recalibration = recalibration_chapter(
            part,
            question.recalibrate,
            quick=quick,
            test=model.test if examples_in(part) == part.n else None,  # else of every example once
            resamples=question.resamples,
            rng=question.rng,
            workers=question.workers,
            progress=share_of(bar, 0.8, 1.0),
        )
        counting = _counting_errors(part, question)
        yield replace(chapter, recalibration=recalibration, counting=counting)


def _counting_errors(data: Predictions, question: ReportParams) -> CountingErrors | None:
    if data.levels is None:
        return None
    bins = binning_of(question.bins or USUAL_BINS)
    return counting_errors(data, bins.bins if isinstance(bins, EqualWidth) else USUAL_BINS)


def _chapter(
    model: ModelScores,
    data: Predictions,
    remarks: Sequence[Remark],
    question: ReportParams,
    attributes: int,
    progress: Progress | None,
) -> Chapter:
    """Return the chapter of one model, in which so many attributes may have a picture."""
    answers = decisions(data, resamples=question.resamples, rng=question.rng)
    curving = share_of(progress, 0.8, 1.0)
    if data.prob is None:
        shown = data.classes[:MOST_SHOWN]
        curves = _curves(data, shown, question, curving)
        return Chapter(model, remarks, (), (), curves, answers)
    classes = _shown_classes(data, question)
    merged = _merged(data)
    diagrams = _diagrams(model, data, question, classes, share_of(progress, 0.0, 0.3))
    closer = model_details(
        data,
        view=question.view,
        test=model.test,
        resamples=question.resamples,
        attributes=attributes,
        sites=question.sites,
        rng=question.rng,
        workers=question.workers,
        progress=share_of(progress, 0.3, 0.8),
        merged=merged,
    )
    curves = _curves(merged, classes, question, curving)
    left_out = () if data.k == 2 else tuple(c for c in data.classes if c not in classes)
    return Chapter(model, remarks, diagrams, left_out, curves, answers, closer)


def _merged(data: Predictions) -> Predictions:
    """Return a large table by its probabilities, where nothing tells one row from another.

    So it is sorted once for all sections that ask nothing else of the rows.
    """
    told = (data.model, data.fold, data.repeat, data.row)
    return ordered(data) if all(part is None for part in told) else data


def _diagrams(
    model: ModelScores,
    data: Predictions,
    question: ReportParams,
    classes: Sequence[str],
    progress: Progress | None,
) -> tuple[Diagram, ...]:
    """Return the diagrams: of the top label, where there are more classes, and of these classes."""
    views = [f"one-vs-rest:{name}" for name in classes]
    if data.k > 2 or question.view == "top-label":
        views.insert(0, "top-label")
    known = {error.view: error for error in model.calibration}
    if question.diagram_bins is not question.bins:
        known = {}
    step = 1 / len(views)
    return tuple(
        question.diagram(
            data, view, known.get(view), share_of(progress, place * step, (place + 1) * step)
        )
        for place, view in enumerate(views)
    )


def _curves(
    data: Predictions, shown: Sequence[str], question: ReportParams, progress: Progress | None
) -> ModelCurves:
    curves = model_curves(data, shown, rng=question.rng, progress=progress)
    if progress is not None:
        progress(1, 1)
    return curves


def _shown_classes(data: Predictions, question: ReportParams) -> list[str]:
    """Return the classes that get a diagram: the positive one of two, the worst of very many."""
    view = question.view or ""
    named = view.partition(":")[2] if view.startswith("one-vs-rest:") else ""
    if data.k == 2:
        return [named or data.classes[data.positive]]
    if data.k <= ALL_SHOWN:
        return list(data.classes)
    worst = worst_classes(data, bins=question.diagram_bins, distance=question.distance)
    return sorted(worst, key=lambda name: name != named)[:MOST_SHOWN]
