"""
Credit with costs
=================

Whom do you lend to? A loan that is repaid earns money, a default loses the amount. The threshold that pays follows from these amounts, not
from 0.5.
"""

import numpy as np

import plumbline as pb
from plumbline import plots

rng = np.random.default_rng(1)
rows = 2000
repaid = rng.beta(4, 2, rows)  # the probability that an applicant repays
amount = rng.choice(np.arange(10, 131, 10), rows)  # thousands
outcome = np.where(rng.random(rows) < repaid, "repaid", "default")
data = pb.Predictions.from_arrays(
    outcome, repaid, classes=["default", "repaid"], attributes={"amount": amount}
)

# %%
# Profit against the threshold
# ----------------------------
# A repaid loan earns 20 % of its amount, a default loses 60 % of it. ``cumm`` sums over the rows from the highest probability down.
formula = "cumm(0.2 * amount if eP else -0.6 * amount)"
profit = pb.curve(data, x="threshold", y=formula, y_title="profit (thousands)")
best = pb.best_threshold(data, formula)
best

# %%
plots.curve_figure(profit, best=best)

# %%
# With these prices the best threshold of a calibrated model is 0.6 / (0.2 + 0.6) = 0.75. The shaded thresholds, as good as the best, contain it.
#
# What an overconfident model costs
# ---------------------------------
# The same ranking, but predictions that are too extreme. The threshold 0.75 from the prices is then the wrong one.
odds = (repaid / (1 - repaid)) ** 2
bold = pb.Predictions.from_arrays(
    outcome, odds / (1 + odds), classes=["default", "repaid"], attributes={"amount": amount}
)


def profit_at(table, threshold):
    """Return the profit of lending to all whose probability is at least the threshold."""
    lend = table.prob[:, 1] >= threshold
    value = np.where(outcome == "repaid", 0.2 * amount, -0.6 * amount)
    return value[lend].sum()


for name, table in {"calibrated": data, "overconfident": bold}.items():
    print(f"{name}: profit {profit_at(table, 0.75):,.0f} at threshold 0.75")

# %%
# The test detects it before any money is lost.
pb.calibration_test(bold)

# %%
# What to do: recalibrate, then lend above 0.75. On the command line: ``plumbline curve loans.csv --x threshold --y
# 'cumm(0.2 * amount if eP else -0.6 * amount)' --optimum max``.
