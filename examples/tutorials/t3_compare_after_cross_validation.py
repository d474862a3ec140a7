"""
Comparing after cross-validation
================================

Ten folds give ten differences, and their training sets overlap. The usual t-test takes them for independent and finds differences that are
not there. Plumbline reads the design from the table and takes the corrected test.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import plumbline as pb
from plumbline import plots

bunch = load_breast_cancer()
X, y = bunch.data, bunch.target_names[bunch.target]
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
}

# %%
# All models predict the same folds. The columns ``model``, ``fold`` and ``row`` say which prediction is which.
parts = []
for fold, (train, test) in enumerate(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)):
    for name, model in models.items():
        prob = model.fit(X[train], y[train]).predict_proba(X[test])
        parts.append((prob, test, [fold] * len(test), [name] * len(test)))
prob, row, fold, model = map(np.concatenate, zip(*parts, strict=True))
table = pb.Predictions.from_arrays(
    y[row], prob, classes=["benign", "malignant"], model=model, fold=fold, row=row
)

# %%
# Which is better?
# ----------------
result = pb.compare(table, metrics=["brier-score", "roc-auc"])
result

# %%
# Filled markers would show a winner. All are open: three pairs are compared, and no adjusted p-value is below 0.05.
plots.comparison_figure(result.pairs)

# %%
# The ROC curves of the three models; the rows of all folds make one line.
plots.curve_figure(pb.curve(table, "roc"))

# %%
# What to do: compare on more data, or choose by other grounds. On the command line: ``plumbline compare tumours.parquet --metrics brier-score,roc-auc``.
