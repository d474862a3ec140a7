"""One calibration error by the conventions of every preset, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._result import Result
from plumbline.binning import Binning
from plumbline.calibration import PRESETS, Setting, setting, statistic, value_of
from plumbline.errors import PlumblineError
from plumbline.predictions import Predictions


@dataclass(frozen=True, repr=False, eq=False)
class PresetComparison(Result):
    """One calibration error as other projects have it.

    Attributes
    ----------
    view, scheme, norm, counting : what was measured
    n : rows
    value : the error by this project's own conventions
    presets : one row a preset (preset, value, difference, why): the value by its conventions, how
        far it is from ours, and what the name of the bins means there; None and the reason where it
        has no such error
    """

    view: str
    scheme: str
    norm: float | str
    counting: str
    n: int
    value: float
    presets: Sequence[dict[str, Any]]

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the presets."""
        return self.presets


def compare_presets(
    data: Predictions,
    view: str | None = None,
    *,
    bins: str | Binning | None = None,
    norm: float | str = 1,
    counting: str = "weight",
) -> PresetComparison:
    """Compute one binned calibration error by the conventions of every preset that has it.

    (sum_b (W_b / W) abs(share - mean)^norm)^(1/norm); the presets differ in the
    bins b. Arguments as in `calibration_error`. Rows of equal value are not left out.

    Raises InputError for a table without probabilities, ParameterError for an unknown name.

    >>> data = Predictions.from_arrays([0, 1, 1, 0, 1], [0.1, 0.5, 0.5, 0.95, 1.0])
    >>> found = compare_presets(data, bins="equal-width:2")
    >>> round(found.value, 2)
    0.37
    >>> {row["preset"]: round(row["value"], 2) for row in found.presets if row["difference"]}
    {'thesis': 0.03, 'torchmetrics': 0.03, 'netcal': 0.03, 'tfp': 0.03, 'blog': 0.01, 'mapie': 0.01}
    """
    own = setting(data, view, bins, norm=norm, counting=counting)
    value = value_of(statistic(data, own))
    ask = {"view": own.name, "bins": own.bins, "norm": norm, "counting": counting}
    return PresetComparison(
        view=own.name,
        scheme="distinct-vectors" if own.bins is None else str(own.bins),
        norm=own.norm_name if np.isinf(own.norm) else own.norm,
        counting=own.counting,
        n=data.n,
        value=value,
        presets=[_row(data, name, ask, own, value) for name in PRESETS],
    )


def _row(
    data: Predictions, name: str, ask: dict[str, Any], own: Setting, value: float
) -> dict[str, Any]:
    try:
        theirs = value_of(statistic(data, setting(data, **ask, like=name)))
    except PlumblineError as error:  # it has no such error: the message says what it has instead
        return {"preset": name, "value": None, "difference": None, "why": str(error)}
    same = np.isclose(theirs, value, rtol=1e-12, atol=1e-12)
    return {
        "preset": name,
        "value": theirs,
        "difference": 0.0 if same else theirs - value,
        "why": PRESETS[name].meaning(own.bins),
    }
