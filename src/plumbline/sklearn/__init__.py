"""Plumbline for scikit-learn: metrics of `(y_true, y_prob)`, scorers and estimators."""
