"""How much a calibration error depends on the bins it is measured with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import whole_number
from plumbline._result import Result
from plumbline.binning import binning_of
from plumbline.calibration import OwnDistance, setting
from plumbline.calibration_tests.evidence import LEAST_DRAWS, evidence
from plumbline.errors import ParameterError
from plumbline.formatting import number
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed

SCHEMES = ("equal-width", "equal-size")
NUMBERS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100)


@dataclass(frozen=True, repr=False, eq=False)
class BinSensitivity(Result):
    """One calibration error with many bins, each beside what true probabilities would score.

    Attributes
    ----------
    view, distance : what is measured; n : rows
    settings : one row a scheme and number of bins (scheme, bins, value, null_mean, null_low,
        null_high, p_value, outside): outside tells whether the value left the 95 % range
    verdict : what these say together, in plain words
    """

    view: str
    distance: str
    n: int
    settings: Sequence[dict[str, Any]]
    resamples: int
    verdict: str

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the settings."""
        return self.settings


def bin_sensitivity(
    data: Predictions,
    *,
    view: str | None = None,
    distance: str | OwnDistance = "absolute",
    schemes: Sequence[str] = SCHEMES,
    numbers: Sequence[int] = NUMBERS,
    resamples: int = 199,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> BinSensitivity:
    """Measure the calibration error with few bins and with many, by several schemes.

    Each number is `calibration_error(data, bins="SCHEME:NUMBER")`. More bins see finer faults and
    more noise: the error of true probabilities grows with them as well, so that only the excess
    over the null says something about the model. Picking the bins after seeing the picture makes
    any p-value worthless.

    Raises InputError without probabilities, ParameterError for an unknown view or scheme.

    >>> data = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> found = bin_sensitivity(data, numbers=[2, 10], resamples=39)
    >>> [(row["scheme"], round(row["value"], 2)) for row in found.rows()][1:3]
    [('equal-width', 0.25), ('equal-size', 0.25)]
    """
    whole_number("resamples", resamples, least=LEAST_DRAWS)
    asked = [(scheme, whole_number("numbers", b, least=1)) for scheme in schemes for b in numbers]
    if not asked:
        raise ParameterError("`schemes` and `numbers` must name at least one, got none")
    rows, name, kind = [], "", ""
    for place, (scheme, bins) in enumerate(asked):
        chosen = setting(data, view, binning_of(f"{scheme}:{bins}"), distance)
        bar = share_of(progress, place / len(asked), (place + 1) / len(asked))
        found = evidence(data, chosen, resamples=resamples, rng=rng, workers=workers, progress=bar)
        rows.append(_row(scheme, bins, found.common, found.p_value))
        name, kind = chosen.name, chosen.distance
    return BinSensitivity(name, kind, data.n, rows, resamples, _verdict(rows))


def _row(scheme: str, bins: int, found: dict[str, Any], p_value: float) -> dict[str, Any]:
    low, high = found["null_range"]
    return {
        "scheme": scheme,
        "bins": bins,
        "value": found["value"],
        "null_mean": found["null_mean"],
        "null_low": low,
        "null_high": high,
        "p_value": p_value,
        "outside": not low <= found["value"] <= high,
    }


def _verdict(rows: Sequence[dict[str, Any]]) -> str:
    values = [row["value"] for row in rows]
    least, most = int(np.argmin(values)), int(np.argmax(values))
    outside = sum(row["outside"] for row in rows)
    excess = [row["value"] - row["null_mean"] for row in rows]
    told = (
        f"From {number(values[least])} ({_called(rows[least])}) to {number(values[most])} "
        f"({_called(rows[most])}) on the same rows; the excess over true probabilities goes from "
        f"{number(min(excess))} to {number(max(excess))}. "
    )
    if outside in (0, len(rows)):
        return (
            told
            + ("None" if not outside else "Every one")
            + (f" of {len(rows)} settings leaves the 95 % range of true probabilities.")
        )
    return told + f"{outside} of {len(rows)} settings leave the 95 % range of true probabilities."


def _called(row: dict[str, Any]) -> str:
    return f"{row['scheme']}:{row['bins']}"
