"""Binnings by name."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from plumbline._checks import near_names, shorten
from plumbline.binning.histogram import RULES, HistogramRule
from plumbline.binning.least import AtLeast
from plumbline.binning.outcome import Isotonic, MonotoneSweep
from plumbline.binning.placements import CENTRE, TAILS, BetaSize, BetaWidth, LogOddsWidth
from plumbline.binning.schemes import (
    Binning,
    Edges,
    EqualSize,
    EqualWidth,
    OnePerPoint,
    OnePerValue,
)
from plumbline.errors import ParameterError


def _at(scheme: Callable[..., Binning], shape: tuple[float, float]) -> Callable[..., Binning]:
    return partial(scheme, alpha=shape[0], beta=shape[1])


# Name -> the scheme, and the arguments that may follow its number of bins behind a comma.
SCHEMES: dict[str, tuple[Callable[..., Binning], tuple[str, ...]]] = {
    "equal-width": (EqualWidth, ("span",)),
    "equal-size": (EqualSize, ()),
    "log-odds-width": (LogOddsWidth, ("outermost",)),
    "tail-width": (_at(BetaWidth, TAILS), ()),
    "centre-width": (_at(BetaWidth, CENTRE), ()),
    "beta-width": (BetaWidth, ("alpha", "beta")),
    "tail-size": (_at(BetaSize, TAILS), ()),
    "centre-size": (_at(BetaSize, CENTRE), ()),
    "beta-size": (BetaSize, ("alpha", "beta")),
}
PLAIN: dict[str, Callable[[], Binning]] = {
    "one-per-point": OnePerPoint,
    "one-per-value": OnePerValue,
    "isotonic": Isotonic,
    "monotone-sweep": MonotoneSweep,
}
KNOWN = (
    *("equal-width:15", "equal-size:10", *PLAIN, *RULES, "edges:0,0.5,1"),
    *("log-odds-width:15", "tail-width:15", "centre-width:15", "beta-width:15,0.5,2"),
    *("tail-size:15", "centre-size:15", "beta-size:15,0.5,2"),
    *("equal-width:15,data", "freedman-diaconis:unit", "equal-width:15,min=20"),
)
LEAST = re.compile(r"(?P<bins>.*),\s*min\s*=\s*(?P<rows>[^,]*)")


def binning_of(text: str | Binning) -> Binning:
    """Return the binning a text such as "equal-width:15" names; a binning passes through.

    >>> binning_of("equal-size:10"), binning_of("edges:0,0.5,1")
    (EqualSize(bins=10), Edges(values=(0.0, 0.5, 1.0)))
    """
    if not isinstance(text, str):
        if isinstance(text, type) or not hasattr(text, "edges"):
            raise ParameterError(
                "`bins` must be a binning such as EqualWidth(15) or Edges([0, 0.5, 1]), or a text "
                f"such as 'equal-width:15', got {shorten(text)}"
            )
        return text
    joined = LEAST.fullmatch(text.strip())
    if joined is not None:
        return AtLeast(binning_of(joined["bins"]), cast(int, _whole(joined["rows"])))
    name, _, rest = text.strip().partition(":")
    if name in PLAIN and not rest:
        return PLAIN[name]()
    if name in RULES and rest.strip() in ("", "unit", "data"):
        return HistogramRule(name, span=rest.strip() or "data")
    if name == "edges":
        return Edges(cast(Sequence[float], rest.split(",")))
    found = _numbered(name, rest)
    if found is None:
        raise ParameterError(
            f"`bins` must be one of {', '.join(map(repr, KNOWN))} (any number of bins), got "
            f"{shorten(text)}{near_names(text, KNOWN)}"
        )
    return found


def _whole(text: str) -> int | str:
    return int(text) if text.strip().isdecimal() else text


def _numbered(name: str, rest: str) -> Binning | None:
    """Return the scheme with a number of bins and its further numbers; None for another text."""
    if name not in SCHEMES:
        return None
    scheme, arguments = SCHEMES[name]
    if not rest:
        return scheme()
    bins, *numbers = rest.split(",")
    if not bins.strip().isdecimal() or len(numbers) not in (0, len(arguments)):
        return None
    if name == "equal-width" and [more.strip() for more in numbers] not in ([], ["data"], ["unit"]):
        return None
    return scheme(int(bins), **dict(zip(arguments, map(str.strip, numbers), strict=False)))
