"""The classifier that a best threshold gives decides as the result says."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import FixedThresholdClassifier, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import plumbline as pb
from plumbline.errors import ParameterError
from refusals import refused

X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :4]
LABELS = {
    "numbers": Y,
    "texts": np.where(Y, "benign", "malignant"),
    "truths": Y.astype(bool),
    "signs": 2 * Y - 1,
}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("model", [GaussianNB(), RidgeClassifier()], ids=["prob", "score"])
def test_it_accepts_the_rows_that_the_result_counts(labels, place, model):
    """For either class, whatever type its labels have, by probability or by score."""
    y = LABELS[labels]
    fitted = model.fit(X, y)
    target = fitted.classes_[place]
    data = pb.Predictions.from_estimator(fitted, X, y)
    best = pb.best_threshold(data, "cumm(2 if eP else -1)", target=target, resamples=50)
    answers = best.classifier(fitted).predict(X)
    accepted = answers == target
    assert accepted.sum() == best.accepted
    assert (accepted & (y == target)).sum() == best.TP
    assert set(answers.tolist()) <= set(y.tolist())


def test_one_that_is_not_fitted_is_fitted_as_every_estimator():
    """It is scikit-learn's own class: fit, clone, pipelines and cross-validation go on."""
    model = make_pipeline(StandardScaler(), LogisticRegression())
    data = pb.Predictions.from_cross_validation(model, X, Y, cv=3)
    best = pb.best_threshold(data, "F1", target=0, resamples=50)
    made = best.classifier(model, pos_label=0)
    assert isinstance(clone(made), FixedThresholdClassifier)
    assert cross_val_score(made, X, Y, cv=3).mean() > 0.8
    assert set(made.fit(X, Y).predict(X).tolist()) == {0, 1}


def test_what_does_not_fit_is_refused_in_words():
    """Other classes, other sortings, no threshold, no classifier, no label: each says which."""
    fitted = GaussianNB().fit(X, Y)
    data = pb.Predictions.from_estimator(fitted, X, Y, attributes={"size": X[:, 0]})
    best = pb.best_threshold(data, "CA", resamples=50)
    with refused(ParameterError, "class-unnamed", "pos_label=1", argument="pos_label"):
        best.classifier(GaussianNB())
    with refused(ParameterError, "other-class", "'1'", argument="pos_label"):
        best.classifier(GaussianNB(), pos_label=0)
    with refused(ParameterError, "other-class", argument="estimator"):
        best.classifier(GaussianNB().fit(X, LABELS["texts"]))
    with refused(ParameterError, "classifier-of-other-classes", argument="estimator"):
        best.classifier(GaussianNB().fit(X, np.arange(len(X)) % 3))
    for wrong in (GaussianNB, RidgeClassifier().fit(X, Y), 3):
        with refused(ParameterError, "no-classifier", "predict_proba", argument="estimator"):
            best.classifier(wrong)
    by_size = pb.best_threshold(data, "cumm(2 if eP else -1)", sort_by="size", resamples=50)
    with refused(ParameterError, "sorted-otherwise", "'size'"):
        by_size.classifier(fitted)
    none = pb.best_threshold(data, "CA", subject_to="TPR > 2", resamples=50)
    with refused(ParameterError, "threshold-missing"):
        none.classifier(fitted)
    with refused(ParameterError, "unknown-argument", "'pos_label'", argument="positive"):
        best.classifier(fitted, positive=1)
