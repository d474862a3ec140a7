"""Counts and rates of a confusion matrix of two classes: the table of names, and their values.

A rate is a formula in counts and other rates. Curves read the same text by their own engine, and
a test holds the two equal, so that a rate means one thing. With a zero denominator it is
undefined, never 0, and the reason is given.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plumbline._checks import near_names, shorten
from plumbline.errors import ParameterError
from plumbline.formatting import folded, titles_in
from plumbline.formula import Level, Variable

Best: TypeAlias = Literal["high", "low"]


@dataclass(frozen=True, slots=True)
class Count:
    """A sum of the weights of rows.

    Attributes
    ----------
    title : what an axis or a row of a table is called
    meaning : half a sentence for documentation, completion and errors
    level : "state" where it depends on the threshold, "set" where it does not
    """

    title: str
    meaning: str
    level: Level = "state"


@dataclass(frozen=True, slots=True)
class Rate:
    """A quotient, a mean or a difference of counts.

    Attributes
    ----------
    formula : in the names of `COUNTS` and `RATES`
    title : what an axis or a row of a table is called
    meaning : half a sentence for documentation, completion and errors
    aliases : further names of the same
    best : whether high or low values are better, None where neither is
    level : "state" where it depends on the threshold, "set" where it does not
    share : whether it is a share of rows, each of which counts once: those that it divides by
    limits : the least and the largest value that it can have
    """

    formula: str
    title: str
    meaning: str
    aliases: tuple[str, ...] = ()
    best: Best | None = "high"
    level: Level = "state"
    share: bool = False
    limits: tuple[float, float] = (0.0, 1.0)


SIGNED, RATIO = (-1.0, 1.0), (0.0, math.inf)  # limits of differences and of quotients of rates

COUNTS: Mapping[str, Count] = {
    "TP": Count("True positives", "positives that are predicted positive"),
    "FP": Count("False positives", "negatives that are predicted positive"),
    "TN": Count("True negatives", "negatives that are predicted negative"),
    "FN": Count("False negatives", "positives that are predicted negative"),
    "PP": Count("Predicted positives", "rows that are predicted positive, TP + FP"),
    "NP": Count("Predicted negatives", "rows that are predicted negative, TN + FN"),
    "P": Count("Positives", "rows of the target class", level="set"),
    "N": Count("Negatives", "rows of the other classes", level="set"),
    "NN": Count("Rows", "all rows, P + N", level="set"),
}

RATES: Mapping[str, Rate] = {
    # of the rows of one true class
    "TPR": Rate(
        "TP / P",
        "True positive rate (recall)",
        "share of the positives that are predicted positive",
        aliases=("recall", "sensitivity", "hit_rate"),
        share=True,
    ),
    "FNR": Rate(
        "FN / P",
        "False negative rate",
        "share of the positives that are predicted negative",
        aliases=("miss_rate",),
        best="low",
        share=True,
    ),
    "TNR": Rate(
        "TN / N",
        "True negative rate (specificity)",
        "share of the negatives that are predicted negative",
        aliases=("specificity", "selectivity"),
        share=True,
    ),
    "FPR": Rate(
        "FP / N",
        "False positive rate",
        "share of the negatives that are predicted positive",
        aliases=("fall_out",),
        best="low",
        share=True,
    ),
    # of the rows of one predicted class
    "PPV": Rate(
        "TP / PP",
        "Precision (positive predictive value)",
        "share of the predicted positives that are positive",
        aliases=("precision",),
        share=True,
    ),
    "FDR": Rate(
        "FP / PP",
        "False discovery rate",
        "share of the predicted positives that are negative",
        best="low",
        share=True,
    ),
    "NPV": Rate(
        "TN / NP",
        "Negative predictive value",
        "share of the predicted negatives that are negative",
        share=True,
    ),
    "FOR": Rate(
        "FN / NP",
        "False omission rate",
        "share of the predicted negatives that are positive",
        best="low",
        share=True,
    ),
    # of all rows
    "CA": Rate(
        "(TP + TN) / NN",
        "Classification accuracy",
        "share of the rows that are predicted correctly",
        aliases=("acc", "accuracy"),
        share=True,
    ),
    "error_rate": Rate(
        "(FP + FN) / NN",
        "Error rate",
        "share of the rows that are predicted wrongly",
        aliases=("error",),
        best="low",
        share=True,
    ),
    "queue_rate": Rate(
        "PP / NN",
        "Queue rate",
        "share of the rows that are predicted positive",
        aliases=("RPP",),
        best=None,
        share=True,
    ),
    "prevalence": Rate(
        "P / NN",
        "Prevalence",
        "share of the rows that are positive",
        aliases=("base_rate",),
        best=None,
        level="set",
        share=True,
    ),
    # means of several rates
    "balanced_accuracy": Rate(
        "(TPR + TNR) / 2",
        "Balanced accuracy",
        "mean of the shares of positives and of negatives that are predicted correctly",
        aliases=("BA",),
    ),
    "G_mean": Rate(
        "sqrt(TPR * TNR)",
        "Geometric mean of recall and specificity",
        "geometric mean of recall and specificity (Kubat and Matwin 1997)",
    ),
    "F1": Rate(
        "2 * TP / (2 * TP + FP + FN)",
        "F1",
        "harmonic mean of precision and recall",
        aliases=("f1_score", "dice"),
    ),
    "F2": Rate(
        "5 * TP / (5 * TP + FP + 4 * FN)",
        "F2",
        "harmonic mean of precision and recall, recall weighing 4 times (van Rijsbergen 1979)",
    ),
    "F05": Rate(
        "1.25 * TP / (1.25 * TP + FP + 0.25 * FN)",
        "F0.5",
        "harmonic mean of precision and recall, precision weighing 4 times (van Rijsbergen 1979)",
    ),
    "fowlkes_mallows": Rate(
        "sqrt(PPV * TPR)",
        "Fowlkes-Mallows index",
        "geometric mean of precision and recall (Fowlkes and Mallows 1983)",
        aliases=("FM",),
    ),
    "jaccard": Rate(
        "TP / (TP + FP + FN)",
        "Jaccard index",
        "share of true positives among the rows that are or are predicted positive",
        aliases=("CSI", "threat_score", "IoU"),
        share=True,
    ),
    # beyond chance
    "informedness": Rate(
        "TPR - FPR",
        "Informedness (Youden's J)",
        "recall less the false positive rate, 0 for random predictions (Youden 1950)",
        aliases=("youden", "TSS"),
        limits=SIGNED,
    ),
    "markedness": Rate(
        "PPV - FOR",
        "Markedness",
        "precision less the false omission rate, 0 for random predictions (Powers 2011)",
        limits=SIGNED,
    ),
    "MCC": Rate(
        "(TP * TN - FP * FN) / (sqrt(PP * P) * sqrt(N * NP))",
        "Matthews correlation coefficient",
        "correlation of truth and prediction, 0 for random predictions (Matthews 1975)",
        aliases=("phi",),
        limits=SIGNED,
    ),
    "kappa": Rate(
        "2 * (TP * TN - FP * FN) / (PP * N + P * NP)",
        "Cohen's kappa",
        "agreement beyond random predictions, as a share of the largest possible (Cohen 1960)",
        aliases=("HSS", "cohen_kappa"),
        limits=SIGNED,
    ),
    "equitable_threat_score": Rate(
        "(TP * NN - P * PP) / ((TP + FP + FN) * NN - P * PP)",
        "Equitable threat score",
        "Jaccard index beyond random predictions (Gilbert 1884)",
        aliases=("ETS",),
        limits=SIGNED,
    ),
    "WRAcc": Rate(
        "TP / NN - P / NN * PP / NN",
        "Weighted relative accuracy",
        "covariance of truth and prediction (Lavrač, Flach and Zupan 1999)",
        limits=SIGNED,
    ),
    "lift": Rate(
        "TP * NN / (PP * P)",
        "Lift",
        "precision as a multiple of the prevalence, 1 for random predictions",
        limits=RATIO,
    ),
    # ratios
    "PLR": Rate(
        "TPR / FPR",
        "Positive likelihood ratio",
        "factor by which a positive prediction multiplies the odds of being positive",
        aliases=("LR_positive",),
        limits=RATIO,
    ),
    "NLR": Rate(
        "FNR / TNR",
        "Negative likelihood ratio",
        "factor by which a negative prediction multiplies the odds of being positive",
        aliases=("LR_negative",),
        best="low",
        limits=RATIO,
    ),
    "DOR": Rate(
        "TP * TN / (FP * FN)",
        "Diagnostic odds ratio",
        "odds of a positive prediction in positives, as a multiple of those in negatives",
        aliases=("odds_ratio",),
        limits=RATIO,
    ),
    "frequency_bias": Rate(
        "PP / P",
        "Frequency bias",
        "predicted positives as a multiple of the positives, 1 where their numbers agree",
        best=None,
        limits=RATIO,
    ),
    "prevalence_threshold": Rate(
        "sqrt(FPR) / (sqrt(TPR) + sqrt(FPR))",
        "Prevalence threshold",
        "prevalence below which precision falls steeply (Balayla 2020)",
        best="low",
    ),
}


def variables() -> dict[str, Variable]:
    """Return what every count, rate and alias stands for in a formula.

    >>> variables()["recall"].formula
    'TP / P'
    >>> variables()["prevalence"].level
    'set'
    """
    named = {
        name: Variable(count.level, "number", count.meaning, threshold=count.level == "state")
        for name, count in COUNTS.items()
    }
    for name, rate in RATES.items():
        threshold = rate.level == "state"
        variable = Variable(
            rate.level, "number", rate.meaning, threshold=threshold, formula=rate.formula
        )
        named |= dict.fromkeys((name, *rate.aliases), variable)
    return named


Floats = NDArray[np.float64]

CELLS = ("TP", "FP", "TN", "FN")
SUMS = {
    **{cell: (cell,) for cell in CELLS},
    "PP": ("TP", "FP"),
    "NP": ("FN", "TN"),
    "P": ("TP", "FN"),
    "N": ("FP", "TN"),
    "NN": CELLS,
}
BETAS = 1e-3, 1e3  # the least and the largest
F_BETA = re.compile(r"f([0-9]*\.?[0-9]+|[0-9]+\.)")


def rate_named(name: object) -> tuple[str, Rate]:
    """Return the name that `RATES` has for a rate, and the rate.

    Any alias or title will do; case, spaces, "-", "_", "'" and brackets do not matter.
    F_beta is "F" and beta: "F0.5", "F3" (van Rijsbergen 1979). Raises ParameterError for other
    names, with the nearest.

    >>> rate_named("hit-rate")[0], rate_named("Youden's J")[0], rate_named("F3")[1].formula
    ('TPR', 'informedness', '10 * TP / (10 * TP + FP + 9 * FN)')
    """
    result = _names().get(folded(name), "")
    if result in RATES:
        return result, RATES[result]
    beta = F_BETA.fullmatch(str(name).strip().casefold())
    if beta and BETAS[0] <= float(beta[1]) <= BETAS[1]:
        return f_beta(float(beta[1]))
    known = [*RATES, *(other for rate in RATES.values() for other in other_names(rate))]
    raise ParameterError(
        f"a rate must be one of {', '.join(RATES)}, one of their other names, or F with beta such "
        f"as 'F0.5', got {shorten(name)}{near_names(name, known)}",
        code="unknown-rate",
    )


def f_beta(beta: float) -> tuple[str, Rate]:
    """Return name and rate of F_beta = (1 + beta^2) TP / ((1 + beta^2) TP + FP + beta^2 FN).

    >>> f_beta(2.0)[0], f_beta(0.25)[1].title
    ('F2', 'F0.25')
    """
    title = f"F{float(beta)!r}".removesuffix(".0")
    for name, rate in RATES.items():
        if rate.title == title:
            return name, rate
    square = float(beta) ** 2
    return title, Rate(
        f"{1 + square!r} * TP / ({1 + square!r} * TP + FP + {square!r} * FN)".replace(".0 ", " "),
        title,
        f"harmonic mean of precision and recall, recall weighing {square:g} times "
        "(van Rijsbergen 1979)",
    )


def rate_values(name: object, tp: ArrayLike, fp: ArrayLike, tn: ArrayLike, fn: ArrayLike) -> Floats:
    """Return a rate, or a count, of one table or of many: NaN where it is undefined.

    The counts are numbers or arrays, which broadcast; they may be sums of weights. Any name of
    `RATES` or `COUNTS` or an alias will do, and F_beta, as in `rate_named`. What divides by 0 is
    undefined, never infinite, as in curves.

    >>> rate_values("precision", [6, 0], [12, 0], [130, 990], [2, 10])
    array([0.33333333,        nan])
    """
    result = _names().get(folded(name), "")
    formula = result if result in COUNTS else rate_named(name)[1].formula
    return _computed(formula, tp, fp, tn, fn)


def why_undefined(
    name: object, tp: float, fp: float, tn: float, fn: float, *, label: str | None = None
) -> str | None:
    """Return why a rate of one table is undefined; None where it has a value.

    `label` is what the text calls the rate, its name unless told otherwise.

    >>> why_undefined("precision", 0, 0, 990, 10)
    'precision is undefined: there are no predicted positives'
    >>> why_undefined("fowlkes-mallows", 0, 0, 990, 10)
    'fowlkes mallows is undefined: it needs PPV, and there are no predicted positives'
    """
    counts = tp, fp, tn, fn
    if not np.isnan(rate_values(name, *counts)):
        return None
    called = re.sub("[-_]", " ", str(name)) if label is None else label
    reason = _why(rate_named(name)[1].formula, *(float(count > 0) for count in counts))
    return f"{called} is undefined: {reason}"


def rows_shared(name: str, tp: ArrayLike, fp: ArrayLike, tn: ArrayLike, fn: ArrayLike) -> Floats:
    """Return how many rows a rate that is a share of rows divides by.

    >>> rows_shared("PPV", 6, 12, 130, 2), rows_shared("jaccard", 6, 12, 130, 2)
    (array(18.), array(20.))
    """
    return _computed(_divisor(rate_named(name)[1].formula), tp, fp, tn, fn)


@cache
def _why(formula: str, *counts: float) -> str:
    """Say why a denominator is 0, in the terms of the innermost rate.

    The counts are 1 for any number of rows: which of them are 0 is what makes a rate undefined.
    """
    for part in re.findall(r"\w+", formula):
        if part in RATES and np.isnan(rate_values(part, *counts)):
            return f"it needs {part}, and {_why(RATES[part].formula, *counts)}"
    divisor = _divisor(formula)
    if divisor in COUNTS:
        return f"there are no {COUNTS[divisor].title.lower()}"
    parts = dict.fromkeys(re.findall(r"[A-Z]+", divisor)).keys()
    none = [part for part in parts & COUNTS.keys() if rate_values(part, *counts) == 0]
    if not none or not parts <= COUNTS.keys():
        return f"{divisor} is 0"
    listed = " and no ".join(COUNTS[part].title.lower() for part in parts if part in none)
    return f"{divisor} is 0, as there are no {listed}"


def _computed(formula: str, tp: ArrayLike, fp: ArrayLike, tn: ArrayLike, fn: ArrayLike) -> Floats:
    """Return a formula in counts and rates of every table."""
    counts = np.broadcast_arrays(*(np.asarray(count, np.float64) for count in (tp, fp, tn, fn)))
    return _Values(zip(CELLS, counts, strict=True)).of(formula)


def other_names(rate: Rate) -> tuple[str, ...]:
    """Return the aliases of a rate and what tables print as its name."""
    return *rate.aliases, *titles_in(rate.title)


@cache
def _names() -> Mapping[str, str]:
    """Return every name, alias and title without case and signs, and the name it stands for."""
    pairs = {folded(name): name for name in (*COUNTS, *RATES)}
    for name, rate in RATES.items():
        for other in other_names(rate):
            pairs.setdefault(folded(other), name)
    for name, count in COUNTS.items():
        pairs.setdefault(folded(count.title), name)
    return pairs


def _divisor(formula: str) -> str:
    divisor = formula.rpartition(" / ")[2]
    return divisor[1:-1] if divisor.startswith("(") else divisor


@cache
def _code(formula: str) -> CodeType:
    return compile(formula, "<rate>", "eval")


class _Values(dict[str, Floats]):
    """Counts of tables by name, and every other count and rate once it was asked for."""

    def of(self, formula: str) -> Floats:
        """Return a formula in counts and rates; NaN where it is not finite.

        Only formulas of this module come here, never a user's text, which `plumbline.formula`
        reads: they are Python as they stand, and twenty times as fast as through that engine.
        """
        with np.errstate(all="ignore"):
            value = eval(_code(formula), {"__builtins__": {}, "sqrt": np.sqrt}, self)  # noqa: S307
        return np.where(np.isfinite(value), value, np.nan)

    def __missing__(self, name: str) -> Floats:
        """Compute a sum of cells, or a rate, for all that ask for it after this."""
        if name in SUMS:
            first, *others = (self[cell] for cell in SUMS[name])
            self[name] = sum(others, start=first)
        else:
            self[name] = self.of(RATES[name].formula)
        return self[name]
