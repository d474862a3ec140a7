"""What one comparison says in plain words, and what it cannot say."""

from dataclasses import dataclass, replace
from math import isfinite, isnan

from plumbline.comparison import advice
from plumbline.comparison.answers import below
from plumbline.comparison.compared import PairComparison
from plumbline.formatting import DISHONEST, number, p_equals, p_number, printable
from plumbline.recalibration.methods import METHODS

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
class Told:
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
            return next((name for name, chance in sides if chance >= self.level), None)
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
    told = Told(pair, title, direction, level)
    return replace(
        pair, better=told.better, practically_equal=told.practically_equal, verdict=verdict(told)
    )


def verdict(told: Told) -> str:
    """Return the verdict on one pair by one metric."""
    pair, (a, b) = told.pair, told.names
    if isnan(pair.difference):
        return f"{a} and {b} cannot be compared by {told.title}: {pair.reason}."
    parts = [_finding(told), _equivalence(told), _posterior(told)]
    about = ABOUT.get(pair.design, ABOUT_ROWS if pair.test in advice.ROWS else ABOUT_LEARNERS)
    row = advice.advice_on(pair.test, pair.design)
    if row.answer == advice.OPTIMISTIC and pair.test not in advice.ROWS:
        about += f" {TOO_SMALL.format(test=pair.test, instead=row.instead)}"
    if any(name.endswith(DISHONEST) for name in pair.models):
        about = NOT_HONEST
    return " ".join([*filter(None, parts), about])


def _finding(told: Told) -> str:
    pair, (a, b) = told.pair, told.names
    state = f" after {METHODS[pair.after].title}" if pair.after else ""
    first, second = map(number, pair.values)
    by, better = number(abs(pair.difference)), told.better
    if better is not None:
        other = b
        if better == pair.models[1]:
            a, other, first, second = b, a, second, first
        return (
            f"{a} is better than {other}: its {told.title}{state} is {told.direction} by {by}, "
            f"{first} against {second}{_interval(told, better)}; {_p(pair)}."
        )
    values = (
        f"{told.title}{state} {first} against {second}, a difference of {number(pair.difference)}"
        f"{_interval(told, pair.models[0])}; {_p(pair)}"
    )
    if told.shown:
        why = told.ranks_nothing
        return f"{a} and {b} differ: {values}{f'; {why}' if why else ''}."
    return f"Not shown which of {a} and {b} is better: {values}."


def _interval(told: Told, whose: str) -> str:
    """Return the interval of the difference, or of the better model's advantage."""
    low, high = told.pair.interval_range
    if isnan(low):
        return ""
    second = whose == told.pair.models[1]
    if told.better is not None and second == (told.direction == "higher"):
        low, high = 0.0 - high, 0.0 - low
    return f" ({100 * told.level:g} % interval {number(low)} to {number(high)})"


def _p(pair: PairComparison) -> str:
    if isnan(pair.p_value):
        return pair.reason or "no p-value"
    if pair.adjusted_p_value == pair.p_value:
        return p_equals(pair.p_value)
    return f"{p_equals(pair.p_value)}, adjusted {p_number(pair.adjusted_p_value)}"


def _equivalence(told: Told) -> str:
    """Say whether the models are shown to be equal in practice, and if not, that they are not."""
    pair, (low, high) = told.pair, told.pair.interval_range
    if told.practically_equal:
        return (
            f"In practice they are equal: the whole interval lies within ±{number(pair.rope)}, the "
            "region of practical equivalence."
        )
    if told.shown or (pair.posterior is not None and isnan(pair.p_value)):
        if pair.rope is None or isnan(low):
            return ""
        if low > pair.rope or high < -pair.rope:
            return f"The difference is larger than ±{number(pair.rope)}, so it matters in practice."
        return f"Whether it is larger than ±{number(pair.rope)} is not shown."
    if isnan(low) or not isfinite(max(abs(low), abs(high))):
        return f"That does not show that they are equal{f': {pair.reason}' if pair.reason else ''}."
    if below(pair.p_value, told.level):
        return "Alone this test would show a difference; among so many it does not."
    if low > 0 or high < 0:
        return (
            "The interval leaves out 0 and the p-value, found in another way, is not small enough: "
            "take it for open."
        )
    reach = f"differences from {number(low)} to {number(high)} are compatible with these data"
    return f"That does not show that they are equal: {reach}."


def _posterior(told: Told) -> str:
    posterior, (a, b) = told.pair.posterior, told.names
    if posterior is None or any(isnan(value) for value in posterior.values()):
        return ""
    first, equal, second = (posterior[key] for key in ("first", "practically_equal", "second"))
    rope = number(told.pair.rope)
    return (
        f"With probability {number(first)} {a} is better by more than {rope}, with "
        f"{number(second)} {b} is, with {number(equal)} they are practically equal (Bayesian "
        "correlated t-test)."
    )
