"""
Medicine: can a doctor use this risk?
=====================================

A risk model for tumours is validated on new patients. The field asks for calibration in the large, the calibration slope, discrimination
and the net benefit of acting on the risk.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import plumbline as pb
from plumbline import plots

bunch = load_breast_cancer(as_frame=True)
X = bunch.data[["mean radius", "mean texture", "mean smoothness"]]
y = bunch.target_names[bunch.target]
X_old, X_new, y_old, y_new = train_test_split(X, y, test_size=0.6, random_state=0)
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_old, y_old)
patients = pb.Predictions.from_estimator(model, X_new, y_new, positive="malignant")

# %%
# Calibration and discrimination
# ------------------------------
# A slope below 1 means predictions that are too extreme; an intercept other than 0 means risks too high or too low on average.
# Here neither differs from what is expected if calibrated.
pb.measure(
    patients,
    ["calibration-slope", "calibration-intercept", "ici", "brier-score", "roc-auc"],
    interval=True,
)

# %%
# Without bins: the CORP diagram, an isotonic fit with its band.
plots.corp_figure(pb.corp_curve(patients))

# %%
# Net benefit
# -----------
# A biopsy of a healthy patient costs something, a missed tumour much more. At threshold t one tumour found is worth (1 - t) / t biopsies.
plots.curve_figure(pb.curve(patients, "net-benefit"))

# %%
# The threshold with a recall of at least 95 %
# --------------------------------------------
pb.best_threshold(patients, "specificity", subject_to="recall >= 0.95")

# %%
matrix = pb.confusion_matrix(patients, threshold=0.2)
plots.confusion_figure(matrix)

# %%
# How many patients does a validation need?
# -----------------------------------------
# To detect that log-odds are stretched by 1.5, with a power of 80 %, by Spiegelhalter's test:
pb.plan(patients, "overconfident:1.5", statistic="spiegelhalter", resamples=99)

# %%
# What to do: use the risk with the threshold above, and validate again in the next hospital. On the command line:
# ``plumbline scores patients.csv --metrics calibration-slope,ici --interval`` and ``plumbline plan patients.csv``.
