"""What the advice says in plain words: what to do, why, and what cannot be known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.advisor.answers import MethodAdvice
from plumbline.advisor.losses import Change
from plumbline.advisor.parts import Cut
from plumbline.binning.sums import distinct_rows
from plumbline.comparison.answers import below
from plumbline.comparison.remarks import Remark
from plumbline.predictions import Predictions
from plumbline.results.formatting import RESUBSTITUTED, counted, number

MOST_NAMED = 3
MANY_TIES = 0.1  # share of rows from which ties are worth a word
MANY_SHARED = 0.5  # share of rows from which equal predictions are worth a word
APART = "parts that took no part in choosing"
CHOSEN_BY = "parts that the maps have not seen, but by which the method was chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the sentences are about.

    Attributes
    ----------
    chosen : the method to take; best : that of least log loss among those that help
    near : methods that cannot be told from the best
    p_value : of the tests of the probabilities as they are
    omnibus : p-value of the omnibus test, which is looked at where the tests do not refute
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
    said = _take(told, row) if told.ratings else _recalibrate(told, row)
    return " ".join(filter(None, [said, _dearer(row), _ties(told, row)]))


def _recalibrate(told: Told, row: MethodAdvice) -> str:
    if np.isinf(told.log_loss_before):
        least = "; of those tried this has the least log loss" if row is told.tried[0] else ""
        return (
            f"Recalibrate with {row.title}: some rows' true class had predicted probability 0, "
            f"which makes the log loss infinite; recalibrated it is {number(row.log_loss)} on "
            f"{told.n:,} rows. Any map that avoids exact 0 makes the log loss finite{least}."
        )
    return (
        f"Recalibrate with {row.title}: miscalibrated in a way that maps can correct "
        f"(p = {number(told.p_value)}, n = {told.n:,}), and recalibrating {_gain(told)}, measured "
        f"on {APART if told.apart else CHOSEN_BY}. With {row.title} in every part it goes from "
        f"{number(told.log_loss_before)} to {number(row.log_loss)}.{_unsure(told)}"
    )


def _gain(told: Told) -> str:
    difference, (low, high) = told.gain.difference, told.gain.interval_range
    level = f"{100 * told.level:g} % CI"
    if difference > 0:
        return (
            f"raises the log loss by {number(difference)} ({level} of the change {number(low)} to "
            f"{number(high)})"
        )
    return (
        f"lowers the log loss by {number(-difference)} ({level} {number(-high)} to {number(-low)})"
    )


def _unsure(told: Told) -> str:
    if told.gain.interval_range[1] < 0:
        return ""
    return (
        " The miscalibration is significant; the gain from recalibrating is not (its interval "
        "includes 0)."
    )


def _take(told: Told, row: MethodAdvice) -> str:
    least = f"has a log loss of {number(row.log_loss)} on {told.n:,} rows"
    shares = f"giving every row the shares of the classes has {number(told.log_loss_before)}"
    if row.helps:
        return f"Take {row.title}: it {least}; {shares}."
    if row.log_loss_difference >= 0:
        return f"Take {row.title}, but expect nothing: it {least}, while {shares}."
    return (
        f"Take {row.title}, but expect little: it {least}, while {shares}, a difference that is "
        f"not significant (p = {number(told.p_value)})."
    )


def _leave(told: Told) -> str:
    """Say that nothing helps, whether all is well then, and how much could still be gained."""
    best = told.tried[0]
    one = len(told.tried) == 1
    which = "It" if one else f"The best, {best.title},"
    by = f"{which} changes the log loss by {_by(told, best)}{_at_most(told, best)}"
    if told.refuted:
        maps = best.title if one else _maps(told)
        return (
            f"Leave the probabilities as they are until there are more rows: they are "
            f"miscalibrated (p = {number(told.p_value)}, n = {told.n:,}), but {maps} "
            f"{'is' if one else 'are'} not shown to lower the log loss on held-out rows. {by}."
        )
    more = ""
    if best.log_loss_range[1] < 0:
        more = " That interval leaves out 0, but the tests decide, whose level is exact."
    if below(told.omnibus, told.level):
        return (
            f"Leave the probabilities as they are: they are miscalibrated by the omnibus test "
            f"(p = {number(told.omnibus)}, n = {told.n:,}), but not in a way that a map is shown "
            f"to correct (p = {number(told.p_value)}). {by}.{more}"
        )
    return (
        f"Leave the probabilities as they are: miscalibration is not significant "
        f"(p = {number(told.p_value)}, n = {told.n:,}). {by}.{more}"
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
        f"{number(row.log_loss_difference)} ({100 * told.level:g} % CI {number(low)} to "
        f"{number(high)})"
    )


def _maps(told: Told) -> str:
    return f"the {len(told.tried)} maps that were tried"


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
    if told.best is not None and told.best != row.method:
        others.append(told.row(told.best))
    names = _named(sorted(others, key=lambda one: one.parameters))
    fewest = f"; {row.title} has the fewest parameters ({row.parameters})"
    return f"Not distinguishable here: {names}{fewest}."


def _named(near: Sequence[MethodAdvice]) -> str:
    more = len(near) - MOST_NAMED
    others = [counted(more, "other")] if more > 0 else []
    return _listed([*(one.title for one in near[:MOST_NAMED]), *others])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def remarks(told: Told, data: Predictions, cut: Cut) -> tuple[Remark, ...]:
    """Return what the reader should know before believing it."""
    return tuple(Remark(code, text) for code, text in _remarks(told, data, cut))


def _remarks(told: Told, data: Predictions, cut: Cut) -> Iterator[tuple[str, str]]:
    yield (
        "cross-fitted",
        f"Maps were fitted and judged in {cut.shape}; the map itself is fitted on all rows.",
    )
    if told.chosen is not None and not told.apart:
        yield (
            "gain-of-chosen",
            "The gain is measured on parts by which the method was chosen too: of two parts, or "
            "where a class is rare, no others are left to choose by. It is slightly flattered.",
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
    apart = [row for row in told.tried if row.log_loss_range[1] < 0]
    apart = [row for row in apart if not below(row.adjusted_p_value, told.level)]
    if apart:
        why = (
            "another test refutes the probabilities, and these maps gain from that too"
            if told.refuted
            else "the tests decide, whose level is exact; that of an interval is not"
        )
        yield (
            "interval-beside-p-value",
            f"Intervals that leave out 0 beside an adjusted p above {1 - told.level:.2g} "
            f"({_named(apart)}): {why}.",
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
