"""A real classifier that gives probability 0 to what happens."""

import math

import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

import plumbline as pb
from plumbline.scores import impossible_rows


def test_the_digits_tree_is_refuted_outright():
    """About 316 of 1,797 rows had probability 0: infinite log loss, counted, never clipped."""
    X, y = load_digits(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    prob = cross_val_predict(tree, X, y, cv=10, method="predict_proba")
    data = pb.Predictions.from_arrays(y, prob)
    zero = int((prob[np.arange(len(y)), y] == 0).sum())
    assert impossible_rows(data) == zero
    assert 290 <= zero <= 340
    assert math.isinf(pb.log_loss(data))
    eps = float(np.finfo(np.float64).eps)
    assert math.isclose(pb.log_loss(data, clip=eps), log_loss(y, prob), rel_tol=1e-9)
    test = pb.calibration_test(data)
    assert test.impossible_rows == zero
    assert "impossible-rows" in test.remark_codes
