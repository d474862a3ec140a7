"""Names the shape of a miscalibration, its size, and what corrects it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import open_fraction, whole_number
from plumbline._result import Detail, NextStep, Presentation, Result, Table
from plumbline.binning import BinAssignment
from plumbline.calibration import Floats, Ints, Wide
from plumbline.calibration.statistics import add_hit_shares, summed_shares
from plumbline.calibration_tests.calibration_test import calibration_test
from plumbline.calibration_tests.named_tests import ALL_CLASSES, any_view
from plumbline.calibration_tests.p_values import LEAST_DRAWS, tails_of
from plumbline.calibration_tests.reliability_curve import reliability_curve
from plumbline.calibration_tests.results import (
    CalibrationTest,
    ReliabilityCurve,
)
from plumbline.calibration_tests.shape_fits import (
    Candidate,
    FitCells,
    best_shape,
    candidates,
    class_cells,
    event_cells,
)
from plumbline.calibration_tests.shape_forms import (
    Contamination,
    Form,
    Shift,
    Temperature,
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
from plumbline.errors import ParameterError
from plumbline.formatting import capital, interval, named, number, p_number, quoted, view_words
from plumbline.jit import compiled
from plumbline.nulls import observed, resampled
from plumbline.predictions import Predictions
from plumbline.predictions.counted import as_drawn
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
        explains (NaN without excess), and the p-value of its own test. Where the likelihood is
        the same for all amounts, `estimable` is False and all these are NaN
    impossible_rows : rows whose observed class had predicted probability 0
    curve : the reliability diagram of the event of the shape
    fitted : one row per group of the event's scores (score, share): the observed frequency that the
        named shape implies; empty for "none" and "other"
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

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the evidence, one row a shape."""
        return self.evidence

    def present(self) -> Presentation:
        """Return the diagnosis, and how well each shape explains the outcomes."""
        rows = self.evidence
        columns = {
            "shape": [_shape_text(row) for row in rows],
            "estimate": [
                number(row["estimate"]) if row["estimable"] else NOT_ESTIMABLE for row in rows
            ],
            "95 % CI": [interval((row["low"], row["high"])) for row in rows],
            "of": [row["kind"] for row in rows],
            "gain in log likelihood": [number(row["gain"]) for row in rows],
            "share explained": [_explained(row["explained"]) for row in rows],
            "p of test": [p_number(row["p_value"]) for row in rows],
        }
        never = self.impossible_rows if self.speaks else 0  # else the verdict says so
        return Presentation(
            subject=capital(view_words(self.view)),
            summary=self.verdict,
            tone=tone_of(self.p_value, impossible_rows=self.impossible_rows),
            details=tuple(self._details()),
            notes=(impossible_note(never, self.n),) if never else (),
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


NOT_ESTIMABLE = "not estimable"
NAMED = (
    "The best of a few shapes is named, even where none holds exactly; the CI assumes that shape. "
    "The p of test is that of the omnibus test's members for the shape, whatever its amount."
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


SHOWN = 4.5  # expected log likelihood ratio at which a test of level 5 % has a power of about 90 %
STEPS, CLOSE = 12, 0.02
PARTS = (
    *("over-estimation", "under-estimation", "overconfident", "underconfident"),
    *("few-bad-points", "one-bad-class", "other"),
)
SUMS = 4  # sums over rows, beside the hits of the cells


@dataclass(frozen=True, eq=False)
class ShapeRatios:
    """Log likelihood ratios of the shapes, `PARTS`, as a function of the labels.

    Attributes
    ----------
    rows : the table
    events, classes : bins of the probability of each row's event; of every class
    """

    rows: WeightedRows
    events: FitCells
    classes: FitCells

    @classmethod
    def of(cls, rows: WeightedRows) -> "ShapeRatios":
        """Return the statistic of a table."""
        return cls(rows, event_cells(rows), class_cells(rows))

    @property
    def prob(self) -> Floats:
        """(n, k) probabilities the labels are drawn from."""
        return self.rows.prob

    @property
    def actual(self) -> Ints:
        """(n,) observed labels."""
        return self.rows.actual

    @property
    def count(self) -> Wide | None:
        """(n,) how many identical rows each row stands for, or None."""
        return self.rows.count

    @property
    def size(self) -> int:
        """Numbers a tally keeps for each set of labels."""
        return SUMS + len(self.events.expected) + len(self.classes.expected)

    @cached_property
    def random(self) -> Wide:
        """(n, k) weighted log ratios of contamination."""
        form = Contamination(self.rows)
        by = shown_amount(form, lambda e: _divergence(self.rows, form, e))
        return np.asarray(self.rows.weight[:, None] * form.every(by))

    @cached_property
    def shifted(self) -> Wide:
        """(n, 2, 2) weighted log ratios of a shift, too high and too low, of a miss and a hit."""
        form = Shift.of(self.rows, self.rows.event, odds=False)
        sides = [form.pair(side * _shift(self.rows, form, side)) for side in (1.0, -1.0)]
        return np.asarray(self.rows.weight[:, None, None] * np.stack(sides, axis=1))

    @cached_property
    def stretched(self) -> tuple[Wide, Wide]:
        """(2,) slopes and (2,) constants: log ratios of temperatures, in sum_i w_i ln p_y."""
        rows = self.rows
        mean = (rows.prob * rows.log_prob).sum(axis=1)
        spread = rows.weight @ (rows.prob * np.square(rows.log_prob - mean[:, None])).sum(axis=1)
        form = Temperature(rows)
        by = min(np.sqrt(2 * SHOWN / max(spread, 1e-300)), np.log(4.0))
        sides = (by, -by)
        constant = [float(rows.weight @ form.log_sums(side)) for side in sides]
        return np.expm1(-np.array(sides)), np.array(constant)

    @cached_property
    def tilted(self) -> tuple[Wide, Wide]:
        """(2,) slopes and constants: log ratios of the events' log-odds, in their weighted hits."""
        form = Shift.of(self.rows, self.rows.event, odds=True)
        return _odds(self.rows.weight, form.share[:, None], form.rest[:, None])

    @cached_property
    def biased(self) -> tuple[Wide, Wide]:
        """(2, k) slopes and constants: the same of every class, in its weighted hits."""
        prob = self.rows.prob
        return _odds(self.rows.weight, prob, 1.0 - prob)

    def tally(self, width: int) -> "ShapeRatiosTally":
        """Return an empty tally for `width` sets of labels."""
        return ShapeRatiosTally(
            self,
            np.zeros((SUMS, width)),
            np.zeros((len(self.events.expected), width)),
            np.zeros((len(self.classes.expected), width)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ShapeRatiosTally:
    """What labels added up to so far, one column a draw."""

    alarm: ShapeRatios
    sums: Wide
    events: Wide
    classes: Wide

    def add(self, rows: slice, labels: NDArray[np.int32]) -> None:
        """Add the rows, whose labels are (rows, draws)."""
        what, table = self.alarm, self.alarm.rows
        add_rows(
            labels,
            table.weight[rows],
            table.event[rows],
            table.log_prob[rows],
            what.random[rows],
            what.shifted[rows],
            self.sums,
        )
        add_cells(what.events.number[rows], labels, table.weight[rows], self.events)
        add_cells(what.classes.number[rows], labels, table.weight[rows], self.classes)

    def add_shares(self, rows: slice, shares: Wide) -> None:
        """Add counted rows, of which `shares`, (rows, draws), have the second class."""
        what, table = self.alarm, self.alarm.rows
        weight, log_prob = table.weight[rows], table.log_prob[rows]
        hit = np.where((table.event[rows] == 1)[:, None], shares, 1.0 - shares)
        self.sums[0] += summed_shares(weight[:, None] * log_prob, shares)
        self.sums[1] += summed_shares(what.random[rows], shares)
        for j in (0, 1):
            self.sums[2 + j] += summed_shares(what.shifted[rows, j], hit)
        add_hit_shares(what.events.number[rows], shares, weight, self.events)
        add_hit_shares(what.classes.number[rows], shares, weight, self.classes)

    def values(self) -> Wide:
        """Return (parts, draws) log likelihood ratios; those of one bad class only for k > 2."""
        what = self.alarm
        self.events[0] = self.classes[0] = 0.0
        slope, constant = what.stretched
        sharp, blunt = slope[:, None] * self.sums[0] - constant[:, None]
        slope, constant = what.tilted
        tilt = slope * self.events.sum(axis=0) - constant
        over, under = np.logaddexp(tilt, self.sums[2:]) - np.log(2.0)
        parts = [over, under, sharp, blunt, self.sums[1]]
        general = what.events.log_factor(self.events)
        if what.rows.k > 2:
            general = np.logaddexp(general, what.classes.log_factor(self.classes)) - np.log(2.0)
            parts.append(self._worst_class())
        return np.stack([*parts, general])

    def _worst_class(self) -> Wide:
        what = self.alarm
        hits = np.zeros((what.rows.k, self.classes.shape[1]))
        np.add.at(hits, what.classes.family[1:], self.classes[1:])
        slope, constant = what.biased
        ratios = slope[:, :, None] * hits - constant[:, :, None]
        mean = np.logaddexp.reduce(ratios.reshape(-1, hits.shape[1]), axis=0)
        return np.asarray(mean - np.log(2.0 * what.rows.k))


def part_names(k: int) -> tuple[str, ...]:
    """Return the names of the parts for k classes."""
    return tuple(name for name in PARTS if k > 2 or name != "one-bad-class")


def shown_amount(form: Form, divergence: Callable[[float], float]) -> float:
    """Return the amount (above 0) at which the expected log likelihood ratio is `SHOWN`."""
    most = min(form.high, 0.5)
    by = most / 10
    for _ in range(STEPS):
        result = max(divergence(by), 1e-300)
        if abs(result / SHOWN - 1.0) < CLOSE:
            break
        by = float(np.clip(by * np.sqrt(SHOWN / result), by / 10, min(10 * by, most)))
    return by


def _shift(rows: WeightedRows, form: Shift, side: float) -> float:
    def divergence(by: float) -> float:
        pair = form.pair(side * by)
        true, other = form.share * np.exp(pair[:, 1]), form.rest * np.exp(pair[:, 0])
        return float(rows.weight @ (true * pair[:, 1] + other * pair[:, 0]))

    return shown_amount(form, divergence)


def _divergence(rows: WeightedRows, form: Form, by: float) -> float:
    """Return the expected log likelihood ratio of a form, if it is true."""
    ratio = form.every(by)
    return float(rows.weight @ (np.exp(rows.log_prob + ratio) * ratio).sum(axis=1))


def _odds(weight: Wide, share: Wide, rest: Wide) -> tuple[Wide, Wide]:
    """Return (2, columns) slopes and constants of log-odds too high and too low."""
    spread = weight @ (share * rest)
    by = np.minimum(np.sqrt(2 * SHOWN / np.maximum(spread, 1e-300)), 3.0)
    sides = np.stack([by, -by])
    constant = [weight @ np.log(share * np.exp(-side) + rest) for side in sides]
    return -sides, np.stack(constant)


@compiled
def add_rows(
    labels: Ints,
    weight: Wide,
    event: Ints,
    log_prob: Wide,
    random: Wide,
    shifted: Wide,
    sums: Wide,
) -> None:
    """Add the rows' log probabilities and log ratios, for each draw."""
    n, width = labels.shape
    for i in range(n):
        w = weight[i]
        own = event[i]
        for d in range(width):
            c = labels[i, d]
            hit = 1 if c == own else 0
            sums[0, d] += w * log_prob[i, c]
            sums[1, d] += random[i, c]
            sums[2, d] += shifted[i, 0, hit]
            sums[3, d] += shifted[i, 1, hit]


@compiled
def add_cells(cell: Ints, labels: Ints, weight: Wide, hits: Wide) -> None:
    """Add every row's weight to the cell its label hits, for each draw."""
    n, width = labels.shape
    for i in range(n):
        for d in range(width):
            hits[cell[i, labels[i, d]], d] += weight[i]


GROUPS = "equal-size:40"  # points of a fitted line
TESTED, SHAPED = 0.5, 0.8  # shares of the work after the test, and after each shape's own
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
    alarm = ShapeRatios.of(WeightedRows.of(table))
    drawn = resampled(
        alarm, resamples, rng, workers=workers, progress=share_of(progress, TESTED, SHAPED)
    )
    parts = np.column_stack([observed(alarm), drawn])
    result = candidates(alarm.rows)
    best = best_shape(result) if p_value <= level else None
    curve = reliability_curve(
        data,
        view=_view_of_picture(table, name, best),
        bins=BINS,
        resamples=max(resamples, LEAST_DRAWS),
        rng=rng,
        workers=workers,
        progress=share_of(progress, SHAPED, 1.0),
    )
    shape = "none" if p_value > level else "other" if best is None else best.shape
    evidence = _evidence(table, result, parts)
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
        fitted=_fitted(alarm.rows, best),
        step=test.step,
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


def upper_tail(values: Wide) -> float:
    """Return the p-value of the first value among all: (1 + #{T* >= T}) / (m + 1)."""
    return tails_of(values[1:], float(values[0]))[0]


def _view_of_picture(table: Predictions, name: str, best: Candidate | None) -> str | None:
    """Return the binary view whose reliability diagram shows the shape; None is the usual one."""
    if name != ALL_CLASSES:
        return name
    if best is not None and best.number is not None:
        return f"one-vs-rest:{table.classes[best.number]}"
    return None


def _evidence(
    table: Predictions, candidates: Sequence[Candidate], parts: Wide
) -> tuple[dict[str, Any], ...]:
    """Return one row a shape, the best first."""
    p_values = dict(zip(part_names(table.k), map(upper_tail, parts), strict=True))
    return tuple(
        {
            **estimate_of(table, one),
            "gain": (0.0 if one.fit is None else one.fit.gain) if one.estimable else float("nan"),
            "explained": one.explained,
            "p_value": p_values[one.shape] if one.estimable else float("nan"),
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
