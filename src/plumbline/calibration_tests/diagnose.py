"""Names the shape of a miscalibration, its size, and what corrects it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._checks import open_fraction, whole_number
from plumbline._result import Detail, NextStep, Presentation, Result, Table
from plumbline.binning import BinAssignment
from plumbline.calibration_errors import CalibrationTest, ReliabilityCurve
from plumbline.calibration_errors.named_tests import ALL_CLASSES, any_view
from plumbline.calibration_errors.reliability_curve import reliability_curve
from plumbline.calibration_tests.calibration_test import calibration_test
from plumbline.calibration_tests.shape_fits import (
    Candidate,
    best_shape,
    candidates,
)
from plumbline.calibration_tests.shape_forms import (
    WeightedRows,
    implied_truth,
)
from plumbline.calibration_tests.shape_names import (
    case_of,
    estimate_of,
    fault_among,
    remedy_of,
    rival_of,
    shape_title,
)
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.errors import ParameterError
from plumbline.formatting import (
    beside,
    capital,
    interval,
    named,
    number,
    p_number,
    quoted,
    view_words,
)
from plumbline.nulls import LEAST_DRAWS
from plumbline.predictions import Predictions, as_drawn
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed
from plumbline.scores import impossible_rows
from plumbline.verdicts import impossible_note, tone_of


@dataclass(frozen=True, repr=False, eq=False)
class Diagnosis(Result):
    """What is wrong with probabilities, by how much, and what would correct it.

    Attributes
    ----------
    view : "all-classes" or a binary view; n : rows
    effective_n : (sum w)^2 / sum w^2
    speaks : whether a shape is named: `p_value` is at most `level`
    shape : "over-estimation", "under-estimation", "overconfident", "underconfident",
        "few-bad-points", "one-bad-class", "other", or "none" where none is named
    statement : fault and remedy in two sentences
    rival : another shape that explains nearly as much, as text; None where there is none
    p_value : of the test that decides whether a shape is named
    evidence : one row per shape (shape, kind, class, estimable, estimate, low, high, gain,
        explained, p_value): the estimate with its 95 % interval, by how much it raises the log
        likelihood (a probability of 0 counts as e^-690), the share of the bins' excess error it
        explains (NaN without excess), and the p-value of the likelihood ratio test of no effect,
        which the interval inverts; both are NaN where the likelihood rises to the other side.
        Where it is the same for all amounts, `estimable` is False and all these are NaN
    impossible_rows : rows whose observed class had predicted probability 0
    curve : the reliability diagram of the event of the shape
    fitted : one row per group of the event's scores (score, share): the observed frequency that the
        named shape implies; empty for "none" and "other"
    row_groups : how much the rows of its groups depend; None where they are in none
    verdict, fault, remedy : whether it is miscalibrated, what is wrong, what corrects it; hidden
    step : what to do next, as the test says it; hidden
    """

    view: str
    n: int
    effective_n: float
    level: float
    speaks: bool
    shape: str
    statement: str
    rival: str | None
    p_value: float
    resamples: int
    evidence: Sequence[dict[str, Any]]
    impossible_rows: int
    curve: ReliabilityCurve = field(metadata={"hidden": True})
    fitted: Sequence[dict[str, float]] = field(metadata={"hidden": True})
    verdict: str = field(metadata={"hidden": True})
    fault: str | None = field(metadata={"hidden": True})
    remedy: str | None = field(metadata={"hidden": True})
    step: NextStep = field(metadata={"hidden": True})
    row_groups: RowGroups | None = None

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the evidence, one row a shape."""
        return self.evidence

    def present(self) -> Presentation:
        """Return the diagnosis, and how well each shape explains the outcomes."""
        rows = self.evidence
        columns = {
            "shape": [_shape_text(row) for row in rows],
            "estimate": [
                beside(row["estimate"], (row["low"], row["high"]))
                if row["estimable"]
                else NOT_ESTIMABLE
                for row in rows
            ],
            "95 % CI": [interval((row["low"], row["high"])) for row in rows],
            "of": [row["kind"] for row in rows],
            "gain in log likelihood": [number(row["gain"]) for row in rows],
            "share explained": [_explained(row["explained"]) for row in rows],
            "p": [p_number(row["p_value"]) for row in rows],
        }
        never = self.impossible_rows if self.speaks else 0  # else the verdict says so
        return Presentation(
            subject=capital(view_words(self.view)),
            summary=self.verdict,
            tone=tone_of(self.p_value, impossible_rows=self.impossible_rows),
            details=tuple(self._details()),
            notes=(
                *((impossible_note(never, self.n),) if never else ()),
                *group_notes(self.row_groups),
            ),
            next_step=self.step,
            tables=(Table(columns, left=("shape", "of")),),
            legend=(NAMED if self.speaks else SILENT.format(self.level), EXPLAINED),
        )

    def _details(self) -> Iterator[Detail]:
        if self.fault is not None and self.remedy is not None:
            yield Detail("fault", "fault", self.fault, alone=True)
            yield Detail("remedy", "remedy", self.remedy, alone=True)
        if self.rival is not None:
            yield Detail("rival", "alternative", f"{self.rival}.", alone=True)
        yield from group_details(self.row_groups)


NOT_ESTIMABLE = "not estimable"
NAMED = (
    "The best of a few shapes is named, even where none holds exactly. CI and p assume that shape: "
    "p is that of no effect, by the likelihood ratio that the CI inverts."
)
SILENT = (
    "No shape is named where the test does not reject at level {}; a small or another kind of "
    "miscalibration is possible."
)
EXPLAINED = "Share explained: of the excess error of the bins, by the shape."


def _shape_text(row: Mapping[str, Any]) -> str:
    text = shape_title(row["shape"])
    return text if row["class"] is None else f"{text}: {named(row['class'])}"


def _explained(share: float | None) -> str:
    return "-" if share is None or share != share else f"{100 * share:.1f} %"


GROUPS = "equal-size:40"  # points of a fitted line
TESTED = 0.7  # share of the work after the test
BINS = "equal-width:15"  # of the picture


def diagnose(
    data: Predictions,
    *,
    view: str | None = None,
    test: CalibrationTest | None = None,
    level: float = 0.05,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Name the shape of a miscalibration, how large it is, and what would correct it.

    A shape is named only if the omnibus calibration test rejects, so for calibrated probabilities
    with probability at most `level`. Then the shape of largest likelihood is named; each has one
    parameter:

    - "over-estimation", "under-estimation": p - d, or logit(p) - d, of the positive class of two,
      else of the most likely class; the others in proportion
    - "overconfident", "underconfident": softmax(ln p / T), T above or below 1 (Guo et al. 2017)
    - "few-bad-points": (1 - e) p + e / k, with a penalty of e / 0.1 in log likelihood
    - "one-bad-class": the shift of one class, k > 2, with a penalty of ln k for the choice
    - "other": where the best leaves more than a quarter of the excess error of the bins, and bins
      off at random are still 20 times as likely as calibrated ones

    Parameters
    ----------
    data : Predictions
        Rows of one model, with probabilities.
    view : str, optional
        "all-classes" (the default), "top-label" or "one-vs-rest:CLASS".
    test : CalibrationTest, optional
        Result of the omnibus test of these rows and this view, if it is known already.
    level : float, default 0.05
        Level of the test, in (0, 1).
    resamples : int, default 999
        Number of draws of the labels.
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Number of threads; the result does not depend on it.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    Diagnosis
        The shape, its size with an interval, the evidence, and a sentence.

    Raises
    ------
    InputError
        Without probabilities.
    ParameterError
        Where so few `resamples` could never reach the level, and for a `test` of another kind,
        view or number of rows.

    References
    ----------
    Guo et al. 2017, On calibration of modern neural networks.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> p = rng.uniform(size=2000)
    >>> sharper = p**1.5 / (p**1.5 + (1 - p) ** 1.5)
    >>> result = diagnose(Predictions.from_arrays(rng.uniform(size=2000) < p, sharper))
    >>> result.shape, result.speaks
    ('overconfident', True)
    """
    _checked(level, resamples)
    name, binary = any_view(data, view, "a diagnosis")
    table = data if binary is None else binary
    table = as_drawn(table)
    drawing: dict[str, Any] = {"resamples": resamples, "rng": rng, "workers": workers}
    if test is None:
        test = calibration_test(
            data, view=view, progress=share_of(progress, 0.0, TESTED), **drawing
        )
    p_value = _p_value_of(test, name, data.total)
    rows = WeightedRows.of(table)
    result = candidates(rows)
    best = best_shape(result) if p_value <= level else None
    curve = reliability_curve(
        data,
        view=_view_of_picture(table, name, best),
        bins=BINS,
        resamples=max(resamples, LEAST_DRAWS),
        rng=rng,
        workers=workers,
        progress=share_of(progress, TESTED, 1.0),
    )
    shape = "none" if p_value > level else "other" if best is None else best.shape
    evidence = _evidence(table, result)
    impossible = impossible_rows(table)
    return Diagnosis(
        view=name,
        n=data.total,
        effective_n=data.effective_n,
        level=level,
        speaks=shape != "none",
        shape=shape,
        rival=rival_of(shape, evidence, impossible),
        p_value=p_value,
        resamples=resamples,
        evidence=evidence,
        impossible_rows=impossible,
        curve=curve,
        fitted=_fitted(rows, best),
        step=test.step,
        row_groups=row_groups_in(data),
        **_in_words(table, test, shape, evidence, result, top=name == "top-label"),
    )


def _in_words(
    table: Predictions,
    test: CalibrationTest,
    shape: str,
    evidence: Sequence[dict[str, Any]],
    shapes: Sequence[Candidate],
    *,
    top: bool,
) -> dict[str, Any]:
    """Return the verdict of the test and, of a named shape, what is wrong and what to do."""
    verdict = test.verdict
    if shape == "none":
        return {"statement": verdict, "verdict": verdict, "fault": None, "remedy": None}
    named = next((row for row in evidence if row["shape"] == shape), None)
    fault = fault_among(table, shapes, top=top).sentence
    remedy = remedy_of(shape, case_of(table, named, top=top))
    statement = f"{fault} {remedy}"
    return {"statement": statement, "verdict": verdict, "fault": fault, "remedy": remedy}


def _p_value_of(test: CalibrationTest, view: str, n: int) -> float:
    """Return the p-value of an omnibus test that was done of this view and these rows."""
    if test.statistic != "omnibus":
        raise ParameterError(
            f"`test` must be a result of the omnibus test, got one of {quoted(test.statistic)}; "
            "leave it out, or call calibration_test(data)",
            code="test-of-other-kind",
        )
    if test.n != n:
        raise ParameterError(
            f"`test` has {test.n:,} rows, and the diagnosis {n:,}; test the same rows",
            code="test-of-other-rows",
        )
    if test.view != view:
        raise ParameterError(
            f"`test` has the view {quoted(test.view)}, and the diagnosis {quoted(view)}; test "
            "that view",
            code="test-of-other-view",
        )
    return test.p_value


def _checked(level: float, resamples: int) -> None:
    open_fraction("level", level)
    whole_number("resamples", resamples, least=1)
    if 1 / (resamples + 1) > level:
        raise ParameterError(
            code="out-of-range",
            argument="resamples",
            rule=f"at least {int(np.ceil(1 / level)) - 1} to reach the level {level:g}",
            arrived=f"{resamples}",
        )


def _view_of_picture(table: Predictions, name: str, best: Candidate | None) -> str | None:
    """Return the binary view whose reliability diagram shows the shape; None is the usual one."""
    if name != ALL_CLASSES:
        return name
    if best is not None and best.number is not None:
        return f"one-vs-rest:{table.classes[best.number]}"
    return None


def _evidence(table: Predictions, candidates: Sequence[Candidate]) -> tuple[dict[str, Any], ...]:
    """Return one row a shape, the best first."""
    return tuple(
        {
            **estimate_of(table, one),
            "gain": (0.0 if one.fit is None else one.fit.gain) if one.estimable else float("nan"),
            "explained": one.explained,
            "p_value": float("nan") if one.fit is None else one.fit.p_value,
        }
        for one in sorted(candidates, key=lambda candidate: -candidate.worth)
    )


def _fitted(rows: WeightedRows, best: Candidate | None) -> tuple[dict[str, float], ...]:
    """Return what would be observed if the named shape were the whole truth, by score."""
    if best is None or best.fit is None:
        return ()
    column = rows.event if best.number is None else np.full(rows.n, best.number)
    every = np.arange(rows.n)
    score = rows.prob[every, column]
    truth = implied_truth(rows, best.fit.form, best.fit.by)[every, column]
    home = BinAssignment.of(score, rows.weight, GROUPS)
    mass = np.bincount(home.number, rows.weight, home.size)
    filled = mass > 0
    sums = [np.bincount(home.number, rows.weight * x, home.size) for x in (score, truth)]
    means = [x[filled] / mass[filled] for x in sums]
    pairs = zip(*means, strict=True)
    return tuple({"score": float(x), "share": float(y)} for x, y in pairs)
