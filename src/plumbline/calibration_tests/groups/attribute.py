"""Calibration by attribute: bias, error and test of every group, with adjusted p-values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._checks import open_fraction
from plumbline._result import Result
from plumbline.binning import Binning, Cut, group_rows
from plumbline.calibration import OwnDistance
from plumbline.calibration_tests import CalibrationError, calibration_error
from plumbline.calibration_tests.families import CalibrationTests, calibration_test_by
from plumbline.calibration_tests.groups.bias import Events, biases
from plumbline.predictions import Predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed

PURPOSE = "calibration by groups"
TESTED = 0.6  # share of the work that the tests are
TOLD = 3  # groups whose finding the verdict tells


@dataclass(frozen=True, repr=False, eq=False)
class GroupCalibration(Result):
    """How well calibrated each group of rows is, and which of them are not.

    Attributes
    ----------
    by : the attributes; view, scheme, distance : of the error
    statistic : of the test; adjust : how its p-values were adjusted
    level : of the intervals of the bias
    groups : one row a group: group, n, effective_n, mean_probability, outcome_share, bias (outcome
        share less mean probability), bias_low, bias_high, value (the calibration error), null_mean,
        excess (value less null_mean), p_value (of the test), adjusted_p_value, rejected
    rejected : names of the groups whose adjusted p-value is at most 0.05
    verdict : the answer in plain words
    tests, errors : the groups' whole answers, by name
    """

    by: str
    view: str
    scheme: str
    distance: str
    statistic: str
    adjust: str | None
    level: float
    resamples: int
    groups: Sequence[dict[str, Any]]
    rejected: Sequence[str]
    verdict: str
    tests: CalibrationTests = field(metadata={"hidden": True})
    errors: dict[str, CalibrationError] = field(metadata={"hidden": True})

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the groups."""
        return self.groups


def calibration_by(
    data: Predictions,
    by: str,
    *,
    groups: Cut | Mapping[str, Cut] | None = None,
    view: str | None = None,
    bins: str | Binning | None = None,
    distance: str | OwnDistance = "absolute",
    statistic: str = "omnibus",
    adjust: str | None = "holm",
    level: float = 0.95,
    resamples: int = 999,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> GroupCalibration:
    """Measure and test the calibration in every group of an attribute, or of several crossed.

    `by` and `groups`: which groups, as in `group_rows`. Each group has its bias, sum w y / W - sum
    w p / W, with an interval; its calibration error (`view`, a binary one, `bins`, `distance`)
    beside the mean that true probabilities would score on the same rows; and the p-value of a test,
    the omnibus or the one that `statistic` names, adjusted for the number of groups as in
    `calibration_tests`.

    The interval of the bias is Wilson's (1927) for the outcome share, less the mean probability,
    narrowed by as much of the outcome's variance as the probabilities explain. It holds the
    predictions fixed, and is about one group, not about all.

    Raises ParameterError for an unknown name, InputError where there is one group or more than 50.

    >>> site, p = ["north", "south"] * 100, [0.2, 0.6] * 100
    >>> y = [0, 0, 1, 0, 0, 1, 0, 0, 0, 1] * 20
    >>> data = Predictions.from_arrays(y, p, attributes={"site": site})
    >>> found = calibration_by(data, "site", resamples=199)
    >>> [(row["group"], round(row["bias"], 2), row["rejected"]) for row in found.rows()]
    [('north', 0.0, False), ('south', -0.2, True)]
    """
    open_fraction("level", level)
    asked: dict[str, Any] = {"resamples": resamples, "rng": rng, "workers": workers}
    events = Events.of(data, view, PURPOSE)
    parts = group_rows(data, by, bins=groups)
    tests = calibration_test_by(
        data,
        by=by,
        groups=groups,
        adjust=adjust,
        view=view,
        statistic=statistic,
        progress=share_of(progress, 0.0, TESTED),
        **asked,
    )
    home = np.full(data.n, -1)
    for place, (_, places) in enumerate(parts):
        home[places] = place
    found = biases(events, home[events.row], len(parts), level=level)
    errors = {
        name: calibration_error(
            data.select(where=places),
            view=view,
            bins=bins,
            distance=distance,
            progress=_share(progress, j, len(parts)),
            **asked,
        )
        for j, (name, places) in enumerate(parts)
    }
    first = next(iter(errors.values()))
    rows = [
        _row(name, numbers, errors[name], test)
        for (name, _), numbers, test in zip(parts, found, tests.rows(), strict=True)
    ]
    return GroupCalibration(
        by=by,
        view=first.view,
        scheme=first.scheme,
        distance=first.distance,
        statistic=statistic,
        adjust=adjust,
        level=level,
        resamples=first.resamples,
        groups=rows,
        rejected=tests.rejected,
        verdict=_verdict(tests),
        tests=tests,
        errors=errors,
    )


def _share(progress: Progress | None, done: int, whole: int) -> Progress | None:
    rest = 1.0 - TESTED
    return share_of(progress, TESTED + rest * done / whole, TESTED + rest * (done + 1) / whole)


def _row(
    name: str, numbers: Mapping[str, Any], error: CalibrationError, test: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "group": name,
        **numbers,
        "value": error.value,
        "null_mean": error.null_mean,
        "excess": error.value - error.null_mean,
        **{key: test[key] for key in ("p_value", "adjusted_p_value", "rejected")},
    }


def _verdict(tested: CalibrationTests) -> str:
    """Return what the tests say, and what they found in the first groups that they reject."""
    found = [(name, tested.tests[name].finding) for name in tested.rejected[:TOLD]]
    told = [f"{name}: {finding}" for name, finding in found if finding is not None]
    return " ".join([tested.verdict, *told])
