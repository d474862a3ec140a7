"""The table of counts and rates of a confusion matrix of two classes: a name, and what it means.

A rate is a formula in counts and other rates. Where it divides by 0 it is undefined, never 0.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from plumbline.formula.variables import Level, Variable

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
        "share of the positives that are found",
        aliases=("recall", "sensitivity", "hit_rate"),
        share=True,
    ),
    "FNR": Rate(
        "FN / P",
        "False negative rate",
        "share of the positives that are missed",
        aliases=("miss_rate",),
        best="low",
        share=True,
    ),
    "TNR": Rate(
        "TN / N",
        "True negative rate (specificity)",
        "share of the negatives that are left alone",
        aliases=("specificity", "selectivity"),
        share=True,
    ),
    "FPR": Rate(
        "FP / N",
        "False positive rate",
        "share of the negatives that are false alarms",
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
        "share of the rows that are predicted right",
        aliases=("acc", "accuracy"),
        share=True,
    ),
    "error_rate": Rate(
        "(FP + FN) / NN",
        "Error rate",
        "share of the rows that are predicted wrong",
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
        "mean of the shares of positives and of negatives that are predicted right",
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
        "recall less the false positive rate, 0 by chance (Youden 1950)",
        aliases=("youden", "TSS"),
        limits=SIGNED,
    ),
    "markedness": Rate(
        "PPV - FOR",
        "Markedness",
        "precision less the false omission rate, 0 by chance (Powers 2011)",
        limits=SIGNED,
    ),
    "MCC": Rate(
        "(TP * TN - FP * FN) / (sqrt(PP * P) * sqrt(N * NP))",
        "Matthews correlation coefficient",
        "correlation of truth and prediction, 0 by chance (Matthews 1975)",
        aliases=("phi",),
        limits=SIGNED,
    ),
    "kappa": Rate(
        "2 * (TP * TN - FP * FN) / (PP * N + P * NP)",
        "Cohen's kappa",
        "agreement beyond chance, as a share of the most possible (Cohen 1960)",
        aliases=("HSS", "cohen_kappa"),
        limits=SIGNED,
    ),
    "equitable_threat_score": Rate(
        "(TP * NN - P * PP) / ((TP + FP + FN) * NN - P * PP)",
        "Equitable threat score",
        "Jaccard index beyond chance (Gilbert 1884)",
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
        "precision as a multiple of the prevalence, 1 by chance",
        limits=RATIO,
    ),
    # ratios
    "PLR": Rate(
        "TPR / FPR",
        "Positive likelihood ratio",
        "factor by which a positive prediction raises the odds of being positive",
        aliases=("LR_positive",),
        limits=RATIO,
    ),
    "NLR": Rate(
        "FNR / TNR",
        "Negative likelihood ratio",
        "factor that a negative prediction leaves of the odds of being positive",
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
