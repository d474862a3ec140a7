"""What the advice says in plain words: what to do, why, and what cannot be known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from plumbline.advisor.answers import MethodAdvice
from plumbline.advisor.parts import Cut
from plumbline.binning.sums import distinct_rows
from plumbline.predictions import Predictions
from plumbline.words import RESUBSTITUTED, capital, counted, number

MOST_NAMED = 3
MANY_TIES = 0.1  # share of rows from which ties are worth a word
MANY_SHARED = 0.5  # share of rows from which equal predictions are worth a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the sentences are about.

    Attributes
    ----------
    chosen : the method to take; best : that of least log loss among those that help
    near : methods that cannot be told from the best
    refuted : whether some map's gain refutes the probabilities as they are
    never : rows that give some class the probability 0
    """

    rows: tuple[MethodAdvice, ...]
    chosen: str | None
    best: str | None
    near: tuple[str, ...]
    n: int
    refuted: bool
    never: int
    log_loss_before: float
    level: float
    ratings: bool

    @property
    def tried(self) -> list[MethodAdvice]:
        """The methods that were tried, best first."""
        return [row for row in self.rows if row.reason is None]

    def row(self, method: str) -> MethodAdvice:
        """Return the row of a method."""
        return next(row for row in self.rows if row.method == method)


def verdict(told: Told) -> str:
    """Say what to do and why."""
    if told.chosen is None:
        return _leave(told)
    row = told.row(told.chosen)
    said = _take(told, row) if told.ratings else _mend(told, row)
    return " ".join(filter(None, [said, _dearer(row), _ties(told, row)]))


def _mend(told: Told, row: MethodAdvice) -> str:
    if np.isinf(told.log_loss_before):
        least = "; of those tried this has the least log loss" if row is told.tried[0] else ""
        return (
            f"Mend them by {row.title}: some rows' true class had been given probability 0, which "
            f"makes the log loss infinite; mended it is {number(row.log_loss)} on {told.n:,} rows. "
            f"Any map that never answers 0 helps infinitely{least}."
        )
    return (
        f"Mend them by {row.title}: on {told.n:,} rows, each mended by a map fitted on others, it "
        f"lowers the log loss from {number(told.log_loss_before)} to {number(row.log_loss)}, a "
        f"change of {_by(told, row)}.{_unsure(row)}"
    )


def _unsure(row: MethodAdvice) -> str:
    if row.log_loss_range[1] < 0:
        return ""
    return (
        " That they are wrong in this way is beyond chance; how much other rows will gain is not, "
        "for the interval holds 0, but a map of few numbers does little harm where it errs."
    )


def _take(told: Told, row: MethodAdvice) -> str:
    least = f"has the least log loss of {_maps(told)}, {number(row.log_loss)} on {told.n:,} rows"
    shares = f"giving every row the shares of the classes has {number(told.log_loss_before)}"
    if row.helps:
        return f"Take {row.title}: it {least}; {shares}."
    if row.log_loss_difference >= 0:
        return f"Take {row.title}, but expect nothing: it {least}, while {shares}."
    return (
        f"Take {row.title}, but expect little: it {least}, while {shares}, a difference that "
        f"chance may explain (adjusted p = {number(row.adjusted_p_value)})."
    )


def _leave(told: Told) -> str:
    """Say that nothing helps, whether all is well then, and how much could still be gained."""
    best = told.tried[0]
    one, rows = len(told.tried) == 1, f"on {told.n:,} rows"
    which = "It" if one else f"The best, {best.title},"
    by = f"{which} changes it by {_by(told, best)}"
    if told.refuted:
        shown = f"{best.title} is not" if one else f"none of {_maps(told)} is"
        return (
            f"The probabilities are not true: {rows} a map gains more than chance allows if they "
            f"were. But {shown} shown to lower the log loss of rows like these, so leave them as "
            f"they are until there are more rows. {by}{_at_most(told, best)}."
        )
    tried = f"{best.title} does not lower" if one else f"none of {_maps(told)} lowers"
    return (
        f"Leave the probabilities as they are: {rows} {tried} the log loss beyond chance. {by}"
        f"{_at_most(told, best)}."
    )


def _at_most(told: Told, best: MethodAdvice) -> str:
    """Say how much could be gained at most, where the rows tell."""
    low, _ = best.log_loss_range
    if not np.isfinite(low) or (told.never and low < 0):
        return ""
    if low >= 0:
        return f": {'it makes them worse' if low > 0 else 'nothing is left to gain'}"
    if -low >= told.log_loss_before:
        return "; so few rows do not tell how much could be gained"
    smaller = "" if told.refuted else f", and a smaller one would not show on {told.n:,} rows"
    return f", so a gain of more than {number(-low)} is unlikely{smaller}"


def _by(told: Told, row: MethodAdvice) -> str:
    low, high = row.log_loss_range
    return (
        f"{number(row.log_loss_difference)} ({100 * told.level:g} % interval {number(low)} to "
        f"{number(high)}, adjusted p = {number(row.adjusted_p_value)})"
    )


def _maps(told: Told) -> str:
    count = len(told.tried)
    return "the one map that was tried" if count == 1 else f"the {count} maps that were tried"


def _dearer(row: MethodAdvice) -> str:
    """Say it where the Brier score says otherwise."""
    if row.brier_range[0] > 0:
        return (
            f"But the Brier score rises by {number(row.brier_difference)}: the two scores differ "
            "on whether this helps, for the log loss counts the rarest surprises most."
        )
    return ""


def _ties(told: Told, row: MethodAdvice) -> str:
    """Name the methods that are as good as far as these rows tell, the simplest first."""
    if not row.helps:
        return ""
    if not told.near:
        return "No other map that was tried is shown to help as much." * (len(told.tried) > 1)
    others = [told.row(name) for name in told.near if name != row.method]
    near = sorted(others, key=lambda one: one.parameters)
    if told.best == row.method or told.best is None:
        return f"{capital(_named(near))} cannot be told from it by these rows."
    best = told.row(told.best)
    also = f", nor can {_named(near)}" if near else ""
    return (
        f"{capital(best.title)} has a log loss of {number(best.log_loss)}, but cannot be told from "
        f"it by these rows{also}; of all these it fits fewest numbers ({row.parameters})."
    )


def _named(near: Sequence[MethodAdvice]) -> str:
    more = len(near) - MOST_NAMED
    others = [counted(more, "other")] if more > 0 else []
    return _listed([*(one.title for one in near[:MOST_NAMED]), *others])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class Remark(NamedTuple):
    """One thing to know before believing an answer; the code stays when the words change."""

    code: str
    text: str


def remarks(told: Told, data: Predictions, cut: Cut) -> tuple[Remark, ...]:
    """Return what the reader should know before believing it."""
    return tuple(Remark(code, text) for code, text in _remarks(told, data, cut))


def _remarks(told: Told, data: Predictions, cut: Cut) -> Iterator[tuple[str, str]]:
    yield (
        "cross-fitted",
        f"Maps were fitted and judged in {cut.shape}; the map itself is fitted on all rows.",
    )
    examples = len(np.unique(cut.example))
    if examples < data.n:
        yield (
            "several-rows-of-an-example",
            f"The {data.n:,} rows are of {examples:,} examples, which count once each.",
        )
    elif data.row is None and (shared := _sharing(data)) > MANY_SHARED * data.n:
        yield (
            "shared-predictions",
            f"{shared:,} of {data.n:,} rows share their prediction with another row. Each counts "
            "as an example of its own; if some are duplicates of one example, say so: number the "
            "examples in a `row` column, and their duplicates in `repeat`.",
        )
    if data.effective_n < data.n * (1 - 1e-12):
        yield "weights", f"With their weights the rows are worth {data.effective_n:,.0f}."
    if told.ratings:
        yield (
            "ratings",
            "Ratings are no probabilities, so differences are from giving every row the shares of "
            f"the classes (log loss {number(told.log_loss_before)}).",
        )
    if told.never and np.isfinite(told.log_loss_before):
        yield (
            "zero-probabilities",
            f"{counted(told.never, 'row')} give{'s' * (told.never == 1)} a class the probability "
            "0: one such that comes true makes the log loss infinite, which no map here lets "
            "happen.",
        )
    if told.chosen is not None and (share := told.row(told.chosen).ties_created) > MANY_TIES:
        yield "ties", f"The chosen map ties {100 * share:.0f} % of the rows that differed before."
    if any(name.endswith(RESUBSTITUTED) for name in data.models):
        yield (
            "resubstitution",
            "These predictions were measured on the model's training data, where they look bolder "
            "than on new rows: a map fitted on them mends the wrong thing. Take held-out rows.",
        )


def _sharing(data: Predictions) -> int:
    """Return how many rows have the same predictions as another row."""
    values = data.score if data.prob is None else data.prob
    if values is None:
        return 0
    place, many = distinct_rows(np.asarray(values, np.float64).reshape(data.n, -1))
    return int((np.bincount(place, minlength=many)[place] > 1).sum())
