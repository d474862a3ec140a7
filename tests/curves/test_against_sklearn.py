"""The confusion matrix and its rates beside scikit-learn's, on random labels."""

import warnings
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

from plumbline import Predictions, confusion_matrix
from plumbline.confusion import ConfusionMatrix

NAN = np.nan
AVERAGES = ("micro", "macro", "weighted")


class Case(NamedTuple):
    """Random labels, their weights or None, and the matrix made of them."""

    actual: Any
    predicted: Any
    weight: Any
    matrix: ConfusionMatrix

    @property
    def classes(self) -> list[int]:
        """All class numbers, those that never occur too."""
        return list(range(len(self.matrix.classes)))

    def ask(self, function: Any, **options: Any) -> Any:
        """Return what a function of scikit-learn says of the labels."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
            return function(self.actual, self.predicted, sample_weight=self.weight, **options)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Return labels of 2 to 6 classes, some of which are rare, never true or never predicted."""
    rng, result = np.random.default_rng(7), []
    for turn, k in enumerate((2, 3, 4, 5, 6, 2, 3, 4, 2)):
        n = int(rng.integers(k + 2, 60))
        actual = rng.integers(0, k, n)
        predicted = np.where(rng.random(n) < 0.5, actual, rng.integers(0, k, n))
        if turn % 3 == 1:
            actual[actual == 0] = 1
        if turn % 3 == 2 and k > 2:
            predicted[predicted == k - 2] = k - 1
        if turn % 6 == 4 and k > 3:
            actual, predicted = actual % (k - 1), predicted % (k - 1)
        weight = rng.choice([0.3, 0.7, 1.0, 2.6], n) if turn % 2 else None
        data = Predictions.from_arrays(actual, predicted=predicted, classes=range(k), weight=weight)
        result.append(Case(actual, predicted, weight, confusion_matrix(data)))
    return result


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(None, None), ("actual", "true"), ("predicted", "pred"), ("all", "all")],
)
def test_the_matrix_and_its_shares(cases, ours, theirs):
    """Counts are the same to the last bit; a class without rows has no shares, there 0."""
    for case in cases:
        expected = case.ask(metrics.confusion_matrix, labels=case.classes, normalize=theirs)
        result = case.matrix.normalized(ours)
        np.testing.assert_allclose(np.nan_to_num(result), expected, rtol=1e-13)


def test_the_tables_of_every_class(cases):
    """TN, FP, FN and TP of each class against the rest."""
    for case in cases:
        expected = case.ask(metrics.multilabel_confusion_matrix, labels=case.classes)
        tables = case.matrix.class_tables().values()
        result = [[[t["TN"], t["FP"]], [t["FN"], t["TP"]]] for t in tables]
        np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


OVERALL = {
    "accuracy": metrics.accuracy_score,
    "error": metrics.zero_one_loss,
    "error_rate": metrics.hamming_loss,
    "kappa": metrics.cohen_kappa_score,
    "kappa_linear": partial(metrics.cohen_kappa_score, weights="linear"),
    "kappa_quadratic": partial(metrics.cohen_kappa_score, weights="quadratic"),
    "MCC": metrics.matthews_corrcoef,
}


@pytest.mark.parametrize("name", OVERALL)
def test_rates_of_the_whole_table(cases, name):
    """Defined alike, with weights and absent classes."""
    for case in cases:
        labels = {"labels": case.classes} if "kappa" in name else {}
        expected = case.ask(OVERALL[name], **labels)
        result = case.matrix.overall().value(name)
        if name == "MCC" and expected == 0 and np.isnan(result):
            assert 1 in (len(set(case.actual)), len(set(case.predicted)))
        else:
            assert result == pytest.approx(expected, rel=1e-11, abs=1e-13, nan_ok=True)


def test_balanced_accuracy_of_several_classes(cases):
    """The mean recall of the classes that occur: with "skip" what scikit-learn does silently."""
    compared = 0
    for case in cases:
        if len(case.classes) > 2:
            expected = case.ask(metrics.balanced_accuracy_score)
            result = case.matrix.overall(undefined="skip").value("balanced accuracy")
            assert result == pytest.approx(expected, rel=1e-12)
            strict = case.matrix.overall().value("balanced accuracy")
            never_true = np.setdiff1d(case.predicted, case.actual)
            assert np.isnan(strict) == bool(len(never_true))
            compared += len(never_true) == 0
    assert compared >= 2


RATES = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "F1": metrics.f1_score,
    "F3": partial(metrics.fbeta_score, beta=3),
    "F0.3": partial(metrics.fbeta_score, beta=0.3),
    "jaccard": metrics.jaccard_score,
}


def without_zeros(name: str) -> dict[str, float]:
    """Return the option that keeps scikit-learn from calling 0/0 zero, where it has one."""
    return {} if name == "jaccard" else {"zero_division": NAN}


@pytest.mark.parametrize("name", RATES)
def test_rates_of_every_class(cases, name):
    """Per class, where both are defined; ours is NaN exactly where theirs would divide 0 by 0."""
    for case in cases:
        expected = case.ask(RATES[name], labels=case.classes, average=None, **without_zeros(name))
        rates = case.matrix.rates(name, classes=case.matrix.classes, average=())
        result = np.array([rates.value(name, str(c)) for c in case.classes])
        if name == "jaccard":
            assert np.all(expected[np.isnan(result)] == 0)
            result = np.nan_to_num(result)
        np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", ["precision", "recall", "F0.3", "jaccard"])
def test_averages_over_classes(cases, name, average):
    """Micro, macro and weighted means over the classes that occur, undefined ones left out."""
    for case in cases:
        expected = case.ask(RATES[name], average=average, **without_zeros(name))
        rates = case.matrix.rates(name, average=average, undefined="skip")
        assert rates.value(name, average) == pytest.approx(expected, rel=1e-12)


def test_likelihood_ratios_of_two_classes(cases):
    """Undefined wherever they divide by 0, on both sides."""
    compared = 0
    for case in cases:
        if len(case.classes) == 2 and len(set(case.actual)) == 2:
            expected = case.ask(metrics.class_likelihood_ratios, labels=case.classes)
            rates = case.matrix.rates(["PLR", "NLR"])
            result = rates.value("PLR"), rates.value("NLR")
            assert result == pytest.approx(expected, rel=1e-12, nan_ok=True)
            compared += 1
    assert compared >= 2


def test_balanced_accuracy_of_two_classes_one_of_which_is_absent():
    """Skipping leaves the recall of the class that is there, as scikit-learn does."""
    matrix = ConfusionMatrix.from_counts([[4, 1], [0, 0]], rows="actual")
    result = matrix.overall(undefined="skip").value("balanced accuracy")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
        expected = metrics.balanced_accuracy_score([0] * 5, [0, 0, 0, 0, 1])
    assert result == pytest.approx(expected)
    assert np.isnan(matrix.overall().value("balanced accuracy"))
