"""Calibration of several classes, models or groups of rows at once, with adjusted p-values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._checks import one_of, open_fraction, shorten, shown
from plumbline._result import Result
from plumbline.binning import BinsLike, Cut, attributes_of, group_rows
from plumbline.calibration import OwnDistance
from plumbline.calibration_tests.calibration_error import calibration_error
from plumbline.calibration_tests.calibration_test import calibration_test
from plumbline.calibration_tests.group_sums import Events, biases
from plumbline.calibration_tests.p_values import METHODS, PROMISES, adjusted_p_values
from plumbline.calibration_tests.results import CalibrationError, CalibrationTest
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, share_of
from plumbline.random_streams import Seed
from plumbline.verdicts import LEVEL, TAILS


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationTests(Result):
    """One calibration test a class, model or group, and what they say together.

    Attributes
    ----------
    by : "model", "class" or the name of the attributes; adjust : how p-values were adjusted
    members : one row a member: name, n, value, p_value, adjusted_p_value, rejected, verdict
    rejected : names of the members whose adjusted p-value is at most 0.05
    verdict : the answer in plain words
    tests : the members' whole answers, by name
    """

    by: str
    adjust: str | None
    members: Sequence[dict[str, Any]]
    rejected: Sequence[str]
    verdict: str
    tests: dict[str, CalibrationTest] = field(default_factory=dict, metadata={"hidden": True})

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the members."""
        return self.members


def calibration_test_by(
    data: Predictions,
    *,
    by: str = "model",
    groups: Cut | Mapping[str, Cut] | None = None,
    adjust: str | None = "holm",
    progress: Progress | None = None,
    **arguments: Any,
) -> CalibrationTests:
    """Test the calibration of every model, class or group, with p-values adjusted for that.

    `by`: "model"; "class" (each class against the rest); or the name of an attribute, or of several
    ("sex,age"): each value is a group, and a number is cut into groups, which `groups` ("edges:18",
    "equal-size:4") can say otherwise. `adjust`: "holm" (Holm 1979) bounds the chance of any false
    rejection, "benjamini-hochberg" (1995) the share of false ones among the rejected, None leaves
    the p-values as they are. All other arguments are those of `calibration_test`, the same for
    every member.

    Raises ParameterError for an unknown `by` or `adjust`, InputError where there is nothing to
    compare (one model, two classes) or there are more than 50 groups.

    >>> data = Predictions.from_arrays(
    ...     [0, 1, 1, 1] * 9, [0.1, 0.3, 0.6, 0.8] * 9, attributes={"site": ["a", "b"] * 18}
    ... )
    >>> found = calibration_test_by(data, by="site", statistic="brier-score")
    >>> [(row["name"], row["n"]) for row in found.rows()]
    [('a', 18), ('b', 18)]
    """
    if adjust is not None:
        one_of("adjust", adjust, METHODS)
    members = list(_members(only_predictions(data), by, groups, arguments))
    tests = {
        name: calibration_test(
            part, **own, progress=share_of(progress, j / len(members), (j + 1) / len(members))
        )
        for j, (name, part, own) in enumerate(members)
    }
    adjusted = adjusted_p_values([test.p_value for test in tests.values()], adjust)
    rows = [_member_row(*member) for member in zip(tests, tests.values(), adjusted, strict=True)]
    rejected = [row["name"] for row in rows if row["rejected"]]
    verdict = f"{_members_verdict(by, adjust, rows, rejected)}{_too_few_draws(tests, adjust)}"
    return CalibrationTests(by, adjust, rows, rejected, verdict, tests)


def _too_few_draws(tests: dict[str, CalibrationTest], adjust: str | None) -> str:
    """Say so where no draw could have led to a rejection of one member among so many."""
    drawn = [test for test in tests.values() if test.resamples]
    if adjust is None or not drawn:
        return ""
    sides = 1 if drawn[0].statistic == "omnibus" else TAILS[drawn[0].alternative]
    enough = round(len(tests) * sides / LEVEL)
    if drawn[0].resamples + 1 >= enough:
        return ""
    return (
        f" {drawn[0].resamples:,} resamples are too few to reject one of {len(tests)}: draw at "
        f"least {enough:,}."
    )


def _members(
    data: Predictions,
    by: str,
    groups: Cut | Mapping[str, Cut] | None,
    arguments: dict[str, Any],
) -> Iterator[tuple[str, Predictions, dict[str, Any]]]:
    """Yield name, rows and arguments of every member."""
    if groups is not None and by in ("model", "class"):
        raise ParameterError(
            f"`groups` cuts an attribute, and by={by!r} has none, got {shorten(groups)}; leave it "
            "out"
        )
    if by == "model":
        if len(data.models) < 2:
            raise InputError(
                "tests by model need a table of several models (a column `model`), this one holds "
                "one; use calibration_test, or by='class'"
            )
        yield from ((str(name), part, arguments) for name, part in data.by_model().items())
    elif by == "class":
        if data.k == 2:
            raise InputError(
                "with two classes the tests of both are one and the same; use calibration_test"
            )
        if arguments.get("view") is not None:
            raise ParameterError(
                f"`view` is each class in turn with by='class', got {arguments['view']!r}; leave "
                "it out"
            )
        yield from (
            (name, data, arguments | {"view": f"one-vs-rest:{name}"}) for name in data.classes
        )
    else:
        yield from ((name, part, arguments) for name, part in _groups(data, by, groups))


def _groups(
    data: Predictions, by: str, groups: Cut | Mapping[str, Cut] | None
) -> Iterator[tuple[str, Predictions]]:
    attributes_of(data, by, beside=("model", "class"))
    found = group_rows(data, by, cuts=groups)
    if len(found) < 2:
        raise InputError(
            f"the attribute {by!r} has one value, {found[0][0]!r}: there are no groups to compare; "
            "use calibration_test"
        )
    yield from ((name, data.select(where=rows)) for name, rows in found)


def _member_row(name: str, test: CalibrationTest, adjusted: float) -> dict[str, Any]:
    return {
        "name": name,
        "n": test.n,
        "value": test.value,
        "p_value": test.p_value,
        "adjusted_p_value": adjusted,
        "rejected": adjusted <= LEVEL,
        "verdict": test.verdict,
    }


def _members_verdict(
    by: str, adjust: str | None, rows: Sequence[dict[str, Any]], rejected: Sequence[str]
) -> str:
    kind = by if by in ("model", "class") else f"group of {by!r}"
    whole = counted(len(rows), "class" if by == "class" else "model" if by == "model" else "group")
    if not rejected:
        told = f"None of {whole} is rejected at {LEVEL}; that is no proof of calibration."
    else:
        told = f"{len(rejected)} of {whole} rejected at {LEVEL}: {kind} {shown(rejected)}."
    return f"{told} {PROMISES[adjust][0].upper()}{PROMISES[adjust][1:]}."


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
    bins: BinsLike | None = None,
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
    parts = group_rows(data, by, cuts=groups)
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
        _group_row(name, numbers, errors[name], test)
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
        verdict=_group_verdict(tests),
        tests=tests,
        errors=errors,
    )


def _share(progress: Progress | None, done: int, whole: int) -> Progress | None:
    rest = 1.0 - TESTED
    return share_of(progress, TESTED + rest * done / whole, TESTED + rest * (done + 1) / whole)


def _group_row(
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


def _group_verdict(tested: CalibrationTests) -> str:
    """Return what the tests say, and what they found in the first groups that they reject."""
    found = [(name, tested.tests[name].finding) for name in tested.rejected[:TOLD]]
    told = [f"{name}: {finding}" for name, finding in found if finding is not None]
    return " ".join([tested.verdict, *told])
