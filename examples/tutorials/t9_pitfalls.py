"""
Pitfalls: what a calibration error does not say
===============================================

A low calibration error is not a good model. Three mistakes, each with its picture:

1. training or selecting by the ECE;
2. trusting the probabilities because the labels are right;
3. taking the calibration error for a distance between old and new data.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import plumbline as pb
from plumbline import plots

rng = np.random.default_rng(0)


def draw(rows, shift=0.0):
    """Return features and labels: log-odds are 2 x0 - x1, and x1^2 matters too."""
    X = rng.normal(shift, 1, (rows, 2))
    log_odds = 2 * X[:, 0] - X[:, 1] + 0.5 * X[:, 1] ** 2 - 0.5
    return X, (rng.random(rows) < 1 / (1 + np.exp(-log_odds))).astype(int)


def predict(weights, X):
    """Return the probabilities of a logistic model."""
    return 1 / (1 + np.exp(-np.clip(weights[0] + X @ weights[1:], -30, 30)))


# %%
# Optimising the ECE
# ------------------
# A model that predicts the class share for everybody is calibrated: where it says 0.5, half of the rows are positive. It is also useless.
# Training that minimises the ECE is drawn towards such models, and fits the bins instead of the probabilities.
X, y = draw(1000)
X_test, y_test = draw(2000)


def log_loss_of(weights):
    """Return the log loss on the training rows."""
    p = np.clip(predict(weights, X), 1e-12, 1 - 1e-12)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))


def ece_of(weights):
    """Return the ECE on the training rows, in 10 bins of equal width."""
    p = predict(weights, X)
    place = np.minimum((p * 10).astype(int), 9)
    return np.abs(np.bincount(place, y - p, 10)).sum() / len(y)


start = np.array([0.0, 0.1, 0.1])
by_log_loss = minimize(log_loss_of, start).x
by_ece = minimize(ece_of, start, method="Nelder-Mead", options={"maxiter": 2000}).x
candidates = {
    "minimises log loss": predict(by_log_loss, X_test),
    "minimises ECE": predict(by_ece, X_test),
    "class share": np.full(len(y_test), y.mean()),
}
table = pb.Predictions.from_arrays(
    np.tile(y_test, 3),
    np.concatenate(list(candidates.values())),
    model=np.repeat(list(candidates), len(y_test)),
    row=np.tile(np.arange(len(y_test)), 3),
)
pb.measure(table, ["ece", "log-loss", "roc-auc", "discrimination"])

# %%
# By the ECE the class share is the best of the three. By log loss and AUC it is useless, and so is the model trained on the ECE: its AUC is
# about 0.5. Log loss and Brier score are proper scores: no
# prediction beats the probability itself. Train and select by these; use the ECE to find out what is wrong with a model.
figure, axes = plt.subplots(1, 2, figsize=(10, 4.2))
figure.subplots_adjust(left=0.08, right=0.98, bottom=0.14, wspace=0.25)
for name, p in candidates.items():
    axes[0].hist(p, bins=np.linspace(0, 1, 41), histtype="step", label=name)
axes[0].set(xlabel="prediction", ylabel="rows", yscale="log", xlim=(0, 1))
axes[0].legend(frameon=False)
plots.draw_reliability(
    pb.reliability_curve(table.select(model="minimises ECE")), axes[1], title=False
)
axes[1].set_title("minimises ECE")

# %%
# Good labels, bad probabilities
# ------------------------------
# Accuracy looks at one thing: on which side of 0.5 a prediction lies. Here the side stays and the probability is wrong.
good = predict(by_log_loss, X_test)
odds = good / (1 - good)
extreme = odds**4 / (1 + odds**4)
timid = odds**0.2 / (1 + odds**0.2)
variants = {"fitted": good, "too extreme": extreme, "too timid": timid}
same_labels = pb.Predictions.from_arrays(
    np.tile(y_test, 3),
    np.concatenate(list(variants.values())),
    model=np.repeat(list(variants), len(y_test)),
    row=np.tile(np.arange(len(y_test)), 3),
)
pb.measure(same_labels, ["accuracy", "f1", "roc-auc", "log-loss", "ece"])

# %%
# Accuracy, F1 and AUC are the same three times. Only scores of probabilities tell the models apart.
lines, panels = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
for (name, _), ax in zip(variants.items(), panels, strict=True):
    plots.draw_reliability(pb.reliability_curve(same_labels.select(model=name)), ax, title=False)
    ax.set_title(name)

# %%
# Calibration error as a measure of new data
# ------------------------------------------
# Where the calibration error grows on new data, something has changed. So some read it as a distance from the training data.
# Here the features move away step by step.
distances = np.linspace(0, 2, 9)
errors, expected, low, high = [], [], [], []
for distance in distances:
    X_new, y_new = draw(1000, shift=distance)
    error = pb.calibration_error(
        pb.Predictions.from_arrays(y_new, predict(by_log_loss, X_new), classes=[0, 1]),
        resamples=499,
    )
    errors.append(error.value)
    expected.append(error.null_mean)
    low.append(error.null_range[0])
    high.append(error.null_range[1])
drift, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.fill_between(distances, low, high, alpha=0.25, label="95 % range if calibrated")
ax.plot(distances, expected, "--", label="expected if calibrated")
ax.plot(distances, errors, "o-", label="ECE on new data")
ax.set(xlabel="shift of the features (standard deviations)", ylabel="ECE")
ax.legend(frameon=False)

# %%
# The limits of this reading:
#
# - It needs the labels of the new data. Without them, compare the features themselves.
# - It sees only what changes the outcomes given the predictions. A correct model stays calibrated however far the features move.
# - It mixes distance with sample size: what is expected if calibrated depends on the rows, so read the excess, not the error.
# - A small error does not show that the data are the same: moves in opposite directions cancel within a bin.
