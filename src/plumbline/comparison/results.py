"""What the tests of this package and `compare` answer with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plumbline._result import (
    Detail,
    Facts,
    Note,
    Presentation,
    Result,
    Table,
    side_by_side,
)
from plumbline.formatting import counted, interval, number, p_equals, p_number, printable
from plumbline.nulls import TIE


def below(p_value: float, level: float) -> bool:
    """Tell whether a p-value is at most 1 - level, whatever rounding does to that.

    >>> below(0.1, 0.9), 0.1 <= 1 - 0.9
    (True, False)
    """
    return p_value <= 1 - level + TIE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestAnswer:
    """What one test says of one pair of models and one quantity.

    Attributes
    ----------
    test : its name, such as "mcnemar"
    units : how many rows, folds or data sets it counted as one draw each
    difference : first model's value - second model's
    interval_range : where the true difference lies, NaN where the test has no interval
    statistic, p_value : of the null that there is no difference; two-sided
    effect, effect_size : what kind of standardised size, and its value
    method : how the p-value and the interval came about, half a sentence
    more : what else the test tells, such as discordant pairs or posterior probabilities
    reason : why a number is missing, if one is
    """

    __test__ = False  # no test case, whatever a test runner makes of the name

    test: str
    units: int
    difference: float
    interval_range: tuple[float, float]
    statistic: float
    p_value: float
    effect: str
    effect_size: float
    method: str
    more: Mapping[str, Any] = field(default_factory=Facts)
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "more", Facts(self.more))


@dataclass(frozen=True, repr=False, eq=False)
class RankAnswer(Result):
    """Whether several models differ over data sets, and which of them.

    Attributes
    ----------
    test : its name, "friedman"
    models : their names, in the order of `average_ranks`
    n : number of data sets
    average_ranks : 1 is best; equal values share the mean of their ranks
    chi_square, chi_square_p_value : Friedman's statistic, corrected for ties, and its p-value
    f_statistic, f_p_value : Iman and Davenport's F of it, which is less conservative
    p_value : the one to use; `method` says whether it is exact or the F's
    critical_difference : by how much average ranks of two models must differ (Nemenyi)
    groups : largest sets of two or more models that Nemenyi's test does not tell apart, best first
    pairs : a row a pair of models: their names, difference of average ranks, Nemenyi's p-value
    without_tie_correction : chi_square, f_statistic and f_p_value as papers without it print them
    level : confidence level, 0.95 for a test at 5 %
    method, reason : how the p-value came about; why a number is missing, if one is
    """

    test: str
    models: tuple[str, ...]
    n: int
    average_ranks: tuple[float, ...]
    chi_square: float
    chi_square_p_value: float
    f_statistic: float
    f_p_value: float
    p_value: float
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[Mapping[str, Any], ...]
    without_tie_correction: Mapping[str, float]
    level: float
    method: str
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "pairs", tuple(map(Facts, self.pairs)))
        object.__setattr__(self, "without_tie_correction", Facts(self.without_tie_correction))

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a model: its name, its average rank, the numbers of its groups from 0."""
        return [
            {
                "model": model,
                "average_rank": rank,
                "groups": [place for place, group in enumerate(self.groups) if model in group],
            }
            for model, rank in zip(self.models, self.average_ranks, strict=True)
        ]

    def present(self) -> Presentation:
        """Return the average ranks, best first, and which of them are not told apart."""
        rows = sorted(zip(self.average_ranks, self.models, strict=True))
        columns = {
            "model": [model for _, model in rows],
            "average rank": [number(rank) for rank, _ in rows],
        }
        same = "; ".join(", ".join(group) for group in self.groups) or "none"
        return Presentation(
            summary=f"Friedman's test over {counted(self.n, 'data set')}, "
            f"{p_equals(self.p_value)}; ranks that are less than "
            f"{number(self.critical_difference)} apart are not told apart (Nemenyi): {same}.",
            notes=(Note(f"{self.reason}.", "undefined"),) if self.reason else (),
            tables=(Table(columns, left=("model",)),),
        )


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class PairComparison(Result):
    """Which of two models is better by one metric, as far as one test can tell.

    Attributes
    ----------
    models : (a, b)
    n : rows of each; units : rows, examples, folds or data sets that the test counted
    metric : its name; target : the one class that it looks at, None where it looks at several
    after : the recalibration method where probabilities were mended first, else None
    test, design : names of the test and of how the predictions came about
    values : the metric of a and of b (over folds or data sets: their means)
    difference : a's value - b's, as the test estimates it
    interval_range : where the true difference lies, with the comparison's level
    p_value : two-sided, of the null of no difference; adjusted_p_value : for all that were made
    effect, effect_size : what kind of standardised size, and its value
    better : the better model's name, None where that is not shown
    rope : half width of the region of practical equivalence, None where none was given
    practically_equal : whether the whole interval lies in it; None without one
    posterior : probabilities that b is better by more than the rope, that both are practically
        equal, and that a is; None unless there is a `bayesian-t` for the design
    verdict : all that in plain words, and what they cannot say
    method : how p-value and interval came about; more : what else the test tells
    reason : why a number is missing, if one is
    """

    models: tuple[str, str]
    n: int
    units: int
    metric: str
    target: str | None = None
    after: str | None
    test: str
    design: str
    values: tuple[float, float]
    difference: float
    interval_range: tuple[float, float]
    p_value: float
    adjusted_p_value: float
    effect: str
    effect_size: float
    better: str | None
    rope: float | None
    practically_equal: bool | None
    posterior: Mapping[str, float] | None
    verdict: str
    method: str
    more: Mapping[str, Any]
    reason: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "more", Facts(self.more))
        if self.posterior is not None:
            object.__setattr__(self, "posterior", Facts(self.posterior))

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row, the models and their values in columns of their own."""
        own = dict(super().rows()[0])
        sides = dict(zip(("model", "other_model"), self.models, strict=True))
        values = zip(("value", "other_value"), self.to_dict()["values"], strict=True)
        posterior = {f"posterior_{name}": value for name, value in (self.posterior or {}).items()}
        own.pop("posterior", None)
        return [sides | dict(values) | own | posterior]

    def present(self) -> Presentation:
        """Return the verdict on two models, and the numbers that it is made of."""
        return Presentation(summary=self.verdict, details=tuple(self.details()))

    def details(self, level: float | None = None, *, states: bool = False) -> Iterator[Detail]:
        """Yield what a line about it holds; with `states`, the probabilities as they are, too."""
        first, second = map(printable, self.models)
        yield Detail("model", "model", first)
        yield Detail("other_model", "other", second)
        yield Detail("metric", "metric", self.metric)
        if states or self.after:
            yield Detail("after", "after", self.after or "-")
        yield Detail("test", "test", self.test)
        yield Detail("values", "values", " | ".join(map(number, self.values)))
        yield Detail("difference", "difference", number(self.difference))
        title = "interval" if level is None else f"{100 * level:g} % interval"
        yield Detail("interval_range", title, interval(self.interval_range))
        yield Detail("p_value", "p", p_number(self.p_value))
        yield Detail("adjusted_p_value", "adjusted p", p_number(self.adjusted_p_value))
        yield Detail("better", "better", printable(self.better or "-"))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Comparison(Result):
    """Which of several models is better: every pair by every metric, with one adjustment for all.

    Attributes
    ----------
    models : names, in the order in which they are compared
    design : how the predictions came about; why : in words, and which tests that allows
    level : of every interval; a difference is called shown where adjusted p <= 1 - level
    adjust : how p-values were adjusted for their number
    seed : that gives the same answer again, None where chance came in another way
    pairs : one comparison a pair, metric and, with `after`, state of the probabilities
    ranks : Friedman's test of all models by metric, over data sets; else empty
    remarks, remark_codes : what to know before believing it, and a stable code of each
    """

    models: tuple[str, ...]
    design: str
    why: str
    level: float
    adjust: str | None
    seed: int | None
    pairs: tuple[PairComparison, ...]
    ranks: Mapping[str, RankAnswer] = field(default_factory=Facts)
    remarks: tuple[str, ...] = ()
    remark_codes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", Facts(self.ranks))

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a pair and metric."""
        return [row for pair in self.pairs for row in pair.rows()]

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return an entry a pair and one a test of ranks; all else stands beside."""
        whole = self.to_dict()
        ranks = [{"metric": name, **one} for name, one in whole.pop("ranks").items()]
        return [*whole.pop("pairs"), *ranks], whole

    def present(self) -> Presentation:
        """Return why it was tested so, a line a pair, every verdict, and what to know about it."""
        states = any(one.after for one in self.pairs)
        lines = [tuple(one.details(self.level, states=states)) for one in self.pairs]
        ranks = {name: one.present() for name, one in self.ranks.items()}
        alone = self.pairs[0].verdict if len(self.pairs) == 1 else ""
        verdicts = [Note(one.verdict, "verdict") for one in self.pairs if not alone]
        friedman = [Note(f"{name}: {one.summary}", "ranks") for name, one in ranks.items()]
        known = zip(self.remarks, self.remark_codes, strict=True)
        remarks = [Note(f"Note: {text}.".replace("..", "."), code) for text, code in known]
        tables = [Table(side_by_side(lines), left=LEFT), *(one.tables[0] for one in ranks.values())]
        return Presentation(
            subject=self.why,
            summary=alone,
            notes=(*verdicts, *friedman, *remarks),
            tables=tuple(tables),
            tables_first=not alone,
        )


LEFT = ("model", "other", "metric", "after", "test", "better")
