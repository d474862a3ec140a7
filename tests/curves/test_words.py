"""What curves, best thresholds, differences and chosen cases say, word by word."""

from pathlib import Path

import numpy as np
import pytest

from plumbline import PlumblineError, Predictions, curve
from plumbline.curves import (
    areas_of_classes,
    best_threshold,
    cases_between,
    cheapest_points,
    class_counts,
    counts_of_lines,
    curve_difference,
    curves_by_group,
    read_curve,
    roc_auc_interval,
    usual_goal,
)
from plumbline.curves.smoothing import interval_words
from snapshots import same_words

N = 120
RNG = np.random.default_rng(8)
PROB = RNG.random(N).round(2)
EVENT = (RNG.random(N) < PROB).astype(int)
AGE = np.where(np.arange(N) % 30 == 0, np.nan, np.arange(N) % 60 + 18.0)
ATTRIBUTES = {"age": AGE, "town": np.where(RNG.random(N) < PROB, "east", "west")}
DATA = Predictions.from_arrays(EVENT, PROB, attributes=ATTRIBUTES)


def test_curves_say_what_the_snapshot_holds():
    """How a curve is drawn, what is odd about it, and why it has no point."""
    one_class = Predictions.from_arrays([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.8], fold=[0, 0, 1, 1])
    settings = {
        "roc": {"preset": "roc"},
        "filter, folds": {"preset": "roc", "where": "age > 40", "target": "0"},
        "sorted by age": {"x": "cumm(1)", "y": "cumm(eP)", "sort_by": "age"},
        "unsorted": {"x": "cumm(1)", "y": "cumm(eP)", "direction": "unsorted"},
        "a rule": {"x": "PP", "y": "cumm(1)", "sort_by": "probability * age"},
        "categories": {"x": "town", "y": "eCA"},
        "undefined": {"x": "threshold", "y": "age / (TP > 5)"},
    }
    words = {}
    for title, given in settings.items():
        result = curve(DATA, **given)
        dropped = [f"{count}: {reason}" for reason, count in result.dropped.items()]
        words[title] = [
            part for text in (result.description, *result.notes, *dropped) for part in (text, " ")
        ]
    empty = curve(one_class, "roc", average="none")
    words["a fold of one class"] = [str(line.reason) for line in empty.lines]
    words["folds averaged"] = curve(one_class, "roc", average="vertical").notes
    words["interval of a category"] = [interval_words(0.95)]
    same_words(Path(__file__).with_name("snapshots") / "curves.txt", words)


def test_thresholds_and_differences_say_what_the_snapshot_holds():
    """Verdicts, reasons and notes."""
    again = Predictions.from_arrays(
        np.tile(EVENT, 2),
        np.tile(PROB, 2),
        row=np.tile(np.arange(N), 2),
        repeat=[0] * N + [1] * N,
        attributes={name: np.tile(values, 2) for name, values in ATTRIBUTES.items()},
    )
    pair = Predictions.from_arrays(
        np.tile(EVENT, 2),
        np.concatenate([PROB, RNG.random(N)]),
        model=["A"] * N + ["B"] * N,
        row=np.tile(np.arange(N), 2),
    )
    best = {
        "accuracy": best_threshold(DATA, resamples=99),
        "constraint": best_threshold(DATA, subject_to="recall >= 0.9", resamples=99),
        "impossible": best_threshold(DATA, subject_to="(TP - FP) * 2 >= 1e9", resamples=99),
        "accept all": best_threshold(DATA, "TPR", resamples=99),
        "the threshold as a value": best_threshold(DATA, "CA - threshold / 99", resamples=99),
        "repeats": best_threshold(again, resamples=99),
    }
    words = {
        title: [result.present().summary, *result.present().notes, *result.present().legend[3:]]
        for title, result in best.items()
    }
    difference = curve_difference(pair, "roc", resamples=99)
    words["difference"] = [difference.verdict, *difference.notes]
    cases, none = cases_between(again, low=0.4, high=0.6), cases_between(DATA, low=2)
    words["cases"] = cases.notes
    words["cases by age"] = cases_between(DATA, low=40, sort_by="age").notes
    words["no cases"] = [str(none.reason)]
    few = cases_between(DATA, low=float(PROB.max()))
    words["few cases"] = sorted({str(one["reason"]) for one in few.differing})
    same_words(Path(__file__).with_name("snapshots") / "answers.txt", words)


OWN = np.random.default_rng(9)
MODELS = Predictions.from_arrays(
    np.tile(EVENT, 2),
    np.concatenate([PROB, OWN.random(N).round(1)]),
    model=["A"] * N + ["B"] * N,
    row=np.tile(np.arange(N), 2),
)
THREE = Predictions.from_arrays(
    np.arange(90) % 3, OWN.dirichlet([1, 2, 3], 90), fold=np.arange(90) // 3 % 2
)
RATINGS = Predictions.from_arrays(EVENT, score=np.round(5 * PROB))
COUNTED = Predictions.from_arrays([0, 0, 1, 1], [0.1, 0.6, 0.6, 0.9], count=[40, 10, 20, 30])
ROC = curve(DATA, "roc")
PRINTED = {
    "roc": lambda: ROC,
    "roc of two models, with a band": lambda: curve(
        MODELS, "roc", band="bootstrap", resamples=40, level=0.8
    ),
    "roc of classes": lambda: curve(THREE, "roc", multiclass="per-class"),
    "roc of folds": lambda: curve(THREE, "roc", target="2", average="none"),
    "lift of counts": lambda: curve(COUNTED, "lift"),
    "accuracy of counts": lambda: curve(COUNTED, x="probability", y="CA"),
    "recall of ratings": lambda: curve(RATINGS, "precision-recall"),
    "best threshold": lambda: best_threshold(MODELS.select(model="B"), "F1", resamples=40),
    "best threshold of ratings": lambda: best_threshold(RATINGS, "CA", resamples=40),
    "best threshold of counts": lambda: best_threshold(COUNTED, "CA", resamples=40),
    "difference": lambda: curve_difference(MODELS, "roc", resamples=40, points=11),
    "cases": lambda: cases_between(MODELS.select(model="A"), low=0.45, high=0.5),
    "groups": lambda: curves_by_group(DATA, ROC.settings, by="town"),
    "areas": lambda: areas_of_classes(THREE),
    "area": lambda: roc_auc_interval(DATA),
    "counts": lambda: class_counts(THREE, "probability"),
    "reading": lambda: read_curve(ROC, counts_of_lines(DATA, ROC.settings), threshold=0.3),
    "cheapest": lambda: cheapest_points(ROC, fp=1, fn=3)[0],
    "goal": lambda: usual_goal("recall"),
}


@pytest.mark.filterwarnings("ignore::plumbline.PlumblineWarning")
def test_printed_results_are_what_the_snapshot_holds():
    """Tables, intervals, notes and next steps of every kind of result."""
    words = {title: [repr(make()).replace("\n", "\n\n", 1)] for title, make in PRINTED.items()}
    same_words(Path(__file__).with_name("snapshots") / "printed.txt", words)


REFUSED = [
    {"x": "amount", "y": "TPR"},
    {"x": "age", "y": "recall", "sort_by": "age"},
    {"x": "FPR", "y": "town"},
    {"x": "FPR"},
    {"preset": "roc", "spam": 1},
    {"preset": "roc", "target": "2"},
    {"preset": "roc", "average": "vertical"},
    {"preset": "roc", "where": "age > 400"},
    {"preset": "roc", "band": "bootstrap", "average": "none"},
    {"x": "precision", "y": "recall", "band": "bootstrap"},
    {"preset": "roc", "params": {"rate": 2}},
]


def test_refusals_say_what_the_snapshot_holds():
    """The rule, what arrived, the remedy."""
    words = {}
    for given in REFUSED:
        with pytest.raises(PlumblineError) as caught:
            curve(DATA, **given)
        words[str(given)] = [str(caught.value)]
    same_words(Path(__file__).with_name("snapshots") / "refusals.txt", words)
