"""Calibration of several classes, models or groups of rows at once, with adjusted p-values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import numpy as np

from plumbline._checks import one_of, open_fraction, shorten, whole_number
from plumbline._result import NextStep, Note, Presentation, Result, Table, joined_note
from plumbline.binning import BinsLike, Cut, attributes_of, group_rows
from plumbline.calibration import OwnDistance, define_error
from plumbline.calibration import statistic as statistic_of
from plumbline.calibration_errors import (
    CalibrationError,
    CalibrationTest,
    Events,
    StatisticParams,
    adjusted_p_values,
    biases,
)
from plumbline.calibration_errors.calibration_error import error_of
from plumbline.calibration_errors.group_sums import BIAS, columns_of_bias, columns_of_interval
from plumbline.calibration_errors.next_steps import SMALLEST, after_rejection, to_plan
from plumbline.calibration_errors.p_values import METHODS, PROMISES
from plumbline.calibration_tests.calibration_test import AskedTest, calibration_test_of
from plumbline.dependence import (
    RowGroups,
    Strength,
    group_details,
    group_notes,
    plain_groups,
    row_groups_in,
)
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import (
    bins_words,
    capital,
    error_name,
    number,
    p_number,
    quoted,
    view_words,
)
from plumbline.nulls import Resampling
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress, share_of, with_shares
from plumbline.random_streams import Seed, entropy_of
from plumbline.verdicts import (
    LEVEL,
    TAILS,
    few_resamples,
    impossible_note,
    members_verdict,
    p_or_bound,
)


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationTests(Result):
    """One calibration test per class, model or group, and a verdict on all.

    Attributes
    ----------
    by : "model", "class" or the name of the attributes; adjust : how p-values were adjusted
    members : one row per member: name, n, value, p_value, adjusted_p_value, rejected, verdict
    rejected : names of the members whose adjusted p-value is at most 0.05
    verdict : which of them are miscalibrated
    row_groups : how much the rows of its groups depend; None where they are in none
    tests : the members' full results, by name
    step : what to do next
    """

    by: str
    adjust: str | None
    members: Sequence[dict[str, Any]]
    rejected: Sequence[str]
    verdict: str
    row_groups: RowGroups | None = None
    tests: dict[str, CalibrationTest] = field(default_factory=dict, metadata={"hidden": True})
    step: NextStep = field(default=SMALLEST, metadata={"hidden": True})

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the members."""
        return self.members

    def json_entries(self) -> tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]:
        """Return an entry a member, with its whole test."""
        key = "model" if self.by == "model" else "group"
        rows = [
            {key: row["name"]}
            | self.tests[row["name"]].to_dict()
            | {name: row[name] for name in ("adjusted_p_value", "rejected")}
            for row in self.members
        ]
        more: dict[str, Any] = {"by": self.by, "adjust": self.adjust or "none"}
        more |= {"verdict": self.verdict}
        more |= plain_groups(self.row_groups)
        return rows, more

    def present(self) -> Presentation:
        """Return one row per member, and the verdict on all."""
        rows = self.members
        tests = [self.tests[row["name"]] for row in rows]
        one = tests[0]
        columns = {
            self.by: [str(row["name"]) for row in rows],
            "rows": [f"{row['n']:,}" for row in rows],
        }
        if one.statistic == "omnibus":
            columns["fault"] = [
                (test.fault or "in no simple shape") if row["rejected"] else "-"
                for row, test in zip(rows, tests, strict=True)
            ]
        else:
            columns[one.label()] = [number(test.value) for test in tests]
            if any(isfinite(test.null_mean) for test in tests):
                columns["expected if calibrated"] = [number(test.null_mean) for test in tests]
        columns["p"] = [p_or_bound(one.p_value, one.resamples, one.tail) for one in tests]
        if self.adjust is not None:
            columns["adjusted p"] = [p_number(row["adjusted_p_value"]) for row in rows]
        parts = [f"Statistic: {one.statistic}"]
        parts += [] if self.by == "class" else [view_words(one.view)]
        return Presentation(
            subject="" if one.statistic == "omnibus" else ", ".join(parts),
            summary=self.verdict,
            tone="bad" if self.rejected else "open",
            details=group_details(self.row_groups),
            notes=(
                *self._impossible(),
                *_too_few_draws(self.tests, self.adjust),
                *group_notes(self.row_groups),
            ),
            next_step=self.step,
            tables=(Table(columns, left=(self.by, "fault")),),
            tables_first=True,
            legend=(f"{capital(PROMISES[self.adjust])}.",),
        )

    def _impossible(self) -> tuple[Note, ...]:
        """Return the members in whose rows the observed class had probability 0."""
        tests = {str(row["name"]): self.tests[row["name"]] for row in self.members}
        notes = {
            name: impossible_note(test.impossible_rows, test.n)
            for name, test in tests.items()
            if test.impossible_rows
        }
        return (joined_note(notes),) if notes else ()


def calibration_test_by(
    data: Predictions,
    *,
    by: str = "model",
    cuts: Cut | Mapping[str, Cut] | None = None,
    adjust: str | None = "holm",
    statistic: str = "omnibus",
    view: str | None = None,
    bins: BinsLike | None = None,
    distance: str | OwnDistance | None = None,
    outcome: str | None = None,
    alternative: str | None = None,
    null: str = "auto",
    resamples: int = 999,
    like: str | None = None,
    rng: Seed = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> CalibrationTests:
    """Test the calibration of every model, class or group, with p-values adjusted for that.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, or of several with `by="model"`.
    by : str, default "model"
        "model"; "class" (each class against the rest); or the name of an attribute, or of several
        ("sex,age"): each value is a group.
    cuts : str, sequence of numbers, or dict of these by attribute, optional
        How a number is cut into groups: "edges:18", "equal-size:4", [18, 65]. By default four
        groups of equal weight.
    adjust : {"holm", "benjamini-hochberg"} or None, default "holm"
        Holm (1979) bounds the probability of any false rejection, Benjamini and Hochberg (1995) the
        expected share of false rejections; None does not adjust.
    statistic : str, default "omnibus"
        Name of the test; this and the next nine parameters are as in `calibration_test`, the same
        for every member.
    view : str, optional
        Which class or label is looked at; not with `by="class"`.
    bins : int, str or Binning, optional
        Bins of a binned statistic.
    distance : str or callable, optional
        Distance of a binned statistic.
    outcome : str, optional
        What counts as the event of the view.
    alternative : str, optional
        Tail of the test, where it has one.
    null : str, default "auto"
        How the null is computed: "auto", "exact", "resample" or "asymptotic".
    resamples : int, default 999
        Number of draws of the labels.
    like : str, optional
        Program or paper whose conventions are used.
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Number of threads; the result does not depend on it.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    CalibrationTests
        One test per member, with its adjusted p-value, and a verdict on all.

    Raises
    ------
    ParameterError
        For an unknown name.
    InputError
        Where there is nothing to compare (one model, two classes), or more than 50 groups.

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure"; Benjamini and Hochberg
    (1995), "Controlling the false discovery rate".

    Examples
    --------
    >>> data = Predictions.from_arrays(
    ...     [0, 1, 1, 1] * 9, [0.1, 0.3, 0.6, 0.8] * 9, attributes={"site": ["a", "b"] * 18}
    ... )
    >>> tests = calibration_test_by(data, by="site", statistic="brier-score")
    >>> [(row["name"], row["n"]) for row in tests.rows()]
    [('a', 18), ('b', 18)]
    """
    if adjust is not None:
        one_of("adjust", adjust, METHODS)
    if by == "class" and view is not None:
        raise ParameterError(
            f"`view` is each class in turn with `by='class'`, got {quoted(view)}; leave it out",
            code="view-beside-by",
        )
    members = list(_members(only_predictions(data), by, cuts))
    params = StatisticParams(view=view, bins=bins, distance=distance, outcome=outcome, like=like)
    asked = AskedTest.of(statistic, params, alternative, null)
    draws = Resampling(whole_number("resamples", resamples, least=1), entropy_of(rng), workers)
    # A part has few groups: how strongly their rows depend, all groups of the table tell.
    pooled = None if by in ("model", "class") else asked.pooled(data)
    tests = {
        name: calibration_test_of(
            part,
            asked if target is None else replace(asked, params=replace(params, view=target)),
            replace(draws, progress=share),
            pooled,
        )
        for (name, part, target), share in with_shares(members, progress)
    }
    adjusted = adjusted_p_values([test.p_value for test in tests.values()], adjust)
    rows = [
        {
            "name": name,
            "n": test.n,
            "value": test.value,
            "p_value": test.p_value,
            "adjusted_p_value": p_value,
            "rejected": p_value <= LEVEL,
            "verdict": test.verdict,
        }
        for (name, test), p_value in zip(tests.items(), adjusted, strict=True)
    ]
    rejected = [name for name, p in zip(tests, adjusted, strict=True) if p <= LEVEL]
    noun = by if by in ("model", "class") else "group"
    verdict = members_verdict(noun, list(tests), adjusted, adjusted=adjust is not None)
    step = replace(after_rejection(data), per_model=False) if rejected else to_plan(data)
    return CalibrationTests(by, adjust, rows, rejected, verdict, row_groups_in(data), tests, step)


def _too_few_draws(tests: dict[str, CalibrationTest], adjust: str | None) -> list[Note]:
    """Say so where no draw could have led to a rejection of one member among so many."""
    drawn = [test for test in tests.values() if test.resamples]
    if adjust is None or not drawn:
        return []
    return few_resamples(drawn[0].resamples, TAILS[drawn[0].tail], len(tests))


def _members(
    data: Predictions, by: str, cuts: Cut | Mapping[str, Cut] | None
) -> Iterator[tuple[str, Predictions, str | None]]:
    """Yield name, rows and, of a class, the view of every member."""
    if cuts is not None and by in ("model", "class"):
        raise ParameterError(
            f"`cuts` needs an attribute in `by`, got {shorten(cuts)} with `by={by!r}`; leave it "
            "out",
            code="cuts-of-no-numbers",
        )
    if by == "model":
        if len(data.models) < 2:
            raise InputError(
                "tests by model need a table of several models (a column `model`), this one holds "
                "one",
                code="one-model",
                remedy="use calibration_test, or `by='class'`",
            )
        yield from ((str(name), part, None) for name, part in data.by_model().items())
    elif by == "class":
        if data.k == 2:
            raise InputError(
                "with two classes the tests of both are the same",
                code="nothing-to-group",
                remedy="use calibration_test",
            )
        yield from ((name, data, f"one-vs-rest:{name}") for name in data.classes)
    else:
        attributes_of(data, by, beside=("model", "class"))
        groups = group_rows(data, by, cuts=cuts)
        if len(groups) < 2:
            raise InputError(
                f"the attribute {quoted(by)} has one value, {quoted(groups[0][0])}: there are no "
                "groups to compare",
                code="nothing-to-group",
                remedy="use calibration_test",
            )
        yield from ((name, data.select(where=rows), None) for name, rows in groups)


PURPOSE = "calibration by groups"
# Columns of the calibration test, beside the interval of the bias, which has a p-value of its own.
OF_TEST = {"fault": "fault", "p": "p of test", "adjusted p": "adjusted p of test"}
TESTED = 0.6  # share of the work that the tests are


@dataclass(frozen=True, repr=False, eq=False)
class GroupCalibration(Result):
    """How well calibrated each group of rows is, and which groups are not.

    Attributes
    ----------
    by : the attributes; view, scheme, distance : of the error
    statistic : of the test; adjust : how its p-values were adjusted
    level : of the intervals of the bias
    groups : one row per group: group, n, effective_n, mean_probability, outcome_share, bias
        (outcome share less mean probability), bias_low, bias_high, bias_p_value (of the bias
        alone), value (the calibration error), null_mean, excess (value less null_mean), p_value (of
        the test of calibration), adjusted_p_value, rejected
    rejected : names of the groups whose adjusted p-value is at most 0.05
    verdict : which of them are miscalibrated
    tests, errors : the groups' full results, by name
    row_groups : how much the rows of its groups depend; None where they are in none
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
    row_groups: RowGroups | None = None

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the groups."""
        return self.groups

    def present(self) -> Presentation:
        """Return the verdict on all groups, and each group."""
        rows = self.groups
        columns = {
            self.by: [str(row["group"]) for row in rows],
            "rows": [f"{row['n']:,}" for row in rows],
            **columns_of_bias(rows),
            **columns_of_interval(rows, self.level),
            error_name(self.view, self.distance): [number(row["value"]) for row in rows],
            "expected if calibrated": [number(row["null_mean"]) for row in rows],
        }
        tests = self.tests.present()
        p = tests.tables[0].columns
        columns |= {OF_TEST[name]: list(p[name]) for name in OF_TEST if name in p}
        return Presentation(
            subject=f"{capital(view_words(self.view))}, {bins_words(self.scheme)}",
            summary=self.verdict,
            tone=tests.tone,
            details=tests.details,
            notes=tests.notes,
            next_step=tests.next_step,
            tables=(Table(columns, left=(self.by, "fault")),),
            tables_first=True,
            legend=(BIAS, *tests.legend),
        )


def calibration_by(
    data: Predictions,
    by: str,
    *,
    cuts: Cut | Mapping[str, Cut] | None = None,
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

    Each group has its bias, sum w y / W - sum w p / W, with an interval; its calibration error,
    beside its value expected if calibrated; and the p-value of a test, adjusted for the number of
    groups as in `calibration_test_by`.

    The interval of the bias is Wilson's (1927) for the observed frequency minus the mean
    probability, narrowed by the variance that the probabilities explain. It holds the predictions
    fixed and is for one group, not for all together. `bias_p_value` is of the score test that it
    inverts: the interval leaves 0 out if and only if that p-value is at most 1 - level. The
    verdict is that of the calibration test, `p_value` and `adjusted_p_value`, which sees other
    faults than a bias too.

    Parameters
    ----------
    data : Predictions
        The predictions of one model.
    by : str
        The name of an attribute, or of several ("sex,age"): each value is a group.
    cuts : str, sequence of numbers, or dict of these by attribute, optional
        How a number is cut into groups: "edges:18", "equal-size:4", [18, 65]. By default four
        groups of equal weight.
    view : str, optional
        A binary view: "top-label" (the default of several classes), "one-vs-rest:CLASS" (of two).
    bins : int, str or Binning, default "equal-width:15"
        Of the calibration error; a number means that many bins of equal width.
    distance : str or callable, default "absolute"
        Of the calibration error, as in `calibration_error`.
    statistic : str, default "omnibus"
        The test, as in `calibration_test`.
    adjust : {"holm", "benjamini-hochberg"} or None, default "holm"
        How the p-values are adjusted for the number of groups.
    level : float, default 0.95
        Of the intervals of the bias.
    resamples : int, default 999
        Number of draws of the labels.
    rng : int, Generator or None, default 0
        Random seed or generator.
    workers : int, optional
        Number of threads; the result does not depend on it.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    GroupCalibration
        One row per group: rows, bias with its interval, error, adjusted p-value.

    Raises
    ------
    ParameterError
        For an unknown name.
    InputError
        Where there is one group, or more than 50.

    References
    ----------
    Wilson (1927), "Probable inference, the law of succession, and statistical inference".

    Examples
    --------
    >>> site, p = ["north", "south"] * 100, [0.2, 0.6] * 100
    >>> y = [0, 0, 1, 0, 0, 1, 0, 0, 0, 1] * 20
    >>> data = Predictions.from_arrays(y, p, attributes={"site": site})
    >>> groups = calibration_by(data, "site", resamples=199)
    >>> [(row["group"], round(row["bias"], 2), row["rejected"]) for row in groups.rows()]
    [('north', 0.0, False), ('south', -0.2, True)]
    """
    open_fraction("level", level)
    draws: dict[str, Any] = {"resamples": resamples, "rng": rng, "workers": workers}
    events = Events.of(data, view, PURPOSE)
    parts = group_rows(data, by, cuts=cuts)
    tests = calibration_test_by(
        data,
        by=by,
        cuts=cuts,
        adjust=adjust,
        view=view,
        statistic=statistic,
        progress=share_of(progress, 0.0, TESTED),
        **draws,
    )
    home = np.full(data.stored, -1)
    for place, (_, places) in enumerate(parts):
        home[places] = place
    numbers = biases(events, home[events.row], len(parts), level=level)
    definition = define_error(data, view, bins, distance)
    of_all = Strength.of(statistic_of(data, definition))
    sampling = Resampling(resamples, entropy_of(rng), workers, pooled=of_all)
    errors = {
        name: error_of(data.select(where=places), definition, replace(sampling, progress=share))
        for (name, places), share in with_shares(parts, share_of(progress, TESTED, 1.0))
    }
    first = next(iter(errors.values()))
    rows = [
        {
            "group": name,
            **bias,
            "value": errors[name].value,
            "null_mean": errors[name].null_mean,
            "excess": errors[name].excess,
            **{key: test[key] for key in ("p_value", "adjusted_p_value", "rejected")},
        }
        for (name, _), bias, test in zip(parts, numbers, tests.rows(), strict=True)
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
        verdict=tests.verdict,
        tests=tests,
        errors=errors,
        row_groups=tests.row_groups,
    )
