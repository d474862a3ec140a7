"""What a plan answers with, and its verdict in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from typing import Any

import numpy as np

from plumbline._result import Result
from plumbline.power.effects import Effect
from plumbline.power.search import Crossing, Shot
from plumbline.predictions import Predictions

DRAWN = 60  # points of the fitted line


@dataclass(frozen=True, repr=False, eq=False)
class Plan(Result):
    """How many rows it takes to detect a miscalibration, and what the rows at hand detect.

    Attributes
    ----------
    n : the number of rows asked about, or None
    effect : the miscalibration, as it is typed; level, power : of the test, as asked
    test : the test to use; tests : the power of all tried ones at one n, the best first, in line
        with the fitted curve of the chosen one; `simulated` is the share they rejected of data sets
        that all of them shared
    n_needed, n_needed_std_error : rows at which the test has the power; None with a `reason`
    power_at_n, power_at_n_std_error : the power of n rows for this effect, on the fitted curve
    detectable, detectable_std_error : the smallest effect of the kind that n rows detect with the
        power; None with a `reason`
    n_limit : rows that the likelihood ratio needs, about: no test does with clearly fewer
    datasets, resamples : data sets for each point at most, draws of labels for the test
    curve : the simulated points n, power, std_error, datasets
    estimates : n, power, std_error on the fitted curve at these points, at n and at n_needed
    notes : what was extrapolated; verdict : the answer in plain words
    fitted : n and power along the fitted line, for a picture
    """

    n: int | None
    effect: str
    level: float
    power: float
    test: str
    n_needed: int | None
    n_needed_std_error: float | None
    power_at_n: float | None
    power_at_n_std_error: float | None
    detectable: float | None
    detectable_std_error: float | None
    n_limit: int | None
    datasets: int
    resamples: int
    tests: Sequence[Mapping[str, Any]]
    curve: Sequence[Mapping[str, Any]]
    estimates: Sequence[Mapping[str, Any]]
    verdict: str
    notes: tuple[str, ...] = ()
    reason: str | None = None
    fitted: Sequence[tuple[float, float]] = field(default=(), metadata={"hidden": True})

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the simulated points of the power curve."""
        return self.curve

    def shown_lines(self) -> Iterator[tuple[str, str]]:
        """Yield all but the tables, which `to_dict` and `to_frame` hold."""
        tables = ("tests", "curve", "estimates", "")
        return ((name, text) for name, text in super().shown_lines() if name not in tables)


def curve_rows(shots: Sequence[Shot]) -> list[dict[str, Any]]:
    """Return the simulated points by their number of rows; equal numbers are one point."""
    found: dict[int, Shot] = {}
    for shot in shots:
        n = round(shot.u**2)
        old = found.get(n, Shot(shot.u, 0, 0))
        found[n] = Shot(shot.u, old.hits + shot.hits, old.sets + shot.sets)
    return [
        {"n": n, "power": shot.share, "std_error": shot.error, "datasets": shot.sets}
        for n, shot in sorted(found.items())
    ]


def estimates(found: Crossing, more: Sequence[int | None]) -> list[dict[str, Any]]:
    """Return the fitted power and its standard error where something was simulated, and at more."""
    if found.line is None:
        return []
    rows = {round(shot.u**2) for shot in found.shots} | {n for n in more if n is not None}
    values = {n: found.line.power(sqrt(n)) for n in sorted(rows)}
    return [{"n": n, "power": power, "std_error": error} for n, (power, error) in values.items()]


def fitted_points(found: Crossing) -> list[tuple[float, float]]:
    """Return n and power along the fitted line, from no rows to half as many again as needed."""
    if found.line is None or found.u is None:
        return []
    far = max(found.u, max(shot.u for shot in found.shots))
    return [(u * u, found.line.power(u)[0]) for u in np.linspace(0.05 * far, 1.15 * far, DRAWN)]


def verdict_of_plan(found: Plan, effect: Effect, pool: Predictions) -> Plan:
    """Return the plan with its verdict."""
    parts = [_at_n(found, effect, pool), _needed(found, effect, pool), _smallest(found, effect)]
    return replace(found, verdict=" ".join(filter(None, [*parts, _use(found)])))


def _at_n(found: Plan, effect: Effect, pool: Predictions) -> str:
    if found.power_at_n is None:
        return ""
    return (
        f"With {found.n:,} rows the {_test(found.test)} detects {effect.spoken(pool)} with power "
        f"{found.power_at_n:.2f} ± {found.power_at_n_std_error:.2f}."
    )


def _needed(found: Plan, effect: Effect, pool: Predictions) -> str:
    what = "" if found.power_at_n is not None else f" to detect {effect.spoken(pool)}"
    if found.n_needed is None:
        return f"No number of rows is known{what} with power {found.power:g}."
    error = ceil(found.n_needed_std_error or 0)
    return (
        f"{found.n_needed:,} ± {error:,} rows are needed{what} with power {found.power:g} at level "
        f"{found.level:g}."
    )


def _smallest(found: Plan, effect: Effect) -> str:
    if found.detectable is None:
        return ""
    return (
        f"The mildest effect of this kind that {found.n:,} rows show with power {found.power:g} "
        f"is {effect.sized(found.detectable)} ± {found.detectable_std_error:.1g}."
    )


def _use(found: Plan) -> str:
    """Say which of several tests to use, and what the omnibus and the best of them reject."""
    shares = {row["test"]: f"{row['power']:.2f} ± {row['std_error']:.2f}" for row in found.tests}
    if not shares:
        return ""
    where = f"with {found.tests[0]['n']:,} rows"
    if found.test != "omnibus":
        return (
            f"Use: {found.test}, which {where} has power {shares[found.test]} where the "
            f"omnibus has {shares['omnibus']}; but the omnibus detects other faults too."
        )
    best = next((name for name in shares if name != "omnibus"), "omnibus")
    return (
        f"Use: omnibus; {where} it has power {shares['omnibus']}, and no other test has clearly "
        f"more (the best, {best}, {shares[best]})."
    )


def _test(name: str) -> str:
    return f"{name} test"
