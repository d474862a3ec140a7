"""
Several answers to a question
=============================

A language model answers each of 150 questions eight times, and states for each answer how sure it is. Answers to one question are right or
wrong together, beyond what the stated confidence says: 1,200 answers are not 1,200 pieces of evidence. The data here are simulated, and calibrated.
"""

import numpy as np
from scipy.special import ndtri

import plumbline as pb
from plumbline import plots

rng = np.random.default_rng(2)
question = np.repeat(np.arange(150), 8)
stated = rng.beta(4, 2, 1200).round(2).clip(0.01, 0.99)
luck = 0.8 * rng.normal(size=150)[question] + 0.6 * rng.normal(size=1200)  # shared by a question
right = np.where(luck < ndtri(stated), "right", "wrong")
answers = pb.Predictions.from_arrays(
    right, stated, classes=["wrong", "right"], attributes={"question": question}
)

# %%
# As 1,200 independent answers
# ----------------------------
# The model is called miscalibrated, though it is not: a question that it happens to know counts eight times. So are a third of such tables
# (``python studies/rows_in_groups.py size``).
pb.calibration_test(answers)

# %%
# As answers to 150 questions
# ---------------------------
# ``in_groups`` says which rows belong together. The test draws labels that depend as much as these do, and finds nothing. "As much as N
# independent rows" is what the 1,200 answers are worth for their mean.
grouped = answers.in_groups("question")
test = pb.calibration_test(grouped)
test

# %%
# On the command line: ``plumbline test answers.csv --groups question``. Answers to a question that has no number are refused; with
# ``plumbline test answers.csv --groups question --missing alone`` each is a group of its own.

# %%
# How wide intervals are
# ----------------------
# Without groups they are too narrow.
metrics = ["accuracy", "log-loss", "roc-auc", "calibration-in-the-large"]
pb.measure(answers, metrics, interval=True)

# %%
pb.measure(grouped, metrics, interval=True)

# %%
# On the command line: ``plumbline scores answers.csv --groups question --metrics accuracy,log-loss,roc-auc --interval``.

# %%
# The reliability diagram
# -----------------------
# Its band shows where calibrated answers lie, drawn question by question.
plots.reliability_figure(pb.reliability_curve(grouped, bins="equal-size:10"))

# %%
# Which of two models?
# --------------------
# A second model answers the same questions. All answers to a question are exchanged together.
other = np.clip(stated + rng.normal(0, 0.1, 1200), 0.01, 0.99)
second = pb.Predictions.from_arrays(
    right, other, classes=["wrong", "right"], attributes={"question": question}
)
pb.compare({"first": grouped, "second": second.in_groups("question")}, metrics="brier-score")

# %%
# More questions, or more answers to each?
# ----------------------------------------
# Eight answers to a question are worth about two independent ones, for the mean:
print(f"{test.groups.effective_n / 150:.1f} of 8")

# %%
# A ninth answer says little that eight did not; new questions do. ``plumbline plan answers.csv --groups question`` says how many are needed: it
# draws whole questions.
#
# What to do: name the question wherever several answers to one are evaluated. The page on rows that belong together says when not to.
