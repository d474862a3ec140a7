"""
Answers of a language model
===========================

A language model states how sure it is, in steps of 5 %, and a grader marks each answer right or wrong. Two columns are enough: the confidence
and whether the answer was right. The data here are simulated.
"""

import numpy as np

import plumbline as pb
from plumbline import plots

rng = np.random.default_rng(0)
rows = 1500
skill = rng.beta(3, 2, rows)  # the probability of a right answer
topic = rng.choice(["history", "law", "medicine"], rows)
stated = np.clip(np.round((0.45 + 0.55 * skill) * 20) / 20, 0, 1)
right = np.where(rng.random(rows) < skill, "right", "wrong")
answers = pb.Predictions.from_arrays(
    right, stated, classes=["wrong", "right"], attributes={"topic": topic}
)

# %%
# Does 90 % mean 90 %?
# --------------------
# No: of the answers stated with 80 %, far fewer are right.
pb.calibration_test(answers)

# %%
# Stated confidences take few values. One bin for each value loses nothing.
plots.reliability_figure(pb.reliability_curve(answers, bins="one-per-value"))

# %%
# Which answers to show
# ---------------------
# Showing only confident answers makes fewer errors and answers fewer questions. With an error five times as costly as no answer:
worth = "cumm(1 if eP else -5)"
best = pb.best_threshold(answers, worth)
best

# %%
plots.curve_figure(
    pb.curve(
        answers,
        x="queue_rate",
        y="precision",
        x_title="share of questions answered",
        y_title="share of them right",
    )
)


# %%
# Correct the confidence
# ----------------------
# An isotonic map, fitted on the first half and measured on the second.
def part(keep):
    """Return some of the answers."""
    return pb.Predictions.from_arrays(right[keep], stated[keep], classes=["wrong", "right"])


half = np.arange(rows) < rows // 2
scaling = pb.recalibrate(part(half), method="isotonic")
effect = pb.recalibration_effect(scaling, part(~half))
effect

# %%
plots.before_after_figure(effect)

# %%
# By topic
# --------
plots.group_figure(pb.calibration_by(answers, "topic"))

# %%
# What to do: show the recalibrated confidence, and answer only above the threshold. On the command line:
# ``plumbline recalibrate answers.csv --method isotonic --save-map map.json``.
