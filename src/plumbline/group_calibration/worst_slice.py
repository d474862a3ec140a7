"""The worst-calibrated slice of a table, with a p-value corrected for the whole search."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import shorten, shown, whole_number
from plumbline._result import Detail, NextStep, Note, Presentation, Result, Table
from plumbline.binning import Grouping, attributes_of, grouping, why_not_unasked
from plumbline.binning.groups import MISSING, MOST_GROUPS
from plumbline.calibration import Wide, define_error
from plumbline.calibration_errors import CrossTables, Events, biases, central_range, tails_of
from plumbline.calibration_errors.group_sums import BIAS, TableStatistic, columns_of_bias
from plumbline.calibration_errors.next_steps import ALL_KINDS
from plumbline.calibration_errors.outcome_share import standardised
from plumbline.dependence import RowGroups, group_details, group_notes, row_groups_in
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import capital, counted, number, p_number, quoted, view_words
from plumbline.nulls import resampled
from plumbline.predictions import Predictions, only_predictions
from plumbline.progress import Progress
from plumbline.random_streams import Seed
from plumbline.verdicts import LEVEL, bias_verdict, p_value_text


@dataclass(frozen=True, slots=True, eq=False)
class Conditions:
    """The conditions on one attribute.

    Attributes
    ----------
    texts : the conditions in words
    holds : (conditions, groups) whether the rows of a group meet a condition
    """

    texts: tuple[str, ...]
    holds: NDArray[np.bool_]

    @classmethod
    def of(cls, groups: Grouping) -> "Conditions":
        """Ask for every group; of a number also for neighbouring groups together.

        >>> names = ("[18, 25]", "(25, 40]", "(40, 90]")
        >>> ages = Grouping("age", names, np.zeros(1, int), number=True, cut=True)
        >>> Conditions.of(ages).texts[3:]
        ('age in [18, 40]', 'age in (25, 90]')
        """
        names = groups.names
        size = len(names)
        ordered = size - (names[-1] == MISSING) if groups.number else 0
        spans = [(j, j + 1) for j in range(size)]
        for width in range(2, ordered):
            spans += [(j, j + width) for j in range(ordered - width + 1)]
        holds = np.zeros((len(spans), size), np.bool_)
        for row, (start, stop) in zip(holds, spans, strict=True):
            row[start:stop] = True
        return cls(tuple(groups.label(start, stop - 1) for start, stop in spans), holds)


LEAST_ROWS = 20  # below it a mean of labels is noise; a convention
LEAST_SHARE = 100  # a slice holds at least n / 100 rows
MOST_SUMS = 10**8  # of one set of labels
PARTS = 4  # groups that a number is cut into
SAME = 0.8  # two slices that share more of their rows are one
EVERY = "all rows"


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """One slice: its conditions in words, the class looked at, its rows, and its z."""

    text: str
    event: str | None
    events: Events
    z: float


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredSlices:
    """The slices of one cross table, all that does not depend on the labels.

    Attributes
    ----------
    which : the attributes crossed
    count, weight : (slices,) rows and their weight
    expected, variance : (slices, events) sums of w p and of w^2 p (1 - p)
    valid : (slices,) whether a slice has rows enough
    """

    which: tuple[int, ...]
    count: Wide
    weight: Wide
    expected: Wide
    variance: Wide
    valid: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class AllSlices:
    """All slices of a table.

    Attributes
    ----------
    view : what is asked; events : of each event looked at, its class (None: a binary view), rows
    groups, conditions : of every attribute searched
    skipped : attributes left out, with the reason
    depth, least : most conditions, and fewest rows, of a slice
    tables : the sums of outcomes
    measured : the slices of every table
    """

    view: str
    events: tuple[tuple[str | None, Events], ...]
    groups: tuple[Grouping, ...]
    conditions: tuple[Conditions, ...]
    skipped: tuple[str, ...]
    depth: int
    least: int
    tables: CrossTables
    measured: tuple[MeasuredSlices, ...]

    @property
    def searched(self) -> int:
        """Number of slices with rows enough, times the events looked at."""
        return sum(int(part.valid.sum()) for part in self.measured) * self.tables.events

    @property
    def statistic(self) -> TableStatistic:
        """The largest |z| of all slices, as a function of the labels."""
        return TableStatistic(self.tables.of_fewer_rows(), self.largest)

    def z(self, part: MeasuredSlices, sums: Wide) -> Wide:
        """Return (slices, events, draws) of (cells, events, draws) sums; 0 where rows are few."""
        gap = _sliced(self.conditions, part.which, sums) - part.expected[..., None]
        z = standardised(gap, part.variance[..., None], part.weight[:, None, None])
        return np.where(part.valid[:, None, None], z, 0.0)

    def largest(self, sums: Sequence[Wide]) -> Wide:
        """Return (draws,) largest |z| of all slices."""
        result = [
            np.abs(self.z(p, s)).max(axis=(0, 1)) for p, s in zip(self.measured, sums, strict=True)
        ]
        return np.asarray(np.max(result, axis=0))

    def worst(self, most: int) -> Iterator[Slice]:
        """Yield the slices of the largest |z|; of those that share nearly all rows only one."""
        observed = self.tables.observed()
        z = [self.z(p, s)[..., 0] for p, s in zip(self.measured, observed, strict=True)]
        places = [(t, s) for t, part in enumerate(z) for s in range(len(part))]
        every = np.concatenate(z)  # (slices, events); fewer conditions first, also among equals
        order = np.argsort(-np.abs(every).round(10), axis=None, kind="stable")
        kept: list[tuple[int, NDArray[np.bool_]]] = []
        for flat in order:
            place, event = divmod(int(flat), every.shape[1])
            table, number = places[place]
            if not self.measured[table].valid[number]:
                continue
            rows = self.members(table, number)
            times = self.tables.weight if self.tables.counted else None
            if any(event == e and _overlap(rows, other, times) > SAME for e, other in kept):
                continue
            kept.append((event, rows))
            name, events = self.events[event]
            yield Slice(
                self.text(table, number), name, _part(events, rows), float(every[place, event])
            )
            if len(kept) == most:
                return

    def conditions_of(self, table: int, number: int) -> list[tuple[int, int]]:
        """Return attribute and condition of each part of a slice."""
        which = self.measured[table].which
        sizes = [len(self.conditions[a].texts) for a in which]
        return list(
            zip(
                which,
                [int(c) for c in np.unravel_index(number, sizes)] if sizes else [],
                strict=True,
            )
        )

    def text(self, table: int, number: int) -> str:
        """Return a slice in words."""
        parts = (self.conditions[a].texts[c] for a, c in self.conditions_of(table, number))
        return " and ".join(parts) or EVERY

    def members(self, table: int, number: int) -> NDArray[np.bool_]:
        """Return which rows are in a slice."""
        result = np.ones(len(self.tables.actual), np.bool_)
        for a, c in self.conditions_of(table, number):
            result &= self.conditions[a].holds[c][self.tables.codes[a]]
        return result


def search_of(
    data: Predictions,
    by: str | Sequence[str] | None,
    view: str | None,
    depth: int,
    least: int | None,
) -> AllSlices:
    """Check the arguments and sum up all that does not depend on the labels."""
    only_predictions(data).need_one_model("a search for the worst slice")
    deep = whole_number("depth", depth, least=1)
    groups, skipped = _searched_attributes(data, by)
    name, events = _events(data, view)
    n = events[0][1].n
    fewest = max(LEAST_ROWS, -(-n // LEAST_SHARE))
    if least is not None:
        fewest = whole_number("least", least, least=1)
    if fewest > n:
        raise ParameterError(
            f"a slice must have at least {fewest:,} rows, but only {n:,} rows have weight; "
            "give a smaller `least`",
            code="out-of-range",
        )
    conditions = tuple(Conditions.of(part) for part in groups)
    tables = _tables(data, events, groups, deep)
    return AllSlices(
        view=name,
        events=events,
        groups=groups,
        conditions=conditions,
        skipped=skipped,
        depth=deep,
        least=fewest,
        tables=tables,
        measured=tuple(_measured(tables, events, conditions, fewest)),
    )


def _searched_attributes(
    data: Predictions, by: str | Sequence[str] | None
) -> tuple[tuple[Grouping, ...], tuple[str, ...]]:
    """Return the attributes that can be searched, and why others cannot."""
    names = tuple(data.attributes) if by is None else attributes_of(data, by)
    groups, skipped = [], []
    for name in names:
        if by is None and (reason := why_not_unasked(data, name)):
            skipped.append(f"{name}: {reason}")
            continue
        result = grouping(data, name, usual=f"equal-size:{PARTS}", few=PARTS)
        if len(result.names) > MOST_GROUPS:
            skipped.append(f"{name}: {len(result.names):,} values, more than {MOST_GROUPS}")
        elif len(result.names) < 2:
            skipped.append(f"{name}: only one value")
        else:
            groups.append(result)
    if not groups or (by is not None and skipped):
        raise InputError(
            f"a search for the worst slice needs attributes of 2 to {MOST_GROUPS} values; "
            f"{f'it cannot use {shown(skipped)}' if skipped else 'the table has no attribute'}",
            code="no-slices",
        )
    return tuple(groups), tuple(skipped)


def _events(
    data: Predictions, view: str | None
) -> tuple[str, tuple[tuple[str | None, Events], ...]]:
    """Return the view's name and the events it looks at."""
    if view != "classwise":
        one = Events.of(data, view, "a search for the worst slice")
        return one.view, ((None, one),)
    definition = define_error(data, view)
    if data.k == 2:
        raise ParameterError(
            "with two classes `view` 'classwise' has every slice twice; use 'one-vs-rest'",
            code="view-not-possible",
        )
    each = [(c, Events.of(data, f"one-vs-rest:{c}", "a search")) for c in data.classes]
    return definition.name, tuple(each)


def _tables(
    data: Predictions,
    events: Sequence[tuple[str | None, Events]],
    groups: Sequence[Grouping],
    depth: int,
) -> CrossTables:
    """Return the cross tables of up to `depth` attributes, those of fewer first."""
    first = events[0][1]
    levels = tuple(len(part.names) for part in groups)
    which = tuple(c for d in range(depth + 1) for c in combinations(range(len(groups)), d))
    sums = sum(prod(levels[a] for a in c) for c in which) * len(events)
    if sums > MOST_SUMS:
        raise ParameterError(
            f"{len(groups)} attributes crossed to depth {depth} make {sums:,} cells, which do not "
            f"fit into memory; name fewer attributes with `by`, or a smaller `depth` than "
            f"{shorten(depth)}",
            code="out-of-memory",
        )
    one = len(events) == 1
    prob = first.prob if one else data.need_prob("a search")[first.row].astype(np.float64)
    actual = first.observed.astype(np.int32) if one else data.actual[first.row]
    codes = np.stack([part.code[first.row] for part in groups]).astype(np.int32)
    return CrossTables(
        prob=prob,
        actual=actual,
        weight=first.weight,
        codes=codes,
        levels=levels,
        crossed=which,
        counted=first.counted,
        groups=first.groups,
    )


def _measured(
    tables: CrossTables,
    events_of_classes: Sequence[tuple[str | None, Events]],
    conditions: Sequence[Conditions],
    least: int,
) -> Iterator[MeasuredSlices]:
    """Yield count, weight, expectation and variance of the slices of every table."""
    first = events_of_classes[0][1]
    w, square = first.weight[:, None], first.square[:, None]
    one = w if first.counted else np.ones_like(w)
    p = np.column_stack([events.prob[:, 1] for _, events in events_of_classes])
    q = np.column_stack([events.prob[:, 0] for _, events in events_of_classes])
    sums = [tables.sums(values) for values in (one, w, w * p, square * p * q)]
    for which, *each in zip(tables.crossed, *sums, strict=True):
        count, weight, expected, variance = (_sliced(conditions, which, part) for part in each)
        valid = count[:, 0] >= least - 0.5
        yield MeasuredSlices(which, count[:, 0], weight[:, 0], expected, variance, valid)


def _sliced(conditions: Sequence[Conditions], which: Sequence[int], sums: Wide) -> Wide:
    """Return (slices, ...) sums of (cells, ...) sums: each condition adds its groups up."""
    rest = sums.shape[1:]
    table = sums.reshape(*(conditions[a].holds.shape[1] for a in which), -1)
    for a in which:
        table = np.tensordot(table, conditions[a].holds.astype(np.float64), ([0], [1]))
    return np.moveaxis(table.reshape(prod(rest), -1), 0, 1).reshape(-1, *rest)


def _overlap(one: NDArray[np.bool_], other: NDArray[np.bool_], times: Wide | None) -> float:
    """Return the share of rows in both among those in either; each stands for so many `times`."""
    if times is None:
        return float((one & other).sum() / (one | other).sum())
    return float(times[one & other].sum() / times[one | other].sum())


def _part(events: Events, rows: NDArray[np.bool_]) -> Events:
    kept = {name: getattr(events, name)[rows] for name in ("row", "prob", "observed", "weight")}
    groups = None if events.groups is None else events.groups[rows]
    return replace(events, **kept, groups=groups)


@dataclass(frozen=True, repr=False, eq=False)
class SliceSearch(Result):
    """The worst-calibrated slices, and whether the worst is significant.

    Attributes
    ----------
    view : the view; by : the attributes searched; skipped : those left out, with the reason
    depth : most conditions of a slice; least : fewest rows of one
    searched : number of slices (times classes, where each class was looked at)
    value : largest abs(z); z = sum w (y - p) / sqrt(sum w^2 p (1 - p))
    null_mean, null_range : mean and central 95 % range of the largest abs(z) of all slices if
        calibrated
    p_value : share of draws (and the table itself) whose largest abs(z) is at least as large
    slices : the worst slices first: slice, class (where each was looked at), n, effective_n,
        mean_probability, outcome_share, bias, z, adjusted_p_value, rejected
    verdict : the answer in one sentence
    row_groups : how much the rows of its groups depend; None where they are in none
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
    row_groups: RowGroups | None = None
    null_values: Wide = field(default_factory=lambda: np.empty(0), metadata={"hidden": True})

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return the slices."""
        return self.slices

    def present(self) -> Presentation:
        """Return whether the worst slice is miscalibrated, and the slices listed."""
        rows = self.slices
        columns = {"slice": [row["slice"] for row in rows]}
        if "class" in rows[0]:
            columns["class"] = [str(row["class"]) for row in rows]
        columns |= {
            "rows": [f"{row['n']:,}" for row in rows],
            **columns_of_bias(rows),
            "z": [number(row["z"]) for row in rows],
            "adjusted p": [p_number(row["adjusted_p_value"]) for row in rows],
        }
        notes = [Note(f"Not searched: {'; '.join(self.skipped)}.", "skipped")]
        worst = rows[0]
        more = sum(row["rejected"] for row in rows[1:])
        text = (
            f"mean prediction {number(worst['mean_probability'])}, observed "
            f"{number(worst['outcome_share'])} ({counted(worst['n'], 'row')}, "
            f"z = {number(worst['z'])})"
        )
        details = [Detail("worst", EVERY if _is_whole(worst) else "worst slice", text)]
        details += [Detail("more", "also rejected", f"{more} of those listed")] if more else []
        details += group_details(self.row_groups)
        return Presentation(
            subject=(
                f"{capital(view_words(self.view))}: the worst of {counted(self.searched, 'slice')} "
                f"of {self.least:,} rows or more, up to {counted(self.depth, 'condition')}"
            ),
            summary=self.verdict,
            tone="bad" if worst["rejected"] else "open",
            details=tuple(details),
            notes=(*(notes if self.skipped else ()), *group_notes(self.row_groups)),
            next_step=self._next(worst) if worst["rejected"] else None,
            tables=(Table(columns, left=("slice", "class")),),
            legend=(BIAS, SEARCH.format(self.resamples)),
        )

    def _next(self, worst: dict[str, Any]) -> NextStep:
        """Return a test of the groups of the attribute that the worst slice begins with."""
        if _is_whole(worst):
            return ALL_KINDS
        names = [name for name in self.by if worst["slice"].startswith(f"{name} ")]
        by = max(names or self.by, key=len)
        return NextStep("test", f"Test the groups of {quoted(by)}.", {"by": by})


SEARCH = (
    "Adjusted p: the worst slice is compared with the worst of the same slices in {:,} resamples."
)


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
    """Search all slices of up to `depth` conditions for the worst calibrated one.

    A condition is a value of a category, or one or several neighbouring groups of a number cut into
    four groups of equal weight. A slice is measured by z = sum w (y - p) / sqrt(sum w^2 p (1 - p)),
    the sign of which is its bias. The p-value is corrected for the search: the same search, on the
    same slices, is repeated on `resamples` sets of labels drawn from the predictions, and p = (1 +
    #{abs(z*) >= abs(z)}) / (resamples + 1), which is exact for the worst slice and an upper bound
    for the others (single-step maxT). Among the slices listed, none shares more than 80 % of its
    rows (of both together) with a worse one. All rows together are also a slice.

    Parameters
    ----------
    data : Predictions
        The predictions of one model, with probabilities and attributes.
    by : str or sequence of str, optional
        The attributes; by default all with at most 50 values.
    view : str, optional
        "top-label", "one-vs-rest:CLASS", or "classwise" for every class against the rest.
    depth : int, default 2
        Largest number of conditions of a slice.
    least : int, optional
        Smallest number of rows of a slice; by default 20 or 1 % of the rows, whichever is more.
    top : int, default 10
        Number of slices listed.
    resamples : int, default 999
        Draws of the labels from the predictions.
    rng : int or numpy.random.Generator, default 0
        The random seed, or a generator.
    workers : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called as progress(done, total).

    Returns
    -------
    SliceSearch
        The worst calibrated slices, and a p-value for the worst.

    Raises
    ------
    InputError
        For a table without attributes to search.
    ParameterError
        For an unknown name.

    References
    ----------
    Westfall and Young (1993), "Resampling-based multiple testing".

    Examples
    --------
    >>> import numpy as np
    >>> site, p = np.array(["north", "south"] * 200), np.full(400, 0.5)
    >>> y = np.where(site == "north", 1, np.arange(400) % 4 == 1)
    >>> data = Predictions.from_arrays(y, p, attributes={"site": site})
    >>> search = worst_slice(data, resamples=99)
    >>> search.slices[0]["slice"], search.slices[0]["n"], search.p_value
    ('site = north', 200, 0.01)
    """
    search = search_of(data, by, view, depth, least)
    most = whole_number("top", top, least=1)
    draws = whole_number("resamples", resamples, least=1)
    drawn = resampled(search.statistic, draws, rng, workers=workers, progress=progress)
    drawn.flags.writeable = False
    rows = [_row(result, drawn) for result in search.worst(most)]
    low, high = central_range(drawn)
    return SliceSearch(
        view=search.view,
        by=tuple(part.attribute for part in search.groups),
        skipped=search.skipped,
        depth=search.depth,
        least=search.least,
        searched=search.searched,
        n=data.total,
        effective_n=data.effective_n,
        value=float(abs(rows[0]["z"])),
        null_mean=float(drawn.mean()),
        null_range=(float(low), float(high)),
        p_value=rows[0]["adjusted_p_value"],
        resamples=draws,
        slices=rows,
        verdict=_verdict(rows, search.searched, draws),
        row_groups=row_groups_in(data),
        null_values=drawn,
    )


def _row(worst: Slice, drawn: Wide) -> dict[str, Any]:
    (numbers,) = biases(worst.events, np.zeros(len(worst.events.row), np.intp), 1)
    numbers = {name: value for name, value in numbers.items() if name not in _ENDS}
    adjusted = tails_of(drawn, abs(worst.z))[0]
    named: dict[str, Any] = {"slice": worst.text}
    if worst.event is not None:
        named["class"] = worst.event
    return (
        named
        | numbers
        | {
            "z": worst.z,
            "adjusted_p_value": adjusted,
            "rejected": adjusted <= LEVEL,
        }
    )


# An interval that ignores the search would be far too narrow, and its p-value too small.
_ENDS = ("bias_low", "bias_high", "bias_p_value")


def _verdict(rows: Sequence[dict[str, Any]], searched: int, draws: int) -> str:
    """Say whether the worst slice is biased; all rows together are no slice to be named so."""
    worst = rows[0]
    p_value = worst["adjusted_p_value"]
    return bias_verdict(
        p_value,
        f"adjusted {p_value_text(p_value, draws, 'greater')}",
        low=worst["z"] > 0,
        where="over all rows" if _is_whole(worst) else f"for {worst['slice']}",
        of=f" of class {quoted(worst['class'])}" if "class" in worst else "",
        among=counted(searched, "slice"),
    )


def _is_whole(row: dict[str, Any]) -> bool:
    return bool(row["slice"] == EVERY)
