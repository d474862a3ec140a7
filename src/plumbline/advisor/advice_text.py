"""The texts of an advice: verdict, details, next step, remarks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plumbline._result import Detail, NextStep
from plumbline.advisor.choice import Change
from plumbline.advisor.results import MethodAdvice
from plumbline.advisor.trials import Cut
from plumbline.binning import distinct_rows
from plumbline.comparison.remarks import ComparisonRemark
from plumbline.formatting import (
    RESUBSTITUTED,
    and_list,
    beside,
    counted,
    interval,
    number,
    p_equals,
    percentage,
    said,
)
from plumbline.predictions import Predictions
from plumbline.verdicts import rows_text

MOST_NAMED = 3  # methods that a sentence names; a convention: the table has all
MANY_TIES = 0.1  # share of rows from which ties are worth a word
MANY_SHARED = 0.5  # share of rows from which equal predictions are worth a word


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceFacts:
    """What the sentences are about.

    Attributes
    ----------
    chosen : the method to take; best : that of least log loss among those that gain
    near : methods not distinguishable from the best
    p_value : of the calibration test of the probabilities as they are; NaN of ratings
    impossible : rows whose observed class had probability 0
    miscalibrated : the verdict; of ratings, which have none, True
    after : p-value of the calibration test of the rows that the chosen map has recalibrated
    passes : whether these pass the test
    gain : change of the log loss by the chosen map
    never : rows that give some class the probability 0
    constant : whether no outcome could make the test reject, and none was impossible
    after_leaving : what to do where nothing is recalibrated, as the verdict says
    groups : number of groups of rows, None where rows are independent
    """

    rows: tuple[MethodAdvice, ...]
    chosen: str | None
    best: str | None
    near: tuple[str, ...]
    n: int
    p_value: float
    impossible: int
    miscalibrated: bool
    after: float
    passes: bool
    gain: Change
    never: int
    log_loss_before: float
    level: float
    ratings: bool
    constant: bool
    groups: int | None
    after_leaving: NextStep

    @property
    def still_miscalibrated(self) -> bool:
        """Whether a map is chosen whose recalibrated rows fail the calibration test."""
        return self.chosen is not None and not self.passes

    @property
    def rows_of(self) -> str:
        """The number of rows, and of their groups."""
        return rows_text(self.n, self.groups)

    @property
    def tried(self) -> list[MethodAdvice]:
        """The methods that were tried, best first."""
        return [row for row in self.rows if row.reason is None]

    def row(self, method: str) -> MethodAdvice:
        """Return the row of a method."""
        return next(row for row in self.rows if row.method == method)


def verdict(facts: AdviceFacts) -> str:
    """Say what to do: leave the probabilities, or recalibrate, and by how much the loss changes."""
    before = _loss(facts.log_loss_before)
    if facts.constant:
        return f"Leave: no test possible ({facts.rows_of})."
    if not facts.miscalibrated:
        return f"Leave: no evidence of miscalibration ({p_equals(facts.p_value)}, {facts.rows_of})."
    if facts.chosen is None:
        best = f"best: {before} → {_loss(facts.tried[0].log_loss)}"
        return f"Miscalibrated, but no map that was tried lowers the log loss ({best})."
    row = facts.row(facts.chosen)
    after = _loss(row.log_loss)
    if facts.ratings:
        moved = f"{after} cross-validated, class shares alone {before}"
        return f"Use {row.title}: log loss {moved}{_gain(facts)}."
    if np.isinf(facts.log_loss_before):
        return f"Recalibrate with {row.title}: log loss infinite → {after}."
    return f"Recalibrate with {row.title}: log loss {before} → {after}{_gain(facts)}."


def _gain(facts: AdviceFacts) -> str:
    """Return the gain in brackets, and whether the rows leave it open."""
    low, high = facts.gain.interval_range
    shown = f"gain {beside(-facts.gain.difference, facts.gain.interval_range)}"
    if np.isnan(low):
        return f" ({shown})"
    open_text = ": not certain on these rows" if low <= 0 <= high else ""
    return f" ({shown}, {_level(facts)} {interval((-high, -low))}{open_text})"


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
    if facts.miscalibrated:
        yield _evidence(facts)
    most = _at_most(facts, best)
    if most:
        yield Detail("most", "possible gain", most)


def _at_most(facts: AdviceFacts, best: MethodAdvice) -> str:
    """Say how much could be gained at most, where the rows tell."""
    low, high = best.log_loss_range
    if high < 0:
        return "the interval excludes 0, but the calibration test decides"
    if not np.isfinite(low) or (facts.never and low < 0):
        return ""
    if low >= 0:
        return "none"
    if -low >= facts.log_loss_before:
        return "unknown: too few rows"
    return f"a gain above {number(-low)} is unlikely"


def _evidence(facts: AdviceFacts) -> Detail:
    """Return the calibration test before and after the map."""
    text = p_equals(facts.p_value)
    if facts.chosen is not None:
        text = f"{text} before, {p_equals(facts.after)} after"
    return Detail("omnibus", "calibration test", text)


def _if_chosen(facts: AdviceFacts, row: MethodAdvice) -> Iterator[Detail]:
    if np.isinf(facts.log_loss_before):
        text = "the observed class had predicted probability 0 in some rows"
        yield Detail("infinite", "infinite because", text)
    if not facts.ratings:
        yield _evidence(facts)
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
    if len(facts.tried) == 1 or not row.log_loss_difference < 0:
        return ""
    if not facts.near:
        return "no other map that was tried"
    others = [facts.row(name) for name in facts.near if name != row.method]
    if facts.best is not None and facts.best != row.method:
        others.append(facts.row(facts.best))
    others.sort(key=lambda one: one.parameters)
    why = f"has the fewest parameters ({row.parameters})"
    if others[0].parameters < row.parameters:
        why = "is the simplest within a standard error of the best"
        why += " whose recalibrated rows pass the calibration test" * facts.passes
    return f"{_named(others)}; {row.title} {why}"


def next_step(facts: AdviceFacts) -> NextStep:
    """Return what to do after the advice."""
    if facts.chosen is not None:
        values = {"method": facts.chosen, "apply": "NEW.csv", "out": "recalibrated.csv"}
        return NextStep("recalibrate", "Recalibrate new rows.", values, per_model=True)
    if facts.miscalibrated:
        return NextStep("test", "See what is miscalibrated.", per_model=True)
    return replace(facts.after_leaving, per_model=True)


def _level(facts: AdviceFacts) -> str:
    return f"{percentage(facts.level)} CI"


def _loss(value: float) -> str:
    """Return a log loss with three significant digits, 0 at the end too.

    >>> _loss(0.57), _loss(12.0), _loss(float("inf"))
    ('0.570', '12.0', 'infinite')
    """
    return f"{value:#.3g}".rstrip(".") if np.isfinite(value) else said(value)


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
    if facts.still_miscalibrated and not np.isnan(facts.after):
        yield (
            "still-miscalibrated",
            "The recalibrated probabilities are still miscalibrated (calibration test, "
            f"{p_equals(facts.after)}, {facts.rows_of}).",
        )


def _on_rows(facts: AdviceFacts, data: Predictions, cut: Cut) -> Iterator[tuple[str, str]]:
    """Yield what rows count for, and what they hold that is no usual probability."""
    examples = len(np.unique(cut.example))
    if data.groups is not None:
        yield (
            "rows-in-groups",
            f"{data.n:,} rows in {counted(examples, 'group')}: the rows of a group are never on "
            "both sides of a split, and the interval of the gain is that of whole groups.",
        )
    elif examples < data.stored:
        yield (
            "several-rows-of-an-example",
            f"{data.stored:,} rows of {examples:,} examples: each example counts once.",
        )
    elif (shared := _sharing(data)) > MANY_SHARED * data.stored:
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
    """Yield what the chosen map costs."""
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
    place, many = distinct_rows(np.asarray(values, np.float64).reshape(data.stored, -1))
    return int((np.bincount(place, minlength=many)[place] > 1).sum())
