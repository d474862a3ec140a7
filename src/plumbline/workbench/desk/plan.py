"""The question `plan`: how many rows detect a miscalibration, and what these rows detect."""

from typing import Any

import numpy as np

from plumbline.power_study import plan
from plumbline.power_study.planning import AUTO, FEWEST_SETS
from plumbline.significance import TESTS
from plumbline.workbench.desk import calibration_parts as parts
from plumbline.workbench.desk.inquiry import Inquiry

MOST_SETS = 1000
MOST_ROWS = 10_000_000
CURVE_COLUMNS = ("n", "power", "std_error", "datasets")


def answer(inquiry: Inquiry) -> dict[str, Any]:
    """Plan for one model's predictions; `n` is the number of its rows unless it is given."""
    asked = inquiry.asked
    model, data = parts.asked_model(inquiry)
    sets = asked.whole("datasets", FEWEST_SETS, least=FEWEST_SETS, most=MOST_SETS)
    found = plan(
        data,
        asked.text("effect") or "overconfident:1.2",
        power=asked.number("power", 0.8) or 0.0,
        level=asked.number("level", 0.05) or 0.0,
        statistic=asked.choice("statistic", (AUTO, *TESTS), AUTO),
        n=asked.whole("n", 2, least=2, most=MOST_ROWS) if asked.has("n") else None,
        datasets=sets if asked.has("datasets") else None,
        progress=inquiry.progress,
    )
    line = np.asarray(found.fitted, np.float64).reshape(-1, 2)
    return {
        **found.to_dict(),
        "model": model,
        "points": parts.columns_of(found.curve, CURVE_COLUMNS),
        "fitted": {"n": line[:, 0], "power": line[:, 1]},
    }
