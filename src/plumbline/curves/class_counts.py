"""`class_counts`: rows of every class in every category, or bin, of an attribute or prediction."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil, floor, isfinite, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import nearest, shorten, shown, whole_number
from plumbline._result import Note, Presentation, Result, Table
from plumbline.binning import place
from plumbline.curves.target_rows import rows_of
from plumbline.dependence import RowGroups, group_details, row_groups_in
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import counted, quoted
from plumbline.predictions import Predictions, need_single_values, only_predictions

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEW_VALUES = 12  # so many different numbers are groups of their own, not bins
BINS = 12  # about so many bins of round width, where nobody says how many
MOST_BINS = 1000  # more bars than a picture has columns
ROUND = (1, 2, 5, 10)
PREDICTED = ("probability", "score")  # what the model says of a row, grouped as an attribute is
MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)  # widths of bins of dates
MONTH_DAYS = 30.4
MISSING, OUTSIDE = -1, -2  # in the place of a group's number


@dataclass(frozen=True, repr=False, eq=False)
class ClassCounts(Result):
    """Rows of every class in every group of an attribute.

    Attributes
    ----------
    by : the attribute, or the prediction
    classes : names of the k classes
    groups : names of the g groups: categories, values, or intervals
    edges : (g + 1,) edges of the bins of a number, None for other groups
    dates : whether the edges are days since the beginning of 1970
    count : (g, k) rows; weight : (g, k) their weights
    missing : (k,) rows without a value; missing_weight : (k,) their weights
    outside : (k,) rows outside the edges, which no group holds; outside_weight : (k,) their weights
    row_groups : how much the rows of its groups depend; None where they are in none
    """

    by: str
    classes: tuple[str, ...]
    groups: tuple[str, ...]
    edges: Floats | None
    count: Ints
    weight: Floats = field(metadata={"hidden": True})
    missing: Ints
    missing_weight: Floats = field(metadata={"hidden": True})
    outside: Ints
    outside_weight: Floats = field(metadata={"hidden": True})
    dates: bool = False
    row_groups: RowGroups | None = None

    def present(self) -> Presentation:
        """Return a row a group, with the rows of every class."""
        names, counts = [*self.groups], self.count
        for name, apart in (("missing", self.missing), ("outside", self.outside)):
            if apart.any():
                names, counts = [*names, name], np.vstack([counts, apart])
        columns = {self.by: names}
        notes = [
            Note(f"{counted(int(apart.sum()), 'row')} {what}.", code)
            for apart, what, code in (
                (self.missing, f"without a value of {quoted(self.by)}", "values-missing"),
                (self.outside, "outside the bins", "rows-outside"),
            )
            if apart.any()
        ]
        for name, column in zip(self.classes, counts.T.tolist(), strict=True):
            columns[name if name != self.by else f"class {name}"] = [f"{c:,}" for c in column]
        return Presentation(
            subject=f"rows of every class by {self.by}",
            details=group_details(self.row_groups),
            notes=tuple(notes),
            tables=(Table(columns, left=(self.by,)),),
            tables_first=True,
        )

    @property
    def n(self) -> int:
        """Number of rows, those without a value and those outside the edges included."""
        return int(self.count.sum() + self.missing.sum() + self.outside.sum())

    @property
    def share(self) -> Floats:
        """(g, k) shares of the classes in the weight of their group; NaN where that is empty."""
        with np.errstate(invalid="ignore"):
            shares: Floats = self.weight / self.weight.sum(axis=1, keepdims=True)
        return shares

    def of_largest(self, most: int) -> "ClassCounts":
        """Return the same groups with at most so many classes, the rarest added up in the last.

        Parameters
        ----------
        most : int
            Classes to keep, the sum of the others included.

        Returns
        -------
        ClassCounts
            The largest classes in their order, and behind them the sum of the others.
        """
        if len(self.classes) <= most:
            return self
        totals = self.weight.sum(axis=0)
        largest = np.sort(np.argsort(-totals, kind="stable")[: most - 1])
        others = np.setdiff1d(np.arange(len(self.classes)), largest)

        def fewer(values: Any) -> Any:
            rest = values[..., others].sum(axis=-1, keepdims=True)
            return np.concatenate([values[..., largest], rest], axis=-1)

        names = (*(self.classes[c] for c in largest), f"{len(others)} other classes")
        parts = ("count", "weight", "missing", "missing_weight", "outside", "outside_weight")
        return replace(self, classes=names, **{name: fewer(getattr(self, name)) for name in parts})

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a group and class; missing values and those outside are groups at the end.

        `share` is the class's share in the group, `share_of_class` the group's share in the class.
        """
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Any]]:
        weights = np.vstack([self.weight, self.missing_weight, self.outside_weight])
        counts = np.vstack([self.count, self.missing, self.outside])
        per_group, per_class = weights.sum(axis=1), weights.sum(axis=0)
        edges = [] if self.edges is None else self.edges.tolist()
        limits = [*pairwise(edges)] or [(None, None)] * len(self.groups)
        names = zip(
            [*self.groups, "missing", "outside"], [*limits, *[(None, None)] * 2], strict=True
        )
        for g, (group, (lo, hi)) in enumerate(names):
            if g >= len(self.groups) and not counts[g].any():
                continue
            for c, name in enumerate(self.classes):
                weight = float(weights[g, c])
                yield {
                    "by": self.by,
                    "group": group,
                    "lo": lo,
                    "hi": hi,
                    "class": name,
                    "rows": int(counts[g, c]),
                    "weight": weight,
                    "share": weight / per_group[g] if per_group[g] else None,
                    "share_of_class": weight / per_class[c] if per_class[c] else None,
                }


def class_counts(
    data: Predictions, by: str, *, bins: int | Sequence[float] | None = None
) -> ClassCounts:
    """Count the rows of every class in every category, or bin, of an attribute or prediction.

    Text and truth values are categories; a number is put into bins (lo, hi], the first of which
    also holds its lower edge. Rows without a value, and outside given edges, are counted
    separately; rows of weight 0 do not count.

    Parameters
    ----------
    data : Predictions
        Predictions of one model, with attributes.
    by : str
        Name of the attribute; or "probability" or "score", what the model predicts for the positive
        class, unless an attribute has that name.
    bins : int or sequence of float, optional
        For an attribute of numbers: how many bins of equal width, or their edges in growing order.
        Default: a group for every value where there are at most 12, else about 12 bins of round
        width; of dates, whole days, months or years.

    Returns
    -------
    ClassCounts
        Rows and weights, one row per group and one column per class.

    Raises
    ------
    InputError
        For an unknown attribute, several models, and where no row has a number.
    ParameterError
        For invalid `bins`, and for `bins` of categories.

    Examples
    --------
    >>> columns = {"age": [30, 52, 61, float("nan")], "pain": ["a", "b", "b", "b"]}
    >>> data = Predictions.from_arrays([0, 1, 1, 0], [0.1, 0.6, 0.8, 0.3], attributes=columns)
    >>> class_counts(data, "pain").count.tolist()
    [[1, 0], [1, 2]]
    >>> ages = class_counts(data, "age", bins=[20, 40, 60, 80])
    >>> ages.groups, ages.count.tolist(), ages.missing.tolist()
    (('[20, 40]', '(40, 60]', '(60, 80]'), [[1, 0], [0, 1], [0, 1]], [1, 0])
    """
    known = only_predictions(data).attributes
    if by not in known and by not in PREDICTED:
        raise ParameterError(
            f"the table has no attribute {quoted(by)}",
            code="unknown-name",
            argument="by",
            near=nearest(by, data.attributes),
            remedy=f"its attributes: {shown(data.attributes) or 'none'}",
        )
    data.need_one_model("the number of rows of every class")
    need_single_values(data, by, "the number of rows of every class")
    rows = rows_of(data, data.positive)
    if by in known:
        values, categories = rows.attribute(by), rows.attributes.names(by)
    else:
        values, categories = rows.column(by), ()
    dates = by in known and rows.attributes.is_date(by)
    if categories or values.dtype.kind == "b":
        if bins is not None:
            raise ParameterError(
                f"`bins` applies to numbers, and {quoted(by)} has categories; leave `bins` out",
                code="bins-of-categories",
            )
        names = categories or ("False", "True")
        home, edges = values.astype(np.int64), None
    else:
        home, names, edges = _number_groups(values, bins, dates=dates)
    return _counted(data, by, home, names, edges, dates=dates)


def _counted(
    data: Predictions,
    by: str,
    home: Ints,
    names: tuple[str, ...],
    edges: Floats | None,
    *,
    dates: bool,
) -> ClassCounts:
    """Add up rows and weights by group and class."""
    g, k = len(names), data.k
    place_of = np.where(home == MISSING, g, np.where(home == OUTSIDE, g + 1, home))
    kept = data.mass > 0
    cell = (place_of * k + data.actual)[kept]
    each = data.mass[kept] if data.counted else None
    count = np.bincount(cell, each, (g + 2) * k).astype(np.int64).reshape(g + 2, k)
    mass = np.zeros((g + 2) * k)
    np.add.at(mass, cell, data.mass[kept])
    weight = mass.reshape(g + 2, k)
    return ClassCounts(
        by,
        data.classes,
        names,
        edges,
        count[:g],
        weight[:g],
        count[g],
        weight[g],
        count[g + 1],
        weight[g + 1],
        dates=dates,
        row_groups=row_groups_in(data),
    )


def _number_groups(
    values: Floats, bins: Any, *, dates: bool
) -> tuple[Ints, tuple[str, ...], Floats | None]:
    """Return the group of every number, the groups' names, and the edges of bins."""
    missing = np.isnan(values)
    finite = values[np.isfinite(values)]
    distinct = np.unique(finite)
    if bins is None and len(distinct) <= FEW_VALUES:
        home: Ints = np.searchsorted(distinct, values)
        names = tuple(day_name(v) if dates else f"{v + 0.0:.6g}" for v in distinct)
        edges = None
    else:
        edges = _edges(finite, bins, dates=dates)
        home = place(values, edges).astype(np.int64)
        names = _interval_names(edges, dates=dates)
    outside = np.isinf(values) if edges is None else (values < edges[0]) | (values > edges[-1])
    return np.where(missing, MISSING, np.where(outside, OUTSIDE, home)), names, edges


def _edges(finite: Floats, bins: Any, *, dates: bool) -> Floats:
    """Return the given edges, or those of bins of round width."""
    if isinstance(bins, (Sequence, np.ndarray)) and not isinstance(bins, str):
        return _own_edges(bins)
    if bins is not None:
        bins = whole_number("bins", bins, least=1, most=MOST_BINS)
    if not len(finite):
        raise InputError(
            "no row has a number to bin; give the edges as `bins`",
            code="nothing-to-bin",
            argument="bins",
        )
    low, high = float(finite.min()), float(finite.max())
    if bins is None and low < high:
        return _date_edges(low, high) if dates else _round_edges(low, high)
    high = high if low < high else low + max(1.0, abs(low))
    edges: Floats = low + (high - low) * (np.arange((bins or 1) + 1) / (bins or 1))
    edges[-1] = high
    return edges


def _own_edges(bins: Any) -> Floats:
    try:
        edges = np.array([float(edge) for edge in bins])
    except (TypeError, ValueError, OverflowError):
        edges = np.array([])
    if len(edges) < 2 or not (np.diff(edges) > 0).all() or not np.isfinite(edges).all():
        raise ParameterError(
            argument="bins",
            rule="a number of bins, or at least two increasing edges",
            arrived=shorten(bins),
            remedy="for instance [20, 40, 60]",
            code="edges-not-increasing",
        )
    return edges


def _round_edges(low: float, high: float) -> Floats:
    """Return edges that are multiples of 1, 2 or 5 times a power of ten, for 6 to 16 bins."""
    raw = (high - low) / BINS
    power = floor(log10(raw))
    leading = next(step for step in ROUND if step * 10.0**power >= raw or step == ROUND[-1])
    up, down = 10.0 ** max(power, 0), 10.0 ** max(-power, 0)  # k * 1 / 10, and never k * 0.1
    width = leading * up / down
    first, last = floor(low / width), ceil(high / width)
    numbers = np.arange(first, max(last, first + 1) + 1).astype(np.float64)
    return numbers * leading * up / down


def _date_edges(low: float, high: float) -> Floats:
    """Return beginnings of days, months or years, in days since 1970, for 6 to 24 bins or so."""
    raw = (high - low) / BINS
    if raw < MONTH_DAYS / 2:
        return _round_edges(low, high)
    months = next((m for m in MONTHS if m * MONTH_DAYS >= raw), MONTHS[-1])
    first, last = (
        int(np.datetime64(floor(day), "D").astype("M8[M]").astype(int)) for day in (low, high)
    )
    beginnings = np.arange(first // months * months, last + months + 1, months)
    return beginnings.astype("M8[M]").astype("M8[D]").astype(np.float64)


def _interval_names(edges: Floats, *, dates: bool) -> tuple[str, ...]:
    shown_edges = [day_name(edge) if dates else f"{edge:.6g}" for edge in edges]
    if len({*shown_edges}) < len(shown_edges):
        shown_edges = [repr(edge) for edge in edges.tolist()]
    pairs = enumerate(pairwise(shown_edges))
    return tuple(f"{'(' if j else '['}{lo}, {hi}]" for j, (lo, hi) in pairs)


def day_name(days: float) -> str:
    """Return the date so many days after the beginning of 1970.

    >>> day_name(18262.0)
    '2020-01-01'
    """
    if not isfinite(days):
        return "-"
    return str(np.datetime64(floor(days), "D"))
