"""One metric: its name, meaning and parameters, and how it is computed."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from plumbline._checks import near_names, shorten, shown
from plumbline.calibration import BINARY_VIEWS
from plumbline.calibration_errors import NamedStatistic, StatisticParams
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.metrics.decision_statistic import DecisionStatistic
from plumbline.predictions import Predictions, only_predictions

Build: TypeAlias = Callable[[Predictions, StatisticParams], NamedStatistic]


@dataclass(frozen=True, slots=True)
class MetricInterval:
    """The ends of an interval, how it came about, why there is none, and the rows of a share."""

    low: float
    high: float
    method: str | None = None
    reason: str | None = None
    n: float | None = None


GiveEnds: TypeAlias = Callable[[Predictions, StatisticParams, float], MetricInterval]


@dataclass(frozen=True, slots=True)
class MetricTest:
    """A test of one number alone, where draws of labels would test all probabilities.

    Attributes
    ----------
    null : the number that is tested
    null_range : the 95 % range of the metric if that is its value
    p_value : two-sided
    interval : the values that the test does not reject
    """

    null: float
    null_range: tuple[float, float]
    p_value: float
    interval: MetricInterval


GiveTest: TypeAlias = Callable[[Predictions, StatisticParams, float], MetricTest | None]

EVENTS = (*BINARY_VIEWS, "classwise")
USUAL_EVENT = "one-vs-rest for two classes, else top-label"

# What a caller may say about a metric; each is a field of `Ask`.
ARGUMENTS = (
    *("view", "bins", "distance", "norm", "representative", "threshold", "outcome", "like"),
    "score",
)

# What a table holds that lacks what is needed, and what to add to it.
LACKING = {
    "labels": ("ratings (score)", "a column 'predicted' with the classes answered"),
    "ratings": ("predicted labels", "a column 'score'"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Metric:
    """One row of the catalogue: a number that a table of predictions has.

    Attributes
    ----------
    name : its name; aliases : other names for the same number
    title : its name in a sentence
    kind : its heading in the catalogue, from which nothing else follows: "score" (of the
        predictions as a whole), "rate" (of the decisions), "ranking" (of the order that ratings put
        rows in), "error" (0 if calibrated, apart from sampling noise) or "estimate" (of how they
        are off)
    better : "lower", "higher", the number it has if calibrated, "zero" or "one", or "none" where no
        value is better than another
    least, most : the ends of its range, with the usual arguments
    needs : "probabilities", "labels" where predicted labels alone are enough, or "ratings" where
        those are
    views : the views it has; usual_view : in words, which it takes where none is named
    takes : the arguments it takes
    usual : defaults of its arguments; fixed : arguments that cannot be changed
    formula, reference : what is computed, in one line, and its source
    gap : why the number is not finite; undefined : why it is NaN, if that differs
    interval : what kind of interval it has: "error" or "estimate" of these rows' labels, "rows" of
        other rows like these, which `between` gives
    between : of a table of one model, what was asked and a level: the interval for other rows
    one_sided : the same where each end alone should be missed no more often than the level says:
        exact of a share of rows (NaN where a view makes it no share), the wider of two of an area
    test : of the same: the test of this number alone, with its interval; None where what was asked
        has none
    build : the statistic of the labels, made from data and what was asked
    by_row : whether every row must be drawn, for rows are compared with each other
    decides : whether it is made of decisions: a confusion matrix holds all that it needs
    """

    name: str
    title: str
    kind: str
    better: str
    least: float
    most: float
    formula: str
    reference: str
    build: Build = field(repr=False)
    views: tuple[str, ...] = EVENTS
    usual_view: str = USUAL_EVENT
    takes: tuple[str, ...] = ("view",)
    usual: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    needs: str = "probabilities"
    gap: str = ""
    undefined: str = ""
    interval: str = "error"
    between: GiveEnds | None = field(default=None, repr=False)
    one_sided: GiveEnds | None = field(default=None, repr=False)
    test: GiveTest | None = field(default=None, repr=False)
    by_row: bool = False
    decides: bool = False

    def subject(self, data: Predictions, params: StatisticParams) -> NamedStatistic:
        """Return the metric of a table of one model as a function of the labels.

        Raises ParameterError for an argument that does not apply to the metric, or a view that it
        does not have, InputError for a table that lacks what it needs.
        """
        self.check(params)
        self.need(only_predictions(data))
        usual = {name: value for name, value in self.usual.items() if getattr(params, name) is None}
        return self.build(data, replace(params, **usual, **self.fixed))

    def why(self, value: float, subject: NamedStatistic | None = None) -> str | None:
        """Say why a value is not a finite number, None where it is one.

        With the `subject` that has the value, a rate says of what there is none.
        """
        if math.isfinite(value):
            return None
        kind, reason = "infinite", self.gap
        if math.isnan(value):
            kind, reason = "undefined", self.undefined or self.gap
            if subject is not None and subject.undefined is not None:
                reason = subject.undefined
            elif subject is not None and isinstance(subject.statistic, DecisionStatistic):
                reason = subject.statistic.why_undefined(self.name)
        return f"{kind}: {reason}" if reason else kind

    def serves(self, data: Predictions) -> bool:
        """Tell whether a table has what the metric needs."""
        known = {
            "probabilities": False,
            "labels": data.label is not None,
            "ratings": data.score is not None,
        }
        return data.prob is not None or known[self.needs]

    def need(self, data: Predictions) -> None:
        """Refuse a table that lacks what the metric needs, with the remedy."""
        if self.needs == "probabilities":
            data.need_prob(f"the metric {quoted(self.name)}")
        elif not self.serves(data):
            has, add = LACKING[self.needs]
            raise InputError(
                f"the metric {quoted(self.name)} needs {self.needs} or probabilities, this table "
                f"holds only {has}; add {add}, or one column p:<class> per class",
                code="table-without-column",
            )

    def part_of(self, params: StatisticParams) -> StatisticParams:
        """Return what the metric takes of a question to several metrics."""
        return StatisticParams(**{name: getattr(params, name) for name in self.takes})

    def check(self, params: StatisticParams) -> None:
        """Refuse arguments and views that the metric does not take."""
        for argument in ARGUMENTS:
            given = getattr(params, argument)
            if given is not None and argument not in self.takes:
                taken = f"takes {shown(self.takes)} only" if self.takes else "takes no argument"
                raise ParameterError(
                    f"`{argument}` does not apply to the metric {quoted(self.name)}, which "
                    f"{taken}; got {shorten(given)}",
                    code="argument-says-nothing",
                )
        if params.view is not None and params.view.partition(":")[0] not in self.views:
            raise ParameterError(
                f"the metric {quoted(self.name)} has the views {shown(self.views)}, got "
                f"{quoted(params.view)}{near_names(params.view, self.views)}",
                code="view-not-possible",
            )
