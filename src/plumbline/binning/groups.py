"""Rows in groups: values of an attribute, a number cut into groups, several attributes crossed."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import nearest, shorten, shown
from plumbline.binning.schemes import number_of_bins, weighted_quantiles
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import quoted
from plumbline.predictions import Predictions, label_text, need_single_values, only_predictions
from plumbline.predictions.labels import is_missing

Array: TypeAlias = NDArray[Any]
Ints: TypeAlias = NDArray[np.int64]
Cut: TypeAlias = str | Sequence[Any]

MOST_GROUPS = 50  # a convention: more groups are read neither as a table nor as a picture
FEW_VALUES = 10  # a number of so few distinct values is a category
MISSING = "missing"
CUT = "equal-size:4"


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """The groups of one attribute, in their order.

    Attributes
    ----------
    attribute : its name; names : the groups' names
    code : (n,) number of every row's group; -1 where the group holds no weight
    number : whether the attribute is one, so that neighbouring groups belong together
    cut : whether it was cut into ranges; a number of few values has a group for each
    bounds : of every group of a number, lo and hi: its values are above lo and at most hi (None:
        unbounded), or equal to both; none of the group "missing"
    """

    attribute: str
    names: tuple[str, ...]
    code: Ints
    number: bool
    cut: bool
    bounds: tuple[tuple[Any, Any], ...] = ()

    def label(self, first: int, last: int | None = None) -> str:
        """Say that a value is in a group, or in one of neighbouring groups.

        >>> names = ("[18, 25]", "(25, 40]", "missing")
        >>> ages = Grouping("age", names, np.zeros(1, int), number=True, cut=True)
        >>> ages.label(1), ages.label(0, 1), ages.label(2)
        ('age in (25, 40]', 'age in [18, 40]', 'age missing')
        """
        low, high = self.names[first], self.names[first if last is None else last]
        if low == high == MISSING:
            text = MISSING
        elif low == high:
            text = f"= {low}" if not self.cut else low if high[0] in "<>" else f"in {low}"
        elif self.cut:
            text = f"in {low.partition(', ')[0]}, {high.partition(', ')[2]}"
        else:
            text = f"= {low} to {high}"
        return f"{self.attribute} {text}"


def group_rows(
    data: Predictions, by: str | Sequence[str], *, cuts: Cut | Mapping[str, Cut] | None = None
) -> list[tuple[str, NDArray[np.intp]]]:
    """Return the name and the row numbers of every group of one or several attributes.

    A category has a group for each value, in sorted order. A number (or a date) of more than 10
    distinct values is cut into four groups of equal weight, (lo, hi], the first with its lower end;
    equal values are never split. Missing values are the group "missing", the last. Groups without
    weight are left out.

    Parameters
    ----------
    data : Predictions
        Rows with attributes.
    by : str or sequence of str
        Names of attributes. Several, "sex,age" or ["sex", "age"], are crossed: "sex = f, age in
        (18, 25]".
    cuts : str, sequence of numbers or dict, optional
        How numbers are cut: "equal-size:5", "equal-width:5" (over the range of the rows),
        "edges:18,25" or a list of edges, which make "<= 18", "(18, 25]" and "> 25". A dict has a
        cut for each attribute.

    Returns
    -------
    list of (str, (m,) int array)
        Name and row numbers of every group.

    Raises
    ------
    ParameterError
        For an unknown attribute or cut.
    InputError
        For more than 50 groups.

    Examples
    --------
    >>> age = [20, 31, 45, 62, None]
    >>> data = Predictions.from_arrays([0, 1] * 2 + [1], [0.5] * 5, attributes={"age": age})
    >>> for name, rows in group_rows(data, "age", cuts="edges:30,50"):
    ...     print(name, rows.tolist())
    <= 30 [0]
    (30, 50] [1, 2]
    > 50 [3]
    missing [4]
    """
    names = attributes_of(data, by)
    parts = [grouping(data, name, cut=_own_cut(cuts, name, names)) for name in names]
    _check_cut_is_used(cuts, parts)
    if len(parts) == 1:
        labels, code = list(parts[0].names), parts[0].code
    else:
        labels, code = _crossed(parts)
    if len(labels) > MOST_GROUPS:
        raise InputError(
            f"{shown(names)} make {len(labels):,} groups ({shown(labels, 3)}), more than "
            f"{MOST_GROUPS}; reduce the number of distinct values first",
            code="too-many-groups",
        )
    return [(label, np.flatnonzero(code == place)) for place, label in enumerate(labels)]


def attributes_of(
    data: Predictions, by: str | Sequence[str], *, beside: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the attributes that `by` names; `beside` are other names the caller knows."""
    known = tuple(only_predictions(data).attributes)
    if isinstance(by, str):
        names = (by,) if by in known else tuple(part.strip() for part in by.split(","))
    else:
        names = tuple(by)
    for name in names:
        if name not in known:
            others = f"{', '.join(map(quoted, beside))} or " if beside else ""
            raise ParameterError(
                code="unknown-name",
                argument="by",
                rule=f"{others}an attribute of the "
                f"table{f' ({shown(known)})' if known else ', which has none'}",
                arrived=shorten(name),
                near=nearest(name, (*beside, *known)),
            )
    if not names or len(set(names)) < len(names):
        raise ParameterError(
            f"`by` must name each attribute once, got {shorten(by)}", code="named-twice"
        )
    return names


def grouping(
    data: Predictions,
    attribute: str,
    *,
    cut: Cut | None = None,
    usual: str = CUT,
    few: int = FEW_VALUES,
) -> Grouping:
    """Return the groups of one attribute; a number of at most `few` distinct values is a category.

    `usual` is how another number is cut where `cut` does not say it.
    """
    need_single_values(data, attribute, "a division into groups")
    values = data.attributes[attribute]
    counts = data.mass > 0
    numbers = numbers_of(values)
    if numbers is None:
        names, code = _categories(values)
        return _filled(attribute, names, code, counts, number=False, cut=False)
    missing = np.isnat(numbers) if numbers.dtype.kind == "M" else np.isnan(numbers)
    there = counts & ~missing
    if not there.any():
        return _filled(
            attribute, [MISSING], np.zeros(data.stored, np.int64), counts, number=True, cut=False
        )
    distinct = np.unique(numbers[there])
    ranges = cut is not None or len(distinct) > few
    if not ranges:
        code = np.minimum(np.searchsorted(distinct, numbers), len(distinct) - 1)
        code = np.where(distinct[code] == numbers, code, -1)
        names = [
            label_text(value) if numbers.dtype.kind == "f" else _text(value) for value in distinct
        ]
        bounds = [(value, value) for value in distinct]
    else:
        weight = None if data.weight is None else data.weight[there]
        names, edges = _cut(attribute, numbers[there], weight, usual if cut is None else cut)
        code = np.searchsorted(edges, numbers, side="left")
        bounds = list(pairwise([None, *edges, None]))
    code = np.where(missing, len(names), code)
    return _filled(
        attribute, [*names, MISSING], code, counts, number=True, cut=ranges, bounds=bounds
    )


def numbers_of(values: Array) -> Array | None:
    """Return a column as float64 numbers (missing: NaN) or dates; None where it is a category."""
    if values.dtype.kind in "iuf":
        return values.astype(np.float64)
    if values.dtype.kind == "M":
        return values
    if values.dtype.kind != "O":
        return None
    first = next((value for value in values if not is_missing(value)), None)
    if not isinstance(first, Real) or isinstance(first, bool):
        return None
    result = [np.nan if is_missing(value) else value for value in values]
    whole = all(isinstance(value, Real) and not isinstance(value, bool) for value in result)
    return np.array(result, np.float64) if whole else None


def _categories(values: Array) -> tuple[list[str], Ints]:
    """Return the names of the values, missing last, and the place of every row's."""
    inverse: Any = slice(None)
    if values.dtype.kind != "O":
        values, inverse = np.unique(values, return_inverse=True)
    texts = [MISSING if is_missing(value) else label_text(value) for value in values]
    names = sorted(set(texts), key=_natural)
    number_of = {name: number for number, name in enumerate(names)}
    return names, np.array([number_of[text] for text in texts], np.int64)[inverse]


def _natural(name: str) -> tuple[bool, bool, float, str]:
    """Sort numbers by their value and before texts, and what is missing last."""
    try:
        number = float(name)
    except ValueError:
        number = math.nan
    text = not math.isfinite(number)
    return name == MISSING, text, 0.0 if text else number, name


def _cut(attribute: str, there: Array, weight: Array | None, cuts: Cut) -> tuple[list[str], Array]:
    """Return the names of the groups a number is cut into, and the edges between them."""
    if isinstance(cuts, Real):
        raise ParameterError(
            f"`cuts` must be a rule for {quoted(attribute)}, got {cuts}; 'equal-size:{cuts}' "
            f"makes {cuts} groups of equal size, [{cuts}] cuts at this value",
            code="unknown-cut",
        )
    kind, _, rest = cuts.partition(":") if isinstance(cuts, str) else ("edges", "", cuts)
    low, high = there.min(), there.max()
    if kind in ("equal-size", "equal-width") and isinstance(rest, str) and rest.isdecimal():
        groups = number_of_bins(int(rest))
        steps = np.arange(1, groups)
        if kind == "equal-width":
            if not np.isfinite(high - low):
                raise ParameterError(
                    f"{quoted(attribute)} holds infinite values, so equal widths are undefined; "
                    f"use 'equal-size:{groups}'",
                    code="no-finite-width",
                    argument="cuts",
                )
            inner = low + (high - low) * steps / groups
        else:
            mass = np.ones(len(there)) if weight is None else weight
            inner = weighted_quantiles(there, mass, steps, groups)
        inner = np.unique(inner[(inner >= low) & (inner < high)])
        return _between(np.concatenate([[low], inner, [high]])), inner
    if kind != "edges":
        raise ParameterError(
            f"`cuts` must cut {quoted(attribute)} by 'equal-size:4', 'equal-width:4', "
            f"'edges:18,25' or a list of edges, got {shorten(cuts)}",
            code="unknown-cut",
        )
    edges = _own_edges(rest.split(",") if isinstance(rest, str) else rest, there.dtype)
    texts = _texts(edges)
    inside = [f"({lo}, {hi}]" for lo, hi in pairwise(texts)]
    return [f"<= {texts[0]}", *inside, f"> {texts[-1]}"], edges


def _own_edges(values: Sequence[Any], dtype: Any) -> Array:
    try:
        edges = np.array([np.asarray(value).astype(dtype)[()] for value in values], dtype)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"edges of `cuts` must be numbers, got {shorten(values)} ({error})",
            code="no-number",
            argument="cuts",
        ) from error
    finite = ~np.isnat(edges) if edges.dtype.kind == "M" else np.isfinite(edges)
    if not len(edges) or not finite.all() or not np.all(edges[1:] > edges[:-1]):
        raise ParameterError(
            f"edges of `cuts` must increase and be finite, got {shorten(list(values))}",
            code="edges-not-increasing",
            argument="cuts",
        )
    return edges


def _between(edges: Array) -> list[str]:
    """Name the groups between edges: (lo, hi], and the first also holds its lower end."""
    texts = _texts(edges)
    return [f"{'(' if j else '['}{lo}, {hi}]" for j, (lo, hi) in enumerate(pairwise(texts))]


def _texts(edges: Array) -> list[str]:
    """Return edges as texts of as few digits as tell them apart, four at least."""
    for digits in range(4, 18):
        texts = [_text(edge, digits) for edge in edges]
        if len(set(texts)) == len(set(edges.tolist())):
            return texts
    return texts


def _text(value: Any, digits: int = 4) -> str:
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value, unit="auto"))
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.{digits}g}"


def _filled(
    attribute: str,
    names: Sequence[str],
    code: Ints,
    counts: NDArray[np.bool_],
    *,
    number: bool,
    cut: bool,
    bounds: Sequence[tuple[Any, Any]] = (),
) -> Grouping:
    """Return the groups that hold weight, renumbered."""
    full = np.bincount(code[counts], minlength=len(names)) > 0
    place = np.append(np.where(full, np.cumsum(full) - 1, -1), -1)  # the last is for code -1
    kept = tuple(name for name, keep in zip(names, full, strict=True) if keep)
    ends = tuple(pair for pair, keep in zip(bounds, full, strict=False) if keep)
    return Grouping(attribute, kept, place[code].astype(np.int64), number, cut, ends)


def _crossed(parts: Sequence[Grouping]) -> tuple[list[str], Ints]:
    """Return the names of the combinations that occur, and the place of every row's."""
    sizes = [len(part.names) for part in parts]
    if math.prod(sizes) > 2**62:
        raise InputError("too many attributes to cross; name fewer", code="too-many-groups")
    codes = np.stack([part.code for part in parts])
    absent = (codes < 0).any(axis=0)
    joint = np.ravel_multi_index(tuple(np.maximum(codes, 0)), sizes)
    joint[absent] = -1
    result = np.unique(joint[~absent])
    labels = [
        ", ".join(part.label(int(i)) for part, i in zip(parts, place, strict=True))
        for place in zip(*np.unravel_index(result, sizes), strict=True)
    ]
    return labels, np.where(absent, -1, np.searchsorted(result, joint))


def _own_cut(cuts: Cut | Mapping[str, Cut] | None, name: str, names: Sequence[str]) -> Cut | None:
    """Return the cut of one attribute."""
    if not isinstance(cuts, Mapping):
        return cuts
    for key in cuts:
        if key not in names:
            raise ParameterError(
                f"`cuts` must cut attributes that `by` names ({shown(names)}), got {shorten(key)}",
                code="unknown-name",
                arrived=shorten(key),
                near=nearest(key, names),
            )
    return cuts.get(name)


def _check_cut_is_used(cuts: Any, parts: Sequence[Grouping]) -> None:
    """Refuse a cut of an attribute that is not a number."""
    named = [p for p in parts if isinstance(cuts, Mapping) and p.attribute in cuts]
    wrong = [part.attribute for part in named if not part.number]
    if cuts is not None and not isinstance(cuts, Mapping) and not any(p.number for p in parts):
        wrong = [part.attribute for part in parts]
    if wrong:
        raise ParameterError(
            f"`cuts` cuts numbers, but {shown(wrong)} holds categories; leave it out",
            code="cuts-of-no-numbers",
        )
