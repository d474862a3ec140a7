"""
Recalibrate and deploy
======================

Naive Bayes is overconfident. Temperature scaling corrects it, and the database applies the map without Python.

Three sets of rows are kept apart: one to train, one to fit the map, one to measure what it did.
"""

import sqlite3

from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

import plumbline as pb
from plumbline import plots

X, y = make_classification(
    n_samples=3000, n_features=20, n_informative=8, n_redundant=10, random_state=0
)
model = GaussianNB().fit(X[:1000], y[:1000])
holdout = pb.Predictions.from_estimator(model, X[1000:2000], y[1000:2000])
test = pb.Predictions.from_estimator(model, X[2000:], y[2000:])

# %%
# Is it calibrated?
# -----------------
# No: its probabilities are too extreme.
pb.calibration_test(test)

# %%
plots.reliability_figure(pb.reliability_curve(test, bins="equal-size:10"))

# %%
# Recalibrate
# -----------
# Every method is cross-fitted on the held-out rows. The simplest of those that are not distinguishable from the best is chosen.
recalibration = pb.recalibrate(holdout)
recalibration

# %%
# On rows that no fit has used, the log loss falls and the test no longer rejects.
effect = pb.recalibration_effect(recalibration, test)
effect

# %%
plots.before_after_figure(effect)

# %%
# Deploy
# ------
# The map is a few numbers. In SQL it is one query, which needs no Plumbline.
query = recalibration.to_sql("sqlite", table="scores", columns={"1": "risk"})
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE scores (customer TEXT, risk REAL)")
database.executemany("INSERT INTO scores VALUES (?, ?)", [("Ann", 0.99), ("Bob", 0.2)])
for customer, risk, _, recalibrated in database.execute(query):
    print(f"{customer}: {risk:.2f} -> {recalibrated:.3f}")

# %%
# The same numbers come from the library and from ONNX.
recalibration.transform([0.99, 0.2])[:, 1]

# %%
network = recalibration.to_onnx()
print(network.graph.name, [node.op_type for node in network.graph.node][:5], "...")

# %%
# On the command line: ``plumbline recalibrate holdout.csv --save-map map.sql --save-map map.onnx``.
