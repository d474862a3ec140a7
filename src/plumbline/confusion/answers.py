"""Rates as rows of a table, each with its interval or the reason why it has none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline._checks import near_names, shown
from plumbline.confusion.overall import OVERALL, Undefined
from plumbline.confusion.values import folded, rate_named
from plumbline.errors import ParameterError
from plumbline.results import Result, html_table, text_table
from plumbline.words import number


@dataclass(frozen=True, repr=False, eq=False)
class RateValue(Result):
    """One rate of one class, of an average or of the whole table.

    Attributes
    ----------
    name, title, aliases : the name in formulas, the name in tables, further names
    group : name of the class that counts as positive, "micro", "macro", "weighted" or "all"
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
    interval, level : "wilson", "bootstrap" or None, and the share of intervals that hold the truth
    resamples, seed : of the bootstrap, else None
    undefined : whether undefined classes make an average undefined ("nan") or are left out ("skip")
    entries : the rates
    """

    model: str | None
    interval: str | None
    level: float | None
    resamples: int | None
    seed: int | None
    undefined: Undefined
    entries: tuple[RateValue, ...]

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row a rate: name, title, aliases, group, value, low, high, method, n, reason."""
        return [{"reason": None, **entry.to_dict()} for entry in self.entries]

    def entry(self, name: str, group: str | None = None) -> RateValue:
        """Return a rate by any of its names; of the first group that has it unless told otherwise.

        Raises ParameterError where it is not among the entries.
        """
        wanted = canonical(name)
        found = [e for e in self.entries if e.name == wanted and group in (None, e.group)]
        if not found:
            have = dict.fromkeys(f"{e.name} of {e.group}" for e in self.entries)
            asked = wanted if group is None else f"{wanted} of {group}"
            raise ParameterError(
                f"{asked} is not among these rates: {shown(have)}{near_names(asked, have)}"
            )
        return found[0]

    def value(self, name: str, group: str | None = None) -> float:
        """Return the value of `entry(name, group)`."""
        return self.entry(name, group).value

    def _columns(self) -> dict[str, list[str]]:
        columns = {
            "group": [e.group for e in self.entries],
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
        notes = [f"- {reason}" for reason in reasons]
        return "\n".join([text_table(self._columns(), left=("group", "rate", "name")), *notes])

    def _repr_html_(self) -> str:
        return html_table(self._columns(), left=("group", "rate", "name"), caption="Rates")


def canonical(name: object) -> str:
    """Return the name of a rate of two classes or of the whole table.

    >>> canonical("hit rate"), canonical("kappa-linear")
    ('TPR', 'kappa_linear')
    """
    whole = {folded(known): known for known in OVERALL}
    return whole.get(folded(name)) or rate_named(name)[0]
