"""Rates as rows of a table, each with its interval or the reason why it has none."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline._checks import near_names, one_of, shown
from plumbline._result import Result, html_table, text_table
from plumbline.confusion.averages import KINDS, Kind
from plumbline.confusion.overall import OVERALL, Undefined
from plumbline.confusion.values import folded, rate_named
from plumbline.errors import ParameterError
from plumbline.formatting import number


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
    method : how the interval came about, None where none was asked for
    n : how many rows it is a share of, or hangs on (Kish's effective number of weighted rows)
    reason : why value or interval is missing, None where neither is
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
    interval, level : "auto", "wilson", "dirichlet", "bootstrap" or None, and the share of intervals
        that hold the truth
    resamples, seed : of the draws, None where nothing is drawn
    undefined : whether undefined classes make an average undefined ("nan") or are left out ("skip")
    entries : the rates
    remarks, remark_codes : what to know about the values, and a stable code of each:
        "absent-class" where averages leave out classes that have no actual and no predicted rows
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

    @property
    def interval_text(self) -> str:
        """Say how the intervals came about; empty where none were asked for."""
        drawn = (
            f"{self.resamples or 0:,} tables drawn from a Dirichlet distribution about the counts"
        )
        return {
            None: "",
            "wilson": "Wilson's, of a share of rows",
            "auto": f"Wilson's of shares of rows, else {drawn}; of averages over more than 2 "
            "classes also tables redrawn from smoothed counts",
            "dirichlet": drawn,
            "bootstrap": f"bootstrap, rows drawn again {self.resamples or 0:,} times",
        }[self.interval]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a rate: name, title, aliases, group, kind, value, low, high, and so on."""
        return [{"reason": None, **entry.to_dict()} for entry in self.entries]

    def entry(self, name: str, group: str | None = None, *, kind: Kind | None = None) -> RateValue:
        """Return a rate by any of its names, of a group, of a kind of group, or of both.

        Unless told otherwise it is that of the whole table where the table has it, else that of
        the first group. Raises ParameterError where it is not among the entries, and where `group`
        names a class and an average and `kind` does not say which.
        """
        wanted = canonical(name)
        if kind is not None:
            one_of("kind", kind, KINDS)
        found = [
            e
            for e in self.entries
            if e.name == wanted and group in (None, e.group) and kind in (None, e.kind)
        ]
        if not found:
            have = dict.fromkeys(f"{e.name} of {e.group}" for e in self.entries)
            asked = " of ".join([wanted, *dict.fromkeys(filter(None, (group, kind)))])
            raise ParameterError(
                f"{asked} is not among these rates: {shown(have)}{near_names(asked, have)}"
            )
        if group is not None and len(found) > 1:
            kinds = " or ".join(f"kind={e.kind!r}" for e in found)
            raise ParameterError(f"there are several groups {group!r} of {wanted}; say {kinds}")
        return next((e for e in found if e.kind == "all"), found[0])

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

    def _columns(self) -> dict[str, list[str]]:
        labels = self.labels()
        columns = {
            "group": [labels[e.kind, e.group] for e in self.entries],
            "rate": [e.title for e in self.entries],
            "name": [e.name for e in self.entries],
            "value": [number(e.value) for e in self.entries],
        }
        if self.interval:
            columns["low"] = [number(e.low) for e in self.entries]
            columns["high"] = [number(e.high) for e in self.entries]
        return columns

    def __repr__(self) -> str:
        reasons = dict.fromkeys(e.reason for e in self.entries if e.reason)
        notes = [f"- {text}" for text in (*reasons, *self.remarks)]
        return "\n".join([text_table(self._columns(), left=("group", "rate", "name")), *notes])

    def _repr_html_(self) -> str:
        return html_table(self._columns(), left=("group", "rate", "name"), caption="Rates")


def _called(kind: Kind, group: str) -> str:
    """Return a label that tells a class from the average, or the whole table, of that name."""
    if kind == "class":
        return f"class {group!r}"
    return "whole table" if kind == "all" else f"{kind} average"


def canonical(name: object) -> str:
    """Return the name of a rate of two classes or of the whole table.

    >>> canonical("hit rate"), canonical("kappa-linear"), canonical("positive predictive value")
    ('TPR', 'kappa_linear', 'PPV')
    """
    whole = {folded(other): known for known, row in OVERALL.items() for other in (known, row.title)}
    return whole.get(folded(name)) or rate_named(name)[0]
