"""`cases_between`: the rows behind a part of a curve, and how their attributes differ."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import real_number, shorten, whole_number
from plumbline._result import Note, Presentation, Result, Table
from plumbline.curves.class_counts import day_name
from plumbline.curves.lines import column_cells
from plumbline.curves.presets import CurveSettings
from plumbline.curves.recipe import kept_rows, key_of, params_for, recipe_of
from plumbline.curves.sweep import Key, Sweep
from plumbline.curves.target_rows import TargetRows, rows_of
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import (
    amount,
    amounts,
    counted,
    largest,
    number,
    p_number,
    quoted,
    sentence,
)
from plumbline.predictions import Predictions, need_single_rows, only_predictions

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Difference: TypeAlias = dict[str, Any]
DIFFERENCES, ROWS, COLUMNS = 8, 20, 8  # shown of a band
FEW = 5  # rows inside or outside of which no p-value is given
SMALLEST = 1e-12  # 1 - V^2 is taken for no less, so that an effect has an end


@dataclass(frozen=True, repr=False, eq=False)
class Cases(Result):
    """The rows whose sort value lies in a band: they change sides as a threshold crosses it.

    Attributes
    ----------
    sort_by : what rows are sorted by; low, high : low <= value < high
    target : the class that counts as positive
    n : rows inside; weight : their weight
    inside, outside : class -> weight of its rows inside and outside the band
    cases : one mapping per row, highest sort value first: number, row, actual, predicted, the sort
        value and every attribute; at most `most` of them
    differing : one mapping per attribute, the largest difference between inside and outside first
    notes : what to know before believing a difference
    reason : why there are no rows
    rows_inside, rows_outside : class -> number of its rows, without weights
    numbers : (n,) places of all rows inside, in the table, highest sort value first
    columns : names of what a case holds, also where there is none
    """

    sort_by: str
    low: float
    high: float
    target: str
    n: int
    weight: float
    inside: Mapping[str, float]
    outside: Mapping[str, float]
    cases: Sequence[Mapping[str, Any]]
    differing: Sequence[Mapping[str, Any]]
    notes: Sequence[Note] = ()
    reason: str | None = None
    rows_inside: Mapping[str, int] = field(default_factory=dict, metadata={"hidden": True})
    rows_outside: Mapping[str, int] = field(default_factory=dict, metadata={"hidden": True})
    numbers: Ints = field(default_factory=lambda: np.empty(0, np.intp), metadata={"hidden": True})
    columns: Sequence[str] = field(default=(), metadata={"hidden": True})

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return one row a case."""
        return self.cases

    def column_names(self) -> Sequence[str]:
        """Return what a case holds."""
        return self.columns

    def select(self, data: Predictions) -> Predictions:
        """Return these rows of the table they were found in, highest sort value first.

        Raises InputError where there are none.
        """
        only_predictions(data)
        if not len(self.numbers):
            raise InputError(f"no cases selected: {self.reason}", code="no-cases")
        return data.select(where=self.numbers)

    def present(self) -> Presentation:
        """Return how many rows lie in the band, how they differ, and the first of them."""
        notes = tuple(Note(sentence(note), note.code) for note in self.notes)
        if not self.n:
            summary = sentence(self.reason or "no rows")
            return Presentation(summary=summary, notes=notes, formulas=True)
        weights = amounts(self.inside.values())
        shares = ", ".join(map(" ".join, zip(weights, self.inside, strict=True)))
        band = " to below ".join(amounts((self.low, self.high)))
        tables = [_table_of_differences(self.differing)] if self.differing else []
        tables += [_table_of_cases(self.cases, self.n)] if self.cases else []
        return Presentation(
            formulas=True,
            tables_first=True,
            summary=f"{counted(self.n, 'row')} with {self.sort_by} from {band}: {shares}.",
            notes=notes,
            tables=tuple(tables),
        )


def _table_of_differences(differing: Sequence[Mapping[str, Any]]) -> Table:
    rows = differing[:DIFFERENCES]
    columns = {
        "attribute": [
            row["attribute"] + (f" = {row['value']}" if row["kind"] == "category" else "")
            for row in rows
        ],
        "inside": [_side(row, "inside") for row in rows],
        "outside": [_side(row, "outside") for row in rows],
        "effect": [number(row["effect"]) for row in rows],
        "adjusted p": [p_number(row["p_adjusted"]) for row in rows],
        "reason": [row["reason"] or "" for row in rows],
    }
    if not any(columns["reason"]):
        del columns["reason"]
    return Table(columns, left=("attribute", "reason"))


def _side(row: Mapping[str, Any], side: str) -> str:
    """Return the share of a category, or the mean of a number, inside or outside."""
    if row["date"]:
        return day_name(row[side])
    if row["kind"] != "category":
        return amount(row[side], scale=largest((row["inside"], row["outside"])))
    return "-" if math.isnan(row[side]) else f"{100 * row[side]:.0f} %"


def _table_of_cases(cases: Sequence[Mapping[str, Any]], n: int) -> Table:
    """Return the first cases and columns, and how many more there are."""
    rows, names = cases[:ROWS], list(cases[0])
    left = [counted(n - len(rows), "row")] if n > len(rows) else []
    left += [counted(len(names) - COLUMNS, "column")] if len(names) > COLUMNS else []
    columns = {name: column_cells([row[name] for row in rows]) for name in names[:COLUMNS]}
    more = f"... and {' and '.join(left)} more" if left else ""
    texts = tuple(name for name in columns if any(isinstance(row[name], str) for row in rows))
    return Table(columns, left=texts, more=more)


def cases_between(
    data: Predictions,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    sort_by: str | None = None,
    where: str | None = None,
    target: str | None = None,
    params: Mapping[str, float] | None = None,
    most: int | None = None,
) -> Cases:
    r"""Return the rows with low <= sort value < high, and which attributes differ from the rest.

    These rows are accepted at a threshold of `low` and not at `high`.

    Each attribute is compared inside against outside the band. Numbers: means, medians, the
    standardised mean difference :math:`(\bar x_{in} - \bar x_{out}) / \sqrt{(s_{in}^2 + s_{out}^2)
    / 2}` (Cohen, 1988), and the p-value of Mann and Whitney (1947). Categories: the one most
    over-represented inside, Cramér's :math:`V = \sqrt{\chi^2 / n}` (1946), and the p-value of
    Pearson's chi-square. `p_adjusted` is that of Benjamini and Hochberg (1995) over all attributes.
    `effect` sorts them: the size of the standardised difference, or 2 V / sqrt(1 - V^2), which is
    the same of a category of two values where as many rows are inside as outside. Missing and
    infinite values are left out and counted. With fewer than 5 rows inside or outside, or with only
    one value, the p-value is NaN with a `reason`. Values of dates are days since 1970, and `date`
    is true of them.

    Parameters
    ----------
    data : Predictions
        Predictions of one model.
    low, high : float, default -inf and inf
        Ends of the band; a high of inf includes an infinite value.
    sort_by : str, optional
        "probability", "score", an attribute, or a formula of rows, as in `curve`. Default: the
        probability of the target class.
    where : str, optional
        Formula of the rows to keep. Default: all rows.
    target : class name, optional
        Class that counts as positive. Default: the positive class of the table.
    params : mapping of str to float, optional
        Values for `param("name", default)` in the formulas.
    most : int, optional
        Largest number of cases to list. By default all.

    Returns
    -------
    Cases
        The rows inside, how the classes are distributed inside and outside, and the differences.

    Raises
    ------
    ParameterError
        For an empty band or an argument outside its rule.
    FormulaError
        For a formula that cannot be understood.
    InputError
        For several models.

    References
    ----------
    Biček (2009), whose curves show how many rows but not which. Cohen (1988), Statistical power
    analysis. Cramér (1946), Mathematical methods of statistics. Mann and Whitney (1947). Benjamini
    and Hochberg (1995).

    Examples
    --------
    >>> data = Predictions.from_arrays(
    ...     [0, 1, 0, 1], [0.2, 0.4, 0.6, 0.9], attributes={"age": [30, 60, 50, 40]}
    ... )
    >>> cases = cases_between(data, low=0.3, high=0.7)
    >>> cases.n, [case["age"] for case in cases.cases], cases.inside
    (2, [50, 60], {'0': 1.0, '1': 1.0})
    >>> cases.select(data).n
    2
    """
    only_predictions(data)
    data.need_one_model("a list of cases")
    need_single_rows(data, "a list of cases")
    low, high = _end("low", low), _end("high", high)
    if not low < high:
        raise ParameterError(
            f"`low` must be below `high`, got low={low:g} and high={high:g}", code="bounds-crossed"
        )
    limit = data.stored if most is None else whole_number("most", most, least=0)
    number = data.positive if target is None else data.class_number(target)
    settings = CurveSettings(
        "threshold",
        "threshold",
        sort_by=sort_by,
        where=where,
        target=data.classes[number],
        params=params or {},
    )
    notes: Counter[Note] = Counter()
    whole = rows_of(data, number)
    recipe = recipe_of(whole, settings)
    rows = kept_rows(whole, recipe, notes)
    key = key_of(rows, recipe)
    if key.names:
        raise ParameterError(
            f"`sort_by` is the category {quoted(key.name)}, which cannot be cut between two "
            f"numbers; filter with `where=\"{key.name} == '{key.names[0]}'\"`",
            code="category-as-number",
        )
    return _cases_in_band(rows, key, (low, high), limit, notes)


def cases_of_settings(
    data: Predictions,
    settings: CurveSettings,
    band: tuple[float, float],
    *,
    most: int | None = None,
) -> Cases:
    """Return the rows of a band as a curve of these settings sorts and keeps them."""
    low, high = band
    return cases_between(
        data,
        low=low,
        high=high,
        sort_by=settings.sort_by,
        where=settings.where,
        target=settings.target,
        params=params_for(settings.params, settings.sort_by, settings.where),
        most=most,
    )


def _end(argument: str, value: Any) -> float:
    number = real_number(value)
    if math.isnan(number):
        raise ParameterError(
            argument=argument, rule="a number", arrived=shorten(value), code="no-number"
        )
    return number


def _cases_in_band(
    rows: TargetRows, key: Key, band: tuple[float, float], limit: int, notes: Counter[Note]
) -> Cases:
    low, high = band
    values = key.values.astype(np.float64)  # the ends are float64, as in `where`
    in_band = (values >= low) & ((values < high) | (math.isinf(high) & (values == high)))
    order = Sweep(rows, key).order
    places = order[in_band[order]]
    weight = np.ones(rows.n) if rows.weights is None else rows.weights
    differing = differences(rows, in_band) if len(places) else []
    missing = int(np.isnan(values).sum())
    if missing:
        text = f"`{key.name}` is missing in {counted(missing, 'row')}, counted as outside"
        notes[Note(text, code="missing-sort-values")] += 1
    notes.update(_notes(rows, differing))
    index = np.arange(rows.data.stored) if rows.index is None else rows.index
    columns = _listed(rows, key, places[:limit])
    return Cases(
        sort_by=key.name,
        low=low,
        high=high,
        target=rows.target_name,
        n=len(places),
        weight=float(weight[in_band].sum()),
        inside=_by_class(rows, weight * in_band),
        outside=_by_class(rows, weight * ~in_band),
        cases=[dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
        differing=differing,
        notes=tuple(notes),
        reason=None if len(places) else f"no row has `{key.name}` from {low:g} to {high:g}",
        rows_inside=_rows_by_class(rows, in_band),
        rows_outside=_rows_by_class(rows, ~in_band),
        numbers=index[places].astype(np.intp),
        columns=tuple(columns),
    )


def _by_class(rows: TargetRows, weight: NDArray[np.float64]) -> dict[str, float]:
    classes = rows.data.classes
    sums = np.bincount(rows.column("actualClass"), weight, minlength=len(classes))
    return dict(zip(classes, sums.tolist(), strict=True))


def _rows_by_class(rows: TargetRows, in_band: NDArray[np.bool_]) -> dict[str, int]:
    return {name: round(count) for name, count in _by_class(rows, in_band.astype(float)).items()}


def _listed(rows: TargetRows, key: Key, places: Ints) -> dict[str, list[Any]]:
    """Return the columns of the cases; an attribute named as another one is in back-ticks."""
    data = rows.data
    index = (np.arange(data.stored) if rows.index is None else rows.index)[places]
    classes = np.asarray(data.classes, dtype=object)
    own: dict[str, Any] = {"number": index.tolist()}
    for name in ("row", "weight"):
        if (values := getattr(data, name)) is not None:
            own[name] = values[index].tolist()
    for name in ("repeat", "fold"):
        if (labels := getattr(data, name)) is not None:
            own[name] = labels.take(index).values().tolist()
    own["actual"] = classes[data.actual[index]].tolist()
    if data.prob is not None or data.label is not None:
        own["predicted"] = classes[data.predicted[index]].tolist()
    own[key.name] = key.values[places].astype(np.float64).tolist()
    return own | {
        f"`{name}`" if name in own else name: _plain(values[index])
        for name, values in data.attributes.items()
        if name != key.name
    }


def _plain(values: NDArray[Any]) -> list[Any]:
    """Return a column as plain Python; dates as text."""
    if values.dtype.kind == "M":
        return [None if np.isnat(value) else str(value) for value in values]
    plain: list[Any] = values.tolist()
    return plain


def _notes(rows: TargetRows, differing: Sequence[Mapping[str, Any]]) -> Iterator[Note]:
    tested = sum(not math.isnan(difference["p_value"]) for difference in differing)
    if tested:
        yield Note(
            f"{counted(tested, 'attribute')} compared after choosing the band: "
            "exploratory, confirm differences on other rows",
            code="hints-only",
        )
    if tested and rows.weights is not None:
        yield Note(
            "weights count in means, shares and effects; in p-values a weighted row is one row",
            code="weights",
        )
    if tested and rows.data.repeat is not None:
        yield Note(
            "examples in several repeats count several times, so p-values are too small",
            code="repeats",
        )


def differences(rows: TargetRows, inside: Truths) -> list[Difference]:
    """Compare every attribute inside and outside; the largest effect first, undefined ones last."""
    weight = np.ones(rows.n) if rows.weights is None else rows.weights
    compared = []
    for name in rows.data.attributes:
        values, names = rows.attribute(name), rows.attributes.names(name)
        attribute: Difference = {"attribute": name, "date": rows.attributes.is_date(name)}
        if names:
            compared.append(attribute | _categories(values, names, inside, weight))
        else:
            compared.append(attribute | _numbers(values.astype(float), inside, weight))
    _adjust(compared)
    return sorted(compared, key=_rank)


def _rank(difference: Mapping[str, Any]) -> float:
    effect = difference["effect"]
    return math.inf if math.isnan(effect) else -effect


def _numbers(values: Floats, inside: Truths, weight: Floats) -> Difference:
    """Compare numbers: means, medians, standardised difference, Mann and Whitney's test."""
    known = np.isfinite(values)
    parts = [(values[side & known], weight[side & known]) for side in (inside, ~inside)]
    means = [_mean(*part) for part in parts]
    medians = [_median(*part) for part in parts]
    spread = math.sqrt(sum(_variance(*part) for part in parts) / 2)
    same = math.isclose(means[0], means[1], rel_tol=1e-12)
    difference = (means[0] - means[1]) / spread if spread > 0 else 0.0 if same else math.nan
    p_value, reason = _mann_whitney(parts[0][0], parts[1][0])
    return {
        "kind": "number",
        "value": None,
        "inside": means[0],
        "outside": means[1],
        "median_inside": medians[0],
        "median_outside": medians[1],
        "difference": difference,
        "effect": abs(difference),
        "p_value": p_value,
        "missing": [int((side & ~known).sum()) for side in (inside, ~inside)],
        "reason": reason,
    }


def _mean(values: Floats, weight: Floats) -> float:
    return float(weight @ values / weight.sum()) if len(values) else math.nan


def _median(values: Floats, weight: Floats) -> float:
    """Return the middle value, the mean of the middle two where the weights divide evenly."""
    if not len(values):
        return math.nan
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weight[order])
    half = reached[-1] / 2
    ends = [np.searchsorted(reached, half * (1 + sign * 1e-12)) for sign in (-1, 1)]
    middle = values[order[np.minimum(ends, len(values) - 1)]]
    return float(middle.mean())


def _variance(values: Floats, weight: Floats) -> float:
    """Return the mean squared distance from the mean: the same whatever the weights sum up to."""
    if not len(values):
        return math.nan
    return float(weight @ (values - _mean(values, weight)) ** 2 / weight.sum())


def _mann_whitney(inside: Floats, outside: Floats) -> tuple[float, str | None]:
    from scipy.stats import mannwhitneyu

    reason = _too_few(len(inside), len(outside))
    everything = np.concatenate([inside, outside])
    if reason is None and everything.min() == everything.max():
        reason = "all rows have the same value"
    if reason is not None:
        return math.nan, reason
    return float(mannwhitneyu(inside, outside).pvalue), None


def _too_few(inside: int, outside: int) -> str | None:
    if min(inside, outside) >= FEW:
        return None
    where = "inside" if inside < FEW else "outside"
    return f"fewer than {FEW} rows with a value {where}"


def _categories(
    codes: NDArray[Any], names: tuple[str, ...], inside: Truths, weight: Floats
) -> Difference:
    """Compare categories: the most over-represented one, Cramér's V, and Pearson's chi-square."""
    known = codes >= 0
    sides = [side & known for side in (inside, ~inside)]
    heavy = np.array([np.bincount(codes[s], weight[s], len(names)) for s in sides])
    plain = np.array([np.bincount(codes[s], minlength=len(names)) for s in sides])
    totals = heavy.sum(axis=1)
    with np.errstate(invalid="ignore"):
        shares = heavy / totals[:, None]
    excess = shares[0] - shares[1]
    top = int(np.argmax(excess)) if len(names) and not np.isnan(excess).any() else None
    v = _cramer(heavy)
    p_value, reason = _chi_square(plain)
    return {
        "kind": "category",
        "value": None if top is None else names[top],
        "inside": math.nan if top is None else float(shares[0, top]),
        "outside": math.nan if top is None else float(shares[1, top]),
        "difference": v,
        "effect": 2 * v / math.sqrt(max(1 - v * v, SMALLEST)),
        "p_value": p_value,
        "missing": [int((side & ~known).sum()) for side in (inside, ~inside)],
        "reason": reason,
    }


def _chi2(table: Floats) -> float:
    """Return Pearson's chi-square of a table of two rows without empty columns."""
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())


def _cramer(table: Floats) -> float:
    """Return sqrt(chi^2 / n); of two rows, that is Cramér's V."""
    table = table[:, table.sum(axis=0) > 0]
    if not table.size or (table.sum(axis=1) == 0).any():
        return math.nan
    return math.sqrt(min(_chi2(table) / table.sum(), 1.0))


def _chi_square(table: NDArray[Any]) -> tuple[float, str | None]:
    from scipy.stats import chi2

    counts = table[:, table.sum(axis=0) > 0].astype(float)
    reason = _too_few(*table.sum(axis=1).tolist())
    if reason is None and counts.shape[1] < 2:
        reason = "all rows have the same value"
    if reason is not None:
        return math.nan, reason
    return float(chi2.sf(_chi2(counts), counts.shape[1] - 1)), None


def _adjust(compared: list[Difference]) -> None:
    """Add the p-values of Benjamini and Hochberg over those that there are."""
    from scipy.stats import false_discovery_control

    p_values = np.array([one["p_value"] for one in compared])
    adjusted = np.full(len(compared), math.nan)
    there = ~np.isnan(p_values)
    if there.any():
        adjusted[there] = false_discovery_control(p_values[there])
    for one, value in zip(compared, adjusted, strict=True):
        one["p_adjusted"] = float(value)
