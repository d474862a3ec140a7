"""What one comparison says in plain words, and what it cannot say."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, isnan

from plumbline.comparison import advice
from plumbline.words import number

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
RANKS_NOTHING = "which of them is better this metric does not say."


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the sentences are made of: names, numbers, and how the metric is read."""

    models: tuple[str, str]
    title: str
    direction: str  # of the metric's better values
    after: str | None
    test: str
    design: str
    values: tuple[float, float]
    difference: float
    interval_range: tuple[float, float]
    p_value: float
    adjusted_p_value: float
    level: float
    rope: float | None
    posterior: Mapping[str, float] | None
    reason: str | None

    @property
    def shown(self) -> bool:
        """Whether a difference is shown, once the number of tests is allowed for."""
        return self.adjusted_p_value <= 1 - self.level

    @property
    def better(self) -> str | None:
        """The model that is shown to be better."""
        if self.direction not in ("higher", "lower"):
            return None
        if isnan(self.p_value) and self.posterior is not None:
            return self._better_by_posterior()
        if not self.shown or self.difference == 0:
            return None
        return self.models[(self.difference > 0) == (self.direction == "lower")]

    def _better_by_posterior(self) -> str | None:
        posterior = self.posterior or {}
        sides = zip(self.models, (posterior["first"], posterior["second"]), strict=True)
        return next((name for name, probability in sides if probability >= self.level), None)

    @property
    def practically_equal(self) -> bool | None:
        """Whether the whole interval lies within the region of practical equivalence."""
        low, high = self.interval_range
        if self.rope is None or isnan(low):
            return None
        return -self.rope <= low and high <= self.rope


def verdict(told: Told) -> str:
    """Return the verdict on one pair by one metric."""
    a, b = told.models
    if isnan(told.difference):
        return f"{a} and {b} cannot be compared by {told.title}: {told.reason}."
    parts = [_finding(told), _equivalence(told), _posterior(told)]
    about = ABOUT.get(told.design, ABOUT_ROWS if told.test in advice.ROWS else ABOUT_LEARNERS)
    return " ".join([*filter(None, parts), about])


def _finding(told: Told) -> str:
    a, b = told.models
    state = f" after {told.after} scaling" if told.after else ""
    values = f"{number(told.values[0])} against {number(told.values[1])}"
    if told.better is not None:
        other = b if told.better == a else a
        own = values if told.better == a else (
            f"{number(told.values[1])} against {number(told.values[0])}"
        )  # fmt: skip
        return (
            f"{told.better} is better than {other}: its {told.title}{state} is {told.direction} by "
            f"{number(abs(told.difference))}, {own}{_interval(told, told.better)}; {_p(told)}."
        )
    if told.shown:
        return (
            f"{a} and {b} differ: {told.title}{state} {values}, a difference of "
            f"{number(told.difference)}{_interval(told, a)}; {_p(told)}; {RANKS_NOTHING}"
        )
    return (
        f"Not shown which of {a} and {b} is better: {told.title}{state} {values}, a difference of "
        f"{number(told.difference)}{_interval(told, a)}; {_p(told)}."
    )


def _interval(told: Told, whose: str) -> str:
    """Return the interval of the difference, or of the better model's advantage."""
    low, high = told.interval_range
    if isnan(low):
        return ""
    if told.better is not None and (whose == told.models[1]) == (told.direction == "higher"):
        low, high = 0.0 - high, 0.0 - low
    return f" ({100 * told.level:g} % interval {number(low)} to {number(high)})"


def _p(told: Told) -> str:
    if isnan(told.p_value):
        return told.reason or "no p-value"
    if told.adjusted_p_value == told.p_value:
        return f"p = {number(told.p_value)}"
    return f"p = {number(told.p_value)}, adjusted {number(told.adjusted_p_value)}"


def _equivalence(told: Told) -> str:
    """Say whether the models are shown to be equal in practice, and if not, that they are not."""
    low, high = told.interval_range
    if told.practically_equal:
        return (
            f"In practice they are equal: the whole interval lies within ±{number(told.rope)}, the "
            "region of practical equivalence."
        )
    if told.shown or (told.posterior is not None and isnan(told.p_value)):
        if told.rope is None or isnan(low):
            return ""
        if low > told.rope or high < -told.rope:
            return f"The difference is larger than ±{number(told.rope)}, so it matters in practice."
        return f"Whether it is larger than ±{number(told.rope)} is not shown."
    if isnan(low) or not isfinite(max(abs(low), abs(high))):
        return f"That does not show that they are equal{f': {told.reason}' if told.reason else ''}."
    if low == high == 0:
        return "They have the same value whichever of these rows are looked at; others may differ."
    if told.p_value <= 1 - told.level:
        return "Alone this test would show a difference; among so many it does not."
    if low > 0 or high < 0:
        return (
            "The interval leaves out 0 and the p-value, found in another way, is not small enough: "
            "take it for open."
        )
    reach = f"differences from {number(low)} to {number(high)} are compatible with these data"
    return f"That does not show that they are equal: {reach}."


def _posterior(told: Told) -> str:
    if told.posterior is None or any(isnan(value) for value in told.posterior.values()):
        return ""
    a, b = told.models
    first, equal, second = (told.posterior[key] for key in ("first", "practically_equal", "second"))
    return (
        f"With probability {number(first)} {a} is better by more than {number(told.rope)}, with "
        f"{number(second)} {b} is, with {number(equal)} they are practically equal (Bayesian "
        "correlated t-test)."
    )
