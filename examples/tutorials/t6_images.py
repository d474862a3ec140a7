"""
Images with 100 classes
=======================

A network for 100 classes, simulated: accurate and overconfident. The usual ECE looks only at the most likely class; one confused pair of
classes hides in it.
"""

import numpy as np

import plumbline as pb
from plumbline import plots

rng = np.random.default_rng(0)
rows, k = 4000, 100
logits = rng.normal(size=(rows, k)) * 1.2
truth = rng.integers(0, k, rows)
logits[np.arange(rows), truth] += 5
pair = truth == 17
logits[pair, 42] += 6  # class 17 is taken for class 42
network = pb.Predictions.from_logits(truth, 6 * logits, classes=list(range(k)))

# %%
# The most likely class
# ---------------------
pb.calibration_error(network, interval=True)

# %%
plots.reliability_figure(pb.reliability_curve(network, bins="equal-width:10"))

# %%
# All classes at once
# -------------------
pb.measure(network, ["log-loss", "brier-score", "accuracy", "ece"])

# %%
# Temperature scaling
# -------------------
# One number for 100 classes, fitted on half of the rows and measured on the other half. The test still rejects: something is left.
half = np.arange(rows) < rows // 2
first = pb.Predictions.from_logits(truth[half], 6 * logits[half], classes=list(range(k)))
second = pb.Predictions.from_logits(truth[~half], 6 * logits[~half], classes=list(range(k)))
scaling = pb.recalibrate(first, method="temperature")
effect = pb.recalibration_effect(scaling, second)
effect

# %%
plots.before_after_figure(effect)

# %%
# Which classes are off?
# ----------------------
# The heat map orders the classes by their error. The pair 17 and 42 stays off: no temperature corrects a single pair.
plots.heat_map_figure(pb.class_heat_map(scaling(second)), most=12)

# %%
# What to do: keep the temperature, and collect examples of these two classes. On the command line: ``plumbline test images.parquet --view
# classwise`` tests each class.
