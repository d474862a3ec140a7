"""The calibration tests by name: the statistic of each, and its parameters."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from plumbline._checks import near_names, one_of, shorten
from plumbline.binning import BinsLike, binning_of
from plumbline.calibration import (
    BINARY_VIEWS,
    VIEWS,
    ErrorDefinition,
    Measurable,
    OwnDistance,
    binary_table,
    cox_statistic,
    cumulative_statistic,
    define_error,
    kernel_statistic,
    point_statistic,
    statistic,
)
from plumbline.calibration.cumulative import Kind
from plumbline.calibration.hosmer_lemeshow import DEFAULT_BINS, hosmer_lemeshow
from plumbline.errors import ParameterError, plain_name
from plumbline.formatting import error_name, quoted
from plumbline.predictions import Predictions, only_predictions

ALL_CLASSES = "all-classes"
TESTED_VIEWS = (*VIEWS, ALL_CLASSES)
ONLY_ERRORS = ("norm", "representative", "threshold", "counting")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticParams:
    """What a caller said about the statistic; None is "the usual"."""

    view: str | None = None
    bins: BinsLike | None = None
    distance: str | OwnDistance | None = None
    outcome: str | None = None
    like: str | None = None
    norm: float | str | None = None
    representative: str | None = None
    threshold: float | None = None
    counting: str | None = None
    score: str | Callable[..., Any] | None = None

    def setting(self, data: Predictions) -> ErrorDefinition:
        """Return the calibration error that is asked for, with every default filled in."""
        distance = "absolute" if self.distance is None else self.distance
        others = {name: getattr(self, name) for name in ONLY_ERRORS}
        given = {name: value for name, value in others.items() if value is not None}
        return define_error(
            data, self.view, self.bins, distance, self.outcome, like=self.like, **given
        )


@dataclass(frozen=True, slots=True, eq=False)
class NamedStatistic:
    """A statistic of the labels with the names it goes by.

    Attributes
    ----------
    spoken : its name in a sentence
    view, scheme, distance, outcome : what it looks at; None where the question does not arise
    statistic : the function of the labels
    setting : what exactly is measured, where it is a calibration error
    parts : what else the answer tells of the observed labels, such as estimates
    left_out : which rows do not count, in words; None where all do
    undefined : why it is undefined for these labels, where the rows tell
    ours, meaning : where it is a smoothed error of another package, the same by this project's own
        conventions, and how that package smooths
    """

    title: str
    view: str
    scheme: str | None
    distance: str | None
    outcome: str | None
    statistic: Measurable
    setting: ErrorDefinition | None = None
    parts: tuple[dict[str, Any], ...] = ()
    left_out: str | None = None
    undefined: str | None = None
    ours: Measurable | None = None
    meaning: str | None = None

    @property
    def like(self) -> str | None:
        """Whose conventions it follows, None for this project's own."""
        return None if self.setting is None else self.setting.like


def calibration_error_statistic(data: Predictions, definition: ErrorDefinition) -> NamedStatistic:
    """Return the calibration error of a setting as what is tested."""
    return NamedStatistic(
        title=error_name(definition.name, definition.distance),
        view=definition.name,
        scheme="distinct-vectors" if definition.bins is None else str(definition.bins),
        distance=definition.distance,
        outcome=definition.outcome,
        statistic=statistic(data, definition),
        setting=definition,
    )


ALTERNATIVES = ("two-sided", "greater", "less")
NULLS = ("auto", "exact", "resample", "asymptotic")
BRIER_FORMULA = "mean of (y - p)^2 of the positive class; for k > 2 of sum_c (y_c - p_c)^2"
LEFT_OUT = "rows of probability 0 or 1, left out"
CUMULATIVE = "Arrieta-Ibarra, Gujral, Tannen, Tygert and Xu 2022"


@dataclass(frozen=True, slots=True)
class NamedTest:
    """One row of the table of tests.

    Attributes
    ----------
    title : its name in a sentence
    formula, reference : what it sums or compares, in one line, and its source
    build : what it makes of the data and of what was asked; None for the omnibus, which is not one
        statistic but several
    takes : the arguments it takes
    alternative : its usual alternative: "greater" where only large values speak against the model
    nulls : what else than "auto" and "resample" it may be given; a refusal follows where the data
        do not allow it
    """

    title: str
    formula: str
    reference: str
    build: Callable[[Predictions, StatisticParams], NamedStatistic] | None
    takes: tuple[str, ...] = ("view",)
    alternative: str = "two-sided"
    nulls: tuple[str, ...] = ("exact", "asymptotic")

    def statistic(self, data: Predictions, params: StatisticParams) -> NamedStatistic:
        """Return the statistic on this data."""
        if self.build is None:
            raise TypeError("the omnibus is no single statistic")
        return self.build(data, params)


def _ece(data: Predictions, params: StatisticParams) -> NamedStatistic:
    return calibration_error_statistic(data, params.setting(data))


def _score(name: str, title: str) -> Callable[[Predictions, StatisticParams], NamedStatistic]:
    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        view, binary = score_view(data, name, params.view, f"the test {quoted(name)}")
        return _plain(title, view, point_statistic(data, name, binary))

    return build


def _hosmer_lemeshow(data: Predictions, params: StatisticParams) -> NamedStatistic:
    view, binary = binary_view(data, params.view, "the Hosmer-Lemeshow test")
    scheme = str(binning_of(DEFAULT_BINS if params.bins is None else params.bins))
    what = hosmer_lemeshow(binary, params.bins)
    return NamedStatistic("the Hosmer-Lemeshow statistic", view, scheme, None, _outcome(view), what)


def _cox(data: Predictions, params: StatisticParams) -> NamedStatistic:
    view, binary = binary_view(data, params.view, "the test 'cox'")
    what = cox_statistic(binary)
    title = "the likelihood ratio of calibration slope and intercept"
    estimates = tuple({"name": name, "value": fit} for name, fit in what.estimates.items())
    if what.left_out:
        estimates += ({"name": LEFT_OUT, "value": float(what.left_out)},)
    return replace(_plain(title, view, what), parts=estimates)


def _cumulative(kind: Kind, title: str) -> Callable[[Predictions, StatisticParams], NamedStatistic]:
    def build(data: Predictions, params: StatisticParams) -> NamedStatistic:
        view, binary = binary_view(data, params.view, f"the test {quoted(kind)}")
        return _plain(title, view, cumulative_statistic(binary, kind))

    return build


def _skce(data: Predictions, params: StatisticParams) -> NamedStatistic:
    view, binary = any_view(data, params.view, "the test 'skce'")
    table = data if binary is None else binary
    return _plain("squared kernel calibration error", view, kernel_statistic(table))


TESTS: dict[str, NamedTest] = {
    "omnibus": NamedTest(
        "omnibus calibration test",
        "sum of weight / p over families of likelihood ratios, ranked among the same draws",
        "Neyman and Pearson 1933; Wilson 2019 (harmonic mean p-value)",
        None,
        nulls=(),
    ),
    "ece": NamedTest(
        "expected calibration error",
        "sum_b (W_b / W) d(outcome share, mean probability)",
        "Naeini, Cooper and Hauskrecht 2015",
        _ece,
        ("view", "bins", "distance", "outcome", "like"),
    ),
    "log-loss": NamedTest(
        "log loss", "mean of -ln p_y", "Good 1952", _score("log-loss", "log loss")
    ),
    "brier-score": NamedTest(
        "Brier score",
        BRIER_FORMULA,
        "Brier 1950",
        _score("brier-score", "Brier score"),
    ),
    "chi-square": NamedTest(
        "chi-square",
        "mean of 1 / p_y - 1 = sum_c (y_c - p_c)^2 / p_c",
        "Pearson 1900",
        _score("chi-square", "chi-square"),
    ),
    "spiegelhalter": NamedTest(
        "Spiegelhalter's Z",
        "sum (S - E S) / sqrt(sum Var S), S the Brier score of a row",
        "Spiegelhalter 1986",
        _score("spiegelhalter", "Spiegelhalter's Z"),
    ),
    "hosmer-lemeshow": NamedTest(
        "Hosmer-Lemeshow statistic",
        "sum_b (O_b - E_b)^2 / V_b, V_b = sum p (1 - p)",
        "Hosmer and Lemeshow 1980",
        _hosmer_lemeshow,
        ("view", "bins"),
        "greater",
    ),
    "cox": NamedTest(
        "likelihood ratio of calibration slope and intercept",
        "2 (max ln L(a + b logit p) - ln L(logit p))",
        "Cox 1958",
        _cox,
        alternative="greater",
        nulls=("asymptotic",),
    ),
    "kolmogorov-smirnov": NamedTest(
        "largest cumulative difference",
        "max |sum of (y - p) / n up to a score|",
        CUMULATIVE,
        _cumulative("kolmogorov-smirnov", "largest cumulative difference"),
        alternative="greater",
        nulls=("asymptotic",),
    ),
    "kuiper": NamedTest(
        "range of cumulative differences",
        "max - min of the sum of (y - p) / n up to a score",
        CUMULATIVE,
        _cumulative("kuiper", "range of cumulative differences"),
        alternative="greater",
        nulls=("asymptotic",),
    ),
    "skce": NamedTest(
        "squared kernel calibration error",
        "mean of r_i . r_j k(p_i, p_j) over pairs i != j, r = y - p",
        "Widmann, Lindsten and Zachariah 2019",
        _skce,
        alternative="greater",
        nulls=(),
    ),
}


def named_test(
    statistic: str, params: StatisticParams, alternative: str | None, null: str
) -> tuple[NamedTest, str]:
    """Return the test of this name and its alternative; refuse what does not apply to it."""
    row = TESTS[one_of("statistic", statistic, TESTS)]
    for argument in ("view", "bins", "distance", "outcome", "like"):
        given = getattr(params, argument)
        if given is not None and argument not in row.takes:
            raise ParameterError(
                f"the statistic {quoted(statistic)} uses no {plain_name(argument)}: `{argument}` "
                f"{shorten(given)} has no effect",
                code="argument-says-nothing",
                argument=argument,
                remedy="leave it out, or use `statistic='ece'`",
            )
    one_of("null", null, NULLS)
    if null not in ("auto", "resample", *row.nulls):
        raise ParameterError(
            f"`null` {quoted(null)} does not exist for the statistic {quoted(statistic)}",
            code="null-not-of-statistic",
            remedy="use `null='resample'`",
        )
    if params.like == "thesis" and null in ("exact", "asymptotic"):
        raise ParameterError(
            f"`like` {quoted(params.like)} needs draws, and `null` {quoted(null)} has none; leave "
            "one of them out",
            code="argument-says-nothing",
        )
    if alternative is None:
        return row, row.alternative
    if statistic == "omnibus":
        raise ParameterError(
            f"the omnibus test takes no `alternative`, got {shorten(alternative)}: it covers every "
            "direction",
            code="argument-says-nothing",
            argument="alternative",
            remedy="for a one-sided test choose a statistic such as 'log-loss' or 'ece'",
        )
    return row, one_of("alternative", alternative, ALTERNATIVES)


def any_view(data: Predictions, view: str | None, purpose: str) -> tuple[str, Predictions | None]:
    """Return the view's name and its binary table; None sees all classes at once."""
    only_predictions(data).need_one_model(purpose)
    if data.levels is not None and data.levels.view is not None:
        data.levels.need_view(view or data.levels.view)
    elif view is None or view == ALL_CLASSES:
        return ALL_CLASSES, None
    return binary_view(data, view, purpose)


def score_view(
    data: Predictions, name: str, view: str | None, purpose: str
) -> tuple[str, Predictions | None]:
    """Return view and table of a score: the Brier score of two classes is of one of them."""
    view_name, binary = any_view(data, view, purpose)
    if name == "brier-score" and binary is None and data.k == 2:
        view_name = f"one-vs-rest:{data.classes[data.positive]}"
    return view_name, binary


def binary_view(data: Predictions, view: str | None, purpose: str) -> tuple[str, Predictions]:
    """Return the name of a binary view and its table; the usual one where none is named."""
    only_predictions(data).need_one_model(purpose)
    usual = "one-vs-rest" if data.k == 2 else "top-label"
    if data.levels is not None and data.levels.view is not None:
        usual = data.levels.view
    if (view or usual).partition(":")[0] not in BINARY_VIEWS:
        known = ("top-label", "one-vs-rest:CLASS", "top-k:K")
        raise ParameterError(
            f"`view` for {purpose} must be one of {', '.join(map(quoted, known))}, got "
            f"{quoted(view)}{near_names(view, known)}",
            code="view-not-possible",
        )
    definition = define_error(data, view or usual)
    return definition.name, binary_table(data, definition, purpose)


def _plain(title: str, view: str, statistic: Measurable) -> NamedStatistic:
    return NamedStatistic(title, view, None, None, _outcome(view), statistic)


def _outcome(view: str) -> str:
    return "correct" if view.startswith("top-") else "class"
