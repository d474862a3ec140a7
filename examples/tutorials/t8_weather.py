"""
Weather: two forecasters
========================

Two forecasters say every day how probable rain is. Both know the same; one is bolder. Weather services compare them by the Brier score, its
parts and the skill beyond climatology. The data are simulated.
"""

import numpy as np

import plumbline as pb
from plumbline import plots

rng = np.random.default_rng(1)
days = 730
careful = rng.beta(1.2, 2.2, days)
rain = np.where(rng.random(days) < careful, "rain", "dry")
bold = careful**2 / (careful**2 + (1 - careful) ** 2)
season = np.array(["winter", "spring", "summer", "autumn"])[np.arange(days) // 91 % 4]
forecasts = pb.Predictions.from_arrays(
    np.tile(rain, 2),
    np.concatenate([careful, bold]),
    classes=["dry", "rain"],
    model=np.repeat(["careful", "bold"], days),
    row=np.tile(np.arange(days), 2),
    attributes={"season": np.tile(season, 2)},
)

# %%
# Score, skill and the parts of the Brier score
# ---------------------------------------------
# Brier score = miscalibration - discrimination + uncertainty. Both discriminate equally well; the bold one is miscalibrated.
pb.measure(
    forecasts,
    ["brier-score", "brier-skill-score", "miscalibration", "discrimination", "uncertainty"],
)

# %%
plots.reliability_figure(pb.reliability_curve(forecasts.select(model="bold")))

# %%
# Who is better?
# --------------
# The careful one, by both scores. The days are the same, so the comparison is paired.
result = pb.compare(forecasts, metrics=["brier-score", "log-loss"])
result

# %%
plots.comparison_figure(result.pairs)

# %%
# By season
# ---------
plots.group_figure(pb.calibration_by(forecasts.select(model="bold"), "season"))

# %%
# What to do: recalibrate the bold forecaster; both are then equally good. On the command line:
# ``plumbline compare forecasts.csv --metrics brier-score,log-loss``.
