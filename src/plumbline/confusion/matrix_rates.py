"""Rates of a confusion matrix, each with its interval or the reason why there is none."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plumbline._checks import checked_draws, near_names, one_of, real_number, shorten, shown
from plumbline._result import Note, Presentation, Result, Table
from plumbline.confusion.intervals import (
    LEAST_DEFINED,
    LOST,
    ConfusionCells,
    dirichlet_counts,
    dirichlet_tables,
    error_interval,
    exact_interval,
    held,
    left_out,
    percentile_interval,
    resampled_counts,
    smoothed_shares,
    tables_like,
    wilson_interval,
)
from plumbline.confusion.multiclass import (
    ABSENT,
    AVERAGES,
    KINDS,
    OVERALL,
    Group,
    Kind,
    Rated,
    Tables,
    Undefined,
    class_number,
    class_tables,
)
from plumbline.confusion.rates import (
    BETAS,
    RATES,
    Rate,
    f_beta,
    rate_named,
    rows_shared,
)
from plumbline.dependence import GroupSums, need_enough_groups, sums_over_groups
from plumbline.errors import InputError, ParameterError
from plumbline.formatting import (
    PAGE,
    amount,
    and_list,
    beside,
    counted,
    folded,
    interval,
    named,
    number,
    percentage,
    printable,
    quoted,
    sentence,
    titles_in,
)
from plumbline.random_streams import Seed, entropy_of, seed_of


@dataclass(frozen=True, repr=False, eq=False)
class RateValue(Result):
    """One rate of one class, of an average or of the whole table.

    Attributes
    ----------
    name, title, aliases : the name in formulas, the name in tables, further names
    group : name of the class that counts as positive, "micro", "macro", "weighted" or "all"
    kind : "class", "micro", "macro", "weighted" or "all": a class may have any name
    value : NaN where it is undefined
    low, high : ends of the interval, NaN where there is none
    method : how the interval was computed, None where there is none
    n : number of rows it is a share of, or depends on (Kish's effective number of weighted rows)
    reason : why value or interval is missing, or in how many draws the rate has no value, which the
        interval leaves out; None where neither is so
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    group: str
    kind: Kind
    value: float
    low: float
    high: float
    method: str | None
    n: float | None
    reason: str | None = None


@dataclass(frozen=True, repr=False, eq=False)
class Rates(Result):
    """Rates of a confusion matrix, a row each.

    Attributes
    ----------
    model : name of the model, or None
    interval, level : "auto", "wilson", "exact", "dirichlet", "bootstrap" or None, and the coverage
    resamples, seed : of the draws, None where nothing is drawn
    undefined : whether undefined classes make an average undefined ("nan") or are left out ("skip")
    entries : the rates
    remarks, remark_codes : what to know about the values, and a stable code of each:
        "absent-class" where averages leave out classes that have no actual and no predicted rows
    called : the names by which rates were requested, by their own
    """

    model: str | None
    interval: str | None
    level: float | None
    resamples: int | None
    seed: int | None
    undefined: Undefined
    entries: tuple[RateValue, ...]
    remarks: tuple[str, ...] = ()
    remark_codes: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict, metadata={"hidden": True})

    @property
    def interval_text(self) -> str:
        """Return how the intervals were computed; empty where there are none."""
        drawn = (
            f"{self.resamples or 0:,} tables drawn from a Dirichlet distribution about the counts"
        )
        return {
            None: "",
            "wilson": "Wilson's, for shares of rows",
            "exact": "Clopper and Pearson's, for shares of rows",
            "auto": f"Wilson's for shares of rows, else {drawn}. Means over more than 2 classes: "
            "also tables redrawn from smoothed counts",
            "dirichlet": drawn,
            "bootstrap": f"bootstrap of the rows, {self.resamples or 0:,} resamples",
        }[self.interval]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a rate: name, title, aliases, group, kind, value, low, high, and so on."""
        return [{"reason": None, **entry.for_tables()} for entry in self.entries]

    def entry(self, name: str, group: str | None = None, *, kind: Kind | None = None) -> RateValue:
        """Return a rate by any of its names, of a group, of a kind of group, or of both.

        By default it is that of the whole table where the table has it, else that of the first
        group. Raises ParameterError where it is not among the entries, and where `group` names a
        class and an average and `kind` is missing.
        """
        wanted = canonical(name)
        if kind is not None:
            one_of("kind", kind, KINDS)
        result = [
            e
            for e in self.entries
            if e.name == wanted and group in (None, e.group) and kind in (None, e.kind)
        ]
        if not result:
            have = dict.fromkeys(f"{e.name} of {e.group}" for e in self.entries)
            sought = " of ".join([wanted, *dict.fromkeys(filter(None, (group, kind)))])
            raise ParameterError(
                f"{sought} is not among these rates: {shown(have)}{near_names(sought, have)}",
                code="unknown-rate",
            )
        if group is not None and len(result) > 1:
            kinds = " or ".join(f"kind={e.kind!r}" for e in result)
            raise ParameterError(
                f"there are several groups {quoted(group)} of {wanted}; use {kinds}",
                code="several-groups",
            )
        return next((e for e in result if e.kind == "all"), result[0])

    def value(self, name: str, group: str | None = None, *, kind: Kind | None = None) -> float:
        """Return the value of `entry(name, group, kind=kind)`."""
        return self.entry(name, group, kind=kind).value

    def labels(self) -> Mapping[tuple[Kind, str], str]:
        """Return what tables call every group, by kind and name: mostly its name.

        Where a class has the name of an average, "class 'macro'" stands beside "macro average".
        """
        keys = dict.fromkeys((e.kind, e.group) for e in self.entries)
        names = Counter(group for _, group in keys)
        return {key: key[1] if names[key[1]] == 1 else _called(*key) for key in keys}

    def present(self) -> Presentation:
        """Return a line a rate, or a line a class, and why values or ends are missing."""
        whole = [rate for rate in self.entries if rate.kind == "all"]
        groups = [rate for rate in self.entries if rate.kind != "all"]
        tables = [*_tables_of_groups(groups, self)] if groups else []
        tables += [_lines(whole, self, "whole table")] if whole else []
        legend = [AGAINST_THE_REST] if any(rate.name in OVERALL for rate in groups) else []
        if self.interval is not None:
            legend.append(f"{_interval(self)}: {self.interval_text}")
        return Presentation(
            notes=_notes(self), tables=tuple(tables), legend=tuple(legend), tables_first=True
        )


def _called(kind: Kind, group: str) -> str:
    """Return a label that tells a class from the average, or the whole table, of that name."""
    if kind == "class":
        return f"class {quoted(group)}"
    return "whole table" if kind == "all" else f"{kind} average"


def canonical(name: object) -> str:
    """Return the name of a rate of two classes or of the whole table.

    >>> canonical("hit rate"), canonical("kappa-linear"), canonical("positive predictive value")
    ('TPR', 'kappa_linear', 'PPV')
    """
    whole = {folded(other): known for known, row in OVERALL.items() for other in (known, row.title)}
    return whole.get(folded(name)) or rate_named(name)[0]


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
ORDERED = ("kappa_linear", "kappa_quadratic")  # mean something only where classes have an order
NO_SHARE = {
    name: f'not a share of rows, so it has no {called} interval; `interval="auto"` gives one'
    for name, called in (("wilson", "Wilson"), ("exact", "exact"))
}
AGAINST_THE_REST = "Rates of classes and averages compare each class with all others."
GROUPS = 24  # lines of classes and averages that are shown
REASONS = 6  # that are shown
INTERVALS = ("auto", "wilson", "exact", "dirichlet", "bootstrap")
OF_SHARES = ("wilson", "exact")  # which nothing is drawn for


class End(NamedTuple):
    """Both ends of an interval, how it came about, and why there is none or what it leaves out."""

    low: float
    high: float
    method: str | None = None
    reason: str | None = None


NONE = End(np.nan, np.nan)


@dataclass(frozen=True, slots=True)
class RateParams:
    """How values and intervals are wanted; fields as in `ConfusionMatrix.rates`."""

    undefined: Undefined
    interval: str | None
    level: float
    resamples: int
    rng: Seed


@dataclass(frozen=True, eq=False)
class RateSample:
    """The counts that rates are of, and what their intervals must know of the rows.

    Fields as in `ConfusionMatrix`, and `worth`: the number of independent rows that tell as much
    about a rate, by that of the rows.
    """

    model: str | None
    classes: tuple[str, ...]
    counts: Floats
    effective_n: float | None
    weighted: bool
    squares: Floats | None
    cells: ConfusionCells | None
    worth: float = 1.0


def rates_of(
    sample: RateSample,
    names: str | Iterable[str] | None,
    *,
    groups: Sequence[Group],
    beta: float | None,
    params: RateParams,
    whole: Sequence[str] = (),
) -> Rates:
    """Return rates of a sample in groups, and then those of the whole table named in `whole`."""
    one_of("undefined", params.undefined, ("nan", "skip"))
    pairs = _rates_of_groups(sample, _names(names, beta), groups)
    pairs += [(name, Group("all", "all")) for name in whole]
    rated = Rated(sample.counts, params.undefined)
    squares = None if sample.squares is None else class_tables(sample.squares)
    bases = _Bases(sample, rated.tables, squares)
    ends = _intervals(bases, rated, pairs, params)
    entries = tuple(_entry(bases, rated, pair, end) for pair, end in zip(pairs, ends, strict=True))
    drawn = params.interval not in (None, *OF_SHARES)
    absent = rated.absent(pairs, sample.classes)
    return Rates(
        model=sample.model,
        interval=params.interval,
        level=params.level if params.interval else None,
        resamples=params.resamples if drawn else None,
        seed=seed_of(params.rng) if drawn else None,
        undefined=params.undefined,
        entries=entries,
        remarks=() if absent is None else (absent,),
        remark_codes=() if absent is None else (ABSENT,),
        called=_called_by(names),
    )


# ------------------------------------------------------------------ shown


def _called_by(names: str | Iterable[str] | None) -> dict[str, str]:
    """Return the names by which rates were asked for, by their own."""
    if names is None or names == "all":
        return {}
    return {canonical(name): str(name) for name in _listed(names)}


def _tables_of_groups(entries: Sequence[RateValue], rates: Rates) -> Iterator[Table]:
    """Yield the rates of one group as lines, those of several as a line a group."""
    groups = dict.fromkeys((rate.kind, rate.group) for rate in entries)
    if len(groups) == 1:
        ((_, name),) = groups
        yield _lines(entries, rates, f"positive class: {name}")
        return
    names = dict.fromkeys(rate.name for rate in entries)
    cell = {(rate.kind, rate.group, rate.name): _value(rate, rates) for rate in entries}
    classes = [group for group in groups if group[0] == "class"]
    averages = [group for group in groups if group[0] != "class"]
    left = len(classes) - (GROUPS - len(averages))
    kept = [*(classes[:-left] if left > 0 else classes), *averages]
    columns = {
        rates.called.get(name, name): [cell.get((*g, name), "-") for g in kept] for name in names
    }
    labels = rates.labels()
    lines = [labels[group] for group in kept]
    more = f"... and {counted(left, 'more class')}" if left > 0 else ""
    for part in _pages(lines, columns):
        yield Table({"class": lines, **part}, left=("class",), more=more)


def _pages(lines: Sequence[str], columns: dict[str, list[str]]) -> list[dict[str, list[str]]]:
    """Return the columns in parts that are no wider than a page."""
    room = PAGE - max(len("class"), *(len(printable(line)) for line in lines))
    parts: list[dict[str, list[str]]] = [{}]
    used = 0
    for name, cells in columns.items():
        width = 2 + max(map(len, [name, *cells]))
        if parts[-1] and used + width > room:
            parts.append({})
            used = 0
        parts[-1][name] = cells
        used += width
    return parts


def _lines(entries: Sequence[RateValue], rates: Rates, title: str) -> Table:
    """Return a line a rate, with its other names."""
    names = [_names_of(rate, rates.called.get(rate.name)) for rate in entries]
    columns = {"rate": [first for first, *_ in names]}
    columns["value"] = [beside(rate.value, (rate.low, rate.high)) for rate in entries]
    if rates.interval is not None:
        columns[_interval(rates)] = [interval((rate.low, rate.high)) for rate in entries]
    columns["rows"] = [amount(rate.n) for rate in entries]
    columns["also called"] = [", ".join(others) for _, *others in names]
    return Table(columns, left=("rate", "also called"), title=title)


def _names_of(rate: RateValue, called: str | None) -> list[str]:
    """Return the names of a rate, each once: the one it was asked by, or its title, first."""
    _, *parts = titles_in(rate.title)
    first = [] if called is None else [called.replace("_", " ")]
    names = [*first, *(parts or [rate.title]), rate.name, *rate.aliases]
    once: dict[str, str] = {}
    for name in names:
        once.setdefault(folded(name), name)
    return list(once.values())


def _value(rate: RateValue, rates: Rates) -> str:
    """Return a value with its interval behind it."""
    has = rates.interval is not None and rate.low == rate.low
    if not has:
        return number(rate.value)
    ends = rate.low, rate.high
    return f"{beside(rate.value, ends)} ({interval(ends)})"


def _interval(rates: Rates) -> str:
    return f"{percentage(rates.level or 0)} CI"


def _notes(rates: Rates) -> tuple[Note, ...]:
    """Return why values or ends are missing, each reason once."""
    labels = {group: label for group, label in rates.labels().items() if group[0] != "all"}
    of: dict[str, set[tuple[str, str]]] = {}
    for rate in rates.entries:
        if rate.reason:
            of.setdefault(rate.reason, set()).add((rate.kind, rate.group))
    notes = [
        Note(
            f"{and_list(_shareless(rates, labels))}: {reason}."
            if reason in NO_SHARE.values()
            else _why(_named(reason, rates), groups, labels),
            "undefined",
        )
        for reason, groups in of.items()
    ]
    if len(of) > REASONS:
        more = Note(f"{counted(len(of) - REASONS, 'more note')} of this kind.", "undefined")
        notes = [*notes[:REASONS], more]
    remarks = zip(rates.remarks, rates.remark_codes, strict=True)
    return (*notes, *(Note(sentence(remark), code) for remark, code in remarks))


def _shareless(rates: Rates, labels: Mapping[tuple[Kind, str], str]) -> list[str]:
    """Return the rates that are no share of rows, and the averages of those that are one."""
    without = [rate for rate in rates.entries if rate.reason in NO_SHARE.values()]
    shares = {rate.name for rate in rates.entries if rate.reason not in NO_SHARE.values()}
    names = dict.fromkeys(
        _names_of(rate, rates.called.get(rate.name))[0]
        if rate.name not in shares
        else labels[rate.kind, rate.group]
        for rate in without
    )
    return [*names]


def _named(reason: str, rates: Rates) -> str:
    """Return a reason, before the rates that it is about where it does not name them."""
    if not reason.startswith(LOST):
        return reason
    of = [rate for rate in rates.entries if rate.reason == reason]
    names = [*dict.fromkeys(_names_of(rate, rates.called.get(rate.name))[0] for rate in of)]
    more = [f"{len(names) - REASONS} more rates"] if len(names) > REASONS else []
    left = "" if all(rate.low != rate.low for rate in of) else ", which the interval leaves out"
    return f"{reason}{left}: {and_list([*names[:REASONS], *more])}"


def _why(reason: str, groups: Set[tuple[str, str]], labels: Mapping[tuple[Kind, str], str]) -> str:
    """Return a reason, behind the classes or averages it is about where that is in question."""
    of = [label for group, label in labels.items() if group in groups]
    if len(labels) < 2 or not of:
        return sentence(reason)
    more = f" and {len(of) - REASONS} more" if len(of) > REASONS else ""
    return f"{', '.join(map(named, of[:REASONS]))}{more}: {reason}."


# ------------------------------------------------------------------ which rates of what


def groups_of(
    names: tuple[str, ...],
    positive: str,
    *,
    average: str | Iterable[str] | None,
    classes: Any,
) -> list[Group]:
    """Return the groups: classes of those named, averages, and the whole table."""
    two = len(names) == 2
    if average is None:
        average = () if two else ("macro", "micro")
    kinds = _listed(average)
    for kind in kinds:
        one_of("average", kind, AVERAGES)
    if classes is None:
        classes = [positive] if two else names
    numbers = [class_number(names, name) for name in _listed(classes)]
    groups = [Group(names[i], "class", i) for i in dict.fromkeys(numbers)]
    groups += [Group(kind, kind) for kind in AVERAGES if kind in kinds]
    return [*groups, Group("all", "all")]


def _names(names: str | Iterable[str] | None, beta: float | None) -> list[str]:
    """Return canonical names, each once."""
    if names is None or names == "all":
        wanted = [*RATES]
    else:
        wanted = [canonical(name) for name in _listed(names)]
    if beta is not None:
        wanted.append(f_beta(_checked_beta(beta))[0])
    return list(dict.fromkeys(wanted))


def _listed(values: Any) -> list[Any]:
    """Return several values, or the one that is given, as a list."""
    several = isinstance(values, Iterable) and not isinstance(values, str)
    return list(values) if several else [values]


def _checked_beta(beta: Any) -> float:
    least, most = BETAS
    number = real_number(beta)
    if isinstance(beta, (bool, str)) or not least <= number <= most:
        raise ParameterError(
            f"F_beta needs a number beta from {least:g} to {most:,.0f}, got {shorten(beta)}",
            code="out-of-range",
        )
    return number


def _rates_of_groups(
    sample: RateSample, names: Sequence[str], groups: Sequence[Group]
) -> list[tuple[str, Group]]:
    """Return which rate is computed of which group.

    Rates that know no positive class stand under "all" alone where there are two classes: the
    table of either class would say the same.
    """
    two = len(sample.classes) == 2
    pairs = []
    for group in groups:
        for name in names:
            whole = name in OVERALL and (two or name in ORDERED)
            if group.kind == "all":
                fits = name in OVERALL
            else:
                fits = not (name in ORDERED or (whole and group.kind == "class"))
            if fits:
                pairs.append((name, group))
    return pairs


# ------------------------------------------------------------------ values and intervals


def _rate(name: str) -> Rate:
    """Return title and aliases of a rate; the kappas of ordered classes have no other names."""
    if name in ORDERED:
        return replace(RATES["kappa"], title=OVERALL[name].title, aliases=())
    return rate_named(name)[1]


def _is_share(pair: tuple[str, Group]) -> bool:
    """Tell whether a rate counts every row once: no average over classes does."""
    name, group = pair
    return group.kind in ("class", "all") and _rate(name).share


@dataclass(frozen=True, eq=False)
class _Bases:
    """How many rows every rate is of: those that a share divides by, else all of them.

    It is Kish's effective number where rows have weights, None where nobody knows.
    """

    sample: RateSample
    tables: Tables
    squares: Tables | None
    known: dict[str, Floats] = field(default_factory=dict)

    def rows_in(self, pair: tuple[str, Group]) -> float | None:
        """Return the number for a rate in a group."""
        name, group = pair
        n = self.sample.effective_n
        if n is None:
            return None
        if group.kind != "class" or not _is_share(pair):
            return n * self.sample.worth
        if name not in self.known:
            self.known[name] = self._of_classes(name)
        return float(self.known[name][group.index]) * self.sample.worth

    def _of_classes(self, name: str) -> Floats:
        total = rows_shared(name, *self.tables)
        if self.squares is None:
            return total
        squares = rows_shared(name, *self.squares)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(squares > 0, total**2 / squares, 0.0)


def _entry(bases: _Bases, rated: Rated, pair: tuple[str, Group], end: End) -> RateValue:
    name, group = pair
    rate = _rate(name)
    title = OVERALL[name].title if group.kind == "all" else rate.title
    value = float(rated.values(name, group))
    reason = end.reason
    if np.isnan(value):
        label = title.split(" (")[0]
        reason = rated.why(name, group, label=label, classes=bases.sample.classes)
    return RateValue(
        name=name,
        title=title,
        aliases=rate.aliases,
        group=group.label,
        kind=group.kind,
        value=value,
        low=end.low,
        high=end.high,
        method=end.method,
        n=bases.rows_in(pair),
        reason=reason,
    )


def _intervals(
    bases: _Bases, rated: Rated, pairs: Sequence[tuple[str, Group]], params: RateParams
) -> list[End]:
    sample = bases.sample
    if params.interval is None:
        return [NONE] * len(pairs)
    one_of("interval", params.interval, INTERVALS)
    checked_draws(params.resamples, params.level, interval=True)
    _refuse_unknown_rows(sample)
    if params.interval == "bootstrap":
        return _bootstrap(sample, rated, pairs, params)
    if sample.cells is not None and sample.cells.grouped:
        need_enough_groups(len(np.unique(np.asarray(sample.cells.example))))
        return [
            _of_groups(replace(bases, sample=replace(sample, worth=worth)), rated, pair, params)
            for pair, worth in zip(pairs, _worths(sample, sample.cells, pairs, params), strict=True)
        ]
    again = sample.cells is not None and sample.cells.example is not None
    if params.interval == "dirichlet":
        return _dirichlet(sample, rated, pairs, params)
    if params.interval == "auto":
        return _usual(bases, rated, pairs, params, again=again)
    if again:
        raise InputError(
            f"{_SHARES[params.interval].called} needs one row per example, and here examples recur "
            "(equal `row`); "
            '`interval="auto"` counts examples, and "bootstrap" draws them with all their rows',
            code="examples-come-again",
        )
    return [_of_share(bases, rated, pair, params.interval, params.level) for pair in pairs]


def _of_groups(bases: _Bases, rated: Rated, pair: tuple[str, Group], params: RateParams) -> End:
    """Return the interval of one rate of rows in groups, as of so many independent rows."""
    if params.interval in OF_SHARES:
        end = _of_share(bases, rated, pair, params.interval, params.level)
    elif params.interval == "dirichlet":
        (end,) = _dirichlet(bases.sample, rated, [pair], params)
    else:
        (end,) = _usual(bases, rated, [pair], params, again=False)
    if end.method is None:
        return end
    how = f"{end.method.partition(', effective')[0]}, effective number of rows in groups"
    return end._replace(method=how)


UNMOVED = 1e-9  # derivative by a count of the largest one: below it the rate does not move
STEP = 1e-4  # of the rows, by which a count is moved: a derivative to eight digits
MOST_NUMBERS = 2**23  # of all tables that are looked at together


def _worths(
    sample: RateSample,
    cells: ConfusionCells,
    pairs: Sequence[tuple[str, Group]],
    params: RateParams,
) -> list[float]:
    """Return for each rate how many independent rows a row in groups is worth, at most 1.

    A rate's variance is that of the sums over groups of its influence values, the derivatives of
    the rate by the counts of the cells; t in place of z is as so many fewer rows. Rows of cells
    that do not move a rate are none of its rows. Where no cell moves a rate, as at 0 and 1, all
    cells alike tell how much rows of a group agree.
    """
    number = np.unique(np.asarray(cells.example), return_inverse=True)[1]
    weight = np.ones(len(number)) if cells.weight is None else cells.weight / cells.weight.max()
    filled, home = np.unique(cells.code, return_inverse=True)
    usual = _worth_of_cells(number, weight, home, params.level)
    share = np.bincount(home, weight) / weight.sum()
    result = []
    for slope in _slopes(sample, filled, pairs):
        values = weight * (slope - slope @ share)[home]
        moved = np.abs(slope) > UNMOVED * np.abs(slope).max(initial=0.0)
        sums = sums_over_groups(values, number, weight, telling=moved[home])
        if sums is None:
            result.append(usual)
        else:
            result.append(_worth(float(np.square(values).sum()), sums, params.level))
    return result


def _worth_of_cells(number: Ints, weight: Floats, home: Ints, level: float) -> float:
    """Return how many independent rows a row is worth about the shares of all cells."""
    mass, own = (np.bincount(number, values) for values in (weight, np.square(weight)))
    share = np.bincount(home, weight) / weight.sum()
    squares = np.zeros(len(mass))
    for column, part in enumerate(share):
        squares += np.square(np.bincount(number, weight * (home == column)) - part * mass)
    alone = float(np.square(weight).sum() * (1 - np.square(share).sum()))
    if not alone > 0:  # all rows are in one cell: a group is one row
        return float(mass.sum() ** 2 / np.square(mass).sum() / len(number))
    return _worth(alone, GroupSums.of(squares, mass, own, np.array([alone])), level)


def _worth(alone: float, sums: GroupSums, level: float) -> float:
    """Return how many rows a row is worth, by a variance if rows were independent, and theirs."""
    from scipy.special import ndtri, stdtrit

    at = (1 + level) / 2
    fewer = (ndtri(at) / stdtrit(sums.freedom[0], at)) ** 2
    together = float(sums.variance[0])
    return float(fewer * (min(1.0, alone / together) if together > 0 else 1.0))


def _slopes(
    sample: RateSample, filled: NDArray[np.int64], pairs: Sequence[tuple[str, Group]]
) -> NDArray[np.float64]:
    """Return (rates, cells) derivatives of the rates by the counts of the filled cells."""
    total, k = sample.counts.sum(), len(sample.counts)
    step = STEP * total
    at_once = max(1, MOST_NUMBERS // k**2)
    columns = []
    for start in range(0, len(filled), at_once):
        part = filled[start : start + at_once]
        moved = np.repeat(sample.counts.reshape(1, -1), len(part), axis=0)
        moved[np.arange(len(part)), part] += step
        tables = Rated(moved.reshape(-1, k, k), "skip")
        columns.append(np.stack([tables.values(*pair) for pair in pairs]))
    own = Rated(sample.counts, "skip")
    before = np.array([[float(own.values(*pair))] for pair in pairs])
    slopes = (np.concatenate(columns, axis=1) - before) / step
    return np.where(np.isfinite(slopes), slopes, 0.0)


def _refuse_unknown_rows(sample: RateSample) -> None:
    if sample.weighted and sample.cells is None:
        raise InputError(
            "an interval needs the number of rows, and these counts are not whole numbers; make "
            "the matrix from predictions",
            code="counts-not-whole",
        )
    if sample.cells is not None and sample.cells.unknown:
        raise InputError(
            "the rows are of several repeats, in which examples recur, and there is no `row` "
            "column to match them; add one, or select one repeat",
            code="examples-unnumbered",
        )


class _ShareInterval(NamedTuple):
    """An interval of a share of rows: its name, how a sentence calls it, and what computes it."""

    method: str
    called: str
    ends: Callable[..., tuple[float, float]]


_SHARES = {
    "wilson": _ShareInterval("Wilson", "Wilson's interval", wilson_interval),
    "exact": _ShareInterval("Clopper-Pearson", "Clopper and Pearson's interval", exact_interval),
}


def _of_share(
    bases: _Bases, rated: Rated, pair: tuple[str, Group], interval: str, level: float
) -> End:
    if not _is_share(pair):
        return End(np.nan, np.nan, None, NO_SHARE[interval])
    share, n = float(rated.values(*pair)), bases.rows_in(pair)
    if n is None or np.isnan(share):
        return NONE
    method, _, ends_of_share = _SHARES[interval]
    if bases.sample.weighted:
        method += ", effective number of rows"
    return End(*ends_of_share(share, n, level=level), method)


def _usual(
    bases: _Bases,
    rated: Rated,
    pairs: Sequence[tuple[str, Group]],
    params: RateParams,
    *,
    again: bool,
) -> list[End]:
    """Return the best interval of every rate: Wilson's of a share, else Dirichlet draws.

    Means over more than 2 classes have those and the errors of redrawn tables. Where examples come
    again, no rate is Wilson's.
    """
    kinds = [_usual_kind(pair, len(bases.sample.classes), again=again) for pair in pairs]
    of_kind = {
        kind: [pair for pair, own in zip(pairs, kinds, strict=True) if own == kind]
        for kind in ("wilson", "dirichlet", "mean")
    }
    drawn = _dirichlet(bases.sample, rated, [*of_kind["mean"], *of_kind["dirichlet"]], params)
    means = len(of_kind["mean"])
    ends = {
        "wilson": [
            _of_share(bases, rated, pair, "wilson", params.level) for pair in of_kind["wilson"]
        ],
        "dirichlet": drawn[means:],
        "mean": _of_means(bases.sample, rated, of_kind["mean"], params, drawn[:means]),
    }
    of_each = {kind: iter(own) for kind, own in ends.items()}
    return [next(of_each[kind]) for kind in kinds]


def _usual_kind(pair: tuple[str, Group], k: int, *, again: bool) -> str:
    name, group = pair
    if _is_share(pair) and not again:
        return "wilson"
    over_classes = group.kind in ("macro", "weighted") or (
        group.kind == "all" and name == "balanced_accuracy"
    )
    return "mean" if over_classes and k > 2 else "dirichlet"


def _of_means(
    sample: RateSample,
    rated: Rated,
    pairs: Sequence[tuple[str, Group]],
    params: RateParams,
    ends: list[End],
) -> list[End]:
    """Return intervals of means over classes: both ends as far out as either of two ways has them.

    Dirichlet draws (`ends`) alone are too narrow where classes have few rows, and too low: rates
    such as F1 are curved, so that their mean falls with every class's variance. Tables redrawn from
    smoothed counts show that bias and the variance, and say too little where all rows but a few are
    right, which the Dirichlet draws know. Redrawn tables skip the classes that lost their rows.
    """
    total = rated.counts.sum()
    if total == 0 or not pairs:
        return ends
    n = _effective_examples(sample)
    shares = smoothed_shares(rated.counts * (n / total))
    true = Rated(shares, "skip")
    batches = []
    for counts in tables_like(
        shares, n, resamples=params.resamples, entropy=entropy_of(params.rng)
    ):
        tables = Rated(counts, "skip")
        batches.append(np.stack([tables.values(*pair) for pair in pairs]))
    drawn = np.concatenate(batches, axis=1)
    result = []
    for pair, end, values in zip(pairs, ends, drawn, strict=True):
        known, value = float(true.values(*pair)), float(rated.values(*pair))
        if np.isnan([end.low, known]).any() or np.isnan(values).mean() > LEAST_DEFINED:
            result.append(end)
            continue
        low, high = error_interval(
            value, values, known, limits=_rate(pair[0]).limits, level=params.level
        )
        ways = min(low, end.low), max(high if np.isfinite(high) else value, end.high)
        lost = int(np.count_nonzero(~np.isfinite(values)))
        why = left_out(lost, len(values), "redrawn tables") or end.reason
        how = "errors of redrawn tables, and Dirichlet draws of the cells"
        result.append(End(*ways, how, why))
    return result


def _dirichlet(
    sample: RateSample, rated: Rated, pairs: Sequence[tuple[str, Group]], params: RateParams
) -> list[End]:
    """Return percentile intervals of rates over tables drawn from a Dirichlet distribution.

    A class against the rest is a table of two classes with 1/2 added to each cell; averages and
    rates of the whole table are of all cells at once.
    """
    total = rated.counts.sum()
    if total == 0 or not pairs:
        return [NONE] * len(pairs)
    entropy, draws = entropy_of(params.rng), params.resamples
    counts = rated.counts * (_effective_examples(sample) / total)
    ends: list[End] = [NONE] * len(pairs)
    joint = [place for place, (_, group) in enumerate(pairs) if group.kind != "class"]
    cells = class_tables(counts)
    for index in dict.fromkeys(group.index for _, group in pairs if group.kind == "class"):
        tp, fp, tn, fn = (float(count) for count in cells.at(index))
        table = np.array([[tn, fp], [fn, tp]])
        drawn = dirichlet_tables(table, resamples=draws, entropy=entropy, turn=index + 1)
        tables = Rated(drawn)
        for place, (name, group) in enumerate(pairs):
            if group.kind == "class" and group.index == index:
                values = tables.values(name, Group(group.label, "class", 1))
                ends[place] = _drawn_end(values, rated, pairs[place], params)
    if joint:
        batches = []
        for drawn in dirichlet_counts(counts, resamples=draws, entropy=entropy):
            tables = Rated(drawn, params.undefined, rated)
            batches.append(np.stack([tables.values(*pairs[place]) for place in joint]))
        for place, values in zip(joint, np.concatenate(batches, axis=1), strict=True):
            ends[place] = _drawn_end(values, rated, pairs[place], params)
    return ends


def _drawn_end(values: Floats, rated: Rated, pair: tuple[str, Group], params: RateParams) -> End:
    value = float(rated.values(*pair))
    if np.isnan(value):
        return NONE
    low, high, why = percentile_interval(values, level=params.level)
    if np.isnan(low):
        return End(np.nan, np.nan, None, why)
    return End(*held(low, high, value), "Dirichlet draws of the cells", why)


def _effective_examples(sample: RateSample) -> float:
    """Return how many rows that are alike the table is worth; an example's rows count as one."""
    cells = sample.cells
    if cells is None or cells.example is None or cells.grouped:
        return float(sample.effective_n or 0.0) * sample.worth
    weight = np.ones(len(cells.example)) if cells.weight is None else cells.weight
    mass = np.bincount(cells.example, weight / weight.max())
    return float(mass.sum() ** 2 / np.square(mass).sum())


def _bootstrap(
    sample: RateSample, _rated: Rated, pairs: Sequence[tuple[str, Group]], params: RateParams
) -> list[End]:
    """Return percentile intervals of all rates over the same resamples."""
    if sample.counts.sum() == 0 or not pairs:
        return [NONE] * len(pairs)
    batches = []
    for counts in resampled_counts(
        sample.counts, sample.cells, resamples=params.resamples, entropy=entropy_of(params.rng)
    ):
        rated = Rated(counts, params.undefined)
        batches.append(np.stack([rated.values(*pair) for pair in pairs]))
    drawn = np.concatenate(batches, axis=1)
    whole = sample.cells is not None and sample.cells.example is not None
    grouped = sample.cells is not None and sample.cells.grouped
    method = f"bootstrap of {'groups' if grouped else 'examples' if whole else 'rows'}"
    ends = (percentile_interval(values, level=params.level) for values in drawn)
    return [End(low, high, None if np.isnan(low) else method, why) for low, high, why in ends]
