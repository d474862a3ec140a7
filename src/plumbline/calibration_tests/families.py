"""Calibration tests of several classes, models or groups at once, with adjusted p-values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plumbline._checks import one_of, shorten, shown
from plumbline._result import Result
from plumbline.binning import Cut, attributes_of, group_rows
from plumbline.calibration_tests.answers import CalibrationTest
from plumbline.calibration_tests.testing import calibration_test
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, share_of
from plumbline.verdicts import LEVEL, TAILS

METHODS = ("holm", "benjamini-hochberg")
PROMISES = {
    "holm": "Holm's adjustment: the chance of any false rejection is at most the level",
    "benjamini-hochberg": (
        "Benjamini and Hochberg's adjustment: of the rejected, at most the level are false on "
        "average, if the tests are independent or lean the same way"
    ),
    None: "no adjustment: each test keeps its own level, all together do not",
}


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
    rows = [_row(*member) for member in zip(tests, tests.values(), adjusted, strict=True)]
    rejected = [row["name"] for row in rows if row["rejected"]]
    verdict = f"{_verdict(by, adjust, rows, rejected)}{_too_few_draws(tests, adjust)}"
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


def adjusted_p_values(p_values: Sequence[float], adjust: str | None) -> list[float]:
    """Return the p-values of a family of m, adjusted for their number.

    With the p-values in rising order, Holm's (1979) j-th is the largest of (m + 1 - i) p_i, i <= j;
    Benjamini and Hochberg's (1995) is the smallest of m p_i / i, i >= j; neither is above 1.

    >>> adjusted_p_values([0.01, 0.04], "holm")
    [0.02, 0.04]
    """
    p = np.asarray(p_values, np.float64)
    if adjust is None:
        return [float(one) for one in p]
    order, m = np.argsort(p, kind="stable"), len(p)
    if adjust == "holm":
        stepped = np.maximum.accumulate(p[order] * np.arange(m, 0, -1))
    else:
        least = np.minimum.accumulate((p[order] * m / np.arange(1, m + 1))[::-1])
        stepped = least[::-1]
    found = np.empty(m)
    found[order] = np.minimum(stepped, 1.0)
    return [float(one) for one in found]


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
    found = group_rows(data, by, bins=groups)
    if len(found) < 2:
        raise InputError(
            f"the attribute {by!r} has one value, {found[0][0]!r}: there are no groups to compare; "
            "use calibration_test"
        )
    yield from ((name, data.select(where=rows)) for name, rows in found)


def _row(name: str, test: CalibrationTest, adjusted: float) -> dict[str, Any]:
    return {
        "name": name,
        "n": test.n,
        "value": test.value,
        "p_value": test.p_value,
        "adjusted_p_value": adjusted,
        "rejected": adjusted <= LEVEL,
        "verdict": test.verdict,
    }


def _verdict(
    by: str, adjust: str | None, rows: Sequence[dict[str, Any]], rejected: Sequence[str]
) -> str:
    kind = by if by in ("model", "class") else f"group of {by!r}"
    whole = counted(len(rows), "class" if by == "class" else "model" if by == "model" else "group")
    if not rejected:
        told = f"None of {whole} is rejected at {LEVEL}; that is no proof of calibration."
    else:
        told = f"{len(rejected)} of {whole} rejected at {LEVEL}: {kind} {shown(rejected)}."
    return f"{told} {PROMISES[adjust][0].upper()}{PROMISES[adjust][1:]}."
