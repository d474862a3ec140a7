"""What one comparison says in words, why these tests, and what to know before believing it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan
from typing import NamedTuple

from plumbline.calibration_tests.p_values import PROMISES
from plumbline.comparison import advice
from plumbline.comparison.advice import FITS, OPTIMISTIC, ROWS, TESTS, advice_on
from plumbline.comparison.design import Design
from plumbline.comparison.quantity import Quantity
from plumbline.comparison.results import PairComparison, below
from plumbline.comparison.run_test import FEW_ROWS, MANY, ComparisonParams, draws_of
from plumbline.formatting import DISHONEST, counted, number, p_equals, p_number, printable, quoted
from plumbline.recalibration import METHODS

CALIBRATION_ONLY = (
    "calibration errors do not rank models: one that always gives the share of the classes has "
    "none, and they depend on the bins; add brier-score or log-loss"
)
TRAINED = "no honest comparison: measured on rows that it was fitted on: {}"
NOT_SO = "But these rows are training data, so what follows is no honest comparison."
ALONE = (
    "rows are taken for independent; where some belong together, as those of one patient do, name "
    "the column that says so with `groups`"
)
KEEPS_LABELS = "temperature"  # the recalibration that moves no predicted label
DRAWN = ("permutation", "bootstrap")


class ComparisonRemark(NamedTuple):
    """One thing to know before believing an answer; the code stays when the words change."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class ComparisonRemarks:
    """What is warned of, and all remarks, those among them."""

    warnings: tuple[ComparisonRemark, ...]
    others: tuple[ComparisonRemark, ...]

    @property
    def all(self) -> tuple[ComparisonRemark, ...]:
        """Warnings first."""
        return self.warnings + self.others


def why(design: Design, tests: Sequence[str], models: Sequence[str] = ()) -> str:
    """Return how the predictions came about, and why these tests are for that.

    >>> print(why(Design("holdout", "300 rows"), ["mcnemar"]))
    Design: holdout (300 rows): one test part, taken to be independent rows that none of the \
models was fitted on. Test: mcnemar (McNemar's exact test: who is right where the other is wrong). \
Exact; it takes the models as they are, and asks about other rows like these, which it takes for \
independent.
    """
    texts = (_test(test, design) for test in dict.fromkeys(tests))
    not_so = [NOT_SO] if _trained(models) else []
    return " ".join([f"Design: {design.sentence}.", *not_so, *texts])


def _trained(models: Sequence[str]) -> list[str]:
    """Return the names that say that a model was measured on its training data."""
    return [printable(name) for name in models if name.endswith(DISHONEST)]


def _test(test: str, design: Design) -> str:
    """Name a test and say why it fits; where it does not quite, a warning says that."""
    row = advice_on(test, design.name)
    return f"Test: {test} ({TESTS[test]})." + (f" {row.why}" if row.answer == FITS else "")


def remarks(
    params: ComparisonParams,
    kinds: Sequence[str],
    tests: Sequence[str],
    *,
    p_values: int,
    adjust: str | None,
    after: str | None,
    notes: Sequence[str],
    rows_alone: bool,
    models: Sequence[str],
    n: int,
    more: ComparisonRemarks,
) -> ComparisonRemarks:
    """Return what to say beside the answer: of all that was asked, and `more` of the metrics.

    `kinds` are the metrics' kinds, `p_values` the number of p-values, `notes` what
    the maps of a recalibration `after` which models are compared say of themselves.
    """
    trained = _trained(models)
    warned = [ComparisonRemark("not-honest", TRAINED.format("; ".join(trained)))] if trained else []
    warned += more.warnings
    for test in dict.fromkeys(tests):
        row = advice_on(test, params.design.name)
        if row.answer == OPTIMISTIC:
            take = f" Take {row.instead} instead." if row.instead else ""
            text = f"{test} is too optimistic here: {row.why}{take}"
            warned.append(ComparisonRemark("optimistic-test", text))
    if all(kind == "error" for kind in kinds):
        warned.append(ComparisonRemark("calibration-only", CALIBRATION_ONLY))
    alone = rows_alone and set(tests) & set(ROWS)
    others = [ComparisonRemark("independent-rows", ALONE)] if alone else []
    others += [*more.others, *_share(params, tests)]
    others += _draws(params, tests, p_values if adjust is not None else 1, n)
    if p_values > 1:
        kept = PROMISES[adjust] + ("" if adjust is None else ", if each test keeps its own level")
        text = f"{counted(p_values, 'test')}; {kept}; intervals are not adjusted"
        others.append(ComparisonRemark("several-tests", text))
    others += [ComparisonRemark("recalibrated", f"{after} of {note}") for note in notes]
    return ComparisonRemarks(tuple(warned), tuple(others))


def _share(params: ComparisonParams, tests: Sequence[str]) -> list[ComparisonRemark]:
    """Say which share of the rows test parts were taken to hold, where the caller did not."""
    uses = {"corrected-t", "bayesian-t"} & set(tests) or params.rope is not None
    share = params.design.test_share
    if not uses or share is None or params.test_share is not None or params.over is not None:
        return []
    how = ", worked out from how often examples recur" if params.design.worked_out else ""
    text = (
        f"test parts were taken to hold {number(share)} of the examples{how}, training parts all "
        "others; where they were others, say so with `test_share`"
    )
    return [ComparisonRemark("test-share", text)]


def _draws(
    params: ComparisonParams, tests: Sequence[str], count: int, n: int
) -> list[ComparisonRemark]:
    """Say where fewer resamples were taken, and where none could have shown a difference."""
    taken = [draws_of(test, params.resamples, n) for test in DRAWN if test in tests]
    texts = []
    if params.resamples is None and "permutation" in tests and max(taken) < MANY:
        rows = counted(n, "row")
        text = f"{taken[0]:,} resamples, for there are {rows}; ask for more with `resamples`"
        texts.append(ComparisonRemark("fewer-resamples", text))
    enough = round(count / (1 - params.level))
    if taken and min(taken) + 1 < enough:
        text = (
            f"{counted(min(taken), 'resample')} cannot show a difference in one of "
            f"{counted(count, 'test')}; draw at least {enough:,}, with `resamples`"
        )
        texts.append(ComparisonRemark("too-few-resamples", text))
    return texts


def low_areas(
    pairs: Sequence[PairComparison], classes: Sequence[str]
) -> tuple[ComparisonRemark, ...]:
    """Say so where all models' areas under the ROC curve tell that ratings point the other way."""
    areas = [one for one in pairs if one.metric == "roc-auc"]
    if not areas or not all(value < 0.5 for one in areas for value in one.values):
        return ()
    target, advice = areas[0].target, ""
    if target is not None and len(classes) == 2:
        other = classes[1 - classes.index(target)]
        advice = (
            f"do high scores speak for {quoted(other)}, not {quoted(target)}? then name "
            f"it where the table is read (`positive={printable(other)!r}`), for the model called "
            "better may be the worse one"
        )
    text = f"every area is below 0.5: {advice or 'do high scores speak for other classes?'}"
    return (ComparisonRemark("low-areas", text),)


def of_few_rows(pairs: Sequence[PairComparison]) -> ComparisonRemarks:
    """Say which test of two areas was taken for want of rows, and warn where it was the other."""
    warned, others = [], []
    for one in pairs:
        counts = [int(one.more.get(name, FEW_ROWS)) for name in ("positives", "negatives")]
        if one.metric != "roc-auc" or min(counts) >= FEW_ROWS:
            continue
        there = f"{counted(counts[0], 'positive')} and {counted(counts[1], 'negative')}"
        if one.test == "delong":
            text = (
                f"with {there} DeLong's test calls up to 10 of 100 equal pairs different at the "
                "level 0.05; without a named test the permutation test is taken"
            )
            warned.append(ComparisonRemark("few-positives-delong", text))
        elif one.test == "permutation":
            text = (
                f"with {there} areas are compared by the permutation test, for "
                "DeLong's test finds differences that are none, and with Student's t misses some"
            )
            others.append(ComparisonRemark("few-positives", text))
    return ComparisonRemarks(tuple(dict.fromkeys(warned)), tuple(dict.fromkeys(others)))


def about_classes(
    quantities: Sequence[Quantity], after: str | None
) -> tuple[ComparisonRemark, ...]:
    """Say which metrics are about one class, and which ones recalibration leaves as they are."""
    texts = []
    for target in dict.fromkeys(one.target for one in quantities):
        if target is not None:
            names = [one.name for one in quantities if one.target == target and one.by_class]
            if not names:
                continue
            text = (
                f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} about the class "
                f"{quoted(target)}; another is named with `target`"
            )
            texts.append(ComparisonRemark("one-class", text))
    same = [one.name for one in quantities if one.of_labels]
    if after == KEEPS_LABELS and same:
        text = (
            f"{' and '.join(same)} after {after} scaling would be the same, for it changes no "
            "predicted label; not tested again"
        )
        texts.append(ComparisonRemark("same-labels", text))
    return tuple(texts)


ABOUT = {
    advice.HOLDOUT: "This is about these models as they were fitted, on rows like these; fitted on "
    "other rows they may differ.",
    advice.LEAVE_ONE_OUT: "This is about models fitted on nearly all of these rows, on rows like "
    "these; the p-value is too small.",
    advice.DATA_SETS: "This is about data sets like these.",
}
ABOUT_ROWS = (
    "This is about the fitted models, one a training part, on rows like these; for a claim about "
    "the learning methods the p-value is too small."
)
ABOUT_LEARNERS = "This is about the learning methods, fitted on training parts of this size."
TOO_SMALL = "For that the p-value of {test} is too small: take {instead}."
NOT_HONEST = (
    "This is no honest comparison: what was measured on its training data flatters the model that "
    "remembers most; measure on other rows."
)
SIDES = ("first", "second")  # of the posterior


@dataclass(frozen=True, slots=True)
class PairSummary:
    """What the sentences are made of: a comparison, and how its metric is read."""

    pair: PairComparison
    title: str
    direction: str  # of the metric's better values
    level: float

    @property
    def names(self) -> tuple[str, str]:
        """The models as they stand in a sentence."""
        first, second = map(printable, self.pair.models)
        return first, second

    @property
    def shown(self) -> bool:
        """Whether a difference is shown, once the number of tests is allowed for."""
        return below(self.pair.adjusted_p_value, self.level)

    @property
    def ranks_nothing(self) -> str | None:
        """Why a difference that is shown does not say which model is better."""
        pair, (low, high) = self.pair, self.pair.interval_range
        if self.direction not in ("higher", "lower"):
            return "which of them is better this metric does not say"
        if pair.test == "5x2-t" and pair.more.get("first_difference", 0) * pair.difference < 0:
            return (
                f"which is better stays open: the test is of the first fold's difference, "
                f"{number(pair.more['first_difference'])}, which the mean contradicts"
            )
        if pair.test == "5x2-f" and not (low > 0 or high < 0):
            return (
                "which is better stays open: the test is of all ten differences, and no mean "
                "difference on one side of 0 is shown"
            )
        return None

    @property
    def better(self) -> str | None:
        """The model that is shown to be better."""
        pair = self.pair
        if self.ranks_nothing is not None:
            return None
        if isnan(pair.p_value) and pair.posterior is not None:
            sides = zip(pair.models, (pair.posterior[key] for key in SIDES), strict=True)
            return next((name for name, share in sides if share >= self.level), None)
        if not self.shown or pair.difference == 0:
            return None
        return pair.models[(pair.difference > 0) == (self.direction == "lower")]

    @property
    def practically_equal(self) -> bool | None:
        """Whether the whole interval lies within the region of practical equivalence."""
        (low, high), rope = self.pair.interval_range, self.pair.rope
        return None if rope is None or isnan(low) else -rope <= low and high <= rope


def judged(pair: PairComparison, *, title: str, direction: str, level: float) -> PairComparison:
    """Return a comparison with the better model and the verdict in it."""
    summary = PairSummary(pair, title, direction, level)
    return replace(
        pair,
        better=summary.better,
        practically_equal=summary.practically_equal,
        verdict=verdict(summary),
    )


def verdict(summary: PairSummary) -> str:
    """Return the verdict on one pair by one metric."""
    pair, (a, b) = summary.pair, summary.names
    if isnan(pair.difference):
        return f"{a} and {b} cannot be compared by {summary.title}: {pair.reason}."
    parts = [_finding(summary), _equivalence(summary), _posterior(summary)]
    about = ABOUT.get(pair.design, ABOUT_ROWS if pair.test in advice.ROWS else ABOUT_LEARNERS)
    row = advice.advice_on(pair.test, pair.design)
    if row.answer == advice.OPTIMISTIC and pair.test not in advice.ROWS:
        about += f" {TOO_SMALL.format(test=pair.test, instead=row.instead)}"
    if any(name.endswith(DISHONEST) for name in pair.models):
        about = NOT_HONEST
    return " ".join([*filter(None, parts), about])


def _finding(summary: PairSummary) -> str:
    pair, (a, b) = summary.pair, summary.names
    state = f" after {METHODS[pair.after].title}" if pair.after else ""
    first, second = map(number, pair.values)
    by, better = number(abs(pair.difference)), summary.better
    if better is not None:
        other = b
        if better == pair.models[1]:
            a, other, first, second = b, a, second, first
        return (
            f"{a} is better than {other}: its {summary.title}{state} is {summary.direction} by "
            f"{by}, {first} against {second}{_interval(summary, better)}; {_p(pair)}."
        )
    values = (
        f"{summary.title}{state} {first} against {second}, a difference of "
        f"{number(pair.difference)}{_interval(summary, pair.models[0])}; {_p(pair)}"
    )
    if summary.shown:
        why = summary.ranks_nothing
        return f"{a} and {b} differ: {values}{f'; {why}' if why else ''}."
    return f"Not shown which of {a} and {b} is better: {values}."


def _interval(summary: PairSummary, whose: str) -> str:
    """Return the interval of the difference, or of the better model's advantage."""
    low, high = summary.pair.interval_range
    if isnan(low):
        return ""
    second = whose == summary.pair.models[1]
    if summary.better is not None and second == (summary.direction == "higher"):
        low, high = 0.0 - high, 0.0 - low
    return f" ({100 * summary.level:g} % interval {number(low)} to {number(high)})"


def _p(pair: PairComparison) -> str:
    if isnan(pair.p_value):
        return pair.reason or "no p-value"
    if pair.adjusted_p_value == pair.p_value:
        return p_equals(pair.p_value)
    return f"{p_equals(pair.p_value)}, adjusted {p_number(pair.adjusted_p_value)}"


def _equivalence(summary: PairSummary) -> str:
    """Say whether the models are shown to be equal in practice, and if not, that they are not."""
    pair, (low, high) = summary.pair, summary.pair.interval_range
    if summary.practically_equal:
        return (
            f"In practice they are equal: the whole interval lies within ±{number(pair.rope)}, the "
            "region of practical equivalence."
        )
    if summary.shown or (pair.posterior is not None and isnan(pair.p_value)):
        if pair.rope is None or isnan(low):
            return ""
        if low > pair.rope or high < -pair.rope:
            return f"The difference is larger than ±{number(pair.rope)}, so it matters in practice."
        return f"Whether it is larger than ±{number(pair.rope)} is not shown."
    if isnan(low) or not isfinite(max(abs(low), abs(high))):
        return f"That does not show that they are equal{f': {pair.reason}' if pair.reason else ''}."
    if below(pair.p_value, summary.level):
        return "Alone this test would show a difference; among so many it does not."
    if low > 0 or high < 0:
        return (
            "The interval leaves out 0 and the p-value, found in another way, is not small enough: "
            "take it for open."
        )
    reach = f"differences from {number(low)} to {number(high)} are compatible with these data"
    return f"That does not show that they are equal: {reach}."


def _posterior(summary: PairSummary) -> str:
    posterior, (a, b) = summary.pair.posterior, summary.names
    if posterior is None or any(isnan(value) for value in posterior.values()):
        return ""
    first, equal, second = (posterior[key] for key in ("first", "practically_equal", "second"))
    rope = number(summary.pair.rope)
    return (
        f"With probability {number(first)} {a} is better by more than {rope}, with "
        f"{number(second)} {b} is, with {number(equal)} they are practically equal (Bayesian "
        "correlated t-test)."
    )
