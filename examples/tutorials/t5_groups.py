"""
Groups and fairness
===================

Calibrated on average can be wrong for everyone. Here one region gets risks that are too low and another too high; overall they cancel.
"""

import numpy as np

import plumbline as pb
from plumbline import plots

rng = np.random.default_rng(0)
rows = 3000
region = rng.choice(["north", "south", "east"], rows, p=[0.4, 0.4, 0.2])
age = rng.integers(18, 80, rows)
predicted = rng.beta(2, 3, rows)
shift = np.select([region == "north", region == "south"], [0.35, -0.35], 0.0)
odds = predicted / (1 - predicted) * np.exp(shift)
actual = np.where(rng.random(rows) < odds / (1 + odds), "event", "none")
data = pb.Predictions.from_arrays(
    actual, predicted, classes=["none", "event"], attributes={"region": region, "age": age}
)

# %%
# All rows together
# -----------------
# The test finds no fault, for the faults of the regions cancel.
pb.calibration_test(data)

# %%
# Region by region
# ----------------
# One test for each group; p-values are adjusted for their number.
groups = pb.calibration_by(data, "region")
groups

# %%
plots.group_figure(groups)

# %%
# Along the age
# -------------
# The bias does not depend on the age.
plots.conditional_bias_figure(pb.conditional_bias(data, "age"))

# %%
# Which group is worst, of all there are?
# ---------------------------------------
# The search tries every attribute and pair. Its p-value is adjusted for the number of slices.
pb.worst_slice(data)

# %%
# What it does not answer
# -----------------------
# Equal calibration in all groups does not make decisions fair. Groups with unequal base rates cannot have all three at once: equal calibration,
# equal false positive rates, equal false negative rates (Kleinberg et al. 2016; Chouldechova 2017). Statistics cannot say which of them matters.
pb.measure(data, ["recall", "fpr", "precision"], by="region")

# %%
# What to do: recalibrate each region with rows of its own. On the command line: ``plumbline test data.csv --by region``.
