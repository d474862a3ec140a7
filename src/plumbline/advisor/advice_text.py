"""The texts of an advice: verdict, details, next step, remarks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline._result import Detail, NextStep
from plumbline.advisor.choice import Change
from plumbline.advisor.results import MethodAdvice
from plumbline.advisor.trials import FLEXIBLE, Cut
from plumbline.binning.bins import distinct_rows
from plumbline.comparison.remarks import ComparisonRemark
from plumbline.comparison.results import below
from plumbline.formatting import RESUBSTITUTED, and_list, counted, number, p_equals, percentage
from plumbline.predictions import Predictions
from plumbline.recalibration import METHODS

MOST_NAMED = 3
MANY_TIES = 0.1  # share of rows from which ties are worth a word
MANY_SHARED = 0.5  # share of rows from which equal predictions are worth a word


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceFacts:
    """What the sentences are about.

    Attributes
    ----------
    chosen : the method to take; best : that of least log loss among those that help
    near : methods not distinguishable from the best
    p_value : of the tests of the probabilities as they are
    omnibus : p-value of the omnibus test: of the probabilities as they are, where the tests do not
        refute them; of the recalibrated ones, where `more` names a more flexible map; else NaN
    gain : change of the log loss on parts that took no part in choosing, if `apart`; else on parts
        that the map has not seen
    never : rows that give some class the probability 0
    """

    rows: tuple[MethodAdvice, ...]
    chosen: str | None
    best: str | None
    near: tuple[str, ...]
    n: int
    p_value: float
    omnibus: float
    more: str | None
    gain: Change
    apart: bool
    never: int
    log_loss_before: float
    level: float
    ratings: bool

    @property
    def refuted(self) -> bool:
        """Whether the tests refute the probabilities as they are."""
        return below(self.p_value, self.level)

    @property
    def refuted_by_omnibus(self) -> bool:
        """Whether the omnibus test refutes them where the tests of the maps do not."""
        return not self.refuted and below(self.omnibus, self.level)

    @property
    def tried(self) -> list[MethodAdvice]:
        """The methods that were tried, best first."""
        return [row for row in self.rows if row.reason is None]

    def row(self, method: str) -> MethodAdvice:
        """Return the row of a method."""
        return next(row for row in self.rows if row.method == method)


def verdict(facts: AdviceFacts) -> str:
    """Say what to do, and by how much the log loss changes."""
    n = f"n = {facts.n:,}"
    if facts.chosen is None and facts.refuted:
        return (
            f"Do not recalibrate yet: score tests reject calibration ({p_equals(facts.p_value)}, "
            f"{n}), but no map lowers the log loss significantly."
        )
    if facts.chosen is None and facts.refuted_by_omnibus:
        return (
            f"Do not recalibrate: miscalibrated by the omnibus test ({p_equals(facts.omnibus)}, "
            f"{n}), but no map is shown to correct it."
        )
    if facts.chosen is None:
        return (
            "Do not recalibrate: score tests show no miscalibration that maps can correct "
            f"({p_equals(facts.p_value)}, {n})."
        )
    row, before = facts.row(facts.chosen), facts.log_loss_before
    if facts.ratings:
        shown = "" if row.helps else ", not shown to be lower"
        return (
            f"Use {row.title}: log loss {_loss(row.log_loss)} cross-validated, class shares alone "
            f"{_loss(before)}{shown}."
        )
    if np.isinf(before):
        moved = f"infinite → {_loss(row.log_loss)} cross-validated"
    else:
        low, high = facts.gain.interval_range
        moved = (
            f"{_loss(before)} → {_loss(before + facts.gain.difference)} cross-validated "
            f"({_level(facts)} of the gain {number(-high)} to {number(-low)})"
        )
    return f"Recalibrate with {row.title}: log loss {moved}."


def details(facts: AdviceFacts) -> tuple[Detail, ...]:
    """Return the evidence, the methods that do as well, and what speaks against the choice."""
    if facts.chosen is None:
        return tuple(_if_none(facts))
    return tuple(_if_chosen(facts, facts.row(facts.chosen)))


def _if_none(facts: AdviceFacts) -> Iterator[Detail]:
    best = facts.tried[0]
    low, high = best.log_loss_range
    yield Detail(
        "best",
        "best map",
        f"{best.title}, change of the log loss {number(best.log_loss_difference)} "
        f"({_level(facts)} {number(low)} to {number(high)})",
    )
    if facts.refuted_by_omnibus:
        text = f"{p_equals(facts.p_value)} (tests of what maps can correct)"
        yield Detail("p_value", "no evidence for a map", text)
    most = _at_most(facts, best)
    if most:
        yield Detail("most", "possible gain", most)


def _at_most(facts: AdviceFacts, best: MethodAdvice) -> str:
    """Say how much could be gained at most, where the rows tell."""
    low, high = best.log_loss_range
    if high < 0:
        return "the interval excludes 0, but the exact test decides"
    if not np.isfinite(low) or (facts.never and low < 0):
        return ""
    if low >= 0:
        return "none"
    if -low >= facts.log_loss_before:
        return "unknown: too few rows"
    return f"a gain above {number(-low)} is unlikely"


def _if_chosen(facts: AdviceFacts, row: MethodAdvice) -> Iterator[Detail]:
    if np.isinf(facts.log_loss_before):
        text = "the observed class had predicted probability 0 in some rows"
        yield Detail("infinite", "infinite because", text)
    elif not facts.ratings:
        unsure = not facts.gain.interval_range[1] < 0
        gain = "not significant (its interval includes 0)" if unsure else "significant"
        text = (
            f"miscalibration significant (score tests, {p_equals(facts.p_value)}, "
            f"n = {facts.n:,}), gain {gain}"
        )
        yield Detail("p_value", "evidence", text)
    elif not row.helps:
        yield Detail("p_value", "evidence", f"none that the map helps ({p_equals(facts.p_value)})")
    near = _near(facts, row)
    if near:
        yield Detail("near", "similar", near, alone=True)
    if row.brier_range[0] > 0:
        text = (
            f"rises by {number(row.brier_difference)} ({_level(facts)} "
            f"{number(row.brier_range[0])} to {number(row.brier_range[1])})"
        )
        yield Detail("brier_score", "Brier score", text)


def _near(facts: AdviceFacts, row: MethodAdvice) -> str:
    """Name the methods that are as good as far as these rows tell, the simplest first."""
    if not row.helps or len(facts.tried) == 1:
        return ""
    if not facts.near:
        return "no other map that was tried"
    others = [facts.row(name) for name in facts.near if name != row.method]
    if facts.best is not None and facts.best != row.method:
        others.append(facts.row(facts.best))
    names = _named(sorted(others, key=lambda one: one.parameters))
    return f"{names}; {row.title} has the fewest parameters ({row.parameters})"


def next_step(facts: AdviceFacts) -> NextStep:
    """Return what to do after the advice."""
    if facts.more is not None and below(facts.omnibus, facts.level):
        text = f"Try {METHODS[FLEXIBLE].title}, which is more flexible."
        return NextStep("recalibrate", text, {"method": FLEXIBLE}, per_model=True)
    if facts.chosen is not None:
        values = {"method": facts.chosen, "apply": "NEW.csv", "out": "recalibrated.csv"}
        return NextStep("recalibrate", "Recalibrate new rows.", values, per_model=True)
    if facts.refuted or facts.refuted_by_omnibus:
        return NextStep("test", "See what is miscalibrated.", per_model=True)
    return NextStep("plan", "See how small a miscalibration these rows can detect.", per_model=True)


def _level(facts: AdviceFacts) -> str:
    return f"{percentage(facts.level)} CI"


def _loss(value: float) -> str:
    """Return a log loss with three significant digits, 0 at the end too.

    >>> _loss(0.57), _loss(12.0), _loss(float("inf"))
    ('0.570', '12.0', 'infinite')
    """
    return "infinite" if np.isinf(value) else f"{value:#.3g}".rstrip(".")


def _named(near: Sequence[MethodAdvice]) -> str:
    more = len(near) - MOST_NAMED
    others = [counted(more, "other")] if more > 0 else []
    return and_list([*(f"{one.title} {_loss(one.log_loss)}" for one in near[:MOST_NAMED]), *others])


def remarks(facts: AdviceFacts, data: Predictions, cut: Cut) -> tuple[ComparisonRemark, ...]:
    """Return what the reader should know before believing it."""
    parts = (
        _on_procedure(facts, cut),
        _on_rows(facts, data, cut),
        _on_maps(facts),
        _on_source(data),
    )
    return tuple(ComparisonRemark(code, text) for part in parts for code, text in part)


def _on_procedure(facts: AdviceFacts, cut: Cut) -> Iterator[tuple[str, str]]:
    """Yield how maps were fitted, judged and tested."""
    yield (
        "cross-fitted",
        f"Methods are cross-fitted in {cut.shape}; the final map is fitted on all rows.",
    )
    if cut.merged:
        yield (
            "merged-probabilities",
            f"Methods are compared on {cut.merged:,} probabilities, to which those of the table "
            "are merged.",
        )
    if facts.chosen is not None and not facts.apart:
        yield (
            "gain-of-chosen",
            "The gain is slightly optimistic: with two parts or a rare class, it is measured on "
            "the parts that chose the method.",
        )
    if facts.more is not None and below(facts.omnibus, facts.level):
        yield (
            "still-miscalibrated",
            "The recalibrated probabilities are still miscalibrated (omnibus test, "
            f"{p_equals(facts.omnibus)}, n = {facts.n:,}).",
        )


def _on_rows(facts: AdviceFacts, data: Predictions, cut: Cut) -> Iterator[tuple[str, str]]:
    """Yield what rows count for, and what they hold that is no usual probability."""
    examples = len(np.unique(cut.example))
    if examples < data.n:
        yield (
            "several-rows-of-an-example",
            f"{data.n:,} rows of {examples:,} examples: each example counts once.",
        )
    elif (shared := _sharing(data)) > MANY_SHARED * data.n:
        yield (
            "shared-predictions",
            f"{shared:,} of {data.n:,} rows share their prediction with another row. If some are "
            "duplicates, number the examples in column row and duplicates in column repeat.",
        )
    if data.effective_n < data.n * (1 - 1e-12):
        yield "weights", f"Effective sample size with these weights: {data.effective_n:,.0f}."
    if facts.ratings:
        yield (
            "ratings",
            "Ratings have no log loss: methods are compared with predicting the class shares "
            f"(log loss {_loss(facts.log_loss_before)}).",
        )
    if facts.never and np.isfinite(facts.log_loss_before):
        yield (
            "zero-probabilities",
            f"{counted(facts.never, 'row')} give{'s' * (facts.never == 1)} a class probability 0. "
            "If that class is observed, the log loss is infinite; all maps here avoid exact 0.",
        )


def _on_maps(facts: AdviceFacts) -> Iterator[tuple[str, str]]:
    """Yield where intervals and p-values of maps differ, and what the chosen map costs."""
    apart = [row for row in facts.tried if row.log_loss_range[1] < 0]
    apart = [row for row in apart if not below(row.adjusted_p_value, facts.level)]
    if apart:
        why = (
            "another test rejects, and these maps also correct that"
            if facts.refuted
            else "the test decides, because its level is exact"
        )
        yield (
            "interval-beside-p-value",
            f"Interval excludes 0, but adjusted p above {1 - facts.level:.2g} for "
            f"{_named(apart)}: {why}.",
        )
    if facts.chosen is not None and (share := facts.row(facts.chosen).ties_created) > MANY_TIES:
        yield "ties", f"The map creates ties in {100 * share:.0f} % of the rows."


def _on_source(data: Predictions) -> Iterator[tuple[str, str]]:
    """Yield it where the predictions are of rows that the model was trained on."""
    if any(name.endswith(RESUBSTITUTED) for name in data.models):
        yield (
            "resubstitution",
            "Predictions on training data are more confident than on new rows, so this map is "
            "wrong for new rows. Use held-out rows.",
        )


def _sharing(data: Predictions) -> int:
    """Return how many rows have the same predictions as another row, where that is odd."""
    values = data.score if data.prob is None else data.prob
    if values is None or data.row is not None or data.counted:
        return 0
    place, many = distinct_rows(np.asarray(values, np.float64).reshape(data.n, -1))
    return int((np.bincount(place, minlength=many)[place] > 1).sum())
