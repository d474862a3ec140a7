"""Choices of a parameter in words, as a control shows them for one table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from plumbline.formatting import percentage

if TYPE_CHECKING:
    from plumbline.predictions import Predictions

USUAL = ""  # the value that stands for the function's own choice


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a parameter.

    Attributes
    ----------
    value : the value in a question; `USUAL` is left out
    label : what a control shows
    help : a sentence beside the control while it is chosen
    facts : what the controls beside it need to know
    """

    value: str | float
    label: str
    help: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data; what is empty is left out."""
        return {
            "value": self.value,
            "label": self.label,
            **({"help": self.help} if self.help else {}),
            **self.facts,
        }


Choices: TypeAlias = Sequence[Choice] | Callable[["Predictions"], Sequence[Choice]]


def of_counts(*counts: int) -> list[Choice]:
    """Return whole numbers as choices."""
    return [Choice(count, f"{count:,}") for count in counts]


def views(data: "Predictions") -> list[Choice]:
    """Return the views of a row; `events` marks those of several events."""
    names = data.classes
    several = {"several": True}
    joint = Choice("joint", "Whole vectors", facts={**several, "binless": True})
    if data.k == 2:
        positive, other = names[data.positive], names[1 - data.positive]
        return [
            Choice(USUAL, f"Is it {positive}? (default)"),
            Choice(f"one-vs-rest:{other}", f"Is it {other}?"),
            Choice("top-label", "Is the more likely class correct?"),
            Choice("classwise", "Both classes in turn", facts=several),
            joint,
        ]
    among = [
        Choice(f"top-k:{k}", f"Is it among the {k} most likely?") for k in (2, 5) if k < data.k
    ]
    return [
        Choice(USUAL, "Is the most likely class correct? (default)"),
        *(Choice(f"one-vs-rest:{name}", f"Is it {name}?") for name in names),
        *among,
        Choice("classwise", "Every class in turn", facts=several),
        joint,
    ]


def views_of_one_event(data: "Predictions") -> list[Choice]:
    """Return the views of one event of a row."""
    return [choice for choice in views(data) if not choice.facts]


def views_in_bins(data: "Predictions") -> list[Choice]:
    """Return the views of which events can be binned or counted, one by one."""
    return [choice for choice in views(data) if choice.value != "joint"]


def views_of_scores(data: "Predictions") -> list[Choice]:
    """Return the two views that the calibration error among the scores has."""
    if data.k == 2:
        return [
            Choice(USUAL, "The positive class (default)"),
            Choice("top-label", "The top label"),
        ]
    return [Choice(USUAL, "The top label (default)"), Choice("classwise", "Class by class")]


NUMBERED = {"number": {"usual": 15, "least": 2, "most": 100}, "edges": True}
BINS = (
    Choice("equal-width", "Equal width", facts=NUMBERED),
    Choice("equal-size", "Equally many rows", facts=NUMBERED),
    Choice("tail-width", "Narrow near 0 and 1", facts=NUMBERED),
    Choice("log-odds-width", "Equal width in log-odds", facts=NUMBERED),
    Choice("freedman-diaconis", "Freedman–Diaconis rule", facts={"edges": True}),
    Choice("monotone-sweep", "Monotone sweep"),
    Choice("isotonic", "Isotonic"),
    Choice("one-per-point", "One row in each bin"),
)
BINS_OF_SCORES = (
    Choice(USUAL, "15 of equal width (default)"),
    *(Choice(f"equal-width:{count}", f"{count} of equal width") for count in (5, 10, 20)),
    *(Choice(f"equal-size:{count}", f"{count} of equal size") for count in (5, 10, 15, 20)),
)
# With the joint view a distance has to be a sum over the classes.
SINGLE = {"unless": {"view": ["joint"]}}
DISTANCES = (
    Choice("absolute", "Absolute"),
    Choice("square", "Square"),
    Choice("log", "Log"),
    Choice("chi-square", "Chi-square"),
    Choice("hellinger", "Hellinger", facts=SINGLE),
    Choice("overestimation", "Too high only", facts=SINGLE),
    Choice("underestimation", "Too low only", facts=SINGLE),
)
STATISTICS = (
    Choice("omnibus", "Omnibus: several tests combined"),
    Choice("ece", "Calibration error in bins", facts={"binned": True}),
    Choice("log-loss", "Log loss"),
    Choice("brier-score", "Brier score"),
    Choice("chi-square", "Chi-square"),
    Choice("spiegelhalter", "Spiegelhalter's Z"),
    Choice("hosmer-lemeshow", "Hosmer–Lemeshow"),
    Choice("cox", "Cox: slope and intercept"),
    Choice("kolmogorov-smirnov", "Kolmogorov–Smirnov"),
    Choice("kuiper", "Kuiper"),
    Choice("skce", "Kernel calibration error"),
)
NULLS = (
    Choice("auto", "Exact where that is quick, else drawn"),
    Choice("resample", "Drawn labels"),
)
GOALS = (Choice("max", "highest"), Choice("min", "lowest"))
LEVELS = tuple(Choice(level, percentage(level)) for level in (0.8, 0.9, 0.95, 0.99))
ADJUSTMENTS = (
    Choice("holm", "Holm"),
    Choice("benjamini-hochberg", "Benjamini and Hochberg"),
    Choice("none", "not adjusted"),
)


def shares(data: "Predictions") -> list[Choice]:
    """Return what the cells of a confusion matrix may show."""
    weighted = data.weight is not None and not data.counted
    return [
        Choice("none", "Weights" if weighted else "Counts"),
        Choice("actual", "Shares of the actual class"),
        Choice("predicted", "Shares of the predicted class"),
        Choice("all", "Shares of all weight" if weighted else "Shares of all rows"),
    ]


def recalibrations(data: "Predictions") -> list[Choice]:
    """Return the methods after which models may be compared."""
    from plumbline.recalibration import METHODS

    names = METHODS if data.prob is not None else ()
    return [Choice(USUAL, "no method"), *(Choice(name, name) for name in names)]


def recalibration_methods(data: "Predictions") -> list[Choice]:
    """Return the methods that read such a table, with what each does."""
    from plumbline.recalibration import AUTO, METHODS, PROBABILITY, SCORE

    read = SCORE if data.prob is None else PROBABILITY
    named = [row for row in METHODS.values() if read in row.on]
    return [
        Choice(AUTO, "As advised", "The simplest of the best methods, or none."),
        *(Choice(row.name, row.title[0].upper() + row.title[1:], row.text) for row in named),
    ]


INTERVALS = (
    Choice("auto", "Chosen by the rows"),
    Choice("wilson", "Wilson's, of shares of rows"),
    Choice("bootstrap", "Bootstrap, of every rate"),
    Choice("none", "None"),
)
DIRECTIONS = (
    Choice("descending", "From high to low"),
    Choice("ascending", "From low to high"),
    Choice("unsorted", "No sorting"),
)
MERGES = (
    Choice(
        "last",
        "Last value (ROC)",
        "One point after the last of them: they share a threshold.",
    ),
    Choice("average", "Average", "One point, their mean."),
    Choice("none", "No merge", "A point for every row, in the order of the table."),
)
AVERAGES = (
    Choice("merge", "Merge data folds"),
    Choice("none", "None: a line for each fold"),
    Choice("vertical", "Vertical averaging"),
    Choice("threshold", "Threshold averaging"),
    Choice("smooth", "Vertical smoothing (LOESS)"),
)
BANDS = (
    Choice("none", "None"),
    Choice("folds", "Spread over folds"),
    Choice("bootstrap", "Bootstrap"),
)
MULTICLASS = (
    Choice(USUAL, "One target class"),
    Choice("per-class", "Each class: a line for each class"),
    Choice("micro", "Micro average: every row counts once for each class"),
    Choice("macro", "Macro average: mean of the curves"),
)
MEASURES = (
    Choice("CA", "Classification accuracy"),
    Choice("F1", "F1"),
    Choice("informedness", "Informedness (Youden's J)"),
    Choice("balanced_accuracy", "Balanced accuracy"),
    Choice("MCC", "Matthews correlation"),
)


EFFECTS = (
    Choice(
        "overconfident",
        "Overconfident",
        "Above 1: predictions are too extreme.",
        {"size": {"usual": 1.2, "unit": "Temperature", "least": 1, "most": 100, "step": 0.05}},
    ),
    Choice(
        "underconfident",
        "Underconfident",
        "Below 1: predictions are not extreme enough.",
        {"size": {"usual": 0.8, "unit": "Temperature", "least": 0.01, "most": 1, "step": 0.05}},
    ),
    Choice(
        "shift",
        "Shifted probability",
        "The observed frequency is that much higher; below 0 lower.",
        {"size": {"usual": 0.05, "unit": "Shift", "least": -1, "most": 1, "step": 0.01}},
    ),
    Choice(
        "random-labels",
        "Random labels",
        "In this share of the rows the label is random.",
        {"size": {"usual": 0.05, "unit": "Share of rows", "least": 0, "most": 1, "step": 0.01}},
    ),
    Choice(
        "ece",
        "Population calibration error",
        "Overconfidence of this size.",
        {"size": {"usual": 0.03, "unit": "Error", "least": 0, "most": 1, "step": 0.01}},
    ),
)

# Request -> parameter -> what a control offers; "" is every other request.
CHOICES: Mapping[str, Mapping[str, Choices]] = {
    "": {
        "view": views,
        "bins": BINS,
        "distance": DISTANCES,
        "statistic": STATISTICS,
        "resamples": of_counts(199, 999, 9999),
        "level": LEVELS,
    },
    "scores": {"view": views_of_scores, "bins": BINS_OF_SCORES},
    "compare": {"adjust": ADJUSTMENTS, "after": recalibrations},
    "confusion": {"shares": shares, "interval": INTERVALS},
    "curve": {
        "direction": DIRECTIONS,
        "merge": MERGES,
        "average": AVERAGES,
        "band": BANDS,
        "multiclass": MULTICLASS,
        "resamples": of_counts(200, 500, 2000),
    },
    "optimum": {"goal": GOALS, "y": MEASURES},
    "recalibration": {"method": recalibration_methods},
    "diagnosis": {"view": views_of_one_event},
    "sensitivity": {"view": views_in_bins},
    "heterogeneity": {"view": views_of_one_event},
    "groups": {"view": views_of_one_event},
    "slices": {"view": views_in_bins},
    "test": {"null": NULLS},
    "monitor": {"level": ()},
    "class-counts": {
        "bins": (Choice(USUAL, "About 12, of round width"), *of_counts(10, 20, 50, 100)),
    },
    "plan": {
        "effect": EFFECTS,
        "statistic": (*STATISTICS, Choice("auto", "The best of all (slower)")),
        "level": (),
        "datasets": (
            Choice(50, "Quick: 50 data sets a point, the power ± 0.06"),
            Choice(USUAL, "Usual: 50 to 150 a point, as rows allow"),
        ),
    },
}


def choices_of(request: str, parameter: str, data: "Predictions") -> Sequence[Choice]:
    """Return what a control offers for a parameter, in its order; empty where it is a field."""
    own = CHOICES.get(request, {})
    choices = own[parameter] if parameter in own else CHOICES[""].get(parameter, ())
    return choices(data) if callable(choices) else choices
