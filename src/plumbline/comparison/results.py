"""Results of the tests of this package and of `compare`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, isnan
from typing import Any

from plumbline._result import (
    Detail,
    Facts,
    NextStep,
    Note,
    Presentation,
    Result,
    Table,
    side_by_side,
)
from plumbline.comparison.advice import claim_of
from plumbline.comparison.quantity import is_infinite_loss, title_of
from plumbline.dependence import INDEPENDENT_ROWS, RowGroups, group_details, group_notes
from plumbline.formatting import (
    beside,
    capital,
    counted,
    interval,
    number,
    p_equals,
    p_number,
    percentage,
    printable,
    quoted,
    sentence,
)
from plumbline.nulls import TIE


def below(p_value: float, level: float) -> bool:
    """Tell whether a p-value is at most 1 - level, whatever rounding does to that.

    >>> below(0.1, 0.9), 0.1 <= 1 - 0.9
    (True, False)
    """
    return p_value <= 1 - level + TIE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestAnswer:
    """The result of one test of one pair of models and one quantity.

    Attributes
    ----------
    test : its name, such as "mcnemar"
    units : number of rows, folds or data sets, the sampling units of the test
    difference : first model's value - second model's
    interval_range : confidence interval of the difference, NaN where the test has none
    statistic, p_value : of the null that there is no difference; two-sided
    effect, effect_size : what kind of standardised size, and its value
    method : how the p-value and the interval were computed
    more : other results of the test, such as discordant pairs or posterior probabilities
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
    groups : largest sets of two or more models that Nemenyi's test does not distinguish, best first
    pairs : one row per pair of models: their names, difference of average ranks, Nemenyi's p-value
    without_tie_correction : chi_square, f_statistic and f_p_value as papers without it print them
    level : confidence level, 0.95 for a test at 5 %
    method, reason : how the p-value was computed; why a number is missing, if one is
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
        """Return whether the models differ, the average ranks and which models are similar."""
        rows = sorted(zip(self.average_ranks, self.models, strict=True))
        columns = {
            "model": [model for _, model in rows],
            "average rank": [number(rank) for rank, _ in rows],
        }
        differ = below(self.p_value, self.level)
        answer = "the models differ" if differ else "no difference between the models shown"
        evidence = f"{p_equals(self.p_value)}, {counted(self.n, 'data set')}"
        same = "; ".join(", ".join(group) for group in self.groups) or "none"
        return Presentation(
            summary=f"Friedman's test: {answer} ({evidence}).",
            tone="" if differ else "open",
            details=(Detail("groups", "not distinguishable", same),),
            legend=(
                f"Average ranks less than {number(self.critical_difference)} apart are not "
                "distinguishable (Nemenyi).",
                f"Not distinguishable: {same}.",
            ),
            notes=(Note(f"{self.reason}.", "undefined"),) if self.reason else (),
            tables=(Table(columns, left=("model",)),),
        )


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class PairComparison(Result):
    """Which of two models is better by one metric, by one test.

    Attributes
    ----------
    models : (a, b)
    n : rows of each; units : rows, examples, folds or data sets in the test
    metric : its name; target : the one class that it looks at, None where it looks at several
    after : the recalibration method where probabilities were recalibrated first, else None
    test, design : names of the test and of how the predictions were made
    values : the metric of a and of b (over folds or data sets: their means)
    difference : a's value - b's, as the test estimates it
    interval_range : confidence interval of the difference, at the comparison's level
    p_value : two-sided, of the null of no difference; adjusted_p_value : for all tests together
    effect, effect_size : what kind of standardised size, and its value
    better : the better model's name, None where none is shown to be better
    rope : half width of the region of practical equivalence, None where none was given
    practically_equal : whether the whole interval lies in it; None without one
    posterior : probabilities that b is better by more than the rope, that both are practically
        equal, and that a is; None unless there is a `bayesian-t` for the design
    verdict : the answer in a sentence
    method : how p-value and interval were computed; more : other results of the test
    reason : why a number is missing, if one is
    independent_n : of rows in groups, how many independent rows tell as much about the difference;
        None where rows do not add to it one by one
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
    independent_n: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "more", Facts(self.more))
        if self.posterior is not None:
            object.__setattr__(self, "posterior", Facts(self.posterior))

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row, the models and their values in columns of their own."""
        own = dict(super().rows()[0])
        sides = dict(zip(("model", "other_model"), self.models, strict=True))
        values = zip(("value", "other_value"), self.for_tables()["values"], strict=True)
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
        shown = beside(self.difference, self.interval_range)
        yield Detail("difference", "difference", shown)
        title = "CI" if level is None else f"{percentage(level)} CI"
        yield Detail("interval_range", title, interval(self.interval_range))
        if "null_range" in self.more:
            share = "range" if level is None else f"{percentage(level)} range"
            yield Detail("null_range", f"{share} if equal", interval(self.more["null_range"]))
        yield Detail("p_value", "p", p_number(self.p_value))
        yield Detail("adjusted_p_value", "adjusted p", p_number(self.adjusted_p_value))
        if self.independent_n is not None:
            yield Detail("independent_n", INDEPENDENT_ROWS, f"{self.independent_n:,.0f}")
        yield Detail("better", "better", printable(self.better or "-"))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Comparison(Result):
    """Which of several models is better: all pairs by all metrics, with p-values adjusted together.

    Attributes
    ----------
    models : names, in the order in which they are compared
    design : how the predictions were made; why : as text, with the tests used
    level : of every interval; a difference is shown where adjusted p <= 1 - level
    adjust : how p-values were adjusted for their number
    seed : the random seed, None where a generator was given
    pairs : one comparison per pair, metric and, with `after`, state of the probabilities
    ranks : Friedman's test of all models by metric, over data sets; else empty
    remarks, remark_codes : what to know before believing it, and a stable code of each
    row_groups : how much the rows of its groups depend; None where they are in none
    probabilities : whether all models have probabilities, which a calibration test needs (hidden)
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
    row_groups: RowGroups | None = None
    probabilities: bool = field(default=False, metadata={"hidden": True})

    def __post_init__(self) -> None:
        object.__setattr__(self, "ranks", Facts(self.ranks))

    @property
    def best(self) -> str | None:
        """The only model that is better in some pair and worse in none; None where there is none.

        Of practically equal or undecided pairs neither model is better.
        """
        won = {one.better for one in self.pairs if one.better is not None}
        lost = {
            name
            for one in self.pairs
            for name in one.models
            if one.better is not None and name != one.better
        }
        (*left,) = won - lost
        return left[0] if len(left) == 1 else None

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a pair and metric."""
        return [row for pair in self.pairs for row in pair.rows()]

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return an entry a pair and one a test of ranks; all else stands beside."""
        whole = self.to_dict()
        ranks = [{"metric": name, **one} for name, one in whole.pop("ranks").items()]
        return [*whole.pop("pairs"), *ranks], whole

    def present(self) -> Presentation:
        """Return the verdict on the pairs and a row of each; the tests stand in the legend."""
        states = any(one.after for one in self.pairs)
        lines = [tuple(one.details(self.level, states=states)) for one in self.pairs]
        ranks = [replace(one.present(), subject=name) for name, one in self.ranks.items()]
        alone = self.pairs[0] if len(self.pairs) == 1 else None
        known = [
            Note(sentence(text), code)
            for text, code in zip(self.remarks, self.remark_codes, strict=True)
        ]
        claims = dict.fromkeys(claim_of(one.test, one.design) for one in self.pairs)
        verdicts = [one.verdict for one in self.pairs if alone is None and one.rope is not None]
        return Presentation(
            summary=alone.verdict if alone is not None else self._verdict(),
            tone="good" if (alone.better if alone is not None else self.best) else "open",
            details=group_details(self.row_groups),
            notes=(
                *(note for note in known if note.code in ODD),
                *group_notes(self.row_groups),
            ),
            tables=(
                Table(_columns(lines), left=LEFT, title=self._title()),
                *(
                    replace(one.tables[0], title=f"{capital(one.subject)}: {one.summary}")
                    for one in ranks
                ),
            ),
            legend=(
                self.why,
                *claims,
                *dict.fromkeys(line for one in ranks for line in one.legend),
                *verdicts,
                *(note for note in known if note.code not in ODD),
            ),
            next_step=self._next(),
            tables_first=alone is None,
        )

    def _verdict(self) -> str:
        """Say which model is better than others, and in how many comparisons."""
        decided = [one.better for one in self.pairs if one.better is not None]
        equal = sum(one.practically_equal is True for one in self.pairs)
        if not decided and equal:
            return f"Practically equal in {equal} of {counted(len(self.pairs), 'comparison')}."
        if not decided:
            return f"Not shown which is better in any of {len(self.pairs)} comparisons."
        if self.best is None:
            return (
                f"Not shown which is best: {len(decided)} of {len(self.pairs)} comparisons show a "
                "better model, but no model wins without losing."
            )
        own = [one for one in self.pairs if self.best in one.models]
        won = decided.count(self.best)
        # An infinite loss loses against a finite one, and needs no test for that.
        beaten = sum(_infinite_beside(one, self.best) for one in own)
        untested = sum(isnan(one.p_value) for one in own) - beaten
        more = f"; {beaten} more where the other is infinite" if beaten else ""
        more += f"; {untested} without a test" if untested else ""
        tested = counted(len(own) - beaten - untested, "comparison")
        return f"{quoted(self.best)} is better in {won} of its {tested}, worse in none{more}."

    def _title(self) -> str:
        """Return the metric of all pairs where there is only one."""
        metrics = {one.metric for one in self.pairs}
        return capital(title_of(*metrics)) if len(metrics) == 1 and len(self.pairs) > 1 else ""

    def _next(self) -> NextStep | None:
        """Return the calibration test of the best model, else of all; of labels alone nothing."""
        if not self.probabilities or self.ranks:
            return None
        if self.best is None:
            return NextStep("test", "Test which of them are calibrated.")
        return NextStep(
            "test", f"Test whether {quoted(self.best)} is calibrated.", {"models": self.best}
        )


def _infinite_beside(pair: PairComparison, model: str) -> bool:
    """Tell whether a model's loss is finite and the other's infinite, so that no test is done."""
    place = pair.models.index(model)
    own, other = pair.values[place], pair.values[1 - place]
    return isnan(pair.p_value) and isfinite(own) and is_infinite_loss(pair.metric, other)


def _columns(lines: Sequence[tuple[Detail, ...]]) -> dict[str, list[str]]:
    """Return a row a pair; metrics, tests and adjusted p have a column where they differ."""
    columns = side_by_side(lines)
    if columns["adjusted p"] == columns["p"]:
        del columns["adjusted p"]
    for name in ("test", "metric"):
        if len(set(columns[name])) == 1 and (name == "test" or len(lines) > 1):
            del columns[name]
    return columns


ODD = (  # remarks to know before believing the answer; the others stand in the legend
    "not-honest",
    "optimistic-test",
    "calibration-only",
    "few-positives-delong",
    "low-areas",
    "too-few-resamples",
)
LEFT = ("model", "other", "metric", "after", "test", "better")
