"""Whether calibration changed between days, weeks, months or years of one table."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline.monitoring.monitor import LEAST_ROWS, monitor
from plumbline.monitoring.results import Monitoring
from plumbline.predictions import Predictions
from plumbline.random_streams import Seed

MOST_WINDOWS = 60  # values of a column that is followed without being named; a convention
NAMES = {"day", "date", "week", "month", "quarter", "year", "time", "window", "period"}
MONDAY = 4  # days after the first of 1970, on which weeks begin


def over_time(data: Predictions, *, resamples: int, rng: Seed) -> Monitoring | None:
    """Return whether calibration changed since the first window, None of rows without time.

    Time is the first attribute of dates, or with a word such as "week" in its name, that makes 2 to
    60 windows. Of more than two classes the top label is followed.

    >>> days = np.repeat(np.array(["2026-01-01", "2026-01-02"], "M8[D]"), 4)
    >>> data = Predictions.from_arrays([0, 1] * 4, [0.3, 0.6] * 4, attributes={"when": days})
    >>> [window.name for window in over_time(data, resamples=39, rng=0).windows]
    ['2026-01-01', '2026-01-02']
    """
    if data.prob is None or data.weight is not None:
        return None
    found = (_window_of_rows(data, name) for name in data.attributes)
    window = next((one for one in found if one is not None), None)
    if window is None:
        return None
    event = data if data.k == 2 else data.top_label()
    windows = {str(one): event.select(where=window == one) for one in np.unique(window)}
    return monitor(windows, reference=1, resamples=resamples, rng=rng)


def _window_of_rows(data: Predictions, attribute: str) -> NDArray[Any] | None:
    """Return the window of every row by an attribute of time, None where it is none."""
    values = np.asarray(data.attributes[attribute])
    dates = np.issubdtype(values.dtype, np.datetime64)
    if dates and np.isnat(values).any():
        return None
    if dates:
        days = values.astype("M8[D]")
        weeks = (days - MONDAY).astype("M8[W]").astype("M8[D]") + MONDAY
        rounded = [days, weeks, values.astype("M8[M]"), values.astype("M8[Y]")]
    else:
        rounded = [values] if NAMES & set(re.split(r"[^a-z]+", attribute.lower())) else []
    for window in rounded:
        different, rows = np.unique(window, return_counts=True)
        if 2 <= len(different) <= MOST_WINDOWS and rows.min() >= LEAST_ROWS:
            return window
    return None
