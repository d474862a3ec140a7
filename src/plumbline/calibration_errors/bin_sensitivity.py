"""How much a calibration error depends on its bins and on their conventions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline._checks import whole_number
from plumbline._result import Detail, Presentation, Result, Table
from plumbline.binning import BinsLike, EqualSize, EqualWidth, binning_of, place
from plumbline.calibration import (
    PRESETS,
    ErrorDefinition,
    OwnDistance,
    define_error,
    statistic,
    value_of,
    view_events,
)
from plumbline.calibration_errors.p_values import NullSummary, compare_with_draws
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.errors import ParameterError, PlumblineError
from plumbline.formatting import (
    bins_words,
    capital,
    counted,
    error_name,
    interval,
    number,
    p_number,
)
from plumbline.nulls import LEAST_DRAWS, resampled
from plumbline.predictions import Predictions, coarsened, ordered, sums_as_sorted
from plumbline.progress import Progress, with_shares
from plumbline.random_streams import Seed

SCHEMES = ("equal-width", "equal-size")
# About evenly spaced on a log scale; a convention.
NUMBERS = (2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100)


@dataclass(frozen=True, repr=False, eq=False)
class BinSensitivity(Result):
    """One calibration error with many bins, each beside what is expected if calibrated.

    Attributes
    ----------
    view, distance : what is measured; n : rows
    settings : one row per scheme and number of bins (scheme, bins, value, null_mean, null_low,
        null_high, p_value, outside): outside: whether the value is outside the 95 % range
    verdict : the range of the errors, and how many settings are outside their null range
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    view: str
    distance: str
    n: int
    settings: Sequence[dict[str, Any]]
    resamples: int
    verdict: str
    row_groups: RowGroups | None = None

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the settings."""
        return self.settings

    def _excess(self) -> str:
        excess = [row["value"] - row["null_mean"] for row in self.settings]
        return f"{interval((min(excess), max(excess)))} above the expected error"

    def by_scheme(self) -> dict[str, list[dict[str, Any]]]:
        """Return the settings of every scheme."""
        schemes: dict[str, list[dict[str, Any]]] = {}
        for row in self.settings:
            schemes.setdefault(row["scheme"], []).append(row)
        return schemes

    def present(self) -> Presentation:
        """Return what the settings show together, and each of them."""
        rows = self.settings
        columns = {
            "bins": [_called(row) for row in rows],
            error_name(self.view, self.distance): [number(row["value"]) for row in rows],
            "expected if calibrated": [number(row["null_mean"]) for row in rows],
            "95 % range": [interval((row["null_low"], row["null_high"])) for row in rows],
            "p": [p_number(row["p_value"]) for row in rows],
        }
        return Presentation(
            subject=f"{capital(error_name(self.view, self.distance))} by number of bins",
            summary=self.verdict,
            details=(
                Detail("excess", "excess", self._excess()),
                *group_details(self.row_groups),
            ),
            notes=group_notes(self.row_groups),
            tables=(Table(columns, left=("bins",)),),
            legend=(CHOSEN_BINS,),
        )


CHOSEN_BINS = (
    "More bins detect finer faults and add noise: compare with the range. Choosing the bins by "
    "these numbers invalidates their p-values."
)


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

    Each number is `calibration_error(data, bins="SCHEME:NUMBER")`. More bins detect finer faults
    and add noise: the error of calibrated probabilities grows with them too, so compare with the
    range expected if calibrated. Choosing the bins by these numbers invalidates their p-values.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    view : str, optional
        As in `calibration_error`.
    distance : str or callable, default "absolute"
        As in `calibration_error`.
    schemes : sequence of str, default ("equal-width", "equal-size")
        The binning schemes.
    numbers : sequence of int, default 2 to 100
        The numbers of bins.
    resamples : int, default 199
        Draws of the labels from the predictions, at least 39.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    BinSensitivity
        The error and its null for every number of bins and scheme.

    Raises
    ------
    InputError
        For a table without probabilities.
    ParameterError
        For an unknown view or scheme.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 0] * 9, [0.1, 0.8, 0.7, 0.4] * 9)
    >>> sensitivity = bin_sensitivity(data, numbers=[2, 10], resamples=39)
    >>> [(row["scheme"], round(row["value"], 2)) for row in sensitivity.rows()][1:3]
    [('equal-width', 0.25), ('equal-size', 0.25)]
    """
    whole_number("resamples", resamples, least=LEAST_DRAWS)
    binnings = [
        (scheme, whole_number("numbers", b, least=1)) for scheme in schemes for b in numbers
    ]
    if not binnings:
        raise ParameterError(
            "`schemes` and `numbers` must name at least one, got none", code="nothing-named"
        )
    definitions = [
        define_error(data, view, binning_of(f"{scheme}:{bins}"), distance)
        for scheme, bins in binnings
    ]
    rows, n, row_groups = [], data.total, row_groups_in(data)
    data = ordered(data)
    data = _coarsened(data, definitions) if data.counted else data
    for ((scheme, bins), definition), bar in with_shares(
        list(zip(binnings, definitions, strict=True)), progress
    ):
        what = statistic(data, definition)
        draws = resampled(what, resamples, rng, workers=workers, progress=bar)
        null = compare_with_draws(value_of(what), draws)
        rows.append(_row(scheme, bins, null))
    name, kind = definitions[0].name, definitions[0].distance
    verdict = _verdict(error_name(name, kind), rows)
    return BinSensitivity(name, kind, n, rows, resamples, verdict, row_groups)


def _coarsened(data: Predictions, definitions: Sequence[ErrorDefinition]) -> Predictions:
    """Merge neighbouring probabilities that are in one bin of every definition, once for all.

    So all bins hold the rows, and all errors have the values, that they had before.
    """
    bins = [one.bins for one in definitions if isinstance(one.bins, (EqualSize, EqualWidth))]
    if len(bins) < len(definitions):
        return data
    apart = np.zeros(data.stored, np.int64)
    for event in view_events(data, definitions[0]).events:
        score, mass = event.score, data.mass
        if not sums_as_sorted(score, mass):  # once for all definitions
            order = np.lexsort((mass, score))
            score, mass = score[order], mass[order]
        between = np.unique(np.concatenate([one.edges(score, mass) for one in bins]))
        apart = apart * (len(between) + 1) + place(event.score, between)
    return coarsened(data, apart=apart)


def _row(scheme: str, bins: int, null: NullSummary) -> dict[str, Any]:
    low, high = null.range
    return {
        "scheme": scheme,
        "bins": bins,
        "value": null.value,
        "null_mean": null.mean,
        "null_low": low,
        "null_high": high,
        "p_value": null.p_value(),
        "outside": not low <= null.value <= high,
    }


def _verdict(name: str, rows: Sequence[dict[str, Any]]) -> str:
    values = [row["value"] for row in rows]
    least, most = int(np.argmin(values)), int(np.argmax(values))
    outside = sum(row["outside"] for row in rows)
    if number(values[least]) == number(values[most]):
        found = f"{number(values[least])} with every number of bins"
    else:
        found = (
            f"{number(values[least])} ({_called(rows[least])}) to {number(values[most])} "
            f"({_called(rows[most])})"
        )
    return (
        f"{capital(name)} {found}; {outside} of {counted(len(rows), 'setting')} outside the range "
        "expected if calibrated."
    )


def _called(row: dict[str, Any]) -> str:
    return bins_words(f"{row['scheme']}:{row['bins']}")


@dataclass(frozen=True, repr=False, eq=False)
class PresetComparison(Result):
    """One calibration error with the conventions of other projects.

    Attributes
    ----------
    view, scheme, norm, counting : what was measured
    n : rows
    value : the error by this project's own conventions
    presets : one row per preset (preset, value, difference, why): the value with its conventions,
        the difference from ours, and what the name of the bins means there; None and the reason
        where it has no such error
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    view: str
    scheme: str
    norm: float | str
    counting: str
    n: int
    value: float
    presets: Sequence[dict[str, Any]]
    row_groups: RowGroups | None = None

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the presets."""
        return self.presets

    def present(self) -> Presentation:
        """Return the error by this project's conventions, and by those of every preset."""
        columns = {
            "preset": [row["preset"] for row in self.presets],
            "error": [number(row["value"]) for row in self.presets],
            "difference": [number(row["difference"]) for row in self.presets],
            "why": [row["why"] for row in self.presets],
        }
        return Presentation(
            subject=f"{capital(error_name(self.view, norm=self.norm))}, {bins_words(self.scheme)}",
            details=(
                Detail("n", "rows", f"{self.n:,}"),
                Detail("value", "error", number(self.value)),
                *group_details(self.row_groups),
            ),
            tables=(Table(columns, left=("preset", "why")),),
        )


def compare_presets(
    data: Predictions,
    view: str | None = None,
    *,
    bins: BinsLike | None = None,
    norm: float | str = 1,
    counting: str = "weight",
) -> PresetComparison:
    """Compute one binned calibration error with the conventions of every preset that has it.

    (sum_b (W_b / W) abs(share - mean)^norm)^(1/norm); the presets differ in the bins b. Presets of
    equal value are listed too.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities.
    view : str, optional
        As in `calibration_error`.
    bins : int, str or Binning, default "equal-width:15"
        A number means that many bins of equal width.
    norm : float or "max", default 1
        As in `calibration_error`.
    counting : {"weight", "bins"}, default "weight"
        Whether bins count by weight or equally.

    Returns
    -------
    PresetComparison
        The error with each convention, one row per convention.

    Raises
    ------
    InputError
        For a table without probabilities.
    ParameterError
        For an unknown name.

    Examples
    --------
    >>> data = Predictions.from_arrays([0, 1, 1, 0, 1], [0.1, 0.5, 0.5, 0.95, 1.0])
    >>> comparison = compare_presets(data, bins=2)
    >>> round(comparison.value, 2)
    0.37
    >>> {row["preset"]: round(row["value"], 2) for row in comparison.presets if row["difference"]}
    {'thesis': 0.03, 'torchmetrics': 0.03, 'netcal': 0.03, 'tfp': 0.03, 'blog': 0.01, 'mapie': 0.01}
    """
    own = define_error(data, view, bins, norm=norm, counting=counting)
    value = value_of(statistic(data, own))
    params = {"view": own.name, "bins": own.bins, "norm": norm, "counting": counting}
    return PresetComparison(
        view=own.name,
        scheme="distinct-vectors" if own.bins is None else str(own.bins),
        norm=own.norm_name if np.isinf(own.norm) else own.norm,
        counting=own.counting,
        n=data.total,
        value=value,
        presets=[_preset_row(data, name, params, own, value) for name in PRESETS],
        row_groups=row_groups_in(data),
    )


def _preset_row(
    data: Predictions, name: str, params: dict[str, Any], own: ErrorDefinition, value: float
) -> dict[str, Any]:
    try:
        theirs = value_of(statistic(data, define_error(data, **params, like=name)))
    except PlumblineError as error:  # it has no such error: the message says what it has instead
        return {"preset": name, "value": None, "difference": None, "why": str(error)}
    same = np.isclose(theirs, value, rtol=1e-12, atol=1e-12)
    return {
        "preset": name,
        "value": theirs,
        "difference": 0.0 if same else theirs - value,
        "why": PRESETS[name].meaning(own.bins),
    }
