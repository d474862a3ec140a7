"""The verdict of one comparison, why these tests are used, and what to know before believing it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import NamedTuple

from plumbline.calibration_errors.p_values import PROMISES
from plumbline.comparison.advice import FITS, OPTIMISTIC, ROWS, TESTS, advice_on
from plumbline.comparison.design import Design
from plumbline.comparison.quantity import Quantity, is_infinite_loss
from plumbline.comparison.results import PairComparison, below
from plumbline.comparison.run_test import FEW_ROWS, MANY, ComparisonParams, draws_of
from plumbline.formatting import (
    DISHONEST,
    beside,
    counted,
    interval,
    number,
    p_equals,
    p_number,
    percentage,
    printable,
    quoted,
)
from plumbline.recalibration import METHODS

CALIBRATION_ONLY = (
    "calibration errors do not rank models: predicting the class shares has error 0; add "
    "brier-score or log-loss"
)
TRAINED = "measured on training rows, so not a fair comparison: {}; use other rows"
NOT_SO = "Some rows are training data, so the comparison is biased."
ALONE = (
    "rows are assumed to be independent; if some belong together (repeated patients), "
    "name their column with `groups`"
)
KEEPS_LABELS = "temperature"  # the recalibration that moves no predicted label
DRAWN = ("permutation", "bootstrap")


class ComparisonRemark(NamedTuple):
    """One thing to know before believing a result; the code is stable."""

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
    Design: holdout (300 rows): one test part of independent rows; no model was fitted on them. \
Test: mcnemar (McNemar's exact test of the rows where only one model is right). \
Exact for these fitted models on independent rows.
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
    errors: Sequence[bool],
    tests: Sequence[str],
    *,
    summed: Sequence[bool],
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

    `errors` says which metrics are calibration errors, `summed` says of each of the `tests` whether
    its exchanges are of sums (`Quantity.summed`), `p_values` is the number of p-values, `notes`
    what the maps of a recalibration `after` which models are compared say of themselves.
    """
    trained = _trained(models)
    warned = [ComparisonRemark("not-honest", TRAINED.format("; ".join(trained)))] if trained else []
    warned += more.warnings
    for test in dict.fromkeys(tests):
        row = advice_on(test, params.design.name)
        if row.answer == OPTIMISTIC:
            take = f" Take {row.instead} instead." if row.instead else ""
            text = f"the {test} test is too optimistic: {row.why}{take}"
            warned.append(ComparisonRemark("optimistic-test", text))
    if all(errors):
        warned.append(ComparisonRemark("calibration-only", CALIBRATION_ONLY))
    alone = rows_alone and set(tests) & set(ROWS)
    others = [ComparisonRemark("independent-rows", ALONE)] if alone else []
    others += [*more.others, *_share(params, tests)]
    count = p_values if adjust is not None else 1
    others += _draws(params, list(zip(tests, summed, strict=True)), count, n)
    if p_values > 1:
        needs = "" if adjust is None else ". Each test must hold its own level for that"
        text = f"{counted(p_values, 'test')}; {PROMISES[adjust]}{needs}; intervals are not adjusted"
        others.append(ComparisonRemark("several-tests", text))
    others += [ComparisonRemark("recalibrated", f"{after} of {note}") for note in notes]
    return ComparisonRemarks(tuple(warned), tuple(others))


def _share(params: ComparisonParams, tests: Sequence[str]) -> list[ComparisonRemark]:
    """Say which share of the rows test parts were taken to hold, where the caller did not."""
    uses = {"corrected-t", "bayesian-t"} & set(tests) or params.rope is not None
    share = params.design.test_share
    if not uses or share is None or params.test_share is not None or params.over is not None:
        return []
    how = ", estimated from how often examples recur" if params.design.worked_out else ""
    text = (
        f"test parts are assumed to hold {number(share)} of the examples{how}; if not, "
        "set `test_share`"
    )
    return [ComparisonRemark("test-share", text)]


def _draws(
    params: ComparisonParams, tests: Sequence[tuple[str, bool]], count: int, n: int
) -> list[ComparisonRemark]:
    """Say where fewer resamples were taken, and where none could have shown a difference."""
    taken = [
        draws_of(test, params.resamples, n, summed=sums) for test, sums in tests if test in DRAWN
    ]
    texts = []
    usual = draws_of("permutation", params.resamples, n)
    if params.resamples is None and ("permutation", True) in tests and usual < MANY:
        rows = counted(n, "row")
        text = f"{usual:,} resamples are used because there are {rows}; set `resamples` for more"
        texts.append(ComparisonRemark("fewer-resamples", text))
    enough = round(count / (1 - params.level))
    if taken and min(taken) + 1 < enough:
        text = (
            f"{counted(min(taken), 'resample')} cannot give a significant difference "
            f"among {counted(count, 'test')}; use at least {enough:,} `resamples`"
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
            f"if high scores mean {quoted(other)} instead of {quoted(target)}, name that "
            f"class when reading the table (`positive={printable(other)!r}`)"
        )
    text = f"every area is below 0.5: {advice or 'check which class high scores mean'}"
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
                f"with {there} DeLong's test rejects up to 10 of 100 equal pairs at level "
                "0.05; use the permutation test (the default)"
            )
            warned.append(ComparisonRemark("few-positives-delong", text))
        elif one.test == "permutation":
            text = (
                f"with {there} the areas are compared by the permutation test, because DeLong's "
                "test is inexact for so few rows"
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
                f"class {quoted(target)} against the rest for {' and '.join(names)}; choose "
                "another with `target`"
            )
            texts.append(ComparisonRemark("one-class", text))
    same = [one.name for one in quantities if one.of_labels]
    if after == KEEPS_LABELS and same:
        text = (
            f"{' and '.join(same)} not tested again after {after} scaling, which changes "
            "no predicted label"
        )
        texts.append(ComparisonRemark("same-labels", text))
    return tuple(texts)


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
            return f"{self.title} has no better direction"
        if pair.test == "5x2-t" and pair.more.get("first_difference", 0) * pair.difference < 0:
            first = number(pair.more["first_difference"])
            return f"the tested difference, of the first fold, is {first}"
        if pair.test == "5x2-f" and not (low > 0 or high < 0):
            return "the sign of the mean difference is undecided"
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
        infinite = [is_infinite_loss(pair.metric, value) for value in pair.values]
        if infinite[0] != infinite[1] and not any(map(isnan, pair.values)):
            return (
                f"{a} and {b} cannot be tested by {summary.title}; infinite loses against finite: "
                f"{pair.reason}."
            )
        return f"{a} and {b} cannot be compared by {summary.title}: {pair.reason}."
    return " ".join(filter(None, [_finding(summary), _equivalence(summary), _posterior(summary)]))


def _finding(summary: PairSummary) -> str:
    pair, (a, b) = summary.pair, summary.names
    state = f" after {METHODS[pair.after].title}" if pair.after else ""
    first, second = map(number, pair.values)
    if summary.better is not None:
        answer = f"{printable(summary.better)} is better"
    elif summary.shown:
        answer = f"{a} and {b} differ ({summary.ranks_nothing})"
    else:
        answer = "Not shown which is better"
    return (
        f"{answer}: {summary.title}{state} {first} ({a}) and {second} ({b}), difference "
        f"{beside(pair.difference, pair.interval_range)} ({_evidence(summary)})."
    )


def _evidence(summary: PairSummary) -> str:
    """Return the interval of the difference and the p-value; why there is none."""
    pair, ends = summary.pair, summary.pair.interval_range
    parts = [] if isnan(ends[0]) else [f"{percentage(summary.level)} CI {interval(ends)}"]
    if isnan(pair.p_value):
        return ", ".join([*parts, pair.reason or "no p-value"])
    parts.append(p_equals(pair.p_value))
    if pair.adjusted_p_value != pair.p_value:
        parts.append(f"adjusted {p_number(pair.adjusted_p_value)}")
    return ", ".join(parts)


def _equivalence(summary: PairSummary) -> str:
    """Return how the interval lies to the region of practical equivalence, if one was given."""
    pair, (low, high) = summary.pair, summary.pair.interval_range
    if pair.rope is None or isnan(low):
        return ""
    region = f"±{number(pair.rope)}"
    if summary.practically_equal:
        return f"Practically equal: the interval lies within {region}."
    if low > pair.rope or high < -pair.rope:
        return f"Practically different: the interval lies outside {region}."
    return f"Practical equivalence within {region} is undecided."


def _posterior(summary: PairSummary) -> str:
    posterior, (a, b) = summary.pair.posterior, summary.names
    if posterior is None or any(isnan(value) for value in posterior.values()):
        return ""
    first, equal, second = (
        number(posterior[key]) for key in ("first", "practically_equal", "second")
    )
    return (
        f"Posterior probability that {a} is better {first}, practically equal {equal}, {b} is "
        f"better {second}."
    )
