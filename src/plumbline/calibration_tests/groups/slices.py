"""The worst-calibrated slice of a table, with a p-value that knows how many were looked at."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._checks import whole_number
from plumbline._result import Result
from plumbline.calibration import Wide
from plumbline.calibration_tests.evidence import central_range, tails_of
from plumbline.calibration_tests.groups.bias import biases
from plumbline.calibration_tests.groups.search import SliceOfTable, search_of
from plumbline.formatting import counted, number
from plumbline.nulls import resampled
from plumbline.predictions import Predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.verdicts import LEVEL


@dataclass(frozen=True, repr=False, eq=False)
class SliceSearch(Result):
    """The worst-calibrated slices, and whether chance explains the worst of them.

    Attributes
    ----------
    view : what was asked; by : the attributes searched; skipped : those left out, with the reason
    depth : most conditions of a slice; least : fewest rows of one
    searched : number of slices (times classes, where each class was looked at)
    value : largest abs(z); z = sum w (y - p) / sqrt(sum w^2 p (1 - p))
    null_mean, null_range : mean and central 95 % range of the largest abs(z) of all slices if the
        probabilities are true
    p_value : share of draws (and the table itself) whose largest abs(z) is at least as large
    slices : the worst slices first: slice, class (where each was looked at), n, effective_n,
        mean_probability, outcome_share, bias, z, adjusted_p_value, rejected
    verdict : the answer in plain words
    """

    view: str
    by: Sequence[str]
    skipped: Sequence[str]
    depth: int
    least: int
    searched: int
    n: int
    effective_n: float
    value: float
    null_mean: float
    null_range: tuple[float, float]
    p_value: float
    resamples: int
    slices: Sequence[dict[str, Any]]
    verdict: str
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the slices."""
        return self.slices


def worst_slice(
    data: Predictions,
    *,
    by: str | Sequence[str] | None = None,
    view: str | None = None,
    depth: int = 2,
    least: int | None = None,
    top: int = 10,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> SliceSearch:
    """Search all slices of up to `depth` conditions for the one whose probabilities are worst.

    A condition is a category's value, or that a number lies in one of four groups of equal weight
    or in neighbouring ones of them. A slice is measured by z = sum w (y - p) / sqrt(sum w^2 p (1 -
    p)), the sign of which is its bias. The p-value is corrected for the whole selection: the same
    search, on the same slices, is done on `resamples` sets of labels drawn from the predictions,
    and p = (1 + #{abs(z*) >= abs(z)}) / (resamples + 1), which is exact for the worst slice and
    an upper bound for the others (single-step maxT, Westfall and Young 1993). Among the slices
    listed, none shares more than 80 % of its rows (of both together) with a worse one.

    `by`: the attributes, by default all but those of more than 50 values. `view`: "top-label",
    "one-vs-rest:CLASS", or "classwise" for every class against the rest. `least`: fewest rows of a
    slice, by default 20 or 1 % of the rows, whichever is more. All rows together are a slice too.

    Raises InputError for a table without attributes to search, ParameterError for an unknown name.

    >>> import numpy as np
    >>> site, p = np.array(["north", "south"] * 200), np.full(400, 0.5)
    >>> y = np.where(site == "north", 1, np.arange(400) % 4 == 1)
    >>> data = Predictions.from_arrays(y, p, attributes={"site": site})
    >>> found = worst_slice(data, resamples=99)
    >>> found.slices[0]["slice"], found.slices[0]["n"], found.p_value
    ('site = north', 200, 0.01)
    """
    search = search_of(data, by, view, depth, least)
    most = whole_number("top", top, least=1)
    draws = whole_number("resamples", resamples, least=1)
    drawn = resampled(search.statistic, draws, rng, workers=workers, progress=progress)
    drawn.flags.writeable = False
    rows = [_row(found, drawn) for found in search.worst(most)]
    low, high = central_range(drawn)
    return SliceSearch(
        view=search.view,
        by=tuple(part.attribute for part in search.groups),
        skipped=search.skipped,
        depth=search.depth,
        least=search.least,
        searched=search.searched,
        n=data.n,
        effective_n=data.effective_n,
        value=float(abs(rows[0]["z"])),
        null_mean=float(drawn.mean()),
        null_range=(float(low), float(high)),
        p_value=rows[0]["adjusted_p_value"],
        resamples=draws,
        slices=rows,
        verdict=_verdict(rows, search.searched, draws),
        null_values=drawn,
    )


def _row(found: SliceOfTable, drawn: Wide) -> dict[str, Any]:
    (numbers,) = biases(found.events, np.zeros(len(found.events.row), np.intp), 1)
    numbers = {name: value for name, value in numbers.items() if name not in _ENDS}
    adjusted = tails_of(drawn, abs(found.z))[0]
    named: dict[str, Any] = {"slice": found.text}
    if found.event is not None:
        named["class"] = found.event
    return (
        named
        | numbers
        | {
            "z": found.z,
            "adjusted_p_value": adjusted,
            "rejected": adjusted <= LEVEL,
        }
    )


# An interval that does not know of the search would be far too narrow.
_ENDS = ("bias_low", "bias_high")


def _verdict(rows: Sequence[dict[str, Any]], searched: int, draws: int) -> str:
    """Say in plain words whether chance explains the worst slice."""
    worst = rows[0]
    about = f", class {worst['class']!r}" if "class" in worst else ""
    numbers = (
        f"{worst['slice']}{about}: outcome share {number(worst['outcome_share'])}, mean "
        f"probability {number(worst['mean_probability'])} ({counted(worst['n'], 'row')}, z = "
        f"{number(worst['z'])})"
    )
    chance = f"p = {number(worst['adjusted_p_value'])} among {counted(searched, 'slice')}"
    if worst["adjusted_p_value"] > LEVEL:
        return (
            f"Not rejected: the worst slice is {numbers}, and so large a |z| is what the worst of "
            f"so many shows by chance; {chance}. That is no proof of calibration."
        )
    more = sum(row["rejected"] for row in rows[1:])
    others = f" {counted(more, 'further slice')} of those listed are rejected too." if more else ""
    least = " That is the smallest p-value these draws can show." * (
        worst["adjusted_p_value"] <= 1 / (draws + 1)
    )
    return f"Miscalibrated: the worst slice is {numbers}; {chance}.{least}{others}"
